/** `proxbench run`: an experiment, or a pair of one's own. */
#include "suite/inputs/plugin.h"
#include "suite/run/run.h"

#include <fnmatch.h>
#include <string.h>

/** Option values of the command. */
typedef struct run_arguments {
    const char *a, *b, *trajectory, *quantity, *algorithm, *scenario, *out, *mode, *cache;
    bench_texts plugins;
    uint64_t seed; /* UINT64_MAX: not given */
    double timeout_s;
    bool quiet;
} run_arguments;

/** The variants that a list of names and globs stands for; globs range over the registry, but for
 * what is bad on purpose. */
static geo_status expand_variants(const bench_names *list, scn_experiment *e, geo_error *err)
{
    size_t registered = 0;
    while (alg_registry[registered]) {
        registered++;
    }
    const size_t most = list->count * (registered + 1);
    e->variants = geo_arena_alloc(&e->arena, most, sizeof *e->variants);
    e->triangle_limits = geo_arena_alloc(&e->arena, most, sizeof *e->triangle_limits);
    e->optional = geo_arena_alloc(&e->arena, most, sizeof *e->optional);
    if (!e->variants || !e->triangle_limits || !e->optional) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        const char *const item = list->items[i];
        const bool glob = strpbrk(item, "*?[") != NULL;
        size_t matches = 0;
        for (size_t r = 0; r < (glob ? registered : 1); r++) {
            const char *const text = glob ? alg_registry[r]->name : item;
            if (glob && (alg_registry[r]->flags & ALG_KNOWN_BAD || fnmatch(item, text, 0) != 0)) {
                continue;
            }
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(text, e->seed, &variant, &message) != ALG_OK) {
                return geo_fail(err, GEO_ERR_ARGUMENT, "%s", message.text);
            }
            e->variants[e->variant_count] = geo_arena_text(&e->arena, variant.name);
            if (!e->variants[e->variant_count++]) {
                return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
            }
            matches++;
        }
        if (matches == 0) {
            return geo_fail(err, GEO_ERR_ARGUMENT,
                            "no algorithm matches '%s' (proxbench list algorithms)", item);
        }
    }
    return GEO_OK;
}

/** The experiment of one scenario that `run --a --b ...` means. */
static geo_status make_own_experiment(const run_arguments *args, scn_experiment *e, geo_error *err)
{
    unsigned quantities = 0;
    geo_status status = bench_quantities_parse(args->quantity, &quantities, err);
    if (status != GEO_OK) {
        return status;
    }
    e->seed = 1;
    e->name = geo_arena_text(&e->arena, "own");
    e->mode = geo_arena_text(&e->arena, args->mode ? args->mode : "bench");
    e->scenarios = geo_arena_alloc(&e->arena, 1, sizeof *e->scenarios);
    if (!e->name || !e->mode || !e->scenarios) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    e->scenario_count = 1;
    e->scenarios[0] = (scn_scenario){.name = geo_arena_text(&e->arena, "pair"),
                                     .a = geo_arena_text(&e->arena, args->a),
                                     .b = geo_arena_text(&e->arena, args->b),
                                     .motion.path = geo_arena_text(&e->arena, args->trajectory),
                                     .quantities = quantities};
    const scn_scenario *const s = &e->scenarios[0];
    if (!s->name || !s->a || !s->b || !s->motion.path) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
    }
    bench_names list;
    status = bench_names_split(args->algorithm, &list, err);
    return status == GEO_OK ? expand_variants(&list, e, err) : status;
}

/** Every pattern must mean something: a misspelt one would silently measure less. */
static geo_status check_algorithms(const bench_names *list, const scn_experiment *e, geo_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *const pattern[] = {list->items[i], NULL};
        bool found = false;
        for (size_t v = 0; v < e->variant_count && !found; v++) {
            found = bench_selected(pattern, e->variants[v]);
        }
        if (!found) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "no variant of experiment '%s' matches '%s'",
                            e->name, list->items[i]);
        }
    }
    return GEO_OK;
}

static geo_status check_scenarios(const bench_names *list, const scn_experiment *e, geo_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *const pattern[] = {list->items[i], NULL};
        bool found = false;
        for (size_t s = 0; s < e->scenario_count && !found; s++) {
            found = bench_selected(pattern, e->scenarios[s].name);
        }
        if (!found) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "no scenario of experiment '%s' matches '%s'",
                            e->name, list->items[i]);
        }
    }
    return GEO_OK;
}

/** Is it marked optional, and nobody here goes by that name? Then a note says so. */
static bool is_left_out(const scn_experiment *e, size_t v)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(e->variants[v], ":"), e->variants[v]);
    if (!e->optional[v] || alg_find(name)) {
        return false;
    }
    bench_warn("experiment '%s': '%s' is left out: there is no algorithm '%s' here", e->name,
               e->variants[v], name);
    return true;
}

/**
 * Writes every variant in its canonical form, so that globs and files meet one spelling. One that
 * comes up again ('ist*,ist', or a default spelt out) is dropped: both would be one file.
 */
static geo_status canonical_variants(scn_experiment *e, geo_error *err)
{
    size_t count = 0;
    for (size_t v = 0; v < e->variant_count; v++) {
        if (is_left_out(e, v)) {
            continue;
        }
        alg_variant variant;
        alg_message message;
        if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "experiment '%s': %s", e->name, message.text);
        }
        size_t same = 0;
        while (same < count && strcmp(e->variants[same], variant.name) != 0) {
            same++;
        }
        if (same < count) {
            continue;
        }
        e->triangle_limits[count] = e->triangle_limits[v];
        e->variants[count] = geo_arena_text(&e->arena, variant.name);
        if (!e->variants[count++]) {
            return geo_fail(err, GEO_ERR_MEMORY, "out of memory");
        }
    }
    e->variant_count = count;
    return GEO_OK;
}

/** The command line as one can type it again: quoted for a shell where needed. */
static void join_command(int argc, char **argv, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:=,+@%";
    size_t used = (size_t)snprintf(text, size, "proxbench");
    for (int i = 0; i < argc && used < size; i++) {
        const bool quote = !*argv[i] || argv[i][strspn(argv[i], plain)];
        used += (size_t)snprintf(text + used, size - used, quote ? " '" : " ");
        for (const char *c = argv[i]; *c && used < size; c++) {
            used += (size_t)snprintf(text + used, size - used, *c == '\'' ? "'\\''" : "%c", *c);
        }
        if (quote && used < size) {
            used += (size_t)snprintf(text + used, size - used, "'");
        }
    }
}

/** Runs an experiment that is ready. */
static geo_status start(const run_arguments *args, const char *command, scn_experiment *e,
                        int *exit_status, geo_error *err)
{
    const char *const mode_name = args->mode ? args->mode : e->mode;
    const bench_mode *const mode = bench_mode_find(mode_name);
    if (!mode) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "unknown mode '%s'; it is smoke, ci, bench or paper",
                        mode_name);
    }
    bench_names algorithms = {0}, scenarios = {0};
    geo_status status = canonical_variants(e, err);
    if (status == GEO_OK && args->algorithm && !args->a) {
        status = bench_names_split(args->algorithm, &algorithms, err);
        status = status == GEO_OK ? check_algorithms(&algorithms, e, err) : status;
    }
    if (status == GEO_OK && args->scenario) {
        status = bench_names_split(args->scenario, &scenarios, err);
        status = status == GEO_OK ? check_scenarios(&scenarios, e, err) : status;
    }
    char directory[BENCH_RUN_FOLDER_BYTES];
    if (status == GEO_OK) {
        status = bench_run_folder(args->out, e->name, directory, err);
    }
    if (status != GEO_OK) {
        return status;
    }
    const bench_run_options options = {
        .experiment = e,
        .mode = mode,
        .directory = directory,
        .cache_directory = args->cache,
        .command = command,
        .algorithms = algorithms.count ? algorithms.items : NULL,
        .scenarios = scenarios.count ? scenarios.items : NULL,
        .timeout_s = args->timeout_s,
        .quiet = args->quiet,
    };
    status = bench_run(&options, exit_status, err);
    if (status == GEO_OK) {
        fprintf(stderr, "proxbench: results are in '%s'\n", directory);
    }
    return status;
}

static const bench_usage usage = {
    .usage = "run EXPERIMENT [options]\n"
             "run --a MESH --b MESH --trajectory FILE --quantity Q --algorithm LIST [options]",
    .summary = "Runs every variant of an experiment on every scenario of it, compares each frame "
               "with the truth, and prints a table; or does so for a pair of your own.",
    .notes = "Examples:\n"
             "  proxbench run bench\n"
             "  proxbench run --a A.off --b B.off --trajectory T.csv --quantity distance \\\n"
             "      --algorithm 'ist*,brute' --out results/mine\n"
             "Exit status: 0 good, 1 a wrong answer, 2 usage, 3 input or system, 5 a cell "
             "crashed,\nfailed or timed out, 130 interrupted.",
};

/** Options that must come together, or not at all. Returns -1 when they fit. */
static int check_arguments(const run_arguments *args, bool own, int operands)
{
    const char *const missing = !args->a            ? "--a"
                                : !args->b          ? "--b"
                                : !args->trajectory ? "--trajectory"
                                : !args->quantity   ? "--quantity"
                                : !args->algorithm  ? "--algorithm"
                                                    : NULL;
    if (own && missing) {
        return bench_usage_error("a pair of your own needs --a, --b, --trajectory, --quantity and "
                                 "--algorithm: %s is missing",
                                 missing);
    }
    if (own && operands > 0) {
        return bench_usage_error("run takes an experiment or a pair of your own, not both");
    }
    if (!own && operands != 1) {
        return bench_usage_error("run needs one experiment, or a pair of your own (--a, --b, ...)");
    }
    if (own ? args->scenario != NULL : args->quantity != NULL) {
        return bench_usage_error(own ? "--scenario chooses from an experiment: a pair of your own "
                                       "is one"
                                     : "--quantity is for a pair of your own: an experiment's "
                                       "scenarios say theirs");
    }
    const double year_s = 366.0 * 24 * 3600;
    if (!(args->timeout_s > 0 && args->timeout_s <= year_s)) {
        return bench_usage_error("--timeout %g is not between 0 and %g seconds", args->timeout_s,
                                 year_s);
    }
    return -1;
}

int bench_cmd_run(int argc, char **argv)
{
    run_arguments args = {.cache = BENCH_CACHE_DIRECTORY, .timeout_s = 600, .seed = UINT64_MAX};
    const bench_option options[] = {
        BENCH_OPTION("a", "MESH", &args.a, "the fixed body: a file, or a model's name"),
        BENCH_OPTION("b", "MESH", &args.b, "the moving body"),
        BENCH_OPTION("trajectory", "FILE", &args.trajectory, "poses of B in A's frame (CSV)"),
        BENCH_OPTION("quantity", "Q", &args.quantity,
                     "distance, volume, unified (both at once), or contact"),
        BENCH_OPTION("algorithm", "LIST", &args.algorithm,
                     "variants, by name or glob: 'ist*,brute'; of an experiment: only these"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &args.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("scenario", "LIST", &args.scenario, "of an experiment: only these (globs)"),
        BENCH_OPTION("out", "DIR", &args.out,
                     "new folder for results (default: results/NAME-TIME)"),
        BENCH_OPTION("mode", "MODE", &args.mode,
                     "smoke, ci, bench or paper (default: the experiment's; bench)"),
        BENCH_OPTION("seed", "N", &args.seed,
                     "of the algorithms' randomness (default: the experiment's; 1)"),
        BENCH_OPTION("timeout", "S", &args.timeout_s, "limit of one build or one pass, seconds"),
        BENCH_OPTION("cache", "DIR", &args.cache, "where truth is kept"),
        BENCH_OPTION("quiet", NULL, &args.quiet, "no progress on stderr"),
        BENCH_OPTION_END,
    };
    char command[4096];
    join_command(argc, argv, command, sizeof command);
    int operands = 0;
    int ended = bench_parse(argc, argv, options, &usage, &operands);
    const bool own = args.a || args.b || args.trajectory;
    ended = ended >= 0 ? ended : check_arguments(&args, own, operands);
    if (ended >= 0) {
        return ended;
    }
    bench_catch_interrupts();
    geo_error err = {0};
    scn_experiment experiment = {0};
    int exit_status = BENCH_GOOD;
    geo_status status = bench_plugins_load(&args.plugins, &err);
    if (status == GEO_OK) {
        status = own ? make_own_experiment(&args, &experiment, &err)
                     : bench_experiment_open(argv[1], &experiment, &err);
    }
    if (status == GEO_OK) {
        experiment.seed = args.seed != UINT64_MAX ? args.seed : experiment.seed;
        status = start(&args, command, &experiment, &exit_status, &err);
    }
    scn_experiment_release(&experiment);
    return status == GEO_OK ? exit_status : bench_error(&err);
}
