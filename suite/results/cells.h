/** cells.csv: a cell in numbers, as it is written and as it is read back. */
#ifndef SUITE_CELLS_H
#define SUITE_CELLS_H

#include "suite/results/cell.h"
#include "suite/results/columns.h"

/** Deadlines of haptic loops that misses are counted for: 5, 1, 0.2 and 0.1 ms. */
enum { BENCH_DEADLINE_COUNT = 4 };
extern const uint64_t bench_deadlines_ns[BENCH_DEADLINE_COUNT];

/** Of absolute values that are not NaN, nearest rank; all NaN when there is none. */
typedef struct bench_spread {
    double mean, max, p50, p99;
} bench_spread;

/**
 * A row of cells.csv. Numbers are NaN and counts UINT64_MAX where they are not applicable or, when
 * read, where the field is empty. Texts are never NULL.
 */
typedef struct bench_cell_row {
    const char *scenario, *variant; /* variant: the contestant's name */
    const char *quantity, *status, *detail;
    const char *baseline; /* "" for the baseline itself */
    const char *file;     /* its frames are in SCENARIO/FILE.csv */
    const char *counters; /* "bv_tests_count=1203.5": means per frame */
    const char *contract; /* "distance=exact volume=upper-bound" */
    const char *answers_hash;
    bool below_resolution; /* single frames are too fast for the clock */
    uint64_t build_ns, load_ns, build_bytes, primitives[2], tolerance_ulp;
    uint64_t frames, warm_passes, launches;
    /* Over frames but the first (the cold one, unless it is the only one), of each frame's median
       over passes. */
    double time_mean_ns, time_p50_ns, time_p90_ns, time_p95_ns, time_p99_ns;
    double time_p999_ns;          /* of 10 000 frames or more */
    double time_max_ns;           /* over frames and passes: the machine's worst is in it */
    double time_intrinsic_max_ns; /* over frames, of the minimum over passes: the algorithm's */
    double time_cold_ns;          /* the first frame's median */
    double time_evicted_p50_ns;   /* over frames but the first */
    double time_max_clean_ns;     /* as time_max_ns, over passes that are not contaminated */
    uint64_t misses[BENCH_DEADLINE_COUNT]; /* frames x passes beyond each deadline, the cold
                                              ones among them */
    uint64_t miss_run_1ms;                 /* longest run of frames beyond 1 ms in one pass */
    uint64_t contaminated_passes;          /* warm and evicted passes */
    uint64_t slowest_frame;                /* of the intrinsic maximum */
    double allocations;                    /* in warm and evicted passes; NaN: not counted */
    uint64_t rss_bytes;                    /* most after any pass */
    uint64_t rss_growth_bytes; /* from the first to the last pass of a launch, the most */
    uint64_t output_bytes;     /* printed on stdout, the most of a launch */
    double instructions_mean, cycles_mean, cache_misses_mean; /* per frame of warm passes */
    bench_spread errors[ALG_QUANTITY_COUNT][BENCH_ERROR_COUNT];
    uint64_t budget_reached; /* frames whose outcome is ALG_BUDGET_REACHED */
    uint64_t frames_judged, violations;
    uint64_t verdicts[BENCH_VERDICT_COUNT];

    /* Of a run that was read (record.h), not of the file. */
    bool twin;                               /* the baseline under a second name */
    bool left_out;                           /* not selected: no part of fronts, fits and tables */
    size_t first_launch[2], launch_count[2]; /* in bench_record.launches: warm, evicted */
} bench_cell_row;

extern const bench_columns bench_cells_columns;

/** A cell in numbers. Texts of the row live in the arena, or are the cell's. Errors:
 * BASE_ERR_MEMORY. */
base_status bench_summarize(const bench_cell *cell, base_arena *arena, bench_cell_row *row,
                            base_error *err) BASE_MUST_CHECK;

/** A median width beyond this share of the size makes a cell uninformative. */
#define BENCH_INFORMATIVE_WIDTH 0.1

/** Of one error of one quantity, over the cell's frames. Errors: BASE_ERR_MEMORY. */
base_status bench_cell_spread(const bench_cell *cell, alg_quantity quantity, bench_error_kind error,
                              bench_spread *spread, base_error *err) BASE_MUST_CHECK;

/** Did it end well, with answers that are right? */
bool bench_cell_row_is_ok(const bench_cell_row *row);

/** Of the frames with a verdict, the share with a wrong one; NaN without any. */
double bench_cell_row_wrong_share(const bench_cell_row *row);

/**
 * Mean, or largest, error in a quantity, as bench_quantity.error says; NaN where it has none.
 * Contact has the share of wrong verdicts, where it alone was asked.
 */
double bench_cell_row_error(const bench_cell_row *row, alg_quantity quantity, bool largest);

#endif
