#include "base/random.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(text, distances_by_hand)
{
    const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"ist", "ist", 0},
        {"ist", "its", 1}, /* swapped */
        {"ist", "is", 1},
        {"ist", "list", 1},
        {"ist", "isp", 1},
        {"kitten", "sitting", 3},
        {"ca", "abc", 3}, /* 2 if a swapped pair could be edited again */
        {"abcdef", "badcfe", 3},
        {"trunk", "trnuks", 2},
        {"distance", "volume", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t d = base_text_distance(cases[i].a, cases[i].b);
        cr_assert_eq(d, cases[i].distance, "'%s' '%s': %zu", cases[i].a, cases[i].b, d);
    }
}

/** Computes the distance by its definition, a recursion over prefixes. */
static size_t slow_distance(const char *a, size_t na, const char *b, size_t nb)
{
    if (na == 0 || nb == 0) {
        return na + nb;
    }
    size_t best = slow_distance(a, na - 1, b, nb - 1) + (a[na - 1] != b[nb - 1]);
    const size_t drop = slow_distance(a, na - 1, b, nb) + 1;
    const size_t insert = slow_distance(a, na, b, nb - 1) + 1;
    best = drop < best ? drop : best;
    best = insert < best ? insert : best;
    if (na > 1 && nb > 1 && a[na - 1] == b[nb - 2] && a[na - 2] == b[nb - 1]) {
        const size_t swap = slow_distance(a, na - 2, b, nb - 2) + 1;
        best = swap < best ? swap : best;
    }
    return best;
}

Test(text, distance_agrees_with_its_definition)
{
    base_random random = base_random_seed(1);
    for (int i = 0; i < 2000; i++) {
        char words[2][8] = {{0}};
        size_t lengths[2];
        for (int k = 0; k < 2; k++) {
            lengths[k] = (size_t)base_random_below(&random, 7);
            for (size_t j = 0; j < lengths[k]; j++) {
                words[k][j] = (char)('a' + base_random_below(&random, 3));
            }
        }
        const size_t expected = slow_distance(words[0], lengths[0], words[1], lengths[1]);
        cr_assert_eq(base_text_distance(words[0], words[1]), expected, "'%s' '%s'", words[0],
                     words[1]);
        cr_assert_eq(base_text_distance(words[1], words[0]), expected, "'%s' '%s'", words[1],
                     words[0]);
    }
}

Test(text, long_words_are_cut)
{
    char a[1000], b[1000];
    memset(a, 'a', sizeof a - 1);
    memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = '\0';
    cr_assert_eq(base_text_distance(a, b), 255);
    cr_assert_eq(base_text_distance(a, ""), 255);
    cr_assert_eq(base_text_distance("", b), 255);
}

static const char *const names[] = {"distance", "volume", "depth", "force", "gjk-a",
                                    "gjk-b",    "gjk-c",  "gjk-d", NULL};

Test(text, near_names_nearest_first)
{
    const struct {
        const char *word, *text;
    } cases[] = {
        {"distnce", "; did you mean 'distance'?"},
        {"volmue", "; did you mean 'volume'?"},
        {"dept", "; did you mean 'depth'?"},
        {"xyz", ""},
        {"", ""},
        {"gjk-", "; did you mean 'gjk-a', 'gjk-b' or 'gjk-c'?"}, /* ties: in the given order */
        {"gjk-dd", "; did you mean 'gjk-d', 'gjk-a' or 'gjk-b'?"},
        {"distances", "; did you mean 'distance'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100] = "?";
        base_text_near(cases[i].word, names, text, sizeof text);
        cr_assert_str_eq(text, cases[i].text, "'%s' gives \"%s\"", cases[i].word, text);
    }
    const char *const none[] = {NULL};
    char text[100] = "?";
    base_text_near("word", none, text, sizeof text);
    cr_assert_str_eq(text, "");
}

Test(text, two_near_names)
{
    const char *const two[] = {"cube", "tube", NULL};
    char text[100];
    base_text_near("lube", two, text, sizeof text);
    cr_assert_str_eq(text, "; did you mean 'cube' or 'tube'?");
    const char *const doubles[] = {"cube", "tube", "cube", "tube", "cube", NULL};
    base_text_near("lube", doubles, text, sizeof text);
    cr_assert_str_eq(text, "; did you mean 'cube' or 'tube'?");
}

Test(text, near_names_fit_or_are_left_out)
{
    const char *const whole[] = {"; did you mean 'gjk-d', 'gjk-a' or 'gjk-b'?",
                                 "; did you mean 'gjk-d' or 'gjk-a'?", "; did you mean 'gjk-d'?",
                                 ""};
    for (size_t size = 1; size < 60; size++) {
        char *const text = malloc(size); /* ends at a boundary that the sanitizer checks */
        base_text_near("gjk-dd", names, text, size);
        size_t fits = 0;
        while (strlen(whole[fits]) >= size) {
            fits++;
        }
        cr_assert_str_eq(text, whole[fits], "size %zu", size);
        free(text);
    }
}

Test(text, numbers)
{
    const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},
        {"-0", 0},
        {"12", 12},
        {"+1.5", 1.5},
        {"-.5e-3", -0.5e-3},
        {"5.", 5},
        {"1E3", 1000},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"1e-400", 0},
        {"0.1000000000000000055511", 0.1},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = 99;
        cr_assert(base_text_number(good[i].text, &value), "'%s'", good[i].text);
        cr_assert_eq(value, good[i].value, "'%s' gives %.17g", good[i].text, value);
    }
    double zero = 99;
    cr_assert(base_text_number("-0", &zero) && signbit(zero));

    const char *const bad[] = {"",      " 1",       "1 ",    "\t1",  "one", "1,5",
                               "1.5.2", "--1",      "1e",    "nan",  "NaN", "inf",
                               "-inf",  "infinity", "1e999", "0x10", "1f",  "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 99;
        cr_assert_not(base_text_number(bad[i], &value), "'%s'", bad[i]);
        cr_assert_eq(value, 99, "'%s' touched the value", bad[i]);
    }
}

Test(text, characters_of_utf8)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"", 0},
        {"a\xc2\xb5", 1},
        {"\x7f", 1},
        {"\x80", 0},
        {"\xc1\xbf", 0}, /* longer than necessary */
        {"\xc2\xb5", 2},
        {"\xc2", 0}, /* truncated */
        {"\xc2x", 0},
        {"\xe0\x9f\xbf", 0}, /* longer than necessary */
        {"\xe0\xa0\x80", 3},
        {"\xe2\x82", 0},
        {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0}, /* half of a UTF-16 pair */
        {"\xee\x80\x80", 3},
        {"\xf0\x8f\xbf\xbf", 0}, /* longer than necessary */
        {"\xf0\x90\x80\x80", 4},
        {"\xf0\x9f\x98x", 0},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0}, /* beyond U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(base_text_utf8(cases[i].text), cases[i].length, "case %zu", i);
    }
}

Test(text, choices_by_hand)
{
    static const char *const modes[] = {"smoke", "ci", "bench", "paper", NULL};
    static const char *const wanted[] = {"smoke, ci, bench or paper", "ci, bench or paper",
                                         "bench or paper", "paper", ""};
    char text[64];
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        base_text_choices(modes + i, text, sizeof text);
        cr_assert_str_eq(text, wanted[i]);
    }
    /* If the buffer is too short, the text is truncated, and nothing is written after it. */
    for (size_t size = 1; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        base_text_choices(modes, text, size);
        cr_assert_eq(strlen(text), size <= strlen(wanted[0]) ? size - 1 : strlen(wanted[0]));
        cr_assert_eq(strncmp(text, wanted[0], strlen(text)), 0, "%s", text);
        cr_assert_eq(text[size], '#');
    }
}

Test(text, seventeen_digits_come_back)
{
    base_random random = base_random_seed(2);
    int finite = 0;
    for (int i = 0; i < 100000; i++) {
        const uint64_t bits = base_random_u64(&random);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        char text[40];
        snprintf(text, sizeof text, "%.17g", value);
        const bool read = base_text_number(text, &back);
        cr_assert_eq(read, isfinite(value), "%s", text);
        finite += read;
        cr_assert(!read || memcmp(&back, &value, sizeof value) == 0, "%s", text);
    }
    cr_assert(finite > 90000 && finite < 100000, "%d", finite);
}
