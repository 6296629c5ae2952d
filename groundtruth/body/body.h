/** A body prepared for the ground truth: its data and its construction. */
#ifndef GROUNDTRUTH_BODY_H
#define GROUNDTRUTH_BODY_H

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/surface.h"
#include "geometry/tree.h"
#include "groundtruth/body/flux_body.h"
#include "groundtruth/body/tetrahedra.h"
#include "groundtruth/body/types.h"

enum { GT_BLOCK = 32 }; /* number of triangles of a block; the last block may have fewer */

/** Blocks of triangles in the order of a space-filling curve. */
typedef struct gt_blocks {
    uint32_t *order; /* arena; face indices */
    geo_ball *balls; /* arena; around the triangles of each block */
    vec3 *corners;   /* arena; one corner of each block */
    size_t count;    /* number of blocks */
} gt_blocks;

/** Defined in depth.h. */
typedef struct gt_hull gt_hull;

struct gt_body {
    const geo_mesh *mesh;          /* borrowed */
    const geo_mesh_report *report; /* borrowed */
    base_hash hash;                /* hash of the mesh */
    base_arena arena;

    vec3 centre, half; /* middle of the bounding box, and half its edges */
    double reach;      /* largest absolute coordinate */

    /** Origin of the hierarchies: 0, or the centre of a body that is farther from 0 than four times
     * the radius of its box. Boxes in float, relative to 0, would then lose digits. */
    vec3 origin;
    double span;             /* upper bound of the greatest distance from origin */
    geo_shell shell;         /* in the body's own coordinates; for containment tests */
    geo_bvh bvh;             /* over the triangles. For a body near 0 these are the hierarchy and
                              * the triangles of shell */
    geo_triangle *triangles; /* arena; in the order of bvh, in the body's own coordinates */
    geo_tree tree;           /* over the triangles, relative to origin */
    geo_tree parts;          /* the same with long triangles in parts, for distances; a copy of
                              * `tree` if no triangle is long */

    gt_blocks blocks;
    gt_flux_body flux; /* for solids only; in the order of tree */
    gt_cells cells;    /* empty before gt_body_tetrahedralise */
    size_t tetrahedron_count;
    char *refusal; /* arena; the error message of TetGen, or NULL */

    gt_hull *hull; /* arena; NULL before gt_body_make_hull */
    char *no_hull; /* the reason why the body has no hull, or NULL */
};

/**
 * Creates a body. mesh and report are borrowed and must outlive the body. The report says whether
 * the mesh is a solid.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   gt_body_destroy.
 */
base_status gt_body_create(const geo_mesh *mesh, const geo_mesh_report *report, gt_body **body,
                           base_error *err) BASE_MUST_CHECK;
void gt_body_destroy(gt_body *body);

/**
 * Return the number of bytes that the body occupies now, without its mesh, and its number of
 * tetrahedra (0 before gt_body_tetrahedralise).
 */
size_t gt_body_bytes(const gt_body *body);
size_t gt_body_tetrahedron_count(const gt_body *body);

/**
 * Checks that both bodies are solids. Errors: BASE_ERR_INPUT, for example "body B is not a solid: "
 * with the reason of geo_mesh_report_reason.
 */
base_status gt_bodies_need_solids(const gt_body *a, const gt_body *b,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Returns an upper bound of the largest coordinate of either body in A's frame. This is the s in
 * the slack of all queries.
 */
double gt_pair_reach(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Cuts the body into tetrahedra with TetGen (tetgen.h), once; later calls return at once. Must be
 * called before gt_volume_query, from one thread. The tetrahedra are stored in the cache directory
 * of the options and are read from there the next time. There is no cache if it is NULL.
 *
 * Errors   BASE_ERR_INPUT if the mesh is not a solid, with the reason of geo_mesh_report_reason;
 *          BASE_ERR_SYSTEM if tetgen is missing, fails, runs out of time or is interrupted, if its
 *          result does not fill the body (gt_tetrahedra_check), or if the cache cannot be written;
 *          BASE_ERR_MEMORY.
 */
base_status gt_body_tetrahedralise(gt_body *body, const gt_options *options,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Cuts both bodies into tetrahedra. They are cut at the same time if the options allow two threads,
 * because TetGen takes most of the time of a first volume. If both bodies have the same mesh,
 * TetGen runs only once. It also runs once if a has the mesh of b with the centre of its box moved
 * to 0. a may be b.
 *
 * Errors   those of gt_body_tetrahedralise: the error of a if there is one, else that of b.
 */
base_status gt_bodies_tetrahedralise(gt_body *a, gt_body *b, const gt_options *options,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * Returns the reason why TetGen refused the body, or NULL if it did not. After a refusal TetGen
 * does not run again: later calls of gt_body_tetrahedralise fail at once with the same message.
 */
const char *gt_body_refusal(const gt_body *body);

/**
 * Returns the pose of b's hierarchies in the frame of a's hierarchies. Its rounding error is below
 * 8 eps (reach of a + reach of b + |translation|).
 */
geo_pose gt_origin_pose(const gt_body *a, const gt_body *b, const geo_pose *pose);

#endif
