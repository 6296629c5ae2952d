/** A rigid motion in float, and what floats round off: for bounds of pieces in two frames. */
#ifndef GEOMETRY_MOTION_H
#define GEOMETRY_MOTION_H

#include "base/elementary.h"
#include "geometry/box.h"
#include "geometry/pose.h"

#include <float.h>

/**
 * The margin for two frames whose contents are within size_a and size_b of their origins, which
 * are `apart`: about fifty roundings in float of products of such lengths, and normals that are
 * short by four units. `error`: of what the volumes bound, in double.
 */
static inline float geo_motion_margin(double size_a, double size_b, double apart, double error)
{
    return base_float_above(48 * (double)FLT_EPSILON * (size_a + size_b + apart) + error);
}

/** Carries from one frame to the other: the columns of the rotation, and the translation. */
typedef struct geo_motion {
    float column[3][4], t[4];
} geo_motion;

static inline geo_motion geo_motion_make(const geo_pose *pose)
{
    geo_motion m = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.column[k][i] = (float)vec3_get(pose->rotation.row[i], k);
        }
        m.t[i] = (float)vec3_get(pose->translation, i);
    }
    return m;
}

#endif
