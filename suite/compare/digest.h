/**
 * The digest of a run. For each scenario and quantity it shows the exact method, the fastest
 * variant within the tolerance, the fastest variant of all, and other libraries. For a pair of the
 * user's own it shows all other variants, too.
 */
#ifndef SUITE_DIGEST_H
#define SUITE_DIGEST_H

#include "suite/compare/front.h"
#include "suite/compare/ratio.h"
#include "suite/output.h"
#include "suite/figures/looks.h"

/** A variant of a digest. */
typedef struct bench_digest_row {
    const bench_point *point;
    const bench_look *look; /* its label in the figures of the scenario, and the settings that it
                               leaves out */
    const char *role;       /* "exact", "exact, fastest", ...; "" without a role; in the arena */
    double ratio; /* point->time_ns / that of the reference, which is the exact method or, in its
                     place, the baseline; NaN for the reference itself */
    /**
     * Interval of the ratio of 99th percentiles over launches, widened so that it contains `ratio`.
     * NaN if there are too few launches. A launch has fewer rounds than the run, so its percentiles
     * keep interruptions that the medians of the run leave out.
     */
    double lo, hi;
    bool disturbed; /* the interval was widened by more than a tenth */
} bench_digest_row;

typedef struct bench_digest {
    bench_digest_row *rows; /* by scenario and quantity, in the order of the roles, then of time */
    size_t count, capacity;
    base_arena arena;
} bench_digest;

/**
 * Makes the digest of a front. The exact method is the baseline if the baseline promises exact
 * answers, else the fastest variant that promises them. If no variant does, the baseline takes its
 * place. The intervals of a scenario and quantity hold jointly with 95 %. The record must have its
 * launches.
 *
 * Errors   BASE_ERR_MEMORY. The caller must call bench_digest_release either way.
 */
base_status bench_digest_make(const bench_record *record, const bench_front *front,
                              bench_digest *digest, base_error *err) BASE_MUST_CHECK;
void bench_digest_release(bench_digest *digest);

enum { BENCH_DIGEST_LINE_BYTES = 512 };

/**
 * Writes a sentence that the times are not comparable, or "". The sentence is written if the load
 * of the machine at the beginning of the run was above its number of CPUs plus one, if the interval
 * of a baseline against its twin reaches further than a tenth from 1, or if a row is disturbed. The
 * record must have its facts; list: its comparisons.
 */
void bench_digest_noise_text(const bench_digest *digest, const bench_record *record,
                             const bench_comparisons *list, char line[BENCH_DIGEST_LINE_BYTES]);

/**
 * Writes a sentence that names the scenarios that ask only for volumes, depths and forces, and in
 * which no frame overlaps. Writes "" if there is no such scenario. A digest has no rows of them.
 */
void bench_digest_apart_text(const bench_record *record, char line[BENCH_DIGEST_LINE_BYTES]);

/**
 * Returns the settings that the labels of the rows leave out, each once with its scenarios: "ist:
 * packing=cover (far, near); fcl: bv=rss (near)". Returns NULL if memory is exhausted. The text is
 * in the arena of the digest.
 */
const char *bench_digest_settings(bench_digest *digest);

/**
 * Lists the folders in the run that hold a simulations.csv, sorted by name, in the arena,
 * NULL-terminated; at most 256. Errors: BASE_ERR_MEMORY.
 */
base_status bench_digest_simulations(const char *run, base_arena *arena, const char ***folders,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * Appends a header and a row for each simulation of a folder of `simulate`, for people: 6 columns.
 * Errors: BASE_ERR_MEMORY; BASE_ERR_SYSTEM, BASE_ERR_INPUT for a file that cannot be read.
 */
base_status bench_digest_simulation_rows(const char *folder, bench_rows *rows,
                                         base_error *err) BASE_MUST_CHECK;

/**
 * Prints the digest and the simulations of the run on standard output, as text of at most 110
 * columns. Errors: BASE_ERR_MEMORY; those of a simulations.csv that cannot be read.
 */
base_status bench_digest_print(const bench_record *record, const bench_comparisons *list,
                               bench_digest *digest, base_error *err) BASE_MUST_CHECK;

#endif
