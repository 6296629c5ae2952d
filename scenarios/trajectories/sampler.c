#include "scenarios/trajectories/sampler.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/text.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Frames of a run -------------------------------------------------------------------------- */

/** Returns value i of the frames, distributed evenly from lo to hi, in m or m3. */
static double value_of_frame(const scn_run *run, size_t i)
{
    const scn_sampler *const s = run->sampler;
    const double share = s->frames > 1 ? (double)i / (double)(s->frames - 1) : 0;
    return run->solver.scale * (s->lo + (s->hi - s->lo) * share);
}

/** Sets the error for `draws` draws without a pose. */
static base_status fail_draws(const scn_run *run, double wanted, int draws, base_error *err)
{
    const bool by_distance = run->sampler->target == SCN_TARGET_DISTANCE;
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "no pose of %s %g %s found in %d draws; the bodies may pass through each "
                     "other, or the value may be out of reach",
                     scn_target_name(run->sampler->target), wanted, by_distance ? "m" : "m3",
                     draws);
}

/** Ends a sampling of single frames. Fails as fail_draws does if all frames were left out. */
static base_status end_frames(const scn_run *run, int draws, base_error *err)
{
    return run->trajectory->frame_count > 0 ? BASE_OK
                                            : fail_draws(run, value_of_frame(run, 0), draws, err);
}

/** Repeats each frame as often as the sampler holds its pose. */
static base_status hold_frames(scn_run *run, base_error *err)
{
    scn_trajectory *const trajectory = run->trajectory;
    const size_t hold = scn_sampler_hold(run->sampler), count = hold * trajectory->frame_count;
    const base_status status =
        base_reserve(trajectory->frames, trajectory->frame_capacity, count, err);
    if (status != BASE_OK) {
        return status;
    }
    trajectory->frame_count = count;
    /* Backwards, so that no frame is overwritten before it is repeated. */
    for (size_t i = count; i-- > 0;) {
        trajectory->frames[i] = trajectory->frames[i / hold];
        trajectory->frames[i].t_s = SCN_FRAME_S * (double)i;
    }
    return BASE_OK;
}

/** Writes the trajectory's source: the generator and its parameters. */
static void describe_run(scn_run *run, const char *what)
{
    const scn_sampler *const s = run->sampler;
    const double step = run->solver.step_m / run->solver.size_m;
    char *const text = run->trajectory->source;
    const size_t size = sizeof run->trajectory->source;
    const int length = snprintf(
        text, size, "%s target=%s lo=%.9g hi=%.9g frames=%zu seed=%llu step=%.9g", what,
        scn_target_name(s->target), s->lo, s->hi, run->frames, (unsigned long long)s->seed, step);
    size_t used = length > 0 && (size_t)length < size ? (size_t)length : size;
    if (scn_sampler_hold(s) > 1 && used < size) {
        used += (size_t)snprintf(text + used, size - used, " hold=%zu", s->hold);
    }
    if (scn_sampler_ways(s) > 1 && used < size) {
        used += (size_t)snprintf(text + used, size - used, " ways=%zu", s->ways);
    }
    if (run->not_monotone > 0 && used < size) {
        used += (size_t)snprintf(text + used, size - used, "; volume not monotone in %zu frames",
                                 run->not_monotone);
    }
    if (run->left_out > 0 && used < size) {
        snprintf(text + used, size - used, "; %zu frame%s left out", run->left_out,
                 run->left_out > 1 ? "s" : "");
    }
}

/* --- Sphere ----------------------------------------------------------------------------------- */

/*
 * Independent poses at prescribed values. The directions are those of a Fibonacci sphere in
 * shuffled order, so that value and direction are not correlated. The rotations are uniform.
 */

#define GOLDEN_FRACTION 0.61803398874989484820

/** Returns point i of n, which are evenly distributed over the unit sphere. */
static vec3 fibonacci_direction(size_t i, size_t n)
{
    const double z = 1 - (2 * (double)i + 1) / (double)n;
    const double turns = (double)i * GOLDEN_FRACTION;
    const double angle = 2 * BASE_PI * (turns - floor(turns));
    const double radius = sqrt(fmax(0, 1 - z * z));
    return vec3_make(radius * base_cos(angle), radius * base_sin(angle), z);
}

/** Fills order with a random permutation (Fisher-Yates). */
static void shuffle(size_t *order, size_t n, base_random *random)
{
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)base_random_below(random, i);
        const size_t other = order[i - 1];
        order[i - 1] = order[j];
        order[j] = other;
    }
}

/** Appends frame i if its value has a position on the line. */
static base_status try_line(scn_run *run, size_t i, const scn_line *line, bool *found,
                            base_error *err)
{
    const double wanted = value_of_frame(run, i);
    scn_root root;
    const base_status status = scn_first(&run->solver, line, wanted, &root, err);
    *found = status == BASE_OK && root.found;
    if (!*found) {
        return status;
    }
    run->not_monotone += !root.monotone;
    const vec3 centre = scn_centre(run->solver.pair, line, root.s);
    return scn_run_append(run, line->orientation, centre, wanted, root.value, err);
}

/** Finds frame i. The first line has the frame's own direction and a random orientation; later
 * lines are random. */
static base_status sphere_frame(scn_run *run, size_t i, vec3 direction, base_error *err)
{
    const int draws = scn_run_draws(run);
    scn_line line = {direction, geo_random_rotation(&run->random)};
    for (int draw = 1; draw <= draws; draw++) {
        bool found;
        const base_status status = try_line(run, i, &line, &found, err);
        if (status != BASE_OK || found) {
            return status;
        }
        line = scn_run_draw(run, draw);
    }
    scn_run_leave_out(run, i, value_of_frame(run, i));
    return BASE_OK;
}

static base_status sample_sphere(scn_run *run, base_error *err)
{
    const size_t n = run->sampler->frames;
    size_t *const order = base_alloc(n, sizeof *order);
    if (!order) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    shuffle(order, n, &run->random);
    base_status status = BASE_OK;
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        status = sphere_frame(run, i, fibonacci_direction(order[i], n), err);
    }
    base_free(order);
    return status == BASE_OK ? end_frames(run, SCN_DRAWS_MAX + SCN_DRAWS_MORE, err) : status;
}

/* --- Lattice ---------------------------------------------------------------------------------- */

static const double lattice_step = BASE_PI / 12;

static vec3 lattice_direction(size_t index)
{
    const bool pole = index == 0 || index == SCN_LATTICE_DIRECTIONS - 1;
    const double z = index == 0 ? 1 : -1;
    const double polar = lattice_step * (double)(1 + (index - 1) / 24);
    const double longitude = lattice_step * (double)((index - 1) % 24);
    return pole ? vec3_make(0, 0, z)
                : vec3_make(base_sin(polar) * base_cos(longitude),
                            base_sin(polar) * base_sin(longitude), base_cos(polar));
}

scn_line scn_lattice_line(size_t index)
{
    const size_t turn = index % SCN_LATTICE_ORIENTATIONS;
    const geo_quat first = scn_turn_about(vec3_make(0, 0, 1), lattice_step * (double)(turn / 312));
    const geo_quat second =
        scn_turn_about(vec3_make(0, 1, 0), lattice_step * (double)(turn / 24 % 13));
    const geo_quat third = scn_turn_about(vec3_make(0, 0, 1), lattice_step * (double)(turn % 24));
    return (scn_line){lattice_direction(index / SCN_LATTICE_ORIENTATIONS),
                      geo_quat_normalize(geo_quat_mul(first, geo_quat_mul(second, third)))};
}

/** The frames have the lines of the lattice in a random order. If there are more frames than lines,
 * the order is repeated. */
static base_status sample_lattice(scn_run *run, base_error *err)
{
    const size_t n = run->sampler->frames;
    size_t *const order = base_alloc(SCN_LATTICE_POSES, sizeof *order);
    if (!order) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a lattice of %d poses",
                         SCN_LATTICE_POSES);
    }
    shuffle(order, SCN_LATTICE_POSES, &run->random);
    base_status status = BASE_OK;
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        const scn_line line = scn_lattice_line(order[i % SCN_LATTICE_POSES]);
        bool found;
        status = try_line(run, i, &line, &found, err);
        if (status == BASE_OK && !found) {
            scn_run_leave_out(run, i, value_of_frame(run, i));
        }
    }
    base_free(order);
    return status == BASE_OK ? end_frames(run, (int)n, err) : status;
}

/* --- Grid ------------------------------------------------------------------------------------- */

/*
 * Poses at a distance anywhere around A, cavities included: an octree over the positions of B's
 * ball centre. A cell with centre p and half diagonal e can contain a pose at distance d only if
 * |D(p) - d| <= e. For each frame, the tree is descended at random among such cells until a leaf
 * gives a pose.
 */

enum {
    DESCENTS_MAX = 200, /* per draw; a leaf inside A gives no pose */
    POLISH_MAX = 40,
};

/* Half diagonal of a leaf, relative to L. Finer leaves find no more poses, since polishing has a
 * reach of two half diagonals. */
#define LEAF_RELATIVE 0.02
/* Step of the difference quotients, relative to L. Rounding and curvature errors both stay below
 * 1e-5. */
#define DIFFERENCE_RELATIVE 1e-6

typedef struct cell {
    vec3 centre, half;
    double distance; /* at the centre */
} cell;

typedef struct search {
    scn_run *run;
    geo_quat orientation;
    double wanted, leaf_m;
    bool found;
    vec3 pose;
    double achieved;
} search;

static base_status measure(const search *g, vec3 centre, double *distance, base_error *err)
{
    return scn_distance_at(&g->run->solver, g->orientation, centre, distance, err);
}

/** Computes the unit direction in which the distance increases, by forward differences. */
static base_status gradient(const search *g, vec3 p, double distance, vec3 *n, base_error *err)
{
    const double h = DIFFERENCE_RELATIVE * g->run->solver.size_m;
    double x, y, z;
    base_status status = measure(g, vec3_add(p, vec3_make(h, 0, 0)), &x, err);
    if (status != BASE_OK) {
        return status;
    }
    status = measure(g, vec3_add(p, vec3_make(0, h, 0)), &y, err);
    if (status != BASE_OK) {
        return status;
    }
    status = measure(g, vec3_add(p, vec3_make(0, 0, h)), &z, err);
    if (status == BASE_OK) {
        *n = vec3_normalize(vec3_make(x - distance, y - distance, z - distance));
    }
    return status;
}

/** Searches a pose from a leaf's centre along the gradient. The bodies must not overlap on the
 * way. */
static base_status polish(search *g, const cell *leaf, base_error *err)
{
    const double slack = g->run->solver.slack_m;
    const double aim = fmax(g->wanted, 0.5 * slack), reach = 2 * vec3_norm(leaf->half);
    vec3 p = leaf->centre;
    double distance = leaf->distance;
    for (int i = 0; i < POLISH_MAX && distance > 0; i++) {
        if (fabs(distance - g->wanted) <= slack) {
            g->found = true;
            g->pose = p;
            g->achieved = distance;
            return BASE_OK;
        }
        vec3 n;
        base_status status = gradient(g, p, distance, &n, err);
        if (status != BASE_OK) {
            return status;
        }
        p = vec3_madd(p, aim - distance, n);
        if (vec3_distance(p, leaf->centre) > reach) {
            return BASE_OK;
        }
        status = measure(g, p, &distance, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Computes the children of a cell that may contain a pose. */
static base_status split(search *g, const cell *parent, cell *children, int *count, base_error *err)
{
    const vec3 half = vec3_scale(0.5, parent->half);
    *count = 0;
    for (int i = 0; i < 8; i++) {
        cell child = {
            vec3_add(parent->centre, vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                               i & 4 ? half.z : -half.z)),
            half, 0};
        const base_status status = measure(g, child.centre, &child.distance, err);
        if (status != BASE_OK) {
            return status;
        }
        if (fabs(child.distance - g->wanted) <= vec3_norm(half)) {
            children[(*count)++] = child;
        }
    }
    return BASE_OK;
}

/** Descends from the root to a leaf, at each level into a random child that may contain a pose. */
static base_status descend(search *g, cell c, base_error *err)
{
    while (vec3_norm(c.half) > g->leaf_m) {
        cell children[8];
        int count;
        const base_status status = split(g, &c, children, &count, err);
        if (status != BASE_OK || count == 0) {
            return status;
        }
        c = children[base_random_below(&g->run->random, (uint64_t)count)];
    }
    return polish(g, &c, err);
}

/** Returns the cell of all positions of B's ball centre at which its box can be within `wanted` of
 * A's box. */
static cell root_cell(const scn_pair *pair, geo_quat orientation, double wanted)
{
    const mat3 rotation = geo_quat_matrix(orientation);
    geo_box swept = geo_box_empty();
    for (int i = 0; i < 8; i++) {
        const vec3 corner = {i & 1 ? pair->box_b.hi.x : pair->box_b.lo.x,
                             i & 2 ? pair->box_b.hi.y : pair->box_b.lo.y,
                             i & 4 ? pair->box_b.hi.z : pair->box_b.lo.z};
        swept = geo_box_add(swept, mat3_mul_vec3(rotation, vec3_sub(pair->ball_b.centre, corner)));
    }
    const vec3 margin = {wanted, wanted, wanted};
    const geo_box box = {vec3_sub(vec3_add(pair->box_a.lo, swept.lo), margin),
                         vec3_add(vec3_add(pair->box_a.hi, swept.hi), margin)};
    return (cell){geo_box_centre(box), vec3_scale(0.5, vec3_sub(box.hi, box.lo)), 0};
}

static base_status find_pose(search *g, base_error *err)
{
    scn_run *const run = g->run;
    base_status status = BASE_OK;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !g->found && status == BASE_OK; draw++) {
        g->orientation = geo_random_rotation(&run->random);
        const cell root = root_cell(run->solver.pair, g->orientation, g->wanted);
        for (int i = 0; i < DESCENTS_MAX && !g->found && status == BASE_OK; i++) {
            status = descend(g, root, err);
        }
    }
    return status;
}

static base_status sample_grid(scn_run *run, base_error *err)
{
    const double leaf_m = LEAF_RELATIVE * run->solver.size_m;
    for (size_t i = 0; i < run->sampler->frames; i++) {
        search g = {.run = run, .wanted = value_of_frame(run, i), .leaf_m = leaf_m};
        base_status status = find_pose(&g, err);
        if (status == BASE_OK && g.found) {
            status = scn_run_append(run, g.orientation, g.pose, g.wanted, g.achieved, err);
        } else if (status == BASE_OK) {
            scn_run_leave_out(run, i, g.wanted);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return end_frames(run, SCN_DRAWS_MAX, err);
}

/* --- Glide ------------------------------------------------------------------------------------ */

/* Moves along great circles from one random direction and orientation to the next. */

/* The part of the step that the path takes. It is less than a tracker allows, so that no reduction
 * is needed. */
#define PATH_SPEED 0.45

typedef struct glide {
    scn_run *run;
    scn_line from, to;
    double share; /* share of the path between them */
} glide;

/** Returns the share of the path after one more frame, or after the part `share` of it. */
static double glide_next(const glide *g, const scn_tracker *tracker, double share)
{
    const double slide =
        tracker->waypoint.s * geo_direction_angle(g->from.direction, g->to.direction);
    /* The bound is a chord; the arc is at most pi / (2 sqrt 2) = 1.11 times as long. */
    const double turn =
        1.2 * scn_turn_motion(g->run->solver.pair, g->from.orientation, g->to.orientation);
    const double speed = PATH_SPEED * g->run->solver.step_m;
    const double next = g->share + share * speed / (slide + turn);
    return next < 1 ? next : 1;
}

static void glide_place(const void *context, const scn_tracker *tracker, double share,
                        scn_waypoint *waypoint)
{
    const glide *const g = context;
    const double at = glide_next(g, tracker, share);
    waypoint->line = (scn_line){geo_slerp_direction(g->from.direction, g->to.direction, at),
                                geo_slerp(g->from.orientation, g->to.orientation, at)};
    waypoint->s = tracker->waypoint.s;
}

static void glide_commit(void *context, const scn_tracker *tracker, double share)
{
    glide *const g = context;
    g->share = glide_next(g, tracker, share);
    if (g->share >= 1) {
        g->from = g->to;
        g->to = scn_run_line(g->run);
        g->share = 0;
    }
}

static void glide_turn(void *context, const scn_tracker *tracker)
{
    glide *const g = context;
    g->from = tracker->waypoint.line;
    g->to = scn_run_line(g->run);
    g->share = 0;
}

static base_status sample_glide(scn_run *run, base_error *err)
{
    scn_tracker tracker;
    glide g = {.run = run};
    bool found = false;
    base_status status = BASE_OK;
    const int draws = scn_run_draws(run);
    for (int draw = 0; draw < draws && !found; draw++) {
        g.from = scn_run_draw(run, draw);
        status = scn_track_start(run, &g.from, &tracker, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return fail_draws(run, run->solver.scale * run->sampler->lo, draws, err);
    }
    g.to = scn_run_line(run);
    const scn_mover mover = {&g, glide_place, glide_commit, glide_turn};
    status = scn_track_append(&tracker, err);
    while (status == BASE_OK && run->trajectory->frame_count < run->sampler->frames) {
        status = scn_track_step(&tracker, &mover, err);
        if (status == BASE_OK) {
            status = scn_track_append(&tracker, err);
        }
    }
    return status;
}

/* --- Press ------------------------------------------------------------------------------------ */

/* Approach, press to the value, retract: there and back on one line, smoothly at both ends. */

typedef struct press {
    scn_line line;
    double start;  /* s of the first and last frame */
    scn_root deep; /* root at the reversal */
    double wanted; /* value at the reversal */
} press;

/** Tries one line. */
static base_status try_stroke(scn_run *run, press *stroke, bool *found, base_error *err)
{
    const scn_sampler *const sampler = run->sampler;
    const bool by_distance = sampler->target == SCN_TARGET_DISTANCE;
    const double scale = run->solver.scale;
    const double nearest = by_distance ? sampler->lo : sampler->hi;
    const double farthest = by_distance ? sampler->hi : sampler->lo;
    scn_root root;
    stroke->wanted = scale * nearest;
    base_status status = scn_first(&run->solver, &stroke->line, scale * farthest, &root, err);
    *found = status == BASE_OK && root.found;
    if (!*found) {
        return status;
    }
    status = scn_first(&run->solver, &stroke->line, stroke->wanted, &stroke->deep, err);
    *found = status == BASE_OK && stroke->deep.found;
    /* With volume 0 at its begin, a stroke starts as far outside as it will go inside. */
    const double ahead = !by_distance && farthest <= 0 ? root.s - stroke->deep.s : 0;
    stroke->start = root.s + ahead;
    return status;
}

static base_status append_stroke(scn_run *run, const press *stroke, base_error *err)
{
    const size_t n = run->frames, turn = (n - 1) / 2;
    const double none = NAN;
    for (size_t i = 0; i < n; i++) {
        const size_t left = n - 1 - i, legs = i <= turn ? turn : n - 1 - turn;
        const double share = legs > 0 ? (double)(i <= turn ? i : left) / (double)legs : 1;
        const double part = 0.5 * (1 - base_cos(BASE_PI * share));
        const bool deepest = i == turn;
        const double s =
            deepest ? stroke->deep.s : stroke->start + (stroke->deep.s - stroke->start) * part;
        double achieved = deepest ? stroke->deep.value : none;
        /* A volume may cost half a second, so only the target is recorded. */
        if (!deepest && run->sampler->target == SCN_TARGET_DISTANCE) {
            const base_status status = scn_value_at(&run->solver, &stroke->line, s, &achieved, err);
            if (status != BASE_OK) {
                return status;
            }
        }
        const base_status status = scn_run_append(run, stroke->line.orientation,
                                                  scn_centre(run->solver.pair, &stroke->line, s),
                                                  deepest ? stroke->wanted : none, achieved, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/** Draws lines until one reaches the value. */
static base_status find_stroke(scn_run *run, press *stroke, base_error *err)
{
    bool found = false;
    const int draws = scn_run_draws(run);
    for (int draw = 0; draw < draws && !found; draw++) {
        stroke->line = scn_run_draw(run, draw);
        const base_status status = try_stroke(run, stroke, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return fail_draws(run, stroke->wanted, draws, err);
    }
    run->not_monotone += !stroke->deep.monotone;
    return BASE_OK;
}

static base_status sample_press(scn_run *run, base_error *err)
{
    press stroke = {0};
    const base_status status = find_stroke(run, &stroke, err);
    if (status != BASE_OK) {
        return status;
    }
    /* The fastest frame must stay within the step. */
    const double length = stroke.start - stroke.deep.s;
    const size_t needed = 2 * (size_t)ceil(0.5 * BASE_PI * length / run->solver.step_m) + 1;
    if (run->frames == 0) {
        run->frames = needed > SCN_PRESS_FRAMES ? needed : SCN_PRESS_FRAMES;
    }
    if (run->frames < needed) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "this press needs %zu frames for a step of %g m, not %zu: take that many, "
                         "or a larger step",
                         needed, run->solver.step_m, run->frames);
    }
    return append_stroke(run, &stroke, err);
}

/* --- Approach --------------------------------------------------------------------------------- */

/* Appends the way in of a press at constant velocity. */

static base_status append_way(scn_run *run, const press *stroke, size_t n, base_error *err)
{
    const double none = NAN;
    base_status status = BASE_OK;
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        const bool last = i == n - 1;
        const double share = n > 1 ? (double)i / (double)(n - 1) : 1;
        const double s =
            last ? stroke->deep.s : stroke->start + (stroke->deep.s - stroke->start) * share;
        status = scn_run_append(
            run, stroke->line.orientation, scn_centre(run->solver.pair, &stroke->line, s),
            last ? stroke->wanted : none, last ? stroke->deep.value : none, err);
    }
    return status;
}

static base_status sample_approach(scn_run *run, base_error *err)
{
    const size_t frames = run->sampler->frames, ways = scn_sampler_ways(run->sampler);
    if (frames % ways != 0) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "%zu frames are not the same number for each of %zu ways", frames, ways);
    }
    base_status status = BASE_OK;
    for (size_t way = 0; way < ways && status == BASE_OK; way++) {
        press stroke = {0};
        status = find_stroke(run, &stroke, err);
        if (status == BASE_OK) {
            status = append_way(run, &stroke, frames / ways, err);
        }
    }
    return status;
}

/* --- Tumble ----------------------------------------------------------------------------------- */

/*
 * Full turns about z and x at a fixed centre distance, as in the benchmark of CollDet. The distance
 * is the middle between the least and the greatest distance at which the bodies have the value
 * during the turn, so that some frames are on either side of it. With lo = 0, contact begins and
 * ends repeatedly.
 */

enum { PROBES_MAX = 64 };

static geo_quat orientation_at(double share)
{
    const double s = base_sin(BASE_PI * share), c = base_cos(BASE_PI * share);
    const geo_quat about_z = {0, 0, s, c}, about_x = {s, 0, 0, c};
    return geo_quat_normalize(geo_quat_mul(about_z, about_x));
}

/** Finds the middle of the least and the greatest distance along one direction. */
static base_status find_distance(scn_run *run, vec3 direction, double wanted, double *s,
                                 bool *found, base_error *err)
{
    const size_t frames = run->sampler->frames, probes = frames < PROBES_MAX ? frames : PROBES_MAX;
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < probes; i++) {
        const scn_line line = {direction, orientation_at((double)i / (double)probes)};
        scn_root root;
        const base_status status = scn_first(&run->solver, &line, wanted, &root, err);
        if (status != BASE_OK) {
            return status;
        }
        lo = root.found ? fmin(lo, root.s) : lo;
        hi = root.found ? fmax(hi, root.s) : hi;
    }
    *found = lo <= hi;
    *s = 0.5 * (lo + hi);
    return BASE_OK;
}

static base_status sample_tumble(scn_run *run, base_error *err)
{
    const double wanted = run->solver.scale * run->sampler->lo;
    scn_line line = {0};
    double s = 0;
    bool found = false;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        line.direction = geo_random_direction(&run->random);
        const base_status status = find_distance(run, line.direction, wanted, &s, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return fail_draws(run, wanted, SCN_DRAWS_MAX, err);
    }
    const vec3 centre = scn_centre(run->solver.pair, &line, s);
    const size_t n = run->sampler->frames;
    for (size_t i = 0; i < n; i++) {
        const geo_quat q = orientation_at((double)i / (double)n);
        double achieved = NAN;
        base_status status = BASE_OK;
        /* A volume may cost half a second, and the truth will compute it anyway. */
        if (run->sampler->target == SCN_TARGET_DISTANCE) {
            status = scn_distance_at(&run->solver, q, centre, &achieved, err);
        }
        if (status == BASE_OK) {
            status = scn_run_append(run, q, centre, NAN, achieved, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/*
 * Two boxes with aligned axes, at random positions of a lattice of a quarter of A's edges. Faces
 * are often coplanar, and edges and corners often touch. Distance and volume are computed from the
 * corners.
 */

/** Returns a random one of the rotations that permute and reverse axes without rounding. */
static geo_quat random_orientation(base_random *random)
{
    const uint64_t k = base_random_below(random, 12);
    if (k < 4) {
        return (geo_quat){k == 0, k == 1, k == 2, k == 3};
    }
    return (geo_quat){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k >= 8 ? 0.5 : -0.5, 0.5};
}

static geo_box moved_box(const geo_pose *pose, geo_box box)
{
    return geo_box_add(geo_box_add(geo_box_empty(), geo_pose_apply(pose, box.lo)),
                       geo_pose_apply(pose, box.hi));
}

/** Returns the translation along an axis that moves B's lower side, upper side or middle to a
 * random plane of the lattice. [lo, hi] is B's extent after the rotation. */
static double random_offset(base_random *random, double a_lo, double a_hi, double lo, double hi)
{
    const double share = 0.25 * ((double)base_random_below(random, 9) - 2);
    const double plane = a_lo + share * (a_hi - a_lo);
    const uint64_t anchor = base_random_below(random, 3);
    return plane - (anchor == 0 ? lo : anchor == 1 ? hi : 0.5 * (lo + hi));
}

static scn_known boxes_known(geo_box a, geo_box b)
{
    double volume = 1, distance2 = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = fmax(vec3_get(a.lo, axis), vec3_get(b.lo, axis));
        const double hi = fmin(vec3_get(a.hi, axis), vec3_get(b.hi, axis));
        volume *= fmax(0, hi - lo);
        distance2 += fmax(0, lo - hi) * fmax(0, lo - hi);
    }
    return (scn_known){.mask = SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME,
                       .distance_m = sqrt(distance2),
                       .volume_m3 = volume};
}

/** True if the body fills its box. */
static bool is_box(geo_box box, double volume_m3)
{
    const vec3 edges = vec3_sub(box.hi, box.lo);
    const double whole = edges.x * edges.y * edges.z;
    return fabs(volume_m3 - whole) <= 1e-9 * whole;
}

static base_status sample_boxes(scn_run *run, base_error *err)
{
    const scn_pair *const pair = run->solver.pair;
    const geo_box a = pair->box_a;
    if (!is_box(a, pair->volume_a_m3) || !is_box(pair->box_b, pair->volume_b_m3)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler 'boxes' needs two solid boxes");
    }
    base_status status = BASE_OK;
    for (size_t i = 0; i < run->sampler->frames && status == BASE_OK; i++) {
        const geo_quat q = random_orientation(&run->random);
        geo_pose pose = geo_pose_make(q, vec3_make(0, 0, 0));
        const geo_box turned = moved_box(&pose, pair->box_b);
        double t[3];
        for (int axis = 0; axis < 3; axis++) {
            t[axis] = random_offset(&run->random, vec3_get(a.lo, axis), vec3_get(a.hi, axis),
                                    vec3_get(turned.lo, axis), vec3_get(turned.hi, axis));
        }
        pose.translation = vec3_make(t[0], t[1], t[2]);
        const scn_frame frame = {.t_s = SCN_FRAME_S * (double)i,
                                 .position = pose.translation,
                                 .orientation = q,
                                 .target = NAN,
                                 .achieved = NAN,
                                 .known = boxes_known(a, moved_box(&pose, pair->box_b))};
        status = scn_trajectory_append(run->trajectory, &frame, err);
    }
    return status;
}

/* --- The table of samplers -------------------------------------------------------------------- */

typedef struct kind_row {
    const char *name;
    bool distance_only;
    const char *keys[6]; /* keys that the kind uses besides frames and seed; NULL-terminated */
    base_status (*sample)(scn_run *run, base_error *err);
} kind_row;

static const kind_row kinds[] = {
    [SCN_SPHERE] = {"sphere", false, {"target", "lo", "hi", "hold"}, sample_sphere},
    [SCN_GLIDE] = {"glide", false, {"target", "lo", "hi", "step", "hold"}, sample_glide},
    [SCN_PRESS] = {"press", false, {"target", "lo", "hi", "step"}, sample_press},
    [SCN_TUMBLE] = {"tumble", false, {"target", "lo"}, sample_tumble},
    [SCN_GRID] = {"grid", true, {"target", "lo", "hi", "hold"}, sample_grid},
    [SCN_BOXES] = {"boxes", false, {NULL}, sample_boxes},
    [SCN_RESPONSE] = {"response", false, {NULL}, scn_sample_response},
    [SCN_APPROACH] = {"approach", false, {"target", "lo", "hi", "ways"}, sample_approach},
    [SCN_INSERTION] = {"insertion", false, {NULL}, scn_sample_insertion},
    [SCN_LATTICE] = {"lattice", false, {"target", "lo", "hi", "hold"}, sample_lattice},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

base_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                       scn_trajectory *trajectory, base_error *err)
{
    const kind_row *const kind = &kinds[sampler->kind];
    *trajectory = (scn_trajectory){0};
    if (kind->distance_only && sampler->target != SCN_TARGET_DISTANCE) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler '%s' takes distances only", kind->name);
    }
    scn_sampler own = *sampler;
    own.hi = scn_sampler_takes(sampler->kind, "hi") ? own.hi : own.lo;
    scn_run run;
    base_status status = scn_run_start(&own, pair, oracle, trajectory, &run, err);
    if (status == BASE_OK) {
        status = kind->sample(&run, err);
    }
    if (status == BASE_OK) {
        status = hold_frames(&run, err);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    describe_run(&run, kind->name);
    return BASE_OK;
}

/* --- Names ------------------------------------------------------------------------------------ */

static int find_name(const char *text, const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

base_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind, base_error *err)
{
    const char *names[KIND_COUNT + 1] = {0};
    for (int i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
    }
    const int found = find_name(text, names);
    if (found < 0) {
        char near[256];
        base_text_near(text, names, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "unknown sampler '%s' (sphere, glide, press, tumble, grid, boxes, "
                         "response, insertion, approach or lattice)%s",
                         text, near);
    }
    *kind = (scn_sampler_kind)found;
    return BASE_OK;
}

const char *scn_sampler_kind_name(scn_sampler_kind kind)
{
    return kinds[kind].name;
}

bool scn_sampler_takes(scn_sampler_kind kind, const char *key)
{
    return find_name(key, kinds[kind].keys) >= 0;
}

/* --- Recordings that are followed ------------------------------------------------------------- */

typedef struct follower {
    const scn_trajectory *recording;
    size_t at;     /* index of the frame at or before t_s */
    double t_s;    /* current time on the recording's clock */
    double tick_s; /* the next whole millisecond, or the end */
    size_t ticks;
} follower;

static scn_frame recorded(const follower *f, double t_s)
{
    size_t at = f->at;
    return scn_trajectory_at(f->recording, t_s, &at);
}

static double time_after(const follower *f, double share)
{
    return share < 1 ? f->t_s + share * (f->tick_s - f->t_s) : f->tick_s;
}

/**
 * Moves B's ball centre by the recorded motion. Across the radius the result is final; along the
 * radius it is the start of the search.
 */
static void follow_place(const void *context, const scn_tracker *tracker, double share,
                         scn_waypoint *waypoint)
{
    const follower *const f = context;
    const scn_frame from = recorded(f, f->t_s), to = recorded(f, time_after(f, share));
    const vec3 now = vec3_scale(tracker->waypoint.s, tracker->waypoint.line.direction);
    const vec3 moved = vec3_add(now, vec3_sub(to.position, from.position));
    const vec3 direction = vec3_normalize(moved);
    const bool centred = !(vec3_norm2(direction) > 0);
    waypoint->line.direction = centred ? tracker->waypoint.line.direction : direction;
    waypoint->line.orientation = to.orientation;
    waypoint->s = vec3_norm(moved);
}

static void follow_commit(void *context, const scn_tracker *tracker, double share)
{
    (void)tracker;
    follower *const f = context;
    const scn_trajectory *const r = f->recording;
    const double end = r->frames[r->frame_count - 1].t_s;
    f->t_s = time_after(f, share);
    while (f->at + 2 < r->frame_count && r->frames[f->at + 1].t_s <= f->t_s) {
        f->at++;
    }
    if (f->t_s >= f->tick_s) {
        f->ticks++;
        f->tick_s = fmin(end, r->frames[0].t_s + SCN_FRAME_S * (double)f->ticks);
    }
}

/** Starts with the recorded orientation, in a direction in which the target can be reached. */
static base_status start_following(scn_run *run, const scn_trajectory *recording,
                                   scn_tracker *tracker, base_error *err)
{
    scn_line line = {.orientation = recording->frames[0].orientation};
    bool found = false;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        line.direction = geo_random_direction(&run->random);
        const base_status status = scn_track_start(run, &line, tracker, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return found ? BASE_OK
                 : fail_draws(run, run->solver.scale * run->sampler->lo, SCN_DRAWS_MAX, err);
}

static base_status check_recording(const scn_trajectory *recording, base_error *err)
{
    if (recording->frame_count == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a recording needs at least one frame");
    }
    for (size_t i = 1; i < recording->frame_count; i++) {
        if (!(recording->frames[i].t_s > recording->frames[i - 1].t_s)) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "the recording's time does not increase at frame %zu", i);
        }
    }
    return BASE_OK;
}

static base_status follow(scn_run *run, const scn_trajectory *recording, base_error *err)
{
    scn_tracker tracker;
    base_status status = start_following(run, recording, &tracker, err);
    if (status != BASE_OK) {
        return status;
    }
    follower f = {.recording = recording, .t_s = recording->frames[0].t_s};
    f.tick_s = f.t_s;
    follow_commit(&f, &tracker, 1);
    const scn_mover mover = {&f, follow_place, follow_commit, NULL};
    const double end_s = recording->frames[recording->frame_count - 1].t_s;
    status = scn_track_append(&tracker, err);
    while (status == BASE_OK && run->trajectory->frame_count < run->sampler->frames &&
           !(f.t_s >= end_s && tracker.settled)) {
        status = scn_track_step(&tracker, &mover, err);
        if (status == BASE_OK) {
            status = scn_track_append(&tracker, err);
        }
    }
    return status;
}

base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err)
{
    *trajectory = (scn_trajectory){0};
    scn_run run;
    base_status status = check_recording(recording, err);
    if (status == BASE_OK) {
        status = scn_run_start(sampler, pair, oracle, trajectory, &run, err);
    }
    if (status == BASE_OK) {
        status = follow(&run, recording, err);
    }
    if (status == BASE_OK) {
        status = hold_frames(&run, err);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    char name[160];
    snprintf(name, sizeof name, "%.140s%sfollow", recording->source,
             recording->source[0] ? "; " : "");
    describe_run(&run, name);
    return BASE_OK;
}
