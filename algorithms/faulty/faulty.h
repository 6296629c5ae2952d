/**
 * Known-bad contestants: each one answers truly, distance and contact by brute force and other
 * quantities as honest.h does, but for one fault that it has on purpose. A suite that does not
 * catch it would believe such a contestant. The entry is alg_faulty; this header serves its tests.
 */
#ifndef ALGORITHMS_FAULTY_FAULTY_H
#define ALGORITHMS_FAULTY_FAULTY_H

#include <stdint.h>

/** Bytes that each query of `leaking` keeps. */
enum { FAULTY_LEAK_BYTES = 16 << 10 };

/** Time that this thread has been on a CPU: what others take from it is not counted. */
uint64_t faulty_cpu_ns(void);

/** Duration of one faulty_cpu_ns(). */
uint64_t faulty_cpu_clock_cost_ns(void);

#endif
