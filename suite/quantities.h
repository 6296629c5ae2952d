/** Quantities as words, and who answers them. */
#ifndef SUITE_QUANTITIES_H
#define SUITE_QUANTITIES_H

#include "algorithms/algorithms.h"
#include "base/error.h"

/** "distance", "volume", "contact" or "both" (also "distance,volume", "unified") to a mask of
 * ALG_WANT_*. */
base_status bench_quantities_parse(const char *text, unsigned *quantities,
                                   base_error *err) BASE_MUST_CHECK;
/** "distance", "volume", "contact" or "unified" (distance and volume in one query). */
const char *bench_quantities_name(unsigned quantities);
/** The truth (mask of GT_WANT_*) that answers to these quantities are held against. */
unsigned bench_quantities_truth(unsigned quantities);

/** Mask of the quantities that a variant answers. */
unsigned bench_quantities_answered(const alg_variant *variant);

#endif
