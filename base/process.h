/** Child processes with limits of time and memory. They are killed if their parent ends. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/error.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Writes the path of the first executable file `name` in $PATH; returns false if there is none. */
bool base_process_find(const char *name, char path[PATH_MAX]);

enum { BASE_PROCESS_ARGUMENTS = 32 };

typedef struct base_process {
    const char *const *arguments; /* the program's path first; NULL-terminated, fewer than
                                     BASE_PROCESS_ARGUMENTS */
    const char *directory;        /* working directory; NULL: the parent's */
    int out, err;                 /* descriptors of its standard output and standard error */
    unsigned seconds;             /* time limit; 0: no limit */
    uint64_t memory_bytes;        /* limit of its address space; 0: the parent's */
    bool (*interrupted)(void);    /* called up to 1,000 times a second; the child is killed if it
                                     returns true; NULL: not called */
    _Atomic pid_t *child;         /* the child's id while it runs, else 0; NULL: not needed */
} base_process;

typedef enum base_process_end {
    BASE_PROCESS_EXITED,      /* code: exit status; 127: it could not be started */
    BASE_PROCESS_SIGNALLED,   /* code: signal */
    BASE_PROCESS_TIMED_OUT,   /* killed after `seconds`, code 0 */
    BASE_PROCESS_INTERRUPTED, /* killed because `interrupted` returned true, code 0 */
} base_process_end;

typedef struct base_process_outcome {
    base_process_end end;
    int code;
} base_process_outcome;

/**
 * Runs a program to its end. The program leads a new process group; when it ends, all processes of
 * the group are killed. Its standard input is empty, it writes no core dump, and it is killed if
 * the calling thread ends.
 *
 * Errors   BASE_ERR_SYSTEM if the system cannot create a process.
 */
base_status base_process_run(const base_process *process, base_process_outcome *outcome,
                             base_error *err) BASE_MUST_CHECK;

#endif
