#include "suite/run/passes.h"

#include <criterion/criterion.h>
#include <string.h>

enum { COUNT_MAX = 13 };

Test(schedule, every_row_is_a_permutation)
{
    for (size_t n = 1; n <= COUNT_MAX; n++) {
        for (size_t round = 0; round < 4 * n; round++) {
            size_t order[COUNT_MAX];
            unsigned seen = 0;
            bench_schedule_row(n, round, order);
            for (size_t i = 0; i < n; i++) {
                cr_assert_lt(order[i], n, "n = %zu, round %zu", n, round);
                seen |= 1u << order[i];
            }
            cr_assert_eq(seen, (1u << n) - 1, "n = %zu, round %zu: 0x%x", n, round, seen);
        }
    }
}

/** The property that gives the square its name: first-order carry-over is balanced. */
Test(schedule, each_follows_each_other_equally_often)
{
    for (size_t n = 2; n <= COUNT_MAX; n++) {
        const size_t rows = n % 2 == 0 ? n : 2 * n, expected = rows / n;
        size_t follows[COUNT_MAX][COUNT_MAX];
        memset(follows, 0, sizeof follows);
        for (size_t round = 0; round < rows; round++) {
            size_t order[COUNT_MAX];
            bench_schedule_row(n, round, order);
            for (size_t i = 0; i + 1 < n; i++) {
                follows[order[i]][order[i + 1]]++;
            }
        }
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n; b++) {
                cr_assert_eq(follows[a][b], a == b ? 0 : expected, "n = %zu: %zu then %zu: %zu", n,
                             a, b, follows[a][b]);
            }
        }
    }
}

/** The table of modes has a row for each name; later modes repeat no less. */
Test(schedule, modes_by_name)
{
    bench_mode before = {0}, mode;
    base_error err;
    for (size_t i = 0; scn_mode_names[i]; i++) {
        cr_assert_eq(bench_mode_parse(scn_mode_names[i], &mode, &err), BASE_OK, "%s", err.text);
        cr_assert_str_eq(mode.name, scn_mode_names[i]);
        cr_assert(mode.launches >= 1 && mode.warm_rounds >= 1 && mode.certificate >= 1);
        cr_assert(mode.launches >= before.launches && mode.warm_rounds >= before.warm_rounds &&
                      mode.certificate >= before.certificate && mode.timed >= before.timed,
                  "%s", mode.name);
        before = mode;
    }
    cr_assert_eq(bench_mode_parse("papr", &mode, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown mode 'papr'; it is smoke, ci, bench or paper; did you mean "
                               "'paper'?");
}
