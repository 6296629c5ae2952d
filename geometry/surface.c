#include "geometry/surface.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/lanes.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <math.h>
#include <stdlib.h>

/* --- Build ------------------------------------------------------------------------------------ */

enum {
    LEAF_SIZE = 4,
    STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH, /* stack of a traversal */
};

base_status geo_surface_build(const geo_mesh *mesh, base_arena *arena, geo_surface *surface,
                              base_error *err)
{
    base_assert(mesh->face_count >= 1);
    *surface = (geo_surface){.mesh = mesh};
    geo_box *const boxes = base_alloc(mesh->face_count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface of %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    base_status status =
        geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &surface->bvh, err);
    if (status != BASE_OK) {
        goto done;
    }
    surface->triangles = base_arena_alloc(arena, mesh->face_count, sizeof *surface->triangles);
    if (!surface->triangles) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface of %zu faces",
                           mesh->face_count);
        goto done;
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        surface->triangles[i] = geo_mesh_triangle(mesh, surface->bvh.order[i]);
    }
    status =
        geo_cylinders_build(&surface->bvh, surface->triangles, arena, &surface->cylinders, err);
done:
    base_free(boxes);
    return status;
}

/* --- The nearest point ------------------------------------------------------------------------ */

/* Factor of a squared distance. It covers 6 roundings in float, of 2^-24 each, of the bounds. */
#define BOUND_SLACK (1 + 0x1p-20)
/* Error of a computed point of a triangle, relative to the largest coordinate: 8 roundings. */
#define POINT_ERROR 0x1p-49
/* Error of a length in float by cancellation, relative to the largest coordinate. The distance of p
 * from the centre of a cylinder may be 3.5 times that coordinate, and the sum of products has 5
 * roundings. */
#define CYLINDER_ERROR 0x1p-19
/* Factor of |d|^2 in |d|^2 - dot(n, d)^2, so that the result is a lower bound. It covers the
 * roundings and |n|^2, which is above 1 - 2^-20. */
#define AWAY_SLACK (1 - 0x1p-19)

typedef struct search {
    const geo_surface *surface;
    vec3 p;
    geo_point8 rounded;
    f32x8 nearest[3]; /* p rounded to nearest */
    f32x8 cylinder_error;
    double point_error;
    geo_closest best;
    float limit; /* boxes with a larger bound contain no better or equal answer */
} search;

typedef struct subtree {
    float bound;
    uint32_t first, count;
} subtree;

static void consider(search *s, geo_triangle t, uint32_t face)
{
    const vec3 point = geo_triangle_closest(t, s->p);
    const double distance2 = vec3_distance2(s->p, point);
    if (distance2 > s->best.distance2 || (distance2 == s->best.distance2 && face >= s->best.face)) {
        return;
    }
    s->best = (geo_closest){distance2, point, face};
    /* The bounds of boxes hold for exact distances. The computed distance may be smaller than the
     * exact one. */
    const double reach = sqrt(distance2) + s->point_error;
    s->limit = base_float_above(reach * reach * BOUND_SLACK);
}

/** Returns lower bounds of the squared distances of p to eight cylinders. */
static f32x8 cylinder_bounds(const search *s, const geo_cylinder_node *cylinders)
{
    const f32x8 zero = f32x8_set(0);
    f32x8 along = zero, d2 = zero;
    for (int k = 0; k < 3; k++) {
        const f32x8 d = f32x8_sub(s->nearest[k], f32x8_load(cylinders->centre[k]));
        along = f32x8_add(along, f32x8_mul(f32x8_load(cylinders->normal[k]), d));
        d2 = f32x8_add(d2, f32x8_mul(d, d));
    }
    const f32x8 away2 =
        f32x8_sub(f32x8_mul(d2, f32x8_set((float)AWAY_SLACK)), f32x8_mul(along, along));
    const f32x8 away = f32x8_sqrt(f32x8_max(away2, zero));
    const f32x8 thickness = f32x8_add(f32x8_load(cylinders->thickness), s->cylinder_error);
    const f32x8 radius = f32x8_add(f32x8_load(cylinders->radius), s->cylinder_error);
    const f32x8 over = f32x8_max(f32x8_sub(f32x8_abs(along), thickness), zero);
    const f32x8 beside = f32x8_max(f32x8_sub(away, radius), zero);
    return f32x8_add(f32x8_mul(over, over), f32x8_mul(beside, beside));
}

/** Pushes the lanes within the limit, the nearest on top; returns the new depth. */
static size_t push_lanes(const search *s, uint32_t index, subtree *stack, size_t depth)
{
    const geo_bvh_node *const node = &s->surface->bvh.nodes[index];
    const f32x8 bound8 = f32x8_max(geo_point8_distance2(&s->rounded, node->lo, node->hi),
                                   cylinder_bounds(s, &s->surface->cylinders[index]));
    const m32x8 used = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    const m32x8 near = f32x8_le(bound8, f32x8_set(s->limit));
    float bound[GEO_BVH_WIDTH];
    f32x8_store(bound, bound8);
    const size_t bottom = depth;
    for (unsigned left = m32x8_bits(m32x8_and(used, near)); left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        size_t slot = depth++;
        for (; slot > bottom && stack[slot - 1].bound < bound[lane]; slot--) {
            stack[slot] = stack[slot - 1];
        }
        stack[slot] = (subtree){bound[lane], node->first[lane], node->count[lane]};
    }
    return depth;
}

geo_closest geo_surface_closest(const geo_surface *surface, vec3 p, uint32_t hint)
{
    search s = {.surface = surface,
                .p = p,
                .rounded = geo_point8_of(p),
                .best = {INFINITY, {0, 0, 0}, UINT32_MAX},
                .limit = INFINITY};
    for (int k = 0; k < 3; k++) {
        s.nearest[k] = f32x8_set((float)vec3_get(p, k));
    }
    const double reach = geo_box_reach(geo_box_add(surface->bvh.box, p));
    s.point_error = POINT_ERROR * reach;
    s.cylinder_error = f32x8_set(base_float_above(CYLINDER_ERROR * reach));
    if (hint < surface->mesh->face_count) {
        consider(&s, geo_mesh_triangle(surface->mesh, hint), hint);
    }
    const geo_bvh *const bvh = &surface->bvh;
    subtree stack[STACK];
    size_t depth = push_lanes(&s, 0, stack, 0);
    while (depth > 0) {
        const subtree top = stack[--depth];
        if (top.bound > s.limit) {
            continue;
        }
        if (top.count == 0) {
            depth = push_lanes(&s, top.first, stack, depth);
            continue;
        }
        for (uint32_t i = top.first; i < top.first + top.count; i++) {
            if (bvh->order[i] != s.best.face) {
                consider(&s, surface->triangles[i], bvh->order[i]);
            }
        }
    }
    return s.best;
}

/* --- Containment ------------------------------------------------------------------------------ */

/*
 * Computes the parity of the crossings of a ray along +z. Either the start of the ray or the
 * surface is moved by an infinitely small (e, e^2, e^3): `toward` is +1 if the start is moved, -1
 * if the surface is moved.
 */

/** Returns the sign of the turn a, b, p in x and y after the move; 0 if a and b coincide there. */
static int turn_moved(vec3 a, vec3 b, vec3 p, int toward)
{
    const int sign =
        geo_orient2d((double[2]){a.x, a.y}, (double[2]){b.x, b.y}, (double[2]){p.x, p.y});
    if (sign != 0) {
        return sign;
    }
    return toward * (b.y != a.y ? (b.y < a.y ? 1 : -1) : (b.x > a.x) - (b.x < a.x));
}

/** Returns geo_orient3d of t and p after the move. nz: sign of the normal's z, which is not 0. */
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

/** True if the ray from p along +z crosses t. */
static bool ray_crosses(const geo_triangle *t, vec3 p, int toward)
{
    const int side = turn_moved(t->p[0], t->p[1], p, toward);
    if (side == 0 || turn_moved(t->p[1], t->p[2], p, toward) != side ||
        turn_moved(t->p[2], t->p[0], p, toward) != side) {
        return false;
    }
    /* side is now the sign of the normal's z. If the normal points up and the face crosses the ray,
     * which is above p, then p is behind the face. */
    return orient3d_moved(t, p, toward, side) == side;
}

/* --- Containment in a fixed surface ----------------------------------------------------------- */

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

/* --- Containment in a moved surface ----------------------------------------------------------- */

/** A ray in the frame of the hierarchy, in float; slack exceeds its rounding error. */
typedef struct ray {
    f32x8 start[3], inverse[3], slack;
} ray;

/* The ray's start and the slabs have a few roundings, relative to the coordinates in the
 * surface's frame and in the point's frame. */
#define RAY_SLACK 0x1p-18

/** Makes a ray in the frame of the surface. reach: bound of the coordinates from which `start` was
 * computed. */
static ray make_ray(vec3 start, vec3 direction, double reach)
{
    ray r;
    for (int k = 0; k < 3; k++) {
        const double d = vec3_get(direction, k);
        /* A ray that is parallel to a slab is inside it everywhere or nowhere. A nearly parallel
         * ray is treated in the same way. */
        const double inverse = fabs(d) > 1e-12 ? 1 / d : 1e12;
        r.start[k] = f32x8_set((float)vec3_get(start, k));
        r.inverse[k] = f32x8_set((float)inverse);
    }
    r.slack = f32x8_set(base_float_above(RAY_SLACK * reach));
    return r;
}

/** Returns a mask of the boxes that the ray may meet. Unused lanes may be set. */
static unsigned boxes_on_ray(const geo_bvh_node *node, const ray *r)
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

/** Calls `take` for the triangles of all leaves that the ray may meet. */
static inline void visit_ray(const geo_surface *surface, const ray *r,
                             void (*take)(void *context, const geo_triangle *triangle),
                             void *context)
{
    uint32_t stack[STACK];
    size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const geo_bvh_node *const node = &surface->bvh.nodes[stack[--depth]];
        for (unsigned left = boxes_on_ray(node, r); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (!geo_bvh_lane_used(node, lane)) {
                continue;
            }
            if (node->count[lane] == 0) {
                stack[depth++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                take(context, &surface->triangles[node->first[lane] + i]);
            }
        }
    }
}

/** A point, and whether it is inside by the faces that were crossed so far. */
typedef struct crossing {
    const geo_pose *pose;
    vec3 point;
    bool inside;
} crossing;

static void cross_moved(void *context, const geo_triangle *triangle)
{
    crossing *const c = context;
    const geo_triangle moved = geo_pose_apply_triangle(c->pose, *triangle);
    c->inside ^= ray_crosses(&moved, c->point, -1);
}

bool geo_surface_contains_moved(const geo_surface *surface, const geo_pose *pose, vec3 p)
{
    const vec3 t = pose->translation;
    const vec3 start = mat3_tmul_vec3(pose->rotation, vec3_sub(p, t));
    const vec3 sizes = vec3_add(vec3_abs(p), vec3_abs(t));
    const double reach = geo_box_reach(surface->bvh.box) + sizes.x + sizes.y + sizes.z;
    /* The row is the z axis in the frame of the surface. */
    const ray r = make_ray(start, pose->rotation.row[2], reach);
    crossing c = {pose, p, false};
    visit_ray(surface, &r, cross_moved, &c);
    return c.inside;
}

/* --- Rays ------------------------------------------------------------------------------------- */

/** Returns the length of the ray from p along d to the triangle, negative if it is behind p, or
 * INFINITY if the ray's line does not meet it. */
static double ray_length(const geo_triangle *t, vec3 p, vec3 d)
{
    const vec3 a = vec3_sub(t->p[1], t->p[0]), b = vec3_sub(t->p[2], t->p[0]);
    const vec3 from = vec3_sub(p, t->p[0]), across = vec3_cross(d, b), turned = vec3_cross(from, a);
    const double scale = vec3_dot(a, across);
    const double u = vec3_dot(from, across) / scale, v = vec3_dot(d, turned) / scale;
    /* A comparison with NaN is false: the line of a ray along the face does not meet it. */
    return u >= 0 && v >= 0 && u + v <= 1 ? vec3_dot(b, turned) / scale : (double)INFINITY;
}

/** A ray, and the shortest length to a face beyond `skip`. */
typedef struct shot {
    vec3 from, direction;
    double skip, nearest;
} shot;

static void shorten(void *context, const geo_triangle *triangle)
{
    shot *const s = context;
    const double length = ray_length(triangle, s->from, s->direction);
    s->nearest = length > s->skip && length < s->nearest ? length : s->nearest;
}

double geo_surface_ray(const geo_surface *surface, vec3 p, vec3 d, double skip)
{
    const ray r = make_ray(p, d, geo_box_reach(geo_box_add(surface->bvh.box, p)));
    shot s = {p, d, skip, INFINITY};
    visit_ray(surface, &r, shorten, &s);
    return s.nearest;
}

/* --- Nested bodies ---------------------------------------------------------------------------- */

base_status geo_shell_build(geo_mesh mesh, bool solid, base_arena *arena, geo_shell *shell,
                            base_error *err)
{
    *shell = (geo_shell){.mesh = mesh, .solid = solid};
    uint32_t *const label = base_alloc(mesh.face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_status status = geo_surface_build(&shell->mesh, arena, &shell->surface, err);
    if (status == BASE_OK) {
        status = geo_mesh_components(&mesh, label, &shell->part_count, err);
    }
    if (status == BASE_OK) {
        shell->part_vertex = base_arena_alloc(arena, shell->part_count, sizeof *shell->part_vertex);
        status = shell->part_vertex
                     ? BASE_OK
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    for (size_t f = 0; f < mesh.face_count && status == BASE_OK; f++) {
        shell->part_vertex[label[f]] = mesh.faces[f].v[0];
    }
    base_free(label);
    return status;
}

bool geo_shell_holds_part(const geo_shell *solid, const geo_shell *other, const geo_pose *pose,
                          vec3 *inside)
{
    for (uint32_t i = 0; solid->solid && i < other->part_count; i++) {
        *inside = geo_pose_apply(pose, other->mesh.vertices[other->part_vertex[i]]);
        if (geo_box_overlap(solid->surface.bvh.box, (geo_box){*inside, *inside}) &&
            geo_surface_contains(&solid->surface, *inside)) {
            return true;
        }
    }
    return false;
}

bool geo_shells_nested(const geo_shell *a, const geo_shell *b, const geo_pose *pose, vec3 *in_both)
{
    if (geo_shell_holds_part(a, b, pose, in_both)) {
        return true;
    }
    for (uint32_t i = 0; b->solid && i < a->part_count; i++) {
        *in_both = a->mesh.vertices[a->part_vertex[i]];
        if (geo_surface_contains_moved(&b->surface, pose, *in_both)) {
            return true;
        }
    }
    return false;
}

/* --- Adjacency of faces ----------------------------------------------------------------------- */

/** A half-edge of a face, keyed by its edge: two vertices, the smaller number first. */
typedef struct half_edge {
    uint64_t edge;
    uint32_t number; /* 3 face + k */
    bool turned;     /* true if it begins at the greater vertex */
} half_edge;

static int compare(const void *a, const void *b)
{
    const half_edge *const s = a, *const t = b;
    if (s->edge != t->edge) {
        return s->edge < t->edge ? -1 : 1;
    }
    return s->number < t->number ? -1 : 1;
}

static void join(const half_edge *sorted, size_t count, geo_adjacent *faces)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].edge == sorted[i].edge; end++) {
        }
        const bool pair = end - i == 2 && sorted[i].turned != sorted[i + 1].turned;
        for (size_t k = i; k < end; k++) {
            const uint32_t number = sorted[k].number;
            faces[number / 3].twins[number % 3] =
                pair ? sorted[k == i ? i + 1 : i].number : GEO_NO_TWIN;
        }
    }
}

base_status geo_adjacency_build(const geo_mesh *mesh, base_arena *arena, geo_adjacency *adjacency,
                                base_error *err)
{
    const size_t count = mesh->face_count;
    half_edge *const sorted = base_alloc(3 * count, sizeof *sorted);
    *adjacency = (geo_adjacency){.faces = base_arena_alloc(arena, count, sizeof *adjacency->faces),
                                 .count = count};
    if (!sorted || !adjacency->faces) {
        base_free(sorted);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the neighbours of %zu faces",
                         count);
    }
    for (uint32_t face = 0; face < count; face++) {
        adjacency->faces[face].corners = geo_mesh_triangle(mesh, face);
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t from = mesh->faces[face].v[k], to = mesh->faces[face].v[(k + 1) % 3];
            sorted[3 * face + k] = (half_edge){
                .edge = to < from ? to << 32 | from : from << 32 | to,
                .number = 3 * face + k,
                .turned = to < from,
            };
        }
    }
    qsort(sorted, 3 * count, sizeof *sorted, compare);
    join(sorted, 3 * count, adjacency->faces);
    base_free(sorted);
    return BASE_OK;
}

/* --- Descent over adjacent faces -------------------------------------------------------------- */

/** The nearest feature of a triangle. */
typedef enum feature {
    CORNER, /* CORNER + k: corner k */
    EDGE = CORNER + 3,
    INSIDE = EDGE + 3,
} feature;

/** The nearest feature of a face to the point of the descent. */
typedef struct foot {
    uint32_t face;
    feature at;
    double distance2; /* may be NaN for a face without area */
} foot;

static double along(vec3 a, double t, vec3 ab, vec3 p)
{
    return vec3_distance2(vec3_madd(a, t, ab), p);
}

/**
 * Finds the feature of a face that is nearest to p. For slivers it may be wrong, which only makes
 * the descent end elsewhere.
 *
 * Source   Ericson2005 5.1.5.
 */
static foot find_foot(const geo_adjacency *a, uint32_t face, vec3 p)
{
    const geo_triangle t = a->faces[face].corners;
    const vec3 ab = vec3_sub(t.p[1], t.p[0]), ac = vec3_sub(t.p[2], t.p[0]);
    const vec3 ap = vec3_sub(p, t.p[0]), bp = vec3_sub(p, t.p[1]), cp = vec3_sub(p, t.p[2]);
    const double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) {
        return (foot){face, CORNER, vec3_norm2(ap)};
    }
    const double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) {
        return (foot){face, CORNER + 1, vec3_norm2(bp)};
    }
    const double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) {
        return (foot){face, CORNER + 2, vec3_norm2(cp)};
    }
    const double in_c = d1 * d4 - d3 * d2, in_b = d5 * d2 - d1 * d6, in_a = d3 * d6 - d5 * d4;
    if (in_c <= 0 && d1 >= 0 && d3 <= 0) {
        return (foot){face, EDGE, along(t.p[0], d1 / (d1 - d3), ab, p)};
    }
    if (in_b <= 0 && d2 >= 0 && d6 <= 0) {
        return (foot){face, EDGE + 2, along(t.p[0], d2 / (d2 - d6), ac, p)};
    }
    if (in_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double s = (d4 - d3) / (d4 - d3 + (d5 - d6));
        return (foot){face, EDGE + 1, along(t.p[1], s, vec3_sub(t.p[2], t.p[1]), p)};
    }
    const double sum = in_a + in_b + in_c;
    const vec3 nearest = vec3_madd(vec3_madd(t.p[0], in_b / sum, ab), in_c / sum, ac);
    return (foot){face, INSIDE, vec3_distance2(nearest, p)};
}

static void take_if_nearer(foot *best, foot other)
{
    if (other.distance2 < best->distance2) {
        *best = other;
    }
}

/**
 * Tests the faces around a corner one after the other. The first one is on the other side of the
 * half-edge `across`. Returns false if a half-edge without a twin ends the faces, and true if they
 * lead back to the start. turn: 1 if the half-edge begins at the corner, 2 if it ends there. The
 * next half-edge comes `turn` half-edges after the twin, in the twin's face. The loop ends after as
 * many steps as there are faces.
 */
static bool go_around(const geo_adjacency *a, uint32_t across, uint32_t turn, vec3 p, foot *best)
{
    const uint32_t start = across / 3;
    for (size_t i = 0; i < a->count; i++) {
        const uint32_t twin = a->faces[across / 3].twins[across % 3];
        if (twin == GEO_NO_TWIN) {
            return false;
        }
        if (twin / 3 == start) {
            break;
        }
        take_if_nearer(best, find_foot(a, twin / 3, p));
        across = 3 * (twin / 3) + (twin + turn) % 3;
    }
    return true;
}

/** Returns the nearest one of this face and the faces that share its nearest feature. */
static foot best_neighbour(const geo_adjacency *a, foot at, vec3 p)
{
    foot best = at;
    if (at.at >= EDGE) {
        const uint32_t twin = a->faces[at.face].twins[at.at - EDGE];
        if (twin != GEO_NO_TWIN) {
            take_if_nearer(&best, find_foot(a, twin / 3, p));
        }
        return best;
    }
    const uint32_t k = (uint32_t)at.at;
    if (!go_around(a, 3 * at.face + k, 1, p, &best)) {
        (void)go_around(a, 3 * at.face + (k + 2) % 3, 2, p, &best);
    }
    return best;
}

geo_closest geo_adjacency_descend(const geo_adjacency *adjacency, vec3 p, uint32_t face)
{
    foot at = find_foot(adjacency, face, p);
    while (at.at != INSIDE) {
        const foot next = best_neighbour(adjacency, at, p);
        if (!(next.distance2 < at.distance2)) {
            break;
        }
        at = next;
    }
    const vec3 point = geo_triangle_closest(adjacency->faces[at.face].corners, p);
    return (geo_closest){vec3_distance2(point, p), point, at.face};
}
