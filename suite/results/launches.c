#include "suite/results/launches.h"

#include "base/memory.h"
#include "scenarios/experiment.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/results/stats.h"

#include <math.h>

/** Returns the nearest-rank median of the durations of batches, each of which is a whole pass. */
static uint64_t batch_median(const bench_cell *cell, const size_t *rows, size_t count)
{
    uint64_t totals[SCN_ROUNDS_MAX];
    for (size_t i = 0; i < count; i++) {
        totals[i] = cell->passes[rows[i]].pass.cost.query_ns;
    }
    bench_stats_sort(totals, count);
    return bench_stats_percentile(totals, count, 50);
}

static uint64_t largest_rss(const bench_cell *cell, const size_t *rows, size_t count)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t bytes = cell->passes[rows[i]].pass.cost.rss_bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/** Returns the time in ns in which a launch built both bodies; NaN if it loaded one of them. */
static double build_ns_of(const bench_cell *cell, uint64_t block, uint64_t launch)
{
    for (size_t i = 0; i < cell->launch_count; i++) {
        const bench_launch_build *const l = &cell->builds[i];
        if (l->block == block && l->launch == launch) {
            return l->build[0].anew && l->build[1].anew
                       ? (double)(l->build[0].build_ns + l->build[1].build_ns)
                       : (double)NAN;
        }
    }
    return NAN;
}

/**
 * Fills rows with the next passes of a protocol that share block and launch. *at: index at which
 * the search starts.
 * Returns the number of rows.
 */
static size_t next_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                          size_t rows[SCN_ROUNDS_MAX])
{
    size_t count = 0;
    for (; *at < cell->pass_count; ++*at) {
        const bench_pass *const pass = &cell->passes[*at].pass;
        if (pass->protocol != (uint32_t)protocol) {
            continue;
        }
        const bench_pass *const first = count > 0 ? &cell->passes[rows[0]].pass : pass;
        if (pass->block != first->block || pass->launch != first->launch) {
            break;
        }
        if (count < SCN_ROUNDS_MAX) {
            rows[count++] = *at;
        }
    }
    return count;
}

/** Returns the number of passes of the protocol before a row: the index of its times. */
static size_t passes_before(const bench_cell *cell, bench_protocol protocol, size_t row)
{
    size_t count = 0;
    for (size_t i = 0; i < row; i++) {
        count += cell->passes[i].pass.protocol == (uint32_t)protocol;
    }
    return count;
}

bool bench_cell_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                       uint64_t *medians, bench_launch *launch)
{
    size_t rows[SCN_ROUNDS_MAX];
    const size_t n = cell->frame_count, first = n > 1 ? 1 : 0;
    const size_t count = next_launch(cell, protocol, at, rows);
    const bool evicted = protocol == BENCH_EVICTED;
    const size_t before = count > 0 ? passes_before(cell, protocol, rows[0]) : 0;
    if (count == 0 || before + count > (evicted ? cell->evicted_count : cell->warm_count)) {
        return false;
    }
    const bench_pass *const pass = &cell->passes[rows[0]].pass;
    const uint64_t *const times_ns = (evicted ? cell->evicted_ns : cell->warm_ns) + before * n;
    *launch = (bench_launch){
        .block = pass->block, .launch = pass->launch, .protocol = protocol, .rounds = count};
    for (size_t f = 0; f < n; f++) {
        medians[f] = bench_cell_frame_time(times_ns, count, n, f).median_ns;
        launch->query_ns += f >= first ? medians[f] : 0;
    }
    if (pass->batch) {
        launch->query_ns = batch_median(cell, rows, count);
    }
    bench_stats_sort(medians + first, n - first);
    launch->p50_ns = bench_stats_percentile(medians + first, n - first, 50);
    launch->p99_ns = bench_stats_percentile(medians + first, n - first, 99);
    launch->max_ns = medians[n - 1];
    launch->rss_bytes = largest_rss(cell, rows, count);
    return true;
}

/* --- launches.csv ----------------------------------------------------------------------------- */

#define COLUMN(name, kind, unit, role, member, needed, empty, meaning)                             \
    BENCH_COLUMN(name, kind, unit, role, bench_launch_row, member, needed, empty, meaning)

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, "", FACT, scenario, BENCH_RECORD_LAUNCHES, "",
           BENCH_MEANS_SCENARIO),
    COLUMN("variant", CONTESTANT, "", FACT, variant, BENCH_RECORD_LAUNCHES, "",
           BENCH_MEANS_VARIANT),
    COLUMN("baseline", BASELINE, "", FACT, baseline, 0, BENCH_EMPTY_BASELINE, BENCH_MEANS_BASELINE),
    COLUMN("block", COUNT, "", FACT, block, BENCH_RECORD_LAUNCHES, "",
           "contestants of one block were measured in turns"),
    COLUMN("launch", COUNT, "", FACT, launch, BENCH_RECORD_LAUNCHES, "",
           "number of the launch in its block, from 0: one process of each contestant"),
    COLUMN("protocol", PROTOCOL, "", FACT, protocol, BENCH_RECORD_LAUNCHES, "",
           "warm: caches as the frame before left them; evicted: nothing of it in them"),
    COLUMN("rounds", COUNT, "", FACT, rounds, 0, "", "passes of this protocol in the launch"),
    COLUMN("query_ns", NUMBER, "ns", COST, query_ns, BENCH_RECORD_LAUNCHES, "",
           "sum over frames but the first of each frame's median over the launch's rounds; where "
           "below_resolution: median duration of a pass timed as a whole"),
    COLUMN("p50_ns", NUMBER, "ns", COST, p50_ns, 0, "",
           "median over frames but the first of each frame's median over the launch's rounds"),
    COLUMN("p99_ns", NUMBER, "ns", COST, p99_ns, BENCH_RECORD_LAUNCHES, "",
           "the same, 99th percentile (nearest rank)"),
    COLUMN("max_ns", NUMBER, "ns", COST, max_ns, 0, "", "the same, largest"),
    COLUMN("file", FILE, "", FACT, file, 0, "", BENCH_MEANS_FILE),
    COLUMN("build_ns", NUMBER, "ns", COST, build_ns, 0,
           "one of the bodies was not built in this launch",
           "time to prepare both bodies in this launch"),
    COLUMN("rss_bytes", NUMBER, "bytes", COST, rss_bytes, 0, "",
           "largest resident memory after one of its passes"),
};
const bench_columns bench_launches_columns = {columns, sizeof columns / sizeof *columns};

base_status bench_launches_put(FILE *file, const bench_cell *cell, base_error *err)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    uint64_t *const medians = base_alloc(cell->frame_count, sizeof *medians);
    if (!medians) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                         cell->frame_count);
    }
    bench_variant_file(cell->name, name, sizeof name);
    for (bench_protocol p = BENCH_WARM; p <= BENCH_EVICTED; p++) {
        bench_launch l;
        for (size_t at = 0; bench_cell_launch(cell, p, &at, medians, &l);) {
            const bench_launch_row row = {.scenario = cell->scenario,
                                          .variant = cell->name,
                                          .baseline = cell->baseline,
                                          .protocol = bench_protocol_name(p),
                                          .file = name,
                                          .block = l.block,
                                          .launch = l.launch,
                                          .rounds = l.rounds,
                                          .query_ns = (double)l.query_ns,
                                          .p50_ns = (double)l.p50_ns,
                                          .p99_ns = (double)l.p99_ns,
                                          .max_ns = (double)l.max_ns,
                                          .build_ns = build_ns_of(cell, l.block, l.launch),
                                          .rss_bytes = (double)l.rss_bytes};
            bench_columns_put(bench_launches_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    base_free(medians);
    return BASE_OK;
}

/* --- passes.csv ------------------------------------------------------------------------------- */

/** A row of passes.csv. */
typedef struct pass_row {
    const char *scenario, *variant, *baseline, *protocol, *answers_hash, *file;
    uint64_t block, launch, round, position;
    bench_pass_row pass;
} pass_row;

#define PASS_COLUMN(name, kind, unit, role, member, empty, meaning)                                \
    BENCH_COLUMN(name, kind, unit, role, pass_row, member, 0, empty, meaning)

static const bench_column pass_columns[] = {
    PASS_COLUMN("scenario", SCENARIO, "", FACT, scenario, "", BENCH_MEANS_SCENARIO),
    PASS_COLUMN("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    PASS_COLUMN("baseline", BASELINE, "", FACT, baseline, BENCH_EMPTY_BASELINE,
                BENCH_MEANS_BASELINE),
    PASS_COLUMN("block", COUNT, "", FACT, block, "",
                "contestants of one block were measured in turns"),
    PASS_COLUMN("launch", COUNT, "", FACT, launch, "",
                "number of the launch in its block, from 0: one process of each contestant"),
    PASS_COLUMN("round", COUNT, "", FACT, round, "", "number of the pass in its launch, from 0"),
    PASS_COLUMN("position", COUNT, "", FACT, position, "",
                "place of the pass in its round, from 0"),
    PASS_COLUMN("protocol", PROTOCOL, "", FACT, protocol, "",
                "warm-up (as warm, and used for no statistics), warm, evicted, shuffled (as warm, "
                "frames in another order, used for no statistics of times)"),
    PASS_COLUMN("contaminated", FLAG, "", COST, pass.contaminated, "",
                "1: the kernel took the CPU away more than once per 1,000 frames, or read a page "
                "from disk"),
    PASS_COLUMN("query_ns", COUNT_IF, "ns", COST, pass.pass.cost.query_ns, "",
                "sum of the times of the frames but the first; where below_resolution: duration of "
                "a second pass, timed as a whole"),
    PASS_COLUMN("p50_ns", COUNT_IF, "ns", COST, pass.p50_ns, "",
                "median over frames but the first"),
    PASS_COLUMN("p99_ns", COUNT_IF, "ns", COST, pass.p99_ns, "",
                "99th percentile over frames but the first (nearest rank)"),
    PASS_COLUMN("max_ns", COUNT_IF, "ns", COST, pass.max_ns, "", "longest frame but the first"),
    PASS_COLUMN("involuntary_switches_count", COUNT_IF, "", COST,
                pass.pass.cost.involuntary_switches, "",
                "times that the kernel took the CPU away during the pass"),
    PASS_COLUMN("major_faults_count", COUNT_IF, "", COST, pass.pass.cost.major_faults, "",
                "pages read from disk during the pass"),
    PASS_COLUMN("minor_faults_count", COUNT_IF, "", COST, pass.pass.cost.minor_faults, "",
                "page faults without reading from disk"),
    PASS_COLUMN("alloc_count", COUNT_IF, "", COST, pass.pass.cost.allocations,
                "calls were not counted", "calls of malloc and its kin during the pass"),
    PASS_COLUMN("output_bytes", COUNT_IF, "bytes", COST, pass.pass.cost.output_bytes, "",
                "what the process has printed on stdout so far"),
    PASS_COLUMN("rss_bytes", COUNT_IF, "bytes", COST, pass.pass.cost.rss_bytes, "",
                "resident memory after the pass"),
    PASS_COLUMN("instructions_count", COUNT_IF, "", COST, pass.pass.cost.instructions,
                "the kernel does not count", "instructions in user space during the pass"),
    PASS_COLUMN("cycles_count", COUNT_IF, "", COST, pass.pass.cost.cycles,
                "the kernel does not count", "the same, processor cycles"),
    PASS_COLUMN("cache_misses_count", COUNT_IF, "", COST, pass.pass.cost.cache_misses,
                "the kernel does not count", "the same, misses of the last cache"),
    PASS_COLUMN("answers_hash", WORD, "", ANSWER, answers_hash, "",
                "hash of all answers and counters of the pass"),
    PASS_COLUMN("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
    PASS_COLUMN("reset_ns", COUNT_IF, "ns", COST, pass.pass.cost.reset_ns, "",
                "CPU time of the reset before the first frame, which is in no other time"),
    PASS_COLUMN("cpu_ns", COUNT_IF, "ns", COST, pass.pass.cost.cpu_ns, "",
                "CPU time of the thread that asks, from the reset to the last frame, with what the "
                "suite does between queries"),
    PASS_COLUMN("other_cpu_ns", COUNT_IF, "ns", COST, pass.pass.cost.other_cpu_ns, "",
                "CPU time of all other threads of the process, and of its child processes that "
                "have ended, since the end of the pass before"),
    PASS_COLUMN("threads_count", COUNT_IF, "", COST, pass.pass.cost.threads, "",
                "threads of the process, at the beginning or the end of the pass: the larger "
                "number"),
};
const bench_columns bench_passes_columns = {pass_columns,
                                            sizeof pass_columns / sizeof *pass_columns};

void bench_passes_put(FILE *file, const bench_cell *cell)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    bench_variant_file(cell->name, name, sizeof name);
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        const base_hash_text hash = base_hash_format(pass->answers_hash);
        const pass_row row = {.scenario = cell->scenario,
                              .variant = cell->name,
                              .baseline = cell->baseline,
                              .protocol = bench_protocol_name((bench_protocol)pass->protocol),
                              .answers_hash = hash.hex,
                              .file = name,
                              .block = pass->block,
                              .launch = pass->launch,
                              .round = pass->round,
                              .position = pass->position,
                              .pass = cell->passes[i]};
        bench_columns_put(bench_passes_columns, &row, &w);
        base_csv_end(&w);
    }
}
