/** What is in a file, in 128 bits. */
#ifndef SUITE_FILE_HASH_H
#define SUITE_FILE_HASH_H

#include "base/error.h"
#include "base/hash.h"

/** Hash of a file's bytes. Errors: BASE_ERR_INPUT when it cannot be read; BASE_ERR_MEMORY. */
base_status bench_file_hash(const char *path, base_hash *hash, base_error *err) BASE_MUST_CHECK;

#endif
