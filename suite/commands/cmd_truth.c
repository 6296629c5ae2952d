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

/* --- Parameters ------------------------------------------------------------------------------- */

/** A computation of truth: a pair, its poses, and the methods for each quantity. */
typedef struct truth_job {
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* owned; in the frame of the pair */
    gt_truth *truths; /* owned */
    unsigned want;    /* mask of GT_WANT_* */
    gt_options options;
    bench_progress progress;
    size_t printed;   /* number of rows */
    const char *name; /* name of the scenario, or of the trajectory's file */
    bool wrong;       /* the truth of a frame contradicts its known value */
} truth_job;

/** Writes the quantities that a method answers: "distance", "volume and force". */
static void name_answers(gt_method method, char *text, size_t size)
{
    size_t used = 0;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        if (gt_methods_answering(1u << q) & 1u << method) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " and " : "",
                                     gt_quantities[q].name);
        }
    }
}

enum { METHODS_BYTES = 512 };

/** Writes all methods with the quantities that they answer: "bvh (distance), ...". */
static void list_methods(char text[METHODS_BYTES])
{
    size_t used = 0;
    for (int m = 0; m < GT_METHOD_COUNT && used < METHODS_BYTES; m++) {
        char answers[64] = "";
        name_answers((gt_method)m, answers, sizeof answers);
        used += (size_t)snprintf(text + used, METHODS_BYTES - used, "%s%s (%s)", m > 0 ? ", " : "",
                                 gt_method_names[m], answers);
    }
}

/** Parses "flux", "bvh,brute", ... as a mask of GT_BY_*. */
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
            char all[METHODS_BYTES];
            list_methods(all);
            return base_fail(err, BASE_ERR_ARGUMENT, "unknown method '%.*s': %s",
                             (int)(length < 100 ? length : 100), text, all);
        }
        *methods |= 1u << m;
        if (!text[length]) {
            return BASE_OK;
        }
        text += length + 1;
    }
}

/**
 * Returns the default methods: all except those that test all pairs of triangles, which are added
 * depending on the number of pairs.
 */
static unsigned default_methods(unsigned want)
{
    return gt_methods_answering(want) & ~(unsigned)(GT_BY_BRUTE | GT_BY_ALL_PAIRS);
}

/**
 * Chooses quantities and methods. --method and --quantity must fit; without --quantity the methods
 * determine the quantities.
 */
static base_status choose(const truth_options *o, unsigned *want, unsigned *methods,
                          base_error *err)
{
    unsigned quantities = ALG_WANT_DISTANCE | ALG_WANT_VOLUME;
    base_status status = o->method ? parse_methods(o->method, methods, err) : BASE_OK;
    if (status == BASE_OK && o->quantity) {
        status = bench_quantities_parse(o->quantity, &quantities, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    *want = bench_quantities_truth(quantities);
    if (!o->method) {
        *methods = default_methods(*want);
        return BASE_OK;
    }
    if (!o->quantity) {
        /* The method that answers forces also answers volumes. A force needs --quantity. */
        *want = gt_quantities_answered(*methods) & ~(unsigned)GT_WANT_FORCE;
        return BASE_OK;
    }
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        if ((*methods & 1u << m) && !(gt_quantities_answered(1u << m) & *want)) {
            char answers[64];
            name_answers((gt_method)m, answers, sizeof answers);
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "method '%s' answers %s, which is not requested", gt_method_names[m],
                             answers);
        }
    }
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        if (*want & ~gt_quantities_answered(*methods) & 1u << q) {
            return base_fail(err, BASE_ERR_ARGUMENT, "method '%s' does not answer %s", o->method,
                             gt_quantities[q].name);
        }
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
        job->options.methods = default_methods(job->want);
    }
    status = bench_pair_open(scenario->a, scenario->b, &job->pair, err);
    if (status == BASE_OK) {
        status = bench_pair_trajectory(&job->pair, &scenario->motion, job->options.cache_directory,
                                       o->quiet, &job->trajectory, err);
    }
    scn_experiment_release(&experiment);
    return status;
}

/**
 * Drops the quantities that need solids if a body is not a solid. It is an error if no other
 * quantity is left.
 */
static base_status check_solids(truth_job *job, base_error *err)
{
    unsigned of_solids = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        of_solids |= bench_quantities[q].needs_solids ? bench_quantities[q].truth : 0;
    }
    if (!(job->want & of_solids) || job->pair.has_volume) {
        return BASE_OK;
    }
    if (!(job->want & ~of_solids)) {
        const bench_body *const bad = job->pair.a.report.solid ? &job->pair.b : &job->pair.a;
        return base_fail(err, BASE_ERR_INPUT, "there is no %s: '%s' is not a solid",
                         job->want & GT_WANT_VOLUME  ? "volume"
                         : job->want & GT_WANT_DEPTH ? "depth"
                                                     : "force",
                         bad->reference);
    }
    job->want &= ~of_solids;
    return BASE_OK;
}

/**
 * The largest number of pairs of triangles for which brute force is used by default. It takes a few
 * milliseconds per frame, and about a second for the worst pair, two balls with the same centre
 * (measured, one thread).
 */
#define BRUTE_PAIRS 1e8

/* --- Output ----------------------------------------------------------------------------------- */

/** Prints rows as they are found. An interrupt ends the output after whole rows. */
static bool print_ready(void *context, size_t done, size_t ready, size_t total)
{
    truth_job *const job = context;
    base_csv_writer writer = {.file = stdout};
    bench_progress_update(&job->progress, done, total);
    while (job->printed < ready) {
        const size_t frame = job->printed++;
        const scn_known *const known = &job->trajectory.frames[frame].known;
        gt_truth *const truth = &job->truths[frame];
        bench_truth_row row;
        job->wrong |= !bench_known_check(&job->pair, job->name, &job->trajectory, frame,
                                         &job->poses[frame], truth);
        bench_truth_row_fill(frame, truth, known, &row);
        bench_columns_put(bench_truth_columns, &row, &writer);
        base_csv_end(&writer);
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
        bench_truth_warn_doubts(job->name, job->truths, job->trajectory.frame_count);
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
    if (scenario) {
        status = open_scenario(job, o, scenario, err);
    } else {
        const bench_bodies bodies = {o->a, o->b, o->scale_a, o->scale_b};
        status = bench_bodies_open(&bodies, &job->pair, err);
        if (status == BASE_OK) {
            status = bench_trajectory_read(&job->pair, o->trajectory, &job->trajectory, err);
        }
    }
    if (status != BASE_OK) {
        return status;
    }
    status = check_solids(job, err);
    if (status != BASE_OK) {
        return status;
    }
    const double triangle_pairs =
        (double)job->pair.a.mesh.face_count * (double)job->pair.b.mesh.face_count;
    if (!o->method && triangle_pairs <= BRUTE_PAIRS) {
        job->options.methods |= GT_BY_BRUTE | GT_BY_ALL_PAIRS;
    } else if (!o->method && (job->want & GT_WANT_DISTANCE)) {
        bench_warn("distances have certificate 1: a second method may take long for %.2g pairs of "
                   "triangles; '--method bvh,brute%s' includes it",
                   triangle_pairs, job->want & GT_WANT_VOLUME ? ",flux,tetra" : "");
    }
    status = bench_pair_poses(&job->pair, &job->trajectory, &job->poses, err);
    return status == BASE_OK ? compute_and_print(job, err) : status;
}

static int truth(const truth_options *o, const char *scenario)
{
    truth_job job = {
        .options = {.cache_directory = o->no_cache ? NULL : bench_cache_directory(o->cache),
                    .threads = (unsigned)o->threads,
                    .interrupted = bench_interrupted,
                    .progress = print_ready},
        .name = scenario ? scenario : o->trajectory};
    /* On a terminal, the rows themselves show the progress. */
    job.progress = bench_progress_start("truth", o->quiet || isatty(STDOUT_FILENO));
    job.options.progress_context = &job;
    bench_catch_interrupts();
    base_error err = {0};
    const base_status status = run_job(&job, o, scenario, &err);
    bench_progress_end(&job.progress);
    base_free(job.poses);
    base_free(job.truths);
    scn_trajectory_release(&job.trajectory);
    bench_pair_close(&job.pair);
    if (bench_interrupted()) {
        return BENCH_INTERRUPTED;
    }
    return status != BASE_OK ? bench_error(&err) : job.wrong ? BENCH_WRONG : BENCH_GOOD;
}

int bench_cmd_truth(int argc, char **argv)
{
    truth_options o = {.format = "csv", .scale_a = 1, .scale_b = 1};
    char methods[METHODS_BYTES], method_help[METHODS_BYTES + 128];
    list_methods(methods);
    snprintf(method_help, sizeof method_help,
             "separated by commas: %s; default: all, but brute and all-pairs only for up to 1e8 "
             "pairs of "
             "triangles",
             methods);
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(o),
        BENCH_OPTION("trajectory", "FILE", &o.trajectory, "poses of B in A's frame, in metres"),
        BENCH_OPTION("quantity", "Q", &o.quantity,
                     "distance, volume, contact, depth, force, or several with '+' between them "
                     "(default: distance and volume, or the quantities of SCENARIO)"),
        BENCH_OPTION("method", "M", &o.method, method_help),
        BENCH_OPTION("format", "csv", &o.format, "format of the rows"),
        BENCH_OPTION("cache", "DIR", &o.cache, "folder of the cache of truth"),
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
            "Prints the exact answers of every frame as brackets (lower and upper end), with the "
            "methods that answered and a certificate: 2 two methods agree, 1 one method with its "
            "own checks, 0 neither. 'proxbench list columns' explains the columns. SCENARIO is "
            "EXPERIMENT/NAME, as in 'proxbench list scenarios'.",
        .notes =
            "Bodies that are not solids have no volume, depth and force; then only the other "
            "quantities are computed.\n"
            "\n"
            "Two methods of a quantity check each other. --method flux alone is fast; flux,tetra "
            "gives certificate 2. So do bvh,brute for distances and hull,edges for the depth of "
            "convex bodies. Without --method, brute is omitted for more than 1e8 pairs of "
            "triangles; distances then have certificate 1, with a warning. --method "
            "bvh,brute,flux,tetra includes it. For more than 1e11 pairs brute checks a sample of "
            "the frames, and edges does so for more than 1e6 pairs; brute without a second "
            "method answers every frame. If TetGen rejects a body, its volume is that of flux "
            "alone, with certificate 1. A message gives the reason of each certificate 0.\n"
            "\n"
            "If the exact answer is known (columns known_distance_m and known_volume_m3 of a "
            "trajectory, or a scenario that gives it), a truth that does not contain it is not "
            "certified, and the exit status is 1.\n"
            "\n"
            "Example:\n"
            "  proxbench truth --a bolt --b nut --trajectory far.csv --quantity distance",
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
