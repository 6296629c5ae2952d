/** `proxbench figure`: items of papers, by the commands run, compare, plot and claims. */
#include "scenarios/experiment.h"
#include "suite/commands/commands.h"
#include "suite/figures/items.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Option values of the command. */
typedef struct figure_arguments {
    const char *out, *cache;
    bool quick, all;
} figure_arguments;

/** The state of the run in the folder of an experiment. BROKEN: its manifest cannot be read. */
typedef enum run_state { RUN_NEW, RUN_INTERRUPTED, RUN_WHOLE, RUN_BROKEN } run_state;

/** The run of an experiment that is asked for. */
typedef struct job {
    bench_item_source *source;
    char folder[BENCH_RUN_FOLDER_BYTES];
    run_state state;
    int status;   /* the worst exit status of its commands */
    bool claimed; /* it has a run whose claims can be judged */
} job;

typedef struct jobs {
    job *items;
    size_t count;
    base_arena arena;
} jobs;

/* --- Commands --------------------------------------------------------------------------------- */

/** Returns the worse of two exit statuses: interrupted, input, usage, a dead cell, wrong, good. */
static int worse(int a, int b)
{
    static const int order[] = {BENCH_INTERRUPTED, BENCH_INPUT, BENCH_USAGE, BENCH_CELL_DIED,
                                BENCH_WRONG};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return a ? a : b;
}

/** Words of a command, with room for the folders of all jobs. */
typedef struct words {
    const char **items;
    int count;
} words;

static void put(words *w, const char *word)
{
    w->items[w->count++] = word;
}

static void put_option(words *w, const char *name, const char *value)
{
    if (value) {
        put(w, name);
        put(w, value);
    }
}

/** Calls a command with copies of the words, because a command moves its words. */
static int call(int (*command)(int argc, char **argv), const words *w)
{
    base_arena arena = {0};
    char **const copies = base_arena_alloc(&arena, (size_t)w->count + 1, sizeof *copies);
    bool kept = copies;
    for (int i = 0; i < w->count && kept; i++) {
        copies[i] = base_arena_text(&arena, w->items[i]);
        kept = copies[i];
    }
    base_error err = {0};
    base_fail(&err, BASE_ERR_MEMORY, "out of memory");
    const int status = kept ? command(w->count, copies) : bench_error(&err);
    fflush(stdout);
    base_arena_release(&arena);
    return status;
}

/** Runs the experiment of a job, or continues its run. */
static int run(const job *j, const figure_arguments *args)
{
    const char *items[12];
    words w = {.items = items};
    const char *const data = bench_share_data;
    put(&w, "run");
    if (j->state == RUN_INTERRUPTED) {
        put_option(&w, "--resume", j->folder); /* the run has its other options in its manifest */
    } else {
        put(&w, j->source->name);
        put_option(&w, "--out", j->folder);
        put_option(&w, "--mode", args->quick ? scn_mode_names[SCN_SMOKE] : NULL);
        put_option(&w, "--cache", args->cache);
        put_option(&w, "--data", data);
    }
    bench_share_data = NULL;
    const int status = call(bench_cmd_run, &w);
    bench_share_data = data;
    return status;
}

static int compare(const job *j)
{
    char report[BENCH_RUN_PATH_BYTES];
    base_error err = {0};
    if (bench_run_file(j->folder, report, &err, "compare.txt") != BASE_OK) {
        return bench_error(&err);
    }
    const char *items[] = {"compare", j->folder, "--out", report};
    return call(bench_cmd_compare, &(words){.items = items, .count = 4});
}

static int plot(const job *j, const figure_arguments *args)
{
    const char *items[4];
    words w = {.items = items};
    put(&w, "plot");
    put(&w, j->folder);
    put_option(&w, "--cache", args->cache);
    return call(bench_cmd_plot, &w);
}

/** Judges the claims of all jobs that have a run. With --all, the rows go into OUT/claims.csv. */
static int judge(const jobs *list, const figure_arguments *args, const char *out)
{
    base_arena arena = {0};
    base_error err = {0};
    char file[BENCH_RUN_PATH_BYTES];
    words w = {.items = base_arena_alloc(&arena, list->count + 6, sizeof *w.items)};
    if (!w.items) {
        base_fail(&err, BASE_ERR_MEMORY, "out of memory");
        return bench_error(&err);
    }
    put(&w, "claims");
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].claimed) {
            put(&w, list->items[i].folder);
        }
    }
    int status = BENCH_GOOD;
    if (w.count > 1) {
        snprintf(file, sizeof file, "%s/claims.csv", out);
        put_option(&w, "--format", args->all ? "csv" : NULL);
        put_option(&w, "--out", args->all ? file : NULL);
        status = call(bench_cmd_claims, &w);
        if (args->all) {
            bench_note("the verdicts of all claims are in '%s'", file);
        }
    }
    base_arena_release(&arena);
    return status;
}

/* --- Jobs ------------------------------------------------------------------------------------- */

/**
 * Finds out what is in the folder of a job. The status of a whole run is that in its manifest.
 * Errors: those of bench_record_open.
 */
static base_status inspect(job *j, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    base_status status = bench_run_file(j->folder, path, err, "manifest.csv");
    if (status != BASE_OK || access(path, F_OK) != 0) {
        return status;
    }
    bench_record record;
    status = bench_record_open(j->folder, BENCH_RECORD_FACTS, &record, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const ended = bench_record_fact(&record, "run", "exit_status");
    const char *const begun = bench_record_fact(&record, "run", "start_utc");
    const char *const commit = bench_record_fact(&record, "suite", "commit");
    int exit_status = BENCH_INTERRUPTED;
    if (ended && sscanf(ended, "%d", &exit_status) == 1 && exit_status != BENCH_INTERRUPTED) {
        j->state = RUN_WHOLE;
        j->status = exit_status;
        j->source->done = true;
        bench_note("%s: the run of %s by %s in '%s' is kept; remove it to run it again",
                   j->source->name, begun ? begun : "?", commit ? commit : "?", j->folder);
    } else {
        j->state = RUN_INTERRUPTED;
    }
    bench_record_release(&record);
    return BASE_OK;
}

/**
 * Makes the jobs of all experiments that are asked for. A job whose folder cannot be read has
 * failed.
 * Errors: BASE_ERR_ARGUMENT for a path that is too long, BASE_ERR_MEMORY.
 */
static base_status make_jobs(bench_items *items, const char *out, jobs *list, base_error *err)
{
    list->items = base_arena_alloc(&list->arena, bench_items_asked(items) + 1, sizeof(job));
    if (!list->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < items->count; i++) {
        if (items->sources[i].asked) {
            job *const j = &list->items[list->count++];
            *j = (job){.source = &items->sources[i]};
            const int length = snprintf(j->folder, sizeof j->folder, "%s/%s", out, j->source->name);
            base_error broken = {0};
            if (length >= (int)sizeof j->folder) {
                return base_fail(err, BASE_ERR_ARGUMENT, "path of %d bytes is too long", length);
            }
            if (inspect(j, &broken) != BASE_OK) { /* the other jobs go on */
                j->status = bench_error(&broken);
                j->state = RUN_BROKEN;
                j->source->done = true;
            }
        }
    }
    return BASE_OK;
}

/** Formats "20 min and 0.5 GB" for costs, without what is unknown. */
static void format_cost(bench_items_cost cost, char *text, size_t size)
{
    snprintf(text, size, "an unknown time");
    if (cost.minutes > 0) {
        bench_duration_format(60 * cost.minutes, text, size);
    }
    if (cost.gigabytes > 0) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, " and %.*f GB", cost.gigabytes < 9.95,
                 cost.gigabytes < 0.1 ? 0.1 : cost.gigabytes);
    }
}

/** Says what is run, how long a first run takes, and where its results go. */
static void announce(const bench_items *items, const jobs *list, const char *out)
{
    char full[64], quick[64];
    for (size_t i = 0; i < list->count && list->count < 10; i++) {
        const bench_item_source *const source = list->items[i].source;
        bench_note("%s: %s", source->name, source->title);
    }
    format_cost(bench_items_costs(items, 0, SCN_COST_FULL), full, sizeof full);
    format_cost(bench_items_costs(items, 0, SCN_COST_SMOKE), quick, sizeof quick);
    size_t open = 0;
    for (size_t i = 0; i < list->count; i++) {
        open += !list->items[i].source->done;
    }
    if (open > 0) {
        bench_note("experiments to run: %zu of %zu; about %s, with --quick about %s", open,
                   list->count, full, quick);
    }
    if (list->count == 1) {
        bench_note("results go into '%s'", list->items[0].folder);
    } else {
        bench_note("results go into '%s/EXPERIMENT'", out);
    }
}

/** True if the run has been compared, and its figures have been drawn. */
static bool is_drawn(const job *j)
{
    static const char *const files[] = {"compare.txt", "figures/index.csv"};
    bool drawn = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[BENCH_RUN_PATH_BYTES];
        drawn = drawn && bench_run_file(j->folder, path, NULL, "%s", files[i]) == BASE_OK &&
                access(path, F_OK) == 0;
    }
    return drawn;
}

/** Runs, compares and draws a job. Returns false after an interrupt. */
static bool work(job *j, const figure_arguments *args)
{
    if (!j->source->done) {
        j->status = run(j, args);
        j->source->done = true;
    }
    j->claimed =
        j->status == BENCH_GOOD || j->status == BENCH_WRONG || j->status == BENCH_CELL_DIED;
    if (j->claimed && !(args->all && j->state == RUN_WHOLE && is_drawn(j)) &&
        !bench_interrupted()) {
        j->status = worse(j->status, compare(j));
        if (!bench_interrupted()) {
            j->status = worse(j->status, plot(j, args));
        }
    }
    if (bench_interrupted()) {
        j->status = BENCH_INTERRUPTED;
    }
    return j->status != BENCH_INTERRUPTED;
}

/** Says which job is next, and how long it and the remaining ones take. */
static void tell_progress(const bench_items *items, const jobs *list, size_t next, int which)
{
    char own[64], left[64];
    const bench_item_source *const source = list->items[next].source;
    if (list->count > 1 && !source->done) {
        const size_t index = (size_t)(source - items->sources);
        format_cost((bench_items_cost){source->minutes[which], 0}, own, sizeof own);
        format_cost((bench_items_cost){bench_items_costs(items, index, which).minutes, 0}, left,
                    sizeof left);
        bench_note("%zu of %zu: %s, about %s; about %s left", next + 1, list->count, source->name,
                   own, left);
    }
}

static void tell_end(const jobs *list)
{
    for (size_t i = 0; i < list->count && list->count < 10; i++) {
        if (list->items[i].claimed) {
            bench_note("pictures of %s are in '%s/figures'", list->items[i].source->name,
                       list->items[i].folder);
            if (list->items[i].source->claim_count == 0) {
                bench_note("%s has no claims; its pictures are all that it shows",
                           list->items[i].source->name);
            }
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].status != BENCH_GOOD) {
            bench_note("%s ended with status %d", list->items[i].source->name,
                       list->items[i].status);
        }
    }
}

/** Does all jobs. A job that fails does not stop the others. Returns the worst exit status. */
static int work_all(const bench_items *items, jobs *list, const figure_arguments *args,
                    const char *out)
{
    const int which = args->quick ? SCN_COST_SMOKE : SCN_COST_FULL;
    int status = BENCH_GOOD;
    announce(items, list, out);
    for (size_t i = 0; i < list->count; i++) {
        tell_progress(items, list, i, which);
        if (!work(&list->items[i], args)) {
            bench_note("the same command continues where it was interrupted");
            return BENCH_INTERRUPTED;
        }
        status = worse(status, list->items[i].status);
    }
    status = worse(status, judge(list, args, out));
    tell_end(list);
    return bench_interrupted() ? BENCH_INTERRUPTED : status;
}

/* --- The command ------------------------------------------------------------------------------ */

static const bench_usage usage = {
    .usage = "figure ID [ID...] [options]\n"
             "figure --all [options]",
    .summary =
        "Reproduces what a paper shows: runs the experiments that belong to an id, compares their "
        "variants, draws their figures and judges their claims. It first says how many minutes a "
        "first run takes. It does the same as the commands run, compare, plot and claims, one "
        "after the other.\n"
        "\n"
        "ID is the key of a paper with a letter and a number: F for its figures, T for tables and "
        "numbers of its text, X for experiments, A for ablations, C for claims (IST-F7, vps-t1, "
        "LPD-X2). ID may also be the name of an experiment, or the key of a paper for all of its "
        "ids. Some ids have several experiments, and some share one.",
    .notes =
        "Each experiment has one run, in OUT/EXPERIMENT; with --quick in OUT/quick/EXPERIMENT. A "
        "run that is complete is kept: remove its folder to run it again. A run that was ended by "
        "Ctrl-C, a crash or a full disk is continued. compare.txt in the folder of a run is the "
        "report of 'compare'. --all also writes the verdicts of all claims into OUT/claims.csv.\n"
        "\n"
        "Examples:\n"
        "  proxbench figure VPS-F7\n"
        "  proxbench figure ist-a3 lpd-x2 --quick\n"
        "  proxbench figure PST --out results/mine\n"
        "\n"
        "Exit status: that of the command that failed worst; 0 good, 1 a wrong answer, or an "
        "expected claim that does not hold, 2 usage, 3 input or system, 5 a cell crashed, failed "
        "or timed out, 130 interrupted. An experiment that fails does not stop the others.",
};

static base_status ask_for(int count, char **ids, bench_items *items, base_error *err)
{
    base_status status = bench_items_open(items, err);
    if (status == BASE_OK && count == 0) {
        status = bench_items_ask(items, NULL, err);
    }
    for (int i = 0; i < count && status == BASE_OK; i++) {
        status = bench_items_ask(items, ids[i], err);
    }
    return status;
}

int bench_cmd_figure(int argc, char **argv)
{
    figure_arguments args = {.out = "results/papers"};
    const bench_option options[] = {
        BENCH_OPTION("quick", NULL, &args.quick, "reduced runs, in mode smoke"),
        BENCH_OPTION("all", NULL, &args.all, "all ids of all papers"),
        BENCH_OPTION("out", "DIR", &args.out, "folder of the runs"),
        BENCH_OPTION("cache", "DIR", &args.cache,
                     "folder of truth, sampled trajectories and built bodies (default: that of "
                     "'run')"),
        BENCH_DATA_OPTION,
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if ((operands == 0) != args.all) {
        return bench_usage_error(args.all ? "--all takes no ID" : "figure needs an ID, or --all");
    }
    char out[BENCH_RUN_FOLDER_BYTES];
    bench_items items = {0};
    jobs list = {0};
    base_error err = {0};
    int exit_status = BENCH_GOOD;
    snprintf(out, sizeof out, args.quick ? "%s/quick" : "%s", args.out);
    base_status status = ask_for(operands, argv + 1, &items, &err);
    if (status == BASE_OK) {
        status = make_jobs(&items, out, &list, &err);
    }
    if (status == BASE_OK) {
        bench_catch_interrupts();
        exit_status = work_all(&items, &list, &args, out);
    } else {
        exit_status = bench_error(&err);
    }
    base_arena_release(&list.arena);
    bench_items_close(&items);
    return exit_status;
}
