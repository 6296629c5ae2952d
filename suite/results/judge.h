/** Answers against the truth, frame by frame. */
#ifndef SUITE_JUDGE_H
#define SUITE_JUDGE_H

#include "algorithms/registry.h"
#include "groundtruth/groundtruth.h"
#include "suite/quantity.h"
#include "suite/results/witness.h"

/** What the truth says of a frame's colliding or not. */
typedef enum bench_verdict {
    BENCH_VERDICT_NONE, /* nothing to compare: not certified, or no distance truth */
    BENCH_TRUE_POSITIVE,
    BENCH_TRUE_NEGATIVE,
    BENCH_FALSE_POSITIVE,
    BENCH_FALSE_NEGATIVE,
    BENCH_AMBIGUOUS, /* the bracket holds both touching and apart */
    BENCH_VERDICT_COUNT
} bench_verdict;

/** 0 for a right verdict, 1 for a wrong one, NaN where the frame has no verdict or both are right.
 */
double bench_verdict_wrong(bench_verdict verdict);

/** "tp", ...; "" for none. */
const char *bench_verdict_name(bench_verdict verdict);

/** What an answer can break of a quantity: the variant's contract about it, or its own bracket. */
typedef enum bench_promise {
    BENCH_PROMISE_CONTRACT,                                              /* + alg_quantity */
    BENCH_PROMISE_BRACKET = BENCH_PROMISE_CONTRACT + ALG_QUANTITY_COUNT, /* + alg_quantity */
    BENCH_PROMISE_WITNESS = BENCH_PROMISE_BRACKET + ALG_QUANTITY_COUNT,  /* of an exact distance */
    BENCH_PROMISE_COUNT
} bench_promise;

enum { BENCH_PROMISE_NAME_BYTES = 32 };

/** "distance contract", "volume bracket", "witness points". */
void bench_promise_name(bench_promise promise, char name[BENCH_PROMISE_NAME_BYTES]);

/** Errors of a frame's answer; NaN where not applicable. */
typedef struct bench_judgement {
    double errors[BENCH_ERROR_COUNT];
    bench_verdict verdict;
    bool judged;     /* certified truth for something that was answered */
    bool violation;  /* one of `broken` is set */
    unsigned broken; /* mask 1u << bench_promise: by more than the variant's tolerance_ulp */
} bench_judgement;

/** One without an error, a verdict or a fault. */
bench_judgement bench_judgement_none(void);

/**
 * The truth that judges an algorithm's answers in a frame. An algorithm that answers for surfaces
 * has the distance of the surfaces. The truth's own methods (truth_entries.c) are judged by the
 * other method of the same quantity; without an answer of that one, the quantity is not known and
 * its certificate is 0.
 */
gt_truth bench_truth_for(const alg_algorithm *algorithm, const gt_truth *truth);

/** The certificate of a quantity (groundtruth/certificate.h); UINT64_MAX where it was not asked. */
uint64_t bench_truth_certificate(const gt_truth *truth, alg_quantity quantity);

/** A frame's answer, and what it is judged by. */
typedef struct bench_case {
    const alg_variant *variant;
    const bench_scale *scale;
    const gt_truth *truth; /* of bench_truth_for */
    const alg_answer *answer;
    const gt_escape *escape;        /* of the answered depth; NULL: not known */
    const bench_witness *witness;   /* of the answered distance, or NaN; NULL: not known */
    const bench_contacts *contacts; /* of the list of contacts, or NaN; NULL: not known */
    int certificate;                /* quantities with less, or with 0, are not judged */
} bench_case;

bench_judgement bench_judge(const bench_case *c);
/**
 * Does it answer each of the asked quantities that the variant's contract speaks of? Otherwise an
 * algorithm could leave out the frames that it is bad at.
 */
bool bench_answer_complete(const alg_variant *variant, unsigned quantities,
                           const alg_answer *answer);
/** Hash of what an answer says, field by field, counters included; brackets where it has them.
 * Details (details.h) are no part of it. */
void bench_answer_hash(base_hasher *hasher, const alg_answer *answer);
/** The same of all answers of a pass. Errors: BASE_ERR_MEMORY. */
base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err) BASE_MUST_CHECK;
/** Is every answered field finite? */
bool bench_answer_finite(const alg_answer *answer);
/** Is every answered bracket one, lo <= hi? */
bool bench_answer_ordered(const alg_answer *answer);
/** Is an answered depth none, or one along a unit vector? */
bool bench_answer_directed(const alg_answer *answer);
/** What is wrong with an answer by itself, as a text; NULL: nothing. */
const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer);

#endif
