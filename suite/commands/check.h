/**
 * Interface between the parts of `proxbench check`.
 *
 *   cmd_check.c      options; a run against its baseline
 *   check_against.c  old code against new: selection of cells, and the gates
 *   check_jobs.c     old code against new: the jobs (timed, extended, repeated, counted)
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
 * Prints the rows on standard output, and writes the requested files. times: those of old against
 * new, or NULL.
 * Errors: those of bench_output_close; BASE_ERR_ARGUMENT for an unknown format.
 */
base_status bench_check_write(const bench_check_arguments *args, const bench_gate_report *report,
                              const bench_against_cells *times, const char *name,
                              base_error *err) BASE_MUST_CHECK;
/**
 * Prints the last lines for people: what was not compared, the two sides of the comparison, and the
 * totals. job: true for old code against new.
 */
void bench_check_tell_totals(const bench_gate_report *report, bool job, const char *run,
                             const char *baseline);

/**
 * Runs `check EXPERIMENT --against ...`. Errors: those of bench_run, bench_against_answers and
 * bench_against_read, and those of bad options; BASE_ERR_INPUT if no variant answers the requested
 * quantities, or if valgrind is requested but not installed.
 */
base_status bench_check_against(const bench_check_arguments *args, const char *reference,
                                int *exit_status, base_error *err) BASE_MUST_CHECK;

/** Parameters that all jobs of old against new share. */
typedef struct bench_check_job {
    const bench_run_options *run; /* of the first job; borrowed */
    double tolerance, time_limit_s;
    bool strict, instructions;
} bench_check_job;

/**
 * Runs the first job in its folder and adds launches until the times are certain enough or the time
 * limit is reached. Repeats cells that look slower, in the folder "again" in it. Counts
 * instructions in the folder "instructions". Then asks all gates. *interrupted: an interrupt ended
 * it, and not all gates were asked.
 *
 * cells   of the times; the caller must call bench_against_release either way.
 */
base_status bench_check_run_jobs(const bench_check_job *job, bench_gate_report *report,
                                 bench_against_cells *cells, bool *interrupted,
                                 base_error *err) BASE_MUST_CHECK;

#endif
