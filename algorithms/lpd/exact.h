/** Exact depth of a region along a direction, without pixels: differences of heights over pairs of
 * triangles. The direction may be turned to reduce the depth. */
#ifndef ALGORITHMS_LPD_EXACT_H
#define ALGORITHMS_LPD_EXACT_H

#include "algorithms/lpd/boxes.h"
#include "algorithms/lpd/pixels.h"

/** Work space of queries. */
typedef struct alg_lpd_column alg_lpd_column;

/**
 * Creates the work space of queries.
 *
 * grows: true if windows grow. Then each window is enlarged on all sides by the depth that was
 * found in it, until the depth no longer increases (64 times at most). If a body overhangs the
 * curve, the surfaces that part last may be outside of the curve's own window.
 *
 * Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err) BASE_MUST_CHECK;

/** Depth along one direction. */
typedef struct alg_lpd_height {
    double depth_m; /* infinity if the search stopped because the depth is above the limit */
    /**
     * Unit normal of the plane across which the last pair of triangles parts: it is the normal of
     * one of the two faces, or is perpendicular to an edge of each. Its component along the
     * direction is not negative. At this place, B is out of A when it has moved beyond this plane.
     * If the side of the window cuts the pair off, it is the normal of one of the two faces. If
     * depth_m is infinite, it is the direction.
     */
    vec3 normal;
    /**
     * False if, in some pair that parts last, A's face is turned in the direction and B's face is
     * turned against it: then the translation leads out. If no pair is like this, the contact
     * leaves the window through its sides, and beyond the window one body is still inside of the
     * other, if both are solids. Also true if depth_m is infinite, and false if it is 0.
     */
    bool inside;
} alg_lpd_height;

/**
 * Returns how far B has to move along n, the box's third axis, until no triangle of A meets a
 * triangle of B inside the window. The window is the box's rectangle, seen along n. At each
 * translation from 0 to the depth, some pair of triangles meets. A pair meets while the translation
 * is between the least and the largest difference of the heights of A and B over the part of the
 * window that both cover. A triangle that is seen edge-on covers all heights between its lower and
 * its upper edge. Touching counts as meeting.
 *
 * Errors   the depth is exact for triangles whose points differ from those of the given ones by at
 *          most 32 eps s along each axis of the window; s is the largest coordinate. So the error
 *          of the depth is at most 64 eps s / (normal . n), and rounding opens no gap between
 *          adjacent triangles.
 *
 * limit_m: if the depth is above it, the search stops early; then depth_m is infinity and inside is
 * true. tests: the number of tested pairs of triangles is added to it; may be NULL.
 *
 * Memory   no allocation.
 * Cost     0.1 to 1.5 ms for two round bodies of 60,000 triangles, increasing with the depth; 5 ms
 *          if 10,000 faces of each body lie on faces of the other.
 */
alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests);

/**
 * Returns true if x is better than y: a translation that leads out is better than one that does
 * not. If both do or both do not, the smaller depth is better.
 */
static inline bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y)
{
    return x->inside == y->inside ? x->depth_m < y->depth_m : y->inside;
}

/** Returns the better of the translations along n and -n; along n if they are equal. */
alg_lpd_translation alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                        const alg_lpd_box *box, alg_lpd_column *column,
                                        uint64_t *tests);

/* --- Solids inside of each other: no triangles meet, so there is no curve --------------------- */

/**
 * Returns true if both meshes are solids and a part of one is inside of the other. The triangles of
 * A and B must not meet.
 */
bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose);

/**
 * Returns the translation out of a body that contains the other one. Of the translations along the
 * six directions of the axes of the smaller body's box, the shortest is returned; if several are
 * equal, the first one. After the translation the bodies are apart. If both bodies are convex, no
 * shorter translation along these axes separates them.
 *
 * *box becomes the smaller body's box, with the direction as its third axis.
 *
 * Memory   no allocation.
 * Cost     six searches like those of alg_lpd_depth_along, in larger windows.
 */
alg_lpd_translation alg_lpd_nested_translation(const alg_lpd_pair *pair, const geo_pose *pose,
                                               alg_lpd_column *column, alg_lpd_box *box,
                                               uint64_t *tests);

/* --- Refined directions ----------------------------------------------------------------------- */

/** Choice of the next direction, in the order of the parameter's words. */
typedef enum alg_lpd_objective {
    ALG_LPD_GRADIENT, /* the normal of the surfaces that part last: the gradient of the depth */
    ALG_LPD_PATTERN,  /* directions on a ring around the best one; the radius of the ring
                         decreases. Uses only depths */
} alg_lpd_objective;

/** The input of alg_lpd_depth_refined. */
typedef struct alg_lpd_refinement {
    const alg_lpd_pair *pair;
    const geo_pose *pose;
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    const alg_lpd_groups *groups;
    const alg_lpd_group *group; /* of the region */
    alg_lpd_objective objective;
    uint32_t steps; /* maximum number of directions that are tried from each of the two senses */
    alg_lpd_column *column;
    uint64_t *tests; /* as for alg_lpd_depth_along */
} alg_lpd_refinement;

/**
 * Refines the direction of a region. Starts once from the box's third axis and once from the
 * reverse of it, and tries at most `steps` directions from each. Each direction has its own window
 * (alg_lpd_box_along). A direction that does not lead out is not refined if its reverse leads out.
 * *box becomes the box of the result.
 *
 * Returns  a translation that is not worse (alg_lpd_height_less) than that of alg_lpd_depth_exact.
 *          It is longer only if it leads out and that of alg_lpd_depth_exact does not.
 * Memory   no allocation.
 * Cost     one alg_lpd_depth_along per direction; searches of worse directions stop early.
 */
alg_lpd_translation alg_lpd_depth_refined(const alg_lpd_refinement *refinement, alg_lpd_box *box);

#endif
