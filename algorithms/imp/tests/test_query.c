/** Tests answers from pairs of voxels: known values, and sums over all pairs. */
#include "algorithms/imp/query.h"

#include "algorithms/imp/tests/bodies.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <math.h>
#include <stdio.h>

enum { PUSH = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE, CONTACTS = 4096 };

static const double ROOT3 = 1.7320508075688772;

/** Runs one query; lists contacts up to `room`. */
static alg_answer ask(const voxel_body *a, const voxel_body *b, const geo_pose *pose,
                      unsigned wanted, alg_imp_search_options options, alg_contact *contacts,
                      uint32_t room)
{
    base_arena arena = {0};
    alg_imp_pair pair = alg_imp_pair_of(&a->body, &b->body);
    alg_imp_search *search;
    assert_ok(alg_imp_search_create(&pair, &options, &arena, &search, ERR));
    const alg_imp_question question = {&pair, search, pose, wanted, NULL};
    alg_answer answer = {.size = sizeof answer, .contacts = contacts, .contact_capacity = room};
    alg_imp_answer_contacts(&question, &answer);
    alg_imp_search_end(search);
    base_arena_release(&arena);
    return answer;
}

static bool near(vec3 a, vec3 b)
{
    return vec3_distance(a, b) < 1e-6;
}

static void set_normal(voxel_body *s, uint32_t voxel, float x, float y, float z)
{
    float *const n = s->body.voxels[voxel].normal;
    n[0] = x;
    n[1] = y;
    n[2] = z;
}

/**
 * Makes one voxel for each body. A's voxel, of edge 1, begins at (1, -2, 0.5); B's voxel, of edge
 * 0.5, begins at the same point of its own frame.
 */
static void make_two_voxels(voxel_body *a, voxel_body *b)
{
    SCOPED_SET set = make_set(1, 1, 1);
    set_voxel(&set.surface, 0, 0, 0);
    make_body(a, &set, false, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
    make_body(b, &set, false, 0.5, ALG_IMP_8, ALG_IMP_PATTERNS);
    set_normal(a, 0, 0, 1, 0);
    set_normal(b, 0, 1, 0, 0);
}

/* --- Known values ----------------------------------------------------------------------------- */

/**
 * The centres are 0.75 m apart: the depth is 0.75 sqrt(3) - 0.75, and the point is at two thirds of
 * the distance.
 */
Test(imp_query, one_pair_by_hand)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    b.body.centroid = (vec3){1, -2, 0.5}; /* moves to (1.25, -1, 0.75) */
    geo_pose pose = geo_pose_identity();
    pose.translation =
        (vec3){0.25, 1, 0.25}; /* B's centre moves to (1.5, -0.75, 1); A's is (1.5, -1.5, 1) */
    alg_contact contact;
    const alg_answer x = ask(&a, &b, &pose, PUSH, (alg_imp_search_options){0}, &contact, 1);
    const double depth = 0.75 * ROOT3 - 0.75;
    cr_assert_eq(x.answered, ALG_HAS_CONTACT | ALG_HAS_CONTACTS | ALG_HAS_DEPTH | ALG_HAS_FORCE);
    cr_assert(x.outcome == ALG_CONVERGED && x.colliding && x.contact_count == 1);
    cr_assert_float_eq(x.depth_m, depth, 1e-6);
    cr_assert(near(x.direction, (vec3){0, 1, 0}) && near(x.force, (vec3){0, depth, 0}));
    cr_assert(near(contact.point, (vec3){1.5, -1, 1}), "%g %g %g", contact.point.x, contact.point.y,
              contact.point.z);
    cr_assert(near(contact.normal, (vec3){0, 1, 0}));
    cr_assert_float_eq(contact.depth_m, depth, 1e-6);
    /* (0.25, 0, 0.25) x (0, d, 0) */
    cr_assert(near(x.torque, (vec3){-0.25 * depth, 0, 0.25 * depth}), "%g %g %g", x.torque.x,
              x.torque.y, x.torque.z);
    cr_assert_eq(x.counters[ALG_IMP_COUNT_CONTACTS], 1);
}

/**
 * Tests pairs without a normal of A's: the direction is against B's normal, which rotates with B.
 * If B's normal is also missing, there is no direction.
 */
Test(imp_query, the_normal_of_b_stands_in)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    set_normal(&a, 0, 0, 0, 0);
    /* A quarter turn about z: B's x axis becomes A's y axis, and its centre (1.25, -1.75, 0.75)
     * moves to (1.75, 1.25, 0.75). */
    const geo_pose pose = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {-0.25, -2.75, 0.25}};
    for (int k = 0; k < 2; k++) {
        alg_contact contact;
        const alg_answer x = ask(&a, &b, &pose, PUSH, (alg_imp_search_options){0}, &contact, 1);
        const double depth = k == 0 ? 0.75 * ROOT3 : 0;
        cr_assert(x.colliding && x.contact_count == 1);
        cr_assert_float_eq(contact.depth_m, 0.75 * ROOT3, 1e-6, "centres are in one place");
        cr_assert(near(contact.point, (vec3){1.5, -1.5, 1}));
        cr_assert_float_eq(x.depth_m, depth, 1e-6, "%d: %g", k, x.depth_m);
        cr_assert(near(x.direction, (vec3){0, k == 0 ? -1 : 0, 0}));
        cr_assert(near(contact.normal, x.direction));
        cr_assert(near(x.force, (vec3){0, -depth, 0}));
        set_normal(&b, 0, 0, 0, 0);
    }
}

Test(imp_query, far_bodies_are_apart)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    static const double far[] = {2, 1e6, 1e300, INFINITY, NAN};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        geo_pose pose = geo_pose_identity();
        pose.translation.z = far[i];
        const alg_answer x = ask(&a, &b, &pose, PUSH, (alg_imp_search_options){0}, NULL, 0);
        cr_assert(x.outcome == ALG_CONVERGED && !x.colliding && x.contact_count == 0, "%g", far[i]);
        cr_assert(x.depth_m == 0 && vec3_norm(x.direction) == 0 && vec3_norm(x.force) == 0 &&
                      vec3_norm(x.torque) == 0,
                  "%g", far[i]);
    }
}

/**
 * Tests two voxels of A that are equally near to B's voxel. The one with the lower cell, first by
 * z, then y, gives the direction, though it has the higher number and is found later.
 */
Test(imp_query, equally_deep_pairs_have_an_order)
{
    for (int order = 0; order < 3; order++) {
        SCOPED_SET two = make_set(4, 2, 1), one = make_set(1, 1, 1);
        set_voxel(&two.surface, 3, 0, 0);
        set_voxel(&two.surface, 0, 1, 0);
        set_voxel(&one.surface, 0, 0, 0);
        SCOPED_BODY a, b;
        make_body(&a, &two, false, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
        make_body(&b, &one, false, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
        cr_assert_eq(a.cells[1].at[0], 3, "numbers are in Morton order");
        set_normal(&a, 0, 0, 1, 0);
        set_normal(&a, 1, 1, 0, 0);
        const geo_pose pose = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1.5, 0.5, 0}};
        const alg_imp_search_options options = {.order = (alg_imp_order)order, .threads = 2};
        const alg_answer x = ask(&a, &b, &pose, PUSH, options, NULL, 0);
        cr_assert(x.contact_count == 2 && near(x.direction, (vec3){1, 0, 0}), "order %d: %g %g",
                  order, x.direction.x, x.direction.y);
    }
}

/* --- Wanted quantities ------------------------------------------------------------------------ */

Test(imp_query, only_wanted_quantities_are_answered)
{
    static const struct {
        unsigned wanted;
        uint32_t room;
        uint32_t answered;
    } rows[] = {
        {ALG_WANT_CONTACT, 0, ALG_HAS_CONTACT},
        {ALG_WANT_CONTACT, 8, ALG_HAS_CONTACT | ALG_HAS_CONTACTS},
        {ALG_WANT_DEPTH, 0, ALG_HAS_DEPTH | ALG_HAS_CONTACTS},
        {ALG_WANT_FORCE, 0, ALG_HAS_FORCE | ALG_HAS_CONTACTS},
        {ALG_WANT_FORCE | ALG_WANT_CONTACT, 8, ALG_HAS_FORCE | ALG_HAS_CONTACT | ALG_HAS_CONTACTS},
    };
    SCOPED_BODY a, b;
    SCOPED_SET set = ball_set(8, 8, 8, 0, 1);
    make_body(&a, &set, true, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
    make_body(&b, &set, true, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
    set_normal(&a, 0, 0, 1, 0);
    const geo_pose pose = geo_pose_identity();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alg_contact contacts[8];
        const bool first = rows[i].wanted == ALG_WANT_CONTACT && rows[i].room == 0;
        const alg_imp_search_options options = {.first = first};
        const alg_answer x = ask(&a, &b, &pose, rows[i].wanted, options, contacts, rows[i].room);
        cr_assert_eq(x.answered, rows[i].answered, "row %zu: %u", i, (unsigned)x.answered);
        cr_assert(x.colliding && x.outcome == ALG_CONVERGED, "row %zu", i);
        cr_assert_eq(x.counters[ALG_IMP_COUNT_CONTACTS] == 1, first, "row %zu", i);
    }
}

/* --- Comparison with sums over all pairs ------------------------------------------------------ */

/** The expected values of one pair, in metres, computed in double from the cells. */
typedef struct expected {
    double depth;
    vec3 point, normal;
} expected;

static expected expect(const voxel_body *a, const voxel_body *b, const geo_pose *pose,
                       const alg_imp_hit *hit)
{
    const alg_voxel_grid *const ga = &a->body.grid, *const gb = &b->body.grid;
    const vec3 ca = alg_voxel_middle(ga, hit->cell_a[0], hit->cell_a[1], hit->cell_a[2]);
    const vec3 cb =
        geo_pose_apply(pose, alg_voxel_middle(gb, hit->cell_b[0], hit->cell_b[1], hit->cell_b[2]));
    const double ra = 0.5 * ROOT3 * ga->edge, rb = 0.5 * ROOT3 * gb->edge;
    expected e = {.depth = fmax(0, ra + rb - vec3_distance(ca, cb)),
                  .point = vec3_madd(ca, ra / (ra + rb), vec3_sub(cb, ca))};
    if (hit->a != ALG_IMP_FULL) {
        const float *const n = a->body.voxels[hit->a].normal;
        e.normal = (vec3){(double)n[0], (double)n[1], (double)n[2]};
    } else if (hit->b != ALG_IMP_FULL) {
        const float *const n = b->body.voxels[hit->b].normal;
        e.normal =
            vec3_scale(-1, geo_pose_rotate(pose, (vec3){(double)n[0], (double)n[1], (double)n[2]}));
    }
    return e;
}

static void set_normals(voxel_body *s, base_random *random)
{
    for (uint32_t i = 0; i < s->body.tree.voxel_count; i++) {
        const vec3 n = geo_random_direction(random);
        set_normal(s, i, (float)n.x, (float)n.y, (float)n.z);
    }
}

static void check_sums(const char *name, const voxel_body *a, const voxel_body *b,
                       const geo_pose *pose, alg_imp_search_options options)
{
    static alg_contact contacts[CONTACTS];
    alg_imp_pair pair = alg_imp_pair_of(&a->body, &b->body);
    cr_assert(alg_imp_pair_place(&pair, pose));
    SCOPED_HITS all = all_pairs(&pair, a, b);
    const alg_answer x = ask(a, b, pose, PUSH, options, contacts, CONTACTS);
    const vec3 centroid = geo_pose_apply(pose, b->body.centroid);
    vec3 force = {0, 0, 0}, torque = {0, 0, 0}, points = {0, 0, 0};
    double deepest = 0, depths = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const expected e = expect(a, b, pose, &all.items[i]);
        const vec3 f = vec3_scale(e.depth, e.normal);
        force = vec3_add(force, f);
        torque = vec3_add(torque, vec3_cross(vec3_sub(e.point, centroid), f));
        points = vec3_add(points, e.point);
        depths += e.depth;
        deepest = fmax(deepest, vec3_norm(e.normal) > 0 ? e.depth : 0);
    }
    cr_assert(x.contact_count == all.count && all.count > 25 && all.count < CONTACTS, "%s: %u",
              name, x.contact_count);
    cr_assert_float_eq(x.depth_m, deepest, 1e-5, "%s: %g, not %g", name, x.depth_m, deepest);
    cr_assert_float_eq(vec3_norm(x.direction), 1, 1e-12);
    cr_assert_lt(vec3_distance(x.force, force), 1e-5 * depths, "%s", name);
    cr_assert_lt(vec3_distance(x.torque, torque), 1e-4 * depths, "%s", name);
    for (uint32_t i = 0; i < x.contact_count; i++) {
        points = vec3_sub(points, contacts[i].point);
        depths -= contacts[i].depth_m;
    }
    cr_assert(vec3_norm(points) < 1e-5 * all.count && fabs(depths) < 1e-5 * all.count, "%s: %g, %g",
              name, vec3_norm(points), depths);
}

Test(imp_query, sums_over_all_pairs)
{
    voxel_set sets[2] = {ball_set(10, 9, 8, 0.1, 1), ball_set(7, 8, 9, 0.1, 2)};
    for (int k = 0; k < 9; k += (int)sweep_step(4)) {
        for (int full = 0; full < 2; full++) {
            char name[64];
            snprintf(name, sizeof name, "children %d, spheres %d, full %d", k / 3, k % 3, full);
            base_random random = base_random_seed((uint64_t)k);
            SCOPED_BODY a, b;
            make_body(&a, &sets[0], full, 0.5, (alg_imp_children)(k / 3), (alg_imp_spheres)(k % 3));
            make_body(&b, &sets[1], full, 0.4, (alg_imp_children)(k / 3), (alg_imp_spheres)(k % 3));
            set_normals(&a, &random);
            set_normals(&b, &random);
            a.body.centroid = (vec3){3, 0, 2};
            b.body.centroid = (vec3){2, -1, 2};
            const geo_quat q = geo_random_rotation(&random);
            geo_pose pose = geo_pose_make(q, (vec3){0, 0, 0});
            const vec3 middle_a = {1 + 2.5, -2 + 2.25, 0.5 + 2},
                       middle_b = {1 + 1.4, -2 + 1.6, 0.5 + 1.8};
            pose.translation = vec3_madd(vec3_sub(middle_a, geo_pose_rotate(&pose, middle_b)), 1.9,
                                         geo_random_direction(&random));
            for (int order = 0; order < 3; order++) {
                check_sums(name, &a, &b, &pose,
                           (alg_imp_search_options){.order = (alg_imp_order)order, .threads = 2});
            }
        }
    }
    release_set(&sets[0]);
    release_set(&sets[1]);
}

/**
 * Makes two bodies of one node each. A's node has two voxels around (4, -1, 1.5), with a ball of
 * sqrt(3) m; B's is the same, except for the edge of its voxels.
 */
static void make_two_nodes(voxel_body *a, voxel_body *b, double edge_b)
{
    SCOPED_SET set = make_set(4, 2, 2);
    set_voxel(&set.surface, 3, 0, 0);
    set_voxel(&set.surface, 2, 1, 1);
    make_body(a, &set, false, 1, ALG_IMP_8, ALG_IMP_CUBES);
    make_body(b, &set, false, edge_b, ALG_IMP_8, ALG_IMP_CUBES);
    set_normal(a, 0, 0, 0, 1); /* in Morton order (3, 0, 0) precedes (2, 1, 1) */
    set_normal(a, 1, 1, 0, 0);
}

/**
 * Tests a level stop: the balls are those of nodes, and the normals are those of their first
 * voxels.
 */
Test(imp_query, nodes_push_where_a_level_stops)
{
    SCOPED_BODY a, b;
    make_two_nodes(&a, &b, 1);
    geo_pose pose = geo_pose_identity();
    pose.translation.z = 2;
    alg_contact contact;
    const alg_imp_search_options options = {.level = 1};
    const alg_answer x = ask(&a, &b, &pose, PUSH, options, &contact, 1);
    /* Each body has one node with voxels, with a ball of sqrt(3) m: A's around (4, -1, 1.5), B's 2
     * m above it. */
    const double depth = 2 * ROOT3 - 2;
    cr_assert(x.outcome == ALG_BUDGET_REACHED && x.contact_count == 1);
    cr_assert_float_eq(x.depth_m, depth, 1e-3, "%g", x.depth_m);
    cr_assert(near(x.direction, (vec3){0, 0, 1}), "%g %g", x.direction.x, x.direction.z);
    cr_assert(near(contact.point, (vec3){4, -1, 2.5}), "%g %g %g", contact.point.x, contact.point.y,
              contact.point.z);
}

/**
 * Tests nodes of two sizes: the point is nearer to the smaller ball, and the bound is the sum of
 * both diameters.
 */
Test(imp_query, nodes_of_two_sizes)
{
    SCOPED_BODY a, b;
    make_two_nodes(&a, &b, 0.5);
    /* B's ball has half the radius. Its centre (2.5, -1.5, 1) moves to 1.5 m above A's. */
    geo_pose pose = geo_pose_identity();
    pose.translation = (vec3){1.5, 0.5, 2};
    alg_contact contact;
    const alg_imp_search_options options = {.level = 1};
    const alg_answer x = ask(&a, &b, &pose, PUSH, options, &contact, 1);
    cr_assert_eq(x.contact_count, 1);
    cr_assert_float_eq(x.depth_m, 1.5 * ROOT3 - 1.5, 1e-3, "%g", x.depth_m);
    cr_assert(vec3_distance(contact.point, (vec3){4, -1, 2.5}) < 1e-5, "%g %g %g", contact.point.x,
              contact.point.y, contact.point.z);
    cr_assert(x.answered & ALG_HAS_DISTANCE_BRACKET && x.distance_lo_m == 0);
    cr_assert(x.distance_hi_m >= 3 * ROOT3 && x.distance_hi_m < 3 * ROOT3 + 1e-3, "%g",
              x.distance_hi_m);
}
