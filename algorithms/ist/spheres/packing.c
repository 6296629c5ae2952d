/**
 * Greedy sphere packing on voxels.
 *
 * The queue has a list for each interval of radii. Lists hold segments: stretches of voxels that
 * share a cache line, each in the list of its largest radius. An update only lowers radii and
 * leaves the segment where it is; it is filed anew when its list has been worked off. Only the
 * voxels of the list of the largest radii are in order, in a heap. A voxel is measured when its
 * list is opened, so voxels that a sphere takes before that never are.
 */
#include "algorithms/ist/spheres/packing.h"

#include "algorithms/ist/spheres/refine.h"
#include "base/heap.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT = 16,       /* voxels */
    LISTS_AN_EDGE = 16, /* intervals of radii in one voxel edge */
};

static const uint32_t nobody = UINT32_MAX;

typedef struct packer {
    alg_voxel_field *field;
    alg_ist_packing *packing;
    double lists_a_metre;
    double least;    /* radius of a sphere, in metres */
    uint32_t *heads; /* owned; first segment of each list */
    uint32_t *next;  /* owned; of each segment in its list */
    uint32_t segment_count, list_count;
    uint32_t list, opened; /* the list that is open, and its first segment */
    uint64_t *heap;        /* owned; keys of voxels of the open list, the largest first */
    size_t heap_count, heap_capacity;
    uint32_t *unmeasured; /* owned; scratch of open_list */
    size_t unmeasured_capacity;
    bool refined;          /* spheres are moved off the voxels */
    alg_ist_places places; /* owned; if they are */
} packer;

/* --- The queue -------------------------------------------------------------------------------- */

/** Larger keys first: by radius (bits of positive floats are in order), then by smaller number. */
static uint64_t key_of(float radius, uint32_t voxel)
{
    uint32_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)~voxel;
}

static uint32_t voxel_of(uint64_t key)
{
    return ~(uint32_t)key;
}

/** Can a voxel of this radius become a sphere? */
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

/** Is the voxel one of the open list? */
static bool is_open(const packer *p, uint32_t voxel)
{
    const float radius = p->field->radius[voxel];
    return is_wanted(p, radius) && list_of(p, radius) == p->list;
}

/** Measures the voxels of the open list; *count: how many it had before. */
static base_status measure_open(packer *p, size_t *count, base_error *err)
{
    size_t unmeasured = 0;
    *count = 0;
    for (uint32_t s = p->opened; s != nobody; s = p->next[s]) {
        const base_status status = base_grow((void **)&p->unmeasured, &p->unmeasured_capacity,
                                             unmeasured + SEGMENT, sizeof *p->unmeasured, err);
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

/** Makes the heap of the voxels of the list p->list. */
static base_status open_list(packer *p, base_error *err)
{
    size_t count;
    p->opened = p->heads[p->list];
    base_status status = measure_open(p, &count, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_grow((void **)&p->heap, &p->heap_capacity, count, sizeof *p->heap, err);
    if (status != BASE_OK) {
        return status;
    }
    p->heap_count = 0;
    for (uint32_t s = p->opened; s != nobody; s = p->next[s]) {
        for (uint32_t v = s * SEGMENT; v < segment_end(p, s); v++) {
            if (is_open(p, v)) {
                p->heap[p->heap_count++] = key_of(p->field->radius[v], v);
            }
        }
    }
    base_heap_make(p->heap, p->heap_count);
    return BASE_OK;
}

/** The voxels that are left have radii of lower lists. */
static void close_list(packer *p)
{
    for (uint32_t s = p->opened, after; s != nobody; s = after) {
        after = p->next[s];
        file_segment(p, s);
    }
}

/** Takes the free voxel of largest radius from the open list; false when there is none. */
static bool take_voxel(packer *p, uint32_t *voxel)
{
    while (p->heap_count > 0) {
        const uint64_t key = p->heap[0];
        const uint32_t v = voxel_of(key);
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
 * A new sphere in units of voxels, from the centre of voxel (0, 0, 0). For one at a voxel's centre
 * squares of distances are whole numbers, and exact.
 */
typedef struct carving {
    double x, y, z;
    double inside2;      /* squared radius */
    double reach2;       /* square of twice the radius */
    double edge, radius; /* metres; the radius with the slack of rounding */
} carving;

/** Voxels z0 to z1 - 1 of a run against the sphere; those that it takes are added to its share. */
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

/** The whole numbers from `at` - reach to `at` + reach that are in [0, size). */
static void clip_reach(double at, double reach, int64_t size, int64_t *first, int64_t *last)
{
    const double lo = ceil(at - reach), hi = floor(at + reach);
    *first = lo > 0 ? (int64_t)lo : 0;
    *last = hi < (double)(size - 1) ? (int64_t)hi : size - 1;
}

/** Takes the voxels inside, lowers those within twice the radius. */
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
    const base_status status = alg_ist_packing_reserve(packing, packing->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    const alg_voxel_runs *const grid = p->field->grid;
    const alg_voxel_run *const run = alg_voxel_find(grid, voxel);
    const uint32_t z = run->z0 + (voxel - run->first);
    geo_ball ball = {alg_voxel_centre(grid, run->x, run->y, z), (double)p->field->radius[voxel]};
    carving c = {.x = run->x, .y = run->y, .z = z, .edge = grid->edge};
    if (p->refined) {
        const vec3 voxel_centre = ball.centre;
        const base_status found = alg_ist_refine(&p->places, &ball, err);
        if (found != BASE_OK) {
            return found;
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
    packing->shares[packing->count] = carve(&c, grid, p->field->radius);
    packing->count++;
    return p->refined ? alg_ist_places_add(&p->places, err) : BASE_OK;
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
        p->heads[l] = nobody;
    }
    for (uint32_t s = 0; s < p->segment_count; s++) {
        file_segment(p, s);
    }
    return BASE_OK;
}

/** Places spheres until the list p->list has no free voxel left. */
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
    close_list(p);
    return BASE_OK;
}

/** A sphere of the packing, to be sorted. */
typedef struct placed {
    vec3 centre;
    double radius;
    alg_ist_share share;
    uint32_t order;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *const a = left, *const b = right;
    return a->radius != b->radius ? (a->radius < b->radius) - (a->radius > b->radius)
                                  : (a->order > b->order) - (a->order < b->order);
}

/** The largest first: a refined sphere may be larger than one before it. */
static base_status sort_spheres(alg_ist_packing *packing, base_error *err)
{
    placed *const all = base_alloc(packing->count, sizeof *all);
    if (!all) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
    }
    for (size_t i = 0; i < packing->count; i++) {
        all[i] = (placed){packing->centres[i], packing->radii[i], packing->shares[i], (uint32_t)i};
    }
    qsort(all, packing->count, sizeof *all, compare_placed);
    for (size_t i = 0; i < packing->count; i++) {
        packing->centres[i] = all[i].centre;
        packing->radii[i] = all[i].radius;
        packing->shares[i] = all[i].share;
    }
    base_free(all);
    return BASE_OK;
}

static base_status pack(alg_voxel_field *field, const alg_ist_limits *limits, bool refined,
                        alg_ist_packing *packing, base_error *err)
{
    *packing = (alg_ist_packing){0};
    packer p = {.field = field, .packing = packing, .refined = refined};
    p.places = (alg_ist_places){.field = field, .packing = packing};
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
    alg_ist_places_release(&p.places);
    base_free(p.heads);
    base_free(p.next);
    base_free(p.heap);
    base_free(p.unmeasured);
    return status;
}

base_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits,
                         alg_ist_packing *packing, base_error *err)
{
    return pack(field, limits, false, packing, err);
}

base_status alg_ist_pack_refined(alg_voxel_field *field, const alg_ist_limits *limits,
                                 alg_ist_packing *packing, base_error *err)
{
    return pack(field, limits, true, packing, err);
}

base_status alg_ist_packing_reserve(alg_ist_packing *packing, size_t count, base_error *err)
{
    if (count <= packing->capacity) {
        return BASE_OK;
    }
    void **const arrays[] = {(void **)&packing->centres,   (void **)&packing->radii,
                             (void **)&packing->secondary, (void **)&packing->outer,
                             (void **)&packing->middles,   (void **)&packing->outward,
                             (void **)&packing->shares};
    const size_t sizes[] = {sizeof *packing->centres,   sizeof *packing->radii,
                            sizeof *packing->secondary, sizeof *packing->outer,
                            sizeof *packing->middles,   sizeof *packing->outward,
                            sizeof *packing->shares};
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
    base_free(packing->outer);
    base_free(packing->middles);
    base_free(packing->outward);
    base_free(packing->shares);
    *packing = (alg_ist_packing){0};
}
