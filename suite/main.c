/** proxbench: finds the command and runs it. */
#include "base/text.h"
#include "suite/build_info.h"
#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/inputs/response_entry.h"
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

/** Suggests similar commands. If no command is similar, lists all. */
static int unknown_command(const char *name)
{
    enum { NAMES_MAX = 30 };
    const char *names[NAMES_MAX] = {"help"};
    char near[256], all[512] = ": there are help";
    for (size_t i = 0; bench_commands[i].name && i + 2 < NAMES_MAX; i++) {
        const size_t used = strlen(all);
        names[i + 1] = bench_commands[i].name;
        snprintf(all + used, sizeof all - used, "%s%s", bench_commands[i + 1].name ? ", " : " and ",
                 bench_commands[i].name);
    }
    base_text_near(name, names, near, sizeof near);
    return bench_usage_error("unknown command '%s'%s", name, *near ? near : all);
}

static const char statuses[] =
    "0 good, 1 wrong answer, 2 usage, 3 input or system,\n"
    "4 slower, 5 a cell crashed, failed or timed out, 6 too noisy to decide\n"
    "(check --strict), 130 interrupted by Ctrl-C or SIGTERM, 141 standard output was\n"
    "closed.";

/** Runs `proxbench help [COMMAND | --man]`. */
static int help(const char *name)
{
    if (!name) {
        puts("usage: proxbench COMMAND [options]\n"
             "\n"
             "Benchmark and validation of proximity and penetration algorithms.\n"
             "\n"
             "Commands:");
        for (const bench_command *command = bench_commands; command->name; command++) {
            printf("  %-12s%s\n", command->name, command->summary);
        }
        fputs("\n"
              "'proxbench help COMMAND' or 'proxbench COMMAND --help' print its help;\n"
              "'proxbench help --man' writes a manual page, 'proxbench --version' prints the\n"
              "version and the build.\n"
              "\n"
              "Exit status: ",
              stdout);
        puts(statuses);
        return BENCH_GOOD;
    }
    if (strcmp(name, "--man") == 0) {
        bench_manual_print(BENCH_VERSION, statuses);
        return BENCH_GOOD;
    }
    const bench_command *const command = bench_command_find(name);
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
    if (strcmp(name, "worker") == 0) {
        return bench_worker_main(); /* internal: not listed in any table */
    }
    bench_leave_at_interrupts();
    bench_output_follow_reader();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("proxbench " BENCH_VERSION " (" BENCH_COMMIT ", " BENCH_CONFIG ")");
        return BENCH_GOOD;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return help(NULL);
    }
    if (strcmp(name, "help") == 0) {
        return help(argc > 2 ? argv[2] : NULL);
    }
    const bench_command *const command = bench_command_find(name);
    if (!command) {
        return name[0] == '-'
                   ? bench_usage_error("unknown option '%s'; see 'proxbench --help'", name)
                   : unknown_command(name);
    }
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    /* Opens missing standard descriptors, so that the first file opened never becomes standard
     * output. */
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) {
            _exit(BENCH_INPUT);
        }
    }
    /* A closed pipe and a file at its size limit are errors of write. */
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    bench_truth_entries_register();
    bench_response_entry_register();
    int status = dispatch(argc, argv);
    bench_output output;
    base_error err = {0};
    if (bench_output_open(NULL, &output, &err) != BASE_OK ||
        bench_output_close(&output, BASE_OK, &err) != BASE_OK) {
        status = bench_error(&err);
    }
    if (bench_plugins_loaded()) {
        fflush(NULL);
        _exit(status); /* skips functions that plug-ins registered with atexit: they may hang */
    }
    return status;
}
