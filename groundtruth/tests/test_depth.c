#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/trajectory.h"

#include "exact.h"
#include "hulls.h"

#include <float.h>
#include <string.h>

static gt_depth query(const shape *a, const shape *b, geo_pose pose)
{
    gt_depth d;
    gt_depth_query(a->body, b->body, &pose, &d);
    return d;
}

static double slack_of(const shape *a, const shape *b, geo_pose pose)
{
    return 80 * DBL_EPSILON * gt_pair_reach(a->body, b->body, &pose) +
           16 * DBL_EPSILON * b->body->reach;
}

/* --- The reference: every possible facet direction, every vertex, in long double -------------- */

typedef struct vec3l {
    long double x, y, z;
} vec3l;

static vec3l lift(vec3 v)
{
    return (vec3l){v.x, v.y, v.z};
}

static vec3l sub(vec3l a, vec3l b)
{
    return (vec3l){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec3l cross(vec3l a, vec3l b)
{
    return (vec3l){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double dot(vec3l a, vec3l b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

enum { POINTS = 64, EDGES = 3 * POINTS };

typedef struct cloud {
    vec3l points[POINTS], edges[EDGES], normals[2 * POINTS];
    size_t point_count, edge_count, normal_count;
} cloud;

static cloud make_cloud(const shape *s, const geo_pose *pose)
{
    cloud c = {.point_count = s->mesh.vertex_count};
    cr_assert(c.point_count <= POINTS && s->mesh.face_count <= 2 * POINTS);
    for (size_t i = 0; i < c.point_count; i++) {
        c.points[i] = lift(geo_pose_apply(pose, s->mesh.vertices[i]));
    }
    for (size_t f = 0; f < s->mesh.face_count; f++) {
        const uint32_t *const v = s->mesh.faces[f].v;
        const vec3l p = c.points[v[0]], q = c.points[v[1]], r = c.points[v[2]];
        c.normals[c.normal_count++] = cross(sub(q, p), sub(r, p));
        for (int k = 0; k < 3; k++) {
            if (v[k] < v[(k + 1) % 3]) {
                c.edges[c.edge_count++] = sub(c.points[v[(k + 1) % 3]], c.points[v[k]]);
            }
        }
    }
    return c;
}

/** Returns how far B has to move along n to be out; < 0: B is out by that distance. */
static long double width(const cloud *a, const cloud *b, vec3l n)
{
    long double top = -INFINITY, bottom = INFINITY;
    for (size_t i = 0; i < a->point_count; i++) {
        const long double h = dot(n, a->points[i]);
        top = h > top ? h : top;
    }
    for (size_t i = 0; i < b->point_count; i++) {
        const long double h = dot(n, b->points[i]);
        bottom = h < bottom ? h : bottom;
    }
    return (top - bottom) / sqrtl(dot(n, n));
}

static long double either_way(const cloud *a, const cloud *b, vec3l n, long double best)
{
    const vec3l back = {-n.x, -n.y, -n.z};
    const long double w = width(a, b, n), v = width(a, b, back);
    const long double least = w < v ? w : v;
    return least < best ? least : best;
}

/** Exact up to 1e-19. Nearly parallel edges give superfluous directions, which do no harm. */
static double brute(const shape *a, const shape *b, geo_pose pose)
{
    const geo_pose stay = geo_pose_identity();
    const cloud ca = make_cloud(a, &stay), cb = make_cloud(b, &pose);
    long double best = INFINITY;
    for (size_t i = 0; i < ca.normal_count; i++) {
        best = either_way(&ca, &cb, ca.normals[i], best);
    }
    for (size_t i = 0; i < cb.normal_count; i++) {
        best = either_way(&ca, &cb, cb.normals[i], best);
    }
    for (size_t i = 0; i < ca.edge_count; i++) {
        for (size_t j = 0; j < cb.edge_count; j++) {
            const vec3l n = cross(ca.edges[i], cb.edges[j]);
            const long double scale = dot(ca.edges[i], ca.edges[i]) * dot(cb.edges[j], cb.edges[j]);
            if (dot(n, n) > 1e-24L * scale) {
                best = either_way(&ca, &cb, n, best);
            }
        }
    }
    return best > 0 ? (double)best : 0;
}

/* --- Properties of every answer --------------------------------------------------------------- */

static geo_pose moved(geo_pose pose, double length, vec3 direction)
{
    return (geo_pose){pose.rotation, vec3_madd(pose.translation, length, direction)};
}

/**
 * Checks that B is apart after a move slightly longer than the depth, and collides after a slightly
 * shorter one.
 */
static void check_way_out(const shape *a, const shape *b, geo_pose pose, const gt_depth *d,
                          const char *name, int trial)
{
    const double s = slack_of(a, b, pose);
    const double hair = 1e-9 * s / DBL_EPSILON / 64;
    gt_distance out, in;
    const geo_pose far = moved(pose, d->depth_m.hi + hair, d->direction);
    gt_distance_query(a->body, b->body, &far, &out);
    cr_assert(out.distance_m.lo > 0 && out.distance_m.lo <= 2 * hair, "%s %d: %g apart", name,
              trial, out.distance_m.lo);
    const geo_pose near = moved(pose, d->depth_m.lo - hair, d->direction);
    if (d->depth_m.lo > hair) {
        gt_distance_query(a->body, b->body, &near, &in);
        cr_assert(in.distance_m.hi == 0, "%s %d: still %g apart", name, trial, in.distance_m.hi);
    }
    const vec3 move = vec3_scale(middle(d->depth_m), d->direction);
    const vec3 gap = vec3_sub(d->witness_a, vec3_add(d->witness_b, move));
    cr_assert(vec3_norm(gap) <= 4 * s, "%s %d: witnesses miss by %g", name, trial, vec3_norm(gap));
}

/** Checks that the swapped pair has the same depth and the opposite direction, up to ties. */
static void check_swapped(const shape *a, const shape *b, geo_pose pose, const gt_depth *d,
                          const char *name, int trial)
{
    const geo_pose inverse = geo_pose_inverse(&pose);
    const gt_depth e = query(b, a, inverse);
    const double s = slack_of(a, b, pose) + slack_of(b, a, inverse);
    cr_assert(fabs(middle(e.depth_m) - middle(d->depth_m)) <= s, "%s %d: %.17g, swapped %.17g",
              name, trial, middle(d->depth_m), middle(e.depth_m));
    const vec3 back = vec3_scale(-1, geo_pose_rotate(&pose, e.direction));
    const geo_pose out = moved(pose, d->depth_m.hi + 1e6 * s, back);
    gt_distance apart;
    gt_distance_query(a->body, b->body, &out, &apart);
    cr_assert(apart.distance_m.lo > 0, "%s %d: the swapped direction", name, trial);
}

/* --- Closed forms ----------------------------------------------------------------------------- */

Test(depth, boxes)
{
    SCOPED_SHAPE a = convex_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = convex_box((vec3){-0.5, -0.25, -2}, (vec3){0.5, 0.25, 2});
    const struct {
        const char *name;
        vec3 at;
        double depth;
        vec3 direction; /* 0: several */
    } cases[] = {
        {"side", {1.25, 0, 0}, 0.25, {1, 0, 0}},
        {"other side", {0, -1, 0}, 0.25, {0, -1, 0}},
        {"edge", {1.25, 1, 0}, 0.25, {0, 0, 0}},
        {"corner", {1.375, 1.125, -2.875}, 0.125, {0, 0, 0}},
        {"through", {0.125, 0, 0}, 1.25, {0, 0, 0}},
        {"middle", {0, 0, 0}, 1.25, {0, 0, 0}},
        {"hair", {1.5 - 0x1p-30, 0, 0}, 0x1p-30, {1, 0, 0}},
        {"touching face", {1.5, 0, 0}, 0, {1, 0, 0}},
        {"touching edge", {1.5, 1.25, 0}, 0, {0, 0, 0}},
        {"touching corner", {1.5, 1.25, 3}, 0, {0, 0, 0}},
        {"apart", {3.5, 0.5, 0}, 0, {1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const geo_pose pose = shift(cases[i].at.x, cases[i].at.y, cases[i].at.z);
        const gt_depth d = query(&a, &b, pose);
        cr_assert(within(d.depth_m, cases[i].depth), "%s: [%.17g, %.17g]", cases[i].name,
                  d.depth_m.lo, d.depth_m.hi);
        cr_assert(d.depth_m.hi - d.depth_m.lo <= 2.001 * (1e-12 * 1.25 + slack_of(&a, &b, pose)));
        if (vec3_norm2(cases[i].direction) > 0) {
            cr_assert(vec3_distance(d.direction, cases[i].direction) < 1e-15, "%s: %g %g %g",
                      cases[i].name, d.direction.x, d.direction.y, d.direction.z);
        }
        if (i + 1 < sizeof cases / sizeof cases[0]) {
            check_way_out(&a, &b, pose, &d, cases[i].name, 0);
            check_swapped(&a, &b, pose, &d, cases[i].name, 0);
        }
    }
    const gt_depth apart = query(&a, &b, shift(3.5, 0.5, 0));
    cr_assert(vec3_distance(apart.witness_a, apart.witness_b) == 2 && apart.supports == 0);
}

/**
 * Returns the depth of two boxes by the fifteen axes of the separating axis theorem, from half
 * edges alone.
 */
static double boxes_by_axes(vec3 ha, vec3 hb, const geo_pose *pose)
{
    const mat3 t = mat3_transpose(pose->rotation);
    double best = INFINITY;
    for (int i = 0; i < 15; i++) {
        const vec3 axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        const vec3 n = vec3_normalize(i < 3   ? axis
                                      : i < 6 ? t.row[i - 3]
                                              : vec3_cross(axis, t.row[i / 3 - 2]));
        const vec3 in_b = mat3_tmul_vec3(pose->rotation, n);
        const double reach = vec3_dot(vec3_abs(n), ha) + vec3_dot(vec3_abs(in_b), hb);
        const double depth = reach - fabs(vec3_dot(n, pose->translation));
        best = vec3_norm2(n) > 0 && depth < best ? depth : best;
    }
    return best > 0 ? best : 0;
}

Test(depth, rotated_boxes_by_separating_axes)
{
    base_random random = base_random_seed(51);
    int edges = 0, deep = 0;
    for (int trial = 0; trial < 300; trial++) {
        const vec3 ha = {base_random_range(&random, 0.2, 1), base_random_range(&random, 0.2, 1),
                         base_random_range(&random, 0.2, 1)};
        const vec3 hb = {base_random_range(&random, 0.2, 1), base_random_range(&random, 0.2, 1),
                         base_random_range(&random, 0.2, 1)};
        SCOPED_SHAPE a = convex_box(vec3_scale(-1, ha), ha), b = convex_box(vec3_scale(-1, hb), hb);
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.6));
        const gt_depth d = query(&a, &b, pose);
        const double expected = boxes_by_axes(ha, hb, &pose);
        cr_assert(within(d.depth_m, expected), "%d: [%.17g, %.17g], not %.17g", trial, d.depth_m.lo,
                  d.depth_m.hi, expected);
        if (expected > 0) {
            const vec3 in_b = mat3_tmul_vec3(pose.rotation, d.direction);
            const vec3 x = vec3_abs(d.direction), y = vec3_abs(in_b);
            edges += x.x < 0.999 && x.y < 0.999 && x.z < 0.999 && y.x < 0.999 && y.y < 0.999 &&
                     y.z < 0.999;
            deep++;
            check_way_out(&a, &b, pose, &d, "box", trial);
        }
    }
    cr_assert(edges > 20 && deep > 150 && deep < 300, "%d by edges of %d", edges, deep);
}

Test(depth, balls)
{
    /* Hulls of points on spheres of radius 1: the depth is slightly below 2 - distance. */
    base_random random = base_random_seed(52);
    SCOPED_SHAPE a = random_hull(&random, 800, (vec3){1, 1, 1});
    SCOPED_SHAPE b = random_hull(&random, 800, (vec3){1, 1, 1});
    for (int trial = 0; trial < 20; trial++) {
        const double distance = 0.1 * trial + 0.05;
        const geo_pose pose = random_pose(&random, distance);
        const gt_depth d = query(&a, &b, pose);
        const double gap = 2 - distance;
        cr_assert(d.depth_m.hi <= gap && d.depth_m.lo > gap - 0.03, "%g: %g", distance,
                  d.depth_m.lo);
        check_way_out(&a, &b, pose, &d, "ball", trial);
        check_swapped(&a, &b, pose, &d, "ball", trial);
    }
}

/* --- Comparison with the reference ------------------------------------------------------------ */

Test(depth, random_hulls_against_all_directions)
{
    base_random random = base_random_seed(53);
    const int part = (int)sweep_step(5);
    int colliding = 0;
    for (int trial = 0; trial < 1000 / part; trial++) {
        const uint32_t na = 4 + (uint32_t)base_random_below(&random, 14);
        const uint32_t nb = 4 + (uint32_t)base_random_below(&random, 14);
        const double flat = trial % 3 == 0 ? 0.02 : 1;
        SCOPED_SHAPE a = random_hull(&random, na, (vec3){1, 0.7, flat});
        SCOPED_SHAPE b = random_hull(&random, nb, (vec3){0.5, 1, 0.8});
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.5));
        const gt_depth d = query(&a, &b, pose);
        const double expected = brute(&a, &b, pose);
        cr_assert(within(d.depth_m, expected), "%d: [%.17g, %.17g], not %.17g", trial, d.depth_m.lo,
                  d.depth_m.hi, expected);
        if (d.depth_m.lo > 0) {
            colliding++;
            check_way_out(&a, &b, pose, &d, "hull", trial);
            check_swapped(&a, &b, pose, &d, "hull", trial);
        }
    }
    cr_assert(colliding > 400 / part && colliding < 950 / part, "%d collide", colliding);
}

Test(depth, degenerate_pairs_against_all_directions)
{
    base_random random = base_random_seed(54);
    shape shapes[] = {
        convex_box((vec3){-1, -1, -1}, (vec3){1, 1, 1}),
        convex_box((vec3){-1, -0.5, -0.001}, (vec3){1, 0.5, 0.001}),
        convex_prism(6, 1, 1, 0.5),
        convex_prism(12, 1, 0, 1),
        convex_prism(4, 0.7, 0, 0.1),
        convex_prism(3, 1, 0.5, 3),
    };
    enum { COUNT = sizeof shapes / sizeof shapes[0] };
    const geo_quat turns[] = {
        {0, 0, 0, 1},       {0, 0, 1, 1},       {1, 1, 1, 1},          {0, 0, 0x1p-20, 1},
        {0, 0x1p-30, 0, 1}, {0x1p-45, 0, 0, 1}, {1e-8, 1e-9, 3e-8, 1}, {0.3, 0, 0, 0.95},
    };
    int overlap = 0;
    for (int i = 0; i < COUNT * COUNT; i++) {
        const shape *const a = &shapes[i / COUNT], *const b = &shapes[i % COUNT];
        for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
            for (int at = 0; at < 4; at++) {
                const double x = 0.25 * (double)base_random_below(&random, 5) * (at > 0);
                const double y = 0.5 * (double)base_random_below(&random, 3) * (at > 1);
                const geo_pose pose = geo_pose_make(turns[k], (vec3){x, y, at > 2 ? 0.125 : 0});
                const gt_depth d = query(a, b, pose);
                const double expected = brute(a, b, pose);
                cr_assert(within(d.depth_m, expected),
                          "pair %d turn %zu at %d: [%.17g, %.17g], "
                          "not %.17g",
                          i, k, at, d.depth_m.lo, d.depth_m.hi, expected);
                if (d.depth_m.lo > 0) {
                    overlap++;
                    check_way_out(a, b, pose, &d, "degenerate", i);
                }
            }
        }
    }
    cr_assert(overlap > 800, "%d overlap", overlap);
    for (int i = 0; i < COUNT; i++) {
        shape_release(&shapes[i]);
    }
}

/* --- Invariants ------------------------------------------------------------------------------- */

Test(depth, one_in_the_other)
{
    SCOPED_SHAPE big = convex_box((vec3){-3, -2, -1}, (vec3){3, 2, 1});
    SCOPED_SHAPE small = convex_prism(8, 0.25, 0.25, 0.5);
    const geo_pose pose = shift(0, 0, 0.25);
    const gt_depth d = query(&big, &small, pose);
    cr_assert(within(d.depth_m, 1.25) && vec3_distance(d.direction, (vec3){0, 0, 1}) < 1e-15);
    check_way_out(&big, &small, pose, &d, "inside", 0);
    check_swapped(&big, &small, pose, &d, "inside", 0);
}

Test(depth, rigid_motion_and_scale)
{
    const double factors[] = {1e-12, 1e-3, 0x1p-7, 1, 0x1p20, 1e12};
    base_random random = base_random_seed(55);
    for (int trial = 0; trial < 60; trial++) {
        SCOPED_SHAPE a = random_hull(&random, 30, (vec3){1, 0.7, 0.4});
        SCOPED_SHAPE b = random_hull(&random, 20, (vec3){0.5, 1, 0.8});
        const geo_pose pose = random_pose(&random, 0.7);
        const gt_depth d = query(&a, &b, pose);
        const double factor = factors[trial % 6], slack = slack_of(&a, &b, pose);
        const geo_pose motion = random_pose(&random, 2);
        const vec3 t = vec3_scale(factor, motion.translation);
        const geo_pose world = {motion.rotation, t};
        SCOPED_SHAPE c = {0}, e = {0};
        shape_add(&c, a.mesh.vertices, a.mesh.vertex_count, a.mesh.faces, a.mesh.face_count, false);
        shape_add(&e, b.mesh.vertices, b.mesh.vertex_count, b.mesh.faces, b.mesh.face_count, false);
        shape_scale(&c, factor);
        shape_scale(&e, factor);
        shape_move(&c, &world);
        shape_finish(&c);
        shape_finish(&e);
        shape_make_hull(&c);
        shape_make_hull(&e);
        const geo_pose placed = {pose.rotation, vec3_scale(factor, pose.translation)};
        const gt_depth f = query(&c, &e, geo_pose_compose(&world, &placed));
        const double off = fabs(middle(f.depth_m) / factor - middle(d.depth_m));
        cr_assert(off <= 8 * slack, "%d, by %g: off by %g", trial, factor, off);
        const vec3 turned = geo_pose_rotate(&world, d.direction);
        cr_assert(vec3_distance(f.direction, turned) < 1e-9, "%d: direction off by %g", trial,
                  vec3_distance(f.direction, turned));
    }
}

Test(depth, nearly_parallel_edges)
{
    /* Two roofs cross at an angle of any size: the facet of their ridges is far from all others. */
    const double angles[] = {1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15, 1e-16, 0};
    const double heights[] = {1e-3, 1e-6, 1e-9, 1e-11};
    const vec3 roof[] = {{-50, 0, 0}, {50, 0, 0}, {-1, -1, -1}, {1, 1, -1}};
    SCOPED_SHAPE a = shape_hull(roof, 4);
    shape_make_hull(&a);
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        for (int k = 0; k < 24; k++) {
            const geo_quat upside_down = {1, 0, 0.001 * (k / 4), 0};
            const geo_quat turn = geo_quat_mul((geo_quat){0, 0, angles[i] / 2, 1}, upside_down);
            const vec3 at = {0.1 * k, 0, -heights[k % 4]};
            const geo_pose pose = geo_pose_make(turn, at);
            const gt_depth d = query(&a, &a, pose);
            const double expected = brute(&a, &a, pose);
            cr_assert(within(d.depth_m, expected), "%g, %d: [%.17g, %.17g], not %.17g", angles[i],
                      k, d.depth_m.lo, d.depth_m.hi, expected);
        }
    }
}

Test(depth, answers_repeat_and_allocate_nothing)
{
    base_random random = base_random_seed(56);
    SCOPED_SHAPE a = random_hull(&random, 200, (vec3){1, 1, 1}),
                 b = random_hull(&random, 100, (vec3){1, 2, 1});
    const geo_pose pose = random_pose(&random, 0.5);
    const gt_depth d = query(&a, &b, pose);
    base_memory_fail_after(0);
    const gt_depth e = query(&a, &b, pose);
    base_memory_fail_after(SIZE_MAX);
    cr_assert(d.depth_m.lo == e.depth_m.lo && d.depth_m.lo > 0);
    cr_assert(vec3_equal(d.direction, e.direction) && vec3_equal(d.witness_b, e.witness_b));
    cr_assert(d.facets == a.mesh.face_count + b.mesh.face_count && d.supports < 100);
}

/* --- The hull of a body ----------------------------------------------------------------------- */

static void check_refused(shape *s, const char *reason)
{
    base_error err = {0};
    cr_assert_eq(gt_body_make_hull(s->body, &err), BASE_ERR_INPUT);
    cr_assert(strstr(err.text, reason), "'%s', not '%s'", err.text, reason);
    cr_assert(!s->body->hull);
    base_error again = {0};
    const size_t bytes = gt_body_bytes(s->body);
    cr_assert_eq(gt_body_make_hull(s->body, &again), BASE_ERR_INPUT);
    cr_assert_str_eq(again.text, err.text);
    cr_assert_eq(gt_body_bytes(s->body), bytes, "decided once");
    shape_release(s);
}

Test(depth, box_has_six_facets)
{
    SCOPED_SHAPE s = shape_box((vec3){-1, -2, -3}, (vec3){1, 2, 3});
    cr_assert(!s.body->hull);
    shape_make_hull(&s);
    const gt_hull *const hull = s.body->hull;
    cr_assert(s.body->hull && hull->error_m == 0);
    cr_assert(hull->facet_count == 6 && hull->arc_count == 12 && hull->point_count == 8);
    for (uint32_t i = 0; i < hull->arc_count; i++) {
        const gt_arc *const arc = &hull->arcs[i];
        const vec3 turn = vec3_cross(arc->from, arc->to);
        cr_assert(vec3_equal(turn, arc->along), "arc %u: %g %g %g", i, turn.x, turn.y, turn.z);
    }
    shape_make_hull(&s);
    cr_assert(s.body->hull == hull);
}

/**
 * Makes an octahedron with each face cut into k^2, so that most vertices and edges are inside
 * facets.
 */
static shape cut_octahedron(uint32_t k)
{
    shape s = {0};
    vec3 *const v = base_alloc(8 * (size_t)(k + 1) * (k + 1), sizeof *v);
    geo_face *const f = base_alloc(8 * (size_t)k * k, sizeof *f);
    uint32_t nv = 0;
    size_t nf = 0;
    for (int octant = 0; octant < 8; octant++) {
        uint32_t at[32][32];
        for (uint32_t i = 0; i <= k; i++) {
            for (uint32_t j = 0; i + j <= k; j++) {
                const vec3 p = {octant & 1 ? -(double)i : i, octant & 2 ? -(double)j : j,
                                octant & 4 ? -(double)(k - i - j) : (double)(k - i - j)};
                for (at[i][j] = 0; at[i][j] < nv && !vec3_equal(v[at[i][j]], p); at[i][j]++) {
                }
                v[at[i][j]] = p;
                nv += at[i][j] == nv;
            }
        }
        const bool flip = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2);
        for (uint32_t i = 0; i < k; i++) {
            for (uint32_t j = 0; i + j < k; j++) {
                const uint32_t p = at[i][j], q = at[i + 1][j], r = at[i][j + 1];
                f[nf++] = (geo_face){{p, flip ? r : q, flip ? q : r}};
                if (i + j + 1 < k) {
                    const uint32_t t = at[i + 1][j + 1];
                    f[nf++] = (geo_face){{q, flip ? r : t, flip ? t : r}};
                }
            }
        }
    }
    shape_add(&s, v, nv, f, nf, false);
    base_free(v);
    base_free(f);
    shape_finish(&s);
    cr_assert(s.report.solid);
    return s;
}

Test(depth, coplanar_faces_are_one_facet)
{
    SCOPED_SHAPE s = cut_octahedron(8);
    shape_make_hull(&s);
    const gt_hull *const hull = s.body->hull;
    cr_assert(hull->facet_count == 8 && hull->arc_count == 12, "%u facets, %u arcs",
              hull->facet_count, hull->arc_count);
    for (uint32_t f = 0; f < 8; f++) {
        const vec3 n = vec3_abs(hull->facets[f].normal);
        cr_assert(vec3_distance(n, vec3_scale(sqrt(1.0 / 3), (vec3){1, 1, 1})) < 1e-15);
    }
    gt_depth d;
    const geo_pose here = geo_pose_identity();
    gt_depth_query(s.body, s.body, &here, &d);
    cr_assert(within(d.depth_m, 16 / sqrt(3)), "%.17g", d.depth_m.lo);
}

Test(depth, turned_flat_faces_are_rounding)
{
    /* A subdivided face that is rotated is flat up to rounding: some of its edges become
     * notches. */
    base_random random = base_random_seed(61);
    int rounded = 0;
    for (int trial = 0; trial < 20; trial++) {
        SCOPED_SHAPE s = {0}, cut = cut_octahedron(6);
        const geo_pose pose = random_pose(&random, 3);
        shape_add(&s, cut.mesh.vertices, cut.mesh.vertex_count, cut.mesh.faces, cut.mesh.face_count,
                  false);
        shape_move(&s, &pose);
        shape_finish(&s);
        shape_make_hull(&s);
        rounded += s.body->hull->error_m > 0;
        cr_assert(s.body->hull->error_m < 1e-14, "%g", s.body->hull->error_m);
        gt_depth d, e;
        const geo_pose back = geo_pose_inverse(&pose);
        shape_make_hull(&cut);
        const geo_pose there = random_pose(&random, 4);
        const geo_pose composed = geo_pose_compose(&there, &back);
        gt_depth_query(cut.body, s.body, &composed, &d);
        gt_depth_query(cut.body, cut.body, &there, &e);
        cr_assert(fabs(middle(d.depth_m) - middle(e.depth_m)) < 1e-13, "%d: %.17g, not %.17g",
                  trial, middle(d.depth_m), middle(e.depth_m));
    }
    cr_assert(rounded > 10, "%d were rounded", rounded);
}

Test(depth, bodies_that_are_not_convex_are_refused)
{
    shape torus = {0};
    shape_add_torus(&torus, 12, 8, 1, 0.25);
    shape_finish(&torus);
    check_refused(&torus, "make a notch");

    shape two = {0};
    shape_add_box(&two, (vec3){0, 0, 0}, (vec3){1, 1, 1}, false);
    shape_add_box(&two, (vec3){2, 0, 0}, (vec3){3, 1, 1}, false);
    shape_finish(&two);
    check_refused(&two, "2 components");

    shape hollow = {0};
    shape_add_box(&hollow, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    shape_add_box(&hollow, (vec3){-0.5, -0.5, -0.5}, (vec3){0.5, 0.5, 0.5}, true);
    shape_finish(&hollow);
    check_refused(&hollow, "2 components");

    shape open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    check_refused(&open, "not a solid: 3 open edges");

    /* Two tetrahedra that share a vertex. */
    shape bow = {0};
    const vec3 v[] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                      {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    const geo_face f[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}},
                          {{0, 4, 5}}, {{0, 6, 4}}, {{0, 5, 6}}, {{4, 6, 5}}};
    shape_add(&bow, v, 7, f, 8, false);
    shape_finish(&bow);
    check_refused(&bow, "meet in a vertex");
}

/** True if each vertex is behind each face. */
static bool convex_by_all(const geo_mesh *mesh)
{
    for (size_t i = 0; i < mesh->face_count; i++) {
        const geo_triangle t = geo_mesh_triangle(mesh, i);
        for (size_t k = 0; k < mesh->vertex_count; k++) {
            if (geo_orient3d(t.p[0], t.p[1], t.p[2], mesh->vertices[k]) < 0) {
                return false;
            }
        }
    }
    return true;
}

Test(depth, decides_like_all_vertices_against_all_faces)
{
    base_random random = base_random_seed(62);
    const int part = (int)sweep_step(4);
    int convex = 0, refused = 0;
    for (int trial = 0; trial < 400 / part; trial++) {
        SCOPED_SHAPE s = {0}, ball = random_hull(&random, 40, (vec3){1, 1, 1});
        shape_add(&s, ball.mesh.vertices, 40, ball.mesh.faces, ball.mesh.face_count, false);
        const uint64_t dent = base_random_below(&random, 40);
        const double depth = 1 - pow(2, -1 - (double)base_random_below(&random, 8));
        s.parts.vertices[dent] = vec3_scale(trial % 2 ? depth : 2 - depth, s.parts.vertices[dent]);
        shape_finish(&s);
        base_error err = {0};
        const base_status status = gt_body_make_hull(s.body, &err);
        const bool expected = s.report.solid && convex_by_all(&s.mesh);
        cr_assert_eq(status == BASE_OK, expected, "%d: %s", trial, err.text);
        convex += expected;
        refused += !expected;
    }
    cr_assert(convex > 50 / part && refused > 50 / part, "%d convex, %d not", convex, refused);
}

Test(depth, climbing_ends_where_scanning_does)
{
    base_random random = base_random_seed(63);
    SCOPED_SHAPE s = random_hull(&random, 2000, (vec3){1, 0.5, 2});
    uint32_t at = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const vec3 n = geo_random_direction(&random);
        at = gt_hull_climb(s.body->hull, n, at);
        cr_assert_eq(at, gt_hull_scan(s.body->hull, n), "%d", trial);
    }
}

Test(depth, out_of_memory_at_every_allocation)
{
    SCOPED_SHAPE s = shape_box((vec3){-1, -2, -3}, (vec3){1, 2, 3});
    cr_assert_gt(
        COUNT_FAILURES(gt_body_make_hull(s.body, ERR), cr_assert(!failed || !s.body->hull)), 2);
}

/* --- By edges --------------------------------------------------------------------------------- */

/* The depth of convex bodies by all directions: compared with closed forms, with the method of
 * hulls and, for bodies far from their own origins, with exact integers. */

static gt_bracket by_edges(const shape *a, const shape *b, const geo_pose *pose, vec3 *direction)
{
    gt_bracket depth;
    cr_assert(gt_depth_edges(a->body, b->body, pose, &depth, direction));
    return depth;
}

static gt_bracket by_hull(const shape *a, const shape *b, const geo_pose *pose)
{
    gt_depth found;
    gt_depth_query(a->body, b->body, pose, &found);
    return found.depth_m;
}

Test(depth, boxes_by_edges)
{
    SCOPED_SHAPE a = convex_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_SHAPE b = convex_box((vec3){-0.5, -0.25, -2}, (vec3){0.5, 0.25, 2});
    const struct {
        vec3 at;
        double depth;
        vec3 direction;
    } cases[] = {
        {{1.25, 0, 0}, 0.25, {1, 0, 0}},
        {{0, -1, 0}, 0.25, {0, -1, 0}},
        {{1.5 - 0x1p-30, 0, 0}, 0x1p-30, {1, 0, 0}},
        {{1.5, 0.5, 0}, 0, {1, 0, 0}},
        {{3.5, 0.5, 0}, 0, {7, 7, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const geo_pose pose = shift(cases[i].at.x, cases[i].at.y, cases[i].at.z);
        vec3 direction = {7, 7, 7};
        const gt_bracket depth = by_edges(&a, &b, &pose, &direction);
        cr_assert(within(depth, cases[i].depth) && depth.hi - depth.lo < 1e-12,
                  "case %zu: [%.17g, %.17g]", i, depth.lo, depth.hi);
        cr_assert(vec3_distance(direction, cases[i].direction) < 1e-15, "case %zu: %g %g %g", i,
                  direction.x, direction.y, direction.z);
    }
}

/**
 * Two edges that cross: the depth is along their cross product, which is not the normal of any
 * face.
 */
Test(depth, an_edge_on_an_edge)
{
    SCOPED_SHAPE a = convex_prism(4, 1, 1, 1), b = convex_prism(4, 1, 1, 1);
    /* An edge of each runs along z and is extreme along x; B's is rotated to run along y. */
    const geo_quat quarter = {1, 0, 0, 1};
    const geo_pose pose = geo_pose_make(quarter, (vec3){1.875, 0, 0});
    vec3 direction;
    const gt_bracket depth = by_edges(&a, &b, &pose, &direction);
    cr_assert(within(depth, 0.125), "[%.17g, %.17g]", depth.lo, depth.hi);
    cr_assert(vec3_distance(direction, (vec3){1, 0, 0}) < 1e-14);
}

Test(depth, agree_with_the_hulls)
{
    base_random random = base_random_seed(31);
    int deep = 0;
    for (size_t i = 0; i < 200; i += sweep_step(4)) {
        SCOPED_SHAPE a = random_hull(&random, 4 + (uint32_t)base_random_below(&random, 40),
                                     (vec3){1, 0.75, 0.5});
        SCOPED_SHAPE b = random_hull(&random, 4 + (uint32_t)base_random_below(&random, 40),
                                     (vec3){0.5, 1, 0.01});
        for (int k = 0; k < 4; k++) {
            const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1));
            vec3 direction;
            const gt_bracket x = by_hull(&a, &b, &pose), y = by_edges(&a, &b, &pose, &direction);
            cr_assert(fabs(middle(x) - middle(y)) <= 1e-12 * middle(x) + 1e-14,
                      "seed 31, pair %zu: %.17g and %.17g", i, middle(x), middle(y));
            deep += x.lo > 0;
        }
    }
    cr_assert_gt(deep, 50);
}

/* --- Far from their own origins --------------------------------------------------------------- */

/** Checks that the depth of the moved corners is in the bracket of each method, and that the
 * methods confirm each other. */
static void hold_far(const shape *a, const shape *b, const geo_pose *pose, const char *where)
{
    SCOPED_FREE vec3 *const moved = base_alloc(b->mesh.vertex_count, sizeof *moved);
    cr_assert_not_null(moved);
    for (size_t v = 0; v < b->mesh.vertex_count; v++) {
        moved[v] = geo_pose_apply(pose, b->mesh.vertices[v]);
    }
    exact_pair pair = exact_pair_make(&a->mesh, &b->mesh, moved);
    exact_length exact;
    exact_length_init(&exact);
    exact_depth(&pair, &exact);
    const gt_options options = {.threads = 1, .methods = GT_BY_HULL | GT_BY_EDGES};
    gt_truth t;
    assert_ok(gt_trajectory_truth(a->body, b->body, pose, 1, GT_WANT_DEPTH, &options, &t, ERR));
    for (int m = GT_HULL; m <= GT_EDGES; m++) {
        cr_assert_eq(exact_length_outside(&exact, t.by[m]), 0,
                     "%s: %s says [%.17g, %.17g], it is %.17g", where, gt_method_names[m],
                     t.by[m].lo, t.by[m].hi, exact_length_round(&exact));
    }
    cr_assert_eq(t.depth_certified, 2, "%s: %s", where, gt_doubt_format(&t, GT_DEPTH).text);
    exact_length_clear(&exact);
    exact_pair_clear(&pair);
}

/** If B is rotated far from its origin, the rounding of its corners is larger than that of the
 * hull's own coordinates. */
Test(depth, far_bodies_hold_exact_integers)
{
    static const double far[] = {0, 1e3, 1e5, 6.7e7};
    base_random random = base_random_seed(33);
    for (size_t i = 0; i < 48; i += sweep_step(4)) {
        SCOPED_SHAPE a = convex_box((vec3){-1, -0.5, -0.25}, (vec3){1, 0.5, 0.75});
        SCOPED_SHAPE b = {0};
        const vec3 off = vec3_scale(far[i / 4 % 4], geo_random_direction(&random));
        shape_add_box(&b, off, vec3_add(off, (vec3){0.75, 1, 0.5}), false);
        shape_finish(&b);
        shape_make_hull(&b);
        for (int k = 0; k < 4; k++) {
            geo_pose pose = random_pose(&random, 0);
            const vec3 way =
                vec3_scale(base_random_range(&random, 0, 0.5), geo_random_direction(&random));
            pose.translation = vec3_sub(way, geo_pose_rotate(&pose, b.body->centre));
            char where[64];
            snprintf(where, sizeof where, "seed 33, %g sizes off, pose %zu.%d", far[i / 4 % 4], i,
                     k);
            hold_far(&a, &b, &pose, where);
        }
    }
}
