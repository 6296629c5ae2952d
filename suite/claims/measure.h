/** Measures one claim: selects cells or builds, and evaluates the formula on them. Private. */
#ifndef SUITE_CLAIMS_MEASURE_H
#define SUITE_CLAIMS_MEASURE_H

#include "suite/claims/claims.h"

typedef enum bench_claim_rows {
    BENCH_OF_CELLS,
    BENCH_OF_FRAMES,
    BENCH_OF_REGIONS,
    BENCH_OF_FIXED,
    BENCH_OF_MOVING,
} bench_claim_rows;

typedef enum bench_claim_group {
    BENCH_BY_CELL,
    BENCH_BY_VARIANT,
    BENCH_BY_SCENARIO,
    BENCH_BY_CLAIM
} bench_claim_group;

typedef struct bench_checked_claim {
    const scn_claim *claim;
    bench_formula measure, where;
    bench_claim_rows of;
    bench_claim_group together;
    bool promises; /* failed cells are measured, too */
} bench_checked_claim;

/** Words of the keys `of` and `together`, in the order of the enums; NULL-terminated. */
extern const char *const bench_claim_rows_names[], *const bench_claim_group_names[];

/** A row of cells.csv or builds.csv, with its frames and regions if they have been read. */
typedef struct bench_claim_subject {
    const bench_claims_run *run;
    const bench_cell_row *cell; /* NULL: a build */
    const base_csv *table;
    size_t row;                 /* in the table */
    const char *name, *variant; /* name: of the scenario, or of the body */
    base_csv frames, regions;
} bench_claim_subject;

/** A row for statistics. */
typedef struct bench_measured_row {
    const bench_claim_subject *of;
    size_t frame, region; /* rows of the two tables */
} bench_measured_row;

typedef struct bench_measuring {
    const bench_checked_claim *claim;
    bool with_itself; /* also measure a subject that is compared with itself */
    bench_claim_subject *subjects;
    size_t subject_count, subject_capacity;
    /* The current group. */
    const bench_claim_subject **group;
    size_t group_count;
    bench_measured_row *rows;
    size_t row_count, row_capacity;
    char reason[200];   /* the first reason for a missing value, or "" */
    base_status status; /* of files that are read while a formula is evaluated */
    base_error *err;
} bench_measuring;

/**
 * Parses formulas and words of a claim; without a measure, only the selection.
 * Errors: BASE_ERR_ARGUMENT with the key and the reason.
 */
base_status bench_claim_parse(const scn_claim *claim, bench_checked_claim *checked,
                              base_error *err) BASE_MUST_CHECK;

/** Reads a file that is optional in a run; without it the table has no columns. */
base_status bench_claim_table(const char *path, base_csv *table, base_error *err) BASE_MUST_CHECK;

/**
 * Selects the subjects of a claim in all runs. own: the run of the claim's experiment. Sets
 * ->reason if a subject is missing or incomplete.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_measuring_select(bench_measuring *m, const bench_claims_run *runs, size_t count,
                                   const bench_claims_run *own) BASE_MUST_CHECK;

/**
 * Returns the name of the variant that a subject is compared with; false with a reason if there is
 * no such variant.
 */
bool bench_measuring_other(bench_measuring *m, const bench_claim_subject *s,
                           char name[BENCH_CONTESTANT_NAME_BYTES]);

/** Receives the values of the formulas for ->group. If they cannot be judged, ->reason is set. */
typedef base_status bench_group_taker(void *context, const bench_measuring *m,
                                      const bench_interval *measured);

/**
 * Evaluates formulas on each group of subjects, in the order of their first subjects.
 * Errors: those of reading frames and regions, and of `take`; BASE_ERR_MEMORY.
 */
base_status bench_measuring_groups(bench_measuring *m, const bench_formula *formulas, size_t count,
                                   bench_group_taker *take, void *context) BASE_MUST_CHECK;
/**
 * Returns a field of the only cell or build of ->group; "" if it is empty, or there are several.
 */
const char *bench_measuring_text(const bench_measuring *m, const char *column);
void bench_measuring_release(bench_measuring *m);

#endif
