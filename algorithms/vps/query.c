#include "algorithms/vps/vps.h"

#include "base/simd.h"

#include <float.h>

/* --- Points ----------------------------------------------------------------------------------- */

static void set_point(alg_vps_points *points, uint32_t i, vec3 p)
{
    alg_vps_packet *const packet = &points->packets[i / ALG_VPS_WIDTH];
    const uint32_t lane = i % ALG_VPS_WIDTH;
    packet->x[lane] = p.x;
    packet->y[lane] = p.y;
    packet->z[lane] = p.z;
}

/** Allocates room for points. */
static base_status create_points(uint32_t count, bool weighed, base_arena *arena,
                                 alg_vps_points *points, base_error *err)
{
    uint32_t nodes = alg_vps_packet_count(count);
    *points = (alg_vps_points){
        .count = count,
        .packets = base_arena_alloc(arena, nodes, sizeof *points->packets),
        .normals = base_arena_alloc(arena, count, sizeof *points->normals),
        .weights = weighed ? base_arena_alloc(arena, count, sizeof *points->weights) : NULL,
    };
    bool good = points->packets && points->normals && (!weighed || points->weights);
    while (good && nodes > 0) {
        const uint32_t parents = alg_vps_packet_count(nodes);
        alg_vps_balls *const level = base_arena_alloc(arena, parents, sizeof *level);
        points->levels[points->level_count++] = level;
        good = level != NULL;
        nodes = parents > 1 ? parents : 0;
    }
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", count);
}

/**
 * Returns a ball that contains points [begin, end). Its centre is that of their box, and its radius
 * is rounded up.
 */
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

/** Stores a ball in float, rounded such that the result contains the ball. */
static void put_ball(alg_vps_balls *balls, uint32_t lane, geo_ball ball)
{
    const vec3 c = ball.centre;
    balls->x[lane] = (float)c.x;
    balls->y[lane] = (float)c.y;
    balls->z[lane] = (float)c.z;
    const vec3 rounded = {(double)balls->x[lane], (double)balls->y[lane], (double)balls->z[lane]};
    const double radius = ball.radius + vec3_distance(c, rounded);
    balls->radius[lane] = base_float_above(radius * (1 + 8 * DBL_EPSILON));
}

/** Fills a level with balls that contain `held` points each. The last ball may contain fewer. */
static void fill_level(const alg_vps_points *points, uint64_t held, alg_vps_balls *level)
{
    const uint32_t count = (uint32_t)((points->count + held - 1) / held);
    for (uint32_t i = 0; i < alg_vps_packet_count(count) * ALG_VPS_WIDTH; i++) {
        const uint64_t begin = i * held, end = begin + held;
        geo_ball ball = {{0, 0, 0}, -(double)INFINITY};
        if (i < count) {
            ball = ball_of(points, (uint32_t)begin,
                           end < points->count ? (uint32_t)end : points->count);
        }
        put_ball(&level[i / ALG_VPS_WIDTH], i % ALG_VPS_WIDTH, ball);
    }
}

/**
 * Fills the members that follow from points and reach: the copies of the last point, the levels,
 * `slack` and `extent`.
 */
static void measure_points(alg_vps_points *points)
{
    geo_box box = geo_box_empty();
    for (uint32_t i = 0; i < points->count; i++) {
        box = geo_box_add(box, alg_vps_point(points, i));
    }
    points->extent = points->count > 0 ? geo_box_reach(box) : 0;
    /* The longest edge of a triangle is at most the diagonal of the body's box. projection.h bounds
     * the error of projections by the longest edge. */
    const double diagonal = points->count > 0 ? geo_box_diagonal(box) + 2 * points->reach : 0;
    points->slack = 1e-12 * diagonal + 16 * DBL_EPSILON * points->extent;
    for (uint32_t i = points->count; i % ALG_VPS_WIDTH > 0; i++) {
        set_point(points, i, alg_vps_point(points, points->count - 1));
    }
    uint64_t held = ALG_VPS_WIDTH;
    for (uint32_t k = 0; k < points->level_count; k++) {
        fill_level(points, held, points->levels[k]);
        held *= ALG_VPS_WIDTH;
    }
}

base_status alg_vps_points_build(const alg_pointshell *shell, base_arena *arena,
                                 alg_vps_points *points, base_error *err)
{
    const base_status status =
        create_points(shell->count, shell->shares != NULL, arena, points, err);
    if (status != BASE_OK) {
        return status;
    }
    points->reach = shell->reach;
    for (uint32_t i = 0; i < shell->count; i++) {
        set_point(points, i, shell->points[i]);
        points->normals[i] = shell->normals[i];
    }
    for (uint32_t i = 0; i < shell->count && shell->shares; i++) {
        const double share = vec3_norm(shell->shares[i]);
        points->weights[i] = share * points->count;
        if (share > 0) { /* a point without a share keeps its normal */
            points->normals[i] = vec3_scale(1 / share, shell->shares[i]);
        }
    }
    measure_points(points);
    return BASE_OK;
}

/* --- One query -------------------------------------------------------------------------------- */

typedef struct traversal {
    const alg_vps_pair *pair;
    const geo_pose *pose;
    geo_pose into; /* from the points' frame to the voxmap's */
    alg_vps_frame frame;
    vec3 centroid_b; /* in A's frame */
    double rounding; /* bound of a point's error, from rounding and projection, in metres */
    bool avx2;       /* true if the CPU has AVX2 */
    bool pushes;     /* true if depth or force is wanted */
    bool touching;   /* contact found, as defined by pair->contact */
    bool limited;    /* true if a pushing point is in the last layer */
    uint32_t end;    /* number of points that are looked up or skipped so far */
    alg_answer *answer;
    alg_vps_hits *hits; /* results of the current batch of packets */
} traversal;

/**
 * Returns a bound of the error of a point's position, in metres: the slack of the points, and the
 * rounding of poses, points and grid coordinates.
 */
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
    /* The factor exceeds the rounding of the division. A number beyond all layers need not be
     * exact. */
    const double layers = floor(reach / edge * (1 + 4 * DBL_EPSILON)) + 1;
    return layers < UINT32_MAX ? (uint32_t)layers : UINT32_MAX;
}

/**
 * Returns the least layer that matters for contact. *all becomes true if points outside of the grid
 * matter, too; then contact is certain without a search.
 */
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

/**
 * Returns true if the point is in the solid, and stays in it if it is moved by the rounding error.
 */
static bool is_surely_inside(const traversal *w, const alg_vps_hit *h)
{
    const alg_voxel_grid *const grid = &w->pair->map->grid;
    if (h->layer < 1) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double t = alg_voxel_coordinate(grid, axis, vec3_get(h->at, axis)) - h->voxel[axis];
        if (!(t * grid->edge >= w->rounding && (1 - t) * grid->edge >= w->rounding)) {
            return false;
        }
    }
    const geo_shell *const body = w->pair->moving ? w->pair->b : w->pair->a;
    return geo_surface_contains(&body->surface, h->at);
}

/** Adds a push on B at a point, along a unit vector, both in A's frame. */
static void add_push(traversal *w, uint32_t point, vec3 at, vec3 direction, double depth)
{
    alg_answer *const answer = w->answer;
    const double *const weights = w->pair->points->weights;
    const vec3 force = vec3_scale(depth * (weights ? weights[point] : 1), direction);
    const vec3 lever = vec3_sub(at, w->centroid_b);
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

/** Computes the depth of a point in a surface or inner voxel, and adds its push if the depth is
 * positive. */
static void push(traversal *w, const alg_vps_hit *h)
{
    const alg_vps_pair *const pair = w->pair;
    const alg_voxel_grid *const grid = &pair->map->grid;
    const vec3 own = pair->points->normals[h->point];
    const vec3 normal = geo_pose_rotate(&w->into, own); /* in the voxmap's frame */
    const bool last = (uint32_t)h->layer >= pair->layers;
    const uint32_t layer = last ? pair->layers : (uint32_t)h->layer;
    vec3 direction = normal; /* of the push on the points' body, in the voxmap's frame */
    double depth = 0;
    bool along = true; /* true: the push is along the normal */
    switch (pair->depth) {
    case ALG_VPS_PLANE: {
        const vec3 c = alg_voxel_middle(grid, h->voxel[0], h->voxel[1], h->voxel[2]);
        const double beyond = vec3_dot(vec3_sub(c, h->at), normal);
        depth = grid->edge * layer + (last ? 0 : beyond);
        break;
    }
    case ALG_VPS_LAYERS:
        depth = layer > 0 ? grid->edge * layer : 0.5 * grid->edge;
        break;
    case ALG_VPS_FIELD: {
        vec3 gradient;
        depth = -alg_voxel_distances_at(pair->distances, h->at, &gradient);
        const double length = vec3_norm(gradient);
        along = !(length > 0);
        direction = along ? normal : vec3_scale(1 / length, gradient);
        break;
    }
    }
    if (!(depth > 0)) {
        return;
    }
    w->limited = w->limited || (last && pair->depth != ALG_VPS_FIELD);
    vec3 at = h->at;
    if (pair->moving) { /* the points belong to A, so they and their normals are in A's frame
                           already */
        direction = vec3_scale(-1, along ? own : geo_pose_rotate(w->pose, direction));
        at = alg_vps_point(pair->points, h->point);
    }
    add_push(w, h->point, at, direction, depth);
}

/** Returns true if only contact is wanted and was found. */
static bool is_done(const traversal *w)
{
    return w->touching && !w->pushes;
}

/** Looks up the points of some packets. */
static void look_up(traversal *w, const uint32_t *packets, uint32_t count)
{
    const alg_vps_points *const points = w->pair->points;
    alg_vps_hits *const hits = w->hits;
    (w->avx2 ? alg_vps_look_up_avx2 : alg_vps_look_up_sse2)(&w->frame, points, packets, count,
                                                            hits);
    for (uint32_t i = 0; i < hits->count; i++) {
        const alg_vps_hit *const h = &hits->hits[i];
        w->touching = w->touching || w->pair->contact != ALG_VPS_SURE || is_surely_inside(w, h);
        if (w->pushes && h->layer >= 0) {
            push(w, h);
        }
    }
    const uint32_t last = packets[count - 1] * ALG_VPS_WIDTH, exist = points->count - last;
    w->answer->counters[ALG_VPS_COUNT_LOOKUPS] += hits->lookups;
    w->end = last + (exist < ALG_VPS_WIDTH ? exist : ALG_VPS_WIDTH);
}

/** Visits the descendants of some nodes of a level, in their order, in batches. */
static void visit(traversal *w, uint32_t level, const uint32_t *nodes, uint32_t count)
{
    const alg_vps_balls *const balls = w->pair->points->levels[level];
    uint32_t left[ALG_VPS_BATCH_POINTS + 1];
    for (uint32_t i = 0; i < count && !is_done(w); i += ALG_VPS_BATCH) {
        const uint32_t batch = count - i < ALG_VPS_BATCH ? count - i : ALG_VPS_BATCH;
        const uint32_t found = (w->avx2 ? alg_vps_test_balls_avx2 : alg_vps_test_balls_sse2)(
            &w->frame, balls, nodes + i, batch, left);
        if (level > 0) {
            visit(w, level - 1, left, found);
            continue;
        }
        for (uint32_t k = 0; k < found && !is_done(w); k += ALG_VPS_BATCH) {
            look_up(w, left + k, found - k < ALG_VPS_BATCH ? found - k : ALG_VPS_BATCH);
        }
    }
}

alg_vps_frame alg_vps_frame_of(const alg_vps_pair *pair, const geo_pose *into, int32_t least,
                               double rounding)
{
    const alg_voxel_grid *const grid = &pair->map->grid;
    const double steps = ALG_VOXEL_CLEARANCE_STEPS, extent = pair->points->extent;
    alg_vps_frame f = {
        .map = pair->map,
        .clearance = pair->clearance,
        .per_edge = 1 / grid->edge,
        .padding = grid->padding,
        .least = least,
    };
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        const vec3 row = into->rotation.row[i];
        const double t = vec3_get(into->translation, i);
        const double t_f = alg_voxel_coordinate(grid, i, t);
        f.axes[i] = (alg_vps_axis){
            .row = {row.x, row.y, row.z},
            .t = t,
            .corner = vec3_get(grid->corner, i),
            .size = grid->size[i],
            .last = grid->size[i] - 1.0,
            .row_f = {(float)(f.per_edge * row.x), (float)(f.per_edge * row.y),
                      (float)(f.per_edge * row.z)},
            .t_f = (float)t_f,
            .size_f = (float)grid->size[i],
        };
        largest = fmax(largest, fabs(t_f) + 2 * f.per_edge * extent);
    }
    f.steps_f = base_float_above(steps * f.per_edge);
    /* Coordinates of a centre have about ten roundings in float of numbers up to `largest`. A
     * clearance exceeds the distance by up to one step. */
    f.margin = base_float_above(1 + steps * (0x1p-20 * largest + 2 * f.per_edge * rounding));
    f.most = 0;
    if (least < pair->clearance->least) { /* because of rounding, layers matter that the clearance
                                             does not count */
        f.margin = f.most = INFINITY;
    }
    return f;
}

void alg_vps_query(const alg_vps_pair *pair, const geo_pose *pose, alg_answer *answer)
{
    bool all;
    vec3 in_both;
    alg_vps_hits hits;
    traversal w = {
        .pair = pair,
        .pose = pose,
        .into = pair->moving ? geo_pose_inverse(pose) : *pose,
        .centroid_b = geo_pose_apply(pose, pair->centroid_b),
        .rounding = bound_rounding(pair, pose),
        .avx2 = base_cpu_avx2(),
        .pushes = (pair->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) != 0,
        .answer = answer,
        .hits = &hits,
    };
    w.frame = alg_vps_frame_of(pair, &w.into, least_layer(pair, w.rounding, &all), w.rounding);
    w.touching = all;
    if (pair->points->level_count > 0 && !is_done(&w)) {
        visit(&w, pair->points->level_count - 1, &(uint32_t){0}, 1);
    }
    answer->counters[ALG_VPS_COUNT_POINTS] = is_done(&w) ? w.end : pair->points->count;
    if (pair->contact == ALG_VPS_POSSIBLE && !w.touching) {
        w.touching = geo_shells_nested(pair->a, pair->b, pose, &in_both);
    }
    answer->colliding = w.touching;
    answer->answered |= pair->wanted & ALG_WANT_CONTACT ? ALG_HAS_CONTACT : 0;
    if (w.pushes) {
        answer->counters[ALG_VPS_COUNT_CONTACTS] = answer->contact_count;
        answer->answered |= ALG_HAS_CONTACTS |
                            (pair->wanted & ALG_WANT_DEPTH ? ALG_HAS_DEPTH : 0u) |
                            (pair->wanted & ALG_WANT_FORCE ? ALG_HAS_FORCE : 0u);
    }
    answer->outcome = w.limited ? ALG_BUDGET_REACHED : ALG_CONVERGED;
}
