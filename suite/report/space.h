/**
 * The 3D part of a report: the bodies of a scenario, their poses, the nearest points of the truth,
 * and the parts that a variant has built of the bodies. All positions are in the frame of the pair,
 * with the centre of A's box as the origin; those of parts are in the frame of their body.
 *
 * Bodies with many triangles are reduced, and positions have 16 bits per axis with one step for all
 * axes. This is exact enough for pictures only.
 */
#ifndef SUITE_REPORT_SPACE_H
#define SUITE_REPORT_SPACE_H

#include "suite/inputs/pair.h"
#include "suite/replay/replay.h"
#include "suite/report/json.h"

enum { BENCH_SPACE_TRIANGLES = 30000 }; /* of a body that is shown */

/** A zeroed struct has no scenario. Must not be copied or moved once a scenario is open. */
typedef struct bench_space {
    bench_past past; /* of the scenario */
    bench_pair pair; /* kept while scenarios have the same bodies */
    geo_pose *poses; /* of the scenario */
    bool has_pair;
    char a[BENCH_RUN_PATH_BYTES], b[BENCH_RUN_PATH_BYTES]; /* references of the pair's bodies */
} bench_space;

/**
 * Opens the bodies and poses of a scenario, which replace those of an earlier one, and checks that
 * they are those of the run.
 * Errors: those of bench_past_open, bench_pair_open, bench_past_check. The caller must call
 * bench_space_close either way.
 */
base_status bench_space_open(bench_space *space, const bench_record *record,
                             const bench_cell_row *first, base_error *err) BASE_MUST_CHECK;
void bench_space_close(bench_space *space);

/**
 * Puts the members of an object: "centre" of A in its file, "size" (the diagonal of A's box), "a",
 * "b", "poses" (3 x 3 rotation by rows and translation of each frame), and, if a distance is asked,
 * "witness" (the nearest points of both bodies in each frame, by exact distance).
 */
base_status bench_space_put(bench_space *space, bool distance, bench_arrays *arrays,
                            bench_json *json, base_error *err) BASE_MUST_CHECK;

/**
 * Puts "parts", which the variant has built of both bodies, and "contacts", which it answers again
 * in this process. Nothing is put for plug-ins, for a cell whose status is not ok, for a variant
 * that is wrong on purpose, and if building both bodies or answering all frames took more than 20 s
 * in the run.
 *
 * cache   folder of built bodies, or NULL
 * Errors  BASE_ERR_MEMORY.
 */
base_status bench_space_put_variant(bench_space *space, const bench_cell_row *cell,
                                    bool has_contacts, const char *cache, bench_arrays *arrays,
                                    bench_json *json, base_error *err) BASE_MUST_CHECK;

/**
 * Reduces a mesh by merging its vertices in the cells of a grid, the finest one of a sequence of
 * grids with which at most triangles_most triangles remain, or the coarsest one. The result is for
 * pictures: it need not be closed. A mesh that is small enough is copied.
 * Errors: BASE_ERR_MEMORY. *reduced is owned: geo_mesh_release.
 */
base_status bench_mesh_reduce(const geo_mesh *mesh, size_t triangles_most, geo_mesh *reduced,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Puts a body as an object: "positions", "faces", "step", "corner", "triangles", "shown".
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_space_put_body(const char *key, const char *reference, const geo_mesh *mesh,
                                 bench_arrays *arrays, bench_json *json,
                                 base_error *err) BASE_MUST_CHECK;

#endif
