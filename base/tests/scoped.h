/** Local variables of tests that are released at the end of their block. */
#ifndef BASE_TESTS_SCOPED_H
#define BASE_TESTS_SCOPED_H

#include "base/memory.h"

#include <string.h>

/** Before a declaration: calls `release` with the address of each variable. */
#define RELEASED_BY(release) __attribute__((cleanup(release)))

static inline void scoped_free(const void *at)
{
    void *storage;
    memcpy(&storage, at, sizeof storage);
    base_free(storage);
}

/** Before the declaration of a pointer to storage from base_alloc. */
#define SCOPED_FREE  RELEASED_BY(scoped_free)
#define SCOPED_ARENA RELEASED_BY(base_arena_release) base_arena

/* Types of other folders; a test includes their headers itself. */
#define SCOPED_MESH    RELEASED_BY(geo_mesh_release) geo_mesh
#define SCOPED_REPORT  RELEASED_BY(geo_mesh_report_release) geo_mesh_report
#define SCOPED_PACKING RELEASED_BY(alg_ist_packing_release) alg_ist_packing
#define SCOPED_PAIR    RELEASED_BY(pair_close) pair

#endif
