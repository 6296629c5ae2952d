/** Trajectories: poses of B in A's frame over time, and their files. */
#ifndef SCENARIOS_TRAJECTORY_H
#define SCENARIOS_TRAJECTORY_H

#include "base/error.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Bits of scn_known.mask. */
enum {
    SCN_KNOWN_DISTANCE = 1u << 0,
    SCN_KNOWN_VOLUME = 1u << 1,
    SCN_KNOWN_WHOLE_A = 1u << 2, /* the volume is that of all of A */
    SCN_KNOWN_WHOLE_B = 1u << 3,
    SCN_KNOWN_FORCE = 1u << 4,       /* force_m2 and torque_m3 */
    SCN_KNOWN_DEPTH_FORCE = 1u << 5, /* depth_force_m3 and depth_torque_m4 */
};

/**
 * Answers of a frame that are known without any method of truth: in closed form, or by
 * construction. The truth must contain distance and volume. Forces are those of the ideal bodies
 * that the meshes approximate, so the truth of the meshes is only near to them. A zeroed structure
 * contains no answer. All vectors are in A's axes.
 */
typedef struct scn_known {
    unsigned mask;
    double distance_m, volume_m3;
    vec3 force_m2;  /* force on B: minus the gradient of the common volume */
    vec3 torque_m3; /* its torque about B's centroid */
    /** Force on B: minus the gradient of the integral, over the common volume, of the distance to
     * A's surface; and its torque about B's centroid. */
    vec3 depth_force_m3, depth_torque_m4;
} scn_known;

typedef struct scn_frame {
    double t_s;
    vec3 position;        /* origin of B in A's frame */
    geo_quat orientation; /* orientation of B in A's frame; unit */
    double target;        /* distance_m or volume_m3 that a sampler aimed at; NaN: no target */
    double achieved;      /* the oracle's value at the pose; NaN: not computed */
    scn_known known;      /* no bit of SCN_KNOWN_WHOLE_* */
} scn_frame;

typedef struct scn_trajectory {
    scn_frame *frames; /* owned */
    size_t frame_count, frame_capacity;
    int64_t epoch_ns; /* the recorder's clock at t_s = 0, for whole nanoseconds; or 0 */
    char source[256]; /* provenance: generator and its parameters, or file and its changes */
} scn_trajectory;

base_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame,
                                  base_error *err) BASE_MUST_CHECK;
void scn_trajectory_release(scn_trajectory *trajectory);

/**
 * Returns the pose at a time. Positions between two frames are interpolated linearly, orientations
 * along the shortest arc. Times before the first or after the last frame give the pose of that
 * frame. The trajectory must have a frame. *at: index of a frame at or before t_s, at which the
 * search begins, or 0; it is set to the index at which the search ended.
 */
scn_frame scn_trajectory_at(const scn_trajectory *trajectory, double t_s, size_t *at);

/**
 * Appends the poses of a part of a trajectory at equal steps: one at from_s, and one every step_s
 * until to_s. Their times begin with 0. Poses between two frames are those of scn_trajectory_at.
 *
 * path      must have a frame; is not `resampled`
 * Errors    BASE_ERR_ARGUMENT unless from_s <= to_s lie within the times of `path`;
 *           BASE_ERR_MEMORY.
 */
base_status scn_trajectory_resample(const scn_trajectory *path, double from_s, double to_s,
                                    double step_s, scn_trajectory *resampled,
                                    base_error *err) BASE_MUST_CHECK;

/**
 * Reads a trajectory file. Its columns are frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw. A written file also
 * has target,achieved,source (source in the first record only), then
 * known_distance_m,known_volume_m3 if any frame has one, then in the same way
 * known_fx_m2,...,known_fz_m2,known_tx_m3,...,known_tz_m3 and
 * known_depth_fx_m3,...,known_depth_tz_m4. A file may have any other columns. The columns frame and
 * t_s are optional; their defaults are the row number and 1 ms per row. A written file is read back
 * to the same bits.
 *
 * Errors   BASE_ERR_INPUT with file and line for a missing column, a field that is not a finite
 *          number, a quaternion whose length differs from 1 by more than 1e-3 (smaller errors are
 *          normalised), time that does not increase, or no frames. If the file looks like a
 *          recording in another format, the message says how to import it. BASE_ERR_SYSTEM,
 *          BASE_ERR_MEMORY. *trajectory is zeroed then.
 */
base_status scn_trajectory_read(const char *path, scn_trajectory *trajectory,
                                base_error *err) BASE_MUST_CHECK;
/** Writes a trajectory file. path: for messages. Errors: BASE_ERR_SYSTEM if the stream fails. */
base_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                 base_error *err) BASE_MUST_CHECK;

/* --- Common code of the readers of poses ------------------------------------------------------ */

/** Largest accepted difference of a quaternion's length from 1. */
#define SCN_QUATERNION_TOLERANCE 1e-3

/**
 * Makes a pose from seven numbers x, y, z (m), qx, qy, qz, qw. A quaternion whose length differs
 * from 1 by more than 1e-14 is normalised. Others keep their bits, so that a written pose is read
 * back unchanged. Returns false if *length, the length of the quaternion, differs from 1 by more
 * than SCN_QUATERNION_TOLERANCE.
 */
bool scn_pose_of_numbers(const double numbers[7], geo_vec3 *position, geo_quat *orientation,
                         double *length);

/* --- Recordings in foreign formats ------------------------------------------------------------ */

typedef enum scn_format {
    SCN_TUM,   /* t x y z qx qy qz qw, blank separated, seconds */
    SCN_KITTI, /* 3x4 matrix, row major, no time: frames at 10 Hz */
    SCN_EUROC, /* t x y z qw qx qy qz and more, comma separated; t in whole nanoseconds, converted
                  into seconds since the first frame (and epoch_ns) */
    SCN_PQP,   /* frame count, then 3 rotation rows and a translation row per frame; 10 Hz */
} scn_format;

enum { SCN_FORMATS = SCN_PQP + 1 };

/** "tum", "kitti", "euroc" or "pqp". */
const char *scn_format_name(scn_format format);

/**
 * Reads a foreign recording without resampling. Accepts trailing blanks, tabs, blank lines, CRLF
 * and '#' lines.
 *
 * Errors   as scn_trajectory_read; also for a wrong number of fields and for a matrix that is not a
 *          rotation within 1e-3.
 */
base_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                  base_error *err) BASE_MUST_CHECK;

/* --- Two trackers ----------------------------------------------------------------------------- */

/* Two tracked bodies, recorded in one world frame, as a trajectory of B in A's frame. */

/** The mounting of a body on its tracker: the pose of the body's frame in the tracker's frame. */
typedef struct scn_mounting {
    vec3 position;
    geo_quat orientation; /* unit */
} scn_mounting;

/** Returns the mounting with identical frames of tracker and body. */
scn_mounting scn_mounting_none(void);

/**
 * Computes the pose of B in A's frame,
 *
 *   X(t) = inverse(W_a(t) M_a) W_b(t) M_b
 *
 * from the poses W_a(t) and W_b(t) of two trackers in the world, and the mountings M_a and M_b of
 * the bodies on them. The times are those of a that lie within the times of b; W_b is interpolated
 * between its frames (scn_trajectory_at). If a is NULL, W_a is the identity at all times of b. Then
 * b has the poses of B's tracker in the frame of A's tracker, or in a world in which A rests.
 *
 * Targets and known answers of the frames of a and b are dropped.
 *
 * Errors   BASE_ERR_INPUT if the two have no time in common; BASE_ERR_MEMORY. *trajectory is zeroed
 *          then.
 * Memory   scn_trajectory_release.
 */
base_status scn_trajectory_relative(const scn_trajectory *a, const scn_trajectory *b,
                                    const scn_mounting *mount_a, const scn_mounting *mount_b,
                                    scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

#endif
