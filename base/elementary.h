/**
 * Elementary functions with the same bits on every machine.
 *
 * The functions of libm may have other results on another CPU. So the suite calls the functions of
 * this file wherever a value affects a result (models, trajectories, clustering, radii). They use
 * only + - * / and sqrt, which IEEE 754 defines exactly, and exact scaling by powers of two. Errors
 * are below 1 ulp unless stated otherwise. If the result is subnormal, they are below 2 ulp. Tests
 * compare the results with those of libm.
 *
 * The result is NaN if an argument is NaN, or if the function is not defined for it. Cost: 20 to 70
 * ns.
 */
#ifndef BASE_ELEMENTARY_H
#define BASE_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define BASE_PI 3.14159265358979323846

/** Returns e^x; 0 below -745.2, infinity above 709.8. */
double base_exp(double x);
/** Returns the natural logarithm, x >= 0; minus infinity for 0. */
double base_log(double x);
/** Returns x^y for x >= 0. x^0 is 1. The error is up to (1 + |y log x| / 16) ulp. */
double base_pow(double x, double y);
/** Returns the cube root; cbrt(-x) is -cbrt(x). */
double base_cbrt(double x);
/** Return sine and cosine, |x| <= 1e5. */
double base_sin(double x);
double base_cos(double x);
/** Returns the angle of the finite point (x, y), in (-pi, pi]; 0 for the origin. The sign of a
 * zero is ignored. */
double base_atan2(double y, double x);
/** Returns the arc cosine, in [0, pi]; arguments beyond [-1, 1] are clamped. */
double base_acos(double x);

/* --- Comparisons ------------------------------------------------------------------------------ */

/** Return the larger and the smaller number with one instruction each, unlike fmax and fmin,
 * which test for NaN. Both return b if the numbers are equal or one of them is NaN. */
static inline double base_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double base_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* --- Rounding to floats ----------------------------------------------------------------------- */

/** Returns the largest float <= x. */
static inline float base_float_below(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

/** Returns the smallest float >= x. */
static inline float base_float_above(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

/** Returns the smallest half >= x, for x >= 0. A half is a number of 16 bits: the upper 16 bits of
 * a float. So it has 8 significant binary digits. */
static inline uint16_t base_half_above(double x)
{
    const float f = base_float_above(x);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)((bits + 0xffff) >> 16);
}
/** Returns the value of a half. */
static inline float base_half_value(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* --- Sums and products without error ---------------------------------------------------------- */

/*
 * Each function performs an operation on two doubles. It returns the rounded result and, in `low`,
 * the rounding error of this result.
 *
 * Source   Dekker1971, as described in Shewchuk1997; own implementation.
 */

/** The unevaluated sum high + low; |low| is at most half an ulp of high. */
typedef struct base_two {
    double high, low;
} base_two;

/** Returns a + b. */
static inline base_two base_two_sum(double a, double b)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return (base_two){sum, (a - a_part) + (b - b_part)};
}

/** Returns a * b. |a| and |b| must be below 2^996. Neither the product nor its rounding error may
 * overflow or underflow. */
static inline base_two base_two_product(double a, double b)
{
    const double splitter = 0x1p27 + 1; /* splits a double into two halves of 26 bits */
    const double product = a * b;
    const double a_cut = splitter * a, b_cut = splitter * b;
    const double a_high = a_cut - (a_cut - a), b_high = b_cut - (b_cut - b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double error = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    return (base_two){product, a_low * b_low - error};
}

#endif
