/** Number of cases in the sweeps of a test. */
#ifndef BASE_TESTS_SWEEP_H
#define BASE_TESTS_SWEEP_H

#include <stddef.h>
#include <stdlib.h>

/**
 * Returns the step from case to case. A sweep in `make check` tests one case in `part`. `make
 * check-all` and `make mutants` set the environment variable ALL_CASES, and all sweeps test all
 * cases:
 *
 *     for (size_t i = 0; i < cases; i += sweep_step(4))
 */
static inline size_t sweep_step(size_t part)
{
    return getenv("ALL_CASES") ? 1 : part;
}

#endif
