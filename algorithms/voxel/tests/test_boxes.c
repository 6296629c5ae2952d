#include "algorithms/voxel/boxes.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/tests/voxels.h"
#include "base/tests/support.h"
#include "base/memory.h"

#include <criterion/criterion.h>

/* --- One triangle ----------------------------------------------------------------------------- */

#define P3     "(%.17g, %.17g, %.17g)"
#define XYZ(p) (p).x, (p).y, (p).z

static const geo_box unit = {{0, 0, 0}, {1, 1, 1}};

/** Tests a prepared triangle and any box. */
static bool meets(const alg_triangle_box *p, geo_box box)
{
    const double corners[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
    return geo_box_overlap(p->box, box) && geo_box_overlap(box, box) &&
           alg_triangle_box_crosses(p, corners);
}

/** Checks both functions against the expected result. */
static void check(geo_triangle t, geo_box box, bool expected, const char *what, int number)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    alg_triangle_box p;
    alg_triangle_box_prepare(t, fmax(size.x, fmax(size.y, size.z)), &p);
    const bool prepared = meets(&p, box), once = alg_triangle_box_once(t, box);
    cr_assert(prepared == expected && once == expected,
              "%s %d: " P3 " " P3 " " P3 " and " P3 " to " P3 ": %d and %d, not %d", what, number,
              XYZ(t.p[0]), XYZ(t.p[1]), XYZ(t.p[2]), XYZ(box.lo), XYZ(box.hi), prepared, once,
              expected);
}

/* One triangle for each of the axes: touching, and separated by the smallest possible gap. */

Test(triangle_box, touching_counts_along_coordinates)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            for (int away = 0; away < 2; away++) {
                const double plane = side ? 1 : 0;
                const double at = away ? nextafter(plane, side ? 2 : -1) : plane;
                const double beyond = side ? 2 : -1;
                double c[3][3] = {{at, 0.5, 0.5}, {beyond, 0.2, 0.7}, {beyond, 0.6, 0.3}};
                geo_triangle t;
                for (int i = 0; i < 3; i++) {
                    t.p[i] =
                        (vec3){c[i][(3 - axis) % 3], c[i][(4 - axis) % 3], c[i][(5 - axis) % 3]};
                }
                check(t, unit, !away, "a corner on the face of axis", axis);
            }
        }
    }
}

Test(triangle_box, touching_counts_along_the_normal)
{
    /* The plane x + y + z = 3 and planes beside it touch or miss the corner (1, 1, 1). */
    for (int corner = 0; corner < 8; corner++) {
        for (int way = -1; way <= 1; way++) {
            geo_triangle t = {{{5, 0, -2}, {-2, 5, 0}, {0, -2, 5}}};
            for (int i = 0; i < 3; i++) {
                vec3 *const p = &t.p[i];
                p->x += 0x1p-48 * way;
                *p = (vec3){corner & 1 ? 1 - p->x : p->x, corner & 2 ? 1 - p->y : p->y,
                            corner & 4 ? 1 - p->z : p->z};
            }
            check(t, unit, way <= 0, "the corner", corner);
        }
    }
}

Test(triangle_box, touching_counts_across_edges)
{
    /* The triangle's shadow on a coordinate plane has an edge through a corner of the square, and
     * is on the other side of it; the plane of the triangle cuts the box. */
    for (int axis = 0; axis < 3; axis++) {
        for (int way = -1; way <= 1; way++) {
            for (int turn = 0; turn < 6; turn++) {
                const double shift = 0x1p-50 * way;
                const double c[3][3] = {{2 + shift, 0, 0.4}, {0, 2 + shift, 0.6}, {3, 3, 0.5}};
                geo_triangle t;
                for (int i = 0; i < 3; i++) {
                    const double *const p = c[turn < 3 ? (i + turn) % 3 : (8 - turn - i) % 3];
                    t.p[i] = (vec3){p[(3 - axis) % 3], p[(4 - axis) % 3], p[(5 - axis) % 3]};
                }
                check(t, unit, way <= 0, "the axis", axis);
            }
        }
    }
}

Test(triangle_box, segments_and_points)
{
    const vec3 a = {2, 0, 0.5}, b = {0, 2, 0.5}, inside = {0.5, 0.25, 0.75}, off = {2, 0.5, 0.5};
    const vec3 beyond = {0, 2.25, 0.5};
    const struct {
        geo_triangle t;
        bool meets;
    } cases[] = {
        {{{a, b, a}}, true},
        {{{a, a, b}}, true},
        {{{a, b, {1, 1, 0.5}}}, true},
        {{{a, beyond, a}}, false},
        {{{a, beyond, beyond}}, false},
        {{{inside, inside, inside}}, true},
        {{{off, off, off}}, false},
        {{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, true},
        {{{{-1, -1, -1}, {2, 2, 2}, {-1, -1, -1}}}, true},
        {{{{-1, 0, 2.25}, {-1, 0, 2.25}, {2, 3, -0.75}}}, false},
        {{{{-3, 0.5, 0.5}, {4, 0.5, 0.5}, {0, 0.5, 0.5}}}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(cases[i].t, unit, cases[i].meets, "case", (int)i);
    }
}

Test(triangle_box, a_box_may_be_flat_or_a_point_or_empty)
{
    const geo_triangle t = {{{0, 0, 0}, {4, 0, 4}, {0, 4, 4}}};
    const geo_box flat = {{0.5, 0.5, 0}, {2, 2, 1}}, point = {{1, 1, 2}, {1, 1, 2}};
    check(t, flat, true, "flat", 0);
    check(t, point, true, "point", 0);
    check(t, (geo_box){{1, 1, nextafter(2, 3)}, {1, 1, nextafter(2, 3)}}, false, "point", 1);
    check(t, geo_box_empty(), false, "empty", 0);
    check(t, (geo_box){{2, 1, 2}, {1, 1, 3}}, false, "inside out", 0);
}

/**
 * Applies a map of the coordinates that preserves intersection: rotations, reflections, powers of
 * two.
 */
static vec3 mapped(vec3 p, int map)
{
    const double c[3] = {p.x, p.y, p.z};
    const int first = map % 3;
    const int second = map % 6 < 3 ? (first + 1) % 3 : (first + 2) % 3;
    const double mirror = map / 6 % 2 == 0 ? 1 : -1, scale = map / 12 == 0 ? 1 : 0x1p-40;
    return (vec3){mirror * scale * c[first], scale * c[second], scale * c[3 - first - second]};
}

/** Returns a point of the lattice, usually slightly below a corner of the triangle. */
static vec3 box_corner(base_random *random, const geo_triangle *t)
{
    const vec3 p = t->p[0], below = hard_lattice(random, 3), any = hard_lattice(random, 7);
    const vec3 near = {floor(p.x) - below.x, floor(p.y) - below.y, floor(p.z) - below.z};
    return base_random_below(random, 4) == 0 ? any : near;
}

Test(triangle_box, random_pairs_agree_with_the_oracle)
{
    base_random random = base_random_seed(15);
    for (int kind = 0; kind < HARD_KINDS; kind++) {
        int met = 0, apart = 0;
        for (int i = 0; i < 6000; i++) {
            const geo_triangle t = hard_triangle(&random, kind, 4);
            const vec3 at = box_corner(&random, &t);
            const double size = base_random_below(&random, 2) == 0 ? 1 : 0.5;
            const geo_box box = {at, vec3_add(at, (vec3){size, size, size})};
            if (!geo_box_overlap(geo_box_of_triangle(t), box)) {
                continue;
            }
            const bool expected = oracle_meets(t, box);
            met += expected;
            apart += !expected;
            const int map = (int)base_random_below(&random, 24);
            geo_triangle u;
            for (int k = 0; k < 3; k++) {
                u.p[k] = mapped(t.p[k], map);
            }
            const vec3 p = mapped(box.lo, map), q = mapped(box.hi, map);
            check(t, box, expected, "kind", kind);
            check(u, (geo_box){vec3_min(p, q), vec3_max(p, q)}, expected, "mapped", map);
        }
        cr_assert(met > 200 && apart > 100, "kind %d: %d meet, %d do not", kind, met, apart);
    }
}

Test(triangle_box, far_and_tiny_pairs_agree_with_the_oracle)
{
    /* Offsets that leave few or no digits for the shapes of the triangles; and scales for which
     * products are far smaller than the precision of 1. */
    static const struct {
        double offset, scale;
    } placements[] = {
        {1e6, 1}, {1e15, 1}, {1e15, 1e3}, {-3e8, 1e-6}, {0, 3e-60}, {0.1, 3e-16}, {0, 2.5e14},
    };
    base_random random = base_random_seed(16);
    for (size_t k = 0; k < sizeof placements / sizeof *placements; k++) {
        int met = 0, apart = 0;
        for (int i = 0; i < 3000; i++) {
            geo_triangle t = hard_triangle(&random, i % HARD_KINDS, 4);
            const vec3 offset = {placements[k].offset, -placements[k].offset,
                                 0.75 * placements[k].offset};
            const vec3 at = box_corner(&random, &t);
            geo_box box = {at, vec3_add(at, (vec3){1, 0.5, 1})};
            for (int j = 0; j < 3; j++) {
                t.p[j] = vec3_madd(offset, placements[k].scale, t.p[j]);
            }
            box.lo = vec3_madd(offset, placements[k].scale, box.lo);
            box.hi = vec3_madd(offset, placements[k].scale, box.hi);
            const bool expected = oracle_meets(t, box);
            met += expected;
            apart += !expected && geo_box_overlap(geo_box_of_triangle(t), box);
            check(t, box, expected, "placement", (int)k);
        }
        cr_assert(met > 200 && apart > 10, "placement %zu: %d meet, %d do not", k, met, apart);
    }
}

Test(triangle_box, a_prepared_triangle_is_for_boxes_of_all_smaller_sizes)
{
    base_random random = base_random_seed(17);
    for (int i = 0; i < 4000; i++) {
        const geo_triangle t = hard_triangle(&random, i % HARD_KINDS, 4);
        alg_triangle_box p;
        alg_triangle_box_prepare(t, 2, &p);
        const vec3 at = hard_lattice(&random, 7), size = hard_lattice(&random, 5);
        const geo_box box = {at, vec3_add(at, size)};
        const bool expected = oracle_meets(t, box);
        cr_assert_eq(meets(&p, box), expected, "number %d", i);
    }
}

/* --- The triangles of a mesh ------------------------------------------------------------------ */

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
    assert_ok(alg_box_query_build(mesh, arena, &query, ERR));
    return query;
}

/** Checks random boxes. Releases the mesh. */
static void check_mesh(geo_mesh mesh, double size, const char *what)
{
    SCOPED_ARENA arena = {0};
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
    geo_mesh_release(&mesh);
}

Test(box_query, agrees_with_the_oracle)
{
    base_random random = base_random_seed(2);
    check_mesh(shape_soup(&random, 300, true), 1, "integers");
    check_mesh(shape_soup(&random, 300, false), 0.1, "a soup");
    check_mesh(shape_torus(12, 2, 0.75), 0.5, "a torus");
    check_mesh(shape_cells(&random, 0x0660066006600ff0), 1, "cells");
    check_mesh(shape_box((vec3){-3, -2, -1}, (vec3){3, 2, 1}), 1, "a box");
}

Test(box_query, boxes_that_touch_within_the_rounding_of_floats)
{
    /* A box with faces in the planes of 0.1 and 0.7, neither of which is a float. */
    SCOPED_MESH mesh = shape_box((vec3){0.1, 0.1, 0.1}, (vec3){0.7, 0.7, 0.7});
    SCOPED_ARENA arena = {0};
    const alg_box_query query = build(&mesh, &arena);
    const double lo = 0.7, off = nextafter(0.7, 1), far = 1;
    cr_assert_gt(check_box(&mesh, &query, (geo_box){{lo, 0.2, 0.2}, {far, 0.3, 0.3}}, "at", 0), 0);
    cr_assert_eq(check_box(&mesh, &query, (geo_box){{off, 0.2, 0.2}, {far, 0.3, 0.3}}, "off", 0),
                 0);
    const double hi = 0.1, under = nextafter(0.1, 0);
    cr_assert_gt(check_box(&mesh, &query, (geo_box){{-1, 0.2, 0.2}, {hi, 0.3, 0.3}}, "at", 1), 0);
    cr_assert_eq(check_box(&mesh, &query, (geo_box){{-1, 0.2, 0.2}, {under, 0.3, 0.3}}, "off", 1),
                 0);
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
        SCOPED_MESH mesh = geo_mesh_builder_finish(&moved);
        SCOPED_ARENA arena = {0};
        const alg_box_query query = build(&mesh, &arena);
        uint32_t met = 0;
        for (int i = 0; i < 300; i++) {
            const vec3 at = hard_lattice(&random, 12);
            const vec3 lo = vec3_madd(offset, placements[p].scale, vec3_sub(at, (vec3){3, 3, 3}));
            const vec3 hi = vec3_madd(lo, placements[p].scale, (vec3){1, 1, 1});
            met += check_box(&mesh, &query, (geo_box){lo, hi}, "placement", (int)p) > 0;
        }
        cr_assert(met > 50 && met < 300, "placement %zu: %u boxes meet faces", p, met);
    }
}

Test(box_query, a_visitor_stops_it)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 8);
    SCOPED_ARENA arena = {0};
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
}

Test(box_query, out_of_memory_is_an_error)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 4);
    base_arena arena = {0};
    alg_box_query query;
    cr_assert_geq(
        COUNT_FAILURES(alg_box_query_build(&mesh, &arena, &query, ERR), base_arena_release(&arena)),
        3);
}
