/** Solids of which one is wholly inside of the other: no triangles meet, so there is no curve. */
#ifndef ALGORITHMS_LPD_NESTED_H
#define ALGORITHMS_LPD_NESTED_H

#include "algorithms/lpd/boxes.h"
#include "algorithms/lpd/exact.h"

/** Returns true if a part of one body is inside of the other. The bodies are solids whose triangles
 * do not meet. Returns false for other meshes. */
bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose);

/**
 * Returns the way out if one body is inside of the other: the shortest along the six directions of
 * the axes of the smaller body's box, the first of these if several are equal. Moved by it, the
 * bodies are apart. If both bodies are convex, no other translation along these axes is shorter.
 *
 * *box becomes the smaller body's box, with the direction as its third axis.
 *
 * Memory   no allocation.
 * Cost     six calls of alg_lpd_depth_through.
 */
alg_lpd_way alg_lpd_nested_way(const alg_lpd_pair *pair, const geo_pose *pose,
                               alg_lpd_column *column, alg_lpd_box *box, uint64_t *tests);

#endif
