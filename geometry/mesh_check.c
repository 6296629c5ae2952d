#include "base/memory.h"
#include "geometry/mesh_check_parts.h"
#include "geometry/predicates.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (status != BASE_OK) {
        return status;
    }
    status = geo_check_pairs(&surface, degenerate, arena, list, err);
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
    if (status != BASE_OK) {
        goto done;
    }
    status = find_defects(mesh, &arena, &list, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = count_parts(mesh, &arena, report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = geo_defect_list_finish(&list, report, err);
    if (status == BASE_OK) {
        conclude(mesh, report);
    }
done:
    if (status != BASE_OK) {
        geo_mesh_report_release(report);
    }
    base_arena_release(&arena);
    return status;
}

void geo_mesh_report_release(geo_mesh_report *report)
{
    base_free(report->defects);
    *report = (geo_mesh_report){0};
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Defects that a reason names before it says "...". */
#define NAMED_MAX 3

static const char *const names[] = {
    [GEO_DEFECT_OPEN_EDGE] = "open edge",
    [GEO_DEFECT_NONMANIFOLD_EDGE] = "non-manifold edge",
    [GEO_DEFECT_INCONSISTENT_EDGE] = "inconsistent edge",
    [GEO_DEFECT_NONMANIFOLD_VERTEX] = "non-manifold vertex",
    [GEO_DEFECT_DEGENERATE_FACE] = "degenerate face",
    [GEO_DEFECT_DUPLICATE_FACE] = "duplicate face",
    [GEO_DEFECT_SELF_INTERSECTION] = "self-intersection",
    [GEO_DEFECT_MISORIENTED_SHELL] = "misoriented shell",
};

/** One of a kind as a reason counts it, with an 's' behind when there are more. */
static const char *counted_name(geo_defect_kind kind)
{
    return kind == GEO_DEFECT_SELF_INTERSECTION ? "self-intersecting pair" : names[kind];
}

static bool is_edge(geo_defect_kind kind)
{
    return kind == GEO_DEFECT_OPEN_EDGE || kind == GEO_DEFECT_NONMANIFOLD_EDGE ||
           kind == GEO_DEFECT_INCONSISTENT_EDGE;
}

const char *geo_defect_name(geo_defect_kind kind)
{
    base_assert((unsigned)kind < GEO_DEFECT_KIND_COUNT);
    return names[kind];
}

/** Appends to the text at *used, as far as it fits. */
BASE_PRINTF(4, 5)
static void append(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    const size_t wanted = length > 0 ? (size_t)length : 0, room = size - *used - 1;
    *used += wanted < room ? wanted : room;
}

/** "2 self-intersecting pairs (faces 33054 and 33055, 40271 and 40290)" */
static void tell_kind(const geo_mesh_report *report, geo_defect_kind kind, char *text, size_t size)
{
    const uint64_t count = report->counts[kind];
    const bool single = kind == GEO_DEFECT_DEGENERATE_FACE || kind == GEO_DEFECT_MISORIENTED_SHELL;
    size_t used = 0, named = 0;
    append(text, size, &used, "%llu %s%s (%s", (unsigned long long)count, counted_name(kind),
           count == 1 ? "" : "s",
           is_edge(kind)          ? "vertices "
           : single && count == 1 ? "face "
                                  : "faces ");
    for (size_t i = 0; i < report->defect_count && named < NAMED_MAX; i++) {
        const geo_defect *const d = &report->defects[i];
        if (d->kind != kind) {
            continue;
        }
        append(text, size, &used, single ? "%s%u" : "%s%u and %u", named == 0 ? "" : ", ", d->a,
               d->b);
        named++;
    }
    append(text, size, &used, count > named ? ", ...)" : ")");
}

void geo_mesh_report_reason(const geo_mesh_report *report, char *text, size_t size)
{
    static const geo_defect_kind order[] = {
        GEO_DEFECT_DEGENERATE_FACE,   GEO_DEFECT_DUPLICATE_FACE,    GEO_DEFECT_OPEN_EDGE,
        GEO_DEFECT_NONMANIFOLD_EDGE,  GEO_DEFECT_INCONSISTENT_EDGE, GEO_DEFECT_SELF_INTERSECTION,
        GEO_DEFECT_MISORIENTED_SHELL,
    };
    text[0] = '\0';
    if (report->solid) {
        return;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (report->counts[order[i]] > 0) {
            tell_kind(report, order[i], text, size);
            return;
        }
    }
    const double volume = report->measure.volume_m3;
    size_t used = 0;
    if (report->inside_out) {
        append(text, size, &used, "inside out (volume %.6g m3)", volume);
    } else {
        append(text, size, &used, report->component_count == 0 ? "no faces" : "no volume");
    }
}
