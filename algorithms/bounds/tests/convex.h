/** Overlaps of convex bodies, face by face: an oracle that is independent of the cells. */
#ifndef ALGORITHMS_IST_TESTS_CONVEX_H
#define ALGORITHMS_IST_TESTS_CONVEX_H

#include "algorithms/tests/shapes.h"

enum { CONVEX_PLANES_MAX = 512, CONVEX_CORNERS_MAX = 600 };

/** The points with dot(normal, x) <= offset for all planes. */
typedef struct convex {
    vec3 normals[CONVEX_PLANES_MAX];
    double offsets[CONVEX_PLANES_MAX];
    size_t count;
} convex;

/** Adds a plane unless it is already present, up to rounding. */
static inline void convex_add(convex *c, vec3 normal, double offset)
{
    for (size_t i = 0; i < c->count; i++) {
        if (vec3_distance(c->normals[i], normal) < 1e-9 && fabs(c->offsets[i] - offset) < 1e-12) {
            return;
        }
    }
    cr_assert_lt(c->count, CONVEX_PLANES_MAX);
    c->normals[c->count] = normal;
    c->offsets[c->count++] = offset;
}

/** Adds the planes of a convex mesh's faces, moved by the pose. */
static inline void convex_add_mesh(convex *c, const geo_mesh *mesh, const geo_pose *pose)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(mesh, f));
        const vec3 normal =
            vec3_normalize(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        convex_add(c, normal, vec3_dot(normal, t.p[0]));
    }
}

/** Cuts off the part above a plane. Returns the number of remaining corners. */
static inline size_t convex_cut(vec3 *p, size_t count, vec3 normal, double offset)
{
    vec3 kept[CONVEX_CORNERS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const vec3 a = p[i], b = p[(i + 1) % count];
        const double above_a = vec3_dot(normal, a) - offset, above_b = vec3_dot(normal, b) - offset;
        if (above_a <= 0) {
            kept[n++] = a;
        }
        if ((above_a < 0 && above_b > 0) || (above_a > 0 && above_b < 0)) {
            kept[n++] = vec3_madd(a, above_a / (above_a - above_b), vec3_sub(b, a));
        }
    }
    memcpy(p, kept, n * sizeof *p);
    return n;
}

/** Returns the sum of the pyramids over the faces. size: greatest distance of a point from the
 * origin. */
static inline double convex_volume(const convex *c, double size)
{
    double volume = 0;
    for (size_t i = 0; i < c->count; i++) {
        const vec3 n = c->normals[i];
        const vec3 u =
            vec3_normalize(vec3_cross(n, fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0}));
        const vec3 v = vec3_cross(n, u), base = vec3_scale(c->offsets[i], n);
        vec3 p[CONVEX_CORNERS_MAX] = {
            vec3_madd(vec3_madd(base, 2 * size, u), 2 * size, v),
            vec3_madd(vec3_madd(base, -2 * size, u), 2 * size, v),
            vec3_madd(vec3_madd(base, -2 * size, u), -2 * size, v),
            vec3_madd(vec3_madd(base, 2 * size, u), -2 * size, v),
        };
        size_t count = 4;
        for (size_t k = 0; k < c->count && count > 0; k++) {
            if (k != i) {
                count = convex_cut(p, count, c->normals[k], c->offsets[k]);
            }
        }
        vec3 area = {0, 0, 0};
        for (size_t k = 1; k + 1 < count; k++) {
            area = vec3_add(area, vec3_cross(vec3_sub(p[k], p[0]), vec3_sub(p[k + 1], p[0])));
        }
        volume += c->offsets[i] * vec3_dot(n, area) / 6;
    }
    return volume;
}

/** Returns the common volume of A and B at a pose, both convex and within `size` of the origin. */
static inline double convex_overlap(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                                    double size)
{
    convex c = {.count = 0};
    const geo_pose here = geo_pose_identity();
    convex_add_mesh(&c, a, &here);
    convex_add_mesh(&c, b, pose);
    return convex_volume(&c, size);
}

#endif
