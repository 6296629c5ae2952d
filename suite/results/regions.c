#include "suite/results/regions.h"

#include "suite/output.h"
#include "suite/results/details.h"

#include <string.h>

typedef struct region_row {
    uint64_t frame, region;
    alg_region is;
    bool loop;
} region_row;

#define COLUMN(name, kind, member, meaning)                                                        \
    BENCH_COLUMN(name, kind, region_row, member, 0, "", meaning)

static const bench_column columns[] = {
    COLUMN("frame", COUNT, frame, "number of the frame, from 0; without a row: it has no region"),
    COLUMN("region", COUNT, region, "number of the region in its frame, from 0"),
    COLUMN("nx", NUMBER, is.direction.x,
           "way that B moves to get out of it: unit vector in A's frame, x"),
    COLUMN("ny", NUMBER, is.direction.y, "the same, y"),
    COLUMN("nz", NUMBER, is.direction.z, "the same, z"),
    COLUMN("depth_m", NUMBER, is.depth_m, "how far it has to move so"),
    COLUMN("area_m2", NUMBER, is.area_m2, "area of A's surface that the region takes"),
    COLUMN("loop", FLAG, loop, "1: it is bounded by closed curves of intersection"),
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

base_status bench_regions_write(const char *path, const bench_cell *cell, base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    const alg_region *next = cell->regions;
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(bench_regions_columns, &w);
    base_csv_end(&w);
    for (size_t f = 0; f < cell->frame_count; f++) {
        const size_t count = bench_regions_kept(&cell->details[f]);
        for (size_t i = 0; i < count; i++) {
            unsigned char loop; /* a plug-in may leave one there that is no bool */
            memcpy(&loop, &next->loop, 1);
            const region_row row = {f, i, *next++, loop == 1};
            bench_columns_put(bench_regions_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}
