#include "algorithms/imp/body.h"

#include "algorithms/archive.h"
#include "algorithms/imp/patches.h"
#include "algorithms/imp/spheres.h"
#include "algorithms/life.h"
#include "algorithms/voxel/pointshell.h"
#include "algorithms/voxel/surface.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/surface.h"

#include <math.h>
#include <string.h>

const char *const alg_imp_facts[] = {
    [ALG_IMP_FACT_VOXELS] = "voxels_count",
    [ALG_IMP_FACT_SURFACE_VOXELS] = "surface_voxels_count",
    [ALG_IMP_FACT_FULL_VOXELS] = "full_voxels_count",
    [ALG_IMP_FACT_NODES] = "nodes_count",
    [ALG_IMP_FACT_NODE_BYTES] = "node_bytes",
    [ALG_IMP_FACT_SINGLE_NODES] = "single_nodes_count",
    [ALG_IMP_FACT_SMALLER_PATTERNS] = "smaller_patterns_count",
    [ALG_IMP_FACT_SMALLER_SQUARES] = "smaller_squares_count",
    [ALG_IMP_FACT_BALL_SHARE] = "ball_volume_share",
    [ALG_IMP_FACT_BALL_SHARE_MAX] = "ball_volume_share_max",
    [ALG_IMP_FACT_EDGE] = "edge_m",
    [ALG_IMP_FACT_SURFACE_NS] = "stage_surface_ns",
    [ALG_IMP_FACT_POINTS_NS] = "stage_points_ns",
    [ALG_IMP_FACT_TREE_NS] = "stage_tree_ns",
    [ALG_IMP_FACT_RESOLUTION] = "resolution_count",
    [ALG_IMP_FACT_THIN] = ALG_FACT_THIN,
    [ALG_IMP_FACT_WALL] = "wall_m",
    [ALG_IMP_FACT_ERROR] = "volume_error_expected",
    [ALG_IMP_FACT_COUNT] = NULL,
};
_Static_assert((int)ALG_IMP_FACT_COUNT <= (int)ALG_FACTS_MAX, "the facts fit");

/* The normal of a point is computed from two layers, in the voxels at most two voxels away from the
 * point's voxel. This voxel may be the first one of the padding, so the padding is 3. */
enum { LAYERS = 2, PADDING = 3 };

/* Expected mean error of a volume, relative to the volume, for walls of one voxel. It falls with
 * the number of voxels in a wall. It bounds the mean errors that docs/cad.md lists for
 * voxels=auto. */
static const double error_a_voxel = 0.4;

/* --- Descriptors of voxels -------------------------------------------------------------------- */

enum { ROWS_CHUNK = 64 };
_Static_assert(ALG_VOXEL_MAP_BLOCK == 8, "a row of a block has two whole bytes of descriptors");

/** Returns the bytes of the descriptors of a row along x. */
static size_t row_bytes(const uint32_t size[3])
{
    return (size[0] + 3) / 4;
}

static size_t descriptor_bytes(const uint32_t size[3])
{
    return row_bytes(size) * size[1] * size[2];
}

alg_imp_descriptor alg_imp_descriptor_at(const alg_imp_body *body, uint32_t x, uint32_t y,
                                         uint32_t z)
{
    const uint32_t *const size = body->grid.size;
    const uint8_t byte = body->descriptors[((size_t)z * size[1] + y) * row_bytes(size) + x / 4];
    return (alg_imp_descriptor)(byte >> 2 * (x % 4) & 3);
}

/** Arguments of the functions that fill the descriptors of rows. */
typedef struct filling {
    const alg_voxel_map *map;   /* in blocks, of two layers or more */
    const geo_surface *surface; /* of the solid; NULL if the mesh is not a solid */
    uint8_t *descriptors;
} filling;

/**
 * Maps a layer to a descriptor. Layer -1 holds the voxels outside that share a corner with a
 * surface voxel.
 */
static alg_imp_descriptor descriptor_of(int layer)
{
    return layer == 0    ? ALG_IMP_VOXEL_SURFACE
           : layer > 0   ? ALG_IMP_VOXEL_FULL
           : layer == -1 ? ALG_IMP_VOXEL_PROXIMITY
                         : ALG_IMP_VOXEL_EMPTY;
}

/**
 * Returns the descriptors of (x, y, z) to (x + 7, y, z), which are in one block; voxels beyond the
 * grid are empty.
 */
static uint16_t block_descriptors(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = map->block_count;
    const uint32_t block =
        map->blocks[((size_t)(z / ALG_VOXEL_MAP_BLOCK) * n[1] + y / ALG_VOXEL_MAP_BLOCK) * n[0] +
                    x / ALG_VOXEL_MAP_BLOCK];
    const uint32_t left = map->grid.size[0] - x,
                   count = left < ALG_VOXEL_MAP_BLOCK ? left : ALG_VOXEL_MAP_BLOCK;
    uint32_t descriptors = 0;
    if (block & ALG_VOXEL_MAP_OPEN) {
        for (uint32_t i = 0; i < count; i++) {
            descriptors |= (uint32_t)descriptor_of(alg_voxel_layer(map, x + i, y, z)) << 2 * i;
        }
    } else {
        const uint32_t all = 0x5555u * (uint32_t)descriptor_of((int8_t)(uint8_t)block);
        descriptors = all & ((1u << 2 * count) - 1);
    }
    return (uint16_t)descriptors;
}

static void fill_rows(void *context, size_t begin, size_t end)
{
    const filling *const f = context;
    const uint32_t *const size = f->map->grid.size;
    for (size_t row = begin; row < end; row++) {
        uint8_t *const bytes = f->descriptors + row * row_bytes(size);
        for (uint32_t x = 0; x < size[0]; x += ALG_VOXEL_MAP_BLOCK) {
            const uint16_t block =
                block_descriptors(f->map, x, (uint32_t)(row % size[1]), (uint32_t)(row / size[1]));
            bytes[x / 4] = (uint8_t)block;
            if (x + 4 < size[0]) {
                bytes[x / 4 + 1] = (uint8_t)(block >> 8);
            }
        }
    }
}

/**
 * Empties voxels that are full in the map but not inside of the solid. They belong to a hollow that
 * the flood from outside does not reach, because the hollow is closed or its openings are narrower
 * than voxels. If the mesh is not a solid, all full voxels are emptied. Voxels of a row without a
 * surface voxel between them are on the same side of the surface, so one test of a point decides
 * for all of them.
 */
static void empty_hollows(void *context, size_t begin, size_t end)
{
    const filling *const f = context;
    const uint32_t *const size = f->map->grid.size;
    for (size_t row = begin; row < end; row++) {
        uint8_t *const bytes = f->descriptors + row * row_bytes(size);
        const uint32_t y = (uint32_t)(row % size[1]), z = (uint32_t)(row / size[1]);
        bool in_stretch = false, inside = false;
        for (uint32_t x = 0; x < size[0]; x++) {
            const int layer = alg_voxel_layer(f->map, x, y, z);
            if (layer > 0 && !in_stretch) {
                inside = f->surface &&
                         geo_surface_contains(f->surface, alg_voxel_middle(&f->map->grid, x, y, z));
            }
            in_stretch = layer > 0;
            if (in_stretch && !inside) {
                const uint32_t kind = layer == 1 ? ALG_IMP_VOXEL_PROXIMITY : ALG_IMP_VOXEL_EMPTY;
                bytes[x / 4] =
                    (uint8_t)((bytes[x / 4] & ~(3u << 2 * (x % 4))) | kind << 2 * (x % 4));
            }
        }
    }
}

typedef struct selection {
    const uint8_t *descriptors;
    alg_imp_descriptor kind;
    alg_voxel_bits *bits;
} selection;

/** Returns four bits, one for each descriptor in a byte: 1 if the descriptor is of that kind. */
static uint64_t select_four(uint8_t byte, alg_imp_descriptor kind)
{
    const uint32_t other = byte ^ 0x55u * (uint32_t)kind;
    const uint32_t same = ~(other | other >> 1) & 0x55;
    return (same & 1) | (same >> 1 & 2) | (same >> 2 & 4) | (same >> 3 & 8);
}

static void select_rows(void *context, size_t begin, size_t end)
{
    const selection *const s = context;
    const uint32_t *const size = s->bits->size;
    for (size_t row = begin; row < end; row++) {
        const uint8_t *const bytes = s->descriptors + row * row_bytes(size);
        uint64_t *const words = s->bits->words + row * s->bits->row_words;
        for (uint32_t x = 0; x < size[0]; x += 4) {
            const uint32_t left = size[0] - x;
            const uint64_t inside = left < 4 ? (1u << left) - 1 : 15;
            words[x / 64] |= (select_four(bytes[x / 4], s->kind) & inside) << x % 64;
        }
    }
}

/** Sets the bits of the voxels of one kind. The caller frees them with alg_voxel_bits_release. */
static base_status select_voxels(const alg_imp_body *body, alg_imp_descriptor kind,
                                 alg_voxel_bits *bits, base_error *err)
{
    const base_status status = alg_voxel_bits_create(body->grid.size, bits, err);
    if (status == BASE_OK) {
        selection s = {body->descriptors, kind, bits};
        base_parallel_for((size_t)bits->size[1] * bits->size[2], ROWS_CHUNK, 0, select_rows, &s);
    }
    return status;
}

/* --- Points of voxels ------------------------------------------------------------------------- */

enum { VOXELS_CHUNK = 1024 };

static uint32_t voxel_of(const alg_voxel_grid *grid, int axis, double x)
{
    const int64_t last = (int64_t)grid->size[axis] - 1;
    const double t = alg_voxel_coordinate(grid, axis, x);
    int64_t i = t < 0 ? 0 : t > (double)last ? last : (int64_t)t;
    while (i > 0 && x < alg_voxel_plane(grid, axis, i)) {
        i--;
    }
    while (i < last && x >= alg_voxel_plane(grid, axis, i + 1)) {
        i++;
    }
    return (uint32_t)i;
}

alg_imp_cell alg_imp_cell_of(const alg_voxel_grid *grid, vec3 point)
{
    return (alg_imp_cell){voxel_of(grid, 0, point.x), voxel_of(grid, 1, point.y),
                          voxel_of(grid, 2, point.z)};
}

/** The points of the shell, sorted by surface voxel. */
typedef struct sorted {
    const alg_imp_body *body;
    const alg_pointshell *shell;
    const alg_imp_cell *cells; /* of the surface voxels */
    uint32_t *starts; /* owned; voxel v has points[starts[v]] to points[starts[v + 1] - 1] */
    uint32_t *points; /* owned; indices into the shell, ascending within a voxel */
} sorted;

/** The nearest point so far. */
typedef struct nearest {
    vec3 centre;
    double distance2;
    uint32_t point;
} nearest;

static base_status sort_points(sorted *s, base_error *err)
{
    const alg_imp_body *const b = s->body;
    const uint32_t voxel_count = b->tree.voxel_count, point_count = s->shell->count;
    uint32_t *const owners = base_alloc(point_count, sizeof *owners);
    s->starts = base_alloc((size_t)voxel_count + 2, sizeof *s->starts);
    s->points = base_alloc(point_count, sizeof *s->points);
    if (!owners || !s->starts || !s->points) {
        base_free(owners);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for points of voxels");
    }
    for (uint32_t i = 0; i < point_count; i++) {
        const alg_imp_cell cell = alg_imp_cell_of(&b->grid, s->shell->points[i]);
        if (!alg_imp_tree_find(&b->tree, cell, &owners[i])) {
            owners[i] = ALG_IMP_FULL;
        }
        /* A point has no owner if rounding has put it outside of the surface voxels, or if its
         * voxel is not stored. */
        if (owners[i] != ALG_IMP_FULL) {
            s->starts[owners[i] + 2]++;
        }
    }
    for (uint32_t v = 0; v < voxel_count; v++) {
        s->starts[v + 2] += s->starts[v + 1];
    }
    /* While points are written, starts[v + 1] advances from the begin of voxel v to its end. */
    for (uint32_t i = 0; i < point_count; i++) {
        if (owners[i] != ALG_IMP_FULL) {
            s->points[s->starts[owners[i] + 1]++] = i;
        }
    }
    base_free(owners);
    return BASE_OK;
}

static void compare_points(const sorted *s, uint32_t voxel, nearest *best)
{
    for (uint32_t k = s->starts[voxel]; k < s->starts[voxel + 1]; k++) {
        const uint32_t point = s->points[k];
        const double d2 = vec3_distance2(best->centre, s->shell->points[point]);
        if (d2 < best->distance2 || (d2 == best->distance2 && point < best->point)) {
            best->distance2 = d2;
            best->point = point;
        }
    }
}

/** Compares the points of the surface voxels at Chebyshev distance `reach`. */
static void compare_around(const sorted *s, alg_imp_cell at, int64_t reach, nearest *best)
{
    const uint32_t *const size = s->body->grid.size;
    for (int64_t z = at.z - reach; z <= at.z + reach; z++) {
        for (int64_t y = at.y - reach; y <= at.y + reach; y++) {
            const bool side =
                z == at.z - reach || z == at.z + reach || y == at.y - reach || y == at.y + reach;
            for (int64_t x = at.x - reach; x <= at.x + reach; x += side ? 1 : 2 * reach) {
                const bool inside =
                    x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
                const alg_imp_cell cell = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
                uint32_t voxel;
                if (inside && alg_imp_tree_find(&s->body->tree, cell, &voxel) &&
                    voxel != ALG_IMP_FULL) {
                    compare_points(s, voxel, best);
                }
            }
        }
    }
}

/**
 * Returns the index of the point nearest to the voxel's centre. If the voxel holds no points,
 * searches the shells of voxels around it with increasing `reach`. A point in a voxel `reach` away
 * is at least reach - 1/2 edges from the centre; the search ends when such a point cannot be nearer
 * than the best one.
 */
static uint32_t nearest_point(const sorted *s, uint32_t voxel)
{
    const alg_voxel_grid *const grid = &s->body->grid;
    const alg_imp_cell at = s->cells[voxel];
    nearest best = {alg_voxel_middle(grid, at.x, at.y, at.z), INFINITY, 0};
    compare_points(s, voxel, &best);
    const bool own = isfinite(best.distance2);
    const uint32_t *const n = grid->size;
    const int64_t most = n[0] > n[1] ? n[0] > n[2] ? n[0] : n[2] : n[1] > n[2] ? n[1] : n[2];
    for (int64_t reach = 1; !own && reach <= most; reach++) {
        const double least = grid->edge * ((double)reach - 0.5 - 1e-6);
        if (best.distance2 < least * least) {
            break;
        }
        compare_around(s, at, reach, &best);
    }
    return best.point;
}

static void set_points(void *context, size_t begin, size_t end)
{
    const sorted *const s = context;
    const alg_pointshell *const shell = s->shell;
    for (size_t v = begin; v < end; v++) {
        const uint32_t i = nearest_point(s, (uint32_t)v);
        const vec3 from_corner = vec3_sub(shell->points[i], s->body->grid.corner);
        for (int axis = 0; axis < 3; axis++) {
            s->body->voxels[v].point[axis] = (float)vec3_get(from_corner, axis);
            s->body->voxels[v].normal[axis] = (float)(0 - vec3_get(shell->normals[i], axis));
        }
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Edge of a block in voxels, blocks of padding around the grid, and the number of layers. If the
 * radius of a node's ball is larger than the distance of the last layer, the ball cannot be found
 * to miss the body, so the node is opened. */
enum { BLOCK = 8, BLOCK_PADDING = 1, BLOCK_LAYERS = 16 };

static void mark_blocks(const alg_voxel_bits *voxels, alg_voxel_bits *blocks)
{
    for (uint32_t z = 0; z < voxels->size[2]; z++) {
        for (uint32_t y = 0; y < voxels->size[1]; y++) {
            const uint64_t *const row = alg_voxel_bits_row(voxels, y, z);
            uint64_t *const to =
                alg_voxel_bits_row(blocks, y / BLOCK + BLOCK_PADDING, z / BLOCK + BLOCK_PADDING);
            /* Each byte of a word is one block along x. */
            for (uint32_t x = 0; x < voxels->size[0]; x += BLOCK) {
                const uint32_t block = x / BLOCK + BLOCK_PADDING;
                to[block / 64] |= (uint64_t)((row[x / 64] >> x % 64 & 0xff) != 0) << block % 64;
            }
        }
    }
}

base_status alg_imp_coarse_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                 base_arena *arena, alg_voxel_map *map, base_error *err)
{
    alg_voxel_grid grid = {.edge = 2 * BLOCK, .padding = BLOCK_PADDING};
    alg_voxel_bits blocks = {0};
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t size = surface->size[axis] + BLOCK - 1;
        grid.size[axis] = size / BLOCK + 2 * BLOCK_PADDING;
    }
    base_status status = alg_voxel_bits_create(grid.size, &blocks, err);
    if (status == BASE_OK) {
        mark_blocks(surface, &blocks);
        mark_blocks(full, &blocks);
        status = alg_voxel_map_build(
            &grid, &blocks,
            &(alg_voxel_map_options){.layers = BLOCK_LAYERS, .storage = ALG_VOXEL_DENSE}, arena,
            map, err);
    }
    alg_voxel_bits_release(&blocks);
    return status;
}

bool alg_imp_coarse_misses(const alg_voxel_map *map, const float centre[3], float radius)
{
    uint32_t at[3];
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        const float end = (float)((map->grid.size[axis] - 2 * BLOCK_PADDING) * 2 * BLOCK);
        if (!(centre[axis] >= -radius && centre[axis] <= end + radius)) {
            return true;
        }
        within = within && centre[axis] >= 0 && centre[axis] < end;
        at[axis] = within ? (uint32_t)centre[axis] / (2 * BLOCK) + BLOCK_PADDING : 0;
    }
    const int layer = within ? alg_voxel_layer(map, at[0], at[1], at[2]) : 0;
    return radius < (float)((-layer - 1) * 2 * BLOCK);
}

/* --- Voxels ----------------------------------------------------------------------------------- */

/**
 * Fills the descriptors. Full voxels are those inside of a solid; other meshes have no full voxels.
 */
static base_status fill_descriptors(const alg_imp_options *options, const geo_mesh *mesh,
                                    const alg_voxel_map *map, base_arena *scratch, alg_imp_body *b,
                                    base_error *err)
{
    geo_surface surface;
    base_status status = b->solid ? geo_surface_build(mesh, scratch, &surface, err) : BASE_OK;
    b->descriptors = base_arena_alloc(&b->arena, descriptor_bytes(b->grid.size), 1);
    if (status == BASE_OK && !b->descriptors) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for descriptors of voxels");
    }
    if (status == BASE_OK) {
        const size_t rows = (size_t)b->grid.size[1] * b->grid.size[2];
        filling f = {map, b->solid ? &surface : NULL, b->descriptors};
        base_parallel_for(rows, ROWS_CHUNK, options->tree.threads, fill_rows, &f);
        base_parallel_for(rows, ROWS_CHUNK, options->tree.threads, empty_hollows, &f);
    }
    return status;
}

/**
 * Builds the map of the mesh, and the grid and descriptors of the body. Leaves the measuring of
 * thin parts out of the time of the stage, which began at *last.
 */
static base_status build_voxels(const alg_imp_options *options, const geo_mesh *mesh,
                                base_arena *scratch, alg_imp_body *b, alg_voxel_map *map,
                                uint64_t *last, double *facts, base_error *err)
{
    const alg_voxel_surface_options exact = {.generator = ALG_VOXEL_OURS};
    alg_voxel_bits bits = {0};
    uint64_t tests;
    base_status status = alg_voxel_grid_place(geo_mesh_box(mesh), options->resolution.voxels,
                                              PADDING, &b->grid, err);
    if (status == BASE_OK) {
        status = alg_voxel_bits_create(b->grid.size, &bits, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, &b->grid, &exact, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_map_build(&b->grid, &bits, &(alg_voxel_map_options){.layers = LAYERS},
                                     scratch, map, err);
    }
    alg_end_stage(last, &facts[ALG_IMP_FACT_SURFACE_NS]);
    if (status == BASE_OK && b->solid) {
        status = alg_thin_share(mesh, &b->grid, &bits, false, &facts[ALG_IMP_FACT_THIN], err);
    }
    *last = alg_clock_ns();
    alg_voxel_bits_release(&bits);
    return status == BASE_OK ? fill_descriptors(options, mesh, map, scratch, b, err) : status;
}

/* --- The tree --------------------------------------------------------------------------------- */

/** Sets the bits of the surface voxels that hold points of a shell. */
static base_status keep_points(const alg_imp_body *b, const alg_pointshell *shell,
                               alg_voxel_bits *kept, base_error *err)
{
    const base_status status = alg_voxel_bits_create(b->grid.size, kept, err);
    for (uint32_t i = 0; i < shell->count && status == BASE_OK; i++) {
        const alg_imp_cell at = alg_imp_cell_of(&b->grid, shell->points[i]);
        if (alg_imp_descriptor_at(b, at.x, at.y, at.z) == ALG_IMP_VOXEL_SURFACE) {
            alg_voxel_bits_row(kept, at.y, at.z)[at.x / 64] |= (uint64_t)1 << at.x % 64;
        }
    }
    return status;
}

/** Builds the tree, the blocks of a fixed solid, and fill_share. */
static base_status build_tree(const alg_imp_options *options, const alg_mesh *mesh,
                              const alg_pointshell *shell, alg_imp_body *b, base_error *err)
{
    const bool some = options->role == ALG_MOVING && options->probe == ALG_IMP_POINTS;
    alg_voxel_bits surface = {0}, inner = {0};
    base_status status = some ? keep_points(b, shell, &surface, err)
                              : select_voxels(b, ALG_IMP_VOXEL_SURFACE, &surface, err);
    if (status == BASE_OK) {
        status = select_voxels(b, ALG_IMP_VOXEL_FULL, &inner, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_tree_build(&surface, options->fill == ALG_IMP_SOLID ? &inner : NULL,
                                    &options->tree, &b->arena, &b->tree, err);
    }
    if (status == BASE_OK && b->solid && b->role == ALG_FIXED) {
        b->coarse = base_arena_alloc(&b->arena, 1, sizeof *b->coarse);
        status = b->coarse ? alg_imp_coarse_build(&surface, &inner, &b->arena, b->coarse, err)
                           : base_fail(err, BASE_ERR_MEMORY, "out of memory for blocks of voxels");
    }
    if (status == BASE_OK) {
        /* The part of the solid's volume that is not in full voxels is in surface voxels. */
        const double edge = b->grid.edge, voxels = mesh->volume_m3 / (edge * edge * edge);
        const double share = (voxels - (double)alg_voxel_bits_count(&inner)) / b->tree.voxel_count;
        b->fill_share = !mesh->solid ? 0.5 : fmin(fmax(share, 0), 1);
    }
    alg_voxel_bits_release(&surface);
    alg_voxel_bits_release(&inner);
    return status;
}

/* --- Points ----------------------------------------------------------------------------------- */

static void note_cell(void *context, uint32_t number, alg_imp_cell cell)
{
    alg_imp_cell *const cells = context;
    cells[number] = cell;
}

/**
 * Gives each stored surface voxel a point: of the points in the voxel, the one nearest to its
 * centre. If the voxel holds no points, it gets the nearest of the points in all stored voxels. Of
 * equally near points, the first one of the shell is taken. The distance from the centre is at most
 * half a voxel's diagonal, up to rounding, for the following reason. For each surface voxel, the
 * two phases of the pointshell take the point nearest to the voxel's centre of some triangle that
 * meets the voxel. This point may lie in another voxel, but not farther away than the voxel's
 * corners.
 *
 * Cost     O(levels) per point and per voxel. A voxel without points takes O(levels) for each voxel
 *          of the cube that is searched.
 */
static base_status build_points(const alg_imp_options *options, const alg_pointshell *shell,
                                base_arena *scratch, alg_imp_body *b, base_error *err)
{
    const uint32_t count = b->tree.voxel_count;
    alg_imp_cell *const cells = base_arena_alloc(scratch, count, sizeof *cells);
    b->voxels = base_arena_alloc(&b->arena, count, sizeof *b->voxels);
    if (!cells || !b->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for points of %u voxels", count);
    }
    alg_imp_tree_visit(&b->tree, note_cell, cells);
    sorted s = {.body = b, .shell = shell, .cells = cells};
    const base_status status = sort_points(&s, err);
    if (status == BASE_OK) {
        base_parallel_for(count, VOXELS_CHUNK, options->tree.threads, set_points, &s);
    }
    base_free(s.starts);
    base_free(s.points);
    return status;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Returns the number of nodes of a level that have one child. */
static uint64_t count_single(const alg_imp_tree *tree, uint32_t level)
{
    const uint32_t mask_bytes = alg_imp_mask_bytes(tree->children);
    uint64_t single = 0;
    for (size_t i = 0; i < tree->levels[level].count; i++) {
        int children = 0;
        for (uint32_t o = 0; o < mask_bytes; o++) {
            children += __builtin_popcount(tree->levels[level].present[i * mask_bytes + o]);
        }
        single += children == 1;
    }
    return single;
}

/** Returns the volume of a node's ball / the volume of the ball around its cube, summed over the
 * nodes of a level. */
static double sum_shares(const alg_imp_tree *tree, uint32_t level)
{
    const double whole = (double)alg_imp_sphere_of_cube(tree->children, level).radius;
    double sum = 0;
    for (uint32_t i = 0; i < tree->levels[level].count; i++) {
        const double share = (double)alg_imp_sphere_of(tree, level, i).radius / whole;
        sum += share * share * share;
    }
    return sum;
}

static void fill_facts(const alg_imp_body *b, double *facts)
{
    const alg_imp_tree *const tree = &b->tree;
    uint64_t nodes = 0, single = 0;
    double shares = 0, share_max = 0;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        const double sum = sum_shares(tree, l);
        nodes += tree->levels[l].count;
        single += count_single(tree, l);
        shares += sum;
        share_max = fmax(share_max, sum / tree->levels[l].count);
    }
    facts[ALG_IMP_FACT_BALL_SHARE] = shares / (double)nodes;
    facts[ALG_IMP_FACT_BALL_SHARE_MAX] = share_max;
    facts[ALG_IMP_FACT_VOXELS] = (double)alg_voxel_grid_count(&b->grid);
    facts[ALG_IMP_FACT_SURFACE_VOXELS] = tree->voxel_count;
    facts[ALG_IMP_FACT_FULL_VOXELS] = (double)tree->full_count;
    facts[ALG_IMP_FACT_NODES] = (double)nodes;
    facts[ALG_IMP_FACT_NODE_BYTES] = (double)alg_imp_tree_bytes(tree);
    facts[ALG_IMP_FACT_SINGLE_NODES] = (double)single;
    facts[ALG_IMP_FACT_EDGE] = b->grid.edge;
    if (tree->sphere_kind == ALG_IMP_PATTERNS) {
        const alg_imp_sphere *const table = tree->tables[tree->root_level];
        const float whole = alg_imp_sphere_of_cube(tree->children, tree->root_level).radius;
        uint32_t smaller = 0, smaller_squares = 0;
        for (uint32_t i = 0; i < alg_imp_table_count(tree->children); i++) {
            smaller += table[i].radius < whole;
        }
        /* The paper gives both counts, for an octree and for a quadtree. */
        for (unsigned pattern = 1; pattern < 15; pattern++) {
            smaller_squares += alg_imp_ball_of_squares(pattern).radius <
                               0.999 * alg_imp_ball_of_squares(15).radius;
        }
        facts[ALG_IMP_FACT_SMALLER_PATTERNS] = smaller;
        facts[ALG_IMP_FACT_SMALLER_SQUARES] = smaller_squares;
    }
}

static base_status build(const alg_imp_options *options, const alg_mesh *mesh, alg_imp_body *b,
                         double *facts, base_error *err)
{
    const alg_pointshell_options two_phases = {.kind = ALG_POINTSHELL_TWO_PHASE};
    const geo_mesh view = alg_mesh_view(mesh);
    base_arena scratch = {0};
    alg_voxel_map map;
    alg_pointshell shell = {0};
    uint64_t last = alg_clock_ns();
    facts[ALG_IMP_FACT_SURFACE_NS] = facts[ALG_IMP_FACT_POINTS_NS] = facts[ALG_IMP_FACT_TREE_NS] =
        0;
    base_status status = build_voxels(options, &view, &scratch, b, &map, &last, facts, err);
    alg_end_stage(&last, &facts[ALG_IMP_FACT_SURFACE_NS]);
    if (status == BASE_OK) {
        status = alg_pointshell_build(&view, &map, &two_phases, &scratch, &shell, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_POINTS_NS]);
    facts[ALG_IMP_FACT_POINTS_NS] -= shell.spacing_ns;
    if (status == BASE_OK) {
        status = build_tree(options, mesh, &shell, b, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_TREE_NS]);
    if (status == BASE_OK) {
        status = build_points(options, &shell, &scratch, b, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_patches_build(&view, b, err);
    }
    alg_end_stage(&last, &facts[ALG_IMP_FACT_POINTS_NS]);
    base_arena_release(&scratch);
    return status;
}

alg_status alg_imp_body_prepare(const alg_imp_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_imp_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_imp_body *const b = *body;
    base_error err = {0};
    b->role = options->role;
    b->solid = mesh->solid;
    b->centroid = mesh->centroid;
    b->volume_m3 = mesh->solid ? mesh->volume_m3 : (double)INFINITY;
    if (build(options, mesh, b, info->facts, &err) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    fill_facts(b, info->facts);
    info->facts[ALG_IMP_FACT_RESOLUTION] = options->resolution.voxels;
    info->facts[ALG_IMP_FACT_WALL] = options->resolution.wall_m;
    info->facts[ALG_IMP_FACT_ERROR] = error_a_voxel * b->grid.edge / options->resolution.wall_m;
    info->bytes = b->arena.bytes;
    info->primitives = b->tree.voxel_count + b->tree.full_count;
    return ALG_OK;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_imp_level) == 48 && sizeof(alg_imp_tree) == 824 &&
                   sizeof(alg_imp_body) == 976,
               "a member that is added is serialized as well");

static void serialize_tree(alg_archive *archive, alg_imp_tree *tree)
{
    ALG_VALUE(archive, tree->children);
    ALG_VALUE(archive, tree->sphere_kind);
    ALG_VALUE(archive, tree->root_level);
    ALG_VALUE(archive, tree->voxel_count);
    ALG_VALUE(archive, tree->full_count);
    ALG_VALUE(archive, tree->size);
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        alg_imp_level *const level = &tree->levels[l];
        ALG_VALUE(archive, level->count);
        const size_t mask_bytes = (size_t)level->count * alg_imp_mask_bytes(tree->children);
        ALG_ARRAY(archive, level->first, level->count);
        ALG_ARRAY(archive, level->present, mask_bytes);
        ALG_ARRAY(archive, level->full, mask_bytes);
        ALG_ARRAY(archive, level->box, level->count);
        ALG_ARRAY(archive, level->spheres, level->count);
        ALG_ARRAY(archive, tree->tables[l], alg_imp_table_count(tree->children));
    }
}

static void serialize_body(alg_archive *archive, void *body)
{
    alg_imp_body *const b = body;
    ALG_VALUE(archive, b->grid);
    serialize_tree(archive, &b->tree);
    ALG_ARRAY(archive, b->voxels, b->tree.voxel_count);
    ALG_ARRAY(archive, b->patch_starts, (size_t)b->tree.voxel_count + 1);
    ALG_ARRAY(archive, b->patches, b->patch_starts ? b->patch_starts[b->tree.voxel_count] : 0);
    if (ALG_OBJECT(archive, b->coarse)) {
        alg_voxel_map_serialize(archive, b->coarse);
    }
    ALG_ARRAY(archive, b->descriptors, descriptor_bytes(b->grid.size));
    ALG_VALUE(archive, b->fill_share);
    ALG_VALUE(archive, b->volume_m3);
    ALG_VALUE(archive, b->centroid);
    ALG_VALUE(archive, b->role);
    ALG_VALUE(archive, b->solid);
}

alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, body, to, message);
}

alg_status alg_imp_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)mesh, (void)role, (void)info;
    return alg_load(serialize_body, sizeof(alg_imp_body), bytes, size, body, message);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/** Draws a node of a level, and what is below it. */
static void draw_below(const alg_imp_body *b, uint32_t level, const alg_imp_child *node,
                       const alg_sink *sink)
{
    if (level == 0) {
        const geo_ball ball = {alg_voxel_middle(&b->grid, node->cell.x, node->cell.y, node->cell.z),
                               0.5 * sqrt(3) * b->grid.edge};
        if (ALG_SINK_TAKES(sink, sphere)) {
            sink->sphere(sink->context, &ball);
        }
        return;
    }
    if (ALG_SINK_TAKES(sink, node)) {
        /* Middle of the cube of cells, in voxels, minus that of one voxel; a sphere's unit is half
         * an edge. */
        const double width = (double)(1u << (alg_imp_bits(b->tree.children) * level));
        const double half = 0.5 * b->grid.edge;
        const alg_imp_sphere s = alg_imp_sphere_of(&b->tree, level, node->number);
        const vec3 middle = {(2 * node->cell.x + 1) * width - 1 + (double)s.offset[0],
                             (2 * node->cell.y + 1) * width - 1 + (double)s.offset[1],
                             (2 * node->cell.z + 1) * width - 1 + (double)s.offset[2]};
        const geo_ball ball = {vec3_madd(alg_voxel_middle(&b->grid, 0, 0, 0), half, middle),
                               half * (double)s.radius};
        sink->node(sink->context, &ball, b->tree.root_level - level);
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(&b->tree, level, node, children);
    for (uint32_t i = 0; i < count; i++) {
        draw_below(b, level - 1, &children[i], sink);
    }
}

void alg_imp_body_draw(const void *body, const alg_sink *sink)
{
    const alg_imp_body *const b = body;
    draw_below(b, b->tree.root_level, &(alg_imp_child){0}, sink);
}
