#include "geometry/mesh_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "geometry/mesh_scan.h"

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- Formats ---------------------------------------------------------------------------------- */

static bool has_extension(const char *path, const char *extension)
{
    const size_t size = strlen(path), tail = strlen(extension);
    return size > tail && strcasecmp(path + size - tail, extension) == 0;
}

static bool is_ply(const geo_source *source)
{
    const char *const b = source->bytes;
    return source->size > 3 && memcmp(b, "ply", 3) == 0 && (b[3] == '\n' || b[3] == '\r');
}

static geo_mesh_reader *choose_reader(const geo_source *source)
{
    const char *const path = source->path;
    return is_ply(source) || has_extension(path, ".ply")              ? geo_mesh_read_ply
           : geo_source_is_stl(source) || has_extension(path, ".stl") ? geo_mesh_read_stl
           : has_extension(path, ".off")                              ? geo_mesh_read_off
           : has_extension(path, ".obj")                              ? geo_mesh_read_obj
                                                                      : NULL;
}

static base_status read_mesh(const geo_source *source, geo_mesh_builder *mesh, base_error *err)
{
    if (source->size == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': empty file", source->path);
    }
    geo_mesh_reader *const reader = choose_reader(source);
    if (!reader) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': unknown format, not .off, .obj, .stl or .ply",
                         source->path);
    }
    const base_status status = reader(source, mesh, err);
    if (status == BASE_OK && mesh->face_count == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': no faces", source->path);
    }
    return status;
}

base_status geo_mesh_load(const char *path, geo_mesh *mesh, base_error *err)
{
    geo_mesh_builder builder = {0};
    geo_source source = {.path = path};
    /* strtod must read a decimal point in any locale of the program. */
    const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(neutral);
    base_status status = neutral == (locale_t)0
                             ? BASE_ERR_MEMORY
                             : base_file_read(source.path, &source.bytes, &source.size, err);
    if (status == BASE_OK) {
        status = read_mesh(&source, &builder, err);
    }
    if (neutral != (locale_t)0) {
        uselocale(before);
        freelocale(neutral);
    }
    base_free(source.bytes);
    if (status != BASE_OK) {
        geo_mesh_builder_release(&builder);
    }
    *mesh = geo_mesh_builder_finish(&builder);
    return status == BASE_ERR_MEMORY ? base_fail(err, status, "'%s': out of memory", path) : status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static bool write_all(const geo_mesh *mesh, FILE *file)
{
    bool good = fprintf(file, "OFF\n%zu %zu 0\n", mesh->vertex_count, mesh->face_count) >= 0;
    for (size_t i = 0; good && i < mesh->vertex_count; i++) {
        const vec3 v = mesh->vertices[i];
        good = fprintf(file, "%.17g %.17g %.17g\n", v.x, v.y, v.z) >= 0;
    }
    for (size_t i = 0; good && i < mesh->face_count; i++) {
        const uint32_t *const v = mesh->faces[i].v;
        good = fprintf(file, "3 %u %u %u\n", v[0], v[1], v[2]) >= 0;
    }
    return good && fflush(file) == 0;
}

base_status geo_mesh_write_off(const geo_mesh *mesh, FILE *file, base_error *err)
{
    /* The output must have a decimal point in any locale of the program. */
    const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (neutral == (locale_t)0) {
        return base_fail(err, BASE_ERR_MEMORY, "cannot write a mesh: out of memory");
    }
    const locale_t before = uselocale(neutral);
    errno = 0;
    const bool good = write_all(mesh, file);
    const int reason = errno;
    uselocale(before);
    freelocale(neutral);
    return good ? BASE_OK
                : base_fail(err, BASE_ERR_SYSTEM, "cannot write a mesh: %s", strerror(reason));
}
