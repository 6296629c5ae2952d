/** Whole files: read at once, and written so that a reader never sees an incomplete file. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * Reads a file or a pipe to its end. *bytes: the content and a NUL after it, which the caller owns
 * (base_free). *size does not count the NUL.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read, BASE_ERR_INPUT for a device and for more
 *          than 4 GiB, BASE_ERR_MEMORY. *bytes is then NULL.
 */
base_status base_file_read(const char *path, char **bytes, size_t *size,
                           base_error *err) BASE_MUST_CHECK;

/**
 * Computes the hash of a file's bytes. Errors: BASE_ERR_INPUT if it cannot be read;
 * BASE_ERR_MEMORY.
 */
base_status base_file_hash(const char *path, base_hash *hash, base_error *err) BASE_MUST_CHECK;

/** A file during writing: it gets its name only when it is complete. */
typedef struct base_output {
    FILE *file;
    const char *path; /* borrowed */
    char *temporary;  /* owned; NULL if the file is written in place: devices, pipes */
} base_output;

/**
 * Opens an output and creates missing folders. Removes the temporary files of this path whose
 * writers were killed; those of running processes are locked and stay.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_ARGUMENT if the path is too long.
 */
base_status base_output_open(const char *path, base_output *output,
                             base_error *err) BASE_MUST_CHECK;
/**
 * Ends the output. written: status of the writing so far. If it is BASE_OK and no data were lost,
 * the file is synced and gets its name; otherwise it is deleted. A device or pipe is only closed.
 *
 * Returns  `written`, or BASE_ERR_SYSTEM if `written` is BASE_OK but data were lost. Fills err only
 *          in the second case.
 */
base_status base_output_close(base_output *output, base_status written,
                              base_error *err) BASE_MUST_CHECK;
/**
 * Flushes and, if requested, syncs a stream. Returns false if any written data were lost, with the
 * reason in errno (0: unknown).
 */
bool base_stream_flush(FILE *file, bool sync);

/**
 * Writes a file of these bytes; replaces an existing one. Errors: those of base_output_open and
 * base_output_close.
 */
base_status base_file_replace(const char *path, const void *bytes, size_t size,
                              base_error *err) BASE_MUST_CHECK;

/** Writes all bytes at the descriptor's position; returns false with errno set on failure. */
bool base_file_write(int file, const void *bytes, size_t size);

/**
 * Creates the folder and its missing parents. Errors: BASE_ERR_SYSTEM; BASE_ERR_ARGUMENT if the
 * path is too long.
 */
base_status base_folder_make(const char *path, base_error *err) BASE_MUST_CHECK;
/** Creates the missing folders of a file's path. Errors: those of base_folder_make. */
base_status base_folder_make_parents(const char *path, base_error *err) BASE_MUST_CHECK;
/** Removes a folder of plain files. Entries that cannot be removed stay, and so does the folder. */
void base_folder_remove(const char *path);

/** Writes folder/name with the given ending. Errors: BASE_ERR_SYSTEM if it is too long. */
base_status base_path_join(const char *folder, const char *name, const char *ending, char *path,
                           size_t size, base_error *err) BASE_MUST_CHECK;

/**
 * Writes the relative path from one folder to another, such as ".", "./../.." or "./runs". Symbolic
 * links are resolved first. Errors: BASE_ERR_SYSTEM for a folder that does not exist or a path that
 * is too long.
 */
base_status base_path_between(const char *from, const char *to, char *path, size_t size,
                              base_error *err) BASE_MUST_CHECK;

#endif
