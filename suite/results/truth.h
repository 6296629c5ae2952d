/** The truth frame by frame, as printed by `proxbench truth`. */
#ifndef SUITE_TRUTH_H
#define SUITE_TRUTH_H

#include "groundtruth/groundtruth.h"
#include "scenarios/trajectories/trajectory.h"
#include "suite/results/columns.h"

/**
 * A row. Numbers are NaN if they were not asked or not found. Certificates are UINT64_MAX if they
 * were not asked.
 */
typedef struct bench_truth_row {
    uint64_t frame, certified[GT_QUANTITY_COUNT];
    gt_bracket distance_m, volume_m3, surface_m, depth_m, pairs;
    gt_methods_text methods_text;
    const char *methods; /* points to methods_text of the same row, so a row must not be copied */
    double volume_bound_m3, volume_disagreement_m3, distance_disagreement_m;
    double known_distance_m, known_volume_m3;
    vec3 direction, force, torque;
    double force_bound, torque_bound;
    gt_depth_law depth_force, depth_force_exchanged;
} bench_truth_row;

extern const bench_columns bench_truth_columns;

void bench_truth_row_fill(size_t frame, const gt_truth *truth, const scn_known *known,
                          bench_truth_row *row);

/**
 * Warns of frames with doubts about the truth (gt_doubt): one line for each quantity, kind of doubt
 * and method. name: of the scenario or trajectory.
 */
void bench_truth_warn_doubts(const char *name, const gt_truth *truths, size_t count);

/**
 * Returns the bracket; both ends are NaN if it is not known, which makes the fields of its columns
 * empty.
 */
gt_bracket bench_bracket_or_empty(gt_bracket bracket);

#endif
