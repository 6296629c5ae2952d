/** A frame as a picture: both bodies in place, and what an algorithm says of them. */
#ifndef SUITE_SCENE_H
#define SUITE_SCENE_H

#include "suite/replay/solo.h"

/** What is drawn of a frame. */
typedef struct bench_scene {
    const bench_pair *pair;
    const scn_frame *frame;
    const bench_solo *solo;
    const alg_answer *answer;
    const alg_contact *contacts;
    size_t contact_count;
    uint64_t spheres_most; /* of a body; the largest ones */
} bench_scene;

/** Spheres of each body: how many there are, and how many were drawn. */
typedef struct bench_scene_counts {
    size_t spheres[2], drawn[2];
} bench_scene_counts;

/**
 * Both bodies in place as an OBJ, in A's frame as it is in its file: groups A and B; witness and
 * truth_witness (a line between the nearest points), contacts (a line along each normal, 2 % of
 * A's diagonal long), spheres_a and spheres_b, each where there is something in it.
 *
 * Errors   BASE_ERR_MEMORY, BASE_ERR_SYSTEM, those of scn_mesh_open.
 */
base_status bench_scene_write(const bench_scene *scene, const char *path,
                              bench_scene_counts *counts, base_error *err) BASE_MUST_CHECK;

#endif
