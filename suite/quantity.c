#include "suite/quantity.h"

#include "base/text.h"
#include "groundtruth/groundtruth.h"

#include <stdio.h>
#include <string.h>

/* --- Errors ----------------------------------------------------------------------------------- */

const char *const bench_statistic_names[BENCH_STATISTIC_COUNT] = {
    [BENCH_MEAN] = "mean", [BENCH_BIAS] = "bias",     [BENCH_MAX] = "max",      [BENCH_P50] = "p50",
    [BENCH_P99] = "p99",   [BENCH_P50_LO] = "p50_lo", [BENCH_P50_HI] = "p50_hi"};

enum {
    MEAN = 1u << BENCH_MEAN,
    BIAS = 1u << BENCH_BIAS,
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
#define NO_BRACKET  "no bracket of the variant's own"
#define NO_ESCAPE   "no depth is answered, or the bodies are apart"
#define NO_WITNESS  "no witness points are answered, or the answered distance is 0"
#define NO_CONTACTS "no list of contacts is answered, or it is empty"
#define NO_FORCE    "not answered, no truth, or either is 0"

#define ROW(error, name, unit, quantity, statistics, empty, measures)                              \
    [error] = {name, unit, quantity, statistics, measures, empty}

const bench_error_row bench_errors[BENCH_ERROR_COUNT] = {
    ROW(BENCH_DISTANCE_ERROR_REL, "distance_error_rel", "1", ALG_DISTANCE, MEAN | BIAS | MAX,
        NO_LARGE_DISTANCE, "(answer - middle of the truth's bracket) / that middle"),
    ROW(BENCH_DISTANCE_ERROR_SIZE, "distance_error_size", "1", ALG_DISTANCE,
        MEAN | BIAS | MAX | P99, NO_TRUTH,
        "(answer - middle of the truth's bracket) / diagonal of A's box"),
    ROW(BENCH_VOLUME_ERROR_REL, "volume_error_rel", "1", ALG_VOLUME, MEAN | BIAS | MAX | P99,
        NO_LARGE_VOLUME, "(answer - middle of the truth's bracket) / that middle"),
    ROW(BENCH_VOLUME_ERROR_SIZE, "volume_error_size", "1", ALG_VOLUME, MEAN | MAX, NO_TRUTH,
        "(answer - middle of the truth's bracket) / volume of the smaller body"),
    ROW(BENCH_DISTANCE_WIDTH_REL, "distance_bracket_width_rel", "1", ALG_DISTANCE, MEAN | MAX,
        NO_BRACKET ", or " NO_LARGE_DISTANCE, "width of the variant's own bracket / truth"),
    ROW(BENCH_DISTANCE_WIDTH_SIZE, "distance_bracket_width_size", "1", ALG_DISTANCE,
        MEAN | P50 | MAX, NO_BRACKET, "width of the variant's own bracket / diagonal of A's box"),
    ROW(BENCH_VOLUME_WIDTH_REL, "volume_bracket_width_rel", "1", ALG_VOLUME, MEAN | P50 | MAX,
        NO_BRACKET ", or " NO_LARGE_VOLUME, "width of the variant's own bracket / truth"),
    ROW(BENCH_VOLUME_WIDTH_SIZE, "volume_bracket_width_size", "1", ALG_VOLUME, MEAN | MAX,
        NO_BRACKET, "width of the variant's own bracket / volume of the smaller body"),
    ROW(BENCH_PAIRS_ERROR_REL, "pairs_error_rel", "1", ALG_CONTACT, ALL, NO_TRUTH,
        "(counted pairs of triangles that intersect - true number) / that number, or / 1 where it "
        "is 0"),
    ROW(BENCH_DEPTH_ERROR_REL, "depth_error_rel", "1", ALG_DEPTH, ALL,
        NO_TRUTH ", or the truth is below 0.1 % of the diagonal of A's box",
        "(depth - upper end of the truth's bracket) / that end: the excess over the shortest known "
        "escape"),
    ROW(BENCH_DEPTH_LOCAL_REL, "depth_local_rel", "1", ALG_DEPTH, ALL, NO_ESCAPE,
        "(depth - needed) / needed; after B has moved along the reported direction by needed, it "
        "is "
        "outside of A for the first time"),
    ROW(BENCH_DEPTH_GLOBAL_REL, "depth_global_rel", "1", ALG_DEPTH, ALL, NO_ESCAPE,
        "(depth - needed) / needed; after B has moved along the reported direction by needed, it "
        "stays outside of A"),
    ROW(BENCH_DEPTH_LEFT_REL, "depth_left_rel", "1", ALG_DEPTH, ALL, NO_ESCAPE,
        "volume of the intersection after B has moved by the reported depth / volume before"),
    ROW(BENCH_DEPTH_GAP_SIZE, "depth_gap_size", "1", ALG_DEPTH, ALL, NO_ESCAPE,
        "distance of the bodies when B has moved by the reported depth / diagonal of A's box: how "
        "far it went too far"),
    ROW(BENCH_FORCE_ERROR_REL, "force_error_rel", "1", ALG_FORCE, ALL, NO_FORCE,
        "|gain force - true force| / |true force|, with the gain of the cell"),
    ROW(BENCH_FORCE_DIRECTION_DEG, "force_direction_deg", "deg", ALG_FORCE, ALL | INTERVAL,
        NO_FORCE, "angle between force and true force"),
    ROW(BENCH_TORQUE_DIRECTION_DEG, "torque_direction_deg", "deg", ALG_FORCE, ALL | INTERVAL,
        NO_FORCE, "angle between torque and true torque"),
    ROW(BENCH_FORCE_MAGNITUDE_REL, "force_magnitude_rel", "1", ALG_FORCE, ALL, NO_FORCE,
        "(gain |force| - |true force|) / largest true force of the scenario, with the gain of the "
        "cell"),
    ROW(BENCH_TORQUE_MAGNITUDE_REL, "torque_magnitude_rel", "1", ALG_FORCE, ALL, NO_FORCE,
        "the same of the torque, with a gain of its own"),
    ROW(BENCH_DEPTH_OUTSIDE_REL, "depth_outside_rel", "1", ALG_DEPTH, ALL,
        NO_TRUTH ", or the truth is below 0.1 % of the diagonal of A's box",
        "distance of the depth from the truth's bracket / upper end of that bracket: 0 inside of "
        "it"),
    ROW(BENCH_DEPTH_WORSE_REL, "depth_worse_rel", "1", ALG_DEPTH, ALL,
        "neither depth_error_rel nor depth_left_rel is known",
        "the larger of |depth_error_rel| and depth_left_rel: depths are ranked by it"),
    ROW(BENCH_WITNESS_LENGTH_SIZE, "witness_length_size", "1", ALG_DISTANCE, MEAN | MAX, NO_WITNESS,
        "difference between the answered distance and that of the two witness points / diagonal of "
        "A's box"),
    ROW(BENCH_WITNESS_OFF_SIZE, "witness_off_size", "1", ALG_DISTANCE, MEAN | MAX, NO_WITNESS,
        "distance of a witness point from the surface of its body, the larger of two / diagonal of "
        "A's box"),
    ROW(BENCH_CONTACT_OFF_SIZE, "contact_off_size", "1", ALG_CONTACT, MEAN | MAX, NO_CONTACTS,
        "distance of a contact's point from the surface that is farther from it, largest over the "
        "contacts of the frame / diagonal of A's box"),
    ROW(BENCH_CONTACT_NORMAL_DEG, "contact_normal_deg", "deg", ALG_CONTACT, MEAN | P50 | MAX,
        NO_CONTACTS ", or they have no normals",
        "angle between a contact's normal and the normal of the face of A that is nearest to its "
        "point, mean over the contacts of the frame, in degrees"),
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
    [ALG_DISTANCE] =
        {
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
            .error_of = "of the size",
        },
    [ALG_VOLUME] =
        {
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
            .error_of = "of the truth",
        },
    [ALG_CONTACT] =
        {
            .contracts = BOUNDS,
            .truth = GT_WANT_DISTANCE | GT_WANT_PAIRS,
            .certified_by = GT_DISTANCE,
            .has = ALG_HAS_CONTACT,
            .all = ALG_HAS_CONTACT | ALG_HAS_CONTACTS | ALG_HAS_PAIRS,
            .truth_columns = {"truth_distance_lo_m", "truth_distance_hi_m"},
            .error = BENCH_NO_ERROR,
            .printed = BENCH_NO_ERROR,
            .error_of = "wrong verdicts",
        },
    [ALG_DEPTH] =
        {
            .contracts = 1u << ALG_EXACT | 1u << ALG_UPPER_BOUND | 1u << ALG_APPROXIMATE,
            .truth = GT_WANT_DEPTH,
            .certified_by = GT_DEPTH,
            .needs_solids = true,
            .has = ALG_HAS_DEPTH,
            .all = ALG_HAS_DEPTH | ALG_HAS_REGIONS,
            .size_name = "size",
            .floor = 0.001,
            .error = BENCH_DEPTH_WORSE_REL,
            .printed = BENCH_DEPTH_WORSE_REL,
            .error_of = "of the truth",
        },
    [ALG_FORCE] =
        {
            .contracts = 1u << ALG_EXACT | 1u << ALG_APPROXIMATE,
            .truth = GT_WANT_FORCE,
            .certified_by = GT_FORCE,
            .needs_solids = true,
            .has = ALG_HAS_FORCE,
            .all = ALG_HAS_FORCE,
            .error = BENCH_FORCE_ERROR_REL,
            .printed = BENCH_FORCE_ERROR_REL,
            .error_of = "of the truth",
        },
};

const char *const bench_contract_names[] = {
    [ALG_NOT_ANSWERED] = "none",       [ALG_EXACT] = "exact",
    [ALG_UPPER_BOUND] = "upper-bound", [ALG_LOWER_BOUND] = "lower-bound",
    [ALG_APPROXIMATE] = "approximate", NULL,
};

/* --- Masks of quantities ---------------------------------------------------------------------- */

static const unsigned unified = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;

static const char unified_word[] = "unified";

const char *bench_quantity_word(size_t index)
{
    return index < ALG_QUANTITY_COUNT    ? alg_quantity_names[index]
           : index == ALG_QUANTITY_COUNT ? unified_word
                                         : NULL;
}

/** Returns the mask of a word, or 0 if the word is not a quantity. */
static unsigned mask_of(const char *word, size_t length)
{
    static const char *const names_of_both[] = {unified_word, "both"};
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const char *const name = alg_quantity_names[q];
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
    for (size_t i = 0; bench_quantity_word(i); i++) {
        names[i] = bench_quantity_word(i);
    }
    base_text_near(text, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "unknown quantity '%s': %s, several with '+' between them, or %s "
                     "(distance and volume)%s",
                     text, bench_quantities_join(BENCH_ALL_QUANTITIES, ", ").text, unified_word,
                     near);
}

base_status bench_quantities_choose(const char *text, const alg_variant *variant,
                                    unsigned *quantities, base_error *err)
{
    const unsigned answers = alg_variant_answers(variant);
    if (!text) {
        *quantities = answers ? answers & -answers : (unsigned)ALG_WANT_DISTANCE;
        return BASE_OK;
    }
    const base_status status = bench_quantities_parse(text, quantities, err);
    for (int quantity = 0; status == BASE_OK && quantity < ALG_QUANTITY_COUNT; quantity++) {
        const unsigned bit = 1u << quantity;
        if (*quantities & bit & ~answers) {
            return base_fail(err, BASE_ERR_ARGUMENT, "'%s' does not answer %s", variant->name,
                             bench_quantities_name(bit).text);
        }
    }
    return status;
}

bench_quantities_text bench_quantities_join(unsigned quantities, const char *separator)
{
    bench_quantities_text names = {""};
    size_t used = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (quantities & 1u << q) {
            used += (size_t)snprintf(names.text + used, sizeof names.text - used, "%s%s",
                                     used ? separator : "", alg_quantity_names[q]);
        }
    }
    return names;
}

bench_quantities_text bench_quantities_name(unsigned quantities)
{
    return quantities == unified ? (bench_quantities_text){"unified"}
                                 : bench_quantities_join(quantities, "+");
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
