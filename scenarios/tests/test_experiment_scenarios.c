#include "scenarios/tests/experiments.h"

static void assert_scenario_error(const char *body, const char *message)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\n" VARIANTS "scenarios = ( {\n%s} );\n", body);
    assert_error(text, message);
}

#define HEAD                  "name = \"s\"; a = \"box\"; b = \"box\";\n"
#define ASKED                 "quantities = \"distance\";\n"
#define SAMPLER(kind, values) HEAD ASKED "trajectory = { kind = \"" kind "\";\n" values "};\n"
#define SPHERE(values)        SAMPLER("sphere", values)

Test(scenarios, scenarios_are_checked)
{
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ();\n",
                 "'F' line 3: 'scenarios' is empty");
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ( 1 );\n",
                 "'F' line 3: an element of 'scenarios' is a whole number, not a group");
    assert_error("name = \"x\";\n" VARIANTS "scenarios = ( " SCENARIO ",\n" SCENARIO " );\n",
                 "'F' line 4: scenario 'one' occurs twice");
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
    static const char *const files[] = {"cells.csv", "one/brute.csv", "x.tar/y", "a.passes"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        static const char *const parts[] = {"cells.csv", "brute.csv", "x.tar", "a.passes"};
        char body[200], message[200];
        snprintf(body, sizeof body, "name = \"%s\"; ", files[i]);
        snprintf(message, sizeof message,
                 "'F' line 4: '%s' is no name of a scenario: '%s' looks like a file, and it is to "
                 "be a folder",
                 files[i], parts[i]);
        assert_scenario_error(body, message);
    }
    char long_name[300];
    snprintf(long_name, sizeof long_name, "name = \"%0201d\"; ", 7);
    assert_scenario_error(long_name, "'F' line 4: '0000000000000000000000000000000000000000...' is "
                                     "too long for the name of a scenario: 201 letters, more than "
                                     "200");
    assert_scenario_error("name = 1;\n", "'F' line 4: 'name' is a whole number, not a text");
    assert_scenario_error("name = \"s\"; a = 1;\n",
                          "'F' line 4: 'a' is a whole number, not a text");
    assert_scenario_error("name = \"s\"; a = \"\";\n", "'F' line 4: 'a' is empty");
    assert_scenario_error("name = \"s\"; a = \"bolt:triangels=9000\";\n",
                          "'F' line 4: model 'bolt' takes 'triangles=NUMBER', 'scale=FACTOR', "
                          "'sx=', 'sy=', 'sz=FACTOR' and 'x=', 'y=', 'z=METRES' after the colon, "
                          "with commas between them, not 'triangels=9000'");
    assert_scenario_error("name = \"s\"; a = \"box\";\nb = \"sphere:triangles=3\";\n",
                          "'F' line 5: model 'sphere' takes 20 to 20000000 triangles, not '3'");
    assert_scenario_error("name = \"s\"; a = \"blot\";\n",
                          "'F' line 4: unknown model 'blot'; did you mean 'bolt'?");
    assert_scenario_error(HEAD "quantities = [\"volume\", \"volume\"];\n",
                          "'F' line 5: quantity 'volume' occurs twice");
    assert_scenario_error(HEAD "quantities = \"Depth\";\n",
                          "'F' line 5: 'Depth' is no name of a quantity");
    assert_scenario_error(HEAD "quantities = (\"volume\",\n 1);\n",
                          "'F' line 6: an element of 'quantities' is a whole number, not a text");
    assert_scenario_error(HEAD "quantities = { };\n",
                          "'F' line 5: 'quantities' is a group, not a list");
    assert_scenario_error(HEAD "quantities = [];\n", "'F' line 5: 'quantities' is empty");
    assert_scenario_error(HEAD "quantities = 1;\n",
                          "'F' line 5: 'quantities' is a whole number, not a text");
    assert_scenario_error(
        HEAD ASKED "trajectory = 1;\n",
        "'F' line 6: 'trajectory' is neither a path nor a group { kind = ...; } nor a "
        "list of poses");
    assert_scenario_error(HEAD ASKED "trajectory = \"\";\n", "'F' line 6: 'trajectory' is empty");
    no_leak();
}

Test(scenarios, several_quantities_may_meet_a_name)
{
    assert_error("name = \"x\";\n" VARIANTS
                 "scenarios = ( { name = \"s/volume\"; a = \"box\"; b = \"box\"; quantities = "
                 "\"volume\"; trajectory = \"t.csv\"; },\n{ name = \"s\"; a = \"box\"; b = "
                 "\"box\"; quantities = [\"distance\", \"volume\"]; trajectory = \"t.csv\"; } );\n",
                 "'F' line 4: scenario 's/volume' occurs twice");
    no_leak();
}

Test(scenarios, samplers_are_checked)
{
    assert_scenario_error(HEAD ASKED "trajectory = { hi = 1.0; };\n",
                          "'F' line 6: missing key 'kind' in 'trajectory'");
    assert_scenario_error(HEAD ASKED "trajectory = { kind = \"spere\"; };\n",
                          "'F' line 6: unknown sampler 'spere' (sphere, glide, press, tumble, "
                          "grid, boxes, response, insertion or approach); did you mean 'sphere'?");
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
    assert_scenario_error(SAMPLER("glide", "hi = 1; frames = 2; step = 0;"),
                          "'F' line 7: 'step' is 0: it must be from 1e-06 to 1");
    assert_scenario_error(SAMPLER("press", "hi = 1; frames = 2; step = 1.5;"),
                          "'F' line 7: 'step' is 1.5: it must be from 1e-06 to 1");
    assert_scenario_error(SPHERE("hi = 1; frames = 2; hold = 0;"),
                          "'F' line 7: 'hold' is 0: it must be from 1 to 100");
    assert_scenario_error(SAMPLER("approach", "hi = 1; frames = 2; ways = 1001;"),
                          "'F' line 7: 'ways' is 1001: it must be from 1 to 1000");
    assert_scenario_error(SPHERE("hi = 1e999;"),
                          "'F' line 7: 'hi' is inf: it must be from 0 to 1000");
    assert_scenario_error(SPHERE("hi = 1; frames = 100000001;"),
                          "'F' line 7: 'frames' is 100000001: it must be from 1 to 100000000");
    assert_scenario_error(SPHERE("target = 1;"),
                          "'F' line 7: 'target' is a whole number, not a text");
    assert_scenario_error(HEAD ASKED "trajectory = { kind = 1; };\n",
                          "'F' line 6: 'kind' is a whole number, not a text");
    assert_scenario_error(SPHERE("hi = 1; frames = 2; seed = -3;"),
                          "'F' line 7: 'seed' is -3: it must be from 0 to 9223372036854775807");
    assert_scenario_error(SPHERE("hi = 1; frame = 2;"),
                          "'F' line 7: unknown key 'frame'; did you mean 'frames'?");
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
                         "name = \"x\";\n" VARIANTS "scenarios = ( { " HEAD ASKED
                         "trajectory = { kind = \"%s\"; frames = 2; seed = 3; %s }; } );\n",
                         rows[i].kind, body);
                scn_experiment e = read_good(text);
                scn_experiment_release(&e);
            }
            if (rows[i].takes_not[k]) {
                snprintf(body, sizeof body,
                         HEAD ASKED "trajectory = { kind = \"%s\"; frames = 2;\n%s; };\n",
                         rows[i].kind, rows[i].takes_not[k]);
                snprintf(message, sizeof message, "'F' line 7: sampler '%s' takes no '%.*s'",
                         rows[i].kind, (int)strcspn(rows[i].takes_not[k], " "),
                         rows[i].takes_not[k]);
                assert_scenario_error(body, message);
            }
        }
    }
    no_leak();
}

#define POSED HEAD ASKED "trajectory = ( (1, 2, 3.5), (0, 0, 0, 0, 0, 0.6, 0.8) );\n"

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
    assert_scenario_error(HEAD ASKED "trajectory = ();\n", "'F' line 6: 'trajectory' is empty");
    assert_scenario_error(HEAD ASKED "trajectory = ( 1, 2, 3 );\n",
                          "'F' line 6: an element of 'trajectory' is a whole number, not a list");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2) );\n",
                          "'F' line 6: a pose has 3 or 7 numbers (x, y, z, qx, qy, qz, qw), not 2");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2, \"3\") );\n",
                          "'F' line 6: an element of 'trajectory' is a text, not a number");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2, 3, 1, 0, 0, 1) );\n",
                          "'F' line 6: quaternion of length 1.41421, not 1");
    assert_scenario_error(POSED "known_distance_m = \"a\";\n",
                          "'F' line 7: 'known_distance_m' is a text, not a number");
    assert_scenario_error(POSED "known_volume_m3 = \"c\";\n",
                          "'F' line 7: 'known_volume_m3' is a text, not a number");
    assert_scenario_error(POSED "known_volume_m3 = -1;\n",
                          "'F' line 7: 'known_volume_m3' is -1: it must be from 0 to 1e+60");
    assert_scenario_error(POSED "known_volume_m3 = (1, true);\n",
                          "'F' line 7: an element of 'known_volume_m3' is true or false, not a "
                          "number");
    assert_scenario_error(HEAD ASKED "trajectory = \"t.csv\";\nknown_distance_m = [1.0];\n",
                          "'F' line 7: 'known_distance_m' is a list, which needs a list of poses: "
                          "give one answer for all");
    assert_scenario_error(HEAD ASKED "trajectory = ( (1, 2, 1e16) );\n",
                          "'F' line 6: an element of 'trajectory' is 1e+16: it must be from -1e+15 "
                          "to 1e+15");
    assert_scenario_error(HEAD ASKED "trajectory = ( (0, 0, 0, 0, 0, 0, 0) );\n",
                          "'F' line 6: quaternion of length 0, not 1");
    assert_scenario_error(POSED "known_volume_m3 = (1, 2, 3);\n",
                          "'F' line 7: 'known_volume_m3' has 3 answers for a list of 2 poses");
    no_leak();
}
