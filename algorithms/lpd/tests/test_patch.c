/** Vector areas and moments of curves, compared with sums over surfaces that they bound. */
#include "algorithms/lpd/curves.h"
#include "algorithms/lpd/tests/drawing.h"

static alg_lpd_patch patch_of(const drawing *d, vec3 about)
{
    uint32_t numbers[8];
    for (uint32_t i = 0; i < d->curves.count; i++) {
        numbers[i] = i;
    }
    return alg_lpd_patch_make(&d->segments, &d->curves, numbers, d->curves.count, about);
}

/** Sums over the triangles of a fan, with their centroids. */
static alg_lpd_patch plain_patch(const vec3 *p, uint32_t count, vec3 about)
{
    alg_lpd_patch sum = {0};
    for (uint32_t i = 1; i + 1 < count; i++) {
        const vec3 u = vec3_sub(p[i], p[0]), v = vec3_sub(p[i + 1], p[0]);
        const vec3 area = vec3_scale(0.5, vec3_cross(u, v));
        const vec3 middle = vec3_scale(1.0 / 3, vec3_add(p[0], vec3_add(p[i], p[i + 1])));
        sum.area = vec3_add(sum.area, area);
        sum.moment = vec3_add(sum.moment, vec3_cross(vec3_sub(middle, about), area));
    }
    return sum;
}

static void expect(const alg_lpd_patch *p, const alg_lpd_patch *q, const char *what, int round)
{
    cr_assert(vec3_distance(p->area, q->area) < 1e-13, "%s %d: area", what, round);
    cr_assert(vec3_distance(p->moment, q->moment) < 1e-13, "%s %d: moment %g %g %g", what, round,
              p->moment.x, p->moment.y, p->moment.z);
}

Test(lpd_patch, is_that_of_any_surface_with_this_edge)
{
    base_random random = base_random_seed(4);
    for (int round = 0; round < 200; round++) {
        vec3 p[9];
        const uint32_t count = 3 + (uint32_t)base_random_below(&random, 7);
        for (uint32_t i = 0; i < count; i++) {
            p[i] = drawing_point(&random, 1);
        }
        const vec3 about = drawing_point(&random, 1);
        SCOPED_DRAWING d = drawing_begin(9);
        drawing_curve(&d, p, count, true, round % 2);
        const alg_lpd_patch plain = plain_patch(p, count, about);
        const alg_lpd_patch back = alg_lpd_patch_turned(&plain);
        const alg_lpd_patch patch = patch_of(&d, about);
        expect(&patch, round % 2 ? &back : &plain, "round", round);
    }
}

/** Draws two squares that count half each. Segments that run to and fro join their corners, so that
 * one curve passes both squares. */
static drawing joined_squares(double half, double quarter)
{
    drawing d = drawing_begin(16);
    const vec3 up = {0, 0, 0.25};
    drawing_rectangle(&d, (vec3){0, 0, 0}, (vec3){1, 0, 0}, (vec3){0, 1, 0}, false);
    const vec3 corner = d.segments.items[0].end[0];
    d.curves.count = 0; /* the curve is not finished */
    drawing_link(&d, corner, vec3_add(corner, up), false);
    for (uint32_t i = 0; i < 4; i++) {
        drawing_link(&d, vec3_add(d.segments.items[i].end[0], up),
                     vec3_add(d.segments.items[i].end[1], up), false);
    }
    drawing_finish(&d, false);
    /* The way back is a separate curve. */
    drawing_link(&d, vec3_add(corner, up), corner, false);
    drawing_finish(&d, false);
    for (uint32_t i = 0; i < d.segments.count; i++) {
        d.segments.items[i].share = i == 4 || i == 9 ? quarter : half;
    }
    return d;
}

Test(lpd_patch, segments_count_by_their_shares)
{
    static const double shares[][2] = {{0.5, 0.25}, {0.5, 0.5}, {0.5, 1}, {1, 0.25}};
    const alg_lpd_patch one = {{0, 0, 4}, {0, 0, 0.0}};
    for (int i = 0; i < 4; i++) {
        SCOPED_DRAWING d = joined_squares(shares[i][0], shares[i][1]);
        const alg_lpd_patch patch = patch_of(&d, (vec3){0, 0, 7});
        const double times = 2 * shares[i][0];
        const alg_lpd_patch expected = {vec3_scale(times, one.area), one.moment};
        expect(&patch, &expected, "shares", i);
    }
}

/** Zeros of both signs are the same position. */
Test(lpd_patch, zeros_of_both_signs_close_a_curve)
{
    const vec3 p = {0.0, 0, 0}, also_p = {-0.0, 0, 0};
    SCOPED_DRAWING d = drawing_begin(8);
    /* One square of two curves: chords would halve it. */
    drawing_link(&d, p, (vec3){1, 0, 0}, false);
    drawing_link(&d, (vec3){1, 0, 0}, (vec3){1, 1, 0}, false);
    drawing_finish(&d, false);
    drawing_link(&d, (vec3){0, 1, 0}, also_p, false);
    drawing_finish(&d, false);
    drawing_link(&d, (vec3){1, 1, 0}, (vec3){0, 1, 0}, false);
    drawing_finish(&d, false);
    const vec3 area = patch_of(&d, (vec3){-3, 0, 0}).area;
    cr_assert(vec3_distance(area, (vec3){0, 0, 1}) < 1e-14, "%g", area.z);
}
