#include "suite/inputs/facts.h"

#include "base/memory.h"
#include "scenarios/models/models.h"
#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/pictures/canvas.h"

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

/** True if a frame is deeper than another one, or if both are apart and it is nearer. */
static bool deeper(const gt_truth *truth, const gt_truth *other)
{
    const bool solids = truth->volume_m3.lo <= truth->volume_m3.hi;
    return solids && truth->volume_m3.hi + other->volume_m3.hi > 0
               ? truth->volume_m3.hi > other->volume_m3.hi
               : truth->distance_m.hi < other->distance_m.hi;
}

/** Finds the ranges, and the frame that a picture shows. */
static base_status find_ranges(const bench_pair *pair, const geo_pose *poses,
                               const char *cache_directory, bench_scenario_facts *facts,
                               size_t *shown, base_error *err)
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
        *shown = deeper(&truths[f], &truths[*shown]) ? f : *shown;
    }
    base_free(truths);
    return status;
}

enum { PICTURE_WIDTH = 128, PICTURE_HEIGHT = 96 };

static base_status draw(const bench_pair *pair, const geo_pose *pose, const char *path,
                        base_error *err)
{
    const bench_area area = {0, 0, PICTURE_WIDTH, PICTURE_HEIGHT};
    const bench_shape bodies[] = {
        {.kind = BENCH_SHAPE_MESH,
         .mesh = pair->a.mesh,
         .pose = geo_pose_identity(),
         .colour = BENCH_COLOUR_A,
         .glass = 1,
         .opacity = 0.4},
        {.kind = BENCH_SHAPE_MESH, .mesh = pair->b.mesh, .pose = *pose, .colour = BENCH_COLOUR_B}};
    bench_view view;
    bench_canvas canvas;
    base_status status = bench_view_parse(BENCH_VIEW_USUAL, &view, err);
    const bench_frame frame = bench_frame_around(bodies, 2, &view);
    if (status == BASE_OK) {
        status = bench_canvas_open(area.width, area.height, &canvas, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = bench_canvas_draw(&canvas, area, bodies, 2, &view, &frame, false, err);
    if (status == BASE_OK) {
        status = bench_canvas_save(&canvas, path, err);
    }
    bench_canvas_close(&canvas);
    return status;
}

base_status bench_scenario_facts_find(const scn_scenario *scenario, const char *cache_directory,
                                      const char *picture, bench_scenario_facts *facts,
                                      base_error *err)
{
    bench_pair pair;
    scn_trajectory trajectory = {0};
    geo_pose *poses = NULL;
    size_t shown = 0;
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
        status = find_ranges(&pair, poses, cache_directory, facts, &shown, err);
    }
    if (status == BASE_OK && picture) {
        status = draw(&pair, &poses[shown], picture, err);
    }
    base_free(poses);
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
    return status;
}
