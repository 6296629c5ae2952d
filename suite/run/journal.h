/**
 * What a cell has measured so far, safe on disk: RUN/SCENARIO/VARIANT.passes.
 *
 * A journal is a header and records, each appended whole, with its hash, and synced before the run
 * goes on: whatever is killed at whatever moment, all complete passes are there. All other files
 * of a run are made from the journals. Binary, in the byte order of the machine; a reader stops at
 * the first record that is not whole.
 */
#ifndef SUITE_JOURNAL_H
#define SUITE_JOURNAL_H

#include "suite/run/supervisor.h"

typedef struct bench_build {
    uint32_t block, launch;
    bench_built build[2]; /* by role */
    uint64_t rss_bytes;
    bench_isolation isolation;
    char counters[96]; /* as of bench_worker */
} bench_build;

/** How a cell ended before its passes were done. */
typedef struct bench_end {
    uint32_t status; /* bench_status */
    char detail[640];
} bench_end;

typedef struct bench_journal {
    int descriptor; /* -1: closed */
    size_t frame_count;
    char path[4096];
} bench_journal;

/**
 * A record: one of build, answers, pass, details and end is set, the others are NULL. All pointers
 * are borrowed from the reader until its next record. Lists of details have no gaps between frames:
 * bench_regions_kept and bench_contacts_kept entries for each.
 */
typedef struct bench_journal_record {
    const bench_build *build;
    const alg_answer *answers; /* frame_count */
    const bench_pass *pass;
    const uint64_t *times_ns;  /* frame_count: of a pass */
    const alg_answer *details; /* frame_count */
    const alg_region *regions;
    const alg_contact *contacts;
    const bench_end *end;
} bench_journal_record;

/** Reads a journal from its begin. Starts as {.journal = ...}; bench_journal_stop is due. */
typedef struct bench_journal_reader {
    const bench_journal *journal; /* borrowed */
    off_t at;                     /* end of the last whole record; 0: nothing was read */
    void *bytes;                  /* owned: of the last record */
    size_t capacity;
    base_status status; /* why reading ended before the end of the whole records */
    base_error err;
} bench_journal_reader;

/**
 * Opens a journal for appending, and makes it when it is not there. In one that is there, what
 * follows the last whole record is cut off.
 *
 * inputs   hash of all that the answers depend on, kept in the header.
 * Errors   BASE_ERR_ARGUMENT when it is there and belongs to other inputs or frames;
 *          BASE_ERR_INPUT when it is no journal; BASE_ERR_SYSTEM.
 */
base_status bench_journal_open(const char *path, base_hash inputs, size_t frame_count,
                               bench_journal *journal, base_error *err) BASE_MUST_CHECK;
void bench_journal_close(bench_journal *journal);

/** Each appends one record and syncs it. Errors: BASE_ERR_SYSTEM, with the path. */
base_status bench_journal_build(bench_journal *journal, const bench_build *build,
                                base_error *err) BASE_MUST_CHECK;
base_status bench_journal_answers(bench_journal *journal, const alg_answer *answers,
                                  base_error *err) BASE_MUST_CHECK;
base_status bench_journal_pass(bench_journal *journal, const bench_pass *pass,
                               const uint64_t *times_ns, base_error *err) BASE_MUST_CHECK;
/**
 * Records what outputs have after a pass for details: of each frame bench_regions_kept of its
 * BENCH_REGIONS_MAX regions, and bench_contacts_kept of its BENCH_CONTACTS_KEPT contacts.
 */
base_status bench_journal_details(bench_journal *journal, const alg_answer *answers,
                                  const alg_region *regions, const alg_contact *contacts,
                                  base_error *err) BASE_MUST_CHECK;
base_status bench_journal_end(bench_journal *journal, const bench_end *end,
                              base_error *err) BASE_MUST_CHECK;

/**
 * The next whole record; false behind the last one, and on an error. Memory: one record at a time.
 */
bool bench_journal_next(bench_journal_reader *reader, bench_journal_record *record);
/** Frees the reader. Returns status, or BASE_ERR_MEMORY if status is BASE_OK and that ended it. */
base_status bench_journal_stop(bench_journal_reader *reader, base_status status,
                               base_error *err) BASE_MUST_CHECK;

#endif
