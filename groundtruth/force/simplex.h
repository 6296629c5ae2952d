/** Bounds of the distance to a surface on triangles and tetrahedra, which are cut until they
 * fit. */
#ifndef GROUNDTRUTH_SIMPLEX_H
#define GROUNDTRUTH_SIMPLEX_H

#include "groundtruth/body/types.h"
#include "geometry/surface.h"

/** No face: a search without a hint. */
#define GT_NO_FACE UINT32_MAX

enum {
    GT_SIMPLEX_CORNERS = 4,
    GT_LIST_MAX = 48,         /* faces on a list; a simplex with more has no list */
    GT_UNLISTED = UINT32_MAX, /* see gt_simplex.listed */
};

/** A body whose surface distances are measured to, and what its queries write to. */
typedef struct gt_field {
    const geo_surface *surface;
    double distance_m; /* what a computed distance may be off by */
    uint32_t *lists;   /* owned; of faces, one list after the other */
    size_t list_count, list_capacity;
} gt_field;

/** A triangle or a tetrahedron in the frame of the field. */
typedef struct gt_simplex {
    vec3 corner[GT_SIMPLEX_CORNERS];
    double distance[GT_SIMPLEX_CORNERS]; /* of the corners from the field's surface */
    uint32_t face[GT_SIMPLEX_CORNERS];   /* of the field: nearest to the corners */
    int corners;                         /* 3 or 4 */
    double measure;                      /* area or volume */
    uint32_t of;                         /* a number for the caller, inherited by parts */
    uint32_t cuts;          /* made in a row where the nearest face changes, see gt_simplex_cut */
    uint32_t unlisted_cuts; /* before a list is tried again */
    uint32_t listed;        /* length of its list, or GT_UNLISTED before that is made */
    size_t list; /* begin of the list in gt_field.lists: faces that may be nearest to its points */
} gt_simplex;

/** A linear function on a simplex: its values at the corners. */
typedef struct gt_linear {
    double at[GT_SIMPLEX_CORNERS];
} gt_linear;

/**
 * Bounds on a simplex, each up to 2 gt_field.distance_m:
 *   distance(x) <= upper(x)
 *   distance(x) >= lower(x) - Q(x) / root, and >= 0
 * with Q(x) = sum over sides of l_i l_j e_ij^2, l the barycentric coordinates and e the lengths.
 */
typedef struct gt_simplex_bounds {
    gt_linear upper, lower;
    double root;   /* infinite where lower alone is a bound */
    uint32_t face; /* whose distance gives upper */
} gt_simplex_bounds;

/** Squares of the lengths of all sides: side2[i][j], and their sum. */
double gt_simplex_sides(const gt_simplex *s, double side2[GT_SIMPLEX_CORNERS][GT_SIMPLEX_CORNERS]);

/** Fills distance and face of a corner; hint: a face, or GT_NO_FACE. */
void gt_simplex_measure(const gt_field *field, gt_simplex *s, int corner, uint32_t hint);

/** The distance from one face of the field. */
double gt_face_distance(const gt_field *field, uint32_t face, vec3 p);

/** Returns how far the corners are beyond a wall of the prism across a triangle, in front of and
 * behind it: wall i is along the edge from corner i, heights are negative inside. */
void gt_prism_heights(const geo_triangle *t, vec3 normal, int wall, const gt_simplex *s,
                      double height[GT_SIMPLEX_CORNERS]);

/**
 * Bounds of a simplex whose corners are measured. list: makes or shortens its list in any case, and
 * not only where the bounds without it are further apart than `share` of the upper one.
 *
 * Upper: the distance to one face is convex and no less than that to the surface, so it is below
 * the linear function of its corner values. The nearest faces of the corners are tried.
 *
 * Lower, first: distance^2 - |x|^2 is a minimum of linear functions of x, hence concave. With
 * x = sum l_i x_i, distance^2 >= G - Q with G = sum l_i d_i^2, and sqrt(G) >= D = sum l_i d_i. So
 * distance >= D - Q / root with root = d_0 + sqrt(max(0, d_0^2 - q)), d_0 the least d_i and q a
 * bound of Q, which is the square of the radius of the least ball around the simplex: 1/3 of the
 * square of the longest side of a triangle, 3/8 of a tetrahedron.
 *
 * Lower, second: the distance to a face is convex, so it is above its tangent at any point, and
 * above the distance to the face's plane. The least of such linear functions, one for each face
 * that may be nearest, is concave, and above the linear function of its corner values. Faces may be
 * nearest whose boxes are as near to the middle of the simplex as the radius and the largest upper
 * value together.
 */
void gt_simplex_bound(gt_field *field, gt_simplex *s, bool list, double share,
                      gt_simplex_bounds *bounds);

/**
 * The two parts of a simplex. It is cut where the nearest face changes from that of the upper bound
 * to that of a corner, unless a third face is nearer in between: along creases and seams of flat
 * parts of the field the bounds are exact after some cuts. Otherwise, and after a few such cuts, it
 * is halved across its longest side.
 */
void gt_simplex_cut(const gt_field *field, const gt_simplex *whole, gt_simplex parts[2]);

#endif
