/**
 * What can be asked for by name: the algorithms of this program and those of plug-ins, and variants
 * of them, which are algorithms with values for their parameters.
 */
#ifndef ALGORITHMS_REGISTRY_H
#define ALGORITHMS_REGISTRY_H

#include "algorithms/algorithms.h"

/* --- Entries ---------------------------------------------------------------------------------- */

/* Those of this program; each is defined in the folder of its family. */
extern const alg_algorithm alg_floor;
extern const alg_algorithm alg_brute;
extern const alg_algorithm alg_exact_pairs;
extern const alg_algorithm alg_ist;
extern const alg_algorithm alg_ist_exact;
extern const alg_algorithm alg_ist_gradient;
extern const alg_algorithm alg_ist_triangles;
extern const alg_algorithm alg_bounds_budget;
extern const alg_algorithm alg_vps;
extern const alg_algorithm alg_vps_volume;
extern const alg_algorithm alg_pst;
extern const alg_algorithm alg_pst_exact;
extern const alg_algorithm alg_imp;
extern const alg_algorithm alg_lpd;
extern const alg_algorithm alg_lpd_area;
extern const alg_algorithm alg_lpd_exact;
extern const alg_algorithm alg_lpd_refine;
extern const alg_algorithm alg_faulty;
extern const alg_algorithm alg_cheats;
extern const alg_algorithm alg_cheats_stateless;

enum { ALG_REGISTRY_MAX = 128 };

/** All algorithms, NULL-terminated: this program's in the order of registry.c, then those that
 * were registered. */
extern const alg_algorithm *const *const alg_registry;

/**
 * Adds an algorithm behind the others; borrowed for good. Not from a thread: the registry is filled
 * before a command works.
 *
 * Errors   ALG_FAILED for one that breaks a rule of the contract that can be seen from outside
 *          (version, plain names, the functions that must be there, parameters with different
 *          names and with defaults in their range, a known law of the default settings), for a
 *          name that is taken, or when ALG_REGISTRY_MAX are there.
 */
alg_status alg_register(const alg_algorithm *algorithm, alg_message *message);

/** By name, or NULL. */
const alg_algorithm *alg_find(const char *name);

/* --- Variants --------------------------------------------------------------------------------- */

/** A variant: an algorithm with fixed parameters, and its name. */
typedef struct alg_variant {
    const alg_algorithm *algorithm;
    alg_settings settings;
    char name[128]; /* family[-kind][:key=value,...], keys sorted, defaults left out */
} alg_variant;

/**
 * Parses "ist:voxels=128,radius=primary" and writes the canonical name.
 *
 * Errors   ALG_FAILED with a message that lists near names for an unknown algorithm or key, or the
 *          range for a value, or names a law that does not exist; ALG_UNSUPPORTED never.
 */
alg_status alg_variant_parse(const char *text, uint64_t seed, alg_variant *variant,
                             alg_message *message);

/** Fills order with the rows of the parameter table, sorted by name: the order of all names. */
void alg_parameters_order(const alg_algorithm *algorithm, size_t order[ALG_PARAMETERS_MAX]);

/** Writes "one|two|three"; cut where it does not fit. */
void alg_choice_words(const alg_choice *choices, char *text, size_t size);

/** "distance", "volume", "contact", "depth", "force" */
extern const char *const alg_quantity_names[ALG_QUANTITY_COUNT];

/** "none", "area", "depth", "depth-exchanged" */
extern const char *const alg_law_names[ALG_LAW_COUNT];

/** The law that the variant's forces follow; ALG_LAW_NONE if its algorithm declares no law. */
alg_law alg_variant_law(const alg_variant *variant);

/** Do the variant's answers depend on a clock? */
bool alg_variant_reads_clock(const alg_variant *variant);

/** Mask of the quantities that a variant's contract speaks of. */
unsigned alg_variant_answers(const alg_variant *variant);

/**
 * Before it is bound: may it be asked this? What its contract does not speak of it would not
 * answer, and a query of less would be timed as one of all. One that answers nothing at all, as
 * floor, may be asked anything.
 *
 * Errors   ALG_UNSUPPORTED with the first quantity that is not answered.
 */
alg_status alg_variant_may_answer(const alg_variant *variant, unsigned wanted,
                                  alg_message *message);

#endif
