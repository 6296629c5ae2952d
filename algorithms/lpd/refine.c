#include "algorithms/lpd/refine.h"

/* The pattern has six directions around the best one; its first radius is the tangent of 20
 * degrees. */
enum { RING = 6 };
static const double ring_first = 0.36397023426620236;

/* Turns by less than this are ignored. */
static const double turn_least = 1e-9;

typedef struct search {
    const alg_lpd_pair *pair;
    const geo_pose *pose;
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    const alg_lpd_groups *groups;
    const alg_lpd_group *group;
    alg_lpd_column *column;
    uint64_t *tests;
    uint32_t left; /* number of directions that may still be tried */
} search;

/** The best direction so far. */
typedef struct best {
    alg_lpd_box box;
    alg_lpd_height height;
} best;

static best look_along(const search *s, const alg_lpd_box *box, double limit_m)
{
    return (best){*box, alg_lpd_depth_along(s->pair, s->pose, box, limit_m, s->column, s->tests)};
}

/** Tries a direction (of any length). If it is better than the best one, replaces that and returns
 * true. */
static bool try_direction(search *s, vec3 n, best *now)
{
    const alg_lpd_box box =
        alg_lpd_box_along(s->segments, s->curves, s->groups, s->group, vec3_normalize(n));
    const double limit = now->height.inside ? (double)INFINITY : now->height.depth_m;
    const best next = look_along(s, &box, limit);
    s->left--;
    if (!alg_lpd_height_less(&next.height, &now->height)) {
        return false;
    }
    *now = next;
    return true;
}

/** Follows the gradient: along the normal of the surfaces that part last, the way out is shorter
 * unless another part of the surface is in the way. In that case the turn is halved. */
static void descend(search *s, best *now)
{
    double share = 1;
    while (s->left > 0) {
        const vec3 n = now->box.axis[2];
        const vec3 turn = vec3_scale(share, vec3_sub(now->height.normal, n));
        if (!(vec3_norm(turn) > turn_least)) {
            return;
        }
        share = try_direction(s, vec3_add(n, turn), now) ? 1 : 0.5 * share;
    }
}

/** Moves to the best of a ring of directions. If none is better, halves the radius of the ring. */
static void close_in(search *s, best *now)
{
    static const double half_root_3 = 0.86602540378443865;
    static const double across[RING][2] = {{1, 0},  {0.5, half_root_3},   {-0.5, half_root_3},
                                           {-1, 0}, {-0.5, -half_root_3}, {0.5, -half_root_3}};
    double size = ring_first;
    while (s->left > 0 && size > turn_least) {
        const alg_lpd_box centre = now->box;
        bool better = false;
        for (int k = 0; k < RING && s->left > 0; k++) {
            const vec3 x = vec3_madd(centre.axis[2], size * across[k][0], centre.axis[0]);
            better |= try_direction(s, vec3_madd(x, size * across[k][1], centre.axis[1]), now);
        }
        size = better ? size : 0.5 * size;
    }
}

alg_lpd_way alg_lpd_depth_refined(const alg_lpd_pair *pair, const geo_pose *pose,
                                  const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                  const alg_lpd_groups *groups, const alg_lpd_group *group,
                                  alg_lpd_objective objective, uint32_t steps, alg_lpd_box *box,
                                  alg_lpd_column *column, uint64_t *tests)
{
    search s = {pair, pose, segments, curves, groups, group, column, tests, 0};
    const alg_lpd_box turned = alg_lpd_box_turned(box);
    best way[2] = {look_along(&s, box, (double)INFINITY),
                   look_along(&s, &turned, (double)INFINITY)};
    const bool none_out = way[0].height.inside && way[1].height.inside;
    for (int k = 0; k < 2; k++) {
        if (way[k].height.inside && !none_out) {
            continue; /* the reverse direction leads out */
        }
        s.left = steps;
        if (objective == ALG_LPD_GRADIENT) {
            descend(&s, &way[k]);
        } else {
            close_in(&s, &way[k]);
        }
    }
    const best *const least =
        alg_lpd_height_less(&way[1].height, &way[0].height) ? &way[1] : &way[0];
    *box = least->box;
    return (alg_lpd_way){box->axis[2], least->height.depth_m};
}
