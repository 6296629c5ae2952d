/**
 * Plain types shared by all modules, including the installed plug-in header.
 *
 * Data only: no function, no dependency, valid C99 and C++11, so that a closed-source library can
 * include it. The functions on these types are in vec.h and pose.h.
 */
#ifndef GEOMETRY_TYPES_H
#define GEOMETRY_TYPES_H

#include <stdint.h>

typedef struct geo_vec3 {
    double x, y, z;
} geo_vec3;

typedef struct geo_vec3f {
    float x, y, z;
} geo_vec3f;

/** Rows of a 3x3 matrix: (m v)_i = dot(row[i], v). */
typedef struct geo_mat3 {
    geo_vec3 row[3];
} geo_mat3;

/** Unit quaternion, vector part first, w last (the order of trajectory files). */
typedef struct geo_quat {
    double x, y, z, w;
} geo_quat;

/** Rigid motion p -> rotation * p + translation. For a pair of bodies: from B's frame to A's. */
typedef struct geo_pose {
    geo_mat3 rotation;
    geo_vec3 translation;
} geo_pose;

/** Vertex indices of a triangle, counter-clockwise as seen from outside. */
typedef struct geo_face {
    uint32_t v[3];
} geo_face;

/** Axis-aligned box; empty if any lo > hi. */
typedef struct geo_box {
    geo_vec3 lo, hi;
} geo_box;

typedef struct geo_triangle {
    geo_vec3 p[3];
} geo_triangle;

typedef struct geo_ball {
    geo_vec3 centre;
    double radius;
} geo_ball;

#endif
