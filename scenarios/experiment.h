/** Experiments: the content of an experiment file. */
#ifndef SCENARIOS_EXPERIMENT_H
#define SCENARIOS_EXPERIMENT_H

#include "base/memory.h"
#include "scenarios/trajectories/sampler.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Source of a scenario's poses: a file, a list in the experiment file, or a sampler. */
typedef struct scn_motion {
    char *path;        /* path of a trajectory file, or NULL */
    scn_frame *frames; /* poses listed in the experiment file, or NULL */
    size_t frame_count;
    scn_sampler sampler;
    scn_known known; /* known answers of all frames that have none of their own */
} scn_motion;

typedef struct scn_scenario {
    char *name;        /* [a-z0-9./-]+, unique */
    const char *a, *b; /* mesh references (scn_mesh_open) */
    scn_motion motion;
    char *quantity; /* the quantities of one query, as in the file: "volume+force"; or NULL */
    unsigned quantity_line; /* line number in the file */
    unsigned quantities;    /* the same as a mask; 0: the caller fills it in */
    char *tolerance;        /* limits of a frame's errors, as in the file; NULL: the defaults */
    char *variants; /* globs of the variants that take part, separated by commas; NULL: all */
    bool optional;  /* skipped with a note if a mesh file is missing */
} scn_scenario;

/**
 * True if the name is a valid name of a scenario: a relative path of at most 200 characters. Its
 * parts between '/' consist of [a-z0-9.-] and of more than dots, and none ends like a file (a dot
 * and letters).
 */
bool scn_is_scenario_name(const char *name);

enum { SCN_LAUNCHES_MAX = 1000, SCN_ROUNDS_MAX = 100 };

/**
 * A statement about runs of an experiment, which suite/claims judges. Missing keys leave texts NULL
 * and numbers NaN. suite/claims/formula.h defines the meaning of `measure` and `where`.
 * suite/claims checks both, and the words of `of` and `together`.
 */
typedef struct scn_claim {
    const char *id;          /* "F7a": unique in the experiment */
    const char *claim;       /* one sentence */
    bool of_paper;           /* whose = "paper": the paper's claim; "ours": a claim of this suite */
    double paper;            /* the paper's number */
    bool expected;           /* `proxbench claims` fails if it does not hold */
    const char *not_yet;     /* what is missing to measure it; the claim then has no measure */
    const char *measure;     /* formula of the number that is compared with the limits */
    const char *of, *where;  /* of: the kind of rows that enter the statistics of the formula;
                                where: a formula, the condition on these rows */
    const char *experiments; /* names, separated by commas; default: this experiment */
    const char *scenarios;   /* globs, separated by commas; default: all */
    const char *bodies;      /* globs of bodies, instead of scenarios, for claims about builds */
    const char *variants;    /* globs; default: all */
    const char *against;     /* the variant that `other.` and ratios refer to */
    const char *together;    /* cells that are measured together */
    double at_least, at_most;
    unsigned line; /* line number in the file */
} scn_claim;

/**
 * A part of a picture of bodies: a frame of a run, drawn by suite/replay/picture.h, which defines
 * the layers and the meaning of the other members.
 */
typedef struct scn_panel {
    char *scenario; /* NULL: the only one of the experiment */
    char *variant;  /* as in cells.csv */
    char *frame;    /* "17", "worst-error", ...; default "0" */
    char *layers;
    double view[2]; /* azimuth and elevation in degrees; default 35, 25 */
    uint64_t level, branch, spheres;
    double zoom, along;
} scn_panel;

/** A picture of bodies: panels of one size, in rows. */
typedef struct scn_picture {
    char *name; /* [a-z0-9-]+, unique in the experiment */
    uint64_t columns;
    double shape; /* height of a panel / width */
    scn_panel *panels;
    size_t panel_count;
} scn_picture;

/** Indices into `minutes` and `gigabytes`. */
enum { SCN_COST_FULL, SCN_COST_SMOKE, SCN_COST_COUNT };

/** The mode of a run. suite/run/run.c defines the repetitions of each mode. */
typedef enum scn_mode { SCN_SMOKE, SCN_CI, SCN_BENCH, SCN_PAPER, SCN_MODE_COUNT } scn_mode;

/** "smoke", "ci", "bench", "paper", NULL */
extern const char *const scn_mode_names[SCN_MODE_COUNT + 1];
/** Returns the mode of that name, or SCN_MODE_COUNT if there is no such mode. */
scn_mode scn_mode_find(const char *name);

/** Sizes in mode smoke (scn_experiment_reduce). Zero and NULL: no change. */
typedef struct scn_quick {
    size_t frames;    /* largest number of frames of a sampled trajectory */
    size_t triangles; /* largest number of triangles of a generated model */
    char *skip;       /* globs of variants, separated by commas, that do not take part */
} scn_quick;

typedef struct scn_experiment {
    char *name, *title;
    char *paper, *item; /* "IST", "figure 6": the part that is reproduced or tested; or NULL */
    double minutes[SCN_COST_COUNT]; /* approximate duration of a first run; 0: not given */
    double
        gigabytes[SCN_COST_COUNT]; /* approximate size of its results and its cache; 0: not given */
    char **figures;                /* names of figures, which scripts in plots/ declare */
    size_t figure_count;
    char *mode; /* one of scn_mode_names */
    char *path; /* path of the file, for messages; NULL without a file */
    uint64_t seed;
    size_t launches, rounds; /* instead of the mode's; 0: the mode's */
    scn_quick quick;
    bool reduced;      /* the sizes are those of `quick` */
    bool timed_builds; /* every launch builds its bodies and ignores the cache */
    scn_scenario *scenarios;
    size_t scenario_count;
    char **variants; /* expanded: "ist:voxels=64", ... */
    size_t variant_count;
    /** Variants are skipped for pairs with more triangles (of both bodies) than this; 0: no limit.
     * One entry per variant. */
    size_t *triangle_limits;
    bool *optional;         /* one per variant: skipped with a note if there is no such algorithm */
    unsigned *lines;        /* one per variant: line number in the file; NULL without a file */
    const char *baseline;   /* a variant of an algorithm among `variants`; NULL: not given */
    unsigned baseline_line; /* line number in the file; 0 without a file */
    scn_picture *pictures;
    size_t picture_count;
    scn_claim *claims;
    size_t claim_count;
    base_arena arena; /* owns all of the above */
} scn_experiment;

/**
 * Reads an experiment file in libconfig's syntax, without @include (docs/experiments.md explains it
 * with examples). Its keys:
 *
 *   name       "[a-z0-9-]+"
 *   title      one line (default: the name)
 *   paper      key of a paper in REFERENCES.md (optional), and
 *   item       the part of it that is reproduced or tested: "figure 6"
 *   minutes    list of two numbers: duration of a first run in its own mode and in smoke (optional)
 *   figures    list of the plots of the experiment, "[a-z0-9-]+" each (optional)
 *   mode       "smoke", "ci", "bench" or "paper" (default "bench")
 *   gigabytes  list of two numbers: size of results and cache of such a run (optional)
 *   quick      group of sizes in mode smoke: frames, triangles and skip, the members of scn_quick
 *              (optional)
 *   seed       seed of all random numbers (default 1)
 *   launches   number of fresh processes, 1 to 1000, and
 *   rounds     number of warm rounds in each, 1 to 100; both instead of the mode's
 *   builds     "kept" (default): bodies are cached and loaded by later launches; "timed": every
 *              launch builds its own bodies, so that builds are compared launch by launch
 *   baseline   the variant that the others are compared with. Its algorithm must be that of one of
 *              `variants`. The caller checks that the baseline is one of the variants, because
 *              only the caller knows which spellings are equal ("ist" and "ist:voxels=128");
 *              baseline_line is for its message
 *   variants   list of strings and groups. A string is a variant: "brute", "ist:voxels=64". A group
 *              { algorithm = "ist"; triangle_limit = 2000; key = value or list of values; ... }
 *              is the cartesian product of its lists; keys are sorted, and the last key varies
 *              fastest. "zip = { key = list; key = list; };" in a group combines lists of equal
 *              length element by element; in the product they are one list at the first key's
 *              position. "optional = true;": a missing algorithm is not an error. The caller checks
 *              the range of values, with `path` and `lines` for its message
 *   scenarios  list of groups:
 *     name        "[a-z0-9./-]+": the path of a folder of results; no part ends like a file
 *     a, b        mesh references
 *     quantities  the quantities of one query: "distance", "volume", "contact", "depth", "force",
 *                 several joined by '+', or "unified" (distance and volume); or a list of such
 *                 texts. A list of more than one makes several scenarios, "NAME/distance",
 *                 "NAME/volume-force", ... The caller checks the names of quantities, with `path`
 *                 and `quantity_line` for its message
 *     trajectory  the path of a file; or a group { kind = "sphere"; target = "distance"; lo = 0.0;
 *                 hi = 0.2; frames = 200; seed = 7; step = 0.01; hold = 1; ways = 1; }. Defaults:
 *                 target "distance", lo 0, seed of the experiment, step 0.01, hold 1, ways 1. Only
 *                 glide and press have a step; only sphere, lattice, grid and glide have hold;
 *                 only approach has ways. tumble has no hi; boxes, response and insertion have no
 *                 target, lo and hi. Or a list of poses (x, y, z) and (x, y, z, qx, qy, qz, qw)
 *     known_distance_m, known_volume_m3
 *                 the exact answer of every frame, or a list with one per pose (optional); a volume
 *                 may be "a" or "b", the volume of that whole body
 *     tolerance   limits on columns of errors, "force_direction_deg=10", several separated by
 *                 blanks (optional). The suite checks the names of the columns
 *     variants    names and globs of the variants that take part, separated by commas (optional;
 *                 default: all that answer the quantities)
 *     optional    true: the scenario is skipped with a note if one of its mesh files is missing
 *                 (default: false)
 *   pictures   list of groups, one per picture of bodies (optional):
 *     name       "[a-z0-9-]+"
 *     columns    panels in a row (default: all)
 *     shape      height of a panel / width, 0.1 to 10 (default 0.75)
 *     panels     list of groups. The keys are the members of scn_panel; variant and layers are
 *                required. view = [azimuth, elevation]
 *   claims     list of groups, one per statement that runs shall confirm (optional). The keys are
 *              the members of scn_claim; id, claim and whose are required, and either measure with
 *              one of at_least and at_most, or not_yet. A limit is a number or "paper", the value
 *              of the key `paper`
 *
 * Whole numbers are accepted as reals, and reals without a fraction as whole numbers. Relative
 * paths (of trajectories and meshes) are relative to the experiment file.
 *
 * Errors   BASE_ERR_INPUT "'file' line n: reason" for a syntax error, an unknown key (similar names
 *          are listed), a missing key, a wrong type, an impossible value, a key that has no meaning
 *          together with the others, and two scenarios or two variants with the same name or the
 *          same file of results; BASE_ERR_SYSTEM if the file cannot be read; BASE_ERR_MEMORY.
 *          *experiment is zeroed then.
 */
base_status scn_experiment_read(const char *path, scn_experiment *experiment,
                                base_error *err) BASE_MUST_CHECK;
void scn_experiment_release(scn_experiment *experiment);

/**
 * Applies the sizes of `quick` to the scenarios, and sets `reduced` if there are any. Trajectories
 * of kind press keep their frames, because their step requires them; an approach keeps its ways.
 * The caller leaves out the variants of `skip`.
 *
 * Errors   those of scn_mesh_reduced.
 */
base_status scn_experiment_reduce(scn_experiment *experiment, base_error *err) BASE_MUST_CHECK;

#endif
