/** What samplers know of two bodies: their extents, and an oracle for exact answers. */
#ifndef SCENARIOS_PAIR_H
#define SCENARIOS_PAIR_H

#include "base/error.h"
#include "geometry/mesh.h"

#include <stdbool.h>

/**
 * Exact answers about the pair, given by the suite. Poses carry B's frame into A's; they are made
 * by geo_pose_make from just the numbers that the trajectory gets. An error ends the sampler.
 */
typedef struct scn_oracle {
    void *context;
    /** Distance of the solids; 0 when they overlap. */
    base_status (*distance)(void *context, const geo_pose *pose, double *distance_m,
                            base_error *err);
    /** NULL when the pair has no volume truth. */
    base_status (*volume)(void *context, const geo_pose *pose, double *volume_m3, base_error *err);
    /** Told of each frame, by its number among those asked for, that is left out because no pose
     * with its value was found (m or m3). NULL: nobody wants to know. */
    void (*left_out)(void *context, size_t frame, double wanted);
} scn_oracle;

/** What the samplers need to know of the two bodies, each in its own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* the smallest around all vertices of faces */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
    /** From the frame of a surface's principal axes, the longest extent first, to the body's. */
    geo_quat axes_a, axes_b;
} scn_pair;

/** Bounding ball, box, measures and axes of a mesh pair; solid_x says whether its volume counts. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

#endif
