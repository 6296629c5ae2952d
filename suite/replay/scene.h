/** Writes a frame as a picture: both bodies at their poses, and the answer of an algorithm. */
#ifndef SUITE_SCENE_H
#define SUITE_SCENE_H

#include "suite/replay/solo.h"

/** The content of a picture. */
typedef struct bench_scene {
    const bench_pair *pair;
    const scn_frame *frame;
    const bench_solo *solo;
    const alg_answer *answer;
    const alg_contact *contacts;
    size_t contact_count;
    uint64_t spheres_most; /* limit per body; the largest spheres are drawn */
} bench_scene;

/** Number of spheres of each body, and number of spheres that were drawn. */
typedef struct bench_scene_counts {
    size_t spheres[2], drawn[2];
} bench_scene_counts;

/**
 * Writes both bodies at their poses as an OBJ, in the frame of A's file. Groups: A and B; witness
 * and truth_witness (a line between the nearest points), contacts (a line along each normal, 2 % of
 * A's diagonal long), spheres_a and spheres_b. Empty groups are left out.
 *
 * Errors   BASE_ERR_MEMORY, BASE_ERR_SYSTEM, those of scn_mesh_open.
 */
base_status bench_scene_write(const bench_scene *scene, const char *path,
                              bench_scene_counts *counts, base_error *err) BASE_MUST_CHECK;

#endif
