/** Selection of the scenarios of an experiment. */
#include "base/tests/support.h"
#include "suite/inputs/experiment.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "name = \"x\";\n"
    "variants = (\"brute\");\n"
    "scenarios = (\n"
    "  { name = \"model\"; a = \"box\"; b = \"box\"; quantities = \"distance\"; optional = true;\n"
    "    trajectory = ((1, 0, 0)); },\n"
    "  { name = \"first\"; a = \"no.off:scale=2\"; b = \"box\"; quantities = \"distance\";\n"
    "    optional = true; trajectory = ((1, 0, 0)); },\n"
    "  { name = \"second\"; a = \"box\"; b = \"no.off\"; quantities = \"distance\";\n"
    "    optional = true; trajectory = ((1, 0, 0)); },\n"
    "  { name = \"needed\"; a = \"box\"; b = \"no.off\"; quantities = \"distance\";\n"
    "    trajectory = ((1, 0, 0)); } );\n";

/**
 * An optional scenario without its mesh file is left out. A scenario that is not optional stays, so
 * that its missing file is an error.
 */
Test(choice, optional_scenarios_without_their_meshes_are_left_out)
{
    char path[] = "/tmp/proxbench-test-XXXXXX.cfg";
    const int descriptor = mkstemps(path, 4);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    cr_redirect_stderr();
    scn_experiment e;
    bench_choice choice;
    assert_ok(bench_experiment_open(path, &e, ERR));
    cr_assert_eq(e.scenario_count, 4);
    assert_ok(bench_experiment_choose(&e, NULL, NULL, &choice, ERR));
    cr_assert_eq(e.scenario_count, 2);
    cr_expect_str_eq(e.scenarios[0].name, "model");
    cr_expect_str_eq(e.scenarios[1].name, "needed");
    cr_expect_stderr_eq_str(
        "proxbench: warning: experiment 'x': scenario 'first' is left out: there is no mesh file "
        "'/tmp/no.off:scale=2'\n"
        "proxbench: warning: experiment 'x': scenario 'second' is left out: there is no mesh file "
        "'/tmp/no.off'\n");
    scn_experiment_release(&e);
    remove(path);
}
