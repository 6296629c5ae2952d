/**
 * Poses at a distance anywhere around A, cavities included: an octree over the positions of B's
 * ball centre. A cell with centre p and half diagonal e can hold a pose at distance d only if
 * |D(p) - d| <= e. For each frame the tree is descended at random among such cells until a leaf
 * gives a pose.
 */
#include "geometry/box.h"
#include "geometry/random.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>

enum {
    DESCENTS_MAX = 200, /* a draw; a leaf inside of A gives no pose */
    POLISH_MAX = 40,
};

/* Half diagonal of a leaf against L. Finer leaves find no more: polishing reaches two of them. */
#define LEAF_RELATIVE 0.02
/* Step of the difference quotients: rounding and curvature both stay below 1e-5. */
#define DIFFERENCE_RELATIVE 1e-6

typedef struct cell {
    vec3 centre, half;
    double distance; /* there */
} cell;

typedef struct search {
    scn_run *run;
    geo_quat orientation;
    double wanted, leaf_m;
    bool found;
    vec3 pose;
    double achieved;
} search;

static bool may_hold(const search *g, const cell *c)
{
    return fabs(c->distance - g->wanted) <= vec3_norm(c->half);
}

static base_status measure(const search *g, vec3 centre, double *distance, base_error *err)
{
    return scn_distance_at(&g->run->solver, g->orientation, centre, distance, err);
}

/** Unit direction in which the distance grows, by forward differences. */
static base_status gradient(const search *g, vec3 p, double distance, vec3 *n, base_error *err)
{
    const double h = DIFFERENCE_RELATIVE * g->run->solver.size_m;
    double x, y, z;
    base_status status = measure(g, vec3_add(p, vec3_make(h, 0, 0)), &x, err);
    if (status == BASE_OK) {
        status = measure(g, vec3_add(p, vec3_make(0, h, 0)), &y, err);
    }
    if (status == BASE_OK) {
        status = measure(g, vec3_add(p, vec3_make(0, 0, h)), &z, err);
    }
    if (status == BASE_OK) {
        *n = vec3_normalize(vec3_make(x - distance, y - distance, z - distance));
    }
    return status;
}

/** From a leaf's centre along the gradient; the bodies must not overlap on the way. */
static base_status polish(search *g, const cell *leaf, base_error *err)
{
    const double slack = g->run->solver.slack_m;
    const double aim = fmax(g->wanted, 0.5 * slack), reach = 2 * vec3_norm(leaf->half);
    vec3 p = leaf->centre;
    double distance = leaf->distance;
    for (int i = 0; i < POLISH_MAX && distance > 0; i++) {
        if (fabs(distance - g->wanted) <= slack) {
            g->found = true;
            g->pose = p;
            g->achieved = distance;
            return BASE_OK;
        }
        vec3 n;
        base_status status = gradient(g, p, distance, &n, err);
        if (status != BASE_OK) {
            return status;
        }
        p = vec3_madd(p, aim - distance, n);
        if (vec3_distance(p, leaf->centre) > reach) {
            return BASE_OK;
        }
        status = measure(g, p, &distance, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** The children that may hold a pose. */
static base_status split(search *g, const cell *parent, cell *children, int *count, base_error *err)
{
    const vec3 half = vec3_scale(0.5, parent->half);
    *count = 0;
    for (int i = 0; i < 8; i++) {
        cell child = {
            vec3_add(parent->centre, vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                               i & 4 ? half.z : -half.z)),
            half, 0};
        const base_status status = measure(g, child.centre, &child.distance, err);
        if (status != BASE_OK) {
            return status;
        }
        if (may_hold(g, &child)) {
            children[(*count)++] = child;
        }
    }
    return BASE_OK;
}

/** From the root to a leaf, at each level into any child that may hold a pose. */
static base_status descend(search *g, cell c, base_error *err)
{
    while (vec3_norm(c.half) > g->leaf_m) {
        cell children[8];
        int count;
        const base_status status = split(g, &c, children, &count, err);
        if (status != BASE_OK || count == 0) {
            return status;
        }
        c = children[base_random_below(&g->run->random, (uint64_t)count)];
    }
    return polish(g, &c, err);
}

/** All positions of B's ball centre at which its box can be within `wanted` of A's box. */
static cell root_cell(const scn_pair *pair, geo_quat orientation, double wanted)
{
    const mat3 rotation = geo_quat_matrix(orientation);
    geo_box swept = geo_box_empty();
    for (int i = 0; i < 8; i++) {
        const vec3 corner = {i & 1 ? pair->box_b.hi.x : pair->box_b.lo.x,
                             i & 2 ? pair->box_b.hi.y : pair->box_b.lo.y,
                             i & 4 ? pair->box_b.hi.z : pair->box_b.lo.z};
        swept = geo_box_add(swept, mat3_mul_vec3(rotation, vec3_sub(pair->ball_b.centre, corner)));
    }
    const vec3 margin = {wanted, wanted, wanted};
    const geo_box box = {vec3_sub(vec3_add(pair->box_a.lo, swept.lo), margin),
                         vec3_add(vec3_add(pair->box_a.hi, swept.hi), margin)};
    return (cell){geo_box_centre(box), vec3_scale(0.5, vec3_sub(box.hi, box.lo)), 0};
}

static base_status find_pose(search *g, base_error *err)
{
    scn_run *const run = g->run;
    base_status status = BASE_OK;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !g->found && status == BASE_OK; draw++) {
        g->orientation = geo_random_rotation(&run->random);
        const cell root = root_cell(run->solver.pair, g->orientation, g->wanted);
        for (int i = 0; i < DESCENTS_MAX && !g->found && status == BASE_OK; i++) {
            status = descend(g, root, err);
        }
    }
    return status == BASE_OK && !g->found ? scn_run_fail(run, g->wanted, err) : status;
}

base_status scn_sample_grid(scn_run *run, base_error *err)
{
    const double leaf_m = LEAF_RELATIVE * run->solver.size_m;
    for (size_t i = 0; i < run->sampler->frames; i++) {
        search g = {.run = run, .wanted = scn_run_value(run, i), .leaf_m = leaf_m};
        base_status status = find_pose(&g, err);
        if (status == BASE_OK) {
            status = scn_run_append(run, g.orientation, g.pose, g.wanted, g.achieved, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}
