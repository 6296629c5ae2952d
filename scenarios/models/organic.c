#include "base/random.h"
#include "scenarios/models/models.h"

/* --- Quadruped: x to its head, z up, standing on z = 0 ---------------------------------------- */

/** Millimetres; `paired` bones stand on both sides of the plane y = 0. */
typedef struct limb {
    double a[3], b[3], radius_a, radius_b;
    bool paired;
} limb;

static const limb quadruped[] = {
    {{-24, 0, 52},    {20, 0, 54},      15,  14,  false}, /* trunk */
    {{24, 0, 58},     {36, 0, 74},      9,   7,   false}, /* neck */
    {{36, 0, 76},     {50, 0, 71},      8,   5,   false}, /* head */
    {{34, 6, 80},     {30, 14, 85},     4.2, 3.6, true }, /* ears */
    {{20, 9, 46},     {20, 10, 24},     7,   5,   true }, /* fore legs */
    {{20, 10, 24},    {21, 10, 5},      4.5, 4,   true },
    {{21, 10, 4},     {25, 10, 3.5},    4,   3.5, true },
    {{-24, 9, 46},    {-21, 10.5, 26},  8,   5,   true }, /* hind legs */
    {{-21, 10.5, 26}, {-27, 10.5, 5},   4.5, 4,   true },
    {{-27, 10.5, 4},  {-23, 10.5, 3.5}, 4,   3.5, true },
    {{-36, 0, 58},    {-45, 0, 50},     4.5, 3.8, false}, /* tail */
    {{-45, 0, 50},    {-48, 0, 31},     3.6, 3.6, false},
    {{-48, 0, 30},    {-48, 0, 26},     3.6, 3.8, false},
};

enum { quadruped_limbs = sizeof quadruped / sizeof *quadruped };

static scn_bone make_bone(const limb *l, double side)
{
    static const double metre = 1000;
    return (scn_bone){
        {l->a[0] / metre, side * l->a[1] / metre, l->a[2] / metre},
        {l->b[0] / metre, side * l->b[1] / metre, l->b[2] / metre},
        l->radius_a / metre,
        l->radius_b / metre
    };
}

base_status scn_quadruped_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    scn_bone bones[2 * quadruped_limbs];
    size_t count = 0;
    for (size_t i = 0; i < quadruped_limbs; i++) {
        bones[count++] = make_bone(&quadruped[i], 1);
        if (quadruped[i].paired) {
            bones[count++] = make_bone(&quadruped[i], -1);
        }
    }
    return scn_flesh_build(bones, count, triangles, mesh, err);
}

/* --- Coral: a stem on z = 0 that forks again and again ---------------------------------------- */

enum { CORAL_LEVELS = 4, CORAL_FORKS = 3, CORAL_BONES_MAX = 128 };

typedef struct coral {
    scn_bone bones[CORAL_BONES_MAX];
    size_t count;
    base_random random;
} coral;

/** A unit vector across `direction`, turned by `angle` about it. */
static vec3 across(vec3 direction, double angle)
{
    const vec3 axis = fabs(direction.z) < 0.7 ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
    const vec3 u = vec3_normalize(vec3_cross(direction, axis));
    const vec3 v = vec3_cross(direction, u);
    return vec3_add(vec3_scale(base_cos(angle), u), vec3_scale(base_sin(angle), v));
}

static void grow(coral *c, vec3 from, vec3 direction, double length, int levels)
{
    base_assert(c->count < CORAL_BONES_MAX);
    const vec3 to = vec3_madd(from, length, direction);
    const double thick = 0.3 * length, thin = levels > 1 ? 0.24 * length : 0.3 * length;
    c->bones[c->count++] = (scn_bone){from, to, thick, thin};
    if (levels == 1) {
        return;
    }
    const double turn = base_random_range(&c->random, 0, 2 * BASE_PI);
    for (int i = 0; i < CORAL_FORKS; i++) {
        const double spread = base_random_range(&c->random, 0.65, 1.0);
        const double shorter = base_random_range(&c->random, 0.72, 0.84);
        const vec3 side = across(direction, turn + 2 * BASE_PI * i / CORAL_FORKS);
        const vec3 next =
            vec3_add(vec3_scale(base_cos(spread), direction), vec3_scale(base_sin(spread), side));
        grow(c, to, next, shorter * length, levels - 1);
    }
}

base_status scn_coral_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    coral c = {.random = base_random_seed(7)};
    grow(&c, vec3_make(0, 0, 0.008), vec3_make(0, 0, 1), 0.028, CORAL_LEVELS);
    return scn_flesh_build(c.bones, c.count, triangles, mesh, err);
}
