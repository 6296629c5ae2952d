/**
 * A field of distances: the distance to a surface at the corners of cells, which are small where it
 * bends and near the surface, and large elsewhere; between corners it is interpolated trilinearly.
 *
 * Space is divided into blocks of equal size, and a block of level l into 2^l cells along each
 * axis: narrow-band blocks around the surface have the finest cells, of `edge`; any other one has
 * the largest that keep its error within the tolerance. Cells are stored by eights, in bricks of 3
 * x 3 x 3 corners: a lookup reads the word of its block and a brick of two cache lines, and a brick
 * is a third of eight cells that have all of their corners to themselves. Beyond the blocks, which
 * reach a margin beyond the body's box, a point is answered for by the nearest point of the blocks
 * (see below).
 *
 * Value    trilinear between the eight corners, less sum_i bend_i t_i (1 - t_i), where t is the
 *          place in the cell: outside, distances are as those of a body that has a size and is not
 *          flat, and bend is their mean second difference / 2. It is 0 where the surface is near
 *          and inside, so that values are continuous there, and no value at a corner depends on it.
 * Sign     negative inside of a solid, by exact containment of each corner, so that no thin wall
 *          leaks; a body that is no solid has distances of its surface alone, none negative.
 * Error    the true distance d of any point p obeys v - below <= d <= v + above, where v is what is
 *          interpolated, in float, and below and above are those of p's brick. At corners v is d
 *          rounded to float.
 *          Why bounds hold: d changes by at most |p - q| from p to q; and where all of d keeps its
 *          sign, d^2(p) - |p|^2 is concave, so that with the trilinear weights w of the corners c_i
 *          d^2(p) >= sum w_i d^2(c_i) - (sum w_i |c_i|^2 - |p|^2). What a build finds to be tighter
 *          by looking at what is near, it says in field.c.
 * Source   PST 2, "real distance-field values"; Frisken et al. 2000 for cells that adapt.
 */
#ifndef ALGORITHMS_PST_FIELD_H
#define ALGORITHMS_PST_FIELD_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/surface.h"

enum {
    ALG_PST_LEVEL_LEAST = 1,                       /* of a block: one brick */
    ALG_PST_LEVEL_MOST = 3,                        /* 8 cells along an edge */
    ALG_PST_BLOCK_CELLS = 1 << ALG_PST_LEVEL_MOST, /* of the finest, along an edge */
    ALG_PST_BRICK_CORNERS = 27,
};

/** Eight cells, two along each axis. Corner (x, y, z) has the number x + 3 y + 9 z. */
typedef struct alg_pst_brick {
    float values[ALG_PST_BRICK_CORNERS];
    float bend[3];         /* 256ths of a cell's edge, whole ones */
    uint16_t below, above; /* base_half_above */
    uint32_t face;         /* nearest to the middle corner */
} alg_pst_brick;

/** A brick in one cache line, for walks, which are bound by what they read: its values are those of
 * the brick, or less by up to a step. */
typedef struct alg_pst_packed {
    float least;                             /* of the corners */
    uint16_t below;                          /* as the brick's */
    uint8_t step;                            /* a float's exponent, biased */
    uint8_t bend[3];                         /* 256ths of a cell's edge */
    uint16_t corners[ALG_PST_BRICK_CORNERS]; /* steps above the least, rounded down */
} alg_pst_packed;

/** Rounding of a lookup in float, relative to the extent of the blocks, or the way beyond them:
 * places, weights and sums. */
#define ALG_PST_LOOKUP_ERROR 0x1p-21

/** What is known of one point. */
typedef struct alg_pst_sample {
    float value, below, above;
    uint32_t face; /* of the body, near to the brick's middle: where to begin a search */
} alg_pst_sample;

typedef struct alg_pst_field {
    vec3 corner; /* of the first block */
    double edge; /* of the finest cells; a block's is ALG_PST_BLOCK_CELLS times it */
    uint32_t block_count[3];
    uint32_t brick_count;
    bool solid;             /* are values signed? */
    uint32_t *blocks;       /* arena; x fastest: number of the first brick << 2 | level */
    alg_pst_brick *bricks;  /* arena; of a block: 2^(level - 1) along each axis, x fastest */
    alg_pst_packed *packed; /* arena; of each brick */
    float side, per_side;   /* of a block: its edge, 1 / it */
    float extent[3];        /* of all blocks */
} alg_pst_field;

typedef struct alg_pst_field_options {
    uint32_t voxels; /* finest cells on the longest edge of the body's box */
    double
        tolerance; /* blocks are refined until `below` is no more than this share of the distance */
    double margin; /* of blocks around the body's box, in diagonals of it */
} alg_pst_field_options;

/** Fills corner, edge and block_count: blocks around the box, as many to either side; false for a
 * box that they do not fit. */
bool alg_pst_field_place(geo_box box, const alg_pst_field_options *options, alg_pst_field *field);

/**
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for a box that no grid fits, and beyond 2^26 bricks.
 * Memory   arena: 192 bytes a brick and 4 a block; scratch outside of it.
 * Cost     1 to 3 us a corner, on all CPUs; the result does not depend on them.
 */
base_status alg_pst_field_build(const geo_surface *surface, bool solid,
                                const alg_pst_field_options *options, base_arena *arena,
                                alg_pst_field *field, base_error *err) BASE_MUST_CHECK;

/** Makes `packed` and what follows it of a field that has all else. Errors: BASE_ERR_MEMORY.
 * Memory: arena, 64 bytes a brick. */
base_status alg_pst_field_pack(alg_pst_field *field, base_arena *arena,
                               base_error *err) BASE_MUST_CHECK;

/**
 * The distance at p, with the errors of p's brick. Beyond the blocks, with q the nearest point of
 * theirs: sqrt(|p - q|^2 + max(v(q), 0)^2), since all of the body is on q's side; `below` is that
 * of q, and `above` what is left of |p - q| + v(q) + above(q).
 */
alg_pst_sample alg_pst_field_at(const alg_pst_field *field, vec3 p);

/** The same, with the gradient of what is interpolated, which has about unit length; towards p from
 * q beyond the blocks. */
alg_pst_sample alg_pst_field_slope(const alg_pst_field *field, vec3 p, vec3 *gradient);

#endif
