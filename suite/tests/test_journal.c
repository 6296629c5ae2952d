/**
 * A journal is truncated at every byte, and every byte is changed: all complete records before this
 * byte must stay.
 */
#include "base/tests/support.h"
#include "suite/run/journal.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 2, PASSES = 3, FILE_BYTES = 1 << 15 };

static const base_hash inputs = {1, 2};

/** Number of records of each kind that a reader found. */
typedef struct seen {
    size_t builds, answers, details, passes, ends;
    char detail[64];
} seen;

/**
 * Checks the details: the first frame has a region and two contacts, the second more of both than
 * are kept.
 */
static void see_details(const bench_journal_record *r)
{
    const alg_answer *const answers = r->details;
    cr_assert(answers[0].region_count == 1 && answers[1].region_count == 40);
    cr_assert(answers[0].contact_count == 2 && answers[1].contact_count == 1000);
    for (int i = 0; i <= BENCH_REGIONS_MAX; i++) {
        cr_assert_eq(r->regions[i].depth_m, i == 0 ? 7 : 99 + i, "region %d", i);
    }
    for (int i = 0; i < 2 + BENCH_CONTACTS_KEPT; i++) {
        cr_assert_eq(r->contacts[i].depth_m, i < 2 ? 8 + i : 198 + i, "contact %d", i);
    }
}

/** Checks that a record has exactly one content, and counts it. */
static void see(const bench_journal_record *r, seen *s)
{
    cr_assert_eq(!!r->build + !!r->answers + !!r->pass + !!r->details + !!r->end, 1);
    if (r->build) {
        cr_assert_eq(r->build->build[1].build_ns, 17);
        s->builds++;
    } else if (r->answers) {
        cr_assert_eq(r->answers[1].distance_m, 0.25);
        s->answers++;
    } else if (r->pass) {
        cr_assert_eq(r->pass->round, s->passes);
        cr_assert_eq(r->times_ns[0], 100 + s->passes);
        cr_assert_eq(r->times_ns[1], 200 + s->passes);
        s->passes++;
    } else if (r->details) {
        see_details(r);
        s->details++;
    } else {
        s->ends++;
        snprintf(s->detail, sizeof s->detail, "%.60s", r->end->detail);
    }
}

static base_status look(const bench_journal *journal, seen *s, base_error *err)
{
    bench_journal_reader reader = {.journal = journal};
    bench_journal_record record;
    *s = (seen){0};
    while (bench_journal_next(&reader, &record)) {
        see(&record, s);
    }
    cr_assert_not(bench_journal_next(&reader, &record), "it has ended");
    return bench_journal_stop(&reader, BASE_OK, err);
}

static void append_pass(bench_journal *journal, uint32_t round)
{
    const bench_pass pass = {.round = round};
    const uint64_t times_ns[FRAMES] = {100 + round, 200 + round};
    assert_ok(bench_journal_pass(journal, &pass, times_ns, ERR));
}

static void append_details(bench_journal *journal)
{
    const uint32_t lists = ALG_HAS_REGIONS | ALG_HAS_CONTACTS;
    const alg_answer answers[FRAMES] = {
        {.answered = lists, .region_count = 1, .contact_count = 2},
        {.answered = lists, .region_count = 40, .contact_count = 1000},
    };
    alg_region regions[FRAMES * BENCH_REGIONS_MAX] = {{.depth_m = 7}};
    alg_contact contacts[FRAMES * BENCH_CONTACTS_KEPT] = {{.depth_m = 8}, {.depth_m = 9}};
    for (int i = 0; i < BENCH_REGIONS_MAX; i++) {
        regions[BENCH_REGIONS_MAX + i].depth_m = 100 + i;
    }
    for (int i = 0; i < BENCH_CONTACTS_KEPT; i++) {
        contacts[BENCH_CONTACTS_KEPT + i].depth_m = 200 + i;
    }
    assert_ok(bench_journal_details(journal, answers, regions, contacts, ERR));
}

/** Writes a journal with a build, answers, PASSES passes, details and an end. */
static void fill(const char *path)
{
    bench_journal journal;
    const bench_build build = {.build[1].build_ns = 17};
    const alg_answer answers[FRAMES] = {{.distance_m = 0.5}, {.distance_m = 0.25}};
    const bench_end end = {.status = BENCH_CELL_CRASH, .detail = "by hand"};
    assert_ok(bench_journal_open(path, inputs, FRAMES, &journal, ERR));
    assert_ok(bench_journal_build(&journal, &build, ERR));
    assert_ok(bench_journal_answers(&journal, answers, ERR));
    for (uint32_t p = 0; p < PASSES; p++) {
        append_pass(&journal, p);
    }
    append_details(&journal);
    assert_ok(bench_journal_end(&journal, &end, ERR));
    bench_journal_close(&journal);
}

static size_t read_bytes(const char *path, char *bytes)
{
    FILE *const file = fopen(path, "rb");
    cr_assert_not_null(file);
    const size_t size = fread(bytes, 1, FILE_BYTES, file);
    fclose(file);
    cr_assert_lt(size, FILE_BYTES);
    return size;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *const file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void make_path(char *path)
{
    strcpy(path, "/tmp/proxbench-journal-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
    strcat(path, "/a.passes");
}

static void remove_path(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

Test(journal, what_is_written_is_read)
{
    char path[64];
    bench_journal journal;
    seen s;
    make_path(path);
    fill(path);
    assert_ok(bench_journal_open(path, inputs, FRAMES, &journal, ERR));
    assert_ok(look(&journal, &s, ERR));
    cr_assert(s.builds == 1 && s.answers == 1 && s.passes == PASSES && s.ends == 1);
    cr_assert_eq(s.details, 1);
    cr_assert_str_eq(s.detail, "by hand");
    bench_journal_close(&journal);
    remove_path(path);
}

/**
 * Checks that a reopened journal contains only complete records, and that a pass can be appended.
 */
static void expect_whole(const char *path, size_t size)
{
    bench_journal journal;
    seen s, more;
    base_error err = {0};
    cr_assert_eq(bench_journal_open(path, inputs, FRAMES, &journal, &err), BASE_OK,
                 "cut at %zu: %s", size, err.text);
    cr_assert_eq(look(&journal, &s, &err), BASE_OK, "cut at %zu: %s", size, err.text);
    append_pass(&journal, (uint32_t)s.passes);
    cr_assert_eq(look(&journal, &more, &err), BASE_OK, "cut at %zu: %s", size, err.text);
    cr_assert(more.builds == s.builds && more.answers == s.answers && more.passes == s.passes + 1,
              "cut at %zu: %zu passes became %zu", size, s.passes, more.passes);
    bench_journal_close(&journal);
}

Test(journal, cut_at_any_byte_it_goes_on_from_the_last_whole_record)
{
    static char bytes[FILE_BYTES];
    char path[64];
    make_path(path);
    fill(path);
    const size_t size = read_bytes(path, bytes);
    for (size_t cut = 0; cut < size; cut += 7 * sweep_step(5)) {
        write_bytes(path, bytes, cut);
        expect_whole(path, cut);
    }
    remove_path(path);
}

/**
 * A changed byte ends the journal before its record, or makes the header that of another journal.
 */
Test(journal, a_changed_byte_is_found)
{
    static char bytes[FILE_BYTES];
    char path[64];
    make_path(path);
    fill(path);
    const size_t size = read_bytes(path, bytes);
    for (size_t at = 0; at < size; at += 5 * sweep_step(5)) {
        bench_journal journal;
        seen s = {0};
        base_error err = {0};
        bytes[at] ^= 0x40;
        write_bytes(path, bytes, size);
        bytes[at] ^= 0x40;
        if (bench_journal_open(path, inputs, FRAMES, &journal, &err) == BASE_OK) {
            cr_assert_eq(look(&journal, &s, &err), BASE_OK, "byte %zu: %s", at, err.text);
            bench_journal_close(&journal);
        }
        cr_assert_eq(s.ends, 0, "byte %zu was changed, and everything is there", at);
    }
    remove_path(path);
}

Test(journal, another_run_s_journal_is_refused)
{
    char path[64];
    bench_journal journal;
    base_error err = {0};
    make_path(path);
    fill(path);
    const base_hash others = {1, 3};
    cr_assert_eq(bench_journal_open(path, others, FRAMES, &journal, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "another build"), "%s", err.text);
    cr_assert_eq(bench_journal_open(path, inputs, FRAMES + 1, &journal, &err), BASE_ERR_ARGUMENT);
    cr_assert_eq(journal.descriptor, -1);
    remove_path(path);
}

Test(journal, a_full_disk_is_an_error_with_the_path)
{
    bench_journal journal = {.frame_count = FRAMES, .path = "/dev/full"};
    base_error err = {0};
    FILE *const full = fopen("/dev/full", "wb");
    cr_assert_not_null(full);
    journal.descriptor = fileno(full);
    const bench_end end = {.status = BENCH_CELL_WRONG};
    cr_assert_eq(bench_journal_end(&journal, &end, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot write '/dev/full': No space left on device");
    fclose(full);
}

/** An error of the caller has priority over an error of the journal. */
Test(journal, the_status_of_a_reading_is_kept)
{
    base_error err = {0};
    bench_journal_reader good = {.status = BASE_OK};
    bench_journal_reader bad = {.status = BASE_ERR_MEMORY, .err = {.text = "out of memory"}};
    cr_expect_eq(bench_journal_stop(&good, BASE_ERR_INPUT, &err), BASE_ERR_INPUT);
    cr_expect_eq(bench_journal_stop(&bad, BASE_ERR_INPUT, &err), BASE_ERR_INPUT);
    cr_expect_str_empty(err.text);
    cr_expect_eq(bench_journal_stop(&bad, BASE_OK, &err), BASE_ERR_MEMORY);
    cr_expect_str_eq(err.text, "out of memory");
}
