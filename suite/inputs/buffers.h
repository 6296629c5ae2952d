/**
 * Room for the lists of an answer: contacts, pairs of triangles, regions.
 *
 * A buffer is followed by a check page, which is examined after a query, and by a page without
 * access. A write shortly beyond a buffer is detected and reported; a write far beyond crashes the
 * process.
 */
#ifndef SUITE_BUFFERS_H
#define SUITE_BUFFERS_H

#include "algorithms/algorithms.h"
#include "base/error.h"

typedef enum bench_list {
    BENCH_LIST_CONTACTS,
    BENCH_LIST_PAIRS,
    BENCH_LIST_REGIONS,
    BENCH_LIST_COUNT
} bench_list;

/** Returns "contacts", "pairs" or "regions". */
const char *bench_list_name(bench_list list);

/** The largest number of entries of one buffer. */
#define BENCH_LIST_MAX ((uint32_t)1 << 24)

typedef struct bench_buffer {
    char *items; /* NULL if no room was requested */
    uint32_t capacity;
    void *mapping; /* owned */
    size_t mapped_bytes;
} bench_buffer;

/** A zeroed struct has no buffers. */
typedef struct bench_buffers {
    bench_buffer lists[BENCH_LIST_COUNT];
} bench_buffers;

/**
 * Makes the buffers for which the request has room.
 * Errors: BASE_ERR_ARGUMENT for more than BENCH_LIST_MAX entries, BASE_ERR_MEMORY. Then *buffers
 * needs no close.
 */
base_status bench_buffers_open(const alg_request *request, bench_buffers *buffers,
                               base_error *err) BASE_MUST_CHECK;
void bench_buffers_close(bench_buffers *buffers);

/**
 * Gives a cleared answer its buffers, filled with invalid entries, so that an entry that is counted
 * but not filled in is detected.
 */
void bench_buffers_lend(const bench_buffers *buffers, alg_answer *answer);

/** Removes the buffers from the answer after the query, whatever the query did to them. */
void bench_buffers_take_back(alg_answer *answer);

/** True if something was written beyond this buffer since it was lent. */
bool bench_buffer_overrun(const bench_buffers *buffers, bench_list list);

/**
 * Returns the number of entries of a list, limited by the capacity of the buffer; 0 if the answer
 * does not claim the list.
 */
size_t bench_buffer_count(const bench_buffers *buffers, bench_list list, const alg_answer *answer);

/** Return the entries of a list; only bench_buffer_count of them may be read. */
const alg_contact *bench_buffer_contacts(const bench_buffers *buffers);
const alg_face_pair *bench_buffer_pairs(const bench_buffers *buffers);
const alg_region *bench_buffer_regions(const bench_buffers *buffers);

#endif
