#include "base/file.h"
#include "base/tests/support.h"
#include "suite/figures/items.h"
#include "suite/share.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder of experiments of a test. */
static char root[] = "/tmp/proxbench-items-XXXXXX";

/** Writes an experiment. keys: keys beside those that it must have. claims: ids with blanks. */
static void put(const char *name, const char *keys, const char *claims)
{
    char path[512], list[512];
    snprintf(path, sizeof path, "%s/experiments/%s.cfg", root, name);
    assert_ok(base_folder_make_parents(path, ERR));
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file,
            "name = \"%s\"; %s variants = (\"brute\"); scenarios = ({ name = \"s\"; a = \"box\"; "
            "b = \"box\"; quantities = \"distance\"; trajectory = ((1, 2, 3)); });\n",
            name, keys);
    snprintf(list, sizeof list, "%s", claims);
    char *rest = NULL;
    fprintf(file, *claims ? "claims = (" : "");
    const char *gap = "";
    for (char *id = strtok_r(list, " ", &rest); id; id = strtok_r(NULL, " ", &rest)) {
        fprintf(file,
                "%s{ id = \"%s\"; claim = \"c\"; whose = \"ours\"; measure = \"build_bytes\"; "
                "at_most = 1.0; }",
                gap, id);
        gap = ", ";
    }
    fprintf(file, *claims ? ");\n" : "");
    fclose(file);
}

static void set_up(void)
{
    cr_assert_not_null(mkdtemp(root));
    bench_share_data = root;
    put("abc-f7", "paper = \"ABC\"; minutes = [20, 5]; gigabytes = [2.0, 0.5]; title = \"seven\";",
        "F7a F8a");
    put("abc-f8", "paper = \"ABC\"; minutes = [8, 1];", "");
    put("abc-t1-a", "paper = \"ABC\"; minutes = [2, 1];", "T1a T1a-old T1f T1g-old");
    put("abc-t1-b", "paper = \"ABC\"; minutes = [1, 1]; gigabytes = [1.0, 0.25];", "T1b");
    put("abc-t10-a", "paper = \"ABC\"; minutes = [4, 1];", "T10a T20a");
    put("abc-time", "paper = \"ABC\";", "T2a T3 F5");
    put("abc-promises", "paper = \"ABC\";", "P1 P2");
    put("abc-x", "paper = \"ABC\";", "");
    put("def-f7", "paper = \"DEF\";", "T2");
    put("def-t1", "", "T1"); /* of no paper */
    put("plain", "", "T9");
    put("zero", "paper = \"ABC\"; unknown = 1;", ""); /* cannot be read */
}

static void tear_down(void)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(items, .init = set_up, .fini = tear_down);

/** Returns the names of the experiments that are asked for by a word, with blanks between them. */
static const char *ask(const char *word)
{
    static char text[2048];
    bench_items items;
    base_error err = {0};
    cr_assert_eq(bench_items_open(&items, &err), BASE_OK, "%s", err.text);
    if (bench_items_ask(&items, word, &err) != BASE_OK) {
        cr_expect_eq(err.status, BASE_ERR_ARGUMENT);
        cr_expect_eq(bench_items_asked(&items), 0);
        snprintf(text, sizeof text, "error: %s", err.text);
    } else {
        size_t used = 0, count = 0;
        text[0] = '\0';
        for (size_t i = 0; i < items.count; i++) {
            if (items.sources[i].asked) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                         used > 0 ? " " : "", items.sources[i].name);
                count++;
            }
        }
        cr_expect_eq(bench_items_asked(&items), count);
    }
    bench_items_close(&items);
    return text;
}

Test(items, an_experiment_is_found_by_its_name_in_any_case)
{
    cr_expect_str_eq(ask("abc-f7"), "abc-f7");
    cr_expect_str_eq(ask("ABC-F7"), "abc-f7");
    cr_expect_str_eq(ask("Abc-Time"), "abc-time");
    cr_expect_str_eq(ask("plain"), "plain");
    cr_expect_str_eq(ask("ABC-T1-b"), "abc-t1-b");
    cr_expect_str_eq(ask("zero"), "zero", "the error of its file is that of its run");
}

Test(items, an_item_has_all_experiments_whose_names_begin_with_its_id)
{
    cr_expect_str_eq(ask("ABC-T1"), "abc-t1-a abc-t1-b");
    cr_expect_str_eq(ask("abc-t10"), "abc-t10-a");
}

Test(items, a_claim_says_where_an_item_is_shown)
{
    cr_expect_str_eq(ask("ABC-T2"), "abc-time", "T20a and the claim T2 of DEF are others");
    cr_expect_str_eq(ask("abc-t2a"), "abc-time");
    cr_expect_str_eq(ask("ABC-T3"), "abc-time");
    cr_expect_str_eq(ask("abc-f5"), "abc-time");
    cr_expect_str_eq(ask("ABC-F7a"), "abc-f7");
    cr_expect_str_eq(ask("ABC-T1a"), "abc-t1-a");
    cr_expect_str_eq(ask("ABC-T1g"), "abc-t1-a");
    cr_expect_str_eq(ask("ABC-F8"), "abc-f8", "the name counts before the claim F8a of abc-f7");
    cr_expect_str_eq(ask("DEF-T2"), "def-f7");
}

Test(items, a_paper_has_the_experiments_that_show_its_items)
{
    cr_expect_str_eq(ask("abc"), "abc-f7 abc-f8 abc-t1-a abc-t1-b abc-t10-a abc-time");
    cr_expect_str_eq(ask("DEF"), "def-f7");
    cr_expect_str_eq(ask(NULL), "abc-f7 abc-f8 abc-t1-a abc-t1-b abc-t10-a abc-time def-f7");
}

Test(items, a_figure_that_is_not_reproduced_is_named)
{
    cr_expect_str_eq(ask("vps-f3"),
                     "error: VPS-F3 is a schematic drawing (the 13 axes of a triangle and a voxel) "
                     "and is not reproduced; docs/vps.md describes the method");
    cr_expect_not_null(strstr(ask("IST-F5"), "IST-F5 is a schematic drawing"));
    cr_expect_str_eq(ask("PST-F3"), "error: the paper PST has 2 figures, and no F3");
    cr_expect_str_eq(ask("pst-f0"), "error: the paper PST has 2 figures, and no F0");
    cr_expect_not_null(strstr(ask("PST-F1"), "unknown figure"), "another tree would show it");
    cr_expect_not_null(strstr(ask("PST-T3"), "unknown figure"));
    cr_expect_not_null(strstr(ask("PST-F3-forces"), "unknown figure"));
}

Test(items, an_unknown_id_is_an_error_with_similar_ids)
{
    cr_expect_str_eq(
        ask("ABC-F9"),
        "error: unknown figure 'ABC-F9'; did you mean 'abc-f7', 'abc-f8' or 'abc-f5'?");
    cr_expect_str_eq(ask("ABC figure 7"), "error: unknown figure 'ABC figure 7'; did you mean "
                                          "'abc-f7'?");
    cr_expect_str_eq(ask("table 2"),
                     "error: unknown figure 'table 2'; did you mean 'abc-t2' or 'def-t2'?");
    const char *const unknown[] = {"ABC-P1", "ABC-T1z", "ABC-T9", "ABC-F", "DEF-T1a", "ABC-", ""};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        cr_expect_eq(strncmp(ask(unknown[i]), "error: ", 7), 0, "%s", unknown[i]);
    }
}

Test(items, minutes_are_those_of_the_experiments_that_are_not_done)
{
    bench_items items;
    assert_ok(bench_items_open(&items, ERR));
    assert_ok(bench_items_ask(&items, "ABC-F7", ERR));
    assert_ok(bench_items_ask(&items, "ABC-T1", ERR));
    cr_expect_eq(bench_items_asked(&items), 3, "words add up");
    cr_expect_str_eq(items.sources[0].title, "seven");
    cr_expect_str_eq(items.sources[1].title, "abc-f8");
    cr_expect_eq(bench_items_costs(&items, 0, SCN_COST_FULL).minutes, 23);
    cr_expect_eq(bench_items_costs(&items, 0, SCN_COST_SMOKE).minutes, 7);
    cr_expect_eq(bench_items_costs(&items, 1, SCN_COST_FULL).minutes, 3);
    cr_expect_eq(bench_items_costs(&items, 0, SCN_COST_FULL).gigabytes, 3);
    cr_expect_eq(bench_items_costs(&items, 0, SCN_COST_SMOKE).gigabytes, 0.75);
    items.sources[3].done = true;
    cr_expect_eq(bench_items_costs(&items, 0, SCN_COST_FULL).minutes, 21, "abc-t1-a is done");
    bench_items_close(&items);
}

Test(items, the_error_of_an_unknown_experiment_names_the_command_for_the_item)
{
    base_error err;
    base_fail(&err, BASE_ERR_ARGUMENT, "unknown experiment 'ABC-T2'");
    bench_items_hint("ABC-T2", &err);
    cr_expect_eq(err.status, BASE_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "unknown experiment 'ABC-T2'; 'proxbench figure ABC-T2' runs, "
                               "judges and draws it");
    base_fail(&err, BASE_ERR_ARGUMENT, "unknown experiment 'ABC-F7'; did you mean 'abc-f7'?");
    bench_items_hint("ABC-F7", &err);
    cr_expect_str_eq(err.text, "unknown experiment 'ABC-F7'; did you mean 'abc-f7'? 'proxbench "
                               "figure ABC-F7' runs, judges and draws it");
    base_fail(&err, BASE_ERR_ARGUMENT, "unknown experiment 'bad'");
    bench_items_hint("bad", &err);
    cr_expect_str_eq(err.text, "unknown experiment 'bad'");
}

/* The items of the five papers that need several experiments, or one with another name. */
Test(items_of_papers, an_item_has_its_experiments)
{
    static const char *const items[][2] = {
        {"VPS-T1", "vps-t1-a vps-t1-b vps-t1-c vps-t1-d vps-t1-e"},
        {"VPS-T1j", "vps-t1-d"},
        {"IST-F7b", "ist-f7"},
        {"IST-A6", "ist-a6"},
        {"PST-X2", "pst-x2"},
        {"LPD-F5", "lpd-t"},
        {"LPD-T1", "lpd-t"},
        {"LPD-T2", "lpd-t"},
        {"LPD-T3", "lpd-t"},
        {"LPD-X2", "lpd-x2"},
        {"IMP-T1", "imp-x1"},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        cr_expect_str_eq(ask(items[i][0]), items[i][1], "%s", items[i][0]);
    }
}

/* Each experiment that shows an item of a paper says how long it takes. */
Test(items_of_papers, their_experiments_have_minutes)
{
    bench_items items;
    assert_ok(bench_items_open(&items, ERR));
    assert_ok(bench_items_ask(&items, NULL, ERR));
    cr_expect_geq(bench_items_asked(&items), 45);
    for (size_t i = 0; i < items.count; i++) {
        const bench_item_source *const source = &items.sources[i];
        cr_expect(!source->asked ||
                      (source->minutes[SCN_COST_FULL] > 0 && source->minutes[SCN_COST_SMOKE] > 0),
                  "%s", source->name);
    }
    bench_items_close(&items);
}
