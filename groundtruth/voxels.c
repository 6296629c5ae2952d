#include "groundtruth/voxels.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/predicates.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <math.h>

/* Number of triangles that a thread takes at a time. It is small, because a single triangle may
 * have a million voxels. */
enum { CHUNK = 8 };

/** Voxels lo to hi along each axis, both included. */
typedef struct range {
    uint32_t lo[3], hi[3];
} range;

/** Data that the threads share. Only bits are written, and they are only set, never cleared. */
typedef struct marking {
    const geo_mesh *mesh;
    const double *planes[3]; /* count + 1 along each axis, ascending */
    uint32_t count[3];
    size_t row_words;
    uint64_t *words; /* atomic while threads are running */
} marking;

/* --- A triangle and a box --------------------------------------------------------------------- */

static bool has_corner(const geo_triangle *t, const geo_box *box)
{
    bool inside = false;
    for (int i = 0; i < 3; i++) {
        const vec3 p = t->p[i];
        inside |= box->lo.x <= p.x && p.x <= box->hi.x && box->lo.y <= p.y && p.y <= box->hi.y &&
                  box->lo.z <= p.z && p.z <= box->hi.z;
    }
    return inside;
}

/** True if all corners are strictly on one side of the triangle's plane. */
static bool beside_plane(const geo_triangle *t, const vec3 corners[8])
{
    const int side = geo_orient3d(t->p[0], t->p[1], t->p[2], corners[0]);
    bool alike = side != 0;
    /* Opposite corners come first. If the plane cuts the box, one of these pairs usually has
     * corners on both sides. */
    static const int order[7] = {7, 3, 4, 5, 2, 6, 1};
    for (int i = 0; i < 7 && alike; i++) {
        alike = geo_orient3d(t->p[0], t->p[1], t->p[2], corners[order[i]]) == side;
    }
    return alike;
}

/** True if the closed triangle and the closed box share a point. */
static bool touches(const geo_triangle *t, const geo_box *box)
{
    /* Bits 0, 1 and 2 of i select the upper x, y and z of corner i. */
    static const int faces[12][3] = {{0, 1, 2}, {1, 2, 3}, {4, 5, 6}, {5, 6, 7},
                                     {0, 1, 4}, {1, 4, 5}, {2, 3, 6}, {3, 6, 7},
                                     {0, 2, 4}, {2, 4, 6}, {1, 3, 5}, {3, 5, 7}};
    if (has_corner(t, box)) {
        return true;
    }
    vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = (vec3){i & 1 ? box->hi.x : box->lo.x, i & 2 ? box->hi.y : box->lo.y,
                            i & 4 ? box->hi.z : box->lo.z};
    }
    if (beside_plane(t, corners)) {
        return false;
    }
    /* No corner of the triangle is inside the box. So if the two have a common point, the triangle
     * also meets the surface of the box. */
    for (int f = 0; f < 12; f++) {
        const geo_triangle face = {
            {corners[faces[f][0]], corners[faces[f][1]], corners[faces[f][2]]}};
        if (geo_triangle_intersect(*t, face)) {
            return true;
        }
    }
    return false;
}

/* --- Descent through halves of the grid ------------------------------------------------------- */

/** Returns the first plane at x or above; count + 1 if there is no such plane. */
static uint32_t first_plane_from(const double *planes, uint32_t count, double x)
{
    uint32_t lo = 0, hi = count + 1;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (planes[middle] < x) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/** Finds the voxels whose closed interval meets [lo, hi]. Returns false if there are none. */
static bool find_interval(const double *planes, uint32_t count, double lo, double hi,
                          uint32_t *first, uint32_t *last)
{
    if (hi < planes[0] || planes[count] < lo) {
        return false;
    }
    /* Voxel i meets it if plane i + 1 >= lo and plane i <= hi. */
    const uint32_t above_lo = first_plane_from(planes, count, lo);
    *first = above_lo > 0 ? above_lo - 1 : 0;
    const uint32_t above_hi = first_plane_from(planes, count, hi);
    const uint32_t at_hi = above_hi <= count && planes[above_hi] == hi ? above_hi : above_hi - 1;
    *last = at_hi < count ? at_hi : count - 1;
    return true;
}

/** Marks the voxels of the range that the triangle touches. */
static void descend(const marking *m, const geo_triangle *t, const range *r)
{
    const uint32_t *const n = m->count;
    const bool single = r->lo[0] == r->hi[0] && r->lo[1] == r->hi[1] && r->lo[2] == r->hi[2];
    uint64_t *const word =
        m->words + ((size_t)r->lo[2] * n[1] + r->lo[1]) * m->row_words + r->lo[0] / 64;
    const uint64_t bit = (uint64_t)1 << r->lo[0] % 64;
    if (single && __atomic_load_n(word, __ATOMIC_RELAXED) & bit) {
        return; /* another triangle touches it */
    }
    const double *const *const p = m->planes;
    const geo_box box = {{p[0][r->lo[0]], p[1][r->lo[1]], p[2][r->lo[2]]},
                         {p[0][r->hi[0] + 1], p[1][r->hi[1] + 1], p[2][r->hi[2] + 1]}};
    if (!touches(t, &box)) {
        return;
    }
    if (single) {
        __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
        return;
    }
    for (int part = 0; part < 8; part++) {
        range half = *r;
        bool empty = false;
        for (int k = 0; k < 3; k++) {
            const uint32_t middle = r->lo[k] + (r->hi[k] - r->lo[k]) / 2;
            if (part >> k & 1) {
                half.lo[k] = middle + 1;
                empty |= middle == r->hi[k];
            } else {
                half.hi[k] = middle;
            }
        }
        if (!empty) {
            descend(m, t, &half);
        }
    }
}

static void mark_triangles(void *context, size_t begin, size_t end)
{
    const marking *const m = context;
    for (size_t f = begin; f < end; f++) {
        const geo_triangle t = geo_mesh_triangle(m->mesh, f);
        const geo_box box = geo_box_of_triangle(t);
        range all;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            inside = inside && find_interval(m->planes[k], m->count[k], vec3_get(box.lo, k),
                                             vec3_get(box.hi, k), &all.lo[k], &all.hi[k]);
        }
        if (inside) {
            descend(m, &t, &all);
        }
    }
}

/* --- The voxels ------------------------------------------------------------------------------- */

/** Computes the planes of an axis. Returns false if they are not finite or do not ascend. */
static bool set_planes(const gt_voxel_grid *grid, int axis, double *planes)
{
    const double corner = vec3_get(grid->corner, axis);
    bool ascend = true;
    for (uint32_t i = 0; i <= grid->count[axis]; i++) {
        planes[i] = corner + grid->edge * ((double)i - (double)grid->padding);
        ascend = ascend && isfinite(planes[i]) && (i == 0 || planes[i - 1] < planes[i]);
    }
    return ascend;
}

static base_status make_planes(const gt_voxel_grid *grid, double *planes[3], base_error *err)
{
    for (int k = 0; k < 3; k++) {
        if (grid->count[k] < 1 || grid->count[k] > GT_VOXELS_MAX) {
            return base_fail(err, BASE_ERR_INPUT, "%u voxels along %c are none, or more than %d",
                             grid->count[k], "xyz"[k], GT_VOXELS_MAX);
        }
        planes[k] = base_alloc((size_t)grid->count[k] + 1, sizeof *planes[k]);
        if (!planes[k]) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for the planes of a grid");
        }
        if (!set_planes(grid, k, planes[k])) {
            return base_fail(err, BASE_ERR_INPUT, "planes of the grid along %c do not ascend",
                             "xyz"[k]);
        }
    }
    return BASE_OK;
}

static size_t word_count(const gt_voxels *voxels)
{
    return voxels->row_words * voxels->grid.count[1] * voxels->grid.count[2];
}

base_status gt_voxels_create(const geo_mesh *mesh, const gt_voxel_grid *grid, gt_voxels *voxels,
                             base_error *err)
{
    double *planes[3] = {0};
    *voxels = (gt_voxels){.grid = *grid, .row_words = ((size_t)grid->count[0] + 63) / 64};
    base_status status = make_planes(grid, planes, err);
    if (status == BASE_OK) {
        voxels->words = base_alloc(word_count(voxels), sizeof *voxels->words);
        if (!voxels->words) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %u x %u x %u voxels",
                               grid->count[0], grid->count[1], grid->count[2]);
        }
    }
    if (status == BASE_OK) {
        marking m = {
            .mesh = mesh,
            .planes = {planes[0], planes[1], planes[2]},
            .count = {grid->count[0], grid->count[1], grid->count[2]},
            .row_words = voxels->row_words,
            .words = voxels->words,
        };
        base_parallel_for(mesh->face_count, CHUNK, 0, mark_triangles, &m);
        for (size_t i = 0; i < word_count(voxels); i++) {
            voxels->count += (uint64_t)__builtin_popcountll(voxels->words[i]);
        }
    } else {
        *voxels = (gt_voxels){0};
    }
    for (int k = 0; k < 3; k++) {
        base_free(planes[k]);
    }
    return status;
}

void gt_voxels_release(gt_voxels *voxels)
{
    base_free(voxels->words);
    *voxels = (gt_voxels){0};
}

/* --- Lists ------------------------------------------------------------------------------------ */

base_status gt_voxel_list_create(const gt_voxels *exact, gt_voxel_list *list, base_error *err)
{
    *list = (gt_voxel_list){.exact = exact,
                            .given = base_alloc(word_count(exact), sizeof *list->given)};
    if (!list->given) {
        *list = (gt_voxel_list){0};
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a list of voxels");
    }
    return BASE_OK;
}

void gt_voxel_list_add(gt_voxel_list *list, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    const gt_voxels *const exact = list->exact;
    const uint32_t *const n = exact->grid.count;
    for (uint32_t x = x0; x < x1; x++) {
        if (x >= n[0] || y >= n[1] || z >= n[2]) {
            list->excess += x1 - x;
            return;
        }
        const size_t word = ((size_t)z * n[1] + y) * exact->row_words + x / 64;
        const uint64_t bit = (uint64_t)1 << x % 64;
        const bool counts = exact->words[word] & bit & ~list->given[word];
        list->given[word] |= bit;
        list->found += counts;
        list->excess += !counts;
    }
}

void gt_voxel_list_release(gt_voxel_list *list)
{
    base_free(list->given);
    *list = (gt_voxel_list){0};
}
