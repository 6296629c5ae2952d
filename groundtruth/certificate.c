#include "groundtruth/certificate.h"

#include <math.h>
#include <string.h>

const char *const gt_method_names[GT_METHOD_COUNT + 1] = {
    [GT_BVH] = "bvh",   [GT_BRUTE] = "brute",         [GT_FLUX] = "flux", [GT_TETRA] = "tetra",
    [GT_TREE] = "tree", [GT_ALL_PAIRS] = "all-pairs", [GT_HULL] = "hull", [GT_PLACES] = "places"};

gt_methods_text gt_methods_format(unsigned methods)
{
    gt_methods_text text = {""};
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        if (methods & 1u << m) {
            strcat(text.text, *text.text != '\0' ? "+" : "");
            strcat(text.text, gt_method_names[m]);
        }
    }
    return text;
}

/* --- Quantities ------------------------------------------------------------------------------- */

static void take_depth(const double *values, gt_truth *truth)
{
    truth->depth_direction = (vec3){values[0], values[1], values[2]};
}

static void take_force(const double *values, gt_truth *truth)
{
    truth->force_m2 = (vec3){values[0], values[1], values[2]};
    truth->torque_m3 = (vec3){values[3], values[4], values[5]};
    truth->force_bound_m2 = values[6];
    truth->torque_bound_m3 = values[7];
}

#define AT(member) offsetof(gt_truth, member)

const gt_quantity_row gt_quantities[GT_QUANTITY_COUNT] = {
    [GT_DISTANCE] = {.name = "distance",
                     .methods = {GT_BVH, GT_BRUTE},
                     .sampled = true,
                     .of = GT_DISTANCE,
                     .certified = AT(distance_certified),
                     .brackets = 2,
                     .bracket = {AT(distance_m), AT(surface_m)},
                     .disagreement = AT(distance_disagreement_m)},
    [GT_VOLUME] = {.name = "volume",
                     .methods = {GT_FLUX, GT_TETRA},
                     .of = GT_VOLUME,
                     .certified = AT(volume_certified),
                     .brackets = 1,
                     .bracket = {AT(volume_m3)},
                     .disagreement = AT(volume_disagreement_m3),
                     .bound = AT(volume_bound_m3),
                     .apart = AT(distance_m)},
    [GT_PAIRS] = {.name = "pairs",
                     .methods = {GT_TREE, GT_ALL_PAIRS},
                     .sampled = true,
                     .of = GT_PAIRS,
                     .certified = AT(pairs_certified),
                     .brackets = 1,
                     .bracket = {AT(pairs_count)},
                     .apart = AT(surface_m)},
    [GT_DEPTH] = {.name = "depth",
                     .methods = {GT_HULL, GT_PLACES},
                     .of = GT_DEPTH,
                     .certified = AT(depth_certified),
                     .brackets = 1,
                     .bracket = {AT(depth_m)},
                     .take = take_depth,
                     .common = true,
                     .apart = AT(distance_m)},
    [GT_FORCE] = {.name = "force",
                     .methods = {GT_FLUX, GT_FLUX},
                     .of = GT_VOLUME,
                     .certified = AT(force_certified),
                     .begin = 2,
                     .take = take_force                 },
};

int gt_certificate(const gt_truth *truth, gt_quantity quantity)
{
    int certificate;
    memcpy(&certificate, (const char *)truth + gt_quantities[quantity].certified,
           sizeof certificate);
    return certificate;
}

unsigned gt_methods_answering(unsigned want)
{
    unsigned methods = 0;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        if (want & 1u << q) {
            methods |= 1u << gt_quantities[q].methods[0] | 1u << gt_quantities[q].methods[1];
        }
    }
    return methods;
}

unsigned gt_quantities_answered(unsigned methods)
{
    unsigned answered = 0;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        answered |= gt_methods_answering(1u << q) & methods ? 1u << q : 0;
    }
    return answered;
}

/* --- Brackets --------------------------------------------------------------------------------- */

double gt_bracket_value(gt_bracket bracket)
{
    return bracket.lo > 0 ? bracket.lo + 0.5 * (bracket.hi - bracket.lo) : 0;
}

double gt_bracket_slack(gt_bracket bracket)
{
    return bracket.lo > 0 ? 0.5 * (bracket.hi - bracket.lo) : bracket.hi;
}

static double difference(gt_bracket x, gt_bracket y)
{
    return fabs(gt_bracket_value(x) - gt_bracket_value(y));
}

static double bound(gt_bracket x, gt_bracket y)
{
    return gt_bracket_slack(x) + gt_bracket_slack(y);
}

static gt_bracket widened(gt_bracket bracket, double value)
{
    return (gt_bracket){value < bracket.lo ? value : bracket.lo,
                        value > bracket.hi ? value : bracket.hi};
}

/** The first one's when rounding leaves nothing. */
static gt_bracket in_common(gt_bracket x, gt_bracket y)
{
    const gt_bracket both = {x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    return gt_known(both) ? both : x;
}

/** The i-th bracket of a quantity, as an answer has it. */
static gt_bracket bracket_of(const gt_quantity_row *row, const gt_answer *answer, unsigned i)
{
    const double *const ends = &answer->values[row->begin + 2 * i];
    return answer->count > 0 ? (gt_bracket){ends[0], ends[1]} : GT_NONE;
}

/* --- What has become of a frame --------------------------------------------------------------- */

static gt_bracket *bracket_at(gt_truth *truth, size_t offset)
{
    return (gt_bracket *)(void *)((char *)truth + offset);
}

static double *number_at(gt_truth *truth, size_t offset)
{
    return (double *)(void *)((char *)truth + offset);
}

static int *certificate_at(gt_truth *truth, const gt_quantity_row *row)
{
    return (int *)(void *)((char *)truth + row->certified);
}

/** Two answers: do they agree, and what bracket do they leave? */
static bool join(const gt_quantity_row *row, const gt_answer *first, const gt_answer *second,
                 gt_truth *truth)
{
    bool agree = true;
    double most = 0, allowed = 0;
    for (unsigned i = 0; i < row->brackets; i++) {
        const gt_bracket x = bracket_of(row, first, i), y = bracket_of(row, second, i);
        agree = agree && difference(x, y) <= bound(x, y);
        most = difference(x, y) > most ? difference(x, y) : most;
        allowed = bound(x, y) > allowed ? bound(x, y) : allowed;
        *bracket_at(truth, row->bracket[i]) =
            row->common ? in_common(x, y) : widened(x, gt_bracket_value(y));
    }
    if (row->disagreement) {
        *number_at(truth, row->disagreement) = most;
    }
    if (row->bound) {
        *number_at(truth, row->bound) = allowed;
    }
    return agree;
}

/** Fills all of a quantity, whose certificate is that of its own methods. */
static void judge(const gt_quantity_row *row, const gt_answer answers[GT_METHOD_COUNT],
                  gt_truth *truth)
{
    const gt_answer *const first = &answers[row->methods[0]], *const second =
                                                                  &answers[row->methods[1]];
    const gt_answer *const best = first->count > 0 ? first : second;
    bool good = true;
    int expected = 0;
    for (int i = 0; i < (first == second ? 1 : 2); i++) {
        if (truth->expected & 1u << row->methods[i]) {
            expected++;
            good = good && answers[row->methods[i]].sound;
        }
    }
    for (unsigned i = 0; i < row->brackets; i++) {
        *bracket_at(truth, row->bracket[i]) = bracket_of(row, best, i);
    }
    if (row->take && best->count > 0) {
        row->take(&best->values[row->begin + 2 * row->brackets], truth);
    }
    if (first != second && first->count > 0 && second->count > 0) {
        good = join(row, first, second, truth) && good;
    }
    *certificate_at(truth, row) = good ? expected : 0;
}

static bool above_0(const gt_truth *truth, size_t offset)
{
    gt_bracket bracket;
    memcpy(&bracket, (const char *)truth + offset, sizeof bracket);
    return gt_known(bracket) && bracket.lo > 0;
}

/** Bodies that are apart have nothing in common: one of the two is wrong, and who knows. */
static void contradict(gt_truth *truth)
{
    for (int q = GT_VOLUME; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        if (row->brackets > 0 && above_0(truth, row->apart) && above_0(truth, row->bracket[0])) {
            *certificate_at(truth, row) = truth->distance_certified = 0;
        }
    }
}

static gt_truth nothing_found(unsigned asked, unsigned expected)
{
    const vec3 unknown = {NAN, NAN, NAN};
    return (gt_truth){.distance_m = GT_NONE,
                      .volume_m3 = GT_NONE,
                      .surface_m = GT_NONE,
                      .pairs_count = GT_NONE,
                      .depth_m = GT_NONE,
                      .depth_direction = unknown,
                      .force_m2 = unknown,
                      .torque_m3 = unknown,
                      .force_bound_m2 = NAN,
                      .torque_bound_m3 = NAN,
                      .distance_disagreement_m = NAN,
                      .volume_disagreement_m3 = NAN,
                      .volume_bound_m3 = NAN,
                      .asked = asked,
                      .expected = expected};
}

void gt_certify(unsigned asked, unsigned expected, const gt_answer answers[GT_METHOD_COUNT],
                gt_truth *truth)
{
    *truth = nothing_found(asked, expected);
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        if (asked & 1u << q) {
            judge(&gt_quantities[q], answers, truth);
        }
    }
    contradict(truth);
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        int *const certificate = certificate_at(truth, row);
        *certificate = *certificate > 0 ? *certificate_at(truth, &gt_quantities[row->of]) : 0;
    }
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        const gt_answer *const said = &answers[m];
        truth->by[m] = said->count > 0 ? (gt_bracket){said->values[0], said->values[1]} : GT_NONE;
        truth->methods |= said->count > 0 ? 1u << m : 0;
    }
}
