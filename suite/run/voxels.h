/** Compares the surface voxels of an algorithm's bodies with the exact ones. */
#ifndef SUITE_VOXELS_H
#define SUITE_VOXELS_H

#include "suite/inputs/prepared.h"

/**
 * Calls alg_algorithm.draw for both bodies. If a body reports a grid and voxels, computes the exact
 * voxels of the same mesh and grid (groundtruth/voxels.h) and sets missing_voxels and excess_voxels
 * of `built`, by role; otherwise these stay unchanged. If both bodies have the same mesh and grid,
 * the exact voxels are computed once. Uses all CPUs.
 *
 * Errors   ALG_FAILED with a message for voxels before their grid, a second grid, or an invalid
 *          grid. When out of memory it prints a warning and leaves `built` unchanged.
 * Memory   three bits per voxel during the call.
 */
alg_status bench_voxels_judge(const alg_algorithm *algorithm, void *const prepared[2],
                              const alg_mesh *const meshes[2], bench_built built[2],
                              alg_message *message);

#endif
