/** A hash table of numbers. What they stand for, and whether two are the same, its users know. */
#ifndef ALGORITHMS_LPD_TABLE_H
#define ALGORITHMS_LPD_TABLE_H

#include "geometry/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALG_LPD_EMPTY UINT32_MAX

typedef struct alg_lpd_table {
    uint32_t *slots; /* of the user's: alg_lpd_table_slots(count) */
    unsigned bits;   /* 2^bits of them are in use */
} alg_lpd_table;

/** Is that which is looked for the one of this number? */
typedef bool alg_lpd_same(const void *context, uint32_t number);

static inline unsigned alg_lpd_table_bits(uint32_t count)
{
    unsigned bits = 2;
    while (((uint64_t)1 << bits) < 2 * (uint64_t)count) {
        bits++;
    }
    return bits;
}

/** For so many numbers. */
static inline size_t alg_lpd_table_slots(uint32_t count)
{
    return (size_t)1 << alg_lpd_table_bits(count);
}

/** Empty, and at most half full when so many are in it. Cost: linear in them. */
static inline void alg_lpd_table_clear(alg_lpd_table *table, uint32_t count)
{
    table->bits = alg_lpd_table_bits(count);
    memset(table->slots, 0xff, alg_lpd_table_slots(count) * sizeof *table->slots);
}

/** Scatters all bits. */
static inline uint64_t alg_lpd_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15;
    key ^= key >> 29;
    return key * 0xbf58476d1ce4e5b9;
}

/** The bits of a double; they rise with it if it is not negative. */
static inline uint64_t alg_lpd_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint64_t alg_lpd_fold(double x)
{
    const uint64_t bits = alg_lpd_bits(x);
    return bits ^ bits >> 32;
}

/** The same for points of the same bits. Zeros of both signs differ. */
static inline uint64_t alg_lpd_hash_point(vec3 p)
{
    return alg_lpd_hash(alg_lpd_fold(p.x) * 0x9e3779b97f4a7c15 +
                        alg_lpd_fold(p.y) * 0xc2b2ae3d27d4eb4f +
                        alg_lpd_fold(p.z) * 0x165667b19e3779f9);
}

/** The slot of what is looked for; where it is not there, the empty slot for it. */
static inline uint32_t *alg_lpd_table_find(const alg_lpd_table *table, uint64_t hash,
                                           alg_lpd_same *same, const void *context)
{
    const size_t mask = ((size_t)1 << table->bits) - 1;
    size_t at = (size_t)(hash >> (64 - table->bits));
    while (table->slots[at] != ALG_LPD_EMPTY && !same(context, table->slots[at])) {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

#endif
