#include "geometry/mesh_check_parts.h"

#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <math.h>

/* Above the relative error of the filter of orient2d, (3 + 16 eps) eps [Shewchuk1997]. */
#define FILTER_BOUND 0x1p-51

typedef struct pair_check {
    const geo_surface *surface;
    const geo_box *boxes;   /* of the faces in leaf order */
    const bool *degenerate; /* by face */
    geo_defect_list *list;
} pair_check;

/** Corners i and k change places; which side of the face is outside does not matter here. */
static void swap_corners(geo_face *f, geo_triangle *t, int i, int k)
{
    const uint32_t v = f->v[i];
    f->v[i] = f->v[k];
    f->v[k] = v;
    const vec3 p = t->p[i];
    t->p[i] = t->p[k];
    t->p[k] = p;
}

/** Brings the shared vertices to the front of both, in the same order. Returns their number. */
static int align_shared(geo_face *f, geo_triangle *s, geo_face *g, geo_triangle *t)
{
    int shared = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = shared; k < 3; k++) {
            if (f->v[i] == g->v[k]) {
                swap_corners(f, s, shared, i);
                swap_corners(g, t, shared, k);
                shared++;
                break;
            }
        }
    }
    return shared;
}

/* A corner in the plane of two coordinates. */
typedef struct point2 {
    double c[2];
} point2;

/** The axis along which s shows most of its area, as far as rounding can tell. */
static int widest_axis(const geo_triangle *s)
{
    const vec3 n = vec3_abs(vec3_cross(vec3_sub(s->p[1], s->p[0]), vec3_sub(s->p[2], s->p[0])));
    return n.x > n.y ? (n.x > n.z ? 0 : 2) : n.y > n.z ? 1 : 2;
}

static void flatten(const geo_triangle *t, int axis, point2 out[3])
{
    for (int k = 0; k < 3; k++) {
        const vec3 p = t->p[k];
        out[k] = axis == 0   ? (point2){{p.y, p.z}}
                 : axis == 1 ? (point2){{p.z, p.x}}
                             : (point2){{p.x, p.y}};
    }
}

/** Side of c against the line from a to b; 0 unless rounding leaves no doubt. */
static int clear_side(const point2 *a, const point2 *b, const point2 *c)
{
    const double left = (a->c[0] - c->c[0]) * (b->c[1] - c->c[1]);
    const double right = (a->c[1] - c->c[1]) * (b->c[0] - c->c[0]);
    const double bound = FILTER_BOUND * (fabs(left) + fabs(right));
    return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

/** Is the rest of s on one side of its edge i k, and all of t that is not shared on the other? */
static bool edge_parts(const point2 s[3], int i, int k, const point2 t[3], int shared)
{
    const int side = clear_side(&s[i], &s[k], &s[3 - i - k]);
    for (int j = shared; j < 3; j++) {
        if (clear_side(&s[i], &s[k], &t[j]) != -side) {
            return false;
        }
    }
    return side != 0;
}

/**
 * Does a line part the shadows of s and t, but for the corners they share, which are on it? Then
 * they meet nowhere else, for certain. This settles nearly all neighbours in a surface without
 * exact arithmetic, which the general test cannot do without for those in one plane.
 */
static bool shadows_part(const geo_triangle *s, const geo_triangle *t, int shared)
{
    static const int edges[3][2] = {
        {0, 1},
        {0, 2},
        {1, 2}
    };
    const int axis = widest_axis(s);
    point2 a[3], b[3];
    flatten(s, axis, a);
    flatten(t, axis, b);
    for (int e = 0; e < 3 - shared; e++) {
        const int i = edges[e][0], k = edges[e][1];
        if (edge_parts(a, i, k, b, shared) || edge_parts(b, i, k, a, shared)) {
            return true;
        }
    }
    return false;
}

static void check_pair(pair_check *check, uint32_t i, uint32_t j)
{
    const geo_surface *const surface = check->surface;
    const uint32_t a = surface->bvh.order[i], b = surface->bvh.order[j];
    if (check->degenerate[a] || check->degenerate[b]) {
        return;
    }
    geo_face f = surface->mesh->faces[a], g = surface->mesh->faces[b];
    geo_triangle s = surface->triangles[i], t = surface->triangles[j];
    const int shared = align_shared(&f, &s, &g, &t);
    if (shared < 3 && !shadows_part(&s, &t, shared) &&
        geo_triangle_intersect_beyond(s, t, shared)) {
        geo_defect_list_add(check->list, GEO_DEFECT_SELF_INTERSECTION, a < b ? a : b,
                            a < b ? b : a);
    }
}

static bool check_leaves(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    pair_check *const check = context;
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = a == b ? i + 1 : b; j < b + nb; j++) {
            if (geo_box_overlap(check->boxes[i], check->boxes[j])) {
                check_pair(check, i, j);
            }
        }
    }
    return true;
}

base_status geo_check_pairs(const geo_surface *surface, const bool *degenerate, base_arena *arena,
                            geo_defect_list *list, base_error *err)
{
    const geo_mesh *const mesh = surface->mesh;
    geo_box *const boxes = base_arena_alloc(arena, mesh->face_count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the boxes of %zu faces",
                         mesh->face_count);
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        boxes[i] = geo_box_of_triangle(surface->triangles[i]);
    }
    pair_check check = {surface, boxes, degenerate, list};
    geo_bvh_pairs(&surface->bvh, &surface->bvh, NULL, check_leaves, &check);
    return BASE_OK;
}
