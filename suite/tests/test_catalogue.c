/**
 * Tests the methods of truth on the catalogue of degenerate contact
 * (scenarios/experiments/degenerate.cfg). Compares the answers of the methods for each frame with
 * the known answers and with each other. Repeats this in three other forms of the frame: with A and
 * B exchanged, with both bodies moved, and with both bodies scaled.
 */
#include "base/elementary.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/tests/shapes.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* --- Bodies ----------------------------------------------------------------------------------- */

/* Largest number of triangles of a body that is tetrahedralized again after it was moved or scaled.
 * TetGen takes half a second for some thousand triangles. */
enum { TETRA_MAX = 2000 };

/** A moved or scaled copy of a body. */
typedef struct solid {
    geo_mesh mesh;
    geo_mesh_report report;
    gt_body *truth;
    bool tetra; /* the copy has tetrahedra. It has none if it has more than TETRA_MAX triangles,
                   or if TetGen fails. TetGen fails for some bodies with flat faces: a rotation
                   rounds their vertices, so that the faces are no longer exactly flat */
} solid;

/** Initializes *s in place, because reports and bodies contain pointers into it. */
static void solid_make(solid *s, const geo_mesh *from, const geo_pose *pose, double scale)
{
    base_error err = {0};
    geo_mesh_builder copy = shape_copy(from);
    s->mesh = shape_move(geo_mesh_builder_finish(&copy), *pose, scale);
    assert_ok(geo_mesh_check(&s->mesh, &s->report, ERR));
    cr_assert(s->report.solid);
    assert_ok(gt_body_create(&s->mesh, &s->report, &s->truth, ERR));
    const gt_options options = {.tetgen_seconds = 100};
    s->tetra = from->face_count <= TETRA_MAX &&
               gt_body_tetrahedralise(s->truth, &options, &err) == BASE_OK;
}

static void solid_release(solid *s)
{
    gt_body_destroy(s->truth);
    geo_mesh_report_release(&s->report);
    geo_mesh_release(&s->mesh);
}

/* --- Answers ---------------------------------------------------------------------------------- */

typedef struct answers {
    gt_bracket distance, flux;
    gt_bracket tetra; /* volume by tetrahedra; the same as flux if there are no tetrahedra */
} answers;

static answers ask(const gt_body *a, const gt_body *b, const geo_pose *pose, bool tetra,
                   gt_flux_space *space, const char *where)
{
    gt_distance d;
    gt_volume v;
    gt_flux f = {.volume_m3 = GT_NONE};
    base_error err = {0};
    gt_distance_query(a, b, pose, &d);
    cr_expect_eq(gt_flux_query(a, b, pose, space, &f, &err), BASE_OK, "%s: %s", where, err.text);
    cr_expect_eq(f.flaws, 0, "%s: %llu flaws", where, (unsigned long long)f.flaws);
    if (tetra) {
        gt_volume_query(a, b, pose, &v);
    }
    return (answers){d.distance_m, f.volume_m3, tetra ? v.volume_m3 : f.volume_m3};
}

static bool meet(gt_bracket x, gt_bracket y, double slack)
{
    return gt_known(x) && gt_known(y) && x.lo <= y.hi + slack && y.lo <= x.hi + slack;
}

#define EXPECT_MEET(x, y, slack, where, what)                                                      \
    cr_expect(meet(x, y, slack), "%s: %s [%.17g, %.17g], not [%.17g, %.17g]", where, what, (x).lo, \
              (x).hi, (y).lo, (y).hi)

static gt_bracket exactly(double value)
{
    return (gt_bracket){value, value};
}

/** Compares the answers with the known ones, and with each other. */
static void expect_known(const answers *got, const scn_known *known, double slack_volume,
                         const char *where)
{
    if (known->mask & SCN_KNOWN_DISTANCE) {
        EXPECT_MEET(got->distance, exactly(known->distance_m), 0, where, "distance");
    }
    if (known->mask & SCN_KNOWN_VOLUME) {
        EXPECT_MEET(got->tetra, exactly(known->volume_m3), 0, where, "tetra");
        EXPECT_MEET(got->flux, exactly(known->volume_m3), 0, where, "flux");
    }
    EXPECT_MEET(got->flux, got->tetra, 0, where, "flux and tetra");
    if (got->distance.lo > 0) {
        EXPECT_MEET(got->tetra, exactly(0), slack_volume, where, "apart, tetra");
        EXPECT_MEET(got->flux, exactly(0), slack_volume, where, "apart, flux");
    }
}

/**
 * Compares the answers for a frame in another form with `base`, the answers for the frame itself.
 * Lengths in the other form are `scale` times those of the frame.
 */
static void expect_same(const answers *got, const answers *base, double scale, double slack_m,
                        double slack_m3, const char *where)
{
    const double cube = scale * scale * scale;
    const gt_bracket d = {scale * base->distance.lo, scale * base->distance.hi};
    const gt_bracket v = {cube * base->flux.lo, cube * base->flux.hi};
    EXPECT_MEET(got->distance, d, slack_m * scale, where, "distance");
    EXPECT_MEET(got->tetra, v, slack_m3 * cube, where, "tetra");
    EXPECT_MEET(got->flux, v, slack_m3 * cube, where, "flux");
    EXPECT_MEET(got->flux, got->tetra, slack_m3 * cube, where, "flux and tetra");
}

/* --- The catalogue ---------------------------------------------------------------------------- */

/** A scenario with its frames, and its bodies in other forms. */
typedef struct subject {
    const char *name;
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose motion;
    double scale;
    solid moved_a, scaled_a, scaled_b;
    gt_flux_space *space;
} subject;

static void open_subject(const scn_scenario *scenario, subject *s)
{
    base_error err = {0};
    s->name = scenario->name;
    cr_assert_eq(bench_pair_open(scenario->a, scenario->b, &s->pair, &err), BASE_OK, "%s: %s",
                 s->name, err.text);
    cr_assert(s->pair.has_volume, "%s", s->name);
    cr_assert_eq(
        bench_pair_trajectory(&s->pair, &scenario->motion, NULL, true, &s->trajectory, &err),
        BASE_OK, "%s: %s", s->name, err.text);
    cr_assert_eq(gt_body_tetrahedralise(s->pair.a.truth, NULL, &err), BASE_OK, "%s: %s", s->name,
                 err.text);
    cr_assert_eq(gt_body_tetrahedralise(s->pair.b.truth, NULL, &err), BASE_OK, "%s: %s", s->name,
                 err.text);
    const geo_pose here = geo_pose_identity();
    base_random random = base_random_seed(5);
    const vec3 away = vec3_scale(s->pair.diagonal_a, geo_random_direction(&random));
    s->motion = geo_pose_make(geo_random_rotation(&random), away);
    s->scale = 0.11;
    solid_make(&s->moved_a, &s->pair.a.mesh, &s->motion, 1);
    solid_make(&s->scaled_a, &s->pair.a.mesh, &here, s->scale);
    solid_make(&s->scaled_b, &s->pair.b.mesh, &here, s->scale);
    s->space = gt_flux_space_create();
    cr_assert_not_null(s->space);
}

static void close_subject(subject *s)
{
    gt_flux_space_destroy(s->space);
    solid_release(&s->moved_a);
    solid_release(&s->scaled_a);
    solid_release(&s->scaled_b);
    scn_trajectory_release(&s->trajectory);
    bench_pair_close(&s->pair);
}

/**
 * Returns a bound of the rounding errors of a length, in metres, for a frame and its other forms.
 * It is relative to a bound of all their coordinates.
 */
static double form_slack(const subject *s, const geo_pose *pose)
{
    const geo_box box = s->pair.b.report.box;
    const double own = fmax(vec3_norm(box.lo), vec3_norm(box.hi));
    return 64 * DBL_EPSILON * (own + vec3_norm(pose->translation) + 2 * s->pair.diagonal_a);
}

static void check_frame(const subject *s, size_t frame)
{
    const scn_frame *const f = &s->trajectory.frames[frame];
    const geo_pose pose = bench_pair_pose(&s->pair, f->position, f->orientation);
    const gt_body *const a = s->pair.a.truth, *const b = s->pair.b.truth;
    char where[200];
    snprintf(where, sizeof where, "%s, frame %zu", s->name, frame);
    const answers base = ask(a, b, &pose, true, s->space, where);
    expect_known(&base, &f->known, bench_volume_slack(&s->pair, &pose, 0), where);

    const double area = fmin(s->pair.a.report.measure.area_m2, s->pair.b.report.measure.area_m2);
    const double slack_m = form_slack(s, &pose), slack_m3 = slack_m * area;
    snprintf(where, sizeof where, "%s, frame %zu, exchanged", s->name, frame);
    const geo_pose inverse = geo_pose_inverse(&pose);
    const answers exchanged = ask(b, a, &inverse, true, s->space, where);
    expect_same(&exchanged, &base, 1, slack_m, slack_m3, where);

    snprintf(where, sizeof where, "%s, frame %zu, both moved", s->name, frame);
    const geo_pose both = geo_pose_compose(&s->motion, &pose);
    const answers moved = ask(s->moved_a.truth, b, &both, s->moved_a.tetra, s->space, where);
    expect_same(&moved, &base, 1, slack_m, slack_m3, where);

    snprintf(where, sizeof where, "%s, frame %zu, both scaled", s->name, frame);
    const geo_pose small = {pose.rotation, vec3_scale(s->scale, pose.translation)};
    const bool tetra = s->scaled_a.tetra && s->scaled_b.tetra;
    const answers scaled =
        ask(s->scaled_a.truth, s->scaled_b.truth, &small, tetra, s->space, where);
    expect_same(&scaled, &base, s->scale, slack_m, slack_m3, where);
}

/**
 * Checks every scenario of quantity `unified` whose number is `first` plus a multiple of `step`. In
 * `make check`, a sweep checks one in five of them. It selects scenarios and not frames, because
 * the preparation of the bodies takes most of the time.
 */
static void check_scenarios(size_t first, size_t step)
{
    scn_experiment e;
    assert_ok(bench_experiment_open("scenarios/experiments/degenerate.cfg", &e, ERR));
    const size_t part = sweep_step(5);
    size_t number = 0, frames = 0, known = 0, refused = 0;
    for (size_t i = 0; i < e.scenario_count; i++) {
        subject s = {.name = NULL};
        if (strcmp(e.scenarios[i].quantity, "unified") != 0 || number++ % (step * part) != first) {
            continue;
        }
        open_subject(&e.scenarios[i], &s);
        for (size_t f = 0; f < s.trajectory.frame_count; f++) {
            check_frame(&s, f);
            known += s.trajectory.frames[f].known.mask != 0;
        }
        frames += s.trajectory.frame_count;
        const bool small =
            s.moved_a.mesh.face_count <= TETRA_MAX && s.scaled_b.mesh.face_count <= TETRA_MAX;
        refused += small && !(s.moved_a.tetra && s.scaled_a.tetra && s.scaled_b.tetra) ? 1u : 0u;
        close_subject(&s);
    }
    const size_t least = part > 1 ? 10 : 100;
    cr_assert(frames > least && known > least, "%zu frames, %zu of them known", frames, known);
    cr_assert_leq(refused, 2, "TetGen refused bodies of %zu scenarios", refused);
    scn_experiment_release(&e);
}

Test(catalogue, every_method_and_every_form_1)
{
    check_scenarios(0, 2);
}

Test(catalogue, every_method_and_every_form_2)
{
    check_scenarios(1, 2);
}

/* --- Lenses ----------------------------------------------------------------------------------- */

/**
 * Two balls of radius r whose centres are d apart have the common volume
 * pi (2r - d)^2 (d^2 + 4dr) / (12 d). The common volume of two polyhedra converges to it: four
 * times as many triangles have a quarter of the error.
 */
Test(catalogue, lenses_converge)
{
    static const char *const names[] = {"sphere:triangles=80", "sphere:triangles=320",
                                        "sphere:triangles=1280", "sphere:triangles=5120"};
    const double r = 0.05;
    for (int k = 1; k <= 3; k++) {
        const double d = 0.025 * k;
        const double exact = BASE_PI * (2 * r - d) * (2 * r - d) * (d * d + 4 * d * r) / (12 * d);
        double error_before = 0;
        for (size_t level = 0; level < sizeof names / sizeof *names; level++) {
            SCOPED_BENCH_PAIR pair;
            gt_flux f;
            gt_flux_space *const space = gt_flux_space_create();
            assert_ok(bench_pair_open(names[level], names[level], &pair, ERR));
            const geo_pose pose =
                bench_pair_pose(&pair, vec3_make(0, 0.6 * d, 0.8 * d), geo_quat_identity());
            assert_ok(gt_flux_query(pair.a.truth, pair.b.truth, &pose, space, &f, ERR));
            const double volume = 0.5 * (f.volume_m3.lo + f.volume_m3.hi);
            const double error = 1 - volume / exact, order = error_before / error;
            cr_assert(error > 0, "d %g, level %zu: %.17g of %.17g", d, level, volume, exact);
            cr_assert(level < 2 || (order > 3.5 && order < 4.5), "d %g, level %zu: %g, then %g", d,
                      level, error_before, error);
            error_before = error;
            gt_flux_space_destroy(space);
        }
        cr_assert_lt(error_before, 8e-3, "d %g: %g", d, error_before);
    }
}

/* --- Known answers ---------------------------------------------------------------------------- */

Test(catalogue, a_truth_that_contradicts_a_known_value_is_not_certified)
{
    SCOPED_BENCH_PAIR pair;
    assert_ok(bench_pair_open("cube", "cube", &pair, ERR));
    scn_frame frame = {.orientation = geo_quat_identity()};
    scn_trajectory trajectory = {.frames = &frame, .frame_count = 1};
    const geo_pose pose = bench_pair_pose(&pair, frame.position, frame.orientation);
    const double slack = bench_volume_slack(&pair, &pose, 1e-4);
    cr_assert(slack > 1e-18 && slack < 1e-14, "%g", slack);
    cr_assert_float_eq(bench_distance_slack(&pair, &pose, 1), 1e-12, 1e-14);
    const struct {
        unsigned mask;
        double distance_m, volume_m3;
        int distance, volume; /* expected certificates */
    } cases[] = {
        {0, 7, 7, 2, 2},
        {SCN_KNOWN_VOLUME, 7, 1e-4, 2, 2},
        {SCN_KNOWN_VOLUME, 7, 1e-4 + 1.9 * slack, 2, 2},
        {SCN_KNOWN_VOLUME, 7, 1e-4 + 2.1 * slack, 2, 0},
        {SCN_KNOWN_VOLUME, 7, 1e-4 - 2.1 * slack, 2, 0},
        {SCN_KNOWN_DISTANCE, 0.5, 7, 2, 2},
        {SCN_KNOWN_DISTANCE, 0.5 + 1e-11, 7, 0, 2},
        {SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME, 0.5, 0, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_truth truth = {.distance_m = {0.5, 0.5},
                          .volume_m3 = {1e-4 - slack, 1e-4 + slack},
                          .distance_certified = 2,
                          .volume_certified = 2};
        frame.known = (scn_known){.mask = cases[i].mask,
                                  .distance_m = cases[i].distance_m,
                                  .volume_m3 = cases[i].volume_m3};
        cr_assert_eq(bench_known_check(&pair, "s", &trajectory, 0, &pose, &truth),
                     cases[i].distance == 2 && cases[i].volume == 2, "case %zu", i);
        cr_assert_eq(truth.distance_certified, cases[i].distance, "case %zu", i);
        cr_assert_eq(truth.volume_certified, cases[i].volume, "case %zu", i);
    }
}
