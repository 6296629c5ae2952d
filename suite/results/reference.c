#include "suite/results/reference.h"

#include "suite/results/builds.h"
#include "suite/results/cells.h"
#include "suite/results/deadline.h"
#include "suite/results/forces.h"
#include "suite/results/frames.h"
#include "suite/results/launches.h"
#include "suite/results/manifest.h"
#include "suite/results/record.h"
#include "suite/results/regions.h"
#include "suite/results/simulations.h"
#include "suite/results/truth.h"

/** A column that is written elsewhere than by a row of a table. */
#define ELSEWHERE(name, kind, unit, role, empty, meaning)                                          \
    {                                                                                              \
        name, BENCH_KIND_##kind, unit, BENCH_ROLE_##role, 0, 0, 0, empty, meaning                  \
    }

static const bench_column of_counters[] = {
    ELSEWHERE("COUNTER_mean", NUMBER, "", COUNTER,
              "no warm pass was made, or the variant has no such counter",
              "mean per frame of a counter of any of the run's algorithms, under its own name"),
};

static const bench_column of_steps[] = {
    ELSEWHERE("COUNTER", COUNT_IF, "", COUNTER, "step 0",
              "a counter of the variant's, under its own name"),
};

static const bench_column of_facts[] = {
    ELSEWHERE(
        "FACT", NUMBER, "its own", FACT, "it was not built, or the variant has no such fact",
        "what any of the run's algorithms tells of its builds, under its own name; of times the "
        "median over launches that built"),
};

static const bench_column of_times[] = {
    ELSEWHERE("FACT_ns", NUMBER, "ns", COST, "the variant has no such fact",
              "as FACT of builds.csv, in this launch: those facts that are times"),
};

static const bench_column of_variant[] = {
    ELSEWHERE("FACT", NUMBER, "its own", FACT, "the variant has no such fact",
              "as in builds.csv, of the variant"),
};

/** As scn_trajectory_write has them. */
static const bench_column of_trajectories[] = {
    ELSEWHERE("frame", COUNT, "", FACT, "", "number of the frame, from 0"),
    ELSEWHERE("t_s", NUMBER, "s", FACT, "", "time of the pose"),
    ELSEWHERE("x_m", NUMBER, "m", FACT, "", "origin of B's file in the frame of A's file, x"),
    ELSEWHERE("y_m", NUMBER, "m", FACT, "", "the same, y"),
    ELSEWHERE("z_m", NUMBER, "m", FACT, "", "the same, z"),
    ELSEWHERE("qx", NUMBER, "1", FACT, "", "orientation of B in A's frame: unit quaternion, x"),
    ELSEWHERE("qy", NUMBER, "1", FACT, "", "the same, y"),
    ELSEWHERE("qz", NUMBER, "1", FACT, "", "the same, z"),
    ELSEWHERE("qw", NUMBER, "1", FACT, "", "the same, real part"),
    ELSEWHERE("target", NUMBER, "m or m3", FACT, "the pose was not sampled",
              "distance (m) or volume (m3) that the sampler aimed at; `source` says which"),
    ELSEWHERE("achieved", NUMBER, "m or m3", TRUTH, "the pose was not sampled",
              "what the truth found there"),
    ELSEWHERE("source", TEXT, "", FACT, "in all rows but the first",
              "where the poses are from: a sampler with its parameters, or a file"),
    ELSEWHERE("known_distance_m", NUMBER, "m", TRUTH,
              "it is not known; without any there is no such column",
              "distance that is known beforehand: the truth has to hold it"),
    ELSEWHERE("known_volume_m3", NUMBER, "m3", TRUTH, "as known_distance_m",
              "the same of the volume"),
    ELSEWHERE("known_fx_m2", NUMBER, "m2", TRUTH,
              "it is not known; without any there is no such column",
              "force on B that is known beforehand, x: minus the gradient of the common volume of "
              "the bodies that the meshes stand for, in A's axes"),
    ELSEWHERE("known_fy_m2", NUMBER, "m2", TRUTH, "as known_fx_m2", "the same, y"),
    ELSEWHERE("known_fz_m2", NUMBER, "m2", TRUTH, "as known_fx_m2", "the same, z"),
    ELSEWHERE("known_tx_m3", NUMBER, "m3", TRUTH, "as known_fx_m2",
              "its torque about B's centroid, x"),
    ELSEWHERE("known_ty_m3", NUMBER, "m3", TRUTH, "as known_fx_m2", "the same, y"),
    ELSEWHERE("known_tz_m3", NUMBER, "m3", TRUTH, "as known_fx_m2", "the same, z"),
    ELSEWHERE(
        "known_depth_fx_m3", NUMBER, "m3", TRUTH,
        "it is not known; without any there is no such column",
        "force on B by the law of depth that is known beforehand, x: minus the gradient of the "
        "integral, over the common volume of these bodies, of the distance to A's surface"),
    ELSEWHERE("known_depth_fy_m3", NUMBER, "m3", TRUTH, "as known_depth_fx_m3", "the same, y"),
    ELSEWHERE("known_depth_fz_m3", NUMBER, "m3", TRUTH, "as known_depth_fx_m3", "the same, z"),
    ELSEWHERE("known_depth_tx_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3",
              "its torque about B's centroid, x"),
    ELSEWHERE("known_depth_ty_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3", "the same, y"),
    ELSEWHERE("known_depth_tz_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3", "the same, z"),
};

/** One whose columns are all there are: names in capitals stand for what variants bring along. */
static const char *const any_counter[] = {"COUNTER", NULL};
static const char *const any_stage[] = {"NAME", NULL};
static const alg_algorithm any_algorithm = {
    .force_unit = "UNIT", .counters = any_counter, .stages = any_stage};

/** Where columns go. */
typedef struct listing {
    bench_reference_put *put;
    void *context;
} listing;

/** more: columns that variants bring along, behind the others. */
static void list_file(const listing *l, const char *name, const char *row, bench_columns columns,
                      bench_columns more)
{
    const bench_reference_file file = {name, row};
    for (size_t i = 0; i < columns.count + more.count; i++) {
        l->put(l->context, &file,
               i < columns.count ? &columns.items[i] : &more.items[i - columns.count], i);
    }
}

void bench_reference_each(bench_reference_put *put, void *context)
{
    const listing l = {put, context};
    const bench_columns none = {0};
    bench_frame_columns frames;
    bench_frame_columns_list(&any_algorithm, &frames);
    list_file(&l, "manifest.csv", "a fact of the run, its machine or its inputs",
              bench_manifest_columns, none);
    list_file(&l, "cells.csv", "a variant on a scenario", bench_cells_columns(),
              BENCH_COLUMNS(of_counters));
    list_file(&l, "builds.csv", "a variant, a body and its role", bench_builds_columns,
              BENCH_COLUMNS(of_facts));
    list_file(&l, "build_launches.csv", "a variant, a body, its role and a launch that built it",
              bench_build_launches_columns, BENCH_COLUMNS(of_times));
    list_file(&l, "SCENARIO/VARIANT.csv", "a frame", (bench_columns){frames.items, frames.count},
              none);
    list_file(&l, "SCENARIO/VARIANT.regions.csv", "a region of penetration in a frame",
              bench_regions_columns, none);
    list_file(&l, "passes.csv", "a pass of a variant over all frames", bench_passes_columns, none);
    list_file(&l, "launches.csv", "a launch of a variant, warm or evicted", bench_launches_columns,
              none);
    list_file(&l, "compare.csv", "a variant, a metric and a protocol", bench_compare_columns, none);
    list_file(&l, "build_ratios.csv", "two variants, a body, its role and a time of its build",
              bench_build_ratios_columns, BENCH_COLUMNS(of_variant));
    list_file(&l, "pareto.csv", "a variant on a scenario, in one quantity", bench_pareto_columns,
              none);
    list_file(&l, "deadline.csv", "a step of a variant's deadline profile", bench_deadline_columns,
              none);
    list_file(&l, "forces.csv",
              "a variant on a scenario and an ideal of its forces, where these are judged",
              bench_forces_columns, none);
    list_file(&l, "SCENARIO/VARIANT.spectrogram.csv", "a stretch of 256 frames and a frequency",
              bench_spectrogram_columns, none);
    list_file(&l, "trajectories/SCENARIO.csv", "a frame", BENCH_COLUMNS(of_trajectories), none);
    list_file(&l, "simulations.csv", "a scene and a variant, by simulate", bench_simulation_columns,
              none);
    list_file(&l, "simulation_times.csv", "a scene and a variant, by simulate",
              bench_simulation_time_columns, none);
    list_file(&l, "SCENE/VARIANT.steps.csv", "a step, by simulate", bench_step_columns,
              BENCH_COLUMNS(of_steps));
    list_file(&l, "SCENE/VARIANT.times.csv", "a step, by simulate", bench_step_time_columns, none);
    list_file(&l, "truth", "a frame, on standard output", bench_truth_columns, none);
}
