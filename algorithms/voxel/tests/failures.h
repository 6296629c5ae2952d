/** Failing memory, for tests that each allocation that fails is reported. */
#ifndef ALGORITHMS_VOXEL_TESTS_FAILURES_H
#define ALGORITHMS_VOXEL_TESTS_FAILURES_H

#include "base/error.h"
#include "base/memory.h"

#include <criterion/criterion.h>

/**
 * Calls a function that returns a base_status and fills `err`: first with its first allocation
 * failing, then with its second one, and so on, until it succeeds. Each failure must be
 * BASE_ERR_MEMORY. `clean` runs after each call. Sets `failures`, a size_t, to the number of
 * failures.
 */
#define COUNT_FAILURES(failures, err, call, clean)                                                 \
    do {                                                                                           \
        base_status status_ = BASE_ERR_MEMORY;                                                     \
        for ((failures) = 0; status_ != BASE_OK; (failures)++) {                                   \
            base_memory_fail_after(failures);                                                      \
            status_ = (call);                                                                      \
            base_memory_fail_after(SIZE_MAX);                                                      \
            clean;                                                                                 \
            cr_assert(status_ == BASE_OK || status_ == BASE_ERR_MEMORY, "%zu: %s",                 \
                      (size_t)(failures), (err).text);                                             \
        }                                                                                          \
        (failures)--;                                                                              \
    } while (0)

#endif
