/** Experiment files: the head, claims, scenarios and variants. */
#include "base/memory.h"
#include "scenarios/experiment.h"
#include "scenarios/tests/support.h"

#include <glob.h>
#include <math.h>

static base_status read_text(const char *text, scn_experiment *e, base_error *err, scratch *s)
{
    *s = scratch_write(text);
    const base_status status = scn_experiment_read(s->path, e, err);
    unlink(s->path);
    return status;
}

static scn_experiment read_good(const char *text)
{
    scn_experiment e;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), BASE_OK, "%s: %s", text, err.text);
    return e;
}

static void assert_error(const char *text, const char *message)
{
    scn_experiment e;
    base_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), BASE_ERR_INPUT, "%s: %s", text, err.text);
    cr_assert_str_eq(error_text(&err, &s), message, "%s\ngot %s", text, err.text);
    cr_assert_null(e.scenarios);
    cr_assert_null(e.arena.blocks);
}

/** Asserts that a text is refused, with its line and the reason. */
static void fails(int line, const char *text, const char *reason)
{
    char message[400];
    snprintf(message, sizeof message, "'F' line %d: %s", line, reason);
    assert_error(text, message);
}

#define SCENARIO                                                                                   \
    "{ name = \"one\"; a = \"box\"; b = \"sphere\"; quantities = \"distance\"; trajectory = "      \
    "\"t.csv\"; }"
#define SCENARIOS "scenarios = ( " SCENARIO " );\n"
#define VARIANTS  "variants = ( \"brute\" );\n"

Test(experiment, a_small_one_has_its_defaults)
{
    scn_experiment e = read_good("name = \"small\";\n" VARIANTS SCENARIOS);
    cr_assert_str_eq(e.name, "small");
    cr_assert_str_eq(e.title, "small");
    cr_assert_null(e.paper);
    cr_assert_null(e.item);
    cr_assert_eq(e.minutes[SCN_COST_FULL], 0);
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
    cr_assert_eq(e.minutes[SCN_COST_FULL], 90);
    cr_assert_eq(e.minutes[SCN_COST_SMOKE], 0.5);
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

/** Asserts that a head of two lines, the name and `body`, is refused. */
static void head_fails(int line, const char *body, const char *reason)
{
    char text[600];
    snprintf(text, sizeof text, "name = \"x\";\n%s\n" VARIANTS SCENARIOS, body);
    fails(line, text, reason);
}

Test(experiment, the_head_is_checked)
{
    assert_error(VARIANTS SCENARIOS, "'F': missing key 'name'");
    assert_error("name = \"x\";\n" SCENARIOS, "'F': missing key 'variants'");
    assert_error("name = \"x\";\n" VARIANTS, "'F': missing key 'scenarios'");
    fails(1, "name = \"A b\";\n" VARIANTS SCENARIOS,
          "'A b' is no name of an experiment ([a-z0-9-])");
    fails(1, "name = \"\";\n" VARIANTS SCENARIOS, "'name' is empty");
    fails(1, "name = 3;\n" VARIANTS SCENARIOS, "'name' is a whole number, not a text");
    head_fails(2, "title = \"a\\nb\";", "'title' has a control character");
    head_fails(2, "mode = \"papre\";",
               "unknown mode 'papre' (smoke, ci, bench or paper); did you mean 'paper'?");
    head_fails(3, "\nsead = 1;", "unknown key 'sead'; did you mean 'seed'?");
    head_fails(2, "seed = -1;", "'seed' is -1: it must be from 0 to 9223372036854775807");
    head_fails(2, "seed = 1.5;", "'seed' is a real number, not a whole number");
    head_fails(2, "seed = \"1\";", "'seed' is a text, not a whole number");
    head_fails(3, "figures = [\"a\",\n\"a/b\"];", "'a/b' is no name of a figure ([a-z0-9-])");
    head_fails(2, "figures = [7];", "an element of 'figures' is a whole number, not a text");
    head_fails(2, "figures = \"a\";", "'figures' is a text, not a list");
    head_fails(2, "figure = \"a\";", "unknown key 'figure'; did you mean 'figures'?");
    head_fails(2, "minutes = [5];", "minutes are two numbers: in full and in smoke");
    head_fails(2, "minutes = [5, 0];",
               "an element of 'minutes' is 0: it must be from 0.01 to 100000");
    head_fails(2, "minutes = 5;", "'minutes' is a whole number, not a list");
    head_fails(2, "title = \"\";", "'title' is empty");
    head_fails(2, "mode = 1;", "'mode' is a whole number, not a text");
    head_fails(2, "launches = 2.5;", "'launches' is a real number, not a whole number");
    head_fails(2, "launches = 0;", "'launches' is 0: it must be from 1 to 1000");
    head_fails(2, "rounds = 101;", "'rounds' is 101: it must be from 1 to 100");
    head_fails(2, "rounds = true;", "'rounds' is true or false, not a whole number");
    head_fails(2, "baseline = 3;", "'baseline' is a whole number, not a text");
    head_fails(2, "baseline = \"brut\";",
               "the baseline 'brut' is not one of the variants; did you mean 'brute'?");
    head_fails(2, "name = \"y\";", "duplicate setting name");
    fails(3, "name = \"x\"\n\n = 3" VARIANTS SCENARIOS, "syntax error");
    char text[400];
    snprintf(text, sizeof text, "name = \"%0101d\";\n" VARIANTS SCENARIOS, 7);
    fails(
        1, text,
        "'0000000000000000000000000000000000000000...' is too long for the name of an experiment");
    no_leak();
}

Test(experiment, values_that_libconfig_truncates_are_refused)
{
    head_fails(2, "seed = 5000000000;",
               "whole number too large (up to 2147483647, with an L behind it up to 2^63 - 1)");
    head_fails(2, "seed = 99999999999999999999L;",
               "whole number too large (up to 2147483647, with an L behind it up to 2^63 - 1)");
    head_fails(2, "seed = 0xFFFFFFFF;",
               "whole number too large (up to 2147483647, with an L behind it up to 2^63 - 1)");
    head_fails(2, "@include \"y.cfg\"", "cannot open include file (an experiment is one file)");
    fails(2, "name = \"x\";\nvariants = ( { algorithm = \"i\"; v = [0.1, 1]; } );\n" SCENARIOS,
          "mismatched element type in array (write 1.0 for 1 among reals)");
    fails(5,
          "name = \"x\"; # 1\n/* 1\n1 */ title = \"\\\"1\n\";\nseed = -5000000000;\n" VARIANTS
              SCENARIOS,
          "whole number too large (up to 2147483647, with an L behind it up to 2^63 - 1)");
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
    fails(1, "name = \"x", "syntax error");
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
    SCOPED_EXPERIMENT e;
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
    scn_experiment e;
    cr_assert_geq(COUNT_FAILURES(scn_experiment_read(s.path, &e, ERR), scn_experiment_release(&e)),
                  2);
    unlink(s.path);
    no_leak();
}

/** The number of declarations of a figure in plots. */
static size_t scripts_of(const char *figure)
{
    glob_t scripts;
    size_t count = 0;
    char line[1000], wanted[100];
    snprintf(wanted, sizeof wanted, " %s ", figure);
    cr_assert_eq(glob("plots/*.gp", 0, NULL, &scripts), 0);
    for (size_t i = 0; i < scripts.gl_pathc; i++) {
        FILE *const file = fopen(scripts.gl_pathv[i], "r");
        cr_assert_not_null(file);
        while (fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = ' ';
            count += strncmp(line, "# figure: ", 10) == 0 && strstr(line, wanted);
        }
        fclose(file);
    }
    globfree(&scripts);
    return count;
}

Test(experiment, the_files_of_the_suite_are_good)
{
    glob_t files;
    cr_assert_eq(glob("scenarios/experiments/*.cfg", 0, NULL, &files), 0);
    cr_assert_geq(files.gl_pathc, 7);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *const path = files.gl_pathv[i];
        char named[200];
        SCOPED_EXPERIMENT e;
        assert_ok(scn_experiment_read(path, &e, ERR));
        snprintf(named, sizeof named, "scenarios/experiments/%s.cfg", e.name);
        cr_assert_str_eq(path, named);
        cr_assert_str_eq(e.path, path);
        for (size_t f = 0; f < e.figure_count; f++) {
            cr_assert_eq(scripts_of(e.figures[f]), 1, "%s: scripts of figure %s", path,
                         e.figures[f]);
        }
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
    fails(4, CLAIMS(CLAIM("")), "claim 'F1' needs at_least or at_most");
    fails(4, CLAIMS(CLAIM("at_least = 2; at_most = 1;")),
          "claim 'F1': at_least 2 is above at_most 1");
    fails(4, CLAIMS(CLAIM("at_most = 1;") "," CLAIM("at_most = 1;")), "claim 'F1' occurs twice");
    fails(4, CLAIMS(CLAIM("at_most = \"paper\";")), "the claim has no key 'paper'");
    fails(4, CLAIMS(CLAIM("at_most = \"much\";")), "a limit is a number or \"paper\", not 'much'");
    fails(4, CLAIMS(CLAIM("at_mots = 1;")), "unknown key 'at_mots'; did you mean 'at_most'?");
    fails(4,
          CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"mine\"; measure = \"x\"; at_most = 1; }"),
          "whose is \"paper\" or \"ours\", not 'mine'");
    fails(
        4,
        CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"paper\"; measure = \"x\"; at_most = 1; }"),
        "claim 'F1' is the paper's, and the experiment has no key 'paper'");
    fails(4, CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"ours\"; at_most = 1; }"),
          "missing key 'measure'");
    fails(4, CLAIMS(CLAIM("not_yet = \"t\";")),
          "claim 'F1' has 'not_yet', so it has no measure, no limit and is not expected to hold");
    fails(4,
          CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"ours\"; not_yet = \"t\"; at_most = 1; }"),
          "claim 'F1' has 'not_yet', so it has no measure, no limit and is not expected to hold");
    fails(4, CLAIMS(""), "'claims' is empty");
}

Test(experiment, a_claim_that_is_not_measured_yet_needs_no_measure)
{
    scn_experiment e = read_good(
        CLAIMS("{ id = \"F1\"; claim = \"c\"; whose = \"ours\"; not_yet = \"the rest\"; }"));
    cr_assert_str_eq(e.claims[0].not_yet, "the rest");
    cr_assert_null(e.claims[0].measure);
    scn_experiment_release(&e);
    no_leak();
}

/** Reads an experiment with the head and six scenarios of all kinds of trajectories. */
static scn_experiment read_quick_scenarios(const char *head)
{
    static const char *const scenarios[][3] = {
        {"sphere", "bolt", "{ kind = \"sphere\"; hi = 0.1; frames = 90; }"},
        {"few", "mine.off", "{ kind = \"sphere\"; hi = 0.1; frames = 3; }"},
        {"ways", "box", "{ kind = \"approach\"; hi = 0.1; frames = 90; ways = 9; }"},
        {"many", "box", "{ kind = \"approach\"; hi = 0.1; frames = 90; ways = 30; }"},
        {"press", "box", "{ kind = \"press\"; hi = 0.01; frames = 90; }"},
        {"list", "box", "( (0, 0, 1), (0, 0, 2) )"},
    };
    char text[4000];
    snprintf(text, sizeof text, "name = \"x\"; %s\n" VARIANTS "scenarios = (", head);
    for (size_t i = 0; i < 6; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "%s{ name = \"%s\"; a = \"%s\"; b = \"bolt:triangles=9000,x=1\";\n"
                 "quantities = \"distance\"; trajectory = %s; }",
                 i > 0 ? ", " : "", scenarios[i][0], scenarios[i][1], scenarios[i][2]);
    }
    return read_good(strcat(text, ");\n"));
}

Test(experiment, quick_sizes_are_limits)
{
    scn_experiment e =
        read_quick_scenarios("quick = { frames = 20; triangles = 4000; skip = \"ist*\"; };");
    cr_assert_str_eq(e.quick.skip, "ist*");
    cr_assert_not(e.reduced);
    cr_assert_eq(e.scenarios[0].motion.sampler.frames, 90);
    assert_ok(scn_experiment_reduce(&e, ERR));
    cr_assert(e.reduced);
    static const size_t frames[] = {20, 3, 18, 30, 90};
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(e.scenarios[i].motion.sampler.frames, frames[i], "%s", e.scenarios[i].name);
    }
    cr_assert_eq(e.scenarios[5].motion.frame_count, 2);
    cr_assert_str_eq(e.scenarios[0].a, "bolt:triangles=4000");
    cr_assert_str_eq(e.scenarios[1].b, "bolt:triangles=4000,x=1");
    cr_assert_str_eq(e.scenarios[2].a, "box");
    const char *const file = strrchr(e.scenarios[1].a, '/');
    cr_assert_str_eq(file ? file + 1 : e.scenarios[1].a, "mine.off");
    scn_experiment_release(&e);
    e = read_quick_scenarios("");
    assert_ok(scn_experiment_reduce(&e, ERR));
    cr_assert_not(e.reduced);
    cr_assert_eq(e.scenarios[0].motion.sampler.frames, 90);
    cr_assert_str_eq(e.scenarios[0].a, "bolt");
    scn_experiment_release(&e);
    no_leak();
}

/* --- Scenarios -------------------------------------------------------------------------------- */

static void scenario_fails(int line, const char *body, const char *reason)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\n" VARIANTS "scenarios = ( {\n%s} );\n", body);
    fails(line, text, reason);
}

#define TWO_BODIES            "name = \"s\"; a = \"box\"; b = \"box\";\n"
#define ASKED                 "quantities = \"distance\";\n"
#define SAMPLER(kind, values) TWO_BODIES ASKED "trajectory = { kind = \"" kind "\";\n" values "};\n"
#define SPHERE(values)        SAMPLER("sphere", values)

Test(scenarios, scenarios_are_checked)
{
    fails(3, "name = \"x\";\n" VARIANTS "scenarios = ();\n", "'scenarios' is empty");
    fails(3, "name = \"x\";\n" VARIANTS "scenarios = ( 1 );\n",
          "an element of 'scenarios' is a whole number, not a group");
    fails(4, "name = \"x\";\n" VARIANTS "scenarios = ( " SCENARIO ",\n" SCENARIO " );\n",
          "scenario 'one' occurs twice");
    scenario_fails(3, "a = \"box\";\n", "missing key 'name'");
    scenario_fails(3, "name = \"s\";\n", "missing key 'a'");
    scenario_fails(3, "name = \"s\"; a = \"box\";\n", "missing key 'b'");
    scenario_fails(3, TWO_BODIES, "missing key 'quantities'");
    scenario_fails(3, TWO_BODIES ASKED, "missing key 'trajectory'");
    scenario_fails(5, TWO_BODIES "quantitis = 1;\n",
                   "unknown key 'quantitis'; did you mean 'quantities'?");
    static const char *const bad[] = {"A", "a//b", "/a", "a/", "..", "a/../b", "a b", "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char body[200], message[200];
        snprintf(body, sizeof body, "name = \"%s\"; ", bad[i]);
        snprintf(message, sizeof message,
                 "'%s' is no name of a scenario ([a-z0-9.-] and '/' between)", bad[i]);
        scenario_fails(4, body, message);
    }
    static const char *const files[] = {"cells.csv", "one/brute.csv", "x.tar/y", "a.passes"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        static const char *const parts[] = {"cells.csv", "brute.csv", "x.tar", "a.passes"};
        char body[200], message[200];
        snprintf(body, sizeof body, "name = \"%s\"; ", files[i]);
        snprintf(message, sizeof message,
                 "'%s' is no name of a scenario: '%s' looks like a file, and it is to "
                 "be a folder",
                 files[i], parts[i]);
        scenario_fails(4, body, message);
    }
    char long_name[300];
    snprintf(long_name, sizeof long_name, "name = \"%0201d\"; ", 7);
    scenario_fails(4, long_name,
                   "'0000000000000000000000000000000000000000...' is too long for the name of a "
                   "scenario: 201 letters, more than 200");
    scenario_fails(4, "name = 1;\n", "'name' is a whole number, not a text");
    scenario_fails(4, "name = \"s\"; a = 1;\n", "'a' is a whole number, not a text");
    scenario_fails(4, "name = \"s\"; a = \"\";\n", "'a' is empty");
    scenario_fails(4, "name = \"s\"; a = \"bolt:triangels=9000\";\n",
                   "model 'bolt' takes 'triangles=NUMBER', 'scale=FACTOR', 'sx=', 'sy=', "
                   "'sz=FACTOR', 'x=', 'y=', 'z=METRES', 'simplify=SHARE' and 'soup=yes' after the "
                   "colon, with commas between them, not 'triangels=9000'");
    scenario_fails(5, "name = \"s\"; a = \"box\";\nb = \"sphere:triangles=3\";\n",
                   "model 'sphere' takes 20 to 20000000 triangles, not '3'");
    scenario_fails(4, "name = \"s\"; a = \"blot\";\n",
                   "unknown model 'blot'; did you mean 'bolt'?");
    scenario_fails(5, TWO_BODIES "quantities = [\"volume\", \"volume\"];\n",
                   "quantity 'volume' occurs twice");
    scenario_fails(5, TWO_BODIES "quantities = \"Depth\";\n", "'Depth' is no name of a quantity");
    scenario_fails(6, TWO_BODIES "quantities = (\"volume\",\n 1);\n",
                   "an element of 'quantities' is a whole number, not a text");
    scenario_fails(5, TWO_BODIES "quantities = { };\n", "'quantities' is a group, not a list");
    scenario_fails(5, TWO_BODIES "quantities = [];\n", "'quantities' is empty");
    scenario_fails(5, TWO_BODIES "quantities = 1;\n", "'quantities' is a whole number, not a text");
    scenario_fails(
        6, TWO_BODIES ASKED "trajectory = 1;\n",
        "'trajectory' is neither a path nor a group { kind = ...; } nor a list of poses");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = \"\";\n", "'trajectory' is empty");
    no_leak();
}

Test(scenarios, several_quantities_may_meet_a_name)
{
    fails(4,
          "name = \"x\";\n" VARIANTS
          "scenarios = ( { name = \"s/volume\"; a = \"box\"; b = \"box\"; quantities = \"volume\"; "
          "trajectory = \"t.csv\"; },\n{ name = \"s\"; a = \"box\"; b = \"box\"; quantities = "
          "[\"distance\", \"volume\"]; trajectory = \"t.csv\"; } );\n",
          "scenario 's/volume' occurs twice");
    no_leak();
}

Test(scenarios, samplers_are_checked)
{
    scenario_fails(6, TWO_BODIES ASKED "trajectory = { hi = 1.0; };\n",
                   "missing key 'kind' in 'trajectory'");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = { kind = \"spere\"; };\n",
                   "unknown sampler 'spere' (sphere, glide, press, tumble, grid, boxes, response, "
                   "insertion, approach or lattice); did you mean 'sphere'?");
    scenario_fails(7, SPHERE("target = \"depth\";"), "unknown target 'depth' (distance or volume)");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = { kind = \"grid\"; target = \"volume\"; };\n",
                   "sampler 'grid' takes distances only");
    scenario_fails(6, SPHERE("lo = 0.1;"), "missing key 'hi' in 'trajectory'");
    scenario_fails(6, SPHERE("hi = 0.1;"), "missing key 'frames' in 'trajectory'");
    scenario_fails(7, SPHERE("lo = 0.2; hi = 0.1;"), "'hi' is 0.1: it must be from 0.2 to 1000");
    scenario_fails(7, SPHERE("lo = -1;"), "'lo' is -1: it must be from 0 to 1000");
    scenario_fails(7, SPHERE("target = \"volume\"; hi = 1.1;"),
                   "'hi' is 1.1: it must be from 0 to 1");
    scenario_fails(7, SPHERE("hi = \"1\";"), "'hi' is a text, not a number");
    scenario_fails(7, SPHERE("hi = 1; frames = 0;"),
                   "'frames' is 0: it must be from 1 to 100000000");
    scenario_fails(7, SPHERE("hi = 1; frames = 2.5;"),
                   "'frames' is a real number, not a whole number");
    scenario_fails(7, SAMPLER("glide", "hi = 1; frames = 2; step = 0;"),
                   "'step' is 0: it must be from 1e-06 to 1");
    scenario_fails(7, SAMPLER("press", "hi = 1; frames = 2; step = 1.5;"),
                   "'step' is 1.5: it must be from 1e-06 to 1");
    scenario_fails(7, SPHERE("hi = 1; frames = 2; hold = 0;"),
                   "'hold' is 0: it must be from 1 to 100");
    scenario_fails(7, SAMPLER("approach", "hi = 1; frames = 2; ways = 1001;"),
                   "'ways' is 1001: it must be from 1 to 1000");
    scenario_fails(7, SPHERE("hi = 1e999;"), "'hi' is inf: it must be from 0 to 1000");
    scenario_fails(7, SPHERE("hi = 1; frames = 100000001;"),
                   "'frames' is 100000001: it must be from 1 to 100000000");
    scenario_fails(7, SPHERE("target = 1;"), "'target' is a whole number, not a text");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = { kind = 1; };\n",
                   "'kind' is a whole number, not a text");
    scenario_fails(7, SPHERE("hi = 1; frames = 2; seed = -3;"),
                   "'seed' is -3: it must be from 0 to 9223372036854775807");
    scenario_fails(7, SPHERE("hi = 1; frame = 2;"), "unknown key 'frame'; did you mean 'frames'?");
    no_leak();
}

Test(scenarios, a_sampler_takes_no_key_that_it_has_no_use_for)
{
    static const struct {
        const char *kind, *takes[5], *takes_not[5];
    } rows[] = {
        {"sphere",
         {"target = \"volume\"", "lo = 0", "hi = 1", "hold = 2"},
         {"step = 0.1", "ways = 2"}},
        {"lattice",
         {"target = \"volume\"", "lo = 0", "hi = 1", "hold = 2"},
         {"step = 0.1", "ways = 2"}},
        {"grid",
         {"target = \"distance\"", "lo = 0", "hi = 1", "hold = 2"},
         {"step = 0.1", "ways = 2"}},
        {"glide",
         {"target = \"volume\"", "lo = 0", "hi = 1", "step = 0.1", "hold = 2"},
         {"ways = 2"}},
        {"press",
         {"target = \"volume\"", "lo = 0", "hi = 1", "step = 0.1"},
         {"hold = 2", "ways = 2"}},
        {"approach",
         {"target = \"volume\"", "lo = 0", "hi = 1", "ways = 2"},
         {"step = 0.1", "hold = 2"}},
        {"tumble", {"target = \"volume\"", "lo = 0"}, {"hi = 1", "step = 0.1", "hold = 2"}},
        {"boxes", {0}, {"target = \"distance\"", "lo = 0", "hi = 1", "step = 0.1", "hold = 2"}},
        {"response", {0}, {"target = \"distance\"", "lo = 0", "hi = 1", "step = 0.1", "hold = 2"}},
        {"insertion", {0}, {"target = \"distance\"", "lo = 0", "hi = 1", "step = 0.1", "hold = 2"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool one = strcmp(rows[i].kind, "boxes") == 0 || strcmp(rows[i].kind, "tumble") == 0;
        for (size_t k = 0; k < 5; k++) {
            char body[400], text[600], message[200];
            if (rows[i].takes[k]) {
                const bool is_hi = strncmp(rows[i].takes[k], "hi", 2) == 0;
                snprintf(body, sizeof body, "%s; %s", rows[i].takes[k],
                         one || is_hi ? "" : "hi = 1;");
                snprintf(text, sizeof text,
                         "name = \"x\";\n" VARIANTS "scenarios = ( { " TWO_BODIES ASKED
                         "trajectory = { kind = \"%s\"; frames = 2; seed = 3; %s }; } );\n",
                         rows[i].kind, body);
                SCOPED_EXPERIMENT e = read_good(text);
            }
            if (rows[i].takes_not[k]) {
                snprintf(body, sizeof body,
                         TWO_BODIES ASKED "trajectory = { kind = \"%s\"; frames = 2;\n%s; };\n",
                         rows[i].kind, rows[i].takes_not[k]);
                snprintf(message, sizeof message, "sampler '%s' takes no '%.*s'", rows[i].kind,
                         (int)strcspn(rows[i].takes_not[k], " "), rows[i].takes_not[k]);
                scenario_fails(7, body, message);
            }
        }
    }
    no_leak();
}

#define POSED TWO_BODIES ASKED "trajectory = ( (1, 2, 3.5), (0, 0, 0, 0, 0, 0.6, 0.8) );\n"

Test(scenarios, poses_and_known_answers)
{
    scn_experiment e = read_good(
        "name = \"x\";\n" VARIANTS "scenarios = ( {" POSED
        "known_distance_m = [0.0, 0.25]; known_volume_m3 = (1e-3, \"b\"); },\n"
        "{ name = \"t\"; a = \"cube\"; b = \"box:scale=0.5\"; quantities = \"volume\";\n"
        "  trajectory = { kind = \"boxes\"; frames = 3; }; known_volume_m3 = \"a\"; } );\n");
    const scn_motion *const poses = &e.scenarios[0].motion, *const boxes = &e.scenarios[1].motion;
    cr_assert_eq(poses->frame_count, 2);
    cr_assert(vec3_equal(poses->frames[0].position, vec3_make(1, 2, 3.5)));
    cr_assert_eq(poses->frames[0].orientation.w, 1);
    cr_assert(poses->frames[1].orientation.z == 0.6 && poses->frames[1].orientation.w == 0.8);
    cr_assert(poses->frames[1].t_s == 0.001 && isnan(poses->frames[1].target));
    cr_assert_eq(poses->known.mask, 0);
    cr_assert_eq(poses->frames[0].known.mask, SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME);
    cr_assert_eq(poses->frames[0].known.volume_m3, 1e-3);
    cr_assert_eq(poses->frames[1].known.mask, SCN_KNOWN_DISTANCE | SCN_KNOWN_WHOLE_B);
    cr_assert_eq(poses->frames[1].known.distance_m, 0.25);
    cr_assert_str_eq(e.scenarios[1].b, "box:scale=0.5");
    cr_assert_null(boxes->frames);
    cr_assert_eq(boxes->sampler.kind, SCN_BOXES);
    cr_assert_eq(boxes->known.mask, SCN_KNOWN_WHOLE_A);
    scn_experiment_release(&e);
    no_leak();
}

Test(scenarios, poses_and_known_answers_are_checked)
{
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ();\n", "'trajectory' is empty");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( 1, 2, 3 );\n",
                   "an element of 'trajectory' is a whole number, not a list");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( (1, 2) );\n",
                   "a pose has 3 or 7 numbers (x, y, z, qx, qy, qz, qw), not 2");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( (1, 2, \"3\") );\n",
                   "an element of 'trajectory' is a text, not a number");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( (1, 2, 3, 1, 0, 0, 1) );\n",
                   "quaternion of length 1.41421, not 1");
    scenario_fails(7, POSED "known_distance_m = \"a\";\n",
                   "'known_distance_m' is a text, not a number");
    scenario_fails(7, POSED "known_volume_m3 = \"c\";\n",
                   "'known_volume_m3' is a text, not a number");
    scenario_fails(7, POSED "known_volume_m3 = -1;\n",
                   "'known_volume_m3' is -1: it must be from 0 to 1e+60");
    scenario_fails(7, POSED "known_volume_m3 = (1, true);\n",
                   "an element of 'known_volume_m3' is true or false, not a number");
    scenario_fails(
        7, TWO_BODIES ASKED "trajectory = \"t.csv\";\nknown_distance_m = [1.0];\n",
        "'known_distance_m' is a list, which needs a list of poses: give one answer for all");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( (1, 2, 1e16) );\n",
                   "an element of 'trajectory' is 1e+16: it must be from -1e+15 to 1e+15");
    scenario_fails(6, TWO_BODIES ASKED "trajectory = ( (0, 0, 0, 0, 0, 0, 0) );\n",
                   "quaternion of length 0, not 1");
    scenario_fails(7, POSED "known_volume_m3 = (1, 2, 3);\n",
                   "'known_volume_m3' has 3 answers for a list of 2 poses");
    no_leak();
}

/* --- Variants --------------------------------------------------------------------------------- */

static void variants_fail(int line, const char *list, const char *reason)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\nvariants = %s;\n" SCENARIOS, list);
    fails(line, text, reason);
}

Test(variants, variants_are_checked)
{
    variants_fail(2, "3", "'variants' is a whole number, not a list");
    variants_fail(2, "()", "'variants' is empty");
    variants_fail(2, "( 1 )", "an element of 'variants' is a whole number, not a text");
    variants_fail(2, "( \"a b\" )", "'a b' is no name of a variant");
    variants_fail(2, "( \"ist:\" )", "'ist:' is no name of a variant");
    variants_fail(2, "( \"a\", \"b\", \"a\" )", "variant 'a' occurs twice");
    variants_fail(3, "( \"i:v=1\",\n { algorithm = \"i\"; v = [2, 1]; } )",
                  "variant 'i:v=1' occurs twice");
    variants_fail(2, "( { v = 1; } )", "missing key 'algorithm'");
    variants_fail(2, "( { algorithm = \"i:v=1\"; } )", "'i:v=1' is no name of an algorithm");
    variants_fail(3, "( { algorithm = \"i\";\n v = []; } )", "'v' is empty");
    variants_fail(2, "( { algorithm = 3; } )", "'algorithm' is a whole number, not a text");
    variants_fail(2, "( \"a@twin\" )", "'a@twin' is no name of a variant");
    variants_fail(3, "( \"i:v=b_c\",\n \"i:v=b,c\" )",
                  "variants 'i:v=b_c' and 'i:v=b,c' would share a file of results");
    variants_fail(2, "( { algorithm = \"i\"; optional = 1; } )",
                  "'optional' is neither true nor false");
    variants_fail(2, "( { algorithm = \"i\"; triangle_limit = -1; } )",
                  "'triangle_limit' is -1: it must be from 0 to 4294967295");
    variants_fail(2, "( { algorithm = \"i\"; triangle_limit = 4294967296L; } )",
                  "'triangle_limit' is 4294967296: it must be from 0 to 4294967295");
    no_leak();
}

static void group_fails(int line, const char *members, const char *reason)
{
    char text[1500];
    snprintf(text, sizeof text, "( { algorithm = \"i\";\n%s } )", members);
    variants_fail(line, text, reason);
}

Test(variants, parameters_are_checked)
{
    group_fails(3, "v = [];", "'v' is empty");
    group_fails(3, "v = true;", "parameter 'v' is neither a number nor a text nor a list of them");
    group_fails(3, "v = { w = 1; };",
                "parameter 'v' is neither a number nor a text nor a list of them");
    group_fails(4, "v = (1,\n(2));",
                "parameter 'v' is neither a number nor a text nor a list of them");
    group_fails(3, "v = (1, false);",
                "parameter 'v' is neither a number nor a text nor a list of them");
    group_fails(3, "v = \"a,b\";", "'a,b' cannot be the value of 'v'");
    group_fails(3, "v = \"\";", "'' cannot be the value of 'v'");
    group_fails(3, "v = 1e999;", "'v' is not finite");
    group_fails(3, "v = [1.5, -1e999];", "'v' is not finite");
    group_fails(3, "triangle_limt = 5;",
                "unknown key 'triangle_limt'; did you mean 'triangle_limit'?");
    group_fails(3, "Voxels = 5;", "unknown key 'Voxels'");
    group_fails(3, "optionl = true;",
                "parameter 'optionl' is neither a number nor a text nor a list of them; did you "
                "mean 'optional'?");
    group_fails(4, "v = 1;\nv = 2;", "duplicate setting name");
    char text[700] = "v = \"x\"; ";
    for (char key = 'a'; key <= 'n'; key++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%c = \"%.*s\"; ", key, 40,
                 "0123456789012345678901234567890123456789");
    }
    group_fails(2, text, "the name of a variant of 'i' is too long");
    no_leak();
}

Test(variants, how_many_parameters_there_may_be_the_algorithm_knows)
{
    char text[1000] = "name = \"x\"; variants = ( { algorithm = \"i\"; ";
    for (char key = 'a'; key <= 'z'; key++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%c = 1; ", key);
    }
    strcat(text, "} );\n" SCENARIOS);
    scn_experiment e = read_good(text);
    cr_assert_eq(e.variant_count, 1);
    cr_assert_eq(strlen(e.variants[0]), 1 + 26 * strlen(",a=1"));
    scn_experiment_release(&e);
    no_leak();
}

Test(variants, zipped_lists_go_together)
{
    scn_experiment e =
        read_good("name = \"x\"; variants = (\n"
                  "  { algorithm = \"i\"; zip = { v = [8, 16, 32]; b = (\"s\", \"m\", 0.5); }; a = "
                  "[1, 2]; },\n"
                  "  { algorithm = \"j\"; zip = { b = [1, 2]; a = [3, 4]; }; } );\n" SCENARIOS);
    static const char *const variants[] = {
        "i:a=1,b=s,v=8",  "i:a=1,b=m,v=16",   "i:a=1,b=0.5,v=32", "i:a=2,b=s,v=8",
        "i:a=2,b=m,v=16", "i:a=2,b=0.5,v=32", "j:a=3,b=1",        "j:a=4,b=2",
    };
    cr_assert_eq(e.variant_count, 8, "%zu", e.variant_count);
    for (size_t i = 0; i < 8; i++) {
        cr_assert_str_eq(e.variants[i], variants[i], "%zu: %s", i, e.variants[i]);
        cr_assert_eq(e.lines[i], i < 6 ? 2 : 3);
    }
    scn_experiment_release(&e);
    no_leak();
}

Test(variants, zipped_lists_are_checked)
{
    static const char two[] = "'zip' is a group of two lists or more, of one length";
    group_fails(3, "zip = 1;", two);
    group_fails(3, "zip = [\"a\", \"b\"];", two);
    group_fails(3, "zip = { };", two);
    group_fails(3, "zip = { v = [1, 2]; };", two);
    group_fails(4, "zip = { v = [1, 2];\n w = [1, 2, 3]; };",
                "'w' has 3 values, but 'v' has 2: lists in 'zip' are as long as each other");
    group_fails(3, "zip = { v = [1, 2]; w = 1; };", "'w' is a whole number, not a list");
    group_fails(3, "zip = { v = 1; w = [1]; };", "'v' is a whole number, not a list");
    group_fails(3, "zip = { v = []; w = []; };", "'v' is empty");
    group_fails(4, "zip = { v = [1, 2];\n triangle_limit = [1, 2]; };",
                "'triangle_limit' is no parameter to zip");
    group_fails(3, "v = 3;\nzip = { v = [1, 2]; w = [1, 2]; };", "parameter 'v' occurs twice");
    group_fails(4, "zip = { v = [1, 2]; w = [1, 2]; };\nv = 3;", "parameter 'v' occurs twice");
    group_fails(3, "zip = { v = [1, true]; w = [1, 2]; };",
                "mismatched element type in array (write 1.0 for 1 among reals)");
    group_fails(
        3, "zp = { v = [1, 2]; w = [1, 2]; };",
        "parameter 'zp' is neither a number nor a text nor a list of them; did you mean 'zip'?");
    no_leak();
}

Test(variants, the_baseline_is_a_variant)
{
    scn_experiment e = read_good("name = \"x\"; variants = ( \"j\", { algorithm = \"i\"; v = 16; } "
                                 ");\nbaseline = \"i\";\n" SCENARIOS);
    cr_assert_str_eq(e.baseline, "i");
    cr_assert_eq(e.baseline_line, 2);
    scn_experiment_release(&e);
    fails(2,
          "name = \"x\"; variants = ( \"ist:v=3\", \"brute\" );\nbaseline = "
          "\"isst:v=3\";\n" SCENARIOS,
          "the baseline 'isst:v=3' is not one of the variants; did you mean 'ist:v=3'?");
    fails(2, "name = \"x\"; variants = ( \"ist:v=3\", \"brute\" );\nbaseline = \"is\";\n" SCENARIOS,
          "the baseline 'is' is not one of the variants");
    fails(3, "name = \"x\";\n" VARIANTS "baseline = [\"brute\"];\n" SCENARIOS,
          "'baseline' is a list, not a text");
    fails(3, "name = \"x\";\n" VARIANTS "baseline = \"\";\n" SCENARIOS, "'baseline' is empty");
    no_leak();
}

Test(variants, the_product_is_limited)
{
    char list[400];
    int n = snprintf(list, sizeof list, "( { algorithm = \"i\"; ");
    for (char key = 'a'; key <= 'h'; key++) {
        n += snprintf(list + n, sizeof list - (size_t)n, "%c = [1, 2, 3, 4]; ", key);
    }
    snprintf(list + n, sizeof list - (size_t)n, "} )");
    variants_fail(2, list, "more than 10000 variants");
}
