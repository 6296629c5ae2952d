/**
 * Greedy sphere packing on voxels.
 *
 * The queue of voxels has a list for each interval of radii. The lists contain segments. A segment
 * is a group of consecutive voxels whose radii share a cache line; it is in the list of its largest
 * radius. When a sphere is placed, radii decrease, but segments are not moved. A segment is
 * inserted again after its list has been processed. Only one list is open at a time, that of the
 * largest radii; its voxels are in a heap. A voxel is measured when its list is opened. So voxels
 * that a sphere takes before that are never measured.
 */
#include "algorithms/ist/spheres.h"

#include "base/containers.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t no_sphere = UINT32_MAX;

/* --- The spheres placed so far ---------------------------------------------------------------- */

enum { TABLE_LEVELS = 16, BUCKETS_FIRST = 1024 };

/**
 * The spheres placed so far, in a hash table by size and position. A sphere of a level is in the
 * cell of its centre; cells of the level are 2^level voxel edges wide.
 */
typedef struct placed_table {
    const alg_voxel_field *field;
    const alg_ist_packing *packing;
    uint32_t *heads; /* owned; first sphere of each bucket, or `no_sphere` */
    uint32_t *next;  /* owned; for each sphere the next one in its bucket, or `no_sphere` */
    size_t bucket_count, next_capacity;
    size_t counts[TABLE_LEVELS]; /* number of spheres of each level */
    uint32_t *near;              /* owned; result of the last search */
    size_t near_count, near_capacity;
} placed_table;

static uint32_t level_of(double edge, double radius)
{
    uint32_t level = 0;
    while (level + 1 < TABLE_LEVELS && ldexp(edge, (int)level) < radius) {
        level++;
    }
    return level;
}

static size_t bucket_of(const placed_table *p, uint32_t level, const int64_t cell[3])
{
    uint64_t h = level;
    for (int axis = 0; axis < 3; axis++) {
        h = (h ^ (uint64_t)cell[axis]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h & (p->bucket_count - 1);
}

static int64_t cell_of(const placed_table *p, double x, int axis, uint32_t level)
{
    return (int64_t)floor((x - vec3_get(p->field->grid->origin, axis)) /
                          ldexp(p->field->grid->edge, (int)level));
}

/** Adds the last sphere of the packing. Doubles the table if it is full. */
static base_status add_to_table(placed_table *p, base_error *err)
{
    const size_t count = p->packing->count;
    const base_status status = base_reserve(p->next, p->next_capacity, count, err);
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
    const double edge = p->field->grid->edge;
    for (size_t i = first; i < count; i++) {
        const uint32_t level = level_of(edge, p->packing->radii[i]);
        int64_t cell[3];
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] = cell_of(p, vec3_get(p->packing->centres[i], axis), axis, level);
        }
        const size_t bucket = bucket_of(p, level, cell);
        p->next[i] = p->heads[bucket];
        p->heads[bucket] = (uint32_t)i;
    }
    p->counts[level_of(edge, p->packing->radii[count - 1])]++;
    return BASE_OK;
}

/**
 * Collects the spheres of a level whose surface is within `reach` of x. Spheres of other cells in
 * the same bucket are collected as well if they are within `reach`; so a sphere may be collected
 * twice.
 */
static base_status collect_level(placed_table *p, vec3 x, double reach, uint32_t level,
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
                for (uint32_t s = p->heads[bucket_of(p, level, cell)]; s != no_sphere;
                     s = p->next[s]) {
                    if (vec3_distance(x, p->packing->centres[s]) - p->packing->radii[s] > reach) {
                        continue;
                    }
                    const base_status status =
                        base_reserve(p->near, p->near_capacity, p->near_count + 1, err);
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

static base_status collect_near(placed_table *p, vec3 x, double reach, base_error *err)
{
    p->near_count = 0;
    for (uint32_t level = 0; level < TABLE_LEVELS; level++) {
        if (p->counts[level] > 0) {
            const base_status status = collect_level(p, x, reach, level, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/* --- Refinement of a sphere ------------------------------------------------------------------- */

enum { STEPS_MOST = 16, TOUCHED_MOST = 8 };

static const double shift_most = 0.75, step_first = 0.25; /* voxel edges */

/** Points of the surface that were nearest in the last steps. */
typedef struct touched {
    vec3 points[TOUCHED_MOST];
    int count;
    uint32_t face;
} touched;

/** Returns the free distance at x: the smallest distance to the surface and to the spheres. */
static double free_distance(const placed_table *p, vec3 x, touched *t)
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

/** Returns the mean direction away from all spheres and touched points within `reach` of x. */
static vec3 escape_direction(const placed_table *p, vec3 x, const touched *t, double reach)
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

/**
 * Moves the centre of a free ball towards a local maximum of the free distance, and enlarges the
 * ball. The free distance at x is the smallest of the distance to the surface and of |x - c| - r of
 * all spheres. The centre moves by at most 3/4 of a voxel edge, and the old centre remains inside
 * of the ball. The ball never becomes smaller.
 *
 * A step leads away from all spheres and points of the surface whose distance exceeds the smallest
 * one by at most a step. After a step without gain, the length of the step is halved. The radius is
 * the smallest distance minus a bound on the rounding, so that the ball is inside the solid and
 * disjoint from all others. *face remains the face nearest to the centre.
 */
static base_status refine_ball(placed_table *p, geo_ball *ball, uint32_t *face, base_error *err)
{
    const double edge = p->field->grid->edge, slack = p->field->slack;
    const double most = shift_most * edge;
    /* The field has the free distance at the start. The free distance elsewhere exceeds it by at
     * most the shift. */
    const base_status status =
        collect_near(p, ball->centre, ball->radius * (1 + 0x1p-20) + 2 * most + 4 * slack, err);
    if (status != BASE_OK) {
        return status;
    }
    touched t = {.face = *face};
    vec3 best = ball->centre;
    uint32_t best_face = *face;
    double largest = free_distance(p, best, &t);
    double step = step_first * edge;
    for (int i = 0; i < STEPS_MOST; i++) {
        const vec3 to = vec3_madd(best, step, escape_direction(p, best, &t, largest + step));
        const double shift = vec3_distance(to, ball->centre);
        const double found = shift <= most ? free_distance(p, to, &t) : 0;
        /* The centre of the voxel at which the ball started remains inside the ball, so that the
         * voxel belongs to the sphere. */
        if (found > largest && shift < 0.999 * found) {
            best = to;
            best_face = t.face;
            largest = found;
        } else {
            step *= 0.5;
        }
    }
    if (largest - 2 * slack > ball->radius) {
        *ball = (geo_ball){best, largest - 2 * slack};
        *face = best_face;
    }
    return BASE_OK;
}

/* --- The queue of voxels ---------------------------------------------------------------------- */

enum {
    SEGMENT = 16,       /* voxels per segment */
    LISTS_AN_EDGE = 16, /* number of intervals of radii per voxel edge */
};

typedef struct packer {
    alg_voxel_field *field;
    alg_ist_packing *packing;
    size_t share_capacity; /* of packing->shares */
    double lists_a_metre;
    double least;    /* least radius of a sphere, in metres */
    uint32_t *heads; /* owned; first segment of each list */
    uint32_t *next;  /* owned; by segment: the next one in its list */
    uint32_t segment_count, list_count;
    uint32_t list, opened; /* number of the open list, and its first segment */
    uint64_t *heap;        /* owned; keys of the voxels of the open list; the largest key is on
                              top */
    size_t heap_count, heap_capacity;
    uint32_t *unmeasured; /* owned; scratch memory of open_list */
    size_t unmeasured_capacity;
    bool refined;       /* move spheres off the voxels */
    placed_table table; /* owned; used if refined */
} packer;

/**
 * Returns a key. Descending keys are in the order of descending radius, then of ascending number.
 * The bits of positive floats have the order of the floats.
 */
static uint64_t key_of(float radius, uint32_t voxel)
{
    uint32_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)~voxel;
}

/** True if a voxel of this radius can become a sphere. */
static bool is_wanted(const packer *p, float radius)
{
    return radius > 0 && (double)radius >= p->least;
}

static uint32_t list_of(const packer *p, float radius)
{
    return (uint32_t)((double)radius * p->lists_a_metre);
}

static uint32_t segment_end(const packer *p, uint32_t segment)
{
    const uint32_t voxel_count = p->field->grid->voxel_count;
    return voxel_count - segment * SEGMENT > SEGMENT ? (segment + 1) * SEGMENT : voxel_count;
}

static void file_segment(packer *p, uint32_t segment)
{
    float largest = 0;
    for (uint32_t v = segment * SEGMENT; v < segment_end(p, segment); v++) {
        largest = p->field->radius[v] > largest ? p->field->radius[v] : largest;
    }
    if (is_wanted(p, largest)) {
        const uint32_t list = list_of(p, largest);
        p->next[segment] = p->heads[list];
        p->heads[list] = segment;
    }
}

/** True if the voxel is in the open list. */
static bool is_open(const packer *p, uint32_t voxel)
{
    const float radius = p->field->radius[voxel];
    return is_wanted(p, radius) && list_of(p, radius) == p->list;
}

/** Measures the voxels of the open list. *count: number of its voxels before measuring. */
static base_status measure_open(packer *p, size_t *count, base_error *err)
{
    size_t unmeasured = 0;
    *count = 0;
    for (uint32_t s = p->opened; s != no_sphere; s = p->next[s]) {
        const base_status status =
            base_reserve(p->unmeasured, p->unmeasured_capacity, unmeasured + SEGMENT, err);
        if (status != BASE_OK) {
            return status;
        }
        for (uint32_t v = s * SEGMENT; v < segment_end(p, s); v++) {
            if (is_open(p, v)) {
                *count += 1;
                p->unmeasured[unmeasured] = v;
                unmeasured += p->field->face[v] >= ALG_VOXEL_UNMEASURED;
            }
        }
    }
    alg_voxel_field_measure(p->field, p->unmeasured, unmeasured);
    return BASE_OK;
}

/** Builds the heap of the voxels of list p->list. */
static base_status open_list(packer *p, base_error *err)
{
    size_t count;
    p->opened = p->heads[p->list];
    base_status status = measure_open(p, &count, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_reserve(p->heap, p->heap_capacity, count, err);
    if (status != BASE_OK) {
        return status;
    }
    p->heap_count = 0;
    for (uint32_t s = p->opened; s != no_sphere; s = p->next[s]) {
        for (uint32_t v = s * SEGMENT; v < segment_end(p, s); v++) {
            if (is_open(p, v)) {
                p->heap[p->heap_count++] = key_of(p->field->radius[v], v);
            }
        }
    }
    base_heap_make(p->heap, p->heap_count);
    return BASE_OK;
}

/**
 * Removes the free voxel with the largest radius from the open list. Returns false if no voxel is
 * left.
 */
static bool take_voxel(packer *p, uint32_t *voxel)
{
    while (p->heap_count > 0) {
        const uint64_t key = p->heap[0];
        const uint32_t v = ~(uint32_t)key;
        const bool current = key_of(p->field->radius[v], v) == key;
        if (!current && is_open(p, v)) {
            p->heap[0] = key_of(p->field->radius[v], v);
        } else {
            p->heap[0] = p->heap[--p->heap_count];
        }
        if (p->heap_count > 0) {
            base_heap_sift_down(p->heap, p->heap_count, 0);
        }
        if (current) {
            *voxel = v;
            return true;
        }
    }
    return false;
}

/* --- Spheres ---------------------------------------------------------------------------------- */

/**
 * A new sphere. Its position is in voxel edges, relative to the centre of voxel (0, 0, 0). If its
 * centre is that of a voxel, squared distances are integers, and so they are exact.
 */
typedef struct carving {
    double x, y, z;
    double inside2;      /* squared radius */
    double reach2;       /* square of twice the radius */
    double edge, radius; /* metres; the radius includes the slack for rounding */
} carving;

/** Tests voxels z0 to z1 - 1 of a run against the sphere, and adds those inside to its share. */
static void carve_run(const carving *c, const alg_voxel_run *run, int64_t z0, int64_t z1,
                      double across2, float *radius, alg_ist_share *share)
{
    for (int64_t z = z0; z < z1; z++) {
        float *const r = &radius[run->first + (z - run->z0)];
        const double dz = (double)z - c->z;
        const double distance2 = across2 + dz * dz;
        if (distance2 > c->inside2) {
            const double gap = c->edge * sqrt(distance2) - c->radius;
            if (gap < (double)*r) {
                *r = alg_voxel_round_down(gap);
            }
        } else if (*r >= 0) {
            *r = ALG_IST_TAKEN;
            alg_ist_share_add(share, run->x, run->y, (uint32_t)z);
        }
    }
}

/** Computes the range of integers from `at` - reach to `at` + reach, clipped to [0, size). */
static void clip_reach(double at, double reach, int64_t size, int64_t *first, int64_t *last)
{
    const double lo = ceil(at - reach), hi = floor(at + reach);
    *first = lo > 0 ? (int64_t)lo : 0;
    *last = hi < (double)(size - 1) ? (int64_t)hi : size - 1;
}

/**
 * Takes the voxels inside the sphere, and lowers the radii of voxels within twice its radius.
 * Returns the share of the sphere.
 */
static alg_ist_share carve(const carving *c, const alg_voxel_runs *grid, float *radius)
{
    alg_ist_share share = {0};
    const double reach = sqrt(c->reach2);
    int64_t x0, x1, y0, y1;
    clip_reach(c->x, reach, grid->size[0], &x0, &x1);
    clip_reach(c->y, reach, grid->size[1], &y0, &y1);
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++) {
            const double dx = (double)x - c->x, dy = (double)y - c->y;
            const double across2 = dx * dx + dy * dy;
            if (across2 > c->reach2) {
                continue;
            }
            int64_t lowest, highest;
            clip_reach(c->z, sqrt(c->reach2 - across2), grid->size[2], &lowest, &highest);
            const size_t column = (size_t)y * grid->size[0] + (size_t)x;
            for (uint32_t r = grid->columns[column]; r < grid->columns[column + 1]; r++) {
                const alg_voxel_run *const run = &grid->runs[r];
                const int64_t z0 = run->z0 > lowest ? run->z0 : lowest;
                const int64_t z1 = run->z1 < highest + 1 ? run->z1 : highest + 1;
                carve_run(c, run, z0, z1, across2, radius, &share);
            }
        }
    }
    return share;
}

static base_status place_sphere(packer *p, uint32_t voxel, base_error *err)
{
    alg_ist_packing *const packing = p->packing;
    base_status status = alg_ist_packing_reserve(packing, packing->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_reserve(packing->shares, p->share_capacity, packing->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    const alg_voxel_runs *const grid = p->field->grid;
    const alg_voxel_run *const run = alg_voxel_find(grid, voxel);
    const uint32_t z = run->z0 + (voxel - run->first);
    geo_ball ball = {alg_voxel_centre(grid, run->x, run->y, z), (double)p->field->radius[voxel]};
    uint32_t face = p->field->face[voxel];
    carving c = {.x = run->x, .y = run->y, .z = z, .edge = grid->edge};
    if (p->refined) {
        const vec3 voxel_centre = ball.centre;
        status = refine_ball(&p->table, &ball, &face, err);
        if (status != BASE_OK) {
            return status;
        }
        c.x += (ball.centre.x - voxel_centre.x) / grid->edge;
        c.y += (ball.centre.y - voxel_centre.y) / grid->edge;
        c.z += (ball.centre.z - voxel_centre.z) / grid->edge;
    }
    c.inside2 = (ball.radius / grid->edge) * (ball.radius / grid->edge);
    c.reach2 = 4 * c.inside2;
    c.radius = ball.radius + p->field->slack;
    packing->centres[packing->count] = ball.centre;
    packing->radii[packing->count] = ball.radius;
    packing->faces[packing->count] = face;
    packing->shares[packing->count] = carve(&c, grid, p->field->radius);
    packing->count++;
    return p->refined ? add_to_table(&p->table, err) : BASE_OK;
}

/* --- Packing ---------------------------------------------------------------------------------- */

static base_status prepare_queue(packer *p, base_error *err)
{
    const uint32_t voxel_count = p->field->grid->voxel_count;
    float largest = 0;
    for (uint32_t v = 0; v < voxel_count; v++) {
        largest = p->field->radius[v] > largest ? p->field->radius[v] : largest;
    }
    p->list_count = list_of(p, largest) + 1;
    p->segment_count = (voxel_count + SEGMENT - 1) / SEGMENT;
    p->heads = base_alloc(p->list_count, sizeof *p->heads);
    p->next = base_alloc(p->segment_count, sizeof *p->next);
    if (!p->heads || !p->next) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a queue of %u voxels",
                         voxel_count);
    }
    for (uint32_t l = 0; l < p->list_count; l++) {
        p->heads[l] = no_sphere;
    }
    for (uint32_t s = 0; s < p->segment_count; s++) {
        file_segment(p, s);
    }
    return BASE_OK;
}

/** Places spheres until list p->list has no free voxel left, or there are `most` spheres. */
static base_status work_off_list(packer *p, size_t most, base_error *err)
{
    base_status status = open_list(p, err);
    if (status != BASE_OK) {
        return status;
    }
    uint32_t voxel;
    while (p->packing->count < most && take_voxel(p, &voxel)) {
        status = place_sphere(p, voxel, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    /* The remaining voxels have radii of lower lists. */
    for (uint32_t s = p->opened, after; s != no_sphere; s = after) {
        after = p->next[s];
        file_segment(p, s);
    }
    return BASE_OK;
}

/** A sphere of the packing, to be sorted. */
typedef struct placed {
    vec3 centre;
    double radius;
    alg_ist_share share;
    uint32_t face, order;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *const a = left, *const b = right;
    return a->radius != b->radius ? (a->radius < b->radius) - (a->radius > b->radius)
                                  : (a->order > b->order) - (a->order < b->order);
}

/**
 * Sorts spheres by descending radius. This is needed since a refined sphere may be larger than an
 * earlier one.
 */
static base_status sort_spheres(alg_ist_packing *packing, base_error *err)
{
    placed *const all = base_alloc(packing->count, sizeof *all);
    if (!all) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
    }
    for (size_t i = 0; i < packing->count; i++) {
        all[i] = (placed){packing->centres[i], packing->radii[i], packing->shares[i],
                          packing->faces[i], (uint32_t)i};
    }
    qsort(all, packing->count, sizeof *all, compare_placed);
    for (size_t i = 0; i < packing->count; i++) {
        packing->centres[i] = all[i].centre;
        packing->radii[i] = all[i].radius;
        packing->shares[i] = all[i].share;
        packing->faces[i] = all[i].face;
    }
    base_free(all);
    return BASE_OK;
}

base_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits, bool refined,
                         alg_ist_packing *packing, base_error *err)
{
    *packing = (alg_ist_packing){0};
    packer p = {.field = field, .packing = packing, .refined = refined};
    p.table = (placed_table){.field = field, .packing = packing};
    p.lists_a_metre = LISTS_AN_EDGE / field->grid->edge;
    p.least = limits->radius_least * field->grid->edge;
    const size_t most = limits->count_most > 0 ? limits->count_most : SIZE_MAX;
    base_status status = prepare_queue(&p, err);
    if (status != BASE_OK) {
        goto done;
    }
    for (p.list = p.list_count; packing->count < most && p.list-- > 0;) {
        status = work_off_list(&p, most, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    if (refined) {
        status = sort_spheres(packing, err);
    }
done:
    base_free(p.table.heads);
    base_free(p.table.next);
    base_free(p.table.near);
    base_free(p.heads);
    base_free(p.next);
    base_free(p.heap);
    base_free(p.unmeasured);
    return status;
}

base_status alg_ist_packing_reserve(alg_ist_packing *packing, size_t count, base_error *err)
{
    if (count <= packing->capacity) {
        return BASE_OK;
    }
    void **const arrays[] = {(void **)&packing->centres, (void **)&packing->radii,
                             (void **)&packing->secondary, (void **)&packing->faces};
    const size_t sizes[] = {sizeof *packing->centres, sizeof *packing->radii,
                            sizeof *packing->secondary, sizeof *packing->faces};
    size_t capacity = packing->capacity;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        capacity = packing->capacity;
        const base_status status = base_grow(arrays[i], &capacity, count, sizes[i], err);
        if (status != BASE_OK) {
            return status;
        }
    }
    packing->capacity = capacity;
    return BASE_OK;
}

void alg_ist_packing_release(alg_ist_packing *packing)
{
    base_free(packing->centres);
    base_free(packing->radii);
    base_free(packing->secondary);
    base_free(packing->faces);
    base_free(packing->outer);
    base_free(packing->middles);
    base_free(packing->outward);
    base_free(packing->shares);
    *packing = (alg_ist_packing){0};
}
