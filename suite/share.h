/**
 * The suite's own files (experiments, plot scripts, baselines, the page of a report) and the
 * location of the cache, independent of where the program was built or installed and of the current
 * folder.
 *
 * Files are named as in PREFIX/share/proxbench: "experiments/bench.cfg", "plots/style.gp",
 * "reference/ci.csv", "report/report.html". A kind of files, which is the part before '/', is
 * searched in
 *
 *   1. the folder that --data names,
 *   2. the folder that $PROXBENCH_DATA names,
 *   3. the source tree: the current folder, or the one that the program was built in,
 *   4. PREFIX/share/proxbench, where the program is PREFIX/bin/proxbench.
 *
 * All files of a kind are taken from the first of them that has that kind: files of two versions
 * are never mixed. Each of them may have the layout of the source tree
 * ("scenarios/experiments/bench.cfg", "plots/style.gp", "results/reference/ci.csv").
 */
#ifndef SUITE_SHARE_H
#define SUITE_SHARE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

/** The value of --data; NULL without it. */
extern const char *bench_share_data;

/** A row of a command's option table. */
#define BENCH_DATA_OPTION                                                                          \
    BENCH_OPTION("data", "DIR", &bench_share_data,                                                 \
                 "folder that is searched first for experiments, plot scripts and baselines "      \
                 "(then $PROXBENCH_DATA, the source tree, PREFIX/share/proxbench)")

enum { BENCH_SHARE_BYTES = 4096 };

/**
 * Finds the path of an existing file.
 * Errors: BASE_ERR_INPUT if no folder has the kind (the message lists the folders that were
 * searched), if the file does not exist (the message names its path), or if a folder of --data or
 * $PROXBENCH_DATA does not exist.
 */
base_status bench_share_path(const char *name, char path[BENCH_SHARE_BYTES],
                             base_error *err) BASE_MUST_CHECK;

/**
 * Lists the names of a kind of files ("experiments", ".cfg"), without the ending: sorted,
 * NULL-terminated, in the arena.
 *
 * Errors   BASE_ERR_INPUT if no folder has the kind, or if a folder of --data or $PROXBENCH_DATA
 *          does not exist; BASE_ERR_MEMORY, BASE_ERR_SYSTEM. Then *names is NULL.
 */
base_status bench_share_names(const char *kind, const char *ending, base_arena *arena,
                              const char ***names, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the folder for truth, trajectories and built bodies. This is `asked`, the value of
 * --cache. If `asked` is NULL, it is groundtruth/cache if the current folder is the source tree;
 * otherwise it is the folder proxbench in $XDG_CACHE_HOME or in ~/.cache. NULL means that nothing
 * is kept. It is returned if neither variable contains an absolute path, and, with a warning, if
 * the folder cannot be created or written to.
 */
const char *bench_cache_directory(const char *asked);

#endif
