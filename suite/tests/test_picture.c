#include "base/memory.h"
#include "suite/results/picture.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const bench_origin origin = {"a < b", "one, (two) \\", "it\x01 \xc2\xb5", "here & now"};

static bench_picture copy(const char *bytes, size_t size)
{
    bench_picture picture = {0};
    base_error err;
    cr_assert_eq(base_reserve(picture.bytes, picture.capacity, size + 1, &err), BASE_OK);
    memcpy(picture.bytes, bytes, size);
    picture.size = size;
    return picture;
}

static bool has(const bench_picture *picture, const void *bytes, size_t size)
{
    return memmem(picture->bytes, picture->size, bytes, size) != NULL;
}

#define HAS(picture, text) has(picture, text, sizeof(text) - 1)

Test(picture, png_gets_text_chunks_behind_its_header)
{
    /* A picture of one dot; the CRCs of the chunks were taken from zlib. */
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU"
                              "\0\0\0\0IEND\xae\x42\x60\x82";
    bench_picture p = copy(png, sizeof png - 1);
    base_error err;
    cr_assert_eq(bench_picture_sign(&p, BENCH_PICTURE_PNG, &origin, 84, &err), BASE_OK);
    cr_assert_arr_eq(p.bytes, png, 33);
    cr_expect(HAS(&p, "\0\0\0\x0btEXtTitle\0a < b\xe3\x15\x77\xb1"));
    cr_expect(HAS(&p, "tEXtDescription\0one, (two) \\"));
    cr_expect(HAS(&p, "tEXtSoftware\0it? ??"));
    cr_expect(HAS(&p, "tEXtSource\0here & now"));
    cr_assert_arr_eq(p.bytes + p.size - 12, png + sizeof png - 1 - 12, 12);
    base_free(p.bytes);
}

Test(picture, svg_has_title_and_description_and_a_width)
{
    static const char svg[] = "<svg viewBox=\"0 0 238 119\">\n<title>Gnuplot</title>\n"
                              "<desc>Produced by GNUPLOT</desc>\n</svg>\n";
    bench_picture p = copy(svg, sizeof svg - 1);
    base_error err;
    cr_assert_eq(bench_picture_sign(&p, BENCH_PICTURE_SVG, &origin, 84, &err), BASE_OK);
    cr_assert_str_eq(p.bytes, "<svg width=\"84mm\" height=\"42.00mm\" viewBox=\"0 0 238 119\">\n"
                              "<title>a &lt; b</title>\n<desc>one, (two) \\\nit? ??\n"
                              "here &amp; now</desc>\n</svg>\n");
    base_free(p.bytes);
}

/** The number behind the last such word. */
static unsigned long last_number(const bench_picture *p, const char *word)
{
    unsigned long number = 0;
    const size_t length = strlen(word);
    for (size_t i = 0; i + length < p->size; i++) {
        if (memcmp(p->bytes + i, word, length) == 0) {
            sscanf(p->bytes + i + length, "%lu", &number);
        }
    }
    return number;
}

Test(picture, pdf_is_updated_behind_a_table_and_behind_a_stream)
{
    static const char table[] = "%PDF-1.5\n1 0 obj\n<< >>\nendobj\nxref\n0 2\n...\ntrailer\n"
                                "<< /Size 2 /Root 1 0 R >>\nstartxref\n30\n%%EOF\n";
    static const char stream[] =
        "%PDF-1.7\n1 0 obj\n<< >>\nendobj\n2 0 obj\n<< /Type /XRef /Size 3 "
        "/Root 1 0 R >>\nstream\n\0\1\nendstream\nendobj\nstartxref\n30\n"
        "%%EOF\n";
    const struct {
        const char *bytes;
        size_t size;
        const char *object, *end;
    } rows[] = {
        {table,  sizeof table - 1,  "2 0 obj\n<< /Title (a < b)\n", "xref\n2 1\n"            },
        {stream, sizeof stream - 1, "3 0 obj\n<< /Title (a < b)\n", "4 0 obj\n<< /Type /XRef"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_picture p = copy(rows[i].bytes, rows[i].size);
        base_error err;
        cr_assert_eq(bench_picture_sign(&p, BENCH_PICTURE_PDF, &origin, 0, &err), BASE_OK);
        cr_assert_arr_eq(p.bytes, rows[i].bytes, rows[i].size); /* an update changes nothing */
        cr_expect_eq(strncmp(p.bytes + rows[i].size, rows[i].object, strlen(rows[i].object)), 0);
        const unsigned long at = last_number(&p, "startxref");
        cr_assert_lt(at, p.size);
        cr_expect_eq(strncmp(p.bytes + at, rows[i].end, strlen(rows[i].end)), 0, "%.40s",
                     p.bytes + at);
        cr_expect_eq(last_number(&p, "/Prev "), 30);
        /* A table that is a stream is an object itself. */
        cr_expect_eq(last_number(&p, "/Size "), i == 0 ? 3 : 5);
        cr_expect(HAS(&p, "/Subject (one, \\(two\\) \\\\)\n"));
        base_free(p.bytes);
    }
}

Test(picture, what_is_no_picture_is_refused)
{
    static const char *const files[] = {"", "<svg>", "%PDF-1.5\nstartxref\n99999\n%%EOF\n",
                                        "%PDF-1.5\nxref\nstartxref\n9\n"};
    for (int format = 0; format < BENCH_PICTURE_FORMATS; format++) {
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            bench_picture p = copy(files[i], strlen(files[i]));
            base_error err;
            cr_expect_eq(bench_picture_sign(&p, (bench_picture_format)format, &origin, 84, &err),
                         BASE_ERR_INPUT, "%s: '%s'", bench_picture_format_names[format], files[i]);
            base_free(p.bytes);
        }
    }
}
