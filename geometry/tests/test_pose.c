#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <string.h>

static void assert_near(vec3 a, vec3 b, double tolerance, const char *what)
{
    cr_assert_leq(vec3_distance(a, b), tolerance, "%s: (%.17g, %.17g, %.17g), not (%g, %g, %g)",
                  what, a.x, a.y, a.z, b.x, b.y, b.z);
}

static vec3 random_vec3(base_random *random, double size)
{
    const double x = base_random_range(random, -size, size);
    const double y = base_random_range(random, -size, size);
    return (vec3){x, y, base_random_range(random, -size, size)};
}

static geo_pose random_pose(base_random *random)
{
    const geo_quat q = geo_random_rotation(random);
    return geo_pose_make(q, random_vec3(random, 10));
}

Test(pose, vectors_by_hand)
{
    const vec3 a = {1, -2, 3}, b = {4, 5, -6};
    cr_assert(vec3_equal(vec3_add(a, b), vec3_make(5, 3, -3)));
    cr_assert(vec3_equal(vec3_sub(a, b), vec3_make(-3, -7, 9)));
    cr_assert(vec3_equal(vec3_scale(2, a), vec3_make(2, -4, 6)));
    cr_assert(vec3_equal(vec3_madd(a, 2, b), vec3_make(9, 8, -9)));
    cr_assert_eq(vec3_dot(a, b), 4 - 10 - 18);
    cr_assert(vec3_equal(vec3_cross(a, b), vec3_make(-3, 18, 13)));
    cr_assert_eq(vec3_norm2(a), 14);
    cr_assert_eq(vec3_norm((vec3){2, 3, 6}), 7);
    cr_assert_eq(vec3_distance2(a, b), 9 + 49 + 81);
    cr_assert_eq(vec3_distance((vec3){1, 1, 1}, (vec3){3, 4, 7}), 7);
    cr_assert(vec3_equal(vec3_normalize((vec3){0, 3, -4}), vec3_make(0, 0.6, -0.8)));
    cr_assert(vec3_equal(vec3_normalize((vec3){0, 0, 0}), vec3_make(0, 0, 0)));
    cr_assert(vec3_equal(vec3_min(a, b), vec3_make(1, -2, -6)));
    cr_assert(vec3_equal(vec3_max(a, b), vec3_make(4, 5, 3)));
    cr_assert(vec3_equal(vec3_abs(a), vec3_make(1, 2, 3)));
    cr_assert(!vec3_equal(a, b) && vec3_equal((vec3){0, 0, 0}, (vec3){-0.0, 0, 0}));
    cr_assert(vec3_isfinite(a) && !vec3_isfinite((vec3){0, NAN, 0}) &&
              !vec3_isfinite((vec3){0, 0, INFINITY}));
    for (int axis = 0; axis < 3; axis++) {
        cr_assert_eq(vec3_get(b, axis), ((double[]){4, 5, -6})[axis]);
    }
}

Test(pose, matrices_by_hand)
{
    const mat3 m = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};
    const mat3 n = {{{0, 1, 0}, {0, 0, 1}, {2, 0, 0}}};
    cr_assert(vec3_equal(mat3_mul_vec3(m, (vec3){1, 10, 100}), vec3_make(321, 654, 1087)));
    cr_assert(vec3_equal(mat3_tmul_vec3(m, (vec3){1, 10, 100}), vec3_make(741, 852, 1063)));
    const mat3 product = mat3_mul(m, n);
    cr_assert(vec3_equal(product.row[0], vec3_make(6, 1, 2)));
    cr_assert(vec3_equal(product.row[1], vec3_make(12, 4, 5)));
    cr_assert(vec3_equal(product.row[2], vec3_make(20, 7, 8)));
    cr_assert(vec3_equal(mat3_transpose(m).row[0], vec3_make(1, 4, 7)));
}

Test(pose, a_quarter_turn_about_z)
{
    const double h = sqrt(0.5);
    const geo_pose pose = geo_pose_make((geo_quat){0, 0, h, h}, (vec3){10, 20, 30});
    assert_near(geo_pose_apply(&pose, (vec3){1, 0, 0}), (vec3){10, 21, 30}, 1e-14, "x to y");
    assert_near(geo_pose_rotate(&pose, (vec3){0, 1, 0}), (vec3){-1, 0, 0}, 1e-15, "y to -x");
    const geo_triangle t =
        geo_pose_apply_triangle(&pose, (geo_triangle){{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}});
    assert_near(t.p[0], (vec3){10, 20, 30}, 0, "corner 0");
    assert_near(t.p[1], (vec3){10, 21, 30}, 1e-14, "corner 1");
    assert_near(t.p[2], (vec3){10, 20, 31}, 1e-14, "corner 2");
    /* Quaternions of any length give the same rotation; the zero quaternion gives the identity. */
    const mat3 twice = geo_quat_matrix((geo_quat){0, 0, 2, 2});
    assert_near(twice.row[0], (vec3){0, -1, 0}, 1e-15, "length 2 sqrt 2");
    const geo_pose none = geo_pose_make((geo_quat){0, 0, 0, 0}, (vec3){0, 0, 0});
    const geo_pose identity = geo_pose_identity();
    cr_assert_eq(memcmp(&none, &identity, sizeof none), 0);
}

Test(pose, poses_compose_and_invert)
{
    base_random random = base_random_seed(3);
    for (int i = 0; i < 2000; i++) {
        const geo_pose a = random_pose(&random), b = random_pose(&random);
        const vec3 p = random_vec3(&random, 10);
        const geo_pose both = geo_pose_compose(&a, &b), back = geo_pose_inverse(&a);
        assert_near(geo_pose_apply(&both, p), geo_pose_apply(&a, geo_pose_apply(&b, p)), 1e-13,
                    "first b, then a");
        assert_near(geo_pose_apply(&back, geo_pose_apply(&a, p)), p, 1e-13, "there and back");
    }
}

Test(pose, rotations_are_orthonormal_and_multiply_like_quaternions)
{
    base_random random = base_random_seed(4);
    for (int i = 0; i < 2000; i++) {
        const geo_quat q = geo_random_rotation(&random), r = geo_random_rotation(&random);
        const mat3 m = geo_quat_matrix(q), product = mat3_mul(m, geo_quat_matrix(r));
        const mat3 same = geo_quat_matrix(geo_quat_mul(q, r));
        const mat3 unit = mat3_mul(m, mat3_transpose(m));
        for (int k = 0; k < 3; k++) {
            const vec3 axis = {k == 0, k == 1, k == 2};
            assert_near(unit.row[k], axis, 3e-15, "m transpose(m)");
            assert_near(product.row[k], same.row[k], 3e-15, "quaternion product");
        }
        cr_assert_float_eq(vec3_dot(m.row[0], vec3_cross(m.row[1], m.row[2])), 1, 1e-14,
                           "a rotation, not a reflection");
    }
}

/* --- Eigenvectors ----------------------------------------------------------------------------- */

/** Properties of eigenvectors, also of matrices for which some of them are not unique. */

/** Returns the sum of value times (vector vector^T). */
static mat3 put_together(const geo_eigen *e)
{
    mat3 m = {0};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            m.row[i] = vec3_madd(m.row[i], e->value[k] * vec3_get(e->vector[k], i), e->vector[k]);
        }
    }
    return m;
}

static void check_eigen(mat3 m, double size, const char *what, int round)
{
    const geo_eigen e = geo_eigen_symmetric(m);
    const mat3 again = put_together(&e);
    cr_assert(e.value[0] >= e.value[1] && e.value[1] >= e.value[2], "%s %d", what, round);
    for (int i = 0; i < 3; i++) {
        cr_assert_leq(vec3_distance(m.row[i], again.row[i]), 1e-14 * size, "%s %d: row %d", what,
                      round, i);
        const vec3 next = vec3_cross(e.vector[i], e.vector[(i + 1) % 3]);
        cr_assert_leq(vec3_distance(next, e.vector[(i + 2) % 3]), 1e-15, "%s %d: vector %d", what,
                      round, i);
    }
}

Test(pose, eigenvectors_of_a_diagonal_matrix_are_the_coordinate_axes_by_value)
{
    const geo_eigen e = geo_eigen_symmetric((mat3){{{2, 0, 0}, {0, -1, 0}, {0, 0, 7}}});
    cr_assert(e.value[0] == 7 && e.value[1] == 2 && e.value[2] == -1);
    cr_assert(vec3_equal(e.vector[0], (vec3){0, 0, 1}));
    cr_assert(vec3_equal(e.vector[1], (vec3){1, 0, 0}));
    cr_assert(vec3_equal(e.vector[2], (vec3){0, 1, 0}));
}

Test(pose, eigenvectors_put_the_matrix_together_again)
{
    base_random random = base_random_seed(11);
    for (int round = 0; round < 3000; round++) {
        double v[6];
        for (int i = 0; i < 6; i++) {
            v[i] = base_random_range(&random, -1, 1);
        }
        check_eigen((mat3){{{v[0], v[1], v[2]}, {v[1], v[3], v[4]}, {v[2], v[4], v[5]}}}, 3, "any",
                    round);
    }
}

/**
 * Moments of points on a line, in a plane, around a circle; of very small and very large bodies.
 */
Test(pose, eigenvectors_are_orthonormal_whatever_is_not_determined)
{
    static const double values[][3] = {
        {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {2, 1, 1}, {1, 1e-9, 1e-18},
    };
    base_random random = base_random_seed(12);
    for (size_t kind = 0; kind < sizeof values / sizeof *values; kind++) {
        for (int round = 0; round < 500; round++) {
            const double size = round % 3 == 0 ? 1e-100 : round % 3 == 1 ? 1 : 1e30;
            const mat3 r = geo_quat_matrix(geo_random_rotation(&random));
            const geo_eigen e = {
                {size * values[kind][0], size * values[kind][1], size * values[kind][2]},
                {r.row[0], r.row[1], r.row[2]}};
            check_eigen(put_together(&e), 2 * size, "kind", (int)kind);
        }
    }
}
