/*
 * The nearest facet of the Minkowski difference has the normal of a face of A, the reversed normal
 * of a face of B, or a normal that is perpendicular to an edge of A and to one of B. All of these
 * directions are tried. The search need not know which directions belong to facets, because the
 * width along any other direction is no less than the depth.
 *
 * A filter in double leaves out a pair of edges if, along its direction, a corner of A and a corner
 * of B are farther apart than the best width so far. It has a margin for its rounding. The width
 * along all other directions is measured in extended precision.
 */
#include "groundtruth/depth/depth.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/wide.h"
#include "groundtruth/distance/distance.h"

#include <float.h>

/*
 * If the cross product of two edges is shorter than this, relative to their lengths, its direction
 * is not reliable. The edges are parallel up to rounding. Leaving out such a pair changes the depth
 * by no more than rounding.
 */
#define PARALLEL (4 * DBL_EPSILON)

/* The error of a component of the cross product of rounded edges is at most this times the product
 * of their lengths. */
#define PRODUCT_ERROR (4 * DBL_EPSILON)

/* Directions are divided into cells: each side of a cube into GRID x GRID squares. */
enum { GRID = 4, CELLS = 6 * GRID * GRID };

/** An edge in A's frame. */
typedef struct edge {
    uint32_t tail, head; /* vertices of the mesh */
    vec3 along;
    double length1; /* |x| + |y| + |z| of along */
} edge;

/** A body in A's frame. */
typedef struct side {
    const geo_mesh *mesh;
    const mat3 *turn; /* rotation of B; NULL for A */
    vec3 *corners;    /* the vertices that faces use */
    uint32_t corner_count;
    edge *edges;
    size_t edge_count;
    uint32_t extreme[CELLS]; /* the corner that is farthest along the middle of each cell */
} side;

typedef struct search {
    side a, b;
    double reach;     /* largest coordinate */
    long double best; /* width */
    vec3 normal;      /* direction of the best width */
} search;

/* --- Bodies in A's frame ---------------------------------------------------------------------- */

/** Returns the vector between two corners in A's frame, computed from corners that are not yet
 * rounded. */
static gt_wide3 way_between(const side *s, uint32_t from, uint32_t to)
{
    const vec3 *const p = s->mesh->vertices;
    const gt_wide3 way = gt_wide3_between(p[to], p[from]);
    return s->turn ? gt_wide3_turn(*s->turn, way) : way;
}

static uint32_t square_of(double at)
{
    const int i = (int)(0.5 * GRID * (at + 1));
    return i < 0 ? 0 : i < GRID ? (uint32_t)i : GRID - 1;
}

/** Returns the cell of a nonzero direction. */
static uint32_t cell_of(vec3 n)
{
    const vec3 size = vec3_abs(n);
    const int k = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    const double along = vec3_get(n, k), scale = 1 / fabs(along);
    const uint32_t i = square_of(scale * vec3_get(n, (k + 1) % 3));
    const uint32_t j = square_of(scale * vec3_get(n, (k + 2) % 3));
    return ((uint32_t)(2 * k + (along < 0)) * GRID + i) * GRID + j;
}

static vec3 middle_of(uint32_t cell)
{
    const uint32_t face = cell / (GRID * GRID), k = face / 2;
    double u[3];
    u[k] = face % 2 == 0 ? 1 : -1;
    u[(k + 1) % 3] = (2 * (double)(cell / GRID % GRID) + 1) / GRID - 1;
    u[(k + 2) % 3] = (2 * (double)(cell % GRID) + 1) / GRID - 1;
    return (vec3){u[0], u[1], u[2]};
}

static void find_extremes(side *s)
{
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const vec3 u = middle_of(cell);
        double most = -INFINITY;
        for (uint32_t v = 0; v < s->corner_count; v++) {
            const double along = vec3_dot(u, s->corners[v]);
            if (along > most) {
                most = along;
                s->extreme[cell] = v;
            }
        }
    }
}

/** Lists each edge once. Two faces share it and traverse it in opposite directions; one of them has
 * the lower vertex first. */
static void list_edges(side *s)
{
    for (size_t f = 0; f < s->mesh->face_count; f++) {
        const uint32_t *const v = s->mesh->faces[f].v;
        for (int k = 0; k < 3; k++) {
            const uint32_t tail = v[k], head = v[(k + 1) % 3];
            if (tail < head) {
                const vec3 along = gt_wide3_round(way_between(s, tail, head));
                const vec3 size = vec3_abs(along);
                s->edges[s->edge_count++] = (edge){tail, head, along, size.x + size.y + size.z};
            }
        }
    }
}

static bool make_side(side *s, const gt_body *body, const geo_pose *pose)
{
    *s = (side){.mesh = body->mesh,
                .turn = pose ? &pose->rotation : NULL,
                .corner_count = body->hull->point_count};
    s->corners = base_alloc(s->corner_count, sizeof *s->corners);
    s->edges = base_alloc(3 * body->mesh->face_count, sizeof *s->edges);
    if (!s->corners || !s->edges) {
        return false;
    }
    for (uint32_t v = 0; v < s->corner_count; v++) {
        const vec3 p = body->hull->points[v];
        s->corners[v] = pose ? geo_pose_apply(pose, p) : p;
    }
    find_extremes(s);
    list_edges(s);
    return true;
}

static void release_side(side *s)
{
    base_free(s->corners);
    base_free(s->edges);
}

/* --- Directions ------------------------------------------------------------------------------- */

/**
 * True if the width along n may beat the best. n need not be unit; the error of each of its
 * components is at most `error`.
 */
static bool may_beat(const search *s, vec3 n, double error)
{
    const double length = vec3_norm(n);
    const double rounding = 8 * (error + 4 * DBL_EPSILON * length) * s->reach;
    const double limit = (double)s->best * (length + 2 * error) * (1 + 8 * DBL_EPSILON) + rounding;
    double far_a = vec3_dot(n, s->a.corners[s->a.extreme[cell_of(n)]]);
    double near_b = vec3_dot(n, s->b.corners[s->b.extreme[cell_of(vec3_scale(-1, n))]]);
    for (uint32_t v = 0; v < s->a.corner_count && far_a - near_b < limit; v++) {
        const double along = vec3_dot(n, s->a.corners[v]);
        far_a = along > far_a ? along : far_a;
    }
    for (uint32_t v = 0; v < s->b.corner_count && far_a - near_b < limit; v++) {
        const double along = vec3_dot(n, s->b.corners[v]);
        near_b = along < near_b ? along : near_b;
    }
    return far_a - near_b < limit;
}

typedef struct long_vec3 {
    long double x, y, z;
} long_vec3;

static long double along(long_vec3 n, vec3 p)
{
    return n.x * (long double)p.x + n.y * (long double)p.y + n.z * (long double)p.z;
}

static long double widen(gt_wide v)
{
    return (long double)v.high + (long double)v.low;
}

/** Keeps the direction if the width along it is the least so far. */
static void measure(search *s, gt_wide3 direction, double sign)
{
    long_vec3 n = {(long double)sign * widen(direction.x), (long double)sign * widen(direction.y),
                   (long double)sign * widen(direction.z)};
    const long double length = sqrtl(n.x * n.x + n.y * n.y + n.z * n.z);
    if (!(length > 0)) {
        return;
    }
    n = (long_vec3){n.x / length, n.y / length, n.z / length};
    long double far_a = (long double)-INFINITY, near_b = (long double)INFINITY;
    for (uint32_t v = 0; v < s->a.corner_count; v++) {
        const long double here = along(n, s->a.corners[v]);
        far_a = here > far_a ? here : far_a;
    }
    for (uint32_t v = 0; v < s->b.corner_count; v++) {
        const long double here = along(n, s->b.corners[v]);
        near_b = here < near_b ? here : near_b;
    }
    if (far_a - near_b < s->best) {
        s->best = far_a - near_b;
        s->normal = (vec3){(double)n.x, (double)n.y, (double)n.z};
    }
}

/**
 * Tries the normals of all faces of a body. sign: 1 for A; -1 for B, whose normals are reversed.
 */
static void try_faces(search *s, const side *of, double sign)
{
    for (size_t f = 0; f < of->mesh->face_count; f++) {
        const uint32_t *const v = of->mesh->faces[f].v;
        const gt_wide3 normal =
            gt_wide3_cross(way_between(of, v[0], v[1]), way_between(of, v[0], v[2]));
        measure(s, normal, sign);
    }
}

static void try_edges(search *s, const edge *a, const edge *b)
{
    const vec3 cross = vec3_cross(a->along, b->along);
    const double size = a->length1 * b->length1, error = PRODUCT_ERROR * size;
    if (vec3_norm2(cross) <= PARALLEL * size * PARALLEL * size) {
        return;
    }
    for (double sign = 1; sign > -2; sign -= 2) {
        if (may_beat(s, vec3_scale(sign, cross), error)) {
            measure(s,
                    gt_wide3_cross(way_between(&s->a, a->tail, a->head),
                                   way_between(&s->b, b->tail, b->head)),
                    sign);
        }
    }
}

bool gt_depth_edges(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_bracket *depth,
                    vec3 *direction)
{
    base_assert(a->hull && b->hull);
    gt_distance distance;
    gt_distance_query(a, b, pose, &distance);
    *depth = (gt_bracket){0, 0};
    if (distance.distance_m.lo > 0) {
        return true;
    }
    search s = {.reach = gt_pair_reach(a, b, pose), .best = (long double)INFINITY};
    const bool made = make_side(&s.a, a, NULL), both = make_side(&s.b, b, pose) && made;
    if (both) {
        try_faces(&s, &s.a, 1);
        try_faces(&s, &s.b, -1);
        for (size_t i = 0; i < s.a.edge_count; i++) {
            for (size_t j = 0; j < s.b.edge_count; j++) {
                try_edges(&s, &s.a.edges[i], &s.b.edges[j]);
            }
        }
        const double width = s.best > 0 ? (double)s.best : 0;
        *depth = gt_bracket_around(width, 1e-12 * width + gt_depth_slack(a, b, pose));
        *direction = s.normal;
    }
    release_side(&s.a);
    release_side(&s.b);
    return both;
}
