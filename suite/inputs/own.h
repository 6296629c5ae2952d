/** The experiment of `proxbench run --a ... --b ...`: a pair of the user's own bodies. */
#ifndef SUITE_OWN_H
#define SUITE_OWN_H

#include "scenarios/experiment.h"
#include "suite/inputs/pair.h"

/** The name of the experiment. */
#define BENCH_OWN_PAIR_NAME "own"
/** Default tolerances of a good frame, as in the experiment `bench`. */
#define BENCH_OWN_PAIR_TOLERANCE                                                                   \
    "distance_error_rel=0.01 volume_error_rel=0.01 force_direction_deg=10 depth_outside_rel=0.1 "  \
    "depth_left_rel=0.01"

/** The options of the experiment. */
typedef struct bench_own {
    bench_bodies bodies;
    const char *trajectory; /* path of a file of poses */
    const char *quantities; /* "distance,volume+force": ',' separates scenarios, '+' does not */
    const char *algorithms; /* names and globs; NULL: all algorithms that answer */
    const char *tolerance;  /* "NAME=NUMBER ...", replaces BENCH_OWN_PAIR_TOLERANCE for the
                               quantities that it names; NULL: no change */
    const char *mode;       /* NULL: "bench" */
} bench_own;

/**
 * Makes the experiment: one scenario "pair", or for several quantities "pair/distance",
 * "pair/volume-force" and so on. Each scenario is run with the variants that answer its quantity.
 * Variants of globs that are too slow for pairs of this size are left out, with a note on stderr.
 * The bodies are read only if there are such variants.
 *
 * Errors   those of bench_variants_expand, bench_bodies_scale and scn_mesh_open;
 *          BASE_ERR_ARGUMENT for an unknown quantity, one that is asked twice, one that no
 *          variant answers, and a malformed tolerance. *experiment must be zeroed. The caller must
 *          release it either way.
 */
base_status bench_own_experiment(const bench_own *own, scn_experiment *experiment,
                                 base_error *err) BASE_MUST_CHECK;

#endif
