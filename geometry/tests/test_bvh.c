#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/bvh.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static geo_box random_box(base_random *random, double space, double size)
{
    const vec3 direction = geo_random_direction(random);
    const vec3 centre = vec3_scale(space * base_random_unit(random), direction);
    const double x = size * base_random_unit(random), y = size * base_random_unit(random);
    const vec3 half = {x, y, size * base_random_unit(random)};
    return (geo_box){vec3_sub(centre, half), vec3_add(centre, half)};
}

/**
 * Makes boxes of the kinds that are difficult to split: equal, nested, in line, of very different
 * scales.
 */
static geo_box *make_boxes(base_random *random, size_t count, int kind)
{
    geo_box *const boxes = base_alloc(count, sizeof *boxes);
    cr_assert_not_null(boxes);
    for (size_t i = 0; i < count; i++) {
        boxes[i] = random_box(random, 1, kind == 1 ? 0 : 0.05);
        const double r = pow(0.8, (double)(i % 400));
        if (kind == 2) {
            boxes[i] = (geo_box){{1, 2, 3}, {4, 5, 6}};
        } else if (kind == 3) {
            boxes[i] = (geo_box){{-r, -r, -r}, {r, r, r}};
        } else if (kind == 4) {
            boxes[i] = (geo_box){{r, 0, 0}, {1.1 * r, 0, 0}};
        } else if (kind == 5) {
            boxes[i].lo.z = boxes[i].hi.z = 0;
        }
    }
    return boxes;
}

enum { KINDS = 6 };

static geo_bvh build(const geo_box *boxes, size_t count, uint32_t leaf_size, base_arena *arena)
{
    geo_bvh bvh;
    assert_ok(geo_bvh_build(boxes, count, leaf_size, arena, &bvh, ERR));
    return bvh;
}

/* --- Structure -------------------------------------------------------------------------------- */

typedef struct census {
    const geo_bvh *bvh;
    const geo_box *boxes;
    uint32_t leaf_size;
    uint8_t *seen; /* for each index in order */
    uint32_t nodes;
    int depth;
} census;

static geo_box lane_box(const geo_bvh_node *node, int lane)
{
    return (geo_box){
        {(double)node->lo[0][lane], (double)node->lo[1][lane], (double)node->lo[2][lane]},
        {(double)node->hi[0][lane], (double)node->hi[1][lane], (double)node->hi[2][lane]}};
}

static bool encloses(geo_box outer, geo_box inner)
{
    return vec3_equal(vec3_min(outer.lo, inner.lo), outer.lo) &&
           vec3_equal(vec3_max(outer.hi, inner.hi), outer.hi);
}

/** Returns the join of the primitives below the node, after a check of every lane. */
static geo_box check_node(census *c, uint32_t index, int level)
{
    const geo_bvh_node *const node = &c->bvh->nodes[index];
    cr_assert_eq(index, c->nodes, "nodes are not depth first");
    c->nodes++;
    c->depth = level > c->depth ? level : c->depth;
    geo_box all = geo_box_empty();
    bool ended = false;
    for (int lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(node, lane)) {
            cr_assert_eq(node->count[lane], 0);
            ended = true;
            continue;
        }
        cr_assert_not(ended, "node %u has a gap before lane %d", index, lane);
        geo_box box = geo_box_empty();
        if (node->count[lane] == 0) {
            box = check_node(c, node->first[lane], level + 1);
        }
        cr_assert_leq(node->count[lane], c->leaf_size);
        for (uint32_t i = node->first[lane]; i < node->first[lane] + node->count[lane]; i++) {
            cr_assert_eq(c->seen[i]++, 0, "index %u twice", i);
            box = geo_box_join(box, c->boxes[c->bvh->order[i]]);
        }
        cr_assert(encloses(lane_box(node, lane), box), "node %u lane %d is too small", index, lane);
        all = geo_box_join(all, box);
    }
    return all;
}

static void check_structure(const geo_bvh *bvh, const geo_box *boxes, size_t count,
                            uint32_t leaf_size)
{
    census c = {.bvh = bvh, .boxes = boxes, .leaf_size = leaf_size};
    c.seen = base_alloc(count, 1);
    SCOPED_FREE uint8_t *const ordered = base_alloc(count, 1);
    cr_assert(c.seen && ordered);
    const geo_box all = check_node(&c, 0, 0);
    cr_assert(vec3_equal(all.lo, bvh->box.lo) && vec3_equal(all.hi, bvh->box.hi));
    cr_assert_eq(c.nodes, bvh->node_count);
    cr_assert_lt(c.depth, GEO_BVH_DEPTH_MAX);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(c.seen[i], 1, "index %zu is in no leaf", i);
        cr_assert_eq(ordered[bvh->order[i]]++, 0, "primitive %u twice", bvh->order[i]);
    }
    base_free(c.seen);
}

Test(bvh, structure_holds_for_all_kinds_and_sizes)
{
    const size_t counts[] = {1, 2, 7, 8, 9, 64, 65, 1000, 5000};
    base_random random = base_random_seed(51);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            for (uint32_t leaf_size = 1; leaf_size <= GEO_BVH_LEAF_MAX; leaf_size *= 2) {
                SCOPED_FREE geo_box *const boxes = make_boxes(&random, counts[k], kind);
                SCOPED_ARENA arena = {0};
                const geo_bvh bvh = build(boxes, counts[k], leaf_size, &arena);
                check_structure(&bvh, boxes, counts[k], leaf_size);
            }
        }
    }
}

/**
 * Sizes from 2^56 down to the smallest float: the tree is deep, since each split takes a few boxes
 * off one end.
 */
Test(bvh, depth_is_bounded_for_shrinking_boxes)
{
    enum { COUNT = 4000 };
    SCOPED_FREE geo_box *const boxes = base_alloc(COUNT, sizeof *boxes);
    cr_assert_not_null(boxes);
    for (int i = 0; i < COUNT; i++) {
        const double x = ldexp(1, 56 - i / 6) * (1 + i % 6);
        boxes[i] = (geo_box){{x, 0, 0}, {x, 1, x}};
    }
    SCOPED_ARENA arena = {0};
    const geo_bvh bvh = build(boxes, COUNT, 1, &arena);
    check_structure(&bvh, boxes, COUNT, 1);
}

Test(bvh, build_is_deterministic_and_ignores_shifts_of_memory)
{
    base_random random = base_random_seed(52);
    SCOPED_FREE geo_box *const boxes = make_boxes(&random, 3000, 0);
    SCOPED_ARENA first = {0}, second = {0};
    cr_assert_not_null(base_arena_alloc(&second, 1000, 1));
    const geo_bvh a = build(boxes, 3000, 4, &first), b = build(boxes, 3000, 4, &second);
    cr_assert_eq(a.node_count, b.node_count);
    cr_assert_eq(memcmp(a.nodes, b.nodes, a.node_count * sizeof *a.nodes), 0);
    cr_assert_eq(memcmp(a.order, b.order, 3000 * sizeof *a.order), 0);
}

/** Boxes of the largest valid size among small ones: their centroids and bins are finite. */
Test(bvh, holds_the_greatest_coordinates)
{
    const double most = GEO_BVH_COORDINATE_MAX;
    base_random random = base_random_seed(54);
    geo_box boxes[500];
    for (int i = 0; i < 500; i++) {
        const vec3 p = vec3_scale(1e-3 * most, geo_random_direction(&random));
        boxes[i] =
            i % 50 == 7 ? (geo_box){{-most, -most, -most}, {most, most, most}} : (geo_box){p, p};
    }
    SCOPED_ARENA arena = {0};
    const geo_bvh bvh = build(boxes, 500, 1, &arena);
    check_structure(&bvh, boxes, 500, 1);
}

Test(bvh, build_reports_lack_of_memory)
{
    base_random random = base_random_seed(53);
    SCOPED_FREE geo_box *const boxes = make_boxes(&random, 500, 0);
    geo_bvh bvh;
    base_arena arena = {0};
    const size_t failures = COUNT_FAILURES(geo_bvh_build(boxes, 500, 4, &arena, &bvh, ERR), {
        cr_assert(!failed || !bvh.nodes);
        base_arena_release(&arena);
    });
    cr_assert_geq(failures, 3);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

typedef struct pair_list {
    const geo_bvh *a, *b;
    uint8_t *found; /* a.primitive_count x b.primitive_count */
    size_t visits, stop_after;
} pair_list;

static bool note_pair(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    pair_list *const list = context;
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = b; j < b + nb; j++) {
            const size_t at = (size_t)list->a->order[i] * list->b->primitive_count;
            list->found[at + list->b->order[j]]++;
        }
    }
    return ++list->visits != list->stop_after;
}

/** True if box a and box b moved by pose certainly overlap. Compares in both frames, in double. */
static bool oracle_overlap(geo_box a, geo_box b, const geo_pose *pose)
{
    const vec3 d = vec3_sub(geo_pose_apply(pose, geo_box_centre(b)), geo_box_centre(a));
    const vec3 ea = vec3_scale(0.5, vec3_sub(a.hi, a.lo));
    const vec3 eb = vec3_scale(0.5, vec3_sub(b.hi, b.lo));
    const mat3 r = pose->rotation, rt = mat3_transpose(r);
    for (int k = 0; k < 3; k++) {
        const vec3 in_a = vec3_abs(r.row[k]), in_b = vec3_abs(rt.row[k]);
        if (fabs(vec3_get(d, k)) > vec3_get(ea, k) + vec3_dot(in_a, eb) ||
            fabs(vec3_dot(rt.row[k], d)) > vec3_get(eb, k) + vec3_dot(in_b, ea)) {
            return false;
        }
    }
    return true;
}

static geo_box grown(geo_box box, double by)
{
    const vec3 d = {by, by, by};
    return (geo_box){vec3_sub(box.lo, d), vec3_add(box.hi, d)};
}

/**
 * Every overlapping pair is visited once; with leaves of one box, hardly any other pair is visited.
 */
Test(bvh, pairs_equal_all_pairs)
{
    const uint64_t seed = 54;
    base_random random = base_random_seed(seed);
    size_t overlapping = 0, apart = 0;
    for (int i = 0; i < 120; i++) {
        const size_t na = 1 + base_random_below(&random, 300),
                     nb = 1 + base_random_below(&random, 300);
        SCOPED_FREE geo_box *const a = make_boxes(&random, na, i % KINDS);
        SCOPED_FREE geo_box *const b = make_boxes(&random, nb, i / 2 % KINDS);
        const vec3 offset =
            vec3_scale(2 * base_random_unit(&random), geo_random_direction(&random));
        const geo_pose pose =
            i % 5 == 0 ? geo_pose_identity() : geo_pose_make(geo_random_rotation(&random), offset);
        const uint32_t leaf_size = i % 3 == 0 ? 4 : 1;
        SCOPED_ARENA arena = {0};
        const geo_bvh bvh_a = build(a, na, leaf_size, &arena);
        const geo_bvh bvh_b = build(b, nb, 1, &arena);
        pair_list list = {.a = &bvh_a, .b = &bvh_b, .found = base_alloc(na * nb, 1)};
        cr_assert_not_null(list.found);
        cr_assert(geo_bvh_pairs(&bvh_a, &bvh_b, i % 5 == 0 && i % 2 == 0 ? NULL : &pose, note_pair,
                                &list));
        for (size_t p = 0; p < na * nb; p++) {
            const geo_box box_a = a[p / nb], box_b = b[p % nb];
            cr_assert(list.found[p] <= 1, "seed %lu case %d: pair twice", (unsigned long)seed, i);
            if (oracle_overlap(box_a, box_b, &pose)) {
                cr_assert_eq(list.found[p], 1, "seed %lu case %d: pair %zu, %zu lost",
                             (unsigned long)seed, i, p / nb, p % nb);
                overlapping++;
            } else if (leaf_size == 1 &&
                       !oracle_overlap(grown(box_a, 1e-4), grown(box_b, 1e-4), &pose)) {
                cr_assert_eq(list.found[p], 0, "seed %lu case %d: pair %zu, %zu is far apart",
                             (unsigned long)seed, i, p / nb, p % nb);
                apart++;
            }
        }
        base_free(list.found);
    }
    cr_assert(overlapping > 10000 && apart > 10000, "%zu %zu", overlapping, apart);
}

/** Boxes that touch exactly must not be lost to rounding in either frame. */
Test(bvh, pairs_that_touch_are_kept)
{
    base_random random = base_random_seed(55);
    for (int i = 0; i < 3000; i++) {
        const geo_quat q = geo_random_rotation(&random);
        const vec3 offset = vec3_scale(1000, geo_random_direction(&random));
        const geo_pose pose = geo_pose_make(q, offset);
        /* A box of B that is a point, at the corner of A's box up to the rounding of the pose. */
        const geo_box a = random_box(&random, 1000, 1);
        const geo_pose inverse = geo_pose_inverse(&pose);
        const vec3 p = geo_pose_apply(&inverse, a.hi);
        const geo_box b = {p, p};
        SCOPED_ARENA arena = {0};
        const geo_bvh bvh_a = build(&a, 1, 1, &arena), bvh_b = build(&b, 1, 1, &arena);
        uint8_t found = 0;
        pair_list list = {.a = &bvh_a, .b = &bvh_b, .found = &found};
        cr_assert(geo_bvh_pairs(&bvh_a, &bvh_b, &pose, note_pair, &list));
        cr_assert_eq(found, 1, "case %d", i);
    }
}

Test(bvh, self_pairs_come_once)
{
    const uint64_t seed = 56;
    base_random random = base_random_seed(seed);
    for (int kind = 0; kind < KINDS; kind++) {
        for (uint32_t leaf_size = 1; leaf_size <= 4; leaf_size *= 4) {
            enum { COUNT = 300 };
            SCOPED_FREE geo_box *const boxes = make_boxes(&random, COUNT, kind);
            SCOPED_ARENA arena = {0};
            const geo_bvh bvh = build(boxes, COUNT, leaf_size, &arena);
            pair_list list = {.a = &bvh, .b = &bvh, .found = base_alloc(COUNT * COUNT, 1)};
            cr_assert_not_null(list.found);
            cr_assert(geo_bvh_pairs(&bvh, &bvh, NULL, note_pair, &list));
            for (size_t i = 0; i < COUNT; i++) {
                for (size_t j = 0; j < i; j++) {
                    /* A leaf with itself gives both orders, two different leaves give one. */
                    const int n = list.found[i * COUNT + j], m = list.found[j * COUNT + i];
                    cr_assert(n <= 1 && m <= 1);
                    cr_assert(!geo_box_overlap(boxes[i], boxes[j]) || n + m > 0,
                              "kind %d: %zu, %zu lost", kind, i, j);
                    cr_assert(leaf_size > 1 || n + m <= 1, "kind %d: %zu, %zu twice", kind, i, j);
                }
                cr_assert_eq(list.found[i * COUNT + i], 1);
            }
            base_free(list.found);
        }
    }
}

Test(bvh, visitor_stops_the_traversal)
{
    base_random random = base_random_seed(57);
    SCOPED_FREE geo_box *const boxes = make_boxes(&random, 200, 0);
    SCOPED_ARENA arena = {0};
    const geo_bvh bvh = build(boxes, 200, 1, &arena);
    pair_list list = {.a = &bvh, .b = &bvh, .found = base_alloc(200 * 200, 1), .stop_after = 5};
    cr_assert_not_null(list.found);
    cr_assert_not(geo_bvh_pairs(&bvh, &bvh, NULL, note_pair, &list));
    cr_assert_eq(list.visits, 5);
    const geo_pose pose = geo_pose_identity();
    list.visits = 0;
    cr_assert_not(geo_bvh_pairs(&bvh, &bvh, &pose, note_pair, &list));
    cr_assert_eq(list.visits, 5);
    base_free(list.found);
}

/* --- Bounding cylinders ----------------------------------------------------------------------- */

/** Makes patches of a rough sphere, separate triangles, points, or coplanar triangles. */
static geo_triangle *make_triangles(base_random *random, size_t count, int kind)
{
    geo_triangle *const triangles = base_alloc(count, sizeof *triangles);
    cr_assert_not_null(triangles);
    for (size_t i = 0; i < count; i++) {
        const vec3 base = geo_random_direction(random);
        for (int k = 0; k < 3; k++) {
            const vec3 p = vec3_madd(base, 0.1, geo_random_direction(random));
            triangles[i].p[k] = kind == 0   ? vec3_normalize(p)
                                : kind == 1 ? vec3_scale(5, p)
                                : kind == 2 ? base
                                            : (vec3){p.x + 100, p.y, p.x};
        }
        const vec3 n = vec3_cross(vec3_sub(triangles[i].p[1], triangles[i].p[0]),
                                  vec3_sub(triangles[i].p[2], triangles[i].p[0]));
        if (kind == 0 && vec3_dot(n, base) < 0) { /* outward, as in a mesh */
            const vec3 swap = triangles[i].p[1];
            triangles[i].p[1] = triangles[i].p[2];
            triangles[i].p[2] = swap;
        }
    }
    return triangles;
}

typedef struct leaf_range {
    uint32_t begin, end;
} leaf_range;

typedef struct cylinder_census {
    const geo_bvh *bvh;
    const geo_triangle *sorted;
    const geo_cylinder_node *cylinders;
    double leaf_thickness, leaf_radius; /* sums over leaves */
} cylinder_census;

static void check_cylinder(const geo_cylinder_node *cylinders, int lane,
                           const geo_triangle *triangles, uint32_t count)
{
    const vec3 centre = {(double)cylinders->centre[0][lane], (double)cylinders->centre[1][lane],
                         (double)cylinders->centre[2][lane]};
    const vec3 normal = {(double)cylinders->normal[0][lane], (double)cylinders->normal[1][lane],
                         (double)cylinders->normal[2][lane]};
    const double n2 = vec3_norm2(normal);
    cr_assert(n2 <= 1 && n2 > 1 - 0x1p-20, "%.17g", n2);
    for (uint32_t i = 0; i < 3 * count; i++) {
        const vec3 e = vec3_sub(triangles[i / 3].p[i % 3], centre);
        const double along = fabs(vec3_dot(normal, e));
        const double away = vec3_norm(vec3_cross(normal, e)) / sqrt(n2);
        cr_assert(along <= (double)cylinders->thickness[lane] &&
                      away <= (double)cylinders->radius[lane],
                  "lane %d corner %u: %.17g %.17g", lane, i, along, away);
    }
}

static leaf_range check_cylinders(cylinder_census *c, uint32_t index)
{
    const geo_bvh_node *const node = &c->bvh->nodes[index];
    const geo_cylinder_node *const cylinders = &c->cylinders[index];
    leaf_range all = {UINT32_MAX, 0};
    for (int lane = 0; lane < GEO_BVH_WIDTH && geo_bvh_lane_used(node, lane); lane++) {
        const uint32_t first = node->first[lane], count = node->count[lane];
        const leaf_range here =
            count > 0 ? (leaf_range){first, first + count} : check_cylinders(c, first);
        check_cylinder(cylinders, lane, &c->sorted[here.begin], here.end - here.begin);
        if (count > 0) {
            c->leaf_thickness += (double)cylinders->thickness[lane];
            c->leaf_radius += (double)cylinders->radius[lane];
        }
        all.begin = here.begin < all.begin ? here.begin : all.begin;
        all.end = here.end > all.end ? here.end : all.end;
    }
    return all;
}

Test(bvh, cylinders_enclose_their_triangles)
{
    base_random random = base_random_seed(81);
    for (int i = 0; i < 40; i++) {
        const size_t count = (size_t[]){1, 5, 100, 3000}[i % 4];
        const int kind = i / 4 % 4;
        SCOPED_FREE geo_triangle *const triangles = make_triangles(&random, count, kind);
        SCOPED_FREE geo_triangle *const sorted = base_alloc(count, sizeof *sorted);
        SCOPED_FREE geo_box *const boxes = base_alloc(count, sizeof *boxes);
        cr_assert(sorted && boxes);
        for (size_t k = 0; k < count; k++) {
            boxes[k] = geo_box_of_triangle(triangles[k]);
        }
        SCOPED_ARENA arena = {0};
        geo_bvh bvh;
        geo_cylinder_node *cylinders;
        cr_assert_eq(geo_bvh_build(boxes, count, 4, &arena, &bvh, NULL), BASE_OK);
        for (size_t k = 0; k < count; k++) {
            sorted[k] = triangles[bvh.order[k]];
        }
        cr_assert_eq(geo_cylinders_build(&bvh, sorted, &arena, &cylinders, NULL), BASE_OK);
        cylinder_census c = {.bvh = &bvh, .sorted = sorted, .cylinders = cylinders};
        const leaf_range all = check_cylinders(&c, 0);
        cr_assert(all.begin == 0 && all.end == count, "%u to %u", all.begin, all.end);
        if (count == 3000 && kind == 0) { /* flat against the sphere */
            cr_assert_lt(c.leaf_thickness, 0.2 * c.leaf_radius, "%g %g", c.leaf_thickness,
                         c.leaf_radius);
        }
        if (kind == 3) { /* in a plane: only rounding, at coordinates of 100 */
            cr_assert_lt(c.leaf_thickness, 1e-4 * (double)count, "%g", c.leaf_thickness);
        }
    }
}

/* --- The ball nearest to a point -------------------------------------------------------------- */

/** Evaluates the definition, ball by ball. */
static uint32_t look_at_all(const vec3 *centres, const double *radii, size_t count, vec3 p,
                            double *gap)
{
    uint32_t best = 0;
    *gap = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const double g = vec3_distance(p, centres[i]) - radii[i];
        if (g < *gap) {
            *gap = g;
            best = i;
        }
    }
    return best;
}

/* On a lattice many balls are equally near, and points are in balls, on them and between them. */
Test(bvh, nearest_is_that_of_all_balls_with_any_hint)
{
    enum { SIDE = 8, BALLS = SIDE * SIDE * SIDE, POINTS = 4000 };
    vec3 centres[BALLS];
    double radii[BALLS];
    base_random random = base_random_seed(1);
    for (int i = 0; i < BALLS; i++) {
        centres[i] = (vec3){i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        radii[i] = 0.125 * (double)base_random_below(&random, 4);
    }
    SCOPED_ARENA arena = {0};
    geo_nearest nearest;
    assert_ok(geo_nearest_build(centres, radii, BALLS, &arena, &nearest, ERR));
    size_t inside = 0;
    for (int i = 0; i < POINTS; i++) {
        const vec3 p = {0.25 * (double)base_random_below(&random, 40) - 1,
                        0.25 * (double)base_random_below(&random, 40) - 1,
                        0.25 * (double)base_random_below(&random, 40) - 1};
        double expected_gap, gap, gap_hinted;
        const uint32_t expected = look_at_all(centres, radii, BALLS, p, &expected_gap);
        const uint32_t hint = (uint32_t)base_random_below(&random, BALLS);
        cr_assert_eq(geo_nearest_find(&nearest, p, GEO_NEAREST_NONE, &gap), expected, "%d", i);
        cr_assert_eq(geo_nearest_find(&nearest, p, hint, &gap_hinted), expected, "%d", i);
        cr_assert(gap == expected_gap && gap_hinted == expected_gap, "%d: %g", i, gap);
        inside += gap < 0;
    }
    for (uint32_t ball = 0; ball < BALLS; ball++) {
        double expected_gap = INFINITY, gap;
        uint32_t expected = GEO_NEAREST_NONE;
        for (uint32_t i = 0; i < BALLS; i++) {
            const double d = vec3_distance(centres[ball], centres[i]) - radii[i];
            if (i != ball && d < expected_gap) {
                expected_gap = d;
                expected = i;
            }
        }
        const uint32_t hint = (uint32_t)base_random_below(&random, BALLS);
        cr_assert_eq(geo_nearest_other(&nearest, ball, GEO_NEAREST_NONE, &gap), expected, "%u",
                     ball);
        cr_assert_eq(gap, expected_gap);
        cr_assert_eq(geo_nearest_other(&nearest, ball, hint, &gap), expected, "%u", ball);
    }
    cr_assert_gt(inside, 10);
}

Test(bvh, nearest_of_one_ball_there_is_no_other)
{
    const vec3 centre = {1, 2, 3};
    const double radius = 0.5;
    SCOPED_ARENA arena = {0};
    geo_nearest nearest;
    double gap;
    assert_ok(geo_nearest_build(&centre, &radius, 1, &arena, &nearest, ERR));
    cr_assert_eq(geo_nearest_other(&nearest, 0, GEO_NEAREST_NONE, &gap), GEO_NEAREST_NONE);
    cr_assert_eq(gap, INFINITY);
}
