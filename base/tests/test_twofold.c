#include "base/elementary.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>

static double any(base_random *random)
{
    return ldexp(base_random_range(random, -1, 1), (int)base_random_below(random, 120) - 60);
}

/** Compared with fused multiply-add, which gives the error of a product, and with integers. */
Test(twofold, nothing_is_lost)
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
