/**
 * A field of distances to a surface. Distances are stored at the corners of cells, which are small
 * near the surface and where the field is curved, and large elsewhere. Between corners they are
 * interpolated trilinearly.
 *
 * Space is divided into blocks of equal size, and a block of level l into 2^l cells along each
 * axis. Narrow-band blocks around the surface have the finest cells, of `edge`. Any other block has
 * the largest cells that keep its error within the tolerance. Cells are stored in bricks of eight,
 * with 3 x 3 x 3 corners. A lookup reads one word for the block, and a brick of two cache lines. A
 * brick has about a third of the size of eight separate cells, each with eight corners. The blocks
 * extend beyond the body's box by a margin. Outside of the blocks, the value comes from their
 * nearest point (see alg_pst_field_at).
 *
 * Value    trilinear between the eight corners, minus sum_i bend_i t_i (1 - t_i), where t is the
 *          position in the cell. Away from the surface on the outside, bend is half the mean second
 *          difference, because distances to a body of finite size are curved. Near the surface and
 *          inside, bend is 0, so values are continuous there. No value at a corner depends on bend.
 * Sign     negative inside of a solid. The sign of each corner comes from an exact test, so that
 *          thin walls do not leak. A body that is not a solid has unsigned distances.
 * Error    the true distance d of any point p satisfies v - below <= d <= v + above. Here v is the
 *          interpolated value, in float, and below and above are those of p's brick. At corners v
 *          is d rounded to float. The bounds follow from two facts. First, d changes by at most
 *          |p - q| from p to q. Second, d^2(p) - |p|^2 is concave where d keeps its sign. With the
 *          trilinear weights w_i of the corners c_i, the second one means that d^2(p) is at least
 *          sum w_i d^2(c_i) - (sum w_i |c_i|^2 - |p|^2). field.c derives tighter bounds, which the
 *          build computes.
 * Source   PST 2, "real distance-field values"; Frisken et al. 2000 for adaptive cells.
 */
#ifndef ALGORITHMS_PST_FIELD_H
#define ALGORITHMS_PST_FIELD_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface.h"

enum {
    ALG_PST_LEVEL_LEAST = 1,                       /* lowest level of a block: one brick */
    ALG_PST_LEVEL_MOST = 3,                        /* highest level: 8 cells along an edge */
    ALG_PST_BLOCK_CELLS = 1 << ALG_PST_LEVEL_MOST, /* finest cells along an edge of a block */
    ALG_PST_BRICK_CORNERS = 27,
};

/** Eight cells, two along each axis. Corner (x, y, z) has the number x + 3 y + 9 z. */
typedef struct alg_pst_brick {
    float values[ALG_PST_BRICK_CORNERS];
    float bend[3];         /* integer multiples of 1/256 of a cell's edge */
    uint16_t below, above; /* half floats, rounded up: base_half_above */
    uint32_t face;         /* nearest face of the middle corner */
} alg_pst_brick;

/** A brick packed into one cache line, for traversals, whose speed is limited by memory. Each value
 * is that of the brick, or less by up to a step. */
typedef struct alg_pst_packed {
    float least;     /* least value of the corners */
    uint16_t below;  /* the same as the brick's */
    uint8_t step;    /* a power of two, stored as a float's exponent field */
    uint8_t bend[3]; /* in 1/256 of a cell's edge */
    uint16_t corners[ALG_PST_BRICK_CORNERS]; /* steps above the least value, rounded down */
} alg_pst_packed;

/** Bound of the rounding error of a lookup in float (positions, weights and sums). It is relative
 * to the extent of the blocks, or to the distance from the blocks. */
#define ALG_PST_LOOKUP_ERROR 0x1p-21

/** Result of a lookup. */
typedef struct alg_pst_sample {
    float value, below, above;
    uint32_t face; /* a face near the brick's middle, as a start for searches */
} alg_pst_sample;

typedef struct alg_pst_field {
    vec3 corner; /* lower corner of the first block */
    double edge; /* edge of the finest cells; a block's edge is ALG_PST_BLOCK_CELLS times as long */
    uint32_t block_count[3];
    uint32_t brick_count;
    bool solid;             /* true if values are signed */
    uint32_t *blocks;       /* arena; x fastest: number of the first brick << 2 | level */
    alg_pst_brick *bricks;  /* arena; a block has 2^(level - 1) along each axis, x fastest */
    alg_pst_packed *packed; /* arena; one for each brick */
    float side, per_side;   /* edge of a block, and its inverse */
    float extent[3];        /* size of all blocks together */
} alg_pst_field;

typedef struct alg_pst_field_options {
    uint32_t voxels;  /* finest cells on the longest edge of the body's box */
    double tolerance; /* outside, blocks are refined until `below` is at most this share of the
                         distance; inside, until `above` is at most 8 times this share */
    double margin;    /* margin of blocks around the body's box, in diagonals of the box */
} alg_pst_field_options;

/**
 * Builds a field.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT if no grid fits the box, or for more than 2^26 bricks.
 * Memory   arena: 192 bytes a brick and 4 a block; scratch outside of it.
 * Cost     1 to 3 us a corner, on all CPUs. The result does not depend on the number of CPUs.
 */
base_status alg_pst_field_build(const geo_surface *surface, bool solid,
                                const alg_pst_field_options *options, base_arena *arena,
                                alg_pst_field *field, base_error *err) BASE_MUST_CHECK;

/** Fills the member `packed` and all members after it. The members before it are complete. Errors:
 * BASE_ERR_MEMORY. Memory: arena, 64 bytes a brick. */
base_status alg_pst_field_pack(alg_pst_field *field, base_arena *arena,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Returns the distance at p, with the errors of p's brick. If p is outside of the blocks, let q be
 * the nearest point of the blocks. The value is then sqrt(|p - q|^2 + max(v(q), 0)^2). This is a
 * lower bound except for q's error, because the plane through q perpendicular to p - q separates p
 * from the body. `below` is that of q, and `above` is |p - q| + v(q) + above(q) minus the value,
 * both plus rounding.
 */
alg_pst_sample alg_pst_field_at(const alg_pst_field *field, vec3 p);

/** Like alg_pst_field_at. Also returns the gradient of the interpolated value, whose length is
 * about 1. Outside of the blocks it is the unit vector from their nearest point to p. */
alg_pst_sample alg_pst_field_slope(const alg_pst_field *field, vec3 p, vec3 *gradient);

#endif
