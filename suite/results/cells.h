/**
 * One contestant on one scenario: the measured samples, the judgements of its answers, and their
 * summary as a row of cells.csv and as a line of the printed table.
 */
#ifndef SUITE_CELLS_H
#define SUITE_CELLS_H

#include "suite/inputs/prepared.h"
#include "suite/results/columns.h"
#include "suite/results/force.h"
#include "suite/results/judge.h"
#include "suite/tolerance.h"

/** The outcome of a cell. */
typedef enum bench_status {
    BENCH_CELL_OK,
    BENCH_CELL_UNINFORMATIVE, /* its brackets contain the truth, but are wider than a tenth of
                                 the size; not a failure */
    BENCH_CELL_WRONG, /* an invalid answer (NaN, ...), an answer that a later pass does not repeat,
                         a broken promise, or times that leave out work (launches.h) */
    BENCH_CELL_UNSUPPORTED, /* the algorithm refused this body or quantity */
    BENCH_CELL_FAILED,      /* it failed with a message, or has changed the floating-point
                               environment */
    BENCH_CELL_OOM,
    BENCH_CELL_CRASH, /* a signal, or an exit without request */
    BENCH_CELL_TIMEOUT,
    BENCH_CELL_INTERRUPTED, /* Ctrl-C before all passes were made */
    BENCH_CELL_UNSCALED,    /* in simulations: the scale of its force is unknown (drive.h), so it
                               is not compared */
    BENCH_CELL_STATUS_COUNT
} bench_status;

/** Returns "ok", "wrong", ... */
const char *bench_status_name(bench_status status);

/**
 * The purpose of a pass, and the contents of the processor's caches at the start of a frame's
 * query.
 */
typedef enum bench_protocol {
    BENCH_WARM_UP,  /* like warm; stored, but not used in statistics */
    BENCH_WARM,     /* caches contain the data of the variant's previous frame */
    BENCH_EVICTED,  /* private caches are overwritten: a larger buffer is written before each frame,
                       outside of the measured time. A batch (below) writes it only once, before its
                       first frame */
    BENCH_SHUFFLED, /* like warm, with the frames in another order, for algorithms without state:
                       the answers must not change; not used in statistics of times */
    BENCH_PROTOCOL_COUNT
} bench_protocol;

/** Returns "warm-up", "warm", "evicted" or "shuffled". */
const char *bench_protocol_name(bench_protocol protocol);

/** Costs of one pass, besides the times of its frames. UINT64_MAX: not available. */
typedef struct bench_pass_cost {
    uint64_t query_ns; /* sum over the frames except the first, or the time of a single frame; for a
                          batch: the duration of the whole batch */
    uint64_t involuntary_switches, major_faults, minor_faults;
    uint64_t allocations;                        /* in all threads, of malloc and its relatives */
    uint64_t output_bytes;                       /* bytes printed on stdout so far */
    uint64_t rss_bytes;                          /* resident memory after the pass */
    uint64_t instructions, cycles, cache_misses; /* in user space, in the reset and the loop over
                                                    the frames */
    uint64_t reset_ns;                           /* CPU time of the reset before the first frame */
    uint64_t cpu_ns;       /* CPU time of the querying thread, from the reset to the last frame */
    uint64_t other_cpu_ns; /* CPU time of other threads, and of child processes that have ended,
                              since the end of the previous pass or of the preparation; includes the
                              batch */
    uint64_t threads;      /* threads of the process: the larger of the numbers at the beginning and
                              at the end of the pass */
} bench_pass_cost;

/**
 * Position of a pass in its run. Journals contain it as a record, so it has a fixed size and no
 * pointers.
 */
typedef struct bench_pass {
    uint32_t block;    /* contestants of one block were interleaved */
    uint32_t launch;   /* from 0; a contestant has one process in each launch of a block */
    uint32_t round;    /* number of the pass in its launch, from 0 */
    uint32_t position; /* position of the pass in its round, from 0 */
    uint32_t protocol; /* bench_protocol */
    uint32_t batch;    /* 1: after the timed frames, all frames were repeated as a batch, whose
                          duration is cost.query_ns */
    bench_pass_cost cost;
    base_hash answers_hash;
} bench_pass;

/**
 * A pass, with nearest-rank percentiles over its frames. The first frame is excluded unless it is
 * the only one.
 */
typedef struct bench_pass_row {
    bench_pass pass;
    uint64_t p50_ns, p99_ns, max_ns;
    uint64_t frames_ns; /* sum of the times of all frames, without the batch */
    bool contaminated;  /* disturbed by other activity of the machine */
} bench_pass_row;

/** The builds of a launch. */
typedef struct bench_launch_build {
    uint64_t block, launch;
    bench_built build[2]; /* by role */
} bench_launch_build;

struct bench_cell {
    const char *scenario;
    const char *name;     /* name of the contestant */
    const char *baseline; /* name of the contestant that it is compared with; "" for the baseline
                             itself */
    alg_variant variant;
    unsigned quantities;
    bench_tolerances tolerances; /* of the scenario */
    bench_status status;
    char detail[640];
    uint64_t build_ns;    /* of both bodies, median over launches */
    uint64_t load_ns;     /* time to load both bodies, median over the launches that loaded a body;
                             UINT64_MAX if no launch did */
    bench_built build[2]; /* by role; times are medians over launches, as above; voxels are those
                             of the launch that counted them */
    bench_launch_build *builds; /* launch_count entries */
    size_t launch_count;
    size_t frame_count;
    alg_answer *answers; /* frame_count entries of the first pass; all other passes must repeat
                            them */
    base_hash answers_hash;
    alg_answer *details;      /* frame_count entries of the details pass: the same answers, with the
                                 ends of stages; NULL: no details pass */
    alg_region *regions;      /* bench_regions_kept entries of each frame, frame by frame
                                 (judge.h) */
    alg_contact *contacts;    /* bench_contacts_kept entries of each frame, likewise */
    gt_window_truth *windows; /* truth inside the window of each region, in the order of `regions`;
                                 NULL: not asked */
    uint64_t *warm_ns;        /* warm_count * frame_count entries, pass by pass */
    size_t warm_count;
    uint64_t *evicted_ns; /* evicted_count * frame_count entries */
    size_t evicted_count;
    bench_pass_row *passes; /* pass_count entries: all passes including the warm-up */
    size_t pass_count;
    bool below_resolution; /* frames are too short for the clock, so batches were timed, too */
    const char *elsewhere; /* the answers were made by another program (suite/score): the machine as
                              its user names it; NULL: measured by this run. Such a cell has no
                              passes and no builds */
    uint64_t *elsewhere_ns; /* frame_count entries: its times, UINT64_MAX if a frame has none; NULL:
                               there are no times */
    gt_truth *truths;       /* frame_count entries: the truth that judges the answer
                              (bench_truth_for) */
    bench_judgement *judgements; /* frame_count entries */
    gt_escape *escapes;          /* frame_count entries: truth of the answered depths; NULL if no
                                    depth was answered */
    /**
     * Errors of the answered forces, by the law of the ideal (judge.h). Zeroed if no frame has both
     * an answered force and this ideal.
     */
    bench_force_report forces[ALG_LAW_COUNT];
};

void bench_cell_release(bench_cell *cell);

enum { BENCH_PASSES_MAX = 4096 }; /* per cell and protocol; later passes have no times here */

/** Times of one frame over all passes, with the nearest-rank median. */
typedef struct bench_frame_time {
    uint64_t min_ns, median_ns, max_ns;
} bench_frame_time;

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame);

/* --- cells.csv -------------------------------------------------------------------------------- */

enum { BENCH_DEADLINE_COUNT = 4 }; /* deadlines of haptic loops: 5, 1, 0.2 and 0.1 ms */

/**
 * A row of cells.csv. If a value is not applicable, or its field is empty in a file that was read,
 * numbers are NaN and counts UINT64_MAX. Texts are never NULL.
 */
typedef struct bench_cell_row {
    const char *scenario, *variant; /* variant: name of the contestant */
    const char *quantity, *status, *detail;
    const char *baseline; /* "" for the baseline itself */
    const char *file;     /* its frames are in SCENARIO/FILE.csv */
    const char *contract; /* "distance=exact volume=upper-bound" */
    const char *answers_hash;
    const char *const *counter_names;  /* of the algorithm; NULL if it has no counters or the row
                                          was read from a file */
    double counters[ALG_COUNTERS_MAX]; /* means per frame */
    bool below_resolution;             /* single frames are too fast for the clock */
    uint64_t build_ns, load_ns, build_bytes, primitives[2], tolerance_ulp;
    uint64_t frames, warm_passes, launches;
    /* Statistics of the frames' times; the time of a frame is its median over the warm passes. The
     * first frame is cold and is excluded, unless it is the only one. */
    double time_mean_ns, time_p50_ns, time_p90_ns, time_p95_ns, time_p99_ns;
    double time_p999_ns;          /* only with 10 000 frames or more */
    double time_max_ns;           /* maximum over frames and warm passes, which includes
                                     interruptions by the machine */
    double time_intrinsic_max_ns; /* maximum over frames of the minimum over warm passes: the
                                     algorithm's own worst case */
    double time_cold_ns;          /* the first frame's median */
    double time_evicted_p50_ns;   /* median over frames of each frame's median over evicted
                                     passes */
    double time_max_clean_ns;     /* like time_max_ns, over uncontaminated passes */
    uint64_t misses[BENCH_DEADLINE_COUNT]; /* number of frames in all warm passes that exceed each
                                              deadline; first frames are included */
    uint64_t miss_run_1ms;                 /* longest run of consecutive frames over 1 ms in one
                                              warm pass */
    uint64_t contaminated_passes;          /* number of contaminated warm and evicted passes */
    uint64_t slowest_frame;                /* index of the frame with time_intrinsic_max_ns */
    double allocations;                    /* sum over the warm and evicted passes; NaN: not
                                              counted */
    uint64_t rss_bytes;                    /* maximum over all passes, measured after each pass */
    uint64_t rss_growth_bytes; /* largest growth from the first pass of a launch to a later one */
    uint64_t output_bytes;     /* printed on stdout, maximum over the launches */
    double first_pass_ratio, reset_ns, reset_ratio, other_cpu_ratio; /* launches.h */
    uint64_t threads;                                                /* maximum over the passes */
    double instructions_mean, cycles_mean, cache_misses_mean;        /* per frame of warm passes */
    /** Statistics over the frames that have this error. */
    double errors[BENCH_ERROR_COUNT][BENCH_STATISTIC_COUNT];
    /** Share of the judged frames within the scenario's tolerance, by alg_quantity. */
    double within[ALG_QUANTITY_COUNT];
    const char *tolerance; /* limits on errors of the asked quantities, for bench_tolerances_parse;
                              "" if only verdicts have limits, or if the file has no such column */
    /**
     * Compared with the ideal of the variant's own law. The file has the columns
     * bench_force_run_columns of it.
     */
    bench_force_metrics force;
    const char *force_law; /* one of alg_law_names; "" if no force was asked or the file has no
                                law */
    const char *elsewhere; /* machine of answers that another program made; "": measured by this
                                run. All times above are then NaN */
    double elsewhere_p50_ns, elsewhere_p99_ns, elsewhere_max_ns; /* over all frames with a time */
    uint64_t budget_reached; /* number of frames whose outcome is ALG_BUDGET_REACHED */
    uint64_t frames_judged, violations;
    uint64_t verdicts[BENCH_VERDICT_COUNT];

    /* Set when a run is read (record.h); not in the file. */
    bool twin;                               /* the contestant is a copy of the baseline */
    bool left_out;                           /* the cell was not selected, so that fronts, fits and
                                                tables exclude it */
    size_t first_launch[2], launch_count[2]; /* in bench_record.launches: warm, evicted */
} bench_cell_row;

/**
 * Returns the columns of every cells.csv; a column NAME_mean for each counter of any contestant
 * follows. The first call creates them and is not thread-safe.
 */
bench_columns bench_cells_columns(void);

/** Write the header and a row of cells.csv. counters: of all contestants of the run. */
void bench_cells_put_names(const bench_extras *counters, base_csv_writer *writer);
void bench_cells_put(const bench_cell_row *row, const bench_extras *counters,
                     base_csv_writer *writer);

/**
 * Summarizes a cell in a row. The texts of the row are in the arena or borrowed from the cell.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_summarize(const bench_cell *cell, base_arena *arena, bench_cell_row *row,
                            base_error *err) BASE_MUST_CHECK;

/**
 * A cell is uninformative if the median width of its own brackets exceeds this share of the size
 * (bench_scale).
 */
#define BENCH_INFORMATIVE_WIDTH 0.1

/**
 * Computes the statistics of one error over the cell's frames; all NaN if no frame has it.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_cell_statistics(const bench_cell *cell, bench_error_kind error,
                                  double statistics[BENCH_STATISTIC_COUNT],
                                  base_error *err) BASE_MUST_CHECK;

/**
 * True if the status is ok or uninformative: the cell has ended normally and its answers are
 * correct.
 */
bool bench_cell_row_is_ok(const bench_cell_row *row);

/**
 * True if the quantity is the distance, and it is 0 in every frame with a verdict, so that a
 * constant answer of 0 is exact. The verdicts tell in which frames the bodies touch. False for
 * other quantities, and if no frame has a verdict.
 */
bool bench_cell_row_truth_is_zero(const bench_cell_row *row, alg_quantity quantity);

/**
 * Returns the mean or largest error in a quantity; NaN if there is no such error.
 * bench_quantity.error selects the error. For contact it is the share of wrong verdicts, if contact
 * was asked.
 */
double bench_cell_row_error(const bench_cell_row *row, alg_quantity quantity, bool largest);

/**
 * Returns the statistic of the error that the tolerance's first limit applies to; for contact the
 * share of wrong verdicts. NaN if the contestant has no such error.
 */
double bench_cell_row_limited(const bench_cell_row *row, alg_quantity quantity,
                              const bench_limit *limit, bench_statistic statistic);

/**
 * Reads the contract of a quantity from the column `contract`. Returns false if the quantity is
 * missing there, because it was not asked or the run is of an older version.
 */
bool bench_cell_row_contract(const bench_cell_row *row, alg_quantity quantity,
                             alg_contract *contract);

/* --- Printed texts and tables ----------------------------------------------------------------- */

/**
 * Text of a number. It is returned by value, so that a single call of printf can print several
 * numbers.
 */
typedef struct bench_number_text {
    char text[24];
} bench_number_text;

/** Formats a time with three digits and a suitable unit: "1.57 ms"; "-" for NaN. */
bench_number_text bench_time_text(double ns);

/**
 * Errors up to this value are rounding errors. Answers with such errors are exact and are not
 * ranked by their error.
 */
#define BENCH_EXACT_ERROR 1e-9

/**
 * Formats an error as a percentage, for all printed tables: "exact" up to BENCH_EXACT_ERROR, "0.707
 * %", "1.2e-05 %"; "n/j" (not judged) for NaN.
 */
bench_number_text bench_error_text(double error);

/**
 * Formats the error of a cell in a quantity, likewise. A NaN becomes "-" if there is nothing to
 * judge: row is NULL, its variant does not answer the quantity, or its status is none of ok,
 * uninformative and wrong.
 */
bench_number_text bench_cell_row_error_text(const bench_cell_row *row, alg_quantity quantity,
                                            double error);

/**
 * The table of a run, which is printed cell by cell. The column widths are those of the longest
 * names.
 */
typedef struct bench_table {
    int scenario_width, variant_width;
    bool begun; /* the header has been printed */
} bench_table;

/** Begins an empty table. All names must be added before the first line is printed. */
void bench_table_begin(bench_table *table);
void bench_table_scenario(bench_table *table, const char *name);
/** has_copies: there may be copies such as NAME@twin. */
void bench_table_variant(bench_table *table, const char *name, bool has_copies);

/**
 * Prints a line for each quantity (mask ALG_WANT_*) of a cell, and the header before the first
 * line. "mean" is the mean of each frame's median over passes. "max fastest" uses the fastest pass
 * of each frame; it is the algorithm's worst case and may be smaller than a mean. "max any"
 * includes interruptions by the machine. Errors are those of bench_quantity.printed. The mean error
 * of contact is the share of wrong verdicts; contact has no largest error.
 */
void bench_table_print(FILE *file, bench_table *table, unsigned quantities,
                       const bench_cell_row *row);

#endif
