/** Answers against the truth. */
#include "suite/run/run.h"

#include <float.h>
#include <math.h>
#include <string.h>

/** Below these the relative error says nothing: distance in diagonals, volume in smaller bodies. */
static const double distance_floor = 0.005, volume_floor = 0.001;

const char *bench_verdict_name(bench_verdict verdict)
{
    static const char *const names[] = {"", "tp", "tn", "fp", "fn", "ambiguous"};
    return names[verdict];
}

const char *bench_promise_name(bench_promise promise)
{
    static const char *const names[BENCH_PROMISE_COUNT] = {"contract", "distance bracket",
                                                           "volume bracket"};
    return names[promise];
}

static double middle(gt_bracket bracket)
{
    return 0.5 * (bracket.lo + bracket.hi);
}

static bool breaks(alg_contract contract, gt_bracket truth, double answer)
{
    const bool below = answer<truth.lo, above = answer> truth.hi;
    return (contract == ALG_EXACT && (below || above)) || (contract == ALG_UPPER_BOUND && below) ||
           (contract == ALG_LOWER_BOUND && above);
}

static bench_verdict verdict_of(gt_bracket distance, bool colliding)
{
    const bool touch = distance.lo <= 0, apart = distance.hi > 0;
    if (touch && apart) {
        return BENCH_AMBIGUOUS;
    }
    if (touch) {
        return colliding ? BENCH_TRUE_POSITIVE : BENCH_FALSE_NEGATIVE;
    }
    return colliding ? BENCH_FALSE_POSITIVE : BENCH_TRUE_NEGATIVE;
}

/** Is it no bracket at all, or does it leave the truth out? An unknown truth is in any. */
static bool misses(gt_bracket truth, double lo, double hi)
{
    return !(isfinite(lo) && isfinite(hi) && lo <= hi) ||
           (gt_known(truth) && (lo > truth.hi || hi < truth.lo));
}

/** Rounding that a contestant declares, as a wider bracket. */
static gt_bracket widened(gt_bracket truth, const alg *a)
{
    const double share = a->tolerance_ulp * DBL_EPSILON;
    return (gt_bracket){truth.lo - share * fabs(truth.lo), truth.hi + share * fabs(truth.hi)};
}

static bool breaks_contact(alg_contract contract, bench_verdict verdict)
{
    return (verdict == BENCH_FALSE_POSITIVE &&
            (contract == ALG_EXACT || contract == ALG_LOWER_BOUND)) ||
           (verdict == BENCH_FALSE_NEGATIVE &&
            (contract == ALG_EXACT || contract == ALG_UPPER_BOUND));
}

gt_truth bench_truth_for(const alg *algorithm, int certificate, const gt_truth *truth)
{
    gt_truth t = *truth;
    const unsigned own = bench_truth_entry_method(algorithm);
    if (algorithm->flags & ALG_SURFACE) {
        t.distance_m = t.surface_m;
    }
    if (own & GT_BY_DISTANCE) {
        t.distance_m = own == GT_BY_BVH ? t.by[GT_BRUTE] : t.by[GT_BVH];
    }
    if (own & GT_BY_VOLUME) {
        t.volume_m3 = own == GT_BY_FLUX ? t.by[GT_TETRA] : t.by[GT_FLUX];
    }
    if (t.distance_certified < certificate) {
        t.distance_m = GT_NONE;
    }
    if (t.volume_certified < certificate) {
        t.volume_m3 = GT_NONE;
    }
    t.certified =
        t.distance_certified > t.volume_certified ? t.distance_certified : t.volume_certified;
    return t;
}

static void judge_distance(const alg_variant *variant, const bench_scale *scale, gt_bracket truth,
                           double answer, bench_judgement *j)
{
    const double d = middle(truth), error = answer - d;
    j->judged = true;
    j->distance_error_size = error / scale->diagonal_a_m;
    if (d >= distance_floor * scale->diagonal_a_m) {
        j->distance_error_rel = error / d;
    }
    const alg *const a = variant->algorithm;
    j->violation |=
        breaks(a->contract(&variant->settings, ALG_DISTANCE), widened(truth, a), answer);
}

/** Is the volume large enough for relative errors? */
static bool is_sizeable(const bench_scale *scale, gt_bracket truth)
{
    return gt_known(truth) && middle(truth) >= volume_floor * scale->smaller_volume_m3;
}

static void judge_volume(const alg_variant *variant, const bench_scale *scale, gt_bracket truth,
                         double answer, bench_judgement *j)
{
    j->judged = true;
    if (is_sizeable(scale, truth)) {
        j->volume_error_rel = (answer - middle(truth)) / middle(truth);
    }
    const alg *const a = variant->algorithm;
    j->violation |= breaks(a->contract(&variant->settings, ALG_VOLUME), widened(truth, a), answer);
}

/** Brackets have widths, and can be none, also where no truth is known. */
static void judge_brackets(const alg *a, const bench_scale *scale, gt_bracket distance,
                           gt_bracket volume, const alg_answer *answer, bench_judgement *j)
{
    if (answer->answered & ALG_HAS_DISTANCE_BRACKET) {
        const double width = answer->distance_hi_m - answer->distance_lo_m;
        const bool broken =
            misses(widened(distance, a), answer->distance_lo_m, answer->distance_hi_m);
        j->distance_bracket_width_size = width / scale->diagonal_a_m;
        j->judged |= gt_known(distance);
        j->broken |= broken ? 1u << BENCH_PROMISE_DISTANCE_BRACKET : 0;
    }
    if (answer->answered & ALG_HAS_VOLUME_BRACKET) {
        const double width = answer->volume_hi_m3 - answer->volume_lo_m3;
        const bool broken = misses(widened(volume, a), answer->volume_lo_m3, answer->volume_hi_m3);
        if (scale->smaller_volume_m3 > 0) {
            j->volume_bracket_width_size = width / scale->smaller_volume_m3;
        }
        if (is_sizeable(scale, volume)) {
            j->volume_bracket_width_rel = width / middle(volume);
        }
        j->judged |= gt_known(volume);
        j->broken |= broken ? 1u << BENCH_PROMISE_VOLUME_BRACKET : 0;
    }
}

bench_judgement bench_judge(const alg_variant *variant, const bench_scale *scale,
                            const gt_truth *truth, const alg_answer *answer)
{
    bench_judgement j = {.distance_error_rel = NAN,
                         .distance_error_size = NAN,
                         .volume_error_rel = NAN,
                         .distance_bracket_width_size = NAN,
                         .volume_bracket_width_size = NAN,
                         .volume_bracket_width_rel = NAN};
    const alg *const a = variant->algorithm;
    const bool certified = truth->certified != 0;
    const gt_bracket distance = certified ? truth->distance_m : GT_NONE;
    const gt_bracket volume = certified ? truth->volume_m3 : GT_NONE;
    if (gt_known(distance) && answer->answered != 0) {
        j.verdict = verdict_of(distance, bench_answer_colliding(answer) != 0);
    }
    if ((answer->answered & ALG_HAS_CONTACT) && j.verdict != BENCH_VERDICT_NONE) {
        j.judged = true;
        j.violation |= breaks_contact(a->contract(&variant->settings, ALG_CONTACT), j.verdict);
    }
    if ((answer->answered & ALG_HAS_DISTANCE) && gt_known(distance)) {
        judge_distance(variant, scale, distance, answer->distance_m, &j);
    }
    if ((answer->answered & ALG_HAS_VOLUME) && gt_known(volume)) {
        judge_volume(variant, scale, volume, answer->volume_m3, &j);
    }
    j.broken = j.violation ? 1u << BENCH_PROMISE_CONTRACT : 0;
    judge_brackets(a, scale, distance, volume, answer, &j);
    j.violation = j.broken != 0;
    return j;
}

bool bench_answer_complete(const alg_variant *variant, unsigned quantities,
                           const alg_answer *answer)
{
    static const uint32_t has[ALG_QUANTITY_COUNT] = {
        [ALG_DISTANCE] = ALG_HAS_DISTANCE,
        [ALG_VOLUME] = ALG_HAS_VOLUME,
        [ALG_CONTACT] = ALG_HAS_CONTACT,
    };
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if ((quantities & 1u << q) && !(answer->answered & has[q]) &&
            variant->algorithm->contract(&variant->settings, (alg_quantity)q) != ALG_NOT_ANSWERED) {
            return false;
        }
    }
    return true;
}

void bench_answer_hash(base_hasher *hasher, const alg_answer *answer)
{
    const vec3 *const vectors[] = {&answer->witness_a, &answer->witness_b, &answer->direction,
                                   &answer->force, &answer->torque};
    const double scalars[] = {answer->distance_m, answer->volume_m3, answer->depth_m};
    const uint32_t words[] = {answer->answered, (uint32_t)answer->outcome,
                              bench_answer_colliding(answer)};
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, scalars, sizeof scalars);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        base_hasher_add(hasher, vectors[i], sizeof *vectors[i]);
    }
    base_hasher_add(hasher, answer->counters, sizeof answer->counters);
    /* Not for all: the hashes of those without brackets are older than these. */
    if (answer->answered & ALG_HAS_DISTANCE_BRACKET) {
        const double bracket[] = {answer->distance_lo_m, answer->distance_hi_m};
        base_hasher_add(hasher, bracket, sizeof bracket);
    }
    if (answer->answered & ALG_HAS_VOLUME_BRACKET) {
        const double bracket[] = {answer->volume_lo_m3, answer->volume_hi_m3};
        base_hasher_add(hasher, bracket, sizeof bracket);
    }
}

base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t f = 0; f < count; f++) {
        bench_answer_hash(hasher, &answers[f]);
    }
    *hash = base_hasher_finish(hasher);
    return BASE_OK;
}

static bool finite3(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool bench_answer_finite(const alg_answer *answer)
{
    const uint32_t has = answer->answered;
    return (!(has & ALG_HAS_DISTANCE) || isfinite(answer->distance_m)) &&
           (!(has & ALG_HAS_WITNESS) ||
            (finite3(answer->witness_a) && finite3(answer->witness_b))) &&
           (!(has & ALG_HAS_VOLUME) || isfinite(answer->volume_m3)) &&
           (!(has & ALG_HAS_DEPTH) || (isfinite(answer->depth_m) && finite3(answer->direction))) &&
           (!(has & ALG_HAS_FORCE) || (finite3(answer->force) && finite3(answer->torque))) &&
           (!(has & ALG_HAS_DISTANCE_BRACKET) ||
            (isfinite(answer->distance_lo_m) && isfinite(answer->distance_hi_m))) &&
           (!(has & ALG_HAS_VOLUME_BRACKET) ||
            (isfinite(answer->volume_lo_m3) && isfinite(answer->volume_hi_m3)));
}

bool bench_answer_ordered(const alg_answer *answer)
{
    const uint32_t has = answer->answered;
    return (!(has & ALG_HAS_DISTANCE_BRACKET) || answer->distance_lo_m <= answer->distance_hi_m) &&
           (!(has & ALG_HAS_VOLUME_BRACKET) || answer->volume_lo_m3 <= answer->volume_hi_m3);
}

uint32_t bench_answer_colliding(const alg_answer *answer)
{
    unsigned char byte;
    memcpy(&byte, &answer->colliding, 1);
    return byte;
}

const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer)
{
    const bool no_buffer = answer->contact_capacity == 0;
    return !bench_answer_finite(answer)                          ? "NaN or infinity"
           : !bench_answer_ordered(answer)                       ? "bracket upside down"
           : !bench_answer_complete(variant, quantities, answer) ? "no answer"
           : answer->outcome == ALG_UNSET                        ? "no outcome"
           : (unsigned)answer->outcome > ALG_DEGENERATE          ? "unknown outcome"
           : bench_answer_colliding(answer) > 1                  ? "neither colliding nor apart"
           : (answer->answered & ALG_HAS_CONTACTS) && no_buffer  ? "contacts without a buffer"
                                                                 : NULL;
}
