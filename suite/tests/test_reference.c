/** The reference of columns: nothing without a meaning, nothing that is not written. */
#include "suite/results/reference.h"

#include "scenarios/trajectories/trajectory.h"
#include "suite/results/run_folder.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1024 };

typedef struct listed {
    bench_reference_file files[MOST];
    bench_column columns[MOST];
    char names[MOST][64]; /* those of forces live no longer than the listing */
    size_t indices[MOST];
    size_t count;
} listed;

static void put(void *context, const bench_reference_file *file, const bench_column *column,
                size_t index)
{
    listed *const l = context;
    cr_assert_lt(l->count, MOST);
    l->files[l->count] = *file;
    l->columns[l->count] = *column;
    l->indices[l->count] = index;
    snprintf(l->names[l->count], sizeof l->names[0], "%s", column->name);
    l->columns[l->count].name = l->names[l->count];
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

/** What can be empty says when; what cannot says nothing. */
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

Test(reference, units_are_the_ends_of_names)
{
    const struct {
        const char *name;
        bench_kind kind;
        const char *unit;
    } cases[] = {
        {"time_p50_ns",             BENCH_KIND_NUMBER,   "ns"     },
        {"t_s",                     BENCH_KIND_NUMBER,   "s"      },
        {"x_m",                     BENCH_KIND_NUMBER,   "m"      },
        {"truth_volume_lo_m3",      BENCH_KIND_NUMBER,   "m3"     },
        {"tx_UNIT_m",               BENCH_KIND_NUMBER,   "UNIT m" },
        {"fx_UNIT",                 BENCH_KIND_NUMBER,   "UNIT"   },
        {"rss_bytes",               BENCH_KIND_COUNT_IF, "bytes"  },
        {"bytes",                   BENCH_KIND_COUNT_IF, "bytes"  },
        {"distance_error_rel",      BENCH_KIND_NUMBER,   "1"      },
        {"distance_error_rel_mean", BENCH_KIND_NUMBER,   "1"      },
        {"force_direction_deg",     BENCH_KIND_NUMBER,   "deg"    },
        {"force_direction_deg_p99", BENCH_KIND_NUMBER,   "deg"    },
        {"force_noise_db",          BENCH_KIND_NUMBER,   "dB"     },
        {"f_hz",                    BENCH_KIND_NUMBER,   "Hz"     },
        {"force_onset_lag_frames",  BENCH_KIND_NUMBER,   "frames" },
        {"known_fx_m2",             BENCH_KIND_NUMBER,   "m2"     },
        {"nodes_count_mean",        BENCH_KIND_NUMBER,   ""       },
        {"nodes_mean",              BENCH_KIND_NUMBER,   "1"      },
        {"frames_count",            BENCH_KIND_COUNT,    ""       },
        {"frame",                   BENCH_KIND_COUNT,    ""       },
        {"scenario",                BENCH_KIND_SCENARIO, ""       },
        {"target",                  BENCH_KIND_NUMBER,   "m or m3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bench_column column = {.name = cases[i].name, .kind = cases[i].kind};
        cr_assert_str_eq(bench_column_unit(&column), cases[i].unit, "%s", cases[i].name);
    }
}

/** Trajectories are written by what knows no tables of columns. */
Test(reference, trajectories_have_the_columns_that_are_listed, .init = list)
{
    scn_frame frame = {
        .orientation = {0,  0, 0, 1},
        .known = {.mask = SCN_KNOWN_DISTANCE | SCN_KNOWN_FORCE | SCN_KNOWN_DEPTH_FORCE}
    };
    const scn_trajectory trajectory = {.frames = &frame, .frame_count = 1};
    char path[] = "/tmp/proxbench-reference-XXXXXX";
    base_error err = {0};
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    FILE *const file = fdopen(descriptor, "w");
    cr_assert_eq(scn_trajectory_write(&trajectory, file, path, &err), BASE_OK, "%s", err.text);
    fclose(file);
    base_csv table;
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
    base_csv_release(&table);
}
