#include "geometry/pose.h"

#include "base/elementary.h"
#include "geometry/mesh.h"

#include <math.h>

/* Below this angle, sin(x) is replaced by x, which differs by less than 2e-13 of x. For the angle 0
 * the weights would be 0 / 0. */
#define ANGLE_SMALL 1e-6

static geo_quat combine(double u, geo_quat a, double v, geo_quat b)
{
    return (geo_quat){u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z, u * a.w + v * b.w};
}

static double norm(geo_quat q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/* Computes the other components from the largest of the four, so that no digits cancel. */
geo_quat geo_quat_from_matrix(mat3 m)
{
    const vec3 r0 = m.row[0], r1 = m.row[1], r2 = m.row[2];
    const double squares[4] = {1 + r0.x - r1.y - r2.z, 1 - r0.x + r1.y - r2.z,
                               1 - r0.x - r1.y + r2.z, 1 + r0.x + r1.y + r2.z};
    int largest = 3;
    for (int i = 0; i < 3; i++) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    const double t = squares[largest];
    const double xy = r0.y + r1.x, xz = r0.z + r2.x, yz = r1.z + r2.y;
    const double wx = r2.y - r1.z, wy = r0.z - r2.x, wz = r1.x - r0.y;
    const geo_quat candidates[4] = {
        {t, xy, xz, wx}, {xy, t, yz, wy}, {xz, yz, t, wz}, {wx, wy, wz, t}};
    return geo_quat_normalize(candidates[largest]);
}

geo_quat geo_slerp(geo_quat a, geo_quat b, double share)
{
    if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0) {
        b = combine(-1, b, 0, b);
    }
    const double angle = 2 * base_atan2(norm(combine(1, a, -1, b)), norm(combine(1, a, 1, b)));
    if (angle < ANGLE_SMALL) {
        return geo_quat_normalize(combine(1 - share, a, share, b));
    }
    const double u = base_sin((1 - share) * angle), v = base_sin(share * angle);
    return geo_quat_normalize(combine(u, a, v, b));
}

double geo_direction_angle(vec3 a, vec3 b)
{
    return 2 * base_atan2(vec3_norm(vec3_sub(a, b)), vec3_norm(vec3_add(a, b)));
}

vec3 geo_slerp_direction(vec3 a, vec3 b, double share)
{
    const double angle = geo_direction_angle(a, b);
    if (angle < ANGLE_SMALL) {
        return vec3_normalize(vec3_madd(vec3_scale(1 - share, a), share, b));
    }
    /* Uses the part of b orthogonal to a, which is also accurate if b is nearly -a. */
    vec3 across = vec3_madd(b, -vec3_dot(a, b), a);
    if (vec3_norm(across) < ANGLE_SMALL) {
        const vec3 axis = fabs(a.x) < 0.5 ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
        across = vec3_cross(a, axis);
    }
    across = vec3_normalize(across);
    const double turn = share * angle;
    return vec3_normalize(vec3_madd(vec3_scale(base_cos(turn), a), base_sin(turn), across));
}

double geo_quat_chord(geo_quat a, geo_quat b)
{
    return fmin(norm(combine(1, a, -1, b)), norm(combine(1, a, 1, b)));
}

/** Returns v with 0 in place of components whose absolute value is below `least`. */
static vec3 without(vec3 v, double least)
{
    return (vec3){fabs(v.x) < least ? 0 : v.x, fabs(v.y) < least ? 0 : v.y,
                  fabs(v.z) < least ? 0 : v.z};
}

geo_pose geo_pose_settled(const geo_pose *pose)
{
    geo_pose settled = {.translation = without(pose->translation, GEO_COORDINATE_LEAST)};
    for (int i = 0; i < 3; i++) {
        settled.rotation.row[i] = without(pose->rotation.row[i], 0x1p-100);
    }
    return settled;
}

/* --- Eigenvectors ----------------------------------------------------------------------------- */

/* Each sweep roughly squares the remaining off-diagonal entries. */
enum { SWEEPS = 12 };

/** A matrix with indexed entries. */
typedef struct square {
    double at[3][3];
} square;

/**
 * Rotates rows and columns p and q of m, and the columns of `axes`, so that m.at[p][q] becomes 0.
 */
static void jacobi_turn(square *m, square *axes, int p, int q)
{
    const double off = m->at[p][q];
    if (off == 0) {
        return;
    }
    const double theta = (m->at[q][q] - m->at[p][p]) / (2 * off);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < 3; i++) {
        const double ip = m->at[i][p], iq = m->at[i][q];
        m->at[i][p] = c * ip - s * iq;
        m->at[i][q] = s * ip + c * iq;
    }
    for (int i = 0; i < 3; i++) {
        const double pi = m->at[p][i], qi = m->at[q][i];
        m->at[p][i] = c * pi - s * qi;
        m->at[q][i] = s * pi + c * qi;
        const double ap = axes->at[i][p], aq = axes->at[i][q];
        axes->at[i][p] = c * ap - s * aq;
        axes->at[i][q] = s * ap + c * aq;
    }
}

/** Orders the columns of m by their diagonal entries, the largest first. */
static void sort_columns(const square *m, int order[3])
{
    for (int i = 0; i < 3; i++) {
        order[i] = i;
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (m->at[order[k]][order[k]] < m->at[order[k + 1]][order[k + 1]]) {
                const int other = order[k];
                order[k] = order[k + 1];
                order[k + 1] = other;
            }
        }
    }
}

geo_eigen geo_eigen_symmetric(mat3 matrix)
{
    square m, axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m.at[i][k] = vec3_get(matrix.row[i], k);
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        jacobi_turn(&m, &axes, 0, 1);
        jacobi_turn(&m, &axes, 0, 2);
        jacobi_turn(&m, &axes, 1, 2);
    }
    int order[3];
    sort_columns(&m, order);
    geo_eigen e;
    for (int k = 0; k < 3; k++) {
        const int at = order[k];
        e.value[k] = m.at[at][at];
        e.vector[k] = vec3_normalize((vec3){axes.at[0][at], axes.at[1][at], axes.at[2][at]});
    }
    e.vector[2] = vec3_cross(e.vector[0], e.vector[1]);
    return e;
}

/* --- Random directions and rotations ---------------------------------------------------------- */

/* Marsaglia 1972: a point in the unit disc, projected to the sphere with one square root. */
vec3 geo_random_direction(base_random *random)
{
    double u, v, s;
    do {
        u = base_random_range(random, -1, 1);
        v = base_random_range(random, -1, 1);
        s = u * u + v * v;
    } while (s >= 1);
    const double lift = 2 * sqrt(1 - s);
    return (vec3){u * lift, v * lift, 1 - 2 * s};
}

/* Shoemake 1992. */
geo_quat geo_random_rotation(base_random *random)
{
    const double split = base_random_unit(random);
    const double first = 2 * BASE_PI * base_random_unit(random);
    const double second = 2 * BASE_PI * base_random_unit(random);
    const double r1 = sqrt(1 - split), r2 = sqrt(split);
    return (geo_quat){r1 * base_sin(first), r1 * base_cos(first), r2 * base_sin(second),
                      r2 * base_cos(second)};
}
