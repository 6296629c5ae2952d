/**
 * Flood of the outside. A row of voxels along x is stored as bits, 64 voxels per word. Rows wait on
 * a stack or in a queue. When a row is taken, its outside voxels spread along the row, and then
 * into its four neighbour rows. A neighbour row that gains outside voxels waits again.
 *
 * Layers around the surface. They are computed for 64 voxels at a time, in tiles of whole rows
 * along x. The layer of a voxel is its distance from the nearest surface voxel, in steps between
 * voxels that share a corner; voxels outside have a negative sign. Outside and inside voxels share
 * no face. So an outside and an inside voxel that share a corner both share a corner with the same
 * surface voxel, and a step from one to the other never shortens a distance. Therefore both sides
 * are layered at once: the surface grows repeatedly by one voxel in all directions, and the count
 * of a voxel is the number of steps until it is reached. Counts are stored as bit planes: a word of
 * plane p holds bit p of 64 counts.
 *
 * Each tile starts from a copy of the surface in the tile and around it, as far as layers reach. So
 * the tiles are independent of each other, and the result does not depend on the number of threads.
 */
#include "algorithms/voxel/map.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* --- Flood ------------------------------------------------------------------------------------ */

typedef struct flood {
    const alg_voxel_bits *surface;
    alg_voxel_bits *outside;
    uint64_t last; /* bits of the last word of a row that are in the grid */
    alg_voxel_flood order;
    uint32_t *rows;   /* ring of the waiting rows, y + z * size[1], each once */
    size_t capacity;  /* of the ring: the number of rows of the grid */
    size_t first;     /* index of the row that has waited longest */
    size_t count;     /* waiting rows */
    uint8_t *waiting; /* true if the row waits */
} flood;

static void add_row(flood *f, uint32_t row)
{
    f->waiting[row] = 1;
    f->rows[(f->first + f->count++) % f->capacity] = row;
}

static uint32_t take_row(flood *f)
{
    f->count--;
    size_t at = (f->first + f->count) % f->capacity;
    if (f->order == ALG_VOXEL_QUEUE) {
        at = f->first;
        f->first = (f->first + 1) % f->capacity;
    }
    f->waiting[f->rows[at]] = 0;
    return f->rows[at];
}

/**
 * Spreads each seed downwards through consecutive ones of `open`, in six steps. The distance
 * doubles with each step.
 */
static uint64_t spread_down(uint64_t seeds, uint64_t open)
{
    if (seeds == 0 || seeds == open) {
        return seeds;
    }
    for (int step = 1; step < 64; step *= 2) {
        seeds |= open & seeds >> step;
        open &= open >> step;
    }
    return seeds;
}

/**
 * Spreads the outside along a row: upwards by the carries of an addition, which propagate through a
 * run of ones, then downwards by shifts.
 */
static void spread_row(const flood *f, const uint64_t *surface, uint64_t *outside)
{
    const size_t words = f->outside->row_words;
    bool carry = false;
    for (size_t w = 0; w < words; w++) {
        const uint64_t open = ~surface[w] & (w + 1 == words ? f->last : ~UINT64_C(0));
        uint64_t sum;
        const bool over = __builtin_add_overflow(open, outside[w], &sum);
        carry = __builtin_add_overflow(sum, (uint64_t)carry, &sum) || over;
        /* A second seed in a run leaves a one in the sum at its own position, where `outside`
         * already has a one. */
        outside[w] |= open & ~sum;
    }
    uint64_t above = 0;
    for (size_t w = words; w-- > 0;) {
        const uint64_t open = ~surface[w] & (w + 1 == words ? f->last : ~UINT64_C(0));
        outside[w] = spread_down(outside[w] | (above << 63 & open), open);
        above = outside[w] & 1;
    }
}

/**
 * Marks a voxel of row (y, z) as outside if its neighbour in row `from` is outside and it is not a
 * surface voxel.
 */
static void spread_to(flood *f, const uint64_t *from, uint32_t y, uint32_t z)
{
    const size_t words = f->outside->row_words;
    const uint64_t *const surface = alg_voxel_bits_row(f->surface, y, z);
    uint64_t *const to = alg_voxel_bits_row(f->outside, y, z);
    uint64_t gained = 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t gain = from[w] & ~surface[w] & ~to[w];
        to[w] |= gain;
        gained |= gain;
    }
    const uint32_t row = z * f->outside->size[1] + y;
    if (gained != 0 && !f->waiting[row]) {
        add_row(f, row);
    }
}

/**
 * Sets the bits of the voxels that can be reached from voxel (0, 0, 0) through faces of voxels
 * without entering a surface voxel. Voxel (0, 0, 0) must not be a surface voxel, and all bits of
 * `outside` must be 0. The flood takes 5 bytes per row along x. For usual bodies it visits each row
 * a few times; *visits receives the number of visits.
 *
 * Source   VPS 3 ("Layering"): a stack, last in first out.
 */
static base_status flood_outside(const alg_voxel_bits *surface, alg_voxel_flood order,
                                 alg_voxel_bits *outside, uint64_t *visits, base_error *err)
{
    base_assert(!alg_voxel_bit(surface, 0, 0, 0));
    const uint32_t *const size = outside->size;
    const size_t rows = (size_t)size[1] * size[2];
    flood f = {
        .surface = surface,
        .outside = outside,
        .last = ~UINT64_C(0) >> (63 - (size[0] - 1) % 64),
        .order = order,
        .rows = base_alloc(rows, sizeof *f.rows),
        .capacity = rows,
        .waiting = base_alloc(rows, sizeof *f.waiting),
    };
    base_status status = BASE_OK;
    if (f.rows && f.waiting) {
        outside->words[0] = 1;
        add_row(&f, 0);
    } else {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a flood of %zu rows", rows);
    }
    for (*visits = 0; f.count > 0; ++*visits) {
        const uint32_t row = take_row(&f);
        const uint32_t y = row % size[1], z = row / size[1];
        uint64_t *const own = alg_voxel_bits_row(outside, y, z);
        spread_row(&f, alg_voxel_bits_row(surface, y, z), own);
        if (z > 0) {
            spread_to(&f, own, y, z - 1);
        }
        if (z + 1 < size[2]) {
            spread_to(&f, own, y, z + 1);
        }
        if (y > 0) {
            spread_to(&f, own, y - 1, z);
        }
        if (y + 1 < size[1]) {
            spread_to(&f, own, y + 1, z);
        }
    }
    base_free(f.rows);
    base_free(f.waiting);
    return status;
}

/* --- Layers ----------------------------------------------------------------------------------- */

enum {
    BLOCK = ALG_VOXEL_MAP_BLOCK,
    BLOCK_VOXELS = BLOCK * BLOCK * BLOCK,
    TILE_LEAST = 32, /* rows; a tile and its surroundings fit in a cache */
    CHUNKS = 100,    /* largest number of chunks of tiles; each chunk has its own memory */
    PLANES_MOST = 7, /* planes for ALG_VOXEL_LAYERS_MAX */
};
_Static_assert(ALG_VOXEL_LAYERS_MAX < 1 << PLANES_MOST, "counts fit into the planes");
_Static_assert(TILE_LEAST % BLOCK == 0 && 64 % BLOCK == 0, "tiles and words hold whole blocks");

/** Data that all tiles share. */
typedef struct layering {
    const alg_voxel_bits *surface, *outside;
    alg_voxel_map *map;
    uint32_t steps;      /* layers - 1: number of steps, and width in voxels of the surroundings of
                            a tile */
    uint32_t planes;     /* bits of a count */
    uint32_t edge;       /* edge of a tile, in rows; a multiple of blocks */
    uint32_t tiles[2];   /* number of tiles along y and z */
    uint64_t last;       /* bits of the last word of a row that are in the grid */
    bool opening;        /* true: find blocks with own voxels; false: fill their voxels */
    _Atomic bool failed; /* out of memory in a tile */
} layering;

/** The rows lo to hi - 1, along y and z. */
typedef struct row_range {
    uint32_t lo[2], hi[2];
} row_range;

typedef struct tile {
    row_range own;     /* the rows whose layers are computed */
    row_range near;    /* own rows and the rows around them that are at most `steps` away */
    uint64_t *reached; /* near rows, y fastest: voxels that the grown surface has reached */
    uint64_t *counts;  /* for each own row, y fastest, its planes one after the other */
    uint64_t *scratch; /* three rows */
} tile;

static size_t rows_of(const row_range *range)
{
    return (size_t)(range->hi[0] - range->lo[0]) * (range->hi[1] - range->lo[1]);
}

/** Returns the range, extended by up to `reach` rows on each side within the grid. */
static row_range widen(const row_range *range, uint32_t reach, const uint32_t size[3])
{
    row_range wide;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t lo = range->lo[axis], hi = range->hi[axis], end = size[axis + 1];
        wide.lo[axis] = lo > reach ? lo - reach : 0;
        wide.hi[axis] = end - hi > reach ? hi + reach : end;
    }
    return wide;
}

static uint64_t *reached_row(const layering *l, const tile *t, uint32_t y, uint32_t z)
{
    const size_t width = t->near.hi[0] - t->near.lo[0];
    return t->reached + ((z - t->near.lo[1]) * width + (y - t->near.lo[0])) * l->surface->row_words;
}

static uint64_t *counts_row(const layering *l, const tile *t, uint32_t y, uint32_t z)
{
    const size_t width = t->own.hi[0] - t->own.lo[0];
    return t->counts +
           ((z - t->own.lo[1]) * width + (y - t->own.lo[0])) * l->planes * l->surface->row_words;
}

/* --- Growing ---------------------------------------------------------------------------------- */

/** Computes a row that is grown by one voxel in both directions of x. */
static void grow_along_x(const layering *l, const uint64_t *restrict row, uint64_t *restrict grown)
{
    const size_t words = l->surface->row_words;
    for (size_t w = 0; w < words; w++) {
        grown[w] = row[w] | row[w] << 1 | row[w] >> 1;
    }
    for (size_t w = 1; w < words; w++) {
        grown[w - 1] |= row[w] << 63;
        grown[w] |= row[w - 1] >> 63;
    }
    grown[words - 1] &= l->last;
}

static void join(size_t words, const uint64_t *restrict a, const uint64_t *restrict b,
                 const uint64_t *restrict c, uint64_t *restrict joined)
{
    for (size_t w = 0; w < words; w++) {
        joined[w] = a[w] | b[w] | c[w];
    }
}

/** Grows the rows [lo, hi) of a slice along x and y. */
static void grow_slice(const layering *l, const tile *t, uint32_t lo, uint32_t hi, uint32_t z)
{
    const size_t words = l->surface->row_words;
    uint64_t *below = t->scratch, *here = below + words, *above = here + words;
    memset(below, 0, words * sizeof *below);
    if (lo > t->near.lo[0]) {
        grow_along_x(l, reached_row(l, t, lo - 1, z), below);
    }
    grow_along_x(l, reached_row(l, t, lo, z), here);
    for (uint32_t y = lo; y < hi; y++) {
        if (y + 1 < t->near.hi[0]) {
            grow_along_x(l, reached_row(l, t, y + 1, z), above);
        } else {
            memset(above, 0, words * sizeof *above);
        }
        join(words, below, here, above, reached_row(l, t, y, z));
        uint64_t *const free_row = below;
        below = here;
        here = above;
        above = free_row;
    }
}

/** Grows the rows [lo, hi) of a column of rows along z. */
static void grow_along_z(const layering *l, const tile *t, uint32_t y, uint32_t lo, uint32_t hi)
{
    const size_t words = l->surface->row_words;
    uint64_t *below = t->scratch, *here = below + words;
    uint64_t *const none = here + words;
    memset(none, 0, words * sizeof *none);
    memcpy(below, lo > t->near.lo[1] ? reached_row(l, t, y, lo - 1) : none, words * sizeof *below);
    for (uint32_t z = lo; z < hi; z++) {
        uint64_t *const row = reached_row(l, t, y, z);
        memcpy(here, row, words * sizeof *here);
        join(words, below, here, z + 1 < t->near.hi[1] ? reached_row(l, t, y, z + 1) : none, row);
        uint64_t *const free_row = below;
        below = here;
        here = free_row;
    }
}

/**
 * Grows the surface once more in `rows`. Before the call it must be correct in `rows` and in the
 * rows next to them.
 */
static void grow(const layering *l, const tile *t, const row_range *rows)
{
    const uint32_t first = rows->lo[1] > t->near.lo[1] ? rows->lo[1] - 1 : rows->lo[1];
    const uint32_t end = rows->hi[1] < t->near.hi[1] ? rows->hi[1] + 1 : rows->hi[1];
    for (uint32_t z = first; z < end; z++) {
        grow_slice(l, t, rows->lo[0], rows->hi[0], z);
    }
    for (uint32_t y = rows->lo[0]; y < rows->hi[0]; y++) {
        grow_along_z(l, t, y, rows->lo[1], rows->hi[1]);
    }
}

/* --- Counting --------------------------------------------------------------------------------- */

/** Adds one to the counts of all voxels of a row that are not reached. */
static void count_row(const layering *l, const uint64_t *reached, uint64_t *counts, uint64_t *carry)
{
    const size_t words = l->surface->row_words;
    for (size_t w = 0; w < words; w++) {
        carry[w] = ~reached[w];
    }
    for (uint32_t p = 0; p < l->planes; p++) {
        uint64_t *const plane = counts + p * words;
        uint64_t left = 0;
        for (size_t w = 0; w < words; w++) {
            const uint64_t over = plane[w] & carry[w];
            plane[w] ^= carry[w];
            carry[w] = over;
            left |= over;
        }
        if (left == 0) {
            return;
        }
    }
}

static void count_tile(const layering *l, const tile *t)
{
    for (uint32_t z = t->own.lo[1]; z < t->own.hi[1]; z++) {
        for (uint32_t y = t->own.lo[0]; y < t->own.hi[0]; y++) {
            count_row(l, reached_row(l, t, y, z), counts_row(l, t, y, z), t->scratch);
        }
    }
}

/** Copies the surface near the tile. Returns true if it contains a surface voxel. */
static bool copy_surface(const layering *l, const tile *t)
{
    const size_t words = l->surface->row_words * (t->near.hi[0] - t->near.lo[0]);
    uint64_t any = 0;
    for (uint32_t z = t->near.lo[1]; z < t->near.hi[1]; z++) {
        const uint64_t *const from = alg_voxel_bits_row(l->surface, t->near.lo[0], z);
        uint64_t *const to = reached_row(l, t, t->near.lo[0], z);
        for (size_t w = 0; w < words; w++) {
            to[w] = from[w];
            any |= from[w];
        }
    }
    return any != 0;
}

/** Sets all counts to `value`. */
static void set_counts(const layering *l, const tile *t, uint32_t value)
{
    const size_t words = l->surface->row_words, rows = rows_of(&t->own);
    for (size_t r = 0; r < rows; r++) {
        for (uint32_t p = 0; p < l->planes; p++) {
            memset(t->counts + (r * l->planes + p) * words, value >> p & 1 ? 0xFF : 0,
                   words * sizeof *t->counts);
        }
    }
}

static bool all_reached(const layering *l, const tile *t)
{
    const size_t words = l->surface->row_words;
    for (uint32_t z = t->own.lo[1]; z < t->own.hi[1]; z++) {
        for (uint32_t y = t->own.lo[0]; y < t->own.hi[0]; y++) {
            const uint64_t *const row = reached_row(l, t, y, z);
            for (size_t w = 0; w < words; w++) {
                if (row[w] != (w + 1 == words ? l->last : ~UINT64_C(0))) {
                    return false;
                }
            }
        }
    }
    return true;
}

/** Computes the counts of a tile, which are the layers of its voxels without the sign. */
static void layer_tile(const layering *l, const tile *t)
{
    if (!copy_surface(l, t)) {
        set_counts(l, t, l->map->layers); /* no voxel is reached */
        return;
    }
    set_counts(l, t, 0);
    count_tile(l, t);
    for (uint32_t step = 1; step <= l->steps && !all_reached(l, t); step++) {
        const row_range rows = widen(&t->own, l->steps - step, l->surface->size);
        grow(l, t, &rows);
        count_tile(l, t);
    }
}

/* --- Values ----------------------------------------------------------------------------------- */

/** Converts eight bits to eight bytes of 0 or 1, lowest bit in the lowest byte. */
static uint64_t bits_to_bytes(uint64_t bits)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    const uint64_t own = bits * each & UINT64_C(0x8040201008040201);
    return (own + 0x7F * each) >> 7 & each;
}

/**
 * Returns the layers of voxels 8 i to 8 i + 7 of an own row, one byte each, the first in the lowest
 * byte.
 */
static uint64_t eight_layers(const layering *l, const uint64_t *counts, const uint64_t *outside,
                             size_t i)
{
    const size_t words = l->surface->row_words, word = i / 8, shift = i % 8 * 8;
    uint64_t layers = 0;
    for (uint32_t p = 0; p < l->planes; p++) {
        layers |= bits_to_bytes(counts[p * words + word] >> shift & 0xFF) << p;
    }
    /* -k = ~k + 1; no byte overflows, since k >= 1 outside. */
    const uint64_t out = bits_to_bytes(outside[word] >> shift & 0xFF);
    return (layers ^ out * 0xFF) + out;
}

static void store_bytes(int8_t *to, uint64_t bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (int8_t)(uint8_t)(bytes >> 8 * i);
    }
}

/** Stores eight bytes; the constant size lets the compiler use a single store. */
static void store_eight(int8_t *to, uint64_t bytes)
{
    store_bytes(to, bytes, 8);
}

static void fill_dense(const layering *l, const tile *t)
{
    const uint32_t *const size = l->surface->size;
    for (uint32_t z = t->own.lo[1]; z < t->own.hi[1]; z++) {
        for (uint32_t y = t->own.lo[0]; y < t->own.hi[0]; y++) {
            const uint64_t *const counts = counts_row(l, t, y, z);
            const uint64_t *const outside = alg_voxel_bits_row(l->outside, y, z);
            int8_t *const values = l->map->values + ((size_t)z * size[1] + y) * size[0];
            size_t i = 0;
            for (; 8 * i + 8 <= size[0]; i++) {
                store_eight(values + 8 * i, eight_layers(l, counts, outside, i));
            }
            if (8 * i < size[0]) {
                store_bytes(values + 8 * i, eight_layers(l, counts, outside, i), size[0] - 8 * i);
            }
        }
    }
}

/** Returns the rows of the blocks at (y, z), without rows beyond the grid. */
static row_range block_rows(const layering *l, uint32_t y, uint32_t z)
{
    const uint32_t *const size = l->surface->size;
    const uint32_t end_y = y * BLOCK + BLOCK, end_z = z * BLOCK + BLOCK;
    return (row_range){{y * BLOCK, z * BLOCK},
                       {end_y < size[1] ? end_y : size[1], end_z < size[2] ? end_z : size[2]}};
}

static uint32_t *block_entries(const layering *l, uint32_t y, uint32_t z)
{
    const uint32_t *const count = l->map->block_count;
    return l->map->blocks + ((size_t)z * count[1] + y) * count[0];
}

/**
 * Handles a row of blocks along x: opens the blocks whose voxels have different layers, and stores
 * the layer of each other block. If all voxels of a block have the same count, they are on the same
 * side, since surface voxels, whose count is 0, separate the sides.
 */
static void open_blocks(const layering *l, const tile *t, uint32_t y, uint32_t z)
{
    const size_t words = l->surface->row_words;
    const row_range rows = block_rows(l, y, z);
    const uint64_t *const counts = counts_row(l, t, rows.lo[0], rows.lo[1]);
    const uint64_t *const outside = alg_voxel_bits_row(l->outside, rows.lo[0], rows.lo[1]);
    uint64_t *const mixed = t->scratch; /* voxels along x that differ between the rows */
    memset(mixed, 0, words * sizeof *mixed);
    for (uint32_t row_z = rows.lo[1]; row_z < rows.hi[1]; row_z++) {
        for (uint32_t row_y = rows.lo[0]; row_y < rows.hi[0]; row_y++) {
            const uint64_t *const row = counts_row(l, t, row_y, row_z);
            for (uint32_t p = 0; p < l->planes; p++) {
                for (size_t w = 0; w < words; w++) {
                    mixed[w] |= row[p * words + w] ^ counts[p * words + w];
                }
            }
        }
    }
    uint32_t *const entries = block_entries(l, y, z);
    for (uint32_t x = 0; x < l->map->block_count[0]; x++) {
        const uint64_t layers = eight_layers(l, counts, outside, x);
        const uint32_t left = l->surface->size[0] - x * BLOCK;
        /* Voxels beyond the grid are ignored: they are shifted out at the upper end. */
        const uint32_t beyond = left < BLOCK ? 8 * (BLOCK - left) : 0;
        const uint64_t alike = (layers & 0xFF) * UINT64_C(0x0101010101010101);
        const bool differ =
            (mixed[x / 8] >> x % 8 * 8 & 0xFF) != 0 || (layers ^ alike) << beyond != 0;
        entries[x] = differ ? ALG_VOXEL_MAP_OPEN : (uint32_t)(layers & 0xFF);
    }
}

/** Fills the voxels of the open blocks of a row of blocks. */
static void fill_blocks(const layering *l, const tile *t, uint32_t y, uint32_t z)
{
    const uint32_t *const entries = block_entries(l, y, z);
    const row_range rows = block_rows(l, y, z);
    for (uint32_t row_z = rows.lo[1]; row_z < rows.hi[1]; row_z++) {
        for (uint32_t row_y = rows.lo[0]; row_y < rows.hi[0]; row_y++) {
            const uint64_t *const counts = counts_row(l, t, row_y, row_z);
            const uint64_t *const outside = alg_voxel_bits_row(l->outside, row_y, row_z);
            const size_t in_block = ((row_z % BLOCK) * BLOCK + row_y % BLOCK) * BLOCK;
            for (uint32_t x = 0; x < l->map->block_count[0]; x++) {
                if (entries[x] & ALG_VOXEL_MAP_OPEN) {
                    const size_t block = entries[x] & ~ALG_VOXEL_MAP_OPEN;
                    store_eight(l->map->values + block * BLOCK_VOXELS + in_block,
                                eight_layers(l, counts, outside, x));
                }
            }
        }
    }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/** Sets up a tile. Its storage holds the scratch rows, then the near rows, then the counts. */
static tile place_tile(const layering *l, size_t number, uint64_t *storage)
{
    const uint32_t *const size = l->surface->size;
    const size_t words = l->surface->row_words;
    tile t;
    t.own.lo[0] = (uint32_t)(number % l->tiles[0]) * l->edge;
    t.own.lo[1] = (uint32_t)(number / l->tiles[0]) * l->edge;
    for (int axis = 0; axis < 2; axis++) {
        const uint32_t end = t.own.lo[axis] + l->edge;
        t.own.hi[axis] = end < size[axis + 1] ? end : size[axis + 1];
    }
    t.near = widen(&t.own, l->steps, size);
    t.scratch = storage;
    t.reached = t.scratch + 3 * words;
    t.counts = t.reached + rows_of(&t.near) * words;
    return t;
}

/** Returns the number of words that is sufficient for any tile. */
static size_t tile_words(const layering *l)
{
    size_t near = 1, own = 1;
    for (int axis = 1; axis < 3; axis++) {
        const size_t size = l->surface->size[axis], sight = l->edge + 2 * (size_t)l->steps;
        own *= l->edge < size ? l->edge : size;
        near *= sight < size ? sight : size;
    }
    return (3 + near + own * l->planes) * l->surface->row_words;
}

static void run_tiles(void *context, size_t begin, size_t end)
{
    layering *const l = context;
    uint64_t *const storage = base_alloc(tile_words(l), sizeof *storage);
    if (!storage) {
        atomic_store(&l->failed, true);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        const tile t = place_tile(l, i, storage);
        layer_tile(l, &t);
        if (l->map->storage == ALG_VOXEL_DENSE) {
            fill_dense(l, &t);
            continue;
        }
        for (uint32_t z = t.own.lo[1] / BLOCK; z * BLOCK < t.own.hi[1]; z++) {
            for (uint32_t y = t.own.lo[0] / BLOCK; y * BLOCK < t.own.hi[0]; y++) {
                (l->opening ? open_blocks : fill_blocks)(l, &t, y, z);
            }
        }
    }
    base_free(storage);
}

static base_status layer_all(layering *l, base_error *err)
{
    const size_t tiles = (size_t)l->tiles[0] * l->tiles[1];
    base_parallel_for(tiles, tiles / CHUNKS + 1, 0, run_tiles, l);
    return atomic_load(&l->failed)
               ? base_fail(err, BASE_ERR_MEMORY, "out of memory for the layers of a voxmap")
               : BASE_OK;
}

/** Assigns numbers to the open blocks and allocates their voxels. */
static base_status number_blocks(alg_voxel_map *map, base_arena *arena, base_error *err)
{
    const size_t count = (size_t)map->block_count[0] * map->block_count[1] * map->block_count[2];
    uint64_t open = 0;
    for (size_t b = 0; b < count; b++) {
        if (map->blocks[b] & ALG_VOXEL_MAP_OPEN) {
            map->blocks[b] |= (uint32_t)(open++ & ~ALG_VOXEL_MAP_OPEN);
        }
    }
    if (open >= ALG_VOXEL_MAP_OPEN) {
        return base_fail(err, BASE_ERR_INPUT, "a voxmap with more than 2^31 open blocks");
    }
    map->open_count = (uint32_t)open;
    map->values = base_arena_alloc(arena, open, BLOCK_VOXELS);
    return map->values ? BASE_OK
                       : base_fail(err, BASE_ERR_MEMORY, "out of memory for %u blocks of a voxmap",
                                   map->open_count);
}

static base_status store_blocked(layering *l, base_arena *arena, base_error *err)
{
    alg_voxel_map *const map = l->map;
    size_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        map->block_count[axis] = (map->grid.size[axis] + BLOCK - 1) / BLOCK;
        count *= map->block_count[axis];
    }
    map->blocks = base_arena_alloc(arena, count, sizeof *map->blocks);
    if (!map->blocks) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu blocks of a voxmap", count);
    }
    l->opening = true;
    base_status status = layer_all(l, err);
    if (status == BASE_OK) {
        status = number_blocks(map, arena, err);
    }
    l->opening = false;
    return status == BASE_OK ? layer_all(l, err) : status;
}

static base_status store_dense(layering *l, base_arena *arena, base_error *err)
{
    const uint64_t count = alg_voxel_grid_count(&l->map->grid);
    l->map->values = base_arena_alloc(arena, count, 1);
    return l->map->values ? layer_all(l, err)
                          : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu voxels", count);
}

base_status alg_voxel_map_build(const alg_voxel_grid *grid, const alg_voxel_bits *surface,
                                const alg_voxel_map_options *options, base_arena *arena,
                                alg_voxel_map *map, base_error *err)
{
    const uint32_t layers = options->layers;
    base_assert(layers >= 1 && layers <= ALG_VOXEL_LAYERS_MAX);
    *map = (alg_voxel_map){.grid = *grid, .layers = layers, .storage = options->storage};
    alg_voxel_bits outside;
    base_status status = alg_voxel_bits_create(grid->size, &outside, err);
    if (status != BASE_OK) {
        return status;
    }
    uint64_t visits;
    status = flood_outside(surface, options->flood, &outside, &visits, err);
    if (options->visits) {
        *options->visits = visits;
    }
    if (status == BASE_OK) {
        map->surface_count = alg_voxel_bits_count(surface);
        map->inner_count =
            alg_voxel_grid_count(grid) - map->surface_count - alg_voxel_bits_count(&outside);
        /* The edge of a tile is at least its number of steps, so that the near rows are at most
         * nine times as many as the tile's own rows. */
        const uint32_t sight = (layers - 1 + BLOCK - 1) / BLOCK * BLOCK;
        layering l = {
            .surface = surface,
            .outside = &outside,
            .map = map,
            .steps = layers - 1,
            .planes = 32 - (uint32_t)__builtin_clz(layers),
            .edge = sight > TILE_LEAST ? sight : TILE_LEAST,
            .last = ~UINT64_C(0) >> (63 - (grid->size[0] - 1) % 64),
        };
        l.tiles[0] = (grid->size[1] + l.edge - 1) / l.edge;
        l.tiles[1] = (grid->size[2] + l.edge - 1) / l.edge;
        status = (map->storage == ALG_VOXEL_DENSE ? store_dense : store_blocked)(&l, arena, err);
    }
    alg_voxel_bits_release(&outside);
    return status;
}

_Static_assert(sizeof(alg_voxel_map) == 104, "a member that is added is serialized as well");

void alg_voxel_map_serialize(alg_archive *archive, alg_voxel_map *map)
{
    const uint32_t *const n = map->block_count;
    ALG_VALUE(archive, map->grid);
    ALG_VALUE(archive, map->layers);
    ALG_VALUE(archive, map->storage);
    ALG_VALUE(archive, map->block_count);
    ALG_VALUE(archive, map->open_count);
    ALG_VALUE(archive, map->surface_count);
    ALG_VALUE(archive, map->inner_count);
    ALG_ARRAY(archive, map->blocks, (size_t)n[0] * n[1] * n[2]);
    ALG_ARRAY(archive, map->values,
              map->storage == ALG_VOXEL_DENSE ? alg_voxel_grid_count(&map->grid)
                                              : (size_t)map->open_count * BLOCK_VOXELS);
}
