/**
 * What the parts of `proxbench check` share.
 *
 *   cmd_check.c      options; a run against its baseline
 *   check_against.c  old code against new: what takes part, and what is asked of it
 *   check_jobs.c     ... the jobs: timed, timed for longer, timed once more, counted
 */
#ifndef SUITE_CHECK_H
#define SUITE_CHECK_H

#include "suite/gate/against.h"
#include "suite/run/run.h"

/** Option values of the command. */
typedef struct bench_check_arguments {
    const char *baseline, *junit, *markdown, *format, *accept;
    bool bless, force, same;
    /* old against new */
    const char *against, *against_plugin, *plugin, *algorithm, *scenario, *mode, *tolerance, *out,
        *cache;
    uint64_t launches, rounds; /* UINT64_MAX: not given */
    double timeout_s, time_limit_s;
    bool strict, instructions, no_cache, quiet;
} bench_check_arguments;

/**
 * Rows on standard output, and the files that are asked for. times: of old against new; or NULL.
 * Errors: those of bench_output_close; BASE_ERR_ARGUMENT for an unknown format.
 */
base_status bench_check_write(const bench_check_arguments *args, const bench_gate_report *report,
                              const bench_against_cells *times, const char *name,
                              base_error *err) BASE_MUST_CHECK;
/**
 * The last lines for people: what was not compared, what was held against what, and the totals.
 * job: old code against new.
 */
void bench_check_tell_totals(const bench_gate_report *report, bool job, const char *run,
                             const char *baseline);

/**
 * `check EXPERIMENT --against ...`. Errors: those of bench_run, bench_against_answers and
 * bench_against_read, and of bad options; BASE_ERR_INPUT when nobody answers what is asked, or
 * valgrind is asked for and not there.
 */
base_status bench_check_against(const bench_check_arguments *args, const char *reference,
                                int *exit_status, base_error *err) BASE_MUST_CHECK;

/** What the jobs of old against new have in common. */
typedef struct bench_check_job {
    const bench_run_options *run; /* of the first; borrowed */
    double tolerance, time_limit_s;
    bool strict, instructions;
} bench_check_job;

/**
 * Runs the job into its folder, adds launches until the times are sure enough or the time limit is
 * reached, runs what looks slower once more, into the folder "again" in it, counts instructions in
 * "instructions", and asks all gates. *interrupted: an interrupt ended it, and not all was asked.
 *
 * cells   of the times; bench_against_release is due either way.
 */
base_status bench_check_run_jobs(const bench_check_job *job, bench_gate_report *report,
                                 bench_against_cells *cells, bool *interrupted,
                                 base_error *err) BASE_MUST_CHECK;

#endif
