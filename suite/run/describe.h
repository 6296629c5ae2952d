/** Facts of a run for its manifest. */
#ifndef SUITE_DESCRIBE_H
#define SUITE_DESCRIBE_H

#include "suite/results/manifest.h"
#include "suite/run/stage.h"

/**
 * Writes the manifest's beginning, all that is known before the first pass. A run that is resumed
 * keeps the time at which it was begun.
 * Errors: those of bench_manifest_create and bench_manifest_publish.
 */
base_status bench_describe_run(const bench_run_options *options, const bench_clock_cost *clock,
                               bench_manifest **manifest, base_error *err) BASE_MUST_CHECK;

/** Inputs, truth and plan of a scenario. */
void bench_describe_stage(const bench_stage *stage, bench_manifest *manifest);

/** How the workers were set apart: the same for all. False when none was started. */
bool bench_describe_workers(const bench_stage *stage, bench_manifest *manifest);

#endif
