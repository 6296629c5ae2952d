#include "base/csv.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

/** Checks for leaks, which Criterion does not detect by itself. */
static void no_leak(void)
{
#ifdef __SANITIZE_ADDRESS__
    cr_assert_eq(__lsan_do_recoverable_leak_check(), 0, "memory leaked");
#endif
}

/** Name of a new temporary file; its creator unlinks it. */
typedef struct scratch {
    char path[64];
} scratch;

static scratch scratch_open(FILE **file)
{
    scratch s = {"/tmp/proxbench-csv-XXXXXX"};
    const int handle = mkstemp(s.path);
    cr_assert(handle >= 0);
    *file = fdopen(handle, "wb");
    cr_assert_not_null(*file);
    return s;
}

/** Reads `size` bytes as a CSV file. The path in err->text and table->path is that of the file. */
static base_status read_bytes(const char *bytes, size_t size, const base_csv_format *format,
                              base_csv *table, base_error *err)
{
    FILE *file;
    const scratch s = scratch_open(&file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    const base_status status = base_csv_read(s.path, format, table, err);
    unlink(s.path);
    return status;
}

static base_csv read_good(const char *text, const base_csv_format *format)
{
    base_csv table;
    base_error err = {0};
    cr_assert_eq(read_bytes(text, strlen(text), format, &table, &err), BASE_OK, "%s: %s", text,
                 err.text);
    return table;
}

static void assert_text(const char *text, const char *expected, const char *what)
{
    cr_assert_eq(!text, !expected, "%s", what);
    cr_assert(!text || strcmp(text, expected) == 0, "%s: '%s', not '%s'", what, text, expected);
}

/** Checks the table against text such as "a|b/1|2/"; '-' is an empty cell. */
static void assert_table(const char *bytes, const base_csv_format *format, const char *expected)
{
    SCOPED_CSV table = read_good(bytes, format);
    char text[1000] = "";
    for (size_t i = 0; i < (table.rows + 1) * table.columns; i++) {
        const char *const cell = table.cells[i];
        strcat(strcat(text, !cell ? "-" : cell), (i + 1) % table.columns == 0 ? "/" : "|");
    }
    cr_assert_str_eq(text, expected, "%s gives %s, not %s", bytes, text, expected);
}

/* --- Reading ---------------------------------------------------------------------------------- */

Test(csv, tables_by_hand)
{
    assert_table("a,b\n1,2\n3,4\n", NULL, "a|b/1|2/3|4/");
    assert_table("a,b\r\n1,2\r\n", NULL, "a|b/1|2/");
    assert_table("a,b\n1,2", NULL, "a|b/1|2/");
    assert_table("a,b\n1,", NULL, "a|b/1|-/");
    assert_table("a,b\n", NULL, "a|b/");
    assert_table("a", NULL, "a/");
    assert_table("\xef\xbb\xbf"
                 "a,b\n1,2\n",
                 NULL, "a|b/1|2/");
    assert_table("a,b\n,\n,2\n\"\",\"\"\n", NULL, "a|b/-|-/-|2/-|-/");
    assert_table("a\n\"\"\n1\n", NULL, "a/-/1/");
    assert_table("\n  \na,b\n\n\t\n1,2\n\n", NULL, "a|b/1|2/");
    assert_table(" a , b c \n 1\t,\" 2 \"\n", NULL, "a|b c/1| 2 /");
    assert_table("a,\"b \"\"q\"\", c\"\n1,\"x\ny\"\n", NULL, "a|b \"q\", c/1|x\ny/");
    assert_table("a\n\"x\r\ny\rz\"\n", NULL, "a/x\r\ny\rz/");
    assert_table("#a,b\n#1,2\n", NULL, "#a|b/#1|2/");
    assert_table("m\xc3\xa9tre,\xff\n1,2\n", NULL, "m\xc3\xa9tre|\xff/1|2/");
    no_leak();
}

Test(csv, foreign_formats)
{
    const base_csv_format blanks = {.delimiter = ' ', .headerless = true, .hash_comments = true};
    assert_table("# time x\n1.5  2\n\n 3\t \t4 \r\n#\n  5 6", &blanks, "c0|c1/1.5|2/3|4/5|6/");
    assert_table("1 2 3   ", &blanks, "c0|c1|c2/1|2|3/");
    assert_table("\"a  b\"  \"c\td\"\n\"x\n  y\"  2\n", &blanks, "c0|c1/a  b|c\td/x\n  y|2/");
    const base_csv_format named = {.delimiter = ' '};
    assert_table("  t   x\n#1 2\n", &named, "t|x/#1|2/");
    const base_csv_format comments = {.hash_comments = true};
    assert_table("#t,x\n#\na,b\n1,\"2\n#3\"\n", &comments, "a|b/1|2\n#3/");
    assert_table("0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n", &blanks,
                 "c0|c1|c2|c3|c4|c5|c6|c7|c8|c9/0|1|2|3|4|5|6|7|8|9/");
    const base_csv_format tabs = {.delimiter = '\t'};
    assert_table("a\tb c\n1\t\n\t\n", &tabs, "a|b c/1|-/-|-/");
    const base_csv_format semicolons = {.delimiter = ';', .headerless = true};
    assert_table("1,5;2\n", &semicolons, "c0|c1/1,5|2/");
    no_leak();
}

static void assert_lines(const char *bytes, const base_csv_format *format, size_t records,
                         const size_t *expected)
{
    SCOPED_CSV table = read_good(bytes, format);
    cr_assert_eq(table.rows + 1, records, "%s", bytes);
    for (size_t i = 0; i < records; i++) {
        cr_assert_eq(table.lines[i], expected[i], "%s: record %zu on line %zu, not %zu", bytes, i,
                     table.lines[i], expected[i]);
    }
}

Test(csv, line_numbers_are_those_of_the_file)
{
    assert_lines("a,b\n1,2\n3,4", NULL, 3, (size_t[]){1, 2, 3});
    assert_lines("\n\na,b\r\n\r\n1,2\r\n", NULL, 2, (size_t[]){3, 5});
    assert_lines("a,b\n1,\"x\n\ny\"\n3,4\n\"\n\",\"\n\"\n5,6\n", NULL, 5,
                 (size_t[]){1, 2, 5, 6, 9});
    const base_csv_format foreign = {.delimiter = ' ', .headerless = true, .hash_comments = true};
    assert_lines("# x\n\n1 2\n# y\n  \n3 4\n", &foreign, 3, (size_t[]){0, 3, 6});
}

Test(csv, bad_files_are_refused_with_their_line)
{
    const struct {
        const char *bytes;
        size_t size; /* 0: up to the NUL */
        const char *message;
    } cases[] = {
        {"", 0, ": no records"},
        {"\n \n\r\n", 0, ": no records"},
        {"\xef\xbb\xbf", 0, ": no records"},
        {"a,b\n1\n", 0, " line 2: 1 fields, but 2 in the header"},
        {"a,b\n1,2\n\n1,2,3\n", 0, " line 4: 3 fields, but 2 in the header"},
        {"a,b\n1,2\n3", 0, " line 3: 1 fields, but 2 in the header"},
        {"a,b\n\"x\ny\"\n", 0, " line 2: 1 fields, but 2 in the header"},
        {"a,b\n1,2\"\n", 0, " line 2: stray quote"},
        {"a,b\n1,\"2\"x\n", 0, " line 2: stray quote"},
        {"a,b\n1,x\"y\"\n", 0, " line 2: stray quote"},
        {"a,b\n1,\"2\n3,4\n5,\"6\"\n", 0,
         " line 4: stray quote, or the quote of line 2 is not closed"},
        {"a,b\n1,\"2\n3,4\n", 0, " line 2: quote is not closed"},
        {"a,b\n1,\"2", 0, " line 2: quote is not closed"},
        {"a,b\n1,2\n3,\0004\n", 12, " line 3: NUL byte, not a text file"},
        {"a,b\r1,2\r", 0, " line 1: carriage return in a record"},
        {"a\rb", 0, " line 1: carriage return in a record"},
        {"a,b\n1,2\r3,4\n", 0, " line 2: carriage return in a record"},
        {"a,b,a\n1,2,3\n", 0, " line 1: two columns are named 'a'"},
        {"\na,,c\n1,2,3\n", 0, " line 2: column 2 has no name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t size = cases[i].size > 0 ? cases[i].size : strlen(cases[i].bytes);
        base_csv table;
        memset(&table, 0xee, sizeof table);
        base_error err = {0};
        const base_status status = read_bytes(cases[i].bytes, size, NULL, &table, &err);
        cr_assert_eq(status, BASE_ERR_INPUT, "%s", cases[i].bytes);
        cr_assert_eq(err.status, BASE_ERR_INPUT);
        const char *const after = strchr(err.text + 1, '\'');
        cr_assert(err.text[0] == '\'' && after, "the path stands first: %s", err.text);
        cr_assert_str_eq(after + 1, cases[i].message, "%s: %s", cases[i].bytes, err.text);
        const base_csv empty = {0};
        cr_assert_eq(memcmp(&table, &empty, sizeof table), 0, "%s", cases[i].bytes);
    }
    no_leak();
}

Test(csv, headerless_records_must_be_even_too)
{
    const base_csv_format format = {.delimiter = ' ', .headerless = true};
    base_csv table;
    base_error err = {0};
    cr_assert_eq(read_bytes("1 2\n3\n", 6, &format, &table, &err), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "line 2: 1 fields, but 2 in the first record"), "%s",
                       err.text);
}

Test(csv, files_that_cannot_be_read)
{
    base_csv table;
    base_error err = {0};
    cr_assert_eq(base_csv_read("/nowhere/x.csv", NULL, &table, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot open '/nowhere/x.csv': No such file or directory");
    cr_assert_eq(base_csv_read("/tmp", NULL, &table, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot read '/tmp': Is a directory");
    cr_assert_eq(base_csv_read("/nowhere/x.csv", NULL, &table, NULL), BASE_ERR_SYSTEM);
    no_leak();
}

Test(csv, too_many_columns)
{
    for (size_t columns = BASE_CSV_COLUMNS_MAX; columns <= BASE_CSV_COLUMNS_MAX + 1; columns++) {
        static char text[8 * (BASE_CSV_COLUMNS_MAX + 1)];
        size_t size = 0;
        for (size_t i = 0; i < columns; i++) {
            size += (size_t)sprintf(text + size, "%sc%zu", i == 0 ? "" : ",", i);
        }
        SCOPED_CSV table;
        const base_status status = read_bytes(text, size, NULL, &table, NULL);
        cr_assert_eq(status, columns <= BASE_CSV_COLUMNS_MAX ? BASE_OK : BASE_ERR_INPUT);
    }
}

/* libcsv grows its buffer in fixed steps, which would take minutes here. */
Test(csv, a_long_field_is_read_quickly)
{
    const size_t length = 30000000;
    char *const text = malloc(length);
    cr_assert_not_null(text);
    memset(text, 'x', length);
    memcpy(text, "a\n\"", 3);
    memcpy(text + length - 2, "\"\n", 2);
    SCOPED_CSV table;
    cr_assert_eq(read_bytes(text, length, NULL, &table, NULL), BASE_OK);
    cr_assert_eq(table.rows, 1);
    cr_assert_eq(strlen(base_csv_text(&table, 0, 0)), length - 5);
    free(text);
}

/* --- Access ----------------------------------------------------------------------------------- */

Test(csv, columns_by_name)
{
    base_csv table = read_good("frame,x_m,X_m\n0,1.5,\n1,-2e-3,nan\n2, 7 ,1x\n", NULL);
    cr_assert_eq(base_csv_find(&table, "x_m"), 1);
    cr_assert_eq(base_csv_find(&table, "X_m"), 2);
    cr_assert_eq(base_csv_find(&table, "y_m"), -1);
    int x = 99;
    base_error err = {0};
    assert_ok(base_csv_column(&table, "x_m", &x, ERR));
    cr_assert_eq(x, 1);
    cr_assert_eq(base_csv_column(&table, "time_ns", &x, &err), BASE_ERR_INPUT);
    char expected[200];
    snprintf(expected, sizeof expected, "'%s': there is no column 'time_ns'", table.path);
    cr_assert_str_eq(err.text, expected);
    assert_text(base_csv_text(&table, 1, 1), "-2e-3", "row 1");
    assert_text(base_csv_text(&table, 0, 2), NULL, "row 0");

    double value = 99;
    assert_ok(base_csv_number(&table, 1, 1, &value, ERR));
    cr_assert_eq(value, -2e-3);
    assert_ok(base_csv_number(&table, 2, 1, &value, ERR));
    cr_assert_eq(value, 7);
    const char *const messages[] = {"line 2: column 'X_m' is empty",
                                    "line 3: column 'X_m': 'nan' is not a finite number",
                                    "line 4: column 'X_m': '1x' is not a finite number"};
    for (size_t row = 0; row < 3; row++) {
        cr_assert_eq(base_csv_number(&table, row, 2, &value, &err), BASE_ERR_INPUT);
        snprintf(expected, sizeof expected, "'%s' %s", table.path, messages[row]);
        cr_assert_str_eq(err.text, expected);
        cr_assert_eq(value, 7, "the value is untouched");
    }
    base_csv_release(&table);
    base_csv_release(&table); /* an empty table */
    no_leak();
}

/* --- Robustness ------------------------------------------------------------------------------- */

/* Any bytes are read or rejected; the sanitizers detect errors on the way. */
Test(csv, random_bytes_are_read_or_refused)
{
    const char alphabet[] = "aa11,, \t\"\"\n\n\r#;\xef\xbb\xbf";
    const base_csv_format formats[] = {
        {0},
        {.delimiter = ' ', .headerless = true, .hash_comments = true},
        {.delimiter = '\t', .headerless = true},
        {.hash_comments = true}};
    int good = 0, bad = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        base_random random = base_random_seed(seed);
        char bytes[64];
        const size_t size = (size_t)base_random_below(&random, 12 + seed % 40);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = alphabet[base_random_below(&random, sizeof alphabet)]; /* includes NUL */
        }
        SCOPED_CSV table;
        base_error err = {0};
        const base_status status = read_bytes(bytes, size, &formats[seed % 4], &table, &err);
        cr_assert(status == BASE_OK || status == BASE_ERR_INPUT, "seed %lu", (unsigned long)seed);
        cr_assert_eq(status == BASE_OK, err.text[0] == '\0', "seed %lu", (unsigned long)seed);
        for (size_t i = 0; status == BASE_OK && i < (table.rows + 1) * table.columns; i++) {
            cr_assert(!table.cells[i] || strlen(table.cells[i]) <= size + 24, "seed %lu",
                      (unsigned long)seed);
        }
        good += status == BASE_OK;
        bad += status != BASE_OK;
    }
    cr_assert(good > 400 && bad > 400, "%d read, %d refused", good, bad);
    no_leak();
}

Test(csv, out_of_memory_anywhere_is_reported)
{
    FILE *file;
    const scratch s = scratch_open(&file);
    for (int i = 1; i < 3000; i++) { /* the buffers of file, arena and parser grow more than once */
        fprintf(file, "%d \"a field in quotes\"  %d\n", i, -i);
    }
    fprintf(file, "1 2 ");
    for (int i = 0; i < 20000; i++) {
        fputc('x', file);
    }
    fclose(file);
    const base_csv_format formats[] = {{.delimiter = ' ', .headerless = true}, {.delimiter = ' '}};
    for (int f = 0; f < 2; f++) {
        size_t n = 0;
        base_status status;
        do {
            base_csv table;
            base_error err = {0};
            base_memory_fail_after(n);
            status = base_csv_read(s.path, &formats[f], &table, &err);
            base_memory_fail_after(SIZE_MAX);
            if (status != BASE_OK) {
                const base_csv empty = {0};
                cr_assert_eq(status, BASE_ERR_MEMORY, "%zu allocations: %s", n, err.text);
                cr_assert_not_null(strstr(err.text, "out of memory"), "%s", err.text);
                cr_assert_eq(memcmp(&table, &empty, sizeof table), 0);
            }
            base_csv_release(&table);
            no_leak();
            n++;
        } while (status != BASE_OK && n < 100);
        cr_assert_eq(status, BASE_OK);
        cr_assert(n > 8, "only %zu allocations", n);
    }
    unlink(s.path);
}

/* --- Recorded trajectories -------------------------------------------------------------------- */

static void assert_all_numbers(const char *path, const base_csv_format *format, size_t rows,
                               size_t columns, size_t first_line)
{
    SCOPED_CSV table;
    assert_ok(base_csv_read(path, format, &table, ERR));
    cr_assert_eq(table.rows, rows, "%s: %zu rows", path, table.rows);
    cr_assert_eq(table.columns, columns, "%s: %zu columns", path, table.columns);
    cr_assert_eq(table.lines[1], first_line, "%s: line %zu", path, table.lines[1]);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            double value;
            assert_ok(base_csv_number(&table, r, (int)c, &value, ERR));
        }
    }
}

Test(csv, recorded_trajectories)
{
    if (access("../shared/trajectories", R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    const base_csv_format blanks = {.delimiter = ' ', .headerless = true, .hash_comments = true};
    const base_csv_format commas = {.headerless = true, .hash_comments = true};
    assert_all_numbers("../shared/trajectories/tum-freiburg1-xyz.txt", &blanks, 3000, 8, 4);
    assert_all_numbers("../shared/trajectories/kitti-00.txt", &blanks, 500, 12, 1);
    assert_all_numbers("../shared/trajectories/euroc-v102.csv", &commas, 3000, 17, 2);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void assert_file(FILE *file, const char *expected)
{
    char text[1000] = "";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_assert_str_eq(text, expected, "%s", text);
    fclose(file);
}

Test(csv, records_by_hand)
{
    FILE *const file = tmpfile();
    base_csv_writer writer = {.file = file};
    const char *const texts[] = {"a", "b c", "d,e", "f\"g", "h\ni", "j\r", " k", "l\t", "", NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        base_csv_put_text(&writer, texts[i]);
    }
    base_csv_end(&writer);
    base_csv_put_number(&writer, 0.1);
    base_csv_put_number(&writer, -0.0);
    base_csv_put_number(&writer, NAN);
    base_csv_put_number(&writer, 1e300);
    base_csv_put_count(&writer, UINT64_MAX);
    base_csv_put_empty(&writer);
    base_csv_put_count(&writer, 0);
    base_csv_end(&writer);
    base_csv_put_empty(&writer); /* first, but not the only field */
    base_csv_put_count(&writer, 1);
    base_csv_end(&writer);
    base_csv_put_empty(&writer);
    base_csv_put_empty(&writer);
    base_csv_end(&writer);
    base_csv_put_number(&writer, NAN); /* the only field: without quotes it would be a blank line */
    base_csv_end(&writer);
    base_csv_put_count(&writer, 7);
    base_csv_end(&writer);
    cr_assert_eq(base_csv_check(&writer, "x", NULL), BASE_OK);
    assert_file(file, "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\",\"j\r\",\" k\",\"l\t\",,\n"
                      "0.10000000000000001,-0,,1.0000000000000001e+300,18446744073709551615,,0\n"
                      ",1\n,\n\"\"\n7\n");
}

Test(csv, a_full_disc_is_noticed)
{
    const struct {
        int mode; /* of buffering: if unbuffered, the field is lost long before the check */
        const char *message;
    } cases[] = {
        {_IOFBF, "cannot write 'out.csv': No space left on device"},
        {_IONBF, "cannot write 'out.csv': a write failed"},
    };
    for (int i = 0; i < 2; i++) {
        FILE *const file = fopen("/dev/full", "wb");
        if (!file) {
            cr_skip_test("skipped: no /dev/full");
        }
        setvbuf(file, NULL, cases[i].mode, BUFSIZ);
        base_csv_writer writer = {.file = file};
        base_error err = {0};
        base_csv_put_text(&writer, "\"quoted\"");
        base_csv_end(&writer);
        cr_assert_eq(base_csv_check(&writer, "out.csv", &err), BASE_ERR_SYSTEM);
        cr_assert_str_eq(err.text, cases[i].message);
        fclose(file);
    }
}

/** Makes a short text of the characters that have a meaning in CSV. */
static void random_text(base_random *random, char text[16])
{
    const char alphabet[] = "aab, \t\"\n\r;#'\xc3\xa9";
    const size_t length = (size_t)base_random_below(random, 12);
    for (size_t i = 0; i < length; i++) {
        text[i] = alphabet[base_random_below(random, sizeof alphabet - 1)];
    }
    text[length] = '\0';
}

static double random_double(base_random *random)
{
    const uint64_t bits = base_random_u64(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0;
}

Test(csv, a_written_table_is_read_back)
{
    enum { ROWS = 200, COLUMNS = 6 };
    size_t empty = 0, quoted = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        static char texts[ROWS][COLUMNS][16];
        static double numbers[ROWS][COLUMNS];
        base_random random = base_random_seed(seed);
        FILE *file;
        const scratch s = scratch_open(&file);
        base_csv_writer writer = {.file = file};
        const size_t columns = 1 + seed % COLUMNS, half = columns / 2; /* numbers, then texts */
        for (size_t c = 0; c < columns; c++) {
            char name[32];
            snprintf(name, sizeof name, "%zu,\"", c);
            base_csv_put_text(&writer, name);
        }
        base_csv_end(&writer);
        for (size_t r = 0; r < ROWS; r++) {
            for (size_t c = 0; c < columns; c++) {
                numbers[r][c] = random_double(&random);
                random_text(&random, texts[r][c]);
                empty += c >= half && texts[r][c][0] == '\0';
                quoted += c >= half && strpbrk(texts[r][c], "\",\r\n") != NULL;
                if (c < half) {
                    base_csv_put_number(&writer, numbers[r][c]);
                } else {
                    base_csv_put_text(&writer, texts[r][c]);
                }
            }
            base_csv_end(&writer);
        }
        cr_assert_eq(base_csv_check(&writer, s.path, NULL), BASE_OK);
        fclose(file);

        SCOPED_CSV table;
        base_error err = {0};
        const base_status status = base_csv_read(s.path, NULL, &table, &err);
        cr_assert_eq(status, BASE_OK, "seed %lu: %s", (unsigned long)seed, err.text);
        unlink(s.path);
        cr_assert_eq(table.rows, ROWS, "seed %lu", (unsigned long)seed);
        cr_assert_eq(table.columns, columns, "seed %lu", (unsigned long)seed);
        for (size_t r = 0; r < ROWS; r++) {
            for (size_t c = 0; c < columns; c++) {
                double value = 0;
                if (c < half) {
                    assert_ok(base_csv_number(&table, r, (int)c, &value, ERR));
                    cr_assert_eq(memcmp(&value, &numbers[r][c], sizeof value), 0, "%.17g", value);
                } else {
                    const char *const text = base_csv_text(&table, r, (int)c);
                    cr_assert_str_eq(!text ? "" : text, texts[r][c]);
                    cr_assert(!text || text[0] != '\0');
                }
            }
        }
    }
    cr_assert(empty > 100 && quoted > 1000, "%zu empty, %zu quoted", empty, quoted);
    no_leak();
}
