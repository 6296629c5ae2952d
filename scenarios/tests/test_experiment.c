#include "scenarios/tests/support.h"

TestSuite(experiment, .timeout = 60);

static geo_status read_text(const char *text, scn_experiment *e, geo_error *err, scratch *s)
{
    *s = scratch_write(text);
    const geo_status status = scn_experiment_read(s->path, e, err);
    unlink(s->path);
    return status;
}

static scn_experiment read_good(const char *text)
{
    scn_experiment e;
    geo_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), GEO_OK, "%s: %s", text, err.text);
    return e;
}

static void assert_error(const char *text, const char *message)
{
    scn_experiment e;
    geo_error err = {0};
    scratch s;
    cr_assert_eq(read_text(text, &e, &err, &s), GEO_ERR_INPUT, "%s: %s", text, err.text);
    cr_assert_str_eq(error_text(&err, &s), message, "%s\ngot %s", text, err.text);
    cr_assert_null(e.scenarios);
    cr_assert_null(e.arena.blocks);
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
    cr_assert_null(e.figure);
    cr_assert_str_eq(e.mode, "bench");
    cr_assert_eq(e.seed, 1);
    cr_assert_eq(e.launches, 0);
    cr_assert_eq(e.rounds, 0);
    cr_assert_null(e.baseline);
    cr_assert_eq(e.lines[0], 2);
    cr_assert_eq(e.variant_count, 1);
    cr_assert_str_eq(e.variants[0], "brute");
    cr_assert_eq(e.triangle_limits[0], 0);
    cr_assert_eq(e.scenario_count, 1);
    cr_assert_str_eq(e.scenarios[0].name, "one");
    cr_assert_str_eq(e.scenarios[0].a, "box");
    cr_assert_str_eq(e.scenarios[0].b, "sphere");
    cr_assert_eq(e.scenarios[0].quantities, 1);
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
        "name = \"full-1\"; title = \"All of it: 99999999999\"; figure = \"ist-f7\";\n"
        "mode = \"paper\"; seed = 5000000000L; launches = 9; rounds = 1000;\n"
        "baseline = \"ist:radius=primary,voxels=64\";\n"
        "variants = ( \"brute\", \"ist:voxels=16\",\n"
        "  { algorithm = \"ist\"; voxels = [32, 64]; radius = \"primary\"; triangle_limit = 2000;\n"
        "    optional = true; },\n"
        "  { algorithm = \"x\"; z = (1, 2.5, \"w\"); a-b = [0.1, 1e-7]; } );\n"
        "scenarios = (\n"
        "  { name = \"sphere/all\"; a = \"sphere:triangles=5120\"; b = \"/abs/mesh.off\";\n"
        "    quantities = [\"distance\", \"volume\", \"unified\", \"contact\"];\n"
        "    trajectory = { kind = \"sphere\"; target = \"volume\"; lo = 0; hi = 0.1; frames = "
        "200.0;\n"
        "                   seed = 7; step = 0.02; }; },\n"
        "  { name = \"b\"; a = \"m/x.off\"; b = \"torus\"; quantities = (\"unified\");\n"
        "    trajectory = { kind = \"tumble\"; frames = 10; }; } );\n");
    cr_assert_str_eq(e.title, "All of it: 99999999999");
    cr_assert_str_eq(e.figure, "ist-f7");
    cr_assert_str_eq(e.mode, "paper");
    cr_assert_eq(e.seed, UINT64_C(5000000000));
    cr_assert_eq(e.launches, 9);
    cr_assert_eq(e.rounds, 1000);
    cr_assert_str_eq(e.baseline, e.variants[3]);
    cr_assert_eq(e.lines[1], 8);
    cr_assert_eq(e.lines[3], 9);
    cr_assert_eq(e.lines[9], 11);
    static const struct {
        const char *text;
        size_t limit;
    } variants[] = {
        {"brute",                        0   },
        {"ist:voxels=16",                0   },
        {"ist:radius=primary,voxels=32", 2000},
        {"ist:radius=primary,voxels=64", 2000},
        {"x:a-b=0.1,z=1",                0   },
        {"x:a-b=0.1,z=2.5",              0   },
        {"x:a-b=0.1,z=w",                0   },
        {"x:a-b=1e-07,z=1",              0   },
        {"x:a-b=1e-07,z=2.5",            0   },
        {"x:a-b=1e-07,z=w",              0   },
    };
    cr_assert_eq(e.variant_count, 10, "%zu", e.variant_count);
    for (size_t i = 0; i < 10; i++) {
        cr_assert_str_eq(e.variants[i], variants[i].text, "%s", e.variants[i]);
        cr_assert_eq(e.triangle_limits[i], variants[i].limit);
        cr_assert_eq(e.optional[i], i == 2 || i == 3, "%zu", i);
    }
    cr_assert_eq(e.scenario_count, 5);
    static const char *const names[] = {"sphere/all/distance", "sphere/all/volume",
                                        "sphere/all/unified", "sphere/all/contact", "b"};
    static const unsigned masks[] = {1, 2, 3, 4, 3};
    for (size_t i = 0; i < 5; i++) {
        cr_assert_str_eq(e.scenarios[i].name, names[i], "%s", e.scenarios[i].name);
        cr_assert_eq(e.scenarios[i].quantities, masks[i]);
        cr_assert_null(e.scenarios[i].motion.path);
    }
    cr_assert_str_eq(e.scenarios[1].a, "sphere:triangles=5120");
    cr_assert_str_eq(e.scenarios[1].b, "/abs/mesh.off");
    cr_assert_str_eq(e.scenarios[4].a, "/tmp/m/x.off");
    const scn_sampler *const s = &e.scenarios[2].motion.sampler;
    cr_assert_eq(s->kind, SCN_SPHERE);
    cr_assert_eq(s->target, SCN_TARGET_VOLUME);
    cr_assert_eq(s->lo, 0);
    cr_assert_eq(s->hi, 0.1);
    cr_assert_eq(s->frames, 200);
    cr_assert_eq(s->seed, 7);
    cr_assert_eq(s->step, 0.02);
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
    assert_error("name = \"x\";\nlaunches = 0;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'launches' is 0: it must be from 1 to 1000");
    assert_error("name = \"x\";\nrounds = 1001;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'rounds' is 1001: it must be from 1 to 1000");
    assert_error("name = \"x\";\nrounds = true;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'rounds' is true or false, not a whole number");
    assert_error("name = \"x\";\nbaseline = 3;\n" VARIANTS SCENARIOS,
                 "'F' line 2: 'baseline' is a whole number, not a text");
    assert_error("name = \"x\";\nbaseline = \"brut\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: the baseline 'brut' is none of the variants; did you mean 'brute'?");
    assert_error("name = \"x\";\nname = \"y\";\n" VARIANTS SCENARIOS,
                 "'F' line 2: duplicate setting name");
    assert_error("name = \"x\"\n\n = 3" VARIANTS SCENARIOS, "'F' line 3: syntax error");
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
                 "'F' line 2: @include is not allowed: an experiment is one file");
    assert_error("name = \"x\";\nvariants = ( { algorithm = \"i\"; v = [0.1, 1]; } );\n" SCENARIOS,
                 "'F' line 2: mismatched element type in array (write 1.0 for 1 among reals)");
    /* Neither a name nor a real with many digits is a whole number. */
    scn_experiment e =
        read_good("name = \"x\"; seed = 2147483647;\nvariants = ( { algorithm = "
                  "\"i\"; k99999999999 = 12345678901.5; b = 1e-12; } );\n" SCENARIOS);
    cr_assert_str_eq(e.variants[0], "i:b=1e-12,k99999999999=12345678901.5");
    scn_experiment_release(&e);
    no_leak();
}

static void assert_variants_error(const char *list, const char *message)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\nvariants = %s;\n" SCENARIOS, list);
    assert_error(text, message);
}

Test(experiment, variants_are_checked)
{
    assert_variants_error("3", "'F' line 2: 'variants' is a whole number, not a list");
    assert_variants_error("()", "'F' line 2: 'variants' is empty");
    assert_variants_error("( 1 )", "'F' line 2: an element of 'variants' is a whole number, not a "
                                   "text");
    assert_variants_error("( \"a b\" )", "'F' line 2: 'a b' is no name of a variant");
    assert_variants_error("( \"ist:\" )", "'F' line 2: 'ist:' is no name of a variant");
    assert_variants_error("( \"a\", \"b\", \"a\" )", "'F' line 2: variant 'a' is there twice");
    assert_variants_error("( \"i:v=1\",\n { algorithm = \"i\"; v = [2, 1]; } )",
                          "'F' line 3: variant 'i:v=1' is there twice");
    assert_variants_error("( { v = 1; } )", "'F' line 2: missing key 'algorithm'");
    assert_variants_error("( { algorithm = \"i:v=1\"; } )",
                          "'F' line 2: 'i:v=1' is no name of an algorithm");
    assert_variants_error("( { algorithm = \"i\";\n v = []; } )", "'F' line 3: 'v' is empty");
    assert_variants_error("( { algorithm = \"i\"; v = true; } )",
                          "'F' line 2: a parameter is a number or a text, or a list of them");
    assert_variants_error("( { algorithm = \"i\"; v = ((1)); } )",
                          "'F' line 2: a parameter is a number or a text, or a list of them");
    assert_variants_error("( { algorithm = \"i\"; v = \"a,b\"; } )",
                          "'F' line 2: 'a,b' cannot be a parameter's value");
    assert_variants_error("( { algorithm = \"i\"; v = 1e999; } )",
                          "'F' line 2: a parameter is not finite");
    assert_variants_error("( { algorithm = \"i\"; optional = 1; } )",
                          "'F' line 2: 'optional' is neither true nor false");
    assert_variants_error("( { algorithm = \"i\"; triangle_limit = -1; } )",
                          "'F' line 2: 'triangle_limit' is -1: it must be from 0 to 4294967295");
    no_leak();
}

Test(experiment, the_product_is_limited)
{
    char list[400];
    int n = snprintf(list, sizeof list, "( { algorithm = \"i\"; ");
    for (char key = 'a'; key <= 'h'; key++) {
        n += snprintf(list + n, sizeof list - (size_t)n, "%c = [1, 2, 3, 4]; ", key);
    }
    snprintf(list + n, sizeof list - (size_t)n, "} )");
    assert_variants_error(list, "'F' line 2: more than 10000 variants");
}

static void assert_scenario_error(const char *body, const char *message)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\n" VARIANTS "scenarios = ( {\n%s} );\n", body);
    assert_error(text, message);
}

#define HEAD           "name = \"s\"; a = \"box\"; b = \"box\";\n"
#define ASKED          "quantities = \"distance\";\n"
#define SPHERE(values) HEAD ASKED "trajectory = { kind = \"sphere\";\n" values "};\n"

Test(experiment, scenarios_are_checked)
{
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ();\n",
                 "'F' line 3: 'scenarios' is empty");
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ( 1 );\n",
                 "'F' line 3: an element of 'scenarios' is a whole number, not a group");
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ( " SCENARIO ",\n" SCENARIO " );\n",
                 "'F' line 4: scenario 'one' is there twice");
    assert_scenario_error("a = \"box\";\n", "'F' line 3: missing key 'name'");
    assert_scenario_error("name = \"s\";\n", "'F' line 3: missing key 'a'");
    assert_scenario_error("name = \"s\"; a = \"box\";\n", "'F' line 3: missing key 'b'");
    assert_scenario_error(HEAD, "'F' line 3: missing key 'quantities'");
    assert_scenario_error(HEAD ASKED, "'F' line 3: missing key 'trajectory'");
    assert_scenario_error(HEAD "quantitis = 1;\n",
                          "'F' line 5: unknown key 'quantitis'; did you mean 'quantities'?");
    static const char *const bad[] = {"A", "a//b", "/a", "a/", "..", "a/../b", "a b", "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char body[200], message[200];
        snprintf(body, sizeof body, "name = \"%s\"; ", bad[i]);
        snprintf(message, sizeof message,
                 "'F' line 4: '%s' is no name of a scenario ([a-z0-9.-] and '/' between)", bad[i]);
        assert_scenario_error(body, message);
    }
    assert_scenario_error("name = \"s\"; a = \"blot\";\n",
                          "'F' line 4: unknown model 'blot'; did you mean 'bolt'?");
    assert_scenario_error(HEAD "quantities = \"depth\";\n",
                          "'F' line 5: unknown quantity 'depth' (distance, volume, unified or "
                          "contact)");
    assert_scenario_error(HEAD "quantities = [\"volume\", \"volume\"];\n",
                          "'F' line 5: quantity 'volume' is there twice");
    assert_scenario_error(HEAD "quantities = [];\n", "'F' line 5: 'quantities' is empty");
    assert_scenario_error(HEAD "quantities = 1;\n",
                          "'F' line 5: 'quantities' is a whole number, not a text");
    assert_scenario_error(
        HEAD ASKED "trajectory = 1;\n",
        "'F' line 6: 'trajectory' is neither a path nor a group { kind = ...; } nor a "
        "list of poses");
    no_leak();
}

Test(experiment, samplers_are_checked)
{
    assert_scenario_error(HEAD ASKED "trajectory = { hi = 1.0; };\n",
                          "'F' line 6: missing key 'kind' in 'trajectory'");
    assert_scenario_error(HEAD ASKED "trajectory = { kind = \"spere\"; };\n",
                          "'F' line 6: unknown sampler 'spere' (sphere, glide, press, tumble, "
                          "grid or boxes); did you mean 'sphere'?");
    assert_scenario_error(SPHERE("target = \"depth\";"),
                          "'F' line 7: unknown target 'depth' (distance or volume)");
    assert_scenario_error(HEAD ASKED "trajectory = { kind = \"grid\"; target = \"volume\"; };\n",
                          "'F' line 6: sampler 'grid' takes distances only");
    assert_scenario_error(SPHERE("lo = 0.1;"), "'F' line 6: missing key 'hi' in 'trajectory'");
    assert_scenario_error(SPHERE("hi = 0.1;"), "'F' line 6: missing key 'frames' in 'trajectory'");
    assert_scenario_error(SPHERE("lo = 0.2; hi = 0.1;"),
                          "'F' line 7: 'hi' is 0.1: it must be from 0.2 to 1000");
    assert_scenario_error(SPHERE("lo = -1;"), "'F' line 7: 'lo' is -1: it must be from 0 to 1000");
    assert_scenario_error(SPHERE("target = \"volume\"; hi = 1.1;"),
                          "'F' line 7: 'hi' is 1.1: it must be from 0 to 1");
    assert_scenario_error(SPHERE("hi = \"1\";"), "'F' line 7: 'hi' is a text, not a number");
    assert_scenario_error(SPHERE("hi = 1; frames = 0;"),
                          "'F' line 7: 'frames' is 0: it must be from 1 to 100000000");
    assert_scenario_error(SPHERE("hi = 1; frames = 2.5;"),
                          "'F' line 7: 'frames' is a real number, not a whole number");
    assert_scenario_error(SPHERE("hi = 1; frames = 2; step = 0;"),
                          "'F' line 7: 'step' is 0: it must be from 1e-06 to 1");
    assert_scenario_error(SPHERE("hi = 1; frames = 2; seed = -3;"),
                          "'F' line 7: 'seed' is -3: it must be from 0 to 9223372036854775807");
    assert_scenario_error(SPHERE("hi = 1; frame = 2;"),
                          "'F' line 7: unknown key 'frame'; did you mean 'frames'?");
    no_leak();
}

#define POSED HEAD ASKED "trajectory = ( (1, 2, 3.5), (0, 0, 0, 0, 0, 0.6, 0.8) );\n"

Test(experiment, poses_and_known_answers)
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

Test(experiment, poses_and_known_answers_are_checked)
{
    assert_scenario_error(HEAD ASKED "trajectory = ();\n", "'F' line 6: 'trajectory' is empty");
    assert_scenario_error(HEAD ASKED "trajectory = ( 1, 2, 3 );\n",
                          "'F' line 6: an element of 'trajectory' is a whole number, not a list");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2) );\n",
                          "'F' line 6: a pose has 3 or 7 numbers (x, y, z, qx, qy, qz, qw), not 2");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2, \"3\") );\n",
                          "'F' line 6: an element of 'element' is a text, not a number");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2, 3, 1, 0, 0, 1) );\n",
                          "'F' line 6: quaternion of length 1.41421, not 1");
    assert_scenario_error(POSED "known_distance_m = \"a\";\n",
                          "'F' line 7: 'known_distance_m' is a text, not a number");
    assert_scenario_error(POSED "known_volume_m3 = \"c\";\n",
                          "'F' line 7: 'known_volume_m3' is a text, not a number");
    assert_scenario_error(POSED "known_volume_m3 = -1;\n",
                          "'F' line 7: 'known_volume_m3' is -1: it must be from 0 to 1e+60");
    assert_scenario_error(POSED "known_volume_m3 = (1, 2, 3);\n",
                          "'F' line 7: 'known_volume_m3' has 3 answers for a list of 2 poses");
    no_leak();
}

Test(experiment, files_that_cannot_be_read)
{
    scn_experiment e;
    geo_error err = {0};
    cr_assert_eq(scn_experiment_read("/nonexistent/x.cfg", &e, &err), GEO_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot open '/nonexistent/x.cfg': No such file or directory");
    cr_assert_eq(scn_experiment_read("/tmp", &e, &err), GEO_ERR_SYSTEM);
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

Test(experiment, damaged_files_never_crash)
{
    static const char good[] =
        "name = \"full\"; seed = 5L;\nvariants = ( \"brute\", { algorithm = \"ist\"; v = [32, 64]; "
        "} );\nscenarios = ( { name = \"s/all\"; a = \"sphere\"; b = \"box\"; quantities = "
        "[\"distance\", \"volume\"]; trajectory = { kind = \"sphere\"; hi = 0.1; frames = 20; }; "
        "} );\n";
    static const char spice[] = "\"{}()[];=,@#/*x1.-e\n";
    size_t read = 0, refused = 0;
    geo_random random = geo_random_seed(17);
    for (int i = 0; i < 3000; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (uint64_t k = geo_random_below(&random, 3) + 1; k > 0; k--) {
            text[geo_random_below(&random, sizeof good - 1)] =
                spice[geo_random_below(&random, sizeof spice - 1)];
        }
        scn_experiment e;
        geo_error err = {0};
        scratch s;
        /* libconfig drops a text at which it finds a syntax error: not ours to free. */
        leaks_ignored(true);
        const geo_status status = read_text(text, &e, &err, &s);
        leaks_ignored(false);
        cr_assert(status == GEO_OK || status == GEO_ERR_INPUT, "seed 17, file %d: %s", i, text);
        cr_assert_eq(status == GEO_OK, err.text[0] == '\0');
        read += status == GEO_OK;
        refused += status != GEO_OK;
        scn_experiment_release(&e);
    }
    cr_assert(read > 30 && refused > 1000, "%zu read, %zu refused", read, refused);
}

Test(experiment, every_failed_allocation_is_an_error)
{
    const scratch s = scratch_write("name = \"x\";\n" VARIANTS SCENARIOS);
    geo_status status = GEO_ERR_MEMORY;
    size_t n = 0;
    for (; n < 100 && status == GEO_ERR_MEMORY; n++) {
        scn_experiment e;
        geo_memory_fail_after(n);
        status = scn_experiment_read(s.path, &e, NULL);
        geo_memory_fail_after(SIZE_MAX);
        scn_experiment_release(&e);
    }
    unlink(s.path);
    cr_assert_eq(status, GEO_OK);
    cr_assert_geq(n, 3);
    no_leak();
}

Test(experiment, the_files_of_the_suite_are_good)
{
    static const char *const names[] = {"smoke",  "bench",  "degenerate",
                                        "ist-f7", "ist-f8", "ist-f9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100];
        snprintf(path, sizeof path, "scenarios/experiments/%s.cfg", names[i]);
        scn_experiment e;
        geo_error err = {0};
        cr_assert_eq(scn_experiment_read(path, &e, &err), GEO_OK, "%s", err.text);
        cr_assert_str_eq(e.name, names[i]);
        cr_assert(e.scenario_count > 0 && e.variant_count > 0);
        scn_experiment_release(&e);
    }
}
