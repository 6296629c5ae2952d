#include "suite/inputs/prepared.h"

#include "suite/run/timing.h"

#include <math.h>

static bench_built nothing_built(void)
{
    bench_built built = {.load_ns = UINT64_MAX};
    for (size_t i = 0; i < ALG_FACTS_MAX; i++) {
        built.info.facts[i] = NAN;
    }
    return built;
}

alg_status bench_prepare(const alg_variant *variant, const alg_mesh *mesh, alg_role role,
                         void **prepared, bench_built *built, alg_message *message)
{
    *built = nothing_built();
    *prepared = NULL;
    const uint64_t start = bench_clock_ns();
    const alg_status status = variant->algorithm->prepare(&variant->settings, mesh, role, prepared,
                                                          &built->info, message);
    built->build_ns = bench_clock_ns() - start;
    return status;
}
