/**
 * Two bits for each node of each level, computed from the voxels upwards: the node has voxels; the
 * node is full.
 */
#ifndef ALGORITHMS_IMP_PYRAMID_H
#define ALGORITHMS_IMP_PYRAMID_H

#include "algorithms/imp/tree.h"

typedef struct alg_imp_pyramid {
    uint32_t bits; /* k: each level has 2^k children along an edge */
    uint32_t root_level;
    alg_voxel_bits some[ALG_IMP_LEVELS_MAX + 1]; /* [l]: nodes of level l with voxels */
    alg_voxel_bits all[ALG_IMP_LEVELS_MAX + 1];  /* [l]: full nodes; words are NULL if there are
                                                    no full voxels */
    bool joined;                                 /* some[0] is owned, not the caller's surface
                                                    voxels */
} alg_imp_pyramid;

/**
 * Builds the pyramid. There are no voxels beyond the grid, so a node that reaches out of it is not
 * full.
 *
 * surface, full: borrowed, as for alg_imp_tree_build; full may be NULL.
 * Errors   BASE_ERR_MEMORY.
 * Memory   some[l] and all[l] come from base_alloc; release them with alg_imp_pyramid_release, also
 *          after a failure.
 * Cost     O(words of the grid), on options->threads threads.
 */
base_status alg_imp_pyramid_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                  const alg_imp_tree_options *options, alg_imp_pyramid *pyramid,
                                  base_error *err) BASE_MUST_CHECK;
void alg_imp_pyramid_release(alg_imp_pyramid *pyramid);

/**
 * Returns the bits of an octet: the 2 x 2 x 2 cells from (x, y, z) on, which are even, in Morton
 * order; 0 beyond the grid.
 */
static inline uint8_t alg_imp_octet(const alg_voxel_bits *bits, alg_imp_cell at)
{
    uint32_t octet = 0;
    if (at.x >= bits->size[0]) {
        return 0;
    }
    for (uint32_t row = 0; row < 4; row++) {
        const uint32_t y = at.y + (row & 1), z = at.z + (row >> 1);
        if (y < bits->size[1] && z < bits->size[2]) {
            const uint64_t word = alg_voxel_bits_row(bits, y, z)[at.x / 64];
            octet |= (uint32_t)(word >> at.x % 64 & 3) << 2 * row;
        }
    }
    return (uint8_t)octet;
}

#endif
