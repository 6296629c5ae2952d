#include "suite/score/study.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "groundtruth/trajectory.h"

#include <math.h>

/* --- Poses ------------------------------------------------------------------------------------ */

/** Returns a pose that another program may have used instead, from that of the file. */
typedef scn_frame other_pose(const bench_pair *pair, scn_frame frame);

static geo_quat conjugate(geo_quat q)
{
    return (geo_quat){-q.x, -q.y, -q.z, q.w};
}

static scn_frame inverse_pose(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    const geo_pose pose = geo_pose_make(f.orientation, f.position);
    f.position = geo_pose_inverse(&pose).translation;
    f.orientation = conjugate(f.orientation);
    return f;
}

static scn_frame scalar_first(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    const geo_quat q = f.orientation;
    f.orientation = (geo_quat){q.y, q.z, q.w, q.x};
    return f;
}

static scn_frame transposed(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.orientation = conjugate(f.orientation);
    return f;
}

static scn_frame not_rotated(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.orientation = geo_quat_identity();
    return f;
}

static scn_frame translated_first(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = mat3_mul_vec3(geo_quat_matrix(f.orientation), f.position);
    return f;
}

/** B, moved by `offset` in its own frame before the pose is applied. */
static scn_frame moved_body(scn_frame f, vec3 offset)
{
    const mat3 rotation = geo_quat_matrix(f.orientation);
    f.position = vec3_add(f.position, mat3_mul_vec3(rotation, offset));
    return f;
}

static vec3 centre_of_b(const bench_pair *pair)
{
    return geo_box_centre(pair->b.view.box);
}

static scn_frame b_centred(const bench_pair *pair, scn_frame f)
{
    return moved_body(f, vec3_scale(-1, centre_of_b(pair)));
}

static scn_frame b_centroid(const bench_pair *pair, scn_frame f)
{
    return moved_body(f, vec3_scale(-1, pair->b.view.centroid));
}

static scn_frame a_centred(const bench_pair *pair, scn_frame f)
{
    f.position = vec3_add(f.position, pair->centre_a);
    return f;
}

static scn_frame both_centred(const bench_pair *pair, scn_frame f)
{
    return a_centred(pair, b_centred(pair, f));
}

static scn_frame millimetre_poses(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = vec3_scale(1e-3, f.position);
    return f;
}

static scn_frame millimetre_meshes(const bench_pair *pair, scn_frame f)
{
    (void)pair;
    f.position = vec3_scale(1e3, f.position);
    return f;
}

static const struct {
    const char *name, *text;
    other_pose *make;
} poses[] = {
    {"inverse-pose",
     "poses look like A in B, or the bodies are exchanged: a pose moves B into A's "
     "frame",
     inverse_pose},
    {"quaternion-order", "quaternions are read as w, x, y, z: the columns are qx, qy, qz, qw",
     scalar_first},
    {"transposed", "rotations are transposed (the quaternion is conjugated)", transposed},
    {"rotation-ignored", "rotations are ignored", not_rotated},
    {"pose-order", "B is moved before it is turned: the pose is R p + t", translated_first},
    {"mesh-centred",
     "the mesh of B is moved to the centre of its box: poses refer to the frames of "
     "the files",
     b_centred},
    {"mesh-centred",
     "the mesh of B is moved to its centroid: poses refer to the frames of the files", b_centroid},
    {"mesh-centred",
     "the mesh of A is moved to the centre of its box: poses refer to the frames of "
     "the files",
     a_centred},
    {"mesh-centred",
     "both meshes are moved to the centres of their boxes: poses refer to the frames "
     "of the files",
     both_centred},
    {"pose-unit", "positions are taken as millimetres and meshes as metres: both are in metres",
     millimetre_poses},
    {"pose-unit", "meshes are taken as millimetres and positions as metres: both are in metres",
     millimetre_meshes},
};

/** Computes the truth of one part at other poses, by its fastest method. */
static base_status truth_at(const bench_study *s, bench_part p, other_pose *make, gt_truth *truths,
                            base_error *err)
{
    const bench_pair *const pair = &s->scenario->pair;
    const unsigned want = bench_parts[p].quantity == ALG_CONTACT
                              ? (unsigned)GT_WANT_DISTANCE
                              : bench_quantities_truth(1u << bench_parts[p].quantity);
    geo_pose *const at = base_alloc(s->frames, sizeof *at);
    if (!at) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t f = 0; f < s->frames; f++) {
        const scn_frame frame = make(pair, s->scenario->trajectory.frames[f]);
        at[f] = bench_pair_pose(pair, frame.position, frame.orientation);
    }
    bench_progress progress = bench_progress_start("other poses", s->score->options->quiet);
    gt_options how = bench_truth_options(s->score->options, &progress);
    how.cache_directory = NULL; /* these poses are not asked again */
    how.methods = p == BENCH_PART_DISTANCE || p == BENCH_PART_CONTACT ? GT_BY_BVH
                  : p == BENCH_PART_VOLUME                            ? GT_BY_FLUX
                                                                      : how.methods;
    const base_status status =
        gt_trajectory_truth(pair->a.truth, pair->b.truth, at, s->frames, want, &how, truths, err);
    bench_progress_end(&progress);
    base_free(at);
    return status;
}

base_status bench_study_poses(bench_study *s, bench_part p, base_error *err)
{
    base_status status = BASE_OK;
    gt_truth *const truths = base_alloc(s->frames, sizeof *truths);
    if (!truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    for (size_t i = 0; i < sizeof poses / sizeof *poses && !s->explained[p]; i++) {
        bench_tally t = {0};
        status = truth_at(s, p, poses[i].make, truths, err);
        if (status != BASE_OK) {
            break;
        }
        for (size_t f = 0; f < s->frames; f++) {
            const alg_answer *const a = bench_study_answer(s, f);
            const gt_truth other = bench_truth_for(&s->score->cell.variant, &truths[f]);
            bench_tally_count(bench_study_judge(s, f, p, a, &s->truths[f]),
                              bench_study_judge(s, f, p, a, &other), &t);
        }
        if (bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST)) {
            bench_study_explain(s, p, poses[i].name, &t, "%s", poses[i].text);
            bench_study_explain_all(s);
        }
    }
    base_free(truths);
    return status;
}

/* --- Directions of depths --------------------------------------------------------------------- */

typedef vec3 other_direction(const bench_study *s, size_t f, vec3 direction);

static vec3 same_direction(const bench_study *s, size_t f, vec3 direction)
{
    (void)s, (void)f;
    return direction;
}

static vec3 negated(const bench_study *s, size_t f, vec3 direction)
{
    (void)s, (void)f;
    return vec3_scale(-1, direction);
}

static vec3 in_b(const bench_study *s, size_t f, vec3 direction)
{
    return geo_pose_rotate(&s->scenario->poses[f], direction);
}

static const struct {
    const char *name, *text;
    other_direction *make;
} directions[] = {
    {"sign", "directions of the depth have the wrong sign: B leaves A along them, not A B",
     negated},
    {"body-frame", "directions of the depth are in B's own axes: they must be in A's", in_b},
};

/** Judges the translations along other directions. verdicts: by frame. */
static base_status judge_directions(const bench_study *s, other_direction *make,
                                    bench_part_verdict *verdicts, base_error *err)
{
    const bench_pair *const pair = &s->scenario->pair;
    gt_reported_depth *const ways = base_alloc(s->frames, sizeof *ways);
    gt_escape *const escapes = base_alloc(s->frames, sizeof *escapes);
    base_status status = ways && escapes ? BASE_OK
                                         : base_fail(err, BASE_ERR_MEMORY,
                                                     "out of memory for %zu frames", s->frames);
    for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
        const alg_answer *const a = bench_study_answer(s, f);
        const bool there = (a->answered & ALG_HAS_DEPTH) && vec3_norm(a->direction) > 0;
        /* A share of the depth more, so that its rounding does not count. */
        const double more = 1 + s->slack[ALG_DEPTH];
        ways[f] = there ? (gt_reported_depth){make(s, f, a->direction), more * a->depth_m}
                        : (gt_reported_depth){{1, 0, 0}, NAN};
    }
    if (status == BASE_OK) {
        bench_progress progress = bench_progress_start("directions", s->score->options->quiet);
        const gt_options how = bench_truth_options(s->score->options, &progress);
        status = gt_escapes(pair->a.truth, pair->b.truth, s->scenario->poses, ways, s->frames, &how,
                            escapes, err);
        bench_progress_end(&progress);
    }
    for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
        verdicts[f] = !gt_known(escapes[f].before_m3) ? BENCH_PART_UNKNOWN
                      : escapes[f].after_m3.lo > 0    ? BENCH_PART_WRONG
                                                      : BENCH_PART_RIGHT;
    }
    base_free(ways);
    base_free(escapes);
    return status;
}

base_status bench_study_directions(bench_study *s, base_error *err)
{
    bench_part_verdict *const before = base_alloc(2 * s->frames, sizeof *before);
    if (!before) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", s->frames);
    }
    bench_part_verdict *const after = before + s->frames;
    base_status status = judge_directions(s, same_direction, before, err);
    const size_t kinds = sizeof directions / sizeof *directions;
    for (size_t i = 0; i < kinds && status == BASE_OK && !s->explained[BENCH_PART_DIRECTION]; i++) {
        bench_tally t = {0};
        status = judge_directions(s, directions[i].make, after, err);
        for (size_t f = 0; f < s->frames && status == BASE_OK; f++) {
            bench_tally_count(before[f], after[f], &t);
        }
        if (status == BASE_OK && bench_tally_is_accepted(&t, BENCH_FRAMES_LEAST)) {
            bench_study_explain(s, BENCH_PART_DIRECTION, directions[i].name, &t, "%s",
                                directions[i].text);
        }
    }
    base_free(before);
    return status;
}
