#include "suite/figures/figures.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenarios/experiment.h"
#include "suite/inputs/experiment.h"
#include "suite/figures/gnuplot.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES = 16384, LINE_BYTES = 512, WORD_BYTES = 64, PATH_BYTES = 4096 };

static const char *const usual_figures[] = {"pareto", "deadline", "frames", NULL};
static const char *const figures_of_simulations[] = {"simulation-depths", "simulation-forces",
                                                     NULL};

static bool is_figure_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/** Lists the figures that the manifest names, or the usual ones. */
static base_status list_names(bench_figures *figures, base_error *err)
{
    const bench_record *const record = &figures->record;
    size_t count = 0, at = 0;
    const char *const *usual = record->simulated ? figures_of_simulations : usual_figures;
    const size_t most = record->fact_count + sizeof usual_figures / sizeof *usual_figures;
    figures->names = base_arena_alloc(&figures->arena, most, sizeof *figures->names);
    if (!figures->names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const char *name;
    while ((name = bench_record_next_fact(record, "run", "figure", &at))) {
        if (!is_figure_name(name)) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%.80s' is no name of a figure",
                             record->fact_table.path, record->fact_table.lines[at], name);
        }
        figures->names[count++] = name;
    }
    for (size_t i = 0; count == 0 && usual[i]; i++) {
        figures->names[i] = usual[i];
    }
    return BASE_OK;
}

base_status bench_figures_open(const char *run, bench_figures *figures, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    *figures = (bench_figures){.run = run};
    const bool simulated =
        bench_run_file(run, path, NULL, "simulations.csv") == BASE_OK && access(path, F_OK) == 0;
    const unsigned parts = simulated ? BENCH_RECORD_FACTS | BENCH_RECORD_SIMULATED
                                     : BENCH_RECORD_FACTS | BENCH_RECORD_CELLS | BENCH_RECORD_DRAWN;
    const base_status status = bench_record_open(run, parts, &figures->record, err);
    return status == BASE_OK ? list_names(figures, err) : status;
}

void bench_figures_close(bench_figures *figures)
{
    bench_record_release(&figures->record);
    base_arena_release(&figures->arena);
    *figures = (bench_figures){0};
}

/** True if the variant has an error in the quantity, or for simulations at least one step. */
static bool is_judged(const bench_record *record, const bench_cell_row *cell, alg_quantity quantity)
{
    unsigned asked;
    if (record->simulated) {
        return quantity == ALG_FORCE && cell->frames > 0;
    }
    return bench_quantities_parse(cell->quantity, &asked, NULL) == BASE_OK &&
           (asked & 1u << quantity) && !cell->twin &&
           !isnan(bench_cell_row_error(cell, quantity, false));
}

/**
 * True if the variant answered, promises exact answers, and has no error because the run has no
 * second method that could judge it.
 */
static bool is_unjudged_exact(const bench_record *record, const bench_cell_row *cell,
                              alg_quantity quantity)
{
    unsigned asked;
    alg_contract contract;
    return !record->simulated && !cell->twin && bench_cell_row_is_ok(cell) &&
           !isnan(cell->time_p99_ns) &&
           bench_quantities_parse(cell->quantity, &asked, NULL) == BASE_OK &&
           (asked & 1u << quantity) && isnan(bench_cell_row_error(cell, quantity, false)) &&
           bench_cell_row_contract(cell, quantity, &contract) && contract == ALG_EXACT;
}

bool bench_figures_any(const bench_figures *figures)
{
    for (size_t i = 0; i < figures->record.cell_count; i++) {
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            if (is_judged(&figures->record, &figures->record.cells[i], (alg_quantity)q)) {
                return true;
            }
        }
    }
    return false;
}

/* --- Scripts ---------------------------------------------------------------------------------- */

/** The declarations in the first lines of a script. */
typedef struct script {
    char quantities[LINE_BYTES]; /* with a blank before and after each */
    char variants[WORD_BYTES];   /* glob */
    char needs[WORD_BYTES];      /* "" if missing; likewise below */
    char each[WORD_BYTES];
    char beside[WORD_BYTES];
    char siblings[WORD_BYTES];
    char draws[WORD_BYTES]; /* "work", which has no error, or "unjudged" */
    char paper[LINE_BYTES]; /* experiments whose papers' numbers it draws */
    char shows[WORD_BYTES]; /* column of `needs` that is above 0 unless the picture is empty */
    unsigned least;         /* number of variants; 0: not a figure, but a part of others */
} script;

/** Sets the error for a name without a script, with a list of similar names. */
static base_status fail_unknown(bench_figures *figures, const char *name, base_error *err)
{
    const char **names;
    char near[LINE_BYTES] = "";
    if (bench_share_names("plots", ".gp", &figures->arena, &names, err) == BASE_OK) {
        base_text_near(name, names, near, sizeof near);
    }
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "no figure '%s', which would be drawn by plots/%s.gp%s", name, name, near);
}

static base_status find_script(bench_figures *figures, const char *name,
                               char path[BENCH_SHARE_BYTES], base_error *err)
{
    char file[LINE_BYTES];
    snprintf(file, sizeof file, "plots/%s.gp", name);
    return is_figure_name(name) && bench_share_path(file, path, err) == BASE_OK
               ? BASE_OK
               : fail_unknown(figures, name, err);
}

/** Parses one of the first lines. Returns false if it is invalid. */
static bool read_line(const char *line, script *s)
{
    const struct {
        const char *begin;
        char *text;
    } lines[] = {
        {"# needs: ", s->needs},       {"# each: ", s->each},   {"# beside: ", s->beside},
        {"# siblings: ", s->siblings}, {"# draws: ", s->draws}, {"# shows: ", s->shows},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const size_t length = strlen(lines[i].begin);
        if (strncmp(line, lines[i].begin, length) == 0) {
            snprintf(lines[i].text, WORD_BYTES, "%.*s", WORD_BYTES - 1, line + length);
        }
    }
    if (strncmp(line, "# quantities: ", 14) == 0) {
        snprintf(s->quantities, sizeof s->quantities, " %s ", line + 14);
    }
    if (strncmp(line, "# paper: ", 9) == 0) {
        snprintf(s->paper, sizeof s->paper, "%s", line + 9);
    }
    return strncmp(line, "# variants: ", 12) != 0 ||
           (sscanf(line + 12, "%63[^,], at least %u", s->variants, &s->least) == 2 && s->least > 0);
}

/** Reads the first lines of plots/NAME.gp. */
static base_status read_script(bench_figures *figures, const char *name, script *s, base_error *err)
{
    *s = (script){0};
    char path[BENCH_SHARE_BYTES], line[LINE_BYTES - 2];
    const base_status status = find_script(figures, name, path, err);
    if (status != BASE_OK) {
        return status;
    }
    FILE *const file = fopen(path, "re");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot open '%s'", path);
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file) && line[0] == '#') {
        line[strcspn(line, "\n")] = '\0';
        good = read_line(line, s);
    }
    fclose(file);
    if (!good) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': '%s' is not '# variants: GLOB, at least N'",
                         path, line);
    }
    return s->least > 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "plots/%s.gp is a part of other figures", name);
}

/* --- Drawings --------------------------------------------------------------------------------- */

/** True if the scenario is NAME/FIRST, and NAME/SECOND, ... exist with the same variants. */
static bool has_siblings(const bench_record *record, const char *words, const bench_drawing *d)
{
    char list[WORD_BYTES], sibling[LINE_BYTES];
    snprintf(list, sizeof list, "%s", words);
    const char *const slash = strrchr(d->scenario, '/');
    char *rest = NULL;
    for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (word == list && (!slash || strcmp(slash + 1, word) != 0)) {
            return false;
        }
        snprintf(sibling, sizeof sibling, "%.*s/%s", (int)(slash - d->scenario), d->scenario, word);
        for (size_t i = 0; i < d->count; i++) {
            const bench_cell_row *const cell = bench_record_find(record, sibling, d->variants[i]);
            if (!cell || !bench_cell_row_is_ok(cell)) {
                return false;
            }
        }
    }
    return true;
}

/** True if the scenario has the variant and the siblings that the script requires. */
static bool has_company(const bench_record *record, const script *s, const bench_drawing *d)
{
    const bench_cell_row *const beside =
        *s->beside ? bench_record_find(record, d->scenario, s->beside) : NULL;
    return (!*s->beside || (beside && bench_cell_row_is_ok(beside))) &&
           (!*s->siblings || has_siblings(record, s->siblings, d));
}

/** Properties of the variant's rows in the file that the script needs. */
typedef struct own_rows {
    bool any;   /* a row exists; also true if the file lacks the columns that distinguish
                   variants */
    bool shows; /* the column of `# shows:` is above 0 in a row */
} own_rows;

static own_rows find_rows(const base_csv *table, const char *shows, const bench_cell_row *cell,
                          alg_quantity quantity)
{
    const int columns[] = {base_csv_find(table, "scenario"), base_csv_find(table, "quantity"),
                           base_csv_find(table, "file")};
    const char *const wanted[] = {cell->scenario, alg_quantity_names[quantity], cell->file};
    const int shown = *shows ? base_csv_find(table, shows) : -1;
    own_rows rows = {.shows = shown < 0};
    if (columns[0] < 0 || columns[1] < 0 || columns[2] < 0) {
        return (own_rows){true, true};
    }
    for (size_t row = 0; row < table->rows; row++) {
        bool same = true;
        for (size_t i = 0; i < sizeof columns / sizeof *columns && same; i++) {
            const char *const text = base_csv_text(table, row, columns[i]);
            same = text && strcmp(text, wanted[i]) == 0;
        }
        double value;
        rows.any = rows.any || same;
        rows.shows =
            rows.shows || (same && base_csv_text(table, row, shown) &&
                           base_text_number(base_csv_text(table, row, shown), &value) && value > 0);
    }
    return rows;
}

/** True if the variant has the file SCENARIO/VARIANT.ENDING, or the script needs no such file. */
static bool has_file(const char *run, const bench_cell_row *cell, const char *ending)
{
    char path[BENCH_RUN_PATH_BYTES];
    return !*ending || (bench_run_file(run, path, NULL, "%s/%s.%s", cell->scenario, cell->file,
                                       ending) == BASE_OK &&
                        access(path, R_OK) == 0);
}

/** The cells of a scenario, [first, end). */
typedef struct cell_range {
    size_t first, end;
} cell_range;

/** Makes the drawing of a script for the cells of a scenario. */
static base_status make_drawing(bench_figures *figures, const char *name, const script *s,
                                const base_csv *needed, cell_range range, alg_quantity quantity,
                                bench_drawing *drawing, base_error *err)
{
    const bench_record *const record = &figures->record;
    const size_t most = range.end - range.first;
    base_arena *const arena = &figures->arena;
    *drawing = (bench_drawing){.figure = name,
                               .scenario = record->cells[range.first].scenario,
                               .quantity = alg_quantity_names[quantity],
                               .variants = base_arena_alloc(arena, most, sizeof(char *)),
                               .files = base_arena_alloc(arena, most, sizeof(char *)),
                               .judged = base_arena_alloc(arena, most, sizeof(bool)),
                               .empty = base_arena_text(arena, s->shows)};
    if (!drawing->variants || !drawing->files || !drawing->judged || !drawing->empty) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const bool with_unjudged = strcmp(s->draws, "unjudged") == 0;
    for (size_t i = range.first; i < range.end; i++) {
        const bench_cell_row *const cell = &record->cells[i];
        /* If the truth is 0 in all frames, errors do not distinguish variants. */
        const bool tells =
            strcmp(s->draws, "work") == 0 || !bench_cell_row_truth_is_zero(cell, quantity);
        const own_rows rows = find_rows(needed, s->shows, cell, quantity);
        const bool judged = tells && is_judged(record, cell, quantity) && rows.any;
        if (fnmatch(s->variants, cell->variant, FNM_EXTMATCH) == 0 &&
            (judged || (with_unjudged && is_unjudged_exact(record, cell, quantity))) &&
            has_file(figures->run, cell, s->each)) {
            drawing->empty = !judged || rows.shows ? NULL : drawing->empty;
            drawing->judged_count += judged;
            drawing->judged[drawing->count] = judged;
            drawing->variants[drawing->count] = cell->variant;
            drawing->files[drawing->count++] = cell->file;
        }
    }
    return BASE_OK;
}

/** Sets the reason why a script has nothing to draw. */
static void tell_reason(const script *s, base_error *reason)
{
    char more[3 * WORD_BYTES] = "";
    if (*s->beside) {
        snprintf(more, sizeof more, ", with '%s' beside them", s->beside);
    } else if (*s->siblings) {
        snprintf(more, sizeof more, ", asked for each of '%s'", s->siblings);
    }
    base_fail(reason, BASE_ERR_INPUT,
              "no scenario has %u variant%s '%s' or more judged in%sagainst the truth%s", s->least,
              s->least == 1 ? "" : "s", s->variants, s->quantities, more);
}

/** Lists the drawings of a script, for each scenario and quantity that it fits. */
static base_status list_drawings(bench_figures *figures, const char *name, const script *s,
                                 const base_csv *needed, bench_drawing *drawings, size_t *count,
                                 base_error *err)
{
    const bench_record *const record = &figures->record;
    for (size_t first = 0, end; first < record->cell_count; first = end) {
        end = bench_record_scenario_end(record, first);
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            char wanted[WORD_BYTES];
            snprintf(wanted, sizeof wanted, " %s ", alg_quantity_names[q]);
            if (!strstr(s->quantities, wanted)) {
                continue;
            }
            bench_drawing *const d = &drawings[*count];
            const base_status status = make_drawing(
                figures, name, s, needed, (cell_range){first, end}, (alg_quantity)q, d, err);
            if (status != BASE_OK) {
                return status;
            }
            *count += d->judged_count >= s->least && has_company(record, s, d);
        }
    }
    return BASE_OK;
}

base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err)
{
    const bench_record *const record = &figures->record;
    script s;
    char path[BENCH_RUN_PATH_BYTES];
    base_csv needed = {0};
    *count = 0;
    base_status status = read_script(figures, name, &s, err);
    if (status == BASE_OK && *s.needs) {
        status = bench_run_file(figures->run, path, err, "%s", s.needs);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (record->simulated != (strcmp(s.needs, "simulations.csv") == 0)) {
        base_fail(reason, BASE_ERR_INPUT, "it is drawn of %s",
                  record->simulated ? "runs, and this folder has simulations" : "simulations");
        return BASE_OK;
    }
    /* bench_record_open has read the file before, so a file that cannot be read now counts as
     * empty. */
    if (*s.needs && base_csv_read(path, NULL, &needed, reason) != BASE_OK) {
        return BASE_OK;
    }
    *drawings = base_arena_alloc(&figures->arena, record->cell_count * ALG_QUANTITY_COUNT,
                                 sizeof **drawings);
    status = *drawings ? list_drawings(figures, name, &s, &needed, *drawings, count, err)
                       : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    base_csv_release(&needed);
    if (status == BASE_OK && *count == 0) {
        tell_reason(&s, reason);
    }
    return status;
}

/* --- Pictures --------------------------------------------------------------------------------- */

/** Appends to a list. Returns false if it is full. */
static bool append(char list[LIST_BYTES], const char *before, const char *word, const char *behind)
{
    const size_t used = strlen(list);
    const int length = snprintf(list + used, LIST_BYTES - used, "%s%s%s", before, word, behind);
    return (size_t)length < LIST_BYTES - used;
}

/** Arguments of the script: words separated by blanks, labels in quotes. */
typedef struct lists {
    char files[LIST_BYTES], labels[LIST_BYTES], looks[LIST_BYTES];
} lists;

/**
 * Writes the lists. Names contain no quotes and no blanks (run_folder.h), so each name is one word.
 */
static base_status write_lists(const bench_drawing *d, const bench_look *looks, lists *l,
                               base_error *err)
{
    *l = (lists){"", "", ""};
    bool fits = true;
    for (size_t i = 0; i < d->count; i++) {
        char look[64];
        /* In gnuplot, the number of an empty shape is one less than that of the filled shape. */
        const bool hollow = !d->judged[i] && looks[i].marker > 3 && looks[i].marker % 2 == 1;
        snprintf(look, sizeof look, "%s %u %u %d", looks[i].colour, looks[i].dash,
                 looks[i].marker - hollow, d->judged[i]);
        fits = fits && append(l->files, "", d->files[i], " ") &&
               append(l->labels, "\"", looks[i].label, d->judged[i] ? "\" " : " (not judged)\" ") &&
               append(l->looks, "", look, " ");
    }
    return fits ? BASE_OK
                : base_fail(err, BASE_ERR_INPUT, "scenario '%s' has too many variants for a figure",
                            d->scenario);
}

base_status bench_figures_looks(const bench_record *record, const char *scenario,
                                const char *const *variants, size_t count, base_arena *arena,
                                bench_looks *looks, base_error *err)
{
    const char **const names = base_arena_alloc(arena, record->cell_count, sizeof *names);
    bench_look *const shown = base_arena_alloc(arena, count, sizeof *shown);
    if (!names || !shown) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    size_t all = 0;
    for (size_t i = 0; i < record->cell_count; i++) {
        if (strcmp(record->cells[i].scenario, scenario) == 0 && !record->cells[i].twin) {
            names[all++] = record->cells[i].variant;
        }
    }
    const base_status status = bench_looks_make(names, all, arena, looks, err);
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t n = 0; n < all; n++) {
            shown[i] = strcmp(names[n], variants[i]) == 0 ? looks->items[n] : shown[i];
        }
    }
    looks->items = shown;
    return bench_looks_caption(shown, count, arena, &looks->shared, err);
}

/** Returns a value of the manifest, or "?" if it is missing. */
static const char *fact(const bench_record *record, const char *section, const char *key)
{
    const char *const value = bench_record_fact(record, section, key);
    return value ? value : "?";
}

/** Finds the paths of style.gp, of the figure's script and of the run, in gnuplot's form. */
static base_status find_paths(bench_figures *figures, const char *figure, char *frame,
                              char *drawn_by, char *run, base_error *err)
{
    char path[BENCH_SHARE_BYTES];
    base_status status = bench_share_path("plots/style.gp", path, err);
    if (status == BASE_OK) {
        status = bench_gnuplot_path(path, frame, err);
    }
    if (status == BASE_OK) {
        status = find_script(figures, figure, path, err);
    }
    if (status == BASE_OK) {
        status = bench_gnuplot_path(path, drawn_by, err);
    }
    return status == BASE_OK ? bench_gnuplot_path(figures->run, run, err) : status;
}

/**
 * Appends " ID=NUMBER" for each claim with a number of the paper, for the experiments that the
 * script names.
 */
static base_status list_paper_numbers(bench_figures *figures, const char *figure,
                                      char text[LIST_BYTES], base_error *err)
{
    script s;
    char *rest = NULL;
    base_status status = read_script(figures, figure, &s, err);
    for (char *name = strtok_r(s.paper, " ", &rest); name && status == BASE_OK;
         name = strtok_r(NULL, " ", &rest)) {
        scn_experiment experiment;
        bool fits = true;
        status = bench_experiment_open(name, &experiment, err);
        for (size_t i = 0; status == BASE_OK && i < experiment.claim_count; i++) {
            const scn_claim *const c = &experiment.claims[i];
            char number[WORD_BYTES];
            snprintf(number, sizeof number, "=%.15g", c->paper);
            fits = fits && (isnan(c->paper) || append(text, " ", c->id, number));
        }
        scn_experiment_release(&experiment);
        if (status == BASE_OK && !fits) {
            status = base_fail(err, BASE_ERR_INPUT, "plots/%s.gp names too many claims", figure);
        }
    }
    return status;
}

base_status bench_figures_draw(bench_figures *figures, const bench_drawing *d,
                               const bench_picture_style *style, bench_picture *picture,
                               char warnings[BENCH_WARNING_BYTES], base_error *err)
{
    _Static_assert((int)BENCH_WARNING_BYTES == (int)BENCH_GNUPLOT_SAID_BYTES, "one is the other");
    const bench_record *const record = &figures->record;
    char frame[BENCH_GNUPLOT_PATH_BYTES], path[BENCH_GNUPLOT_PATH_BYTES];
    char run[BENCH_GNUPLOT_PATH_BYTES];
    char *const settings = base_arena_alloc(&figures->arena, LIST_BYTES, 1);
    bench_looks looks;
    lists *const l = base_arena_alloc(&figures->arena, 1, sizeof *l);
    *picture = (bench_picture){0};
    base_status status = l && settings ? find_paths(figures, d->figure, frame, path, run, err)
                                       : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    if (status == BASE_OK) {
        status = bench_figures_looks(record, d->scenario, d->variants, d->count, &figures->arena,
                                     &looks, err);
    }
    if (status == BASE_OK) {
        status = write_lists(d, looks.items, l, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const bool of_paper = strcmp(fact(record, "run", "experiment"), d->figure) == 0;
    const bool smoke = strcmp(fact(record, "run", "mode"), scn_mode_names[SCN_SMOKE]) == 0;
    snprintf(settings, LIST_BYTES, "%s %u %d %d %d", bench_picture_format_names[style->format],
             style->width_mm, style->titled, of_paper, smoke);
    status = list_paper_numbers(figures, d->figure, settings, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const arguments[BENCH_GNUPLOT_ARGUMENTS] = {
        path, run, d->scenario, d->quantity, l->files, l->labels, l->looks, looks.shared, settings};
    status = bench_gnuplot_draw(frame, arguments, picture, warnings, err);
    if (status == BASE_OK && style->format == BENCH_PICTURE_SVG && style->width_mm > 0) {
        status = bench_picture_set_width(picture, style->width_mm, err);
    }
    if (status != BASE_OK) {
        base_free(picture->bytes);
        *picture = (bench_picture){0};
    }
    return status;
}

base_status bench_figures_note(const bench_figures *figures, const bench_drawing *d,
                               const char *picture, bench_index *index, base_error *err)
{
    const bench_record *const record = &figures->record;
    char variants[LIST_BYTES] = "";
    for (size_t i = 0; i < d->count; i++) {
        append(variants, i > 0 ? ", " : "", d->variants[i], "");
    }
    const bench_index_row row = {
        .picture = picture,
        .fields =
            {
                [BENCH_INDEX_SCENARIO] = d->scenario,
                [BENCH_INDEX_QUANTITY] = d->quantity,
                [BENCH_INDEX_FIGURE] = d->figure,
                [BENCH_INDEX_VARIANTS] = variants,
                [BENCH_INDEX_EXPERIMENT] = bench_record_fact(record, "run", "experiment"),
                [BENCH_INDEX_MODE] = bench_record_fact(record, "run", "mode"),
                [BENCH_INDEX_START_UTC] = bench_record_fact(record, "run", "start_utc"),
                [BENCH_INDEX_VERSION] = bench_record_fact(record, "suite", "version"),
                [BENCH_INDEX_COMMIT] = bench_record_fact(record, "suite", "commit"),
                [BENCH_INDEX_CPU] = bench_record_fact(record, "machine", "cpu"),
                [BENCH_INDEX_CPUS] = bench_record_fact(record, "machine", "cpus_online"),
            },
    };
    return bench_index_put(index, &row, err);
}
