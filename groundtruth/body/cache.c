#include "groundtruth/body/cache.h"

#include "base/file.h"
#include "base/memory.h"
#include "groundtruth/body/tetgen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Tetrahedra ------------------------------------------------------------------------------- */

/* Version of the file layout and of the processing of TetGen's result. */
#define VERSION "tetrahedra 1"

typedef struct header {
    base_hash key; /* hash of the version, TetGen's switches and the body; it also detects a
                    * different byte order */
    uint64_t added_count, count;
} header;

/** Size in bytes of a file: header, added vertices, corners, hash of everything before. */
static size_t file_size(const header *h)
{
    return sizeof *h + h->added_count * sizeof(vec3) + h->count * sizeof(gt_corners) +
           sizeof(base_hash);
}

static base_status make_key(const gt_body *body, base_hash *key, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a hash");
    }
    base_hasher_add_text(hasher, VERSION);
    base_hasher_add_text(hasher, GT_TETGEN_SWITCHES);
    base_hasher_add(hasher, &body->hash, sizeof body->hash);
    *key = base_hasher_finish(hasher);
    return BASE_OK;
}

static bool hash_bytes(const void *bytes, size_t size, base_hash *hash)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return false;
    }
    base_hasher_add(hasher, bytes, size);
    *hash = base_hasher_finish(hasher);
    return true;
}

static bool same_hash(base_hash a, base_hash b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

/** True if the bytes are the whole, undamaged file for the key. */
static bool intact(const char *bytes, size_t size, base_hash key, header *h)
{
    if (size < sizeof *h + sizeof(base_hash)) {
        return false;
    }
    memcpy(h, bytes, sizeof *h);
    const uint64_t most = UINT32_MAX;
    if (!same_hash(h->key, key) || h->added_count > most || h->count > most ||
        size != file_size(h)) {
        return false;
    }
    base_hash stored, found;
    memcpy(&stored, bytes + size - sizeof stored, sizeof stored);
    return hash_bytes(bytes, size - sizeof stored, &found) && same_hash(stored, found);
}

static bool unpack(const char *bytes, const header *h, const geo_mesh *mesh,
                   gt_tetrahedra *tetrahedra)
{
    const size_t n = mesh->vertex_count;
    tetrahedra->vertex_count = n + h->added_count;
    tetrahedra->count = h->count;
    tetrahedra->vertices = base_alloc(tetrahedra->vertex_count, sizeof *tetrahedra->vertices);
    tetrahedra->corners = base_alloc(tetrahedra->count, sizeof *tetrahedra->corners);
    if (!tetrahedra->vertices || !tetrahedra->corners) {
        return false;
    }
    const char *const added = bytes + sizeof *h;
    const char *const corners = added + h->added_count * sizeof(vec3);
    memcpy(tetrahedra->vertices, mesh->vertices, n * sizeof(vec3));
    memcpy(tetrahedra->vertices + n, added, h->added_count * sizeof(vec3));
    memcpy(tetrahedra->corners, corners, h->count * sizeof(gt_corners));
    return true;
}

static base_status tetrahedra_path(const char *directory, base_hash key, char path[PATH_MAX],
                                   base_error *err)
{
    const base_hash_text name = base_hash_format(key);
    return base_path_join(directory, name.hex, ".tetra", path, PATH_MAX, err);
}

bool gt_cache_load(const char *directory, const gt_body *body, gt_tetrahedra *tetrahedra)
{
    char path[PATH_MAX];
    base_hash key;
    char *bytes = NULL;
    size_t size;
    header h;
    *tetrahedra = (gt_tetrahedra){0};
    bool good = make_key(body, &key, NULL) == BASE_OK &&
                tetrahedra_path(directory, key, path, NULL) == BASE_OK &&
                base_file_read(path, &bytes, &size, NULL) == BASE_OK;
    good = good && intact(bytes, size, key, &h) && unpack(bytes, &h, body->mesh, tetrahedra);
    if (!good) {
        gt_tetrahedra_release(tetrahedra);
    }
    base_free(bytes);
    return good;
}

base_status gt_cache_store(const char *directory, const gt_body *body,
                           const gt_tetrahedra *tetrahedra, base_error *err)
{
    char path[PATH_MAX];
    header h = {.added_count = tetrahedra->vertex_count - body->mesh->vertex_count,
                .count = tetrahedra->count};
    base_status status = base_folder_make(directory, err);
    if (status != BASE_OK) {
        return status;
    }
    status = make_key(body, &h.key, err);
    if (status != BASE_OK) {
        return status;
    }
    status = tetrahedra_path(directory, h.key, path, err);
    if (status != BASE_OK) {
        return status;
    }
    const size_t size = file_size(&h);
    char *const bytes = base_alloc(size, 1);
    if (!bytes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra",
                         tetrahedra->count);
    }
    char *const added = bytes + sizeof h;
    char *const corners = added + h.added_count * sizeof(vec3);
    char *const check = bytes + size - sizeof(base_hash);
    memcpy(bytes, &h, sizeof h);
    memcpy(added, tetrahedra->vertices + body->mesh->vertex_count, h.added_count * sizeof(vec3));
    memcpy(corners, tetrahedra->corners, h.count * sizeof(gt_corners));
    base_hash hash;
    if (hash_bytes(bytes, size - sizeof hash, &hash)) {
        memcpy(check, &hash, sizeof hash);
        status = base_file_replace(path, bytes, size, err);
    } else {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a hash");
    }
    base_free(bytes);
    return status;
}

/* --- Truths ----------------------------------------------------------------------------------- */

/* Increase a version whenever its method may return other bits; test_cache detects most
 * changes. */
#define BVH_VERSION           "distance bvh 3"
#define FLUX_VERSION          "volume flux 7"
#define DEPTH_SURFACE_VERSION "depth surface 3, " FLUX_VERSION
#define DEPTH_CELLS_VERSION   "depth cells 3, " GT_TETGEN_SWITCHES
static const char *const versions[GT_METHOD_COUNT] = {
    [GT_BVH] = BVH_VERSION,
    [GT_BRUTE] = "distance brute 2",
    [GT_FLUX] = FLUX_VERSION,
    [GT_TETRA] = "volume tetra 3 " GT_TETGEN_SWITCHES,
    [GT_TREE] = "pairs tree 1",
    [GT_ALL_PAIRS] = "pairs all 1",
    [GT_HULL] = "depth hull 2",
    [GT_EDGES] = "depth edges 1",
    [GT_PLACES] = "depth places 4, " BVH_VERSION,
    [GT_DEPTH_SURFACE] = DEPTH_SURFACE_VERSION,
    [GT_DEPTH_SURFACE_EXCHANGED] = "exchanged " DEPTH_SURFACE_VERSION,
    [GT_DEPTH_CELLS] = DEPTH_CELLS_VERSION,
    [GT_DEPTH_CELLS_EXCHANGED] = "exchanged " DEPTH_CELLS_VERSION,
};
#define ESCAPE_VERSION "escape 1, " BVH_VERSION ", " FLUX_VERSION
#define WINDOW_VERSION "window 1"

/* Version of the record layout; files of another layout have other names. */
#define TRUTH_VERSION "pair 3"
_Static_assert(sizeof(gt_record) == 112, "a record has no gaps, which its check would read");

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

/** Locks the file. The lock ends when the descriptor is closed. */
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

static base_status truth_path(const char *directory, gt_truth_cache *cache, const gt_body *a,
                              const gt_body *b, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return out_of_memory(err);
    }
    base_hasher_add_text(hasher, TRUTH_VERSION);
    base_hasher_add(hasher, &a->hash, sizeof a->hash);
    base_hasher_add(hasher, &b->hash, sizeof b->hash);
    cache->pair = base_hasher_finish(hasher);
    const base_hash_text name = base_hash_format(cache->pair);
    return base_path_join(directory, name.hex, ".truth", cache->path, sizeof cache->path, err);
}

/** Keeps the records whose check is right, and sorts them. */
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
    if (status != BASE_OK) {
        return status;
    }
    status = truth_path(directory, cache, a, b, err);
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
    if (status == BASE_OK) {
        status = keep_good(cache, err);
    }
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

/** more: the inputs of the query besides the pose, or NULL. */
static base_status question_key(const gt_truth_cache *cache, const char *version,
                                const geo_pose *pose, const void *more, size_t size, base_hash *key,
                                base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return out_of_memory(err);
    }
    base_hasher_add_text(hasher, version);
    base_hasher_add(hasher, &cache->pair, sizeof cache->pair);
    base_hasher_add(hasher, pose, sizeof *pose);
    base_hasher_add(hasher, more, size);
    *key = base_hasher_finish(hasher);
    return BASE_OK;
}

base_status gt_record_key(const gt_truth_cache *cache, const geo_pose *pose, gt_method method,
                          base_hash *key, base_error *err)
{
    return question_key(cache, versions[method], pose, NULL, 0, key, err);
}

base_status gt_escape_key(const gt_truth_cache *cache, const geo_pose *pose, vec3 direction,
                          double depth_m, base_hash *key, base_error *err)
{
    const double way[4] = {direction.x, direction.y, direction.z, depth_m};
    return question_key(cache, ESCAPE_VERSION, pose, way, sizeof way, key, err);
}

base_status gt_window_key(const gt_truth_cache *cache, const geo_pose *pose,
                          const double numbers[GT_WINDOW_NUMBERS], base_hash *key, base_error *err)
{
    return question_key(cache, WINDOW_VERSION, pose, numbers, GT_WINDOW_NUMBERS * sizeof *numbers,
                        key, err);
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
