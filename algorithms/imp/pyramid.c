#include "algorithms/imp/pyramid.h"

#include "base/parallel.h"

#include <string.h>

enum { ROWS_CHUNK = 64, WORDS_CHUNK = 1 << 14 };

/** Returns every second bit, from bit 0 on, packed into the lower half. */
static uint64_t even_bits(uint64_t word)
{
    word &= 0x5555555555555555u;
    word = (word | word >> 1) & 0x3333333333333333u;
    word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0fu;
    word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
    word = (word | word >> 8) & 0x0000ffff0000ffffu;
    return (word | word >> 16) & 0x00000000ffffffffu;
}

/** The reduction of one level to the next one above. */
typedef struct reduction {
    const alg_voxel_bits *below;
    alg_voxel_bits *above;
    uint32_t bits;
    bool all; /* true: a bit is set if all bits below are set; false: if any is set */
} reduction;

/** Returns one word of all rows below a row, combined. */
static uint64_t join_rows(const reduction *r, uint32_t y, uint32_t z, size_t word)
{
    const uint32_t edge = 1u << r->bits, *const size = r->below->size;
    uint64_t joined = r->all ? UINT64_MAX : 0;
    for (uint32_t k = 0; k < edge; k++) {
        for (uint32_t j = 0; j < edge; j++) {
            const uint32_t row_y = y * edge + j, row_z = z * edge + k;
            const bool inside = row_y < size[1] && row_z < size[2];
            const uint64_t row = inside ? alg_voxel_bits_row(r->below, row_y, row_z)[word] : 0;
            joined = r->all ? joined & row : joined | row;
        }
    }
    return joined;
}

static void reduce_row(const reduction *r, uint32_t y, uint32_t z)
{
    uint64_t *const row = alg_voxel_bits_row(r->above, y, z);
    const uint32_t parts = 1u << r->bits; /* number of words below that make one word */
    for (size_t w = 0; w < r->below->row_words; w++) {
        uint64_t word = join_rows(r, y, z, w);
        for (uint32_t halving = 0; halving < r->bits; halving++) {
            word = even_bits(r->all ? word & word >> 1 : word | word >> 1);
        }
        row[w / parts] |= word << w % parts * (64 / parts);
    }
}

static void reduce_rows(void *context, size_t begin, size_t end)
{
    const reduction *const r = context;
    const uint32_t count = r->above->size[1];
    for (size_t i = begin; i < end; i++) {
        reduce_row(r, (uint32_t)(i % count), (uint32_t)(i / count));
    }
}

static base_status reduce(const alg_voxel_bits *below, uint32_t bits, bool all, unsigned threads,
                          alg_voxel_bits *above, base_error *err)
{
    uint32_t size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (below->size[axis] + (1u << bits) - 1) >> bits;
    }
    const base_status status = alg_voxel_bits_create(size, above, err);
    if (status == BASE_OK) {
        reduction r = {below, above, bits, all};
        base_parallel_for((size_t)size[1] * size[2], ROWS_CHUNK, threads, reduce_rows, &r);
    }
    return status;
}

typedef struct joining {
    const uint64_t *a, *b;
    uint64_t *joined;
} joining;

static void join_words(void *context, size_t begin, size_t end)
{
    const joining *const j = context;
    for (size_t w = begin; w < end; w++) {
        j->joined[w] = j->a[w] | j->b[w];
    }
}

static base_status join_voxels(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                               unsigned threads, alg_imp_pyramid *p, base_error *err)
{
    p->some[0] = *surface;
    if (!full) {
        return BASE_OK;
    }
    p->all[0] = *full;
    p->joined = true;
    const base_status status = alg_voxel_bits_create(surface->size, &p->some[0], err);
    if (status == BASE_OK) {
        joining j = {surface->words, full->words, p->some[0].words};
        base_parallel_for(alg_voxel_bits_words(surface), WORDS_CHUNK, threads, join_words, &j);
    }
    return status;
}

/** Returns the level of the smallest cube that holds the grid and is larger than a voxel. */
static uint32_t root_level_of(const uint32_t size[3], uint32_t bits)
{
    uint32_t level = 1;
    for (int axis = 0; axis < 3; axis++) {
        while ((uint64_t)1 << level * bits < size[axis]) {
            level++;
        }
    }
    return level;
}

base_status alg_imp_pyramid_build(const alg_voxel_bits *surface, const alg_voxel_bits *full,
                                  const alg_imp_tree_options *options, alg_imp_pyramid *p,
                                  base_error *err)
{
    const uint32_t bits = alg_imp_bits(options->children);
    *p = (alg_imp_pyramid){.bits = bits, .root_level = root_level_of(surface->size, bits)};
    base_assert(p->root_level <= ALG_IMP_LEVELS_MAX);
    base_status status = join_voxels(surface, full, options->threads, p, err);
    for (uint32_t l = 1; l <= p->root_level && status == BASE_OK; l++) {
        status = reduce(&p->some[l - 1], bits, false, options->threads, &p->some[l], err);
        if (status == BASE_OK && full) {
            status = reduce(&p->all[l - 1], bits, true, options->threads, &p->all[l], err);
        }
    }
    return status;
}

void alg_imp_pyramid_release(alg_imp_pyramid *p)
{
    if (p->joined) {
        alg_voxel_bits_release(&p->some[0]);
    }
    for (uint32_t l = 1; l <= ALG_IMP_LEVELS_MAX; l++) {
        alg_voxel_bits_release(&p->some[l]);
        alg_voxel_bits_release(&p->all[l]);
    }
    *p = (alg_imp_pyramid){0};
}
