#include "algorithms/ist/spheres/refine.h"

#include "base/memory.h"

#include <string.h>

enum { BUCKETS_FIRST = 1024, STEPS_MOST = 16, TOUCHED_MOST = 8 };

static const uint32_t nobody = UINT32_MAX;
static const double shift_most = 0.75, step_first = 0.25; /* voxel edges */

/* --- Spheres by place ------------------------------------------------------------------------- */

void alg_ist_places_release(alg_ist_places *places)
{
    base_free(places->heads);
    base_free(places->next);
    base_free(places->near);
}

static uint32_t level_of(double edge, double radius)
{
    uint32_t level = 0;
    while (level + 1 < ALG_IST_PLACE_LEVELS && ldexp(edge, (int)level) < radius) {
        level++;
    }
    return level;
}

static size_t bucket_of(const alg_ist_places *p, uint32_t level, const int64_t cell[3])
{
    uint64_t h = level;
    for (int axis = 0; axis < 3; axis++) {
        h = (h ^ (uint64_t)cell[axis]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h & (p->bucket_count - 1);
}

static int64_t cell_of(const alg_ist_places *p, double x, int axis, uint32_t level)
{
    return (int64_t)floor((x - vec3_get(p->field->grid->origin, axis)) /
                          ldexp(p->field->grid->edge, (int)level));
}

static void link_sphere(alg_ist_places *p, uint32_t sphere)
{
    const vec3 c = p->packing->centres[sphere];
    const uint32_t level = level_of(p->field->grid->edge, p->packing->radii[sphere]);
    int64_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = cell_of(p, vec3_get(c, axis), axis, level);
    }
    const size_t bucket = bucket_of(p, level, cell);
    p->next[sphere] = p->heads[bucket];
    p->heads[bucket] = sphere;
}

base_status alg_ist_places_add(alg_ist_places *p, base_error *err)
{
    const size_t count = p->packing->count;
    const base_status status =
        base_grow((void **)&p->next, &p->next_capacity, count, sizeof *p->next, err);
    if (status != BASE_OK) {
        return status;
    }
    const size_t first = count > p->bucket_count ? 0 : count - 1;
    if (count > p->bucket_count) {
        const size_t buckets = p->bucket_count > 0 ? 2 * p->bucket_count : BUCKETS_FIRST;
        uint32_t *const heads = base_alloc(buckets, sizeof *heads);
        if (!heads) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
        }
        memset(heads, 0xff, buckets * sizeof *heads);
        base_free(p->heads);
        p->heads = heads;
        p->bucket_count = buckets;
    }
    for (size_t i = first; i < count; i++) {
        link_sphere(p, (uint32_t)i);
    }
    p->counts[level_of(p->field->grid->edge, p->packing->radii[count - 1])]++;
    return BASE_OK;
}

/** Collects the spheres of a level that come within `reach` of x. */
static base_status collect_level(alg_ist_places *p, vec3 x, double reach, uint32_t level,
                                 base_error *err)
{
    const double around = reach + ldexp(p->field->grid->edge, (int)level);
    int64_t lo[3], hi[3], cell[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = cell_of(p, vec3_get(x, axis) - around, axis, level);
        hi[axis] = cell_of(p, vec3_get(x, axis) + around, axis, level);
    }
    for (cell[0] = lo[0]; cell[0] <= hi[0]; cell[0]++) {
        for (cell[1] = lo[1]; cell[1] <= hi[1]; cell[1]++) {
            for (cell[2] = lo[2]; cell[2] <= hi[2]; cell[2]++) {
                for (uint32_t s = p->heads[bucket_of(p, level, cell)]; s != nobody;
                     s = p->next[s]) {
                    if (vec3_distance(x, p->packing->centres[s]) - p->packing->radii[s] > reach) {
                        continue;
                    }
                    const base_status status = base_grow((void **)&p->near, &p->near_capacity,
                                                         p->near_count + 1, sizeof *p->near, err);
                    if (status != BASE_OK) {
                        return status;
                    }
                    p->near[p->near_count++] = s;
                }
            }
        }
    }
    return BASE_OK;
}

static base_status collect_near(alg_ist_places *p, vec3 x, double reach, base_error *err)
{
    p->near_count = 0;
    for (uint32_t level = 0; level < ALG_IST_PLACE_LEVELS; level++) {
        if (p->counts[level] > 0) {
            const base_status status = collect_level(p, x, reach, level, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/* --- Ascent ----------------------------------------------------------------------------------- */

/** Points of the surface that were nearest at some step: each bounds the distance from above. */
typedef struct touched {
    vec3 points[TOUCHED_MOST];
    int count;
    uint32_t face;
} touched;

/** The free distance at x. */
static double free_distance(const alg_ist_places *p, vec3 x, touched *t)
{
    const geo_closest q = geo_surface_closest(p->field->surface, x, t->face);
    t->points[t->count++ % TOUCHED_MOST] = q.point;
    t->face = q.face;
    double least = sqrt(q.distance2);
    for (size_t i = 0; i < p->near_count; i++) {
        const uint32_t s = p->near[i];
        least = fmin(least, vec3_distance(x, p->packing->centres[s]) - p->packing->radii[s]);
    }
    return least;
}

/** The direction away from all spheres and touched points within `reach`. */
static vec3 escape_direction(const alg_ist_places *p, vec3 x, const touched *t, double reach)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < p->near_count; i++) {
        const vec3 away = vec3_sub(x, p->packing->centres[p->near[i]]);
        const double distance = vec3_norm(away);
        if (distance - p->packing->radii[p->near[i]] <= reach) {
            sum = vec3_madd(sum, 1 / distance, away);
        }
    }
    for (int i = 0; i < t->count && i < TOUCHED_MOST; i++) {
        const vec3 away = vec3_sub(x, t->points[i]);
        if (vec3_norm(away) <= reach) {
            sum = vec3_add(sum, vec3_normalize(away));
        }
    }
    return vec3_normalize(sum);
}

base_status alg_ist_refine(alg_ist_places *p, geo_ball *ball, base_error *err)
{
    const double edge = p->field->grid->edge, slack = p->field->slack;
    const double most = shift_most * edge;
    /* The free distance grows by at most the shift from that of the start, which voxels know. */
    const base_status status =
        collect_near(p, ball->centre, ball->radius * (1 + 0x1p-20) + 2 * most + 4 * slack, err);
    if (status != BASE_OK) {
        return status;
    }
    touched t = {.face = nobody};
    vec3 best = ball->centre;
    double largest = free_distance(p, best, &t);
    double step = step_first * edge;
    for (int i = 0; i < STEPS_MOST; i++) {
        const vec3 to = vec3_madd(best, step, escape_direction(p, best, &t, largest + step));
        const double shift = vec3_distance(to, ball->centre);
        const double found = shift <= most ? free_distance(p, to, &t) : 0;
        /* The voxel that found the ball stays inside it, and so belongs to the sphere. */
        if (found > largest && shift < 0.999 * found) {
            best = to;
            largest = found;
        } else {
            step *= 0.5;
        }
    }
    if (largest - 2 * slack > ball->radius) {
        *ball = (geo_ball){best, largest - 2 * slack};
    }
    return BASE_OK;
}
