#include "suite/results/cell.h"

#include "base/memory.h"
#include "suite/results/stats.h"

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
    };
    _Static_assert(sizeof names / sizeof *names == BENCH_PROTOCOL_COUNT,
                   "a name for every protocol");
    return names[protocol];
}

void bench_cell_release(bench_cell *cell)
{
    base_free(cell->answers);
    base_free(cell->judgements);
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
