/**
 * TetGen as a child process.
 *
 * Every failure of TetGen is an abort, a wrong answer may come with exit status 0, and some inputs
 * never end. TetGen therefore runs as a child process with a time limit, and its result is used
 * only after gt_tetrahedra_check. README.md lists the switches that were compared and the reasons
 * for these.
 */
#ifndef GROUNDTRUTH_TETGEN_H
#define GROUNDTRUTH_TETGEN_H

#include "groundtruth/body/tetrahedra.h"

#include <stdio.h>
#include <sys/types.h>

/**
 * Switches. p: the input is a surface mesh; Y: add no points on it; F: write no face files; T:
 * tolerance of coplanarity; q: compact tetrahedra, by points added inside, so that three times
 * fewer pairs overlap. The runs without q repeat the failures and endless runs of those with q.
 */
#define GT_TETGEN_COMPACT   "-pq3YF"
#define GT_TETGEN_PLAIN     "-pYF"
#define GT_TETGEN_TOLERANCE "-T1e-14"
/** All switches, for the keys of the cache. */
#define GT_TETGEN_SWITCHES GT_TETGEN_COMPACT " " GT_TETGEN_PLAIN " " GT_TETGEN_TOLERANCE

/**
 * TetGen fails on some thin bodies, depending on their orientation. It is therefore run again with
 * the axes exchanged and reversed, which changes no digit. Turn 0 is the identity.
 */
enum { GT_TETGEN_TURNS = 6 };
vec3 gt_tetgen_turn(vec3 p, int turn);
vec3 gt_tetgen_turn_back(vec3 p, int turn);

/**
 * Cuts a solid into tetrahedra that keep all of its faces unchanged; they are oriented and checked.
 *
 * The files are in a directory of their own under $TMPDIR (or /tmp), which is removed.
 * seconds: time limit of one run; a run that exceeds it is repeated only without q.
 * interrupted: called from the calling thread while TetGen runs; true ends the run; NULL: never.
 * Errors   BASE_ERR_SYSTEM: "interrupted"; or tetgen is not installed, there is no scratch
 *          directory, the time limit was exceeded, or for the first run TetGen's own sentence, else
 *          its signal or exit status, or the message that its result does not fill the body;
 *          BASE_ERR_MEMORY.
 * Memory   gt_tetrahedra_release.
 * Cost     0.3 s for 60,000 triangles.
 */
base_status gt_tetgen_run(const geo_mesh *mesh, unsigned seconds, bool (*interrupted)(void),
                          gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/**
 * For a signal handler that is about to end the process: kills all children that gt_tetgen_run has
 * started, in any thread, and removes their files. Calls only functions that are safe in a handler.
 */
void gt_tetgen_abandon(void);

/**
 * Removes the files that a killed process left during a run of TetGen. The caller must have reaped
 * the process; no other process may have the same id yet, or only since a moment ago.
 */
void gt_tetgen_sweep(pid_t process);

/* --- The parts, for tests --------------------------------------------------------------------- */

/**
 * Finds a point inside each cavity (a component whose faces look inwards): halfway between one of
 * its faces and the next face in front.
 *
 * Shapes   *points: *count entries, owned.
 */
base_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count,
                               base_error *err) BASE_MUST_CHECK;

/** Writes TetGen's own sentence about its failure from the text that it printed; "" without one. */
void gt_tetgen_sentence(const char *log, char *text, size_t size);

#endif
