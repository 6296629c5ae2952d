#include "suite/results/truth.h"

#include "suite/results/judge.h"

#include <math.h>

#define COLUMN(name, kind, member) BENCH_COLUMN(name, kind, bench_truth_row, member, 0)

static const bench_column columns[] = {
    COLUMN("frame", COUNT, frame),
    COLUMN("truth_distance_lo_m", NUMBER, distance_m.lo),
    COLUMN("truth_distance_hi_m", NUMBER, distance_m.hi),
    COLUMN("truth_volume_lo_m3", NUMBER, volume_m3.lo),
    COLUMN("truth_volume_hi_m3", NUMBER, volume_m3.hi),
    COLUMN("truth_methods", TEXT, methods),
    COLUMN("certified_distance", COUNT_IF, certified_distance),
    COLUMN("certified_volume", COUNT_IF, certified_volume),
    COLUMN("truth_volume_bound_m3", NUMBER, volume_bound_m3),
    COLUMN("truth_volume_disagreement_m3", NUMBER, volume_disagreement_m3),
    COLUMN("truth_distance_disagreement_m", NUMBER, distance_disagreement_m),
    COLUMN("truth_surface_lo_m", NUMBER, surface_m.lo),
    COLUMN("truth_surface_hi_m", NUMBER, surface_m.hi),
    COLUMN("known_distance_m", NUMBER, known_distance_m),
    COLUMN("known_volume_m3", NUMBER, known_volume_m3),
    COLUMN("truth_depth_lo_m", NUMBER, depth_m.lo),
    COLUMN("truth_depth_hi_m", NUMBER, depth_m.hi),
    COLUMN("truth_nx", NUMBER, direction.x),
    COLUMN("truth_ny", NUMBER, direction.y),
    COLUMN("truth_nz", NUMBER, direction.z),
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
