/** Witness points and contacts against the surfaces of the bodies. */
#ifndef SUITE_WITNESS_H
#define SUITE_WITNESS_H

#include "algorithms/algorithms.h"
#include "groundtruth/groundtruth.h"

/** Errors of the witness points of an answer, in metres. */
typedef struct bench_witness {
    double length_m; /* |distance of the two points - answered distance| */
    double off_m;    /* the larger distance of a point from the surface of its body */
    double slack_m;  /* largest value of either that rounding explains */
} bench_witness;

/**
 * Measures the witness points of an answer. Its numbers are NaN where the answer has no witness
 * points or no distance above 0: a distance of 0 has no witness points that a caller may read.
 *
 * pose      of B in A's frame; witness points are in A's frame
 * Cost      two queries of the closest point of a surface, some microseconds on 70,000 faces
 */
bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer);

/** Errors of the contacts of a frame; NaN where there is no such contact. */
typedef struct bench_contacts {
    double off_m; /* largest over contacts of the larger distance of its point from a surface */
    double
        normal_deg; /* mean angle between a normal and that of the face of A nearest to its point */
} bench_contacts;

/**
 * Measures contacts in A's frame. A contact without a normal, or whose nearest face has no area,
 * is left out of normal_deg. Contacts that are not finite are left out of both.
 *
 * pose      of B in A's frame
 * contacts  count; may be NULL if count is 0
 * Cost      count times that of bench_witness_measure
 */
bench_contacts bench_contacts_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                      const alg_contact *contacts, size_t count);

#endif
