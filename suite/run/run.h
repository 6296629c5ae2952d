/**
 * A run: scenarios times variants, measured, judged and written down.
 *
 * run.c drives it; stage.c sees to one scenario; judge.c compares answers with
 * the truth; summary.c turns a cell into numbers; run_folder.c, results.c, deadline.c and
 * manifest.c write files.
 */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include "suite/suite.h"
#include "suite/run/timing.h"
#include "suite/run/worker.h"

/** How often everything is repeated. Rows of the table in run.c, by name. */
typedef struct bench_mode {
    const char *name;
    size_t warm_up_passes; /* the first passes: run, not counted */
    size_t warm_passes;
    size_t evicted_passes;
    unsigned truth_methods; /* mask of GT_BY_* */
    int certificate;        /* frames with less are not judged */
} bench_mode;

const bench_mode *bench_mode_find(const char *name);

typedef struct bench_run_options {
    const scn_experiment *experiment;
    const bench_mode *mode;
    const char *directory;         /* exists, empty */
    const char *cache_directory;   /* of truth and trajectories */
    const char *command;           /* as typed, for the manifest */
    const char *const *algorithms; /* globs on variant names, NULL-terminated; NULL: all */
    const char *const *scenarios;  /* the same on scenario names */
    double timeout_s;              /* of one build or one pass */
    bool quiet;
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

/** Errors of a frame's answer; NaN where not applicable. */
typedef struct bench_judgement {
    double distance_error_rel;  /* (answer - truth) / truth; truth >= 0.5 % of the size */
    double distance_error_size; /* (answer - truth) / diagonal of A's box */
    double volume_error_rel;    /* (answer - truth) / truth; truth >= 0.1 % of the smaller body */
    bench_verdict verdict;
    bool judged;    /* certified truth for something that was answered */
    bool violation; /* the variant broke its contract by more than its tolerance_ulp */
} bench_judgement;

/** One variant on one scenario. */
typedef struct bench_cell {
    const char *scenario;
    alg_variant variant;
    unsigned quantities;
    bench_status status;
    char detail[640];
    uint64_t build_ns;
    alg_build_info build[2];
    size_t frame_count;
    alg_answer *answers; /* frame_count; of the first pass, which every other must repeat */
    geo_hash answers_hash;
    uint64_t *warm_ns; /* warm_count * frame_count, pass by pass */
    size_t warm_count;
    uint64_t *evicted_ns; /* evicted_count * frame_count */
    size_t evicted_count;
    bench_judgement *judgements; /* frame_count */
} bench_cell;

/**
 * Times of one frame over passes. Nearest-rank median.
 */
typedef struct bench_frame_time {
    uint64_t min_ns, median_ns, max_ns;
} bench_frame_time;

bench_frame_time bench_cell_frame_time(const uint64_t *passes_ns, size_t passes, size_t frame_count,
                                       size_t frame);

/** Deadlines of haptic loops that misses are counted for. */
enum { BENCH_DEADLINE_COUNT = 4 };
extern const uint64_t bench_deadlines_ns[BENCH_DEADLINE_COUNT]; /* 5, 1, 0.2, 0.1 ms */

/** A cell in numbers: what cells.csv says. NaN where not applicable. */
typedef struct bench_summary {
    /* Over frames but the first (the cold one, unless it is the only one), of each frame's median
       over passes. */
    double time_mean_ns, time_p50_ns, time_p95_ns, time_p99_ns;
    double time_max_ns;           /* over frames and passes: the machine's worst is in it */
    double time_intrinsic_max_ns; /* over frames, of the minimum over passes: the algorithm's */
    double time_cold_ns;          /* the first frame's median */
    double time_evicted_p50_ns;   /* over frames but the first */
    uint64_t misses[BENCH_DEADLINE_COUNT]; /* frames x passes beyond each deadline, the cold
                                              ones among them */
    double distance_error_rel_mean, distance_error_rel_max; /* of absolute values */
    double distance_error_size_mean, distance_error_size_max;
    double volume_error_rel_mean, volume_error_rel_max;
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
/** Hash of what an answer says, field by field, counters included. */
void bench_answer_hash(geo_hasher *hasher, const alg_answer *answer);
/** Is every answered field finite? */
bool bench_answer_finite(const alg_answer *answer);

geo_status bench_summarize(const bench_cell *cell, bench_summary *summary,
                           geo_error *err) GEO_MUST_CHECK;

/* --- One scenario (stage.c) ----------------------------------------------------------------------
 */

/** A scenario while it runs. */
typedef struct bench_stage {
    const bench_run_options *options;
    const scn_scenario *scenario;
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses; /* shared, read-only once filled */
    size_t poses_bytes;
    gt_truth *truths;
    bench_cell *cells;
    bench_job *jobs;
    bench_worker *workers;
    size_t count; /* of cells, jobs and workers */
} bench_stage;

/** Does one of the globs match? NULL matches all. */
bool bench_selected(const char *const *globs, const char *name);

/**
 * Loads the pair, makes the frames, finds their truth, and builds every contestant that takes part
 * (chosen by options->algorithms, within its triangle limit) in its worker, one after the other.
 *
 * Errors   what stops a run: input, system, memory, an interrupt. A contestant's failure is its
 *          cell's status. bench_stage_close is due either way.
 */
geo_status bench_stage_open(const bench_run_options *options, const scn_scenario *scenario,
                            bench_stage *stage, geo_error *err) GEO_MUST_CHECK;

/**
 * All passes of all contestants, interleaved (schedule.h), then judges every cell. An interrupt
 * ends it after the pass in progress; a cell that lacks passes then has that status.
 */
geo_status bench_stage_measure(bench_stage *stage, geo_error *err) GEO_MUST_CHECK;

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
 * Errors   GEO_ERR_ARGUMENT for a folder that is not empty or a path that is too long;
 *          GEO_ERR_SYSTEM. A link that cannot be made is a warning.
 */
geo_status bench_run_folder(const char *out, const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                            geo_error *err) GEO_MUST_CHECK;

/**
 * The folder of a run that is there: `run` itself, or the one of that name in results/.
 * Errors: GEO_ERR_INPUT when neither is a folder.
 */
geo_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES],
                          geo_error *err) GEO_MUST_CHECK;

/* --- Files of a run (results.c, manifest.c) ------------------------------------------------------
 */

/** Header and rows of cells.csv. */
void bench_cells_header(FILE *file);
void bench_cells_row(FILE *file, const bench_cell *cell, const bench_summary *summary);

/** DIRECTORY/SCENARIO/VARIANT.csv, whole or not at all: written beside and renamed. */
geo_status bench_frames_write(const char *directory, const bench_cell *cell, const bench_pair *pair,
                              const gt_truth *truths, geo_error *err) GEO_MUST_CHECK;

/**
 * Header and rows of deadline.csv: for each quantity of a cell, sorted by time, the share of frames
 * answered within that time and within an error (distance: of the size; volume: of the truth).
 * Frames without an applicable error are left out of the count.
 */
void bench_deadline_header(FILE *file);
geo_status bench_deadline_rows(FILE *file, const bench_cell *cell, geo_error *err) GEO_MUST_CHECK;

/**
 * The table for people: a line for each quantity of a cell. "max" is the algorithm's worst case
 * (the intrinsic maximum), "raw max" has the machine's in it; errors are relative to the truth, and
 * the mean error of contact is the share of frames whose verdict is wrong.
 */
void bench_table_print(FILE *file, const bench_cell *cell, const bench_summary *summary,
                       bool first);

/** Facts for manifest.csv: section,key,value. */
typedef struct bench_manifest bench_manifest;
geo_status bench_manifest_create(const bench_run_options *options, bench_manifest **manifest,
                                 geo_error *err) GEO_MUST_CHECK;
void bench_manifest_add(bench_manifest *manifest, const char *section, const char *key,
                        const char *format, ...) GEO_PRINTF(4, 5);
/** Ends it with the time of day, closes and frees it. */
geo_status bench_manifest_close(bench_manifest *manifest, geo_error *err) GEO_MUST_CHECK;

/**
 * Runs everything. Cells that fail are rows, not errors; an error is something that stops the run.
 *
 * Returns  the exit status in *exit_status when GEO_OK: 0, BENCH_WRONG, BENCH_CELL_DIED or
 *          BENCH_INTERRUPTED.
 */
geo_status bench_run(const bench_run_options *options, int *exit_status,
                     geo_error *err) GEO_MUST_CHECK;

#endif
