#include "groundtruth/storage/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static geo_status fail(geo_error *err, const char *what, const char *path)
{
    return geo_fail(err, GEO_ERR_SYSTEM, "cannot %s '%s': %s", what, path, strerror(errno));
}

geo_status gt_path_join(const char *directory, const char *name, const char *ending, char *path,
                        size_t size, geo_error *err)
{
    const int length = snprintf(path, size, "%s/%s%s", directory, name, ending);
    if (length < 0 || (size_t)length >= size) {
        return geo_fail(err, GEO_ERR_SYSTEM, "the name '%s/%s%s' is too long", directory, name,
                        ending);
    }
    return GEO_OK;
}

bool gt_write_all(int file, const void *bytes, size_t size)
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

static bool read_all(int file, char *bytes, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        const ssize_t more = read(file, bytes + *got, size - *got);
        if (more == 0) {
            return true;
        }
        if (more < 0 && errno != EINTR) {
            return false;
        }
        *got += more > 0 ? (size_t)more : 0;
    }
    return true;
}

geo_status gt_file_read(const char *path, char **bytes, size_t *size, geo_error *err)
{
    geo_status status = GEO_OK;
    *bytes = NULL;
    *size = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail(err, "open", path);
    }
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        errno = errno != 0 ? errno : EINVAL;
        status = fail(err, "read", path);
        goto done;
    }
    *bytes = geo_alloc((size_t)info.st_size + 1, 1);
    if (*bytes == NULL) {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for '%s'", path);
        goto done;
    }
    if (!read_all(file, *bytes, (size_t)info.st_size, size)) {
        status = fail(err, "read", path);
    }
done:
    close(file);
    if (status != GEO_OK) {
        geo_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

geo_status gt_file_replace(const char *path, const void *bytes, size_t size, geo_error *err)
{
    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        return geo_fail(err, GEO_ERR_SYSTEM, "the name '%s' is too long", path);
    }
    const int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0) {
        return fail(err, "create", temporary);
    }
    const bool written =
        fchmod(file, 0644) == 0 && gt_write_all(file, bytes, size) && fsync(file) == 0;
    const bool closed = close(file) == 0;
    if (!written || !closed || rename(temporary, path) != 0) {
        const geo_status status = fail(err, "write", path);
        unlink(temporary);
        return status;
    }
    return GEO_OK;
}

geo_status gt_directory_make(const char *path, geo_error *err)
{
    char part[PATH_MAX];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        return geo_fail(err, GEO_ERR_SYSTEM, "'%s' cannot be the name of a directory", path);
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] == '/' || part[i] == '\0') {
            part[i] = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST) {
                return fail(err, "make the directory", part);
            }
            part[i] = path[i];
        }
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return geo_fail(err, GEO_ERR_SYSTEM, "'%s' is not a directory", path);
    }
    return GEO_OK;
}

void gt_directory_remove(const char *path)
{
    DIR *const directory = opendir(path);
    if (directory != NULL) {
        for (struct dirent *e = readdir(directory); e != NULL; e = readdir(directory)) {
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
                unlinkat(dirfd(directory), e->d_name, 0);
            }
        }
        closedir(directory);
    }
    rmdir(path);
}
