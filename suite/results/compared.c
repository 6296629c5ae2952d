#include "suite/results/compared.h"

#define OF_COMPARE(name, kind, member) BENCH_COLUMN(name, kind, bench_compare_row, member, 0)

static const bench_column compare_columns[] = {
    OF_COMPARE("scenario", SCENARIO, scenario),
    OF_COMPARE("variant", CONTESTANT, variant),
    OF_COMPARE("baseline", BASELINE, baseline),
    OF_COMPARE("metric", WORD, metric),
    OF_COMPARE("protocol", PROTOCOL, protocol),
    OF_COMPARE("ratio", NUMBER, ratio),
    OF_COMPARE("lo", NUMBER, lo),
    OF_COMPARE("hi", NUMBER, hi),
    OF_COMPARE("level", NUMBER, level),
    OF_COMPARE("launches_count", COUNT, launches),
    OF_COMPARE("aa_lo", NUMBER, aa_lo),
    OF_COMPARE("aa_hi", NUMBER, aa_hi),
    OF_COMPARE("verdict", TEXT, verdict),
    OF_COMPARE("file", FILE, file),
};
const bench_columns bench_compare_columns = {compare_columns,
                                             sizeof compare_columns / sizeof *compare_columns};

#define OF_PARETO(name, kind, member) BENCH_COLUMN(name, kind, bench_pareto_row, member, 0)

static const bench_column pareto_columns[] = {
    OF_PARETO("scenario", SCENARIO, scenario),
    OF_PARETO("quantity", QUANTITY, quantity),
    OF_PARETO("variant", CONTESTANT, variant),
    OF_PARETO("time_p99_ns", NUMBER, time_p99_ns),
    OF_PARETO("error_mean", NUMBER, error_mean),
    OF_PARETO("error_max", NUMBER, error_max),
    OF_PARETO("on_front", FLAG, on_front),
    OF_PARETO("fastest_within", FLAG, fastest_within),
    OF_PARETO("fastest_exact", FLAG, fastest_exact),
    OF_PARETO("below_resolution", FLAG, below_resolution),
    OF_PARETO("file", FILE, file),
};
const bench_columns bench_pareto_columns = {pareto_columns,
                                            sizeof pareto_columns / sizeof *pareto_columns};
