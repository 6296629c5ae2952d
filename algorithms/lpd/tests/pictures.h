/** Reference heights of surfaces: every triangle at every pixel, in double. */
#ifndef ALGORITHMS_LPD_TESTS_PICTURES_H
#define ALGORITHMS_LPD_TESTS_PICTURES_H

#include "algorithms/lpd/pixels.h"
#include "algorithms/lpd/raster.h"
#include "algorithms/tests/shapes.h"
#include "base/elementary.h"
#include "algorithms/lpd/tests/meeting.h"

/** Prepares the body of a mesh, which it takes ownership of. Release the body by alg_destroy. */
static inline alg_lpd_body *picture_body(geo_mesh mesh)
{
    alg_lpd_body *const body = prepare_body(&mesh, false);
    geo_mesh_release(&mesh);
    return body;
}

/** Returns a.x b.y - a.y b.x, with twice the digits in the products if digits is true. */
static inline double picture_cross(const double a[2], const double b[2], bool digits)
{
    const base_two p = base_two_product(a[0], b[1]), q = base_two_product(a[1], b[0]);
    return digits ? (p.high - q.high) + (p.low - q.low) : p.high - q.high;
}

/** Returns the height at (x, y) of a triangle whose corners have their height as third coordinate;
 * NaN where (x, y) is not covered. */
static inline double picture_height(const vec3 c[3], double x, double y)
{
    const vec3 lo = vec3_min(vec3_min(c[0], c[1]), c[2]), hi = vec3_max(vec3_max(c[0], c[1]), c[2]);
    if (!(lo.x <= x && x <= hi.x && lo.y <= y && y <= hi.y)) {
        return (double)NAN;
    }
    const vec3 u = vec3_sub(c[1], c[0]), v = vec3_sub(c[2], c[0]);
    const double area = fabs(u.x * v.y - u.y * v.x);
    const bool thin = !(area >= 0x1p-20 * (hi.x - lo.x) * (hi.y - lo.y));
    double p[3][2];
    for (int k = 0; k < 3; k++) {
        p[k][0] = c[k].x - x;
        p[k][1] = c[k].y - y;
    }
    const double e0 = picture_cross(p[1], p[2], thin), e1 = picture_cross(p[2], p[0], thin);
    const double e2 = picture_cross(p[0], p[1], thin), sum = e0 + e1 + e2;
    const bool left = e0 >= 0 && e1 >= 0 && e2 >= 0, right = e0 <= 0 && e1 <= 0 && e2 <= 0;
    return (left || right) && sum != 0 ? (e0 * c[0].z + e1 * c[1].z + e2 * c[2].z) / sum
                                       : (double)NAN;
}

/** Returns heights[y * width + x] as seen along sign * axis[2]; infinity where no surface is
 * visible. */
static inline double *picture_draw(const alg_lpd_window *window, const geo_tree *tree,
                                   const geo_pose *pose, double sign)
{
    const uint32_t width = window->size[0], height = window->size[1];
    double *const at = base_alloc((size_t)width * height, sizeof *at);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        at[i] = (double)INFINITY;
    }
    for (uint32_t f = 0; f < tree->count; f++) {
        vec3 c[3];
        for (int k = 0; k < 3; k++) {
            const vec3 p = vec3_sub(geo_pose_apply(pose, tree->triangles[f].p[k]), window->centre);
            c[k] = (vec3){vec3_dot(window->axis[0], p), vec3_dot(window->axis[1], p),
                          sign * vec3_dot(window->axis[2], p)};
        }
        for (uint32_t j = 0; j < height; j++) {
            for (uint32_t i = 0; i < width; i++) {
                const double x = (2.0 * i + 1 - width) * (window->half[0] / width);
                const double y = (2.0 * j + 1 - height) * (window->half[1] / height);
                const double h = picture_height(c, x, y);
                double *const pixel = &at[(size_t)j * width + i];
                *pixel = h >= 0 && h < *pixel ? h : *pixel;
            }
        }
    }
    return at;
}

#endif
