/** A launch of a cell in numbers. */
#include "suite/run/run.h"

#include "suite/results/stats.h"

/** Of a batch the duration is that of the whole pass: the median of those, nearest rank. */
static uint64_t batch_median(const bench_cell *cell, const size_t *rows, size_t count)
{
    uint64_t totals[BENCH_ROUNDS_MAX];
    for (size_t i = 0; i < count; i++) {
        totals[i] = cell->passes[rows[i]].pass.cost.query_ns;
    }
    bench_stats_sort(totals, count);
    return bench_stats_percentile(totals, count, 50);
}

/** Fills rows with the next passes of a protocol that share block and launch; *at: where to look.
 */
static size_t next_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                          size_t rows[BENCH_ROUNDS_MAX])
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
        if (count < BENCH_ROUNDS_MAX) {
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
    size_t rows[BENCH_ROUNDS_MAX];
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
