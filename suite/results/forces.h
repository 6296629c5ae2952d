/** Measures the forces of a cell; writes forces.csv, and
 * SCENARIO/VARIANT.spectrogram.csv, their noise over time and frequency. */
#ifndef SUITE_FORCES_H
#define SUITE_FORCES_H

#include "suite/results/cells.h"
#include "suite/results/columns.h"
#include "suite/results/force.h"
#include "scenarios/trajectories/trajectory.h"

/** Frames of a scenario; borrowed, as many of each as the cell has. */
typedef struct bench_force_scene {
    const scn_frame *frames;
    const geo_pose *poses; /* of B in the frame of the pair */
    const gt_truth *truths;
    vec3 centroid_b; /* in B's frame */
    int certificate; /* the least that the mode asks for */
} bench_force_scene;

/**
 * Measures the cell's answered forces against each ideal of its variant (ideal.h): those that are
 * known beforehand in the frames that know them, those of the truth in others. Fills cell->forces,
 * and the errors of its judgements with those against the variant's own ideal.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_forces_measure(const bench_force_scene *scene, bench_cell *cell,
                                 base_error *err) BASE_MUST_CHECK;

/** Columns of forces.csv: a row is a contestant, a scenario and an ideal. */
extern const bench_columns bench_forces_columns;

/** Those of a bench_force_metrics: all, and what is no error of frames, for which cells.csv has
 * statistics of its own. */
extern const bench_columns bench_force_columns, bench_force_run_columns;

/** Writes a row for each ideal that the cell's forces are measured against. */
void bench_forces_put(FILE *file, const bench_cell *cell);

/** Of SCENARIO/VARIANT.spectrogram.csv: a row for each stretch and bin, stretch by stretch. */
extern const bench_columns bench_spectrogram_columns;

/** Errors: BASE_ERR_SYSTEM when the file cannot be written. */
base_status bench_spectrogram_write(const char *path, const bench_spectrogram *spectrogram,
                                    base_error *err) BASE_MUST_CHECK;

#endif
