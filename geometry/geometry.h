/**
 * What every module stands on: errors, memory, random numbers, threads, content hashes.
 *
 * The rest of geometry/ is one header per subject: vec.h and pose.h (algebra), elementary.h
 * (exp, sin, ... with the same bits everywhere), simd.h, text.h, csv.h (the one reader and writer
 * of CSV), mesh.h with mesh_check.h, predicates.h, box.h, triangle.h, sphere.h, bvh.h with
 * surface.h.
 */
#ifndef GEOMETRY_GEOMETRY_H
#define GEOMETRY_GEOMETRY_H

#include "geometry/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Errors ----------------------------------------------------------------------------------- */

typedef enum geo_status {
    GEO_OK = 0,
    GEO_ERR_ARGUMENT, /* the caller asked for something that cannot be: usage, exit 2 */
    GEO_ERR_INPUT,    /* a file's content is wrong: exit 3 */
    GEO_ERR_SYSTEM,   /* the operating system refused: exit 3 */
    GEO_ERR_MEMORY,   /* out of memory: exit 3, in a worker status oom */
} geo_status;

/** Owned by the caller; text is one line without a full stop, empty while status is GEO_OK. */
typedef struct geo_error {
    geo_status status;
    char text[1024];
} geo_error;

#define GEO_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define GEO_MUST_CHECK          __attribute__((warn_unused_result))

/**
 * Fills err (which may be NULL) and returns status, so that a function fails in one line:
 * return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: ...", path, line);
 * A longer text is cut; control characters in it (of a file name, say) become '?'.
 */
geo_status geo_fail(geo_error *err, geo_status status, const char *format, ...) GEO_PRINTF(3, 4);

/** Contract checks: on in every build but the timed release. */
#ifdef NDEBUG
#define geo_assert(condition) ((void)0)
#else
#include <assert.h>
#define geo_assert(condition) assert(condition)
#endif

/** Costly or tolerance-based checks: config=debug and config=sanitize. */
#ifdef GEO_VALIDATE
#define geo_validate(condition) geo_assert(condition)
#else
#define geo_validate(condition) ((void)0)
#endif

/* --- Memory ----------------------------------------------------------------------------------- */

/**
 * The one hook below which every allocation goes. NULL when out of memory. geo_alloc returns
 * zeroed storage for count * size bytes (checked for overflow; may be 0), 64-byte aligned.
 */
void *geo_alloc(size_t count, size_t size);
/** Of storage from geo_alloc or geo_grow, or NULL. */
void geo_free(void *storage);

/**
 * Grows *items (of item_size bytes each, capacity *capacity) so that it holds `needed`; at least
 * doubles. The grown part is zeroed. *items NULL with *capacity 0 is empty; geo_free ends it.
 * Errors: GEO_ERR_MEMORY, *items untouched.
 */
geo_status geo_grow(void **items, size_t *capacity, size_t needed, size_t item_size,
                    geo_error *err) GEO_MUST_CHECK;

/** Tests only: n allocations from now on succeed, all later ones fail; SIZE_MAX turns it off. */
void geo_memory_fail_after(size_t n);

/** Bump allocator for things that live and die together. Zero-initialised is empty. */
typedef struct geo_arena {
    struct geo_arena_block *blocks;
    size_t bytes; /* handed out, padding included: the memory a build reports */
} geo_arena;

/** Zeroed, 64-byte aligned; NULL when out of memory. count may be 0. */
void *geo_arena_alloc(geo_arena *arena, size_t count, size_t size);
/** A copy of the text; NULL when out of memory. */
char *geo_arena_text(geo_arena *arena, const char *text);
void geo_arena_release(geo_arena *arena);

/* --- Random numbers: xoshiro256**, seeded by splitmix64. The same bits everywhere. ------------ */

typedef struct geo_random {
    uint64_t s[4];
} geo_random;

geo_random geo_random_seed(uint64_t seed);
uint64_t geo_random_u64(geo_random *random);
/** Uniform in [0, n), unbiased; n >= 1. */
uint64_t geo_random_below(geo_random *random, uint64_t n);
/** Uniform in [0, 1), 53 bits. */
double geo_random_unit(geo_random *random);
/** Uniform in [lo, hi); lo when the two are equal. */
double geo_random_range(geo_random *random, double lo, double hi);
/** Uniform on the unit sphere. */
vec3 geo_random_direction(geo_random *random);
/** Uniform rotation: Shoemake's subgroup method from three uniforms. */
geo_quat geo_random_rotation(geo_random *random);

/* --- The CPU ---------------------------------------------------------------------------------- */

/**
 * May functions of files named *_avx2.c be called? Not where the CPU lacks AVX2, in config=scalar,
 * or when the environment has PROXBENCH_SIMD=sse2. It changes times, never answers.
 */
bool geo_cpu_avx2(void);

/* --- Threads ---------------------------------------------------------------------------------- */

/** Work on items [begin, end) of a loop; must not depend on which thread it is. */
typedef void geo_parallel_body(void *context, size_t begin, size_t end);

/**
 * Runs body over [0, count) in chunks of `chunk` items (0: one; the last may be shorter) on
 * `threads` threads, the caller's among them (0: one per CPU, or what the environment variable
 * PROXBENCH_THREADS says; at most 256). Chunks are the same for any number of threads and are
 * handed out in order; body writes only to places that belong to its items, so the result does not
 * depend on the thread count. When the system refuses threads, fewer do the work.
 */
void geo_parallel_for(size_t count, size_t chunk, unsigned threads, geo_parallel_body *body,
                      void *context);

/* --- Content hashes (XXH3, 128 bits) ---------------------------------------------------------- */

typedef struct geo_hash {
    uint64_t hi, lo;
} geo_hash;

typedef struct geo_hasher geo_hasher;

/** NULL when out of memory; geo_hasher_finish frees it. */
geo_hasher *geo_hasher_create(void);
void geo_hasher_add(geo_hasher *hasher, const void *bytes, size_t size);
/** Adds the text with its terminating NUL, so that "ab","c" and "a","bc" differ. */
void geo_hasher_add_text(geo_hasher *hasher, const char *text);
geo_hash geo_hasher_finish(geo_hasher *hasher);

/** 32 lower-case hexadecimal digits and NUL. */
typedef struct geo_hash_text {
    char hex[33];
} geo_hash_text;
geo_hash_text geo_hash_format(geo_hash hash);

#endif
