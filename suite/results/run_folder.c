#include "suite/results/run_folder.h"

#include "base/file.h"
#include "scenarios/experiment.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/results/reference.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/** Makes the folder `out`, or accepts an existing empty one. */
static base_status make_given_directory(const char *out, char path[BENCH_RUN_FOLDER_BYTES],
                                        base_error *err)
{
    char inside[BENCH_RUN_FOLDER_BYTES + 2];
    if ((size_t)snprintf(path, BENCH_RUN_FOLDER_BYTES, "%s", out) >= BENCH_RUN_FOLDER_BYTES) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--out '%.40s...' is too long", out);
    }
    snprintf(inside, sizeof inside, "%s/", path);
    const base_status status = base_folder_make_parents(inside, err);
    if (status != BASE_OK) {
        return status;
    }
    DIR *const folder = opendir(path);
    if (!folder) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot open folder '%s': %s", path,
                         strerror(errno));
    }
    size_t entries = 0;
    for (const struct dirent *d = readdir(folder); d; d = readdir(folder)) {
        entries += strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
    }
    closedir(folder);
    return entries == 0 ? BASE_OK
                        : base_fail(err, BASE_ERR_ARGUMENT,
                                    "folder '%s' is not empty: choose another --out", path);
}

/** True for "-2" and so on. */
static bool is_number(const char *text)
{
    const size_t digits = text[0] == '-' ? strspn(text + 1, "0123456789") : 0;
    return digits > 0 && !text[1 + digits];
}

/** Returns the length of NAME in "results/NAME-YYYYMMDD-HHMMSS", also with "-N" at its end; 0 for
 * other paths. */
static size_t stamped_name_length(const char *path)
{
    static const char folder[] = "results/", stamp[] = "-dddddddd-dddddd";
    const char *const name = path + sizeof folder - 1;
    if (strncmp(path, folder, sizeof folder - 1) != 0) {
        return 0;
    }
    for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
        size_t same = 0;
        while (stamp[same] && (stamp[same] == 'd' ? isdigit((unsigned char)at[same]) != 0
                                                  : at[same] == stamp[same])) {
            same++;
        }
        const char *const rest = at + same;
        if (!stamp[same] && (!*rest || is_number(rest))) {
            return (size_t)(at - name);
        }
    }
    return 0;
}

void bench_run_link(const char *path, bool replace)
{
    char link[BENCH_RUN_FOLDER_BYTES];
    struct stat old;
    const size_t length = stamped_name_length(path);
    if (length == 0) {
        return;
    }
    snprintf(link, sizeof link, "results/%.*s", (int)length, path + strlen("results/"));
    if (lstat(link, &old) == 0 && S_ISLNK(old.st_mode)) {
        if (!replace) {
            return;
        }
        unlink(link);
    }
    if (symlink(path + strlen("results/"), link) != 0) {
        bench_warn("cannot link '%s' to '%s': %s", link, path, strerror(errno));
    }
}

/** Makes results/NAME-TIME. A number is appended if several runs start in the same second. */
static base_status make_stamped_directory(const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                                          base_error *err)
{
    char stamp[32];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", gmtime_r(&now, &utc));
    const base_status status = base_folder_make_parents("results/", err);
    if (status != BASE_OK) {
        return status;
    }
    int length = snprintf(path, BENCH_RUN_FOLDER_BYTES, "results/%s-%s", name, stamp);
    for (int again = 2; length < BENCH_RUN_FOLDER_BYTES && mkdir(path, 0777) != 0; again++) {
        if (errno != EEXIST) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot make folder '%s': %s", path,
                             strerror(errno));
        }
        length = snprintf(path, BENCH_RUN_FOLDER_BYTES, "results/%s-%s-%d", name, stamp, again);
    }
    if (length >= BENCH_RUN_FOLDER_BYTES) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the experiment's name is too long for a folder");
    }
    return BASE_OK;
}

base_status bench_run_folder(const char *out, const char *name, char path[BENCH_RUN_FOLDER_BYTES],
                             base_error *err)
{
    return out ? make_given_directory(out, path, err) : make_stamped_directory(name, path, err);
}

/**
 * The file that this process has locked; the descriptor is -1 without a lock. The path is absolute,
 * because --resume changes the working directory.
 */
static struct {
    char path[PATH_MAX];
    int descriptor;
} claim = {.descriptor = -1};

base_status bench_run_claim(const char *folder, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    const base_status status = bench_run_file(folder, path, err, BENCH_RUN_LOCK);
    if (status != BASE_OK) {
        return status;
    }
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* stays open until the
                                                                        process ends */
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file >= 0 && fcntl(file, F_SETLK, &whole) == 0) {
        claim.descriptor = realpath(path, claim.path) ? file : -1;
        return BASE_OK;
    }
    const int reason = errno;
    if (file < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(reason));
    }
    if (reason != EACCES && reason != EAGAIN) {
        bench_warn("cannot lock '%s': %s; do not resume this run while it goes on", path,
                   strerror(reason));
        return BASE_OK;
    }
    const bool known = fcntl(file, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    close(file);
    return known ? base_fail(err, BASE_ERR_INPUT,
                             "process %ld is at work in '%s': wait until it ends",
                             (long)whole.l_pid, folder)
                 : base_fail(err, BASE_ERR_INPUT, "another process is at work in '%s'", folder);
}

base_status bench_run_check_claim(base_error *err)
{
    struct stat locked, there;
    if (claim.descriptor < 0 ||
        (fstat(claim.descriptor, &locked) == 0 && stat(claim.path, &there) == 0 &&
         locked.st_dev == there.st_dev && locked.st_ino == there.st_ino)) {
        return BASE_OK;
    }
    return base_fail(
        err, BASE_ERR_SYSTEM,
        "'%s' does not exist any more: the folder was removed or moved during the run, "
        "and its results are lost",
        claim.path);
}

/**
 * True if the folder contains a run. A run has a manifest from its beginning; runs of older
 * versions may have only cells.csv.
 */
static bool holds_run(const char *folder)
{
    static const bench_file_id files[] = {BENCH_FILE_MANIFEST, BENCH_FILE_CELLS};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[BENCH_RUN_PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", folder, bench_files[files[i]].name);
        if (access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

base_status bench_run_find(const char *run, char path[BENCH_RUN_FOLDER_BYTES], base_error *err)
{
    static const char *const folders[] = {"", "results/"};
    char found[BENCH_RUN_FOLDER_BYTES] = "";
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct stat folder;
        const int length = snprintf(path, BENCH_RUN_FOLDER_BYTES, "%s%s", folders[i], run);
        if (length >= BENCH_RUN_FOLDER_BYTES || stat(path, &folder) != 0 ||
            !S_ISDIR(folder.st_mode)) {
            continue;
        }
        if (holds_run(path)) {
            return BASE_OK;
        }
        if (!*found) {
            snprintf(found, sizeof found, "%s", path);
        }
    }
    if (*found) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' is no run: neither manifest.csv nor cells.csv is in it; "
                         "'proxbench run EXPERIMENT --out DIR' makes one",
                         found);
    }
    if (bench_experiment_exists(run)) {
        return base_fail(err, BASE_ERR_INPUT, "no run '%s' yet: run it first: proxbench run %s",
                         run, run);
    }
    return base_fail(err, BASE_ERR_INPUT, "no run '%s': neither '%s' nor 'results/%s' is a folder",
                     run, run, run);
}

/**
 * Checks that the entry at `path` is a folder (if `folder`) or else a regular file, and not a link.
 * A missing entry is valid.
 */
static base_status check_entry(const char *path, bool folder, base_error *err)
{
    struct stat entry;
    if (lstat(path, &entry) != 0) {
        return errno == ENOENT
                   ? BASE_OK
                   : base_fail(err, BASE_ERR_SYSTEM, "cannot open '%s': %s", path, strerror(errno));
    }
    if (S_ISLNK(entry.st_mode)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' is a link: files of a run are in its own folder", path);
    }
    if (folder ? !S_ISDIR(entry.st_mode) : !S_ISREG(entry.st_mode)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' is not a %s", path,
                         folder ? "folder" : "plain file");
    }
    return BASE_OK;
}

base_status bench_run_file(const char *folder, char path[BENCH_RUN_PATH_BYTES], base_error *err,
                           const char *format, ...)
{
    const int begin = snprintf(path, BENCH_RUN_PATH_BYTES, "%s/", folder);
    int length = begin;
    if (begin < BENCH_RUN_PATH_BYTES) {
        va_list arguments;
        va_start(arguments, format);
        length +=
            vsnprintf(path + begin, (size_t)(BENCH_RUN_PATH_BYTES - begin), format, arguments);
        va_end(arguments);
    }
    if (length >= BENCH_RUN_PATH_BYTES) {
        return base_fail(err, BASE_ERR_ARGUMENT, "path of %d bytes is too long", length);
    }
    for (char *slash = strchr(path + begin, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const base_status status = check_entry(path, true, err);
        *slash = '/';
        if (status != BASE_OK) {
            return status;
        }
    }
    return check_entry(path, false, err);
}

/* --- Names ------------------------------------------------------------------------------------ */

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static bool is_word(const char *text, const char *letters)
{
    return *text && !text[strspn(text, letters)];
}

/** Moves *text after a word of these letters. Returns false if there is no such word. */
static bool skip_word(const char **text, const char *letters)
{
    const size_t length = strspn(*text, letters);
    *text += length;
    return length > 0;
}

/** Moves *text after the character c, if it is there. */
static bool skip(const char **text, char c)
{
    const bool there = **text == c;
    *text += there;
    return there;
}

/**
 * True if the text has the form of a contestant's name. alg_variant_parse cannot check it, because
 * it knows only the algorithms registered here and not all plug-ins.
 */
static bool is_contestant(const char *text)
{
    static const char word[] = LOWER DIGITS "-", value[] = LOWER UPPER DIGITS "._+-";
    if (strlen(text) >= BENCH_CONTESTANT_NAME_BYTES || !skip_word(&text, word)) {
        return false;
    }
    for (bool more = skip(&text, ':'); more; more = skip(&text, ',')) {
        if (!skip_word(&text, word) || !skip(&text, '=') || !skip_word(&text, value)) {
            return false;
        }
    }
    return !*text || (skip(&text, '@') && is_word(text, LOWER));
}

const char *bench_name_fault(bench_name_kind kind, const char *text)
{
    /* Prefixes of sections about one contestant. */
    static const char *const about[] = {"plugin ", "variant "};
    switch (kind) {
    case BENCH_NAME_SCENARIO:
        return scn_is_scenario_name(text) ? NULL
                                          : "no name of a scenario ([a-z0-9.-] and '/' between)";
    case BENCH_NAME_CONTESTANT:
        return is_contestant(text) ? NULL : "no name of a variant (name:key=value,...@label)";
    case BENCH_NAME_EXPERIMENT:
        return is_word(text, LOWER DIGITS "-") ? NULL : "no name of an experiment ([a-z0-9-])";
    case BENCH_NAME_SECTION:
        for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
            if (strncmp(text, about[i], strlen(about[i])) == 0) {
                return bench_name_fault(BENCH_NAME_CONTESTANT, text + strlen(about[i]));
            }
        }
        return scn_is_scenario_name(text) ? NULL : "no name of a section ([a-z0-9.-])";
    case BENCH_NAME_KEY:
        break;
    }
    return is_word(text, LOWER UPPER DIGITS "_") ? NULL : "no key ([A-Za-z0-9_])";
}

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
