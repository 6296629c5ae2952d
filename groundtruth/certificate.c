#include "groundtruth/certificate.h"

#include <math.h>
#include <string.h>

const char *const gt_method_names[GT_METHOD_COUNT + 1] = {
    [GT_BVH] = "bvh", [GT_BRUTE] = "brute", [GT_FLUX] = "flux", [GT_TETRA] = "tetra"};

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

/** What has become of one quantity, asked from a preferred method and another one. */
typedef struct verdict {
    gt_bracket value, surface;
    int certified;
    bool both; /* have answered */
} verdict;

static verdict judge(const gt_answer *first, bool first_expected, const gt_answer *second,
                     bool second_expected)
{
    const bool have_first = gt_known(first->value), have_second = gt_known(second->value);
    const gt_answer *const best = have_first ? first : second;
    verdict v = {best->value, best->surface, first_expected + second_expected,
                 have_first && have_second};
    if ((first_expected && !first->sound) || (second_expected && !second->sound)) {
        v.certified = 0;
    }
    if (v.both) {
        const bool agree =
            difference(first->value, second->value) <= bound(first->value, second->value) &&
            (!gt_known(first->surface) ||
             difference(first->surface, second->surface) <= bound(first->surface, second->surface));
        v.certified = agree ? v.certified : 0;
        v.value = widened(v.value, gt_bracket_value(second->value));
        if (gt_known(v.surface)) {
            v.surface = widened(v.surface, gt_bracket_value(second->surface));
        }
    }
    return v;
}

void gt_certify(unsigned expected, const gt_answer answers[GT_METHOD_COUNT], gt_truth *truth)
{
    const gt_answer *const bvh = &answers[GT_BVH], *const brute = &answers[GT_BRUTE];
    const gt_answer *const flux = &answers[GT_FLUX], *const tetra = &answers[GT_TETRA];
    const verdict d = judge(bvh, expected & GT_BY_BVH, brute, expected & GT_BY_BRUTE);
    const verdict v = judge(flux, expected & GT_BY_FLUX, tetra, expected & GT_BY_TETRA);
    /* Bodies that are apart have no volume in common: one of the two is wrong, and who knows. */
    const bool contradiction =
        gt_known(d.value) && gt_known(v.value) && d.value.lo > 0 && v.value.lo > 0;
    *truth = (gt_truth){.distance_m = d.value,
                        .volume_m3 = v.value,
                        .surface_m = d.surface,
                        .distance_certified = contradiction ? 0 : d.certified,
                        .volume_certified = contradiction ? 0 : v.certified,
                        .distance_disagreement_m = NAN,
                        .volume_disagreement_m3 = NAN,
                        .volume_bound_m3 = NAN,
                        .expected = expected};
    if (d.both) {
        const double solids = difference(bvh->value, brute->value);
        const double surfaces = difference(bvh->surface, brute->surface);
        truth->distance_disagreement_m = solids > surfaces ? solids : surfaces;
    }
    if (v.both) {
        truth->volume_disagreement_m3 = difference(flux->value, tetra->value);
        truth->volume_bound_m3 = bound(flux->value, tetra->value);
    }
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        truth->by[m] = answers[m].value;
        truth->methods |= gt_known(answers[m].value) ? 1u << m : 0;
    }
}
