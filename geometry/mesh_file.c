#include "geometry/mesh_file.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <locale.h>
#include <strings.h>
#include <sys/stat.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

double geo_source_float(uint64_t raw)
{
    const uint32_t bits = (uint32_t)raw;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

double geo_source_double(uint64_t raw)
{
    double value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

/* --- Polygons --------------------------------------------------------------------------------- */

base_status geo_fan_corner(geo_fan *fan, uint32_t vertex)
{
    base_status status = BASE_OK;
    fan->corners++;
    if (fan->corners == 1) {
        fan->first = vertex;
    } else if (fan->corners > 2) {
        const geo_face face = {
            {fan->first, fan->previous, vertex}
        };
        status = geo_mesh_builder_add_face(fan->mesh, face, fan->err);
    }
    fan->previous = vertex;
    return status;
}

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
    /* strtod reads a decimal point, whatever locale the program runs in. */
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
