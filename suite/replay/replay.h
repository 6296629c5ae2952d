/** The records of a cell, read back from the folder of a run; and a frame as a picture. */
#ifndef SUITE_REPLAY_REPLAY_H
#define SUITE_REPLAY_REPLAY_H

#include "suite/inputs/pair.h"
#include "suite/replay/solo.h"
#include "suite/results/record.h"

/** A cell of a run, from the files in the run's folder alone. */
typedef struct bench_past {
    bench_record record;
    const bench_cell_row *cell; /* part of the record */
    const char *a, *b;          /* references of the bodies */
    unsigned quantities;
    uint64_t seed;
    scn_trajectory trajectory;
    base_csv frames; /* without columns if the cell has recorded no frame */
} bench_past;

/**
 * Opens a cell. scenario and variant may be NULL in a run that has only one. "ist@twin" is the
 * second copy of a contestant.
 *
 * Errors   BASE_ERR_INPUT for a folder that is not a run, or for a file that contradicts the
 *          others; BASE_ERR_ARGUMENT for a scenario or variant that the run does not have (similar
 *          names are listed), or that is needed; BASE_ERR_MEMORY. Then *past needs no close.
 */
base_status bench_past_open(const char *run, const char *scenario, const char *variant,
                            bench_past *past, base_error *err) BASE_MUST_CHECK;
void bench_past_close(bench_past *past);

/**
 * Sets *frame to the number of a frame: "17", or the frame with the largest value of
 *   worst-time   time_min_ns
 *   worst-error  the error of the distance, relative to the size, or of the volume, relative to the
 *                truth; without both, a wrong verdict
 *   deepest      volume_m3; without a volume depth_m
 * If several frames have this value, the first one counts.
 *
 * Errors   BASE_ERR_ARGUMENT.
 */
base_status bench_past_frame(const bench_past *past, const char *text, size_t *frame,
                             base_error *err) BASE_MUST_CHECK;

/** Returns a recorded value of a frame; "" if it is empty, NULL if there is no such column. */
const char *bench_past_text(const bench_past *past, size_t frame, const char *column);

/**
 * Checks that the bodies and the poses are those of the run. poses: one for each frame.
 * Errors: BASE_ERR_INPUT, which names the body or says that the poses differ.
 */
base_status bench_past_check(const bench_past *past, const bench_pair *pair, const geo_pose *poses,
                             base_error *err) BASE_MUST_CHECK;

/* --- A frame again ---------------------------------------------------------------------------- */

/** The frame of a run that is queried again. */
typedef struct bench_replay_request {
    const char *run, *scenario, *variant; /* as those of bench_past_open */
    const char *frame;                    /* as that of bench_past_frame */
    uint32_t contacts_max, regions_max;   /* room for the lists of bench_replay_scene */
    const char *cache;                    /* folder of built bodies; NULL: none */
} bench_replay_request;

/** A frame that was queried again. Must not be copied or moved: its parts point at each other. */
typedef struct bench_replay {
    bench_past past;
    alg_variant variant;
    bench_pair pair;
    geo_pose *poses; /* of all frames */
    size_t frame;
    size_t asked_before; /* number of earlier frames that were asked first */
    bench_solo solo;
    alg_answer answer;
    alg_answer listed; /* the same answer, with lists; zeroed before bench_replay_scene */
} bench_replay;

/**
 * Opens the run, checks its bodies and poses, prepares the variant and queries the frame. For a
 * variant that keeps state, the frames before it are queried first. Warns if the variant is another
 * plug-in than that of the run, or was old code.
 *
 * Errors   those of bench_past_open, bench_past_frame, bench_pair_open, bench_past_check and
 *          bench_solo_open; BASE_ERR_ARGUMENT for a variant that this program does not have. Call
 *          bench_replay_close also after an error.
 */
base_status bench_replay_open(const bench_replay_request *wanted, bench_replay *replay,
                              base_error *err) BASE_MUST_CHECK;
void bench_replay_close(bench_replay *replay);

/* --- Picture of a frame ----------------------------------------------------------------------- */

/** The content of a picture. */
typedef struct bench_scene {
    const bench_pair *pair;
    const scn_frame *frame;
    const bench_solo *solo;
    const alg_answer *answer;
    const alg_contact *contacts;
    size_t contact_count;
    const alg_region *regions;
    size_t region_count;
    uint64_t spheres_most; /* limit per body in an OBJ; the largest spheres are drawn */
} bench_scene;

/** Queries the frame once more, with room for lists. The scene borrows from the replay. */
bench_scene bench_replay_scene(bench_replay *replay);

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
