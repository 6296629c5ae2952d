#include "geometry/predicates.h"

#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>

/* Half a unit in the last place of 1: the relative error of one rounded operation. */
#define EPSILON 0x1p-53
/* Bounds of the errors of the filters, relative to the sum of the absolute values of the terms. */
#define ORIENT2D_BOUND ((3 + 16 * EPSILON) * EPSILON)
#define ORIENT3D_BOUND ((7 + 56 * EPSILON) * EPSILON)

/*
 * An expansion is an exact sum of doubles that do not overlap, smallest first, without zeros. Its
 * sign is that of its last term; an expansion without terms is 0. Functions return the number of
 * terms.
 */

static int append(double *terms, int count, double term)
{
    terms[count] = term;
    return count + (term != 0);
}

/** Expands a - b: at most 2 terms. */
static int expand_difference(double a, double b, double *out)
{
    const base_two d = base_two_sum(a, -b);
    return append(out, append(out, 0, d.low), d.high);
}

/** Expands e + f: at most m + n terms. out has room for one more. */
static int expand_sum(const double *e, int m, const double *f, int n, double *out)
{
    int count = 0, i = 0, j = 0;
    double carry = 0;
    while (i < m || j < n) {
        const bool from_e = j == n || (i < m && fabs(e[i]) <= fabs(f[j]));
        const base_two s = base_two_sum(carry, from_e ? e[i] : f[j]);
        i += from_e;
        j += !from_e;
        carry = s.high;
        count = append(out, count, s.low);
    }
    return append(out, count, carry);
}

/** Expands e b: at most 2 m terms. out has room for one more. */
static int expand_scale(const double *e, int m, double b, double *out)
{
    int count = 0;
    double carry = 0;
    for (int i = 0; i < m; i++) {
        const base_two p = base_two_product(e[i], b);
        const base_two s = base_two_sum(carry, p.low);
        const base_two t = base_two_sum(p.high, s.high);
        carry = t.high;
        count = append(out, count, s.low);
        count = append(out, count, t.low);
    }
    return append(out, count, carry);
}

enum { DIFFERENCE = 2, PRODUCT = 8, MINOR = 16, COFACTOR = 64 };

/** Expands e f for m <= MINOR, n <= DIFFERENCE: at most 4 m terms. out has room for one more. */
static int expand_product(const double *e, int m, const double *f, int n, double *out)
{
    double low[2 * MINOR + 1], high[2 * MINOR + 1];
    const int low_count = n > 0 ? expand_scale(e, m, f[0], low) : 0;
    const int high_count = n > 1 ? expand_scale(e, m, f[1], high) : 0;
    return expand_sum(low, low_count, high, high_count, out);
}

typedef struct difference {
    double terms[DIFFERENCE + 1];
    int count;
} difference;

static difference make_difference(double a, double b)
{
    difference d;
    d.count = expand_difference(a, b, d.terms);
    return d;
}

/** Expands a b - c d: at most MINOR terms. */
static int expand_minor(const difference *a, const difference *b, const difference *c,
                        const difference *d, double *out)
{
    double ab[PRODUCT + 1], cd[PRODUCT + 1];
    const int ab_count = expand_product(a->terms, a->count, b->terms, b->count, ab);
    const int cd_count = expand_product(c->terms, c->count, d->terms, d->count, cd);
    for (int i = 0; i < cd_count; i++) {
        cd[i] = -cd[i];
    }
    return expand_sum(ab, ab_count, cd, cd_count, out);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static int sign_of_expansion(const double *terms, int count)
{
    return count == 0 ? 0 : sign_of(terms[count - 1]);
}

/**
 * Returns the value within a unit in the last place: all terms except the last few are smaller than
 * that.
 */
static double value_of_expansion(const double *terms, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += terms[i];
    }
    return sum;
}

/** Expands the determinant: at most MINOR terms. out has room for one more. */
static int expand_orient2d(const double a[2], const double b[2], const double c[2], double *out)
{
    const difference acx = make_difference(a[0], c[0]), acy = make_difference(a[1], c[1]);
    const difference bcx = make_difference(b[0], c[0]), bcy = make_difference(b[1], c[1]);
    return expand_minor(&acx, &bcy, &acy, &bcx, out);
}

/** Expands the determinant: at most 3 COFACTOR terms. out has room for one more. */
static int expand_orient3d(vec3 a, vec3 b, vec3 c, vec3 d, double *out)
{
    const vec3 p[3] = {a, b, c};
    difference x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        x[i] = make_difference(p[i].x, d.x);
        y[i] = make_difference(p[i].y, d.y);
        z[i] = make_difference(p[i].z, d.z);
    }
    double cofactor[3][COFACTOR + 1];
    int count[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        double minor[MINOR + 1];
        const int minor_count = expand_minor(&x[j], &y[k], &y[j], &x[k], minor);
        count[i] = expand_product(minor, minor_count, z[i].terms, z[i].count, cofactor[i]);
    }
    double partial[2 * COFACTOR + 1];
    const int partial_count = expand_sum(cofactor[0], count[0], cofactor[1], count[1], partial);
    return expand_sum(partial, partial_count, cofactor[2], count[2], out);
}

int geo_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]);
    const double right = (a[1] - c[1]) * (b[0] - c[0]);
    const double determinant = left - right;
    const double bound = ORIENT2D_BOUND * (fabs(left) + fabs(right));
    if (determinant > bound || -determinant > bound) {
        return sign_of(determinant);
    }
    double terms[MINOR + 1];
    return sign_of_expansion(terms, expand_orient2d(a, b, c, terms));
}

double geo_orient2d_value(const double a[2], const double b[2], const double c[2])
{
    double terms[MINOR + 1];
    return value_of_expansion(terms, expand_orient2d(a, b, c, terms));
}

int geo_cross2d(const double p0[2], const double p1[2], const double q0[2], const double q1[2])
{
    const double left = (p1[0] - p0[0]) * (q1[1] - q0[1]);
    const double right = (p1[1] - p0[1]) * (q1[0] - q0[0]);
    const double bound = ORIENT2D_BOUND * (fabs(left) + fabs(right));
    if (left - right > bound || right - left > bound) {
        return sign_of(left - right);
    }
    const difference px = make_difference(p1[0], p0[0]), py = make_difference(p1[1], p0[1]);
    const difference qx = make_difference(q1[0], q0[0]), qy = make_difference(q1[1], q0[1]);
    double terms[MINOR + 1];
    return sign_of_expansion(terms, expand_minor(&px, &qy, &py, &qx, terms));
}

int geo_orient3d(vec3 a, vec3 b, vec3 c, vec3 d)
{
    const double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
    const double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
    const double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
    const double bxcy = bx * cy, cxby = cx * by;
    const double cxay = cx * ay, axcy = ax * cy;
    const double axby = ax * by, bxay = bx * ay;
    const double determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
    const double magnitude = (fabs(bxcy) + fabs(cxby)) * fabs(az) +
                             (fabs(cxay) + fabs(axcy)) * fabs(bz) +
                             (fabs(axby) + fabs(bxay)) * fabs(cz);
    const double bound = ORIENT3D_BOUND * magnitude;
    if (determinant > bound || -determinant > bound) {
        return sign_of(determinant);
    }
    double terms[3 * COFACTOR + 1];
    return sign_of_expansion(terms, expand_orient3d(a, b, c, d, terms));
}

double geo_orient3d_value(vec3 a, vec3 b, vec3 c, vec3 d)
{
    double terms[3 * COFACTOR + 1];
    return value_of_expansion(terms, expand_orient3d(a, b, c, d, terms));
}
