/**
 * Independent poses at prescribed values: directions of a Fibonacci sphere in shuffled order, so
 * that the value does not go with the direction, and uniform rotations.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/random.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>

#define GOLDEN_FRACTION 0.61803398874989484820

/** Point i of n, spread evenly over the unit sphere. */
static vec3 fibonacci_direction(size_t i, size_t n)
{
    const double z = 1 - (2 * (double)i + 1) / (double)n;
    const double turns = (double)i * GOLDEN_FRACTION;
    const double angle = 2 * BASE_PI * (turns - floor(turns));
    const double radius = sqrt(fmax(0, 1 - z * z));
    return vec3_make(radius * base_cos(angle), radius * base_sin(angle), z);
}

/** Fisher-Yates. */
static void shuffle(size_t *order, size_t n, base_random *random)
{
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)base_random_below(random, i);
        const size_t other = order[i - 1];
        order[i - 1] = order[j];
        order[j] = other;
    }
}

static base_status sample_frame(scn_run *run, vec3 direction, double wanted, base_error *err)
{
    scn_line line = {direction, geo_random_rotation(&run->random)};
    for (int draw = 0; draw < SCN_DRAWS_MAX; draw++) {
        scn_root root;
        const base_status status = scn_first(&run->solver, &line, wanted, &root, err);
        if (status != BASE_OK) {
            return status;
        }
        if (root.found) {
            run->not_monotone += !root.monotone;
            const vec3 centre = scn_centre(run->solver.pair, &line, root.s);
            return scn_run_append(run, line.orientation, centre, wanted, root.value, err);
        }
        line = scn_run_line(run);
    }
    return scn_run_fail(run, wanted, err);
}

base_status scn_sample_sphere(scn_run *run, base_error *err)
{
    const size_t n = run->sampler->frames;
    size_t *const order = base_alloc(n, sizeof *order);
    if (!order) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    shuffle(order, n, &run->random);
    base_status status = BASE_OK;
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        status = sample_frame(run, fibonacci_direction(order[i], n), scn_run_value(run, i), err);
    }
    base_free(order);
    return status;
}
