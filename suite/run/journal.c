#include "suite/run/journal.h"

#include "base/file.h"
#include "base/memory.h"
#include "suite/results/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const uint64_t journal_magic = 0x33737365736170u; /* "passes3" */

typedef struct journal_header {
    uint64_t magic, frame_count;
    uint64_t sizes[6]; /* of the structures in records */
    base_hash inputs;
    base_hash check; /* of the members above */
} journal_header;

typedef enum record_kind {
    RECORD_BUILD = 1,
    RECORD_ANSWERS,
    RECORD_PASS,
    RECORD_END,
    RECORD_DETAILS,
} record_kind;

/** Precedes the bytes of each record. */
typedef struct record_header {
    uint64_t kind, bytes;
    base_hash check; /* hash of kind, bytes and the bytes of the record */
} record_header;

/* --- Records ---------------------------------------------------------------------------------- */

/** A record to be appended: a structure followed by an array. */
typedef struct new_record {
    record_kind kind;
    const void *head;
    size_t head_bytes;
    const void *tail;
    size_t tail_bytes;
} new_record;

static base_status check_of(uint64_t kind, const void *head, size_t head_bytes, const void *tail,
                            size_t tail_bytes, base_hash *check, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_hasher_add(hasher, &kind, sizeof kind);
    base_hasher_add(hasher, head, head_bytes);
    base_hasher_add(hasher, tail, tail_bytes);
    *check = base_hasher_finish(hasher);
    return BASE_OK;
}

/**
 * Writes all parts and syncs. A record that a full disk truncates is cut off by the next
 * bench_journal_open.
 */
static base_status write_all(const bench_journal *journal, struct iovec *parts, int count,
                             base_error *err)
{
    while (count > 0) {
        const ssize_t written = writev(journal->descriptor, parts, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", journal->path,
                             strerror(errno));
        }
        size_t left = (size_t)written;
        while (count > 0 && left >= parts->iov_len) {
            left -= parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + left;
            parts->iov_len -= left;
        }
    }
    if (fdatasync(journal->descriptor) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", journal->path,
                         strerror(errno));
    }
    return BASE_OK;
}

/** Removes const: struct iovec has a non-const pointer also for data that writev only reads. */
static void *unconst(const void *bytes)
{
    return (void *)(uintptr_t)bytes;
}

static base_status append(bench_journal *journal, const new_record *r, base_error *err)
{
    record_header header = {.kind = r->kind, .bytes = r->head_bytes + r->tail_bytes};
    const base_status status =
        check_of(header.kind, r->head, r->head_bytes, r->tail, r->tail_bytes, &header.check, err);
    struct iovec parts[] = {{&header, sizeof header},
                            {unconst(r->head), r->head_bytes},
                            {unconst(r->tail), r->tail_bytes}};
    return status == BASE_OK ? write_all(journal, parts, 3, err) : status;
}

base_status bench_journal_build(bench_journal *journal, const bench_build *build, base_error *err)
{
    return append(journal, &(new_record){RECORD_BUILD, build, sizeof *build, NULL, 0}, err);
}

base_status bench_journal_answers(bench_journal *journal, const alg_answer *answers,
                                  base_error *err)
{
    const size_t bytes = journal->frame_count * sizeof *answers;
    return append(journal, &(new_record){RECORD_ANSWERS, answers, bytes, NULL, 0}, err);
}

base_status bench_journal_pass(bench_journal *journal, const bench_pass *pass,
                               const uint64_t *times_ns, base_error *err)
{
    const size_t bytes = journal->frame_count * sizeof *times_ns;
    return append(journal, &(new_record){RECORD_PASS, pass, sizeof *pass, times_ns, bytes}, err);
}

/**
 * Returns the size in bytes of the lists of these answers. *contacts_at: byte offset of the
 * contacts.
 */
static size_t lists_bytes(const alg_answer *answers, size_t frame_count, size_t *contacts_at)
{
    size_t regions = 0, contacts = 0;
    for (size_t f = 0; f < frame_count; f++) {
        regions += bench_regions_kept(&answers[f]);
        contacts += bench_contacts_kept(&answers[f]);
    }
    *contacts_at = regions * sizeof(alg_region);
    return *contacts_at + contacts * sizeof(alg_contact);
}

base_status bench_journal_details(bench_journal *journal, const alg_answer *answers,
                                  const alg_region *regions, const alg_contact *contacts,
                                  base_error *err)
{
    const size_t n = journal->frame_count;
    size_t contacts_at;
    const size_t bytes = lists_bytes(answers, n, &contacts_at);
    char *const lists = base_alloc(bytes + 1, 1);
    if (!lists) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    char *region = lists, *contact = lists + contacts_at;
    for (size_t f = 0; f < n; f++) {
        const size_t region_bytes = bench_regions_kept(&answers[f]) * sizeof *regions;
        const size_t contact_bytes = bench_contacts_kept(&answers[f]) * sizeof *contacts;
        memcpy(region, regions + f * BENCH_REGIONS_MAX, region_bytes);
        memcpy(contact, contacts + f * BENCH_CONTACTS_KEPT, contact_bytes);
        region += region_bytes;
        contact += contact_bytes;
    }
    const new_record details = {RECORD_DETAILS, answers, n * sizeof *answers, lists, bytes};
    const base_status status = append(journal, &details, err);
    base_free(lists);
    return status;
}

base_status bench_journal_end(bench_journal *journal, const bench_end *end, base_error *err)
{
    return append(journal, &(new_record){RECORD_END, end, sizeof *end, NULL, 0}, err);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/**
 * Reads the record at reader->at into reader->bytes and moves reader->at to its end. Returns false
 * on an error, or if the record is incomplete or has another hash.
 */
static bool read_record(bench_journal_reader *reader, record_header *header)
{
    const bench_journal *const journal = reader->journal;
    /* Upper bound of the size of a record. Details are the largest kind. A header with a larger
     * size was not written completely. */
    const size_t most =
        sizeof(bench_end) + sizeof(bench_pass) +
        journal->frame_count * (sizeof(alg_answer) + BENCH_REGIONS_MAX * sizeof(alg_region) +
                                BENCH_CONTACTS_KEPT * sizeof(alg_contact));
    const off_t bytes_at = reader->at + (off_t)sizeof *header;
    if (pread(journal->descriptor, header, sizeof *header, reader->at) != (ssize_t)sizeof *header ||
        header->bytes > most) {
        return false;
    }
    reader->status = base_grow(&reader->bytes, &reader->capacity, header->bytes, 1, &reader->err);
    if (reader->status != BASE_OK || pread(journal->descriptor, reader->bytes, header->bytes,
                                           bytes_at) != (ssize_t)header->bytes) {
        return false;
    }
    base_hash check;
    reader->status =
        check_of(header->kind, reader->bytes, header->bytes, NULL, 0, &check, &reader->err);
    if (reader->status != BASE_OK || check.hi != header->check.hi || check.lo != header->check.lo) {
        return false;
    }
    reader->at = bytes_at + (off_t)header->bytes;
    return true;
}

/**
 * Sets the members of a record of details. Returns false if the lists do not have the lengths that
 * the answers state.
 */
static bool parse_details(size_t frame_count, const void *bytes, size_t size,
                          bench_journal_record *record)
{
    const alg_answer *const answers = bytes;
    const size_t answers_bytes = frame_count * sizeof *answers;
    size_t contacts_at;
    if (size < answers_bytes ||
        size != answers_bytes + lists_bytes(answers, frame_count, &contacts_at)) {
        return false;
    }
    const char *const lists = (const char *)(answers + frame_count);
    *record = (bench_journal_record){.details = answers,
                                     .regions = (const alg_region *)(const void *)lists,
                                     .contacts =
                                         (const alg_contact *)(const void *)(lists + contacts_at)};
    return true;
}

/** Sets the record. Returns false if its kind is not known, or its size is wrong for its kind. */
static bool parse_record(const bench_journal_reader *reader, const record_header *header,
                         bench_journal_record *record)
{
    const size_t n = reader->journal->frame_count, size = header->bytes;
    const void *const bytes = reader->bytes;
    switch ((record_kind)header->kind) {
    case RECORD_BUILD:
        *record = (bench_journal_record){.build = bytes};
        return size == sizeof(bench_build);
    case RECORD_ANSWERS:
        *record = (bench_journal_record){.answers = bytes};
        return size == n * sizeof(alg_answer);
    case RECORD_PASS:
        *record = (bench_journal_record){
            .pass = bytes, .times_ns = (const uint64_t *)((const bench_pass *)bytes + 1)};
        return size == sizeof(bench_pass) + n * sizeof(uint64_t);
    case RECORD_DETAILS:
        return parse_details(n, bytes, size, record);
    case RECORD_END:
        *record = (bench_journal_record){.end = bytes};
        return size == sizeof(bench_end);
    }
    return false;
}

bool bench_journal_next(bench_journal_reader *reader, bench_journal_record *record)
{
    record_header header;
    if (reader->at == 0) {
        reader->at = (off_t)sizeof(journal_header);
    }
    while (read_record(reader, &header)) {
        if (parse_record(reader, &header, record)) {
            return true;
        }
    }
    return false;
}

base_status bench_journal_stop(bench_journal_reader *reader, base_status status, base_error *err)
{
    base_free(reader->bytes);
    reader->bytes = NULL;
    if (status == BASE_OK && reader->status != BASE_OK) {
        *err = reader->err;
        return reader->status;
    }
    return status;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static base_status make_header(base_hash inputs, size_t frame_count, journal_header *header,
                               base_error *err)
{
    *header = (journal_header){
        .magic = journal_magic,
        .frame_count = frame_count,
        .sizes = {sizeof(bench_build), sizeof(alg_answer), sizeof(bench_pass), sizeof(bench_end),
                  sizeof(alg_region), sizeof(alg_contact)},
        .inputs = inputs,
    };
    return check_of(0, header, offsetof(journal_header, check), NULL, 0, &header->check, err);
}

/** Reads the header and compares it with the expected one. */
static base_status compare_header(const bench_journal *journal, const journal_header *expected,
                                  base_error *err)
{
    journal_header found;
    if (pread(journal->descriptor, &found, sizeof found, 0) != (ssize_t)sizeof found ||
        found.magic != expected->magic ||
        memcmp(found.sizes, expected->sizes, sizeof found.sizes) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' is no record of passes of this version",
                         journal->path);
    }
    if (memcmp(&found, expected, sizeof found) != 0) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "cannot resume: '%s' was measured with other inputs, another mode or "
                         "another build",
                         journal->path);
    }
    return BASE_OK;
}

/** Checks the header, and truncates the file after the last complete record. */
static base_status open_existing(bench_journal *journal, const journal_header *header,
                                 base_error *err)
{
    bench_journal_reader reader = {.journal = journal};
    bench_journal_record record;
    base_status status = compare_header(journal, header, err);
    if (status != BASE_OK) {
        return status;
    }
    while (bench_journal_next(&reader, &record)) {
    }
    const off_t end = reader.at;
    status = bench_journal_stop(&reader, BASE_OK, err);
    if (status == BASE_OK && (ftruncate(journal->descriptor, end) != 0 ||
                              lseek(journal->descriptor, end, SEEK_SET) != end)) {
        status = base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", journal->path,
                           strerror(errno));
    }
    return status;
}

base_status bench_journal_open(const char *path, base_hash inputs, size_t frame_count,
                               bench_journal *journal, base_error *err)
{
    journal_header header;
    *journal = (bench_journal){.descriptor = -1, .frame_count = frame_count};
    if ((size_t)snprintf(journal->path, sizeof journal->path, "%s", path) >= sizeof journal->path) {
        return base_fail(err, BASE_ERR_ARGUMENT, "path of %zu bytes is too long", strlen(path));
    }
    base_status status = make_header(inputs, frame_count, &header, err);
    if (status == BASE_OK) {
        status = base_folder_make_parents(path, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    journal->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (journal->descriptor < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    const off_t size = lseek(journal->descriptor, 0, SEEK_END);
    if (size >= (off_t)sizeof header) {
        status = open_existing(journal, &header, err);
    } else {
        /* The file is new, or the process was killed before the header was complete. */
        struct iovec part = {&header, sizeof header};
        status =
            ftruncate(journal->descriptor, 0) == 0 && lseek(journal->descriptor, 0, SEEK_SET) == 0
                ? write_all(journal, &part, 1, err)
                : base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
    }
    if (status != BASE_OK) {
        bench_journal_close(journal);
    }
    return status;
}

void bench_journal_close(bench_journal *journal)
{
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
    }
    journal->descriptor = -1;
}
