/** Formulas of claims: each function by hand, intervals, missing values, syntax errors. */
#include "suite/claims/formula.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 64 };

/** Rows with columns x and y; y of the other variant is 10 times as large. */
typedef struct made_up {
    size_t count;
    double x[ROWS_MAX], y[ROWS_MAX];
    const char *scenario[ROWS_MAX]; /* NULL: "s" */
    bench_interval ratio, time[ROWS_MAX];
    char names[200]; /* of `differs` */
} made_up;

static double column(void *context, size_t row, bool other, const char *name)
{
    const made_up *const m = context;
    const size_t r = row == BENCH_FORMULA_WHOLE ? 0 : row;
    return strcmp(name, "x") == 0 ? m->x[r] : (other ? 10 : 1) * m->y[r];
}

static double parameter(void *context, size_t row, const char *name)
{
    (void)context, (void)row;
    return strcmp(name, "deadline-us") == 0 ? 5 : (double)NAN;
}

/** The variant of a row is named by the parity of its index: "even" or "odd". */
static bool matches(void *context, size_t row, bool variant, const char *glob)
{
    const made_up *const m = context;
    const char *const name = variant ? row % 2 == 0 ? "even" : "odd" : m->scenario[row];
    return name && strcmp(name, glob) == 0;
}

/** Row 3 begins a new path. */
static bool follows(void *context, size_t row)
{
    (void)context;
    return row != 3;
}

static bench_interval ratio(void *context, size_t row, const char *time)
{
    (void)row;
    cr_assert_str_eq(time, "warm");
    return ((made_up *)context)->ratio;
}

static bench_interval time_of(void *context, size_t row, const char *time)
{
    cr_assert_str_eq(time, "evicted");
    return ((made_up *)context)->time[row == BENCH_FORMULA_WHOLE ? 0 : row];
}

static double differs(void *context, size_t row, const char *const *names)
{
    made_up *const m = context;
    (void)row;
    for (size_t i = 0; names[i]; i++) {
        strcat(strcat(m->names, names[i]), ";");
    }
    return 2;
}

static double promises(void *context, size_t row)
{
    return ((made_up *)context)->x[row];
}

static bench_interval evaluate(made_up *m, const char *text)
{
    bench_formula f;
    base_error err = {0};
    double scratch[3 * ROWS_MAX];
    cr_assert_eq(bench_formula_parse(text, &f, &err), BASE_OK, "%s: %s", text, err.text);
    const bench_formula_rows rows = {.context = m,
                                     .count = m->count,
                                     .paper = 42,
                                     .scratch = scratch,
                                     .column = column,
                                     .parameter = parameter,
                                     .matches = matches,
                                     .follows = follows,
                                     .ratio = ratio,
                                     .time = time_of,
                                     .differs = differs,
                                     .promises = promises};
    return bench_formula_evaluate(&f, &rows, BENCH_FORMULA_WHOLE);
}

static void expect(made_up *m, const char *text, double value, double lo, double hi)
{
    const bench_interval i = evaluate(m, text);
    cr_expect_float_eq(i.value, value, 1e-12 * fabs(value) + 1e-15, "%s: %.17g", text, i.value);
    cr_expect_float_eq(i.lo, lo, 1e-12 * fabs(lo) + 1e-15, "%s: from %.17g", text, i.lo);
    cr_expect_float_eq(i.hi, hi, 1e-12 * fabs(hi) + 1e-15, "%s: to %.17g", text, i.hi);
}

static void expect_value(made_up *m, const char *text, double value)
{
    expect(m, text, value, value, value);
}

static void expect_missing(made_up *m, const char *text)
{
    const bench_interval i = evaluate(m, text);
    cr_expect(isnan(i.value) && isnan(i.lo) && isnan(i.hi), "%s: %g", text, i.value);
}

static made_up five(void)
{
    return (made_up){.count = 5,
                     .x = {3, 1, 4, 1, 5},
                     .y = {2, 7, 1, 8, NAN},
                     .scenario = {"a", "a", "b", "b", "b"}};
}

Test(formula, operators_bind_as_in_c)
{
    made_up m = five();
    expect_value(&m, "1 + 2 * 3", 7);
    expect_value(&m, "(1 + 2) * 3", 9);
    expect_value(&m, "8 - 4 - 2", 2);
    expect_value(&m, "8 / 4 / 2", 1);
    expect_value(&m, "2 + 3 < 6 && 1 > 2 || 3 >= 3", 1);
    expect_value(&m, "1 < 2 && 2 <= 2 && 3 == 3 && 3 != 4", 1);
    expect_value(&m, "-x + 4", 1);
    expect_value(&m, "2 * -3", -6);
    expect_value(&m, "1e3/paper", 1000.0 / 42);
    expect_value(&m, "x * other.y - y", 58);
    expect_value(&m, "$deadline-us * 1000", 5000);
    expect_value(&m, "sqrt(16) + abs(1 - 3) + larger(2, x) + smaller(2, x)", 4 + 2 + 3 + 2);
    expect_value(&m, "acos(0 - 1)", acos(-1));
    expect_value(&m, "acos(1.0000001)", 0);
}

Test(formula, statistics_by_hand)
{
    made_up m = five();
    expect_value(&m, "min(x)", 1);
    expect_value(&m, "max(x)", 5);
    expect_value(&m, "sum(x)", 14);
    expect_value(&m, "mean(x)", 2.8);
    expect_value(&m, "first(x)", 3);
    expect_value(&m, "last(x)", 5);
    expect_value(&m, "p50(x)", 3);
    expect_value(&m, "p99(x)", 5);
    expect_value(&m, "p50(y)", 2); /* of 1, 2, 7, 8: the lower median */
    expect_value(&m, "sum(y)", 18);
    expect_value(&m, "last(y)", 8);
    expect_value(&m, "max(x) / min(y)", 5);
    expect_value(&m, "max(x * y)", 8);
    expect_value(&m, "share(x > 2)", 0.6);
    expect_value(&m, "share(y > 2)", 0.5); /* the missing value is not counted */
    expect_value(&m, "sum(promises())", 14);
    expect_value(&m, "sum(at('b', x))", 10);
    expect_value(&m, "sum(at('a', x)) + max(at('b', y))", 12);
    expect_value(&m, "max(x - prev(x))", 4); /* 5 - 1; rows 0 and 3 have no previous row */
    expect_value(&m, "min(x - prev(x))", -2);
    expect_missing(&m, "sum(at('c', x))");
    expect_value(&m, "sum(by('odd', x))", 2);
    expect_value(&m, "sum(by('even', at('b', y)))", 1);
    expect_missing(&m, "sum(by('tree', x))");
    expect_value(&m, "sum(if(x > 2, y))", 3);
    expect_value(&m, "sum(if(y > 2, x))", 2); /* a missing condition is not true */
    expect_value(&m, "if(1, 7)", 7);
    expect_missing(&m, "if(0, 7)");
    made_up forty = {.count = 40};
    for (size_t i = 0; i < forty.count; i++) {
        forty.x[i] = (double)(40 - i);
    }
    expect_value(&forty, "p95(x)", 38);
    expect_value(&forty, "p99(x)", 40);
    expect_missing(&m, "prev(x)");
    m.count = 0;
    expect_missing(&m, "sum(x)");
    expect_missing(&m, "share(x > 2)");
}

Test(formula, missing_values)
{
    made_up m = {.count = 1, .x = {NAN}, .y = {0}};
    expect_missing(&m, "x");
    expect_missing(&m, "x + 1");
    expect_missing(&m, "x < 1");
    expect_missing(&m, "larger(x, 1)");
    expect_missing(&m, "smaller(1, x)");
    expect_missing(&m, "1 / y");
    expect_missing(&m, "$voxels");
    expect_missing(&m, "x < 1 && y == 0");
    expect_missing(&m, "x < 1 || y == 1");
    expect_value(&m, "x < 1 && y == 1", 0);
    expect_value(&m, "y == 1 && x < 1", 0);
    expect_value(&m, "x < 1 || y == 0", 1);
    expect_value(&m, "y == 0 || x < 1", 1);
}

Test(formula, intervals)
{
    made_up m = {
        .count = 3,
        .x = {3, 3, 3},
        .ratio = {2, 1, 4},
        .time = {{5, 4, 6}, {8, 6, 12}, {2, 1, 7}},
    };
    expect(&m, "ratio(warm)", 2, 1, 4);
    expect(&m, "1 / ratio(warm)", 0.5, 0.25, 1);
    expect(&m, "-ratio(warm)", -2, -4, -1);
    expect(&m, "ratio(warm) * (ratio(warm) - 3)", -2, -8, 4);
    expect(&m, "ratio(warm) - 3", -1, -2, 1);
    expect(&m, "abs(ratio(warm) - 3)", 1, 0, 2);
    expect(&m, "abs(ratio(warm) - 5)", 3, 1, 4);
    expect(&m, "sqrt(ratio(warm))", sqrt(2), 1, 2);
    expect(&m, "larger(ratio(warm), 3)", 3, 3, 4);
    expect(&m, "smaller(ratio(warm), 3)", 2, 1, 3);
    expect(&m, "max(time(evicted))", 8, 6, 12);
    expect(&m, "min(time(evicted))", 2, 1, 6);
    expect(&m, "sum(time(evicted))", 15, 11, 25);
    expect(&m, "mean(time(evicted))", 5, 11.0 / 3, 25.0 / 3);
    expect(&m, "p50(time(evicted))", 5, 4, 7);
    expect(&m, "max(time(evicted)) / min(time(evicted))", 4, 1, 12);
    const bench_interval open = evaluate(&m, "1 / (ratio(warm) - 3)");
    cr_expect(open.value == -1 && isnan(open.lo) && isnan(open.hi), "0 is within the divisor");
    m.time[1].lo = NAN;
    const bench_interval one = evaluate(&m, "max(time(evicted))");
    cr_expect(one.value == 8 && isnan(one.lo) && isnan(one.hi), "one has no interval");
    m.ratio = (bench_interval){2, NAN, NAN};
    const bench_interval none = evaluate(&m, "1 / ratio(warm)");
    cr_expect(none.value == 0.5 && isnan(none.lo) && isnan(none.hi));
}

Test(formula, quotients_of_exact_values_are_those_of_c)
{
    made_up m = {.count = 1, .x = {49}, .y = {0.1}};
    expect(&m, "x / (x * 7)", 49.0 / 343, 49.0 / 343, 49.0 / 343);
    const bench_interval i = evaluate(&m, "1 / 49 * x / x");
    cr_expect(i.lo == i.value && i.hi == i.value);
}

/** y = 3 x^1.5 exactly; then with alternating residuals of +-1/8, whose error is known. */
Test(formula, a_power_law)
{
    made_up m = {.count = 32};
    for (size_t i = 0; i < m.count; i++) {
        m.x[i] = exp((double)i);
        m.y[i] = 3 * pow(m.x[i], 1.5);
    }
    const bench_interval exact = evaluate(&m, "fit(x, y)");
    cr_expect_float_eq(exact.value, 1.5, 1e-12);
    cr_expect_float_eq(exact.hi - exact.lo, 0, 1e-12);
    double sxx = 0, sxy = 0, syy = 0, mean = 0;
    for (size_t i = 0; i < m.count; i++) {
        const double off = i % 2 == 0 ? 0.125 : -0.125, t = (double)i - 15.5;
        m.y[i] *= exp(off);
        sxx += t * t;
        sxy += t * (1.5 * t + off);
        mean += (1.5 * t + off) / 32;
    }
    for (size_t i = 0; i < m.count; i++) {
        const double off = i % 2 == 0 ? 0.125 : -0.125, t = (double)i - 15.5;
        const double residual = 1.5 * t + off - mean - sxy / sxx * t;
        syy += residual * residual;
    }
    const bench_interval i = evaluate(&m, "fit(x, y)");
    cr_expect_float_eq(i.value, sxy / sxx, 1e-12);
    cr_expect_float_eq(i.hi - i.value, 1.96 * sqrt(syy / 30 / sxx), 1e-12);
    cr_expect_float_eq(i.value - i.lo, 1.96 * sqrt(syy / 30 / sxx), 1e-12);
    m.x[0] = 0; /* no logarithm: 31 rows are left */
    cr_expect(!isnan(evaluate(&m, "fit(x, y)").lo));
    m.count = 30;
    const bench_interval few = evaluate(&m, "fit(x, y)");
    cr_expect(!isnan(few.value) && isnan(few.lo) && isnan(few.hi), "29 rows have no interval");
    m.count = 3;
    expect_missing(&m, "fit(x, y)");
    made_up same = {.count = 4, .x = {2, 2, 2, 2}, .y = {1, 2, 3, 4}};
    expect_missing(&same, "fit(x, y)");
}

Test(formula, names_of_columns_that_differ)
{
    made_up m = five();
    expect_value(&m, "differs(contacts_count, depth_m)", 2);
    cr_assert_str_eq(m.names, "contacts_count;depth_m;");
}

static void put_name(void *context, const char *name)
{
    strcat(strcat(context, name), ";");
}

static bench_formula parsed(const char *text)
{
    bench_formula f;
    base_error err = {0};
    cr_assert_eq(bench_formula_parse(text, &f, &err), BASE_OK, "%s: %s", text, err.text);
    return f;
}

Test(formula, what_it_is_made_of)
{
    static const struct {
        const char *text;
        bench_unit unit;
        bool timed;
    } cases[] = {
        {"max(time_min_ns)", BENCH_UNIT_TIME, true},
        {"p50(stage_a_ns + stage_b_ns)", BENCH_UNIT_TIME, true},
        {"p50(stage_a_ns / regions_count)", BENCH_UNIT_TIME, true},
        {"max(at('a', time_min_ns))", BENCH_UNIT_TIME, true},
        {"max(by('a', time_min_ns))", BENCH_UNIT_TIME, true},
        {"p95(if(depth_m > 0, time_min_ns))", BENCH_UNIT_TIME, true},
        {"time(warm)", BENCH_UNIT_TIME, false},
        {"ratio(stage_a_ns)", BENCH_UNIT_NUMBER, false},
        {"p50(count / stage_a_ns)", BENCH_UNIT_NUMBER, true},
        {"other.build_ns / build_ns", BENCH_UNIT_NUMBER, true},
        {"1 / other.build_ns", BENCH_UNIT_NUMBER, true},
        {"max(time_min_ns) / (1000 * $deadline-us)", BENCH_UNIT_NUMBER, true},
        {"build_bytes", BENCH_UNIT_BYTES, false},
        {"build_bytes / other.build_bytes", BENCH_UNIT_NUMBER, false},
        {"share(depth_m > 0)", BENCH_UNIT_SHARE, false},
        {"distance_error_size_mean", BENCH_UNIT_SHARE, false},
        {"p50(abs(distance_error_rel))", BENCH_UNIT_SHARE, false},
        {"recovered_share", BENCH_UNIT_SHARE, false},
        {"sum(promises())", BENCH_UNIT_NUMBER, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_formula f = parsed(cases[i].text);
        cr_expect_eq(bench_formula_unit(&f), cases[i].unit, "%s", cases[i].text);
        cr_expect_eq(bench_formula_is_timed(&f), cases[i].timed, "%s", cases[i].text);
    }
    const bench_formula f = parsed("x + other.y * sum(promises()) - differs(z)");
    char names[100] = "";
    bench_formula_columns(&f, put_name, names);
    cr_expect_str_eq(names, "x;y;z;");
    cr_expect(bench_formula_has_promises(&f));
    const bench_formula g = parsed("x");
    cr_expect_not(bench_formula_has_promises(&g));
    cr_expect_str_eq(bench_formula_column(&g), "x");
    cr_expect_null(bench_formula_column(&f));
}

Test(formula, errors_say_where)
{
    static const char *const cases[][2] = {
        {"", "no name at the end"},
        {"1 +", "no name at the end"},
        {"1 2", "an operator is missing at '2'"},
        {"(1", "no ')' at the end"},
        {"mim(x)", "unknown function 'mim'; did you mean 'min'? at 'mim(x)'"},
        {"max(min(x))", "a statistic inside of a statistic at 'min(x))'"},
        {"fit(x)", "wrong number of arguments at the end"},
        {"sum(x, y) + 1", "wrong number of arguments at ' + 1'"},
        {"sum(x y)", "no ',' or ')' at 'y)'"},
        {"at(x, y)", "no text in single quotes at 'x, y)'"},
        {"at('x, y)", "no text in single quotes at ''x, y)'"},
        {"ratio(1 + 2)", "no ',' or ')' at '+ 2)'"},
        {"x ? y", "an operator is missing at '? y'"},
        {"$", "no name at '$'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_formula f;
        base_error err = {0};
        cr_expect_eq(bench_formula_parse(cases[i][0], &f, &err), BASE_ERR_INPUT, "%s", cases[i][0]);
        cr_expect_str_eq(err.text, cases[i][1], "%s: %s", cases[i][0], err.text);
    }
}

Test(formula, a_long_one_is_refused)
{
    char text[4 * BENCH_FORMULA_NODES] = "1";
    for (int i = 0; i < BENCH_FORMULA_NODES; i++) {
        strcat(text, "+1");
    }
    bench_formula f;
    base_error err = {0};
    cr_expect_eq(bench_formula_parse(text, &f, &err), BASE_ERR_INPUT);
    cr_expect(strstr(err.text, "the formula is too long"), "%s", err.text);
    char name[100];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_expect_eq(bench_formula_parse(name, &f, &err), BASE_ERR_INPUT);
}
