/** The registry: lookup of algorithms and variants by name. It contains the algorithms of this
 * program and those of plug-ins. A variant is an algorithm with values for its parameters. */
#ifndef ALGORITHMS_REGISTRY_H
#define ALGORITHMS_REGISTRY_H

#include "algorithms/algorithms.h"

/* --- Entries ---------------------------------------------------------------------------------- */

/* Algorithms of this program. Each is defined in the folder of its family. */
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

/** All algorithms, NULL-terminated: first those of this program, in the order of registry.c, then
 * those that alg_register has added. */
extern const alg_algorithm *const *const alg_registry;

/**
 * Appends an algorithm. It is borrowed and must stay valid until the process ends. The function is
 * not thread-safe: the registry is filled before a command starts its work.
 *
 * Errors   ALG_FAILED if the algorithm breaks a rule of the contract that can be checked here, if
 *          its name is taken, or if ALG_REGISTRY_MAX algorithms are registered. Checked are the
 *          version, names, texts, numbers of items, required functions, parameters and their
 *          defaults, tolerance_ulp, and the law of the default settings.
 */
alg_status alg_register(const alg_algorithm *algorithm, alg_message *message);

/** Returns the algorithm of this name, or NULL. */
const alg_algorithm *alg_find(const char *name);

/* --- Variants --------------------------------------------------------------------------------- */

/**
 * The key that every algorithm takes besides its parameters, as in "fcl:simplify=0.1". Its value
 * is above 0 and at most 1; 1 is the default. The suite simplifies both bodies before it prepares
 * them, and judges the answers by the truth of the full bodies.
 */
#define ALG_SIMPLIFY "simplify"

/** A variant: an algorithm with fixed parameters, and its name. */
typedef struct alg_variant {
    const alg_algorithm *algorithm;
    alg_settings settings;
    double simplify; /* share of the triangles of the bodies that it gets; 0: the full bodies */
    char name[128];  /* family[-kind][:key=value,...], keys sorted, defaults left out */
} alg_variant;

/**
 * Parses "ist:voxels=128,radius=primary" and writes the canonical name. Every algorithm takes the
 * key ALG_SIMPLIFY.
 *
 * Errors   ALG_FAILED; never ALG_UNSUPPORTED. For an unknown algorithm or key, the message lists
 *          similar names. For an invalid value, it has the range. It also tells an invalid law, a
 *          key that is given twice, and a name that is too long.
 */
alg_status alg_variant_parse(const char *text, uint64_t seed, alg_variant *variant,
                             alg_message *message);

/** Fills order with the row indices of the parameter table, sorted by name. All names use this
 * order. */
void alg_parameters_order(const alg_algorithm *algorithm, size_t order[ALG_PARAMETERS_MAX]);

/** Returns the word of a parameter for a value in its table or of a variant; NULL if the value is a
 * number. */
const char *alg_parameter_word(const alg_parameter *parameter, double value);

/** Writes "one|two|three", truncated to size. */
void alg_choice_words(const alg_choice *choices, char *text, size_t size);

/** "distance", "volume", "contact", "depth", "force" */
extern const char *const alg_quantity_names[ALG_QUANTITY_COUNT];

/** "none", "area", "depth", "depth-exchanged" */
extern const char *const alg_law_names[ALG_LAW_COUNT];

/**
 * Returns the promise of the variant for a quantity. A variant with simplified bodies approximates
 * whatever it answers, because its algorithm's promises are about the simplified bodies.
 */
alg_contract alg_variant_contract(const alg_variant *variant, alg_quantity quantity);

/** Returns the law that the variant's forces follow; ALG_LAW_NONE if its algorithm declares no
 * law. */
alg_law alg_variant_law(const alg_variant *variant);

/** True if the variant's answers depend on a clock. */
bool alg_variant_reads_clock(const alg_variant *variant);

/** Returns the mask of the quantities that the variant's contract covers. */
unsigned alg_variant_answers(const alg_variant *variant);

/**
 * Checks before bind whether the variant may be asked for `wanted`. The variant must answer every
 * wanted quantity. Otherwise a query that answers fewer quantities would be timed like one that
 * answers all. An algorithm that answers nothing at all, such as floor, may be asked for any
 * quantity.
 *
 * Errors   ALG_UNSUPPORTED; the message names the first quantity that is not answered.
 */
alg_status alg_variant_may_answer(const alg_variant *variant, unsigned wanted,
                                  alg_message *message);

#endif
