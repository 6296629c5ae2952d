/**
 * A run: the contestants are measured in each scenario, judged and written to files. A pose passes
 * through the source files in this order:
 *
 *   run.c         loop over the scenarios; the manifest; the files
 *   plan.h        the contestants, and the number of their launches and rounds
 *   scenario.h    the pair, the poses and their truth
 *   measure.h     blocks, launches, rounds: all passes
 *   supervisor.h  the processes; worker.h is their side, exchange.h the shared data
 *   journal.h     the passes so far, saved on disk after each pass
 *   cell.h        reads a contestant's journal and judges it
 */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/error.h"
#include "scenarios/experiment.h"

/** Numbers of repetitions. The table in plan.c has a row for each mode. */
typedef struct bench_mode {
    const char *name;
    size_t launches; /* minimum number of processes of each contestant */
    /** Passes in each launch, in this order. Only algorithms without state make shuffled passes. */
    size_t warm_up_rounds, warm_rounds, evicted_rounds, shuffled_rounds;
    bool timed;             /* with a twin of the baseline and enough launches for intervals */
    unsigned truth_methods; /* of gt_options */
    int certificate;        /* frames with a lower certificate are not judged */
} bench_mode;

/** Finds the mode with this name. Errors: BASE_ERR_ARGUMENT with all names and similar ones. */
base_status bench_mode_parse(const char *name, bench_mode *mode, base_error *err) BASE_MUST_CHECK;

typedef struct bench_run_options {
    const scn_experiment *experiment;
    const alg_variant *variants; /* of the experiment, parsed (bench_experiment_choose) */
    const bench_mode *mode;
    bool mode_asked; /* the mode was given for this run, so launches and rounds of the experiment
                        are ignored */
    size_t launches, warm_rounds; /* override those of the experiment and the mode; 0: not
                                     overridden */
    const char *directory;        /* must exist; empty, or an existing run with `resume` */
    const char *cache_directory;  /* cache of truth, trajectories and prepared bodies; NULL: no
                                     cache */
    const char *command;          /* as typed, for the manifest */
    const char *const *arguments; /* argument_count entries: the words of the command, for
                                     --resume */
    size_t argument_count;
    const char *const *algorithms; /* globs on variant names, NULL-terminated; NULL: all */
    const char *const *scenarios;  /* globs on scenario names, likewise */
    /**
     * Old code to be compared. Every variant takes part as NAME@base (from this program or
     * plug-in), NAME@head (from its own program or plug-in) and NAME@twin (the base again).
     */
    const char *against_program, *against_plugin;
    /**
     * Returns the number of launches that a variant needs on a scenario if it is larger than the
     * number above; NULL: no additional launches. A resumed comparison of old and new code adds
     * launches until its times are certain enough.
     */
    size_t (*launches_of)(const void *context, const char *scenario, const char *variant);
    const void *launches_context;
    bool count_instructions; /* workers run under valgrind, which counts the instructions of each
                                pass */
    bool warm_only;          /* no passes with evicted caches */
    double timeout_s;        /* of one build or one pass */
    uint64_t memory_bytes;   /* of all interleaved contestants together, and limit of each; 0:
                                three quarters of the machine's memory */
    bool resume;             /* continue the run in `directory` */
    bool quiet;
    bool no_table; /* do not print the table to stdout, because the caller prints rows there */
} bench_run_options;

/**
 * Executes the run. A failed cell is a row and not an error; an error stops the run.
 *
 * Returns  the exit status in *exit_status if BASE_OK: 0, BENCH_WRONG, BENCH_CELL_DIED or
 *          BENCH_INTERRUPTED.
 */
base_status bench_run(const bench_run_options *options, int *exit_status,
                      base_error *err) BASE_MUST_CHECK;

#endif
