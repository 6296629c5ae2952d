/**
 * The heights of a body's surface over pixels of a window, and the bounds by which most of the body
 * is left out.
 *
 * Window coordinates of a point p are (p - centre) . axis[i]. Of what is seen along sign * axis[2]
 * heights are sign times the third one; what lies behind the plane, at negative heights, is not
 * seen.
 *
 * A triangle covers a pixel whose centre, the origin of what follows, its projection contains by
 * the signs of the cross products of its corners two by two. Each corner is rounded once for all
 * triangles around it, a rounded difference of two rounded products never has the wrong sign, and 0
 * belongs to both sides: no centre is missed between triangles that share an edge or a corner
 * (Woop2013). It has to be in the rectangle around the projection as well, where roundings stay
 * small for the triangle. The height is the mean of those of the corners by these products; a
 * triangle that is seen edge-on, for which they are all 0, covers nothing.
 */
#ifndef ALGORITHMS_LPD_RASTER_H
#define ALGORITHMS_LPD_RASTER_H

#include "geometry/pose.h"
#include "geometry/tree.h"

enum { ALG_LPD_TILE = 8 };

/** The rectangle that is looked through. */
typedef struct alg_lpd_window {
    vec3 centre, axis[3];
    double half[2];
    uint32_t size[2]; /* pixels */
} alg_lpd_window;

/** A body as the window sees it. */
typedef struct alg_lpd_view {
    const alg_lpd_window *window;
    const geo_tree *tree;
    const geo_pose *pose;       /* that moves the body */
    float turn[3][3], shift[3]; /* from the tree's frame, less its origin, to window coordinates */
    float margin;               /* of such a coordinate, once rounded */
} alg_lpd_view;

/** Pixels [begin[0], end[0]) x [begin[1], end[1]). */
typedef struct alg_lpd_tile {
    uint32_t begin[2], end[2];
} alg_lpd_tile;

/** Some children of a node. */
typedef struct alg_lpd_pieces {
    uint32_t node;
    uint16_t level; /* of the node */
    uint16_t lanes;
    float bottom; /* in the tile they are no nearer */
} alg_lpd_pieces;

/** Heights of the nearest surface; infinity where there is none. */
typedef struct alg_lpd_heights {
    double at[ALG_LPD_TILE][ALG_LPD_TILE]; /* [y][x] from the tile's begin on */
} alg_lpd_heights;

/** The first or second window coordinate of the centres of column or row i. */
static inline double alg_lpd_pixel(const alg_lpd_window *window, int axis, uint32_t i)
{
    const double n = window->size[axis];
    return (2.0 * i + 1 - n) * (window->half[axis] / n);
}

/** Of a body that the pose moves; A's is the identity, which moves nothing, not by a bit. */
alg_lpd_view alg_lpd_view_make(const alg_lpd_window *window, const geo_tree *tree,
                               const geo_pose *pose);

/** Window coordinates of a corner in the body's own frame. */
static inline vec3 alg_lpd_view_corner(const alg_lpd_view *view, vec3 corner)
{
    const alg_lpd_window *const w = view->window;
    const vec3 p = vec3_sub(geo_pose_apply(view->pose, corner), w->centre);
    return (vec3){vec3_dot(w->axis[0], p), vec3_dot(w->axis[1], p), vec3_dot(w->axis[2], p)};
}

/* --- In raster_isa.c -------------------------------------------------------------------------- */

/** Which pieces are in a tile. */
typedef struct alg_lpd_narrowing {
    const alg_lpd_view *view;
    alg_lpd_tile tile;
    float sign;
    const alg_lpd_pieces *from;
    uint32_t from_count;
    alg_lpd_pieces
        *to; /* gets those that may be seen in the tile; those larger than it are cut up */
    uint32_t room;
    uint32_t count, leaves; /* of `to`, and how many of the pieces are leaves */
    bool whole;             /* all of its pieces are leaves */
    float top;              /* no height of theirs in the tile is greater */
} alg_lpd_narrowing;

/** False if there was no room. */
bool alg_lpd_narrow_sse2(alg_lpd_narrowing *narrowing);
bool alg_lpd_narrow_avx2(alg_lpd_narrowing *narrowing);

/** Draws the pieces into a tile of at most ALG_LPD_TILE pixels a side. Returns how many triangles
 * it took. */
uint64_t alg_lpd_draw_sse2(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                           const alg_lpd_pieces *pieces, uint32_t count, alg_lpd_heights *heights);
uint64_t alg_lpd_draw_avx2(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                           const alg_lpd_pieces *pieces, uint32_t count, alg_lpd_heights *heights);

#endif
