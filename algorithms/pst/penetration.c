#include "algorithms/pst/penetration.h"

#include <float.h>

/** A cluster that is not clear of all that pushes. */
typedef struct item {
    uint32_t first, count; /* its points; the first one is looked up */
    uint32_t child;        /* ALG_PST_LEAF: none */
} item;

typedef struct alg_pst_queue {
    item *items; /* at most one of each cluster */
    uint32_t head, tail;
    uint64_t *pushing; /* a bit for each point; all 0 between queries */
    uint32_t *further; /* how many more points a point stands for; all 0 between queries */
    double reach;      /* no point pushes that is farther outside of the field's surface */
} alg_pst_queue;

/* --- Bind --------------------------------------------------------------------------------------- */

/**
 * A point may be interpolated as inside though it is outside: by no more than `above` of its cell,
 * and by less where all corners of the cell are inside.
 */
static double reach_of_field(const alg_pst_field *field)
{
    double reach = 0;
    for (uint32_t i = 0; i < field->cell_count; i++) {
        const float *const v = field->values[i];
        float least = v[0], most = v[0];
        for (int k = 1; k < 8; k++) {
            least = v[k] < least ? v[k] : least;
            most = v[k] > most ? v[k] : most;
        }
        const double outside = (double)field->errors[i][1] + (most < 0 ? (double)most : 0);
        reach = least < 0 && outside > reach ? outside : reach;
    }
    return reach;
}

/**
 * Surface voxels reach their diagonal beyond the surface, and so do inner ones of a hollow that no
 * voxel leads into, as far as the hollow goes.
 */
static double reach_of_layers(const alg_pst_body *body)
{
    const alg_voxel_grid *const grid = &body->map.grid;
    const double diagonal = sqrt(3) * grid->edge;
    double reach = diagonal;
    for (uint32_t z = 0; z < grid->size[2]; z++) {
        for (uint32_t y = 0; y < grid->size[1]; y++) {
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                if (alg_voxel_layer(&body->map, x, y, z) < 1) {
                    continue;
                }
                const alg_pst_sample s =
                    alg_pst_field_at(&body->field, alg_voxel_middle(grid, x, y, z));
                reach = fmax(reach, (double)s.value + (double)s.above + diagonal / 2);
            }
        }
    }
    return reach;
}

base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena, base_error *err)
{
    const alg_pst_tree *const tree = &pair->points->tree;
    const size_t clusters = (size_t)tree->node_count * ALG_PST_WIDTH + 1;
    const size_t points = tree->points.count;
    alg_pst_queue *const queue = base_arena_alloc(arena, 1, sizeof *queue);
    if (queue) {
        queue->items = base_arena_alloc(arena, clusters, sizeof *queue->items);
        queue->pushing = base_arena_alloc(arena, points / 64 + 1, sizeof *queue->pushing);
        queue->further = base_arena_alloc(arena, points, sizeof *queue->further);
    }
    if (!queue || !queue->items || !queue->pushing || !queue->further) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a queue of %zu clusters",
                         clusters);
    }
    queue->reach = pair->depth == ALG_PST_LAYERS ? reach_of_layers(pair->field)
                                                 : reach_of_field(&pair->field->field);
    pair->queue = queue;
    return BASE_OK;
}

/* --- One point ---------------------------------------------------------------------------------- */

/** What a point does. */
typedef struct reaction {
    vec3 at;        /* A's frame */
    vec3 direction; /* unit; of B, A's frame */
    double depth;   /* 0: none */
} reaction;

typedef struct walk {
    const alg_pst_penetration *pair;
    alg_pst_queue *queue;
    const geo_pose *pose;
    geo_pose into; /* from the points' frame into the field's */
    double margin; /* of spheres: the rounding of all that comes in */
    bool pushes;   /* are asked for; otherwise the walk ends with the first point that does */
    bool touching;
    uint64_t most, spheres, points; /* lookups */
    uint64_t begin_ns;
    bool stopped;
    alg_answer *answer;
} walk;

static double layer_depth(const alg_pst_penetration *pair, vec3 p)
{
    const alg_voxel_map *const map = &pair->field->map;
    uint32_t voxel[3];
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(&map->grid, axis, vec3_get(p, axis));
        if (!(t >= 0 && t < map->grid.size[axis])) {
            return 0;
        }
        voxel[axis] = (uint32_t)t;
    }
    const int layer = alg_voxel_layer(map, voxel[0], voxel[1], voxel[2]);
    const uint32_t cut = (uint32_t)layer < pair->layers ? (uint32_t)layer : pair->layers;
    return layer < 0 ? 0 : layer == 0 ? 0.5 * map->grid.edge : map->grid.edge * cut;
}

static reaction find_push(const walk *w, uint32_t i)
{
    const alg_pst_penetration *const pair = w->pair;
    const alg_pst_points *const points = &pair->points->tree.points;
    const vec3 p = geo_pose_apply(&w->into, points->points[i]);
    vec3 gradient = {0, 0, 0};
    double depth;
    if (pair->depth == ALG_PST_LAYERS) {
        depth = layer_depth(pair, p);
    } else {
        depth = -(double)alg_pst_field_slope(&pair->field->field, p, &gradient).value;
    }
    const double length = vec3_norm(gradient);
    const bool along = !(length > 0); /* the point's own normal */
    const vec3 own = points->normals[i];
    reaction push = {.depth = depth > 0 ? depth : 0, .at = p};
    if (pair->moving) {
        push.at = points->points[i];
        push.direction = vec3_scale(
            -1, along ? own : geo_pose_rotate(w->pose, vec3_scale(1 / length, gradient)));
    } else {
        push.direction = along ? geo_pose_rotate(&w->into, own) : vec3_scale(1 / length, gradient);
    }
    return push;
}

static void look_up_point(walk *w, uint32_t i)
{
    w->points++;
    if (find_push(w, i).depth > 0) {
        w->touching = true;
        w->queue->pushing[i / 64] |= (uint64_t)1 << i % 64;
    }
}

/* --- Walk --------------------------------------------------------------------------------------- */

/** Is there room for so many more lookups, and time? */
static bool may_look_up(walk *w, uint64_t count)
{
    const uint64_t ns = w->pair->budget_ns;
    const bool late = ns > 0 && alg_clock_ns() - w->begin_ns >= ns;
    w->stopped = w->stopped || late || w->spheres + w->points + count > w->most;
    return !w->stopped && (w->pushes || !w->touching);
}

static double sphere_bound(walk *w, vec3 centre, double radius)
{
    const vec3 c = geo_pose_apply(&w->into, centre);
    const alg_pst_sample s = alg_pst_field_at(&w->pair->field->field, c);
    w->spheres++;
    return (double)s.value - (double)s.below - radius - w->margin;
}

static void open_node(walk *w, const item *parent)
{
    const alg_pst_tree *const tree = &w->pair->points->tree;
    const alg_pst_node *const node = &tree->nodes[parent->child];
    alg_pst_queue *const queue = w->queue;
    for (int i = 0; i < ALG_PST_WIDTH; i++) {
        if (node->count[i] == 0) {
            continue;
        }
        const vec3 centre =
            vec3_add(tree->origin, (vec3){(double)node->centre[0][i], (double)node->centre[1][i],
                                          (double)node->centre[2][i]});
        if (sphere_bound(w, centre, (double)node->radius[i]) > queue->reach) {
            continue;
        }
        if (node->first[i] != parent->first) {
            look_up_point(w, node->first[i]);
        }
        queue->items[queue->tail++] = (item){node->first[i], node->count[i], node->child[i]};
    }
}

static void walk_tree(walk *w)
{
    const alg_pst_tree *const tree = &w->pair->points->tree;
    alg_pst_queue *const queue = w->queue;
    queue->head = queue->tail = 0;
    if (tree->points.count == 0 || !may_look_up(w, 2) ||
        sphere_bound(w, tree->ball.centre, tree->ball.radius) > queue->reach) {
        return;
    }
    look_up_point(w, 0);
    queue->items[queue->tail++] = (item){0, tree->points.count, 0};
    while (queue->head < queue->tail) {
        const item *const next = &queue->items[queue->head];
        const bool leaf = next->child == ALG_PST_LEAF;
        if (!may_look_up(w, leaf ? next->count - 1 : 2 * ALG_PST_WIDTH)) {
            return;
        }
        queue->head++;
        for (uint32_t i = 1; leaf && i < next->count; i++) {
            look_up_point(w, next->first + i);
        }
        if (!leaf) {
            open_node(w, next);
        }
    }
}

static void walk_points(walk *w)
{
    const uint32_t count = w->pair->points->tree.points.count;
    for (uint32_t i = 0; i < count && may_look_up(w, 1); i++) {
        look_up_point(w, i);
    }
}

/* --- Answer ------------------------------------------------------------------------------------- */

static void add_push(const walk *w, vec3 centroid_b, const reaction *push, uint32_t times)
{
    alg_answer *const answer = w->answer;
    const vec3 force = vec3_scale(push->depth * times, push->direction);
    const vec3 lever = vec3_sub(push->at, centroid_b);
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

/** Adds all that push, in the order of the tree. */
static void add_pushes(const walk *w)
{
    const uint32_t count = w->pair->points->tree.points.count;
    const vec3 centroid_b = geo_pose_apply(w->pose, w->pair->centroid_b);
    for (uint32_t i = 0; i < count; i++) {
        if (w->pushes && w->queue->pushing[i / 64] >> i % 64 & 1) {
            const reaction push = find_push(w, i);
            add_push(w, centroid_b, &push, 1 + w->queue->further[i]);
        }
        w->queue->further[i] = 0;
    }
    for (uint32_t i = 0; i < count / 64 + 1; i++) {
        w->queue->pushing[i] = 0;
    }
}

/** Clusters that are left push by their representatives. */
static void stand_in(const walk *w)
{
    const alg_pst_queue *const queue = w->queue;
    for (uint32_t i = queue->head; i < queue->tail; i++) {
        queue->further[queue->items[i].first] += queue->items[i].count - 1;
    }
}

/** What comes in is rounded: poses, points, the field's grid. */
static double bound_rounding(const alg_pst_penetration *pair, const geo_pose *pose)
{
    const alg_pst_tree *const tree = &pair->points->tree;
    const alg_pst_field *const field = &pair->field->field;
    const double largest = ALG_PST_BLOCK_CELLS * field->edge *
                           (field->block_count[0] + field->block_count[1] + field->block_count[2]);
    const double extent = vec3_norm(field->corner) + largest + vec3_norm(pose->translation) +
                          vec3_norm(tree->origin) + tree->extent;
    return (double)geo_motion_margin(extent, 0, 0, (double)tree->rounding);
}

void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer)
{
    walk w = {
        .pair = pair,
        .queue = pair->queue,
        .pose = pose,
        .into = pair->moving ? geo_pose_inverse(pose) : *pose,
        .margin = bound_rounding(pair, pose),
        .pushes = (pair->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) != 0,
        .most = pair->budget > 0 ? pair->budget : UINT64_MAX,
        .begin_ns = pair->budget_ns > 0 ? alg_clock_ns() : 0,
        .answer = answer,
    };
    if (pair->flat) {
        walk_points(&w);
    } else {
        walk_tree(&w);
        if (w.stopped) {
            stand_in(&w);
        }
    }
    add_pushes(&w);
    answer->colliding = w.touching;
    answer->counters[ALG_PST_COUNT_SPHERES] += w.spheres;
    answer->counters[ALG_PST_COUNT_POINTS] += w.points;
    answer->answered |= pair->wanted & ALG_WANT_CONTACT ? ALG_HAS_CONTACT : 0;
    if (w.pushes) {
        answer->counters[ALG_PST_COUNT_CONTACTS] += answer->contact_count;
        answer->answered |= ALG_HAS_CONTACTS |
                            (pair->wanted & ALG_WANT_DEPTH ? ALG_HAS_DEPTH : 0u) |
                            (pair->wanted & ALG_WANT_FORCE ? ALG_HAS_FORCE : 0u);
    }
    if (answer->outcome != ALG_BUDGET_REACHED) {
        answer->outcome = w.stopped ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    }
}
