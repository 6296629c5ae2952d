/**
 * `proxbench simulate`: a simulated hand moves a body, and variants keep it out of another body.
 */
#include "base/text.h"
#include "scenarios/simulation/scenes.h"
#include "suite/commands/command_line.h"
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"
#include "suite/simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Option values of the command; NULL, NaN and UINT64_MAX: not given. */
typedef struct simulate_arguments {
    bench_bodies bodies;
    const char *scene, *device, *algorithm, *out, *resume, *response, *cache;
    bench_texts plugins;
    double coupling, density, stiffness, resolve, slop, timeout_s;
    uint64_t steps, impulses, judge, every, seed;
    bool no_cache, quiet;
} simulate_arguments;

enum { JUDGE_DEFAULT = 10, SCENES_MAX = 32 };

/* --- Parameters ------------------------------------------------------------------------------- */

/** All objects that a simulation borrows. */
typedef struct inputs {
    bench_simulated scenes[SCENES_MAX];
    scn_trajectory devices[SCENES_MAX]; /* owned */
    size_t scene_count;
    scn_experiment list; /* holds the variants */
    bench_choice choice;
} inputs;

/** Replaces the scene's options by those of the command line. */
static void apply_options(const simulate_arguments *args, bench_simulated *s)
{
    const struct {
        double given, *to;
    } numbers[] = {
        {args->coupling, &s->options.coupling.stiffness_n_m},
        {args->density, &s->options.density_kg_m3},
        {args->resolve, &s->options.impulses.resolve},
        {args->slop, &s->options.impulses.slop_m},
        {args->stiffness, &s->stiffness_n_m2},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isnan(numbers[i].given)) {
            *numbers[i].to = numbers[i].given;
        }
    }
    if (args->impulses != UINT64_MAX) {
        s->options.impulses.limit = args->impulses;
    }
}

/** Sets the number of steps: until the device's end, or as many as requested. */
static base_status count_steps(const simulate_arguments *args, bench_simulated *s, base_error *err)
{
    const scn_simulation clock = {.options = s->options, .device = s->device};
    const uint64_t steps = scn_simulation_steps(&clock);
    s->steps = args->steps < steps ? args->steps : steps;
    return s->steps > 0 ? BASE_OK
                        : base_fail(err, BASE_ERR_INPUT,
                                    "the device of '%s' ends before the first step", s->name);
}

static base_status add_scene(const simulate_arguments *args, const scn_scene *scene, inputs *q,
                             base_error *err)
{
    if (q->scene_count == SCENES_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "more than %d scenes", SCENES_MAX);
    }
    const size_t s = q->scene_count;
    const base_status status = scn_scene_device(scene, 0, &q->devices[s], err);
    if (status != BASE_OK) {
        return status;
    }
    q->scenes[s] = (bench_simulated){.name = scene->name,
                                     .a = scene->a,
                                     .b = scene->b,
                                     .device = &q->devices[s],
                                     .options = scene->options,
                                     .stiffness_n_m2 = scene->stiffness_n_m2};
    q->scene_count++;
    apply_options(args, &q->scenes[s]);
    return count_steps(args, &q->scenes[s], err);
}

/** Adds the scenes of a name, a glob, or "all"; each scene once. */
static base_status add_scenes(const simulate_arguments *args, const char *item, inputs *q,
                              base_error *err)
{
    const char *const globs[] = {strcmp(item, "all") == 0 ? "*" : item, NULL};
    const scn_scene *found = NULL;
    base_status status = BASE_OK;
    for (const scn_scene *scene = scn_scenes; scene->name && status == BASE_OK; scene++) {
        if (bench_selected(globs, scene->name)) {
            found = scene;
            bool added = false;
            for (size_t s = 0; s < q->scene_count; s++) {
                added = added || strcmp(q->scenes[s].name, scene->name) == 0;
            }
            status = added ? BASE_OK : add_scene(args, scene, q, err);
        }
    }
    return status != BASE_OK || found ? status : scn_scene_find(item, &found, err);
}

static base_status choose_scenes(const simulate_arguments *args, inputs *q, base_error *err)
{
    if (!args->scene) { /* the pair of --a, --b and --device */
        bench_simulated *const s = &q->scenes[0];
        *s = (bench_simulated){.name = "pair",
                               .device = &q->devices[0],
                               .options = bench_own_hand,
                               .stiffness_n_m2 = NAN};
        base_status status = bench_bodies_scale(&args->bodies, &q->list.arena, &s->a, &s->b, err);
        if (status == BASE_OK) {
            status = scn_trajectory_read(args->device, &q->devices[0], err);
        }
        if (status != BASE_OK) {
            return status;
        }
        q->scene_count = 1;
        apply_options(args, s);
        return count_steps(args, s, err);
    }
    bench_names names;
    base_status status = bench_names_split(args->scene, &names, err);
    for (size_t i = 0; i < names.count && status == BASE_OK; i++) {
        status = add_scenes(args, names.items[i], q, err);
    }
    return status;
}

/** Chooses variants as `run --a --b` does: names and globs, each variant once. */
static base_status choose_variants(const simulate_arguments *args, inputs *q, base_error *err)
{
    bench_names names;
    q->list.seed = args->seed;
    q->list.name = base_arena_text(&q->list.arena, "simulate");
    if (!q->list.name) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_status status = bench_names_split(args->algorithm, &names, err);
    if (status == BASE_OK) {
        status = bench_variants_expand(&names, NULL, 0, &q->list, err);
    }
    return status == BASE_OK ? bench_experiment_choose(&q->list, NULL, NULL, &q->choice, err)
                             : status;
}

/** Sets all objects of the simulations. */
static base_status prepare(const simulate_arguments *args, inputs *q, base_error *err)
{
    bench_response response;
    base_status status = bench_plugins_load(&args->plugins, err);
    if (status == BASE_OK) {
        status = choose_variants(args, q, err);
    }
    if (status == BASE_OK) {
        /* Detects an unknown word of --response before the first scene is prepared. */
        status = bench_response_choose(args->response, &q->choice.variants[0], &response, err);
    }
    return status == BASE_OK ? choose_scenes(args, q, err) : status;
}

/* --- Simulation ------------------------------------------------------------------------------- */

static base_status simulate(const simulate_arguments *args, const bench_command_line *line,
                            const inputs *q, char folder[BENCH_RUN_FOLDER_BYTES], int *exit_status,
                            base_error *err)
{
    base_status status = BASE_OK;
    if (args->resume) {
        snprintf(folder, BENCH_RUN_FOLDER_BYTES, "%s", args->resume);
    } else {
        status = bench_run_folder(args->out, "simulate", folder, err);
        if (status == BASE_OK) {
            status = bench_run_claim(folder, err);
        }
        if (status == BASE_OK) {
            bench_run_link(folder, true);
        }
    }
    if (status != BASE_OK) {
        folder[0] = '\0'; /* this command has no folder */
        return status;
    }
    const bench_simulate_options options = {
        .scenes = q->scenes,
        .scene_count = q->scene_count,
        .variants = q->choice.variants,
        .variant_count = q->list.variant_count,
        .response = args->response,
        .judge_every = args->judge,
        .every = args->every,
        .timeout_s = args->timeout_s,
        .seed = args->seed,
        .folder = folder,
        .cache_directory = args->no_cache ? NULL : bench_cache_directory(args->cache),
        .command = line->text,
        .arguments = (const char *const *)line->words,
        .argument_count = (size_t)line->count,
        .resume = args->resume,
        .quiet = args->quiet,
    };
    return bench_simulate(&options, exit_status, err);
}

/* --- The command ------------------------------------------------------------------------------ */

static const bench_usage usage = {
    .usage = "simulate --scene LIST --algorithm LIST [options]\n"
             "simulate --a MESH --b MESH --device FILE --algorithm LIST [options]\n"
             "simulate --resume DIR",
    .summary =
        "Simulates a hand. The body B hangs on a virtual coupling, a critically damped "
        "spring, whose other end follows a device. The answers of a variant keep B out of A, "
        "once per millisecond. Writes each step and the body's path. Judges how deep the "
        "bodies penetrate, the energy that the contact creates, and the smoothness of the "
        "hand's force. Prints a table.\n"
        "\n"
        "A variant that answers a force drives the body by this force, as a penalty. All "
        "other variants, and those of imp, drive it by impulses at their contacts. "
        "--response overrides this. Forces are compared at equal stiffness: those of each "
        "method are multiplied by the gain that fits them to the gradient of the exact "
        "volume, at steps of the device's own path.",
    .notes = "A device is any trajectory of B in A's frame: recorded (trajectory import), fitted "
             "to a pair (trajectory follow), or sampled. B must be a solid. If A is not a solid, "
             "only the paths of points are judged, and forces that need a gain have the status "
             "'unscaled'.\n"
             "\n"
             "Examples:\n"
             "  proxbench simulate --scene peg --algorithm 'exact-volume,vps,pst' --out "
             "results/peg\n"
             "  proxbench simulate --a bolt --b nut --device t.csv --algorithm vps --steps 500\n"
             "  proxbench simulate --resume results/peg\n"
             "\n"
             "Each variant answers in its own process. If it crashes, hangs or exits, its row has "
             "this status, and the next variant begins.\n"
             "\n"
             "A simulation is stored on disk every 100 steps, and the row of a variant at its "
             "end. --resume continues a simulation that was ended by Ctrl-C, a crash or a full "
             "disk. It makes the same files, except for times.\n"
             "\n"
             "Exit status: 0 good, 1 a wrong answer, 2 usage, 3 input or system, 5 a variant "
             "crashed, failed or timed out, or its forces were too stiff for a step, 130 "
             "interrupted.",
};

static simulate_arguments default_arguments(void)
{
    return (simulate_arguments){.bodies = BENCH_BODIES_DEFAULT,
                                .response = "auto",
                                .coupling = NAN,
                                .density = NAN,
                                .stiffness = NAN,
                                .resolve = NAN,
                                .slop = NAN,
                                .timeout_s = BENCH_TIMEOUT_DEFAULT_S,
                                .steps = UINT64_MAX,
                                .impulses = UINT64_MAX,
                                .judge = JUDGE_DEFAULT,
                                .every = 1,
                                .seed = 1};
}

/**
 * Checks the options of --resume, which must not change the simulation. Returns -1, or the exit
 * status of a usage error.
 */
static int check_resume(const simulate_arguments *args)
{
    const simulate_arguments none = default_arguments();
    const char *const texts[] = {args->bodies.a,  args->bodies.b, args->scene, args->device,
                                 args->algorithm, args->out,      args->cache, bench_share_data};
    const double numbers[] = {args->coupling, args->density, args->stiffness, args->resolve,
                              args->slop};
    bool given = args->no_cache || args->plugins.count > 0 || args->steps != none.steps ||
                 args->impulses != none.impulses || args->judge != none.judge ||
                 args->every != none.every || args->seed != none.seed ||
                 args->timeout_s != none.timeout_s || strcmp(args->response, none.response) != 0 ||
                 args->bodies.scale_a != 1 || args->bodies.scale_b != 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        given = given || texts[i];
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        given = given || !isnan(numbers[i]);
    }
    return given ? bench_usage_error("--resume continues the simulation with its own command: it "
                                     "takes no option but --quiet")
                 : -1;
}

/**
 * Checks that options that belong together are all given or all missing. Returns -1 if they are
 * valid.
 */
static int check_arguments(const simulate_arguments *args)
{
    const bool own = args->bodies.a || args->bodies.b || args->device ||
                     args->bodies.scale_a != 1 || args->bodies.scale_b != 1;
    const char *const missing = !args->bodies.a   ? "--a"
                                : !args->bodies.b ? "--b"
                                : !args->device   ? "--device"
                                                  : NULL;
    if (!own && !args->scene) {
        return bench_usage_error("simulate needs --scene, or a pair of your own: --a, --b and "
                                 "--device");
    }
    if (own && args->scene) {
        return bench_usage_error("simulate takes --scene or a pair of your own, not both");
    }
    if (own && missing) {
        return bench_usage_error("a pair of your own needs --a, --b and --device: %s is missing",
                                 missing);
    }
    if (!args->algorithm) {
        return bench_usage_error("simulate needs --algorithm");
    }
    return bench_timeout_check(args->timeout_s);
}

/**
 * Parses the arguments. argv[0] is "simulate"; words are moved. Returns -1, or the exit status that
 * ends the command.
 */
static int parse(int argc, char **argv, simulate_arguments *args)
{
    const bench_option options[] = {
        BENCH_OPTION("scene", "LIST", &args->scene,
                     "peg, scrape, nut, press, stir, or all; several names or globs"),
        BENCH_BODIES_OPTIONS(args->bodies),
        BENCH_OPTION("device", "FILE", &args->device,
                     "path of the device: poses of B in A's frame (CSV), in metres and seconds"),
        BENCH_OPTION("algorithm", "LIST", &args->algorithm,
                     "variants, by name or glob: 'exact-volume,vps,pst'"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &args->plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("response", "auto|force|impulses", &args->response, "drive of the body"),
        BENCH_OPTION("out", "DIR", &args->out,
                     "new folder for results (default: results/simulate-TIME)"),
        BENCH_OPTION("resume", "DIR", &args->resume, "continue the simulations in this folder"),
        BENCH_OPTION_WITHIN("steps", "N", &args->steps, 1, UINT64_C(100000000),
                            "largest number of steps of 1 ms (default: until the device ends)"),
        BENCH_OPTION("stiffness-coupling", "N/M", &args->coupling,
                     "stiffness of the coupling's spring, N/m (default: the scene's; for a pair of "
                     "your own 10000 times B's mass)"),
        BENCH_OPTION("density", "KG/M3", &args->density,
                     "density of B (default: the scene's; for a pair of your own 1000)"),
        BENCH_OPTION("stiffness", "N/M2", &args->stiffness,
                     "stiffness of penalties: force / gradient of the exact volume (default: the "
                     "scene's; for a pair of your own twice the coupling's / the smallest edge of "
                     "B's box)"),
        BENCH_OPTION("resolve", "X", &args->resolve,
                     "share of a contact's depth that impulses remove in a step, 0 to 1 (default: "
                     "the scene's; for a pair of your own 0.2)"),
        BENCH_OPTION(
            "slop", "M", &args->slop,
            "depth that impulses leave, m (default: the scene's; for a pair of your own 0)"),
        BENCH_OPTION_WITHIN(
            "impulses", "N", &args->impulses, 1, UINT64_C(1000000),
            "largest number of impulses in a step (default: the scene's; for a pair "
            "of your own 1000)"),
        BENCH_OPTION_WITHIN("judge", "N", &args->judge, 1, UINT64_C(1000000),
                            "the depth of points is judged in every N-th step, the volume in each "
                            "step"),
        BENCH_OPTION_WITHIN("every", "N", &args->every, 1, UINT64_C(1000000),
                            "every N-th step is a frame of the trajectory file of the path"),
        BENCH_OPTION("timeout", "S", &args->timeout_s, "limit of one build or one query, seconds"),
        BENCH_OPTION("seed", "N", &args->seed, "seed of the algorithms' random numbers"),
        BENCH_OPTION("cache", "DIR", &args->cache, "folder of built bodies"),
        BENCH_OPTION("no-cache", NULL, &args->no_cache, "neither read nor write the cache"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("quiet", NULL, &args->quiet,
                     "no progress on stderr, only the folder of the results"),
        BENCH_OPTION_END,
    };
    int operands = 0;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands > 0) {
        return bench_usage_error("simulate: unexpected operand '%s'", argv[1]);
    }
    return args->resume ? check_resume(args) : check_arguments(args);
}

/**
 * Replaces the arguments by those of the folder that is resumed. Returns -1, or the exit status
 * that ends the command.
 */
static int parse_resumed(simulate_arguments *args, bench_command_line *line, base_error *err)
{
    const bool quiet = args->quiet;
    const char *folder;
    char **words;
    if (bench_command_line_resume(args->resume, line, &folder, &words, err) != BASE_OK) {
        return bench_error(err);
    }
    *args = default_arguments();
    const int ended = parse(line->count, words, args);
    args->resume = folder;
    args->quiet = quiet;
    return ended;
}

int bench_cmd_simulate(int argc, char **argv)
{
    base_error err = {0};
    bench_command_line line = {0};
    inputs q = {0};
    simulate_arguments args = default_arguments();
    if (bench_command_line_keep(argc, argv, &line, &err) != BASE_OK) {
        return bench_error(&err);
    }
    int ended = parse(argc, argv, &args);
    if (ended < 0 && args.resume) {
        ended = parse_resumed(&args, &line, &err);
    }
    if (ended >= 0) {
        base_arena_release(&line.arena);
        return ended;
    }
    bench_command_line_join(line.count, line.words, line.text, sizeof line.text);
    bench_catch_interrupts();
    bench_output_outlive_reader();
    char folder[BENCH_RUN_FOLDER_BYTES] = "";
    int exit_status = BENCH_GOOD;
    base_status status = prepare(&args, &q, &err);
    if (status == BASE_OK) {
        status = simulate(&args, &line, &q, folder, &exit_status, &err);
    }
    if (status != BASE_OK) {
        exit_status = bench_error(&err);
    }
    if (*folder) {
        const bool resumable =
            status == BASE_OK ? exit_status == BENCH_INTERRUPTED : status == BASE_ERR_SYSTEM;
        bench_command_line_print_results("simulate", folder, status, resumable);
    }
    for (size_t s = 0; s < q.scene_count; s++) {
        scn_trajectory_release(&q.devices[s]);
    }
    scn_experiment_release(&q.list);
    base_arena_release(&line.arena);
    return exit_status;
}
