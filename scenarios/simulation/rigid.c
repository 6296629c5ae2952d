#include "scenarios/simulation/rigid.h"

#include "base/elementary.h"
#include "geometry/vec.h"

#include <math.h>

/* --- Mass ------------------------------------------------------------------------------------- */

/** Returns m + s (v v^T). */
static mat3 add_square(mat3 m, double s, vec3 v)
{
    return (mat3){{vec3_madd(m.row[0], s * v.x, v), vec3_madd(m.row[1], s * v.y, v),
                   vec3_madd(m.row[2], s * v.z, v)}};
}

/**
 * Returns the integral of x x^T over the solid, about the centroid. For the tetrahedron of the
 * centroid and a face (a, b, c) it is det(a, b, c) / 120 times the sum of the squares of a, b, c
 * and a + b + c.
 */
static mat3 second_moment(const geo_mesh *mesh, vec3 centroid)
{
    mat3 sum = {0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 a = vec3_sub(t.p[0], centroid), b = vec3_sub(t.p[1], centroid);
        const vec3 c = vec3_sub(t.p[2], centroid);
        const double share = vec3_dot(a, vec3_cross(b, c)) / 120;
        sum = add_square(sum, share, a);
        sum = add_square(sum, share, b);
        sum = add_square(sum, share, c);
        sum = add_square(sum, share, vec3_add(vec3_add(a, b), c));
    }
    return sum;
}

/** Returns trace(m) 1 - m. Both sides of the diagonal are computed from the same terms. */
static mat3 inertia_of(mat3 m)
{
    const double xx = m.row[0].x, yy = m.row[1].y, zz = m.row[2].z;
    const double xy = m.row[0].y, yz = m.row[1].z, zx = m.row[2].x;
    return (mat3){{{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}};
}

static mat3 scaled(double s, mat3 m)
{
    return (mat3){{vec3_scale(s, m.row[0]), vec3_scale(s, m.row[1]), vec3_scale(s, m.row[2])}};
}

/** Inverts a symmetric positive definite matrix by its cofactors. Returns false for other
 * matrices. */
static bool invert(mat3 m, mat3 *inverse)
{
    const vec3 *const r = m.row;
    const mat3 cofactors = {
        {vec3_cross(r[1], r[2]), vec3_cross(r[2], r[0]), vec3_cross(r[0], r[1])}};
    const double determinant = vec3_dot(r[0], cofactors.row[0]);
    *inverse = scaled(1 / determinant, cofactors);
    return r[0].x > 0 && cofactors.row[2].z > 0 && determinant > 0 &&
           vec3_isfinite(inverse->row[0]) && vec3_isfinite(inverse->row[1]) &&
           vec3_isfinite(inverse->row[2]);
}

base_status scn_mass_of(const geo_mesh *mesh, double density_kg_m3, scn_mass *mass, base_error *err)
{
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    if (!(measure.volume_m3 > 0)) {
        return base_fail(
            err, BASE_ERR_ARGUMENT,
            "a body needs a volume above 0 to have a mass; that of its mesh is %.6g m3",
            measure.volume_m3);
    }
    *mass = (scn_mass){
        .mass_kg = density_kg_m3 * measure.volume_m3,
        .centroid = measure.centroid,
        .inertia_kg_m2 = scaled(density_kg_m3, inertia_of(second_moment(mesh, measure.centroid))),
    };
    if (!invert(mass->inertia_kg_m2, &mass->inverse_inertia)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a body of %.6g m3 at %.6g kg/m3 has no inertia that can be inverted",
                         measure.volume_m3, density_kg_m3);
    }
    return BASE_OK;
}

/* --- State ------------------------------------------------------------------------------------ */

void scn_state_pose(const scn_state *state, const scn_mass *mass, vec3 *position,
                    geo_quat *orientation)
{
    const mat3 rotation = geo_quat_matrix(state->orientation);
    *position = vec3_sub(state->position, mat3_mul_vec3(rotation, mass->centroid));
    *orientation = state->orientation;
}

scn_state scn_state_at(const scn_mass *mass, vec3 position, geo_quat orientation)
{
    const geo_pose pose = geo_pose_make(orientation, position);
    return (scn_state){.position = geo_pose_apply(&pose, mass->centroid),
                       .orientation = geo_quat_normalize(orientation)};
}

/** Returns R m R^T v. */
static vec3 mul_turned(mat3 rotation, mat3 m, vec3 v)
{
    return mat3_mul_vec3(rotation, mat3_mul_vec3(m, mat3_tmul_vec3(rotation, v)));
}

vec3 scn_state_momentum(const scn_state *state, const scn_mass *mass, vec3 spin)
{
    return mul_turned(geo_quat_matrix(state->orientation), mass->inertia_kg_m2, spin);
}

double scn_state_energy(const scn_state *state, const scn_mass *mass)
{
    return 0.5 * (mass->mass_kg * vec3_norm2(state->velocity) +
                  vec3_dot(state->spin, scn_state_momentum(state, mass, state->spin)));
}

mat3 scn_state_inverse_inertia(const scn_state *state, const scn_mass *mass)
{
    const mat3 rotation = geo_quat_matrix(state->orientation);
    return mat3_mul(mat3_mul(rotation, mass->inverse_inertia), mat3_transpose(rotation));
}

void scn_state_push(scn_state *state, const scn_mass *mass, vec3 impulse, vec3 point, vec3 angular)
{
    const vec3 arm = vec3_sub(point, state->position);
    const vec3 twist = vec3_add(vec3_cross(arm, impulse), angular);
    const mat3 rotation = geo_quat_matrix(state->orientation);
    state->velocity = vec3_madd(state->velocity, 1 / mass->mass_kg, impulse);
    state->spin = vec3_add(state->spin, mul_turned(rotation, mass->inverse_inertia, twist));
}

double scn_state_work(const scn_state *before, const scn_state *after, vec3 impulse, vec3 angular)
{
    return 0.5 * (vec3_dot(impulse, vec3_add(before->velocity, after->velocity)) +
                  vec3_dot(angular, vec3_add(before->spin, after->spin)));
}

/* --- Motion ----------------------------------------------------------------------------------- */

/* Largest rotation in a part of a step, in radians. With it, each iteration reduces the error to a
 * quarter for any body, because two principal inertias differ by no more than the third. */
#define PART_TURN 0.25

enum { MIDPOINT_ROUNDS = 24, PARTS_MAX = 64 };

/** Returns the mean spin of a step in the body's axes: the solution m of I (2 m - s - s) = h (I m)
 * x m, by fixed-point iteration. */
static vec3 mean_spin(const scn_mass *mass, vec3 spin, double h)
{
    vec3 mean = spin;
    for (int round = 0; round < MIDPOINT_ROUNDS; round++) {
        const vec3 momentum = mat3_mul_vec3(mass->inertia_kg_m2, mean);
        const vec3 torque = vec3_cross(momentum, mean);
        const vec3 next = vec3_madd(spin, 0.5 * h, mat3_mul_vec3(mass->inverse_inertia, torque));
        if (vec3_equal(next, mean)) {
            break;
        }
        mean = next;
    }
    return mean;
}

/** Turns for h seconds. The new spin has the same angular momentum. */
static void turn(scn_state *state, const scn_mass *mass, double h)
{
    const mat3 before = geo_quat_matrix(state->orientation);
    const vec3 momentum = mul_turned(before, mass->inertia_kg_m2, state->spin);
    const vec3 mean = mean_spin(mass, mat3_tmul_vec3(before, state->spin), h);
    /* The rotation vector of the midpoint rule has the direction of the mean spin; the tangent of
     * half its angle is the length of `half`. */
    const vec3 half = vec3_scale(0.5 * h, mean);
    const geo_quat by = {half.x, half.y, half.z, 1};
    state->orientation = geo_quat_normalize(geo_quat_mul(state->orientation, by));
    state->spin = mul_turned(geo_quat_matrix(state->orientation), mass->inverse_inertia, momentum);
}

void scn_state_move(scn_state *state, const scn_mass *mass, double h)
{
    state->position = vec3_madd(state->position, h, state->velocity);
    const double parts = ceil(fmin(PARTS_MAX, h * vec3_norm(state->spin) / PART_TURN));
    for (int i = 0; i < (int)fmax(1, parts); i++) {
        turn(state, mass, h / fmax(1, parts));
    }
}

vec3 scn_turn_between(geo_quat from, geo_quat to)
{
    const geo_quat back = {-from.x, -from.y, -from.z, from.w};
    const geo_quat q = geo_quat_mul(to, back);
    const double sign = q.w < 0 ? -1 : 1;
    const vec3 axis = vec3_make(sign * q.x, sign * q.y, sign * q.z);
    const double sine = vec3_norm(axis);
    return sine > 0 ? vec3_scale(2 * base_atan2(sine, fabs(q.w)) / sine, axis) : vec3_make(0, 0, 0);
}
