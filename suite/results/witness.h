/** Compares witness points and contacts with the surfaces of the bodies. */
#ifndef SUITE_WITNESS_H
#define SUITE_WITNESS_H

#include "algorithms/algorithms.h"
#include "groundtruth/groundtruth.h"

/** Errors of the witness points of an answer, in metres. */
typedef struct bench_witness {
    double length_m; /* |distance of the two points - answered distance| */
    double off_m;    /* larger distance of the two points from the surfaces of their bodies */
    double slack_m;  /* bound of both values for rounding errors only */
} bench_witness;

/**
 * Measures the witness points of an answer. All values are NaN if the answer has no witness points
 * or no distance above 0, because for a distance of 0 witness points are not valid.
 *
 * pose      of B in A's frame; witness points are in A's frame
 * Cost      two closest-point queries of a surface, some microseconds on 70,000 faces
 */
bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer);

/** Errors of the contacts of a frame; NaN if there is no such contact. */
typedef struct bench_contacts {
    double off_m;      /* maximum over the contacts of the larger distance of its point from the
                          two surfaces */
    double normal_deg; /* mean angle between a normal and the normal of the face of A that is
                          nearest to its point */
} bench_contacts;

/**
 * Measures contacts in A's frame. A contact without a normal, or whose nearest face has no area, is
 * excluded from normal_deg. Contacts that are not finite are excluded from both values.
 *
 * pose      of B in A's frame
 * contacts  count entries; may be NULL if count is 0
 * Cost      count times that of bench_witness_measure
 */
bench_contacts bench_contacts_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                      const alg_contact *contacts, size_t count);

#endif
