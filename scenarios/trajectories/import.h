/** Recordings in foreign formats. */
#ifndef SCENARIOS_IMPORT_H
#define SCENARIOS_IMPORT_H

#include "scenarios/trajectories/trajectory.h"

typedef enum scn_format {
    SCN_TUM,   /* t x y z qx qy qz qw, blank separated, seconds */
    SCN_KITTI, /* 3x4 matrix, row major, no time: frames at 10 Hz */
    SCN_EUROC, /* t x y z qw qx qy qz and more, comma separated; t in whole nanoseconds, which
                  become seconds since the first frame */
    SCN_PQP,   /* frame count, then 3 rotation rows and a translation row a frame; 10 Hz */
} scn_format;

/**
 * Reads a foreign recording as it is: no resampling. Liberal: trailing blanks, tabs, blank lines,
 * CRLF, '#' lines.
 *
 * Errors   as scn_trajectory_read, also for a wrong number of fields and for a rotation matrix that
 *          is not one within 1e-3.
 */
base_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                  base_error *err) BASE_MUST_CHECK;

#endif
