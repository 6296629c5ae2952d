/** A bit for each voxel of a grid, 64 neighbours along x in a word. */
#ifndef ALGORITHMS_VOXEL_BITS_H
#define ALGORITHMS_VOXEL_BITS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct alg_voxel_bits {
    uint32_t size[3];
    size_t row_words; /* words of a row along x; bits of the last one beyond size[0] are 0 */
    uint64_t *words;  /* owned (base_alloc), or the arena's: whoever made it says */
} alg_voxel_bits;

/** Words in all. */
static inline size_t alg_voxel_bits_words(const alg_voxel_bits *bits)
{
    return bits->row_words * bits->size[1] * bits->size[2];
}

/** The first word of the row along x at (y, z). */
static inline uint64_t *alg_voxel_bits_row(const alg_voxel_bits *bits, uint32_t y, uint32_t z)
{
    return bits->words + ((size_t)z * bits->size[1] + y) * bits->row_words;
}

static inline bool alg_voxel_bit(const alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    return alg_voxel_bits_row(bits, y, z)[x / 64] >> x % 64 & 1;
}

/** All bits 0. Errors: BASE_ERR_MEMORY. Memory: words are base_alloc's, until the release. */
base_status alg_voxel_bits_create(const uint32_t size[3], alg_voxel_bits *bits,
                                  base_error *err) BASE_MUST_CHECK;
/** Of bits that were created, or zeroed ones; *bits is zeroed. */
void alg_voxel_bits_release(alg_voxel_bits *bits);

/** How many are set. */
uint64_t alg_voxel_bits_count(const alg_voxel_bits *bits);

#endif
