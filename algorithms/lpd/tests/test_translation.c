/** Shortest translations out of several regions, compared with all subsets of at most three
 * regions. */
#include "algorithms/lpd/tests/drawing.h"
#include "algorithms/lpd/response.h"
#include "base/tests/sweep.h"

enum { MANY = 256 };

static alg_lpd_region region_of(vec3 direction, double depth_m)
{
    return (alg_lpd_region){.way = {vec3_normalize(direction), depth_m}};
}

static bool satisfies(const alg_lpd_region *regions, uint32_t count, vec3 t, double slack)
{
    for (uint32_t i = 0; i < count; i++) {
        const alg_lpd_way *const way = &regions[i].way;
        if (isfinite(way->depth_m) && vec3_dot(way->direction, t) < way->depth_m - slack) {
            return false;
        }
    }
    return true;
}

/** Returns the shortest point on the planes of up to three regions, by their normals: t = sum of
 * x_i n_i. */
static bool least_of_planes(const alg_lpd_way **ways, uint32_t count, vec3 *t)
{
    double m[3][4];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            m[i][k] = vec3_dot(ways[i]->direction, ways[k]->direction);
        }
        m[i][count] = ways[i]->depth_m;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pivot = i;
        for (uint32_t k = i + 1; k < count; k++) {
            pivot = fabs(m[k][i]) > fabs(m[pivot][i]) ? k : pivot;
        }
        for (uint32_t k = 0; k <= count; k++) {
            const double x = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = x;
        }
        if (fabs(m[i][i]) < 1e-10) {
            return false;
        }
        for (uint32_t k = 0; k < count; k++) {
            const double times = k == i ? 0 : m[k][i] / m[i][i];
            for (uint32_t j = 0; j <= count; j++) {
                m[k][j] -= times * m[i][j];
            }
        }
    }
    *t = (vec3){0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        *t = vec3_madd(*t, m[i][count] / m[i][i], ways[i]->direction);
    }
    return true;
}

/** Returns the length of the shortest t over all active sets; infinity if no t satisfies the
 * regions. */
static double plain_least(const alg_lpd_region *regions, uint32_t count, double slack)
{
    double least = INFINITY;
    if (satisfies(regions, count, (vec3){0, 0, 0}, 0)) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j < count; j++) {
            for (uint32_t k = j; k < count; k++) {
                const alg_lpd_way *ways[3] = {&regions[i].way, &regions[j].way, &regions[k].way};
                const uint32_t active = i == j ? 1 : j == k ? 2 : 3;
                ways[1] = i == j ? ways[2] : ways[1];
                vec3 t;
                if ((i == j && j != k) || !isfinite(regions[i].way.depth_m) ||
                    !isfinite(regions[j].way.depth_m) || !isfinite(regions[k].way.depth_m)) {
                    continue;
                }
                if (least_of_planes(ways, active, &t) && satisfies(regions, count, t, slack)) {
                    least = vec3_norm(t) < least ? vec3_norm(t) : least;
                }
            }
        }
    }
    return least;
}

Test(lpd_translation, by_hand)
{
    const double inf = INFINITY;
    vec3 t = {7, 7, 7};
    cr_assert(alg_lpd_translation(NULL, 0, 10, &t) && vec3_norm(t) == 0);
    alg_lpd_region r[4] = {region_of((vec3){0, 0, 1}, 2)};
    cr_assert(alg_lpd_translation(r, 1, 10, &t) && vec3_equal(t, (vec3){0, 0, 2}));
    r[1] = region_of((vec3){1, 0, 0}, 1);
    cr_assert(alg_lpd_translation(r, 2, 10, &t));
    cr_assert(vec3_distance(t, (vec3){1, 0, 2}) < 1e-15, "%g %g %g", t.x, t.y, t.z);
    r[2] = region_of((vec3){0, -1, 0}, 3);
    cr_assert(alg_lpd_translation(r, 3, 10, &t) && vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    /* A region that the others imply, and one without a way out. */
    r[3] = region_of((vec3){1, 0, 1}, 2);
    cr_assert(alg_lpd_translation(r, 4, 10, &t) && vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    r[3] = region_of((vec3){-1, 0, 0}, inf);
    cr_assert(alg_lpd_translation(r, 4, 10, &t) && vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    /* Opposed regions; t is not changed. */
    r[3] = region_of((vec3){-1, 0, 0}, 0.5);
    t = (vec3){5, 5, 5};
    cr_assert(!alg_lpd_translation(r, 4, 10, &t) && t.x == 5);
    r[0] = region_of((vec3){1, 0, 0}, 0);
    r[1] = region_of((vec3){-1, 0, 0}, 0.5);
    cr_assert(alg_lpd_translation(r, 1, 10, &t) && vec3_norm(t) == 0);
    cr_assert(!alg_lpd_translation(r, 2, 10, &t));
    /* The translation out of two nearly opposed regions is too long. */
    r[0] = region_of((vec3){1, 1e-3, 0}, 1);
    r[1] = region_of((vec3){-1, 1e-3, 0}, 1);
    cr_assert(!alg_lpd_translation(r, 2, 900, &t));
    cr_assert(alg_lpd_translation(r, 2, 1100, &t));
    cr_assert(fabs(t.y - 1000) < 1e-2 && fabs(t.x) < 1e-9, "%g %g", t.x, t.y);
    /* Three regions in a plane that exclude each other. */
    r[0] = region_of((vec3){1, 0, 0}, 1);
    r[1] = region_of((vec3){-1, 2, 0}, 1);
    r[2] = region_of((vec3){-1, -2, 0}, 1);
    cr_assert(!alg_lpd_translation(r, 3, 1e6, &t));
}

/** Random sets, including repeated normals and opposed regions. */
Test(lpd_translation, is_the_least_of_all_active_sets)
{
    base_random random = base_random_seed(9);
    int feasible = 0, opposed = 0;
    for (int round = 0; round < 4000; round += (int)sweep_step(5)) {
        const uint32_t count = 1 + (uint32_t)base_random_below(&random, 12);
        const double lean = base_random_range(&random, 0, 2);
        alg_lpd_region r[12];
        for (uint32_t i = 0; i < count; i++) {
            const vec3 n = vec3_madd((vec3){0, 0, lean}, 1, geo_random_direction(&random));
            const bool again = i > 0 && base_random_below(&random, 5) == 0;
            r[i] = region_of(again ? r[i - 1].way.direction : n, base_random_unit(&random));
            if (base_random_below(&random, 10) == 0) {
                r[i].way.depth_m = base_random_below(&random, 2) ? 0 : (double)INFINITY;
            }
        }
        const double least = plain_least(r, count, 1e-9);
        vec3 t;
        const bool found = alg_lpd_translation(r, count, 1000, &t);
        cr_assert(found == (least <= 1000) || fabs(least - 1000) < 1, "round %d: %g", round, least);
        if (found) {
            cr_assert(satisfies(r, count, t, 2e-9), "round %d", round);
            cr_assert(fabs(vec3_norm(t) - least) < 1e-6 * (1 + least), "round %d: %.12g, not %.12g",
                      round, vec3_norm(t), least);
        }
        feasible += found && least > 0;
        opposed += !found;
    }
    cr_assert(feasible > 300 && opposed > 60, "%d, %d", feasible, opposed);
}

/** No random point that satisfies all regions is nearer to 0. */
Test(lpd_translation, of_many_regions)
{
    base_random random = base_random_seed(10);
    for (int round = 0; round < 20; round++) {
        alg_lpd_region r[MANY];
        for (uint32_t i = 0; i < MANY; i++) {
            const vec3 n = vec3_madd((vec3){0, 0, 1.2}, 1, geo_random_direction(&random));
            r[i] = region_of(n, base_random_unit(&random));
        }
        vec3 t;
        cr_assert(alg_lpd_translation(r, MANY, 1e4, &t), "round %d", round);
        cr_assert(satisfies(r, MANY, t, 1e-7), "round %d", round);
        const double length = vec3_norm(t);
        for (int k = 0; k < 2000; k++) {
            const vec3 other = vec3_madd(t, 0.1 * length, drawing_point(&random, 1));
            cr_assert(vec3_norm(other) > length * (1 - 1e-6) || !satisfies(r, MANY, other, 0),
                      "round %d: %g", round, vec3_norm(other) / length);
        }
    }
}
