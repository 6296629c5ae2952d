#include "suite/options.h"

#include <stdio.h>
#include <string.h>

base_status bench_names_split(const char *text, bench_names *list, base_error *err)
{
    *list = (bench_names){0};
    if ((size_t)snprintf(list->text, sizeof list->text, "%s", text) >= sizeof list->text) {
        return base_fail(err, BASE_ERR_ARGUMENT, "list '%.40s...' is too long", text);
    }
    for (char *at = list->text; at;) {
        if (list->count == BENCH_NAMES_MAX) {
            return base_fail(err, BASE_ERR_ARGUMENT, "more than %d names in '%.40s...'",
                             BENCH_NAMES_MAX, text);
        }
        list->items[list->count++] = at;
        char *comma = strchr(at, ',');
        while (comma && strcspn(comma + 1, "=") < strcspn(comma + 1, ",:")) {
            comma = strchr(comma + 1, ',');
        }
        if (comma) {
            *comma = '\0';
        }
        at = comma ? comma + 1 : NULL;
    }
    return BASE_OK;
}
