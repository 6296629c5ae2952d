/** Properties of eigenvectors, also of matrices for which some of them are not unique. */
#include "geometry/pose.h"

#include <criterion/criterion.h>

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

static void check(mat3 m, double size, const char *what, int round)
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

Test(eigen, of_a_diagonal_matrix_are_the_coordinate_axes_by_value)
{
    const geo_eigen e = geo_eigen_symmetric((mat3){{{2, 0, 0}, {0, -1, 0}, {0, 0, 7}}});
    cr_assert(e.value[0] == 7 && e.value[1] == 2 && e.value[2] == -1);
    cr_assert(vec3_equal(e.vector[0], (vec3){0, 0, 1}));
    cr_assert(vec3_equal(e.vector[1], (vec3){1, 0, 0}));
    cr_assert(vec3_equal(e.vector[2], (vec3){0, 1, 0}));
}

Test(eigen, put_the_matrix_together_again)
{
    base_random random = base_random_seed(11);
    for (int round = 0; round < 3000; round++) {
        double v[6];
        for (int i = 0; i < 6; i++) {
            v[i] = base_random_range(&random, -1, 1);
        }
        check((mat3){{{v[0], v[1], v[2]}, {v[1], v[3], v[4]}, {v[2], v[4], v[5]}}}, 3, "any",
              round);
    }
}

/**
 * Moments of points on a line, in a plane, around a circle; of very small and very large bodies.
 */
Test(eigen, are_orthonormal_whatever_is_not_determined)
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
            check(put_together(&e), 2 * size, "kind", (int)kind);
        }
    }
}
