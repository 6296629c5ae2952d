/**
 * Takes: motions of B that are recorded by hand, and the journal that keeps them.
 *
 * Every pose is appended to the journal, OUT.journal, when it is recorded. A take is written to a
 * trajectory file when the user asks for it, or at the end of the session. The journal is removed
 * when all takes are written. After a crash, the next session with the same OUT reads it. An
 * existing trajectory file is never replaced by another take: the files are OUT, OUT-2, OUT-3, ...,
 * with the suffix of OUT.
 *
 * Poses are those of B in A's frame, as in trajectory files. Times are in seconds.
 */
#ifndef SUITE_TAKES_H
#define SUITE_TAKES_H

#include "base/file.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BENCH_TAKE_PATH_BYTES = 4096,
    BENCH_TAKE_FRAMES_MAX = 1200000, /* 20 minutes at 1 kHz, 260 MB */
};

/** The longest take in seconds. */
#define BENCH_TAKE_SECONDS_MAX 1200.0
/** Time between the frames of a written take. */
#define BENCH_TAKE_STEP_S 0.001

typedef struct bench_take {
    scn_trajectory path;              /* owned; times from 0 on, at least one frame */
    size_t pushed;                    /* number of frames that the simulated hand has moved */
    char file[BENCH_TAKE_PATH_BYTES]; /* its trajectory file; "": not written */
    bool restored;                    /* read from the journal of an earlier session */
} bench_take;

/** Must not be copied once open. */
typedef struct bench_takes {
    bench_take *items; /* owned */
    size_t count, capacity;
    const char *out;  /* borrowed */
    const char *what; /* borrowed */
    char journal[BENCH_TAKE_PATH_BYTES];
    int file;        /* of the journal, locked; -1: closed */
    bool readable;   /* the journal could be read */
    bool open;       /* poses are added to the last take */
    bool clocked;    /* the next three members are set */
    double origin_s; /* the caller's time at `base_s` */
    double base_s;   /* time in the take */
} bench_takes;

/**
 * Opens the journal, locks it, and reads the takes of an earlier session that did not end by
 * bench_takes_finish. A last line without an end is cut off: its writer was killed.
 *
 * out      path of the first trajectory file; its folder must exist
 * what     bodies and hand, for the source of trajectory files; borrowed
 * pair     hashes of both bodies
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_INPUT for a journal of another pair, for a
 *          journal that another session uses, and for a line that is no pose; BASE_ERR_ARGUMENT for
 *          a name with line breaks. The journal is then unchanged, and *takes needs no close.
 */
base_status bench_takes_open(const char *out, const char *what, const base_hash pair[2],
                             bench_takes *takes, base_error *err) BASE_MUST_CHECK;

/** Begins a take. Ends the one before. Errors: BASE_ERR_MEMORY, BASE_ERR_SYSTEM. */
base_status bench_takes_begin(bench_takes *takes, base_error *err) BASE_MUST_CHECK;

/** A pose at a time of the caller's clock. */
typedef struct bench_timed_pose {
    double t_s;
    vec3 position;
    geo_quat orientation; /* unit */
} bench_timed_pose;

/**
 * Adds poses to the open take, and appends them to the journal by one write. A pose whose time does
 * not increase is left out.
 *
 * pushed   the simulated hand has moved B
 * Errors   BASE_ERR_SYSTEM if the journal cannot be written, BASE_ERR_MEMORY, BASE_ERR_INPUT if the
 *          take is full. The take is then ended; it keeps its frames.
 */
base_status bench_takes_add(bench_takes *takes, const bench_timed_pose *poses, size_t count,
                            bool pushed, base_error *err) BASE_MUST_CHECK;

/** The next pose is of another clock. It follows the last one by a step. */
void bench_takes_new_clock(bench_takes *takes);

/** Ends the open take. A take without a frame is removed. */
void bench_takes_end(bench_takes *takes);

/**
 * Writes a take, from from_s to to_s, with a frame every BENCH_TAKE_STEP_S, to its file, or to the
 * next free file. Errors: BASE_ERR_ARGUMENT for another part than one of the take;
 * BASE_ERR_SYSTEM, BASE_ERR_MEMORY.
 */
base_status bench_takes_write(bench_takes *takes, size_t take, double from_s, double to_s,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Writes all takes that are not written, as a whole. Removes the journal if all are written.
 * Errors: those of bench_takes_write; the journal then remains.
 */
base_status bench_takes_finish(bench_takes *takes, base_error *err) BASE_MUST_CHECK;

/** Closes the journal and frees all takes. The journal remains if there is a take. */
void bench_takes_close(bench_takes *takes);

/** Returns the time of the last frame of a take. */
static inline double bench_take_seconds(const bench_take *take)
{
    return take->path.frames[take->path.frame_count - 1].t_s;
}

#endif
