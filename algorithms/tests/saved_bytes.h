/** The bytes of a saved body, for tests of saving and loading. */
#ifndef ALGORITHMS_TESTS_SAVED_BYTES_H
#define ALGORITHMS_TESTS_SAVED_BYTES_H

#include "base/memory.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** The bytes that a save has written; owned. */
typedef struct bytes {
    char *items;
    size_t count, capacity;
} bytes;

/** alg_writer.write: accepts all bytes. */
static bool append(void *context, const void *items, size_t size)
{
    bytes *const b = context;
    assert_ok(base_reserve(b->items, b->capacity, b->count + size, ERR));
    if (size > 0) {
        memcpy(b->items + b->count, items, size);
    }
    b->count += size;
    return true;
}

#endif
