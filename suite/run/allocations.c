#include "suite/run/allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED 1
#else
#define COUNTED 0
#endif

/* Global, because the C library's allocation functions have no context argument. */
static atomic_uint_fast64_t calls, failures;
/* Number of failures, in memory shared with the supervisor that outlives this process; or NULL. */
static _Atomic(uint64_t *) report;

bool bench_allocations_counted(void)
{
    return COUNTED;
}

uint64_t bench_allocations_count(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

uint64_t bench_allocations_failed_count(void)
{
    return atomic_load_explicit(&failures, memory_order_relaxed);
}

void bench_allocations_report_failures(uint64_t *count)
{
    atomic_store(&report, count);
}

#if COUNTED

/* glibc's internal names, which stay available when a program replaces the public functions. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/** Counts a call. Leaves errno unchanged, so that the caller sees the value of the C library. */
static void *counted(void *block, bool succeeded)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    if (!succeeded) {
        const uint64_t now = 1 + atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
        uint64_t *const told = atomic_load_explicit(&report, memory_order_relaxed);
        if (told) {
            *told = now;
        }
    }
    return block;
}

void *malloc(size_t size)
{
    void *const block = __libc_malloc(size);
    return counted(block, block);
}

void *calloc(size_t count, size_t size)
{
    void *const block = __libc_calloc(count, size);
    return counted(block, block);
}

void *realloc(void *old, size_t size)
{
    void *const block = __libc_realloc(old, size);
    return counted(block, block || (old && size == 0)); /* glibc frees a block of size 0 */
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return counted(NULL, false);
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    void *const block = __libc_memalign(alignment, size);
    return counted(block, block);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        (void)counted(NULL, false);
        return EINVAL;
    }
    const int before = errno;
    void *const aligned = memalign(alignment, size);
    errno = before; /* posix_memalign reports errors by its result only */
    if (!aligned) {
        return ENOMEM;
    }
    *block = aligned;
    return 0;
}

void *valloc(size_t size)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t padded;
    if (__builtin_add_overflow(size, page - 1, &padded)) {
        errno = ENOMEM;
        return counted(NULL, false);
    }
    return memalign(page, padded / page * page);
}

#endif
