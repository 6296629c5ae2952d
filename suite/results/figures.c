#include "suite/results/figures.h"

#include "base/text.h"
#include "scenarios/scenarios.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES = 16384, LINE_BYTES = 512, WORD_BYTES = 64, PATH_BYTES = 4096, SHOWN_BYTES = 80 };

static const char *const quantities[BENCH_FIGURE_QUANTITIES] = {"distance", "volume"};
static const char *const usual_figures[] = {"pareto", "deadline", "frames", NULL};

void bench_variant_file(const char *variant, char *file, size_t size)
{
    snprintf(file, size, "%s", variant);
    for (char *c = file; *c; c++) {
        *c = *c == ':' || *c == ',' || *c == '@' ? '_' : *c;
    }
}

bool bench_variant_is_twin(const char *variant)
{
    const char *const label = strrchr(variant, '@');
    return label && strcmp(label, "@twin") == 0;
}

/* --- The run's files -------------------------------------------------------------------------- */

static const char *text_of(const base_csv *table, size_t row, int column)
{
    const char *const text = base_csv_text(table, row, column);
    return text ? text : "";
}

static bool is_figure_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/** The letters of "name:key=value,...@twin": no '/', no blank, nothing that a shell would read. */
static bool is_variant_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789._+-:,=@")];
}

/** The error for a name that no run writes, in one line whatever it holds. */
static base_status check_name(const base_csv *table, size_t row, int column, const char *kind,
                              bool (*is_name)(const char *text), base_error *err)
{
    const char *const text = text_of(table, row, column);
    if (is_name(text)) {
        return BASE_OK;
    }
    char shown[SHOWN_BYTES];
    snprintf(shown, sizeof shown, "%s", text);
    for (char *c = shown; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    }
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%s' is no name of a %s", table->path,
                     table->lines[row + 1], shown, kind);
}

typedef struct column {
    const char *name;
    int *index;
} column;

static base_status read_table(const char *run, const char *file, const column *columns,
                              size_t count, base_csv *table, base_error *err)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", run, file);
    base_status status = base_csv_read(path, NULL, table, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = base_csv_column(table, columns[i].name, columns[i].index, err);
    }
    return status;
}

/** The figures that the manifest names, or the usual ones. */
static base_status list_names(bench_figures *figures, int key, int value, base_error *err)
{
    const base_csv *const manifest = &figures->manifest;
    size_t count = 0;
    const size_t most = manifest->rows + sizeof usual_figures / sizeof *usual_figures;
    figures->names = base_arena_alloc(&figures->arena, most, sizeof *figures->names);
    if (!figures->names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; row < manifest->rows; row++) {
        if (strcmp(text_of(manifest, row, key), "figure") == 0) {
            const base_status status =
                check_name(manifest, row, value, "figure", is_figure_name, err);
            if (status != BASE_OK) {
                return status;
            }
            figures->names[count++] = text_of(manifest, row, value);
        }
    }
    if (count == 0) {
        memcpy(figures->names, usual_figures, sizeof usual_figures);
    }
    return BASE_OK;
}

static base_status check_cells(const bench_figures *figures, base_error *err)
{
    const base_csv *const cells = &figures->cells;
    base_status status = BASE_OK;
    for (size_t row = 0; row < cells->rows && status == BASE_OK; row++) {
        status = check_name(cells, row, figures->scenario, "scenario", scn_is_scenario_name, err);
        if (status == BASE_OK) {
            status = check_name(cells, row, figures->variant, "variant", is_variant_name, err);
        }
    }
    return status;
}

base_status bench_figures_open(const char *run, bench_figures *figures, base_error *err)
{
    *figures = (bench_figures){.run = run};
    int key, value;
    const column of_manifest[] = {
        {"key",   &key  },
        {"value", &value}
    };
    const column of_cells[] = {
        {"scenario",                &figures->scenario },
        {"variant",                 &figures->variant  },
        {"distance_error_rel_mean", &figures->errors[0]}, /* empty where nothing is judged */
        {"volume_error_rel_mean",   &figures->errors[1]},
    };
    base_status status = read_table(run, "manifest.csv", of_manifest, 2, &figures->manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    status = list_names(figures, key, value, err);
    if (status != BASE_OK) {
        return status;
    }
    status = read_table(run, "cells.csv", of_cells, 4, &figures->cells, err);
    return status == BASE_OK ? check_cells(figures, err) : status;
}

void bench_figures_close(bench_figures *figures)
{
    base_csv_release(&figures->manifest);
    base_csv_release(&figures->cells);
    base_arena_release(&figures->arena);
    *figures = (bench_figures){0};
}

/* --- Scripts ---------------------------------------------------------------------------------- */

/** What a script says of itself. */
typedef struct script {
    char quantities[LINE_BYTES]; /* with a blank before and behind each */
    char variants[WORD_BYTES];   /* glob */
    char needs[WORD_BYTES];      /* a file of the run; "" for none but those of every run */
    unsigned least;              /* variants; 0: no figure, but a part of others */
} script;

/** The error for a name without a script, with the near names of those that have one. */
static base_status fail_unknown(const char *name, base_error *err)
{
    glob_t paths = {0};
    char near[LINE_BYTES] = "";
    if (glob("plots/*.gp", 0, NULL, &paths) == 0) {
        for (size_t i = 0; i < paths.gl_pathc; i++) {
            paths.gl_pathv[i][strlen(paths.gl_pathv[i]) - strlen(".gp")] = '\0';
            memmove(paths.gl_pathv[i], paths.gl_pathv[i] + strlen("plots/"),
                    strlen(paths.gl_pathv[i]) - strlen("plots/") + 1);
        }
        base_text_near(name, (const char *const *)paths.gl_pathv, near, sizeof near);
    }
    globfree(&paths);
    return base_fail(err, BASE_ERR_ARGUMENT, "no figure 'plots/%s.gp'%s", name, near);
}

/** Reads the first lines of plots/NAME.gp. */
static base_status read_script(const char *name, script *s, base_error *err)
{
    *s = (script){0};
    char path[PATH_BYTES], line[LINE_BYTES - 2];
    snprintf(path, sizeof path, "plots/%s.gp", name);
    FILE *const file = is_figure_name(name) ? fopen(path, "re") : NULL;
    if (!file) {
        return fail_unknown(name, err);
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file) && line[0] == '#') {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "# quantities: ", 14) == 0) {
            snprintf(s->quantities, sizeof s->quantities, " %s ", line + 14);
        } else if (strncmp(line, "# needs: ", 9) == 0) {
            snprintf(s->needs, sizeof s->needs, "%.*s", (int)sizeof s->needs - 1, line + 9);
        } else if (strncmp(line, "# variants: ", 12) == 0) {
            good = sscanf(line + 12, "%63[^,], at least %u", s->variants, &s->least) == 2 &&
                   s->least > 0;
        }
    }
    fclose(file);
    if (!good) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': '%s' is not '# variants: GLOB, at least N'",
                         path, line);
    }
    return s->least > 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "'%s' is a part of other figures", path);
}

/* --- Drawings --------------------------------------------------------------------------------- */

/** Appends a word to a list; false when it is full. */
static bool append(char *list, const char *word)
{
    const size_t used = strlen(list);
    const int length = snprintf(list + used, LIST_BYTES - used, "%s%s", used ? " " : "", word);
    return (size_t)length < LIST_BYTES - used;
}

/** The script on the scenario that starts at `row`: *drawing, or none when *suits is false. */
static base_status make_drawing(bench_figures *figures, const char *name, const script *s,
                                size_t row, int quantity, bench_drawing *drawing, bool *suits,
                                base_error *err)
{
    const base_csv *const cells = &figures->cells;
    const char *const scenario = text_of(cells, row, figures->scenario);
    char variants[LIST_BYTES] = "", files[LIST_BYTES] = "", file[LINE_BYTES];
    unsigned found = 0;
    for (size_t i = row;
         i < cells->rows && strcmp(text_of(cells, i, figures->scenario), scenario) == 0; i++) {
        const char *const variant = text_of(cells, i, figures->variant);
        if (!*text_of(cells, i, figures->errors[quantity]) || bench_variant_is_twin(variant) ||
            fnmatch(s->variants, variant, 0) != 0) {
            continue;
        }
        bench_variant_file(variant, file, sizeof file);
        if (!append(variants, variant) || !append(files, file)) {
            return base_fail(err, BASE_ERR_INPUT,
                             "scenario '%s' has too many variants for a figure", scenario);
        }
        found++;
    }
    *suits = found >= s->least;
    if (!*suits) {
        return BASE_OK;
    }
    base_arena *const arena = &figures->arena;
    *drawing = (bench_drawing){name, scenario, quantities[quantity],
                               base_arena_text(arena, variants), base_arena_text(arena, files)};
    return drawing->variants && drawing->files ? BASE_OK
                                               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err)
{
    const base_csv *const cells = &figures->cells;
    script s;
    *count = 0;
    base_status status = read_script(name, &s, err);
    if (status != BASE_OK) {
        return status;
    }
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", figures->run, s.needs);
    if (*s.needs && access(path, R_OK) != 0) {
        base_fail(reason, BASE_ERR_INPUT, "there is no '%s', which proxbench compare writes", path);
        return BASE_OK;
    }
    *drawings =
        base_arena_alloc(&figures->arena, cells->rows * BENCH_FIGURE_QUANTITIES, sizeof **drawings);
    if (!*drawings) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t row = 0; row < cells->rows; row++) {
        if (row > 0 && strcmp(text_of(cells, row, figures->scenario),
                              text_of(cells, row - 1, figures->scenario)) == 0) {
            continue;
        }
        for (int q = 0; q < BENCH_FIGURE_QUANTITIES; q++) {
            char wanted[WORD_BYTES];
            bool suits = false;
            snprintf(wanted, sizeof wanted, " %s ", quantities[q]);
            if (strstr(s.quantities, wanted)) {
                status = make_drawing(figures, name, &s, row, q, &(*drawings)[*count], &suits, err);
            }
            if (status != BASE_OK) {
                return status;
            }
            *count += suits;
        }
    }
    if (*count == 0) {
        base_fail(reason, BASE_ERR_INPUT,
                  "no scenario has errors of %u variant%s '%s' or more in%sagainst the truth",
                  s.least, s.least == 1 ? "" : "s", s.variants, s.quantities);
    }
    return BASE_OK;
}
