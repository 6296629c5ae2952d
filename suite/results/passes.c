#include "suite/results/passes.h"

#include "suite/results/names.h"

/** A row of the file. */
typedef struct pass_row {
    const char *scenario, *variant, *baseline, *protocol, *answers_hash, *file;
    uint64_t block, launch, round, position;
    bench_pass_row pass;
} pass_row;

#define COLUMN(name, kind, member) BENCH_COLUMN(name, kind, pass_row, member, 0)

static const bench_column columns[] = {
    COLUMN("scenario", SCENARIO, scenario),
    COLUMN("variant", CONTESTANT, variant),
    COLUMN("baseline", BASELINE, baseline),
    COLUMN("block", COUNT, block),
    COLUMN("launch", COUNT, launch),
    COLUMN("round", COUNT, round),
    COLUMN("position", COUNT, position),
    COLUMN("protocol", PROTOCOL, protocol),
    COLUMN("contaminated", FLAG, pass.contaminated),
    COLUMN("query_ns", COUNT_IF, pass.pass.cost.query_ns),
    COLUMN("p50_ns", COUNT_IF, pass.p50_ns),
    COLUMN("p99_ns", COUNT_IF, pass.p99_ns),
    COLUMN("max_ns", COUNT_IF, pass.max_ns),
    COLUMN("involuntary_switches_count", COUNT_IF, pass.pass.cost.involuntary_switches),
    COLUMN("major_faults_count", COUNT_IF, pass.pass.cost.major_faults),
    COLUMN("minor_faults_count", COUNT_IF, pass.pass.cost.minor_faults),
    COLUMN("alloc_count", COUNT_IF, pass.pass.cost.allocations),
    COLUMN("output_bytes", COUNT_IF, pass.pass.cost.output_bytes),
    COLUMN("rss_bytes", COUNT_IF, pass.pass.cost.rss_bytes),
    COLUMN("instructions_count", COUNT_IF, pass.pass.cost.instructions),
    COLUMN("cycles_count", COUNT_IF, pass.pass.cost.cycles),
    COLUMN("cache_misses_count", COUNT_IF, pass.pass.cost.cache_misses),
    COLUMN("answers_hash", WORD, answers_hash),
    COLUMN("file", FILE, file),
};
const bench_columns bench_passes_columns = {columns, sizeof columns / sizeof *columns};

void bench_passes_put(FILE *file, const bench_cell *cell)
{
    char name[BENCH_CONTESTANT_NAME_BYTES];
    base_csv_writer w = {.file = file};
    bench_variant_file(cell->name, name, sizeof name);
    for (size_t i = 0; i < cell->pass_count; i++) {
        const bench_pass *const pass = &cell->passes[i].pass;
        const base_hash_text hash = base_hash_format(pass->answers_hash);
        const pass_row row = {.scenario = cell->scenario,
                              .variant = cell->name,
                              .baseline = cell->baseline,
                              .protocol = bench_protocol_name((bench_protocol)pass->protocol),
                              .answers_hash = hash.hex,
                              .file = name,
                              .block = pass->block,
                              .launch = pass->launch,
                              .round = pass->round,
                              .position = pass->position,
                              .pass = cell->passes[i]};
        bench_columns_put(bench_passes_columns, &row, &w);
        base_csv_end(&w);
    }
}
