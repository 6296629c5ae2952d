#include "scenarios/models/subdivide.h"

#include "base/memory.h"
#include "geometry/vec.h"

#include <stdlib.h>

/** One side of a face: its edge, given by the lower and the higher vertex. */
typedef struct side {
    uint32_t lo, hi;
    uint32_t place; /* 3 * face + corner */
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *const a = left, *const b = right;
    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }
    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

/** Numbers the edges. Side 3 f + c runs from corner c to the next one. Returns the number of
 * edges. */
static size_t number_edges(const geo_mesh *mesh, side *sides, uint32_t *edge_of_side)
{
    const size_t side_count = 3 * mesh->face_count;
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t *const v = mesh->faces[i / 3].v;
        const uint32_t from = v[i % 3], to = v[(i + 1) % 3];
        sides[i] = (side){from < to ? from : to, from < to ? to : from, (uint32_t)i};
    }
    qsort(sides, side_count, sizeof *sides, compare_sides);
    size_t edges = 0;
    for (size_t i = 0; i < side_count; i++) {
        if (i > 0 && (sides[i].lo != sides[i - 1].lo || sides[i].hi != sides[i - 1].hi)) {
            edges++;
        }
        edge_of_side[sides[i].place] = (uint32_t)edges;
    }
    return edges + 1;
}

/** Order of the vertices of the fine mesh: corners, then vertices on edges from the lower corner
 * on, then interior vertices of faces row by row. */
typedef struct layout {
    const geo_mesh *coarse;
    const uint32_t *edge_of_side;
    size_t frequency, edge_count;
} layout;

static uint32_t on_side(const layout *l, size_t face, size_t corner, size_t step)
{
    const uint32_t *const v = l->coarse->faces[face].v;
    const size_t n = l->frequency, edge = l->edge_of_side[3 * face + corner];
    const size_t from_lower = v[corner] < v[(corner + 1) % 3] ? step : n - step;
    return (uint32_t)(l->coarse->vertex_count + edge * (n - 1) + from_lower - 1);
}

/** Returns the vertex at i / n of the way to corner 1 and j / n of the way to corner 2; i + j <=
 * n. */
static uint32_t fine_vertex(const layout *l, size_t face, size_t i, size_t j)
{
    const size_t n = l->frequency, k = n - i - j;
    const uint32_t *const v = l->coarse->faces[face].v;
    if (i == n || j == n || k == n) {
        return i == n ? v[1] : j == n ? v[2] : v[0];
    }
    if (j == 0) {
        return on_side(l, face, 0, i);
    }
    if (k == 0) {
        return on_side(l, face, 1, j);
    }
    if (i == 0) {
        return on_side(l, face, 2, k);
    }
    /* Row j holds i = 1 .. n - 1 - j. The rows before it hold (n - 2) + (n - 3) + ... */
    const size_t before = (j - 1) * (n - 1) - (j - 1) * j / 2;
    const size_t inside = l->coarse->vertex_count + l->edge_count * (n - 1);
    return (uint32_t)(inside + face * ((n - 1) * (n - 2) / 2) + before + i - 1);
}

static void place_vertices(const layout *l, geo_mesh_builder *fine)
{
    const size_t n = l->frequency;
    for (size_t f = 0; f < l->coarse->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(l->coarse, f);
        const uint32_t *const v = l->coarse->faces[f].v;
        for (size_t j = 0; j <= n; j++) {
            for (size_t i = 0; i + j <= n; i++) {
                const size_t k = n - i - j;
                /* A vertex on an edge belongs to the face whose side ends at the higher corner. */
                if ((j == 0 && v[0] > v[1]) || (k == 0 && v[1] > v[2]) || (i == 0 && v[2] > v[0])) {
                    continue;
                }
                const vec3 sum = vec3_add(
                    vec3_scale((double)k, t.p[0]),
                    vec3_add(vec3_scale((double)i, t.p[1]), vec3_scale((double)j, t.p[2])));
                fine->vertices[fine_vertex(l, f, i, j)] = vec3_scale(1 / (double)n, sum);
            }
        }
    }
    for (size_t i = 0; i < l->coarse->vertex_count; i++) {
        fine->vertices[i] = l->coarse->vertices[i];
    }
}

static void connect_faces(const layout *l, geo_mesh_builder *fine)
{
    const size_t n = l->frequency;
    geo_face *out = fine->faces;
    for (size_t f = 0; f < l->coarse->face_count; f++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i + j < n; i++) {
                const uint32_t right = fine_vertex(l, f, i + 1, j),
                               up = fine_vertex(l, f, i, j + 1);
                *out++ = (geo_face){{fine_vertex(l, f, i, j), right, up}};
                if (i + j + 1 < n) {
                    *out++ = (geo_face){{right, fine_vertex(l, f, i + 1, j + 1), up}};
                }
            }
        }
    }
}

base_status scn_subdivide(const geo_mesh *coarse, size_t frequency, geo_mesh_builder *fine,
                          base_error *err)
{
    const size_t side_count = 3 * coarse->face_count, n = frequency;
    side *const sides = base_alloc(side_count, sizeof *sides);
    uint32_t *const edge_of_side = base_alloc(side_count, sizeof *edge_of_side);
    base_status status;
    *fine = (geo_mesh_builder){0};
    if (!sides || !edge_of_side) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for a subdivision into %zu triangles",
                      n * n * coarse->face_count);
        goto done;
    }
    const size_t edge_count = number_edges(coarse, sides, edge_of_side);
    const size_t vertices = coarse->vertex_count + edge_count * (n - 1) +
                            coarse->face_count * ((n - 1) * (n == 1 ? 0 : n - 2) / 2);
    status = geo_mesh_builder_init(vertices, n * n * coarse->face_count, fine, err);
    if (status == BASE_OK) {
        const layout l = {coarse, edge_of_side, n, edge_count};
        place_vertices(&l, fine);
        connect_faces(&l, fine);
    }
done:
    base_free(edge_of_side);
    base_free(sides);
    return status;
}
