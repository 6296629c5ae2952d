#include "base/memory.h"

#include "base/error.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT ((size_t)64)
/* Storage of at least this size requests pages of this size from the kernel, which may refuse.
 * Hierarchies are read at scattered addresses, and with small pages many of these reads would need
 * a lookup in the page table. */
#define HUGE_PAGE ((size_t)2 << 20)
#define UNLIMITED SIZE_MAX

/* The failure hook of the tests: the number of allocations that may still succeed. */
static _Atomic size_t allocations_left = UNLIMITED;

/** Counts one allocation of those that the hook allows; returns false if none is left. */
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

/* --- Arenas ----------------------------------------------------------------------------------- */

/*
 * The address sanitizer is told which bytes are in use, so that it detects every access beyond the
 * end of an allocation.
 */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define BLOCK_LEAST    ((size_t)4096)
#define BLOCK_GREATEST ((size_t)1 << 20)

/** Header of a block, one alignment unit; the storage follows it. */
struct base_arena_block {
    _Alignas(64) struct base_arena_block *next;
    size_t size; /* bytes of storage */
    size_t used;
};
_Static_assert(sizeof(struct base_arena_block) == 64, "the storage of a block is aligned");

/** Adds a block with room for the request to the list; NULL if memory is short. */
static struct base_arena_block *add_block(base_arena *arena, size_t request)
{
    /* Blocks grow with the arena up to the greatest size, so that a small arena wastes little
     * memory and a large one has few blocks. */
    size_t size = arena->bytes;
    size = size < BLOCK_LEAST ? BLOCK_LEAST : size;
    size = size > BLOCK_GREATEST ? BLOCK_GREATEST : size;
    size -= sizeof(struct base_arena_block);
    size = request > size ? request : size;
    struct base_arena_block *const block = base_alloc(1, sizeof(struct base_arena_block) + size);
    if (!block) {
        return NULL;
    }
    ASAN_POISON_MEMORY_REGION(block + 1, size);
    block->size = size;
    struct base_arena_block *const head = arena->blocks;
    if (head && head->size - head->used > size - request) {
        /* The head has more room left than the new block will have, so it stays the head. */
        block->next = head->next;
        head->next = block;
    } else {
        block->next = head;
        arena->blocks = block;
    }
    return block;
}

void *base_arena_alloc(base_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * ALIGNMENT) {
        return NULL;
    }
    const size_t request = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct base_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < request) {
        block = add_block(arena, request);
        if (!block) {
            return NULL;
        }
    }
    char *const storage = (char *)(block + 1) + block->used;
    ASAN_UNPOISON_MEMORY_REGION(storage, bytes);
    block->used += request;
    base_assert(block->used <= block->size);
    arena->bytes += request;
    return storage;
}

char *base_arena_text(base_arena *arena, const char *text)
{
    char *const copy = base_arena_alloc(arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

void base_arena_release(base_arena *arena)
{
    struct base_arena_block *block = arena->blocks;
    while (block) {
        struct base_arena_block *const next = block->next;
        base_free(block);
        block = next;
    }
    *arena = (base_arena){0};
}
