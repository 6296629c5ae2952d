/** A hash table of numbers. The caller owns the items and compares keys. */
#ifndef ALGORITHMS_LPD_TABLE_H
#define ALGORITHMS_LPD_TABLE_H

#include "geometry/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALG_LPD_EMPTY UINT32_MAX

typedef struct alg_lpd_table {
    uint32_t *slots; /* owned by the caller: alg_lpd_table_slots(count) slots */
    unsigned bits;   /* 2^bits slots are in use */
} alg_lpd_table;

/** Returns true if the key in context is the key of this number. */
typedef bool alg_lpd_same(const void *context, uint32_t number);

static inline unsigned alg_lpd_table_bits(uint32_t count)
{
    unsigned bits = 2;
    while (((uint64_t)1 << bits) < 2 * (uint64_t)count) {
        bits++;
    }
    return bits;
}

/** Returns the number of slots for a table of count numbers. */
static inline size_t alg_lpd_table_slots(uint32_t count)
{
    return (size_t)1 << alg_lpd_table_bits(count);
}

/** Empties the table. It is at most half full with count numbers. Cost: linear in count. */
static inline void alg_lpd_table_clear(alg_lpd_table *table, uint32_t count)
{
    table->bits = alg_lpd_table_bits(count);
    memset(table->slots, 0xff, alg_lpd_table_slots(count) * sizeof *table->slots);
}

/** Returns a hash that depends on all bits of the key. */
static inline uint64_t alg_lpd_hash(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15;
    key ^= key >> 29;
    return key * 0xbf58476d1ce4e5b9;
}

/** Returns the bits of a double; they increase with its value if it is not negative. */
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

/** Returns a hash of the bits of a point. Zeros of both signs differ. */
static inline uint64_t alg_lpd_hash_point(vec3 p)
{
    return alg_lpd_hash(alg_lpd_fold(p.x) * 0x9e3779b97f4a7c15 +
                        alg_lpd_fold(p.y) * 0xc2b2ae3d27d4eb4f +
                        alg_lpd_fold(p.z) * 0x165667b19e3779f9);
}

/** Returns the slot of the key, or the empty slot for it if the key is missing. */
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
