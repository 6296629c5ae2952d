#include "suite/score/study.h"

#include "geometry/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const bench_part_row bench_parts[BENCH_PART_COUNT] = {
    [BENCH_PART_DISTANCE] = {"distances", ALG_DISTANCE, ALG_HAS_DISTANCE, 1},
    [BENCH_PART_VOLUME] = {"volumes", ALG_VOLUME, ALG_HAS_VOLUME, 3},
    [BENCH_PART_DEPTH] = {"depths", ALG_DEPTH, ALG_HAS_DEPTH, 1},
    [BENCH_PART_DIRECTION] = {"directions of the depth", ALG_DEPTH, ALG_HAS_DEPTH, 0},
    [BENCH_PART_FORCE] = {"forces", ALG_FORCE, ALG_HAS_FORCE, 2},
    [BENCH_PART_TORQUE] = {"torques", ALG_FORCE, ALG_HAS_FORCE, 3},
    [BENCH_PART_CONTACT] = {"contacts", ALG_CONTACT, ALG_HAS_CONTACT, 0},
    [BENCH_PART_WITNESS] = {"witness points", ALG_DISTANCE, ALG_HAS_WITNESS, 1},
};

/** Differences below this share of the size of the bodies are not mistakes. */
static const double NEGLIGIBLE = 1e-9;
/** The share of the frames in which a hypothesis must hold. */
static const double ACCEPTED = 0.98;

const alg_answer *bench_study_answer(const bench_study *s, size_t f)
{
    return &s->score->cell.answers[f];
}

double bench_study_negligible(const bench_study *s, bench_part p)
{
    const bench_pair *const pair = &s->scenario->pair;
    return NEGLIGIBLE * (p == BENCH_PART_VOLUME ? fmin(fabs(pair->a.report.measure.volume_m3),
                                                       fabs(pair->b.report.measure.volume_m3))
                                                : pair->diagonal_a);
}

double bench_part_number(const alg_answer *a, bench_part p)
{
    return p == BENCH_PART_DISTANCE ? a->distance_m
           : p == BENCH_PART_VOLUME ? a->volume_m3
                                    : a->depth_m;
}

gt_bracket bench_part_bracket(const gt_truth *truth, bench_part p)
{
    return p == BENCH_PART_DISTANCE ? truth->distance_m
           : p == BENCH_PART_VOLUME ? truth->volume_m3
                                    : truth->depth_m;
}

bool bench_part_is_number(bench_part p)
{
    return p == BENCH_PART_DISTANCE || p == BENCH_PART_VOLUME || p == BENCH_PART_DEPTH;
}

bool bench_study_is_in(const bench_study *s, bench_part p, gt_bracket truth, double number)
{
    const double share = s->slack[bench_parts[p].quantity], size = bench_study_negligible(s, p);
    return number >= truth.lo - share * fabs(truth.lo) - size &&
           number <= truth.hi + share * fabs(truth.hi) + size;
}

static bool is_near(vec3 v, vec3 truth, double bound, double share)
{
    return vec3_norm(vec3_sub(v, truth)) <= bound + share * vec3_norm(truth);
}

/** Judges witness points: they must be on both surfaces, and the true distance apart. */
static bench_part_verdict judge_witness(const bench_study *s, size_t f, const alg_answer *a)
{
    const bench_pair *const pair = &s->scenario->pair;
    const gt_bracket truth = s->truths[f].distance_m;
    if (!gt_known(truth) || !(truth.lo > 0)) {
        return BENCH_PART_UNKNOWN;
    }
    alg_answer points = *a;
    points.answered |= ALG_HAS_DISTANCE;
    points.distance_m = 0.5 * (truth.lo + truth.hi);
    const bench_witness w =
        bench_witness_measure(pair->a.truth, pair->b.truth, &s->scenario->poses[f], &points);
    const double slack = s->slack[ALG_DISTANCE] * pair->diagonal_a;
    return w.off_m <= slack && w.length_m <= slack ? BENCH_PART_RIGHT : BENCH_PART_WRONG;
}

bench_part_verdict bench_study_judge(const bench_study *s, size_t f, bench_part p,
                                     const alg_answer *a, const gt_truth *truth)
{
    if ((a->answered & bench_parts[p].has) != bench_parts[p].has) {
        return BENCH_PART_UNKNOWN;
    }
    if (bench_part_is_number(p)) {
        const gt_bracket bracket = bench_part_bracket(truth, p);
        return !gt_known(bracket)                                          ? BENCH_PART_UNKNOWN
               : bench_study_is_in(s, p, bracket, bench_part_number(a, p)) ? BENCH_PART_RIGHT
                                                                           : BENCH_PART_WRONG;
    }
    if (p == BENCH_PART_FORCE || p == BENCH_PART_TORQUE) {
        const bench_ideal ideal = bench_ideal_of(truth, s->law, 0);
        const bool force = p == BENCH_PART_FORCE;
        return isnan(ideal.force.x) ? BENCH_PART_UNKNOWN
               : is_near(force ? a->force : a->torque, force ? ideal.force : ideal.torque,
                         force ? ideal.force_bound : ideal.torque_bound, s->slack[ALG_FORCE])
                   ? BENCH_PART_RIGHT
                   : BENCH_PART_WRONG;
    }
    if (p == BENCH_PART_CONTACT) {
        const gt_bracket d = truth->distance_m;
        return !gt_known(d) || (d.lo <= 0 && d.hi > 0) ? BENCH_PART_UNKNOWN
               : a->colliding == (d.lo <= 0)           ? BENCH_PART_RIGHT
                                                       : BENCH_PART_WRONG;
    }
    return p == BENCH_PART_WITNESS ? judge_witness(s, f, a) : BENCH_PART_UNKNOWN;
}

void bench_tally_count(bench_part_verdict before, bench_part_verdict after, bench_tally *t)
{
    if (before != BENCH_PART_UNKNOWN && after != BENCH_PART_UNKNOWN) {
        t->frames++;
        t->right += after == BENCH_PART_RIGHT;
        t->wrong += before == BENCH_PART_WRONG;
        t->wrong_right += before == BENCH_PART_WRONG && after == BENCH_PART_RIGHT;
    }
}

bool bench_tally_is_accepted(const bench_tally *t, size_t least)
{
    return t->wrong >= least && (double)t->right >= ACCEPTED * (double)t->frames &&
           (double)t->wrong_right >= ACCEPTED * (double)t->wrong;
}

void bench_study_explain(bench_study *s, bench_part p, const char *name, const bench_tally *t,
                         const char *format, ...)
{
    if (p < BENCH_PART_COUNT) {
        s->explained[p] = true;
    }
    if (s->found->count == BENCH_DIAGNOSES_MAX) {
        return;
    }
    bench_diagnosis *const d = &s->found->items[s->found->count++];
    d->name = name;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->text, sizeof d->text, format, arguments);
    va_end(arguments);
    const size_t used = strlen(d->text);
    if (t) {
        snprintf(d->text + used, sizeof d->text - used, " (holds in %zu of %zu frames)", t->right,
                 t->frames);
    }
}

size_t bench_study_wrong_frames(const bench_study *s, bench_part p)
{
    size_t wrong = 0;
    for (size_t f = 0; f < s->frames; f++) {
        wrong +=
            bench_study_judge(s, f, p, bench_study_answer(s, f), &s->truths[f]) == BENCH_PART_WRONG;
    }
    return wrong;
}

void bench_study_explain_all(bench_study *s)
{
    for (int p = 0; p < BENCH_PART_COUNT; p++) {
        s->explained[p] = true;
    }
}
