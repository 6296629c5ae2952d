/** Digests of made-up runs: ratios, intervals, and warnings of disturbed machines. */
#include "base/tests/support.h"
#include "suite/compare/digest.h"
#include "suite/tests/compare_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** Adds a cell with its launches, whose p99 is `factor` times that of the cell. */
static bench_cell_row *put_cell(made_up *m, const char *variant, const char *baseline,
                                double p99_ns, double factor)
{
    const bench_cell_row cell = {.scenario = "s",
                                 .variant = variant,
                                 .baseline = baseline,
                                 .contract = "distance=exact",
                                 .file = variant,
                                 .time_p99_ns = p99_ns,
                                 .verdicts = {[BENCH_TRUE_NEGATIVE] = 9}};
    return put_timed_cell(m, &cell, 0, factor * p99_ns);
}

static void put_fact(made_up *m, const char *section, const char *key, const char *value)
{
    m->facts[m->record.fact_count++] = (bench_fact){section, key, value};
}

/** Adds a baseline, its twin, and a variant that takes a tenth of its time. */
static void put_three(made_up *m, double factor)
{
    put_cell(m, "exact", "", 1000, 1);
    put_cell(m, "exact@twin", "exact", 1000, 1);
    put_cell(m, "rough", "exact", 100, factor);
}

/** Makes the digest of a run, and its sentence on noise. */
static bench_digest make_digest(const made_up *m, char line[BENCH_DIGEST_LINE_BYTES])
{
    bench_front front;
    bench_digest digest;
    bench_comparisons list;
    assert_ok(bench_front_make(&m->record, BENCH_OWN_TOLERANCE, &front, ERR));
    assert_ok(bench_digest_make(&m->record, &front, &digest, ERR));
    assert_ok(bench_comparisons_make(&m->record, NULL, &list, ERR));
    bench_digest_noise_text(&digest, &m->record, &list, line);
    bench_comparisons_release(&list);
    bench_front_release(&front);
    return digest;
}

Test(compare_digest, the_ratio_is_that_of_the_times_shown)
{
    static const struct {
        double factor, lo, hi;
        bool disturbed;
    } cases[] = {
        {1, 0.1, 0.1, false},
        {1.05, 0.1, 0.105, false}, /* fewer rounds give a larger percentile */
        {0.95, 0.095, 0.1, false},
        {8, 0.1, 0.8, true}, /* preemption in each launch */
        {0.5, 0.05, 0.1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_up m = {0};
        char line[BENCH_DIGEST_LINE_BYTES];
        put_three(&m, cases[i].factor);
        bench_digest digest = make_digest(&m, line);
        cr_assert_eq(digest.count, 2u);
        cr_assert(isnan(digest.rows[0].ratio));
        const bench_digest_row *const r = &digest.rows[1];
        cr_assert_float_eq(r->ratio, 0.1, 1e-12, "%g", r->ratio);
        cr_assert_float_eq(r->lo, cases[i].lo, 1e-12, "%zu: %g", i, r->lo);
        cr_assert_float_eq(r->hi, cases[i].hi, 1e-12, "%zu: %g", i, r->hi);
        cr_assert_eq(r->disturbed, cases[i].disturbed, "%zu", i);
        cr_assert_eq(*line != '\0', cases[i].disturbed, "%zu: %s", i, line);
        bench_digest_release(&digest);
    }
}

Test(compare_digest, a_busy_machine_is_reported)
{
    static const struct {
        const char *load, *cpus;
        double twin; /* time of the twin / time of the baseline */
        const char *line;
    } cases[] = {
        {"2.99 1 1", "2", 1, ""},
        {"3.50 1 1", "2", 1,
         "The machine was busy (load 3.5 on 2 CPUs): times are not comparable."},
        {"3.50 1 1", "4", 1, ""},
        {"unknown", "2", 1, ""},
        {"3.50 1 1", "unknown", 1, ""},
        {"0.1 0.1 0", "2", 1.09, ""},
        {"0.1 0.1 0", "2", 1.12,
         "The machine was busy (A/A 1.120..1.120): times are not comparable."},
        {"0.1 0.1 0", "2", 0.8,
         "The machine was busy (A/A 0.800..0.800): times are not comparable."},
        {"9 9 9", "2", 0.8,
         "The machine was busy (load 9.0 on 2 CPUs; A/A 0.800..0.800): times are not comparable."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_up m = {0};
        char line[BENCH_DIGEST_LINE_BYTES];
        put_three(&m, 1);
        put_fact(&m, "machine", "load_average", cases[i].load);
        put_fact(&m, "machine", "cpus_online", cases[i].cpus);
        for (size_t l = 0; l < LAUNCHES; l++) {
            m.launches[m.cells[1].first_launch[0] + l].query_ns *= cases[i].twin;
        }
        bench_digest digest = make_digest(&m, line);
        cr_assert_str_eq(line, cases[i].line);
        bench_digest_release(&digest);
    }
}

/**
 * If no bodies overlap, every volume is 0, so each method that answers 0 is exact and there is no
 * row.
 */
Test(compare_digest, bodies_that_never_overlap_have_no_row)
{
    static const struct {
        const char *quantity;
        uint64_t overlapping, apart;
        bool named; /* the sentence names the scenario */
    } cases[] = {
        {"distance", 0, 9, false},        {"volume", 0, 9, true}, {"volume+force", 0, 9, true},
        {"depth", 1, 8, false},           {"depth", 0, 0, false}, /* no verdict is known */
        {"distance+volume", 0, 9, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_up m = {0};
        char line[BENCH_DIGEST_LINE_BYTES];
        put_three(&m, 1);
        for (size_t c = 0; c < m.record.cell_count; c++) {
            m.cells[c].quantity = cases[i].quantity;
            m.cells[c].verdicts[BENCH_FALSE_NEGATIVE] = cases[i].overlapping;
            m.cells[c].verdicts[BENCH_TRUE_NEGATIVE] = cases[i].apart;
        }
        bench_digest_apart_text(&m.record, line);
        cr_assert_str_eq(line, cases[i].named
                                   ? "No frame overlaps in s: volume, depth and force are "
                                     "0, so they are left out."
                                   : "");
        for (size_t c = 0; c < m.record.cell_count; c++) {
            m.cells[c].errors[BENCH_VOLUME_ERROR_REL][BENCH_MEAN] = 0;
            m.cells[c].errors[BENCH_VOLUME_ERROR_REL][BENCH_MAX] = 0;
            m.cells[c].errors[BENCH_DEPTH_WORSE_REL][BENCH_MEAN] = 0;
            m.cells[c].errors[BENCH_DEPTH_WORSE_REL][BENCH_MAX] = 0;
        }
        bench_digest digest = make_digest(&m, line);
        cr_assert_eq(digest.count > 0, !cases[i].named, "%zu: %zu rows", i, digest.count);
        bench_digest_release(&digest);
    }
}

/**
 * A pair from the command line needs a comparison of all variants; an experiment needs a selection
 * of them.
 */
Test(compare_digest, a_pair_of_ones_own_has_a_row_for_each_variant)
{
    static const char *const experiments[] = {"bench", "own"};
    for (size_t i = 0; i < 2; i++) {
        made_up m = {0};
        char line[BENCH_DIGEST_LINE_BYTES];
        put_three(&m, 1);
        put_cell(&m, "slow", "exact", 3000, 1);
        put_cell(&m, "slower", "exact", 4000, 1);
        put_fact(&m, "run", "experiment", experiments[i]);
        bench_digest digest = make_digest(&m, line);
        cr_assert_eq(digest.count, i == 0 ? 2u : 4u, "%zu rows", digest.count);
        if (i == 1) {
            cr_assert_str_eq(digest.rows[2].role, "");
            cr_assert_float_eq(digest.rows[2].ratio, 3, 1e-12);
            cr_assert_float_eq(digest.rows[3].ratio, 4, 1e-12);
        }
        bench_digest_release(&digest);
    }
}
