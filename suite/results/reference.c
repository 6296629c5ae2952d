#include "suite/results/reference.h"

#include "suite/results/cells.h"
#include "suite/results/claims.h"
#include "suite/results/force.h"
#include "suite/results/frames.h"
#include "suite/results/launches.h"
#include "suite/results/manifest.h"
#include "suite/results/record.h"
#include "suite/results/simulations.h"
#include "suite/results/truth.h"

/** A column that is not written from a row of a table. */
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

/** The columns that scn_trajectory_write writes. */
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

/**
 * An algorithm with all possible columns. Names in capitals stand for names that variants define.
 */
static const char *const any_counter[] = {"COUNTER", NULL};
static const char *const any_stage[] = {"NAME", NULL};
static const alg_algorithm any_algorithm = {
    .force_unit = "UNIT", .counters = any_counter, .stages = any_stage};

#define MORE(array)                                                                                \
    {                                                                                              \
        array, sizeof(array) / sizeof *(array)                                                     \
    }

const bench_file bench_files[BENCH_FILE_COUNT] = {
    [BENCH_FILE_MANIFEST] =
        {
            .name = "manifest.csv",
            .row = "a fact of the run, its machine or its inputs",
            .columns = &bench_manifest_columns,
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_CELLS] =
        {
            .name = "cells.csv",
            .row = "a variant on a scenario",
            .more = MORE(of_counters),
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_BUILDS] =
        {
            .name = "builds.csv",
            .row = "a variant, a body and its role",
            .columns = &bench_builds_columns,
            .more = MORE(of_facts),
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_BUILD_LAUNCHES] =
        {
            .name = "build_launches.csv",
            .row = "a variant, a body, its role and a launch that built it",
            .columns = &bench_build_launches_columns,
            .more = MORE(of_times),
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_FRAMES] = {.name = "SCENARIO/VARIANT.csv", .row = "a frame"},
    [BENCH_FILE_REGIONS] =
        {
            .name = "SCENARIO/VARIANT.regions.csv",
            .row = "a region of penetration in a frame",
            .columns = &bench_regions_columns,
        },
    [BENCH_FILE_PASSES] =
        {
            .name = "passes.csv",
            .row = "a pass of a variant over all frames",
            .columns = &bench_passes_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_LAUNCHES] =
        {
            .name = "launches.csv",
            .row = "a launch of a variant, warm or evicted",
            .columns = &bench_launches_columns,
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_COMPARE] =
        {
            .name = "compare.csv",
            .row = "a variant, a metric and a protocol",
            .columns = &bench_compare_columns,
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_BUILD_RATIOS] =
        {
            .name = "build_ratios.csv",
            .row = "two variants, a body, its role and a time of its build",
            .columns = &bench_build_ratios_columns,
            .more = MORE(of_variant),
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_CLAIMS] =
        {
            .name = "claims.csv",
            .row = "a claim of the experiment",
            .columns = &bench_claims_columns,
        },
    [BENCH_FILE_PARETO] =
        {
            .name = "pareto.csv",
            .row = "a variant on a scenario, in one quantity",
            .columns = &bench_pareto_columns,
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_DEADLINE] =
        {
            .name = "deadline.csv",
            .row = "a step of a variant's deadline profile",
            .columns = &bench_deadline_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_FORCES] =
        {
            .name = "forces.csv",
            .row = "a variant on a scenario and an ideal of its forces, where these are judged",
            .columns = &bench_forces_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_SPECTROGRAM] =
        {
            .name = "SCENARIO/VARIANT.spectrogram.csv",
            .row = "a stretch of 256 frames and a frequency",
            .columns = &bench_spectrogram_columns,
        },
    [BENCH_FILE_TRAJECTORY] =
        {
            .name = "trajectories/SCENARIO.csv",
            .row = "a frame",
            .more = MORE(of_trajectories),
        },
    [BENCH_FILE_SIMULATIONS] =
        {
            .name = "simulations.csv",
            .row = "a scene and a variant, by simulate",
            .columns = &bench_simulation_columns,
        },
    [BENCH_FILE_SIMULATION_TIMES] =
        {
            .name = "simulation_times.csv",
            .row = "a scene and a variant, by simulate",
            .columns = &bench_simulation_time_columns,
        },
    [BENCH_FILE_STEPS] =
        {
            .name = "SCENE/VARIANT.steps.csv",
            .row = "a step, by simulate",
            .columns = &bench_step_columns,
            .more = MORE(of_steps),
        },
    [BENCH_FILE_STEP_TIMES] =
        {
            .name = "SCENE/VARIANT.times.csv",
            .row = "a step, by simulate",
            .columns = &bench_step_time_columns,
        },
    [BENCH_FILE_TRUTH] =
        {
            .name = "truth",
            .row = "a frame, on standard output",
            .columns = &bench_truth_columns,
        },
};

void bench_reference_each(bench_reference_put *put, void *context)
{
    bench_frame_columns frames;
    bench_frame_columns_list(&any_algorithm, &frames);
    for (int f = 0; f < BENCH_FILE_COUNT; f++) {
        const bench_file *const file = &bench_files[f];
        const bench_columns columns = f == BENCH_FILE_CELLS ? bench_cells_columns()
                                      : f == BENCH_FILE_FRAMES
                                          ? (bench_columns){frames.items, frames.count}
                                      : file->columns ? *file->columns
                                                      : (bench_columns){0};
        for (size_t i = 0; i < columns.count + file->more.count; i++) {
            put(context, file,
                i < columns.count ? &columns.items[i] : &file->more.items[i - columns.count], i);
        }
    }
}
