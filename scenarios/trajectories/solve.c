#include "scenarios/trajectories/solve.h"

#include "base/text.h"
#include "geometry/pose.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

#include <math.h>
#include <string.h>

/* Gap steps shrink the rest by 1 - cos(angle of approach): 200 steps reach 1e-9 up to 84
 * degrees. */
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

vec3 scn_translation(const scn_pair *pair, geo_quat orientation, vec3 centre)
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
    const vec3 translation = scn_translation(solver->pair, orientation, centre);
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
    const vec3 translation = scn_translation(solver->pair, line->orientation, centre);
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

static double bracket_next(const bracket *b)
{
    return b->s_out + (b->s_in - b->s_out) * (b->f_out / (b->f_out - b->f_in));
}

/** Finds the root in a bracket by regula falsi. */
static base_status refine_volume(const scn_solver *solver, const scn_line *line, double wanted,
                                 bracket b, double tolerance, scn_root *root, base_error *err)
{
    root->slope_m2 = fabs((b.f_in - b.f_out) / (b.s_out - b.s_in));
    double before_s = b.s_out, before_f = b.f_out;
    for (int i = 0; i < FALSI_STEPS_MAX; i++) {
        const double s = bracket_next(&b);
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

/** State of the way in: the current and the previous position. */
typedef struct march {
    double s, volume, before_s, before_volume;
} march;

static base_status march_in(const scn_solver *solver, const scn_line *line, double step, march *m,
                            scn_root *root, base_error *err)
{
    m->before_s = m->s;
    m->before_volume = m->volume;
    m->s -= step;
    const base_status status = line_volume(solver, line, m->s, &m->volume, err);
    if (m->volume < m->before_volume - solver->volume_slack_m3) {
        root->monotone = false;
    }
    return status;
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
    march m = {.s = root->s, .before_s = root->s};
    double reached = 0;
    for (int i = 0; i < VOLUME_STEPS_MAX; i++) {
        if (fabs(m.volume - wanted) <= tolerance) {
            root->found = true;
            root->s = m.s;
            root->value = m.volume;
            return BASE_OK;
        }
        if (m.volume > wanted) {
            const bracket b = {m.before_s, m.before_volume - wanted, m.s, m.volume - wanted, 0};
            return refine_volume(solver, line, wanted, b, tolerance, root, err);
        }
        /* Beyond half the volume, it increases steadily. A step slightly longer than the secant
         * step brackets the root. */
        double step = (wanted - m.volume) / solver->flux_m2;
        const double slope = (m.volume - m.before_volume) / (m.before_s - m.s);
        reached = fmax(reached, m.volume);
        if (reached >= 0.5 * wanted && slope > 0) {
            step = fmax(step, fmin(1.1 * (wanted - m.volume) / slope, 0.05 * solver->size_m));
        }
        if (m.s - step <= 0) {
            return BASE_OK;
        }
        status = march_in(solver, line, step, &m, root, err);
        if (status != BASE_OK) {
            return status;
        }
        root->slope_m2 = fmax(0, (m.volume - m.before_volume) / step);
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
typedef struct walk {
    double s, value;
    double before_s, before;
    int side; /* 1: B separates outwards at the root; -1: inwards */
    bool turned;
} walk;

/** Returns to the start of the last step and reverses the direction. */
static void walk_turn(walk *w)
{
    w->turned = true;
    w->side = -w->side;
    w->s = w->before_s;
    w->value = w->before;
}

/** Returns the step outwards (for side 1) that comes nearer to the distance `aim`. */
static double distance_step(const scn_solver *solver, const walk *w, double aim, double *escape)
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
    walk w = {.s = s, .side = 1};
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
            walk_turn(&w);
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
    walk w = {.s = s, .side = 1}, ahead = w;
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
            walk_turn(&w);
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
