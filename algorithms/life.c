#include "algorithms/life.h"

#include "base/memory.h"

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
