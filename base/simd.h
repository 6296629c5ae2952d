/**
 * Wide types behind small inline operations; intrinsics appear nowhere else.
 *
 * f32x4 and f64x2 map to SSE2, which every x86-64 has; elsewhere, and with BASE_NO_SIMD
 * (config=scalar), to arrays with the same results to the last bit. f32x8 (the eight lanes of a BVH
 * node) and f64x4 are one AVX register in objects compiled for AVX2 and two of the narrow type
 * elsewhere: wide types never cross from one file to another. Operations round once each; there is
 * no fused multiply-add.
 *
 * A file X_isa.c is compiled twice, into X_sse2.o and X_avx2.o. Its exported functions are defined
 * as BASE_ISA(name), which makes name_sse2 and name_avx2 with the same results to the last bit;
 * callers choose by base_cpu_avx2().
 *
 * Comparisons give masks of the same width; _bits packs a mask into the low bits of an unsigned,
 * lane i at bit i. min and max return the second operand when the operands are equal or one is
 * NaN, as (a < b ? a : b) does.
 */
#ifndef BASE_SIMD_H
#define BASE_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

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

#if BASE_SIMD_SSE2

typedef struct f32x4 {
    __m128 v;
} f32x4;
typedef struct m32x4 {
    __m128 v;
} m32x4;
typedef struct f64x2 {
    __m128d v;
} f64x2;
typedef struct m64x2 {
    __m128d v;
} m64x2;

static inline f32x4 f32x4_set(float x)
{
    return (f32x4){_mm_set1_ps(x)};
}
/** No alignment needed. */
static inline f32x4 f32x4_load(const float *p)
{
    return (f32x4){_mm_loadu_ps(p)};
}
static inline void f32x4_store(float *p, f32x4 a)
{
    _mm_storeu_ps(p, a.v);
}
static inline f32x4 f32x4_add(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_add_ps(a.v, b.v)};
}
static inline f32x4 f32x4_sub(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_sub_ps(a.v, b.v)};
}
static inline f32x4 f32x4_mul(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_mul_ps(a.v, b.v)};
}
static inline f32x4 f32x4_div(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_div_ps(a.v, b.v)};
}
static inline f32x4 f32x4_sqrt(f32x4 a)
{
    return (f32x4){_mm_sqrt_ps(a.v)};
}
static inline f32x4 f32x4_min(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_min_ps(a.v, b.v)};
}
static inline f32x4 f32x4_max(f32x4 a, f32x4 b)
{
    return (f32x4){_mm_max_ps(a.v, b.v)};
}
static inline f32x4 f32x4_abs(f32x4 a)
{
    return (f32x4){_mm_andnot_ps(_mm_set1_ps(-0.0F), a.v)};
}
static inline m32x4 f32x4_le(f32x4 a, f32x4 b)
{
    return (m32x4){_mm_cmple_ps(a.v, b.v)};
}
static inline m32x4 f32x4_lt(f32x4 a, f32x4 b)
{
    return (m32x4){_mm_cmplt_ps(a.v, b.v)};
}
static inline m32x4 m32x4_and(m32x4 a, m32x4 b)
{
    return (m32x4){_mm_and_ps(a.v, b.v)};
}
static inline m32x4 m32x4_or(m32x4 a, m32x4 b)
{
    return (m32x4){_mm_or_ps(a.v, b.v)};
}
static inline unsigned m32x4_bits(m32x4 a)
{
    return (unsigned)_mm_movemask_ps(a.v);
}
/** mask ? a : b */
static inline f32x4 f32x4_select(m32x4 mask, f32x4 a, f32x4 b)
{
    return (f32x4){_mm_or_ps(_mm_and_ps(mask.v, a.v), _mm_andnot_ps(mask.v, b.v))};
}

static inline f64x2 f64x2_set(double x)
{
    return (f64x2){_mm_set1_pd(x)};
}
/** No alignment needed. */
static inline f64x2 f64x2_load(const double *p)
{
    return (f64x2){_mm_loadu_pd(p)};
}
static inline void f64x2_store(double *p, f64x2 a)
{
    _mm_storeu_pd(p, a.v);
}
static inline f64x2 f64x2_add(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_add_pd(a.v, b.v)};
}
static inline f64x2 f64x2_sub(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_sub_pd(a.v, b.v)};
}
static inline f64x2 f64x2_mul(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_mul_pd(a.v, b.v)};
}
static inline f64x2 f64x2_div(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_div_pd(a.v, b.v)};
}
static inline f64x2 f64x2_sqrt(f64x2 a)
{
    return (f64x2){_mm_sqrt_pd(a.v)};
}
static inline f64x2 f64x2_min(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_min_pd(a.v, b.v)};
}
static inline f64x2 f64x2_max(f64x2 a, f64x2 b)
{
    return (f64x2){_mm_max_pd(a.v, b.v)};
}
static inline f64x2 f64x2_abs(f64x2 a)
{
    return (f64x2){_mm_andnot_pd(_mm_set1_pd(-0.0), a.v)};
}
static inline m64x2 f64x2_le(f64x2 a, f64x2 b)
{
    return (m64x2){_mm_cmple_pd(a.v, b.v)};
}
static inline m64x2 f64x2_lt(f64x2 a, f64x2 b)
{
    return (m64x2){_mm_cmplt_pd(a.v, b.v)};
}
static inline m64x2 m64x2_and(m64x2 a, m64x2 b)
{
    return (m64x2){_mm_and_pd(a.v, b.v)};
}
static inline m64x2 m64x2_or(m64x2 a, m64x2 b)
{
    return (m64x2){_mm_or_pd(a.v, b.v)};
}
static inline unsigned m64x2_bits(m64x2 a)
{
    return (unsigned)_mm_movemask_pd(a.v);
}
/** mask ? a : b */
static inline f64x2 f64x2_select(m64x2 mask, f64x2 a, f64x2 b)
{
    return (f64x2){_mm_or_pd(_mm_and_pd(mask.v, a.v), _mm_andnot_pd(mask.v, b.v))};
}

#else

typedef struct f32x4 {
    float v[4];
} f32x4;
typedef struct m32x4 {
    unsigned bits;
} m32x4;
typedef struct f64x2 {
    double v[2];
} f64x2;
typedef struct m64x2 {
    unsigned bits;
} m64x2;

/* One definition per operation for both types; T_lane(expression in x = a[i] and y = b[i]). */
#define BASE_SIMD_UNARY(type, lane, lanes, name, expression)                                       \
    static inline type type##_##name(type a)                                                       \
    {                                                                                              \
        type r;                                                                                    \
        for (int i = 0; i < (lanes); i++) {                                                        \
            const lane x = a.v[i];                                                                 \
            r.v[i] = (expression);                                                                 \
        }                                                                                          \
        return r;                                                                                  \
    }
#define BASE_SIMD_BINARY(type, lane, lanes, name, expression)                                      \
    static inline type type##_##name(type a, type b)                                               \
    {                                                                                              \
        type r;                                                                                    \
        for (int i = 0; i < (lanes); i++) {                                                        \
            const lane x = a.v[i], y = b.v[i];                                                     \
            r.v[i] = (expression);                                                                 \
        }                                                                                          \
        return r;                                                                                  \
    }
#define BASE_SIMD_COMPARE(type, mask, lanes, name, operator)                                       \
    static inline mask type##_##name(type a, type b)                                               \
    {                                                                                              \
        mask r = {0};                                                                              \
        for (int i = 0; i < (lanes); i++) {                                                        \
            r.bits |= (unsigned)(a.v[i] operator b.v[i]) << i;                                     \
        }                                                                                          \
        return r;                                                                                  \
    }
#define BASE_SIMD_TYPE(type, mask, lane, lanes, square_root, absolute)                             \
    static inline type type##_set(lane x)                                                          \
    {                                                                                              \
        type r;                                                                                    \
        for (int i = 0; i < (lanes); i++) {                                                        \
            r.v[i] = x;                                                                            \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    static inline type type##_load(const lane *p)                                                  \
    {                                                                                              \
        type r;                                                                                    \
        memcpy(r.v, p, sizeof r.v);                                                                \
        return r;                                                                                  \
    }                                                                                              \
    static inline void type##_store(lane *p, type a)                                               \
    {                                                                                              \
        memcpy(p, a.v, sizeof a.v);                                                                \
    }                                                                                              \
    BASE_SIMD_BINARY(type, lane, lanes, add, x + y)                                                \
    BASE_SIMD_BINARY(type, lane, lanes, sub, x - y)                                                \
    BASE_SIMD_BINARY(type, lane, lanes, mul, x *y)                                                 \
    BASE_SIMD_BINARY(type, lane, lanes, div, x / y)                                                \
    BASE_SIMD_BINARY(type, lane, lanes, min, x < y ? x : y)                                        \
    BASE_SIMD_BINARY(type, lane, lanes, max, x > y ? x : y)                                        \
    BASE_SIMD_UNARY(type, lane, lanes, sqrt, square_root(x))                                       \
    BASE_SIMD_UNARY(type, lane, lanes, abs, absolute(x))                                           \
    BASE_SIMD_COMPARE(type, mask, lanes, le, <=)                                                   \
    BASE_SIMD_COMPARE(type, mask, lanes, lt, <)                                                    \
    static inline mask mask##_and(mask a, mask b)                                                  \
    {                                                                                              \
        return (mask){a.bits & b.bits};                                                            \
    }                                                                                              \
    static inline mask mask##_or(mask a, mask b)                                                   \
    {                                                                                              \
        return (mask){a.bits | b.bits};                                                            \
    }                                                                                              \
    static inline unsigned mask##_bits(mask a)                                                     \
    {                                                                                              \
        return a.bits;                                                                             \
    }                                                                                              \
    static inline type type##_select(mask m, type a, type b)                                       \
    {                                                                                              \
        type r;                                                                                    \
        for (int i = 0; i < (lanes); i++) {                                                        \
            r.v[i] = (m.bits >> i & 1) != 0 ? a.v[i] : b.v[i];                                     \
        }                                                                                          \
        return r;                                                                                  \
    }

BASE_SIMD_TYPE(f32x4, m32x4, float, 4, sqrtf, fabsf)
BASE_SIMD_TYPE(f64x2, m64x2, double, 2, sqrt, fabs)

#endif

/* --- Eight floats, four doubles --------------------------------------------------------------- */

#if BASE_SIMD_AVX2

typedef struct f32x8 {
    __m256 v;
} f32x8;
typedef struct m32x8 {
    __m256 v;
} m32x8;

static inline f32x8 f32x8_set(float x)
{
    return (f32x8){_mm256_set1_ps(x)};
}
/** No alignment needed. */
static inline f32x8 f32x8_load(const float *p)
{
    return (f32x8){_mm256_loadu_ps(p)};
}
static inline void f32x8_store(float *p, f32x8 x)
{
    _mm256_storeu_ps(p, x.v);
}
static inline f32x8 f32x8_add(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_add_ps(x.v, y.v)};
}
static inline f32x8 f32x8_sub(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_sub_ps(x.v, y.v)};
}
static inline f32x8 f32x8_mul(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_mul_ps(x.v, y.v)};
}
static inline f32x8 f32x8_div(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_div_ps(x.v, y.v)};
}
static inline f32x8 f32x8_min(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_min_ps(x.v, y.v)};
}
static inline f32x8 f32x8_max(f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_max_ps(x.v, y.v)};
}
static inline f32x8 f32x8_sqrt(f32x8 x)
{
    return (f32x8){_mm256_sqrt_ps(x.v)};
}
static inline f32x8 f32x8_abs(f32x8 x)
{
    return (f32x8){_mm256_andnot_ps(_mm256_set1_ps(-0.0F), x.v)};
}
static inline m32x8 f32x8_le(f32x8 x, f32x8 y)
{
    return (m32x8){_mm256_cmp_ps(x.v, y.v, _CMP_LE_OS)};
}
static inline m32x8 f32x8_lt(f32x8 x, f32x8 y)
{
    return (m32x8){_mm256_cmp_ps(x.v, y.v, _CMP_LT_OS)};
}
static inline m32x8 m32x8_and(m32x8 x, m32x8 y)
{
    return (m32x8){_mm256_and_ps(x.v, y.v)};
}
static inline m32x8 m32x8_or(m32x8 x, m32x8 y)
{
    return (m32x8){_mm256_or_ps(x.v, y.v)};
}
static inline unsigned m32x8_bits(m32x8 x)
{
    return (unsigned)_mm256_movemask_ps(x.v);
}
/** mask ? x : y */
static inline f32x8 f32x8_select(m32x8 mask, f32x8 x, f32x8 y)
{
    return (f32x8){_mm256_blendv_ps(y.v, x.v, mask.v)};
}

typedef struct f64x4 {
    __m256d v;
} f64x4;
typedef struct m64x4 {
    __m256d v;
} m64x4;

static inline f64x4 f64x4_set(double x)
{
    return (f64x4){_mm256_set1_pd(x)};
}
/** No alignment needed. */
static inline f64x4 f64x4_load(const double *p)
{
    return (f64x4){_mm256_loadu_pd(p)};
}
static inline void f64x4_store(double *p, f64x4 x)
{
    _mm256_storeu_pd(p, x.v);
}
static inline f64x4 f64x4_add(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_add_pd(x.v, y.v)};
}
static inline f64x4 f64x4_sub(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_sub_pd(x.v, y.v)};
}
static inline f64x4 f64x4_mul(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_mul_pd(x.v, y.v)};
}
static inline f64x4 f64x4_div(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_div_pd(x.v, y.v)};
}
static inline f64x4 f64x4_min(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_min_pd(x.v, y.v)};
}
static inline f64x4 f64x4_max(f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_max_pd(x.v, y.v)};
}
static inline f64x4 f64x4_sqrt(f64x4 x)
{
    return (f64x4){_mm256_sqrt_pd(x.v)};
}
static inline f64x4 f64x4_abs(f64x4 x)
{
    return (f64x4){_mm256_andnot_pd(_mm256_set1_pd(-0.0), x.v)};
}
static inline m64x4 f64x4_le(f64x4 x, f64x4 y)
{
    return (m64x4){_mm256_cmp_pd(x.v, y.v, _CMP_LE_OS)};
}
static inline m64x4 f64x4_lt(f64x4 x, f64x4 y)
{
    return (m64x4){_mm256_cmp_pd(x.v, y.v, _CMP_LT_OS)};
}
static inline m64x4 m64x4_and(m64x4 x, m64x4 y)
{
    return (m64x4){_mm256_and_pd(x.v, y.v)};
}
static inline m64x4 m64x4_or(m64x4 x, m64x4 y)
{
    return (m64x4){_mm256_or_pd(x.v, y.v)};
}
static inline unsigned m64x4_bits(m64x4 x)
{
    return (unsigned)_mm256_movemask_pd(x.v);
}
/** mask ? x : y */
static inline f64x4 f64x4_select(m64x4 mask, f64x4 x, f64x4 y)
{
    return (f64x4){_mm256_blendv_pd(y.v, x.v, mask.v)};
}

#else

typedef struct f32x8 {
    f32x4 a, b; /* lanes 0 to 3, 4 to 7 */
} f32x8;
typedef struct m32x8 {
    m32x4 a, b;
} m32x8;

static inline f32x8 f32x8_set(float x)
{
    return (f32x8){f32x4_set(x), f32x4_set(x)};
}
/** No alignment needed. */
static inline f32x8 f32x8_load(const float *p)
{
    return (f32x8){f32x4_load(p), f32x4_load(p + 4)};
}
static inline void f32x8_store(float *p, f32x8 x)
{
    f32x4_store(p, x.a);
    f32x4_store(p + 4, x.b);
}
static inline f32x8 f32x8_add(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_add(x.a, y.a), f32x4_add(x.b, y.b)};
}
static inline f32x8 f32x8_sub(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_sub(x.a, y.a), f32x4_sub(x.b, y.b)};
}
static inline f32x8 f32x8_mul(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_mul(x.a, y.a), f32x4_mul(x.b, y.b)};
}
static inline f32x8 f32x8_div(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_div(x.a, y.a), f32x4_div(x.b, y.b)};
}
static inline f32x8 f32x8_min(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_min(x.a, y.a), f32x4_min(x.b, y.b)};
}
static inline f32x8 f32x8_max(f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_max(x.a, y.a), f32x4_max(x.b, y.b)};
}
static inline f32x8 f32x8_sqrt(f32x8 x)
{
    return (f32x8){f32x4_sqrt(x.a), f32x4_sqrt(x.b)};
}
static inline f32x8 f32x8_abs(f32x8 x)
{
    return (f32x8){f32x4_abs(x.a), f32x4_abs(x.b)};
}
static inline m32x8 f32x8_le(f32x8 x, f32x8 y)
{
    return (m32x8){f32x4_le(x.a, y.a), f32x4_le(x.b, y.b)};
}
static inline m32x8 f32x8_lt(f32x8 x, f32x8 y)
{
    return (m32x8){f32x4_lt(x.a, y.a), f32x4_lt(x.b, y.b)};
}
static inline m32x8 m32x8_and(m32x8 x, m32x8 y)
{
    return (m32x8){m32x4_and(x.a, y.a), m32x4_and(x.b, y.b)};
}
static inline m32x8 m32x8_or(m32x8 x, m32x8 y)
{
    return (m32x8){m32x4_or(x.a, y.a), m32x4_or(x.b, y.b)};
}
static inline unsigned m32x8_bits(m32x8 x)
{
    return m32x4_bits(x.a) | m32x4_bits(x.b) << 4;
}
/** mask ? x : y */
static inline f32x8 f32x8_select(m32x8 mask, f32x8 x, f32x8 y)
{
    return (f32x8){f32x4_select(mask.a, x.a, y.a), f32x4_select(mask.b, x.b, y.b)};
}

typedef struct f64x4 {
    f64x2 a, b; /* lanes 0 to 1, 2 to 3 */
} f64x4;
typedef struct m64x4 {
    m64x2 a, b;
} m64x4;

static inline f64x4 f64x4_set(double x)
{
    return (f64x4){f64x2_set(x), f64x2_set(x)};
}
/** No alignment needed. */
static inline f64x4 f64x4_load(const double *p)
{
    return (f64x4){f64x2_load(p), f64x2_load(p + 2)};
}
static inline void f64x4_store(double *p, f64x4 x)
{
    f64x2_store(p, x.a);
    f64x2_store(p + 2, x.b);
}
static inline f64x4 f64x4_add(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_add(x.a, y.a), f64x2_add(x.b, y.b)};
}
static inline f64x4 f64x4_sub(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_sub(x.a, y.a), f64x2_sub(x.b, y.b)};
}
static inline f64x4 f64x4_mul(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_mul(x.a, y.a), f64x2_mul(x.b, y.b)};
}
static inline f64x4 f64x4_div(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_div(x.a, y.a), f64x2_div(x.b, y.b)};
}
static inline f64x4 f64x4_min(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_min(x.a, y.a), f64x2_min(x.b, y.b)};
}
static inline f64x4 f64x4_max(f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_max(x.a, y.a), f64x2_max(x.b, y.b)};
}
static inline f64x4 f64x4_sqrt(f64x4 x)
{
    return (f64x4){f64x2_sqrt(x.a), f64x2_sqrt(x.b)};
}
static inline f64x4 f64x4_abs(f64x4 x)
{
    return (f64x4){f64x2_abs(x.a), f64x2_abs(x.b)};
}
static inline m64x4 f64x4_le(f64x4 x, f64x4 y)
{
    return (m64x4){f64x2_le(x.a, y.a), f64x2_le(x.b, y.b)};
}
static inline m64x4 f64x4_lt(f64x4 x, f64x4 y)
{
    return (m64x4){f64x2_lt(x.a, y.a), f64x2_lt(x.b, y.b)};
}
static inline m64x4 m64x4_and(m64x4 x, m64x4 y)
{
    return (m64x4){m64x2_and(x.a, y.a), m64x2_and(x.b, y.b)};
}
static inline m64x4 m64x4_or(m64x4 x, m64x4 y)
{
    return (m64x4){m64x2_or(x.a, y.a), m64x2_or(x.b, y.b)};
}
static inline unsigned m64x4_bits(m64x4 x)
{
    return m64x2_bits(x.a) | m64x2_bits(x.b) << 2;
}
/** mask ? x : y */
static inline f64x4 f64x4_select(m64x4 mask, f64x4 x, f64x4 y)
{
    return (f64x4){f64x2_select(mask.a, x.a, y.a), f64x2_select(mask.b, x.b, y.b)};
}

#endif

#endif
