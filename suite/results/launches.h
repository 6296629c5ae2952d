/**
 * launches.csv, a launch of a cell in numbers, which is what ratios are taken of; and passes.csv,
 * what was measured when, one row a pass.
 */
#ifndef SUITE_LAUNCHES_H
#define SUITE_LAUNCHES_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

/**
 * Each frame counts with its median over the launch's rounds: an interruption hits one frame of one
 * round, and is no part of it.
 */
typedef struct bench_launch {
    uint64_t block, launch;
    bench_protocol protocol;
    size_t rounds;
    uint64_t query_ns; /* sum over the frames but the first; below the clock's resolution: median
                          duration of a pass */
    uint64_t p50_ns, p99_ns, max_ns; /* over the frames but the first; nearest rank */
    uint64_t rss_bytes;              /* largest resident memory after one of its passes */
} bench_launch;

/**
 * The next launch that has passes of a protocol. *at: 0 at first; medians: room for frame_count.
 * Returns false behind the last whose times are kept (BENCH_PASSES_MAX).
 */
bool bench_cell_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                       uint64_t *medians, bench_launch *launch);

/** A row of launches.csv. Times are NaN where empty. */
typedef struct bench_launch_row {
    const char *scenario, *variant, *baseline, *protocol, *file;
    uint64_t block, launch; /* what was interleaved with it has the same two */
    uint64_t rounds;
    double query_ns, p50_ns, p99_ns, max_ns;
    double build_ns, rss_bytes; /* NaN where empty */

    /* Of a run that was read (record.h), not of the file. */
    const bench_cell_row *cell;
    bool evicted;
    size_t line; /* for messages */
} bench_launch_row;

extern const bench_columns bench_launches_columns;

/** All launches of a cell, warm before evicted. Errors: BASE_ERR_MEMORY. */
base_status bench_launches_put(FILE *file, const bench_cell *cell, base_error *err) BASE_MUST_CHECK;

/* --- passes.csv ------------------------------------------------------------------------------- */

extern const bench_columns bench_passes_columns;

void bench_passes_put(FILE *file, const bench_cell *cell);

#endif
