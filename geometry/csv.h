/**
 * CSV by RFC 4180: the one reader (over libcsv) and the one writer of the suite.
 *
 * A table has a header, no comment lines, one record a line, as many fields in every record as in
 * the header. Numbers are written with %.17g and read back to the same double. An empty field,
 * quoted or not, means "not applicable". Blanks around an unquoted field do not belong to it, and
 * blank lines are skipped. A quoted field may run over several lines.
 */
#ifndef GEOMETRY_CSV_H
#define GEOMETRY_CSV_H

#include "geometry/geometry.h"

#include <stdio.h>

typedef struct geo_csv {
    char *path;      /* for messages */
    size_t columns;  /* fields per record, 1 to GEO_CSV_COLUMNS_MAX */
    size_t rows;     /* records without the header */
    char **cells;    /* (rows + 1) * columns, row major, header first; NULL = empty */
    size_t *lines;   /* line, from 1, on which each of the rows + 1 records begins; 0: made up */
    geo_arena arena; /* holds all of the above */
} geo_csv;

#define GEO_CSV_COLUMNS_MAX 4096

/** Options of reading, for foreign files. */
typedef struct geo_csv_format {
    char delimiter;     /* ',' when 0; ' ' means runs of spaces and tabs (TUM, KITTI) */
    bool headerless;    /* no header: `columns` names c0, c1, ... are made up */
    bool hash_comments; /* lines that start with '#' are skipped (imports only) */
} geo_csv_format;

/**
 * Reads a whole file. Accepts LF and CRLF, and a UTF-8 byte-order mark. format may be NULL.
 *
 * Errors   GEO_ERR_SYSTEM if the file cannot be read; GEO_ERR_INPUT with path and line for a
 *          stray or open quote, a NUL byte, a lone carriage return, a record of another length
 *          than the header, a file without records, a column without a name, two columns of the
 *          same name; GEO_ERR_MEMORY. *table is zeroed then and needs no release.
 * Memory   geo_csv_release. While reading, about three times the file.
 */
geo_status geo_csv_read(const char *path, const geo_csv_format *format, geo_csv *table,
                        geo_error *err) GEO_MUST_CHECK;
void geo_csv_release(geo_csv *table);

/** Index of a column by name, or -1. */
int geo_csv_find(const geo_csv *table, const char *column);

/** As geo_csv_find; a missing column is GEO_ERR_INPUT that names the file and the column. */
geo_status geo_csv_column(const geo_csv *table, const char *column, int *index,
                          geo_error *err) GEO_MUST_CHECK;

/** Text of a cell, NULL when empty; row counts from 0 without the header. */
const char *geo_csv_text(const geo_csv *table, size_t row, int column);

/** The cell as a finite double. Errors: GEO_ERR_INPUT with path, line and column name. */
geo_status geo_csv_number(const geo_csv *table, size_t row, int column, double *value,
                          geo_error *err) GEO_MUST_CHECK;

/* --- Writing: a record is a sequence of fields, then geo_csv_end. ----------------------------- */

typedef struct geo_csv_writer {
    FILE *file;   /* borrowed */
    bool started; /* the record has a field already */
    bool blank;   /* it has one field, which is empty */
} geo_csv_writer;

void geo_csv_put_text(geo_csv_writer *writer, const char *text); /* quoted where needed */
void geo_csv_put_number(geo_csv_writer *writer, double value);   /* %.17g; NaN: empty */
void geo_csv_put_count(geo_csv_writer *writer, uint64_t value);
void geo_csv_put_empty(geo_csv_writer *writer);
void geo_csv_end(geo_csv_writer *writer);

/** Flushes; GEO_ERR_SYSTEM (with the path, for the message) if anything written was lost. */
geo_status geo_csv_check(geo_csv_writer *writer, const char *path, geo_error *err) GEO_MUST_CHECK;

#endif
