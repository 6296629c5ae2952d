/**
 * Slabs, built from the coarsest voxels down: a part of a voxel looks only at the triangles that
 * its whole has seen.
 */
#include "algorithms/ist/slabs.h"

#include "algorithms/ist/cells.h"
#include "algorithms/ist/polygon.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* How much finer than the cubes that it speaks for a voxel is, in halvings: finer ones make thinner
 * slabs, and more of them. */
enum { FINER = 1 };

/* Everything around a voxel is in its edges, from its centre. */
#define HALF   0.5
#define CUBE   (1 << FINER)
#define CORNER (0.86602540378443871 * CUBE) /* from the centre of a cube to its corner */
/* Regions are a little larger than they have to be, for the rounding of what looks into them. */
#define AMPLE (1 + 1e-9)
/* A region is all that is within CORNER of the voxel: these are its extents along an axis, towards
 * an edge, and towards a corner of the voxel. */
#define REACH_FACE   (AMPLE * (HALF + CORNER))
#define REACH_EDGE   (AMPLE * (0.70710678118654757 + CORNER))
#define REACH_CORNER (AMPLE * (0.86602540378443871 + CORNER))
/* Units of what a slab stores; the largest offset is beyond every region. */
#define NORMAL 0x1.fffcp14
#define OFFSET 0x1p12
#define BEYOND INT16_MAX

enum { TASKS_A_CHUNK = 1, PLANES = 26, COARSEST = 8 };

/** A voxel of a level; coordinates from the corner of the body's box, so they may be negative. */
typedef struct voxel {
    uint32_t level;
    int32_t x, y, z;
} voxel;

/** What a task finds. */
typedef struct found {
    voxel voxel;
    uint32_t state; /* ALG_IST_SLABS_INSIDE, or ALG_IST_SLABS_FIRST + place in the task's slabs */
} found;

/** One coarsest voxel with all of its parts. */
typedef struct task {
    found *found;
    size_t found_count, found_capacity;
    alg_ist_slab *slabs;
    size_t slab_count, slab_capacity;
    uint32_t *faces; /* a stack: those of each voxel on the way down */
    size_t face_count, face_capacity;
    vec3 *corners; /* of the triangles' parts in a region, relative to its voxel */
    size_t corner_count, corner_capacity;
    base_error err;
} task;

typedef struct builder {
    const geo_surface *surface;
    const geo_box *boxes; /* of the faces */
    vec3 origin;
    double finest; /* edge of the finest voxels */
    vec3 planes[PLANES];
    double offsets[PLANES];
    voxel first; /* of the coarsest ones */
    uint32_t size[3];
    task *tasks;
} builder;

double alg_ist_slabs_cube(const alg_ist_slabs *slabs, uint32_t level)
{
    return CUBE * slabs->levels[level].edge;
}

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

/** The planes around a region. */
static void set_planes(builder *b)
{
    const double reach[] = {REACH_FACE, REACH_EDGE, REACH_CORNER};
    int count = 0;
    for (int kind = 1; kind <= 3; kind++) {
        for (int i = 0; i < 27; i++) {
            const vec3 towards = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            if (vec3_norm2(towards) == kind) {
                b->planes[count] = vec3_normalize(towards);
                b->offsets[count++] = reach[kind - 1];
            }
        }
    }
}

/** Keeps what is not beyond a plane; false: nothing is, and *kept is not filled. */
static bool cut_off(const alg_ist_polygon *polygon, vec3 normal, double offset,
                    alg_ist_polygon *kept)
{
    double above[ALG_IST_CORNERS_MAX];
    double most = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        above[i] = vec3_dot(normal, polygon->p[i]) - offset;
        most = above[i] > most ? above[i] : most;
    }
    if (most <= 0) {
        return false;
    }
    kept->count = 0;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const uint32_t j = i + 1 < polygon->count ? i + 1 : 0;
        if (above[i] <= 0) {
            alg_ist_polygon_add(kept, polygon->p[i]);
        }
        if ((above[i] < 0 && above[j] > 0) || (above[i] > 0 && above[j] < 0)) {
            const vec3 edge = vec3_sub(polygon->p[j], polygon->p[i]);
            alg_ist_polygon_add(kept,
                                vec3_madd(polygon->p[i], above[i] / (above[i] - above[j]), edge));
        }
    }
    return true;
}

/** Adds the part of a triangle (relative to the voxel) in the region, a fan of triangles. */
static base_status add_part(const builder *b, task *t, geo_triangle relative)
{
    alg_ist_polygon polygon[2];
    int at = 0;
    polygon[0].count = 3;
    double far2 = 0;
    for (int i = 0; i < 3; i++) {
        polygon[0].p[i] = relative.p[i];
        far2 = fmax(far2, vec3_norm2(relative.p[i]));
    }
    for (int i = 0; far2 > REACH_FACE * REACH_FACE && polygon[at].count > 0 && i < PLANES; i++) {
        at = cut_off(&polygon[at], b->planes[i], b->offsets[i], &polygon[1 - at]) ? 1 - at : at;
    }
    const alg_ist_polygon *const p = &polygon[at];
    for (uint32_t i = 1; i + 1 < p->count; i++) {
        const base_status status = base_grow((void **)&t->corners, &t->corner_capacity,
                                             t->corner_count + 3, sizeof *t->corners, &t->err);
        if (status != BASE_OK) {
            return status;
        }
        t->corners[t->corner_count++] = p->p[0];
        t->corners[t->corner_count++] = p->p[i];
        t->corners[t->corner_count++] = p->p[i + 1];
    }
    return BASE_OK;
}

static base_status collect_parts(const builder *b, task *t, const voxel *v, size_t first)
{
    const vec3 centre = centre_of(b, v);
    const double scale = 1 / edge_of(b, v->level);
    t->corner_count = 0;
    base_status status = BASE_OK;
    for (size_t i = first; status == BASE_OK && i < t->face_count; i++) {
        geo_triangle relative = geo_mesh_triangle(b->surface->mesh, t->faces[i]);
        for (int k = 0; k < 3; k++) {
            relative.p[k] = vec3_scale(scale, vec3_sub(relative.p[k], centre));
        }
        status = add_part(b, t, relative);
    }
    return status;
}

/* --- Slabs ------------------------------------------------------------------------------------ */

/** Twice the area of a triangle along its normal. */
static vec3 area_of(const vec3 *corners)
{
    return vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
}

/** The planes around the parts; the normal is their mean. */
static void span_parts(const task *t, alg_ist_slab *slab)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < t->corner_count; i += 3) {
        sum = vec3_add(sum, area_of(&t->corners[i]));
    }
    vec3 normal = vec3_normalize(sum);
    if (vec3_norm2(normal) < 0.5) {
        normal = (vec3){0, 0, 1}; /* triangles without an area, or such that face each other */
    }
    *slab = (alg_ist_slab){
        .normal = {(int16_t)lrint(NORMAL * normal.x), (int16_t)lrint(NORMAL * normal.y),
                   (int16_t)lrint(NORMAL * normal.z)}
    };
    const vec3 n = alg_ist_slab_normal(slab);
    double lower = INFINITY, upper = -INFINITY, weight = 0, middle = 0;
    for (size_t i = 0; i < t->corner_count; i += 3) {
        const vec3 *const p = &t->corners[i];
        for (int k = 0; k < 3; k++) {
            const double offset = vec3_dot(n, p[k]);
            lower = fmin(lower, offset);
            upper = fmax(upper, offset);
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

/** Is a point of the region of `around` inside? Its slab knows, unless the point is in it. */
static bool is_inside(const builder *b, const voxel *around, const alg_ist_slab *slab, vec3 point)
{
    if (slab) {
        const vec3 n = alg_ist_slab_normal(slab);
        const vec3 relative =
            vec3_scale(1 / edge_of(b, around->level), vec3_sub(point, centre_of(b, around)));
        const double offset = vec3_dot(n, relative);
        if (offset < alg_ist_slab_offset(slab->lower) - 1e-9) {
            return slab->inside & ALG_IST_BELOW_INSIDE;
        }
        if (offset > alg_ist_slab_offset(slab->upper) + 1e-9) {
            return slab->inside & ALG_IST_ABOVE_INSIDE;
        }
    }
    return geo_surface_contains(b->surface, point);
}

static void add_side(alg_ist_slab *slab, bool inside, unsigned side)
{
    slab->inside = (uint16_t)(slab->inside | (inside ? side : 0));
}

/** The region beyond a plane holds a point of the line through the centre along the normal, or it
 * is left to the slab. */
static void find_sides(const builder *b, const voxel *v, const voxel *around,
                       const alg_ist_slab *whole, alg_ist_slab *slab)
{
    const vec3 n = alg_ist_slab_normal(slab), centre = centre_of(b, v);
    const double edge = edge_of(b, v->level);
    const double lower = alg_ist_slab_offset(slab->lower);
    const double upper = alg_ist_slab_offset(slab->upper);
    /* The ball of this radius is in the region, even when the normal is a little too long. */
    const double reach = (1 - 1e-3) * (HALF + CORNER);
    if (lower > -reach + 1e-2) {
        const vec3 p = vec3_madd(centre, 0.5 * edge * (lower - reach), n);
        add_side(slab, is_inside(b, around, whole, p), ALG_IST_BELOW_INSIDE);
    } else {
        slab->lower = -BEYOND;
    }
    if (upper < reach - 1e-2) {
        const vec3 p = vec3_madd(centre, 0.5 * edge * (upper + reach), n);
        add_side(slab, is_inside(b, around, whole, p), ALG_IST_ABOVE_INSIDE);
    } else {
        slab->upper = BEYOND;
    }
}

static base_status add_found(task *t, const voxel *v, uint32_t state)
{
    const base_status status = base_grow((void **)&t->found, &t->found_capacity, t->found_count + 1,
                                         sizeof *t->found, &t->err);
    if (status == BASE_OK) {
        t->found[t->found_count++] = (found){*v, state};
    }
    return status;
}

static base_status add_slab(task *t, const voxel *v, alg_ist_slab slab)
{
    base_status status = base_grow((void **)&t->slabs, &t->slab_capacity, t->slab_count + 1,
                                   sizeof *t->slabs, &t->err);
    if (status == BASE_OK) {
        t->slabs[t->slab_count] = slab;
        status = add_found(t, v, ALG_IST_SLABS_FIRST + (uint32_t)t->slab_count++);
    }
    return status;
}

/* --- From the coarsest voxels down ------------------------------------------------------------ */

/** Box of a voxel's region. */
static geo_box region_of(const builder *b, const voxel *v)
{
    const double reach = REACH_FACE * edge_of(b, v->level);
    const vec3 centre = centre_of(b, v), half = {reach, reach, reach};
    return (geo_box){vec3_sub(centre, half), vec3_add(centre, half)};
}

/** Does the plane of a triangle pass by a box? */
static bool passes_by(geo_triangle t, geo_box box)
{
    const vec3 n = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    const vec3 centre = geo_box_centre(box), half = vec3_sub(box.hi, centre);
    return fabs(vec3_dot(n, vec3_sub(centre, t.p[0]))) > AMPLE * vec3_dot(vec3_abs(n), half);
}

/** Puts those of the faces [begin, end) that come near a region on top of the stack. */
static base_status push_faces(const builder *b, task *t, geo_box region, size_t begin, size_t end)
{
    const base_status status = base_grow((void **)&t->faces, &t->face_capacity,
                                         t->face_count + (end - begin), sizeof *t->faces, &t->err);
    for (size_t i = begin; status == BASE_OK && i < end; i++) {
        const uint32_t face = t->faces[i];
        if (geo_box_overlap(b->boxes[face], region) &&
            !passes_by(geo_mesh_triangle(b->surface->mesh, face), region)) {
            t->faces[t->face_count++] = face;
        }
    }
    return status;
}

/**
 * Finds a voxel and its parts; its faces are those from `first` on. The voxel around it and its
 * slab, which speak for all of the region: NULL for a coarsest one.
 */
static base_status visit(const builder *b, task *t, const voxel *v, size_t first,
                         const voxel *around, const alg_ist_slab *whole)
{
    base_status status = collect_parts(b, t, v, first);
    if (status != BASE_OK) {
        return status;
    }
    if (t->corner_count == 0) {
        return is_inside(b, around, whole, centre_of(b, v)) ? add_found(t, v, ALG_IST_SLABS_INSIDE)
                                                            : BASE_OK;
    }
    alg_ist_slab slab;
    span_parts(t, &slab);
    find_sides(b, v, around, whole, &slab);
    status = add_slab(t, v, slab);
    const size_t end = t->face_count;
    for (int i = 0; status == BASE_OK && v->level > 0 && i < 8; i++) {
        const voxel part = {v->level - 1, 2 * v->x + (i & 1), 2 * v->y + (i >> 1 & 1),
                            2 * v->z + (i >> 2)};
        status = push_faces(b, t, region_of(b, &part), first, end);
        if (status == BASE_OK) {
            status = visit(b, t, &part, end, v, &slab);
        }
        t->face_count = end;
    }
    return status;
}

static void do_tasks(void *context, size_t begin, size_t end)
{
    builder *const b = context;
    for (size_t i = begin; i < end; i++) {
        task *const t = &b->tasks[i];
        const voxel v = {b->first.level, b->first.x + (int32_t)(i % b->size[0]),
                         b->first.y + (int32_t)(i / b->size[0] % b->size[1]),
                         b->first.z + (int32_t)(i / b->size[0] / b->size[1])};
        const geo_box region = region_of(b, &v);
        base_status status = BASE_OK;
        for (uint32_t f = 0; status == BASE_OK && f < b->surface->mesh->face_count; f++) {
            if (geo_box_overlap(b->boxes[f], region)) {
                status = base_grow((void **)&t->faces, &t->face_capacity, t->face_count + 1,
                                   sizeof *t->faces, &t->err);
                if (status == BASE_OK) {
                    t->faces[t->face_count++] = f;
                }
            }
        }
        if (status == BASE_OK) {
            status = visit(b, t, &v, 0, NULL, NULL);
        }
        t->err.status = status;
        base_free(t->faces);
        base_free(t->corners);
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/** Voxels around the box whose regions may reach the surface. */
enum { MARGIN = 1 + FINER + 1 };

static void set_levels(const builder *b, uint32_t level_count, geo_box box, alg_ist_slabs *slabs)
{
    slabs->level_count = level_count;
    for (uint32_t l = 0; l < level_count; l++) {
        alg_ist_slabs_level *const level = &slabs->levels[l];
        level->edge = edge_of(b, l);
        const double margin = MARGIN * level->edge;
        level->origin = vec3_sub(b->origin, (vec3){margin, margin, margin});
        for (int axis = 0; axis < 3; axis++) {
            const double size = vec3_get(box.hi, axis) - vec3_get(box.lo, axis);
            level->size[axis] = (uint32_t)floor(size / level->edge) + 1 + 2 * MARGIN;
            level->block[axis] =
                (level->size[axis] + ALG_IST_SLABS_BLOCK - 1) / ALG_IST_SLABS_BLOCK;
        }
    }
}

static uint32_t *block_at(const alg_ist_slabs_level *level, const uint32_t at[3])
{
    return &level->blocks[(at[2] * (size_t)level->block[1] + at[1]) * level->block[0] + at[0]];
}

/** Gives a block of its own to every place with a slab in it. */
static uint32_t count_blocks(const builder *b, size_t task_count, alg_ist_slabs *slabs)
{
    uint32_t count = 0;
    for (size_t i = 0; i < task_count; i++) {
        for (size_t k = 0; k < b->tasks[i].found_count; k++) {
            const found *const f = &b->tasks[i].found[k];
            const alg_ist_slabs_level *const level = &slabs->levels[f->voxel.level];
            const uint32_t x = (uint32_t)(f->voxel.x + MARGIN), y = (uint32_t)(f->voxel.y + MARGIN),
                           z = (uint32_t)(f->voxel.z + MARGIN);
            if (f->state >= ALG_IST_SLABS_FIRST && x < level->size[0] && y < level->size[1] &&
                z < level->size[2]) {
                uint32_t *const block =
                    block_at(level, (uint32_t[3]){x / ALG_IST_SLABS_BLOCK, y / ALG_IST_SLABS_BLOCK,
                                                  z / ALG_IST_SLABS_BLOCK});
                if (*block < ALG_IST_SLABS_FIRST) {
                    *block = ALG_IST_SLABS_FIRST + count++;
                }
            }
        }
    }
    return count;
}

/** Voxels [lo, hi) of a level along each axis. */
typedef struct range {
    uint32_t lo[3], hi[3];
} range;

/** The voxels of a finer level in a voxel. */
static range range_of(const alg_ist_slabs_level *level, const voxel *v, uint32_t finer)
{
    const int32_t at[3] = {v->x, v->y, v->z};
    const int32_t parts = 1 << (v->level - finer);
    range r;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t lo = at[axis] * parts + MARGIN, hi = lo + parts;
        const int32_t size = (int32_t)level->size[axis];
        r.lo[axis] = (uint32_t)(lo < 0 ? 0 : lo > size ? size : lo);
        r.hi[axis] = (uint32_t)(hi < 0 ? 0 : hi > size ? size : hi);
    }
    return r;
}

/** Sets the voxels of one block that are in a range. */
static void fill_block(alg_ist_slabs *slabs, uint32_t *block, const uint32_t at[3], const range *r,
                       uint32_t state)
{
    const uint32_t n = ALG_IST_SLABS_BLOCK;
    if (*block < ALG_IST_SLABS_FIRST) {
        *block = state; /* no slab in it, so that its voxels are all alike */
        return;
    }
    range in = *r;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t lo = at[axis] * n;
        in.lo[axis] = r->lo[axis] > lo ? r->lo[axis] - lo : 0;
        in.hi[axis] = r->hi[axis] - lo < n ? r->hi[axis] - lo : n;
    }
    uint32_t *const voxels = slabs->voxels + (size_t)(*block - ALG_IST_SLABS_FIRST) * n * n * n;
    for (uint32_t z = in.lo[2]; z < in.hi[2]; z++) {
        for (uint32_t y = in.lo[1]; y < in.hi[1]; y++) {
            for (uint32_t x = in.lo[0]; x < in.hi[0]; x++) {
                voxels[(z * n + y) * n + x] = state;
            }
        }
    }
}

static void fill_range(alg_ist_slabs *slabs, const alg_ist_slabs_level *level, const range *r,
                       uint32_t state)
{
    const uint32_t n = ALG_IST_SLABS_BLOCK;
    uint32_t at[3];
    for (at[2] = r->lo[2] / n; at[2] * n < r->hi[2]; at[2]++) {
        for (at[1] = r->lo[1] / n; at[1] * n < r->hi[1]; at[1]++) {
            for (at[0] = r->lo[0] / n; at[0] * n < r->hi[0]; at[0]++) {
                fill_block(slabs, block_at(level, at), at, r, state);
            }
        }
    }
}

/** A voxel without surface is what it is on all finer levels too. */
static void fill_voxels(const builder *b, size_t task_count, alg_ist_slabs *slabs)
{
    for (size_t i = 0; i < task_count; i++) {
        const task *const t = &b->tasks[i];
        if (t->slab_count > 0) {
            memcpy(slabs->slabs + slabs->slab_count, t->slabs, t->slab_count * sizeof *t->slabs);
        }
        for (size_t k = 0; k < t->found_count; k++) {
            const voxel *const v = &t->found[k].voxel;
            const bool inside = t->found[k].state == ALG_IST_SLABS_INSIDE;
            for (uint32_t l = inside ? 0 : v->level; l <= v->level; l++) {
                const range r = range_of(&slabs->levels[l], v, l);
                fill_range(slabs, &slabs->levels[l], &r,
                           inside ? ALG_IST_SLABS_INSIDE : t->found[k].state + slabs->slab_count);
            }
        }
        slabs->slab_count += (uint32_t)t->slab_count;
    }
}

static base_status join_tasks(const builder *b, size_t task_count, base_arena *arena,
                              alg_ist_slabs *slabs, base_error *err)
{
    size_t slab_count = 0;
    for (size_t i = 0; i < task_count; i++) {
        if (b->tasks[i].err.status != BASE_OK) {
            return base_fail(err, b->tasks[i].err.status, "%s", b->tasks[i].err.text);
        }
        slab_count += b->tasks[i].slab_count;
    }
    bool there = true;
    for (uint32_t l = 0; l < slabs->level_count; l++) {
        alg_ist_slabs_level *const level = &slabs->levels[l];
        const size_t blocks = (size_t)level->block[0] * level->block[1] * level->block[2];
        level->blocks = base_arena_alloc(arena, blocks, sizeof *level->blocks);
        there = there && level->blocks;
    }
    slabs->slabs = base_arena_alloc(arena, slab_count, sizeof *slabs->slabs);
    if (there && slabs->slabs) {
        const size_t block = ALG_IST_SLABS_BLOCK * ALG_IST_SLABS_BLOCK * ALG_IST_SLABS_BLOCK;
        const size_t count = block * count_blocks(b, task_count, slabs);
        slabs->voxels = base_arena_alloc(arena, count, sizeof *slabs->voxels);
    }
    if (!slabs->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for slabs");
    }
    fill_voxels(b, task_count, slabs);
    return BASE_OK;
}

base_status alg_ist_slabs_build(const geo_surface *surface, uint32_t resolution, base_arena *arena,
                                alg_ist_slabs *slabs, base_error *err)
{
    const geo_mesh *const mesh = surface->mesh;
    const geo_box box = geo_mesh_box(mesh);
    const double cube = alg_ist_cells_edge(box, resolution);
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
    *slabs =
        (alg_ist_slabs){.volume = geo_mesh_measures(mesh).volume_m3, .reach = geo_box_reach(box)};
    set_levels(&b, coarsest + 1, box, slabs);
    b.first = (voxel){coarsest, -MARGIN, -MARGIN, -MARGIN};
    memcpy(b.size, slabs->levels[coarsest].size, sizeof b.size);
    const size_t task_count = (size_t)b.size[0] * b.size[1] * b.size[2];
    geo_box *const boxes = base_alloc(mesh->face_count, sizeof *boxes);
    b.boxes = boxes;
    b.tasks = base_alloc(task_count, sizeof *b.tasks);
    base_status status = BASE_OK;
    if (!boxes || !b.tasks) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for slabs");
    } else {
        for (size_t f = 0; f < mesh->face_count; f++) {
            boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
        }
        base_parallel_for(task_count, TASKS_A_CHUNK, 0, do_tasks, &b);
        status = join_tasks(&b, task_count, arena, slabs, err);
    }
    for (size_t i = 0; b.tasks && i < task_count; i++) {
        base_free(b.tasks[i].found);
        base_free(b.tasks[i].slabs);
    }
    base_free(b.tasks);
    base_free(boxes);
    return status;
}
