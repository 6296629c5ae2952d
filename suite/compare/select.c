#include "suite/compare/record.h"

#include <fnmatch.h>
#include <string.h>

static const char *name_of(const bench_record_cell *cell, bool scenario)
{
    return scenario ? cell->scenario : cell->variant;
}

static bool matches(const bench_names *globs, const char *name)
{
    bool found = globs->count == 0;
    for (size_t i = 0; i < globs->count && !found; i++) {
        found = fnmatch(globs->items[i], name, 0) == 0;
    }
    return found;
}

/** A misspelt glob would silently show less. */
static base_status check_globs(const bench_record *r, const bench_names *globs, bool scenario,
                               base_error *err)
{
    for (size_t i = 0; i < globs->count; i++) {
        bool found = false;
        for (size_t c = 0; c < r->cell_count && !found; c++) {
            found = fnmatch(globs->items[i], name_of(&r->cells[c], scenario), 0) == 0;
        }
        if (!found) {
            return base_fail(err, BASE_ERR_ARGUMENT, "no %s in '%s' matches '%s'",
                             scenario ? "scenario" : "variant", r->cell_table.path,
                             globs->items[i]);
        }
    }
    return BASE_OK;
}

base_status bench_record_select(bench_record *record, const bench_names *algorithms,
                                const bench_names *scenarios, base_error *err)
{
    base_status status = check_globs(record, algorithms, false, err);
    status = status == BASE_OK ? check_globs(record, scenarios, true, err) : status;
    for (size_t i = 0; i < record->cell_count && status == BASE_OK; i++) {
        bench_record_cell *const c = &record->cells[i];
        c->left_out =
            !matches(algorithms, name_of(c, false)) || !matches(scenarios, name_of(c, true));
    }
    return status;
}
