/**
 * Poses on a line, and the positions on it that have a distance or a volume.
 *
 * Notation (all in A's frame): c_a, c_b the ball centres, u a unit vector, s metres along it. B is
 * at (u, q, s) if its orientation is q and its ball centre R c_b + t is c_a + s u. L is the longest
 * edge of A's box. The distance is 1-Lipschitz in B's position. The volume changes by at most half
 * the smaller surface area per metre (the flux of u through the part of one surface that is inside
 * the other body). All steps in this file rely on these two bounds.
 */
#ifndef SCENARIOS_SOLVE_H
#define SCENARIOS_SOLVE_H

#include "base/error.h"
#include "geometry/mesh.h"

#include <stdbool.h>

/**
 * Exact answers about the pair, provided by the suite. Poses map B's frame into A's frame. They are
 * made by geo_pose_make from exactly the numbers that are stored in the trajectory. An error ends
 * the sampler.
 */
typedef struct scn_oracle {
    void *context;
    /** Distance of the solids; 0 if they overlap. */
    base_status (*distance)(void *context, const geo_pose *pose, double *distance_m,
                            base_error *err);
    /** NULL if the pair has no volume truth. */
    base_status (*volume)(void *context, const geo_pose *pose, double *volume_m3, base_error *err);
    /** Called for each frame that is left out because no pose with its value (m or m3) was found.
     * frame: its index among the requested frames. May be NULL. */
    void (*left_out)(void *context, size_t frame, double wanted);
} scn_oracle;

/** Properties of the two bodies that the samplers use, each in the body's own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* smallest balls around the vertices of all faces */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
    /** Rotations from the frame of a surface's principal axes, the longest extent first, to the
     * body's frame. */
    geo_quat axes_a, axes_b;
} scn_pair;

/** Returns balls, boxes, measures and axes of a mesh pair. solid_a, solid_b: the mesh has a
 * volume. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

typedef enum scn_target {
    SCN_TARGET_DISTANCE, /* lo, hi in multiples of the diagonal of A's box */
    SCN_TARGET_VOLUME,   /* lo, hi in multiples of the smaller body's volume */
} scn_target;

/** Parse and name targets: "distance", "volume". Errors: BASE_ERR_ARGUMENT; similar names are
 * listed. */
base_status scn_target_parse(const char *text, scn_target *target, base_error *err) BASE_MUST_CHECK;
const char *scn_target_name(scn_target target);

/* --- Poses on a line -------------------------------------------------------------------------- */

/** All poses with one direction and one orientation. The parameter is s. */
typedef struct scn_line {
    vec3 direction; /* unit; from A's ball centre */
    geo_quat orientation;
} scn_line;

typedef struct scn_solver {
    const scn_pair *pair;     /* borrowed */
    const scn_oracle *oracle; /* borrowed */
    scn_target target;
    double scale;           /* unit of lo and hi: diagonal of A's box, or the smaller volume */
    double size_m;          /* L */
    double slack_m;         /* tau, the tolerance of a distance: 1e-9 L */
    double volume_slack_m3; /* the tolerance of a volume: 1e-6 of the smaller body */
    double flux_m2;         /* bound of |dV/ds|: half the smaller area */
    double step_m;          /* largest motion of a surface point per frame */
} scn_solver;

/** Result of a search along a line. */
typedef struct scn_root {
    bool found;
    bool monotone; /* the volume never decreased on the way in */
    double s, value;
    double slope_m2; /* volume: -dV/ds near the root; 0 if unknown */
} scn_root;

/** Returns the translation of B's frame that moves its ball centre to `centre`. */
vec3 scn_translation(const scn_pair *pair, geo_quat orientation, vec3 centre);
/** Returns the ball centre of B at (line, s). */
vec3 scn_centre(const scn_pair *pair, const scn_line *line, double s);

/** Returns the oracle's distance with B's ball centre at `centre`. */
base_status scn_distance_at(const scn_solver *solver, geo_quat orientation, vec3 centre,
                            double *distance_m, base_error *err) BASE_MUST_CHECK;
/** Returns the target's quantity at (line, s). */
base_status scn_value_at(const scn_solver *solver, const scn_line *line, double s, double *value,
                         base_error *err) BASE_MUST_CHECK;

/** Finds the first position on the way in at which the target's quantity has the value `wanted` (m
 * or m3). */
base_status scn_first(const scn_solver *solver, const scn_line *line, double wanted, scn_root *root,
                      base_error *err) BASE_MUST_CHECK;
/**
 * Finds a position with that value near s, in few calls. slope_m2: of the previous root, or 0.
 * Distances are reached within slack_m, with bodies that do not overlap; volumes within 1e-3 of the
 * value.
 */
base_status scn_near(const scn_solver *solver, const scn_line *line, double wanted, double s,
                     double slope_m2, scn_root *root, base_error *err) BASE_MUST_CHECK;

#endif
