/** A pair of bodies under one variant, for tests of whole algorithms. */
#ifndef ALGORITHMS_TESTS_PAIR_H
#define ALGORITHMS_TESTS_PAIR_H

#include "algorithms/registry.h"
#include "algorithms/tests/shapes.h"

typedef struct pair {
    alg_variant variant;
    alg_mesh a, b;
    void *fixed, *moving, *state;
    alg_build_info info_a, info_b;
} pair;

/** What asks for quantities (a mask) without any buffer. */
#define PAIR_REQUEST(mask) (&(alg_request){.size = sizeof(alg_request), .wanted = (mask)})

/** Meshes are borrowed. */
static inline pair pair_open(const char *name, const geo_mesh *a, const geo_mesh *b,
                             unsigned wanted)
{
    pair p = {.a = shape_body(a, true), .b = shape_body(b, true)};
    alg_message message = {""};
    cr_assert_eq(alg_variant_parse(name, 1, &p.variant, &message), ALG_OK, "%s", message.text);
    const alg_algorithm *const g = p.variant.algorithm;
    const alg_settings *const settings = &p.variant.settings;
    cr_assert(g->prepare(settings, &p.a, ALG_FIXED, &p.fixed, &p.info_a, &message) == ALG_OK &&
                  g->prepare(settings, &p.b, ALG_MOVING, &p.moving, &p.info_b, &message) ==
                      ALG_OK &&
                  g->bind(settings, p.fixed, p.moving, PAIR_REQUEST(wanted), &p.state, &message) ==
                      ALG_OK,
              "%s: %s", name, message.text);
    return p;
}

static inline alg_answer pair_ask(const pair *p, const geo_pose *pose)
{
    alg_answer answer = {.size = sizeof answer};
    p->variant.algorithm->query(p->state, pose, &answer);
    return answer;
}

static inline void pair_close(pair *p)
{
    const alg_algorithm *const g = p->variant.algorithm;
    g->release(p->state);
    g->dispose(p->moving);
    g->dispose(p->fixed);
}

#endif
