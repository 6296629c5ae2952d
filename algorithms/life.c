#include "algorithms/life.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* --- Messages --------------------------------------------------------------------------------- */

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

/* --- Bodies and states that own their memory -------------------------------------------------- */

alg_status alg_create(size_t size, void **object, alg_message *message)
{
    base_arena arena = {0};
    *object = base_arena_alloc(&arena, 1, size);
    if (!*object) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for %zu bytes", size);
    }
    memcpy(*object, &arena, sizeof arena);
    return ALG_OK;
}

void alg_destroy(void *object)
{
    if (object) {
        base_arena arena;
        memcpy(&arena, object, sizeof arena);
        base_arena_release(&arena);
    }
}

alg_status alg_abandon(void **object, alg_status status)
{
    alg_destroy(*object);
    *object = NULL;
    return status;
}

/* --- Surfaces --------------------------------------------------------------------------------- */

geo_mesh alg_mesh_view(const alg_mesh *mesh)
{
    return (geo_mesh){mesh->vertices, mesh->vertex_count, mesh->faces, mesh->face_count};
}

/** Fills the parts of a shell. */
static base_status find_parts(base_arena *arena, alg_shell *shell, base_error *err)
{
    const geo_mesh *const mesh = &shell->mesh;
    uint32_t *const label = base_alloc(mesh->face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_status status = geo_mesh_components(mesh, label, &shell->part_count, err);
    if (status != BASE_OK) {
        goto done;
    }
    shell->part_vertex = base_arena_alloc(arena, shell->part_count, sizeof *shell->part_vertex);
    if (!shell->part_vertex) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
        goto done;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        shell->part_vertex[label[f]] = mesh->faces[f].v[0];
    }
done:
    base_free(label);
    return status;
}

base_status alg_shell_build(const alg_mesh *mesh, base_arena *arena, alg_shell *shell,
                            base_error *err)
{
    *shell = (alg_shell){.mesh = alg_mesh_view(mesh), .solid = mesh->solid};
    const base_status status = geo_surface_build(&shell->mesh, arena, &shell->surface, err);
    if (status != BASE_OK) {
        return status;
    }
    return find_parts(arena, shell, err);
}

static bool box_contains(geo_box box, vec3 p)
{
    return geo_box_overlap(box, (geo_box){p, p});
}

bool alg_shells_nested(const alg_shell *a, const alg_shell *b, const geo_pose *pose, vec3 *in_both)
{
    for (uint32_t i = 0; a->solid && i < b->part_count; i++) {
        *in_both = geo_pose_apply(pose, b->mesh.vertices[b->part_vertex[i]]);
        if (box_contains(a->surface.bvh.box, *in_both) &&
            geo_surface_contains(&a->surface, *in_both)) {
            return true;
        }
    }
    for (uint32_t i = 0; b->solid && i < a->part_count; i++) {
        *in_both = a->mesh.vertices[a->part_vertex[i]];
        if (geo_surface_contains_moved(&b->surface, pose, *in_both)) {
            return true;
        }
    }
    return false;
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

/* --- Time ------------------------------------------------------------------------------------- */

uint64_t alg_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void alg_end_stage(uint64_t *last_ns, double *stage_ns)
{
    const uint64_t now = alg_clock_ns();
    *stage_ns += (double)(now - *last_ns);
    *last_ns = now;
}

alg_stages alg_stages_begin(bool asked)
{
    return (alg_stages){.asked = asked, .begin_ns = asked ? alg_clock_ns() : 0};
}

void alg_stages_end(alg_stages *stages, alg_answer *answer)
{
    if (stages->asked) {
        answer->stage_ends_ns[stages->ended++] = alg_clock_ns() - stages->begin_ns;
        answer->answered |= ALG_HAS_STAGES;
    }
}
