/**
 * Room for the lists of an answer: contacts, pairs of triangles, regions.
 *
 * A buffer is followed by a page that is looked at after a query, and that by a page which nobody
 * can touch: who writes a little beyond a buffer is named, and who writes far beyond dies of it.
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

/** "contacts", "pairs", "regions" */
const char *bench_list_name(bench_list list);

/** Most entries of one buffer. */
#define BENCH_LIST_MAX ((uint32_t)1 << 24)

typedef struct bench_buffer {
    char *items; /* NULL: no room was asked */
    uint32_t capacity;
    void *mapping; /* owned */
    size_t mapped_bytes;
} bench_buffer;

/** Zeroed: no buffer. */
typedef struct bench_buffers {
    bench_buffer lists[BENCH_LIST_COUNT];
} bench_buffers;

/**
 * Makes those that the request says there is room for.
 * Errors: BASE_ERR_ARGUMENT for more than BENCH_LIST_MAX entries, BASE_ERR_MEMORY; *buffers needs
 * no close then.
 */
base_status bench_buffers_open(const alg_request *request, bench_buffers *buffers,
                               base_error *err) BASE_MUST_CHECK;
void bench_buffers_close(bench_buffers *buffers);

/**
 * Gives a cleared answer its buffers, filled with what is no entry: one that is counted and not
 * filled in is found out.
 */
void bench_buffers_lend(const bench_buffers *buffers, alg_answer *answer);

/** After the query: takes them out of the answer, whatever it has made of them. */
void bench_buffers_take_back(alg_answer *answer);

/** Was something written beyond this buffer since it was lent? */
bool bench_buffer_overrun(const bench_buffers *buffers, bench_list list);

/** Entries of a list that the answer has and the buffer has room for; at most its capacity. */
size_t bench_buffer_count(const bench_buffers *buffers, bench_list list, const alg_answer *answer);

/** The lists themselves: bench_buffer_count of them may be read. */
const alg_contact *bench_buffer_contacts(const bench_buffers *buffers);
const alg_face_pair *bench_buffer_pairs(const bench_buffers *buffers);
const alg_region *bench_buffer_regions(const bench_buffers *buffers);

#endif
