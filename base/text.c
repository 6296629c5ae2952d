#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX 255
#define NEAR_MAX   3

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t base_text_distance(const char *a, const char *b)
{
    const size_t na = strnlen(a, LENGTH_MAX), nb = strnlen(b, LENGTH_MAX);
    /* Row i of the table has the distances from the first i characters of `a` to all prefixes of
     * `b`. Three rows are kept, because a swap refers two rows back. */
    size_t rows[3][LENGTH_MAX + 1];
    for (size_t j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        const size_t *const before = rows[(i + 1) % 3], *const above = rows[(i - 1) % 3];
        size_t *const row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replace, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[na % 3][nb];
}

/**
 * Writes "; did you mean 'x', 'y' or 'z'?" to text; if it does not fit, returns false with an empty
 * text.
 */
static bool list_names(const char *const *names, size_t count, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *const before = i == 0 ? "; did you mean " : i + 1 < count ? ", " : " or ";
        const int n = snprintf(text + used, size - used, "%s'%s'%s", before, names[i],
                               i + 1 < count ? "" : "?");
        if (n < 0 || (size_t)n >= size - used) {
            text[0] = '\0';
            return false;
        }
        used += (size_t)n;
    }
    return true;
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
    bool among = false;
    for (size_t i = 0; i < count; i++) {
        among |= strcmp(name, names[i]) == 0;
    }
    return among;
}

void base_text_near(const char *word, const char *const *names, char *text, size_t size)
{
    const size_t third = strlen(word) / 3, limit = third < 1 ? 1 : third;
    const char *found[NEAR_MAX];
    size_t distances[NEAR_MAX], count = 0;
    for (size_t i = 0; names[i]; i++) {
        if (is_among(names[i], found, count)) {
            continue;
        }
        const size_t d = base_text_distance(word, names[i]);
        size_t at = count; /* names of equal distance keep their order */
        while (at > 0 && d < distances[at - 1]) {
            at--;
        }
        if (d > limit || at == NEAR_MAX) {
            continue;
        }
        count += count < NEAR_MAX;
        for (size_t j = count - 1; j > at; j--) {
            found[j] = found[j - 1];
            distances[j] = distances[j - 1];
        }
        found[at] = names[i];
        distances[at] = d;
    }
    text[0] = '\0';
    while (count > 0 && !list_names(found, count, text, size)) {
        count--;
    }
}

void base_text_choices(const char *const *names, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0, used = 0; names[i] && used < size; i++) {
        const char *const gap = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", gap, names[i]);
    }
}

size_t base_text_utf8(const char *text)
{
    /* For each range of the first byte: the length of the character and the range of the second
     * byte. The ranges exclude forms that are longer than necessary, halves of UTF-16 pairs, and
     * characters beyond U+10FFFF. */
    static const struct {
        unsigned char first, last, second_first, second_last;
        size_t length;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *const bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80) {
        return bytes[0] ? 1 : 0;
    }
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (bytes[0] < forms[f].first || bytes[0] > forms[f].last) {
            continue;
        }
        bool good = bytes[1] >= forms[f].second_first && bytes[1] <= forms[f].second_last;
        for (size_t i = 2; good && i < forms[f].length; i++) {
            good = (bytes[i] & 0xc0) == 0x80;
        }
        return good ? forms[f].length : 0;
    }
    return 0;
}

bool base_text_number(const char *text, double *value)
{
    /* strtod would also accept leading blanks and hexadecimal. */
    if (isspace((unsigned char)text[0]) || strpbrk(text, "xX")) {
        return false;
    }
    char *end;
    const double parsed = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
}
