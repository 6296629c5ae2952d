#include "base/tests/support.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/quantity.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void silence(void)
{
    cr_redirect_stdout();
    cr_redirect_stderr();
}

TestSuite(options, .init = silence);

typedef struct values {
    const char *file;
    bench_texts list;
    double number;
    uint64_t count;
    bool flag;
    int operands;
    char *argv[16];
} values;

/** Parses the NULL-terminated words after a command's name. */
static int parse(values *v, const char *const *words)
{
    static char storage[16][64];
    *v = (values){.file = "default", .number = 0.25, .count = 7, .operands = -1};
    const bench_option options[] = {
        {"file", "FILE", BENCH_TEXT, &v->file, "a text", 0, 0},
        {"number", "X", BENCH_NUMBER, &v->number, "a number", 0, 0},
        {"count", "N", BENCH_COUNT, &v->count, "a count", 0, 0},
        {"flag", NULL, BENCH_FLAG, &v->flag, "a flag", 0, 0},
        {"list", "TEXT", BENCH_LIST, &v->list, "texts", 0, 0},
        BENCH_OPTION_END,
    };
    const bench_usage usage = {.usage = "test [options]", .summary = "Tests.", .notes = NULL};
    int argc = 0;
    snprintf(storage[0], sizeof storage[0], "test");
    v->argv[argc++] = storage[0];
    for (; words[argc - 1]; argc++) {
        snprintf(storage[argc], sizeof storage[0], "%s", words[argc - 1]);
        v->argv[argc] = storage[argc];
    }
    return bench_parse(argc, v->argv, options, &usage, &v->operands);
}

#define PARSE(v, ...) parse(v, (const char *const[]){__VA_ARGS__, NULL})

Test(options, a_list_keeps_every_value_in_order)
{
    values v;
    cr_assert_eq(PARSE(&v, "--list", "b", "one", "--list=a"), -1);
    cr_assert_eq(v.list.count, 2u);
    cr_assert_str_eq(v.list.items[0], "b");
    cr_assert_str_eq(v.list.items[1], "a");
    cr_assert_eq(v.operands, 1);
    char word[] = "--list=x", name[] = "test";
    char *many[BENCH_TEXTS_MAX + 2] = {name};
    for (int i = 1; i < BENCH_TEXTS_MAX + 2; i++) {
        many[i] = word;
    }
    bench_texts list = {0};
    const bench_option options[] = {BENCH_OPTION("list", "TEXT", &list, "texts"), BENCH_OPTION_END};
    const bench_usage usage = {.usage = "test", .summary = "Tests.", .notes = NULL};
    cr_assert_eq(bench_parse(BENCH_TEXTS_MAX + 1, many, options, &usage, &v.operands), -1);
    list.count = 0;
    cr_assert_eq(bench_parse(BENCH_TEXTS_MAX + 2, many, options, &usage, &v.operands), BENCH_USAGE);
}

Test(options, defaults_stay)
{
    values v;
    cr_assert_eq(PARSE(&v, "one"), -1);
    cr_assert_str_eq(v.file, "default");
    cr_assert_eq(v.number, 0.25);
    cr_assert_eq(v.count, 7u);
    cr_assert_not(v.flag);
    cr_assert_eq(v.operands, 1);
    cr_assert_str_eq(v.argv[1], "one");
}

Test(options, both_forms_and_operands_between)
{
    values v;
    cr_assert_eq(PARSE(&v, "one", "--file", "x.off", "two", "--number=-1.5e-3", "--flag", "--count",
                       "18446744073709551615", "three"),
                 -1);
    cr_assert_str_eq(v.file, "x.off");
    cr_assert_eq(v.number, -1.5e-3);
    cr_assert_eq(v.count, UINT64_MAX);
    cr_assert(v.flag);
    cr_assert_eq(v.operands, 3);
    cr_assert_str_eq(v.argv[1], "one");
    cr_assert_str_eq(v.argv[2], "two");
    cr_assert_str_eq(v.argv[3], "three");
}

Test(options, the_last_one_counts)
{
    values v;
    cr_assert_eq(PARSE(&v, "--count", "1", "--count=2"), -1);
    cr_assert_eq(v.count, 2u);
}

Test(options, dashes)
{
    values v;
    cr_assert_eq(PARSE(&v, "-0.5", "-", "-1e-3", "--", "--file", "-x"), -1);
    cr_assert_str_eq(v.file, "default");
    cr_assert_eq(v.operands, 5, "%d", v.operands);
    cr_assert_str_eq(v.argv[1], "-0.5");
    cr_assert_str_eq(v.argv[4], "--file");
    cr_assert_str_eq(v.argv[5], "-x");
    /* A value may begin with a dash, and in the form with "=" with two dashes. */
    cr_assert_eq(PARSE(&v, "--number", "-2", "--file=--x"), -1);
    cr_assert_eq(v.number, -2);
    cr_assert_str_eq(v.file, "--x");
    cr_assert_eq(PARSE(&v, "--file="), -1);
    cr_assert_str_eq(v.file, "");
}

Test(options, usage_errors)
{
    static const char *const bad[][2] = {
        {"--fiel", "x"},     {"-x", NULL},         {"--fil=x", NULL},
        {"--file", NULL},    {"--file", "--flag"}, {"--flag=yes", NULL},
        {"--number", "a"},   {"--number", "1x"},   {"--number", "nan"},
        {"--number=", NULL}, {"--count", "-1"},    {"--count", "1.5"},
        {"--count", ""},     {"--count", " 1"},    {"--count=18446744073709551616", NULL},
        {"--fla", NULL},     {"--fla=1", NULL},    {"--help=1", NULL},
        {"--hel", NULL},     {"-hx", NULL},        {"--=1", NULL},
        {"--count", NULL},   {"--count", "--5"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        values v;
        const int status = PARSE(&v, bad[i][0], bad[i][1]);
        cr_assert_eq(status, BENCH_USAGE, "%s %s: status %d", bad[i][0], bad[i][1] ? bad[i][1] : "",
                     status);
    }
}

Test(options, what_was_parsed_before_is_forgotten)
{
    values v;
    cr_assert_eq(PARSE(&v, "-xyz", "--flag"), BENCH_USAGE);
    cr_assert_eq(PARSE(&v, "-0.5", "--flag", "-1", "one", "--count", "2", "-2"), -1);
    cr_assert(v.flag);
    cr_assert_eq(v.count, 2u);
    cr_assert_eq(v.operands, 4, "%d", v.operands);
    cr_assert_str_eq(v.argv[1], "-0.5");
    cr_assert_str_eq(v.argv[2], "-1");
    cr_assert_str_eq(v.argv[3], "one");
    cr_assert_str_eq(v.argv[4], "-2");
}

Test(options, help_ends_the_command)
{
    values v;
    cr_assert_eq(PARSE(&v, "--count", "3", "--help", "--nonsense"), BENCH_GOOD);
    cr_assert_eq(PARSE(&v, "-h"), BENCH_GOOD);
}

Test(options, quantities)
{
    static const struct {
        const char *text;
        unsigned quantities;
        const char *name;
    } rows[] = {
        {"distance", 1, "distance"},
        {"volume", 2, "volume"},
        {"both", 3, "unified"},
        {"distance,volume", 3, "unified"},
        {"unified", 3, "unified"},
        {"contact", 4, "contact"},
        {"depth", 8, "depth"},
        {"force+volume", 18, "volume+force"},
        {"unified+contact", 7, "distance+volume+contact"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned quantities = 0;
        base_error err;
        cr_assert_eq(bench_quantities_parse(rows[i].text, &quantities, &err), BASE_OK);
        cr_assert_eq(quantities, rows[i].quantities, "%s: %u", rows[i].text, quantities);
        cr_assert_str_eq(bench_quantities_name(quantities).text, rows[i].name);
    }
    unsigned quantities = 0;
    base_error err;
    static const char *const wrong[] = {"",       "dept",        "depth+",
                                        "+depth", "depth,depth", "both+volume"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(bench_quantities_parse(wrong[i], &quantities, &err), BASE_ERR_ARGUMENT, "%s",
                     wrong[i]);
    }
    cr_assert_eq(bench_quantities_parse("dept", &quantities, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown quantity 'dept': distance, volume, contact, depth, force, "
                               "several with '+' between them, or unified (distance and volume); "
                               "did you mean 'depth'?");
}

Test(options, lists_are_cut_at_commas_and_trimmed)
{
    static const struct {
        const char *text, *items[4];
    } rows[] = {
        {"ist,floor", {"ist", "floor"}},
        {" ist , floor\t", {"ist", "floor"}},
        {"ist:radius=primary, voxels=64 ,brute", {"ist:radius=primary,voxels=64", "brute"}},
        {"a b, c", {"a b", "c"}},
        {"ist,, floor", {"ist", "", "floor"}},
        {"  ", {""}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_names list;
        size_t count = 0;
        while (count < 4 && rows[i].items[count]) {
            count++;
        }
        assert_ok(bench_names_split(rows[i].text, &list, ERR));
        cr_assert_eq(list.count, count, "'%s': %zu", rows[i].text, list.count);
        for (size_t k = 0; k < count; k++) {
            cr_assert_str_eq(list.items[k], rows[i].items[k]);
        }
    }
}

Test(options, bits_of_answers_belong_to_one_quantity)
{
    static const struct {
        uint32_t has;
        alg_quantity quantity;
    } cases[] = {
        {ALG_HAS_WITNESS, ALG_DISTANCE},
        {ALG_HAS_VOLUME_BRACKET, ALG_VOLUME},
        {ALG_HAS_PAIRS, ALG_CONTACT},
        {ALG_HAS_DEPTH | ALG_HAS_REGIONS, ALG_DEPTH},
        {ALG_HAS_FORCE, ALG_FORCE},
        {ALG_HAS_DISTANCE | ALG_HAS_VOLUME, ALG_QUANTITY_COUNT},
        {ALG_HAS_STAGES, ALG_QUANTITY_COUNT},
        {UINT32_MAX, ALG_QUANTITY_COUNT},
        {0, ALG_QUANTITY_COUNT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(bench_quantity_of(cases[i].has), cases[i].quantity, "%zu", i);
    }
}
