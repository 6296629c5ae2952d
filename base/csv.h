/**
 * CSV by RFC 4180: the only reader (based on libcsv) and the only writer of the suite.
 *
 * A table has a header and no comment lines. Every record has as many fields as the header, and
 * begins on a new line. Only a quoted field may span several lines. Finite numbers are written with
 * %.17g and read back to the same double. An empty field, quoted or not, means "not applicable".
 * Blanks around an unquoted field are not part of it. Blank lines are skipped.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct base_csv {
    char *path;       /* for messages */
    size_t columns;   /* fields per record, 1 to BASE_CSV_COLUMNS_MAX */
    size_t rows;      /* records without the header */
    char **cells;     /* (rows + 1) * columns, row major, header first; NULL: empty cell */
    size_t *lines;    /* for each of the rows + 1 records the line, from 1, on which it begins; 0
                       * for a generated header */
    base_arena arena; /* owns all of the above */
} base_csv;

#define BASE_CSV_COLUMNS_MAX 4096

/** Reading options, for files from other programs. */
typedef struct base_csv_format {
    char delimiter;     /* ',' if 0; ' ' means runs of spaces and tabs (TUM, KITTI) */
    bool headerless;    /* the file has no header; the names c0, c1, ... are generated */
    bool hash_comments; /* lines that start with '#' are skipped (imports only) */
} base_csv_format;

/**
 * Reads a whole file. Accepts LF and CRLF, and a UTF-8 byte-order mark. format may be NULL.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read. BASE_ERR_INPUT, with path and line, for a
 *          stray or unclosed quote, a NUL byte, a carriage return inside a record, a record of
 *          another length than the header, a column without a name, two columns of the same name,
 *          or more than BASE_CSV_COLUMNS_MAX columns. BASE_ERR_INPUT, with the path, for a file
 *          without any record (not even a header), a device, or more than 4 GiB. BASE_ERR_MEMORY.
 *          After an error *table is zeroed and needs no release.
 * Memory   base_csv_release. During reading: twice the size of the file, and 16 bytes for each
 *          field and each record.
 */
base_status base_csv_read(const char *path, const base_csv_format *format, base_csv *table,
                          base_error *err) BASE_MUST_CHECK;
void base_csv_release(base_csv *table);

/** Returns the index of a column by name, or -1. */
int base_csv_find(const base_csv *table, const char *column);

/**
 * Finds a column like base_csv_find. A missing column is the error BASE_ERR_INPUT, with the names
 * of the file and the column; *index is then -1.
 */
base_status base_csv_column(const base_csv *table, const char *column, int *index,
                            base_error *err) BASE_MUST_CHECK;

/** Returns the text of a cell, NULL if it is empty. Row 0 is the first record after the header. */
const char *base_csv_text(const base_csv *table, size_t row, int column);

/** Reads the cell as a finite double. Errors: BASE_ERR_INPUT with path, line and column name. */
base_status base_csv_number(const base_csv *table, size_t row, int column, double *value,
                            base_error *err) BASE_MUST_CHECK;

/* --- Writing: a record is a sequence of fields, then base_csv_end ----------------------------- */

typedef struct base_csv_writer {
    FILE *file;   /* borrowed */
    bool started; /* the record already has a field */
    bool blank;   /* the record has one field, which is empty */
} base_csv_writer;

void base_csv_put_text(base_csv_writer *writer, const char *text); /* quoted if necessary */
void base_csv_put_number(base_csv_writer *writer, double value);   /* %.17g; NaN: empty */
void base_csv_put_count(base_csv_writer *writer, uint64_t value);
void base_csv_put_empty(base_csv_writer *writer);
void base_csv_end(base_csv_writer *writer);

/**
 * Flushes the file. Returns BASE_ERR_SYSTEM if any written data were lost; the path is only for
 * the message.
 */
base_status base_csv_check(base_csv_writer *writer, const char *path,
                           base_error *err) BASE_MUST_CHECK;

#endif
