/** What every registered algorithm owes to the suite. */
#include "suite/suite.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

TestSuite(registry, .timeout = 10);

static bool is_name(const char *text, const char *more)
{
    for (const char *c = text; *c; c++) {
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && !strchr(more, *c)) {
            return false;
        }
    }
    return *text != '\0';
}

Test(registry, names_are_unique_and_plain)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        const alg *const a = alg_registry[i];
        cr_assert_eq(a->abi_version, ALG_ABI_VERSION, "%s", a->name);
        cr_assert(is_name(a->name, "-"), "'%s'", a->name);
        cr_assert_not_null(a->summary, "%s", a->name);
        cr_assert_eq(alg_find(a->name), a, "%s", a->name);
        for (size_t k = 0; a->counters && a->counters[k]; k++) {
            cr_assert_lt(k, (size_t)ALG_COUNTERS_MAX, "%s", a->name);
            cr_assert_not_null(strstr(a->counters[k], "_count"), "%s: %s", a->name, a->counters[k]);
        }
    }
}

Test(registry, parameters_are_sorted_and_defaults_lie_in_their_range)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        const alg *const a = alg_registry[i];
        cr_assert_leq(a->parameter_count, (size_t)ALG_PARAMETERS_MAX, "%s", a->name);
        for (size_t p = 0; p < a->parameter_count; p++) {
            const alg_parameter *const parameter = &a->parameters[p];
            cr_assert(is_name(parameter->name, "-"), "%s: '%s'", a->name, parameter->name);
            cr_assert_not_null(parameter->help, "%s: %s", a->name, parameter->name);
            cr_assert_leq(parameter->lowest, parameter->fallback, "%s: %s", a->name,
                          parameter->name);
            cr_assert_leq(parameter->fallback, parameter->highest, "%s: %s", a->name,
                          parameter->name);
            if (p > 0) {
                cr_assert_lt(strcmp(a->parameters[p - 1].name, parameter->name), 0, "%s: %s",
                             a->name, parameter->name);
            }
        }
    }
}

Test(registry, sources_stand_in_the_references)
{
    FILE *const file = fopen("REFERENCES.md", "r");
    cr_assert_not_null(file);
    static char text[1 << 16];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; alg_registry[i]; i++) {
        const char *const source = alg_registry[i]->source;
        if (source && *source) {
            char row[64];
            snprintf(row, sizeof row, "\n| %.*s |", (int)strcspn(source, " ,"), source);
            cr_assert_not_null(strstr(text, row), "%s: source '%s'", alg_registry[i]->name, source);
        }
    }
}
