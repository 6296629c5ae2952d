#include "geometry/weld.h"

#include "base/containers.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/** A vertex in its cell of a grid whose cells are at least as wide as the tolerance. */
typedef struct entry {
    int64_t cell[3];
    vec3 p;
    uint32_t vertex;
} entry;

static int compare_cells(const int64_t a[3], const int64_t b[3])
{
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_entries(const void *left, const void *right)
{
    const entry *const a = left, *const b = right;
    const int cells = compare_cells(a->cell, b->cell);
    if (cells != 0) {
        return cells;
    }
    for (int k = 0; k < 3; k++) {
        const double s = vec3_get(a->p, k), t = vec3_get(b->p, k);
        if (s < t || s > t) {
            return s < t ? -1 : 1;
        }
    }
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/** Returns the index of the first entry whose cell is not before `cell`. */
static size_t find_cell(const entry *entries, size_t count, const int64_t cell[3])
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t mid = first + (end - first) / 2;
        if (compare_cells(entries[mid].cell, cell) < 0) {
            first = mid + 1;
        } else {
            end = mid;
        }
    }
    return first;
}

/** Joins an entry with the close ones of its own cell and of the 26 cells around it. */
static void join_around(const entry *entries, size_t count, const entry *e, double tolerance,
                        uint32_t *parent)
{
    for (int64_t x = -1; x <= 1; x++) {
        for (int64_t y = -1; y <= 1; y++) {
            const int64_t lo[3] = {e->cell[0] + x, e->cell[1] + y, e->cell[2] - 1};
            const int64_t hi[3] = {lo[0], lo[1], e->cell[2] + 1};
            for (size_t i = find_cell(entries, count, lo);
                 i < count && compare_cells(entries[i].cell, hi) <= 0; i++) {
                if (entries[i].vertex > e->vertex &&
                    vec3_distance(entries[i].p, e->p) <= tolerance) {
                    base_sets_join(parent, entries[i].vertex, e->vertex);
                }
            }
        }
    }
}

/** Sorts the vertices into the grid and joins the close ones. entries: room for all of them. */
static void join_vertices(const geo_mesh *mesh, double tolerance, entry *entries, uint32_t *parent)
{
    geo_box box = geo_box_empty();
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        box = geo_box_add(box, mesh->vertices[i]);
    }
    /* The numbers of cells stay below 2^42. */
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double extent = fmax(size.x, fmax(size.y, size.z));
    const double width = fmax(fmax(tolerance, 0x1p-41 * extent), GEO_COORDINATE_LEAST);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 p = mesh->vertices[i], q = vec3_sub(p, box.lo);
        entries[i] = (entry){
            {(int64_t)floor(q.x / width), (int64_t)floor(q.y / width), (int64_t)floor(q.z / width)},
            p,
            (uint32_t)i};
    }
    qsort(entries, mesh->vertex_count, sizeof *entries, compare_entries);
    /* One entry of each position remains, so that equal vertices are no pairs. */
    size_t kept = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (kept > 0 && vec3_equal(entries[i].p, entries[kept - 1].p)) {
            base_sets_join(parent, entries[i].vertex, entries[kept - 1].vertex);
        } else {
            entries[kept++] = entries[i];
        }
    }
    for (size_t i = 0; tolerance > 0 && i < kept; i++) {
        join_around(entries, kept, &entries[i], tolerance, parent);
    }
}

static bool collapsed(const geo_face *face)
{
    return face->v[0] == face->v[1] || face->v[1] == face->v[2] || face->v[2] == face->v[0];
}

/** Adds the faces, then the vertices that they use. Replaces parent[i] of a root by its number. */
static base_status copy_mesh(const geo_mesh *mesh, uint32_t *parent, bool *used,
                             geo_mesh_builder *welded, geo_weld *changes, base_error *err)
{
    base_status status = geo_mesh_builder_init(0, 0, welded, err);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const uint32_t root = base_sets_find(parent, (uint32_t)i);
        changes->merged_vertices += root != i;
        changes->move_m =
            fmax(changes->move_m, vec3_distance(mesh->vertices[i], mesh->vertices[root]));
    }
    for (size_t f = 0; status == BASE_OK && f < mesh->face_count; f++) {
        geo_face face;
        for (int c = 0; c < 3; c++) {
            face.v[c] = base_sets_find(parent, mesh->faces[f].v[c]);
        }
        if (collapsed(&face)) {
            changes->collapsed_faces++;
            continue;
        }
        used[face.v[0]] = used[face.v[1]] = used[face.v[2]] = true;
        status = geo_mesh_builder_add_face(welded, face, err);
    }
    for (size_t i = 0; status == BASE_OK && i < mesh->vertex_count; i++) {
        const bool root = parent[i] == i;
        changes->unused_vertices += root && !used[i];
        if (root && used[i]) {
            parent[i] = (uint32_t)welded->vertex_count;
            status = geo_mesh_builder_add_vertex(welded, mesh->vertices[i], err);
        }
    }
    for (size_t i = 0; status == BASE_OK && i < 3 * welded->face_count; i++) {
        uint32_t *const v = &welded->faces[i / 3].v[i % 3];
        *v = parent[*v];
    }
    return status;
}

base_status geo_mesh_weld(const geo_mesh *mesh, double tolerance, geo_mesh_builder *welded,
                          geo_weld *changes, base_error *err)
{
    const size_t n = mesh->vertex_count;
    entry *const entries = base_alloc(n, sizeof *entries);
    uint32_t *const parent = base_alloc(n, sizeof *parent);
    bool *const used = base_alloc(n, sizeof *used);
    base_status status;
    *changes = (geo_weld){0};
    *welded = (geo_mesh_builder){0};
    if (!entries || !parent || !used) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for welding %zu vertices", n);
    } else {
        base_sets_init(parent, n);
        join_vertices(mesh, tolerance, entries, parent);
        status = copy_mesh(mesh, parent, used, welded, changes, err);
    }
    base_free(used);
    base_free(parent);
    base_free(entries);
    if (status != BASE_OK) {
        geo_mesh_builder_release(welded);
    }
    return status;
}
