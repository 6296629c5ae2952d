/**
 * Algorithms that are wrong on purpose. Each one answers correctly except for one fault: distance
 * and contact by brute force, other quantities by simple methods. The suite must detect every
 * fault. The entry is alg_faulty; this header is for its tests.
 */
#ifndef ALGORITHMS_FAULTY_FAULTY_H
#define ALGORITHMS_FAULTY_FAULTY_H

#include <stdint.h>

/** The number of bytes that each query of `leaking` keeps. */
enum { FAULTY_LEAK_BYTES = 16 << 10 };

/** Returns the CPU time of this thread, which excludes the time that other threads use. */
uint64_t faulty_cpu_ns(void);

/** Returns the duration of one faulty_cpu_ns(). */
uint64_t faulty_cpu_clock_cost_ns(void);

#endif
