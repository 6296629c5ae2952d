/** Dropped and moved segments: the requested share and distance, reproducible. */
#include "algorithms/lpd/segments.h"
#include "algorithms/lpd/tests/drawing.h"

enum { COUNT = 10000 };

/** Draws segments that have their number as first face. */
static drawing draw(void)
{
    drawing d = drawing_begin(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        drawing_link(&d, (vec3){i, 0, 0}, (vec3){i + 1, 0, 0}, false);
    }
    return d;
}

Test(lpd_noise, drops_its_share_and_moves_ends_apart)
{
    drawing d = draw(), e = draw(), f = draw();
    alg_lpd_noise noise = {.drop = 0.05, .move_m = 0.125, .seed = 3};
    alg_lpd_noise_add(&noise, &d.segments);
    alg_lpd_noise_add(&noise, &e.segments);
    noise.seed = 4;
    alg_lpd_noise_add(&noise, &f.segments);
    cr_assert(d.segments.count > 0.94 * COUNT && d.segments.count < 0.96 * COUNT, "%u",
              d.segments.count);
    cr_assert_eq(d.segments.count, e.segments.count);
    cr_assert_neq(d.segments.items[7].end[0].x, f.segments.items[7].end[0].x);
    double most = 0, sum = 0;
    for (uint32_t i = 0; i < d.segments.count; i++) {
        const alg_lpd_segment *const s = &d.segments.items[i], *const t = &e.segments.items[i];
        cr_assert(i == 0 || s->face_a > d.segments.items[i - 1].face_a, "%u: the order", i);
        for (int k = 0; k < 2; k++) {
            cr_assert(vec3_equal(s->end[k], t->end[k]), "%u: the same again", i);
            const vec3 by = vec3_sub(s->end[k], (vec3){(double)s->face_a + k, 0, 0});
            const vec3 size = vec3_abs(by);
            const double far = fmax(size.x, fmax(size.y, size.z));
            most = fmax(most, far);
            sum += by.x + by.y + by.z;
            cr_assert(far <= 0.125 && size.x > 0 && size.y > 0 && size.z > 0, "%u: %g", i, far);
        }
        cr_assert(!vec3_equal(s->end[0], s->end[1]));
    }
    cr_assert(most > 0.124 && fabs(sum) < 60, "%g, %g", most, sum);
    drawing_end(&d);
    drawing_end(&e);
    drawing_end(&f);
}

Test(lpd_noise, of_nothing_changes_nothing)
{
    drawing d = draw();
    alg_lpd_noise_add(&(alg_lpd_noise){.seed = 3}, &d.segments);
    cr_assert_eq(d.segments.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert(d.segments.items[i].end[0].x == i && d.segments.items[i].face_a == i);
    }
    /* Only one kind of noise. */
    alg_lpd_noise_add(&(alg_lpd_noise){.drop = 1, .seed = 3}, &d.segments);
    cr_assert_eq(d.segments.count, 0);
    drawing_end(&d);
}
