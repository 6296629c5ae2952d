/**
 * How often this process asked for memory.
 *
 * The program defines malloc and its relatives itself, counts, and hands the call on to the C
 * library. As the program comes first in the dynamic linker's search, calls from every shared
 * library and plug-in arrive here too, and with malloc C++'s new. What a program takes from the
 * kernel itself (mmap, brk) is not seen.
 *
 * Linking any function of this header into a program is all that it takes.
 */
#ifndef SUITE_ALLOCATIONS_H
#define SUITE_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Whether this build can count. Not under sanitizers, which replace the same functions, nor
 * without glibc; the counts are 0 then. (They stay 0 under valgrind's memcheck, too, which puts its
 * own functions in place of these while the program runs.)
 */
bool bench_allocations_counted(void);

/**
 * Calls so far, of all threads: malloc, calloc, realloc, reallocarray, aligned_alloc,
 * posix_memalign, memalign, valloc and pvalloc; those that failed included. realloc counts even
 * where it frees or stays in place.
 */
uint64_t bench_allocations_count(void);

/** Those among them that found no memory, or whose arguments were refused. */
uint64_t bench_allocations_failed_count(void);

/**
 * From here on each failure also writes the count to *count, which must outlive the process's last
 * allocation: memory shared with whoever asks why the process died. NULL ends it.
 */
void bench_allocations_report_failures(uint64_t *count);

#endif
