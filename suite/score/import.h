/** Reads an exported set back. */
#ifndef SUITE_SCORE_IMPORT_H
#define SUITE_SCORE_IMPORT_H

#include "suite/run/run.h"

/** The contents of a scenario of a set. */
typedef struct bench_imported {
    size_t frames;
    size_t certified;    /* frames whose distance has certificate 1 or 2 */
    bool verified;       /* the truth was computed again */
    size_t contradicted; /* frames in which the two truths exclude each other */
    size_t first;        /* the first of them */
} bench_imported;

/**
 * Checks that every file of hashes.txt has its hash.
 * Errors: BASE_ERR_INPUT with the name of a file that is changed or missing, or with the line of
 * hashes.txt that is not a hash and a path inside the folder.
 */
base_status bench_import_check(const char *folder, base_error *err) BASE_MUST_CHECK;

/**
 * Reads a scenario of the set: meshes, poses and truth. Meshes and poses must be the same to the
 * bit as when they were exported.
 *
 * verify   computes distances, volumes, pairs and depths again, as far as the file has them, and
 *          compares the brackets
 * Errors   BASE_ERR_INPUT with file and line for a truth that this program would not write, for
 *          other numbers of frames, and for meshes or poses whose hash is not that of facts.csv;
 *          those of bench_scenario_load.
 */
base_status bench_import_scenario(const bench_run_options *options, const char *folder,
                                  const scn_scenario *scenario, bool verify,
                                  bench_imported *imported, base_error *err) BASE_MUST_CHECK;

#endif
