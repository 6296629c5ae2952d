#include "suite/run/callgrind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

base_status bench_callgrind_open(bench_callgrind *callgrind, base_error *err)
{
    static const char name[] = "/proxbench-counts-XXXXXX", pass[] = "/pass";
    char *const file = callgrind->file;
    const size_t most = sizeof callgrind->file - sizeof name - sizeof pass;
    const char *const asked = getenv("TMPDIR");
    const char *const folder = asked && *asked && strlen(asked) < most ? asked : "/tmp";
    snprintf(file, sizeof callgrind->file, "%s%s", folder, name);
    if (!mkdtemp(file)) {
        file[0] = '\0';
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a folder in '%s': %s", folder,
                         strerror(errno));
    }
    strcat(file, pass);
    return BASE_OK;
}

void bench_callgrind_command(const bench_callgrind *callgrind,
                             char words[BENCH_CALLGRIND_WORDS][BENCH_CALLGRIND_WORD_BYTES])
{
    static const char *const options[BENCH_CALLGRIND_WORDS - 1] = {
        "valgrind",
        "--quiet",
        "--vgdb=no", /* leaves pipes behind where its process is killed */
        "--tool=callgrind",
        "--toggle-collect=bench_worker_queries",
        "--dump-after=bench_worker_queries",
    };
    for (size_t i = 0; i < BENCH_CALLGRIND_WORDS - 1; i++) {
        snprintf(words[i], BENCH_CALLGRIND_WORD_BYTES, "%s", options[i]);
    }
    snprintf(words[BENCH_CALLGRIND_WORDS - 1], BENCH_CALLGRIND_WORD_BYTES,
             "--callgrind-out-file=%s", callgrind->file);
}

/** FILE.PASS */
static void name_file(const bench_callgrind *callgrind, unsigned pass,
                      char path[BENCH_CALLGRIND_WORD_BYTES])
{
    snprintf(path, BENCH_CALLGRIND_WORD_BYTES, "%s.%u", callgrind->file, pass);
}

uint64_t bench_callgrind_read(const bench_callgrind *callgrind, unsigned pass)
{
    static const char totals[] = "totals: ";
    char path[BENCH_CALLGRIND_WORD_BYTES], line[256];
    uint64_t count = UINT64_MAX;
    name_file(callgrind, pass, path);
    FILE *const file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, totals, sizeof totals - 1) == 0) {
            count = strtoull(line + sizeof totals - 1, NULL, 10);
        }
    }
    if (file) {
        fclose(file);
    }
    return count;
}

void bench_callgrind_close(bench_callgrind *callgrind, unsigned passes)
{
    char path[BENCH_CALLGRIND_WORD_BYTES];
    if (!*callgrind->file) {
        return;
    }
    for (unsigned pass = 1; pass <= passes + 1; pass++) {
        name_file(callgrind, pass, path);
        unlink(path);
    }
    unlink(callgrind->file);
    *strrchr(callgrind->file, '/') = '\0';
    rmdir(callgrind->file);
    callgrind->file[0] = '\0';
}
