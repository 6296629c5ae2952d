/** Old code against new: the jobs. */
#include "base/memory.h"
#include "suite/clock.h"
#include "suite/commands/check.h"
#include "suite/message.h"
#include "suite/results/run_folder.h"

#include <math.h>
#include <string.h>

/* --- One job ---------------------------------------------------------------------------------- */

/** Runs a job. *interrupted: an interrupt ended it. */
static base_status run_job(const bench_run_options *options, bool *interrupted, base_error *err)
{
    int exit_status = BENCH_GOOD;
    const base_status status = bench_run(options, &exit_status, err);
    *interrupted = exit_status == BENCH_INTERRUPTED;
    return status == BASE_OK && exit_status == BENCH_INPUT
               ? base_fail(err, BASE_ERR_INPUT,
                           "nothing was compared: no variant answers the quantities")
               : status;
}

/** Makes a new folder in the folder of the first job. */
static base_status make_folder(const bench_check_job *job, const char *name,
                               char folder[BENCH_RUN_FOLDER_BYTES], base_error *err)
{
    char out[BENCH_RUN_FOLDER_BYTES];
    if ((size_t)snprintf(out, sizeof out, "%s/%s", job->run->directory, name) >= sizeof out) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the folder is too long");
    }
    return bench_run_folder(out, "", folder, err);
}

/* --- Launches --------------------------------------------------------------------------------- */

/** The requested number of launches: wishes[i] belongs to cells->items[i]. */
typedef struct launch_plan {
    const bench_against_cells *cells;
    size_t *wishes;
} launch_plan;

static size_t find_wish(const void *context, const char *scenario, const char *variant)
{
    const launch_plan *const plan = context;
    for (size_t i = 0; i < plan->cells->count; i++) {
        const bench_against_cell *const cell = &plan->cells->items[i];
        if (strcmp(cell->scenario, scenario) == 0 && strcmp(cell->variant, variant) == 0) {
            return plan->wishes[i];
        }
    }
    return 0;
}

/**
 * Returns the largest number of launches of one cell; passes of further launches are not stored.
 */
static size_t most_launches(const bench_run_options *run)
{
    const size_t kept = BENCH_PASSES_MAX / run->warm_rounds;
    return kept < SCN_LAUNCHES_MAX ? kept : SCN_LAUNCHES_MAX;
}

/**
 * Sets the next number of launches of each cell. It follows from the widths of its intervals, but
 * is at most twice the present number, because a width is an estimate, too. Returns the total
 * number of new launches. *wide: the number of cells whose intervals are too wide.
 */
static size_t wish_launches(const bench_check_job *job, launch_plan *plan, size_t *wide)
{
    const size_t most = most_launches(job->run);
    size_t added = 0;
    *wide = 0;
    for (size_t i = 0; i < plan->cells->count; i++) {
        const bench_against_cell *const cell = &plan->cells->items[i];
        const size_t there = cell->head.launches_count;
        size_t wish = bench_against_launches(&cell->head, &cell->twin, job->tolerance);
        *wide += wish > there;
        wish = wish < 2 * there ? wish : 2 * there;
        wish = wish < most ? wish : most;
        plan->wishes[i] = wish > there ? wish : there;
        added += plan->wishes[i] - there;
    }
    return added;
}

static size_t count_launches(const bench_against_cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        count += cells->items[i].head.launches_count;
    }
    return count;
}

/** Reduces the new launches to a share of them. Returns the number of new launches left. */
static size_t cut_wishes(launch_plan *plan, double share)
{
    size_t added = 0;
    for (size_t i = 0; i < plan->cells->count; i++) {
        const size_t there = plan->cells->items[i].head.launches_count;
        const size_t more = (size_t)((double)(plan->wishes[i] - there) * share);
        plan->wishes[i] = there + more;
        added += more;
    }
    return added;
}

/** Extends the first job in its folder, then reads its times again. */
static base_status add_launches(const bench_check_job *job, const launch_plan *plan,
                                bench_against_cells *cells, bool *interrupted, base_error *err)
{
    bench_run_options more = *job->run;
    more.resume = true;
    more.launches_of = find_wish;
    more.launches_context = plan;
    base_status status = run_job(&more, interrupted, err);
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    bench_against_cells longer;
    status = bench_against_read(job->run->directory, job->tolerance, &longer, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_against_release(cells);
    *cells = longer;
    return BASE_OK;
}

/** Time limit for adding launches, and the start of the job. */
typedef struct time_budget {
    uint64_t start_ns;
    double limit_s;
    bool reached;
} time_budget;

/** Returns the share of `added` launches that the time limit allows. */
static double affordable(const time_budget *budget, size_t made, size_t added)
{
    const double elapsed_s = (double)(bench_now_ns() - budget->start_ns) * 1e-9;
    const double left_s = budget->limit_s - elapsed_s;
    return left_s <= 0 || made == 0 ? 0
                                    : fmin(1, left_s / (elapsed_s / (double)made * (double)added));
}

/** Reduces the requested launches to those that the time limit allows. Returns their number. */
static size_t cut_to_budget(time_budget *budget, size_t made, size_t wished, launch_plan *plan)
{
    const double share = affordable(budget, made, wished);
    budget->reached = share < 1;
    return budget->reached ? cut_wishes(plan, share) : wished;
}

/** Adds launches once. *done: no launches are needed, or the time limit allows none. */
static base_status narrow_once(const bench_check_job *job, time_budget *budget,
                               bench_against_cells *cells, launch_plan *plan, bool *interrupted,
                               bool *done, base_error *err)
{
    size_t wide;
    const size_t made = count_launches(cells), wished = wish_launches(job, plan, &wide);
    const size_t added =
        wished > 0 && !budget->reached ? cut_to_budget(budget, made, wished, plan) : 0;
    if (added == 0) {
        *done = true;
        budget->reached = budget->reached && wide > 0;
        if (budget->reached) {
            bench_warn("the time limit of %g s is reached: the times of %zu of %zu cells are less "
                       "sure than the tolerance asks (--time-limit)",
                       budget->limit_s, wide, cells->count);
        }
        return BASE_OK;
    }
    const base_status status = add_launches(job, plan, cells, interrupted, err);
    *done = count_launches(cells) <= made; /* cells that died meanwhile get no further launches */
    return status;
}

/**
 * Adds launches until all intervals are narrow enough or the time limit is reached. Only the width
 * of the intervals decides (bench_against_launches), so adding launches gives no second chance for
 * a false alarm.
 */
static base_status narrow(const bench_check_job *job, time_budget *budget,
                          bench_against_cells *cells, bool *interrupted, base_error *err)
{
    base_status status = BASE_OK;
    bool done = budget->limit_s <= 0;
    while (status == BASE_OK && !done && !*interrupted) {
        launch_plan plan = {cells, base_alloc(cells->count + 1, sizeof *plan.wishes)};
        status = plan.wishes ? narrow_once(job, budget, cells, &plan, interrupted, &done, err)
                             : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        base_free(plan.wishes);
    }
    return status;
}

/* --- Repetition of cells that look slower ----------------------------------------------------- */

/** Names of variants and scenarios that look slower, each once, NULL-terminated. */
typedef struct suspects {
    const char **variants, **scenarios;
    size_t variant_count, scenario_count;
} suspects;

static void add_name(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    names[(*count)++] = name;
}

static base_status find_suspects(const bench_against_cells *cells, suspects *s, base_error *err)
{
    *s = (suspects){.variants = base_alloc(cells->count + 1, sizeof *s->variants),
                    .scenarios = base_alloc(cells->count + 1, sizeof *s->scenarios)};
    if (!s->variants || !s->scenarios) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (bench_against_is_suspect(&cells->items[i])) {
            add_name(s->variants, &s->variant_count, cells->items[i].variant);
            add_name(s->scenarios, &s->scenario_count, cells->items[i].scenario);
        }
    }
    return BASE_OK;
}

/**
 * Repeats the suspects with as many launches as the first job has, so that both jobs have the same
 * resolution.
 */
static base_status repeat(const bench_check_job *job, const suspects *s, const launch_plan *plan,
                          bench_against_cells *cells, bool *interrupted, base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = make_folder(job, "again", folder, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_run_options second = *job->run;
    second.directory = folder;
    second.algorithms = s->variants;
    second.scenarios = s->scenarios;
    second.launches_of = find_wish;
    second.launches_context = plan;
    status = run_job(&second, interrupted, err);
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    bench_against_cells again = {0};
    status = bench_against_read(folder, job->tolerance, &again, err);
    if (status == BASE_OK) {
        bench_against_confirm(cells, &again);
    }
    bench_against_release(&again);
    return status;
}

static base_status repeat_suspects(const bench_check_job *job, bench_against_cells *cells,
                                   bool *interrupted, base_error *err)
{
    suspects s;
    launch_plan plan = {cells, base_alloc(cells->count + 1, sizeof *plan.wishes)};
    base_status status = find_suspects(cells, &s, err);
    if (status == BASE_OK && !plan.wishes) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status == BASE_OK && s.variant_count > 0) {
        for (size_t i = 0; i < cells->count; i++) {
            plan.wishes[i] = cells->items[i].head.launches_count;
        }
        status = repeat(job, &s, &plan, cells, interrupted, err);
    }
    base_free(plan.wishes);
    base_free((void *)s.variants);
    base_free((void *)s.scenarios);
    return status;
}

/* --- Instructions ----------------------------------------------------------------------------- */

/**
 * Counts one pass of each variant under valgrind, in the folder "instructions". Valgrind takes
 * about fifty times as long, so the timeout is extended.
 */
static base_status count_instructions(const bench_check_job *job, bench_gate_report *report,
                                      bool *interrupted, base_error *err)
{
    static const double patience = 100;
    char folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = make_folder(job, "instructions", folder, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_mode mode = *job->run->mode;
    mode.timed = false;
    mode.warm_up_rounds = 0;
    mode.shuffled_rounds = 0;
    bench_run_options counting = *job->run;
    counting.mode = &mode;
    counting.directory = folder;
    counting.launches = 1;
    counting.warm_rounds = 1;
    counting.timeout_s *= patience;
    counting.count_instructions = true;
    status = run_job(&counting, interrupted, err);
    return status == BASE_OK && !*interrupted
               ? bench_against_instructions(folder, true, report, err)
               : status;
}

/** Uses the processor's own counters if the kernel allows it, else valgrind. */
static base_status ask_instructions(const bench_check_job *job, bench_gate_report *report,
                                    bool *interrupted, base_error *err)
{
    bool counted;
    const base_status status = bench_against_counted(job->run->directory, &counted, err);
    if (status != BASE_OK) {
        return status;
    }
    return counted || !job->instructions
               ? bench_against_instructions(job->run->directory, false, report, err)
               : count_instructions(job, report, interrupted, err);
}

/* --- All jobs --------------------------------------------------------------------------------- */

static base_status ask_times(const bench_check_job *job, const time_budget *budget,
                             bench_gate_report *report, bench_against_cells *cells,
                             bool *interrupted, base_error *err)
{
    const base_status status = repeat_suspects(job, cells, interrupted, err);
    if (status == BASE_OK && !*interrupted) {
        char limit[64];
        snprintf(limit, sizeof limit, "time limit of %g s reached", budget->limit_s);
        bench_against_ask(cells,
                          &(bench_against_question){.tolerance = job->tolerance,
                                                    .strict = job->strict,
                                                    .limit = budget->reached ? limit : NULL},
                          report);
    }
    return status;
}

base_status bench_check_run_jobs(const bench_check_job *job, bench_gate_report *report,
                                 bench_against_cells *cells, bool *interrupted, base_error *err)
{
    time_budget budget = {.start_ns = bench_now_ns(), .limit_s = job->time_limit_s};
    *cells = (bench_against_cells){0};
    base_status status = run_job(job->run, interrupted, err);
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    status = bench_against_read(job->run->directory, job->tolerance, cells, err);
    if (status != BASE_OK) {
        return status;
    }
    status = narrow(job, &budget, cells, interrupted, err);
    if (status != BASE_OK || *interrupted) {
        return status;
    }
    status = bench_against_answers(job->run->directory, report, err);
    if (status != BASE_OK) {
        return status;
    }
    status = ask_instructions(job, report, interrupted, err);
    return status == BASE_OK && !*interrupted
               ? ask_times(job, &budget, report, cells, interrupted, err)
               : status;
}
