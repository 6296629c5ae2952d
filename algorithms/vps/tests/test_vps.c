/** Contestant vps: depths by hand, bounds of contact against the truth, facts, drawings. */
#include "algorithms/tests/pair.h"
#include "algorithms/voxel/tests/maps.h"
#include "algorithms/vps/vps.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Returns a cube of edge 4 with a hollow of 2 and a mouth of 1; with 4 voxels an edge the mouth is
 * closed. */
static geo_mesh make_bottle(void)
{
    base_random random = base_random_seed(1);
    uint64_t cells = ~(uint64_t)0;
    for (int i = 0; i < 8; i++) {
        cells &= ~((uint64_t)1 << (1 + i % 2 + 4 * (1 + i / 2 % 2) + 16 * (1 + i / 4)));
    }
    cells &= ~((uint64_t)1 << (1 + 4 * 1 + 16 * 3));
    return shape_cells(&random, cells);
}

static geo_mesh make_hollow_ball(void)
{
    return shape_join(shape_ball((vec3){0, 0, 0}, 1, 4),
                      shape_reverse(shape_ball((vec3){0, 0, 0}, 0.7, 3)));
}

/* --- Depths ----------------------------------------------------------------------------------- */

enum { ROOM = 4000 };

/**
 * A box of edge 2 around the origin with voxels of 0.25, and a box pressed into its upper face. The
 * face is in the middle of surface voxels. Below are layers 1, 2, ...
 */
Test(vps, depths_of_a_pressed_box_by_hand)
{
    static const struct {
        double pressed;
        double depth[3]; /* plane, layers, field */
    } rows[] = {
        {-0.2, {0, 0, 0}},
        {-0.0625, {0, 0.125, 0}}, /* in the surface voxel, above its centre */
        {0.0625, {0.0625, 0.125, 0.0625}},
        {0.1875, {0.25, 0.25, 0.1875}}, /* in the first layer, which is the last one */
        {0.3125, {0.25, 0.25, 0.3125}},
        {0.4375, {0.25, 0.25, 0.4375}}, /* in the second layer, limited to 1 */
        {0.5625, {0.25, 0.25, 0.5625}},
    };
    static const char *const names[3] = {"vps:layers=1,shell-voxels=16,voxels=8",
                                         "vps:depth=layers,layers=1,shell-voxels=16,voxels=8",
                                         "vps:depth=field,layers=1,shell-voxels=16,voxels=8"};
    static alg_contact contacts[ROOM];
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1), b = shape_cube((vec3){0, 0, 0.25}, 0.25);
    for (int depth = 0; depth < 3; depth++) {
        SCOPED_PAIR p = pair_open(names[depth], &a, &b, ALL);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const geo_pose pose = shape_shift(0.0625, -0.03125, 1 - rows[i].pressed);
            alg_answer answer = {
                .size = sizeof answer, .contacts = contacts, .contact_capacity = ROOM};
            p.variant.algorithm->query(p.state, &pose, &answer);
            const double want = rows[i].depth[depth];
            size_t below = 0;
            cr_assert_leq(answer.contact_count, ROOM);
            for (uint32_t k = 0; k < answer.contact_count; k++) {
                const alg_contact *const c = &contacts[k];
                const bool inner = fabs(c->point.x - 0.0625) < 0.1 &&
                                   fabs(c->point.y + 0.03125) < 0.1 &&
                                   fabs(c->point.z - 1 + rows[i].pressed) < 1e-12;
                if (inner) {
                    cr_assert(vec3_distance(c->normal, (vec3){0, 0, 1}) < 1e-6, "%s, %g: %g %g %g",
                              names[depth], rows[i].pressed, c->normal.x, c->normal.y, c->normal.z);
                    cr_assert_float_eq(c->depth_m, want, 1e-6, "%s, %g: %g", names[depth],
                                       rows[i].pressed, c->depth_m);
                    below++;
                }
            }
            cr_assert((below > 0) == (want > 0), "%s, %g: %zu contacts below", names[depth],
                      rows[i].pressed, below);
            cr_assert_geq(answer.depth_m, want - 1e-6);
        }
    }
}

/* --- Flat faces ------------------------------------------------------------------------------- */

/** A cube or a box, pressed into the faces of another body. */
typedef struct press {
    const char *name;
    const geo_mesh *a, *b;
    double edge;  /* of the voxmap's voxels */
    double lost;  /* the force increases strictly from this depth on */
    double limit; /* greatest depth: no other face is as near, and no depth is limited by the
                     layers */
} press;

/** Returns the pose at which B touches the face of A on side `sign` of an axis for depth 0. */
static geo_pose pose_on_face(const press *t, int axis, double sign, double depth,
                             const double at[2])
{
    const geo_box a = geo_mesh_box(t->a), b = geo_mesh_box(t->b);
    const vec3 here = geo_box_centre(b), there = geo_box_centre(a);
    const double half = 0.5 * (vec3_get(a.hi, axis) - vec3_get(a.lo, axis) + vec3_get(b.hi, axis) -
                               vec3_get(b.lo, axis));
    double shift[3];
    for (int i = 0; i < 3; i++) {
        shift[i] = vec3_get(there, i) - vec3_get(here, i);
    }
    shift[axis] += sign * (half - depth);
    shift[(axis + 1) % 3] += at[0];
    shift[(axis + 2) % 3] += at[1];
    return shape_shift(shift[0], shift[1], shift[2]);
}

/** On each face: no push if the bodies are more than a voxel apart, then a push that increases and
 * keeps its direction. */
static void press_faces(const press *t)
{
    enum { STEPS = 60 };
    SCOPED_PAIR p = pair_open(t->name, t->a, t->b, ALL);
    base_random random = base_random_seed(7);
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2;
        const double sign = side % 2 ? 1 : -1;
        const double at[2] = {base_random_range(&random, -0.05, 0.05),
                              base_random_range(&random, -0.05, 0.05)};
        double last = 0;
        for (int i = 0; i <= STEPS; i++) {
            const double depth = -2 * t->edge + (t->limit + 2 * t->edge) * i / STEPS;
            const geo_pose pose = pose_on_face(t, axis, sign, depth, at);
            const alg_answer answer = pair_ask(&p, &pose);
            const double force = sign * vec3_get(answer.force, axis);
            cr_assert(depth >= -t->edge || answer.contact_count == 0, "%s, side %d: pushes at %g",
                      t->name, side, depth);
            cr_assert_geq(force, last * (1 - 1e-12), "%s, side %d: %g after %g at %g", t->name,
                          side, force, last, depth);
            cr_assert(depth < t->lost || force > last || (force > 0 && strstr(t->name, "=layers")),
                      "%s, side %d: %g at %g", t->name, side, force, depth);
            /* Points on B's sides push sideways, by up to half an edge of a surface voxel. */
            cr_assert(depth < t->edge || force > 0.9 * vec3_norm(answer.force),
                      "%s, side %d: %g of %g at %g", t->name, side, force, vec3_norm(answer.force),
                      depth);
            last = force;
        }
    }
}

Test(vps, forces_on_flat_faces_grow_with_depth)
{
    static const char *const names[] = {
        "vps:layers=8",
        "vps:layers=8,voxmap=moving",
        "vps:depth=layers,layers=8",
        "vps:depth=field,layers=8",
    };
    SCOPED_MESH cube = shape_cube((vec3){0.1, 0.2, 0.3}, 0.5),
                small = shape_cube((vec3){0, 0, 0}, 0.1);
    SCOPED_MESH box = shape_box((vec3){-0.5, -0.4, -0.3}, (vec3){0.5, 0.4, 0.3});
    for (int voxels = 20; voxels <= 25; voxels += 5) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char name[100];
            snprintf(name, sizeof name, "%s,shell-voxels=%d,voxels=%d", names[i], voxels, voxels);
            const bool moving = strstr(name, "moving") != NULL; /* B has the voxmap */
            const double edge = 1.0 / voxels;
            press_faces(&(press){name, moving ? &small : &cube, moving ? &cube : &small, edge, 1e-4,
                                 3 * edge});
            /* Faces of a box may be a quarter of an edge away from the middle of voxels. */
            press_faces(&(press){name, moving ? &small : &box, moving ? &box : &small, edge,
                                 0.26 * edge, 3 * edge});
        }
    }
}

/** Points deeper than the layers push as hard as those in the last layer, and the outcome reports
 * it. */
Test(vps, forces_do_not_shrink_beyond_the_last_layer)
{
    enum { STEPS = 60 };
    static const char *const names[] = {"vps:layers=2,shell-voxels=20,voxels=20",
                                        "vps:depth=layers,layers=2,shell-voxels=20,voxels=20"};
    const double edge = 0.05, at[2] = {0.013, -0.021};
    SCOPED_MESH cube = shape_cube((vec3){0.1, 0.2, 0.3}, 0.5),
                small = shape_cube((vec3){0, 0, 0}, 0.1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const press t = {.name = names[i], .a = &cube, .b = &small};
        SCOPED_PAIR p = pair_open(t.name, t.a, t.b, ALL);
        for (int side = 0; side < 6; side++) {
            const double sign = side % 2 ? 1 : -1;
            double last = 0;
            for (int k = 0; k <= STEPS; k++) {
                const double depth = 0.145 * k / STEPS; /* the far face remains a voxel outside */
                const geo_pose pose = pose_on_face(&t, side / 2, sign, depth, at);
                const alg_answer answer = pair_ask(&p, &pose);
                const double force = sign * vec3_get(answer.force, side / 2);
                /* Slanted normals at B's edges make the force fluctuate by less than that. */
                cr_assert_geq(force, last * 0.99, "%s, side %d: %g after %g at %g", t.name, side,
                              force, last, depth);
                cr_assert_eq(answer.outcome,
                             depth > 2.5 * edge   ? ALG_BUDGET_REACHED
                             : depth < 1.4 * edge ? ALG_CONVERGED
                                                  : answer.outcome,
                             "%s, side %d: outcome at %g", t.name, side, depth);
                last = force;
            }
        }
    }
}

/** The two faces of an axis are equal, so they push equally. */
Test(vps, equal_faces_push_equally)
{
    static const char *const names[] = {
        "vps:layers=8",
        "vps:layers=8,voxmap=moving",
        "vps:depth=layers,layers=8",
        "vps:depth=field,layers=8",
        "vps:depth=field,layers=8,voxels=127",
        "vps:layers=8,shell=blue-noise",
    };
    SCOPED_MESH box = shape_box((vec3){0.1, 0.2, 0.3}, (vec3){0.2, 0.28, 0.36});
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.03);
    const double centre[2] = {0, 0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i += sweep_step(2)) {
        const press both[2] = {{.a = &box, .b = &cube}, {.a = &cube, .b = &box}};
        for (int k = 0; k < 2; k++) {
            SCOPED_PAIR p = pair_open(names[i], both[k].a, both[k].b, ALL);
            for (int axis = 0; axis < 3; axis++) {
                double force[2];
                for (int side = 0; side < 2; side++) {
                    const double sign = side ? 1 : -1;
                    const geo_pose pose = pose_on_face(&both[k], axis, sign, 0.002, centre);
                    force[side] = sign * vec3_get(pair_ask(&p, &pose).force, axis);
                }
                const double ratio = force[0] / force[1];
                const bool random = strstr(names[i], "blue-noise") != NULL;
                cr_assert_float_eq(ratio, 1, random ? 0.05 : 0.02, "%s, %d, axis %d: %g and %g",
                                   names[i], k, axis, force[0], force[1]);
            }
        }
    }
}

/** A force weighted by areas does not depend on the bodies' rotation in their grids; one weighted
 * by counts does. */
Test(vps, weights_by_area_remove_the_bias_of_the_grid)
{
    static const char *const names[] = {"vps:depth=field,shell-voxels=40,voxels=40",
                                        "vps:depth=field,shell-voxels=40,voxels=40,weights=area"};
    double spread[2];
    for (int area = 0; area < 2; area++) {
        base_random random = base_random_seed(5);
        double least = INFINITY, most = 0;
        for (int k = 0; k < 8; k++) {
            geo_pose turn = k > 0 ? shape_pose(&random, 0) : geo_pose_identity();
            if (k == 1) { /* maps the diagonal of the cube to an axis */
                const vec3 z = vec3_normalize((vec3){1, 1, 1});
                const vec3 x = vec3_normalize((vec3){1, -1, 0});
                turn.rotation = (mat3){{x, vec3_cross(z, x), z}};
            }
            SCOPED_MESH a = shape_move(shape_cube((vec3){0, 0, 0}, 0.5), turn, 1);
            SCOPED_MESH b = shape_move(shape_cube((vec3){0, 0, 0}, 0.3), turn, 1);
            SCOPED_PAIR p = pair_open(names[area], &a, &b, ALL);
            const vec3 shift = geo_pose_rotate(&turn, (vec3){0.05, 0.03, 0.75});
            const geo_pose pose = shape_shift(shift.x, shift.y, shift.z);
            /* Forces are in units of a point's mean area; a cube has 6 faces of 0.36. */
            const alg_answer answer = pair_ask(&p, &pose);
            const uint32_t points = ((const alg_vps_body *)p.moving)->points.count;
            const double edge = geo_box_diagonal(geo_mesh_box(&a)) / 40;
            const double force =
                vec3_norm(answer.force) * (area ? 6 * 0.36 / points : edge * edge / 3);
            least = fmin(least, force);
            most = fmax(most, force);
        }
        /* The integral of the depth 0.05 over the face of B. */
        cr_assert(!area || (least > 0.8 * 0.018 && most < 1.2 * 0.018), "%g to %g", least, most);
        spread[area] = most / least;
    }
    cr_assert(spread[0] > 1.4 && spread[1] < 1.15, "%g and %g", spread[0], spread[1]);
}

static void keep_all_balls(alg_vps_points *points)
{
    uint32_t nodes = points->count;
    for (uint32_t k = 0; k < points->level_count; k++) {
        nodes = alg_vps_packet_count(nodes);
        for (uint32_t i = 0; i < nodes; i++) {
            points->levels[k][i / ALG_VPS_WIDTH].radius[i % ALG_VPS_WIDTH] = 1e6F;
        }
    }
}

static void keep_all_cells(alg_voxel_clearance *clearance)
{
    const size_t slice = (size_t)clearance->count[0] * clearance->count[1];
    memset(clearance->cells, 0, slice * clearance->count[2] * sizeof *clearance->cells);
}

/** Skipping balls and cells changes no bit of an answer. */
Test(vps, skipped_balls_and_cells_hold_no_contact)
{
    static const char *const names[] = {
        "vps:shell-voxels=40,voxels=40",
        "vps:depth=field,layers=3,shell-voxels=30,storage=dense,voxels=60,weights=area",
        "vps:contact=possible,layers=8,shell-voxels=60,voxels=30",
        "vps:contact=sure,layers=1,shell-voxels=50,voxels=50",
        "vps:shell-voxels=40,voxels=40,voxmap=moving",
    };
    SCOPED_MESH a = shape_ball((vec3){0.1, 0.2, 0}, 1, 6), b = shape_torus(16, 0.8, 0.3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pair p = pair_open(names[i], &a, &b, ALL), q = pair_open(names[i], &a, &b, ALL);
        alg_vps_points *const all = &((alg_vps_body *)(i == 4 ? q.fixed : q.moving))->points;
        keep_all_balls(all);
        keep_all_cells(&((alg_vps_body *)(i == 4 ? q.moving : q.fixed))->clearance);
        base_random random = base_random_seed(i);
        uint64_t some = 0, every = 0;
        size_t touching = 0;
        for (int k = 0; k < 60; k++) {
            const geo_pose pose = shape_pose(&random, 2.2);
            alg_answer x = pair_ask(&p, &pose);
            const alg_answer y = pair_ask(&q, &pose);
            some += x.counters[ALG_VPS_COUNT_LOOKUPS];
            every += all->count;
            cr_assert(x.counters[ALG_VPS_COUNT_LOOKUPS] <= y.counters[ALG_VPS_COUNT_LOOKUPS]);
            touching += x.contact_count > 0;
            x.counters[ALG_VPS_COUNT_LOOKUPS] = y.counters[ALG_VPS_COUNT_LOOKUPS];
            cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, %d: %g %g", names[i], k, x.depth_m,
                         y.depth_m);
        }
        cr_assert(touching > 10 && touching < 55, "%s: %zu", names[i], touching);
        cr_assert(i == 3 || 2 * some < every, "%s: %llu of %llu points", names[i],
                  (unsigned long long)some, (unsigned long long)every);
        pair_close(&p);
        pair_close(&q);
    }
}

/** The outcome reports that depths are limited by the layers. */
Test(vps, limited_depths_are_reported)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 0.5), b = shape_cube((vec3){0, 0, 0}, 0.3);
    static const char *const names[] = {"vps:layers=4,shell-voxels=20,voxels=20",
                                        "vps:depth=layers,layers=4,shell-voxels=20,voxels=20",
                                        "vps:depth=field,layers=4,shell-voxels=20,voxels=20"};
    for (int i = 0; i < 3; i++) {
        SCOPED_PAIR p = pair_open(names[i], &a, &b, ALL);
        for (int k = 0; k < 7; k++) { /* in the middle of layer k */
            const geo_pose pose = shape_shift(0.01, 0, 0.8 - 0.05 * k);
            const alg_answer answer = pair_ask(&p, &pose);
            cr_assert_eq(answer.outcome, i < 2 && k >= 4 ? ALG_BUDGET_REACHED : ALG_CONVERGED,
                         "%s, layer %d", names[i], k);
        }
    }
}

/* --- Theories --------------------------------------------------------------------------------- */

Test(vps, generators_storages_and_threads_give_the_same_answers)
{
    static const char *const names[] = {
        "vps:depth=field,shell-voxels=12,voxels=20",
        "vps:depth=field,generator=paper,shell-voxels=12,voxels=20",
        "vps:depth=field,generator=paper,navigation=box,shell-voxels=12,voxels=20",
        "vps:depth=field,generator=paper,navigation=first,shell-voxels=12,voxels=20",
        "vps:depth=field,generator=paper,navigation=second,shell-voxels=12,voxels=20",
        "vps:depth=field,shell-voxels=12,storage=dense,voxels=20",
        "vps:depth=field,shell-voxels=12,voxels=20", /* on one thread */
    };
    enum { NAMES = sizeof names / sizeof *names, POSES = 12 };
    SCOPED_MESH a = make_hollow_ball(), b = shape_torus(10, 0.6, 0.3);
    static alg_answer answers[NAMES][POSES];
    size_t pushing = 0;
    for (size_t i = 0; i < NAMES; i++) {
        setenv("PROXBENCH_THREADS", i + 1 == NAMES ? "1" : "3", 1);
        SCOPED_PAIR p = pair_open(names[i], &a, &b, ALL);
        base_random random = base_random_seed(9);
        for (int k = 0; k < POSES; k++) {
            const geo_pose pose = shape_pose(&random, 1);
            answers[i][k] = pair_ask(&p, &pose);
            pushing += answers[i][k].contact_count > 0;
            cr_assert_eq(memcmp(&answers[i][k], &answers[0][k], sizeof **answers), 0, "%s, %d",
                         names[i], k);
        }
    }
    cr_assert_gt(pushing, NAMES * POSES / 2);
}

/* --- Bounds of contact ------------------------------------------------------------------------ */

typedef struct verdicts {
    size_t touching, apart, alarms, missed;
} verdicts;

enum { JUDGED = 100 };

/** Asks a variant for contact, at the same poses for all variants. */
static void ask_poses(const char *name, const geo_mesh *a, const geo_mesh *b, double reach,
                      bool touching[JUDGED])
{
    SCOPED_PAIR p = pair_open(name, a, b, ALG_WANT_CONTACT);
    base_random random = base_random_seed(7);
    for (int k = 0; k < JUDGED; k++) {
        const geo_pose pose = shape_pose(&random, reach);
        touching[k] = pair_ask(&p, &pose).colliding;
    }
}

static verdicts judge(const bool said[JUDGED], const bool truth[JUDGED])
{
    verdicts v = {0};
    for (int k = 0; k < JUDGED; k++) {
        v.touching += truth[k];
        v.apart += !truth[k];
        v.alarms += said[k] && !truth[k];
        v.missed += truth[k] && !said[k];
    }
    return v;
}

Test(vps, promises_hold)
{
    geo_mesh bottle = make_bottle(), hollow = make_hollow_ball(), torus = shape_torus(6, 1, 0.3);
    geo_mesh dot = shape_ball((vec3){0, 0, 0}, 0.2, 1), ball = shape_ball((vec3){0, 0, 0}, 2, 2);
    geo_mesh plate = shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 0.02});
    geo_mesh crumb = shape_cube((vec3){0.1, 0, 0}, 0.02);
    const struct {
        const char *what;
        const geo_mesh *a, *b;
        double reach;
    } rows[] = {
        {"dots in a bottle", &bottle, &dot, 4},
        {"dots in a hollow ball", &hollow, &dot, 1},
        {"balls around a dot", &dot, &ball, 2.2},
        {"tori", &torus, &torus, 1.8},
        {"plates", &plate, &plate, 1.5},
        {"a crumb and a plate", &crumb, &plate, 1},
        {"a plate and a crumb", &plate, &crumb, 1},
    };
    verdicts sure = {0}, possible = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const geo_mesh *const a = rows[i].a, *const b = rows[i].b;
        bool truth[JUDGED], said[JUDGED];
        ask_poses("brute", a, b, rows[i].reach, truth);
        for (int moving = 0; moving < 2; moving++) {
            ask_poses(moving ? "vps:contact=sure,shell-voxels=12,voxels=16,voxmap=moving"
                             : "vps:contact=sure,shell-voxels=12,voxels=16",
                      a, b, rows[i].reach, said);
            const verdicts v = judge(said, truth);
            cr_assert_eq(v.alarms, 0, "%s, %d: %zu false alarms", rows[i].what, moving, v.alarms);
            sure.missed += v.missed;
            sure.touching += v.touching;
            /* Voxels of the crumb are so small that no number of layers reaches the next point of a
               plate. */
            if ((moving ? b : a) == &crumb) {
                continue;
            }
            ask_poses(moving ? "vps:contact=possible,shell-voxels=12,voxels=16,voxmap=moving"
                             : "vps:contact=possible,shell-voxels=12,voxels=16",
                      a, b, rows[i].reach, said);
            const verdicts w = judge(said, truth);
            cr_assert_eq(w.missed, 0, "%s, %d: %zu missed", rows[i].what, moving, w.missed);
            possible.alarms += w.alarms;
            possible.apart += w.apart;
        }
    }
    /* The bounds are not trivial. */
    cr_assert(sure.touching > 300 && sure.missed < sure.touching * 3 / 4, "%zu of %zu missed",
              sure.missed, sure.touching);
    cr_assert(possible.apart > 250 && possible.alarms < possible.apart * 9 / 10,
              "%zu of %zu are alarms", possible.alarms, possible.apart);
    geo_mesh *const used[] = {&bottle, &hollow, &torus, &dot, &plate, &ball, &crumb};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        geo_mesh_release(used[i]);
    }
}

/** The paper's contact reports a hollow that is closed for voxels; contact=sure does not. */
Test(vps, a_hollow_is_inside_of_voxels_alone)
{
    SCOPED_MESH bottle = make_bottle(), dot = shape_ball((vec3){2, 2, 2}, 0.2, 2);
    const geo_pose here = geo_pose_identity();
    const char *const names[] = {"vps:shell-voxels=8,voxels=4",
                                 "vps:contact=sure,shell-voxels=8,voxels=4",
                                 "vps:depth=field,shell-voxels=8,voxels=4", "brute"};
    const bool touching[] = {true, false, true, false};
    for (int i = 0; i < 4; i++) {
        SCOPED_PAIR p = pair_open(names[i], &bottle, &dot, i < 3 ? ALL : ALG_WANT_CONTACT);
        const alg_answer a = pair_ask(&p, &here);
        cr_assert_eq(a.colliding, touching[i], "%s", names[i]);
        cr_assert(i != 2 || a.depth_m == 0, "a field knows the solid");
    }
}

/** If the voxmap has too few layers, the pair gets a map of its own; depths keep their limit. */
Test(vps, possible_pairs_have_layers_of_their_own)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 5), b = shape_ball((vec3){0, 0, 0}, 0.9, 3);
    pair few = pair_open("vps:contact=possible,layers=1,shell-voxels=6,voxels=32", &a, &b, ALL);
    pair many = pair_open("vps:contact=possible,layers=40,shell-voxels=6,voxels=32", &a, &b, ALL);
    SCOPED_PAIR plain = pair_open("vps:layers=1,shell-voxels=6,voxels=32", &a, &b, ALL);
    base_random random = base_random_seed(3);
    size_t touching = 0, apart = 0;
    for (int k = 0; k < 100; k++) {
        const geo_pose pose = shape_pose(&random, 3.5);
        const alg_answer x = pair_ask(&few, &pose), y = pair_ask(&many, &pose);
        alg_answer z = pair_ask(&plain, &pose);
        cr_assert_eq(x.colliding, y.colliding, "%d", k);
        touching += x.colliding;
        apart += !x.colliding;
        z.colliding = x.colliding;
        /* More layers rule out more points, and the wider voxmap rules out fewer. */
        z.counters[ALG_VPS_COUNT_LOOKUPS] = x.counters[ALG_VPS_COUNT_LOOKUPS];
        cr_assert_eq(memcmp(&x, &z, sizeof x), 0, "%d: %g %g", k, x.depth_m, z.depth_m);
    }
    cr_assert(touching > 20 && apart > 20, "%zu %zu", touching, apart);
    pair_close(&few);
    pair_close(&many);
}

Test(vps, contracts_are_those_of_the_contact)
{
    static const struct {
        const char *name;
        alg_contract contact;
    } rows[] = {
        {"vps", ALG_APPROXIMATE},
        {"vps:contact=sure", ALG_LOWER_BOUND},
        {"vps:contact=possible,voxmap=moving", ALG_UPPER_BOUND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alg_variant v;
        alg_message message;
        cr_assert_eq(alg_variant_parse(rows[i].name, 1, &v, &message), ALG_OK);
        cr_assert_eq(alg_vps.contract(&v.settings, ALG_CONTACT), rows[i].contact);
        cr_assert_eq(alg_vps.contract(&v.settings, ALG_FORCE), ALG_APPROXIMATE);
        cr_assert_eq(alg_vps.contract(&v.settings, ALG_DEPTH), ALG_APPROXIMATE);
        cr_assert_eq(alg_vps.contract(&v.settings, ALG_DISTANCE), ALG_NOT_ANSWERED);
        cr_assert_eq(alg_vps.contract(&v.settings, ALG_VOLUME), ALG_NOT_ANSWERED);
    }
}

/** An open box. */
Test(vps, open_bodies)
{
    geo_mesh closed = shape_cube((vec3){0, 0, 0}, 1), open = closed;
    open.face_count -= 2;
    const alg_mesh body = shape_body(&open, false);
    const struct {
        const char *name;
        alg_role role;
        alg_status status;
        const char *says;
    } rows[] = {
        {"vps:shell-voxels=8,voxels=8", ALG_FIXED, ALG_OK, ""},
        {"vps:shell-voxels=8,voxels=8", ALG_MOVING, ALG_OK, ""},
        {"vps:contact=possible,shell-voxels=8,voxels=8", ALG_FIXED, ALG_OK, ""},
        {"vps:contact=possible,shell-voxels=8,voxels=8", ALG_MOVING, ALG_OK, ""},
        {"vps:contact=sure,shell-voxels=8,voxels=8", ALG_FIXED, ALG_UNSUPPORTED, "contact=sure"},
        {"vps:contact=sure,shell-voxels=8,voxels=8", ALG_MOVING, ALG_OK, ""},
        {"vps:contact=sure,voxmap=moving,shell-voxels=8,voxels=8", ALG_MOVING, ALG_UNSUPPORTED,
         "contact=sure"},
        {"vps:depth=field,shell-voxels=8,voxels=8", ALG_FIXED, ALG_UNSUPPORTED, "depth=field"},
        {"vps:depth=field,shell-voxels=8,voxels=8", ALG_MOVING, ALG_OK, ""},
        {"vps-volume", ALG_MOVING, ALG_UNSUPPORTED, "a volume"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        alg_variant v;
        alg_message message = {""};
        alg_build_info info = {0};
        void *prepared;
        cr_assert_eq(alg_variant_parse(rows[i].name, 1, &v, &message), ALG_OK);
        cr_assert_eq(
            v.algorithm->prepare(&v.settings, &body, rows[i].role, &prepared, &info, &message),
            rows[i].status, "%zu: %s", i, message.text);
        cr_assert(strstr(message.text, rows[i].says), "%s", message.text);
        cr_assert_eq(prepared != NULL, rows[i].status == ALG_OK);
        v.algorithm->dispose(prepared);
    }
    geo_mesh_release(&closed);
}

/* --- Facts and drawings ----------------------------------------------------------------------- */

/** A cube with 8 voxels an edge: it extends over 9 voxels, as its faces are in the middle of
 * voxels, and its padding is 17. */
Test(vps, facts_of_a_cube)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("vps:shell-voxels=4,voxels=8", &cube, &cube, ALL);
    const double *const map = p.info_a.facts, *const shell = p.info_b.facts;
    cr_assert_eq(map[ALG_VPS_FACT_VOXELS], 43 * 43 * 43);
    cr_assert_eq(map[ALG_VPS_FACT_SURFACE_VOXELS], 9 * 9 * 9 - 7 * 7 * 7);
    cr_assert_eq(map[ALG_VPS_FACT_INNER_VOXELS], 7 * 7 * 7);
    cr_assert_eq(p.info_a.primitives, 9 * 9 * 9 - 7 * 7 * 7);
    pair paper = pair_open("vps:generator=paper,shell-voxels=4,voxels=8", &cube, &cube, ALL);
    cr_assert_geq(paper.info_a.facts[ALG_VPS_FACT_BOX_TESTS], map[ALG_VPS_FACT_SURFACE_VOXELS]);
    pair_close(&paper);
    cr_assert_eq(shell[ALG_VPS_FACT_VOXELS], 11 * 11 * 11);
    cr_assert_eq(shell[ALG_VPS_FACT_SURFACE_VOXELS], 5 * 5 * 5 - 3 * 3 * 3);
    cr_assert_eq(shell[ALG_VPS_FACT_POINTS], (double)p.info_b.primitives);
    cr_assert(shell[ALG_VPS_FACT_POINTS] > 50 && shell[ALG_VPS_FACT_SPACING_MEAN] > 0.01);
    for (int i = ALG_VPS_FACT_LOAD_NS; i <= ALG_VPS_FACT_FILL_NS; i++) {
        cr_assert(map[i] > 0 && map[i] < 1e10 && shell[i] > 0, "%s", alg_vps.facts[i]);
    }
    cr_assert(shell[ALG_VPS_FACT_PROJECT_NS] > 0 &&
              shell[ALG_VPS_FACT_POINTS_NS] > shell[ALG_VPS_FACT_PROJECT_NS] &&
              shell[ALG_VPS_FACT_POINTS_NS] < 1e10);
    cr_assert(shell[ALG_VPS_FACT_COLLECT_NS] > 0 &&
              shell[ALG_VPS_FACT_COLLECT_NS] < shell[ALG_VPS_FACT_POINTS_NS]);
    /* Layers around the middle of a face of 5 x 5 voxels have its direction; those at an edge are
     * at 45 degrees, at a corner at acos(1 / sqrt(3)). */
    cr_assert(shell[ALG_VPS_FACT_NORMAL_P50] > 0 && shell[ALG_VPS_FACT_NORMAL_P50] < 45);
    cr_assert_float_eq(shell[ALG_VPS_FACT_NORMAL_MAX], 54.7356, 1e-3);
    cr_assert(shell[ALG_VPS_FACT_NORMAL_P95] > 45 - 1e-9 && shell[ALG_VPS_FACT_TURNED] == 0);
    cr_assert(shell[ALG_VPS_FACT_BOUNDARY] > 0 && shell[ALG_VPS_FACT_BOUNDARY] < 1);
    cr_assert_geq(p.info_a.bytes, 16 * 16 * 16 / 512 * 4);
}

Test(vps, the_flood_is_a_stack_or_a_queue)
{
    SCOPED_MESH torus = shape_torus(16, 2, 0.7);
    pair stack = pair_open("vps:shell-voxels=4,voxels=16", &torus, &torus, ALL);
    SCOPED_PAIR queue = pair_open("vps:flood=queue,shell-voxels=4,voxels=16", &torus, &torus, ALL);
    const double *const a = stack.info_a.facts, *const b = queue.info_a.facts;
    cr_assert(a[ALG_VPS_FACT_FLOOD] > 100 && b[ALG_VPS_FACT_FLOOD] > 100);
    cr_assert_neq(a[ALG_VPS_FACT_FLOOD], b[ALG_VPS_FACT_FLOOD]);
    cr_assert_eq(a[ALG_VPS_FACT_INNER_VOXELS], b[ALG_VPS_FACT_INNER_VOXELS]);
    pair_close(&stack);
}

/** A field starts in the first layer outside, which must not be the last one. */
Test(vps, a_field_has_two_layers)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    const char *const names[] = {"vps:layers=1,shell-voxels=4,voxels=8",
                                 "vps:depth=field,layers=1,shell-voxels=4,voxels=8",
                                 "vps:depth=field,layers=5,shell-voxels=4,voxels=8"};
    const uint32_t layers[] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        SCOPED_PAIR p = pair_open(names[i], &cube, &cube, ALL);
        const alg_voxel_map *const map = &((const alg_vps_body *)p.fixed)->map;
        cr_assert(map->layers == layers[i] && map->grid.padding == layers[i] + 1, "%s", names[i]);
    }
}

/** For a voxmap, facts of points keep the values that the caller has set. */
Test(vps, a_voxmap_has_no_facts_of_points)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    const alg_mesh body = shape_body(&cube, true);
    for (int role = 0; role < 2; role++) {
        alg_settings settings;
        alg_variant v;
        alg_message message;
        alg_build_info info = {0};
        void *prepared;
        cr_assert_eq(alg_variant_parse("vps:shell-voxels=4,voxels=4", 1, &v, &message), ALG_OK);
        settings = v.settings;
        for (int i = 0; i < ALG_FACTS_MAX; i++) {
            info.facts[i] = NAN;
        }
        cr_assert_eq(alg_vps.prepare(&settings, &body, (alg_role)role, &prepared, &info, &message),
                     ALG_OK);
        const int points[] = {
            ALG_VPS_FACT_POINTS,           ALG_VPS_FACT_RECOVERED,   ALG_VPS_FACT_RECOVERED_COUNT,
            ALG_VPS_FACT_SPACING_MEAN,     ALG_VPS_FACT_SPACING_MIN, ALG_VPS_FACT_SPACING_DEVIATION,
            ALG_VPS_FACT_PROJECTION_ERROR, ALG_VPS_FACT_BOUNDARY,    ALG_VPS_FACT_NORMAL_P50,
            ALG_VPS_FACT_NORMAL_P95,       ALG_VPS_FACT_NORMAL_MAX,  ALG_VPS_FACT_TURNED,
            ALG_VPS_FACT_COLLECT_NS,       ALG_VPS_FACT_PROJECT_NS,  ALG_VPS_FACT_POINTS_NS};
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            cr_assert_eq(isnan(info.facts[points[i]]), role == ALG_FIXED, "%s, role %d",
                         alg_vps.facts[points[i]], role);
        }
        alg_vps.dispose(prepared);
    }
}

typedef struct drawn {
    uint32_t size[3], padding;
    vec3 corner;
    double edge;
    size_t runs, voxels;
    bool wrong;
    unsigned char seen[32 * 32 * 32];
} drawn;

static void keep_grid(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                      const uint32_t count[3])
{
    drawn *const d = context;
    d->corner = *corner;
    d->edge = edge;
    d->padding = padding;
    memcpy(d->size, count, sizeof d->size);
}

static void keep_run(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    drawn *const d = context;
    d->runs++;
    d->wrong |= x0 >= x1 || x1 > d->size[0] || y >= d->size[1] || z >= d->size[2];
    for (uint32_t x = x0; x < x1; x++) {
        unsigned char *const seen = &d->seen[(z * 32 + y) * 32 + x];
        d->wrong |= *seen;
        *seen = 1;
        d->voxels++;
    }
}

Test(vps, draws_the_surface_voxels_of_both)
{
    static drawn d;
    static const char *const names[] = {"vps:layers=4,shell-voxels=8,voxels=16",
                                        "vps:layers=4,shell-voxels=8,storage=dense,voxels=16"};
    SCOPED_MESH a = shape_ball((vec3){0.5, 0, 0}, 1, 3), b = shape_torus(8, 1, 0.4);
    for (int i = 0; i < 2; i++) {
        SCOPED_PAIR p = pair_open(names[i], &a, &b, ALL);
        for (int role = 0; role < 2; role++) {
            d = (drawn){0};
            const alg_sink sink = {
                .size = sizeof sink, .context = &d, .grid = keep_grid, .surface_voxels = keep_run};
            alg_vps.draw(role ? p.moving : p.fixed, &sink);
            alg_voxel_grid grid;
            assert_ok(alg_voxel_grid_place(geo_mesh_box(role ? &b : &a), role ? 8 : 16,
                                           role ? 3 : 5, &grid, ERR));
            cr_assert(vec3_equal(d.corner, grid.corner) && d.edge == grid.edge &&
                      d.padding == grid.padding && memcmp(d.size, grid.size, sizeof d.size) == 0);
            cr_assert(!d.wrong && d.runs > 10);
            cr_assert_eq((double)d.voxels,
                         (role ? p.info_b : p.info_a).facts[ALG_VPS_FACT_SURFACE_VOXELS]);
            for (int k = 0; k < 3; k++) { /* an older caller's smaller struct, and functions that
                                             are NULL */
                d = (drawn){0};
                alg_sink less = sink;
                less.size = k == 0 ? offsetof(alg_sink, grid) : sizeof less;
                less.grid = k == 1 ? NULL : keep_grid;
                less.surface_voxels = k == 2 ? NULL : keep_run;
                d.size[0] = d.size[1] = d.size[2] = 32;
                alg_vps.draw(role ? p.moving : p.fixed, &less);
                cr_assert_eq(d.edge == 0, k < 2, "%d", k);
                cr_assert_eq(d.runs == 0, k != 1, "%d", k);
            }
        }
    }
}

/** Returns blocks of surface voxels, of inner voxels, and of a mixture; the outermost voxels are
 * outside. */
static int block_layer(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = context;
    const uint32_t block = x / 8 + 2 * (y / 8) + 3 * (z / 8);
    if (x == 0 || y == 0 || z == 0 || x + 1 == n[0] || y + 1 == n[1] || z + 1 == n[2]) {
        return -1;
    }
    return block % 3 == 0 ? 0 : block % 3 == 1 ? 1 : (int)((x * 7 + y * 3 + z) % 3) - 1;
}

Test(vps, runs_of_surface_voxels)
{
    static drawn d[2];
    SCOPED_ARENA arena = {0};
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {31, 26, 27}};
    const alg_voxel_map dense = map_dense(&grid, 1, block_layer, grid.size, &arena);
    const alg_voxel_map blocked = map_blocked(&dense, &arena);
    for (int i = 0; i < 2; i++) {
        d[i] = (drawn){0};
        memcpy(d[i].size, grid.size, sizeof grid.size);
        const alg_vps_body body = {.map = i ? blocked : dense};
        const alg_sink sink = {.size = sizeof sink, .context = &d[i], .surface_voxels = keep_run};
        alg_vps.draw(&body, &sink);
    }
    cr_assert(!d[0].wrong && d[0].runs > 100 && memcmp(&d[0], &d[1], sizeof *d) == 0);
    for (uint32_t i = 0; i < alg_voxel_grid_count(&grid); i++) {
        const uint32_t x = i % 31, y = i / 31 % 26, z = i / 31 / 26;
        cr_assert_eq(d[0].seen[(z * 32 + y) * 32 + x], alg_voxel_layer(&dense, x, y, z) == 0);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

/** The points of the plate are metres apart and the voxels of the crumb tiny: no number of layers
 * reaches far enough. */
Test(vps, a_reach_beyond_all_layers_is_an_error)
{
    SCOPED_MESH crumb = shape_cube((vec3){0, 0, 0}, 0.001),
                plate = shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 0.1});
    alg_mesh a = shape_body(&crumb, true), b = shape_body(&plate, true);
    alg_variant v;
    alg_message message;
    alg_build_info info;
    void *fixed, *moving, *state;
    cr_assert_eq(alg_variant_parse("vps:contact=possible,shell-voxels=4,voxels=8", 1, &v, &message),
                 ALG_OK);
    cr_assert_eq(alg_vps.prepare(&v.settings, &a, ALG_FIXED, &fixed, &info, &message), ALG_OK);
    cr_assert_eq(alg_vps.prepare(&v.settings, &b, ALG_MOVING, &moving, &info, &message), ALG_OK);
    cr_assert_eq(alg_vps.bind(&v.settings, fixed, moving, PAIR_REQUEST(ALL), &state, &message),
                 ALG_UNSUPPORTED);
    cr_assert(strstr(message.text, "shell-voxels") && !state, "%s", message.text);
    alg_vps.dispose(fixed);
    alg_vps.dispose(moving);
}
