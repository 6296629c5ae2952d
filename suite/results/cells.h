/**
 * One contestant on one scenario: what was measured and how its answers were judged; the same in
 * numbers, as cells.csv has it and as people read it.
 */
#ifndef SUITE_CELLS_H
#define SUITE_CELLS_H

#include "suite/inputs/prepared.h"
#include "suite/results/columns.h"
#include "suite/results/force.h"
#include "suite/results/judge.h"
#include "suite/tolerance.h"

/** What becomes of a cell. */
typedef enum bench_status {
    BENCH_CELL_OK,
    BENCH_CELL_UNINFORMATIVE, /* its brackets hold the truth, but are wider than a tenth of the
                                 size; no fault */
    BENCH_CELL_WRONG, /* NaN, an answer that a second pass does not repeat, a broken contract, times
                         that leave out work (hidden_work.h) */
    BENCH_CELL_UNSUPPORTED, /* the algorithm declined this body or question */
    BENCH_CELL_FAILED,      /* its prepare or bind failed with a message, or it has left the
                               floating-point environment changed */
    BENCH_CELL_OOM,
    BENCH_CELL_CRASH, /* a signal, or an exit that nobody asked for */
    BENCH_CELL_TIMEOUT,
    BENCH_CELL_INTERRUPTED, /* Ctrl-C before its passes were done */
    BENCH_CELL_UNSCALED,    /* of simulations: the scale of its force is unknown (gain.h), so it is
                               not compared */
    BENCH_CELL_STATUS_COUNT
} bench_status;

/** "ok", "wrong", ... */
const char *bench_status_name(bench_status status);

/** What a pass is for, and what the processor's caches hold when a frame's query starts. */
typedef enum bench_protocol {
    BENCH_WARM_UP,  /* as warm; kept, and used for no statistics */
    BENCH_WARM,     /* what the variant's own frame before has left there */
    BENCH_EVICTED,  /* nothing of it: a buffer larger than the private caches is walked before each
                      frame, outside the clock */
    BENCH_SHUFFLED, /* as warm, with the frames in another order, of an algorithm without state:
                       its answers must not change; used for no statistics of times */
    BENCH_PROTOCOL_COUNT
} bench_protocol;

/** "warm-up", "warm", "evicted", "shuffled" */
const char *bench_protocol_name(bench_protocol protocol);

/** What one pass cost, beside the times of its frames. UINT64_MAX: not available. */
typedef struct bench_pass_cost {
    uint64_t query_ns; /* sum over the frames but the first (unless it is the only one); of a
                          batch: its duration */
    uint64_t involuntary_switches, major_faults, minor_faults;
    uint64_t allocations;                        /* calls of malloc and its kin */
    uint64_t output_bytes;                       /* printed on stdout so far */
    uint64_t rss_bytes;                          /* resident, after the pass */
    uint64_t instructions, cycles, cache_misses; /* in user space, of the pass's whole loop */
    uint64_t reset_ns;                           /* time of the reset before the first frame */
    uint64_t cpu_ns;       /* CPU time of the thread that asks, from the reset to the last frame */
    uint64_t other_cpu_ns; /* CPU time of other threads, and of child processes that have ended,
                              since the end of the pass before */
    uint64_t threads;      /* of the process, at the beginning or the end: the larger number */
} bench_pass_cost;

/** Where a pass stands in its run. A record of journals: of fixed size and without pointers. */
typedef struct bench_pass {
    uint32_t block;    /* contestants of one block were interleaved */
    uint32_t launch;   /* from 0; in a block and a launch a contestant was one process */
    uint32_t round;    /* of the launch, from 0 */
    uint32_t position; /* in its round */
    uint32_t protocol; /* bench_protocol */
    uint32_t batch;    /* cost.query_ns is of a batch */
    bench_pass_cost cost;
    base_hash answers_hash;
} bench_pass;

/** A pass with the nearest-rank percentiles over its frames but the first. */
typedef struct bench_pass_row {
    bench_pass pass;
    uint64_t p50_ns, p99_ns, max_ns;
    uint64_t frames_ns; /* sum over all its frames, also where query_ns is of a batch */
    bool contaminated;  /* the machine got in between */
} bench_pass_row;

/** What a launch has built. */
typedef struct bench_launch_build {
    uint64_t block, launch;
    bench_built build[2]; /* by role */
} bench_launch_build;

typedef struct bench_cell {
    const char *scenario;
    const char *name;     /* the contestant's */
    const char *baseline; /* name of the contestant that it is compared with; "" for that one */
    alg_variant variant;
    unsigned quantities;
    bench_tolerances tolerances; /* the scenario's */
    bench_status status;
    char detail[640];
    uint64_t build_ns;    /* of both bodies, median over launches */
    uint64_t load_ns;     /* the same of those that were loaded; UINT64_MAX: none was */
    bench_built build[2]; /* by role; times are medians over launches, as above; voxels are those of
                             the launch that counted them */
    bench_launch_build *builds; /* launch_count: of each launch */
    size_t launch_count;
    size_t frame_count;
    alg_answer *answers; /* frame_count; of the first pass, which every other must repeat */
    base_hash answers_hash;
    alg_answer *details;      /* frame_count: the same with the ends of stages; NULL: not asked */
    alg_region *regions;      /* bench_regions_kept of each of them, frame by frame (details.h) */
    alg_contact *contacts;    /* bench_contacts_kept of each of them, the same */
    gt_window_truth *windows; /* of each region, inside of its window; NULL: not asked */
    uint64_t *warm_ns;        /* warm_count * frame_count, pass by pass */
    size_t warm_count;
    uint64_t *evicted_ns; /* evicted_count * frame_count */
    size_t evicted_count;
    bench_pass_row *passes; /* pass_count: all, the warm-up among them */
    size_t pass_count;
    bool below_resolution; /* frames too short for the clock: passes were timed as a whole, too */
    gt_truth *truths;      /* frame_count: what judges each answer (bench_truth_for) */
    bench_judgement *judgements; /* frame_count */
    gt_escape *escapes;          /* the same, of the answered depths; NULL: none was answered */
    /** Errors of the answered forces, by the law of the ideal (ideal.h). Zeroed: no force was
     * answered, or no frame has this ideal. */
    bench_force_report forces[ALG_LAW_COUNT];
} bench_cell;

void bench_cell_release(bench_cell *cell);

enum { BENCH_PASSES_MAX = 4096 }; /* of one cell and protocol: times beyond are not kept */

/** Times of one frame over passes. Nearest-rank median. */
typedef struct bench_frame_time {
    uint64_t min_ns, median_ns, max_ns;
} bench_frame_time;

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame);

/* --- cells.csv -------------------------------------------------------------------------------- */

enum { BENCH_DEADLINE_COUNT = 4 }; /* of haptic loops: 5, 1, 0.2 and 0.1 ms */

/**
 * A row of cells.csv. Numbers are NaN and counts UINT64_MAX where they are not applicable or, when
 * read, where the field is empty. Texts are never NULL.
 */
typedef struct bench_cell_row {
    const char *scenario, *variant; /* variant: the contestant's name */
    const char *quantity, *status, *detail;
    const char *baseline; /* "" for the baseline itself */
    const char *file;     /* its frames are in SCENARIO/FILE.csv */
    const char *contract; /* "distance=exact volume=upper-bound" */
    const char *answers_hash;
    const char *const *counter_names;  /* the algorithm's; NULL: none, or a row that was read */
    double counters[ALG_COUNTERS_MAX]; /* means per frame */
    bool below_resolution;             /* single frames are too fast for the clock */
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
    double first_pass_ratio, reset_ns, reset_ratio, other_cpu_ratio; /* hidden_work.h */
    uint64_t threads;                                                /* the most of any pass */
    double instructions_mean, cycles_mean, cache_misses_mean;        /* per frame of warm passes */
    /** Statistics over the frames that have such an error. */
    double errors[BENCH_ERROR_COUNT][BENCH_STATISTIC_COUNT];
    /** Of the judged frames, the share within the scenario's tolerance, by alg_quantity. */
    double within[ALG_QUANTITY_COUNT];
    const char *tolerance; /* as bench_tolerances_parse reads it; "" for the defaults */
    /** Against the ideal of the variant's own law; bench_force_run_columns of it. */
    bench_force_metrics force;
    const char *force_law;   /* of alg_law_names; "" if no force was asked or the file has no law */
    uint64_t budget_reached; /* frames whose outcome is ALG_BUDGET_REACHED */
    uint64_t frames_judged, violations;
    uint64_t verdicts[BENCH_VERDICT_COUNT];

    /* Of a run that was read (record.h), not of the file. */
    bool twin;                               /* the baseline under a second name */
    bool left_out;                           /* not selected: no part of fronts, fits and tables */
    size_t first_launch[2], launch_count[2]; /* in bench_record.launches: warm, evicted */
} bench_cell_row;

/** Those of every cells.csv; NAME_mean for each counter of any contestant follows. Made when they
 * are asked for the first time, which is to be by one thread. */
bench_columns bench_cells_columns(void);

/** The header and a row of cells.csv. counters: of all contestants of the run. */
void bench_cells_put_names(const bench_extras *counters, base_csv_writer *writer);
void bench_cells_put(const bench_cell_row *row, const bench_extras *counters,
                     base_csv_writer *writer);

/** A cell in numbers. Texts of the row live in the arena, or are the cell's. Errors:
 * BASE_ERR_MEMORY. */
base_status bench_summarize(const bench_cell *cell, base_arena *arena, bench_cell_row *row,
                            base_error *err) BASE_MUST_CHECK;

/** A median width beyond this share of the size makes a cell uninformative. */
#define BENCH_INFORMATIVE_WIDTH 0.1

/** Statistics of one error over the cell's frames; all NaN where none has it. Errors:
 * BASE_ERR_MEMORY. */
base_status bench_cell_statistics(const bench_cell *cell, bench_error_kind error,
                                  double statistics[BENCH_STATISTIC_COUNT],
                                  base_error *err) BASE_MUST_CHECK;

/** Did it end well, with answers that are right? */
bool bench_cell_row_is_ok(const bench_cell_row *row);

/**
 * Is the truth of the quantity 0 in every frame, so that who always says 0 is exact? A distance is
 * 0 where the bodies touch, which the verdicts on its frames tell.
 */
bool bench_cell_row_truth_is_zero(const bench_cell_row *row, alg_quantity quantity);

/** Of the frames with a verdict, the share with a wrong one; NaN without any. */
double bench_cell_row_wrong_share(const bench_cell_row *row);

/**
 * Mean, or largest, error in a quantity, as bench_quantity.error says; NaN where it has none.
 * Contact has the share of wrong verdicts, where it alone was asked.
 */
double bench_cell_row_error(const bench_cell_row *row, alg_quantity quantity, bool largest);

/** Statistic of the error that the tolerance's first limit is on; of contact the share of wrong
 * verdicts. NaN where the contestant has no such error. */
double bench_cell_row_limited(const bench_cell_row *row, alg_quantity quantity,
                              const bench_limit *limit, bench_statistic statistic);

/**
 * What the contestant promises of a quantity, as its column `contract` has it. Returns false where
 * that says nothing of it: it was not asked, or the run is of an older version.
 */
bool bench_cell_row_contract(const bench_cell_row *row, alg_quantity quantity,
                             alg_contract *contract);

/* --- What people read ------------------------------------------------------------------------- */

/** Text of a number; by value, so that several fit into one call of printf. */
typedef struct bench_number_text {
    char text[24];
} bench_number_text;

/** A time with three digits and a unit that suits it: "1.57 ms"; "-" for NaN. */
bench_number_text bench_time_text(double ns);

/** Errors up to this are rounding: such answers are exact, and their last digits rank none of them.
 */
#define BENCH_EXACT_ERROR 1e-9

/**
 * An error as a percentage, as all tables for people write it: "exact" up to BENCH_EXACT_ERROR,
 * "0.707 %", "1.2e-05 %"; "n/j", not judged, for NaN.
 */
bench_number_text bench_error_text(double error);

/**
 * The same for an error of a cell in a quantity. "-" for NaN if there is nothing to judge: row is
 * NULL, its variant does not answer the quantity, or its status is neither ok nor wrong.
 */
bench_number_text bench_cell_row_error_text(const bench_cell_row *row, alg_quantity quantity,
                                            double error);

/** The table of a run, which is printed cell by cell: so wide as its longest names. */
typedef struct bench_table {
    int scenario_width, variant_width;
    bool begun; /* the heading is printed */
} bench_table;

/** Begins an empty one; then all names are told, before the first line is printed. */
void bench_table_begin(bench_table *table);
void bench_table_scenario(bench_table *table, const char *name);
/** has_copies: NAME@twin and its kind may take part. */
void bench_table_variant(bench_table *table, const char *name, bool has_copies);

/**
 * A line for each quantity (mask ALG_WANT_*) of a cell; before the first the heading. "mean" is of
 * each frame's median over passes; "max fastest" counts each frame with its fastest pass, which is
 * the algorithm's worst case and may lie below a mean; "max any" has the machine's interruptions in
 * it. Errors are relative to the truth, and the mean error of contact is the share of frames whose
 * verdict is wrong; it has no largest one.
 */
void bench_table_print(FILE *file, bench_table *table, unsigned quantities,
                       const bench_cell_row *row);

#endif
