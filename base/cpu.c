#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

bool base_cpu_avx2(void)
{
#if defined(__x86_64__) && !defined(BASE_NO_SIMD)
    const char *const wanted = getenv("PROXBENCH_SIMD");
    return __builtin_cpu_supports("avx2") && (!wanted || strcmp(wanted, "sse2") != 0);
#else
    return false;
#endif
}
