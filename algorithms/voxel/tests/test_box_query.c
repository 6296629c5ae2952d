#include "algorithms/voxel/box_query.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/tests/triangle_boxes.h"
#include "base/memory.h"
#include "base/tests/sweep.h"

enum { FACES_MOST = 4096 };

/** Visited faces, in order; the visit stops after `most`. */
typedef struct visited {
    uint32_t faces[FACES_MOST];
    uint32_t count, most;
} visited;

static bool take(void *context, uint32_t face)
{
    visited *const v = context;
    v->faces[v->count++] = face;
    return v->count < v->most;
}

/**
 * Checks that the visited faces are those of the oracle, each once, and that both instruction sets
 * visit them in the same order.
 */
static uint32_t check_box(const geo_mesh *mesh, const alg_box_query *query, geo_box box,
                          const char *what, int number)
{
    static visited v, w;
    v = w = (visited){.most = FACES_MOST};
    const bool found = alg_box_query_run(query, box, take, &v);
    cr_assert_eq(found, v.count > 0, "%s %d: found %d, visited %u", what, number, found, v.count);
    cr_assert_eq(alg_box_query_run(query, box, NULL, NULL), found, "%s %d", what, number);
    static bool seen[FACES_MOST];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < v.count; i++) {
        cr_assert_not(seen[v.faces[i]], "%s %d: face %u comes twice", what, number, v.faces[i]);
        seen[v.faces[i]] = true;
    }
    const bool empty = !geo_box_overlap(box, box);
    for (size_t f = 0; f < mesh->face_count; f++) {
        const bool expected = !empty && oracle_meets(geo_mesh_triangle(mesh, f), box);
        cr_assert_eq(seen[f], expected, "%s %d: face %zu", what, number, f);
    }
    alg_box_query_descend_sse2(query, box, take, &w);
    cr_assert(w.count == v.count && memcmp(w.faces, v.faces, v.count * sizeof *v.faces) == 0,
              "%s %d: the order is another one", what, number);
    return v.count;
}

static alg_box_query build(const geo_mesh *mesh, base_arena *arena)
{
    cr_assert_leq(mesh->face_count, FACES_MOST);
    alg_box_query query;
    base_error err = {0};
    cr_assert_eq(alg_box_query_build(mesh, arena, &query, &err), BASE_OK, "%s", err.text);
    return query;
}

/** Checks random boxes. Releases the mesh. */
static void check_mesh(geo_mesh mesh, double size, const char *what)
{
    base_arena arena = {0};
    const alg_box_query query = build(&mesh, &arena);
    const geo_box all = geo_mesh_box(&mesh);
    base_random random = base_random_seed(1);
    uint32_t met = 0, none = 0;
    for (int i = 0; i < 600; i += (int)sweep_step(5)) {
        const vec3 extent = vec3_sub(all.hi, all.lo);
        const double a = base_random_range(&random, -0.2, 1.1);
        const double b = base_random_range(&random, -0.2, 1.1);
        const double c = base_random_range(&random, -0.2, 1.1);
        vec3 lo = vec3_add(all.lo, (vec3){a * extent.x, b * extent.y, c * extent.z});
        if (i % 2 == 0) {
            lo = (vec3){floor(lo.x), floor(lo.y), floor(lo.z)};
        }
        const geo_box box = {lo, vec3_add(lo, (vec3){size, size, size})};
        const uint32_t count = check_box(&mesh, &query, box, what, i);
        met += count > 0;
        none += count == 0;
    }
    cr_assert(met > 20 / sweep_step(5) && none > 20 / sweep_step(5),
              "%s: %u boxes meet faces, %u do not", what, met, none);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}

Test(box_query, finds_what_the_oracle_finds)
{
    base_random random = base_random_seed(2);
    check_mesh(shape_soup(&random, 300, true), 1, "integers");
    check_mesh(shape_soup(&random, 300, false), 0.1, "a soup");
    check_mesh(shape_torus(12, 2, 0.75), 0.5, "a torus");
    check_mesh(shape_cells(&random, 0x0660066006600ff0), 1, "cells");
    check_mesh(shape_box((vec3){-3, -2, -1}, (vec3){3, 2, 1}), 1, "a box");
}

Test(box_query, boxes_that_touch_by_less_than_floats_tell)
{
    /* A box with faces in the planes of 0.1 and 0.7, neither of which is a float. */
    geo_mesh mesh = shape_box((vec3){0.1, 0.1, 0.1}, (vec3){0.7, 0.7, 0.7});
    base_arena arena = {0};
    const alg_box_query query = build(&mesh, &arena);
    const double lo = 0.7, off = nextafter(0.7, 1), far = 1;
    cr_assert_gt(check_box(&mesh, &query, (geo_box){{lo, 0.2, 0.2}, {far, 0.3, 0.3}}, "at", 0), 0);
    cr_assert_eq(check_box(&mesh, &query, (geo_box){{off, 0.2, 0.2}, {far, 0.3, 0.3}}, "off", 0),
                 0);
    const double hi = 0.1, under = nextafter(0.1, 0);
    cr_assert_gt(check_box(&mesh, &query, (geo_box){{-1, 0.2, 0.2}, {hi, 0.3, 0.3}}, "at", 1), 0);
    cr_assert_eq(check_box(&mesh, &query, (geo_box){{-1, 0.2, 0.2}, {under, 0.3, 0.3}}, "off", 1),
                 0);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}

Test(box_query, far_and_tiny_meshes)
{
    static const struct {
        double offset, scale;
    } placements[] = {
        {1e15, 16}, {-1e6, 1e-3}, {0, 1e-59}, {0, 1e14}, {0.125, 1e-9},
    };
    for (size_t p = 0; p < sizeof placements / sizeof *placements; p++) {
        base_random random = base_random_seed(3);
        geo_mesh_builder moved = shape_edit(shape_soup(&random, 60, true));
        const vec3 offset = {placements[p].offset, placements[p].offset, 0};
        for (size_t v = 0; v < moved.vertex_count; v++) {
            moved.vertices[v] = vec3_madd(offset, placements[p].scale, moved.vertices[v]);
        }
        geo_mesh mesh = geo_mesh_builder_finish(&moved);
        base_arena arena = {0};
        const alg_box_query query = build(&mesh, &arena);
        uint32_t met = 0;
        for (int i = 0; i < 300; i++) {
            const vec3 at = hard_lattice(&random, 12);
            const vec3 lo = vec3_madd(offset, placements[p].scale, vec3_sub(at, (vec3){3, 3, 3}));
            const vec3 hi = vec3_madd(lo, placements[p].scale, (vec3){1, 1, 1});
            met += check_box(&mesh, &query, (geo_box){lo, hi}, "placement", (int)p) > 0;
        }
        cr_assert(met > 50 && met < 300, "placement %zu: %u boxes meet faces", p, met);
        base_arena_release(&arena);
        geo_mesh_release(&mesh);
    }
}

Test(box_query, a_visitor_stops_it)
{
    geo_mesh mesh = shape_ball((vec3){0, 0, 0}, 1, 8);
    base_arena arena = {0};
    const alg_box_query query = build(&mesh, &arena);
    const geo_box box = {{-2, -2, -2}, {2, 2, 2}};
    cr_assert_eq(check_box(&mesh, &query, box, "all", 0), mesh.face_count);
    static visited v;
    for (uint32_t most = 1; most < 40; most += 13) {
        v = (visited){.most = most};
        cr_assert(alg_box_query_run(&query, box, take, &v));
        cr_assert_eq(v.count, most);
    }
    cr_assert_eq(check_box(&mesh, &query, geo_box_empty(), "empty", 0), 0);
    cr_assert_eq(check_box(&mesh, &query, (geo_box){{1, -1, -1}, {-1, 1, 1}}, "inside out", 0), 0);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}

Test(box_query, out_of_memory_is_an_error)
{
    geo_mesh mesh = shape_ball((vec3){0, 0, 0}, 1, 4);
    size_t failures = 0;
    for (base_status status = BASE_ERR_MEMORY; status != BASE_OK; failures++) {
        base_arena arena = {0};
        base_error err = {0};
        alg_box_query query;
        base_memory_fail_after(failures);
        status = alg_box_query_build(&mesh, &arena, &query, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY);
        base_arena_release(&arena);
    }
    cr_assert_geq(failures, 4);
    geo_mesh_release(&mesh);
}
