/** A binary heap of keys, the largest first: the queue of greedy packings. */
#ifndef ALGORITHMS_IST_HEAP_H
#define ALGORITHMS_IST_HEAP_H

#include <stddef.h>
#include <stdint.h>

/** Moves the key at `at` down to where it belongs; heap[at / 2 ...] above it are not looked at. */
static inline void alg_ist_sift_down(uint64_t *heap, size_t count, size_t at)
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

/** Makes a heap of keys in any order. */
static inline void alg_ist_heapify(uint64_t *heap, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        alg_ist_sift_down(heap, count, i);
    }
}

#endif
