/** Experiments: what is run, as an experiment file says it. */
#ifndef SCENARIOS_EXPERIMENT_H
#define SCENARIOS_EXPERIMENT_H

#include "base/arena.h"
#include "scenarios/trajectories/sampler.h"
#include "scenarios/trajectories/trajectory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where a scenario's poses come from: a file, the experiment itself, or a sampler. */
typedef struct scn_motion {
    char *path;        /* a trajectory file, or NULL */
    scn_frame *frames; /* poses that stand in the experiment, or NULL */
    size_t frame_count;
    scn_sampler sampler;
    scn_known known; /* of all frames but those that say otherwise */
} scn_motion;

typedef struct scn_scenario {
    char *name;  /* [a-z0-9./-]+, unique */
    char *a, *b; /* mesh references (scn_mesh_open) */
    scn_motion motion;
    char *quantity; /* what is asked in one query, as the file has it: "volume+force"; or NULL */
    unsigned quantity_line; /* where in the file it stands */
    unsigned quantities;    /* the same as a mask: 0, for whoever knows quantities to fill in */
    char *tolerance; /* limits on errors of a frame, as the file has them; NULL: the defaults */
    char *variants;  /* globs of the variants that take part, with commas between; NULL: all */
    bool optional;   /* left out, with a note, where a mesh file is missing */
} scn_scenario;

/**
 * The rule for names of scenarios: a relative path of [a-z0-9.-], of 200 letters at most, that
 * stays below where it starts and of which no part looks like a file.
 */
bool scn_is_scenario_name(const char *name);

enum { SCN_LAUNCHES_MAX = 1000, SCN_ROUNDS_MAX = 100 };

/**
 * A statement about runs of an experiment, which is judged by suite/claims. Texts are NULL and
 * numbers NaN where the file has no such key. The meaning of `measure` and `where` is defined in
 * suite/claims/formula.h; suite/claims checks both, and the words of `of` and `together`.
 */
typedef struct scn_claim {
    const char *id;      /* "F7a": unique in the experiment */
    const char *claim;   /* one sentence */
    bool of_paper;       /* whose = "paper": the paper's claim; "ours": a claim of this suite */
    double paper;        /* the paper's number */
    bool expected;       /* `proxbench claims` fails if it does not hold */
    const char *measure; /* the number that is compared with the limits: a formula */
    const char *of,
        *where; /* rows that the formula's statistics are taken over; a condition on them */
    const char *experiments; /* names with commas between them; default: this experiment */
    const char *scenarios;   /* globs with commas between them; default: all */
    const char *bodies;      /* globs: of builds, in the place of scenarios */
    const char *variants;    /* globs; default: all */
    const char *against;     /* the variant that `other.` and ratios refer to */
    const char *together;    /* cells that are measured together */
    double at_least, at_most;
    unsigned line; /* where in the file it stands */
} scn_claim;

/** What an experiment says of its time. */
enum { SCN_MINUTES_FULL, SCN_MINUTES_SMOKE, SCN_MINUTES_COUNT };

/** The mode of a run. suite/run/run.c has what each mode repeats. */
typedef enum scn_mode { SCN_SMOKE, SCN_CI, SCN_BENCH, SCN_PAPER, SCN_MODE_COUNT } scn_mode;

/** "smoke", "ci", "bench", "paper", NULL */
extern const char *const scn_mode_names[SCN_MODE_COUNT + 1];
/** SCN_MODE_COUNT if there is no mode of that name. */
scn_mode scn_mode_find(const char *name);

typedef struct scn_experiment {
    char *name, *title;
    char *paper, *item; /* "IST", "figure 6": what it redraws or tests; NULL: nothing */
    double minutes[SCN_MINUTES_COUNT]; /* that a first run takes, about; 0: not said */
    char **figures;                    /* the plots it draws, plots/FIGURE.gp */
    size_t figure_count;
    char *mode; /* one of scn_mode_names */
    char *path; /* of the file, for messages; NULL for none */
    uint64_t seed;
    size_t launches, rounds; /* in place of the mode's; 0: the mode's */
    bool timed_builds;       /* every launch builds its bodies: none is kept */
    scn_scenario *scenarios;
    size_t scenario_count;
    char **variants; /* expanded: "ist:voxels=64", ... */
    size_t variant_count;
    /** Variants left out of pairs with more triangles (both bodies) than this; 0: no limit. One
     * entry per variant. */
    size_t *triangle_limits;
    bool *optional;         /* likewise: left out, with a note, where there is no such algorithm */
    unsigned *lines;        /* likewise: where in the file it stands; NULL without a file */
    const char *baseline;   /* a variant of an algorithm among `variants`; NULL: none is named */
    unsigned baseline_line; /* where in the file; 0: not in a file */
    scn_claim *claims;
    size_t claim_count;
    base_arena arena; /* holds all of the above */
} scn_experiment;

/**
 * Reads an experiment file, in libconfig's syntax but for @include (docs/experiments.md goes
 * through it with examples). Its keys:
 *
 *   name       "[a-z0-9-]+"
 *   title      one line (default: the name)
 *   paper      key of a paper in REFERENCES.md (optional), and
 *   item       the part of it that is redrawn or tested: "figure 6"
 *   minutes    list of two numbers: what a first run takes, in its own mode and in smoke (optional)
 *   figures    list of the plots it draws, "[a-z0-9-]+" each (optional)
 *   mode       "smoke", "ci", "bench" or "paper" (default "bench")
 *   seed       of all randomness (default 1)
 *   launches   of fresh processes, 1 to 1000, and
 *   rounds     in each, warm ones, 1 to 100: in place of the mode's
 *   builds     "kept" (default): bodies are kept and loaded by later launches; "timed": every
 *              launch builds its own, so that builds are compared launch by launch
 *   baseline   the variant that the others are compared with. Its algorithm is one of those of
 *              `variants` here; the caller, which knows the defaults, checks that it is one of them
 *              in another spelling, "ist" or "ist:voxels=128", and has baseline_line for its
 *              message
 *   variants   list of strings, each one variant: "brute", "ist:voxels=64"; and of groups
 *              { algorithm = "ist"; triangle_limit = 2000; key = value or list of values; ... },
 *              each the cartesian product of its lists, with the keys sorted, the last one fastest.
 *              "zip = { key = list; key = list; };" in a group: lists of one length that go
 *              together one by one, in the product as one list in the place of the first key.
 *              "optional = true;": no error where there is no such algorithm. The caller checks
 *              the range of values, with `path` and `lines` for its message
 *   scenarios  list of groups:
 *     name        "[a-z0-9./-]+": the path of a folder of results; no part ends like a file
 *     a, b        mesh references
 *     quantities  what one query is asked: "distance", "volume", "contact", "depth", "force",
 *                 several with '+' between them, or "unified" (distance and volume); or a list of
 *                 such. With more than one in it the scenario is made into several,
 *                 "NAME/distance", "NAME/volume-force", ... The caller checks the names of
 *                 quantities, with `path` and `quantity_line` for its message
 *     trajectory  the path of a file; or a group { kind = "sphere"; target = "distance"; lo = 0.0;
 *                 hi = 0.2; frames = 200; seed = 7; step = 0.01; hold = 1; ways = 1; }; target is
 *                 "distance", lo 0, seed the experiment's, step 0.01, hold and ways 1 where they
 *                 are missing. Step is for glide and press alone, hold for sphere, grid and glide,
 *                 ways for approach, tumble takes no hi, boxes, response and insertion neither
 *                 target nor lo nor hi. Or the poses, a list of (x, y, z) and (x, y, z, qx, qy, qz,
 *                 qw)
 *     known_distance_m, known_volume_m3
 *                 the exact answer of every frame, or a list of one for each pose (optional); a
 *                 volume may be "a" or "b", all of that body
 *
 *     tolerance   limits on columns of errors, "force_direction_deg=10", several with blanks
 *                 between them (optional). Which columns there are is checked by the suite
 *     variants    names and globs of the variants that take part, with commas between them
 *                 (optional; default: all that answer the quantities)
 *     optional    true: the scenario is left out, with a note, where a mesh file of it is missing
 *                 (default: false)
 *   claims     list of groups, one for each statement that runs are to confirm (optional). Keys are
 *              those of scn_claim; id, claim, whose, measure and one of at_least and at_most are
 *              required. A limit is a number or "paper", the value of the key `paper`
 *
 * Whole numbers may stand for reals, and reals without a fraction for whole numbers. Relative paths
 * (of trajectories and meshes) are relative to the experiment file.
 *
 * Errors   BASE_ERR_INPUT "'file' line n: reason" for syntax, an unknown key (near names are
 *          listed), a missing key, a wrong type, an impossible value, a key that means nothing
 *          beside the others, two scenarios or two variants of one name or one file of results;
 *          BASE_ERR_SYSTEM if it cannot be read. *experiment is zeroed then.
 */
base_status scn_experiment_read(const char *path, scn_experiment *experiment,
                                base_error *err) BASE_MUST_CHECK;
void scn_experiment_release(scn_experiment *experiment);

#endif
