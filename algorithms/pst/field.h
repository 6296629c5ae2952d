/**
 * A field of distances: the distance to a surface at the corners of cells, which are small where it
 * bends and near the surface, and large elsewhere; between corners it is interpolated trilinearly.
 *
 * Space is divided into blocks of equal size, and a block of level l into 2^l cells along each axis:
 * narrow-band blocks around the surface have the finest cells, of `edge`; any other one has the
 * largest that keep its error within the tolerance. Beyond the blocks, which reach a margin beyond
 * the body's box, a point is answered for by the nearest point of the blocks (see below).
 *
 * Sign     negative inside of a solid, by exact containment of each corner, so that no thin wall
 *          leaks; a body that is no solid has distances of its surface alone, none negative.
 * Error    the true distance d of any point p obeys v - below <= d <= v + above, where v is what is
 *          interpolated, in float, and below and above are those of p's cell, or the greatest of its
 *          block. At corners v is d rounded to float.
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
    ALG_PST_LEVEL_MOST = 3,                        /* of a block: 8 cells along an edge */
    ALG_PST_BLOCK_CELLS = 1 << ALG_PST_LEVEL_MOST, /* of the finest, along an edge */
};

typedef struct alg_pst_block {
    uint32_t first; /* its cells: from here on, x fastest */
    uint32_t level;
    float below, above; /* the greatest of its cells */
} alg_pst_block;

/** What is known of one point. */
typedef struct alg_pst_sample {
    float value, below, above;
    uint32_t face; /* of the body, near to the cell's middle: where to begin a search */
} alg_pst_sample;

typedef struct alg_pst_field {
    vec3 corner; /* of the first block */
    double edge; /* of the finest cells; a block's is ALG_PST_BLOCK_CELLS times it */
    uint32_t block_count[3];
    uint32_t cell_count;
    bool solid;            /* are values signed? */
    alg_pst_block *blocks; /* arena; x fastest */
    float (*values)[8]; /* arena, aligned to 32 bytes; of a cell's corners: number i has the upper
                                x if bit 0 of i is set, y for bit 1, z for bit 2 */
    float (*errors)[2]; /* arena; below and above, of a cell */
    uint32_t *faces;    /* arena; nearest to a cell's middle */
} alg_pst_field;

typedef struct alg_pst_field_options {
    uint32_t voxels; /* finest cells on the longest edge of the body's box */
    double
        tolerance; /* blocks are refined until `below` is no more than this share of the distance */
    double margin; /* of blocks around the body's box, in diagonals of it */
} alg_pst_field_options;

/**
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for a box that no grid fits, and beyond 2^31 cells.
 * Memory   arena: 44 bytes a cell and 16 a block; scratch outside of it.
 * Cost     1 to 3 us a corner, on all CPUs; the result does not depend on them.
 */
base_status alg_pst_field_build(const geo_surface *surface, bool solid,
                                const alg_pst_field_options *options, base_arena *arena,
                                alg_pst_field *field, base_error *err) BASE_MUST_CHECK;

/**
 * The distance at p, with the errors of p's cell. Beyond the blocks, with q the nearest point of
 * theirs: sqrt(|p - q|^2 + max(v(q), 0)^2), since all of the body is on q's side; `below` is that of q, and
 * `above` what is left of |p - q| + v(q) + above(q).
 */
alg_pst_sample alg_pst_field_at(const alg_pst_field *field, vec3 p);

/** The same, with the gradient of what is interpolated, which has about unit length; towards p from q
 * beyond the blocks. */
alg_pst_sample alg_pst_field_slope(const alg_pst_field *field, vec3 p, vec3 *gradient);

#endif
