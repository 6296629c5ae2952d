/**
 * Distances at the corners of cells, and bounds of the interpolation between them.
 *
 * A cell of edge h has corners c_i with unsigned distances d_i. At the position t in the cell, let
 * w_i be the trilinear weights, I the trilinear interpolation of the d_i, and V the variance of the
 * d_i with these weights. For each axis a, let tau_a = t_a (1 - t_a). d^2 - |p|^2 is concave, so
 *
 *   d^2 >= sum w_i d_i^2 - h^2 sum tau_a = I^2 + V - h^2 sum tau_a.
 *
 * Let m_a be the least absolute difference of two d_i along an edge of axis a, or 0 if these
 * differences have both signs. Then V >= sum tau_a m_a^2, because V is a sum of variances along one
 * axis each, of means over the previous axes. So the interpolated value v = I - sum bend_a tau_a
 * exceeds d by at most
 *
 *   (v^2 - d^2) / (v + d)
 *       <= (sum tau_a (h^2 - m_a^2 - 2 I bend_a) + (sum tau_a bend_a)^2) / (v + d).
 *
 * The distance to a single triangle is a convex function, so it is nowhere greater than its own
 * interpolation between the corners. d is not greater than the distance to any triangle. So d - I
 * is at most the greatest difference, at a corner, of the distance to one triangle and d_i.
 */
#include "algorithms/pst/field.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/triangle.h"

#include <float.h>
#include <math.h>

enum {
    BLOCK = ALG_PST_BLOCK_CELLS,
    SIDE = BLOCK + 1, /* corners along an edge of a block */
    CORNERS = SIDE * SIDE * SIDE,
    BRICKS = BLOCK * BLOCK * BLOCK / 8, /* most bricks of a block */
    BATCH = 512,                        /* blocks that are built at a time */
    BLOCKS_A_CHUNK = 16,                /* blocks that a thread takes at a time */
    MIDDLE = 13,                        /* number of a brick's middle corner */
};

/* A brick is near the surface unless its corners are on one side, and farther from the surface than
 * this number of edges of the finest cells. */
#define BAND 2.0
/* Errors inside may be greater than errors outside by this factor: only depths are needed there. */
#define INSIDE 8.0
/* Unit of bends, in edges of cells. */
#define BEND_UNIT (1.0 / 256)

/* --- Build: corners --------------------------------------------------------------------------- */

/** A block that is being made. */
typedef struct block {
    vec3 corner;
    double distance[CORNERS]; /* negative inside */
    uint32_t face[CORNERS];
    bool measured[CORNERS];
    alg_pst_brick *bricks;
} block;

typedef struct builder {
    const geo_surface *surface;
    const alg_pst_field_options *options;
    alg_pst_field *field;
    double slack;          /* bound of a lookup's rounding error */
    size_t first;          /* number of the batch's first block */
    alg_pst_brick *bricks; /* of the batch: BRICKS for each block */
    uint8_t level[BATCH];
} builder;

static size_t corner_at(size_t x, size_t y, size_t z)
{
    return (z * SIDE + y) * SIDE + x;
}

static vec3 corner_position(const builder *b, const block *k, size_t corner)
{
    const double h = b->field->edge;
    return (vec3){k->corner.x + h * (double)(corner % SIDE),
                  k->corner.y + h * (double)(corner / SIDE % SIDE),
                  k->corner.z + h * (double)(corner / (SIDE * SIDE))};
}

/** Measures the corners of cells of `step` edges that were not measured yet. The rows run back and
 * forth, so that the face of the previous corner is a good hint for the next one. */
static void measure(const builder *b, block *k, size_t step, uint32_t *hint)
{
    const size_t n = BLOCK / step + 1;
    for (size_t i = 0; i < n * n * n; i++) {
        const size_t z = i / (n * n), row = i / n;
        const size_t y = z % 2 == 0 ? row % n : n - 1 - row % n;
        const size_t x = row % 2 == 0 ? i % n : n - 1 - i % n;
        const size_t corner = corner_at(x * step, y * step, z * step);
        if (k->measured[corner]) {
            *hint = k->face[corner];
            continue;
        }
        const vec3 p = corner_position(b, k, corner);
        const geo_closest closest = geo_surface_closest(b->surface, p, *hint);
        const double d = sqrt(closest.distance2);
        const bool inside = b->field->solid && geo_surface_contains(b->surface, p);
        k->measured[corner] = true;
        k->face[corner] = *hint = closest.face;
        k->distance[corner] = inside ? -d : d;
    }
}

/* --- Build: errors ---------------------------------------------------------------------------- */

/** Distances at the eight corners of a cell. Corner i is at the upper x if bit 0 of i is set, at
 * the upper y for bit 1, at the upper z for bit 2. */
typedef struct cell {
    double d[8], edge, least;
} cell;

/** Returns the least square of the differences along the axis, or 0 if they have both signs. */
static double least_square(const cell *c, int axis)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 8; i++) {
        if ((i >> axis & 1) == 0) {
            const double difference = c->d[i | 1 << axis] - c->d[i];
            least = fmin(least, difference);
            most = fmax(most, difference);
        }
    }
    return least > 0 ? least * least : most < 0 ? most * most : 0;
}

/** Returns an upper bound of v - d if no d_i is negative; INFINITY if the surface may be in the
 * cell. */
static double error_by_concavity(const cell *c, const double bend[3])
{
    const double h2 = c->edge * c->edge;
    double lost = 0, numerator = 0, bent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double flat = fmax(h2 - least_square(c, axis), 0);
        lost += flat / 4;
        numerator += fmax(flat - 2 * c->least * bend[axis], 0) / 4;
        bent += bend[axis] / 4;
    }
    const double d2 = c->least * c->least - lost, v = c->least - bent;
    if (d2 <= 0 || v <= 0) {
        return INFINITY;
    }
    return (numerator + bent * bent) / (v + sqrt(d2));
}

typedef struct errors {
    double below, above;
} errors;

/** Bounds the errors of a cell of `step` edges, whose lowest corner is `first`. */
static errors cell_errors(const block *k, size_t first, size_t step, double edge,
                          const double bend[3])
{
    cell c = {.edge = edge, .least = INFINITY};
    double most = -INFINITY;
    for (size_t i = 0; i < 8; i++) {
        c.d[i] = k->distance[first + corner_at(i & 1, i >> 1 & 1, i >> 2) * step];
        c.least = fmin(c.least, c.d[i]);
        most = fmax(most, c.d[i]);
    }
    /* In any cell, d differs from d_i by at most |p - c_i|. The weighted sum of |p - c_i| is at
     * most
       h sqrt(sum tau_a). */
    const double slope = edge * sqrt(0.75) + (bend[0] + bend[1] + bend[2]) / 4;
    errors e = {slope, slope};
    if (c.least > 0) {
        e.below = fmin(slope, error_by_concavity(&c, bend));
    } else if (most < 0) {
        /* All corners are inside: the same bound, with unsigned distances, is one of d - v. */
        c.least = -most;
        for (int i = 0; i < 8; i++) {
            c.d[i] = -c.d[i];
        }
        e.above = fmin(slope, error_by_concavity(&c, bend));
    }
    return e;
}

/* --- Build: bricks ---------------------------------------------------------------------------- */

static size_t brick_corner(size_t first, size_t step, size_t i)
{
    return first + corner_at(i % 3, i / 3 % 3, i / 9) * step;
}

/** Sets bend to half the mean second difference along each axis, rounded to 0 to 255 units. */
static void make_bend(const block *k, size_t first, size_t step, double unit, double bend[3])
{
    const size_t stride[3] = {1, 3, 9};
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (size_t i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
            if (i / stride[axis] % 3 == 1) {
                sum += k->distance[brick_corner(first, step, i - stride[axis])] -
                       2 * k->distance[brick_corner(first, step, i)] +
                       k->distance[brick_corner(first, step, i + stride[axis])];
            }
        }
        bend[axis] = fmin(round(fmax(sum / 18, 0) / unit), 255) * unit;
    }
}

/** Returns a bound of d - v: see "The distance to a single triangle" above. The triangle is the one
 * nearest to the brick's middle. */
static double error_by_triangle(const builder *b, const block *k, size_t first, size_t step,
                                const double bend[3])
{
    const size_t middle = brick_corner(first, step, MIDDLE);
    const geo_triangle t = geo_mesh_triangle(b->surface->mesh, k->face[middle]);
    double most = 0;
    for (size_t i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        const size_t corner = brick_corner(first, step, i);
        const vec3 p = corner_position(b, k, corner);
        most = fmax(most, vec3_distance(p, geo_triangle_closest(t, p)) - k->distance[corner]);
    }
    return most + (bend[0] + bend[1] + bend[2]) / 4;
}

/** Makes a brick. Returns true if it is not near the surface and its error is within the
 * tolerance. */
static bool make_brick(const builder *b, const block *k, size_t first, size_t step,
                       alg_pst_brick *brick)
{
    const double edge = b->field->edge * (double)step;
    double least = INFINITY, most = -INFINITY, bend[3] = {0, 0, 0};
    for (size_t i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        const double d = k->distance[brick_corner(first, step, i)];
        least = fmin(least, d);
        most = fmax(most, d);
        brick->values[i] = (float)d;
    }
    const bool outside = least > BAND * b->field->edge;
    if (outside) {
        make_bend(k, first, step, edge * BEND_UNIT, bend);
    }
    errors e = {0, 0};
    for (size_t i = 0; i < 8; i++) {
        const size_t corner = first + corner_at(i & 1, i >> 1 & 1, i >> 2) * step;
        const errors one = cell_errors(k, corner, step, edge, bend);
        e.below = fmax(e.below, one.below);
        e.above = fmax(e.above, one.above);
    }
    if (outside) {
        e.above = fmin(e.above, error_by_triangle(b, k, first, step, bend));
    }
    const double slack = b->slack + ALG_PST_LOOKUP_ERROR * fabs((double)brick->values[MIDDLE]);
    brick->below = base_half_above(e.below + slack);
    brick->above = base_half_above(e.above + slack);
    brick->face = k->face[brick_corner(first, step, MIDDLE)];
    for (int axis = 0; axis < 3; axis++) {
        brick->bend[axis] = (float)bend[axis];
    }
    const double tolerance = b->options->tolerance;
    return outside ? e.below <= tolerance * least
                   : most < -BAND * b->field->edge && e.above <= INSIDE * tolerance * -most;
}

/** Makes all bricks of a block at this level. Returns true if the level is fine enough for all. */
static bool make_bricks(const builder *b, const block *k, uint32_t level)
{
    const size_t n = (size_t)1 << (level - 1), step = BLOCK / 2 / n;
    bool within = true;
    for (size_t i = 0; i < n * n * n; i++) {
        const size_t first = corner_at(i % n, i / n % n, i / (n * n)) * 2 * step;
        within &= make_brick(b, k, first, step, &k->bricks[i]);
    }
    return within;
}

/* --- Build: blocks ---------------------------------------------------------------------------- */

/** Marks all corners as not measured, except those shared with the previous block if that is the
 * neighbour along x. */
static void begin_block(block *k, bool neighbour)
{
    for (size_t first = 0; first < CORNERS; first += SIDE) {
        const size_t last = first + BLOCK;
        const bool shared = neighbour && k->measured[last];
        memset(k->measured + first, 0, SIDE * sizeof *k->measured);
        if (shared) {
            k->measured[first] = true;
            k->distance[first] = k->distance[last];
            k->face[first] = k->face[last];
        }
    }
}

/** Makes blocks of the batch, each with the lowest level that is fine enough, or else the highest
 * level. */
static void make_blocks(void *context, size_t begin, size_t end)
{
    builder *const b = context;
    const alg_pst_field *const field = b->field;
    const uint32_t *const n = field->block_count;
    const double h = field->edge * BLOCK;
    uint32_t hint = UINT32_MAX;
    block k;
    for (size_t i = begin; i < end; i++) {
        const size_t index = b->first + i;
        begin_block(&k, i > begin && index % n[0] != 0);
        k.corner = (vec3){field->corner.x + h * (double)(index % n[0]),
                          field->corner.y + h * (double)(index / n[0] % n[1]),
                          field->corner.z + h * (double)(index / n[0] / n[1])};
        k.bricks = b->bricks + i * BRICKS;
        uint32_t level = ALG_PST_LEVEL_LEAST;
        for (;; level++) {
            measure(b, &k, (size_t)BLOCK >> level, &hint);
            if (make_bricks(b, &k, level) || level == ALG_PST_LEVEL_MOST) {
                break;
            }
        }
        b->level[i] = (uint8_t)level;
    }
}

/** Appends the bricks of a batch. */
static base_status gather(const builder *b, size_t count, alg_pst_brick **bricks, size_t *capacity,
                          base_error *err)
{
    alg_pst_field *const field = b->field;
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = 1u << 3 * (b->level[i] - 1u);
        if (field->brick_count > (1u << 26) - n) {
            return base_fail(err, BASE_ERR_INPUT, "a field of distances has too many cells");
        }
        const base_status status =
            base_reserve(*bricks, *capacity, (size_t)field->brick_count + n, err);
        if (status != BASE_OK) {
            return status;
        }
        memcpy(*bricks + field->brick_count, b->bricks + i * BRICKS, n * sizeof **bricks);
        field->blocks[b->first + i] = field->brick_count << 2 | b->level[i];
        field->brick_count += n;
    }
    return BASE_OK;
}

static base_status build_all(builder *b, size_t count, base_arena *arena, base_error *err)
{
    alg_pst_brick *bricks = NULL;
    size_t capacity = 0;
    base_status status = BASE_OK;
    for (b->first = 0; status == BASE_OK && b->first < count; b->first += BATCH) {
        const size_t n = count - b->first < BATCH ? count - b->first : BATCH;
        base_parallel_for(n, BLOCKS_A_CHUNK, 0, make_blocks, b);
        status = gather(b, n, &bricks, &capacity, err);
    }
    if (status == BASE_OK) {
        b->field->bricks = base_arena_alloc(arena, b->field->brick_count, sizeof *bricks);
        if (b->field->bricks) {
            memcpy(b->field->bricks, bricks, b->field->brick_count * sizeof *bricks);
        } else {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a field of distances");
        }
    }
    base_free(bricks);
    return status;
}

/* --- Packed bricks ---------------------------------------------------------------------------- */

/** Packs a brick. edge: edge of the brick's cells. */
static void pack(const alg_pst_brick *brick, double edge, alg_pst_packed *packed)
{
    float least = brick->values[0], most = least;
    for (int i = 1; i < ALG_PST_BRICK_CORNERS; i++) {
        least = fminf(least, brick->values[i]);
        most = fmaxf(most, brick->values[i]);
    }
    int exponent;
    const double range = fmax((double)most - (double)least, (double)FLT_MIN);
    (void)frexp(range / UINT16_MAX, &exponent);
    exponent = exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent;
    packed->least = least;
    packed->below = brick->below;
    packed->step = (uint8_t)(exponent + 127);
    for (int axis = 0; axis < 3; axis++) {
        const double units = round((double)brick->bend[axis] / (edge * BEND_UNIT));
        packed->bend[axis] = (uint8_t)fmin(fmax(units, 0), UINT8_MAX);
    }
    for (int i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        const double above = (double)brick->values[i] - (double)least;
        packed->corners[i] = (uint16_t)ldexp(above, -exponent);
    }
}

static void pack_blocks(void *context, size_t begin, size_t end)
{
    const alg_pst_field *const field = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t first = field->blocks[i] >> 2, level = field->blocks[i] & 3;
        const double edge = field->edge * (1 << (ALG_PST_LEVEL_MOST - level));
        for (uint32_t k = first; k < first + (1u << 3 * (level - 1)); k++) {
            pack(&field->bricks[k], edge, &field->packed[k]);
        }
    }
}

base_status alg_pst_field_pack(alg_pst_field *field, base_arena *arena, base_error *err)
{
    const uint32_t *const n = field->block_count;
    const double side = field->edge * BLOCK;
    field->side = (float)side;
    field->per_side = (float)(1 / side);
    for (int axis = 0; axis < 3; axis++) {
        field->extent[axis] = (float)(side * n[axis]);
    }
    field->packed = base_arena_alloc(arena, field->brick_count, sizeof *field->packed);
    if (!field->packed) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a field of distances");
    }
    base_parallel_for((size_t)n[0] * n[1] * n[2], BATCH, 0, pack_blocks, field);
    return BASE_OK;
}

/* --- The complete field ----------------------------------------------------------------------- */

/** Sets corner, edge and block_count, so that the blocks are centred on the box. Returns false if
 * no such blocks are possible. */
static bool place_blocks(geo_box box, const alg_pst_field_options *options, alg_pst_field *field)
{
    const vec3 size = vec3_sub(box.hi, box.lo), middle = geo_box_centre(box);
    const double margin = options->margin * geo_box_diagonal(box);
    field->edge = fmax(size.x, fmax(size.y, size.z)) / options->voxels;
    if (!(field->edge > 0) || !isfinite(1 / (field->edge * field->edge))) {
        return false;
    }
    double half[3], total = 1;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = vec3_get(size, axis) + 2 * margin;
        const double n = floor(extent / (field->edge * BLOCK)) + 1;
        half[axis] = n * field->edge * BLOCK / 2;
        total *= n;
        if (!(total < 0x1p31)) {
            return false;
        }
        field->block_count[axis] = (uint32_t)n;
    }
    field->corner = vec3_sub(middle, (vec3){half[0], half[1], half[2]});
    return true;
}

base_status alg_pst_field_build(const geo_surface *surface, bool solid,
                                const alg_pst_field_options *options, base_arena *arena,
                                alg_pst_field *field, base_error *err)
{
    *field = (alg_pst_field){.solid = solid};
    const geo_box box = surface->bvh.box;
    if (!place_blocks(box, options, field)) {
        return base_fail(err, BASE_ERR_INPUT, "no field of distances fits the body's box");
    }
    const uint32_t *const n = field->block_count;
    const size_t count = (size_t)n[0] * n[1] * n[2];
    const double extent = field->edge * BLOCK * fmax(n[0], fmax(n[1], n[2]));
    builder b = {.surface = surface,
                 .options = options,
                 .field = field,
                 .slack = ALG_PST_LOOKUP_ERROR * extent + 0x1p-44 * geo_box_reach(box)};
    field->blocks = base_arena_alloc(arena, count, sizeof *field->blocks);
    b.bricks = base_alloc(BATCH * BRICKS, sizeof *b.bricks);
    const base_status status =
        field->blocks && b.bricks
            ? build_all(&b, count, arena, err)
            : base_fail(err, BASE_ERR_MEMORY, "out of memory for a field of distances");
    base_free(b.bricks);
    return status == BASE_OK ? alg_pst_field_pack(field, arena, err) : status;
}

/* --- Lookup ----------------------------------------------------------------------------------- */

/** Position of a point within the blocks. */
typedef struct position {
    const alg_pst_brick *brick;
    uint32_t corner; /* lowest corner of the cell, in the brick */
    double t[3];     /* position in the cell, 0 to 1 */
    double edge;     /* of the cell */
} position;

static position find(const alg_pst_field *field, vec3 p)
{
    const vec3 from = vec3_sub(p, field->corner);
    const double block_edge = field->edge * BLOCK;
    double in[3]; /* position in the block, 0 to 1 */
    size_t index = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const uint32_t n = field->block_count[axis];
        const double at = vec3_get(from, axis) / block_edge;
        const uint32_t whole = at < n ? (uint32_t)at : n - 1;
        index = index * n + whole;
        in[axis] = fmin(at - whole, 1);
    }
    const uint32_t word = field->blocks[index], level = word & 3;
    const uint32_t cells = 1u << level, bricks = cells / 2;
    position result = {.edge = block_edge / cells};
    uint32_t brick = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const double at = in[axis] * cells;
        const uint32_t whole = at < cells ? (uint32_t)at : cells - 1;
        brick = brick * bricks + whole / 2;
        result.corner = result.corner * 3 + whole % 2;
        result.t[axis] = at - whole;
    }
    result.brick = field->bricks + (word >> 2) + brick;
    return result;
}

/** Returns the interpolated value. slope: its derivatives by t. */
static double interpolate(const position *at, double slope[3])
{
    const float *const v = at->brick->values + at->corner;
    const double tx = at->t[0], ty = at->t[1], tz = at->t[2];
    double x[4], dx[4], y[2], dy[2], dxy[2];
    for (int i = 0; i < 4; i++) {
        const float *const row = v + (i & 1) * 3 + (i >> 1) * 9;
        dx[i] = (double)row[1] - (double)row[0];
        x[i] = (double)row[0] + tx * dx[i];
    }
    for (int i = 0; i < 2; i++) {
        dy[i] = x[2 * i + 1] - x[2 * i];
        y[i] = x[2 * i] + ty * dy[i];
        dxy[i] = dx[2 * i] + ty * (dx[2 * i + 1] - dx[2 * i]);
    }
    slope[0] = dxy[0] + tz * (dxy[1] - dxy[0]);
    slope[1] = dy[0] + tz * (dy[1] - dy[0]);
    slope[2] = y[1] - y[0];
    double value = y[0] + tz * slope[2];
    for (int axis = 0; axis < 3; axis++) {
        const double bend = (double)at->brick->bend[axis], t = at->t[axis];
        value -= bend * t * (1 - t);
        slope[axis] -= bend * (1 - 2 * t);
    }
    return value;
}

alg_pst_sample alg_pst_field_slope(const alg_pst_field *field, vec3 p, vec3 *gradient)
{
    const uint32_t *const n = field->block_count;
    const double h = field->edge * BLOCK;
    const vec3 far = vec3_add(field->corner, (vec3){h * n[0], h * n[1], h * n[2]});
    const vec3 q = vec3_min(vec3_max(p, field->corner), far);
    const position at = find(field, q);
    double slope[3];
    const double v = interpolate(&at, slope);
    alg_pst_sample s = {.value = (float)v,
                        .below = base_half_value(at.brick->below),
                        .above = base_half_value(at.brick->above),
                        .face = at.brick->face};
    *gradient = vec3_scale(1 / at.edge, (vec3){slope[0], slope[1], slope[2]});
    if (!vec3_equal(p, q)) {
        const double gap = vec3_distance(p, q);
        const double value = sqrt(gap * gap + fmax(v, 0) * fmax(v, 0));
        const double rounding = ALG_PST_LOOKUP_ERROR * gap;
        s.value = (float)value;
        s.above = base_float_above(gap + v + (double)s.above - value + rounding);
        s.below = base_float_above((double)s.below + rounding);
        *gradient = vec3_scale(1 / gap, vec3_sub(p, q));
    }
    return s;
}

alg_pst_sample alg_pst_field_at(const alg_pst_field *field, vec3 p)
{
    vec3 gradient;
    return alg_pst_field_slope(field, p, &gradient);
}
