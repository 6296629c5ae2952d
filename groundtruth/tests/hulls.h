/** Convex bodies for the tests. */
#ifndef GROUNDTRUTH_TESTS_HULLS_H
#define GROUNDTRUTH_TESTS_HULLS_H

#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "groundtruth/depth/depth.h"

#include "shapes.h"

typedef struct hull_maker {
    const vec3 *points;
    geo_face *faces; /* grows by base_reserve */
    size_t count, capacity;
    uint32_t *next; /* for each vertex of the rim of the visible faces: the next one */
} hull_maker;

static inline void hull_push(hull_maker *h, uint32_t a, uint32_t b, uint32_t c)
{
    assert_ok(base_reserve(h->faces, h->capacity, h->count + 1, ERR));
    h->faces[h->count++] = (geo_face){{a, b, c}};
}

/** Replaces the faces that are visible from p by faces that join p to their rim. */
static inline void hull_add(hull_maker *h, uint32_t p)
{
    size_t kept = 0;
    uint32_t start = UINT32_MAX;
    geo_face *const seen = base_alloc(h->count, sizeof *seen);
    size_t seen_count = 0;
    for (size_t f = 0; f < h->count; f++) {
        const uint32_t *const v = h->faces[f].v;
        const vec3 *const q = h->points;
        if (geo_orient3d(q[v[0]], q[v[1]], q[v[2]], q[p]) < 0) {
            seen[seen_count++] = h->faces[f];
        } else {
            h->faces[kept++] = h->faces[f];
        }
    }
    h->count = kept;
    for (size_t f = 0; f < seen_count; f++) {
        for (int k = 0; k < 3; k++) {
            const uint32_t a = seen[f].v[k], b = seen[f].v[(k + 1) % 3];
            bool inner = false;
            for (size_t g = 0; g < seen_count && !inner; g++) {
                const uint32_t *const w = seen[g].v;
                inner = (w[0] == b && w[1] == a) || (w[1] == b && w[2] == a) ||
                        (w[2] == b && w[0] == a);
            }
            if (!inner) {
                h->next[a] = b;
                start = a;
            }
        }
    }
    base_free(seen);
    for (uint32_t a = start; a != UINT32_MAX;) {
        hull_push(h, a, h->next[a], p);
        a = h->next[a] == start ? UINT32_MAX : h->next[a];
    }
}

/** Makes the hull of points of which no four are coplanar; points inside stay unused. */
static inline shape shape_hull(const vec3 *points, uint32_t count)
{
    hull_maker h = {.points = points, .next = base_alloc(count, sizeof *h.next)};
    const bool up = geo_orient3d(points[0], points[1], points[2], points[3]) > 0;
    const uint32_t b = up ? 1 : 2, c = up ? 2 : 1;
    hull_push(&h, 0, b, c);
    hull_push(&h, 0, c, 3);
    hull_push(&h, c, b, 3);
    hull_push(&h, b, 0, 3);
    for (uint32_t p = 4; p < count; p++) {
        hull_add(&h, p);
    }
    shape s = {0};
    shape_add(&s, points, count, h.faces, h.count, false);
    base_free(h.faces);
    base_free(h.next);
    shape_finish(&s);
    cr_assert(s.report.solid);
    return s;
}

static inline void shape_make_hull(shape *s)
{
    assert_ok(gt_body_make_hull(s->body, ERR));
}

/** Makes the hull of random points on an ellipsoid. */
static inline shape random_hull(base_random *random, uint32_t count, vec3 radii)
{
    vec3 *const points = base_alloc(count, sizeof *points);
    for (uint32_t i = 0; i < count; i++) {
        const vec3 d = geo_random_direction(random);
        points[i] = (vec3){radii.x * d.x, radii.y * d.y, radii.z * d.z};
    }
    shape s = shape_hull(points, count);
    base_free(points);
    shape_make_hull(&s);
    return s;
}

static inline shape convex_box(vec3 lo, vec3 hi)
{
    shape s = shape_box(lo, hi);
    shape_make_hull(&s);
    return s;
}

/**
 * Makes a regular prism around the z axis from -h to h. `bottom` and `top` are the radii of its end
 * faces. If they differ, it is a frustum; if `top` is 0, it is a pyramid.
 */
static inline shape convex_prism(uint32_t sides, double bottom, double top, double h)
{
    const uint32_t rings = top > 0 ? 2 : 1, nv = rings * sides + (top > 0 ? 0 : 1);
    vec3 *const v = base_alloc(nv, sizeof *v);
    geo_face *const f = base_alloc(4 * (size_t)sides, sizeof *f);
    size_t nf = 0;
    for (uint32_t i = 0; i < sides; i++) {
        const double a = 2 * BASE_PI * i / sides;
        v[i] = (vec3){bottom * base_cos(a), bottom * base_sin(a), -h};
        if (top > 0) {
            v[sides + i] = (vec3){top * base_cos(a), top * base_sin(a), h};
        }
    }
    if (!(top > 0)) {
        v[sides] = (vec3){0, 0, h};
    }
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t j = (i + 1) % sides;
        f[nf++] = (geo_face){{i, j, top > 0 ? sides + j : sides}};
        if (top > 0) {
            f[nf++] = (geo_face){{i, sides + j, sides + i}};
        }
        if (i > 0 && j > 0) {
            f[nf++] = (geo_face){{0, j, i}};
            if (top > 0) {
                f[nf++] = (geo_face){{sides, sides + i, sides + j}};
            }
        }
    }
    shape s = {0};
    shape_add(&s, v, nv, f, nf, false);
    base_free(v);
    base_free(f);
    shape_finish(&s);
    cr_assert(s.report.solid);
    shape_make_hull(&s);
    return s;
}

#endif
