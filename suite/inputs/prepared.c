#include "suite/inputs/prepared.h"

#include "base/file.h"
#include "base/memory.h"
#include "suite/clock.h"
#include "geometry/vec.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t file_magic = 0x3179646f62786270; /* "pbxbody1" */

/* Version of the file's layout and of the inputs of its key. Increase it when they change. */
static const char key_version[] = "body 3";

/* Suffix of a body's file. */
static const char ending[] = ".body";

/** Precedes the bytes of `save`. Its size is a multiple of malloc's alignment. */
typedef struct file_header {
    uint64_t magic, bytes; /* bytes: size of the data of save */
    base_hash key;
    alg_build_info info;
    uint64_t build_ns, unused;
    base_hash check; /* hash of the members above and of the data that follows */
} file_header;

_Static_assert(sizeof(file_header) % _Alignof(max_align_t) == 0, "load gets aligned bytes");

static bench_built nothing_built(void)
{
    bench_built built = {
        .load_ns = UINT64_MAX, .missing_voxels = UINT64_MAX, .excess_voxels = UINT64_MAX};
    for (size_t i = 0; i < ALG_FACTS_MAX; i++) {
        built.info.facts[i] = NAN;
    }
    return built;
}

/* --- File of a body --------------------------------------------------------------------------- */

/** A body and its file. */
typedef struct body_file {
    const alg_variant *variant; /* with the settings of the body */
    const alg_mesh *mesh;
    alg_role role;
    base_hash key;
    char directory[PATH_MAX], path[PATH_MAX];
} body_file;

static void add_mesh(base_hasher *hasher, const alg_mesh *mesh)
{
    const uint64_t words[] = {mesh->vertex_count, mesh->face_count, mesh->solid};
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    base_hasher_add(hasher, mesh->faces, mesh->face_count * sizeof *mesh->faces);
    base_hasher_add(hasher, &mesh->volume_m3, sizeof mesh->volume_m3);
    base_hasher_add(hasher, &mesh->centroid, sizeof mesh->centroid);
    base_hasher_add(hasher, &mesh->box, sizeof mesh->box);
}

/** Makes the key: a hash of all inputs of prepare and of its code. */
static bool make_key(body_file *p)
{
    const alg_algorithm *const a = p->variant->algorithm;
    /* The hash of the file that contains the code: changed code never loads old bodies. */
    const bench_plugin *const plugin = bench_plugin_of(a);
    base_hash code = plugin ? plugin->hash : (base_hash){0};
    base_error err;
    if (!plugin && base_file_hash("/proc/self/exe", &code, &err) != BASE_OK) {
        return false;
    }
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return false;
    }
    const uint64_t words[] = {ALG_ABI_VERSION, p->role, p->variant->settings.seed,
                              a->parameter_count};
    base_hasher_add_text(hasher, key_version);
    base_hasher_add_text(hasher, a->name);
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, &code, sizeof code);
    for (size_t i = 0; i < a->parameter_count; i++) {
        base_hasher_add_text(hasher, a->parameters[i].name);
        base_hasher_add(hasher, &p->variant->settings.values[i], sizeof(double));
    }
    add_mesh(hasher, p->mesh);
    p->key = base_hasher_finish(hasher);
    return true;
}

/** Finds the file of a body. Returns false if the body is not kept. */
static bool find_file(const char *cache_directory, body_file *p)
{
    const alg_algorithm *const a = p->variant->algorithm;
    if (!a->save || !a->load || !cache_directory || !*cache_directory || !make_key(p)) {
        return false;
    }
    return base_path_join(cache_directory, "bodies", "", p->directory, sizeof p->directory, NULL) ==
               BASE_OK &&
           base_path_join(p->directory, base_hash_format(p->key).hex, ending, p->path,
                          sizeof p->path, NULL) == BASE_OK;
}

/** Computes the hash of a file. Returns false if memory is exhausted. */
static bool check_of(const file_header *header, const void *bytes, base_hash *check)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return false;
    }
    base_hasher_add(hasher, header, offsetof(file_header, check));
    base_hasher_add(hasher, bytes, header->bytes);
    *check = base_hasher_finish(hasher);
    return true;
}

static bool same_hash(base_hash a, base_hash b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

/* --- Loading ---------------------------------------------------------------------------------- */

/** True if the file is complete, undamaged, and has the key. */
static bool intact(const char *file, size_t size, base_hash key, file_header *header)
{
    base_hash check;
    if (size < sizeof *header) {
        return false;
    }
    memcpy(header, file, sizeof *header);
    return header->magic == file_magic && same_hash(header->key, key) &&
           header->bytes == size - sizeof *header &&
           check_of(header, file + sizeof *header, &check) && same_hash(header->check, check);
}

/**
 * Loads the body from its file. Returns false if that is not possible; if there is a file, with a
 * warning.
 */
static bool load(const body_file *p, void **prepared, bench_built *built)
{
    const alg_algorithm *const a = p->variant->algorithm;
    const uint64_t start = bench_clock_ns();
    char *file = NULL;
    size_t size = 0;
    file_header header;
    base_error err = {0};
    *prepared = NULL;
    *built = nothing_built();
    alg_message message = {"it is damaged"};
    alg_status status = ALG_FAILED;
    if (base_file_read(p->path, &file, &size, &err) != BASE_OK) {
        if (access(p->path, F_OK) != 0) {
            return false; /* missing, or pruned just now */
        }
        snprintf(message.text, sizeof message.text, "%.*s", (int)sizeof message.text - 1, err.text);
    } else if (intact(file, size, p->key, &header)) {
        built->info = header.info;
        built->build_ns = header.build_ns;
        status = a->load(&p->variant->settings, p->mesh, p->role, file + sizeof header,
                         header.bytes, prepared, &built->info, &message);
    }
    base_free(file);
    built->load_ns = bench_clock_ns() - start;
    utimensat(AT_FDCWD, p->path, NULL, 0); /* marks the file as used: see bench_bodies_prune */
    if (status != ALG_OK) {
        bench_warn("'%s' does not contain the body that '%s' has built: %.300s; it is built again",
                   p->path, p->variant->name, message.text);
    }
    return status == ALG_OK;
}

/* --- Keeping ---------------------------------------------------------------------------------- */

/** Content of a file while it is assembled. */
typedef struct contents {
    char *bytes;
    size_t size, capacity;
    bool too_large;
    base_status status;
    base_error err;
} contents;

static bool append(void *context, const void *bytes, size_t size)
{
    contents *const c = context;
    c->too_large |= size > BENCH_BODY_BYTES_MAX || c->size + size > BENCH_BODY_BYTES_MAX;
    if (c->too_large || c->status != BASE_OK) {
        return false;
    }
    c->status = base_reserve(c->bytes, c->capacity, c->size + size, &c->err);
    if (c->status == BASE_OK && size > 0) {
        memcpy(c->bytes + c->size, bytes, size);
        c->size += size;
    }
    return c->status == BASE_OK;
}

/**
 * Writes header and bytes as a file. Space for the header was reserved at the beginning of the
 * bytes.
 */
static base_status write_file(const body_file *p, const bench_built *built, const contents *c,
                              base_error *err)
{
    file_header header = {.magic = file_magic,
                          .bytes = c->size - sizeof header,
                          .key = p->key,
                          .info = built->info,
                          .build_ns = built->build_ns};
    if (!check_of(&header, c->bytes + sizeof header, &header.check)) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(c->bytes, &header, sizeof header);
    base_status status = base_folder_make(p->directory, err);
    if (status == BASE_OK) {
        status = base_file_replace(p->path, c->bytes, c->size, err);
    }
    if (status == BASE_OK) {
        bench_bodies_prune(p->directory, BENCH_BODIES_BYTES_MAX);
    }
    return status;
}

/**
 * Writes the body to its file. Returns true on success. A failure gives a warning, unless the body
 * is too large.
 */
static bool keep(const body_file *p, const void *prepared, const bench_built *built)
{
    static const file_header nothing = {0};
    contents c = {.status = BASE_OK};
    const alg_writer to = {.size = sizeof to, .context = &c, .write = append};
    alg_message message = {""};
    append(&c, &nothing, sizeof nothing);
    const bool saved = p->variant->algorithm->save(prepared, &to, &message) == ALG_OK;
    if (c.status == BASE_OK && saved && !c.too_large) {
        c.status = write_file(p, built, &c, &c.err);
    }
    const bool kept = saved && !c.too_large && c.status == BASE_OK;
    if (!kept && !c.too_large) {
        bench_warn("the body that '%s' has built is not kept: %.300s", p->variant->name,
                   c.status != BASE_OK ? c.err.text : message.text);
    }
    base_free(c.bytes);
    return kept;
}

alg_status bench_prepare(const alg_variant *variant, const alg_mesh *mesh, alg_role role,
                         const char *cache_directory, void **prepared, bench_built *built,
                         alg_message *message)
{
    alg_variant of_body = *variant;
    if (variant->algorithm->body_settings) {
        variant->algorithm->body_settings(&of_body.settings);
    }
    body_file p = {.variant = &of_body, .mesh = mesh, .role = role};
    const bool kept = find_file(cache_directory, &p);
    if (kept && load(&p, prepared, built)) {
        return ALG_OK;
    }
    *built = nothing_built();
    built->anew = 1;
    *prepared = NULL;
    const uint64_t start = bench_clock_ns();
    const alg_status status =
        variant->algorithm->prepare(&of_body.settings, mesh, role, prepared, &built->info, message);
    built->build_ns = bench_clock_ns() - start;
    void *loaded = NULL;
    bench_built as_loaded;
    if (kept && status == ALG_OK && keep(&p, *prepared, built) && load(&p, &loaded, &as_loaded)) {
        variant->algorithm->dispose(*prepared);
        *prepared = loaded;
        *built = as_loaded;
        built->anew = 1;
    }
    return status;
}

/* --- The folder ------------------------------------------------------------------------------- */

/** Age after which an incomplete file (its name continues after the suffix) is removed. */
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

/** Adds one file to the list, or removes an old incomplete file. */
static void add_file(int directory, const char *name, kept_files *files)
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
    if (base_reserve(files->items, files->capacity, files->count + 1, &err) == BASE_OK) {
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
        add_file(dirfd(folder), e->d_name, &files);
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

/* --- Answers ---------------------------------------------------------------------------------- */

void bench_answer_clear(alg_answer *answer)
{
    const vec3 unfilled = {NAN, NAN, NAN};
    memset(answer, 0, sizeof *answer);
    answer->size = sizeof *answer;
    answer->witness_a = answer->witness_b = unfilled;
}

void bench_answer_settle(alg_answer *answer)
{
    vec3 *const points[] = {&answer->witness_a, &answer->witness_b};
    for (size_t i = 0; i < 2 && !(answer->answered & ALG_HAS_WITNESS); i++) {
        if (isnan(points[i]->x) && isnan(points[i]->y) && isnan(points[i]->z)) {
            *points[i] = (vec3){0, 0, 0};
        }
    }
}
