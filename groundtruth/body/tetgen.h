/**
 * TetGen as a child process.
 *
 * TetGen aborts if it fails, may return a wrong result with exit status 0, and never ends on some
 * inputs. So it runs as a child process with a time limit, and its result is used only if
 * gt_tetrahedra_check accepts it. groundtruth/README.md lists the switches that were compared and
 * the reasons for the choice.
 */
#ifndef GROUNDTRUTH_TETGEN_H
#define GROUNDTRUTH_TETGEN_H

#include "groundtruth/body/tetrahedra.h"

#include <stdio.h>
#include <sys/types.h>

/**
 * Switches. p: the input is a surface mesh. Y: add no points on it. F: write no face files. T:
 * tolerance of coplanarity. q: add points inside, so that tetrahedra are compact and three times
 * fewer pairs overlap. If the run with q fails or exceeds the time limit, runs without q follow.
 */
#define GT_TETGEN_COMPACT   "-pq3YF"
#define GT_TETGEN_PLAIN     "-pYF"
#define GT_TETGEN_TOLERANCE "-T1e-14"
/** All switches, for the keys of the cache. */
#define GT_TETGEN_SWITCHES GT_TETGEN_COMPACT " " GT_TETGEN_PLAIN " " GT_TETGEN_TOLERANCE

/**
 * TetGen fails on some thin bodies, depending on their orientation. So the runs without q exchange
 * and reverse the axes in turn, which changes no digit. Turn 0 is the identity.
 */
enum { GT_TETGEN_TURNS = 6 };
vec3 gt_tetgen_turn(vec3 p, int turn);
vec3 gt_tetgen_turn_back(vec3 p, int turn);

/**
 * Cuts a solid into tetrahedra that keep all of its faces unchanged. The tetrahedra are oriented
 * and checked.
 *
 * The files are in a directory of their own in $TMPDIR (or /tmp), which is removed in the end.
 * seconds: time limit of one run. After the run with q exceeds it, runs without q follow; after a
 * run without q exceeds it, none follows.
 * interrupted: called from the calling thread while TetGen runs; if it returns true, the run is
 * stopped. NULL: never.
 * Errors   BASE_ERR_SYSTEM: "interrupted", tetgen is not installed, there is no scratch directory,
 *          or all runs failed. The message is then that of the first run: the time limit, TetGen's
 *          own sentence, else its signal or exit status, or that its result does not fill the body.
 *          BASE_ERR_MEMORY.
 * Memory   gt_tetrahedra_release.
 * Cost     0.3 s for 60,000 triangles.
 */
base_status gt_tetgen_run(const geo_mesh *mesh, unsigned seconds, bool (*interrupted)(void),
                          gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/**
 * For a signal handler that is about to end the process. Kills all children that gt_tetgen_run has
 * started in any thread, and removes their files. Calls only functions that are safe in a signal
 * handler.
 */
void gt_tetgen_abandon(void);

/**
 * Removes the files that a killed process left behind during a run of TetGen. The caller must have
 * reaped the process. If another process already has the same id, it must have got it only a moment
 * ago.
 */
void gt_tetgen_sweep(pid_t process);

/* --- The parts, for tests --------------------------------------------------------------------- */

/**
 * Finds a point inside each cavity (a component whose faces look inwards). The point is halfway
 * between the largest face of the cavity and the next face in front of it.
 *
 * Shapes   *points: *count entries, owned.
 */
base_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count,
                               base_error *err) BASE_MUST_CHECK;

/** Copies TetGen's own sentence about its failure from the text that it printed. The result is ""
 * if there is none. */
void gt_tetgen_sentence(const char *log, char *text, size_t size);

#endif
