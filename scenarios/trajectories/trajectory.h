/** Trajectories: poses of B in A's frame, over time; and their files. */
#ifndef SCENARIOS_TRAJECTORY_H
#define SCENARIOS_TRAJECTORY_H

#include "base/error.h"
#include "geometry/vec.h"

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

/**
 * Appends a frame as read from a line of a file: renormalises its quaternion.
 * Errors: BASE_ERR_INPUT for a quaternion that is none, and for time that does not increase.
 */
base_status scn_frame_add(scn_trajectory *trajectory, const char *path, size_t line,
                          const scn_frame *frame, base_error *err) BASE_MUST_CHECK;

/** Ends a reading: no frames are an error, and on an error the trajectory is released. */
base_status scn_frames_end(scn_trajectory *trajectory, const char *path, base_status status,
                           base_error *err) BASE_MUST_CHECK;

#endif
