#include "base/file.h"
#include "base/tests/support.h"
#include "suite/share.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of a test, each with its own files. The current folder is not in a source tree. */
static char root[] = "/tmp/proxbench-share-XXXXXX";

static void put(const char *path)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    assert_ok(base_folder_make_parents(whole, ERR));
    FILE *const file = fopen(whole, "w");
    cr_assert_not_null(file);
    fclose(file);
}

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(root));
    put("option/experiments/one.cfg");
    put("environment/scenarios/experiments/one.cfg");
    put("environment/scenarios/experiments/two.cfg");
    put("tree/scenarios/experiments/two.cfg");
    put("tree/scenarios/experiments/three.cfg");
    put("tree/results/reference/ci.csv");
    put("own/plots/style.gp"); /* not a source tree, although it has plots */
    bench_share_data = NULL;
    unsetenv("PROXBENCH_DATA");
    cr_assert_eq(chdir(root), 0);
}

static void tear_down(void)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(share, .init = set_up, .fini = tear_down);

/** Returns the path of a file relative to the test's folder; "" if it is not found. */
static const char *find(const char *name)
{
    static char path[BENCH_SHARE_BYTES];
    base_error err = {0};
    if (bench_share_path(name, path, &err) != BASE_OK) {
        cr_assert_eq(err.status, BASE_ERR_INPUT);
        cr_assert(strstr(err.text, name), "%s", err.text);
        return "";
    }
    return strncmp(path, root, strlen(root)) == 0 ? path + strlen(root) + 1 : path;
}

Test(share, a_kind_of_files_comes_whole_from_the_first_folder_that_has_it)
{
    char option[512], environment[512];
    snprintf(option, sizeof option, "%s/option", root);
    snprintf(environment, sizeof environment, "%s/environment", root);
    bench_share_data = option;
    setenv("PROXBENCH_DATA", environment, 1);
    cr_assert_eq(chdir("tree"), 0);
    cr_expect_str_eq(find("experiments/one.cfg"), "option/experiments/one.cfg");
    cr_expect_str_eq(find("experiments/two.cfg"), "", "the option's folder has experiments");
    cr_expect_str_eq(find("reference/ci.csv"), "results/reference/ci.csv");
    bench_share_data = NULL;
    cr_expect_str_eq(find("experiments/one.cfg"), "environment/scenarios/experiments/one.cfg");
    unsetenv("PROXBENCH_DATA");
    cr_expect_str_eq(find("experiments/three.cfg"), "scenarios/experiments/three.cfg");
}

Test(share, a_folder_with_plots_of_its_own_is_no_source_tree)
{
    cr_assert_eq(chdir("own"), 0);
    cr_expect_str_eq(find("plots/style.gp"), "");
    bench_share_data = ".";
    cr_expect_str_eq(find("plots/style.gp"), "plots/style.gp");
}

Test(share, an_error_says_where_it_looked)
{
    char path[BENCH_SHARE_BYTES];
    base_error err = {0};
    bench_share_data = "own";
    setenv("PROXBENCH_DATA", "option", 1);
    cr_assert_eq(bench_share_path("reference/ci.csv", path, &err), BASE_ERR_INPUT);
    cr_expect(strstr(err.text, "'own', 'option', "), "%s", err.text);
}

Test(share, a_folder_that_was_named_has_to_be_there)
{
    char path[BENCH_SHARE_BYTES];
    base_error err = {0};
    cr_assert_eq(chdir("tree"), 0);
    bench_share_data = "/nowhere/given";
    cr_assert_eq(bench_share_path("experiments/two.cfg", path, &err), BASE_ERR_INPUT);
    cr_expect(strstr(err.text, "'/nowhere/given' of --data"), "%s", err.text);
    bench_share_data = NULL;
    setenv("PROXBENCH_DATA", "/nowhere/set", 1);
    cr_assert_eq(bench_share_path("experiments/two.cfg", path, &err), BASE_ERR_INPUT);
    cr_expect(strstr(err.text, "'/nowhere/set' of PROXBENCH_DATA"), "%s", err.text);
}

Test(share, what_is_of_no_kind_is_not_looked_for)
{
    bench_share_data = "tree";
    cr_expect_str_eq(find("results/reference/ci.csv"), "");
    cr_expect_str_eq(find("ci.csv"), "");
}

Test(share, names_are_sorted)
{
    static const char *const wanted[] = {"three", "two", NULL};
    SCOPED_ARENA arena = {0};
    const char **names;
    bench_share_data = "tree";
    assert_ok(bench_share_names("experiments", ".cfg", &arena, &names, ERR));
    for (size_t i = 0; i < 3; i++) {
        cr_expect(wanted[i] ? names[i] && strcmp(names[i], wanted[i]) == 0 : !names[i], "name %zu",
                  i);
    }
}

Test(share, no_names_at_all_is_an_error)
{
    base_arena arena = {0};
    const char **names;
    base_error err = {0};
    cr_expect_eq(bench_share_names("experiments", ".cfg", &arena, &names, &err), BASE_ERR_INPUT);
    cr_expect_null(names);
}

Test(share, the_cache_is_in_the_tree_or_where_the_user_keeps_such)
{
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    setenv("HOME", "/home/me", 1);
    cr_expect_str_eq(bench_cache_directory("mine"), "mine");
    cr_expect_str_eq(bench_cache_directory(NULL), "/somewhere/proxbench");
    setenv("XDG_CACHE_HOME", "relative", 1);
    cr_expect_str_eq(bench_cache_directory(NULL), "/home/me/.cache/proxbench");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    cr_expect_null(bench_cache_directory(NULL));
    cr_assert_eq(chdir("tree"), 0);
    cr_expect_str_eq(bench_cache_directory(NULL), "groundtruth/cache");
}

Test(share, a_cache_that_was_tried_is_empty)
{
    char folder[512];
    snprintf(folder, sizeof folder, "%s/tried", root);
    cr_expect_str_eq(bench_cache_directory(folder), folder);
    cr_expect_eq(rmdir(folder), 0, "the file that it was tried with is left");
}
