/** The experiments of this tree: what every one of them owes. */
#include "base/arena.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/truth_entries.h"
#include "suite/run/stage.h"

#include <criterion/criterion.h>

static void register_all(void)
{
    bench_truth_entries_register();
}

TestSuite(experiments, .init = register_all, .timeout = 60);

/** In modes bench and paper an experiment's own number of launches gives intervals. */
Test(experiments, launches_are_enough)
{
    base_arena arena = {0};
    base_error err;
    const char **names;
    size_t count = 0;
    cr_assert_eq(bench_experiment_names(&arena, &names, &err), BASE_OK, "%s", err.text);
    for (; names[count]; count++) {
        scn_experiment e;
        bench_choice choice;
        cr_assert_eq(bench_experiment_open(names[count], &e, &err), BASE_OK, "%s", err.text);
        cr_assert_eq(bench_experiment_choose(&e, NULL, NULL, &choice, &err), BASE_OK, "%s",
                     err.text);
        const bench_run_options options = {
            .experiment = &e,
            .variants = choice.variants,
            .mode = bench_mode_find(e.mode),
        };
        cr_expect_eq(bench_stage_check_launches(&options, &err), BASE_OK, "%s: %s", names[count],
                     err.text);
        scn_experiment_release(&e);
    }
    cr_assert_gt(count, 50);
    base_arena_release(&arena);
}
