#include "suite/figures/figures.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "scenarios/experiment.h"
#include "suite/inputs/experiment.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LIST_BYTES = 16384,
    LINE_BYTES = 512,
    WORD_BYTES = 64,
    PLAIN_PATH_BYTES = BENCH_SHARE_BYTES + 8,
    ARGUMENTS = 9,       /* of a script: ARG1 to ARG9 */
    DECLARED_MOST = 250, /* figures that are searched for a similar name */
};

static const char *const usual_figures[] = {"pareto", "deadline", "frames", NULL};
static const char *const figures_of_simulations[] = {"simulation-depths", "simulation-forces",
                                                     NULL};

static bool is_figure_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
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
    if (status != BASE_OK) {
        return status;
    }
    const bench_record *const record = &figures->record;
    const char *const *usual = simulated ? figures_of_simulations : usual_figures;
    const size_t most = record->fact_count + sizeof usual_figures / sizeof *usual_figures;
    figures->names = base_arena_alloc(&figures->arena, most, sizeof *figures->names);
    if (!figures->names) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    size_t count = 0, at = 0;
    for (const char *name; (name = bench_record_next_fact(record, "run", "figure", &at));) {
        if (!is_figure_name(name)) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%.80s' is no name of a figure",
                             record->fact_table.path, record->fact_table.lines[at], name);
        }
        figures->names[count++] = name;
    }
    at = 0;
    const bool has_pictures = bench_record_next_fact(record, "run", "picture", &at);
    for (size_t i = 0; count == 0 && !has_pictures && usual[i]; i++) {
        figures->names[i] = usual[i];
    }
    return BASE_OK;
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

/** The declaration of a figure in a script. */
typedef struct script {
    char path[BENCH_SHARE_BYTES];
    char quantities[LINE_BYTES]; /* with a blank before and after each */
    char variants[WORD_BYTES];   /* glob */
    char needs[WORD_BYTES];      /* "" if missing; likewise below */
    char each[WORD_BYTES];
    char beside[WORD_BYTES];
    char siblings[WORD_BYTES];
    char over[WORD_BYTES];      /* "scenarios": one picture for all of them */
    char draws[WORD_BYTES];     /* "work", which has no error, or "unjudged" */
    char elsewhere[WORD_BYTES]; /* "drawn": also variants that were measured elsewhere */
    char paper[LINE_BYTES];     /* experiments whose papers' numbers it draws */
    char shows[WORD_BYTES];     /* column of `needs` that is above 0 unless the picture is empty */
    unsigned least;             /* number of variants; 0: it declares no such figure */
} script;

/** Parses a line of a declaration. Returns false if it is invalid. */
static bool read_line(const char *line, script *s)
{
    const struct {
        const char *begin;
        char *text;
    } lines[] = {
        {"# needs: ", s->needs},         {"# each: ", s->each},   {"# beside: ", s->beside},
        {"# siblings: ", s->siblings},   {"# draws: ", s->draws}, {"# shows: ", s->shows},
        {"# elsewhere: ", s->elsewhere}, {"# over: ", s->over},
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

/** Appends the words of a text to a NULL-terminated list, as long as they fit. */
static base_status add_words(base_arena *arena, const char *text,
                             const char *list[DECLARED_MOST + 1], base_error *err)
{
    size_t count = 0;
    while (list[count]) {
        count++;
    }
    char *rest = NULL, *const copy = base_arena_text(arena, text);
    for (char *word = copy ? strtok_r(copy, " ", &rest) : NULL; word && count < DECLARED_MOST;
         word = strtok_r(NULL, " ", &rest)) {
        list[count++] = word;
    }
    return copy ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/**
 * Reads what the script at s->path declares of a figure. Appends the names of all figures of the
 * script to `declared`.
 */
static base_status read_declarations(bench_figures *figures, const char *name, script *s,
                                     const char *declared[DECLARED_MOST + 1], base_error *err)
{
    static const char begin[] = "# figure: ";
    char line[LINE_BYTES - 2], wanted[LINE_BYTES], named[LINE_BYTES];
    FILE *const file = fopen(s->path, "re");
    if (!file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot open '%s'", s->path);
    }
    snprintf(wanted, sizeof wanted, " %s ", name);
    base_status status = BASE_OK;
    bool inside = false;
    while (status == BASE_OK && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, begin, strlen(begin)) == 0) {
            snprintf(named, sizeof named, " %s ", line + strlen(begin));
            inside = strstr(named, wanted) != NULL;
            status = add_words(&figures->arena, named, declared, err);
        } else {
            inside = inside && line[0] == '#';
            if (inside && !read_line(line, s)) {
                status =
                    base_fail(err, BASE_ERR_INPUT,
                              "'%s': '%s' is not '# variants: GLOB, at least N'", s->path, line);
            }
        }
    }
    fclose(file);
    return status;
}

/** Finds the script that declares a figure. The error lists similar names. */
static base_status find_script(bench_figures *figures, const char *name, script *s, base_error *err)
{
    const char **scripts, *declared[DECLARED_MOST + 1] = {NULL};
    char file[LINE_BYTES], near[LINE_BYTES];
    *s = (script){0};
    base_status status = bench_share_names("plots", ".gp", &figures->arena, &scripts, err);
    for (size_t i = 0; status == BASE_OK && scripts[i] && s->least == 0; i++) {
        snprintf(file, sizeof file, "plots/%s.gp", scripts[i]);
        status = bench_share_path(file, s->path, err);
        if (status == BASE_OK) {
            status = read_declarations(figures, name, s, declared, err);
        }
    }
    if (status == BASE_OK && s->least == 0) {
        base_text_near(name, declared, near, sizeof near);
        status = base_fail(err, BASE_ERR_ARGUMENT, "no script in plots/ declares a figure '%s'%s",
                           name, near);
    }
    return status;
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
    const bool with_elsewhere = strcmp(s->elsewhere, "drawn") == 0;
    if (*s->over) {
        drawing->over_all = true;
        drawing->scenario = "all";
    }
    for (size_t i = range.first; i < range.end; i++) {
        const bench_cell_row *const cell = &record->cells[i];
        bool listed = false; /* a variant has a cell in each scenario */
        for (size_t k = 0; k < drawing->count && !listed; k++) {
            listed = strcmp(drawing->variants[k], cell->variant) == 0;
        }
        if (listed) {
            continue;
        }
        /* If the truth is 0 in all frames, errors do not distinguish variants. */
        const bool informative =
            strcmp(s->draws, "work") == 0 || !bench_cell_row_truth_is_zero(cell, quantity);
        char each[BENCH_RUN_PATH_BYTES]; /* SCENARIO/VARIANT.ENDING, if the script needs it */
        const bool has_each =
            !*s->each || (bench_run_file(figures->run, each, NULL, "%s/%s.%s", cell->scenario,
                                         cell->file, s->each) == BASE_OK &&
                          access(each, R_OK) == 0);
        const own_rows rows = find_rows(needed, s->shows, cell, quantity);
        const bool has_rows = rows.any || (with_elsewhere && *cell->elsewhere);
        const bool judged = informative && is_judged(record, cell, quantity) && has_rows;
        if (fnmatch(s->variants, cell->variant, FNM_EXTMATCH) == 0 &&
            (judged || (with_unjudged && is_unjudged_exact(record, cell, quantity))) && has_each &&
            (rows.shows || !*s->over)) {
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
static void set_reason(const script *s, base_error *reason)
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
        end = *s->over ? record->cell_count : bench_record_scenario_end(record, first);
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
            const bench_cell_row *const beside =
                *s->beside ? bench_record_find(record, d->scenario, s->beside) : NULL;
            *count += d->judged_count >= s->least &&
                      (!*s->beside || (beside && bench_cell_row_is_ok(beside))) &&
                      (!*s->siblings || has_siblings(record, s->siblings, d));
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
    base_status status = find_script(figures, name, &s, err);
    if (status == BASE_OK && *s.needs) {
        status = bench_run_file(figures->run, path, err, "%s", s.needs);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (record->simulated != (strcmp(s.needs, "simulations.csv") == 0)) {
        base_fail(reason, BASE_ERR_INPUT, "it is drawn for %s",
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
        set_reason(&s, reason);
    }
    return status;
}

/* --- Labels and looks ------------------------------------------------------------------------- */

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
        const bench_cell_row *const cell = &record->cells[i];
        if (scenario && strcmp(cell->scenario, scenario) == 0 && !cell->twin) {
            names[all++] = cell->variant;
        }
    }
    for (size_t i = 0; !scenario && i < count; i++) {
        names[all++] = variants[i];
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

/* --- gnuplot ---------------------------------------------------------------------------------- */

/** The output of a program, in files in memory, so that the program never waits for a reader. */
typedef struct printed {
    int out, err; /* descriptors; -1: closed */
    int exit_status;
} printed;

static void printed_release(printed *p)
{
    close(p->out);
    close(p->err);
    *p = (printed){-1, -1, 0};
}

/** Runs a program of $PATH until it ends. After BASE_OK call printed_release. */
static base_status run_program(const char *const *arguments, printed *p, base_error *err)
{
    char path[PATH_MAX];
    const char *words[BASE_PROCESS_ARGUMENTS] = {path};
    for (size_t i = 1; arguments[i]; i++) {
        words[i] = arguments[i];
    }
    if (!base_process_find(arguments[0], path)) {
        return base_fail(err, BASE_ERR_SYSTEM, "'%s' is not installed", arguments[0]);
    }
    *p = (printed){memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC), 0};
    if (p->out < 0 || p->err < 0) {
        base_fail(err, BASE_ERR_SYSTEM, "cannot make a file in memory: %s", strerror(errno));
        printed_release(p);
        return BASE_ERR_SYSTEM;
    }
    base_process_outcome outcome;
    const base_process process = {.arguments = words, .out = p->out, .err = p->err};
    const base_status status = base_process_run(&process, &outcome, err);
    if (status != BASE_OK) {
        printed_release(p);
        return status;
    }
    p->exit_status = outcome.end == BASE_PROCESS_EXITED ? outcome.code : 128 + outcome.code;
    return BASE_OK;
}

/** Reads the first bytes as one line: blanks and newlines become single blanks. */
static void read_words(int file, char text[BENCH_WARNING_BYTES])
{
    char buffer[4 * BENCH_WARNING_BYTES];
    const ssize_t count = pread(file, buffer, sizeof buffer, 0);
    size_t kept = 0;
    for (ssize_t i = 0; i < count && kept < BENCH_WARNING_BYTES - 1; i++) {
        if (!strchr(" \t\r\n", buffer[i])) {
            text[kept++] = buffer[i];
        } else if (kept > 0 && text[kept - 1] != ' ') {
            text[kept++] = ' ';
        }
    }
    kept -= kept > 0 && text[kept - 1] == ' ';
    text[kept] = '\0';
}

static base_status read_picture(int file, bench_picture *picture, base_error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot read what is drawn: %s", strerror(errno));
    }
    const size_t size = (size_t)info.st_size;
    const base_status status = base_reserve(picture->bytes, picture->capacity, size + 1, err);
    while (status == BASE_OK && picture->size < size) {
        const ssize_t count =
            pread(file, picture->bytes + picture->size, size - picture->size, (off_t)picture->size);
        if (count <= 0) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot read what is drawn");
        }
        picture->size += (size_t)count;
    }
    return status;
}

base_status bench_gnuplot_check(base_error *err)
{
    static const char *const ask_version[] = {"gnuplot", "--version", NULL};
    static const char *const ask_fonts[] = {"fc-list", ":", "family", NULL};
    char text[BENCH_WARNING_BYTES];
    base_error reason;
    printed p;
    if (run_program(ask_version, &p, &reason) != BASE_OK) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "%s: figures need gnuplot (in the source tree 'make deps' installs it; "
                         "elsewhere the package gnuplot-nox or gnuplot)",
                         reason.text);
    }
    read_words(p.out, text);
    bool good = p.exit_status == 0 && strncmp(text, "gnuplot", 7) == 0;
    printed_release(&p);
    if (!good) {
        return base_fail(err, BASE_ERR_SYSTEM, "'gnuplot --version' fails: %s", text);
    }
    const base_status status = run_program(ask_fonts, &p, err);
    if (status != BASE_OK) {
        return status;
    }
    read_words(p.out, text);
    good = p.exit_status == 0 && *text;
    printed_release(&p);
    return good ? BASE_OK
                : base_fail(err, BASE_ERR_SYSTEM,
                            "no font is installed, gnuplot would draw no text: install "
                            "fonts-dejavu-core");
}

/**
 * Converts a path to a form that gnuplot can only read as a path: '<' and '|' would begin a
 * command, '~' a home folder.
 */
static base_status plain_path(const char *path, char plain[PLAIN_PATH_BYTES], base_error *err)
{
    const bool is_plain = isalnum((unsigned char)*path) || *path == '/' || *path == '.';
    const int length = snprintf(plain, PLAIN_PATH_BYTES, "%s%s", is_plain ? "" : "./", path);
    return length < PLAIN_PATH_BYTES
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
}

/**
 * Runs a script and reads the picture from its standard output. The script gets the arguments as
 * texts in ARG1 to ARG9; they are never executed as gnuplot or shell code. Arguments that are
 * paths, and `path`, must come from plain_path. warnings: its other output as one line, or "". If
 * gnuplot omits a curve, it prints a warning and does not fail.
 *
 * Errors   BASE_ERR_INPUT for an exit status other than 0, and if nothing is drawn; BASE_ERR_SYSTEM
 *          if it cannot be started; BASE_ERR_MEMORY. *picture is then empty, otherwise owned by the
 *          caller.
 */
static base_status run_gnuplot(const char *path, const char *const arguments[ARGUMENTS],
                               bench_picture *picture, char warnings[BENCH_WARNING_BYTES],
                               base_error *err)
{
    /* The scripts are UTF-8, and in another locale a minimal system cannot convert their output.
     * -d skips the user's own gnuplot settings, which must not affect figures. */
    const char *command[6 + ARGUMENTS + 1] = {"env", "LC_ALL=C.UTF-8", "gnuplot", "-d", "-c", path};
    memcpy(command + 6, arguments, ARGUMENTS * sizeof *arguments);
    *picture = (bench_picture){0};
    printed p;
    base_status status = run_program(command, &p, err);
    if (status != BASE_OK) {
        return status;
    }
    read_words(p.err, warnings);
    if (p.exit_status != 0) {
        status = base_fail(err, BASE_ERR_INPUT, "gnuplot ends with status %d: %s", p.exit_status,
                           warnings);
    } else {
        status = read_picture(p.out, picture, err);
    }
    printed_release(&p);
    if (status == BASE_OK && picture->size == 0) {
        status = base_fail(err, BASE_ERR_INPUT, "gnuplot draws nothing: %s", warnings);
    }
    if (status != BASE_OK) {
        base_free(picture->bytes);
        *picture = (bench_picture){0};
    }
    return status;
}

/* --- Pictures --------------------------------------------------------------------------------- */

const char *const bench_picture_format_names[BENCH_PICTURE_FORMATS] = {"png", "svg", "pdf"};

base_status bench_picture_set_width(bench_picture *p, double width_mm, base_error *err)
{
    static const char view[] = "viewBox=\"0 0 ";
    const char *const found = p->size > 0 ? memmem(p->bytes, p->size, view, strlen(view)) : NULL;
    const size_t at = found ? (size_t)(found - p->bytes) : 0;
    double width, height;
    char numbers[64] = "", size[128];
    if (found) {
        snprintf(numbers, sizeof numbers, "%.*s", (int)(p->size - at - strlen(view)),
                 found + strlen(view));
    }
    if (sscanf(numbers, "%lf %lf", &width, &height) != 2 || !(width > 0)) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no SVG with a viewBox");
    }
    const size_t added = (size_t)snprintf(size, sizeof size, "width=\"%gmm\" height=\"%.2fmm\" ",
                                          width_mm, width_mm * height / width);
    const base_status status = base_reserve(p->bytes, p->capacity, p->size + added, err);
    if (status == BASE_OK) {
        memmove(p->bytes + at + added, p->bytes + at, p->size - at);
        memcpy(p->bytes + at, size, added);
        p->size += added;
    }
    return status;
}

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

/** Returns a value of the manifest, or "?" if it is missing. */
static const char *fact(const bench_record *record, const char *section, const char *key)
{
    const char *const value = bench_record_fact(record, section, key);
    return value ? value : "?";
}

/** Finds the paths of style.gp, of the figure's script and of the run, in gnuplot's form. */
static base_status find_paths(const bench_figures *figures, const script *s, char *frame,
                              char *drawn_by, char *run, base_error *err)
{
    char path[BENCH_SHARE_BYTES];
    base_status status = bench_share_path("plots/style.gp", path, err);
    if (status == BASE_OK) {
        status = plain_path(path, frame, err);
    }
    if (status == BASE_OK) {
        status = plain_path(s->path, drawn_by, err);
    }
    return status == BASE_OK ? plain_path(figures->run, run, err) : status;
}

/**
 * Appends " ID=NUMBER" for each claim with a number of the paper, for the experiments that the
 * script names.
 */
static base_status list_paper_numbers(const script *s, char text[LIST_BYTES], base_error *err)
{
    char names[LINE_BYTES], *rest = NULL;
    base_status status = BASE_OK;
    snprintf(names, sizeof names, "%s", s->paper);
    for (char *name = strtok_r(names, " ", &rest); name && status == BASE_OK;
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
            status = base_fail(err, BASE_ERR_INPUT, "'%s' names too many claims", s->path);
        }
    }
    return status;
}

base_status bench_figures_draw(bench_figures *figures, const bench_drawing *d,
                               const bench_picture_style *style, bench_picture *picture,
                               char warnings[BENCH_WARNING_BYTES], base_error *err)
{
    const bench_record *const record = &figures->record;
    char frame[PLAIN_PATH_BYTES], path[PLAIN_PATH_BYTES];
    char run[PLAIN_PATH_BYTES];
    char *const settings = base_arena_alloc(&figures->arena, LIST_BYTES, 1);
    bench_looks looks;
    lists *const l = base_arena_alloc(&figures->arena, 1, sizeof *l);
    *picture = (bench_picture){0};
    script s = {0};
    base_status status = l && settings ? find_script(figures, d->figure, &s, err)
                                       : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    if (status == BASE_OK) {
        status = find_paths(figures, &s, frame, path, run, err);
    }
    if (status == BASE_OK) {
        status = bench_figures_looks(record, d->over_all ? NULL : d->scenario, d->variants,
                                     d->count, &figures->arena, &looks, err);
    }
    if (status == BASE_OK) {
        status = write_lists(d, looks.items, l, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const bool of_paper = strcmp(fact(record, "run", "experiment"), d->figure) == 0;
    const bool smoke = strcmp(fact(record, "run", "mode"), scn_mode_names[SCN_SMOKE]) == 0;
    snprintf(settings, LIST_BYTES, "%s %u %d %d %d %s", bench_picture_format_names[style->format],
             style->width_mm, style->titled, of_paper, smoke, d->figure);
    status = list_paper_numbers(&s, settings, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const arguments[ARGUMENTS] = {
        path, run, d->scenario, d->quantity, l->files, l->labels, l->looks, looks.shared, settings};
    status = run_gnuplot(frame, arguments, picture, warnings, err);
    if (status == BASE_OK && style->format == BENCH_PICTURE_SVG && style->width_mm > 0) {
        status = bench_picture_set_width(picture, style->width_mm, err);
    }
    if (status != BASE_OK) {
        base_free(picture->bytes);
        *picture = (bench_picture){0};
    }
    return status;
}

/* --- Index ------------------------------------------------------------------------------------ */

static const char *const index_columns[BENCH_INDEX_COLUMNS] = {
    [BENCH_INDEX_SCENARIO] = "scenario",     [BENCH_INDEX_QUANTITY] = "quantity",
    [BENCH_INDEX_FIGURE] = "figure",         [BENCH_INDEX_VARIANTS] = "variants",
    [BENCH_INDEX_EXPERIMENT] = "experiment", [BENCH_INDEX_MODE] = "mode",
    [BENCH_INDEX_START_UTC] = "start_utc",   [BENCH_INDEX_VERSION] = "version",
    [BENCH_INDEX_COMMIT] = "commit",         [BENCH_INDEX_CPU] = "cpu",
    [BENCH_INDEX_CPUS] = "cpus_online",
};

static base_status read_index_rows(bench_index *index, const char *folder, base_error *err)
{
    const base_csv *const old = &index->old;
    const int picture = base_csv_find(old, "picture");
    char path[4096];
    for (size_t r = 0; r < old->rows; r++) {
        bench_index_row row = {.picture = base_csv_text(old, r, picture)};
        if (!row.picture || strchr(row.picture, '/') ||
            base_path_join(folder, row.picture, "", path, sizeof path, NULL) != BASE_OK ||
            access(path, F_OK) != 0) {
            continue;
        }
        for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
            const int column = base_csv_find(old, index_columns[c]);
            row.fields[c] = column >= 0 ? base_csv_text(old, r, column) : NULL;
        }
        const base_status status =
            base_reserve(index->rows, index->capacity, index->count + 1, err);
        if (status != BASE_OK) {
            return status;
        }
        index->rows[index->count++] = row;
    }
    return BASE_OK;
}

base_status bench_index_open(const char *folder, bench_index *index, base_error *damage,
                             base_error *err)
{
    char path[4096];
    *damage = (base_error){0};
    base_status status = base_path_join(folder, "index", ".csv", path, sizeof path, err);
    if (status != BASE_OK) {
        return status;
    }
    index->path = base_arena_text(&index->arena, path);
    if (!index->path) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (access(path, F_OK) != 0) {
        return BASE_OK;
    }
    status = base_csv_read(path, NULL, &index->old, damage);
    int picture;
    if (status == BASE_OK) {
        status = base_csv_column(&index->old, "picture", &picture, damage);
    }
    return status == BASE_OK           ? read_index_rows(index, folder, err)
           : status == BASE_ERR_MEMORY ? base_fail(err, status, "%s", damage->text)
                                       : BASE_OK;
}

void bench_index_remove(bench_index *index, const char *picture)
{
    for (size_t r = 0; r < index->count; r++) {
        if (strcmp(index->rows[r].picture, picture) == 0) {
            index->rows[r] = index->rows[--index->count];
            return;
        }
    }
}

base_status bench_index_put(bench_index *index, const bench_index_row *row, base_error *err)
{
    bench_index_row copy = {.picture = base_arena_text(&index->arena, row->picture)};
    bool whole = copy.picture != NULL;
    for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
        copy.fields[c] = row->fields[c] ? base_arena_text(&index->arena, row->fields[c]) : NULL;
        whole = whole && (!row->fields[c] || copy.fields[c]);
    }
    if (!whole) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_index_remove(index, row->picture);
    const base_status status = base_reserve(index->rows, index->capacity, index->count + 1, err);
    if (status == BASE_OK) {
        index->rows[index->count++] = copy;
    }
    return status;
}

static int by_picture(const void *left, const void *right)
{
    return strcmp(((const bench_index_row *)left)->picture,
                  ((const bench_index_row *)right)->picture);
}

base_status bench_index_write(bench_index *index, base_error *err)
{
    base_output output;
    if (index->count > 0) {
        qsort(index->rows, index->count, sizeof *index->rows, by_picture);
    }
    base_status status = base_output_open(index->path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer writer = {.file = output.file};
    base_csv_put_text(&writer, "picture");
    for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
        base_csv_put_text(&writer, index_columns[c]);
    }
    base_csv_end(&writer);
    for (size_t r = 0; r < index->count; r++) {
        const bench_index_row *const row = &index->rows[r];
        base_csv_put_text(&writer, row->picture);
        for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
            base_csv_put_text(&writer, row->fields[c] ? row->fields[c] : "");
        }
        base_csv_end(&writer);
    }
    return base_output_close(&output, base_csv_check(&writer, index->path, err), err);
}

void bench_index_close(bench_index *index)
{
    base_free(index->rows);
    base_csv_release(&index->old);
    base_arena_release(&index->arena);
    *index = (bench_index){0};
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
