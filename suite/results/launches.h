/**
 * The tables of a cell's launches, and what they reveal:
 *
 *   launches.csv        a row for each launch of a cell, from which ratios are computed
 *   passes.csv          a row for each pass, in the order of measurement
 *   builds.csv          a row for each body that a variant has built in a role, once for all
 *                       scenarios of a run
 *   build_launches.csv  the builds of each launch, from which ratios of build times are computed
 *
 * The passes also reveal work that the times of queries do not contain: answers that are remembered
 * from pass to pass, work in `reset`, and work in other threads or processes. docs/timing.md
 * describes each kind.
 */
#ifndef SUITE_LAUNCHES_H
#define SUITE_LAUNCHES_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/**
 * A launch of a cell. The time of a frame is its median over the launch's rounds, so with two or
 * more rounds an interruption in one round has no effect.
 */
typedef struct bench_launch {
    uint64_t block, launch;
    bench_protocol protocol;
    size_t rounds;
    uint64_t query_ns; /* sum over the frames except the first; below the clock's resolution: median
                          duration of a batch */
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

/* --- Builds ----------------------------------------------------------------------------------- */

/** The columns of every builds.csv. A column for each fact of any algorithm follows. */
extern const bench_columns bench_builds_columns;

/**
 * The rows of builds.csv: one for each contestant, body and role, independent of the number of
 * scenarios.
 */
typedef struct bench_builds bench_builds;

/**
 * path: the path of the file. Call bench_builds_destroy also after an error. Errors:
 * BASE_ERR_MEMORY.
 */
base_status bench_builds_create(const char *path, bench_builds **builds,
                                base_error *err) BASE_MUST_CHECK;
/**
 * Adds the builds of a cell. If a row exists already, it is kept, but a successful build replaces a
 * failed one. Errors: BASE_ERR_MEMORY.
 */
base_status bench_builds_add(bench_builds *builds, const bench_cell *cell, const bench_pair *pair,
                             base_error *err) BASE_MUST_CHECK;
/** Writes the complete file or leaves it unchanged. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_builds_write(const bench_builds *builds, base_error *err) BASE_MUST_CHECK;
void bench_builds_destroy(bench_builds *builds);

/* --- build_launches.csv ----------------------------------------------------------------------- */

/** A row: a body that a launch has built. Loaded bodies have no row. */
typedef struct bench_build_launch_row {
    const char *variant, *body, *role, *scenario, *parameters;
    uint64_t launch, block, build_ns;
} bench_build_launch_row;

/** The columns of every build_launches.csv. A column for each fact that is a time follows. */
extern const bench_columns bench_build_launches_columns;

/** True if the name of a fact is that of a time: "stage_fill_ns". */
bool bench_is_build_time(const char *name);
/** Adds the facts that are times. facts: may be NULL. Errors: BASE_ERR_MEMORY. */
base_status bench_build_times_add(bench_extras *times, const char *const *facts,
                                  base_error *err) BASE_MUST_CHECK;
/** Writes the header. times: of all variants of the run. */
void bench_build_launches_put_names(const bench_extras *times, base_csv_writer *writer);
/** Writes a row for each launch and each body of the cell that the launch has built. */
void bench_build_launches_put(FILE *file, const bench_extras *times, const bench_cell *cell,
                              const bench_pair *pair);

/* --- Work outside of the timed queries -------------------------------------------------------- */

/** The measurements of a launch; times in nanoseconds. NaN if the launch has no such pass. */
typedef struct bench_launch_work {
    /**
     * Time of the first pass, and the median time of the later warm passes. The time of a pass is
     * the smaller of two numbers: the sum over all its frames and its CPU time. So an interrupted
     * pass does not look long.
     */
    double first_ns, later_ns;
    double first_p50_ns, later_p50_ns; /* median frame of the first pass (first frame excluded), and
                                          the median of this over the later warm passes */
    /**
     * Medians over warm and evicted passes: CPU time of the reset, and its ratio to the sum over
     * all frames of its pass.
     */
    double reset_ns, reset_ratio;
    /**
     * CPU time of other threads and of child processes, and its ratio to (time of the queries *
     * number of other threads, at least 1), in the warm or evicted pass with the smallest ratio.
     * The time of the queries includes the batch.
     */
    double other_ns, other_ratio;
    size_t timed_passes; /* number of warm and evicted passes; a single pass is not sufficient
                            evidence */
} bench_launch_work;

typedef enum bench_hidden {
    BENCH_HIDDEN_NOTHING,
    BENCH_HIDDEN_NOTE,  /* in every launch a ratio is above its limit for a note */
    BENCH_HIDDEN_WRONG, /* in every launch a ratio is more than ten times that of honest
                           contestants: the times are wrong */
} bench_hidden;

enum { BENCH_HIDDEN_BYTES = 160 };

/**
 * The result for a cell. Ratios and times are minima over the launches; NaN if no launch has them.
 */
typedef struct bench_hidden_work {
    double
        first_ratio; /* first pass / later passes: the smaller of the ratio of sums and the ratio of
                        median frames */
    double reset_ns, reset_ratio, other_ratio;
    uint64_t threads; /* maximum over the passes; UINT64_MAX if there is no pass */
    bench_hidden verdict;
    char text[BENCH_HIDDEN_BYTES]; /* one sentence; "" if nothing was found */
} bench_hidden_work;

/**
 * The largest honest ratios in a launch, of 3877 cells of the experiments ci, bench, peers,
 * degenerate, imp-x1, ist-speed, and the promises of imp, pst, vps and lpd, in mode ci on two busy
 * CPUs:
 *
 *   first pass / later   6.0 (pst:deadline-us=5 in pst-promises; others 2.0) for at least 10 frames
 *                        and 1 ms. With less work, cold caches and page faults make the first pass
 *                        long: 30 times with one frame, 27 times with two
 *   reset / frames       0.04. The longest reset takes 0.12 ms
 *   other threads        1 for each thread that works during queries and sleeps between them:
 *                        imp:order=threads has 0.94. With one thread, threads that have built the
 *                        bodies use up to 0.1 ms
 *
 * A cell is wrong if its ratio is more than BENCH_HIDDEN_FACTOR times the honest ratio.
 */
#define BENCH_HIDDEN_FACTOR 10.0
#define BENCH_FIRST_RATIO   6.0
#define BENCH_RESET_RATIO   0.05
#define BENCH_OTHER_RATIO   1.0

/** A ratio above these limits gives a note. */
#define BENCH_FIRST_NOTED 3.0
#define BENCH_RESET_NOTED 0.05
#define BENCH_OTHER_NOTED 0.1

/** Shorter times and fewer frames are not evidence. */
#define BENCH_FIRST_NS 1e6
#define BENCH_RESET_NS 2e5
#define BENCH_OTHER_NS 1e6
enum { BENCH_FIRST_FRAMES = 10 };

/** Judges the launches. frames: number of frames of a pass. threads: maximum over the passes. */
bench_hidden_work bench_hidden_work_judge(const bench_launch_work *launches, size_t count,
                                          size_t frames, uint64_t threads);

/** Measures and judges the passes of a cell. Errors: BASE_ERR_MEMORY. */
base_status bench_hidden_work_of(const bench_cell *cell, bench_hidden_work *work,
                                 base_error *err) BASE_MUST_CHECK;

#endif
