#include "geometry/mesh_check_parts.h"

#include "geometry/predicates.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

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

/* --- Pairs of faces --------------------------------------------------------------------------- */

typedef struct pair_check {
    const geo_surface *surface;
    const geo_box *boxes;   /* of the faces in leaf order */
    const bool *degenerate; /* by face */
    geo_defect_list *list;
} pair_check;

/** Corner k of t goes to place `to`, the order around stays the caller's concern. */
static void swap_corners(geo_face *f, geo_triangle *t, int i, int k)
{
    const uint32_t v = f->v[i];
    f->v[i] = f->v[k];
    f->v[k] = v;
    const vec3 p = t->p[i];
    t->p[i] = t->p[k];
    t->p[k] = p;
}

/** Brings the shared vertices to the front of both, in the same order. Returns their number. */
static int align_shared(geo_face *f, geo_triangle *s, geo_face *g, geo_triangle *t)
{
    int shared = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = shared; k < 3; k++) {
            if (f->v[i] == g->v[k]) {
                swap_corners(f, s, shared, i);
                swap_corners(g, t, shared, k);
                shared++;
                break;
            }
        }
    }
    return shared;
}

static void check_pair(pair_check *check, uint32_t i, uint32_t j)
{
    const geo_surface *const surface = check->surface;
    const uint32_t a = surface->bvh.order[i], b = surface->bvh.order[j];
    if (check->degenerate[a] || check->degenerate[b]) {
        return;
    }
    geo_face f = surface->mesh->faces[a], g = surface->mesh->faces[b];
    geo_triangle s = surface->triangles[i], t = surface->triangles[j];
    const int shared = align_shared(&f, &s, &g, &t);
    if (shared < 3 && geo_triangle_intersect_beyond(s, t, shared)) {
        geo_defect_list_add(check->list, GEO_DEFECT_SELF_INTERSECTION, a < b ? a : b,
                            a < b ? b : a);
    }
}

static bool check_leaves(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    pair_check *const check = context;
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = a == b ? i + 1 : b; j < b + nb; j++) {
            if (geo_box_overlap(check->boxes[i], check->boxes[j])) {
                check_pair(check, i, j);
            }
        }
    }
    return true;
}

static geo_status check_intersections(const geo_mesh *mesh, const bool *degenerate,
                                      geo_arena *arena, geo_defect_list *list, geo_error *err)
{
    geo_surface surface;
    const geo_status status = geo_surface_build(mesh, arena, &surface, err);
    if (status != GEO_OK) {
        return status;
    }
    geo_box *const boxes = geo_arena_alloc(arena, mesh->face_count, sizeof *boxes);
    if (boxes == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for the boxes of %zu faces",
                        mesh->face_count);
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        boxes[i] = geo_box_of_triangle(surface.triangles[i]);
    }
    pair_check check = {&surface, boxes, degenerate, list};
    geo_bvh_pairs(&surface.bvh, &surface.bvh, NULL, check_leaves, &check);
    return GEO_OK;
}

/* --- All -------------------------------------------------------------------------------------- */

static geo_status find_defects(const geo_mesh *mesh, geo_arena *arena, geo_defect_list *list,
                               geo_error *err)
{
    bool *const degenerate = geo_arena_alloc(arena, mesh->face_count, sizeof *degenerate);
    if (degenerate == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for checking %zu faces",
                        mesh->face_count);
    }
    check_faces(mesh, degenerate, list);
    const geo_status status = geo_check_topology(mesh, arena, list, err);
    return status == GEO_OK && mesh->face_count > 0
               ? check_intersections(mesh, degenerate, arena, list, err)
               : status;
}

static geo_status count_parts(const geo_mesh *mesh, geo_arena *arena, geo_mesh_report *report,
                              geo_error *err)
{
    uint32_t *const label = geo_arena_alloc(arena, mesh->face_count, sizeof *label);
    bool *const used = geo_arena_alloc(arena, mesh->vertex_count, sizeof *used);
    if (label == NULL || used == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for checking %zu faces",
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
    report->closed = mesh->face_count > 0 && n[GEO_DEFECT_OPEN_EDGE] == 0 &&
                     n[GEO_DEFECT_NONMANIFOLD_EDGE] == 0 && n[GEO_DEFECT_INCONSISTENT_EDGE] == 0 &&
                     n[GEO_DEFECT_DEGENERATE_FACE] == 0 && n[GEO_DEFECT_DUPLICATE_FACE] == 0;
    report->inside_out = report->closed && report->measure.volume_m3 < 0;
    report->solid =
        report->closed && n[GEO_DEFECT_SELF_INTERSECTION] == 0 && report->measure.volume_m3 > 0;
}

geo_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report, geo_error *err)
{
    *report = (geo_mesh_report){0};
    if (mesh->face_count > UINT32_MAX / 3) {
        return geo_fail(err, GEO_ERR_MEMORY, "%zu faces are too many to check", mesh->face_count);
    }
    geo_arena arena = {0};
    geo_defect_list list;
    geo_status status = geo_defect_list_init(&list, &arena, err);
    if (status == GEO_OK) {
        status = find_defects(mesh, &arena, &list, err);
    }
    if (status == GEO_OK) {
        status = count_parts(mesh, &arena, report, err);
    }
    if (status == GEO_OK) {
        status = geo_defect_list_finish(&list, report, err);
    }
    if (status == GEO_OK) {
        conclude(mesh, report);
    } else {
        geo_mesh_report_release(report);
    }
    geo_arena_release(&arena);
    return status;
}
