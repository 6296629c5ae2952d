#include "algorithms/pst/penetration.h"

#include "base/elementary.h"
#include "base/simd.h"

#include <float.h>

/* --- Bind ------------------------------------------------------------------------------------- */

/**
 * Sets reach and excess for depths in the field. A point outside may have a negative value by
 * interpolation. Its distance is then less than `above` of its brick. It is even smaller if all
 * values of the brick are negative.
 */
static void bound_field(alg_pst_queue *queue)
{
    const alg_pst_field *const field = queue->field;
    double reach = 0, excess = 0;
    for (uint32_t i = 0; i < field->brick_count; i++) {
        const alg_pst_brick *const b = &field->bricks[i];
        float least = b->values[0], most = b->values[0];
        for (int k = 1; k < ALG_PST_BRICK_CORNERS; k++) {
            least = b->values[k] < least ? b->values[k] : least;
            most = b->values[k] > most ? b->values[k] : most;
        }
        /* t (1 - t) is at most 1 / 4. */
        const double bend = 0.25 * ((double)fabsf(b->bend[0]) + (double)fabsf(b->bend[1]) +
                                    (double)fabsf(b->bend[2]));
        if ((double)least - bend < 0) {
            const double above = (double)base_half_value(b->above);
            excess = fmax(excess, above);
            reach = fmax(reach, above + fmin(0, (double)most + bend));
        }
    }
    queue->reach = base_float_above(reach);
    queue->excess = base_float_above(excess);
}

/** Returns false if the block of a voxel has no inner voxel. This saves most of the lookups of
 * voxels, which take long. */
static bool has_inner(const alg_voxel_map *map, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t n = ALG_VOXEL_MAP_BLOCK;
    const uint32_t *const count = map->block_count;
    if (map->storage == ALG_VOXEL_DENSE) {
        return true;
    }
    const uint32_t entry = map->blocks[((size_t)(z / n) * count[1] + y / n) * count[0] + x / n];
    return (entry & ALG_VOXEL_MAP_OPEN) || (int8_t)(uint8_t)entry > 0;
}

/**
 * Sets reach and excess for depths in layers. A surface voxel extends beyond the surface by at most
 * its diagonal. An inner voxel may also be outside of the surface, in a hollow that the flood fill
 * does not reach. The field gives a bound of its distance from the surface.
 *
 * The depth in layer k is k edges, and the surface is at least k - 1 edges away.
 */
static void bound_layers(alg_pst_queue *queue)
{
    const alg_voxel_map *const map = queue->map;
    const alg_voxel_grid *const grid = &map->grid;
    const double diagonal = sqrt(3) * grid->edge;
    double reach = diagonal;
    for (uint32_t z = 0; z < grid->size[2]; z++) {
        for (uint32_t y = 0; y < grid->size[1]; y++) {
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                if (x % ALG_VOXEL_MAP_BLOCK == 0 && !has_inner(map, x, y, z)) {
                    x += ALG_VOXEL_MAP_BLOCK - 1;
                } else if (alg_voxel_layer(map, x, y, z) > 0) {
                    const alg_pst_sample s =
                        alg_pst_field_at(queue->field, alg_voxel_middle(grid, x, y, z));
                    reach = fmax(reach, (double)s.value + (double)s.above + diagonal / 2);
                }
            }
        }
    }
    queue->reach = base_float_above(reach);
    queue->excess = base_float_above(grid->edge + reach);
}

base_status alg_pst_penetration_bind(alg_pst_penetration *pair, base_arena *arena, base_error *err)
{
    const alg_pst_tree *const tree = pair->points;
    const size_t clusters = (size_t)tree->node_count * ALG_PST_WIDTH + 1;
    const size_t points = tree->points.count;
    alg_pst_queue *const queue = base_arena_alloc(arena, 1, sizeof *queue);
    if (queue) {
        queue->items = base_arena_alloc(arena, clusters, sizeof *queue->items);
        queue->hits = base_arena_alloc(arena, points / 64 + 2, sizeof *queue->hits);
        queue->further = base_arena_alloc(arena, points, sizeof *queue->further);
    }
    if (!queue || !queue->items || !queue->hits || !queue->further) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a queue of %zu clusters",
                         clusters);
    }
    queue->tree = tree;
    queue->field = &pair->field->field;
    queue->map = pair->depth == ALG_PST_LAYERS ? &pair->field->map : NULL;
    if (queue->map) {
        bound_layers(queue);
    } else {
        bound_field(queue);
    }
    pair->queue = queue;
    return BASE_OK;
}

/* --- One point -------------------------------------------------------------------------------- */

/** One query. */
typedef struct query {
    alg_pst_penetration *pair;
    alg_pst_queue *queue;
    const geo_pose *pose;
    geo_pose into; /* from the points' frame to the field's */
    uint64_t begin_ns;
    bool avx2;
    bool stopped; /* true if the budget is used up */
    alg_answer *answer;
} query;

double alg_pst_layer_depth(const alg_voxel_map *map, uint32_t layers, vec3 p)
{
    uint32_t voxel[3];
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(&map->grid, axis, vec3_get(p, axis));
        if (!(t >= 0 && t < map->grid.size[axis])) {
            return 0;
        }
        voxel[axis] = (uint32_t)t;
    }
    const int layer = alg_voxel_layer(map, voxel[0], voxel[1], voxel[2]);
    const uint32_t cut = (uint32_t)layer < layers ? (uint32_t)layer : layers;
    return layer < 0 ? 0 : layer == 0 ? 0.5 * map->grid.edge : map->grid.edge * cut;
}

/** Returns the depth of a point at p in the field's frame, by the field or by layers. A point
 * pushes if it is positive. Sets the gradient if the pair needs it. */
static double find_depth(const alg_pst_penetration *pair, vec3 p, vec3 *gradient)
{
    double depth = 0;
    if (pair->depth == ALG_PST_FIELD || pair->normals == ALG_PST_GRADIENT) {
        depth = -(double)alg_pst_field_slope(&pair->field->field, p, gradient).value;
    }
    return pair->depth == ALG_PST_FIELD ? depth
                                        : alg_pst_layer_depth(&pair->field->map, pair->layers, p);
}

/* --- Traversal -------------------------------------------------------------------------------- */

enum {
    CHUNK = 256,    /* lookups between two readings of the clock: about 2 us */
    SUM_UP_NS = 40, /* time that each hit takes after the traversal */
    NO_WORD = UINT32_MAX,
};

static void begin(const query *w)
{
    const alg_pst_penetration *const pair = w->pair;
    alg_pst_queue *const q = w->queue;
    const alg_pst_tree *const tree = q->tree;
    const alg_pst_field *const field = q->field;
    geo_pose motion = w->into;
    motion.translation = vec3_sub(geo_pose_apply(&w->into, tree->origin), field->corner);
    q->motion = geo_motion_make(&motion);
    /* Only points near the field's body may push, so coordinates within the blocks are enough for
       the margin. */
    const double blocks =
        (double)field->block_count[0] + field->block_count[1] + field->block_count[2];
    const double size = ALG_PST_BLOCK_CELLS * field->edge * blocks;
    const double apart = vec3_norm(w->pose->translation) + vec3_norm(tree->origin) +
                         vec3_norm(field->corner) + vec3_norm(motion.translation);
    q->margin = geo_motion_margin(tree->extent, size, apart, (double)tree->rounding);
    if (q->map) {
        const alg_voxel_grid *const grid = &q->map->grid;
        const double padding = grid->edge * grid->padding;
        for (int axis = 0; axis < 3; axis++) {
            q->voxel_corner[axis] =
                (float)(vec3_get(grid->corner, axis) - padding - vec3_get(field->corner, axis));
        }
        q->per_voxel = (float)(1 / grid->edge);
    }
    q->once = (pair->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) == 0;
    q->representatives = q->once || pair->budget > 0 || pair->budget_ns > 0;
    q->spheres = q->points = 0;
    q->head = q->tail = 0;
    q->hit_begin = NO_WORD;
    q->hit_end = 0;
}

/** Computes the depths of the hits in double, until one of them is positive, and clears all hits.
 * Returns true if a point pushes. */
static bool confirm_hits(const query *w)
{
    alg_pst_queue *const q = w->queue;
    const vec3 *const points = q->tree->points.points;
    bool pushes = false;
    for (uint32_t word = q->hit_begin; word < q->hit_end; word++) {
        for (uint64_t left = q->hits[word]; left != 0 && !pushes; left &= left - 1) {
            const uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
            vec3 gradient;
            pushes = find_depth(w->pair, geo_pose_apply(&w->into, points[i]), &gradient) > 0;
        }
        q->hits[word] = 0;
    }
    q->hit_begin = NO_WORD;
    q->hit_end = 0;
    return pushes;
}

/** Sets the limit of lookups for a step. Returns false if the budget or the time allows no further
 * lookup. A part of the time is reserved for summing up the hits. */
static bool begin_step(query *w)
{
    alg_pst_queue *const q = w->queue;
    const uint64_t all = w->pair->budget > 0 ? w->pair->budget : UINT64_MAX;
    const uint64_t done = q->spheres + q->points;
    const uint64_t ns = w->pair->budget_ns;
    q->most = all;
    if (ns == 0 || done >= all) {
        return done < all;
    }
    q->most = all - done > CHUNK ? done + CHUNK : all;
    uint64_t hits = 0;
    for (uint32_t word = q->hit_begin; word < q->hit_end; word++) {
        hits += (uint64_t)__builtin_popcountll(q->hits[word]);
    }
    return alg_clock_ns() - w->begin_ns + SUM_UP_NS * hits < ns;
}

/** Looks up clusters, beginning with the sphere around all points. Returns true if the query ends
 * with the first pushing point and has found one. */
static bool traverse_tree(query *w)
{
    alg_pst_queue *const q = w->queue;
    const geo_ball *const ball = &q->tree->ball;
    bool in_contact = false;
    w->stopped = !begin_step(w);
    if (w->stopped) {
        return false;
    }
    const alg_pst_sample s = alg_pst_field_at(q->field, geo_pose_apply(&w->into, ball->centre));
    const double bound = (double)s.value - (double)s.below - ball->radius - (double)q->margin;
    q->spheres++;
    if (q->tree->points.count == 0 || bound > (double)q->reach) {
        return false;
    }
    q->items[q->tail++] = (alg_pst_item){0, q->tree->points.count, 0, base_float_below(bound)};
    if (q->representatives && begin_step(w)) {
        (w->avx2 ? alg_pst_look_up_points_avx2 : alg_pst_look_up_points_sse2)(q, 0, 1);
    }
    while (!in_contact && !w->stopped && q->head < q->tail) {
        const uint64_t before = q->spheres + q->points;
        const bool may = begin_step(w);
        if (may) {
            (w->avx2 ? alg_pst_open_clusters_avx2 : alg_pst_open_clusters_sse2)(q);
        }
        const bool unconfirmed = q->once && q->hit_begin < q->hit_end;
        in_contact = unconfirmed && confirm_hits(w);
        /* Without progress, the next cluster needs more lookups than are left of the budget. */
        w->stopped = !may || (!unconfirmed && before == q->spheres + q->points);
    }
    return in_contact;
}

/** Looks up all points, without the tree. Returns the same as traverse_tree. */
static bool look_up_all(query *w)
{
    alg_pst_queue *const q = w->queue;
    const uint32_t count = q->tree->points.count;
    bool in_contact = false;
    while (!in_contact && !w->stopped && q->points < count) {
        w->stopped = !begin_step(w);
        uint64_t some = w->stopped ? 0 : q->most - q->points;
        some = some < count - q->points ? some : count - q->points;
        some = q->once && some > CHUNK ? CHUNK : some;
        (w->avx2 ? alg_pst_look_up_points_avx2
                 : alg_pst_look_up_points_sse2)(q, (uint32_t)q->points, (uint32_t)some);
        in_contact = q->once && confirm_hits(w);
    }
    return in_contact;
}

/* --- Answer ----------------------------------------------------------------------------------- */

/** Adds the push of a point, in A's frame. direction: unit, of the force on B; size: of that
 * force. */
static void add_push(alg_answer *answer, vec3 centroid_b, vec3 at, vec3 direction, double depth,
                     double size)
{
    const vec3 force = vec3_scale(size, direction);
    const vec3 lever = vec3_sub(at, centroid_b);
    answer->force = vec3_add(answer->force, force);
    answer->torque = vec3_add(answer->torque, vec3_cross(lever, force));
    if (depth > answer->depth_m) {
        answer->depth_m = depth;
        answer->direction = direction;
    }
    if (answer->contact_count < answer->contact_capacity) {
        answer->contacts[answer->contact_count] = (alg_contact){at, direction, depth};
    }
    answer->contact_count++;
}

/** Adds the pushes of those listed points whose depth is positive, and empties the list. */
static void add_reactions(const query *w, vec3 centroid_b, alg_pst_reactions *r)
{
    const alg_pst_penetration *const pair = w->pair;
    const alg_pst_queue *const q = w->queue;
    const bool read_again = pair->depth != ALG_PST_FIELD || pair->normals != ALG_PST_OWN;
    (w->avx2 ? alg_pst_react_avx2 : alg_pst_react_sse2)(q, &w->into, !pair->moving, r);
    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t i = r->point[k];
        const vec3 p = {r->at[0][k], r->at[1][k], r->at[2][k]};
        vec3 direction = {r->own[0][k], r->own[1][k], r->own[2][k]}, gradient = {0, 0, 0};
        const double depth = read_again ? find_depth(pair, p, &gradient) : (double)r->depth[k];
        if (depth > 0) {
            /* A gradient of length 0 has no direction. */
            const double length = pair->normals == ALG_PST_GRADIENT ? vec3_norm(gradient) : 0;
            if (length > 0) {
                direction = vec3_scale(1 / length, gradient);
                direction = pair->moving ? geo_pose_rotate(w->pose, direction) : direction;
            }
            /* The direction is that of the push on the points' body. If the field is B's, the push
               on B is opposite, and the position in A's frame is that of A's point. */
            add_push(w->answer, centroid_b, pair->moving ? pair->points->points.points[i] : p,
                     pair->moving ? vec3_scale(-1, direction) : direction, depth,
                     depth * r->weight[k] * (1 + (w->stopped ? q->further[i] : 0)));
        }
    }
    r->count = 0;
}

/** Adds all pushes, in the order of the tree, and clears the hits. */
static void add_pushes(const query *w)
{
    alg_pst_queue *const q = w->queue;
    const vec3 centroid_b = geo_pose_apply(w->pose, w->pair->centroid_b);
    alg_pst_reactions r;
    r.count = 0;
    for (uint32_t word = q->hit_begin; word < q->hit_end; word++) {
        for (uint64_t left = q->hits[word]; left != 0; left &= left - 1) {
            r.point[r.count++] = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (r.count == ALG_PST_REACTIONS) {
                add_reactions(w, centroid_b, &r);
            }
        }
        q->hits[word] = 0;
    }
    add_reactions(w, centroid_b, &r);
    for (uint32_t i = q->head; w->stopped && i < q->tail; i++) {
        q->further[q->items[i].first] = 0;
    }
}

void alg_pst_penetration_query(alg_pst_penetration *pair, const geo_pose *pose, alg_answer *answer)
{
    query w = {
        .pair = pair,
        .queue = pair->queue,
        .pose = pose,
        .into = pair->moving ? geo_pose_inverse(pose) : *pose,
        .begin_ns = pair->budget_ns > 0 ? alg_clock_ns() : 0,
        .avx2 = base_cpu_avx2(),
        .answer = answer,
    };
    begin(&w);
    const alg_pst_queue *const q = w.queue;
    const bool in_contact = pair->flat ? look_up_all(&w) : traverse_tree(&w);
    pair->hidden = w.stopped && pair->flat ? (double)INFINITY : 0;
    for (uint32_t i = q->head; w.stopped && i < q->tail; i++) {
        /* The representative of each remaining cluster pushes for the whole cluster. */
        q->further[q->items[i].first] = q->items[i].count - 1;
        pair->hidden = fmax(pair->hidden, (double)q->excess - (double)q->items[i].bound);
    }
    if (!q->once) {
        add_pushes(&w);
        answer->counters[ALG_PST_COUNT_CONTACTS] += answer->contact_count;
        answer->answered |= ALG_HAS_CONTACTS |
                            (pair->wanted & ALG_WANT_DEPTH ? ALG_HAS_DEPTH : 0u) |
                            (pair->wanted & ALG_WANT_FORCE ? ALG_HAS_FORCE : 0u);
    }
    answer->counters[ALG_PST_COUNT_SPHERES] += q->spheres;
    answer->counters[ALG_PST_COUNT_POINTS] += q->points;
    answer->colliding = q->once ? in_contact : answer->contact_count > 0;
    answer->answered |= pair->wanted & ALG_WANT_CONTACT ? ALG_HAS_CONTACT : 0;
    if (answer->outcome != ALG_BUDGET_REACHED) {
        answer->outcome = w.stopped ? ALG_BUDGET_REACHED : ALG_CONVERGED;
    }
}
