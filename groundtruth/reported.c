#include "groundtruth/reported.h"

#include "groundtruth/answers.h"
#include "groundtruth/depth/depth_hull.h"

#include <math.h>

/** Every report is one question, number 0. is_asked: is the report complete? */
static base_status answer_all(const gt_answerer *by, void *job, const gt_body *a, const gt_body *b,
                              bool (*is_asked)(const void *job, size_t report), size_t count,
                              const gt_options *given, base_error *err)
{
    const gt_options defaults = {0};
    gt_answers answers;
    uint32_t lacking;
    base_status status =
        gt_answers_open(&answers, by, job, a, b, count, given ? given : &defaults, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        answers.asked[i] = is_asked(job, i);
    }
    if (status == BASE_OK) {
        status = gt_answers_look_up(&answers, &lacking, err);
    }
    if (status == BASE_OK) {
        status = gt_answers_compute(&answers, err);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        if (answers.asked[i] && answers.answers[i].count == 0) {
            status = base_fail(err, BASE_ERR_MEMORY,
                               "out of memory for the truth of reported depth %zu", i);
        }
    }
    gt_answers_close(&answers);
    return status;
}

/* --- One depth per frame ---------------------------------------------------------------------- */

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
    gt_flux_space *const space = gt_workspace_flux(workspace);
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

/** A body that is not convex has no hull, which is not an error. */
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

/* --- Windows, several per frame --------------------------------------------------------------- */

typedef struct window_job {
    const gt_body *a, *b;
    const geo_pose *poses;
    const gt_reported_window *windows;
    gt_window_truth *truths;
} window_job;

static bool is_window(const void *job, size_t report)
{
    static const double off_max = 1e-6; /* of lengths from 1, and of cosines from 0 */
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
