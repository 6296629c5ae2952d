#include "algorithms/support.h"

#include "geometry/triangle.h"

#include <stdarg.h>
#include <stdio.h>

alg_status alg_fail(alg_message *message, alg_status status, const char *format, ...)
{
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        if (vsnprintf(message->text, sizeof message->text, format, arguments) < 0) {
            message->text[0] = '\0';
        }
        va_end(arguments);
    }
    return status;
}

alg_status alg_fail_geo(alg_message *message, const base_error *err)
{
    const bool memory = err->status == BASE_ERR_MEMORY;
    return alg_fail(message, memory ? ALG_OUT_OF_MEMORY : ALG_FAILED, "%s", err->text);
}

geo_mesh alg_mesh_view(const alg_mesh *mesh)
{
    return (geo_mesh){mesh->vertices, mesh->vertex_count, mesh->faces, mesh->face_count};
}

/** Where the edges of s come nearest to t, for triangles that are known to intersect. */
static void pierce(geo_triangle s, geo_triangle t, double *miss2, vec3 *common)
{
    const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    for (int i = 0; i < 3; i++) {
        const vec3 p = s.p[i], q = s.p[(i + 1) % 3];
        const double hp = vec3_dot(normal, vec3_sub(p, t.p[0]));
        const double hq = vec3_dot(normal, vec3_sub(q, t.p[0]));
        if ((hp < 0) == (hq < 0) || hp == hq) {
            continue;
        }
        const vec3 at = vec3_madd(p, hp / (hp - hq), vec3_sub(q, p));
        const double d2 = vec3_distance2(at, geo_triangle_closest(t, at));
        if (d2 < *miss2) {
            *miss2 = d2;
            *common = at;
        }
    }
}

vec3 alg_common_point(geo_triangle s, geo_triangle t)
{
    vec3 common, on_t;
    double miss2 = geo_triangle_distance2(s, t, &common, &on_t);
    pierce(s, t, &miss2, &common);
    pierce(t, s, &miss2, &common);
    return common;
}
