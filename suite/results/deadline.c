/** deadline.csv: the share of frames answered within a time *and* within an error. */
#include "base/csv.h"
#include "base/memory.h"
#include "suite/results/figures.h"
#include "suite/run/run.h"

#include <math.h>
#include <stdlib.h>

/** A wrong answer never counts as fast, whatever its time. */
static const struct {
    const char *column;
    double error;
} tolerances[] = {
    {"fraction_any_error",     INFINITY},
    {"fraction_within_1pct",   0.01    },
    {"fraction_within_0_1pct", 0.001   },
};
enum { TOLERANCE_COUNT = sizeof tolerances / sizeof *tolerances };

typedef struct timed_error {
    uint64_t time_ns;
    double error;
} timed_error;

static int by_time(const void *a, const void *b)
{
    const timed_error *const x = a, *const y = b;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

void bench_deadline_header(FILE *file)
{
    base_csv_writer w = {.file = file};
    const char *const columns[] = {"scenario", "quantity", "variant", "time_ns"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        base_csv_put_text(&w, columns[i]);
    }
    for (int t = 0; t < TOLERANCE_COUNT; t++) {
        base_csv_put_text(&w, tolerances[t].column);
    }
    base_csv_put_text(&w, "file");
    base_csv_end(&w);
}

/** The frames that have an error, with their median time; returns how many. */
static size_t gather(const bench_cell *cell, bool by_volume, timed_error *frames)
{
    size_t count = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        const double error = by_volume ? j->volume_error_rel : j->distance_error_size;
        if (!isnan(error)) {
            const bench_frame_time t =
                bench_cell_frame_time(cell->warm_ns, cell->warm_count, cell->frame_count, f);
            frames[count++] = (timed_error){t.median_ns, fabs(error)};
        }
    }
    qsort(frames, count, sizeof *frames, by_time);
    return count;
}

static void put_profile(FILE *file, const bench_cell *cell, const char *quantity,
                        const timed_error *frames, size_t count)
{
    size_t within[TOLERANCE_COUNT] = {0};
    char name[BENCH_CONTESTANT_NAME_BYTES]; /* gnuplot cuts texts with commas, quoted or not */
    bench_variant_file(cell->name, name, sizeof name);
    base_csv_writer w = {.file = file};
    for (size_t i = 0; i < count; i++) {
        for (int t = 0; t < TOLERANCE_COUNT; t++) {
            within[t] += frames[i].error <= tolerances[t].error;
        }
        if (i + 1 < count && frames[i + 1].time_ns == frames[i].time_ns) {
            continue; /* one step per time */
        }
        base_csv_put_text(&w, cell->scenario);
        base_csv_put_text(&w, quantity);
        base_csv_put_text(&w, cell->name);
        base_csv_put_count(&w, frames[i].time_ns);
        for (int t = 0; t < TOLERANCE_COUNT; t++) {
            base_csv_put_number(&w, (double)within[t] / (double)count);
        }
        base_csv_put_text(&w, name);
        base_csv_end(&w);
    }
}

base_status bench_deadline_rows(FILE *file, const bench_cell *cell, base_error *err)
{
    if (cell->warm_count == 0) {
        return BASE_OK;
    }
    timed_error *const frames = base_alloc(cell->frame_count, sizeof *frames);
    if (!frames) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", cell->frame_count);
    }
    if (cell->quantities & ALG_WANT_DISTANCE) {
        put_profile(file, cell, "distance", frames, gather(cell, false, frames));
    }
    if (cell->quantities & ALG_WANT_VOLUME) {
        put_profile(file, cell, "volume", frames, gather(cell, true, frames));
    }
    base_free(frames);
    return BASE_OK;
}
