/** What the CPU can. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <stdbool.h>

/**
 * May functions of files named *_avx2.c be called? Not where the CPU lacks AVX2, in config=scalar,
 * or when the environment has PROXBENCH_SIMD=sse2. It changes times, never answers.
 */
bool base_cpu_avx2(void);

#endif
