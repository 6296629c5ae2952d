#include "groundtruth/force/simplex.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/triangle.h"

#include <float.h>
#include <string.h>

/** A rounding: half a unit in the last place of 1. */
#define UNIT 0x1p-53

enum {
    CUTS_MAX = 6,   /* in a row where the nearest face changes; then the longest side is halved */
    LIST_PAUSE = 3, /* cuts of a simplex with too many faces before its parts are asked again */
};

static double sum_of(const gt_simplex *s, const double *values)
{
    double sum = 0;
    for (int k = 0; k < s->corners; k++) {
        sum += values[k];
    }
    return sum;
}

double gt_face_distance(const gt_field *field, uint32_t face, vec3 p)
{
    const geo_triangle t = geo_mesh_triangle(field->surface->mesh, face);
    return vec3_distance(geo_triangle_closest(t, p), p);
}

double gt_simplex_sides(const gt_simplex *s, double side2[GT_SIMPLEX_CORNERS][GT_SIMPLEX_CORNERS])
{
    double sum = 0;
    for (int i = 0; i < s->corners; i++) {
        side2[i][i] = 0;
        for (int k = 0; k < i; k++) {
            side2[i][k] = side2[k][i] = vec3_distance2(s->corner[i], s->corner[k]);
            sum += side2[i][k];
        }
    }
    return sum;
}

/** By the list where there is one, else by the hierarchy. */
void gt_simplex_measure(const gt_field *field, gt_simplex *s, int corner, uint32_t hint)
{
    const vec3 p = s->corner[corner];
    if (s->listed == GT_UNLISTED || s->listed == 0) {
        const geo_closest closest = geo_surface_closest(field->surface, p, hint);
        s->distance[corner] = sqrt(closest.distance2);
        s->face[corner] = closest.face;
        return;
    }
    s->distance[corner] = INFINITY;
    for (uint32_t i = 0; i < s->listed; i++) {
        const uint32_t face = field->lists[s->list + i];
        const double distance = gt_face_distance(field, face, p);
        if (distance < s->distance[corner]) {
            s->distance[corner] = distance;
            s->face[corner] = face;
        }
    }
}

/* --- Faces that may be nearest ---------------------------------------------------------------- */

/** Lists the faces whose boxes are within a radius of p. Returns their number; above GT_LIST_MAX
 * they are not all listed. */
static uint32_t list_near(const geo_surface *surface, vec3 p, double radius,
                          uint32_t faces[GT_LIST_MAX])
{
    const f32x8 zero = f32x8_set(0);
    const double limit2 = radius * radius * (1 + 0x1p-20) + (double)FLT_MIN;
    const f32x8 limit = f32x8_set(base_float_above(limit2));
    f32x8 below[3], above[3];
    for (int axis = 0; axis < 3; axis++) {
        below[axis] = f32x8_set(base_float_below(vec3_get(p, axis)));
        above[axis] = f32x8_set(base_float_above(vec3_get(p, axis)));
    }
    uint32_t stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH], count = 0;
    size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const geo_bvh_node *const node = &surface->bvh.nodes[stack[--top]];
        f32x8 sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), above[axis]);
            const f32x8 over = f32x8_sub(below[axis], f32x8_load(node->hi[axis]));
            const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
            sum = f32x8_add(sum, f32x8_mul(gap, gap));
        }
        /* Lanes that are not used are infinitely far. */
        for (unsigned left = m32x8_bits(f32x8_le(sum, limit)); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (node->count[lane] == 0) {
                stack[top++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                if (count == GT_LIST_MAX) {
                    return GT_LIST_MAX + 1;
                }
                faces[count++] = surface->bvh.order[node->first[lane] + i];
            }
        }
    }
    return count;
}

/** The least of the corner values of a linear function less an upper bound. */
static double least_above(const gt_simplex *s, const gt_linear *function, const gt_linear *upper)
{
    double least = INFINITY;
    for (int k = 0; k < s->corners; k++) {
        least = fmin(least, function->at[k] - upper->at[k]);
    }
    return least;
}

/** A linear function below the distance from one face: its tangent at the middle of the simplex, or
 * the distance from the face's plane, whichever is nearer to the upper bound at its worst corner.
 * Each is lowered by what its direction may be off by, times the way. */
static gt_linear below_face(const gt_field *field, uint32_t face, const gt_simplex *s,
                            const gt_linear *upper, vec3 middle)
{
    const geo_triangle t = geo_mesh_triangle(field->surface->mesh, face);
    const vec3 off = vec3_sub(middle, geo_triangle_closest(t, middle));
    const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
    const vec3 across = vec3_cross(u, v), normal = vec3_normalize(across);
    const double distance = vec3_norm(off), area2 = vec3_norm(across);
    const double side = vec3_dot(normal, off) < 0 ? -1 : 1;
    const double foot_error = 0.25 * field->distance_m / fmax(distance, field->distance_m);
    const double normal_error = 16 * UNIT * vec3_norm(u) * vec3_norm(v) / area2;
    gt_linear tangent, plane;
    for (int k = 0; k < s->corners; k++) {
        const vec3 way = vec3_sub(s->corner[k], middle), from = vec3_sub(s->corner[k], t.p[0]);
        tangent.at[k] = distance + vec3_dot(way, off) / fmax(distance, field->distance_m) -
                        foot_error * vec3_norm(way);
        plane.at[k] = side * vec3_dot(normal, from) - normal_error * vec3_norm(from);
    }
    return least_above(s, &plane, upper) >= least_above(s, &tangent, upper) ? plane : tangent;
}

/** Lists the faces that may be nearest to a point of a simplex without a list. */
static bool make_list(const gt_field *field, gt_simplex *s, const gt_linear *upper, vec3 middle,
                      uint32_t faces[GT_LIST_MAX])
{
    double radius = 0, most = 0;
    for (int k = 0; k < s->corners; k++) {
        radius = fmax(radius, vec3_distance(s->corner[k], middle));
        most = fmax(most, upper->at[k]);
    }
    const uint32_t count =
        list_near(field->surface, middle, radius + most + field->distance_m, faces);
    if (count > GT_LIST_MAX) {
        s->unlisted_cuts = LIST_PAUSE;
        return false;
    }
    s->listed = count;
    return true;
}

/** Makes or shortens the list, and finds the linear function below the distances from all faces on
 * it. Returns false where there are too many, or no memory. */
static bool find_lower(gt_field *field, gt_simplex *s, const gt_simplex_bounds *bounds,
                       gt_linear *lower)
{
    vec3 sum = s->corner[0];
    for (int k = 1; k < s->corners; k++) {
        sum = vec3_add(sum, s->corner[k]);
    }
    const vec3 middle = vec3_scale(1.0 / s->corners, sum);
    const gt_linear *const upper = &bounds->upper;
    uint32_t faces[GT_LIST_MAX], kept = 0;
    if (s->listed != GT_UNLISTED) {
        memcpy(faces, &field->lists[s->list], s->listed * sizeof *faces);
    } else if (s->unlisted_cuts > 0 || !make_list(field, s, upper, middle, faces)) {
        return false;
    }
    if (base_reserve(field->lists, field->list_capacity, field->list_count + s->listed, NULL) !=
        BASE_OK) {
        return false;
    }
    *lower = *upper;
    s->list = field->list_count;
    for (uint32_t i = 0; i < s->listed; i++) {
        const gt_linear below = below_face(field, faces[i], s, upper, middle);
        bool nearer = faces[i] == bounds->face;
        for (int k = 0; k < s->corners; k++) {
            nearer = nearer || below.at[k] < upper->at[k] - field->distance_m;
            lower->at[k] = fmin(lower->at[k], below.at[k]);
        }
        if (nearer) {
            field->lists[s->list + kept++] = faces[i];
        }
    }
    s->listed = kept;
    field->list_count += kept;
    return true;
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/** The least linear function above the distance that the nearest face of a corner gives. */
static void find_upper(const gt_field *field, const gt_simplex *s, gt_simplex_bounds *bounds)
{
    double best = INFINITY;
    for (int i = 0; i < s->corners; i++) {
        gt_linear values;
        bool again = false;
        for (int k = 0; k < s->corners; k++) {
            const bool known = s->face[k] == s->face[i];
            again = again || (known && k < i);
            values.at[k] = known ? s->distance[k] : (double)INFINITY;
        }
        for (int k = 0; k < s->corners && !again; k++) {
            if (s->face[k] != s->face[i]) {
                values.at[k] = gt_face_distance(field, s->face[i], s->corner[k]);
            }
        }
        if (!again && sum_of(s, values.at) < best) {
            best = sum_of(s, values.at);
            bounds->face = s->face[i];
            bounds->upper = values;
        }
    }
}

void gt_simplex_bound(gt_field *field, gt_simplex *s, bool list, double share,
                      gt_simplex_bounds *bounds)
{
    double side2[GT_SIMPLEX_CORNERS][GT_SIMPLEX_CORNERS], longest2 = 0, least = INFINITY;
    const double sum2 = gt_simplex_sides(s, side2);
    const int n = s->corners;
    find_upper(field, s, bounds);
    for (int i = 0; i < n; i++) {
        least = fmin(least, s->distance[i]);
        for (int k = 0; k < i; k++) {
            longest2 = fmax(longest2, side2[i][k]);
        }
    }
    const double ball2 = (n == 3 ? 1.0 / 3 : 3.0 / 8) * longest2, root2 = least * least - ball2;
    const double root = least + (root2 > 0 ? sqrt(root2) : 0);
    const double above = sum_of(s, bounds->upper.at) / n;
    /* the mean of Q is sum2 / (n (n + 1)) */
    const double round = root > 0 ? sum_of(s, s->distance) / n - sum2 / (n * (n + 1) * root) : 0;
    gt_linear lower;
    const bool listed =
        (list || above - round > share * above) && find_lower(field, s, bounds, &lower);
    const double flat = listed ? sum_of(s, lower.at) / n : 0;
    if (round > 0 && round >= flat) {
        memcpy(bounds->lower.at, s->distance, sizeof s->distance);
        bounds->root = root;
    } else {
        bounds->lower = flat > 0 ? lower : (gt_linear){{0}};
        bounds->root = INFINITY;
    }
}

/* --- Cuts ------------------------------------------------------------------------------------- */

/**
 * Where on the side from..to the distances from the nearest faces of its ends are equal, as a share
 * of the side: by false position (Illinois), which finds a change between two planes at once.
 */
static double find_change(const gt_field *field, const gt_simplex *s, int from, int to,
                          double excess)
{
    const vec3 way = vec3_sub(s->corner[to], s->corner[from]);
    double lo = 0, hi = 1, at = 0.5;
    double below = s->distance[from] - gt_face_distance(field, s->face[to], s->corner[from]);
    double above = excess;
    int kept = 0; /* the end that stayed: 1 for lo, -1 for hi */
    for (int i = 0; i < 60 && below < 0; i++) {
        at = lo - (hi - lo) * below / (above - below);
        const vec3 x = vec3_madd(s->corner[from], at, way);
        const double change =
            gt_face_distance(field, s->face[from], x) - gt_face_distance(field, s->face[to], x);
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

static void cut_at(const gt_field *field, const gt_simplex *whole, int from, int to, double at,
                   gt_simplex parts[2])
{
    parts[0] = parts[1] = *whole;
    parts[0].unlisted_cuts = parts[1].unlisted_cuts -= whole->unlisted_cuts > 0;
    parts[0].measure = at * whole->measure;
    parts[1].measure = whole->measure - parts[0].measure;
    const vec3 way = vec3_sub(whole->corner[to], whole->corner[from]);
    parts[0].corner[to] = parts[1].corner[from] = vec3_madd(whole->corner[from], at, way);
    gt_simplex_measure(field, &parts[0], to, whole->face[at < 0.5 ? from : to]);
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

/** A side of a simplex, and a place on it as a share. */
typedef struct place {
    int from, to;
    double at;
} place;

/** Where a wall of the prism across a face crosses the side to a corner that is beyond it; false
 * where the corner is not, or no other one is inside. */
static bool find_wall(const gt_field *field, const gt_simplex *s, uint32_t face, place *cut)
{
    const geo_triangle t = geo_mesh_triangle(field->surface->mesh, face);
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

/**
 * Cuts where the nearest face changes from that of the upper bound to that of the corner where this
 * matters most: at a wall of the prism across the face, or else where the distances from both faces
 * are equal. False where this is not possible, or a third face is nearer in between.
 */
static bool cut_at_change(const gt_field *field, const gt_simplex *whole, gt_simplex parts[2])
{
    gt_simplex_bounds bounds;
    find_upper(field, whole, &bounds);
    place cut = {-1, -1, 0};
    double most = field->distance_m;
    for (int k = 0; k < whole->corners; k++) {
        const double excess = bounds.upper.at[k] - whole->distance[k];
        cut.from = whole->face[k] == bounds.face ? k : cut.from;
        if (excess > most) {
            most = excess;
            cut.to = k;
        }
    }
    if (cut.to >= 0 && !find_wall(field, whole, bounds.face, &cut)) {
        cut.at = find_change(field, whole, cut.from, cut.to, most);
    }
    if (cut.at < 1e-9 || cut.at > 1 - 1e-9) {
        return false;
    }
    cut_at(field, whole, cut.from, cut.to, cut.at, parts);
    const double nearest = parts[0].distance[cut.to];
    const double expected = gt_face_distance(field, bounds.face, parts[0].corner[cut.to]);
    parts[0].cuts = parts[1].cuts = whole->cuts + 1;
    return nearest >= (1 - 1e-9) * expected - field->distance_m;
}

void gt_simplex_cut(const gt_field *field, const gt_simplex *whole, gt_simplex parts[2])
{
    if (whole->cuts < CUTS_MAX && cut_at_change(field, whole, parts)) {
        return;
    }
    double side2[GT_SIMPLEX_CORNERS][GT_SIMPLEX_CORNERS];
    gt_simplex_sides(whole, side2);
    int from = 0, to = 1;
    for (int i = 0; i < whole->corners; i++) {
        for (int k = 0; k < i; k++) {
            if (side2[k][i] > side2[from][to]) {
                from = k;
                to = i;
            }
        }
    }
    cut_at(field, whole, from, to, 0.5, parts);
    parts[0].cuts = parts[1].cuts = 0;
}
