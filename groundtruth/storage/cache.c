#include "groundtruth/storage/cache.h"

#include "groundtruth/storage/files.h"
#include "groundtruth/tetra/tetgen.h"

#include <limits.h>
#include <string.h>

/* Of the file's layout and of what is done to TetGen's result. */
#define VERSION "tetrahedra 1"

typedef struct header {
    geo_hash key; /* of the body and the version: also tells the byte order */
    uint64_t added_count, count;
} header;

/** Header, added vertices, corners, hash of all before: a file of `size` bytes. */
static size_t file_size(const header *h)
{
    return sizeof *h + h->added_count * sizeof(vec3) + h->count * sizeof(gt_corners) +
           sizeof(geo_hash);
}

static geo_status make_key(const gt_body *body, geo_hash *key, geo_error *err)
{
    geo_hasher *const hasher = geo_hasher_create();
    if (hasher == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for a hash");
    }
    geo_hasher_add_text(hasher, VERSION);
    geo_hasher_add_text(hasher, GT_TETGEN_SWITCHES);
    geo_hasher_add(hasher, &body->hash, sizeof body->hash);
    *key = geo_hasher_finish(hasher);
    return GEO_OK;
}

static bool hash_bytes(const void *bytes, size_t size, geo_hash *hash)
{
    geo_hasher *const hasher = geo_hasher_create();
    if (hasher == NULL) {
        return false;
    }
    geo_hasher_add(hasher, bytes, size);
    *hash = geo_hasher_finish(hasher);
    return true;
}

static bool same_hash(geo_hash a, geo_hash b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

/** Is it the whole, undamaged file for the key? */
static bool intact(const char *bytes, size_t size, geo_hash key, header *h)
{
    if (size < sizeof *h + sizeof(geo_hash)) {
        return false;
    }
    memcpy(h, bytes, sizeof *h);
    const uint64_t most = UINT32_MAX;
    if (!same_hash(h->key, key) || h->added_count > most || h->count > most ||
        size != file_size(h)) {
        return false;
    }
    geo_hash stored, found;
    memcpy(&stored, bytes + size - sizeof stored, sizeof stored);
    return hash_bytes(bytes, size - sizeof stored, &found) && same_hash(stored, found);
}

static bool unpack(const char *bytes, const header *h, const geo_mesh *mesh,
                   gt_tetrahedra *tetrahedra)
{
    const size_t n = mesh->vertex_count;
    tetrahedra->vertex_count = n + h->added_count;
    tetrahedra->count = h->count;
    tetrahedra->vertices = geo_alloc(tetrahedra->vertex_count, sizeof *tetrahedra->vertices);
    tetrahedra->corners = geo_alloc(tetrahedra->count, sizeof *tetrahedra->corners);
    if (tetrahedra->vertices == NULL || tetrahedra->corners == NULL) {
        return false;
    }
    const char *const added = bytes + sizeof *h;
    const char *const corners = added + h->added_count * sizeof(vec3);
    memcpy(tetrahedra->vertices, mesh->vertices, n * sizeof(vec3));
    memcpy(tetrahedra->vertices + n, added, h->added_count * sizeof(vec3));
    memcpy(tetrahedra->corners, corners, h->count * sizeof(gt_corners));
    return true;
}

static geo_status make_path(const char *directory, geo_hash key, char path[PATH_MAX],
                            geo_error *err)
{
    const geo_hash_text name = geo_hash_format(key);
    return gt_path_join(directory, name.hex, ".tetra", path, PATH_MAX, err);
}

bool gt_cache_load(const char *directory, const gt_body *body, gt_tetrahedra *tetrahedra)
{
    char path[PATH_MAX];
    geo_hash key;
    char *bytes = NULL;
    size_t size;
    header h;
    *tetrahedra = (gt_tetrahedra){0};
    bool good = make_key(body, &key, NULL) == GEO_OK &&
                make_path(directory, key, path, NULL) == GEO_OK &&
                gt_file_read(path, &bytes, &size, NULL) == GEO_OK;
    good = good && intact(bytes, size, key, &h) && unpack(bytes, &h, body->mesh, tetrahedra);
    if (!good) {
        gt_tetrahedra_release(tetrahedra);
    }
    geo_free(bytes);
    return good;
}

geo_status gt_cache_store(const char *directory, const gt_body *body,
                          const gt_tetrahedra *tetrahedra, geo_error *err)
{
    char path[PATH_MAX];
    header h = {.added_count = tetrahedra->vertex_count - body->mesh->vertex_count,
                .count = tetrahedra->count};
    geo_status status = gt_directory_make(directory, err);
    status = status != GEO_OK ? status : make_key(body, &h.key, err);
    status = status != GEO_OK ? status : make_path(directory, h.key, path, err);
    if (status != GEO_OK) {
        return status;
    }
    const size_t size = file_size(&h);
    char *const bytes = geo_alloc(size, 1);
    if (bytes == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu tetrahedra", tetrahedra->count);
    }
    char *const added = bytes + sizeof h;
    char *const corners = added + h.added_count * sizeof(vec3);
    char *const check = bytes + size - sizeof(geo_hash);
    memcpy(bytes, &h, sizeof h);
    memcpy(added, tetrahedra->vertices + body->mesh->vertex_count, h.added_count * sizeof(vec3));
    memcpy(corners, tetrahedra->corners, h.count * sizeof(gt_corners));
    geo_hash hash;
    if (hash_bytes(bytes, size - sizeof hash, &hash)) {
        memcpy(check, &hash, sizeof hash);
        status = gt_file_replace(path, bytes, size, err);
    } else {
        status = geo_fail(err, GEO_ERR_MEMORY, "out of memory for a hash");
    }
    geo_free(bytes);
    return status;
}
