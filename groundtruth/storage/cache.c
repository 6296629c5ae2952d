#include "groundtruth/storage/cache.h"

#include "base/file.h"
#include "base/memory.h"
#include "groundtruth/tetra/tetgen.h"

#include <limits.h>
#include <string.h>

/* Of the file's layout and of what is done to TetGen's result. */
#define VERSION "tetrahedra 1"

typedef struct header {
    base_hash key; /* of the body and the version: also tells the byte order */
    uint64_t added_count, count;
} header;

/** Header, added vertices, corners, hash of all before: a file of `size` bytes. */
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

/** Is it the whole, undamaged file for the key? */
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

static base_status make_path(const char *directory, base_hash key, char path[PATH_MAX],
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
                make_path(directory, key, path, NULL) == BASE_OK &&
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
    status = status != BASE_OK ? status : make_key(body, &h.key, err);
    status = status != BASE_OK ? status : make_path(directory, h.key, path, err);
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
