/** Judges answers by the truth, frame by frame. */
#ifndef SUITE_JUDGE_H
#define SUITE_JUDGE_H

#include "algorithms/registry.h"
#include "groundtruth/groundtruth.h"
#include "suite/quantity.h"
#include "suite/results/witness.h"

/** Result of the comparison of a frame's `colliding` with the truth. */
typedef enum bench_verdict {
    BENCH_VERDICT_NONE, /* no comparison: not certified, or the true distance is missing */
    BENCH_TRUE_POSITIVE,
    BENCH_TRUE_NEGATIVE,
    BENCH_FALSE_POSITIVE,
    BENCH_FALSE_NEGATIVE,
    BENCH_AMBIGUOUS, /* the bracket contains both touching and apart */
    BENCH_VERDICT_COUNT
} bench_verdict;

/**
 * Returns 0 for a right verdict, 1 for a wrong one, and NaN if the frame has no verdict or both
 * answers are right.
 */
double bench_verdict_wrong(bench_verdict verdict);

/** Returns "tp", ...; "" for BENCH_VERDICT_NONE. */
const char *bench_verdict_name(bench_verdict verdict);

/** Promises that an answer can break for a quantity: the variant's contract, or its own bracket. */
typedef enum bench_promise {
    BENCH_PROMISE_CONTRACT,                                              /* + alg_quantity */
    BENCH_PROMISE_BRACKET = BENCH_PROMISE_CONTRACT + ALG_QUANTITY_COUNT, /* + alg_quantity */
    BENCH_PROMISE_WITNESS = BENCH_PROMISE_BRACKET + ALG_QUANTITY_COUNT,  /* of an exact distance */
    BENCH_PROMISE_COUNT
} bench_promise;

enum { BENCH_PROMISE_NAME_BYTES = 32 };

/** Formats "distance contract", "volume bracket", "witness points". */
void bench_promise_name(bench_promise promise, char name[BENCH_PROMISE_NAME_BYTES]);

/** Errors of a frame's answer; NaN if not applicable. */
typedef struct bench_judgement {
    double errors[BENCH_ERROR_COUNT];
    bench_verdict verdict;
    bool judged;     /* the truth of an answered quantity is certified */
    bool violation;  /* a bit of `broken` is set */
    unsigned broken; /* mask 1u << bench_promise: broken by more than the variant's tolerance_ulp */
} bench_judgement;

/** Returns a judgement without errors, verdict and violation. */
bench_judgement bench_judgement_none(void);

/**
 * Returns the truth that judges an algorithm's answers in a frame. For an algorithm on surfaces,
 * the distance is that of the surfaces. The truth's own methods (truth_entries.c) are judged by the
 * other method of the same quantity; without an answer of the other method, the quantity is not
 * known and its certificate is 0.
 */
gt_truth bench_truth_for(const alg_algorithm *algorithm, const gt_truth *truth);

/**
 * Returns the certificate of a quantity (groundtruth/certificate.h); UINT64_MAX if it was not
 * asked.
 */
uint64_t bench_truth_certificate(const gt_truth *truth, alg_quantity quantity);

/** A frame's answer, and the data that it is judged by. */
typedef struct bench_case {
    const alg_variant *variant;
    const bench_scale *scale;
    const gt_truth *truth; /* from bench_truth_for */
    const alg_answer *answer;
    const gt_escape *escape;        /* of the answered depth; NULL: not known */
    const bench_witness *witness;   /* of the answered distance, or NaN; NULL: not known */
    const bench_contacts *contacts; /* of the list of contacts, or NaN; NULL: not known */
    int certificate;                /* quantities with a lower certificate, or with 0, are not
                                       judged */
} bench_case;

bench_judgement bench_judge(const bench_case *c);
/**
 * True if the answer contains each asked quantity that the variant's contract covers. Without this
 * check, an algorithm could leave out difficult frames.
 */
bool bench_answer_complete(const alg_variant *variant, unsigned quantities,
                           const alg_answer *answer);
/**
 * Adds the fields of an answer to a hash, including counters, and brackets if it has them. Excludes
 * details (details.h).
 */
void bench_answer_hash(base_hasher *hasher, const alg_answer *answer);
/** Hashes all answers of a pass. Errors: BASE_ERR_MEMORY. */
base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err) BASE_MUST_CHECK;
/** True if every answered field is finite. */
bool bench_answer_finite(const alg_answer *answer);
/** True if every answered bracket has lo <= hi. */
bool bench_answer_ordered(const alg_answer *answer);
/** True if an answered depth is 0, or positive along a unit vector. */
bool bench_answer_directed(const alg_answer *answer);
/**
 * Returns the fault of an answer that can be found without the truth, as text; NULL if it has no
 * fault.
 */
const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer);

#endif
