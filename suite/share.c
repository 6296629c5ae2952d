#include "suite/share.h"

#include "base/file.h"
#include "suite/message.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *bench_share_data = NULL;

/* --- Folders ---------------------------------------------------------------------------------- */

/** The location of a kind of files in the source tree. */
static const struct kind {
    const char *name, *in_tree;
} kinds[] = {
    {"experiments", "scenarios/experiments"},
    {"plots", "plots"},
    {"record", "suite/record"},
    {"reference", "results/reference"},
    {"report", "suite/report"},
    {"examples", "examples"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, FOLDERS_MAX = 5 };

/** Folders, in the order in which they are searched. */
typedef struct folders {
    char items[FOLDERS_MAX][BENCH_SHARE_BYTES];
    size_t count;
} folders;

/** True for a source tree. It must have the experiments: a user's folder may have plots/, too. */
static bool is_tree(const char *folder)
{
    char path[BENCH_SHARE_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, kinds[0].in_tree);
    return access(path, R_OK | X_OK) == 0;
}

static void add_folder(folders *f, const char *folder)
{
    if (folder && *folder && strlen(folder) < BENCH_SHARE_BYTES && f->count < FOLDERS_MAX) {
        strcpy(f->items[f->count++], folder);
    }
}

/**
 * Checks that folders named by the user exist, so that a typing error does not silently select
 * other files.
 */
static base_status check_named(base_error *err)
{
    const char *const set = getenv("PROXBENCH_DATA");
    const struct {
        const char *folder, *by;
    } named[] = {
        {bench_share_data, "--data"},
        {set, "PROXBENCH_DATA"},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].folder && *named[i].folder && access(named[i].folder, R_OK | X_OK) != 0) {
            return base_fail(err, BASE_ERR_INPUT, "cannot open folder '%s' of %s: %s",
                             named[i].folder, named[i].by, strerror(errno));
        }
    }
    return BASE_OK;
}

/** Removes the last part of a path. Returns false if there is none. */
static bool go_up(char *folder)
{
    char *const slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash;
}

static void list_folders(folders *f)
{
    char folder[BENCH_SHARE_BYTES], share[BENCH_SHARE_BYTES + 32];
    f->count = 0;
    add_folder(f, bench_share_data);
    add_folder(f, getenv("PROXBENCH_DATA"));
    if (is_tree(".")) {
        add_folder(f, ".");
    }
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    if (!go_up(folder) || !go_up(folder)) {
        return;
    }
    snprintf(share, sizeof share, "%s/share/proxbench", folder); /* of PREFIX/bin/proxbench */
    if (go_up(folder) && is_tree(folder)) { /* of TREE/build/CONFIG/proxbench */
        add_folder(f, folder);
    }
    add_folder(f, share);
}

/* --- Files ------------------------------------------------------------------------------------ */

/**
 * Finds FOLDER/KIND in one of the two layouts. The path omits the current folder, because it is
 * shown to the user.
 */
static bool find_kind(const char *folder, const struct kind *kind, char path[BENCH_SHARE_BYTES])
{
    const char *const layouts[] = {kind->name, kind->in_tree};
    const bool here = strcmp(folder, ".") == 0;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const int length = snprintf(path, BENCH_SHARE_BYTES, "%s%s%s", here ? "" : folder,
                                    here ? "" : "/", layouts[i]);
        if (length < BENCH_SHARE_BYTES && access(path, R_OK | X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/** Finds the folder of the kind of a file: the part of `name` before '/'. */
static base_status find_folder(const char *name, char path[BENCH_SHARE_BYTES], base_error *err)
{
    folders f;
    const base_status named = check_named(err);
    if (named != BASE_OK) {
        return named;
    }
    list_folders(&f);
    const struct kind *kind = NULL;
    for (size_t i = 0; i < KINDS; i++) {
        const size_t length = strcspn(name, "/");
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, name, length) == 0) {
            kind = &kinds[i];
        }
    }
    char searched[2 * BENCH_SHARE_BYTES] = "";
    size_t used = 0;
    for (size_t i = 0; kind && i < f.count; i++) {
        if (find_kind(f.items[i], kind, path)) {
            return BASE_OK;
        }
        if (used < sizeof searched) {
            used += (size_t)snprintf(searched + used, sizeof searched - used, "%s'%s'",
                                     i > 0 ? ", " : "", f.items[i]);
        }
    }
    return base_fail(err, BASE_ERR_INPUT,
                     "there is no '%s' in %s; --data or PROXBENCH_DATA can name a source tree, or "
                     "share/proxbench of an installed one",
                     name, searched);
}

base_status bench_share_path(const char *name, char path[BENCH_SHARE_BYTES], base_error *err)
{
    const base_status status = find_folder(name, path, err);
    if (status != BASE_OK) {
        return status;
    }
    const size_t used = strlen(path);
    const int length = snprintf(path + used, BENCH_SHARE_BYTES - used, "%s", strchr(name, '/'));
    return (size_t)length < BENCH_SHARE_BYTES - used && access(path, R_OK) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "there is no '%s'", path);
}

/* --- Names ------------------------------------------------------------------------------------ */

base_status bench_share_names(const char *kind, const char *ending, base_arena *arena,
                              const char ***names, base_error *err)
{
    char pattern[BENCH_SHARE_BYTES + 64], folder[BENCH_SHARE_BYTES];
    glob_t files = {0};
    *names = NULL;
    base_status status = find_folder(kind, folder, err);
    if (status != BASE_OK) {
        return status;
    }
    snprintf(pattern, sizeof pattern, "%s/*%s", folder, ending);
    const int missing = glob(pattern, 0, NULL, &files);
    status = missing == 0 || missing == GLOB_NOMATCH
                 ? BASE_OK
                 : base_fail(err, BASE_ERR_SYSTEM, "cannot list the files in '%s'", folder);
    if (status == BASE_OK) {
        /* In the order of glob, which sorts them. "bench" is the name of "FOLDER/bench.cfg". */
        const char **const copies = base_arena_alloc(arena, files.gl_pathc + 1, sizeof *copies);
        bool kept = copies;
        for (size_t i = 0; i < files.gl_pathc && kept; i++) {
            char *const name = base_arena_text(arena, strrchr(files.gl_pathv[i], '/') + 1);
            kept = name;
            if (name) {
                name[strlen(name) - strlen(ending)] = '\0';
            }
            copies[i] = name;
        }
        *names = kept ? copies : NULL;
        status = kept ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    globfree(&files);
    return status;
}

/* --- Cache ------------------------------------------------------------------------------------ */

/** Returns the folder of the cache, or NULL if there is none. */
static const char *name_cache(const char *asked)
{
    static char path[BENCH_SHARE_BYTES];
    static const struct {
        const char *variable, *below;
    } homes[] = {
        {"XDG_CACHE_HOME", "proxbench"},
        {"HOME", ".cache/proxbench"},
    };
    if (asked || is_tree(".")) {
        return asked ? asked : "groundtruth/cache";
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *const home = getenv(homes[i].variable);
        /* The XDG specification says that a relative path in the variable is ignored. */
        if (home && *home == '/' &&
            snprintf(path, sizeof path, "%s/%s", home, homes[i].below) < (int)sizeof path) {
            return path;
        }
    }
    return NULL;
}

/**
 * Checks that the folder is writable by creating a file. Permissions alone do not show a file
 * system that is mounted read-only.
 */
static base_status try_cache(const char *directory, base_error *err)
{
    char path[BENCH_SHARE_BYTES];
    base_status status = base_folder_make(directory, err);
    if (status == BASE_OK) {
        status = base_path_join(directory, "probe-XXXXXX", "", path, sizeof path, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const int file = mkstemp(path);
    if (file < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write in '%s': %s", directory,
                         strerror(errno));
    }
    close(file);
    unlink(path);
    return BASE_OK;
}

const char *bench_cache_directory(const char *asked)
{
    const char *const directory = name_cache(asked);
    base_error err;
    if (directory && try_cache(directory, &err) != BASE_OK) {
        bench_warn("no cache is used: %s (--cache DIR names another folder; --no-cache avoids "
                   "this warning)",
                   err.text);
        return NULL;
    }
    return directory;
}
