#include "base/arena.h"
#include "suite/results/looks.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(looks, .timeout = 20);

enum { VARIANTS_MAX = 40 };

static bench_looks make(const char *const *variants, size_t count, base_arena *arena)
{
    bench_looks looks;
    base_error err = {0};
    cr_assert_eq(bench_looks_make(variants, count, arena, &looks, &err), BASE_OK, "%s", err.text);
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
    /* In turn: variants with blanks between, labels with '|' between, what is shared. */
    static const char *const rows[] = {
        /* One family: its name is in the caption; of a single key its default, too. */
        "ist:voxels=96 ist:branching=2,voxels=96",
        "branching=4|branching=2",
        "ist: voxels=96",
        "ist ist:voxels=64",
        "voxels=128|voxels=64",
        "ist",
        "ist:packing=cover,start=last ist:packing=cover",
        "start=last|start=cold",
        "ist: packing=cover",
        /* Several keys: a default is said where most say theirs. */
        "ist:voxels=64 ist:voxels=32 ist ist:radius=primary,voxels=64",
        "voxels=64|voxels=32|voxels=128|voxels=64 radius=primary",
        "ist",
        "ist ist:voxels=32 ist:radius=primary",
        "default|voxels=32|radius=primary",
        "ist",
        /* Several families: what one of them alone has is in the caption. */
        "brute ist:packing=cover,voxels=64 ist:packing=cover,voxels=32 fcl:bv=rss",
        "brute|ist voxels=64|ist voxels=32|fcl",
        "ist: packing=cover; fcl: bv=rss",
        /* Nobody here knows the defaults of a plug-in. */
        "mine mine:every=4",
        "default|every=4",
        "mine",
        /* One alone. */
        "ist:voxels=64",
        "ist",
        "ist: voxels=64",
        "ist",
        "ist",
        "",
        /* Marks are pairs as well. */
        "ist:voxels=64@old ist:voxels=64@new",
        "@old|@new",
        "ist: voxels=64",
        /* Would be alike, as no run writes a default: told in full. */
        "ist:voxels=128 ist ist:voxels=64",
        "ist:voxels=128|ist|voxels=64",
        "ist",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += 3) {
        base_arena arena = {0};
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
        base_arena_release(&arena);
    }
}

Test(looks, a_family_has_a_colour_and_members_have_dashes)
{
    static const char *const variants[] = {"brute", "ist:voxels=1", "fcl", "ist:voxels=2",
                                           "ist:voxels=3"};
    static const struct {
        const char *colour;
        unsigned dash, marker;
    } wanted[] = {
        {"#0072B2", 1, 7 },
        {"#D55E00", 1, 5 },
        {"#009E73", 1, 9 },
        {"#753300", 2, 11},
        {"#E69F66", 3, 13},
    };
    base_arena arena = {0};
    const bench_looks looks = make(variants, 5, &arena);
    for (size_t i = 0; i < 5; i++) {
        cr_expect_str_eq(looks.items[i].colour, wanted[i].colour, "%zu: %s", i,
                         looks.items[i].colour);
        cr_expect_eq(looks.items[i].dash, wanted[i].dash, "%zu: %u", i, looks.items[i].dash);
        cr_expect_eq(looks.items[i].marker, wanted[i].marker, "%zu: %u", i, looks.items[i].marker);
    }
    base_arena_release(&arena);
}

/** One family of 40, 40 families, and 10 of 4: nobody looks like somebody else. */
Test(looks, nobody_looks_like_another)
{
    enum { FORMS = 3 };
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
        base_arena arena = {0};
        const bench_looks looks = make(variants, VARIANTS_MAX, &arena);
        for (size_t i = 0; i < VARIANTS_MAX; i++) {
            const bench_look *const a = &looks.items[i];
            cr_expect(a->dash >= 1 && a->dash <= BENCH_DASHES);
            cr_expect(a->marker >= 1 && a->marker <= BENCH_MARKERS);
            for (size_t j = 0; j < i; j++) {
                const bench_look *const b = &looks.items[j];
                cr_expect(strcmp(a->colour, b->colour) != 0 || a->dash != b->dash ||
                              a->marker != b->marker,
                          "form %d: %zu looks like %zu", form, i, j);
                /* Of one family eight colours in three shades. */
                cr_expect(form != 0 || i >= 24 || strcmp(a->colour, b->colour) != 0,
                          "%zu has the colour of %zu", i, j);
                cr_expect(i >= BENCH_MARKERS || a->marker != b->marker,
                          "form %d: %zu has the marker of %zu", form, i, j);
                cr_expect_str_neq(a->label, b->label);
            }
        }
        base_arena_release(&arena);
    }
}
