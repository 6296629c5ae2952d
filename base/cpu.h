/** Features of the CPU. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <stdbool.h>

/**
 * True if functions of files named *_avx2.c may be called. False if the CPU lacks AVX2, in
 * config=scalar, or if the environment has PROXBENCH_SIMD=sse2. The choice changes times, never
 * results.
 */
bool base_cpu_avx2(void);

#endif
