/**
 * launches.csv: one row for each launch of a cell, from which ratios are computed; and passes.csv:
 * one row for each pass, in the order of measurement.
 */
#ifndef SUITE_LAUNCHES_H
#define SUITE_LAUNCHES_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"

/**
 * A launch of a cell. Each frame counts with its median over the launch's rounds, which excludes an
 * interruption of one frame in one round.
 */
typedef struct bench_launch {
    uint64_t block, launch;
    bench_protocol protocol;
    size_t rounds;
    uint64_t query_ns; /* sum over the frames except the first; below the clock's resolution:
                          median duration of a pass */
    uint64_t p50_ns, p99_ns, max_ns; /* over the frames except the first; nearest rank */
    uint64_t rss_bytes;              /* largest resident memory after one of its passes */
} bench_launch;

/**
 * Finds the next launch that has passes of a protocol. *at: 0 before the first call. medians:
 * buffer of frame_count entries.
 * Returns false after the last launch whose times are stored (BENCH_PASSES_MAX).
 */
bool bench_cell_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                       uint64_t *medians, bench_launch *launch);

/** A row of launches.csv. Times are NaN if empty. */
typedef struct bench_launch_row {
    const char *scenario, *variant, *baseline, *protocol, *file;
    uint64_t block, launch; /* launches that were interleaved have the same block and launch */
    uint64_t rounds;
    double query_ns, p50_ns, p99_ns, max_ns;
    double build_ns, rss_bytes; /* NaN if empty */

    /* Set when a run is read (record.h); not in the file. */
    const bench_cell_row *cell;
    bool evicted;
    size_t line; /* for messages */
} bench_launch_row;

extern const bench_columns bench_launches_columns;

/** Writes all launches of a cell, warm before evicted. Errors: BASE_ERR_MEMORY. */
base_status bench_launches_put(FILE *file, const bench_cell *cell, base_error *err) BASE_MUST_CHECK;

/* --- passes.csv ------------------------------------------------------------------------------- */

extern const bench_columns bench_passes_columns;

void bench_passes_put(FILE *file, const bench_cell *cell);

#endif
