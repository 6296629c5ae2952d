/** Memory for things that live and die together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/** Bump allocator for things that live and die together. Zero-initialised is empty. */
typedef struct base_arena {
    struct base_arena_block *blocks;
    size_t bytes; /* handed out, padding included: the memory a build reports */
} base_arena;

/** Zeroed, 64-byte aligned; NULL when out of memory. count may be 0. */
void *base_arena_alloc(base_arena *arena, size_t count, size_t size);
/** A copy of the text; NULL when out of memory. */
char *base_arena_text(base_arena *arena, const char *text);
void base_arena_release(base_arena *arena);

#endif
