/**
 * soak POSES SEED PAIRS: compares the methods of the truth with each other on many random poses of
 * ten pairs of models, half of them degenerate or nearly so. Prints a line for each pair, and with
 * all digits every pose on which two methods differ by more than their slacks; then the exit status
 * is 1. PAIRS is a glob on the names of pairs. The same seed gives the same poses for any number of
 * threads.
 */
#include "base/parallel.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "scenarios/models/models.h"
#include "suite/clock.h"
#include "suite/message.h"
#include "suite/tests/soak_poses.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct soak_pair {
    const char *name, *a, *b;
} soak_pair;

/* Resolutions at which the tetrahedra take some milliseconds per pose. */
static const soak_pair pairs[] = {
    {"bolt-nut", "bolt:triangles=3500", "nut:triangles=1200"},
    {"pump", "pump-housing:triangles=2000", "pump-rotor:triangles=1500"},
    {"quadruped-coral", "quadruped:triangles=5000", "coral:triangles=5000"},
    {"torus-cylinder", "torus:triangles=1200", "cylinder:triangles=600"},
    {"coral-torus", "coral:triangles=5000", "torus:triangles=600"},
    {"sphere-self", "sphere:triangles=1280", "sphere:triangles=1280"},
    {"bolt-self", "bolt:triangles=3500", "bolt:triangles=3500"},
    {"boxes", "box:triangles=300", "cube:triangles=108"},
    {"shell-frame", "nested:triangles=288", "frame:triangles=288"},
    {"shared", "../shared/models/c3d-spot.off", "../shared/models/c3d-rocker-arm.off"},
};

enum {
    PAIR_COUNT = sizeof pairs / sizeof *pairs,
    BATCH = 64,       /* number of poses between two progress messages, and between two lines of
                         faults */
    DEEP_STRIDE = 16, /* one of so many poses is also checked for pairs and depth, which cost
                         more */
    FAULTS_SHOWN = 10 /* per pair */
};

/* The sum of the area vectors of both surfaces of an overlap is at most this part of the smaller
 * surface: they cancel, but the exchanged pose is rounded. */
#define GRADIENT_RELATIVE 1e-10

/* --- One pose --------------------------------------------------------------------------------- */

typedef struct finding {
    soak_spot spot;
    double volume_ratio, swap_ratio, gradient_ratio; /* disagreement relative to its bound */
    double depth_width;                              /* width of the bracket, relative to its
                                                        upper end */
    bool overlap, touching;
    char fault[1100]; /* "" if there is no fault */
} finding;

/** Value and slack of a bracket, as in gt_truth. */
static double value_of(gt_bracket v)
{
    return v.lo > 0 ? 0.5 * (v.lo + v.hi) : 0;
}

static double slack_of(gt_bracket v)
{
    return v.lo > 0 ? 0.5 * (v.hi - v.lo) : v.hi;
}

/**
 * Returns the difference relative to the sum of the slacks. A bracket that begins at 0 does not
 * determine its value, so the result is 0 if both contain a common value.
 */
static double disagreement(gt_bracket x, gt_bracket y)
{
    if ((x.lo == 0 || y.lo == 0) && x.lo <= y.hi && y.lo <= x.hi) {
        return 0;
    }
    const double difference = fabs(value_of(x) - value_of(y));
    return difference > 0 ? difference / (slack_of(x) + slack_of(y)) : 0;
}

static bool sound(gt_bracket v)
{
    return v.lo >= 0 && v.lo <= v.hi;
}

static void judge(const bench_pair *pair, const geo_pose *pose, const gt_distance *d,
                  const gt_volume *t, const gt_flux *f, const gt_flux *g, finding *found)
{
    const gt_bracket tetra = t->volume_m3, flux = f->volume_m3, swapped = g->volume_m3;
    const double area = fmin(pair->a.report.measure.area_m2, pair->b.report.measure.area_m2);
    const vec3 both = vec3_add(f->gradient_m2, geo_pose_rotate(pose, g->gradient_m2));
    found->overlap = tetra.lo > 0;
    found->touching = d->distance_m.hi == 0 && !found->overlap;
    found->volume_ratio = disagreement(tetra, flux);
    found->swap_ratio = disagreement(flux, swapped);
    found->gradient_ratio = found->spot.snapped ? 0 : vec3_norm(both) / (GRADIENT_RELATIVE * area);
    const char *const fault =
        f->flaws || g->flaws                                    ? "flux met a contradiction"
        : !sound(tetra) || !sound(flux) || !sound(swapped)      ? "a bracket is none"
        : !(found->volume_ratio <= 1)                           ? "tetra and flux disagree"
        : !(found->swap_ratio <= 1)                             ? "flux is not symmetric"
        : !(found->gradient_ratio <= 1)                         ? "the overlap is not closed"
        : d->distance_m.lo > 0 && (tetra.lo > 0 || flux.lo > 0) ? "apart, but with a volume"
                                                                : NULL;
    if (fault) {
        snprintf(found->fault, sizeof found->fault,
                 "%s: distance [%.17g, %.17g], tetra [%.17g, %.17g], flux [%.17g, %.17g], "
                 "exchanged [%.17g, %.17g], open by %.3g m2",
                 fault, d->distance_m.lo, d->distance_m.hi, tetra.lo, tetra.hi, flux.lo, flux.hi,
                 swapped.lo, swapped.hi, vec3_norm(both));
    }
}

/**
 * Compares the triangle pairs of both methods, and checks the depth: it must be positive where the
 * bodies overlap, and it must separate them. The volume that remains after the translation is
 * computed by flux.
 */
static void judge_deep(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_penetration_space *places, gt_flux_space *space, finding *found)
{
    gt_penetration p;
    gt_flux left;
    base_error err = {0};
    const uint64_t by_tree = gt_pairs_query(a, b, pose), by_all = gt_pairs_brute(a, b, pose);
    gt_penetration_query(a, b, pose, places, &p);
    geo_pose moved = *pose;
    moved.translation = vec3_add(moved.translation, vec3_scale(p.depth_m.hi, p.direction));
    /* Only for depths that are large enough. */
    found->depth_width = p.depth_m.hi > 0.01 * a->reach ? 1 - p.depth_m.lo / p.depth_m.hi : 0;
    const base_status status = gt_flux_query(a, b, &moved, space, &left, &err);
    const char *const fault = status != BASE_OK                     ? "no flux"
                              : by_tree != by_all                   ? "numbers of pairs differ"
                              : !sound(p.depth_m)                   ? "a depth is no bracket"
                              : found->overlap && p.depth_m.hi == 0 ? "overlap without a depth"
                              : p.depth_m.hi > 0 && left.volume_m3.lo > 0
                                  ? "the way out is too short"
                                  : NULL;
    if (fault && !found->fault[0]) {
        snprintf(found->fault, sizeof found->fault,
                 "%s: %llu pairs by the tree, %llu by all, depth [%.17g, %.17g], %.3g m3 left",
                 fault, (unsigned long long)by_tree, (unsigned long long)by_all, p.depth_m.lo,
                 p.depth_m.hi, left.value_m3);
    }
}

/** The work of the threads: poses [first, first + BATCH) of a pair. */
typedef struct batch {
    const bench_pair *pair;
    uint64_t seed;
    size_t first;
    finding findings[BATCH];
} batch;

static void examine(void *context, size_t begin, size_t end)
{
    batch *const work = context;
    const gt_body *const a = work->pair->a.truth, *const b = work->pair->b.truth;
    gt_flux_space *const space = gt_flux_space_create();
    gt_penetration_space *const places = gt_penetration_space_create();
    for (size_t i = begin; i < end; i++) {
        finding *const found = &work->findings[i];
        base_random random = base_random_seed(work->seed + work->first + i);
        *found = (finding){.spot = soak_spot_make(work->pair, work->first + i, &random)};
        const geo_pose pose =
            bench_pair_pose(work->pair, found->spot.position, found->spot.orientation);
        const geo_pose inverse = geo_pose_inverse(&pose);
        gt_distance d;
        gt_volume t;
        gt_flux f, g;
        base_error err = {0};
        gt_distance_query(a, b, &pose, &d);
        gt_volume_query(a, b, &pose, &t);
        if (!space || !places || gt_flux_query(a, b, &pose, space, &f, &err) != BASE_OK ||
            gt_flux_query(b, a, &inverse, space, &g, &err) != BASE_OK) {
            snprintf(found->fault, sizeof found->fault, "no flux: %s", err.text);
            continue;
        }
        judge(work->pair, &pose, &d, &t, &f, &g, found);
        if ((work->first + i) % DEEP_STRIDE == work->first / DEEP_STRIDE % DEEP_STRIDE) {
            judge_deep(a, b, &pose, places, space, found); /* cycles through the kinds of poses */
        }
    }
    gt_penetration_space_destroy(places);
    gt_flux_space_destroy(space);
}

/* --- One pair --------------------------------------------------------------------------------- */

typedef struct tally {
    size_t poses, overlaps, touches, faults;
    double volume_ratio, swap_ratio, gradient_ratio, depth_width;
} tally;

static void print_fault(const char *name, size_t index, const finding *found)
{
    const vec3 p = found->spot.position;
    const geo_quat q = found->spot.orientation;
    printf("%s, pose %zu: %s\n  frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n"
           "  0,0,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
           name, index, found->fault, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
}

static void count(tally *sum, const char *name, size_t index, const finding *found)
{
    sum->poses++;
    sum->overlaps += found->overlap;
    sum->touches += found->touching;
    sum->volume_ratio = fmax(sum->volume_ratio, found->volume_ratio);
    sum->swap_ratio = fmax(sum->swap_ratio, found->swap_ratio);
    sum->gradient_ratio = fmax(sum->gradient_ratio, found->gradient_ratio);
    sum->depth_width = fmax(sum->depth_width, found->depth_width);
    if (found->fault[0]) {
        if (sum->faults++ < FAULTS_SHOWN) {
            print_fault(name, index, found);
        }
    }
}

static base_status soak(const soak_pair *what, size_t poses, uint64_t seed, tally *sum,
                        base_error *err)
{
    bench_pair pair;
    base_status status = bench_pair_open(what->a, what->b, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status = gt_body_tetrahedralise(pair.a.truth, NULL, err);
    if (status == BASE_OK) {
        status = gt_body_tetrahedralise(pair.b.truth, NULL, err);
    }
    bench_progress progress = bench_progress_start(what->name, false);
    batch work = {.pair = &pair, .seed = seed};
    for (; status == BASE_OK && work.first < poses; work.first += BATCH) {
        const size_t left = poses - work.first, n = left < BATCH ? left : BATCH;
        base_parallel_for(n, 4, 0, examine, &work);
        for (size_t i = 0; i < n; i++) {
            count(sum, what->name, work.first + i, &work.findings[i]);
        }
        bench_progress_update(&progress, work.first + n, poses);
    }
    bench_progress_end(&progress);
    bench_pair_close(&pair);
    return status;
}

static void print_tally(const char *name, const tally *sum, double seconds)
{
    printf("%-16s %8zu poses %8zu overlap %6zu touch   worst of the bound: tetra-flux %.3g, "
           "exchanged %.3g, open %.3g   depth within %.3g %%   %zu disagree   %.1f s\n",
           name, sum->poses, sum->overlaps, sum->touches, sum->volume_ratio, sum->swap_ratio,
           sum->gradient_ratio, 100 * sum->depth_width, sum->faults, seconds);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const size_t poses = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *const glob = argc > 3 ? argv[3] : "*";
    const uint64_t start_ns = bench_now_ns();
    size_t total = 0, faults = 0;
    for (size_t i = 0; i < PAIR_COUNT; i++) {
        const bool file = scn_mesh_is_file(pairs[i].a);
        if (fnmatch(glob, pairs[i].name, 0) != 0) {
            continue;
        }
        if (file && access(pairs[i].a, R_OK) != 0) {
            printf("%-16s skipped: ../shared is not there\n", pairs[i].name);
            continue;
        }
        const uint64_t pair_ns = bench_now_ns();
        /* The seeds are far apart, so that no two pairs draw the same numbers. */
        const uint64_t own_seed = (seed * PAIR_COUNT + i) << 32;
        tally sum = {0};
        base_error err = {0};
        if (soak(&pairs[i], (poses + PAIR_COUNT - 1) / PAIR_COUNT, own_seed, &sum, &err) !=
            BASE_OK) {
            return bench_error(&err);
        }
        print_tally(pairs[i].name, &sum, 1e-9 * (double)(bench_now_ns() - pair_ns));
        total += sum.poses;
        faults += sum.faults;
    }
    printf("seed %llu: %zu poses, %zu disagree, %.1f s\n", (unsigned long long)seed, total, faults,
           1e-9 * (double)(bench_now_ns() - start_ns));
    return total == 0 || faults > 0 ? BENCH_WRONG : BENCH_GOOD;
}
