#include "suite/compare/keep.h"

#include "suite/compare/front.h"
#include "suite/compare/report.h"
#include "suite/message.h"
#include "suite/output.h"

/** RUN/compare.csv or RUN/pareto.csv. */
static void keep(const char *run, const char *name, const bench_comparisons *list,
                 const bench_front *front)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_error err = {0};
    bench_output output;
    base_status status = bench_run_file(run, path, &err, "%s", name);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, &err);
    }
    if (status == BASE_OK) {
        status = list ? bench_report_ratios(list, true, BENCH_FORMAT_CSV, output.file, &err)
                      : bench_report_front(front, output.file, &err);
        status = bench_output_close(&output, status, &err);
    }
    if (status != BASE_OK) {
        bench_warn("%s", err.text);
    }
}

base_status bench_comparison_keep(const char *run, const bench_record *record, double tolerance,
                                  const bench_comparisons *list, base_error *err)
{
    bench_front front;
    const base_status status = bench_front_make(record, tolerance, &front, err);
    if (status == BASE_OK) {
        keep(run, "compare.csv", list, NULL);
        keep(run, "pareto.csv", NULL, &front);
        bench_front_release(&front);
    }
    return status;
}
