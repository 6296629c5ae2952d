/**
 * Variants of a run whose answers another program made (suite/score): shown beside the others, but
 * without any comparison of times.
 */
#ifndef SUITE_COMPARE_ELSEWHERE_H
#define SUITE_COMPARE_ELSEWHERE_H

#include "suite/results/record.h"

/**
 * Prints a heading and a row for each such cell that is not left out, and each asked quantity: its
 * errors, the share of its frames within the tolerance, its status, and the times and the machine
 * as its user names them. Prints nothing if there is no such cell. The format must be one for
 * people. Errors: BASE_ERR_MEMORY.
 */
base_status bench_elsewhere_print(const bench_record *record, bench_format format, FILE *file,
                                  base_error *err) BASE_MUST_CHECK;

#endif
