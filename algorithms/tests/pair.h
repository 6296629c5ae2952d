/** A pair of bodies with one variant, for tests of whole algorithms. */
#ifndef ALGORITHMS_TESTS_PAIR_H
#define ALGORITHMS_TESTS_PAIR_H

#include "algorithms/registry.h"
#include "algorithms/tests/shapes.h"

#include <string.h>

typedef struct pair {
    alg_variant variant;
    alg_mesh a, b;
    void *fixed, *moving, *state;
    alg_build_info info_a, info_b;
    bool borrows; /* fixed and moving belong to a pair_pool */
} pair;

/** A request for quantities (a mask) without any buffer. */
#define PAIR_REQUEST(mask) (&(alg_request){.size = sizeof(alg_request), .wanted = (mask)})

static inline alg_variant pair_variant(const char *name)
{
    alg_variant variant;
    alg_message message = {""};
    cr_assert_eq(alg_variant_parse(name, 1, &variant, &message), ALG_OK, "%s", message.text);
    return variant;
}

/** Prepares p->a and p->b with these settings and the pair's algorithm. */
static inline void pair_prepare(pair *p, const alg_settings *settings)
{
    const alg_algorithm *const g = p->variant.algorithm;
    alg_message message = {""};
    cr_assert(g->prepare(settings, &p->a, ALG_FIXED, &p->fixed, &p->info_a, &message) == ALG_OK &&
                  g->prepare(settings, &p->b, ALG_MOVING, &p->moving, &p->info_b, &message) ==
                      ALG_OK,
              "%s: %s", g->name, message.text);
}

static inline void pair_bind(pair *p, unsigned wanted)
{
    const alg_variant *const v = &p->variant;
    alg_message message = {""};
    cr_assert_eq(v->algorithm->bind(&v->settings, p->fixed, p->moving, PAIR_REQUEST(wanted),
                                    &p->state, &message),
                 ALG_OK, "%s: %s", v->algorithm->name, message.text);
}

/** Prepares and binds a pair. The meshes are borrowed. */
static inline pair pair_open(const char *name, const geo_mesh *a, const geo_mesh *b,
                             unsigned wanted)
{
    pair p = {.variant = pair_variant(name), .a = shape_body(a, true), .b = shape_body(b, true)};
    pair_prepare(&p, &p.variant.settings);
    pair_bind(&p, wanted);
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
    if (!p->borrows) {
        g->dispose(p->moving);
        g->dispose(p->fixed);
    }
}

/* --- Bodies shared by several variants -------------------------------------------------------- */

enum { PAIR_POOL_MAX = 16 };

/** Two meshes and the bodies made of them. Variants with equal settings of their bodies share
 * them. */
typedef struct pair_pool {
    alg_mesh a, b; /* set by the test */
    pair kept[PAIR_POOL_MAX];
    alg_settings settings[PAIR_POOL_MAX]; /* settings of the bodies */
    size_t count;
} pair_pool;

/** Opens a pair whose bodies belong to the pool and outlive the pair. */
static inline pair pair_pool_open(pair_pool *pool, const char *name, unsigned wanted)
{
    pair p = {.variant = pair_variant(name), .a = pool->a, .b = pool->b, .borrows = true};
    alg_settings settings = p.variant.settings;
    if (p.variant.algorithm->body_settings) {
        p.variant.algorithm->body_settings(&settings);
    }
    size_t i = 0;
    while (i < pool->count && (pool->kept[i].variant.algorithm != p.variant.algorithm ||
                               memcmp(&pool->settings[i], &settings, sizeof settings) != 0)) {
        i++;
    }
    if (i == pool->count) {
        cr_assert_lt(i, PAIR_POOL_MAX);
        pair_prepare(&p, &settings);
        pool->kept[pool->count] = p;
        pool->settings[pool->count++] = settings;
    }
    p.fixed = pool->kept[i].fixed;
    p.moving = pool->kept[i].moving;
    p.info_a = pool->kept[i].info_a;
    p.info_b = pool->kept[i].info_b;
    pair_bind(&p, wanted);
    return p;
}

static inline void pair_pool_release(pair_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        pool->kept[i].variant.algorithm->dispose(pool->kept[i].moving);
        pool->kept[i].variant.algorithm->dispose(pool->kept[i].fixed);
    }
    pool->count = 0;
}

#endif
