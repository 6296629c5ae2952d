/** Memory for objects with a common lifetime. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/** Bump allocator for objects with a common lifetime. Zero-initialised is empty. */
typedef struct base_arena {
    struct base_arena_block *blocks;
    size_t bytes; /* allocated bytes, including padding: the memory that a build reports */
} base_arena;

/** Returns zeroed, 64-byte aligned storage; NULL if memory is short. count may be 0. */
void *base_arena_alloc(base_arena *arena, size_t count, size_t size);
/** Returns a copy of the text; NULL if memory is short. */
char *base_arena_text(base_arena *arena, const char *text);
void base_arena_release(base_arena *arena);

#endif
