/**
 * Columns of a run's files: one table per file, by which its rows are written and read.
 *
 * A row is a structure; a column is a member of it. To add a column: a member with code that fills
 * it, and one row at the end of the file's table. Empty values, the gate, `list columns` and
 * docs/columns.md follow from that row.
 */
#ifndef SUITE_COLUMNS_H
#define SUITE_COLUMNS_H

#include "base/csv.h"
#include "suite/output.h"

/** The member's type, what an empty field is, and what is refused when a file is read. */
typedef enum bench_kind {
    BENCH_KIND_TEXT,       /* const char *: anything; "" when empty */
    BENCH_KIND_WORD,       /* the same: [A-Za-z0-9_]*: a hash */
    BENCH_KIND_SCENARIO,   /* the same: as run_folder.h has it, never empty */
    BENCH_KIND_CONTESTANT, /* the same */
    BENCH_KIND_BASELINE,   /* the same, or "" */
    BENCH_KIND_SECTION,    /* of manifest.csv */
    BENCH_KIND_KEY,        /* of manifest.csv */
    BENCH_KIND_QUANTITY,   /* the same: as bench_quantities_name has it */
    BENCH_KIND_STATUS,     /* the same: as bench_status_name has it */
    BENCH_KIND_PROTOCOL,   /* the same: as bench_protocol_name has it */
    BENCH_KIND_FILE,       /* the same: bench_variant_file of the contestant in the same row */
    BENCH_KIND_FLAG,       /* bool: 0 or 1 */
    BENCH_KIND_COUNT,      /* uint64_t; never empty */
    BENCH_KIND_COUNT_IF,   /* uint64_t; UINT64_MAX when empty */
    BENCH_KIND_NUMBER,     /* double; NaN when empty */
} bench_kind;

/** The source of a column's values. The gate compares answers and counters of frames. */
typedef enum bench_role {
    BENCH_ROLE_FACT,    /* names, settings, poses: known without any answer */
    BENCH_ROLE_ANSWER,  /* a variant's answers, and what follows from them alone */
    BENCH_ROLE_COUNTER, /* work and memory in counts that no machine changes */
    BENCH_ROLE_TRUTH,   /* exact answers, their bounds and certificates */
    BENCH_ROLE_ERROR,   /* answers against the truth */
    BENCH_ROLE_COST,    /* measured on this machine: times, memory, events of the kernel */
    BENCH_ROLE_COUNT
} bench_role;

/**
 * needed: mask of what a reader is after (record.h); a file without the column is refused then.
 * Other columns are missing in files of older versions, and each of their fields is empty.
 * has: of frames, the bits of alg_answer.answered that fill it; 0: no part of the answer.
 */
typedef struct bench_column {
    const char *name;
    bench_kind kind;
    const char *unit; /* "ns", "m3", "bytes"; "1" of numbers without one; "" of texts and counts */
    bench_role role;
    size_t offset; /* in the row's structure */
    unsigned needed;
    uint32_t has;
    const char *empty;   /* for people, as is the next: when its fields are empty; "": never */
    const char *meaning; /* one line, without a full stop */
} bench_column;

/** BENCH_KIND_##kind, BENCH_ROLE_##role, a member of the structure, the readers that need it. */
#define BENCH_COLUMN(name, kind, unit, role, structure, member, needed, empty, meaning)            \
    {                                                                                              \
        name, BENCH_KIND_##kind, unit, BENCH_ROLE_##role, offsetof(structure, member), needed, 0,  \
            empty, meaning                                                                         \
    }

/** Meanings that several files share. */
#define BENCH_MEANS_SCENARIO "scenario, as the experiment names it"
#define BENCH_MEANS_VARIANT                                                                        \
    "contestant: family:key=value,..., with @twin, @base or @head behind it for a copy"
#define BENCH_MEANS_BASELINE "contestant that it is compared with"
#define BENCH_EMPTY_BASELINE "the row is of the baseline itself, or there is no comparison"
#define BENCH_MEANS_FILE     "name of the variant as a part of file names: ':', ',' and '@' are '_'"

/** "name", "text", "flag", "count", "number": what a script has to expect. */
const char *bench_kind_name(bench_kind kind);

/** "fact", "answer", "counter", "truth", "error", "cost" */
const char *bench_role_name(bench_role role);

typedef struct bench_columns {
    const bench_column *items;
    size_t count;
} bench_columns;

/** Of an array. */
#define BENCH_COLUMNS(array) ((bench_columns){array, sizeof(array) / sizeof *(array)})

/** Makes each member that has a column empty: "", false, 0 or UINT64_MAX, NaN, by its kind. */
void bench_columns_clear(bench_columns columns, void *row);

/** The names, and the fields of a row. base_csv_end is due behind either. */
void bench_columns_put_names(bench_columns columns, base_csv_writer *writer);
void bench_columns_put(bench_columns columns, const void *row, base_csv_writer *writer);

/** Rows that are printed in any format: begins empty ones with the header; adds a row. */
void bench_columns_begin(bench_columns columns, bench_rows *rows);
void bench_columns_add(bench_columns columns, const void *row, bench_rows *rows);

enum { BENCH_FIELD_BYTES = 32 };

/** One field of a row; `room` holds it unless it is a text. "": empty. */
const char *bench_column_text(const bench_column *column, const void *row,
                              char room[BENCH_FIELD_BYTES]);

/** Does the table have each column that is needed for one of `needs`? Errors: BASE_ERR_INPUT. */
base_status bench_columns_check(bench_columns columns, const base_csv *table, unsigned needs,
                                base_error *err) BASE_MUST_CHECK;

/* --- Columns that variants bring along -------------------------------------------------------- */

/** Names of counters or facts of all variants of a run, each once, in the order of their tables;
 * borrowed. Zeroed: none. */
typedef struct bench_extras {
    const char **names;
    size_t count, capacity;
} bench_extras;

/** names: NULL, or up to `most` that end with NULL. Errors: BASE_ERR_MEMORY. */
base_status bench_extras_add(bench_extras *extras, const char *const *names, size_t most,
                             base_error *err) BASE_MUST_CHECK;
void bench_extras_release(bench_extras *extras);
/** The value under `name` of one who has `names`, as above; NaN when it has no such one. */
double bench_extras_value(const char *const *names, const double *values, size_t most,
                          const char *name);

/* --- Reading ---------------------------------------------------------------------------------- */

/** Of a table with columns of its own (counters): is each name one? Errors: BASE_ERR_INPUT. */
base_status bench_columns_check_names(const base_csv *table, base_error *err) BASE_MUST_CHECK;

/**
 * Fills the structure with a row of a table; texts point into it.
 * Errors: BASE_ERR_INPUT with file and line for a field that could not have been written.
 */
base_status bench_columns_read(bench_columns columns, const base_csv *table, size_t row, void *out,
                               base_error *err) BASE_MUST_CHECK;

#endif
