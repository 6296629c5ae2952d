/** Truth against answers that are known without it. */
#ifndef SUITE_KNOWN_H
#define SUITE_KNOWN_H

#include "scenarios/trajectories/trajectory.h"
#include "suite/inputs/pair.h"

/**
 * The slack of doubles, within which two exact answers agree: 1e-12 d + 64 eps s for distances and
 * 1e-11 V + 64 eps s A for volumes; s: largest coordinate of either body in A's frame, A: the
 * smaller surface. pose: of bench_pair_pose.
 */
double bench_distance_slack(const bench_pair *pair, const geo_pose *pose, double distance_m);
double bench_volume_slack(const bench_pair *pair, const geo_pose *pose, double volume_m3);

/**
 * Holds the truth of a frame against what is known of it. A truth that does not hold it, within the
 * slack, is no longer certified, with a warning that names scenario, frame and values.
 * Returns whether it holds; true when nothing is known.
 */
bool bench_known_check(const bench_pair *pair, const char *scenario,
                       const scn_trajectory *trajectory, size_t frame, const geo_pose *pose,
                       gt_truth *truth);

#endif
