/** What the two forms of `proxbench check` share. Private to cmd_check.c and check_against.c. */
#ifndef SUITE_CHECK_H
#define SUITE_CHECK_H

#include "suite/gate/against.h"

/** Option values of the command. */
typedef struct check_arguments {
    const char *baseline, *junit, *markdown, *format;
    bool bless, force;
    /* old against new */
    const char *against, *against_plugin, *plugin, *algorithm, *scenario, *mode, *tolerance, *out,
        *cache;
    uint64_t launches, rounds; /* UINT64_MAX: not given */
    double timeout_s;
    bool quiet;
} check_arguments;

/**
 * Rows on standard output, and the files that are asked for. times: of old against new; or NULL.
 * Errors: those of bench_output_close; BASE_ERR_ARGUMENT for an unknown format.
 */
base_status bench_check_write(const check_arguments *args, const bench_gate_report *report,
                              const bench_against_cells *times, const char *name,
                              base_error *err) BASE_MUST_CHECK;

/** The last line for people: what was held against what, and how it went. */
void bench_check_totals(const bench_gate_report *report, const char *run, const char *baseline);

/** `check EXPERIMENT --against ...`. Errors: those of bench_run, bench_against_answers and
 * bench_against_read, and of bad options; BASE_ERR_INPUT when nobody answers what is asked. */
base_status bench_check_against(const check_arguments *args, const char *reference,
                                int *exit_status, base_error *err) BASE_MUST_CHECK;

#endif
