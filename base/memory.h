/** The one hook below which every allocation goes, and arrays that grow. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <stddef.h>

/**
 * The one hook below which every allocation goes. NULL when out of memory. base_alloc returns
 * zeroed storage for count * size bytes (checked for overflow; may be 0), 64-byte aligned.
 */
void *base_alloc(size_t count, size_t size);
/** Of storage from base_alloc or base_grow, or NULL. */
void base_free(void *storage);

/**
 * Grows an array (items: a pointer, capacity: a size_t, both of the caller) so that it holds
 * `needed` items; at least doubles. The grown part is zeroed. NULL with capacity 0 is empty, and
 * base_free ends it.
 *
 * Errors   BASE_ERR_MEMORY, items and capacity untouched.
 */
#define base_reserve(items, capacity, needed, err)                                                 \
    base_grow(&(items), &(capacity), needed, sizeof *(items), err)
/** What base_reserve calls: items points to a pointer of any type. */
base_status base_grow(void *items, size_t *capacity, size_t needed, size_t item_size,
                      base_error *err) BASE_MUST_CHECK;

/** Tests only: n allocations from now on succeed, all later ones fail; SIZE_MAX turns it off. */
void base_memory_fail_after(size_t n);

#endif
