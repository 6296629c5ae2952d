#include "groundtruth/answers.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <time.h>
#include <unistd.h>

/* --- Workspaces ------------------------------------------------------------------------------- */

gt_flux_space *gt_workspace_flux(gt_workspace *workspace)
{
    if (!workspace->flux) {
        workspace->flux = gt_flux_space_create();
    }
    return workspace->flux;
}

gt_penetration_space *gt_workspace_penetration(gt_workspace *workspace)
{
    if (!workspace->penetration) {
        workspace->penetration = gt_penetration_space_create();
    }
    return workspace->penetration;
}

gt_depth_space *gt_workspace_depth(gt_workspace *workspace)
{
    if (!workspace->depth) {
        workspace->depth = gt_depth_space_create();
    }
    return workspace->depth;
}

gt_cells_space *gt_workspace_cells(gt_workspace *workspace)
{
    if (!workspace->cells) {
        workspace->cells = gt_cells_space_create();
    }
    return workspace->cells;
}

static void destroy_workspace(gt_workspace *workspace)
{
    gt_flux_space_destroy(workspace->flux);
    gt_penetration_space_destroy(workspace->penetration);
    gt_depth_space_destroy(workspace->depth);
    gt_cells_space_destroy(workspace->cells);
}

static gt_workspace take_workspace(gt_answers *s)
{
    gt_workspace workspace = {0};
    pthread_mutex_lock(&s->lock);
    if (s->idle_count > 0) {
        workspace = s->idle[--s->idle_count];
    }
    pthread_mutex_unlock(&s->lock);
    return workspace;
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

/* --- The set of questions --------------------------------------------------------------------- */

base_status gt_answers_open(gt_answers *s, const gt_answerer *by, void *context, const gt_body *a,
                            const gt_body *b, size_t count, const gt_options *options,
                            base_error *err)
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

void gt_answers_close(gt_answers *s)
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

/* --- What is known already -------------------------------------------------------------------- */

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

base_status gt_answers_look_up(gt_answers *s, uint32_t *lacking, base_error *err)
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

void gt_answers_forgo(gt_answers *s, uint32_t questions)
{
    for (size_t f = 0; f < s->count; f++) {
        s->asked[f] &= ~(s->lacks[f] & questions);
        s->lacks[f] &= ~questions;
    }
}

/* --- Computing -------------------------------------------------------------------------------- */

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

/** Writes down what a batch has found. */
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

/** Says how far it is; an error when it is not to go on. */
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

/** Frames that lack nothing are done; the others are listed. */
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

/** In batches of about a second: what a kill loses, and how often progress is told. */
base_status gt_answers_compute(gt_answers *s, base_error *err)
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
