#include "suite/results/launch.h"

#include "base/memory.h"
#include "scenarios/experiment.h"
#include "suite/results/names.h"
#include "suite/results/record.h"
#include "suite/results/stats.h"

/** Of a batch the duration is that of the whole pass: the median of those, nearest rank. */
static uint64_t batch_median(const bench_cell *cell, const size_t *rows, size_t count)
{
    uint64_t totals[SCN_ROUNDS_MAX];
    for (size_t i = 0; i < count; i++) {
        totals[i] = cell->passes[rows[i]].pass.cost.query_ns;
    }
    bench_stats_sort(totals, count);
    return bench_stats_percentile(totals, count, 50);
}

/** Fills rows with the next passes of a protocol that share block and launch; *at: where to look.
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

/** How many passes of the protocol lie before a row: where its times begin. */
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
    return true;
}

/* --- launches.csv ----------------------------------------------------------------------------- */

#define COLUMN(name, kind, member, needed)                                                         \
    BENCH_COLUMN(name, kind, bench_launch_row, member, needed)

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, scenario, BENCH_RECORD_LAUNCHES),
    COLUMN("variant", CONTESTANT, variant, BENCH_RECORD_LAUNCHES),
    COLUMN("baseline", BASELINE, baseline, 0),
    COLUMN("block", COUNT, block, BENCH_RECORD_LAUNCHES),
    COLUMN("launch", COUNT, launch, BENCH_RECORD_LAUNCHES),
    COLUMN("protocol", PROTOCOL, protocol, BENCH_RECORD_LAUNCHES),
    COLUMN("rounds", COUNT, rounds, 0),
    COLUMN("query_ns", NUMBER, query_ns, BENCH_RECORD_LAUNCHES),
    COLUMN("p50_ns", NUMBER, p50_ns, 0),
    COLUMN("p99_ns", NUMBER, p99_ns, BENCH_RECORD_LAUNCHES),
    COLUMN("max_ns", NUMBER, max_ns, 0),
    COLUMN("file", FILE, file, 0),
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
                                          .max_ns = (double)l.max_ns};
            bench_columns_put(bench_launches_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    base_free(medians);
    return BASE_OK;
}
