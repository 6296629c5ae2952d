#include "groundtruth/force/simplex.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/triangle.h"

#include <float.h>
#include <string.h>

/** Half a unit in the last place of 1, the largest relative rounding error. */
#define UNIT 0x1p-53

/** If the error bound of a face's normal is larger than this, the face has no planes in float. */
#define NORMAL_ERROR_MAX 0x1p-24

/** Bounds the error of a height over a plane in float, as a share of the lengths that it is
 * computed from. It covers 16 roundings. */
#define HEIGHT_ERROR 0x1p-20

/** If the upper bound alone is wider than the allowed width by this factor, the simplex gets no
 * list. It will be cut in any case. */
#define HOPELESS 16

enum {
    CUTS_MAX = 6,   /* consecutive cuts at a change of the nearest face; then the longest side is
                     * halved */
    LIST_PAUSE = 2, /* if a simplex has too many faces for a list, no list is tried for its parts
                     * before this number of cuts */
};

struct gt_face_planes {
    uint32_t query;                /* number of the query that computed them */
    float across[3][4], offset[4]; /* x, y, z of the normals of the three walls and of the face */
    vec3 normal;                   /* normal of the face, by the orientation of its corners */
    double error; /* bounds the length of the error of the normal; 1: there are no planes, and all
                   * normals are 0 */
};

static double sum_of(const gt_simplex *s, const double *values)
{
    double sum = 0;
    for (int k = 0; k < s->corners; k++) {
        sum += values[k];
    }
    return sum;
}

double gt_bend_sum(const gt_bend *bend, int corners)
{
    double sum = 0;
    for (int side = 0; side < corners * (corners - 1) / 2; side++) {
        sum += bend->at[side];
    }
    return sum;
}

/** Returns the mean of linear - bend over the simplex. With n corners, the mean of l_i is 1 / n,
 * and that of l_i l_k is 1 / (n (n + 1)). */
static double mean_of(const gt_simplex *s, const gt_linear *linear, const gt_bend *bend)
{
    const int n = s->corners;
    return (sum_of(s, linear->at) - gt_bend_sum(bend, n) / (n + 1)) / n;
}

vec3 gt_face_foot(const gt_field *field, uint32_t face, vec3 p)
{
    return geo_triangle_closest(gt_face_triangle(field, face), p);
}

/** Returns an upper bound of the length of a vector. */
static double above_norm(vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static double face_distance(const gt_field *field, uint32_t face, vec3 p)
{
    return vec3_distance(gt_face_foot(field, face, p), p);
}

static vec3 middle_of(const gt_simplex *s)
{
    vec3 sum = s->corner[0];
    for (int k = 1; k < s->corners; k++) {
        sum = vec3_add(sum, s->corner[k]);
    }
    return vec3_scale(1.0 / s->corners, sum);
}

/* --- Planes ----------------------------------------------------------------------------------- */

base_status gt_field_begin(gt_field *field, const geo_surface *surface, double distance_m,
                           base_error *err)
{
    const geo_box box = surface->bvh.box;
    field->surface = surface;
    field->distance_m = distance_m;
    field->origin = geo_box_centre(box);
    field->reach_m = vec3_distance(box.hi, field->origin);
    field->list_count = 0;
    field->query++; /* base_reserve leaves 0 in new planes, which is no number of a query */
    const size_t faces = surface->mesh->face_count;
    base_status status = base_reserve(field->planes, field->plane_capacity, faces, err);
    if (status == BASE_OK) {
        status = base_reserve(field->index, field->index_capacity, faces, err);
    }
    for (size_t i = 0; i < faces && status == BASE_OK; i++) {
        field->index[surface->bvh.order[i]] = (uint32_t)i;
    }
    return status;
}

void gt_field_release(gt_field *field)
{
    base_free(field->lists);
    base_free(field->planes);
    base_free(field->index);
}

/** Returns the planes of a face. Computes them if this query has not used them yet. */
static const gt_face_planes *planes_of(gt_field *field, uint32_t face)
{
    gt_face_planes *const planes = &field->planes[face];
    if (planes->query == field->query) {
        return planes;
    }
    const geo_triangle t = gt_face_triangle(field, face);
    const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
    const vec3 across = vec3_cross(u, v);
    const double error = 16 * UNIT * vec3_norm(u) * vec3_norm(v) / vec3_norm(across);
    *planes = (gt_face_planes){.error = 1, .query = field->query};
    if (!(error <= NORMAL_ERROR_MAX)) {
        return planes;
    }
    planes->error = error;
    planes->normal = vec3_normalize(across);
    for (int i = 0; i < 4; i++) {
        const vec3 p = t.p[i % 3], edge = vec3_sub(t.p[(i + 1) % 3], p);
        const vec3 n = i == 3 ? planes->normal : vec3_normalize(vec3_cross(edge, planes->normal));
        for (int axis = 0; axis < 3; axis++) {
            planes->across[axis][i] = (float)vec3_get(n, axis);
        }
        planes->offset[i] = (float)vec3_dot(n, vec3_sub(p, field->origin));
    }
    return planes;
}

/** A point relative to the origin of the planes, in all lanes. */
typedef struct wide_point {
    f32x4 x, y, z;
} wide_point;

static wide_point make_point(const gt_field *field, vec3 p)
{
    const vec3 from = vec3_sub(p, field->origin);
    return (wide_point){f32x4_set((float)from.x), f32x4_set((float)from.y),
                        f32x4_set((float)from.z)};
}

/** Returns the heights over the walls and over the plane of a face. */
static f32x4 heights_over(const gt_face_planes *planes, const wide_point *p)
{
    const f32x4 x = f32x4_mul(f32x4_load(planes->across[0]), p->x);
    const f32x4 y = f32x4_mul(f32x4_load(planes->across[1]), p->y);
    const f32x4 z = f32x4_mul(f32x4_load(planes->across[2]), p->z);
    return f32x4_sub(f32x4_add(f32x4_add(x, y), z), f32x4_load(planes->offset));
}

/** Returns a lower bound of the squared distance from a face: the square of the height over its
 * plane plus the square of the height beyond the farthest wall. */
static float below_distance2(f32x4 height)
{
    const float wall = height[0] > height[1] ? height[0] : height[1];
    const float most = wall > height[2] ? wall : height[2];
    const float beyond = most > 0 ? most : 0;
    return height[3] * height[3] + beyond * beyond;
}

/** Bounds the error of the heights of a point, which are computed in float. */
static double height_error(const gt_field *field, vec3 p)
{
    return HEIGHT_ERROR * (vec3_distance(p, field->origin) + field->reach_m);
}

/**
 * Returns a limit for squared lengths that were computed in float. If a length is at most `most`,
 * its square does not exceed the limit, in spite of its roundings.
 */
static float limit_of(double most)
{
    return base_float_above(most * most * (1 + 0x1p-20) + (double)FLT_MIN);
}

/** Searches the list if there is one, else the hierarchy. */
void gt_simplex_measure(gt_field *field, gt_simplex *s, int corner, uint32_t hint)
{
    const vec3 p = s->corner[corner];
    if (s->listed == GT_UNLISTED || s->listed == 0) {
        const geo_surface *const surface = field->surface;
        const uint32_t start = hint == GT_NO_FACE ? UINT32_MAX : surface->bvh.order[hint];
        const geo_closest closest = geo_surface_closest(surface, p, start);
        s->foot[corner] = closest.point;
        s->distance[corner] = sqrt(closest.distance2);
        s->face[corner] = field->index[closest.face];
        return;
    }
    const wide_point point = make_point(field, p);
    const double error = 2 * height_error(field, p);
    float limit = INFINITY;
    s->distance[corner] = INFINITY;
    for (uint32_t i = 0; i < s->listed; i++) {
        const uint32_t face = field->lists[s->list + i];
        if (below_distance2(heights_over(planes_of(field, face), &point)) > limit) {
            continue;
        }
        const vec3 foot = gt_face_foot(field, face, p);
        const double distance = vec3_distance(foot, p);
        if (distance < s->distance[corner]) {
            s->foot[corner] = foot;
            s->distance[corner] = distance;
            s->face[corner] = face;
            limit = limit_of(distance + error);
        }
    }
}

/* --- The upper bound -------------------------------------------------------------------------- */

/**
 * Fills upper and dip: on the simplex, the distance from a face is at most *upper - *dip. feet: the
 * points of the face nearest to the corners.
 */
static void above_face(const gt_simplex *s, const vec3 feet[GT_SIMPLEX_CORNERS], gt_linear *upper,
                       gt_bend *dip)
{
    vec3 away[GT_SIMPLEX_CORNERS];
    double most = 0;
    for (int i = 0; i < s->corners; i++) {
        away[i] = vec3_sub(s->corner[i], feet[i]);
        upper->at[i] = vec3_norm(away[i]);
        most = base_larger(upper->at[i], most);
    }
    for (int i = 0, side = 0; i < s->corners; i++) {
        for (int k = 0; k < i; k++, side++) {
            const double change = upper->at[i] - upper->at[k];
            const double c = vec3_distance2(away[i], away[k]) - change * change;
            dip->at[side] = c > 0 ? c / (2 * most) : 0;
        }
    }
}

/** A function above the distance, which a face gives: upper - dip. */
typedef struct upper_bound {
    uint32_t face;
    gt_linear upper;
    gt_bend dip;
    double mean;
} upper_bound;

/** Upper bounds by several faces. */
typedef struct upper_bounds {
    int count, least; /* least: index of the one with the least mean */
    upper_bound by[GT_SIMPLEX_CORNERS + 1];
} upper_bounds;

/** Adds the upper bound by a face. */
static void add_upper(const gt_field *field, const gt_simplex *s, uint32_t face, upper_bounds *all)
{
    vec3 feet[GT_SIMPLEX_CORNERS];
    upper_bound *const b = &all->by[all->count];
    for (int k = 0; k < s->corners; k++) {
        feet[k] = s->face[k] == face ? s->foot[k] : gt_face_foot(field, face, s->corner[k]);
    }
    above_face(s, feet, &b->upper, &b->dip);
    b->face = face;
    b->mean = mean_of(s, &b->upper, &b->dip);
    all->least = b->mean < all->by[all->least].mean ? all->count : all->least;
    all->count++;
}

/** Finds the upper bounds given by the nearest faces of the corners. */
static void find_uppers(const gt_field *field, const gt_simplex *s, upper_bounds *all)
{
    all->count = all->least = 0;
    for (int i = 0; i < s->corners; i++) {
        bool again = false;
        for (int k = 0; k < i; k++) {
            again = again || s->face[k] == s->face[i];
        }
        if (!again) {
            add_upper(field, s, s->face[i], all);
        }
    }
}

/* --- Faces that may be nearest ---------------------------------------------------------------- */

/** A simplex in float, with one corner in each lane, and balls around its corners. A face that
 * meets no ball is nearest to no point of the simplex. The last corner of a triangle is in two
 * lanes. */
typedef struct balls {
    f32x4 x, y, z; /* relative to the origin of the planes */
    f32x4 limit;   /* limit of below_distance2 */
    float error;   /* bounds the error of heights */
    double radius[GT_SIMPLEX_CORNERS];
} balls;

static balls make_balls(const gt_field *field, const gt_simplex *s, const gt_linear *upper,
                        double q)
{
    balls b = {.error = 0};
    double most = 0;
    for (int lane = 0; lane < GT_SIMPLEX_CORNERS; lane++) {
        const int k = lane < s->corners ? lane : s->corners - 1;
        const double error = height_error(field, s->corner[k]);
        b.radius[lane] = sqrt(upper->at[k] * upper->at[k] + q) + field->distance_m;
        const vec3 from = vec3_sub(s->corner[k], field->origin);
        b.x[lane] = (float)from.x;
        b.y[lane] = (float)from.y;
        b.z[lane] = (float)from.z;
        b.limit[lane] = limit_of(b.radius[lane] + 2 * error);
        most = base_larger(error, most);
    }
    b.error = (float)most;
    return b;
}

/** A face seen from the corners of a simplex. */
typedef struct view {
    bool near;       /* true if the face meets a ball */
    bool inside;     /* true if no corner is outside of the prism across the face by more than
                      * rounding */
    unsigned beyond; /* mask of the walls that all corners are beyond, up to rounding */
} view;

static view view_face(const gt_face_planes *planes, const balls *b)
{
    f32x4 height[4];
    for (int i = 0; i < 4; i++) {
        const f32x4 x = f32x4_mul(f32x4_set(planes->across[0][i]), b->x);
        const f32x4 y = f32x4_mul(f32x4_set(planes->across[1][i]), b->y);
        const f32x4 z = f32x4_mul(f32x4_set(planes->across[2][i]), b->z);
        height[i] = f32x4_sub(f32x4_add(f32x4_add(x, y), z), f32x4_set(planes->offset[i]));
    }
    const f32x4 most = f32x4_max(f32x4_max(height[0], height[1]), height[2]);
    const f32x4 out = f32x4_max(most, f32x4_set(0));
    const f32x4 below2 = f32x4_add(f32x4_mul(height[3], height[3]), f32x4_mul(out, out));
    view v = {.near = m32x4_bits(f32x4_le(below2, b->limit)) != 0};
    if (v.near) {
        v.inside = m32x4_bits(f32x4_lt(f32x4_set(b->error), most)) == 0;
        for (int i = 0; i < 3; i++) {
            const bool all = m32x4_bits(f32x4_lt(f32x4_set(-b->error), height[i])) == 15;
            v.beyond |= all ? 1u << i : 0;
        }
    }
    return v;
}

/** Lists the faces that meet a ball. Returns their number. If this is above GT_LIST_MAX, the list
 * is incomplete. */
static uint32_t list_near(gt_field *field, const gt_simplex *s, const balls *b,
                          uint32_t faces[GT_LIST_MAX], view views[GT_LIST_MAX])
{
    const geo_bvh *const bvh = &field->surface->bvh;
    const f32x8 zero = f32x8_set(0);
    f32x8 below[GT_SIMPLEX_CORNERS][3], above[GT_SIMPLEX_CORNERS][3], limit[GT_SIMPLEX_CORNERS];
    for (int k = 0; k < s->corners; k++) {
        limit[k] = f32x8_set(limit_of(b->radius[k]));
        for (int axis = 0; axis < 3; axis++) {
            below[k][axis] = f32x8_set(base_float_below(vec3_get(s->corner[k], axis)));
            above[k][axis] = f32x8_set(base_float_above(vec3_get(s->corner[k], axis)));
        }
    }
    uint32_t stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH], count = 0;
    size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const geo_bvh_node *const node = &bvh->nodes[stack[--top]];
        unsigned left = 0;
        for (int k = 0; k < s->corners; k++) {
            f32x8 sum = zero;
            for (int axis = 0; axis < 3; axis++) {
                const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), above[k][axis]);
                const f32x8 over = f32x8_sub(below[k][axis], f32x8_load(node->hi[axis]));
                const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
                sum = f32x8_add(sum, f32x8_mul(gap, gap));
            }
            left |= m32x8_bits(f32x8_le(sum, limit[k])); /* unused lanes are infinitely far away */
        }
        for (; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (node->count[lane] == 0) {
                stack[top++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                const uint32_t face = node->first[lane] + i;
                const view v = view_face(planes_of(field, face), b);
                if (v.near && count == GT_LIST_MAX) {
                    return GT_LIST_MAX + 1;
                }
                if (v.near) {
                    faces[count] = face;
                    views[count++] = v;
                }
            }
        }
    }
    return count;
}

/** Makes the list of a simplex, or shortens it. Returns false if there are too many faces, or if it
 * is too early to try again. */
static bool find_list(gt_field *field, gt_simplex *s, const gt_linear *upper, double q,
                      uint32_t faces[GT_LIST_MAX], view views[GT_LIST_MAX])
{
    if (s->listed == GT_UNLISTED && s->unlisted_cuts > 0) {
        return false;
    }
    const balls b = make_balls(field, s, upper, q);
    uint32_t count = 0;
    if (s->listed == GT_UNLISTED) {
        count = list_near(field, s, &b, faces, views);
    } else {
        for (uint32_t i = 0; i < s->listed; i++) {
            faces[count] = field->lists[s->list + i];
            views[count] = view_face(planes_of(field, faces[count]), &b);
            count += views[count].near;
        }
    }
    if (count > GT_LIST_MAX) {
        s->unlisted_cuts = LIST_PAUSE;
        return false;
    }
    s->listed = count;
    return true;
}

/* --- Lower bounds ----------------------------------------------------------------------------- */

/** A function below the distance: lower minus sag. */
typedef struct lower_bound {
    gt_linear lower;
    gt_bend sag;
} lower_bound;

/** Returns an upper bound of the sum of l_i l_k over all sides. */
static double share_of_sides(const gt_simplex *s)
{
    return s->corners == 3 ? 1.0 / 3 : 3.0 / 8;
}

/** Returns the sum over all corners of the upper bound minus a linear function, where this is
 * positive. */
static double loss_of(const gt_simplex *s, const gt_linear *function, const gt_linear *upper)
{
    double loss = 0;
    for (int k = 0; k < s->corners; k++) {
        loss += base_larger(upper->at[k] - function->at[k], 0);
    }
    return loss;
}

/**
 * Returns a number `root` such that sqrt(distance^2 - P) >= distance - P / root for all distances
 * >= least and all P <= q.
 */
static double root_of(double least, double q)
{
    const double square = least * least - q;
    return least + (square > 0 ? sqrt(square) : 0);
}

/** Fills a lower bound of |sum l_i v_i| from the lengths |v_i|, by equation (*) of simplex.h. */
static void below_norm(const gt_simplex *s, const vec3 v[GT_SIMPLEX_CORNERS], double q,
                       lower_bound *function)
{
    double least = INFINITY;
    for (int k = 0; k < s->corners; k++) {
        function->lower.at[k] = vec3_norm(v[k]);
        least = base_smaller(function->lower.at[k], least);
    }
    const double root = root_of(least, q);
    for (int i = 0, side = 0; i < s->corners; i++) {
        for (int k = 0; k < i; k++, side++) {
            const double change = function->lower.at[i] - function->lower.at[k];
            const double c = vec3_distance2(v[i], v[k]) - change * change;
            function->sag.at[side] = c > 0 ? c / root : 0;
        }
    }
}

/** The plane of a face, and the heights of the corners over it. The side of the middle is
 * positive. */
typedef struct plane {
    vec3 origin, normal;
    double error;
    gt_linear height;
} plane;

static plane plane_of(gt_field *field, uint32_t face, const gt_simplex *s, vec3 middle)
{
    const gt_face_planes *const planes = planes_of(field, face);
    plane p = {.origin = gt_face_triangle(field, face).p[0],
               .normal = planes->normal,
               .error = planes->error};
    if (vec3_dot(p.normal, vec3_sub(middle, p.origin)) < 0) {
        p.normal = vec3_scale(-1, p.normal);
    }
    for (int k = 0; k < s->corners; k++) {
        const vec3 from = vec3_sub(s->corner[k], p.origin);
        p.height.at[k] = vec3_dot(p.normal, from) - p.error * above_norm(from);
    }
    return p;
}

/** Returns how far a triangle rises above a plane. It is 0 if the triangle is behind the plane. */
static double rise_above(const plane *p, const geo_triangle *t)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 from = vec3_sub(t->p[k], p->origin);
        most = base_larger(vec3_dot(p->normal, from) + p->error * above_norm(from), most);
    }
    return most;
}

/** Returns the tangent, at the middle, of the distance from a triangle. It is lowered by the error
 * bound of its direction. */
static gt_linear tangent_to(const gt_field *field, const geo_triangle *t, const gt_simplex *s,
                            vec3 middle)
{
    const vec3 off = vec3_sub(middle, geo_triangle_closest(*t, middle));
    const double distance = vec3_norm(off), divisor = base_larger(field->distance_m, distance);
    const double error = 0.25 * field->distance_m / divisor;
    gt_linear tangent = {{0}};
    for (int k = 0; k < s->corners; k++) {
        const vec3 way = vec3_sub(s->corner[k], middle);
        tangent.at[k] = distance + vec3_dot(way, off) / divisor - error * above_norm(way);
    }
    return tangent;
}

/** Fills the vectors from the line of an edge to the corners. Returns false if it is not certain
 * that all corners are beyond the wall at this edge. */
static bool leave_edge(const gt_simplex *s, const geo_triangle *t, const gt_face_planes *planes,
                       int wall, vec3 away[GT_SIMPLEX_CORNERS])
{
    const vec3 p = t->p[wall], edge = vec3_normalize(vec3_sub(t->p[wall == 2 ? 0 : wall + 1], p));
    const vec3 outward = vec3_cross(edge, planes->normal);
    for (int k = 0; k < s->corners; k++) {
        const vec3 from = vec3_sub(s->corner[k], p);
        if (!(vec3_dot(outward, from) > planes->error * above_norm(from))) {
            return false;
        }
        away[k] = vec3_madd(from, -vec3_dot(edge, from), edge);
    }
    return true;
}

/** Returns the function linear - bend of a triangle, restricted to one of its parts: the values at
 * the corners of the part. */
static gt_linear on_part(const gt_linear *linear, const gt_bend *bend, int part)
{
    const double *const at = linear->at, *const b = bend->at; /* sides 10, 20, 21 */
    const double middle[3] = {0.5 * (at[1] + at[2]) - 0.25 * b[2],
                              0.5 * (at[0] + at[2]) - 0.25 * b[1],
                              0.5 * (at[0] + at[1]) - 0.25 * b[0]};
    switch (part) {
    case 0:
        return (gt_linear){{at[0], middle[2], middle[1]}};
    case 1:
        return (gt_linear){{middle[2], at[1], middle[0]}};
    case 2:
        return (gt_linear){{middle[1], middle[0], at[2]}};
    default:
        return (gt_linear){{middle[0], middle[1], middle[2]}};
    }
}

/** Returns the bend of a triangle, restricted to any of its parts. */
static gt_bend quarter(const gt_bend *bend)
{
    return (gt_bend){{0.25 * bend->at[0], 0.25 * bend->at[1], 0.25 * bend->at[2]}};
}

/** The data from which the lower bound of a simplex is computed. */
typedef struct lowering {
    const gt_linear *upper;
    plane nearest; /* plane of the face that gives the upper bound */
    vec3 middle;
    double q;
    /* The least values so far of the functions below the distances from faces: at the corners, and
     * for a triangle also in the middles of the sides 10, 20, 21. */
    double corner[GT_SIMPLEX_CORNERS], side[3];
    gt_bend sag; /* of the whole simplex */
} lowering;

/**
 * Lowers the bound to below the distance from a face. Of the available functions below that
 * distance, it uses the one with the least loss. A function that is nowhere below the upper bound
 * by more than rounding is used at once. Returns true if the face may be nearer than the upper
 * bound.
 */
static bool lower_by_face(gt_field *field, uint32_t face, const view *seen, const gt_simplex *s,
                          lowering *l)
{
    const geo_triangle t = gt_face_triangle(field, face);
    const double rise = rise_above(&l->nearest, &t), enough = field->distance_m;
    gt_linear best = l->nearest.height;
    for (int k = 0; k < s->corners; k++) {
        best.at[k] -= rise;
    }
    double least = loss_of(s, &best, l->upper);
    if (least > enough) {
        const gt_linear own = plane_of(field, face, s, l->middle).height;
        const double loss = loss_of(s, &own, l->upper);
        best = loss < least ? own : best;
        least = base_smaller(least, loss);
    }
    if (least > enough && !seen->inside) {
        const gt_linear tangent = tangent_to(field, &t, s, l->middle);
        const double loss = loss_of(s, &tangent, l->upper);
        best = loss < least ? tangent : best;
        least = base_smaller(least, loss);
    }
    const gt_bend *sag = NULL;
    lower_bound edge[3];
    for (int wall = 0; wall < 3 && least > enough; wall++) {
        vec3 away[GT_SIMPLEX_CORNERS];
        if ((seen->beyond & 1u << wall) && leave_edge(s, &t, planes_of(field, face), wall, away)) {
            below_norm(s, away, l->q, &edge[wall]);
            const double bend = gt_bend_sum(&edge[wall].sag, s->corners) / (s->corners + 1);
            const double loss = loss_of(s, &edge[wall].lower, l->upper) + bend;
            sag = loss < least ? &edge[wall].sag : sag;
            best = loss < least ? edge[wall].lower : best;
            least = base_smaller(least, loss);
        }
    }
    for (int i = 0, side = 0; i < s->corners; i++) {
        l->corner[i] = base_smaller(best.at[i], l->corner[i]);
        for (int k = 0; k < i; k++, side++) {
            if (s->corners == 3) {
                const double middle = 0.5 * (best.at[i] + best.at[k]);
                const double lowered = sag ? 0.25 * sag->at[side] : 0;
                l->side[side] = base_smaller(middle - lowered, l->side[side]);
            }
            l->sag.at[side] = sag ? base_larger(sag->at[side], l->sag.at[side]) : l->sag.at[side];
        }
    }
    return least > enough;
}

static bool is_nearest_to_corner(const gt_simplex *s, uint32_t face)
{
    bool found = false;
    for (int k = 0; k < s->corners; k++) {
        found = found || s->face[k] == face;
    }
    return found;
}

/**
 * Finds functions below the distances from all faces that may be nearest. Makes the list or
 * shortens it, and adds the upper bound that is given by the face on it that seems to be nearest to
 * the middle. Returns false if there is no list or memory is short.
 */
static bool find_lower(gt_field *field, gt_simplex *s, double q, upper_bounds *uppers, lowering *l)
{
    uint32_t faces[GT_LIST_MAX], kept = 0;
    view views[GT_LIST_MAX];
    if (!find_list(field, s, &uppers->by[uppers->least].upper, q, faces, views) ||
        base_reserve(field->lists, field->list_capacity, field->list_count + s->listed, NULL) !=
            BASE_OK) {
        return false;
    }
    l->q = q;
    l->middle = middle_of(s);
    const wide_point point = make_point(field, l->middle);
    float nearest2 = INFINITY;
    uint32_t nearest = s->face[0];
    for (uint32_t i = 0; i < s->listed; i++) {
        const float distance2 = below_distance2(heights_over(planes_of(field, faces[i]), &point));
        if (distance2 < nearest2) {
            nearest2 = distance2;
            nearest = faces[i];
        }
    }
    if (!is_nearest_to_corner(s, nearest)) {
        add_upper(field, s, nearest, uppers);
    }
    const upper_bound *const upper = &uppers->by[uppers->least];
    l->upper = &upper->upper;
    l->nearest = plane_of(field, upper->face, s, l->middle);
    l->sag = (gt_bend){{0}};
    for (int i = 0, side = 0; i < s->corners; i++) {
        l->corner[i] = upper->upper.at[i];
        for (int k = 0; k < i && s->corners == 3; k++, side++) {
            l->side[side] = 0.5 * (upper->upper.at[i] + upper->upper.at[k]);
        }
    }
    s->list = field->list_count;
    for (uint32_t i = 0; i < s->listed; i++) {
        if (lower_by_face(field, faces[i], &views[i], s, l) || faces[i] == upper->face) {
            field->lists[s->list + kept++] = faces[i];
        }
    }
    s->listed = kept;
    field->list_count += kept;
    return true;
}

/** Fills the lower bound given by the corners alone. */
static void below_corners(const gt_simplex *s, double q, lower_bound *function)
{
    double least = INFINITY;
    for (int k = 0; k < s->corners; k++) {
        function->lower.at[k] = s->distance[k];
        least = base_smaller(s->distance[k], least);
    }
    const double root = root_of(least, q);
    for (int i = 0, side = 0; i < s->corners; i++) {
        for (int k = 0; k < i; k++, side++) {
            const double change = s->distance[i] - s->distance[k];
            const double c = vec3_distance2(s->corner[i], s->corner[k]) - change * change;
            function->sag.at[side] = c > 0 ? c / root : 0; /* infinite if a distance is 0 */
        }
    }
}

/** Fills the bounds of one part of a triangle that has a list. They are the best ones on that
 * part. */
static void bound_part(const gt_simplex *s, const upper_bounds *uppers, const lower_bound *corners,
                       const lowering *l, int part, gt_simplex_bounds *bounds)
{
    const double *const at = l->corner, *const side = l->side;
    const double lower[GT_PARTS][3] = {{at[0], side[0], side[1]},
                                       {side[0], at[1], side[2]},
                                       {side[1], side[2], at[2]},
                                       {side[2], side[1], side[0]}};
    bounds->sag = quarter(&l->sag);
    for (int k = 0; k < 3; k++) {
        bounds->lower.at[k] = lower[part][k];
    }
    const gt_linear by_corners = on_part(&corners->lower, &corners->sag, part);
    const gt_bend sag = quarter(&corners->sag);
    if (mean_of(s, &by_corners, &sag) > mean_of(s, &bounds->lower, &bounds->sag)) {
        bounds->lower = by_corners;
        bounds->sag = sag;
    }
    double least = INFINITY;
    for (int i = 0; i < uppers->count; i++) {
        const upper_bound *const b = &uppers->by[i];
        const gt_linear upper = on_part(&b->upper, &b->dip, part);
        const gt_bend dip = quarter(&b->dip);
        const double mean = mean_of(s, &upper, &dip);
        if (mean < least) {
            least = mean;
            bounds->face = b->face;
            bounds->upper = upper;
            bounds->dip = dip;
        }
    }
}

int gt_simplex_bound(gt_field *field, gt_simplex *s, double enough,
                     gt_simplex_bounds parts[GT_PARTS])
{
    double longest2 = 0;
    for (int i = 0; i < s->corners; i++) {
        for (int k = 0; k < i; k++) {
            longest2 = base_larger(vec3_distance2(s->corner[i], s->corner[k]), longest2);
        }
    }
    const double q = share_of_sides(s) * longest2;
    upper_bounds uppers;
    lower_bound best, corners;
    lowering l;
    find_uppers(field, s, &uppers);
    below_corners(s, q, &corners);
    const double below = mean_of(s, &corners.lower, &corners.sag);
    const double most = base_larger(below, 0), above = uppers.by[uppers.least].mean;
    const double width = s->measure * (above - most);
    /* A linear lower bound is nowhere above the linear function of the corners' distances. */
    const double excess = s->measure * (above - sum_of(s, s->distance) / s->corners);
    const bool useful = enough < 0 || (width > enough && excess < HOPELESS * enough);
    const bool listed = useful && find_lower(field, s, q, &uppers, &l);
    if (listed && s->corners == 3) {
        for (int part = 0; part < GT_PARTS; part++) {
            bound_part(s, &uppers, &corners, &l, part, &parts[part]);
        }
        return GT_PARTS;
    }
    best = below > 0 ? corners : (lower_bound){{{0}}, {{0}}};
    if (listed) {
        lower_bound by_faces = {.sag = l.sag};
        memcpy(by_faces.lower.at, l.corner, sizeof l.corner);
        best = mean_of(s, &by_faces.lower, &by_faces.sag) > most ? by_faces : best;
    }
    const upper_bound *const b = &uppers.by[uppers.least];
    parts[0] = (gt_simplex_bounds){b->upper, best.lower, b->dip, best.sag, b->face};
    return 1;
}

/* --- Cuts ------------------------------------------------------------------------------------- */

/**
 * Finds a point on the side from..to where the distances from the faces nearest to its ends are
 * equal. Returns its place as a share of the side. Uses false position (Illinois), which finds a
 * change between two planes in one step.
 */
static double find_change(const gt_field *field, const gt_simplex *s, int from, int to,
                          double excess)
{
    const vec3 way = vec3_sub(s->corner[to], s->corner[from]);
    double lo = 0, hi = 1, at = 0.5;
    double below = s->distance[from] - face_distance(field, s->face[to], s->corner[from]);
    double above = excess;
    int kept = 0; /* the end that stayed in the last step: 1 for lo, -1 for hi */
    for (int i = 0; i < 60 && below < 0; i++) {
        at = lo - (hi - lo) * below / (above - below);
        const vec3 x = vec3_madd(s->corner[from], at, way);
        const double change =
            face_distance(field, s->face[from], x) - face_distance(field, s->face[to], x);
        if (fabs(change) <= 0.01 * field->distance_m) {
            break;
        }
        if (change > 0) {
            below *= kept == 1 ? 0.5 : 1;
            hi = at;
            above = change;
            kept = 1;
        } else {
            above *= kept == -1 ? 0.5 : 1;
            lo = at;
            below = change;
            kept = -1;
        }
    }
    return at;
}

static void cut_at(gt_field *field, const gt_simplex *whole, int from, int to, double at,
                   gt_simplex parts[2])
{
    parts[0] = parts[1] = *whole;
    parts[0].unlisted_cuts = parts[1].unlisted_cuts -= whole->unlisted_cuts > 0;
    parts[0].measure = at * whole->measure;
    parts[1].measure = whole->measure - parts[0].measure;
    const vec3 way = vec3_sub(whole->corner[to], whole->corner[from]);
    parts[0].corner[to] = parts[1].corner[from] = vec3_madd(whole->corner[from], at, way);
    gt_simplex_measure(field, &parts[0], to, whole->face[at < 0.5 ? from : to]);
    parts[1].foot[from] = parts[0].foot[to];
    parts[1].distance[from] = parts[0].distance[to];
    parts[1].face[from] = parts[0].face[to];
}

void gt_prism_heights(const geo_triangle *t, vec3 normal, int wall, const gt_simplex *s,
                      double height[GT_SIMPLEX_CORNERS])
{
    const vec3 p = t->p[wall], edge = vec3_sub(t->p[(wall + 1) % 3], p);
    const vec3 outward = vec3_normalize(vec3_cross(edge, normal));
    for (int k = 0; k < s->corners; k++) {
        height[k] = vec3_dot(outward, vec3_sub(s->corner[k], p));
    }
}

/** A side of a simplex, and a point on it as a share of its length. */
typedef struct place {
    int from, to;
    double at;
} place;

/** Finds where a wall of the prism across a face crosses a side to the corner cut->to. Returns
 * false if that corner is not beyond a wall that has another corner on its inner side. */
static bool find_wall(const gt_field *field, const gt_simplex *s, uint32_t face, place *cut)
{
    const geo_triangle t = gt_face_triangle(field, face);
    const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    double most = field->distance_m;
    for (int wall = 0; wall < 3; wall++) {
        double height[GT_SIMPLEX_CORNERS];
        gt_prism_heights(&t, normal, wall, s, height);
        int from = 0;
        for (int k = 1; k < s->corners; k++) {
            from = height[k] < height[from] ? k : from;
        }
        if (height[cut->to] > most && height[from] < -field->distance_m) {
            most = height[cut->to];
            cut->from = from;
            cut->at = height[from] / (height[from] - most);
        }
    }
    return most > field->distance_m;
}

/** Cuts at a place. Returns false if the distance there is smaller than that from the given face,
 * because a third face is nearer, or if the place is at an end of the side. */
static bool try_cut(gt_field *field, const gt_simplex *whole, uint32_t face, const place *cut,
                    gt_simplex parts[2])
{
    if (cut->at < 1e-9 || cut->at > 1 - 1e-9) {
        return false;
    }
    cut_at(field, whole, cut->from, cut->to, cut->at, parts);
    const double nearest = parts[0].distance[cut->to];
    const double expected = face_distance(field, face, parts[0].corner[cut->to]);
    parts[0].cuts = parts[1].cuts = whole->cuts + 1;
    return nearest >= (1 - 1e-9) * expected - field->distance_m;
}

/**
 * Cuts where the nearest face changes from that of the upper bound to that of the corner with the
 * largest excess. Tries a wall of the prism across the face first, then the place where the
 * distances from both faces are equal. Returns false if neither is possible, or if a third face is
 * nearer in between.
 */
static bool cut_at_change(gt_field *field, const gt_simplex *whole, gt_simplex parts[2])
{
    upper_bounds uppers;
    find_uppers(field, whole, &uppers);
    const upper_bound *const upper = &uppers.by[uppers.least];
    place cut = {-1, -1, 0};
    double most = field->distance_m;
    for (int k = 0; k < whole->corners; k++) {
        const double excess = upper->upper.at[k] - whole->distance[k];
        cut.from = whole->face[k] == upper->face ? k : cut.from;
        if (excess > most) {
            most = excess;
            cut.to = k;
        }
    }
    if (cut.to < 0) {
        return false;
    }
    place wall = cut;
    if (find_wall(field, whole, upper->face, &wall) &&
        try_cut(field, whole, upper->face, &wall, parts)) {
        return true;
    }
    cut.at = find_change(field, whole, cut.from, cut.to, most);
    return try_cut(field, whole, upper->face, &cut, parts);
}

void gt_simplex_cut(gt_field *field, const gt_simplex *whole, gt_simplex parts[2])
{
    if (whole->listed != GT_UNLISTED && whole->cuts < CUTS_MAX &&
        cut_at_change(field, whole, parts)) {
        return;
    }
    int from = 0, to = 1;
    double longest2 = 0;
    for (int i = 0; i < whole->corners; i++) {
        for (int k = 0; k < i; k++) {
            const double side2 = vec3_distance2(whole->corner[k], whole->corner[i]);
            if (side2 > longest2) {
                longest2 = side2;
                from = k;
                to = i;
            }
        }
    }
    cut_at(field, whole, from, to, 0.5, parts);
    parts[0].cuts = parts[1].cuts = 0;
}
