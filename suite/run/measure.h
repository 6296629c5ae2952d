/**
 * Makes all passes of a scenario. Terms, from the outside to the inside:
 *
 *   group   contestants with the same baseline: all contestants of an ordinary run, or the copies
 *           (old, new, twin) of one variant in a comparison of old and new code
 *   block   contestants of a group that fit into memory together. Baseline, twin and at least one
 *           other contestant are always in it, even if they do not fit
 *   launch  a new process for each contestant of a block
 *   round   one pass of each contestant, in the order of bench_schedule_row. The last rounds of a
 *           launch may be shuffled; only contestants without state make them (bench_plan_makes)
 *
 * A resumed run uses the same loop and skips the rounds that the journals contain. If one
 * contestant of a block lacks a round, the whole block makes it, so that each new pass has a pass
 * of the baseline beside it.
 */
#ifndef SUITE_MEASURE_H
#define SUITE_MEASURE_H

#include "suite/run/journal.h"
#include "suite/run/scenario.h"

#include <stddef.h>

/** The outcome of a contestant's passes. */
typedef struct bench_measured {
    bench_journal journal; /* open; contains all samples */
    bench_status status;   /* never BENCH_CELL_INTERRUPTED; an interrupted cell is not complete */
    char detail[640];
    bool complete; /* all passes were made, including the details pass */
    /**
     * As in bench_worker, of the last process that was isolated. counters is "" if there was no
     * such process.
     */
    bench_isolation isolation;
    char counters[96];
} bench_measured;

/**
 * Opens the journal of each contestant of the plan and makes all passes that the journals lack. The
 * failure of a contestant is stored as its status and is not an error. An interrupt stops after the
 * pass in progress.
 *
 * build     hash of the programs. A journal with another hash is refused.
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
 * Time spent and work left of one contestant. Index 1: passes with evicted caches; index 0: all
 * other passes.
 */
typedef struct bench_effort {
    double spent_s[2]; /* time spent in complete passes */
    size_t made[2];    /* number of complete passes */
    double prepare_s;  /* time spent on starting processes and preparing bodies */
    size_t prepared;   /* number of launches whose preparation was tried */
    size_t left[2];    /* number of passes left, including the pass in progress */
    size_t launches_left;
    double begun_s;     /* time spent in the pass in progress; 0 if there is no such pass */
    double begun_share; /* share of its frames that are done, 0 to 1 */
} bench_effort;

/**
 * Returns the remaining time in seconds; NaN as long as no pass gives a time. The time of a pass is
 * the mean of the contestant's complete passes of this kind. If it has none, the passes of the
 * other kind are used. If it has no complete pass, the time is extrapolated from its pass in
 * progress, or taken from the mean of the other contestants as long as this pass has no complete
 * frame.
 */
double bench_estimate_left(const bench_effort *efforts, size_t count);

#endif
