/** Properties of every kind of sampler: the same bits, errors, names. */
#include "base/memory.h"
#include "scenarios/tests/support.h"
#include "scenarios/trajectories/sampling.h"

static scn_sampler any_sampler(scn_sampler_kind kind)
{
    return (scn_sampler){.kind = kind, .lo = 0.01, .hi = 0.05, .frames = 120, .seed = 42};
}

Test(kinds, the_same_seed_gives_the_same_bits)
{
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        scn_sampler s = any_sampler((scn_sampler_kind)kind);
        scn_trajectory first = sample(&w, &s), again = sample(&w, &s);
        s.seed++;
        scn_trajectory other = sample(&w, &s);
        const base_hash_text a = trajectory_hash(&first), b = trajectory_hash(&again),
                             c = trajectory_hash(&other);
        cr_assert_str_eq(a.hex, b.hex, "kind %d", kind);
        cr_assert_str_neq(a.hex, c.hex, "kind %d", kind);
        scn_trajectory_release(&first);
        scn_trajectory_release(&again);
        scn_trajectory_release(&other);
    }
    no_leak();
}

/* By distance: every way begins and ends at its value, keeps its orientation, and is straight with
 * equal steps. */
Test(kinds, approaches_are_straight_and_even)
{
    world w = world_dumbbells();
    scn_sampler s = any_sampler(SCN_APPROACH);
    s.lo = 0;
    s.hi = 0.3;
    s.frames = 60;
    s.ways = 4;
    scn_trajectory t = sample(&w, &s);
    cr_assert_eq(t.frame_count, 60);
    for (size_t way = 0; way < 4; way++) {
        const scn_frame *const f = &t.frames[15 * way];
        const vec3 whole = vec3_sub(f[14].position, f[0].position);
        cr_assert(vec3_norm(whole) > 0, "way %zu", way);
        cr_assert_float_eq(f[14].achieved, 0, 1e-6, "way %zu ends %g m away", way, f[14].achieved);
        for (size_t i = 0; i < 15; i++) {
            const vec3 expected = vec3_madd(f[0].position, (double)i / 14, whole);
            cr_assert(vec3_distance(f[i].position, expected) < 1e-12, "way %zu, frame %zu", way, i);
            cr_assert_eq(memcmp(&f[i].orientation, &f[0].orientation, sizeof f->orientation), 0);
            cr_assert_eq(isnan(f[i].target), i < 14, "way %zu, frame %zu", way, i);
        }
        cr_assert(way == 0 ||
                  memcmp(&f->orientation, &t.frames[0].orientation, sizeof f->orientation) != 0);
    }
    cr_assert_not_null(strstr(t.source, "approach "), "%s", t.source);
    cr_assert_not_null(strstr(t.source, " ways=4"), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

Test(kinds, poses_are_held)
{
    static const scn_sampler_kind kinds[] = {SCN_SPHERE, SCN_GRID, SCN_GLIDE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        world w = world_dumbbells();
        scn_sampler s = any_sampler(kinds[k]);
        scn_trajectory once = sample(&w, &s);
        const size_t asked = w.distances;
        w.distances = 0;
        s.hold = 3;
        scn_trajectory held = sample(&w, &s);
        cr_assert_eq(w.distances, asked, "kind %d", kinds[k]);
        cr_assert_eq(held.frame_count, 3 * once.frame_count, "kind %d", kinds[k]);
        for (size_t i = 0; i < held.frame_count; i++) {
            const scn_frame *const f = &held.frames[i], *const pose = &once.frames[i / 3];
            cr_assert_float_eq(f->t_s, 0.001 * (double)i, 1e-15);
            cr_assert(vec3_equal(f->position, pose->position), "kind %d, frame %zu", kinds[k], i);
            cr_assert_eq(memcmp(&f->orientation, &pose->orientation, sizeof f->orientation), 0);
            cr_assert_eq(f->target, pose->target);
            cr_assert_eq(f->achieved, pose->achieved);
        }
        cr_assert_not_null(strstr(held.source, " hold=3"), "%s", held.source);
        cr_assert_null(strstr(once.source, "hold"), "%s", once.source);
        scn_trajectory_release(&once);
        scn_trajectory_release(&held);
    }
    no_leak();
}

/* The bits of generated files are a promise. They depend on samplers, random numbers, elementary
 * functions and number formats. */
Test(kinds, files_have_the_published_hashes)
{
    static const char *const hashes[] = {
        [SCN_SPHERE] = "fe81fada30b6e8682473308b86aa6e74",
        [SCN_GLIDE] = "8093cd7b6054f6a9063e27c7131310bb",
        [SCN_PRESS] = "eee813ffcf325f9e8242f3dd506a4091",
        [SCN_TUMBLE] = "b120454c21dd636a3859a7be41fec437",
        [SCN_GRID] = "2aebf5c184d1c14fc81a20c4e4589e8e",
    };
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        const scn_sampler s = any_sampler((scn_sampler_kind)kind);
        scn_trajectory t = sample(&w, &s);
        const base_hash_text hash = trajectory_hash(&t);
        cr_expect_str_eq(hash.hex, hashes[kind], "%s: %s",
                         scn_sampler_kind_name((scn_sampler_kind)kind), hash.hex);
        scn_trajectory_release(&t);
    }
}

Test(kinds, an_error_of_the_oracle_ends_it)
{
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        const scn_sampler s = any_sampler((scn_sampler_kind)kind);
        scn_trajectory t = sample(&w, &s);
        const size_t calls = w.distances;
        scn_trajectory_release(&t);
        for (size_t at = 1; at <= calls; at += 1 + calls / 50) {
            base_error err = {0};
            w.distances = 0;
            w.fail_at = at;
            cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_SYSTEM,
                         "kind %d, call %zu of %zu", kind, at, calls);
            cr_assert_str_eq(err.text, "oracle stopped");
            cr_assert_eq(w.distances, at);
            cr_assert_null(t.frames);
        }
    }
    no_leak();
}

Test(kinds, an_error_of_the_volume_oracle_ends_it)
{
    for (int kind = SCN_SPHERE; kind <= SCN_TUMBLE; kind++) {
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        scn_sampler s = any_sampler((scn_sampler_kind)kind);
        s.target = SCN_TARGET_VOLUME;
        scn_trajectory t = sample(&w, &s);
        const size_t calls = w.distances + w.volumes;
        scn_trajectory_release(&t);
        for (size_t at = 1; at <= calls; at += 1 + calls / 50) {
            base_error err = {0};
            w.distances = w.volumes = 0;
            w.fail_at = at;
            cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_SYSTEM, "kind %d",
                         kind);
            cr_assert_eq(w.distances + w.volumes, at);
        }
    }
    no_leak();
}

Test(kinds, out_of_memory_is_an_error)
{
    for (int kind = SCN_SPHERE; kind <= SCN_GRID; kind++) {
        world w = world_dumbbells();
        const scn_pair pair = world_pair(&w);
        const scn_oracle oracle = world_oracle(&w);
        const scn_sampler s = any_sampler((scn_sampler_kind)kind);
        base_status status = BASE_ERR_MEMORY;
        size_t n = 0;
        for (; n < 30 && status == BASE_ERR_MEMORY; n++) {
            scn_trajectory t;
            base_memory_fail_after(n);
            status = scn_sample(&s, &pair, &oracle, &t, NULL);
            base_memory_fail_after(SIZE_MAX);
            scn_trajectory_release(&t);
        }
        cr_assert_eq(status, BASE_OK, "kind %d", kind);
        cr_assert_gt(n, 3);
    }
    no_leak();
}

static void assert_refused(const world *world_of, scn_sampler s, const char *message)
{
    world w = *world_of;
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT, "%s", message);
    cr_assert_str_eq(err.text, message);
    cr_assert_null(t.frames);
}

Test(kinds, what_cannot_be_is_refused)
{
    const world two = world_two_balls(), torus = world_torus();
    const scn_sampler s = {.kind = SCN_SPHERE, .lo = 0, .hi = 0.1, .frames = 10};
    scn_sampler bad = s;
    bad.frames = 0;
    assert_refused(&two, bad, "a sampler needs at least one frame");
    bad = s;
    bad.lo = 0.2;
    assert_refused(&two, bad, "sampler values from 0.2 to 0.1: lo is above hi");
    bad = s;
    bad.lo = -0.1;
    assert_refused(&two, bad,
                   "sampler values from -0.1 to 0.1: they must be finite and not negative");
    bad = s;
    bad.hi = (double)NAN;
    assert_refused(&two, bad, "sampler values from 0 to nan: they must be finite and not negative");
    bad = s;
    bad.hi = 1001;
    assert_refused(&two, bad,
                   "sampler values from 0 to 1001: a distance is a multiple of A's diagonal, at "
                   "most 1000");
    bad = s;
    bad.step = -1;
    assert_refused(&two, bad, "sampler step -1: it must be from 1e-06 to 1");
    bad = s;
    bad.hold = 101;
    assert_refused(&two, bad, "sampler hold 101: it must be from 1 to 100");
    bad = s;
    bad.ways = 1001;
    assert_refused(&two, bad, "sampler ways 1001: it must be from 1 to 1000");
    bad = s;
    bad.kind = SCN_APPROACH;
    bad.ways = 7;
    bad.frames = 20;
    assert_refused(&two, bad, "20 frames are not the same number for each of 7 ways");
    bad = s;
    bad.target = SCN_TARGET_VOLUME;
    assert_refused(&torus, bad,
                   "a sampler of volumes needs two solids; see `proxbench mesh check`");
    bad.hi = 1.5;
    assert_refused(&two, bad,
                   "sampler values from 0 to 1.5: a volume is a part of the smaller body, at most "
                   "1");
    bad.hi = 0.1;
    bad.kind = SCN_GRID;
    assert_refused(&two, bad, "sampler 'grid' takes distances only");
}

Test(kinds, what_cannot_be_found_is_an_error)
{
    /* B's balls are too far apart to be in A at the same time. */
    world w = world_dumbbells();
    w.b.ball[0].centre.x += 0.2;
    w.bound_b = (geo_ball){vec3_scale(0.5, vec3_add(w.b.ball[0].centre, w.b.ball[1].centre)), 0.15};
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = 0.9, .hi = 0.9, .frames = 10};
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "no pose of volume 2.54469e-05 m3 found in 80 "
                                        "draws"),
                       "%s", err.text);
    no_leak();
}

/** The calls of the oracle's left_out. */
static struct {
    size_t count, frames[16];
    double wanted[16];
} told;

static void note_left_out(void *context, size_t frame, double wanted)
{
    (void)context;
    cr_assert_lt(told.count, 16);
    told.frames[told.count] = frame;
    told.wanted[told.count++] = wanted;
}

/** A ball that is thicker than the wall it passes through: the larger values have no pose. */
Test(kinds, frames_that_cannot_be_found_are_left_out)
{
    world w = world_shell();
    w.b.ball[0].radius = w.bound_b.radius = 0.015;
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = 0.1, .hi = 1, .frames = 10};
    const scn_pair pair = world_pair(&w);
    scn_oracle oracle = world_oracle(&w);
    oracle.left_out = note_left_out;
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_OK, "%s", err.text);
    const double scale = world_least_volume(&w);
    double most = 0;
    for (int i = 0; i <= 1000; i++) {
        const vec3 place = {w.centre.x + w.inner + 0.02 * i / 1000, w.centre.y, w.centre.z};
        most = fmax(most, world_lens(&w, place, 0.015) / scale);
    }
    cr_assert(most > 0.75 && most < 0.98, "%g", most);
    cr_assert_eq(t.frame_count, (size_t)(10 * most), "%zu of %g", t.frame_count, most);
    for (size_t i = 0; i < t.frame_count; i++) {
        cr_assert_float_eq(t.frames[i].t_s, 0.001 * (double)i, 1e-15);
        cr_assert_float_eq(t.frames[i].target, scale * 0.1 * (double)(i + 1), 1e-9 * scale);
        cr_assert_leq(fabs(t.frames[i].achieved - t.frames[i].target), 1e-6 * scale);
    }
    cr_assert_eq(told.count, 10 - t.frame_count);
    for (size_t k = 0; k < told.count; k++) {
        cr_assert_eq(told.frames[k], t.frame_count + k);
        cr_assert_float_eq(told.wanted[k], scale * 0.1 * (double)(told.frames[k] + 1),
                           1e-9 * scale);
    }
    char note[40];
    snprintf(note, sizeof note, "; %zu frames left out", told.count);
    cr_assert_not_null(strstr(t.source, note), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

/** Samples a ball in a wall that is thinner than the ball. */
static scn_trajectory sample_wall(size_t frames, double lo, double hi)
{
    world w = world_shell();
    w.b.ball[0].radius = w.bound_b.radius = 0.015;
    const scn_sampler s = {
        .kind = SCN_SPHERE, .target = SCN_TARGET_VOLUME, .lo = lo, .hi = hi, .frames = frames};
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    scn_trajectory t;
    base_error err = {0};
    cr_assert_eq(scn_sample(&s, &pair, &oracle, &t, &err), BASE_OK, "%s", err.text);
    return t;
}

Test(kinds, one_frame_is_enough)
{
    scn_trajectory t = sample_wall(1, 0.1, 0.1);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_null(strstr(t.source, "left out"), "%s", t.source);
    scn_trajectory_release(&t);
    t = sample_wall(2, 0.1, 1);
    cr_assert_eq(t.frame_count, 1);
    cr_assert_not_null(strstr(t.source, "; 1 frame left out"), "%s", t.source);
    scn_trajectory_release(&t);
    no_leak();
}

/** The effort per frame without a pose decreases from frame to frame, until a pose is found
 * again. */
Test(kinds, what_is_out_of_reach_costs_less_and_less)
{
    world w = world_shell();
    const scn_pair pair = world_pair(&w);
    const scn_oracle oracle = world_oracle(&w);
    const scn_sampler s = {.kind = SCN_SPHERE, .frames = 100};
    scn_trajectory t;
    scn_run run;
    base_error err = {0};
    t = (scn_trajectory){0};
    cr_assert_eq(scn_run_start(&s, &pair, &oracle, &t, &run, &err), BASE_OK, "%s", err.text);
    const int draws[] = {80, 50, 35, 27, 24, 24, 24, 24, 24, 24};
    for (int found = 0; found < 2; found++) {
        for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
            cr_expect_eq(scn_run_draws(&run), draws[i], "%d after %zu frames", scn_run_draws(&run),
                         i);
            scn_run_leave_out(&run, i, 0);
        }
        cr_assert_eq(scn_run_append(&run, geo_quat_identity(), vec3_make(0, 0, 0), 0, 0, &err),
                     BASE_OK);
    }
    scn_trajectory_release(&t);
    no_leak();
}

Test(kinds, kinds_and_targets_have_names)
{
    base_error err = {0};
    for (int kind = SCN_SPHERE; kind <= SCN_INSERTION; kind++) {
        scn_sampler_kind parsed;
        const char *const name = scn_sampler_kind_name((scn_sampler_kind)kind);
        cr_assert_eq(scn_sampler_kind_parse(name, &parsed, &err), BASE_OK);
        cr_assert_eq((int)parsed, kind);
    }
    for (int target = SCN_TARGET_DISTANCE; target <= SCN_TARGET_VOLUME; target++) {
        scn_target parsed;
        const char *const name = scn_target_name((scn_target)target);
        cr_assert_eq(scn_target_parse(name, &parsed, &err), BASE_OK);
        cr_assert_eq((int)parsed, target);
    }
    scn_sampler_kind kind;
    scn_target target;
    cr_assert_eq(scn_sampler_kind_parse("glyde", &kind, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown sampler 'glyde' (sphere, glide, press, tumble, grid, "
                               "boxes, response, insertion or approach); "
                               "did you mean 'glide'?");
    cr_assert_eq(scn_target_parse("depth", &target, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown target 'depth' (distance or volume)");
}

/* --- Boxes ------------------------------------------------------------------------------------ */

static scn_pair box_pair(vec3 lo_a, vec3 hi_a, vec3 lo_b, vec3 hi_b)
{
    const vec3 a = vec3_sub(hi_a, lo_a), b = vec3_sub(hi_b, lo_b);
    return (scn_pair){
        .box_a = {lo_a, hi_a},
        .box_b = {lo_b, hi_b},
        .volume_a_m3 = a.x * a.y * a.z,
        .volume_b_m3 = b.x * b.y * b.z,
    };
}

/** Returns the length of the intersection of [a, b] and [c, d]; if negative, minus their
 * distance. */
static double common(double a, double b, double c, double d)
{
    return fmin(b, d) - fmax(a, c);
}

Test(kinds, boxes_know_their_answers)
{
    const vec3 half = {0.5, 0.25, 1};
    const scn_pair pair =
        box_pair(vec3_make(-0.5, 0, 1), vec3_make(0.5, 2, 2), vec3_scale(-1, half), half);
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_BOXES, .frames = 2000, .seed = 3};
    scn_trajectory t, again;
    base_error err = {0};
    cr_assert_eq(scn_sample(&sampler, &pair, &oracle, &t, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(t.frame_count, 2000);
    size_t touching = 0, apart = 0, over = 0, coplanar = 0;
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i];
        const geo_pose pose = geo_pose_make(f->orientation, f->position);
        /* B about its origin, with aligned axes: half edges in A's axes. */
        double volume = 1, distance2 = 0, least = INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            const vec3 row = pose.rotation.row[axis];
            const double h = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
            cr_assert_eq(fabs(row.x) + fabs(row.y) + fabs(row.z), 1, "frame %zu", i);
            const double c = vec3_get(f->position, axis);
            const double lo = vec3_get(pair.box_a.lo, axis), hi = vec3_get(pair.box_a.hi, axis);
            const double both = common(lo, hi, c - h, c + h);
            volume *= fmax(0, both);
            distance2 += both < 0 ? both * both : 0;
            least = fmin(least, both);
            coplanar += c - h == lo || c - h == hi || c + h == lo || c + h == hi;
        }
        cr_assert_eq(f->known.mask, SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME);
        cr_assert_eq(f->known.volume_m3, volume, "frame %zu: %.17g", i, volume);
        cr_assert_eq(f->known.distance_m, sqrt(distance2), "frame %zu", i);
        touching += least == 0;
        apart += least < 0;
        over += least > 0;
    }
    cr_assert(touching > 200 && apart > 200 && over > 200 && coplanar > 1000,
              "%zu touch, %zu apart, %zu over, %zu axes coplanar", touching, apart, over, coplanar);
    cr_assert_eq(scn_sample(&sampler, &pair, &oracle, &again, &err), BASE_OK);
    for (size_t i = 0; i < t.frame_count; i++) {
        const scn_frame *const f = &t.frames[i], *const g = &again.frames[i];
        cr_assert(vec3_equal(f->position, g->position) &&
                      memcmp(&f->orientation, &g->orientation, sizeof f->orientation) == 0 &&
                      f->known.volume_m3 == g->known.volume_m3 &&
                      f->known.distance_m == g->known.distance_m,
                  "frame %zu differs the second time", i);
    }
    scn_trajectory_release(&t);
    scn_trajectory_release(&again);
}

Test(kinds, boxes_must_be_boxes)
{
    const vec3 one = {1, 1, 1};
    scn_pair pair = box_pair(vec3_scale(-1, one), one, vec3_scale(-1, one), one);
    const scn_oracle oracle = {0};
    const scn_sampler sampler = {.kind = SCN_BOXES, .frames = 2};
    scn_trajectory t;
    base_error err = {0};
    pair.volume_b_m3 *= 0.999;
    cr_assert_eq(scn_sample(&sampler, &pair, &oracle, &t, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "sampler 'boxes' needs two solid boxes");
    cr_assert_null(t.frames);
}
