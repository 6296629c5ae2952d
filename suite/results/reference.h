/**
 * The files of a run, of `simulate` and of `truth`, with all their columns, as docs/columns.md
 * lists them. Also the rows of the files that `compare`, `claims` and `simulate` write.
 */
#ifndef SUITE_REFERENCE_H
#define SUITE_REFERENCE_H

#include "scenarios/simulation/simulation.h"
#include "suite/results/columns.h"

/* --- claims.csv ------------------------------------------------------------------------------- */

/** A row of claims.csv. Numbers are NaN if the field is empty; texts are never NULL. */
typedef struct bench_claims_row {
    const char *experiment, *mode, *commit, *id, *claim, *whose, *measure, *verdict, *reason,
        *command;
    double paper, at_least, at_most, ours, lo, hi;
} bench_claims_row;

extern const bench_columns bench_claims_columns;

/* --- Files of `simulate` ---------------------------------------------------------------------- */

/* SCENE/VARIANT.steps.csv and simulations.csv are bit-identical on all machines and for any number
 * of threads. All values measured by a clock are in SCENE/VARIANT.times.csv and
 * simulation_times.csv. */

/**
 * A row of steps.csv. It is sufficient to continue the simulation. The overlap is judged at the
 * pose at the end of the step.
 */
typedef struct bench_step_row {
    scn_step step;
    uint64_t beyond;              /* number of contacts that exceeded the buffer */
    double volume_m3;             /* NaN if not judged; likewise below */
    double point_depth_m;         /* as in bench_overlap */
    double coupling_n, contact_n; /* lengths of the forces */
} bench_step_row;

/** The columns of steps.csv. The variant's counters follow, under their own names. */
extern const bench_columns bench_step_columns;

/** A row of times.csv. */
typedef struct bench_step_time_row {
    uint64_t step, query_ns, response_ns;
} bench_step_time_row;

extern const bench_columns bench_step_time_columns;

/** A row of simulations.csv. Texts are never NULL. */
typedef struct bench_simulation_row {
    const char *scene, *variant, *response, *status, *detail, *unit, *hash, *file;
    double gain;
    uint64_t steps, steps_planned;
    double first_touch_s;
    double point_depth_m, point_depth_settled_m;
    double volume_m3, volume_settled_m3;
    double passed_share;
    double made_j, made_beyond_j, contact_work_j, moved_j;
    uint64_t passive, through; /* 0 or 1; UINT64_MAX: not known */
    double coupling_rms_n, coupling_max_n, change_p99_n;
    uint64_t toggles, chatter;
    double contacts_mean, impulses_mean;
    uint64_t cut, beyond;
} bench_simulation_row;

extern const bench_columns bench_simulation_columns;

/** A row of simulation_times.csv. */
typedef struct bench_simulation_time_row {
    const char *scene, *variant, *file;
    uint64_t steps;
    uint64_t query_p50_ns, query_p99_ns, query_max_ns;
    uint64_t response_p50_ns, response_p99_ns, response_max_ns;
    uint64_t late; /* number of steps that took longer than the time that they simulate */
} bench_simulation_time_row;

extern const bench_columns bench_simulation_time_columns;

/** Length of the transient, which begins with the first touch. */
#define BENCH_TRANSIENT_S 0.1

/**
 * Contact is passive if it creates at most this share of the energy that the coupling has moved.
 */
#define BENCH_PASSIVE_SHARE 0.01

/* --- compare.csv, pareto.csv and build_ratios.csv --------------------------------------------- */

/* Files that `compare` adds to the folder, for scripts. */

/**
 * A row of compare.csv: time of a variant / time of its baseline. NaN if empty. verdict: from
 * bench_claim_text.
 */
typedef struct bench_compare_row {
    const char *scenario, *variant, *baseline, *metric, *protocol, *verdict, *file;
    double ratio, lo, hi, level, aa_lo, aa_hi;
    uint64_t launches;
} bench_compare_row;

extern const bench_columns bench_compare_columns;

/**
 * A row of pareto.csv: a point of error and time. A variant that promises exact answers needs a
 * second method as its judge. Without one it is not judged: its errors are NaN, and all its flags
 * except below_resolution are false. unjudged_faster: this row is a winner, but only among the
 * judged variants, because an unjudged variant is faster.
 */
typedef struct bench_pareto_row {
    const char *scenario, *quantity, *variant, *file;
    const char *error, *tolerance; /* column of the error; the tolerance for people */
    double time_p99_ns, time_p99_lo_ns, time_p99_hi_ns, error_mean, error_max, within_share;
    double best_ratio, best_share; /* NaN unless within */
    bool on_front, fastest_within, fastest_exact, below_resolution, unjudged_faster, judged, within;
} bench_pareto_row;

extern const bench_columns bench_pareto_columns;

/**
 * A row of build_ratios.csv: a time of a variant's build / that of another variant's build in the
 * same launch. triangles: UINT64_MAX if not known.
 */
typedef struct bench_build_ratio_row {
    const char *variant, *other, *parameter, *body, *role, *measure, *file, *other_file;
    double ratio, lo, hi;
    uint64_t launches, triangles;
} bench_build_ratio_row;

/** The columns of every build_ratios.csv. A column for each fact of builds.csv follows. */
extern const bench_columns bench_build_ratios_columns;

/* --- All files -------------------------------------------------------------------------------- */

/** In the order of docs/columns.md. */
typedef enum bench_file_id {
    BENCH_FILE_MANIFEST,
    BENCH_FILE_CELLS,
    BENCH_FILE_BUILDS,
    BENCH_FILE_BUILD_LAUNCHES,
    BENCH_FILE_FRAMES,
    BENCH_FILE_REGIONS,
    BENCH_FILE_PASSES,
    BENCH_FILE_LAUNCHES,
    BENCH_FILE_COMPARE,
    BENCH_FILE_BUILD_RATIOS,
    BENCH_FILE_CLAIMS,
    BENCH_FILE_PARETO,
    BENCH_FILE_DEADLINE,
    BENCH_FILE_FORCES,
    BENCH_FILE_SPECTROGRAM,
    BENCH_FILE_TRAJECTORY,
    BENCH_FILE_SIMULATIONS,
    BENCH_FILE_SIMULATION_TIMES,
    BENCH_FILE_STEPS,
    BENCH_FILE_STEP_TIMES,
    BENCH_FILE_TRUTH,
    BENCH_FILE_COUNT
} bench_file_id;

/** Uses of a file (bit mask). */
enum {
    BENCH_FILE_OF_RUN = 1u << 0, /* bench_run opens it in the run's folder */
    BENCH_FILE_DRAWN = 1u << 1,  /* scripts read it: checked with BENCH_RECORD_DRAWN */
};

typedef struct bench_file {
    const char *name;             /* "cells.csv", "SCENARIO/VARIANT.csv" */
    const char *row;              /* "a variant on a scenario" */
    const bench_columns *columns; /* NULL: the columns are created on request (cells, frames), or
                                     there are only those of `more` */
    bench_columns more;           /* follow the columns above; names that variants define are in
                                     capitals */
    unsigned use;
} bench_file;

extern const bench_file bench_files[BENCH_FILE_COUNT];

/** index: of the column in its file, from 0. */
typedef void bench_reference_put(void *context, const bench_file *file, const bench_column *column,
                                 size_t index);

/**
 * Calls put for each column, file by file, in the order in which they are written. Names that
 * depend on the variants are in capitals: COUNTER, FACT, and UNIT in the name of a force.
 */
void bench_reference_each(bench_reference_put *put, void *context);

#endif
