#include "suite/simulate/summary.h"

#include "base/memory.h"
#include "geometry/vec.h"
#include "suite/results/cells.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/* --- Steps ------------------------------------------------------------------------------------ */

/** Sums over steps, and the end of the transient. */
typedef struct sums {
    double settled_s; /* infinite before the first touch */
    double force2, contacts, impulses;
    uint64_t touching;
} sums;

/** Raises *largest to `value`. NaN is ignored. */
static void take_largest(double value, double *largest)
{
    *largest = fmax(value, *largest);
}

/** Updates the row with the overlap at the end of a step. */
static void take_place(const bench_step_row *r, const sums *s, bench_simulation_row *row)
{
    take_largest(r->volume_m3, &row->volume_m3);
    take_largest(r->point_depth_m, &row->point_depth_m);
    if (r->step.t_s > s->settled_s) {
        take_largest(r->volume_m3, &row->volume_settled_m3);
        take_largest(r->point_depth_m, &row->point_depth_settled_m);
    }
}

/** Updates the sums and the row with the changes from the previous step. */
static void take_step(const scn_step *before, const scn_step *step, sums *s,
                      bench_simulation_row *row)
{
    if (step->touching && isnan(row->first_touch_s)) {
        row->first_touch_s = before->t_s;
        s->settled_s = before->t_s + BENCH_TRANSIENT_S;
    }
    const double force = vec3_norm(step->coupling_force_n);
    s->force2 += force * force;
    take_largest(force, &row->coupling_max_n);
    take_largest(step->contact_work_j, &row->made_j);
    row->moved_j += fabs(step->coupling_work_j - before->coupling_work_j);
    row->toggles += before->number > 0 && before->touching != step->touching;
    row->cut += step->cut;
    if (step->touching) {
        s->touching++;
        s->contacts += (double)step->contact_count;
        s->impulses += (double)step->impulse_count;
    }
}

/**
 * Sets the 99th percentile of the change of the coupling's force between computed steps (from step
 * 1 on).
 */
static base_status find_change(const bench_step_row *steps, size_t count, double *p99_n,
                               base_error *err)
{
    if (count < 3) {
        return BASE_OK;
    }
    double *const changes = base_alloc(count - 2, sizeof *changes);
    if (!changes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 2; i < count; i++) {
        changes[i - 2] =
            vec3_distance(steps[i - 1].step.coupling_force_n, steps[i].step.coupling_force_n);
    }
    bench_stats_sort_numbers(changes, count - 2);
    *p99_n = bench_stats_percentile_number(changes, count - 2, 99);
    base_free(changes);
    return BASE_OK;
}

static bool has_status(const bench_simulation_row *row, bench_status status)
{
    return strcmp(row->status, bench_status_name(status)) == 0;
}

/** A fault counts at once. Its absence is known only after the whole scene. */
static uint64_t judge(const bench_simulation_row *row, bool fault)
{
    const bool ended = has_status(row, BENCH_CELL_OK) || has_status(row, BENCH_CELL_UNSCALED);
    return fault || ended ? fault : UINT64_MAX;
}

/** Sets the results that depend on all steps. */
static void conclude(const sums *s, const bench_passed *passed, bench_simulation_row *row)
{
    row->coupling_rms_n = sqrt(s->force2 / (double)row->steps);
    row->passive = judge(row, row->made_j > BENCH_PASSIVE_SHARE * row->moved_j);
    if (row->passive != UINT64_MAX) {
        row->passive = !row->passive;
    }
    row->through = judge(row, passed->through);
    row->passed_share = passed->share;
    if (strcmp(row->response, "impulses") == 0 && s->touching > 0) {
        row->contacts_mean = s->contacts / (double)s->touching;
        row->impulses_mean = s->impulses / (double)s->touching;
    }
}

base_status bench_simulation_sum_up(const bench_step_row *steps, size_t count,
                                    const bench_passed *passed, bench_simulation_row *row,
                                    base_error *err)
{
    sums s = {.settled_s = INFINITY};
    row->steps = count > 0 ? count - 1 : 0;
    row->passive = row->through = row->chatter = UINT64_MAX;
    row->toggles = row->cut = row->beyond = 0;
    row->first_touch_s = row->point_depth_m = row->point_depth_settled_m = NAN;
    row->volume_m3 = row->volume_settled_m3 = row->passed_share = NAN;
    row->made_j = row->made_beyond_j = row->contact_work_j = row->moved_j = NAN;
    row->coupling_rms_n = row->coupling_max_n = row->change_p99_n = NAN;
    row->contacts_mean = row->impulses_mean = NAN;
    if (row->steps == 0) {
        return BASE_OK;
    }
    row->made_j = row->moved_j = 0;
    take_place(&steps[0], &s, row);
    for (size_t i = 1; i < count; i++) {
        take_step(&steps[i - 1].step, &steps[i].step, &s, row);
        take_place(&steps[i], &s, row);
        row->beyond += steps[i].beyond;
    }
    row->contact_work_j = steps[count - 1].step.contact_work_j;
    conclude(&s, passed, row);
    return find_change(steps, count, &row->change_p99_n, err);
}

/** Returns the row of exact-volume on the same scene, or NULL if it did not finish. */
static const bench_simulation_row *find_reference(const bench_simulation_row *rows, size_t count,
                                                  const char *scene)
{
    for (size_t k = 0; k < count; k++) {
        if (strcmp(rows[k].variant, "exact-volume") == 0 && has_status(&rows[k], BENCH_CELL_OK) &&
            strcmp(rows[k].scene, scene) == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

void bench_simulation_compare(bench_simulation_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bench_simulation_row *const row = &rows[i];
        const bench_simulation_row *const reference = find_reference(rows, count, row->scene);
        row->chatter = UINT64_MAX;
        row->made_beyond_j = NAN;
        if (reference && !has_status(row, BENCH_CELL_UNSCALED)) {
            const uint64_t usual = reference->toggles;
            row->chatter = row->toggles > usual ? row->toggles - usual : 0;
            row->made_beyond_j = row->made_j > reference->made_j ? row->made_j - reference->made_j
                                 : isnan(row->made_j)            ? (double)NAN
                                                                 : 0;
        }
    }
}

/* --- Times ------------------------------------------------------------------------------------ */

/** Sets the median, the 99th percentile and the maximum. Sorts the values. */
static void take_order(uint64_t *values, size_t count, uint64_t *const to[3])
{
    bench_stats_sort(values, count);
    *to[0] = bench_stats_percentile(values, count, 50);
    *to[1] = bench_stats_percentile(values, count, 99);
    *to[2] = values[count - 1];
}

base_status bench_simulation_sum_up_times(const bench_step_time_row *times, size_t count,
                                          double step_s, bench_simulation_time_row *row,
                                          base_error *err)
{
    if (count == 0) {
        return BASE_OK;
    }
    uint64_t *const values = base_alloc(2 * count, sizeof *values);
    if (!values) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    row->steps = count;
    for (size_t i = 0; i < count; i++) {
        values[i] = times[i].query_ns;
        values[count + i] = times[i].response_ns;
        row->late += (double)(times[i].query_ns + times[i].response_ns) > 1e9 * step_s;
    }
    take_order(values, count,
               (uint64_t *const[]){&row->query_p50_ns, &row->query_p99_ns, &row->query_max_ns});
    take_order(
        values + count, count,
        (uint64_t *const[]){&row->response_p50_ns, &row->response_p99_ns, &row->response_max_ns});
    base_free(values);
    return BASE_OK;
}
