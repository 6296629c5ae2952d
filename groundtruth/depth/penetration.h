/** Penetration depth of any two solids: the shortest way out, as a bracket. */
#ifndef GROUNDTRUTH_PENETRATION_H
#define GROUNDTRUTH_PENETRATION_H

#include "groundtruth/body/types.h"

/** The proof of the lower end of the depth's bracket. */
typedef enum gt_depth_proof {
    GT_DEPTH_APART, /* the bodies are apart: the depth is 0 */
    GT_DEPTH_HULLS, /* both ends are from gt_depth_query */
    GT_DEPTH_BALLS, /* the bodies overlap at all translations shorter than the lower end. Balls
                       cover these translations. For each ball, it is proved that the bodies overlap
                       at all translations in it */
} gt_depth_proof;

typedef struct gt_penetration {
    gt_bracket depth_m;
    vec3 direction; /* unit: B is out of A after moving by depth_m.hi along it. If the bodies are
                       apart: from A to B */
    gt_depth_proof proof;
    uint64_t places; /* number of translations tested */
    uint64_t starts; /* number of starts of the search for the upper end */
    uint64_t cells;  /* number of cubes of translations tested for the lower end */
} gt_penetration;

/** Memory for the queries of one thread. */
typedef struct gt_penetration_space gt_penetration_space;
gt_penetration_space *gt_penetration_space_create(void);
void gt_penetration_space_destroy(gt_penetration_space *space);

/**
 * Computes a bracket of the penetration depth: the length of the shortest translation of B after
 * which the interiors of the two solids have no point in common. It is the infimum of |t| over all
 * t for which interior(A) and interior(B + t) are disjoint. A body inside another one overlaps it.
 * The translation may move B into a cavity or a hole of A, and may pass through A. So the depth is
 * the least first_m of gt_separation_query over all directions.
 *
 * The upper end is the length of a translation after which gt_distance_query finds a distance above
 * 0. A search finds this translation. It may miss a shorter one, but the one that it finds does
 * separate the bodies. The lower end is proved. For two bodies with hulls (gt_body_make_hull) both
 * ends are those of gt_depth_query.
 *
 * The width of the bracket is the only measure of the quality of the search. The search stops when
 * the bracket is half a percent wide. Most searches reach this. The others stop at a limit of work.
 * A bracket is wide if B fits closely into A, because the nearest translation is then hard to find.
 * It is also wide if deeply penetrating bodies can escape in many directions over nearly the same
 * distance. The bracket of bodies that touch is [0, s] with a small rounding error s.
 *
 * The result has the same bits for any number of threads and any earlier use of the space.
 *
 * Shapes   both bodies must be solids.
 * Memory   no allocation; a space takes 6 MB.
 * Cost     usually 0.1 s and at most 0.5 s, for two meshes of 60,000 triangles whose intersection
 *          is 0.5 to 10 % of their volume.
 */
void gt_penetration_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_penetration_space *space, gt_penetration *result);

#endif
