/** A child process that cannot hang, flood or take its parent down. */
#ifndef GROUNDTRUTH_PROCESS_H
#define GROUNDTRUTH_PROCESS_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/** Writes the path of an executable file of the search path $PATH; false if there is none. */
bool gt_find_program(const char *name, char path[PATH_MAX]);

typedef struct gt_process {
    const char *const *arguments; /* program (an absolute path) first, NULL-terminated */
    const char *directory;        /* working directory */
    const char *log;              /* file that gets stdout and stderr */
    unsigned seconds;             /* time limit, >= 1 */
    uint64_t bytes;               /* limit of its memory */
    bool (*interrupted)(void);    /* asked some fifty times a second; NULL: never */
} gt_process;

typedef enum gt_ending {
    GT_EXITED,      /* code: exit status; 127: could not be started */
    GT_SIGNALLED,   /* code: signal */
    GT_TIMED_OUT,   /* killed with all its children */
    GT_INTERRUPTED, /* the same, because `interrupted` said so */
} gt_ending;

typedef struct gt_outcome {
    gt_ending ending;
    int code;
} gt_outcome;

/**
 * Runs a program to its end, in its own process group, without standard input and core dumps. The
 * child dies with the calling thread.
 *
 * Errors   BASE_ERR_SYSTEM if no process can be made or waited for.
 */
base_status gt_process_run(const gt_process *process, gt_outcome *outcome,
                           base_error *err) BASE_MUST_CHECK;

#endif
