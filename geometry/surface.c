#include "geometry/surface.h"

#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "geometry/simd.h"
#include "geometry/triangle.h"

enum { LEAF_SIZE = 4, STACK = GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH };

/* --- Containment ---------------------------------------------------------------------------- */

/** Sign of the turn a, b, p in x and y, with p moved by (e, e^2). 0 if a and b coincide there. */
static int turn_moved(vec3 a, vec3 b, vec3 p)
{
    const int sign =
        geo_orient2d((double[2]){a.x, a.y}, (double[2]){b.x, b.y}, (double[2]){p.x, p.y});
    if (sign != 0) {
        return sign;
    }
    return b.y != a.y ? (b.y < a.y ? 1 : -1) : (b.x > a.x) - (b.x < a.x);
}

/** geo_orient3d with the last point moved by (e, e^2, e^3); nz: sign of the normal's z, not 0. */
static int orient3d_moved(const geo_triangle *t, vec3 p, int nz)
{
    const vec3 a = t->p[0], b = t->p[1], c = t->p[2];
    const int sign = geo_orient3d(a, b, c, p);
    if (sign != 0) {
        return sign;
    }
    const int nx =
        geo_orient2d((double[2]){a.y, a.z}, (double[2]){b.y, b.z}, (double[2]){c.y, c.z});
    if (nx != 0) {
        return -nx;
    }
    const int ny =
        geo_orient2d((double[2]){a.z, a.x}, (double[2]){b.z, b.x}, (double[2]){c.z, c.x});
    return ny != 0 ? -ny : -nz;
}

/** Does the ray from the moved p along +z cross t? */
static bool ray_crosses(const geo_triangle *t, vec3 p)
{
    const int side = turn_moved(t->p[0], t->p[1], p);
    if (side == 0 || turn_moved(t->p[1], t->p[2], p) != side ||
        turn_moved(t->p[2], t->p[0], p) != side) {
        return false;
    }
    /* side is now the sign of the normal's z; above p means p behind a face that looks up. */
    return orient3d_moved(t, p, side) == side;
}

bool geo_surface_contains(const geo_surface *surface, vec3 p)
{
    const geo_bvh *const bvh = &surface->bvh;
    const f32x8 x_below = f32x8_set(geo_float_below(p.x)),
                x_above = f32x8_set(geo_float_above(p.x));
    const f32x8 y_below = f32x8_set(geo_float_below(p.y)),
                y_above = f32x8_set(geo_float_above(p.y));
    const f32x8 z_below = f32x8_set(geo_float_below(p.z));
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
                inside ^= ray_crosses(&surface->triangles[node->first[lane] + i], p);
            }
        }
    }
    return inside;
}

/* --- Intersections -------------------------------------------------------------------------- */

typedef struct crossing {
    const geo_surface *a, *b;
    const geo_pose *pose;
    geo_face_pair_visitor *visit;
    void *context;
} crossing;

static bool visit_leaves(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    const crossing *const c = context;
    geo_box boxes[GEO_BVH_LEAF_MAX];
    for (uint32_t i = 0; i < na; i++) {
        boxes[i] = geo_box_of_triangle(c->a->triangles[a + i]);
    }
    for (uint32_t j = 0; j < nb; j++) {
        const geo_triangle given = c->b->triangles[b + j];
        const geo_triangle moved =
            c->pose == NULL ? given : geo_pose_apply_triangle(c->pose, given);
        const geo_box box = geo_box_of_triangle(moved);
        for (uint32_t i = 0; i < na; i++) {
            if (geo_box_overlap(boxes[i], box) &&
                geo_triangle_intersect(c->a->triangles[a + i], moved) &&
                !c->visit(c->context, c->a->bvh.order[a + i], c->b->bvh.order[b + j])) {
                return false;
            }
        }
    }
    return true;
}

bool geo_surface_intersections(const geo_surface *a, const geo_surface *b, const geo_pose *pose,
                               geo_face_pair_visitor *visit, void *context)
{
    crossing c = {a, b, pose, visit, context};
    return geo_bvh_pairs(&a->bvh, &b->bvh, pose, visit_leaves, &c);
}

/* --- Build ---------------------------------------------------------------------------------- */

geo_status geo_surface_build(const geo_mesh *mesh, geo_arena *arena, geo_surface *surface,
                             geo_error *err)
{
    geo_assert(mesh->face_count >= 1);
    *surface = (geo_surface){.mesh = mesh};
    geo_box *const boxes = geo_alloc(mesh->face_count, sizeof *boxes);
    if (boxes == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for a surface of %zu faces",
                        mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        boxes[f] = geo_box_of_triangle(geo_mesh_triangle(mesh, f));
    }
    geo_status status =
        geo_bvh_build(boxes, mesh->face_count, LEAF_SIZE, arena, &surface->bvh, err);
    if (status != GEO_OK) {
        goto done;
    }
    surface->triangles = geo_arena_alloc(arena, mesh->face_count, sizeof *surface->triangles);
    if (surface->triangles == NULL) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for a surface of %zu faces",
                          mesh->face_count);
        goto done;
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        surface->triangles[i] = geo_mesh_triangle(mesh, surface->bvh.order[i]);
    }
    status = geo_disks_build(&surface->bvh, surface->triangles, arena, &surface->disks, err);
done:
    geo_free(boxes);
    return status;
}
