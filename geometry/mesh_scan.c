#include "geometry/mesh_scan.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Longest part of a word that a message quotes. */
#define QUOTED_MAX 40

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/** Returns the length of a backslash and the end of line after it; 0 if there is none. */
static size_t continuation(const geo_scan *scan, const char *at)
{
    if (!scan->continuations || *at != '\\') {
        return 0;
    }
    return at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/** Moves to the next word, or to the end of the line or the file. */
static void skip_blanks(geo_scan *scan)
{
    for (;;) {
        const size_t joined = continuation(scan, scan->at);
        if (joined > 0) {
            scan->at += joined;
            scan->line++;
        } else if (is_blank(*scan->at)) {
            scan->at++;
        } else {
            break;
        }
    }
    if (scan->hash_comments && *scan->at == '#') {
        const char *const end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = !end ? scan->end : end;
    }
}

/** True at the end of the current line. */
static bool at_end(const geo_scan *scan)
{
    return scan->at == scan->end || *scan->at == '\n';
}

geo_word geo_scan_word(geo_scan *scan)
{
    skip_blanks(scan);
    const char *const from = scan->at;
    while (!at_end(scan) && !is_blank(*scan->at) && continuation(scan, scan->at) == 0 &&
           !(scan->hash_comments && *scan->at == '#')) {
        scan->at++;
    }
    return (geo_word){from, (size_t)(scan->at - from)};
}

bool geo_scan_line(geo_scan *scan)
{
    do {
        if (scan->line > 0) {
            while (geo_scan_word(scan).size > 0) {
                continue;
            }
            if (scan->at == scan->end) {
                return false;
            }
            scan->at++;
        }
        scan->line++;
        skip_blanks(scan);
    } while (at_end(scan));
    return true;
}

geo_scan geo_scan_begin(const geo_source *source, base_error *err)
{
    const bool mark = source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
    return (geo_scan){.path = source->path,
                      .at = source->bytes + (mark ? 3 : 0),
                      .end = source->bytes + source->size,
                      .err = err};
}

base_status geo_source_is_text(const geo_source *source, base_error *err)
{
    const char *const nul = memchr(source->bytes, '\0', source->size);
    if (!nul) {
        return BASE_OK;
    }
    size_t line = 1;
    for (const char *c = source->bytes; c < nul; c++) {
        line += *c == '\n';
    }
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: NUL byte, not a text file", source->path,
                     line);
}

bool geo_word_integer(geo_word word, int64_t *value)
{
    const bool sign = word.size > 0 && (word.at[0] == '-' || word.at[0] == '+');
    const size_t digits = word.size - sign;
    if (digits == 0 || digits > 18) {
        return false;
    }
    int64_t sum = 0;
    for (size_t i = sign; i < word.size; i++) {
        const char c = word.at[i];
        if (c < '0' || c > '9') {
            return false;
        }
        sum = 10 * sum + (c - '0');
    }
    *value = sign && word.at[0] == '-' ? -sum : sum;
    return true;
}

bool geo_word_number(geo_word word, double *value)
{
    /* strtod would also accept hexadecimal. It stops at the blank or NUL after the word. */
    if (word.size == 0 || memchr(word.at, 'x', word.size) || memchr(word.at, 'X', word.size)) {
        return false;
    }
    char *end;
    *value = strtod(word.at, &end);
    return end == word.at + word.size;
}

/** Fails with "'x.off' line 3: <before> 'abc'<after>"; a long word is truncated. */
static base_status fail_word(const geo_scan *scan, const char *before, geo_word word,
                             const char *after)
{
    const bool cut = word.size > QUOTED_MAX;
    return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: %s '%.*s%s'%s", scan->path,
                     scan->line, before, cut ? QUOTED_MAX : (int)word.size, word.at,
                     cut ? "..." : "", after);
}

base_status geo_scan_bad(const geo_scan *scan, const char *what, geo_word word)
{
    if (word.size == 0) {
        return base_fail(scan->err, BASE_ERR_INPUT, "'%s' line %zu: missing %s", scan->path,
                         scan->line, what);
    }
    char before[64];
    snprintf(before, sizeof before, "bad %s", what);
    return fail_word(scan, before, word, "");
}

base_status geo_scan_line_ends(geo_scan *scan, const char *what)
{
    const geo_word word = geo_scan_word(scan);
    if (word.size == 0) {
        return BASE_OK;
    }
    char after[64];
    snprintf(after, sizeof after, " after %s", what);
    return fail_word(scan, "extra text", word, after);
}

static base_status read_coordinate(geo_scan *scan, double *value)
{
    const geo_word word = geo_scan_word(scan);
    if (!geo_word_number(word, value)) {
        return geo_scan_bad(scan, "coordinate", word);
    }
    if (!geo_coordinate_valid(*value)) {
        char after[64];
        snprintf(after, sizeof after, " %s", geo_coordinate_fault(*value));
        return fail_word(scan, "coordinate", word, after);
    }
    return BASE_OK;
}

base_status geo_scan_point(geo_scan *scan, vec3 *p)
{
    double *const coordinates[3] = {&p->x, &p->y, &p->z};
    for (int k = 0; k < 3; k++) {
        const base_status status = read_coordinate(scan, coordinates[k]);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}

base_status geo_scan_count(geo_scan *scan, const char *what, size_t *value)
{
    const geo_word word = geo_scan_word(scan);
    int64_t count;
    if (!geo_word_integer(word, &count) || count < 0) {
        return geo_scan_bad(scan, what, word);
    }
    *value = (size_t)count;
    return BASE_OK;
}

base_status geo_scan_index_wrong(const geo_scan *scan, int64_t index, size_t vertices)
{
    return base_fail(scan->err, BASE_ERR_INPUT,
                     "'%s' line %zu: vertex index %lld out of range (%zu vertices)", scan->path,
                     scan->line, (long long)index, vertices);
}

/* --- Numbers in binary files ------------------------------------------------------------------ */

double geo_source_float(uint64_t raw)
{
    const uint32_t bits = (uint32_t)raw;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

double geo_source_double(uint64_t raw)
{
    double value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

/* --- Polygons --------------------------------------------------------------------------------- */

base_status geo_fan_corner(geo_fan *fan, uint32_t vertex)
{
    base_status status = BASE_OK;
    fan->corners++;
    if (fan->corners == 1) {
        fan->first = vertex;
    } else if (fan->corners > 2) {
        const geo_face face = {{fan->first, fan->previous, vertex}};
        status = geo_mesh_builder_add_face(fan->mesh, face, fan->err);
    }
    fan->previous = vertex;
    return status;
}
