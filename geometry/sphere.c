#include "geometry/sphere.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/vec.h"

enum { BASIS_MAX = 4, PIVOTS_MAX = 1000 };

/* Rows count as dependent if the part of a row that is orthogonal to the others is not larger than
 * this, relative to the row. A smaller subset of the balls then has the same enclosing ball. */
#define SPAN_LEAST 1e-14

double geo_ball_volume(double radius)
{
    return 4.0 / 3.0 * BASE_PI * radius * radius * radius;
}

/** Returns the volume of a cap of height h of a ball. */
static double cap_volume(double radius, double h)
{
    return BASE_PI / 3 * h * h * (3 * radius - h);
}

double geo_ball_overlap_volume(geo_ball a, geo_ball b)
{
    const double d = vec3_distance(a.centre, b.centre);
    const double small = a.radius < b.radius ? a.radius : b.radius;
    const double large = a.radius < b.radius ? b.radius : a.radius;
    const double depth = small + large - d;
    if (depth <= 0) {
        return 0;
    }
    if (d <= large - small) {
        return geo_ball_volume(small);
    }
    /* The heights of the two caps over the plane of the common circle. They are written as products
     * to avoid cancellation. */
    const double h_small = depth * (large + (d - small)) / (2 * d);
    const double h_large = depth * (small + (d - large)) / (2 * d);
    return cap_volume(small, h_small) + cap_volume(large, h_large);
}

/**
 * Returns the radius that a ball around `centre` needs to contain all balls; *farthest is the ball
 * that determines it.
 */
static double radius_around(vec3 centre, const geo_ball *balls, size_t count, size_t *farthest)
{
    double radius = -1;
    for (size_t i = 0; i < count; i++) {
        const double reach = vec3_distance(centre, balls[i].centre) + balls[i].radius;
        if (reach > radius) {
            radius = reach;
            *farthest = i;
        }
    }
    return radius;
}

/**
 * Finds the shortest x with rows[i] x = wanted[i] for i < count <= 3, by Gram-Schmidt. Returns
 * false if the rows are dependent.
 */
static bool solve_rows(const vec3 *rows, const double *wanted, int count, vec3 *x)
{
    vec3 axis[BASIS_MAX - 1];
    *x = (vec3){0, 0, 0};
    for (int i = 0; i < count; i++) {
        vec3 rest = rows[i];
        for (int repeat = 0; repeat < 2; repeat++) { /* two passes give full orthogonality */
            for (int j = 0; j < i; j++) {
                rest = vec3_madd(rest, -vec3_dot(rest, axis[j]), axis[j]);
            }
        }
        if (!(vec3_norm(rest) > SPAN_LEAST * vec3_norm(rows[i]))) {
            return false;
        }
        axis[i] = vec3_normalize(rest);
        const double missing = wanted[i] - vec3_dot(rows[i], *x);
        *x = vec3_madd(*x, missing / vec3_dot(rows[i], axis[i]), axis[i]);
    }
    return true;
}

/**
 * Finds the centres of the balls that all of balls[count] touch from inside. Returns their number.
 *
 * The centre x relative to balls[0] and rho = R - r_0 satisfy |x - q_i| = rho - d_i, where q_i and
 * d_i are the other balls relative to the first. Subtracting |x| = rho leaves the linear equations
 * 2 q_i x = |q_i|^2 - d_i^2 + 2 rho d_i, so x = p + rho q. Returns 0 if the q_i are dependent.
 */
static int tangent_centres(const geo_ball *balls, int count, vec3 centres[2])
{
    vec3 rows[BASIS_MAX - 1], p, q;
    double for_p[BASIS_MAX - 1], for_q[BASIS_MAX - 1];
    for (int i = 1; i < count; i++) {
        rows[i - 1] = vec3_sub(balls[i].centre, balls[0].centre);
        for_q[i - 1] = balls[i].radius - balls[0].radius;
        for_p[i - 1] = 0.5 * (vec3_norm2(rows[i - 1]) - for_q[i - 1] * for_q[i - 1]);
    }
    if (!solve_rows(rows, for_p, count - 1, &p) || !solve_rows(rows, for_q, count - 1, &q)) {
        return 0;
    }
    /* |p + rho q| = rho is a rho^2 - 2 b rho + c = 0. */
    const double a = 1 - vec3_norm2(q), b = vec3_dot(p, q), c = -vec3_norm2(p);
    const double discriminant = b * b - a * c;
    const double root = sqrt(discriminant > 0 ? discriminant : 0);
    const double far = b >= 0 ? b + root : b - root;
    const double rho[2] = {a != 0 ? far / a : -1, far != 0 ? c / far : -1};
    int found = 0;
    for (int i = 0; i < 2; i++) {
        const vec3 x = vec3_madd(p, rho[i], q);
        if (rho[i] >= 0 && vec3_isfinite(x)) {
            centres[found++] = vec3_add(balls[0].centre, x);
        }
    }
    return found;
}

typedef struct basis {
    geo_ball balls[BASIS_MAX];
    int count;
    vec3 centre;
    double radius; /* contains the balls of the previous basis and the ball added to it */
} basis;

/**
 * Adds a ball. The largest ball is always the first, so that rho is small and no digits are lost
 * for nearly nested balls.
 */
static void add_ball(basis *to, geo_ball ball)
{
    to->balls[to->count++] = ball;
    if (ball.radius > to->balls[0].radius) {
        to->balls[to->count - 1] = to->balls[0];
        to->balls[0] = ball;
    }
}

/**
 * Returns the basis of the smallest ball around the balls of `old` and one more, which is in the
 * new basis. Tries all subsets of the old balls, and compares them by the radius that their centre
 * needs to contain all balls. An imprecise centre of a badly conditioned subset therefore does no
 * harm. Of subsets with equal radii, the one with the fewest balls is chosen.
 */
static basis extend_basis(const basis *old, geo_ball extra)
{
    geo_ball all[BASIS_MAX + 1];
    for (int i = 0; i < old->count; i++) {
        all[i] = old->balls[i];
    }
    all[old->count] = extra;
    basis best = {.radius = INFINITY};
    for (int size = 0; size < BASIS_MAX; size++) {
        for (unsigned subset = 0; subset < 1u << old->count; subset++) {
            if (__builtin_popcount(subset) != size) {
                continue;
            }
            basis next = {.balls = {extra}, .count = 1};
            for (int i = 0; i < old->count; i++) {
                if ((subset >> i & 1) != 0) {
                    add_ball(&next, old->balls[i]);
                }
            }
            vec3 centres[2];
            const int found = tangent_centres(next.balls, next.count, centres);
            for (int i = 0; i < found; i++) {
                size_t farthest;
                next.centre = centres[i];
                next.radius = radius_around(centres[i], all, (size_t)old->count + 1, &farthest);
                if (next.radius < best.radius) {
                    best = next;
                }
            }
        }
    }
    return best;
}

geo_ball geo_ball_enclose(const geo_ball *balls, size_t count)
{
    base_assert(count >= 1);
    size_t farthest = 0;
    for (size_t i = 1; i < count; i++) {
        if (balls[i].radius > balls[farthest].radius) {
            farthest = i;
        }
    }
    basis current = {.balls = {balls[farthest]},
                     .count = 1,
                     .centre = balls[farthest].centre,
                     .radius = balls[farthest].radius};
    geo_ball best = {.radius = INFINITY};
    for (int pivot = 0; pivot < PIVOTS_MAX; pivot++) {
        const double needed = radius_around(current.centre, balls, count, &farthest);
        if (needed < best.radius) {
            best = (geo_ball){current.centre, needed};
        }
        if (needed <= current.radius) {
            break;
        }
        const basis next = extend_basis(&current, balls[farthest]);
        if (!(next.radius > current.radius)) { /* the radius grows until rounding stops it */
            break;
        }
        current = next;
    }
    return best;
}
