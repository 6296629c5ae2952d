#include "suite/simulate/passage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "geometry/surface.h"

#include <math.h>

/* The centroid follows the points of the surface in the array. */
enum { SHELL = 512, CENTRE = SHELL, POINTS = SHELL + 1, POINT_SEED = 33 };

/* The number of chunks of points is fixed, so threads share no sums. */
enum { CHUNKS = 8, CHUNK = (POINTS + CHUNKS - 1) / CHUNKS };

enum { STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/* Two normals are opposed if their scalar product is below this. The margin covers the rounding of
 * normals at right angles. */
#define OPPOSED -1e-9

/** One body of the pair: its surface, and its points that may pass through the other body. */
typedef struct side {
    geo_surface surface;
    bool solid;
    vec3 points[POINTS];
    bool has_centre; /* the centroid is inside */
} side;

struct bench_passage {
    base_arena arena;
    side a, b;
};

/* --- Points ----------------------------------------------------------------------------------- */

static double double_area(geo_triangle t)
{
    return vec3_norm(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
}

/** Returns a point of a triangle, uniformly distributed if u and v are uniform in 0 to 1. */
static vec3 point_of(geo_triangle t, double u, double v)
{
    const double root = sqrt(u);
    const vec3 p = vec3_madd(vec3_scale(1 - root, t.p[0]), root * (1 - v), t.p[1]);
    return vec3_madd(p, root * v, t.p[2]);
}

/** Places one point in each of SHELL equal shares of the area, in the order of the faces. */
static void spread_points(const geo_mesh *mesh, vec3 points[SHELL])
{
    base_random random = base_random_seed(POINT_SEED);
    double area = 0, before = 0;
    size_t placed = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        area += double_area(geo_mesh_triangle(mesh, f));
    }
    double next = base_random_unit(&random) * area / SHELL;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        before += double_area(t);
        while (placed < SHELL && (next < before || f + 1 == mesh->face_count)) {
            const double u = base_random_unit(&random), v = base_random_unit(&random);
            points[placed++] = point_of(t, u, v);
            next = ((double)placed + base_random_unit(&random)) * area / SHELL;
        }
    }
}

static base_status open_side(const bench_body *body, base_arena *arena, side *s, base_error *err)
{
    const base_status status = geo_surface_build(&body->mesh, arena, &s->surface, err);
    if (status != BASE_OK) {
        return status;
    }
    s->solid = body->report.solid;
    spread_points(&body->mesh, s->points);
    s->points[CENTRE] = geo_mesh_measures(&body->mesh).centroid;
    s->has_centre = s->solid && geo_surface_contains(&s->surface, s->points[CENTRE]);
    return BASE_OK;
}

base_status bench_passage_create(const bench_pair *pair, bench_passage **passage, base_error *err)
{
    *passage = base_alloc(1, sizeof **passage);
    if (!*passage) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = open_side(&pair->a, &(*passage)->arena, &(*passage)->a, err);
    if (status == BASE_OK) {
        status = open_side(&pair->b, &(*passage)->arena, &(*passage)->b, err);
    }
    if (status != BASE_OK) {
        bench_passage_destroy(*passage);
        *passage = NULL;
    }
    return status;
}

void bench_passage_destroy(bench_passage *passage)
{
    if (passage) {
        base_arena_release(&passage->arena);
        base_free(passage);
    }
}

/* --- One face --------------------------------------------------------------------------------- */

/** Projects along axis k: keeps the two coordinates that follow k in cyclic order. */
static void project(vec3 p, int k, double plane[2])
{
    plane[0] = vec3_get(p, (k + 1) % 3);
    plane[1] = vec3_get(p, (k + 2) % 3);
}

/** Returns the sign of geo_orient3d of a face and a point that is moved by (e, e^2, e^3). */
static int side_of(const geo_triangle *t, vec3 p)
{
    int sign = geo_orient3d(t->p[0], t->p[1], t->p[2], p);
    for (int k = 0; k < 3 && sign == 0; k++) {
        double plane[3][2];
        for (int i = 0; i < 3; i++) {
            project(t->p[i], k, plane[i]);
        }
        sign = -geo_orient2d(plane[0], plane[1], plane[2]);
    }
    return sign;
}

/**
 * Returns the side on which the line from p to q, moved by (e, e^2, e^3), passes the edge from a to
 * b. Returns 0 if they are parallel.
 */
static int turn_of(vec3 p, vec3 q, vec3 a, vec3 b)
{
    int sign = geo_orient3d(p, q, a, b);
    for (int k = 0; k < 3 && sign == 0; k++) {
        double from[2], to[2], begin[2], end[2];
        project(p, k, from);
        project(q, k, to);
        project(b, k, begin);
        project(a, k, end);
        sign = geo_cross2d(from, to, begin, end);
    }
    return sign;
}

/** Crossing of a path and a face. */
typedef struct crossing {
    double share; /* fraction of the segment from p to q */
    bool enters;
    vec3 normal; /* unit length */
} crossing;

static bool crosses(const geo_triangle *t, vec3 p, vec3 q, crossing *c)
{
    const vec3 *const v = t->p;
    const int from = side_of(t, p), turn = turn_of(p, q, v[0], v[1]);
    if (turn == 0 || side_of(t, q) == from || turn_of(p, q, v[1], v[2]) != turn ||
        turn_of(p, q, v[2], v[0]) != turn) {
        return false;
    }
    const double before = fabs(geo_orient3d_value(v[0], v[1], v[2], p));
    const double behind = fabs(geo_orient3d_value(v[0], v[1], v[2], q));
    *c = (crossing){
        .share = before / (before + behind),
        .enters = from < 0,
        .normal = vec3_normalize(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]))),
    };
    return true;
}

/* --- One path --------------------------------------------------------------------------------- */

/** A point on its path relative to the other body. */
typedef struct traveller {
    const geo_surface *surface;
    bool solid;
    crossing *crossings; /* owned; of one step */
    size_t count, capacity;
    bool inside;  /* inside the solid */
    bool entered; /* entered through a face with normal `entry`; false if the path began inside */
    vec3 entry;
    int behind; /* crossings from front to back, minus those from back to front */
    bool passed;
} traveller;

/**
 * Returns the children whose boxes may overlap the box of the segment from p to q, one bit each.
 */
static unsigned meet(const geo_bvh_node *node, vec3 p, vec3 q)
{
    m32x8 hit = f32x8_le(f32x8_load(node->lo[0]), f32x8_load(node->hi[0]));
    for (int k = 0; k < 3; k++) {
        const double a = vec3_get(p, k), b = vec3_get(q, k);
        const f32x8 lo = f32x8_set(base_float_below(a < b ? a : b));
        const f32x8 hi = f32x8_set(base_float_above(a < b ? b : a));
        hit = m32x8_and(hit, f32x8_le(f32x8_load(node->lo[k]), hi));
        hit = m32x8_and(hit, f32x8_le(lo, f32x8_load(node->hi[k])));
    }
    return m32x8_bits(hit);
}

static base_status find_crossings(traveller *t, vec3 p, vec3 q, base_error *err)
{
    uint32_t stack[STACK];
    size_t depth = 0;
    stack[depth++] = 0;
    t->count = 0;
    while (depth > 0) {
        const geo_bvh_node *const node = &t->surface->bvh.nodes[stack[--depth]];
        for (unsigned left = meet(node, p, q); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (node->count[lane] == 0) {
                stack[depth++] = node->first[lane];
                continue;
            }
            const base_status status =
                base_reserve(t->crossings, t->capacity, t->count + node->count[lane], err);
            if (status != BASE_OK) {
                return status;
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                const geo_triangle *const face = &t->surface->triangles[node->first[lane] + i];
                t->count += crosses(face, p, q, &t->crossings[t->count]);
            }
        }
    }
    return BASE_OK;
}

/**
 * Removes and returns the next crossing of a step: the first one on the segment. Entries into a
 * solid and exits from it alternate, even if rounding puts the shares in the wrong order.
 */
static crossing take_next(traveller *t)
{
    crossing *next = &t->crossings[0];
    for (size_t i = 1; i < t->count; i++) {
        crossing *const c = &t->crossings[i];
        const bool fits = !t->solid || c->enters != t->inside;
        const bool next_fits = !t->solid || next->enters != t->inside;
        next = fits > next_fits || (fits == next_fits && c->share < next->share) ? c : next;
    }
    const crossing taken = *next;
    *next = t->crossings[--t->count];
    return taken;
}

/** Follows the point on one segment of its path. */
static base_status move(traveller *t, vec3 p, vec3 q, base_error *err)
{
    const base_status status = find_crossings(t, p, q, err);
    while (status == BASE_OK && t->count > 0) {
        const crossing next = take_next(t), *const c = &next;
        if (t->solid && t->entered && !c->enters) {
            t->passed |= vec3_dot(t->entry, c->normal) < OPPOSED;
        }
        t->behind += c->enters ? 1 : -1;
        t->inside = t->entered = c->enters;
        t->entry = c->normal;
    }
    if (!t->solid) {
        t->passed = t->behind != 0;
    }
    return status;
}

/* --- All paths -------------------------------------------------------------------------------- */

/** The points of one body on their paths relative to the other body. */
typedef struct work {
    const side *moving, *still;
    const geo_pose *poses; /* of the moving body in the frame of the other body */
    size_t count;          /* number of poses, at least 1 */
    int32_t *changes; /* [CHUNKS][count]: surface points that have passed at a step, minus those
                         that have passed back */
    bool centre;      /* the centroid has passed */
    base_status statuses[CHUNKS];
    base_error errors[CHUNKS];
} work;

static base_status follow(work *w, size_t point, int32_t *changes, base_error *err)
{
    traveller t = {.surface = &w->still->surface, .solid = w->still->solid};
    vec3 p = geo_pose_apply(&w->poses[0], w->moving->points[point]);
    base_status status = BASE_OK;
    t.inside = t.solid && geo_surface_contains(t.surface, p);
    for (size_t i = 1; i < w->count && status == BASE_OK; i++) {
        const vec3 q = geo_pose_apply(&w->poses[i], w->moving->points[point]);
        const bool before = t.passed;
        status = move(&t, p, q, err);
        if (point == CENTRE) {
            w->centre |= t.passed;
        } else {
            changes[i] += (int32_t)t.passed - (int32_t)before;
        }
        p = q;
    }
    base_free(t.crossings);
    return status;
}

static void follow_some(void *context, size_t begin, size_t end)
{
    work *const w = context;
    const size_t c = begin / CHUNK;
    for (size_t i = begin; i < end && w->statuses[c] == BASE_OK; i++) {
        if (i != CENTRE || w->moving->has_centre) {
            w->statuses[c] = follow(w, i, w->changes + c * w->count, &w->errors[c]);
        }
    }
}

static base_status follow_all(work *w, bench_passed *passed, base_error *err)
{
    int32_t now = 0, most = 0;
    w->changes = base_alloc(CHUNKS * w->count, sizeof *w->changes);
    if (!w->changes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_parallel_for(POINTS, CHUNK, 0, follow_some, w);
    for (size_t i = 0; i < w->count; i++) {
        for (size_t c = 0; c < CHUNKS; c++) {
            now += w->changes[c * w->count + i];
        }
        most = now > most ? now : most;
    }
    base_free(w->changes);
    for (size_t c = 0; c < CHUNKS; c++) {
        if (w->statuses[c] != BASE_OK) {
            return base_fail(err, w->statuses[c], "%s", w->errors[c].text);
        }
    }
    passed->through |= w->centre || 2 * most > SHELL;
    passed->share = fmax(passed->share, (double)most / SHELL);
    return BASE_OK;
}

base_status bench_passage_find(const bench_passage *passage, const geo_pose *poses, size_t count,
                               bench_passed *passed, base_error *err)
{
    *passed = (bench_passed){0};
    if (count == 0) {
        return BASE_OK;
    }
    work b_through_a = {
        .moving = &passage->b, .still = &passage->a, .poses = poses, .count = count};
    const base_status status = follow_all(&b_through_a, passed, err);
    if (status != BASE_OK) {
        return status;
    }
    geo_pose *const inverses = base_alloc(count, sizeof *inverses);
    if (!inverses) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        const geo_pose inverse = geo_pose_inverse(&poses[i]);
        inverses[i] = geo_pose_settled(&inverse);
    }
    work a_through_b = {
        .moving = &passage->a, .still = &passage->b, .poses = inverses, .count = count};
    const base_status other = follow_all(&a_through_b, passed, err);
    base_free(inverses);
    return other;
}
