/**
 * Heights of a body's surface at the pixels of a window, and bounds that cull most of the body.
 *
 * The window coordinates of a point p are (p - centre) . axis[i]. Bodies are seen along sign *
 * axis[2]. The height of a point is sign times its third coordinate. Surfaces behind the plane have
 * negative heights and are not visible.
 *
 * A triangle covers a pixel if its projection contains the pixel's centre. The signs of three cross
 * products decide this: those of each two corners, taken relative to the centre. No centre between
 * triangles that share an edge or a corner is missed (Woop2013), for three reasons. A corner is
 * rounded in the same way for all triangles around it. A rounded difference of two rounded products
 * never has the opposite sign. A product of 0 counts for both sides. The centre must also be in the
 * rectangle around the projection, so that rounding errors are small relative to the triangle. The
 * height is the mean of the corners' heights, weighted by these products. If a triangle is seen
 * edge-on, all products are 0, and it covers no pixel.
 */
#ifndef ALGORITHMS_LPD_RASTER_H
#define ALGORITHMS_LPD_RASTER_H

#include "geometry/pose.h"
#include "geometry/tree.h"

enum { ALG_LPD_TILE = 8 };

/** The rectangle through which bodies are seen. */
typedef struct alg_lpd_window {
    vec3 centre, axis[3];
    double half[2];
    uint32_t size[2]; /* in pixels */
} alg_lpd_window;

/** A body as seen through the window. */
typedef struct alg_lpd_view {
    const alg_lpd_window *window;
    const geo_tree *tree;
    const geo_pose *pose;       /* pose of the body */
    float turn[3][3], shift[3]; /* from the tree's frame, relative to its origin, to window
                                   coordinates */
    float margin;               /* bound of the rounding error of such a coordinate in float */
} alg_lpd_view;

/** Pixels [begin[0], end[0]) x [begin[1], end[1]). */
typedef struct alg_lpd_tile {
    uint32_t begin[2], end[2];
} alg_lpd_tile;

/** Some children of a node: those in the mask `lanes`. */
typedef struct alg_lpd_pieces {
    uint32_t node;
    uint16_t level; /* of the node */
    uint16_t lanes;
    float bottom; /* lower bound of their heights in the tile */
} alg_lpd_pieces;

/** Heights of the nearest surface; infinity where no surface is visible. */
typedef struct alg_lpd_heights {
    double at[ALG_LPD_TILE][ALG_LPD_TILE]; /* [y][x] from the tile's begin on */
} alg_lpd_heights;

/**
 * Returns the first window coordinate of the pixel centres of column i (axis 0), or the second one
 * of row i (axis 1).
 */
static inline double alg_lpd_pixel(const alg_lpd_window *window, int axis, uint32_t i)
{
    const double n = window->size[axis];
    return (2.0 * i + 1 - n) * (window->half[axis] / n);
}

/**
 * Makes the view of a body at a pose. A's pose is the identity, which does not change any bit of a
 * coordinate.
 */
alg_lpd_view alg_lpd_view_make(const alg_lpd_window *window, const geo_tree *tree,
                               const geo_pose *pose);

/** Returns the window coordinates of a corner given in the body's own frame. */
static inline vec3 alg_lpd_view_corner(const alg_lpd_view *view, vec3 corner)
{
    const alg_lpd_window *const w = view->window;
    const vec3 p = vec3_sub(geo_pose_apply(view->pose, corner), w->centre);
    return (vec3){vec3_dot(w->axis[0], p), vec3_dot(w->axis[1], p), vec3_dot(w->axis[2], p)};
}

/** Returns the number of heights in a row of a complete depth buffer: a multiple of 4. */
static inline size_t alg_lpd_row(const alg_lpd_window *window)
{
    return (size_t)(window->size[0] + 3) / 4 * 4;
}

/* --- In raster_isa.c -------------------------------------------------------------------------- */

/** Search for the pieces in a tile. */
typedef struct alg_lpd_narrowing {
    const alg_lpd_view *view;
    alg_lpd_tile tile;
    float sign;
    const alg_lpd_pieces *from;
    uint32_t from_count;
    /** Result: pieces that may be visible in the tile. Nodes larger than the tile are split. */
    alg_lpd_pieces *to;
    uint32_t room;
    uint32_t count, leaves; /* number of items in `to`; number of children in all of their masks */
    bool whole;             /* true if all of these children are leaves */
    float top;              /* upper bound of their heights in the tile */
} alg_lpd_narrowing;

/** Return false if `to` was too small. */
bool alg_lpd_narrow_sse2(alg_lpd_narrowing *narrowing);
bool alg_lpd_narrow_avx2(alg_lpd_narrowing *narrowing);

/** Draw the pieces into a tile of at most ALG_LPD_TILE pixels a side. Return the number of drawn
 * triangles. */
uint64_t alg_lpd_draw_sse2(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                           const alg_lpd_pieces *pieces, uint32_t count, alg_lpd_heights *heights);
uint64_t alg_lpd_draw_avx2(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                           const alg_lpd_pieces *pieces, uint32_t count, alg_lpd_heights *heights);

/** Draw all triangles of the body into a buffer with alg_lpd_row(window) heights for each row of
 * pixels; infinity where no surface is visible. row_x: room for as many numbers. */
void alg_lpd_draw_all_sse2(const alg_lpd_view *view, float sign, double *row_x, double *heights);
void alg_lpd_draw_all_avx2(const alg_lpd_view *view, float sign, double *row_x, double *heights);

#endif
