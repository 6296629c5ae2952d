#include "base/elementary.h"
#include "base/hash.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

/* The reference is the C library in long double: with 64 bits of mantissa, its own error is less
 * than 0.001 of an ulp of double. */
_Static_assert(LDBL_MANT_DIG >= 64, "the reference has more digits than what it checks");

#define SWEEP 100000

/** Returns the difference in units of the last place of a double at `expected`. */
static double ulps(double value, long double expected)
{
    const double size = fmax(fabs((double)expected), DBL_MIN);
    return (double)fabsl((long double)value - expected) / ldexp(1, ilogb(size) - 52);
}

typedef double function(double x);
typedef long double reference(long double x);

/** Tests arguments with a uniform distribution in [lo, hi). */
static void sweep(const char *name, function *f, reference *g, double lo, double hi, double bound)
{
    base_random random = base_random_seed(1);
    for (int i = 0; i < SWEEP; i++) {
        const double x = base_random_range(&random, lo, hi);
        const double error = ulps(f(x), g((long double)x));
        cr_assert_leq(error, bound, "%s(%a) = %a is off by %g ulp", name, x, f(x), error);
    }
}

/**
 * Tests centre + sign 2^-e u, e uniform below `exponents`: as dense near the centre as doubles are.
 */
static void sweep_around(const char *name, function *f, reference *g, double centre, int exponents,
                         double bound)
{
    base_random random = base_random_seed(2);
    for (int i = 0; i < SWEEP; i++) {
        const int e = (int)base_random_below(&random, (uint64_t)exponents);
        const double x = centre + ldexp(base_random_range(&random, -1, 1), -e);
        const double error = ulps(f(x), g((long double)x));
        cr_assert_leq(error, bound, "%s(%a) = %a is off by %g ulp", name, x, f(x), error);
    }
}

/** Draws a positive double of any size, including subnormal ones. */
static double any_positive(base_random *random)
{
    const int e = (int)base_random_below(random, 2097) - 1073;
    return ldexp(base_random_range(random, 1, 2), e);
}

/* --- exp, log, pow, cbrt ---------------------------------------------------------------------- */

Test(elementary, exp_is_within_an_ulp)
{
    sweep("exp", base_exp, expl, -1, 1, 0.7);
    sweep("exp", base_exp, expl, -708, 709.7, 0.7);
    sweep("exp", base_exp, expl, -745, -708, 1.01); /* subnormal results are rounded twice */
    sweep_around("exp", base_exp, expl, 0, 1080, 0.7);
    for (int k = -1020; k <= 1020; k++) { /* arguments where the reduced argument changes sign */
        for (int side = -1; side <= 1; side++) {
            const double x = (k / 2.0 + side * 1e-15) * 0.6931471805599453;
            const double error = ulps(base_exp(x), expl((long double)x));
            cr_assert_leq(error, 0.7, "exp(%a) is off by %g ulp", x, error);
        }
    }
}

Test(elementary, exp_at_its_ends)
{
    cr_assert_eq(base_exp(0), 1);
    cr_assert_eq(base_exp(-0.0), 1);
    cr_assert_eq(base_exp(1), 2.7182818284590452);
    cr_assert_eq(base_exp(0x1p-60), 1);
    cr_assert(isfinite(base_exp(709.78)));
    cr_assert_eq(base_exp(709.79), INFINITY);
    cr_assert_eq(base_exp(INFINITY), INFINITY);
    cr_assert_eq(base_exp(DBL_MAX), INFINITY);
    cr_assert_eq(base_exp(-745.1), 0x1p-1074);
    cr_assert_eq(base_exp(-745.2), 0);
    cr_assert_eq(base_exp(-INFINITY), 0);
    cr_assert_eq(base_exp(-DBL_MAX), 0);
    cr_assert(isnan(base_exp(NAN)));
}

Test(elementary, log_is_within_an_ulp)
{
    sweep("log", base_log, logl, 0, 4, 0.6);
    sweep_around("log", base_log, logl, 1, 53, 0.6);
    base_random random = base_random_seed(3);
    for (int i = 0; i < SWEEP; i++) {
        const double x = any_positive(&random);
        const double error = ulps(base_log(x), logl((long double)x));
        cr_assert_leq(error, 0.6, "log(%a) is off by %g ulp", x, error);
    }
}

Test(elementary, log_at_its_ends)
{
    cr_assert(base_log(1) == 0 && !signbit(base_log(1)));
    cr_assert_eq(base_log(0), -INFINITY);
    cr_assert_eq(base_log(-0.0), -INFINITY);
    cr_assert_eq(base_log(INFINITY), INFINITY);
    cr_assert_eq(base_log(DBL_MAX), (double)logl((long double)DBL_MAX));
    cr_assert_eq(base_log(0x1p-1074), (double)logl(0x1p-1074L));
    cr_assert(isnan(base_log(-1)) && isnan(base_log(-INFINITY)) && isnan(base_log(NAN)));
    for (int k = -1074; k < 1024; k++) {
        cr_assert_eq(base_log(ldexp(1, k)), (double)(k * logl(2)), "log 2^%d", k);
    }
}

Test(elementary, pow_error_grows_slowly)
{
    const struct {
        double base, exponent;
    } ranges[] = {
        {4, 4},
        {100, 100},
        {2, 700},
        {1e6, 3},
    };
    for (int k = 0; k < 4; k++) {
        base_random random = base_random_seed(4);
        for (int i = 0; i < SWEEP; i++) {
            const double x = base_random_range(&random, 1 / ranges[k].base, ranges[k].base);
            const double y = base_random_range(&random, -ranges[k].exponent, ranges[k].exponent);
            const double bound = 1 + fabs(y * log(x)) / 16;
            const double error = ulps(base_pow(x, y), powl((long double)x, (long double)y));
            cr_assert_leq(error, bound, "pow(%a, %a) is off by %g ulp, not %g", x, y, error, bound);
        }
    }
}

Test(elementary, pow_of_whole_numbers_is_exact)
{
    for (int k = -1022; k < 1024; k++) {
        cr_assert_eq(base_pow(2, k), ldexp(1, k), "2^%d", k);
        cr_assert_leq(ulps(base_pow(ldexp(1, k), 0.5), sqrtl(ldexpl(1, k))), 0.7, "sqrt 2^%d", k);
    }
    for (int n = 1; n <= 200; n++) {
        cr_assert_eq(base_pow(n, 1), n);
        cr_assert_eq(base_pow(n, 2), n * n, "%d^2 is %.17g", n, base_pow(n, 2));
        cr_assert_eq(base_pow(n, 3), n * n * n, "%d^3 is %.17g", n, base_pow(n, 3));
    }
}

Test(elementary, pow_at_its_ends)
{
    const double bases[] = {0, 1e-300, 0.5, 1, 2, 1e300, INFINITY};
    for (int i = 0; i < 7; i++) {
        cr_assert_eq(base_pow(bases[i], 0), 1, "%g^0", bases[i]);
        cr_assert(isnan(base_pow(bases[i], NAN)), "%g^NaN", bases[i]);
    }
    cr_assert_eq(base_pow(1, 1e300), 1);
    cr_assert_eq(base_pow(1, -DBL_MAX), 1);
    cr_assert_eq(base_pow(2, 1e300), INFINITY);
    cr_assert_eq(base_pow(2, -1e300), 0);
    cr_assert_eq(base_pow(nextafter(1, 2), DBL_MAX), INFINITY);
    cr_assert_eq(base_pow(nextafter(1, 0), DBL_MAX), 0);
    cr_assert_eq(base_pow(2, 1024), INFINITY);
    cr_assert_eq(base_pow(2, -1074), 0x1p-1074);
    cr_assert_eq(base_pow(2, 1e-300), 1);
    cr_assert_eq(base_pow(0, 3), 0);
    cr_assert_eq(base_pow(0, -3), INFINITY);
    cr_assert_eq(base_pow(INFINITY, 3), INFINITY);
    cr_assert_eq(base_pow(INFINITY, -3), 0);
    cr_assert(isnan(base_pow(-2, 2)) && isnan(base_pow(NAN, 2)));
}

Test(elementary, cbrt_is_within_an_ulp)
{
    sweep("cbrt", base_cbrt, cbrtl, 0, 8, 0.7);
    sweep("cbrt", base_cbrt, cbrtl, -8, 0, 0.7);
    base_random random = base_random_seed(5);
    for (int i = 0; i < SWEEP; i++) {
        const double x = any_positive(&random);
        const double error = ulps(base_cbrt(x), cbrtl((long double)x));
        cr_assert_leq(error, 0.7, "cbrt(%a) is off by %g ulp", x, error);
    }
}

Test(elementary, cbrt_of_cubes_is_exact)
{
    for (int n = 0; n <= 2000; n++) {
        const double cube = (double)n * n * n;
        cr_assert_eq(base_cbrt(cube), n, "%d", n);
        cr_assert_eq(base_cbrt(-cube), -n, "%d", n);
    }
    cr_assert(signbit(base_cbrt(-0.0)));
    cr_assert_eq(base_cbrt(0x1p-1074), 0x1p-358);
    cr_assert_eq(base_cbrt(INFINITY), INFINITY);
    cr_assert_eq(base_cbrt(-INFINITY), -INFINITY);
    cr_assert(isnan(base_cbrt(NAN)));
}

/* --- sin, cos --------------------------------------------------------------------------------- */

Test(elementary, sine_and_cosine_are_within_an_ulp)
{
    sweep("sin", base_sin, sinl, -7, 7, 0.9);
    sweep("cos", base_cos, cosl, -7, 7, 0.9);
    sweep("sin", base_sin, sinl, -1e5, 1e5, 0.9);
    sweep("cos", base_cos, cosl, -1e5, 1e5, 0.9);
    sweep_around("sin", base_sin, sinl, 0, 1070, 0.9);
    sweep_around("cos", base_cos, cosl, 0, 1070, 0.9);
}

/* The doubles next to k pi/4: near a zero, nearly all digits of x cancel. */
Test(elementary, sine_and_cosine_next_to_multiples_of_pi)
{
    for (int k = 0; k <= 127323; k++) {
        double x = k * (BASE_PI / 4);
        for (int i = 0; i < 3; i++) {
            const double s = ulps(base_sin(x), sinl((long double)x));
            const double c = ulps(base_cos(x), cosl((long double)x));
            cr_assert_leq(s, 0.9, "sin(%a) is off by %g ulp", x, s);
            cr_assert_leq(c, 0.9, "cos(%a) is off by %g ulp", x, c);
            x = nextafter(x, INFINITY);
        }
    }
}

Test(elementary, sine_and_cosine_exactly)
{
    cr_assert_eq(base_sin(0), 0);
    cr_assert(!signbit(base_sin(0)) && signbit(base_sin(-0.0)));
    cr_assert_eq(base_sin(0x1p-1074), 0x1p-1074);
    cr_assert_eq(base_cos(0), 1);
    cr_assert_eq(base_cos(-0.0), 1);
    cr_assert_eq(base_cos(BASE_PI), -1);
    cr_assert_eq(base_sin(BASE_PI / 2), 1);
    cr_assert_eq(base_sin(-BASE_PI / 2), -1);
    cr_assert_eq(base_sin(BASE_PI), 0x1.1a62633145c07p-53); /* pi minus its nearest double */
    cr_assert_eq(base_cos(BASE_PI / 2), 0x1.1a62633145c07p-54);
    cr_assert(isnan(base_sin(NAN)) && isnan(base_cos(NAN)));
    cr_assert(isnan(base_sin(INFINITY)) && isnan(base_cos(-INFINITY)));
    base_random random = base_random_seed(6);
    for (int i = 0; i < SWEEP; i++) {
        const double x = base_random_range(&random, -100, 100);
        const double s = base_sin(x), c = base_cos(x);
        cr_assert_eq(base_sin(-x), -s, "sin is odd at %a", x);
        cr_assert_eq(base_cos(-x), c, "cos is even at %a", x);
        cr_assert(fabs(s) <= 1 && fabs(c) <= 1, "at %a", x);
        cr_assert_float_eq(s * s + c * c, 1, 4e-16, "at %a", x);
    }
}

/* --- atan2, acos ------------------------------------------------------------------------------ */

Test(elementary, atan2_is_within_an_ulp)
{
    const int scales[] = {1, 60, 200, 2000};
    for (int k = 0; k < 4; k++) {
        base_random random = base_random_seed(7);
        const uint64_t n = (uint64_t)scales[k];
        for (int i = 0; i < SWEEP; i++) {
            const int ey = (int)base_random_below(&random, n) - scales[k] / 2;
            const int ex = (int)base_random_below(&random, n) - scales[k] / 2;
            const double y = ldexp(base_random_range(&random, -1, 1), ey);
            const double x = ldexp(base_random_range(&random, -1, 1), ex);
            const long double expected = atan2l((long double)y, (long double)x);
            const double error = ulps(base_atan2(y, x), expected);
            /* A subnormal angle is rounded twice. */
            const double bound = fabsl(expected) < (long double)DBL_MIN ? 1.01 : 0.7;
            cr_assert_leq(error, bound, "atan2(%a, %a) is off by %g ulp", y, x, error);
        }
    }
}

/* Slopes next to those where the table's entry changes, and next to its entries. */
Test(elementary, atan2_at_the_seams)
{
    for (int k = 0; k <= 32; k++) {
        double y = k / 16.0;
        for (int i = -3; i <= 3; i++) {
            const double t = y + i * 0x1p-53 * (k == 0 ? 1 : k);
            const double error = ulps(base_atan2(t, 1), atan2l((long double)t, 1));
            cr_assert_leq(error, 0.7, "atan2(%a, 1) is off by %g ulp", t, error);
        }
    }
}

Test(elementary, atan2_on_the_axes_and_diagonals)
{
    const struct {
        double y, x, angle;
    } cases[] = {
        {0, 0, 0},
        {-0.0, -0.0, 0},
        {0, 1, 0},
        {-0.0, 1, 0},
        {1, 1, BASE_PI / 4},
        {1, 0, BASE_PI / 2},
        {1, -0.0, BASE_PI / 2},
        {1, -1, 3 * BASE_PI / 4},
        {0, -1, BASE_PI},
        {-0.0, -1, BASE_PI}, /* never -pi */
        {-1, -1, -3 * BASE_PI / 4},
        {-1, 0, -BASE_PI / 2},
        {-1, 1, -BASE_PI / 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int e = -1000; e <= 1000; e += 500) {
            const double angle = base_atan2(ldexp(cases[i].y, e), ldexp(cases[i].x, e));
            cr_assert_eq(angle, cases[i].angle, "atan2(%g, %g) 2^%d is %.17g", cases[i].y,
                         cases[i].x, e, angle);
        }
    }
    cr_assert_eq(base_atan2(DBL_MAX, 0x1p-1074), BASE_PI / 2);
    cr_assert_eq(base_atan2(0x1p-1074, DBL_MAX), 0);
    cr_assert_eq(base_atan2(0x1p-1074, -DBL_MAX), BASE_PI);
    cr_assert_eq(base_atan2(0x1p-1074, 0x1p-1074), BASE_PI / 4);
    cr_assert(isnan(base_atan2(NAN, 1)) && isnan(base_atan2(1, NAN)));
    cr_assert(isnan(base_atan2(INFINITY, 1)) && isnan(base_atan2(1, -INFINITY)));
}

Test(elementary, acos_is_within_an_ulp)
{
    sweep("acos", base_acos, acosl, -1, 1, 0.7);
    base_random random = base_random_seed(8);
    for (int i = 0; i < SWEEP; i++) {
        const int e = (int)base_random_below(&random, 60);
        const double u = ldexp(base_random_unit(&random), -e);
        const double xs[] = {1 - u, u - 1, u, -u};
        for (int k = 0; k < 4; k++) {
            const double error = ulps(base_acos(xs[k]), acosl((long double)xs[k]));
            cr_assert_leq(error, 0.7, "acos(%a) is off by %g ulp", xs[k], error);
        }
    }
}

Test(elementary, acos_at_its_ends)
{
    cr_assert(base_acos(1) == 0 && !signbit(base_acos(1)));
    cr_assert_eq(base_acos(-1), BASE_PI);
    cr_assert_eq(base_acos(0), BASE_PI / 2);
    cr_assert_eq(base_acos(-0.0), BASE_PI / 2);
    cr_assert_eq(base_acos(nextafter(1, 2)), 0);
    cr_assert_eq(base_acos(2), 0);
    cr_assert_eq(base_acos(INFINITY), 0);
    cr_assert_eq(base_acos(-2), BASE_PI);
    cr_assert_eq(base_acos(-INFINITY), BASE_PI);
    cr_assert(isnan(base_acos(NAN)));
}

/* --- Upper halves of floats ------------------------------------------------------------------- */

/** Checks that the half is not below x and the previous half is. */
static void check_half(double x)
{
    const uint16_t half = base_half_above(x);
    cr_assert_geq((double)base_half_value(half), x, "half of %a: %a", x,
                  (double)base_half_value(half));
    cr_assert(half == 0 || (double)base_half_value((uint16_t)(half - 1)) < x,
              "half of %a: %a is not the smallest", x, (double)base_half_value(half));
}

Test(elementary, half_above_is_the_smallest_one_not_below)
{
    for (uint32_t half = 0; half <= 0x7f80; half++) { /* all halves; infinity is the last one */
        const float value = base_half_value((uint16_t)half);
        cr_assert_eq(base_half_above((double)value), half, "of its own value %a", (double)value);
        check_half((double)nextafterf(value, INFINITY));
        check_half((double)nextafterf(value, 0));
        check_half(nextafter((double)value, (double)INFINITY));
    }
    base_random random = base_random_seed(10);
    for (int i = 0; i < SWEEP; i++) {
        const int e = (int)base_random_below(&random, 300) - 170;
        check_half(ldexp(base_random_range(&random, 1, 2), e));
    }
}

Test(elementary, half_above_at_its_ends)
{
    cr_assert_eq(base_half_above(0), 0);
    cr_assert_eq(base_half_value(0), 0);
    cr_assert_eq(base_half_above(1), 0x3f80);
    cr_assert_eq(base_half_above(1 + 0x1p-7), 0x3f81);
    cr_assert_eq(base_half_above(1 + 0x1p-50), 0x3f81);
    cr_assert_eq(base_half_above(0x1p-1074), 1); /* the smallest float with an upper half is
                                                  * 2^-133 */
    cr_assert_eq(base_half_value(1), 0x1p-133F);
    cr_assert_eq(base_half_above(0x1p-133), 1);
    cr_assert_eq(base_half_above(0x1p-126), 0x0080);
    cr_assert_eq(base_half_value(0x7f7f), 0x1.fep127F);
    cr_assert_eq(base_half_above(0x1.fep127), 0x7f7f);
    cr_assert_eq(base_half_above((double)FLT_MAX), 0x7f80);
    cr_assert_eq(base_half_above(DBL_MAX), 0x7f80);
    cr_assert_eq(base_half_above((double)INFINITY), 0x7f80);
    cr_assert_eq(base_half_value(0x7f80), INFINITY);
}

/* --- The same bits everywhere ----------------------------------------------------------------- */

Test(elementary, the_bits_are_fixed)
{
    base_random random = base_random_seed(9);
    base_hasher *const hasher = base_hasher_create();
    for (int i = 0; i < 20000; i++) {
        const double u = base_random_unit(&random), v = base_random_range(&random, -3, 3);
        const double values[] = {base_exp(200 * v),      base_log(u),        base_pow(u, v),
                                 base_cbrt(u),           base_sin(1000 * v), base_cos(1000 * v),
                                 base_atan2(u - 0.5, v), base_acos(v / 3)};
        base_hasher_add(hasher, values, sizeof values);
    }
    const base_hash_text text = base_hash_format(base_hasher_finish(hasher));
    cr_assert_str_eq(text.hex, "c93ae80f68a401eb7181d5d3fa575b01");
}

/* --- Sums and products without error ---------------------------------------------------------- */

static double any(base_random *random)
{
    return ldexp(base_random_range(random, -1, 1), (int)base_random_below(random, 120) - 60);
}

/** Compared with fused multiply-add, which gives the error of a product, and with integers. */
Test(elementary, twofold_operations_lose_nothing)
{
    base_random random = base_random_seed(81);
    for (int i = 0; i < 100000; i++) {
        const double a = any(&random), b = any(&random);
        const base_two p = base_two_product(a, b), s = base_two_sum(a, b);
        cr_assert_eq(p.high, a * b);
        cr_assert_eq(p.low, fma(a, b, -p.high), "%a %a", a, b);
        const double larger = fabs(a) > fabs(b) ? a : b, smaller = fabs(a) > fabs(b) ? b : a;
        cr_assert_eq(s.high, a + b);
        cr_assert_eq(s.low, smaller - (s.high - larger), "%a %a", a, b);
    }
}
