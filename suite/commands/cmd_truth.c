#include "base/csv.h"
#include "base/memory.h"
#include "geometry/types.h"
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/quantity.h"
#include "suite/share.h"
#include "suite/results/truth.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct truth_options {
    const char *a, *b, *trajectory, *quantity, *method, *format, *cache;
    double scale_a, scale_b;
    uint64_t threads;
    bool no_cache, quiet;
} truth_options;

/* --- What is asked ---------------------------------------------------------------------------- */

/** One truth: a pair, its poses and which methods answer what. */
typedef struct truth_job {
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* owned; in the frame of the pair */
    gt_truth *truths; /* owned */
    unsigned want;    /* mask of GT_WANT_* */
    bool depth;       /* asked too */
    gt_options options;
    bench_progress progress;
    size_t printed;   /* rows */
    const char *name; /* of the scenario, or of the trajectory's file */
    bool wrong;       /* a frame does not hold what is known of it */
} truth_job;

/** Quantities that `methods` answer. */
static unsigned answered_by(unsigned methods)
{
    return (methods & GT_BY_DISTANCE ? (unsigned)GT_WANT_DISTANCE : 0) |
           (methods & GT_BY_VOLUME ? (unsigned)GT_WANT_VOLUME : 0);
}

/** "flux", "bvh,brute", ... to a mask of GT_BY_*. */
static base_status parse_methods(const char *text, unsigned *methods, base_error *err)
{
    *methods = 0;
    for (;;) {
        const size_t length = strcspn(text, ",+");
        int m = 0;
        while (m < GT_METHOD_COUNT && (strlen(gt_method_names[m]) != length ||
                                       strncmp(gt_method_names[m], text, length) != 0)) {
            m++;
        }
        if (m == GT_METHOD_COUNT) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "unknown method '%.*s': bvh or brute (distance), flux or tetra "
                             "(volume)",
                             (int)(length < 100 ? length : 100), text);
        }
        *methods |= 1u << m;
        if (!text[length]) {
            return BASE_OK;
        }
        text += length + 1;
    }
}

/** Depth comes with the distance, which says whether there is any. */
static bool depth_asked(const truth_options *o)
{
    return o->quantity && strcmp(o->quantity, "depth") == 0;
}

/** --method and --quantity must fit; without --quantity the methods decide. */
static base_status choose(const truth_options *o, unsigned *want, unsigned *methods,
                          base_error *err)
{
    *methods = GT_BY_BVH | GT_BY_VOLUME;
    if (o->method) {
        const base_status status = parse_methods(o->method, methods, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    *want = answered_by(*methods);
    if (!o->quantity) {
        return BASE_OK;
    }
    unsigned quantities = 0;
    const char *const quantity = depth_asked(o) ? "distance" : o->quantity;
    const base_status status = bench_quantities_parse(quantity, &quantities, err);
    if (status != BASE_OK) {
        return status;
    }
    *want = bench_quantities_truth(quantities);
    const unsigned unasked = o->method ? answered_by(*methods) & ~*want : 0;
    const unsigned unanswered = *want & ~answered_by(*methods);
    if (unasked || unanswered) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         unasked ? "method '%s' answers %s, which is not asked"
                                 : "method '%s' does not answer %s",
                         o->method, bench_quantities_name(unasked ? unasked : unanswered).text);
    }
    return BASE_OK;
}

static base_status open_scenario(truth_job *job, const truth_options *o, const char *name,
                                 base_error *err)
{
    scn_experiment experiment;
    const scn_scenario *scenario;
    base_status status = bench_scenario_open(name, &experiment, &scenario, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!o->quantity && !o->method) {
        job->want = bench_quantities_truth(scenario->quantities);
    }
    status = bench_pair_open(scenario->a, scenario->b, &job->pair, err);
    if (status == BASE_OK) {
        status = bench_pair_trajectory(&job->pair, &scenario->motion, job->options.cache_directory,
                                       o->quiet, &job->trajectory, err);
    }
    scn_experiment_release(&experiment);
    return status;
}

static base_status open_files(truth_job *job, const truth_options *o, base_error *err)
{
    const bench_bodies bodies = {o->a, o->b, o->scale_a, o->scale_b};
    const base_status status = scn_trajectory_read(o->trajectory, &job->trajectory, err);
    return status == BASE_OK ? bench_bodies_open(&bodies, &job->pair, err) : status;
}

/** Without a volume, because a body is no solid, the distance alone is answered. */
static base_status check_volume(truth_job *job, base_error *err)
{
    if (!(job->want & GT_WANT_VOLUME) || job->pair.has_volume) {
        return BASE_OK;
    }
    if (job->want == GT_WANT_VOLUME) {
        const bench_body *const bad = job->pair.a.report.solid ? &job->pair.b : &job->pair.a;
        return base_fail(err, BASE_ERR_INPUT, "there is no volume: '%s' is not a solid",
                         bad->reference);
    }
    job->want &= ~(unsigned)GT_WANT_VOLUME;
    return BASE_OK;
}

/**
 * Pairs of triangles up to which brute force is asked unasked: a few milliseconds a frame, and about
 * a second for the worst pair there is, two balls around one centre (measured, one thread).
 */
#define BRUTE_PAIRS 1e8

/** Without --method distances have their second method where it costs little. */
static void choose_brute(truth_job *job)
{
    const double of_a = (double)job->pair.a.mesh.face_count;
    const double of_b = (double)job->pair.b.mesh.face_count;
    if (of_a * of_b <= BRUTE_PAIRS) {
        job->options.methods |= GT_BY_BRUTE;
    } else if (job->want & GT_WANT_DISTANCE) {
        bench_warn("distances have certificate 1: a second method may take long for %.2g pairs of "
                   "triangles; '--method bvh,brute%s' asks it",
                   of_a * of_b, job->want & GT_WANT_VOLUME ? ",flux,tetra" : "");
    }
}

/** Depth is that of convex bodies. */
static base_status make_hulls(truth_job *job, base_error *err)
{
    const bench_body *const bodies[] = {&job->pair.a, &job->pair.b};
    for (int i = 0; i < 2 && job->depth; i++) {
        base_error reason = {0};
        if (gt_body_make_hull(bodies[i]->truth, &reason) != BASE_OK) {
            return base_fail(err, reason.status, "there is no exact depth: '%s': %s",
                             bodies[i]->reference, reason.text);
        }
    }
    return BASE_OK;
}

/* --- Printing --------------------------------------------------------------------------------- */

static void print_frame(base_csv_writer *writer, truth_job *job, size_t frame)
{
    gt_truth *const truth = &job->truths[frame];
    gt_depth depth;
    bench_truth_row row;
    job->wrong |= !bench_known_check(&job->pair, job->name, &job->trajectory, frame,
                                     &job->poses[frame], truth);
    if (job->depth) {
        gt_depth_query(job->pair.a.truth, job->pair.b.truth, &job->poses[frame], &depth);
    }
    bench_truth_row_fill(frame, truth, &job->trajectory.frames[frame].known,
                         job->depth ? &depth : NULL, &row);
    bench_columns_put(bench_truth_columns, &row, writer);
    base_csv_end(writer);
}

/** Rows come out as they are found, and an interrupt ends after whole rows. */
static bool print_ready(void *context, size_t done, size_t ready, size_t total)
{
    truth_job *const job = context;
    base_csv_writer writer = {.file = stdout};
    bench_progress_update(&job->progress, done, total);
    while (job->printed < ready) {
        print_frame(&writer, job, job->printed++);
    }
    fflush(stdout);
    return !bench_interrupted() && !ferror(stdout);
}

static base_status compute_and_print(truth_job *job, base_error *err)
{
    job->truths = base_alloc(job->trajectory.frame_count, sizeof *job->truths);
    if (!job->truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_csv_writer writer = {.file = stdout};
    bench_columns_put_names(bench_truth_columns, &writer);
    base_csv_end(&writer);
    const base_status status = gt_trajectory_truth(job->pair.a.truth, job->pair.b.truth, job->poses,
                                                   job->trajectory.frame_count, job->want,
                                                   &job->options, job->truths, err);
    if (status == BASE_OK) {
        bench_pair_warn_refusals(&job->pair);
    }
    return status;
}

static base_status run_job(truth_job *job, const truth_options *o, const char *scenario,
                           base_error *err)
{
    base_status status = choose(o, &job->want, &job->options.methods, err);
    if (status != BASE_OK) {
        return status;
    }
    status = scenario ? open_scenario(job, o, scenario, err) : open_files(job, o, err);
    if (status != BASE_OK) {
        return status;
    }
    status = check_volume(job, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!o->method) {
        choose_brute(job);
    }
    job->depth = depth_asked(o);
    status = make_hulls(job, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_pair_poses(&job->pair, &job->trajectory, &job->poses, err);
    return status == BASE_OK ? compute_and_print(job, err) : status;
}

static void close_job(truth_job *job)
{
    base_free(job->poses);
    base_free(job->truths);
    scn_trajectory_release(&job->trajectory);
    bench_pair_close(&job->pair);
}

static int truth(const truth_options *o, const char *scenario)
{
    truth_job job = {
        .options = {.cache_directory = o->no_cache ? NULL : bench_cache_directory(o->cache),
                    .threads = (unsigned)o->threads,
                    .interrupted = bench_interrupted,
                    .progress = print_ready},
        .name = scenario ? scenario : o->trajectory
    };
    /* On a terminal the rows themselves show that it goes on. */
    job.progress = bench_progress_start("truth", o->quiet || isatty(STDOUT_FILENO));
    job.options.progress_context = &job;
    bench_catch_interrupts();
    base_error err = {0};
    const base_status status = run_job(&job, o, scenario, &err);
    bench_progress_end(&job.progress);
    close_job(&job);
    if (bench_interrupted()) {
        return BENCH_INTERRUPTED;
    }
    return status != BASE_OK ? bench_error(&err) : job.wrong ? BENCH_WRONG : BENCH_GOOD;
}

int bench_cmd_truth(int argc, char **argv)
{
    truth_options o = {.format = "csv", .scale_a = 1, .scale_b = 1};
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(o),
        BENCH_OPTION("trajectory", "FILE", &o.trajectory, "poses of B in A's frame, in metres"),
        BENCH_OPTION("quantity", "distance|volume|both|depth", &o.quantity,
                     "what to compute; without it both, or what SCENARIO asks"),
        BENCH_OPTION("method", "M", &o.method,
                     "with commas: bvh, brute (distance), flux, tetra (volume); "
                     "default all four, brute for up to 1e8 pairs of triangles"),
        BENCH_OPTION("format", "csv", &o.format, "form of the rows"),
        BENCH_OPTION("cache", "DIR", &o.cache, "where truth is kept"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("no-cache", NULL, &o.no_cache, "neither read nor write the cache"),
        BENCH_OPTION("threads", "N", &o.threads, "0: one per CPU"),
        BENCH_OPTION("quiet", NULL, &o.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "truth SCENARIO [options]\n"
                 "truth --a MESH --b MESH --trajectory FILE [options]",
        .summary =
            "Prints the exact distance and intersection volume of every frame as brackets, with "
            "the\n"
            "methods that answered and a certificate each (2: two methods agree, 1: one method "
            "with "
            "its\nown checks, 0: neither). The columns are in 'proxbench list columns'. SCENARIO "
            "is "
            "EXPERIMENT/NAME,\none of 'proxbench list scenarios'.",
        .notes =
            "Bodies that are no solids have no volume: asked for both, they answer distance "
            "alone.\nTwo methods of a quantity check each other: --method flux alone is fast, "
            "flux,tetra certifies\n2; bvh,brute does so for distances. Without --method brute is "
            "left out of pairs of bodies with\nmore than 1e8 pairs of triangles, whose distances "
            "then have certificate 1: a line says so, and\n--method bvh,brute,flux,tetra asks it "
            "all the same. Beyond 1e11 pairs it checks a sample of the\nframes; brute alone "
            "answers "
            "every frame. A body that TetGen refuses has its volume by flux alone,\ncertificate "
            "1.\nWhere the exact answer is known (columns "
            "known_distance_m and known_volume_m3 of a trajectory,\nor a scenario that says so), a "
            "truth that does not hold it is not certified: exit status 1.\n\n"
            "Example:\n  proxbench truth --a bolt --b nut --trajectory far.csv --quantity distance",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    const bool files = o.a && o.b && o.trajectory;
    const bool any_file = o.a || o.b || o.trajectory || o.scale_a != 1 || o.scale_b != 1;
    if (operands > 1 || (operands == 1 ? any_file : !files)) {
        return bench_usage_error("truth needs either one SCENARIO or --a, --b and --trajectory");
    }
    if (strcmp(o.format, "csv") != 0) {
        return bench_usage_error("unknown format '%s': truth prints csv", o.format);
    }
    if (o.threads > 1024) {
        return bench_usage_error("--threads: %llu are too many", (unsigned long long)o.threads);
    }
    return truth(&o, operands == 1 ? argv[1] : NULL);
}
