/**
 * Columns of a run's files: one table per file, used for writing and reading its rows.
 *
 * A row is a structure, and a column describes one member of it. To add a column, add a member with
 * code that sets it, and one row at the end of the file's table. Empty values, the gate, `list
 * columns` and docs/columns.md are derived from that row.
 */
#ifndef SUITE_COLUMNS_H
#define SUITE_COLUMNS_H

#include "base/csv.h"
#include "suite/output.h"

/** Type of the member, value of an empty field, and the check when a file is read. */
typedef enum bench_kind {
    BENCH_KIND_TEXT,       /* const char *: any text; "" if empty */
    BENCH_KIND_WORD,       /* const char *: [A-Za-z0-9_]*, such as a hash */
    BENCH_KIND_SCENARIO,   /* const char *: a name valid by run_folder.h, never empty */
    BENCH_KIND_CONTESTANT, /* const char *: likewise */
    BENCH_KIND_BASELINE,   /* const char *: likewise, or "" */
    BENCH_KIND_SECTION,    /* of manifest.csv */
    BENCH_KIND_KEY,        /* of manifest.csv */
    BENCH_KIND_QUANTITY,   /* const char *: as written by bench_quantities_name */
    BENCH_KIND_STATUS,     /* const char *: a bench_status_name */
    BENCH_KIND_PROTOCOL,   /* const char *: a bench_protocol_name */
    BENCH_KIND_FILE,       /* const char *: bench_variant_file of the contestant in the same row */
    BENCH_KIND_FLAG,       /* bool: 0 or 1 */
    BENCH_KIND_COUNT,      /* uint64_t; never empty */
    BENCH_KIND_COUNT_IF,   /* uint64_t; UINT64_MAX if empty */
    BENCH_KIND_NUMBER,     /* double; NaN if empty */
} bench_kind;

/** The source of a column's values. The gate compares answers and counters of frames. */
typedef enum bench_role {
    BENCH_ROLE_FACT,    /* names, settings, poses: known without any answer */
    BENCH_ROLE_ANSWER,  /* a variant's answers, and values derived from them only */
    BENCH_ROLE_COUNTER, /* counts of work and memory that are equal on all machines */
    BENCH_ROLE_TRUTH,   /* exact answers, their bounds and certificates */
    BENCH_ROLE_ERROR,   /* answers compared with the truth */
    BENCH_ROLE_COST,    /* measured on this machine: times, memory, events of the kernel */
    BENCH_ROLE_COUNT
} bench_role;

/**
 * needed: mask of the parts of a record (record.h) that cannot be read without the column. Other
 * columns may be missing in files of older versions; their fields are then empty. has: only for
 * columns of frames: the bits of alg_answer.answered that set the column; 0: it is not part of the
 * answer.
 */
typedef struct bench_column {
    const char *name;
    bench_kind kind;
    const char *unit; /* "ns", "m3", "bytes"; "1" for numbers without a unit; "" for texts and
                         counts */
    bench_role role;
    size_t offset; /* in the structure of the row */
    unsigned needed;
    uint32_t has;
    const char *empty;   /* for people: when its fields are empty; "": never */
    const char *meaning; /* for people: one line, without a full stop */
} bench_column;

/** Initializes a column with BENCH_KIND_##kind, BENCH_ROLE_##role and a member of the structure. */
#define BENCH_COLUMN(name, kind, unit, role, structure, member, needed, empty, meaning)            \
    {                                                                                              \
        name, BENCH_KIND_##kind, unit, BENCH_ROLE_##role, offsetof(structure, member), needed, 0,  \
            empty, meaning                                                                         \
    }

/** Meanings shared by several files. */
#define BENCH_MEANS_SCENARIO "scenario, as the experiment names it"
#define BENCH_MEANS_VARIANT                                                                        \
    "contestant: family:key=value,..., followed by @twin, @base or @head for a copy"
#define BENCH_MEANS_BASELINE "contestant that it is compared with"
#define BENCH_EMPTY_BASELINE "the row is of the baseline itself, or there is no comparison"
#define BENCH_MEANS_FILE     "name of the variant as a part of file names: ':', ',' and '@' are '_'"

/** Returns the type as seen by a script: "name", "text", "flag", "count", "number". */
const char *bench_kind_name(bench_kind kind);

/** Returns "fact", "answer", "counter", "truth", "error" or "cost". */
const char *bench_role_name(bench_role role);

typedef struct bench_columns {
    const bench_column *items;
    size_t count;
} bench_columns;

/** The columns of an array. */
#define BENCH_COLUMNS(array) ((bench_columns){array, sizeof(array) / sizeof *(array)})

/**
 * Sets each member that has a column to its empty value: "", false, 0 or UINT64_MAX, NaN, by its
 * kind.
 */
void bench_columns_clear(bench_columns columns, void *row);

/**
 * Write the names of the columns, or the fields of a row. The caller ends the line with
 * base_csv_end.
 */
void bench_columns_put_names(bench_columns columns, base_csv_writer *writer);
void bench_columns_put(bench_columns columns, const void *row, base_csv_writer *writer);

/**
 * For rows that are printed in any format. bench_columns_begin starts them with the header;
 * bench_columns_add adds a row.
 */
void bench_columns_begin(bench_columns columns, bench_rows *rows);
void bench_columns_add(bench_columns columns, const void *row, bench_rows *rows);

enum { BENCH_FIELD_BYTES = 32 };

/**
 * Returns one field of a row as text; "" if empty. Numbers are formatted in `room`; a text is
 * returned as it is in the row.
 */
const char *bench_column_text(const bench_column *column, const void *row,
                              char room[BENCH_FIELD_BYTES]);

/** Checks that the table has each column needed for one of `needs`. Errors: BASE_ERR_INPUT. */
base_status bench_columns_check(bench_columns columns, const base_csv *table, unsigned needs,
                                base_error *err) BASE_MUST_CHECK;

/* --- Columns of variants ---------------------------------------------------------------------- */

/**
 * Names of counters or facts of all variants of a run. Each name appears once, in the order of the
 * variants' tables. The texts are borrowed. A zeroed list is empty.
 */
typedef struct bench_extras {
    const char **names;
    size_t count, capacity;
} bench_extras;

/**
 * Adds the names that the list lacks. names: NULL, or at most `most` names; a shorter list ends
 * with NULL.
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_extras_add(bench_extras *extras, const char *const *names, size_t most,
                             base_error *err) BASE_MUST_CHECK;
void bench_extras_release(bench_extras *extras);
/** Returns values[i] with names[i] == name; NaN if there is no such name. */
double bench_extras_value(const char *const *names, const double *values, size_t most,
                          const char *name);

/* --- Reading ---------------------------------------------------------------------------------- */

/**
 * Checks the names of all columns of a table that has additional columns (counters).
 * Errors: BASE_ERR_INPUT.
 */
base_status bench_columns_check_names(const base_csv *table, base_error *err) BASE_MUST_CHECK;

/**
 * Sets the structure from a row of a table. Texts are borrowed from the table.
 * Errors: BASE_ERR_INPUT with file and line for a field that this program would not write.
 */
base_status bench_columns_read(bench_columns columns, const base_csv *table, size_t row, void *out,
                               base_error *err) BASE_MUST_CHECK;

#endif
