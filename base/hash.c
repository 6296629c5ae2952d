#include "base/hash.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define XXH_STATIC_LINKING_ONLY /* for the layout of the state, so that base_alloc can hold it */
#include <xxhash.h>

struct base_hasher {
    XXH3_state_t state; /* needs 64-byte alignment, which base_alloc provides */
};

base_hasher *base_hasher_create(void)
{
    base_hasher *const hasher = base_alloc(1, sizeof *hasher);
    if (hasher) {
        XXH3_128bits_reset(&hasher->state);
    }
    return hasher;
}

void base_hasher_add(base_hasher *hasher, const void *bytes, size_t size)
{
    if (size > 0) {
        XXH3_128bits_update(&hasher->state, bytes, size);
    }
}

void base_hasher_add_text(base_hasher *hasher, const char *text)
{
    base_hasher_add(hasher, text, strlen(text) + 1);
}

base_hash base_hasher_finish(base_hasher *hasher)
{
    const XXH128_hash_t digest = XXH3_128bits_digest(&hasher->state);
    base_free(hasher);
    return (base_hash){.hi = digest.high64, .lo = digest.low64};
}

base_hash_text base_hash_format(base_hash hash)
{
    base_hash_text text;
    snprintf(text.hex, sizeof text.hex, "%016llx%016llx", (unsigned long long)hash.hi,
             (unsigned long long)hash.lo);
    return text;
}
