#include "base/file.h"
#include "base/memory.h"
#include "base/tests/sweep.h"
#include "suite/simulate/steps.h"
#include "suite/tests/simulate.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

TestSuite(steps, .init = enter_folder, .fini = leave_folder);

static const char *const counters[] = {"tests_count", "nodes_count", NULL};

/** Makes a step whose numbers are all different and have all digits. */
static bench_step_row make_row(uint64_t number)
{
    bench_step_row row = {.step.number = number, .beyond = number};
    for (size_t i = 0; i < bench_step_columns.count; i++) {
        const bench_column *const column = &bench_step_columns.items[i];
        const double value = (double)(i + 1) / 3 + (double)number * 1e-9;
        if (column->kind == BENCH_KIND_NUMBER) {
            memcpy((char *)&row + column->offset, &value, sizeof value);
        }
    }
    row.step.contact_count = 3 * number;
    row.step.impulse_count = 777;
    row.step.touching = number % 2;
    row.step.cut = number % 3 == 0;
    row.point_depth_m = number % 2 ? (double)NAN : 0.25;
    return row;
}

static void open_steps(bench_steps *steps)
{
    base_error err = {0};
    cr_assert_eq(bench_steps_open(folder, "scene", "vps", counters, steps, &err), BASE_OK, "%s",
                 err.text);
}

enum { ROWS = 4 };

/** Writes the missing rows. */
static void add_missing(bench_steps *steps)
{
    base_error err = {0};
    for (size_t i = steps->count; i < ROWS; i++) {
        const bench_step_row row = make_row(i);
        const bench_step_time_row time = {i, 1000 + i, 50 + i};
        const uint64_t values[ALG_COUNTERS_MAX] = {i, 100 * i};
        cr_assert_eq(
            bench_steps_add(steps, &row, i > 0 ? values : NULL, i > 0 ? &time : NULL, &err),
            BASE_OK);
    }
    cr_assert_eq(bench_steps_sync(steps, &err), BASE_OK, "%s", err.text);
}

static void write_all(void)
{
    bench_steps steps;
    open_steps(&steps);
    cr_assert_eq(steps.count, 0);
    add_missing(&steps);
    bench_steps_close(&steps);
}

typedef struct bytes {
    char path[128], *text;
    size_t size;
} bytes;

static bytes read_bytes(const char *name)
{
    bytes b;
    base_error err = {0};
    snprintf(b.path, sizeof b.path, "%s/scene/vps.%s.csv", folder, name);
    cr_assert_eq(base_file_read(b.path, &b.text, &b.size, &err), BASE_OK, "%s", err.text);
    return b;
}

static void write_bytes(const bytes *b, size_t size)
{
    FILE *const file = fopen(b->path, "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(b->text, 1, size, file), size);
    fclose(file);
}

static size_t rows_in(const bytes *b, size_t size)
{
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += b->text[i] == '\n';
    }
    return lines > 0 ? lines - 1 : 0;
}

Test(steps, what_is_read_back_is_what_was_written)
{
    bench_steps steps;
    write_all();
    open_steps(&steps);
    cr_assert_eq(steps.count, ROWS);
    cr_assert_eq(steps.time_count, ROWS - 1);
    for (size_t i = 0; i < ROWS; i++) {
        const bench_step_row expected = make_row(i), *const row = &steps.rows[i];
        for (size_t c = 0; c < bench_step_columns.count; c++) {
            char room[2][BENCH_FIELD_BYTES];
            const bench_column *const column = &bench_step_columns.items[c];
            cr_expect_str_eq(bench_column_text(column, row, room[0]),
                             bench_column_text(column, &expected, room[1]), "step %zu: %s", i,
                             column->name);
        }
    }
    cr_expect_eq(steps.times[1].step, 2);
    cr_expect_eq(steps.times[1].query_ns, 1002);
    cr_expect_eq(steps.times[1].response_ns, 52);
    bench_steps_close(&steps);
}

/**
 * Every member of a step that is needed to continue a simulation is in a column: rows that differ
 * in a member are written differently.
 */
Test(steps, every_member_of_a_step_is_written)
{
    enum { SIZE = sizeof(scn_step) };
    unsigned char covered[SIZE] = {0};
    for (size_t c = 0; c < bench_step_columns.count; c++) {
        const bench_column *const column = &bench_step_columns.items[c];
        const size_t begin = column->offset;
        const size_t size = column->kind == BENCH_KIND_FLAG ? sizeof(bool) : sizeof(double);
        for (size_t i = begin; i < begin + size && i < SIZE; i++) {
            covered[i] = 1;
        }
    }
    size_t padding = 0;
    for (size_t i = 0; i < SIZE; i++) {
        padding += !covered[i];
    }
    /* The two flags of one byte each precede members of eight bytes. */
    cr_expect_leq(padding, 14, "%zu bytes of a step are in no column", padding);
}

/**
 * Killed at any byte of either file: complete rows stay, and the remaining rows are the same as
 * before.
 */
Test(steps, a_torn_end_is_cut_off_at_any_byte)
{
    write_all();
    bytes whole = read_bytes("steps"), times = read_bytes("times");
    for (size_t size = 0; size <= whole.size; size += (size < 40 ? 1 : 3) * sweep_step(5)) {
        bench_steps steps;
        write_bytes(&whole, size);
        write_bytes(&times, times.size);
        open_steps(&steps);
        cr_assert_eq(steps.count, rows_in(&whole, size), "%zu bytes: %zu rows", size, steps.count);
        cr_assert_eq(steps.time_count, steps.count > 0 ? steps.count - 1 : 0, "%zu bytes", size);
        add_missing(&steps);
        bench_steps_close(&steps);
        bytes again = read_bytes("steps"), again_times = read_bytes("times");
        cr_assert(again.size == whole.size && memcmp(again.text, whole.text, whole.size) == 0,
                  "%zu bytes", size);
        cr_assert(again_times.size == times.size &&
                      memcmp(again_times.text, times.text, times.size) == 0,
                  "%zu bytes", size);
        base_free(again.text);
        base_free(again_times.text);
    }
    base_free(whole.text);
    base_free(times.text);
}

/** If times are lost, the steps are still continued. */
Test(steps, times_that_are_missing_stay_so)
{
    bench_steps steps;
    write_all();
    bytes times = read_bytes("times");
    cr_assert_eq(unlink(times.path), 0);
    base_free(times.text);
    open_steps(&steps);
    cr_expect_eq(steps.count, ROWS);
    cr_expect_eq(steps.time_count, 0);
    bench_steps_close(&steps);
}

Test(steps, rows_that_no_simulation_writes_are_refused)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"step,t_s", "t_s,step", "has other columns than this version writes"},
        {"tests_count", "test_count", "has other columns than this version writes"},
        {"\n2,", "\n3,", "line 4 is not step 2"},
        {",777,", ",-777,", "is not a count"},
        {"0.66666666666", "", "line 2 is not step 0"},
        {"0.66666666666", "x.66666666666", "t_s"},
    };
    write_all();
    bytes whole = read_bytes("steps");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_steps steps;
        base_error err = {0};
        const char *const at = strstr(whole.text, cases[i].from);
        cr_assert_not_null(at, "%s", cases[i].from);
        const size_t cut = *cases[i].to ? strlen(cases[i].from) : strcspn(at, ",");
        FILE *const file = fopen(whole.path, "w");
        cr_assert_not_null(file);
        fprintf(file, "%.*s%s%s", (int)(at - whole.text), whole.text, cases[i].to, at + cut);
        fclose(file);
        cr_expect_eq(bench_steps_open(folder, "scene", "vps", counters, &steps, &err),
                     BASE_ERR_INPUT, "%s", cases[i].from);
        cr_expect_not_null(strstr(err.text, cases[i].says), "%s: %s", cases[i].from, err.text);
        bench_steps_close(&steps);
    }
    base_free(whole.text);
}
