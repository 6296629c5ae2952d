#include "suite/compare/summary.h"

#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/* --- Winners ---------------------------------------------------------------------------------- */

/** The result of one scenario in one quantity. All members except `told` describe the winner. */
typedef struct victory {
    const bench_point *point; /* the fastest one within the tolerance; NULL if there is none */
    const bench_point *equal; /* one that is as fast within noise; NULL if there is none */
    size_t equals, others;    /* the number of such, and of all others within the tolerance */
    bench_comparison against; /* p99 against its baseline; no variant: it is the baseline itself */
    bench_claim told; /* BENCH_CLAIM_FASTER: the winner is faster than the others, by measurements
                         that A/A allows; else the reason why no winner is named */
} victory;

static base_status measure(const bench_record *record, const bench_cell_row *variant,
                           const bench_cell_row *baseline, double alpha, bench_comparison *c,
                           base_error *err)
{
    *c = (bench_comparison){
        .variant = variant, .baseline = baseline, .metric = BENCH_METRIC_P99, .alpha = alpha};
    return bench_comparison_measure(record, c, err);
}

/** Updates the result with the comparison of another point against the winner. */
static void count_other(const bench_comparison *c, const bench_point *other, victory *win)
{
    if (c->claim == BENCH_CLAIM_EQUAL) {
        win->equal = win->equals++ == 0 ? other : win->equal;
    } else if (c->claim != BENCH_CLAIM_SLOWER && win->told == BENCH_CLAIM_FASTER) {
        /* Another point that is faster launch by launch but slower overall leaves the result
         * open. */
        win->told = c->claim == BENCH_CLAIM_FASTER ? BENCH_CLAIM_EQUAL : c->claim;
    }
}

/** Compares the other points within the tolerance with the winner. */
static base_status measure_others(const bench_record *record, const bench_point *points,
                                  size_t count, double alpha, victory *win, base_error *err)
{
    for (size_t i = 0; i < count; i++) {
        bench_comparison c;
        if (&points[i] == win->point || !points[i].within) {
            continue;
        }
        const base_status status =
            measure(record, points[i].cell, win->point->cell, alpha, &c, err);
        if (status != BASE_OK) {
            return status;
        }
        count_other(&c, &points[i], win);
    }
    return BASE_OK;
}

/**
 * Finds the winner among the points of one scenario and quantity. Every other point within the
 * tolerance is compared with the winner in the launches that both were in.
 */
static base_status find_win(const bench_record *record, const bench_point *points, size_t count,
                            victory *win, base_error *err)
{
    *win = (victory){.told = BENCH_CLAIM_FASTER};
    for (size_t i = 0; i < count && !win->point; i++) {
        win->point = points[i].fastest_within ? &points[i] : NULL;
    }
    if (!win->point) {
        return BASE_OK;
    }
    const bench_cell_row *const winner = win->point->cell;
    const bench_cell_row *const baseline =
        *winner->baseline ? bench_record_find(record, winner->scenario, winner->baseline) : NULL;
    size_t comparisons = baseline != NULL;
    for (size_t i = 0; i < count; i++) {
        const bool other = &points[i] != win->point && points[i].within;
        win->others += other;
        comparisons += other && points[i].cell != baseline;
    }
    const double alpha = BENCH_JOINT_ALPHA / (double)(comparisons > 0 ? comparisons : 1);
    const base_status status = measure_others(record, points, count, alpha, win, err);
    if (status != BASE_OK || !baseline) {
        return status;
    }
    return measure(record, winner, baseline, alpha, &win->against, err);
}

/* --- Output ----------------------------------------------------------------------------------- */

/**
 * Prints ", 3.33 times as fast as 'brute' (p99; A/A 0.98..1.03)", or nothing if that is not
 * certain.
 */
static void print_against(const bench_comparison *c, FILE *file)
{
    if (!c->variant) {
        fputs(", the baseline", file);
        return;
    }
    if (c->claim == BENCH_CLAIM_FASTER) {
        fprintf(file, ", %s times as fast as", bench_ratio_text(1 / c->ratio.ratio).text);
    } else if (c->claim == BENCH_CLAIM_SLOWER) {
        fprintf(file, ", %s times the time of", bench_ratio_text(c->ratio.ratio).text);
    } else if (c->claim == BENCH_CLAIM_EQUAL) {
        fputs(", within noise as fast as", file);
    } else {
        return;
    }
    fprintf(file, " %s (p99; A/A %s..%s)", c->baseline->variant, bench_ratio_text(c->twin.lo).text,
            bench_ratio_text(c->twin.hi).text);
}

/** Prints "small/sphere, distance: "; only the parts that distinguish the lines. */
static void print_place(const bench_record *record, const bench_front *front, size_t first,
                        FILE *file)
{
    const bench_point *const p = &front->points[first];
    const bool scenarios = bench_record_scenario_end(record, 0) < record->cell_count;
    bool quantities = false;
    for (size_t i = 0; i < front->count; i++) {
        quantities = quantities || front->points[i].quantity != p->quantity;
    }
    fprintf(file, "%s%s%s%s", scenarios ? p->cell->scenario : "",
            scenarios && quantities ? ", " : "", quantities ? alg_quantity_names[p->quantity] : "",
            scenarios || quantities ? ": " : "");
}

/** Prints "fastest within 1 %: ist:voxels=32, ...". */
static void print_win(const victory *win, const bench_tolerance *tolerance, FILE *file)
{
    char limit[BENCH_TOLERANCE_BYTES];
    bench_tolerance_describe(tolerance, limit);
    if (!win->point) {
        fprintf(file, "no variant is within %s in every frame\n", limit);
        return;
    }
    fputs(win->point->unjudged_faster ? "of those judged, " : "", file);
    if (win->others > 0) {
        fprintf(file, "fastest within %s: %s", limit, win->point->cell->variant);
    } else {
        fprintf(file, "only %s is within %s", win->point->cell->variant, limit);
    }
    if (win->equals > 0) {
        fprintf(file, " (within noise as fast: %s", win->equal->cell->variant);
        if (win->equals > 1) {
            fprintf(file, " and %zu more", win->equals - 1);
        }
        fputs(")", file);
    }
    print_against(&win->against, file);
    fputs("\n", file);
}

/** The number of lines printed and left out. */
typedef struct tally {
    size_t groups, told, silent; /* silent: groups without a named winner */
    bench_claim reason;          /* reason for the first silent group */
} tally;

/** Prints the line of the group that begins at `first`. */
static base_status tell_group(const bench_record *record, const bench_front *front, size_t first,
                              tally *t, FILE *file, base_error *err)
{
    const size_t end = bench_front_group_end(front, first);
    victory win;
    bool judged = false;
    for (size_t i = first; i < end; i++) {
        judged = judged || front->points[i].state == BENCH_POINT_JUDGED;
    }
    if (!judged || !bench_point_is_asked(&front->points[first])) {
        return BASE_OK;
    }
    const base_status status = find_win(record, front->points + first, end - first, &win, err);
    if (status != BASE_OK) {
        return status;
    }
    t->groups++;
    if (win.told != BENCH_CLAIM_FASTER) {
        t->reason = t->silent++ == 0 ? win.told : t->reason;
    } else if (t->told++ < BENCH_SUMMARY_LINES) {
        fputs("proxbench: ", file);
        print_place(record, front, first, file);
        print_win(&win, &front->points[first].tolerance, file);
    }
    return BASE_OK;
}

static void print_rest(const bench_record *record, const tally *t, FILE *file)
{
    if (t->told > BENCH_SUMMARY_LINES) {
        fprintf(file, "proxbench: ... and %zu more like these\n", t->told - BENCH_SUMMARY_LINES);
    }
    if (t->silent > 0) {
        char reason[64];
        bench_claim_text(&(bench_comparison){.claim = t->reason}, reason, sizeof reason);
        fprintf(file, "proxbench: no fastest variant is named for %zu of %zu: %s\n", t->silent,
                t->groups, reason);
    }
    if (t->groups == 0) {
        fputs("proxbench: no error is known, so no fastest variant is named\n", file);
    }
    fprintf(file, "proxbench: 'proxbench compare %s' tells more\n", record->folder);
}

base_status bench_summary_print(const bench_record *record, double tolerance, FILE *file,
                                base_error *err)
{
    bench_front front;
    base_status status = bench_front_make(record, tolerance, &front, err);
    if (status != BASE_OK) {
        return status;
    }
    tally t = {0};
    for (size_t i = 0; i < front.count && status == BASE_OK; i = bench_front_group_end(&front, i)) {
        status = tell_group(record, &front, i, &t, file, err);
    }
    bench_front_release(&front);
    if (status == BASE_OK) {
        print_rest(record, &t, file);
    }
    return status;
}
