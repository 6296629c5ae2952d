/**
 * The files of a cell's frames:
 *
 *   SCENARIO/VARIANT.csv          a row for each frame. bench_answer_fields names the fields of one
 *                                 answer like its columns
 *   SCENARIO/VARIANT.regions.csv  a row for each region of penetration, at most BENCH_REGIONS_MAX
 *                                 per frame; only for variants that answer regions
 *   deadline.csv                  the share of frames that are answered within a time and also
 *                                 within an error
 */
#ifndef SUITE_FRAMES_H
#define SUITE_FRAMES_H

#include "suite/inputs/pair.h"
#include "suite/results/cells.h"
#include "suite/results/columns.h"

/**
 * Writes the complete file of a cell or leaves it unchanged. The cell must have a warm pass, or
 * answers from elsewhere. poses:
 * of B in the frame of the pair, one per frame. truths: one per frame; they give the certificates.
 * The columns of errors come from the judgements of the cell.
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

/** One field of an answer, as in the file of frames. */
typedef struct bench_field {
    char name[BENCH_FIELD_NAME_BYTES]; /* name of the column */
    char text[BENCH_FIELD_BYTES];      /* "" if not answered, and for NaN */
    bool answered;
    bool timed; /* time of a stage, which differs from query to query */
} bench_field;

enum { BENCH_FIELDS_MAX = 25 + ALG_COUNTERS_MAX + ALG_STAGES_MAX };

/**
 * Lists all fields of an algorithm's answer. Points are in the frame of A's file.
 * Returns the number of fields.
 */
size_t bench_answer_fields(const alg_algorithm *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field fields[BENCH_FIELDS_MAX]);

/* --- Regions ---------------------------------------------------------------------------------- */

extern const bench_columns bench_regions_columns;

/** True if the cell was asked for its regions and has answered them in some frame. */
bool bench_cell_has_regions(const bench_cell *cell);

/**
 * Writes the complete file of such a cell or leaves it unchanged.
 *
 * centre_a  centre of A in the frame of its file
 * Errors    BASE_ERR_SYSTEM.
 */
base_status bench_regions_write(const char *path, const bench_cell *cell, vec3 centre_a,
                                base_error *err) BASE_MUST_CHECK;

/* --- Deadlines -------------------------------------------------------------------------------- */

extern const bench_columns bench_deadline_columns;

/**
 * Writes rows for each quantity of a cell: one for each distinct time of its frames, sorted by
 * time. The time of a frame is its median over the warm passes. Errors are those of
 * bench_quantity.error; the error of contact is 1 for a wrong verdict and 0 for a right one. Frames
 * without an error are excluded. Without a warm pass there are no rows.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_deadline_put(FILE *file, const bench_cell *cell, base_error *err) BASE_MUST_CHECK;

#endif
