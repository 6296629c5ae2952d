/** Whole files: read at once, and written so that a reader never meets half of one. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * The content with a NUL behind it, owned (base_free). A pipe is read to its end.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_INPUT for a device and beyond 4 GiB. *bytes
 *          is NULL then.
 */
base_status base_file_read(const char *path, char **bytes, size_t *size,
                           base_error *err) BASE_MUST_CHECK;

/** Hash of a file's bytes. Errors: BASE_ERR_INPUT when it cannot be read; BASE_ERR_MEMORY. */
base_status base_file_hash(const char *path, base_hash *hash, base_error *err) BASE_MUST_CHECK;

/** A file while it is written: it gets its name only when it is complete. */
typedef struct base_output {
    FILE *file;
    const char *path; /* borrowed */
    char *temporary;  /* owned; NULL when written in place: devices, pipes */
} base_output;

/**
 * Makes missing folders. Removes the temporary files of this path whose writers were killed; those
 * of running processes are locked and stay.
 *
 * Errors   BASE_ERR_SYSTEM, BASE_ERR_MEMORY, BASE_ERR_ARGUMENT.
 */
base_status base_output_open(const char *path, base_output *output,
                             base_error *err) BASE_MUST_CHECK;
/**
 * Ends the output and returns `written`, how writing into it went, unless closing it fails. Only
 * after BASE_OK the file is synced and gets its name, else it is thrown away.
 *
 * Errors   BASE_ERR_SYSTEM when anything was lost; only for written == BASE_OK is err filled.
 */
base_status base_output_close(base_output *output, base_status written,
                              base_error *err) BASE_MUST_CHECK;
/**
 * Flushes and, if asked, syncs a stream; false with the reason in errno (0: not known) if anything
 * written to it was lost.
 */
bool base_stream_flush(FILE *file, bool sync);

/** A file of these bytes, in the place of one that is there. Errors: those of base_output. */
base_status base_file_replace(const char *path, const void *bytes, size_t size,
                              base_error *err) BASE_MUST_CHECK;

/** Writes all of it at the descriptor's place; false with errno set. */
bool base_file_write(int file, const void *bytes, size_t size);

/** Makes the folder and those above it where they are missing. Errors: _SYSTEM, _ARGUMENT. */
base_status base_folder_make(const char *path, base_error *err) BASE_MUST_CHECK;
/** The same for the folders of a file's path. */
base_status base_folder_make_parents(const char *path, base_error *err) BASE_MUST_CHECK;
/** Removes a folder of plain files; what cannot be removed stays. */
void base_folder_remove(const char *path);

/** folder/name with the given ending. Errors: BASE_ERR_SYSTEM when it is too long. */
base_status base_path_join(const char *folder, const char *name, const char *ending, char *path,
                           size_t size, base_error *err) BASE_MUST_CHECK;

/**
 * The way from a folder to another one, both of which are there: "../.." or ".", without symbolic
 * links. Errors: BASE_ERR_SYSTEM, for a folder that is not there or a path that is too long.
 */
base_status base_path_between(const char *from, const char *to, char *path, size_t size,
                              base_error *err) BASE_MUST_CHECK;

#endif
