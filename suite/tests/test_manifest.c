#include "suite/results/manifest.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FACTS_MAX = 96, TEXT_BYTES = 160 };

typedef struct told {
    char keys[FACTS_MAX][TEXT_BYTES], values[FACTS_MAX][TEXT_BYTES];
    size_t count;
} told;

static void take(void *context, const char *section, const char *key, const char *value)
{
    told *const t = context;
    cr_assert_lt(t->count, FACTS_MAX);
    cr_assert(strcmp(section, "machine") == 0 || strcmp(section, "tools") == 0, "%s", section);
    cr_assert(*key && *value, "'%s' is '%s'", key, value);
    cr_assert_eq(strcspn(value, "\n"), strlen(value), "'%s' has lines", key);
    snprintf(t->keys[t->count], TEXT_BYTES, "%s", key);
    snprintf(t->values[t->count++], TEXT_BYTES, "%s", value);
}

static const char *value_of(const told *t, const char *key)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->keys[i], key) == 0) {
            return t->values[i];
        }
    }
    return "(missing)";
}

static void assert_value(const told *t, const char *key, const char *expected)
{
    cr_assert_str_eq(value_of(t, key), expected, "%s is '%s', not '%s'", key, value_of(t, key),
                     expected);
}

/* --- A machine made of files ------------------------------------------------------------------ */

static char root[] = "/tmp/proxbench-machine-XXXXXX";

static void make_root(void)
{
    cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    cr_assert_eq(system(command), 0);
}

static void write_file(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(full, 0700);
        *slash = '/';
    }
    FILE *const file = fopen(full, "w");
    cr_assert_not_null(file, "%s", full);
    fputs(text, file);
    fclose(file);
}

TestSuite(machine_files, .init = make_root, .fini = remove_root);

Test(machine_files, an_empty_machine_is_unknown)
{
    static const char *const keys[] = {
        "cpu",          "microcode",     "cores_per_socket",    "smt",          "caches",
        "governor",     "boost",         "virtual_machine",     "memory_bytes", "aslr",
        "load_average", "isolated_cpus", "perf_event_paranoid", "clocksource"};
    told t = {.count = 0};
    bench_machine_facts(root, take, &t);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_value(&t, keys[i], "unknown");
    }
    assert_value(&t, "container", "no sign of one");
}

Test(machine_files, facts_are_those_of_the_files)
{
    static const char *const files[][2] = {
        {"/proc/cpuinfo",
         "processor\t: 0\nmodel name\t: Maker A: 1\nmodel\t\t: 7\nmicrocode\t: 0x2a"
         "\ncpu cores\t: 8\nflags\t\t: fpu sse2 hypervisor avx\n\n"
         "processor\t: 1\nmodel name\t: Maker B\n"},
        {"/proc/meminfo", "MemTotalX: 1 kB\nMemTotal:       16384 kB\nMemFree: 5 kB\n"},
        {"/proc/loadavg", "0.52 1.00 12.34 2/345 6789\n"},
        {"/proc/sys/kernel/randomize_va_space", "2\n"},
        {"/proc/sys/kernel/perf_event_paranoid", "-1\n"},
        {"/proc/1/cgroup", "1:name=systemd:/\n0::/kubepods/pod1\n"},
        {"/sys/fs/cgroup/cpu.max", "50000 100000\n"},
        {"/sys/devices/system/cpu/smt/active", "1\n"},
        {"/sys/devices/system/cpu/isolated", "\n"},
        {"/sys/devices/system/cpu/cpufreq/boost", "0\n"},
        {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index1/level", "2\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index1/type", "Unified\n"},
        {"/sys/devices/system/cpu/cpu0/cache/index1/size", "2048K\n"},
    };
    static const char *const expected[][2] = {
        {"cpu", "Maker A: 1"},
        {"microcode", "0x2a"},
        {"cores_per_socket", "8"},
        {"memory_bytes", "16777216"},
        {"load_average", "0.52 1.00 12.34"},
        {"aslr", "on"},
        {"perf_event_paranoid", "-1"},
        {"container", "yes (kubepods in /proc/1/cgroup)"},
        {"cpu_quota_us", "50000 100000"},
        {"smt", "active"},
        {"isolated_cpus", "none"},
        {"boost", "off"},
        {"governor", "performance"},
        {"caches", "L1 data 48K, L2 2048K"},
        {"virtual_machine", "yes (the processor says so)"},
    };
    told t = {.count = 0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_file(files[i][0], files[i][1]);
    }
    bench_machine_facts(root, take, &t);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_value(&t, expected[i][0], expected[i][1]);
    }
}

Test(machine_files, signs_that_differ_between_systems)
{
    told t = {.count = 0}, u = {.count = 0};
    write_file("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("/proc/1/cgroup", "0::/init.scope\n");
    write_file("/proc/cpuinfo", "flags : fpu avx\n");
    bench_machine_facts(root, take, &t);
    assert_value(&t, "boost", "on");
    assert_value(&t, "cpu_quota_us", "none");
    assert_value(&t, "container", "no sign of one");
    assert_value(&t, "virtual_machine", "no sign of one");
    write_file("/run/.containerenv", "");
    write_file("/sys/fs/cgroup/cpu.max", "max 100000\n");
    bench_machine_facts(root, take, &u);
    assert_value(&u, "container", "yes (/run/.containerenv)");
    assert_value(&u, "cpu_quota_us", "none");
}

/* --- This machine ----------------------------------------------------------------------------- */

Test(machine, keys_are_unique_and_the_same_each_time)
{
    told t = {.count = 0}, u = {.count = 0};
    bench_machine_facts("", take, &t);
    bench_machine_facts("/nowhere", take, &u);
    cr_assert_eq(t.count, u.count);
    for (size_t i = 0; i < t.count; i++) {
        cr_assert_str_eq(t.keys[i], u.keys[i]);
        for (size_t j = 0; j < i; j++) {
            cr_assert_str_neq(t.keys[i], t.keys[j]);
        }
    }
}

Test(machine, floating_point_is_as_the_build_promises)
{
    told t = {.count = 0}, u = {.count = 0};
    bench_machine_facts("", take, &t);
    assert_value(&t, "rounding", "to nearest");
    assert_value(&t, "denormals", "kept");
    assert_value(&t, "contraction", "off");
    fesetround(FE_UPWARD);
    bench_machine_facts("", take, &u);
    fesetround(FE_TONEAREST);
    assert_value(&u, "rounding", "upward");
    assert_value(&u, "denormals", "kept");
    assert_value(&u, "contraction", "off");
}

Test(machine, flushed_denormals_are_noticed)
{
#ifdef __SSE2__
    told t = {.count = 0};
    const unsigned before = __builtin_ia32_stmxcsr(), flush = 1u << 15, read_as_zero = 1u << 6;
    __builtin_ia32_ldmxcsr(before | flush);
    bench_machine_facts("/nowhere", take, &t);
    __builtin_ia32_ldmxcsr(before | flush | read_as_zero);
    bench_machine_facts("/nowhere", take, &t);
    __builtin_ia32_ldmxcsr(before);
    assert_value(&t, "denormals", "flushed to zero");
    size_t seen = 0;
    for (size_t i = 0; i < t.count; i++) {
        seen += strcmp(t.values[i], "flushed, and read as zero") == 0;
    }
    cr_assert_eq(seen, 1);
#else
    cr_skip_test("skipped: another processor");
#endif
}
