/** One variant drives the moving body of a scene, step by step. */
#ifndef SUITE_DRIVE_H
#define SUITE_DRIVE_H

#include "suite/simulate/overlap.h"
#include "suite/simulate/responder.h"
#include "suite/simulate/rows.h"

/** A scene: a pair of bodies, the motion of the device, and the coupling between hand and body. */
typedef struct bench_simulated {
    const char *name, *a, *b;       /* mesh references; borrowed */
    const scn_trajectory *device;   /* borrowed */
    scn_simulation_options options; /* coupling.stiffness_n_m is NaN: computed from B's mass */
    double stiffness_n_m2; /* of penalties: force = stiffness times the variant's force in m2; NaN:
                              computed from the coupling's stiffness and the size of B's box */
    uint64_t steps;        /* of the device, or fewer */
} bench_simulated;

/** Parameters of a drive; all borrowed. */
typedef struct bench_drive {
    const bench_simulated *scene;
    const bench_pair *pair;
    bench_overlap *overlap; /* NULL: a body is not a solid, and overlap is not judged */
    const alg_variant *variant;
    bench_response response;
    uint64_t judge_every; /* the depth of points is computed at every such step */
    double timeout_s;     /* limit of the build and of each query */
    const char *folder, *cache_directory;
    void (*progress)(void *context, uint64_t steps); /* steps so far; called after each batch */
    void *progress_context;
} bench_drive;

/** Result of a drive. */
typedef struct bench_driven {
    const char *status; /* a name of bench_status_name */
    char detail[1024];  /* "" for ok */
    double gain;        /* NaN: driven by impulses, the force is in N, or no gain can be found */
    bench_steps steps;  /* all steps that exist; owned, bench_steps_close */
} bench_driven;

/**
 * Computes the missing steps: all of them, unless the folder has some already. Every 100 steps, the
 * judged steps are written to disk and stay there whatever happens later. An interrupt ends the
 * drive after a step.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY, BASE_ERR_INPUT of files and of bodies that cannot be
 *          judged. If the variant declines, fails, answers wrongly, crashes or exceeds the timeout,
 *          driven->status says so and no error is returned.
 */
base_status bench_drive_run(const bench_drive *drive, bench_driven *driven,
                            base_error *err) BASE_MUST_CHECK;

/* --- Gain ------------------------------------------------------------------------------------- */

/** Returns false for forces in N, which need no gain. */
bool bench_gain_needed(const alg_variant *variant);

/**
 * Finds the gain of a responder that is driven by a force that needs a gain: the scale g of the
 * variant's force F, so that penalties are compared at equal stiffness.
 *
 *   newtons = stiffness g F,   g = sum |G| |F| / sum |F|^2
 *
 * G is minus the gradient of the exact volume. The sums are over at most 256 poses of B, evenly
 * spread over the device's path, as if B were attached rigidly to the device. Poses at which F or G
 * is 0 are left out. The gain of a run has the same formula (suite/results/force.h). The gain is 1,
 * without any query, if the contract of the force is exact. It is NaN if no gain can be found: a
 * body is not a solid, or F and G are never both nonzero at a pose.
 *
 * overlap  NULL if a body is not a solid
 * step_s   time between poses; the path has scn_simulation_steps of them
 * Errors   those of the responder and of bench_overlap_gradient. The responder is reset.
 */
base_status bench_gain_find(bench_responder *responder, bench_overlap *overlap,
                            const scn_trajectory *device, double step_s, double *gain,
                            base_error *err) BASE_MUST_CHECK;

#endif
