/** The 2-bit descriptors of all voxels of a grid: of a voxmap, and back to bits. */
#ifndef ALGORITHMS_IMP_DESCRIPTORS_H
#define ALGORITHMS_IMP_DESCRIPTORS_H

#include "algorithms/imp/body.h"
#include "algorithms/voxel/map.h"
#include "geometry/surface.h"

/** Bytes of the descriptors of a grid: rows along x of whole bytes, y fastest. */
size_t alg_imp_descriptors_bytes(const uint32_t size[3]);

/**
 * descriptors: room for alg_imp_descriptors_bytes.
 *
 * Shapes   map: in blocks, of two layers or more.
 * Cost     some ns for eight voxels, on as many threads.
 */
void alg_imp_descriptors_fill(const alg_voxel_map *map, unsigned threads, uint8_t *descriptors);

/**
 * Makes empty what is full for the map and not inside of the solid: a hollow that no flood from the
 * outside reaches, or only through openings that are narrower than voxels. Voxels in a row without
 * a surface voxel between them are on one side.
 *
 * surface: of the solid; NULL of what is none: nothing is inside.
 * Cost     some 0.2 us for each stretch of a row, on as many threads.
 */
void alg_imp_descriptors_leave_hollows(const alg_voxel_map *map, const geo_surface *surface,
                                       unsigned threads, uint8_t *descriptors);

/** Sets the bits of the voxels of one kind; `bits` has the size of the grid, and all bits 0. */
void alg_imp_descriptors_select(const uint8_t *descriptors, alg_imp_descriptor kind,
                                unsigned threads, alg_voxel_bits *bits);

#endif
