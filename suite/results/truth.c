#include "suite/results/truth.h"

#include "suite/results/judge.h"

#include <math.h>

#define COLUMN(name, kind, member, empty, meaning)                                                 \
    BENCH_COLUMN(name, kind, bench_truth_row, member, 0, empty, meaning)
#define NOT_FOUND "it was not asked, or not found"

static const bench_column columns[] = {
    COLUMN("frame", COUNT, frame, "", "number of the frame, from 0"),
    COLUMN("truth_distance_lo_m", NUMBER, distance_m.lo, NOT_FOUND,
           "the distance of the solids is not below this: 0 where they overlap"),
    COLUMN("truth_distance_hi_m", NUMBER, distance_m.hi, NOT_FOUND, "nor above this"),
    COLUMN("truth_volume_lo_m3", NUMBER, volume_m3.lo, NOT_FOUND,
           "the volume of the intersection is not below this"),
    COLUMN("truth_volume_hi_m3", NUMBER, volume_m3.hi, NOT_FOUND, "nor above this"),
    COLUMN("truth_methods", TEXT, methods, "none has answered",
           "methods that have answered: bvh, brute (distance), flux, tetra (volume), joined by +"),
    COLUMN("certified_distance", COUNT_IF, certified_distance, "it was not asked",
           "certificate of the distance: 2 two methods agree, 1 one method with its own checks, 0 "
           "neither"),
    COLUMN("certified_volume", COUNT_IF, certified_volume, "it was not asked",
           "the same of the volume"),
    COLUMN("truth_volume_bound_m3", NUMBER, volume_bound_m3, "not two methods have answered",
           "what the two methods of the volume may differ by: the sum of their slacks"),
    COLUMN("truth_volume_disagreement_m3", NUMBER, volume_disagreement_m3,
           "not two methods have answered", "what they do differ by"),
    COLUMN("truth_distance_disagreement_m", NUMBER, distance_disagreement_m,
           "not two methods have answered",
           "what the two methods of the distance differ by: the larger of that of solids and that "
           "of surfaces"),
    COLUMN("truth_surface_lo_m", NUMBER, surface_m.lo, NOT_FOUND,
           "the distance of the two surfaces is not below this: above 0 also where one body is "
           "inside the other"),
    COLUMN("truth_surface_hi_m", NUMBER, surface_m.hi, NOT_FOUND, "nor above this"),
    COLUMN("known_distance_m", NUMBER, known_distance_m, "it is not known",
           "distance that is known beforehand, from the trajectory or the scenario: the truth has "
           "to hold it"),
    COLUMN("known_volume_m3", NUMBER, known_volume_m3, "it is not known", "the same of the volume"),
    COLUMN("truth_depth_lo_m", NUMBER, depth_m.lo, "depth was not asked",
           "the penetration depth of convex bodies is not below this: 0 where they are apart"),
    COLUMN("truth_depth_hi_m", NUMBER, depth_m.hi, "depth was not asked", "nor above this"),
    COLUMN("truth_nx", NUMBER, direction.x, "depth was not asked",
           "way that B moves to get out, or away from A where they are apart: unit vector in A's "
           "frame, x"),
    COLUMN("truth_ny", NUMBER, direction.y, "depth was not asked", "the same, y"),
    COLUMN("truth_nz", NUMBER, direction.z, "depth was not asked", "the same, z"),
};
const bench_columns bench_truth_columns = {columns, sizeof columns / sizeof *columns};

gt_bracket bench_bracket_or_empty(gt_bracket bracket)
{
    return gt_known(bracket) ? bracket : (gt_bracket){NAN, NAN};
}

void bench_truth_row_fill(size_t frame, const gt_truth *truth, const scn_known *known,
                          const gt_depth *depth, bench_truth_row *row)
{
    const bool distance = known->mask & SCN_KNOWN_DISTANCE;
    const bool volume = known->mask & SCN_KNOWN_VOLUME;
    *row = (bench_truth_row){
        .frame = frame,
        .certified_distance = bench_truth_certificate(truth, ALG_DISTANCE),
        .certified_volume = bench_truth_certificate(truth, ALG_VOLUME),
        .distance_m = bench_bracket_or_empty(truth->distance_m),
        .volume_m3 = bench_bracket_or_empty(truth->volume_m3),
        .surface_m = bench_bracket_or_empty(truth->surface_m),
        .depth_m = bench_bracket_or_empty(depth ? depth->depth_m : GT_NONE),
        .methods_text = gt_methods_format(truth->methods),
        .volume_bound_m3 = truth->volume_bound_m3,
        .volume_disagreement_m3 = truth->volume_disagreement_m3,
        .distance_disagreement_m = truth->distance_disagreement_m,
        .known_distance_m = distance ? known->distance_m : (double)NAN,
        .known_volume_m3 = volume ? known->volume_m3 : (double)NAN,
        .direction = depth ? depth->direction : (vec3){NAN, NAN, NAN},
    };
    row->methods = row->methods_text.text;
}
