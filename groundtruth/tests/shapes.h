/** Bodies for the tests, made in place. */
#ifndef GROUNDTRUTH_TESTS_SHAPES_H
#define GROUNDTRUTH_TESTS_SHAPES_H

#include "base/csv.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "groundtruth/groundtruth.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The objects that a body borrows, at an address that does not change when a shape is copied. */
typedef struct held {
    geo_mesh mesh;
    geo_mesh_report report;
} held;

/** A test body; parts are added until shape_finish makes a mesh and a body of them. */
typedef struct shape {
    geo_mesh_builder parts;
    geo_mesh mesh;
    geo_mesh_report report;
    held *held; /* copies of mesh and report */
    gt_body *body;
} shape;

/** Appends vertices and faces; flipped: the faces have the opposite orientation. */
static inline void shape_add(shape *s, const vec3 *vertices, size_t nv, const geo_face *faces,
                             size_t nf, bool flipped)
{
    const uint32_t base = (uint32_t)s->parts.vertex_count;
    for (size_t i = 0; i < nv; i++) {
        cr_assert_eq(geo_mesh_builder_add_vertex(&s->parts, vertices[i], NULL), BASE_OK);
    }
    for (size_t f = 0; f < nf; f++) {
        const uint32_t *const v = faces[f].v;
        const geo_face face = {{v[0] + base, v[flipped ? 2 : 1] + base, v[flipped ? 1 : 2] + base}};
        cr_assert_eq(geo_mesh_builder_add_face(&s->parts, face, NULL), BASE_OK);
    }
}

static inline void shape_add_box(shape *s, vec3 lo, vec3 hi, bool flipped)
{
    static const geo_face faces[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}},
                                       {{0, 1, 4}}, {{1, 5, 4}}, {{2, 6, 3}}, {{3, 6, 7}},
                                       {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
    vec3 vertices[8];
    for (int i = 0; i < 8; i++) {
        vertices[i] = (vec3){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
    }
    shape_add(s, vertices, 8, faces, 12, flipped);
}

/**
 * Adds a closed surface over a grid of nu x nv quads around two angles: a torus for minor > 0
 * (radii major and minor), else a ball of radius major whose poles are two vertices.
 */
static inline void shape_add_torus(shape *s, uint32_t nu, uint32_t nv, double major, double minor)
{
    SCOPED_FREE vec3 *const vertices = base_alloc((size_t)nu * nv, sizeof *vertices);
    SCOPED_FREE geo_face *const faces = base_alloc(2 * (size_t)nu * nv, sizeof *faces);
    cr_assert(vertices && faces);
    for (uint32_t u = 0; u < nu; u++) {
        const double a = 2 * BASE_PI * u / nu, ca = base_cos(a), sa = base_sin(a);
        for (uint32_t v = 0; v < nv; v++) {
            const double b = 2 * BASE_PI * v / nv;
            const double r = major + minor * base_cos(b);
            vertices[u * nv + v] = (vec3){r * ca, r * sa, minor * base_sin(b)};
            const uint32_t u1 = (u + 1) % nu, v1 = (v + 1) % nv;
            geo_face *const pair = &faces[2 * (u * nv + v)];
            pair[0] = (geo_face){{u * nv + v, u1 * nv + v, u1 * nv + v1}};
            pair[1] = (geo_face){{u * nv + v, u1 * nv + v1, u * nv + v1}};
        }
    }
    shape_add(s, vertices, (size_t)nu * nv, faces, 2 * (size_t)nu * nv, false);
}

static inline void shape_add_ball(shape *s, uint32_t nu, uint32_t nv, double radius)
{
    const uint32_t rings = nv - 1, north = nu * rings, south = north + 1;
    SCOPED_FREE vec3 *const vertices = base_alloc((size_t)south + 1, sizeof *vertices);
    SCOPED_FREE geo_face *const faces = base_alloc(2 * (size_t)nu * rings, sizeof *faces);
    cr_assert(vertices && faces);
    size_t nf = 0;
    for (uint32_t u = 0; u < nu; u++) {
        const double a = 2 * BASE_PI * u / nu;
        const uint32_t u1 = (u + 1) % nu;
        for (uint32_t v = 0; v < rings; v++) {
            const double b = BASE_PI * (v + 1) / nv, r = radius * base_sin(b);
            vertices[u * rings + v] =
                (vec3){r * base_cos(a), r * base_sin(a), radius * base_cos(b)};
            const uint32_t here = u * rings + v, right = u1 * rings + v;
            const uint32_t up = v == 0 ? north : here - 1;
            const uint32_t down = v + 1 == rings ? south : right + 1;
            faces[nf++] = (geo_face){{up, here, right}};
            faces[nf++] = (geo_face){{here, down, right}};
        }
    }
    vertices[north] = (vec3){0, 0, radius};
    vertices[south] = (vec3){0, 0, -radius};
    shape_add(s, vertices, (size_t)south + 1, faces, nf, false);
}

static inline void shape_scale(shape *s, double factor)
{
    for (size_t v = 0; v < s->parts.vertex_count; v++) {
        s->parts.vertices[v] = vec3_scale(factor, s->parts.vertices[v]);
    }
}

static inline void shape_move(shape *s, const geo_pose *pose)
{
    for (size_t v = 0; v < s->parts.vertex_count; v++) {
        s->parts.vertices[v] = geo_pose_apply(pose, s->parts.vertices[v]);
    }
}

/** Checks the mesh and makes the body. */
static inline void shape_finish(shape *s)
{
    s->mesh = geo_mesh_builder_finish(&s->parts);
    assert_ok(geo_mesh_check(&s->mesh, &s->report, ERR));
    s->held = base_alloc(1, sizeof *s->held);
    cr_assert_not_null(s->held);
    *s->held = (held){s->mesh, s->report};
    assert_ok(gt_body_create(&s->held->mesh, &s->held->report, &s->body, ERR));
}

static inline void shape_tetrahedralise(shape *s)
{
    assert_ok(gt_body_tetrahedralise(s->body, NULL, ERR));
}

static inline void shape_release(shape *s)
{
    gt_body_destroy(s->body);
    base_free(s->held);
    geo_mesh_report_release(&s->report);
    geo_mesh_release(&s->mesh);
    geo_mesh_builder_release(&s->parts);
    *s = (shape){0};
}

static inline shape shape_box(vec3 lo, vec3 hi)
{
    shape s = {0};
    shape_add_box(&s, lo, hi, false);
    shape_finish(&s);
    return s;
}

static inline shape shape_cube(double edge)
{
    const double h = edge / 2;
    return shape_box((vec3){-h, -h, -h}, (vec3){h, h, h});
}

static inline shape shape_load(const char *path)
{
    shape s = {0};
    geo_mesh mesh;
    assert_ok(geo_mesh_load(path, &mesh, ERR));
    shape_add(&s, mesh.vertices, mesh.vertex_count, mesh.faces, mesh.face_count, false);
    geo_mesh_release(&mesh);
    shape_finish(&s);
    return s;
}

static inline geo_pose shift(double x, double y, double z)
{
    return geo_pose_make(geo_quat_identity(), (vec3){x, y, z});
}

static inline geo_pose random_pose(base_random *random, double distance)
{
    const geo_quat q = geo_random_rotation(random);
    return geo_pose_make(q, vec3_scale(distance, geo_random_direction(random)));
}

/** Returns the middle of a bracket; 0 if it is below the slack. */
static inline double middle(gt_bracket b)
{
    return b.lo > 0 ? 0.5 * (b.lo + b.hi) : 0;
}

static inline bool within(gt_bracket b, double value)
{
    return b.lo <= value && value <= b.hi;
}

/* --- Reference sets --------------------------------------------------------------------------- */

typedef struct reference {
    base_csv trajectory, expected;
} reference;

static inline reference reference_read(const char *name)
{
    reference r;
    char path[256];
    snprintf(path, sizeof path, "../shared/reference/%s.trajectory.csv", name);
    assert_ok(base_csv_read(path, NULL, &r.trajectory, ERR));
    snprintf(path, sizeof path, "../shared/reference/%s.expected.csv", name);
    assert_ok(base_csv_read(path, NULL, &r.expected, ERR));
    cr_assert_eq(r.trajectory.rows, r.expected.rows);
    return r;
}

static inline void reference_release(reference *r)
{
    base_csv_release(&r->trajectory);
    base_csv_release(&r->expected);
}

#define SCOPED_REFERENCE RELEASED_BY(reference_release) reference

static inline double reference_number(const base_csv *table, size_t row, const char *column)
{
    double value = 0;
    assert_ok(base_csv_number(table, row, base_csv_find(table, column), &value, ERR));
    return value;
}

static inline geo_pose reference_pose(const reference *r, size_t row)
{
    const base_csv *const t = &r->trajectory;
    const geo_quat q = {reference_number(t, row, "qx"), reference_number(t, row, "qy"),
                        reference_number(t, row, "qz"), reference_number(t, row, "qw")};
    const vec3 p = {reference_number(t, row, "x_m"), reference_number(t, row, "y_m"),
                    reference_number(t, row, "z_m")};
    return geo_pose_make(q, p);
}

static inline bool shared_is_there(void)
{
    return access("../shared/reference", R_OK) == 0;
}

#endif
