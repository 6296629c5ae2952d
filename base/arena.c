#include "base/arena.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

/*
 * The address sanitizer is told which bytes are in use, so that it detects every access beyond the
 * end of a piece.
 */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define ALIGNMENT      ((size_t)64)
#define BLOCK_LEAST    ((size_t)4096)
#define BLOCK_GREATEST ((size_t)1 << 20)

/** Header of a block, one alignment unit; the storage follows it. */
struct base_arena_block {
    _Alignas(64) struct base_arena_block *next;
    size_t size; /* bytes of storage */
    size_t used;
};
_Static_assert(sizeof(struct base_arena_block) == 64, "the storage of a block is aligned");

/**
 * Returns the size of a new block. Blocks grow with the arena, so their number stays logarithmic
 * and the waste below half.
 */
static size_t block_size(const base_arena *arena, size_t request)
{
    size_t size = arena->bytes;
    size = size < BLOCK_LEAST ? BLOCK_LEAST : size;
    size = size > BLOCK_GREATEST ? BLOCK_GREATEST : size;
    size -= sizeof(struct base_arena_block);
    return request > size ? request : size;
}

/** Adds a block with room for the request to the list; NULL if memory is short. */
static struct base_arena_block *add_block(base_arena *arena, size_t request)
{
    const size_t size = block_size(arena, request);
    struct base_arena_block *const block = base_alloc(1, sizeof(struct base_arena_block) + size);
    if (!block) {
        return NULL;
    }
    ASAN_POISON_MEMORY_REGION(block + 1, size);
    block->size = size;
    struct base_arena_block *const head = arena->blocks;
    if (head && head->size - head->used > size - request) {
        /* The head has more room left than the new block will have, so it stays the head. */
        block->next = head->next;
        head->next = block;
    } else {
        block->next = head;
        arena->blocks = block;
    }
    return block;
}

void *base_arena_alloc(base_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * ALIGNMENT) {
        return NULL;
    }
    const size_t request = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct base_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < request) {
        block = add_block(arena, request);
        if (!block) {
            return NULL;
        }
    }
    char *const storage = (char *)(block + 1) + block->used;
    ASAN_UNPOISON_MEMORY_REGION(storage, bytes);
    block->used += request;
    base_assert(block->used <= block->size);
    arena->bytes += request;
    return storage;
}

char *base_arena_text(base_arena *arena, const char *text)
{
    char *const copy = base_arena_alloc(arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : NULL;
}

void base_arena_release(base_arena *arena)
{
    struct base_arena_block *block = arena->blocks;
    while (block) {
        struct base_arena_block *const next = block->next;
        base_free(block);
        block = next;
    }
    *arena = (base_arena){0};
}
