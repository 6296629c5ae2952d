#include "suite/results/figures.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES = 4096, WORD_BYTES = 64, QUANTITY_COUNT = 2 };

static const char *const quantities[QUANTITY_COUNT] = {"distance", "volume"};

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

/* --- Scripts ---------------------------------------------------------------------------------- */

/** What a script says of itself. */
typedef struct script {
    char name[WORD_BYTES];
    char quantities[LIST_BYTES]; /* with a blank before and behind each */
    char variants[WORD_BYTES];   /* glob */
    char needs[WORD_BYTES];      /* a file of the run; "" for none but those of every run */
    unsigned least;
} script;

/** Reads plots/NAME.gp's first lines; least stays 0 for a script that is a part of others. */
static base_status read_script(const char *path, script *s, base_error *err)
{
    *s = (script){0};
    const char *const name = strrchr(path, '/') + 1;
    snprintf(s->name, sizeof s->name, "%.*s", (int)strcspn(name, "."), name);
    FILE *const file = fopen(path, "r");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
    }
    base_status status = BASE_OK;
    char line[LIST_BYTES - 1];
    while (status == BASE_OK && fgets(line, sizeof line, file) && line[0] == '#') {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "# quantities: ", 14) == 0) {
            snprintf(s->quantities, sizeof s->quantities, " %s ", line + 14);
        } else if (strncmp(line, "# needs: ", 9) == 0) {
            snprintf(s->needs, sizeof s->needs, "%.*s", (int)sizeof s->needs - 1, line + 9);
        } else if (strncmp(line, "# variants: ", 12) == 0 &&
                   (sscanf(line + 12, "%63[^,], at least %u", s->variants, &s->least) != 2 ||
                    s->least == 0)) {
            status = base_fail(err, BASE_ERR_INPUT,
                               "'%s': '%s' is not '# variants: GLOB, at least N'", path, line);
        }
    }
    fclose(file);
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

/** The columns of cells.csv that matter here. */
typedef struct cells {
    base_csv table;
    int scenario, variant;
    int errors[QUANTITY_COUNT]; /* mean relative error: empty where nothing could be judged */
} cells;

static base_status read_cells(const char *run, cells *c, base_error *err)
{
    char path[LIST_BYTES];
    snprintf(path, sizeof path, "%s/cells.csv", run);
    base_status status = base_csv_read(path, NULL, &c->table, err);
    const struct {
        const char *name;
        int *index;
    } columns[] = {
        {"scenario",                &c->scenario },
        {"variant",                 &c->variant  },
        {"distance_error_rel_mean", &c->errors[0]},
        {"volume_error_rel_mean",   &c->errors[1]},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == BASE_OK; i++) {
        status = base_csv_column(&c->table, columns[i].name, columns[i].index, err);
    }
    return status;
}

static const char *text_of(const cells *c, size_t row, int column)
{
    const char *const text = base_csv_text(&c->table, row, column);
    return text ? text : "";
}

/** The script on the scenario that starts at `row`; adds nothing where it does not suit. */
static base_status add_drawing(const cells *c, size_t row, int quantity, const script *s,
                               bench_drawings *drawings, base_error *err)
{
    const char *const scenario = text_of(c, row, c->scenario);
    char wanted[WORD_BYTES], variants[LIST_BYTES] = "", files[LIST_BYTES] = "";
    snprintf(wanted, sizeof wanted, " %s ", quantities[quantity]);
    if (!strstr(s->quantities, wanted)) {
        return BASE_OK;
    }
    unsigned found = 0;
    for (size_t i = row; i < c->table.rows && strcmp(text_of(c, i, c->scenario), scenario) == 0;
         i++) {
        const char *const variant = text_of(c, i, c->variant);
        if (*text_of(c, i, c->errors[quantity]) && !bench_variant_is_twin(variant) &&
            fnmatch(s->variants, variant, 0) == 0) {
            char file[WORD_BYTES * 4];
            bench_variant_file(variant, file, sizeof file);
            const size_t used = strlen(variants), room = sizeof variants - used;
            if (strlen(variant) + 2 > room) {
                return base_fail(err, BASE_ERR_INPUT,
                                 "scenario '%s' has too many variants for a figure", scenario);
            }
            snprintf(variants + used, room, "%s%s", found ? " " : "", variant);
            snprintf(files + used, room, "%s%s", found ? " " : "", file);
            found++;
        }
    }
    if (found < s->least) {
        return BASE_OK;
    }
    void *items = drawings->items;
    const base_status status =
        base_grow(&items, &drawings->capacity, drawings->count + 1, sizeof *drawings->items, err);
    drawings->items = items;
    if (status != BASE_OK) {
        return status;
    }
    bench_drawing *const d = &drawings->items[drawings->count++];
    base_arena *const arena = &drawings->arena;
    *d = (bench_drawing){base_arena_text(arena, s->name), base_arena_text(arena, scenario),
                         quantities[quantity], base_arena_text(arena, variants),
                         base_arena_text(arena, files)};
    return d->figure && d->scenario && d->variants && d->files
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/** Is the file there that the script draws? If it alone was asked for, its absence is an error. */
static base_status find_needed(const char *run, const script *s, bool asked, bool *found,
                               base_error *err)
{
    char path[LIST_BYTES];
    snprintf(path, sizeof path, "%s/%s", run, s->needs);
    *found = !*s->needs || access(path, R_OK) == 0;
    return *found || !asked ? BASE_OK
                            : base_fail(err, BASE_ERR_INPUT,
                                        "figure '%s' draws '%s', which is not there: proxbench "
                                        "compare writes it",
                                        s->name, path);
}

static base_status add_script(const cells *c, const script *s, bench_drawings *drawings,
                              base_error *err)
{
    base_status status = BASE_OK;
    for (size_t row = 0; row < c->table.rows && status == BASE_OK; row++) {
        if (row == 0 ||
            strcmp(text_of(c, row, c->scenario), text_of(c, row - 1, c->scenario)) != 0) {
            for (int q = 0; q < QUANTITY_COUNT && status == BASE_OK; q++) {
                status = add_drawing(c, row, q, s, drawings, err);
            }
        }
    }
    return status;
}

static base_status add_scripts(const glob_t *paths, const char *run, const char *only,
                               const cells *c, bench_drawings *drawings, base_error *err)
{
    drawings->figures = base_arena_alloc(&drawings->arena, paths->gl_pathc + 1, sizeof(char *));
    if (!drawings->figures) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    size_t figures = 0;
    bool known = !only;
    for (size_t i = 0; i < paths->gl_pathc; i++) {
        script s;
        base_status status = read_script(paths->gl_pathv[i], &s, err);
        if (status == BASE_OK && s.least > 0) {
            drawings->figures[figures] = base_arena_text(&drawings->arena, s.name);
            if (!drawings->figures[figures++]) {
                return base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
            if (!only || strcmp(only, s.name) == 0) {
                known = true;
                bool found = false;
                status = find_needed(run, &s, only, &found, err);
                status = status == BASE_OK && found ? add_script(c, &s, drawings, err) : status;
            }
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!known) {
        char near[512];
        base_text_near(only, drawings->figures, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT, "no figure 'plots/%s.gp'%s", only, near);
    }
    return BASE_OK;
}

base_status bench_drawings_find(const char *run, const char *only, bench_drawings *drawings,
                                base_error *err)
{
    *drawings = (bench_drawings){0};
    glob_t paths = {0};
    if (glob("plots/*.gp", 0, NULL, &paths) != 0) {
        globfree(&paths);
        return base_fail(err, BASE_ERR_INPUT, "there are no scripts 'plots/*.gp' here");
    }
    cells c = {0};
    base_status status = read_cells(run, &c, err);
    if (status == BASE_OK) {
        status = add_scripts(&paths, run, only, &c, drawings, err);
    }
    base_csv_release(&c.table);
    globfree(&paths);
    return status;
}

void bench_drawings_release(bench_drawings *drawings)
{
    base_free(drawings->items);
    base_arena_release(&drawings->arena);
    *drawings = (bench_drawings){0};
}
