#include "suite/results/manifest.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/simd.h"
#include "suite/build_info.h"
#include "suite/results/machine.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COLUMN(name, kind, member) BENCH_COLUMN(name, kind, bench_fact, member, BENCH_RECORD_FACTS)

static const bench_column columns[] = {
    COLUMN("section", SECTION, section),
    COLUMN("key", KEY, key),
    COLUMN("value", TEXT, value),
};
const bench_columns bench_manifest_columns = {columns, sizeof columns / sizeof *columns};

struct bench_manifest {
    FILE *file;
    char path[BENCH_RUN_PATH_BYTES], beside[BENCH_RUN_PATH_BYTES];
};

void bench_manifest_add(bench_manifest *manifest, const char *section, const char *key,
                        const char *format, ...)
{
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    base_csv_writer w = {.file = manifest->file};
    bench_columns_put(bench_manifest_columns, &(bench_fact){section, key, value}, &w);
    base_csv_end(&w);
}

void bench_manifest_add_time(bench_manifest *m, const char *key)
{
    char text[32];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    bench_manifest_add(m, "run", key, "%s", text);
}

static void add_fact(void *manifest, const char *section, const char *key, const char *value)
{
    bench_manifest_add(manifest, section, key, "%s", value);
}

void bench_manifest_add_machine(bench_manifest *m)
{
    /* A machine has a name here only if somebody gives it one. */
    static const char *const settings[] = {"PROXBENCH_HOST", "PROXBENCH_THREADS"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *const value = getenv(settings[i]);
        if (value) {
            bench_manifest_add(m, "machine", settings[i], "%s", value);
        }
    }
    bench_machine_facts("", add_fact, m);
}

static void add_suite(bench_manifest *m)
{
    bench_manifest_add(m, "suite", "version", "%s", BENCH_VERSION);
    bench_manifest_add(m, "suite", "commit", "%s", BENCH_COMMIT);
    bench_manifest_add(m, "suite", "compiler", "gcc %s", __VERSION__);
    bench_manifest_add(m, "suite", "flags", "%s", BENCH_FLAGS);
    bench_manifest_add(m, "suite", "simd", "%s%s", BASE_SIMD_SSE2 ? ALG_SIMD : "none",
                       base_cpu_avx2() ? ", avx2 where there is code for it" : "");
}

static base_status cannot_write(const bench_manifest *m, base_error *err)
{
    return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", m->path, strerror(errno));
}

base_status bench_manifest_create(const char *folder, bench_manifest **manifest, base_error *err)
{
    bench_manifest *const m = base_alloc(1, sizeof *m);
    if (!m) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = bench_run_file(folder, m->path, err, "manifest.csv");
    if (status == BASE_OK) {
        status = bench_run_file(folder, m->beside, err, "manifest.csv.part");
    }
    if (status == BASE_OK) {
        m->file = fopen(m->beside, "w");
        status = m->file ? BASE_OK : cannot_write(m, err);
    }
    if (status != BASE_OK) {
        base_free(m);
        return status;
    }
    setvbuf(m->file, NULL, _IOLBF, BUFSIZ);
    base_csv_writer w = {.file = m->file};
    bench_columns_put_names(bench_manifest_columns, &w);
    base_csv_end(&w);
    add_suite(m);
    *manifest = m;
    return BASE_OK;
}

base_status bench_manifest_publish(bench_manifest *m, base_error *err)
{
    if (!ferror(m->file) && fsync(fileno(m->file)) == 0 && rename(m->beside, m->path) == 0) {
        return BASE_OK;
    }
    const base_status status = cannot_write(m, err);
    fclose(m->file);
    unlink(m->beside);
    base_free(m);
    return status;
}

base_status bench_manifest_close(bench_manifest *manifest, base_error *err)
{
    bench_manifest_add_time(manifest, "end_utc");
    base_csv_writer w = {.file = manifest->file};
    const base_status status = base_csv_check(&w, manifest->path, err);
    fclose(manifest->file);
    base_free(manifest);
    return status;
}
