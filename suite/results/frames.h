/** SCENARIO/VARIANT.csv: a cell frame by frame; and one answer under the names of its columns. */
#ifndef SUITE_FRAMES_H
#define SUITE_FRAMES_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/** Writes the file of a cell whole or not at all; poses: of its frames, in the frame of the pair.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status bench_frames_write(const char *path, const bench_cell *cell, const bench_pair *pair,
                               const geo_pose *poses, const gt_truth *truths,
                               base_error *err) BASE_MUST_CHECK;

enum {
    BENCH_FRAME_COLUMNS_MAX = 128,
    BENCH_FORCES = 6,
    BENCH_FIELD_NAME_BYTES = 72,
    BENCH_UNIT_TEXT_BYTES = 64
};

/** The columns of one algorithm's frames. Must not be copied: names and units point into it. */
typedef struct bench_frame_columns {
    bench_column items[BENCH_FRAME_COLUMNS_MAX];
    char forces[BENCH_FORCES][BENCH_FIELD_NAME_BYTES];
    char force_unit[BENCH_UNIT_TEXT_BYTES], torque_unit[BENCH_UNIT_TEXT_BYTES + 2];
    char stages[ALG_STAGES_MAX][BENCH_FIELD_NAME_BYTES];
    size_t count;
} bench_frame_columns;

void bench_frame_columns_list(const alg_algorithm *algorithm, bench_frame_columns *columns);

/** The columns of all algorithms: units, counters and stages have globs in their names. */
void bench_frame_columns_list_any(bench_frame_columns *columns);
/** The column of that name; NULL if no file of frames has one. any: by the function above. */
const bench_column *bench_frame_columns_find(const bench_frame_columns *any, const char *name);

/** One number of an answer, as the frames of a run have it. */
typedef struct bench_field {
    char name[BENCH_FIELD_NAME_BYTES]; /* of the column */
    char text[BENCH_FIELD_BYTES];      /* "" where nothing was answered, and for NaN */
    bool answered;
} bench_field;

enum { BENCH_FIELDS_MAX = 25 + ALG_COUNTERS_MAX + ALG_STAGES_MAX };

/**
 * All that an algorithm's answers have columns for; points in A's frame as it is in its file.
 * Returns how many.
 */
size_t bench_answer_fields(const alg_algorithm *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field fields[BENCH_FIELDS_MAX]);

#endif
