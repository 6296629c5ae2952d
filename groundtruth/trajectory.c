#include "groundtruth/trajectory.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/pose.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/contact/pairs.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/depth/separation.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/force/depth_force.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/volume_tetra.h"

#include <math.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* --- Many answers on one pair of bodies, each from the cache or computed ---------------------- */

/** The memory in which one thread computes. A member is NULL if memory was short. */
typedef struct gt_workspace {
    gt_flux_space *flux;
    gt_penetration_space *penetration; /* large, so it is made when it is first needed */
    gt_depth_space *depth;
    gt_cells_space *cells;
} gt_workspace;

/** The functions that answer questions. A frame has at most 32 questions, numbered from 0. */
typedef struct gt_answerer {
    unsigned questions; /* number of questions per frame */
    /** Computes the key of a question. Errors: BASE_ERR_MEMORY. */
    base_status (*key)(const void *context, const gt_truth_cache *cache, size_t frame,
                       unsigned question, base_hash *key, base_error *err);
    /** Answers a question. Called from any thread; the answer must not depend on the thread.
     * Returns GT_NO_ANSWER if there is no memory for it. */
    gt_answer (*answer)(const void *context, size_t frame, unsigned question,
                        gt_workspace *workspace);
    /** Called once for each frame, from any thread, after all of its questions are answered. */
    void (*finish)(void *context, size_t frame, uint32_t asked, const gt_answer *answers);
} gt_answerer;

/** The questions on all frames, and the answers so far. */
typedef struct gt_answers {
    const gt_answerer *by;
    void *context;
    const gt_options *options;
    size_t count; /* number of frames */

    uint32_t *asked;    /* per frame: mask of questions; the caller fills it before the look-up */
    uint32_t *lacks;    /* per frame: mask of the questions that the cache cannot answer */
    gt_answer *answers; /* by->questions per frame */
    size_t *missing;    /* the frames that the cache cannot answer completely */
    size_t missing_count;
    size_t begin; /* index of the batch in missing */

    bool cached; /* true if there is a cache */
    gt_truth_cache cache;
    gt_workspace *idle; /* the workspaces that are not in use; a thread takes one for a range of
                         * frames and puts it back */
    size_t idle_count, idle_capacity;
    pthread_mutex_t lock;
    base_arena arena;
} gt_answers;

static void destroy_workspace(gt_workspace *workspace)
{
    gt_flux_space_destroy(workspace->flux);
    gt_penetration_space_destroy(workspace->penetration);
    gt_depth_space_destroy(workspace->depth);
    gt_cells_space_destroy(workspace->cells);
}

static gt_workspace take_workspace(gt_answers *s)
{
    gt_workspace workspace;
    pthread_mutex_lock(&s->lock);
    const bool idle = s->idle_count > 0;
    if (idle) {
        workspace = s->idle[--s->idle_count];
    }
    pthread_mutex_unlock(&s->lock);
    return idle ? workspace
                : (gt_workspace){.flux = gt_flux_space_create(),
                                 .depth = gt_depth_space_create(),
                                 .cells = gt_cells_space_create()};
}

static void put_workspace(gt_answers *s, gt_workspace workspace)
{
    pthread_mutex_lock(&s->lock);
    const base_status status = base_reserve(s->idle, s->idle_capacity, s->idle_count + 1, NULL);
    if (status == BASE_OK) {
        s->idle[s->idle_count++] = workspace;
    }
    pthread_mutex_unlock(&s->lock);
    if (status != BASE_OK) {
        destroy_workspace(&workspace);
    }
}

/**
 * Borrows all arguments. Memory: close_answers, also after an error. Errors: those of
 * gt_truth_cache_open.
 */
static base_status open_answers(gt_answers *s, const gt_answerer *by, void *context,
                                const gt_body *a, const gt_body *b, size_t count,
                                const gt_options *options, base_error *err)
{
    *s = (gt_answers){.by = by,
                      .context = context,
                      .options = options,
                      .count = count,
                      .cached = options->cache_directory};
    pthread_mutex_init(&s->lock, NULL);
    s->answers = base_arena_alloc(&s->arena, count, by->questions * sizeof *s->answers);
    s->asked = base_arena_alloc(&s->arena, count, sizeof *s->asked);
    s->lacks = base_arena_alloc(&s->arena, count, sizeof *s->lacks);
    s->missing = base_arena_alloc(&s->arena, count, sizeof *s->missing);
    if (!s->answers || !s->asked || !s->lacks || !s->missing) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the truth of %zu frames", count);
    }
    return s->cached ? gt_truth_cache_open(options->cache_directory, a, b, &s->cache, err)
                     : BASE_OK;
}

static void close_answers(gt_answers *s)
{
    for (size_t i = 0; i < s->idle_count; i++) {
        destroy_workspace(&s->idle[i]);
    }
    base_free(s->idle);
    pthread_mutex_destroy(&s->lock);
    gt_truth_cache_close(&s->cache);
    base_arena_release(&s->arena);
}

static gt_answer *answers_of(const gt_answers *s, size_t frame)
{
    return &s->answers[frame * s->by->questions];
}

static void finish(gt_answers *s, size_t frame)
{
    s->by->finish(s->context, frame, s->asked[frame], answers_of(s, frame));
}

static base_status look_up(gt_answers *s, size_t frame, unsigned question, base_error *err)
{
    const gt_record *found = NULL;
    if (s->cached) {
        base_hash key;
        const base_status status = s->by->key(s->context, &s->cache, frame, question, &key, err);
        if (status != BASE_OK) {
            return status;
        }
        found = gt_truth_cache_find(&s->cache, key);
    }
    if (found) {
        answers_of(s, frame)[question] = found->answer;
    } else {
        s->lacks[frame] |= 1u << question;
    }
    return BASE_OK;
}

/**
 * Fills answers from the cache. *lacking: mask of the questions that at least one frame lacks.
 * Errors: BASE_ERR_MEMORY.
 */
static base_status look_up_all(gt_answers *s, uint32_t *lacking, base_error *err)
{
    *lacking = 0;
    for (size_t f = 0; f < s->count; f++) {
        for (unsigned q = 0; q < s->by->questions; q++) {
            const base_status status = s->asked[f] & 1u << q ? look_up(s, f, q, err) : BASE_OK;
            if (status != BASE_OK) {
                return status;
            }
        }
        *lacking |= s->lacks[f];
    }
    return BASE_OK;
}

/** Withdraws those of the given questions (a mask) whose answers are lacking. */
static void forgo(gt_answers *s, uint32_t questions)
{
    for (size_t f = 0; f < s->count; f++) {
        s->asked[f] &= ~(s->lacks[f] & questions);
        s->lacks[f] &= ~questions;
    }
}

static void compute(void *context, size_t begin, size_t end)
{
    gt_answers *const s = context;
    gt_workspace workspace = take_workspace(s);
    for (size_t i = begin; i < end; i++) {
        const size_t f = s->missing[s->begin + i];
        for (unsigned q = 0; q < s->by->questions; q++) {
            if (s->lacks[f] & 1u << q) {
                answers_of(s, f)[q] = s->by->answer(s->context, f, q, &workspace);
            }
        }
        finish(s, f);
    }
    put_workspace(s, workspace);
}

/** Stores the answers of a batch in the cache. */
static base_status store(gt_answers *s, size_t count, base_error *err)
{
    if (!s->cached) {
        return BASE_OK;
    }
    gt_record *const records = base_alloc(s->by->questions * count, sizeof *records);
    if (!records) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the truth of %zu frames", count);
    }
    base_status status = BASE_OK;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t f = s->missing[s->begin + i];
        for (unsigned q = 0; q < s->by->questions && status == BASE_OK; q++) {
            const gt_answer *const found = &answers_of(s, f)[q];
            if ((s->lacks[f] & 1u << q) && found->count > 0) {
                gt_record *const r = &records[made++];
                r->answer = *found;
                status = s->by->key(s->context, &s->cache, f, q, &r->key, err);
            }
        }
    }
    if (status == BASE_OK) {
        status = gt_truth_cache_append(&s->cache, records, made, err);
    }
    base_free(records);
    return status;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Reports the progress. Returns the error "interrupted" if the caller wants to stop. */
static base_status tell(const gt_answers *s, base_error *err)
{
    const gt_options *const o = s->options;
    const bool all = s->begin == s->missing_count;
    const size_t done = s->count - s->missing_count + s->begin;
    const size_t ready = all ? s->count : s->missing[s->begin];
    return !o->progress || o->progress(o->progress_context, done, ready, s->count)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "interrupted");
}

/** Finishes the frames that lack no answers and lists the others. */
static void list_missing(gt_answers *s)
{
    for (size_t f = 0; f < s->count; f++) {
        if (s->lacks[f] != 0) {
            s->missing[s->missing_count++] = f;
        } else {
            finish(s, f);
        }
    }
}

/**
 * Computes the missing answers in batches of about a second, and writes each batch to the cache.
 * Finishes all frames and reports the progress after each batch (gt_options). If the process is
 * killed, at most the work on one batch is lost.
 *
 * Errors   BASE_ERR_SYSTEM if the cache cannot be written, or "interrupted" if progress returns
 *          false (all frames that were reported as ready are finished then); BASE_ERR_MEMORY.
 */
static base_status compute_all(gt_answers *s, base_error *err)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t batch = cpus > 1 ? (size_t)cpus : 1;
    list_missing(s);
    base_status status = tell(s, err);
    while (s->begin < s->missing_count && status == BASE_OK) {
        const size_t left = s->missing_count - s->begin;
        const size_t n = left < batch ? left : batch;
        const double start_s = now_s();
        base_parallel_for(n, 1, s->options->threads, compute, s);
        status = store(s, n, err);
        if (status == BASE_OK) {
            s->begin += n;
            status = tell(s, err);
        }
        const double took_s = now_s() - start_s;
        batch = took_s < 0.5 ? 2 * batch : took_s > 2 && batch > 1 ? batch / 2 : batch;
    }
    return status;
}

typedef struct truth_job {
    const gt_body *a, *b;
    gt_body plain_a, plain_b; /* copies of the bodies without their hulls. The method places uses
                               * them, because it must confirm the hulls */
    const geo_pose *poses;
    unsigned asked;   /* mask of GT_WANT_*: the wanted quantities that the methods answer */
    unsigned methods; /* mask of GT_BY_*: the requested methods that apply to the bodies */
    uint64_t stride[GT_METHOD_COUNT]; /* a method answers one frame in this many */
    gt_truth *truths;
} truth_job;

/* --- The answers of the methods --------------------------------------------------------------- */

static bool is_bracket(gt_bracket v)
{
    return isfinite(v.lo) && isfinite(v.hi) && v.lo >= 0 && v.lo <= v.hi;
}

static gt_answer distance_answer(const gt_distance *d)
{
    return (gt_answer){4,
                       is_bracket(d->distance_m) && is_bracket(d->surface_m),
                       {d->distance_m.lo, d->distance_m.hi, d->surface_m.lo, d->surface_m.hi}};
}

static bool is_volume(const truth_job *j, gt_bracket volume)
{
    const double va = j->a->report->measure.volume_m3, vb = j->b->report->measure.volume_m3;
    return is_bracket(volume) && volume.lo <= (va < vb ? va : vb);
}

static gt_answer pairs_answer(uint64_t count)
{
    return (gt_answer){2, true, {(double)count, (double)count}};
}

/** A call of one method for one frame. */
typedef struct method_call {
    const truth_job *job;
    const geo_pose *pose;
    gt_method method;
    gt_workspace *workspace;
} method_call;

static gt_answer by_bvh(const method_call *q)
{
    gt_distance distance;
    gt_distance_query(q->job->a, q->job->b, q->pose, &distance);
    return distance_answer(&distance);
}

static gt_answer by_brute(const method_call *q)
{
    gt_distance distance;
    gt_distance_brute(q->job->a, q->job->b, q->pose, &distance);
    return distance_answer(&distance);
}

/**
 * Returns an answer with the volume, and with the force and torque of displacement on B: minus the
 * gradients of the volume. The torque is about B's centroid.
 */
static gt_answer flux_answer(const truth_job *j, const geo_pose *pose, const gt_flux *flux)
{
    double bound;
    const double force_bound = flux->gradient_bound_m2 + gt_flux_jump(flux);
    const vec3 centroid = geo_pose_apply(pose, j->b->report->measure.centroid);
    const vec3 force = vec3_scale(-1, flux->gradient_m2);
    const vec3 torque = vec3_scale(-1, gt_flux_torque(flux, centroid, &bound));
    const bool sound = flux->flaws == 0 && is_volume(j, flux->volume_m3) && isfinite(force_bound) &&
                       isfinite(bound);
    return (gt_answer){10,
                       sound,
                       {flux->volume_m3.lo, flux->volume_m3.hi, force.x, force.y, force.z, torque.x,
                        torque.y, torque.z, force_bound, bound}};
}

static gt_answer by_flux(const method_call *q)
{
    gt_flux_space *const space = q->workspace->flux;
    gt_flux flux;
    return space && gt_flux_query(q->job->a, q->job->b, q->pose, space, &flux, NULL) == BASE_OK
               ? flux_answer(q->job, q->pose, &flux)
               : GT_NO_ANSWER;
}

static gt_answer by_tetra(const method_call *q)
{
    gt_volume volume;
    gt_volume_query(q->job->a, q->job->b, q->pose, &volume);
    return (gt_answer){
        2, is_volume(q->job, volume.volume_m3), {volume.volume_m3.lo, volume.volume_m3.hi}};
}

static gt_answer by_tree(const method_call *q)
{
    return pairs_answer(gt_pairs_query(q->job->a, q->job->b, q->pose));
}

static gt_answer by_all_pairs(const method_call *q)
{
    return pairs_answer(gt_pairs_brute(q->job->a, q->job->b, q->pose));
}

/** True if B is out of A after a move by the depth along the direction. The corners of B are
 * rounded again at the new place. A bound of this rounding is added to the move. */
static bool is_out(const truth_job *j, const geo_pose *pose, gt_bracket depth, vec3 direction)
{
    const double way = depth.hi + gt_depth_move_slack(j->a, j->b, pose);
    const geo_pose moved = {pose->rotation, vec3_madd(pose->translation, way, direction)};
    gt_distance after;
    gt_distance_query(j->a, j->b, &moved, &after);
    return after.distance_m.hi > 0;
}

static gt_answer depth_answer(const truth_job *j, const geo_pose *pose, gt_bracket depth, vec3 n)
{
    const bool sound = is_bracket(depth) && (depth.hi == 0 || is_out(j, pose, depth, n));
    return (gt_answer){5, sound, {depth.lo, depth.hi, n.x, n.y, n.z}};
}

static gt_answer by_hull(const method_call *q)
{
    gt_depth depth;
    gt_depth_query(q->job->a, q->job->b, q->pose, &depth);
    return depth_answer(q->job, q->pose, depth.depth_m, depth.direction);
}

static gt_answer by_edges(const method_call *q)
{
    gt_bracket depth;
    vec3 direction = {0, 0, 0};
    return gt_depth_edges(q->job->a, q->job->b, q->pose, &depth, &direction)
               ? depth_answer(q->job, q->pose, depth, direction)
               : GT_NO_ANSWER;
}

static gt_answer by_places(const method_call *q)
{
    gt_penetration_space **const space = &q->workspace->penetration;
    gt_penetration found;
    *space = *space ? *space : gt_penetration_space_create();
    if (!*space) {
        return GT_NO_ANSWER;
    }
    gt_penetration_query(&q->job->plain_a, &q->job->plain_b, q->pose, *space, &found);
    return depth_answer(q->job, q->pose, found.depth_m, found.direction);
}

static gt_answer law_answer(gt_bracket bracket, vec3 force, vec3 torque, double force_bound,
                            double torque_bound, bool sound)
{
    return (gt_answer){10,
                       sound && is_bracket(bracket) && vec3_isfinite(force) &&
                           vec3_isfinite(torque) && isfinite(force_bound) && isfinite(torque_bound),
                       {bracket.lo, bracket.hi, force.x, force.y, force.z, torque.x, torque.y,
                        torque.z, force_bound, torque_bound}};
}

static gt_answer by_depth_surface(const method_call *q)
{
    gt_flux_space *const flux = q->workspace->flux;
    gt_depth_space *const space = q->workspace->depth;
    const gt_depth_role role = q->method == GT_DEPTH_SURFACE ? GT_DEPTH_OF_A : GT_DEPTH_OF_B;
    gt_depth_force f;
    return flux && space &&
                   gt_depth_force_query(q->job->a, q->job->b, q->pose, role, flux, space, &f,
                                        NULL) == BASE_OK
               ? law_answer(f.integral_m3, f.force_m3, f.torque_m4, f.force_bound_m3,
                            f.torque_bound_m4, f.flaws == 0)
               : GT_NO_ANSWER;
}

static gt_answer by_depth_cells(const method_call *q)
{
    gt_cells_space *const space = q->workspace->cells;
    const gt_depth_role role = q->method == GT_DEPTH_CELLS ? GT_DEPTH_OF_A : GT_DEPTH_OF_B;
    gt_depth_cells f;
    return space && gt_depth_cells_query(q->job->a, q->job->b, q->pose, role, space, &f, NULL) ==
                        BASE_OK
               ? law_answer(f.energy_m4, f.force_m3, f.torque_m4, f.force_bound_m3,
                            f.torque_bound_m4, true)
               : GT_NO_ANSWER;
}

static gt_answer (*const answer_by[GT_METHOD_COUNT])(const method_call *) = {
    [GT_BVH] = by_bvh,
    [GT_BRUTE] = by_brute,
    [GT_FLUX] = by_flux,
    [GT_TETRA] = by_tetra,
    [GT_TREE] = by_tree,
    [GT_ALL_PAIRS] = by_all_pairs,
    [GT_HULL] = by_hull,
    [GT_EDGES] = by_edges,
    [GT_PLACES] = by_places,
    [GT_DEPTH_SURFACE] = by_depth_surface,
    [GT_DEPTH_SURFACE_EXCHANGED] = by_depth_surface,
    [GT_DEPTH_CELLS] = by_depth_cells,
    [GT_DEPTH_CELLS_EXCHANGED] = by_depth_cells,
};

static base_status make_key(const void *context, const gt_truth_cache *cache, size_t frame,
                            unsigned method, base_hash *key, base_error *err)
{
    const truth_job *const j = context;
    return gt_record_key(cache, &j->poses[frame], (gt_method)method, key, err);
}

static gt_answer answer(const void *context, size_t frame, unsigned method, gt_workspace *workspace)
{
    const truth_job *const j = context;
    const method_call q = {j, &j->poses[frame], (gt_method)method, workspace};
    return answer_by[method](&q);
}

static void certify(void *context, size_t frame, uint32_t asked, const gt_answer *answers)
{
    const truth_job *const j = context;
    gt_certify(j->asked, asked, answers, &j->truths[frame]);
}

static const gt_answerer by_methods = {GT_METHOD_COUNT, make_key, answer, certify};

/* --- The questions ---------------------------------------------------------------------------- */

/** Sets the strides. A stride is 1, except for a second method that only samples the frames of
 * large bodies (gt_quantity_row.sampled). */
static void choose_strides(truth_job *j)
{
    const double pairs = (double)j->a->mesh->face_count * (double)j->b->mesh->face_count;
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        j->stride[m] = 1;
    }
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        if (row->sampled > 0 && (j->methods & 1u << row->methods[0])) {
            j->stride[row->methods[1]] = (uint64_t)(pairs / row->sampled) + 1;
        }
    }
}

/** Returns the first method of each quantity. For the depth, it returns hull and places;
 * choose_depth takes one of them. */
static unsigned default_methods(void)
{
    unsigned methods = GT_BY_HULL | GT_BY_PLACES;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        methods |= 1u << gt_quantities[q].methods[0];
    }
    return methods;
}

/**
 * Computes a number from the pose alone. So if equal frames are in several trajectories, all or
 * none of them are sampled.
 */
static base_status pose_number(const geo_pose *pose, uint64_t *number, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a hash");
    }
    base_hasher_add(hasher, pose, sizeof *pose);
    *number = base_hasher_finish(hasher).lo;
    return BASE_OK;
}

/** Chooses the methods that must answer at each frame. */
static base_status ask_frames(truth_job *j, gt_answers *answers, base_error *err)
{
    choose_strides(j);
    for (size_t f = 0; f < answers->count; f++) {
        uint64_t number = 0;
        const base_status status = pose_number(&j->poses[f], &number, err);
        if (status != BASE_OK) {
            return status;
        }
        answers->asked[f] = 0;
        for (int m = 0; m < GT_METHOD_COUNT; m++) {
            answers->asked[f] |= number % j->stride[m] == 0 ? j->methods & 1u << m : 0;
        }
    }
    return BASE_OK;
}

/* --- The requirements on the bodies ----------------------------------------------------------- */

static base_status need_hulls(gt_body *a, gt_body *b, base_error *err)
{
    gt_body *const bodies[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        base_error reason = {0};
        if (gt_body_make_hull(bodies[i], &reason) != BASE_OK) {
            return base_fail(err, reason.status, "body %c: %s", "AB"[i], reason.text);
        }
    }
    return BASE_OK;
}

/** Chooses the methods of the depth. Bodies that are not convex have only places. For convex bodies
 * places is left out, unless the caller chose methods and did not choose both hull and edges. */
static base_status choose_depth(truth_job *j, gt_body *a, gt_body *b, bool chosen, base_error *err)
{
    base_error reason = {0};
    const base_status status = need_hulls(a, b, &reason);
    const bool confirmed = (j->methods & GT_BY_HULL) && (j->methods & GT_BY_EDGES);
    if (status == BASE_OK) {
        j->methods &= chosen && !confirmed ? j->methods : ~(unsigned)GT_BY_PLACES;
    } else if (status == BASE_ERR_INPUT && (j->methods & GT_BY_PLACES)) {
        j->methods &= ~(unsigned)(GT_BY_HULL | GT_BY_EDGES);
    } else {
        return base_fail(err, status, "%s", reason.text);
    }
    return BASE_OK;
}

/** Checks that the bodies fit the methods, and removes methods that do not apply. */
static base_status need_bodies(truth_job *j, gt_body *a, gt_body *b, bool chosen, base_error *err)
{
    const unsigned solid = GT_BY_VOLUME | GT_BY_DEPTH | GT_BY_DEPTH_FORCE;
    const base_status status = j->methods & solid ? gt_bodies_need_solids(a, b, err) : BASE_OK;
    const bool hulls = j->methods & (GT_BY_HULL | GT_BY_EDGES);
    return status == BASE_OK && hulls ? choose_depth(j, a, b, chosen, err) : status;
}

/**
 * Makes the tetrahedra. If TetGen refuses a body, the methods that need them are dropped, provided
 * that each quantity still has a method.
 */
static base_status need_tetrahedra(const truth_job *j, gt_body *a, gt_body *b, gt_answers *answers,
                                   base_error *err)
{
    const base_status status = gt_bodies_tetrahedralise(a, b, answers->options, err);
    const bool refused = gt_body_refusal(a) || gt_body_refusal(b);
    const unsigned left = j->methods & ~(unsigned)GT_BY_TETRAHEDRA;
    if (status == BASE_OK || !refused || (j->asked & ~gt_quantities_answered(left))) {
        return status;
    }
    forgo(answers, GT_BY_TETRAHEDRA);
    return BASE_OK;
}

/* --- The trajectory --------------------------------------------------------------------------- */

static base_status ask_and_answer(truth_job *j, gt_body *a, gt_body *b, gt_answers *answers,
                                  base_error *err)
{
    uint32_t lacking = 0;
    base_status status = ask_frames(j, answers, err);
    if (status == BASE_OK) {
        status = look_up_all(answers, &lacking, err);
    }
    if (status == BASE_OK && (lacking & GT_BY_TETRAHEDRA)) {
        status = need_tetrahedra(j, a, b, answers, err);
    }
    return status == BASE_OK ? compute_all(answers, err) : status;
}

base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *given, gt_truth *truths,
                                base_error *err)
{
    const gt_options none = {0};
    const gt_options *const options = given ? given : &none;
    truth_job j = {.a = a, .b = b, .plain_a = *a, .plain_b = *b, .poses = poses, .truths = truths};
    j.plain_a.hull = j.plain_b.hull = NULL;
    const unsigned wanted = want & GT_WANT_FORCE ? want | GT_WANT_VOLUME : want;
    const unsigned methods = options->methods != 0 ? options->methods : default_methods();
    j.methods = methods & gt_methods_answering(wanted);
    j.asked = wanted & gt_quantities_answered(j.methods);
    base_status status = need_bodies(&j, a, b, options->methods != 0, err);
    if (status != BASE_OK) {
        return status;
    }
    gt_answers answers;
    status = open_answers(&answers, &by_methods, &j, a, b, count, options, err);
    if (status == BASE_OK) {
        status = ask_and_answer(&j, a, b, &answers, err);
    }
    close_answers(&answers);
    return status;
}

/* --- Reported depths -------------------------------------------------------------------------- */

base_status gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            vec3 direction, double depth_m, gt_flux_space *space, gt_escape *result,
                            base_error *err)
{
    *result = (gt_escape){GT_NONE, GT_NONE, GT_NONE, GT_NONE, GT_NONE};
    gt_distance distance;
    gt_distance_query(a, b, pose, &distance);
    if (distance.distance_m.lo > 0) {
        return BASE_OK;
    }
    const vec3 move = vec3_scale(depth_m, vec3_normalize(direction));
    const geo_pose after = {pose->rotation, vec3_add(pose->translation, move)};
    gt_flux flux_before, flux_after;
    const base_status status = gt_flux_query(a, b, pose, space, &flux_before, err);
    if (status != BASE_OK) {
        return status;
    }
    const base_status status_after = gt_flux_query(a, b, &after, space, &flux_after, err);
    if (status_after != BASE_OK) {
        return status_after;
    }
    gt_separation separation;
    gt_separation_query(a, b, pose, direction, &separation);
    gt_distance_query(a, b, &after, &distance);
    *result = (gt_escape){separation.first_m, separation.clear_m, flux_before.volume_m3,
                          flux_after.volume_m3, distance.distance_m};
    return BASE_OK;
}

/**
 * Answers all reports. Each report has one question, number 0. is_asked: true if a report is
 * complete and valid.
 */
static base_status answer_all(const gt_answerer *by, void *job, const gt_body *a, const gt_body *b,
                              bool (*is_asked)(const void *job, size_t report), size_t count,
                              const gt_options *given, base_error *err)
{
    const gt_options defaults = {0};
    gt_answers answers;
    uint32_t lacking;
    base_status status =
        open_answers(&answers, by, job, a, b, count, given ? given : &defaults, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        answers.asked[i] = is_asked(job, i);
    }
    if (status == BASE_OK) {
        status = look_up_all(&answers, &lacking, err);
    }
    if (status == BASE_OK) {
        status = compute_all(&answers, err);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        if (answers.asked[i] && answers.answers[i].count == 0) {
            status = base_fail(err, BASE_ERR_MEMORY,
                               "out of memory for the truth of reported depth %zu", i);
        }
    }
    close_answers(&answers);
    return status;
}

typedef struct depth_job {
    const gt_body *a, *b;
    const geo_pose *poses;
    const gt_reported_depth *ways;
    gt_escape *escapes;
} depth_job;

static bool is_way(const void *job, size_t frame)
{
    const gt_reported_depth *const way = &((const depth_job *)job)->ways[frame];
    const double length2 = vec3_norm2(way->direction);
    return isfinite(way->depth_m) && isfinite(length2) && length2 > 0;
}

static base_status key_of_depth(const void *job, const gt_truth_cache *cache, size_t frame,
                                unsigned question, base_hash *key, base_error *err)
{
    const depth_job *const j = job;
    const gt_reported_depth *const way = &j->ways[frame];
    (void)question;
    return gt_escape_key(cache, &j->poses[frame], way->direction, way->depth_m, key, err);
}

static gt_answer judge_depth(const void *job, size_t frame, unsigned question,
                             gt_workspace *workspace)
{
    const depth_job *const j = job;
    const gt_reported_depth *const way = &j->ways[frame];
    gt_flux_space *const space = workspace->flux;
    gt_escape e;
    (void)question;
    if (!space || gt_escape_query(j->a, j->b, &j->poses[frame], way->direction, way->depth_m, space,
                                  &e, NULL) != BASE_OK) {
        return GT_NO_ANSWER;
    }
    return (gt_answer){10,
                       true,
                       {e.needed_m.lo, e.needed_m.hi, e.clear_m.lo, e.clear_m.hi, e.before_m3.lo,
                        e.before_m3.hi, e.after_m3.lo, e.after_m3.hi, e.gap_m.lo, e.gap_m.hi}};
}

static void finish_depth(void *job, size_t frame, uint32_t asked, const gt_answer *answers)
{
    const depth_job *const j = job;
    const double *const v = answers[0].values;
    j->escapes[frame] =
        asked ? (gt_escape){{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}, {v[6], v[7]}, {v[8], v[9]}}
              : (gt_escape){GT_NONE, GT_NONE, GT_NONE, GT_NONE, GT_NONE};
}

/** Prepares the hull of a body. A body that is not convex has no hull; this is not an error. */
static base_status prepare_hull(gt_body *body, base_error *err)
{
    base_error reason = {0};
    const base_status status = gt_body_make_hull(body, &reason);
    return status == BASE_OK || status == BASE_ERR_INPUT
               ? BASE_OK
               : base_fail(err, status, "%s", reason.text);
}

base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *options, gt_escape *escapes, base_error *err)
{
    static const gt_answerer by_escape = {1, key_of_depth, judge_depth, finish_depth};
    base_status status = gt_bodies_need_solids(a, b, err);
    if (status == BASE_OK) {
        status = prepare_hull(a, err);
    }
    if (status == BASE_OK) {
        status = prepare_hull(b, err);
    }
    depth_job job = {a, b, poses, ways, escapes};
    return status == BASE_OK ? answer_all(&by_escape, &job, a, b, is_way, count, options, err)
                             : status;
}

typedef struct window_job {
    const gt_body *a, *b;
    const geo_pose *poses;
    const gt_reported_window *windows;
    gt_window_truth *truths;
} window_job;

static bool is_window(const void *job, size_t report)
{
    static const double off_max = 1e-6; /* tolerance of lengths from 1, and of cosines from 0 */
    const gt_reported_window *const reported = &((const window_job *)job)->windows[report];
    const gt_window *const w = &reported->window;
    const double off[] = {vec3_norm(w->side_u) - 1,          vec3_norm(w->side_v) - 1,
                          vec3_norm(w->direction) - 1,       vec3_dot(w->side_u, w->side_v),
                          vec3_dot(w->side_u, w->direction), vec3_dot(w->side_v, w->direction)};
    bool is = isfinite(reported->depth_m) && vec3_isfinite(w->point) && isfinite(w->half_u_m) &&
              isfinite(w->half_v_m) && w->half_u_m > 0 && w->half_v_m > 0;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        is &= fabs(off[i]) <= off_max;
    }
    return is;
}

static base_status key_of_window(const void *job, const gt_truth_cache *cache, size_t report,
                                 unsigned question, base_hash *key, base_error *err)
{
    const window_job *const j = job;
    const gt_reported_window *const r = &j->windows[report];
    const gt_window *const w = &r->window;
    const double numbers[GT_WINDOW_NUMBERS] = {
        w->point.x,  w->point.y,     w->point.z,     w->side_u.x,    w->side_u.y,
        w->side_u.z, w->side_v.x,    w->side_v.y,    w->side_v.z,    w->half_u_m,
        w->half_v_m, w->direction.x, w->direction.y, w->direction.z, r->depth_m};
    (void)question;
    return gt_window_key(cache, &j->poses[r->frame], numbers, key, err);
}

static gt_answer judge_window(const void *job, size_t report, unsigned question,
                              gt_workspace *workspace)
{
    const window_job *const j = job;
    const gt_reported_window *const w = &j->windows[report];
    gt_window_truth t;
    (void)question, (void)workspace;
    if (gt_window_query(j->a, j->b, &j->poses[w->frame], &w->window, w->depth_m, &t, NULL) !=
        BASE_OK) {
        return GT_NO_ANSWER;
    }
    return (gt_answer){6,
                       true,
                       {t.before_m3.lo, t.before_m3.hi, t.after_m3.lo, t.after_m3.hi, t.needed_m.lo,
                        t.needed_m.hi}};
}

static void finish_window(void *job, size_t report, uint32_t asked, const gt_answer *answers)
{
    const window_job *const j = job;
    const double *const v = answers[0].values;
    j->truths[report] = asked ? (gt_window_truth){{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}}
                              : (gt_window_truth){GT_NONE, GT_NONE, GT_NONE};
}

base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *options,
                       gt_window_truth *truths, base_error *err)
{
    static const gt_answerer by_window = {1, key_of_window, judge_window, finish_window};
    window_job job = {a, b, poses, windows, truths};
    return answer_all(&by_window, &job, a, b, is_window, count, options, err);
}
