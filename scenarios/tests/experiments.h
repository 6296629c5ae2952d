/** Common code of the tests of experiments: files from texts, and their errors. */
#ifndef SCENARIOS_TESTS_EXPERIMENTS_H
#define SCENARIOS_TESTS_EXPERIMENTS_H

#include "scenarios/experiment.h"
#include "scenarios/tests/support.h"

static inline base_status read_text(const char *text, scn_experiment *e, base_error *err,
                                    scratch *s)
{
    *s = scratch_write(text);
    const base_status status = scn_experiment_read(s->path, e, err);
    unlink(s->path);
    return status;
}

static inline scn_experiment read_good(const char *text)
{
    scn_experiment e;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), BASE_OK, "%s: %s", text, err.text);
    return e;
}

static inline void assert_error(const char *text, const char *message)
{
    scn_experiment e;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), BASE_ERR_INPUT, "%s: %s", text, err.text);
    cr_assert_str_eq(error_text(&err, &s), message, "%s\ngot %s", text, err.text);
    cr_assert_null(e.scenarios);
    cr_assert_null(e.arena.blocks);
}

#define SCENARIO                                                                                   \
    "{ name = \"one\"; a = \"box\"; b = \"sphere\"; quantities = \"distance\"; trajectory = "      \
    "\"t.csv\"; }"
#define SCENARIOS "scenarios = ( " SCENARIO " );\n"
#define VARIANTS  "variants = ( \"brute\" );\n"

#endif
