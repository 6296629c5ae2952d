#include "suite/compare/keep.h"

#include "suite/compare/builds.h"
#include "suite/compare/front.h"
#include "suite/compare/report.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/reference.h"

/** The content of a file; exactly one of ratios, front and builds is set. */
typedef struct contents {
    const bench_record *record;
    const bench_comparisons *ratios;
    const bench_front *front;
    const bench_build_ratios *builds;
} contents;

/** Writes RUN/compare.csv, RUN/pareto.csv or RUN/build_ratios.csv. */
static void keep(const char *run, const char *name, const contents *c)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_error err = {0};
    bench_output output;
    base_status status = bench_run_file(run, path, &err, "%s", name);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, &err);
    }
    if (status == BASE_OK) {
        status = c->ratios
                     ? bench_report_ratios(c->ratios, true, BENCH_FORMAT_CSV, output.file, &err)
                 : c->front ? bench_report_front(c->record, c->front, output.file, &err)
                            : bench_build_ratios_write(c->builds, output.file, &err);
        status = bench_output_close(&output, status, &err);
    }
    if (status != BASE_OK) {
        bench_warn("%s", err.text);
    }
}

/**
 * Writes build_ratios.csv. Nothing is written if the run has no build_launches.csv (older runs), or
 * if that file is invalid.
 */
static void keep_builds(const char *run)
{
    bench_build_ratios builds;
    base_error err = {0};
    if (bench_build_ratios_make(run, &builds, &err) != BASE_OK) {
        bench_warn("%s", err.text);
    } else if (builds.launches.columns > 0) {
        keep(run, "build_ratios.csv", &(contents){.builds = &builds});
    }
    bench_build_ratios_release(&builds);
}

base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err)
{
    bench_front front;
    const base_status status = bench_front_make(record, tolerance, &front, err);
    if (status == BASE_OK) {
        keep(run, "compare.csv", &(contents){.ratios = list});
        keep(run, "pareto.csv", &(contents){.record = record, .front = &front});
        keep_builds(run);
        bench_front_release(&front);
    }
    return status;
}
