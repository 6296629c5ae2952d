/** Fields of small bodies, with the exact distances. */
#ifndef ALGORITHMS_PST_TESTS_FIELDS_H
#define ALGORITHMS_PST_TESTS_FIELDS_H

#include "algorithms/pst/field.h"
#include "geometry/tests/shapes.h"
#include "geometry/triangle.h"

typedef struct subject {
    const char *name;
    geo_mesh mesh;
    bool solid;
    alg_pst_field_options options;
    base_arena arena;
    geo_surface surface;
    alg_pst_field field;
} subject;

#define SUBJECTS 8u

/** Removes the second half of the faces. */
static inline geo_mesh shape_open(geo_mesh mesh)
{
    geo_mesh_builder half = shape_edit(mesh);
    half.face_count /= 2;
    return geo_mesh_builder_finish(&half);
}

/** Returns a smooth body; 12 large triangles; a plate thinner than a cell; a mesh with a border; a
 * shell around a cavity; loose triangles, between which distances have ridges; a body almost as
 * small as a point, in few large cells; or a long body that is not aligned with the axes. */
static inline geo_mesh subject_mesh(uint32_t which)
{
    base_random random = base_random_seed(which);
    const geo_pose turn = shape_pose(&random, 0.5);
    switch (which) {
    case 0:
        return shape_torus(24, 1, 0.4);
    case 1:
        return shape_box((vec3){-1, -0.5, -0.25}, (vec3){1, 0.5, 0.25});
    case 2:
        return shape_box((vec3){-1, -0.75, 0.0101}, (vec3){1, 0.75, 0.0131});
    case 3:
        return shape_open(shape_ball((vec3){0, 0, 0}, 1, 6));
    case 4:
        return shape_join(shape_ball((vec3){0, 0, 0}, 1, 6),
                          shape_reverse(shape_ball((vec3){0.1, 0, 0}, 0.6, 4)));
    case 5:
        return shape_soup(&random, 30, false);
    case 6:
        return shape_move(shape_ball((vec3){0, 0, 0}, 1, 1), turn, 1);
    default:
        return shape_move(shape_box((vec3){-2, -0.1, -0.1}, (vec3){2, 0.1, 0.1}), turn, 1);
    }
}

static inline void open_subject(subject *s, uint32_t which, double scale)
{
    static const char *const names[SUBJECTS] = {"torus",  "box",  "plate", "open ball",
                                                "cavity", "soup", "point", "beam"};
    static const alg_pst_field_options options[SUBJECTS] = {
        {24, 0.005, 0.3}, {20, 0.002, 0.3}, {24, 0.01, 0.2}, {16, 0.02, 0.5},
        {20, 0.005, 0.2}, {16, 0.02, 0.3},  {2, 0.02, 12.0}, {24, 0.01, 0.1}};
    *s = (subject){.name = names[which], .options = options[which]};
    s->mesh = shape_move(subject_mesh(which), geo_pose_identity(), scale);
    s->solid = which != 3 && which != 5;
    base_error err = {0};
    assert_ok(geo_surface_build(&s->mesh, &s->arena, &s->surface, ERR));
    cr_assert_eq(
        alg_pst_field_build(&s->surface, s->solid, &s->options, &s->arena, &s->field, &err),
        BASE_OK, "%s: %s", s->name, err.text);
}

static inline void close_subject(subject *s)
{
    base_arena_release(&s->arena);
    geo_mesh_release(&s->mesh);
}

#define SCOPED_SUBJECT RELEASED_BY(close_subject) subject

/** Returns the exact distance; negative inside. */
static inline double subject_distance(const subject *s, vec3 p)
{
    const double d = sqrt(geo_surface_closest(&s->surface, p, UINT32_MAX).distance2);
    return s->solid && geo_surface_contains(&s->surface, p) ? -d : d;
}

/** Returns the distance of two surfaces, with B moved, by all pairs of triangles. */
static inline double surfaces_distance(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose)
{
    double best = (double)INFINITY;
    vec3 on_a, on_b;
    for (size_t j = 0; j < b->face_count; j++) {
        const geo_triangle u = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
        for (size_t i = 0; i < a->face_count; i++) {
            const geo_triangle t = geo_mesh_triangle(a, i);
            if (geo_box_overlap(geo_box_of_triangle(t), geo_box_of_triangle(u)) &&
                geo_triangle_intersect(t, u)) {
                return 0;
            }
            best = fmin(best, geo_triangle_distance2(t, u, &on_a, &on_b));
        }
    }
    return sqrt(best);
}

static inline vec3 subject_extent(const subject *s)
{
    const uint32_t *const n = s->field.block_count;
    const double h = s->field.edge * ALG_PST_BLOCK_CELLS;
    return (vec3){h * n[0], h * n[1], h * n[2]};
}

/** Returns a bound of a lookup's rounding, for a point at this distance from the blocks. */
static inline double subject_rounding(const subject *s, double way)
{
    return ALG_PST_LOOKUP_ERROR * (2 * vec3_norm(subject_extent(s)) + way);
}

/** Returns a random point: within the blocks, next to the surface, around the blocks, or far
 * away. */
static inline vec3 subject_point(const subject *s, base_random *random)
{
    const vec3 extent = subject_extent(s);
    const vec3 unit = {base_random_unit(random), base_random_unit(random),
                       base_random_unit(random)};
    const vec3 within =
        vec3_add(s->field.corner, (vec3){unit.x * extent.x, unit.y * extent.y, unit.z * extent.z});
    switch (base_random_below(random, 8)) {
    case 0: {
        const vec3 direction = geo_random_direction(random);
        const double decades = base_random_range(random, 0, 6);
        double way = vec3_norm(extent);
        for (int i = 0; i < (int)decades; i++) {
            way *= 10;
        }
        return vec3_madd(within, way, direction);
    }
    case 1:
        return vec3_madd(within, vec3_norm(extent) / 4, geo_random_direction(random));
    case 2:
    case 3: {
        const uint32_t face = (uint32_t)base_random_below(random, s->mesh.face_count);
        const vec3 on = geo_triangle_closest(geo_mesh_triangle(&s->mesh, face), within);
        const double off = base_random_range(random, 0, 3 * s->field.edge);
        return vec3_madd(on, off, geo_random_direction(random));
    }
    default:
        return within;
    }
}

/** Returns the distance of p from the blocks. */
static inline double subject_way(const subject *s, vec3 p)
{
    const vec3 lo = s->field.corner, hi = vec3_add(lo, subject_extent(s));
    return vec3_distance(p, vec3_min(vec3_max(p, lo), hi));
}

/** Returns true if rounding cannot move p to another cell: its distance from the cells' faces is at
 * least this share of the finest edge. */
static inline bool subject_inner(const subject *s, vec3 p, double share)
{
    const vec3 from = vec3_scale(1 / s->field.edge, vec3_sub(p, s->field.corner));
    for (int axis = 0; axis < 3; axis++) {
        const double at = vec3_get(from, axis), t = at - floor(at);
        if (t < share || t > 1 - share) {
            return false;
        }
    }
    return true;
}

#endif
