/**
 * A queue of cubes, in buckets by undecided volume. Opening a cube bounds its eight parts by A's
 * slabs.
 */
#include "algorithms/bounds/bracket.h"

#include "base/elementary.h"
#include "base/simd.h"

#include <string.h>

/** The parts of an opened cube. */
typedef struct parts {
    alg_bounds_volume settled; /* sum over the parts that need no test */
    uint32_t count;
    alg_bounds_cube cube[8];
    uint32_t slab_count;
    uint32_t slab_of[8]; /* index of the cube of each cut */
    uint32_t inside[8];  /* as in alg_bounds_slab */
    alg_bounds_cuts cuts;
} parts;

static double cubed(double x)
{
    return x * x * x;
}

/* --- The queue -------------------------------------------------------------------------------- */

/** Queues a cube. If the queue is full, the cube is never opened, and its bounds remain in the
 * sum. */
static void push(alg_bounds_bracket *k, const alg_bounds_cube *cube)
{
    uint32_t at = k->free;
    if (at != 0) {
        k->free = k->cubes[at].next;
    } else if (k->used + 1 < k->capacity) {
        at = ++k->used;
    } else {
        return;
    }
    /* There are two buckets from each power of two to the next one. */
    const double undecided = cube->bounds.upper - cube->bounds.lower;
    uint64_t bits, bits_most;
    memcpy(&bits, &undecided, sizeof bits);
    memcpy(&bits_most, &k->most, sizeof bits_most);
    const int64_t order = (int64_t)(bits_most >> 51) - (int64_t)(bits >> 51);
    const uint32_t bucket = order < 0                     ? 0
                            : order >= ALG_BOUNDS_BUCKETS ? ALG_BOUNDS_BUCKETS - 1
                                                          : (uint32_t)order;
    k->cubes[at] = *cube;
    k->cubes[at].next = k->buckets[bucket];
    k->buckets[bucket] = at;
    k->bucket = bucket < k->bucket ? bucket : k->bucket;
}

static bool pop(alg_bounds_bracket *k, alg_bounds_cube *cube)
{
    while (k->bucket < ALG_BOUNDS_BUCKETS && k->buckets[k->bucket] == 0) {
        k->bucket++;
    }
    if (k->bucket == ALG_BOUNDS_BUCKETS) {
        return false;
    }
    const uint32_t at = k->buckets[k->bucket];
    *cube = k->cubes[at];
    k->buckets[k->bucket] = cube->next;
    k->cubes[at].next = k->free;
    k->free = at;
    return true;
}

/* --- One cube --------------------------------------------------------------------------------- */

/** Planes at infinity: each part of a cube is between them. */
static const alg_bounds_sides nothing_known = {.lower = -INFINITY, .upper = INFINITY};

/** Returns the bounds of an undecided cube with this volume of B. */
static alg_bounds_volume bounds_up_to(double upper)
{
    return (alg_bounds_volume){0, 0.5 * upper, upper};
}

/**
 * Bounds the cube of cut i, from the shares of it that are below the planes of its slab, and stores
 * the slab in the frame of the cube. The lower bound assumes that B fills the part of the cube
 * outside of A first. The best guess assumes that B is distributed evenly over the cube.
 */
static void bound_cut(const alg_bounds_bracket *k, parts *p, uint32_t i, double whole)
{
    const alg_bounds_cuts *const c = &p->cuts;
    alg_bounds_cube *const cube = &p->cube[p->slab_of[i]];
    const double volume = cube->bounds.upper;
    const double lower = c->below_lower[i], upper = c->below_upper[i];
    const double middle = c->below_middle[i];
    const bool below = p->inside[i] & ALG_BOUNDS_BELOW_INSIDE;
    const bool above = p->inside[i] & ALG_BOUNDS_ABOVE_INSIDE;
    /* Share of the cube that A contains: bounds and a guess. */
    const double least = (below ? lower : 0) + (above ? 1 - upper : 0);
    const double most = base_smaller(least + (upper - lower), 1);
    const double likely = below == above ? 0.5 * (least + most) : below ? middle : 1 - middle;
    alg_bounds_volume b = {.lower = base_larger(volume - whole * (1 - least), 0),
                           .upper = base_smaller(volume, whole * most)};
    b.middle = base_smaller(base_larger(volume * likely, b.lower), b.upper);
    cube->bounds = b;

    const vec3 normal = {c->nx[i], c->ny[i], c->nz[i]};
    const vec3 turned = mat3_mul_vec3(k->axes, normal);
    const double centre = vec3_dot(normal, (vec3){c->x[i], c->y[i], c->z[i]});
    const double scale = 1 / c->edge;
    /* More than the rounding to float of a few numbers below 8, here and in side_of. */
    const double room = 0x1p-18 + scale * c->pad;
    cube->sides = (alg_bounds_sides){.x = (float)turned.x,
                                     .y = (float)turned.y,
                                     .z = (float)turned.z,
                                     .lower = (float)(scale * (c->lower[i] - centre) - room),
                                     .upper = (float)(scale * (c->upper[i] - centre) + room),
                                     .inside = p->inside[i]};
}

/** The voxel that contains a cube's centre. */
typedef struct located {
    vec3 offset;    /* from the voxel's centre to the cube's, in voxel edges */
    uint32_t state; /* the entry of the voxel's block, later replaced by the state of the voxel */
    uint32_t voxel; /* index in the block */
} located;

static located find_block(const alg_bounds_slabs_level *level, double scale, vec3 centre)
{
    const uint32_t *const size = level->grid.size;
    const double x = scale * (centre.x - level->origin.x);
    const double y = scale * (centre.y - level->origin.y);
    const double z = scale * (centre.z - level->origin.z);
    if (!(x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2])) {
        return (located){.state = ALG_BOUNDS_SLABS_OUTSIDE};
    }
    const uint32_t i = (uint32_t)x, j = (uint32_t)y, k = (uint32_t)z;
    return (located){.offset = {x - (i + 0.5), y - (j + 0.5), z - (k + 0.5)},
                     .state = alg_voxel_block_of(&level->grid, i, j, k),
                     .voxel = alg_voxel_in_block(i, j, k)};
}

static void add_cut(parts *p, uint32_t i, const located *at, const alg_bounds_slab *slab)
{
    const uint32_t c = p->slab_count++;
    p->slab_of[c] = i;
    p->inside[c] = slab->inside;
    p->cuts.x[c] = at->offset.x;
    p->cuts.y[c] = at->offset.y;
    p->cuts.z[c] = at->offset.z;
    const vec3 normal = alg_bounds_slab_normal(slab);
    p->cuts.nx[c] = normal.x;
    p->cuts.ny[c] = normal.y;
    p->cuts.nz[c] = normal.z;
    p->cuts.lower[c] = alg_bounds_slab_offset(slab->lower);
    p->cuts.middle[c] = alg_bounds_slab_offset(slab->middle);
    p->cuts.upper[c] = alg_bounds_slab_offset(slab->upper);
}

/**
 * Decides those of the first `count` parts that are inside or outside of A, and lists the cuts of
 * the others. Blocks, voxels and slabs are read in separate loops, so that eight memory accesses
 * overlap.
 */
static void look_up(const alg_bounds_bracket *k, const alg_bounds_slabs_level *level,
                    uint32_t count, parts *p)
{
    located at[8];
    const double scale = 1 / level->edge;
    for (uint32_t i = 0; i < count; i++) {
        at[i] = find_block(level, scale, p->cube[i].centre);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (at[i].state & ALG_VOXEL_OPEN) {
            at[i].state = alg_voxel_block_voxels(&level->grid, at[i].state)[at[i].voxel];
        }
    }
    p->slab_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        alg_bounds_volume *const b = &p->cube[i].bounds;
        if (at[i].state >= ALG_BOUNDS_SLABS_FIRST) {
            add_cut(p, i, &at[i], &k->a->slabs[at[i].state - ALG_BOUNDS_SLABS_FIRST]);
        } else if (at[i].state == ALG_BOUNDS_SLABS_OUTSIDE) {
            *b = (alg_bounds_volume){0, 0, 0};
        } else {
            b->lower = b->middle = b->upper;
        }
    }
}

/* --- Opening ---------------------------------------------------------------------------------- */

/** Returns the side of the slab on which part i of a cube lies, as its bit of
 * alg_bounds_slab.inside; 0 if the part is not completely on one side. */
static uint32_t side_of(const alg_bounds_sides *s, int i)
{
    const float x = 0.25F * s->x, y = 0.25F * s->y, z = 0.25F * s->z;
    const float offset = (i & 1 ? x : -x) + (i & 2 ? y : -y) + (i & 4 ? z : -z);
    const float reach = fabsf(x) + fabsf(y) + fabsf(z);
    return offset + reach < s->lower   ? ALG_BOUNDS_BELOW_INSIDE
           : offset - reach > s->upper ? ALG_BOUNDS_ABOVE_INSIDE
                                       : 0;
}

static void add_bounds(alg_bounds_volume *sum, double sign, const alg_bounds_volume *b)
{
    sum->lower += sign * b->lower;
    sum->middle += sign * b->middle;
    sum->upper += sign * b->upper;
}

/** Lists the parts of a cube that need a test, with the volume of B as the upper bound of each, and
 * sums up the decided parts. */
static void list_parts(const alg_bounds_bracket *k, const alg_bounds_cube *cube, parts *p)
{
    const double quarter = 0.25 * cube->edge;
    const vec3 x = vec3_scale(quarter, k->axes.row[0]), y = vec3_scale(quarter, k->axes.row[1]);
    const vec3 z = vec3_scale(quarter, k->axes.row[2]);
    const double whole = cubed(2 * quarter);
    const alg_bounds_cell *const cell =
        cube->cell == ALG_BOUNDS_CELL_WHOLE ? NULL : &k->b->cells[cube->cell];
    p->count = 0;
    p->settled = (alg_bounds_volume){0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const uint32_t child = cell ? cell->child[i] : ALG_BOUNDS_CELL_WHOLE;
        const double volume = cell ? cell->volume[i] : whole;
        const uint32_t side = side_of(&cube->sides, i);
        if (child == ALG_BOUNDS_CELL_EMPTY) {
            continue;
        }
        if (side != 0) {
            const double in = side & cube->sides.inside ? volume : 0;
            add_bounds(&p->settled, 1, &(alg_bounds_volume){in, in, in});
            continue;
        }
        alg_bounds_cube *const part = &p->cube[p->count++];
        part->centre = vec3_madd(cube->centre, i & 1 ? 1 : -1, x);
        part->centre = vec3_madd(part->centre, i & 2 ? 1 : -1, y);
        part->centre = vec3_madd(part->centre, i & 4 ? 1 : -1, z);
        part->edge = 2 * quarter;
        part->bounds = bounds_up_to(volume);
        part->sides = nothing_known;
        part->cell = child;
        part->level = cube->level - 1;
    }
}

/** Bounds the first `count` parts. */
static void bound_parts(const alg_bounds_bracket *k, uint32_t count, parts *p)
{
    const int32_t wanted = p->cube[0].level;
    if (wanted >= (int32_t)k->a->level_count) {
        for (uint32_t i = 0; i < count; i++) {
            p->cube[i].bounds = bounds_up_to(base_smaller(p->cube[i].bounds.upper, k->a->volume));
        }
        return;
    }
    const alg_bounds_slabs_level *const level = &k->a->levels[wanted > 0 ? wanted : 0];
    const double edge = p->cube[0].edge;
    look_up(k, level, count, p);
    if (p->slab_count == 0) {
        return;
    }
    p->cuts.edge = edge / level->edge;
    p->cuts.pad = k->pad / level->edge;
    p->cuts.axes = k->axes;
    (k->avx2 ? alg_bounds_cut_avx2 : alg_bounds_cut_sse2)(&p->cuts, p->slab_count);
    for (uint32_t i = 0; i < p->slab_count; i++) {
        bound_cut(k, p, i, cubed(edge));
    }
}

bool alg_bounds_bracket_step(alg_bounds_bracket *k, uint32_t most)
{
    alg_bounds_cube cube;
    parts p;
    if (!pop(k, &cube)) {
        return false;
    }
    list_parts(k, &cube, &p);
    const uint32_t tested = p.count < most ? p.count : most;
    if (tested > 0) {
        bound_parts(k, tested, &p);
    }
    add_bounds(&k->sum, -1, &cube.bounds);
    add_bounds(&k->sum, 1, &p.settled);
    for (uint32_t i = 0; i < p.count; i++) {
        const alg_bounds_cube *const part = &p.cube[i];
        /* Opening a part narrows the bounds if B has finer cubes there or, inside B, A has finer
           voxels. */
        const bool finer = part->cell == ALG_BOUNDS_CELL_WHOLE ? part->level > 0
                                                               : part->cell != ALG_BOUNDS_CELL_LEAF;
        add_bounds(&k->sum, 1, &part->bounds);
        if (i < tested && part->bounds.upper > part->bounds.lower && finer) {
            push(k, part);
        }
    }
    k->largest = base_larger(k->largest, k->sum.upper);
    k->lower = base_larger(k->lower, k->sum.lower);
    k->upper = base_smaller(k->upper, k->sum.upper);
    k->tests += tested;
    k->opened++;
    return true;
}

void alg_bounds_bracket_begin(alg_bounds_bracket *k, const geo_pose *pose)
{
    int finest_a, root_b;
    frexp(ALG_BOUNDS_SLABS_CUBE * k->a->levels[0].edge, &finest_a);
    frexp(k->b->edge, &root_b);
    const vec3 half = {0.5 * k->b->edge, 0.5 * k->b->edge, 0.5 * k->b->edge};
    k->most = base_smaller(k->a->volume, k->b->volume);
    k->axes = mat3_transpose(pose->rotation);
    k->avx2 = base_cpu_avx2();
    /* An upper bound of all coordinates when a cube is moved near A. */
    const vec3 far = vec3_add(vec3_abs(k->b->origin), half);
    k->pad = 64 * 0x1p-52 *
             (k->a->reach + k->b->edge + vec3_norm(vec3_add(far, vec3_abs(pose->translation))));
    k->used = k->free = 0;
    k->bucket = ALG_BOUNDS_BUCKETS;
    memset(k->buckets, 0, sizeof k->buckets);
    const alg_bounds_cube root = {
        .centre = geo_pose_apply(pose, vec3_add(k->b->origin, half)),
        .edge = k->b->edge,
        .bounds = bounds_up_to(k->most),
        .sides = nothing_known,
        .level = root_b - finest_a,
    };
    k->sum = root.bounds;
    k->lower = 0;
    k->upper = k->largest = k->most;
    k->tests = k->opened = 0;
    push(k, &root);
}

alg_bounds_volume alg_bounds_bracket_bounds(const alg_bounds_bracket *k)
{
    /* A step adds or subtracts ten numbers, and no intermediate sum is greater than `largest`. */
    const double rounding = 0x1p-53 * 10 * (double)(k->opened + 16) * 2 * k->largest;
    alg_bounds_volume b = {.lower = base_larger(k->lower - rounding, 0),
                           .upper = base_smaller(k->upper + rounding, k->most)};
    b.middle = base_smaller(base_larger(k->sum.middle, b.lower), b.upper);
    return b;
}
