#include "suite/score/diagnose.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "groundtruth/trajectory.h"
#include "suite/results/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What a hypothesis is about --------------------------------------------------------------- */

/** A part of an answer that can be right or wrong by itself. */
typedef enum part {
    PART_DISTANCE,
    PART_VOLUME,
    PART_DEPTH, /* its length */
    PART_DIRECTION,
    PART_FORCE,
    PART_TORQUE,
    PART_CONTACT,
    PART_WITNESS,
    PART_COUNT
} part;

static const struct {
    const char *plural;
    alg_quantity quantity;
    uint32_t has;
    int dimension; /* power of the length in the unit, of forces by area */
} parts[PART_COUNT] = {
    [PART_DISTANCE] = {"distances", ALG_DISTANCE, ALG_HAS_DISTANCE, 1},
    [PART_VOLUME] = {"volumes", ALG_VOLUME, ALG_HAS_VOLUME, 3},
    [PART_DEPTH] = {"depths", ALG_DEPTH, ALG_HAS_DEPTH, 1},
    [PART_DIRECTION] = {"directions of the depth", ALG_DEPTH, ALG_HAS_DEPTH, 0},
    [PART_FORCE] = {"forces", ALG_FORCE, ALG_HAS_FORCE, 2},
    [PART_TORQUE] = {"torques", ALG_FORCE, ALG_HAS_FORCE, 3},
    [PART_CONTACT] = {"contacts", ALG_CONTACT, ALG_HAS_CONTACT, 0},
    [PART_WITNESS] = {"witness points", ALG_DISTANCE, ALG_HAS_WITNESS, 1},
};

typedef struct study {
    const bench_score *score;
    const bench_scenario *scenario;
    const gt_truth *truths; /* that judge the answers at the poses of the scenario */
    size_t frames;
    alg_law law;
    double slack[ALG_QUANTITY_COUNT]; /* share of the truth by which an answer may be off */
    bool explained[PART_COUNT];       /* a diagnosis explains the wrong answers of this part */
    bench_diagnoses *found;
} study;

/** Shares by which answers may be off: promised ones, and those that are approximate. */
static const double PROMISED_SLACK = 1e-6, APPROXIMATE_SLACK = 0.05;
/** Differences below this share of the size of the bodies are not mistakes. */
static const double NEGLIGIBLE = 1e-9;
/** The share of the frames in which a hypothesis must hold. */
static const double ACCEPTED = 0.98;
enum { FRAMES_LEAST = 2, FRAMES_LEAST_FITTED = 3 };

static const alg_answer *answer_of(const study *s, size_t f)
{
    return &s->score->cell.answers[f];
}

static double size_of(const study *s, part p)
{
    const bench_pair *const pair = &s->scenario->pair;
    return p == PART_VOLUME ? fmin(fabs(pair->a.report.measure.volume_m3),
                                   fabs(pair->b.report.measure.volume_m3))
                            : pair->diagonal_a;
}

static double number_of(const alg_answer *a, part p)
{
    return p == PART_DISTANCE ? a->distance_m : p == PART_VOLUME ? a->volume_m3 : a->depth_m;
}

static gt_bracket bracket_of(const gt_truth *truth, part p)
{
    return p == PART_DISTANCE ? truth->distance_m
           : p == PART_VOLUME ? truth->volume_m3
                              : truth->depth_m;
}

static bool is_number(part p)
{
    return p == PART_DISTANCE || p == PART_VOLUME || p == PART_DEPTH;
}

static bool is_in(const study *s, part p, gt_bracket truth, double number)
{
    const double share = s->slack[parts[p].quantity], size = NEGLIGIBLE * size_of(s, p);
    return number >= truth.lo - share * fabs(truth.lo) - size &&
           number <= truth.hi + share * fabs(truth.hi) + size;
}

static bool is_near(vec3 v, vec3 truth, double bound, double share)
{
    return vec3_norm(vec3_sub(v, truth)) <= bound + share * vec3_norm(truth);
}

typedef enum verdict { UNKNOWN, RIGHT, WRONG } verdict;

/** Judges witness points: they must be on both surfaces, and the true distance apart. */
static verdict judge_witness(const study *s, size_t f, const alg_answer *a)
{
    const bench_pair *const pair = &s->scenario->pair;
    const gt_bracket truth = s->truths[f].distance_m;
    if (!gt_known(truth) || !(truth.lo > 0)) {
        return UNKNOWN;
    }
    alg_answer points = *a;
    points.answered |= ALG_HAS_DISTANCE;
    points.distance_m = 0.5 * (truth.lo + truth.hi);
    const bench_witness w =
        bench_witness_measure(pair->a.truth, pair->b.truth, &s->scenario->poses[f], &points);
    const double slack = s->slack[ALG_DISTANCE] * pair->diagonal_a;
    return w.off_m <= slack && w.length_m <= slack ? RIGHT : WRONG;
}

/** Judges one part of an answer of a frame by a truth. */
static verdict judge(const study *s, size_t f, part p, const alg_answer *a, const gt_truth *truth)
{
    if ((a->answered & parts[p].has) != parts[p].has) {
        return UNKNOWN;
    }
    if (is_number(p)) {
        const gt_bracket bracket = bracket_of(truth, p);
        return !gt_known(bracket) ? UNKNOWN : is_in(s, p, bracket, number_of(a, p)) ? RIGHT : WRONG;
    }
    if (p == PART_FORCE || p == PART_TORQUE) {
        const bench_ideal ideal = bench_ideal_of(truth, s->law, 0);
        const bool force = p == PART_FORCE;
        return isnan(ideal.force.x) ? UNKNOWN
               : is_near(force ? a->force : a->torque, force ? ideal.force : ideal.torque,
                         force ? ideal.force_bound : ideal.torque_bound, s->slack[ALG_FORCE])
                   ? RIGHT
                   : WRONG;
    }
    if (p == PART_CONTACT) {
        const gt_bracket d = truth->distance_m;
        return !gt_known(d) || (d.lo <= 0 && d.hi > 0) ? UNKNOWN
               : a->colliding == (d.lo <= 0)           ? RIGHT
                                                       : WRONG;
    }
    return p == PART_WITNESS ? judge_witness(s, f, a) : UNKNOWN;
}

/** Counts of the frames to which a hypothesis applies. */
typedef struct tally {
    size_t frames;      /* that it applies to */
    size_t right;       /* in which it holds */
    size_t wrong;       /* whose answer is wrong without it */
    size_t wrong_right; /* of these, those in which it holds */
} tally;

static void count(verdict before, verdict after, tally *t)
{
    if (before != UNKNOWN && after != UNKNOWN) {
        t->frames++;
        t->right += after == RIGHT;
        t->wrong += before == WRONG;
        t->wrong_right += before == WRONG && after == RIGHT;
    }
}

static bool is_accepted(const tally *t, size_t least)
{
    return t->wrong >= least && (double)t->right >= ACCEPTED * (double)t->frames &&
           (double)t->wrong_right >= ACCEPTED * (double)t->wrong;
}

static void explain(study *s, part p, const char *name, const tally *t, const char *format, ...)
    BASE_PRINTF(5, 6);

/** Adds a diagnosis. t: NULL if the text needs no number of frames. */
static void explain(study *s, part p, const char *name, const tally *t, const char *format, ...)
{
    if (p < PART_COUNT) {
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

/** Counts the frames in which a part is wrong. */
static size_t wrong_frames(const study *s, part p)
{
    size_t wrong = 0;
    for (size_t f = 0; f < s->frames; f++) {
        wrong += judge(s, f, p, answer_of(s, f), &s->truths[f]) == WRONG;
    }
    return wrong;
}

/* --- Corrections of one answer ---------------------------------------------------------------- */

/** Undoes a mistake in an answer of frame f. Returns false if it does not apply to this frame. */
typedef bool correction(const study *s, size_t f, alg_answer *a);

static bool negate_distance(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = -a->distance_m;
    return true;
}

static bool clear_negative(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = fmax(a->distance_m, 0);
    return true;
}

static bool root_distance(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = sqrt(fabs(a->distance_m));
    return true;
}

static bool square_distance(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m *= a->distance_m;
    return true;
}

/** True if the answer is the distance of the surfaces: it is then replaced by the true one. */
static bool distance_of_surfaces(const study *s, size_t f, alg_answer *a)
{
    const gt_truth *const truth = &s->truths[f];
    if (!gt_known(truth->surface_m)) {
        return false;
    }
    if (is_in(s, PART_DISTANCE, truth->surface_m, a->distance_m)) {
        a->distance_m = truth->distance_m.lo;
    }
    return true;
}

static bool volume_of_rest(const study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->volume_m3 = s->scenario->pair.b.report.measure.volume_m3 - a->volume_m3;
    return true;
}

static bool volume_of_union(const study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->volume_m3 = s->scenario->pair.a.report.measure.volume_m3 +
                   s->scenario->pair.b.report.measure.volume_m3 - a->volume_m3;
    return true;
}

static bool negate_volume(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->volume_m3 = -a->volume_m3;
    return true;
}

static bool negate_depth(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->depth_m = -a->depth_m;
    return true;
}

static bool swap_witness(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    const vec3 b = a->witness_a;
    a->witness_a = a->witness_b;
    a->witness_b = b;
    return true;
}

/** Returns a point that was given in B's frame; the reader has subtracted A's centre from it. */
static vec3 from_body_frame(const study *s, size_t f, vec3 p)
{
    return geo_pose_apply(&s->scenario->poses[f], vec3_add(p, s->scenario->pair.centre_a));
}

static bool witness_b_in_b(const study *s, size_t f, alg_answer *a)
{
    a->witness_b = from_body_frame(s, f, a->witness_b);
    return true;
}

static bool witness_b_moved_twice(const study *s, size_t f, alg_answer *a)
{
    const geo_pose inverse = geo_pose_inverse(&s->scenario->poses[f]);
    a->witness_b = vec3_sub(geo_pose_apply(&inverse, a->witness_b), s->scenario->pair.centre_a);
    return true;
}

static bool witness_in_b(const study *s, size_t f, alg_answer *a)
{
    a->witness_a = from_body_frame(s, f, a->witness_a);
    a->witness_b = from_body_frame(s, f, a->witness_b);
    return true;
}

static bool witness_of_centre(const study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->witness_a = vec3_add(a->witness_a, s->scenario->pair.centre_a);
    a->witness_b = vec3_add(a->witness_b, s->scenario->pair.centre_a);
    return true;
}

static bool witness_in_millimetres(const study *s, size_t f, alg_answer *a)
{
    (void)f;
    const vec3 centre = s->scenario->pair.centre_a;
    a->witness_a = vec3_sub(vec3_scale(1e-3, vec3_add(a->witness_a, centre)), centre);
    a->witness_b = vec3_sub(vec3_scale(1e-3, vec3_add(a->witness_b, centre)), centre);
    return true;
}

static bool negate_force(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->force = vec3_scale(-1, a->force);
    return true;
}

static bool force_in_b(const study *s, size_t f, alg_answer *a)
{
    a->force = geo_pose_rotate(&s->scenario->poses[f], a->force);
    return true;
}

static bool negate_torque(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->torque = vec3_scale(-1, a->torque);
    return true;
}

static bool torque_in_b(const study *s, size_t f, alg_answer *a)
{
    a->torque = geo_pose_rotate(&s->scenario->poses[f], a->torque);
    return true;
}

/** Moves the torque from another point to B's centroid: T - (c - o) x F, by the true force. */
static void move_torque(const study *s, size_t f, vec3 origin, alg_answer *a)
{
    const geo_pose *const pose = &s->scenario->poses[f];
    const vec3 c = geo_pose_apply(pose, s->scenario->pair.b.view.centroid);
    const vec3 force = bench_ideal_of(&s->truths[f], s->law, 0).force;
    a->torque = vec3_sub(a->torque, vec3_cross(vec3_sub(c, origin), force));
}

static bool torque_about_a(const study *s, size_t f, alg_answer *a)
{
    move_torque(s, f, vec3_scale(-1, s->scenario->pair.centre_a), a);
    return true;
}

static bool torque_about_b(const study *s, size_t f, alg_answer *a)
{
    move_torque(s, f, s->scenario->poses[f].translation, a);
    return true;
}

static bool torque_about_box(const study *s, size_t f, alg_answer *a)
{
    const vec3 centre = geo_box_centre(s->scenario->pair.b.view.box);
    move_torque(s, f, geo_pose_apply(&s->scenario->poses[f], centre), a);
    return true;
}

static bool invert_contact(const study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->colliding = !a->colliding;
    return true;
}

static const struct {
    part about;
    const char *name;
    correction *undo;
    const char *text;
} corrections[] = {
    {PART_DISTANCE, "sign", negate_distance, "all distances have the wrong sign"},
    {PART_DISTANCE, "signed", clear_negative,
     "distances are negative where the bodies overlap: minus a penetration depth? the distance of "
     "bodies that overlap is 0"},
    {PART_DISTANCE, "squared", root_distance, "distances are squared"},
    {PART_DISTANCE, "root", square_distance, "distances are square roots of distances"},
    {PART_DISTANCE, "surfaces", distance_of_surfaces,
     "distances are those of the surfaces: a body inside the other one is apart from it? "
     "--surface judges them so"},
    {PART_VOLUME, "sign", negate_volume, "all volumes have the wrong sign"},
    {PART_VOLUME, "rest", volume_of_rest, "volumes are those of B outside of A"},
    {PART_VOLUME, "union", volume_of_union, "volumes are those of A and B together"},
    {PART_DEPTH, "sign", negate_depth, "all depths have the wrong sign"},
    {PART_WITNESS, "swapped", swap_witness, "witness points are swapped: that of A is on B"},
    {PART_WITNESS, "body-frame", witness_b_in_b,
     "witness points of B are in B's own frame: they must be in that of A's file"},
    {PART_WITNESS, "moved-twice", witness_b_moved_twice,
     "witness points of B are moved by the pose twice"},
    {PART_WITNESS, "body-frame", witness_in_b,
     "witness points are in B's own frame: they must be in that of A's file"},
    {PART_WITNESS, "centred", witness_of_centre,
     "witness points are relative to the centre of A's box: they must be in the frame of A's file"},
    {PART_WITNESS, "scaled", witness_in_millimetres,
     "witness points are 1000 times too large: millimetres?"},
    {PART_FORCE, "sign", negate_force,
     "all forces have the wrong sign: the force on A instead of B?"},
    {PART_FORCE, "body-frame", force_in_b, "forces are in B's own axes: they must be in A's"},
    {PART_TORQUE, "sign", negate_torque,
     "all torques have the wrong sign: the torque on A instead of B?"},
    {PART_TORQUE, "body-frame", torque_in_b, "torques are in B's own axes: they must be in A's"},
    {PART_TORQUE, "torque-point", torque_about_a,
     "torques are about the origin of A's file: they must be about B's centroid"},
    {PART_TORQUE, "torque-point", torque_about_b,
     "torques are about the origin of B's file: they must be about B's centroid"},
    {PART_TORQUE, "torque-point", torque_about_box,
     "torques are about the centre of B's box: they must be about the centroid of the solid"},
    {PART_CONTACT, "inverted", invert_contact, "contacts are inverted: 1 means that bodies touch"},
};

static void test_corrections(study *s)
{
    for (size_t i = 0; i < sizeof corrections / sizeof *corrections; i++) {
        const part p = corrections[i].about;
        tally t = {0};
        for (size_t f = 0; f < s->frames && !s->explained[p]; f++) {
            alg_answer corrected = *answer_of(s, f);
            const verdict before = judge(s, f, p, &corrected, &s->truths[f]);
            if (corrections[i].undo(s, f, &corrected)) {
                count(before, judge(s, f, p, &corrected, &s->truths[f]), &t);
            }
        }
        if (is_accepted(&t, FRAMES_LEAST)) {
            explain(s, p, corrections[i].name, &t, "%s", corrections[i].text);
        }
    }
}

/* --- A factor or an addend for all frames ----------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Returns the size of a part of an answer and of its truth; NaN if one is not known. */
static void sizes(const study *s, size_t f, part p, double *answered, double *truth)
{
    const alg_answer *const a = answer_of(s, f);
    *answered = *truth = NAN;
    if (!(a->answered & parts[p].has)) {
        return;
    }
    if (is_number(p)) {
        const gt_bracket bracket = bracket_of(&s->truths[f], p);
        *answered = number_of(a, p);
        *truth = gt_known(bracket) ? 0.5 * (bracket.lo + bracket.hi) : (double)NAN;
    } else {
        const bench_ideal ideal = bench_ideal_of(&s->truths[f], s->law, 0);
        *answered = vec3_norm(p == PART_FORCE ? a->force : a->torque);
        *truth = vec3_norm(p == PART_FORCE ? ideal.force : ideal.torque);
    }
}

static void scale_part(part p, double factor, alg_answer *a)
{
    if (p == PART_DISTANCE) {
        a->distance_m *= factor;
    } else if (p == PART_VOLUME) {
        a->volume_m3 *= factor;
    } else if (p == PART_DEPTH) {
        a->depth_m *= factor;
    } else if (p == PART_FORCE) {
        a->force = vec3_scale(factor, a->force);
    } else {
        a->torque = vec3_scale(factor, a->torque);
    }
}

static void add_to_part(part p, double addend, alg_answer *a)
{
    if (p == PART_DISTANCE) {
        a->distance_m += addend;
    } else {
        a->depth_m += addend;
    }
}

/** Fits a factor or an addend: the median over the frames whose truth is not 0. NaN: no frame. */
static double fit(const study *s, part p, bool factor, double *room)
{
    size_t n = 0;
    for (size_t f = 0; f < s->frames; f++) {
        double answered, truth;
        sizes(s, f, p, &answered, &truth);
        if (truth > 0 && !isnan(answered)) {
            room[n++] = factor ? answered / truth : answered - truth;
        }
    }
    qsort(room, n, sizeof *room, by_number);
    return n >= FRAMES_LEAST_FITTED ? room[n / 2] : (double)NAN;
}

/** Returns the unit that a factor suggests, as a question; "" if it suggests none. */
static const char *unit_of(double factor, int dimension)
{
    static const struct {
        double per_metre;
        const char *question;
    } units[] = {
        {1e3, ": millimetres?"}, {1e2, ": centimetres?"},
        {1e6, ": micrometres?"}, {1 / 0.0254, ": inches?"},
        {1 / 0.3048, ": feet?"}, {1e-3, ": are the meshes or the poses taken as millimetres?"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units && dimension > 0; i++) {
        if (fabs(factor / pow(units[i].per_metre, dimension) - 1) < 1e-3) {
            return units[i].question;
        }
    }
    return "";
}

static void test_factor(study *s, part p, double *room)
{
    const double factor = fit(s, p, true, room);
    tally t = {0};
    if (isnan(factor) || !(factor > 0) || isinf(factor)) {
        return;
    }
    for (size_t f = 0; f < s->frames; f++) {
        alg_answer corrected = *answer_of(s, f);
        const verdict before = judge(s, f, p, &corrected, &s->truths[f]);
        scale_part(p, 1 / factor, &corrected);
        count(before, judge(s, f, p, &corrected, &s->truths[f]), &t);
    }
    if (is_accepted(&t, FRAMES_LEAST_FITTED)) {
        const bool larger = factor > 1;
        const double times = larger ? factor : 1 / factor, round_times = round(times);
        const bool whole = fabs(times / round_times - 1) < 1e-4;
        explain(s, p, "scaled", &t, "all %s are %.*g times too %s%s", parts[p].plural,
                whole ? 12 : 6, whole ? round_times : times, larger ? "large" : "small",
                unit_of(factor,
                        parts[p].dimension +
                            (p == PART_FORCE || p == PART_TORQUE ? s->law >= ALG_LAW_DEPTH : 0)));
    }
}

static void test_addend(study *s, part p, double *room)
{
    const double addend = fit(s, p, false, room);
    tally t = {0};
    if (isnan(addend) || fabs(addend) <= NEGLIGIBLE * size_of(s, p)) {
        return;
    }
    for (size_t f = 0; f < s->frames; f++) {
        alg_answer corrected = *answer_of(s, f);
        const verdict before = judge(s, f, p, &corrected, &s->truths[f]);
        const gt_bracket truth = bracket_of(&s->truths[f], p);
        add_to_part(p, -addend, &corrected);
        if (gt_known(truth) && truth.lo > fmax(0, -addend)) { /* elsewhere it is cut off at 0 */
            count(before, judge(s, f, p, &corrected, &s->truths[f]), &t);
        }
    }
    if (is_accepted(&t, FRAMES_LEAST_FITTED)) {
        explain(s, p, "offset", &t, "all %s are %.6g m too %s: a margin around the bodies?",
                parts[p].plural, fabs(addend), addend > 0 ? "large" : "small");
    }
}

/** True if all answers of a number are the same, but the truth differs. */
static void test_constant(study *s, part p)
{
    tally t = {0};
    double first = NAN;
    bool same = true;
    gt_bracket lowest = {INFINITY, INFINITY}, highest = {-INFINITY, -INFINITY};
    for (size_t f = 0; f < s->frames; f++) {
        const alg_answer *const a = answer_of(s, f);
        const gt_bracket truth = bracket_of(&s->truths[f], p);
        if (!(a->answered & parts[p].has) || !gt_known(truth)) {
            continue;
        }
        const double number = number_of(a, p);
        first = isnan(first) ? number : first;
        same = same && number == first;
        lowest = truth.lo < lowest.lo ? truth : lowest;
        highest = truth.hi > highest.hi ? truth : highest;
        t.frames++;
    }
    t.right = t.frames;
    if (same && t.frames >= FRAMES_LEAST_FITTED && lowest.hi < highest.lo) {
        explain(s, p, "constant", &t, "all %s are the same, %.6g: is the pose of the frame used?",
                parts[p].plural, first);
    }
}

/* --- Digits ----------------------------------------------------------------------------------- */

/** True if the number is the same when it is written with so many digits and read back. */
static bool has_digits(double number, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, number);
    return strtod(text, NULL) == number;
}

/** Answers that are right but for their digits: printed with too few, or in single precision. */
static void test_digits(study *s, part p)
{
    int digits = 1;
    bool single = true;
    double largest = 0;
    tally t = {0};
    for (size_t f = 0; f < s->frames; f++) {
        double answered, truth;
        sizes(s, f, p, &answered, &truth);
        if (isnan(answered) || isnan(truth)) {
            continue;
        }
        while (digits < 17 && !has_digits(answered, digits)) {
            digits++;
        }
        single = single && (double)(float)answered == answered;
        if (truth > 0) {
            largest = fmax(largest, fabs(answered - truth) / truth);
        }
        t.frames++;
    }
    t.right = t.frames;
    const bool few = digits <= 9 && largest <= pow(10, 1 - digits);
    if (t.frames >= FRAMES_LEAST_FITTED && (few || (single && largest <= 1e-4))) {
        explain(s, p, few ? "digits" : "single", &t,
                few ? "%s have only %d digits: write 17 ('%%.17g'), or say --contract approximate"
                    : "%s are numbers in single precision (%d digits as written): compute and "
                      "write them in double precision, or say --contract approximate",
                parts[p].plural, digits);
    }
}

/* --- Frames ----------------------------------------------------------------------------------- */

/** Returns the frame whose answer is taken for frame f; `frames` if there is none. */
typedef size_t renumbering(const study *s, size_t f);

static size_t frame_after(const study *s, size_t f)
{
    return f + 1 < s->frames ? f + 1 : s->frames;
}

static size_t frame_before(const study *s, size_t f)
{
    return f > 0 ? f - 1 : s->frames;
}

static size_t frame_reversed(const study *s, size_t f)
{
    return s->frames - 1 - f;
}

static const struct {
    const char *name, *text;
    renumbering *from;
} renumberings[] = {
    {"off-by-one", "answers are off by one frame: frame 0 has that of frame 1", frame_before},
    {"off-by-one", "answers are off by one frame: frame 1 has that of frame 0", frame_after},
    {"reversed", "the frames are in reverse order", frame_reversed},
};

/** The part by which a hypothesis about frames and poses is judged: the first that is wrong. */
static part primary_part(const study *s)
{
    static const part order[] = {PART_DISTANCE, PART_VOLUME, PART_FORCE, PART_DEPTH, PART_CONTACT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!s->explained[order[i]] && wrong_frames(s, order[i]) >= FRAMES_LEAST) {
            return order[i];
        }
    }
    return PART_COUNT;
}

/** A mistake about frames or poses explains all parts of the answers. */
static void explain_all(study *s)
{
    for (int p = 0; p < PART_COUNT; p++) {
        s->explained[p] = true;
    }
}

static void test_renumberings(study *s, part p)
{
    for (size_t i = 0; i < sizeof renumberings / sizeof *renumberings; i++) {
        tally t = {0};
        for (size_t f = 0; f < s->frames; f++) {
            const size_t from = renumberings[i].from(s, f);
            if (from < s->frames) {
                count(judge(s, f, p, answer_of(s, f), &s->truths[f]),
                      judge(s, f, p, answer_of(s, from), &s->truths[f]), &t);
            }
        }
        if (is_accepted(&t, FRAMES_LEAST)) {
            explain(s, p, renumberings[i].name, &t, "%s", renumberings[i].text);
            explain_all(s);
            return;
        }
    }
}

static int by_bracket(const void *a, const void *b)
{
    const gt_bracket *const x = a, *const y = b;
    return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo) : (x->hi > y->hi) - (x->hi < y->hi);
}

/** Sorted answers that fit the sorted truth belong to other frames. */
static base_status test_order(study *s, part p, double *room, base_error *err)
{
    if (!is_number(p)) {
        return BASE_OK;
    }
    size_t n = 0;
    tally t = {.wrong = wrong_frames(s, p)};
    gt_bracket *const truths = base_alloc(s->frames, sizeof *truths);
    if (!truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t f = 0; f < s->frames; f++) {
        const gt_bracket truth = bracket_of(&s->truths[f], p);
        if ((answer_of(s, f)->answered & parts[p].has) && gt_known(truth)) {
            room[n] = number_of(answer_of(s, f), p);
            truths[n++] = truth;
        }
    }
    qsort(room, n, sizeof *room, by_number);
    qsort(truths, n, sizeof *truths, by_bracket);
    for (size_t i = 0; i < n; i++) {
        t.right += is_in(s, p, truths[i], room[i]);
    }
    t.frames = n;
    t.wrong_right = t.right == n ? t.wrong : 0;
    base_free(truths);
    if (is_accepted(&t, FRAMES_LEAST_FITTED)) {
        explain(s, p, "order", NULL,
                "the %s are those of the frames in another order: column 'frame' must name the "
                "row of the trajectory, from 0",
                parts[p].plural);
        explain_all(s);
    }
    return BASE_OK;
}

/* --- Poses ------------------------------------------------------------------------------------ */

/** Returns a pose that another program may have used instead, from that of the file. */
typedef scn_frame other_pose(const bench_pair *pair, scn_frame frame);

static geo_quat conjugate(geo_quat q)
{
    return (geo_quat){-q.x, -q.y, -q.z, q.w};
}

static scn_frame inverse_pose(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    const geo_pose pose = geo_pose_make(f.orientation, f.position);
    f.position = geo_pose_inverse(&pose).translation;
    f.orientation = conjugate(f.orientation);
    return f;
}

static scn_frame scalar_first(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    const geo_quat q = f.orientation;
    f.orientation = (geo_quat){q.y, q.z, q.w, q.x};
    return f;
}

static scn_frame transposed(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.orientation = conjugate(f.orientation);
    return f;
}

static scn_frame not_rotated(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.orientation = geo_quat_identity();
    return f;
}

static scn_frame translated_first(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = mat3_mul_vec3(geo_quat_matrix(f.orientation), f.position);
    return f;
}

/** B, moved by `offset` in its own frame before the pose is applied. */
static scn_frame moved_body(scn_frame f, vec3 offset)
{
    const mat3 rotation = geo_quat_matrix(f.orientation);
    f.position = vec3_add(f.position, mat3_mul_vec3(rotation, offset));
    return f;
}

static vec3 centre_of_b(const bench_pair *pair)
{
    return geo_box_centre(pair->b.view.box);
}

static scn_frame b_centred(const bench_pair *pair, scn_frame f)
{
    return moved_body(f, vec3_scale(-1, centre_of_b(pair)));
}

static scn_frame b_centroid(const bench_pair *pair, scn_frame f)
{
    return moved_body(f, vec3_scale(-1, pair->b.view.centroid));
}

static scn_frame a_centred(const bench_pair *pair, scn_frame f)
{
    f.position = vec3_add(f.position, pair->centre_a);
    return f;
}

static scn_frame both_centred(const bench_pair *pair, scn_frame f)
{
    return a_centred(pair, b_centred(pair, f));
}

static scn_frame millimetre_poses(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = vec3_scale(1e-3, f.position);
    return f;
}

static scn_frame millimetre_meshes(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = vec3_scale(1e3, f.position);
    return f;
}

static const struct {
    const char *name, *text;
    other_pose *make;
} poses[] = {
    {"inverse-pose",
     "poses look like A in B, or the bodies are exchanged: a pose moves B into A's "
     "frame",
     inverse_pose},
    {"quaternion-order", "quaternions are read as w, x, y, z: the columns are qx, qy, qz, qw",
     scalar_first},
    {"transposed", "rotations are transposed (the quaternion is conjugated)", transposed},
    {"rotation-ignored", "rotations are ignored", not_rotated},
    {"pose-order", "B is moved before it is turned: the pose is R p + t", translated_first},
    {"mesh-centred",
     "the mesh of B is moved to the centre of its box: poses refer to the frames of "
     "the files",
     b_centred},
    {"mesh-centred",
     "the mesh of B is moved to its centroid: poses refer to the frames of the files", b_centroid},
    {"mesh-centred",
     "the mesh of A is moved to the centre of its box: poses refer to the frames of "
     "the files",
     a_centred},
    {"mesh-centred",
     "both meshes are moved to the centres of their boxes: poses refer to the frames "
     "of the files",
     both_centred},
    {"pose-unit", "positions are taken as millimetres and meshes as metres: both are in metres",
     millimetre_poses},
    {"pose-unit", "meshes are taken as millimetres and positions as metres: both are in metres",
     millimetre_meshes},
};

/** Computes the truth of one part at other poses, by its fastest method. */
static base_status truth_at(const study *s, part p, other_pose *make, gt_truth *truths,
                            base_error *err)
{
    const bench_pair *const pair = &s->scenario->pair;
    const unsigned want = parts[p].quantity == ALG_CONTACT
                              ? (unsigned)GT_WANT_DISTANCE
                              : bench_quantities_truth(1u << parts[p].quantity);
    geo_pose *const at = base_alloc(s->frames, sizeof *at);
    if (!at) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t f = 0; f < s->frames; f++) {
        const scn_frame frame = make(pair, s->scenario->trajectory.frames[f]);
        at[f] = bench_pair_pose(pair, frame.position, frame.orientation);
    }
    bench_progress progress = bench_progress_start("other poses", s->score->options->quiet);
    gt_options how = bench_truth_options(s->score->options, &progress);
    how.cache_directory = NULL; /* these poses are not asked again */
    how.methods = p == PART_DISTANCE || p == PART_CONTACT ? GT_BY_BVH
                  : p == PART_VOLUME                      ? GT_BY_FLUX
                                                          : how.methods;
    const base_status status =
        gt_trajectory_truth(pair->a.truth, pair->b.truth, at, s->frames, want, &how, truths, err);
    bench_progress_end(&progress);
    base_free(at);
    return status;
}

static base_status test_poses(study *s, part p, base_error *err)
{
    base_status status = BASE_OK;
    gt_truth *const truths = base_alloc(s->frames, sizeof *truths);
    if (!truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t i = 0; i < sizeof poses / sizeof *poses && !s->explained[p]; i++) {
        tally t = {0};
        status = truth_at(s, p, poses[i].make, truths, err);
        if (status != BASE_OK) {
            break;
        }
        for (size_t f = 0; f < s->frames; f++) {
            const alg_answer *const a = answer_of(s, f);
            const gt_truth other = bench_truth_for(&s->score->cell.variant, &truths[f]);
            count(judge(s, f, p, a, &s->truths[f]), judge(s, f, p, a, &other), &t);
        }
        if (is_accepted(&t, FRAMES_LEAST)) {
            explain(s, p, poses[i].name, &t, "%s", poses[i].text);
            explain_all(s);
        }
    }
    base_free(truths);
    return status;
}

/* --- Directions of depths --------------------------------------------------------------------- */

typedef vec3 other_direction(const study *s, size_t f, vec3 direction);

static vec3 same_direction(const study *s, size_t f, vec3 direction)
{
    (void)s, (void)f;
    return direction;
}

static vec3 negated(const study *s, size_t f, vec3 direction)
{
    (void)s, (void)f;
    return vec3_scale(-1, direction);
}

static vec3 in_b(const study *s, size_t f, vec3 direction)
{
    return geo_pose_rotate(&s->scenario->poses[f], direction);
}

static const struct {
    const char *name, *text;
    other_direction *make;
} directions[] = {
    {"sign", "directions of the depth have the wrong sign: B leaves A along them, not A B",
     negated},
    {"body-frame", "directions of the depth are in B's own axes: they must be in A's", in_b},
};

/** Judges the translations along other directions. verdicts: by frame. */
static base_status judge_directions(const study *s, other_direction *make, verdict *verdicts,
                                    base_error *err)
{
    const bench_pair *const pair = &s->scenario->pair;
    gt_reported_depth *const ways = base_alloc(s->frames, sizeof *ways);
    gt_escape *const escapes = base_alloc(s->frames, sizeof *escapes);
    base_status status = ways && escapes ? BASE_OK
                                         : base_fail(err, BASE_ERR_MEMORY,
                                                     "out of memory for %zu frames", s->frames);
    for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
        const alg_answer *const a = answer_of(s, f);
        const bool there = (a->answered & ALG_HAS_DEPTH) && vec3_norm(a->direction) > 0;
        /* A share of the depth more, so that its rounding does not count. */
        const double more = 1 + s->slack[ALG_DEPTH];
        ways[f] = there ? (gt_reported_depth){make(s, f, a->direction), more * a->depth_m}
                        : (gt_reported_depth){{1, 0, 0}, NAN};
    }
    if (status == BASE_OK) {
        bench_progress progress = bench_progress_start("directions", s->score->options->quiet);
        const gt_options how = bench_truth_options(s->score->options, &progress);
        status = gt_escapes(pair->a.truth, pair->b.truth, s->scenario->poses, ways, s->frames, &how,
                            escapes, err);
        bench_progress_end(&progress);
    }
    for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
        verdicts[f] = !gt_known(escapes[f].before_m3) ? UNKNOWN
                      : escapes[f].after_m3.lo > 0    ? WRONG
                                                      : RIGHT;
    }
    base_free(ways);
    base_free(escapes);
    return status;
}

static base_status test_directions(study *s, base_error *err)
{
    verdict *const before = base_alloc(2 * s->frames, sizeof *before);
    if (!before) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    verdict *const after = before + s->frames;
    base_status status = judge_directions(s, same_direction, before, err);
    const size_t kinds = sizeof directions / sizeof *directions;
    for (size_t i = 0; i < kinds && status == BASE_OK && !s->explained[PART_DIRECTION]; i++) {
        tally t = {0};
        status = judge_directions(s, directions[i].make, after, err);
        for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
            count(before[f], after[f], &t);
        }
        if (status == BASE_OK && is_accepted(&t, FRAMES_LEAST)) {
            explain(s, PART_DIRECTION, directions[i].name, &t, "%s", directions[i].text);
        }
    }
    base_free(before);
    return status;
}

/** Directions that are no unit vectors: often the whole translation. */
static void test_lengths(study *s)
{
    tally whole = {0}, any = {0};
    for (size_t f = 0; f < s->frames; f++) {
        const alg_answer *const a = answer_of(s, f);
        const double length = vec3_norm(a->direction);
        if ((a->answered & ALG_HAS_DEPTH) && a->depth_m != 0) {
            const bool unit = fabs(length - 1) <= 1e-6;
            count(unit ? RIGHT : WRONG,
                  fabs(length - fabs(a->depth_m)) <= 1e-6 * fabs(a->depth_m) ? RIGHT : WRONG,
                  &whole);
            count(unit ? RIGHT : WRONG, unit ? WRONG : RIGHT, &any);
        }
    }
    if (is_accepted(&whole, FRAMES_LEAST)) {
        explain(s, PART_DIRECTION, "direction-length", &whole,
                "directions of the depth have the length of the depth: nx, ny, nz is a unit "
                "vector");
    } else if (is_accepted(&any, FRAMES_LEAST)) {
        explain(s, PART_DIRECTION, "direction-length", &any,
                "directions of the depth are no unit vectors");
    }
}

/* --- All -------------------------------------------------------------------------------------- */

static void test_missing(study *s)
{
    const bench_score_answers *const answers = &s->score->answers;
    if (answers->missing > 0) {
        explain(s, PART_COUNT, "missing", NULL,
                "%zu of %zu frames have no answer, frame %zu the "
                "first",
                answers->missing, s->frames, answers->first_missing);
    }
}

/** Tests the hypotheses about one part with fitted numbers and about its digits. */
static void test_numbers(study *s, double *room)
{
    static const part scaled[] = {PART_DISTANCE, PART_VOLUME, PART_DEPTH, PART_FORCE, PART_TORQUE};
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
        const part p = scaled[i];
        if (!s->explained[p] && wrong_frames(s, p) > 0) {
            test_factor(s, p, room);
        }
        if (!s->explained[p] && (p == PART_DISTANCE || p == PART_DEPTH) && wrong_frames(s, p) > 0) {
            test_addend(s, p, room);
        }
        if (!s->explained[p] && is_number(p) && wrong_frames(s, p) > 0) {
            test_constant(s, p);
        }
    }
}

/** True if a promise about the quantity is broken in a frame. */
static bool is_broken(const study *s, alg_quantity quantity)
{
    for (size_t f = 0; f < s->frames; f++) {
        if (s->score->cell.judgements[f].broken & 1u << (BENCH_PROMISE_CONTRACT + quantity)) {
            return true;
        }
    }
    return false;
}

/** The order of these tests goes from mistakes about all frames to those about digits. */
static base_status test_all(study *s, double *room, base_error *err)
{
    test_missing(s);
    test_corrections(s);
    test_numbers(s, room);
    part primary = primary_part(s);
    if (primary != PART_COUNT) {
        test_renumberings(s, primary);
    }
    base_status status = BASE_OK;
    if (primary != PART_COUNT && !s->explained[primary]) {
        status = test_order(s, primary, room, err);
    }
    if (primary != PART_COUNT && !s->explained[primary] && status == BASE_OK) {
        status = test_poses(s, primary, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    test_lengths(s);
    /* A wrong depth does not separate along any direction. */
    const bool depths = s->score->cell.quantities & ALG_WANT_DEPTH;
    if (depths && !s->explained[PART_DEPTH] && !s->explained[PART_DIRECTION] &&
        s->scenario->pair.has_volume && (is_broken(s, ALG_DEPTH) || s->score->faulty > 0)) {
        status = test_directions(s, err);
    }
    static const part written[] = {PART_DISTANCE, PART_VOLUME, PART_DEPTH};
    for (size_t i = 0; i < sizeof written / sizeof *written && status == BASE_OK; i++) {
        if (!s->explained[written[i]] && is_broken(s, parts[written[i]].quantity)) {
            test_digits(s, written[i]);
        }
    }
    return status;
}

base_status bench_diagnose(const bench_score *score, bench_diagnoses *diagnoses, base_error *err)
{
    study s = {.score = score,
               .scenario = &score->scenario,
               .truths = score->cell.truths,
               .frames = score->cell.frame_count,
               .law = bench_ideal_own(&score->cell.variant),
               .found = diagnoses};
    diagnoses->count = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract = alg_variant_contract(&score->cell.variant, (alg_quantity)q);
        s.slack[q] = contract == ALG_EXACT ? PROMISED_SLACK : APPROXIMATE_SLACK;
    }
    double *const room = base_alloc(s.frames, sizeof *room);
    if (!room) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s.frames);
    }
    const base_status status = test_all(&s, room, err);
    base_free(room);
    return status;
}
