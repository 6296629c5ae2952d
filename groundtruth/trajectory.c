#include "groundtruth/trajectory.h"

#include "geometry/pose.h"
#include "groundtruth/answers.h"
#include "groundtruth/contact/pairs.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/depth/depth_hull.h"
#include "groundtruth/depth/edges.h"
#include "groundtruth/distance/brute.h"
#include "groundtruth/depth/penetration.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/volume/volume_tetra.h"

#include <math.h>

typedef struct job {
    const gt_body *a, *b;
    gt_body plain_a, plain_b; /* the same without their hulls, which places is to agree with */
    const geo_pose *poses;
    unsigned asked;   /* mask of GT_WANT_*: what the methods answer of what is wanted */
    unsigned methods; /* mask of GT_BY_*: those that are asked and can be had */
    uint64_t stride[GT_METHOD_COUNT]; /* of them each takes a frame in so many */
    gt_truth *truths;
} job;

/* --- What each method says -------------------------------------------------------------------- */

static bool is_bracket(gt_bracket v)
{
    return isfinite(v.lo) && isfinite(v.hi) && v.lo >= 0 && v.lo <= v.hi;
}

static gt_answer distance_answer(const gt_distance *d)
{
    return (gt_answer){4,
                       is_bracket(d->distance_m) && is_bracket(d->surface_m),
                       {d->distance_m.lo, d->distance_m.hi, d->surface_m.lo, d->surface_m.hi}};
}

static bool is_volume(const job *j, gt_bracket volume)
{
    const double va = j->a->report->measure.volume_m3, vb = j->b->report->measure.volume_m3;
    return is_bracket(volume) && volume.lo <= (va < vb ? va : vb);
}

static gt_answer pairs_answer(uint64_t count)
{
    return (gt_answer){2, true, {(double)count, (double)count}};
}

static gt_answer by_bvh(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    gt_distance distance;
    gt_distance_query(j->a, j->b, pose, &distance);
    return distance_answer(&distance);
}

static gt_answer by_brute(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    gt_distance distance;
    gt_distance_brute(j->a, j->b, pose, &distance);
    return distance_answer(&distance);
}

/** The volume, and what displacement does to B: minus its gradients, about B's centroid. */
static gt_answer flux_answer(const job *j, const geo_pose *pose, const gt_flux *flux)
{
    double bound;
    const double force_bound = flux->gradient_bound_m2 + gt_flux_jump(flux);
    const vec3 centroid = geo_pose_apply(pose, j->b->report->measure.centroid);
    const vec3 force = vec3_scale(-1, flux->gradient_m2);
    const vec3 torque = vec3_scale(-1, gt_flux_torque(flux, centroid, &bound));
    const bool sound = flux->flaws == 0 && is_volume(j, flux->volume_m3) && isfinite(force_bound) &&
                       isfinite(bound);
    return (gt_answer){10,
                       sound,
                       {flux->volume_m3.lo, flux->volume_m3.hi, force.x, force.y, force.z, torque.x,
                        torque.y, torque.z, force_bound, bound}};
}

static gt_answer by_flux(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    gt_flux_space *const space = gt_workspace_flux(workspace);
    gt_flux flux;
    return space && gt_flux_query(j->a, j->b, pose, space, &flux, NULL) == BASE_OK
               ? flux_answer(j, pose, &flux)
               : GT_NO_ANSWER;
}

static gt_answer by_tetra(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    gt_volume volume;
    gt_volume_query(j->a, j->b, pose, &volume);
    return (gt_answer){
        2, is_volume(j, volume.volume_m3), {volume.volume_m3.lo, volume.volume_m3.hi}};
}

static gt_answer by_tree(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    return pairs_answer(gt_pairs_query(j->a, j->b, pose));
}

static gt_answer by_all_pairs(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    return pairs_answer(gt_pairs_brute(j->a, j->b, pose));
}

/** Is B out of A when it has moved by the depth along the direction? The corners of B are rounded
 * anew there, which may put it back by as much. */
static bool is_out(const job *j, const geo_pose *pose, gt_bracket depth, vec3 direction)
{
    const double way = depth.hi + gt_depth_move_slack(j->a, j->b, pose);
    const geo_pose moved = {pose->rotation, vec3_madd(pose->translation, way, direction)};
    gt_distance after;
    gt_distance_query(j->a, j->b, &moved, &after);
    return after.distance_m.hi > 0;
}

static gt_answer depth_answer(const job *j, const geo_pose *pose, gt_bracket depth, vec3 n)
{
    const bool sound = is_bracket(depth) && (depth.hi == 0 || is_out(j, pose, depth, n));
    return (gt_answer){5, sound, {depth.lo, depth.hi, n.x, n.y, n.z}};
}

static gt_answer by_hull(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    gt_depth depth;
    gt_depth_query(j->a, j->b, pose, &depth);
    return depth_answer(j, pose, depth.depth_m, depth.direction);
}

static gt_answer by_edges(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    (void)workspace;
    gt_bracket depth;
    vec3 direction = {0, 0, 0};
    return gt_depth_edges(j->a, j->b, pose, &depth, &direction)
               ? depth_answer(j, pose, depth, direction)
               : GT_NO_ANSWER;
}

static gt_answer by_places(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    gt_penetration_space *const space = gt_workspace_penetration(workspace);
    gt_penetration found;
    if (!space) {
        return GT_NO_ANSWER;
    }
    gt_penetration_query(&j->plain_a, &j->plain_b, pose, space, &found);
    return depth_answer(j, pose, found.depth_m, found.direction);
}

static gt_answer law_answer(gt_bracket bracket, vec3 force, vec3 torque, double force_bound,
                            double torque_bound, bool sound)
{
    return (gt_answer){10,
                       sound && is_bracket(bracket) && vec3_isfinite(force) &&
                           vec3_isfinite(torque) && isfinite(force_bound) && isfinite(torque_bound),
                       {bracket.lo, bracket.hi, force.x, force.y, force.z, torque.x, torque.y,
                        torque.z, force_bound, torque_bound}};
}

static gt_answer depth_surface_answer(const job *j, const geo_pose *pose, gt_depth_role role,
                                      gt_workspace *workspace)
{
    gt_flux_space *const flux = gt_workspace_flux(workspace);
    gt_depth_space *const space = gt_workspace_depth(workspace);
    gt_depth_force f;
    return flux && space &&
                   gt_depth_force_query(j->a, j->b, pose, role, flux, space, &f, NULL) == BASE_OK
               ? law_answer(f.integral_m3, f.force_m3, f.torque_m4, f.force_bound_m3,
                            f.torque_bound_m4, f.flaws == 0)
               : GT_NO_ANSWER;
}

static gt_answer depth_cells_answer(const job *j, const geo_pose *pose, gt_depth_role role,
                                    gt_workspace *workspace)
{
    gt_cells_space *const space = gt_workspace_cells(workspace);
    gt_depth_cells f;
    return space && gt_depth_cells_query(j->a, j->b, pose, role, space, &f, NULL) == BASE_OK
               ? law_answer(f.energy_m4, f.force_m3, f.torque_m4, f.force_bound_m3,
                            f.torque_bound_m4, true)
               : GT_NO_ANSWER;
}

static gt_answer by_depth_surface(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    return depth_surface_answer(j, pose, GT_DEPTH_OF_A, workspace);
}

static gt_answer by_depth_surface_exchanged(const job *j, const geo_pose *pose,
                                            gt_workspace *workspace)
{
    return depth_surface_answer(j, pose, GT_DEPTH_OF_B, workspace);
}

static gt_answer by_depth_cells(const job *j, const geo_pose *pose, gt_workspace *workspace)
{
    return depth_cells_answer(j, pose, GT_DEPTH_OF_A, workspace);
}

static gt_answer by_depth_cells_exchanged(const job *j, const geo_pose *pose,
                                          gt_workspace *workspace)
{
    return depth_cells_answer(j, pose, GT_DEPTH_OF_B, workspace);
}

static gt_answer (*const answer_by[GT_METHOD_COUNT])(const job *j, const geo_pose *pose,
                                                     gt_workspace *workspace) = {
    [GT_BVH] = by_bvh,
    [GT_BRUTE] = by_brute,
    [GT_FLUX] = by_flux,
    [GT_TETRA] = by_tetra,
    [GT_TREE] = by_tree,
    [GT_ALL_PAIRS] = by_all_pairs,
    [GT_HULL] = by_hull,
    [GT_EDGES] = by_edges,
    [GT_PLACES] = by_places,
    [GT_DEPTH_SURFACE] = by_depth_surface,
    [GT_DEPTH_SURFACE_EXCHANGED] = by_depth_surface_exchanged,
    [GT_DEPTH_CELLS] = by_depth_cells,
    [GT_DEPTH_CELLS_EXCHANGED] = by_depth_cells_exchanged,
};

static base_status make_key(const void *context, const gt_truth_cache *cache, size_t frame,
                            unsigned method, base_hash *key, base_error *err)
{
    const job *const j = context;
    return gt_record_key(cache, &j->poses[frame], (gt_method)method, key, err);
}

static gt_answer answer(const void *context, size_t frame, unsigned method, gt_workspace *workspace)
{
    const job *const j = context;
    return answer_by[method](j, &j->poses[frame], workspace);
}

static void certify(void *context, size_t frame, uint32_t asked, const gt_answer *answers)
{
    const job *const j = context;
    gt_certify(j->asked, asked, answers, &j->truths[frame]);
}

static const gt_answerer by_methods = {GT_METHOD_COUNT, make_key, answer, certify};

/* --- What is asked ---------------------------------------------------------------------------- */

/** Each method answers one frame in `stride`. The stride is 1, except for a second method that
 * looks at all pairs of triangles or edges of large bodies. */
static void choose_strides(job *j)
{
    const double pairs = (double)j->a->mesh->face_count * (double)j->b->mesh->face_count;
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        j->stride[m] = 1;
    }
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        if (row->sampled > 0 && (j->methods & 1u << row->methods[0])) {
            j->stride[row->methods[1]] = (uint64_t)(pairs / row->sampled) + 1;
        }
    }
}

/** The first ones; which one finds the depth depends on the bodies. */
static unsigned default_methods(void)
{
    unsigned methods = GT_BY_HULL | GT_BY_PLACES;
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        methods |= 1u << gt_quantities[q].methods[0];
    }
    return methods;
}

/** Which methods are to answer what: a force comes with the volume that it is the gradient of. */
static void choose_methods(job *j, unsigned want, unsigned methods)
{
    const unsigned wanted = want & GT_WANT_FORCE ? want | GT_WANT_VOLUME : want;
    j->methods = (methods != 0 ? methods : default_methods()) & gt_methods_answering(wanted);
    j->asked = wanted & gt_quantities_answered(j->methods);
}

/** A number that is the pose's alone: the same frames are samples in every trajectory. */
static base_status pose_number(const geo_pose *pose, uint64_t *number, base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a hash");
    }
    base_hasher_add(hasher, pose, sizeof *pose);
    *number = base_hasher_finish(hasher).lo;
    return BASE_OK;
}

/** Which methods have to answer at each frame. */
static base_status ask_frames(job *j, gt_answers *answers, base_error *err)
{
    choose_strides(j);
    for (size_t f = 0; f < answers->count; f++) {
        uint64_t number = 0;
        const base_status status = pose_number(&j->poses[f], &number, err);
        if (status != BASE_OK) {
            return status;
        }
        answers->asked[f] = 0;
        for (int m = 0; m < GT_METHOD_COUNT; m++) {
            answers->asked[f] |= number % j->stride[m] == 0 ? j->methods & 1u << m : 0;
        }
    }
    return BASE_OK;
}

/* --- What the bodies have to be for it -------------------------------------------------------- */

static base_status need_hulls(gt_body *a, gt_body *b, base_error *err)
{
    gt_body *const bodies[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        base_error reason = {0};
        if (gt_body_make_hull(bodies[i], &reason) != BASE_OK) {
            return base_fail(err, reason.status, "body %c: %s", "AB"[i], reason.text);
        }
    }
    return BASE_OK;
}

/** Bodies that are not convex have their depth by places. Convex ones have it by what is for them,
 * but for the methods that are chosen without the second one of these. */
static base_status choose_depth(job *j, gt_body *a, gt_body *b, bool chosen, base_error *err)
{
    base_error reason = {0};
    const base_status status = need_hulls(a, b, &reason);
    const bool confirmed = (j->methods & GT_BY_HULL) && (j->methods & GT_BY_EDGES);
    if (status == BASE_OK) {
        j->methods &= chosen && !confirmed ? j->methods : ~(unsigned)GT_BY_PLACES;
    } else if (status == BASE_ERR_INPUT && (j->methods & GT_BY_PLACES)) {
        j->methods &= ~(unsigned)(GT_BY_HULL | GT_BY_EDGES);
    } else {
        return base_fail(err, status, "%s", reason.text);
    }
    return BASE_OK;
}

/** What the bodies have to be for the methods, and which methods that leaves. */
static base_status need_bodies(job *j, gt_body *a, gt_body *b, bool chosen, base_error *err)
{
    const unsigned solid = GT_BY_VOLUME | GT_BY_DEPTH | GT_BY_DEPTH_FORCE;
    const base_status status = j->methods & solid ? gt_bodies_need_solids(a, b, err) : BASE_OK;
    const bool hulls = j->methods & (GT_BY_HULL | GT_BY_EDGES);
    return status == BASE_OK && hulls ? choose_depth(j, a, b, chosen, err) : status;
}

/** Without tetrahedra what lacks them goes on by other methods alone, if each quantity has one. */
static base_status need_tetrahedra(const job *j, gt_body *a, gt_body *b, gt_answers *answers,
                                   base_error *err)
{
    const base_status status = gt_bodies_tetrahedralise(a, b, answers->options, err);
    const bool refused = gt_body_refusal(a) || gt_body_refusal(b);
    const unsigned left = j->methods & ~(unsigned)GT_BY_TETRAHEDRA;
    if (status == BASE_OK || !refused || (j->asked & ~gt_quantities_answered(left))) {
        return status;
    }
    gt_answers_forgo(answers, GT_BY_TETRAHEDRA);
    return BASE_OK;
}

/* --- The trajectory --------------------------------------------------------------------------- */

static base_status ask_and_answer(job *j, gt_body *a, gt_body *b, gt_answers *answers,
                                  base_error *err)
{
    uint32_t lacking = 0;
    base_status status = ask_frames(j, answers, err);
    if (status == BASE_OK) {
        status = gt_answers_look_up(answers, &lacking, err);
    }
    if (status == BASE_OK && (lacking & GT_BY_TETRAHEDRA)) {
        status = need_tetrahedra(j, a, b, answers, err);
    }
    return status == BASE_OK ? gt_answers_compute(answers, err) : status;
}

base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *given, gt_truth *truths,
                                base_error *err)
{
    const gt_options none = {0};
    const gt_options *const options = given ? given : &none;
    job j = {.a = a, .b = b, .plain_a = *a, .plain_b = *b, .poses = poses, .truths = truths};
    j.plain_a.hull = j.plain_b.hull = NULL;
    choose_methods(&j, want, options->methods);
    base_status status = need_bodies(&j, a, b, options->methods != 0, err);
    if (status != BASE_OK) {
        return status;
    }
    gt_answers answers;
    status = gt_answers_open(&answers, &by_methods, &j, a, b, count, options, err);
    if (status == BASE_OK) {
        status = ask_and_answer(&j, a, b, &answers, err);
    }
    gt_answers_close(&answers);
    return status;
}
