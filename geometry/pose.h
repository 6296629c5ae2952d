/**
 * Rotations and rigid motions. Every contestant and every truth method moves the corners of a body
 * by geo_pose_apply, so all of them use the same doubles fl(R p + t).
 */
#ifndef GEOMETRY_POSE_H
#define GEOMETRY_POSE_H

#include "base/elementary.h"
#include "base/random.h"
#include "geometry/vec.h"

#include <float.h>

static inline geo_pose geo_pose_identity(void)
{
    return (geo_pose){{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
}

/** Returns fl(R p + t). */
static inline vec3 geo_pose_apply(const geo_pose *pose, vec3 p)
{
    return vec3_add(mat3_mul_vec3(pose->rotation, p), pose->translation);
}

/** Rotates a vector (direction, offset): R v. */
static inline vec3 geo_pose_rotate(const geo_pose *pose, vec3 v)
{
    return mat3_mul_vec3(pose->rotation, v);
}

static inline geo_triangle geo_pose_apply_triangle(const geo_pose *pose, geo_triangle t)
{
    return (geo_triangle){
        {geo_pose_apply(pose, t.p[0]), geo_pose_apply(pose, t.p[1]), geo_pose_apply(pose, t.p[2])}};
}

/** Returns the pose p -> transpose(R) (p - t), up to rounding. */
static inline geo_pose geo_pose_inverse(const geo_pose *pose)
{
    const vec3 t = mat3_tmul_vec3(pose->rotation, pose->translation);
    return (geo_pose){mat3_transpose(pose->rotation), {-t.x, -t.y, -t.z}};
}

/** Returns the composition: first b, then a. */
static inline geo_pose geo_pose_compose(const geo_pose *a, const geo_pose *b)
{
    return (geo_pose){mat3_mul(a->rotation, b->rotation), geo_pose_apply(a, b->translation)};
}

static inline geo_quat geo_quat_identity(void)
{
    return (geo_quat){0, 0, 0, 1};
}

/** Normalises to unit length; the zero quaternion becomes the identity. */
static inline geo_quat geo_quat_normalize(geo_quat q)
{
    const double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return n > 0 ? (geo_quat){q.x / n, q.y / n, q.z / n, q.w / n} : geo_quat_identity();
}

/** Returns the Hamilton product: first b, then a. */
static inline geo_quat geo_quat_mul(geo_quat a, geo_quat b)
{
    return (geo_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/** Returns the rotation matrix of a quaternion, which is normalised first. */
static inline mat3 geo_quat_matrix(geo_quat quat)
{
    const geo_quat q = geo_quat_normalize(quat);
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

/** Returns the quaternion of a rotation matrix, up to rounding. */
geo_quat geo_quat_from_matrix(mat3 m);

static inline geo_pose geo_pose_make(geo_quat q, vec3 translation)
{
    return (geo_pose){geo_quat_matrix(q), translation};
}

/**
 * Returns the pose with its smallest entries replaced by 0: those of the rotation whose absolute
 * value is below 2^-100, and those of the translation below GEO_COORDINATE_LEAST. Coordinates of
 * corners moved by the result are 0 or large enough for exact signs (predicates.h). The replacement
 * changes a coordinate by at most a unit in its last place, or by 2^-98 of the body's reach plus
 * GEO_COORDINATE_LEAST.
 */
geo_pose geo_pose_settled(const geo_pose *pose);

/* --- Interpolation ---------------------------------------------------------------------------- */

/** Interpolates along the shortest arc from a (share 0) to b (share 1), at constant speed. */
geo_quat geo_slerp(geo_quat a, geo_quat b, double share);
/** Does the same for unit vectors, along the great circle. */
vec3 geo_slerp_direction(vec3 a, vec3 b, double share);
/** Returns the angle between unit vectors; small angles are precise, too. */
double geo_direction_angle(vec3 a, vec3 b);
/**
 * Returns the smaller one of |a - b| and |a + b|. It is 2 sin(angle / 4) for the angle of the
 * rotation from one orientation to the other.
 */
double geo_quat_chord(geo_quat a, geo_quat b);

/* --- Motions in float, for bounding volumes in two frames ------------------------------------- */

/**
 * Returns the margin by which bounding volumes in float must grow when they are compared in two
 * frames. It covers the roundings in float, for which 48 units in the last place of the sum of all
 * lengths are enough, and the normals, which are slightly shorter than 1.
 *
 * size_a, size_b: greatest distance of the contents of each frame from its origin.
 * apart: distance between the two origins.
 * error: bound of the error, in double, of the objects inside the bounding volumes.
 */
static inline float geo_motion_margin(double size_a, double size_b, double apart, double error)
{
    return base_float_above(48 * (double)FLT_EPSILON * (size_a + size_b + apart) + error);
}

/** A motion from one frame to the other: the columns of its rotation, and its translation. */
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

/* --- Eigenvectors ----------------------------------------------------------------------------- */

typedef struct geo_eigen {
    double value[3]; /* the largest first */
    vec3 vector[3];  /* unit, right-handed */
} geo_eigen;

/**
 * Returns the eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's method. The bits are
 * the same on every machine. The vectors are orthonormal up to rounding for every matrix. Those of
 * a diagonal matrix are the coordinate axes, up to order and sign.
 *
 * Cost     about 1 us.
 */
geo_eigen geo_eigen_symmetric(mat3 m);

/* --- Random directions and rotations, with the same bits everywhere --------------------------- */

/**
 * Returns a direction with uniform distribution on the unit sphere, by the method of Marsaglia
 * 1972: a random point of the unit disc is projected to the sphere.
 */
vec3 geo_random_direction(base_random *random);
/**
 * Returns a uniformly distributed rotation, by the method of Shoemake 1992: from three uniform
 * numbers.
 */
geo_quat geo_random_rotation(base_random *random);

#endif
