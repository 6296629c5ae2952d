#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"
#include "groundtruth/distance/bounds.h"

#include "shapes.h"

typedef struct fixture {
    shape shape;
    base_arena arena;
    geo_surface surface;
    double span;
} fixture;

static fixture make(shape s)
{
    fixture f = {.shape = s};
    cr_assert_eq(geo_surface_build(&s.held->mesh, &f.arena, &f.surface, NULL), BASE_OK);
    for (size_t v = 0; v < s.mesh.vertex_count; v++) {
        f.span = fmax(f.span, vec3_norm(s.mesh.vertices[v]));
    }
    return f;
}

static void release(fixture *f)
{
    base_arena_release(&f->arena);
    shape_release(&f->shape);
}

/** Collects the triangles below a child, as places in the order of the hierarchy. */
static size_t gather(const geo_bvh *bvh, uint32_t node, int lane, uint32_t *places)
{
    const uint32_t first = bvh->nodes[node].first[lane], count = bvh->nodes[node].count[lane];
    size_t n = 0;
    if (count > 0) {
        for (uint32_t i = 0; i < count; i++) {
            places[n++] = first + i;
        }
        return n;
    }
    for (int k = 0; k < GEO_BVH_WIDTH; k++) {
        if (geo_bvh_lane_used(&bvh->nodes[first], k)) {
            n += gather(bvh, first, k, places + n);
        }
    }
    return n;
}

enum { PLACES_MAX = 512 };

static double exact2(const fixture *a, uint32_t node_a, int lane_a, const fixture *b,
                     uint32_t node_b, int lane_b, const geo_pose *pose)
{
    uint32_t of_a[PLACES_MAX], of_b[PLACES_MAX];
    const size_t na = gather(&a->surface.bvh, node_a, lane_a, of_a);
    const size_t nb = gather(&b->surface.bvh, node_b, lane_b, of_b);
    double least = INFINITY;
    for (size_t j = 0; j < nb; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, b->surface.triangles[of_b[j]]);
        for (size_t i = 0; i < na; i++) {
            const geo_triangle u = a->surface.triangles[of_a[i]];
            vec3 p, q;
            const double d2 =
                geo_triangle_intersect(u, t) ? 0 : geo_triangle_distance2(u, t, &p, &q);
            least = d2 < least ? d2 : least;
        }
    }
    return least;
}

typedef struct counts {
    int tight, pairs;
} counts;

/** Checks one child of a against all children of a node of b. */
static void check_node(const fixture *a, uint32_t node_a, int lane_a, const fixture *b,
                       uint32_t node_b, const geo_pose *pose, counts *n)
{
    const geo_pose back = geo_pose_inverse(pose);
    const geo_motion home = geo_motion_make(&back);
    const double margin =
        (double)geo_motion_margin(a->span, b->span, vec3_norm(pose->translation), 0);
    gt_cylinder cylinder;
    gt_cylinder_move(&home, &a->surface.cylinders[node_a], (uint32_t)lane_a, &cylinder);
    float gap[GEO_BVH_WIDTH];
    f32x8 order;
    f32x8_store(gap, gt_bound_cylinders(&b->surface.cylinders[node_b], &cylinder, &order));
    for (int lane = 0; lane < GEO_BVH_WIDTH; lane++) {
        if (!geo_bvh_lane_used(&b->surface.bvh.nodes[node_b], lane)) {
            continue;
        }
        const double d = sqrt(exact2(a, node_a, lane_a, b, node_b, lane, pose));
        const double bound = (double)gap[lane] - margin;
        cr_assert(bound <= d * (1 + 1e-13), "bound %.17g, exact %.17g", bound, d);
        n->pairs++;
        n->tight += d > 0 && bound > 0.95 * d;
    }
}

static void check_all(const fixture *a, const fixture *b, const geo_pose *pose, counts *n)
{
    for (uint32_t i = 0; i < a->surface.bvh.node_count; i++) {
        for (int lane = 0; lane < GEO_BVH_WIDTH; lane++) {
            for (uint32_t j = 0;
                 j < b->surface.bvh.node_count && geo_bvh_lane_used(&a->surface.bvh.nodes[i], lane);
                 j++) {
                check_node(a, i, lane, b, j, pose, n);
            }
        }
    }
}

static fixture torus(void)
{
    shape s = {0};
    shape_add_torus(&s, 10, 7, 1, 0.3);
    shape_finish(&s);
    return make(s);
}

Test(bounds, never_above_the_distance)
{
    fixture a = torus(), b = make(shape_box((vec3){-0.7, -0.1, 0.3}, (vec3){0.9, 0.2, 0.4}));
    base_random random = base_random_seed(12);
    counts n = {0};
    for (size_t k = 0; k < 40 / sweep_step(4); k++) {
        const geo_pose pose = random_pose(&random, 3 * base_random_unit(&random));
        check_all(&a, &b, &pose, &n);
        const geo_pose back = geo_pose_inverse(&pose);
        check_all(&b, &a, &back, &n);
        check_all(&a, &a, &pose, &n);
    }
    cr_assert(n.tight > n.pairs / 20, "of %d pairs %d are tight", n.pairs, n.tight);
    release(&a);
    release(&b);
}

/** For boxes face to face the bound is nearly the distance itself. */
Test(bounds, rounding_is_within_the_margin)
{
    fixture a = make(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1}));
    fixture b = make(shape_box((vec3){-0.1, -0.3, -0.7}, (vec3){0.1, 0.3, 0.7}));
    base_random random = base_random_seed(13);
    counts n = {0};
    for (int k = 0; k < 400; k++) {
        const double gap = base_exp(base_random_range(&random, -14, 1));
        vec3 t = {0.1 * base_random_unit(&random), 0.1 * base_random_unit(&random), 1.7 + gap};
        geo_pose pose = {geo_quat_matrix(geo_quat_identity()), t};
        if (k % 3 == 1) { /* exact quarter turns */
            pose.rotation = (mat3){{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
        } else if (k % 3 == 2) {
            pose.rotation = (mat3){{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
            pose.translation.z = 1.3 + gap;
        }
        check_all(&a, &b, &pose, &n);
        check_all(&b, &a, &pose, &n);
    }
    cr_assert(n.tight > n.pairs / 20, "of %d pairs %d are tight", n.pairs, n.tight);
    release(&a);
    release(&b);
}
