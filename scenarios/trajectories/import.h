/** Recordings in foreign formats. */
#ifndef SCENARIOS_IMPORT_H
#define SCENARIOS_IMPORT_H

#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>

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

/** Do the first lines of the file look like one of the forms? false, too, when it cannot be read.
 */
bool scn_format_guess(const char *path, scn_format *format);

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
