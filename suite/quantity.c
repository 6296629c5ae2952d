#include "suite/quantity.h"

#include "base/text.h"
#include "groundtruth/groundtruth.h"

#include <stdio.h>
#include <string.h>

/* --- Errors ----------------------------------------------------------------------------------- */

const char *const bench_statistic_names[BENCH_STATISTIC_COUNT] = {
    [BENCH_MEAN] = "mean", [BENCH_MAX] = "max",       [BENCH_P50] = "p50",
    [BENCH_P99] = "p99",   [BENCH_P50_LO] = "p50_lo", [BENCH_P50_HI] = "p50_hi"};

enum {
    MEAN = 1u << BENCH_MEAN,
    MAX = 1u << BENCH_MAX,
    P50 = 1u << BENCH_P50,
    P99 = 1u << BENCH_P99,
    ALL = MEAN | MAX | P50 | P99,
    INTERVAL = 1u << BENCH_P50_LO | 1u << BENCH_P50_HI,
};

#define NO_TRUTH "not answered, or no truth with the certificate that the mode asks for"
#define NO_LARGE_DISTANCE                                                                          \
    "not answered, no truth with the certificate that the mode asks for, or the truth is below "   \
    "0.5 % of the diagonal of A's box"
#define NO_LARGE_VOLUME                                                                            \
    "not answered, no truth with the certificate that the mode asks for, or the truth is below "   \
    "0.1 % of the smaller body's volume"
#define NO_BRACKET "no bracket of the variant's own"
#define NO_ESCAPE  "no depth is answered, or the bodies are apart"
#define NO_FORCE   "not answered, no truth, or either is 0"

const bench_error_row bench_errors[BENCH_ERROR_COUNT] = {
    [BENCH_DISTANCE_ERROR_REL] = {.name = "distance_error_rel",
                                    .quantity = ALG_DISTANCE,
                                    .statistics = MEAN | MAX,
                                    .measures = "(answer - middle of the truth's bracket) / that middle",
                                    .empty = NO_LARGE_DISTANCE},
    [BENCH_DISTANCE_ERROR_SIZE] = {.name = "distance_error_size",
                                    .quantity = ALG_DISTANCE,
                                    .statistics = MEAN | MAX | P99,
                                    .measures = "(answer - middle of the truth's bracket) / diagonal of A's box",
                                    .empty = NO_TRUTH},
    [BENCH_VOLUME_ERROR_REL] = {.name = "volume_error_rel",
                                    .quantity = ALG_VOLUME,
                                    .statistics = MEAN | MAX | P99,
                                    .measures = "(answer - middle of the truth's bracket) / that middle",
                                    .empty = NO_LARGE_VOLUME},
    [BENCH_VOLUME_ERROR_SIZE] = {.name = "volume_error_size",
                                    .quantity = ALG_VOLUME,
                                    .statistics = 0,
                                    .measures = "(answer - middle of the truth's bracket) / volume of the "
                        "smaller body",                                              .empty = NO_TRUTH},
    [BENCH_DISTANCE_WIDTH_REL] = {.name = "distance_bracket_width_rel",
                                    .quantity = ALG_DISTANCE,
                                    .statistics = 0,
                                    .measures = "width of the variant's own bracket / truth",
                                    .empty = NO_BRACKET ", or " NO_LARGE_DISTANCE,
                                    },
    [BENCH_DISTANCE_WIDTH_SIZE] = {.name = "distance_bracket_width_size",
                                    .quantity = ALG_DISTANCE,
                                    .statistics = P50 | MAX,
                                    .measures = "width of the variant's own bracket / diagonal of A's box",
                                    .empty = NO_BRACKET},
    [BENCH_VOLUME_WIDTH_REL] = {.name = "volume_bracket_width_rel",
                                    .quantity = ALG_VOLUME,
                                    .statistics = P50 | MAX,
                                    .measures = "width of the variant's own bracket / truth",
                                    .empty = NO_BRACKET ", or " NO_LARGE_VOLUME,
                                    },
    [BENCH_VOLUME_WIDTH_SIZE] = {.name = "volume_bracket_width_size",
                                    .quantity = ALG_VOLUME,
                                    .statistics = 0,
                                    .measures = "width of the variant's own bracket / volume of the smaller "
                        "body", .empty = NO_BRACKET},
    [BENCH_PAIRS_ERROR_REL] = {.name = "pairs_error_rel",
                                    .quantity = ALG_CONTACT,
                                    .statistics = ALL,
                                    .measures = "(counted pairs of triangles that intersect - true number) / "
                        "that number, or / 1 where it is 0",                                                 .empty = NO_TRUTH},
    [BENCH_DEPTH_ERROR_REL] = {.name = "depth_error_rel",
                                    .quantity = ALG_DEPTH,
                                    .statistics = ALL,
                                    .measures = "(depth - upper end of the truth's bracket) / that end: how "
                        "much longer than the shortest way out that is known",                                                                                                           .empty = NO_TRUTH ", or the truth is below 0.1 % of the diagonal of A's box",
                                    },
    [BENCH_DEPTH_LOCAL_REL] = {.name = "depth_local_rel",
                                    .quantity = ALG_DEPTH,
                                    .statistics = ALL,
                                    .measures = "(depth - needed) / needed: along the reported direction B is "
                        "out of A for the first time when it has moved by what is "
                        "needed",                                                       .empty = NO_ESCAPE},
    [BENCH_DEPTH_GLOBAL_REL] = {.name = "depth_global_rel",
                                    .quantity = ALG_DEPTH,
                                    .statistics = ALL,
                                    .measures = "(depth - needed) / needed: along the reported direction B is "
                        "out of A for good when it has moved by what is needed",                                                      .empty = NO_ESCAPE},
    [BENCH_DEPTH_LEFT_REL] = {.name = "depth_left_rel",
                                    .quantity = ALG_DEPTH,
                                    .statistics = ALL,
                                    .measures = "volume of the intersection that is left when B has moved by "
                        "the reported depth / that before",                                              .empty = NO_ESCAPE},
    [BENCH_DEPTH_GAP_SIZE] = {.name = "depth_gap_size",
                                    .quantity = ALG_DEPTH,
                                    .statistics = ALL,
                                    .measures = "distance of the bodies when B has moved by the reported depth "
                        "/ diagonal of A's box: how far it went too far",                                                                      .empty = NO_ESCAPE},
    [BENCH_FORCE_ERROR_REL] = {.name = "force_error_rel",
                                    .quantity = ALG_FORCE,
                                    .statistics = ALL,
                                    .measures = "|gain force - true force| / |true force|, with the gain of the "
                        "cell",                                                                           .empty = NO_FORCE},
    [BENCH_FORCE_DIRECTION_DEG] = {.name = "force_direction_deg",
                                    .quantity = ALG_FORCE,
                                    .statistics = ALL | INTERVAL,
                                    .measures = "angle between force and true force",
                                    .empty = NO_FORCE},
    [BENCH_TORQUE_DIRECTION_DEG] = {.name = "torque_direction_deg",
                                    .quantity = ALG_FORCE,
                                    .statistics = ALL | INTERVAL,
                                    .measures = "angle between torque and true torque",
                                    .empty = NO_FORCE},
    [BENCH_FORCE_MAGNITUDE_REL] = {.name = "force_magnitude_rel",
                                    .quantity = ALG_FORCE,
                                    .statistics = ALL,
                                    .measures = "(gain |force| - |true force|) / largest true force of the "
                        "scenario, with the gain of the cell",.empty = NO_FORCE},
    [BENCH_TORQUE_MAGNITUDE_REL] = {.name = "torque_magnitude_rel",
                                    .quantity = ALG_FORCE,
                                    .statistics = ALL,
                                    .measures = "the same of the torque, with a gain of its own",
                                    .empty = NO_FORCE},
};

/* --- Quantities ------------------------------------------------------------------------------- */

static const bench_number distance_number = {
    .answer = offsetof(alg_answer, distance_m),
    .bracket = ALG_HAS_DISTANCE_BRACKET,
    .lo = offsetof(alg_answer, distance_lo_m),
    .hi = offsetof(alg_answer, distance_hi_m),
    .size = offsetof(bench_scale, diagonal_a_m),
    .error_rel = BENCH_DISTANCE_ERROR_REL,
    .error_size = BENCH_DISTANCE_ERROR_SIZE,
    .width_rel = BENCH_DISTANCE_WIDTH_REL,
    .width_size = BENCH_DISTANCE_WIDTH_SIZE,
};

static const bench_number volume_number = {
    .answer = offsetof(alg_answer, volume_m3),
    .bracket = ALG_HAS_VOLUME_BRACKET,
    .lo = offsetof(alg_answer, volume_lo_m3),
    .hi = offsetof(alg_answer, volume_hi_m3),
    .size = offsetof(bench_scale, smaller_volume_m3),
    .error_rel = BENCH_VOLUME_ERROR_REL,
    .error_size = BENCH_VOLUME_ERROR_SIZE,
    .width_rel = BENCH_VOLUME_WIDTH_REL,
    .width_size = BENCH_VOLUME_WIDTH_SIZE,
};

enum {
    BOUNDS =
        1u << ALG_EXACT | 1u << ALG_UPPER_BOUND | 1u << ALG_LOWER_BOUND | 1u << ALG_APPROXIMATE,
};

const bench_quantity bench_quantities[ALG_QUANTITY_COUNT] = {
    [ALG_DISTANCE] = {.name = "distance",
                      .unit = "m",
                      .contracts = BOUNDS,
                      .truth = GT_WANT_DISTANCE,
                      .certified_by = GT_DISTANCE,
                      .has = ALG_HAS_DISTANCE,
                      .all = ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_DISTANCE_BRACKET,
                      .number = &distance_number,
                      .truth_columns = {"truth_distance_lo_m", "truth_distance_hi_m"},
                      .size_name = "size",
                      .floor = 0.005,
                      .error = BENCH_DISTANCE_ERROR_SIZE,
                      .printed = BENCH_DISTANCE_ERROR_REL,
                      .error_of = "of the size"},
    [ALG_VOLUME] = {.name = "volume",
                      .unit = "m3",
                      .contracts = BOUNDS,
                      .truth = GT_WANT_VOLUME,
                      .certified_by = GT_VOLUME,
                      .needs_solids = true,
                      .has = ALG_HAS_VOLUME,
                      .all = ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET,
                      .number = &volume_number,
                      .truth_columns = {"truth_volume_lo_m3", "truth_volume_hi_m3"},
                      .size_name = "smaller body",
                      .floor = 0.001,
                      .error = BENCH_VOLUME_ERROR_REL,
                      .printed = BENCH_VOLUME_ERROR_REL,
                      .error_of = "of the truth"},
    [ALG_CONTACT] = {.name = "contact",
                      .unit = "",
                      .contracts = BOUNDS,
                      .truth = GT_WANT_DISTANCE | GT_WANT_PAIRS,
                      .certified_by = GT_DISTANCE,
                      .has = ALG_HAS_CONTACT,
                      .all = ALG_HAS_CONTACT | ALG_HAS_CONTACTS | ALG_HAS_PAIRS,
                      .truth_columns = {"truth_distance_lo_m", "truth_distance_hi_m"},
                      .error = BENCH_NO_ERROR,
                      .printed = BENCH_NO_ERROR,
                      .error_of = "wrong verdicts"     },
    [ALG_DEPTH] = {.name = "depth",
                      .unit = "m",
                      .contracts = 1u << ALG_EXACT | 1u << ALG_UPPER_BOUND | 1u << ALG_APPROXIMATE,
                      .truth = GT_WANT_DEPTH,
                      .certified_by = GT_DEPTH,
                      .needs_solids = true,
                      .has = ALG_HAS_DEPTH,
                      .all = ALG_HAS_DEPTH | ALG_HAS_REGIONS,
                      .size_name = "size",
                      .floor = 0.001,
                      .error = BENCH_DEPTH_ERROR_REL,
                      .printed = BENCH_DEPTH_ERROR_REL,
                      .error_of = "of the truth"},
    [ALG_FORCE] = {.name = "force",
                      .unit = "",
                      .contracts = 1u << ALG_EXACT | 1u << ALG_APPROXIMATE,
                      .truth = GT_WANT_FORCE,
                      .certified_by = GT_FORCE,
                      .needs_solids = true,
                      .has = ALG_HAS_FORCE,
                      .all = ALG_HAS_FORCE,
                      .error = BENCH_FORCE_ERROR_REL,
                      .printed = BENCH_FORCE_ERROR_REL,
                      .error_of = "of the truth"                                    },
};

/* --- Masks of them ---------------------------------------------------------------------------- */

static const unsigned unified = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;

/** The mask of one word; 0 for none. */
static unsigned mask_of(const char *word, size_t length)
{
    static const char *const names_of_both[] = {"unified", "both"};
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const char *const name = bench_quantities[q].name;
        if (strlen(name) == length && strncmp(name, word, length) == 0) {
            return 1u << q;
        }
    }
    for (size_t i = 0; i < sizeof names_of_both / sizeof *names_of_both; i++) {
        if (strlen(names_of_both[i]) == length && strncmp(names_of_both[i], word, length) == 0) {
            return unified;
        }
    }
    return 0;
}

base_status bench_quantities_parse(const char *text, unsigned *quantities, base_error *err)
{
    const char *names[ALG_QUANTITY_COUNT + 2] = {NULL};
    char near[256];
    *quantities = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",+");
        const unsigned mask = mask_of(at, length);
        if (mask == 0 || (mask & *quantities)) {
            break;
        }
        *quantities |= mask;
        at += length;
        if (*at == '\0') {
            return BASE_OK;
        }
    }
    char list[128] = "";
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const size_t used = strlen(list);
        names[q] = bench_quantities[q].name;
        snprintf(list + used, sizeof list - used, "%s, ", names[q]);
    }
    names[ALG_QUANTITY_COUNT] = "unified";
    base_text_near(text, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "unknown quantity '%s': %sseveral with '+' between them, or unified (distance "
                     "and volume)%s",
                     text, list, near);
}

bench_quantities_text bench_quantities_name(unsigned quantities)
{
    bench_quantities_text names = {""};
    size_t used = 0;
    if (quantities == unified) {
        snprintf(names.text, sizeof names.text, "unified");
        return names;
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (quantities & 1u << q) {
            used += (size_t)snprintf(names.text + used, sizeof names.text - used, "%s%s",
                                     used ? "+" : "", bench_quantities[q].name);
        }
    }
    return names;
}

unsigned bench_quantities_truth(unsigned quantities)
{
    unsigned truth = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        truth |= quantities & 1u << q ? bench_quantities[q].truth : 0;
    }
    return truth;
}

alg_quantity bench_quantity_of(uint32_t has)
{
    alg_quantity found = ALG_QUANTITY_COUNT;
    for (int q = 0; has && q < ALG_QUANTITY_COUNT; q++) {
        if (!(has & ~bench_quantities[q].all)) {
            found = (alg_quantity)q;
        }
    }
    return found;
}
