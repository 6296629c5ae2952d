/**
 * The program: what its commands share. Only this module prints, and only main returns to the
 * shell.
 *
 * To add a command: one file cmd_NAME.c with a function `int bench_cmd_name(int argc, char **argv)`
 * (argv[0] is the command's name; it returns an exit status), its option table, and one row in
 * main.c.
 */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "algorithms/algorithms.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/scenarios.h"

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
int bench_error(const geo_error *err);
/** The same for a message of the caller: usage errors. Returns BENCH_USAGE. */
int bench_usage_error(const char *format, ...) GEO_PRINTF(1, 2);
/** Prints "proxbench: warning: ...". */
void bench_warn(const char *format, ...) GEO_PRINTF(1, 2);

/** Ctrl-C and SIGTERM set a flag instead of ending the program; commands look at it. */
void bench_catch_interrupts(void);
bool bench_interrupted(void);

/* --- Options ---------------------------------------------------------------------------------- */

typedef enum bench_option_type {
    BENCH_FLAG,   /* bool * */
    BENCH_TEXT,   /* const char ** */
    BENCH_NUMBER, /* double *, finite */
    BENCH_COUNT,  /* uint64_t * */
} bench_option_type;

/** One row of a command's table, which parses and prints --help. Ends with name == NULL. */
typedef struct bench_option {
    const char *name;  /* without "--" */
    const char *value; /* placeholder in help: "FILE"; NULL for a flag */
    bench_option_type type;
    void *target; /* keeps its value when the option is absent: the default */
    const char *help;
} bench_option;

typedef struct bench_usage {
    const char *usage;   /* "run EXPERIMENT [options]", one form a line */
    const char *summary; /* a paragraph */
    const char *notes;   /* after the options: examples, exit status; or NULL */
} bench_usage;

/**
 * Parses argv[1..] ("--name value" and "--name=value" alike, "--" ends options). Operands are
 * moved to the front: argv[1] ... argv[*operands]. Prints help on --help.
 *
 * Returns  -1 to go on; otherwise the exit status with which the command ends at once. An unknown
 *          option is a usage error that lists near names.
 */
int bench_parse(int argc, char **argv, const bench_option *options, const bench_usage *usage,
                int *operands);

/* --- Progress (stderr) ------------------------------------------------------------------------ */

/** A line with share done, rate and ETA: live on a terminal after one second; elsewhere a line
 * every ten seconds. Silent when quiet. */
typedef struct bench_progress {
    const char *label; /* borrowed */
    uint64_t start_ns, last_ns;
    bool quiet, shown;
} bench_progress;

bench_progress bench_progress_start(const char *label, bool quiet);
void bench_progress_update(bench_progress *progress, size_t done, size_t total);
void bench_progress_end(bench_progress *progress);

/** CLOCK_MONOTONIC_RAW. */
uint64_t bench_now_ns(void);

/* --- A pair of bodies ready for everything ------------------------------------------------------
 */

/**
 * Two meshes with all that a run, a truth or a sampler needs of them.
 *
 * Frame: A is moved so that the centre of its box is the origin (fl(v - centre_a)), B keeps its
 * own frame; bench_pair_pose turns a trajectory's pose, which speaks of A as it is in its file,
 * into this frame. Points in answers get centre_a added again when they are printed.
 */
typedef struct bench_body {
    char *reference; /* as asked: "bolt:triangles=20000" or a path */
    geo_mesh mesh;   /* in the frame above */
    geo_mesh_report report;
    geo_hash hash; /* of the mesh as it was read */
    alg_mesh view; /* for algorithms */
    gt_body *truth;
} bench_body;

typedef struct bench_pair {
    bench_body a, b;
    vec3 centre_a;
    double diagonal_a; /* of A's box: the size that errors are relative to */
    bool has_volume;   /* both are solids */
    scn_pair sampler_view;
} bench_pair;

/**
 * Loads, checks and prepares both meshes. A mesh that is not a solid is reported once on stderr as
 * a warning that names the reason and what is left: "distance between surfaces; no volume".
 */
geo_status bench_pair_open(const char *a, const char *b, bench_pair *pair,
                           geo_error *err) GEO_MUST_CHECK;
void bench_pair_close(bench_pair *pair);

geo_pose bench_pair_pose(const bench_pair *pair, vec3 position, geo_quat orientation);

/** Exact distance and volume of the pair (trajectory frame in, exact value out) for samplers. */
scn_oracle bench_pair_oracle(bench_pair *pair);

/**
 * The frames of a scenario: its file, or its sampler run on the pair. A sampled trajectory is kept
 * under `cache_directory` by the hash of all that it depends on, so it is sampled once.
 */
geo_status bench_pair_trajectory(bench_pair *pair, const scn_motion *motion,
                                 const char *cache_directory, bool quiet,
                                 scn_trajectory *trajectory, geo_error *err) GEO_MUST_CHECK;

/** The cache of truth and sampled trajectories, unless --cache says otherwise. */
#define BENCH_CACHE_DIRECTORY "groundtruth/cache"

/** "distance", "volume" or "both" ("distance,volume") to a mask of ALG_WANT_*. */
geo_status bench_quantities_parse(const char *text, unsigned *quantities,
                                  geo_error *err) GEO_MUST_CHECK;
/** "distance", "volume" or "unified" (both in one query). */
const char *bench_quantities_name(unsigned quantities);

/* --- Commands --------------------------------------------------------------------------------- */

int bench_cmd_list(int argc, char **argv);
int bench_cmd_mesh(int argc, char **argv);
int bench_cmd_model(int argc, char **argv);
int bench_cmd_plot(int argc, char **argv);
int bench_cmd_query(int argc, char **argv);
int bench_cmd_run(int argc, char **argv);
int bench_cmd_trajectory(int argc, char **argv);
int bench_cmd_truth(int argc, char **argv);

#endif
