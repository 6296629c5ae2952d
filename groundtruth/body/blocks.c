#include "groundtruth/body/blocks.h"

#include "base/memory.h"
#include "geometry/box.h"
#include "geometry/triangle.h"

#include <float.h>
#include <stdlib.h>

enum { CURVE_BITS = 21 };

typedef struct place {
    uint64_t along; /* the curve */
    uint32_t face;
} place;

static int compare(const void *x, const void *y)
{
    const place *const a = x, *const b = y;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

/** Interleaves the bits of a point's place in the box: neighbours are mostly near each other. */
static uint64_t along_curve(vec3 p, geo_box box)
{
    uint64_t along = 0, cell[3];
    for (int k = 0; k < 3; k++) {
        const double lo = vec3_get(box.lo, k), edge = vec3_get(box.hi, k) - lo;
        const double at = edge > 0 ? (vec3_get(p, k) - lo) / edge : 0;
        cell[k] = (uint64_t)(at * ((1 << CURVE_BITS) - 1));
    }
    for (int bit = CURVE_BITS - 1; bit >= 0; bit--) {
        for (int k = 0; k < 3; k++) {
            along = along << 1 | (cell[k] >> bit & 1);
        }
    }
    return along;
}

static geo_ball ball_of_block(const geo_mesh *mesh, const uint32_t *faces, size_t count)
{
    geo_box box = geo_box_of_triangle(geo_mesh_triangle(mesh, faces[0]));
    for (size_t i = 1; i < count; i++) {
        box = geo_box_join(box, geo_box_of_triangle(geo_mesh_triangle(mesh, faces[i])));
    }
    geo_ball ball = {geo_box_centre(box), 0};
    for (size_t i = 0; i < count; i++) {
        const geo_triangle t = geo_mesh_triangle(mesh, faces[i]);
        for (int k = 0; k < 3; k++) {
            const double r = vec3_distance(ball.centre, t.p[k]) * (1 + 16 * DBL_EPSILON);
            ball.radius = r > ball.radius ? r : ball.radius;
        }
    }
    return ball;
}

base_status gt_blocks_build(const geo_mesh *mesh, base_arena *arena, gt_blocks *blocks,
                            base_error *err)
{
    const size_t n = mesh->face_count;
    place *const places = base_alloc(n, sizeof *places);
    blocks->count = (n + GT_BLOCK - 1) / GT_BLOCK;
    blocks->order = base_arena_alloc(arena, n, sizeof *blocks->order);
    blocks->balls = base_arena_alloc(arena, blocks->count, sizeof *blocks->balls);
    blocks->corners = base_arena_alloc(arena, blocks->count, sizeof *blocks->corners);
    if (!places || !blocks->order || !blocks->balls || !blocks->corners) {
        base_free(places);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", n);
    }
    const geo_box box = geo_mesh_box(mesh);
    for (size_t f = 0; f < n; f++) {
        places[f] = (place){along_curve(geo_mesh_triangle(mesh, f).p[0], box), (uint32_t)f};
    }
    qsort(places, n, sizeof *places, compare);
    for (size_t i = 0; i < n; i++) {
        blocks->order[i] = places[i].face;
    }
    base_free(places);
    for (size_t b = 0; b < blocks->count; b++) {
        const uint32_t *const faces = &blocks->order[b * GT_BLOCK];
        const size_t left = n - b * GT_BLOCK;
        blocks->balls[b] = ball_of_block(mesh, faces, left < GT_BLOCK ? left : GT_BLOCK);
        blocks->corners[b] = geo_mesh_triangle(mesh, faces[0]).p[0];
    }
    return BASE_OK;
}
