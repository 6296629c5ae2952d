/**
 * Names in a run's files: names that the suite writes are accepted; names with a special meaning in
 * a path, a shell or a script are refused.
 */
#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/truth_entries.h"
#include "suite/results/run_folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const hostile[] = {
    "",       "x'; system('id'); y='", "a\"b",      "`id`", "$(id)", "a\nb", "a\tb", "../a",
    "a/../b", "/etc/passwd",           "..",        "a b",  "a;b",   "a|b",  "a*",   "~a",
    "a\\b",   "caf\303\251",           "a\033[31m", "<a>",  "a&b",   "a#b",
};

Test(names, no_kind_takes_what_means_something_elsewhere)
{
    for (int kind = BENCH_NAME_SCENARIO; kind <= BENCH_NAME_KEY; kind++) {
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
            cr_assert_not_null(bench_name_fault((bench_name_kind)kind, hostile[i]),
                               "kind %d takes '%s'", kind, hostile[i]);
        }
    }
}

Test(names, each_kind_by_examples)
{
    static const struct {
        bench_name_kind kind;
        const char *text;
        bool good;
    } cases[] = {
        {BENCH_NAME_SCENARIO, "bolt/far", true},
        {BENCH_NAME_SCENARIO, "spot-rocker-0.5", true},
        {BENCH_NAME_SCENARIO, "a/./b", false},
        {BENCH_NAME_SCENARIO, "a//b", false},
        {BENCH_NAME_SCENARIO, "a/", false},
        {BENCH_NAME_SCENARIO, "a.csv", false},
        {BENCH_NAME_SCENARIO, "Bolt", false},
        {BENCH_NAME_CONTESTANT, "ist", true},
        {BENCH_NAME_CONTESTANT, "ist:radius=primary,voxels=64", true},
        {BENCH_NAME_CONTESTANT, "budget:error=1e-05,x=-2.5@twin", true},
        {BENCH_NAME_CONTESTANT, "old-ist:voxels=8@base", true},
        {BENCH_NAME_CONTESTANT, "ist:", false},
        {BENCH_NAME_CONTESTANT, "ist:voxels", false},
        {BENCH_NAME_CONTESTANT, "ist:voxels=", false},
        {BENCH_NAME_CONTESTANT, "ist:voxels=8,", false},
        {BENCH_NAME_CONTESTANT, "ist@", false},
        {BENCH_NAME_CONTESTANT, "ist@a@b", false},
        {BENCH_NAME_CONTESTANT, "a/b", false},
        {BENCH_NAME_EXPERIMENT, "ist-speed", true},
        {BENCH_NAME_EXPERIMENT, "a/b", false},
        {BENCH_NAME_EXPERIMENT, "a.b", false},
        {BENCH_NAME_SECTION, "machine", true},
        {BENCH_NAME_SECTION, "plugin mine:n=3", true},
        {BENCH_NAME_SECTION, "plugin ../mine", false},
        {BENCH_NAME_SECTION, "variant mine:n=3", true},
        {BENCH_NAME_SECTION, "variant ../mine", false},
        {BENCH_NAME_KEY, "PROXBENCH_HOST", true},
        {BENCH_NAME_KEY, "a-b", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(bench_name_fault(cases[i].kind, cases[i].text) == NULL, cases[i].good, "'%s'",
                     cases[i].text);
    }
    char longest[BENCH_CONTESTANT_NAME_BYTES + 1];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    cr_assert_not_null(bench_name_fault(BENCH_NAME_CONTESTANT, longest));
    cr_assert_null(bench_name_fault(BENCH_NAME_CONTESTANT, longest + 1));
}

/** All experiments of this tree, with every variant as it is written. */
Test(names, what_experiments_say_is_accepted)
{
    bench_truth_entries_register();
    SCOPED_ARENA arena = {0};
    const char **experiments;
    size_t scenarios = 0, variants = 0;
    assert_ok(bench_experiment_names(&arena, &experiments, ERR));
    for (; *experiments; experiments++) {
        SCOPED_EXPERIMENT e;
        assert_ok(bench_experiment_open(*experiments, &e, ERR));
        cr_assert_null(bench_name_fault(BENCH_NAME_EXPERIMENT, e.name), "%s", e.name);
        for (size_t i = 0; i < e.scenario_count; i++, scenarios++) {
            const char *const name = e.scenarios[i].name;
            cr_assert_null(bench_name_fault(BENCH_NAME_SCENARIO, name), "%s", name);
            cr_assert_null(bench_name_fault(BENCH_NAME_SECTION, name), "%s", name);
        }
        for (size_t i = 0; i < e.variant_count; i++) {
            alg_variant variant;
            if (alg_variant_parse(e.variants[i], 1, &variant, NULL) == ALG_OK) {
                cr_assert_null(bench_name_fault(BENCH_NAME_CONTESTANT, variant.name), "%s",
                               variant.name);
                variants++;
            }
        }
    }
    cr_assert_gt(scenarios, 10u);
    cr_assert_gt(variants, 50u);
}

/* --- Owners ----------------------------------------------------------------------------------- */

/** Claims the folder in a new process. Returns its status; `text` is its error message. */
static base_status claim_elsewhere(const char *folder, char *text, size_t size)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        base_error err = {0};
        const base_status status = bench_run_claim(folder, &err);
        (void)!write(ends[1], err.text, strlen(err.text));
        _exit((int)status);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    int ended = -1;
    cr_assert_eq(waitpid(child, &ended, 0), child);
    cr_assert(WIFEXITED(ended));
    return (base_status)WEXITSTATUS(ended);
}

Test(run_folder, has_one_owner_until_that_process_ends)
{
    char folder[] = "/tmp/proxbench-owner-XXXXXX", text[1024], number[32];
    base_error err = {0};
    cr_assert_not_null(mkdtemp(folder));
    cr_expect_eq(claim_elsewhere(folder, text, sizeof text), BASE_OK, "%s", text);
    cr_expect_eq(bench_run_claim(folder, &err), BASE_OK, "its owner has ended: %s", err.text);
    snprintf(number, sizeof number, "process %ld ", (long)getpid());
    cr_expect_eq(claim_elsewhere(folder, text, sizeof text), BASE_ERR_INPUT);
    cr_expect(strstr(text, number) && strstr(text, folder), "%s", text);
    base_folder_remove(folder);
}

/** Returns where results/NAME leads; "" if it is no link. */
static const char *target(const char *name)
{
    static char text[100];
    char path[100];
    snprintf(path, sizeof path, "results/%s", name);
    const ssize_t length = readlink(path, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

Test(run_folder, a_link_leads_to_the_last_run)
{
    char folder[] = "/tmp/proxbench-link-XXXXXX", command[100];
    cr_assert(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mkdir("results", 0777), 0);
    bench_run_link("results/own-20260102-030405", true);
    cr_expect_str_eq(target("own"), "own-20260102-030405");
    bench_run_link("results/own-20260102-030406", false);
    cr_expect_str_eq(target("own"), "own-20260102-030405", "an older link stays");
    bench_run_link("results/own-20260102-030406-2", true);
    cr_expect_str_eq(target("own"), "own-20260102-030406-2");
    bench_run_link("results/a-1-20260102-030405", false);
    cr_expect_str_eq(target("a-1"), "a-1-20260102-030405");
    static const char *const others[] = {
        "b-20260102-030405",          "results/b",
        "results/b-20260102-03040",   "results/b-20260102-030405/c",
        "results/b-20260102-030405-", "results/b-20260102-030405-x",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bench_run_link(others[i], true);
        cr_expect_str_eq(target("b"), "", "%s", others[i]);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}
