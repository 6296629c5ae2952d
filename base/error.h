/** Statuses, errors of one line, and checks of contracts. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

typedef enum base_status {
    BASE_OK = 0,
    BASE_ERR_ARGUMENT, /* the caller asked for something that cannot be: usage, exit 2 */
    BASE_ERR_INPUT,    /* a file's content is wrong: exit 3 */
    BASE_ERR_SYSTEM,   /* the operating system refused: exit 3 */
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
 * A longer text is cut; control characters in it (of a file name, say) become '?'.
 */
base_status base_fail(base_error *err, base_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

/** Contract checks: on in every build but the timed release. */
#ifdef NDEBUG
#define base_assert(condition) ((void)0)
#else
#include <assert.h>
#define base_assert(condition) assert(condition)
#endif

#endif
