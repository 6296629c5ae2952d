/**
 * Measures the forces of a cell, and writes forces.csv and SCENARIO/VARIANT.spectrogram.csv (noise
 * over time and frequency).
 */
#ifndef SUITE_FORCES_H
#define SUITE_FORCES_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"
#include "suite/results/force.h"
#include "scenarios/trajectories/trajectory.h"

/** Frames of a scenario; borrowed. Each array has the frame count of the cell. */
typedef struct bench_force_scene {
    const scn_frame *frames;
    const geo_pose *poses; /* of B in the frame of the pair */
    const gt_truth *truths;
    vec3 centroid_b; /* in B's frame */
    int certificate; /* smallest certificate that the mode accepts */
} bench_force_scene;

/**
 * Measures the cell's answered forces against each ideal of its variant (ideal.h). Uses the forces
 * known in closed form where a frame has them, otherwise those of the truth. Sets cell->forces, and
 * the force errors of its judgements from the variant's own ideal.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_forces_measure(const bench_force_scene *scene, bench_cell *cell,
                                 base_error *err) BASE_MUST_CHECK;

/** Columns of forces.csv: one row for each contestant, scenario and ideal. */
extern const bench_columns bench_forces_columns;

/**
 * Columns of a bench_force_metrics: all of them; and those that are not errors of frames, because
 * cells.csv has its own statistics of these.
 */
extern const bench_columns bench_force_columns, bench_force_run_columns;

/** Writes a row for each ideal that the cell's forces are compared with. */
void bench_forces_put(FILE *file, const bench_cell *cell);

/**
 * Columns of SCENARIO/VARIANT.spectrogram.csv: a row for each segment and bin, segment by segment.
 */
extern const bench_columns bench_spectrogram_columns;

/** Writes the file. Errors: BASE_ERR_SYSTEM if it cannot be written. */
base_status bench_spectrogram_write(const char *path, const bench_spectrogram *spectrogram,
                                    base_error *err) BASE_MUST_CHECK;

#endif
