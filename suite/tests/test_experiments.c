/** Requirements for all experiments of this tree. */
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/claims/measure.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/response_entry.h"
#include "suite/inputs/truth_entries.h"
#include "suite/quantity.h"
#include "suite/replay/picture.h"
#include "suite/results/frames.h"
#include "suite/run/plan.h"

#include <criterion/criterion.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static void register_all(void)
{
    bench_truth_entries_register();
    bench_response_entry_register();
}

TestSuite(experiments, .init = register_all);

/** Calls `check` with every experiment of this tree. */
static void for_each(void (*check)(const char *name, scn_experiment *e))
{
    SCOPED_ARENA arena = {0};
    const char **names;
    size_t count = 0;
    assert_ok(bench_experiment_names(&arena, &names, ERR));
    for (; names[count]; count++) {
        SCOPED_EXPERIMENT e;
        assert_ok(bench_experiment_open(names[count], &e, ERR));
        check(names[count], &e);
    }
    cr_assert_gt(count, 50);
}

static void check_launches(const char *name, scn_experiment *e)
{
    bench_choice choice;
    base_error err;
    assert_ok(bench_experiment_choose(e, NULL, NULL, &choice, ERR));
    bench_mode mode;
    assert_ok(bench_mode_parse(e->mode, &mode, ERR));
    const bench_run_options options = {
        .experiment = e,
        .variants = choice.variants,
        .mode = &mode,
    };
    cr_expect_eq(bench_plan_check_launches(&options, &err), BASE_OK, "%s: %s", name, err.text);
}

/** In modes bench and paper an experiment's own number of launches is sufficient for intervals. */
Test(experiments, launches_are_enough)
{
    for_each(check_launches);
}

static void check_minutes(const char *name, scn_experiment *e)
{
    cr_expect_gt(e->minutes[SCN_COST_FULL], 0, "%s: minutes", name);
    cr_expect_geq(e->minutes[SCN_COST_FULL], e->minutes[SCN_COST_SMOKE], "%s", name);
    cr_expect_eq(e->paper != NULL, e->item != NULL, "%s: paper and item go together", name);
}

Test(experiments, minutes_are_said)
{
    for_each(check_minutes);
}

/** The sizes of `quick` would also be those of a full run in mode smoke. */
static void check_quick(const char *name, scn_experiment *e)
{
    const bool has_quick = e->quick.frames > 0 || e->quick.triangles > 0 || e->quick.skip;
    cr_expect(!has_quick || strcmp(e->mode, scn_mode_names[SCN_SMOKE]) != 0, "%s", name);
}

Test(experiments, full_runs_have_full_sizes)
{
    for_each(check_quick);
}

static void read_text(const char *path, char *text, size_t size)
{
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static char references[1 << 16];

static void check_paper(const char *name, scn_experiment *e)
{
    char row[64];
    snprintf(row, sizeof row, "\n| %s |", e->paper ? e->paper : "IST");
    cr_expect(strstr(references, row), "%s: paper '%s'", name, e->paper);
}

Test(experiments, papers_stand_in_the_references)
{
    read_text("REFERENCES.md", references, sizeof references);
    for_each(check_paper);
}

/** docs/experiments.md names every quantity. */
Test(experiments, the_page_has_all_quantities)
{
    static char page[1 << 16];
    read_text("docs/experiments.md", page, sizeof page);
    const char *const row = strstr(page, "| `quantities` |");
    cr_assert_not_null(row);
    const size_t length = strcspn(row, "\n");
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        char word[32];
        snprintf(word, sizeof word, "`\"%s\"`", alg_quantity_names[q]);
        const char *const found = strstr(row, word);
        cr_expect(found && found < row + length, "%s", word);
    }
}

/* --- Claims ----------------------------------------------------------------------------------- */

static bool has_column(bench_columns columns, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < columns.count; i++) {
        found = found || strcmp(columns.items[i].name, name) == 0;
    }
    return found;
}

/** True for a column of frames, or for the mean of a counter in cells.csv, of any algorithm. */
static bool is_of_algorithm(const char *name, bool frames)
{
    bool found = false;
    for (const alg_algorithm *const *a = alg_registry; *a && !found; a++) {
        bench_frame_columns columns;
        bench_frame_columns_list(*a, &columns);
        found = frames && has_column((bench_columns){columns.items, columns.count}, name);
        for (const char *const *c = (*a)->counters; c && *c && !found; c++) {
            const size_t length = strlen(*c);
            found = strncmp(name, *c, length) == 0 && strcmp(name + length, "_mean") == 0;
        }
    }
    return found;
}

static void check_column(void *context, const char *name)
{
    const bool known = has_column(bench_cells_columns(), name) ||
                       has_column(bench_regions_columns, name) || is_of_algorithm(name, true) ||
                       strcmp(name, "warm") == 0 || strcmp(name, "evicted") == 0;
    cr_expect(known, "%s: no file has a column '%s'", (const char *)context, name);
}

static void check_formula(const char *text, const char *label)
{
    bench_formula formula;
    base_error err;
    cr_assert_eq(bench_formula_parse(text, &formula, &err), BASE_OK, "%s: %s", label, err.text);
    bench_formula_columns(&formula, check_column, (void *)(uintptr_t)label);
}

/** Checks that each glob matches a scenario or a variant; globs for optional plug-ins need not. */
static void check_globs(const scn_experiment *e, const char *text, bool variants, const char *label)
{
    bench_names globs = {.count = 0};
    base_error err;
    cr_assert(!text || bench_names_split(text, &globs, &err) == BASE_OK, "%s", label);
    for (size_t g = 0; g < globs.count; g++) {
        bool found = variants && strncmp(globs.items[g], "fcl", 3) == 0;
        for (size_t i = 0; i < (variants ? e->variant_count : e->scenario_count); i++) {
            const char *const name = variants ? e->variants[i] : e->scenarios[i].name;
            found = found || fnmatch(globs.items[g], name, 0) == 0;
        }
        cr_expect(found, "%s: '%s' stands for nothing", label, globs.items[g]);
    }
}

static void check_claims(const char *name, scn_experiment *e)
{
    bench_choice choice;
    base_error err;
    assert_ok(bench_experiment_choose(e, NULL, NULL, &choice, ERR));
    for (size_t i = 0; i < e->claim_count; i++) {
        const scn_claim *const c = &e->claims[i];
        char label[200];
        bench_checked_claim checked;
        snprintf(label, sizeof label, "%s, claim %s", name, c->id);
        cr_expect_eq(bench_claim_parse(c, &checked, &err), BASE_OK, "%s: %s", label, err.text);
        /* Columns of builds are facts, which are in no table. */
        if (!c->measure) {
            cr_expect(c->not_yet, "%s", label);
        } else if (!c->of || (strcmp(c->of, "fixed") != 0 && strcmp(c->of, "moving") != 0)) {
            check_formula(c->measure, label);
            check_formula(c->where ? c->where : "1", label);
        }
        if (!c->experiments) {
            check_globs(e, c->scenarios, false, label);
            check_globs(e, c->variants, true, label);
        }
    }
}

/** Checks that the panels of pictures name variants and layers that exist. */
static void check_pictures(const char *name, scn_experiment *e)
{
    bench_choice choice;
    base_error err;
    assert_ok(bench_experiment_choose(e, NULL, NULL, &choice, ERR));
    for (size_t i = 0; i < e->picture_count; i++) {
        const scn_picture *const picture = &e->pictures[i];
        for (size_t k = 0; k < picture->panel_count; k++) {
            const scn_panel *const panel = &picture->panels[k];
            bool found = false;
            for (size_t v = 0; v < e->variant_count; v++) {
                found = found || strcmp(e->variants[v], panel->variant) == 0;
            }
            cr_expect(found, "%s: picture '%s' has the variant '%s'", name, picture->name,
                      panel->variant);
            cr_expect_eq(bench_layers_check(panel->layers, &err), BASE_OK, "%s: %s", name,
                         err.text);
        }
    }
}

Test(experiments, pictures_show_variants_and_layers_that_exist)
{
    for_each(check_pictures);
}

Test(experiments, claims_are_about_what_there_is)
{
    for_each(check_claims);
}
