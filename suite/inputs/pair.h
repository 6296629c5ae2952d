/** A pair of bodies, ready for runs, truth and samplers. */
#ifndef SUITE_PAIR_H
#define SUITE_PAIR_H

#include "algorithms/algorithms.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "groundtruth/groundtruth.h"
#include "scenarios/experiment.h"

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
 * names the faces and what is left: no volume truth, distances between surfaces. So are two bodies
 * that differ in size as metres and millimetres do.
 *
 * Errors   those of scn_mesh_open; BASE_ERR_MEMORY. *pair needs no close then.
 */
base_status bench_pair_open(const char *a, const char *b, bench_pair *pair,
                            base_error *err) BASE_MUST_CHECK;

/** Triangles of both meshes together. Reads or generates them. Errors: those of scn_mesh_open. */
base_status bench_triangles_count(const char *a, const char *b, size_t *count,
                                  base_error *err) BASE_MUST_CHECK;

/** The bodies as a command line names them. */
typedef struct bench_bodies {
    const char *a, *b;       /* --a, --b; NULL: not given */
    double scale_a, scale_b; /* --scale-a, --scale-b; 1: not given */
} bench_bodies;

#define BENCH_BODIES_DEFAULT ((bench_bodies){.scale_a = 1, .scale_b = 1})

/** The rows of a command's table of options for a structure with these four members. */
#define BENCH_BODIES_OPTIONS(bodies)                                                               \
    BENCH_OPTION("a", "MESH", &(bodies).a, "fixed body: a model or a mesh file, in metres"),       \
        BENCH_OPTION("b", "MESH", &(bodies).b, "moving body"),                                     \
        BENCH_OPTION("scale-a", "X", &(bodies).scale_a,                                            \
                     "makes A so many times as large: 0.001 for a mesh in millimetres, as "        \
                     "--a FILE:scale=0.001"),                                                      \
        BENCH_OPTION("scale-b", "X", &(bodies).scale_b, "the same for B")

/** The bodies with their scales in their references. Errors: those of scn_mesh_scaled; memory:
 * arena. */
base_status bench_bodies_scale(const bench_bodies *bodies, base_arena *arena, const char **a,
                               const char **b, base_error *err) BASE_MUST_CHECK;
/** As bench_pair_open. */
base_status bench_bodies_open(const bench_bodies *bodies, bench_pair *pair,
                              base_error *err) BASE_MUST_CHECK;
void bench_pair_close(bench_pair *pair);

/** Warns of each body that TetGen has refused: its volumes are certified by one method alone. */
void bench_pair_warn_refusals(const bench_pair *pair);

/**
 * "x,y,z,qx,qy,qz,qw" with commas or blanks between. what: "--pose", for messages.
 * Errors: BASE_ERR_ARGUMENT, also for a quaternion whose length is off by more than 1e-3.
 */
base_status bench_pose_parse(const char *what, const char *text, vec3 *position,
                             geo_quat *orientation, base_error *err) BASE_MUST_CHECK;

/** A pose of a trajectory in the frame of the pair, settled (geometry/pose.h): contestants and all
 * methods of the truth are given the same one. */
geo_pose bench_pair_pose(const bench_pair *pair, vec3 position, geo_quat orientation);
/** All of a trajectory: *poses has frame_count, owned (base_free). Errors: BASE_ERR_MEMORY. */
base_status bench_pair_poses(const bench_pair *pair, const scn_trajectory *trajectory,
                             geo_pose **poses, base_error *err) BASE_MUST_CHECK;

/**
 * Exact distance and volume of the pair for samplers; poses are those of trajectories. volume is
 * NULL unless both are solids; it is that of the boundary flux. From one thread at a time. Fails
 * after an interrupt.
 */
scn_oracle bench_pair_oracle(bench_pair *pair);

/**
 * Runs a sampler on the pair, or scn_follow when a recording is given, with a progress line, and a
 * warning of frames that are left out. Errors: those of scn_sample and scn_follow.
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

/* --- Answers that are known without the truth ------------------------------------------------- */

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

#endif
