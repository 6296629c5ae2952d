/** From what each method says of a frame to its truth: which bracket, and what it is worth. */
#ifndef GROUNDTRUTH_CERTIFICATE_H
#define GROUNDTRUTH_CERTIFICATE_H

#include "groundtruth/body/types.h"

/** "bvh", "brute", "flux", "tetra", NULL. */
extern const char *const gt_method_names[GT_METHOD_COUNT + 1];

/** "bvh+flux+tetra": the names of a mask. */
typedef struct gt_methods_text {
    char text[24];
} gt_methods_text;
gt_methods_text gt_methods_format(unsigned methods);

/**
 * Truth of a frame. A bracket is GT_NONE when it was not asked or not found.
 *
 * Value and slack of a method's bracket: its middle and half its width; 0 and its upper end when it
 * begins at 0. Two methods agree when their values differ by no more than the sum of their slacks.
 * Then the bracket is the first one's (bvh, flux), widened to hold the other one's value.
 */
typedef struct gt_truth {
    gt_bracket distance_m, volume_m3;
    gt_bracket surface_m; /* between the two surfaces */
    /** 2: two methods agree. 1: one method, its own checks passed. 0: neither, or not asked. */
    int distance_certified, volume_certified;
    /** What two methods differ by, and for volumes the sum of their slacks. NAN for fewer. */
    double distance_disagreement_m;
    double volume_disagreement_m3, volume_bound_m3;
    unsigned expected;              /* mask of GT_BY_*: which had to answer; of a quantity that was
                                       not asked none */
    unsigned methods;               /* the same: which answered */
    gt_bracket by[GT_METHOD_COUNT]; /* what each said of the distance or the volume */
} gt_truth;

/** What one method says of one frame. */
typedef struct gt_answer {
    gt_bracket value; /* the distance of the solids, or the volume; GT_NONE: it has not answered */
    gt_bracket surface; /* of a distance: that between the surfaces; else GT_NONE */
    bool sound;         /* its own checks passed */
} gt_answer;

#define GT_NO_ANSWER ((gt_answer){GT_NONE, GT_NONE, false})

/** The value that a bracket is made around, and how far it may be off (gt_truth). */
double gt_bracket_value(gt_bracket bracket);
double gt_bracket_slack(gt_bracket bracket);

/**
 * Fills *truth. expected: mask of the methods that had to answer at this frame. One that had to and
 * did not, or is unsound, leaves its quantity uncertified.
 */
void gt_certify(unsigned expected, const gt_answer answers[GT_METHOD_COUNT], gt_truth *truth);

#endif
