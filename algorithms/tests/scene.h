/** Scenes: two bodies of a variant from two names of meshes, and answers with their lists. */
#ifndef ALGORITHMS_TESTS_SCENE_H
#define ALGORITHMS_TESTS_SCENE_H

#include "algorithms/tests/pair.h"
#include "base/memory.h"

enum { SCENE_ROOM = 512 };

/** An answer with its lists. The lists are undefined beyond the counts. */
typedef struct listed {
    alg_answer values; /* without the addresses of the lists */
    alg_contact contacts[SCENE_ROOM];
    alg_face_pair pairs[SCENE_ROOM];
    alg_region regions[SCENE_ROOM];
} listed;

/** Two bodies and their state. A scene owns its meshes, bodies and state. */
typedef struct scene {
    pair pair;
    geo_mesh a, b;
} scene;

/**
 * Returns a mesh of size 1 to 3 near the origin:
 *
 *   ball, torus     round
 *   cube, block     axis-aligned boxes, whose faces can be flush
 *   needle, plate   thin boxes
 *   parts           a ball and a cube beside it; a torus may enclose the cube
 *   hollow          a ball with a cavity that is not in its middle
 *   crumb           a ball that fits into the cavity
 *   cup             a cube without a side: not solid
 */
static inline geo_mesh scene_mesh(const char *name)
{
    const vec3 zero = {0, 0, 0};
    if (strcmp(name, "ball") == 0) {
        return shape_ball((vec3){0.1, 0, 0}, 1, 5);
    }
    if (strcmp(name, "torus") == 0) {
        return shape_torus(8, 0.7, 0.3);
    }
    if (strcmp(name, "cube") == 0) {
        return shape_cube(zero, 0.5);
    }
    if (strcmp(name, "block") == 0) {
        return shape_box((vec3){-1, -0.5, -0.75}, (vec3){1, 0.5, 0.5});
    }
    if (strcmp(name, "needle") == 0) {
        return shape_box((vec3){-1.5, -0.125, -0.125}, (vec3){1.5, 0.125, 0.25});
    }
    if (strcmp(name, "plate") == 0) {
        return shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 0.25});
    }
    if (strcmp(name, "parts") == 0) {
        return shape_join(shape_ball((vec3){0.1, 0, 0}, 1, 3), shape_cube((vec3){2, 0, 0}, 0.5));
    }
    if (strcmp(name, "hollow") == 0) {
        return shape_join(shape_ball(zero, 1, 4),
                          shape_reverse(shape_ball((vec3){0.125, 0, 0.0625}, 0.625, 3)));
    }
    if (strcmp(name, "crumb") == 0) {
        return shape_ball(zero, 0.25, 3);
    }
    cr_assert_str_eq(name, "cup");
    geo_mesh_builder cup = shape_edit(shape_cube(zero, 0.75));
    cup.face_count = 10;
    return geo_mesh_builder_finish(&cup);
}

/** Returns the settings of a variant's bodies. */
static inline alg_settings scene_body_settings(const alg_variant *variant)
{
    alg_settings settings = variant->settings;
    if (variant->algorithm->body_settings) {
        variant->algorithm->body_settings(&settings);
    }
    return settings;
}

/** Binds the bodies of a scene for these quantities (a mask). Returns the status. */
static inline alg_status scene_bind_for(const scene *s, unsigned wanted, bool stages, void **state,
                                        alg_message *message)
{
    const alg_variant *const v = &s->pair.variant;
    const alg_request request = {.size = sizeof request,
                                 .wanted = wanted,
                                 .contacts_max = SCENE_ROOM,
                                 .pairs_max = SCENE_ROOM,
                                 .regions_max = SCENE_ROOM,
                                 .stages = stages};
    return v->algorithm->bind(&v->settings, s->pair.fixed, s->pair.moving, &request, state,
                              message);
}

/** Binds the bodies of a scene for everything that the variant answers. */
static inline alg_status scene_bind(const scene *s, bool stages, void **state, alg_message *message)
{
    return scene_bind_for(s, alg_variant_answers(&s->pair.variant), stages, state, message);
}

/** Opens a scene of two meshes, which it owns from then on. Facts of bodies are NaN if missing. */
static inline scene scene_of(const char *variant, geo_mesh a, geo_mesh b, bool solid)
{
    scene s = {.pair.variant = pair_variant(variant), .a = a, .b = b};
    const alg_settings settings = scene_body_settings(&s.pair.variant);
    s.pair.a = shape_body(&a, solid);
    s.pair.b = shape_body(&b, solid);
    for (int i = 0; i < ALG_FACTS_MAX; i++) {
        s.pair.info_a.facts[i] = s.pair.info_b.facts[i] = NAN;
    }
    pair_prepare(&s.pair, &settings);
    alg_message message = {""};
    cr_assert_eq(scene_bind(&s, false, &s.pair.state, &message), ALG_OK, "%s: %s", variant,
                 message.text);
    return s;
}

/** Opens a scene of two solids by their names, for everything that the variant answers. */
static inline scene scene_open(const char *variant, const char *a, const char *b)
{
    return scene_of(variant, scene_mesh(a), scene_mesh(b), true);
}

static inline void scene_close(scene *s)
{
    pair_close(&s->pair);
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

/** Asks with buffers of these capacities at the most. */
static inline void scene_ask_within(const scene *s, const geo_pose *pose, uint32_t capacity,
                                    listed *l)
{
    l->values = (alg_answer){.size = sizeof l->values,
                             .witness_a = {NAN, NAN, NAN},
                             .witness_b = {NAN, NAN, NAN},
                             .contacts = capacity > 0 ? l->contacts : NULL,
                             .pairs = capacity > 0 ? l->pairs : NULL,
                             .regions = capacity > 0 ? l->regions : NULL,
                             .contact_capacity = capacity,
                             .pair_capacity = capacity,
                             .region_capacity = capacity};
    s->pair.variant.algorithm->query(s->pair.state, pose, &l->values);
    l->values.contacts = NULL;
    l->values.pairs = NULL;
    l->values.regions = NULL;
    l->values.contact_capacity = l->values.pair_capacity = l->values.region_capacity = 0;
}

static inline void scene_ask(const scene *s, const geo_pose *pose, listed *l)
{
    scene_ask_within(s, pose, SCENE_ROOM, l);
}

/** True if an answer says that the bodies overlap or touch. */
static inline bool scene_meets(const alg_answer *a)
{
    return a->colliding || (a->answered & ALG_HAS_DISTANCE && a->distance_m <= 0) ||
           (a->answered & ALG_HAS_VOLUME && a->volume_m3 > 0);
}

static inline bool same_vectors(vec3 x, vec3 y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/** Returns the name of the first member in which two answers differ, or NULL. NaN equals NaN. */
static inline const char *scene_difference(const listed *x, const listed *y)
{
    const alg_answer *const a = &x->values, *const b = &y->values;
    const uint32_t contacts = a->contact_count < SCENE_ROOM ? a->contact_count : SCENE_ROOM;
    const uint32_t pairs = a->pair_count < SCENE_ROOM ? a->pair_count : SCENE_ROOM;
    const uint32_t regions = a->region_count < SCENE_ROOM ? a->region_count : SCENE_ROOM;
    if (memcmp(a, b, sizeof *a) != 0) {
        return a->answered != b->answered                                  ? "answered"
               : a->colliding != b->colliding                              ? "colliding"
               : a->distance_m != b->distance_m                            ? "distance"
               : a->volume_m3 != b->volume_m3                              ? "volume"
               : a->depth_m != b->depth_m                                  ? "depth"
               : !same_vectors(a->force, b->force)                         ? "force"
               : !same_vectors(a->torque, b->torque)                       ? "torque"
               : memcmp(a->counters, b->counters, sizeof a->counters) != 0 ? "counters"
               : !same_vectors(a->witness_a, b->witness_a)                 ? "witness"
               : a->contact_count != b->contact_count                      ? "contact count"
                                                                           : "a member";
    }
    if (memcmp(x->contacts, y->contacts, contacts * sizeof *x->contacts) != 0) {
        return "contacts";
    }
    if (memcmp(x->pairs, y->pairs, pairs * sizeof *x->pairs) != 0) {
        return "pairs";
    }
    for (uint32_t i = 0; i < regions; i++) {
        /* The padding behind `loop` is not compared. */
        const alg_region *const r = &x->regions[i], *const q = &y->regions[i];
        if (memcmp(r, q, offsetof(alg_region, loop)) != 0 || r->loop != q->loop ||
            memcmp(&r->point, &q->point, sizeof *r - offsetof(alg_region, point)) != 0) {
            return "regions";
        }
    }
    return NULL;
}

#endif
