#include "algorithms/vps/query.h"

#include "base/cpu.h"

#include <float.h>

/* --- Points ----------------------------------------------------------------------------------- */

/** The ball around the box of points [begin, end), with the rounding of its own radius. */
static geo_ball ball_of(const alg_vps_points *points, uint32_t begin, uint32_t end)
{
    geo_box box = geo_box_empty();
    for (uint32_t i = begin; i < end; i++) {
        box = geo_box_add(box, alg_vps_point(points, i));
    }
    const vec3 centre = geo_box_centre(box);
    double r2 = 0;
    for (uint32_t i = begin; i < end; i++) {
        r2 = fmax(r2, vec3_distance2(centre, alg_vps_point(points, i)));
    }
    return (geo_ball){centre, sqrt(r2) * (1 + 8 * DBL_EPSILON)};
}

void alg_vps_points_measure(alg_vps_points *points)
{
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < points->count; i++) {
        box = geo_box_add(box, alg_vps_point(points, i));
    }
    points->extent = points->count > 0 ? geo_box_reach(box) : 0;
    /* No edge of a triangle is longer than the diagonal of the body's box; projection.h has the
     * error of projections by the longest edge. */
    const double diagonal = points->count > 0 ? geo_box_diagonal(box) + 2 * points->reach : 0;
    points->slack = 1e-12 * diagonal + 16 * DBL_EPSILON * points->extent;
    for (uint32_t i = 0; i < points->count; i += ALG_VPS_GROUP) {
        const uint32_t left = points->count - i;
        const uint32_t end = i + (left < ALG_VPS_GROUP ? left : ALG_VPS_GROUP);
        points->groups[i / ALG_VPS_GROUP] = ball_of(points, i, end);
    }
    points->whole = ball_of(points, 0, points->count);
}

/** Areas, divided by their mean. */
static void set_weights(const alg_pointshell *shell, double *weights)
{
    double sum = 0;
    for (uint32_t i = 0; i < shell->count; i++) {
        sum += shell->areas[i];
    }
    for (uint32_t i = 0; i < shell->count; i++) {
        weights[i] = sum > 0 ? shell->areas[i] * (shell->count / sum) : 1;
    }
}

base_status alg_vps_points_build(const alg_pointshell *shell, base_arena *arena,
                                 alg_vps_points *points, base_error *err)
{
    const size_t room = (size_t)shell->count + ALG_VPS_LANES - 1;
    *points = (alg_vps_points){
        .count = shell->count,
        .x = base_arena_alloc(arena, room, sizeof *points->x),
        .y = base_arena_alloc(arena, room, sizeof *points->y),
        .z = base_arena_alloc(arena, room, sizeof *points->z),
        .normals = base_arena_alloc(arena, shell->count, sizeof *points->normals),
        .weights =
            shell->areas ? base_arena_alloc(arena, shell->count, sizeof *points->weights) : NULL,
        .groups = base_arena_alloc(arena, shell->count / ALG_VPS_GROUP + 1, sizeof *points->groups),
        .reach = shell->reach,
    };
    if (!points->x || !points->y || !points->z || !points->normals || !points->groups ||
        (shell->areas && !points->weights)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", shell->count);
    }
    for (size_t i = 0; i < room && shell->count > 0; i++) {
        const vec3 p = shell->points[i < shell->count ? i : shell->count - 1];
        points->x[i] = p.x;
        points->y[i] = p.y;
        points->z[i] = p.z;
    }
    for (uint32_t i = 0; i < shell->count; i++) {
        points->normals[i] = shell->normals[i];
    }
    if (shell->areas) {
        set_weights(shell, points->weights);
    }
    alg_vps_points_measure(points);
    return BASE_OK;
}

/* --- One query -------------------------------------------------------------------------------- */

/** The push of a point. */
typedef struct reaction {
    vec3 at;        /* A's frame */
    vec3 direction; /* unit; of B, A's frame */
    double depth;   /* 0: the point does not push */
    double weight;
} reaction;

typedef struct walk {
    const alg_vps_pair *pair;
    const geo_pose *pose;
    vec3 centroid_b; /* A's frame */
    double rounding; /* a point is at most so far from the other body's surface and its own */
    bool pushes;     /* are asked for */
    bool touching;   /* as the pair's contact tells it */
    bool cut;        /* a point that pushes is in the last layer */
    alg_answer *answer;
    alg_vps_batch batch;
} walk;

/** Bounds the error by the rounding of poses, points and coordinates of the grid, in metres. */
static double bound_rounding(const alg_vps_pair *pair, const geo_pose *pose)
{
    const alg_voxel_grid *const grid = &pair->map->grid;
    const double largest = fmax(grid->size[0], fmax(grid->size[1], grid->size[2]));
    const geo_box corner = {grid->corner, grid->corner};
    const double extent = geo_box_reach(corner) + grid->edge * largest;
    const double moved = 2 * pair->points->extent + 2 * vec3_norm(pose->translation);
    return pair->points->slack + 64 * DBL_EPSILON * (extent + moved);
}

uint32_t alg_vps_reach_in_layers(double reach, double edge)
{
    /* More than the rounding of the division; beyond all layers the number does not matter. */
    const double layers = floor(reach / edge * (1 + 4 * DBL_EPSILON)) + 1;
    return layers < UINT32_MAX ? (uint32_t)layers : UINT32_MAX;
}

/** From which layer on a point matters; *all: points out of the grid matter as well. */
static int32_t least_layer(const alg_vps_pair *pair, double rounding, bool *all)
{
    *all = false;
    if (pair->contact != ALG_VPS_POSSIBLE) {
        return 0;
    }
    const alg_voxel_map *const map = pair->map;
    const uint32_t k = alg_vps_reach_in_layers(pair->points->reach + 2 * rounding, map->grid.edge);
    *all = k > map->grid.padding;
    return *all ? 0 : -(int32_t)k;
}

/** Is it in the solid, and would be if it were moved by all that rounding can mean? */
static bool is_surely_inside(const walk *w, const alg_vps_hit *hit, vec3 p)
{
    const alg_voxel_grid *const grid = &w->batch.map->grid;
    if (hit->layer < 1) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(grid, axis, vec3_get(p, axis)) - hit->voxel[axis];
        if (!(t * grid->edge >= w->rounding && (1 - t) * grid->edge >= w->rounding)) {
            return false;
        }
    }
    const alg_shell *const body = w->pair->moving ? w->pair->b : w->pair->a;
    return geo_surface_contains(&body->surface, p);
}

/** p: the point in the voxmap's frame. */
static reaction find_push(const walk *w, const alg_vps_hit *hit, vec3 p)
{
    const alg_vps_pair *const pair = w->pair;
    const alg_voxel_grid *const grid = &w->batch.map->grid;
    const vec3 own = pair->points->normals[hit->point];
    const vec3 normal = geo_pose_rotate(&w->batch.pose, own); /* the voxmap's frame */
    const uint32_t layer =
        (uint32_t)hit->layer < pair->layers ? (uint32_t)hit->layer : pair->layers;
    vec3 direction = normal, gradient; /* of the points' body, the voxmap's frame */
    double depth = 0;
    bool along = true; /* the normal */
    switch (pair->depth) {
    case ALG_VPS_PLANE: {
        const vec3 c = alg_voxel_middle(grid, hit->voxel[0], hit->voxel[1], hit->voxel[2]);
        const double beyond = vec3_dot(vec3_sub(c, p), normal);
        depth = grid->edge * layer + (layer < pair->layers ? beyond : 0);
        break;
    }
    case ALG_VPS_LAYERS:
        depth = layer > 0 ? grid->edge * layer : 0.5 * grid->edge;
        break;
    case ALG_VPS_FIELD: {
        depth = -alg_voxel_distances_at(pair->distances, p, &gradient);
        const double length = vec3_norm(gradient);
        along = !(length > 0);
        direction = along ? normal : vec3_scale(1 / length, gradient);
        break;
    }
    }
    /* Into A's frame, where the points of a fixed body and their normals are as they were. */
    reaction push = {.depth = depth > 0 ? depth : 0,
                     .at = p,
                     .direction = direction,
                     .weight = pair->points->weights ? pair->points->weights[hit->point] : 1};
    if (pair->moving) {
        push.at = alg_vps_point(pair->points, hit->point);
        push.direction = vec3_scale(-1, along ? own : geo_pose_rotate(w->pose, direction));
    }
    return push;
}

static void add_push(walk *w, const reaction *push)
{
    alg_answer *const answer = w->answer;
    const vec3 force = vec3_scale(push->depth * push->weight, push->direction);
    const vec3 lever = vec3_sub(push->at, w->centroid_b);
    answer->force = vec3_add(answer->force, force);
    answer->torque = vec3_add(answer->torque, vec3_cross(lever, force));
    if (push->depth > answer->depth_m) {
        answer->depth_m = push->depth;
        answer->direction = push->direction;
    }
    if (answer->contact_count < answer->contact_capacity) {
        answer->contacts[answer->contact_count] =
            (alg_contact){push->at, push->direction, push->depth};
    }
    answer->contact_count++;
}

static void take_hit(walk *w, const alg_vps_hit *hit)
{
    const vec3 p = geo_pose_apply(&w->batch.pose, alg_vps_point(w->pair->points, hit->point));
    w->touching = w->touching || w->pair->contact != ALG_VPS_SURE || is_surely_inside(w, hit, p);
    if (w->pushes && hit->layer >= 0) {
        const reaction push = find_push(w, hit, p);
        if (push.depth > 0) {
            w->cut = w->cut ||
                     (w->pair->depth != ALG_VPS_FIELD && (uint32_t)hit->layer >= w->pair->layers);
            add_push(w, &push);
        }
    }
}

/** Does no point of the ball lie in a voxel that matters? Voxels beyond the grid never matter. */
static bool is_ruled_out(const walk *w, const geo_ball *ball)
{
    const alg_voxel_map *const map = w->batch.map;
    const alg_voxel_grid *const grid = &map->grid;
    const vec3 centre = geo_pose_apply(&w->batch.pose, ball->centre);
    /* A point this far away is at most `steps` voxels farther along each axis. */
    const double steps = floor((ball->radius + 2 * w->rounding) / grid->edge) + 1;
    uint32_t voxel[3];
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(grid, axis, vec3_get(centre, axis));
        if (!(t >= -steps && t <= grid->size[axis] + steps)) {
            return true;
        }
        within = within && t >= 0 && t < grid->size[axis];
        voxel[axis] = within ? (uint32_t)t : 0;
    }
    /* Beyond the grid voxels are outside, and farther away from the surface than all layers. */
    const int layer = within ? alg_voxel_layer(map, voxel[0], voxel[1], voxel[2])
                             : -(int)(map->layers < grid->padding ? map->layers : grid->padding);
    return layer + steps < w->batch.least;
}

/** The end of the points from `begin` on, a batch at most, none of whose groups is ruled out. */
static uint32_t end_of_run(const walk *w, uint32_t begin)
{
    const alg_vps_points *const points = w->pair->points;
    uint32_t end = begin;
    while (end < points->count && end - begin < ALG_VPS_BATCH &&
           !is_ruled_out(w, &points->groups[end / ALG_VPS_GROUP])) {
        end = points->count - end < ALG_VPS_GROUP ? points->count : end + ALG_VPS_GROUP;
    }
    return end;
}

/** Until contact alone is told, or to the end. */
static void walk_points(walk *w)
{
    const uint32_t count = w->pair->points->count;
    const bool avx2 = base_cpu_avx2();
    uint64_t *const counters = w->answer->counters;
    uint32_t begin = is_ruled_out(w, &w->pair->points->whole) ? count : 0;
    while (begin < count && (w->pushes || !w->touching)) {
        const uint32_t end = end_of_run(w, begin);
        if (end > begin) {
            (avx2 ? alg_vps_look_up_avx2 : alg_vps_look_up_sse2)(&w->batch, begin, end - begin);
            for (uint32_t i = 0; i < w->batch.hit_count; i++) {
                take_hit(w, &w->batch.hits[i]);
            }
            counters[ALG_VPS_COUNT_LOOKUPS] += end - begin;
        }
        /* A run that ends before a batch is full ends at a group that is ruled out. */
        begin = end - begin < ALG_VPS_BATCH ? end + ALG_VPS_GROUP : end;
    }
    counters[ALG_VPS_COUNT_POINTS] = begin < count ? begin : count;
}

void alg_vps_query(const alg_vps_pair *pair, const geo_pose *pose, alg_answer *answer)
{
    bool all;
    vec3 in_both;
    walk w = {
        .pair = pair,
        .pose = pose,
        .centroid_b = geo_pose_apply(pose, pair->centroid_b),
        .rounding = bound_rounding(pair, pose),
        .pushes = (pair->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) != 0,
        .answer = answer,
    };
    w.batch.map = pair->map;
    w.batch.points = pair->points;
    w.batch.pose = pair->moving ? geo_pose_inverse(pose) : *pose;
    w.batch.least = least_layer(pair, w.rounding, &all);
    w.touching = all;
    walk_points(&w);
    if (pair->contact == ALG_VPS_POSSIBLE && !w.touching) {
        w.touching = alg_shells_nested(pair->a, pair->b, pose, &in_both);
    }
    answer->colliding = w.touching;
    answer->answered |= pair->wanted & ALG_WANT_CONTACT ? ALG_HAS_CONTACT : 0;
    if (w.pushes) {
        answer->counters[ALG_VPS_COUNT_CONTACTS] = answer->contact_count;
        answer->answered |= ALG_HAS_CONTACTS |
                            (pair->wanted & ALG_WANT_DEPTH ? ALG_HAS_DEPTH : 0u) |
                            (pair->wanted & ALG_WANT_FORCE ? ALG_HAS_FORCE : 0u);
    }
    answer->outcome = w.cut ? ALG_BUDGET_REACHED : ALG_CONVERGED;
}
