#include "suite/results/quantity.h"

#include "groundtruth/groundtruth.h"

#include <string.h>

const bench_quantity bench_quantities[ALG_QUANTITY_COUNT] = {
    [ALG_DISTANCE] = {.name = "distance",
                      .truth = GT_WANT_DISTANCE,
                      .has = ALG_HAS_DISTANCE,
                      .is_number = true,
                      .answer = offsetof(alg_answer, distance_m),
                      .truth_of = offsetof(gt_truth, distance_m),
                      .certificate_of = offsetof(gt_truth, distance_certified),
                      .bracket = ALG_HAS_DISTANCE_BRACKET,
                      .lo = offsetof(alg_answer, distance_lo_m),
                      .hi = offsetof(alg_answer, distance_hi_m),
                      .size = offsetof(bench_scale, diagonal_a_m),
                      .size_name = "size",
                      .floor = 0.005,
                      .error = BENCH_ERROR_SIZE,
                      .error_of = "of the size"},
    [ALG_VOLUME] = {.name = "volume",
                      .truth = GT_WANT_VOLUME,
                      .has = ALG_HAS_VOLUME,
                      .is_number = true,
                      .answer = offsetof(alg_answer, volume_m3),
                      .truth_of = offsetof(gt_truth, volume_m3),
                      .certificate_of = offsetof(gt_truth, volume_certified),
                      .bracket = ALG_HAS_VOLUME_BRACKET,
                      .lo = offsetof(alg_answer, volume_lo_m3),
                      .hi = offsetof(alg_answer, volume_hi_m3),
                      .size = offsetof(bench_scale, smaller_volume_m3),
                      .size_name = "smaller body",
                      .floor = 0.001,
                      .error = BENCH_ERROR_REL,
                      .error_of = "of the truth"},
    [ALG_CONTACT] = {.name = "contact",
                      .truth = GT_WANT_DISTANCE,
                      .certificate_of = offsetof(gt_truth,    distance_certified),
                      .has = ALG_HAS_CONTACT,
                      .error_of = "wrong verdicts"},
    [ALG_DEPTH] = {.name = "depth",
                      .has = ALG_HAS_DEPTH,
                      .certificate_of = offsetof(gt_truth,                          distance_certified)                     },
    [ALG_FORCE] = {.name = "force",
                      .has = ALG_HAS_FORCE,
                      .certificate_of = offsetof(gt_truth, distance_certified)            },
};

base_status bench_quantities_parse(const char *text, unsigned *quantities, base_error *err)
{
    static const unsigned both = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;
    static const char *const names_of_both[] = {"both", "distance,volume", "volume,distance",
                                                "unified"};
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (strcmp(text, bench_quantities[q].name) == 0) {
            *quantities = 1u << q;
            return BASE_OK;
        }
    }
    for (size_t i = 0; i < sizeof names_of_both / sizeof *names_of_both; i++) {
        if (strcmp(text, names_of_both[i]) == 0) {
            *quantities = both;
            return BASE_OK;
        }
    }
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "unknown quantity '%s': distance, volume, contact or unified (both)", text);
}

const char *bench_quantities_name(unsigned quantities)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (quantities == 1u << q) {
            return bench_quantities[q].name;
        }
    }
    return "unified";
}

unsigned bench_quantities_truth(unsigned quantities)
{
    unsigned truth = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        truth |= quantities & 1u << q ? bench_quantities[q].truth : 0;
    }
    return truth;
}
