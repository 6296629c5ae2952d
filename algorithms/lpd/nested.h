/** A solid wholly inside of another one: no triangles meet, and there is no curve. */
#ifndef ALGORITHMS_LPD_NESTED_H
#define ALGORITHMS_LPD_NESTED_H

#include "algorithms/lpd/boxes.h"
#include "algorithms/lpd/exact.h"

/** Is a part of one body inside of the other? Of solids whose triangles do not meet; false for
 * other meshes. */
bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose);

/**
 * The way out of bodies of which one is inside of the other: the shortest of those along the six
 * directions of the axes of the smaller body's box, the one that comes first where they are equal.
 * Moved by it, the bodies are apart. No other translation along these axes is shorter if both
 * bodies are convex.
 *
 * *box becomes that of the way: the smaller body's box, its third axis is the direction.
 *
 * Memory   no allocation.
 * Cost     six alg_lpd_depth_through.
 */
alg_lpd_way alg_lpd_nested_way(const alg_lpd_pair *pair, const geo_pose *pose,
                               alg_lpd_column *column, alg_lpd_box *box, uint64_t *tests);

#endif
