/** One variant drives the moving body of a scene, step by step. */
#ifndef SUITE_DRIVE_H
#define SUITE_DRIVE_H

#include "suite/simulate/overlap.h"
#include "suite/simulate/responder.h"
#include "suite/simulate/steps.h"

/** What a scene is: a pair, what the device does, how the hand holds the body. */
typedef struct bench_simulated {
    const char *name, *a, *b;     /* mesh references; borrowed */
    const scn_trajectory *device; /* borrowed */
    scn_simulation_options
        options;           /* the coupling's stiffness NaN: by the body's mass, as is the next */
    double stiffness_n_m2; /* of penalties: force = stiffness times what it holds of m2 */
    uint64_t steps;        /* of the device, or fewer */
} bench_simulated;

/** What is driven, and by whom; all borrowed. */
typedef struct bench_drive {
    const bench_simulated *scene;
    const bench_pair *pair;
    bench_overlap *overlap; /* NULL: a body is no solid, nothing is judged */
    const alg_variant *variant;
    bench_response response;
    uint64_t judge_every; /* steps whose depth of points is asked */
    double timeout_s;     /* of the build and of each query */
    const char *folder, *cache_directory;
    void (*progress)(void *context, uint64_t steps); /* of this drive, so far; after each batch */
    void *progress_context;
} bench_drive;

/** How it ended. */
typedef struct bench_driven {
    const char *status; /* as bench_status_name has it */
    char detail[1024];  /* "" for ok */
    double gain;        /* NaN: driven by impulses, a force in N, or it cannot be found */
    bench_steps steps;  /* all that are there; owned, bench_steps_close */
} bench_driven;

/**
 * Makes the steps that are still missing: all, unless the folder has some. They are on disk every
 * 100 steps, judged, and stay there whatever happens. An interrupt ends it behind a step.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY, BASE_ERR_INPUT of files and of bodies that cannot be
 *          judged. A variant that declines, fails, answers wrongly, crashes or waits too long is a
 *          status.
 */
base_status bench_drive_run(const bench_drive *drive, bench_driven *driven,
                            base_error *err) BASE_MUST_CHECK;

#endif
