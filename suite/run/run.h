/**
 * A run: scenarios times contestants, measured, judged and written down. A pose goes through the
 * files in this order:
 *
 *   run.c         scenario after scenario; the manifest
 *   plan.h        the contestants, and the number of their launches and rounds
 *   scenario.h    the pair, the poses and their truth
 *   measure.h     blocks, launches, rounds: all passes
 *   supervisor.h  the processes; worker.h their side, exchange.h what both share
 *   journal.h     the passes so far, safe on disk after each one
 *   cell.h        a contestant's journal read back and judged
 *   files.h       rows, frames and trajectories
 */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/error.h"
#include "scenarios/experiment.h"

/** Numbers of repetitions; each mode has a row in the table of plan.c. */
typedef struct bench_mode {
    const char *name;
    size_t launches; /* processes of each contestant, at least */
    /** Passes in each launch, in this order; shuffled ones are made by algorithms without state. */
    size_t warm_up_rounds, warm_rounds, evicted_rounds, shuffled_rounds;
    bool timed;             /* with a twin of the baseline and enough launches for intervals */
    unsigned truth_methods; /* of gt_options */
    int certificate;        /* frames with less are not judged */
} bench_mode;

/** The mode of that name. Errors: BASE_ERR_ARGUMENT with all names and near ones. */
base_status bench_mode_parse(const char *name, bench_mode *mode, base_error *err) BASE_MUST_CHECK;

typedef struct bench_run_options {
    const scn_experiment *experiment;
    const alg_variant *variants; /* of the experiment, parsed (bench_experiment_choose) */
    const bench_mode *mode;
    bool mode_asked; /* for this run: the experiment's own launches and rounds do not count */
    size_t launches, warm_rounds; /* instead of the experiment's and the mode's; 0: theirs */
    const char *directory;        /* exists; empty, or with `resume` a run that was begun */
    const char *cache_directory;  /* of truth, trajectories and prepared bodies; NULL: none */
    const char *command;          /* as typed, for the manifest */
    const char *const *arguments; /* argument_count: the same word by word, for --resume */
    size_t argument_count;
    const char *const *algorithms; /* globs on variant names, NULL-terminated; NULL: all */
    const char *const *scenarios;  /* the same on scenario names */
    /** Old code to be timed against: every variant takes part as NAME@base (from this program or
     * plug-in), NAME@head (from where it comes) and NAME@twin (the base once more). */
    const char *against_program, *against_plugin;
    /** Launches that a variant is to have on a scenario beyond those above: a job of old against
     * new that is resumed goes on until its times are sure enough. NULL: none has more. */
    size_t (*launches_of)(const void *context, const char *scenario, const char *variant);
    const void *launches_context;
    bool count_instructions; /* workers run under valgrind, which counts those of each pass */
    bool warm_only;          /* no passes with evicted caches */
    double timeout_s;        /* of one build or one pass */
    uint64_t memory_bytes;   /* of all contestants that are interleaved, and limit of each; 0: three
                              quarters of what the machine has */
    bool resume;             /* go on with what is in `directory` */
    bool quiet;
    bool no_table; /* on stdout: somebody else prints rows there */
} bench_run_options;

/**
 * Runs everything. Cells that fail are rows, not errors; an error is something that stops the run.
 *
 * Returns  the exit status in *exit_status when BASE_OK: 0, BENCH_WRONG, BENCH_CELL_DIED or
 *          BENCH_INTERRUPTED.
 */
base_status bench_run(const bench_run_options *options, int *exit_status,
                      base_error *err) BASE_MUST_CHECK;

#endif
