#include "suite/results/deadline.h"

#include "base/memory.h"
#include "suite/results/run_folder.h"

#include <math.h>
#include <stdlib.h>

/**
 * The limits of errors, in the order of the columns; the tolerance of the scenario follows. A wrong
 * answer is not within a limit, even if it is fast.
 */
static const double fixed_limits[] = {INFINITY, 0.01, 0.001};
enum { FIXED_COUNT = sizeof fixed_limits / sizeof *fixed_limits, LIMIT_COUNT = FIXED_COUNT + 1 };

/** A row of deadline.csv. */
typedef struct deadline_row {
    const char *scenario, *quantity, *variant, *file;
    const char *tolerance;
    uint64_t time_ns;
    double fractions[LIMIT_COUNT];
} deadline_row;

#define COLUMN(name, kind, unit, role, member, meaning)                                            \
    BENCH_COLUMN(name, kind, unit, role, deadline_row, member, 0, "", meaning)

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    COLUMN("quantity", QUANTITY, "", FACT, quantity, "distance, volume or contact"),
    COLUMN("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    COLUMN("time_ns", COUNT, "ns", COST, time_ns,
           "a time: a row for each at which more frames are done, in order"),
    COLUMN(
        "fraction_any_error", NUMBER, "1", COST, fractions[0],
        "share of the frames with an error (of contact, a verdict) whose median over warm passes "
        "is at most time_ns"),
    COLUMN("fraction_within_1pct", NUMBER, "1", COST, fractions[1],
           "the same, and with an error of at most 1 %: of the size for the distance, of the truth "
           "for the volume, and of contact with the right verdict"),
    COLUMN("fraction_within_0_1pct", NUMBER, "1", COST, fractions[2], "the same, at most 0.1 %"),
    COLUMN("file", FILE, "", FACT, file,
           BENCH_MEANS_FILE), /* gnuplot splits texts at commas even if they are quoted */
    COLUMN("fraction_within_tolerance", NUMBER, "1", COST, fractions[FIXED_COUNT],
           "the same, within the tolerance that the scenario names for the quantity; of the frames "
           "that it judges"),
    COLUMN("tolerance", TEXT, "", FACT, tolerance, "that tolerance, for people"),
};
const bench_columns bench_deadline_columns = {columns, sizeof columns / sizeof *columns};

typedef struct timed_error {
    uint64_t time_ns;
    double error;
    double within; /* within the tolerance of the scenario: 1 or 0; NaN: not judged by it */
} timed_error;

static int by_time(const void *a, const void *b)
{
    const timed_error *const x = a, *const y = b;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/**
 * Returns the error of the frame; for a quantity without an error, 1 if its verdict is wrong. NaN:
 * not judged.
 */
static double error_of(const bench_judgement *judgement, int quantity)
{
    return bench_quantities[quantity].error != BENCH_NO_ERROR
               ? judgement->errors[bench_quantities[quantity].error]
               : bench_verdict_wrong(judgement->verdict);
}

/** Collects the frames that have an error, sorted by their median time. Returns their number. */
static size_t gather(const bench_cell *cell, int quantity, timed_error *frames)
{
    size_t count = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        const double error = error_of(j, quantity);
        const double within = bench_tolerance_holds(&cell->tolerances.of[quantity], j->errors,
                                                    bench_verdict_wrong(j->verdict));
        if (!isnan(error)) {
            const bench_frame_time t =
                bench_cell_frame_time(cell->warm_ns, cell->warm_count, cell->frame_count, f);
            frames[count++] = (timed_error){t.median_ns, fabs(error), within};
        }
    }
    qsort(frames, count, sizeof *frames, by_time);
    return count;
}

static void put_profile(FILE *file, const bench_cell *cell, int quantity, const timed_error *frames,
                        size_t count)
{
    size_t within[LIMIT_COUNT] = {0}, judged[LIMIT_COUNT] = {count, count, count, 0};
    char name[BENCH_CONTESTANT_NAME_BYTES], tolerance[BENCH_TOLERANCE_BYTES];
    bench_variant_file(cell->name, name, sizeof name);
    bench_tolerance_describe(&cell->tolerances.of[quantity], tolerance);
    base_csv_writer w = {.file = file};
    for (size_t i = 0; i < count; i++) {
        judged[FIXED_COUNT] += isnan(frames[i].within) ? 0 : 1;
    }
    for (size_t i = 0; i < count; i++) {
        deadline_row row = {.scenario = cell->scenario,
                            .quantity = alg_quantity_names[quantity],
                            .variant = cell->name,
                            .file = name,
                            .tolerance = tolerance,
                            .time_ns = frames[i].time_ns};
        for (int t = 0; t < LIMIT_COUNT; t++) {
            within[t] +=
                t < FIXED_COUNT ? frames[i].error <= fixed_limits[t] : frames[i].within > 0;
            row.fractions[t] = (double)within[t] / (double)judged[t];
        }
        if (i + 1 == count || frames[i + 1].time_ns != frames[i].time_ns) { /* one row per time */
            bench_columns_put(bench_deadline_columns, &row, &w);
            base_csv_end(&w);
        }
    }
}

base_status bench_deadline_put(FILE *file, const bench_cell *cell, base_error *err)
{
    if (cell->warm_count == 0) {
        return BASE_OK;
    }
    timed_error *const frames = base_alloc(cell->frame_count, sizeof *frames);
    if (!frames) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", cell->frame_count);
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (cell->quantities & 1u << q) {
            put_profile(file, cell, q, frames, gather(cell, q, frames));
        }
    }
    base_free(frames);
    return BASE_OK;
}
