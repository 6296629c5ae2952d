/**
 * Elementary functions with the same bits on every machine.
 *
 * libm may pick another implementation on another CPU; where a function's value reaches an answer
 * (models, trajectories, clustering, radii) the suite calls these instead. They use only + - * /
 * and sqrt, which IEEE 754 fixes. Errors are below 2 ulp on the ranges given, tested against libm.
 */
#ifndef GEOMETRY_ELEMENTARY_H
#define GEOMETRY_ELEMENTARY_H

#define GEO_PI 3.14159265358979323846

/** e^x; 0 below -745, infinity above 710. */
double geo_exp(double x);
/** Natural logarithm, x > 0. */
double geo_log(double x);
/** x^y for x > 0: exp(y log x), error up to 1 + |y log x| ulp. */
double geo_pow(double x, double y);
/** Cube root of x >= 0. */
double geo_cbrt(double x);
/** Sine and cosine, |x| <= 1e5. */
double geo_sin(double x);
double geo_cos(double x);
/** Angle of (x, y) in (-pi, pi]; 0 for the origin. */
double geo_atan2(double y, double x);
/** Arc cosine; arguments beyond [-1, 1] are clamped. */
double geo_acos(double x);

#endif
