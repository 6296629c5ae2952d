#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "geometry/surface.h"

/*
 * Parity of the crossings of a ray along +z. The ray and the surface are moved against each other
 * by an infinitely small (e, e^2, e^3): `toward` is +1 when that is the way of the point, -1 when
 * it is the way of the surface.
 */

enum { STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/** Sign of the turn a, b, p in x and y after the move. 0 if a and b coincide there. */
static int turn_moved(vec3 a, vec3 b, vec3 p, int toward)
{
    const int sign =
        geo_orient2d((double[2]){a.x, a.y}, (double[2]){b.x, b.y}, (double[2]){p.x, p.y});
    if (sign != 0) {
        return sign;
    }
    return toward * (b.y != a.y ? (b.y < a.y ? 1 : -1) : (b.x > a.x) - (b.x < a.x));
}

/** geo_orient3d of t and p after the move; nz: sign of the normal's z, not 0. */
static int orient3d_moved(const geo_triangle *t, vec3 p, int toward, int nz)
{
    const vec3 a = t->p[0], b = t->p[1], c = t->p[2];
    const int sign = geo_orient3d(a, b, c, p);
    if (sign != 0) {
        return sign;
    }
    const int nx =
        geo_orient2d((double[2]){a.y, a.z}, (double[2]){b.y, b.z}, (double[2]){c.y, c.z});
    if (nx != 0) {
        return -toward * nx;
    }
    const int ny =
        geo_orient2d((double[2]){a.z, a.x}, (double[2]){b.z, b.x}, (double[2]){c.z, c.x});
    return -toward * (ny != 0 ? ny : nz);
}

/** Does the ray from p along +z cross t? */
static bool ray_crosses(const geo_triangle *t, vec3 p, int toward)
{
    const int side = turn_moved(t->p[0], t->p[1], p, toward);
    if (side == 0 || turn_moved(t->p[1], t->p[2], p, toward) != side ||
        turn_moved(t->p[2], t->p[0], p, toward) != side) {
        return false;
    }
    /* side is now the sign of the normal's z; above p means p behind a face that looks up. */
    return orient3d_moved(t, p, toward, side) == side;
}

/* --- The surface as it stands ----------------------------------------------------------------- */

bool geo_surface_contains(const geo_surface *surface, vec3 p)
{
    const geo_bvh *const bvh = &surface->bvh;
    const f32x8 x_below = f32x8_set(base_float_below(p.x)),
                x_above = f32x8_set(base_float_above(p.x));
    const f32x8 y_below = f32x8_set(base_float_below(p.y)),
                y_above = f32x8_set(base_float_above(p.y));
    const f32x8 z_below = f32x8_set(base_float_below(p.z));
    uint32_t stack[STACK];
    size_t depth = 0;
    stack[depth++] = 0;
    bool inside = false;
    while (depth > 0) {
        const geo_bvh_node *const node = &bvh->nodes[stack[--depth]];
        m32x8 hit = f32x8_le(f32x8_load(node->lo[0]), x_above);
        hit = m32x8_and(hit, f32x8_le(x_below, f32x8_load(node->hi[0])));
        hit = m32x8_and(hit, f32x8_le(f32x8_load(node->lo[1]), y_above));
        hit = m32x8_and(hit, f32x8_le(y_below, f32x8_load(node->hi[1])));
        hit = m32x8_and(hit, f32x8_le(z_below, f32x8_load(node->hi[2])));
        for (unsigned left = m32x8_bits(hit); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (node->count[lane] == 0) {
                stack[depth++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                inside ^= ray_crosses(&surface->triangles[node->first[lane] + i], p, 1);
            }
        }
    }
    return inside;
}

/* --- The surface moved ------------------------------------------------------------------------ */

/** A ray in the frame of the hierarchy, in float; slack is more than what rounding did to it. */
typedef struct ray {
    f32x8 start[3], inverse[3], slack;
} ray;

/* The ray's start and the slabs round a few times, relative to what stands in the surface's frame
 * and in that of the point. */
#define RAY_SLACK 0x1p-18

static ray make_ray(const geo_surface *surface, const geo_pose *pose, vec3 p)
{
    const vec3 t = pose->translation;
    const vec3 start = mat3_tmul_vec3(pose->rotation, vec3_sub(p, t));
    const vec3 direction = pose->rotation.row[2]; /* of the frame's z axis */
    const vec3 sizes = vec3_add(vec3_abs(p), vec3_abs(t));
    const double reach = geo_box_reach(surface->bvh.box) + sizes.x + sizes.y + sizes.z;
    ray r;
    for (int k = 0; k < 3; k++) {
        const double d = vec3_get(direction, k);
        /* a slab along the ray is met everywhere or nowhere: so it is for one nearly along it */
        const double inverse = fabs(d) > 1e-12 ? 1 / d : 1e12;
        r.start[k] = f32x8_set((float)vec3_get(start, k));
        r.inverse[k] = f32x8_set((float)inverse);
    }
    r.slack = f32x8_set(base_float_above(RAY_SLACK * reach));
    return r;
}

/** Which boxes of the node the ray may meet. */
static unsigned meet(const geo_bvh_node *node, const ray *r)
{
    f32x8 from = f32x8_set(0), to = f32x8_set(INFINITY);
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_sub(f32x8_load(node->lo[k]), r->slack);
        const f32x8 hi = f32x8_add(f32x8_load(node->hi[k]), r->slack);
        const f32x8 s = f32x8_mul(f32x8_sub(lo, r->start[k]), r->inverse[k]);
        const f32x8 t = f32x8_mul(f32x8_sub(hi, r->start[k]), r->inverse[k]);
        from = f32x8_max(from, f32x8_min(s, t));
        to = f32x8_min(to, f32x8_max(s, t));
    }
    return m32x8_bits(f32x8_le(from, to));
}

bool geo_surface_contains_moved(const geo_surface *surface, const geo_pose *pose, vec3 p)
{
    const ray r = make_ray(surface, pose, p);
    uint32_t stack[STACK];
    size_t depth = 0;
    stack[depth++] = 0;
    bool inside = false;
    while (depth > 0) {
        const geo_bvh_node *const node = &surface->bvh.nodes[stack[--depth]];
        for (unsigned left = meet(node, &r); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (!geo_bvh_lane_used(node, lane)) {
                continue;
            }
            if (node->count[lane] == 0) {
                stack[depth++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                const geo_triangle moved =
                    geo_pose_apply_triangle(pose, surface->triangles[node->first[lane] + i]);
                inside ^= ray_crosses(&moved, p, -1);
            }
        }
    }
    return inside;
}
