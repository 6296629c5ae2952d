/**
 * Shared libraries that bring algorithms: those given with --plugin, and the peers beside the
 * program. What they bring is copied, checked and registered (alg_register).
 */
#ifndef SUITE_PLUGIN_H
#define SUITE_PLUGIN_H

#include "algorithms/algorithms.h"
#include "base/hash.h"
#include "suite/options.h"

/** A plug-in that was loaded. */
typedef struct bench_plugin {
    const char *argument;            /* what loads it again: "LABEL=FILE" or "FILE" */
    const char *path;                /* of the file */
    const char *version;             /* of what answers; "" when it says none */
    const char *build;               /* compiler, flags, SIMD level; "" when it says none */
    const alg_algorithm *algorithms; /* count; as registered, under their labels */
    size_t count;
    base_hash hash; /* of the file */
} bench_plugin;

/** Help of the option --plugin. */
#define BENCH_PLUGIN_HELP "a shared library with algorithms; may be repeated"

/**
 * Loads the peers (every .so file in the folder "peers" beside the program, or in the one that
 * PROXBENCH_PEERS names: empty for none), then the given files. "LABEL=FILE" puts LABEL- before
 * the names of its algorithms. A peer that cannot be loaded is a warning. Each is loaded in a
 * process of its own first, and leaves the floating-point environment as it was. One that changes
 * other state of the program (process_state.h) is refused.
 *
 * Errors   BASE_ERR_INPUT, one line: the file or the symbol is missing, it was built for another
 *          version of the contract, an entry breaks a rule, a name is there already, it crashes,
 *          exits or waits while it is loaded, it changes the program, or an interruption;
 *          BASE_ERR_ARGUMENT for a bad label; BASE_ERR_MEMORY.
 */
base_status bench_plugins_load(const bench_texts *files, base_error *err) BASE_MUST_CHECK;

/** Loads one file, "FILE" or "LABEL=FILE", and no peers. Errors: as above. */
base_status bench_plugin_load(const char *argument, base_error *err) BASE_MUST_CHECK;

/** Is a plug-in in this process? It may have asked to be called at its end. */
bool bench_plugins_loaded(void);

/** The plug-in that brought an algorithm; NULL: it is this program's. */
const bench_plugin *bench_plugin_of(const alg_algorithm *algorithm);

#endif
