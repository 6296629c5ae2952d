#include "suite/results/truth.h"

#include "suite/message.h"
#include "suite/results/judge.h"

#include <math.h>

#define COLUMN(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, bench_truth_row, member, 0, empty, meaning)
#define NOT_FOUND "not asked, or not found"

/** The columns of a force of the depth law: the prefix of their names, the member, the surfaces. */
#define DEPTH_LAW(name, member, quantity, surfaces)                                                \
    COLUMN("truth_" name "_fx_m3", NUMBER, "m3", TRUTH, member.force_m3.x, NOT_FOUND,              \
           "force on B by the depth law: " surfaces ", in A's frame, x"),                          \
        COLUMN("truth_" name "_fy_m3", NUMBER, "m3", TRUTH, member.force_m3.y, NOT_FOUND,          \
               "the same, y"),                                                                     \
        COLUMN("truth_" name "_fz_m3", NUMBER, "m3", TRUTH, member.force_m3.z, NOT_FOUND,          \
               "the same, z"),                                                                     \
        COLUMN("truth_" name "_force_bound_m3", NUMBER, "m3", TRUTH, member.force_bound_m3,        \
               NOT_FOUND, "bound of the length of this force's error"),                            \
        COLUMN("truth_" name "_tx_m4", NUMBER, "m4", TRUTH, member.torque_m4.x, NOT_FOUND,         \
               "its torque on B about its centroid, x"),                                           \
        COLUMN("truth_" name "_ty_m4", NUMBER, "m4", TRUTH, member.torque_m4.y, NOT_FOUND,         \
               "the same, y"),                                                                     \
        COLUMN("truth_" name "_tz_m4", NUMBER, "m4", TRUTH, member.torque_m4.z, NOT_FOUND,         \
               "the same, z"),                                                                     \
        COLUMN("truth_" name "_torque_bound_m4", NUMBER, "m4", TRUTH, member.torque_bound_m4,      \
               NOT_FOUND, "bound of the length of this torque's error"),                           \
        COLUMN("truth_" name "_integral_lo_m3", NUMBER, "m3", TRUTH, member.integral_m3.lo,        \
               NOT_FOUND,                                                                          \
               "lower end of the bracket of the integral of the depth over that surface"),         \
        COLUMN("truth_" name "_integral_hi_m3", NUMBER, "m3", TRUTH, member.integral_m3.hi,        \
               NOT_FOUND, "upper end"),                                                            \
        COLUMN("truth_" name "_energy_lo_m4", NUMBER, "m4", TRUTH, member.energy_m4.lo, NOT_FOUND, \
               "lower end of the bracket of the integral of the depth over the overlap"),          \
        COLUMN("truth_" name "_energy_hi_m4", NUMBER, "m4", TRUTH, member.energy_m4.hi, NOT_FOUND, \
               "upper end"),                                                                       \
        COLUMN("certified_" name, COUNT_IF, "", TRUTH, certified[quantity], "not asked",           \
               "certificate of this force, as that of the distance; 1 also where the bracket is "  \
               "wider than a thousandth of the integral")

static const bench_column columns[] = {
    COLUMN("frame", COUNT, "", FACT, frame, "", "number of the frame, from 0"),
    COLUMN("truth_distance_lo_m", NUMBER, "m", TRUTH, distance_m.lo, NOT_FOUND,
           "lower end of the bracket of the distance of the solids; 0 if they overlap"),
    COLUMN("truth_distance_hi_m", NUMBER, "m", TRUTH, distance_m.hi, NOT_FOUND, "upper end"),
    COLUMN("truth_volume_lo_m3", NUMBER, "m3", TRUTH, volume_m3.lo, NOT_FOUND,
           "lower end of the bracket of the volume of the intersection"),
    COLUMN("truth_volume_hi_m3", NUMBER, "m3", TRUTH, volume_m3.hi, NOT_FOUND, "upper end"),
    COLUMN("truth_methods", TEXT, "", TRUTH, methods, "no method has answered",
           "methods that have answered, with + between them; 'proxbench truth --help' lists all"),
    COLUMN("certified_distance", COUNT_IF, "", TRUTH, certified[GT_DISTANCE], "not asked",
           "certificate of the distance: 2 two methods agree, 1 one method with its own checks, 0 "
           "neither"),
    COLUMN("certified_volume", COUNT_IF, "", TRUTH, certified[GT_VOLUME], "not asked",
           "the same for the volume"),
    COLUMN("truth_volume_bound_m3", NUMBER, "m3", TRUTH, volume_bound_m3,
           "fewer than two methods have answered",
           "accepted difference of the two methods of the volume: the sum of their slacks"),
    COLUMN("truth_volume_disagreement_m3", NUMBER, "m3", TRUTH, volume_disagreement_m3,
           "fewer than two methods have answered", "difference of the two methods"),
    COLUMN("truth_distance_disagreement_m", NUMBER, "m", TRUTH, distance_disagreement_m,
           "fewer than two methods have answered",
           "difference of the two methods of the distance: the larger of that of solids and that "
           "of surfaces"),
    COLUMN("truth_surface_lo_m", NUMBER, "m", TRUTH, surface_m.lo, NOT_FOUND,
           "lower end of the bracket of the distance of the two surfaces; above 0 also if one body "
           "is inside the other"),
    COLUMN("truth_surface_hi_m", NUMBER, "m", TRUTH, surface_m.hi, NOT_FOUND, "upper end"),
    COLUMN("known_distance_m", NUMBER, "m", TRUTH, known_distance_m, "it is not known",
           "distance that is known beforehand, from the trajectory or the scenario; the truth must "
           "contain it"),
    COLUMN("known_volume_m3", NUMBER, "m3", TRUTH, known_volume_m3, "it is not known",
           "the same for the volume"),
    COLUMN("truth_depth_lo_m", NUMBER, "m", TRUTH, depth_m.lo, NOT_FOUND,
           "lower end of the bracket of the penetration depth by any translation; 0 if the bodies "
           "are apart"),
    COLUMN("truth_depth_hi_m", NUMBER, "m", TRUTH, depth_m.hi, NOT_FOUND, "upper end"),
    COLUMN(
        "truth_nx", NUMBER, "1", TRUTH, direction.x, NOT_FOUND,
        "direction of the separating translation by truth_depth_hi_m: unit vector in A's frame, x"),
    COLUMN("truth_ny", NUMBER, "1", TRUTH, direction.y, NOT_FOUND, "the same, y"),
    COLUMN("truth_nz", NUMBER, "1", TRUTH, direction.z, NOT_FOUND, "the same, z"),
    COLUMN("truth_pairs_lo", NUMBER, "1", TRUTH, pairs.lo, NOT_FOUND,
           "lower end of the bracket of the number of pairs of triangles that share a point"),
    COLUMN("truth_pairs_hi", NUMBER, "1", TRUTH, pairs.hi, NOT_FOUND, "upper end"),
    COLUMN("truth_fx_m2", NUMBER, "m2", TRUTH, force.x, NOT_FOUND,
           "force on B: minus the gradient of the volume of the intersection, in A's frame, x"),
    COLUMN("truth_fy_m2", NUMBER, "m2", TRUTH, force.y, NOT_FOUND, "the same, y"),
    COLUMN("truth_fz_m2", NUMBER, "m2", TRUTH, force.z, NOT_FOUND, "the same, z"),
    COLUMN("truth_force_bound_m2", NUMBER, "m2", TRUTH, force_bound, NOT_FOUND,
           "bound of the length of the force's error; if faces coincide, it covers the limits from "
           "all sides"),
    COLUMN("truth_tx_m3", NUMBER, "m3", TRUTH, torque.x, NOT_FOUND,
           "torque on B about its centroid, x"),
    COLUMN("truth_ty_m3", NUMBER, "m3", TRUTH, torque.y, NOT_FOUND, "the same, y"),
    COLUMN("truth_tz_m3", NUMBER, "m3", TRUTH, torque.z, NOT_FOUND, "the same, z"),
    COLUMN("truth_torque_bound_m3", NUMBER, "m3", TRUTH, torque_bound, NOT_FOUND,
           "bound of the length of the torque's error"),
    COLUMN("certified_pairs", COUNT_IF, "", TRUTH, certified[GT_PAIRS], "not asked",
           "certificate of the number of pairs, as that of the distance"),
    COLUMN("certified_depth", COUNT_IF, "", TRUTH, certified[GT_DEPTH], "not asked",
           "the same for the depth, whose methods confirm each other only if one bracket is at "
           "most ten times as wide as the other"),
    COLUMN("certified_force", COUNT_IF, "", TRUTH, certified[GT_FORCE], "not asked",
           "the same for the force: that of the volume that it is the gradient of"),
    DEPTH_LAW("depth_force", depth_force, GT_DEPTH_FORCE,
              "minus the integral of the depth in A times B's normal over B's surface inside A"),
    DEPTH_LAW("depth_force_exchanged", depth_force_exchanged, GT_DEPTH_FORCE_EXCHANGED,
              "the integral of the depth in B times A's normal over A's surface inside B"),
};
const bench_columns bench_truth_columns = {columns, sizeof columns / sizeof *columns};

gt_bracket bench_bracket_or_empty(gt_bracket bracket)
{
    return gt_known(bracket) ? bracket : (gt_bracket){NAN, NAN};
}

/** Returns the law with NaN for brackets that are not known. */
static gt_depth_law law_or_empty(gt_depth_law law)
{
    law.integral_m3 = bench_bracket_or_empty(law.integral_m3);
    law.energy_m4 = bench_bracket_or_empty(law.energy_m4);
    return law;
}

void bench_truth_row_fill(size_t frame, const gt_truth *truth, const scn_known *known,
                          bench_truth_row *row)
{
    const bool distance = known->mask & SCN_KNOWN_DISTANCE;
    const bool volume = known->mask & SCN_KNOWN_VOLUME;
    const bool overlap = gt_known(truth->depth_m) && truth->depth_m.hi > 0;
    const bool force = truth->asked & GT_WANT_FORCE && isfinite(truth->force_m2.x);
    const vec3 none = {NAN, NAN, NAN};
    *row = (bench_truth_row){
        .frame = frame,
        .distance_m = bench_bracket_or_empty(truth->distance_m),
        .volume_m3 = bench_bracket_or_empty(truth->volume_m3),
        .surface_m = bench_bracket_or_empty(truth->surface_m),
        .depth_m = bench_bracket_or_empty(truth->depth_m),
        .pairs = bench_bracket_or_empty(truth->pairs_count),
        .methods_text = gt_methods_format(truth->methods),
        .volume_bound_m3 = truth->volume_bound_m3,
        .volume_disagreement_m3 = truth->volume_disagreement_m3,
        .distance_disagreement_m = truth->distance_disagreement_m,
        .known_distance_m = distance ? known->distance_m : (double)NAN,
        .known_volume_m3 = volume ? known->volume_m3 : (double)NAN,
        .direction = overlap ? truth->depth_direction : none,
        .force = force ? truth->force_m2 : none,
        .torque = force ? truth->torque_m3 : none,
        .force_bound = force ? truth->force_bound_m2 : (double)NAN,
        .torque_bound = force ? truth->torque_bound_m3 : (double)NAN,
        .depth_force = law_or_empty(truth->depth_force),
        .depth_force_exchanged = law_or_empty(truth->depth_force_exchanged),
    };
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        row->certified[q] =
            truth->asked & 1u << q ? (uint64_t)gt_certificate(truth, (gt_quantity)q) : UINT64_MAX;
    }
    row->methods = row->methods_text.text;
}

/**
 * Warns once of all frames that have the same doubt as frame `first`. Does nothing if an earlier
 * frame has this doubt, because it was then reported there.
 */
static void warn_doubt(const char *name, const gt_truth *truths, size_t count, size_t first,
                       gt_quantity quantity)
{
    size_t frames = 0;
    const gt_doubt doubt = truths[first].doubt[quantity];
    for (size_t f = 0; f < count; f++) {
        const gt_doubt other = truths[f].doubt[quantity];
        const bool same = other.kind == doubt.kind && other.method == doubt.method;
        if (same && f < first) {
            return;
        }
        frames += same;
    }
    bench_warn("%s: %s has certificate %d in %zu of %zu frames, frame %zu the first: %s", name,
               gt_quantities[quantity].name, gt_certificate(&truths[first], quantity), frames,
               count, first, gt_doubt_format(&truths[first], quantity).text);
}

void bench_truth_warn_doubts(const char *name, const gt_truth *truths, size_t count)
{
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        for (size_t f = 0; f < count; f++) {
            if (truths[f].doubt[q].kind != GT_DOUBT_NONE) {
                warn_doubt(name, truths, count, f, (gt_quantity)q);
            }
        }
    }
}
