/** Prepared bodies into bytes and back, for tests of families whose bodies are kept. */
#ifndef ALGORITHMS_TESTS_SAVED_H
#define ALGORITHMS_TESTS_SAVED_H

#include "algorithms/tests/pair.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/** What save has written; owned. */
typedef struct bytes {
    char *items;
    size_t count, capacity;
} bytes;

/** alg_writer.write: takes all. */
static inline bool append(void *context, const void *items, size_t size)
{
    bytes *const b = context;
    base_error err;
    cr_assert_eq(base_reserve(b->items, b->capacity, b->count + size, &err), BASE_OK);
    if (size > 0) {
        memcpy(b->items + b->count, items, size);
    }
    b->count += size;
    return true;
}

/** alg_writer.write: takes as many parts as *context says. */
static inline bool refuse(void *context, const void *items, size_t size)
{
    (void)items, (void)size;
    size_t *const calls = context;
    return (*calls)-- > 0;
}

static inline bytes save(const pair *p, const void *prepared)
{
    bytes b = {0};
    const alg_writer to = {.size = sizeof to, .context = &b, .write = append};
    alg_message message = {""};
    cr_assert_eq(p->variant.algorithm->save(prepared, &to, &message), ALG_OK, "%s", message.text);
    return b;
}

/** On failure *prepared is NULL and the message says why. */
static inline alg_status load(const pair *p, alg_role role, const bytes *b, void **prepared)
{
    alg_build_info info = role == ALG_FIXED ? p->info_a : p->info_b;
    alg_message message = {""};
    const alg_status status =
        p->variant.algorithm->load(&p->variant.settings, role == ALG_FIXED ? &p->a : &p->b, role,
                                   b->items, b->count, prepared, &info, &message);
    cr_assert_eq(status == ALG_OK, *prepared != NULL);
    cr_assert(status == ALG_OK || *message.text, "a failure says why");
    return status;
}

/** Holds that what either body saves is refused in the other's role, at any other length, and with a byte more. */
static inline void refuse_lengths_and_roles(const pair *p)
{
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        bytes b = save(p, role == ALG_FIXED ? p->fixed : p->moving);
        void *prepared;
        cr_assert_eq(load(p, role == ALG_FIXED ? ALG_MOVING : ALG_FIXED, &b, &prepared), ALG_FAILED,
                     "role %d in the other's place", role);
        const size_t whole = b.count;
        for (b.count = 0; b.count < whole; b.count += b.count < 170 ? 1 : 119) {
            /* A copy of that length, so that a sanitizer sees a byte behind it that is read. */
            bytes cut = {.items = malloc(b.count + 1), .count = b.count};
            cr_assert_not_null(cut.items);
            memcpy(cut.items, b.items, b.count);
            cr_assert_eq(load(p, (alg_role)role, &cut, &prepared), ALG_FAILED, "role %d: %zu bytes",
                         role, b.count);
            free(cut.items);
        }
        b.count = whole;
        append(&b, "", 1);
        cr_assert_eq(load(p, (alg_role)role, &b, &prepared), ALG_FAILED, "one byte more");
        base_free(b.items);
    }
}

#endif
