/** `proxbench check`: the gate. Compares a run with its baseline, or new code with old code. */
#include "base/memory.h"
#include "base/process.h"
#include "suite/clock.h"
#include "suite/commands/command_line.h"
#include "suite/commands/commands.h"
#include "suite/compare/front.h"
#include "suite/gate/against.h"
#include "suite/gate/baseline.h"
#include "suite/gate/gate.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"
#include "suite/run/run.h"
#include "suite/share.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Option values of the command. */
typedef struct bench_check_arguments {
    const char *baseline, *junit, *markdown, *format, *accept;
    bool bless, force, same;
    /* old against new */
    const char *against, *against_plugin, *plugin, *algorithm, *scenario, *mode, *tolerance, *out,
        *cache;
    uint64_t launches, rounds; /* UINT64_MAX: not given */
    double timeout_s, time_limit_s;
    bool strict, instructions, no_cache, quiet;
} check_arguments;

/**
 * Sets the path of the baseline: that of --baseline, or that of the run's experiment. The latter is
 * searched in the current folder, where --bless writes it, and then among the files of the program.
 */
static base_status baseline_path(const check_arguments *args, const bench_gate_cells *run,
                                 char path[BENCH_SHARE_BYTES], base_error *err)
{
    if (!args->baseline && !*run->experiment) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "the manifest of '%s' names no experiment: give --baseline", run->folder);
    }
    char name[BENCH_SHARE_BYTES], shared[BENCH_SHARE_BYTES];
    snprintf(name, sizeof name, "reference/%s.csv", run->experiment);
    const int length = args->baseline
                           ? snprintf(path, BENCH_SHARE_BYTES, "%s", args->baseline)
                           : snprintf(path, BENCH_SHARE_BYTES, BENCH_BASELINE_DIRECTORY "/%s.csv",
                                      run->experiment);
    if (length >= BENCH_SHARE_BYTES) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the baseline is too long");
    }
    const bool own = access(path, F_OK) == 0 && !bench_share_data;
    if (!args->baseline && !args->bless && !own &&
        bench_share_path(name, shared, NULL) == BASE_OK) {
        memcpy(path, shared, sizeof shared);
    }
    return BASE_OK;
}

static base_status write_markdown(const bench_gate_report *report, const bench_against_cells *times,
                                  const char *name, const char *path, base_error *err)
{
    if (!path) {
        return BASE_OK;
    }
    char title[BENCH_RUN_FOLDER_BYTES + 32];
    snprintf(title, sizeof title, "proxbench check: %s", name);
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_gate_print_markdown(report, title, output.file);
    char not_compared[256];
    bench_gate_not_compared(report, times, not_compared, sizeof not_compared);
    fprintf(output.file, "\nNot compared: %s.\n", not_compared);
    if (times) {
        bench_against_print_markdown(times, output.file);
    }
    return bench_output_close(&output, BASE_OK, err);
}

/**
 * Prints the rows on standard output, and writes the requested files. times: those of old against
 * new, or NULL.
 */
static base_status write_report(const check_arguments *args, const bench_gate_report *report,
                                const bench_against_cells *times, const char *name, base_error *err)
{
    bench_format format;
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_print_rows(report, format, stdout, err);
    if (status != BASE_OK) {
        return status;
    }
    if (args->junit) {
        bench_output output;
        status = bench_output_open(args->junit, &output, err);
        if (status == BASE_OK) {
            bench_gate_print_junit(report, name, output.file);
            status = bench_output_close(&output, BASE_OK, err);
        }
    }
    return status == BASE_OK ? write_markdown(report, times, name, args->markdown, err) : status;
}

/**
 * Prints the last lines for people: what was not compared, the two sides of the comparison, and the
 * totals. job: true for old code against new.
 */
static void print_totals(const bench_gate_report *report, bool job, const char *run,
                         const char *baseline)
{
    char totals[512], not_compared[256];
    bench_gate_totals(report, totals, sizeof totals);
    bench_gate_not_compared(report, job, not_compared, sizeof not_compared);
    fflush(stdout);
    fprintf(stderr, "proxbench: not compared: %s\n", not_compared);
    fprintf(stderr, "proxbench: check of '%s' against '%s': %s\n", run, baseline, totals);
}

static base_status check(const check_arguments *args, const bench_gate_cells *run,
                         const char *baseline_file, int *exit_status, base_error *err)
{
    bench_gate_cells baseline = {0};
    bench_gate_report report = {.same = args->same};
    const char *const name = *run->experiment ? run->experiment : run->folder;
    struct stat file;
    if (stat(baseline_file, &file) != 0 && errno == ENOENT) {
        return base_fail(err, BASE_ERR_INPUT,
                         "there is no baseline '%s'; 'proxbench check --bless %s%s%s' makes it",
                         baseline_file, run->folder, args->baseline ? " --baseline " : "",
                         args->baseline ? args->baseline : "");
    }
    base_status status = args->accept ? bench_gate_accept(args->accept, &report, err) : BASE_OK;
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_read_baseline(baseline_file, &baseline, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bench_gate_check(&baseline, run, &report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = write_report(args, &report, NULL, name, err);
    if (status != BASE_OK) {
        goto done;
    }
    print_totals(&report, false, run->folder, baseline_file);
    *exit_status = bench_gate_exit_status(&report);
done:
    bench_gate_report_release(&report);
    bench_gate_cells_release(&baseline);
    return status;
}

/* --- Blessing --------------------------------------------------------------------------------- */

/** Makes the run the baseline, and prints the differences to the old baseline. */
static base_status bless(const check_arguments *args, const bench_gate_cells *run, const char *path,
                         base_error *err)
{
    bench_gate_report changes = {0};
    bench_gate_cells old = {0};
    base_error unreadable = {0};
    struct stat file;
    const bool existed = stat(path, &file) == 0; /* the old baseline exists */
    base_status compared = existed ? bench_gate_read_baseline(path, &old, &unreadable) : BASE_OK;
    if (existed && compared == BASE_OK) {
        compared = bench_gate_check(&old, run, &changes, &unreadable);
    }
    bench_gate_cells_release(&old);
    base_status status = bench_gate_bless(run, path, args->force, err);
    if (status == BASE_OK && compared != BASE_OK) {
        bench_warn("the old baseline cannot be compared: %s", unreadable.text);
    } else if (status == BASE_OK && existed) {
        bench_gate_print_changes(&changes, stdout);
    }
    if (status == BASE_OK) {
        fprintf(stderr, "proxbench: '%s' holds %zu cells of '%s' now\n", path, run->count,
                run->folder);
    }
    bench_gate_report_release(&changes);
    return status;
}

static base_status check_run(const check_arguments *args, const char *name, int *exit_status,
                             base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES], path[BENCH_SHARE_BYTES];
    bench_gate_cells run = {0};
    bench_format format;
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_run_find(name, folder, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_gate_read_run(folder, NULL, &run, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = baseline_path(args, &run, path, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = args->bless ? bless(args, &run, path, err) : check(args, &run, path, exit_status, err);
done:
    bench_gate_cells_release(&run);
    return status;
}

/* --- Old code against new: the jobs ----------------------------------------------------------- */

/** The jobs of a comparison, and their results. */
typedef struct jobs {
    const bench_run_options *run; /* the first job; borrowed */
    double tolerance, time_limit_s;
    bool strict, instructions;
    uint64_t start_ns;
    bool limit_reached;        /* the time limit did not allow all launches */
    bool interrupted;          /* an interrupt ended a job */
    bench_against_cells cells; /* times */
    size_t *launches;          /* requested number of launches of each cell; owned */
} jobs;

/** Runs one job. */
static base_status run_job(jobs *j, const bench_run_options *options, base_error *err)
{
    int exit_status = BENCH_GOOD;
    const base_status status = bench_run(options, &exit_status, err);
    j->interrupted = exit_status == BENCH_INTERRUPTED;
    return status == BASE_OK && exit_status == BENCH_INPUT
               ? base_fail(err, BASE_ERR_INPUT,
                           "nothing was compared: no variant answers the quantities")
               : status;
}

/** Makes a new folder in the folder of the first job. */
static base_status make_folder(const jobs *j, const char *name, char folder[BENCH_RUN_FOLDER_BYTES],
                               base_error *err)
{
    char out[BENCH_RUN_FOLDER_BYTES];
    if ((size_t)snprintf(out, sizeof out, "%s/%s", j->run->directory, name) >= sizeof out) {
        return base_fail(err, BASE_ERR_ARGUMENT, "the path of the folder is too long");
    }
    return bench_run_folder(out, "", folder, err);
}

static size_t find_launches(const void *context, const char *scenario, const char *variant)
{
    const jobs *const j = context;
    for (size_t i = 0; i < j->cells.count; i++) {
        const bench_against_cell *const cell = &j->cells.items[i];
        if (strcmp(cell->scenario, scenario) == 0 && strcmp(cell->variant, variant) == 0) {
            return j->launches[i];
        }
    }
    return 0;
}

/**
 * Requests the next number of launches of each cell. It is computed from the widths of the cell's
 * intervals. Since a width is only an estimate, it is at most twice the present number. Returns the
 * total number of new launches. *wide: the number of cells whose intervals are too wide.
 */
static size_t request_launches(jobs *j, size_t *wide)
{
    /* There is no room to store the passes of more launches. */
    const size_t stored = BENCH_PASSES_MAX / j->run->warm_rounds;
    const size_t most = stored < SCN_LAUNCHES_MAX ? stored : SCN_LAUNCHES_MAX;
    size_t added = 0;
    *wide = 0;
    for (size_t i = 0; i < j->cells.count; i++) {
        const bench_against_cell *const cell = &j->cells.items[i];
        const size_t present = cell->head.launches_count;
        size_t next = bench_against_launches(&cell->head, &cell->twin, j->tolerance);
        *wide += next > present;
        next = next < 2 * present ? next : 2 * present;
        next = next < most ? next : most;
        j->launches[i] = next > present ? next : present;
        added += j->launches[i] - present;
    }
    return added;
}

/**
 * Reduces `added` new launches to those that the time limit allows, in proportion for each cell.
 * made: the number of launches so far. Returns the number of new launches left.
 */
static size_t reduce_to_limit(jobs *j, size_t made, size_t added)
{
    const double elapsed_s = (double)(bench_now_ns() - j->start_ns) * 1e-9;
    const double left_s = j->time_limit_s - elapsed_s;
    const double share =
        left_s <= 0 || made == 0 ? 0 : fmin(1, left_s / (elapsed_s / (double)made * (double)added));
    j->limit_reached = share < 1;
    if (!j->limit_reached) {
        return added;
    }
    size_t left = 0;
    for (size_t i = 0; i < j->cells.count; i++) {
        const size_t present = j->cells.items[i].head.launches_count;
        const size_t more = (size_t)((double)(j->launches[i] - present) * share);
        j->launches[i] = present + more;
        left += more;
    }
    return left;
}

static size_t count_launches(const bench_against_cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        count += cells->items[i].head.launches_count;
    }
    return count;
}

/**
 * Adds the launches that are needed to the first job, in its folder, and reads its times again.
 * *done: no launches are needed, the time limit allows none, or no launch was added.
 */
static base_status add_launches(jobs *j, bool *done, base_error *err)
{
    size_t wide;
    const size_t made = count_launches(&j->cells), needed = request_launches(j, &wide);
    if (needed == 0 || j->limit_reached || reduce_to_limit(j, made, needed) == 0) {
        *done = true;
        j->limit_reached = j->limit_reached && wide > 0;
        if (j->limit_reached) {
            bench_warn("the time limit of %g s is reached: the times of %zu of %zu cells are less "
                       "certain than the tolerance requires (--time-limit)",
                       j->time_limit_s, wide, j->cells.count);
        }
        return BASE_OK;
    }
    bench_run_options more = *j->run;
    more.resume = true;
    more.launches_of = find_launches;
    more.launches_context = j;
    base_status status = run_job(j, &more, err);
    if (status != BASE_OK || j->interrupted) {
        return status;
    }
    bench_against_cells longer;
    status = bench_against_read(j->run->directory, j->tolerance, &longer, err);
    if (status == BASE_OK) {
        bench_against_release(&j->cells);
        j->cells = longer;
    }
    *done = count_launches(&j->cells) <= made; /* a cell that died gets no further launches */
    return status;
}

/** Makes room for the requested launches of all cells. */
static base_status allocate_launches(jobs *j, base_error *err)
{
    base_free(j->launches);
    j->launches = base_alloc(j->cells.count + 1, sizeof *j->launches);
    return j->launches ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/**
 * Adds launches until all intervals are narrow enough, the time limit is reached or no launch can
 * be added. Whether launches are added depends only on the widths of the intervals
 * (bench_against_launches), not on the ratios. So it does not increase the number of false alarms.
 */
static base_status narrow_intervals(jobs *j, base_error *err)
{
    base_status status = BASE_OK;
    bool done = j->time_limit_s <= 0;
    while (status == BASE_OK && !done && !j->interrupted) {
        status = allocate_launches(j, err);
        if (status == BASE_OK) {
            status = add_launches(j, &done, err);
        }
    }
    return status;
}

static void add_name(const char **names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    names[(*count)++] = name;
}

/**
 * Runs these variants on these scenarios once more, in the folder "again". They are those of the
 * cells that look slower. Each cell has as many launches as in the first job, so that both jobs
 * have the same resolution. variants, scenarios: NULL-terminated.
 */
static base_status run_again(jobs *j, const char *const *variants, const char *const *scenarios,
                             base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = allocate_launches(j, err);
    if (status == BASE_OK) {
        status = make_folder(j, "again", folder, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < j->cells.count; i++) {
        j->launches[i] = j->cells.items[i].head.launches_count;
    }
    bench_run_options second = *j->run;
    second.directory = folder;
    second.algorithms = variants;
    second.scenarios = scenarios;
    second.launches_of = find_launches;
    second.launches_context = j;
    status = run_job(j, &second, err);
    if (status != BASE_OK || j->interrupted) {
        return status;
    }
    bench_against_cells again = {0};
    status = bench_against_read(folder, j->tolerance, &again, err);
    if (status == BASE_OK) {
        bench_against_confirm(&j->cells, &again);
    }
    bench_against_release(&again);
    return status;
}

/** Repeats the cells that look slower. */
static base_status repeat_suspects(jobs *j, base_error *err)
{
    const char **const variants = base_alloc(j->cells.count + 1, sizeof *variants);
    const char **const scenarios = base_alloc(j->cells.count + 1, sizeof *scenarios);
    base_status status =
        variants && scenarios ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    size_t variant_count = 0, scenario_count = 0;
    for (size_t i = 0; i < j->cells.count && status == BASE_OK; i++) {
        if (bench_against_is_suspect(&j->cells.items[i])) {
            add_name(variants, &variant_count, j->cells.items[i].variant);
            add_name(scenarios, &scenario_count, j->cells.items[i].scenario);
        }
    }
    if (status == BASE_OK && variant_count > 0) {
        status = run_again(j, variants, scenarios, err);
    }
    base_free((void *)variants);
    base_free((void *)scenarios);
    return status;
}

/**
 * Counts one pass of each variant under valgrind, in the folder "instructions". Valgrind takes
 * about fifty times as long, so the timeout is extended.
 */
static base_status count_instructions(jobs *j, bench_gate_report *report, base_error *err)
{
    static const double patience = 100;
    char folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = make_folder(j, "instructions", folder, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_mode mode = *j->run->mode;
    mode.timed = false;
    mode.warm_up_rounds = 0;
    mode.shuffled_rounds = 0;
    bench_run_options counting = *j->run;
    counting.mode = &mode;
    counting.directory = folder;
    counting.launches = 1;
    counting.warm_rounds = 1;
    counting.timeout_s *= patience;
    counting.count_instructions = true;
    status = run_job(j, &counting, err);
    return status == BASE_OK && !j->interrupted
               ? bench_against_instructions(folder, true, report, err)
               : status;
}

/** Uses the processor's own counters if the kernel allows it, else valgrind. */
static base_status check_instructions(jobs *j, bench_gate_report *report, base_error *err)
{
    bool counted;
    const base_status status = bench_against_counted(j->run->directory, &counted, err);
    if (status != BASE_OK) {
        return status;
    }
    return counted || !j->instructions
               ? bench_against_instructions(j->run->directory, false, report, err)
               : count_instructions(j, report, err);
}

/**
 * Runs the first job in its folder and adds launches until the times are certain enough or the time
 * limit is reached. Then judges the gates of answers and of instructions, repeats the cells that
 * look slower, and judges the gates of times. After an interrupt, not all gates have been judged.
 */
static base_status run_jobs(jobs *j, bench_gate_report *report, base_error *err)
{
    j->start_ns = bench_now_ns();
    base_status status = run_job(j, j->run, err);
    if (status != BASE_OK || j->interrupted) {
        return status;
    }
    status = bench_against_read(j->run->directory, j->tolerance, &j->cells, err);
    if (status == BASE_OK) {
        status = narrow_intervals(j, err);
    }
    if (status == BASE_OK && !j->interrupted) {
        status = bench_against_answers(j->run->directory, report, err);
    }
    if (status == BASE_OK && !j->interrupted) {
        status = check_instructions(j, report, err);
    }
    if (status == BASE_OK && !j->interrupted) {
        status = repeat_suspects(j, err);
    }
    if (status == BASE_OK && !j->interrupted) {
        char limit[64];
        snprintf(limit, sizeof limit, "time limit of %g s reached", j->time_limit_s);
        bench_against_ask(&j->cells,
                          &(bench_against_question){.tolerance = j->tolerance,
                                                    .strict = j->strict,
                                                    .limit = j->limit_reached ? limit : NULL},
                          report);
    }
    return status;
}

/* --- Old code against new: experiment and gates ----------------------------------------------- */

/** Selects variants of the plug-in: those requested, else those of the experiment, else all. */
static base_status choose_of_plugin(const check_arguments *args, scn_experiment *e, base_error *err)
{
    bench_names names = {0};
    if (args->algorithm) {
        const base_status status = bench_names_split(args->algorithm, &names, err);
        return status == BASE_OK ? bench_variants_expand(&names, NULL, 0, e, err) : status;
    }
    size_t left = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        char family[64];
        snprintf(family, sizeof family, "%.*s", (int)strcspn(e->variants[v], ":"), e->variants[v]);
        const alg_algorithm *const algorithm = alg_find(family);
        if (algorithm && bench_plugin_of(algorithm)) {
            e->variants[left] = e->variants[v];
            e->triangle_limits[left] = e->triangle_limits[v];
            e->optional[left++] = e->optional[v];
        }
    }
    e->variant_count = left;
    for (size_t r = 0; alg_registry[r] && left == 0; r++) {
        const bench_plugin *const plugin = bench_plugin_of(alg_registry[r]);
        if (plugin && strcmp(plugin->argument, args->plugin) == 0 &&
            names.count < BENCH_NAMES_MAX) {
            names.items[names.count++] = alg_registry[r]->name;
        }
    }
    return left == 0 ? bench_variants_expand(&names, NULL, 0, e, err) : BASE_OK;
}

/** Sets the number of repetitions: enough launches for an interval, and no evicted passes. */
static base_status choose_mode(const check_arguments *args, const scn_experiment *e,
                               bench_mode *mode, base_error *err)
{
    const size_t rounds = e->rounds > 5 ? e->rounds : 5;
    const size_t launches =
        e->launches > BENCH_AGAINST_LAUNCHES ? e->launches : BENCH_AGAINST_LAUNCHES;
    const base_status status = bench_mode_parse(args->mode ? args->mode : e->mode, mode, err);
    if (status != BASE_OK) {
        return status;
    }
    mode->name = "against";
    mode->timed = true;
    mode->evicted_rounds = 0;
    mode->shuffled_rounds = 0;
    mode->warm_up_rounds = 1;
    mode->warm_rounds = mode->warm_rounds > rounds ? mode->warm_rounds : rounds;
    mode->launches = mode->launches > launches ? mode->launches : launches;
    return BASE_OK;
}

/** Runs the jobs and writes the reports. The experiment must be prepared. */
static base_status judge_jobs(const check_arguments *args, const bench_run_options *run,
                              double tolerance, int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    jobs j = {.run = run,
              .tolerance = tolerance,
              .time_limit_s = args->time_limit_s,
              .strict = args->strict,
              .instructions = args->instructions};
    bench_gate_report report = {.same = args->same};
    if (!args->quiet) {
        bench_note(
            "each variant and its old copy make %zu launches of %zu rounds, and more until the "
            "intervals are narrow; --launches, --rounds and --time-limit make it shorter",
            run->launches, run->warm_rounds);
    }
    base_status status = args->accept ? bench_gate_accept(args->accept, &report, err) : BASE_OK;
    if (status == BASE_OK) {
        status = run_jobs(&j, &report, err);
    }
    if (status == BASE_OK && j.interrupted) {
        bench_warn("interrupted: no gate was checked");
        *exit_status = BENCH_INTERRUPTED;
    } else if (status == BASE_OK) {
        status = write_report(args, &report, &j.cells, run->experiment->name, err);
        print_totals(&report, true, run->directory, old);
        *exit_status = bench_gate_exit_status(&report);
    }
    base_free(j.launches);
    bench_against_release(&j.cells);
    bench_gate_report_release(&report);
    return status;
}

static base_status run_against(const check_arguments *args, scn_experiment *e, int *exit_status,
                               base_error *err)
{
    double tolerance;
    bench_mode mode;
    bench_choice choice;
    char name[256], folder[BENCH_RUN_FOLDER_BYTES];
    base_status status = bench_percent_parse("--tolerance", args->tolerance, &tolerance, err);
    if (status == BASE_OK) {
        status = choose_mode(args, e, &mode, err);
    }
    if (status == BASE_OK) {
        status = bench_experiment_choose(e, args->plugin ? NULL : args->algorithm, args->scenario,
                                         &choice, err);
    }
    if (status == BASE_OK) {
        snprintf(name, sizeof name, "against-%s", e->name);
        status = bench_run_folder(args->out, name, folder, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_run_link(folder, true);
    const bench_run_options run = {
        .experiment = e,
        .variants = choice.variants,
        .mode = &mode,
        .launches = args->launches != UINT64_MAX ? args->launches : mode.launches,
        .warm_rounds = args->rounds != UINT64_MAX ? args->rounds : mode.warm_rounds,
        .directory = folder,
        .cache_directory = args->no_cache ? NULL : bench_cache_directory(args->cache),
        .command = "proxbench check",
        .algorithms = choice.algorithms.count ? choice.algorithms.items : NULL,
        .scenarios = choice.scenarios.count ? choice.scenarios.items : NULL,
        .against_program = args->against,
        .against_plugin = args->against_plugin,
        .timeout_s = args->timeout_s,
        .quiet = args->quiet,
        .no_table = true,
    };
    return judge_jobs(args, &run, tolerance, exit_status, err);
}

/** Runs `check EXPERIMENT --against ...`. */
static base_status check_against(const check_arguments *args, const char *reference,
                                 int *exit_status, base_error *err)
{
    const char *const old = args->against ? args->against : args->against_plugin;
    if (access(old, args->against ? X_OK : R_OK) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s': %s", old, strerror(errno));
    }
    char valgrind[PATH_MAX];
    if (args->instructions && !base_process_find("valgrind", valgrind)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "--instructions needs valgrind, which is not here: apt-get install "
                         "valgrind");
    }
    bench_catch_interrupts();
    bench_output_outlive_reader();
    bench_format format;
    scn_experiment experiment = {0};
    base_status status = bench_format_parse(args->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_texts plugins = {0};
    if (args->plugin) {
        plugins.items[plugins.count++] = args->plugin;
    }
    status = bench_plugins_load(&plugins, err);
    if (status == BASE_OK) {
        status = bench_experiment_open(reference, &experiment, err);
    }
    if (status == BASE_OK && args->plugin) {
        status = choose_of_plugin(args, &experiment, err);
    }
    if (status == BASE_OK) {
        status = run_against(args, &experiment, exit_status, err);
    }
    scn_experiment_release(&experiment);
    return status;
}

/* --- The command ------------------------------------------------------------------------------ */

static const bench_usage usage = {
    .usage = "check RUN [--baseline FILE] [--accept GATES] [--junit FILE] [--markdown FILE]\n"
             "check --bless RUN [--baseline FILE] [--force]\n"
             "check EXPERIMENT --against PROGRAM [options]\n"
             "check EXPERIMENT --plugin NEW.so --against-plugin OLD.so [options]",
    .summary =
        "Compares a run with a baseline and prints a row for each finding. The gates, in "
        "this order: answers are the same, to the last bit or within the tolerance that a "
        "variant declares, and answers of an approximate method are not farther from the "
        "truth; no contract is violated; no counter is higher; no cell is missing; no cell "
        "has crashed or timed out; no algorithm of this program allocates memory in a query. "
        "RUN is a folder, or the name of a folder in results/.\n"
        "\n"
        "--bless makes the run the baseline, and prints the changes. An interrupted run is "
        "never blessed. A run with cells that died or are wrong is blessed only with "
        "--force; then the next run must end in the same way.\n"
        "\n"
        "--against runs an experiment with old and new code interleaved, compares the new "
        "answers with the old ones, and then the times. A variant is slower if the lower "
        "bound of new / old exceeds the tolerance and the ratio of the old code against "
        "itself, and a second job confirms it. Launches are added until both intervals are "
        "as narrow as the tolerance, or until the time limit is reached.",
    .notes = "Examples:\n"
             "  proxbench run ci --out results/change && proxbench check results/change\n"
             "  proxbench check --bless results/change\n"
             "  proxbench check ci --against ../old/build/release/proxbench --algorithm 'ist*'\n"
             "  proxbench check ci --plugin ./libmine.so --against-plugin ../old/libmine.so\n\n"
             "Gates: answers, contract, counters, cells, ending, allocations, instructions, time,\n"
             "build, memory; with --strict also noise.\n\n"
             "Exit status: 0 good, 1 answers, contract, counters, missing cells or allocations,\n"
             "2 usage, 3 input or system, 4 slower or more memory, 5 a cell crashed, failed or "
             "timed out,\n"
             "6 cannot tell whether it is slower (--strict), 130 interrupted.",
};

/** Checks that the options of the two forms are not mixed. Returns -1 if they are valid. */
static int check_arguments_fit(const check_arguments *args, int operands)
{
    const bool against = args->against || args->against_plugin;
    if (operands != 1) {
        return bench_usage_error(against ? "check --against needs one EXPERIMENT"
                                         : "check needs one RUN");
    }
    if (args->force && !args->bless) {
        return bench_usage_error("--force goes with --bless");
    }
    if (args->bless && (args->junit || args->markdown)) {
        return bench_usage_error("--bless writes the baseline alone: no --junit, no --markdown");
    }
    if (against && (args->bless || args->baseline)) {
        return bench_usage_error("old against new needs no baseline");
    }
    if (args->against && args->against_plugin) {
        return bench_usage_error("either --against or --against-plugin");
    }
    if (!args->against_plugin != !args->plugin) {
        return bench_usage_error("--plugin NEW.so and --against-plugin OLD.so go together");
    }
    if (args->plugin && (strchr(args->plugin, '=') || strchr(args->against_plugin, '='))) {
        return bench_usage_error("here plug-ins have no LABEL=");
    }
    const bool chosen = args->algorithm || args->scenario || args->mode || args->out ||
                        args->strict || args->instructions || args->launches != UINT64_MAX ||
                        args->rounds != UINT64_MAX;
    if (!against && chosen) {
        return bench_usage_error("--algorithm, --scenario, --mode, --launches, --rounds, --out, "
                                 "--strict and --instructions go with --against or "
                                 "--against-plugin");
    }
    if (args->bless && (args->accept || args->same)) {
        return bench_usage_error("--bless excludes --accept and --same");
    }
    if (!(args->time_limit_s >= 0)) {
        return bench_usage_error("--time-limit is 0 or more seconds");
    }
    if (args->launches != UINT64_MAX &&
        (args->launches < BENCH_AGAINST_LAUNCHES_MIN || args->launches > SCN_LAUNCHES_MAX)) {
        return bench_usage_error("--launches is between %d and %d", BENCH_AGAINST_LAUNCHES_MIN,
                                 SCN_LAUNCHES_MAX);
    }
    if (args->rounds != UINT64_MAX && (args->rounds == 0 || args->rounds > SCN_ROUNDS_MAX)) {
        return bench_usage_error("--rounds is between 1 and %d", SCN_ROUNDS_MAX);
    }
    return -1;
}

static int parse(int argc, char **argv, check_arguments *args)
{
    const bench_option options[] = {
        BENCH_OPTION("baseline", "FILE", &args->baseline,
                     "file of the baseline (default: results/reference/EXPERIMENT.csv)"),
        BENCH_OPTION("accept", "GATES", &args->accept,
                     "findings of these gates are printed but do not fail: \"answers,counters\""),
        BENCH_OPTION("same", NULL, &args->same,
                     "also fail improvements: lower counters, better approximations"),
        BENCH_OPTION("junit", "FILE", &args->junit, "also write JUnit XML ('-': standard output)"),
        BENCH_OPTION("markdown", "FILE", &args->markdown,
                     "also write Markdown, for a pull request"),
        BENCH_OPTION("format", "FORMAT", &args->format, "format of the rows: " BENCH_FORMAT_HELP),
        BENCH_OPTION("bless", NULL, &args->bless, "make this run the baseline"),
        BENCH_OPTION("force", NULL, &args->force, "bless cells that died or are wrong, too"),
        BENCH_OPTION("against", "PROGRAM", &args->against, "the old proxbench"),
        BENCH_OPTION("plugin", "FILE", &args->plugin, "the new shared library"),
        BENCH_OPTION("against-plugin", "FILE", &args->against_plugin, "the old shared library"),
        BENCH_OPTION("algorithm", "LIST", &args->algorithm,
                     "only these variants (globs); with --plugin also variants that are not in the "
                     "experiment (default: those of the experiment, else all)"),
        BENCH_OPTION("scenario", "LIST", &args->scenario, "only these scenarios (globs)"),
        BENCH_OPTION("tolerance", "PERCENT", &args->tolerance, "largest slowdown that passes"),
        BENCH_OPTION("strict", NULL, &args->strict,
                     "also fail if the machine is too noisy to decide (exit status 6)"),
        BENCH_OPTION(
            "instructions", NULL, &args->instructions,
            "count instructions under valgrind if the kernel does not count them: one pass "
            "of each variant, exact on any machine"),
        BENCH_OPTION("time-limit", "S", &args->time_limit_s,
                     "limit of the time for adding launches, seconds; 0: add no launches"),
        BENCH_OPTION("mode", "MODE", &args->mode,
                     "mode, which decides how the truth is found (default: the experiment's)"),
        BENCH_OPTION(
            "launches", "N", &args->launches,
            "processes of each variant at the beginning, at least 6 (default: 12, or more by the "
            "mode)"),
        BENCH_OPTION("rounds", "N", &args->rounds,
                     "passes in each launch (default: 5, or more by the mode)"),
        BENCH_OPTION("timeout", "S", &args->timeout_s, "limit of one build or one pass, seconds"),
        BENCH_OPTION("out", "DIR", &args->out,
                     "new folder for results (default: results/against-EXPERIMENT-TIME)"),
        BENCH_OPTION("cache", "DIR", &args->cache, "folder of the cache of truth"),
        BENCH_OPTION("no-cache", NULL, &args->no_cache, "neither read nor write the cache"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("quiet", NULL, &args->quiet, "no progress on stderr"),
        BENCH_OPTION_END,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    return ended >= 0 ? ended : check_arguments_fit(args, operands);
}

int bench_cmd_check(int argc, char **argv)
{
    check_arguments args = {.format = "table",
                            .tolerance = "5%",
                            .launches = UINT64_MAX,
                            .rounds = UINT64_MAX,
                            .timeout_s = BENCH_TIMEOUT_DEFAULT_S,
                            .time_limit_s = 120};
    const int ended = parse(argc, argv, &args);
    if (ended >= 0) {
        return ended;
    }
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    const base_status status = args.against || args.against_plugin
                                   ? check_against(&args, argv[1], &exit_status, &err)
                                   : check_run(&args, argv[1], &exit_status, &err);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
