#include "algorithms/imp/descriptors.h"

#include "base/parallel.h"

#include <string.h>

enum { EIGHT = ALG_VOXEL_MAP_BLOCK, ROWS_CHUNK = 64 };
_Static_assert(EIGHT == 8, "a row of a block has two whole bytes of descriptors");

static size_t row_bytes(const uint32_t size[3])
{
    return (size[0] + 3) / 4;
}

size_t alg_imp_descriptors_bytes(const uint32_t size[3])
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

/* --- Descriptors of a voxmap ------------------------------------------------------------------ */

typedef struct filling {
    const alg_voxel_map *map;
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
static uint16_t eight_descriptors(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = map->block_count;
    const uint32_t entry = map->blocks[((size_t)(z / EIGHT) * n[1] + y / EIGHT) * n[0] + x / EIGHT];
    const uint32_t left = map->grid.size[0] - x, count = left < EIGHT ? left : EIGHT;
    uint32_t eight = 0;
    if (entry & ALG_VOXEL_MAP_OPEN) {
        for (uint32_t i = 0; i < count; i++) {
            eight |= (uint32_t)descriptor_of(alg_voxel_layer(map, x + i, y, z)) << 2 * i;
        }
    } else {
        const uint32_t all = 0x5555u * (uint32_t)descriptor_of((int8_t)(uint8_t)entry);
        eight = all & ((1u << 2 * count) - 1);
    }
    return (uint16_t)eight;
}

static void fill_rows(void *context, size_t begin, size_t end)
{
    const filling *const f = context;
    const uint32_t *const size = f->map->grid.size;
    for (size_t row = begin; row < end; row++) {
        uint8_t *const bytes = f->descriptors + row * row_bytes(size);
        for (uint32_t x = 0; x < size[0]; x += EIGHT) {
            const uint16_t eight =
                eight_descriptors(f->map, x, (uint32_t)(row % size[1]), (uint32_t)(row / size[1]));
            bytes[x / 4] = (uint8_t)eight;
            if (x + 4 < size[0]) {
                bytes[x / 4 + 1] = (uint8_t)(eight >> 8);
            }
        }
    }
}

void alg_imp_descriptors_fill(const alg_voxel_map *map, unsigned threads, uint8_t *descriptors)
{
    base_assert(map->storage == ALG_VOXEL_BLOCKED && map->layers >= 2);
    filling f = {map, descriptors};
    base_parallel_for((size_t)map->grid.size[1] * map->grid.size[2], ROWS_CHUNK, threads, fill_rows,
                      &f);
}

/* --- Hollows ---------------------------------------------------------------------------------- */

typedef struct hollows {
    const alg_voxel_map *map;
    const geo_surface *surface;
    uint8_t *descriptors;
} hollows;

static bool is_inside(const hollows *h, uint32_t x, uint32_t y, uint32_t z)
{
    return h->surface && geo_surface_contains(h->surface, alg_voxel_middle(&h->map->grid, x, y, z));
}

/** Marks voxel x of a row as outside: proximity if it is beside the surface, else empty. */
static void make_empty(uint8_t *bytes, uint32_t x, int layer)
{
    const uint32_t kind = layer == 1 ? ALG_IMP_VOXEL_PROXIMITY : ALG_IMP_VOXEL_EMPTY;
    bytes[x / 4] = (uint8_t)((bytes[x / 4] & ~(3u << 2 * (x % 4))) | kind << 2 * (x % 4));
}

static void leave_rows(void *context, size_t begin, size_t end)
{
    const hollows *const h = context;
    const uint32_t *const size = h->map->grid.size;
    for (size_t row = begin; row < end; row++) {
        const uint32_t y = (uint32_t)(row % size[1]), z = (uint32_t)(row / size[1]);
        bool in_stretch = false, inside = false;
        for (uint32_t x = 0; x < size[0]; x++) {
            const int layer = alg_voxel_layer(h->map, x, y, z);
            if (layer > 0 && !in_stretch) {
                inside = is_inside(h, x, y, z);
            }
            in_stretch = layer > 0;
            if (in_stretch && !inside) {
                make_empty(h->descriptors + row * row_bytes(size), x, layer);
            }
        }
    }
}

void alg_imp_descriptors_leave_hollows(const alg_voxel_map *map, const geo_surface *surface,
                                       unsigned threads, uint8_t *descriptors)
{
    hollows h = {map, surface, descriptors};
    base_parallel_for((size_t)map->grid.size[1] * map->grid.size[2], ROWS_CHUNK, threads,
                      leave_rows, &h);
}

/* --- Bits ------------------------------------------------------------------------------------- */

typedef struct selection {
    const uint8_t *descriptors;
    alg_imp_descriptor kind;
    alg_voxel_bits *bits;
} selection;

/** Returns a bit for each of the four descriptors of a byte: 1 if it is of that kind. */
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

void alg_imp_descriptors_select(const uint8_t *descriptors, alg_imp_descriptor kind,
                                unsigned threads, alg_voxel_bits *bits)
{
    selection s = {descriptors, kind, bits};
    base_parallel_for((size_t)bits->size[1] * bits->size[2], ROWS_CHUNK, threads, select_rows, &s);
}
