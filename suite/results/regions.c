#include "suite/results/regions.h"

#include "suite/output.h"
#include "suite/results/judge.h"

#include <math.h>
#include <string.h>

/** Relative to the window's size. A smaller needed depth is only the gap of touching surfaces. */
static const double LEAST_NEEDED = 1e-9;

typedef struct window_row {
    vec3 point, u, v;
    double half_u, half_v;
} window_row;

typedef struct region_row {
    uint64_t frame, region;
    alg_region is;
    bool loop;
    window_row window; /* NaN if there is no window */
    double left_rel, needed_m, needed_rel;
} region_row;

#define COLUMN(name, kind, unit, role, member, meaning)                                            \
    BENCH_COLUMN(name, kind, unit, role, region_row, member, 0, "", meaning)

#define WINDOW(name, unit, member, meaning)                                                        \
    BENCH_COLUMN(name, NUMBER, unit, ANSWER, region_row, window.member, 0,                         \
                 "the region has no window", meaning)

static const bench_column columns[] = {
    COLUMN("frame", COUNT, "", FACT, frame,
           "number of the frame, from 0; without a row: it has no region"),
    COLUMN("region", COUNT, "", FACT, region, "number of the region in its frame, from 0"),
    COLUMN("nx", NUMBER, "1", ANSWER, is.direction.x,
           "way that B moves to get out of it: unit vector in A's frame, x"),
    COLUMN("ny", NUMBER, "1", ANSWER, is.direction.y, "the same, y"),
    COLUMN("nz", NUMBER, "1", ANSWER, is.direction.z, "the same, z"),
    COLUMN("depth_m", NUMBER, "m", ANSWER, is.depth_m, "how far it has to move so"),
    COLUMN("area_m2", NUMBER, "m2", ANSWER, is.area_m2,
           "area of the section between the bodies, as it is seen along that way"),
    COLUMN("loop", FLAG, "", ANSWER, loop, "1: it is bounded by closed curves of intersection"),
    WINDOW("x_m", "m", point.x, "middle of its window, in the frame of A's file, x"),
    WINDOW("y_m", "m", point.y, "the same, y"),
    WINDOW("z_m", "m", point.z, "the same, z"),
    WINDOW("ux", "1", u.x, "first side of the window: unit vector in A's frame, x"),
    WINDOW("uy", "1", u.y, "the same, y"),
    WINDOW("uz", "1", u.z, "the same, z"),
    WINDOW("vx", "1", v.x, "second side of the window: unit vector in A's frame, x"),
    WINDOW("vy", "1", v.y, "the same, y"),
    WINDOW("vz", "1", v.z, "the same, z"),
    WINDOW("half_u_m", "m", half_u, "half of the window's length along its first side"),
    WINDOW("half_v_m", "m", half_v, "the same along its second side"),
    BENCH_COLUMN("left_rel", NUMBER, "1", ERROR, region_row, left_rel, 0,
                 "no depth is asked, no window, no overlap in it, or a body is no solid",
                 "what is left of the overlap in the window, the column along the way, when B has "
                 "moved by depth_m"),
    BENCH_COLUMN(
        "needed_m", NUMBER, "m", TRUTH, region_row, needed_m, 0, "no depth is asked, or no window",
        "how far the surfaces meet in the window when B moves along the way: to the end of "
        "the first stretch, what merely touches included; 0: they don't meet there"),
    BENCH_COLUMN("needed_rel", NUMBER, "1", ERROR, region_row, needed_rel, 0,
                 "the same, or as good as nothing is needed", "(depth_m - needed_m) / needed_m"),
};

const bench_columns bench_regions_columns = {columns, sizeof columns / sizeof *columns};

bool bench_cell_has_regions(const bench_cell *cell)
{
    bool any = false;
    for (size_t f = 0; cell->details && f < cell->frame_count; f++) {
        any |= (cell->details[f].answered & ALG_HAS_REGIONS) != 0;
    }
    return any;
}

static window_row window_of(const alg_region *region, vec3 centre_a)
{
    if (!bench_has_window(region)) {
        const vec3 none = {NAN, NAN, NAN};
        return (window_row){none, none, none, NAN, NAN};
    }
    return (window_row){vec3_add(region->point, centre_a), region->side_u, region->side_v,
                        region->half_u_m, region->half_v_m};
}

/**
 * Sets the errors of a region. The upper end of the bracket of the needed depth is used: this
 * favours the answer if it is uncertain whether a surface at the side of the window is inside.
 */
static void judge(const gt_window_truth *truth, region_row *row)
{
    if (truth && gt_known(truth->before_m3) && truth->before_m3.lo > 0) {
        row->left_rel = gt_bracket_value(truth->after_m3) / gt_bracket_value(truth->before_m3);
    }
    if (truth && gt_known(truth->needed_m)) {
        row->needed_m = truth->needed_m.hi;
        if (row->needed_m > LEAST_NEEDED * (row->is.half_u_m + row->is.half_v_m)) {
            row->needed_rel = row->is.depth_m / row->needed_m - 1;
        }
    }
}

/** truth: NULL if not asked. */
static region_row row_of(uint64_t frame, uint64_t number, const alg_region *region,
                         const gt_window_truth *truth, vec3 centre_a)
{
    unsigned char loop; /* read as a byte, because a plug-in may store an invalid bool */
    memcpy(&loop, &region->loop, 1);
    region_row row = {frame, number, *region, loop == 1, window_of(region, centre_a),
                      NAN,   NAN,    NAN};
    judge(truth, &row);
    return row;
}

base_status bench_regions_write(const char *path, const bench_cell *cell, vec3 centre_a,
                                base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    size_t next = 0;
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(bench_regions_columns, &w);
    base_csv_end(&w);
    for (size_t f = 0; f < cell->frame_count; f++) {
        const size_t count = bench_regions_kept(&cell->details[f]);
        for (size_t i = 0; i < count; i++) {
            const gt_window_truth *const truth = cell->windows ? &cell->windows[next] : NULL;
            const region_row row = row_of(f, i, &cell->regions[next++], truth, centre_a);
            bench_columns_put(bench_regions_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}
