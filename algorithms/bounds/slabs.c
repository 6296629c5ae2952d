/**
 * Slabs, built from the coarsest voxels down. The triangles in a voxel's region are searched among
 * those in the region of its parent voxel.
 */
#include "algorithms/bounds/slabs.h"

#include "algorithms/bounds/cells.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <stdint.h>
#include <string.h>

/* Lengths around a voxel, from its centre, in units of its edge. */
#define HALF   0.5
#define CUBE   ALG_BOUNDS_SLABS_CUBE
#define CORNER (0.86602540378443871 * CUBE) /* from the centre of a cube to its corner */
/* Regions are slightly enlarged, for the rounding of tests against them. */
#define AMPLE (1 + 1e-9)
/* A region contains all points within the distance CORNER of the voxel. These are its extents from
 * the centre along an axis, towards an edge, and towards a corner of the voxel. */
#define REACH_FACE   (AMPLE * (HALF + CORNER))
#define REACH_EDGE   (AMPLE * (0.70710678118654757 + CORNER))
#define REACH_CORNER (AMPLE * (0.86602540378443871 + CORNER))
/* Units of a slab's integers. The largest offset is beyond every region. */
#define NORMAL 0x1.fffcp14
#define OFFSET 0x1p12
#define BEYOND INT16_MAX

enum { TASKS_A_CHUNK = 1, PLANES = 26, AXES = PLANES / 2, COARSEST = 8 };

/* Greatest number of coarsest voxels in a row: at most 2 * COARSEST in the box, and the margins. */
enum { ROW_MAX = 32 };

/** A voxel of a level. Coordinates are relative to the corner of the body's box, so they may be
 * negative. */
typedef struct voxel {
    uint32_t level;
    int32_t x, y, z;
} voxel;

/** Result of a task for one voxel. */
typedef struct found {
    voxel voxel;
    uint32_t state; /* ALG_BOUNDS_SLABS_INSIDE, or ALG_BOUNDS_SLABS_FIRST + index in task.slabs */
} found;

/** Data of a face, computed once for all regions. */
typedef struct face {
    geo_triangle corners;
    geo_box box;
    vec3 normal; /* its length is twice the area */
} face;

/** A face that is near a row of voxels, or in the region of a voxel. */
typedef struct listed {
    uint32_t face;
    uint32_t parts; /* bit i: the face may be in the region of voxel i of the row, or of part i of
                       the voxel */
} listed;

/** A row of coarsest voxels with all of their descendants. */
typedef struct task {
    found *found;
    size_t found_count, found_capacity;
    alg_bounds_slab *slabs;
    size_t slab_count, slab_capacity;
    listed *faces; /* a stack: faces of the row, then of each voxel on the way down */
    size_t face_count, face_capacity;
    vec3 *corners; /* of the parts of triangles in a region, relative to its voxel */
    size_t corner_count, corner_capacity;
    base_error err;
} task;

typedef struct builder {
    const geo_surface *surface;
    const face *faces;
    vec3 origin;
    double finest; /* edge of the finest voxels */
    vec3 planes[PLANES];
    double offsets[PLANES];
    uint32_t above[AXES], below[AXES]; /* bits of the two planes across an axis, see sum_axes */
    double reaches[AXES];              /* greatest sums along each axis */
    voxel first;                       /* first of the coarsest voxels */
    uint32_t size[3];
    task *tasks;
} builder;

static double edge_of(const builder *b, uint32_t level)
{
    return ldexp(b->finest, (int)level);
}

static vec3 centre_of(const builder *b, const voxel *v)
{
    const double edge = edge_of(b, v->level);
    return (vec3){b->origin.x + edge * (v->x + 0.5), b->origin.y + edge * (v->y + 0.5),
                  b->origin.z + edge * (v->z + 0.5)};
}

/* --- The surface in a region ------------------------------------------------------------------ */

/** Returns direction i of the 27 directions with components of -1, 0 and 1. Direction 26 - i is
 * opposite to direction i. */
static vec3 towards(int i)
{
    return (vec3){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
}

/** Sets the planes around a region. Axis k has direction 14 + k; at each of its two ends, a plane
 * perpendicular to it bounds the region. */
static void set_planes(builder *b)
{
    const double reach[] = {REACH_FACE, REACH_EDGE, REACH_CORNER};
    int count = 0;
    for (int kind = 1; kind <= 3; kind++) {
        for (int i = 0; i < 27; i++) {
            if (vec3_norm2(towards(i)) == kind) {
                *(i > AXES ? &b->above[i - AXES - 1] : &b->below[AXES - 1 - i]) = 1u << count;
                b->planes[count] = vec3_normalize(towards(i));
                b->offsets[count++] = reach[kind - 1];
            }
        }
    }
    for (int k = 0; k < AXES; k++) {
        const double length = vec3_norm(towards(AXES + 1 + k));
        b->reaches[k] = length * reach[(int)lrint(length * length) - 1];
    }
}

/** Computes dot(p, axis k) for all axes. */
static inline void sum_axes(vec3 p, double sums[AXES])
{
    const double high = p.z + p.y, low = p.z - p.y;
    sums[0] = p.x;
    sums[1] = p.y - p.x;
    sums[2] = p.y;
    sums[3] = p.y + p.x;
    sums[4] = low - p.x;
    sums[5] = low;
    sums[6] = low + p.x;
    sums[7] = p.z - p.x;
    sums[8] = p.z;
    sums[9] = p.z + p.x;
    sums[10] = high - p.x;
    sums[11] = high;
    sums[12] = high + p.x;
}

static inline double largest(double x, double y, double z)
{
    return base_larger(base_larger(x, y), z);
}

/**
 * Sets the mask of the planes around a region that a triangle (relative to the voxel) may cross.
 * Most triangles cross no plane, and the others cross few. If a plane is not in the mask, the
 * triangle is on its inner side. So is each part that remains after cuts by other planes, also in
 * floating point.
 *
 * Returns  false if the triangle is beyond a plane, so that no part of it is in the region.
 */
static bool find_crossed(const builder *b, const geo_triangle *relative, uint32_t *crossed)
{
    const vec3 p = vec3_abs(relative->p[0]), q = vec3_abs(relative->p[1]);
    const vec3 r = vec3_abs(relative->p[2]);
    const double x = largest(p.x, q.x, r.x), y = largest(p.y, q.y, r.y), z = largest(p.z, q.z, r.z);
    const double slack = 1e-12 * (1 + (x + y + z));
    /* A sum along an axis is at most the sum of the largest components of its terms. */
    const double most[AXES] = {x,     x + y, y,     x + y,     x + y + z, y + z,    x + y + z,
                               x + z, z,     x + z, x + y + z, y + z,     x + y + z};
    *crossed = 0;
    if (x + y + z < b->reaches[4] - slack && largest(x + y, x + z, y + z) < b->reaches[1] - slack &&
        largest(x, y, z) < b->reaches[0] - slack) {
        return true;
    }
    double sums[3][AXES];
    for (int i = 0; i < 3; i++) {
        sum_axes(relative->p[i], sums[i]);
    }
    for (int k = 0; k < AXES; k++) {
        const double near = b->reaches[k] - slack, far = b->reaches[k] + slack;
        if (most[k] < near) {
            continue;
        }
        const double highest = largest(sums[0][k], sums[1][k], sums[2][k]);
        const double lowest = -largest(-sums[0][k], -sums[1][k], -sums[2][k]);
        if (lowest > far || highest < -far) {
            return false;
        }
        *crossed |= (highest > near ? b->above[k] : 0) | (lowest < -near ? b->below[k] : 0);
    }
    return true;
}

/** Greatest number of corners of a part: each plane adds at most one. */
enum { CORNERS_MAX = 3 + PLANES };

/** Cuts off the part of a polygon beyond a plane. Returns the number of remaining corners. */
static uint32_t cut_off(vec3 *p, uint32_t count, vec3 normal, double offset)
{
    double above[CORNERS_MAX];
    vec3 all[CORNERS_MAX];
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        above[i] = vec3_dot(normal, p[i]) - offset;
        most = above[i] > most ? above[i] : most;
    }
    if (most <= 0) {
        return count;
    }
    memcpy(all, p, count * sizeof *p);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = i + 1 < count ? i + 1 : 0;
        if (above[i] <= 0) {
            p[kept++] = all[i];
        }
        if ((above[i] < 0 && above[j] > 0) || (above[i] > 0 && above[j] < 0)) {
            const vec3 edge = vec3_sub(all[j], all[i]);
            p[kept++] = vec3_madd(all[i], above[i] / (above[i] - above[j]), edge);
        }
    }
    return kept;
}

/** Cuts a triangle (relative to the voxel) by the crossed planes. Adds the remaining polygon as
 * triangles with a common corner. */
static base_status add_part(const builder *b, task *t, const geo_triangle *relative,
                            uint32_t crossed)
{
    vec3 p[CORNERS_MAX] = {relative->p[0], relative->p[1], relative->p[2]};
    uint32_t count = 3;
    for (uint32_t left = crossed; left != 0 && count > 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        count = cut_off(p, count, b->planes[i], b->offsets[i]);
    }
    const base_status status =
        base_reserve(t->corners, t->corner_capacity, t->corner_count + 3 * (size_t)count, &t->err);
    for (uint32_t i = 1; status == BASE_OK && i + 1 < count; i++) {
        t->corners[t->corner_count++] = p[0];
        t->corners[t->corner_count++] = p[i];
        t->corners[t->corner_count++] = p[i + 1];
    }
    return status;
}

/**
 * Returns a mask of the eight parts of a voxel: bit i is set if a piece of the face may be in the
 * region of part i. A part is excluded if the face's box or plane misses the box of its region.
 * edge: of the voxel.
 */
static uint32_t near_parts(const face *f, vec3 centre, double edge)
{
    const double quarter = 0.25 * edge, reach = AMPLE * 2 * quarter * REACH_FACE;
    const double near = reach - quarter, far = reach + quarter;
    const vec3 lo = vec3_sub(f->box.lo, centre), hi = vec3_sub(f->box.hi, centre);
    const uint32_t x =
        (lo.x <= near && hi.x >= -far ? 0x55 : 0) | (lo.x <= far && hi.x >= -near ? 0xaa : 0);
    const uint32_t y =
        (lo.y <= near && hi.y >= -far ? 0x33 : 0) | (lo.y <= far && hi.y >= -near ? 0xcc : 0);
    const uint32_t z =
        (lo.z <= near && hi.z >= -far ? 0x0f : 0) | (lo.z <= far && hi.z >= -near ? 0xf0 : 0);
    const vec3 extent = vec3_sub(hi, lo);
    if (largest(extent.x, extent.y, extent.z) < reach) {
        return x & y & z; /* for a small face, the plane excludes hardly any further part */
    }
    const vec3 n = vec3_scale(quarter, f->normal), size = vec3_abs(f->normal);
    const double offset = vec3_dot(f->normal, vec3_sub(centre, f->corners.p[0]));
    const double most = reach * (size.x + size.y + size.z);
    uint32_t met = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const double at =
            offset + (i & 1 ? n.x : -n.x) + (i & 2 ? n.y : -n.y) + (i & 4 ? n.z : -n.z);
        met |= (uint32_t)(fabs(at) <= most) << i;
    }
    return x & y & z & met;
}

/**
 * Adds the parts of the listed faces [begin, end) that are in the region of a voxel, and pushes
 * these faces on the stack. Only they can have a part in the regions of the voxel's parts, which
 * are inside this region. which: the bit of the voxel in listed.parts.
 */
static base_status collect_parts(const builder *b, task *t, const voxel *v, size_t begin,
                                 size_t end, uint32_t which)
{
    const vec3 centre = centre_of(b, v);
    const double edge = edge_of(b, v->level), scale = 1 / edge;
    t->corner_count = 0;
    base_status status =
        base_reserve(t->faces, t->face_capacity, t->face_count + (end - begin), &t->err);
    for (size_t i = begin; i < end && status == BASE_OK; i++) {
        if (!(t->faces[i].parts & which)) {
            continue;
        }
        const uint32_t number = t->faces[i].face;
        const face *const f = &b->faces[number];
        geo_triangle relative;
        uint32_t crossed;
        for (int k = 0; k < 3; k++) {
            relative.p[k] = vec3_scale(scale, vec3_sub(f->corners.p[k], centre));
        }
        if (find_crossed(b, &relative, &crossed)) {
            t->faces[t->face_count++] =
                (listed){number, v->level > 0 ? near_parts(f, centre, edge) : 0};
            status = add_part(b, t, &relative, crossed);
        }
    }
    return status;
}

/* --- Slabs ------------------------------------------------------------------------------------ */

/** Returns the triangle's normal, whose length is twice the area. */
static vec3 area_of(const vec3 *corners)
{
    return vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
}

/** Computes the planes around the parts. The normal is the mean of their normals. */
static void span_parts(const task *t, alg_bounds_slab *slab)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < t->corner_count; i += 3) {
        sum = vec3_add(sum, area_of(&t->corners[i]));
    }
    vec3 normal = vec3_normalize(sum);
    if (vec3_norm2(normal) < 0.5) {
        normal = (vec3){0, 0, 1}; /* the triangles have no area, or their areas cancel */
    }
    *slab = (alg_bounds_slab){.normal = {(int16_t)lrint(NORMAL * normal.x),
                                         (int16_t)lrint(NORMAL * normal.y),
                                         (int16_t)lrint(NORMAL * normal.z)}};
    const vec3 n = alg_bounds_slab_normal(slab);
    double lower = INFINITY, upper = -INFINITY, weight = 0, middle = 0;
    for (size_t i = 0; i < t->corner_count; i += 3) {
        const vec3 *const p = &t->corners[i];
        for (int k = 0; k < 3; k++) {
            const double offset = vec3_dot(n, p[k]);
            lower = offset < lower ? offset : lower;
            upper = offset > upper ? offset : upper;
        }
        const vec3 mean = vec3_scale(1.0 / 3, vec3_add(p[0], vec3_add(p[1], p[2])));
        const double near = fmax(1 - vec3_norm2(mean) / (CORNER * CORNER), 0);
        weight += near * vec3_norm(area_of(p));
        middle += near * vec3_norm(area_of(p)) * vec3_dot(n, mean);
    }
    slab->lower = (int16_t)floor(OFFSET * (lower - 1e-12));
    slab->upper = (int16_t)ceil(OFFSET * (upper + 1e-12));
    slab->middle = (int16_t)lrint(OFFSET * (weight > 0 ? middle / weight : 0.5 * (lower + upper)));
}

/** Returns true if a point is inside the solid. around, slab: a voxel whose region contains the
 * point, and its slab, which decides unless the point is between its planes; NULL without one. */
static bool is_inside(const builder *b, const voxel *around, const alg_bounds_slab *slab,
                      vec3 point)
{
    if (slab) {
        const vec3 n = alg_bounds_slab_normal(slab);
        const vec3 relative =
            vec3_scale(1 / edge_of(b, around->level), vec3_sub(point, centre_of(b, around)));
        const double offset = vec3_dot(n, relative);
        if (offset < alg_bounds_slab_offset(slab->lower) - 1e-9) {
            return slab->inside & ALG_BOUNDS_BELOW_INSIDE;
        }
        if (offset > alg_bounds_slab_offset(slab->upper) + 1e-9) {
            return slab->inside & ALG_BOUNDS_ABOVE_INSIDE;
        }
    }
    return geo_surface_contains(b->surface, point);
}

static void add_side(alg_bounds_slab *slab, bool inside, unsigned side)
{
    slab->inside = (uint16_t)(slab->inside | (inside ? side : 0));
}

/**
 * Determines on which sides of the slab the solid is. Tests a point beyond each plane, on the line
 * through the voxel's centre along the normal. If the region has no such point, the plane is moved
 * out of the region.
 */
static void find_sides(const builder *b, const voxel *v, const voxel *around,
                       const alg_bounds_slab *whole, alg_bounds_slab *slab)
{
    const vec3 n = alg_bounds_slab_normal(slab), centre = centre_of(b, v);
    const double edge = edge_of(b, v->level);
    const double lower = alg_bounds_slab_offset(slab->lower);
    const double upper = alg_bounds_slab_offset(slab->upper);
    /* The ball of this radius is in the region, even if the normal is slightly too long. */
    const double reach = (1 - 1e-3) * (HALF + CORNER);
    if (lower > -reach + 1e-2) {
        const vec3 p = vec3_madd(centre, 0.5 * edge * (lower - reach), n);
        add_side(slab, is_inside(b, around, whole, p), ALG_BOUNDS_BELOW_INSIDE);
    } else {
        slab->lower = -BEYOND;
    }
    if (upper < reach - 1e-2) {
        const vec3 p = vec3_madd(centre, 0.5 * edge * (upper + reach), n);
        add_side(slab, is_inside(b, around, whole, p), ALG_BOUNDS_ABOVE_INSIDE);
    } else {
        slab->upper = BEYOND;
    }
}

static base_status add_found(task *t, const voxel *v, uint32_t state)
{
    const base_status status =
        base_reserve(t->found, t->found_capacity, t->found_count + 1, &t->err);
    if (status != BASE_OK) {
        return status;
    }
    t->found[t->found_count++] = (found){*v, state};
    return BASE_OK;
}

/* --- From the coarsest voxels down ------------------------------------------------------------ */

/**
 * Processes a voxel and its descendants. Only the listed faces among [begin, end) with the bit
 * `which` can be in its region. around, whole: the parent voxel, whose region contains this one's,
 * and its slab; NULL for a coarsest voxel.
 */
static base_status visit(const builder *b, task *t, const voxel *v, size_t begin, size_t end,
                         uint32_t which, const voxel *around, const alg_bounds_slab *whole)
{
    const size_t first = t->face_count;
    base_status status = collect_parts(b, t, v, begin, end, which);
    if (status != BASE_OK) {
        return status;
    }
    if (t->corner_count == 0) {
        t->face_count = first;
        return is_inside(b, around, whole, centre_of(b, v))
                   ? add_found(t, v, ALG_BOUNDS_SLABS_INSIDE)
                   : BASE_OK;
    }
    alg_bounds_slab slab;
    span_parts(t, &slab);
    find_sides(b, v, around, whole, &slab);
    status = base_reserve(t->slabs, t->slab_capacity, t->slab_count + 1, &t->err);
    if (status == BASE_OK) {
        t->slabs[t->slab_count] = slab;
        status = add_found(t, v, ALG_BOUNDS_SLABS_FIRST + (uint32_t)t->slab_count++);
    }
    const size_t last = t->face_count;
    for (int i = 0; v->level > 0 && i < 8 && status == BASE_OK; i++) {
        const voxel part = {v->level - 1, 2 * v->x + (i & 1), 2 * v->y + (i >> 1 & 1),
                            2 * v->z + (i >> 2)};
        status = visit(b, t, &part, first, last, 1u << i, v, &slab);
    }
    t->face_count = first;
    return status;
}

/** Lists the faces that may be near the voxels of a row, which begins with `first`. */
static base_status list_row(const builder *b, task *t, const voxel *first)
{
    geo_box regions[ROW_MAX];
    const double reach = REACH_FACE * edge_of(b, first->level);
    const vec3 half = {reach, reach, reach};
    for (uint32_t i = 0; i < b->size[0]; i++) {
        const voxel v = {first->level, first->x + (int32_t)i, first->y, first->z};
        const vec3 centre = centre_of(b, &v);
        regions[i] = (geo_box){vec3_sub(centre, half), vec3_add(centre, half)};
    }
    const geo_box row = {regions[0].lo, regions[b->size[0] - 1].hi};
    for (uint32_t f = 0; f < b->surface->mesh->face_count; f++) {
        const geo_box box = b->faces[f].box;
        if (!geo_box_overlap(box, row)) {
            continue;
        }
        const base_status status =
            base_reserve(t->faces, t->face_capacity, t->face_count + 1, &t->err);
        if (status != BASE_OK) {
            return status;
        }
        listed *const l = &t->faces[t->face_count++];
        *l = (listed){.face = f};
        for (uint32_t i = 0; i < b->size[0]; i++) {
            l->parts |= (uint32_t)geo_box_overlap(box, regions[i]) << i;
        }
    }
    return BASE_OK;
}

/** Processes rows, each with all descendants of its voxels. */
static void build_rows(void *context, size_t begin, size_t end)
{
    builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        task *const t = &b->tasks[i];
        voxel v = {b->first.level, b->first.x, b->first.y + (int32_t)(i % b->size[1]),
                   b->first.z + (int32_t)(i / b->size[1])};
        base_status status = list_row(b, t, &v);
        const size_t listed_count = t->face_count;
        for (uint32_t k = 0; k < b->size[0] && status == BASE_OK; k++, v.x++) {
            status = visit(b, t, &v, 0, listed_count, 1u << k, NULL, NULL);
        }
        t->err.status = status;
        base_free(t->faces);
        base_free(t->corners);
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/** Number of voxels on each side of the box whose regions may reach the surface. */
enum { MARGIN = 1 + CUBE };

static base_status create_levels(const builder *b, uint32_t level_count, geo_box box,
                                 base_arena *arena, alg_bounds_slabs *slabs, base_error *err)
{
    slabs->level_count = level_count;
    for (uint32_t l = 0; l < level_count; l++) {
        alg_bounds_slabs_level *const level = &slabs->levels[l];
        level->edge = edge_of(b, l);
        const double margin = MARGIN * level->edge;
        level->origin = vec3_sub(b->origin, (vec3){margin, margin, margin});
        uint32_t size[3];
        for (int axis = 0; axis < 3; axis++) {
            const double length = vec3_get(box.hi, axis) - vec3_get(box.lo, axis);
            size[axis] = (uint32_t)floor(length / level->edge) + 1 + 2 * MARGIN;
        }
        const base_status status = alg_voxel_blocks_create(size, arena, &level->grid, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Allocates voxels for every block that contains a slab. */
static base_status open_blocks(const builder *b, size_t task_count, base_arena *arena,
                               alg_bounds_slabs *slabs, base_error *err)
{
    for (size_t i = 0; i < task_count; i++) {
        for (size_t k = 0; k < b->tasks[i].found_count; k++) {
            const found *const f = &b->tasks[i].found[k];
            alg_voxel_blocks *const grid = &slabs->levels[f->voxel.level].grid;
            const uint32_t x = (uint32_t)(f->voxel.x + MARGIN), y = (uint32_t)(f->voxel.y + MARGIN),
                           z = (uint32_t)(f->voxel.z + MARGIN);
            if (f->state >= ALG_BOUNDS_SLABS_FIRST && x < grid->size[0] && y < grid->size[1] &&
                z < grid->size[2]) {
                alg_voxel_blocks_open(grid, x, y, z);
            }
        }
    }
    for (uint32_t l = 0; l < slabs->level_count; l++) {
        const base_status status = alg_voxel_blocks_allocate(&slabs->levels[l].grid, arena, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Returns the range of a finer level's voxels in a voxel. */
static alg_voxel_range range_of(const alg_voxel_blocks *grid, const voxel *v, uint32_t finer)
{
    const int32_t at[3] = {v->x, v->y, v->z};
    const int32_t parts = 1 << (v->level - finer);
    alg_voxel_range r;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t lo = at[axis] * parts + MARGIN, hi = lo + parts;
        const int32_t size = (int32_t)grid->size[axis];
        r.lo[axis] = (uint32_t)(lo < 0 ? 0 : lo > size ? size : lo);
        r.hi[axis] = (uint32_t)(hi < 0 ? 0 : hi > size ? size : hi);
    }
    return r;
}

/** Fills the voxels with states. All finer voxels in a voxel without surface get its state. */
static void fill_voxels(const builder *b, size_t task_count, alg_bounds_slabs *slabs)
{
    for (size_t i = 0; i < task_count; i++) {
        const task *const t = &b->tasks[i];
        if (t->slab_count > 0) {
            memcpy(slabs->slabs + slabs->slab_count, t->slabs, t->slab_count * sizeof *t->slabs);
        }
        for (size_t k = 0; k < t->found_count; k++) {
            const voxel *const v = &t->found[k].voxel;
            const bool inside = t->found[k].state == ALG_BOUNDS_SLABS_INSIDE;
            for (uint32_t l = inside ? 0 : v->level; l <= v->level; l++) {
                alg_voxel_blocks *const grid = &slabs->levels[l].grid;
                const alg_voxel_range r = range_of(grid, v, l);
                alg_voxel_blocks_fill(grid, &r,
                                      inside ? ALG_BOUNDS_SLABS_INSIDE
                                             : t->found[k].state + slabs->slab_count);
            }
        }
        slabs->slab_count += (uint32_t)t->slab_count;
    }
}

static base_status join_tasks(const builder *b, size_t task_count, base_arena *arena,
                              alg_bounds_slabs *slabs, base_error *err)
{
    size_t slab_count = 0;
    for (size_t i = 0; i < task_count; i++) {
        if (b->tasks[i].err.status != BASE_OK) {
            return base_fail(err, b->tasks[i].err.status, "%s", b->tasks[i].err.text);
        }
        slab_count += b->tasks[i].slab_count;
    }
    slabs->slabs = base_arena_alloc(arena, slab_count, sizeof *slabs->slabs);
    if (!slabs->slabs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for slabs");
    }
    const base_status status = open_blocks(b, task_count, arena, slabs, err);
    if (status != BASE_OK) {
        return status;
    }
    fill_voxels(b, task_count, slabs);
    return BASE_OK;
}

base_status alg_bounds_slabs_build(const geo_surface *surface, uint32_t resolution,
                                   base_arena *arena, alg_bounds_slabs *slabs, base_error *err)
{
    const geo_mesh *const mesh = surface->mesh;
    const geo_box box = geo_mesh_box(mesh);
    const double cube = alg_bounds_cells_edge(box, resolution);
    if (!(cube > 0)) {
        return base_fail(err, BASE_ERR_INPUT, "the body has no extent");
    }
    base_assert(BEYOND > 2 * OFFSET * REACH_CORNER && MARGIN >= REACH_FACE - HALF);
    builder b = {.surface = surface, .origin = box.lo, .finest = cube / CUBE};
    set_planes(&b);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(fmax(size.x, size.y), size.z);
    uint32_t coarsest = 0;
    while (edge_of(&b, coarsest + 1) * COARSEST <= longest) {
        coarsest++;
    }
    *slabs = (alg_bounds_slabs){.volume = geo_mesh_measures(mesh).volume_m3,
                                .reach = geo_box_reach(box)};
    base_status status = create_levels(&b, coarsest + 1, box, arena, slabs, err);
    if (status != BASE_OK) {
        return status;
    }
    b.first = (voxel){coarsest, -MARGIN, -MARGIN, -MARGIN};
    memcpy(b.size, slabs->levels[coarsest].grid.size, sizeof b.size);
    base_assert(b.size[0] <= ROW_MAX);
    const size_t task_count = (size_t)b.size[1] * b.size[2];
    face *const faces = base_alloc(mesh->face_count, sizeof *faces);
    b.faces = faces;
    b.tasks = base_alloc(task_count, sizeof *b.tasks);
    if (!faces || !b.tasks) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for slabs");
        goto done;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        faces[f] = (face){
            .corners = t,
            .box = geo_box_of_triangle(t),
            .normal = area_of(t.p),
        };
    }
    base_parallel_for(task_count, TASKS_A_CHUNK, 0, build_rows, &b);
    status = join_tasks(&b, task_count, arena, slabs, err);
done:
    for (size_t i = 0; b.tasks && i < task_count; i++) {
        base_free(b.tasks[i].found);
        base_free(b.tasks[i].slabs);
    }
    base_free(b.tasks);
    base_free(faces);
    return status;
}
