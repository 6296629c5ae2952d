/** Reads answers that another program made from a CSV file. */
#ifndef SUITE_SCORE_ANSWERS_H
#define SUITE_SCORE_ANSWERS_H

#include "algorithms/algorithms.h"
#include "suite/inputs/pair.h"

enum { BENCH_FORCE_UNIT_BYTES = 4 };

typedef struct bench_score_answers {
    alg_answer *items; /* owned; frame_count entries, in the frame of the pair; `answered` is 0 if a
                          frame has no answer */
    uint64_t *times_ns; /* owned; frame_count entries, UINT64_MAX if a frame has none; NULL if the
                           file has no times */
    size_t frame_count;
    uint32_t has;                  /* bits of alg_answer.answered that any frame has */
    unsigned quantities;           /* mask ALG_WANT_* of the quantities that any frame answers */
    size_t missing, first_missing; /* number of frames without any answer; the first one */
    char force_unit[BENCH_FORCE_UNIT_BYTES]; /* "m2", "m3", "m", "N"; "" without forces */
} bench_score_answers;

/** Writes the names of all columns that the file may have, with ", " between them. */
void bench_score_answers_columns(char *text, size_t size);

/**
 * Reads a file. Its columns are `frame`, answers under the names that the files of frames have
 * (frames.h), and `time_ns`. All but `frame` are optional, but the columns of a vector belong
 * together, and so do depth_m and nx, ny, nz. Rows may be in any order. An empty field is no
 * answer. Without the column `colliding`, the bodies collide if the distance is not above 0, or
 * else if the volume, the depth or the force is not 0. The column counts as an answer of the
 * contact if `asked` contains it or if the file answers nothing else.
 *
 * pair    the frame of witness points is that of A's file; they are moved into that of the pair
 * asked   mask ALG_WANT_*: the quantities of the scenario
 * Errors  those of base_csv_read; BASE_ERR_INPUT with file and line for an unknown column (similar
 *         names are listed), a missing column, a field that is not a finite number, a vector of
 *         which only a part is there, a frame that the scenario does not have or that is there
 *         twice, `colliding` other than 0 and 1, a count or time that is negative, and a file
 *         without answers. BASE_ERR_MEMORY. After an error *answers is zeroed.
 * Memory  bench_score_answers_release.
 */
base_status bench_score_answers_read(const char *path, const bench_pair *pair, size_t frame_count,
                                     unsigned asked, bench_score_answers *answers,
                                     base_error *err) BASE_MUST_CHECK;
void bench_score_answers_release(bench_score_answers *answers);

#endif
