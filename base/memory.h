/** Memory: the allocation function, growing arrays, and arenas. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <stddef.h>

/**
 * Returns zeroed, 64-byte aligned storage of count * size bytes, which may be 0. Returns NULL if
 * memory is short or the product overflows. All other code allocates by this function.
 */
void *base_alloc(size_t count, size_t size);
/** Frees storage from base_alloc or base_grow, or NULL. */
void base_free(void *storage);

/**
 * Grows an array so that it has room for `needed` items. items (a pointer) and capacity (a size_t)
 * are variables of the caller. If the array grows, its capacity at least doubles, and the new part
 * is zeroed. NULL with capacity 0 is an empty array. The caller frees the array by base_free.
 *
 * Errors   BASE_ERR_MEMORY; items and capacity are then unchanged.
 */
#define base_reserve(items, capacity, needed, err)                                                 \
    base_grow(&(items), &(capacity), needed, sizeof *(items), err)
/** The function behind base_reserve; items points to a pointer of any type. */
base_status base_grow(void *items, size_t *capacity, size_t needed, size_t item_size,
                      base_error *err) BASE_MUST_CHECK;

/** For tests only: the next n allocations succeed, all later ones fail; SIZE_MAX turns it off. */
void base_memory_fail_after(size_t n);

/* --- Arenas ----------------------------------------------------------------------------------- */

/** Bump allocator for objects with a common lifetime. A zero-initialised arena is empty. */
typedef struct base_arena {
    struct base_arena_block *blocks;
    size_t bytes; /* allocated bytes, including padding: the memory that a build reports */
} base_arena;

/** Returns zeroed, 64-byte aligned storage; NULL if memory is short. count may be 0. */
void *base_arena_alloc(base_arena *arena, size_t count, size_t size);
/** Returns a copy of the text; NULL if memory is short. */
char *base_arena_text(base_arena *arena, const char *text);
void base_arena_release(base_arena *arena);

#endif
