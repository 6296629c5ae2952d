/**
 * The exact distance by inner sphere trees: outer spheres contain the surface, and the triangles of
 * every two of them that come near enough are measured.
 *
 * Why nothing is missed: let x and y be the nearest points of two bodies that do not overlap. The
 * pieces of the surface that hold them are owned by a sphere each, whose outer balls hold x and y
 * and are thus not farther apart than the bodies. So this pair of leaves is never pruned, and
 * the triangles of x and y are in its lists. Surfaces that do not meet leave containment, which the
 * parity of one vertex of each part decides.
 */
#include "algorithms/entries.h"
#include "algorithms/ist/nearby.h"
#include "algorithms/ist/saved.h"
#include "algorithms/life.h"
#include "geometry/box.h"
#include "geometry/pose.h"

/* Sorted by name. */
enum {
    BRANCHING,
    CLUSTERING,
    CRITERION,
    HIERARCHY,
    MIN_RADIUS,
    PACKING,
    SPHERES,
    START,
    STOP,
    VOXELS,
    PARAMETER_COUNT
};

/* clang-format off */
static const alg_parameter parameters[] = {
    [BRANCHING] = ALG_IST_ROW_BRANCHING,
    [CLUSTERING] = ALG_IST_ROW_CLUSTERING,
    [CRITERION] = ALG_IST_ROW_CRITERION,
    [HIERARCHY] = ALG_IST_ROW_HIERARCHY,
    [MIN_RADIUS] = ALG_IST_ROW_MIN_RADIUS,
    [PACKING] = ALG_IST_ROW_PACKING,
    [SPHERES] = ALG_IST_ROW_SPHERES,
    [START] = ALG_IST_ROW_START,
    [STOP] = ALG_IST_ROW_STOP,
    [VOXELS] = ALG_IST_ROW_VOXELS,
};
/* clang-format on */

/* Rounds of alg_ist_nearby_approach: more cost more time than their better bound saves. */
enum { ROUNDS = 2 };

/** A face of a sphere, in A's frame. */
typedef struct candidate {
    uint32_t face;
    double reach; /* along the axis towards the other body */
    geo_box box;
} candidate;

/** A bound pair; it lives in its own arena. */
typedef struct state {
    base_arena arena;
    alg_ist_nearby near;
    candidate *of_a, *of_b; /* arena; faces of the two spheres that are compared */
    vec3 axis; /* unit, from A's witness to B's: most faces are pruned by their reach along it */
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    alg_ist_options options = ALG_IST_OPTIONS(settings);
    options.skin = true;
    return alg_ist_body_prepare(&options, mesh, prepared, info, message);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    *held = NULL;
    if (wanted & ALG_WANT_VOLUME) {
        return alg_fail(message, ALG_UNSUPPORTED, "ist-exact has no volume");
    }
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->of_a = base_arena_alloc(&s->arena, a->skin->owned_most, sizeof *s->of_a);
    s->of_b = base_arena_alloc(&s->arena, b->skin->owned_most, sizeof *s->of_b);
    if (!s->of_a || !s->of_b) {
        return alg_abandon(held,
                           alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a traversal"));
    }
    if (alg_ist_nearby_bind(a, b, settings->values[START] == 1, wanted, &s->arena, &s->near,
                            &err) != BASE_OK) {
        return alg_abandon(held, alg_fail_geo(message, &err));
    }
    return ALG_OK;
}

static void reset(void *held)
{
    alg_ist_nearby_reset(&((state *)held)->near);
}

/** Gap of two boxes. */
static double box_gap(geo_box a, geo_box b)
{
    const vec3 gap =
        vec3_max(vec3_max(vec3_sub(a.lo, b.hi), vec3_sub(b.lo, a.hi)), (vec3){0, 0, 0});
    return vec3_norm(gap);
}

/**
 * The faces of a sphere of one body that come within `limit` of a ball, of the other body; returns
 * the largest reach along the axis.
 */
static double gather(const alg_ist_body *body, uint32_t sphere, const geo_pose *pose, vec3 axis,
                     geo_ball other, double limit, candidate *out, uint32_t *count)
{
    const alg_ist_faces owned = alg_ist_owned(body->skin, &body->solid.tree, sphere);
    const geo_box centre = {other.centre, other.centre};
    double most = -INFINITY;
    *count = 0;
    for (uint32_t i = 0; i < owned.count; i++) {
        geo_triangle t = geo_mesh_triangle(&body->skin->shell.mesh, owned.faces[i]);
        if (pose) {
            t = geo_pose_apply_triangle(pose, t);
        }
        const geo_box box = geo_box_of_triangle(t);
        if (box_gap(box, centre) - other.radius > limit) {
            continue;
        }
        const double reach =
            fmax(vec3_dot(axis, t.p[0]), fmax(vec3_dot(axis, t.p[1]), vec3_dot(axis, t.p[2])));
        out[(*count)++] = (candidate){owned.faces[i], reach, box};
        most = fmax(most, reach);
    }
    return most;
}

/** Drops the faces that are farther than `limit` from all faces of the other sphere, along the
 * axis. */
static void drop_short(candidate *list, uint32_t *count, double most_of_other, double limit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (-most_of_other - list[i].reach <= limit) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
}

static void turn_axis(state *s)
{
    const alg_ist_face_pair *const best = &s->near.best;
    s->axis = vec3_normalize(vec3_sub(best->witness_b, best->witness_a));
}

/** Measures the faces of two spheres, but for those that are farther apart than the best so far. */
static void decide(alg_ist_walk *walk, uint32_t a, uint32_t b)
{
    state *const s = walk->context;
    alg_ist_nearby *const n = &s->near;
    const alg_ist_sphere *const sa = &walk->a->spheres[a], *const sb = &walk->b->spheres[b];
    if (sa->outer == 0 || sb->outer == 0) {
        return;
    }
    const double limit = walk->nearest + n->slack;
    const geo_ball ball_a = {sa->centre, sa->outer};
    const geo_ball ball_b = {geo_pose_apply(walk->pose, sb->centre), sb->outer};
    if (vec3_distance(ball_a.centre, ball_b.centre) - sa->outer - sb->outer > limit) {
        return;
    }
    uint32_t count_a, count_b;
    const vec3 back = vec3_scale(-1, s->axis);
    const double most_a = gather(n->a, a, NULL, s->axis, ball_b, limit, s->of_a, &count_a);
    const double most_b = gather(n->b, b, walk->pose, back, ball_a, limit, s->of_b, &count_b);
    drop_short(s->of_a, &count_a, most_b, limit);
    drop_short(s->of_b, &count_b, most_a, limit);
    const alg_ist_face_pair before = n->best;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t j = 0; j < count_b; j++) {
            const double still = walk->nearest + n->slack;
            if (-s->of_b[j].reach - s->of_a[i].reach <= still &&
                box_gap(s->of_a[i].box, s->of_b[j].box) <= still) {
                alg_ist_nearby_measure(n, s->of_a[i].face, s->of_b[j].face);
                walk->nearest = fmin(walk->nearest, sqrt(n->best.distance2));
            }
        }
    }
    walk->seeking = walk->nearest > 0;
    if (n->best.a != before.a || n->best.b != before.b) {
        turn_axis(s);
    }
}

/** A first bound: the faces nearest to the nearest spheres, improved by alg_ist_nearby_approach. */
static void start_search(state *s)
{
    alg_ist_nearby *const n = &s->near;
    const uint32_t *const spheres = n->spheres.last;
    alg_ist_nearby_measure(n, n->a->skin->nearest[spheres[0]], n->b->skin->nearest[spheres[1]]);
    alg_ist_nearby_approach(n, ROUNDS);
    turn_axis(s);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    alg_ist_nearby *const n = &s->near;
    vec3 in_both;
    if (!alg_ist_nearby_begin(n, pose, answer)) {
        return;
    }
    start_search(s);
    alg_ist_walk walk = {.a = &n->a->solid,
                         .b = &n->b->solid,
                         .pose = pose,
                         .radius = ALG_IST_FAR,
                         .seeking = n->best.distance2 > 0,
                         .nearest = fmin(sqrt(n->best.distance2), answer->distance_m),
                         .tests_most = UINT64_MAX,
                         .decide = decide,
                         .context = s,
                         .stack = n->spheres.stack};
    if (walk.seeking) {
        alg_ist_walk_run(&walk);
    }
    alg_ist_nearby_count(n, &walk, answer);
    alg_ist_nearby_answer(n, answer);
    if (n->best.distance2 > 0 &&
        alg_shells_nested(&n->a->skin->shell, &n->b->skin->shell, pose, &in_both)) {
        answer->distance_m = 0;
        answer->witness_a = answer->witness_b = in_both;
        answer->colliding = true;
    }
}

const alg alg_ist_exact = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-exact",
    .summary = "inner sphere trees whose outer spheres own the surface: the exact distance",
    .source = "IST IV-A",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = alg_ist_nearby_counters,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .reset = reset,
    .query = query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .state_version = ALG_IST_STATE_VERSION,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load_skin,
};
