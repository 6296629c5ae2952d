/**
 * The 2-bit descriptors of all voxels of a grid: from a voxmap to descriptors, and from descriptors
 * to bits.
 */
#ifndef ALGORITHMS_IMP_DESCRIPTORS_H
#define ALGORITHMS_IMP_DESCRIPTORS_H

#include "algorithms/imp/body.h"
#include "algorithms/voxel/map.h"
#include "geometry/surface.h"

/**
 * Returns the size in bytes of the descriptors of a grid: rows along x are whole bytes, y is
 * fastest.
 */
size_t alg_imp_descriptors_bytes(const uint32_t size[3]);

/**
 * Fills the descriptors, which have alg_imp_descriptors_bytes bytes.
 *
 * Shapes   map: in blocks, of two layers or more.
 * Cost     some ns per eight voxels, on `threads` threads.
 */
void alg_imp_descriptors_fill(const alg_voxel_map *map, unsigned threads, uint8_t *descriptors);

/**
 * Empties voxels that are full in the map but not inside of the solid. They belong to a hollow that
 * a flood from the outside cannot reach, or reaches only through openings that are narrower than
 * voxels. Voxels of a row without a surface voxel between them are on the same side.
 *
 * surface: of the solid; NULL if the mesh is not a solid: then all voxels are outside.
 * Cost     some 0.2 us per stretch of a row, on `threads` threads.
 */
void alg_imp_descriptors_leave_hollows(const alg_voxel_map *map, const geo_surface *surface,
                                       unsigned threads, uint8_t *descriptors);

/**
 * Sets the bits of the voxels of one kind. `bits` has the size of the grid, and all of its bits are
 * 0.
 */
void alg_imp_descriptors_select(const uint8_t *descriptors, alg_imp_descriptor kind,
                                unsigned threads, alg_voxel_bits *bits);

#endif
