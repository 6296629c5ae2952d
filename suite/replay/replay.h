/**
 * One question to one variant, in this process: what `query` and `replay` share.
 *
 * solo.c asks, past.c reads what a run has recorded, scene.c and obj.c draw the two bodies where a
 * frame has them.
 */
#ifndef SUITE_REPLAY_H
#define SUITE_REPLAY_H

#include "suite/inputs/pair.h"
#include "suite/results/record.h"

/* --- Asking (solo.c) -------------------------------------------------------------------------- */

/** A variant that is bound to a pair: no worker, no limit, nobody beside it. */
typedef struct bench_solo {
    const alg_variant *variant; /* borrowed */
    void *prepared[2];          /* by role */
    void *state;
} bench_solo;

/**
 * Prepares both bodies, or loads them from cache_directory (NULL: never), binds them and resets the
 * state, as the start of a pass has it.
 *
 * Errors   BASE_ERR_INPUT for a body that the variant cannot take, BASE_ERR_ARGUMENT for quantities
 *          that it does not answer, BASE_ERR_MEMORY, BASE_ERR_SYSTEM. *solo needs no close then.
 */
base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair, unsigned quantities,
                            const char *cache_directory, bench_solo *solo,
                            base_error *err) BASE_MUST_CHECK;
void bench_solo_close(bench_solo *solo);

/** As a run asks: without a buffer for contacts. */
void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer);

/** Places where the bodies touch. */
typedef struct bench_contacts {
    alg_contact *items; /* owned */
    uint32_t count;     /* of items */
    uint32_t found;     /* may be more */
    bool answered;      /* false: the variant hands out none */
} bench_contacts;

/** Asks with room for `most` contacts. Errors: BASE_ERR_ARGUMENT beyond 2^31, BASE_ERR_MEMORY. */
base_status bench_solo_contacts(const bench_solo *solo, const geo_pose *pose, uint64_t most,
                                bench_contacts *contacts, base_error *err) BASE_MUST_CHECK;
void bench_contacts_release(bench_contacts *contacts);

const char *bench_outcome_name(alg_outcome outcome);

/* --- What a run has recorded (past.c) --------------------------------------------------------- */

/** A cell of a run, from the files in the run's folder alone. */
typedef struct bench_past {
    bench_record record;
    const bench_cell_row *cell; /* of the record */
    const char *a, *b;          /* references of the bodies */
    unsigned quantities;
    uint64_t seed;
    scn_trajectory trajectory;
    base_csv frames; /* without columns where the cell has recorded no frame */
} bench_past;

/**
 * Opens a cell. scenario and variant may be NULL in a run that has only one; "ist@twin" is the
 * second copy of a contestant.
 *
 * Errors   BASE_ERR_INPUT for a folder that is no run or a file that contradicts the others;
 *          BASE_ERR_ARGUMENT for a scenario or variant that the run does not have (near names are
 *          listed). *past needs no close then.
 */
base_status bench_past_open(const char *run, const char *scenario, const char *variant,
                            bench_past *past, base_error *err) BASE_MUST_CHECK;
void bench_past_close(bench_past *past);

/**
 * The number of a frame: "17", "worst-time" (the largest time_min_ns) or "worst-error" (the largest
 * error of the distance, relative to the size, or of the volume, relative to the truth; where there
 * are neither, a wrong verdict). Of equal ones the first.
 *
 * Errors   BASE_ERR_ARGUMENT.
 */
base_status bench_past_frame(const bench_past *past, const char *text, size_t *frame,
                             base_error *err) BASE_MUST_CHECK;

/** A recorded cell of a frame; "" when it is empty, NULL when there is no such column. */
const char *bench_past_text(const bench_past *past, size_t frame, const char *column);

/**
 * Are these the bodies and the poses of the run? poses: one for each frame.
 * Errors: BASE_ERR_INPUT, which names the body or says that the poses differ.
 */
base_status bench_past_check(const bench_past *past, const bench_pair *pair, const geo_pose *poses,
                             base_error *err) BASE_MUST_CHECK;

/* --- Drawing (scene.c, obj.c) ----------------------------------------------------------------- */

/** A Wavefront OBJ while it is written: every element follows its own vertices. */
typedef struct bench_obj {
    FILE *file;
    size_t vertex_count; /* so far */
} bench_obj;

void bench_obj_group(bench_obj *obj, const char *name);
/** pose: NULL for none. */
void bench_obj_mesh(bench_obj *obj, const geo_mesh *mesh, const geo_pose *pose);
void bench_obj_line(bench_obj *obj, vec3 from, vec3 to);
/** An icosahedron with its corners on the ball. */
void bench_obj_ball(bench_obj *obj, const geo_ball *ball);

/** What is drawn of a frame. */
typedef struct bench_scene {
    const bench_pair *pair;
    const scn_frame *frame;
    const bench_solo *solo;
    const alg_answer *answer;
    const bench_contacts *contacts;
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
