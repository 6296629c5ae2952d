/**
 * All passes of a scenario: which contestant makes which one, and in what order.
 *
 *   group   contestants with one baseline: all of an ordinary run; old and new code of one variant
 *   block   those of a group that fit into memory together, its baseline and twin always among them
 *   launch  a fresh process for each of a block
 *   round   one pass of each, in the order of bench_schedule_row; the last round of a launch may be
 *           shuffled, and is of those alone that keep no state (bench_plan_makes)
 *
 * A resumed run is the same loop, without the passes that the journals have. A round that one
 * contestant lacks is run again by its whole block, so that each has a pass of the baseline beside
 * its own.
 */
#ifndef SUITE_MEASURE_H
#define SUITE_MEASURE_H

#include "suite/run/journal.h"
#include "suite/run/scenario.h"

/** The outcome of a contestant's passes. */
typedef struct bench_measured {
    bench_journal journal; /* open; all samples are there */
    bench_status status;   /* never BENCH_CELL_INTERRUPTED: see complete */
    char detail[640];
    bool complete; /* every pass was made, and the one for details */
    /** As in bench_worker, of its last process that was set apart; counters "": of no process. */
    bench_isolation isolation;
    char counters[96];
} bench_measured;

/**
 * Opens the journal of each contestant of the plan, and makes all passes that the journals lack. A
 * contestant's failure is its status. An interrupt ends it after the pass in progress.
 *
 * build     hash of the programs, which journals belong to.
 * measured  an entry for each entrant of the plan; bench_measured_release is due either way.
 * Errors    BASE_ERR_ARGUMENT for a journal of other inputs; BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
base_status bench_measure(const bench_run_options *options, const bench_plan *plan,
                          const bench_scenario *scenario, base_hash build,
                          const bench_clock_cost *clock, bench_measured **measured,
                          base_error *err) BASE_MUST_CHECK;
/** measured: NULL, or `count` entries. */
void bench_measured_release(bench_measured *measured, size_t count);

#endif
