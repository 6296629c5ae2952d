/** Statuses, one-line errors, and contract checks. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

typedef enum base_status {
    BASE_OK = 0,
    BASE_ERR_ARGUMENT, /* the caller's request is invalid: usage, exit 2 */
    BASE_ERR_INPUT,    /* the content of a file is wrong: exit 3 */
    BASE_ERR_SYSTEM,   /* the operating system refused a request: exit 3 */
    BASE_ERR_MEMORY,   /* out of memory: exit 3, in a worker status oom */
} base_status;

/** Owned by the caller; text is one line without a full stop, empty while status is BASE_OK. */
typedef struct base_error {
    base_status status;
    char text[1024];
} base_error;

#define BASE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define BASE_MUST_CHECK          __attribute__((warn_unused_result))

/**
 * Fills err (which may be NULL) and returns status, so that a function fails in one line:
 * return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: ...", path, line);
 * A longer text is truncated. Control characters in it, for example from a file name, become '?'.
 */
base_status base_fail(base_error *err, base_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** Contract checks: enabled in every build except the timed release. */
#ifdef NDEBUG
#define base_assert(condition) ((void)0)
#else
#include <assert.h>
#define base_assert(condition) assert(condition)
#endif

#endif
