/** Pairs of bodies, and windows through which they are seen. */
#ifndef ALGORITHMS_LPD_TESTS_WINDOWS_H
#define ALGORITHMS_LPD_TESTS_WINDOWS_H

#include "algorithms/lpd/exact.h"
#include "algorithms/lpd/tests/meeting.h"

typedef struct bodies {
    void *body[2];
    alg_lpd_pair pair;
    alg_lpd_column *column;
    base_arena arena;
} bodies;

/** grows: true if windows grow. */
static inline bodies open_bodies_in(const geo_mesh *a, const geo_mesh *b, bool grows)
{
    bodies s = {.body = {prepare_body(a, false), prepare_body(b, false)}};
    s.pair = (alg_lpd_pair){s.body[0], s.body[1]};
    assert_ok(alg_lpd_column_create(&s.pair, grows, &s.arena, &s.column, ERR));
    return s;
}

static inline bodies open_bodies(const geo_mesh *a, const geo_mesh *b)
{
    return open_bodies_in(a, b, false);
}

static inline void close_bodies(bodies *s)
{
    base_arena_release(&s->arena);
    alg_destroy(s->body[0]);
    alg_destroy(s->body[1]);
}

#define SCOPED_BODIES RELEASED_BY(close_bodies) bodies

/** Returns a window around a centre, along n. */
static inline alg_lpd_box window(vec3 centre, vec3 n, double half_x, double half_y)
{
    const vec3 z = vec3_normalize(n);
    const vec3 least = fabs(z.x) < fabs(z.y) ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    const vec3 x = vec3_normalize(vec3_cross(least, z));
    return (alg_lpd_box){centre, {x, vec3_cross(z, x), z}, {half_x, half_y, 0}};
}

static inline alg_lpd_height ask(bodies *s, const geo_pose *pose, const alg_lpd_box *box)
{
    return alg_lpd_depth_along(&s->pair, pose, box, (double)INFINITY, s->column, NULL);
}

static inline geo_mesh moved(const geo_mesh *mesh, const geo_pose *pose)
{
    geo_mesh_builder copy = shape_copy(mesh);
    for (size_t v = 0; v < copy.vertex_count; v++) {
        copy.vertices[v] = geo_pose_apply(pose, copy.vertices[v]);
    }
    return geo_mesh_builder_finish(&copy);
}

/** Returns a body of each kind. */
static inline geo_mesh any_mesh(base_random *random, int kind)
{
    switch (kind % 4) {
    case 0:
        return shape_ball((vec3){0, 0, 0}, 0.9, 5);
    case 1:
        return shape_cube((vec3){0, 0, 0}, 0.6);
    case 2:
        return shape_torus(12, 0.7, 0.3);
    default:
        return shape_soup(random, 40, false);
    }
}

/** Two touching bodies and a window. */
typedef struct scene {
    geo_mesh a, b;
    geo_pose pose;
    alg_lpd_box box;
} scene;

static inline scene any_scene(base_random *random, int trial)
{
    scene s = {.a = any_mesh(random, trial), .b = any_mesh(random, trial / 4)};
    s.pose = shape_pose(random, 0);
    const vec3 translation = geo_random_direction(random);
    s.pose.translation = vec3_scale(base_random_range(random, 0.3, 1.4), translation);
    s.box = window(vec3_scale(0.5, s.pose.translation),
                   vec3_madd(translation, 0.3, geo_random_direction(random)),
                   base_random_range(random, 0.1, 0.5), base_random_range(random, 0.1, 0.5));
    return s;
}

static inline void end_scene(scene *s)
{
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

#endif
