/**
 * What is run: models, trajectories, experiments.
 *
 * Samplers need exact distance and volume; the suite passes them in as an oracle, so that this
 * module knows nothing of the truth.
 */
#ifndef SCENARIOS_SCENARIOS_H
#define SCENARIOS_SCENARIOS_H

#include "base/arena.h"
#include "geometry/mesh.h"

#include <stdbool.h>
#include <stdio.h>

/* --- Models ----------------------------------------------------------------------------------- */

/**
 * A generator. Every model is a solid with outward faces, free of self-intersections at every
 * resolution (the tests prove it with the mesh checker), about 0.1 m in size, and the same to the
 * last bit on every machine. Models that belong together (bolt and nut, the parts of the pump)
 * share one frame: with the identity pose they are assembled and do not touch.
 *
 * To add one: write a build function in scenarios/models/ and list it in models.c.
 */
typedef struct scn_model {
    const char *name;    /* [a-z0-9-]+ */
    const char *summary; /* one line */
    size_t triangles;    /* default; where a paper uses the model, the paper's setting */
    size_t triangles_min;
    /**
     * The resolution whose number of triangles is nearest to `triangles`, as far as whole numbers
     * of rows allow: within 2.5 % from 5000 triangles on; bodies that have n^2 times a number,
     * within 10 %. Below triangles_min its coarsest one.
     *
     * Errors   BASE_ERR_MEMORY; *mesh is zeroed then.
     * Memory   geo_mesh_builder_finish, or geo_mesh_builder_release.
     */
    base_status (*build)(size_t triangles, geo_mesh_builder *mesh, base_error *err);
} scn_model;

/** All models in a fixed order; terminated by name == NULL. */
extern const scn_model scn_models[];
/** NULL if there is none. */
const scn_model *scn_model_find(const char *name);

/** Is the reference the path of a file? Anything with a '/' or a '.', before a ':' if there is one.
 */
bool scn_mesh_is_file(const char *reference);

/**
 * A mesh by reference: the path of a file, or a generated model, "bolt" or
 * "bolt:triangles=20000,scale=1e-6,x=1e6": scaled, then moved by x, y and z, in metres.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown model (near names are listed), an unknown option, a bad
 *          number of triangles (below triangles_min or above 20 million) or a scale that is not
 *          positive; those of the model's build function or of geo_mesh_load. *mesh is zeroed then.
 * Memory   geo_mesh_release.
 */
base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Those of its errors that need no mesh to be made and no file to be read. */
base_status scn_mesh_check(const char *reference, base_error *err) BASE_MUST_CHECK;

/* --- Trajectories ----------------------------------------------------------------------------- */

/** Bits of scn_known.mask. */
enum {
    SCN_KNOWN_DISTANCE = 1u << 0,
    SCN_KNOWN_VOLUME = 1u << 1,
    SCN_KNOWN_WHOLE_A = 1u << 2, /* the volume is that of all of A, whatever it measures */
    SCN_KNOWN_WHOLE_B = 1u << 3,
};

/** What is known of a frame without any method of truth: in closed form, or by construction. The
 * truth has to hold it. Zeroed: nothing. */
typedef struct scn_known {
    unsigned mask;
    double distance_m, volume_m3;
} scn_known;

typedef struct scn_frame {
    double t_s;
    vec3 position;        /* origin of B in A's frame */
    geo_quat orientation; /* of B in A's frame; unit */
    double target;        /* distance_m or volume_m3 that a sampler aimed at; NaN: none */
    double achieved;      /* what the oracle found there; NaN: not asked */
    scn_known known;      /* no bit of SCN_KNOWN_WHOLE_* */
} scn_frame;

typedef struct scn_trajectory {
    scn_frame *frames; /* owned */
    size_t frame_count, frame_capacity;
    char source[256]; /* provenance: generator and its parameters, or file and how it was changed */
} scn_trajectory;

base_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame,
                                  base_error *err) BASE_MUST_CHECK;
void scn_trajectory_release(scn_trajectory *trajectory);

/**
 * Columns frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw; a written file has target,achieved,source behind
 * them (source in the first record only), then known_distance_m,known_volume_m3 where any frame has
 * one; a read one may have any other columns. What was written is read back to the same bits.
 *
 * Errors   BASE_ERR_INPUT with file and line: a missing column, a field that is no finite number, a
 *          quaternion whose length is off by more than 1e-3 (within it is renormalised), time that
 *          does not increase, no frames. *trajectory is zeroed then.
 */
base_status scn_trajectory_read(const char *path, scn_trajectory *trajectory,
                                base_error *err) BASE_MUST_CHECK;
/** path: for messages. Errors: BASE_ERR_SYSTEM when the stream fails. */
base_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                 base_error *err) BASE_MUST_CHECK;

typedef enum scn_format {
    SCN_TUM,   /* t x y z qx qy qz qw, blank separated, seconds */
    SCN_KITTI, /* 3x4 matrix, row major, no time: frames at 10 Hz */
    SCN_EUROC, /* t x y z qw qx qy qz and more, comma separated; t in whole nanoseconds, which
                  become seconds since the first frame */
    SCN_PQP,   /* frame count, then 3 rotation rows and a translation row a frame; 10 Hz */
} scn_format;

/** "tum", "kitti", "euroc", "pqp". Errors: BASE_ERR_ARGUMENT; near names are listed. */
base_status scn_format_parse(const char *text, scn_format *format, base_error *err) BASE_MUST_CHECK;

/**
 * Reads a foreign recording as it is: no resampling. Liberal: trailing blanks, tabs, blank lines,
 * CRLF, '#' lines.
 *
 * Errors   as scn_trajectory_read, also for a wrong number of fields and for a rotation matrix that
 *          is not one within 1e-3.
 */
base_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                  base_error *err) BASE_MUST_CHECK;

/* --- Samplers --------------------------------------------------------------------------------- */

/**
 * Exact answers about the pair, given by the suite. Poses carry B's frame into A's; they are made
 * by geo_pose_make from just the numbers that the trajectory gets. An error ends the sampler.
 */
typedef struct scn_oracle {
    void *context;
    /** Distance of the solids; 0 when they overlap. */
    base_status (*distance)(void *context, const geo_pose *pose, double *distance_m,
                            base_error *err);
    /** NULL when the pair has no volume truth. */
    base_status (*volume)(void *context, const geo_pose *pose, double *volume_m3, base_error *err);
} scn_oracle;

/** What the samplers need to know of the two bodies, each in its own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* the smallest around all vertices of faces */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
} scn_pair;

/** Bounding ball, box, measures of a mesh pair; solid_x says whether its volume counts. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

typedef enum scn_sampler_kind {
    SCN_SPHERE, /* independent poses at prescribed values, one a frame: B comes straight in from
                   far, from directions all around (Fibonacci sphere, shuffled), in uniformly
                   random orientations, and stops at the first place that has the value */
    SCN_GLIDE,  /* around the body on great circles while turning, with the value re-solved every
                   frame: it swings from lo to hi and back once in the course of the frames */
    SCN_PRESS,  /* there and back on one line: distance from hi to lo, or volume from lo to hi (at
                   lo = 0 from apart, by as much as it will go in); the deepest frame has a target */
    SCN_TUMBLE, /* full turns about z and x at a fixed centre distance, in the middle of those at
                   which the value is lo in the course of the turn; hi is not used */
    SCN_GRID,   /* independent poses anywhere, cavities included, by an octree; distances only */
    SCN_BOXES,  /* two boxes, turned so that their axes agree, at random places of a coarse lattice:
                   faces, edges and corners meet all the time. lo and hi are not used; every frame
                   has its distance and volume known in closed form */
} scn_sampler_kind;

typedef enum scn_target {
    SCN_TARGET_DISTANCE, /* lo, hi in multiples of the diagonal of A's box */
    SCN_TARGET_VOLUME,   /* lo, hi in multiples of the smaller body's volume */
} scn_target;

typedef struct scn_sampler {
    scn_sampler_kind kind;
    scn_target target;
    double lo, hi; /* the values asked for, 0 <= lo <= hi; sphere and grid spread them evenly */
    size_t frames; /* how many there will be */
    uint64_t seed;
    /**
     * Largest motion of a surface point of B between two frames of glide, press and scn_follow, as
     * part of A's longest box edge; 0: the default, 0.01 (1 mm at 0.1 m). A path that is too fast
     * is slowed down, so it may not come to its end within `frames`.
     */
    double step;
} scn_sampler;

/**
 * Fills a trajectory, at 1 kHz, each frame as soon as it is found. The same sampler, pair and
 * oracle give the same bits.
 *
 * Accuracy of sphere and grid, L the longest edge of A's box: distances within 1e-9 L, volumes
 * within 1e-6 of the smaller body. The way in never passes the first place that has a distance,
 * however the bodies are shaped, nor for a volume the first place that has half of it. Glide, press
 * and scn_follow meet distances as well, and volumes that are re-solved within 1e-3 of the target.
 * Where B would have to jump (over an edge, into a hole) a glide turns off. If it cannot, and in
 * scn_follow, frames are put in that lead there; their `achieved` is off their `target`, and they
 * may overlap.
 *
 * A pose that cannot be solved is drawn anew from the seed's sequence, at most 20 times a frame.
 *
 * Errors   BASE_ERR_ARGUMENT if the sampler does not fit the pair (volume without solids, boxes
 *          that are none, lo > hi, no frames, fewer frames than a press needs for its step), or if
 * poses cannot be found; the oracle's own errors. *trajectory is zeroed then. Cost     a frame:
 * distances, sphere about 20 queries, grid 100, glide 4; volumes, sphere about 0.7 / sqrt(value) +
 * 8, glide 3.
 */
base_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                       scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/** Parses and names kinds and targets: "sphere", "glide", ...; "distance", "volume". Errors:
 * BASE_ERR_ARGUMENT; near names are listed. */
base_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind,
                                   base_error *err) BASE_MUST_CHECK;
const char *scn_sampler_kind_name(scn_sampler_kind kind);
base_status scn_target_parse(const char *text, scn_target *target, base_error *err) BASE_MUST_CHECK;
const char *scn_target_name(scn_target target);

/**
 * Makes a recording into a trajectory for a pair. The recording is resampled to 1 kHz (slerp) and
 * slowed down until no surface point of B moves more than `sampler->step` a frame: frames are put
 * in, never dropped. B has the recorded orientations and turns about its ball centre, which goes
 * the recorded way, in metres, across the radius from A's ball centre, while the radial coordinate
 * is solved anew, so that distance or volume follows the sampler's profile (as in a glide). The
 * seed draws where it starts; sampler->kind is not used. Stops after sampler->frames frames or at
 * the end of the recording.
 *
 * Errors   as scn_sample; BASE_ERR_ARGUMENT for a recording without frames.
 */
base_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                       const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                       base_error *err) BASE_MUST_CHECK;

/* --- Experiments ------------------------------------------------------------------------------ */

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
    unsigned quantities; /* mask, asked in one query: 1 distance, 2 volume, 3 both (unified),
                            4 contact */
} scn_scenario;

typedef struct scn_experiment {
    char *name, *title, *figure; /* figure: the plot it draws, or NULL */
    char *mode;                  /* "smoke", "ci", "bench" or "paper" */
    char *path;                  /* of the file, for messages; NULL for none */
    uint64_t seed;
    size_t launches, rounds; /* in place of the mode's; 0: the mode's */
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
    base_arena arena;       /* holds all of the above */
} scn_experiment;

/**
 * Reads an experiment file, in libconfig's syntax but for @include (docs/experiments.md goes
 * through it with examples). Its keys:
 *
 *   name       "[a-z0-9-]+"
 *   title      one line (default: the name)
 *   figure     name of the plot it draws (optional)
 *   mode       "smoke", "ci", "bench" or "paper" (default "bench")
 *   seed       of all randomness (default 1)
 *   launches   of fresh processes, 1 to 1000, and
 *   rounds     in each, warm ones, 1 to 100: in place of the mode's
 *   baseline   the variant that the others are compared with. Its algorithm is one of those of
 *              `variants` here; that it is one of them in another spelling, "ist" or
 *              "ist:voxels=128", is checked by whoever knows the defaults, with baseline_line
 *   variants   list of strings, each one variant: "brute", "ist:voxels=64"; and of groups
 *              { algorithm = "ist"; triangle_limit = 2000; key = value or list of values; ... },
 *              each the cartesian product of its lists, with the keys sorted, the last one fastest.
 *              "zip = { key = list; key = list; };" in a group: lists of one length that go
 *              together one by one, in the product as one list in the place of the first key.
 *              "optional = true;": no error where there is no such algorithm. The range of values
 *              is checked by whoever knows the algorithm, with `path` and `lines` for its message
 *   scenarios  list of groups:
 *     name        "[a-z0-9./-]+": the path of a folder of results; no part ends like a file
 *     a, b        mesh references
 *     quantities  "distance", "volume", "unified" (both in one query), "contact", or a list of
 *                 them. With more than one the scenario is made into several, "NAME/distance", ...
 *     trajectory  the path of a file; or a group { kind = "sphere"; target = "distance"; lo = 0.0;
 *                 hi = 0.2; frames = 200; seed = 7; step = 0.01; }; target is "distance", lo 0,
 *                 seed the experiment's, step 0.01 where they are missing. Step is for glide and
 *                 press alone, tumble takes no hi, boxes take neither target nor lo nor hi. Or the
 *                 poses, a list of (x, y, z) and (x, y, z, qx, qy, qz, qw)
 *     known_distance_m, known_volume_m3
 *                 the exact answer of every frame, or a list of one for each pose (optional); a
 *                 volume may be "a" or "b", all of that body
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
