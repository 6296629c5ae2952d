/** Tests the entry imp: all pairs of voxels of two meshes, all choices, guarantees, stops. */
#include "algorithms/imp/tests/bodies.h"
#include "algorithms/tests/pair.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PUSH = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE,
    HAS_PUSH = ALG_HAS_CONTACT | ALG_HAS_CONTACTS | ALG_HAS_DEPTH | ALG_HAS_FORCE,
    NAME_ROOM = 160,
};

static const char *const children_names[] = {"8", "64", "512"};
static const char *const sphere_names[] = {"cubes", "patterns", "stored"};
static const char *const order_names[] = {"breadth", "depth", "threads"};

/* --- Voxels of bodies ------------------------------------------------------------------------- */

/** Lists the voxels of a prepared body: those of the tree, and full voxels by their descriptors. */
static voxel_body list_voxels(const alg_imp_body *body)
{
    const uint32_t *const n = body->tree.size;
    const uint64_t all = body->tree.voxel_count + body->tree.full_count;
    voxel_body s = {.cells = base_alloc(all, sizeof *s.cells)};
    alg_imp_tree_visit(&body->tree, add_voxel, &s);
    for (uint32_t i = 0; body->tree.full_count > 0 && i < n[0] * n[1] * n[2]; i++) {
        const alg_imp_cell at = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        if (alg_imp_descriptor_at(body, at.x, at.y, at.z) == ALG_IMP_VOXEL_FULL) {
            add_voxel(&s, ALG_IMP_FULL, at);
        }
    }
    cr_assert_eq(s.count, all);
    return s;
}

/* --- All pairs -------------------------------------------------------------------------------- */

/** Returns a pose for bodies of size 2: touching, deep, nested and rotated, apart. */
static geo_pose pose_of(int k)
{
    static const double apart[] = {0, 0.3, 0.9, 1.4, 1.8, 4};
    base_random random = base_random_seed((uint64_t)k);
    const geo_quat q = k == 0 ? geo_quat_identity() : geo_random_rotation(&random);
    return geo_pose_make(q, vec3_scale(apart[k], geo_random_direction(&random)));
}
enum { POSES = 6 };

/** Lists all pairs at all poses. */
static void find_all(const pair *p, hit_list all[POSES])
{
    alg_imp_pair placed = alg_imp_pair_of(p->fixed, p->moving);
    voxel_body a = list_voxels(p->fixed), b = list_voxels(p->moving);
    for (int k = 0; k < POSES; k++) {
        const geo_pose pose = pose_of(k);
        all[k] = (hit_list){0};
        if (alg_imp_pair_place(&placed, &pose)) {
            all[k] = all_pairs(&placed, &a, &b);
        }
    }
    base_free(a.cells);
    base_free(b.cells);
}

/**
 * Checks that the bodies find all pairs with other query settings. Returns the number of poses at
 * which they meet.
 */
static size_t check_query(const char *name, const pair *bodies, const hit_list all[POSES])
{
    pair p = *bodies;
    alg_message message = {""};
    cr_assert_eq(alg_variant_parse(name, 1, &p.variant, &message), ALG_OK, "%s", message.text);
    cr_assert_eq(p.variant.algorithm->bind(&p.variant.settings, p.fixed, p.moving,
                                           PAIR_REQUEST(PUSH), &p.state, &message),
                 ALG_OK);
    size_t meeting = 0;
    for (int k = 0; k < POSES; k++) {
        const geo_pose pose = pose_of(k);
        const alg_answer x = pair_ask(&p, &pose);
        cr_assert((x.answered & HAS_PUSH) == HAS_PUSH && x.outcome == ALG_CONVERGED, "%s", name);
        cr_assert_eq(x.contact_count, all[k].count, "%s, pose %d: %u of %u", name, k,
                     x.contact_count, all[k].count);
        cr_assert_eq(x.colliding, all[k].count > 0, "%s, pose %d", name, k);
        cr_assert_eq(x.counters[ALG_IMP_COUNT_CONTACTS], all[k].count);
        cr_assert(vec3_isfinite(x.force) && vec3_isfinite(x.torque) && x.depth_m >= 0 &&
                      (x.colliding || x.depth_m == 0),
                  "%s, pose %d", name, k);
        meeting += x.colliding;
    }
    p.variant.algorithm->release(p.state);
    return meeting;
}

/**
 * Checks all query settings; `settings` are those of the bodies. A short sweep tries two of six,
 * selected by `number`.
 */
static size_t check_queries(const char *settings, int number, const pair *bodies,
                            const hit_list all[POSES])
{
    const int step = (int)sweep_step(3);
    size_t meeting = 0;
    for (int i = number % step; i < 6; i += step) {
        char name[NAME_ROOM];
        snprintf(name, sizeof name, "imp:%s,depth=balls,one-child=%s,order=%s", settings,
                 i % 2 ? "on" : "off", order_names[i / 2]);
        meeting += check_query(name, bodies, all);
    }
    return meeting;
}

/**
 * Checks trees of all numbers of children over the same voxels, each with another kind of spheres.
 */
static size_t check_trees(const char *voxels, int kind, const geo_mesh *a, const geo_mesh *b)
{
    hit_list all[POSES];
    size_t meeting = 0;
    for (int k = 0; k < 3; k++) {
        char settings[NAME_ROOM - 40], name[NAME_ROOM];
        snprintf(settings, sizeof settings, "%.60s,children=%s,spheres=%s", voxels,
                 children_names[k], sphere_names[(k + kind) % 3]);
        snprintf(name, sizeof name, "imp:%s", settings);
        SCOPED_PAIR bodies = pair_open(name, a, b, PUSH);
        if (k == 0) {
            find_all(&bodies, all);
        }
        meeting += check_queries(settings, k, &bodies, all);
    }
    for (int k = 0; k < POSES; k++) {
        hit_list_release(&all[k]);
    }
    return meeting;
}

static void check_bodies(const geo_mesh *a, const geo_mesh *b)
{
    static const char *const voxels[] = {
        "fill=surface,probe=points,probe-voxels=9,threads=3,voxels=13",
        "fill=surface,probe=voxels,probe-voxels=9,threads=3,voxels=13",
        "fill=solid,probe=points,probe-voxels=9,threads=3,voxels=13",
        "fill=solid,probe=voxels,probe-voxels=9,voxels=13",
    };
    const size_t queries = 3 * 6 / sweep_step(3);
    for (size_t i = 0; i < sizeof voxels / sizeof *voxels; i++) {
        const size_t meeting = check_trees(voxels[i], (int)i, a, b);
        cr_assert(meeting > queries * 2 && meeting < queries * POSES, "%s: %zu", voxels[i],
                  meeting);
    }
}

Test(imp, all_pairs_of_a_ball_and_a_torus)
{
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 4), b = shape_torus(10, 0.6, 0.25);
    check_bodies(&a, &b);
}

Test(imp, all_pairs_of_boxes)
{
    SCOPED_MESH a = shape_box((vec3){-1, -0.5, -0.6}, (vec3){1, 0.5, 0.6}),
                b = shape_box((vec3){-0.5, -0.4, -0.3}, (vec3){0.5, 0.4, 0.3});
    check_bodies(&a, &b);
}

/* --- Guarantees ------------------------------------------------------------------------------- */

/**
 * Tests that solids with all voxels never miss a contact, whatever stops the search. Balls whose
 * centres are nearer than the sum of their radii overlap, and one may be inside the other.
 */
Test(imp, solids_of_all_voxels_miss_no_contact)
{
    static const char *const stops[] = {"",
                                        "contacts-max=1,order=breadth,",
                                        "contacts-max=7,order=depth,",
                                        "level=1,order=breadth,",
                                        "level=2,order=depth,",
                                        "level=9,"};
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 5), b = shape_ball((vec3){0, 0, 0}, 0.3, 5);
    size_t nested = 0, touching = 0;
    const size_t step = sweep_step(5), cases = 3 * sizeof stops / sizeof *stops;
    for (size_t n = 0; n < cases; n += step) {
        const size_t i = n / 3, children = n % 3;
        char name[NAME_ROOM];
        snprintf(name, sizeof name,
                 "imp:%schildren=%s,fill=solid,probe=voxels,probe-voxels=6,voxels=20", stops[i],
                 children_names[children]);
        pair p = pair_open(name, &a, &b, PUSH), q = pair_open(name, &a, &b, ALG_WANT_CONTACT);
        const alg_algorithm *const g = p.variant.algorithm;
        cr_assert_eq(g->contract(&p.variant.settings, ALG_CONTACT), ALG_UPPER_BOUND, "%s", name);
        base_random random = base_random_seed(i);
        for (int k = 0; k < 40; k++) {
            geo_pose pose = shape_pose(&random, 1.2);
            /* The meshes are inscribed: their faces are at 0.97 of the radius or more. */
            const bool sure = vec3_norm(pose.translation) < 0.97 * 1.3;
            const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
            cr_assert(!sure || (x.colliding && y.colliding), "%s, pose %d", name, k);
            cr_assert(x.colliding || !y.colliding, "%s, pose %d", name, k);
            nested += vec3_norm(pose.translation) < 0.6;
            touching += sure;
        }
        pair_close(&p);
        pair_close(&q);
    }
    cr_assert(nested > 30 / step && touching > 150 / step, "%zu %zu", nested, touching);
}

Test(imp, promises_are_of_all_voxels_of_solids)
{
    static const struct {
        const char *name;
        alg_contract contact;
    } rows[] = {
        {"imp", ALG_APPROXIMATE},
        {"imp:fill=solid", ALG_APPROXIMATE},
        {"imp:probe=voxels", ALG_APPROXIMATE},
        {"imp:fill=solid,probe=voxels", ALG_UPPER_BOUND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alg_variant v;
        alg_message message;
        cr_assert_eq(alg_variant_parse(rows[i].name, 1, &v, &message), ALG_OK);
        const alg_algorithm *const g = v.algorithm;
        cr_assert_eq(g->contract(&v.settings, ALG_CONTACT), rows[i].contact, "%s", rows[i].name);
        cr_assert_eq(g->contract(&v.settings, ALG_DEPTH), ALG_APPROXIMATE);
        cr_assert_eq(g->contract(&v.settings, ALG_FORCE), ALG_APPROXIMATE);
    }
}

/* --- Stops ------------------------------------------------------------------------------------ */

Test(imp, stops_tell_that_they_have_cut)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 5);
    static const struct {
        const char *name;
        bool cuts;
    } rows[] = {
        {"imp:depth=balls,probe-voxels=16,voxels=16", false},
        {"imp:depth=balls,level=1,probe-voxels=16,voxels=16", true},
        {"imp:contacts-max=20,depth=balls,order=breadth,probe-voxels=16,voxels=16", true},
        {"imp:contacts-max=20,depth=balls,order=depth,probe-voxels=16,voxels=16", true},
        {"imp:contacts-max=50000,depth=balls,order=breadth,probe-voxels=16,voxels=16", false},
    };
    const geo_pose near = shape_shift(1.5, 0.2, 0.1), far = shape_shift(3, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED_PAIR p = pair_open(rows[i].name, &a, &a, PUSH);
        const alg_answer x = pair_ask(&p, &near), y = pair_ask(&p, &far);
        cr_assert_eq(x.outcome, rows[i].cuts ? ALG_BUDGET_REACHED : ALG_CONVERGED, "%s",
                     rows[i].name);
        cr_assert(x.colliding && x.depth_m > 0, "%s", rows[i].name);
        /* The force is along the line of centres. */
        cr_assert(rows[i].cuts || vec3_normalize(x.force).x > 0.9, "%s: %g", rows[i].name,
                  x.force.x);
        cr_assert(!y.colliding && y.outcome == ALG_CONVERGED, "%s", rows[i].name);
        cr_assert(i != 3 || x.contact_count == 20, "%u", x.contact_count);
    }
}

/** Tests that a query for contact only ends with the first pair and has the same result. */
Test(imp, a_query_for_contact_ends_at_the_first_pair)
{
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 5), b = shape_torus(12, 0.6, 0.25);
    for (int order = 0; order < 3; order++) {
        char name[NAME_ROOM];
        snprintf(name, sizeof name, "imp:order=%s,probe-voxels=24,voxels=24", order_names[order]);
        pair p = pair_open(name, &a, &b, PUSH), q = pair_open(name, &a, &b, ALG_WANT_CONTACT);
        for (int k = 0; k < POSES; k++) {
            const geo_pose pose = pose_of(k);
            const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
            cr_assert(x.colliding == y.colliding && y.answered == ALG_HAS_CONTACT, "pose %d", k);
            cr_assert_eq(y.counters[ALG_IMP_COUNT_CONTACTS], y.colliding);
            cr_assert(x.contact_count < 100 ||
                          3 * y.counters[ALG_IMP_COUNT_TESTS] < x.counters[ALG_IMP_COUNT_TESTS],
                      "pose %d: %llu tests", k,
                      (unsigned long long)y.counters[ALG_IMP_COUNT_TESTS]);
        }
        pair_close(&p);
        pair_close(&q);
    }
}

/* --- Symmetry --------------------------------------------------------------------------------- */

/** Tests that swapped bodies have the same pairs, up to rounding. */
Test(imp, the_other_way_round)
{
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 5), b = shape_torus(12, 0.6, 0.25);
    SCOPED_PAIR p = pair_open("imp:depth=balls,fill=solid,probe=voxels,probe-voxels=14,voxels=20",
                              &a, &b, PUSH);
    SCOPED_PAIR q = pair_open("imp:depth=balls,fill=solid,probe=voxels,probe-voxels=20,voxels=14",
                              &b, &a, PUSH);
    for (int k = 0; k < POSES; k++) {
        const geo_pose pose = pose_of(k), inverse = geo_pose_inverse(&pose);
        const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &inverse);
        const double difference = (double)x.contact_count - y.contact_count;
        cr_assert(fabs(difference) <= 0.002 * x.contact_count, "pose %d: %u and %u", k,
                  x.contact_count, y.contact_count);
    }
}

/* --- Instruction sets and threads ------------------------------------------------------------- */

/** Tests the largest number of threads on one CPU: the answers are the same. */
Test(imp, threads_may_share_a_cpu)
{
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 5);
    SCOPED_PAIR p =
        pair_open("imp:depth=balls,order=breadth,probe-voxels=32,voxels=32", &a, &a, PUSH);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    SCOPED_PAIR q = pair_open("imp:depth=balls,order=threads,probe-voxels=32,threads=64,voxels=32",
                              &a, &a, PUSH);
    for (int i = 0; i < POSES; i++) {
        const geo_pose pose = pose_of(i);
        const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
        cr_assert(i > 1 || x.contact_count > 10000, "pose %d: %u", i, x.contact_count);
        cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "pose %d", i);
    }
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Tests that each role has its own number of voxels. */
Test(imp, roles)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("imp:probe-voxels=6,voxels=12", &a, &a, PUSH);
    const alg_imp_body *const fixed = p.fixed, *const moving = p.moving;
    cr_assert_float_eq(fixed->grid.edge, 2.0 / 12, 1e-12);
    cr_assert_float_eq(moving->grid.edge, 2.0 / 6, 1e-12);
    cr_assert(fixed->role == ALG_FIXED && moving->role == ALG_MOVING);
}
