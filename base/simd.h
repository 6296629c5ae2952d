/**
 * Wide types with small inline operations; no other file uses intrinsics.
 *
 * f32x4 and f64x2 are one SSE2 register, which every x86-64 has. f32x8 (the eight lanes of a BVH
 * node) and f64x4 are one AVX register in objects compiled for AVX2, and two of the narrow type
 * elsewhere, so wide types must never be passed from one file to another. Without SSE2, and with
 * BASE_NO_SIMD (config=scalar), no intrinsic is used and the results are the same to the last bit.
 * Each operation rounds once; there is no fused multiply-add.
 *
 * A file X_isa.c is compiled twice, into X_sse2.o and X_avx2.o. Its exported functions are defined
 * as BASE_ISA(name), which makes name_sse2 and name_avx2 with the same results to the last bit;
 * callers choose by base_cpu_avx2().
 *
 * For a type T of lanes L with masks M:
 *
 *   T_set(L)                    the same in all lanes
 *   T_load(L *) T_store(L *, T) no alignment needed
 *   T_add _sub _mul _div        _sqrt _abs
 *   T_min _max                  (a < b ? a : b), (a > b ? a : b): the second operand when the two
 *                               are equal or one is NaN
 *   T_lt _le                    give M
 *   M_and _or
 *   M_bits                      packs a mask into an unsigned, lane i at bit i
 *   T_select(M, a, b)           mask ? a : b
 *   T_truncate(int32_t *, T)    for doubles: stores (int32_t)a; lanes must be in that range
 *
 *   f32x8_least(f32x8)          the least of the lanes; no lane may be NaN
 *   f64x4_lanes(a, b, c, d)     lanes 0 to 3
 *
 * Eight integers of 32 bits, i32x8, for the indices of gathered data:
 *
 *   i32x8_set _add _sub _mul _and _min
 *   i32x8_equal                    gives M
 *   i32x8_load(void *) i32x8_store(void *, a) i32x8_load_i16(int16_t *) i32x8_load_u16(uint16_t *)
 *   i32x8_left(a, n) _right(a, n)  shifts each lane by n bits; _right keeps the sign
 *   i32x8_of(f32x8)                rounds towards 0; lanes must be in the range of int32_t
 *   f32x8_of(i32x8)                converts to float, rounded to nearest
 *   f32x8_bits_of(i32x8)           the floats that have these bits
 *   i32x8_gather(p, at) f32x8_gather(p, at)
 *                                  lane i: the four bytes that begin 4 at[i] bytes after p
 *   i32x8_gather2(p, at)           lane i: the four bytes that begin 2 at[i] bytes after p
 *   i32x8_load_pairs(p, at, second)
 *                                  lane i: the four bytes that begin `at` bytes after p[i]; lane i
 *                                  of *second: the four bytes that follow them
 *   i32x8_permute(a, at) f32x8_permute(a, at)
 *                                  lane i is lane at[i] of a; at[i] is 0 to 7
 */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/**
 * True if functions of objects named *_avx2.o may be called. False if the CPU lacks AVX2, in
 * config=scalar, or if the environment has PROXBENCH_SIMD=sse2. The choice changes times, never
 * results.
 */
static inline bool base_cpu_avx2(void)
{
#if defined(__x86_64__) && !defined(BASE_NO_SIMD)
    const char *const wanted = getenv("PROXBENCH_SIMD");
    return __builtin_cpu_supports("avx2") && (!wanted || strcmp(wanted, "sse2") != 0);
#else
    return false;
#endif
}

#ifdef __AVX2__
#define BASE_ISA(name) name##_avx2
#else
#define BASE_ISA(name) name##_sse2
#endif

#if defined(__SSE2__) && !defined(BASE_NO_SIMD)
#define BASE_SIMD_SSE2 1
#include <emmintrin.h>
#else
#define BASE_SIMD_SSE2 0
#endif

#if defined(__AVX2__) && BASE_SIMD_SSE2
#define BASE_SIMD_AVX2 1
#include <immintrin.h>
#else
#define BASE_SIMD_AVX2 0
#endif

/* Defines a function of `a`, or of `a` and `b`, that returns R. */
#define BASE_SIMD_1(R, T, name, expression)                                                        \
    static inline R T##_##name(T a)                                                                \
    {                                                                                              \
        return (expression);                                                                       \
    }
#define BASE_SIMD_2(R, T, name, expression)                                                        \
    static inline R T##_##name(T a, T b)                                                           \
    {                                                                                              \
        return (expression);                                                                       \
    }

/* --- One register ----------------------------------------------------------------------------- */

#define BASE_SIMD_VECTOR(T, M, L, integer, lanes, ...)                                             \
    typedef L T __attribute__((vector_size(sizeof(L) * (lanes))));                                 \
    typedef integer M __attribute__((vector_size(sizeof(L) * (lanes))));                           \
    static inline T T##_set(L x)                                                                   \
    {                                                                                              \
        return (T){__VA_ARGS__};                                                                   \
    }                                                                                              \
    static inline T T##_load(const L *p)                                                           \
    {                                                                                              \
        T a;                                                                                       \
        memcpy(&a, p, sizeof a);                                                                   \
        return a;                                                                                  \
    }                                                                                              \
    static inline void T##_store(L *p, T a)                                                        \
    {                                                                                              \
        memcpy(p, &a, sizeof a);                                                                   \
    }                                                                                              \
    BASE_SIMD_1(T, T, abs, (T)((M)a & ~(M)T##_set(-(L)0)))                                         \
    BASE_SIMD_2(T, T, add, a + b)                                                                  \
    BASE_SIMD_2(T, T, sub, a - b)                                                                  \
    BASE_SIMD_2(T, T, mul, a *b)                                                                   \
    BASE_SIMD_2(T, T, div, a / b)                                                                  \
    BASE_SIMD_2(M, T, lt, a < b)                                                                   \
    BASE_SIMD_2(M, T, le, a <= b)

BASE_SIMD_VECTOR(f32x4, m32x4, float, int32_t, 4, x, x, x, x)
BASE_SIMD_VECTOR(f64x2, m64x2, double, int64_t, 2, x, x)
#if BASE_SIMD_AVX2
BASE_SIMD_VECTOR(f32x8, m32x8, float, int32_t, 8, x, x, x, x, x, x, x, x)
BASE_SIMD_VECTOR(f64x4, m64x4, double, int64_t, 4, x, x, x, x)
#endif

/*
 * Operations that need intrinsics. The compiler's vectors lack some of them (roots, masks as bits).
 * The compiler does not recognise others (it makes no minimum of a comparison and a selection). For
 * the rest it would use integer instructions, which get results of floating-point instructions one
 * clock cycle later.
 *
 * V: the register type of the intrinsics; mm, ps: their prefix and suffix; selection: expression of
 * V mask, a, b.
 */
#if BASE_SIMD_SSE2
#define BASE_SIMD_INTRINSICS(T, M, V, mm, ps, selection)                                           \
    static inline T T##_select(M m, T a, T b)                                                      \
    {                                                                                              \
        const V mask = (V)m;                                                                       \
        return selection;                                                                          \
    }                                                                                              \
    BASE_SIMD_1(T, T, sqrt, mm##_sqrt_##ps(a))                                                     \
    BASE_SIMD_2(T, T, min, mm##_min_##ps(a, b))                                                    \
    BASE_SIMD_2(T, T, max, mm##_max_##ps(a, b))                                                    \
    BASE_SIMD_2(M, M, and, (M)mm##_and_##ps((V)a, (V)b))                                           \
    BASE_SIMD_2(M, M, or, (M)mm##_or_##ps((V)a, (V)b))                                             \
    BASE_SIMD_1(unsigned, M, bits, (unsigned)mm##_movemask_##ps((V)a))

BASE_SIMD_INTRINSICS(f32x4, m32x4, __m128, _mm, ps,
                     _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b)))
BASE_SIMD_INTRINSICS(f64x2, m64x2, __m128d, _mm, pd,
                     _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b)))
static inline void f64x2_truncate(int32_t *p, f64x2 a)
{
    const __m128i lanes = _mm_cvttpd_epi32(a);
    memcpy(p, &lanes, 2 * sizeof *p);
}
#if BASE_SIMD_AVX2
BASE_SIMD_INTRINSICS(f32x8, m32x8, __m256, _mm256, ps, _mm256_blendv_ps(b, a, mask))
BASE_SIMD_INTRINSICS(f64x4, m64x4, __m256d, _mm256, pd, _mm256_blendv_pd(b, a, mask))
static inline void f64x4_truncate(int32_t *p, f64x4 a)
{
    const __m128i lanes = _mm256_cvttpd_epi32(a);
    memcpy(p, &lanes, sizeof lanes);
}
#endif
#else
#define BASE_SIMD_PLAIN(T, M, lanes, root)                                                         \
    static inline T T##_select(M mask, T a, T b)                                                   \
    {                                                                                              \
        return (T)((mask & (M)a) | (~mask & (M)b));                                                \
    }                                                                                              \
    static inline T T##_sqrt(T a)                                                                  \
    {                                                                                              \
        for (int i = 0; i < (lanes); i++) {                                                        \
            a[i] = root(a[i]);                                                                     \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    BASE_SIMD_2(T, T, min, T##_select(a < b, a, b))                                                \
    BASE_SIMD_2(T, T, max, T##_select(a > b, a, b))                                                \
    BASE_SIMD_2(M, M, and, a &b)                                                                   \
    BASE_SIMD_2(M, M, or, a | b)                                                                   \
    static inline unsigned M##_bits(M a)                                                           \
    {                                                                                              \
        unsigned bits = 0;                                                                         \
        for (int i = 0; i < (lanes); i++) {                                                        \
            bits |= (unsigned)(a[i] & 1) << i;                                                     \
        }                                                                                          \
        return bits;                                                                               \
    }

BASE_SIMD_PLAIN(f32x4, m32x4, 4, sqrtf)
BASE_SIMD_PLAIN(f64x2, m64x2, 2, sqrt)
static inline void f64x2_truncate(int32_t *p, f64x2 a)
{
    p[0] = (int32_t)a[0];
    p[1] = (int32_t)a[1];
}
#endif

/* --- Two registers for one -------------------------------------------------------------------- */

#if !BASE_SIMD_AVX2
/* H: type of one half; HM: its mask. */
#define BASE_SIMD_PAIR(T, M, L, lanes, H, HM)                                                      \
    typedef struct T {                                                                             \
        H lo, hi;                                                                                  \
    } T;                                                                                           \
    typedef struct M {                                                                             \
        HM lo, hi;                                                                                 \
    } M;                                                                                           \
    static inline T T##_set(L x)                                                                   \
    {                                                                                              \
        return (T){H##_set(x), H##_set(x)};                                                        \
    }                                                                                              \
    static inline T T##_load(const L *p)                                                           \
    {                                                                                              \
        return (T){H##_load(p), H##_load(p + (lanes) / 2)};                                        \
    }                                                                                              \
    static inline void T##_store(L *p, T a)                                                        \
    {                                                                                              \
        H##_store(p, a.lo);                                                                        \
        H##_store(p + (lanes) / 2, a.hi);                                                          \
    }                                                                                              \
    static inline T T##_select(M mask, T a, T b)                                                   \
    {                                                                                              \
        return (T){H##_select(mask.lo, a.lo, b.lo), H##_select(mask.hi, a.hi, b.hi)};              \
    }                                                                                              \
    BASE_SIMD_1(T, T, abs, ((T){H##_abs(a.lo), H##_abs(a.hi)}))                                    \
    BASE_SIMD_1(T, T, sqrt, ((T){H##_sqrt(a.lo), H##_sqrt(a.hi)}))                                 \
    BASE_SIMD_2(T, T, add, ((T){a.lo + b.lo, a.hi + b.hi}))                                        \
    BASE_SIMD_2(T, T, sub, ((T){a.lo - b.lo, a.hi - b.hi}))                                        \
    BASE_SIMD_2(T, T, mul, ((T){a.lo * b.lo, a.hi * b.hi}))                                        \
    BASE_SIMD_2(T, T, div, ((T){a.lo / b.lo, a.hi / b.hi}))                                        \
    BASE_SIMD_2(T, T, min, ((T){H##_min(a.lo, b.lo), H##_min(a.hi, b.hi)}))                        \
    BASE_SIMD_2(T, T, max, ((T){H##_max(a.lo, b.lo), H##_max(a.hi, b.hi)}))                        \
    BASE_SIMD_2(M, T, lt, ((M){a.lo < b.lo, a.hi < b.hi}))                                         \
    BASE_SIMD_2(M, T, le, ((M){a.lo <= b.lo, a.hi <= b.hi}))                                       \
    BASE_SIMD_2(M, M, and, ((M){HM##_and(a.lo, b.lo), HM##_and(a.hi, b.hi)}))                      \
    BASE_SIMD_2(M, M, or, ((M){HM##_or(a.lo, b.lo), HM##_or(a.hi, b.hi)}))                         \
    BASE_SIMD_1(unsigned, M, bits, HM##_bits(a.lo) | HM##_bits(a.hi) << (lanes) / 2)

BASE_SIMD_PAIR(f32x8, m32x8, float, 8, f32x4, m32x4)
BASE_SIMD_PAIR(f64x4, m64x4, double, 4, f64x2, m64x2)
static inline void f64x4_truncate(int32_t *p, f64x4 a)
{
    f64x2_truncate(p, a.lo);
    f64x2_truncate(p + 2, a.hi);
}
#endif

/* --- Across lanes ----------------------------------------------------------------------------- */

static inline float f32x8_least(f32x8 a)
{
#if BASE_SIMD_AVX2
    const f32x4 lo = _mm256_castps256_ps128(a), hi = _mm256_extractf128_ps(a, 1);
#else
    const f32x4 lo = a.lo, hi = a.hi;
#endif
    const f32x4 four = f32x4_min(lo, hi);
    const f32x4 two = f32x4_min(four, (f32x4){four[2], four[3], four[2], four[3]});
    return two[1] < two[0] ? two[1] : two[0];
}

static inline f64x4 f64x4_lanes(double a, double b, double c, double d)
{
#if BASE_SIMD_AVX2
    return (f64x4){a, b, c, d};
#else
    return (f64x4){{a, b}, {c, d}};
#endif
}

/* --- Integers --------------------------------------------------------------------------------- */

/* Masks are vectors of integers, so i32x8 is the type of a mask: one register or two. */
typedef m32x8 i32x8;

static inline i32x8 i32x8_load(const void *p)
{
    i32x8 a;
    memcpy(&a, p, sizeof a);
    return a;
}
static inline void i32x8_store(void *p, i32x8 a)
{
    memcpy(p, &a, sizeof a);
}

#if BASE_SIMD_AVX2
static inline i32x8 i32x8_set(int32_t x)
{
    return (i32x8){x, x, x, x, x, x, x, x};
}
BASE_SIMD_2(i32x8, i32x8, add, a + b)
BASE_SIMD_2(i32x8, i32x8, sub, a - b)
BASE_SIMD_2(i32x8, i32x8, mul, a *b)
BASE_SIMD_2(i32x8, i32x8, and, a &b)
BASE_SIMD_2(i32x8, i32x8, min, (i32x8)_mm256_min_epi32((__m256i)a, (__m256i)b))
BASE_SIMD_2(m32x8, i32x8, equal, a == b)
static inline i32x8 i32x8_load_i16(const int16_t *p)
{
    return (i32x8)_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
static inline i32x8 i32x8_load_u16(const uint16_t *p)
{
    return (i32x8)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
static inline i32x8 i32x8_left(i32x8 a, int n)
{
    return a << n;
}
static inline i32x8 i32x8_right(i32x8 a, int n)
{
    return a >> n;
}
static inline i32x8 i32x8_of(f32x8 a)
{
    return __builtin_convertvector(a, i32x8);
}
static inline f32x8 f32x8_of(i32x8 a)
{
    return __builtin_convertvector(a, f32x8);
}
static inline f32x8 f32x8_bits_of(i32x8 a)
{
    return (f32x8)a;
}
static inline i32x8 i32x8_gather(const void *p, i32x8 at)
{
    return (i32x8)_mm256_i32gather_epi32(p, (__m256i)at, 4);
}
static inline i32x8 i32x8_gather2(const void *p, i32x8 at)
{
    return (i32x8)_mm256_i32gather_epi32(p, (__m256i)at, 2);
}
static inline f32x8 f32x8_gather(const void *p, i32x8 at)
{
    return _mm256_i32gather_ps(p, (__m256i)at, 4);
}
static inline i32x8 i32x8_permute(i32x8 a, i32x8 at)
{
    return (i32x8)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)at);
}
static inline f32x8 f32x8_permute(f32x8 a, i32x8 at)
{
    return _mm256_permutevar8x32_ps(a, (__m256i)at);
}
#else
static inline i32x8 i32x8_set(int32_t x)
{
    const m32x4 all = {x, x, x, x};
    return (i32x8){all, all};
}
static inline m32x4 i32x4_min(m32x4 a, m32x4 b)
{
    const m32x4 less = a < b;
    return (a & less) | (b & ~less);
}
BASE_SIMD_2(i32x8, i32x8, add, ((i32x8){a.lo + b.lo, a.hi + b.hi}))
BASE_SIMD_2(i32x8, i32x8, sub, ((i32x8){a.lo - b.lo, a.hi - b.hi}))
BASE_SIMD_2(i32x8, i32x8, mul, ((i32x8){a.lo * b.lo, a.hi *b.hi}))
BASE_SIMD_2(i32x8, i32x8, and, ((i32x8){a.lo & b.lo, a.hi &b.hi}))
BASE_SIMD_2(i32x8, i32x8, min, ((i32x8){i32x4_min(a.lo, b.lo), i32x4_min(a.hi, b.hi)}))
BASE_SIMD_2(m32x8, i32x8, equal, ((m32x8){a.lo == b.lo, a.hi == b.hi}))
static inline i32x8 i32x8_load_i16(const int16_t *p)
{
    return (i32x8){{p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
}
static inline i32x8 i32x8_load_u16(const uint16_t *p)
{
    return (i32x8){{p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}};
}
static inline i32x8 i32x8_left(i32x8 a, int n)
{
    return (i32x8){a.lo << n, a.hi << n};
}
static inline i32x8 i32x8_right(i32x8 a, int n)
{
    return (i32x8){a.lo >> n, a.hi >> n};
}
static inline i32x8 i32x8_of(f32x8 a)
{
    return (i32x8){__builtin_convertvector(a.lo, m32x4), __builtin_convertvector(a.hi, m32x4)};
}
static inline f32x8 f32x8_of(i32x8 a)
{
    return (f32x8){__builtin_convertvector(a.lo, f32x4), __builtin_convertvector(a.hi, f32x4)};
}
static inline f32x8 f32x8_bits_of(i32x8 a)
{
    return (f32x8){(f32x4)a.lo, (f32x4)a.hi};
}
static inline m32x4 i32x4_gather(const char *p, m32x4 at, ptrdiff_t size)
{
    m32x4 a;
    for (int i = 0; i < 4; i++) {
        int32_t lane;
        memcpy(&lane, p + size * (ptrdiff_t)at[i], sizeof lane);
        a[i] = lane;
    }
    return a;
}
static inline i32x8 i32x8_gather(const void *p, i32x8 at)
{
    return (i32x8){i32x4_gather(p, at.lo, 4), i32x4_gather(p, at.hi, 4)};
}
static inline i32x8 i32x8_gather2(const void *p, i32x8 at)
{
    return (i32x8){i32x4_gather(p, at.lo, 2), i32x4_gather(p, at.hi, 2)};
}
static inline f32x8 f32x8_gather(const void *p, i32x8 at)
{
    return f32x8_bits_of(i32x8_gather(p, at));
}
static inline i32x8 i32x8_permute(i32x8 a, i32x8 at)
{
    int32_t lanes[8];
    i32x8_store(lanes, a);
    return i32x8_gather(lanes, at);
}
static inline f32x8 f32x8_permute(f32x8 a, i32x8 at)
{
    float lanes[8];
    f32x8_store(lanes, a);
    return f32x8_gather(lanes, at);
}
#endif

/* Eight loads and the same number of shuffles take a third of the time of two gathers, which are
 * microcoded. */
#if BASE_SIMD_SSE2
static inline __m128 base_simd_two_pairs(const void *a, const void *b, size_t at)
{
    const __m128i low = _mm_loadl_epi64((const void *)((const char *)a + at));
    return _mm_loadh_pi(_mm_castsi128_ps(low), (const void *)((const char *)b + at));
}
static inline i32x8 i32x8_load_pairs(const void *const p[8], size_t at, i32x8 *second)
{
    const __m128 a = base_simd_two_pairs(p[0], p[1], at), b = base_simd_two_pairs(p[2], p[3], at);
    const __m128 c = base_simd_two_pairs(p[4], p[5], at), d = base_simd_two_pairs(p[6], p[7], at);
#if BASE_SIMD_AVX2
    const __m256 ac = _mm256_set_m128(c, a), bd = _mm256_set_m128(d, b);
    *second = (i32x8)_mm256_shuffle_ps(ac, bd, 0xdd);
    return (i32x8)_mm256_shuffle_ps(ac, bd, 0x88);
#else
    *second = (i32x8){(m32x4)_mm_shuffle_ps(a, b, 0xdd), (m32x4)_mm_shuffle_ps(c, d, 0xdd)};
    return (i32x8){(m32x4)_mm_shuffle_ps(a, b, 0x88), (m32x4)_mm_shuffle_ps(c, d, 0x88)};
#endif
}
#else
static inline i32x8 i32x8_load_pairs(const void *const p[8], size_t at, i32x8 *second)
{
    int32_t lanes[2][8];
    for (int i = 0; i < 8; i++) {
        memcpy(&lanes[0][i], (const char *)p[i] + at, sizeof(int32_t));
        memcpy(&lanes[1][i], (const char *)p[i] + at + sizeof(int32_t), sizeof(int32_t));
    }
    *second = i32x8_load(lanes[1]);
    return i32x8_load(lanes[0]);
}
#endif

#endif
