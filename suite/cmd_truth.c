#include "suite/suite.h"

#include "geometry/csv.h"
#include "geometry/pose.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct truth_options {
    const char *a, *b, *trajectory, *quantity, *method, *format, *cache;
    uint64_t threads;
    bool no_cache, quiet;
} truth_options;

/* --- What is asked -----------------------------------------------------------------------------
 */

/** One truth: a pair, its poses and which methods answer what. */
typedef struct truth_job {
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;  /* owned; in the frame of the pair */
    gt_truth *truths; /* owned */
    unsigned want;    /* mask of GT_WANT_* */
    bool brute;       /* distance by brute force, without cache */
    gt_options options;
    bench_progress progress;
    size_t done; /* frames of the chunks before */
} truth_job;

/** "brute", "tetra", "bvh,tetra", ...: only what exists, and only for what is asked. */
static geo_status parse_method(const char *text, unsigned want, bool *brute, geo_error *err)
{
    *brute = false;
    while (text && *text) {
        const size_t length = strcspn(text, ",+");
        const bool tetra = length == 5 && strncmp(text, "tetra", length) == 0;
        const bool bvh = length == 3 && strncmp(text, "bvh", length) == 0;
        const bool slow = length == 5 && strncmp(text, "brute", length) == 0;
        if (!tetra && !bvh && !slow) {
            return geo_fail(err, GEO_ERR_ARGUMENT,
                            "unknown method '%.*s': bvh or brute (distance), tetra (volume)",
                            (int)length, text);
        }
        if (!(want & (tetra ? GT_WANT_VOLUME : GT_WANT_DISTANCE))) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "method '%.*s' answers %s, which is not asked",
                            (int)length, text, tetra ? "volume" : "distance");
        }
        *brute |= slow;
        text += length;
        text += *text != '\0';
    }
    return GEO_OK;
}

static geo_status open_scenario(truth_job *job, const truth_options *o, const char *name,
                                geo_error *err)
{
    scn_experiment experiment;
    const scn_scenario *scenario;
    geo_status status = bench_scenario_open(name, &experiment, &scenario, err);
    if (status != GEO_OK) {
        return status;
    }
    if (!o->quantity) {
        job->want = bench_quantities_truth(scenario->quantities);
    }
    status = bench_pair_open(scenario->a, scenario->b, &job->pair, err);
    if (status == GEO_OK) {
        status = bench_pair_trajectory(&job->pair, &scenario->motion, job->options.cache_directory,
                                       o->quiet, &job->trajectory, err);
    }
    scn_experiment_release(&experiment);
    return status;
}

static geo_status open_files(truth_job *job, const truth_options *o, geo_error *err)
{
    const geo_status status = scn_trajectory_read(o->trajectory, &job->trajectory, err);
    return status == GEO_OK ? bench_pair_open(o->a, o->b, &job->pair, err) : status;
}

/** Asked for both of bodies that have no volume: what remains is answered. */
static geo_status check_volume(truth_job *job, geo_error *err)
{
    if (!(job->want & GT_WANT_VOLUME) || job->pair.has_volume) {
        return GEO_OK;
    }
    if (job->want == GT_WANT_VOLUME) {
        const bench_body *const bad = job->pair.a.report.solid ? &job->pair.b : &job->pair.a;
        return geo_fail(err, GEO_ERR_INPUT, "there is no volume: '%s' is not a solid",
                        bad->reference);
    }
    job->want &= ~(unsigned)GT_WANT_VOLUME;
    return GEO_OK;
}

static geo_status make_poses(truth_job *job, geo_error *err)
{
    const size_t count = job->trajectory.frame_count;
    job->poses = geo_alloc(count, sizeof *job->poses);
    job->truths = geo_alloc(count, sizeof *job->truths);
    if (!job->poses || !job->truths) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        const scn_frame *const frame = &job->trajectory.frames[i];
        job->poses[i] = bench_pair_pose(&job->pair, frame->position, frame->orientation);
    }
    return GEO_OK;
}

/* --- Computing ----------------------------------------------------------------------------------
 */

static void report_progress(void *context, size_t done, size_t total)
{
    truth_job *const job = context;
    (void)total;
    bench_progress_update(&job->progress, job->done + done, job->trajectory.frame_count);
}

typedef struct brute_slice {
    const truth_job *job;
    size_t first;
} brute_slice;

static void brute_frames(void *context, size_t begin, size_t end)
{
    const brute_slice *const slice = context;
    const truth_job *const job = slice->job;
    for (size_t i = slice->first + begin; i < slice->first + end; i++) {
        gt_distance result;
        gt_distance_brute(job->pair.a.truth, job->pair.b.truth, &job->poses[i], &result);
        job->truths[i].distance_m = result.distance_m;
    }
}

/** Truth of frames [first, first + count). */
static geo_status compute(truth_job *job, size_t first, size_t count, geo_error *err)
{
    const unsigned cached = job->brute ? job->want & ~(unsigned)GT_WANT_DISTANCE : job->want;
    gt_truth *const truths = job->truths + first;
    if (cached) {
        const geo_status status =
            gt_trajectory_truth(job->pair.a.truth, job->pair.b.truth, job->poses + first, count,
                                cached, &job->options, truths, err);
        if (status != GEO_OK) {
            return status;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            truths[i] = (gt_truth){GT_NONE, GT_NONE, 1};
        }
    }
    if (job->brute) {
        brute_slice slice = {job, first};
        geo_parallel_for(count, 1, job->options.threads, brute_frames, &slice);
    }
    return GEO_OK;
}

/* --- Printing ------------------------------------------------------------------------------------
 */

static const char *method_name(const truth_job *job)
{
    if (!job->brute) {
        return gt_method_name(job->want);
    }
    return job->want & GT_WANT_VOLUME ? "brute+tetra" : "brute";
}

static void put_bracket(geo_csv_writer *writer, bool asked, gt_bracket bracket)
{
    if (asked && gt_known(bracket)) {
        geo_csv_put_number(writer, bracket.lo);
        geo_csv_put_number(writer, bracket.hi);
    } else {
        geo_csv_put_empty(writer);
        geo_csv_put_empty(writer);
    }
}

static void print_frames(const truth_job *job, size_t first, size_t count)
{
    geo_csv_writer writer = {.file = stdout};
    for (size_t i = first; i < first + count; i++) {
        const gt_truth *const truth = &job->truths[i];
        geo_csv_put_count(&writer, i);
        put_bracket(&writer, job->want & GT_WANT_DISTANCE, truth->distance_m);
        put_bracket(&writer, job->want & GT_WANT_VOLUME, truth->volume_m3);
        geo_csv_put_text(&writer, method_name(job));
        geo_csv_put_count(&writer, (uint64_t)truth->certified);
        geo_csv_end(&writer);
    }
    fflush(stdout);
}

/**
 * In chunks of about a second, so that rows come out as they are found and an interrupt ends after
 * whole rows.
 */
static geo_status compute_and_print(truth_job *job, geo_error *err)
{
    const uint64_t short_ns = 500000000, long_ns = 2000000000;
    const size_t total = job->trajectory.frame_count;
    puts("frame,dist_lo_m,dist_hi_m,vol_lo_m3,vol_hi_m3,method,certified");
    geo_status status = GEO_OK;
    for (size_t chunk = 1; status == GEO_OK && job->done < total;) {
        const size_t left = total - job->done, count = left < chunk ? left : chunk;
        const uint64_t start_ns = bench_now_ns();
        status = compute(job, job->done, count, err);
        if (status == GEO_OK) {
            print_frames(job, job->done, count);
            job->done += count;
        }
        if (bench_interrupted() || ferror(stdout)) {
            break;
        }
        const uint64_t took_ns = bench_now_ns() - start_ns;
        chunk = took_ns < short_ns ? 2 * chunk : took_ns > long_ns && chunk > 1 ? chunk / 2 : chunk;
    }
    return status;
}

static geo_status run_job(truth_job *job, const truth_options *o, const char *scenario,
                          geo_error *err)
{
    geo_status status = GEO_OK;
    job->want = GT_WANT_DISTANCE | GT_WANT_VOLUME;
    if (o->quantity) {
        unsigned quantities = 0;
        status = bench_quantities_parse(o->quantity, &quantities, err);
        job->want = bench_quantities_truth(quantities);
    }
    if (status == GEO_OK) {
        status = scenario ? open_scenario(job, o, scenario, err) : open_files(job, o, err);
    }
    if (status == GEO_OK) {
        status = parse_method(o->method, job->want, &job->brute, err);
    }
    if (status == GEO_OK) {
        status = check_volume(job, err);
    }
    if (status == GEO_OK) {
        status = make_poses(job, err);
    }
    return status == GEO_OK ? compute_and_print(job, err) : status;
}

static void close_job(truth_job *job)
{
    geo_free(job->poses);
    geo_free(job->truths);
    scn_trajectory_release(&job->trajectory);
    bench_pair_close(&job->pair);
}

static int truth(const truth_options *o, const char *scenario)
{
    truth_job job = {
        .options = {.cache_directory = o->no_cache ? NULL : o->cache,
                    .threads = (unsigned)o->threads,
                    .progress = report_progress}
    };
    /* On a terminal the rows themselves show that it goes on. */
    job.progress = bench_progress_start("truth", o->quiet || isatty(STDOUT_FILENO));
    job.options.progress_context = &job;
    bench_catch_interrupts();
    geo_error err = {0};
    const geo_status status = run_job(&job, o, scenario, &err);
    bench_progress_end(&job.progress);
    close_job(&job);
    if (bench_interrupted()) {
        return BENCH_INTERRUPTED;
    }
    return status == GEO_OK ? BENCH_GOOD : bench_error(&err);
}

int bench_cmd_truth(int argc, char **argv)
{
    truth_options o = {.format = "csv", .cache = BENCH_CACHE_DIRECTORY};
    const bench_option options[] = {
        BENCH_OPTION("a", "MESH", &o.a, "fixed body: a model or a mesh file"),
        BENCH_OPTION("b", "MESH", &o.b, "moving body"),
        BENCH_OPTION("trajectory", "FILE", &o.trajectory, "poses of B in A's frame"),
        BENCH_OPTION("quantity", "distance|volume|both", &o.quantity,
                     "what to compute; without it both, or what SCENARIO asks"),
        BENCH_OPTION("method", "M", &o.method,
                     "of distance: bvh or brute; of volume: tetra; or both, with a comma"),
        BENCH_OPTION("format", "csv", &o.format, "form of the rows"),
        BENCH_OPTION("cache", "DIR", &o.cache, "where truth is kept"),
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
            "method and its certificate (2: two methods agree, 1: one method with its own checks,\n"
            "0: neither). SCENARIO is EXPERIMENT/NAME, one of 'proxbench list scenarios'.",
        .notes =
            "Bodies that are no solids have no volume: asked for both, they answer distance "
            "alone.\n\n"
            "Example:\n  proxbench truth --a bolt --b nut --trajectory far.csv --quantity distance",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    const bool files = o.a && o.b && o.trajectory;
    const bool any_file = o.a || o.b || o.trajectory;
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
