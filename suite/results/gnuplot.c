#include "suite/results/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_BYTES = 512, VARIABLES_BYTES = 16384 };

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

/** Errors: BASE_ERR_SYSTEM when the program cannot be started. */
static base_status run_program(char *const *arguments, bool errors, char text[OUTPUT_BYTES],
                               int *exit_status, base_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t child;
    const int reason = start_program(arguments, ends[1], errors, &child);
    close(ends[1]);
    if (reason != 0) {
        close(ends[0]);
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                         strerror(reason));
    }
    read_all(ends[0], text);
    close(ends[0]);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return BASE_OK;
}

base_status bench_gnuplot_check(base_error *err)
{
    char gnuplot[] = "gnuplot", version[] = "--version", list[] = "fc-list", all[] = ":",
         family[] = "family", text[OUTPUT_BYTES];
    char *const ask_version[] = {gnuplot, version, NULL};
    char *const ask_fonts[] = {list, all, family, NULL};
    int exit_status;
    base_status status = run_program(ask_version, true, text, &exit_status, err);
    if (status == BASE_OK && (exit_status != 0 || strncmp(text, "gnuplot", 7) != 0)) {
        return base_fail(err, BASE_ERR_SYSTEM, "'gnuplot --version' fails: %s", text);
    }
    if (status == BASE_OK) {
        status = run_program(ask_fonts, false, text, &exit_status, err);
    }
    if (status == BASE_OK && (exit_status != 0 || !*text)) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "no font is installed, gnuplot would draw no text: install "
                         "fonts-dejavu-core");
    }
    return status;
}

/** Many lines become one, with single blanks. */
static void squeeze(char *text)
{
    char *end = text;
    for (const char *c = text; *c; c++) {
        const bool blank = strchr(" \t\r\n", *c);
        if (!blank) {
            *end++ = *c;
        } else if (end > text && end[-1] != ' ') {
            *end++ = ' ';
        }
    }
    *end = '\0';
}

base_status bench_gnuplot_run(const char *script, const char *variables, base_error *err)
{
    /* The scripts are UTF-8; in another locale a minimal system cannot convert what it prints. */
    char env[] = "env", locale[] = "LC_ALL=C.UTF-8";
    char gnuplot[] = "gnuplot", option[] = "-e", text[OUTPUT_BYTES];
    char assignments[VARIABLES_BYTES], path[4096];
    snprintf(assignments, sizeof assignments, "%s", variables);
    snprintf(path, sizeof path, "%s", script);
    char *const arguments[] = {env, locale, gnuplot, option, assignments, path, NULL};
    int exit_status;
    const base_status status = run_program(arguments, true, text, &exit_status, err);
    if (status != BASE_OK) {
        return status;
    }
    squeeze(text);
    if (exit_status != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' ends with status %d: %s", script, exit_status,
                         text);
    }
    return *text ? base_fail(err, BASE_ERR_INPUT, "'%s' warns: %s", script, text) : BASE_OK;
}
