#include "groundtruth/tests/oracle_bodies.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/depth/depth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Parts ------------------------------------------------------------------------------------ */

static void need(base_status status)
{
    if (status != BASE_OK) {
        fprintf(stderr, "oracle: out of memory\n");
        abort();
    }
}

static void add(geo_mesh_builder *b, const vec3 *vertices, size_t nv, const geo_face *faces,
                size_t nf, bool inward)
{
    const uint32_t first = (uint32_t)b->vertex_count;
    for (size_t v = 0; v < nv; v++) {
        need(geo_mesh_builder_add_vertex(b, vertices[v], NULL));
    }
    for (size_t f = 0; f < nf; f++) {
        const uint32_t *const v = faces[f].v;
        const geo_face face = {
            {v[0] + first, v[inward ? 2 : 1] + first, v[inward ? 1 : 2] + first}};
        need(geo_mesh_builder_add_face(b, face, NULL));
    }
}

static const geo_face box_faces[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}},
                                       {{0, 1, 4}}, {{1, 5, 4}}, {{2, 6, 3}}, {{3, 6, 7}},
                                       {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};

static void add_box(geo_mesh_builder *b, vec3 lo, vec3 hi, bool inward)
{
    vec3 v[8];
    for (int i = 0; i < 8; i++) {
        v[i] = (vec3){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
    }
    add(b, v, 8, box_faces, 12, inward);
}

static void add_cube(geo_mesh_builder *b, double half, bool inward)
{
    add_box(b, (vec3){-half, -half, -half}, (vec3){half, half, half}, inward);
}

static void add_ell(geo_mesh_builder *b)
{
    static const double at[6][2] = {{0, 0}, {0, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 0}};
    vec3 v[12];
    geo_face f[20];
    size_t n = 0;
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t j = (i + 1) % 6;
        v[i] = (vec3){at[i][0], at[i][1], -0.75};
        v[6 + i] = (vec3){at[i][0], at[i][1], 0.75};
        f[n++] = (geo_face){{i, j, 6 + j}};
        f[n++] = (geo_face){{i, 6 + j, 6 + i}};
        if (i >= 1 && i < 5) {
            f[n++] = (geo_face){{0, j, i}};
            f[n++] = (geo_face){{6, 6 + i, 6 + j}};
        }
    }
    add(b, v, 12, f, n, false);
}

static void add_tetrahedron(geo_mesh_builder *b, base_random *random)
{
    static const geo_face f[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{0, 3, 2}}};
    vec3 v[4] = {{-1, -1, -1}, {1, 1, -1}, {-1, 1, 1}, {1, -1, 1}};
    for (int i = 0; i < 4; i++) {
        v[i] = vec3_madd(v[i], base_random_range(random, 0, 0.5), geo_random_direction(random));
    }
    add(b, v, 4, f, 4, false);
}

static void add_wedge(geo_mesh_builder *b)
{
    static const geo_face f[8] = {{{0, 2, 1}}, {{3, 4, 5}}, {{0, 1, 4}}, {{0, 4, 3}},
                                  {{1, 2, 5}}, {{1, 5, 4}}, {{2, 0, 3}}, {{2, 3, 5}}};
    const vec3 v[6] = {{-1, -1, -0.5}, {1, -1, -0.5}, {0, 1, -0.5},
                       {-1, -1, 1},    {1, -1, 1},    {0, 1, 1}};
    add(b, v, 6, f, 8, false);
}

static void add_octahedron(geo_mesh_builder *b)
{
    static const geo_face f[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                  {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
    const vec3 v[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    add(b, v, 6, f, 8, false);
}

/** Adds two boxes that share one vertex. */
static void add_welded(geo_mesh_builder *b)
{
    add_box(b, (vec3){-1, -1, -1}, (vec3){0, 0, 0}, false);
    const vec3 hi = {1, 0.75, 0.5};
    const uint32_t first = (uint32_t)b->vertex_count;
    for (int i = 1; i < 8; i++) {
        const vec3 v = {i & 1 ? hi.x : 0, i & 2 ? hi.y : 0, i & 4 ? hi.z : 0};
        need(geo_mesh_builder_add_vertex(b, v, NULL));
    }
    for (int f = 0; f < 12; f++) {
        geo_face face = box_faces[f];
        for (int k = 0; k < 3; k++) {
            face.v[k] = face.v[k] == 0 ? 7 : face.v[k] - 1 + first;
        }
        need(geo_mesh_builder_add_face(b, face, NULL));
    }
}

/* --- Bodies ----------------------------------------------------------------------------------- */

enum { KINDS = 10 };

static const char *add_kind(geo_mesh_builder *b, int kind, double thin, base_random *random)
{
    switch (kind) {
    case 0:
        add_box(b, (vec3){-1, -0.5, -0.25}, (vec3){1, 0.5, 0.75}, false);
        return "box";
    case 1:
        add_tetrahedron(b, random);
        return "tetrahedron";
    case 2:
        add_wedge(b);
        return "wedge";
    case 3:
        add_octahedron(b);
        return "octahedron";
    case 4:
        add_ell(b);
        return "L";
    case 5:
        add_cube(b, 1, false);
        add_cube(b, 0.75, true);
        return "shell";
    case 6:
        add_box(b, (vec3){-1, -1, 0}, (vec3){1, 1, thin}, false);
        return "plate";
    case 7:
        add_box(b, (vec3){-1, -0.5, -0.5}, (vec3){-0.25, 0.5, 0.5}, false);
        add_box(b, (vec3){0.25, -0.5, -0.5}, (vec3){1, 0.5, 0.5}, false);
        return "two boxes";
    case 8:
        add_welded(b);
        return "welded boxes";
    default:
        add_cube(b, 1, false);
        add_cube(b, 0.5, true);
        add_cube(b, 0.25, false);
        return "island in a cavity";
    }
}

static bool try_body(base_random *random, double scale, oracle_body *body)
{
    geo_mesh_builder b = {0};
    const int kind = (int)base_random_below(random, KINDS);
    const double thin = base_exp(log(10) * base_random_range(random, -9, -1));
    body->far = base_random_unit(random) < 0.3;
    const double far = body->far ? base_exp(log(10) * base_random_range(random, 1, 8)) : 0;
    const vec3 off = vec3_scale(far, geo_random_direction(random));
    const char *const name = add_kind(&b, kind, thin, random);
    int used = snprintf(body->name, sizeof body->name, "%s", name);
    if (kind == 6) {
        used += snprintf(body->name + used, sizeof body->name - (size_t)used, " %.0e thick", thin);
    }
    if (body->far) {
        snprintf(body->name + used, sizeof body->name - (size_t)used, " %.0e off", far);
    }
    for (size_t v = 0; v < b.vertex_count; v++) {
        b.vertices[v] = vec3_scale(scale, vec3_add(b.vertices[v], off));
    }
    body->mesh = geo_mesh_builder_finish(&b);
    need(geo_mesh_check(&body->mesh, &body->report, NULL));
    body->body = NULL;
    if (!body->report.solid) {
        return false;
    }
    need(gt_body_create(&body->mesh, &body->report, &body->body, NULL));
    body->convex = gt_body_make_hull(body->body, NULL) == BASE_OK;
    return true;
}

void oracle_body_draw(base_random *random, double scale, oracle_body *body)
{
    while (!try_body(random, scale, body)) {
        oracle_body_release(body);
    }
}

void oracle_body_release(oracle_body *body)
{
    gt_body_destroy(body->body);
    geo_mesh_report_release(&body->report);
    geo_mesh_release(&body->mesh);
}

/* --- Poses ------------------------------------------------------------------------------------ */

/** Draws one of the 24 axis rotations: exact, or with the rounding of its quaternion. */
static geo_pose draw_turn(base_random *random, double length)
{
    const uint64_t index = base_random_below(random, 24);
    const double sign[3] = {index & 1 ? -1 : 1, index & 2 ? -1 : 1, index & 4 ? -1 : 1};
    const geo_quat turns[3] = {{sign[0], sign[1], sign[2], 1},
                               {0, sign[0], 0, sign[1]},
                               {sign[0], 0, 0, index & 2 ? 0 : 1.0}};
    const geo_quat q = turns[index / 8];
    geo_pose turn = geo_pose_make(
        (geo_quat){length * q.x, length * q.y, length * q.z, length * q.w}, (vec3){0, 0, 0});
    for (int i = 0; i < 3 && base_random_below(random, 2) == 0; i++) {
        const vec3 r = turn.rotation.row[i];
        turn.rotation.row[i] = (vec3){rint(r.x), rint(r.y), rint(r.z)};
    }
    return turn;
}

static vec3 draw_vertex(base_random *random, const oracle_body *body)
{
    return body->mesh.vertices[base_random_below(random, body->mesh.vertex_count)];
}

/** Moves one component to the next double, up or down. */
static vec3 an_ulp_away(base_random *random, vec3 v)
{
    double x[3] = {v.x, v.y, v.z};
    const uint64_t k = base_random_below(random, 3);
    x[k] = nextafter(x[k], base_random_below(random, 2) ? (double)INFINITY : -(double)INFINITY);
    return (vec3){x[0], x[1], x[2]};
}

geo_pose oracle_pose_draw(base_random *random, const oracle_body *a, const oracle_body *b)
{
    const double length = base_random_range(random, 0.1, 10);
    const double size = vec3_norm(a->body->half) + vec3_norm(b->body->half);
    const uint64_t kind = base_random_below(random, 10);
    if (kind < 4) {
        const geo_quat q = geo_random_rotation(random);
        geo_pose pose = geo_pose_make(
            (geo_quat){length * q.x, length * q.y, length * q.z, length * q.w}, (vec3){0, 0, 0});
        const vec3 way =
            vec3_scale(base_random_range(random, 0, 0.9) * size, geo_random_direction(random));
        pose.translation =
            vec3_sub(vec3_add(a->body->centre, way), geo_pose_rotate(&pose, b->body->centre));
        return pose;
    }
    /* a vertex on a vertex, then a shift along one axis or two: boxes share edges or faces */
    geo_pose pose = draw_turn(random, length);
    if (kind == 9) {
        const double e = base_exp(log(10) * base_random_range(random, -16, -9));
        const vec3 axis = vec3_scale(e, geo_random_direction(random));
        const geo_pose tilt = geo_pose_make((geo_quat){axis.x, axis.y, axis.z, 1}, (vec3){0, 0, 0});
        pose.rotation = geo_pose_compose(&tilt, &pose).rotation;
    }
    const uint64_t axes = base_random_below(random, 3), first = base_random_below(random, 3);
    const vec3 on_b = geo_pose_rotate(&pose, draw_vertex(random, b));
    double shift[3] = {0, 0, 0};
    for (uint64_t i = 0; i < axes; i++) {
        shift[(first + i) % 3] = base_random_range(random, -0.5, 0.5) * size;
    }
    const vec3 on_a = draw_vertex(random, a);
    pose.translation = vec3_sub(vec3_add(on_a, (vec3){shift[0], shift[1], shift[2]}), on_b);
    if (kind == 8) {
        pose.translation = an_ulp_away(random, pose.translation);
    }
    return pose;
}
