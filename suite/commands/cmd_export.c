/** `proxbench export` and `proxbench import`: scenarios with their truth as plain files. */
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"
#include "suite/results/run_folder.h"
#include "suite/score/export.h"
#include "suite/score/import.h"
#include "suite/share.h"

#include <string.h>
#include <unistd.h>

/** Option values of both commands. */
typedef struct set_arguments {
    bench_own own; /* a pair of the user's own bodies */
    const char *quantity, *licence, *out, *cache;
    bool verify, no_cache, quiet;
} set_arguments;

/** Options of a run that computes truth only. mode: bench, in which the truth has all methods. */
static bench_run_options options_of(const set_arguments *args, const scn_experiment *experiment,
                                    const bench_mode *mode, const char *const *scenarios)
{
    return (bench_run_options){.experiment = experiment,
                               .mode = mode,
                               .scenarios = scenarios,
                               .cache_directory =
                                   args->no_cache ? NULL : bench_cache_directory(args->cache),
                               .quiet = args->quiet};
}

/* --- export ----------------------------------------------------------------------------------- */

/** Adds the scenarios of an experiment that match a glob. Errors: BASE_ERR_ARGUMENT for none. */
static base_status add_scenarios(const set_arguments *args, const scn_experiment *e,
                                 const char *glob, unsigned quantities, bench_export *set,
                                 base_error *err)
{
    bench_mode mode;
    const char *const globs[] = {glob, NULL};
    const bench_run_options options = options_of(args, e, &mode, globs);
    base_status status = bench_mode_parse(scn_mode_names[SCN_BENCH], &mode, err);
    size_t count = 0;
    for (size_t i = 0; i < e->scenario_count && status == BASE_OK; i++) {
        if (bench_selected(globs, e->scenarios[i].name)) {
            status = bench_export_add(set, &options, &e->scenarios[i], quantities, err);
            count++;
        }
    }
    return status == BASE_OK && count == 0
               ? base_fail(err, BASE_ERR_ARGUMENT, "experiment '%s' has no scenario '%s'", e->name,
                           glob)
               : status;
}

/** Adds EXPERIMENT/SCENARIO, where SCENARIO may be a glob. */
static base_status add_named(const set_arguments *args, const char *reference, unsigned quantities,
                             bench_export *set, base_error *err)
{
    scn_experiment e = {0};
    const char *const path = strstr(reference, ".cfg/");
    const size_t length = path ? (size_t)(path - reference) + 4 : strcspn(reference, "/");
    char name[1024];
    if (reference[length] != '/' || length >= sizeof name) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' is not a scenario: expected EXPERIMENT/SCENARIO", reference);
    }
    snprintf(name, sizeof name, "%.*s", (int)length, reference);
    base_status status = bench_experiment_open(name, &e, err);
    if (status == BASE_OK) {
        status = add_scenarios(args, &e, reference + length + 1, quantities, set, err);
    }
    scn_experiment_release(&e);
    return status;
}

static base_status add_own(const set_arguments *args, bench_export *set, base_error *err)
{
    scn_experiment e = {0};
    bench_own own = args->own;
    own.quantities = args->quantity;
    base_status status = bench_own_experiment(&own, &e, err);
    if (status == BASE_OK) {
        status = add_scenarios(args, &e, "*", 0, set, err);
    }
    scn_experiment_release(&e);
    return status;
}

static int export(const set_arguments *args, char **scenarios, size_t count)
{
    base_error err = {0};
    bench_export *set = NULL;
    unsigned quantities = 0;
    bench_catch_interrupts();
    base_status status = args->quantity && !args->own.bodies.a
                             ? bench_quantities_parse(args->quantity, &quantities, &err)
                             : BASE_OK;
    if (status == BASE_OK) {
        status = bench_export_begin(args->out, args->licence, &set, &err);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = add_named(args, scenarios[i], quantities, set, &err);
    }
    if (status == BASE_OK && count == 0) {
        status = add_own(args, set, &err);
    }
    if (status == BASE_OK) {
        status = bench_export_end(set, &err);
    }
    bench_export_destroy(set);
    if (status != BASE_OK) {
        return bench_error(&err);
    }
    bench_note("the set is in '%s'; its README.md says what is in it", args->out);
    return BENCH_GOOD;
}

/** Checks which options are given together. Returns -1 if they are valid. */
static int check_export(const set_arguments *args, int operands)
{
    const bench_own *const own = &args->own;
    const bool files = own->bodies.a && own->bodies.b && own->trajectory && args->quantity;
    const bool any = own->bodies.a || own->bodies.b || own->trajectory ||
                     own->bodies.scale_a != 1 || own->bodies.scale_b != 1;
    if (!args->out) {
        return bench_usage_error("export needs --out DIR");
    }
    if (operands > 0 ? any : !files) {
        return bench_usage_error("export needs either one SCENARIO or several, or --a, --b, "
                                 "--trajectory and --quantity");
    }
    return -1;
}

int bench_cmd_export(int argc, char **argv)
{
    set_arguments args = {.own = {.bodies = BENCH_BODIES_DEFAULT}};
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(args.own.bodies),
        BENCH_OPTION("trajectory", "FILE", &args.own.trajectory,
                     "poses of B in A's frame (CSV), in metres"),
        BENCH_OPTION("quantity", "Q", &args.quantity,
                     "quantities of the truth: distance, volume, contact, depth, force (default: "
                     "all that the bodies have); of a pair of your own as in 'run'"),
        BENCH_OPTION("out", "DIR", &args.out, "new folder"),
        BENCH_OPTION("licence", "TEXT", &args.licence, "licence of the set, for its datasheet"),
        BENCH_OPTION("cache", "DIR", &args.cache, "folder of the cache of truth"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("no-cache", NULL, &args.no_cache, "neither read nor write the cache"),
        BENCH_OPTION("quiet", NULL, &args.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "export SCENARIO... --out DIR [options]\n"
                 "export --a MESH --b MESH --trajectory FILE --quantity Q --out DIR [options]",
        .summary =
            "Writes scenarios as plain files for other programs: meshes (OFF), poses and "
            "certified truth (CSV), with a datasheet and check_truth.py, which judges answers "
            "without proxbench. SCENARIO is EXPERIMENT/NAME, as in 'proxbench list scenarios'; "
            "NAME may be a glob: 'catalogue/pump/*'.",
        .notes = "Examples:\n"
                 "  proxbench export smoke/grid bench/pump/sphere --out set\n"
                 "  proxbench export --a A.off --b B.off --trajectory T.csv --quantity distance "
                 "--out set\n"
                 "\n"
                 "Depths and forces by depth take seconds for hard frames; --quantity distance is "
                 "fast.\n"
                 "\n"
                 "Exit status: 0 good, 2 usage, 3 input or system, 130 interrupted.",
    };
    int operands;
    int status = bench_parse(argc, argv, options, &usage, &operands);
    status = status < 0 ? check_export(&args, operands) : status;
    return status < 0 ? export(&args, argv + 1, (size_t)operands) : status;
}

/* --- import ----------------------------------------------------------------------------------- */

/** Puts the row of a scenario of the set. */
static void put_imported(const scn_scenario *scenario, const bench_imported *i, bench_rows *rows)
{
    bench_rows_put(rows, "%s", scenario->name);
    bench_rows_put(rows, "%s", bench_quantities_name(scenario->quantities).text);
    bench_rows_put_count(rows, i->frames);
    bench_rows_put_count(rows, i->certified);
    if (!i->verified) {
        bench_rows_put(rows, "not computed again");
    } else if (i->contradicted == 0) {
        bench_rows_put(rows, "agrees");
    } else {
        bench_rows_put(rows, "contradicted in %zu frames, first in %zu", i->contradicted, i->first);
    }
}

static base_status read_set(const set_arguments *args, const char *folder, bool *contradicted,
                            base_error *err)
{
    static const char *const names[] = {"scenario", "quantities", "frames", "certified", "truth"};
    char path[BENCH_RUN_PATH_BYTES];
    scn_experiment e = {0};
    bench_mode mode;
    bench_rows rows = {.columns = sizeof names / sizeof *names};
    base_status status = bench_import_check(folder, err);
    if (status == BASE_OK) {
        status = bench_run_file(folder, path, err, BENCH_SET_EXPERIMENT);
    }
    if (status == BASE_OK) {
        status = bench_experiment_open(path, &e, err);
    }
    if (status == BASE_OK) {
        status = bench_mode_parse(scn_mode_names[SCN_BENCH], &mode, err);
    }
    const bench_run_options options = options_of(args, &e, &mode, NULL);
    bench_rows_put_names(&rows, names);
    for (size_t i = 0; i < e.scenario_count && status == BASE_OK; i++) {
        bench_imported imported;
        status =
            bench_import_scenario(&options, folder, &e.scenarios[i], args->verify, &imported, err);
        *contradicted = *contradicted || (status == BASE_OK && imported.contradicted > 0);
        put_imported(&e.scenarios[i], &imported, &rows);
    }
    if (status == BASE_OK) {
        status = bench_rows_finish(&rows, BENCH_FORMAT_TABLE, stdout, err);
        bench_note("'proxbench run %s' runs it, 'proxbench score %s/%s ANSWERS.csv --name NAME' "
                   "judges answers",
                   path, path, e.scenario_count > 0 ? e.scenarios[0].name : "SCENARIO");
    } else {
        bench_rows_release(&rows);
    }
    scn_experiment_release(&e);
    return status;
}

int bench_cmd_import(int argc, char **argv)
{
    set_arguments args = {0};
    const bench_option options[] = {
        BENCH_OPTION("verify", NULL, &args.verify,
                     "compute distances, volumes, pairs and depths again and compare them"),
        BENCH_OPTION("cache", "DIR", &args.cache, "folder of the cache of truth"),
        BENCH_OPTION("no-cache", NULL, &args.no_cache, "neither read nor write the cache"),
        BENCH_OPTION("quiet", NULL, &args.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "import DIR [options]",
        .summary =
            "Reads a set that 'proxbench export' wrote: checks the hash of each file, and that "
            "meshes and poses are the same to the bit, and reads the truth. The set is then ready "
            "for 'run DIR/set.cfg' and 'score DIR/set.cfg/SCENARIO'.",
        .notes = "Exit status: 0 good, 1 the truth of the set contradicts that computed here "
                 "(--verify), 2 usage, 3 a file is changed, missing or damaged, 130 interrupted.",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("import needs one folder");
    }
    base_error err = {0};
    bool contradicted = false;
    bench_catch_interrupts();
    const base_status status = read_set(&args, argv[1], &contradicted, &err);
    return status != BASE_OK ? bench_error(&err) : contradicted ? BENCH_WRONG : BENCH_GOOD;
}
