/**
 * The journal of a cell: its samples, saved on disk in RUN/SCENARIO/VARIANT.passes.
 *
 * A journal is a header and a sequence of records. Each record is appended with its hash and synced
 * before the run goes on. So all complete passes survive if the process is killed at any moment.
 * The files with results are made from the journals. The format is binary, in the byte order of the
 * machine. A reader stops at the first record that is incomplete or has another hash.
 */
#ifndef SUITE_JOURNAL_H
#define SUITE_JOURNAL_H

#include "suite/run/supervisor.h"

typedef struct bench_build {
    uint32_t block, launch;
    bench_built build[2]; /* by role */
    uint64_t rss_bytes;
    bench_isolation isolation;
    char counters[96]; /* as in bench_worker */
} bench_build;

/** The status of a cell that is wrong or has ended early, and the reason. */
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
 * One record: one of build, answers, pass, details and end is set, the others are NULL. All
 * pointers are borrowed from the reader until it reads the next record. Lists of details have no
 * gaps between frames: each frame has bench_regions_kept and bench_contacts_kept entries.
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

/**
 * Reads a journal from its beginning. Initialize with {.journal = ...}; end with
 * bench_journal_stop.
 */
typedef struct bench_journal_reader {
    const bench_journal *journal; /* borrowed */
    off_t at;                     /* offset of the end of the last complete record; 0 before the
                                     first read */
    void *bytes;                  /* owned: the last record */
    size_t capacity;
    base_status status; /* error that stopped the reader; BASE_OK at the end of the journal */
    base_error err;
} bench_journal_reader;

/**
 * Opens a journal for appending; creates the file if it does not exist. Bytes after the last
 * complete record of an existing journal are cut off.
 *
 * inputs   hash of all data that the answers depend on, stored in the header.
 * Errors   BASE_ERR_ARGUMENT if an existing journal has other inputs or frames, or the path is too
 *          long; BASE_ERR_INPUT if the file is not a journal of this version; BASE_ERR_SYSTEM,
 *          BASE_ERR_MEMORY.
 */
base_status bench_journal_open(const char *path, base_hash inputs, size_t frame_count,
                               bench_journal *journal, base_error *err) BASE_MUST_CHECK;
void bench_journal_close(bench_journal *journal);

/**
 * Each of the following functions appends one record and syncs it. Errors: BASE_ERR_SYSTEM, with
 * the path; BASE_ERR_MEMORY.
 */
base_status bench_journal_build(bench_journal *journal, const bench_build *build,
                                base_error *err) BASE_MUST_CHECK;
base_status bench_journal_answers(bench_journal *journal, const alg_answer *answers,
                                  base_error *err) BASE_MUST_CHECK;
base_status bench_journal_pass(bench_journal *journal, const bench_pass *pass,
                               const uint64_t *times_ns, base_error *err) BASE_MUST_CHECK;
/**
 * Appends the outputs of a details pass. The lists have the layout of bench_outputs:
 * BENCH_REGIONS_MAX regions and BENCH_CONTACTS_KEPT contacts per frame. Only the first
 * bench_regions_kept and bench_contacts_kept of them are stored.
 */
base_status bench_journal_details(bench_journal *journal, const alg_answer *answers,
                                  const alg_region *regions, const alg_contact *contacts,
                                  base_error *err) BASE_MUST_CHECK;
base_status bench_journal_end(bench_journal *journal, const bench_end *end,
                              base_error *err) BASE_MUST_CHECK;

/**
 * Reads the next complete record; skips a record whose kind or size is not valid. Returns false
 * after the last one and on an error. Memory: one record at a time.
 */
bool bench_journal_next(bench_journal_reader *reader, bench_journal_record *record);
/**
 * Frees the reader. Returns status, or the error of the reader if status is BASE_OK.
 */
base_status bench_journal_stop(bench_journal_reader *reader, base_status status,
                               base_error *err) BASE_MUST_CHECK;

#endif
