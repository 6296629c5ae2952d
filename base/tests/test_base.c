#include "base/containers.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

/** Checks for leaks, which Criterion does not detect by itself. */
static void no_leak(void)
{
#ifdef __SANITIZE_ADDRESS__
    cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory leaked");
#endif
}

/* --- Errors ----------------------------------------------------------------------------------- */

Test(base, fail_fills_the_error_and_returns_its_status)
{
    base_error err = {0};
    const base_status status =
        base_fail(&err, BASE_ERR_INPUT, "'%s' line %d: %s", "x.off", 12, "bad");
    cr_assert_eq(status, BASE_ERR_INPUT);
    cr_assert_eq(err.status, BASE_ERR_INPUT);
    cr_assert_str_eq(err.text, "'x.off' line 12: bad");
    cr_assert_eq(base_fail(NULL, BASE_ERR_SYSTEM, "no caller %s", "listens"), BASE_ERR_SYSTEM);
}

Test(base, a_message_is_one_line_that_fits)
{
    base_error err = {0};
    base_fail(&err, BASE_ERR_INPUT, "%s", "two\nlines\twith \x1b[31m colour \x7f and \xc3\xa9");
    cr_assert_str_eq(err.text, "two?lines?with ?[31m colour ? and \xc3\xa9");

    char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    base_fail(&err, BASE_ERR_INPUT, "%s", longer);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static bool is_zero(const void *storage, size_t size)
{
    const unsigned char *const bytes = storage;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

Test(base, storage_is_zeroed_and_aligned)
{
    for (size_t size = 0; size <= 300; size += 7) {
        for (int again = 0; again < 2; again++) { /* the second allocation may get used storage */
            unsigned char *const storage = base_alloc(size, 3);
            cr_assert_not_null(storage, "size %zu", size);
            cr_assert_eq((uintptr_t)storage % 64, 0, "size %zu", size);
            cr_assert(is_zero(storage, 3 * size), "size %zu", size);
            memset(storage, 0xee, 3 * size);
            base_free(storage);
        }
    }
    base_free(NULL);
    no_leak();
}

Test(base, impossible_sizes_are_out_of_memory)
{
    cr_assert_null(base_alloc(SIZE_MAX, 2));
    cr_assert_null(base_alloc(SIZE_MAX / 8 + 1, 8), "the product wraps to 0");
    cr_assert_null(base_alloc(SIZE_MAX, 1), "rounding up to the alignment would wrap");
    cr_assert_null(base_alloc((size_t)PTRDIFF_MAX, 1));
    SCOPED_ARENA arena = {0};
    cr_assert_null(base_arena_alloc(&arena, SIZE_MAX, 2));
    cr_assert_null(base_arena_alloc(&arena, SIZE_MAX, 1));
    cr_assert_null(base_arena_alloc(&arena, (size_t)PTRDIFF_MAX, 1));
    cr_assert_eq(arena.bytes, 0);
}

Test(base, the_hook_lets_n_allocations_pass)
{
    for (size_t n = 0; n < 5; n++) {
        void *storage[8];
        base_memory_fail_after(n);
        for (size_t i = 0; i < 8; i++) {
            storage[i] = base_alloc(1, 8);
            cr_assert_eq(storage[i] != NULL, i < n, "n %zu, allocation %zu", n, i);
        }
        base_memory_fail_after(SIZE_MAX);
        for (size_t i = 0; i < 8; i++) {
            base_free(storage[i]);
        }
    }
    void *const storage = base_alloc(1, 8);
    cr_assert_not_null(storage);
    base_free(storage);
    no_leak();
}

Test(base, grow_doubles_keeps_and_zeroes)
{
    uint32_t *items = NULL;
    size_t capacity = 0;
    for (uint32_t n = 0; n < 1000; n++) {
        const size_t before = capacity;
        cr_assert_eq(base_grow((void **)&items, &capacity, n + 1, sizeof *items, NULL), BASE_OK);
        cr_assert_geq(capacity, n + 1);
        cr_assert(capacity == before || capacity >= 2 * before, "%zu after %zu", capacity, before);
        cr_assert_eq(items[n], 0, "the grown part is zeroed, item %u", n);
        items[n] = 7 * n;
        for (uint32_t i = 0; i <= n; i++) {
            cr_assert_eq(items[i], 7 * i);
        }
    }
    cr_assert_leq(capacity, 2000);

    uint32_t *const kept = items;
    const size_t kept_capacity = capacity;
    base_error err = {0};
    base_memory_fail_after(0);
    cr_assert_eq(base_grow((void **)&items, &capacity, capacity, sizeof *items, &err), BASE_OK,
                 "what is there needs no allocation");
    cr_assert_eq(base_grow((void **)&items, &capacity, capacity + 1, sizeof *items, &err),
                 BASE_ERR_MEMORY);
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(err.status, BASE_ERR_MEMORY);
    cr_assert_eq(base_grow((void **)&items, &capacity, SIZE_MAX, sizeof *items, &err),
                 BASE_ERR_MEMORY);
    cr_assert_eq(items, kept);
    cr_assert_eq(capacity, kept_capacity);
    cr_assert_eq(items[999], 7 * 999);
    base_free(items);
    no_leak();
}

/** Returns the size of the i-th piece: 0, small, a block, more than the largest block. */
static size_t piece_size(base_random *random, size_t i)
{
    const size_t most[] = {1, 100, 5000, 40000};
    return i == 500 ? 3000000 : (size_t)base_random_below(random, most[i % 4]);
}

Test(base, arena_pieces_are_zeroed_aligned_and_apart)
{
    enum { COUNT = 1000 };
    static unsigned char *pieces[COUNT];
    static size_t sizes[COUNT];
    base_random random = base_random_seed(1);
    base_arena arena = {0};
    for (int round = 0; round < 2; round++) { /* a released arena is empty and usable */
        size_t sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            sizes[i] = piece_size(&random, i);
            pieces[i] = base_arena_alloc(&arena, sizes[i], 1);
            cr_assert_not_null(pieces[i]);
            cr_assert_eq((uintptr_t)pieces[i] % 64, 0, "piece %zu of %zu", i, sizes[i]);
            cr_assert(is_zero(pieces[i], sizes[i]), "piece %zu of %zu", i, sizes[i]);
            memset(pieces[i], (int)(i % 255) + 1, sizes[i]);
            sum += sizes[i];
        }
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; j < sizes[i]; j++) {
                cr_assert_eq(pieces[i][j], i % 255 + 1, "piece %zu was overwritten", i);
            }
        }
        cr_assert_geq(arena.bytes, sum);
        cr_assert_leq(arena.bytes, sum + COUNT * 64);
        base_arena_release(&arena);
        cr_assert_null(arena.blocks);
        cr_assert_eq(arena.bytes, 0);
    }
    no_leak();
}

Test(base, small_pieces_share_few_blocks)
{
    SCOPED_ARENA arena = {0};
    base_memory_fail_after(15);
    for (int i = 0; i < 100000; i++) {
        cr_assert_not_null(base_arena_alloc(&arena, 8, 8), "piece %d", i);
    }
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(arena.bytes, 6400000);
}

Test(base, a_large_piece_does_not_waste_the_block_before_it)
{
    SCOPED_ARENA arena = {0};
    cr_assert_not_null(base_arena_alloc(&arena, 1, 1));
    cr_assert_not_null(base_arena_alloc(&arena, 10000000, 1));
    base_memory_fail_after(0);
    for (int i = 0; i < 50; i++) {
        cr_assert_not_null(base_arena_alloc(&arena, 64, 1), "piece %d", i);
    }
    base_memory_fail_after(SIZE_MAX);
}

Test(base, arena_out_of_memory_keeps_its_pieces)
{
    for (size_t n = 0; n < 4; n++) {
        SCOPED_ARENA arena = {0};
        base_memory_fail_after(n);
        size_t got = 0;
        unsigned char *last = NULL;
        for (unsigned char *p; (p = base_arena_alloc(&arena, 100000, 1)); got++) {
            last = p;
            last[99999] = 1;
        }
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(got > 0, n > 0, "%zu blocks allowed, %zu pieces", n, got);
        cr_assert_eq(got > 0, last && last[99999] == 1);
        cr_assert_not_null(base_arena_alloc(&arena, 100000, 1), "memory is back");
    }
    no_leak();
}

/* --- Threads ---------------------------------------------------------------------------------- */

typedef struct sweep {
    size_t chunk, count;
    _Atomic unsigned *visits;
    double *values;
    _Atomic size_t bad_chunks;
} sweep;

static void visit(void *context, size_t begin, size_t end)
{
    sweep *const s = context;
    const size_t full = begin + s->chunk;
    if (begin % s->chunk != 0 || end != (full < s->count ? full : s->count)) {
        atomic_fetch_add(&s->bad_chunks, 1);
    }
    double sum = 0; /* over the chunk: the chunks must not depend on the number of threads */
    for (size_t i = begin; i < end; i++) {
        atomic_fetch_add(&s->visits[i], 1);
        sum += 1.0 / (double)(i + 1);
        s->values[i] = sum;
    }
}

Test(base, parallel_for_gives_the_same_for_any_number_of_threads)
{
    enum { MOST = 5000 };
    static _Atomic unsigned visits[MOST];
    static double values[MOST], reference[MOST];
    const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, MOST};
    const size_t chunks[] = {1, 7, 64, 10000};
    const unsigned threads[] = {1, 2, 3, 7, 256, 5000, 0};
    for (size_t c = 0; c < 8; c++) {
        for (size_t k = 0; k < 4; k++) {
            for (size_t t = 0; t < 7; t++) {
                memset(visits, 0, sizeof visits);
                memset(values, 0, sizeof values);
                sweep s = {chunks[k], counts[c], visits, values, 0};
                base_parallel_for(counts[c], chunks[k], threads[t], visit, &s);
                cr_assert_eq(s.bad_chunks, 0, "count %zu, chunk %zu, threads %u", counts[c],
                             chunks[k], threads[t]);
                for (size_t i = 0; i < MOST; i++) {
                    cr_assert_eq(visits[i], i < counts[c], "item %zu, count %zu, threads %u", i,
                                 counts[c], threads[t]);
                }
                if (t == 0) {
                    memcpy(reference, values, sizeof values);
                }
                cr_assert_eq(memcmp(values, reference, sizeof values), 0,
                             "count %zu, chunk %zu, threads %u", counts[c], chunks[k], threads[t]);
            }
        }
    }
}

static void count_one(void *context, size_t begin, size_t end)
{
    atomic_fetch_add((_Atomic size_t *)context, end - begin);
}

Test(base, chunk_zero_means_one_item)
{
    _Atomic size_t visited = 0;
    base_parallel_for(10, 0, 2, count_one, &visited);
    cr_assert_eq(visited, 10);
}

static void meet(void *context, size_t begin, size_t end)
{
    (void)begin;
    (void)end;
    pthread_barrier_wait(context); /* without enough threads, the test runs into its timeout */
}

Test(base, as_many_threads_as_asked_for_run)
{
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 5);
    base_parallel_for(5, 1, 5, meet, &barrier);
    setenv("PROXBENCH_THREADS", "5", 1);
    base_parallel_for(5, 1, 0, meet, &barrier);
    pthread_barrier_destroy(&barrier);
}

typedef struct callers {
    pthread_t self;
    _Atomic size_t others;
} callers;

static void note_caller(void *context, size_t begin, size_t end)
{
    callers *const c = context;
    if (!pthread_equal(pthread_self(), c->self)) {
        atomic_fetch_add(&c->others, end - begin);
    }
}

Test(base, one_thread_is_the_callers)
{
    callers c = {pthread_self(), 0};
    base_parallel_for(1000, 1, 1, note_caller, &c);
    setenv("PROXBENCH_THREADS", "1", 1);
    base_parallel_for(1000, 1, 0, note_caller, &c);
    cr_assert_eq(c.others, 0);
}

Test(base, nonsense_in_the_environment_is_ignored)
{
    const char *const texts[] = {"", "0", "-3", "many", "3x", "99999999999999999999"};
    for (size_t i = 0; i < 6; i++) {
        setenv("PROXBENCH_THREADS", texts[i], 1);
        _Atomic size_t visited = 0;
        base_parallel_for(1000, 3, 0, count_one, &visited);
        cr_assert_eq(visited, 1000, "PROXBENCH_THREADS='%s'", texts[i]);
    }
}

static void *nothing(void *argument)
{
    return argument;
}

/* Stacks of 2^46 bytes: no thread can be created. */
Test(base, without_threads_the_caller_does_the_work)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, (size_t)1 << 46) != 0 ||
        pthread_setattr_default_np(&attributes) != 0) {
        cr_skip_test("skipped: the stack size cannot be set");
    }
    pthread_t thread;
    callers c = {pthread_self(), 0};
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
        cr_skip_test("skipped: threads can be made nevertheless");
    }
    _Atomic size_t visited = 0;
    base_parallel_for(1000, 3, 4, count_one, &visited);
    cr_assert_eq(visited, 1000);
    base_parallel_for(1000, 3, 4, note_caller, &c);
    cr_assert_eq(c.others, 0);
}

/* --- Hashes ----------------------------------------------------------------------------------- */

Test(base, hash_of_nothing_is_the_published_one)
{
    const base_hash_text text = base_hash_format(base_hasher_finish(base_hasher_create()));
    cr_assert_str_eq(text.hex, "99aa06d3014798d86001c324468d497f");
    cr_assert_str_eq(base_hash_format((base_hash){1, 0xabc}).hex,
                     "00000000000000010000000000000abc");
    no_leak();
}

Test(base, hash_does_not_depend_on_the_pieces)
{
    static unsigned char bytes[300000];
    base_random random = base_random_seed(2);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)base_random_u64(&random);
    }
    const size_t sizes[] = {1, 3, 16, 17, 128, 129, 240, 241, 1024, 1025, 65536, sizeof bytes};
    for (size_t s = 0; s < 12; s++) {
        const XXH128_hash_t whole = XXH3_128bits(bytes, sizes[s]);
        base_hasher *const hasher = base_hasher_create();
        for (size_t at = 0; at < sizes[s];) {
            size_t piece = (size_t)base_random_below(&random, 2000);
            piece = piece < sizes[s] - at ? piece : sizes[s] - at;
            base_hasher_add(hasher, bytes + at, piece);
            at += piece;
        }
        const base_hash hash = base_hasher_finish(hasher);
        cr_assert_eq(hash.hi, whole.high64, "size %zu", sizes[s]);
        cr_assert_eq(hash.lo, whole.low64, "size %zu", sizes[s]);
    }
    no_leak();
}

static base_hash hash_two(const char *a, const char *b)
{
    base_hasher *const hasher = base_hasher_create();
    base_hasher_add_text(hasher, a);
    base_hasher_add_text(hasher, b);
    return base_hasher_finish(hasher);
}

Test(base, texts_are_kept_apart)
{
    const base_hash x = hash_two("ab", "c"), y = hash_two("a", "bc"), z = hash_two("ab", "c");
    cr_assert(x.hi != y.hi || x.lo != y.lo);
    cr_assert(x.hi == z.hi && x.lo == z.lo);
    base_memory_fail_after(0);
    cr_assert_null(base_hasher_create());
    base_memory_fail_after(SIZE_MAX);
}

/* --- Contracts -------------------------------------------------------------------------------- */

#ifdef __SANITIZE_ADDRESS__
Test(base, the_sanitizer_sees_the_end_of_every_piece)
{
    SCOPED_ARENA arena = {0};
    for (size_t size = 0; size < 200; size++) {
        SCOPED_FREE char *const storage = base_alloc(size, 1);
        const char *const piece = base_arena_alloc(&arena, size, 1);
        cr_assert(size == 0 || (!__asan_address_is_poisoned(storage + size - 1) &&
                                !__asan_address_is_poisoned(piece + size - 1)));
        cr_assert(__asan_address_is_poisoned(piece + size), "size %zu", size);
        cr_assert(size == 0 || __asan_address_is_poisoned(storage + size), "size %zu", size);
    }
}
#endif

#ifndef NDEBUG
Test(base, a_broken_contract_aborts, .signal = SIGABRT)
{
    base_random random = base_random_seed(0);
    base_random_below(&random, 0);
}
#endif

/* --- Disjoint sets ---------------------------------------------------------------------------- */

/** Compared with labels that are rewritten at every join. */
Test(base, sets_equal_relabelling)
{
    enum { NUMBERS = 200 };
    base_random random = base_random_seed(82);
    uint32_t parent[NUMBERS], label[NUMBERS];
    base_sets_init(parent, NUMBERS);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        label[i] = i;
    }
    for (int joins = 0; joins < 250; joins++) {
        const uint32_t i = (uint32_t)base_random_below(&random, NUMBERS);
        const uint32_t j = (uint32_t)base_random_below(&random, NUMBERS);
        const uint32_t old = label[i] > label[j] ? label[i] : label[j];
        const uint32_t least = label[i] < label[j] ? label[i] : label[j];
        for (uint32_t k = 0; k < NUMBERS; k++) {
            label[k] = label[k] == old ? least : label[k];
        }
        base_sets_join(parent, i, j);
        for (uint32_t k = 0; k < NUMBERS; k++) {
            cr_assert_eq(base_sets_find(parent, k), label[k], "after %d joins, %u", joins, k);
        }
    }
}
