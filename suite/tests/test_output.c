#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/output.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Copies the output of bench_rows_print. */
static void print_rows(bench_rows *rows, bench_format format, char *text, size_t size)
{
    FILE *const file = tmpfile();
    cr_assert_not_null(file);
    assert_ok(bench_rows_print(rows, format, file, ERR));
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

Test(output, rows_as_table_and_csv)
{
    static const char *const cells[] = {"name", "count", "note", "a, b", "7", "x",
                                        "c",    "12",    "",     "µ",    "",  "y"};
    SCOPED_ROWS rows = {.columns = 3};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        bench_rows_put(&rows, "%s", cells[i]);
    }
    char text[512];
    print_rows(&rows, BENCH_FORMAT_TABLE, text, sizeof text);
    cr_assert_str_eq(text,
                     "name  count  note\n"
                     "a, b      7  x\n"
                     "c        12  \n"
                     "µ            y\n",
                     "%s", text);
    print_rows(&rows, BENCH_FORMAT_CSV, text, sizeof text);
    cr_assert_str_eq(text, "name,count,note\n\"a, b\",7,x\nc,12,\nµ,,y\n", "%s", text);
}

/** Words are not broken, so that names can be copied: the last table is wider than requested. */
Test(output, a_narrow_table_has_rows_of_several_lines)
{
    static const char *const cells[] = {
        "name", "n", "what", "long-name", "7", "one two three four", "another name", "12", ""};
    SCOPED_ROWS rows = {.columns = 3};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        bench_rows_put(&rows, "%s", cells[i]);
    }
    static const struct {
        size_t width;
        const char *text;
    } cases[] = {
        {34, "name           n  what\n"
             "long-name      7  one two three\n"
             "                  four\n"
             "another name  12  \n"},
        {20, "name        n  what\n"
             "long-name   7  one\n"
             "               two\n"
             "               three\n"
             "               four\n"
             "another    12  \n"
             "name           \n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        rows.width = cases[i].width;
        print_rows(&rows, BENCH_FORMAT_TABLE, text, sizeof text);
        cr_assert_str_eq(text, cases[i].text, "%zu:\n%s", cases[i].width, text);
    }
}

/** Each character has the same width, independent of its number of bytes. */
Test(output, widths_are_of_characters)
{
    static const char *const cells[] = {"a", "b", "\u2026\u2026 \u2026\u2026", "x", "12345", "y"};
    SCOPED_ROWS rows = {.columns = 2};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        bench_rows_put(&rows, "%s", cells[i]);
    }
    char text[512];
    rows.width = 8;
    print_rows(&rows, BENCH_FORMAT_TABLE, text, sizeof text);
    cr_assert_str_eq(text, "a      b\n\u2026\u2026 \u2026\u2026  x\n12345  y\n", "%s", text);
}

Test(output, rows_as_markdown_are_plain_text)
{
    static const char *const cells[] = {"name", "count", "a|b\n<i>[x](y)`", "7"};
    SCOPED_ROWS rows = {.columns = 2};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        bench_rows_put(&rows, "%s", cells[i]);
    }
    char text[512];
    print_rows(&rows, BENCH_FORMAT_MARKDOWN, text, sizeof text);
    cr_assert_str_eq(text, "| name | count |\n|:--|--:|\n| a\\|b &lt;i>\\[x](y)\\` | 7 |\n", "%s",
                     text);
}

/** Prints one text as JSON, byte by byte as in the file. */
static void print_one(const char *value, char *text, size_t size)
{
    SCOPED_ROWS rows = {.columns = 1};
    bench_rows_put(&rows, "x");
    bench_rows_put(&rows, "%s", value);
    print_rows(&rows, BENCH_FORMAT_JSON, text, size);
}

Test(output, rows_as_json)
{
    SCOPED_ROWS rows = {.columns = 4};
    static const char *const header[] = {"name", "number", "count", "a \"b\""};
    for (size_t i = 0; i < 4; i++) {
        bench_rows_put(&rows, "%s", header[i]);
    }
    bench_rows_put(&rows, "7"); /* a text that looks like a number stays a text */
    bench_rows_put_number(&rows, 0.1);
    bench_rows_put_count(&rows, UINT64_MAX);
    bench_rows_put(&rows, "%s", "");
    bench_rows_put(&rows, "%s", "\xc2\xb5");
    bench_rows_put_number(&rows, NAN);
    bench_rows_put_digits(&rows, "9007199254740993"); /* 2^53 + 1 */
    bench_rows_put_number(&rows, -INFINITY);
    char text[512];
    print_rows(&rows, BENCH_FORMAT_JSON, text, sizeof text);
    cr_assert_str_eq(text,
                     "[\n"
                     "  {\"name\": \"7\", \"number\": 0.10000000000000001, "
                     "\"count\": 18446744073709551615, \"a \\\"b\\\"\": null},\n"
                     "  {\"name\": \"\xc2\xb5\", \"number\": null, "
                     "\"count\": 9007199254740993, \"a \\\"b\\\"\": null}\n"
                     "]\n",
                     "%s", text);
    rows.count = rows.columns;
    print_rows(&rows, BENCH_FORMAT_JSON, text, sizeof text);
    cr_assert_str_eq(text, "[\n]\n", "no rows: %s", text);
}

Test(output, one_column_as_json)
{
    SCOPED_ROWS rows = {.columns = 1};
    bench_rows_put(&rows, "n");
    bench_rows_put_count(&rows, 1);
    bench_rows_put_count(&rows, 2);
    char text[128];
    print_rows(&rows, BENCH_FORMAT_JSON, text, sizeof text);
    cr_assert_str_eq(text, "[\n  {\"n\": 1},\n  {\"n\": 2}\n]\n", "%s", text);
}

Test(output, no_text_breaks_json)
{
    static const struct {
        const char *value, *json;
    } cases[] = {
        {"\" \\ / \t\n\x01\x1f\x7f", "\\\" \\\\ / \\u0009\\u000a\\u0001\\u001f\x7f"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
        {"a\xff"
         "b\xc3",
         "a\\ufffdb\\ufffd"},                      /* an invalid first byte; a first byte without
                                                      its second */
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"}, /* half of a UTF-16 surrogate pair */
        {"\xc0\xaf", "\\ufffd\\ufffd"},            /* '/' in an overlong encoding */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], expected[256];
        print_one(cases[i].value, text, sizeof text);
        snprintf(expected, sizeof expected, "[\n  {\"x\": \"%s\"}\n]\n", cases[i].json);
        cr_assert_str_eq(text, expected, "case %zu: %s", i, text);
    }
}

Test(output, texts_of_any_length)
{
    static char value[20001], text[21000];
    memset(value, 'a', sizeof value - 1);
    print_one(value, text, sizeof text);
    cr_assert_eq(strlen(text), sizeof value - 1 + strlen("[\n  {\"x\": \"\"}\n]\n"));
}

Test(output, formats_by_name)
{
    base_error err;
    bench_format format;
    assert_ok(bench_format_parse("json", &format, ERR));
    cr_assert_eq(format, BENCH_FORMAT_JSON);
    cr_assert(bench_format_is_for_scripts(format));
    assert_ok(bench_format_parse("markdown", &format, ERR));
    cr_assert_not(bench_format_is_for_scripts(format));
    cr_assert_eq(bench_format_parse("jsno", &format, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "unknown format 'jsno': it is table, csv, markdown or json; did you "
                               "mean 'json'?");
}

Test(output, rows_out_of_memory)
{
    SCOPED_ROWS rows = {.columns = 1};
    base_error err;
    bench_rows_put(&rows, "a");
    base_memory_fail_after(0);
    for (int i = 0; i < 200; i++) { /* more than one block of an arena */
        bench_rows_put(&rows, "%1000d", i);
    }
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(bench_rows_print(&rows, BENCH_FORMAT_CSV, stdout, &err), BASE_ERR_MEMORY);
}

/* --- Files ------------------------------------------------------------------------------------ */

/** Makes a new folder, and the path of a file in a subfolder that does not exist yet. */
static void make_path(char *folder, size_t size, char *path, size_t path_size)
{
    snprintf(folder, size, "/tmp/proxbench-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, path_size, "%s/deeper/still/rows.csv", folder);
}

/** Counts the files in the folder of `path`. */
static size_t count_files(const char *path)
{
    char pattern[256];
    snprintf(pattern, sizeof pattern, "%.*s/*", (int)(strrchr(path, '/') - path), path);
    glob_t found = {0};
    glob(pattern, 0, NULL, &found);
    const size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static void write_text(const char *path, const char *text, bool good)
{
    bench_output output;
    base_error err;
    assert_ok(bench_output_open(path, &output, ERR));
    fputs(text, output.file);
    cr_assert_eq(access(path, F_OK) == 0, count_files(path) == 2,
                 "an old file stays until the new one is complete");
    const base_status written = good ? BASE_OK : BASE_ERR_MEMORY;
    cr_assert_eq(bench_output_close(&output, written, &err), written);
}

static void read_text(const char *path, char *text, size_t size)
{
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

Test(output, a_file_appears_when_it_is_complete)
{
    char folder[64], path[128], text[64];
    make_path(folder, sizeof folder, path, sizeof path);
    write_text(path, "thrown away", false);
    cr_assert_eq(count_files(path), 0u);
    write_text(path, "first", true);
    write_text(path, "thrown away", false);
    read_text(path, text, sizeof text);
    cr_assert_str_eq(text, "first");
    write_text(path, "second", true);
    read_text(path, text, sizeof text);
    cr_assert_str_eq(text, "second");
    cr_assert_eq(count_files(path), 1u);
    while (strlen(path) > strlen(folder)) { /* the file, and the folders above it */
        cr_assert_eq(remove(path), 0, "%s", path);
        *strrchr(path, '/') = '\0';
    }
    cr_assert_eq(remove(folder), 0);
}

Test(output, errors_name_the_file)
{
    bench_output output;
    base_error err;
    cr_assert_eq(bench_output_open("/dev/null/x.csv", &output, &err), BASE_ERR_SYSTEM);
    cr_assert(strstr(err.text, "/dev/null"), "%s", err.text);
    assert_ok(bench_output_open("/dev/full", &output, ERR));
    fputs("text", output.file);
    cr_assert_eq(bench_output_close(&output, BASE_OK, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot write '/dev/full': No space left on device");
}
