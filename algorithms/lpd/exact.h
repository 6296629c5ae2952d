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
 * grows: true if windows grow on all sides by the depth that was found in them, until the depth no
 * longer increases (64 times at most). Where a body overhangs, the surfaces that part last may lie
 * beside the curve's own window.
 *
 * Errors: BASE_ERR_MEMORY. Memory: arena.
 */
base_status alg_lpd_column_create(const alg_lpd_pair *pair, bool grows, base_arena *arena,
                                  alg_lpd_column **column, base_error *err) BASE_MUST_CHECK;

/** Depth along one direction. */
typedef struct alg_lpd_height {
    double depth_m; /* infinity if the search stopped because the depth is above the limit */
    /** Unit normal of the face or of the two edges that part last. Its component along the
     * direction is not negative. B is out of A there when B has moved beyond the plane across the
     * normal. If the window ends before they part, it is the normal of one of them. */
    vec3 normal;
    /** True if no pair that parts last has A's face looking along the direction and B's face
     * looking against it. Then contact leaves the window, and beyond the window one body is inside
     * of the other, if both are solids. */
    bool inside;
} alg_lpd_height;

/**
 * Returns how far B has to move along n, the box's third axis, until no triangle of A meets a
 * triangle of B inside the box's rectangle, seen along n. The depth is the end of the stretch of
 * translations, starting at 0, at which some pair of triangles meets. A pair meets while the
 * translation is between the least and the largest difference of the heights of A and B over the
 * part of the window that both cover. Walls, which are seen edge-on, cover all of their heights.
 * Touching counts as meeting.
 *
 * Errors   the depth is exact for triangles that are within 32 eps s of the given ones along each
 *          axis of the window, s the largest coordinate. So its error is at most 64 eps s / (normal
 *          . n), and no gap between adjacent triangles ends the stretch.
 *
 * limit_m: the search may stop as soon as the depth is certainly above it; then depth_m is infinity
 * and inside is true. tests: the number of tested pairs of triangles is added to it; may be NULL.
 *
 * Memory   no allocation.
 * Cost     0.1 to 1.5 ms for two round bodies of 60,000 triangles, increasing with the depth; 5 ms
 *          where 10,000 faces of each lie flush.
 */
alg_lpd_height alg_lpd_depth_along(const alg_lpd_pair *pair, const geo_pose *pose,
                                   const alg_lpd_box *box, double limit_m, alg_lpd_column *column,
                                   uint64_t *tests);

/** Returns true if x is better: a translation that leads out is better than one that does not, then
 * the smaller depth is better. */
static inline bool alg_lpd_height_less(const alg_lpd_height *x, const alg_lpd_height *y)
{
    return x->inside == y->inside ? x->depth_m < y->depth_m : y->inside;
}

/** Returns the better of the translations along n and -n; along n if they are equal. */
alg_lpd_translation alg_lpd_depth_exact(const alg_lpd_pair *pair, const geo_pose *pose,
                                        const alg_lpd_box *box, alg_lpd_column *column,
                                        uint64_t *tests);

/* --- Solids inside of each other: no triangles meet, so there is no curve --------------------- */

/** Returns true if a part of one body is inside of the other. The bodies are solids whose triangles
 * do not meet. Returns false for other meshes. */
bool alg_lpd_nested(const alg_lpd_pair *pair, const geo_pose *pose);

/**
 * Returns the translation out of a body that contains the other one: the shortest along the six
 * directions of the axes of the smaller body's box, the first of these if several are equal. Moved
 * by it, the bodies are apart. If both bodies are convex, no other translation along these axes is
 * shorter.
 *
 * *box becomes the smaller body's box, with the direction as its third axis.
 *
 * Memory   no allocation.
 * Cost     six searches as by alg_lpd_depth_along.
 */
alg_lpd_translation alg_lpd_nested_translation(const alg_lpd_pair *pair, const geo_pose *pose,
                                               alg_lpd_column *column, alg_lpd_box *box,
                                               uint64_t *tests);

/* --- Refined directions ----------------------------------------------------------------------- */

/** Choice of the next direction, in the order of the parameter's words. */
typedef enum alg_lpd_objective {
    ALG_LPD_GRADIENT, /* the normal of the surfaces that part last: the gradient of the depth */
    ALG_LPD_PATTERN,  /* rings of directions around the best one, with decreasing radius; uses only
                         the depth */
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
    uint32_t steps; /* maximum number of directions on each side */
    alg_lpd_column *column;
    uint64_t *tests; /* as for alg_lpd_depth_along */
} alg_lpd_refinement;

/**
 * Refines the direction of a region. From the box's third axis and from its reverse, at most
 * `steps` directions are tried each. Each direction has its own window (alg_lpd_box_along). A
 * direction that does not lead out is not refined if its reverse leads out. *box becomes the box of
 * the result.
 *
 * Returns  a translation that is not worse (alg_lpd_height_less) than that of alg_lpd_depth_exact:
 *          never longer, unless that one does not lead out and a longer one does.
 * Memory   no allocation.
 * Cost     one alg_lpd_depth_along per direction; searches of worse directions stop early.
 */
alg_lpd_translation alg_lpd_depth_refined(const alg_lpd_refinement *refinement, alg_lpd_box *box);

#endif
