/**
 * Disjoint sets of numbers. A set is a tree, identified by its root, which is its smallest number.
 */
#ifndef BASE_SETS_H
#define BASE_SETS_H

#include <stddef.h>
#include <stdint.h>

/** Makes every number a set of its own. */
static inline void base_sets_init(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parent[i] = (uint32_t)i;
    }
}

/** Returns the root of the set of i. Halves the path to it for later calls. */
static inline uint32_t base_sets_find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/** Joins the sets of i and j. */
static inline void base_sets_join(uint32_t *parent, uint32_t i, uint32_t j)
{
    const uint32_t a = base_sets_find(parent, i), b = base_sets_find(parent, j);
    parent[a < b ? b : a] = a < b ? a : b;
}

#endif
