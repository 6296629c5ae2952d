/** Bounds of the distance to a surface on triangles and tetrahedra. These are cut until their
 * bounds are narrow enough. */
#ifndef GROUNDTRUTH_SIMPLEX_H
#define GROUNDTRUTH_SIMPLEX_H

#include "groundtruth/body/types.h"
#include "geometry/surface.h"

/** The face index that means "no hint" in a search. Faces are numbered in the order of the
 * surface's leaves (geo_surface.triangles), where neighbours are close in memory. */
#define GT_NO_FACE UINT32_MAX

enum {
    GT_SIMPLEX_CORNERS = 4,
    GT_PARTS = 4,             /* parts of a triangle, each with its own bounds */
    GT_LIST_MAX = 24,         /* largest length of a list; a simplex that needs more faces has no
                               * list */
    GT_UNLISTED = UINT32_MAX, /* see gt_simplex.listed */
};

/** Planes of a face in float: its own plane, and the walls of the prism across it. */
typedef struct gt_face_planes gt_face_planes;

/** A surface to which distances are measured, and the memory of its queries. */
typedef struct gt_field {
    const geo_surface *surface;
    double distance_m; /* bound of the error of a computed distance */
    vec3 origin;       /* origin of the planes */
    double reach_m;    /* largest distance of the surface from origin */
    uint32_t *lists;   /* owned; lists of faces, one after the other */
    size_t list_count, list_capacity;
    gt_face_planes *planes; /* owned; the planes of each face, computed when a query first needs
                             * them */
    size_t plane_capacity;
    uint32_t *index; /* owned; for each face of the mesh, its number in the order of the leaves */
    size_t index_capacity;
    uint32_t query; /* number of the current query; planes with another number are from an earlier
                     * one */
} gt_field;

/** Starts a query. The field may be zero-initialised. Errors: BASE_ERR_MEMORY. Memory:
 * gt_field_release. */
base_status gt_field_begin(gt_field *field, const geo_surface *surface, double distance_m,
                           base_error *err) BASE_MUST_CHECK;
void gt_field_release(gt_field *field);

/** A triangle or a tetrahedron in the frame of the field. */
typedef struct gt_simplex {
    vec3 corner[GT_SIMPLEX_CORNERS];
    vec3 foot[GT_SIMPLEX_CORNERS];       /* the points of the field's surface nearest to the
                                          * corners */
    double distance[GT_SIMPLEX_CORNERS]; /* distances of the corners from their feet */
    uint32_t face[GT_SIMPLEX_CORNERS];   /* faces of the field nearest to the corners */
    int corners;                         /* 3 or 4 */
    double measure;                      /* area or volume */
    uint32_t of;                         /* a number that the caller sets; parts get the same one */
    uint32_t cuts;                       /* number of consecutive cuts at a change of the nearest
                                          * face (gt_simplex_cut) */
    uint32_t unlisted_cuts;              /* number of cuts before a list is tried again */
    uint32_t listed;                     /* length of its list, or GT_UNLISTED before the list is
                                          * made */
    size_t list; /* start of the list in gt_field.lists. The list has the faces that may be nearest
                  * to a point of the simplex */
} gt_simplex;

/** A linear function on a simplex: its values at the corners. */
typedef struct gt_linear {
    double at[GT_SIMPLEX_CORNERS];
} gt_linear;

/**
 * A quadratic function that is 0 at the corners: the sum over all sides of l_i l_k at[side], where
 * l_i are the barycentric coordinates. side = i (i - 1) / 2 + k for k < i. No number in `at` is
 * negative.
 */
typedef struct gt_bend {
    double at[6];
} gt_bend;

/** Bounds on a simplex or on a part of it: lower(x) - sag(x) <= distance(x) <= upper(x) - dip(x).
 * Each may be wrong by up to 2 gt_field.distance_m. */
typedef struct gt_simplex_bounds {
    gt_linear upper, lower;
    gt_bend dip, sag;
    uint32_t face; /* the face whose distance gives the upper bound */
} gt_simplex_bounds;

/** Returns the sum of at[side] over all sides. */
double gt_bend_sum(const gt_bend *bend, int corners);

/** Fills foot, distance and face of a corner. hint: a face from which the search starts, or
 * GT_NO_FACE. */
void gt_simplex_measure(gt_field *field, gt_simplex *s, int corner, uint32_t hint);

/** Returns the corners of a face of the field. */
static inline geo_triangle gt_face_triangle(const gt_field *field, uint32_t face)
{
    return field->surface->triangles[face];
}

/** Returns the point of a face of the field that is nearest to p. */
vec3 gt_face_foot(const gt_field *field, uint32_t face, vec3 p);

/**
 * Computes how far each corner is beyond a wall of the prism across a triangle. The prism extends
 * in front of the triangle and behind it. Wall i is at the edge from corner i. A height is negative
 * on the inner side of the wall.
 */
void gt_prism_heights(const geo_triangle *t, vec3 normal, int wall, const gt_simplex *s,
                      double height[GT_SIMPLEX_CORNERS]);

/**
 * Bounds the distance on a simplex whose corners are measured. Its list is made or shortened if the
 * bounds without it have integrals that differ by more than `enough`. But no list is made if the
 * upper bound alone is far too wide. enough = -1: the list is always made or shortened.
 *
 * Returns the number of parts. It is GT_PARTS for a triangle with a list, else 1. The parts of a
 * triangle are the four triangles that the middles of its sides make. Corner k of part i < 3 is
 * (x_i + x_k) / 2. Corner k of the last part is the middle of the side across from x_k. So the
 * sides of a part are half as long as those of the triangle and parallel to them.
 *
 * Notation: x = sum l_i x_i, d_i = d(x_i), D = sum l_i d_i. For any vectors v_i
 *   |sum l_i v_i|^2 = sum l_i |v_i|^2 - sum over sides of l_i l_k |v_i - v_k|^2.       (*)
 *
 * Upper bound. d_t is the distance to one face t, f_i are the points of t nearest to x_i, and a_i =
 * x_i - f_i. The point sum l_i f_i is in t, so d_t(x) <= |sum l_i a_i|. Let D_t = sum l_i d_t(x_i),
 * and write d_i for d_t(x_i). If (*) is applied twice,
 *   d_t^2 <= D_t^2 - sum over sides of l_i l_k c_ik,  c_ik = |a_i - a_k|^2 - (d_i - d_k)^2 >= 0,
 * and so d_t <= D_t - sum over sides of l_i l_k c_ik / (2 max d_i). The faces nearest to the
 * corners are tried, and the face on the list that seems to be nearest to the middle.
 *
 * First lower bound. d^2 - |x|^2 is a minimum of linear functions of x, hence concave. With (*),
 *   d^2 >= D^2 - P,  P = sum over sides of l_i l_k (e_ik^2 - (d_i - d_k)^2),
 * where e_ik are the lengths of the sides. P is at most q, the square of the radius of the least
 * ball around the simplex. This is at most 1/3 of the square of the longest side for a triangle,
 * and 3/8 of it for a tetrahedron. So d >= D - P / root with root = d_0 + sqrt(max(0, d_0^2 - q)),
 * where d_0 is the least d_i.
 *
 * Second lower bound, by the faces that may be nearest to a point of the simplex. For each face a
 * function below its distance is used. It is one of these:
 * - its tangent at the middle, as the distance is convex;
 * - the distance from the face's plane;
 * - the distance from the line of an edge, if all corners are beyond the wall of the prism at this
 * edge. For this distance (*) is an equation, and root is as above;
 * - the distance from another plane, minus the height by which the face rises above that plane. The
 * plane of the face that gives the upper bound is tried.
 * The least of the linear parts of all faces is concave, so it is above the linear function of its
 * corner values. The largest sag of each side is subtracted from that function.
 *
 * Parts. A function on the simplex is also one on a part. Its sag and dip are a quarter there,
 * because they are second differences along sides of half the length. So each part has its own
 * least function of the lower bound, and its own upper bound, and all parts together cost little
 * more than one.
 *
 * The list. Let t be the face nearest to x, and u_i the upper bound at x_i. Then d_t(x)^2 <= sum
 * l_i u_i^2. d_t^2 - |x|^2 is concave as well, so d_t(x)^2 >= sum l_i d_t(x_i)^2 - q. So d_t(x_i)^2
 * <= u_i^2 + q holds for at least one corner. Only faces for which it does may be nearest.
 */
int gt_simplex_bound(gt_field *field, gt_simplex *s, double enough,
                     gt_simplex_bounds parts[GT_PARTS]);

/**
 * Cuts a simplex into two parts. If it has a list, it is cut where the nearest face changes from
 * that of the upper bound to that of a corner, unless a third face is nearer in between. Along
 * creases and seams of flat parts of the field, the bounds are exact after some such cuts. After a
 * few such cuts in a row, or if there is no such place, the longest side is halved.
 */
void gt_simplex_cut(gt_field *field, const gt_simplex *whole, gt_simplex parts[2]);

#endif
