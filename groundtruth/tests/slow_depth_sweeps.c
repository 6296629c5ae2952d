/**
 * Tests that take minutes: the penetration depth compared with that of 1,000 convex pairs, and on
 * the bunny pair with all of 20,000 directions. `make test TEST=depth_sweeps` runs all and prints
 * the results.
 */
#include "base/parallel.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/depth/separation.h"

#include "hulls.h"

#include <time.h>

/**
 * Returns a size: DIRECTIONS=20000, PAIRS=1000, FRAMES=3, or a smaller one from the environment.
 */
static size_t number_of(const char *name, size_t most)
{
    const char *const text = getenv(name);
    const size_t asked = text ? strtoul(text, NULL, 10) : most;
    return asked < most ? asked : most;
}

static double now_s(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- Convex pairs ----------------------------------------------------------------------------- */

enum { PAIRS_MAX = 1000 };

typedef struct convex {
    bool overlap, holds;
    double width, above; /* relative width of the bracket; relative excess of its upper end over
                          * the depth */
    double seconds;
} convex;

static void examine_convex(void *context, size_t begin, size_t end)
{
    convex *const all = context;
    gt_penetration_space *const space = gt_penetration_space_create();
    for (size_t i = begin; i < end; i++) {
        base_random random = base_random_seed(1000 + i);
        SCOPED_SHAPE a =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 1, 1});
        SCOPED_SHAPE b =
            random_hull(&random, 5 + (uint32_t)base_random_below(&random, 60), (vec3){1, 0.5, 0.7});
        const geo_pose pose = random_pose(&random, base_random_range(&random, 0, 1.2));
        gt_depth exact;
        gt_depth_query(a.body, b.body, &pose, &exact);
        a.body->hull = NULL;
        const double start = now_s(CLOCK_THREAD_CPUTIME_ID);
        gt_penetration p;
        gt_penetration_query(a.body, b.body, &pose, space, &p);
        all[i].seconds = now_s(CLOCK_THREAD_CPUTIME_ID) - start;
        all[i].overlap = exact.depth_m.lo > 0;
        all[i].holds = p.depth_m.lo <= exact.depth_m.hi && exact.depth_m.lo <= p.depth_m.hi;
        all[i].width = p.depth_m.hi > 0 ? 1 - p.depth_m.lo / p.depth_m.hi : 0;
        all[i].above = all[i].overlap ? p.depth_m.hi / middle(exact.depth_m) - 1 : 0;
    }
    gt_penetration_space_destroy(space);
}

Test(depth_sweeps, convex_pairs)
{
    static convex all[PAIRS_MAX];
    const size_t count = number_of("PAIRS", PAIRS_MAX);
    base_parallel_for(count, 1, 0, examine_convex, all);
    size_t overlaps = 0, missed = 0;
    convex worst = {0};
    double seconds = 0, width = 0;
    for (size_t i = 0; i < count; i++) {
        overlaps += all[i].overlap;
        missed += !all[i].holds;
        seconds += all[i].seconds;
        if (all[i].overlap) {
            width += all[i].width;
            worst.width = fmax(worst.width, all[i].width);
            worst.above = fmax(worst.above, all[i].above);
        }
        worst.seconds = fmax(worst.seconds, all[i].seconds);
    }
    printf("convex: %zu pairs, %zu overlap, %zu brackets without the depth; %.2g wide, at most "
           "%.2g; upper end at most %.2g above; %.3f s a pair, at most %.3f\n",
           count, overlaps, missed, width / (double)overlaps, worst.width, worst.above,
           seconds / (double)count, worst.seconds);
    cr_assert_eq(missed, 0);
}

/* --- The bunny pair --------------------------------------------------------------------------- */

enum { DIRECTIONS_MAX = 20000 };

typedef struct sweep {
    const gt_body *body;
    geo_pose pose;
    size_t count;
    double first_m[DIRECTIONS_MAX];
} sweep;

static void separate(void *context, size_t begin, size_t end)
{
    sweep *const s = context;
    for (size_t i = begin; i < end; i++) {
        const double z = 1 - (2 * (double)i + 1) / (double)s->count, r = sqrt(1 - z * z);
        const double angle = BASE_PI * (3 - sqrt(5)) * (double)i;
        gt_separation found;
        gt_separation_query(s->body, s->body, &s->pose,
                            (vec3){r * base_cos(angle), r * base_sin(angle), z}, &found);
        s->first_m[i] = found.first_m.hi;
    }
}

static double volume_at(const gt_body *body, const geo_pose *pose, gt_flux_space *space)
{
    gt_flux flux;
    assert_ok(gt_flux_query(body, body, pose, space, &flux, ERR));
    return flux.value_m3;
}

/** Moves B in a direction until the bodies share about the given volume. */
static geo_pose move_out(const gt_body *body, geo_pose pose, vec3 way, double volume)
{
    gt_flux_space *const space = gt_flux_space_create();
    const vec3 start = pose.translation;
    double in = 0, out = 1;
    for (int i = 0; i < 30; i++) {
        const double middle = 0.5 * (in + out);
        pose.translation = vec3_madd(start, middle, way);
        *(volume_at(body, &pose, space) > volume ? &in : &out) = middle;
    }
    gt_flux_space_destroy(space);
    return pose;
}

Test(depth_sweeps, bunny_by_all_directions)
{
    if (!shared_is_there()) {
        printf("bunny: skipped, ../shared is not there\n");
        return;
    }
    /* Frames of the reference; share > 0: B is moved out until that share of the volume remains. */
    const struct {
        size_t row;
        double share;
    } frames[] = {{1, 0}, {17, 0}, {8, 0.001}, {13, 0}, {4, 0}, {36, 0}};
    SCOPED_SHAPE bunny = shape_load("../shared/models/oded-bunny_hr.off");
    reference r = reference_read("bunny-bunny-volume");
    gt_penetration_space *const space = gt_penetration_space_create();
    gt_flux_space *const flux = gt_flux_space_create();
    sweep *const s = base_alloc(1, sizeof *s);
    s->body = bunny.body;
    s->count = number_of("DIRECTIONS", DIRECTIONS_MAX);
    for (size_t i = 0; i < number_of("FRAMES", sizeof frames / sizeof frames[0]); i++) {
        const double whole = bunny.report.measure.volume_m3;
        s->pose = reference_pose(&r, frames[i].row);
        gt_penetration p;
        gt_penetration_query(bunny.body, bunny.body, &s->pose, space, &p);
        if (frames[i].share > 0) {
            const vec3 way = vec3_scale(p.depth_m.hi, p.direction);
            s->pose = move_out(bunny.body, s->pose, way, frames[i].share * whole);
        }
        const double start = now_s(CLOCK_THREAD_CPUTIME_ID);
        gt_penetration_query(bunny.body, bunny.body, &s->pose, space, &p);
        const double seconds = now_s(CLOCK_THREAD_CPUTIME_ID) - start;
        base_parallel_for(s->count, 16, 0, separate, s);
        double best = INFINITY;
        for (size_t k = 0; k < s->count; k++) {
            best = fmin(best, s->first_m[k]);
        }
        printf("bunny, frame %zu, %.2f %% of the volume: [%.6g, %.6g], %.2f %% wide; best of %zu "
               "directions %.6g, upper end %.4f of it; %.3f s\n",
               frames[i].row, 100 * volume_at(bunny.body, &s->pose, flux) / whole, p.depth_m.lo,
               p.depth_m.hi, 100 * (1 - p.depth_m.lo / p.depth_m.hi), s->count, best,
               p.depth_m.hi / best, seconds);
        fflush(stdout);
        cr_assert(p.depth_m.lo <= best && p.depth_m.hi <= 1.02 * best);
    }
    base_free(s);
    gt_flux_space_destroy(flux);
    gt_penetration_space_destroy(space);
    reference_release(&r);
}

/* --- Times ------------------------------------------------------------------------------------ */

enum { ROWS_MAX = 64 };

typedef struct frames {
    const gt_body *body;
    geo_pose poses[ROWS_MAX];
    gt_penetration found[ROWS_MAX];
    double seconds[ROWS_MAX]; /* CPU time */
} frames;

static void time_frames(void *context, size_t begin, size_t end)
{
    frames *const f = context;
    gt_penetration_space *const space = gt_penetration_space_create();
    for (size_t i = begin; i < end; i++) {
        const double start = now_s(CLOCK_THREAD_CPUTIME_ID);
        gt_penetration_query(f->body, f->body, &f->poses[i], space, &f->found[i]);
        f->seconds[i] = now_s(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    gt_penetration_space_destroy(space);
}

Test(depth_sweeps, bunny_times)
{
    if (!shared_is_there()) {
        printf("bunny: skipped, ../shared is not there\n");
        return;
    }
    static frames f;
    SCOPED_SHAPE bunny = shape_load("../shared/models/oded-bunny_hr.off");
    reference r = reference_read("bunny-bunny-volume");
    const size_t count = r.trajectory.rows < ROWS_MAX ? r.trajectory.rows : ROWS_MAX;
    f.body = bunny.body;
    for (size_t i = 0; i < count; i++) {
        f.poses[i] = reference_pose(&r, i);
    }
    for (unsigned threads = 1; threads <= 2; threads++) {
        const double start = now_s(CLOCK_MONOTONIC);
        base_parallel_for(count, 1, threads, time_frames, &f);
        const double wall = now_s(CLOCK_MONOTONIC) - start;
        double cpu = 0, longest = 0, width = 0, widest = 0;
        for (size_t i = 0; i < count; i++) {
            const gt_bracket depth = f.found[i].depth_m;
            cpu += f.seconds[i];
            longest = fmax(longest, f.seconds[i]);
            width += 1 - depth.lo / depth.hi;
            widest = fmax(widest, 1 - depth.lo / depth.hi);
        }
        const double n = (double)count;
        printf("bunny, %zu frames on %u threads: %.3f s a frame; CPU %.3f s, at most %.3f s; "
               "brackets %.2f %% wide, at most %.2f %%\n",
               count, threads, wall / n, cpu / n, longest, 100 * width / n, 100 * widest);
        cr_assert(widest < 0.02);
    }
    reference_release(&r);
}
