/* The same tests with the wide types as AVX registers: the Makefile compiles *_avx2.c for AVX2. */
#include "base/tests/test_simd.c"
