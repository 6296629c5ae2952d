#include "base/random.h"
#include "base/simd.h"

#include <criterion/criterion.h>

/* Both instruction sets are in one program, each with its own suite. */
#ifdef __AVX2__
#define simd simd_avx2
#else
#define simd simd_sse2
#endif

/* Values for which an instruction and a plain operator may differ. */
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

static void fill(base_random *random, int round, float x[8], float y[8])
{
    for (int i = 0; i < 8; i++) {
        if (round < SPECIALS * SPECIALS) {
            x[i] = special[(round / SPECIALS + i) % SPECIALS];
            y[i] = special[(round + 2 * i) % SPECIALS];
        } else {
            const int e = (int)base_random_below(random, 40) - 20;
            x[i] = ldexpf((float)base_random_range(random, -1, 1), e);
            y[i] =
                base_random_below(random, 4) == 0 ? x[i] : (float)base_random_range(random, -9, 9);
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

/* Four lanes of type f64x2 (twice) or f64x4. */
#define CHECK_DOUBLES(type, lanes, function, expression)                                           \
    do {                                                                                           \
        double got[4];                                                                             \
        for (int k = 0; k < 4; k += (lanes)) {                                                     \
            const type u = type##_load(p + k), w = type##_load(q + k);                             \
            (void)w;                                                                               \
            type##_store(got + k, function);                                                       \
        }                                                                                          \
        for (int i = 0; i < 4; i++) {                                                              \
            const double a = p[i], b = q[i], want = (expression);                                  \
            (void)a, (void)b;                                                                      \
            cr_assert(same_double(got[i], want), "%s lane %d of %a, %a: %a instead of %a",         \
                      #function, i, a, b, got[i], want);                                           \
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

#define CHECK_ALL_DOUBLES(type, mask, lanes)                                                       \
    do {                                                                                           \
        CHECK_DOUBLES(type, lanes, type##_add(u, w), a + b);                                       \
        CHECK_DOUBLES(type, lanes, type##_sub(u, w), a - b);                                       \
        CHECK_DOUBLES(type, lanes, type##_mul(u, w), a *b);                                        \
        CHECK_DOUBLES(type, lanes, type##_div(u, w), a / b);                                       \
        CHECK_DOUBLES(type, lanes, type##_min(u, w), a < b ? a : b);                               \
        CHECK_DOUBLES(type, lanes, type##_max(u, w), a > b ? a : b);                               \
        CHECK_DOUBLES(type, lanes, type##_abs(u), fabs(a));                                        \
        CHECK_DOUBLES(type, lanes, type##_sqrt(type##_abs(u)), sqrt(fabs(a)));                     \
        CHECK_DOUBLES(type, lanes, type##_set(p[1]), p[1]);                                        \
        CHECK_DOUBLES(type, lanes, type##_select(type##_lt(u, w), u, w), a < b ? a : b);           \
        const type u = type##_load(p), w = type##_load(q);                                         \
        CHECK_BITS(mask##_bits(type##_le(u, w)), lanes, p, q, <=);                                 \
        CHECK_BITS(mask##_bits(type##_lt(u, w)), lanes, p, q, <);                                  \
        const unsigned le = mask##_bits(type##_le(u, w)), ge = mask##_bits(type##_le(w, u));       \
        cr_assert_eq(mask##_bits(mask##_and(type##_le(u, w), type##_le(w, u))), le &ge);           \
        cr_assert_eq(mask##_bits(mask##_or(type##_le(u, w), type##_le(w, u))), le | ge);           \
    } while (0)

static void check_doubles(const float x[8], const float y[8])
{
    double p[4], q[4];
    for (int i = 0; i < 4; i++) {
        p[i] = i % 2 == 0 ? (double)x[i] / 3 : (double)x[i] * 1e30;
        q[i] = i % 2 == 0 ? (double)y[i] / 7 : (double)y[i] * 1e30;
    }
    CHECK_ALL_DOUBLES(f64x2, m64x2, 2);
}

static void check_wide_doubles(const float x[8], const float y[8])
{
    double p[4], q[4];
    for (int i = 0; i < 4; i++) {
        p[i] = (double)x[i] / 3;
        q[i] = (double)y[i + 4] * 1e30;
    }
    CHECK_ALL_DOUBLES(f64x4, m64x4, 4);
    double got[4];
    f64x4_store(got, f64x4_lanes(p[0], p[1], p[2], p[3]));
    for (int i = 0; i < 4; i++) {
        cr_assert(same_double(got[i], p[i]), "lane %d: %a instead of %a", i, got[i], p[i]);
    }
}

/** Truncation towards 0, up to the ends of the range. */
Test(simd, truncation_is_that_of_a_conversion)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    const double values[] = {0.0,  -0.0, 0x1p-1074, 0.5,  1 - 0x1p-53, 1,           2.5,  -0.99,
                             -1.5, 1e9,  -1e9 - .5, 7.99, 2147483647,  -2147483648, 3e-9, -3};
    for (size_t k = 0; k < sizeof values / sizeof *values; k += 4) {
        int32_t wide[4], narrow[2];
        f64x4_truncate(wide, f64x4_load(values + k));
        f64x2_truncate(narrow, f64x2_load(values + k));
        for (size_t i = 0; i < 4; i++) {
            cr_assert_eq(wide[i], (int32_t)values[k + i], "%a: %d", values[k + i], wide[i]);
            cr_assert(i >= 2 || narrow[i] == wide[i], "%a: %d", values[k + i], narrow[i]);
        }
    }
}

/* --- Integers --------------------------------------------------------------------------------- */

#define CHECK_INTEGERS(call, expression)                                                           \
    do {                                                                                           \
        int32_t got[8];                                                                            \
        i32x8_store(got, call);                                                                    \
        for (int i = 0; i < 8; i++) {                                                              \
            const int32_t a = x[i], b = y[i], want = (expression);                                 \
            (void)a, (void)b;                                                                      \
            cr_assert_eq(got[i], want, "%s lane %d of %d, %d: %d instead of %d", #call, i, a, b,   \
                         got[i], want);                                                            \
        }                                                                                          \
    } while (0)

static const int32_t special_integers[] = {
    0,      1,       -1,     2,       INT32_MAX, INT32_MIN, INT32_MAX - 1, INT32_MIN + 1,
    0x7fff, -0x8000, 0xffff, 0x10000, 0x1000000, 0x1000001, -0x1000003,    0x7fffffbf,
};
enum { SPECIAL_INTEGERS = sizeof special_integers / sizeof *special_integers };

static void fill_integers(base_random *random, int round, int32_t x[8], int32_t y[8])
{
    for (int i = 0; i < 8; i++) {
        if (round < SPECIAL_INTEGERS * SPECIAL_INTEGERS) {
            x[i] = special_integers[(round / SPECIAL_INTEGERS + i) % SPECIAL_INTEGERS];
            y[i] = special_integers[(round + 2 * i) % SPECIAL_INTEGERS];
        } else {
            const int bits = (int)base_random_below(random, 32);
            x[i] = (int32_t)(base_random_u64(random) >> 32) >> bits;
            y[i] =
                base_random_below(random, 4) == 0 ? x[i] : (int32_t)(base_random_u64(random) >> 32);
        }
    }
}

/** Checks that sums and products equal those of wider numbers, which do not overflow. */
static void check_sums(const int32_t wide_x[8], const int32_t wide_y[8])
{
    int32_t x[8], y[8];
    for (int i = 0; i < 8; i++) {
        x[i] = wide_x[i] / 2;
        y[i] = wide_y[i] / 2;
    }
    CHECK_INTEGERS(i32x8_add(i32x8_load(x), i32x8_load(y)), a + b);
    CHECK_INTEGERS(i32x8_sub(i32x8_load(x), i32x8_load(y)), a - b);
    for (int i = 0; i < 8; i++) {
        x[i] %= 0x8000;
        y[i] %= 0x10000;
    }
    CHECK_INTEGERS(i32x8_mul(i32x8_load(x), i32x8_load(y)), a * b);
}

static void check_integers(const int32_t x[8], const int32_t y[8], int shift)
{
    const i32x8 a8 = i32x8_load(x), b8 = i32x8_load(y);
    CHECK_INTEGERS(a8, a);
    CHECK_INTEGERS(i32x8_set(y[5]), y[5]);
    CHECK_INTEGERS(i32x8_and(a8, b8), a & b);
    CHECK_INTEGERS(i32x8_min(a8, b8), a < b ? a : b);
    CHECK_INTEGERS(i32x8_left(a8, shift), (int32_t)((uint32_t)a << shift));
    CHECK_INTEGERS(i32x8_right(a8, shift), a >> shift);
    CHECK_BITS(m32x8_bits(i32x8_equal(a8, b8)), 8, x, y, ==);
    check_sums(x, y);
    float rounded[8], same_bits[8];
    f32x8_store(rounded, f32x8_of(a8));
    f32x8_store(same_bits, f32x8_bits_of(a8));
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(rounded[i], (float)x[i], "lane %d of %d: %a", i, x[i], (double)rounded[i]);
    }
    cr_assert_eq(memcmp(same_bits, x, sizeof same_bits), 0);
}

/** Checks loads from any address: 16 bits, signed and unsigned. */
static void check_short_loads(const int32_t x[8])
{
    int16_t with[9] = {0};
    uint16_t without[9] = {0};
    int32_t got[8];
    for (int i = 0; i < 8; i++) {
        with[i + 1] = (int16_t)(x[i] % 0x8000);
        without[i + 1] = (uint16_t)x[i];
    }
    i32x8_store(got, i32x8_load_i16(with + 1));
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(got[i], with[i + 1], "lane %d: %d instead of %d", i, got[i], with[i + 1]);
    }
    i32x8_store(got, i32x8_load_u16(without + 1));
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(got[i], without[i + 1], "lane %d: %d instead of %d", i, got[i],
                     without[i + 1]);
    }
}

Test(simd, integers_are_those_of_plain_operators)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    base_random random = base_random_seed(43);
    for (int round = 0; round < 5000; round++) {
        int32_t x[8], y[8];
        fill_integers(&random, round, x, y);
        check_integers(x, y, round % 32);
        check_short_loads(x);
    }
    int32_t last[8];
    i32x8_store(
        last, i32x8_load_i16((const int16_t[8]){INT16_MIN, INT16_MAX, -1, 0, 1, 0, 0, INT16_MIN}));
    cr_assert(last[0] == INT16_MIN && last[1] == INT16_MAX && last[2] == -1 &&
              last[7] == INT16_MIN);
}

/** Truncation towards 0, up to the ends of the range. */
Test(simd, integers_of_floats_are_truncated)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    static const float ends[8] = {0.0F,  -0.0F, 0x1p-149F, 0x1.fffffep-1F, -0x1.fffffep-1F,
                                  -1.5F, 2.5F,  -0x1p31F};
    base_random random = base_random_seed(44);
    for (int round = 0; round < 2000; round++) {
        float x[8];
        int32_t got[8];
        for (int i = 0; i < 8; i++) {
            const int e = (int)base_random_below(&random, 31);
            const float any = ldexpf((float)base_random_range(&random, -1, 1), e);
            x[i] = round == 0 ? ends[i] : round == 1 ? 0x1.fffffep30F : any;
        }
        i32x8_store(got, i32x8_of(f32x8_load(x)));
        for (int i = 0; i < 8; i++) {
            cr_assert_eq(got[i], (int32_t)x[i], "lane %d of %a: %d", i, (double)x[i], got[i]);
        }
    }
}

/** Gathers from places before and after the first byte; they need no alignment. */
Test(simd, gathers_read_only_existing_items)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    enum { REACH = 50 };
    char bytes[8 * REACH + 8];
    base_random random = base_random_seed(45);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)base_random_below(&random, 256);
    }
    for (int round = 0; round < 2000; round++) {
        const char *const p = bytes + 4 * REACH + round % 4;
        int32_t at[8], whole[8], half[8];
        float floats[8];
        for (int i = 0; i < 8; i++) {
            at[i] = (int32_t)base_random_below(&random, 2 * REACH) - REACH;
        }
        const i32x8 places = i32x8_load(at);
        i32x8_store(whole, i32x8_gather(p, places));
        i32x8_store(half, i32x8_gather2(p, places));
        f32x8_store(floats, f32x8_gather(p, places));
        for (int i = 0; i < 8; i++) {
            cr_assert_eq(memcmp(&whole[i], p + 4 * at[i], 4), 0, "lane %d at %d", i, at[i]);
            cr_assert_eq(memcmp(&half[i], p + 2 * at[i], 4), 0, "two bytes: lane %d at %d", i,
                         at[i]);
            cr_assert_eq(memcmp(&floats[i], p + 4 * at[i], 4), 0, "float: lane %d at %d", i, at[i]);
        }
    }
}

Test(simd, permutations_take_any_lanes)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    base_random random = base_random_seed(46);
    for (int round = 0; round < 2000; round++) {
        int32_t from[8], at[8], whole[8];
        float floats[8], moved[8];
        for (int i = 0; i < 8; i++) {
            at[i] = (int32_t)base_random_below(&random, 8);
            from[i] = (int32_t)base_random_below(&random, 1000);
            floats[i] = (float)from[i] + 0.5F;
        }
        const i32x8 places = i32x8_load(at);
        i32x8_store(whole, i32x8_permute(i32x8_load(from), places));
        f32x8_store(moved, f32x8_permute(f32x8_load(floats), places));
        for (int i = 0; i < 8; i++) {
            cr_assert_eq(whole[i], from[at[i]], "lane %d of lane %d", i, at[i]);
            cr_assert_eq(moved[i], floats[at[i]], "float: lane %d of lane %d", i, at[i]);
        }
    }
}

/* --- Across lanes ----------------------------------------------------------------------------- */

Test(simd, least_is_that_of_all_lanes)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    base_random random = base_random_seed(46);
    for (int round = 0; round < 5000; round++) {
        float x[8], y[8], least = INFINITY;
        fill(&random, round, x, y);
        for (int i = 0; i < 8; i++) {
            x[i] = isnan(x[i]) ? INFINITY : x[i];
            least = x[i] < least ? x[i] : least;
        }
        const float got = f32x8_least(f32x8_load(x));
        cr_assert_eq(got, least, "round %d: %a instead of %a", round, (double)got, (double)least);
    }
    for (int lane = 0; lane < 8; lane++) {
        float x[8];
        for (int i = 0; i < 8; i++) {
            x[i] = i == lane ? -2.0F : (float)i;
        }
        cr_assert_eq(f32x8_least(f32x8_load(x)), -2.0F, "lane %d", lane);
    }
}

/* --- All operations --------------------------------------------------------------------------- */

/** Both branches of the header must equal the plain operators, and hence each other. */
Test(simd, operations_equal_plain_ones)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    const uint64_t seed = 41;
    base_random random = base_random_seed(seed);
    for (int round = 0; round < 5000; round++) {
        float x[8], y[8];
        fill(&random, round, x, y);
        check_floats(x, y);
        check_doubles(x, y);
        check_wide_doubles(x, y);
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

/** Lane i has the bytes at its own pointer, and the following ones, at any alignment. */
Test(simd, pairs_are_loaded_by_lane)
{
    if (BASE_SIMD_AVX2 && !base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    enum { BYTES = 200 };
    char bytes[BYTES];
    base_random random = base_random_seed(46);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)base_random_below(&random, 256);
    }
    for (int round = 0; round < 2000; round++) {
        const size_t at = base_random_below(&random, 32);
        const void *p[8];
        for (int i = 0; i < 8; i++) {
            p[i] = bytes + base_random_below(&random, BYTES - 8 - 32);
        }
        int32_t got[2][8];
        i32x8 second;
        i32x8_store(got[0], i32x8_load_pairs(p, at, &second));
        i32x8_store(got[1], second);
        for (int i = 0; i < 8; i++) {
            const char *const want = (const char *)p[i] + at;
            cr_assert_eq(memcmp(&got[0][i], want, 4), 0, "lane %d", i);
            cr_assert_eq(memcmp(&got[1][i], want + 4, 4), 0, "second of lane %d", i);
        }
    }
}
