#include "suite/results/picture.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_picture_format_names[BENCH_PICTURE_FORMATS] = {"png", "svg", "pdf"};

enum { TEXT_BYTES = 8192, ORIGIN_TEXTS = 4, SVG_TEXT_BYTES = 6 * TEXT_BYTES };

/** The same text under the names that the formats have for it. */
static const struct {
    size_t offset; /* in bench_origin */
    const char *png, *pdf;
} texts[ORIGIN_TEXTS] = {
    {offsetof(bench_origin, title),    "Title",       "Title"   },
    {offsetof(bench_origin, about),    "Description", "Subject" },
    {offsetof(bench_origin, software), "Software",    "Creator" },
    {offsetof(bench_origin, run),      "Source",      "Keywords"},
};

static const char *text_of(const bench_origin *origin, int i)
{
    const char *text;
    memcpy(&text, (const char *)origin + texts[i].offset, sizeof text);
    return text;
}

/** Puts bytes into the picture, `removed` of it leaving there. */
static base_status splice(bench_picture *p, size_t at, size_t removed, const char *bytes,
                          size_t size, base_error *err)
{
    const base_status status = base_reserve(p->bytes, p->capacity, p->size + size + 1, err);
    if (status == BASE_OK) {
        memmove(p->bytes + at + size, p->bytes + at + removed, p->size - at - removed);
        memcpy(p->bytes + at, bytes, size);
        p->size += size;
        p->size -= removed;
        p->bytes[p->size] = '\0';
    }
    return status;
}

/** One ASCII character a byte; what has a meaning of its own becomes what `escape` says of it. */
static void put_text(const char *text, const char *(*escape)(char), char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 8 < size; text++) {
        const char c = *text >= ' ' && *text <= '~' ? *text : '?';
        const char *const escaped = escape ? escape(c) : NULL;
        used += (size_t)snprintf(out + used, size - used, escaped ? "%s" : "%.1s",
                                 escaped ? escaped : &c);
    }
    out[used] = '\0';
}

/* --- PNG -------------------------------------------------------------------------------------- */

/* Chunks: length, type, data, and the CRC of type and data; numbers with the highest byte first. */

enum { PNG_HEADER_BYTES = 33, CHUNK_BYTES = 12 }; /* signature and IHDR; a chunk without its data */

static const char png_signature[] = "\x89PNG\r\n\x1A\n";

static uint32_t png_crc(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
    }
    return ~crc;
}

static void put_number(unsigned char bytes[4], uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
    }
}

static base_status sign_png(bench_picture *p, const bench_origin *origin, base_error *err)
{
    if (p->size < PNG_HEADER_BYTES || memcmp(p->bytes, png_signature, 8) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no PNG");
    }
    size_t at = PNG_HEADER_BYTES;
    for (int i = 0; i < ORIGIN_TEXTS; i++) {
        unsigned char chunk[CHUNK_BYTES + 32 + TEXT_BYTES];
        char *const data = (char *)chunk + 8;
        const size_t key = (size_t)sprintf(data, "%s", texts[i].png) + 1; /* a NUL ends it */
        put_text(text_of(origin, i), NULL, data + key, TEXT_BYTES);
        const size_t length = key + strlen(data + key);
        put_number(chunk, (uint32_t)length);
        memcpy(chunk + 4, "tEXt", 4);
        put_number(chunk + 8 + length, png_crc(chunk + 4, length + 4));
        const base_status status = splice(p, at, 0, (const char *)chunk, length + CHUNK_BYTES, err);
        if (status != BASE_OK) {
            return status;
        }
        at += length + CHUNK_BYTES;
    }
    return BASE_OK;
}

/* --- SVG -------------------------------------------------------------------------------------- */

static const char *escape_xml(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    default:
        return NULL;
    }
}

/** Puts the text in the place of what stands between the tags. */
static base_status replace_element(bench_picture *p, const char *begin, const char *end,
                                   const char *text, base_error *err)
{
    char *const from = strstr(p->bytes, begin), *const to = from ? strstr(from, end) : NULL;
    if (!to) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no SVG with %s", begin);
    }
    const char *const first = from + strlen(begin);
    return splice(p, (size_t)(first - p->bytes), (size_t)(to - first), text, strlen(text), err);
}

/** viewBox="0 0 W H", in points, gets width and height in mm before it. */
static base_status size_svg(bench_picture *p, double width_mm, base_error *err)
{
    static const char view[] = "viewBox=\"0 0 ";
    char *const at = strstr(p->bytes, view);
    double width, height;
    if (!at || sscanf(at + strlen(view), "%lf %lf", &width, &height) != 2 || !(width > 0)) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no SVG with a viewBox");
    }
    char text[128];
    const int length = snprintf(text, sizeof text, "width=\"%gmm\" height=\"%.2fmm\" ", width_mm,
                                width_mm * height / width);
    return splice(p, (size_t)(at - p->bytes), 0, text, (size_t)length, err);
}

static base_status sign_svg(bench_picture *p, const bench_origin *origin, double width_mm,
                            base_error *err)
{
    char text[ORIGIN_TEXTS * SVG_TEXT_BYTES] = "";
    put_text(origin->title, escape_xml, text, SVG_TEXT_BYTES);
    base_status status = replace_element(p, "<title>", "</title>", text, err);
    text[0] = '\0';
    for (int i = 1; i < ORIGIN_TEXTS; i++) {
        const size_t used = strlen(text);
        put_text(text_of(origin, i), escape_xml, text + used, SVG_TEXT_BYTES - 1);
        strcat(text, i + 1 < ORIGIN_TEXTS ? "\n" : "");
    }
    if (status == BASE_OK) {
        status = replace_element(p, "<desc>", "</desc>", text, err);
    }
    return status == BASE_OK && width_mm > 0 ? size_svg(p, width_mm, err) : status;
}

/* --- PDF -------------------------------------------------------------------------------------- */

/*
 * A PDF ends with a table of its objects, "startxref" and the place of the table; a dictionary
 * beside the table names the root and how many objects there are. An update appends objects, a table of
 * them, and such an end again, which names the table before it (PDF 32000-1, 7.5.6). Where the old
 * table is a stream, the new one has to be, too (7.5.8).
 */

static const char *escape_pdf(char c)
{
    switch (c) {
    case '(':
        return "\\(";
    case ')':
        return "\\)";
    case '\\':
        return "\\\\";
    default:
        return NULL;
    }
}

typedef struct pdf_end {
    size_t table;              /* where it is */
    unsigned long count, root; /* objects; the number of the root */
    bool is_stream;
} pdf_end;

static char *find_last(const bench_picture *p, const char *word)
{
    char *found = NULL;
    const size_t length = strlen(word);
    for (size_t i = p->size >= length ? p->size - length + 1 : 0; i > 0 && !found; i--) {
        found = memcmp(p->bytes + i - 1, word, length) == 0 ? p->bytes + i - 1 : NULL;
    }
    return found;
}

/** A number behind a word that stands in the last part of the file. */
static bool find_number(const char *from, const char *word, unsigned long *number)
{
    const char *const at = strstr(from, word);
    return at && sscanf(at + strlen(word), "%lu", number) == 1;
}

static bool read_end(const bench_picture *p, pdf_end *end)
{
    unsigned long table;
    const char *const last = find_last(p, "startxref");
    if (p->size < 8 || memcmp(p->bytes, "%PDF-1.", 7) != 0 || !last ||
        !find_number(last, "startxref", &table) || table >= p->size) {
        return false;
    }
    end->table = table;
    end->is_stream = strncmp(p->bytes + table, "xref", 4) != 0;
    const char *const dictionary = end->is_stream ? p->bytes + table : find_last(p, "trailer");
    return dictionary && find_number(dictionary, "/Size", &end->count) &&
           find_number(dictionary, "/Root", &end->root);
}

/** Appends the table of the one object at `at`, number `count`, and the end. */
static base_status append_end(bench_picture *p, const pdf_end *end, size_t at, base_error *err)
{
    char text[512];
    const size_t table = p->size;
    int length;
    if (end->is_stream) { /* two entries of 1 + 4 bytes: the object, and the table itself */
        length =
            snprintf(text, sizeof text,
                     "%lu 0 obj\n<< /Type /XRef /Size %lu /Index [%lu 2] /W [1 4 0]\n"
                     "/Root %lu 0 R /Info %lu 0 R /Prev %zu /Length 10 >>\nstream\n",
                     end->count + 1, end->count + 2, end->count, end->root, end->count, end->table);
        unsigned char entries[10] = {1, 0, 0, 0, 0, 1};
        put_number(entries + 1, (uint32_t)at);
        put_number(entries + 6, (uint32_t)table);
        memcpy(text + length, entries, sizeof entries);
        length += (int)sizeof entries;
        length += snprintf(text + length, sizeof text - (size_t)length, "\nendstream\nendobj\n");
    } else {
        length = snprintf(text, sizeof text,
                          "xref\n%lu 1\n%010zu 00000 n \ntrailer\n<< /Size %lu /Root %lu 0 R "
                          "/Info %lu 0 R /Prev %zu >>\n",
                          end->count, at, end->count + 1, end->root, end->count, end->table);
    }
    length +=
        snprintf(text + length, sizeof text - (size_t)length, "startxref\n%zu\n%%%%EOF\n", table);
    return splice(p, p->size, 0, text, (size_t)length, err);
}

static base_status sign_pdf(bench_picture *p, const bench_origin *origin, base_error *err)
{
    pdf_end end;
    if (!read_end(p, &end)) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no PDF that can be read");
    }
    const size_t at = p->size;
    char object[ORIGIN_TEXTS * (2 * TEXT_BYTES + 32)];
    size_t used = (size_t)sprintf(object, "%lu 0 obj\n<<", end.count);
    for (int i = 0; i < ORIGIN_TEXTS; i++) {
        used += (size_t)sprintf(object + used, " /%s (", texts[i].pdf);
        put_text(text_of(origin, i), escape_pdf, object + used, 2 * TEXT_BYTES);
        used += strlen(object + used);
        used += (size_t)sprintf(object + used, ")\n");
    }
    used += (size_t)sprintf(object + used, ">>\nendobj\n");
    const base_status status = splice(p, p->size, 0, object, used, err);
    return status == BASE_OK ? append_end(p, &end, at, err) : status;
}

base_status bench_picture_sign(bench_picture *picture, bench_picture_format format,
                               const bench_origin *origin, double width_mm, base_error *err)
{
    /* A NUL behind the bytes, so that they can be searched. */
    const base_status status = splice(picture, picture->size, 0, "", 0, err);
    if (status != BASE_OK) {
        return status;
    }
    switch (format) {
    case BENCH_PICTURE_PNG:
        return sign_png(picture, origin, err);
    case BENCH_PICTURE_SVG:
        return sign_svg(picture, origin, width_mm, err);
    default:
        return sign_pdf(picture, origin, err);
    }
}
