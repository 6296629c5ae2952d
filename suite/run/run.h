/**
 * A run measures the contestants in each scenario, judges their answers and writes files. The
 * source files, in the order in which they are used:
 *
 *   run.c         loop over the scenarios; the manifest; the files
 *   plan.h        the contestants, and the number of their launches and rounds
 *   scenario.h    the pair, the poses and their truth
 *   measure.h     blocks, launches, rounds: all passes
 *   supervisor.h  the processes; worker.h is their side, exchange.h the shared data
 *   journal.h     the passes so far, saved on disk after each pass
 *   cell.h        reads a contestant's journal and judges its answers
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
    size_t launches; /* number of processes of each contestant; more if intervals need them, unless
                        a number is given */
    /** Passes in each launch, in this order. Only algorithms without state make shuffled passes. */
    size_t warm_up_rounds, warm_rounds, evicted_rounds, shuffled_rounds;
    bool timed;             /* times are compared: with a twin of the baseline and enough launches
                               for intervals */
    unsigned truth_methods; /* of gt_options */
    int certificate;        /* a quantity with a lower certificate in a frame is not judged there */
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
    const char *directory;        /* existing folder, empty; with `resume` it contains the run */
    const char *cache_directory;  /* cache of truth, trajectories and prepared bodies; NULL: no
                                     cache */
    const char *command;          /* as typed, for the manifest */
    const char *const *arguments; /* argument_count entries: the words of the command, for
                                     --resume */
    size_t argument_count;
    const char *const *algorithms; /* globs on variant names, NULL-terminated; NULL: all */
    const char *const *scenarios;  /* globs on scenario names, likewise */
    /**
     * The program or plug-in with the old code, for a comparison with the new code; NULL: none.
     * Every variant then takes part three times: NAME@base is the old code, NAME@head the new code
     * in this program or its own plug-in, and NAME@twin the old code again. There is no twin if
     * instructions are counted.
     */
    const char *against_program, *against_plugin;
    /**
     * Returns the number of launches that a variant needs on a scenario; it counts only if it is
     * larger than the planned number. NULL: no additional launches. A comparison of old and new
     * code uses it to resume its run with more launches until its times are certain enough.
     */
    size_t (*launches_of)(const void *context, const char *scenario, const char *variant);
    const void *launches_context;
    bool count_instructions; /* workers run under valgrind, which counts the instructions of each
                                pass */
    bool warm_only;          /* no passes with evicted caches */
    double timeout_s;        /* of one build or one pass */
    uint64_t memory_bytes;   /* limit of each contestant, and of all contestants of a block
                                together; 0: three quarters of the machine's memory */
    bool resume;             /* continue the run in `directory` */
    bool quiet;
    bool no_table; /* do not print the table to stdout, because the caller prints rows there */
} bench_run_options;

/**
 * Executes the run. A failed cell is a row and not an error; an error stops the run.
 *
 * Returns  the exit status in *exit_status if BASE_OK: 0, BENCH_WRONG, BENCH_CELL_DIED,
 *          BENCH_INTERRUPTED, or BENCH_INPUT if no cell was measured.
 */
base_status bench_run(const bench_run_options *options, int *exit_status,
                      base_error *err) BASE_MUST_CHECK;

#endif
