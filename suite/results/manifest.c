/** manifest.csv: what a reader needs to judge the numbers, or to make them again. */
#include "base/cpu.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/simd.h"
#include "suite/build_info.h"
#include "suite/results/machine.h"
#include "suite/run/run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bench_manifest {
    FILE *file;
    char path[4096];
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
    base_csv_put_text(&w, section);
    base_csv_put_text(&w, key);
    base_csv_put_text(&w, value);
    base_csv_end(&w);
}

static void add_time(bench_manifest *m, const char *key)
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

static void add_machine(bench_manifest *m)
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

static void add_clock(bench_manifest *m, const bench_clock_cost *cost)
{
    bench_manifest_add(m, "clock", "name", "%s", bench_clock_name(bench_clock_id));
    bench_manifest_add(m, "clock", "cost_min_ns", "%llu", (unsigned long long)cost->min_ns);
    bench_manifest_add(m, "clock", "cost_median_ns", "%llu", (unsigned long long)cost->median_ns);
    bench_manifest_add(m, "clock", "cost_p99_ns", "%llu", (unsigned long long)cost->p99_ns);
    bench_manifest_add(m, "clock", "cost_p9999_ns", "%llu", (unsigned long long)cost->p9999_ns);
    bench_manifest_add(m, "clock", "step_ns", "%llu", (unsigned long long)cost->step_ns);
}

/** The words of the command, one a row: --resume begins with them. */
static void add_arguments(bench_manifest *m, const bench_run_options *options)
{
    for (size_t i = 0; i < options->argument_count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        bench_manifest_add(m, "arguments", key, "%s", options->arguments[i]);
    }
}

/** When the run that is resumed was begun; "" when that is not known. */
static void recall_start(const char *path, char *text, size_t size)
{
    base_csv table;
    text[0] = '\0';
    if (base_csv_read(path, NULL, &table, NULL) != BASE_OK) {
        return;
    }
    const int key = base_csv_find(&table, "key"), value = base_csv_find(&table, "value");
    for (size_t r = 0; key >= 0 && value >= 0 && r < table.rows; r++) {
        const char *const name = base_csv_text(&table, r, key);
        if (name && strcmp(name, "start_utc") == 0 && base_csv_text(&table, r, value)) {
            snprintf(text, size, "%s", base_csv_text(&table, r, value));
        }
    }
    base_csv_release(&table);
}

/** The program, what it was told, and what is repeated how often. */
static void add_run(bench_manifest *m, const bench_run_options *options)
{
    bench_manifest_add(m, "suite", "version", "%s", BENCH_VERSION);
    bench_manifest_add(m, "suite", "commit", "%s", BENCH_COMMIT);
    bench_manifest_add(m, "suite", "compiler", "gcc %s", __VERSION__);
    bench_manifest_add(m, "suite", "flags", "%s", BENCH_FLAGS);
    bench_manifest_add(m, "suite", "simd", "%s%s", BASE_SIMD_SSE2 ? ALG_SIMD : "none",
                       base_cpu_avx2() ? ", avx2 where there is code for it" : "");
    bench_manifest_add(m, "run", "command", "%s", options->command);
    bench_manifest_add(m, "run", "experiment", "%s", options->experiment->name);
    if (options->experiment->title) {
        bench_manifest_add(m, "run", "title", "%s", options->experiment->title);
    }
    for (size_t i = 0; i < options->experiment->figure_count; i++) {
        bench_manifest_add(m, "run", "figure", "%s", options->experiment->figures[i]);
    }
    bench_manifest_add(m, "run", "mode", "%s", options->mode->name);
    bench_manifest_add(m, "run", "seed", "%llu", (unsigned long long)options->experiment->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", options->timeout_s);
}

/** All that is known before the first pass. */
static void add_beginning(bench_manifest *m, const bench_run_options *options,
                          const bench_clock_cost *clock, const char *begun)
{
    bench_manifest_add(m, "section", "key", "value"); /* the header is a record like the others */
    add_run(m, options);
    add_arguments(m, options);
    if (*begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        add_time(m, "resumed_utc");
    } else {
        add_time(m, "start_utc");
    }
    add_machine(m);
    add_clock(m, clock);
}

base_status bench_manifest_create(const bench_run_options *options, const bench_clock_cost *clock,
                                  bench_manifest **manifest, base_error *err)
{
    bench_manifest *const m = base_alloc(1, sizeof *m);
    if (!m) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    char beside[sizeof m->path + 8], begun[64] = "";
    snprintf(m->path, sizeof m->path, "%s/manifest.csv", options->directory);
    snprintf(beside, sizeof beside, "%s.part", m->path);
    if (options->resume) {
        recall_start(m->path, begun, sizeof begun);
    }
    /* Beside the old one until it holds what --resume needs, and then line by line. */
    m->file = fopen(beside, "w");
    if (m->file) {
        setvbuf(m->file, NULL, _IOLBF, BUFSIZ);
        add_beginning(m, options, clock, begun);
    }
    if (!m->file || ferror(m->file) || fsync(fileno(m->file)) != 0 ||
        rename(beside, m->path) != 0) {
        const base_status status =
            base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", m->path, strerror(errno));
        if (m->file) {
            fclose(m->file);
            unlink(beside);
        }
        base_free(m);
        return status;
    }
    *manifest = m;
    return BASE_OK;
}

base_status bench_manifest_close(bench_manifest *manifest, base_error *err)
{
    add_time(manifest, "end_utc");
    base_csv_writer w = {.file = manifest->file};
    const base_status status = base_csv_check(&w, manifest->path, err);
    fclose(manifest->file);
    base_free(manifest);
    return status;
}
