#include "geometry/geometry.h"

#include <stdio.h>
#include <string.h>

#define XXH_STATIC_LINKING_ONLY /* the state's layout, so that geo_alloc can hold it */
#include <xxhash.h>

struct geo_hasher {
    XXH3_state_t state; /* wants 64-byte alignment, which geo_alloc gives */
};

geo_hasher *geo_hasher_create(void)
{
    geo_hasher *const hasher = geo_alloc(1, sizeof *hasher);
    if (hasher != NULL) {
        XXH3_128bits_reset(&hasher->state);
    }
    return hasher;
}

void geo_hasher_add(geo_hasher *hasher, const void *bytes, size_t size)
{
    if (size > 0) {
        XXH3_128bits_update(&hasher->state, bytes, size);
    }
}

void geo_hasher_add_text(geo_hasher *hasher, const char *text)
{
    geo_hasher_add(hasher, text, strlen(text) + 1);
}

geo_hash geo_hasher_finish(geo_hasher *hasher)
{
    const XXH128_hash_t digest = XXH3_128bits_digest(&hasher->state);
    geo_free(hasher);
    return (geo_hash){.hi = digest.high64, .lo = digest.low64};
}

geo_hash_text geo_hash_format(geo_hash hash)
{
    geo_hash_text text;
    snprintf(text.hex, sizeof text.hex, "%016llx%016llx", (unsigned long long)hash.hi,
             (unsigned long long)hash.lo);
    return text;
}
