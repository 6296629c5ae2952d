/**
 * Poses on a line, and the places on it that have a distance or a volume.
 *
 * Notation (all in A's frame): c_a, c_b the ball centres, u a unit vector, s metres along it. B
 * stands at (u, q, s) when its orientation is q and its ball centre R c_b + t is c_a + s u. L is
 * the longest edge of A's box. Distance is 1-Lipschitz in B's position, and volume changes by at
 * most half the smaller surface area a metre (the flux of u through the part of one surface that is
 * inside the other body): all steps here rest on these two bounds.
 */
#ifndef SCENARIOS_SOLVE_H
#define SCENARIOS_SOLVE_H

#include "base/error.h"
#include "geometry/mesh.h"

#include <stdbool.h>

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
    /** Told of each frame, by its number among those asked for, that is left out because no pose
     * with its value was found (m or m3). NULL: nobody wants to know. */
    void (*left_out)(void *context, size_t frame, double wanted);
} scn_oracle;

/** What the samplers need to know of the two bodies, each in its own frame. */
typedef struct scn_pair {
    geo_box box_a, box_b;
    geo_ball ball_a, ball_b; /* the smallest around all vertices of faces */
    double area_a_m2, area_b_m2;
    double volume_a_m3, volume_b_m3; /* 0: not a solid */
    /** From the frame of a surface's principal axes, the longest extent first, to the body's. */
    geo_quat axes_a, axes_b;
} scn_pair;

/** Bounding ball, box, measures and axes of a mesh pair; solid_x says whether its volume counts. */
scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b);

typedef enum scn_target {
    SCN_TARGET_DISTANCE, /* lo, hi in multiples of the diagonal of A's box */
    SCN_TARGET_VOLUME,   /* lo, hi in multiples of the smaller body's volume */
} scn_target;

/** Parses and names targets: "distance", "volume". Errors: BASE_ERR_ARGUMENT; near names are
 * listed. */
base_status scn_target_parse(const char *text, scn_target *target, base_error *err) BASE_MUST_CHECK;
const char *scn_target_name(scn_target target);

/* --- Poses on a line -------------------------------------------------------------------------- */

/** All poses with one direction and one orientation; s tells them apart. */
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
    double step_m;          /* largest motion of a surface point a frame */
} scn_solver;

/** Result of a search along a line. */
typedef struct scn_root {
    bool found;
    bool monotone; /* the volume never fell on the way in */
    double s, value;
    double slope_m2; /* volume: -dV/ds near the root; 0: not known */
} scn_root;

/** Translation of B's frame that puts its ball centre at `centre`. */
vec3 scn_translation(const scn_pair *pair, geo_quat orientation, vec3 centre);
/** Ball centre of B at (line, s). */
vec3 scn_centre(const scn_pair *pair, const scn_line *line, double s);

/** Oracle's answers with B's ball centre at `centre`. */
base_status scn_distance_at(const scn_solver *solver, geo_quat orientation, vec3 centre,
                            double *distance_m, base_error *err) BASE_MUST_CHECK;
/** The target's quantity at (line, s). */
base_status scn_value_at(const scn_solver *solver, const scn_line *line, double s, double *value,
                         base_error *err) BASE_MUST_CHECK;

/** The first place where the target's quantity has the value `wanted` (m or m3). */
base_status scn_first(const scn_solver *solver, const scn_line *line, double wanted, scn_root *root,
                      base_error *err) BASE_MUST_CHECK;
/**
 * A place with that value near s, in few calls; slope_m2 as of the root before, or 0. Distances are
 * met within slack_m, with bodies that do not overlap; volumes within 1e-3 of the value.
 */
base_status scn_near(const scn_solver *solver, const scn_line *line, double wanted, double s,
                     double slope_m2, scn_root *root, base_error *err) BASE_MUST_CHECK;

#endif
