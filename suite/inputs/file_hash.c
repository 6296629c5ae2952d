#include "suite/inputs/file_hash.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

base_status bench_file_hash(const char *path, base_hash *hash, base_error *err)
{
    FILE *const file = fopen(path, "re");
    if (!file) {
        return base_fail(err, BASE_ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    }
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        fclose(file);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    char bytes[1 << 16];
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        base_hasher_add(hasher, bytes, got);
    }
    const bool failed = ferror(file);
    fclose(file);
    *hash = base_hasher_finish(hasher);
    return failed ? base_fail(err, BASE_ERR_INPUT, "cannot read '%s'", path) : BASE_OK;
}
