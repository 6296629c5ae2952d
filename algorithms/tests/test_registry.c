/** What an entry owes to the suite, and how entries are added. */
#include "algorithms/entries.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(registry, .timeout = 60);

Test(registry, entries_keep_the_contract)
{
    size_t count = 0;
    for (; alg_registry[count]; count++) {
        const alg *const a = alg_registry[count];
        alg_message message = {""};
        cr_assert_eq(alg_check(a, &message), ALG_OK, "%s", message.text);
        cr_assert_eq(alg_find(a->name), a, "'%s' is there twice", a->name);
        cr_assert_not_null(a->counters, "%s", a->name);
        for (size_t i = 0; a->counters[i]; i++) {
            const char *const ending = strstr(a->counters[i], "_count");
            cr_assert(ending && strcmp(ending, "_count") == 0, "%s", a->name);
        }
        alg_variant variant;
        cr_assert_eq(alg_variant_parse(a->name, 1, &variant, &message), ALG_OK, "%s", message.text);
        cr_assert_eq(variant.algorithm, a);
        cr_assert_str_eq(variant.name, a->name);
    }
    cr_assert_geq(count, 3);
    cr_assert_null(alg_find("ists"));
    cr_assert_null(alg_find(""));
}

static void expect_refusal(const alg *algorithm, const char *reason)
{
    alg_message message = {""};
    cr_assert_eq(alg_register(algorithm, &message), ALG_FAILED, "%s", reason);
    cr_assert_not_null(strstr(message.text, reason), "'%s' lacks '%s'", message.text, reason);
}

static alg_status save_nothing(const void *prepared, const alg_writer *to, alg_message *message)
{
    (void)prepared, (void)to, (void)message;
    return ALG_OK;
}

Test(registry, an_entry_that_breaks_a_rule_is_refused)
{
    alg bad = alg_null;
    expect_refusal(&bad, "there is an algorithm 'null' already");
    bad.name = "Mine";
    expect_refusal(&bad, "'Mine' is no name");
    bad.name = "";
    expect_refusal(&bad, "is no name");
    bad.name = NULL;
    expect_refusal(&bad, "is no name");
    bad.name = "mine";
    bad.abi_version = ALG_ABI_VERSION + 1;
    expect_refusal(&bad, "this is version");
    bad.abi_version = ALG_ABI_VERSION;
    bad.summary = NULL;
    expect_refusal(&bad, "lacks summary");
    bad.summary = "";
    bad.query = NULL;
    expect_refusal(&bad, "no function 'query'");
    bad.query = alg_null.query;
    bad.flags = ALG_KEEPS_STATE;
    expect_refusal(&bad, "no function 'reset'");
    bad.flags = 0;
    static const char *const counters[] = {"a_count", "B_count", NULL};
    bad.counters = counters;
    expect_refusal(&bad, "counter 2");
    bad.counters = NULL;
    bad.save = save_nothing;
    expect_refusal(&bad, "no function 'load'");
    bad.save = NULL;
    static const char *const facts[] = {"gap_m", "gap-m", NULL};
    static const char *many_facts[ALG_FACTS_MAX + 2];
    for (size_t i = 0; i <= ALG_FACTS_MAX; i++) {
        many_facts[i] = "gap_m";
    }
    bad.facts = facts;
    expect_refusal(&bad, "fact 2");
    bad.facts = many_facts;
    expect_refusal(&bad, "fact 17");
    many_facts[ALG_FACTS_MAX] = NULL;
    alg_message message;
    cr_assert_eq(alg_register(&bad, &message), ALG_OK);
    cr_assert_eq(alg_find("mine"), &bad);
}

Test(registry, parameters_are_sorted_and_defaults_lie_in_their_range)
{
    alg_parameter p[] = {
        {.name = "b", .type = ALG_INTEGER, .fallback = 1, .lowest = 1, .highest = 2, .help = ""},
        {.name = "a", .type = ALG_REAL,    .fallback = 1, .lowest = 1, .highest = 2, .help = ""},
    };
    alg bad = alg_null;
    bad.name = "mine";
    bad.parameters = p;
    bad.parameter_count = 2;
    expect_refusal(&bad, "not sorted at 'a'");
    p[1].name = "c";
    p[1].fallback = 3;
    expect_refusal(&bad, "default of 'c' is 3, not from 1 to 2");
    p[1].fallback = 2;
    p[0].type = ALG_CHOICE;
    expect_refusal(&bad, "parameter 1 lacks");
    p[0].choices = "one|two|three";
    bad.parameter_count = ALG_PARAMETERS_MAX + 1;
    expect_refusal(&bad, "parameters");
    bad.parameter_count = 2;
    alg_message message;
    cr_assert_eq(alg_register(&bad, &message), ALG_OK, "%s", message.text);
}

Test(registry, a_full_table_says_so)
{
    static alg many[ALG_REGISTRY_MAX + 1];
    static char names[ALG_REGISTRY_MAX + 1][16];
    alg_message message = {""};
    size_t i = 0;
    for (alg_status status = ALG_OK; i <= ALG_REGISTRY_MAX && status == ALG_OK; i++) {
        snprintf(names[i], sizeof names[i], "mine-%zu", i);
        many[i] = alg_null;
        many[i].name = names[i];
        status = alg_register(&many[i], &message);
    }
    cr_assert_leq(i, ALG_REGISTRY_MAX);
    cr_assert_not_null(strstr(message.text, "no room for 'mine-"), "'%s'", message.text);
    cr_assert_null(alg_registry[ALG_REGISTRY_MAX]);
    alg_variant variant;
    cr_assert_eq(alg_variant_parse("mine-0", 1, &variant, &message), ALG_OK);
    cr_assert_eq(alg_variant_parse("mine-x", 1, &variant, &message), ALG_FAILED);
}
