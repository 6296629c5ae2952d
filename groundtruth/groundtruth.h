/**
 * The ground truth: exact distance, exact volume of the intersection and its gradients, pairs of
 * triangles that intersect, penetration depth, and forces of the depth law. Each is a bracket, or a
 * value with a bound of its error, and has a certificate.
 *
 * A body is a closed solid. A body inside another one overlaps it, and the distance of overlapping
 * bodies is 0. A mesh that is not a solid counts as a set of triangles. It has a distance (0 inside
 * a solid) and pairs. It contains nothing, and has no volume, depth or force.
 *
 * All results are deterministic and do not depend on the number of threads. The only code shared
 * with a contestant is the primitives of geometry/.
 */
#ifndef GROUNDTRUTH_GROUNDTRUTH_H
#define GROUNDTRUTH_GROUNDTRUTH_H

#include "groundtruth/body/body.h"
#include "groundtruth/body/types.h"
#include "groundtruth/certificate.h"
#include "groundtruth/contact/pairs.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/depth/separation.h"
#include "groundtruth/depth/window.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/force/depth_force.h"
#include "groundtruth/trajectory.h"
#include "groundtruth/volume/flux.h"
#include "groundtruth/volume/volume_tetra.h"
#include "groundtruth/voxels.h"

#endif
