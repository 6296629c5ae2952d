#include "groundtruth/certificate.h"

#include "groundtruth/force/depth_force.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const gt_method_names[GT_METHOD_COUNT + 1] = {
    [GT_BVH] = "bvh",
    [GT_BRUTE] = "brute",
    [GT_FLUX] = "flux",
    [GT_TETRA] = "tetra",
    [GT_TREE] = "tree",
    [GT_ALL_PAIRS] = "all-pairs",
    [GT_HULL] = "hull",
    [GT_EDGES] = "edges",
    [GT_PLACES] = "places",
    [GT_DEPTH_SURFACE] = "depth-surface",
    [GT_DEPTH_SURFACE_EXCHANGED] = "depth-surface-exchanged",
    [GT_DEPTH_CELLS] = "depth-cells",
    [GT_DEPTH_CELLS_EXCHANGED] = "depth-cells-exchanged",
};

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

static void take_depth(gt_method method, const double *values, gt_truth *truth)
{
    (void)method;
    truth->depth_direction = (vec3){values[0], values[1], values[2]};
}

static void take_force(gt_method method, const double *values, gt_truth *truth)
{
    (void)method;
    truth->force_m2 = (vec3){values[0], values[1], values[2]};
    truth->torque_m3 = (vec3){values[3], values[4], values[5]};
    truth->force_bound_m2 = values[6];
    truth->torque_bound_m3 = values[7];
}

/** The layout of an answer of the depth law: a bracket of the integral or of the energy, then the
 * force, the torque and the bounds of their errors. */
enum { LAW_FORCE = 2, LAW_TORQUE = 5, LAW_FORCE_BOUND = 8, LAW_TORQUE_BOUND = 9 };

static vec3 vector_at(const double *values)
{
    return (vec3){values[0], values[1], values[2]};
}

static void take_depth_force(gt_method method, const double *values, gt_truth *truth)
{
    const bool exchanged =
        method == GT_DEPTH_SURFACE_EXCHANGED || method == GT_DEPTH_CELLS_EXCHANGED;
    const bool cells = method == GT_DEPTH_CELLS || method == GT_DEPTH_CELLS_EXCHANGED;
    gt_depth_law *const law = exchanged ? &truth->depth_force_exchanged : &truth->depth_force;
    *(cells ? &law->energy_m4 : &law->integral_m3) = (gt_bracket){values[0], values[1]};
    if (isnan(law->force_bound_m3)) {
        law->force_m3 = vector_at(&values[LAW_FORCE]);
        law->torque_m4 = vector_at(&values[LAW_TORQUE]);
        law->force_bound_m3 = values[LAW_FORCE_BOUND];
        law->torque_bound_m4 = values[LAW_TORQUE_BOUND];
    }
}

static bool vectors_agree(const double *x, const double *y, double bound)
{
    return vec3_distance(vector_at(x), vector_at(y)) <= bound;
}

static bool depth_forces_agree(const gt_answer *first, const gt_answer *other)
{
    const double *const x = first->values, *const y = other->values;
    return vectors_agree(&x[LAW_FORCE], &y[LAW_FORCE], x[LAW_FORCE_BOUND] + y[LAW_FORCE_BOUND]) &&
           vectors_agree(&x[LAW_TORQUE], &y[LAW_TORQUE], x[LAW_TORQUE_BOUND] + y[LAW_TORQUE_BOUND]);
}

#define AT(member) offsetof(gt_truth, member)

#define DEPTH_LAW_ROW(title, quantity, surface, cells, member)                                     \
    {                                                                                              \
        .name = (title), .methods = {(surface), (cells), (cells)}, .sampled = GT_CELL_PAIRS,       \
        .of = (quantity), .certified = AT(member.certified), .bracket = {AT(member.integral_m3)},  \
        .take = take_depth_force, .agree = depth_forces_agree, .share = GT_DEPTH_FORCE_WIDTH,      \
        .apart = AT(distance_m)                                                                    \
    }

const gt_quantity_row gt_quantities[GT_QUANTITY_COUNT] = {
    [GT_DISTANCE] = {.name = "distance",
                     .methods = {GT_BVH, GT_BRUTE, GT_BRUTE},
                     .sampled = GT_BRUTE_PAIRS,
                     .of = GT_DISTANCE,
                     .certified = AT(distance_certified),
                     .brackets = 2,
                     .bracket = {AT(distance_m), AT(surface_m)},
                     .disagreement = AT(distance_disagreement_m)},
    [GT_VOLUME] = {.name = "volume",
                   .methods = {GT_FLUX, GT_TETRA, GT_TETRA},
                   .of = GT_VOLUME,
                   .certified = AT(volume_certified),
                   .brackets = 1,
                   .bracket = {AT(volume_m3)},
                   .disagreement = AT(volume_disagreement_m3),
                   .bound = AT(volume_bound_m3),
                   .apart = AT(distance_m)},
    [GT_PAIRS] = {.name = "pairs",
                  .methods = {GT_TREE, GT_ALL_PAIRS, GT_ALL_PAIRS},
                  .sampled = GT_BRUTE_PAIRS,
                  .of = GT_PAIRS,
                  .certified = AT(pairs_certified),
                  .brackets = 1,
                  .bracket = {AT(pairs_count)},
                  .apart = AT(surface_m)},
    [GT_DEPTH] = {.name = "depth",
                  .methods = {GT_HULL, GT_EDGES, GT_PLACES},
                  .sampled = GT_EDGE_PAIRS,
                  .of = GT_DEPTH,
                  .certified = AT(depth_certified),
                  .brackets = 1,
                  .bracket = {AT(depth_m)},
                  .take = take_depth,
                  .common = true,
                  .apart = AT(distance_m)},
    [GT_FORCE] = {.name = "force",
                  .methods = {GT_FLUX, GT_FLUX, GT_FLUX},
                  .of = GT_VOLUME,
                  .certified = AT(force_certified),
                  .begin = 2,
                  .take = take_force},
    [GT_DEPTH_FORCE] =
        DEPTH_LAW_ROW("depth-force", GT_DEPTH_FORCE, GT_DEPTH_SURFACE, GT_DEPTH_CELLS, depth_force),
    [GT_DEPTH_FORCE_EXCHANGED] =
        DEPTH_LAW_ROW("depth-force-exchanged", GT_DEPTH_FORCE_EXCHANGED, GT_DEPTH_SURFACE_EXCHANGED,
                      GT_DEPTH_CELLS_EXCHANGED, depth_force_exchanged),
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
        for (int i = 0; i < GT_METHODS_EACH && (want & 1u << q); i++) {
            methods |= 1u << gt_quantities[q].methods[i];
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

/** Returns the largest possible distance of the true value from gt_bracket_value. */
static double slack_of(gt_bracket bracket)
{
    return bracket.lo > 0 ? 0.5 * (bracket.hi - bracket.lo) : bracket.hi;
}

static double difference(gt_bracket x, gt_bracket y)
{
    return fabs(gt_bracket_value(x) - gt_bracket_value(y));
}

static double bound(gt_bracket x, gt_bracket y)
{
    return slack_of(x) + slack_of(y);
}

static gt_bracket widened(gt_bracket bracket, double value)
{
    return (gt_bracket){value < bracket.lo ? value : bracket.lo,
                        value > bracket.hi ? value : bracket.hi};
}

/** Returns the intersection of two brackets. Returns x if they have no point in common. */
static gt_bracket in_common(gt_bracket x, gt_bracket y)
{
    const gt_bracket both = {x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    return gt_known(both) ? both : x;
}

/** Returns bracket i of a quantity from an answer. */
static gt_bracket bracket_of(const gt_quantity_row *row, const gt_answer *answer, unsigned i)
{
    const double *const ends = &answer->values[row->begin + 2 * i];
    return answer->count > 0 ? (gt_bracket){ends[0], ends[1]} : GT_NONE;
}

/* --- The result of a frame -------------------------------------------------------------------- */

static gt_bracket *bracket_at(gt_truth *truth, size_t offset)
{
    return (gt_bracket *)(void *)((char *)truth + offset);
}

static int *certificate_at(gt_truth *truth, const gt_quantity_row *row)
{
    return (int *)(void *)((char *)truth + row->certified);
}

static void keep_larger(gt_truth *truth, size_t offset, double value)
{
    if (offset) {
        double *const number = (double *)(void *)((char *)truth + offset);
        *number = value <= *number ? *number : value; /* *number is NAN at first */
    }
}

/**
 * Compares the first answer with another one, and updates the brackets of the result by the rule of
 * gt_truth: widens them to contain the other value, or takes the intersection. Returns true if the
 * answers agree.
 */
static bool join(const gt_quantity_row *row, const gt_answer *first, const gt_answer *other,
                 gt_truth *truth)
{
    bool agree = !row->agree || row->agree(first, other);
    for (unsigned i = 0; i < row->brackets; i++) {
        gt_bracket *const left = bracket_at(truth, row->bracket[i]);
        const gt_bracket x = bracket_of(row, first, i), y = bracket_of(row, other, i);
        agree = agree && difference(x, y) <= bound(x, y);
        keep_larger(truth, row->disagreement, difference(x, y));
        keep_larger(truth, row->bound, bound(x, y));
        *left = row->common ? in_common(*left, y) : widened(*left, gt_bracket_value(y));
    }
    return agree;
}

/** True if methods[i] is not a repetition of the method before it. */
static bool is_method(const gt_quantity_row *row, int i)
{
    return i == 0 || row->methods[i] != row->methods[i - 1];
}

static double width(const gt_quantity_row *row, const gt_answer *answer)
{
    const gt_bracket bracket = bracket_of(row, answer, 0);
    return row->agree ? answer->values[LAW_FORCE_BOUND] : bracket.hi - bracket.lo;
}

/** Returns the number of expected methods whose brackets confirm each other, but at most 2. */
static int count_confirming(const gt_quantity_row *row, const gt_answer answers[GT_METHOD_COUNT],
                            unsigned expected)
{
    double least = INFINITY;
    int count = 0;
    for (int i = 0; i < GT_METHODS_EACH; i++) {
        const gt_method m = row->methods[i];
        const bool counts = (expected & 1u << m) && !(row->agree && isfinite(least));
        least = counts ? fmin(least, width(row, &answers[m])) : least;
    }
    for (int i = 0; i < GT_METHODS_EACH; i++) {
        const gt_method m = row->methods[i];
        count += is_method(row, i) && (expected & 1u << m) &&
                 (!(row->common || row->agree) || width(row, &answers[m]) <= GT_NARROW * least);
    }
    return count < 2 ? count : 2;
}

static void doubt(gt_truth *truth, gt_quantity quantity, gt_doubt_kind kind, gt_method method)
{
    if (truth->doubt[quantity].kind == GT_DOUBT_NONE) {
        truth->doubt[quantity] = (gt_doubt){kind, method};
    }
}

/** Fills all members of a quantity. gt_certify later replaces the certificate of a force by that of
 * the volume. */
static void judge(gt_quantity quantity, const gt_answer answers[GT_METHOD_COUNT], gt_truth *truth)
{
    const gt_quantity_row *const row = &gt_quantities[quantity];
    const gt_answer *first = NULL;
    for (int i = 0; i < GT_METHODS_EACH; i++) {
        const gt_method m = row->methods[i];
        const gt_answer *const answer = &answers[m];
        if (is_method(row, i) && (truth->expected & 1u << m) && !answer->sound) {
            doubt(truth, quantity, answer->count > 0 ? GT_DOUBT_CHECK : GT_DOUBT_UNANSWERED, m);
        }
        if (!is_method(row, i) || answer->count == 0) {
            continue;
        }
        if (row->take && (row->agree || !first)) {
            row->take(m, &answer->values[row->begin + 2 * row->brackets], truth);
        }
        if (first) {
            if (!join(row, first, answer, truth)) {
                doubt(truth, quantity, GT_DOUBT_DISAGREE, m);
            }
            continue;
        }
        first = answer;
        for (unsigned k = 0; k < row->brackets; k++) {
            *bracket_at(truth, row->bracket[k]) = bracket_of(row, first, k);
        }
    }
    *certificate_at(truth, row) = truth->doubt[quantity].kind == GT_DOUBT_NONE
                                      ? count_confirming(row, answers, truth->expected)
                                      : 0;
    const gt_bracket main = bracket_of(row, &answers[row->methods[0]], 0);
    if (*certificate_at(truth, row) > 0 && main.hi - main.lo > row->share * main.hi &&
        row->share > 0) {
        *certificate_at(truth, row) = 1;
        doubt(truth, quantity, GT_DOUBT_WIDE, row->methods[0]);
    }
}

static bool above_0(const gt_truth *truth, size_t offset)
{
    gt_bracket bracket;
    memcpy(&bracket, (const char *)truth + offset, sizeof bracket);
    return gt_known(bracket) && bracket.lo > 0;
}

/** If the bodies are apart, a quantity of their overlap cannot be above 0. One of the two answers
 * is wrong, but it is unknown which one. So neither is certified. */
static void contradict(gt_truth *truth)
{
    for (int q = GT_VOLUME; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        if (row->bracket[0] > 0 && above_0(truth, row->apart) && above_0(truth, row->bracket[0])) {
            *certificate_at(truth, row) = truth->distance_certified = 0;
            doubt(truth, (gt_quantity)q, GT_DOUBT_APART, row->methods[0]);
            doubt(truth, GT_DISTANCE, GT_DOUBT_APART, row->methods[0]);
        }
    }
}

static gt_truth nothing_found(unsigned asked, unsigned expected)
{
    const vec3 unknown = {NAN, NAN, NAN};
    const gt_depth_law no_law = {.force_m3 = unknown,
                                 .torque_m4 = unknown,
                                 .force_bound_m3 = NAN,
                                 .torque_bound_m4 = NAN,
                                 .integral_m3 = GT_NONE,
                                 .energy_m4 = GT_NONE};
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
                      .depth_force = no_law,
                      .depth_force_exchanged = no_law,
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
            judge((gt_quantity)q, answers, truth);
        }
    }
    contradict(truth);
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        int *const certificate = certificate_at(truth, row);
        const int of = *certificate_at(truth, &gt_quantities[row->of]);
        if (*certificate > 0 && of == 0) {
            doubt(truth, (gt_quantity)q, GT_DOUBT_OTHER, row->methods[0]);
        }
        *certificate = *certificate > 0 ? of : 0;
    }
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        const gt_answer *const said = &answers[m];
        truth->by[m] = said->count > 0 ? (gt_bracket){said->values[0], said->values[1]} : GT_NONE;
        truth->methods |= said->count > 0 ? 1u << m : 0;
    }
}

/* --- Text ------------------------------------------------------------------------------------- */

/** The messages about a failed check of a method's own answer (trajectory.h). */
static const char *const checks[GT_METHOD_COUNT] = {
    [GT_BVH] = "its bracket is not valid",
    [GT_BRUTE] = "its bracket is not valid",
    [GT_FLUX] = "contradictions on the surfaces, or more volume than a body has",
    [GT_TETRA] = "more volume than a body has",
    [GT_TREE] = "its bracket is not valid",
    [GT_ALL_PAIRS] = "its bracket is not valid",
    [GT_HULL] = "B is not out where it says",
    [GT_EDGES] = "B is not out where it says",
    [GT_PLACES] = "B is not out where it says",
    [GT_DEPTH_SURFACE] = "contradictions on the surfaces",
    [GT_DEPTH_SURFACE_EXCHANGED] = "contradictions on the surfaces",
    [GT_DEPTH_CELLS] = "its bracket is not valid",
    [GT_DEPTH_CELLS_EXCHANGED] = "its bracket is not valid",
};

gt_doubt_text gt_doubt_format(const gt_truth *truth, gt_quantity quantity)
{
    const gt_doubt doubt = truth->doubt[quantity];
    const gt_quantity_row *const row = &gt_quantities[quantity];
    const char *const method = gt_method_names[doubt.method];
    gt_doubt_text t = {""};
    switch (doubt.kind) {
    case GT_DOUBT_UNANSWERED:
        snprintf(t.text, sizeof t.text, "%s has not answered", method);
        break;
    case GT_DOUBT_CHECK:
        snprintf(t.text, sizeof t.text, "the check of %s has failed: %s", method,
                 checks[doubt.method]);
        break;
    case GT_DOUBT_DISAGREE:
        snprintf(t.text, sizeof t.text, "%s and %s disagree", gt_method_names[row->methods[0]],
                 method);
        break;
    case GT_DOUBT_APART:
        snprintf(t.text, sizeof t.text, "bodies that are apart have something in common");
        break;
    case GT_DOUBT_OTHER:
        snprintf(t.text, sizeof t.text, "the %s that it comes with is not certified",
                 gt_quantities[row->of].name);
        break;
    case GT_DOUBT_WIDE:
        snprintf(t.text, sizeof t.text, "the bracket of %s is wide: its work ran out, or rounding",
                 method);
        break;
    default:
        break;
    }
    return t;
}
