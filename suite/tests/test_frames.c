/** The file of regions: windows in the frame of A's file, and the truth in these windows. */
#include "base/tests/support.h"
#include "suite/results/frames.h"

#include "base/csv.h"
#include "base/file.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAMES = 3, REGIONS = 5 };

static const alg_region windowed = {
    .direction = {0, 0, 1},
    .depth_m = 0.5,
    .area_m2 = 3,
    .loop = true,
    .point = {1, 2, 3},
    .side_u = {1, 0, 0},
    .side_v = {0, 1, 0},
    .half_u_m = 0.25,
    .half_v_m = 0.125,
};

typedef struct written {
    char path[64];
    base_csv table;
} written;

static written write_file(const bench_cell *cell)
{
    written w = {.path = "/tmp/proxbench-test-XXXXXX"};
    const int file = mkstemp(w.path);
    cr_assert(file >= 0);
    close(file);
    assert_ok(bench_regions_write(w.path, cell, (vec3){10, 20, 30}, ERR));
    assert_ok(base_csv_read(w.path, NULL, &w.table, ERR));
    return w;
}

static void remove_file(written *w)
{
    base_csv_release(&w->table);
    unlink(w->path);
}

/** expected: NaN for an empty field. */
static void check(const written *w, size_t row, const char *column, double expected)
{
    const int place = base_csv_find(&w->table, column);
    cr_assert(place >= 0, "no column %s", column);
    const char *const text = base_csv_text(&w->table, row, place);
    const double found = text && text[0] != '\0' ? strtod(text, NULL) : (double)NAN;
    cr_assert(isnan(expected) ? isnan(found) : fabs(found - expected) < 1e-15,
              "row %zu, %s: '%s', not %.17g", row, column, text ? text : "", expected);
}

/** Makes a cell of three frames; the second frame has no region. */
static bench_cell make_cell(alg_answer details[FRAMES], alg_region regions[REGIONS])
{
    const size_t counts[FRAMES] = {2, 0, 3};
    for (int f = 0; f < FRAMES; f++) {
        details[f] = (alg_answer){.answered = ALG_HAS_REGIONS, .region_count = (uint32_t)counts[f]};
    }
    for (int i = 0; i < REGIONS; i++) {
        regions[i] = windowed;
    }
    return (bench_cell){.frame_count = FRAMES, .details = details, .regions = regions};
}

Test(frames, windows_are_in_the_frame_of_the_file)
{
    alg_answer details[FRAMES];
    alg_region regions[REGIONS];
    const bench_cell cell = make_cell(details, regions);
    regions[1].half_u_m = 0;
    regions[3].half_v_m = 0;
    cr_assert(bench_cell_has_regions(&cell));
    written w = write_file(&cell);
    cr_assert_eq(w.table.rows, REGIONS);
    const double frames[REGIONS] = {0, 0, 2, 2, 2}, numbers[REGIONS] = {0, 1, 0, 1, 2};
    for (size_t i = 0; i < REGIONS; i++) {
        const struct {
            const char *name;
            double value;
        } columns[] = {
            {"x_m", 11}, {"y_m", 22},        {"z_m", 33},         {"ux", 1},
            {"uy", 0},   {"uz", 0},          {"vx", 0},           {"vy", 1},
            {"vz", 0},   {"half_u_m", 0.25}, {"half_v_m", 0.125},
        };
        check(&w, i, "frame", frames[i]);
        check(&w, i, "region", numbers[i]);
        check(&w, i, "nz", 1);
        check(&w, i, "depth_m", 0.5);
        check(&w, i, "area_m2", 3);
        check(&w, i, "loop", 1);
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            const bool none = i == 1 || i == 3;
            check(&w, i, columns[k].name, none ? (double)NAN : columns[k].value);
        }
        check(&w, i, "left_rel", (double)NAN);
        check(&w, i, "needed_m", (double)NAN);
        check(&w, i, "needed_rel", (double)NAN);
    }
    remove_file(&w);
}

Test(frames, what_is_left_and_needed)
{
    alg_answer details[FRAMES];
    alg_region regions[REGIONS];
    bench_cell cell = make_cell(details, regions);
    gt_window_truth windows[REGIONS] = {
        {{2, 4}, {0.5, 1}, {0.25, 0.25}},   /* too far, but a part of the overlap remains */
        {{0, 1e-20}, {0.5, 1}, {0, 3e-10}}, /* no overlap: the surfaces only touch */
        {GT_NONE, GT_NONE, {1, 1}},         /* of surfaces; too short */
        {GT_NONE, GT_NONE, GT_NONE},        /* no window */
        {{3, 3}, {0, 1e-9}, {0, 0.4}},      /* a surface at the side of the window */
    };
    const double none = (double)NAN;
    const double left[REGIONS] = {0.25, none, none, none, 0};
    const double needed[REGIONS] = {0.25, 3e-10, 1, none, 0.4};
    const double beyond[REGIONS] = {1, none, -0.5, none, 0.25};
    cell.windows = windows;
    written w = write_file(&cell);
    for (size_t i = 0; i < REGIONS; i++) {
        check(&w, i, "left_rel", left[i]);
        check(&w, i, "needed_m", needed[i]);
        check(&w, i, "needed_rel", beyond[i]);
    }
    remove_file(&w);
}
