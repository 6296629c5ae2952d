/** Data structures over arrays of the caller: a heap of keys, and disjoint sets of numbers. */
#ifndef BASE_CONTAINERS_H
#define BASE_CONTAINERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* --- Heap ------------------------------------------------------------------------------------- */

/*
 * A binary heap of keys, the largest first, used as the queue of greedy methods.
 */

/**
 * Returns the key of an item. Keys are ordered by weight, rounded to float, and equal weights by
 * index. The weight must be 0 or positive (not -0), the index below 2^32.
 */
static inline uint64_t base_heap_key(double weight, size_t index)
{
    const float rounded = (float)weight;
    uint32_t bits; /* as integers, the bits of floats >= 0 have the order of the floats */
    memcpy(&bits, &rounded, sizeof bits);
    return (uint64_t)bits << 32 | index;
}

/** Returns the index of the item that has this key. */
static inline size_t base_heap_index(uint64_t key)
{
    return (uint32_t)key;
}

/**
 * Moves the key at `at` down until none of its children is larger. The trees below both of its
 * children must be heaps. The keys above it are unchanged.
 */
static inline void base_heap_sift_down(uint64_t *heap, size_t count, size_t at)
{
    const uint64_t key = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) {
            break;
        }
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= key) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = key;
}

/** Moves the key at `at` up until the key above it is not smaller. The keys before it must form
 * a heap. */
static inline void base_heap_sift_up(uint64_t *heap, size_t at)
{
    const uint64_t key = heap[at];
    for (; at > 0 && heap[(at - 1) / 2] < key; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = key;
}

/** Orders any keys as a heap. */
static inline void base_heap_make(uint64_t *heap, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        base_heap_sift_down(heap, count, i);
    }
}

/* --- Disjoint sets ---------------------------------------------------------------------------- */

/*
 * A set is a tree of numbers. parent[i] is the number above i, or i itself at the root. The root
 * is the smallest number of the set and identifies it.
 */

/** Makes every number a set of its own. */
static inline void base_sets_init(uint32_t *parent, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parent[i] = (uint32_t)i;
    }
}

/** Returns the root of the set of i. Halves the path from i to the root for later calls. */
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
