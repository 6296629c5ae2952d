/** The surface voxels that an algorithm hands out of its bodies, counted against the exact ones. */
#ifndef SUITE_VOXELS_H
#define SUITE_VOXELS_H

#include "suite/inputs/prepared.h"

/**
 * Has the bodies drawn (alg_algorithm.draw), by role, and where one hands out a grid and voxels on
 * it, finds the exact ones of the same mesh and grid (groundtruth/voxels.h) and fills
 * missing_voxels and excess_voxels of `built`; else these stay. Where both bodies are one mesh on
 * one grid, the exact voxels are found once. Uses all CPUs.
 *
 * Errors   ALG_FAILED, with a message, for voxels before their grid, a second grid, and a grid that
 *          is none. When out of memory it warns, and nothing is filled in.
 * Memory   three bits a voxel, until it returns.
 */
alg_status bench_voxels_judge(const alg_algorithm *algorithm, void *const prepared[2],
                              const alg_mesh *const meshes[2], bench_built built[2],
                              alg_message *message);

#endif
