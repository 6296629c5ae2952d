/**
 * What a run shows at a glance: of each scenario and quantity the exact method, the fastest variant
 * within the tolerance, the fastest of all, and other libraries; for a pair of the user's own all
 * other variants, too.
 */
#ifndef SUITE_DIGEST_H
#define SUITE_DIGEST_H

#include "suite/compare/front.h"
#include "suite/compare/ratio.h"
#include "suite/output.h"
#include "suite/results/looks.h"

/** A variant of a digest. */
typedef struct bench_digest_row {
    const bench_point *point;
    const bench_look *look; /* its label in the figures of the scenario, and what that leaves out */
    const char *role;       /* "exact", "exact, fastest", ...; "" for the others; in the arena */
    double ratio; /* point->time_ns / that of the exact method; NaN: it is the exact method */
    /**
     * Interval of the ratio of 99th percentiles over launches, widened so that it contains `ratio`;
     * NaN: too few launches. A launch has fewer rounds than the run, so its percentiles keep
     * interruptions that the medians of the run leave out.
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
 * Makes the digest of a front. The exact method is the baseline where it promises exact answers,
 * else the fastest variant that does; where none does, the baseline stands in its place. The
 * intervals of a scenario and quantity hold together with 95 %. The record has its launches.
 *
 * Errors   BASE_ERR_MEMORY. bench_digest_release is due either way.
 */
base_status bench_digest_make(const bench_record *record, const bench_front *front,
                              bench_digest *digest, base_error *err) BASE_MUST_CHECK;
void bench_digest_release(bench_digest *digest);

/** Appends a header and the rows to `rows`, for people: 8 columns. "!" behind an interval marks a
 * disturbed row. */
void bench_digest_put(const bench_digest *digest, bench_rows *rows);

/** Returns the settings that the labels of the rows leave out, each once with its scenarios: "ist:
 * packing=cover (far, near); fcl: bv=rss (near)". NULL: out of memory. */
const char *bench_digest_settings(bench_digest *digest);

enum { BENCH_DIGEST_LINE_BYTES = 512 };

/**
 * A sentence that the times are not comparable, or "": the load of the machine at the beginning of
 * the run was above its number of CPUs plus one, the interval of a baseline against its twin
 * reaches further than a tenth from 1, or a row is disturbed. The record has its facts; list: its
 * comparisons.
 */
void bench_digest_tell_noise(const bench_digest *digest, const bench_record *record,
                             const bench_comparisons *list, char line[BENCH_DIGEST_LINE_BYTES]);

/**
 * A sentence that names scenarios that ask for a volume, a depth or a force, and in which no frame
 * overlaps; "" without such a scenario. Their rows are not in a digest.
 */
void bench_digest_tell_apart(const bench_record *record, char line[BENCH_DIGEST_LINE_BYTES]);

#endif
