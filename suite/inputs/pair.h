/** A pair of bodies, ready for runs, truth and samplers. */
#ifndef SUITE_PAIR_H
#define SUITE_PAIR_H

#include "algorithms/algorithms.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/experiment.h"

typedef struct bench_body {
    char *reference; /* owned; as requested: "bolt:triangles=20000" or a path */
    geo_mesh mesh;   /* in the frame of the pair */
    geo_mesh_report report;
    base_hash hash; /* hash of the mesh as it was read */
    alg_mesh view;  /* for algorithms; borrows mesh */
    gt_body *truth;
} bench_body;

/**
 * Two meshes with all data that a run, a truth or a sampler needs. Must not be copied or moved once
 * open, because its parts point at each other.
 *
 * Frame: A is moved so that the centre of its box is the origin: a vertex v becomes v - centre_a,
 * rounded to double. B keeps its own frame. The poses of a trajectory refer to A as it is in its
 * file; bench_pair_pose converts them to the frame of the pair. When points of answers are printed,
 * centre_a is added again.
 */
typedef struct bench_pair {
    bench_body a, b;
    vec3 centre_a;
    double diagonal_a;         /* of A's box: errors are relative to this size */
    bool has_volume;           /* both are solids */
    scn_pair sampler_view;     /* A as it is in its file, as trajectories refer to it */
    gt_flux_space *flux_space; /* owned; for bench_pair_oracle; NULL before its first volume */
} bench_pair;

/**
 * Loads, checks and prepares both meshes. A mesh that is not a solid gives a warning on stderr that
 * names the faces and the consequences: no volume truth, distances between surfaces. There is also
 * a warning if the ratio of the two sizes suggests different units, such as metres and millimetres.
 *
 * Errors   those of scn_mesh_open; BASE_ERR_MEMORY. After an error, *pair needs no
 *          bench_pair_close.
 */
base_status bench_pair_open(const char *a, const char *b, bench_pair *pair,
                            base_error *err) BASE_MUST_CHECK;

/**
 * Counts the triangles of both meshes together. Reads or generates them. Errors: those of
 * scn_mesh_open.
 */
base_status bench_triangles_count(const char *a, const char *b, size_t *count,
                                  base_error *err) BASE_MUST_CHECK;

/** The bodies as a command line names them. */
typedef struct bench_bodies {
    const char *a, *b;       /* --a, --b; NULL: not given */
    double scale_a, scale_b; /* --scale-a, --scale-b; 1: not given */
} bench_bodies;

#define BENCH_BODIES_DEFAULT ((bench_bodies){.scale_a = 1, .scale_b = 1})

/** The rows of a command's option table for a structure with these four members. */
#define BENCH_BODIES_OPTIONS(bodies)                                                               \
    BENCH_OPTION("a", "MESH", &(bodies).a, "fixed body: a model or a mesh file, in metres"),       \
        BENCH_OPTION("b", "MESH", &(bodies).b, "moving body"),                                     \
        BENCH_OPTION("scale-a", "X", &(bodies).scale_a,                                            \
                     "scales A by X, like --a FILE:scale=X: 0.001 for a mesh in millimetres"),     \
        BENCH_OPTION("scale-b", "X", &(bodies).scale_b, "the same for B")

/** Makes references that include the scales, in the arena. Errors: those of scn_mesh_scaled. */
base_status bench_bodies_scale(const bench_bodies *bodies, base_arena *arena, const char **a,
                               const char **b, base_error *err) BASE_MUST_CHECK;
/** Opens the scaled bodies by bench_pair_open. */
base_status bench_bodies_open(const bench_bodies *bodies, bench_pair *pair,
                              base_error *err) BASE_MUST_CHECK;
void bench_pair_close(bench_pair *pair);

/** Warns of each body that TetGen has refused: its volumes are certified by one method only. */
void bench_pair_warn_refusals(const bench_pair *pair);

/**
 * Parses the text "x,y,z,qx,qy,qz,qw"; commas or blanks separate the numbers. what: name of the
 * text in messages, such as "--pose".
 * Errors: BASE_ERR_ARGUMENT, also for a quaternion whose length differs from 1 by more than 1e-3.
 */
base_status bench_pose_parse(const char *what, const char *text, vec3 *position,
                             geo_quat *orientation, base_error *err) BASE_MUST_CHECK;

/**
 * Converts a pose of a trajectory to the frame of the pair, and replaces tiny entries by 0
 * (geo_pose_settled). All variants and all methods of the truth get this same pose.
 */
geo_pose bench_pair_pose(const bench_pair *pair, vec3 position, geo_quat orientation);
/**
 * Converts all poses of a trajectory: *poses has frame_count poses and is owned by the caller
 * (base_free). Errors: BASE_ERR_MEMORY.
 */
base_status bench_pair_poses(const bench_pair *pair, const scn_trajectory *trajectory,
                             geo_pose **poses, base_error *err) BASE_MUST_CHECK;

/** Hashes poses[count]: "poses_hash" of a manifest. Errors: BASE_ERR_MEMORY. */
base_status bench_poses_hash(const geo_pose *poses, size_t count, base_hash *hash,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Returns functions that compute the exact distance and volume of the pair for samplers. Their
 * poses are those of trajectories. volume is NULL unless both bodies are solids; it is computed by
 * the boundary flux. Only one thread at a time may call the functions. They fail after an
 * interrupt.
 */
scn_oracle bench_pair_oracle(bench_pair *pair);

/**
 * Runs a sampler on the pair, or scn_follow if a recording is given. Prints a progress line, and a
 * warning about frames that are left out. Errors: those of scn_sample and scn_follow.
 */
base_status bench_pair_sample(bench_pair *pair, const scn_sampler *sampler,
                              const scn_trajectory *recording, bool quiet,
                              scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/** Writes a trajectory to a file, or to standard output if the path is NULL or "-". */
base_status bench_trajectory_write(const scn_trajectory *trajectory, const char *path,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Reads a trajectory for the pair from a file. Prints a warning if a body is 10 m or larger and B
 * moves by so little beside it, 300 to 3e6 times less, that both seem to be in different units.
 * Errors: those of scn_trajectory_read.
 */
base_status bench_trajectory_read(const bench_pair *pair, const char *path,
                                  scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/**
 * Makes the frames of a scenario: from its file, from the poses it lists, or by its sampler. A
 * sampled trajectory is stored in `cache_directory`/trajectories, so it is sampled only once. The
 * name of its file is the hash of all its inputs. If cache_directory is NULL, it is not stored. The
 * values that the scenario knows for all frames are added to each frame that lacks them.
 *
 * Errors   those of scn_trajectory_read and scn_sample; BASE_ERR_SYSTEM for a cache that cannot be
 *          written. A cached file that cannot be read is sampled again, with a warning.
 */
base_status bench_pair_trajectory(bench_pair *pair, const scn_motion *motion,
                                  const char *cache_directory, bool quiet,
                                  scn_trajectory *trajectory, base_error *err) BASE_MUST_CHECK;

/* --- Answers that are known without the truth ------------------------------------------------- */

/**
 * Return the rounding slack within which two exact answers agree. It is 1e-12 d + 64 eps s for a
 * distance d, and 1e-11 v + 64 eps s f for a volume v. eps is DBL_EPSILON, s a bound of the
 * coordinates of both bodies in A's frame (gt_pair_reach), and f the smaller one of the two surface
 * areas. pose: result of bench_pair_pose.
 */
double bench_distance_slack(const bench_pair *pair, const geo_pose *pose, double distance_m);
double bench_volume_slack(const bench_pair *pair, const geo_pose *pose, double volume_m3);

/**
 * Compares the truth of a frame with its known values. If a known value is outside the truth's
 * interval by more than the slack, the truth is no longer certified, and a warning names scenario,
 * frame and values.
 * Returns true if all known values agree, or if no value is known.
 */
bool bench_known_check(const bench_pair *pair, const char *scenario,
                       const scn_trajectory *trajectory, size_t frame, const geo_pose *pose,
                       gt_truth *truth);

#endif
