#include "suite/results/gnuplot.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/** What a program has printed: files in memory, so that neither waits for the other. */
typedef struct printed {
    int out, err; /* descriptors; -1: none */
    int exit_status;
} printed;

static void printed_release(printed *p)
{
    close(p->out);
    close(p->err);
    *p = (printed){-1, -1, 0};
}

/** The descriptors that a program begins with: no input, and two files in memory. */
static void set_descriptors(posix_spawn_file_actions_t *actions, const printed *p)
{
    posix_spawn_file_actions_init(actions);
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions, p->out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(actions, p->err, STDERR_FILENO);
}

/** Runs a program to its end. After BASE_OK printed_release is due. */
static base_status run_program(const char *const *arguments, size_t count, printed *p,
                               base_error *err)
{
    char *words[BENCH_GNUPLOT_ARGUMENTS + 8] = {NULL};
    base_assert(count < sizeof words / sizeof *words);
    memcpy(words, arguments, count * sizeof *words); /* posix_spawnp only reads them */
    *p = (printed){memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC), 0};
    if (p->out < 0 || p->err < 0) {
        base_fail(err, BASE_ERR_SYSTEM, "cannot make a file in memory: %s", strerror(errno));
        printed_release(p);
        return BASE_ERR_SYSTEM;
    }
    pid_t child;
    posix_spawn_file_actions_t actions;
    set_descriptors(&actions, p);
    const int reason = posix_spawnp(&child, arguments[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (reason != 0) {
        printed_release(p);
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start '%s': %s", arguments[0],
                         strerror(reason));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    p->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return BASE_OK;
}

/** The first bytes as one line: blanks and ends of lines become single blanks. */
static void read_line(int file, char text[BENCH_GNUPLOT_SAID_BYTES])
{
    char buffer[4 * BENCH_GNUPLOT_SAID_BYTES];
    const ssize_t count = pread(file, buffer, sizeof buffer, 0);
    size_t kept = 0;
    for (ssize_t i = 0; i < count && kept < BENCH_GNUPLOT_SAID_BYTES - 1; i++) {
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
    static const char *const ask_version[] = {"gnuplot", "--version"};
    static const char *const ask_fonts[] = {"fc-list", ":", "family"};
    char text[BENCH_GNUPLOT_SAID_BYTES];
    base_error reason;
    printed p;
    if (run_program(ask_version, 2, &p, &reason) != BASE_OK) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "%s: figures need gnuplot (in the source tree 'make deps' installs it; "
                         "elsewhere the package gnuplot-nox or gnuplot)",
                         reason.text);
    }
    read_line(p.out, text);
    bool good = p.exit_status == 0 && strncmp(text, "gnuplot", 7) == 0;
    printed_release(&p);
    if (!good) {
        return base_fail(err, BASE_ERR_SYSTEM, "'gnuplot --version' fails: %s", text);
    }
    const base_status status = run_program(ask_fonts, 3, &p, err);
    if (status != BASE_OK) {
        return status;
    }
    read_line(p.out, text);
    good = p.exit_status == 0 && *text;
    printed_release(&p);
    return good ? BASE_OK
                : base_fail(err, BASE_ERR_SYSTEM,
                            "no font is installed, gnuplot would draw no text: install "
                            "fonts-dejavu-core");
}

base_status bench_gnuplot_path(const char *path, char plain[BENCH_GNUPLOT_PATH_BYTES],
                               base_error *err)
{
    const bool is_plain = isalnum((unsigned char)*path) || *path == '/' || *path == '.';
    const int length =
        snprintf(plain, BENCH_GNUPLOT_PATH_BYTES, "%s%s", is_plain ? "" : "./", path);
    return length < BENCH_GNUPLOT_PATH_BYTES
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
}

base_status bench_gnuplot_draw(const char *path,
                               const char *const arguments[BENCH_GNUPLOT_ARGUMENTS],
                               bench_picture *picture, char said[BENCH_GNUPLOT_SAID_BYTES],
                               base_error *err)
{
    /* The scripts are UTF-8; in another locale a minimal system cannot convert what it prints. What
     * a person has set for all of gnuplot (-d leaves it out) does not belong in figures. */
    const char *command[6 + BENCH_GNUPLOT_ARGUMENTS] = {
        "env", "LC_ALL=C.UTF-8", "gnuplot", "-d", "-c", path};
    memcpy(command + 6, arguments, BENCH_GNUPLOT_ARGUMENTS * sizeof *arguments);
    *picture = (bench_picture){0};
    printed p;
    base_status status = run_program(command, sizeof command / sizeof *command, &p, err);
    if (status != BASE_OK) {
        return status;
    }
    read_line(p.err, said);
    if (p.exit_status != 0) {
        status =
            base_fail(err, BASE_ERR_INPUT, "gnuplot ends with status %d: %s", p.exit_status, said);
    } else {
        status = read_picture(p.out, picture, err);
    }
    printed_release(&p);
    if (status == BASE_OK && picture->size == 0) {
        status = base_fail(err, BASE_ERR_INPUT, "gnuplot draws nothing: %s", said);
    }
    if (status != BASE_OK) {
        base_free(picture->bytes);
        *picture = (bench_picture){0};
    }
    return status;
}
