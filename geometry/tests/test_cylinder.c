#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <string.h>

/** Makes patches of a rough sphere, separate triangles, points, or coplanar triangles. */
static geo_triangle *make_triangles(base_random *random, size_t count, int kind)
{
    geo_triangle *const triangles = base_alloc(count, sizeof *triangles);
    cr_assert_not_null(triangles);
    for (size_t i = 0; i < count; i++) {
        const vec3 base = geo_random_direction(random);
        for (int k = 0; k < 3; k++) {
            const vec3 p = vec3_madd(base, 0.1, geo_random_direction(random));
            triangles[i].p[k] = kind == 0   ? vec3_normalize(p)
                                : kind == 1 ? vec3_scale(5, p)
                                : kind == 2 ? base
                                            : (vec3){p.x + 100, p.y, p.x};
        }
        const vec3 n = vec3_cross(vec3_sub(triangles[i].p[1], triangles[i].p[0]),
                                  vec3_sub(triangles[i].p[2], triangles[i].p[0]));
        if (kind == 0 && vec3_dot(n, base) < 0) { /* outward, as in a mesh */
            const vec3 swap = triangles[i].p[1];
            triangles[i].p[1] = triangles[i].p[2];
            triangles[i].p[2] = swap;
        }
    }
    return triangles;
}

typedef struct places {
    uint32_t begin, end;
} places;

typedef struct census {
    const geo_bvh *bvh;
    const geo_triangle *sorted;
    const geo_cylinder_node *cylinders;
    double leaf_thickness, leaf_radius; /* sums over leaves */
} census;

static void check_cylinder(const geo_cylinder_node *cylinders, int lane,
                           const geo_triangle *triangles, uint32_t count)
{
    const vec3 centre = {(double)cylinders->centre[0][lane], (double)cylinders->centre[1][lane],
                         (double)cylinders->centre[2][lane]};
    const vec3 normal = {(double)cylinders->normal[0][lane], (double)cylinders->normal[1][lane],
                         (double)cylinders->normal[2][lane]};
    const double n2 = vec3_norm2(normal);
    cr_assert(n2 <= 1 && n2 > 1 - 0x1p-20, "%.17g", n2);
    for (uint32_t i = 0; i < 3 * count; i++) {
        const vec3 e = vec3_sub(triangles[i / 3].p[i % 3], centre);
        const double along = fabs(vec3_dot(normal, e));
        const double away = vec3_norm(vec3_cross(normal, e)) / sqrt(n2);
        cr_assert(along <= (double)cylinders->thickness[lane] &&
                      away <= (double)cylinders->radius[lane],
                  "lane %d corner %u: %.17g %.17g", lane, i, along, away);
    }
}

static places check_node(census *c, uint32_t index)
{
    const geo_bvh_node *const node = &c->bvh->nodes[index];
    const geo_cylinder_node *const cylinders = &c->cylinders[index];
    places all = {UINT32_MAX, 0};
    for (int lane = 0; lane < GEO_BVH_WIDTH && geo_bvh_lane_used(node, lane); lane++) {
        const uint32_t first = node->first[lane], count = node->count[lane];
        const places here = count > 0 ? (places){first, first + count} : check_node(c, first);
        check_cylinder(cylinders, lane, &c->sorted[here.begin], here.end - here.begin);
        if (count > 0) {
            c->leaf_thickness += (double)cylinders->thickness[lane];
            c->leaf_radius += (double)cylinders->radius[lane];
        }
        all.begin = here.begin < all.begin ? here.begin : all.begin;
        all.end = here.end > all.end ? here.end : all.end;
    }
    return all;
}

Test(cylinder, encloses_what_is_below)
{
    base_random random = base_random_seed(81);
    for (int i = 0; i < 40; i++) {
        const size_t count = (size_t[]){1, 5, 100, 3000}[i % 4];
        const int kind = i / 4 % 4;
        geo_triangle *const triangles = make_triangles(&random, count, kind);
        geo_triangle *const sorted = base_alloc(count, sizeof *sorted);
        geo_box *const boxes = base_alloc(count, sizeof *boxes);
        cr_assert(sorted && boxes);
        for (size_t k = 0; k < count; k++) {
            boxes[k] = geo_box_of_triangle(triangles[k]);
        }
        base_arena arena = {0};
        geo_bvh bvh;
        geo_cylinder_node *cylinders;
        cr_assert_eq(geo_bvh_build(boxes, count, 4, &arena, &bvh, NULL), BASE_OK);
        for (size_t k = 0; k < count; k++) {
            sorted[k] = triangles[bvh.order[k]];
        }
        cr_assert_eq(geo_cylinders_build(&bvh, sorted, &arena, &cylinders, NULL), BASE_OK);
        census c = {.bvh = &bvh, .sorted = sorted, .cylinders = cylinders};
        const places all = check_node(&c, 0);
        cr_assert(all.begin == 0 && all.end == count, "%u to %u", all.begin, all.end);
        if (count == 3000 && kind == 0) { /* flat against the sphere */
            cr_assert_lt(c.leaf_thickness, 0.2 * c.leaf_radius, "%g %g", c.leaf_thickness,
                         c.leaf_radius);
        }
        if (kind == 3) { /* in a plane: only rounding, at coordinates of 100 */
            cr_assert_lt(c.leaf_thickness, 1e-4 * (double)count, "%g", c.leaf_thickness);
        }
        base_arena_release(&arena);
        base_free(triangles);
        base_free(sorted);
        base_free(boxes);
    }
}
