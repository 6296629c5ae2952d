/**
 * Judges answers: by the truth, frame by frame, and by rules that need no truth.
 *
 * A run requests details of an answer (the end times of its stages, and its lists, as far as they
 * fit into a buffer) in one separate pass whose times are not used.
 */
#ifndef SUITE_JUDGE_H
#define SUITE_JUDGE_H

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "geometry/vec.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/trajectories/trajectory.h"
#include "suite/inputs/buffers.h"
#include "suite/quantity.h"

/* --- Ideal forces ----------------------------------------------------------------------------- */

/* The exact forces that answered forces are compared with: one for each law (alg_law). A variant
 * with a law is judged by the ideal of this law, and a variant without a law by the ideal of area.
 * The variant's row of cells.csv, its frames and the printed tables give the errors against this
 * own ideal. forces.csv also gives the errors against area for every variant, and those against
 * depth for a variant without a law. */

/** Force on B and torque about B's centroid, in A's axes, and the bounds of their errors. */
typedef struct bench_ideal {
    vec3 force, torque; /* m2 and m3 by area, m3 and m4 by depth; NaN if not known */
    double force_bound, torque_bound;
} bench_ideal;

/**
 * Returns the ideal of a law from a frame's truth. NaN if it was not asked, or if its certificate
 * is 0 or below `certificate`.
 */
bench_ideal bench_ideal_of(const gt_truth *truth, alg_law law, int certificate);

/** Returns the law of the ideal that a variant is judged by: never ALG_LAW_NONE. */
alg_law bench_ideal_own(const alg_variant *variant);

/** Returns the laws of all ideals that a variant is compared with: mask of 1u << alg_law. */
unsigned bench_ideals_of(const alg_variant *variant);

/**
 * Returns the quantities of the truth (mask of GT_WANT_*) needed for the variant's ideals by depth,
 * in addition to the force, which is asked anyway. They take longer than all other quantities, so
 * they are left out where they are not needed: for a variant that answers no force, and (law depth
 * only) if the ideal is known in closed form in every frame. A variant without a law does not need
 * it either if the ideal by area is known in every frame.
 */
unsigned bench_ideals_truth(const alg_variant *variant, const scn_trajectory *trajectory);

/** Returns the quantity of the truth that contains the ideal of a law. */
gt_quantity bench_ideal_quantity(alg_law law);

/* --- Witness points and contacts -------------------------------------------------------------- */

/** Errors of the witness points of an answer, in metres. */
typedef struct bench_witness {
    double length_m; /* |distance of the two points - answered distance| */
    double off_m;    /* distance of a point from the surface of its body, the larger of the two */
    double slack_m;  /* values up to this bound may be rounding errors */
} bench_witness;

/**
 * Measures the witness points of an answer. All values are NaN if the answer has no witness points
 * or no distance above 0: witness points are valid only for a positive distance.
 *
 * pose      of B in A's frame; witness points are in A's frame
 * Cost      two closest-point queries of a surface, some microseconds on 70,000 faces
 */
bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer);

/** Errors of the contacts of a frame; NaN if there is no such contact. */
typedef struct bench_contacts {
    double off_m;      /* distance of a contact's point from the surface that is farther from it;
                          maximum over the contacts */
    double normal_deg; /* angle between a contact's normal and that of the face of A nearest to its
                          point; mean over the contacts */
} bench_contacts;

/**
 * Measures contacts in A's frame. A contact without a normal, or whose nearest face has no area, is
 * excluded from normal_deg. Contacts that are not finite are excluded from both values.
 *
 * pose      of B in A's frame
 * contacts  count entries; may be NULL if count is 0
 * Cost      count times that of bench_witness_measure
 */
bench_contacts bench_contacts_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                      const alg_contact *contacts, size_t count);

/* --- Judgement by the truth ------------------------------------------------------------------- */

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
 * Returns 0 for a right verdict and 1 for a wrong one. Returns NaN if the frame has no verdict or
 * is ambiguous, so that both answers are right.
 */
double bench_verdict_wrong(bench_verdict verdict);

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
    bool judged;     /* the truth of at least one answered quantity is certified */
    bool violation;  /* a bit of `broken` is set */
    unsigned broken; /* mask 1u << bench_promise: broken by more than the variant's tolerance_ulp */
} bench_judgement;

/** Returns a judgement without errors, verdict and violation. */
bench_judgement bench_judgement_none(void);

/**
 * Returns the truth that judges a variant's answers in a frame. For an algorithm on surfaces, the
 * distance is that of the surfaces. The truth's own methods (truth_entries.c) are judged by the
 * other method of the same quantity, except on simplified bodies. If the other method has no
 * answer, the quantity is not known. The truth has the vector of a quantity (such as the depth's
 * direction) only by the first method. So such a quantity is not known for either method, and its
 * certificate is 0.
 */
gt_truth bench_truth_for(const alg_variant *variant, const gt_truth *truth);

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
    const gt_escape *escape;        /* truth of the answered depth; NULL: not computed */
    const bench_witness *witness;   /* of the answered distance; NaN if it has no witness points;
                                       NULL: not measured */
    const bench_contacts *contacts; /* of the list of contacts; NaN if it is empty; NULL: not
                                       measured */
    int certificate;                /* smallest certificate of a judged quantity; a quantity with
                                       certificate 0 is never judged */
} bench_case;

bench_judgement bench_judge(const bench_case *c);

/* --- Answers without the truth ---------------------------------------------------------------- */

/**
 * Hashes all answers of a pass: their fields including counters, and brackets if they have them.
 * Excludes details. Errors: BASE_ERR_MEMORY.
 */
base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err) BASE_MUST_CHECK;
/** True if every answered field is finite. */
bool bench_answer_finite(const alg_answer *answer);
/**
 * Returns the fault of an answer that can be found without the truth, as text; NULL if it has no
 * fault.
 */
const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer);

/* --- Details ---------------------------------------------------------------------------------- */

/** Capacities of a frame's lists in the details pass. An answer may count more entries than fit. */
enum { BENCH_CONTACTS_MAX = 256, BENCH_PAIRS_MAX = 4096, BENCH_REGIONS_MAX = 32 };

/**
 * Maximum number of contacts of a frame that a run keeps and judges: a uniform sample of those in
 * the buffer.
 */
enum { BENCH_CONTACTS_KEPT = 32 };

/** Bits of alg_answer.answered for details. They may differ between passes and are not hashed. */
#define BENCH_HAS_DETAILS                                                                          \
    ((uint32_t)(ALG_HAS_CONTACTS | ALG_HAS_PAIRS | ALG_HAS_REGIONS | ALG_HAS_STAGES))

/**
 * True if details can be requested: the algorithm has stages, or its answer (given without buffers)
 * has a list.
 */
bool bench_details_offered(const alg_algorithm *algorithm, const alg_answer *answer);

/** True if a region has a window: the column to which its depth refers. */
bool bench_has_window(const alg_region *region);

/** Returns the number of regions of an answer that a run keeps, at most BENCH_REGIONS_MAX. */
size_t bench_regions_kept(const alg_answer *answer);

/** Returns the number of contacts of an answer that a run keeps, at most BENCH_CONTACTS_KEPT. */
size_t bench_contacts_kept(const alg_answer *answer);

/**
 * Returns the duration of a stage of an answer in ns; UINT64_MAX if stages were not asked or not
 * answered.
 */
uint64_t bench_stage_ns(const alg_answer *answer, size_t stage);

enum { BENCH_FAULT_BYTES = 160 };

/**
 * Checks the details of an answer for faults that do not depend on the truth: a list that exceeds
 * its buffer, an entry that is counted but not written or invalid, stages that end in the wrong
 * order or after the query.
 *
 * buffers      the buffers lent to the answer
 * face_counts  of A and B
 * took_ns      duration of the query
 * Returns      true if there is a fault, with a description of one line in text.
 */
bool bench_details_fault(const alg_algorithm *algorithm, const bench_buffers *buffers,
                         const alg_answer *answer, const size_t face_counts[2], uint64_t took_ns,
                         char text[BENCH_FAULT_BYTES]);

#endif
