/** Tests of pegs in holes: points of the peg are compared with walls in closed form. */
#include "base/tests/sweep.h"
#include "scenarios/models/models.h"
#include "scenarios/models/generators.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampling.h"

enum { FRAMES = 2000, AROUND = 90 };

#define PRESS 5e-4

static scn_pair pair_of(const char *a, const char *b)
{
    geo_mesh mesh_a, mesh_b;
    base_error err = {0};
    cr_assert_eq(scn_mesh_open(a, &mesh_a, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scn_mesh_open(b, &mesh_b, &err), BASE_OK, "%s", err.text);
    const scn_pair pair = scn_pair_make(&mesh_a, true, &mesh_b, true);
    geo_mesh_release(&mesh_a);
    geo_mesh_release(&mesh_b);
    return pair;
}

static base_status insert(const scn_pair *pair, size_t frames, uint64_t seed, scn_trajectory *t,
                          base_error *err)
{
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_INSERTION, .frames = frames, .seed = seed};
    return scn_sample(&sampler, pair, &oracle, t, err);
}

static const struct {
    const char *a, *b;
    double clearance_m;
} pairs[] = {
    {"bore", "pin", 1e-3},
    {"bore", "pin:sx=1.045,sy=1.045", 1e-4},
    {"channel", "cube", 1.953125e-3},
    {"channel", "cube:sx=1.06", 7.8125e-5},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static scn_trajectory insertion(size_t i, uint64_t seed)
{
    scn_trajectory t;
    base_error err = {0};
    const scn_pair pair = pair_of(pairs[i].a, pairs[i].b);
    cr_assert_eq(insert(&pair, FRAMES, seed, &t, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(t.frame_count, FRAMES, "pair %zu", i);
    return t;
}

/* --- Depth of a point ------------------------------------------------------------------------- */

static double bore_depth(vec3 p)
{
    const double rho = sqrt(p.x * p.x + p.y * p.y);
    const double wall = fmin(rho - SCN_BORE_RADIUS, SCN_BORE_OUTSIDE - rho);
    return fmin(wall, 0.5 * SCN_BORE_LENGTH - fabs(p.z));
}

static double channel_depth(vec3 p)
{
    const double z = fmin(SCN_CHANNEL_Z - p.z, SCN_CHANNEL_Z + p.z);
    const double wall = fmax(fabs(p.x) - SCN_CHANNEL_WIDTH, SCN_CHANNEL_FLOOR - p.z);
    return fmin(fmin(wall, SCN_CHANNEL_X - fabs(p.x)), fmin(z, SCN_CHANNEL_Y - fabs(p.y)));
}

/** Returns the depth of the deepest point on the peg's side. Points are in rows of half a
 * millimetre from its end upwards. */
static double deepest(bool round, double half_width, const scn_frame *frame)
{
    const geo_pose pose = frame_pose(frame);
    const double half_height = round ? 0.5 * SCN_PIN_LENGTH : SCN_CUBE_HALF;
    double most = -INFINITY;
    for (int row = 0; row <= 90; row++) {
        for (int i = 0; i < AROUND; i++) {
            const double angle = 2 * BASE_PI * i / AROUND, z = 5e-4 * row - half_height;
            const vec3 side = round ? vec3_make(half_width * cos(angle), half_width * sin(angle), z)
                                    : vec3_make(i % 2 ? half_width : -half_width,
                                                (i / (double)AROUND - 0.5) * SCN_CUBE_HALF, z);
            const vec3 p = geo_pose_apply(&pose, side);
            most = fmax(most, round ? bore_depth(p) : channel_depth(p));
        }
    }
    return most;
}

/** The peg is never deeper than stated, except for the second order of the angle. It is deep in
 * many frames and free in many. */
Test(insertion, the_peg_presses_as_deep_as_it_says)
{
    for (size_t i = 0; i < PAIRS; i += sweep_step(3)) {
        scn_trajectory t = insertion(i, 1);
        const bool round = i < 2;
        const double half_width =
            (round ? SCN_BORE_RADIUS : SCN_CHANNEL_WIDTH) - pairs[i].clearance_m;
        size_t touching = 0, pressed = 0;
        double most = -INFINITY;
        for (size_t f = 0; f < FRAMES; f++) {
            const double depth = deepest(round, half_width, &t.frames[f]);
            touching += depth > 0;
            pressed += depth > 0.5 * PRESS;
            most = fmax(most, depth);
        }
        cr_expect(most > 0.7 * PRESS && most < 1.1 * PRESS, "pair %zu: %g m deep", i, most);
        cr_expect(touching > FRAMES / 10 && touching < FRAMES - FRAMES / 10, "pair %zu: %zu touch",
                  i, touching);
        cr_expect_gt(pressed, FRAMES / 100, "pair %zu: %zu", i, pressed);
        scn_trajectory_release(&t);
    }
    no_leak();
}

/** The path begins and ends 2 mm in front of the mouth, upright, on the axis. */
Test(insertion, paths_are_closed_and_smooth)
{
    static const double deep[] = {0.03, 0.03, 0.04375, 0.04375};
    for (size_t i = 0; i < PAIRS; i++) {
        scn_trajectory t = insertion(i, 7);
        const bool round = i < 2;
        const double half_height = round ? 0.5 * SCN_PIN_LENGTH : SCN_CUBE_HALF;
        const double mouth = round ? 0.5 * SCN_BORE_LENGTH : SCN_CHANNEL_Z;
        const double start = mouth + 2e-3 + half_height;
        const scn_frame *const ends[] = {&t.frames[0], &t.frames[FRAMES - 1]};
        double lowest = start;
        for (size_t k = 0; k < 2; k++) {
            cr_expect_lt(vec3_distance(ends[k]->position, vec3_make(0, 0, start)), 1e-15,
                         "pair %zu", i);
            cr_expect_lt(geo_quat_chord(ends[k]->orientation, geo_quat_identity()), 1e-15,
                         "pair %zu", i);
        }
        for (size_t f = 1; f < FRAMES; f++) {
            const scn_frame *const from = &t.frames[f - 1], *const to = &t.frames[f];
            const double step = vec3_distance(from->position, to->position);
            cr_expect_eq(to->t_s, 0.001 * (double)f);
            cr_expect_lt(step, 2e-4, "pair %zu frame %zu: %g m", i, f, step);
            cr_expect_lt(geo_quat_chord(from->orientation, to->orientation), 2e-3, "pair %zu", i);
            cr_expect_eq(to->known.mask, 0);
            lowest = fmin(lowest, to->position.z);
        }
        cr_expect(fabs(start - 2e-3 - lowest - deep[i]) < 5e-4, "pair %zu: %g", i, lowest);
        scn_trajectory_release(&t);
    }
    no_leak();
}

/** In a channel only x and z change, and the peg turns only about y. */
Test(insertion, a_channel_is_pressed_across)
{
    scn_trajectory t = insertion(2, 3);
    for (size_t f = 0; f < FRAMES; f++) {
        const scn_frame *const frame = &t.frames[f];
        cr_expect(frame->position.y == 0 && frame->orientation.x == 0 && frame->orientation.z == 0,
                  "frame %zu", f);
    }
    scn_trajectory_release(&t);
    no_leak();
}

Test(insertion, the_seed_draws_where_it_presses)
{
    static const char *const hashes[PAIRS] = {
        "8c87a1c97382618722e94307d3f9c881", "c41977efc19d6aea7b035559645a1be2",
        "4e687d3a45e3efc4795c8377d16ad834", "eab3e225d785953beaa2a517e38775d7"};
    for (size_t i = 0; i < PAIRS; i++) {
        scn_trajectory t = insertion(i, 1), same = insertion(i, 1), other = insertion(i, 2);
        const base_hash_text hash = trajectory_hash(&t), again = trajectory_hash(&same);
        cr_expect_str_eq(hash.hex, hashes[i], "pair %zu: %s", i, hash.hex);
        cr_expect_str_eq(hash.hex, again.hex);
        cr_expect_str_neq(hash.hex, trajectory_hash(&other).hex);
        scn_trajectory_release(&t);
        scn_trajectory_release(&same);
        scn_trajectory_release(&other);
    }
    no_leak();
}

Test(insertion, other_bodies_are_refused)
{
    static const char *const others[][3] = {
        {"pin", "bore", "needs a hole and a peg"},
        {"bore", "cube:scale=0.5", "needs a hole and a peg"},
        {"bore", "pin:sx=1.045", "needs a hole and a peg"},
        {"bore", "pin:x=0.01", "needs a hole and a peg"},
        {"bore", "pin:sx=1.06,sy=1.06", "wider than the hole"},
        {"channel", "pin", "needs a hole and a peg"},
        {"channel", "sphere:scale=0.5", "needs a hole and a peg"},
        {"bore:scale=1.1", "pin", "needs a hole and a peg"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const scn_pair pair = pair_of(others[i][0], others[i][1]);
        scn_trajectory t;
        base_error err = {0};
        cr_expect_eq(insert(&pair, 3, 1, &t, &err), BASE_ERR_ARGUMENT, "row %zu", i);
        cr_expect_not_null(strstr(err.text, others[i][2]), "row %zu: %s", i, err.text);
        cr_expect_null(t.frames, "row %zu", i);
    }
    const scn_pair pair = pair_of("bore", "pin");
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(insert(&pair, 1, 1, &t, &err), BASE_OK);
    cr_expect_eq(t.frame_count, 1, "one frame is the first");
    scn_trajectory_release(&t);
    no_leak();
}
