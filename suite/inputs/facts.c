#include "suite/inputs/facts.h"

#include "base/memory.h"
#include "scenarios/models/models.h"
#include "suite/inputs/pair.h"
#include "suite/message.h"

#include <math.h>

static bench_body_facts body_facts(const bench_body *body)
{
    return (bench_body_facts){
        .triangles = body->mesh.face_count,
        .solid = body->report.solid,
        .hash = body->hash,
        .licence = scn_mesh_is_file(body->reference) ? NULL : SCN_MODELS_LICENCE,
    };
}

/** Extends a range by the middle of a bracket, unless this is GT_NONE. */
static void include(double range[2], gt_bracket bracket)
{
    const double value = bracket.lo <= bracket.hi ? 0.5 * (bracket.lo + bracket.hi) : (double)NAN;
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

static base_status find_ranges(const bench_pair *pair, const geo_pose *poses,
                               const char *cache_directory, bench_scenario_facts *facts,
                               base_error *err)
{
    const gt_options options = {.cache_directory = cache_directory,
                                .methods = GT_BY_BVH | GT_BY_FLUX,
                                .interrupted = bench_interrupted};
    const unsigned want = GT_WANT_DISTANCE | (pair->has_volume ? GT_WANT_VOLUME : 0);
    gt_truth *const truths = base_alloc(facts->frames, sizeof *truths);
    if (!truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", facts->frames);
    }
    const base_status status = gt_trajectory_truth(pair->a.truth, pair->b.truth, poses,
                                                   facts->frames, want, &options, truths, err);
    for (size_t f = 0; status == BASE_OK && f < facts->frames; f++) {
        include(facts->distance_m, truths[f].distance_m);
        include(facts->volume_m3, truths[f].volume_m3);
    }
    base_free(truths);
    return status;
}

base_status bench_scenario_facts_find(const scn_scenario *scenario, const char *cache_directory,
                                      bench_scenario_facts *facts, base_error *err)
{
    bench_pair pair;
    scn_trajectory trajectory = {0};
    geo_pose *poses = NULL;
    base_status status = bench_pair_open(scenario->a, scenario->b, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status =
        bench_pair_trajectory(&pair, &scenario->motion, cache_directory, false, &trajectory, err);
    if (status == BASE_OK) {
        status = bench_pair_poses(&pair, &trajectory, &poses, err);
    }
    const double volume = fmin(pair.sampler_view.volume_a_m3, pair.sampler_view.volume_b_m3);
    *facts = (bench_scenario_facts){
        .a = body_facts(&pair.a),
        .b = body_facts(&pair.b),
        .frames = trajectory.frame_count,
        .distance_m = {NAN, NAN},
        .volume_m3 = {NAN, NAN},
        .diagonal_m = pair.diagonal_a,
        .smaller_m3 = pair.has_volume ? volume : (double)NAN,
    };
    if (status == BASE_OK) {
        status = bench_poses_hash(poses, facts->frames, &facts->poses, err);
    }
    if (status == BASE_OK) {
        status = find_ranges(&pair, poses, cache_directory, facts, err);
    }
    base_free(poses);
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
    return status;
}
