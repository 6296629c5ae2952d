#include "groundtruth/cache.h"

#include <unistd.h>

enum {
    /* Frames between two writes: what a kill loses, and how often progress is told. */
    DISTANCE_BATCH = 2048,
    DISTANCE_CHUNK = 16,
    VOLUME_BATCH = 16, /* at least, and four a CPU */
};

static const unsigned quantities[2] = {GT_WANT_DISTANCE, GT_WANT_VOLUME};

typedef struct job {
    const gt_body *a, *b;
    const geo_pose *poses;
    size_t count;
    unsigned want;
    gt_truth *truths;

    gt_truth_cache cache;
    bool cached;     /* is there a cache? */
    uint8_t *lacks;  /* per frame: mask of what has to be computed */
    uint8_t *sound;  /* per frame: mask of what has passed its checks */
    size_t *missing; /* the frames that lack anything */
    size_t missing_count;
    size_t begin; /* of the batch, in missing */
} job;

const char *gt_method_name(unsigned want)
{
    switch (want & (GT_WANT_DISTANCE | GT_WANT_VOLUME)) {
    case GT_WANT_DISTANCE:
        return "bvh";
    case GT_WANT_VOLUME:
        return "tetra";
    default:
        return "bvh+tetra";
    }
}

static gt_bracket *value_of(gt_truth *truth, unsigned quantity)
{
    return quantity == GT_WANT_DISTANCE ? &truth->distance_m : &truth->volume_m3;
}

/* --- Computing -------------------------------------------------------------------------------- */

static bool is_bracket(gt_bracket v)
{
    return isfinite(v.lo) && isfinite(v.hi) && v.lo >= 0 && v.lo <= v.hi;
}

static void compute_frame(job *j, size_t f)
{
    gt_truth *const truth = &j->truths[f];
    if (j->lacks[f] & GT_WANT_DISTANCE) {
        gt_distance d;
        gt_distance_query(j->a, j->b, &j->poses[f], &d);
        truth->distance_m = d.distance_m;
        if (is_bracket(d.distance_m) && is_bracket(d.surface_m)) {
            j->sound[f] |= GT_WANT_DISTANCE;
        }
    }
    if (j->lacks[f] & GT_WANT_VOLUME) {
        gt_volume v;
        gt_volume_query(j->a, j->b, &j->poses[f], &v);
        truth->volume_m3 = v.volume_m3;
        const double va = j->a->report->measure.volume_m3, vb = j->b->report->measure.volume_m3;
        if (is_bracket(v.volume_m3) && v.volume_m3.lo <= (va < vb ? va : vb)) {
            j->sound[f] |= GT_WANT_VOLUME;
        }
    }
}

static void compute(void *context, size_t begin, size_t end)
{
    job *const j = context;
    for (size_t i = begin; i < end; i++) {
        compute_frame(j, j->missing[j->begin + i]);
    }
}

static geo_status store(job *j, size_t count, geo_error *err)
{
    if (!j->cached) {
        return GEO_OK;
    }
    gt_record *const records = geo_alloc(2 * count, sizeof *records);
    if (records == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for the truth of %zu frames", count);
    }
    geo_status status = GEO_OK;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t f = j->missing[j->begin + i];
        for (int k = 0; k < 2 && status == GEO_OK; k++) {
            const unsigned quantity = quantities[k];
            if (j->lacks[f] & quantity) {
                status = gt_record_make(&j->cache, &j->poses[f], quantity,
                                        *value_of(&j->truths[f], quantity),
                                        (j->sound[f] & quantity) != 0, &records[made++], err);
            }
        }
    }
    if (status == GEO_OK) {
        status = gt_truth_cache_append(&j->cache, records, made, err);
    }
    geo_free(records);
    return status;
}

static geo_status compute_missing(job *j, bool volume, const gt_options *options, geo_error *err)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t wide = cpus > VOLUME_BATCH / 4 ? 4 * (size_t)cpus : VOLUME_BATCH;
    const size_t batch = volume ? wide : DISTANCE_BATCH;
    const size_t known = j->count - j->missing_count;
    while (j->begin < j->missing_count) {
        if (options->progress != NULL) {
            options->progress(options->progress_context, known + j->begin, j->count);
        }
        const size_t left = j->missing_count - j->begin;
        const size_t n = left < batch ? left : batch;
        geo_parallel_for(n, volume ? 1 : DISTANCE_CHUNK, options->threads, compute, j);
        const geo_status status = store(j, n, err);
        if (status != GEO_OK) {
            return status;
        }
        j->begin += n;
    }
    if (options->progress != NULL) {
        options->progress(options->progress_context, j->count, j->count);
    }
    return GEO_OK;
}

/* --- What is known already -------------------------------------------------------------------- */

static geo_status look_up(job *j, size_t f, unsigned quantity, geo_error *err)
{
    gt_record key;
    const geo_status status =
        gt_record_make(&j->cache, &j->poses[f], quantity, GT_NONE, 0, &key, err);
    if (status != GEO_OK) {
        return status;
    }
    const gt_record *const found = gt_truth_cache_find(&j->cache, &key);
    if (found == NULL) {
        j->lacks[f] |= (uint8_t)quantity;
    } else {
        *value_of(&j->truths[f], quantity) = found->value;
        j->sound[f] |= found->certified != 0 ? (uint8_t)quantity : 0;
    }
    return GEO_OK;
}

/** Fills what the cache has; lacking: mask of what any frame lacks. */
static geo_status read_cache(job *j, unsigned *lacking, geo_error *err)
{
    *lacking = 0;
    for (size_t f = 0; f < j->count; f++) {
        j->truths[f] = (gt_truth){GT_NONE, GT_NONE, 0};
        for (int k = 0; k < 2; k++) {
            if (!(j->want & quantities[k])) {
                continue;
            }
            if (!j->cached) {
                j->lacks[f] |= (uint8_t)quantities[k];
            } else if (look_up(j, f, quantities[k], err) != GEO_OK) {
                return GEO_ERR_MEMORY;
            }
        }
        *lacking |= j->lacks[f];
        if (j->lacks[f] != 0) {
            j->missing[j->missing_count++] = f;
        }
    }
    return GEO_OK;
}

/** Bodies that are apart have no volume in common: both methods are asked, and have to agree. */
static int certificate(const job *j, size_t f)
{
    const gt_truth *const t = &j->truths[f];
    const bool both = j->want == (GT_WANT_DISTANCE | GT_WANT_VOLUME);
    const bool contradiction = both && t->distance_m.lo > 0 && t->volume_m3.lo > 0;
    return j->sound[f] == j->want && !contradiction;
}

static geo_status need_solids(const gt_body *a, const gt_body *b, geo_error *err)
{
    const gt_body *const bodies[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!bodies[i]->report->solid) {
            char reason[512];
            geo_mesh_report_reason(bodies[i]->report, reason, sizeof reason);
            return geo_fail(err, GEO_ERR_INPUT, "body %c is not a solid: %s", "AB"[i], reason);
        }
    }
    return GEO_OK;
}

geo_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                               unsigned want, const gt_options *given, gt_truth *truths,
                               geo_error *err)
{
    const gt_options none = {0};
    const gt_options *const options = given != NULL ? given : &none;
    job j = {.a = a,
             .b = b,
             .poses = poses,
             .count = count,
             .want = want & (GT_WANT_DISTANCE | GT_WANT_VOLUME),
             .truths = truths,
             .cached = options->cache_directory != NULL};
    geo_arena arena = {0};
    unsigned lacking = 0;
    geo_status status = j.want & GT_WANT_VOLUME ? need_solids(a, b, err) : GEO_OK;
    if (status != GEO_OK) {
        return status;
    }
    j.lacks = geo_arena_alloc(&arena, count, sizeof *j.lacks);
    j.sound = geo_arena_alloc(&arena, count, sizeof *j.sound);
    j.missing = geo_arena_alloc(&arena, count, sizeof *j.missing);
    if (j.lacks == NULL || j.sound == NULL || j.missing == NULL) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for the truth of %zu frames", count);
        goto done;
    }
    if (j.cached) {
        status = gt_truth_cache_open(options->cache_directory, a, b, &j.cache, err);
    }
    status = status != GEO_OK ? status : read_cache(&j, &lacking, err);
    const bool volume = (lacking & GT_WANT_VOLUME) != 0;
    if (status == GEO_OK && volume) {
        status = gt_body_tetrahedralise(a, options, err);
        status = status != GEO_OK ? status : gt_body_tetrahedralise(b, options, err);
    }
    status = status != GEO_OK ? status : compute_missing(&j, volume, options, err);
    for (size_t f = 0; f < count && status == GEO_OK; f++) {
        truths[f].certified = certificate(&j, f);
    }
done:
    gt_truth_cache_close(&j.cache);
    geo_arena_release(&arena);
    return status;
}
