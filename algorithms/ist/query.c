/** Sets up the traversal of two inner sphere trees, and converts its result to an answer. */
#include "algorithms/ist/query.h"

#include "algorithms/life.h"
#include "base/simd.h"
#include "geometry/pose.h"

/**
 * Bodies are far from each other if the distance of their trees' origins is more than this many
 * times the sum of the trees' reaches: alg_ist_traversal.apart.
 */
static const double far_in_reaches = 8;

/* Squares of shorter lengths, in metres, may underflow in float. */
static const double length_lost = 1e-18;

static void set_motion(alg_ist_traversal *w)
{
    const alg_ist_tree *const a = &w->a->tree, *const b = &w->b->tree;
    const vec3 t = vec3_sub(geo_pose_apply(w->pose, b->origin), a->origin);
    const double reach = a->reach + b->reach, apart = vec3_norm(t);
    const double extent = alg_ist_extent(a) + alg_ist_extent(b);
    w->rounding = 32 * 0x1p-52 * (extent + vec3_norm(w->pose->translation));
    w->motion = geo_motion_make(&(geo_pose){w->pose->rotation, t});
    w->far = apart > far_in_reaches * reach;
    if (w->far) {
        const vec3 toward = vec3_scale(1 / apart, t);
        w->apart = apart;
        w->per_apart = (float)(1 / apart);
        for (int axis = 0; axis < 3; axis++) {
            w->toward[0][axis] = (float)vec3_get(toward, axis);
            w->toward[1][axis] = -w->toward[0][axis];
        }
        w->motion.t[0] = w->motion.t[1] = w->motion.t[2] = 0;
    }
    w->overlap = geo_motion_margin(a->reach, b->reach, w->far ? 0 : apart,
                                   length_lost + (w->far ? 0 : w->rounding));
    w->margin = (double)w->overlap;
}

/* Limits of a useful start. The gap of the previous nearest leaves must be at most start_growth
 * times their gap in the previous query, plus start_in_reaches times the sum of the trees' reaches.
 * A larger gap is a worse start than the result of a descent. */
static const double start_growth = 1.25, start_in_reaches = 0.01;

/**
 * Starts from the nearest leaves of the previous query, if there is one: their gap is an upper
 * bound of the distance.
 */
static void start_from_last(alg_ist_traversal *w, const uint32_t last[2], double last_gap)
{
    if (last[0] == ALG_IST_NONE) {
        return;
    }
    const double reach = w->a->tree.reach + w->b->tree.reach;
    const alg_ist_sphere *const a = &w->a->spheres[last[0]], *const b = &w->b->spheres[last[1]];
    const double d = vec3_distance(geo_pose_apply(w->pose, b->centre), a->centre);
    const double gap = d - a->primary - b->primary;
    w->counters[ALG_IST_COUNT_LEAVES]++;
    if (gap > start_growth * last_gap + start_in_reaches * reach) {
        return;
    }
    w->nearest = gap > 0 ? gap : 0;
    w->nearest_a = last[0];
    w->nearest_b = last[1];
    w->seeking = gap > 0;
}

static void answer_distance(const alg_ist_traversal *w, alg_answer *answer)
{
    const alg_ist_sphere *const a = &w->a->spheres[w->nearest_a];
    const alg_ist_sphere *const b = &w->b->spheres[w->nearest_b];
    const vec3 moved = geo_pose_apply(w->pose, b->centre);
    const vec3 between = vec3_sub(moved, a->centre);
    const double d = vec3_norm(between);
    if (w->nearest > 0) {
        answer->witness_a = vec3_madd(a->centre, a->primary / d, between);
        answer->witness_b = vec3_madd(moved, -b->primary / d, between);
    } else {
        /* The middle of the lens on the line of centres, or the centre of a ball that is inside the
         * other one. */
        const double ra = a->primary, rb = b->primary;
        const double middle = 0.5 * (fmax(-ra, d - rb) + fmin(ra, d + rb));
        const double part = d > 0 ? middle / d : 0;
        answer->witness_a = answer->witness_b = vec3_madd(a->centre, part, between);
    }
    answer->distance_m = w->nearest;
    answer->colliding |= w->nearest == 0;
    answer->answered |= ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
}

/**
 * Sets the bracket of the distance. The leaves that have not been compared are below the pairs on
 * the stack, whose gaps are lower bounds.
 */
static void answer_bracket(alg_ist_traversal *w, alg_answer *answer)
{
    double lower = fmin(w->lower, w->nearest);
    for (size_t i = 0; i < w->top; i++) {
        lower = fmin(lower, (double)w->stack[i].gap + w->apart - w->margin);
    }
    answer->distance_lo_m = lower > 0 ? lower : 0;
    answer->distance_hi_m = w->nearest;
    answer->answered |= ALG_HAS_DISTANCE_BRACKET;
}

static double sum_lanes(const double lanes[ALG_IST_LENSES_AT_ONCE])
{
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static vec3 sum_vectors(double lanes[3][ALG_IST_LENSES_AT_ONCE])
{
    return (vec3){sum_lanes(lanes[0]), sum_lanes(lanes[1]), sum_lanes(lanes[2])};
}

/**
 * Sets volume, force and torque. The sums of a gradient are not scaled. Other sums are scaled such
 * that the magnitude of the force is the volume if all pushes have the same direction.
 */
static void answer_volume(alg_ist_traversal *w, alg_answer *answer)
{
    const double length = sum_lanes(w->length);
    answer->volume_m3 = sum_lanes(w->volume);
    if (length > 0) {
        const double scale = w->gradient ? 1 : answer->volume_m3 / length;
        answer->force = vec3_scale(scale, sum_vectors(w->force));
        answer->torque = vec3_scale(scale, sum_vectors(w->torque));
    }
    answer->colliding |= answer->volume_m3 > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_FORCE;
    if (answer->contact_capacity > 0) {
        answer->answered |= ALG_HAS_CONTACTS;
    }
}

base_status alg_ist_pair_bind(const alg_ist_solid *a, const alg_ist_solid *b, base_arena *arena,
                              alg_ist_pair *pair, base_error *err)
{
    const size_t levels = a->tree.depth > b->tree.depth ? a->tree.depth : b->tree.depth;
    const size_t pairs = (size_t)a->tree.branching * b->tree.branching;
    /* The first descent expands at most `expansions` pairs of nodes, and leaves pairs of their
     * children. After that, each expansion removes one pair from the stack and adds at most `pairs`
     * pairs. Below one pair there are at most `levels` levels. */
    const size_t expansions = ALG_IST_BEAM * levels;
    const size_t stack = expansions * pairs + levels * (pairs - 1) + 1;
    pair->a = a;
    pair->b = b;
    pair->stack = base_arena_alloc(arena, stack, sizeof *pair->stack);
    pair->expansions = base_arena_alloc(arena, expansions, sizeof *pair->expansions);
    if (!pair->stack || !pair->expansions) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a traversal");
    }
    alg_ist_pair_reset(pair);
    return BASE_OK;
}

void alg_ist_pair_reset(alg_ist_pair *pair)
{
    pair->last[0] = pair->last[1] = ALG_IST_NONE;
}

void alg_ist_traverse(alg_ist_traversal *traversal)
{
    base_assert(traversal->a->tree.width == traversal->b->tree.width);
    set_motion(traversal);
    if (base_cpu_avx2()) {
        alg_ist_traverse_avx2(traversal);
    } else {
        alg_ist_traverse_sse2(traversal);
    }
}

void alg_ist_query(alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer)
{
    alg_ist_traversal w = {.a = pair->a,
                           .b = pair->b,
                           .pose = pose,
                           .nearest = INFINITY,
                           .adding = (pair->wanted & (ALG_WANT_VOLUME | ALG_WANT_FORCE)) != 0,
                           .secondary = pair->secondary,
                           .cones = pair->cones,
                           .gradient = pair->gradient,
                           .answer = answer,
                           .stack = pair->stack,
                           .expansions = pair->expansions,
                           .watch = pair->watch,
                           .context = pair->context};
    w.tests_most = pair->budget > 0 ? pair->budget : UINT64_MAX;
    w.most_ns = pair->budget_ns;
    w.begin_ns = pair->budget_ns > 0 ? alg_clock_ns() : 0;
    w.bounded = pair->bounded;
    w.lower = INFINITY;
    w.seeking = (pair->wanted & (ALG_WANT_DISTANCE | ALG_WANT_CONTACT)) != 0;
    w.lenses = w.seeking && w.adding && w.secondary;
    w.radius = w.bounded || (!w.seeking && w.secondary) ? ALG_IST_FAR : ALG_IST_NEAR;
    w.centroid_b = geo_pose_apply(pose, pair->centroid_b);
    if (!(pair->wanted & ALG_WANT_DISTANCE)) {
        w.nearest = 0x1p-1022; /* without a wanted distance, only gaps of 0 matter */
    } else if (pair->coherent) {
        start_from_last(&w, pair->last, pair->last_gap);
    }
    alg_ist_traverse(&w);
    if (pair->wanted & ALG_WANT_DISTANCE) {
        answer_distance(&w, answer);
        if (pair->bounded) {
            answer_bracket(&w, answer);
        }
        pair->last[0] = w.nearest_a;
        pair->last[1] = w.nearest_b;
        pair->last_gap = w.nearest;
    }
    if (w.adding) {
        answer_volume(&w, answer);
    }
    if (pair->wanted & ALG_WANT_CONTACT) {
        answer->colliding |= w.nearest == 0;
        answer->answered |= ALG_HAS_CONTACT;
    }
    for (int i = 0; i < ALG_COUNTERS_MAX; i++) {
        answer->counters[i] = w.counters[i];
    }
    answer->outcome = w.stopped ? ALG_BUDGET_REACHED : ALG_CONVERGED;
}

/* --- Overlap of a solid's own spheres --------------------------------------------------------- */

/** Implements alg_ist_decide. */
static void compare_spheres(alg_ist_traversal *w, uint32_t a, uint32_t b)
{
    const alg_ist_sphere *const s = &w->a->spheres[a], *const t = &w->a->spheres[b];
    double *const most = w->context;
    if (a != b) {
        *most = fmax(*most, s->primary + t->primary - vec3_distance(s->centre, t->centre));
    }
}

base_status alg_ist_measure_overlap(const alg_ist_solid *solid, double *most_m, base_error *err)
{
    base_arena arena = {0};
    alg_ist_pair pair = {0};
    const geo_pose pose = geo_pose_identity();
    *most_m = 0;
    const base_status status = alg_ist_pair_bind(solid, solid, &arena, &pair, err);
    if (status == BASE_OK) {
        alg_ist_traversal w = {.a = solid,
                               .b = solid,
                               .pose = &pose,
                               .radius = ALG_IST_NEAR,
                               .seeking = true,
                               .nearest = 0, /* all pairs of leaves whose balls touch */
                               .tests_most = UINT64_MAX,
                               .decide = compare_spheres,
                               .context = most_m,
                               .stack = pair.stack};
        alg_ist_traverse(&w);
    }
    base_arena_release(&arena);
    return status;
}
