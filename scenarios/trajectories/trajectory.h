/** Trajectories: poses of B in A's frame, over time; and their files. */
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
    SCN_KNOWN_WHOLE_A = 1u << 2, /* the volume is that of all of A, whatever it measures */
    SCN_KNOWN_WHOLE_B = 1u << 3,
    SCN_KNOWN_FORCE = 1u << 4,       /* force_m2 and torque_m3 */
    SCN_KNOWN_DEPTH_FORCE = 1u << 5, /* depth_force_m3 and depth_torque_m4 */
};

/**
 * What is known of a frame without any method of truth: in closed form, or by construction. The
 * truth has to hold distance and volume. Forces are those of the bodies that the meshes stand for:
 * the truth of the meshes comes near to them. Zeroed: nothing. All vectors are in A's axes.
 */
typedef struct scn_known {
    unsigned mask;
    double distance_m, volume_m3;
    vec3 force_m2;  /* on B: minus the gradient of the common volume */
    vec3 torque_m3; /* of it about B's centroid */
    /** On B: minus the gradient of the integral, over the common volume, of the distance to A's
     * surface; and its torque about B's centroid. */
    vec3 depth_force_m3, depth_torque_m4;
} scn_known;

typedef struct scn_frame {
    double t_s;
    vec3 position;        /* origin of B in A's frame */
    geo_quat orientation; /* of B in A's frame; unit */
    double target;        /* distance_m or volume_m3 that a sampler aimed at; NaN: none */
    double achieved;      /* what the oracle found there; NaN: not asked */
    scn_known known;      /* no bit of SCN_KNOWN_WHOLE_* */
} scn_frame;

typedef struct scn_trajectory {
    scn_frame *frames; /* owned */
    size_t frame_count, frame_capacity;
    int64_t
        epoch_ns; /* the recorder's clock at t_s = 0, of recordings in whole nanoseconds; or 0 */
    char source[256]; /* provenance: generator and its parameters, or file and how it was changed */
} scn_trajectory;

base_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame,
                                  base_error *err) BASE_MUST_CHECK;
void scn_trajectory_release(scn_trajectory *trajectory);

/**
 * The pose at a time: positions between two frames on the straight line, orientations on the
 * shortest arc, before the first and behind the last frame as there. The trajectory has a frame.
 * *at: a frame at or before t_s, where the search begins, and where it has ended; 0 at first.
 */
scn_frame scn_trajectory_at(const scn_trajectory *trajectory, double t_s, size_t *at);

/**
 * Columns frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw; a written file has target,achieved,source behind
 * them (source in the first record only), then known_distance_m,known_volume_m3 where any frame has
 * one, then known_fx_m2,...,known_fz_m2,known_tx_m3,...,known_tz_m3 likewise, then
 * known_depth_fx_m3,...,known_depth_tz_m4 likewise; a read one may have any other columns, and
 * needs neither frame, which is the number of the row, nor t_s, which is then 1 ms a row. What was
 * written is read back to the same bits.
 *
 * Errors   BASE_ERR_INPUT with file and line: a missing column, a field that is no finite number, a
 *          quaternion whose length is off by more than 1e-3 (within it is renormalised), time that
 *          does not increase, no frames; of a file that looks like a recording in another form
 *          (scn_format_guess) it says how that is imported. *trajectory is zeroed then.
 */
base_status scn_trajectory_read(const char *path, scn_trajectory *trajectory,
                                base_error *err) BASE_MUST_CHECK;
/** path: for messages. Errors: BASE_ERR_SYSTEM when the stream fails. */
base_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                 base_error *err) BASE_MUST_CHECK;

/* --- What the readers of poses share ---------------------------------------------------------- */

/** Lengths of quaternions may be off by so much. */
#define SCN_QUATERNION_TOLERANCE 1e-3

/**
 * The pose of seven numbers x, y, z (m), qx, qy, qz, qw. A quaternion whose length is off by more
 * than 1e-14 is normalised; others keep their bits, so that a written pose is read back as it was.
 * Returns false if *length, that of the quaternion, is off by more than SCN_QUATERNION_TOLERANCE.
 */
bool scn_pose_of_numbers(const double numbers[7], geo_vec3 *position, geo_quat *orientation,
                         double *length);

/* --- Recordings in foreign formats ------------------------------------------------------------ */

typedef enum scn_format {
    SCN_TUM,   /* t x y z qx qy qz qw, blank separated, seconds */
    SCN_KITTI, /* 3x4 matrix, row major, no time: frames at 10 Hz */
    SCN_EUROC, /* t x y z qw qx qy qz and more, comma separated; t in whole nanoseconds, which
                  become seconds since the first frame (and epoch_ns) */
    SCN_PQP,   /* frame count, then 3 rotation rows and a translation row a frame; 10 Hz */
} scn_format;

enum { SCN_FORMATS = SCN_PQP + 1 };

/** "tum", "kitti", "euroc" or "pqp". */
const char *scn_format_name(scn_format format);

/**
 * Reads a foreign recording as it is: no resampling. Liberal: trailing blanks, tabs, blank lines,
 * CRLF, '#' lines.
 *
 * Errors   as scn_trajectory_read, also for a wrong number of fields and for a rotation matrix that
 *          is not one within 1e-3.
 */
base_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                  base_error *err) BASE_MUST_CHECK;

/* --- Two trackers ----------------------------------------------------------------------------- */

/* Two tracked bodies, recorded in one world, as a trajectory of B in A's frame. */

/** How a body sits on its tracker: the pose of the body's frame in the tracker's. */
typedef struct scn_mounting {
    vec3 position;
    geo_quat orientation; /* unit */
} scn_mounting;

/** The tracker's frame is the body's. */
scn_mounting scn_mounting_none(void);

/**
 * With the poses W_a(t) and W_b(t) of two trackers in the world, and the mountings M_a and M_b of
 * the bodies on them, the pose of B in A's frame is
 *
 *   X(t) = inverse(W_a(t) M_a) W_b(t) M_b
 *
 * at each of a's times that lies within those of b, between whose frames W_b is interpolated
 * (scn_trajectory_at). Without a (NULL) W_a is the identity at b's times: b is the pose of B's
 * tracker in that of A, or in a world in which A stands still.
 *
 * What the frames of a and b say of targets and known answers is dropped.
 *
 * Errors   BASE_ERR_INPUT when the two have no time in common; BASE_ERR_MEMORY. *trajectory is
 *          zeroed then.
 * Memory   scn_trajectory_release.
 */
base_status scn_trajectory_relative(const scn_trajectory *a, const scn_trajectory *b,
                                    const scn_mounting *mount_a, const scn_mounting *mount_b,
                                    scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

#endif
