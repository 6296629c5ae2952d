/*
 * Each function reduces its argument to a short interval and evaluates a Taylor series there;
 * base_cbrt uses Newton's method instead. Where one double would lose the last bits, the functions
 * compute with sums of two doubles (high + low). Exact sums and products are from Dekker 1971.
 */
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>

/** Returns a + b exactly, for |a| >= |b|. */
static base_two sum_ordered(double a, double b)
{
    const double s = a + b;
    return (base_two){s, b - (s - a)};
}

/** Returns a / b to about 100 bits. */
static base_two quotient(base_two a, base_two b)
{
    const double q = a.high / b.high;
    const base_two back = base_two_product(q, b.high);
    const double rest = (a.high - back.high) - back.low + a.low - q * b.low;
    return sum_ordered(q, rest / b.high);
}

/** Returns c[0] + c[1] x + ... + c[n - 1] x^(n - 1). */
static double polynomial(const double *c, int n, double x)
{
    double value = c[n - 1];
    for (int i = n - 2; i >= 0; i--) {
        value = value * x + c[i];
    }
    return value;
}

/* log 2 in two parts: the first has 39 bits, so its product with an exponent is exact. */
static const double LOG2_HIGH = 0x1.62e42fefa4p-1, LOG2_LOW = -0x1.8432a1b0e2634p-43;

/** Returns e^(x + low) for a small correction low. */
static double exp_of_sum(double x, double low)
{
    static const double c[] = {
        1.0 / 2,         1.0 / 6,           1.0 / 24,          1.0 / 120,     1.0 / 720,
        1.0 / 5040,      1.0 / 40320,       1.0 / 362880,      1.0 / 3628800, 1.0 / 39916800.,
        1.0 / 479001600, 1.0 / 6227020800., 1.0 / 87178291200.};
    if (isnan(x)) {
        return x;
    }
    if (x > 710) {
        return INFINITY;
    }
    if (x < -746) {
        return 0;
    }
    const double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
    /* The first difference is exact; |r| <= 0.35. */
    const base_two r = base_two_sum(x - k * LOG2_HIGH, low - k * LOG2_LOW);
    const base_two head = sum_ordered(1, r.high);
    const double tail = r.low + r.high * r.high * polynomial(c, 13, r.high);
    return ldexp(head.high + (head.low + tail), (int)k);
}

double base_exp(double x)
{
    return exp_of_sum(x, 0);
}

/**
 * Returns log x for positive finite x. x = 2^k m with m about 1, and log m = 2 artanh s with
 * s = (m - 1)/(m + 1). Only the first term of the series needs both parts of s.
 */
static base_two log_pair(double x)
{
    static const double c[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                               2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) { /* sqrt(1/2), so that |s| <= 0.172 */
        m *= 2;
        k--;
    }
    const base_two s = quotient((base_two){m - 1, 0}, base_two_sum(m, 1));
    const double z = s.high * s.high;
    const base_two series = sum_ordered(2 * s.high, 2 * s.low + s.high * z * polynomial(c, 10, z));
    const base_two whole = base_two_sum(k * LOG2_HIGH, series.high);
    return sum_ordered(whole.high, whole.low + (series.low + k * LOG2_LOW));
}

double base_log(double x)
{
    if (!(x > 0)) {
        return x == 0 ? -INFINITY : NAN;
    }
    return isinf(x) ? x : log_pair(x).high;
}

double base_pow(double x, double y)
{
    if (x == 0 || isinf(x)) {
        const bool large = (x == 0) != (y > 0);
        return y == 0 ? 1 : isnan(y) ? NAN : large ? INFINITY : 0;
    }
    if (!(x > 0)) {
        return NAN;
    }
    const base_two l = log_pair(x);
    const double t = y * l.high;
    if (!(fabs(t) >= 0x1p-54 && fabs(t) <= 800)) {
        /* y log x is so large that exp returns 0 or infinity, so small that the result is 1, or
         * NaN. The rounded product is enough, and the exact one could overflow. */
        return base_exp(t);
    }
    const base_two exact = base_two_product(y, l.high);
    return exp_of_sum(exact.high, exact.low + y * l.low);
}

double base_cbrt(double x)
{
    if (x == 0 || !isfinite(x)) {
        return x;
    }
    int e;
    double m = frexp(fabs(x), &e); /* becomes m in [1/8, 1) and e a multiple of 3 below */
    while (e % 3 != 0) {
        m /= 2;
        e++;
    }
    double y = 0.4 + 0.63 * m; /* within 13 %; each Newton step squares the relative error */
    for (int i = 0; i < 3; i++) {
        y -= (y - m / (y * y)) / 3;
    }
    /* y is rounded to 24 bits, so that y y is exact. The last step is one of Halley's method, which
     * cubes the error. Its correction is small, and so are the roundings of the correction. */
    y = (double)(float)y;
    const double r = m / (y * y);
    y += y * (r - y) / (r + 2 * y);
    return copysign(ldexp(y, e / 3), x);
}

/** Returns x - k pi/2 in [-pi/4, pi/4], with *quadrant = k mod 4. */
static base_two reduce_angle(double x, int *quadrant)
{
    /* pi/2 is the sum of three parts of at most 33 bits and a rest. The products of the three parts
     * with |k| < 2^16 are exact. */
    const double p1 = 0x1.921fb544p+0, p2 = 0x1.0b4611a6p-34, p3 = 0x1.3198a2ep-69,
                 p4 = 0x1.b839a252049c1p-104;
    const double k = floor(x * (2 / BASE_PI) + 0.5);
    *quadrant = (int)(k - 4 * floor(k / 4));
    const base_two a = base_two_sum(x - k * p1, -k * p2);
    const base_two b = base_two_sum(a.high, -k * p3);
    return sum_ordered(b.high, b.low + a.low - k * p4);
}

static double sin_near_zero(base_two r)
{
    static const double c[] = {
        -1.0 / 6,        1.0 / 120,         -1.0 / 5040,           1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800., -1.0 / 1307674368000., 1.0 / 355687428096000.};
    const double z = r.high * r.high;
    return r.high + (r.high * z * polynomial(c, 8, z) + r.low * (1 - z / 2));
}

static double cos_near_zero(base_two r)
{
    static const double c[] = {
        1.0 / 24,        -1.0 / 720,          1.0 / 40320,           -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200., 1.0 / 20922789888000., -1.0 / 6402373705728000.};
    const double z = r.high * r.high;
    const base_two head = sum_ordered(1, -z / 2);
    return head.high + (head.low + (z * z * polynomial(c, 8, z) - r.high * r.low));
}

/** Returns sin(x + turns pi/2). */
static double sin_shifted(double x, int turns)
{
    if (!isfinite(x)) {
        return NAN;
    }
    int quadrant;
    const base_two r = reduce_angle(x, &quadrant);
    const int q = (quadrant + turns) % 4;
    const double value = q % 2 == 0 ? sin_near_zero(r) : cos_near_zero(r);
    return q < 2 ? value : -value;
}

double base_sin(double x)
{
    return fabs(x) < 0x1p-27 ? x : sin_shifted(x, 0); /* keeps -0 and the smallest numbers */
}

double base_cos(double x)
{
    return sin_shifted(x, 1);
}

/**
 * Returns the arc tangent of q, 0 <= q <= 1, as atan c + atan u. c is the k/8 nearest to q, and
 * u = (q - c)/(1 + q c).
 */
static base_two atan_unit(base_two q)
{
    static const base_two table[] = {
        {0, 0},
        {0, 0}, /* unused: only the series is used up to 3/16 */
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    static const double series[] = {-1.0 / 3,  1.0 / 5,  -1.0 / 7,  1.0 / 9,  -1.0 / 11, 1.0 / 13,
                                    -1.0 / 15, 1.0 / 17, -1.0 / 19, 1.0 / 21, -1.0 / 23};
    const int k = (int)(8 * q.high + 0.5);
    base_two u = q;
    if (k >= 2) {
        const double c = k / 8.0; /* q.high - c is exact */
        u = quotient(base_two_sum(q.high - c, q.low), base_two_sum(1, q.high * c));
    }
    const double z = u.high * u.high;
    const double tail = u.low + u.high * z * polynomial(series, 11, z);
    if (k < 2) {
        return sum_ordered(u.high, tail);
    }
    const base_two head = sum_ordered(table[k].high, u.high);
    return sum_ordered(head.high, head.low + (tail + table[k].low));
}

/** Returns a - b as one double. */
static double difference(base_two a, base_two b)
{
    const base_two head = base_two_sum(a.high, -b.high);
    return head.high + (head.low + (a.low - b.low));
}

static const base_two PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const base_two HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/** Returns the arc tangent of a/b for 0 <= a <= b, b > 0. */
static base_two atan_ratio(double a, double b)
{
    int ea, eb;
    const double ma = frexp(a, &ea), mb = frexp(b, &eb);
    const base_two q = quotient((base_two){ma, 0}, (base_two){mb, 0});
    const base_two scaled = {ldexp(q.high, ea - eb), ldexp(q.low, ea - eb)};
    /* Below 2^-60 the angle equals the ratio to the last bit, and underflow may have made `low`
     * wrong. */
    return scaled.high < 0x1p-60 ? (base_two){scaled.high, 0} : atan_unit(scaled);
}

double base_atan2(double y, double x)
{
    if (!isfinite(x) || !isfinite(y)) {
        return NAN;
    }
    const double ax = fabs(x), ay = fabs(y);
    if (ax == 0 && ay == 0) {
        return 0;
    }
    double angle;
    if (ay > ax) { /* the angle is measured from the y axis */
        const base_two t = atan_ratio(ax, ay);
        angle = difference(HALF_PI, x < 0 ? (base_two){-t.high, -t.low} : t);
    } else {
        const base_two t = atan_ratio(ay, ax);
        angle = x < 0 ? difference(PI, t) : t.high;
    }
    return y < 0 ? -angle : angle;
}

/* Uses acos |x| = 2 atan sqrt((1 - |x|)/(1 + |x|)), with every number as a sum of two doubles. For
 * |x| near 1 the root is small, and a rounded 1 - x^2 would lose its last bits. */
double base_acos(double x)
{
    if (isnan(x)) {
        return x;
    }
    const double ax = fabs(x);
    base_two half = {0, 0};
    if (ax < 1) {
        const base_two ratio = quotient(sum_ordered(1, -ax), sum_ordered(1, ax));
        const double root = sqrt(ratio.high);
        const base_two square = base_two_product(root, root);
        const double rest = (ratio.high - square.high) - square.low + ratio.low;
        half = atan_unit(sum_ordered(root, rest / (2 * root)));
    }
    const base_two angle = {2 * half.high, 2 * half.low};
    return x < 0 ? difference(PI, angle) : angle.high;
}
