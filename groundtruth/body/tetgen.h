/**
 * TetGen as a child process.
 *
 * Every failure of TetGen is an abort, a wrong answer may come with exit status 0, and some inputs
 * never end: so it runs beside us with a time limit, and only its result is believed, after
 * gt_tetrahedra_check. README.md says which switches were compared and why these.
 */
#ifndef GROUNDTRUTH_TETGEN_H
#define GROUNDTRUTH_TETGEN_H

#include "groundtruth/body/tetrahedra.h"

#include <stdio.h>
#include <sys/types.h>

/**
 * p: a surface mesh; Y: no point on it; F: no face files; T: tolerance of coplanarity. q: compact
 * tetrahedra, by points added inside: three times fewer pairs overlap then. Without q the first
 * way's failures and endless runs are tried again.
 */
#define GT_TETGEN_COMPACT   "-pq3YF"
#define GT_TETGEN_PLAIN     "-pYF"
#define GT_TETGEN_TOLERANCE "-T1e-14"
/** All of it, for the keys of the cache. */
#define GT_TETGEN_SWITCHES GT_TETGEN_COMPACT " " GT_TETGEN_PLAIN " " GT_TETGEN_TOLERANCE

/**
 * TetGen stumbles over some thin bodies, in another place for every position of them: so it is
 * asked again with the axes exchanged and turned round, which changes no digit. Turn 0 is none.
 */
enum { GT_TETGEN_TURNS = 6 };
vec3 gt_tetgen_turn(vec3 p, int turn);
vec3 gt_tetgen_turn_back(vec3 p, int turn);

/**
 * Cuts a solid into tetrahedra that have all of its faces as they are, oriented and checked.
 *
 * The files go to a directory of their own under $TMPDIR (or /tmp), which is removed.
 * seconds: time limit of one run; there is a run after one that was too long only without q.
 * interrupted: asked from the calling thread while TetGen runs, whether to end it; NULL: never.
 * Errors   BASE_ERR_SYSTEM: "interrupted"; or tetgen is not installed, no scratch directory, time
 * limit, and of the first run TetGen's own sentence or else its signal or exit status, or that its
 * result does not fill the body; BASE_ERR_MEMORY. Memory gt_tetrahedra_release. Cost 0.3 s for
 * 60,000 triangles.
 */
base_status gt_tetgen_run(const geo_mesh *mesh, unsigned seconds, bool (*interrupted)(void),
                          gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/**
 * For a signal handler, before it ends the process: kills what gt_tetgen_run has started, in any
 * thread, and removes its files. Calls only what a handler may call.
 */
void gt_tetgen_abandon(void);

/**
 * Removes what a process has left that was killed while it asked TetGen: for whoever has reaped it,
 * while nobody else can have its number yet or in the moment after.
 */
void gt_tetgen_sweep(pid_t process);

/* --- The parts, for tests --------------------------------------------------------------------- */

/**
 * A point inside of each cavity (a component whose faces look inwards): halfway between a face of
 * it and the next face in front.
 *
 * Shapes   *points: *count entries, owned.
 */
base_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count,
                               base_error *err) BASE_MUST_CHECK;

/** Writes TetGen's own sentence about its failure from the text that it printed; "" without one. */
void gt_tetgen_sentence(const char *log, char *text, size_t size);

#endif
