#include "suite/results/figures.h"

#include "base/text.h"
#include "suite/results/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIST_BYTES = 16384, LINE_BYTES = 512, WORD_BYTES = 64, PATH_BYTES = 4096 };

/* Those that have errors to be drawn. */
static const alg_quantity quantities[] = {ALG_DISTANCE, ALG_VOLUME};
enum { QUANTITY_COUNT = sizeof quantities / sizeof *quantities };

static const char *const usual_figures[] = {"pareto", "deadline", "frames", NULL};

static bool is_figure_name(const char *text)
{
    return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/** The figures that the manifest names, or the usual ones. */
static base_status list_names(bench_figures *figures, base_error *err)
{
    const bench_record *const record = &figures->record;
    size_t count = 0, at = 0;
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
    if (count == 0) {
        memcpy(figures->names, usual_figures, sizeof usual_figures);
    }
    return BASE_OK;
}

base_status bench_figures_open(const char *run, bench_figures *figures, base_error *err)
{
    *figures = (bench_figures){.run = run};
    const unsigned parts = BENCH_RECORD_FACTS | BENCH_RECORD_CELLS | BENCH_RECORD_DRAWN;
    const base_status status = bench_record_open(run, parts, &figures->record, err);
    return status == BASE_OK ? list_names(figures, err) : status;
}

void bench_figures_close(bench_figures *figures)
{
    bench_record_release(&figures->record);
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

/** The script on the cells [first, end) of a scenario: *drawing, or none when *suits is false. */
static base_status make_drawing(bench_figures *figures, const char *name, const script *s,
                                size_t first, size_t end, alg_quantity quantity,
                                bench_drawing *drawing, bool *suits, base_error *err)
{
    const bench_cell_row *const cells = figures->record.cells;
    char variants[LIST_BYTES] = "", files[LIST_BYTES] = "", file[LINE_BYTES];
    unsigned found = 0;
    for (size_t i = first; i < end; i++) {
        if (isnan(cells[i].errors[quantity][BENCH_ERROR_REL].mean) || cells[i].twin ||
            fnmatch(s->variants, cells[i].variant, 0) != 0) {
            continue;
        }
        bench_variant_file(cells[i].variant, file, sizeof file);
        if (!append(variants, cells[i].variant) || !append(files, file)) {
            return base_fail(err, BASE_ERR_INPUT,
                             "scenario '%s' has too many variants for a figure",
                             cells[first].scenario);
        }
        found++;
    }
    *suits = found >= s->least;
    if (!*suits) {
        return BASE_OK;
    }
    base_arena *const arena = &figures->arena;
    *drawing = (bench_drawing){name, cells[first].scenario, bench_quantities[quantity].name,
                               base_arena_text(arena, variants), base_arena_text(arena, files)};
    return drawing->variants && drawing->files ? BASE_OK
                                               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_figures_find(bench_figures *figures, const char *name, bench_drawing **drawings,
                               size_t *count, base_error *reason, base_error *err)
{
    const bench_record *const record = &figures->record;
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
        base_arena_alloc(&figures->arena, record->cell_count * QUANTITY_COUNT, sizeof **drawings);
    if (!*drawings) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t first = 0, end; first < record->cell_count; first = end) {
        end = bench_record_scenario_end(record, first);
        for (int q = 0; q < QUANTITY_COUNT; q++) {
            char wanted[WORD_BYTES];
            bool suits = false;
            snprintf(wanted, sizeof wanted, " %s ", bench_quantities[quantities[q]].name);
            if (strstr(s.quantities, wanted)) {
                status = make_drawing(figures, name, &s, first, end, quantities[q],
                                      &(*drawings)[*count], &suits, err);
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

/* --- gnuplot ---------------------------------------------------------------------------------- */

enum { OUTPUT_BYTES = 512, COMMAND_WORDS = 7, WORDS_MAX = COMMAND_WORDS + 8 };

/**
 * Reads the pipe to its end and keeps the first bytes as one line: blanks and ends of lines become
 * single blanks.
 */
static void read_line(int descriptor, char text[OUTPUT_BYTES])
{
    char buffer[4096];
    size_t kept = 0;
    for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) != 0;) {
        if (count < 0 && errno != EINTR) {
            break;
        }
        for (ssize_t i = 0; i < count && kept < OUTPUT_BYTES - 1; i++) {
            const bool blank = strchr(" \t\r\n", buffer[i]);
            if (!blank) {
                text[kept++] = buffer[i];
            } else if (kept > 0 && text[kept - 1] != ' ') {
                text[kept++] = ' ';
            }
        }
    }
    kept -= kept > 0 && text[kept - 1] == ' ';
    text[kept] = '\0';
}

/** Runs a program without input; `text` is what it prints, its errors too if `errors`. */
static base_status run_program(const char *const *arguments, bool errors, char text[OUTPUT_BYTES],
                               int *exit_status, base_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (errors) {
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    }
    pid_t child;
    char *words[WORDS_MAX + 1] = {
        NULL}; /* which posix_spawnp wants without const, and only reads */
    for (size_t i = 0; i < WORDS_MAX && arguments[i]; i++) {
        memcpy(&words[i], &arguments[i], sizeof words[i]);
    }
    const int reason = posix_spawnp(&child, arguments[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (reason != 0) {
        close(ends[0]);
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                         strerror(reason));
    }
    int status = 0;
    read_line(ends[0], text);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return BASE_OK;
}

base_status bench_gnuplot_check(base_error *err)
{
    static const char *const ask_version[] = {"gnuplot", "--version", NULL};
    static const char *const ask_fonts[] = {"fc-list", ":", "family", NULL};
    char text[OUTPUT_BYTES];
    int exit_status;
    base_status status = run_program(ask_version, true, text, &exit_status, err);
    if (status != BASE_OK) {
        return status;
    }
    if (exit_status != 0 || strncmp(text, "gnuplot", 7) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "'gnuplot --version' fails: %s", text);
    }
    status = run_program(ask_fonts, false, text, &exit_status, err);
    if (status == BASE_OK && (exit_status != 0 || !*text)) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "no font is installed, gnuplot would draw no text: install "
                         "fonts-dejavu-core");
    }
    return status;
}

base_status bench_gnuplot_run(const char *path, const char *const *arguments, base_error *err)
{
    /* The scripts are UTF-8; in another locale a minimal system cannot convert what it prints. What
     * a person has set for all of gnuplot (-d leaves it out) does not belong in figures. */
    const char *command[WORDS_MAX + 1] = {"env", "LC_ALL=C.UTF-8", "gnuplot", "-d",
                                          "-c",  "plots/style.gp", path};
    for (size_t i = 0; COMMAND_WORDS + i < WORDS_MAX && arguments[i]; i++) {
        command[COMMAND_WORDS + i] = arguments[i];
    }
    char text[OUTPUT_BYTES];
    int exit_status;
    const base_status status = run_program(command, true, text, &exit_status, err);
    if (status != BASE_OK) {
        return status;
    }
    if (exit_status != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' ends with status %d: %s", path, exit_status,
                         text);
    }
    return *text ? base_fail(err, BASE_ERR_INPUT, "'%s' warns: %s", path, text) : BASE_OK;
}
