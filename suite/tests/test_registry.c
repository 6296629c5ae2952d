/** Sources and help texts of all algorithms. Other requirements are tested in algorithms/. */
#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "suite/inputs/truth_entries.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void register_all(void)
{
    bench_truth_entries_register();
}

TestSuite(registry, .init = register_all);

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

/** Checks summaries and parameters, and, if an algorithm explains any choice, all of its words. */
Test(registry, everything_has_a_help_text)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        const alg_algorithm *const a = alg_registry[i];
        cr_expect(a->summary && *a->summary, "%s: summary", a->name);
        for (size_t p = 0; p < a->parameter_count; p++) {
            const alg_parameter *const parameter = &a->parameters[p];
            const alg_choice *const words = parameter->choices;
            cr_expect(parameter->help && *parameter->help, "%s:%s", a->name, parameter->name);
            for (size_t w = 0; words && words[w].word; w++) {
                cr_expect_eq(!words[w].help, !words[0].help, "%s:%s=%s", a->name, parameter->name,
                             words[w].word);
                cr_expect(!words[w].help || *words[w].help, "%s:%s=%s", a->name, parameter->name,
                          words[w].word);
            }
        }
    }
}
