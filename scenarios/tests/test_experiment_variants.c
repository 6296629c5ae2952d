#include "scenarios/tests/experiments.h"

static void assert_variants_error(const char *list, const char *message)
{
    char text[2000];
    snprintf(text, sizeof text, "name = \"x\";\nvariants = %s;\n" SCENARIOS, list);
    assert_error(text, message);
}

Test(variants, variants_are_checked)
{
    assert_variants_error("3", "'F' line 2: 'variants' is a whole number, not a list");
    assert_variants_error("()", "'F' line 2: 'variants' is empty");
    assert_variants_error("( 1 )", "'F' line 2: an element of 'variants' is a whole number, not a "
                                   "text");
    assert_variants_error("( \"a b\" )", "'F' line 2: 'a b' is no name of a variant");
    assert_variants_error("( \"ist:\" )", "'F' line 2: 'ist:' is no name of a variant");
    assert_variants_error("( \"a\", \"b\", \"a\" )", "'F' line 2: variant 'a' occurs twice");
    assert_variants_error("( \"i:v=1\",\n { algorithm = \"i\"; v = [2, 1]; } )",
                          "'F' line 3: variant 'i:v=1' occurs twice");
    assert_variants_error("( { v = 1; } )", "'F' line 2: missing key 'algorithm'");
    assert_variants_error("( { algorithm = \"i:v=1\"; } )",
                          "'F' line 2: 'i:v=1' is no name of an algorithm");
    assert_variants_error("( { algorithm = \"i\";\n v = []; } )", "'F' line 3: 'v' is empty");
    assert_variants_error("( { algorithm = 3; } )",
                          "'F' line 2: 'algorithm' is a whole number, not a text");
    assert_variants_error("( \"a@twin\" )", "'F' line 2: 'a@twin' is no name of a variant");
    assert_variants_error("( \"i:v=b_c\",\n \"i:v=b,c\" )",
                          "'F' line 3: variants 'i:v=b_c' and 'i:v=b,c' would share a file of "
                          "results");
    assert_variants_error("( { algorithm = \"i\"; optional = 1; } )",
                          "'F' line 2: 'optional' is neither true nor false");
    assert_variants_error("( { algorithm = \"i\"; triangle_limit = -1; } )",
                          "'F' line 2: 'triangle_limit' is -1: it must be from 0 to 4294967295");
    assert_variants_error("( { algorithm = \"i\"; triangle_limit = 4294967296L; } )",
                          "'F' line 2: 'triangle_limit' is 4294967296: it must be from 0 to "
                          "4294967295");
    no_leak();
}

static void assert_group_error(const char *members, const char *message)
{
    char text[1500];
    snprintf(text, sizeof text, "( { algorithm = \"i\";\n%s } )", members);
    assert_variants_error(text, message);
}

Test(variants, parameters_are_checked)
{
    assert_group_error("v = [];", "'F' line 3: 'v' is empty");
    assert_group_error("v = true;", "'F' line 3: parameter 'v' is neither a number nor a text nor "
                                    "a list of them");
    assert_group_error("v = { w = 1; };", "'F' line 3: parameter 'v' is neither a number nor a "
                                          "text nor a list of them");
    assert_group_error("v = (1,\n(2));", "'F' line 4: parameter 'v' is neither a number nor a text "
                                         "nor a list of them");
    assert_group_error("v = (1, false);", "'F' line 3: parameter 'v' is neither a number nor a "
                                          "text nor a list of them");
    assert_group_error("v = \"a,b\";", "'F' line 3: 'a,b' cannot be the value of 'v'");
    assert_group_error("v = \"\";", "'F' line 3: '' cannot be the value of 'v'");
    assert_group_error("v = 1e999;", "'F' line 3: 'v' is not finite");
    assert_group_error("v = [1.5, -1e999];", "'F' line 3: 'v' is not finite");
    assert_group_error("triangle_limt = 5;", "'F' line 3: unknown key 'triangle_limt'; did you "
                                             "mean 'triangle_limit'?");
    assert_group_error("Voxels = 5;", "'F' line 3: unknown key 'Voxels'");
    assert_group_error("optionl = true;",
                       "'F' line 3: parameter 'optionl' is neither a number nor a text nor a list "
                       "of them; did you mean 'optional'?");
    assert_group_error("v = 1;\nv = 2;", "'F' line 4: duplicate setting name");
    char text[700] = "v = \"x\"; ";
    for (char key = 'a'; key <= 'n'; key++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%c = \"%.*s\"; ", key, 40,
                 "0123456789012345678901234567890123456789");
    }
    assert_group_error(text, "'F' line 2: the name of a variant of 'i' is too long");
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
    static const char two[] = "'F' line 3: 'zip' is a group of two lists or more, of one length";
    assert_group_error("zip = 1;", two);
    assert_group_error("zip = [\"a\", \"b\"];", two);
    assert_group_error("zip = { };", two);
    assert_group_error("zip = { v = [1, 2]; };", two);
    assert_group_error("zip = { v = [1, 2];\n w = [1, 2, 3]; };",
                       "'F' line 4: 'w' has 3 values, but 'v' has 2: lists in 'zip' are as long as "
                       "each other");
    assert_group_error("zip = { v = [1, 2]; w = 1; };",
                       "'F' line 3: 'w' is a whole number, not a list");
    assert_group_error("zip = { v = 1; w = [1]; };",
                       "'F' line 3: 'v' is a whole number, not a list");
    assert_group_error("zip = { v = []; w = []; };", "'F' line 3: 'v' is empty");
    assert_group_error("zip = { v = [1, 2];\n triangle_limit = [1, 2]; };",
                       "'F' line 4: 'triangle_limit' is no parameter to zip");
    assert_group_error("v = 3;\nzip = { v = [1, 2]; w = [1, 2]; };",
                       "'F' line 3: parameter 'v' occurs twice");
    assert_group_error("zip = { v = [1, 2]; w = [1, 2]; };\nv = 3;",
                       "'F' line 4: parameter 'v' occurs twice");
    assert_group_error(
        "zip = { v = [1, true]; w = [1, 2]; };",
        "'F' line 3: mismatched element type in array (write 1.0 for 1 among reals)");
    assert_group_error("zp = { v = [1, 2]; w = [1, 2]; };",
                       "'F' line 3: parameter 'zp' is neither a number nor a text nor a list of "
                       "them; did you mean 'zip'?");
    no_leak();
}

Test(variants, the_baseline_is_a_variant)
{
    scn_experiment e = read_good("name = \"x\"; variants = ( \"j\", { algorithm = \"i\"; v = 16; } "
                                 ");\nbaseline = \"i\";\n" SCENARIOS);
    cr_assert_str_eq(e.baseline, "i");
    cr_assert_eq(e.baseline_line, 2);
    scn_experiment_release(&e);
    assert_error("name = \"x\"; variants = ( \"ist:v=3\", \"brute\" );\n"
                 "baseline = \"isst:v=3\";\n" SCENARIOS,
                 "'F' line 2: the baseline 'isst:v=3' is not one of the variants; did you mean "
                 "'ist:v=3'?");
    assert_error("name = \"x\"; variants = ( \"ist:v=3\", \"brute\" );\n"
                 "baseline = \"is\";\n" SCENARIOS,
                 "'F' line 2: the baseline 'is' is not one of the variants");
    assert_error("name = \"x\";\n" VARIANTS "baseline = [\"brute\"];\n" SCENARIOS,
                 "'F' line 3: 'baseline' is a list, not a text");
    assert_error("name = \"x\";\n" VARIANTS "baseline = \"\";\n" SCENARIOS,
                 "'F' line 3: 'baseline' is empty");
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
    assert_variants_error(list, "'F' line 2: more than 10000 variants");
}
