/** The worker's side of supervisor.h: builds and binds bodies and makes passes. */
#ifndef SUITE_WORKER_H
#define SUITE_WORKER_H

#include "suite/inputs/prepared.h"
#include "suite/results/cells.h"

/**
 * Implements `proxbench worker`: serves requests until the socket closes, then ends the process. It
 * is not for users: returns BENCH_USAGE if descriptor 3 is not a socket. Returns BENCH_INPUT if it
 * cannot start.
 */
int bench_worker_main(void);

/**
 * Makes all queries of one pass from the reset state. Callgrind counts while this function runs and
 * finds it by its name. So it is never inlined, and its name must be the same in old and new code.
 * Returns the CPU time of the reset in nanoseconds.
 */
struct bench_server;
__attribute__((noinline)) uint64_t bench_worker_queries(const struct bench_server *server,
                                                        bench_protocol protocol);

/**
 * Compares the surface voxels of an algorithm's bodies with the exact ones. Calls
 * alg_algorithm.draw for both bodies. If a body reports a grid, computes the exact voxels of the
 * same mesh and grid (groundtruth/voxels.h) and sets missing_voxels and excess_voxels in its entry
 * of `built` (by role). Otherwise the entry stays unchanged. If both bodies have the same mesh and
 * grid, the exact voxels are computed once. Uses all CPUs.
 *
 * Errors   ALG_FAILED with a message for voxels before their grid, a second grid, or an invalid
 *          grid. If memory is exhausted, returns ALG_OK with a warning; the bodies that are not yet
 *          judged stay unchanged.
 * Memory   three bits per voxel during the call.
 */
alg_status bench_voxels_judge(const alg_algorithm *algorithm, void *const prepared[2],
                              const alg_mesh *const meshes[2], bench_built built[2],
                              alg_message *message);

#endif
