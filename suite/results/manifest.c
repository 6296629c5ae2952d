#include "suite/results/manifest.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/simd.h"
#include "suite/build_info.h"
#include "suite/inputs/plugin.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* --- Facts of the machine --------------------------------------------------------------------- */

enum { LINE_BYTES = 8192 }; /* the flags of a processor are one line of several kilobytes */

typedef struct facts {
    const char *root;
    const char *section;
    bench_machine_put *put;
    void *context;
} facts;

static void put(const facts *f, const char *key, const char *value)
{
    f->put(f->context, f->section, key, value);
}

static FILE *open_file(const facts *f, const char *path)
{
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", f->root, path);
    return fopen(full, "r");
}

/**
 * Reads the first line without its newline. Returns false, with an empty line, if the file cannot
 * be opened.
 */
static bool read_line(const facts *f, const char *path, char *line, int size)
{
    FILE *const file = open_file(f, path);
    if (!file || !fgets(line, size, file)) {
        line[0] = '\0';
    }
    line[strcspn(line, "\n")] = '\0';
    if (!file) {
        return false;
    }
    fclose(file);
    return true;
}

static void put_line(const facts *f, const char *key, const char *path)
{
    char line[LINE_BYTES];
    const bool found = read_line(f, path, line, sizeof line);
    put(f, key, !found ? "unknown" : !*line ? "none" : line);
}

/** Puts `zero` or `other`, depending on the number in a file; "unknown" without a file. */
static void put_switch(const facts *f, const char *key, const char *path, const char *zero,
                       const char *other)
{
    char line[LINE_BYTES];
    const bool found = read_line(f, path, line, sizeof line) && *line;
    put(f, key, !found ? "unknown" : line[0] == '0' ? zero : other);
}

/**
 * Finds the first line that begins with "name", blanks and ':', and copies the rest of it. Returns
 * false if there is no such line.
 */
static bool find_field(const facts *f, const char *path, const char *name, char *value, size_t size)
{
    char line[LINE_BYTES];
    bool found = false;
    FILE *const file = open_file(f, path);
    const size_t length = strlen(name);
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *const rest = line + length;
        if (strncmp(line, name, length) == 0 && rest[strspn(rest, " \t")] == ':') {
            const char *const text = rest + strspn(rest, " \t:");
            snprintf(value, size, "%.*s", (int)strcspn(text, "\n"), text);
            found = true;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static void put_field(const facts *f, const char *key, const char *path, const char *name)
{
    char value[LINE_BYTES];
    put(f, key, find_field(f, path, name, value, sizeof value) ? value : "unknown");
}

/* --- System ----------------------------------------------------------------------------------- */

static void put_system(const facts *f)
{
    struct utsname system;
    const bool known = uname(&system) == 0;
    char kernel[2 * sizeof system.sysname + 2] = "unknown";
    if (known) {
        snprintf(kernel, sizeof kernel, "%s %s", system.sysname, system.release);
    }
    put(f, "kernel", kernel);
    put(f, "architecture", known ? system.machine : "unknown");
#ifdef __GLIBC__
    char libc[64];
    snprintf(libc, sizeof libc, "glibc %s", gnu_get_libc_version());
    put(f, "libc", libc);
#else
    put(f, "libc", "unknown");
#endif
}

/**
 * Most container runtimes leave one of these files, or one of these words in /proc/1/cgroup. A
 * system without them may still be a container.
 */
static void put_container(const facts *f)
{
    static const char *const files[] = {"/.dockerenv", "/run/.containerenv",
                                        "/run/systemd/container"};
    static const char *const words[] = {"docker", "kubepods", "containerd", "libpod", "lxc"};
    char value[128] = "no sign of one", line[LINE_BYTES];
    for (size_t i = sizeof files / sizeof *files; i-- > 0;) {
        FILE *const file = open_file(f, files[i]);
        if (file) {
            snprintf(value, sizeof value, "yes (%s)", files[i]);
            fclose(file);
        }
    }
    FILE *const groups = open_file(f, "/proc/1/cgroup");
    while (groups && value[0] == 'n' && fgets(line, sizeof line, groups)) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (strstr(line, words[i])) {
                snprintf(value, sizeof value, "yes (%s in /proc/1/cgroup)", words[i]);
            }
        }
    }
    if (groups) {
        fclose(groups);
    }
    put(f, "container", value);
}

/** Puts the CPU time that the control group may use. */
static void put_quota(const facts *f)
{
    char line[LINE_BYTES];
    const bool found = read_line(f, "/sys/fs/cgroup/cpu.max", line, sizeof line) ||
                       read_line(f, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", line, sizeof line);
    const bool limited = strncmp(line, "max", 3) != 0 && strncmp(line, "-1", 2) != 0;
    put(f, "cpu_quota_us", !found ? "unknown" : limited ? line : "none");
}

static void put_memory(const facts *f)
{
    char value[LINE_BYTES] = "", text[32] = "unknown";
    const bool found = find_field(f, "/proc/meminfo", "MemTotal", value, sizeof value);
    const unsigned long long kilobytes = found ? strtoull(value, NULL, 10) : 0;
    if (kilobytes > 0) {
        snprintf(text, sizeof text, "%llu", kilobytes * 1024);
    }
    put(f, "memory_bytes", text);
}

static void put_load(const facts *f)
{
    char line[LINE_BYTES];
    if (!read_line(f, "/proc/loadavg", line, sizeof line)) {
        put(f, "load_average", "unknown");
        return;
    }
    size_t end = 0; /* end of the third number */
    for (int i = 0; i < 3; i++) {
        end += strspn(line + end, " ");
        end += strcspn(line + end, " ");
    }
    line[end] = '\0';
    put(f, "load_average", line);
}

/* --- Processor -------------------------------------------------------------------------------- */

static void put_cpus(const facts *f)
{
    char text[32] = "unknown";
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online > 0) {
        snprintf(text, sizeof text, "%ld", online);
    }
    put(f, "cpus_online", text);
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        snprintf(text, sizeof text, "%d", CPU_COUNT(&allowed));
    } else {
        snprintf(text, sizeof text, "unknown");
    }
    put(f, "cpus_allowed", text);
}

/** Puts "L1 data 32K, L1 instruction 32K, L2 512K, ..." of CPU 0. */
static void put_caches(const facts *f)
{
    char text[256] = "";
    for (int i = 0, length = 0; i < 8 && length < (int)sizeof text; i++) {
        char path[96], level[16], type[32], size[32];
        const char *const index = "/sys/devices/system/cpu/cpu0/cache/index";
        snprintf(path, sizeof path, "%s%d/level", index, i);
        bool found = read_line(f, path, level, sizeof level);
        snprintf(path, sizeof path, "%s%d/type", index, i);
        found = read_line(f, path, type, sizeof type) && found;
        snprintf(path, sizeof path, "%s%d/size", index, i);
        found = read_line(f, path, size, sizeof size) && found;
        const char *const kind = strcmp(type, "Data") == 0          ? " data"
                                 : strcmp(type, "Instruction") == 0 ? " instruction"
                                                                    : "";
        if (found) {
            length += snprintf(text + length, sizeof text - (size_t)length, "%sL%s%s %s",
                               length > 0 ? ", " : "", level, kind, size);
        }
    }
    put(f, "caches", *text ? text : "unknown");
}

static void put_boost(const facts *f)
{
    char line[LINE_BYTES];
    if (read_line(f, "/sys/devices/system/cpu/cpufreq/boost", line, sizeof line)) {
        put(f, "boost", line[0] == '0' ? "off" : "on");
    } else {
        put_switch(f, "boost", "/sys/devices/system/cpu/intel_pstate/no_turbo", "on", "off");
    }
}

static void put_virtual_machine(const facts *f)
{
    char flags[LINE_BYTES];
    const bool known = find_field(f, "/proc/cpuinfo", "flags", flags, sizeof flags);
    put(f, "virtual_machine",
        !known                          ? "unknown"
        : strstr(flags, " hypervisor ") ? "yes (the processor says so)"
                                        : "no sign of one");
}

static void put_processor(const facts *f)
{
    const char *const cpuinfo = "/proc/cpuinfo";
    put_field(f, "cpu", cpuinfo, "model name");
    put_field(f, "microcode", cpuinfo, "microcode");
    put_cpus(f);
    put_field(f, "cores_per_socket", cpuinfo, "cpu cores");
    put_switch(f, "smt", "/sys/devices/system/cpu/smt/active", "inactive", "active");
    put_caches(f);
    put_line(f, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    put_line(f, "frequency_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
    put_line(f, "frequency_max_khz", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    put_field(f, "frequency_now_mhz", cpuinfo, "cpu MHz");
    put_boost(f);
    put_line(f, "isolated_cpus", "/sys/devices/system/cpu/isolated");
    put_virtual_machine(f);
}

/* --- Floating point --------------------------------------------------------------------------- */

/**
 * Puts the behaviour of floating point as measured by calculations, not as set in registers or
 * compiler options.
 */
static void put_floating_point(const facts *f)
{
    const int mode = fegetround();
    put(f, "rounding",
        mode == FE_TONEAREST    ? "to nearest"
        : mode == FE_TOWARDZERO ? "toward zero"
        : mode == FE_UPWARD     ? "upward"
        : mode == FE_DOWNWARD   ? "downward"
                                : "unknown");
    volatile double least = DBL_MIN, half = 0.5;
    volatile double denormal = DBL_TRUE_MIN, large = 0x1p100;
    const bool flushed = least * half == 0, read_as_zero = denormal * large == 0;
    put(f, "denormals",
        flushed && read_as_zero ? "flushed, and read as zero"
        : flushed               ? "flushed to zero"
        : read_as_zero          ? "read as zero"
                                : "kept");
    /* x * x = 1 + 2^-29 + 2^-60. The last term is lost unless product and sum are rounded together,
     * only once. */
    volatile double source = 1 + 0x1p-30, minus = -(1 + 0x1p-29);
    const double x = source, y = minus;
    put(f, "contraction", x * x + y == 0x1p-60 ? "on" : "off");
}

/* --- Programs --------------------------------------------------------------------------------- */

/**
 * Puts the path and the hash of TetGen. TetGen has no option to print its version, so the hash
 * identifies it.
 */
static void put_tetgen(const facts *f)
{
    const char *folder = getenv("PATH");
    char path[PATH_MAX] = "";
    bool found = false;
    while (folder && *folder && !found) {
        const int length = (int)strcspn(folder, ":");
        snprintf(path, sizeof path, "%.*s/tetgen", length, folder);
        found = access(path, X_OK) == 0;
        folder += length + (folder[length] == ':');
    }
    base_hash hash;
    const bool hashed = found && base_file_hash(path, &hash, NULL) == BASE_OK;
    put(f, "tetgen", found ? path : "none");
    put(f, "tetgen_hash", hashed ? base_hash_format(hash).hex : "unknown");
}

void bench_machine_facts(const char *root, bench_machine_put *put_fact, void *context)
{
    facts f = {root, "machine", put_fact, context};
    put_system(&f);
    put_processor(&f);
    put_memory(&f);
    put_line(&f, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
    put_switch(&f, "aslr", "/proc/sys/kernel/randomize_va_space", "off", "on");
    put_line(&f, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    put_container(&f);
    put_quota(&f);
    put_load(&f);
    put_floating_point(&f);
    f.section = "tools";
    put_line(&f, "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
    put_tetgen(&f);
}

/* --- File ------------------------------------------------------------------------------------- */

#define COLUMN(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, bench_fact, member, BENCH_RECORD_FACTS, empty, meaning)

static const bench_column columns[] = {
    COLUMN("section", SECTION, "", FACT, section, "",
           "subject of the fact: suite, run, arguments, machine, tools, clock, workers, a "
           "scenario's name, or 'plugin VARIANT'"),
    COLUMN("key", KEY, "", FACT, key, "", "name of the fact, which ends with its unit"),
    COLUMN("value", TEXT, "", FACT, value, "the fact is an empty text",
           "the fact: a text or a number"),
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

void bench_manifest_add_command(bench_manifest *m, const char *folder, const char *command)
{
    char begun_in[BENCH_RUN_PATH_BYTES];
    bench_manifest_add(m, "run", "command", "%s", command);
    if (base_path_between(folder, ".", begun_in, sizeof begun_in, NULL) == BASE_OK) {
        bench_manifest_add(m, "run", "begun_in", "%s", begun_in);
    }
}

void bench_manifest_add_arguments(bench_manifest *m, const char *const *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        bench_manifest_add(m, "arguments", key, "%s", arguments[i]);
    }
}

void bench_manifest_add_plugin(bench_manifest *m, const alg_variant *variant)
{
    const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
    if (!plugin) {
        return;
    }
    char section[160];
    snprintf(section, sizeof section, "plugin %s", variant->name);
    bench_manifest_add(m, section, "argument", "%s", plugin->argument);
    bench_manifest_add(m, section, "file", "%s", plugin->path);
    bench_manifest_add(m, section, "hash", "%s", base_hash_format(plugin->hash).hex);
    bench_manifest_add(m, section, "version", "%s", plugin->version);
    bench_manifest_add(m, section, "build", "%s", plugin->build);
    bench_manifest_add(m, section, "tolerance_ulp", "%u", variant->algorithm->tolerance_ulp);
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
    /* The host is named only if its user sets PROXBENCH_HOST. */
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
    if (status != BASE_OK) {
        goto failed;
    }
    status = bench_run_file(folder, m->beside, err, "manifest.csv.part");
    if (status != BASE_OK) {
        goto failed;
    }
    m->file = fopen(m->beside, "w");
    if (!m->file) {
        status = cannot_write(m, err);
        goto failed;
    }
    setvbuf(m->file, NULL, _IOLBF, BUFSIZ);
    base_csv_writer w = {.file = m->file};
    bench_columns_put_names(bench_manifest_columns, &w);
    base_csv_end(&w);
    add_suite(m);
    *manifest = m;
    return BASE_OK;
failed:
    base_free(m);
    return status;
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

void bench_manifest_discard(bench_manifest *manifest)
{
    fclose(manifest->file);
    unlink(manifest->beside);
    base_free(manifest);
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
