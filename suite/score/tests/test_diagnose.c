/** Planted mistakes: each is named, and right answers have no diagnosis. */
#include "suite/score/tests/scored.h"

/* --- Mistakes --------------------------------------------------------------------------------- */

/** Changes the right answers of all frames. */
typedef void mistake(scored *s);

/** Replaces the answers by those of another pose of each frame. */
static void move_all(scored *s, scn_frame (*other)(const scored *, scn_frame))
{
    geo_pose poses[FRAMES];
    for (size_t f = 0; f < FRAMES; f++) {
        const scn_frame frame = other(s, s->frames[f]);
        poses[f] = bench_pair_pose(&s->loaded.pair, frame.position, frame.orientation);
    }
    scored_answers_at(s, poses, GT_WANT_DISTANCE | GT_WANT_VOLUME);
}

#define FOR_ALL(s, ...)                                                                            \
    for (size_t f = 0; f < FRAMES; f++) {                                                          \
        alg_answer *const a = &(s)->answers[f];                                                    \
        __VA_ARGS__;                                                                               \
    }

static void millimetres(scored *s)
{
    FOR_ALL(s, a->distance_m *= 1000)
}
static void inches(scored *s)
{
    FOR_ALL(s, a->distance_m /= 0.0254)
}
static void doubled(scored *s)
{
    FOR_ALL(s, a->distance_m *= 2)
}
static void cubic_centimetres(scored *s)
{
    FOR_ALL(s, a->volume_m3 *= 1e6)
}
static void square_millimetres(scored *s)
{
    FOR_ALL(s, a->force = vec3_scale(1e6, a->force))
}
static void distance_sign(scored *s)
{
    FOR_ALL(s, a->distance_m = -a->distance_m)
}
static void signed_distance(scored *s)
{
    FOR_ALL(s, a->distance_m -= a->depth_m)
}
static void squared(scored *s)
{
    FOR_ALL(s, a->distance_m *= a->distance_m)
}
static void root(scored *s)
{
    FOR_ALL(s, a->distance_m = sqrt(a->distance_m))
}
static void margin(scored *s)
{
    FOR_ALL(s, a->distance_m = fmax(0, a->distance_m - 0.002))
}
static void same_distance(scored *s)
{
    FOR_ALL(s, a->distance_m = 0.0123)
}
static void six_digits(scored *s)
{
    s->digits = 6;
}
static void single_precision(scored *s)
{
    FOR_ALL(s, a->distance_m = (double)(float)a->distance_m)
}
static void volume_outside(scored *s)
{
    FOR_ALL(s, a->volume_m3 = s->loaded.pair.b.report.measure.volume_m3 - a->volume_m3)
}
static void volume_together(scored *s)
{
    FOR_ALL(s, a->volume_m3 = s->loaded.pair.a.report.measure.volume_m3 +
                              s->loaded.pair.b.report.measure.volume_m3 - a->volume_m3)
}
static void swapped(scored *s)
{
    FOR_ALL(s, const vec3 b = a->witness_a; a->witness_a = a->witness_b; a->witness_b = b)
}
/** Returns a point of A's frame in that of B. */
static vec3 to_body(const scored *s, size_t f, vec3 p)
{
    const geo_pose pose = geo_pose_make(s->frames[f].orientation, s->frames[f].position);
    const geo_pose inverse = geo_pose_inverse(&pose);
    return geo_pose_apply(&inverse, p);
}
static void witness_b_in_b(scored *s)
{
    FOR_ALL(s, a->witness_b = to_body(s, f, a->witness_b))
}
static void witness_in_b(scored *s)
{
    FOR_ALL(s, a->witness_a = to_body(s, f, a->witness_a);
            a->witness_b = to_body(s, f, a->witness_b))
}
static void witness_moved_twice(scored *s)
{
    FOR_ALL(s, const geo_pose pose = geo_pose_make(s->frames[f].orientation, s->frames[f].position);
            a->witness_b = geo_pose_apply(&pose, a->witness_b))
}
static void witness_centred(scored *s)
{
    FOR_ALL(s, a->witness_a = vec3_sub(a->witness_a, s->loaded.pair.centre_a);
            a->witness_b = vec3_sub(a->witness_b, s->loaded.pair.centre_a))
}
static void witness_millimetres(scored *s)
{
    FOR_ALL(s, a->witness_a = vec3_scale(1e3, a->witness_a);
            a->witness_b = vec3_scale(1e3, a->witness_b))
}
static void depth_sign(scored *s)
{
    FOR_ALL(s, a->depth_m = -a->depth_m)
}
static void direction_sign(scored *s)
{
    FOR_ALL(s, a->direction = vec3_scale(-1, a->direction))
}
static void direction_in_b(scored *s)
{
    FOR_ALL(s,
            a->direction = mat3_tmul_vec3(geo_quat_matrix(s->frames[f].orientation), a->direction))
}
static void direction_length(scored *s)
{
    FOR_ALL(s, a->direction = vec3_scale(a->depth_m, a->direction))
}
static void force_sign(scored *s)
{
    FOR_ALL(s, a->force = vec3_scale(-1, a->force))
}
static void force_in_b(scored *s)
{
    FOR_ALL(s, a->force = mat3_tmul_vec3(geo_quat_matrix(s->frames[f].orientation), a->force))
}
static void torque_sign(scored *s)
{
    FOR_ALL(s, a->torque = vec3_scale(-1, a->torque))
}
static void torque_in_b(scored *s)
{
    FOR_ALL(s, a->torque = mat3_tmul_vec3(geo_quat_matrix(s->frames[f].orientation), a->torque))
}
/** Moves all torques from B's centroid to another point of A's frame. */
static void move_torques(scored *s, bool of_a)
{
    FOR_ALL(s, const geo_pose pose = geo_pose_make(s->frames[f].orientation, s->frames[f].position);
            const vec3 c = geo_pose_apply(&pose, s->loaded.pair.b.view.centroid);
            const vec3 o = of_a ? (vec3){0, 0, 0} : s->frames[f].position;
            a->torque = vec3_add(a->torque, vec3_cross(vec3_sub(c, o), a->force)))
}
static void torque_about_a(scored *s)
{
    move_torques(s, true);
}
static void torque_about_b(scored *s)
{
    move_torques(s, false);
}
static void inverted(scored *s)
{
    FOR_ALL(s, a->colliding = !a->colliding)
}

static void one_late(scored *s)
{
    memmove(s->answers + 1, s->answers, (FRAMES - 1) * sizeof *s->answers);
}
static void one_early(scored *s)
{
    memmove(s->answers, s->answers + 1, (FRAMES - 1) * sizeof *s->answers);
}
static void reversed(scored *s)
{
    for (size_t f = 0; f < FRAMES; f++) {
        s->rows[f] = FRAMES - 1 - f;
    }
}
static void shuffled(scored *s)
{
    for (size_t f = 0; f < FRAMES; f++) {
        s->rows[f] = (5 * f + 3) % FRAMES;
    }
}
static void missing(scored *s)
{
    s->row_count = FRAMES - 3;
}

static scn_frame to_inverse(const scored *s, scn_frame f)
{
    (void)s;
    const geo_pose pose = geo_pose_make(f.orientation, f.position);
    const geo_pose inverse = geo_pose_inverse(&pose);
    const geo_quat q = f.orientation;
    return (scn_frame){.position = inverse.translation, .orientation = {-q.x, -q.y, -q.z, q.w}};
}
static void inverse_pose(scored *s)
{
    move_all(s, to_inverse);
}
static scn_frame to_scalar_first(const scored *s, scn_frame f)
{
    (void)s;
    const geo_quat q = f.orientation;
    f.orientation = (geo_quat){q.y, q.z, q.w, q.x};
    return f;
}
static void quaternion_order(scored *s)
{
    move_all(s, to_scalar_first);
}
static scn_frame to_transposed(const scored *s, scn_frame f)
{
    (void)s;
    const geo_quat q = f.orientation;
    f.orientation = (geo_quat){-q.x, -q.y, -q.z, q.w};
    return f;
}
static void transposed(scored *s)
{
    move_all(s, to_transposed);
}
static scn_frame to_unturned(const scored *s, scn_frame f)
{
    (void)s;
    f.orientation = geo_quat_identity();
    return f;
}
static void not_rotated(scored *s)
{
    move_all(s, to_unturned);
}
static scn_frame to_moved_first(const scored *s, scn_frame f)
{
    (void)s;
    f.position = mat3_mul_vec3(geo_quat_matrix(f.orientation), f.position);
    return f;
}
static void moved_first(scored *s)
{
    move_all(s, to_moved_first);
}
static scn_frame to_centred_b(const scored *s, scn_frame f)
{
    const vec3 centre = geo_box_centre(s->loaded.pair.b.view.box);
    f.position = vec3_sub(f.position, mat3_mul_vec3(geo_quat_matrix(f.orientation), centre));
    return f;
}
static void centred_b(scored *s)
{
    move_all(s, to_centred_b);
}
static scn_frame to_centred_a(const scored *s, scn_frame f)
{
    f.position = vec3_add(f.position, s->loaded.pair.centre_a);
    return f;
}
static void centred_a(scored *s)
{
    move_all(s, to_centred_a);
}
static scn_frame to_metres(const scored *s, scn_frame f)
{
    (void)s;
    f.position = vec3_scale(1e-3, f.position);
    return f;
}
static void poses_in_millimetres(scored *s)
{
    move_all(s, to_metres);
}

/* --- Tests ------------------------------------------------------------------------------------ */

enum {
    D = ALG_HAS_DISTANCE,
    W = ALG_HAS_DISTANCE | ALG_HAS_WITNESS,
    V = ALG_HAS_VOLUME,
    P = ALG_HAS_DEPTH,
    F = ALG_HAS_FORCE,
    C = ALG_HAS_CONTACT
};

static const struct {
    mistake *plant;
    uint32_t has; /* answers in the file */
    const char *name, *text;
} planted[] = {
    {millimetres, D, "scaled", "all distances are 1000 times too large: millimetres?"},
    {inches, D, "scaled", "39.3701 times too large: inches?"},
    {doubled, D, "scaled", "all distances are 2 times too large ("},
    {cubic_centimetres, V, "scaled", "all volumes are 1000000 times too large: centimetres?"},
    {square_millimetres, F, "scaled", "all forces are 1000000 times too large: millimetres?"},
    {distance_sign, D, "sign", "all distances have the wrong sign"},
    {signed_distance, D, "signed", "negative where the bodies overlap"},
    {squared, D, "squared", "squared"},
    {root, D, "root", "square roots"},
    {margin, D, "offset", "0.002 m too small: a margin"},
    {same_distance, D, "constant", "all distances are the same, 0.0123"},
    {six_digits, D, "digits", "distances have only 6 digits"},
    {single_precision, D, "single", "distances are numbers in single precision"},
    {volume_outside, V, "rest", "B outside of A"},
    {volume_together, V, "union", "A and B together"},
    {swapped, W, "swapped", "witness points are swapped"},
    {witness_b_in_b, W, "body-frame", "points of B are in B's own frame"},
    {witness_in_b, W, "body-frame", "witness points are in B's own frame"},
    {witness_moved_twice, W, "moved-twice", "moved by the pose twice"},
    {witness_centred, W, "centred", "relative to the centre of A's box"},
    {witness_millimetres, W, "scaled", "witness points are 1000 times too large"},
    {depth_sign, P, "sign", "all depths have the wrong sign"},
    {direction_sign, P, "sign", "directions of the depth have the wrong sign"},
    {direction_in_b, P, "body-frame", "directions of the depth are in B's own axes"},
    {direction_length, P, "direction-length", "the length of the depth"},
    {force_sign, F, "sign", "all forces have the wrong sign: the force on A"},
    {force_in_b, F, "body-frame", "forces are in B's own axes"},
    {torque_sign, F, "sign", "all torques have the wrong sign"},
    {torque_in_b, F, "body-frame", "torques are in B's own axes"},
    {torque_about_a, F, "torque-point", "about the origin of A's file"},
    {torque_about_b, F, "torque-point", "about the origin of B's file"},
    {inverted, C, "inverted", "contacts are inverted"},
    {one_late, D, "off-by-one", "frame 1 has that of frame 0"},
    {one_early, V, "off-by-one", "frame 0 has that of frame 1"},
    {reversed, D | V | C, "reversed", "reverse order"},
    {shuffled, D | V, "order", "in another order"},
    {missing, D, "missing", "3 of 16 frames have no answer, frame 13 the first"},
    {inverse_pose, D, "inverse-pose", "poses look like A in B"},
    {centred_b, V, "mesh-centred", "the mesh of B is moved to the centre of its box"},
    {quaternion_order, D | V, "quaternion-order", "read as w, x, y, z"},
    {transposed, D, "transposed", "rotations are transposed"},
    {not_rotated, D, "rotation-ignored", "rotations are ignored"},
    {moved_first, D, "pose-order", "B is moved before it is turned"},
    {centred_b, D, "mesh-centred", "the mesh of B is moved to the centre of its box"},
    {centred_a, D, "mesh-centred", "the mesh of A is moved to the centre of its box"},
    {poses_in_millimetres, D, "pose-unit", "positions are taken as millimetres"},
};

/** Judges the file of a scene and finds its diagnoses. Returns the number of wrong frames. */
static size_t diagnose(const scored *s, const char *contract, bench_diagnoses *found)
{
    bench_score score;
    base_error err = {0};
    scored_judge(s, contract, &score);
    cr_assert_eq(bench_diagnose(&score, found, &err), BASE_OK, "%s", err.text);
    const size_t wrong = bench_score_wrong(&score);
    bench_score_release(&score);
    return wrong;
}

Test(diagnose, planted_mistakes_are_named)
{
    scored s;
    scored_make(&s);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        bench_diagnoses found;
        scored_reset(&s);
        s.has = planted[i].has;
        planted[i].plant(&s);
        const size_t wrong = diagnose(&s, NULL, &found);
        cr_expect_gt(wrong, 1, "mistake %zu (%s) is in %zu frames", i, planted[i].name, wrong);
        cr_expect_geq(found.count, 1, "mistake %zu (%s) has no diagnosis", i, planted[i].text);
        if (found.count > 0) {
            cr_expect_str_eq(found.items[0].name, planted[i].name, "mistake %zu (%s): %s", i,
                             planted[i].text, found.items[0].text);
            cr_expect_not_null(strstr(found.items[0].text, planted[i].text),
                               "mistake %zu: '%s' "
                               "does not say '%s'",
                               i, found.items[0].text, planted[i].text);
        }
        cr_expect_leq(found.count, 1, "mistake %zu (%s) has another diagnosis: %s", i,
                      planted[i].name, found.count > 1 ? found.items[1].text : "");
    }
    scored_release(&s);
}

Test(diagnose, right_answers_have_none)
{
    const uint32_t kinds[] = {D, W, V, P, F, C, UINT32_MAX};
    scored s;
    scored_make(&s);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bench_diagnoses found;
        s.has = kinds[i];
        cr_expect_eq(diagnose(&s, NULL, &found), 0, "right answers of kind %zu are wrong", i);
        cr_expect_eq(found.count, 0, "kind %zu: %s", i, found.items[0].text);
    }
    scored_release(&s);
}

/** A few wrong answers among right ones are no mistake about all frames. */
Test(diagnose, single_wrong_answers_have_none)
{
    scored s;
    bench_diagnoses found;
    scored_make(&s);
    s.has = D;
    s.answers[FRAMES - 1].distance_m *= 1000;
    s.answers[FRAMES - 2].distance_m *= 7;
    cr_expect_eq(diagnose(&s, NULL, &found), 2);
    cr_expect_eq(found.count, 0, "%s", found.items[0].text);
    scored_release(&s);
}

/** Approximate answers in another unit are named, too; in the right unit they have no diagnosis. */
Test(diagnose, approximate_answers)
{
    scored s;
    bench_diagnoses found;
    scored_make(&s);
    s.has = D;
    FOR_ALL(&s, a->distance_m *= 1 + 0.02 * sin((double)f))
    cr_expect_eq(diagnose(&s, "approximate", &found), 0);
    cr_expect_eq(found.count, 0, "%s", found.items[0].text);
    FOR_ALL(&s, a->distance_m *= 1000)
    cr_expect_eq(diagnose(&s, "approximate", &found), 0);
    cr_assert_eq(found.count, 1);
    cr_expect_str_eq(found.items[0].name, "scaled");
    scored_release(&s);
}
