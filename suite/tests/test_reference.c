/** The reference of columns: every column has a meaning, and every column is written. */
#include "base/tests/support.h"
#include "suite/results/reference.h"

#include "scenarios/trajectories/trajectory.h"
#include "suite/results/cells.h"
#include "suite/results/run_folder.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1024 };

typedef struct listed {
    bench_file files[MOST];
    bench_column columns[MOST];
    /* The names of force columns are valid only during the listing, so they are copied. */
    char names[MOST][64], units[MOST][16];
    size_t indices[MOST];
    size_t count;
} listed;

static void put(void *context, const bench_file *file, const bench_column *column, size_t index)
{
    listed *const l = context;
    cr_assert_lt(l->count, MOST);
    l->files[l->count] = *file;
    l->columns[l->count] = *column;
    l->indices[l->count] = index;
    snprintf(l->names[l->count], sizeof l->names[0], "%s", column->name);
    l->columns[l->count].name = l->names[l->count];
    snprintf(l->units[l->count], sizeof l->units[0], "%s", column->unit);
    l->columns[l->count].unit = l->units[l->count];
    l->count++;
}

static listed all;

static void list(void)
{
    bench_reference_each(put, &all);
}

Test(reference, every_column_has_a_meaning, .init = list)
{
    cr_assert_gt(all.count, 200);
    for (size_t i = 0; i < all.count; i++) {
        const bench_column *const c = &all.columns[i];
        const char *const file = all.files[i].name;
        cr_assert(c->meaning && c->empty && all.files[i].row, "%s: %s", file, c->name);
        const size_t length = strlen(c->meaning);
        cr_assert_gt(length, 3, "%s: %s says nothing", file, c->name);
        cr_assert(c->meaning[length - 1] != '.' && !strpbrk(c->meaning, "\n\r"), "%s: %s", file,
                  c->name);
        cr_assert_null(bench_name_fault(BENCH_NAME_KEY, c->name), "%s: '%s'", file, c->name);
        cr_assert_neq(c->name[strlen(c->name) - 1], '_', "%s: '%s'", file, c->name);
    }
}

/** A column that can be empty says when; a column that cannot be empty says nothing. */
Test(reference, empty_fields_are_those_that_can_be, .init = list)
{
    for (size_t i = 0; i < all.count; i++) {
        const bench_column *const c = &all.columns[i];
        switch (c->kind) {
        case BENCH_KIND_FLAG:
        case BENCH_KIND_COUNT:
        case BENCH_KIND_SCENARIO:
        case BENCH_KIND_CONTESTANT:
        case BENCH_KIND_QUANTITY:
        case BENCH_KIND_STATUS:
        case BENCH_KIND_PROTOCOL:
        case BENCH_KIND_FILE:
        case BENCH_KIND_SECTION:
        case BENCH_KIND_KEY:
            cr_assert_str_empty(c->empty, "%s: %s is never empty", all.files[i].name, c->name);
            break;
        default:
            break;
        }
    }
}

Test(reference, a_file_has_a_column_once, .init = list)
{
    for (size_t i = 0; i < all.count; i++) {
        for (size_t j = 0; j < i; j++) {
            cr_assert(strcmp(all.files[i].name, all.files[j].name) != 0 ||
                          strcmp(all.names[i], all.names[j]) != 0,
                      "%s: %s", all.files[i].name, all.names[i]);
        }
        cr_assert(all.indices[i] == 0 || all.indices[i] == all.indices[i - 1] + 1);
    }
}

/**
 * Returns the unit given by the end of a name, also before the name of a statistic; NULL: no unit.
 */
static const char *unit_of_name(const char *name)
{
    static const struct {
        const char *ending, *unit;
    } units[] = {
        {"_UNIT_m", "UNIT m"}, {"_UNIT", "UNIT"}, {"_ns", "ns"},         {"_rad_s", "rad/s"},
        {"_m_s", "m/s"},       {"_s", "s"},       {"_n", "N"},           {"_nm", "N m"},
        {"_j", "J"},           {"_m", "m"},       {"_m2", "m2"},         {"_m3", "m3"},
        {"_m4", "m4"},         {"_deg", "deg"},   {"_db", "dB"},         {"_hz", "Hz"},
        {"bytes", "bytes"},    {"_ulp", "ulp"},   {"_frames", "frames"},
    };
    static const char *const statistics[] = {"",     "_mean", "_bias", "_rms",    "_max",
                                             "_p50", "_p95",  "_p99",  "_p50_lo", "_p50_hi"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        for (size_t k = 0; k < sizeof statistics / sizeof *statistics; k++) {
            char ending[32];
            snprintf(ending, sizeof ending, "%s%s", units[i].ending, statistics[k]);
            const size_t length = strlen(name), of_ending = strlen(ending);
            if (length >= of_ending && strcmp(name + length - of_ending, ending) == 0) {
                return units[i].unit;
            }
        }
    }
    return NULL;
}

/** A script that knows only the names must derive the correct unit. */
Test(reference, units_are_the_ends_of_names, .init = list)
{
    size_t with_unit = 0;
    for (size_t i = 0; i < all.count; i++) {
        const bench_column *const c = &all.columns[i];
        const char *const by_name = unit_of_name(c->name);
        if (by_name) {
            cr_assert_str_eq(c->unit, by_name, "%s: %s", all.files[i].name, c->name);
            with_unit++;
        } else if (strncmp(c->name, "FACT", 4) != 0 && strcmp(c->name, "target") != 0 &&
                   strcmp(c->name, "achieved") != 0) {
            const bool count = strstr(c->name, "_count") || strcmp(c->name, "COUNTER_mean") == 0;
            cr_assert_str_eq(c->unit, c->kind == BENCH_KIND_NUMBER && !count ? "1" : "", "%s: %s",
                             all.files[i].name, c->name);
        }
    }
    cr_assert_gt(with_unit, 200);
}

/** Texts are not errors, nanoseconds are not answers, and counts of the variants are not truth. */
Test(reference, roles_suit_kinds_and_units, .init = list)
{
    size_t counts[BENCH_ROLE_COUNT] = {0};
    for (size_t i = 0; i < all.count; i++) {
        const bench_column *const c = &all.columns[i];
        cr_assert_lt(c->role, BENCH_ROLE_COUNT, "%s", c->name);
        counts[c->role]++;
        if (strcmp(c->unit, "ns") == 0) {
            cr_assert_eq(c->role, BENCH_ROLE_COST, "%s: %s", all.files[i].name, c->name);
        }
        if (strncmp(c->name, "truth_", 6) == 0 || strncmp(c->name, "known_", 6) == 0 ||
            strncmp(c->name, "certified_", 10) == 0) {
            cr_assert_eq(c->role, BENCH_ROLE_TRUTH, "%s: %s", all.files[i].name, c->name);
        }
        if (strstr(c->name, "_rel") || strstr(c->name, "_deg") ||
            strstr(c->name, "_within_share")) {
            cr_assert_eq(c->role, BENCH_ROLE_ERROR, "%s: %s", all.files[i].name, c->name);
        }
    }
    for (int role = 0; role < BENCH_ROLE_COUNT; role++) {
        cr_assert_gt(counts[role], 0, "no column has the role %s",
                     bench_role_name((bench_role)role));
    }
}

/**
 * A tolerance may use any error, and its mean and maximum are read from cells.csv. So each error
 * needs columns for both: an error without columns was read as 0, which means exact.
 */
Test(reference, every_error_has_its_mean_and_its_largest_value)
{
    const bench_columns columns = bench_cells_columns();
    static const bench_statistic needed[] = {BENCH_MEAN, BENCH_MAX};
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
            const size_t offset = offsetof(bench_cell_row, errors) +
                                  ((size_t)e * BENCH_STATISTIC_COUNT + needed[k]) * sizeof(double);
            size_t found = 0;
            for (size_t i = 0; i < columns.count; i++) {
                found += columns.items[i].offset == offset;
            }
            cr_assert_eq(found, 1, "%s: statistic %d", bench_errors[e].name, needed[k]);
        }
    }
}

/** A cleared member has the value that a reader gives to an empty field. */
Test(reference, a_cleared_row_is_empty)
{
    const bench_columns columns = bench_cells_columns();
    bench_cell_row row;
    char room[BENCH_FIELD_BYTES];
    memset(&row, 0x55, sizeof row);
    bench_columns_clear(columns, &row);
    for (size_t i = 0; i < columns.count; i++) {
        const bench_column *const c = &columns.items[i];
        const bool zero = c->kind == BENCH_KIND_FLAG || c->kind == BENCH_KIND_COUNT;
        cr_assert_str_eq(bench_column_text(c, &row, room), zero ? "0" : "", "%s", c->name);
    }
}

/**
 * A file that a run opens, or that is checked for scripts, has its own columns and a plain name.
 */
Test(reference, files_of_a_run_can_be_opened)
{
    size_t of_run = 0, drawn = 0;
    for (int f = 0; f < BENCH_FILE_COUNT; f++) {
        const bench_file *const file = &bench_files[f];
        cr_assert(file->name && file->row, "file %d", f);
        if (file->use) {
            cr_assert(file->columns || f == BENCH_FILE_CELLS, "%s", file->name);
            cr_assert_null(strpbrk(file->name, "/ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "%s", file->name);
        }
        of_run += file->use & BENCH_FILE_OF_RUN ? 1 : 0;
        drawn += file->use & BENCH_FILE_DRAWN ? 1 : 0;
    }
    cr_assert_eq(of_run, 8);
    cr_assert_eq(drawn, 8);
}

/**
 * The code that writes trajectories does not use the tables of columns, so both must be compared.
 */
Test(reference, trajectories_have_the_columns_that_are_listed, .init = list)
{
    scn_frame frame = {
        .orientation = {0, 0, 0, 1},
        .known = {.mask = SCN_KNOWN_DISTANCE | SCN_KNOWN_FORCE | SCN_KNOWN_DEPTH_FORCE}};
    const scn_trajectory trajectory = {.frames = &frame, .frame_count = 1};
    char path[] = "/tmp/proxbench-reference-XXXXXX";
    base_error err = {0};
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    FILE *const file = fdopen(descriptor, "w");
    assert_ok(scn_trajectory_write(&trajectory, file, path, ERR));
    fclose(file);
    SCOPED_CSV table;
    const base_status status = base_csv_read(path, NULL, &table, &err);
    unlink(path);
    cr_assert_eq(status, BASE_OK, "%s", err.text);
    size_t listed_columns = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (strcmp(all.files[i].name, "trajectories/SCENARIO.csv") == 0) {
            cr_assert_lt(listed_columns, table.columns);
            cr_assert_str_eq(table.cells[listed_columns], all.names[i]);
            listed_columns++;
        }
    }
    cr_assert_eq(listed_columns, table.columns);
}
