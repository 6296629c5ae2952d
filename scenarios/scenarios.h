/**
 * What is run: models, trajectories, experiments.
 *
 * Samplers need exact distance and volume; the suite passes them in as an oracle, so that this
 * module knows nothing of the truth.
 */
#ifndef SCENARIOS_SCENARIOS_H
#define SCENARIOS_SCENARIOS_H

#include "geometry/geometry.h"
#include "geometry/mesh.h"

#include <stdio.h>

/* --- Models ---------------------------------------------------------------------------------- */

/**
 * A generator. Every model is closed, outward, free of self-intersections at every resolution
 * (the tests prove it with the mesh checker), about 0.1 m in size, and the same to the last bit on
 * every machine.
 *
 * To add one: write a scn_model_build function in scenarios/models/ and list it in models.c.
 */
typedef struct scn_model {
    const char *name;    /* [a-z0-9-]+ */
    const char *summary; /* one line */
    size_t triangles;    /* default; where a paper uses the model, the paper's setting */
    size_t triangles_min;
    /** The nearest resolution with at least... as close to `triangles` as its grid allows. */
    geo_status (*build)(size_t triangles, geo_mesh *mesh, geo_error *err);
} scn_model;

/** All models in a fixed order; terminated by name == NULL. */
extern const scn_model scn_models[];
const scn_model *scn_model_find(const char *name);

/**
 * A mesh by reference: a generated model "bolt" or "bolt:triangles=20000", or the path of a file
 * (anything with a '/' or a '.').
 *
 * Errors   GEO_ERR_ARGUMENT for an unknown model (near names are listed) or a bad number of
 *          triangles (beyond triangles_min or 20 million); those of geo_mesh_load.
 */
geo_status scn_mesh_open(const char *reference, geo_mesh *mesh, geo_error *err) GEO_MUST_CHECK;

/* --- Trajectories ---------------------------------------------------------------------------- */

typedef struct scn_frame {
    double t_s;
    vec3 position; /* origin of B in A's frame */
    geo_quat orientation;
    double target;   /* distance_m or volume_m3 that a sampler aimed at; NaN: none */
    double achieved; /* what the oracle found there; NaN: none */
} scn_frame;

typedef struct scn_trajectory {
    scn_frame *frames; /* owned */
    size_t frame_count, frame_capacity;
    char source[256]; /* provenance: generator and its parameters, or file and how it was changed */
} scn_trajectory;

geo_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame,
                                 geo_error *err) GEO_MUST_CHECK;
void scn_trajectory_release(scn_trajectory *trajectory);

/**
 * Columns frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw; a written file has target,achieved,source behind
 * them, and a read one may have any other columns.
 *
 * Errors   GEO_ERR_INPUT with file and line: a missing column, a field that is no finite number, a
 *          quaternion whose length is off by more than 1e-3 (within it is renormalised), time that
 *          does not increase, no frames.
 */
geo_status scn_trajectory_read(const char *path, scn_trajectory *trajectory,
                               geo_error *err) GEO_MUST_CHECK;
geo_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                geo_error *err) GEO_MUST_CHECK;

typedef enum scn_format {
    SCN_TUM,   /* t x y z qx qy qz qw, blank separated, # comments, seconds */
    SCN_KITTI, /* 3x4 matrix, row major, no time: frames at 10 Hz */
    SCN_EUROC, /* comma separated, nanoseconds, w first */
    SCN_PQP,   /* frame count, then 3 rotation rows and a translation row a frame; 10 Hz */
} scn_format;

/**
 * Reads a foreign recording as it is: no resampling. Liberal: trailing blanks, CRLF, '#' lines.
 * Errors as scn_trajectory_read, also for a rotation matrix that is not one within 1e-3.
 */
geo_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                 geo_error *err) GEO_MUST_CHECK;

/* --- Samplers -------------------------------------------------------------------------------- */

/** Exact answers about the pair, given by the suite. A's frame. */
typedef struct scn_oracle {
    void *context;
    /** Distance of the solids; 0 when they overlap. */
    geo_status (*distance)(void *context, const geo_pose *pose, double *distance_m, geo_error *err);
    /** NULL when the pair has no volume truth. */
    geo_status (*volume)(void *context, const geo_pose *pose, double *volume_m3, geo_error *err);
} scn_oracle;

/** What the samplers need to know of the two bodies, each in its own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* bounding balls */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
} scn_pair;

/** Bounding ball, box, measures of a mesh pair; solid_x says whether its volume counts. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

typedef enum scn_sampler_kind {
    SCN_SPHERE, /* independent poses at prescribed values: directions x rotations */
    SCN_GLIDE,  /* along the body at a prescribed value, re-solved every frame */
    SCN_PRESS,  /* approach, penetrate to the value, retract, along a fixed line */
    SCN_TUMBLE, /* fixed centre distance, full turns about z and x */
    SCN_GRID,   /* poses on an octree at a prescribed distance: reaches cavities */
} scn_sampler_kind;

typedef enum scn_target {
    SCN_TARGET_DISTANCE, /* lo, hi in multiples of the diagonal of A's box */
    SCN_TARGET_VOLUME,   /* lo, hi in multiples of the smaller body's volume */
} scn_target;

typedef struct scn_sampler {
    scn_sampler_kind kind;
    scn_target target;
    double lo, hi; /* the values asked for: sphere and grid spread them evenly over the frames,
                      glide swings between them, press ends at hi */
    size_t frames;
    uint64_t seed;
    /** Largest motion of a surface point of B a frame, as part of A's longest box edge; glide and
     * press take as many frames as that needs to be met... 0: the default, 0.01 (1 mm at 0.1 m). */
    double step;
} scn_sampler;

/**
 * Fills a trajectory. Gap stepping never passes a first contact (SUITES 5.2); a pose that cannot
 * be solved is skipped and drawn anew from the seed's sequence, at most 20 times a frame.
 *
 * Errors   GEO_ERR_ARGUMENT if the sampler does not fit the pair (volume without solids, lo > hi,
 *          no frames), or if poses cannot be found; the oracle's own errors.
 */
geo_status scn_sample(const scn_sampler *sampler, const scn_pair *pair, const scn_oracle *oracle,
                      scn_trajectory *trajectory, geo_error *err) GEO_MUST_CHECK;

/** Parses and names kinds and targets: "sphere", "glide", ...; "distance", "volume". */
geo_status scn_sampler_kind_parse(const char *text, scn_sampler_kind *kind,
                                  geo_error *err) GEO_MUST_CHECK;
const char *scn_sampler_kind_name(scn_sampler_kind kind);

/**
 * Makes a recording into a trajectory for a pair: resamples to 1 kHz (slerp), slows it down until
 * no surface point of B moves more than `sampler->step` a frame (frames are never dropped), keeps
 * the recorded rotation and tangential motion, and re-solves the radial coordinate so that
 * distance or volume follows the sampler's profile between lo and hi. Stops after sampler->frames
 * frames or at the end of the recording.
 *
 * Errors   as scn_sample.
 */
geo_status scn_follow(const scn_trajectory *recording, const scn_sampler *sampler,
                      const scn_pair *pair, const scn_oracle *oracle, scn_trajectory *trajectory,
                      geo_error *err) GEO_MUST_CHECK;

/* --- Experiments ----------------------------------------------------------------------------- */

/** Where a scenario's poses come from: a file, or a sampler. */
typedef struct scn_motion {
    char *path; /* a trajectory file, or NULL */
    scn_sampler sampler;
} scn_motion;

typedef struct scn_scenario {
    char *name;  /* [a-z0-9./-]+, unique */
    char *a, *b; /* mesh references (scn_mesh_open) */
    scn_motion motion;
    unsigned quantities; /* mask: 1 distance, 2 volume; each a cell per variant */
} scn_scenario;

typedef struct scn_experiment {
    char *name, *title, *figure; /* figure: the plot it draws, or NULL */
    char *mode;                  /* "smoke", "ci", "bench" or "paper" */
    uint64_t seed;
    scn_scenario *scenarios;
    size_t scenario_count;
    char **variants; /* expanded: "ist:voxels=64", ... */
    size_t variant_count;
    /** Variants left out of pairs with more triangles (both bodies) than this; 0: no limit. One
     * entry per variant. */
    size_t *triangle_limits;
    geo_arena arena; /* holds all of the above */
} scn_experiment;

/**
 * Reads an experiment file (libconfig). A variant is a string, or a group { algorithm = "ist";
 * key = value or [values] ... } that expands to the cartesian product of its lists.
 *
 * Errors   GEO_ERR_INPUT "'file' line n: reason" for syntax, an unknown key (near names are
 *          listed), a missing key, an impossible value, two scenarios of one name.
 */
geo_status scn_experiment_read(const char *path, scn_experiment *experiment,
                               geo_error *err) GEO_MUST_CHECK;
void scn_experiment_release(scn_experiment *experiment);

#endif
