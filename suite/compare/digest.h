/**
 * What a run shows at a glance: of each scenario and quantity the exact method, the fastest variant
 * within the tolerance, the fastest of all, and other libraries.
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
    const char *role;       /* "exact", "exact, fastest within", ...; in the arena */
    bench_comparison comparison; /* p99 against the exact method; variant NULL: it is that one */
} bench_digest_row;

typedef struct bench_digest {
    bench_digest_row *rows; /* by scenario and quantity, in the order of the roles */
    size_t count, capacity;
    base_arena arena;
} bench_digest;

/**
 * Makes the digest of a front. The exact method is the baseline where it promises exact answers, else
 * the fastest variant that does; where none does, the baseline stands in its place. The intervals of
 * a scenario and quantity hold together with 95 %. The record has its launches.
 *
 * Errors   BASE_ERR_MEMORY. bench_digest_release is due either way.
 */
base_status bench_digest_make(const bench_record *record, const bench_front *front,
                              bench_digest *digest, base_error *err) BASE_MUST_CHECK;
void bench_digest_release(bench_digest *digest);

/** Appends a header and the rows to `rows`, for people: 8 columns. */
void bench_digest_put(const bench_digest *digest, bench_rows *rows);

/** What the labels of the rows leave out, each once: "ist: packing=cover; fcl: bv=rss". NULL: out of
 * memory. */
const char *bench_digest_settings(bench_digest *digest);

#endif
