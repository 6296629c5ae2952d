#include "scenarios/trajectories/sampling.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "base/text.h"
#include "geometry/vec.h"
#include "geometry/sphere.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A gap step multiplies the rest by 1 - cos(angle of approach), so 200 steps reach 1e-9 if the
 * angle is at most 84 degrees. */
#define DISTANCE_STEPS_MAX 200
/* Flux steps to half a volume v take about 0.7 sqrt(volume / v), so this is enough down to 1e-6. */
#define VOLUME_STEPS_MAX 1000
#define FALSI_STEPS_MAX  100
#define NEAR_VOLUMES_MAX 60
/* Relative tolerance of a target that is solved again every frame. */
#define VOLUME_TOLERANCE 1e-3

/* --- Two bodies ------------------------------------------------------------------------------- */

/* The maximum number of points that determine the ball. A ball needs four; each round adds one of
 * them or improves the ball. */
enum { CARRIERS_MAX = 48 };

/** Returns the vertex of a face that is farthest from p. */
static vec3 farthest(const geo_mesh *mesh, vec3 p)
{
    vec3 best = p;
    double distance2 = -1;
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int i = 0; i < 3; i++) {
            const vec3 v = mesh->vertices[mesh->faces[f].v[i]];
            const double d2 = vec3_distance2(p, v);
            if (d2 > distance2) {
                distance2 = d2;
                best = v;
            }
        }
    }
    return best;
}

/**
 * Computes the smallest ball: that of a few carriers, to which the farthest vertex is added until
 * it lies inside. At the end the ball is enlarged, so that it contains every vertex even if the
 * rounds reach their limit.
 */
static geo_ball bounding_ball(const geo_mesh *mesh, vec3 start)
{
    geo_ball carriers[CARRIERS_MAX];
    geo_ball ball = {start, 0};
    for (size_t n = 0; n < CARRIERS_MAX; n++) {
        const vec3 p = farthest(mesh, ball.centre);
        if (vec3_distance(p, ball.centre) <= ball.radius * (1 + 1e-12)) {
            break;
        }
        carriers[n] = (geo_ball){p, 0};
        ball = geo_ball_enclose(carriers, n + 1);
    }
    const double reach = vec3_distance(farthest(mesh, ball.centre), ball.centre);
    return (geo_ball){ball.centre, nextafter(reach, INFINITY)};
}

/* --- Principal axes --------------------------------------------------------------------------- */

/**
 * Returns the second moments of the surface about `centre`. A triangle with corners v contributes
 * area / 12 (sum v v^T + (sum v) (sum v)^T).
 */
static mat3 surface_moments(const geo_mesh *mesh, vec3 centre)
{
    mat3 m = {0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 v[3] = {vec3_sub(t.p[0], centre), vec3_sub(t.p[1], centre),
                           vec3_sub(t.p[2], centre)};
        const vec3 sum = vec3_add(vec3_add(v[0], v[1]), v[2]);
        const double area = vec3_norm(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
        for (int i = 0; i < 3; i++) {
            vec3 row = vec3_scale(vec3_get(v[0], i), v[0]);
            row = vec3_madd(row, vec3_get(v[1], i), v[1]);
            row = vec3_madd(row, vec3_get(v[2], i), v[2]);
            row = vec3_madd(row, vec3_get(sum, i), sum);
            m.row[i] = vec3_madd(m.row[i], area, row);
        }
    }
    return m;
}

/** Returns the eigenvectors of the moments, with decreasing eigenvalues, as columns of a
 * rotation. */
static geo_quat principal_axes(const geo_mesh *mesh, vec3 centre)
{
    const geo_eigen e = geo_eigen_symmetric(surface_moments(mesh, centre));
    const mat3 transposed = {{e.vector[0], e.vector[1], e.vector[2]}};
    return geo_quat_from_matrix(mat3_transpose(transposed));
}

scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b)
{
    const geo_box box_a = geo_mesh_box(a), box_b = geo_mesh_box(b);
    const geo_mesh_measure measure_a = geo_mesh_measures(a), measure_b = geo_mesh_measures(b);
    return (scn_pair){
        .box_a = box_a,
        .box_b = box_b,
        .ball_a = bounding_ball(a, geo_box_centre(box_a)),
        .ball_b = bounding_ball(b, geo_box_centre(box_b)),
        .area_a_m2 = measure_a.area_m2,
        .area_b_m2 = measure_b.area_m2,
        .volume_a_m3 = solid_a ? measure_a.volume_m3 : 0,
        .volume_b_m3 = solid_b ? measure_b.volume_m3 : 0,
        .axes_a = principal_axes(a, geo_box_centre(box_a)),
        .axes_b = principal_axes(b, geo_box_centre(box_b)),
    };
}

static const char *const target_names[] = {
    [SCN_TARGET_DISTANCE] = "distance", [SCN_TARGET_VOLUME] = "volume", NULL};

base_status scn_target_parse(const char *text, scn_target *target, base_error *err)
{
    for (int i = 0; target_names[i]; i++) {
        if (strcmp(text, target_names[i]) == 0) {
            *target = (scn_target)i;
            return BASE_OK;
        }
    }
    char near[256];
    base_text_near(text, target_names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown target '%s' (distance or volume)%s", text,
                     near);
}

const char *scn_target_name(scn_target target)
{
    return target_names[target];
}

/* --- Poses on a line -------------------------------------------------------------------------- */

/** Returns the translation of B's frame that moves its ball centre to `centre`. */
static vec3 translation_of(const scn_pair *pair, geo_quat orientation, vec3 centre)
{
    const mat3 rotation = geo_quat_matrix(orientation);
    return vec3_sub(centre, mat3_mul_vec3(rotation, pair->ball_b.centre));
}

vec3 scn_centre(const scn_pair *pair, const scn_line *line, double s)
{
    return vec3_madd(pair->ball_a.centre, s, line->direction);
}

base_status scn_distance_at(const scn_solver *solver, geo_quat orientation, vec3 centre,
                            double *distance_m, base_error *err)
{
    const vec3 translation = translation_of(solver->pair, orientation, centre);
    const geo_pose pose = geo_pose_make(orientation, translation);
    return solver->oracle->distance(solver->oracle->context, &pose, distance_m, err);
}

static base_status line_distance(const scn_solver *solver, const scn_line *line, double s,
                                 double *distance_m, base_error *err)
{
    const vec3 centre = scn_centre(solver->pair, line, s);
    return scn_distance_at(solver, line->orientation, centre, distance_m, err);
}

static base_status line_volume(const scn_solver *solver, const scn_line *line, double s,
                               double *volume_m3, base_error *err)
{
    const vec3 centre = scn_centre(solver->pair, line, s);
    const vec3 translation = translation_of(solver->pair, line->orientation, centre);
    const geo_pose pose = geo_pose_make(line->orientation, translation);
    return solver->oracle->volume(solver->oracle->context, &pose, volume_m3, err);
}

base_status scn_value_at(const scn_solver *solver, const scn_line *line, double s, double *value,
                         base_error *err)
{
    return solver->target == SCN_TARGET_DISTANCE ? line_distance(solver, line, s, value, err)
                                                 : line_volume(solver, line, s, value, err);
}

/* --- The first position on the way in --------------------------------------------------------- */

/** Finds the first position on the way in from far away where the distance is d. If it is not
 * found, B passes A. */
static base_status first_distance(const scn_solver *solver, const scn_line *line, double d,
                                  scn_root *root, base_error *err)
{
    const scn_pair *const pair = solver->pair;
    *root = (scn_root){.monotone = true};
    double s = pair->ball_a.radius + pair->ball_b.radius + d + 0.01 * solver->size_m;
    for (int i = 0; i < DISTANCE_STEPS_MAX && s > 0; i++) {
        double distance;
        const base_status status = line_distance(solver, line, s, &distance, err);
        if (status != BASE_OK) {
            return status;
        }
        const double gap = distance - d;
        if (gap <= solver->slack_m) {
            root->found = gap >= -solver->slack_m;
            root->s = s;
            root->value = distance;
            return BASE_OK;
        }
        s -= gap;
    }
    return BASE_OK;
}

/** Two positions around a root of f = volume - wanted: f_out < 0 <= f_in, s_out > s_in. */
typedef struct bracket {
    double s_out, f_out, s_in, f_in;
    int last; /* the side that moved last: -1 out, 1 in, 0 neither */
} bracket;

/** Replaces the side of the bracket that (s, f) belongs to. If the same side moves twice, the other
 * side's value is halved (Illinois method). */
static void bracket_put(bracket *b, double s, double f)
{
    const int side = f < 0 ? -1 : 1;
    if (side < 0) {
        b->s_out = s;
        b->f_out = f;
        b->f_in *= b->last == side ? 0.5 : 1;
    } else {
        b->s_in = s;
        b->f_in = f;
        b->f_out *= b->last == side ? 0.5 : 1;
    }
    b->last = side;
}

/** Finds the root in a bracket by regula falsi. */
static base_status refine_volume(const scn_solver *solver, const scn_line *line, double wanted,
                                 bracket b, double tolerance, scn_root *root, base_error *err)
{
    root->slope_m2 = fabs((b.f_in - b.f_out) / (b.s_out - b.s_in));
    double before_s = b.s_out, before_f = b.f_out;
    for (int i = 0; i < FALSI_STEPS_MAX; i++) {
        const double s = b.s_out + (b.s_in - b.s_out) * (b.f_out / (b.f_out - b.f_in));
        double volume;
        const base_status status = line_volume(solver, line, s, &volume, err);
        if (status != BASE_OK) {
            return status;
        }
        const double f = volume - wanted;
        const double slope = (f - before_f) / (before_s - s);
        if (slope > 0 && slope <= solver->flux_m2) {
            root->slope_m2 = slope;
        }
        if (fabs(f) <= tolerance) {
            root->found = true;
            root->s = s;
            root->value = volume;
            return BASE_OK;
        }
        bracket_put(&b, s, f);
        before_s = s;
        before_f = f;
    }
    return BASE_OK;
}

/**
 * Starts at contact. Flux steps, which cannot pass the first root, lead to half the volume. From
 * there, secant steps lead to a bracket, and regula falsi to the root.
 */
static base_status first_volume(const scn_solver *solver, const scn_line *line, double wanted,
                                scn_root *root, base_error *err)
{
    const double tolerance = solver->volume_slack_m3;
    base_status status = first_distance(solver, line, 0, root, err);
    if (status != BASE_OK || !root->found) {
        return status;
    }
    root->found = false;
    root->value = 0;
    double s = root->s, volume = 0, before_s = s, before = 0, reached = 0;
    for (int i = 0; i < VOLUME_STEPS_MAX; i++) {
        if (fabs(volume - wanted) <= tolerance) {
            root->found = true;
            root->s = s;
            root->value = volume;
            return BASE_OK;
        }
        if (volume > wanted) {
            const bracket b = {before_s, before - wanted, s, volume - wanted, 0};
            return refine_volume(solver, line, wanted, b, tolerance, root, err);
        }
        /* From half the wanted volume on, the volume increases steadily. A step slightly longer
         * than the secant step brackets the root. */
        double step = (wanted - volume) / solver->flux_m2;
        const double slope = (volume - before) / (before_s - s);
        reached = fmax(reached, volume);
        if (reached >= 0.5 * wanted && slope > 0) {
            step = fmax(step, fmin(1.1 * (wanted - volume) / slope, 0.05 * solver->size_m));
        }
        if (s - step <= 0) {
            return BASE_OK;
        }
        before_s = s;
        before = volume;
        s -= step;
        status = line_volume(solver, line, s, &volume, err);
        if (status != BASE_OK) {
            return status;
        }
        root->monotone = root->monotone && volume >= before - solver->volume_slack_m3;
        root->slope_m2 = fmax(0, (volume - before) / step);
    }
    return BASE_OK;
}

base_status scn_first(const scn_solver *solver, const scn_line *line, double wanted, scn_root *root,
                      base_error *err)
{
    return solver->target == SCN_TARGET_DISTANCE ? first_distance(solver, line, wanted, root, err)
                                                 : first_volume(solver, line, wanted, root, err);
}

/* --- A position near the last one ------------------------------------------------------------- */

/** A local search that starts outwards or inwards and reverses its direction once if it moves away
 * from the root. */
typedef struct local_search {
    double s, value;
    double before_s, before;
    int side; /* 1: B separates outwards at the root; -1: inwards */
    bool turned;
} local_search;

/** Returns to the start of the last step and reverses the direction. */
static void turn_back(local_search *w)
{
    w->turned = true;
    w->side = -w->side;
    w->s = w->before_s;
    w->value = w->before;
}

/** Returns the step outwards (for side 1) that comes nearer to the distance `aim`. */
static double distance_step(const scn_solver *solver, const local_search *w, double aim,
                            double *escape)
{
    const double gap = w->value - aim;
    if (w->value <= 0) {
        const double step = fmax(aim, *escape);
        *escape *= 2;
        return step;
    }
    const double slope = w->side * (w->value - w->before) / (w->s - w->before_s);
    if (!(w->before > 0) || fabs(gap) > 0.1 * solver->step_m) {
        return -gap;
    }
    /* Near the root, a secant step that passes it slightly does no harm. Along a wall, gap steps
     * would converge too slowly. */
    return slope > 0.25 ? -gap / slope : gap > 0 ? -fmax(gap, 0.05 * solver->step_m) : -gap;
}

/**
 * Finds a distance by gap steps from either side, and by secant steps near the root. Bodies that
 * are too near move apart outwards. If that brings them nearer, B is under an overhang and moves
 * inwards. Overlapping bodies have no gap, so B moves out by doubling steps until they are apart.
 */
static base_status near_distance(const scn_solver *solver, const scn_line *line, double d, double s,
                                 scn_root *root, base_error *err)
{
    const double aim = fmax(d, 0.5 * solver->slack_m);
    double escape = 0.25 * solver->step_m;
    local_search w = {.s = s, .side = 1};
    *root = (scn_root){.monotone = true};
    for (int i = 0; i < DISTANCE_STEPS_MAX && w.s > 0; i++) {
        const base_status status = line_distance(solver, line, w.s, &w.value, err);
        if (status != BASE_OK) {
            return status;
        }
        if (w.value > 0 && fabs(w.value - d) <= solver->slack_m) {
            root->found = true;
            root->s = w.s;
            root->value = w.value;
            return BASE_OK;
        }
        if (!w.turned && w.before > 0 && w.before < aim && w.value < w.before) {
            turn_back(&w);
        }
        const double step = w.side * distance_step(solver, &w, aim, &escape);
        w.before_s = w.s;
        w.before = w.value;
        w.s += step;
    }
    return BASE_OK;
}

/**
 * Computes a step towards a volume while only one side of the root is known. It is at most `reach`
 * long; positive is inwards.
 */
static base_status volume_step(const scn_solver *solver, const scn_line *line, const scn_root *at,
                               double f, double reach, double *step, base_error *err)
{
    const double safe = -f / solver->flux_m2;
    const double secant = at->slope_m2 > 0 ? -f / at->slope_m2 : 0;
    *step = copysign(fmax(fabs(safe), fmin(fabs(secant), reach)), safe);
    if (at->value > 0) {
        return BASE_OK;
    }
    /* While the bodies are apart, the slope has no meaning, and no root can be missed up to
     * contact. */
    double distance;
    const base_status status = line_distance(solver, line, at->s, &distance, err);
    *step = distance + fmax(safe, 0.25 * reach);
    return status;
}

/**
 * Finds a volume: secant steps until it is bracketed, which often takes one step, then regula
 * falsi. If the first step leads away from the volume, B may be under an overhang, and the search
 * tries the other direction. If that leads away too, B is at a local maximum, and the search
 * continues in its first direction.
 */
static base_status near_volume(const scn_solver *solver, const scn_line *line, double wanted,
                               double s, double slope, scn_root *root, base_error *err)
{
    const double tolerance = fmax(VOLUME_TOLERANCE * wanted, solver->volume_slack_m3);
    bracket b = {0};
    bool have_out = false, have_in = false;
    double reach = solver->step_m, step = 0;
    local_search w = {.s = s, .side = 1}, ahead = w;
    *root = (scn_root){.monotone = true, .slope_m2 = slope};
    for (int i = 0; i < NEAR_VOLUMES_MAX && w.s > 0; i++) {
        base_status status = line_volume(solver, line, w.s, &w.value, err);
        if (status != BASE_OK) {
            return status;
        }
        const double f = w.value - wanted, secant = i > 0 ? (w.value - w.before) / step : 0;
        root->slope_m2 = secant > 0 && secant <= solver->flux_m2 ? secant : root->slope_m2;
        if (fabs(f) <= tolerance) {
            root->found = true;
            root->s = w.s;
            root->value = w.value;
            return BASE_OK;
        }
        bracket_put(&b, w.s, f);
        have_out |= f < 0;
        have_in |= f >= 0;
        if (have_out && have_in) {
            b.last = 0;
            return refine_volume(solver, line, wanted, b, tolerance, root, err);
        }
        const bool worse = w.before > 0 && fabs(f) > fabs(w.before - wanted);
        if (i == 1 && worse) {
            ahead = w;
            turn_back(&w);
        } else if (w.turned && worse) {
            w = ahead;
        }
        root->s = w.s;
        root->value = w.value;
        status = volume_step(solver, line, root, root->value - wanted, reach, &step, err);
        if (status != BASE_OK) {
            return status;
        }
        w.before_s = w.s;
        w.before = w.value;
        w.s -= w.side * step;
        reach = fmin(4 * reach, 0.05 * solver->size_m);
    }
    return BASE_OK;
}

base_status scn_near(const scn_solver *solver, const scn_line *line, double wanted, double s,
                     double slope_m2, scn_root *root, base_error *err)
{
    if (solver->target == SCN_TARGET_DISTANCE) {
        return near_distance(solver, line, wanted, s, root, err);
    }
    if (wanted > solver->volume_slack_m3) {
        return near_volume(solver, line, wanted, s, slope_m2, root, err);
    }
    /* For the volume 0, the bodies just touch, from outside. */
    const base_status status = near_distance(solver, line, 0, s, root, err);
    root->value = 0;
    root->slope_m2 = slope_m2;
    return status;
}

/* --- Runs of samplers ------------------------------------------------------------------------- */

#define STEP_LEAST      1e-6
#define STEP_GREATEST   1.0
#define STEP_DEFAULT    0.01
#define SLACK_RELATIVE  1e-9
#define VOLUME_RELATIVE 1e-6
/* In multiples of A's diagonal. At larger distances, the shapes of the bodies have no effect. */
#define DISTANCE_GREATEST 1000
/* The number of halvings of a half turn in the last draw. The axes are then parallel within 1e-4,
 * about the thickness of a sheet. */
#define HALVINGS_MAX 15.0
/* The minimum number of additional draws. */
#define MORE_LEAST 4

static base_status check_values(const scn_sampler *sampler, base_error *err)
{
    const double lo = sampler->lo, hi = sampler->hi;
    if (!isfinite(lo) || !isfinite(hi) || lo < 0 || hi < 0) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: they must be finite and not negative", lo,
                         hi);
    }
    if (lo > hi) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler values from %g to %g: lo is above hi", lo,
                         hi);
    }
    if (sampler->target == SCN_TARGET_VOLUME && hi > 1) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: a volume is a part of the smaller body, "
                         "at most 1",
                         lo, hi);
    }
    if (sampler->target == SCN_TARGET_DISTANCE && hi > DISTANCE_GREATEST) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "sampler values from %g to %g: a distance is a multiple of A's diagonal, "
                         "at most %d",
                         lo, hi, DISTANCE_GREATEST);
    }
    return BASE_OK;
}

static base_status check_sampler(const scn_sampler *sampler, const scn_pair *pair,
                                 const scn_oracle *oracle, base_error *err)
{
    if (sampler->frames == 0 && sampler->kind != SCN_PRESS) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs at least one frame");
    }
    if (sampler->step != 0 && !(sampler->step >= STEP_LEAST && sampler->step <= STEP_GREATEST)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler step %g: it must be from %g to %g",
                         sampler->step, STEP_LEAST, STEP_GREATEST);
    }
    if (sampler->hold > SCN_HOLD_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler hold %zu: it must be from 1 to %d",
                         sampler->hold, SCN_HOLD_MAX);
    }
    if (sampler->ways > SCN_WAYS_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "sampler ways %zu: it must be from 1 to %d",
                         sampler->ways, SCN_WAYS_MAX);
    }
    if (sampler->target == SCN_TARGET_VOLUME &&
        (!oracle->volume || !(pair->volume_a_m3 > 0) || !(pair->volume_b_m3 > 0))) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a sampler of volumes needs two solids; see `proxbench mesh check`");
    }
    return BASE_OK;
}

base_status scn_run_start(const scn_sampler *sampler, const scn_pair *pair,
                          const scn_oracle *oracle, scn_trajectory *trajectory, scn_run *run,
                          base_error *err)
{
    base_status status = check_values(sampler, err);
    if (status == BASE_OK) {
        status = check_sampler(sampler, pair, oracle, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const vec3 edges = vec3_sub(pair->box_a.hi, pair->box_a.lo);
    const double size = fmax(edges.x, fmax(edges.y, edges.z));
    const double volume = fmin(pair->volume_a_m3, pair->volume_b_m3);
    const bool by_distance = sampler->target == SCN_TARGET_DISTANCE;
    const double step = sampler->step > 0 ? sampler->step : STEP_DEFAULT;
    if (!(size > 0)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a sampler needs a body A with an extent");
    }
    *run = (scn_run){
        .sampler = sampler,
        .solver = {.pair = pair,
                   .oracle = oracle,
                   .target = sampler->target,
                   .scale = by_distance ? geo_box_diagonal(pair->box_a) : volume,
                   .size_m = size,
                   .slack_m = SLACK_RELATIVE * size,
                   .volume_slack_m3 = VOLUME_RELATIVE * volume,
                   .flux_m2 = 0.5 * fmin(pair->area_a_m2, pair->area_b_m2),
                   .step_m = step * size},
        .frames = sampler->frames,
        .random = base_random_seed(sampler->seed),
        .trajectory = trajectory,
    };
    return BASE_OK;
}

base_status scn_run_append(scn_run *run, geo_quat orientation, vec3 centre, double target,
                           double achieved, base_error *err)
{
    const scn_frame frame = {
        .t_s = SCN_FRAME_S * (double)run->trajectory->frame_count,
        .position = translation_of(run->solver.pair, orientation, centre),
        .orientation = orientation,
        .target = target,
        .achieved = achieved,
    };
    run->misses = 0;
    return scn_trajectory_append(run->trajectory, &frame, err);
}

scn_line scn_run_line(scn_run *run)
{
    const vec3 direction = geo_random_direction(&run->random);
    return (scn_line){direction, geo_random_rotation(&run->random)};
}

int scn_run_draws(const scn_run *run)
{
    const int more = run->misses < 8 ? SCN_DRAWS_MORE >> run->misses : 0;
    return SCN_DRAWS_MAX + (more > MORE_LEAST ? more : MORE_LEAST);
}

geo_quat scn_turn_about(vec3 axis, double angle)
{
    const double s = base_sin(0.5 * angle);
    return (geo_quat){s * axis.x, s * axis.y, s * axis.z, base_cos(0.5 * angle)};
}

/** Returns an orientation with B's axes along A's, except for a rotation by `angle` about a random
 * axis. */
static geo_quat nearly_parallel(scn_run *run, double angle)
{
    const scn_pair *const pair = run->solver.pair;
    const geo_quat b = pair->axes_b, back = {-b.x, -b.y, -b.z, b.w};
    const geo_quat tilt = scn_turn_about(geo_random_direction(&run->random), angle);
    /* Principal axes have no sign: a half turn about one of them, or the identity. */
    const uint64_t k = base_random_below(&run->random, 4);
    const geo_quat half_turn = {k == 0, k == 1, k == 2, k == 3};
    const geo_quat turned = geo_quat_mul(tilt, half_turn);
    return geo_quat_normalize(geo_quat_mul(pair->axes_a, geo_quat_mul(turned, back)));
}

scn_line scn_run_draw(scn_run *run, int draw)
{
    if (draw < SCN_DRAWS_MAX || run->sampler->target != SCN_TARGET_VOLUME) {
        return scn_run_line(run);
    }
    const int more = scn_run_draws(run) - SCN_DRAWS_MAX;
    double angle = BASE_PI;
    for (int i = 0; i < (int)(HALVINGS_MAX * (draw - SCN_DRAWS_MAX + 1) / more); i++) {
        angle *= 0.5;
    }
    const vec3 direction = geo_random_direction(&run->random);
    return (scn_line){direction, nearly_parallel(run, angle)};
}

void scn_run_leave_out(scn_run *run, size_t i, double wanted)
{
    const scn_oracle *const oracle = run->solver.oracle;
    run->left_out++;
    run->misses++;
    if (oracle->left_out) {
        oracle->left_out(oracle->context, i, wanted);
    }
}

/* --- Following a path ------------------------------------------------------------------------- */

/* Slightly below the step, because poses are rounded. */
#define STEP_SAFETY (1 - 1e-9)
/* The path may take half of a frame's step. The rest is for s, most of it for the change of the
 * target. */
#define PATH_PART   0.5
#define TARGET_PART 0.4
/* The target does not reduce an advance below this part. */
#define TARGET_SHARE_LEAST 0.05
/* The maximum number of reductions of an advance. Each takes off at least a tenth. */
#define CUTS_MAX 40
/* The minimum distance of a path from the centre, as a part of L. */
#define CENTRE_PART 0.02
/* The number of shorter advances that are tried before s jumps in additional frames. Queries for
 * volumes are expensive. */
#define DISTANCE_TRIES 5
#define VOLUME_TRIES   3
#define TURNS_MAX      6

/** Returns the target value: lo, hi, lo in one smooth period for phase 0 to 1. */
static double profile(const scn_run *run, double phase)
{
    const scn_sampler *const s = run->sampler;
    const double part = 0.5 * (1 - base_cos(2 * BASE_PI * (phase - floor(phase))));
    return run->solver.scale * (s->lo + (s->hi - s->lo) * part);
}

static double next_phase(const scn_tracker *tracker, double share)
{
    const size_t frames = tracker->run->sampler->frames;
    return tracker->phase + (frames > 1 ? share / (double)(frames - 1) : 0);
}

double scn_turn_motion(const scn_pair *pair, geo_quat a, geo_quat b)
{
    /* The chord is 2 sin(angle / 4), and 2 sin(x / 2) <= 4 sin(x / 4). */
    return 2 * geo_quat_chord(a, b) * pair->ball_b.radius;
}

/** Returns an upper bound of the motion of a surface point if B moves straight from one waypoint to
 * the other. */
static double path_motion(const scn_run *run, const scn_waypoint *a, const scn_waypoint *b)
{
    const double slide =
        vec3_distance(vec3_scale(a->s, a->line.direction), vec3_scale(b->s, b->line.direction));
    return slide + scn_turn_motion(run->solver.pair, a->line.orientation, b->line.orientation);
}

/** Returns the estimated motion of s due to the change of the target; 0 if the slope is unknown. */
static double target_motion(const scn_tracker *tracker, double wanted)
{
    const double change = fabs(wanted - tracker->waypoint.wanted);
    if (tracker->run->sampler->target == SCN_TARGET_DISTANCE) {
        return change;
    }
    return tracker->slope_m2 > 0 ? change / tracker->slope_m2 : 0;
}

/** An advance that is tried. */
typedef struct attempt {
    double share;
    scn_waypoint to; /* end of the path */
    double left;     /* part of the step that is left for s */
    scn_root root;
    bool fits;
} attempt;

/**
 * Reduces the share until path and target are slow enough. The target alone does not stop the path,
 * because the slope that predicts its motion may be wrong.
 */
static void choose_share(const scn_tracker *tracker, const scn_mover *mover, attempt *a)
{
    const scn_run *const run = tracker->run;
    const double step = run->solver.step_m * STEP_SAFETY;
    for (int i = 0; i < CUTS_MAX; i++) {
        mover->place(mover->context, tracker, a->share, &a->to);
        a->to.wanted = profile(run, next_phase(tracker, a->share));
        const double motion = path_motion(run, &tracker->waypoint, &a->to);
        const double path = motion / (PATH_PART * step);
        const double target = target_motion(tracker, a->to.wanted) / (TARGET_PART * step);
        const bool target_counts = target > 1 && a->share > TARGET_SHARE_LEAST;
        a->left = fmax(0, step - motion);
        if (path <= 1 && !target_counts) {
            return;
        }
        const double by_path = path > 1 ? fmin(0.99 / path, 0.9) * a->share : a->share;
        const double by_target = target_counts ? fmin(0.99 / target, 0.9) * a->share : a->share;
        a->share = fmin(by_path, fmax(by_target, TARGET_SHARE_LEAST));
    }
}

static base_status try_advance(const scn_tracker *tracker, const scn_mover *mover, attempt *a,
                               base_error *err)
{
    const scn_solver *const solver = &tracker->run->solver;
    const bool by_distance = solver->target == SCN_TARGET_DISTANCE;
    const int tries = by_distance ? DISTANCE_TRIES : VOLUME_TRIES;
    *a = (attempt){.share = 2, .root.found = true};
    for (int i = 0; i < tries && a->root.found && !a->fits; i++) {
        a->share *= 0.5;
        choose_share(tracker, mover, a);
        const base_status status =
            scn_near(solver, &a->to.line, a->to.wanted, a->to.s, tracker->slope_m2, &a->root, err);
        if (status != BASE_OK) {
            return status;
        }
        /* A path that can change its direction must not come too near to the centre, where all
         * directions are the same and the path would end. */
        const bool central =
            mover->turn && a->root.s < fmin(CENTRE_PART * solver->size_m, tracker->waypoint.s);
        a->root.found = a->root.found && !central;
        a->fits = a->root.found && fabs(a->root.s - a->to.s) <= a->left;
    }
    return BASE_OK;
}

/** Moves s towards the goal by one frame of a jump. */
static base_status creep(scn_tracker *tracker, double step, base_error *err)
{
    const double way = tracker->goal - tracker->waypoint.s;
    tracker->settled = fabs(way) <= step;
    tracker->waypoint.s =
        tracker->settled ? tracker->goal : tracker->waypoint.s + copysign(step, way);
    return scn_value_at(&tracker->run->solver, &tracker->waypoint.line, tracker->waypoint.s,
                        &tracker->value, err);
}

base_status scn_track_step(scn_tracker *tracker, const scn_mover *mover, base_error *err)
{
    if (!tracker->settled) {
        return creep(tracker, tracker->run->solver.step_m * STEP_SAFETY, err);
    }
    attempt a;
    base_status status = try_advance(tracker, mover, &a, err);
    for (int i = 0; i < TURNS_MAX && status == BASE_OK && !a.fits && mover->turn; i++) {
        mover->turn(mover->context, tracker);
        status = try_advance(tracker, mover, &a, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    mover->commit(mover->context, tracker, a.share);
    tracker->phase = next_phase(tracker, a.share);
    tracker->waypoint = a.to;
    tracker->slope_m2 = a.root.slope_m2 > 0 ? a.root.slope_m2 : tracker->slope_m2;
    tracker->goal = a.root.found ? a.root.s : a.to.s;
    if (!a.fits) {
        return creep(tracker, a.left, err);
    }
    tracker->waypoint.s = a.root.s;
    tracker->value = a.root.value;
    return BASE_OK;
}

base_status scn_track_append(scn_tracker *tracker, base_error *err)
{
    const scn_line *const line = &tracker->waypoint.line;
    return scn_run_append(tracker->run, line->orientation,
                          scn_centre(tracker->run->solver.pair, line, tracker->waypoint.s),
                          tracker->waypoint.wanted, tracker->value, err);
}

base_status scn_track_start(scn_run *run, const scn_line *line, scn_tracker *tracker, bool *found,
                            base_error *err)
{
    scn_root root;
    const double wanted = profile(run, 0);
    const base_status status = scn_first(&run->solver, line, wanted, &root, err);
    *found = status == BASE_OK && root.found;
    *tracker = (scn_tracker){
        .run = run,
        .waypoint = {*line, root.s, wanted},
        .value = root.value,
        .slope_m2 = root.slope_m2,
        .goal = root.s,
        .settled = true,
    };
    return status;
}
