/**
 * A run: scenarios times contestants, measured, judged and written down.
 *
 *   run.c        scenario after scenario, and the run's files
 *   stage.c      one scenario: pair, frames, truth, who takes part
 *   passes.c     blocks, launches, rounds: who makes which pass when
 *   journal.h    what was measured, safe on disk after each pass
 *   cell.c       a contestant's journal read back and judged
 *   worker.h     the processes
 *   ../results/  statistics and files
 */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include "suite/inputs/pair.h"
#include "suite/run/journal.h"
#include "suite/run/timing.h"
#include "suite/run/worker.h"

/** How often everything is repeated. Rows of the table in run.c, by name. */
typedef struct bench_mode {
    const char *name;
    size_t launches;                                    /* processes of each contestant, at least */
    size_t warm_up_rounds, warm_rounds, evicted_rounds; /* passes in each launch, in this order */
    bool timed;             /* with a twin of the baseline and enough launches for intervals */
    unsigned truth_methods; /* mask of GT_BY_* */
    int certificate;        /* frames with less are not judged */
} bench_mode;

const bench_mode *bench_mode_find(const char *name);

enum { BENCH_LAUNCHES_MAX = SCN_LAUNCHES_MAX, BENCH_ROUNDS_MAX = SCN_ROUNDS_MAX };

typedef struct bench_run_options {
    const scn_experiment *experiment;
    const alg_variant *variants; /* of the experiment, parsed (bench_experiment_choose) */
    const bench_mode *mode;
    size_t launches, warm_rounds; /* instead of the mode's; 0: the mode's */
    const char *directory;        /* exists; empty, or with `resume` a run that was begun */
    const char *cache_directory;  /* of truth, trajectories and prepared bodies; NULL: none */
    const char *command;          /* as typed, for the manifest */
    const char *const *arguments; /* argument_count: the same word by word, for --resume */
    size_t argument_count;
    const char *const *algorithms; /* globs on variant names, NULL-terminated; NULL: all */
    const char *const *scenarios;  /* the same on scenario names */
    /** Old code to be timed against: every variant takes part as NAME@base (from this program or
     * plug-in), NAME@head (from where it comes) and NAME@twin (the base once more). */
    const char *against_program, *against_plugin;
    bool warm_only;        /* no passes with evicted caches */
    double timeout_s;      /* of one build or one pass */
    uint64_t memory_bytes; /* of all contestants that are interleaved, and limit of each; 0: three
                              quarters of what the machine has */
    bool resume;           /* go on with what is in `directory` */
    bool quiet;
    bool no_table; /* on stdout: somebody else prints rows there */
} bench_run_options;

/** What the truth says of a frame's colliding or not. */
typedef enum bench_verdict {
    BENCH_VERDICT_NONE, /* nothing to compare: not certified, or no distance truth */
    BENCH_TRUE_POSITIVE,
    BENCH_TRUE_NEGATIVE,
    BENCH_FALSE_POSITIVE,
    BENCH_FALSE_NEGATIVE,
    BENCH_AMBIGUOUS, /* the bracket holds both touching and apart */
} bench_verdict;

/** "tp", ...; "" for none. */
const char *bench_verdict_name(bench_verdict verdict);

/** What an answer can break. */
typedef enum bench_promise {
    BENCH_PROMISE_CONTRACT, /* of the variant, about its answers */
    BENCH_PROMISE_DISTANCE_BRACKET,
    BENCH_PROMISE_VOLUME_BRACKET,
    BENCH_PROMISE_COUNT
} bench_promise;

/** "contract", "distance bracket", "volume bracket" */
const char *bench_promise_name(bench_promise promise);

/** Errors of a frame's answer; NaN where not applicable. */
typedef struct bench_judgement {
    double distance_error_rel;  /* (answer - truth) / truth; truth >= 0.5 % of the size */
    double distance_error_size; /* (answer - truth) / diagonal of A's box */
    double volume_error_rel;    /* (answer - truth) / truth; truth >= 0.1 % of the smaller body */
    bench_verdict verdict;
    bool judged;     /* certified truth for something that was answered */
    bool violation;  /* one of `broken` is set */
    unsigned broken; /* mask 1u << bench_promise: by more than the variant's tolerance_ulp */
    double distance_bracket_width_size; /* (hi - lo) / diagonal of A's box */
    double volume_bracket_width_size;   /* (hi - lo) / volume of the smaller body */
    double volume_bracket_width_rel;    /* (hi - lo) / truth; where volume_error_rel is known */
} bench_judgement;

/** A pass as a row of passes.csv. Nearest-rank percentiles over its frames but the first. */
typedef struct bench_pass_row {
    bench_pass pass;
    uint64_t p50_ns, p99_ns, max_ns;
    bool contaminated; /* the machine got in between: see bench_contaminated */
} bench_pass_row;

/** One contestant on one scenario. */
typedef struct bench_cell {
    const char *scenario;
    const char *name;     /* the contestant's */
    const char *baseline; /* name of the contestant that it is compared with; "" for that one */
    alg_variant variant;
    unsigned quantities;
    bench_status status;
    char detail[640];
    uint64_t build_ns;    /* of both bodies, median over launches */
    uint64_t load_ns;     /* the same of those that were loaded; UINT64_MAX: none was */
    bench_built build[2]; /* by role; times are medians over launches, as above */
    size_t launch_count;
    size_t frame_count;
    alg_answer *answers; /* frame_count; of the first pass, which every other must repeat */
    base_hash answers_hash;
    uint64_t *warm_ns; /* warm_count * frame_count, pass by pass */
    size_t warm_count;
    uint64_t *evicted_ns; /* evicted_count * frame_count */
    size_t evicted_count;
    bench_pass_row *passes; /* pass_count: all, the warm-up among them */
    size_t pass_count;
    bool below_resolution; /* frames too short for the clock: passes were timed as a whole, too */
    bench_judgement *judgements; /* frame_count */
} bench_cell;

/**
 * Times of one frame over passes. Nearest-rank median.
 */
typedef struct bench_frame_time {
    uint64_t min_ns, median_ns, max_ns;
} bench_frame_time;

enum { BENCH_PASSES_MAX = 4096 }; /* of one cell and protocol */

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame);

/**
 * A launch of a cell in numbers: what ratios are taken of. Each frame counts with its median over
 * the launch's rounds: an interruption hits one frame of one round, and is no part of it.
 */
typedef struct bench_launch {
    uint64_t block, launch;
    bench_protocol protocol;
    size_t rounds;
    uint64_t query_ns; /* sum over the frames but the first; below the clock's resolution: median
                          duration of a pass */
    uint64_t p50_ns, p99_ns, max_ns; /* over the frames but the first; nearest rank */
} bench_launch;

/**
 * The next launch that has passes of a protocol. *at: 0 at first; medians: room for frame_count.
 * Returns false behind the last whose times are kept (BENCH_PASSES_MAX).
 */
bool bench_cell_launch(const bench_cell *cell, bench_protocol protocol, size_t *at,
                       uint64_t *medians, bench_launch *launch);

/** Deadlines of haptic loops that misses are counted for. */
enum { BENCH_DEADLINE_COUNT = 4 };
extern const uint64_t bench_deadlines_ns[BENCH_DEADLINE_COUNT]; /* 5, 1, 0.2, 0.1 ms */

/** A cell in numbers: what cells.csv says. NaN where not applicable. */
typedef struct bench_summary {
    /* Over frames but the first (the cold one, unless it is the only one), of each frame's median
       over passes. */
    double time_mean_ns, time_p50_ns, time_p90_ns, time_p95_ns, time_p99_ns;
    double time_p999_ns;          /* of 10 000 frames or more */
    double time_max_ns;           /* over frames and passes: the machine's worst is in it */
    double time_intrinsic_max_ns; /* over frames, of the minimum over passes: the algorithm's */
    double time_cold_ns;          /* the first frame's median */
    double time_evicted_p50_ns;   /* over frames but the first */
    uint64_t misses[BENCH_DEADLINE_COUNT]; /* frames x passes beyond each deadline, the cold
                                              ones among them */
    uint64_t miss_run_1ms;                 /* longest run of frames beyond 1 ms in one pass */
    double time_max_clean_ns;  /* as time_max_ns, over passes that are not contaminated */
    uint64_t contaminated;     /* warm and evicted passes */
    uint64_t slowest_frame;    /* of the intrinsic maximum */
    double allocations;        /* in warm and evicted passes; NaN: not counted */
    uint64_t rss_bytes;        /* most after any pass */
    uint64_t rss_growth_bytes; /* from the first to the last pass of a launch, the most */
    uint64_t output_bytes;     /* printed on stdout, the most of a launch */
    double instructions_mean, cycles_mean, cache_misses_mean; /* per frame of warm passes */
    double distance_error_rel_mean, distance_error_rel_max;   /* of absolute values */
    double distance_error_size_mean, distance_error_size_max;
    double volume_error_rel_mean, volume_error_rel_max;
    double distance_error_size_p99, volume_error_rel_p99; /* nearest rank */
    double distance_bracket_width_size_p50, distance_bracket_width_size_max;
    double volume_bracket_width_rel_p50, volume_bracket_width_rel_max;
    uint64_t budget_reached; /* frames whose outcome is ALG_BUDGET_REACHED */
    uint64_t frames_judged, violations;
    uint64_t verdicts[BENCH_AMBIGUOUS + 1];
    double counter_means[ALG_COUNTERS_MAX]; /* over all frames */
} bench_summary;

/** Sizes that errors are relative to. */
typedef struct bench_scale {
    double diagonal_a_m;
    double smaller_volume_m3;
} bench_scale;

/**
 * What an algorithm is judged by: the frame's truth, less the quantities that are certified below
 * `certificate`. One that answers for surfaces has the distance of the surfaces. The truth's own
 * methods (truth_entries.c) are judged by what the other method of the same quantity says, and not
 * at all where that says nothing.
 */
gt_truth bench_truth_for(const alg *algorithm, int certificate, const gt_truth *truth);

bench_judgement bench_judge(const alg_variant *variant, const bench_scale *scale,
                            const gt_truth *truth, const alg_answer *answer);
/**
 * Does it answer each of the asked quantities that the variant's contract speaks of? Otherwise an
 * algorithm could leave out the frames that it is bad at.
 */
bool bench_answer_complete(const alg_variant *variant, unsigned quantities,
                           const alg_answer *answer);
/** Hash of what an answer says, field by field, counters included; brackets where it has them. */
void bench_answer_hash(base_hasher *hasher, const alg_answer *answer);
/** The same of all answers of a pass. Errors: BASE_ERR_MEMORY. */
base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err) BASE_MUST_CHECK;
/** Is every answered field finite? */
bool bench_answer_finite(const alg_answer *answer);
/** Is every answered bracket one, lo <= hi? */
bool bench_answer_ordered(const alg_answer *answer);
/** The byte of `colliding`: a plug-in may leave one there that is no bool. */
uint32_t bench_answer_colliding(const alg_answer *answer);
/** What is wrong with an answer by itself, as a text; NULL: nothing. */
const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer);

/** A median width beyond this share of the size makes a cell uninformative. */
#define BENCH_INFORMATIVE_WIDTH 0.1

/**
 * Nearest-rank percentile, over the frames that have it, of the magnitude of one member of
 * bench_judgement, given by its offset; NaN when no frame has it. Errors: BASE_ERR_MEMORY.
 */
base_status bench_cell_percentile(const bench_cell *cell, size_t member, double percent,
                                  double *value, base_error *err) BASE_MUST_CHECK;

base_status bench_summarize(const bench_cell *cell, bench_summary *summary,
                            base_error *err) BASE_MUST_CHECK;

/* --- One scenario (stage.c, passes.c, cell.c) ------------------------------------------------- */

/** A contestant while its scenario runs. */
typedef struct bench_entry {
    bench_contestant contestant;
    size_t baseline; /* index of the entry that it is compared with; its own for that one */
    bool twin;       /* the baseline once more */
    bench_journal journal;
    bench_worker worker;
    bench_status status; /* may be WRONG while passes go on: times of wrong answers are told too */
    char detail[640];
    bool *done; /* launches * rounds: pass is in the journal */
    bool has_answers;
    base_hash answers_hash; /* of its first pass */
    bool batch, batch_known;
} bench_entry;

/** How often what is repeated on a scenario. */
typedef struct bench_plan {
    size_t launches, warm_up_rounds, warm_rounds, evicted_rounds;
    size_t rounds; /* of a launch: the sum of the three above */
} bench_plan;

/** A scenario while it runs. */
typedef struct bench_stage {
    const bench_run_options *options;
    const scn_scenario *scenario;
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;
    gt_truth *truths;
    int inputs; /* descriptor for workers; -1: none */
    bench_plan plan;
    bench_clock_cost clock;
    size_t next_block;
    bench_entry *entries;
    size_t count;
} bench_stage;

/**
 * Loads the pair, makes the frames, finds their truth, and opens the journal of every contestant
 * that takes part (chosen by options->algorithms, within its triangle limit).
 *
 * build    hash of the program, which journals belong to.
 * Errors   what stops a run: input, system, memory, an interrupt. bench_stage_close is due either
 *          way.
 */
base_status bench_stage_open(const bench_run_options *options, const scn_scenario *scenario,
                             base_hash build, const bench_clock_cost *clock, bench_stage *stage,
                             base_error *err) BASE_MUST_CHECK;

/**
 * All passes that the journals lack, interleaved (schedule.h). A contestant's failure is its
 * entry's status. An interrupt ends it after the pass in progress.
 */
base_status bench_stage_measure(bench_stage *stage, base_error *err) BASE_MUST_CHECK;

/**
 * Reads what a contestant has measured and judges its answers. Memory: its samples;
 * bench_cell_release is due either way.
 */
base_status bench_stage_cell(const bench_stage *stage, size_t entry, bench_cell *cell,
                             base_error *err) BASE_MUST_CHECK;
void bench_cell_release(bench_cell *cell);

void bench_stage_close(bench_stage *stage);

/* --- The truth's own methods as contestants (truth_entries.c) --------------------------------- */

/** The method (a bit of GT_BY_*) that an algorithm is; 0 for a contestant of its own. */
unsigned bench_truth_entry_method(const alg *algorithm);

/* --- Its folder (run_folder.c) ---------------------------------------------------------------- */

enum { BENCH_RUN_FOLDER_BYTES = 1024 };

/**
 * Makes the folder of a run: `out`, which must be new or empty; or, when that is NULL,
 * results/NAME-TIME, with the link results/NAME pointing at it.
 *
 * Errors   BASE_ERR_ARGUMENT for a folder that is not empty or a path that is too long;
 *          BASE_ERR_SYSTEM. A link that cannot be made is a warning.
 */
base_status bench_run_folder(const char *out, const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                             base_error *err) BASE_MUST_CHECK;

/**
 * The folder of a run that is there: `run` itself, or the one of that name in results/.
 * Errors: BASE_ERR_INPUT when neither is a folder.
 */
base_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES],
                           base_error *err) BASE_MUST_CHECK;

/* --- Files of a run (results.c, manifest.c) --------------------------------------------------- */

/** Header and rows of cells.csv. */
void bench_cells_header(FILE *file);
void bench_cells_row(FILE *file, const bench_cell *cell, const bench_summary *summary);

/** DIRECTORY/SCENARIO/VARIANT.csv, whole or not at all: written beside and renamed. */
base_status bench_frames_write(const char *directory, const bench_cell *cell,
                               const bench_pair *pair, const gt_truth *truths,
                               base_error *err) BASE_MUST_CHECK;

/** Header and rows of passes.csv: one row per pass. */
void bench_passes_header(FILE *file);
void bench_passes_rows(FILE *file, const bench_cell *cell);

/** Header and rows of launches.csv: one row per launch and protocol. Errors: BASE_ERR_MEMORY. */
void bench_launches_header(FILE *file);
base_status bench_launches_rows(FILE *file, const bench_cell *cell,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Header and rows of deadline.csv: for each quantity of a cell, sorted by time, the share of frames
 * answered within that time and within an error (distance: of the size; volume: of the truth).
 * Frames without an applicable error are left out of the count.
 */
void bench_deadline_header(FILE *file);
base_status bench_deadline_rows(FILE *file, const bench_cell *cell,
                                base_error *err) BASE_MUST_CHECK;

/**
 * The table for people: a line for each quantity of a cell. "max" is the algorithm's worst case
 * (the intrinsic maximum), "raw max" has the machine's in it; errors are relative to the truth, and
 * the mean error of contact is the share of frames whose verdict is wrong.
 */
void bench_table_print(FILE *file, const bench_cell *cell, const bench_summary *summary,
                       bool first);

/** Rows for builds.csv: one a contestant, body and role, however many scenarios have them. */
typedef struct bench_builds bench_builds;
/** directory: of the run. bench_builds_destroy is due either way. Errors: BASE_ERR_MEMORY. */
base_status bench_builds_create(const char *directory, bench_builds **builds,
                                base_error *err) BASE_MUST_CHECK;
/** Adds what is new in a cell. Errors: BASE_ERR_MEMORY. */
base_status bench_builds_add(bench_builds *builds, const bench_cell *cell, const bench_pair *pair,
                             base_error *err) BASE_MUST_CHECK;
/** Writes DIRECTORY/builds.csv, whole or not at all. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_builds_write(const bench_builds *builds, base_error *err) BASE_MUST_CHECK;
void bench_builds_destroy(bench_builds *builds);

/** Facts for manifest.csv: section,key,value. */
typedef struct bench_manifest bench_manifest;
base_status bench_manifest_create(const bench_run_options *options, const bench_clock_cost *clock,
                                  bench_manifest **manifest, base_error *err) BASE_MUST_CHECK;
void bench_manifest_add(bench_manifest *manifest, const char *section, const char *key,
                        const char *format, ...) BASE_PRINTF(4, 5);
/** Ends it with the time of day, closes and frees it. */
base_status bench_manifest_close(bench_manifest *manifest, base_error *err) BASE_MUST_CHECK;

/**
 * Runs everything. Cells that fail are rows, not errors; an error is something that stops the run.
 *
 * Returns  the exit status in *exit_status when BASE_OK: 0, BENCH_WRONG, BENCH_CELL_DIED or
 *          BENCH_INTERRUPTED.
 */
base_status bench_run(const bench_run_options *options, int *exit_status,
                      base_error *err) BASE_MUST_CHECK;

#endif
