/** Content hashes: XXH3, 128 bits. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct base_hash {
    uint64_t hi, lo;
} base_hash;

typedef struct base_hasher base_hasher;

/** Returns NULL if memory is short; base_hasher_finish frees it. */
base_hasher *base_hasher_create(void);
void base_hasher_add(base_hasher *hasher, const void *bytes, size_t size);
/** Adds the text with its terminating NUL, so that "ab","c" and "a","bc" differ. */
void base_hasher_add_text(base_hasher *hasher, const char *text);
base_hash base_hasher_finish(base_hasher *hasher);

/** 32 lower-case hexadecimal digits and a NUL. */
typedef struct base_hash_text {
    char hex[33];
} base_hash_text;
base_hash_text base_hash_format(base_hash hash);

#endif
