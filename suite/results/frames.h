/**
 * SCENARIO/VARIANT.csv: a cell frame by frame; and the fields of one answer, named like its
 * columns.
 */
#ifndef SUITE_FRAMES_H
#define SUITE_FRAMES_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/**
 * Writes the complete file of a cell or leaves it unchanged. poses: of its frames, in the frame of
 * the pair.
 * Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
base_status bench_frames_write(const char *path, const bench_cell *cell, const bench_pair *pair,
                               const geo_pose *poses, const gt_truth *truths,
                               base_error *err) BASE_MUST_CHECK;

enum {
    BENCH_FRAME_COLUMNS_MAX = 128,
    BENCH_FORCES = 6,
    BENCH_FIELD_NAME_BYTES = 72,
    BENCH_UNIT_TEXT_BYTES = 64
};

/**
 * The columns of one algorithm's frames. Must not be copied, because names and units point into the
 * structure itself.
 */
typedef struct bench_frame_columns {
    bench_column items[BENCH_FRAME_COLUMNS_MAX];
    char forces[BENCH_FORCES][BENCH_FIELD_NAME_BYTES];
    char force_unit[BENCH_UNIT_TEXT_BYTES], torque_unit[BENCH_UNIT_TEXT_BYTES + 2];
    char stages[ALG_STAGES_MAX][BENCH_FIELD_NAME_BYTES];
    size_t count;
} bench_frame_columns;

void bench_frame_columns_list(const alg_algorithm *algorithm, bench_frame_columns *columns);

/** Lists the columns of all algorithms. The names of counters, stages and units contain globs. */
void bench_frame_columns_list_any(bench_frame_columns *columns);
/**
 * Returns the column with this name; NULL if no file of frames has it. any: from
 * bench_frame_columns_list_any.
 */
const bench_column *bench_frame_columns_find(const bench_frame_columns *any, const char *name);

/** One number of an answer, as in the file of frames. */
typedef struct bench_field {
    char name[BENCH_FIELD_NAME_BYTES]; /* name of the column */
    char text[BENCH_FIELD_BYTES];      /* "" if not answered, and for NaN */
    bool answered;
} bench_field;

enum { BENCH_FIELDS_MAX = 25 + ALG_COUNTERS_MAX + ALG_STAGES_MAX };

/**
 * Lists all fields of an algorithm's answer. Points are in the frame of A's file.
 * Returns the number of fields.
 */
size_t bench_answer_fields(const alg_algorithm *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field fields[BENCH_FIELDS_MAX]);

#endif
