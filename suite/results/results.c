/** The files of a run. */
#include "base/csv.h"
#include "base/file.h"
#include "geometry/vec.h"
#include "suite/quantities.h"
#include "suite/results/figures.h"
#include "suite/run/run.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* --- cells.csv -------------------------------------------------------------------------------- */

static const char *const cell_columns[] = {
    "scenario",
    "variant",
    "quantity",
    "status",
    "build_ns",
    "build_bytes",
    "time_mean_ns",
    "time_p50_ns",
    "time_p99_ns",
    "time_max_ns",
    "time_intrinsic_max_ns",
    "time_evicted_p50_ns",
    "distance_error_rel_mean",
    "distance_error_rel_max",
    "distance_error_size_mean",
    "distance_error_size_max",
    "volume_error_rel_mean",
    "volume_error_rel_max",
    "frames_judged_count",
    "violations_count",
    "detail",
    "frames_count",
    "passes_count",
    "primitives_a_count",
    "primitives_b_count",
    "time_p95_ns",
    "time_cold_ns",
    "misses_5ms_count",
    "misses_1ms_count",
    "misses_200us_count",
    "misses_100us_count",
    "tp_count",
    "tn_count",
    "fp_count",
    "fn_count",
    "ambiguous_count",
    "counters",
    "answers_hash",
    "file",
    "launches_count",
    "baseline",
    "below_resolution",
    "alloc_count",
    "contaminated_passes_count",
    "time_max_clean_ns",
    "miss_run_1ms_count",
    "time_p90_ns",
    "time_p999_ns",
    "slowest_frame",
    "rss_bytes",
    "rss_growth_bytes",
    "output_bytes",
    "instructions_mean_count",
    "cycles_mean_count",
    "cache_misses_mean_count",
    "contract",
    "tolerance_ulp",
    "distance_error_size_p99",
    "volume_error_rel_p99",
    "distance_bracket_width_size_p50",
    "distance_bracket_width_size_max",
    "volume_bracket_width_rel_p50",
    "volume_bracket_width_rel_max",
    "budget_reached_count",
    "load_ns",
};

void bench_cells_header(FILE *file)
{
    base_csv_writer w = {.file = file};
    for (size_t i = 0; i < sizeof cell_columns / sizeof *cell_columns; i++) {
        base_csv_put_text(&w, cell_columns[i]);
    }
    base_csv_end(&w);
}

/** "bv_tests_count=1203.5 contacts_count=12": means per frame, in the algorithm's own names. */
static void format_counters(const bench_cell *cell, const bench_summary *s, char *text, size_t size)
{
    text[0] = '\0';
    const char *const *const names =
        cell->warm_count > 0 ? cell->variant.algorithm->counters : NULL;
    for (size_t i = 0, used = 0; names && names[i] && i < ALG_COUNTERS_MAX && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s=%.17g", i ? " " : "", names[i],
                                 s->counter_means[i]);
    }
}

/** "distance=exact volume=upper-bound": what is promised of what was asked. */
static void format_contract(const bench_cell *cell, char *text, size_t size)
{
    static const char *const names[] = {
        [ALG_NOT_ANSWERED] = "none",       [ALG_EXACT] = "exact",
        [ALG_UPPER_BOUND] = "upper-bound", [ALG_LOWER_BOUND] = "lower-bound",
        [ALG_APPROXIMATE] = "approximate",
    };
    size_t used = 0;
    text[0] = '\0';
    for (int q = 0; q < ALG_QUANTITY_COUNT && used < size; q++) {
        if (cell->quantities & 1u << q) {
            const alg_contract contract =
                cell->variant.algorithm->contract(&cell->variant.settings, (alg_quantity)q);
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "",
                                     bench_quantities_name(1u << q), names[contract]);
        }
    }
}

/** What was measured beside the frames' times; empty without a pass. */
static void put_costs(base_csv_writer *w, const bench_cell *cell, const bench_summary *s)
{
    const bool measured = cell->warm_count > 0;
    const double numbers[] = {
        s->allocations,           (double)s->contaminated, s->time_max_clean_ns,
        (double)s->miss_run_1ms,  s->time_p90_ns,          s->time_p999_ns,
        (double)s->slowest_frame, (double)s->rss_bytes,    (double)s->rss_growth_bytes,
        (double)s->output_bytes,  s->instructions_mean,    s->cycles_mean,
        s->cache_misses_mean,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        base_csv_put_number(w, measured ? numbers[i] : (double)NAN);
    }
}

/** Errors beyond mean and maximum, and how wide brackets are. */
static void put_widths(base_csv_writer *w, const bench_cell *cell, const bench_summary *s)
{
    const double numbers[] = {
        s->distance_error_size_p99,         s->volume_error_rel_p99,
        s->distance_bracket_width_size_p50, s->distance_bracket_width_size_max,
        s->volume_bracket_width_rel_p50,    s->volume_bracket_width_rel_max};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        base_csv_put_number(w, numbers[i]);
    }
    cell->pass_count > 0 ? base_csv_put_count(w, s->budget_reached) : base_csv_put_empty(w);
}

void bench_cells_row(FILE *file, const bench_cell *cell, const bench_summary *s)
{
    base_csv_writer w = {.file = file};
    char counters[1024];
    format_counters(cell, s, counters, sizeof counters);
    base_csv_put_text(&w, cell->scenario);
    base_csv_put_text(&w, cell->name);
    base_csv_put_text(&w, bench_quantities_name(cell->quantities));
    base_csv_put_text(&w, bench_status_name(cell->status));
    base_csv_put_count(&w, cell->build_ns);
    base_csv_put_count(&w, cell->build[0].info.bytes + cell->build[1].info.bytes);
    const double numbers[] = {s->time_mean_ns,
                              s->time_p50_ns,
                              s->time_p99_ns,
                              s->time_max_ns,
                              s->time_intrinsic_max_ns,
                              s->time_evicted_p50_ns,
                              s->distance_error_rel_mean,
                              s->distance_error_rel_max,
                              s->distance_error_size_mean,
                              s->distance_error_size_max,
                              s->volume_error_rel_mean,
                              s->volume_error_rel_max};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        base_csv_put_number(&w, numbers[i]);
    }
    base_csv_put_count(&w, s->frames_judged);
    base_csv_put_count(&w, s->violations);
    base_csv_put_text(&w, cell->detail);
    base_csv_put_count(&w, cell->frame_count);
    base_csv_put_count(&w, cell->warm_count);
    base_csv_put_count(&w, cell->build[0].info.primitives);
    base_csv_put_count(&w, cell->build[1].info.primitives);
    base_csv_put_number(&w, s->time_p95_ns);
    base_csv_put_number(&w, s->time_cold_ns);
    for (int d = 0; d < BENCH_DEADLINE_COUNT; d++) {
        /* None missed among none is no praise. */
        cell->warm_count > 0 ? base_csv_put_count(&w, s->misses[d]) : base_csv_put_empty(&w);
    }
    for (int v = BENCH_TRUE_POSITIVE; v <= BENCH_AMBIGUOUS; v++) {
        base_csv_put_count(&w, s->verdicts[v]);
    }
    base_csv_put_text(&w, counters);
    base_csv_put_text(&w, cell->pass_count > 0 ? base_hash_format(cell->answers_hash).hex : "");
    char name[BENCH_CONTESTANT_NAME_BYTES], contract[96];
    bench_variant_file(cell->name, name, sizeof name);
    base_csv_put_text(&w, name);
    base_csv_put_count(&w, cell->launch_count);
    base_csv_put_text(&w, cell->baseline);
    base_csv_put_count(&w, cell->below_resolution);
    put_costs(&w, cell, s);
    format_contract(cell, contract, sizeof contract);
    base_csv_put_text(&w, contract);
    base_csv_put_count(&w, cell->variant.algorithm->tolerance_ulp);
    put_widths(&w, cell, s);
    cell->load_ns != UINT64_MAX ? base_csv_put_count(&w, cell->load_ns) : base_csv_put_empty(&w);
    base_csv_end(&w);
}

/* --- SCENARIO/VARIANT.csv --------------------------------------------------------------------- */

static const char *const frame_columns_before_force[] = {
    "frame", "colliding", "distance_m", "volume_m3", "depth_m", "nx", "ny", "nz",
};
static const char *const frame_columns_behind_force[] = {
    "truth_distance_lo_m", "truth_distance_hi_m", "truth_volume_lo_m3",
    "truth_volume_hi_m3",  "certified",           "distance_error_rel",
    "distance_error_size", "volume_error_rel",    "verdict",
    "time_min_ns",         "time_median_ns",      "time_max_ns",
    "time_evicted_ns",     "witness_ax_m",        "witness_ay_m",
    "witness_az_m",        "witness_bx_m",        "witness_by_m",
    "witness_bz_m",
};

/** Behind the counters, which are each algorithm's own. */
static const char *const bracket_columns[] = {"distance_lo_m", "distance_hi_m", "volume_lo_m3",
                                              "volume_hi_m3"};

static void put_names(base_csv_writer *w, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        base_csv_put_text(w, names[i]);
    }
}

static void frames_header(base_csv_writer *w, const alg *algorithm)
{
    put_names(w, frame_columns_before_force, sizeof frame_columns_before_force / sizeof(char *));
    const char *const unit = algorithm->force_unit ? algorithm->force_unit : "";
    for (int i = 0; i < 6; i++) {
        char name[32]; /* the torque's unit is the force's times m */
        snprintf(name, sizeof name, "%c%c_%s%s", "ft"[i / 3], "xyz"[i % 3], unit,
                 i >= 3 && *unit ? "_m" : "");
        base_csv_put_text(w, name);
    }
    put_names(w, frame_columns_behind_force, sizeof frame_columns_behind_force / sizeof(char *));
    for (size_t i = 0; algorithm->counters && algorithm->counters[i] && i < ALG_COUNTERS_MAX; i++) {
        base_csv_put_text(w, algorithm->counters[i]);
    }
    put_names(w, bracket_columns, sizeof bracket_columns / sizeof *bracket_columns);
    base_csv_end(w);
}

static void put_if(base_csv_writer *w, bool there, double value)
{
    base_csv_put_number(w, there ? value : (double)NAN);
}

static void put_vec3(base_csv_writer *w, bool there, vec3 v)
{
    put_if(w, there, v.x);
    put_if(w, there, v.y);
    put_if(w, there, v.z);
}

static void put_bracket(base_csv_writer *w, gt_bracket bracket)
{
    put_if(w, gt_known(bracket), bracket.lo);
    put_if(w, gt_known(bracket), bracket.hi);
}

static void frames_row(base_csv_writer *w, const bench_cell *cell, vec3 centre_a, size_t f,
                       const gt_truth *truth)
{
    const alg_answer *const a = &cell->answers[f];
    const bench_judgement *const j = &cell->judgements[f];
    const gt_truth judged_by = bench_truth_for(cell->variant.algorithm, 0, truth);
    const uint32_t has = a->answered;
    base_csv_put_count(w, f);
    has ? base_csv_put_count(w, bench_answer_colliding(a)) : base_csv_put_empty(w);
    put_if(w, has & ALG_HAS_DISTANCE, a->distance_m);
    put_if(w, has & ALG_HAS_VOLUME, a->volume_m3);
    put_if(w, has & ALG_HAS_DEPTH, a->depth_m);
    put_vec3(w, has & ALG_HAS_DEPTH, a->direction);
    put_vec3(w, has & ALG_HAS_FORCE, a->force);
    put_vec3(w, has & ALG_HAS_FORCE, a->torque);
    put_bracket(w, judged_by.distance_m);
    put_bracket(w, judged_by.volume_m3);
    base_csv_put_count(w, (uint64_t)truth->certified);
    base_csv_put_number(w, j->distance_error_rel);
    base_csv_put_number(w, j->distance_error_size);
    base_csv_put_number(w, j->volume_error_rel);
    base_csv_put_text(w, bench_verdict_name(j->verdict));
    const bench_frame_time t =
        bench_cell_frame_time(cell->warm_ns, cell->warm_count, cell->frame_count, f);
    base_csv_put_count(w, t.min_ns);
    base_csv_put_count(w, t.median_ns);
    base_csv_put_count(w, t.max_ns);
    if (cell->evicted_count > 0) {
        base_csv_put_count(
            w, bench_cell_frame_time(cell->evicted_ns, cell->evicted_count, cell->frame_count, f)
                   .median_ns);
    } else {
        base_csv_put_empty(w);
    }
    put_vec3(w, has & ALG_HAS_WITNESS, vec3_add(a->witness_a, centre_a));
    put_vec3(w, has & ALG_HAS_WITNESS, vec3_add(a->witness_b, centre_a));
    const alg *const algorithm = cell->variant.algorithm;
    for (size_t i = 0; algorithm->counters && algorithm->counters[i] && i < ALG_COUNTERS_MAX; i++) {
        base_csv_put_count(w, a->counters[i]);
    }
    put_if(w, has & ALG_HAS_DISTANCE_BRACKET, a->distance_lo_m);
    put_if(w, has & ALG_HAS_DISTANCE_BRACKET, a->distance_hi_m);
    put_if(w, has & ALG_HAS_VOLUME_BRACKET, a->volume_lo_m3);
    put_if(w, has & ALG_HAS_VOLUME_BRACKET, a->volume_hi_m3);
    base_csv_end(w);
}

base_status bench_frames_write(const char *directory, const bench_cell *cell,
                               const bench_pair *pair, const gt_truth *truths, base_error *err)
{
    char variant[BENCH_CONTESTANT_NAME_BYTES], path[PATH_BYTES], beside[PATH_BYTES + 8];
    bench_variant_file(cell->name, variant, sizeof variant);
    snprintf(path, sizeof path, "%s/%s/%s.csv", directory, cell->scenario, variant);
    snprintf(beside, sizeof beside, "%s.part", path);
    const base_status parents = base_folder_make_parents(path, err);
    if (parents != BASE_OK) {
        return parents;
    }
    FILE *const file = fopen(beside, "w");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", beside, strerror(errno));
    }
    base_csv_writer w = {.file = file};
    frames_header(&w, cell->variant.algorithm);
    for (size_t f = 0; f < cell->frame_count; f++) {
        frames_row(&w, cell, pair->centre_a, f, &truths[f]);
    }
    base_status status = base_csv_check(&w, beside, err);
    if (status == BASE_OK && fsync(fileno(file)) != 0) {
        status = base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", beside, strerror(errno));
    }
    fclose(file);
    if (status == BASE_OK && rename(beside, path) != 0) {
        status = base_fail(err, BASE_ERR_SYSTEM, "cannot rename '%s': %s", beside, strerror(errno));
    }
    if (status != BASE_OK) {
        unlink(beside);
    }
    return status;
}
