#include "suite/figures/gnuplot.h"

#include "base/memory.h"
#include "base/process.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
    static const char *const ask_version[] = {"gnuplot", "--version", NULL};
    static const char *const ask_fonts[] = {"fc-list", ":", "family", NULL};
    char text[BENCH_GNUPLOT_SAID_BYTES];
    base_error reason;
    printed p;
    if (run_program(ask_version, &p, &reason) != BASE_OK) {
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
    const base_status status = run_program(ask_fonts, &p, err);
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
    /* The scripts are UTF-8, and in another locale a minimal system cannot convert their output.
     * -d skips the user's own gnuplot settings, which must not affect figures. */
    const char *command[6 + BENCH_GNUPLOT_ARGUMENTS + 1] = {
        "env", "LC_ALL=C.UTF-8", "gnuplot", "-d", "-c", path};
    memcpy(command + 6, arguments, BENCH_GNUPLOT_ARGUMENTS * sizeof *arguments);
    *picture = (bench_picture){0};
    printed p;
    base_status status = run_program(command, &p, err);
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
