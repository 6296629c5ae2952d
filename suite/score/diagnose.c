#include "suite/score/diagnose.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/results/judge.h"
#include "suite/score/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Shares by which answers may be off: promised ones, and those that are approximate. */
static const double PROMISED_SLACK = 1e-6, APPROXIMATE_SLACK = 0.05;

/* --- Corrections of one answer ---------------------------------------------------------------- */

/** Undoes a mistake in an answer of frame f. Returns false if it does not apply to this frame. */
typedef bool correction(const bench_study *s, size_t f, alg_answer *a);

static bool negate_distance(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = -a->distance_m;
    return true;
}

static bool clear_negative(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = fmax(a->distance_m, 0);
    return true;
}

static bool root_distance(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m = sqrt(fabs(a->distance_m));
    return true;
}

static bool square_distance(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->distance_m *= a->distance_m;
    return true;
}

/** True if the answer is the distance of the surfaces: it is then replaced by the true one. */
static bool distance_of_surfaces(const bench_study *s, size_t f, alg_answer *a)
{
    const gt_truth *const truth = &s->truths[f];
    if (!gt_known(truth->surface_m)) {
        return false;
    }
    if (bench_study_is_in(s, BENCH_PART_DISTANCE, truth->surface_m, a->distance_m)) {
        a->distance_m = truth->distance_m.lo;
    }
    return true;
}

static bool volume_of_rest(const bench_study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->volume_m3 = s->scenario->pair.b.report.measure.volume_m3 - a->volume_m3;
    return true;
}

static bool volume_of_union(const bench_study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->volume_m3 = s->scenario->pair.a.report.measure.volume_m3 +
                   s->scenario->pair.b.report.measure.volume_m3 - a->volume_m3;
    return true;
}

static bool negate_volume(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->volume_m3 = -a->volume_m3;
    return true;
}

static bool negate_depth(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->depth_m = -a->depth_m;
    return true;
}

static bool swap_witness(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    const vec3 b = a->witness_a;
    a->witness_a = a->witness_b;
    a->witness_b = b;
    return true;
}

/** Returns a point that was given in B's frame; the reader has subtracted A's centre from it. */
static vec3 from_body_frame(const bench_study *s, size_t f, vec3 p)
{
    return geo_pose_apply(&s->scenario->poses[f], vec3_add(p, s->scenario->pair.centre_a));
}

static bool witness_b_in_b(const bench_study *s, size_t f, alg_answer *a)
{
    a->witness_b = from_body_frame(s, f, a->witness_b);
    return true;
}

static bool witness_b_moved_twice(const bench_study *s, size_t f, alg_answer *a)
{
    const geo_pose inverse = geo_pose_inverse(&s->scenario->poses[f]);
    a->witness_b = vec3_sub(geo_pose_apply(&inverse, a->witness_b), s->scenario->pair.centre_a);
    return true;
}

static bool witness_in_b(const bench_study *s, size_t f, alg_answer *a)
{
    a->witness_a = from_body_frame(s, f, a->witness_a);
    a->witness_b = from_body_frame(s, f, a->witness_b);
    return true;
}

static bool witness_of_centre(const bench_study *s, size_t f, alg_answer *a)
{
    (void)f;
    a->witness_a = vec3_add(a->witness_a, s->scenario->pair.centre_a);
    a->witness_b = vec3_add(a->witness_b, s->scenario->pair.centre_a);
    return true;
}

static bool witness_in_millimetres(const bench_study *s, size_t f, alg_answer *a)
{
    (void)f;
    const vec3 centre = s->scenario->pair.centre_a;
    a->witness_a = vec3_sub(vec3_scale(1e-3, vec3_add(a->witness_a, centre)), centre);
    a->witness_b = vec3_sub(vec3_scale(1e-3, vec3_add(a->witness_b, centre)), centre);
    return true;
}

static bool negate_force(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->force = vec3_scale(-1, a->force);
    return true;
}

static bool force_in_b(const bench_study *s, size_t f, alg_answer *a)
{
    a->force = geo_pose_rotate(&s->scenario->poses[f], a->force);
    return true;
}

static bool negate_torque(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->torque = vec3_scale(-1, a->torque);
    return true;
}

static bool torque_in_b(const bench_study *s, size_t f, alg_answer *a)
{
    a->torque = geo_pose_rotate(&s->scenario->poses[f], a->torque);
    return true;
}

/** Moves the torque from another point to B's centroid: T - (c - o) x F, by the true force. */
static void move_torque(const bench_study *s, size_t f, vec3 origin, alg_answer *a)
{
    const geo_pose *const pose = &s->scenario->poses[f];
    const vec3 c = geo_pose_apply(pose, s->scenario->pair.b.view.centroid);
    const vec3 force = bench_ideal_of(&s->truths[f], s->law, 0).force;
    a->torque = vec3_sub(a->torque, vec3_cross(vec3_sub(c, origin), force));
}

static bool torque_about_a(const bench_study *s, size_t f, alg_answer *a)
{
    move_torque(s, f, vec3_scale(-1, s->scenario->pair.centre_a), a);
    return true;
}

static bool torque_about_b(const bench_study *s, size_t f, alg_answer *a)
{
    move_torque(s, f, s->scenario->poses[f].translation, a);
    return true;
}

static bool torque_about_box(const bench_study *s, size_t f, alg_answer *a)
{
    const vec3 centre = geo_box_centre(s->scenario->pair.b.view.box);
    move_torque(s, f, geo_pose_apply(&s->scenario->poses[f], centre), a);
    return true;
}

static bool invert_contact(const bench_study *s, size_t f, alg_answer *a)
{
    (void)s, (void)f;
    a->colliding = !a->colliding;
    return true;
}

static const struct {
    bench_part about;
    const char *name;
    correction *undo;
    const char *text;
} corrections[] = {
    {BENCH_PART_DISTANCE, "sign", negate_distance, "all distances have the wrong sign"},
    {BENCH_PART_DISTANCE, "signed", clear_negative,
     "distances are negative where the bodies overlap: minus a penetration depth? the distance of "
     "bodies that overlap is 0"},
    {BENCH_PART_DISTANCE, "squared", root_distance, "distances are squared"},
    {BENCH_PART_DISTANCE, "root", square_distance, "distances are square roots of distances"},
    {BENCH_PART_DISTANCE, "surfaces", distance_of_surfaces,
     "distances are those of the surfaces: a body inside the other one is apart from it? "
     "--surface judges them so"},
    {BENCH_PART_VOLUME, "sign", negate_volume, "all volumes have the wrong sign"},
    {BENCH_PART_VOLUME, "rest", volume_of_rest, "volumes are those of B outside of A"},
    {BENCH_PART_VOLUME, "union", volume_of_union, "volumes are those of A and B together"},
    {BENCH_PART_DEPTH, "sign", negate_depth, "all depths have the wrong sign"},
    {BENCH_PART_WITNESS, "swapped", swap_witness, "witness points are swapped: that of A is on B"},
    {BENCH_PART_WITNESS, "body-frame", witness_b_in_b,
     "witness points of B are in B's own frame: they must be in that of A's file"},
    {BENCH_PART_WITNESS, "moved-twice", witness_b_moved_twice,
     "witness points of B are moved by the pose twice"},
    {BENCH_PART_WITNESS, "body-frame", witness_in_b,
     "witness points are in B's own frame: they must be in that of A's file"},
    {BENCH_PART_WITNESS, "centred", witness_of_centre,
     "witness points are relative to the centre of A's box: they must be in the frame of A's file"},
    {BENCH_PART_WITNESS, "scaled", witness_in_millimetres,
     "witness points are 1000 times too large: millimetres?"},
    {BENCH_PART_FORCE, "sign", negate_force,
     "all forces have the wrong sign: the force on A instead of B?"},
    {BENCH_PART_FORCE, "body-frame", force_in_b, "forces are in B's own axes: they must be in A's"},
    {BENCH_PART_TORQUE, "sign", negate_torque,
     "all torques have the wrong sign: the torque on A instead of B?"},
    {BENCH_PART_TORQUE, "body-frame", torque_in_b,
     "torques are in B's own axes: they must be in A's"},
    {BENCH_PART_TORQUE, "torque-point", torque_about_a,
     "torques are about the origin of A's file: they must be about B's centroid"},
    {BENCH_PART_TORQUE, "torque-point", torque_about_b,
     "torques are about the origin of B's file: they must be about B's centroid"},
    {BENCH_PART_TORQUE, "torque-point", torque_about_box,
     "torques are about the centre of B's box: they must be about the centroid of the solid"},
    {BENCH_PART_CONTACT, "inverted", invert_contact,
     "contacts are inverted: 1 means that bodies touch"},
};

static void test_corrections(bench_study *s)
{
    for (size_t i = 0; i < sizeof corrections / sizeof *corrections; i++) {
        const bench_part p = corrections[i].about;
        bench_tally t = {0};
        for (size_t f = 0; f < s->frames && !s->explained[p]; f++) {
            alg_answer corrected = *bench_study_answer(s, f);
            const bench_part_verdict before = bench_study_judge(s, f, p, &corrected, &s->truths[f]);
            if (corrections[i].undo(s, f, &corrected)) {
                bench_tally_count(before, bench_study_judge(s, f, p, &corrected, &s->truths[f]),
                                  &t);
            }
        }
        if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST)) {
            bench_study_explain(s, p, corrections[i].name, &t, "%s", corrections[i].text);
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
static void sizes(const bench_study *s, size_t f, bench_part p, double *answered, double *truth)
{
    const alg_answer *const a = bench_study_answer(s, f);
    *answered = *truth = NAN;
    if (!(a->answered & bench_parts[p].has)) {
        return;
    }
    if (bench_part_is_number(p)) {
        const gt_bracket bracket = bench_part_bracket(&s->truths[f], p);
        *answered = bench_part_number(a, p);
        *truth = gt_known(bracket) ? 0.5 * (bracket.lo + bracket.hi) : (double)NAN;
    } else {
        const bench_ideal ideal = bench_ideal_of(&s->truths[f], s->law, 0);
        *answered = vec3_norm(p == BENCH_PART_FORCE ? a->force : a->torque);
        *truth = vec3_norm(p == BENCH_PART_FORCE ? ideal.force : ideal.torque);
    }
}

static void scale_part(bench_part p, double factor, alg_answer *a)
{
    if (p == BENCH_PART_DISTANCE) {
        a->distance_m *= factor;
    } else if (p == BENCH_PART_VOLUME) {
        a->volume_m3 *= factor;
    } else if (p == BENCH_PART_DEPTH) {
        a->depth_m *= factor;
    } else if (p == BENCH_PART_FORCE) {
        a->force = vec3_scale(factor, a->force);
    } else {
        a->torque = vec3_scale(factor, a->torque);
    }
}

static void add_to_part(bench_part p, double addend, alg_answer *a)
{
    if (p == BENCH_PART_DISTANCE) {
        a->distance_m += addend;
    } else {
        a->depth_m += addend;
    }
}

/** Fits a factor or an addend: the median over the frames whose truth is not 0. NaN: no frame. */
static double fit(const bench_study *s, bench_part p, bool factor, double *room)
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
    return n >= BENCH_FRAMES_LEAST_FITTED ? room[n / 2] : (double)NAN;
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

static void test_factor(bench_study *s, bench_part p, double *room)
{
    const double factor = fit(s, p, true, room);
    bench_tally t = {0};
    if (isnan(factor) || !(factor > 0) || isinf(factor)) {
        return;
    }
    for (size_t f = 0; f < s->frames; f++) {
        alg_answer corrected = *bench_study_answer(s, f);
        const bench_part_verdict before = bench_study_judge(s, f, p, &corrected, &s->truths[f]);
        scale_part(p, 1 / factor, &corrected);
        bench_tally_count(before, bench_study_judge(s, f, p, &corrected, &s->truths[f]), &t);
    }
    if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST_FITTED)) {
        const bool larger = factor > 1;
        const double times = larger ? factor : 1 / factor, round_times = round(times);
        const bool whole = fabs(times / round_times - 1) < 1e-4;
        bench_study_explain(s, p, "scaled", &t, "all %s are %.*g times too %s%s",
                            bench_parts[p].plural, whole ? 12 : 6, whole ? round_times : times,
                            larger ? "large" : "small",
                            unit_of(factor, bench_parts[p].dimension +
                                                (p == BENCH_PART_FORCE || p == BENCH_PART_TORQUE
                                                     ? s->law >= ALG_LAW_DEPTH
                                                     : 0)));
    }
}

static void test_addend(bench_study *s, bench_part p, double *room)
{
    const double addend = fit(s, p, false, room);
    bench_tally t = {0};
    if (isnan(addend) || fabs(addend) <= bench_study_negligible(s, p)) {
        return;
    }
    for (size_t f = 0; f < s->frames; f++) {
        alg_answer corrected = *bench_study_answer(s, f);
        const bench_part_verdict before = bench_study_judge(s, f, p, &corrected, &s->truths[f]);
        const gt_bracket truth = bench_part_bracket(&s->truths[f], p);
        add_to_part(p, -addend, &corrected);
        if (gt_known(truth) && truth.lo > fmax(0, -addend)) { /* elsewhere it is cut off at 0 */
            bench_tally_count(before, bench_study_judge(s, f, p, &corrected, &s->truths[f]), &t);
        }
    }
    if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST_FITTED)) {
        bench_study_explain(s, p, "offset", &t,
                            "all %s are %.6g m too %s: a margin around the bodies?",
                            bench_parts[p].plural, fabs(addend), addend > 0 ? "large" : "small");
    }
}

/** True if all answers of a number are the same, but the truth differs. */
static void test_constant(bench_study *s, bench_part p)
{
    bench_tally t = {0};
    double first = NAN;
    bool same = true;
    gt_bracket lowest = {INFINITY, INFINITY}, highest = {-INFINITY, -INFINITY};
    for (size_t f = 0; f < s->frames; f++) {
        const alg_answer *const a = bench_study_answer(s, f);
        const gt_bracket truth = bench_part_bracket(&s->truths[f], p);
        if (!(a->answered & bench_parts[p].has) || !gt_known(truth)) {
            continue;
        }
        const double number = bench_part_number(a, p);
        first = isnan(first) ? number : first;
        same = same && number == first;
        lowest = truth.lo < lowest.lo ? truth : lowest;
        highest = truth.hi > highest.hi ? truth : highest;
        t.frames++;
    }
    t.right = t.frames;
    if (same && t.frames >= BENCH_FRAMES_LEAST_FITTED && lowest.hi < highest.lo) {
        bench_study_explain(s, p, "constant", &t,
                            "all %s are the same, %.6g: is the pose of the frame used?",
                            bench_parts[p].plural, first);
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
static void test_digits(bench_study *s, bench_part p)
{
    int digits = 1;
    bool single = true;
    double largest = 0;
    bench_tally t = {0};
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
    if (t.frames >= BENCH_FRAMES_LEAST_FITTED && (few || (single && largest <= 1e-4))) {
        bench_study_explain(
            s, p, few ? "digits" : "single", &t,
            few ? "%s have only %d digits: write 17 ('%%.17g'), or say --contract approximate"
                : "%s are numbers in single precision (%d digits as written): compute and "
                  "write them in double precision, or say --contract approximate",
            bench_parts[p].plural, digits);
    }
}

/* --- Frames ----------------------------------------------------------------------------------- */

/** Returns the frame whose answer is taken for frame f; `frames` if there is none. */
typedef size_t renumbering(const bench_study *s, size_t f);

static size_t frame_after(const bench_study *s, size_t f)
{
    return f + 1 < s->frames ? f + 1 : s->frames;
}

static size_t frame_before(const bench_study *s, size_t f)
{
    return f > 0 ? f - 1 : s->frames;
}

static size_t frame_reversed(const bench_study *s, size_t f)
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
static bench_part primary_part(const bench_study *s)
{
    static const bench_part order[] = {BENCH_PART_DISTANCE, BENCH_PART_VOLUME, BENCH_PART_FORCE,
                                       BENCH_PART_DEPTH, BENCH_PART_CONTACT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!s->explained[order[i]] &&
            bench_study_wrong_frames(s, order[i]) >= BENCH_FRAMES_LEAST) {
            return order[i];
        }
    }
    return BENCH_PART_COUNT;
}

static void test_renumberings(bench_study *s, bench_part p)
{
    for (size_t i = 0; i < sizeof renumberings / sizeof *renumberings; i++) {
        bench_tally t = {0};
        for (size_t f = 0; f < s->frames; f++) {
            const size_t from = renumberings[i].from(s, f);
            if (from < s->frames) {
                bench_tally_count(
                    bench_study_judge(s, f, p, bench_study_answer(s, f), &s->truths[f]),
                    bench_study_judge(s, f, p, bench_study_answer(s, from), &s->truths[f]), &t);
            }
        }
        if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST)) {
            bench_study_explain(s, p, renumberings[i].name, &t, "%s", renumberings[i].text);
            bench_study_explain_all(s);
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
static base_status test_order(bench_study *s, bench_part p, double *room, base_error *err)
{
    if (!bench_part_is_number(p)) {
        return BASE_OK;
    }
    size_t n = 0;
    bench_tally t = {.wrong = bench_study_wrong_frames(s, p)};
    gt_bracket *const truths = base_alloc(s->frames, sizeof *truths);
    if (!truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t f = 0; f < s->frames; f++) {
        const gt_bracket truth = bench_part_bracket(&s->truths[f], p);
        if ((bench_study_answer(s, f)->answered & bench_parts[p].has) && gt_known(truth)) {
            room[n] = bench_part_number(bench_study_answer(s, f), p);
            truths[n++] = truth;
        }
    }
    qsort(room, n, sizeof *room, by_number);
    qsort(truths, n, sizeof *truths, by_bracket);
    for (size_t i = 0; i < n; i++) {
        t.right += bench_study_is_in(s, p, truths[i], room[i]);
    }
    t.frames = n;
    t.wrong_right = t.right == n ? t.wrong : 0;
    base_free(truths);
    if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST_FITTED)) {
        bench_study_explain(
            s, p, "order", NULL,
            "the %s are those of the frames in another order: column 'frame' must name the "
            "row of the trajectory, from 0",
            bench_parts[p].plural);
        bench_study_explain_all(s);
    }
    return BASE_OK;
}

/* --- Lengths of directions -------------------------------------------------------------------- */

/** Directions that are no unit vectors: often the whole translation. */
static void test_lengths(bench_study *s)
{
    bench_tally whole = {0}, any = {0};
    for (size_t f = 0; f < s->frames; f++) {
        const alg_answer *const a = bench_study_answer(s, f);
        const double length = vec3_norm(a->direction);
        if ((a->answered & ALG_HAS_DEPTH) && a->depth_m != 0) {
            const bool unit = fabs(length - 1) <= 1e-6;
            bench_tally_count(unit ? BENCH_PART_RIGHT : BENCH_PART_WRONG,
                              fabs(length - fabs(a->depth_m)) <= 1e-6 * fabs(a->depth_m)
                                  ? BENCH_PART_RIGHT
                                  : BENCH_PART_WRONG,
                              &whole);
            bench_tally_count(unit ? BENCH_PART_RIGHT : BENCH_PART_WRONG,
                              unit ? BENCH_PART_WRONG : BENCH_PART_RIGHT, &any);
        }
    }
    if (bench_tally_is_accepted(&whole, BENCH_FRAMES_LEAST)) {
        bench_study_explain(
            s, BENCH_PART_DIRECTION, "direction-length", &whole,
            "directions of the depth have the length of the depth: nx, ny, nz is a unit "
            "vector");
    } else if (bench_tally_is_accepted(&any, BENCH_FRAMES_LEAST)) {
        bench_study_explain(s, BENCH_PART_DIRECTION, "direction-length", &any,
                            "directions of the depth are no unit vectors");
    }
}

/* --- All -------------------------------------------------------------------------------------- */

static void test_missing(bench_study *s)
{
    const bench_score_answers *const answers = &s->score->answers;
    if (answers->missing > 0) {
        bench_study_explain(s, BENCH_PART_COUNT, "missing", NULL,
                            "%zu of %zu frames have no answer, frame %zu the "
                            "first",
                            answers->missing, s->frames, answers->first_missing);
    }
}

/** Tests the hypotheses about one part with fitted numbers and about its digits. */
static void test_numbers(bench_study *s, double *room)
{
    static const bench_part scaled[] = {BENCH_PART_DISTANCE, BENCH_PART_VOLUME, BENCH_PART_DEPTH,
                                        BENCH_PART_FORCE, BENCH_PART_TORQUE};
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
        const bench_part p = scaled[i];
        if (!s->explained[p] && bench_study_wrong_frames(s, p) > 0) {
            test_factor(s, p, room);
        }
        if (!s->explained[p] && (p == BENCH_PART_DISTANCE || p == BENCH_PART_DEPTH) &&
            bench_study_wrong_frames(s, p) > 0) {
            test_addend(s, p, room);
        }
        if (!s->explained[p] && bench_part_is_number(p) && bench_study_wrong_frames(s, p) > 0) {
            test_constant(s, p);
        }
    }
}

/** True if a promise about the quantity is broken in a frame. */
static bool is_broken(const bench_study *s, alg_quantity quantity)
{
    for (size_t f = 0; f < s->frames; f++) {
        if (s->score->cell.judgements[f].broken & 1u << (BENCH_PROMISE_CONTRACT + quantity)) {
            return true;
        }
    }
    return false;
}

/** The order of these tests goes from mistakes about all frames to those about digits. */
static base_status test_all(bench_study *s, double *room, base_error *err)
{
    test_missing(s);
    test_corrections(s);
    test_numbers(s, room);
    bench_part primary = primary_part(s);
    if (primary != BENCH_PART_COUNT) {
        test_renumberings(s, primary);
    }
    base_status status = BASE_OK;
    if (primary != BENCH_PART_COUNT && !s->explained[primary]) {
        status = test_order(s, primary, room, err);
    }
    if (primary != BENCH_PART_COUNT && !s->explained[primary] && status == BASE_OK) {
        status = bench_study_poses(s, primary, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    test_lengths(s);
    /* A wrong depth does not separate along any direction. */
    const bool depths = s->score->cell.quantities & ALG_WANT_DEPTH;
    if (depths && !s->explained[BENCH_PART_DEPTH] && !s->explained[BENCH_PART_DIRECTION] &&
        s->scenario->pair.has_volume && (is_broken(s, ALG_DEPTH) || s->score->faulty > 0)) {
        status = bench_study_directions(s, err);
    }
    static const bench_part written[] = {BENCH_PART_DISTANCE, BENCH_PART_VOLUME, BENCH_PART_DEPTH};
    for (size_t i = 0; i < sizeof written / sizeof *written && status == BASE_OK; i++) {
        if (!s->explained[written[i]] && is_broken(s, bench_parts[written[i]].quantity)) {
            test_digits(s, written[i]);
        }
    }
    return status;
}

base_status bench_diagnose(const bench_score *score, bench_diagnoses *diagnoses, base_error *err)
{
    bench_study s = {.score = score,
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
