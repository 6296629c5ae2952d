/** Penetration depth of any two solids: the shortest way out, as a bracket. */
#ifndef GROUNDTRUTH_PENETRATION_H
#define GROUNDTRUTH_PENETRATION_H

#include "groundtruth/body/types.h"

/** How the lower end was proved. */
typedef enum gt_depth_proof {
    GT_DEPTH_APART, /* the bodies are: the depth is 0 */
    GT_DEPTH_HULLS, /* both ends are those of gt_depth_query */
    GT_DEPTH_BALLS, /* balls inside of both bodies, for every shorter translation */
} gt_depth_proof;

typedef struct gt_penetration {
    gt_bracket depth_m;
    vec3 direction; /* unit: B moved by depth_m.hi along it is out; when apart, from A to B */
    gt_depth_proof proof;
    uint64_t places; /* translations for which it was asked whether B is out */
    uint64_t starts; /* ways in from the outside */
    uint64_t cells;  /* of translations, looked at for the lower end */
} gt_penetration;

/** What queries of one thread write to. NULL when out of memory. */
typedef struct gt_penetration_space gt_penetration_space;
gt_penetration_space *gt_penetration_space_create(void);
void gt_penetration_space_destroy(gt_penetration_space *space);

/**
 * The length of the shortest translation of B after which the interiors of the two solids have no
 * point in common: inf |t|, interior(A) and interior(B + t) disjoint. A body inside another one
 * overlaps it; the place after the translation may be in a cavity or a hole, and what is met on
 * the way does not count. So it is the least first_m of gt_separation_query over all directions.
 *
 * The upper end is a place at which gt_distance_query has the bodies apart, with clearance, found
 * by a search: whatever that missed, a translation that separates. The lower end is
 * proved. For two bodies with hulls (gt_body_make_hull) both are those of
 * gt_depth_query.
 *
 * How wide the bracket is, is all that is known of how good the search was. It goes on until it is
 * half a percent wide, or too much has been looked at; most are. Wide ones come where B fits
 * closely into A, so that the nearest place is hard to find, and where bodies that are deep inside
 * of each other could leave by many ways that are nearly as short. Bodies that touch have [0, some
 * slack].
 *
 * The same bits for any number of threads, and whatever the space was used for before.
 *
 * Shapes   both bodies are solids.
 * Memory   no allocation; a space has 6 MB.
 * Cost     0.1 s for two meshes of 60,000 triangles at 0.5 to 10 % of their volume, at most 0.5 s.
 */
void gt_penetration_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_penetration_space *space, gt_penetration *result);

#endif
