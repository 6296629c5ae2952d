/**
 * proxbench: the table of commands.
 */
#include "base/text.h"
#include "suite/build_info.h"
#include "suite/commands/commands.h"
#include "suite/inputs/truth_entries.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"list",       bench_cmd_list,       "what there is: algorithms, scenarios, models, experiments"},
    {"run",        bench_cmd_run,        "measure and judge variants: the main job"                 },
    {"check",      bench_cmd_check,      "hold a run against its baseline: the gate"                },
    {"query",      bench_cmd_query,      "ask one variant about one pose"                           },
    {"truth",      bench_cmd_truth,      "exact distance and volume for each frame of a trajectory" },
    {"trajectory", bench_cmd_trajectory, "sample a trajectory, or import a recorded one"            },
    {"model",      bench_cmd_model,      "write a generated model"                                  },
    {"mesh",       bench_cmd_mesh,       "what a mesh is, what is wrong with it, and where"         },
    {"compare",    bench_cmd_compare,    "which variants are faster, on the front, or fit a need"   },
    {"plot",       bench_cmd_plot,       "draw the figures of a run"                                },
    {"replay",     bench_cmd_replay,     "one frame of a run again, alone"                          },
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT + 2] = {"help"};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i + 1] = commands[i].name;
    }
    char near[256];
    base_text_near(name, names, near, sizeof near);
    return bench_usage_error("unknown command '%s'%s", name, near);
}

static void print_help(void)
{
    puts("usage: proxbench COMMAND [options]\n"
         "\n"
         "Benchmark and validation of proximity and penetration algorithms.\n"
         "\n"
         "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("  %-12s%s\n", commands[i].name, commands[i].summary);
    }
    puts("\n"
         "'proxbench help COMMAND' or 'proxbench COMMAND --help' tells more.\n"
         "\n"
         "Exit status: 0 good, 1 wrong answer, 2 usage, 3 input or system,\n"
         "4 slower, 5 a cell crashed, failed or timed out, 130 interrupted.");
}

/** proxbench help [COMMAND] */
static int help(const char *name)
{
    if (!name) {
        print_help();
        return BENCH_GOOD;
    }
    const struct command *const command = find_command(name);
    if (!command) {
        return unknown_command(name);
    }
    char copy[32], option[] = "--help";
    snprintf(copy, sizeof copy, "%s", command->name);
    char *arguments[] = {copy, option, NULL};
    return command->run(2, arguments);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        return bench_usage_error("no command; 'proxbench --help' lists them");
    }
    const char *const name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("proxbench " BENCH_VERSION " (" BENCH_COMMIT ", " BENCH_CONFIG ")");
        return BENCH_GOOD;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return help(NULL);
    }
    if (strcmp(name, "help") == 0) {
        return help(argc > 2 ? argv[2] : NULL);
    }
    if (strcmp(name, "worker") == 0) {
        return bench_worker_main(); /* not for people, and in no table */
    }
    bench_leave_at_interrupts();
    const struct command *const command = find_command(name);
    if (!command) {
        return name[0] == '-' ? bench_usage_error("unknown option '%s'; 'proxbench --help' tells "
                                                  "what there is",
                                                  name)
                              : unknown_command(name);
    }
    return command->run(argc - 1, argv + 1);
}

/** A closed pipe is an error of write, and the first file opened never becomes standard output. */
static void set_up_process(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) {
            _exit(BENCH_INPUT);
        }
    }
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

int main(int argc, char **argv)
{
    set_up_process();
    bench_truth_entries_register();
    const int status = dispatch(argc, argv);
    bench_output output;
    base_error err = {0};
    if (bench_output_open(NULL, &output, &err) != BASE_OK ||
        bench_output_close(&output, BASE_OK, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return status;
}
