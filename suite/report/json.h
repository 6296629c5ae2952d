/** JSON of reports and of the recorder: a writer, and arrays of numbers in base64. */
#ifndef SUITE_REPORT_JSON_H
#define SUITE_REPORT_JSON_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * A document during writing. Values follow each other, each with its key in an object and with
 * NULL in a list. The caller opens and closes objects and lists in pairs. Errors of the stream are
 * detected when it is closed. A zeroed struct with `file` set is at the beginning.
 */
typedef struct bench_json {
    FILE *file;
    bool filled; /* the innermost object or list has a value */
    bool lines;  /* a line ends after each object and list */
} bench_json;

/** Puts the key of a value that the caller prints to `file`. */
void bench_json_key(bench_json *json, const char *key);
/** kind: '{' for an object, '[' for a list. */
void bench_json_open(bench_json *json, const char *key, char kind);
/** kind: '}' or ']'. */
void bench_json_close(bench_json *json, char kind);
/** Puts a text; null for NULL. */
void bench_json_text(bench_json *json, const char *key, const char *text);
/** Puts a number with 17 digits; null for NaN and infinities. */
void bench_json_number(bench_json *json, const char *key, double value);
/** Puts a list of numbers. */
void bench_json_numbers(bench_json *json, const char *key, const double *values, size_t count);
void bench_json_flag(bench_json *json, const char *key, bool value);

/* --- Arrays ----------------------------------------------------------------------------------- */

/** The type of the numbers of an array, little-endian. */
typedef enum bench_array_type {
    BENCH_ARRAY_U8,
    BENCH_ARRAY_U16,
    BENCH_ARRAY_U32,
    BENCH_ARRAY_F32,
    BENCH_ARRAY_F64,
} bench_array_type;

/** The arrays of a document; equal ones are stored once. A zeroed struct is empty. */
typedef struct bench_arrays {
    FILE *file;
    char *text; /* a list of [TYPE, BASE64], valid after bench_arrays_finish */
    size_t size;
    base_hash *hashes;
    size_t count, capacity;
    bool failed;
} bench_arrays;

/**
 * Adds an array and returns its index in the document, or that of an equal one. Lack of memory is
 * reported by bench_arrays_finish.
 */
size_t bench_arrays_add(bench_arrays *arrays, bench_array_type type, const void *items,
                        size_t count);

/**
 * Adds numbers as the shortest type that holds them: unsigned integers if they are such, otherwise
 * single precision, or double precision if `exact` is set.
 */
size_t bench_arrays_add_numbers(bench_arrays *arrays, const double *values, size_t count,
                                bool exact);

/** Puts all arrays as one list. Errors: BASE_ERR_MEMORY. */
base_status bench_arrays_finish(bench_arrays *arrays, const char *key, bench_json *json,
                                base_error *err) BASE_MUST_CHECK;
void bench_arrays_release(bench_arrays *arrays);

#endif
