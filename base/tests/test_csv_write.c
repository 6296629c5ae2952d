#include "base/csv.h"
#include "base/random.h"

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

/* --- Writing ---------------------------------------------------------------------------------- */

static void assert_file(FILE *file, const char *expected)
{
    char text[1000] = "";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_assert_str_eq(text, expected, "%s", text);
    fclose(file);
}

Test(csv_write, records_by_hand)
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

Test(csv_write, a_full_disc_is_noticed)
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

Test(csv_write, what_is_written_is_read_back)
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

        base_csv table;
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
                    cr_assert_eq(base_csv_number(&table, r, (int)c, &value, &err), BASE_OK);
                    cr_assert_eq(memcmp(&value, &numbers[r][c], sizeof value), 0, "%.17g", value);
                } else {
                    const char *const text = base_csv_text(&table, r, (int)c);
                    cr_assert_str_eq(!text ? "" : text, texts[r][c]);
                    cr_assert(!text || text[0] != '\0');
                }
            }
        }
        base_csv_release(&table);
    }
    cr_assert(empty > 100 && quoted > 1000, "%zu empty, %zu quoted", empty, quoted);
    no_leak();
}
