#include "groundtruth/escapes.h"

#include "groundtruth/answers.h"
#include "groundtruth/depth/depth_hull.h"

#include <math.h>

typedef struct job {
    const gt_body *a, *b;
    const geo_pose *poses;
    const gt_reported_depth *ways;
    gt_escape *escapes;
} job;

/** Is there anything to ask of it? */
static bool is_way(gt_reported_depth way)
{
    const double length2 = vec3_norm2(way.direction);
    return isfinite(way.depth_m) && isfinite(length2) && length2 > 0;
}

static base_status make_key(const void *context, const gt_truth_cache *cache, size_t frame,
                            unsigned question, base_hash *key, base_error *err)
{
    const job *const j = context;
    const gt_reported_depth *const way = &j->ways[frame];
    (void)question;
    return gt_escape_key(cache, &j->poses[frame], way->direction, way->depth_m, key, err);
}

static gt_answer answer(const void *context, size_t frame, unsigned question,
                        gt_workspace *workspace)
{
    const job *const j = context;
    const gt_reported_depth *const way = &j->ways[frame];
    gt_flux_space *const space = gt_workspace_flux(workspace);
    gt_escape e;
    (void)question;
    if (!space || gt_escape_query(j->a, j->b, &j->poses[frame], way->direction, way->depth_m, space,
                                  &e, NULL) != BASE_OK) {
        return GT_NO_ANSWER;
    }
    return (gt_answer){
        10,
        true,
        {e.needed_m.lo, e.needed_m.hi, e.clear_m.lo, e.clear_m.hi, e.before_m3.lo, e.before_m3.hi,
          e.after_m3.lo, e.after_m3.hi, e.gap_m.lo, e.gap_m.hi}
    };
}

static void finish(void *context, size_t frame, uint32_t asked, const gt_answer *answers)
{
    const job *const j = context;
    const double *const v = answers[0].values;
    j->escapes[frame] = asked ? (gt_escape){{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}, {v[6], v[7]}, {v[8], v[9]}}
                              : (gt_escape){GT_NONE, GT_NONE, GT_NONE, GT_NONE, GT_NONE};
}

static const gt_answerer by_query = {1, make_key, answer, finish};

static base_status prepare(gt_body *body, base_error *err)
{
    base_error reason = {0};
    const base_status status = gt_body_make_hull(body, &reason);
    return status == BASE_OK || status == BASE_ERR_INPUT
               ? BASE_OK
               : base_fail(err, status, "%s", reason.text);
}

static base_status ask_and_answer(const job *j, gt_answers *answers, base_error *err)
{
    uint32_t lacking;
    for (size_t f = 0; f < answers->count; f++) {
        answers->asked[f] = is_way(j->ways[f]);
    }
    base_status status = gt_answers_look_up(answers, &lacking, err);
    if (status == BASE_OK) {
        status = gt_answers_compute(answers, err);
    }
    for (size_t f = 0; f < answers->count && status == BASE_OK; f++) {
        if (answers->asked[f] && answers->answers[f].count == 0) {
            status =
                base_fail(err, BASE_ERR_MEMORY, "out of memory for the way out at frame %zu", f);
        }
    }
    return status;
}

base_status gt_escapes(gt_body *a, gt_body *b, const geo_pose *poses, const gt_reported_depth *ways,
                       size_t count, const gt_options *given, gt_escape *escapes, base_error *err)
{
    const gt_options none = {0};
    base_status status = gt_bodies_need_solids(a, b, err);
    if (status == BASE_OK) {
        status = prepare(a, err);
    }
    if (status == BASE_OK) {
        status = prepare(b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    job j = {a, b, poses, ways, escapes};
    gt_answers answers;
    status = gt_answers_open(&answers, &by_query, &j, a, b, count, given ? given : &none, err);
    if (status == BASE_OK) {
        status = ask_and_answer(&j, &answers, err);
    }
    gt_answers_close(&answers);
    return status;
}
