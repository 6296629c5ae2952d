/** Rules for entries, adding of entries, and names of variants. */
#include "algorithms/registry.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Test(registry, entries_keep_the_contract)
{
    static alg_algorithm again[ALG_REGISTRY_MAX];
    static char names[ALG_REGISTRY_MAX][64];
    size_t count = 0;
    while (alg_registry[count]) {
        count++;
    }
    for (size_t k = 0; k < count; k++) {
        const alg_algorithm *const a = alg_registry[k];
        alg_message message = {""};
        snprintf(names[k], sizeof names[k], "%s-again", a->name);
        again[k] = *a;
        again[k].name = names[k];
        cr_assert_eq(alg_register(&again[k], &message), ALG_OK, "%s", message.text);
        cr_assert_eq(alg_find(a->name), a, "'%s' is there twice", a->name);
        cr_assert_not_null(a->counters, "%s", a->name);
        for (size_t i = 0; a->counters[i]; i++) {
            const char *const ending = strstr(a->counters[i], "_count");
            cr_assert(ending && strcmp(ending, "_count") == 0, "%s", a->name);
        }
        alg_variant variant;
        cr_assert_eq(alg_variant_parse(a->name, 1, &variant, &message), ALG_OK, "%s", message.text);
        cr_assert_eq(variant.algorithm, a);
        cr_assert_str_eq(variant.name, a->name);
    }
    cr_assert_geq(count, 3);
    cr_assert_null(alg_find("ists"));
    cr_assert_null(alg_find(""));
}

static void expect_refusal(const alg_algorithm *algorithm, const char *reason)
{
    alg_message message = {""};
    cr_assert_eq(alg_register(algorithm, &message), ALG_FAILED, "%s", reason);
    cr_assert_not_null(strstr(message.text, reason), "'%s' lacks '%s'", message.text, reason);
}

static alg_status save_nothing(const void *prepared, const alg_writer *to, alg_message *message)
{
    (void)prepared, (void)to, (void)message;
    return ALG_OK;
}

Test(registry, an_entry_that_breaks_a_rule_is_refused)
{
    alg_algorithm bad = alg_floor;
    expect_refusal(&bad, "there is an algorithm 'floor' already");
    bad.name = "Mine";
    expect_refusal(&bad, "'Mine' is no name");
    bad.name = "";
    expect_refusal(&bad, "is no name");
    bad.name = NULL;
    expect_refusal(&bad, "is no name");
    bad.name = "mine";
    bad.abi_version = ALG_ABI_VERSION + 1;
    expect_refusal(&bad, "this is version");
    bad.abi_version = ALG_ABI_VERSION;
    bad.summary = NULL;
    expect_refusal(&bad, "lacks summary");
    bad.summary = "two\nlines";
    expect_refusal(&bad, "control characters");
    bad.summary = "";
    bad.force_unit = "N\033[31m";
    expect_refusal(&bad, "control characters");
    bad.force_unit = NULL;
    bad.name = "a-name-of-eighty-one-letters-0123456789-0123456789-0123456789-0123456789-01234567";
    expect_refusal(&bad, "at most 80 letters");
    bad.name = "mine";
    bad.tolerance_ulp = ALG_TOLERANCE_ULP_MAX + 1;
    expect_refusal(&bad, "a tolerance of 10001 ulp");
    bad.tolerance_ulp = 0;
    bad.query = NULL;
    expect_refusal(&bad, "no function 'query'");
    bad.query = alg_floor.query;
    bad.flags = ALG_KEEPS_STATE;
    expect_refusal(&bad, "no function 'reset'");
    bad.flags = 0;
    static const char *const counters[] = {"a_count", "B_count", NULL};
    bad.counters = counters;
    expect_refusal(&bad, "counter 2");
    bad.counters = NULL;
    bad.save = save_nothing;
    expect_refusal(&bad, "no function 'load'");
    bad.save = NULL;
    static const char *const facts[] = {"gap_m", "gap-m", NULL};
    static const char *many_facts[ALG_FACTS_MAX + 2];
    for (size_t i = 0; i <= ALG_FACTS_MAX; i++) {
        many_facts[i] = "gap_m";
    }
    bad.facts = facts;
    expect_refusal(&bad, "fact 2");
    bad.facts = many_facts;
    expect_refusal(&bad, "fact 33");
    many_facts[ALG_FACTS_MAX] = NULL;
    static const alg_parameter taken[] = {{ALG_SIMPLIFY, ALG_REAL, 1, 0, 1, NULL, "share"}};
    bad.facts = facts + 2;
    bad.parameters = taken;
    bad.parameter_count = 1;
    expect_refusal(&bad, "a parameter 'simplify', which every algorithm has already");
    bad.parameter_count = 0;
    bad.facts = many_facts;
    alg_message message;
    cr_assert_eq(alg_register(&bad, &message), ALG_OK);
    cr_assert_eq(alg_find("mine"), &bad);
}

/* --- Laws of forces --------------------------------------------------------------------------- */

static alg_law law_by_value(const alg_settings *settings)
{
    return (alg_law)(int)settings->values[0];
}

static const alg_choice law_words[] = {{"none", NULL},   {"area", NULL},
                                       {"depth", NULL},  {"depth-exchanged", NULL},
                                       {"weight", NULL}, {0}};
static const alg_parameter law_parameters[] = {
    {"law", ALG_CHOICE, 0, 0, 0, law_words, "of the force"},
};

Test(law, an_unknown_law_is_refused_by_name)
{
    static alg_algorithm lawful;
    static alg_parameter wrong;
    lawful = alg_floor;
    lawful.name = "lawful";
    lawful.force_unit = "N";
    lawful.parameters = law_parameters;
    lawful.parameter_count = 1;
    lawful.law = law_by_value;
    alg_message message;
    cr_assert_eq(alg_register(&lawful, &message), ALG_OK, "%s", message.text);
    for (int law = 0; law < ALG_LAW_COUNT; law++) {
        char text[64];
        alg_variant variant;
        snprintf(text, sizeof text, "lawful:law=%s", alg_law_names[law]);
        cr_assert_eq(alg_variant_parse(text, 1, &variant, &message), ALG_OK, "%s", message.text);
        cr_expect_eq(alg_variant_law(&variant), (alg_law)law, "%s", text);
    }
    alg_variant variant;
    cr_assert_eq(alg_variant_parse("lawful:law=weight", 1, &variant, &message), ALG_FAILED);
    cr_expect_not_null(strstr(message.text, "'lawful:law=weight' declares law 4"), "%s",
                       message.text);
    alg_algorithm bad = lawful;
    wrong = law_parameters[0];
    wrong.fallback = 4;
    bad.name = "lawless";
    bad.parameters = &wrong;
    expect_refusal(&bad, "'lawless' declares law 4");
    wrong.fallback = 1;
    bad.force_unit = NULL;
    expect_refusal(&bad, "'lawless' declares a law, and no unit of force");
}

Test(law, each_family_declares_its_own)
{
    static const struct {
        const char *variant;
        alg_law law;
    } cases[] = {
        {"vps", ALG_LAW_DEPTH},
        {"vps:voxmap=moving", ALG_LAW_DEPTH_EXCHANGED},
        {"vps:depth=field", ALG_LAW_NONE},
        {"pst", ALG_LAW_DEPTH},
        {"pst:field=moving", ALG_LAW_DEPTH_EXCHANGED},
        {"pst:normals=field", ALG_LAW_NONE},
        {"pst:deadline-us=5,field=moving", ALG_LAW_DEPTH_EXCHANGED},
        {"ist", ALG_LAW_NONE},
        {"ist-gradient", ALG_LAW_AREA},
        {"imp", ALG_LAW_DEPTH},
        {"imp:depth=balls", ALG_LAW_NONE},
        {"imp:level=3", ALG_LAW_NONE},
        {"lpd", ALG_LAW_NONE},
        {"lpd-area", ALG_LAW_AREA},
        {"faulty", ALG_LAW_AREA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alg_variant variant;
        alg_message message;
        cr_assert_eq(alg_variant_parse(cases[i].variant, 1, &variant, &message), ALG_OK, "%s",
                     message.text);
        cr_expect_eq(alg_variant_law(&variant), cases[i].law, "%s", cases[i].variant);
    }
}

static bool reads_clock_above_1(const alg_settings *settings)
{
    return settings->values[0] > 1;
}

Test(registry, whether_a_clock_is_read_depends_on_the_settings)
{
    static const struct {
        const char *variant;
        bool reads;
    } cases[] = {
        {"floor", false},
        {"pst", false},
        {"pst:budget=50", false},
        {"pst:deadline-us=0", false},
        {"pst:deadline-us=0.5", true},
        {"bounds-budget", false},
        {"bounds-budget:budget=50,deadline-us=7", true},
        {"timely", false},
        {"timely:b=2", true},
    };
    static const alg_parameter parameter = {"b", ALG_INTEGER, 1, 1, 2, NULL, "of a clock"};
    static alg_algorithm timely;
    timely = alg_floor;
    timely.name = "timely";
    timely.parameters = &parameter;
    timely.parameter_count = 1;
    timely.reads_clock = reads_clock_above_1;
    alg_message message;
    cr_assert_eq(alg_register(&timely, &message), ALG_OK, "%s", message.text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alg_variant variant;
        cr_assert_eq(alg_variant_parse(cases[i].variant, 1, &variant, &message), ALG_OK, "%s",
                     message.text);
        cr_expect_eq(alg_variant_reads_clock(&variant), cases[i].reads, "%s", cases[i].variant);
    }
}

Test(registry, names_of_variants_are_sorted_whatever_the_order_of_the_table)
{
    static const alg_choice words[] = {{"one", NULL}, {"two", "more"}, {"three", NULL}, {0}};
    static const alg_parameter p[] = {
        {"m", ALG_INTEGER, 1, 1, 9, NULL, ""}, {"z", ALG_CHOICE, 1, 0, 0, words, ""},
        {"a", ALG_REAL, 1, 0, 2, NULL, ""},    {"m-x", ALG_REAL, 1, 0, 2, NULL, ""},
        {"b", ALG_CHOICE, 0, 0, 0, words, ""},
    };
    static alg_algorithm mixed;
    mixed = alg_floor;
    mixed.name = "mixed";
    mixed.parameters = p;
    mixed.parameter_count = 5;
    alg_message message;
    alg_variant v;
    cr_assert_eq(alg_register(&mixed, &message), ALG_OK, "%s", message.text);
    cr_assert_eq(alg_variant_parse("mixed:z=three,m=7,m-x=0,b=two,a=0.5", 1, &v, &message), ALG_OK);
    cr_assert_str_eq(v.name, "mixed:a=0.5,b=two,m=7,m-x=0,z=three");
    const double expected[] = {7, 2, 0.5, 0, 1, 0};
    cr_assert_arr_eq(v.settings.values, expected, sizeof expected);
    cr_assert_eq(alg_variant_parse("mixed:z=two", 1, &v, &message), ALG_OK);
    cr_assert_str_eq(v.name, "mixed");
    cr_assert_eq(alg_variant_parse("mixed:b=four", 1, &v, &message), ALG_FAILED);
    cr_assert_not_null(strstr(message.text, "must be one of one|two|three"), "%s", message.text);
    char text[10];
    alg_choice_words(words, text, sizeof text);
    cr_assert_str_eq(text, "one|two|t");
}

Test(registry, an_integer_may_be_a_word)
{
    static const alg_choice words[] = {{"auto", "as needed"}, {0}};
    static const alg_parameter p[] = {{"a", ALG_INTEGER, 5, 2, 9, words, ""},
                                      {"b", ALG_INTEGER, 0, 2, 9, words, ""}};
    static alg_algorithm worded;
    worded = alg_floor;
    worded.name = "worded";
    worded.parameters = p;
    worded.parameter_count = 2;
    alg_message message;
    alg_variant v;
    cr_assert_eq(alg_register(&worded, &message), ALG_OK, "%s", message.text);
    cr_assert_eq(alg_variant_parse("worded:b=3,a=auto", 1, &v, &message), ALG_OK);
    cr_assert(v.settings.values[0] == 0 && v.settings.values[1] == 3);
    cr_assert_str_eq(v.name, "worded:a=auto,b=3");
    cr_assert_eq(alg_variant_parse("worded:b=auto,a=5", 1, &v, &message), ALG_OK);
    cr_assert_str_eq(v.name, "worded");
    cr_assert_str_eq(alg_parameter_word(&p[1], v.settings.values[1]), "auto");
    cr_assert_null(alg_parameter_word(&p[0], v.settings.values[0]));
    cr_assert_eq(alg_variant_parse("worded:a=0", 1, &v, &message), ALG_FAILED);
    cr_assert_not_null(strstr(message.text, "must be auto or a whole number from 2 to 9"), "%s",
                       message.text);
}

Test(registry, parameters_differ_and_defaults_lie_in_their_range)
{
    alg_parameter p[] = {
        {.name = "b", .type = ALG_INTEGER, .fallback = 1, .lowest = 1, .highest = 2, .help = ""},
        {.name = "b", .type = ALG_REAL, .fallback = 1, .lowest = 1, .highest = 2, .help = ""},
    };
    alg_algorithm bad = alg_floor;
    bad.name = "mine";
    bad.parameters = p;
    bad.parameter_count = 2;
    expect_refusal(&bad, "'mine' has two parameters 'b'");
    p[1].name = "a";
    p[1].fallback = 3;
    expect_refusal(&bad, "default of 'a' is 3, not from 1 to 2");
    p[1].fallback = 2;
    p[0].type = ALG_CHOICE;
    expect_refusal(&bad, "parameter 1 lacks");
    alg_choice words[] = {{"one", NULL}, {"Two", NULL}, {0}};
    p[0].choices = words;
    expect_refusal(&bad, "choice 2 of 'b' is no name");
    words[1] = (alg_choice){"two", "two\nlines"};
    expect_refusal(&bad, "choice 2 of 'b' is no name, or its help has control characters");
    words[1].help = NULL;
    p[0].fallback = 2;
    expect_refusal(&bad, "default of 'b' is 2, not from 0 to 1");
    p[0].fallback = 1;
    words[0].word = NULL;
    expect_refusal(&bad, "default of 'b' is 1, not from 0 to -1");
    words[0].word = "one";
    bad.parameter_count = ALG_PARAMETERS_MAX + 1;
    expect_refusal(&bad, "parameters");
    bad.parameter_count = 2;
    p[1].choices = words;
    expect_refusal(&bad, "parameter 2 lacks");
    p[1].type = ALG_INTEGER;
    expect_refusal(&bad, "the integer 'a' has 2 words and begins at 1");
    words[1].word = NULL;
    p[0].fallback = p[1].lowest = 0;
    expect_refusal(&bad, "the integer 'a' has 1 words and begins at 0");
    p[1].lowest = 1;
    p[1].fallback = 0;
    alg_message message;
    cr_assert_eq(alg_register(&bad, &message), ALG_OK, "%s", message.text);
}

Test(registry, a_full_table_is_an_error)
{
    static alg_algorithm many[ALG_REGISTRY_MAX + 1];
    static char names[ALG_REGISTRY_MAX + 1][16];
    alg_message message = {""};
    size_t i = 0;
    for (alg_status status = ALG_OK; i <= ALG_REGISTRY_MAX && status == ALG_OK; i++) {
        snprintf(names[i], sizeof names[i], "mine-%zu", i);
        many[i] = alg_floor;
        many[i].name = names[i];
        status = alg_register(&many[i], &message);
    }
    cr_assert_leq(i, ALG_REGISTRY_MAX);
    cr_assert_not_null(strstr(message.text, "no room for 'mine-"), "'%s'", message.text);
    cr_assert_null(alg_registry[ALG_REGISTRY_MAX]);
    alg_variant variant;
    cr_assert_eq(alg_variant_parse("mine-0", 1, &variant, &message), ALG_OK);
    cr_assert_eq(alg_variant_parse("mine-x", 1, &variant, &message), ALG_FAILED);
}

/* --- Variants --------------------------------------------------------------------------------- */

static alg_variant parse(const char *text)
{
    alg_variant variant;
    alg_message message = {""};
    cr_assert_eq(alg_variant_parse(text, 7, &variant, &message), ALG_OK, "'%s': %s", text,
                 message.text);
    return variant;
}

Test(variant, names_are_canonical)
{
    static const char *const cases[][2] = {
        {"ist", "ist"},
        {"ist:voxels=64", "ist:voxels=64"},
        {"ist:voxels=64.0", "ist:voxels=64"},
        {"ist:voxels=6.4e1", "ist:voxels=64"},
        {"ist:voxels=2000", "ist:voxels=2000"},
        {"ist:voxels=64,radius=primary", "ist:radius=primary,voxels=64"},
        {"ist:radius=secondary", "ist"},
        {"ist:spheres=-0", "ist"},
        {"ist:min-radius=0.1", "ist:min-radius=0.1"},
        {"ist:min-radius=0.10000000000000001", "ist:min-radius=0.1"},
        {"ist:min-radius=0.30000000000000004", "ist:min-radius=0.30000000000000004"},
        {"ist:min-radius=0.33333333333333331,spheres=5",
         "ist:min-radius=0.3333333333333333,spheres=5"},
        {"floor", "floor"},
        {"brute", "brute"},
        {"brute:simplify=1", "brute"},
        {"brute:simplify=0.10", "brute:simplify=0.1"},
        {"ist:voxels=64,simplify=0.5,radius=primary", "ist:radius=primary,simplify=0.5,voxels=64"},
        {"ist:simplify=0.5,radius=primary", "ist:radius=primary,simplify=0.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant variant = parse(cases[i][0]);
        cr_assert_str_eq(variant.name, cases[i][1], "'%s' became '%s'", cases[i][0], variant.name);
        cr_assert_eq(variant.settings.seed, 7);
        const alg_variant again = parse(variant.name);
        cr_assert_str_eq(again.name, variant.name);
        cr_assert_eq(again.simplify, variant.simplify);
        cr_assert_eq(
            memcmp(again.settings.values, variant.settings.values, sizeof again.settings.values), 0,
            "'%s' reads back with other values", variant.name);
    }
}

/** The promises of an algorithm are about the bodies that it gets. */
Test(variant, simplified_bodies_are_approximate)
{
    const alg_variant full = parse("brute:simplify=1"), simplified = parse("brute:simplify=0.3");
    cr_assert_eq(full.simplify, 0);
    cr_assert_eq(simplified.simplify, 0.3);
    cr_assert_eq(alg_variant_contract(&full, ALG_DISTANCE), ALG_EXACT);
    cr_assert_eq(alg_variant_contract(&simplified, ALG_DISTANCE), ALG_APPROXIMATE);
    cr_assert_eq(alg_variant_contract(&simplified, ALG_VOLUME), ALG_NOT_ANSWERED);
    cr_assert_eq(alg_variant_answers(&simplified), alg_variant_answers(&full));
}

Test(variant, defaults_left_out_are_set)
{
    const alg_variant variant = parse("ist:voxels=77");
    const alg_algorithm *const a = variant.algorithm;
    for (size_t i = 0; i < a->parameter_count; i++) {
        const char *const name = a->parameters[i].name;
        const double expected = strcmp(name, "voxels") == 0 ? 77 : a->parameters[i].fallback;
        cr_assert_eq(variant.settings.values[i], expected, "%s", name);
    }
}

Test(variant, slips_are_explained)
{
    static const char *const cases[][2] = {
        {"", "name"},
        {":voxels=64", "name"},
        {"its", "unknown algorithm 'its'; did you mean 'ist'?"},
        {"IST", "unknown algorithm 'IST'"},
        {"ist:", "not key=value"},
        {"ist:voxels", "'voxels' is not key=value"},
        {"ist:voxels=", "'voxels=' is not key=value"},
        {"ist:=64", "'=64' is not key=value"},
        {"ist:voxels=64,", "not key=value"},
        {"ist:,voxels=64", "not key=value"},
        {"ist:voxel=64", "did you mean 'voxels'?"},
        {"ist:zzz=64", "it has packing, voxels, spheres, "},
        {"ist:voxels=64,voxels=64", "given twice"},
        {"ist:voxels=1", "a whole number from 2 to "},
        {"ist:voxels=1e9", "a whole number from 2 to "},
        {"ist:voxels=64.5", "a whole number"},
        {"ist:voxels=many", "'many', must be auto or a whole number"},
        {"ist:voxels=nan", "'nan', must be auto or a whole number"},
        {"ist:voxels=0x40", "a whole number"},
        {"ist:voxels= 64", "a whole number"},
        {"ist:min-radius=-1", "a number from 0 to "},
        {"ist:min-radius=inf", "a number from 0 to "},
        {"ist:radius=prim", "'prim', must be one of primary|secondary"},
        {"ist:radius=primary|", "must be one of"},
        {"ist:radius=1", "must be one of"},
        {"floor:voxels=64", "unknown parameter 'voxels' of 'floor' (it has simplify)"},
        {"floor:simplyfy=0.5", "did you mean 'simplify'?"},
        {"ist:simplify=0", "'simplify' of 'ist' is '0', must be a number above 0, at most 1"},
        {"ist:simplify=-0.1", "above 0, at most 1"},
        {"ist:simplify=1.1", "above 0, at most 1"},
        {"ist:simplify=nan", "above 0, at most 1"},
        {"ist:simplify=half", "'half', must be a number above 0"},
        {"ist:simplify=0.5,simplify=0.5", "'simplify' of 'ist' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        alg_variant variant;
        alg_message message = {""};
        cr_assert_eq(alg_variant_parse(cases[i][0], 1, &variant, &message), ALG_FAILED, "'%s'",
                     cases[i][0]);
        cr_assert_not_null(strstr(message.text, cases[i][1]), "'%s' says: %s", cases[i][0],
                           message.text);
        cr_assert_null(strchr(message.text, '\n'));
        cr_assert_eq(alg_variant_parse(cases[i][0], 1, &variant, NULL), ALG_FAILED);
    }
}

Test(variant, long_words_do_not_overrun)
{
    char text[4096];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    alg_variant variant;
    alg_message message;
    cr_assert_eq(alg_variant_parse(text, 1, &variant, &message), ALG_FAILED);
    memcpy(text, "ist:", 4);
    cr_assert_eq(alg_variant_parse(text, 1, &variant, &message), ALG_FAILED);
    memcpy(text, "ist:voxels=", 11);
    cr_assert_eq(alg_variant_parse(text, 1, &variant, &message), ALG_FAILED);
}

Test(registry, null_answers_nothing)
{
    const alg_variant variant = parse("floor");
    const alg_algorithm *const a = variant.algorithm;
    const alg_mesh mesh = {.size = sizeof mesh};
    void *fixed, *moving, *state;
    alg_build_info info;
    alg_message message;
    const alg_request request = {.size = sizeof request, .wanted = ALG_WANT_VOLUME};
    cr_assert_eq(alg_variant_may_answer(&variant, ALG_WANT_VOLUME, &message), ALG_OK);
    cr_assert_eq(a->prepare(&variant.settings, &mesh, ALG_FIXED, &fixed, &info, &message), ALG_OK);
    cr_assert_eq(a->prepare(&variant.settings, &mesh, ALG_MOVING, &moving, &info, &message),
                 ALG_OK);
    cr_assert_eq(a->bind(&variant.settings, fixed, moving, &request, &state, &message), ALG_OK);
    alg_answer answer = {.size = sizeof answer};
    const geo_pose pose = {0};
    a->query(state, &pose, &answer);
    cr_assert_eq(answer.answered, 0);
    cr_assert_eq(answer.outcome, ALG_CONVERGED);
    a->release(state);
    a->dispose(moving);
    a->dispose(fixed);
    base_memory_fail_after(0);
    cr_assert_eq(a->prepare(&variant.settings, &mesh, ALG_FIXED, &fixed, &info, &message),
                 ALG_OUT_OF_MEMORY);
    cr_assert_null(fixed);
    base_memory_fail_after(SIZE_MAX);
}
