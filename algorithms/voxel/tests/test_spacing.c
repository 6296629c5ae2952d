#include "algorithms/voxel/spacing.h"
#include "base/memory.h"
#include "base/random.h"

#include <criterion/criterion.h>

static alg_spacing measure(const vec3 *points, size_t count)
{
    alg_spacing spacing;
    base_error err = {0};
    cr_assert_eq(alg_spacing_measure(points, count, &spacing, &err), BASE_OK, "%s", err.text);
    return spacing;
}

Test(spacing, a_few_points)
{
    const vec3 points[5] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {3, 4, 1}, {3, 4, 1}};
    for (size_t count = 0; count < 2; count++) {
        const alg_spacing none = measure(points, count);
        cr_assert(none.mean == 0 && none.least == 0 && none.deviation == 0);
    }
    const alg_spacing two = measure(points, 2);
    cr_assert(two.mean == 3 && two.least == 3 && two.deviation == 0);
    /* distances 3, 3, 4 */
    const alg_spacing three = measure(points, 3);
    cr_assert_eq(three.mean, 10. / 3);
    cr_assert_eq(three.least, 3);
    cr_assert_float_eq(three.deviation, sqrt(2. / 9) / (10. / 3), 1e-15);
    cr_assert_eq(measure(points, 5).least, 0);
    const alg_spacing same = measure(points + 3, 2);
    cr_assert(same.mean == 0 && same.deviation == 0);
}

Test(spacing, equals_all_pairs)
{
    base_random random = base_random_seed(1);
    static vec3 points[700];
    for (size_t count = 2; count <= 700; count = count < 20 ? count + 1 : 2 * count) {
        for (size_t i = 0; i < count; i++) {
            /* Points on a curve, so that near ones are roughly consecutive; some occur twice. */
            const double t = (double)i / (double)count + base_random_range(&random, 0, 0.1);
            points[i] = i > 0 && base_random_below(&random, 10) == 0
                            ? points[base_random_below(&random, i)]
                            : (vec3){cos(9 * t), sin(9 * t), t};
        }
        static double distances[700];
        double sum = 0, squares = 0, least = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (size_t j = 0; j < count; j++) {
                nearest = i == j ? nearest : fmin(nearest, vec3_distance(points[i], points[j]));
            }
            distances[i] = nearest;
            sum += nearest;
            least = fmin(least, nearest);
        }
        const double mean = sum / (double)count;
        for (size_t i = 0; i < count; i++) {
            squares += (distances[i] - mean) * (distances[i] - mean);
        }
        const double deviation = mean > 0 ? sqrt(squares / (double)count) / mean : 0;
        const alg_spacing found = measure(points, count);
        cr_assert_float_eq(found.mean, mean, 1e-14, "%zu points", count);
        cr_assert_eq(found.least, least, "%zu points", count);
        cr_assert_float_eq(found.deviation, deviation, 1e-12, "%zu points", count);
    }
}

Test(spacing, failing_allocations_are_reported)
{
    const vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (size_t n = 0; n < 2; n++) {
        alg_spacing spacing;
        base_error err = {0};
        base_memory_fail_after(n);
        const base_status status = alg_spacing_measure(points, 3, &spacing, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status, BASE_ERR_MEMORY, "%zu", n);
    }
}
