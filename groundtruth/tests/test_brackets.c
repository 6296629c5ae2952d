#include "base/tests/support.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/volume_tetra.h"

#include "rational.h"
#include "shapes.h"

/*
 * Brackets of volumes, gradients and moments compared with exact rationals: small polyhedra near
 * and far from their own origins, in general position, with coincident faces, and with nearly
 * coincident faces.
 *
 * BRACKET_PAIRS=10000 tests that number of pairs; the default is a few hundred.
 */

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Adds the prism over a polygon between the planes z = lo and z = hi. The polygon is
 * counter-clockwise as seen from above and star-shaped about its first corner. */
static void add_prism(shape *s, const double (*corner)[2], int n, double lo, double hi)
{
    vec3 vertices[32];
    geo_face faces[64];
    int f = 0;
    for (int i = 0; i < n; i++) {
        vertices[i] = (vec3){corner[i][0], corner[i][1], lo};
        vertices[n + i] = (vec3){corner[i][0], corner[i][1], hi};
        const uint32_t a = (uint32_t)i, b = (uint32_t)((i + 1) % n), up = (uint32_t)n;
        faces[f++] = (geo_face){{a, b, up + b}};
        faces[f++] = (geo_face){{a, up + b, up + a}};
        if (i >= 1 && i + 1 < n) {
            faces[f++] = (geo_face){{0, b, a}};
            faces[f++] = (geo_face){{up, up + a, up + b}};
        }
    }
    shape_add(s, vertices, 2 * (size_t)n, faces, (size_t)f, false);
}

enum { KINDS = 10 };

/**
 * Adds a body of about size 2 around 0, on a grid of eighths except for the tetrahedron and the
 * ball.
 */
static void add_kind(shape *s, int kind, base_random *random)
{
    static const double ell[6][2] = {{0, 0}, {0, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 0}};
    static const double triangle[3][2] = {{-1, -1}, {1, -1}, {0, 1}};
    static const geo_face tetrahedron[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}};
    static const geo_face octahedron[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                           {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
    switch (kind) {
    case 0: {
        const geo_pose turn = random_pose(random, 0.1);
        const vec3 p[4] = {{-1, -1, -1}, {1, 1, -1}, {-1, 1, 1}, {1, -1, 1}};
        shape_add(s, p, 4, tetrahedron, 4, false);
        shape_move(s, &turn);
        break;
    }
    case 1:
        shape_add_box(s, (vec3){-1, -0.5, -0.25}, (vec3){1, 0.5, 0.75}, false);
        break;
    case 2:
        add_prism(s, triangle, 3, -0.5, 1);
        break;
    case 3:
        add_prism(s, ell, 6, -0.75, 0.75);
        break;
    case 4: /* nested shells */
        shape_add_box(s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
        shape_add_box(s, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
        shape_add_box(s, (vec3){-0.25, -0.25, -0.25}, (vec3){0.25, 0.25, 0.25}, false);
        break;
    case 5:
    case 6: { /* octahedra, one inside the other */
        const vec3 p[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        vec3 half[6];
        for (int i = 0; i < 6; i++) {
            half[i] = vec3_scale(0.5, p[i]);
        }
        shape_add(s, p, 6, octahedron, 8, false);
        if (kind == 6) {
            shape_add(s, half, 6, octahedron, 8, true);
        }
        break;
    }
    case 7:
        shape_add_ball(s, 5, 4, 1);
        break;
    case 8: /* a plate */
        shape_add_box(s, (vec3){-1, -1, 0}, (vec3){1, 1, 0x1p-10}, false);
        break;
    default: /* a needle, in general position */
        shape_add_box(s, (vec3){-1, 0, 0}, (vec3){1, 1e-3, 1e-3}, false);
        const geo_pose turn = random_pose(random, 0.1);
        shape_move(s, &turn);
    }
}

enum { PLACES = 4 };

/** Rounds to eighths: points of that grid stay on it. */
static vec3 to_grid(vec3 v)
{
    return (vec3){rint(8 * v.x) / 8, rint(8 * v.y) / 8, rint(8 * v.z) / 8};
}

/** Makes a body of each kind at 0 and at 1e3, 1e5 and 1e8 of its sizes from 0. */
static void make_bodies(base_random *random, shape bodies[KINDS][PLACES])
{
    static const double far[PLACES] = {0, 1e3, 1e5, 1e8};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int place = 0; place < PLACES; place++) {
            shape *const s = &bodies[kind][place];
            *s = (shape){0};
            add_kind(s, kind, random);
            geo_pose by = geo_pose_identity();
            const vec3 way = geo_random_direction(random);
            /* in eighths, so that points of the grid stay on it */
            by.translation =
                (vec3){rint(8 * far[place] * way.x) / 8, rint(8 * far[place] * way.y) / 8,
                       rint(8 * far[place] * way.z) / 8};
            shape_move(s, &by);
            shape_finish(s);
            cr_assert(s->report.solid, "kind %d at place %d is no solid", kind, place);
            /* TetGen sometimes refuses a needle or never ends; the body then has no tetrahedra */
            (void)!gt_body_tetrahedralise(s->body, &(gt_options){.tetgen_seconds = 100}, NULL);
        }
    }
}

/* --- Poses ------------------------------------------------------------------------------------ */

/** Kinds of poses: in general position; with faces on one grid; nearly so, with a gap or at an
 * angle; and off the grid by the smallest double. */
typedef enum position { GENERAL, COINCIDING, NEARLY, TILTED, LEAST, POSITIONS } position;

/** Returns one of the 24 axis rotations, with a rounded matrix. */
static geo_pose turn_of(uint64_t index)
{
    const double sign[3] = {index & 1 ? -1 : 1, index & 2 ? -1 : 1, index & 4 ? -1 : 1};
    const geo_quat turns[3] = {{sign[0], sign[1], sign[2], 1},
                               {0, sign[0], 0, sign[1]},
                               {sign[0], 0, 0, index & 2 ? 0 : 1.0}};
    return geo_pose_make(turns[index / 8 % 3], (vec3){0, 0, 0});
}

/** Returns a pose that brings b's middle near a's. */
static geo_pose pose_of(const shape *a, const shape *b, position where, base_random *random)
{
    static const double slightly[4] = {0x1p-50, 1e-13, 1e-9, 1e-5};
    const vec3 way = vec3_scale(1.5 * base_random_unit(random), geo_random_direction(random));
    const vec3 off = vec3_add(a->body->centre, way);
    geo_pose pose = random_pose(random, 0);
    if (where == GENERAL) {
        pose.translation = vec3_sub(off, geo_pose_rotate(&pose, b->body->centre));
        return pose;
    }
    pose = turn_of(base_random_below(random, 24));
    const double e = slightly[base_random_below(random, 4)];
    if (where == TILTED) {
        /* where edges are nearly in faces, rounding moves points far along them */
        const vec3 axis = vec3_scale(e, geo_random_direction(random));
        const geo_pose tilt = geo_pose_make((geo_quat){axis.x, axis.y, axis.z, 1}, axis);
        pose.rotation = geo_pose_compose(&tilt, &pose).rotation;
        pose.translation = vec3_sub(to_grid(off), geo_pose_rotate(&pose, b->body->centre));
        return pose;
    }
    if (where != NEARLY) {
        for (int i = 0; i < 3; i++) {
            const vec3 r = pose.rotation.row[i];
            pose.rotation.row[i] = (vec3){rint(r.x), rint(r.y), rint(r.z)};
        }
    }
    pose.translation = to_grid(vec3_sub(off, geo_pose_rotate(&pose, b->body->centre)));
    if (where == NEARLY) {
        pose.translation = vec3_madd(pose.translation, e, geo_random_direction(random));
    } else if (where == LEAST) {
        const double least = 0x1p-1074;
        const vec3 from = base_random_below(random, 2) ? pose.translation : (vec3){0, 0, 0};
        pose.translation = vec3_add(from, (vec3){least, -least, least});
    }
    return pose;
}

/* --- The sweep -------------------------------------------------------------------------------- */

enum { BY_FLUX, BY_TETRAHEDRA, GRADIENT, TORQUE, QUANTITIES };

typedef struct tally {
    int pairs, over, derivatives;
    double worst[QUANTITIES]; /* ratio of error to slack */
} tally;

static void hold(tally *t, int quantity, double error, double slack, const char *where)
{
    static const char *const names[QUANTITIES] = {"volume by flux", "volume by tetrahedra",
                                                  "gradient", "torque"};
    cr_assert(error <= slack, "%s: %s is off by %g, slack %g", where, names[quantity], error,
              slack);
    const double share = error > 0 ? error / slack : 0;
    t->worst[quantity] = share > t->worst[quantity] ? share : t->worst[quantity];
}

static void try_pair(const shape *a, const shape *b, const geo_pose *pose, bool derivatives,
                     const char *where, tally *t)
{
    gt_flux f;
    gt_flux_space *const space = gt_flux_space_create();
    cr_assert_not_null(space);
    assert_ok(gt_flux_query(a->body, b->body, pose, space, &f, ERR));
    gt_flux_space_destroy(space);
    cr_assert_eq(f.flaws, 0, "%s: %llu flaws", where, (unsigned long long)f.flaws);

    rational_overlap exact;
    rational_overlap_init(&exact);
    rational_overlap_of(&a->mesh, &b->mesh, pose, derivatives, &exact);
    t->pairs++;
    t->over += mpf_sgn(exact.volume) > 0;
    hold(t, BY_FLUX, fabs(rational_difference(f.value_m3, exact.volume)),
         f.volume_m3.hi - f.value_m3, where);
    if (gt_body_tetrahedron_count(a->body) > 0 && gt_body_tetrahedron_count(b->body) > 0) {
        gt_volume v;
        gt_volume_query(a->body, b->body, pose, &v);
        hold(t, BY_TETRAHEDRA, fabs(rational_difference(v.value_m3, exact.volume)),
             v.volume_m3.hi - v.value_m3, where);
    }
    if (derivatives) {
        double bound;
        const vec3 about = geo_pose_apply(pose, b->body->centre);
        const vec3 torque = gt_flux_torque(&f, about, &bound);
        rational_turn_moment(&exact.moment, &exact.gradient, about);
        hold(t, GRADIENT, rational_distance(f.gradient_m2, &exact.gradient), f.gradient_bound_m2,
             where);
        hold(t, TORQUE, rational_distance(torque, &exact.moment), bound, where);
        t->derivatives++;
    }
    rational_overlap_clear(&exact);
}

/** Tests pairs of one set of bodies. */
static void sweep(uint64_t seed, int pairs, tally *t)
{
    static shape bodies[KINDS][PLACES];
    base_random random = base_random_seed(seed);
    make_bodies(&random, bodies);
    for (int i = 0; i < pairs; i++) {
        const uint64_t ka = base_random_below(&random, KINDS),
                       pa = base_random_below(&random, PLACES);
        const uint64_t kb = base_random_below(&random, KINDS),
                       pb = base_random_below(&random, PLACES);
        const shape *const a = &bodies[ka][pa], *const b = &bodies[kb][pb];
        const position place = (position)(i % POSITIONS);
        const geo_pose pose = pose_of(a, b, place, &random);
        char where[128];
        snprintf(where, sizeof where, "seed %llu, pair %d: kinds %d and %d, places %d and %d",
                 (unsigned long long)seed, i, (int)ka, (int)kb, (int)pa, (int)pb);
        try_pair(a, b, &pose, place != LEAST, where, t);
    }
    for (int i = 0; i < KINDS * PLACES; i++) {
        shape_release(&bodies[i / PLACES][i % PLACES]);
    }
}

Test(brackets, hold_exact_rationals)
{
    enum { OF_A_SET = 400 };
    const char *const asked = getenv("BRACKET_PAIRS");
    const int pairs = asked ? atoi(asked) : OF_A_SET / (int)sweep_step(4);
    tally t = {0};
    for (int done = 0; done < pairs; done += OF_A_SET) {
        const int left = pairs - done;
        sweep(61 + (uint64_t)(done / OF_A_SET), left < OF_A_SET ? left : OF_A_SET, &t);
    }
    cr_assert(t.over > pairs / 2 && t.derivatives >= pairs / POSITIONS, "%d of %d overlap", t.over,
              t.pairs);
    printf("%d pairs, %d overlap; errors by slacks at most: %.3g by flux, %.3g by tetrahedra, "
           "%.3g gradient, %.3g torque\n",
           t.pairs, t.over, t.worst[BY_FLUX], t.worst[BY_TETRAHEDRA], t.worst[GRADIENT],
           t.worst[TORQUE]);
}

/* --- Former faults ---------------------------------------------------------------------------- */

/** Nested octahedra, which a third of a turn and the smallest shifts and rotations leave in
 * place. Products of coordinates of that size underflow to 0. */
Test(brackets, shifts_by_the_least_double)
{
    static const double least[3] = {0x1p-1074, 1e-200, 1e-61};
    SCOPED_SHAPE s = {0};
    base_random random = base_random_seed(62);
    gt_flux_space *const space = gt_flux_space_create();
    add_kind(&s, 6, &random);
    shape_finish(&s);
    for (int i = 0; i < 3 * 27; i++) {
        const double e = least[i / 27];
        const vec3 way = {e * (i % 3 - 1), e * (i / 3 % 3 - 1), e * (i / 9 % 3 - 1)};
        const geo_pose poses[2] = {
            geo_pose_make((geo_quat){1, 1, 1, 1}, way),
            geo_pose_make((geo_quat){way.x, way.y, way.z, 1}, (vec3){0, 0, 0}),
        };
        for (int k = 0; k < 2; k++) {
            gt_flux f;
            gt_distance d;
            assert_ok(gt_flux_query(s.body, s.body, &poses[k], space, &f, ERR));
            cr_assert(f.flaws == 0 && fabs(f.value_m3 - 7.0 / 6) < 1e-15,
                      "%s %d of %g: %.17g, %llu flaws", k == 0 ? "shift" : "turn", i % 27, e,
                      f.value_m3, (unsigned long long)f.flaws);
            gt_distance_query(s.body, s.body, &poses[k], &d);
            cr_assert(d.surface_m.hi == 0, "%s %d of %g: surfaces %g apart",
                      k == 0 ? "shift" : "turn", i % 27, e, d.surface_m.hi);
        }
    }
    gt_flux_space_destroy(space);
}

/** A body far from its own origin is not inside another one that it nearly touches. */
Test(brackets, gaps_of_bodies_from_afar)
{
    base_random random = base_random_seed(63);
    const double far = 1e5;
    SCOPED_SHAPE a = shape_cube(1);
    SCOPED_SHAPE b = shape_box((vec3){far, -far, far}, (vec3){far + 1, 1 - far, far + 1});
    int apart = 0;
    for (int i = 0; i < 200; i++) {
        geo_pose pose = random_pose(&random, 0);
        const vec3 way = geo_random_direction(&random);
        pose.translation = vec3_sub(vec3_scale(3, way), geo_pose_rotate(&pose, b.body->centre));
        gt_distance d;
        gt_distance_query(a.body, b.body, &pose, &d);
        const vec3 gap = vec3_sub(d.witness_a, d.witness_b);
        const double rest = 1e-13 * (double)(1 + i % 100) / vec3_norm(gap);
        pose.translation = vec3_madd(pose.translation, 1 - rest, gap);
        rational_overlap exact;
        rational_overlap_init(&exact);
        rational_overlap_of(&a.mesh, &b.mesh, &pose, false, &exact);
        gt_distance_query(a.body, b.body, &pose, &d);
        if (mpf_sgn(exact.volume) == 0 && d.surface_m.lo > 0) {
            gt_distance brute;
            gt_distance_brute(a.body, b.body, &pose, &brute);
            cr_assert_eq(d.distance_m.lo, d.surface_m.lo,
                         "seed 63, frame %d: [%g, %g], surfaces [%g, %g]", i, d.distance_m.lo,
                         d.distance_m.hi, d.surface_m.lo, d.surface_m.hi);
            cr_assert_eq(brute.distance_m.lo, brute.surface_m.lo, "seed 63, frame %d, brute force",
                         i);
            apart++;
        }
        rational_overlap_clear(&exact);
    }
    cr_assert(apart > 50, "%d", apart);
}
