#include "base/memory.h"
#include "scenarios/tests/experiments.h"

#include <glob.h>
#include <math.h>

Test(experiment, a_small_one_has_its_defaults)
{
    scn_experiment e = read_good("name = \"small\";\n" VARIANTS SCENARIOS);
    cr_assert_str_eq(e.name, "small");
    cr_assert_str_eq(e.title, "small");
    cr_assert_null(e.paper);
    cr_assert_null(e.item);
    cr_assert_eq(e.minutes[SCN_MINUTES_FULL], 0);
    cr_assert_eq(e.figure_count, 0);
    cr_assert_str_eq(e.mode, "bench");
    cr_assert_eq(e.seed, 1);
    cr_assert_eq(e.launches, 0);
    cr_assert_eq(e.rounds, 0);
    cr_assert_null(e.baseline);
    cr_assert_eq(e.baseline_line, 0);
    cr_assert_eq(e.lines[0], 2);
    cr_assert_eq(e.variant_count, 1);
    cr_assert_str_eq(e.variants[0], "brute");
    cr_assert_eq(e.triangle_limits[0], 0);
    cr_assert_eq(e.scenario_count, 1);
    cr_assert_str_eq(e.scenarios[0].name, "one");
    cr_assert_str_eq(e.scenarios[0].a, "box");
    cr_assert_str_eq(e.scenarios[0].b, "sphere");
    cr_assert_str_eq(e.scenarios[0].quantity, "distance");
    cr_assert_eq(e.scenarios[0].quantities, 0, "the suite fills in the quantities");
    cr_assert_str_eq(e.scenarios[0].motion.path, "/tmp/t.csv");
    scn_experiment_release(&e);
    cr_assert_null(e.name);
    scn_experiment_release(&e);
    no_leak();
}

Test(experiment, everything_there_is)
{
    scn_experiment e = read_good(
        "# comment\n// 99999999999\n/* 99999999999 \"\n */\n"
        "name = \"full-1\"; title = \"All of it: 99999999999\"; "
        "paper = \"IST\"; item = \"figure 7\"; minutes = (90, 0.5); figures = "
        "[\"ist-f7\", \"pareto\"];\n"
        "mode = \"paper\"; seed = 5000000000L; launches = 9; rounds = 100;\n"
        "baseline = \"ist:radius=primary,voxels=64\";\n"
        "variants = ( \"brute\", \"ist:voxels=16\",\n"
        "  { algorithm = \"ist\"; voxels = [32, 64]; radius = \"primary\"; triangle_limit = 2000;\n"
        "    optional = true; },\n"
        "  { algorithm = \"x\"; z = (1, 2.5, \"w\"); a-b = [0.1, 1e-7]; } );\n"
        "scenarios = (\n"
        "  { name = \"sphere/all\"; a = \"sphere:triangles=5120\"; b = \"/abs/mesh.off\";\n"
        "    quantities = [\"distance\", \"volume\", \"unified\", \"force+depth\"];\n"
        "    trajectory = { kind = \"sphere\"; target = \"volume\"; lo = 0; hi = 0.1; frames = "
        "200.0;\n"
        "                   seed = 7; }; },\n"
        "  { name = \"b\"; a = \"m/x.off:scale=0.001\"; b = \"torus\"; quantities = "
        "(\"unified\");\n"
        "    trajectory = { kind = \"tumble\"; frames = 10; }; } );\n");
    cr_assert_str_eq(e.title, "All of it: 99999999999");
    cr_assert_str_eq(e.paper, "IST");
    cr_assert_str_eq(e.item, "figure 7");
    cr_assert_eq(e.minutes[SCN_MINUTES_FULL], 90);
    cr_assert_eq(e.minutes[SCN_MINUTES_SMOKE], 0.5);
    cr_assert_eq(e.figure_count, 2);
    cr_assert_str_eq(e.figures[0], "ist-f7");
    cr_assert_str_eq(e.figures[1], "pareto");
    cr_assert_str_eq(e.mode, "paper");
    cr_assert_eq(e.seed, UINT64_C(5000000000));
    cr_assert_eq(e.launches, 9);
    cr_assert_eq(e.rounds, 100);
    cr_assert_str_eq(e.baseline, e.variants[3]);
    cr_assert_eq(e.lines[1], 8);
    cr_assert_eq(e.lines[3], 9);
    cr_assert_eq(e.lines[9], 11);
    static const struct {
        const char *text;
        size_t limit;
    } variants[] = {
        {"brute", 0},
        {"ist:voxels=16", 0},
        {"ist:radius=primary,voxels=32", 2000},
        {"ist:radius=primary,voxels=64", 2000},
        {"x:a-b=0.1,z=1", 0},
        {"x:a-b=0.1,z=2.5", 0},
        {"x:a-b=0.1,z=w", 0},
        {"x:a-b=1e-07,z=1", 0},
        {"x:a-b=1e-07,z=2.5", 0},
        {"x:a-b=1e-07,z=w", 0},
    };
    cr_assert_eq(e.variant_count, 10, "%zu", e.variant_count);
    for (size_t i = 0; i < 10; i++) {
        cr_assert_str_eq(e.variants[i], variants[i].text, "%s", e.variants[i]);
        cr_assert_eq(e.triangle_limits[i], variants[i].limit);
        cr_assert_eq(e.optional[i], i == 2 || i == 3, "%zu", i);
    }
    cr_assert_eq(e.scenario_count, 5);
    static const char *const names[] = {"sphere/all/distance", "sphere/all/volume",
                                        "sphere/all/unified", "sphere/all/force-depth", "b"};
    static const char *const quantities[] = {"distance", "volume", "unified", "force+depth",
                                             "unified"};
    for (size_t i = 0; i < 5; i++) {
        cr_assert_str_eq(e.scenarios[i].name, names[i], "%s", e.scenarios[i].name);
        cr_assert_str_eq(e.scenarios[i].quantity, quantities[i]);
        cr_assert_eq(e.scenarios[i].quantity_line, i < 4 ? 14 : 17, "%u",
                     e.scenarios[i].quantity_line);
        cr_assert_null(e.scenarios[i].motion.path);
    }
    cr_assert_str_eq(e.scenarios[1].a, "sphere:triangles=5120");
    cr_assert_str_eq(e.scenarios[1].b, "/abs/mesh.off");
    cr_assert_str_eq(e.scenarios[4].a, "/tmp/m/x.off:scale=0.001");
    const scn_sampler *const s = &e.scenarios[2].motion.sampler;
    cr_assert_eq(s->kind, SCN_SPHERE);
    cr_assert_eq(s->target, SCN_TARGET_VOLUME);
    cr_assert_eq(s->lo, 0);
    cr_assert_eq(s->hi, 0.1);
    cr_assert_eq(s->frames, 200);
    cr_assert_eq(s->seed, 7);
    cr_assert_eq(s->step, 0);
    const scn_sampler *const t = &e.scenarios[4].motion.sampler;
    cr_assert_eq(t->kind, SCN_TUMBLE);
    cr_assert_eq(t->target, SCN_TARGET_DISTANCE);
    cr_assert_eq(t->seed, UINT64_C(5000000000));
    cr_assert_eq(t->step, 0);
    scn_experiment_release(&e);
    no_leak();
}

Test(experiment, the_head_is_checked)
{
    assert_error(VARIANTS SCENARIOS, "'F': missing key 'name'");
    assert_error("name = \"x\";\n" SCENARIOS, "'F': missing key 'variants'");
    assert_error("name = \"x\";\n" VARIANTS, "'F': missing key 'scenarios'");
    assert_error("name = \"A b\";\n" VARIANTS SCENARIOS,
                 "'F' line 1: 'A b' is no name of an experiment ([a-z0-9-])");
    assert_error("name = \"\";\n" VARIANTS SCENARIOS, "'F' line 1: 'name' is empty");
    assert_error("name = 3;\n" VARIANTS SCENARIOS,
                 "'F' line 1: 'name' is a whole number, not a text");
    assert_error("name = \"x\";\ntitle = \"a\\nb\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'title' has a control character");
    assert_error("name = \"x\";\nmode = \"papre\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: unknown mode 'papre' (smoke, ci, bench or paper); did you mean "
                 "'paper'?");
    assert_error("name = \"x\";\n\nsead = 1;\n" VARIANTS SCENARIOS,
                 "'F' line 3: unknown key 'sead'; did you mean 'seed'?");
    assert_error("name = \"x\";\nseed = -1;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'seed' is -1: it must be from 0 to 9223372036854775807");
    assert_error("name = \"x\";\nseed = 1.5;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'seed' is a real number, not a whole number");
    assert_error("name = \"x\";\nseed = \"1\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'seed' is a text, not a whole number");
    assert_error("name = \"x\";\nfigures = [\"a\",\n\"a/b\"];\n" VARIANTS SCENARIOS,
                 "'F' line 3: 'a/b' is no name of a figure ([a-z0-9-])");
    assert_error("name = \"x\";\nfigures = [7];\n" VARIANTS SCENARIOS,
                 "'F' line 2: an element of 'figures' is a whole number, not a text");
    assert_error("name = \"x\";\nfigures = \"a\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'figures' is a text, not a list");
    assert_error("name = \"x\";\nfigure = \"a\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: unknown key 'figure'; did you mean 'figures'?");
    assert_error("name = \"x\";\nminutes = [5];\n" VARIANTS SCENARIOS,
                 "'F' line 2: minutes are two numbers: in full and in smoke");
    assert_error("name = \"x\";\nminutes = [5, 0];\n" VARIANTS SCENARIOS,
                 "'F' line 2: an element of 'minutes' is 0: it must be from 0.1 to 100000");
    assert_error("name = \"x\";\nminutes = 5;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'minutes' is a whole number, not a list");
    assert_error("name = \"x\";\ntitle = \"\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'title' is empty");
    assert_error("name = \"x\";\nmode = 1;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'mode' is a whole number, not a text");
    assert_error("name = \"x\";\nlaunches = 2.5;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'launches' is a real number, not a whole number");
    assert_error("name = \"x\";\nlaunches = 0;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'launches' is 0: it must be from 1 to 1000");
    assert_error("name = \"x\";\nrounds = 101;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'rounds' is 101: it must be from 1 to 100");
    assert_error("name = \"x\";\nrounds = true;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'rounds' is true or false, not a whole number");
    assert_error("name = \"x\";\nbaseline = 3;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'baseline' is a whole number, not a text");
    assert_error(
        "name = \"x\";\nbaseline = \"brut\";\n" VARIANTS SCENARIOS,
        "'F' line 2: the baseline 'brut' is not one of the variants; did you mean 'brute'?");
    assert_error("name = \"x\";\nname = \"y\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: duplicate setting name");
    assert_error("name = \"x\"\n\n = 3" VARIANTS SCENARIOS, "'F' line 3: syntax error");
    char text[400];
    snprintf(text, sizeof text, "name = \"%0101d\";\n" VARIANTS SCENARIOS, 7);
    assert_error(text, "'F' line 1: '0000000000000000000000000000000000000000...' is too long for "
                       "the name of an experiment");
    no_leak();
}

Test(experiment, what_the_parser_would_take_in_silence_is_refused)
{
    assert_error("name = \"x\";\nseed = 5000000000;\n" VARIANTS SCENARIOS,
                 "'F' line 2: whole number too large (up to 2147483647, with an L behind it up to "
                 "2^63 - 1)");
    assert_error("name = \"x\";\nseed = 99999999999999999999L;\n" VARIANTS SCENARIOS,
                 "'F' line 2: whole number too large (up to 2147483647, with an L behind it up to "
                 "2^63 - 1)");
    assert_error("name = \"x\";\nseed = 0xFFFFFFFF;\n" VARIANTS SCENARIOS,
                 "'F' line 2: whole number too large (up to 2147483647, with an L behind it up to "
                 "2^63 - 1)");
    assert_error("name = \"x\";\n@include \"y.cfg\"\n" VARIANTS SCENARIOS,
                 "'F' line 2: cannot open include file (an experiment is one file)");
    assert_error("name = \"x\";\nvariants = ( { algorithm = \"i\"; v = [0.1, 1]; } );\n" SCENARIOS,
                 "'F' line 2: mismatched element type in array (write 1.0 for 1 among reals)");
    assert_error(
        "name = \"x\"; # 1\n/* 1\n1 */ title = \"\\\"1\n\";\nseed = -5000000000;\n" VARIANTS
            SCENARIOS,
        "'F' line 5: whole number too large (up to 2147483647, with an L behind it up to "
        "2^63 - 1)");
    /* Names and reals with many digits are not whole numbers, and neither are comments and
     * texts. */
    scn_experiment e =
        read_good("name = \"x\"; seed = 2147483647; # 99999999999\n// 99999999999\n/* 99999999999 "
                  "*/ title = \"\\\" 99999999999\";\nvariants = ( { algorithm = "
                  "\"i\"; k99999999999 = 12345678901.5; b = 1e-12; } );\n" SCENARIOS);
    cr_assert_str_eq(e.variants[0], "i:b=1e-12,k99999999999=12345678901.5");
    scn_experiment_release(&e);
    no_leak();
}

Test(experiment, files_that_cannot_be_read)
{
    scn_experiment e;
    base_error err = {0};
    cr_assert_eq(scn_experiment_read("/nonexistent/x.cfg", &e, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot open '/nonexistent/x.cfg': No such file or directory");
    cr_assert_eq(scn_experiment_read("/tmp", &e, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot read '/tmp': Is a directory");
    assert_error("", "'F': missing key 'name'");
    assert_error("name = \"x", "'F' line 1: syntax error");
    no_leak();
}

static void leaks_ignored(bool ignored)
{
#ifdef __SANITIZE_ADDRESS__
    (ignored ? __lsan_disable : __lsan_enable)();
#else
    (void)ignored;
#endif
}

/** A file with every key. */
static const char whole[] =
    "name = \"full\"; title = \"t\"; figures = [\"f\"]; mode = \"ci\"; seed = 5L; launches = 7;\n"
    "rounds = 2; baseline = \"brute\";\nvariants = ( \"brute\", { algorithm = \"ist\"; v = [32, "
    "64];\n"
    "zip = { a = [1, 2]; b = (3, 4.5); }; optional = true; triangle_limit = 9; } );\n"
    "scenarios = ( { name = \"s/all\"; a = \"sphere\"; b = \"box:scale=2\"; quantities = "
    "[\"distance\", \"volume\"];\ntrajectory = { kind = \"glide\"; target = \"volume\"; lo = 0.0; "
    "hi = 0.1; frames = 20; seed = 2; step = 0.1; hold = 2; }; },\n{ name = \"p\"; a = \"box\"; b "
    "= \"box\"; "
    "quantities = \"contact\"; trajectory = ((1, 2, 3)); known_distance_m = (1); known_volume_m3 = "
    "\"a\"; } );\n";

typedef struct tally {
    size_t read, refused;
} tally;

/** Reads an arbitrary text. It is read, or rejected with a message. */
static void try_text(const char *text, tally *t)
{
    scn_experiment e;
    base_error err = {0};
    scratch s;
    /* libconfig leaks a text in which it finds a syntax error; this program cannot free it. */
    leaks_ignored(true);
    const base_status status = read_text(text, &e, &err, &s);
    leaks_ignored(false);
    cr_assert(status == BASE_OK || status == BASE_ERR_INPUT, "%s: %s", err.text, text);
    cr_assert_eq(status == BASE_OK, err.text[0] == '\0');
    t->read += status == BASE_OK;
    t->refused += status != BASE_OK;
    scn_experiment_release(&e);
}

Test(experiment, damaged_files_never_crash)
{
    static const char spice[] = "\"{}()[];=,@#/*x1.-e\n";
    tally t = {0};
    base_random random = base_random_seed(17);
    for (int i = 0; i < 3000; i++) {
        char text[sizeof whole];
        memcpy(text, whole, sizeof whole);
        for (uint64_t k = base_random_below(&random, 3) + 1; k > 0; k--) {
            text[base_random_below(&random, sizeof whole - 1)] =
                spice[base_random_below(&random, sizeof spice - 1)];
        }
        try_text(text, &t);
    }
    cr_assert(t.read > 30 && t.refused > 1000, "%zu read, %zu refused", t.read, t.refused);
}

Test(experiment, no_byte_is_too_many_or_too_few)
{
    static const char spice[] = "\"{;=,19-zA";
    tally t = {0};
    for (size_t at = 0; at < sizeof whole - 1; at++) {
        char text[sizeof whole];
        for (size_t k = 0; k < sizeof spice - 1; k++) {
            memcpy(text, whole, sizeof whole);
            text[at] = spice[k];
            try_text(text, &t);
        }
        memcpy(text, whole, at);
        memcpy(text + at, whole + at + 1, sizeof whole - at - 1);
        try_text(text, &t);
        text[at] = '\0';
        try_text(text, &t);
    }
    cr_assert(t.read > 300 && t.refused > 3000, "%zu read, %zu refused", t.read, t.refused);
}

Test(experiment, every_failed_allocation_is_an_error)
{
    const scratch s = scratch_write(whole);
    base_status status = BASE_ERR_MEMORY;
    size_t n = 0;
    for (; n < 100 && status == BASE_ERR_MEMORY; n++) {
        scn_experiment e;
        base_memory_fail_after(n);
        status = scn_experiment_read(s.path, &e, NULL);
        base_memory_fail_after(SIZE_MAX);
        scn_experiment_release(&e);
    }
    unlink(s.path);
    cr_assert_eq(status, BASE_OK);
    cr_assert_geq(n, 3);
    no_leak();
}

Test(experiment, the_files_of_the_suite_are_good)
{
    glob_t files;
    cr_assert_eq(glob("scenarios/experiments/*.cfg", 0, NULL, &files), 0);
    cr_assert_geq(files.gl_pathc, 7);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *const path = files.gl_pathv[i];
        char named[200];
        scn_experiment e;
        base_error err = {0};
        cr_assert_eq(scn_experiment_read(path, &e, &err), BASE_OK, "%s", err.text);
        snprintf(named, sizeof named, "scenarios/experiments/%s.cfg", e.name);
        cr_assert_str_eq(path, named);
        cr_assert_str_eq(e.path, path);
        for (size_t f = 0; f < e.figure_count; f++) {
            snprintf(named, sizeof named, "plots/%s.gp", e.figures[f]);
            cr_assert_eq(access(named, R_OK), 0, "%s: there is no %s", path, named);
        }
        scn_experiment_release(&e);
    }
    globfree(&files);
}

/* --- Claims ----------------------------------------------------------------------------------- */

#define HEAD         "name = \"small\";\n" VARIANTS SCENARIOS
#define CLAIM(keys)  "{ id = \"F1\"; claim = \"c\"; whose = \"ours\"; measure = \"x\"; " keys " }"
#define CLAIMS(list) HEAD "claims = ( " list " );\n"

Test(experiment, claims_by_hand)
{
    scn_experiment e = read_good("paper = \"IST\"; item = \"x\";\n" CLAIMS(
        CLAIM("at_most = 2;") ",\n"
                              "{ id = \"F2\"; claim = \"all of it\"; whose = \"paper\"; measure = "
                              "\"y\"; paper = 20.5;\n"
                              "  expected = true; of = \"frames\"; where = \"z\"; experiments = "
                              "\"a,b\"; scenarios = \"s\";\n"
                              "  bodies = \"t\"; variants = \"u\"; against = \"v\"; together = "
                              "\"all\"; at_least = \"paper\";\n"
                              "  at_most = 30; }"));
    cr_assert_eq(e.claim_count, 2);
    const scn_claim *const one = &e.claims[0], *const two = &e.claims[1];
    cr_assert_str_eq(one->id, "F1");
    cr_assert_str_eq(one->claim, "c");
    cr_assert_str_eq(one->measure, "x");
    cr_assert_not(one->of_paper);
    cr_assert_not(one->expected);
    cr_assert(isnan(one->paper) && isnan(one->at_least));
    cr_assert_eq(one->at_most, 2);
    cr_assert_eq(one->line, 5);
    cr_assert_null(one->of);
    cr_assert_null(one->against);
    cr_assert(two->of_paper && two->expected);
    cr_assert_eq(two->paper, 20.5);
    cr_assert_eq(two->at_least, 20.5);
    cr_assert_eq(two->at_most, 30);
    const char *const texts[] = {two->of,     two->where,    two->experiments, two->scenarios,
                                 two->bodies, two->variants, two->against,     two->together};
    const char *const expected[] = {"frames", "z", "a,b", "s", "t", "u", "v", "all"};
    for (size_t i = 0; i < 8; i++) {
        cr_expect_str_eq(texts[i], expected[i]);
    }
    scn_experiment_release(&e);
    no_leak();
}

Test(experiment, claims_that_cannot_be)
{
    assert_error(CLAIMS(CLAIM("")), "'F' line 4: claim 'F1' needs at_least or at_most");
    assert_error(CLAIMS(CLAIM("at_least = 2; at_most = 1;")),
                 "'F' line 4: claim 'F1': at_least 2 is above at_most 1");
    assert_error(CLAIMS(CLAIM("at_most = 1;") "," CLAIM("at_most = 1;")),
                 "'F' line 4: claim 'F1' occurs twice");
    assert_error(CLAIMS(CLAIM("at_most = \"paper\";")), "'F' line 4: the claim has no key 'paper'");
    assert_error(CLAIMS(CLAIM("at_most = \"much\";")),
                 "'F' line 4: a limit is a number or \"paper\", not 'much'");
    assert_error(CLAIMS(CLAIM("at_mots = 1;")),
                 "'F' line 4: unknown key 'at_mots'; did you mean 'at_most'?");
    assert_error(
        CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"mine\"; measure = \"x\"; at_most = 1; }"),
        "'F' line 4: whose is \"paper\" or \"ours\", not 'mine'");
    assert_error(
        CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"paper\"; measure = \"x\"; at_most = 1; }"),
        "'F' line 4: claim 'F1' is the paper's, and the experiment has no key 'paper'");
    assert_error(CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"ours\"; at_most = 1; }"),
                 "'F' line 4: missing key 'measure'");
    assert_error(CLAIMS(""), "'F' line 4: 'claims' is empty");
}
