/**
 * For the tests of all folders: calls that must succeed, local variables that are released at the
 * end of their block, and the number of cases in a sweep.
 */
#ifndef BASE_TESTS_SUPPORT_H
#define BASE_TESTS_SUPPORT_H

#include "base/error.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- Calls that must succeed ------------------------------------------------------------------ */

static base_error support_error __attribute__((unused));

/** Argument for the error of a call in assert_ok. */
#define ERR (&support_error)

/** Asserts that a call returns BASE_OK: assert_ok(geo_mesh_load("x.off", &mesh, ERR)). */
#define assert_ok(call) cr_assert_eq((call), BASE_OK, "%s", support_error.text)

/**
 * Calls a function with the argument ERR until it succeeds. First its first allocation fails, then
 * its second one, and so on. Each failure must be BASE_ERR_MEMORY with a message. The
 * statement `after` runs after each call; the bool `failed` tells it whether the call failed.
 * Returns the number of failures.
 */
#define COUNT_FAILURES(call, after)                                                                \
    __extension__({                                                                                \
        size_t failures_ = 0;                                                                      \
        for (bool failed = true; failed; failures_ += failed) {                                    \
            support_error = (base_error){0};                                                       \
            base_memory_fail_after(failures_);                                                     \
            const base_status status_ = (call);                                                    \
            base_memory_fail_after(SIZE_MAX);                                                      \
            failed = status_ != BASE_OK;                                                           \
            cr_assert(!failed || (status_ == BASE_ERR_MEMORY && support_error.text[0] != '\\0'),   \
                      "allocation %zu: %s", failures_, support_error.text);                        \
            after;                                                                                 \
        }                                                                                          \
        failures_;                                                                                 \
    })

/* --- Variables that are released at the end of their block ------------------------------------ */

/** Before a declaration: calls `release` with the address of each variable. */
#define RELEASED_BY(release) __attribute__((cleanup(release)))

static inline void scoped_free(const void *at)
{
    void *storage;
    memcpy(&storage, at, sizeof storage);
    base_free(storage);
}

/** Before the declaration of a pointer to storage from base_alloc. */
#define SCOPED_FREE  RELEASED_BY(scoped_free)
#define SCOPED_ARENA RELEASED_BY(base_arena_release) base_arena

/* Types of other files; a test includes their headers itself. */
#define SCOPED_CSV          RELEASED_BY(base_csv_release) base_csv
#define SCOPED_MESH         RELEASED_BY(geo_mesh_release) geo_mesh
#define SCOPED_REPORT       RELEASED_BY(geo_mesh_report_release) geo_mesh_report
#define SCOPED_BITS         RELEASED_BY(alg_voxel_bits_release) alg_voxel_bits
#define SCOPED_PACKING      RELEASED_BY(alg_ist_packing_release) alg_ist_packing
#define SCOPED_HITS         RELEASED_BY(hit_list_release) hit_list
#define SCOPED_PAIR         RELEASED_BY(pair_close) pair
#define SCOPED_SCENE        RELEASED_BY(scene_close) scene
#define SCOPED_MEETING      RELEASED_BY(meeting_close) meeting
#define SCOPED_SHAPE        RELEASED_BY(shape_release) shape
#define SCOPED_VOXELS       RELEASED_BY(gt_voxels_release) gt_voxels
#define SCOPED_TETRAHEDRA   RELEASED_BY(gt_tetrahedra_release) gt_tetrahedra
#define SCOPED_TRAJECTORY   RELEASED_BY(scn_trajectory_release) scn_trajectory
#define SCOPED_EXPERIMENT   RELEASED_BY(scn_experiment_release) scn_experiment
#define SCOPED_BENCH_PAIR   RELEASED_BY(bench_pair_close) bench_pair
#define SCOPED_SOLO         RELEASED_BY(bench_solo_close) bench_solo
#define SCOPED_STEPS        RELEASED_BY(bench_steps_close) bench_steps
#define SCOPED_ROWS         RELEASED_BY(bench_rows_release) bench_rows
#define SCOPED_PLAN         RELEASED_BY(bench_plan_release) bench_plan
#define SCOPED_FRONT        RELEASED_BY(bench_front_release) bench_front
#define SCOPED_CLAIMS       RELEASED_BY(bench_claims_release) bench_claims
#define SCOPED_CANVAS       RELEASED_BY(bench_canvas_close) bench_canvas
#define SCOPED_GATE_REPORT  RELEASED_BY(bench_gate_report_release) bench_gate_report
#define SCOPED_GATE_CELLS   RELEASED_BY(bench_gate_cells_release) bench_gate_cells
#define SCOPED_FORCE_REPORT RELEASED_BY(bench_force_report_release) bench_force_report

/* --- Sweeps ----------------------------------------------------------------------------------- */

/**
 * Returns the step from case to case. A sweep in `make check` tests one case in `part`. `make
 * check-all` and `make mutants` set the environment variable ALL_CASES, and all sweeps test all
 * cases:
 *
 *     for (size_t i = 0; i < cases; i += sweep_step(4))
 */
static inline size_t sweep_step(size_t part)
{
    return getenv("ALL_CASES") ? 1 : part;
}

#endif
