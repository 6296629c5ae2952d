/** Experiments by name or path, and the choice of their variants and scenarios. */
#ifndef SUITE_INPUTS_EXPERIMENT_H
#define SUITE_INPUTS_EXPERIMENT_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/memory.h"
#include "scenarios/experiment.h"
#include "suite/inputs/pair.h"
#include "suite/options.h"

/**
 * Lists the names of all experiments that bench_share_names finds, in the arena. Errors: those of
 * bench_share_names.
 */
base_status bench_experiment_names(base_arena *arena, const char ***names,
                                   base_error *err) BASE_MUST_CHECK;

/** True if there is an experiment of this name. */
bool bench_experiment_exists(const char *name);

/**
 * Writes a suggestion such as "; did you mean 'ist-f6' or 'vps-f6'?". It lists the names that end
 * with the word once both are normalised, so "figure 6" finds that of each paper; otherwise the
 * names with a similar spelling. If there is none, it names the command that lists experiments.
 * names: NULL-terminated; a name may be there twice.
 */
void bench_experiment_suggest(const char *word, const char *const *names, char *text, size_t size);

/**
 * Opens an experiment by name, or by path (any text with a '/' or a '.'). Parses the quantities of
 * its scenarios.
 * Errors: BASE_ERR_ARGUMENT for an unknown name (similar names are listed); BASE_ERR_INPUT with the
 * line for an unknown quantity; those of scn_experiment_read and bench_share_names.
 */
base_status bench_experiment_open(const char *reference, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * Opens "EXPERIMENT/SCENARIO" or "PATH.cfg/SCENARIO". *experiment holds *scenario; the caller must
 * release the experiment.
 * Errors: those of bench_experiment_open; BASE_ERR_ARGUMENT for an unknown scenario.
 */
base_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                                const scn_scenario **scenario, base_error *err) BASE_MUST_CHECK;

/* --- Selected variants and scenarios ---------------------------------------------------------- */

/** True if one of the globs matches the name. NULL matches all. */
bool bench_selected(const char *const *globs, const char *name);

/**
 * Expands a list of names and globs and stores the result as the variants of the experiment. A glob
 * matches registered algorithms except those that are faulty on purpose.
 *
 * asked    asked_count masks of ALG_WANT_*, one per query. A glob then matches only algorithms that
 *          answer one of the queries with their default settings, and slow ones get a limit of
 *          triangles. A variant given by name must answer one of the queries too, unless its
 *          contract promises no answer at all (floor). If asked_count is 0, globs match every
 *          algorithm, without limits, and names are checked only by bench_experiment_choose.
 * Errors   BASE_ERR_ARGUMENT for a glob that matches no algorithm, and for a variant that is
 *          invalid or answers no query; BASE_ERR_MEMORY.
 */
base_status bench_variants_expand(const bench_names *list, const unsigned *asked,
                                  size_t asked_count, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/** The selected variants and scenarios. Globs with count 0 select all. */
typedef struct bench_choice {
    bench_names algorithms, scenarios; /* globs on variants and scenarios */
    alg_variant *variants;             /* those of the experiment, parsed; in its arena */
} bench_choice;

/**
 * Parses the experiment's variants, and stores them and the baseline in their canonical form, each
 * once. Optional variants without their algorithm and optional scenarios without their mesh files
 * are left out. Splits two lists of globs (NULL: all).
 * *choice must not be copied.
 *
 * Errors   BASE_ERR_INPUT for an invalid variant, an invalid baseline (with the line), and an
 *          invalid tolerance or glob of a scenario in an experiment's file; BASE_ERR_ARGUMENT for
 *          an invalid variant or baseline that is not from a file, and if one of the globs in the
 *          two lists matches nothing, because a misspelt glob would silently measure less;
 *          BASE_ERR_MEMORY.
 */
base_status bench_experiment_choose(scn_experiment *experiment, const char *algorithm,
                                    const char *scenario, bench_choice *choice,
                                    base_error *err) BASE_MUST_CHECK;

/* --- A pair of the user's own bodies ---------------------------------------------------------- */

/** The experiment of `proxbench run --a ... --b ...`: a pair of the user's own bodies. */

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
 * The bodies are read only if a variant has a limit of triangles.
 *
 * Errors   those of bench_variants_expand, bench_bodies_scale and scn_mesh_open;
 *          BASE_ERR_ARGUMENT for an unknown quantity, one that is asked twice, one that no
 *          variant answers, and a malformed tolerance. *experiment must be zeroed. The caller must
 *          release it either way.
 */
base_status bench_own_experiment(const bench_own *own, scn_experiment *experiment,
                                 base_error *err) BASE_MUST_CHECK;

#endif
