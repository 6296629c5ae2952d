/**
 * Sums and products of two doubles without error, as the rounded result and its rounding error. A
 * fixed sequence of double operations, with the same bits everywhere.
 *
 * Source   Dekker1971, as described in Shewchuk1997; own implementation.
 */
#ifndef BASE_TWOFOLD_H
#define BASE_TWOFOLD_H

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

/** Returns a b; no overflow below 2^996. */
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
