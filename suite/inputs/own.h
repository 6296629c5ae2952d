/** The experiment that `proxbench run --a ... --b ...` means: a pair of one's own. */
#ifndef SUITE_OWN_H
#define SUITE_OWN_H

#include "scenarios/experiment.h"
#include "suite/inputs/pair.h"

/** The name of the experiment. */
#define BENCH_OWN_PAIR_NAME "own"
/** Which frames are good enough where the user does not say it: as in the experiment `bench`. */
#define BENCH_OWN_PAIR_TOLERANCE                                                                   \
    "distance_error_rel=0.01 volume_error_rel=0.01 force_direction_deg=10 depth_outside_rel=0.1 "  \
    "depth_left_rel=0.01"

/** The options that describe it. */
typedef struct bench_own {
    bench_bodies bodies;
    const char *trajectory; /* path of a file of poses */
    const char *quantities; /* "distance,volume+force": with ',' a scenario each, with '+' one */
    const char *algorithms; /* names and globs; NULL: all algorithms that answer */
    const char *tolerance;  /* "NAME=NUMBER ...", in place of BENCH_OWN_PAIR_TOLERANCE for the
                               quantities that it names; NULL: that alone */
    const char *mode;       /* NULL: "bench" */
} bench_own;

/**
 * Makes the experiment: one scenario "pair", or for several quantities "pair/distance",
 * "pair/volume-force" and so on. Each is to be run with the variants that answer its quantity. With
 * a note on stderr it leaves variants of globs out that are too slow for pairs of this size; the
 * bodies are read only if there are such variants.
 *
 * Errors   those of bench_variants_expand, bench_bodies_scale and scn_mesh_open;
 *          BASE_ERR_ARGUMENT for an unknown quantity, one that is asked twice, one that no
 *          variant answers, and a tolerance of another form. *experiment must be zeroed, and is to
 *          be released either way.
 */
base_status bench_own_experiment(const bench_own *own, scn_experiment *experiment,
                                 base_error *err) BASE_MUST_CHECK;

#endif
