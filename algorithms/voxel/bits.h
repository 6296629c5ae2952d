/** One bit for each voxel of a grid; a word holds 64 neighbours along x. */
#ifndef ALGORITHMS_VOXEL_BITS_H
#define ALGORITHMS_VOXEL_BITS_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct alg_voxel_bits {
    uint32_t size[3];
    size_t row_words; /* words per row along x; bits of the last word beyond size[0] are 0 */
    uint64_t *words;  /* owned (base_alloc), or in an arena, as the creating function says */
} alg_voxel_bits;

/** Returns the total number of words. */
static inline size_t alg_voxel_bits_words(const alg_voxel_bits *bits)
{
    return bits->row_words * bits->size[1] * bits->size[2];
}

/** Returns the first word of the row along x at (y, z). */
static inline uint64_t *alg_voxel_bits_row(const alg_voxel_bits *bits, uint32_t y, uint32_t z)
{
    return bits->words + ((size_t)z * bits->size[1] + y) * bits->row_words;
}

static inline bool alg_voxel_bit(const alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    return alg_voxel_bits_row(bits, y, z)[x / 64] >> x % 64 & 1;
}

/**
 * Creates bits that are all 0. Errors: BASE_ERR_MEMORY. Memory: words come from base_alloc; release
 * them with alg_voxel_bits_release.
 */
base_status alg_voxel_bits_create(const uint32_t size[3], alg_voxel_bits *bits,
                                  base_error *err) BASE_MUST_CHECK;
/** Releases bits from alg_voxel_bits_create, or zeroed ones. *bits is zeroed. */
void alg_voxel_bits_release(alg_voxel_bits *bits);

/** Returns the number of set bits. */
uint64_t alg_voxel_bits_count(const alg_voxel_bits *bits);

#endif
