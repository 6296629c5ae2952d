/** The judgement of answers from elsewhere: promises, faults, and their row of cells.csv. */
#include "suite/score/tests/scored.h"

/** The row of the judged answers; its texts are in the arena or in the score. */
static bench_cell_row row_of(const bench_score *score, base_arena *arena)
{
    bench_cell_row row;
    base_error err = {0};
    cr_assert_eq(bench_summarize(&score->cell, arena, &row, &err), BASE_OK, "%s", err.text);
    return row;
}

Test(score, times_from_elsewhere_have_columns_of_their_own)
{
    scored s;
    bench_score score;
    base_arena arena = {0};
    scored_make(&s);
    s.has = ALG_HAS_DISTANCE;
    scored_judge(&s, NULL, &score);
    cr_assert_null(score.cell.elsewhere_ns);
    score.cell.elsewhere_ns = base_alloc(FRAMES, sizeof *score.cell.elsewhere_ns);
    for (size_t f = 0; f < FRAMES; f++) {
        score.cell.elsewhere_ns[f] = f == 3 ? UINT64_MAX : 10 * (f + 1);
    }
    const bench_cell_row row = row_of(&score, &arena);
    cr_expect_str_eq(row.elsewhere, "elsewhere");
    cr_expect_str_eq(row.status, "ok");
    cr_expect_str_eq(row.contract, "distance=exact");
    cr_expect(isnan(row.time_p99_ns) && isnan(row.time_mean_ns) && row.warm_passes == 0);
    cr_expect_eq(row.elsewhere_p50_ns, 90);
    cr_expect_eq(row.elsewhere_p99_ns, 160);
    cr_expect_eq(row.elsewhere_max_ns, 160);
    cr_expect(*row.answers_hash != '\0' && row.frames_judged == FRAMES && row.violations == 0);
    base_arena_release(&arena);
    bench_score_release(&score);
    scored_release(&s);
}

Test(score, wrong_answers_break_the_promise_that_was_given)
{
    static const struct {
        const char *contract;
        double factor;
        size_t wrong;
    } cases[] = {
        {NULL, 1, 0},
        {NULL, 1 + 1e-10, 0}, /* within the default rounding */
        {NULL, 1 + 1e-8, 1},
        {"exact", 0.9, 1},
        {"upper-bound", 1.1, 0},
        {"upper-bound", 0.9, 1},
        {"distance=lower-bound", 0.9, 0},
        {"distance=lower-bound", 1.1, 1},
        {"approximate", 3, 0},
        {"volume=approximate", 3, 1}, /* the distance stays exact */
    };
    scored s;
    scored_make(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_score score;
        scored_reset(&s);
        s.has = ALG_HAS_DISTANCE | ALG_HAS_VOLUME;
        s.answers[FRAMES - 1].distance_m *= cases[i].factor;
        scored_judge(&s, cases[i].contract, &score);
        cr_expect_eq(bench_score_wrong(&score), cases[i].wrong, "case %zu", i);
        cr_expect_eq(score.cell.status == BENCH_CELL_WRONG, cases[i].wrong > 0, "case %zu", i);
        bench_score_release(&score);
    }
    scored_release(&s);
}

Test(score, a_missing_answer_is_a_fault)
{
    scored s;
    bench_score score;
    scored_make(&s);
    s.has = ALG_HAS_DISTANCE;
    s.row_count = FRAMES - 2;
    scored_judge(&s, "approximate", &score);
    cr_expect_eq(bench_score_wrong(&score), 2);
    cr_expect_eq(score.faulty, 2);
    cr_expect_eq(score.cell.status, BENCH_CELL_WRONG);
    cr_expect_str_eq(score.cell.detail, "no answer in frame 14");
    bench_score_release(&score);
    scored_release(&s);
}

Test(score, laws_follow_from_the_unit)
{
    scored s;
    bench_score score;
    scored_make(&s);
    s.has = ALG_HAS_FORCE;
    scored_judge(&s, NULL, &score);
    cr_expect_eq(alg_variant_law(&score.cell.variant), ALG_LAW_AREA);
    cr_expect_str_eq(score.cell.variant.algorithm->force_unit, "m2");
    cr_expect_eq(bench_score_wrong(&score), 0);
    bench_score_release(&score);
    scored_release(&s);
}

Test(score, names)
{
    base_error err;
    cr_expect_eq(bench_score_check_name("my-engine-2", &err), BASE_OK);
    const char *const refused[] = {"", "Mine", "my_engine", "a:b=1", "a@twin", "../a", "brute"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(bench_score_check_name(refused[i], &err), BASE_ERR_ARGUMENT, "%s", refused[i]);
    }
}
