/**
 * Tests the row of a cell with known times and errors: each number is compared with a value
 * computed by hand, by the name of its column.
 */
#include "base/tests/support.h"
#include "suite/results/cells.h"
#include "suite/results/frames.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 6, WARM = 3, EVICTED = 2 };

static const char *const counters[] = {"tests_count", NULL};

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE ? ALG_UPPER_BOUND : ALG_NOT_ANSWERED;
}

static const alg_algorithm fake = {
    .name = "fake", .counters = counters, .contract = contract, .tolerance_ulp = 4};

/* Pass by pass. The first frame is cold in every pass; frame 3 of pass 1 was interrupted. */
static uint64_t warm_ns[WARM * FRAMES] = {
    6000000, 10, 20, 30,      40, 50, /**/
    7000000, 12, 22, 9000000, 44, 55, /**/
    8000000, 11, 21, 31,      41, 150000,
};
static uint64_t evicted_ns[EVICTED * FRAMES] = {
    9000, 100, 200, 300, 400, 500, /**/
    9000, 101, 199, 301, 401, 501,
};

/* One launch of four passes and one of two. The second warm pass was interrupted. */
#define NONE UINT64_MAX
static bench_pass_row passes[WARM + EVICTED + 1] = {
    {.pass = {0, 0, 0, 0, BENCH_WARM_UP, 0, {1, 0, 0, 0, 9, 0, 4096, 99, 99, 99}, {0}},
     .max_ns = 9},
    {.pass = {0, 0, 1, 0, BENCH_WARM, 0, {1, 0, 0, 0, 1, 0, 8192, 60, 6, NONE}, {0}}, .max_ns = 50},
    {.pass = {0, 0, 2, 0, BENCH_WARM, 0, {1, 2, 0, 0, 0, 7, 8192, 120, 6, 3}, {0}},
     .max_ns = 9000000,
     .contaminated = true},
    {.pass = {0, 0, 3, 0, BENCH_EVICTED, 0, {1, 0, 0, 0, 2, 7, 9216, 1, 1, 1}, {0}}, .max_ns = 500},
    {.pass = {0, 1, 1, 0, BENCH_WARM, 0, {1, 0, 0, 0, 0, 0, 65536, 0, 6, 3}, {0}},
     .max_ns = 150000},
    {.pass = {0, 1, 3, 0, BENCH_EVICTED, 0, {1, 2, 0, 0, 0, 0, 65536, 1, 1, 1}, {0}},
     .max_ns = 501},
};

/** Makes a cell from the arrays above, with `frames` frames in each pass. */
static bench_cell make_cell(size_t frames, alg_answer *answers, bench_judgement *judgements)
{
    for (size_t f = 0; f < frames; f++) {
        answers[f] = (alg_answer){.counters = {f}};
        judgements[f] = bench_judgement_none();
    }
    return (bench_cell){
        .scenario = "s",
        .name = "fake",
        .baseline = "",
        .variant = {.algorithm = &fake, .name = "fake"},
        .quantities = ALG_WANT_DISTANCE,
        .build_ns = 77,
        .load_ns = 13,
        .build = {{.info = {.bytes = 1000, .primitives = 3}},
                  {.info = {.bytes = 24, .primitives = 4}}},
        .frame_count = frames,
        .answers = answers,
        .judgements = judgements,
        .warm_ns = warm_ns,
        .evicted_ns = evicted_ns,
    };
}

/** Returns a value of the cell's row, read back by the column's name; NaN for an empty field. */
static double field(const base_csv *table, const char *column)
{
    double value = NAN;
    int index = 0;
    assert_ok(base_csv_column(table, column, &index, ERR));
    if (base_csv_text(table, 0, index)) {
        assert_ok(base_csv_number(table, 0, index, &value, ERR));
    }
    return value;
}

static base_csv write_and_read(const bench_cell *cell)
{
    bench_cell_row row;
    base_arena arena = {0};
    base_error err = {0};
    base_csv table;
    char path[] = "/tmp/proxbench-cells-XXXXXX";
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    FILE *const file = fdopen(descriptor, "w");
    assert_ok(bench_summarize(cell, &arena, &row, ERR));
    base_csv_writer w = {.file = file};
    const char *const of_another[] = {"nodes_count", "tests_count", NULL};
    bench_extras all = {0};
    assert_ok(bench_extras_add(&all, cell->variant.algorithm->counters, 9, ERR));
    assert_ok(bench_extras_add(&all, of_another, 9, ERR));
    bench_cells_put_names(&all, &w);
    bench_cells_put(&row, &all, &w);
    bench_extras_release(&all);
    fclose(file);
    base_arena_release(&arena);
    const base_status status = base_csv_read(path, NULL, &table, &err);
    unlink(path);
    cr_assert_eq(status, BASE_OK, "%s", err.text);
    return table;
}

static void expect(const base_csv *table, const char *column, double expected)
{
    const double value = field(table, column);
    cr_assert(isnan(expected) ? isnan(value) : value == expected, "%s: %.17g, not %.17g", column,
              value, expected);
}

Test(cells, every_number_by_hand)
{
    alg_answer answers[FRAMES];
    bench_judgement judgements[FRAMES];
    bench_cell cell = make_cell(FRAMES, answers, judgements);
    cell.warm_count = WARM;
    cell.evicted_count = EVICTED;
    cell.passes = passes;
    cell.pass_count = sizeof passes / sizeof *passes;
    cell.launch_count = 2;
    judgements[0].errors[BENCH_DISTANCE_ERROR_REL] = -0.5;
    judgements[2].errors[BENCH_DISTANCE_ERROR_REL] = 0.25;
    judgements[1].errors[BENCH_DISTANCE_ERROR_SIZE] = -0.125;
    judgements[4].errors[BENCH_VOLUME_ERROR_REL] = 3;
    judgements[1].errors[BENCH_DISTANCE_WIDTH_SIZE] = 0.5;
    judgements[3].errors[BENCH_DISTANCE_WIDTH_SIZE] = 0.125;
    judgements[5].errors[BENCH_DISTANCE_WIDTH_SIZE] = 0.25;
    judgements[2].errors[BENCH_VOLUME_WIDTH_REL] = 2;
    judgements[4].errors[BENCH_VOLUME_WIDTH_REL] = 4;
    answers[0].outcome = answers[5].outcome = ALG_BUDGET_REACHED;
    answers[1].outcome = ALG_CONVERGED;
    judgements[0].judged = judgements[1].judged = judgements[2].judged = true;
    judgements[2].violation = true;
    judgements[0].verdict = BENCH_TRUE_POSITIVE;
    judgements[1].verdict = judgements[2].verdict = BENCH_TRUE_NEGATIVE;
    judgements[3].verdict = BENCH_FALSE_POSITIVE;
    judgements[4].verdict = BENCH_FALSE_NEGATIVE;
    judgements[5].verdict = BENCH_AMBIGUOUS;
    SCOPED_CSV table = write_and_read(&cell);
    /* Medians of frames 1 to 5: 11, 21, 31, 41, 55. */
    const struct {
        const char *column;
        double expected;
    } columns[] = {
        {"build_ns", 77},
        {"load_ns", 13},
        {"build_bytes", 1024},
        {"time_mean_ns", 159.0 / 5},
        {"time_p50_ns", 31},
        {"time_p95_ns", 55},
        {"time_p99_ns", 55},
        {"time_max_ns", 9000000},
        {"time_intrinsic_max_ns", 50},
        {"time_cold_ns", 7000000},
        {"time_evicted_p50_ns", 300},
        {"distance_error_rel_mean", 0.375},
        {"distance_error_rel_max", 0.5},
        {"distance_error_size_mean", 0.125},
        {"distance_error_size_max", 0.125},
        {"volume_error_rel_mean", 3},
        {"volume_error_rel_max", 3},
        {"frames_judged_count", 3},
        {"violations_count", 1},
        {"frames_count", FRAMES},
        {"passes_count", WARM},
        {"primitives_a_count", 3},
        {"primitives_b_count", 4},
        {"misses_5ms_count", 4},
        {"misses_1ms_count", 4},
        {"misses_200us_count", 4},
        {"misses_100us_count", 5},
        {"tp_count", 1},
        {"tn_count", 2},
        {"fp_count", 1},
        {"fn_count", 1},
        {"ambiguous_count", 1},
        {"launches_count", 2},
        {"below_resolution", 0},
        {"alloc_count", 3},
        {"contaminated_passes_count", 1},
        {"time_max_clean_ns", 150000},
        {"miss_run_1ms_count", 1},
        {"time_p90_ns", 55},
        {"time_p999_ns", NAN},
        {"slowest_frame", 5},
        {"rss_bytes", 65536},
        {"rss_growth_bytes", 5120},
        {"output_bytes", 7},
        {"instructions_mean_count", 10},
        {"cycles_mean_count", 1},
        {"cache_misses_mean_count", NAN},
        {"tolerance_ulp", 4},
        {"distance_error_size_p99", 0.125},
        {"volume_error_rel_p99", 3},
        {"distance_bracket_width_size_p50", 0.25},
        {"distance_bracket_width_size_max", 0.5},
        {"volume_bracket_width_rel_p50", 2},
        {"volume_bracket_width_rel_max", 4},
        {"budget_reached_count", 2},
        {"tests_count_mean", 2.5},
        {"nodes_count_mean", NAN},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        expect(&table, columns[i].column, columns[i].expected);
    }
    cr_assert_str_eq(base_csv_text(&table, 0, base_csv_find(&table, "contract")),
                     "distance=upper-bound");
}

/** The frames are too short for the clock, so the mean comes from whole passes. */
Test(cells, a_batch_gives_the_mean)
{
    alg_answer answers[FRAMES];
    bench_judgement judgements[FRAMES];
    bench_cell cell = make_cell(FRAMES, answers, judgements);
    bench_pass_row rows[] = {
        {.pass = {.protocol = BENCH_WARM_UP, .cost.query_ns = 7777}},
        {.pass = {.protocol = BENCH_WARM, .batch = 1, .cost.query_ns = 60}},
        {.pass = {.protocol = BENCH_WARM, .batch = 1, .cost.query_ns = 72}},
        {.pass = {.protocol = BENCH_EVICTED, .batch = 1, .cost.query_ns = 7777}},
    };
    cell.warm_count = 2;
    cell.passes = rows;
    cell.pass_count = 4;
    cell.below_resolution = true;
    SCOPED_CSV table = write_and_read(&cell);
    expect(&table, "time_mean_ns", 11);
    expect(&table, "below_resolution", 1);
}

/** The columns of hidden work contain the values of the rule, and are empty without a pass. */
Test(cells, hidden_work_has_columns)
{
    alg_answer answers[FRAMES];
    bench_judgement judgements[FRAMES];
    bench_cell cell = make_cell(FRAMES, answers, judgements);
    bench_pass_row rows[] = {
        {.pass = {.protocol = BENCH_WARM_UP, .cost.cpu_ns = 3000}, .p50_ns = 30},
        {.pass = {.protocol = BENCH_WARM, .cost.cpu_ns = 1500}, .p50_ns = 10},
        {.pass = {.protocol = BENCH_SHUFFLED, .cost.allocations = 77}, .contaminated = true},
    };
    rows[0].frames_ns = 4000;
    rows[1].frames_ns = 1000;
    rows[1].pass.cost.reset_ns = 50;
    rows[1].pass.cost.other_cpu_ns = 400;
    rows[1].pass.cost.threads = 3;
    cell.warm_count = 1;
    cell.passes = rows;
    cell.pass_count = 3;
    SCOPED_CSV table = write_and_read(&cell);
    expect(&table, "first_pass_ratio", 3);
    expect(&table, "reset_ns", 50);
    expect(&table, "reset_ratio", 0.05);
    expect(&table, "other_cpu_ratio", 0.2);
    expect(&table, "threads_count", 3);
    expect(&table, "alloc_count", 0);
    expect(&table, "contaminated_passes_count", 0);
    base_csv_release(&table);
    cell.warm_count = 0;
    cell.pass_count = 0;
    table = write_and_read(&cell);
    expect(&table, "first_pass_ratio", NAN);
    expect(&table, "reset_ns", NAN);
    expect(&table, "threads_count", NAN);
}

Test(cells, one_frame_is_cold_and_all_there_is)
{
    alg_answer answers[1];
    bench_judgement judgements[1];
    bench_cell cell = make_cell(1, answers, judgements);
    cell.warm_count = 2;
    SCOPED_CSV table = write_and_read(&cell);
    expect(&table, "time_cold_ns", 10);
    expect(&table, "time_p50_ns", 10);
    expect(&table, "time_max_ns", 6000000);
    expect(&table, "time_evicted_p50_ns", NAN);
    expect(&table, "distance_error_rel_mean", NAN);
}

/**
 * The row of an unsupported cell, or of one that died early, must not contain numbers that look
 * like results.
 */
Test(cells, without_a_pass_there_are_no_numbers)
{
    alg_answer answers[FRAMES];
    bench_judgement judgements[FRAMES];
    bench_cell cell = make_cell(FRAMES, answers, judgements);
    cell.status = BENCH_CELL_UNSUPPORTED;
    cell.load_ns = UINT64_MAX;
    SCOPED_CSV table = write_and_read(&cell);
    static const char *const empty[] = {
        "time_mean_ns",
        "time_p50_ns",
        "time_max_ns",
        "time_cold_ns",
        "misses_5ms_count",
        "misses_100us_count",
        "volume_error_rel_max",
        "distance_error_size_p99",
        "volume_bracket_width_rel_p50",
        "load_ns",
        "budget_reached_count",
        "tests_count_mean",
    };
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        expect(&table, empty[i], NAN);
    }
    expect(&table, "frames_judged_count", 0);
    expect(&table, "passes_count", 0);
    cr_assert_null(base_csv_text(&table, 0, base_csv_find(&table, "answers_hash")));
}

/** Errors of 1 to 100 with both signs: the 99th percentile is 99 and not the largest error. */
Test(cells, percentiles_of_a_hundred_errors)
{
    enum { COUNT = 101 };
    static alg_answer answers[COUNT];
    static bench_judgement judgements[COUNT];
    bench_cell cell = make_cell(COUNT, answers, judgements);
    for (int f = 1; f < COUNT; f++) {
        const int error = f * 37 % 101;
        judgements[f].errors[BENCH_DISTANCE_ERROR_SIZE] = f % 2 ? error : -error;
        judgements[f].errors[BENCH_VOLUME_ERROR_REL] = f % 2 ? -2 * error : 2 * error;
    }
    cell.passes = passes;
    cell.pass_count = 1;
    SCOPED_CSV table = write_and_read(&cell);
    expect(&table, "distance_error_size_p99", 99);
    expect(&table, "distance_error_size_max", 100);
    expect(&table, "volume_error_rel_p99", 198);
    expect(&table, "distance_bracket_width_size_p50", NAN);
}

/**
 * Frames of 1000, 1, 2, ... 100 ns: each percentile has another value, and the cold frame is
 * excluded.
 */
Test(cells, percentiles_of_a_hundred_warm_frames)
{
    enum { COUNT = 101 };
    static alg_answer answers[COUNT];
    static bench_judgement judgements[COUNT];
    static uint64_t times_ns[COUNT] = {1000};
    bench_cell cell = make_cell(COUNT, answers, judgements);
    for (uint64_t f = 1; f < COUNT; f++) {
        times_ns[f] = f * 37 % 101; /* 101 is prime: each of 1 ... 100 occurs once */
    }
    cell.warm_ns = times_ns;
    cell.warm_count = 1;
    SCOPED_CSV table = write_and_read(&cell);
    expect(&table, "time_mean_ns", 50.5);
    expect(&table, "time_p50_ns", 50);
    expect(&table, "time_p95_ns", 95);
    expect(&table, "time_p99_ns", 99);
    expect(&table, "time_max_ns", 100);
}

Test(cells, contracts_by_quantity)
{
    static const struct {
        const char *text;
        alg_quantity quantity;
        bool known;
        alg_contract contract;
    } cases[] = {
        {"distance=exact volume=upper-bound", ALG_DISTANCE, true, ALG_EXACT},
        {"distance=exact volume=upper-bound", ALG_VOLUME, true, ALG_UPPER_BOUND},
        {"distance=exact volume=upper-bound", ALG_CONTACT, false, ALG_EXACT},
        {"volume=none", ALG_VOLUME, true, ALG_NOT_ANSWERED},
        {"contact=lower-bound", ALG_CONTACT, true, ALG_LOWER_BOUND},
        {"distance=approximate", ALG_DISTANCE, true, ALG_APPROXIMATE},
        {"distance=approximately", ALG_DISTANCE, false, ALG_EXACT},
        {"distances=none distance=exact", ALG_DISTANCE, true, ALG_EXACT},
        {"", ALG_DISTANCE, false, ALG_EXACT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_cell_row row = {.contract = cases[i].text};
        alg_contract contract = ALG_EXACT;
        cr_assert_eq(bench_cell_row_contract(&row, cases[i].quantity, &contract), cases[i].known,
                     "case %zu", i);
        cr_assert_eq(contract, cases[i].contract, "case %zu", i);
    }
}

/** "exact" up to rounding, "n/j" if an answer has no error, "-" if there is no answer. */
Test(cells, errors_are_written_one_way)
{
    static const struct {
        double error;
        const char *contract, *status, *text;
    } cases[] = {
        {0, "distance=exact", "ok", "exact"},
        {1e-9, "distance=exact", "ok", "exact"},
        {1.1e-9, "distance=approximate", "ok", "1.1e-07 %"},
        {0.5, "distance=approximate", "wrong", "50.000 %"},
        {NAN, "distance=exact", "ok", "n/j"},
        {NAN, "distance=exact", "wrong", "n/j"},
        {NAN, "distance=exact", "unsupported", "-"},
        {NAN, "distance=none", "ok", "-"},
        {NAN, "volume=exact", "ok", "-"},
        {0.00707, "", "ok", "0.707 %"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_cell_row row = {.contract = cases[i].contract, .status = cases[i].status};
        const bench_number_text t = bench_cell_row_error_text(&row, ALG_DISTANCE, cases[i].error);
        cr_expect_str_eq(t.text, cases[i].text, "case %zu: %s", i, t.text);
    }
    cr_expect_str_eq(bench_cell_row_error_text(NULL, ALG_DISTANCE, NAN).text, "-");
}

enum { TABLE_BYTES = 1024 };

/** Prints rows of a table into `text`. */
static void print_table(bench_table *table, const bench_cell_row *rows, size_t count,
                        unsigned quantities, char text[TABLE_BYTES])
{
    FILE *const file = tmpfile();
    cr_assert_not_null(file);
    for (size_t i = 0; i < count; i++) {
        bench_table_print(file, table, quantities, &rows[i]);
    }
    rewind(file);
    text[fread(text, 1, TABLE_BYTES - 1, file)] = '\0';
    fclose(file);
}

/**
 * Columns are as wide as the longest name, which is known before the first line; a copy of a
 * variant fits, too.
 */
Test(cells, names_do_not_shift_the_columns_of_the_table)
{
    const bench_cell_row rows[] = {
        {.scenario = "s", .variant = "floor", .status = "ok", .detail = "", .contract = ""},
        {.scenario = "a/long/scenario",
         .variant = "ist:voxels=16@twin",
         .status = "ok",
         .detail = "",
         .contract = "distance=upper-bound"},
    };
    bench_table table;
    char text[TABLE_BYTES];
    bench_table_begin(&table);
    bench_table_scenario(&table, "s");
    bench_table_scenario(&table, "a/long/scenario");
    bench_table_variant(&table, "floor", false);
    bench_table_variant(&table, "ist:voxels=16", true);
    print_table(&table, rows, sizeof rows / sizeof *rows, ALG_WANT_DISTANCE, text);
    cr_assert_eq(table.scenario_width, (int)strlen("a/long/scenario"));
    cr_assert_eq(table.variant_width, (int)strlen("ist:voxels=16@twin"));
    const char *const second = strchr(text, '\n') + 1, *const third = strchr(second, '\n') + 1;
    const char *const status = strstr(text, "status"), *const ok = strstr(second, "  ok\n") + 2;
    cr_assert(status && ok && status - text == ok - second, "%s", text);
    cr_assert_eq(strstr(third, "  ok\n") + 2 - third, ok - second, "%s", text);
    cr_assert_null(strstr(third, "status"), "one heading:\n%s", text);
}

/**
 * The declared rounding of an exact method and a remaining overlap are printed on lines of their
 * own.
 */
Test(cells, the_table_says_what_exact_means_and_what_is_left)
{
    bench_table table;
    char text[TABLE_BYTES];
    bench_table_begin(&table);
    bench_cell_row row = {.scenario = "s",
                          .variant = "v",
                          .status = "ok",
                          .detail = "",
                          .contract = "distance=exact depth=approximate",
                          .tolerance_ulp = 4};
    print_table(&table, &row, 1, ALG_WANT_DISTANCE, text);
    cr_assert_not_null(strstr(text, "\n          exact within 8.9e-16\n"), "%s", text);
    print_table(&table, &row, 1, ALG_WANT_DEPTH, text);
    cr_assert_null(strstr(text, "within"), "approximate: %s", text);
    cr_assert_null(strstr(text, "left"), "%s", text);
    row.tolerance_ulp = UINT64_MAX; /* from a run that does not have this value */
    row.errors[BENCH_DEPTH_LEFT_REL][BENCH_MAX] = 0.25;
    print_table(&table, &row, 1, ALG_WANT_DISTANCE | ALG_WANT_DEPTH, text);
    cr_assert_null(strstr(text, "within"), "%s", text);
    const char *const left = strstr(text, "up to 25 % of the overlap is left after the move");
    cr_assert(left && !strstr(left + 1, "up to"), "once, for the depth: %s", text);
    row.tolerance_ulp = 0;
    print_table(&table, &row, 1, ALG_WANT_DISTANCE, text);
    cr_assert_null(strstr(text, "within"), "%s", text);
    cr_assert_null(strstr(text, "left"), "%s", text);
}

/** Errors of both signs cancel in the bias only. */
Test(cells, a_bias_is_a_mean_with_signs)
{
    enum { FOUR = 4 };
    alg_answer answers[FOUR];
    bench_judgement judgements[FOUR];
    const bench_cell cell = make_cell(FOUR, answers, judgements);
    const double errors[FOUR] = {-0.5, 0.25, NAN, -0.5};
    double statistics[BENCH_STATISTIC_COUNT];
    for (int f = 0; f < FOUR; f++) {
        judgements[f].errors[BENCH_VOLUME_ERROR_REL] = errors[f];
    }
    assert_ok(bench_cell_statistics(&cell, BENCH_VOLUME_ERROR_REL, statistics, ERR));
    cr_assert_eq(statistics[BENCH_BIAS], -0.25);
    cr_assert_float_eq(statistics[BENCH_MEAN], 1.25 / 3, 1e-15);
    cr_assert_eq(statistics[BENCH_MAX], 0.5);
}

/**
 * Two of the three frames that the tolerance judges are within it. The fourth frame has only an
 * error relative to the size, so the deadline profile counts it in other columns.
 */
Test(cells, shares_are_of_the_frames_that_the_tolerance_judges)
{
    enum { FOUR = 4 };
    alg_answer answers[FOUR];
    bench_judgement judgements[FOUR];
    bench_cell cell = make_cell(FOUR, answers, judgements);
    assert_ok(bench_tolerances_parse("distance_error_rel=0.1", &cell.tolerances, ERR));
    const double relative[FOUR] = {-0.05, 0.1, 0.2, NAN};
    for (int f = 0; f < FOUR; f++) {
        judgements[f].errors[BENCH_DISTANCE_ERROR_REL] = relative[f];
        judgements[f].errors[BENCH_DISTANCE_ERROR_SIZE] = 0.001;
    }
    cell.warm_count = 1;
    cell.passes = passes;
    cell.pass_count = 1;
    base_csv table = write_and_read(&cell);
    cr_assert_float_eq(field(&table, "distance_within_share"), 2 / 3.0, 1e-15);
    cr_assert(isnan(field(&table, "volume_within_share")), "it was not asked");
    cr_assert_str_eq(base_csv_text(&table, 0, base_csv_find(&table, "tolerance")),
                     "distance_error_rel=0.10000000000000001");
    base_csv_release(&table);

    char text[4096] = "";
    FILE *const file = fmemopen(text, sizeof text, "w");
    assert_ok(bench_deadline_put(file, &cell, ERR));
    fclose(file);
    char *last = text;
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        last = line;
    }
    cr_assert_str_eq(last,
                     "s,distance,fake,6000000,1,1,1,fake,0.66666666666666663,10 % of the truth\n");
}

/**
 * With ten frames the sign test gives the interval from the second to the ninth value: 97.9 % (with
 * nine frames also without the outermost: 96.1 %).
 */
Test(cells, a_median_has_its_interval)
{
    enum { TEN = 10 };
    alg_answer answers[TEN];
    bench_judgement judgements[TEN];
    const bench_cell cell = make_cell(TEN, answers, judgements);
    double statistics[BENCH_STATISTIC_COUNT];
    for (int f = 0; f < TEN; f++) {
        judgements[f].errors[BENCH_FORCE_DIRECTION_DEG] = f % 2 ? f + 1 : -(f + 1);
    }
    assert_ok(bench_cell_statistics(&cell, BENCH_FORCE_DIRECTION_DEG, statistics, ERR));
    cr_assert_eq(statistics[BENCH_P50], 5);
    cr_assert_eq(statistics[BENCH_P50_LO], 2);
    cr_assert_eq(statistics[BENCH_P50_HI], 9);
    for (int f = 5; f < TEN; f++) {
        judgements[f].errors[BENCH_FORCE_DIRECTION_DEG] = NAN;
    }
    assert_ok(bench_cell_statistics(&cell, BENCH_FORCE_DIRECTION_DEG, statistics, ERR));
    cr_assert(isnan(statistics[BENCH_P50_LO]) && isnan(statistics[BENCH_P50_HI]),
              "five are too few");
}
