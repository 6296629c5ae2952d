/**
 * The page of a report: one HTML file that contains everything it shows and requests nothing. Its
 * parts are the files report/report.html, report.css and report.js (suite/share.h), three.js if it
 * is installed, and the data of the runs as JSON.
 */
#ifndef SUITE_REPORT_PAGE_H
#define SUITE_REPORT_PAGE_H

#include "suite/report/tables.h"

/**
 * Writes the page of one or more runs, which are shown side by side. Bodies that cannot be opened,
 * or are not those of the run, and a missing three.js leave out 3D; the page and a warning give the
 * reason.
 *
 * cache   folder of built bodies, or NULL
 * Errors  BASE_ERR_SYSTEM, BASE_ERR_MEMORY; BASE_ERR_INPUT for a file of a run or a part of the
 *         page that cannot be read.
 */
base_status bench_page_write(const char *path, const bench_page_run *runs, size_t count,
                             const char *cache, base_error *err) BASE_MUST_CHECK;

#endif
