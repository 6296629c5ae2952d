#include "groundtruth/trajectory.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/pose.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/contact/pairs.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/depth_hull.h"
#include "groundtruth/distance/brute.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/volume_tetra.h"

#include <math.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

typedef struct job {
    const gt_body *a, *b;
    const geo_pose *poses;
    size_t count;
    unsigned asked;   /* mask of GT_WANT_*: what the methods answer of what is wanted */
    unsigned methods; /* mask of GT_BY_*: those that are asked and can be had */
    unsigned sampled; /* of them those that take a frame in so many: */
    uint64_t stride;
    gt_truth *truths;

    gt_truth_cache cache;
    bool cached;        /* is there a cache? */
    gt_answer *answers; /* GT_METHOD_COUNT per frame */
    uint32_t *expected; /* per frame: mask of the methods that have to answer */
    uint32_t *lacks;    /* per frame: mask of what has to be computed */
    size_t *missing;    /* the frames that lack anything */
    size_t missing_count;
    size_t begin; /* of the batch, in missing */

    /* What threads compute fluxes in; each takes one for a frame and puts it back. */
    gt_flux_space **spaces;
    size_t space_count, space_capacity;
    pthread_mutex_t lock;
} job;

/* --- Computing -------------------------------------------------------------------------------- */

static bool is_bracket(gt_bracket v)
{
    return isfinite(v.lo) && isfinite(v.hi) && v.lo >= 0 && v.lo <= v.hi;
}

static gt_answer distance_answer(const gt_distance *d)
{
    return (gt_answer){
        4,
        is_bracket(d->distance_m) && is_bracket(d->surface_m),
        {d->distance_m.lo, d->distance_m.hi, d->surface_m.lo, d->surface_m.hi}
    };
}

static bool is_volume(const job *j, gt_bracket volume)
{
    const double va = j->a->report->measure.volume_m3, vb = j->b->report->measure.volume_m3;
    return is_bracket(volume) && volume.lo <= (va < vb ? va : vb);
}

static gt_answer pairs_answer(uint64_t count)
{
    return (gt_answer){
        2, true, {(double)count, (double)count}
    };
}

static gt_flux_space *take_space(job *j)
{
    gt_flux_space *space = NULL;
    pthread_mutex_lock(&j->lock);
    if (j->space_count > 0) {
        space = j->spaces[--j->space_count];
    }
    pthread_mutex_unlock(&j->lock);
    return space ? space : gt_flux_space_create();
}

static void put_space(job *j, gt_flux_space *space)
{
    pthread_mutex_lock(&j->lock);
    if (base_reserve(j->spaces, j->space_capacity, j->space_count + 1, NULL) == BASE_OK) {
        j->spaces[j->space_count++] = space;
        space = NULL;
    }
    pthread_mutex_unlock(&j->lock);
    gt_flux_space_destroy(space);
}

static gt_answer by_bvh(job *j, const geo_pose *pose)
{
    gt_distance distance;
    gt_distance_query(j->a, j->b, pose, &distance);
    return distance_answer(&distance);
}

static gt_answer by_brute(job *j, const geo_pose *pose)
{
    gt_distance distance;
    gt_distance_brute(j->a, j->b, pose, &distance);
    return distance_answer(&distance);
}

/** The volume, and what displacement does to B: minus its gradients, about B's centroid. */
static gt_answer flux_answer(const job *j, const geo_pose *pose, const gt_flux *flux)
{
    double bound;
    const vec3 centroid = geo_pose_apply(pose, j->b->report->measure.centroid);
    const vec3 force = vec3_scale(-1, flux->gradient_m2);
    const vec3 torque = vec3_scale(-1, gt_flux_torque(flux, centroid, &bound));
    const bool sound = flux->flaws == 0 && is_volume(j, flux->volume_m3) &&
                       isfinite(flux->gradient_bound_m2) && isfinite(bound);
    return (gt_answer){
        10,
        sound,
        {flux->volume_m3.lo, flux->volume_m3.hi, force.x, force.y, force.z, torque.x, torque.y,
          torque.z, flux->gradient_bound_m2, bound}
    };
}

/** No answer when there is no memory for it. */
static gt_answer by_flux(job *j, const geo_pose *pose)
{
    gt_answer answer = GT_NO_ANSWER;
    gt_flux_space *const space = take_space(j);
    gt_flux flux;
    if (space) {
        if (gt_flux_query(j->a, j->b, pose, space, &flux, NULL) == BASE_OK) {
            answer = flux_answer(j, pose, &flux);
        }
        put_space(j, space);
    }
    return answer;
}

static gt_answer by_tetra(job *j, const geo_pose *pose)
{
    gt_volume volume;
    gt_volume_query(j->a, j->b, pose, &volume);
    return (gt_answer){
        2, is_volume(j, volume.volume_m3), {volume.volume_m3.lo, volume.volume_m3.hi}
    };
}

static gt_answer by_tree(job *j, const geo_pose *pose)
{
    return pairs_answer(gt_pairs_query(j->a, j->b, pose));
}

static gt_answer by_all_pairs(job *j, const geo_pose *pose)
{
    return pairs_answer(gt_pairs_brute(j->a, j->b, pose));
}

static gt_answer by_hull(job *j, const geo_pose *pose)
{
    gt_depth depth;
    gt_depth_query(j->a, j->b, pose, &depth);
    const vec3 n = depth.direction;
    return (gt_answer){
        5, is_bracket(depth.depth_m), {depth.depth_m.lo, depth.depth_m.hi, n.x, n.y, n.z}
    };
}

static gt_answer (*const answer_by[GT_METHOD_COUNT])(job *j, const geo_pose *pose) = {
    [GT_BVH] = by_bvh,   [GT_BRUTE] = by_brute,         [GT_FLUX] = by_flux, [GT_TETRA] = by_tetra,
    [GT_TREE] = by_tree, [GT_ALL_PAIRS] = by_all_pairs, [GT_HULL] = by_hull,
};

static void compute(void *context, size_t begin, size_t end)
{
    job *const j = context;
    for (size_t i = begin; i < end; i++) {
        const size_t f = j->missing[j->begin + i];
        gt_answer *const answers = &j->answers[f * GT_METHOD_COUNT];
        for (int m = 0; m < GT_METHOD_COUNT; m++) {
            if (j->lacks[f] & 1u << m) {
                answers[m] = answer_by[m](j, &j->poses[f]);
            }
        }
        gt_certify(j->asked, j->expected[f], answers, &j->truths[f]);
    }
}

/** Writes down what a batch has found. */
static base_status store(job *j, size_t count, base_error *err)
{
    if (!j->cached) {
        return BASE_OK;
    }
    gt_record *const records = base_alloc(GT_METHOD_COUNT * count, sizeof *records);
    if (!records) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the truth of %zu frames", count);
    }
    base_status status = BASE_OK;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t f = j->missing[j->begin + i];
        for (int m = 0; m < GT_METHOD_COUNT && status == BASE_OK; m++) {
            const gt_answer *const found = &j->answers[f * GT_METHOD_COUNT + (size_t)m];
            if ((j->lacks[f] & 1u << m) && found->count > 0) {
                gt_record *const r = &records[made++];
                r->answer = *found;
                status = gt_record_key(&j->cache, &j->poses[f], (gt_method)m, &r->key, err);
            }
        }
    }
    if (status == BASE_OK) {
        status = gt_truth_cache_append(&j->cache, records, made, err);
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

/** Says how far it is; an error when it is not to go on. */
static base_status tell(const job *j, const gt_options *options, base_error *err)
{
    const bool all = j->begin == j->missing_count;
    const size_t done = j->count - j->missing_count + j->begin;
    const size_t ready = all ? j->count : j->missing[j->begin];
    return !options->progress || options->progress(options->progress_context, done, ready, j->count)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "interrupted");
}

/** In batches of about a second: what a kill loses, and how often progress is told. */
static base_status compute_missing(job *j, const gt_options *options, base_error *err)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t batch = cpus > 1 ? (size_t)cpus : 1;
    base_status status = tell(j, options, err);
    while (j->begin < j->missing_count && status == BASE_OK) {
        const size_t left = j->missing_count - j->begin;
        const size_t n = left < batch ? left : batch;
        const double start_s = now_s();
        base_parallel_for(n, 1, options->threads, compute, j);
        status = store(j, n, err);
        if (status == BASE_OK) {
            j->begin += n;
            status = tell(j, options, err);
        }
        const double took_s = now_s() - start_s;
        batch = took_s < 0.5 ? 2 * batch : took_s > 2 && batch > 1 ? batch / 2 : batch;
    }
    return status;
}

/* --- What is known already -------------------------------------------------------------------- */

/** Fills a frame's answers from the cache; what is not there, it lacks. */
static base_status look_up(job *j, size_t f, base_error *err)
{
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        gt_answer *const known = &j->answers[f * GT_METHOD_COUNT + (size_t)m];
        *known = GT_NO_ANSWER;
        if (!(j->expected[f] & 1u << m)) {
            continue;
        }
        base_hash key;
        const gt_record *found = NULL;
        if (j->cached) {
            if (gt_record_key(&j->cache, &j->poses[f], (gt_method)m, &key, err) != BASE_OK) {
                return BASE_ERR_MEMORY;
            }
            found = gt_truth_cache_find(&j->cache, key);
        }
        if (found) {
            *known = found->answer;
        } else {
            j->lacks[f] |= 1u << m;
        }
    }
    return BASE_OK;
}

/** One frame in j->stride, by the hash of its pose: the same ones in every trajectory. */
static base_status choose(const job *j, size_t f, bool *chosen, base_error *err)
{
    *chosen = true;
    if (j->stride > 1) {
        base_hasher *const hasher = base_hasher_create();
        if (!hasher) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for a hash");
        }
        base_hasher_add(hasher, &j->poses[f], sizeof j->poses[f]);
        *chosen = base_hasher_finish(hasher).lo % j->stride == 0;
    }
    return BASE_OK;
}

/** lacking: mask of what any frame lacks. */
static base_status read_cache(job *j, unsigned *lacking, base_error *err)
{
    *lacking = 0;
    for (size_t f = 0; f < j->count; f++) {
        bool check;
        base_status status = choose(j, f, &check, err);
        if (status != BASE_OK) {
            return status;
        }
        j->expected[f] = check ? j->methods : j->methods & ~j->sampled;
        status = look_up(j, f, err);
        if (status != BASE_OK) {
            return status;
        }
        *lacking |= j->lacks[f];
    }
    return BASE_OK;
}

/** Frames that lack nothing are done; the others are listed. */
static void list_missing(job *j)
{
    for (size_t f = 0; f < j->count; f++) {
        gt_certify(j->asked, j->expected[f], &j->answers[f * GT_METHOD_COUNT], &j->truths[f]);
        if (j->lacks[f] != 0) {
            j->missing[j->missing_count++] = f;
        }
    }
}

/** Without tetrahedra what lacks them goes on by flux alone, if that is asked. */
static base_status need_tetrahedra(job *j, gt_body *a, gt_body *b, const gt_options *options,
                                   base_error *err)
{
    const base_status status = gt_bodies_tetrahedralise(a, b, options, err);
    const bool refused = gt_body_refusal(a) || gt_body_refusal(b);
    if (status == BASE_OK || !refused || !(j->methods & GT_BY_FLUX)) {
        return status;
    }
    for (size_t f = 0; f < j->count; f++) {
        j->expected[f] &= ~(j->lacks[f] & GT_BY_TETRA);
        j->lacks[f] &= ~(uint32_t)GT_BY_TETRA;
    }
    return BASE_OK;
}

static base_status need_solids(const gt_body *a, const gt_body *b, base_error *err)
{
    const gt_body *const bodies[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!bodies[i]->report->solid) {
            char reason[512];
            geo_mesh_report_reason(bodies[i]->report, reason, sizeof reason);
            return base_fail(err, BASE_ERR_INPUT, "body %c is not a solid: %s", "AB"[i], reason);
        }
    }
    return BASE_OK;
}

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

/** What the bodies have to be for the methods. */
static base_status need_bodies(gt_body *a, gt_body *b, unsigned methods, base_error *err)
{
    const base_status status =
        methods & (GT_BY_VOLUME | GT_BY_DEPTH) ? need_solids(a, b, err) : BASE_OK;
    return status == BASE_OK && (methods & GT_BY_HULL) ? need_hulls(a, b, err) : status;
}

/** Second methods that look at all pairs of triangles, beside the first ones. */
static unsigned sampled_of(unsigned methods)
{
    unsigned sampled = 0;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        sampled |= row->sampled && (methods & 1u << row->methods[0]) ? 1u << row->methods[1] : 0;
    }
    return sampled;
}

/** The first ones. */
static unsigned default_methods(void)
{
    unsigned methods = 0;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        methods |= 1u << gt_quantities[q].methods[0];
    }
    return methods;
}

/** Which methods are to answer what: a force comes with the volume that it is the gradient of. */
static void choose_methods(job *j, unsigned want, unsigned methods)
{
    const unsigned wanted = want & GT_WANT_FORCE ? want | GT_WANT_VOLUME : want;
    const double pairs = (double)j->a->mesh->face_count * (double)j->b->mesh->face_count;
    j->methods = (methods != 0 ? methods : default_methods()) & gt_methods_answering(wanted);
    j->asked = wanted & gt_quantities_answered(j->methods);
    j->sampled = sampled_of(j->methods);
    j->stride = (uint64_t)(pairs / GT_BRUTE_PAIRS) + 1;
}

static base_status alloc_job(job *j, base_arena *arena, base_error *err)
{
    j->answers = base_arena_alloc(arena, j->count, GT_METHOD_COUNT * sizeof *j->answers);
    j->expected = base_arena_alloc(arena, j->count, sizeof *j->expected);
    j->lacks = base_arena_alloc(arena, j->count, sizeof *j->lacks);
    j->missing = base_arena_alloc(arena, j->count, sizeof *j->missing);
    return j->answers && j->expected && j->lacks && j->missing
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory for the truth of %zu frames",
                           j->count);
}

base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *given, gt_truth *truths,
                                base_error *err)
{
    const gt_options none = {0};
    const gt_options *const options = given ? given : &none;
    job j = {.a = a,
             .b = b,
             .poses = poses,
             .count = count,
             .truths = truths,
             .cached = options->cache_directory,
             .lock = PTHREAD_MUTEX_INITIALIZER};
    base_arena arena = {0};
    unsigned lacking = 0;
    choose_methods(&j, want, options->methods);
    base_status status = need_bodies(a, b, j.methods, err);
    if (status != BASE_OK) {
        return status;
    }
    status = alloc_job(&j, &arena, err);
    if (status != BASE_OK) {
        goto done;
    }
    if (j.cached) {
        status = gt_truth_cache_open(options->cache_directory, a, b, &j.cache, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    status = read_cache(&j, &lacking, err);
    if (status == BASE_OK && (lacking & GT_BY_TETRA)) {
        status = need_tetrahedra(&j, a, b, options, err);
    }
    if (status != BASE_OK) {
        goto done;
    }
    list_missing(&j);
    status = compute_missing(&j, options, err);
done:
    for (size_t i = 0; i < j.space_count; i++) {
        gt_flux_space_destroy(j.spaces[i]);
    }
    base_free(j.spaces);
    gt_truth_cache_close(&j.cache);
    base_arena_release(&arena);
    return status;
}
