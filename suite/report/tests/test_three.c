#include "base/file.h"
#include "base/tests/support.h"
#include "suite/report/three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/proxbench-three-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_ok(base_folder_make_parents(path, ERR));
    assert_ok(base_file_replace(path, text, strlen(text), ERR));
}

static void set_up(void)
{
    static const char *const lines[] = {"LineSegmentsGeometry", "LineGeometry", "LineMaterial",
                                        "LineSegments2", "Line2"};
    cr_assert_not_null(mkdtemp(root));
    put("copyright", "authors <of> three.js");
    put("three.min.js", "one()");
    put("examples/js/controls/OrbitControls.js", "two()");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char name[128];
        snprintf(name, sizeof name, "examples/js/lines/%s.js", lines[i]);
        put(name, lines[i]);
    }
    cr_assert_eq(setenv("PROXBENCH_THREE", root, 1), 0);
}

static void tear_down(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(three, .init = set_up, .fini = tear_down);

static void expect_error(const char *part)
{
    bench_three three;
    base_error err = {0};
    cr_assert_eq(bench_three_read(&three, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, part), "%s", err.text);
    cr_assert_null(three.scripts);
    cr_assert_null(three.notice);
}

Test(three, scripts_are_elements_in_the_order_of_their_needs)
{
    bench_three three;
    assert_ok(bench_three_read(&three, ERR));
    cr_assert_str_eq(three.notice, "authors <of> three.js");
    const char *const first = "<script>\none()\n</script>\n<script>\ntwo()\n</script>\n";
    cr_assert_eq(strncmp(three.scripts, first, strlen(first)), 0, "%s", three.scripts);
    const char *const last = strstr(three.scripts, "<script>\nLine2\n</script>\n");
    cr_assert_not_null(last);
    cr_assert_gt(last, strstr(three.scripts, "LineSegments2"));
    bench_three_release(&three);
}

Test(three, a_missing_file_is_named_with_its_package)
{
    char path[512];
    snprintf(path, sizeof path, "%s/examples/js/lines/Line2.js", root);
    cr_assert_eq(remove(path), 0);
    expect_error("lines/Line2.js");
    expect_error("libjs-three");
}

Test(three, scripts_without_their_notice_are_not_taken)
{
    char path[512];
    snprintf(path, sizeof path, "%s/copyright", root);
    cr_assert_eq(remove(path), 0);
    expect_error("copyright");
}

Test(three, a_script_that_ends_its_element_is_refused)
{
    put("three.min.js", "var text = '</SCRIPT >';");
    expect_error("end of a script element");
}
