#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT ((size_t)64)
/* Larger storage requests pages of this size. Hierarchies are read at scattered places, where
 * each small page costs a walk through the page table. The kernel may refuse. */
#define HUGE_PAGE ((size_t)2 << 20)
#define UNLIMITED SIZE_MAX

/* The one mutable variable at file scope: the failure hook of the tests. */
static _Atomic size_t allocations_left = UNLIMITED;

/** Takes one allocation from the hook's allowance; returns false if it is used up. */
static bool take_allowance(void)
{
    size_t left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
    while (left != UNLIMITED) {
        if (left == 0) {
            return false;
        }
        if (atomic_compare_exchange_weak(&allocations_left, &left, left - 1)) {
            return true;
        }
    }
    return true;
}

void base_memory_fail_after(size_t n)
{
    atomic_store(&allocations_left, n);
}

void *base_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - ALIGNMENT ||
        !take_allowance()) {
        return NULL;
    }
    /* The size is not rounded up to the alignment, so that the sanitizer detects every access
     * beyond the end. */
    void *storage = NULL;
    const size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
    if (posix_memalign(&storage, alignment, bytes == 0 ? 1 : bytes) != 0) {
        return NULL;
    }
    if (bytes >= HUGE_PAGE) {
        (void)madvise(storage, bytes - bytes % HUGE_PAGE, MADV_HUGEPAGE);
    }
    memset(storage, 0, bytes);
    return storage;
}

void base_free(void *storage)
{
    free(storage);
}

base_status base_grow(void *items, size_t *capacity, size_t needed, size_t item_size,
                      base_error *err)
{
    if (needed <= *capacity) {
        return BASE_OK;
    }
    const size_t doubled = *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity;
    const size_t target = needed > doubled ? needed : doubled;
    void *const grown = base_alloc(target, item_size);
    if (!grown) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu items of %zu bytes", target,
                         item_size);
    }
    /* Uses memcpy, since the caller's pointer has another type. */
    void *old;
    memcpy(&old, items, sizeof old);
    if (*capacity > 0) {
        memcpy(grown, old, *capacity * item_size);
    }
    base_free(old);
    memcpy(items, &grown, sizeof grown);
    *capacity = target;
    return BASE_OK;
}
