#include "base/file.h"
#include "base/memory.h"
#include "groundtruth/storage/cache.h"
#include "groundtruth/tetra/tetgen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* To be raised whenever a method may give other bits; test_truth_cache notices most of that. */
static const char *const versions[GT_METHOD_COUNT] = {
    [GT_BVH] = "distance bvh 2",
    [GT_BRUTE] = "distance brute 1",
    [GT_FLUX] = "volume flux 5",
    [GT_TETRA] = "volume tetra 2 " GT_TETGEN_SWITCHES,
};

static int compare(const void *a, const void *b)
{
    const gt_record *const x = a, *const y = b;
    if (x->key.hi != y->key.hi) {
        return x->key.hi < y->key.hi ? -1 : 1;
    }
    return x->key.lo < y->key.lo ? -1 : x->key.lo > y->key.lo;
}

static base_status out_of_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory for the cache of truth");
}

static base_status checksum(const gt_record *record, uint64_t *check, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return out_of_memory(err);
    }
    base_hasher_add(hasher, record, offsetof(gt_record, check));
    *check = base_hasher_finish(hasher).lo;
    return BASE_OK;
}

/** The lock ends when the descriptor is closed. */
static bool lock(int file, int kind)
{
    while (flock(file, kind) != 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static base_status fail(base_error *err, const char *what, const char *path)
{
    return base_fail(err, BASE_ERR_SYSTEM, "cannot %s '%s': %s", what, path, strerror(errno));
}

static base_status make_path(const char *directory, gt_truth_cache *cache, const gt_body *a,
                             const gt_body *b, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return out_of_memory(err);
    }
    base_hasher_add_text(hasher, "pair 2");
    base_hasher_add(hasher, &a->hash, sizeof a->hash);
    base_hasher_add(hasher, &b->hash, sizeof b->hash);
    cache->pair = base_hasher_finish(hasher);
    const base_hash_text name = base_hash_format(cache->pair);
    return base_path_join(directory, name.hex, ".truth", cache->path, sizeof cache->path, err);
}

/** Keeps the good ones of what was read, sorted. */
static base_status keep_good(gt_truth_cache *cache, base_error *err)
{
    size_t good = 0;
    for (size_t i = 0; i < cache->record_count; i++) {
        uint64_t check = 0;
        if (checksum(&cache->records[i], &check, err) != BASE_OK) {
            return BASE_ERR_MEMORY;
        }
        if (check == cache->records[i].check) {
            cache->records[good++] = cache->records[i];
        }
    }
    cache->record_count = good;
    qsort(cache->records, good, sizeof *cache->records, compare);
    return BASE_OK;
}

base_status gt_truth_cache_open(const char *directory, const gt_body *a, const gt_body *b,
                                gt_truth_cache *cache, base_error *err)
{
    *cache = (gt_truth_cache){0};
    base_status status = base_folder_make(directory, err);
    status = status != BASE_OK ? status : make_path(directory, cache, a, b, err);
    if (status != BASE_OK || access(cache->path, F_OK) != 0) {
        return status;
    }
    const int file = open(cache->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || !lock(file, LOCK_SH)) {
        status = fail(err, "read", cache->path);
    } else {
        char *bytes = NULL;
        size_t size = 0;
        status = base_file_read(cache->path, &bytes, &size, err);
        cache->records = (gt_record *)(void *)bytes;
        cache->record_count = size / sizeof *cache->records;
    }
    if (file >= 0) {
        close(file);
    }
    status = status != BASE_OK ? status : keep_good(cache, err);
    if (status != BASE_OK) {
        gt_truth_cache_close(cache);
    }
    return status;
}

void gt_truth_cache_close(gt_truth_cache *cache)
{
    base_free(cache->records);
    cache->records = NULL;
    cache->record_count = 0;
}

base_status gt_record_key(const gt_truth_cache *cache, const geo_pose *pose, gt_method method,
                          base_hash *key, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return out_of_memory(err);
    }
    base_hasher_add_text(hasher, versions[method]);
    base_hasher_add(hasher, &cache->pair, sizeof cache->pair);
    base_hasher_add(hasher, pose, sizeof *pose);
    *key = base_hasher_finish(hasher);
    return BASE_OK;
}

const gt_record *gt_truth_cache_find(const gt_truth_cache *cache, base_hash key)
{
    const gt_record wanted = {.key = key};
    return cache->record_count == 0
               ? NULL
               : bsearch(&wanted, cache->records, cache->record_count, sizeof wanted, compare);
}

base_status gt_truth_cache_append(const gt_truth_cache *cache, gt_record *records, size_t count,
                                  base_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (checksum(&records[i], &records[i].check, err) != BASE_OK) {
            return BASE_ERR_MEMORY;
        }
    }
    const int file = open(cache->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) {
        return fail(err, "write", cache->path);
    }
    struct stat info;
    base_status status = BASE_OK;
    if (!lock(file, LOCK_EX) || fstat(file, &info) != 0) {
        status = fail(err, "lock", cache->path);
        goto done;
    }
    const off_t size = info.st_size - info.st_size % (off_t)sizeof *records;
    if ((size != info.st_size && ftruncate(file, size) != 0) ||
        !base_file_write(file, records, count * sizeof *records) || fsync(file) != 0) {
        status = fail(err, "write", cache->path);
        if (ftruncate(file, size) != 0) {
            status = fail(err, "mend", cache->path);
        }
    }
done:
    close(file);
    return status;
}
