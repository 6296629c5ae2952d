/** Tests of complete queries of the three contestants: answers known by hand, and properties that
 * all of them have. */
#include "algorithms/lpd/response.h"
#include "algorithms/tests/pair.h"

enum { ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE, LIST_MAX = 512 };

static const char *const entries[] = {"lpd", "lpd-exact", "lpd-refine"};
enum { ENTRIES = sizeof entries / sizeof *entries };

/** An answer with its lists. */
typedef struct listed {
    alg_answer answer;
    alg_contact contacts[LIST_MAX];
    alg_region regions[LIST_MAX];
} listed;

static void ask_lists(const pair *p, const geo_pose *pose, listed *l)
{
    l->answer = (alg_answer){.size = sizeof l->answer,
                             .contacts = l->contacts,
                             .regions = l->regions,
                             .contact_capacity = LIST_MAX,
                             .region_capacity = LIST_MAX};
    p->variant.algorithm->query(p->state, pose, &l->answer);
}

static uint64_t counter(const pair *p, const alg_answer *answer, const char *name)
{
    const char *const *const names = p->variant.algorithm->counters;
    size_t i = 0;
    while (strcmp(names[i], name) != 0) {
        i++;
    }
    return answer->counters[i];
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** A cube of edge 1 is 0.25 deep in the upper face of a cube of edge 2. */
Test(lpd, a_cube_in_a_face)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    const geo_pose pose = shape_shift(0.125, 0, 1.25);
    for (size_t i = 0; i < ENTRIES; i++) {
        SCOPED_PAIR p = pair_open(entries[i], &large, &small, ALL);
        listed l;
        ask_lists(&p, &pose, &l);
        const alg_answer *const a = &l.answer;
        cr_assert(a->colliding && a->outcome == ALG_CONVERGED, "%s", entries[i]);
        cr_assert_float_eq(a->depth_m, 0.25, 1e-12, "%s: %.17g", entries[i], a->depth_m);
        cr_assert_float_eq(a->direction.z, 1, 1e-12, "%s", entries[i]);
        /* Depth times the area of the section, applied at its middle. */
        cr_assert(vec3_distance(a->force, (vec3){0, 0, 0.25}) < 1e-12, "%s: (%g, %g, %g)",
                  entries[i], a->force.x, a->force.y, a->force.z);
        cr_assert(vec3_norm(a->torque) < 1e-12, "%s", entries[i]);
        cr_assert_eq(a->region_count, 1, "%s: %u regions", entries[i], a->region_count);
        const alg_region *const r = &l.regions[0];
        cr_assert(r->loop && fabs(r->area_m2 - 1) < 1e-12 && r->depth_m == a->depth_m, "%s",
                  entries[i]);
        cr_assert(vec3_distance(r->point, (vec3){0.125, 0, 1}) < 1e-12, "%s", entries[i]);
        /* Both axes of a square's box are equally good. A window that grows is larger by the
         * depth. */
        const double half = i == 0 ? 0.5 : 0.75;
        cr_assert(r->half_u_m > half - 1e-9 && r->half_u_m < half + 0.21 &&
                      fabs(r->half_v_m - r->half_u_m) < 1e-9,
                  "%s: %g x %g", entries[i], r->half_u_m, r->half_v_m);
        cr_assert_geq(a->contact_count, 4, "%s: %u contacts", entries[i], a->contact_count);
        for (uint32_t k = 0; k < a->contact_count; k++) {
            const alg_contact *const c = &l.contacts[k];
            cr_assert(fabs(c->point.z - 1) < 1e-12 && c->normal.z == a->direction.z &&
                          fabs(c->depth_m - 0.25) < 1e-12,
                      "%s: contact %u", entries[i], k);
        }
        cr_assert_eq(counter(&p, a, "curves_count"), 1, "%s", entries[i]);
        cr_assert_eq(counter(&p, a, "open_curves_count"), 0, "%s", entries[i]);
        cr_assert_eq(counter(&p, a, "segments_count"), a->contact_count, "%s", entries[i]);
    }
}

/** Without culling, the answer is the same, and each of the 24 triangles is drawn along both
 * directions. */
Test(lpd, culling_changes_no_answer)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    const geo_pose pose = shape_shift(0.125, 0, 1.25);
    pair culled = pair_open("lpd", &large, &small, ALL);
    SCOPED_PAIR all = pair_open("lpd:culling=off", &large, &small, ALL);
    listed l, m;
    ask_lists(&culled, &pose, &l);
    ask_lists(&all, &pose, &m);
    cr_expect(l.answer.depth_m == m.answer.depth_m);
    cr_expect(vec3_equal(l.answer.direction, m.answer.direction));
    cr_expect_eq(counter(&all, &m.answer, "primitive_tests_count"), 2 * 24);
    cr_expect_neq(counter(&culled, &l.answer, "primitive_tests_count"), 2 * 24);
    pair_close(&culled);
}

/** Swapping the bodies reverses the direction and the force. */
Test(lpd, bodies_may_be_swapped)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    const geo_pose there = shape_shift(0.125, 0, 1.25), back = shape_shift(-0.125, 0, -1.25);
    for (size_t i = 0; i < ENTRIES; i++) {
        pair p = pair_open(entries[i], &large, &small, ALL);
        SCOPED_PAIR q = pair_open(entries[i], &small, &large, ALL);
        const alg_answer a = pair_ask(&p, &there), b = pair_ask(&q, &back);
        cr_assert_float_eq(a.depth_m, b.depth_m, 1e-12, "%s", entries[i]);
        cr_assert(vec3_norm(vec3_add(a.direction, b.direction)) < 1e-12, "%s", entries[i]);
        cr_assert(vec3_norm(vec3_add(a.force, b.force)) < 1e-12, "%s", entries[i]);
        pair_close(&p);
    }
}

/** Opens a pair like pair_open, with meshes that are marked as solid or not regardless of their
 * shape. */
static pair open_surfaces(const char *name, const geo_mesh *a, const geo_mesh *b, bool solid_a)
{
    pair p = {
        .variant = pair_variant(name), .a = shape_body(a, solid_a), .b = shape_body(b, false)};
    pair_prepare(&p, &p.variant.settings);
    pair_bind(&p, ALL);
    return p;
}

/** Separate bodies, and surfaces of which one is inside of the other, have no intersection. */
Test(lpd, without_a_segment_there_is_nothing)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    const geo_pose poses[] = {shape_shift(3, 0, 0), shape_shift(0, 0, 0)};
    for (size_t i = 0; i < 2 * ENTRIES; i++) {
        SCOPED_PAIR p = open_surfaces(entries[i / 2], &large, &small, i % 2 == 0);
        for (size_t k = 0; k < 2; k++) {
            listed l;
            ask_lists(&p, &poses[k], &l);
            const alg_answer *const a = &l.answer;
            cr_assert(!a->colliding && a->depth_m == 0 && vec3_norm(a->direction) == 0 &&
                          vec3_norm(a->force) == 0 && a->region_count == 0 &&
                          a->contact_count == 0 && a->outcome == ALG_CONVERGED,
                      "%s, pose %zu", entries[i / 2], k);
        }
    }
}

/** A box of 0.4 x 0.6 x 0.8 in a cube of edge 2, and the cube around the box, also rotated and
 * moved together. */
Test(lpd, a_solid_inside_of_another_one)
{
    static const struct {
        vec3 at, direction;
        double depth;
    } cases[] = {
        {{0.5, 0.1, 0.1}, {1, 0, 0}, 0.7}, {{-0.5, 0.1, 0.1}, {-1, 0, 0}, 0.7},
        {{0.1, 0.6, 0.1}, {0, 1, 0}, 0.7}, {{0.1, -0.6, 0.2}, {0, -1, 0}, 0.7},
        {{0.1, 0.2, 0.5}, {0, 0, 1}, 0.9}, {{0.1, 0.2, -0.5}, {0, 0, -1}, 0.9},
    };
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH small = shape_box((vec3){-0.2, -0.3, -0.4}, (vec3){0.2, 0.3, 0.4});
    base_random random = base_random_seed(2);
    for (size_t i = 0; i < ENTRIES; i++) {
        pair p = pair_open(entries[i], &large, &small, ALL);
        SCOPED_PAIR q = pair_open(entries[i], &small, &large, ALL);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            const vec3 at = cases[k].at, direction = cases[k].direction;
            const double face = direction.x != 0 ? 0.48 : direction.y != 0 ? 0.32 : 0.24;
            const geo_pose pose = shape_shift(at.x, at.y, at.z);
            const geo_pose back = shape_shift(-at.x, -at.y, -at.z);
            listed l, m;
            ask_lists(&p, &pose, &l);
            ask_lists(&q, &back, &m);
            cr_assert(l.answer.colliding && l.answer.outcome == ALG_CONVERGED);
            cr_assert_float_eq(l.answer.depth_m, cases[k].depth, 1e-12, "%s, case %zu: %.17g",
                               entries[i], k, l.answer.depth_m);
            cr_assert(vec3_distance(l.answer.direction, direction) < 1e-12, "%s, case %zu",
                      entries[i], k);
            const vec3 push = vec3_scale(face * cases[k].depth, direction);
            cr_assert(vec3_distance(l.answer.force, push) < 1e-12, "%s, case %zu", entries[i], k);
            cr_assert(vec3_norm(l.answer.torque) < 1e-12, "%s, case %zu", entries[i], k);
            cr_assert(l.answer.region_count == 1 && l.answer.contact_count == 0);
            cr_assert(!l.regions->loop && vec3_distance(l.regions->point, at) < 1e-12 &&
                          fabs(4 * l.regions->half_u_m * l.regions->half_v_m - face) < 1e-12,
                      "%s, case %zu: %g x %g", entries[i], k, l.regions->half_u_m,
                      l.regions->half_v_m);
            cr_assert_float_eq(m.answer.depth_m, cases[k].depth, 1e-12);
            cr_assert(vec3_norm(vec3_add(l.answer.direction, m.answer.direction)) < 1e-12 &&
                      vec3_norm(vec3_add(l.answer.force, m.answer.force)) < 1e-12);
            /* The force acts at the centre of the box, away from the cube's centroid. */
            const vec3 torque = vec3_cross(at, m.answer.force);
            cr_assert(vec3_distance(m.answer.torque, torque) < 1e-12, "%s, case %zu", entries[i],
                      k);
        }
        /* A rotated box has its way out along its own axes: moved by it, the bodies are apart. */
        for (int round = 0; round < 20; round++) {
            geo_pose pose = shape_pose(&random, 0.2);
            alg_answer a = pair_ask(&p, &pose);
            cr_assert(a.colliding && a.depth_m > 0.5, "%s, round %d: %g", entries[i], round,
                      a.depth_m);
            const vec3 start = pose.translation;
            pose.translation = vec3_madd(start, a.depth_m + 1e-9, a.direction);
            cr_assert(!pair_ask(&p, &pose).colliding, "%s, round %d: still inside", entries[i],
                      round);
            pose.translation = vec3_madd(start, a.depth_m - 1e-9, a.direction);
            cr_assert(pair_ask(&p, &pose).colliding, "%s, round %d: too far", entries[i], round);
        }
        pair_close(&p);
    }
}

/** If only contact is requested, nothing else is computed or claimed. */
Test(lpd, contact_alone)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1), small = shape_cube((vec3){0, 0, 0}, 0.5);
    const geo_pose pose = shape_shift(0.125, 0, 1.25), touching = shape_shift(1.5, 1.5, 1.5);
    for (size_t i = 0; i < ENTRIES; i++) {
        SCOPED_PAIR p = pair_open(entries[i], &large, &small, ALG_WANT_CONTACT);
        const alg_answer a = pair_ask(&p, &pose), b = pair_ask(&p, &touching);
        cr_assert(a.answered == ALG_HAS_CONTACT && a.colliding && b.colliding, "%s", entries[i]);
        cr_assert_eq(counter(&p, &a, "curves_count"), 0, "%s", entries[i]);
        cr_assert_eq(counter(&p, &b, "segments_count"), 0, "%s: corner to corner", entries[i]);
    }
}

/** Two regions: the deeper one is the answer, and both contribute to the force. */
Test(lpd, the_deepest_region_is_the_answer)
{
    SCOPED_MESH plate = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH legs =
        shape_join(shape_cube((vec3){-0.6, 0, 0}, 0.25), shape_cube((vec3){0.6, 0, -0.0625}, 0.25));
    const geo_pose pose = shape_shift(0, 0, 1.125);
    static const char *const names[] = {"lpd:closing=on,merge-factor=0", "lpd-exact:merge-factor=0",
                                        "lpd-refine:merge-factor=0"};
    for (size_t i = 0; i < ENTRIES; i++) {
        SCOPED_PAIR p = pair_open(names[i], &plate, &legs, ALL);
        listed l;
        ask_lists(&p, &pose, &l);
        cr_assert_eq(l.answer.region_count, 2, "%s: %u", names[i], l.answer.region_count);
        cr_assert_float_eq(l.regions[0].depth_m + l.regions[1].depth_m, 0.125 + 0.1875, 1e-12, "%s",
                           names[i]);
        cr_assert_float_eq(l.answer.depth_m, 0.1875, 1e-12, "%s", names[i]);
        cr_assert(vec3_distance(l.answer.force, (vec3){0, 0, 0.25 * (0.125 + 0.1875)}) < 1e-12,
                  "%s: %g", names[i], l.answer.force.z);
    }
}

/** Legs that are nearer to each other than the merging distance become one region. */
Test(lpd, near_curves_are_one_region)
{
    SCOPED_MESH plate = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH legs =
        shape_join(shape_cube((vec3){-0.6, 0, 0}, 0.25), shape_cube((vec3){0.6, 0, 0}, 0.25));
    const geo_pose pose = shape_shift(0, 0, 1.125);
    /* Their boxes are at least 0.2 apart; the mean edge of the models is 1.4 long. */
    static const struct {
        const char *name;
        uint32_t regions;
    } cases[] = {
        {"lpd:closing=on,merge-factor=0", 2},
        {"lpd:closing=on,merge-factor=10", 1},
        {"lpd:closing=on,merge=models", 1},
        {"lpd:closing=on,merge=models,merge-factor=0.05", 2},
        {"lpd:closing=on,merge=models,merge-factor=0.2", 1},
        {"lpd:closing=on,merge-factor=0.2", 2},
        {"lpd-exact:merge=models", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_PAIR p = pair_open(cases[i].name, &plate, &legs, ALL);
        const alg_answer a = pair_ask(&p, &pose);
        if (i > 0) {
            cr_assert_eq(a.region_count, cases[i].regions, "%s: %u", cases[i].name, a.region_count);
        }
        cr_assert_eq(counter(&p, &a, "curves_count"), 2, "%s", cases[i].name);
        cr_assert_float_eq(a.depth_m, 0.125, 1e-12, "%s: %g", cases[i].name, a.depth_m);
    }
}

/* --- Coherence of frames ---------------------------------------------------------------------- */

/** A ball keeps its direction after a small motion, and has a new one after a jump or a reset. */
Test(lpd, coherent_directions)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 6);
    const geo_pose first = shape_shift(1.8, 0, 0), next = shape_shift(1.8, 0.09, 0);
    const geo_pose jump = shape_shift(0, 1.8, 0);
    static const char *const names[][2] = {
        {"lpd", "lpd:coherence=last"},
        {"lpd-exact", "lpd-exact:coherence=last"},
    };
    for (size_t i = 0; i < 2; i++) {
        pair p = pair_open(names[i][0], &ball, &ball, ALL);
        SCOPED_PAIR q = pair_open(names[i][1], &ball, &ball, ALL);
        const alg_answer p1 = pair_ask(&p, &first), p2 = pair_ask(&p, &next);
        const alg_answer q1 = pair_ask(&q, &first), q2 = pair_ask(&q, &next);
        cr_assert(vec3_equal(p1.direction, q1.direction), "%s", names[i][1]);
        cr_assert(!vec3_equal(p2.direction, p1.direction), "%s", names[i][0]);
        cr_assert(vec3_equal(q2.direction, q1.direction), "%s: it keeps its direction",
                  names[i][1]);
        cr_assert(q2.depth_m <= (1 + ALG_LPD_KEEPS) * p2.depth_m, "%s: %g, not %g", names[i][1],
                  q2.depth_m, p2.depth_m);
        const alg_answer p3 = pair_ask(&p, &jump), q3 = pair_ask(&q, &jump);
        cr_assert(vec3_equal(p3.direction, q3.direction) && p3.depth_m == q3.depth_m, "%s: a jump",
                  names[i][1]);
        pair_ask(&q, &first);
        q.variant.algorithm->reset(q.state);
        const alg_answer q4 = pair_ask(&q, &next);
        cr_assert(vec3_equal(p2.direction, q4.direction), "%s: a reset", names[i][1]);
        pair_close(&p);
    }
}

/** The window belongs to the kept direction: its sides are perpendicular to it. */
Test(lpd, coherent_directions_have_boxes_of_their_own)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 6);
    const geo_pose first = shape_shift(1.8, 0, 0), next = shape_shift(1.8, 0.09, 0);
    static const char *const names[] = {"lpd:coherence=last", "lpd-exact:coherence=last",
                                        "lpd-refine:coherence=last"};
    for (size_t i = 0; i < 3; i++) {
        SCOPED_PAIR p = pair_open(names[i], &ball, &ball, ALL);
        listed l;
        ask_lists(&p, &first, &l);
        const vec3 direction = l.answer.direction;
        ask_lists(&p, &next, &l);
        const alg_region *const r = &l.regions[0];
        cr_assert(vec3_equal(r->direction, direction), "%s: it keeps its direction", names[i]);
        cr_assert(fabs(vec3_dot(r->side_u, direction)) < 1e-12 &&
                      fabs(vec3_dot(r->side_v, direction)) < 1e-12,
                  "%s: %g, %g", names[i], vec3_dot(r->side_u, direction),
                  vec3_dot(r->side_v, direction));
    }
}

/* --- Several regions -------------------------------------------------------------------------- */

/** Two cubes, one in a floor and one in a wall: one translation leaves both. Two opposite walls
 * have no such translation. */
Test(lpd, out_of_all_regions_at_once)
{
    SCOPED_MESH corner = shape_join(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}),
                                    shape_box((vec3){-5, -1, 2}, (vec3){-3.5, 1, 4}));
    SCOPED_MESH cubes =
        shape_join(shape_cube((vec3){0, 0, 0.5}, 0.5), shape_cube((vec3){-3, 0, 3}, 0.5));
    SCOPED_MESH walls = shape_join(shape_box((vec3){-5, -1, 2}, (vec3){-3.5, 1, 4}),
                                   shape_box((vec3){0.3125, -1, -1}, (vec3){2, 1, 2}));
    static const char *const names[][2] = {
        {"lpd:closing=on,merge-factor=0", "lpd:closing=on,merge-factor=0,regions=all"},
        {"lpd-exact:merge-factor=0", "lpd-exact:merge-factor=0,regions=all"},
        {"lpd-refine:merge-factor=0", "lpd-refine:merge-factor=0,regions=all"},
    };
    const geo_pose pose = shape_shift(-0.125, 0, -0.25);
    for (size_t i = 0; i < ENTRIES; i++) {
        pair p = pair_open(names[i][0], &corner, &cubes, ALL);
        SCOPED_PAIR q = pair_open(names[i][1], &corner, &cubes, ALL);
        const alg_answer one = pair_ask(&p, &pose), all = pair_ask(&q, &pose);
        /* 0.25 up and 0.125 to the right. */
        cr_assert(one.region_count == 2 && fabs(one.depth_m - 0.25) < 1e-12, "%s: %g", names[i][0],
                  one.depth_m);
        cr_assert(vec3_distance(vec3_scale(all.depth_m, all.direction), (vec3){0.125, 0, 0.25}) <
                      1e-12,
                  "%s: %g", names[i][1], all.depth_m);
        cr_assert(all.outcome == ALG_CONVERGED && vec3_equal(all.force, one.force));
        pair_close(&p);
        pair_close(&q);
        p = pair_open(names[i][0], &walls, &cubes, ALL);
        q = pair_open(names[i][1], &walls, &cubes, ALL);
        const alg_answer deepest = pair_ask(&p, &pose), opposed = pair_ask(&q, &pose);
        cr_assert(deepest.outcome == ALG_CONVERGED && opposed.outcome == ALG_DEGENERATE,
                  "%s: %u regions, %g along (%g, %g, %g)", names[i][1], opposed.region_count,
                  opposed.depth_m, opposed.direction.x, opposed.direction.y, opposed.direction.z);
        cr_assert(opposed.region_count == 2 && opposed.depth_m == deepest.depth_m &&
                      vec3_equal(opposed.direction, deepest.direction),
                  "%s: %g", names[i][1], opposed.depth_m);
        pair_close(&p);
    }
}

/* --- Forces ----------------------------------------------------------------------------------- */

/** Faces of meshes that are not solids may look inwards, so the way out determines the sign of the
 * force. */
Test(lpd, surfaces_are_pushed_along_the_way_out)
{
    SCOPED_MESH large = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH out = shape_cube((vec3){0, 0, 0}, 0.5);
    SCOPED_MESH in = shape_reverse(shape_cube((vec3){0, 0, 0}, 0.5));
    const geo_pose pose = shape_shift(0.125, 0, 1.25);
    for (size_t i = 0; i < ENTRIES; i++) {
        for (int reversed = 0; reversed < 2; reversed++) {
            SCOPED_PAIR p = open_surfaces(entries[i], &large, reversed ? &in : &out, reversed);
            const alg_answer a = pair_ask(&p, &pose);
            if (a.direction.z > 0.5) {
                cr_assert(vec3_distance(a.force, (vec3){0, 0, 0.25}) < 1e-12, "%s: %g", entries[i],
                          a.force.z);
                cr_assert(vec3_norm(a.torque) < 0.2);
            } else {
                cr_assert(vec3_dot(a.force, a.direction) > 0, "%s: %g", entries[i], a.force.z);
            }
        }
    }
}

/** Vector area and direction of the depth differ for a rotated box in a face, whose edges end at
 * different heights. */
Test(lpd, forces_follow_the_area_or_the_depth)
{
    SCOPED_MESH plate = shape_box((vec3){-3, -3, -1}, (vec3){3, 3, 0});
    SCOPED_MESH bar = shape_box((vec3){-0.4, -0.6, -0.3}, (vec3){0.4, 0.6, 0.3});
    const geo_pose pose =
        geo_pose_make(geo_quat_normalize((geo_quat){0.2, 0.3, 0.1, 1}), (vec3){0.1, 0.2, 0.3});
    static const char *const names[][2] = {
        {"lpd", "lpd:force=depth"},
        {"lpd-exact", "lpd-exact:force=depth"},
        {"lpd-refine", "lpd-refine:force=depth"},
    };
    for (size_t i = 0; i < ENTRIES; i++) {
        pair p = pair_open(names[i][0], &plate, &bar, ALL);
        SCOPED_PAIR q = pair_open(names[i][1], &plate, &bar, ALL);
        const alg_answer a = pair_ask(&p, &pose), d = pair_ask(&q, &pose);
        cr_assert(a.depth_m > 0 && a.depth_m == d.depth_m && vec3_equal(a.direction, d.direction));
        cr_assert(vec3_norm(vec3_cross(vec3_normalize(a.force), (vec3){0, 0, 1})) < 1e-12, "%s",
                  names[i][0]);
        cr_assert(vec3_norm(vec3_cross(vec3_normalize(d.force), d.direction)) < 1e-12, "%s",
                  names[i][1]);
        pair_close(&p);
    }
}

/** With dropped segments and moved ends, answers change a little, and are reproducible. */
Test(lpd, worse_segments_are_a_test)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 12);
    const geo_pose pose = shape_shift(1.7, 0.1, 0.2);
    pair p = pair_open("lpd:ends-equal=off", &ball, &ball, ALL);
    pair q = pair_open("lpd:drop=0.05,ends-equal=off,move=0.0001", &ball, &ball, ALL);
    pair s = pair_open("lpd:drop=0.05,ends-equal=off,move=0.0001", &ball, &ball, ALL);
    SCOPED_PAIR e = pair_open("lpd", &ball, &ball, ALL);
    const alg_answer a = pair_ask(&p, &pose), b = pair_ask(&q, &pose), again = pair_ask(&s, &pose);
    const alg_answer equal = pair_ask(&e, &pose);
    const uint64_t full = counter(&p, &a, "segments_count"),
                   less = counter(&q, &b, "segments_count");
    cr_assert(less < full && less > full * 8 / 10, "%lu of %lu", less, full);
    cr_assert(counter(&p, &a, "tests_count") >= full - 1 &&
              counter(&e, &equal, "tests_count") == 0);
    cr_assert(a.depth_m == equal.depth_m && vec3_equal(a.force, equal.force), "the same curves");
    cr_assert(b.depth_m != a.depth_m && fabs(b.depth_m - a.depth_m) < 0.02, "%g, %g", b.depth_m,
              a.depth_m);
    cr_assert(vec3_dot(vec3_normalize(a.force), vec3_normalize(b.force)) > 0.99);
    cr_assert(b.depth_m == again.depth_m && vec3_equal(b.force, again.force));
    s.variant.settings.seed = 2;
    s.variant.algorithm->release(s.state);
    pair_bind(&s, ALL);
    cr_assert(!vec3_equal(b.force, pair_ask(&s, &pose).force), "another seed");
    pair_close(&p);
    pair_close(&q);
    pair_close(&s);
}

/* --- Limits ----------------------------------------------------------------------------------- */

/** Makes triangles in a row along an axis, each in a plane across the axis or along it. */
static geo_mesh fence(uint32_t count, bool along_x)
{
    geo_mesh_builder mesh = shape_new(3 * count, count);
    for (uint32_t i = 0; i < count; i++) {
        const double at = i;
        const vec3 corner[3] = {
            along_x ? vec3_make(-1, at, 0) : vec3_make(at, -1, -1),
            along_x ? vec3_make(count, at, 0.25) : vec3_make(at, 3.0 * count, -1),
            along_x ? vec3_make(-1, at + 0.25, 0) : vec3_make(at, -1, 3.0 * count),
        };
        for (uint32_t k = 0; k < 3; k++) {
            mesh.vertices[3 * i + k] = corner[k];
            mesh.faces[i].v[k] = 3 * i + k;
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

/** Segments beyond the limit are left out, and so are regions. Each case has its own outcome. */
Test(lpd, too_many_of_all)
{
    static const struct {
        uint32_t count, segments;
        alg_outcome outcome;
    } cases[] = {
        {10, 100, ALG_CONVERGED},
        {20, 400, ALG_DEGENERATE},
        {300, 65536, ALG_BUDGET_REACHED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_MESH rows = fence(cases[i].count, true), columns = fence(cases[i].count, false);
        SCOPED_PAIR p =
            pair_open("lpd:merge-factor=0,chain=adjacency,pixels=8", &rows, &columns, ALL);
        const geo_pose stay = shape_shift(0, 0, 0);
        const alg_answer a = pair_ask(&p, &stay);
        cr_assert_eq(counter(&p, &a, "segments_count"), cases[i].segments, "%u: %llu",
                     cases[i].count, (unsigned long long)counter(&p, &a, "segments_count"));
        cr_assert_eq(a.outcome, cases[i].outcome, "%u: %d", cases[i].count, a.outcome);
        cr_assert_leq(a.region_count, 256, "%u", cases[i].count);
        cr_assert(isfinite(a.depth_m) && a.depth_m >= 0, "%u", cases[i].count);
    }
}
