/** From what each method says of a frame to its truth: which bracket, and what it is worth. */
#ifndef GROUNDTRUTH_CERTIFICATE_H
#define GROUNDTRUTH_CERTIFICATE_H

#include "groundtruth/groundtruth.h"

/** What one method says of one frame. */
typedef struct gt_answer {
    gt_bracket value; /* the distance of the solids, or the volume; GT_NONE: it has not answered */
    gt_bracket surface; /* of a distance: that between the surfaces; else GT_NONE */
    bool sound;         /* its own checks passed */
} gt_answer;

#define GT_NO_ANSWER ((gt_answer){GT_NONE, GT_NONE, false})

/** As groundtruth.h says: the value that a bracket is made around, and how far it may be off. */
double gt_bracket_value(gt_bracket bracket);
double gt_bracket_slack(gt_bracket bracket);

/**
 * Fills *truth. expected: mask of the methods that had to answer at this frame. One that had to and
 * did not, or is unsound, leaves its quantity uncertified.
 */
void gt_certify(unsigned expected, const gt_answer answers[GT_METHOD_COUNT], gt_truth *truth);

#endif
