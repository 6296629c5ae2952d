#include "suite/compare/front.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double rounded(double error)
{
    return error <= BENCH_EXACT_ERROR ? 0 : error;
}

static base_status add_point(const bench_cell_row *cell, alg_quantity quantity, bench_front *front,
                             base_error *err)
{
    void *points = front->points;
    const base_status status =
        base_grow(&points, &front->capacity, front->count + 1, sizeof *front->points, err);
    front->points = points;
    if (status == BASE_OK) {
        front->points[front->count++] = (bench_point){
            .cell = cell,
            .quantity = quantity,
            .time_ns = cell->time_p99_ns,
            .error_mean = rounded(bench_cell_row_error(cell, quantity, false)),
            .error_max = rounded(bench_cell_row_error(cell, quantity, true)),
        };
    }
    return status;
}

static base_status add_points(const bench_record *r, bench_front *front, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t first = 0, end; first < r->cell_count; first = end) {
        end = bench_record_scenario_end(r, first);
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            for (size_t i = first; i < end && status == BASE_OK; i++) {
                const bench_cell_row *const c = &r->cells[i];
                if (!c->twin && !c->left_out && bench_cell_row_is_ok(c) && !isnan(c->time_p99_ns) &&
                    !isnan(bench_cell_row_error(c, (alg_quantity)q, false))) {
                    status = add_point(c, (alg_quantity)q, front, err);
                }
            }
        }
    }
    return status;
}

static bool beats(const bench_point *a, const bench_point *b)
{
    return a->time_ns <= b->time_ns && a->error_mean <= b->error_mean &&
           (a->time_ns < b->time_ns || a->error_mean < b->error_mean);
}

static int by_time(const void *a, const void *b)
{
    const bench_point *const x = a, *const y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns < y->time_ns ? -1 : 1;
    }
    if (x->error_mean != y->error_mean) {
        return x->error_mean < y->error_mean ? -1 : 1;
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static void judge_group(bench_point *points, size_t count, double tolerance)
{
    qsort(points, count, sizeof *points, by_time);
    double within_ns = INFINITY, exact_ns = INFINITY;
    for (size_t i = 0; i < count; i++) {
        points[i].on_front = true;
        for (size_t j = 0; j < count; j++) {
            points[i].on_front = points[i].on_front && !beats(&points[j], &points[i]);
        }
        if (points[i].error_max <= tolerance) {
            within_ns = fmin(within_ns, points[i].time_ns);
        }
        if (points[i].error_max <= 0) {
            exact_ns = fmin(exact_ns, points[i].time_ns);
        }
    }
    for (size_t i = 0; i < count; i++) {
        bench_point *const p = &points[i];
        p->fastest_within = p->error_max <= tolerance && p->time_ns <= within_ns;
        p->fastest_exact = p->error_max <= 0 && p->time_ns <= exact_ns;
    }
}

size_t bench_front_group_end(const bench_front *front, size_t first)
{
    const bench_point *const p = &front->points[first];
    size_t end = first;
    while (end < front->count && front->points[end].quantity == p->quantity &&
           strcmp(front->points[end].cell->scenario, p->cell->scenario) == 0) {
        end++;
    }
    return end;
}

base_status bench_front_make(const bench_record *record, double tolerance, bench_front *front,
                             base_error *err)
{
    *front = (bench_front){0};
    const base_status status = add_points(record, front, err);
    if (status != BASE_OK) {
        bench_front_release(front);
        return status;
    }
    for (size_t first = 0, end; first < front->count; first = end) {
        end = bench_front_group_end(front, first);
        judge_group(front->points + first, end - first, tolerance);
    }
    return BASE_OK;
}

void bench_front_release(bench_front *front)
{
    base_free(front->points);
    *front = (bench_front){0};
}
