#include "geometry/mesh_file.h"

#include <errno.h>
#include <locale.h>
#include <strings.h>
#include <sys/stat.h>

/* Beyond this no index would fit, and a pipe that never ends is refused. */
#define FILE_SIZE_MAX ((size_t)4 << 30)
#define READ_CHUNK    ((size_t)1 << 16)

/* --- Bytes ------------------------------------------------------------------------------------ */

/** Room to begin with: the size, one byte to see the end, one for the NUL. */
static size_t first_room(const struct stat *facts)
{
    const bool known = S_ISREG(facts->st_mode) && facts->st_size > 0;
    const size_t size = known ? (size_t)facts->st_size : READ_CHUNK;
    return (size < FILE_SIZE_MAX ? size : FILE_SIZE_MAX) + 2;
}

static geo_status read_stream(FILE *stream, geo_source *source, geo_error *err)
{
    struct stat facts;
    if (fstat(fileno(stream), &facts) != 0) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot read '%s': %s", source->path, strerror(errno));
    }
    if (S_ISCHR(facts.st_mode) || S_ISBLK(facts.st_mode)) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s': a device, not a file", source->path);
    }
    size_t capacity = 0, needed = first_room(&facts);
    do {
        const geo_status status = geo_grow((void **)&source->bytes, &capacity, needed, 1, err);
        if (status != GEO_OK) {
            return status;
        }
        source->size += fread(source->bytes + source->size, 1, capacity - 1 - source->size, stream);
        needed = source->size + READ_CHUNK;
        if (source->size > FILE_SIZE_MAX) {
            return geo_fail(err, GEO_ERR_INPUT, "'%s': larger than 4 GiB", source->path);
        }
    } while (!feof(stream) && !ferror(stream));
    if (ferror(stream)) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot read '%s': %s", source->path, strerror(errno));
    }
    source->bytes[source->size] = '\0';
    return GEO_OK;
}

static geo_status read_source(geo_source *source, geo_error *err)
{
    errno = 0;
    FILE *const stream = fopen(source->path, "rbe");
    if (stream == NULL) {
        return geo_fail(err, GEO_ERR_SYSTEM, "cannot open '%s': %s", source->path, strerror(errno));
    }
    const geo_status status = read_stream(stream, source, err);
    fclose(stream);
    return status;
}

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

/* --- A mesh that grows ------------------------------------------------------------------------ */

geo_status geo_builder_reserve(geo_builder *builder, size_t vertices, size_t faces)
{
    geo_mesh *const mesh = builder->mesh;
    const geo_status status = geo_grow((void **)&mesh->vertices, &builder->vertex_capacity,
                                       vertices, sizeof *mesh->vertices, builder->err);
    return status == GEO_OK ? geo_grow((void **)&mesh->faces, &builder->face_capacity, faces,
                                       sizeof *mesh->faces, builder->err)
                            : status;
}

geo_status geo_builder_vertex(geo_builder *builder, vec3 p)
{
    geo_mesh *const mesh = builder->mesh;
    if (mesh->vertex_count == builder->vertex_capacity) {
        const geo_status status = geo_builder_reserve(builder, mesh->vertex_count + 1, 0);
        if (status != GEO_OK) {
            return status;
        }
    }
    mesh->vertices[mesh->vertex_count++] = p;
    return GEO_OK;
}

geo_status geo_builder_corner(geo_builder *builder, uint32_t vertex)
{
    geo_mesh *const mesh = builder->mesh;
    builder->corners++;
    if (builder->corners == 1) {
        builder->first = vertex;
    } else if (builder->corners > 2) {
        if (mesh->face_count == builder->face_capacity) {
            const geo_status status = geo_builder_reserve(builder, 0, mesh->face_count + 1);
            if (status != GEO_OK) {
                return status;
            }
        }
        mesh->faces[mesh->face_count++] = (geo_face){
            {builder->first, builder->previous, vertex}
        };
    }
    builder->previous = vertex;
    return GEO_OK;
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

static geo_status read_mesh(const geo_source *source, geo_mesh *mesh, geo_error *err)
{
    if (source->size == 0) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s': empty file", source->path);
    }
    geo_mesh_reader *const reader = choose_reader(source);
    if (reader == NULL) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s': unknown format, not .off, .obj, .stl or .ply",
                        source->path);
    }
    const geo_status status = reader(source, mesh, err);
    if (status == GEO_OK && mesh->face_count == 0) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s': no faces", source->path);
    }
    return status;
}

geo_status geo_mesh_load(const char *path, geo_mesh *mesh, geo_error *err)
{
    *mesh = (geo_mesh){0};
    geo_source source = {.path = path};
    /* strtod reads a decimal point, whatever locale the program runs in. */
    const locale_t neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(neutral);
    geo_status status = neutral == (locale_t)0 ? GEO_ERR_MEMORY : read_source(&source, err);
    if (status == GEO_OK) {
        status = read_mesh(&source, mesh, err);
    }
    if (neutral != (locale_t)0) {
        uselocale(before);
        freelocale(neutral);
    }
    geo_free(source.bytes);
    if (status != GEO_OK) {
        geo_mesh_release(mesh);
    }
    return status == GEO_ERR_MEMORY ? geo_fail(err, status, "'%s': out of memory", path) : status;
}
