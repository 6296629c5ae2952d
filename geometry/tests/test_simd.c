#include "geometry/simd.h"

#include "geometry/geometry.h"

#include <criterion/criterion.h>

TestSuite(simd, .timeout = 60);

/* Values where an instruction and a plain operator could differ. */
static const float special[] = {
    0.0F,      -0.0F,    1.0F,      -1.0F, 0x1p-149F, -0x1p-140F,    0x1p-126F,   0x1.fffffep127F,
    -0x1p127F, INFINITY, -INFINITY, NAN,   0.1F,      0x1.000002p0F, -0x1.8p-60F, 3.0F};
enum { SPECIALS = sizeof special / sizeof *special };

static bool same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void fill(geo_random *random, int round, float x[8], float y[8])
{
    for (int i = 0; i < 8; i++) {
        if (round < SPECIALS * SPECIALS) {
            x[i] = special[(round / SPECIALS + i) % SPECIALS];
            y[i] = special[(round + 2 * i) % SPECIALS];
        } else {
            const int e = (int)geo_random_below(random, 40) - 20;
            x[i] = ldexpf((float)geo_random_range(random, -1, 1), e);
            y[i] = geo_random_below(random, 4) == 0 ? x[i] : (float)geo_random_range(random, -9, 9);
        }
    }
}

#define CHECK8(call, expression)                                                                   \
    do {                                                                                           \
        float got[8];                                                                              \
        f32x8_store(got, call);                                                                    \
        for (int i = 0; i < 8; i++) {                                                              \
            const float a = x[i], b = y[i], want = (expression);                                   \
            (void)a, (void)b;                                                                      \
            cr_assert(same_float(got[i], want), "%s lane %d of %a, %a: %a instead of %a", #call,   \
                      i, (double)a, (double)b, (double)got[i], (double)want);                      \
        }                                                                                          \
    } while (0)

#define CHECK2(call, expression)                                                                   \
    do {                                                                                           \
        double got[2];                                                                             \
        f64x2_store(got, call);                                                                    \
        for (int i = 0; i < 2; i++) {                                                              \
            const double a = p[i], b = q[i], want = (expression);                                  \
            (void)a, (void)b;                                                                      \
            cr_assert(same_double(got[i], want), "%s lane %d of %a, %a: %a instead of %a", #call,  \
                      i, a, b, got[i], want);                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_BITS(bits, lanes, left, right, operator)                                             \
    do {                                                                                           \
        unsigned want = 0;                                                                         \
        for (int i = 0; i < (lanes); i++) {                                                        \
            want |= (unsigned)((left)[i] operator(right)[i]) << i;                                 \
        }                                                                                          \
        cr_assert_eq(bits, want, "%s: %x instead of %x", #bits, bits, want);                       \
    } while (0)

static void check_floats(const float x[8], const float y[8])
{
    const f32x8 a8 = f32x8_load(x), b8 = f32x8_load(y);
    CHECK8(f32x8_add(a8, b8), a + b);
    CHECK8(f32x8_sub(a8, b8), a - b);
    CHECK8(f32x8_mul(a8, b8), a * b);
    CHECK8(f32x8_div(a8, b8), a / b);
    CHECK8(f32x8_min(a8, b8), a < b ? a : b);
    CHECK8(f32x8_max(a8, b8), a > b ? a : b);
    CHECK8(f32x8_abs(a8), fabsf(a));
    CHECK8(f32x8_sqrt(f32x8_abs(a8)), sqrtf(fabsf(a)));
    CHECK8(f32x8_set(x[3]), x[3]);
    CHECK8(f32x8_select(f32x8_lt(a8, b8), a8, b8), a < b ? a : b);
    CHECK_BITS(m32x8_bits(f32x8_le(a8, b8)), 8, x, y, <=);
    CHECK_BITS(m32x8_bits(f32x8_lt(a8, b8)), 8, x, y, <);
    const unsigned le = m32x8_bits(f32x8_le(a8, b8)), ge = m32x8_bits(f32x8_le(b8, a8));
    cr_assert_eq(m32x8_bits(m32x8_and(f32x8_le(a8, b8), f32x8_le(b8, a8))), le & ge);
    cr_assert_eq(m32x8_bits(m32x8_or(f32x8_le(a8, b8), f32x8_le(b8, a8))), le | ge);
}

static void check_doubles(const float x[8], const float y[8])
{
    const double p[2] = {(double)x[0] / 3, (double)x[1] * 1e30};
    const double q[2] = {(double)y[0] / 7, (double)y[1] * 1e30};
    const f64x2 a2 = f64x2_load(p), b2 = f64x2_load(q);
    CHECK2(f64x2_add(a2, b2), a + b);
    CHECK2(f64x2_sub(a2, b2), a - b);
    CHECK2(f64x2_mul(a2, b2), a * b);
    CHECK2(f64x2_div(a2, b2), a / b);
    CHECK2(f64x2_min(a2, b2), a < b ? a : b);
    CHECK2(f64x2_max(a2, b2), a > b ? a : b);
    CHECK2(f64x2_abs(a2), fabs(a));
    CHECK2(f64x2_sqrt(f64x2_abs(a2)), sqrt(fabs(a)));
    CHECK2(f64x2_set(p[1]), p[1]);
    CHECK2(f64x2_select(f64x2_lt(a2, b2), a2, b2), a < b ? a : b);
    CHECK_BITS(m64x2_bits(f64x2_le(a2, b2)), 2, p, q, <=);
    CHECK_BITS(m64x2_bits(f64x2_lt(a2, b2)), 2, p, q, <);
    const unsigned le = m64x2_bits(f64x2_le(a2, b2)), ge = m64x2_bits(f64x2_le(b2, a2));
    cr_assert_eq(m64x2_bits(m64x2_and(f64x2_le(a2, b2), f64x2_le(b2, a2))), le & ge);
    cr_assert_eq(m64x2_bits(m64x2_or(f64x2_le(a2, b2), f64x2_le(b2, a2))), le | ge);
}

/** Both branches of the header must equal the plain operators, hence each other. */
Test(simd, operations_equal_plain_ones)
{
    const uint64_t seed = 41;
    geo_random random = geo_random_seed(seed);
    for (int round = 0; round < 5000; round++) {
        float x[8], y[8];
        fill(&random, round, x, y);
        check_floats(x, y);
        check_doubles(x, y);
    }
}

Test(simd, loads_need_no_alignment)
{
    float x[9] = {0}, out[9] = {0};
    for (int i = 0; i < 9; i++) {
        x[i] = (float)i;
    }
    f32x8_store(out + 1, f32x8_load(x + 1));
    cr_assert_eq(memcmp(out + 1, x + 1, 8 * sizeof(float)), 0);
    cr_assert_eq(out[0], 0.0F);
}
