#include "suite/results/cells.h"

#include "base/memory.h"
#include "suite/results/force.h"
#include "suite/results/judge.h"
#include "suite/results/launches.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *bench_status_name(bench_status status)
{
    static const char *const names[] = {
        [BENCH_CELL_OK] = "ok",
        [BENCH_CELL_UNINFORMATIVE] = "uninformative",
        [BENCH_CELL_WRONG] = "wrong",
        [BENCH_CELL_UNSUPPORTED] = "unsupported",
        [BENCH_CELL_FAILED] = "failed",
        [BENCH_CELL_OOM] = "oom",
        [BENCH_CELL_CRASH] = "crash",
        [BENCH_CELL_TIMEOUT] = "timeout",
        [BENCH_CELL_INTERRUPTED] = "interrupted",
        [BENCH_CELL_UNSCALED] = "unscaled",
    };
    _Static_assert(sizeof names / sizeof *names == BENCH_CELL_STATUS_COUNT,
                   "a name for every status");
    return names[status];
}

const char *bench_protocol_name(bench_protocol protocol)
{
    static const char *const names[] = {
        [BENCH_WARM_UP] = "warm-up",
        [BENCH_WARM] = "warm",
        [BENCH_EVICTED] = "evicted",
        [BENCH_SHUFFLED] = "shuffled",
    };
    _Static_assert(sizeof names / sizeof *names == BENCH_PROTOCOL_COUNT,
                   "a name for every protocol");
    return names[protocol];
}

void bench_cell_release(bench_cell *cell)
{
    base_free(cell->builds);
    base_free(cell->answers);
    base_free(cell->details);
    base_free(cell->regions);
    base_free(cell->contacts);
    base_free(cell->windows);
    base_free(cell->truths);
    base_free(cell->judgements);
    base_free(cell->escapes);
    for (int ideal = 0; ideal < ALG_LAW_COUNT; ideal++) {
        bench_force_report_release(&cell->forces[ideal]);
    }
    base_free(cell->elsewhere_ns);
    base_free(cell->warm_ns);
    base_free(cell->evicted_ns);
    base_free(cell->passes);
    *cell = (bench_cell){0};
}

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame)
{
    uint64_t times[BENCH_PASSES_MAX];
    base_assert(passes > 0 && passes <= BENCH_PASSES_MAX);
    for (size_t p = 0; p < passes; p++) {
        times[p] = passes_ns[p * frame_count + frame];
    }
    bench_stats_sort(times, passes);
    return (bench_frame_time){times[0], bench_stats_percentile(times, passes, 50),
                              times[passes - 1]};
}

/* --- cells.csv -------------------------------------------------------------------------------- */

/** The deadlines of haptic loops for which misses are counted. */
static const uint64_t deadlines_ns[BENCH_DEADLINE_COUNT] = {5000000, 1000000, 200000, 100000};

#define COLUMN(name, kind, unit, role, member, needed, empty, meaning)                             \
    BENCH_COLUMN(name, kind, unit, role, bench_cell_row, member, needed, empty, meaning)
#define NO_PASS  "no warm pass was made"
#define NO_ERROR "no frame has such an error"
/** When the columns of times from elsewhere are empty. */
#define NO_ELSEWHERE "it was measured here, or without times"

static const bench_column first_columns[] = {
    COLUMN("scenario", SCENARIO, "", FACT, scenario, BENCH_RECORD_CELLS, "", BENCH_MEANS_SCENARIO),
    COLUMN("variant", CONTESTANT, "", FACT, variant, BENCH_RECORD_CELLS, "", BENCH_MEANS_VARIANT),
    COLUMN(
        "quantity", QUANTITY, "", FACT, quantity, BENCH_RECORD_CELLS, "",
        "what each query was asked: distance, volume, contact, or unified (distance and volume)"),
    COLUMN("status", STATUS, "", FACT, status, BENCH_RECORD_CELLS, "",
           "how the cell ended: ok, uninformative, wrong, unsupported, failed, oom, crash, "
           "timeout, interrupted"),
    COLUMN("build_ns", COUNT, "ns", COST, build_ns, 0, "",
           "time to prepare both bodies, median over launches; for loaded bodies the time of their "
           "original build; 0 if no body was prepared"),
    COLUMN("build_bytes", COUNT, "bytes", COUNTER, build_bytes, 0, "",
           "memory that both prepared bodies hold, as reported by the algorithm"),
    COLUMN("time_mean_ns", NUMBER, "ns", COST, time_mean_ns, 0, NO_PASS,
           "mean over frames except the first of each frame's median over warm passes; where "
           "below_resolution: mean duration of a frame in passes timed as a whole"),
    COLUMN("time_p50_ns", NUMBER, "ns", COST, time_p50_ns, 0, NO_PASS,
           "median over frames except the first of each frame's median over warm passes"),
    COLUMN("time_p99_ns", NUMBER, "ns", COST, time_p99_ns, BENCH_RECORD_CELLS, NO_PASS,
           "the same, 99th percentile (nearest rank)"),
    COLUMN("time_max_ns", NUMBER, "ns", COST, time_max_ns, 0, NO_PASS,
           "longest time of any frame except the first in any warm pass, including interruptions "
           "by the machine"),
    COLUMN("time_intrinsic_max_ns", NUMBER, "ns", COST, time_intrinsic_max_ns, BENCH_RECORD_CELLS,
           NO_PASS,
           "longest over frames except the first, each with its shortest time over warm passes: "
           "the algorithm's own worst case"),
    COLUMN("time_evicted_p50_ns", NUMBER, "ns", COST, time_evicted_p50_ns, 0,
           "no warm or no evicted pass was made",
           "median over frames except the first of each frame's median over passes with evicted "
           "caches"),
    COLUMN("distance_error_rel_mean", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_ERROR_REL][BENCH_MEAN], 0, NO_ERROR,
           "mean over frames of |answer - truth| / truth, where the truth is at least 0.5 % of the "
           "diagonal of A's box"),
    COLUMN("distance_error_rel_max", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_ERROR_REL][BENCH_MAX], 0, NO_ERROR, "the same, largest"),
    COLUMN("distance_error_size_mean", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MEAN], BENCH_RECORD_CELLS, NO_ERROR,
           "mean over frames of |answer - truth| / diagonal of A's box"),
    COLUMN("distance_error_size_max", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MAX], BENCH_RECORD_CELLS, NO_ERROR,
           "the same, largest"),
    COLUMN("volume_error_rel_mean", NUMBER, "1", ERROR, errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN],
           BENCH_RECORD_CELLS, NO_ERROR,
           "mean over frames of |answer - truth| / truth, where the truth is at least 0.1 % of the "
           "smaller body's volume"),
    COLUMN("volume_error_rel_max", NUMBER, "1", ERROR, errors[BENCH_VOLUME_ERROR_REL][BENCH_MAX],
           BENCH_RECORD_CELLS, NO_ERROR, "the same, largest"),
    COLUMN(
        "frames_judged_count", COUNT, "", ERROR, frames_judged, 0, "",
        "frames with an answered quantity whose truth has the certificate that the mode requires"),
    COLUMN("violations_count", COUNT, "", ERROR, violations, BENCH_RECORD_CELLS, "",
           "frames in which the contract or a bracket is broken"),
    COLUMN("detail", TEXT, "", FACT, detail, 0, "the status needs no reason",
           "reason of the status"),
    COLUMN("frames_count", COUNT, "", FACT, frames, BENCH_RECORD_CELLS, "",
           "frames of the scenario"),
    COLUMN("passes_count", COUNT, "", FACT, warm_passes, 0, "", "warm passes whose times are kept"),
    COLUMN("primitives_a_count", COUNT, "", COUNTER, primitives[0], 0, "",
           "number of elements of prepared body A: spheres, triangles, points, as reported by the "
           "algorithm"),
    COLUMN("primitives_b_count", COUNT, "", COUNTER, primitives[1], 0, "", "the same for B"),
    COLUMN("time_p95_ns", NUMBER, "ns", COST, time_p95_ns, 0, NO_PASS,
           "as time_p50_ns, 95th percentile"),
    COLUMN("time_cold_ns", NUMBER, "ns", COST, time_cold_ns, 0, NO_PASS,
           "first frame: median over warm passes"),
    COLUMN("misses_5ms_count", COUNT_IF, "", COST, misses[0], 0, NO_PASS,
           "frames of all warm passes, the first ones among them, that took longer than 5 ms"),
    COLUMN("misses_1ms_count", COUNT_IF, "", COST, misses[1], 0, NO_PASS, "the same, 1 ms"),
    COLUMN("misses_200us_count", COUNT_IF, "", COST, misses[2], 0, NO_PASS, "the same, 0.2 ms"),
    COLUMN("misses_100us_count", COUNT_IF, "", COST, misses[3], 0, NO_PASS, "the same, 0.1 ms"),
    COLUMN("tp_count", COUNT, "", ERROR, verdicts[BENCH_TRUE_POSITIVE], BENCH_RECORD_CELLS, "",
           "frames in which the bodies touch or overlap, and the answer says so"),
    COLUMN("tn_count", COUNT, "", ERROR, verdicts[BENCH_TRUE_NEGATIVE], BENCH_RECORD_CELLS, "",
           "frames in which they are apart, and the answer says so"),
    COLUMN("fp_count", COUNT, "", ERROR, verdicts[BENCH_FALSE_POSITIVE], BENCH_RECORD_CELLS, "",
           "frames in which they are apart, and the answer says that they collide"),
    COLUMN("fn_count", COUNT, "", ERROR, verdicts[BENCH_FALSE_NEGATIVE], BENCH_RECORD_CELLS, "",
           "frames in which they touch or overlap, and the answer says that they are apart"),
    COLUMN("ambiguous_count", COUNT, "", ERROR, verdicts[BENCH_AMBIGUOUS], 0, "",
           "frames in which the truth's bracket of the distance contains 0 and larger values: both "
           "answers are right"),
    COLUMN("answers_hash", WORD, "", ANSWER, answers_hash, BENCH_RECORD_CELLS, "no pass was made",
           "hash of all answers and counters of a pass, the same in every pass"),
    COLUMN("file", FILE, "", FACT, file, BENCH_RECORD_CELLS, "",
           BENCH_MEANS_FILE "; its frames are in SCENARIO/FILE.csv"),
    COLUMN("launches_count", COUNT, "", FACT, launches, 0, "",
           "processes of the contestant that prepared their bodies"),
    COLUMN("baseline", BASELINE, "", FACT, baseline, BENCH_RECORD_LAUNCHES, BENCH_EMPTY_BASELINE,
           BENCH_MEANS_BASELINE),
    COLUMN("below_resolution", FLAG, "", COST, below_resolution, BENCH_RECORD_LAUNCHES, "",
           "1: the median frame is shorter than 50 reads (or steps) of the clock, so that passes "
           "were also timed as a whole"),
    COLUMN("alloc_count", NUMBER, "", COST, allocations, 0, NO_PASS ", or calls were not counted",
           "calls of malloc and related functions in queries, sum over warm and evicted passes"),
    COLUMN("contaminated_passes_count", COUNT_IF, "", COST, contaminated_passes, 0, NO_PASS,
           "warm and evicted passes in which the kernel took the CPU away more than once per 1,000 "
           "frames, or read a page from disk"),
    COLUMN("time_max_clean_ns", NUMBER, "ns", COST, time_max_clean_ns, 0,
           NO_PASS ", or all are contaminated",
           "as time_max_ns, over passes that are not contaminated"),
    COLUMN("miss_run_1ms_count", COUNT_IF, "", COST, miss_run_1ms, 0, NO_PASS,
           "longest run of consecutive frames of one warm pass that took longer than 1 ms each"),
    COLUMN("time_p90_ns", NUMBER, "ns", COST, time_p90_ns, 0, NO_PASS,
           "as time_p50_ns, 90th percentile"),
    COLUMN("time_p999_ns", NUMBER, "ns", COST, time_p999_ns, 0,
           NO_PASS ", or there are fewer than 10,000 frames", "as time_p50_ns, 99.9th percentile"),
    COLUMN("slowest_frame", COUNT_IF, "", COST, slowest_frame, 0, NO_PASS,
           "frame of time_intrinsic_max_ns"),
    COLUMN("rss_bytes", COUNT_IF, "bytes", COST, rss_bytes, 0, NO_PASS,
           "largest resident memory of a process after any pass"),
    COLUMN("rss_growth_bytes", COUNT_IF, "bytes", COST, rss_growth_bytes, 0, NO_PASS,
           "largest growth of resident memory from the end of a launch's first pass to the end of "
           "a later one"),
    COLUMN("output_bytes", COUNT_IF, "bytes", COST, output_bytes, 0, NO_PASS,
           "bytes that a process printed on stdout, maximum over the launches"),
    COLUMN("instructions_mean_count", NUMBER, "", COST, instructions_mean, 0,
           NO_PASS ", or the kernel does not count",
           "instructions in user space per frame of warm passes, with the loop around the query"),
    COLUMN("cycles_mean_count", NUMBER, "", COST, cycles_mean, 0,
           NO_PASS ", or the kernel does not count", "the same, processor cycles"),
    COLUMN("cache_misses_mean_count", NUMBER, "", COST, cache_misses_mean, 0,
           NO_PASS ", or the kernel does not count", "the same, misses of the last cache"),
    COLUMN(
        "contract", TEXT, "", FACT, contract, 0, "",
        "contract for each asked quantity: exact, upper-bound, lower-bound, approximate, or none"),
    COLUMN("tolerance_ulp", COUNT, "ulp", FACT, tolerance_ulp, 0, "",
           "rounding that the algorithm declares, in units of 2^-52 of the truth: answers within "
           "it break no promise"),
    COLUMN("distance_error_size_p99", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_P99], 0, NO_ERROR,
           "as distance_error_size_mean, 99th percentile over frames (nearest rank)"),
    COLUMN("volume_error_rel_p99", NUMBER, "1", ERROR, errors[BENCH_VOLUME_ERROR_REL][BENCH_P99], 0,
           NO_ERROR, "as volume_error_rel_mean, 99th percentile over frames (nearest rank)"),
    COLUMN("distance_bracket_width_size_p50", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_WIDTH_SIZE][BENCH_P50], 0,
           "no frame has a bracket of the variant's own",
           "width of the variant's own bracket / diagonal of A's box, median over frames (nearest "
           "rank)"),
    COLUMN("distance_bracket_width_size_max", NUMBER, "1", ERROR,
           errors[BENCH_DISTANCE_WIDTH_SIZE][BENCH_MAX], 0,
           "no frame has a bracket of the variant's own", "the same, largest"),
    COLUMN("volume_bracket_width_rel_p50", NUMBER, "1", ERROR,
           errors[BENCH_VOLUME_WIDTH_REL][BENCH_P50], 0,
           "no frame has a bracket of the variant's own and a truth as for volume_error_rel",
           "width of the variant's own bracket / truth, median over frames (nearest rank)"),
    COLUMN("volume_bracket_width_rel_max", NUMBER, "1", ERROR,
           errors[BENCH_VOLUME_WIDTH_REL][BENCH_MAX], 0,
           "no frame has a bracket of the variant's own and a truth as for volume_error_rel",
           "the same, largest"),
    COLUMN("budget_reached_count", COUNT_IF, "", ANSWER, budget_reached, 0, "no pass was made",
           "frames in which the algorithm used up its budget"),
    COLUMN("load_ns", COUNT_IF, "ns", COST, load_ns, 0, "no body was loaded",
           "time to load both bodies from the cache, with reading and checking the files, median "
           "over launches that loaded any"),
    COLUMN("tolerance", TEXT, "", FACT, tolerance, 0, "verdicts are the only limit",
           "limits on errors of the scenario: which frames count as within the tolerance"),
    COLUMN("first_pass_ratio", NUMBER, "1", COST, first_pass_ratio, 0,
           "no launch has a warm pass after its first pass",
           "time of a launch's first pass / median of its later warm passes: the smaller of the "
           "ratios of sums over frames and of median frames; minimum over the launches"),
    COLUMN("reset_ns", NUMBER, "ns", COST, reset_ns, 0, NO_PASS,
           "CPU time of the reset before a pass, which is not part of any query's time: median "
           "over a launch's warm and evicted passes, minimum over the launches"),
    COLUMN("reset_ratio", NUMBER, "1", COST, reset_ratio, 0, NO_PASS,
           "the same / sum of the times of all frames of the pass"),
    COLUMN("other_cpu_ratio", NUMBER, "1", COST, other_cpu_ratio, 0, NO_PASS,
           "CPU time of other threads and of child processes, per other thread / times of the "
           "queries: minimum over the warm and evicted passes of all launches"),
    COLUMN("threads_count", COUNT_IF, "", COST, threads, 0, "no pass was made",
           "threads of the process, maximum over the passes"),
    COLUMN("force_law", TEXT, "", FACT, force_law, 0, "the force was not asked",
           "law of the variant's force: area, depth, depth-exchanged, or none; its errors refer to "
           "the exact force of this law, or of area if there is none"),
    COLUMN("elsewhere", TEXT, "", FACT, elsewhere, 0, "this run has measured the variant",
           "the answers are those of another program ('proxbench score'): its machine, as its user "
           "names it. The columns time_* are empty then, so that no time from another machine is "
           "compared with one from here"),
    COLUMN("elsewhere_p50_ns", NUMBER, "ns", COST, elsewhere_p50_ns, 0, NO_ELSEWHERE,
           "times of a variant that was measured elsewhere: median over its frames"),
    COLUMN("elsewhere_p99_ns", NUMBER, "ns", COST, elsewhere_p99_ns, 0, NO_ELSEWHERE,
           "the same, 99th percentile (nearest rank)"),
    COLUMN("elsewhere_max_ns", NUMBER, "ns", COST, elsewhere_max_ns, 0, NO_ELSEWHERE,
           "the same, longest"),
};
/* Further columns: statistics of errors without a column above, then a share for each quantity. */

enum {
    FIRST = sizeof first_columns / sizeof *first_columns,
    STATISTICS_MAX = BENCH_ERROR_COUNT * BENCH_STATISTIC_COUNT,
    FORCE_COLUMNS_MAX = sizeof(bench_force_metrics) / sizeof(double),
};

static bool is_first_column(const char *name)
{
    for (size_t i = 0; i < FIRST; i++) {
        if (strcmp(first_columns[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bench_columns bench_cells_columns(void)
{
    static bench_column columns[FIRST + STATISTICS_MAX + FORCE_COLUMNS_MAX + ALG_QUANTITY_COUNT];
    static char names[STATISTICS_MAX][64], meanings[STATISTICS_MAX][256];
    static char shares[ALG_QUANTITY_COUNT][32];
    static const char *const of[BENCH_STATISTIC_COUNT] = {
        [BENCH_MEAN] = "mean over frames, without its sign",
        [BENCH_BIAS] = "mean over frames, with its sign",
        [BENCH_MAX] = "largest over frames, without its sign",
        [BENCH_P50] = "median over frames, without its sign",
        [BENCH_P99] = "99th percentile over frames, without its sign",
        [BENCH_P50_LO] = "lower end of the 95 % interval of the median (sign test)",
        [BENCH_P50_HI] = "upper end of that interval"};
    static size_t count = 0;
    if (count > 0) {
        return (bench_columns){columns, count};
    }
    memcpy(columns, first_columns, sizeof first_columns);
    count = FIRST;
    for (size_t i = 0; i < STATISTICS_MAX; i++) {
        const size_t e = i / BENCH_STATISTIC_COUNT, s = i % BENCH_STATISTIC_COUNT;
        const bench_error_row *const error = &bench_errors[e];
        snprintf(names[i], sizeof names[i], "%s_%s", error->name, bench_statistic_names[s]);
        if ((error->statistics & 1u << s) && !is_first_column(names[i])) {
            bench_column column = COLUMN(names[i], NUMBER, error->unit, ERROR, errors[0][0], 0,
                                         NO_ERROR, meanings[i]);
            column.offset += i * sizeof(double);
            snprintf(meanings[i], sizeof meanings[i], "%s: %s", of[s], error->measures);
            columns[count++] = column;
        }
    }
    for (size_t i = 0; i < bench_force_run_columns.count; i++) {
        columns[count] = bench_force_run_columns.items[i];
        columns[count++].offset += offsetof(bench_cell_row, force);
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        snprintf(shares[q], sizeof shares[q], "%s_within_share", alg_quantity_names[q]);
        bench_column column = COLUMN(shares[q], NUMBER, "1", ERROR, within[0], 0, NO_ERROR,
                                     "share of the judged frames that are within the tolerance");
        column.offset += (size_t)q * sizeof(double);
        columns[count++] = column;
    }
    return (bench_columns){columns, count};
}

void bench_cells_put_names(const bench_extras *counters, base_csv_writer *writer)
{
    bench_columns_put_names(bench_cells_columns(), writer);
    for (size_t i = 0; i < counters->count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s_mean", counters->names[i]);
        base_csv_put_text(writer, name);
    }
    base_csv_end(writer);
}

void bench_cells_put(const bench_cell_row *row, const bench_extras *counters,
                     base_csv_writer *writer)
{
    bench_columns_put(bench_cells_columns(), row, writer);
    for (size_t i = 0; i < counters->count; i++) {
        base_csv_put_number(writer, bench_extras_value(row->counter_names, row->counters,
                                                       ALG_COUNTERS_MAX, counters->names[i]));
    }
    base_csv_end(writer);
}

bool bench_cell_row_is_ok(const bench_cell_row *row)
{
    return strcmp(row->status, bench_status_name(BENCH_CELL_OK)) == 0 ||
           strcmp(row->status, bench_status_name(BENCH_CELL_UNINFORMATIVE)) == 0;
}

bool bench_cell_row_truth_is_zero(const bench_cell_row *cell, alg_quantity quantity)
{
    uint64_t touching = 0, others = 0;
    for (int v = BENCH_TRUE_POSITIVE; v < BENCH_VERDICT_COUNT; v++) {
        const uint64_t count = cell->verdicts[v] != UINT64_MAX ? cell->verdicts[v] : 0;
        if (v == BENCH_TRUE_POSITIVE || v == BENCH_FALSE_NEGATIVE) {
            touching += count;
        } else {
            others += count;
        }
    }
    return quantity == ALG_DISTANCE && touching > 0 && others == 0;
}

/** Returns the share of wrong verdicts among the frames with a verdict; NaN if no frame has one. */
static double wrong_share(const bench_cell_row *row)
{
    const uint64_t *const v = row->verdicts;
    double wrong = 0, right = 0;
    for (int verdict = BENCH_TRUE_POSITIVE; verdict <= BENCH_FALSE_NEGATIVE; verdict++) {
        const bool is_right = verdict <= BENCH_TRUE_NEGATIVE;
        const double count = v[verdict] != UINT64_MAX ? (double)v[verdict] : 0;
        right += is_right ? count : 0;
        wrong += is_right ? 0 : count;
    }
    return wrong + right > 0 ? wrong / (wrong + right) : (double)NAN;
}

double bench_cell_row_limited(const bench_cell_row *row, alg_quantity quantity,
                              const bench_limit *limit, bench_statistic statistic)
{
    if (limit->error == BENCH_NO_ERROR) {
        unsigned asked;
        const bool is_asked = bench_quantities_parse(row->quantity, &asked, NULL) == BASE_OK &&
                              (asked & 1u << quantity);
        return is_asked ? wrong_share(row) : (double)NAN;
    }
    return row->errors[limit->error][statistic];
}

double bench_cell_row_error(const bench_cell_row *row, alg_quantity quantity, bool largest)
{
    const bench_limit limit = {.error = bench_quantities[quantity].error};
    return bench_cell_row_limited(row, quantity, &limit, largest ? BENCH_MAX : BENCH_MEAN);
}

bool bench_cell_row_contract(const bench_cell_row *row, alg_quantity quantity,
                             alg_contract *contract)
{
    const char *const name = alg_quantity_names[quantity];
    const size_t length = strlen(name);
    const char *at = row->contract;
    while (*at && !(strncmp(at, name, length) == 0 && at[length] == '=')) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    if (!*at) {
        return false;
    }
    at += length + 1;
    for (size_t c = 0; bench_contract_names[c]; c++) {
        const size_t word = strlen(bench_contract_names[c]);
        if (strcspn(at, " ") == word && strncmp(at, bench_contract_names[c], word) == 0) {
            *contract = (alg_contract)c;
            return true;
        }
    }
    return false;
}

/* --- Times and costs -------------------------------------------------------------------------- */

/** Returns the length of the longest run of consecutive frames over 1 ms in one warm pass. */
static uint64_t longest_miss_run(const bench_cell *cell)
{
    const uint64_t limit_ns = 1000000;
    uint64_t longest = 0;
    for (size_t p = 0; p < cell->warm_count; p++) {
        uint64_t run = 0;
        for (size_t f = 0; f < cell->frame_count; f++) {
            run = cell->warm_ns[p * cell->frame_count + f] > limit_ns ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return longest;
}

/**
 * The number of frames from which on the 99.9th percentile is reported. With fewer than 1,000
 * frames it would be the maximum.
 */
enum { FRAMES_FOR_P999 = 10000 };

static void summarize_times(const bench_cell *cell, uint64_t *medians, bench_cell_row *s)
{
    const size_t n = cell->frame_count, first = n > 1 ? 1 : 0;
    uint64_t max = 0, intrinsic = 0;
    double sum = 0;
    s->slowest_frame = 0;
    for (size_t f = 0; f < n; f++) {
        const bench_frame_time t = bench_cell_frame_time(cell->warm_ns, cell->warm_count, n, f);
        medians[f] = t.median_ns;
        if (f >= first) {
            sum += (double)t.median_ns;
            max = t.max_ns > max ? t.max_ns : max;
            s->slowest_frame = t.min_ns > intrinsic ? f : s->slowest_frame;
            intrinsic = t.min_ns > intrinsic ? t.min_ns : intrinsic;
        }
    }
    for (int d = 0; d < BENCH_DEADLINE_COUNT; d++) {
        s->misses[d] = 0;
        for (size_t i = 0; i < cell->warm_count * n; i++) {
            s->misses[d] += cell->warm_ns[i] > deadlines_ns[d];
        }
    }
    s->time_cold_ns = (double)medians[0];
    s->time_mean_ns = sum / (double)(n - first);
    bench_stats_sort(medians + first, n - first);
    s->time_p50_ns = (double)bench_stats_percentile(medians + first, n - first, 50);
    s->time_p90_ns = (double)bench_stats_percentile(medians + first, n - first, 90);
    if (n >= FRAMES_FOR_P999) {
        s->time_p999_ns = (double)bench_stats_percentile(medians + first, n - first, 99.9);
    }
    s->miss_run_1ms = longest_miss_run(cell);
    s->time_p95_ns = (double)bench_stats_percentile(medians + first, n - first, 95);
    s->time_p99_ns = (double)bench_stats_percentile(medians + first, n - first, 99);
    s->time_max_ns = (double)max;
    s->time_intrinsic_max_ns = (double)intrinsic;
    if (cell->evicted_count > 0) {
        for (size_t f = 0; f < n; f++) {
            medians[f] =
                bench_cell_frame_time(cell->evicted_ns, cell->evicted_count, n, f).median_ns;
        }
        bench_stats_sort(medians + first, n - first);
        s->time_evicted_p50_ns = (double)bench_stats_percentile(medians + first, n - first, 50);
    }
}

/** Summarizes times that were measured elsewhere. Every frame counts: no pass here warmed it up. */
static base_status summarize_elsewhere(const bench_cell *cell, bench_cell_row *s, base_error *err)
{
    size_t count = 0;
    uint64_t *const sorted = base_alloc(cell->frame_count, sizeof *sorted);
    if (!sorted) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                         cell->frame_count);
    }
    for (size_t f = 0; f < cell->frame_count; f++) {
        if (cell->elsewhere_ns[f] != UINT64_MAX) {
            sorted[count++] = cell->elsewhere_ns[f];
        }
    }
    if (count > 0) {
        bench_stats_sort(sorted, count);
        s->elsewhere_p50_ns = (double)bench_stats_percentile(sorted, count, 50);
        s->elsewhere_p99_ns = (double)bench_stats_percentile(sorted, count, 99);
        s->elsewhere_max_ns = (double)sorted[count - 1];
    }
    base_free(sorted);
    return BASE_OK;
}

/** Adds a count to a sum. The sum becomes NaN if the count is not available. */
static void add_count(double *sum, uint64_t count)
{
    *sum += count != UINT64_MAX ? (double)count : (double)NAN;
}

static void raise_to(uint64_t *largest, uint64_t value)
{
    *largest = value > *largest ? value : *largest;
}

static void summarize_costs(const bench_cell *cell, bench_cell_row *s)
{
    const double frames = (double)(cell->warm_count * cell->frame_count);
    double instructions = 0, cycles = 0, cache_misses = 0, allocations = 0, max_clean = NAN;
    const bench_pass *first = NULL; /* first pass of the current launch */
    s->rss_bytes = s->rss_growth_bytes = s->output_bytes = s->contaminated_passes = 0;
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass_row *const row = &cell->passes[i];
        const bench_pass_cost *const cost = &row->pass.cost;
        if (!first || first->block != row->pass.block || first->launch != row->pass.launch) {
            first = &row->pass;
        }
        if (cost->rss_bytes > first->cost.rss_bytes) {
            raise_to(&s->rss_growth_bytes, cost->rss_bytes - first->cost.rss_bytes);
        }
        raise_to(&s->rss_bytes, cost->rss_bytes);
        raise_to(&s->output_bytes, cost->output_bytes);
        if (row->pass.protocol == BENCH_WARM || row->pass.protocol == BENCH_EVICTED) {
            add_count(&allocations, cost->allocations);
            s->contaminated_passes += row->contaminated;
        }
        if (row->pass.protocol == BENCH_WARM) {
            add_count(&instructions, cost->instructions);
            add_count(&cycles, cost->cycles);
            add_count(&cache_misses, cost->cache_misses);
            max_clean = row->contaminated ? max_clean : fmax(max_clean, (double)row->max_ns);
        }
    }
    s->allocations = allocations;
    s->time_max_clean_ns = max_clean;
    s->instructions_mean = instructions / frames;
    s->cycles_mean = cycles / frames;
    s->cache_misses_mean = cache_misses / frames;
}

/**
 * Returns the mean time of a frame from the batches of the warm passes, for frames that are too
 * short for the clock. All other times of the row are times of single frames and include the cost
 * of reading the clock.
 */
static double batch_mean_ns(const bench_cell *cell)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        if (pass->batch && pass->protocol == BENCH_WARM) {
            sum += (double)pass->cost.query_ns;
            count += (double)cell->frame_count;
        }
    }
    return sum / count;
}

/* --- Errors ----------------------------------------------------------------------------------- */

base_status bench_cell_statistics(const bench_cell *cell, bench_error_kind error,
                                  double statistics[BENCH_STATISTIC_COUNT], base_error *err)
{
    size_t count = 0;
    double sum = 0, signed_sum = 0;
    double *const values = base_alloc(cell->frame_count, sizeof *values);
    for (int s = 0; s < BENCH_STATISTIC_COUNT; s++) {
        statistics[s] = NAN;
    }
    if (!values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the errors of %zu frames",
                         cell->frame_count);
    }
    for (size_t f = 0; f < cell->frame_count; f++) {
        const double value = cell->judgements[f].errors[error];
        if (!isnan(value)) {
            values[count++] = fabs(value);
            sum += fabs(value);
            signed_sum += value;
        }
    }
    if (count > 0) {
        bench_stats_sort_numbers(values, count);
        statistics[BENCH_MEAN] = sum / (double)count;
        statistics[BENCH_BIAS] = signed_sum / (double)count;
        statistics[BENCH_MAX] = values[count - 1];
        statistics[BENCH_P50] = bench_stats_percentile_number(values, count, 50);
        statistics[BENCH_P99] = bench_stats_percentile_number(values, count, 99);
        const size_t rank = bench_stats_sign_interval(count, 0.05).rank;
        if (rank > 0) {
            statistics[BENCH_P50_LO] = values[rank - 1];
            statistics[BENCH_P50_HI] = values[count - rank];
        }
    }
    base_free(values);
    return BASE_OK;
}

/** Computes the means per frame of the counters, which are the same in every pass. */
static void summarize_counters(const bench_cell *cell, bench_cell_row *s)
{
    const char *const *const names = cell->variant.algorithm->counters;
    s->counter_names = names;
    for (size_t i = 0; names && i < ALG_COUNTERS_MAX && names[i]; i++) {
        s->counters[i] = 0;
        for (size_t f = 0; f < cell->frame_count; f++) {
            s->counters[i] += (double)cell->answers[f].counters[i] / (double)cell->frame_count;
        }
    }
}

/** Returns the share of the judged frames within the tolerance; NaN if no frame was judged. */
static double share_within(const bench_cell *cell, int quantity)
{
    double judged = 0, within = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        const double holds = bench_tolerance_holds(&cell->tolerances.of[quantity], j->errors,
                                                   bench_verdict_wrong(j->verdict));
        judged += isnan(holds) ? 0 : 1;
        within += holds > 0 ? 1 : 0;
    }
    return judged > 0 ? within / judged : (double)NAN;
}

static base_status summarize_errors(const bench_cell *cell, bench_cell_row *s, base_error *err)
{
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        const base_status status =
            bench_cell_statistics(cell, (bench_error_kind)e, s->errors[e], err);
        if (status != BASE_OK) {
            return status;
        }
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        s->within[q] = cell->quantities & 1u << q ? share_within(cell, q) : (double)NAN;
    }
    s->budget_reached = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        s->frames_judged += j->judged;
        s->violations += j->violation;
        s->verdicts[j->verdict]++;
        s->budget_reached += cell->answers[f].outcome == ALG_BUDGET_REACHED;
    }
    return BASE_OK;
}

/* --- Texts ------------------------------------------------------------------------------------ */

static bool has_answers(const bench_cell *cell)
{
    return cell->pass_count > 0 || cell->elsewhere;
}

static base_status describe(const bench_cell *cell, base_arena *arena, bench_cell_row *s,
                            base_error *err)
{
    char file[BENCH_CONTESTANT_NAME_BYTES], tolerance[BENCH_TOLERANCE_BYTES];
    char contracts[1024] = ""; /* "distance=exact volume=upper-bound" */
    bench_variant_file(cell->name, file, sizeof file);
    for (size_t q = 0, used = 0; q < ALG_QUANTITY_COUNT && used < sizeof contracts; q++) {
        if (cell->quantities & 1u << q) {
            const alg_contract contract = alg_variant_contract(&cell->variant, (alg_quantity)q);
            used += (size_t)snprintf(contracts + used, sizeof contracts - used, "%s%s=%s",
                                     used ? " " : "", alg_quantity_names[q],
                                     bench_contract_names[contract]);
        }
    }
    bench_tolerances_format(&cell->tolerances, cell->quantities, tolerance);
    s->scenario = cell->scenario;
    s->variant = cell->name;
    s->baseline = cell->baseline;
    s->quantity = base_arena_text(arena, bench_quantities_name(cell->quantities).text);
    s->force_law =
        cell->quantities & ALG_WANT_FORCE ? alg_law_names[alg_variant_law(&cell->variant)] : "";
    s->status = bench_status_name(cell->status);
    s->detail = cell->detail;
    s->file = base_arena_text(arena, file);
    s->contract = base_arena_text(arena, contracts);
    s->tolerance = base_arena_text(arena, tolerance);
    s->answers_hash =
        base_arena_text(arena, has_answers(cell) ? base_hash_format(cell->answers_hash).hex : "");
    s->elsewhere = cell->elsewhere ? cell->elsewhere : "";
    return s->quantity && s->file && s->contract && s->tolerance && s->answers_hash
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/* --- Summary ---------------------------------------------------------------------------------- */

/** Returns a row with the values that do not depend on passes. All others are empty. */
static bench_cell_row begin(const bench_cell *cell)
{
    const alg_build_info *const a = &cell->build[0].info, *const b = &cell->build[1].info;
    const bench_force_report *const own = &cell->forces[bench_ideal_own(&cell->variant)];
    bench_cell_row row = {0};
    bench_columns_clear(bench_cells_columns(), &row);
    row.below_resolution = cell->below_resolution;
    row.build_ns = cell->build_ns;
    row.load_ns = cell->load_ns;
    row.build_bytes = a->bytes + b->bytes;
    row.primitives[0] = a->primitives;
    row.primitives[1] = b->primitives;
    row.tolerance_ulp = cell->variant.algorithm->tolerance_ulp;
    row.frames = cell->frame_count;
    row.warm_passes = cell->warm_count;
    row.launches = cell->launch_count;
    if (own->force) {
        row.force = own->metrics;
    }
    return row;
}

base_status bench_summarize(const bench_cell *cell, base_arena *arena, bench_cell_row *row,
                            base_error *err)
{
    *row = begin(cell);
    base_status status = describe(cell, arena, row, err);
    if (status == BASE_OK && has_answers(cell)) {
        status = summarize_errors(cell, row, err);
    }
    if (status == BASE_OK && cell->elsewhere_ns) {
        status = summarize_elsewhere(cell, row, err);
    }
    if (status == BASE_OK && cell->pass_count > 0) {
        bench_hidden_work work;
        status = bench_hidden_work_of(cell, &work, err);
        if (status == BASE_OK) {
            row->first_pass_ratio = work.first_ratio;
            row->reset_ns = work.reset_ns;
            row->reset_ratio = work.reset_ratio;
            row->other_cpu_ratio = work.other_ratio;
            row->threads = work.threads;
        }
    }
    if (status != BASE_OK || cell->warm_count == 0) {
        return status;
    }
    uint64_t *const medians = base_alloc(cell->frame_count, sizeof *medians);
    if (!medians) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                         cell->frame_count);
    }
    summarize_counters(cell, row);
    summarize_costs(cell, row);
    summarize_times(cell, medians, row);
    if (cell->below_resolution) {
        row->time_mean_ns = batch_mean_ns(cell);
    }
    base_free(medians);
    return BASE_OK;
}

/* --- Printed texts and tables ----------------------------------------------------------------- */

bench_number_text bench_time_text(double ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    bench_number_text t = {"-"};
    if (isnan(ns)) {
        return t;
    }
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && ns >= 999.5 * units[u].scale) {
        u++;
    }
    const double value = ns / units[u].scale;
    snprintf(t.text, sizeof t.text, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[u].unit);
    return t;
}

bench_number_text bench_error_text(double error)
{
    bench_number_text t = {"n/j"};
    if (error <= BENCH_EXACT_ERROR) {
        snprintf(t.text, sizeof t.text, "exact");
    } else if (!isnan(error)) {
        snprintf(t.text, sizeof t.text, error < 1e-5 ? "%.1e %%" : "%.3f %%", 100 * error);
    }
    return t;
}

bench_number_text bench_cell_row_error_text(const bench_cell_row *row, alg_quantity quantity,
                                            double error)
{
    alg_contract contract = ALG_NOT_ANSWERED;
    const bool judged = row && bench_cell_row_contract(row, quantity, &contract) &&
                        contract != ALG_NOT_ANSWERED &&
                        (bench_cell_row_is_ok(row) ||
                         strcmp(row->status, bench_status_name(BENCH_CELL_WRONG)) == 0);
    return isnan(error) && !judged ? (bench_number_text){"-"} : bench_error_text(error);
}

/**
 * Prints one line of the table. Prints further lines for the declared rounding of an exact method
 * and for a depth that does not separate the bodies.
 */
static void print_line(FILE *file, const bench_table *table, const bench_cell_row *s,
                       alg_quantity quantity)
{
    const bench_error_kind e = bench_quantities[quantity].printed;
    const bool number = e < BENCH_ERROR_COUNT;
    const double mean = number ? s->errors[e][BENCH_MEAN] : wrong_share(s);
    const double max = number ? s->errors[e][BENCH_MAX] : (double)NAN;
    fprintf(file, "%-*s  %-8s  %-*s  %8s  %11s  %8s  %10s  %10s  %10llu  %s%s%s\n",
            table->scenario_width, s->scenario, alg_quantity_names[quantity], table->variant_width,
            s->variant, bench_time_text(s->time_mean_ns).text,
            bench_time_text(s->time_intrinsic_max_ns).text, bench_time_text(s->time_max_ns).text,
            bench_cell_row_error_text(s, quantity, mean).text,
            number ? bench_cell_row_error_text(s, quantity, max).text : "-",
            (unsigned long long)(s->primitives[0] + s->primitives[1]), s->status,
            *s->detail ? ": " : "", s->detail);
    alg_contract contract;
    const bool rounds = s->tolerance_ulp > 0 && s->tolerance_ulp <= ALG_TOLERANCE_ULP_MAX;
    if (rounds && bench_cell_row_contract(s, quantity, &contract) && contract == ALG_EXACT) {
        fprintf(file, "%*s  exact within %.1e\n", table->scenario_width, "",
                (double)s->tolerance_ulp * DBL_EPSILON);
    }
    const double left = s->errors[BENCH_DEPTH_LEFT_REL][BENCH_MAX];
    if (quantity == ALG_DEPTH && left > 0) {
        fprintf(file, "%*s  up to %.3g %% of the overlap is left after the move by its depth\n",
                table->scenario_width, "", 100 * left);
    }
}

static void widen(int *width, const char *name, size_t more)
{
    const int length = (int)(strlen(name) + more);
    *width = length > *width ? length : *width;
}

void bench_table_begin(bench_table *table)
{
    *table = (bench_table){0};
    widen(&table->scenario_width, "scenario", 0);
    widen(&table->variant_width, "variant", 0);
}

void bench_table_scenario(bench_table *table, const char *name)
{
    widen(&table->scenario_width, name, 0);
}

void bench_table_variant(bench_table *table, const char *name, bool has_copies)
{
    widen(&table->variant_width, name, has_copies ? strlen("@twin") : 0);
}

void bench_table_print(FILE *file, bench_table *table, unsigned quantities,
                       const bench_cell_row *row)
{
    if (!table->begun) {
        fprintf(file, "%-*s  %-8s  %-*s  %8s  %11s  %8s  %10s  %10s  %10s  %s\n",
                table->scenario_width, "scenario", "quantity", table->variant_width, "variant",
                "mean", "max fastest", "max any", "error mean", "error max", "primitives",
                "status");
        table->begun = true;
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (quantities & 1u << q) {
            print_line(file, table, row, (alg_quantity)q);
        }
    }
}
