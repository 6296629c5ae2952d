/** A body made ready for truth: what it holds, and how it is made. */
#ifndef GROUNDTRUTH_BODY_H
#define GROUNDTRUTH_BODY_H

#include "base/arena.h"
#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/surface.h"
#include "geometry/tree.h"
#include "groundtruth/body/flux_body.h"
#include "groundtruth/body/tetrahedra.h"
#include "groundtruth/body/types.h"

enum { GT_BLOCK = 32 }; /* triangles of a block, but of the last */

/** Triangles in the order of a curve through space, in blocks. */
typedef struct gt_blocks {
    uint32_t *order; /* arena; faces */
    geo_ball *balls; /* arena; around the triangles of each block */
    vec3 *corners;   /* arena; one of each block */
    size_t count;    /* of blocks */
} gt_blocks;

/** depth.h */
typedef struct gt_hull gt_hull;

struct gt_body {
    const geo_mesh *mesh;          /* borrowed */
    const geo_mesh_report *report; /* borrowed */
    base_hash hash;                /* of the mesh */
    base_arena arena;

    vec3 centre, half; /* of the box: its middle and half its edges */
    double reach;      /* largest coordinate, absolute */

    /** The hierarchies are relative to this point: 0, or the centre of a body that is far from 0
     * for its size, whose boxes in float would have no digits left. */
    vec3 origin;
    double span;             /* greatest distance from origin, or more */
    geo_shell shell;         /* as it is, for containment */
    geo_bvh bvh;             /* of the triangles; near 0 that of shell, and so its triangles */
    geo_triangle *triangles; /* arena; in the order of bvh, as they are */
    geo_tree tree;           /* of the triangles, once more, relative to origin */

    gt_blocks blocks;
    gt_flux_body flux; /* of a solid; in the order of tree */
    gt_cells cells;    /* empty before gt_body_tetrahedralise */
    size_t tetrahedron_count;
    char *refusal; /* arena; TetGen's, or NULL */

    gt_hull *hull; /* arena; NULL before gt_body_make_hull */
    char *no_hull; /* arena; why there is none, or NULL */
};

/**
 * mesh and report are borrowed and must outlive the body. report tells whether it is a solid.
 * Errors: BASE_ERR_MEMORY. Memory: gt_body_destroy.
 */
base_status gt_body_create(const geo_mesh *mesh, const geo_mesh_report *report, gt_body **body,
                           base_error *err) BASE_MUST_CHECK;
void gt_body_destroy(gt_body *body);

/** What the body holds so far, its mesh not counted, and how many tetrahedra (0 before TetGen). */
size_t gt_body_bytes(const gt_body *body);
size_t gt_body_tetrahedron_count(const gt_body *body);

/** Errors: BASE_ERR_INPUT, "body B is not a solid: " with the reason of geo_mesh_report_reason. */
base_status gt_bodies_need_solids(const gt_body *a, const gt_body *b,
                                  base_error *err) BASE_MUST_CHECK;

/** Largest coordinate of either body in A's frame: the s of the slack of all queries. */
double gt_pair_reach(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Tetrahedralises the body with TetGen (tetgen.h), once; later calls return at once. Must be
 * called before gt_volume_query, from one thread. The tetrahedra are kept in the cache directory
 * of the options (NULL: none) and read from there next time.
 *
 * Errors   BASE_ERR_INPUT if the mesh is not a solid, with the reason of geo_mesh_report_reason;
 *          BASE_ERR_SYSTEM if tetgen is missing, fails, runs out of time, or its result does not
 *          fill the body (sum of tetrahedra and boundary faces are compared), or if the cache
 *          cannot be written; BASE_ERR_MEMORY.
 */
base_status gt_body_tetrahedralise(gt_body *body, const gt_options *options,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Both bodies, at the same time where options allow two threads: TetGen is what a first volume
 * waits for. It is asked once for two bodies of one mesh, also where a is b with the centre of its
 * box moved to 0. a may be b.
 *
 * Errors   those of gt_body_tetrahedralise: a's if it has one, else b's.
 */
base_status gt_bodies_tetrahedralise(gt_body *a, gt_body *b, const gt_options *options,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * Why TetGen refused the body, which is asked once: later calls of gt_body_tetrahedralise fail at
 * once with the same words. NULL when it did not.
 */
const char *gt_body_refusal(const gt_body *body);

/**
 * The pose between the frames of the hierarchies. Its rounding is below 8 eps (reach of a + reach
 * of b + |translation|).
 */
geo_pose gt_origin_pose(const gt_body *a, const gt_body *b, const geo_pose *pose);

#endif
