/**
 * The files of `simulate`: SCENE/VARIANT.steps.csv, SCENE/VARIANT.times.csv, simulations.csv and
 * simulation_times.csv.
 *
 * The first and the third file are bit-identical on all machines and for any number of threads. All
 * values measured by a clock are in the other two files.
 */
#ifndef SUITE_SIMULATIONS_H
#define SUITE_SIMULATIONS_H

#include "scenarios/simulation/simulation.h"
#include "suite/results/columns.h"

/**
 * A row of steps.csv, sufficient to continue the simulation. The judged pose is that at the end of
 * the step.
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
 * Contact counts as passive if it creates at most this share of the energy moved by the coupling.
 */
#define BENCH_PASSIVE_SHARE 0.01

#endif
