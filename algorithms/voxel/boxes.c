#include "algorithms/voxel/boxes.h"

#include "base/simd.h"
#include "base/memory.h"
#include "geometry/predicates.h"

/*
 * Error bounds for the signs of computed values. The relative error of one rounding is at most e =
 * 2^-53. The rounding of the last sum or difference does not change its sign, so it is not counted.
 *
 * Normal   A component is left - right. Each of the two is a product of two differences of
 *          coordinates, and has three roundings: one of each difference, and one of the product.
 *          The sign of the component is certain if its absolute value is larger than (3 + 16 e) e
 *          (|left| + |right|), where all values are the computed ones (Shewchuk1997).
 * Edge     The value of a half plane at a corner of a box is also a sum of two such products. If
 *          the box meets the triangle's box, the differences of coordinates are at most reach: the
 *          extent of the triangle's box plus that of the box. So the products are at most |u|
 *          reach_u and |v| reach_v. The computed sum of these two has a relative error below 6 e.
 *          The error of the value is therefore below 4 e times this sum.
 * Plane    The distance from the plane, times the length of the normal, is a sum of three products
 *          of a component and a difference of coordinates. The difference is at most reach, and the
 *          component at most |left| + |right|. Relative to (|left| + |right|) reach, the errors are
 *          4 e for the component, and e each for the difference, the product and the first sum.
 *          Their total is 7 e, and terms of order e^2. So the error is below 8 e times the sum of
 *          (|left| + |right|) reach over the three products.
 */
#define EPSILON      0x1p-53
#define NORMAL_BOUND ((3 + 16 * EPSILON) * EPSILON)
#define EDGE_BOUND   (4 * EPSILON)
#define PLANE_BOUND  (8 * EPSILON)

#define INLINE inline __attribute__((always_inline))

/** The projection of a triangle to the coordinate plane of axes u and v. */
typedef struct shadow {
    int u, v;
    double at[3][2];   /* corners */
    double edge[3][2]; /* from each corner to the next one, rounded */
    double reach_u, reach_v;
} shadow;

/** Sets the half plane to the left of edge i; if `turned` is set, to the left of its reverse. */
static INLINE void set_edge(alg_half_plane *e, const shadow *s, int i, bool turned)
{
    const int from = turned ? (i + 1) % 3 : i;
    /* An edge parallel to an axis needs no test: the comparison of the two boxes includes it.
     * With u = v = 0 no point is outside. */
    const bool used = s->edge[i][0] != 0 && s->edge[i][1] != 0;
    const double du = used ? s->edge[i][0] : 0, dv = used ? s->edge[i][1] : 0;
    e->u = turned ? dv : -dv;
    e->v = turned ? -du : du;
    e->from_u = s->at[from][0];
    e->from_v = s->at[from][1];
    e->bound = EDGE_BOUND * (fabs(dv) * s->reach_u + fabs(du) * s->reach_v);
    e->at_u = (uint8_t)(e->u > 0 ? s->u + 3 : s->u);
    e->at_v = (uint8_t)(e->v > 0 ? s->v + 3 : s->v);
    e->from = (uint8_t)from;
    e->to = (uint8_t)(turned ? i : (i + 1) % 3);
}

/** Sets the half planes of a shadow that is a segment: both sides of its line. */
static void set_segment(alg_half_plane edges[3], const shadow *s)
{
    int longest = 0;
    double length = -1;
    for (int i = 0; i < 3; i++) {
        const double l = fabs(s->edge[i][0]) + fabs(s->edge[i][1]);
        longest = l > length ? i : longest;
        length = l > length ? l : length;
    }
    set_edge(&edges[0], s, longest, false);
    set_edge(&edges[1], s, longest, true);
    edges[2] = edges[0];
}

/**
 * Coordinates of the corners and edges of a triangle. reach[axis]: the largest distance, along the
 * axis, between a corner of the triangle and a corner of a box that meets the triangle's box.
 */
typedef struct frame {
    double corner[3][3], edge[3][3], reach[3];
} frame;

static INLINE frame make_frame(const alg_triangle_box *p, double size)
{
    const vec3 *const c = p->triangle.p;
    const vec3 extent = vec3_sub(p->box.hi, p->box.lo);
    const vec3 d[3] = {vec3_sub(c[1], c[0]), vec3_sub(c[2], c[1]), vec3_sub(c[0], c[2])};
    return (frame){
        .corner = {{c[0].x, c[0].y, c[0].z}, {c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}},
        .edge = {{d[0].x, d[0].y, d[0].z}, {d[1].x, d[1].y, d[1].z}, {d[2].x, d[2].y, d[2].z}},
        .reach = {extent.x + size, extent.y + size, extent.z + size},
    };
}

/** Sets one component of the normal. */
static INLINE void set_component(alg_triangle_box *p, const frame *f, int w)
{
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    /* Edge 2 ends at corner 0: (p1 - p0) x (p2 - p0). */
    const double left = f->edge[0][v] * f->edge[2][u], right = f->edge[0][u] * f->edge[2][v];
    const double n = left - right, size = fabs(left) + fabs(right);
    int sign = (n > 0) - (n < 0);
    if (!(fabs(n) > NORMAL_BOUND * size)) {
        const double a[2] = {f->corner[0][u], f->corner[0][v]};
        const double b[2] = {f->corner[1][u], f->corner[1][v]};
        const double c[2] = {f->corner[2][u], f->corner[2][v]};
        sign = geo_orient2d(a, b, c);
    }
    p->sign[w] = sign;
    p->size[w] = sign == 0 ? 0 : size;
    p->component[w] = sign == 0 ? 0 : n;
    p->upper[w] = (uint8_t)(sign > 0 ? w + 3 : w);
    p->lower[w] = (uint8_t)(sign > 0 ? w : w + 3);
}

/** Sets the axis of the normal. */
static INLINE void set_normal(alg_triangle_box *p, const frame *f)
{
    int components = 0;
    p->bound = 0;
    for (int w = 0; w < 3; w++) {
        set_component(p, f, w);
        components += p->sign[w] != 0;
        p->bound += PLANE_BOUND * (p->size[w] * f->reach[w]);
    }
    /* A plane perpendicular to an axis needs no test, because the comparison of the two boxes
     * includes it. Without any component the triangle has no plane. */
    const bool used = components > 1;
    for (int w = 0; w < 3; w++) {
        p->normal[w] = used ? p->component[w] : 0;
    }
    p->bound = used ? p->bound : 0;
}

/** Sets the three axes that are perpendicular to an edge and to axis w. */
static INLINE void set_edges(alg_triangle_box *p, const frame *f, int w)
{
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    const double(*const c)[3] = f->corner, (*const d)[3] = f->edge;
    const shadow s = {
        .u = u,
        .v = v,
        .at = {{c[0][u], c[0][v]}, {c[1][u], c[1][v]}, {c[2][u], c[2][v]}},
        .edge = {{d[0][u], d[0][v]}, {d[1][u], d[1][v]}, {d[2][u], d[2][v]}},
        .reach_u = f->reach[u],
        .reach_v = f->reach[v],
    };
    if (p->sign[w] == 0) {
        set_segment(p->edges[w], &s);
        return;
    }
    for (int i = 0; i < 3; i++) {
        set_edge(&p->edges[w][i], &s, i, p->sign[w] < 0);
    }
}

void alg_triangle_box_prepare(geo_triangle t, double size, alg_triangle_box *p)
{
    p->triangle = t;
    p->box = geo_box_of_triangle(t);
    const frame f = make_frame(p, size);
    set_normal(p, &f);
    for (int w = 0; w < 3; w++) {
        set_edges(p, &f, w);
    }
}

/** Returns true if the whole box is outside of a half plane; computed exactly. */
static bool edge_separates(const alg_triangle_box *p, const alg_half_plane *e, int w,
                           const double box[6])
{
    const vec3 from = p->triangle.p[e->from], to = p->triangle.p[e->to];
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    const double a[2] = {vec3_get(from, u), vec3_get(from, v)};
    const double b[2] = {vec3_get(to, u), vec3_get(to, v)};
    const double q[2] = {box[e->at_u], box[e->at_v]};
    return geo_orient2d(a, b, q) < 0;
}

/**
 * Returns the exact side of a corner relative to the plane: +1 on the side that the normal points
 * to.
 */
static int plane_side(const geo_triangle *t, double x, double y, double z)
{
    return -geo_orient3d(t->p[0], t->p[1], t->p[2], (vec3){x, y, z});
}

static INLINE bool plane_separates(const alg_triangle_box *p, const double box[6])
{
    const vec3 from = p->triangle.p[0];
    const double *const n = p->normal;
    const int ux = p->upper[0], uy = p->upper[1], uz = p->upper[2];
    const int lx = p->lower[0], ly = p->lower[1], lz = p->lower[2];
    const double upper =
        n[0] * (box[ux] - from.x) + n[1] * (box[uy] - from.y) + n[2] * (box[uz] - from.z);
    const double lower =
        n[0] * (box[lx] - from.x) + n[1] * (box[ly] - from.y) + n[2] * (box[lz] - from.z);
    if (upper >= p->bound && -lower >= p->bound) {
        return false;
    }
    if (upper < -p->bound || -lower < -p->bound) {
        return true;
    }
    return (upper < p->bound && plane_side(&p->triangle, box[ux], box[uy], box[uz]) < 0) ||
           (-lower < p->bound && plane_side(&p->triangle, box[lx], box[ly], box[lz]) > 0);
}

/** True if one of the three axes perpendicular to an edge and to axis w separates. */
static INLINE bool edges_separate(const alg_triangle_box *p, int w, const double box[6])
{
    for (int i = 0; i < 3; i++) {
        const alg_half_plane *const e = &p->edges[w][i];
        const double value = e->u * (box[e->at_u] - e->from_u) + e->v * (box[e->at_v] - e->from_v);
        if (value < e->bound && (value < -e->bound || edge_separates(p, e, w, box))) {
            return true;
        }
    }
    return false;
}

bool alg_triangle_box_crosses(const alg_triangle_box *p, const double box[6])
{
    return !plane_separates(p, box) && !edges_separate(p, 0, box) && !edges_separate(p, 1, box) &&
           !edges_separate(p, 2, box);
}

static bool holds(geo_box box, vec3 p)
{
    return geo_box_overlap(box, (geo_box){p, p});
}

bool alg_triangle_box_once(geo_triangle t, geo_box box)
{
    alg_triangle_box p;
    p.triangle = t;
    p.box = geo_box_of_triangle(t);
    if (!geo_box_overlap(p.box, box) || !geo_box_overlap(box, box)) {
        return false;
    }
    if (holds(box, t.p[0]) || holds(box, t.p[1]) || holds(box, t.p[2])) {
        return true;
    }
    const double corners[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
    const vec3 size = vec3_sub(box.hi, box.lo);
    const frame f = make_frame(&p, fmax(size.x, fmax(size.y, size.z)));
    /* Compute and test axis by axis, since the first ones often separate. */
    set_normal(&p, &f);
    if (plane_separates(&p, corners)) {
        return false;
    }
    for (int w = 0; w < 3; w++) {
        set_edges(&p, &f, w);
        if (edges_separate(&p, w, corners)) {
            return false;
        }
    }
    return true;
}

/* --- Hierarchy of a mesh ---------------------------------------------------------------------- */

enum { LEAF_SIZE = 4 };

base_status alg_box_query_build(const geo_mesh *mesh, base_arena *arena, alg_box_query *query,
                                base_error *err)
{
    base_assert(mesh->face_count >= 1);
    *query = (alg_box_query){.avx2 = base_cpu_avx2()};
    geo_box *const boxes = base_alloc(mesh->face_count, sizeof *boxes);
    query->triangles = base_arena_alloc(arena, mesh->face_count, sizeof *query->triangles);
    base_status status = BASE_OK;
    if (!boxes || !query->triangles) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for box queries of %zu faces",
                           mesh->face_count);
        goto done;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    status = geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &query->bvh, err);
    for (size_t i = 0; i < mesh->face_count && status == BASE_OK; i++) {
        query->triangles[i] = geo_mesh_triangle(mesh, query->bvh.order[i]);
    }
done:
    base_free(boxes);
    return status;
}

bool alg_box_query_run(const alg_box_query *query, geo_box box, alg_box_query_visitor *visit,
                       void *context)
{
    return query->avx2 ? alg_box_query_descend_avx2(query, box, visit, context)
                       : alg_box_query_descend_sse2(query, box, visit, context);
}
