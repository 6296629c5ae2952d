#include "base/process.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Runs `sh -c SCRIPT`. printed receives its standard output and standard error in turn. */
static base_process_outcome run(const char *script, base_process process, char printed[256])
{
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    base_process_outcome outcome = {BASE_PROCESS_EXITED, -1};
    const int file = memfd_create("printed", MFD_CLOEXEC);
    process.arguments = arguments;
    process.out = process.err = file;
    assert_ok(base_process_run(&process, &outcome, ERR));
    const ssize_t size = pread(file, printed, 255, 0);
    printed[size > 0 ? size : 0] = '\0';
    close(file);
    return outcome;
}

static base_process_outcome run_plainly(const char *script, char printed[256])
{
    return run(script, (base_process){0}, printed);
}

Test(process, ends_with_its_status_and_its_words)
{
    char printed[256];
    const base_process_outcome outcome = run_plainly("echo out; echo err >&2; exit 7", printed);
    cr_assert_eq(outcome.end, BASE_PROCESS_EXITED);
    cr_assert_eq(outcome.code, 7);
    cr_assert_str_eq(printed, "out\nerr\n");
}

Test(process, signals_and_statuses_differ)
{
    char printed[256];
    const base_process_outcome outcome = run_plainly("kill -USR1 $$", printed);
    cr_assert_eq(outcome.end, BASE_PROCESS_SIGNALLED);
    cr_assert_eq(outcome.code, SIGUSR1);
}

Test(process, a_program_that_cannot_be_started_ends_with_127)
{
    const char *const arguments[] = {"/nowhere/to/be/found", NULL};
    const base_process process = {.arguments = arguments, .out = 1, .err = 2};
    base_process_outcome outcome;
    assert_ok(base_process_run(&process, &outcome, ERR));
    cr_assert_eq(outcome.end, BASE_PROCESS_EXITED);
    cr_assert_eq(outcome.code, 127);
}

Test(process, has_no_input_no_core_and_the_wanted_folder)
{
    char printed[256];
    run("readlink /proc/$$/fd/0; ulimit -c; pwd", (base_process){.directory = "/"}, printed);
    cr_assert_str_eq(printed, "/dev/null\n0\n/\n");
}

Test(process, memory_is_limited)
{
    char printed[256];
    run("ulimit -v", (base_process){.memory_bytes = (uint64_t)1 << 30}, printed);
    cr_assert_str_eq(printed, "1048576\n");
}

Test(process, is_killed_when_its_time_is_over)
{
    char printed[256];
    const base_process_outcome outcome =
        run("echo begun; exec sleep 100000", (base_process){.seconds = 1}, printed);
    cr_assert_eq(outcome.end, BASE_PROCESS_TIMED_OUT);
    cr_assert_eq(outcome.code, 0);
    cr_assert_str_eq(printed, "begun\n");
}

static int turns_left;

static bool interrupts_later(void)
{
    return turns_left-- <= 0;
}

Test(process, is_killed_when_it_is_interrupted)
{
    char printed[256];
    turns_left = 3;
    const base_process_outcome outcome =
        run("exec sleep 100000", (base_process){.interrupted = interrupts_later}, printed);
    cr_assert_eq(outcome.end, BASE_PROCESS_INTERRUPTED);
}

static _Atomic pid_t child;
static pid_t seen;

static bool sees_the_child(void)
{
    seen = atomic_load(&child);
    return false;
}

Test(process, tells_its_number_while_it_runs)
{
    char printed[256];
    run("echo $$; sleep 0.1", (base_process){.child = &child, .interrupted = sees_the_child},
        printed);
    cr_assert_eq(seen, atoi(printed), "%d is not %s", seen, printed);
    cr_assert_eq(atomic_load(&child), 0);
}

/** A process that the program leaves in its group is killed with it. The process holds the other
 * end of a pipe, whose reader sees the end only after all writers are gone. */
Test(process, leaves_no_process_behind)
{
    char printed[256], byte;
    int ends[2];
    cr_assert_eq(pipe(ends), 0); /* not closed by exec: the child inherits the writing end */
    run_plainly("sleep 100000 & exit 0", printed);
    close(ends[1]);
    struct pollfd end = {.fd = ends[0], .events = POLLIN};
    cr_assert_eq(poll(&end, 1, 60000), 1, "a process of the group is still alive");
    cr_assert_eq(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

Test(process, is_found_in_the_search_path)
{
    char path[PATH_MAX];
    setenv("PATH", "/nowhere::/bin:/usr/bin", 1);
    cr_assert(base_process_find("sh", path));
    cr_assert_str_eq(path, "/bin/sh");
    cr_assert_not(base_process_find("no-such-program", path));
    cr_assert_str_eq(path, "");
    setenv("PATH", "/", 1); /* a folder is not a program */
    cr_assert_not(base_process_find("bin", path));
    unsetenv("PATH");
    cr_assert_not(base_process_find("sh", path));
}
