#include "algorithms/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
{
    if (message != NULL) {
        va_list arguments;
        va_start(arguments, format);
        if (vsnprintf(message->text, sizeof message->text, format, arguments) < 0) {
            message->text[0] = '\0';
        }
        va_end(arguments);
    }
    return status;
}

alg_status alg_fail_geo(alg_message *message, const geo_error *err)
{
    const bool memory = err->status == GEO_ERR_MEMORY;
    return alg_fail(message, memory ? ALG_OUT_OF_MEMORY : ALG_FAILED, "%s", err->text);
}

geo_status alg_mesh_copy(const alg_mesh *mesh, geo_arena *arena, geo_mesh *copy, geo_error *err)
{
    *copy = (geo_mesh){0};
    vec3 *const vertices = geo_arena_alloc(arena, mesh->vertex_count, sizeof *vertices);
    geo_face *const faces = geo_arena_alloc(arena, mesh->face_count, sizeof *faces);
    if (vertices == NULL || faces == NULL) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for a copy of %zu faces",
                        mesh->face_count);
    }
    memcpy(vertices, mesh->vertices, mesh->vertex_count * sizeof *vertices);
    memcpy(faces, mesh->faces, mesh->face_count * sizeof *faces);
    *copy = (geo_mesh){vertices, mesh->vertex_count, faces, mesh->face_count};
    return GEO_OK;
}
