/** Bounds the folder in which prepared bodies are kept. */
#include "base/memory.h"
#include "suite/inputs/prepared.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".body";

/** Of what is still being written: its name goes on behind the ending. */
static const time_t abandoned_s = 3600;

typedef struct kept_file {
    char name[80];
    uint64_t bytes;
    struct timespec used;
} kept_file;

typedef struct kept_files {
    kept_file *items; /* owned */
    size_t count, capacity;
    uint64_t bytes;
} kept_files;

static int by_use(const void *a, const void *b)
{
    const kept_file *const x = a, *const y = b;
    if (x->used.tv_sec != y->used.tv_sec) {
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    }
    if (x->used.tv_nsec != y->used.tv_nsec) {
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/** Notes one file, or removes it when somebody has left it half written. */
static void look_at(int directory, const char *name, kept_files *files)
{
    const char *const end = strstr(name, ending);
    struct stat info;
    if (!end || strlen(name) >= sizeof files->items->name ||
        fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) {
        return;
    }
    if (strcmp(end, ending) != 0) {
        if (info.st_mtim.tv_sec < time(NULL) - abandoned_s) {
            unlinkat(directory, name, 0);
        }
        return;
    }
    base_error err;
    void *items = files->items;
    if (base_grow(&items, &files->capacity, files->count + 1, sizeof *files->items, &err) ==
        BASE_OK) {
        files->items = items;
        kept_file *const file = &files->items[files->count++];
        *file = (kept_file){.bytes = (uint64_t)info.st_size, .used = info.st_mtim};
        memcpy(file->name, name, strlen(name) + 1);
        files->bytes += file->bytes;
    }
}

void bench_bodies_prune(const char *directory, uint64_t bytes_most)
{
    DIR *const folder = opendir(directory);
    kept_files files = {0};
    if (!folder) {
        return;
    }
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        look_at(dirfd(folder), e->d_name, &files);
    }
    if (files.bytes > bytes_most) {
        qsort(files.items, files.count, sizeof *files.items, by_use);
    }
    for (size_t i = 0; i < files.count && files.bytes > bytes_most; i++) {
        unlinkat(dirfd(folder), files.items[i].name, 0);
        files.bytes -= files.items[i].bytes;
    }
    base_free(files.items);
    closedir(folder);
}
