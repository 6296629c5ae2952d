/**
 * Volumes of a solid in the cubes of a grid, and the octree over them.
 *
 * The volume of the solid in a cube [x0, x1] x [y0, y1] x [z0, z1] follows from the divergence
 * theorem for the field (0, 0, height), where height = clamp(z, z0, z1) - z0. It is the integral of
 * the height over the parts of the surface in the column [x0, x1] x [y0, y1]. Each part counts with
 * its projected area along z and the sign of its normal. The walls of the column are vertical and
 * contribute nothing. A piece of surface in the cube contributes its moment, a piece above the cube
 * contributes edge * area, and a piece below it nothing. So each column is processed downwards.
 */
#include "algorithms/bounds/cells.h"

#include "algorithms/voxel/grid.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/** Room for a triangle that is cut by 29 planes: each plane adds at most one corner. */
enum { CORNERS_MAX = 32 };

/** A convex polygon in space. */
typedef struct polygon {
    uint32_t count; /* of corners; 0 for an empty polygon */
    vec3 p[CORNERS_MAX];
} polygon;

/** The part of a face in one cube. */
typedef struct piece {
    uint32_t column, z; /* column: y * size[0] + x */
    uint32_t face;
    double area;   /* projected area along z; negative for a face that looks down */
    double moment; /* integral of z - z0 over that area */
} piece;

/** A cube that the surface crosses. */
typedef struct crossed {
    uint32_t column, z;
    bool below; /* true if the cubes between it and the next crossed cube below are inside */
    double volume;
} crossed;

typedef struct builder {
    vec3 origin;
    double edge;
    uint32_t size[3];
    piece *pieces;
    size_t piece_count, piece_capacity;
    crossed *crossed; /* sorted by column, downwards */
    size_t crossed_count, crossed_capacity;
    uint32_t *columns;       /* index in `crossed` of the first cube of each column; one more at the
                                end */
    alg_voxel_octree octree; /* of the crossed cubes; scratch */
    alg_bounds_cell *cells;  /* arena; one for each node */
} builder;

double alg_bounds_cells_edge(geo_box box, uint32_t resolution)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    int exponent;
    frexp(fmax(fmax(size.x, size.y), size.z) / resolution, &exponent);
    return ldexp(1, exponent - 1);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

static uint32_t slice_of(double x, double origin, double edge, uint32_t size)
{
    const double i = floor((x - origin) / edge);
    return i <= 0 ? 0 : i >= size - 1 ? size - 1 : (uint32_t)i;
}

/**
 * Splits a polygon along the plane dot(normal, x) = offset. Every part of it goes to exactly one
 * side. A polygon in the plane goes above.
 *
 * Shapes   `below` and `above` must not be the same storage as `whole`.
 */
static void split(const polygon *whole, vec3 normal, double offset, polygon *below, polygon *above)
{
    double side[CORNERS_MAX];
    uint32_t lower = 0, upper = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        side[i] = vec3_dot(normal, whole->p[i]) - offset;
        lower += side[i] < 0;
        upper += side[i] > 0;
    }
    below->count = above->count = 0;
    if (lower == 0 || upper == 0) {
        polygon *const all = lower == 0 ? above : below;
        all->count = whole->count;
        memcpy(all->p, whole->p, whole->count * sizeof *whole->p);
        return;
    }
    for (uint32_t i = 0; i < whole->count; i++) {
        const uint32_t j = i + 1 < whole->count ? i + 1 : 0;
        if (side[i] <= 0) {
            below->p[below->count++] = whole->p[i];
        }
        if (side[i] >= 0) {
            above->p[above->count++] = whole->p[i];
        }
        if ((side[i] < 0 && side[j] > 0) || (side[i] > 0 && side[j] < 0)) {
            const vec3 edge = vec3_sub(whole->p[j], whole->p[i]);
            const vec3 p = vec3_madd(whole->p[i], side[i] / (side[i] - side[j]), edge);
            below->p[below->count++] = p;
            above->p[above->count++] = p;
        }
    }
}

static base_status add_piece(builder *b, const polygon *whole, const uint32_t at[3], uint32_t face,
                             base_error *err)
{
    const double z0 = b->origin.z + b->edge * at[2];
    const vec3 *const p = whole->p;
    double area = 0, moment = 0;
    for (uint32_t i = 1; i + 1 < whole->count; i++) {
        const double ux = p[i].x - p[0].x, uy = p[i].y - p[0].y;
        const double vx = p[i + 1].x - p[0].x, vy = p[i + 1].y - p[0].y;
        const double part = 0.5 * (ux * vy - uy * vx);
        const double height = ((p[0].z - z0) + (p[i].z - z0) + (p[i + 1].z - z0)) / 3;
        area += part;
        moment += part * height;
    }
    const base_status status = base_reserve(b->pieces, b->piece_capacity, b->piece_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    b->pieces[b->piece_count++] = (piece){at[1] * b->size[0] + at[0], at[2], face, area, moment};
    return BASE_OK;
}

/** Cuts a polygon into slices along one axis, and each slice along the next axis. After the last
 * axis, the slices are added as pieces. */
static base_status cut_slices(builder *b, const polygon *whole, int axis, uint32_t at[3],
                              uint32_t face, base_error *err)
{
    if (axis == 3) {
        return add_piece(b, whole, at, face, err);
    }
    const vec3 normal = {axis == 0, axis == 1, axis == 2};
    const double origin = vec3_get(b->origin, axis);
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < whole->count; i++) {
        const double x = vec3_get(whole->p[i], axis);
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    const uint32_t end = slice_of(hi, origin, b->edge, b->size[axis]);
    polygon rest[2];
    int from = 0;
    rest[0] = *whole;
    for (uint32_t i = slice_of(lo, origin, b->edge, b->size[axis]); i < end; i++) {
        polygon slice;
        split(&rest[from], normal, origin + b->edge * (i + 1), &slice, &rest[1 - from]);
        from = 1 - from;
        at[axis] = i;
        if (slice.count > 0) {
            const base_status status = cut_slices(b, &slice, axis + 1, at, face, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    at[axis] = end;
    return rest[from].count > 0 ? cut_slices(b, &rest[from], axis + 1, at, face, err) : BASE_OK;
}

static int compare_pieces(const void *left, const void *right)
{
    const piece *const a = left, *const b = right;
    return a->column != b->column ? (a->column > b->column) - (a->column < b->column)
           : a->z != b->z         ? (a->z < b->z) - (a->z > b->z)
                                  : (a->face > b->face) - (a->face < b->face);
}

/* --- Columns ---------------------------------------------------------------------------------- */

static base_status add_crossed(builder *b, crossed cube, base_error *err)
{
    const double whole = b->edge * b->edge * b->edge;
    cube.volume = fmin(fmax(cube.volume, 0), whole);
    const base_status status =
        base_reserve(b->crossed, b->crossed_capacity, b->crossed_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    b->crossed[b->crossed_count++] = cube;
    return BASE_OK;
}

/** Processes the pieces of one column downwards. */
static base_status sum_column(builder *b, size_t begin, size_t end, base_error *err)
{
    const double face = b->edge * b->edge;
    /* Where the exact area is 0 or the whole column, the sum is wrong by at most this. */
    const double negligible = 1e-9 * face;
    double above = 0;
    for (size_t i = begin; i < end;) {
        const uint32_t column = b->pieces[i].column, z = b->pieces[i].z;
        double area = 0, moment = 0;
        for (; i < end && b->pieces[i].z == z; i++) {
            area += b->pieces[i].area;
            moment += b->pieces[i].moment;
        }
        const double volume = moment + b->edge * above;
        above += area;
        const bool below = above > 0.5 * face;
        base_status status = add_crossed(b, (crossed){column, z, below, volume}, err);
        if (status != BASE_OK) {
            return status;
        }
        if (above <= negligible || above >= face - negligible) {
            continue;
        }
        /* The column below is neither empty nor full, so the surface must continue there. Its
         * pieces have no projected area and were lost by rounding. */
        const uint32_t stop = i < end ? b->pieces[i].z + 1 : 0;
        for (uint32_t lower = z; lower > stop; lower--) {
            status = add_crossed(b, (crossed){column, lower - 1, below, b->edge * above}, err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

static base_status sum_columns(builder *b, base_error *err)
{
    const size_t column_count = (size_t)b->size[0] * b->size[1];
    b->columns = base_alloc(column_count + 1, sizeof *b->columns);
    if (!b->columns) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    size_t at = 0;
    for (size_t column = 0; column < column_count; column++) {
        b->columns[column] = (uint32_t)b->crossed_count;
        const size_t begin = at;
        while (at < b->piece_count && b->pieces[at].column == column) {
            at++;
        }
        const base_status status = sum_column(b, begin, at, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    b->columns[column_count] = (uint32_t)b->crossed_count;
    return BASE_OK;
}

/** Returns true if a cube that is not crossed is inside. The next crossed cube above it decides. */
static bool is_inside(const builder *b, uint32_t x, uint32_t y, uint32_t z)
{
    if (x >= b->size[0] || y >= b->size[1] || z >= b->size[2]) {
        return false;
    }
    const size_t column = (size_t)y * b->size[0] + x;
    uint32_t low = b->columns[column], high = b->columns[column + 1];
    const uint32_t first = low;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (b->crossed[middle].z > z) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > first && b->crossed[low - 1].below;
}

/* --- Octree ----------------------------------------------------------------------------------- */

/** Returns the volume of the solid in all eight cubes. */
static double volume_of(const alg_bounds_cell *cell)
{
    double volume = 0;
    for (int i = 0; i < 8; i++) {
        volume += cell->volume[i];
    }
    return volume;
}

/** Fills the cell of a node and returns its volume. The node is a cube with the lower corner `at`
 * and an edge of 2^level smallest cubes. */
static double fill_cell(const builder *b, uint32_t node, alg_voxel_at at, uint32_t level)
{
    const uint32_t half = 1u << (level - 1);
    const double edge = ldexp(b->edge, (int)level - 1);
    alg_bounds_cell *const cell = &b->cells[node];
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t child = b->octree.nodes[node].child[i];
        const alg_voxel_at part = {at.x + (i & 1 ? half : 0), at.y + (i & 2 ? half : 0),
                                   at.z + (i & 4 ? half : 0)};
        if (child & ALG_VOXEL_LEAF) {
            cell->child[i] = ALG_BOUNDS_CELL_LEAF;
            cell->volume[i] = b->crossed[child & ~ALG_VOXEL_LEAF].volume;
        } else if (child != ALG_VOXEL_EMPTY) {
            cell->child[i] = child;
            cell->volume[i] = fill_cell(b, child, part, level - 1);
        } else if (is_inside(b, part.x, part.y, part.z)) {
            cell->child[i] = ALG_BOUNDS_CELL_WHOLE;
            cell->volume[i] = edge * edge * edge;
        }
    }
    return volume_of(cell);
}

static base_status build(builder *b, const geo_mesh *mesh, uint32_t levels, base_arena *arena,
                         base_arena *scratch, base_error *err)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const polygon face = {3, {t.p[0], t.p[1], t.p[2]}};
        const base_status status = cut_slices(b, &face, 0, (uint32_t[3]){0}, (uint32_t)f, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    qsort(b->pieces, b->piece_count, sizeof *b->pieces, compare_pieces);
    base_status status = sum_columns(b, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_voxel_at *const at = base_arena_alloc(scratch, b->crossed_count, sizeof *at);
    if (!at) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    for (size_t i = 0; i < b->crossed_count; i++) {
        const crossed *const c = &b->crossed[i];
        at[i] = (alg_voxel_at){c->column % b->size[0], c->column / b->size[0], c->z};
    }
    status = alg_voxel_octree_build(at, b->crossed_count, levels, scratch, &b->octree, err);
    if (status != BASE_OK) {
        return status;
    }
    b->cells = base_arena_alloc(arena, b->octree.node_count, sizeof *b->cells);
    if (!b->cells) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    fill_cell(b, 0, (alg_voxel_at){0, 0, 0}, levels);
    return BASE_OK;
}

base_status alg_bounds_cells_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                   alg_bounds_cells *cells, base_error *err)
{
    base_assert(resolution >= 2 && resolution <= 1024);
    const geo_box box = geo_mesh_box(mesh);
    const double edge = alg_bounds_cells_edge(box, resolution);
    if (!(edge > 0)) {
        return base_fail(err, BASE_ERR_INPUT, "the body has no extent");
    }
    builder b = {.origin = box.lo, .edge = edge};
    uint32_t levels = 1;
    for (int axis = 0; axis < 3; axis++) {
        const double size = vec3_get(box.hi, axis) - vec3_get(box.lo, axis);
        b.size[axis] = (uint32_t)floor(size / edge) + 1;
        while (b.size[axis] > 1u << levels) {
            levels++;
        }
    }
    base_arena scratch = {0};
    const base_status status = build(&b, mesh, levels, arena, &scratch, err);
    if (status == BASE_OK) {
        *cells = (alg_bounds_cells){.origin = b.origin,
                                    .edge = ldexp(edge, (int)levels),
                                    .finest = edge,
                                    .levels = levels,
                                    .volume = volume_of(&b.cells[0]),
                                    .cells = b.cells,
                                    .cell_count = b.octree.node_count,
                                    .leaf_count = (uint32_t)b.crossed_count};
    }
    base_free(b.pieces);
    base_free(b.crossed);
    base_free(b.columns);
    base_arena_release(&scratch);
    return status;
}
