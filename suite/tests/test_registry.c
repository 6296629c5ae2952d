/** Sources of registered algorithms; what else an entry owes is tested in algorithms/. */
#include "algorithms/algorithms.h"
#include "algorithms/registry.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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
