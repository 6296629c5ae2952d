#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/figures/looks.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { VARIANTS_MAX = 40 };

static bench_looks make(const char *const *variants, size_t count, base_arena *arena)
{
    bench_looks looks;
    assert_ok(bench_looks_make(variants, count, arena, &looks, ERR));
    return looks;
}

static size_t split(char *text, const char *between, const char **words)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, between, &rest); word; word = strtok_r(NULL, between, &rest)) {
        words[count++] = word;
    }
    return count;
}

Test(looks, labels_say_what_differs_and_the_caption_what_is_shared)
{
    /* Each case: variants separated by blanks, labels separated by '|', the caption. */
    static const char *const rows[] = {
        /* One family: its name is in the caption. If only one key differs, its default is shown,
         * too. */
        "ist:voxels=96 ist:branching=2,voxels=96",
        "branching=4|branching=2",
        "ist: voxels=96",
        "ist ist:voxels=64",
        "voxels=128|voxels=64",
        "ist",
        "ist:packing=cover,start=last ist:packing=cover",
        "start=last|start=cold",
        "ist: packing=cover",
        /* Several keys: a default is shown if most variants have this key in their names. */
        "ist:voxels=64 ist:voxels=32 ist ist:radius=primary,voxels=64",
        "voxels=64|voxels=32|voxels=128|voxels=64 radius=primary",
        "ist",
        "ist ist:voxels=32 ist:radius=primary",
        "ist|voxels=32|radius=primary",
        "ist",
        /* Several families: pairs common to one family are in the caption. */
        "brute ist:packing=cover,voxels=64 ist:packing=cover,voxels=32 fcl:bv=rss",
        "brute|ist voxels=64|ist voxels=32|fcl",
        "ist: packing=cover; fcl: bv=rss",
        /* The defaults of a plug-in are not in the registry. */
        "mine mine:every=4",
        "mine|every=4",
        "mine",
        /* A single variant. */
        "ist:voxels=64",
        "ist",
        "ist: voxels=64",
        "ist",
        "ist",
        "",
        /* Marks are treated like pairs. */
        "ist:voxels=64@old ist:voxels=64@new",
        "@old|@new",
        "ist: voxels=64",
        /* Equal labels get the full names. No run has them, because names omit defaults. */
        "ist:voxels=128 ist ist:voxels=64",
        "ist:voxels=128|ist|voxels=64",
        "ist",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += 3) {
        SCOPED_ARENA arena = {0};
        const char *variants[VARIANTS_MAX];
        const size_t count = split(base_arena_text(&arena, rows[i]), " ", variants);
        const bench_looks looks = make(variants, count, &arena);
        char labels[512] = "";
        for (size_t v = 0; v < count; v++) {
            strcat(labels, v > 0 ? "|" : "");
            strcat(labels, looks.items[v].label);
        }
        cr_expect_str_eq(labels, rows[i + 1], "row %zu: '%s'", i, labels);
        cr_expect_str_eq(looks.shared, rows[i + 2], "row %zu: '%s'", i, looks.shared);
    }
}

/** Returns the look of `variant` among `names`, which are separated by blanks. */
static bench_look look_among(const char *names, const char *variant, base_arena *arena)
{
    const char *variants[VARIANTS_MAX];
    const size_t count = split(base_arena_text(arena, names), " ", variants);
    const bench_looks looks = make(variants, count, arena);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(variants[i], variant) == 0) {
            return looks.items[i];
        }
    }
    cr_assert_fail("'%s' is not in '%s'", variant, names);
    return (bench_look){0};
}

Test(looks, a_family_has_one_hue_and_one_shape_in_every_figure)
{
    static const struct {
        const char *variant, *colour;
        unsigned marker;
    } rows[] = {
        {"exact-volume", "#000000", 13},
        {"brute", "#000000", 13},
        {"ist", "#0072B2", 7},
        {"ist-triangles", "#0072B2", 7},
        {"vps:depth=field", "#D55E00", 5},
        {"pst-exact", "#009E73", 9},
        {"imp", "#CC79A7", 2},
        {"lpd-refine", "#E69F00", 11},
        {"bounds-budget:budget=500", "#56B4E9", 15},
        {"fcl:bv=rss", "#7F7F7F", 1},
        {"floor", "#C8C8C8", 1},
    };
    SCOPED_ARENA arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const others[] = {"", "plug-in other:a=1", "nut other:a=1 mine:a=2"};
        for (size_t f = 0; f < sizeof others / sizeof *others; f++) {
            char names[256];
            snprintf(names, sizeof names, "%s %s", others[f], rows[i].variant);
            const bench_look look = look_among(names, rows[i].variant, &arena);
            cr_expect_str_eq(look.colour, rows[i].colour, "'%s': %s", names, look.colour);
            cr_expect_eq(look.marker, rows[i].marker, "'%s': %u", names, look.marker);
        }
        /* No other family has the same colour and shape. */
        for (size_t j = 2; j < i; j++) {
            cr_expect(strcmp(rows[i].colour, rows[j].colour) != 0 ||
                          rows[i].marker != rows[j].marker || (i == 3 && j == 2),
                      "'%s' looks like '%s'", rows[i].variant, rows[j].variant);
        }
    }
}

Test(looks, the_order_of_families_changes_nothing)
{
    static const char *const orders[] = {
        "ist vps pst pst-exact imp lpd exact-volume fcl mine other:a=2",
        "other:a=2 mine fcl exact-volume lpd imp pst pst-exact vps ist"};
    SCOPED_ARENA arena = {0};
    const char *variants[VARIANTS_MAX];
    const size_t count = split(base_arena_text(&arena, orders[0]), " ", variants);
    for (size_t i = 0; i < count; i++) {
        const bench_look a = look_among(orders[0], variants[i], &arena);
        const bench_look b = look_among(orders[1], variants[i], &arena);
        cr_expect_str_eq(a.colour, b.colour, "%s: %s, %s", variants[i], a.colour, b.colour);
        cr_expect_eq(a.marker, b.marker, "%s: %u, %u", variants[i], a.marker, b.marker);
    }
}

/** Returns the lightness from 0 to 255, as in a grey print. */
static double grey(const char *colour)
{
    unsigned rgb;
    cr_assert_eq(sscanf(colour, "#%x", &rgb), 1);
    return 0.299 * (rgb >> 16) + 0.587 * (rgb >> 8 & 0xFF) + 0.114 * (rgb & 0xFF);
}

Test(looks, six_members_of_a_family_differ_in_grey)
{
    static const char *const families[] = {"ist", "vps", "pst", "imp", "lpd", "exact", "plug-in"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        SCOPED_ARENA arena = {0};
        char names[6][32];
        const char *variants[6];
        for (size_t i = 0; i < 6; i++) {
            snprintf(names[i], sizeof names[i], "%s:a=%zu", families[f], i);
            variants[i] = names[i];
        }
        const bench_looks looks = make(variants, 6, &arena);
        for (size_t i = 0; i < 6; i++) {
            for (size_t j = 0; j < i; j++) {
                const bench_look *const a = &looks.items[i], *const b = &looks.items[j];
                const double difference = grey(a->colour) - grey(b->colour);
                cr_expect(a->marker != b->marker || difference > 25 || difference < -25,
                          "%s: %zu looks like %zu in grey", families[f], i, j);
                /* The shape is that of the family, filled or empty. */
                cr_expect_eq(a->marker / 2, b->marker / 2);
            }
        }
    }
}

/** One family of 40, 21 unknown families, and 10 families of 4. */
Test(looks, no_two_variants_look_alike)
{
    enum { FORMS = 3 };
    static const size_t counts[FORMS] = {VARIANTS_MAX, 21, VARIANTS_MAX};
    for (int form = 0; form < FORMS; form++) {
        char names[VARIANTS_MAX][32];
        const char *variants[VARIANTS_MAX];
        for (size_t i = 0; i < VARIANTS_MAX; i++) {
            switch (form) {
            case 0:
                snprintf(names[i], sizeof names[i], "ist:voxels=%zu", i + 1);
                break;
            case 1:
                snprintf(names[i], sizeof names[i], "family%zu", i);
                break;
            default:
                snprintf(names[i], sizeof names[i], "ist%zu:a=%zu", i / 4, i % 4);
                break;
            }
            variants[i] = names[i];
        }
        SCOPED_ARENA arena = {0};
        const bench_looks looks = make(variants, counts[form], &arena);
        for (size_t i = 0; i < counts[form]; i++) {
            const bench_look *const a = &looks.items[i];
            cr_expect(a->dash >= 1 && a->dash <= BENCH_DASHES);
            cr_expect(a->marker >= 1 && a->marker <= BENCH_MARKERS);
            for (size_t j = 0; j < i; j++) {
                const bench_look *const b = &looks.items[j];
                cr_expect(strcmp(a->colour, b->colour) != 0 || a->dash != b->dash ||
                              a->marker != b->marker,
                          "form %d: %zu looks like %zu", form, i, j);
                /* Points have no dash: 36 members of a family differ without it. */
                cr_expect(i >= 36 || strcmp(a->colour, b->colour) != 0 || a->marker != b->marker,
                          "form %d: points of %zu look like those of %zu", form, i, j);
                cr_expect_str_neq(a->label, b->label);
            }
        }
    }
}

Test(looks, a_caption_has_each_algorithm_once)
{
    static const char *const variants[] = {"ist:packing=cover,voxels=64", "fcl:bv=rss",
                                           "ist:packing=cover,voxels=32"};
    SCOPED_ARENA arena = {0};
    const bench_looks looks = make(variants, 3, &arena);
    const bench_look shown[] = {looks.items[2], looks.items[0]};
    const char *caption;
    assert_ok(bench_looks_caption(shown, 2, &arena, &caption, ERR));
    cr_expect_str_eq(caption, "ist: packing=cover");
    assert_ok(bench_looks_caption(shown, 0, &arena, &caption, ERR));
    cr_expect_str_eq(caption, "");
}
