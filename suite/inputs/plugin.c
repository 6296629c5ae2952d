#include "suite/inputs/plugin.h"

#include "algorithms/algorithms.h"
#include "algorithms/registry.h"
#include "base/file.h"
#include "base/memory.h"
#include "suite/message.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- State of the process --------------------------------------------------------------------- */

/* A plug-in must not change the state of the program that loads it. */

enum { STREAMS = 3, SIGNALS = 65, LOCALE_BYTES = 512 };

/** An open file or a folder; all zero if it does not exist. */
typedef struct file_identity {
    dev_t device;
    ino_t inode;
    mode_t mode;
} file_identity;

typedef struct process_state {
    file_identity streams[STREAMS], folder;
    mode_t mask;
    char locale[LOCALE_BYTES];
    struct rlimit limits[RLIM_NLIMITS];
    struct sigaction signals[SIGNALS]; /* [0] is not used */
    sigset_t blocked;
} process_state;

/** result: of stat or fstat. */
static file_identity identity(int result, const struct stat *info)
{
    return result == 0 ? (file_identity){info->st_dev, info->st_ino, info->st_mode}
                       : (file_identity){0};
}

static bool same_file(const file_identity *a, const file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->mode == b->mode;
}

static void take_state(process_state *state)
{
    struct stat info;
    memset(state, 0, sizeof *state);
    for (int i = 0; i < STREAMS; i++) {
        state->streams[i] = identity(fstat(i, &info), &info);
    }
    state->folder = identity(stat(".", &info), &info);
    state->mask = umask(0);
    umask(state->mask);
    const char *const locale = setlocale(LC_ALL, NULL);
    snprintf(state->locale, sizeof state->locale, "%s", locale ? locale : "");
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        getrlimit((__rlimit_resource_t)i, &state->limits[i]);
    }
    for (int i = 1; i < SIGNALS; i++) {
        sigaction(i, NULL, &state->signals[i]);
    }
    sigprocmask(SIG_BLOCK, NULL, &state->blocked);
}

/* Compares the members one by one, because padding may differ. */
static bool same_signals(const process_state *a, const process_state *b)
{
    for (int i = 1; i < SIGNALS; i++) {
        const struct sigaction *const x = &a->signals[i], *const y = &b->signals[i];
        const bool same_handler = (x->sa_flags & SA_SIGINFO) ? x->sa_sigaction == y->sa_sigaction
                                                             : x->sa_handler == y->sa_handler;
        if (x->sa_flags != y->sa_flags || !same_handler ||
            sigismember(&a->blocked, i) != sigismember(&b->blocked, i)) {
            return false;
        }
    }
    return true;
}

/** Returns the first kind of state that has changed, or NULL. */
static const char *changed_state(const process_state *before)
{
    process_state now;
    take_state(&now);
    for (int i = 0; i < STREAMS; i++) {
        if (!same_file(&before->streams[i], &now.streams[i])) {
            return "a standard stream";
        }
    }
    if (!same_file(&before->folder, &now.folder)) {
        return "the working folder";
    }
    if (before->mask != now.mask) {
        return "the umask";
    }
    if (strcmp(before->locale, now.locale) != 0) {
        return "the locale";
    }
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        if (before->limits[i].rlim_cur != now.limits[i].rlim_cur ||
            before->limits[i].rlim_max != now.limits[i].rlim_max) {
            return "a resource limit";
        }
    }
    return same_signals(before, &now) ? NULL : "the handling of a signal";
}

enum { PLUGINS_MAX = 64, PATH_BYTES = 4096 };

enum { TRIAL_S = 20, POLL_MS = 100 }; /* limit of a trial; interval of checks for interrupts */

/** Never unloaded, because the registry points into them. */
static bench_plugin plugins[PLUGINS_MAX];
static size_t plugin_count;

const bench_plugin *bench_plugin_of(const alg_algorithm *algorithm)
{
    for (size_t i = 0; i < plugin_count; i++) {
        for (size_t k = 0; k < plugins[i].count; k++) {
            if (&plugins[i].algorithms[k] == algorithm) {
                return &plugins[i];
            }
        }
    }
    return NULL;
}

/* --- One file --------------------------------------------------------------------------------- */

static char *copy_text(const char *prefix, const char *joint, const char *text)
{
    const size_t size = strlen(prefix) + strlen(joint) + strlen(text) + 1;
    char *const copy = base_alloc(size, 1);
    if (copy) {
        snprintf(copy, size, "%s%s%s", prefix, joint, text);
    }
    return copy;
}

/** Returns the reason that dlopen gives, without the path at its beginning. */
static const char *loader_reason(const char *path)
{
    const char *const text = dlerror();
    const size_t length = strlen(path);
    const char *const reason = text ? text : "unknown reason";
    return strncmp(reason, path, length) == 0 && strncmp(reason + length, ": ", 2) == 0
               ? reason + length + 2
               : reason;
}

typedef const alg_plugin *plugin_entry(void);

/** Returns advice about a plug-in that was built for another version of the contract. */
static const char *advice_for(uint32_t version)
{
    return version > ALG_ABI_VERSION ? "this program is older than the plug-in"
           : version == 4
               ? "write the choices of parameters as alg_choice rows with their explanations, "
                 "replace 'explain' by these and ALG_READS_CLOCK by the function 'reads_clock', "
                 "and build it again"
               : "build it again ('From version' in algorithms/README.md lists the changes)";
}

/** Returns the plug-in of the library, or NULL with err filled: BASE_ERR_INPUT. */
static const alg_plugin *ask_library(void *library, const char *path, base_error *err)
{
    void *const symbol = dlsym(library, "proxbench_plugin");
    if (!symbol) {
        (void)base_fail(err, BASE_ERR_INPUT,
                        "'%s' is no plug-in: it does not export 'proxbench_plugin' (see "
                        "algorithms/algorithms.h)",
                        path);
        return NULL;
    }
    plugin_entry *entry;
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from object to function */
    const alg_plugin *const plugin = entry();
    if (!plugin) {
        (void)base_fail(err, BASE_ERR_INPUT, "plug-in '%s' reports that it cannot work here", path);
        return NULL;
    }
    if (plugin->abi_version != ALG_ABI_VERSION) {
        (void)base_fail(err, BASE_ERR_INPUT,
                        "plug-in '%s' was built for version %u of the contract, this program has "
                        "version %d: %s",
                        path, plugin->abi_version, ALG_ABI_VERSION,
                        advice_for(plugin->abi_version));
        return NULL;
    }
    if (plugin->alg_size < offsetof(alg_algorithm, query) + sizeof(void *) || !plugin->algorithms ||
        !plugin->algorithms[0]) {
        (void)base_fail(err, BASE_ERR_INPUT,
                        "plug-in '%s' has no algorithm, or does not set alg_size", path);
        return NULL;
    }
    return plugin;
}

/**
 * Loads the file and returns its plug-in, or NULL with err filled: BASE_ERR_INPUT. The
 * floating-point environment is restored afterwards: a library that was linked with -ffast-math
 * makes the loading process flush denormals to zero, and this program judges by exact truth.
 */
static const alg_plugin *open_library(const char *path, base_error *err)
{
    char with_folder[PATH_BYTES]; /* dlopen searches elsewhere for a name without a folder */
    fenv_t environment;
    snprintf(with_folder, sizeof with_folder, "%s%s", strchr(path, '/') ? "" : "./", path);
    fegetenv(&environment);
    void *const library = dlopen(with_folder, RTLD_NOW | RTLD_LOCAL);
    const alg_plugin *const plugin = library ? ask_library(library, path, err) : NULL;
    fesetenv(&environment);
    if (!library) {
        (void)base_fail(err, BASE_ERR_INPUT, "cannot load plug-in '%s': %s", path,
                        loader_reason(with_folder));
    } else if (!plugin) {
        dlclose(library);
    }
    return plugin;
}

/**
 * Copies the entries, with the label before their names. Members that are newer than the plug-in's
 * contract are zero.
 */
static base_status copy_entries(const alg_plugin *from, const char *label, bench_plugin *plugin,
                                base_error *err)
{
    size_t count = 0;
    while (from->algorithms[count]) {
        count++;
    }
    alg_algorithm *const copies = base_alloc(count, sizeof *copies);
    if (!copies) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const size_t common =
        from->alg_size < sizeof(alg_algorithm) ? from->alg_size : sizeof(alg_algorithm);
    for (size_t i = 0; i < count; i++) {
        memcpy(&copies[i], from->algorithms[i], common);
        if (*label && copies[i].name) {
            copies[i].name = copy_text(label, "-", copies[i].name);
            if (!copies[i].name) {
                return base_fail(err, BASE_ERR_MEMORY, "out of memory");
            }
        }
    }
    plugin->algorithms = copies;
    plugin->count = count;
    return BASE_OK;
}

static base_status register_entries(const bench_plugin *plugin, base_error *err)
{
    for (size_t i = 0; i < plugin->count; i++) {
        alg_message message;
        if (alg_register(&plugin->algorithms[i], &message) != ALG_OK) {
            const bool taken = plugin->algorithms[i].name && alg_find(plugin->algorithms[i].name);
            return base_fail(err, BASE_ERR_INPUT, "plug-in '%s': %s%s", plugin->path, message.text,
                             taken ? " (--plugin LABEL=FILE renames)" : "");
        }
    }
    return BASE_OK;
}

static base_status load(const char *label, const char *path, base_error *err)
{
    if (plugin_count == PLUGINS_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "more than %d plug-ins", PLUGINS_MAX);
    }
    if (access(path, F_OK) != 0) {
        return base_fail(err, BASE_ERR_INPUT, "cannot open plug-in '%s': %s", path,
                         strerror(errno));
    }
    bench_plugin *const plugin = &plugins[plugin_count];
    *plugin = (bench_plugin){0};
    base_status status = base_file_hash(path, &plugin->hash, err);
    if (status != BASE_OK) {
        return status;
    }
    process_state before;
    take_state(&before);
    const alg_plugin *const from = open_library(path, err);
    const char *const change = changed_state(&before);
    if (change) {
        return base_fail(err, BASE_ERR_INPUT, "plug-in '%s' changes the program that loads it: %s",
                         path, change);
    }
    if (!from) {
        return BASE_ERR_INPUT;
    }
    plugin->argument = copy_text(label, *label ? "=" : "", path);
    plugin->path = copy_text("", "", path);
    plugin->version = from->version ? from->version : "";
    plugin->build = from->build ? from->build : "";
    if (!plugin->path || !plugin->argument) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    status = copy_entries(from, label, plugin, err);
    if (status != BASE_OK) {
        return status;
    }
    plugin_count++; /* also if an entry is refused, because earlier entries are in the registry */
    return register_entries(plugin, err);
}

bool bench_plugins_loaded(void)
{
    return plugin_count > 0;
}

/** Loads FILE, or LABEL=FILE; a '=' after a '/' is part of the path. */
base_status bench_plugin_load(const char *argument, base_error *err)
{
    const size_t length = strcspn(argument, "=/");
    if (argument[length] != '=') {
        return load("", argument, err);
    }
    char label[32];
    if (length == 0 || length >= sizeof label ||
        strspn(argument, "abcdefghijklmnopqrstuvwxyz0123456789-") != length) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s': a label is letters a to z, digits and '-', up to %zu of them",
                         argument, sizeof label - 1);
    }
    memcpy(label, argument, length);
    label[length] = '\0';
    return load(label, argument + length + 1, err);
}

/* --- Trials ----------------------------------------------------------------------------------- */

/**
 * Loads the plug-in and makes the first calls of the program in a child process, which may crash. A
 * message on `survived` reports the result of loading. An exit status could not, because the
 * library may exit with any status. The process ends with its parent, which an interruption may end
 * at once.
 */
static _Noreturn void make_trial(const char *argument, pid_t parent, int survived)
{
    const struct rlimit no_core = {0, 0};
    base_error err = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(BENCH_INTERRUPTED);
    }
    setpgid(0, 0); /* signals to its group reach only itself, and its children can be killed */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGALRM, SIG_DFL);
    signal(SIGINT, SIG_DFL); /* our handlers would end it with our status */
    signal(SIGTERM, SIG_DFL);
    alarm(TRIAL_S);
    const size_t before = plugin_count;
    const base_status status = bench_plugin_load(argument, &err);
    if (status == BASE_OK && plugin_count > before) {
        const bench_plugin *const plugin = &plugins[before];
        for (size_t i = 0; i < plugin->count; i++) {
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(plugin->algorithms[i].name, 1, &variant, &message) == ALG_OK) {
                (void)plugin->algorithms[i].contract(&variant.settings, ALG_DISTANCE);
            }
        }
    }
    err.status = status;
    _exit(write(survived, &err, sizeof err) == (ssize_t)sizeof err ? 0 : BENCH_INPUT);
}

/**
 * Waits for the message or the end of a trial, and kills all processes that it may have left
 * behind. Returns its status. An interruption ends the trial; it is checked every POLL_MS.
 */
static int end_trial(pid_t child, int messages)
{
    int status = 0;
    struct pollfd wait = {.fd = messages, .events = POLLIN};
    siginfo_t info = {.si_pid = 0}; /* set once the child has ended */
    while (!(wait.revents & POLLIN) && info.si_pid != child && !bench_interrupted()) {
        if (poll(&wait, 1, POLL_MS) > 0 && !(wait.revents & POLLIN)) {
            wait.fd = -1; /* the library has closed the pipe but may still run */
        }
        (void)waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/** Checks and returns the message of a trial. The library may have written it. */
static base_status take_message(base_error *said, base_error *err)
{
    said->text[sizeof said->text - 1] = '\0';
    switch (said->status) {
    case BASE_OK:
        return BASE_OK;
    case BASE_ERR_ARGUMENT:
    case BASE_ERR_MEMORY:
    case BASE_ERR_SYSTEM:
        return base_fail(err, said->status, "%s", said->text);
    case BASE_ERR_INPUT:
    default:
        return base_fail(err, BASE_ERR_INPUT, "%s", said->text);
    }
}

/**
 * Tries a plug-in in a child process. If it throws, crashes, exits or hangs while it is loaded,
 * this gives an error of one line and does not end the program.
 */
static base_status try_plugin(const char *argument, base_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        make_trial(argument, parent, ends[1]);
    }
    const int reason = errno;
    close(ends[1]);
    const int status = child > 0 ? end_trial(child, ends[0]) : 0;
    base_error loading;
    const bool survived =
        child > 0 && read(ends[0], &loading, sizeof loading) == (ssize_t)sizeof loading;
    close(ends[0]);
    if (child < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start a process: %s", strerror(reason));
    }
    if (survived) {
        return take_message(&loading, err);
    }
    if (bench_interrupted()) {
        return base_fail(err, BASE_ERR_INPUT, "interrupted while plug-in '%s' was loaded",
                         argument);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        return base_fail(err, BASE_ERR_INPUT, "plug-in '%s' was not loaded within %d s", argument,
                         TRIAL_S);
    }
    if (WIFSIGNALED(status)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "plug-in '%s' died while it was loaded: killed by signal %d (%s)",
                         argument, WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return base_fail(err, BASE_ERR_INPUT,
                     "plug-in '%s' ends the program that loads it, with status %d", argument,
                     WEXITSTATUS(status));
}

static base_status try_and_load(const char *argument, base_error *err)
{
    const base_status status = try_plugin(argument, err);
    return status == BASE_OK ? bench_plugin_load(argument, err) : status;
}

/* --- Peers ------------------------------------------------------------------------------------ */

/**
 * Finds the folder "peers" beside the program, or that of an installed program. PROXBENCH_PEERS
 * overrides both. Returns false if there is no folder.
 */
static bool find_peers(char folder[PATH_BYTES])
{
    const char *const told = getenv("PROXBENCH_PEERS");
    if (told) {
        return *told && (size_t)snprintf(folder, PATH_BYTES, "%s", told) < PATH_BYTES;
    }
    char program[PATH_BYTES - 64];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    static const char *const places[] = {"peers", "../lib/proxbench/peers"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, PATH_BYTES, "%s/%s", program, places[i]);
        if (access(folder, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

static int is_library(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void load_peers(void)
{
    static bool loaded; /* a command such as `figure` starts several runs */
    if (loaded) {
        return;
    }
    loaded = true;
    char folder[PATH_BYTES], path[2 * PATH_BYTES];
    struct dirent **entries = NULL;
    const int count = find_peers(folder) ? scandir(folder, &entries, is_library, by_name) : 0;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        base_error err = {0};
        if (try_and_load(path, &err) != BASE_OK) {
            bench_warn("%s", err.text);
        }
        free(entries[i]);
    }
    free(entries);
}

/* --- All plug-ins of a command ---------------------------------------------------------------- */

base_status bench_plugins_load(const bench_texts *files, base_error *err)
{
    load_peers();
    for (size_t i = 0; i < files->count; i++) {
        const base_status status = try_and_load(files->items[i], err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}
