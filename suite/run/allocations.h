/**
 * Counts the memory allocations of this process.
 *
 * The program replaces malloc and its relatives by wrappers that count each call and then call the
 * C library. The dynamic linker searches the program first, so calls from every shared library and
 * plug-in are counted too. C++'s new is counted because it calls malloc. Memory that a program
 * takes directly from the kernel (mmap, brk) is not counted.
 *
 * The replacement takes effect as soon as a program links any function of this header.
 */
#ifndef SUITE_ALLOCATIONS_H
#define SUITE_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * True if this build can count. False under sanitizers, which replace the same functions, and
 * without glibc; all counts are then 0. (The counts also stay 0 under valgrind's memcheck, which
 * replaces these functions by its own while the program runs.)
 */
bool bench_allocations_counted(void);

/**
 * Returns the number of calls so far, over all threads, of malloc, calloc, realloc, reallocarray,
 * aligned_alloc, posix_memalign, memalign, valloc and pvalloc. Failed calls are included. A call of
 * realloc counts even if it frees the block or does not move it.
 */
uint64_t bench_allocations_count(void);

/** Returns the number of these calls that failed: out of memory, or invalid arguments. */
uint64_t bench_allocations_failed_count(void);

/**
 * After this call, each failure also writes the number of failures to *count. The memory must stay
 * valid until the last allocation of the process; it is shared with the supervisor, which reads it
 * after the process has died. NULL stops the reports.
 */
void bench_allocations_report_failures(uint64_t *count);

#endif
