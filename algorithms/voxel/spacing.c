#include "algorithms/voxel/spacing.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/bvh.h"

enum { POINTS_A_CHUNK = 256 };

typedef struct measuring {
    const geo_nearest *points;
    double *distances;
} measuring;

static void measure_points(void *context, size_t begin, size_t end)
{
    const measuring *const m = context;
    uint32_t hint = GEO_NEAREST_NONE;
    for (size_t i = begin; i < end; i++) {
        hint = geo_nearest_other(m->points, (uint32_t)i, hint, &m->distances[i]);
    }
}

base_status alg_spacing_measure(const vec3 *points, size_t count, alg_spacing *spacing,
                                base_error *err)
{
    *spacing = (alg_spacing){0};
    if (count < 2) {
        return BASE_OK;
    }
    base_arena arena = {0};
    double *const distances = base_arena_alloc(&arena, count, sizeof *distances);
    const double *const radii = base_arena_alloc(&arena, count, sizeof *radii);
    geo_nearest nearest;
    base_status status = BASE_OK;
    if (!distances || !radii) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
        goto done;
    }
    status = geo_nearest_build(points, radii, count, &arena, &nearest, err);
    if (status != BASE_OK) {
        goto done;
    }
    base_parallel_for(count, POINTS_A_CHUNK, 0, measure_points, &(measuring){&nearest, distances});
    double sum = 0, least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        sum += distances[i];
        least = distances[i] < least ? distances[i] : least;
    }
    const double mean = sum / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (distances[i] - mean) * (distances[i] - mean);
    }
    *spacing = (alg_spacing){mean, least, mean > 0 ? sqrt(squares / (double)count) / mean : 0};
done:
    base_arena_release(&arena);
    return status;
}
