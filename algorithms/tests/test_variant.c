#include "algorithms/algorithms.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(variant, .timeout = 30);
TestSuite(registry, .timeout = 30);

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
        {"ist",                                          "ist"                               },
        {"ist:voxels=64",                                "ist:voxels=64"                     },
        {"ist:voxels=64.0",                              "ist:voxels=64"                     },
        {"ist:voxels=6.4e1",                             "ist:voxels=64"                     },
        {"ist:voxels=2000",                              "ist:voxels=2000"                   },
        {"ist:voxels=64,radius=primary",                 "ist:radius=primary,voxels=64"      },
        {"ist:radius=secondary",                         "ist"                               },
        {"ist:spheres=-0",                               "ist"                               },
        {"ist:min-radius=0.1",                           "ist:min-radius=0.1"                },
        {"ist:min-radius=0.10000000000000001",           "ist:min-radius=0.1"                },
        {"ist:min-radius=0.30000000000000004",           "ist:min-radius=0.30000000000000004"},
        {"ist:min-radius=0.33333333333333331,spheres=5",
         "ist:min-radius=0.3333333333333333,spheres=5"                                       },
        {"null",                                         "null"                              },
        {"brute",                                        "brute"                             },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const alg_variant variant = parse(cases[i][0]);
        cr_assert_str_eq(variant.name, cases[i][1], "'%s' became '%s'", cases[i][0], variant.name);
        cr_assert_eq(variant.settings.seed, 7);
        const alg_variant again = parse(variant.name);
        cr_assert_str_eq(again.name, variant.name);
        cr_assert_eq(
            memcmp(again.settings.values, variant.settings.values, sizeof again.settings.values), 0,
            "'%s' reads back with other values", variant.name);
    }
}

Test(variant, defaults_left_out_are_set)
{
    const alg_variant variant = parse("ist:voxels=77");
    const alg *const a = variant.algorithm;
    for (size_t i = 0; i < a->parameter_count; i++) {
        const char *const name = a->parameters[i].name;
        const double expected = strcmp(name, "voxels") == 0 ? 77 : a->parameters[i].fallback;
        cr_assert_eq(alg_setting(a, &variant.settings, name), expected, "%s", name);
    }
}

Test(variant, slips_are_explained)
{
    static const char *const cases[][2] = {
        {"",                        "name"                                        },
        {":voxels=64",              "name"                                        },
        {"its",                     "unknown algorithm 'its'; did you mean 'ist'?"},
        {"IST",                     "unknown algorithm 'IST'"                     },
        {"ist:",                    "not key=value"                               },
        {"ist:voxels",              "'voxels' is not key=value"                   },
        {"ist:voxels=",             "'voxels=' is not key=value"                  },
        {"ist:=64",                 "'=64' is not key=value"                      },
        {"ist:voxels=64,",          "not key=value"                               },
        {"ist:,voxels=64",          "not key=value"                               },
        {"ist:voxel=64",            "did you mean 'voxels'?"                      },
        {"ist:zzz=64",              "packing, radius, spheres, start"             },
        {"ist:voxels=64,voxels=64", "given twice"                                 },
        {"ist:voxels=1",            "a whole number from 2 to "                   },
        {"ist:voxels=1e9",          "a whole number from 2 to "                   },
        {"ist:voxels=64.5",         "a whole number"                              },
        {"ist:voxels=many",         "'many', must be a whole number"              },
        {"ist:voxels=nan",          "'nan', must be a whole number"               },
        {"ist:voxels=0x40",         "a whole number"                              },
        {"ist:voxels= 64",          "a whole number"                              },
        {"ist:min-radius=-1",       "a number from 0 to "                         },
        {"ist:min-radius=inf",      "a number from 0 to "                         },
        {"ist:radius=prim",         "'prim', must be one of primary|secondary"    },
        {"ist:radius=primary|",     "must be one of"                              },
        {"ist:radius=1",            "must be one of"                              },
        {"null:voxels=64",          "'null' has none"                             },
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
    const alg_variant variant = parse("null");
    const alg *const a = variant.algorithm;
    const alg_mesh mesh = {.size = sizeof mesh};
    void *fixed, *moving, *state;
    alg_build_info info;
    alg_message message;
    cr_assert_eq(a->prepare(&variant.settings, &mesh, ALG_FIXED, &fixed, &info, &message), ALG_OK);
    cr_assert_eq(a->prepare(&variant.settings, &mesh, ALG_MOVING, &moving, &info, &message),
                 ALG_OK);
    cr_assert_eq(a->bind(&variant.settings, fixed, moving, ALG_WANT_VOLUME, &state, &message),
                 ALG_OK);
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
