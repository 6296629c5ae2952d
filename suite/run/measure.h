/**
 * Makes all passes of a scenario. Terms, from the outside to the inside:
 *
 *   group   contestants with the same baseline: all contestants of an ordinary run, or the old and
 *           the new code of one variant
 *   block   contestants of a group that fit into memory together, always with baseline and twin
 *   launch  a new process for each contestant of a block
 *   round   one pass of each contestant, in the order of bench_schedule_row; the last round of a
 *           launch may be shuffled and is then made only by contestants without state
 *           (bench_plan_makes)
 *
 * A resumed run uses the same loop and skips the passes that the journals contain. If one
 * contestant lacks a round, the whole block repeats it, so that each pass has a pass of the
 * baseline beside it.
 */
#ifndef SUITE_MEASURE_H
#define SUITE_MEASURE_H

#include "suite/run/journal.h"
#include "suite/run/scenario.h"

#include <stddef.h>

/** The outcome of a contestant's passes. */
typedef struct bench_measured {
    bench_journal journal; /* open; contains all samples */
    bench_status status;   /* never BENCH_CELL_INTERRUPTED: see complete */
    char detail[640];
    bool complete; /* all passes were made, including the details pass */
    /**
     * As in bench_worker, of the last isolated process; counters is "" if there was no such
     * process.
     */
    bench_isolation isolation;
    char counters[96];
} bench_measured;

/**
 * Opens the journal of each contestant of the plan and makes all passes that the journals lack. The
 * failure of a contestant is stored as its status and is not an error. An interrupt stops after the
 * pass in progress.
 *
 * build     hash of the programs; a journal is valid only for the same hash.
 * measured  an entry for each entrant of the plan; call bench_measured_release also after an error.
 * Errors    BASE_ERR_ARGUMENT for a journal of other inputs; BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
base_status bench_measure(const bench_run_options *options, const bench_plan *plan,
                          const bench_scenario *scenario, base_hash build,
                          const bench_clock_cost *clock, bench_measured **measured,
                          base_error *err) BASE_MUST_CHECK;
/** measured: NULL or `count` entries. */
void bench_measured_release(bench_measured *measured, size_t count);

/* --- Remaining time --------------------------------------------------------------------------- */

/**
 * Time spent and work left of one contestant. Index 0: passes with warm caches; index 1: passes
 * with evicted caches.
 */
typedef struct bench_effort {
    double spent_s[2]; /* in complete passes */
    size_t made[2];    /* number of complete passes */
    double prepare_s;  /* spent on building and loading bodies */
    size_t prepared;   /* number of launches with prepared bodies */
    size_t left[2];    /* number of passes left, including the pass in progress */
    size_t launches_left;
    double begun_s;     /* spent in the pass in progress; 0 if there is no such pass */
    double begun_share; /* share of its frames that are done, 0 to 1 */
} bench_effort;

/**
 * Returns the remaining time in seconds; NaN while no pass gives a time. The pass time of a
 * contestant without a complete pass is extrapolated from its pass in progress or, before its first
 * frame, is the mean of the other contestants. If a contestant has no pass with evicted caches, its
 * passes with warm caches are used instead, and vice versa.
 */
double bench_estimate_left(const bench_effort *efforts, size_t count);

#endif
