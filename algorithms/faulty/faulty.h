/**
 * Algorithms that are wrong on purpose. Each of them has one fault and is correct otherwise. It
 * computes distance and contact by brute force, and other quantities by simple methods. The suite
 * must detect every fault. The entry is alg_faulty; this header is for its tests.
 */
#ifndef ALGORITHMS_FAULTY_FAULTY_H
#define ALGORITHMS_FAULTY_FAULTY_H

#include <stdint.h>

/** The number of bytes that each query of `leaking` keeps. */
enum { FAULTY_LEAK_BYTES = 16 << 10 };

/** Returns the CPU time of the calling thread. */
uint64_t faulty_cpu_ns(void);

/** Returns the duration of one call of faulty_cpu_ns(), as the mean over many calls. */
uint64_t faulty_cpu_clock_cost_ns(void);

#endif
