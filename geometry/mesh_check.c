#include "geometry/mesh_check_parts.h"

#include "geometry/predicates.h"

/* --- Faces by themselves ---------------------------------------------------------------------- */

/** Exactly collinear corners: their shadows along all three axes are collinear. */
static bool is_collinear(geo_triangle t)
{
    const vec3 *const p = t.p;
    const double xy[3][2] = {
        {p[0].x, p[0].y},
        {p[1].x, p[1].y},
        {p[2].x, p[2].y}
    };
    const double yz[3][2] = {
        {p[0].y, p[0].z},
        {p[1].y, p[1].z},
        {p[2].y, p[2].z}
    };
    const double zx[3][2] = {
        {p[0].z, p[0].x},
        {p[1].z, p[1].x},
        {p[2].z, p[2].x}
    };
    return geo_orient2d(xy[0], xy[1], xy[2]) == 0 && geo_orient2d(yz[0], yz[1], yz[2]) == 0 &&
           geo_orient2d(zx[0], zx[1], zx[2]) == 0;
}

/** degenerate: zeroed, one a face. */
static void check_faces(const geo_mesh *mesh, bool *degenerate, geo_defect_list *list)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        degenerate[f] =
            geo_face_repeats(mesh->faces[f]) || is_collinear(geo_mesh_triangle(mesh, f));
        if (degenerate[f]) {
            geo_defect_list_add(list, GEO_DEFECT_DEGENERATE_FACE, (uint32_t)f, (uint32_t)f);
        }
    }
}

/* --- All -------------------------------------------------------------------------------------- */

/** Of a mesh that has faces. */
static bool is_closed(const uint64_t n[GEO_DEFECT_KIND_COUNT])
{
    return n[GEO_DEFECT_OPEN_EDGE] == 0 && n[GEO_DEFECT_NONMANIFOLD_EDGE] == 0 &&
           n[GEO_DEFECT_INCONSISTENT_EDGE] == 0 && n[GEO_DEFECT_DEGENERATE_FACE] == 0 &&
           n[GEO_DEFECT_DUPLICATE_FACE] == 0;
}

static base_status find_defects(const geo_mesh *mesh, base_arena *arena, geo_defect_list *list,
                                base_error *err)
{
    bool *const degenerate = base_arena_alloc(arena, mesh->face_count, sizeof *degenerate);
    if (!degenerate) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces",
                         mesh->face_count);
    }
    check_faces(mesh, degenerate, list);
    uint32_t *fans = NULL;
    base_status status = geo_check_topology(mesh, arena, list, &fans, err);
    if (status != BASE_OK || mesh->face_count == 0) {
        return status;
    }
    geo_surface surface;
    status = geo_surface_build(mesh, arena, &surface, err);
    status = status != BASE_OK ? status : geo_check_pairs(&surface, degenerate, arena, list, err);
    if (status == BASE_OK && is_closed(list->counts) &&
        list->counts[GEO_DEFECT_SELF_INTERSECTION] == 0) {
        const bool flipped = geo_mesh_measures(mesh).volume_m3 < 0;
        status = geo_check_nesting(&surface, fans, flipped, arena, list, err);
    }
    return status;
}

static base_status count_parts(const geo_mesh *mesh, base_arena *arena, geo_mesh_report *report,
                               base_error *err)
{
    uint32_t *const label = base_arena_alloc(arena, mesh->face_count, sizeof *label);
    bool *const used = base_arena_alloc(arena, mesh->vertex_count, sizeof *used);
    if (!label || !used) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            used[mesh->faces[f].v[k]] = true;
        }
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        report->unused_vertices += !used[v];
    }
    return geo_mesh_components(mesh, label, &report->component_count, err);
}

static void conclude(const geo_mesh *mesh, geo_mesh_report *report)
{
    const uint64_t *const n = report->counts;
    report->box = geo_mesh_box(mesh);
    report->measure = geo_mesh_measures(mesh);
    report->closed = mesh->face_count > 0 && is_closed(n);
    report->inside_out = report->closed && report->measure.volume_m3 < 0;
    report->solid = report->closed && n[GEO_DEFECT_SELF_INTERSECTION] == 0 &&
                    n[GEO_DEFECT_MISORIENTED_SHELL] == 0 && report->measure.volume_m3 > 0;
}

base_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report, base_error *err)
{
    *report = (geo_mesh_report){0};
    if (mesh->face_count > UINT32_MAX / 3) {
        return base_fail(err, BASE_ERR_MEMORY, "%zu faces are too many to check", mesh->face_count);
    }
    base_arena arena = {0};
    geo_defect_list list;
    base_status status = geo_defect_list_init(&list, &arena, err);
    if (status == BASE_OK) {
        status = find_defects(mesh, &arena, &list, err);
    }
    if (status == BASE_OK) {
        status = count_parts(mesh, &arena, report, err);
    }
    if (status == BASE_OK) {
        status = geo_defect_list_finish(&list, report, err);
    }
    if (status == BASE_OK) {
        conclude(mesh, report);
    } else {
        geo_mesh_report_release(report);
    }
    base_arena_release(&arena);
    return status;
}
