/** `proxbench score`: judges answers that another program made. */
#include "suite/commands/commands.h"
#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/results/record.h"
#include "suite/results/run_folder.h"
#include "suite/score/diagnose.h"
#include "suite/score/merge.h"
#include "suite/share.h"

#include <math.h>
#include <string.h>

/** Option values of the command. */
typedef struct score_arguments {
    const char *scenario, *answers; /* operands */
    const char *machine, *run, *cache;
    bench_score_promise promise;
    uint64_t most;
    bool no_cache, quiet;
} score_arguments;

/** Opens the run that gets the variant, with its mode; claims it first. */
static base_status open_run(const score_arguments *args, char folder[BENCH_RUN_FOLDER_BYTES],
                            bench_record *run, base_error *err)
{
    base_status status = bench_run_find(args->run, folder, err);
    if (status == BASE_OK) {
        status = bench_run_claim(folder, err);
    }
    return status == BASE_OK
               ? bench_record_open(folder, BENCH_RECORD_FACTS | BENCH_RECORD_CELLS, run, err)
               : status;
}

/** Finds the scenario, in the sizes of the mode of the run. */
static base_status open_scenario(const score_arguments *args, const bench_record *run,
                                 scn_experiment *experiment, const scn_scenario **scenario,
                                 bench_mode *mode, base_error *err)
{
    base_status status = bench_scenario_open(args->scenario, experiment, scenario, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const of_run = args->run ? bench_record_fact(run, "run", "mode") : NULL;
    status = bench_mode_parse(of_run ? of_run : experiment->mode, mode, err);
    return status == BASE_OK && strcmp(mode->name, scn_mode_names[SCN_SMOKE]) == 0
               ? scn_experiment_reduce(experiment, err)
               : status;
}

static base_status print_diagnoses(const bench_score *score, base_error *err)
{
    bench_diagnoses found;
    const base_status status = bench_diagnose(score, &found, err);
    for (size_t i = 0; i < found.count && status == BASE_OK; i++) {
        printf("%sdiagnosis: %s\n", i == 0 ? "\n" : "", found.items[i].text);
    }
    return status;
}

/** Prints the verdict, and adds the variant to the run. */
static base_status finish(const score_arguments *args, const char *folder, const bench_record *run,
                          const bench_score *score, base_error *err)
{
    const size_t wrong = bench_score_wrong(score);
    base_status status = args->run ? bench_merge_check(run, score, err) : BASE_OK;
    if (status != BASE_OK) {
        return status;
    }
    printf("%s, %zu frames: '%s', answers of '%s'\n", args->scenario, score->cell.frame_count,
           score->cell.name, args->answers);
    status = bench_score_print(score, (size_t)args->most, stdout, err);
    if (status == BASE_OK) {
        status = print_diagnoses(score, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (wrong > 0) {
        printf("\nwrong in %zu of %zu frames\n", wrong, score->cell.frame_count);
    } else {
        puts("\nno answer is wrong");
    }
    if (args->run) {
        fflush(stdout); /* before the note */
        status = bench_merge(folder, score, err);
        if (status == BASE_OK) {
            bench_note("'%s' is a variant of %s now; its times were taken elsewhere and are not "
                       "compared",
                       score->cell.name, folder);
        }
    }
    return status;
}

static int score(const score_arguments *args)
{
    char folder[BENCH_RUN_FOLDER_BYTES] = "";
    base_error err = {0};
    bench_record run = {0};
    scn_experiment experiment = {0};
    const scn_scenario *asked = NULL;
    bench_mode mode;
    bench_score result = {.scenario = {.inputs = -1}};
    bench_catch_interrupts();
    base_status status = bench_score_check_name(args->promise.name, &err);
    if (status == BASE_OK && args->run) {
        status = open_run(args, folder, &run, &err);
    }
    if (status == BASE_OK) {
        status = open_scenario(args, &run, &experiment, &asked, &mode, &err);
    }
    const bench_run_options options = {
        .experiment = &experiment,
        .mode = &mode,
        .cache_directory = args->no_cache ? NULL : bench_cache_directory(args->cache),
        .scenarios = (const char *const[]){asked ? asked->name : "", NULL},
        .quiet = args->quiet};
    if (status == BASE_OK) {
        status = bench_score_make(&options, asked, args->answers, args->machine, &args->promise,
                                  &result, &err);
    }
    if (status == BASE_OK) {
        status = finish(args, folder, &run, &result, &err);
    }
    const bool wrong = status == BASE_OK && result.cell.status == BENCH_CELL_WRONG;
    bench_score_release(&result);
    bench_record_release(&run);
    scn_experiment_release(&experiment);
    return status != BASE_OK ? bench_error(&err) : wrong ? BENCH_WRONG : BENCH_GOOD;
}

int bench_cmd_score(int argc, char **argv)
{
    char columns[1024], notes[3072];
    bench_score_answers_columns(columns, sizeof columns);
    snprintf(notes, sizeof notes,
             "Columns: %s. Only 'frame' is needed. Lengths are in metres, points in the frame of "
             "A's file, forces on B and torques about B's centroid in A's axes. An empty field is "
             "no answer; a frame without an answer is wrong.\n"
             "\n"
             "A diagnosis names the mistake that explains the wrong answers of all frames: a "
             "factor, a sign, another frame of reference, frames in another order, the inverse "
             "pose and others.\n"
             "\n"
             "Examples:\n"
             "  proxbench export smoke/grid --out set\n"
             "  python3 examples/score.py set/grid answers.csv\n"
             "  proxbench score smoke/grid answers.csv --name mine\n"
             "\n"
             "Exit status: 0 good, 1 a wrong answer, 2 usage, 3 input or system, 130 interrupted.",
             columns);
    score_arguments args = {
        .machine = "elsewhere", .promise = {.rounding = BENCH_SCORE_ROUNDING}, .most = 10};
    const bench_option options[] = {
        BENCH_OPTION("name", "NAME", &args.promise.name,
                     "name of the variant: lower-case letters, digits and '-'"),
        BENCH_OPTION("machine", "TEXT", &args.machine, "where the answers and times were made"),
        BENCH_OPTION("contract", "PROMISE", &args.promise.contract,
                     "exact, upper-bound, lower-bound or approximate, for all quantities or for "
                     "some: 'distance=upper-bound,volume=approximate' (default: exact). "
                     "Approximate answers are measured, but only a missing or impossible one is "
                     "wrong"),
        BENCH_OPTION("rounding", "SHARE", &args.promise.rounding,
                     "share of the truth by which answers may miss their promise, at most 9e-7"),
        BENCH_OPTION("law", "LAW", &args.promise.law,
                     "law of the forces: area, depth, depth-exchanged or none (default: area for "
                     "forces in m2, depth for m3, else none)"),
        BENCH_OPTION("surface", NULL, &args.promise.surface,
                     "the bodies are surfaces: one inside the other is apart from it"),
        BENCH_OPTION("run", "RUN", &args.run,
                     "add the variant to this run, which has the scenario: a folder, or the name "
                     "of a folder in results/"),
        BENCH_OPTION("most", "N", &args.most, "number of wrong answers that are listed"),
        BENCH_OPTION("cache", "DIR", &args.cache, "folder of the cache of truth"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("no-cache", NULL, &args.no_cache, "neither read nor write the cache"),
        BENCH_OPTION("quiet", NULL, &args.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "score SCENARIO ANSWERS.csv --name NAME [options]",
        .summary =
            "Judges answers that another program made for the frames of a scenario, by the code "
            "that judges a run. Prints which answers are wrong and where, and which mistake "
            "explains them. With --run, the variant is added to a run, so that compare, plot, "
            "report and check show it beside the others. Its times are marked as taken "
            "elsewhere and are never compared with times from here. SCENARIO is EXPERIMENT/NAME, "
            "as in 'proxbench list scenarios', or the path DIR/set.cfg/NAME of an exported set.",
        .notes = notes,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 2 || !args.promise.name) {
        return bench_usage_error("score needs SCENARIO, ANSWERS.csv and --name");
    }
    if (!(args.promise.rounding >= 0 && args.promise.rounding <= BENCH_SCORE_ROUNDING_MOST)) {
        return bench_usage_error("--rounding %g is not between 0 and %g", args.promise.rounding,
                                 BENCH_SCORE_ROUNDING_MOST);
    }
    args.scenario = argv[1];
    args.answers = argv[2];
    return score(&args);
}
