/** A run in memory, for tests of suite/compare/. */
#ifndef SUITE_TESTS_COMPARE_RUN_H
#define SUITE_TESTS_COMPARE_RUN_H

#include "suite/results/record.h"

#include <math.h>
#include <string.h>

enum { CELLS_MAX = 40, LAUNCHES = 9, FACTS_MAX = 3 };

typedef struct made_up {
    bench_record record;
    bench_cell_row cells[CELLS_MAX];
    bench_launch_row launches[CELLS_MAX * LAUNCHES];
    bench_fact facts[FACTS_MAX];
} made_up;

/** Adds a cell that asks for distances, with equal launches. error: of all frames. */
static inline bench_cell_row *put_timed_cell(made_up *m, const bench_cell_row *cell, double error,
                                             double launch_p99_ns)
{
    const char *const label = strchr(cell->variant, '@');
    m->record.cells = m->cells;
    m->record.launches = m->launches;
    m->record.facts = m->facts;
    bench_cell_row *const c = &m->cells[m->record.cell_count++];
    *c = *cell;
    c->status = "ok";
    c->quantity = "distance";
    c->twin = label && strcmp(label, "@twin") == 0;
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        c->errors[e][BENCH_MEAN] = c->errors[e][BENCH_MAX] = NAN;
    }
    c->errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MEAN] = error;
    c->errors[BENCH_DISTANCE_ERROR_SIZE][BENCH_MAX] = error;
    c->first_launch[0] = m->record.launch_count;
    c->launch_count[0] = LAUNCHES;
    for (size_t l = 0; l < LAUNCHES; l++) {
        m->launches[m->record.launch_count++] = (bench_launch_row){
            .cell = c, .launch = l, .query_ns = 5 * c->time_p99_ns, .p99_ns = launch_p99_ns};
    }
    return c;
}

#endif
