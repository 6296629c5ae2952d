/** Many answers on one pair, each from the cache or computed: what goes through frames stands on.
 */
#ifndef GROUNDTRUTH_ANSWERS_H
#define GROUNDTRUTH_ANSWERS_H

#include "base/arena.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/force/depth_cells.h"
#include "groundtruth/volume/flux.h"

#include <pthread.h>

/** What one thread computes in; its parts are made when they are first needed. */
typedef struct gt_workspace {
    gt_flux_space *flux;
    gt_penetration_space *penetration;
    gt_depth_space *depth;
    gt_cells_space *cells;
} gt_workspace;

/** NULL when out of memory. */
gt_flux_space *gt_workspace_flux(gt_workspace *workspace);
gt_penetration_space *gt_workspace_penetration(gt_workspace *workspace);
gt_depth_space *gt_workspace_depth(gt_workspace *workspace);
gt_cells_space *gt_workspace_cells(gt_workspace *workspace);

/** Who answers: a frame has at most 32 questions, numbered from 0. */
typedef struct gt_answerer {
    unsigned questions; /* a frame */
    /** The key of a question. Errors: BASE_ERR_MEMORY. */
    base_status (*key)(const void *context, const gt_truth_cache *cache, size_t frame,
                       unsigned question, base_hash *key, base_error *err);
    /** From any thread; must not depend on which. GT_NO_ANSWER when there is no memory for it. */
    gt_answer (*answer)(const void *context, size_t frame, unsigned question,
                        gt_workspace *workspace);
    /** All that was asked of a frame is answered. From any thread, each frame once. */
    void (*finish)(void *context, size_t frame, uint32_t asked, const gt_answer *answers);
} gt_answerer;

/** The questions on all frames, and what is known of them. */
typedef struct gt_answers {
    const gt_answerer *by;
    void *context;
    const gt_options *options;
    size_t count; /* of frames */

    uint32_t *asked;    /* per frame: mask of questions; the caller's to fill before the look-up */
    uint32_t *lacks;    /* per frame: of these, what the cache has not */
    gt_answer *answers; /* by->questions per frame */
    size_t *missing;    /* the frames that lack anything */
    size_t missing_count;
    size_t begin; /* of the batch, in missing */

    bool cached; /* is there a cache? */
    gt_truth_cache cache;
    gt_workspace *idle; /* each thread takes one for a frame and puts it back */
    size_t idle_count, idle_capacity;
    pthread_mutex_t lock;
    base_arena arena;
} gt_answers;

/**
 * Everything is borrowed. Memory: gt_answers_close, also after an error.
 * Errors: those of gt_truth_cache_open.
 */
base_status gt_answers_open(gt_answers *answers, const gt_answerer *by, void *context,
                            const gt_body *a, const gt_body *b, size_t count,
                            const gt_options *options, base_error *err) BASE_MUST_CHECK;
void gt_answers_close(gt_answers *answers);

/** Fills answers from the cache. lacking: mask of what any frame lacks. Errors: BASE_ERR_MEMORY. */
base_status gt_answers_look_up(gt_answers *answers, uint32_t *lacking,
                               base_error *err) BASE_MUST_CHECK;

/** Takes back what of these questions (a mask) the frames lack. */
void gt_answers_forgo(gt_answers *answers, uint32_t questions);

/**
 * Computes what is lacking, writes it to the cache every few seconds, finishes all frames and tells
 * the progress (gt_options).
 * Errors   BASE_ERR_SYSTEM for a cache that cannot be written, or "interrupted" when progress says
 *          so: frames that were said to be ready are finished then; BASE_ERR_MEMORY.
 */
base_status gt_answers_compute(gt_answers *answers, base_error *err) BASE_MUST_CHECK;

#endif
