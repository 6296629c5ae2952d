#include "suite/inputs/pair.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "scenarios/models/models.h"
#include "scenarios/trajectories/sampler.h"
#include "suite/message.h"
#include "suite/output.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Part of the key of a sampled trajectory. Increase it when the output of a sampler changes. */
static const char sampler_version[] = "trajectory 2";

/* --- Opening ---------------------------------------------------------------------------------- */

static alg_mesh body_view(const geo_mesh *mesh, const geo_mesh_report *report)
{
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = mesh->vertices,
                      .vertex_count = mesh->vertex_count,
                      .faces = mesh->faces,
                      .face_count = mesh->face_count,
                      .solid = report->solid,
                      .volume_m3 = report->solid ? report->measure.volume_m3 : 0,
                      .centroid =
                          report->solid ? report->measure.centroid : geo_box_centre(report->box),
                      .box = report->box};
}

static base_status body_load(bench_body *body, const char *reference, base_error *err)
{
    const size_t size = strlen(reference) + 1;
    body->reference = base_alloc(size, 1);
    if (!body->reference) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(body->reference, reference, size);
    const base_status status = scn_mesh_open(reference, &body->mesh, err);
    if (status == BASE_OK) {
        body->hash = geo_mesh_hash(&body->mesh);
    }
    return status;
}

static void body_warn(const bench_body *body)
{
    if (!body->report.solid) {
        char reason[512];
        geo_mesh_report_reason(&body->report, reason, sizeof reason);
        bench_warn("'%s' is not a solid: %s; no volume truth, distances are between surfaces",
                   body->reference, reason);
    }
}

/* A ratio of sizes between these bounds suggests that the bodies are in different units: a thousand
 * (metres and millimetres) and a million are between them. Bodies that belong together seldom have
 * such a ratio. */
#define SIZES_APART_LEAST    300.0
#define SIZES_APART_GREATEST 3e6

/** Warns if one body seems to be in other units. Both are still taken as metres. */
static void warn_sizes(const bench_body *a, const bench_body *b)
{
    const double size_a = geo_box_diagonal(a->report.box);
    const double size_b = geo_box_diagonal(b->report.box);
    const double apart = fmax(size_a, size_b) / fmin(size_a, size_b);
    if (apart >= SIZES_APART_LEAST && apart <= SIZES_APART_GREATEST) {
        bench_warn("'%s' is %.3g m across and '%s' %.3g m, as if one were in other units; meshes "
                   "are taken as metres, unless --scale-%c says otherwise",
                   a->reference, size_a, b->reference, size_b, size_a > size_b ? 'a' : 'b');
    }
}

/** Prepares both bodies at once, because each takes about as long as the other. */
typedef struct preparation {
    bench_body *bodies[2];
    base_status statuses[2];
    base_error errors[2];
} preparation;

/** Makes everything that depends on the meshes at their final positions. */
static void prepare_bodies(void *context, size_t begin, size_t end)
{
    preparation *const p = context;
    for (size_t i = begin; i < end; i++) {
        bench_body *const body = p->bodies[i];
        p->statuses[i] = geo_mesh_check(&body->mesh, &body->report, &p->errors[i]);
        if (p->statuses[i] == BASE_OK) {
            body->view = body_view(&body->mesh, &body->report);
            p->statuses[i] =
                gt_body_create(&body->mesh, &body->report, &body->truth, &p->errors[i]);
        }
    }
}

static base_status pair_prepare(bench_pair *pair, const char *a, const char *b, base_error *err)
{
    base_status status = body_load(&pair->a, a, err);
    if (status == BASE_OK) {
        status = body_load(&pair->b, b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    /* Measured before A is moved and before it is known whether the bodies are solids. */
    pair->sampler_view = scn_pair_make(&pair->a.mesh, true, &pair->b.mesh, true);
    pair->centre_a = geo_box_centre(geo_mesh_box(&pair->a.mesh));
    geo_mesh_translate(&pair->a.mesh, vec3_scale(-1, pair->centre_a));
    preparation p = {.bodies = {&pair->a, &pair->b}};
    base_parallel_for(2, 1, 0, prepare_bodies, &p);
    for (size_t i = 0; i < 2; i++) {
        if (p.statuses[i] != BASE_OK) {
            return base_fail(err, p.statuses[i], "%s", p.errors[i].text);
        }
    }
    pair->diagonal_a = geo_box_diagonal(pair->a.report.box);
    pair->has_volume = pair->a.report.solid && pair->b.report.solid;
    if (!pair->a.report.solid) {
        pair->sampler_view.volume_a_m3 = 0;
    }
    if (!pair->b.report.solid) {
        pair->sampler_view.volume_b_m3 = 0;
    }
    body_warn(&pair->a);
    if (strcmp(a, b) != 0) {
        body_warn(&pair->b);
    }
    warn_sizes(&pair->a, &pair->b);
    return BASE_OK;
}

base_status bench_pair_open(const char *a, const char *b, bench_pair *pair, base_error *err)
{
    *pair = (bench_pair){0};
    const base_status status = pair_prepare(pair, a, b, err);
    if (status != BASE_OK) {
        bench_pair_close(pair);
    }
    return status;
}

base_status bench_triangles_count(const char *a, const char *b, size_t *count, base_error *err)
{
    const char *const references[] = {a, b};
    *count = 0;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        geo_mesh mesh;
        const base_status status = scn_mesh_open(references[i], &mesh, err);
        if (status != BASE_OK) {
            return status;
        }
        *count += mesh.face_count;
        geo_mesh_release(&mesh);
    }
    return BASE_OK;
}

base_status bench_bodies_scale(const bench_bodies *bodies, base_arena *arena, const char **a,
                               const char **b, base_error *err)
{
    const base_status status = scn_mesh_scaled(bodies->a, bodies->scale_a, arena, a, err);
    return status == BASE_OK ? scn_mesh_scaled(bodies->b, bodies->scale_b, arena, b, err) : status;
}

base_status bench_bodies_open(const bench_bodies *bodies, bench_pair *pair, base_error *err)
{
    base_arena arena = {0};
    const char *a, *b;
    *pair = (bench_pair){0};
    base_status status = bench_bodies_scale(bodies, &arena, &a, &b, err);
    if (status == BASE_OK) {
        status = bench_pair_open(a, b, pair, err);
    }
    base_arena_release(&arena);
    return status;
}

static void body_close(bench_body *body)
{
    gt_body_destroy(body->truth);
    geo_mesh_report_release(&body->report);
    geo_mesh_release(&body->mesh);
    base_free(body->reference);
}

void bench_pair_close(bench_pair *pair)
{
    gt_flux_space_destroy(pair->flux_space);
    body_close(&pair->a);
    body_close(&pair->b);
    *pair = (bench_pair){0};
}

void bench_pair_warn_refusals(const bench_pair *pair)
{
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    for (size_t i = 0; i < 2; i++) {
        const char *const refusal = gt_body_refusal(bodies[i]->truth);
        if (refusal && (i == 0 || strcmp(pair->a.reference, pair->b.reference) != 0)) {
            bench_warn("'%s' has no tetrahedra, so its volumes are certified by one method: %s",
                       bodies[i]->reference, refusal);
        }
    }
}

/* --- Poses ------------------------------------------------------------------------------------ */

enum { POSE_NUMBERS = 7 };

/** Parses one number of a pose, and moves *text past it and its comma or blanks. */
static bool parse_pose_number(const char **text, double *number)
{
    char word[64];
    const size_t length = strcspn(*text, ", \t");
    if (length >= sizeof word) {
        return false;
    }
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    *text += strspn(*text, " \t");
    *text += **text == ',';
    *text += strspn(*text, " \t");
    return base_text_number(word, number);
}

base_status bench_pose_parse(const char *what, const char *text, vec3 *position,
                             geo_quat *orientation, base_error *err)
{
    double n[POSE_NUMBERS];
    const char *at = text + strspn(text, " \t");
    for (int i = 0; i < POSE_NUMBERS; i++) {
        if (!parse_pose_number(&at, &n[i])) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "%s '%s': number %d of 7 is missing or is not a number", what, text,
                             i + 1);
        }
    }
    if (*at) {
        return base_fail(err, BASE_ERR_ARGUMENT, "%s '%s': more than 7 numbers", what, text);
    }
    double length;
    return scn_pose_of_numbers(n, position, orientation, &length)
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT,
                           "%s '%s': length of the quaternion is %g instead of 1", what, text,
                           length);
}

geo_pose bench_pair_pose(const bench_pair *pair, vec3 position, geo_quat orientation)
{
    const geo_pose pose = geo_pose_make(orientation, vec3_sub(position, pair->centre_a));
    return geo_pose_settled(&pose);
}

base_status bench_pair_poses(const bench_pair *pair, const scn_trajectory *trajectory,
                             geo_pose **poses, base_error *err)
{
    *poses = base_alloc(trajectory->frame_count, sizeof **poses);
    if (!*poses) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames",
                         trajectory->frame_count);
    }
    for (size_t f = 0; f < trajectory->frame_count; f++) {
        const scn_frame *const frame = &trajectory->frames[f];
        (*poses)[f] = bench_pair_pose(pair, frame->position, frame->orientation);
    }
    return BASE_OK;
}

base_status bench_poses_hash(const geo_pose *poses, size_t count, base_hash *hash, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    base_hasher_add(hasher, poses, count * sizeof *poses);
    *hash = base_hasher_finish(hasher);
    return BASE_OK;
}

/* --- The oracle ------------------------------------------------------------------------------- */

static geo_pose oracle_pose(const bench_pair *pair, const geo_pose *pose)
{
    return (geo_pose){pose->rotation, vec3_sub(pose->translation, pair->centre_a)};
}

static base_status check_interrupt(base_error *err)
{
    return bench_interrupted() ? base_fail(err, BASE_ERR_SYSTEM, "interrupted") : BASE_OK;
}

static base_status oracle_distance(void *context, const geo_pose *pose, double *distance_m,
                                   base_error *err)
{
    const bench_pair *const pair = context;
    const geo_pose moved = oracle_pose(pair, pose);
    gt_distance result;
    gt_distance_query(pair->a.truth, pair->b.truth, &moved, &result);
    *distance_m = 0.5 * (result.distance_m.lo + result.distance_m.hi);
    return check_interrupt(err);
}

static base_status oracle_volume(void *context, const geo_pose *pose, double *volume_m3,
                                 base_error *err)
{
    bench_pair *const pair = context;
    const geo_pose moved = oracle_pose(pair, pose);
    gt_flux result;
    if (!pair->flux_space) {
        pair->flux_space = gt_flux_space_create();
    }
    if (!pair->flux_space) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const base_status status =
        gt_flux_query(pair->a.truth, pair->b.truth, &moved, pair->flux_space, &result, err);
    if (status != BASE_OK) {
        return status;
    }
    if (result.flaws > 0) {
        return base_fail(
            err, BASE_ERR_INPUT,
            "'%s' and '%s' cannot be sampled by volume: their surfaces contradict each "
            "other in %llu places",
            pair->a.reference, pair->b.reference, (unsigned long long)result.flaws);
    }
    *volume_m3 = result.value_m3;
    return check_interrupt(err);
}

scn_oracle bench_pair_oracle(bench_pair *pair)
{
    return (scn_oracle){.context = pair,
                        .distance = oracle_distance,
                        .volume = pair->has_volume ? oracle_volume : NULL};
}

base_status bench_trajectory_write(const scn_trajectory *trajectory, const char *path,
                                   base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    status = scn_trajectory_write(trajectory, output.file, output.path, err);
    return bench_output_close(&output, status, err);
}

/* --- Sampled trajectories --------------------------------------------------------------------- */

/** An oracle that updates the progress line with the number of frames at each call. */
typedef struct watched_oracle {
    scn_oracle inner;
    bench_progress progress;
    const scn_trajectory *trajectory;
    const scn_sampler *sampler;
    size_t left_out;
} watched_oracle;

/* The number of frames without a pose that are named individually. */
enum { LEFT_OUT_NAMED = 5 };

static void watched_left_out(void *context, size_t frame, double wanted)
{
    watched_oracle *const watched = context;
    if (watched->left_out++ < LEFT_OUT_NAMED) {
        const bool by_distance = watched->sampler->target == SCN_TARGET_DISTANCE;
        bench_warn("frame %zu of %zu is left out: no pose of %s %g %s was found", frame,
                   watched->sampler->frames, scn_target_name(watched->sampler->target), wanted,
                   by_distance ? "m" : "m3");
    }
}

static void warn_left_out(const scn_sampler *sampler, size_t count)
{
    if (count > 0) {
        bench_warn("%zu of %zu frames are left out, and the others numbered without a gap", count,
                   sampler->frames);
    }
}

static base_status watched_distance(void *context, const geo_pose *pose, double *distance_m,
                                    base_error *err)
{
    watched_oracle *const watched = context;
    bench_progress_update(&watched->progress, watched->trajectory->frame_count,
                          watched->sampler->frames);
    return watched->inner.distance(watched->inner.context, pose, distance_m, err);
}

static base_status watched_volume(void *context, const geo_pose *pose, double *volume_m3,
                                  base_error *err)
{
    watched_oracle *const watched = context;
    bench_progress_update(&watched->progress, watched->trajectory->frame_count,
                          watched->sampler->frames);
    return watched->inner.volume(watched->inner.context, pose, volume_m3, err);
}

base_status bench_pair_sample(bench_pair *pair, const scn_sampler *sampler,
                              const scn_trajectory *recording, bool quiet,
                              scn_trajectory *trajectory, base_error *err)
{
    watched_oracle watched = {.inner = bench_pair_oracle(pair),
                              .progress = bench_progress_start("trajectory", quiet),
                              .trajectory = trajectory,
                              .sampler = sampler};
    const scn_oracle oracle = {.context = &watched,
                               .distance = watched_distance,
                               .volume = watched.inner.volume ? watched_volume : NULL,
                               .left_out = watched_left_out};
    const scn_pair *const view = &pair->sampler_view;
    const base_status status = recording
                                   ? scn_follow(recording, sampler, view, &oracle, trajectory, err)
                                   : scn_sample(sampler, view, &oracle, trajectory, err);
    bench_progress_end(&watched.progress);
    if (status == BASE_OK) {
        warn_left_out(sampler, watched.left_out);
    }
    return status;
}

/** Hashes all inputs of the frames, field by field, because padding must not be included. */
static base_status sampler_hash(const bench_pair *pair, const scn_sampler *sampler,
                                base_hash_text *text, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const uint64_t integers[] = {(uint64_t)sampler->kind, (uint64_t)sampler->target,
                                 (uint64_t)sampler->frames, sampler->seed};
    const double reals[] = {sampler->lo, sampler->hi, sampler->step};
    base_hasher_add_text(hasher, sampler_version);
    base_hasher_add(hasher, &pair->a.hash, sizeof pair->a.hash);
    base_hasher_add(hasher, &pair->b.hash, sizeof pair->b.hash);
    base_hasher_add(hasher, integers, sizeof integers);
    base_hasher_add(hasher, reals, sizeof reals);
    /* 0 and 1 give the same path. */
    if (scn_sampler_hold(sampler) > 1) {
        base_hasher_add(hasher, &sampler->hold, sizeof sampler->hold);
    }
    if (scn_sampler_ways(sampler) > 1) {
        base_hasher_add(hasher, &sampler->ways, sizeof sampler->ways);
    }
    *text = base_hash_format(base_hasher_finish(hasher));
    return BASE_OK;
}

/**
 * Reads the trajectory from the file `path`. If there is no valid file, samples the trajectory and
 * writes the file.
 */
static base_status cached_trajectory(bench_pair *pair, const scn_sampler *sampler, const char *path,
                                     bool quiet, scn_trajectory *trajectory, base_error *err)
{
    base_error damage;
    if (access(path, F_OK) == 0) {
        if (scn_trajectory_read(path, trajectory, &damage) == BASE_OK) {
            const size_t poses = trajectory->frame_count / scn_sampler_hold(sampler);
            warn_left_out(sampler, sampler->frames > poses ? sampler->frames - poses : 0);
            return BASE_OK;
        }
        bench_warn("%s; it is sampled again", damage.text);
    }
    base_status status = bench_pair_sample(pair, sampler, NULL, quiet, trajectory, err);
    if (status == BASE_OK) {
        status = bench_trajectory_write(trajectory, path, err);
        if (status != BASE_OK) {
            scn_trajectory_release(trajectory);
        }
    }
    return status;
}

/** Copies the poses that the experiment lists. */
static base_status copy_frames(const scn_motion *motion, scn_trajectory *trajectory,
                               base_error *err)
{
    base_status status = BASE_OK;
    *trajectory = (scn_trajectory){.source = "poses"};
    for (size_t i = 0; i < motion->frame_count && status == BASE_OK; i++) {
        status = scn_trajectory_append(trajectory, &motion->frames[i], err);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
    }
    return status;
}

/** A body of this size is seldom moved by a hand. */
#define SIZE_SUSPECT_M 10.0

/** Warns if a motion is so small beside a large body that they seem to be in different units. */
static void warn_motion(const bench_pair *pair, const scn_trajectory *trajectory, const char *path)
{
    geo_box motion = geo_box_empty();
    for (size_t i = 0; i < trajectory->frame_count; i++) {
        motion = geo_box_add(motion, trajectory->frames[i].position);
    }
    const double size =
        fmax(geo_box_diagonal(pair->a.report.box), geo_box_diagonal(pair->b.report.box));
    const double moved = geo_box_diagonal(motion), apart = size / moved;
    if (size >= SIZE_SUSPECT_M && moved > 0 && apart >= SIZES_APART_LEAST &&
        apart <= SIZES_APART_GREATEST) {
        bench_warn("B moves by %.3g m in all of '%s', beside a body of %.3g m, as if they were in "
                   "different units; are --scale-a and --scale-b those with which it was made?",
                   moved, path, size);
    }
}

base_status bench_trajectory_read(const bench_pair *pair, const char *path,
                                  scn_trajectory *trajectory, base_error *err)
{
    const base_status status = scn_trajectory_read(path, trajectory, err);
    if (status == BASE_OK) {
        warn_motion(pair, trajectory, path);
    }
    return status;
}

static base_status find_frames(bench_pair *pair, const scn_motion *motion,
                               const char *cache_directory, bool quiet, scn_trajectory *trajectory,
                               base_error *err)
{
    if (motion->path) {
        return bench_trajectory_read(pair, motion->path, trajectory, err);
    }
    if (motion->frames) {
        return copy_frames(motion, trajectory, err);
    }
    if (!cache_directory) {
        return bench_pair_sample(pair, &motion->sampler, NULL, quiet, trajectory, err);
    }
    base_hash_text hash;
    base_status status = sampler_hash(pair, &motion->sampler, &hash, err);
    if (status != BASE_OK) {
        return status;
    }
    static const char folder[] = "/trajectories/", suffix[] = ".csv";
    const size_t size = strlen(cache_directory) + sizeof folder + sizeof hash.hex + sizeof suffix;
    char *const path = base_alloc(size, 1);
    if (!path) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    snprintf(path, size, "%s%s%s%s", cache_directory, folder, hash.hex, suffix);
    status = cached_trajectory(pair, &motion->sampler, path, quiet, trajectory, err);
    base_free(path);
    return status;
}

/**
 * Adds the known values of all frames to a frame that lacks them. For a body that lies wholly
 * inside the other, sets its volume.
 */
static void spread_known(const bench_pair *pair, const scn_known *all, scn_known *known)
{
    const unsigned volume = SCN_KNOWN_VOLUME | SCN_KNOWN_WHOLE_A | SCN_KNOWN_WHOLE_B;
    if (!(known->mask & SCN_KNOWN_DISTANCE)) {
        known->mask |= all->mask & SCN_KNOWN_DISTANCE;
        known->distance_m = all->distance_m;
    }
    if (!(known->mask & volume)) {
        known->mask |= all->mask & volume;
        known->volume_m3 = all->volume_m3;
    }
    if (known->mask & (SCN_KNOWN_WHOLE_A | SCN_KNOWN_WHOLE_B)) {
        const bench_body *const whole = known->mask & SCN_KNOWN_WHOLE_A ? &pair->a : &pair->b;
        known->mask = (known->mask & SCN_KNOWN_DISTANCE) | SCN_KNOWN_VOLUME;
        known->volume_m3 = whole->report.measure.volume_m3;
    }
}

base_status bench_pair_trajectory(bench_pair *pair, const scn_motion *motion,
                                  const char *cache_directory, bool quiet,
                                  scn_trajectory *trajectory, base_error *err)
{
    const base_status status = find_frames(pair, motion, cache_directory, quiet, trajectory, err);
    for (size_t i = 0; status == BASE_OK && i < trajectory->frame_count; i++) {
        spread_known(pair, &motion->known, &trajectory->frames[i].known);
    }
    return status;
}

/* --- Answers that are known without the truth ------------------------------------------------- */

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

/** A known value of a frame, to be compared with the truth. */
typedef struct known_value {
    const char *scenario, *what, *unit;
    size_t frame;
    double known, slack;
} known_value;

static bool holds(gt_bracket truth, const known_value *c)
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
    const known_value distance = {scenario, "distance", "m",
                                  frame,    d,          bench_distance_slack(pair, pose, d)};
    const known_value volume = {scenario, "volume", "m3",
                                frame,    v,        bench_volume_slack(pair, pose, v)};
    bool good = true;
    if ((known->mask & SCN_KNOWN_DISTANCE) && !holds(truth->distance_m, &distance)) {
        good = false;
        truth->distance_certified = 0;
    }
    if ((known->mask & SCN_KNOWN_VOLUME) && !holds(truth->volume_m3, &volume)) {
        good = false;
        truth->volume_certified = 0;
    }
    return good;
}
