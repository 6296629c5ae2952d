/**
 * Volumes of a solid in the cubes of a grid, and the octree over them.
 *
 * The volume of the solid in a cube [x0, x1] x [y0, y1] x [z0, z1] is, by the divergence theorem
 * for the field (0, 0, clamp(z, z0, z1) - z0), the integral of that height over the parts of the
 * surface in the column [x0, x1] x [y0, y1], each counted with its area as seen from above and the
 * sign of its normal. Walls of the column are upright and add nothing. So a column is walked
 * downwards: pieces of surface in a cube add their moment, all above it edge * area.
 */
#include "algorithms/ist/cells.h"

#include "algorithms/ist/polygon.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/** The part of a face in one cube. */
typedef struct piece {
    uint32_t column, z; /* y * size[0] + x */
    uint32_t face;
    double area;   /* as seen from above; negative for a face that looks down */
    double moment; /* its integral of z - z0 */
} piece;

/** A cube that the surface passes through. */
typedef struct crossed {
    uint32_t column, z;
    bool below; /* is what follows below it, down to the next one, inside? */
    double volume;
} crossed;

/** A cube's place along the curve that visits an octree depth first, and its number. */
typedef struct place {
    uint64_t code;
    uint32_t number;
} place;

typedef struct builder {
    vec3 origin;
    double edge;
    uint32_t size[3];
    piece *pieces;
    size_t piece_count, piece_capacity;
    crossed *crossed; /* by column, downwards */
    size_t crossed_count, crossed_capacity;
    uint32_t *columns; /* first of each column in `crossed`; one more at the end */
    place *places;
    alg_ist_cell *cells;
    size_t cell_count, cell_capacity;
} builder;

double alg_ist_cells_edge(geo_box box, uint32_t resolution)
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

static base_status add_piece(builder *b, const alg_ist_polygon *polygon, const uint32_t at[3],
                             uint32_t face, base_error *err)
{
    const double z0 = b->origin.z + b->edge * at[2];
    const vec3 *const p = polygon->p;
    double area = 0, moment = 0;
    for (uint32_t i = 1; i + 1 < polygon->count; i++) {
        const double ux = p[i].x - p[0].x, uy = p[i].y - p[0].y;
        const double vx = p[i + 1].x - p[0].x, vy = p[i + 1].y - p[0].y;
        const double part = 0.5 * (ux * vy - uy * vx);
        const double height = ((p[0].z - z0) + (p[i].z - z0) + (p[i + 1].z - z0)) / 3;
        area += part;
        moment += part * height;
    }
    const base_status status = base_grow((void **)&b->pieces, &b->piece_capacity,
                                         b->piece_count + 1, sizeof *b->pieces, err);
    if (status == BASE_OK) {
        b->pieces[b->piece_count++] =
            (piece){at[1] * b->size[0] + at[0], at[2], face, area, moment};
    }
    return status;
}

/** Cuts a polygon along one axis, each slice along the next; slices of all axes are pieces. */
static base_status cut_slices(builder *b, const alg_ist_polygon *polygon, int axis, uint32_t at[3],
                              uint32_t face, base_error *err)
{
    if (axis == 3) {
        return add_piece(b, polygon, at, face, err);
    }
    const vec3 normal = {axis == 0, axis == 1, axis == 2};
    const double origin = vec3_get(b->origin, axis);
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const double x = vec3_get(polygon->p[i], axis);
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    const uint32_t end = slice_of(hi, origin, b->edge, b->size[axis]);
    base_status status = BASE_OK;
    alg_ist_polygon rest[2];
    int from = 0;
    rest[0] = *polygon;
    for (uint32_t i = slice_of(lo, origin, b->edge, b->size[axis]); status == BASE_OK && i < end;
         i++) {
        alg_ist_polygon slice;
        alg_ist_polygon_split(&rest[from], normal, origin + b->edge * (i + 1), &slice,
                              &rest[1 - from]);
        from = 1 - from;
        at[axis] = i;
        if (slice.count > 0) {
            status = cut_slices(b, &slice, axis + 1, at, face, err);
        }
    }
    at[axis] = end;
    return status == BASE_OK && rest[from].count > 0
               ? cut_slices(b, &rest[from], axis + 1, at, face, err)
               : status;
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
    const base_status status = base_grow((void **)&b->crossed, &b->crossed_capacity,
                                         b->crossed_count + 1, sizeof *b->crossed, err);
    if (status == BASE_OK) {
        b->crossed[b->crossed_count++] = cube;
    }
    return status;
}

/** Walks one column's pieces downwards. */
static base_status walk_column(builder *b, size_t begin, size_t end, base_error *err)
{
    const double face = b->edge * b->edge;
    /* What rounding leaves of an area that is 0 or the whole column. */
    const double trifle = 1e-9 * face;
    base_status status = BASE_OK;
    double above = 0;
    for (size_t i = begin; status == BASE_OK && i < end;) {
        const uint32_t column = b->pieces[i].column, z = b->pieces[i].z;
        double area = 0, moment = 0;
        for (; i < end && b->pieces[i].z == z; i++) {
            area += b->pieces[i].area;
            moment += b->pieces[i].moment;
        }
        const double volume = moment + b->edge * above;
        above += area;
        status = add_crossed(b, (crossed){column, z, above > 0.5 * face, volume}, err);
        if (above <= trifle || above >= face - trifle) {
            continue;
        }
        /* Pieces of no area that rounding has lost: cubes below are crossed all the same. */
        const uint32_t stop = i < end ? b->pieces[i].z + 1 : 0;
        for (uint32_t lower = z; status == BASE_OK && lower > stop; lower--) {
            status = add_crossed(
                b, (crossed){column, lower - 1, above > 0.5 * face, b->edge * above}, err);
        }
    }
    return status;
}

static base_status walk_columns(builder *b, base_error *err)
{
    const size_t column_count = (size_t)b->size[0] * b->size[1];
    b->columns = base_alloc(column_count + 1, sizeof *b->columns);
    if (!b->columns) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    base_status status = BASE_OK;
    size_t at = 0;
    for (size_t column = 0; status == BASE_OK && column < column_count; column++) {
        b->columns[column] = (uint32_t)b->crossed_count;
        const size_t begin = at;
        while (at < b->piece_count && b->pieces[at].column == column) {
            at++;
        }
        status = walk_column(b, begin, at, err);
    }
    b->columns[column_count] = (uint32_t)b->crossed_count;
    return status;
}

/** Is a cube that is not crossed inside? It is what the next crossed cube above it says. */
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

/** Bits of x, y and z in turn. */
static uint64_t interleave(uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t code = 0;
    for (int bit = 0; bit < 16; bit++) {
        code |= (uint64_t)(x >> bit & 1) << (3 * bit) | (uint64_t)(y >> bit & 1) << (3 * bit + 1) |
                (uint64_t)(z >> bit & 1) << (3 * bit + 2);
    }
    return code;
}

static int compare_places(const void *left, const void *right)
{
    const place *const a = left, *const b = right;
    return (a->code > b->code) - (a->code < b->code);
}

static base_status sort_places(builder *b, base_error *err)
{
    b->places = base_alloc(b->crossed_count, sizeof *b->places);
    if (!b->places) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    for (size_t i = 0; i < b->crossed_count; i++) {
        const crossed *const c = &b->crossed[i];
        b->places[i] =
            (place){interleave(c->column % b->size[0], c->column / b->size[0], c->z), (uint32_t)i};
    }
    qsort(b->places, b->crossed_count, sizeof *b->places, compare_places);
    return BASE_OK;
}

/** A cube of 2^level smallest ones along each edge, and the crossed ones in it. */
typedef struct octant {
    uint32_t x, y, z; /* of its smallest corner */
    uint32_t level;
    size_t begin, end; /* of places */
} octant;

static double volume_of(const alg_ist_cell *cell)
{
    double volume = 0;
    for (int i = 0; i < 8; i++) {
        volume += cell->volume[i];
    }
    return volume;
}

/** The part i of a cube. */
static octant part_of(const builder *b, const octant *o, uint32_t i, size_t begin)
{
    const uint32_t level = o->level - 1, half = 1u << level;
    octant part = {.x = o->x + (i & 1 ? half : 0),
                   .y = o->y + (i & 2 ? half : 0),
                   .z = o->z + (i & 4 ? half : 0),
                   .level = level,
                   .begin = begin,
                   .end = begin};
    while (part.end < o->end && (b->places[part.end].code >> (3 * level) & 7) == i) {
        part.end++;
    }
    return part;
}

/** Builds the cell of a cube with crossed ones in it; its depth is at most that of the octree. */
static base_status build_cell(builder *b, const octant *o, uint32_t *number, base_error *err)
{
    base_status status =
        base_grow((void **)&b->cells, &b->cell_capacity, b->cell_count + 1, sizeof *b->cells, err);
    *number = (uint32_t)b->cell_count++;
    alg_ist_cell cell = {0};
    size_t begin = o->begin;
    for (uint32_t i = 0; status == BASE_OK && i < 8; i++) {
        const octant part = part_of(b, o, i, begin);
        const double edge = ldexp(b->edge, (int)part.level);
        begin = part.end;
        if (part.begin == part.end) {
            if (is_inside(b, part.x, part.y, part.z)) {
                cell.child[i] = ALG_IST_CELL_WHOLE;
                cell.volume[i] = edge * edge * edge;
            }
        } else if (part.level == 0) {
            cell.child[i] = ALG_IST_CELL_LEAF;
            cell.volume[i] = b->crossed[b->places[part.begin].number].volume;
        } else {
            status = build_cell(b, &part, &cell.child[i], err);
            cell.volume[i] = status == BASE_OK ? volume_of(&b->cells[cell.child[i]]) : 0;
        }
    }
    if (status == BASE_OK) {
        b->cells[*number] = cell;
    }
    return status;
}

static base_status build(builder *b, const geo_mesh *mesh, uint32_t levels, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t f = 0; status == BASE_OK && f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const alg_ist_polygon polygon = {
            3, {t.p[0], t.p[1], t.p[2]}
        };
        status = cut_slices(b, &polygon, 0, (uint32_t[3]){0}, (uint32_t)f, err);
    }
    if (status == BASE_OK) {
        qsort(b->pieces, b->piece_count, sizeof *b->pieces, compare_pieces);
        status = walk_columns(b, err);
    }
    if (status == BASE_OK) {
        status = sort_places(b, err);
    }
    uint32_t root;
    const octant all = {.level = levels, .end = b->crossed_count};
    return status == BASE_OK ? build_cell(b, &all, &root, err) : status;
}

base_status alg_ist_cells_build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena,
                                alg_ist_cells *cells, base_error *err)
{
    base_assert(resolution >= 2 && resolution <= 1024);
    const geo_box box = geo_mesh_box(mesh);
    const double edge = alg_ist_cells_edge(box, resolution);
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
    base_status status = build(&b, mesh, levels, err);
    alg_ist_cell *const copy =
        status == BASE_OK ? base_arena_alloc(arena, b.cell_count, sizeof *copy) : NULL;
    if (copy) {
        memcpy(copy, b.cells, b.cell_count * sizeof *copy);
        *cells = (alg_ist_cells){.origin = b.origin,
                                 .edge = ldexp(edge, (int)levels),
                                 .finest = edge,
                                 .levels = levels,
                                 .volume = volume_of(copy),
                                 .cells = copy,
                                 .cell_count = (uint32_t)b.cell_count,
                                 .leaf_count = (uint32_t)b.crossed_count};
    } else if (status == BASE_OK) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for cells");
    }
    base_free(b.pieces);
    base_free(b.crossed);
    base_free(b.columns);
    base_free(b.places);
    base_free(b.cells);
    return status;
}
