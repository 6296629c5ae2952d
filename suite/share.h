/**
 * The suite's own files: experiments, plot scripts and baselines, and where the cache is, wherever
 * the program was built or installed and from whichever folder it is called.
 *
 * Files go by the names that they have in PREFIX/share/proxbench: "experiments/bench.cfg",
 * "plots/style.gp", "reference/ci.csv". A kind of files, the part before '/', is looked for in
 *
 *   1. the folder that --data names,
 *   2. the folder that $PROXBENCH_DATA names,
 *   3. the source tree: the current folder, or the one that the program was built in,
 *   4. PREFIX/share/proxbench, the program being PREFIX/bin/proxbench.
 *
 * and comes whole from the first that has that kind: files of two versions are never mixed. Each of
 * them may be laid out as the source tree is ("scenarios/experiments/bench.cfg", "plots/style.gp",
 * "results/reference/ci.csv").
 */
#ifndef SUITE_SHARE_H
#define SUITE_SHARE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/** The value of --data; NULL without it. */
extern const char *bench_share_data;

/** A row of a command's table of options. */
#define BENCH_DATA_OPTION                                                                          \
    BENCH_OPTION("data", "DIR", &bench_share_data,                                                 \
                 "where experiments, plot scripts and baselines are looked for first (then "       \
                 "$PROXBENCH_DATA, the source tree, PREFIX/share/proxbench)")

enum { BENCH_SHARE_BYTES = 4096 };

/**
 * The path of a file that is there.
 * Errors: BASE_ERR_INPUT when it is not, or its kind is nowhere: the line says where was looked;
 * for a folder of --data or $PROXBENCH_DATA that is not there.
 */
base_status bench_share_path(const char *name, char path[BENCH_SHARE_BYTES],
                             base_error *err) BASE_MUST_CHECK;

/**
 * Names of a kind of files ("experiments", ".cfg"), without the ending: sorted, NULL-terminated, in
 * the arena.
 *
 * Errors   BASE_ERR_INPUT when the kind is nowhere; BASE_ERR_MEMORY, _SYSTEM. *names is NULL then.
 */
base_status bench_share_names(const char *kind, const char *ending, base_arena *arena,
                              const char ***names, base_error *err) BASE_MUST_CHECK;

/**
 * Where truth, trajectories and built bodies are kept: `asked`, the value of --cache; when that is
 * NULL, groundtruth/cache if the current folder is the source tree, else proxbench in
 * $XDG_CACHE_HOME or in ~/.cache. NULL, which keeps nothing, where there is no home either, and
 * with a warning where the folder cannot be made or written to: a job goes on without.
 */
const char *bench_cache_directory(const char *asked);

#endif
