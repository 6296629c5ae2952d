/**
 * The program: what its commands share. Only this module prints, and only main returns to the
 * shell.
 *
 * To add a command: one file commands/cmd_NAME.c with a function `int bench_cmd_name(int argc, char
 * **argv)` (argv[0] is the command's name; it returns an exit status), its option table, and one
 * row in main.c.
 */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "algorithms/algorithms.h"
#include "base/file.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/scenarios.h"

#include <stdio.h>

/** What the shell sees. */
enum {
    BENCH_GOOD = 0,
    BENCH_WRONG = 1, /* a wrong answer, or a regression in answers */
    BENCH_USAGE = 2,
    BENCH_INPUT = 3,     /* input or system */
    BENCH_SLOWER = 4,    /* a performance regression */
    BENCH_CELL_DIED = 5, /* a cell crashed or timed out */
    BENCH_INTERRUPTED = 130,
};

/* --- Messages (stderr) ------------------------------------------------------------------------ */

/** Prints "proxbench: error: TEXT" and returns the exit status that belongs to err->status. */
int bench_error(const base_error *err);
/** The same for a message of the caller: usage errors. Returns BENCH_USAGE. */
int bench_usage_error(const char *format, ...) BASE_PRINTF(1, 2);
/** Prints "proxbench: warning: ...". */
void bench_warn(const char *format, ...) BASE_PRINTF(1, 2);

/**
 * From here on the first Ctrl-C or SIGTERM sets a flag that the command looks at; the second one
 * ends the program at once with BENCH_INTERRUPTED, as the first does in commands that don't call
 * this.
 */
void bench_catch_interrupts(void);
bool bench_interrupted(void);

/* --- Options ---------------------------------------------------------------------------------- */

typedef enum bench_option_type {
    BENCH_FLAG,   /* bool * */
    BENCH_TEXT,   /* const char ** */
    BENCH_NUMBER, /* double *, finite */
    BENCH_COUNT,  /* uint64_t * */
    BENCH_LIST,   /* bench_texts *: as often as one likes */
} bench_option_type;

enum { BENCH_TEXTS_MAX = 32 };

/** Values of an option that may be given several times, in that order. */
typedef struct bench_texts {
    const char *items[BENCH_TEXTS_MAX];
    size_t count;
} bench_texts;

/**
 * One row of a command's table, which parses and prints --help. Ends with name == NULL.
 *
 * The target keeps its value when the option is absent: the default, which help shows. NULL, NaN
 * and UINT64_MAX stand for "no default". Of an option given twice the last one counts, except in a
 * list.
 */
typedef struct bench_option {
    const char *name;  /* without "--" */
    const char *value; /* placeholder in help: "FILE"; NULL for a flag */
    bench_option_type type;
    void *target;
    const char *help;
} bench_option;

enum { BENCH_OPTIONS_MAX = 32 }; /* rows of a table */

/** A row whose type follows from its target, and the row that ends the table. */
#define BENCH_OPTION(name, value, target, help)                                                    \
    {                                                                                              \
        name, value, BENCH_TYPE(target), target, help                                              \
    }
#define BENCH_OPTION_END                                                                           \
    {                                                                                              \
        NULL, NULL, BENCH_FLAG, NULL, NULL                                                         \
    }
#define BENCH_TYPE(target)                                                                         \
    _Generic((target),                                                                             \
        bool *: BENCH_FLAG,                                                                        \
        const char **: BENCH_TEXT,                                                                 \
        double *: BENCH_NUMBER,                                                                    \
        uint64_t *: BENCH_COUNT,                                                                   \
        bench_texts *: BENCH_LIST)

/** Paragraphs are filled; empty and indented lines stay as they are. */
typedef struct bench_usage {
    const char *usage;   /* "run EXPERIMENT [options]", one form a line */
    const char *summary; /* a paragraph or several */
    const char *notes;   /* after the options: examples, exit status; or NULL */
} bench_usage;

/**
 * Parses argv[1..] ("--name value" and "--name=value" alike, "--" ends options; a value that begins
 * with "--" needs the second form). Operands are moved to the front: argv[1] ... argv[*operands].
 * Prints help on --help and -h.
 *
 * Returns  -1 to go on; otherwise the exit status with which the command ends at once. An unknown
 *          option is a usage error that lists near names.
 */
int bench_parse(int argc, char **argv, const bench_option *options, const bench_usage *usage,
                int *operands);

enum { BENCH_NAMES_MAX = 64 };

/** A comma-separated list of names or globs. Must not be copied: items point into text. */
typedef struct bench_names {
    char text[2048];
    const char *items[BENCH_NAMES_MAX + 1]; /* NULL-terminated */
    size_t count;
} bench_names;

/**
 * Cuts at commas, but not inside a variant: a piece "key=value" belongs to the variant before it,
 * so that 'ist:radius=primary,voxels=64,brute' is two. Errors: BASE_ERR_ARGUMENT, for too many.
 */
base_status bench_names_split(const char *text, bench_names *list, base_error *err) BASE_MUST_CHECK;

/** "table" or "csv". */
base_status bench_format_parse(const char *text, bool *csv, base_error *err) BASE_MUST_CHECK;
/** "distance", "volume", "contact" or "both" (also "distance,volume", "unified") to a mask of
 * ALG_WANT_*. */
base_status bench_quantities_parse(const char *text, unsigned *quantities,
                                   base_error *err) BASE_MUST_CHECK;
/** "distance", "volume", "contact" or "unified" (distance and volume in one query). */
const char *bench_quantities_name(unsigned quantities);
/** The truth (mask of GT_WANT_*) that answers to these quantities are held against. */
unsigned bench_quantities_truth(unsigned quantities);

/* --- Output ----------------------------------------------------------------------------------- */

/** Where rows go: a file that gets its name only when it is complete, or standard output. */
typedef base_output bench_output;

/** As base_output_open; path NULL or "-": standard output. */
base_status bench_output_open(const char *path, bench_output *output,
                              base_error *err) BASE_MUST_CHECK;
/** As base_output_close. */
base_status bench_output_close(bench_output *output, base_status written,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Rows for people or for scripts: columns padded to their widest cell, or CSV. Cells are put one
 * after another, the header first. Out of memory is told by bench_rows_print. A zeroed one with
 * `columns` set is empty.
 */
typedef struct bench_rows {
    size_t columns; /* at most BENCH_COLUMNS_MAX */
    char **cells;
    size_t cell_count, cell_capacity;
    base_arena arena;
    bool failed;
} bench_rows;

enum { BENCH_COLUMNS_MAX = 16 };

void bench_rows_put(bench_rows *rows, const char *format, ...) BASE_PRINTF(2, 3);
/** Errors: BASE_ERR_MEMORY. What the stream lost is found when it is closed. */
base_status bench_rows_print(const bench_rows *rows, bool csv, FILE *file,
                             base_error *err) BASE_MUST_CHECK;
/** The same as a Markdown table. */
base_status bench_rows_print_markdown(const bench_rows *rows, FILE *file,
                                      base_error *err) BASE_MUST_CHECK;
void bench_rows_release(bench_rows *rows);

/* --- Progress (stderr) ------------------------------------------------------------------------ */

/**
 * A line with share done, rate and time left: live on a terminal after one second; elsewhere a
 * line every ten seconds. Silent when quiet.
 */
typedef struct bench_progress {
    const char *label; /* borrowed */
    uint64_t start_ns, last_ns;
    bool quiet, live, shown;
} bench_progress;

bench_progress bench_progress_start(const char *label, bool quiet);
void bench_progress_update(bench_progress *progress, size_t done, size_t total);
void bench_progress_end(bench_progress *progress);

/** CLOCK_MONOTONIC_RAW. */
uint64_t bench_now_ns(void);

/* --- A pair of bodies, ready for runs, truth and samplers ------------------------------------- */

typedef struct bench_body {
    char *reference; /* owned; as asked: "bolt:triangles=20000" or a path */
    geo_mesh mesh;   /* in the frame of the pair */
    geo_mesh_report report;
    base_hash hash; /* of the mesh as it was read */
    alg_mesh view;  /* for algorithms; borrows mesh */
    gt_body *truth;
} bench_body;

/**
 * Two meshes with all that a run, a truth or a sampler needs of them. Must not be copied or moved
 * once open: its parts point at each other.
 *
 * Frame: A is moved so that the centre of its box is the origin (fl(v - centre_a)), B keeps its
 * own frame. bench_pair_pose turns a trajectory's pose, which speaks of A as it is in its file,
 * into this frame. Points in answers get centre_a added again when they are printed.
 */
typedef struct bench_pair {
    bench_body a, b;
    vec3 centre_a;
    double diagonal_a;         /* of A's box: the size that errors are relative to */
    bool has_volume;           /* both are solids */
    scn_pair sampler_view;     /* A as it is in its file, as trajectories see it */
    gt_flux_space *flux_space; /* owned; of the oracle, NULL before its first volume */
} bench_pair;

/**
 * Loads, checks and prepares both meshes. A mesh that is not a solid is a warning on stderr that
 * names the faces and what is left: no volume truth, distances between surfaces.
 *
 * Errors   those of scn_mesh_open; BASE_ERR_MEMORY. *pair needs no close then.
 */
base_status bench_pair_open(const char *a, const char *b, bench_pair *pair,
                            base_error *err) BASE_MUST_CHECK;
void bench_pair_close(bench_pair *pair);

/** Warns of each body that TetGen has refused: its volumes are certified by one method alone. */
void bench_pair_warn_refusals(const bench_pair *pair);

geo_pose bench_pair_pose(const bench_pair *pair, vec3 position, geo_quat orientation);

/**
 * Exact distance and volume of the pair for samplers; poses are those of trajectories. volume is
 * NULL unless both are solids; it is that of the boundary flux. From one thread at a time. Fails
 * after an interrupt.
 */
scn_oracle bench_pair_oracle(bench_pair *pair);

/**
 * Runs a sampler on the pair, or scn_follow when a recording is given, with a progress line.
 * Errors: those of scn_sample and scn_follow.
 */
base_status bench_pair_sample(bench_pair *pair, const scn_sampler *sampler,
                              const scn_trajectory *recording, bool quiet,
                              scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/** Writes a trajectory to a file or, for NULL or "-", to standard output. */
base_status bench_trajectory_write(const scn_trajectory *trajectory, const char *path,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * The frames of a scenario: its file, the poses it lists, or its sampler run on the pair. A sampled
 * trajectory is kept under `cache_directory`/trajectories by the hash of all that it depends on, so
 * it is sampled once; NULL: not kept. What the scenario knows of all frames is in each of them.
 *
 * Errors   those of scn_trajectory_read and scn_sample; BASE_ERR_SYSTEM for a cache that cannot be
 *          written. A cached file that cannot be read is sampled anew, with a warning.
 */
base_status bench_pair_trajectory(bench_pair *pair, const scn_motion *motion,
                                  const char *cache_directory, bool quiet,
                                  scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/**
 * The slack of doubles, within which two exact answers agree: 1e-12 d + 64 eps s for distances and
 * 1e-11 V + 64 eps s A for volumes; s: largest coordinate of either body in A's frame, A: the
 * smaller surface. pose: of bench_pair_pose.
 */
double bench_distance_slack(const bench_pair *pair, const geo_pose *pose, double distance_m);
double bench_volume_slack(const bench_pair *pair, const geo_pose *pose, double volume_m3);

/**
 * Holds the truth of a frame against what is known of it. A truth that does not hold it, within the
 * slack, is no longer certified, with a warning that names scenario, frame and values.
 * Returns whether it holds; true when nothing is known.
 */
bool bench_known_check(const bench_pair *pair, const char *scenario,
                       const scn_trajectory *trajectory, size_t frame, const geo_pose *pose,
                       gt_truth *truth);

/** The cache of truth and sampled trajectories, unless --cache says otherwise. */
#define BENCH_CACHE_DIRECTORY "groundtruth/cache"

/** Registers the truth's own methods as contestants: exact-distance, exact-volume, exact-tetra. */
void bench_truth_entries_register(void);

/* --- Experiments ------------------------------------------------------------------------------ */

#define BENCH_EXPERIMENT_DIRECTORY "scenarios/experiments"

/** Names (files without ".cfg"), sorted and NULL-terminated; arena. Errors: BASE_ERR_SYSTEM,
 * _MEMORY. */
base_status bench_experiment_names(base_arena *arena, const char ***names,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * An experiment by name, or by path (anything with a '/' or a '.').
 * Errors: BASE_ERR_ARGUMENT for an unknown name (near names are listed); scn_experiment_read's.
 */
base_status bench_experiment_open(const char *reference, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/**
 * "EXPERIMENT/SCENARIO", or "PATH.cfg/SCENARIO". *experiment holds *scenario: release it.
 * Errors: those of bench_experiment_open; BASE_ERR_ARGUMENT for an unknown scenario.
 */
base_status bench_scenario_open(const char *reference, scn_experiment *experiment,
                                const scn_scenario **scenario, base_error *err) BASE_MUST_CHECK;

/** Does one of the globs match? NULL matches all. */
bool bench_selected(const char *const *globs, const char *name);

/**
 * The variants that a list of names and globs stands for; globs range over the registry, but for
 * what is bad on purpose.
 * Errors: BASE_ERR_ARGUMENT for a name or a glob that means nothing; BASE_ERR_MEMORY.
 */
base_status bench_variants_expand(const bench_names *list, scn_experiment *experiment,
                                  base_error *err) BASE_MUST_CHECK;

/** Globs on variants and scenarios; those with count 0 choose all. */
typedef struct bench_choice {
    bench_names algorithms, scenarios;
} bench_choice;

/**
 * Writes the experiment's variants and baseline in their canonical form, each once, leaves out
 * optional ones that are not there, and cuts two lists of globs (NULL: all). *choice must not be
 * copied.
 *
 * Errors   BASE_ERR_ARGUMENT for a variant that cannot be, and for a glob that matches nothing: a
 *          misspelt one would silently measure less; BASE_ERR_MEMORY.
 */
base_status bench_experiment_choose(scn_experiment *experiment, const char *algorithm,
                                    const char *scenario, bench_choice *choice,
                                    base_error *err) BASE_MUST_CHECK;

/* --- Commands --------------------------------------------------------------------------------- */

int bench_cmd_check(int argc, char **argv);
int bench_cmd_compare(int argc, char **argv);
int bench_cmd_list(int argc, char **argv);
int bench_cmd_mesh(int argc, char **argv);
int bench_cmd_model(int argc, char **argv);
int bench_cmd_plot(int argc, char **argv);
int bench_cmd_query(int argc, char **argv);
int bench_cmd_replay(int argc, char **argv);
int bench_cmd_run(int argc, char **argv);
int bench_cmd_trajectory(int argc, char **argv);
int bench_cmd_truth(int argc, char **argv);

#endif
