#include "algorithms/lpd/response.h"

#include <criterion/criterion.h>

static alg_lpd_region region_at(double x, vec3 direction)
{
    alg_lpd_region region = {.way = {direction, 0.5}};
    region.box = (alg_lpd_box){.centre = {x, 0, 0}, .half = {1, 0.5, 0.25}};
    return region;
}

/** The nearer of two regions is taken as the same region. A region farther away than the box's
 * diagonal is another region. */
Test(lpd_coherence, nearest_of_the_frame_before)
{
    alg_lpd_past past = {0};
    const alg_lpd_region before[] = {region_at(0, vec3_make(0, 0, 1)),
                                     region_at(1, vec3_make(0, 1, 0))};
    vec3 direction = {7, 7, 7};
    alg_lpd_box box = before[0].box;
    cr_assert(!alg_lpd_past_direction(&past, &box, &direction), "nothing is before the first");
    cr_assert_eq(direction.x, 7);
    alg_lpd_past_keep(&past, before, 2);
    const struct {
        double x;
        int region; /* -1: no region */
    } cases[] = {{0.4, 0}, {0.6, 1}, {-2.2, 0}, {-2.4, -1}, {3.2, 1}, {3.4, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        box.centre.x = cases[i].x;
        const bool found = alg_lpd_past_direction(&past, &box, &direction);
        cr_assert_eq(found, cases[i].region >= 0, "at %g", cases[i].x);
        cr_assert(!found || vec3_equal(direction, before[cases[i].region].way.direction), "at %g",
                  cases[i].x);
    }
}

/** Only regions of the last frame count, and at most ALG_LPD_PAST_MAX of them. */
Test(lpd_coherence, keeps_the_last_frame)
{
    alg_lpd_past past = {0};
    alg_lpd_region many[ALG_LPD_PAST_MAX + 1];
    for (uint32_t i = 0; i <= ALG_LPD_PAST_MAX; i++) {
        many[i] = region_at(10.0 * i, vec3_make(0, 0, 1));
    }
    vec3 direction;
    alg_lpd_past_keep(&past, many, ALG_LPD_PAST_MAX + 1);
    cr_assert_eq(past.count, ALG_LPD_PAST_MAX);
    cr_assert(alg_lpd_past_direction(&past, &many[ALG_LPD_PAST_MAX - 1].box, &direction));
    cr_assert(!alg_lpd_past_direction(&past, &many[ALG_LPD_PAST_MAX].box, &direction));
    alg_lpd_past_keep(&past, many, 1);
    cr_assert(!alg_lpd_past_direction(&past, &many[1].box, &direction));
    many[0].way.depth_m = (double)INFINITY;
    alg_lpd_past_keep(&past, many, 2);
    cr_assert_eq(past.count, 1, "a way that is not known is not kept");
    cr_assert(!alg_lpd_past_direction(&past, &many[0].box, &direction));
    alg_lpd_past_keep(&past, many, 0);
    cr_assert(!alg_lpd_past_direction(&past, &many[0].box, &direction));
}
