/**
 * Covering a surface by inner balls: greedy set cover over samples.
 *
 * Candidates are made where they are needed: a ball that covers many samples is found from any of
 * them, so few are tried while large gains are left, and all that are left in the end.
 */
#include "algorithms/ist/cover.h"

#include "algorithms/ist/heap.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/simd.h"

#include <stdlib.h>

enum {
    SEEDS_A_GAIN = 8,  /* samples tried among as many as the wanted ball covers */
    SEEDS_FIRST = 256, /* at least so many are tried at first */
    SEEDS_A_CHUNK = 16,
    SHRINK_STEPS = 24,
    TOLERANCES_COMPARED = 4,
    TOLERANCES_MOST = 12,
};

/* Parts of the gap that a ball may keep from its own sample: the first ones are compared. Where
 * the body is thinner than all of them, much smaller ones are tried until a ball is inside. */
static const double tolerance_first = 0.5, tolerance_step = 0.5, tolerance_thin = 0.125;

typedef struct candidate {
    geo_ball ball; /* radius 0: none */
    uint32_t gain; /* when it was made */
} candidate;

typedef struct cover {
    const geo_surface *surface;
    const alg_ist_cover_options *options;
    geo_bvh bvh;     /* over the samples */
    vec3 *points;    /* arena; in the order of the leaves */
    vec3 *inwards;   /* arena; likewise */
    uint32_t *times; /* arena; balls that cover each sample */
    uint32_t *seeds; /* arena; all samples in random order */
    size_t count;
    double slack;          /* rounding of distances to the surface */
    double widest;         /* no inner ball is larger than half of it */
    candidate *candidates; /* owned */
    size_t candidate_count, candidate_capacity;
    uint64_t *heap; /* owned; gain and ~number of candidates */
    size_t heap_count, heap_capacity;
    geo_ball *chosen; /* owned */
    size_t chosen_count, chosen_capacity;
} cover;

/* --- Samples within reach of a ball ----------------------------------------------------------- */

typedef struct range {
    vec3 centre;
    double reach2;
    f32x8 below[3], above[3]; /* centre, rounded down and up */
    f32x8 limit;
} range;

static range range_of(const cover *c, const geo_ball *ball)
{
    const double reach = ball->radius + c->options->gap;
    range r = {.centre = ball->centre, .reach2 = reach * reach};
    for (int axis = 0; axis < 3; axis++) {
        r.below[axis] = f32x8_set(base_float_below(vec3_get(ball->centre, axis)));
        r.above[axis] = f32x8_set(base_float_above(vec3_get(ball->centre, axis)));
    }
    /* Floats bound the distance to a box: 5 roundings of its square. */
    r.limit = f32x8_set(base_float_above(r.reach2 * (1 + 0x1p-20)));
    return r;
}

/** Lanes of a node that the range may reach. */
static unsigned reached_lanes(const range *r, const geo_bvh_node *node)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), r->above[axis]);
        const f32x8 over = f32x8_sub(r->below[axis], f32x8_load(node->hi[axis]));
        const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
        sum = f32x8_add(sum, f32x8_mul(gap, gap));
    }
    return m32x8_bits(f32x8_le(sum, r->limit));
}

/**
 * How many samples within the gap of the ball are covered `times` times; with a change other than 0
 * all within the gap count as covered by so many balls more.
 */
static uint32_t count_covered(cover *c, const geo_ball *ball, uint32_t times, int change)
{
    const range r = range_of(c, ball);
    uint32_t stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = 0;
    uint32_t found = 0;
    stack[top++] = 0;
    while (top > 0) {
        const geo_bvh_node *const node = &c->bvh.nodes[stack[--top]];
        for (unsigned left = reached_lanes(&r, node); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            const uint32_t first = node->first[lane];
            if (node->count[lane] == 0) {
                stack[top++] = first;
                continue;
            }
            for (uint32_t i = first; i < first + node->count[lane]; i++) {
                if (vec3_distance2(c->points[i], r.centre) <= r.reach2) {
                    found += c->times[i] == times;
                    if (change != 0) {
                        c->times[i] += (uint32_t)change;
                    }
                }
            }
        }
    }
    return found;
}

/* --- Candidates ------------------------------------------------------------------------------- */

/**
 * The largest depth t, up to *depth, with t - distance(p + t d) <= tolerance, that is, with a ball
 * that keeps no more than the tolerance from p. The left side never falls with t, and any point of
 * the surface gives an upper bound of t, so the bounds by the nearest points close in on it.
 */
static void shrink_ball(const cover *c, vec3 p, vec3 d, double tolerance, double *depth,
                        uint32_t *face)
{
    for (int step = 0; step < SHRINK_STEPS; step++) {
        const geo_closest q = geo_surface_closest(c->surface, vec3_madd(p, *depth, d), *face);
        *face = q.face;
        if (*depth - sqrt(q.distance2) <= tolerance * (1 + 0x1p-6)) {
            return;
        }
        const vec3 v = vec3_sub(q.point, p);
        const double bound =
            (vec3_norm2(v) - tolerance * tolerance) / (2 * (vec3_dot(v, d) - tolerance));
        if (!(bound > 0 && bound < *depth)) {
            return; /* rounding */
        }
        *depth = bound;
    }
}

/** The ball at a point, if it is inside and large enough; otherwise radius 0. */
static geo_ball inner_ball(const cover *c, vec3 centre, uint32_t face)
{
    const double distance = sqrt(geo_surface_closest(c->surface, centre, face).distance2);
    const double radius = distance - c->slack;
    if (!(radius > 0 && radius >= c->options->radius_least) ||
        !geo_surface_contains(c->surface, centre)) {
        return (geo_ball){centre, 0};
    }
    return (geo_ball){centre, radius};
}

static candidate make_candidate(cover *c, uint32_t sample)
{
    const vec3 p = c->points[sample], d = c->inwards[sample];
    candidate best = {0};
    double tolerance = tolerance_first * c->options->gap, depth = tolerance + 0.5 * c->widest;
    uint32_t face = UINT32_MAX;
    for (int i = 0; i < TOLERANCES_MOST && (i < TOLERANCES_COMPARED || best.gain == 0); i++) {
        shrink_ball(c, p, d, tolerance, &depth, &face);
        const geo_ball ball = inner_ball(c, vec3_madd(p, depth, d), face);
        if (ball.radius > 0 && vec3_distance(p, ball.centre) - ball.radius < c->options->gap) {
            const uint32_t gain = count_covered(c, &ball, 0, 0);
            if (gain > best.gain) {
                best = (candidate){ball, gain};
            }
        }
        tolerance *= i + 1 < TOLERANCES_COMPARED ? tolerance_step : tolerance_thin;
    }
    return best;
}

typedef struct seed_job {
    cover *cover;
    size_t first;
} seed_job;

static void make_candidates(void *context, size_t begin, size_t end)
{
    const seed_job *const job = context;
    cover *const c = job->cover;
    for (size_t i = begin; i < end; i++) {
        const uint32_t sample = c->seeds[job->first + i];
        c->candidates[c->candidate_count + i] =
            c->times[sample] == 0 ? make_candidate(c, sample) : (candidate){0};
    }
}

/** Candidates of seeds[first] to seeds[end - 1], as far as they are not covered yet. */
static base_status add_candidates(cover *c, size_t first, size_t end, base_error *err)
{
    base_status status = base_grow((void **)&c->candidates, &c->candidate_capacity,
                                   c->candidate_count + end - first, sizeof *c->candidates, err);
    if (status != BASE_OK) {
        return status;
    }
    seed_job job = {c, first};
    base_parallel_for(end - first, SEEDS_A_CHUNK, 0, make_candidates, &job);
    size_t kept = c->candidate_count;
    for (size_t i = 0; i < end - first; i++) {
        const candidate made = c->candidates[c->candidate_count + i];
        if (made.gain > 0) {
            c->candidates[kept++] = made;
        }
    }
    status = base_grow((void **)&c->heap, &c->heap_capacity,
                       c->heap_count + kept - c->candidate_count, sizeof *c->heap, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = c->candidate_count; i < kept; i++) {
        c->heap[c->heap_count++] = (uint64_t)c->candidates[i].gain << 32 | (uint32_t)~i;
    }
    c->candidate_count = kept;
    alg_ist_heapify(c->heap, c->heap_count);
    return BASE_OK;
}

/* --- The greedy choice ------------------------------------------------------------------------ */

static bool is_full(const cover *c)
{
    return c->options->count_most > 0 && c->chosen_count >= c->options->count_most;
}

/** Takes candidates while one is left that covers at least `least` new samples. */
static base_status choose_balls(cover *c, uint32_t least, base_error *err)
{
    while (c->heap_count > 0 && (uint32_t)(c->heap[0] >> 32) >= least && !is_full(c)) {
        const uint32_t number = ~(uint32_t)c->heap[0];
        const geo_ball ball = c->candidates[number].ball;
        /* Gains only fall, so a key that is still right is the largest. */
        const uint32_t gain = count_covered(c, &ball, 0, 0);
        const bool current = gain == (uint32_t)(c->heap[0] >> 32);
        if (current) {
            const base_status status = base_grow((void **)&c->chosen, &c->chosen_capacity,
                                                 c->chosen_count + 1, sizeof *c->chosen, err);
            if (status != BASE_OK) {
                return status;
            }
            (void)count_covered(c, &ball, 0, 1);
            c->chosen[c->chosen_count++] = ball;
        }
        if (current || gain == 0) {
            c->heap[0] = c->heap[--c->heap_count];
        } else {
            c->heap[0] = (uint64_t)gain << 32 | (uint32_t)~number;
        }
        if (c->heap_count > 0) {
            alg_ist_sift_down(c->heap, c->heap_count, 0);
        }
    }
    return BASE_OK;
}

static base_status choose_all(cover *c, base_error *err)
{
    uint32_t least = 1;
    while (c->count / least > 2 * SEEDS_FIRST / SEEDS_A_GAIN) {
        least *= 2;
    }
    size_t tried = 0;
    for (; least > 0 && !is_full(c); least /= 2) {
        const size_t seeds = c->count / least * SEEDS_A_GAIN;
        const size_t end = least > 1 && seeds < c->count ? seeds : c->count;
        base_status status = BASE_OK;
        if (end > tried) {
            status = add_candidates(c, tried, end, err);
            tried = end;
        }
        if (status == BASE_OK) {
            status = choose_balls(c, least, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Takes out balls, the last first, whose samples are all covered by others as well. */
static void drop_needless(cover *c)
{
    size_t kept = c->chosen_count;
    for (size_t i = c->chosen_count; i-- > 0;) {
        if (count_covered(c, &c->chosen[i], 1, 0) == 0) {
            (void)count_covered(c, &c->chosen[i], 1, -1);
            c->chosen[i].radius = 0;
            kept--;
        }
    }
    size_t to = 0;
    for (size_t i = 0; i < c->chosen_count; i++) {
        if (c->chosen[i].radius > 0) {
            c->chosen[to++] = c->chosen[i];
        }
    }
    base_assert(to == kept);
    c->chosen_count = kept;
}

/* --- Covering --------------------------------------------------------------------------------- */

static base_status prepare_samples(cover *c, const alg_ist_samples *samples, base_arena *arena,
                                   base_error *err)
{
    c->count = samples->count;
    geo_box *const boxes = base_alloc(c->count, sizeof *boxes);
    base_status status = BASE_ERR_MEMORY;
    if (boxes) {
        for (size_t i = 0; i < c->count; i++) {
            boxes[i] = (geo_box){samples->points[i], samples->points[i]};
        }
        status = geo_bvh_build(boxes, c->count, GEO_BVH_LEAF_MAX, arena, &c->bvh, err);
    }
    base_free(boxes);
    c->points = base_arena_alloc(arena, c->count, sizeof *c->points);
    c->inwards = base_arena_alloc(arena, c->count, sizeof *c->inwards);
    c->times = base_arena_alloc(arena, c->count, sizeof *c->times);
    c->seeds = base_arena_alloc(arena, c->count, sizeof *c->seeds);
    if (status != BASE_OK || !c->points || !c->inwards || !c->times || !c->seeds) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu samples", c->count);
    }
    base_random random = base_random_seed(1);
    for (uint32_t i = 0; i < c->count; i++) {
        c->points[i] = samples->points[c->bvh.order[i]];
        c->inwards[i] = samples->inwards[c->bvh.order[i]];
        const uint32_t other = (uint32_t)base_random_below(&random, i + 1);
        c->seeds[i] = c->seeds[other];
        c->seeds[other] = i;
    }
    return BASE_OK;
}

static int compare_balls(const void *left, const void *right)
{
    const geo_ball *const a = left, *const b = right;
    const double x[4] = {b->radius, a->centre.x, a->centre.y, a->centre.z};
    const double y[4] = {a->radius, b->centre.x, b->centre.y, b->centre.z};
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static base_status hand_over(cover *c, alg_ist_packing *packing, base_error *err)
{
    qsort(c->chosen, c->chosen_count, sizeof *c->chosen, compare_balls);
    const base_status status = alg_ist_packing_reserve(packing, c->chosen_count, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < c->chosen_count; i++) {
        packing->centres[i] = c->chosen[i].centre;
        packing->radii[i] = packing->secondary[i] = c->chosen[i].radius;
        packing->middles[i] = packing->centres[i];
    }
    packing->count = c->chosen_count;
    return BASE_OK;
}

base_status alg_ist_cover(const geo_surface *surface, const alg_ist_samples *samples,
                          const alg_ist_cover_options *options, alg_ist_packing *packing,
                          size_t *uncovered, base_error *err)
{
    *packing = (alg_ist_packing){0};
    const geo_box box = surface->bvh.box;
    const vec3 size = vec3_sub(box.hi, box.lo);
    cover c = {.surface = surface, .options = options};
    c.slack = ALG_VOXEL_SLACK * geo_box_reach(box);
    c.widest = fmin(size.x, fmin(size.y, size.z));
    base_arena arena = {0};
    base_status status = prepare_samples(&c, samples, &arena, err);
    if (status == BASE_OK) {
        status = choose_all(&c, err);
    }
    if (status == BASE_OK) {
        drop_needless(&c);
        status = hand_over(&c, packing, err);
    }
    if (uncovered) {
        *uncovered = 0;
        for (size_t i = 0; status == BASE_OK && i < c.count; i++) {
            *uncovered += c.times[i] == 0;
        }
    }
    base_free(c.candidates);
    base_free(c.heap);
    base_free(c.chosen);
    base_arena_release(&arena);
    return status;
}
