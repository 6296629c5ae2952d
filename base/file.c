#include "base/file.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Greatest size of a file. The limit ends the reading of an endless pipe. */
#define FILE_SIZE_MAX ((size_t)4 << 30)

static base_status fail(base_error *err, const char *what, const char *path)
{
    return base_fail(err, BASE_ERR_SYSTEM, "cannot %s '%s': %s", what, path, strerror(errno));
}

base_status base_path_join(const char *folder, const char *name, const char *ending, char *path,
                           size_t size, base_error *err)
{
    const int length = snprintf(path, size, "%s/%s%s", folder, name, ending);
    if (length < 0 || (size_t)length >= size) {
        return base_fail(err, BASE_ERR_SYSTEM, "the name '%s/%s%s' is too long", folder, name,
                         ending);
    }
    return BASE_OK;
}

base_status base_path_between(const char *from, const char *to, char *path, size_t size,
                              base_error *err)
{
    char begin[PATH_MAX], end[PATH_MAX];
    if (!realpath(from, begin) || !realpath(to, end)) {
        return base_fail(err, BASE_ERR_SYSTEM, "no path from '%s' to '%s': %s", from, to,
                         strerror(errno));
    }
    size_t shared = 0; /* number of characters up to the end of the last part that both paths
                        * share */
    for (size_t i = 0; begin[i] == end[i] || !begin[i] || !end[i]; i++) {
        if (strchr("/", begin[i]) && strchr("/", end[i])) {
            shared = i;
        }
        if (!begin[i] || !end[i]) {
            break;
        }
    }
    size_t used = (size_t)snprintf(path, size, ".");
    for (const char *up = begin + shared; *up && used < size; up++) {
        used += *up == '/' && up[1] ? (size_t)snprintf(path + used, size - used, "/..") : 0;
    }
    const char *const down = end + shared + (end[shared] == '/');
    used += used < size && *down ? (size_t)snprintf(path + used, size - used, "/%s", down) : 0;
    return used < size ? BASE_OK
                       : base_fail(err, BASE_ERR_SYSTEM, "the path from '%s' to '%s' is too long",
                                   from, to);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** Reads to the end of the file; a NUL follows the data. */
static base_status read_all(int file, const char *path, char **bytes, size_t *size, base_error *err)
{
    struct stat info;
    if (fstat(file, &info) != 0) {
        return fail(err, "read", path);
    }
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': a device, not a file", path);
    }
    /* Room for one byte more than the file has, so that its end is found without growing, and for
     * the NUL. */
    const size_t expected = S_ISREG(info.st_mode) ? (size_t)info.st_size + 2 : 1 << 16;
    size_t capacity = 0;
    for (;;) {
        base_status status = BASE_OK;
        if (*size + 2 > capacity) {
            status = base_reserve(*bytes, capacity, *size ? *size + 2 : expected, err);
        }
        if (status != BASE_OK) {
            return base_fail(err, status, "out of memory for '%s'", path);
        }
        const ssize_t got = read(file, *bytes + *size, capacity - *size - 1);
        if (got == 0) {
            (*bytes)[*size] = '\0';
            return BASE_OK;
        }
        if (got < 0 && errno != EINTR) {
            return fail(err, "read", path);
        }
        *size += got > 0 ? (size_t)got : 0;
        if (*size > FILE_SIZE_MAX) {
            return base_fail(err, BASE_ERR_INPUT, "'%s': larger than 4 GiB", path);
        }
    }
}

base_status base_file_read(const char *path, char **bytes, size_t *size, base_error *err)
{
    *bytes = NULL;
    *size = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail(err, "open", path);
    }
    const base_status status = read_all(file, path, bytes, size, err);
    close(file);
    if (status != BASE_OK) {
        base_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

base_status base_file_hash(const char *path, base_hash *hash, base_error *err)
{
    FILE *const file = fopen(path, "re");
    if (!file) {
        return base_fail(err, BASE_ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    }
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        fclose(file);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    char bytes[1 << 16];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        base_hasher_add(hasher, bytes, got);
    }
    const bool failed = ferror(file);
    fclose(file);
    *hash = base_hasher_finish(hasher);
    return failed ? base_fail(err, BASE_ERR_INPUT, "cannot read '%s'", path) : BASE_OK;
}

/* --- Writing ---------------------------------------------------------------------------------- */

bool base_file_write(int file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    return true;
}

/**
 * Removes the file if its writer was killed. A writer holds a lock until it closes the file, and
 * the system releases the lock of a killed process. If the name is that of a pipe, opening it does
 * not wait for a reader.
 */
static void remove_abandoned(int folder, const char *name)
{
    const int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        unlinkat(folder, name, 0);
    }
    close(file);
}

/** True if `name` has the form used by open_temporary, "BASE.PROCESS-NUMBER.tmp". */
static bool is_temporary_of(const char *name, const char *base)
{
    static const char digits[] = "0123456789";
    const size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.') {
        return false;
    }
    const char *const process = name + length + 1;
    const size_t first = strspn(process, digits);
    if (first == 0 || process[first] != '-') {
        return false;
    }
    const char *const number = process + first + 1;
    const size_t second = strspn(number, digits);
    return second > 0 && strcmp(number + second, ".tmp") == 0;
}

/** Removes the files that killed processes left when they wrote `path`. */
static void remove_all_abandoned(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    if (slash) {
        snprintf(folder, sizeof folder, "%.*s", (int)(base - path), path);
    }
    DIR *const entries = opendir(folder);
    for (struct dirent *e; entries && (e = readdir(entries));) {
        if (is_temporary_of(e->d_name, base)) {
            remove_abandoned(dirfd(entries), e->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

/** Creates and locks a new file beside `path`. */
static FILE *open_temporary(const char *path, char *temporary, size_t size)
{
    remove_all_abandoned(path);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(temporary, size, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) {
            return NULL;
        }
        if (file < 0) {
            continue;
        }
        /* Before the lock, another process may have taken the file for an abandoned one and removed
         * it. If the file system has no locks, flock fails, which is harmless: remove_abandoned
         * removes no file there. */
        struct stat info;
        flock(file, LOCK_EX);
        if (fstat(file, &info) == 0 && info.st_nlink > 0) {
            return fdopen(file, "w");
        }
        close(file);
    }
    return NULL;
}

base_status base_output_open(const char *path, base_output *output, base_error *err)
{
    *output = (base_output){.path = path};
    struct stat existing;
    if (stat(path, &existing) == 0 && !S_ISREG(existing.st_mode)) {
        output->file = fopen(path, "we");
    } else {
        const base_status status = base_folder_make_parents(path, err);
        if (status != BASE_OK) {
            return status;
        }
        const size_t size = strlen(path) + 48;
        output->temporary = base_alloc(size, 1);
        if (!output->temporary) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
        output->file = open_temporary(path, output->temporary, size);
    }
    if (!output->file) {
        const int reason = errno;
        base_free(output->temporary);
        output->temporary = NULL;
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(reason));
    }
    return BASE_OK;
}

bool base_stream_flush(FILE *file, bool sync)
{
    errno = 0;
    return fflush(file) == 0 && !ferror(file) && (!sync || fsync(fileno(file)) == 0);
}

base_status base_output_close(base_output *output, base_status written, base_error *err)
{
    const bool wanted = written == BASE_OK;
    bool good = base_stream_flush(output->file, output->temporary && wanted);
    int reason = errno;
    /* The file, which is synced, is renamed before it is closed, because closing releases the
     * lock. */
    if (output->temporary && wanted && good && rename(output->temporary, output->path) != 0) {
        good = false;
        reason = errno;
    }
    if (fclose(output->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (output->temporary && !(wanted && good)) {
        remove(output->temporary);
    }
    base_free(output->temporary);
    *output = (base_output){.path = output->path};
    if (wanted && !good) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", output->path,
                         reason ? strerror(reason) : "output was lost");
    }
    return written;
}

base_status base_file_replace(const char *path, const void *bytes, size_t size, base_error *err)
{
    base_output output;
    const base_status status = base_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    /* Lost data are detected when the stream is closed. */
    (void)fwrite(bytes, 1, size, output.file);
    return base_output_close(&output, BASE_OK, err);
}

/* --- Folders ---------------------------------------------------------------------------------- */

/** Creates a folder for each '/' after the first character of the path: the path up to the '/'. */
base_status base_folder_make_parents(const char *path, base_error *err)
{
    char folder[PATH_MAX];
    if (strlen(path) >= sizeof folder) {
        return base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
    }
    if (!*path) {
        return BASE_OK;
    }
    strcpy(folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            return fail(err, "make folder", folder);
        }
        *slash = '/';
    }
    return BASE_OK;
}

base_status base_folder_make(const char *path, base_error *err)
{
    const base_status status = base_folder_make_parents(path, err);
    if (status != BASE_OK) {
        return status;
    }
    struct stat info;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return fail(err, "make folder", path);
    }
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return base_fail(err, BASE_ERR_SYSTEM, "'%s' is not a folder", path);
    }
    return BASE_OK;
}

void base_folder_remove(const char *path)
{
    DIR *const folder = opendir(path);
    if (folder) {
        for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
                unlinkat(dirfd(folder), e->d_name, 0);
            }
        }
        closedir(folder);
    }
    rmdir(path);
}
