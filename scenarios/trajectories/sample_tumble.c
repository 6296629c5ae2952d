/**
 * Full turns about z and x at a fixed centre distance, as in the benchmark of CollDet. The distance
 * is the middle between the least and the greatest at which the bodies meet the value in the course
 * of the turn, so that some frames lie on either side of it: with lo = 0, contact comes and goes.
 */
#include "base/elementary.h"
#include "geometry/random.h"
#include "scenarios/trajectories/sampling.h"

#include <math.h>

enum { PROBES_MAX = 64 };

static geo_quat orientation_at(double share)
{
    const double s = base_sin(BASE_PI * share), c = base_cos(BASE_PI * share);
    const geo_quat about_z = {0, 0, s, c}, about_x = {s, 0, 0, c};
    return geo_quat_normalize(geo_quat_mul(about_z, about_x));
}

/** The middle of the meeting distances along one direction. */
static base_status find_distance(scn_run *run, vec3 direction, double wanted, double *s,
                                 bool *found, base_error *err)
{
    const size_t frames = run->sampler->frames, probes = frames < PROBES_MAX ? frames : PROBES_MAX;
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < probes; i++) {
        const scn_line line = {direction, orientation_at((double)i / (double)probes)};
        scn_root root;
        const base_status status = scn_first(&run->solver, &line, wanted, &root, err);
        if (status != BASE_OK) {
            return status;
        }
        lo = root.found ? fmin(lo, root.s) : lo;
        hi = root.found ? fmax(hi, root.s) : hi;
    }
    *found = lo <= hi;
    *s = 0.5 * (lo + hi);
    return BASE_OK;
}

base_status scn_sample_tumble(scn_run *run, base_error *err)
{
    const double wanted = run->solver.scale * run->sampler->lo;
    scn_line line = {0};
    double s = 0;
    bool found = false;
    for (int draw = 0; draw < SCN_DRAWS_MAX && !found; draw++) {
        line.direction = geo_random_direction(&run->random);
        const base_status status = find_distance(run, line.direction, wanted, &s, &found, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (!found) {
        return scn_run_fail(run, wanted, err);
    }
    const vec3 centre = scn_centre(run->solver.pair, &line, s);
    const size_t n = run->sampler->frames;
    for (size_t i = 0; i < n; i++) {
        const geo_quat q = orientation_at((double)i / (double)n);
        double achieved = NAN;
        base_status status = BASE_OK;
        /* A volume may cost half a second: the truth will know it. */
        if (run->sampler->target == SCN_TARGET_DISTANCE) {
            status = scn_distance_at(&run->solver, q, centre, &achieved, err);
        }
        if (status == BASE_OK) {
            status = scn_run_append(run, q, centre, NAN, achieved, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    return BASE_OK;
}
