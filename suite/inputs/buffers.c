#include "suite/inputs/buffers.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * Byte that fills a buffer before a query. As a double it gives NaN, as a triangle index a value
 * beyond all triangles.
 */
static const int UNFILLED = 0xff;

/** Byte that fills the check page after a buffer. */
static const char UNTOUCHED = 0x5a;

/** The members of an answer that describe each list. */
static const struct list {
    const char *name;
    size_t entry_bytes;
    uint32_t has;
    size_t count; /* offset of the count */
} lists[BENCH_LIST_COUNT] = {
    [BENCH_LIST_CONTACTS] = {"contacts", sizeof(alg_contact), ALG_HAS_CONTACTS,
                             offsetof(alg_answer, contact_count)},
    [BENCH_LIST_PAIRS] = {"pairs", sizeof(alg_face_pair), ALG_HAS_PAIRS,
                          offsetof(alg_answer, pair_count)},
    [BENCH_LIST_REGIONS] = {"regions", sizeof(alg_region), ALG_HAS_REGIONS,
                            offsetof(alg_answer, region_count)},
};

const char *bench_list_name(bench_list list)
{
    return lists[list].name;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/**
 * Maps a buffer: [unused bytes, so that the entries end at a page boundary][entries][check page]
 * [page without access].
 */
static base_status open_buffer(bench_list list, uint32_t capacity, bench_buffer *buffer,
                               base_error *err)
{
    if (capacity > BENCH_LIST_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "there is no room for more than %u %s",
                         BENCH_LIST_MAX, lists[list].name);
    }
    if (capacity == 0) {
        return BASE_OK;
    }
    const size_t page = page_bytes(), bytes = capacity * lists[list].entry_bytes;
    const size_t used = (bytes + page - 1) / page * page;
    char *const base =
        mmap(NULL, used + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u %s", capacity,
                         lists[list].name);
    }
    *buffer = (bench_buffer){.items = base + used - bytes,
                             .capacity = capacity,
                             .mapping = base,
                             .mapped_bytes = used + 2 * page};
    return mprotect(base + used + page, page, PROT_NONE) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "cannot guard a buffer of %s", lists[list].name);
}

base_status bench_buffers_open(const alg_request *request, bench_buffers *buffers, base_error *err)
{
    const uint32_t capacities[BENCH_LIST_COUNT] = {
        [BENCH_LIST_CONTACTS] = request->contacts_max,
        [BENCH_LIST_PAIRS] = request->pairs_max,
        [BENCH_LIST_REGIONS] = request->regions_max,
    };
    *buffers = (bench_buffers){0};
    for (int i = 0; i < BENCH_LIST_COUNT; i++) {
        const base_status status =
            open_buffer((bench_list)i, capacities[i], &buffers->lists[i], err);
        if (status != BASE_OK) {
            bench_buffers_close(buffers);
            return status;
        }
    }
    return BASE_OK;
}

void bench_buffers_close(bench_buffers *buffers)
{
    for (int i = 0; i < BENCH_LIST_COUNT; i++) {
        if (buffers->lists[i].mapping) {
            munmap(buffers->lists[i].mapping, buffers->lists[i].mapped_bytes);
        }
    }
    *buffers = (bench_buffers){0};
}

/** Returns the check page after the entries. */
static char *check_page(const bench_buffers *buffers, bench_list list)
{
    const bench_buffer *const b = &buffers->lists[list];
    return b->items + b->capacity * lists[list].entry_bytes;
}

void bench_buffers_lend(const bench_buffers *buffers, alg_answer *answer)
{
    for (int i = 0; i < BENCH_LIST_COUNT; i++) {
        const bench_buffer *const b = &buffers->lists[i];
        if (b->items) {
            memset(b->items, UNFILLED, b->capacity * lists[i].entry_bytes);
            memset(check_page(buffers, (bench_list)i), UNTOUCHED, page_bytes());
        }
    }
    answer->contacts = (alg_contact *)(void *)buffers->lists[BENCH_LIST_CONTACTS].items;
    answer->pairs = (alg_face_pair *)(void *)buffers->lists[BENCH_LIST_PAIRS].items;
    answer->regions = (alg_region *)(void *)buffers->lists[BENCH_LIST_REGIONS].items;
    answer->contact_capacity = buffers->lists[BENCH_LIST_CONTACTS].capacity;
    answer->pair_capacity = buffers->lists[BENCH_LIST_PAIRS].capacity;
    answer->region_capacity = buffers->lists[BENCH_LIST_REGIONS].capacity;
}

void bench_buffers_take_back(alg_answer *answer)
{
    answer->contacts = NULL;
    answer->pairs = NULL;
    answer->regions = NULL;
    answer->contact_capacity = answer->pair_capacity = answer->region_capacity = 0;
}

bool bench_buffer_overrun(const bench_buffers *buffers, bench_list list)
{
    if (!buffers->lists[list].items) {
        return false;
    }
    const char *const page = check_page(buffers, list);
    return page[0] != UNTOUCHED || memcmp(page, page + 1, page_bytes() - 1) != 0;
}

size_t bench_buffer_count(const bench_buffers *buffers, bench_list list, const alg_answer *answer)
{
    uint32_t count;
    memcpy(&count, (const char *)answer + lists[list].count, sizeof count);
    const uint32_t capacity = buffers->lists[list].capacity;
    return !(answer->answered & lists[list].has) ? 0 : count < capacity ? count : capacity;
}

const alg_contact *bench_buffer_contacts(const bench_buffers *buffers)
{
    return (const alg_contact *)(const void *)buffers->lists[BENCH_LIST_CONTACTS].items;
}

const alg_face_pair *bench_buffer_pairs(const bench_buffers *buffers)
{
    return (const alg_face_pair *)(const void *)buffers->lists[BENCH_LIST_PAIRS].items;
}

const alg_region *bench_buffer_regions(const bench_buffers *buffers)
{
    return (const alg_region *)(const void *)buffers->lists[BENCH_LIST_REGIONS].items;
}
