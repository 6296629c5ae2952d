#include "suite/run.h"

#include "geometry/csv.h"
#include "geometry/text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, OUTPUT_BYTES = 512 };

static const char pictures[] = "plots/out";

/* --- Programs --------------------------------------------------------------------------------- */

/** The first bytes of what comes out of the pipe, which is read to its end; right-trimmed. */
static void read_all(int descriptor, char text[OUTPUT_BYTES])
{
    char buffer[4096];
    size_t kept = 0;
    for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) != 0;) {
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        const size_t room = OUTPUT_BYTES - 1 - kept;
        const size_t taken = (size_t)count < room ? (size_t)count : room;
        memcpy(text + kept, buffer, taken);
        kept += taken;
    }
    text[kept] = '\0';
    while (kept > 0 && strchr(" \t\r\n", text[kept - 1])) {
        text[--kept] = '\0';
    }
}

/** Starts a program without input whose output goes into the pipe, its errors too if `errors`. */
static int start_program(char *const *arguments, int pipe_end, bool errors, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_end, STDOUT_FILENO);
    if (errors) {
        posix_spawn_file_actions_adddup2(&actions, pipe_end, STDERR_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    const int reason = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return reason;
}

/** Errors: GEO_ERR_SYSTEM when the program cannot be started. */
static geo_status run_program(char *const *arguments, bool errors, char text[OUTPUT_BYTES],
                              int *exit_status, geo_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t child;
    const int reason = start_program(arguments, ends[1], errors, &child);
    close(ends[1]);
    if (reason != 0) {
        close(ends[0]);
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                        strerror(reason));
    }
    read_all(ends[0], text);
    close(ends[0]);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return GEO_OK;
}

/** Without a font gnuplot draws no text at all, and says nothing. */
static geo_status check_programs(geo_error *err)
{
    char gnuplot[] = "gnuplot", version[] = "--version", list[] = "fc-list", all[] = ":",
         family[] = "family", text[OUTPUT_BYTES];
    char *const ask_version[] = {gnuplot, version, NULL};
    char *const ask_fonts[] = {list, all, family, NULL};
    int exit_status;
    geo_status status = run_program(ask_version, true, text, &exit_status, err);
    if (status == GEO_OK && (exit_status != 0 || strncmp(text, "gnuplot", 7) != 0)) {
        return geo_fail(err, GEO_ERR_SYSTEM, "'gnuplot --version' fails: %s", text);
    }
    if (status == GEO_OK) {
        status = run_program(ask_fonts, false, text, &exit_status, err);
    }
    if (status == GEO_OK && (exit_status != 0 || !*text)) {
        return geo_fail(err, GEO_ERR_SYSTEM,
                        "no font is installed, gnuplot would draw no text: install "
                        "fonts-dejavu-core");
    }
    return status;
}

/* --- Which figures ---------------------------------------------------------------------------- */

typedef struct plot_job {
    char run[PATH_BYTES]; /* folder of the results */
    const char **figures; /* arena; NULL-terminated */
    geo_arena arena;
} plot_job;

/** RUN is a folder, or the name of one in results/. */
static geo_status find_run(const char *run, char path[PATH_BYTES], geo_error *err)
{
    static const char *const folders[] = {"", "results/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct stat folder;
        const int length = snprintf(path, PATH_BYTES, "%s%s", folders[i], run);
        if (length < PATH_BYTES && stat(path, &folder) == 0 && S_ISDIR(folder.st_mode)) {
            return GEO_OK;
        }
    }
    return geo_fail(err, GEO_ERR_INPUT, "no run '%s': neither '%s' nor 'results/%s' is a folder",
                    run, run, run);
}

static const char *keep(geo_arena *arena, const char *text, size_t length)
{
    char *const copy = geo_arena_alloc(arena, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
    }
    return copy;
}

/** Names of plots/NAME.gp but for the common style; sorted. */
static geo_status all_figures(geo_arena *arena, const char ***figures, geo_error *err)
{
    static const char prefix[] = "plots/", suffix[] = ".gp";
    glob_t found = {0};
    if (glob("plots/*.gp", 0, NULL, &found) != 0) {
        globfree(&found);
        return geo_fail(err, GEO_ERR_INPUT, "there are no scripts 'plots/*.gp' here");
    }
    *figures = geo_arena_alloc(arena, found.gl_pathc + 1, sizeof **figures);
    bool kept = *figures != NULL;
    for (size_t i = 0, count = 0; kept && i < found.gl_pathc; i++) {
        const char *const name = found.gl_pathv[i] + strlen(prefix);
        if (strcmp(name, "style.gp") != 0) {
            (*figures)[count] = keep(arena, name, strlen(name) - strlen(suffix));
            kept = (*figures)[count++] != NULL;
        }
    }
    globfree(&found);
    return kept ? GEO_OK : geo_fail(err, GEO_ERR_MEMORY, "out of memory");
}

/** The figure that the manifest names, in the arena; NULL when it names none. */
static geo_status manifest_figure(const char *run, geo_arena *arena, const char **figure,
                                  geo_error *err)
{
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/manifest.csv", run);
    *figure = NULL;
    geo_csv table;
    geo_status status = geo_csv_read(path, NULL, &table, err);
    if (status != GEO_OK) {
        return status;
    }
    int key = 0, value = 0;
    status = geo_csv_column(&table, "key", &key, err);
    if (status == GEO_OK) {
        status = geo_csv_column(&table, "value", &value, err);
    }
    for (size_t i = 0; status == GEO_OK && i < table.rows; i++) {
        const char *const name = geo_csv_text(&table, i, key);
        const char *const text = geo_csv_text(&table, i, value);
        if (name && text && strcmp(name, "figure") == 0) {
            *figure = keep(arena, text, strlen(text));
            if (!*figure) {
                status = geo_fail(err, GEO_ERR_MEMORY, "out of memory");
            }
        }
    }
    geo_csv_release(&table);
    return status;
}

/** --figure, or what the manifest names, or all; each must be a script. */
static geo_status choose_figures(plot_job *job, const char *figure, geo_error *err)
{
    geo_status status = all_figures(&job->arena, &job->figures, err);
    if (status == GEO_OK && !figure) {
        status = manifest_figure(job->run, &job->arena, &figure, err);
    }
    if (status != GEO_OK || !figure) {
        return status;
    }
    for (const char **known = job->figures; *known; known++) {
        if (strcmp(*known, figure) == 0) {
            job->figures[0] = *known;
            job->figures[1] = NULL;
            return GEO_OK;
        }
    }
    char near[512];
    geo_text_near(figure, job->figures, near, sizeof near);
    return geo_fail(err, GEO_ERR_ARGUMENT, "no script 'plots/%s.gp'%s", figure, near);
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/** Many lines become one, with single blanks. */
static void squeeze(char *text)
{
    char *end = text;
    for (const char *c = text; *c; c++) {
        const bool blank = strchr(" \t\r\n", *c) != NULL;
        if (!blank) {
            *end++ = *c;
        } else if (end > text && end[-1] != ' ') {
            *end++ = ' ';
        }
    }
    *end = '\0';
}

/** Anything that gnuplot says is a failure: a curve left out is only a warning to it. */
static geo_status draw(const plot_job *job, const char *figure, geo_error *err)
{
    char gnuplot[] = "gnuplot", option[] = "-e", text[OUTPUT_BYTES];
    char script[PATH_BYTES], variables[2 * PATH_BYTES];
    snprintf(script, sizeof script, "plots/%s.gp", figure);
    snprintf(variables, sizeof variables, "run='%s'; out='%s'", job->run, pictures);
    char *const arguments[] = {gnuplot, option, variables, script, NULL};
    int exit_status;
    const geo_status status = run_program(arguments, true, text, &exit_status, err);
    if (status != GEO_OK) {
        return status;
    }
    squeeze(text);
    if (exit_status != 0) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s' ends with status %d: %s", script, exit_status,
                        text);
    }
    return *text ? geo_fail(err, GEO_ERR_INPUT, "'%s' warns: %s", script, text) : GEO_OK;
}

/** Draws all, also behind a failure. */
static geo_status draw_all(const plot_job *job, int *exit_status, geo_error *err)
{
    geo_status status = bench_make_parents("plots/out/", err);
    if (status != GEO_OK) {
        return status;
    }
    puts("figure,status");
    for (const char **figure = job->figures; *figure && status == GEO_OK; figure++) {
        geo_error failure = {0};
        const bool drawn = draw(job, *figure, &failure) == GEO_OK;
        printf("%s,%s\n", *figure, drawn ? "drawn" : "failed");
        fflush(stdout);
        if (!drawn) {
            *exit_status = bench_error(&failure);
        }
    }
    return status;
}

static geo_status plot(const char *run, const char *figure, int *exit_status, geo_error *err)
{
    plot_job job = {.figures = NULL};
    geo_status status = find_run(run, job.run, err);
    if (status == GEO_OK && strpbrk(job.run, "'\n")) {
        status = geo_fail(err, GEO_ERR_ARGUMENT, "gnuplot cannot be given a folder with a quote");
    }
    if (status == GEO_OK) {
        status = choose_figures(&job, figure, err);
    }
    if (status == GEO_OK) {
        status = check_programs(err);
    }
    if (status == GEO_OK) {
        status = draw_all(&job, exit_status, err);
    }
    geo_arena_release(&job.arena);
    return status;
}

int bench_cmd_plot(int argc, char **argv)
{
    const char *figure = NULL;
    const bench_option options[] = {
        BENCH_OPTION("figure", "NAME", &figure, "only this one: the script plots/NAME.gp"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "plot RUN [--figure NAME]",
        .summary = "Draws the figure of a run with gnuplot, from the run's files, into plots/out: "
                   "the one\n"
                   "that its experiment names, or all for an experiment that names none. RUN is a "
                   "folder, or\n"
                   "the name of one in results/. Nothing is measured.",
        .notes = "Example:\n  proxbench plot results/bench --figure pareto",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("plot needs one RUN");
    }
    int exit_status = BENCH_GOOD;
    geo_error err = {0};
    if (plot(argv[1], figure, &exit_status, &err) != GEO_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
