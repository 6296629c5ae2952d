/** Truth against answers that are known without it. */
#include "suite/inputs/known.h"

#include "geometry/pose.h"
#include "suite/message.h"

#include <float.h>
#include <math.h>

static double pair_reach(const bench_pair *pair, const geo_pose *pose)
{
    return gt_pair_reach(pair->a.truth, pair->b.truth, pose);
}

double bench_distance_slack(const bench_pair *pair, const geo_pose *pose, double distance_m)
{
    return 1e-12 * distance_m + 64 * DBL_EPSILON * pair_reach(pair, pose);
}

double bench_volume_slack(const bench_pair *pair, const geo_pose *pose, double volume_m3)
{
    const double area = fmin(pair->a.report.measure.area_m2, pair->b.report.measure.area_m2);
    return 1e-11 * volume_m3 + 64 * DBL_EPSILON * pair_reach(pair, pose) * area;
}

/** One quantity of a frame. */
typedef struct claim {
    const char *scenario, *what, *unit;
    size_t frame;
    double known, slack;
} claim;

static bool holds(gt_bracket truth, const claim *c)
{
    if (!gt_known(truth) || (truth.lo - c->slack <= c->known && c->known <= truth.hi + c->slack)) {
        return true;
    }
    bench_warn("%s frame %zu: the truth's %s, %.17g to %.17g %s, is not the known %.17g",
               c->scenario, c->frame, c->what, truth.lo, truth.hi, c->unit, c->known);
    return false;
}

bool bench_known_check(const bench_pair *pair, const char *scenario,
                       const scn_trajectory *trajectory, size_t frame, const geo_pose *pose,
                       gt_truth *truth)
{
    const scn_known *const known = &trajectory->frames[frame].known;
    const double d = known->distance_m, v = known->volume_m3;
    const claim distance = {scenario, "distance", "m",
                            frame,    d,          bench_distance_slack(pair, pose, d)};
    const claim volume = {scenario, "volume", "m3", frame, v, bench_volume_slack(pair, pose, v)};
    bool good = true;
    if ((known->mask & SCN_KNOWN_DISTANCE) && !holds(truth->distance_m, &distance)) {
        good = false;
        truth->distance_certified = truth->certified = 0;
    }
    if ((known->mask & SCN_KNOWN_VOLUME) && !holds(truth->volume_m3, &volume)) {
        good = false;
        truth->volume_certified = truth->certified = 0;
    }
    return good;
}
