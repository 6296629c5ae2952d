/** The remaining time of passes, from planted times. */
#include "suite/run/measure.h"

#include <criterion/criterion.h>
#include <math.h>

Test(measure, nothing_is_known_before_the_first_frame)
{
    const bench_effort efforts[2] = {{.left = {3, 0}}, {.left = {3, 0}}};
    cr_assert(isnan(bench_estimate_left(efforts, 2)));
}

Test(measure, every_contestant_counts_with_its_own_speed)
{
    const bench_effort efforts[2] = {
        {.spent_s = {20, 0}, .made = {2, 0}, .left = {3, 0}}, /* 10 s per pass */
        {.spent_s = {1, 0}, .made = {2, 0}, .left = {4, 0}},  /* 0.5 s per pass */
    };
    cr_assert_float_eq(bench_estimate_left(efforts, 2), 32, 1e-12);
}

Test(measure, a_pass_in_work_tells_the_speed)
{
    const bench_effort slow = {.left = {2, 0}, .begun_s = 30, .begun_share = 0.25};
    cr_assert_float_eq(bench_estimate_left(&slow, 1), 2 * 120 - 30, 1e-12);
}

Test(measure, others_stand_for_one_without_a_frame)
{
    const bench_effort efforts[3] = {
        {.spent_s = {4, 0}, .made = {2, 0}},
        {.spent_s = {12, 0}, .made = {2, 0}},
        {.left = {5, 0}},
    };
    cr_assert_float_eq(bench_estimate_left(efforts, 3), 5 * 4, 1e-12);
}

Test(measure, evicted_passes_have_a_speed_of_their_own)
{
    const bench_effort both = {.spent_s = {2, 9}, .made = {2, 3}, .left = {1, 2}};
    cr_assert_float_eq(bench_estimate_left(&both, 1), 1 + 2 * 3, 1e-12);
    const bench_effort warm = {.spent_s = {2, 0}, .made = {2, 0}, .left = {0, 2}};
    cr_assert_float_eq(bench_estimate_left(&warm, 1), 2, 1e-12);
}

Test(measure, bodies_of_later_launches_are_loaded_again)
{
    const bench_effort e = {.spent_s = {1, 0},
                            .made = {1, 0},
                            .left = {2, 0},
                            .prepare_s = 6,
                            .prepared = 2,
                            .launches_left = 4};
    cr_assert_float_eq(bench_estimate_left(&e, 1), 2 + 12, 1e-12);
}

Test(measure, a_pass_that_takes_longer_than_before_leaves_no_negative_time)
{
    const bench_effort e = {.spent_s = {1, 0}, .made = {1, 0}, .left = {1, 0}, .begun_s = 5};
    cr_assert_eq(bench_estimate_left(&e, 1), 0);
}
