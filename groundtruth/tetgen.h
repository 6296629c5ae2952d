/**
 * TetGen as a child process.
 *
 * Every failure of TetGen is an abort, a wrong answer may come with exit status 0, and some inputs
 * never end: so it runs beside us with a time limit, and only its result is believed, after
 * gt_tetrahedra_check. README.md says which switches were compared and why these.
 */
#ifndef GROUNDTRUTH_TETGEN_H
#define GROUNDTRUTH_TETGEN_H

#include "groundtruth/tetrahedra.h"

#include <stdio.h>

/** p: a surface mesh; Y: no point on it; F: no face files; T: tolerance of coplanarity. */
#define GT_TETGEN_SWITCHES "-pYF", "-T1e-14"

/**
 * Cuts a solid into tetrahedra that have all of its faces as they are, oriented and checked.
 *
 * The files go to a directory of their own under $TMPDIR (or /tmp), which is removed.
 * Errors   GEO_ERR_SYSTEM: tetgen is not installed, no scratch directory, time limit, TetGen's own
 *          sentence or else its signal or exit status, a result that does not fill the body;
 *          GEO_ERR_MEMORY.
 * Memory   gt_tetrahedra_release.
 * Cost     a second for 60,000 triangles.
 */
geo_status gt_tetgen_run(const geo_mesh *mesh, unsigned seconds, gt_tetrahedra *tetrahedra,
                         geo_error *err) GEO_MUST_CHECK;

/* --- The parts, for tests -------------------------------------------------------------------- */

/**
 * A point inside of each cavity (a component whose faces look inwards): halfway between a face of
 * it and the next face in front.
 *
 * Shapes   *points: *count entries, owned.
 */
geo_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count,
                              geo_error *err) GEO_MUST_CHECK;

/**
 * The mesh as .smesh with 17 digits. number[v] is the place of vertex v in the file, UINT32_MAX
 * for one that no face uses, which is left out.
 */
geo_status gt_tetgen_write(const geo_mesh *mesh, const vec3 *holes, size_t hole_count, FILE *file,
                           uint32_t *number, geo_error *err) GEO_MUST_CHECK;

/**
 * Reads .node and .ele; undoes `number`. Vertices that the file moved are an error.
 * Errors   GEO_ERR_SYSTEM.
 */
geo_status gt_tetgen_read(const char *node_path, const char *ele_path, const geo_mesh *mesh,
                          const uint32_t *number, gt_tetrahedra *tetrahedra,
                          geo_error *err) GEO_MUST_CHECK;

/** TetGen's own sentence in what it printed, or "" when there is none. */
void gt_tetgen_sentence(const char *log, char *text, size_t size);

#endif
