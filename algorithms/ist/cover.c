/**
 * Covers a surface by inner balls. This is a greedy set cover of samples.
 *
 * The gain of a ball is the number of samples that it covers and no chosen ball covers. Candidates
 * are generated on demand. A ball with a large gain is found from any of its samples. So it is
 * enough to try a few samples as long as there are balls with large gains. In the end all samples
 * are tried that are not covered yet.
 */
#include "algorithms/ist/spheres.h"

#include "base/containers.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/simd.h"
#include "geometry/lanes.h"

#include <stdlib.h>

enum {
    SEEDS_A_GAIN = 8,  /* number of samples tried for each ball, if all balls had the wanted gain */
    SEEDS_FIRST = 256, /* smallest number of samples tried at first */
    SEEDS_A_CHUNK = 16,
    SHRINK_STEPS = 24,
    TOLERANCES_COMPARED = 4,
    TOLERANCES_MOST = 12,
};

/* Tolerances are distances of a ball from its own sample, as shares of the gap. Balls of the first
 * TOLERANCES_COMPARED tolerances are compared. If the body is too thin for these balls, much
 * smaller tolerances are tried until a ball is inside. */
static const double tolerance_first = 0.5, tolerance_step = 0.5, tolerance_thin = 0.125;

typedef struct candidate {
    geo_ball ball; /* radius 0: there is no candidate */
    uint32_t gain; /* when it was made */
    uint32_t face; /* face nearest to its centre */
} candidate;

typedef struct cover {
    const geo_surface *surface;
    const alg_ist_cover_options *options;
    geo_bvh bvh;     /* over the samples */
    vec3 *points;    /* arena; in the order of the leaves of the bvh */
    vec3 *inwards;   /* arena; same order */
    uint32_t *times; /* arena; number of balls that cover each sample */
    uint32_t *seeds; /* arena; all samples in random order */
    size_t count;
    double slack;          /* bound on the rounding of distances to the surface */
    double widest;         /* upper bound of the diameter of an inner ball */
    candidate *candidates; /* owned */
    size_t candidate_count, candidate_capacity;
    uint64_t *heap; /* owned; a key has the gain in its upper half, and ~index of the candidate in
                       its lower half */
    size_t heap_count, heap_capacity;
    candidate *chosen; /* owned */
    size_t chosen_count, chosen_capacity;
} cover;

/* --- Samples of a surface --------------------------------------------------------------------- */

typedef struct sampler {
    const geo_mesh *mesh;
    double spacing;
    vec3 *normals;         /* owned; unit normal of each face, or 0 */
    uint32_t *first_faces; /* owned; for each vertex, index of its first face in vertex_faces */
    uint32_t *vertex_faces;
    alg_ist_samples *samples; /* if its points are NULL, samples are only counted */
} sampler;

static void add_sample(sampler *s, vec3 point, vec3 normal)
{
    if (s->samples->points) {
        s->samples->points[s->samples->count] = point;
        s->samples->inwards[s->samples->count] = vec3_normalize(vec3_scale(-1, normal));
    }
    s->samples->count++;
}

/** Returns the number of parts into which a length is cut. */
static uint64_t parts_of(const sampler *s, double length)
{
    return length > s->spacing ? (uint64_t)ceil(length / s->spacing) : 1;
}

static void sample_vertex(sampler *s, uint32_t vertex)
{
    vec3 normal = {0, 0, 0};
    for (uint32_t i = s->first_faces[vertex]; i < s->first_faces[vertex + 1]; i++) {
        const geo_face face = s->mesh->faces[s->vertex_faces[i]];
        const int k = face.v[0] == vertex ? 0 : face.v[1] == vertex ? 1 : 2;
        const vec3 p = s->mesh->vertices[vertex];
        const vec3 u = vec3_sub(s->mesh->vertices[face.v[(k + 1) % 3]], p);
        const vec3 v = vec3_sub(s->mesh->vertices[face.v[(k + 2) % 3]], p);
        const double angle = base_atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
        normal = vec3_madd(normal, angle, s->normals[s->vertex_faces[i]]);
    }
    if (s->first_faces[vertex] < s->first_faces[vertex + 1]) {
        add_sample(s, s->mesh->vertices[vertex], normal);
    }
}

/**
 * Adds the samples of an edge of a face. Does nothing if a face with a smaller number has the same
 * edge.
 */
static void sample_edge(sampler *s, uint32_t face, int edge)
{
    const uint32_t a = s->mesh->faces[face].v[edge], b = s->mesh->faces[face].v[(edge + 1) % 3];
    vec3 normal = {0, 0, 0};
    for (uint32_t i = s->first_faces[a]; i < s->first_faces[a + 1]; i++) {
        const uint32_t other = s->vertex_faces[i];
        const uint32_t *const v = s->mesh->faces[other].v;
        if (v[0] == b || v[1] == b || v[2] == b) {
            if (other < face) {
                return;
            }
            normal = vec3_add(normal, s->normals[other]);
        }
    }
    const vec3 from = s->mesh->vertices[a], along = vec3_sub(s->mesh->vertices[b], from);
    const uint64_t parts = parts_of(s, vec3_norm(along));
    for (uint64_t i = 1; i < parts; i++) {
        add_sample(s, vec3_madd(from, (double)i / (double)parts, along), normal);
    }
}

/** Adds the samples inside of a face, in rows parallel to its longest edge. */
static void sample_inside(sampler *s, uint32_t face)
{
    const geo_triangle t = geo_mesh_triangle(s->mesh, face);
    int longest = 0;
    double length = 0;
    for (int k = 0; k < 3; k++) {
        const double d = vec3_distance(t.p[k], t.p[(k + 1) % 3]);
        longest = d > length ? k : longest;
        length = d > length ? d : length;
    }
    const vec3 base = t.p[longest], apex = t.p[(longest + 2) % 3];
    const vec3 u = vec3_sub(t.p[(longest + 1) % 3], base), v = vec3_sub(apex, base);
    const double height = length > 0 ? vec3_norm(vec3_cross(u, v)) / length : 0;
    const uint64_t rows = parts_of(s, height);
    for (uint64_t j = 1; j < rows; j++) {
        const double up = (double)j / (double)rows;
        const uint64_t parts = parts_of(s, (1 - up) * length);
        for (uint64_t i = 0; i < parts; i++) {
            const double along = (1 - up) * (((double)i + 0.5) / (double)parts);
            add_sample(s, vec3_madd(vec3_madd(base, up, v), along, u), s->normals[face]);
        }
    }
}

static void sample_all(sampler *s)
{
    s->samples->count = 0;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        sample_vertex(s, v);
    }
    for (uint32_t f = 0; f < s->mesh->face_count; f++) {
        for (int edge = 0; edge < 3; edge++) {
            sample_edge(s, f, edge);
        }
        sample_inside(s, f);
    }
}

/** Computes the normals, and the faces around each vertex. */
static base_status prepare_faces(sampler *s, base_error *err)
{
    const geo_mesh *const mesh = s->mesh;
    s->normals = base_alloc(mesh->face_count, sizeof *s->normals);
    s->first_faces = base_alloc(mesh->vertex_count + 2, sizeof *s->first_faces);
    s->vertex_faces = base_alloc(3 * mesh->face_count, sizeof *s->vertex_faces);
    if (!s->normals || !s->first_faces || !s->vertex_faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for samples of %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        s->normals[f] =
            vec3_normalize(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        for (int k = 0; k < 3; k++) {
            s->first_faces[mesh->faces[f].v[k] + 2]++;
        }
    }
    for (size_t v = 2; v < mesh->vertex_count + 2; v++) {
        s->first_faces[v] += s->first_faces[v - 1];
    }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            s->vertex_faces[s->first_faces[mesh->faces[f].v[k] + 1]++] = f;
        }
    }
    return BASE_OK;
}

base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err)
{
    *samples = (alg_ist_samples){0};
    sampler s = {.mesh = mesh, .spacing = spacing, .samples = samples};
    base_status status = prepare_faces(&s, err);
    if (status != BASE_OK) {
        goto done;
    }
    sample_all(&s);
    if (samples->count >= 0x80000000u) {
        status = base_fail(err, BASE_ERR_INPUT, "more than 2^31 samples of the surface");
        goto done;
    }
    const size_t count = samples->count;
    vec3 *const points = base_arena_alloc(arena, count, sizeof *points);
    samples->inwards = base_arena_alloc(arena, count, sizeof *samples->inwards);
    if (!points || !samples->inwards) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu samples", count);
        goto done;
    }
    samples->points = points;
    sample_all(&s);
done:
    base_free(s.normals);
    base_free(s.first_faces);
    base_free(s.vertex_faces);
    return status;
}

/* --- Samples in range of a ball --------------------------------------------------------------- */

/**
 * Returns the number of samples within the gap of the ball that are covered `times` times. Then
 * adds `change` to the numbers of balls that cover the samples within the gap.
 */
static uint32_t count_covered(cover *c, const geo_ball *ball, uint32_t times, int change)
{
    const double reach = ball->radius + c->options->gap;
    const double reach2 = reach * reach;
    const geo_point8 centre = geo_point8_of(ball->centre);
    /* The limit of squared distances to boxes in float. Such a square has 5 roundings, which the
     * factor exceeds. */
    const f32x8 limit = f32x8_set(base_float_above(reach2 * (1 + 0x1p-20)));
    uint32_t stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH];
    size_t top = 0;
    uint32_t found = 0;
    stack[top++] = 0;
    while (top > 0) {
        const geo_bvh_node *const node = &c->bvh.nodes[stack[--top]];
        const f32x8 distance2 = geo_point8_distance2(&centre, node->lo, node->hi);
        unsigned left = m32x8_bits(f32x8_le(distance2, limit));
        for (; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            const uint32_t first = node->first[lane];
            if (node->count[lane] == 0) {
                stack[top++] = first;
                continue;
            }
            for (uint32_t i = first; i < first + node->count[lane]; i++) {
                if (vec3_distance2(c->points[i], ball->centre) <= reach2) {
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
 * Reduces *depth to the largest t <= *depth with t - distance(p + t d) <= tolerance. Then the ball
 * around p + t d that touches the surface is within the tolerance of p. The left side never
 * decreases with t. Any point of the surface gives an upper bound of t. So the bounds by the
 * nearest points converge to t from above.
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
            return; /* no progress because of rounding */
        }
        *depth = bound;
    }
}

/**
 * Returns the candidate with the ball around a point that touches the surface. Its gain is not
 * computed yet. Its radius is 0 if the point is not inside the solid or the ball is too small.
 */
static candidate inner_ball(const cover *c, vec3 centre, uint32_t hint)
{
    const geo_closest q = geo_surface_closest(c->surface, centre, hint);
    const double radius = sqrt(q.distance2) - c->slack;
    if (!(radius > 0 && radius >= c->options->radius_least) ||
        !geo_surface_contains(c->surface, centre)) {
        return (candidate){0};
    }
    return (candidate){.ball = {centre, radius}, .face = q.face};
}

static candidate make_candidate(cover *c, uint32_t sample)
{
    const vec3 p = c->points[sample], d = c->inwards[sample];
    candidate best = {0};
    double tolerance = tolerance_first * c->options->gap, depth = tolerance + 0.5 * c->widest;
    uint32_t face = UINT32_MAX;
    for (int i = 0; i < TOLERANCES_MOST && (i < TOLERANCES_COMPARED || best.gain == 0); i++) {
        shrink_ball(c, p, d, tolerance, &depth, &face);
        candidate made = inner_ball(c, vec3_madd(p, depth, d), face);
        const geo_ball ball = made.ball;
        if (ball.radius > 0 && vec3_distance(p, ball.centre) - ball.radius < c->options->gap) {
            made.gain = count_covered(c, &ball, 0, 0);
            if (made.gain > best.gain) {
                best = made;
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

/** Adds the candidates of the samples seeds[first] to seeds[end - 1] that are not covered yet. */
static base_status add_candidates(cover *c, size_t first, size_t end, base_error *err)
{
    base_status status =
        base_reserve(c->candidates, c->candidate_capacity, c->candidate_count + end - first, err);
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
    status =
        base_reserve(c->heap, c->heap_capacity, c->heap_count + kept - c->candidate_count, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = c->candidate_count; i < kept; i++) {
        c->heap[c->heap_count++] = (uint64_t)c->candidates[i].gain << 32 | (uint32_t)~i;
    }
    c->candidate_count = kept;
    base_heap_make(c->heap, c->heap_count);
    return BASE_OK;
}

/* --- The greedy choice ------------------------------------------------------------------------ */

static bool is_full(const cover *c)
{
    return c->options->count_most > 0 && c->chosen_count >= c->options->count_most;
}

/** Chooses candidates as long as one has a gain of at least `least`. */
static base_status choose_balls(cover *c, uint32_t least, base_error *err)
{
    while (c->heap_count > 0 && (uint32_t)(c->heap[0] >> 32) >= least && !is_full(c)) {
        const uint32_t number = ~(uint32_t)c->heap[0];
        const geo_ball ball = c->candidates[number].ball;
        /* Gains only decrease. So if the gain in the largest key is still correct, it is the
         * largest gain. */
        const uint32_t gain = count_covered(c, &ball, 0, 0);
        const bool current = gain == (uint32_t)(c->heap[0] >> 32);
        if (current) {
            const base_status status =
                base_reserve(c->chosen, c->chosen_capacity, c->chosen_count + 1, err);
            if (status != BASE_OK) {
                return status;
            }
            (void)count_covered(c, &ball, 0, 1);
            c->chosen[c->chosen_count++] = c->candidates[number];
        }
        if (current || gain == 0) {
            c->heap[0] = c->heap[--c->heap_count];
        } else {
            c->heap[0] = (uint64_t)gain << 32 | (uint32_t)~number;
        }
        if (c->heap_count > 0) {
            base_heap_sift_down(c->heap, c->heap_count, 0);
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
        if (end > tried) {
            const base_status status = add_candidates(c, tried, end, err);
            if (status != BASE_OK) {
                return status;
            }
            tried = end;
        }
        const base_status status = choose_balls(c, least, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/**
 * Removes each ball whose samples are all covered by other balls, too. Starts with the ball that
 * was chosen last.
 */
static void drop_needless(cover *c)
{
    size_t kept = c->chosen_count;
    for (size_t i = c->chosen_count; i-- > 0;) {
        if (count_covered(c, &c->chosen[i].ball, 1, 0) == 0) {
            (void)count_covered(c, &c->chosen[i].ball, 1, -1);
            c->chosen[i].ball.radius = 0;
            kept--;
        }
    }
    size_t to = 0;
    for (size_t i = 0; i < c->chosen_count; i++) {
        if (c->chosen[i].ball.radius > 0) {
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
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu samples", c->count);
    }
    for (size_t i = 0; i < c->count; i++) {
        boxes[i] = (geo_box){samples->points[i], samples->points[i]};
    }
    const base_status status =
        geo_bvh_build(boxes, c->count, GEO_BVH_LEAF_MAX, arena, &c->bvh, err);
    base_free(boxes);
    if (status != BASE_OK) {
        return status;
    }
    c->points = base_arena_alloc(arena, c->count, sizeof *c->points);
    c->inwards = base_arena_alloc(arena, c->count, sizeof *c->inwards);
    c->times = base_arena_alloc(arena, c->count, sizeof *c->times);
    c->seeds = base_arena_alloc(arena, c->count, sizeof *c->seeds);
    if (!c->points || !c->inwards || !c->times || !c->seeds) {
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

static int compare_chosen(const void *left, const void *right)
{
    const geo_ball *const a = &((const candidate *)left)->ball;
    const geo_ball *const b = &((const candidate *)right)->ball;
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
    qsort(c->chosen, c->chosen_count, sizeof *c->chosen, compare_chosen);
    const base_status status = alg_ist_packing_reserve(packing, c->chosen_count, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < c->chosen_count; i++) {
        packing->centres[i] = c->chosen[i].ball.centre;
        packing->radii[i] = packing->secondary[i] = c->chosen[i].ball.radius;
        packing->faces[i] = c->chosen[i].face;
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
    if (uncovered) {
        *uncovered = 0;
    }
    base_status status = prepare_samples(&c, samples, &arena, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = choose_all(&c, err);
    if (status != BASE_OK) {
        goto done;
    }
    drop_needless(&c);
    status = hand_over(&c, packing, err);
    for (size_t i = 0; uncovered && i < c.count; i++) {
        *uncovered += c.times[i] == 0;
    }
done:
    base_free(c.candidates);
    base_free(c.heap);
    base_free(c.chosen);
    base_arena_release(&arena);
    return status;
}
