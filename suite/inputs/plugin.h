/**
 * Shared libraries with algorithms: those given with --plugin, and the peers beside the program.
 * Their algorithms are copied, checked and registered (alg_register).
 */
#ifndef SUITE_PLUGIN_H
#define SUITE_PLUGIN_H

#include "algorithms/algorithms.h"
#include "base/hash.h"
#include "suite/options.h"

/** A loaded plug-in. */
typedef struct bench_plugin {
    const char *argument;            /* argument that loads it again: "LABEL=FILE" or "FILE" */
    const char *path;                /* path of the file */
    const char *version;             /* of the library that answers; "" if not given */
    const char *build;               /* compiler, flags, SIMD level; "" if not given */
    const alg_algorithm *algorithms; /* count; as registered, under their labels */
    size_t count;
    base_hash hash; /* hash of the file */
} bench_plugin;

/** Help of the option --plugin. */
#define BENCH_PLUGIN_HELP "a shared library with algorithms; may be repeated"

/**
 * Loads the peers, unless an earlier call did so, then the given files. Peers are all .so files
 * in the folder "peers" beside the program, or in the folder that PROXBENCH_PEERS names (empty: no
 * peers). "LABEL=FILE" puts LABEL- before the names of its algorithms. A peer that cannot be loaded
 * gives a warning. Each file is first loaded in a process of its own. The floating-point
 * environment is restored. A plug-in that changes standard streams, working folder, umask, locale,
 * resource limits or signals is refused.
 *
 * Errors   BASE_ERR_INPUT, one line: the file or the symbol is missing, it was built for another
 *          version of the contract, an entry breaks a rule, a name is already registered, it
 *          crashes, exits or hangs while it is loaded, it changes the program, or an interruption;
 *          BASE_ERR_ARGUMENT for a bad label and for too many plug-ins; BASE_ERR_SYSTEM if no
 *          process can be started; BASE_ERR_MEMORY.
 */
base_status bench_plugins_load(const bench_texts *files, base_error *err) BASE_MUST_CHECK;

/** Loads one file, "FILE" or "LABEL=FILE", and no peers. Errors: as above. */
base_status bench_plugin_load(const char *argument, base_error *err) BASE_MUST_CHECK;

/**
 * True if a plug-in is loaded in this process. It may have registered functions that run at exit.
 */
bool bench_plugins_loaded(void);

/** Returns the plug-in of an algorithm, or NULL if the algorithm is built into this program. */
const bench_plugin *bench_plugin_of(const alg_algorithm *algorithm);

#endif
