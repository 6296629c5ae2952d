#include "geometry/cylinder.h"

#include "base/elementary.h"

/* The rounding of a float normal lengthens it by less than this. */
#define SHORTEN (1 - 0x1p-22)
/* The rounding errors of the doubles that measure the cylinder are far smaller than this. */
#define WIDEN (1 + 0x1p-40)

enum { CIRCLE_PASSES = 32 };

typedef struct cylinder {
    vec3 centre, normal; /* values of floats */
    double thickness, radius;
} cylinder;

/**
 * Returns the area-weighted mean normal; any direction for a closed or empty piece, for which a
 * cylinder is of little use.
 */
static vec3 mean_normal(const geo_triangle *triangles, size_t count)
{
    vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const geo_triangle *const t = &triangles[i];
        sum = vec3_add(sum, vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0])));
    }
    const vec3 unit = vec3_normalize(sum);
    return vec3_norm2(unit) > 0.5 ? unit : (vec3){0, 0, 1};
}

/** Returns a unit vector orthogonal to n: the axis along which n is smallest, made orthogonal. */
static vec3 across(vec3 n)
{
    const vec3 a = vec3_abs(n);
    const vec3 axis = a.x <= a.y && a.x <= a.z ? (vec3){1, 0, 0}
                      : a.y <= a.z             ? (vec3){0, 1, 0}
                                               : (vec3){0, 0, 1};
    return vec3_normalize(vec3_cross(n, axis));
}

static vec3 to_float(vec3 v)
{
    return (vec3){(double)(float)v.x, (double)(float)v.y, (double)(float)v.z};
}

/* --- The smallest circle ---------------------------------------------------------------------- */

typedef struct point2 {
    double x, y;
} point2;

typedef struct circle {
    point2 centre;
    double radius2;
    point2 on[3]; /* the points that define the circle */
    int count;
} circle;

static double away2(point2 p, point2 q)
{
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
}

/**
 * Returns the circle through two or three points; the radius is infinite if three points are
 * collinear.
 */
static circle circle_through(const point2 *on, int count)
{
    circle c = {.count = count};
    for (int i = 0; i < count; i++) {
        c.on[i] = on[i];
    }
    const point2 u = {on[1].x - on[0].x, on[1].y - on[0].y};
    c.centre = (point2){on[0].x + 0.5 * u.x, on[0].y + 0.5 * u.y};
    c.radius2 = away2(c.centre, on[0]);
    if (count == 3) {
        const point2 v = {on[2].x - on[0].x, on[2].y - on[0].y};
        const double cross = 2 * (u.x * v.y - u.y * v.x);
        const double u2 = u.x * u.x + u.y * u.y, v2 = v.x * v.x + v.y * v.y;
        const point2 e = {(v.y * u2 - u.y * v2) / cross, (u.x * v2 - v.x * u2) / cross};
        c.centre = (point2){on[0].x + e.x, on[0].y + e.y};
        c.radius2 = cross != 0 ? e.x * e.x + e.y * e.y : (double)INFINITY;
    }
    return c;
}

/** Returns the smallest circle around the points of c and one more, which is on it. */
static circle circle_with(const circle *c, point2 p)
{
    circle best = {.radius2 = (double)INFINITY};
    for (int i = 0; i < c->count; i++) {
        for (int j = i; j < c->count; j++) {
            const point2 on[3] = {p, c->on[i], c->on[j]};
            const circle next = circle_through(on, i == j ? 2 : 3);
            bool holds = next.radius2 < best.radius2;
            for (int k = 0; k < c->count; k++) {
                holds = holds && away2(next.centre, c->on[k]) <= next.radius2 * (1 + 1e-8);
            }
            best = holds ? next : best;
        }
    }
    return best;
}

static point2 flatten(const vec3 axis[3], vec3 e)
{
    return (point2){vec3_dot(axis[0], e), vec3_dot(axis[1], e)};
}

/**
 * Returns the centre of the smallest circle around all corners, projected along axis[2], relative
 * to triangles[0].p[0]. It adds the farthest corner while one is outside. If rounding ends this
 * early, the circle is still a good one, and the caller measures its radius.
 */
static point2 middle_across(const geo_triangle *triangles, size_t count, const vec3 axis[3])
{
    const vec3 origin = triangles[0].p[0];
    circle c = {.radius2 = 0, .count = 1};
    for (int pass = 0; pass < CIRCLE_PASSES; pass++) {
        point2 farthest = c.centre;
        double most2 = c.radius2 * (1 + 1e-6);
        for (size_t i = 0; i < 3 * count; i++) {
            const point2 p = flatten(axis, vec3_sub(triangles[i / 3].p[i % 3], origin));
            const double d2 = away2(c.centre, p);
            if (d2 > most2) {
                most2 = d2;
                farthest = p;
            }
        }
        const circle next = circle_with(&c, farthest);
        if (!(next.radius2 > c.radius2 && next.radius2 <= most2)) {
            break;
        }
        c = next;
    }
    return c.centre;
}

/**
 * Returns the centre of the smallest circle across the normal axis[2], at the middle of the extent
 * along it.
 */
static vec3 middle(const geo_triangle *triangles, size_t count, const vec3 axis[3])
{
    const vec3 origin = triangles[0].p[0];
    double lo = 0, hi = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const double z = vec3_dot(axis[2], vec3_sub(triangles[i / 3].p[i % 3], origin));
        lo = z < lo ? z : lo;
        hi = z > hi ? z : hi;
    }
    const point2 across = middle_across(triangles, count, axis);
    const vec3 offset = vec3_madd(vec3_scale(across.x, axis[0]), across.y, axis[1]);
    return vec3_add(origin, vec3_madd(offset, 0.5 * (lo + hi), axis[2]));
}

/* --- Cylinders -------------------------------------------------------------------------------- */

static cylinder fit(const geo_triangle *triangles, size_t count)
{
    vec3 axis[3];
    axis[2] = mean_normal(triangles, count);
    axis[0] = across(axis[2]);
    axis[1] = vec3_cross(axis[2], axis[0]);
    cylinder d = {.centre = to_float(middle(triangles, count, axis)),
                  .normal = to_float(vec3_scale(SHORTEN, axis[2]))};
    const vec3 unit = vec3_normalize(d.normal);
    double radius2 = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const vec3 e = vec3_sub(triangles[i / 3].p[i % 3], d.centre);
        const double along = fabs(vec3_dot(d.normal, e));
        const double away2 = vec3_norm2(vec3_cross(unit, e));
        d.thickness = along > d.thickness ? along : d.thickness;
        radius2 = away2 > radius2 ? away2 : radius2;
    }
    d.thickness *= WIDEN;
    d.radius = sqrt(radius2) * WIDEN;
    return d;
}

static void set_lane(geo_cylinder_node *node, int lane, const cylinder *d)
{
    for (int k = 0; k < 3; k++) {
        node->centre[k][lane] = (float)vec3_get(d->centre, k);
        node->normal[k][lane] = (float)vec3_get(d->normal, k);
    }
    node->thickness[lane] = base_float_above(d->thickness);
    node->radius[lane] = base_float_above(d->radius);
}

void geo_cylinder_fit(const geo_triangle *triangles, size_t count, geo_cylinder_node *node,
                      int lane)
{
    const cylinder d = fit(triangles, count);
    set_lane(node, lane, &d);
}

/** Places [begin, end) of the order. */
typedef struct places {
    uint32_t begin, end;
} places;

/** Fills the node and those below it; returns the places of its triangles, which are contiguous. */
static places fill_node(const geo_bvh *bvh, const geo_triangle *triangles, uint32_t index,
                        geo_cylinder_node *cylinders)
{
    const geo_bvh_node *const node = &bvh->nodes[index];
    places all = {UINT32_MAX, 0};
    for (int lane = 0; lane < GEO_BVH_WIDTH && geo_bvh_lane_used(node, lane); lane++) {
        const uint32_t first = node->first[lane], count = node->count[lane];
        const places here = count > 0 ? (places){first, first + count}
                                      : fill_node(bvh, triangles, first, cylinders);
        geo_cylinder_fit(&triangles[here.begin], here.end - here.begin, &cylinders[index], lane);
        all.begin = here.begin < all.begin ? here.begin : all.begin;
        all.end = here.end > all.end ? here.end : all.end;
    }
    return all;
}

base_status geo_cylinders_build(const geo_bvh *bvh, const geo_triangle *triangles,
                                base_arena *arena, geo_cylinder_node **cylinders, base_error *err)
{
    *cylinders = base_arena_alloc(arena, bvh->node_count, sizeof **cylinders);
    if (!*cylinders) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the cylinders of %u nodes",
                         bvh->node_count);
    }
    fill_node(bvh, triangles, 0, *cylinders);
    return BASE_OK;
}
