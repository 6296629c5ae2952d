#include "groundtruth/windows.h"

#include "groundtruth/answers.h"

#include <math.h>

/* A window that is off by more is not the one that was meant. */
static const double OFF_MAX = 1e-6;

typedef struct job {
    const gt_body *a, *b;
    const geo_pose *poses;
    const gt_reported_window *windows;
    gt_window_truth *truths;
} job;

/** Is there anything to ask of it? */
static bool is_window(const gt_reported_window *reported)
{
    const gt_window *const w = &reported->window;
    const double off[] = {vec3_norm(w->side_u) - 1,          vec3_norm(w->side_v) - 1,
                          vec3_norm(w->direction) - 1,       vec3_dot(w->side_u, w->side_v),
                          vec3_dot(w->side_u, w->direction), vec3_dot(w->side_v, w->direction)};
    bool is = isfinite(reported->depth_m) && vec3_isfinite(w->point) && isfinite(w->half_u_m) &&
              isfinite(w->half_v_m) && w->half_u_m > 0 && w->half_v_m > 0;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        is &= fabs(off[i]) <= OFF_MAX;
    }
    return is;
}

static base_status make_key(const void *context, const gt_truth_cache *cache, size_t number,
                            unsigned question, base_hash *key, base_error *err)
{
    const job *const j = context;
    const gt_reported_window *const r = &j->windows[number];
    const gt_window *const w = &r->window;
    const double numbers[GT_WINDOW_NUMBERS] = {
        w->point.x,  w->point.y,     w->point.z,     w->side_u.x,    w->side_u.y,
        w->side_u.z, w->side_v.x,    w->side_v.y,    w->side_v.z,    w->half_u_m,
        w->half_v_m, w->direction.x, w->direction.y, w->direction.z, r->depth_m};
    (void)question;
    return gt_window_key(cache, &j->poses[r->frame], numbers, key, err);
}

static gt_answer answer(const void *context, size_t number, unsigned question,
                        gt_workspace *workspace)
{
    const job *const j = context;
    const gt_reported_window *const w = &j->windows[number];
    gt_window_truth t;
    (void)question, (void)workspace;
    if (gt_window_query(j->a, j->b, &j->poses[w->frame], &w->window, w->depth_m, &t, NULL) !=
        BASE_OK) {
        return GT_NO_ANSWER;
    }
    return (gt_answer){
        6,
        true,
        {t.before_m3.lo, t.before_m3.hi, t.after_m3.lo, t.after_m3.hi, t.needed_m.lo,
          t.needed_m.hi}
    };
}

static void finish(void *context, size_t number, uint32_t asked, const gt_answer *answers)
{
    const job *const j = context;
    const double *const v = answers[0].values;
    j->truths[number] = asked ? (gt_window_truth){{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}}
                              : (gt_window_truth){GT_NONE, GT_NONE, GT_NONE};
}

static const gt_answerer by_query = {1, make_key, answer, finish};

static base_status ask_and_answer(const job *j, gt_answers *answers, base_error *err)
{
    uint32_t lacking;
    for (size_t i = 0; i < answers->count; i++) {
        answers->asked[i] = is_window(&j->windows[i]);
    }
    base_status status = gt_answers_look_up(answers, &lacking, err);
    if (status == BASE_OK) {
        status = gt_answers_compute(answers, err);
    }
    for (size_t i = 0; i < answers->count && status == BASE_OK; i++) {
        if (answers->asked[i] && answers->answers[i].count == 0) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a window at frame %zu",
                               j->windows[i].frame);
        }
    }
    return status;
}

base_status gt_windows(const gt_body *a, const gt_body *b, const geo_pose *poses,
                       const gt_reported_window *windows, size_t count, const gt_options *given,
                       gt_window_truth *truths, base_error *err)
{
    const gt_options none = {0};
    job j = {a, b, poses, windows, truths};
    gt_answers answers;
    base_status status =
        gt_answers_open(&answers, &by_query, &j, a, b, count, given ? given : &none, err);
    if (status == BASE_OK) {
        status = ask_and_answer(&j, &answers, err);
    }
    gt_answers_close(&answers);
    return status;
}
