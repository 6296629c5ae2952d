/**
 * The manifest of a folder of simulations. It records all inputs, and it ensures that a resumed
 * folder has the same inputs.
 */
#ifndef SUITE_SIMULATION_FACTS_H
#define SUITE_SIMULATION_FACTS_H

#include "suite/inputs/pair.h"
#include "suite/results/record.h"
#include "suite/simulate/simulate.h"

typedef struct bench_facts {
    const bench_simulate_options *options;
    bench_manifest *manifest; /* NULL: no manifest is open */
    bench_record before;      /* manifest of the resumed folder; zeroed if there is none */
} bench_facts;

/**
 * Writes the facts of the command, and the facts of scenes that the folder has already.
 * Errors: those of bench_record_open, bench_manifest_create. The caller must call bench_facts_end
 * either way.
 */
base_status bench_facts_begin(const bench_simulate_options *options, bench_facts *facts,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Adds all facts that the steps of a scene depend on. Errors: BASE_ERR_INPUT if the folder has
 * another value.
 */
base_status bench_facts_scene(const bench_facts *facts, const bench_simulated *scene,
                              const bench_pair *pair, const scn_mass *mass,
                              base_error *err) BASE_MUST_CHECK;

/** Closes the manifest. Errors: BASE_ERR_SYSTEM. */
base_status bench_facts_end(bench_facts *facts, base_error *err) BASE_MUST_CHECK;

/** Returns the hash of all times, positions and orientations. */
base_hash bench_hash_frames(const scn_trajectory *trajectory);

#endif
