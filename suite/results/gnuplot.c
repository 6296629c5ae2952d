#include "suite/results/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
    if (reason == 0) {
        int status;
        read_line(ends[0], text);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    close(ends[0]);
    return reason == 0 ? BASE_OK
                       : base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                                   strerror(reason));
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

base_status bench_gnuplot_run(const char *script, const char *const *arguments, base_error *err)
{
    /* The scripts are UTF-8; in another locale a minimal system cannot convert what it prints. What
     * a person has set for all of gnuplot (-d leaves it out) does not belong in figures. */
    const char *command[WORDS_MAX + 1] = {"env", "LC_ALL=C.UTF-8", "gnuplot", "-d",
                                          "-c",  "plots/style.gp", script};
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
        return base_fail(err, BASE_ERR_INPUT, "'%s' ends with status %d: %s", script, exit_status,
                         text);
    }
    return *text ? base_fail(err, BASE_ERR_INPUT, "'%s' warns: %s", script, text) : BASE_OK;
}
