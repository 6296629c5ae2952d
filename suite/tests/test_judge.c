#include "suite/inputs/truth_entries.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/**
 * The first setting is the contract under test, so that one fake algorithm covers all contracts.
 */
static alg_contract contract_of_setting(const alg_settings *settings, alg_quantity quantity)
{
    (void)quantity;
    return (alg_contract)settings->values[0];
}

static const alg_algorithm fake = {.name = "fake", .contract = contract_of_setting};

static alg_variant variant_of(alg_contract contract)
{
    return (alg_variant){.algorithm = &fake, .settings.values = {(double)contract}};
}

static const bench_scale unit = {.diagonal_a_m = 2, .smaller_volume_m3 = 1};

static bench_judgement judge_by(int certificate, const alg_variant *variant, const gt_truth *truth,
                                const alg_answer *answer)
{
    return bench_judge(&(bench_case){.variant = variant,
                                     .scale = &unit,
                                     .truth = truth,
                                     .answer = answer,
                                     .certificate = certificate});
}

static bench_judgement judge(const alg_variant *variant, const gt_truth *truth,
                             const alg_answer *answer)
{
    return judge_by(1, variant, truth, answer);
}

static gt_truth truth_of(double distance, double volume, double slack)
{
    return (gt_truth){.distance_m = {distance - slack, distance + slack},
                      .volume_m3 = {volume - slack, volume + slack},
                      .distance_certified = 1,
                      .volume_certified = 1};
}

static alg_answer answer_of(double distance, double volume, bool colliding)
{
    return (alg_answer){.answered = ALG_HAS_DISTANCE | ALG_HAS_VOLUME,
                        .distance_m = distance,
                        .volume_m3 = volume,
                        .colliding = colliding};
}

Test(judge, errors_by_hand)
{
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const gt_truth truth = truth_of(0.5, 0.25, 0);
    const alg_answer answer = answer_of(0.75, 0.125, false);
    const bench_judgement j = judge(&v, &truth, &answer);
    cr_assert_eq(j.errors[BENCH_DISTANCE_ERROR_REL], 0.5);
    cr_assert_eq(j.errors[BENCH_DISTANCE_ERROR_SIZE], 0.125);
    cr_assert_eq(j.errors[BENCH_VOLUME_ERROR_REL], -0.5);
    cr_assert(j.judged && !j.violation);
    cr_assert_eq(j.verdict, BENCH_TRUE_NEGATIVE);
}

Test(judge, relative_errors_stay_empty_near_zero)
{
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const gt_truth near = truth_of(0.0099, 0.00099, 0), beyond = truth_of(0.01, 0.001, 0);
    const alg_answer answer = answer_of(0.02, 0.002, false);
    bench_judgement j = judge(&v, &near, &answer);
    cr_assert(isnan(j.errors[BENCH_DISTANCE_ERROR_REL]) && isnan(j.errors[BENCH_VOLUME_ERROR_REL]));
    cr_assert_not(isnan(j.errors[BENCH_DISTANCE_ERROR_SIZE]));
    j = judge(&v, &beyond, &answer);
    cr_assert_not(isnan(j.errors[BENCH_DISTANCE_ERROR_REL]) ||
                  isnan(j.errors[BENCH_VOLUME_ERROR_REL]));
}

Test(judge, contracts)
{
    const gt_truth truth = truth_of(1, 1, 1e-9);
    const struct {
        alg_contract contract;
        bool below, inside, above; /* true if it is a violation there */
    } cases[] = {
        {ALG_EXACT, true, false, true},
        {ALG_UPPER_BOUND, true, false, false},
        {ALG_LOWER_BOUND, false, false, true},
        {ALG_APPROXIMATE, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant v = variant_of(cases[i].contract);
        const alg_answer below = answer_of(1 - 2e-9, 1, false);
        const alg_answer inside = answer_of(1 + 0.5e-9, 1, false);
        const alg_answer above = answer_of(1, 1 + 2e-9, false);
        cr_assert_eq(judge(&v, &truth, &below).violation, cases[i].below, "case %zu", i);
        cr_assert_eq(judge(&v, &truth, &inside).violation, cases[i].inside, "case %zu", i);
        cr_assert_eq(judge(&v, &truth, &above).violation, cases[i].above, "case %zu", i);
    }
}

Test(judge, verdicts)
{
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const struct {
        gt_bracket distance;
        bool colliding;
        bench_verdict expected;
    } cases[] = {
        {{0, 0}, true, BENCH_TRUE_POSITIVE},      {{0, 0}, false, BENCH_FALSE_NEGATIVE},
        {{0.1, 0.2}, true, BENCH_FALSE_POSITIVE}, {{0.1, 0.2}, false, BENCH_TRUE_NEGATIVE},
        {{0, 1e-16}, true, BENCH_AMBIGUOUS},      {{0, 1e-16}, false, BENCH_AMBIGUOUS},
        {{1, 0}, false, BENCH_VERDICT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gt_truth truth = {
            .distance_m = cases[i].distance, .volume_m3 = GT_NONE, .distance_certified = 1};
        const alg_answer answer = answer_of(0, 0, cases[i].colliding);
        cr_assert_eq(judge(&v, &truth, &answer).verdict, cases[i].expected, "case %zu", i);
    }
}

Test(judge, uncertified_truth_judges_no_answer)
{
    const alg_variant v = variant_of(ALG_EXACT);
    gt_truth truth = truth_of(1, 1, 0);
    truth.distance_certified = truth.volume_certified = 0;
    const alg_answer answer = answer_of(5, 5, true);
    const bench_judgement j = judge(&v, &truth, &answer);
    cr_assert(!j.judged && !j.violation && j.verdict == BENCH_VERDICT_NONE);
    cr_assert(isnan(j.errors[BENCH_DISTANCE_ERROR_SIZE]));
}

Test(judge, each_quantity_has_its_own_certificate)
{
    const alg_variant v = variant_of(ALG_EXACT);
    const alg_answer answer = answer_of(5, 7, true);
    for (int certified = ALG_DISTANCE; certified <= ALG_VOLUME; certified++) {
        const bool distance = certified == ALG_DISTANCE;
        gt_truth truth = truth_of(1, 3, 0);
        truth.distance_certified = distance;
        truth.volume_certified = !distance;
        const bench_judgement j = judge(&v, &truth, &answer);
        cr_assert(j.judged && j.violation);
        cr_assert_eq(isnan(j.errors[BENCH_DISTANCE_ERROR_SIZE]), !distance);
        cr_assert_eq(isnan(j.errors[BENCH_VOLUME_ERROR_SIZE]), distance);
        cr_assert_eq(j.verdict, distance ? BENCH_FALSE_POSITIVE : BENCH_VERDICT_NONE,
                     "the distance alone says whether bodies collide");
    }
}

Test(judge, a_certificate_that_was_not_asked_is_none)
{
    gt_truth truth = truth_of(1, 1, 0);
    truth.asked = GT_WANT_DISTANCE;
    truth.volume_certified = 0;
    cr_assert_eq(bench_truth_certificate(&truth, ALG_DISTANCE), 1);
    cr_assert_eq(bench_truth_certificate(&truth, ALG_CONTACT), 1, "of the distance");
    cr_assert_eq(bench_truth_certificate(&truth, ALG_VOLUME), UINT64_MAX);
    truth.asked = GT_WANT_VOLUME;
    cr_assert_eq(bench_truth_certificate(&truth, ALG_DISTANCE), UINT64_MAX);
    cr_assert_eq(bench_truth_certificate(&truth, ALG_VOLUME), 0, "asked, and not certified");
}

/**
 * Returns an answer with both brackets, for a truth of 1 m and 0.5 m3 on bodies of 2 m and 1 m3.
 */
static alg_answer brackets_of(double distance_lo, double distance_hi, double volume_lo,
                              double volume_hi)
{
    alg_answer answer = answer_of(1, 0.5, false);
    answer.answered |= ALG_HAS_DISTANCE_BRACKET | ALG_HAS_VOLUME_BRACKET;
    answer.distance_lo_m = distance_lo;
    answer.distance_hi_m = distance_hi;
    answer.volume_lo_m3 = volume_lo;
    answer.volume_hi_m3 = volume_hi;
    return answer;
}

Test(judge, a_bracket_holds_the_truth_whatever_the_contract)
{
    enum {
        D = 1u << (BENCH_PROMISE_BRACKET + ALG_DISTANCE),
        V = 1u << (BENCH_PROMISE_BRACKET + ALG_VOLUME)
    };
    const gt_truth truth = {.distance_m = {1 - 1e-9, 1 + 1e-9},
                            .volume_m3 = {0.5 - 1e-9, 0.5 + 1e-9},
                            .distance_certified = 1,
                            .volume_certified = 1};
    const struct {
        double distance_lo, distance_hi, volume_lo, volume_hi;
        unsigned broken;
    } cases[] = {
        {1, 1, 0.5, 0.5, 0},
        {0.9, 1.1, 0, 1, 0},
        {1 + 0.5e-9, 2, 0.5 + 0.5e-9, 1, 0}, /* within the truth's slack */
        {0, 1 - 0.5e-9, 0, 0.5 - 1e-9, 0},
        {1 + 2e-9, 2, 0, 1, D}, /* above the truth */
        {0, 1 - 2e-9, 0, 1, D}, /* below the truth */
        {0, 2, 0.5 + 2e-9, 1, V},
        {0, 2, 0, 0.5 - 2e-9, V},
        {1.1, 0.9, 0, 1, D}, /* lo > hi */
        {0, 2, 1, 0, V},
        {NAN, 1, 0, 1, D},
        {0, INFINITY, 0, NAN, D | V},
    };
    for (int contract = ALG_NOT_ANSWERED; contract <= ALG_APPROXIMATE; contract++) {
        const alg_variant v = variant_of((alg_contract)contract);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const alg_answer answer = brackets_of(cases[i].distance_lo, cases[i].distance_hi,
                                                  cases[i].volume_lo, cases[i].volume_hi);
            const bench_judgement j = judge(&v, &truth, &answer);
            cr_assert_eq(j.broken, cases[i].broken, "case %zu: %x", i, j.broken);
            cr_assert_eq(j.violation, cases[i].broken != 0, "case %zu", i);
        }
    }
}

Test(judge, widths_of_brackets_by_hand)
{
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const gt_truth truth = truth_of(1, 0.5, 0), small = truth_of(1, 0.0005, 0);
    const alg_answer answer = brackets_of(0.75, 1.25, 0.25, 1), none = answer_of(1, 0.5, false),
                     around_small = brackets_of(0.75, 1.25, 0, 0.25);
    bench_judgement j = judge(&v, &truth, &answer);
    cr_assert_eq(j.errors[BENCH_DISTANCE_WIDTH_SIZE], 0.25);
    cr_assert_eq(j.errors[BENCH_VOLUME_WIDTH_SIZE], 0.75);
    cr_assert_eq(j.errors[BENCH_VOLUME_WIDTH_REL], 1.5);
    j = judge(&v, &small, &around_small);
    cr_assert_eq(j.errors[BENCH_VOLUME_WIDTH_SIZE], 0.25);
    cr_assert(isnan(j.errors[BENCH_VOLUME_WIDTH_REL]), "as volume_error_rel");
    j = judge(&v, &truth, &none);
    cr_assert(isnan(j.errors[BENCH_DISTANCE_WIDTH_SIZE]) &&
              isnan(j.errors[BENCH_VOLUME_WIDTH_SIZE]) && isnan(j.errors[BENCH_VOLUME_WIDTH_REL]));
}

Test(judge, without_a_truth_a_bracket_can_only_be_upside_down)
{
    const alg_variant v = variant_of(ALG_EXACT);
    gt_truth truth = truth_of(1, 0.5, 0);
    truth.distance_certified = truth.volume_certified = 0;
    const alg_answer beside = brackets_of(5, 6, 7, 8), upside_down = brackets_of(6, 5, 7, 8);
    bench_judgement j = judge(&v, &truth, &beside);
    cr_assert(!j.violation && !j.judged && j.errors[BENCH_DISTANCE_WIDTH_SIZE] == 0.5);
    j = judge(&v, &truth, &upside_down);
    cr_assert_eq(j.broken, 1u << (BENCH_PROMISE_BRACKET + ALG_DISTANCE));
}

Test(judge, a_declared_rounding_holds_for_brackets)
{
    alg_algorithm rounds = fake;
    rounds.tolerance_ulp = 4;
    const alg_variant v = {.algorithm = &rounds, .settings.values = {ALG_APPROXIMATE}};
    const gt_truth truth = truth_of(1, 0.5, 0);
    const alg_answer within = brackets_of(1 + 4 * 0x1p-52, 2, 0, 0.5 - 4 * 0x1p-53),
                     beyond = brackets_of(1 + 5 * 0x1p-52, 2, 0, 0.5 - 5 * 0x1p-53);
    cr_assert_not(judge(&v, &truth, &within).violation);
    cr_assert_eq(judge(&v, &truth, &beyond).broken, 1u << (BENCH_PROMISE_BRACKET + ALG_DISTANCE) |
                                                        1u << (BENCH_PROMISE_BRACKET + ALG_VOLUME));
}

/** Returns the fault of an answer if no quantity is asked; "" if it has none. */
static const char *fault_of(alg_answer answer)
{
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    answer.outcome = ALG_CONVERGED;
    const char *const fault = bench_answer_fault(&v, 0, &answer);
    return fault ? fault : "";
}

Test(judge, what_is_no_bracket_is_seen)
{
    alg_answer answer = brackets_of(1, 2, 3, 4);
    cr_assert_str_eq(fault_of(answer), "");
    answer.distance_lo_m = 2;
    cr_assert_str_eq(fault_of(answer), "", "one without width");
    answer.distance_lo_m = 2.5;
    cr_assert_str_eq(fault_of(answer), "bracket upside down");
    answer.answered &= ~(unsigned)ALG_HAS_DISTANCE_BRACKET;
    cr_assert_str_eq(fault_of(answer), "", "only what is answered is read");
    answer.volume_hi_m3 = NAN;
    cr_assert_str_eq(fault_of(answer), "NaN or infinity");
    answer.volume_hi_m3 = INFINITY;
    cr_assert_str_eq(fault_of(answer), "NaN or infinity");
    answer.volume_hi_m3 = 2;
    cr_assert_str_eq(fault_of(answer), "bracket upside down");
    answer.answered = 0;
    cr_assert_str_eq(fault_of(answer), "");
}

static bool same_bracket(gt_bracket x, gt_bracket y)
{
    return x.lo == y.lo && x.hi == y.hi;
}

Test(judge, a_depth_is_along_a_unit_vector)
{
    static const struct {
        double depth_m;
        vec3 direction;
        bool directed;
    } cases[] = {
        {0, {0, 0, 0}, true},        {1, {0, 0, 0}, false},        {1, {0.6, 0, -0.8}, true},
        {1, {1 + 1e-7, 0, 0}, true}, {1, {1 + 1e-5, 0, 0}, false}, {1e-9, {0, 2, 0}, false},
        {-1, {1, 0, 0}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alg_answer answer = {.answered = ALG_HAS_DEPTH,
                             .depth_m = cases[i].depth_m,
                             .direction = cases[i].direction};
        cr_assert_str_eq(fault_of(answer), cases[i].directed ? "" : "depth along no unit vector",
                         "case %zu", i);
        answer.answered = 0;
        cr_assert_str_eq(fault_of(answer), "", "case %zu", i);
    }
}

Test(judge, a_quantity_below_the_certificate_is_not_judged)
{
    gt_truth truth = truth_of(1, 2, 0.125);
    truth.distance_certified = 2;
    const alg_variant v = variant_of(ALG_EXACT);
    const alg_answer wrong_volume = answer_of(1, 5, false), wrong_distance = answer_of(5, 2, false),
                     wrong_both = answer_of(5, 5, true);
    cr_assert_not(judge_by(2, &v, &truth, &wrong_volume).violation);
    cr_assert(judge_by(1, &v, &truth, &wrong_volume).violation);
    cr_assert(judge_by(2, &v, &truth, &wrong_distance).violation);
    truth.distance_certified = 0;
    cr_assert_not(judge_by(1, &v, &truth, &wrong_distance).violation, "of a bad distance");
    cr_assert(judge_by(1, &v, &truth, &wrong_volume).violation);
    truth.volume_certified = 0;
    cr_assert_not(judge_by(0, &v, &truth, &wrong_both).judged);
}

/** The truth's own methods must not be judged by themselves. */
Test(judge, exact_entries_are_judged_by_the_other_method)
{
    bench_truth_entries_register();
    const alg_algorithm *const distance = alg_find("exact-distance"),
                               *const flux = alg_find("exact-volume"),
                               *const tetra = alg_find("exact-tetra");
    cr_assert(distance && flux && tetra);
    const alg_variant of_distance = {.algorithm = distance}, of_flux = {.algorithm = flux},
                      of_tetra = {.algorithm = tetra}, of_fake = {.algorithm = &fake};
    gt_truth truth = truth_of(1, 2, 0.125);
    const gt_bracket said[GT_METHOD_COUNT] = {{1, 1.5}, {2, 2.5}, {3, 3.5}, {4, 4.5}};
    memcpy(truth.by, said, sizeof said);
    cr_assert(same_bracket(bench_truth_for(&of_distance, &truth).distance_m, said[GT_BRUTE]));
    cr_assert(same_bracket(bench_truth_for(&of_distance, &truth).volume_m3, truth.volume_m3));
    cr_assert(same_bracket(bench_truth_for(&of_flux, &truth).volume_m3, said[GT_TETRA]));
    cr_assert(same_bracket(bench_truth_for(&of_flux, &truth).distance_m, truth.distance_m));
    cr_assert(same_bracket(bench_truth_for(&of_tetra, &truth).volume_m3, said[GT_FLUX]));
    cr_assert(same_bracket(bench_truth_for(&of_fake, &truth).volume_m3, truth.volume_m3));
    /* A force is computed by flux only, so no other method can judge it. */
    truth.force_certified = 2;
    cr_assert_eq(bench_truth_for(&of_flux, &truth).force_certified, 0);
    cr_assert_eq(bench_truth_for(&of_tetra, &truth).force_certified, 2);
    truth.by[GT_BRUTE] = truth.by[GT_TETRA] = GT_NONE;
    cr_assert_not(gt_known(bench_truth_for(&of_distance, &truth).distance_m));
    cr_assert_not(gt_known(bench_truth_for(&of_flux, &truth).volume_m3));
    /* On simplified bodies, they do not judge themselves. */
    const alg_variant simplified = {.algorithm = flux, .simplify = 0.5};
    cr_assert(same_bracket(bench_truth_for(&simplified, &truth).volume_m3, truth.volume_m3));
    cr_assert_eq(bench_truth_for(&simplified, &truth).force_certified, 2);
}

/** Answers for simplified bodies have errors, but break no promise about the full ones. */
Test(judge, simplified_bodies_break_no_promise)
{
    static const alg_algorithm counting = {
        .name = "counting", .flags = ALG_ALL_PAIRS, .contract = contract_of_setting};
    alg_variant v = {.algorithm = &counting, .settings.values = {ALG_EXACT}};
    gt_truth truth = truth_of(1, 0.5, 0);
    truth.pairs_count = (gt_bracket){7, 7};
    truth.pairs_certified = 2;
    alg_answer answer = brackets_of(2, 3, 0.1, 0.2);
    answer.answered |= ALG_HAS_PAIRS | ALG_HAS_CONTACT;
    answer.colliding = true;
    answer.pair_count = 5;
    answer.distance_m = 2.5;
    cr_assert_not_null(bench_answer_fault(&v, ALG_WANT_DISTANCE, &answer));
    const bench_judgement full = judge(&v, &truth, &answer);
    v.simplify = 0.5;
    const bench_judgement simplified = judge(&v, &truth, &answer);
    answer.outcome = ALG_CONVERGED;
    cr_assert_null(bench_answer_fault(&v, ALG_WANT_DISTANCE, &answer),
                   "colliding may contradict a distance that is approximate");
    cr_assert(full.broken & 1u << (BENCH_PROMISE_BRACKET + ALG_DISTANCE));
    cr_assert(full.broken & 1u << (BENCH_PROMISE_BRACKET + ALG_VOLUME));
    cr_assert(full.broken & 1u << (BENCH_PROMISE_CONTRACT + ALG_DISTANCE));
    cr_assert(full.broken & 1u << (BENCH_PROMISE_CONTRACT + ALG_CONTACT));
    cr_assert_eq(simplified.broken, 0, "%x", simplified.broken);
    cr_assert(simplified.judged && simplified.verdict == BENCH_FALSE_POSITIVE);
    cr_assert_eq(simplified.errors[BENCH_DISTANCE_ERROR_REL], 1.5);
}

static uint64_t hash_of(const alg_answer *answer)
{
    base_hash hash;
    cr_assert_eq(bench_answers_hash(answer, 1, &hash, NULL), BASE_OK);
    return hash.lo;
}

Test(judge, hash_sees_every_field)
{
    alg_answer base = answer_of(1, 2, false);
    base.answered |= ALG_HAS_DISTANCE_BRACKET | ALG_HAS_VOLUME_BRACKET;
    alg_answer changed[12];
    for (size_t i = 0; i < 12; i++) {
        changed[i] = base;
    }
    changed[0].distance_m = nextafter(1, 2);
    changed[1].volume_m3 = nextafter(2, 3);
    changed[2].colliding = true;
    changed[3].witness_b.z = 1e-300;
    changed[4].force.x = 1;
    changed[5].torque.y = 1;
    changed[6].counters[ALG_COUNTERS_MAX - 1] = 1;
    changed[7].answered ^= ALG_HAS_VOLUME;
    changed[8].distance_lo_m = 1e-300;
    changed[9].distance_hi_m = 1e-300;
    changed[10].volume_lo_m3 = 1e-300;
    changed[11].volume_hi_m3 = 1e-300;
    for (size_t i = 0; i < 12; i++) {
        cr_assert_neq(hash_of(&changed[i]), hash_of(&base), "change %zu", i);
    }
}

/** Brackets that are not answered do not change the hash, so that older hashes stay valid. */
Test(judge, hash_leaves_out_brackets_that_are_not_answered)
{
    const alg_answer base = answer_of(1, 2, false);
    alg_answer changed = base;
    changed.distance_hi_m = changed.volume_lo_m3 = 3;
    cr_assert_eq(hash_of(&changed), hash_of(&base));
}

/**
 * Contact counts as 0 or 1: a missed contact violates an upper bound, a false alarm a lower bound.
 */
Test(judge, contracts_of_contact)
{
    const gt_truth apart = truth_of(1, 0, 0.5), touching = truth_of(0, 0, 0),
                   unclear = truth_of(0, 0, 1);
    const struct {
        alg_contract contract;
        bool missed, false_alarm; /* true if it is a violation */
    } cases[] = {
        {ALG_EXACT, true, true},
        {ALG_UPPER_BOUND, true, false},
        {ALG_LOWER_BOUND, false, true},
        {ALG_APPROXIMATE, false, false},
    };
    const alg_answer yes = {.answered = ALG_HAS_CONTACT, .colliding = true},
                     no = {.answered = ALG_HAS_CONTACT};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant v = variant_of(cases[i].contract);
        const bench_judgement missed = judge(&v, &touching, &no);
        cr_assert(missed.judged && missed.verdict == BENCH_FALSE_NEGATIVE, "%zu", i);
        cr_assert_eq(missed.violation, cases[i].missed, "%zu", i);
        cr_assert_eq(judge(&v, &apart, &yes).violation, cases[i].false_alarm, "%zu", i);
        cr_assert_not(judge(&v, &apart, &no).violation, "%zu", i);
        cr_assert_not(judge(&v, &touching, &yes).violation, "%zu", i);
        cr_assert_not(judge(&v, &unclear, &yes).violation, "%zu", i);
    }
    const alg_variant v = variant_of(ALG_EXACT);
    const alg_answer silent = {.answered = ALG_HAS_WITNESS};
    cr_assert_not(judge(&v, &touching, &silent).violation);
}

Test(judge, a_declared_rounding_is_no_violation)
{
    alg_algorithm rounds = fake;
    rounds.tolerance_ulp = 4;
    const alg_variant v = {.algorithm = &rounds, .settings.values = {ALG_EXACT}};
    const gt_truth truth = truth_of(1, 1, 0);
    const double ulp = 0x1p-52;
    const struct {
        double answer;
        bool violation;
    } cases[] = {
        {1 + 4 * ulp, false},
        {1 - 4 * ulp, false},
        {1 + 5 * ulp, true},
        {1 - 5 * ulp, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_answer distance = answer_of(cases[i].answer, 1, false),
                         volume = answer_of(1, cases[i].answer, false);
        cr_assert_eq(judge(&v, &truth, &distance).violation, cases[i].violation, "%zu", i);
        cr_assert_eq(judge(&v, &truth, &volume).violation, cases[i].violation, "%zu", i);
    }
}

static alg_contract distance_alone(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE ? ALG_EXACT : ALG_NOT_ANSWERED;
}

/**
 * A missing answer must be a fault. Otherwise it would not be judged and would look better than a
 * bad answer.
 */
Test(judge, what_is_promised_and_asked_must_be_answered)
{
    static const alg_algorithm distance_only = {.name = "fake", .contract = distance_alone};
    const alg_variant both = variant_of(ALG_APPROXIMATE), one = {.algorithm = &distance_only};
    const unsigned unified = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;
    const struct {
        const alg_variant *variant;
        unsigned asked;
        uint32_t answered;
        bool complete;
    } cases[] = {
        {&both, ALG_WANT_DISTANCE, ALG_HAS_DISTANCE, true},
        {&both, ALG_WANT_VOLUME, ALG_HAS_DISTANCE, false},
        {&both, unified, ALG_HAS_DISTANCE, false},
        {&both, unified, ALG_HAS_VOLUME, false},
        {&both, ALG_WANT_DISTANCE, 0, false},
        {&one, unified, ALG_HAS_DISTANCE, true},
        {&one, unified, ALG_HAS_VOLUME, false},
        {&one, ALG_WANT_VOLUME, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_answer answer = {
            .answered = cases[i].answered, .outcome = ALG_CONVERGED, .colliding = true};
        const char *const fault = bench_answer_fault(cases[i].variant, cases[i].asked, &answer);
        cr_assert(cases[i].complete ? !fault : fault && strcmp(fault, "no answer") == 0, "%zu: %s",
                  i, fault ? fault : "no fault");
    }
}

Test(judge, what_has_no_bound_is_promised_none)
{
    const alg_answer answer = {.answered = ALG_HAS_DISTANCE | ALG_HAS_DEPTH | ALG_HAS_FORCE,
                               .outcome = ALG_CONVERGED,
                               .colliding = true,
                               .direction = {1, 0, 0}};
    static const struct {
        alg_contract contract;
        unsigned asked;
        bool sense;
    } cases[] = {
        {ALG_LOWER_BOUND, ALG_WANT_DISTANCE, true}, {ALG_LOWER_BOUND, ALG_WANT_DEPTH, false},
        {ALG_UPPER_BOUND, ALG_WANT_DEPTH, true},    {ALG_UPPER_BOUND, ALG_WANT_FORCE, false},
        {ALG_EXACT, ALG_WANT_FORCE, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant v = variant_of(cases[i].contract);
        const char *const fault = bench_answer_fault(&v, cases[i].asked, &answer);
        cr_assert_eq(fault == NULL, cases[i].sense, "%zu: %s", i, fault ? fault : "");
    }
}

Test(judge, a_distance_is_not_negative_and_agrees_with_colliding)
{
    static const struct {
        alg_contract contract;
        double distance_m;
        bool colliding;
        const char *fault; /* NULL: no fault */
    } cases[] = {
        {ALG_EXACT, -1e-9, true, "a negative distance"},
        {ALG_APPROXIMATE, -1e-9, true, "a negative distance"},
        {ALG_EXACT, 0, true, NULL},
        {ALG_EXACT, 0, false, "colliding contradicts its own distance"},
        {ALG_EXACT, 0.5, true, "colliding contradicts its own distance"},
        {ALG_EXACT, 0.5, false, NULL},
        {ALG_UPPER_BOUND, 0.5, true, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_answer answer = {.answered = ALG_HAS_DISTANCE,
                                   .outcome = ALG_CONVERGED,
                                   .distance_m = cases[i].distance_m,
                                   .colliding = cases[i].colliding};
        const alg_variant v = variant_of(cases[i].contract);
        const char *const fault = bench_answer_fault(&v, ALG_WANT_DISTANCE, &answer);
        const char *const wanted = cases[i].fault;
        cr_expect(wanted ? fault && strcmp(fault, wanted) == 0 : !fault, "%zu: %s", i,
                  fault ? fault : "no fault");
    }
}

/** Returns a truth by hand: depth 0.5 m, force 2 m2 along x, 10 pairs. */
static gt_truth deep(void)
{
    gt_truth t = truth_of(0, 0.25, 0);
    t.depth_m = (gt_bracket){0.4, 0.5};
    t.pairs_count = (gt_bracket){10, 10};
    t.force_m2 = (vec3){2, 0, 0};
    t.torque_m3 = (vec3){0, 1, 0};
    t.force_bound_m2 = t.torque_bound_m3 = 0x1p-20;
    t.depth_certified = t.force_certified = t.pairs_certified = 1;
    return t;
}

Test(judge, depths_are_judged_by_what_is_left)
{
    const gt_truth truth = deep();
    const gt_escape out = {{0.25, 0.25}, {1, 1}, {0.5, 0.5}, {0, 0}, {0.5, 0.5}};
    const gt_escape in = {{1, 1}, {2, 2}, {0.5, 0.5}, {0.125, 0.125}, {0, 0}};
    static const struct {
        alg_contract contract;
        double depth;
        bool separates, broken;
    } cases[] = {
        {ALG_EXACT, 0.5, true, false},
        {ALG_EXACT, 0.75, true, true}, /* longer than necessary */
        {ALG_EXACT, 0.25, true, true},
        {ALG_EXACT, 0.5, false, true},
        {ALG_UPPER_BOUND, 0.75, true, false},
        {ALG_UPPER_BOUND, 0.75, false, true},
        {ALG_APPROXIMATE, 0.25, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant v = variant_of(cases[i].contract);
        const alg_answer answer = {
            .answered = ALG_HAS_DEPTH, .depth_m = cases[i].depth, .direction = {1, 0, 0}};
        const bench_judgement j = bench_judge(&(bench_case){
            &v, &unit, &truth, &answer, cases[i].separates ? &out : &in, NULL, NULL, 1});
        cr_assert(j.judged);
        cr_assert_eq(j.broken, cases[i].broken ? 1u << (BENCH_PROMISE_CONTRACT + ALG_DEPTH) : 0,
                     "%zu", i);
        cr_assert_eq(j.errors[BENCH_DEPTH_ERROR_REL], (cases[i].depth - 0.5) / 0.5, "%zu", i);
        cr_assert_eq(j.errors[BENCH_DEPTH_LEFT_REL], cases[i].separates ? 0 : 0.25, "%zu", i);
        cr_assert_eq(j.errors[BENCH_DEPTH_WORSE_REL],
                     fmax(fabs(cases[i].depth - 0.5) / 0.5, cases[i].separates ? 0 : 0.25), "%zu",
                     i);
        cr_assert_eq(j.errors[BENCH_DEPTH_GAP_SIZE], cases[i].separates ? 0.25 : 0, "%zu", i);
        cr_assert_eq(j.errors[BENCH_DEPTH_LOCAL_REL],
                     cases[i].depth / (cases[i].separates ? 0.25 : 1) - 1, "%zu", i);
        cr_assert_eq(j.errors[BENCH_DEPTH_GLOBAL_REL],
                     cases[i].depth / (cases[i].separates ? 1 : 2) - 1, "%zu", i);
    }
}

/** The truth's bracket is 0.4 to 0.5. The error is 0 inside of it and positive on either side. */
Test(judge, a_depth_is_outside_of_the_bracket_on_either_side)
{
    const gt_truth truth = deep();
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const double depths[] = {0.4, 0.45, 0.5, 0.625, 0.25};
    const double outside[] = {0, 0, 0, 0.125 / 0.5, (0.4 - 0.25) / 0.5};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        const alg_answer answer = {
            .answered = ALG_HAS_DEPTH, .depth_m = depths[i], .direction = {1, 0, 0}};
        const bench_judgement j =
            bench_judge(&(bench_case){&v, &unit, &truth, &answer, NULL, NULL, NULL, 1});
        cr_assert_float_eq(j.errors[BENCH_DEPTH_OUTSIDE_REL], outside[i], 1e-15, "%zu", i);
        /* The remaining volume is not known, so only the error ranks the depth. */
        cr_assert_eq(j.errors[BENCH_DEPTH_WORSE_REL], fabs(depths[i] - 0.5) / 0.5, "%zu", i);
    }
}

Test(judge, a_verdict_is_wrong_right_or_missing)
{
    cr_assert_eq(bench_verdict_wrong(BENCH_TRUE_POSITIVE), 0);
    cr_assert_eq(bench_verdict_wrong(BENCH_TRUE_NEGATIVE), 0);
    cr_assert_eq(bench_verdict_wrong(BENCH_FALSE_POSITIVE), 1);
    cr_assert_eq(bench_verdict_wrong(BENCH_FALSE_NEGATIVE), 1);
    cr_assert(isnan(bench_verdict_wrong(BENCH_AMBIGUOUS)));
    cr_assert(isnan(bench_verdict_wrong(BENCH_VERDICT_NONE)));
}

Test(judge, forces_and_pairs_are_held_against_theirs)
{
    const gt_truth truth = deep();
    static const struct {
        vec3 force, torque;
        bool broken;
    } cases[] = {
        {{2, 0, 0}, {0, 1, 0}, false},      {{2, 0x1p-21, 0}, {0, 1, 0}, false},
        {{2, 0x1p-19, 0}, {0, 1, 0}, true}, {{-2, 0, 0}, {0, 1, 0}, true},
        {{2, 0, 0}, {0, -1, 0}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant exact = variant_of(ALG_EXACT), rough = variant_of(ALG_APPROXIMATE);
        const alg_answer answer = {
            .answered = ALG_HAS_FORCE, .force = cases[i].force, .torque = cases[i].torque};
        cr_assert_eq(judge(&exact, &truth, &answer).broken,
                     cases[i].broken ? 1u << (BENCH_PROMISE_CONTRACT + ALG_FORCE) : 0, "%zu", i);
        cr_assert_eq(judge(&rough, &truth, &answer).broken, 0, "%zu", i);
    }
    /* Where faces coincide, the bound is the size of the jump: the limits from both sides are
     * exact. */
    gt_truth kink = deep();
    kink.force_bound_m2 = 1;
    const alg_variant exact = variant_of(ALG_EXACT);
    for (double x = 1; x <= 4; x++) {
        const alg_answer side = {
            .answered = ALG_HAS_FORCE, .force = {x, 0, 0}, .torque = {0, 1, 0}};
        cr_assert_eq(judge(&exact, &kink, &side).broken != 0, x > 3, "%g", x);
    }
    const alg_variant v = variant_of(ALG_APPROXIMATE);
    const alg_answer short_by_one = {.answered = ALG_HAS_PAIRS, .pair_count = 9};
    const bench_judgement j = judge(&v, &truth, &short_by_one);
    cr_assert_eq(j.errors[BENCH_PAIRS_ERROR_REL], -0.1);
    cr_assert_eq(j.broken, 0, "no contract has promised all");
    alg_algorithm all = *v.algorithm;
    all.flags |= ALG_ALL_PAIRS;
    const alg_variant promised = {.algorithm = &all, .settings = v.settings};
    cr_assert_eq(judge(&promised, &truth, &short_by_one).broken,
                 1u << (BENCH_PROMISE_CONTRACT + ALG_CONTACT));
}

/* --- Laws of forces --------------------------------------------------------------------------- */

/** The second setting is the law under test. */
static alg_law law_of_setting(const alg_settings *settings)
{
    return (alg_law)(int)settings->values[1];
}

static const alg_algorithm lawful = {
    .name = "lawful", .force_unit = "m", .contract = contract_of_setting, .law = law_of_setting};

static alg_variant variant_by(alg_law law)
{
    return (alg_variant){.algorithm = &lawful, .settings.values = {ALG_EXACT, (double)law}};
}

/**
 * Returns a truth with a different force and torque for each law: along z by area, y by depth and x
 * by the exchanged law.
 */
static gt_truth three_ideals(void)
{
    gt_truth t = truth_of(0, 0.25, 0);
    t.force_m2 = (vec3){0, 0, 1};
    t.torque_m3 = (vec3){0, 0, 2};
    t.force_bound_m2 = 0x1p-10;
    t.torque_bound_m3 = 0x1p-9;
    t.depth_force.force_m3 = (vec3){0, 1, 0};
    t.depth_force.torque_m4 = (vec3){0, 2, 0};
    t.depth_force.force_bound_m3 = 0x1p-8;
    t.depth_force.torque_bound_m4 = 0x1p-7;
    t.depth_force_exchanged.force_m3 = (vec3){1, 0, 0};
    t.depth_force_exchanged.torque_m4 = (vec3){2, 0, 0};
    t.depth_force_exchanged.force_bound_m3 = 0x1p-6;
    t.depth_force_exchanged.torque_bound_m4 = 0x1p-5;
    t.force_certified = t.depth_force.certified = t.depth_force_exchanged.certified = 1;
    return t;
}

static void expect_ideal(const bench_ideal *i, vec3 axis, double bound, const char *law)
{
    cr_expect(vec3_equal(i->force, axis), "%s", law);
    cr_expect(vec3_equal(i->torque, vec3_scale(2, axis)), "%s", law);
    cr_expect_eq(i->force_bound, bound, "%s", law);
    cr_expect_eq(i->torque_bound, 2 * bound, "%s", law);
}

Test(ideal, each_law_has_its_own_vectors)
{
    gt_truth truth = three_ideals();
    static const vec3 axes[ALG_LAW_COUNT] = {[ALG_LAW_AREA] = {0, 0, 1},
                                             [ALG_LAW_DEPTH] = {0, 1, 0},
                                             [ALG_LAW_DEPTH_EXCHANGED] = {1, 0, 0}};
    static const double bounds[ALG_LAW_COUNT] = {0, 0x1p-10, 0x1p-8, 0x1p-6};
    int *const certificates[ALG_LAW_COUNT] = {NULL, &truth.force_certified,
                                              &truth.depth_force.certified,
                                              &truth.depth_force_exchanged.certified};
    for (int law = ALG_LAW_AREA; law < ALG_LAW_COUNT; law++) {
        const bench_ideal ideal = bench_ideal_of(&truth, (alg_law)law, 1);
        expect_ideal(&ideal, axes[law], bounds[law], alg_law_names[law]);
        *certificates[law] = 0;
        const bench_ideal unknown = bench_ideal_of(&truth, (alg_law)law, 0);
        cr_expect(isnan(unknown.force.x) && isnan(unknown.torque.z) && isnan(unknown.force_bound),
                  "%s", alg_law_names[law]);
        *certificates[law] = 2;
    }
}

/** A variant without a law is judged by area, and its forces are compared with both ideals. */
Test(ideal, a_variant_is_judged_by_its_own_law)
{
    enum {
        AREA = 1u << ALG_LAW_AREA,
        DEPTH = 1u << ALG_LAW_DEPTH,
        EXCHANGED = 1u << ALG_LAW_DEPTH_EXCHANGED
    };
    static const struct {
        alg_law own;
        unsigned all;
    } expected[ALG_LAW_COUNT] = {
        [ALG_LAW_NONE] = {ALG_LAW_AREA, AREA | DEPTH},
        [ALG_LAW_AREA] = {ALG_LAW_AREA, AREA},
        [ALG_LAW_DEPTH] = {ALG_LAW_DEPTH, AREA | DEPTH},
        [ALG_LAW_DEPTH_EXCHANGED] = {ALG_LAW_DEPTH_EXCHANGED, AREA | EXCHANGED},
    };
    for (int law = 0; law < ALG_LAW_COUNT; law++) {
        const alg_variant variant = variant_by((alg_law)law);
        cr_expect_eq(bench_ideal_own(&variant), expected[law].own, "%s", alg_law_names[law]);
        cr_expect_eq(bench_ideals_of(&variant), expected[law].all, "%s", alg_law_names[law]);
    }
    const alg_variant older = variant_of(ALG_EXACT); /* has no function `law` */
    cr_expect_eq(bench_ideal_own(&older), ALG_LAW_AREA);
    cr_expect_eq(bench_ideals_of(&older), AREA | DEPTH);
}

/**
 * A force that is exact by one law breaks the contract of another law; each law has its own bounds.
 */
Test(judge, an_exact_force_is_exact_by_its_law)
{
    const gt_truth truth = three_ideals();
    const unsigned broken = 1u << (BENCH_PROMISE_CONTRACT + ALG_FORCE);
    for (int law = 0; law < ALG_LAW_COUNT; law++) {
        const alg_variant variant = variant_by((alg_law)law);
        const alg_law own = bench_ideal_own(&variant);
        for (int answered = ALG_LAW_AREA; answered < ALG_LAW_COUNT; answered++) {
            const bench_ideal ideal = bench_ideal_of(&truth, (alg_law)answered, 1);
            const vec3 aside = {0, 0, answered == ALG_LAW_AREA ? 0 : ideal.force_bound};
            alg_answer answer = {.answered = ALG_HAS_FORCE,
                                 .force = vec3_add(ideal.force, aside),
                                 .torque = ideal.torque};
            cr_expect_eq(judge(&variant, &truth, &answer).broken, answered == (int)own ? 0 : broken,
                         "law %d, answer %d", law, answered);
            answer.torque = vec3_scale(1 + 1.5 * ideal.torque_bound, ideal.torque);
            cr_expect_eq(judge(&variant, &truth, &answer).broken, broken, "law %d, answer %d", law,
                         answered);
        }
    }
}

/** No other method computes the vectors of the truth's own force by depth. */
Test(judge, the_exact_depth_force_is_not_judged_by_itself)
{
    bench_truth_entries_register();
    const alg_algorithm *const depth = alg_find("exact-depth-force"), *const flux =
                                                                          alg_find("exact-volume");
    cr_assert(depth && flux);
    const gt_truth truth = three_ideals();
    const gt_truth by_depth = bench_truth_for(&(alg_variant){.algorithm = depth}, &truth);
    cr_expect_eq(by_depth.depth_force.certified, 0);
    cr_expect_eq(by_depth.depth_force_exchanged.certified, 0);
    cr_expect_eq(by_depth.force_certified, 1);
    const gt_truth by_flux = bench_truth_for(&(alg_variant){.algorithm = flux}, &truth);
    cr_expect_eq(by_flux.depth_force.certified, 1);
    cr_expect_eq(by_flux.force_certified, 0);
    cr_expect(isnan(bench_ideal_of(&truth, ALG_LAW_DEPTH, 2).force.x), "certificate 1");
    alg_variant variant;
    cr_assert_eq(alg_variant_parse("exact-depth-force", 1, &variant, NULL), ALG_OK);
    cr_expect_eq(alg_variant_law(&variant), ALG_LAW_DEPTH);
    cr_assert_eq(alg_variant_parse("exact-depth-force:field=moving", 1, &variant, NULL), ALG_OK);
    cr_expect_eq(alg_variant_law(&variant), ALG_LAW_DEPTH_EXCHANGED);
    cr_assert_eq(alg_variant_parse("exact-volume", 1, &variant, NULL), ALG_OK);
    cr_expect_eq(alg_variant_law(&variant), ALG_LAW_AREA);
}
