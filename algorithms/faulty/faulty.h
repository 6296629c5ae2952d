/**
 * Known-bad contestants: each one answers truly, distance and contact by brute force and what else
 * is wanted as honest.h does, but for one fault that it has on purpose. A suite that does not catch
 * it would believe such a contestant. The entry is alg_faulty; what is here is for its tests.
 */
#ifndef ALGORITHMS_FAULTY_FAULTY_H
#define ALGORITHMS_FAULTY_FAULTY_H

#include "algorithms/algorithms.h"

typedef struct faulty faulty;

typedef enum faulty_moment {
    FAULTY_EACH_QUERY,
    FAULTY_AT_FRAME,         /* the query `frame` of each pass */
    FAULTY_AT_FRAME_OF_1000, /* that one, and each thousandth before and after it */
} faulty_moment;

/** One fault; members that are left out are those of a good contestant. */
typedef struct faulty_fault {
    const char *word; /* in the name of the variant */
    const char *help; /* one line */
    faulty_moment moment;
    void (*act)(faulty *f, const geo_pose *pose, alg_answer *answer); /* on the exact answer */
    unsigned slow_percent; /* how much longer than the exact answer a query takes */
    alg_contract promise;  /* for distance and contact; ALG_NOT_ANSWERED: exact */
    alg_contract depth;    /* for the depth; ALG_NOT_ANSWERED: an upper bound */
    alg_contract force;    /* for the force; ALG_NOT_ANSWERED: approximate */
    alg_status fails_bind; /* what bind returns */
    alg_status (*prepare)(alg_message *message); /* before the good one */
} faulty_fault;

/** All of them, in the order of the parameter's words; the first is none. Ends with word NULL. */
extern const faulty_fault faulty_faults[];

/** What each query of `leaking` keeps. */
enum { FAULTY_LEAK_BYTES = 16 << 10 };

/** Time that this thread has been on a CPU: what others take from it is not counted. */
uint64_t faulty_cpu_ns(void);

/** Duration of one faulty_cpu_ns(). */
uint64_t faulty_cpu_clock_cost_ns(void);

#endif
