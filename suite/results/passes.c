/** passes.csv and launches.csv: what of a cell was measured when. */
#include "base/csv.h"
#include "base/memory.h"
#include "suite/results/figures.h"
#include "suite/run/run.h"

static void put_names(base_csv_writer *w, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        base_csv_put_text(w, names[i]);
    }
    base_csv_end(w);
}

/* --- passes.csv ------------------------------------------------------------------------------- */

static const char *const pass_columns[] = {
    "scenario",
    "variant",
    "baseline",
    "block",
    "launch",
    "round",
    "position",
    "protocol",
    "contaminated",
    "query_ns",
    "p50_ns",
    "p99_ns",
    "max_ns",
    "involuntary_switches_count",
    "major_faults_count",
    "minor_faults_count",
    "alloc_count",
    "output_bytes",
    "rss_bytes",
    "instructions_count",
    "cycles_count",
    "cache_misses_count",
    "answers_hash",
    "file",
};

void bench_passes_header(FILE *file)
{
    base_csv_writer w = {.file = file};
    put_names(&w, pass_columns, sizeof pass_columns / sizeof *pass_columns);
}

/** UINT64_MAX: not available. */
static void put_available(base_csv_writer *w, uint64_t value)
{
    value != UINT64_MAX ? base_csv_put_count(w, value) : base_csv_put_empty(w);
}

static void passes_row(base_csv_writer *w, const bench_cell *cell, const char *file,
                       const bench_pass_row *row)
{
    const bench_pass *const pass = &row->pass;
    const bench_pass_cost *const cost = &pass->cost;
    base_csv_put_text(w, cell->scenario);
    base_csv_put_text(w, cell->name);
    base_csv_put_text(w, cell->baseline);
    base_csv_put_count(w, pass->block);
    base_csv_put_count(w, pass->launch);
    base_csv_put_count(w, pass->round);
    base_csv_put_count(w, pass->position);
    base_csv_put_text(w, bench_protocol_name((bench_protocol)pass->protocol));
    base_csv_put_count(w, row->contaminated);
    const uint64_t numbers[] = {cost->query_ns,
                                row->p50_ns,
                                row->p99_ns,
                                row->max_ns,
                                cost->involuntary_switches,
                                cost->major_faults,
                                cost->minor_faults,
                                cost->allocations,
                                cost->output_bytes,
                                cost->rss_bytes,
                                cost->instructions,
                                cost->cycles,
                                cost->cache_misses};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        put_available(w, numbers[i]);
    }
    base_csv_put_text(w, base_hash_format(pass->answers_hash).hex);
    base_csv_put_text(w, file);
    base_csv_end(w);
}

void bench_passes_rows(FILE *file, const bench_cell *cell)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    bench_variant_file(cell->name, name, sizeof name);
    for (size_t i = 0; i < cell->pass_count; i++) {
        passes_row(&w, cell, name, &cell->passes[i]);
    }
}

/* --- launches.csv ----------------------------------------------------------------------------- */

static const char *const launch_columns[] = {
    "scenario", "variant",  "baseline", "block",  "launch", "protocol",
    "rounds",   "query_ns", "p50_ns",   "p99_ns", "max_ns", "file",
};

void bench_launches_header(FILE *file)
{
    base_csv_writer w = {.file = file};
    put_names(&w, launch_columns, sizeof launch_columns / sizeof *launch_columns);
}

static void launches_row(base_csv_writer *w, const bench_cell *cell, const char *file,
                         const bench_launch *launch)
{
    base_csv_put_text(w, cell->scenario);
    base_csv_put_text(w, cell->name);
    base_csv_put_text(w, cell->baseline);
    base_csv_put_count(w, launch->block);
    base_csv_put_count(w, launch->launch);
    base_csv_put_text(w, bench_protocol_name(launch->protocol));
    base_csv_put_count(w, launch->rounds);
    base_csv_put_count(w, launch->query_ns);
    base_csv_put_count(w, launch->p50_ns);
    base_csv_put_count(w, launch->p99_ns);
    base_csv_put_count(w, launch->max_ns);
    base_csv_put_text(w, file);
    base_csv_end(w);
}

base_status bench_launches_rows(FILE *file, const bench_cell *cell, base_error *err)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    uint64_t *const medians = base_alloc(cell->frame_count, sizeof *medians);
    if (!medians) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the times of %zu frames",
                         cell->frame_count);
    }
    bench_variant_file(cell->name, name, sizeof name);
    for (bench_protocol p = BENCH_WARM; p <= BENCH_EVICTED; p++) {
        bench_launch launch;
        for (size_t at = 0; bench_cell_launch(cell, p, &at, medians, &launch);) {
            launches_row(&w, cell, name, &launch);
        }
    }
    base_free(medians);
    return BASE_OK;
}
