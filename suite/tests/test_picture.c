#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/figures/figures.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bench_picture picture_of(const char *bytes)
{
    bench_picture picture = {0};
    assert_ok(base_reserve(picture.bytes, picture.capacity, strlen(bytes) + 1, ERR));
    strcpy(picture.bytes, bytes);
    picture.size = strlen(bytes);
    return picture;
}

Test(picture, an_svg_gets_a_width_and_keeps_its_shape)
{
    bench_picture p = picture_of("<svg viewBox=\"0 0 238 119\">\n</svg>\n");
    assert_ok(bench_picture_set_width(&p, 84, ERR));
    static const char wanted[] =
        "<svg width=\"84mm\" height=\"42.00mm\" viewBox=\"0 0 238 119\">\n</svg>\n";
    cr_assert_eq(p.size, strlen(wanted));
    cr_assert_arr_eq(p.bytes, wanted, p.size);
    base_free(p.bytes);
}

Test(picture, bytes_that_are_no_svg_get_no_width)
{
    static const char *const bytes[] = {"", "<svg>", "<svg viewBox=\"0 0 ",
                                        "<svg viewBox=\"0 0 x y", "<svg viewBox=\"0 0 0 7\">"};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        bench_picture p = picture_of(bytes[i]);
        base_error err;
        cr_expect_eq(bench_picture_set_width(&p, 84, &err), BASE_ERR_INPUT, "'%s'", bytes[i]);
        cr_expect_str_eq(p.bytes, bytes[i]);
        base_free(p.bytes);
    }
}

/* --- The index -------------------------------------------------------------------------------- */

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/proxbench-picture-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    base_folder_remove(folder);
}

TestSuite(picture_index, .init = make_folder, .fini = remove_folder);

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(base_file_replace(path, text, strlen(text), ERR));
}

static bench_index open_index(const char *damage_expected)
{
    bench_index index = {0};
    base_error damage, err;
    cr_assert_eq(bench_index_open(folder, &index, &damage, &err), BASE_OK, "%s", err.text);
    cr_assert_not_null(strstr(damage.text, damage_expected), "%s", damage.text);
    cr_assert_eq(*damage.text == '\0', *damage_expected == '\0', "%s", damage.text);
    return index;
}

/**
 * Adds a picture and its file. `variants` is its field of this name; all other fields are equal.
 */
static void put(bench_index *index, const char *name, const char *variants)
{
    bench_index_row row = {.picture = name};
    for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
        row.fields[c] = "same";
    }
    row.fields[BENCH_INDEX_VARIANTS] = variants;
    row.fields[BENCH_INDEX_CPU] = NULL;
    write_file(name, "picture");
    assert_ok(bench_index_put(index, &row, ERR));
}

static void write_index(bench_index *index)
{
    assert_ok(bench_index_write(index, ERR));
    bench_index_close(index);
}

static void expect_index(const char *rows)
{
    char path[128], wanted[1024], *bytes;
    size_t size;
    snprintf(path, sizeof path, "%s/index.csv", folder);
    snprintf(wanted, sizeof wanted,
             "picture,scenario,quantity,figure,variants,experiment,mode,start_utc,version,commit,"
             "cpu,cpus_online\n%s",
             rows);
    assert_ok(base_file_read(path, &bytes, &size, ERR));
    cr_expect_str_eq(bytes, wanted);
    base_free(bytes);
}

#define ROW(name, variants) name ",same,same,same," variants ",same,same,same,same,same,,same\n"

Test(picture_index, rows_are_sorted_and_texts_quoted)
{
    bench_index index = open_index("");
    put(&index, "b.svg", "ist, vps \"two\"");
    put(&index, "a.png", "pst");
    write_index(&index);
    expect_index(ROW("a.png", "pst") ROW("b.svg", "\"ist, vps \"\"two\"\"\""));
}

Test(picture_index, a_later_run_replaces_its_own_pictures_and_keeps_the_others)
{
    bench_index index = open_index("");
    put(&index, "a.png", "pst");
    put(&index, "b.png", "pst");
    put(&index, "c.png", "pst");
    write_index(&index);
    index = open_index("");
    put(&index, "b.png", "ist");
    put(&index, "b.png", "lpd");
    bench_index_remove(&index, "c.png");
    bench_index_remove(&index, "never-there.png");
    write_index(&index);
    expect_index(ROW("a.png", "pst") ROW("b.png", "lpd"));
}

Test(picture_index, a_picture_that_is_gone_loses_its_row)
{
    bench_index index = open_index("");
    put(&index, "a.png", "pst");
    put(&index, "b.png", "pst");
    write_index(&index);
    char path[128];
    snprintf(path, sizeof path, "%s/a.png", folder);
    cr_assert_eq(unlink(path), 0);
    index = open_index("");
    write_index(&index);
    expect_index(ROW("b.png", "pst"));
}

Test(picture_index, a_damaged_index_begins_anew_and_is_told)
{
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"", "index.csv"},
        {"name,mode\na.png,ci\n", "no column 'picture'"},
        {"picture,mode\na.png\n", "line 2: 1 fields"},
        {"picture,mode\n\"a.png", "index.csv"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file("index.csv", rows[i].text);
        bench_index index = open_index(rows[i].reason);
        put(&index, "a.png", "pst");
        write_index(&index);
        expect_index(ROW("a.png", "pst"));
    }
}

/**
 * A row with a path could name a file of another folder, so it is dropped. A missing column gives
 * empty fields.
 */
Test(picture_index, rows_of_other_folders_are_dropped_and_missing_columns_are_empty)
{
    write_file("a.png", "picture");
    write_file("index.csv", "picture,mode\n../../etc/passwd,ci\n,ci\na.png,ci\n");
    bench_index index = open_index("");
    write_index(&index);
    expect_index("a.png,,,,,,ci,,,,,\n");
}
