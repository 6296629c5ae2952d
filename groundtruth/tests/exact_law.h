/**
 * The force of the depth law on two small meshes, with an error bound of its own. Faces are cut
 * exactly (rational.h); distances are integrated in long double. If the field is convex, the
 * distance is the least of those from the planes of its faces, and the integral is a closed form.
 * Otherwise the distance to all triangles is measured in the middles of small parts; elsewhere it
 * differs by at most the distance from the middle. No code is shared with the ground truth.
 */
#ifndef GROUNDTRUTH_TESTS_EXACT_LAW_H
#define GROUNDTRUTH_TESTS_EXACT_LAW_H

#include "rational.h"

#include <string.h>

enum {
    LAW_POLYGON_MAX = 64, /* corners: each plane adds at most one */
    LAW_LEVELS = 4,       /* a part is cut into four at most this many times */
};

/**
 * A part is small enough if the mean distance from its middle is this share of the field's distance
 * there.
 */
#define LAW_SHARE 0.05L

typedef struct law3 {
    long double x[3];
} law3;

typedef struct law_face {
    law3 corner[3];
    law3 normal; /* unit, outward; 0 if the face has no area */
} law_face;

/** The sums, relative to the first vertex of the field. */
typedef struct exact_law {
    law_face *faces; /* faces of the field */
    size_t count;
    bool convex;
    const law_face *body;
    unsigned scale;
    mpf_t origin[3];
    long double integral, force[3], moment[3]; /* integrals of d, d n and x cross d n */
    long double area, bound, reach;            /* bound: of the error of integral and force */
} exact_law;

static inline law3 law_sub(law3 a, law3 b)
{
    return (law3){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static inline law3 law_madd(law3 a, long double s, law3 b)
{
    return (law3){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static inline long double law_dot(law3 a, law3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline long double law_norm(law3 a)
{
    return sqrtl(law_dot(a, a));
}

static inline law3 law_cross(law3 a, law3 b)
{
    return (law3){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                   a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/** Returns a number relative to the field's origin, in long double. */
static inline long double law_relative(const exact_law *law, int axis, const mpf_t value)
{
    mpf_t rest;
    mpf_init2(rest, SUM_BITS);
    mpf_sub(rest, value, law->origin[axis]);
    const double high = mpf_get_d(rest);
    mpf_set_d(rest, high);
    mpf_sub(rest, value, rest);
    mpf_sub(rest, rest, law->origin[axis]);
    const double low = mpf_get_d(rest);
    mpf_clear(rest);
    return (long double)high + (long double)low;
}

static inline law3 law_point(const exact_law *law, vec3 p)
{
    law3 r;
    mpf_t value;
    mpf_init2(value, SUM_BITS);
    for (int axis = 0; axis < 3; axis++) {
        mpf_set_d(value, vec3_get(p, axis));
        r.x[axis] = law_relative(law, axis, value);
    }
    mpf_clear(value);
    return r;
}

static inline law_face *law_faces(const exact_law *law, const geo_mesh *mesh, const vec3 *vertices)
{
    law_face *const faces = base_alloc(mesh->face_count, sizeof *faces);
    if (!faces) {
        abort();
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        law_face *const face = &faces[f];
        for (int k = 0; k < 3; k++) {
            face->corner[k] = law_point(law, vertices[mesh->faces[f].v[k]]);
        }
        face->normal = law_cross(law_sub(face->corner[1], face->corner[0]),
                                 law_sub(face->corner[2], face->corner[0]));
        const long double norm = law_norm(face->normal);
        for (int axis = 0; axis < 3; axis++) {
            face->normal.x[axis] /= norm > 0 ? norm : 1;
        }
    }
    return faces;
}

/* --- Distances -------------------------------------------------------------------------------- */

/** Returns the distance of a point behind the plane of a face. */
static inline long double law_height(const law_face *face, law3 p)
{
    return -law_dot(face->normal, law_sub(p, face->corner[0]));
}

static inline long double law_face_distance(const law_face *face, law3 p)
{
    long double least = INFINITY;
    bool inside = law_norm(face->normal) > 0;
    for (int k = 0; k < 3; k++) {
        const law3 from = law_sub(p, face->corner[k]);
        const law3 edge = law_sub(face->corner[(k + 1) % 3], face->corner[k]);
        const long double along = law_dot(from, edge) / law_dot(edge, edge);
        const long double share = along < 0 ? 0 : along > 1 ? 1 : along;
        least = fminl(least, law_norm(law_madd(from, -share, edge)));
        inside = inside && law_dot(law_cross(edge, from), face->normal) >= 0;
    }
    return inside ? fminl(least, fabsl(law_height(face, p))) : least;
}

/* --- Integrals -------------------------------------------------------------------------------- */

/** Adds a triangle on which the distance is linear, with these values at its corners. */
static inline void law_add(exact_law *law, int sign, const law3 p[3], const long double d[3])
{
    const law3 n = law->body->normal;
    const long double area = law_norm(law_cross(law_sub(p[1], p[0]), law_sub(p[2], p[0]))) / 2;
    const long double sum = d[0] + d[1] + d[2];
    law3 first = {{0, 0, 0}}; /* integral of d x */
    for (int k = 0; k < 3; k++) {
        first = law_madd(first, area * (sum + d[k]) / 12, p[k]);
        law->reach = fmaxl(law->reach, law_norm(p[k]));
    }
    const law3 moment = law_cross(first, n);
    law->integral += sign * area * sum / 3;
    law->area += area;
    for (int axis = 0; axis < 3; axis++) {
        law->force[axis] += sign * area * sum / 3 * n.x[axis];
        law->moment[axis] += sign * moment.x[axis];
    }
}

/** For a convex field: cuts a polygon where the nearest plane changes, from face `next` on. */
static inline void law_by_planes(exact_law *law, int sign, const law3 *p, int n, size_t nearest,
                                 size_t next)
{
    if (n < 3) {
        return;
    }
    if (next == law->count) {
        for (int k = 2; k < n; k++) {
            const law3 part[3] = {p[0], p[k - 1], p[k]};
            long double d[3];
            for (int i = 0; i < 3; i++) {
                d[i] = law_height(&law->faces[nearest], part[i]);
            }
            law_add(law, sign, part, d);
        }
        return;
    }
    law3 part[2][LAW_POLYGON_MAX];
    int count[2] = {0, 0};
    for (int k = 0; k < n; k++) {
        long double more[2]; /* excess of the distance from the next plane */
        for (int i = 0; i < 2; i++) {
            const law3 x = p[(k + i) % n];
            more[i] = law_height(&law->faces[next], x) - law_height(&law->faces[nearest], x);
        }
        const int own = more[0] < 0;
        part[own][count[own]++] = p[k];
        if (own != (more[1] < 0)) {
            const law3 way = law_sub(p[(k + 1) % n], p[k]);
            const law3 x = law_madd(p[k], more[0] / (more[0] - more[1]), way);
            part[0][count[0]++] = x;
            part[1][count[1]++] = x;
        }
    }
    law_by_planes(law, sign, part[0], count[0], nearest, next + 1);
    law_by_planes(law, sign, part[1], count[1], next, next + 1);
}

/** For any field: uses the distance in the middle of parts that are small enough. */
static inline void law_by_parts(exact_law *law, int sign, const law3 p[3], int level)
{
    law3 middle = {{0, 0, 0}}, half[3];
    long double sides2 = 0, distance = INFINITY;
    for (int k = 0; k < 3; k++) {
        const law3 side = law_sub(p[(k + 1) % 3], p[k]);
        half[k] = law_madd(p[k], 0.5L, side);
        middle = law_madd(middle, 1 / 3.0L, p[k]);
        sides2 += law_dot(side, side);
    }
    for (size_t f = 0; f < law->count; f++) {
        distance = fminl(distance, law_face_distance(&law->faces[f], middle));
    }
    /* the mean of |x - middle|^2 is sides2 / 36 */
    const long double way = sqrtl(sides2) / 6;
    if (way <= LAW_SHARE * distance || level == LAW_LEVELS) {
        const long double d[3] = {distance, distance, distance};
        const long double before = law->area;
        law_add(law, sign, p, d);
        law->bound += way * (law->area - before);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const law3 part[3] = {p[k], half[k], half[(k + 2) % 3]};
        law_by_parts(law, sign, part, level + 1);
    }
    law_by_parts(law, sign, half, level + 1);
}

static inline void law_visit(void *context, size_t face, int sign, const rational4 *const p[3])
{
    exact_law *const law = context;
    const law_face *const faces = law->body;
    law3 corner[3];
    long3 at;
    long3_init(&at);
    for (int k = 0; k < 3; k++) {
        long3_set(&at, p[k]);
        for (int axis = 0; axis < 3; axis++) {
            mpf_div_2exp(at.x[axis], at.x[axis], law->scale);
            corner[k].x[axis] = law_relative(law, axis, at.x[axis]);
        }
    }
    long3_clear(&at);
    law->body = &faces[face];
    if (law->convex) {
        law_by_planes(law, sign, corner, 3, 0, 1);
    } else {
        law_by_parts(law, sign, corner, 0);
    }
    law->body = faces;
}

/**
 * Integrates the depths in body `field` (0: A, 1: B) over the part of the other body's surface
 * inside it. force and moment are the integrals of d n and x cross d n with the outward normals of
 * that surface, the moment about A's origin. bound holds for the force, and bound times `lever` for
 * the moment, where lever is the largest distance of a point of the overlap from the field's first
 * vertex.
 */
static inline exact_law exact_law_of(const rational_pair *pair, int field, bool convex)
{
    const vec3 *const vertices[2] = {pair->mesh[0]->vertices, pair->moved};
    const geo_mesh *const mesh = pair->mesh[field];
    exact_law law = {.count = mesh->face_count, .convex = convex, .scale = pair->scale};
    for (int axis = 0; axis < 3; axis++) {
        mpf_init2(law.origin[axis], SUM_BITS);
        mpf_set_d(law.origin[axis], vec3_get(vertices[field][0], axis));
    }
    law.faces = law_faces(&law, mesh, vertices[field]);
    law_face *const body = law_faces(&law, pair->mesh[1 - field], vertices[1 - field]);
    law.body = body;
    rational_faces faces = {.visit = law_visit, .context = &law};
    rational_cut_faces(pair, 1 - field, &faces);
    for (size_t f = 0; f < law.count; f++) {
        for (int k = 0; k < 3; k++) {
            law.reach = fmaxl(law.reach, law_norm(law.faces[f].corner[k]));
        }
    }
    law.bound += 1e-15L * law.reach * law.area;
    for (int axis = 0; axis < 3; axis++) {
        mpf_clear(law.origin[axis]);
    }
    base_free(law.faces);
    base_free(body);
    law.faces = NULL;
    law.body = NULL;
    return law;
}

#endif
