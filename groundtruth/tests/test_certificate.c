#include "base/error.h"
#include "base/tests/support.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/trajectory.h"

#include "cache_fixture.h"

#include <math.h>

/* --- By hand ---------------------------------------------------------------------------------- */

static gt_answer bracket(double lo, double hi)
{
    return (gt_answer){2, true, {lo, hi}};
}

static gt_answer around(double value, double slack)
{
    return bracket(value - slack, value + slack);
}

static gt_answer distances(gt_bracket solids, gt_bracket surfaces)
{
    return (gt_answer){4, true, {solids.lo, solids.hi, surfaces.lo, surfaces.hi}};
}

static gt_answer distance(double value, double slack)
{
    const gt_bracket both = {value - slack, value + slack};
    return distances(both, both);
}

static gt_bracket bracket_of(gt_answer answer)
{
    return (gt_bracket){answer.values[0], answer.values[1]};
}

/** Certifies with all methods that have answered as the expected ones. */
static gt_truth certify_all(unsigned asked, const gt_answer answers[GT_METHOD_COUNT])
{
    unsigned expected = 0;
    for (int m = 0; m < GT_METHOD_COUNT; m++) {
        expected |= answers[m].count > 0 ? 1u << m : 0;
    }
    gt_truth truth;
    gt_certify(asked, expected, answers, &truth);
    return truth;
}

static gt_truth certify(gt_answer bvh, gt_answer brute, gt_answer flux, gt_answer tetra)
{
    const gt_answer answers[GT_METHOD_COUNT] = {
        [GT_BVH] = bvh, [GT_BRUTE] = brute, [GT_FLUX] = flux, [GT_TETRA] = tetra};
    return certify_all(BOTH, answers);
}

static const gt_answer none = {0};

Test(certificate, one_method_and_two)
{
    const gt_answer d = distance(0.5, 1e-12), v = around(0, 0);
    gt_truth t = certify(d, none, none, none);
    cr_assert(t.distance_certified == 1 && t.volume_certified == 0 && t.expected == GT_BY_BVH);
    cr_assert(isnan(t.distance_disagreement_m) && !gt_known(t.volume_m3));
    cr_assert_eq(t.methods, GT_BY_BVH);
    t = certify(none, d, none, none);
    cr_assert(t.distance_certified == 1 && t.methods == GT_BY_BRUTE &&
              same_bracket(t.distance_m, bracket_of(d)));
    t = certify(d, d, none, none);
    cr_assert(t.distance_certified == 2 && t.distance_disagreement_m == 0);
    t = certify(d, none, v, v);
    cr_assert(t.distance_certified == 1 && t.volume_certified == 2, "each its own");
    t = certify(d, d, v, v);
    cr_assert(t.distance_certified == 2 && t.volume_certified == 2);
    cr_assert(t.volume_disagreement_m3 == 0 && t.volume_bound_m3 == 0);
    t = certify(none, none, none, v);
    cr_assert(t.volume_certified == 1 && t.distance_certified == 0);
    cr_assert(t.methods == GT_BY_TETRA && t.expected == GT_BY_TETRA);
}

Test(certificate, volumes_agree_up_to_the_sum_of_the_slacks)
{
    const gt_answer flux = around(4, 0.125);
    for (int side = -1; side <= 1; side += 2) {
        gt_truth t = certify(none, none, flux, around(4 + side * 0.625, 0.5));
        cr_assert_eq(t.volume_certified, 2, "side %d: just so", side);
        cr_assert(t.volume_bound_m3 == 0.625 && t.volume_disagreement_m3 == 0.625);
        cr_assert(within(t.volume_m3, 4 + side * 0.625), "holds both values");
        cr_assert(t.volume_m3.hi - t.volume_m3.lo == 0.75, "and no more");
        t = certify(none, none, flux, around(4 + side * 0.626, 0.5));
        cr_assert(t.volume_certified == 0, "side %d: too far", side);
        cr_assert(t.volume_disagreement_m3 > t.volume_bound_m3);
    }
    const gt_truth t = certify(none, none, flux, around(4.0625, 0.5));
    cr_assert(same_bracket(t.volume_m3, bracket_of(flux)), "that of flux, when it holds both");
}

/** A bracket that begins at 0 represents the value 0, and its end is the slack. */
Test(certificate, tiny_volumes)
{
    const gt_answer nothing = bracket(0, 0), tiny = bracket(0, 1e-14);
    gt_truth t = certify(none, none, nothing, tiny);
    cr_assert(t.volume_certified == 2 && t.volume_m3.hi == 0 && t.volume_bound_m3 == 1e-14);
    t = certify(none, none, around(0.9e-14, 1e-18), tiny);
    cr_assert(t.volume_certified == 2 && t.volume_m3.lo == 0, "both values");
    t = certify(none, none, around(1.1e-14, 1e-18), tiny);
    cr_assert_eq(t.volume_certified, 0);
}

Test(certificate, distances_agree_in_both_columns)
{
    const gt_answer apart = distance(0.5, 1e-12);
    const gt_bracket nothing = {0, 0}, surface = bracket_of(apart), deep = {0.6, 0.7};
    const gt_answer inside = distances(nothing, surface), deeper = distances(nothing, deep);
    gt_truth t = certify(apart, inside, none, none);
    cr_assert(t.distance_certified == 0 && t.distance_disagreement_m == 0.5);
    t = certify(inside, inside, none, none);
    cr_assert(t.distance_certified == 2 && same_bracket(t.surface_m, surface));
    cr_assert_eq(certify(inside, deeper, none, none).distance_certified, 0);
    cr_assert_eq(certify(apart, distance(0.5 + 1.9e-12, 1e-12), none, none).distance_certified, 2);
    cr_assert_eq(certify(apart, distance(0.5 + 2.1e-12, 1e-12), none, none).distance_certified, 0);
}

Test(certificate, checks_of_a_method)
{
    gt_answer bad = around(4, 0.125);
    bad.sound = false;
    const gt_answer good = around(1, 0.125), d = distance(0, 0);
    cr_assert_eq(certify(none, none, bad, none).volume_certified, 0);
    cr_assert_eq(certify(none, none, bad, good).volume_certified, 0);
    cr_assert_eq(certify(none, none, good, bad).volume_certified, 0);
    const gt_truth t = certify(d, none, bad, good);
    cr_assert(t.distance_certified == 1 && t.volume_certified == 0);
    /* A method that was expected to answer and did not. */
    const gt_answer answers[GT_METHOD_COUNT] = {d, none, none, good};
    gt_truth missing;
    gt_certify(BOTH, GT_BY_BVH | GT_BY_VOLUME, answers, &missing);
    cr_assert(missing.volume_certified == 0 && missing.distance_certified == 1);
    cr_assert_eq(missing.methods, GT_BY_BVH | GT_BY_TETRA);
    cr_assert_eq(missing.expected, GT_BY_BVH | GT_BY_VOLUME);
}

Test(certificate, bodies_apart_have_no_volume)
{
    const gt_truth t = certify(distance(0.5, 1e-12), none, around(1, 0.125), around(1, 0.125));
    cr_assert(t.distance_certified == 0 && t.volume_certified == 0);
}

/** A number of pairs is exact: a difference of one is a disagreement. */
Test(certificate, pairs_are_equal_or_not)
{
    for (int off = -1; off <= 1; off++) {
        const gt_answer answers[GT_METHOD_COUNT] = {
            [GT_TREE] = bracket(5, 5), [GT_ALL_PAIRS] = bracket(5 + off, 5 + off)};
        const gt_truth t = certify_all(GT_WANT_PAIRS, answers);
        cr_assert_eq(t.pairs_certified, off == 0 ? 2 : 0, "%d", off);
        cr_assert(within(t.pairs_count, 5) && within(t.pairs_count, 5 + off), "%d", off);
        cr_assert(t.asked == GT_WANT_PAIRS && t.methods == GT_BY_PAIRS);
        cr_assert(t.distance_certified == 0 && !gt_known(t.distance_m));
    }
    const gt_answer no_pairs[GT_METHOD_COUNT] = {
        [GT_TREE] = bracket(0, 0), [GT_ALL_PAIRS] = bracket(1, 1)};
    cr_assert_eq(certify_all(GT_WANT_PAIRS, no_pairs).pairs_certified, 0);
}

/** Makes an answer; GT_NONE: the method has not answered. */
static gt_answer depth(gt_bracket value, double x)
{
    const gt_answer found = {5, true, {value.lo, value.hi, x, 0, 0}};
    return gt_known(value) ? found : none;
}

/** The result is the intersection of two brackets. A wide bracket does not confirm a narrow one. */
Test(certificate, depths_meet_or_not)
{
    const struct {
        gt_bracket hull, places, both;
        int x, certified;
    } cases[] = {
        {{2, 2.125}, {1, 0}, {2, 2.125}, 1, 1},    {{1, 0}, {2, 3}, {2, 3}, -1, 1},
        {{2, 2.125}, {1, 2.25}, {2, 2.125}, 1, 2}, {{2, 2.125}, {1, 2.375}, {2, 2.125}, 1, 1},
        {{2, 2.125}, {2, 2}, {2, 2}, 1, 1},        {{1, 2.25}, {2, 2.125}, {2, 2.125}, 1, 2},
        {{2, 2.5}, {0, 2.25}, {2, 2.25}, 1, 2},    {{2, 2.5}, {2.25, 4}, {2.25, 2.5}, 1, 2},
        {{2, 2.125}, {3, 4}, {2, 2.125}, 1, 0},    {{2, 2.125}, {0, 1.75}, {2, 2.125}, 1, 0},
        {{0, 0}, {0, 0.5}, {0, 0}, 1, 1},          {{0, 0}, {0, 0}, {0, 0}, 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_answer answers[GT_METHOD_COUNT] = {
            [GT_HULL] = depth(cases[i].hull, 1), [GT_PLACES] = depth(cases[i].places, -1)};
        const gt_truth t = certify_all(GT_WANT_DEPTH, answers);
        cr_assert(same_bracket(t.depth_m, cases[i].both), "case %zu: %g %g", i, t.depth_m.lo,
                  t.depth_m.hi);
        cr_assert_eq(t.depth_certified, cases[i].certified, "case %zu", i);
        cr_assert_eq(t.depth_direction.x, cases[i].x, "case %zu", i);
        answers[GT_PLACES].sound = false;
        cr_assert_eq(certify_all(GT_WANT_DEPTH, answers).depth_certified, i == 0 ? 1 : 0,
                     "case %zu", i);
    }
}

/** Two narrow brackets and a wide one: all of them must agree, and two confirm each other. */
Test(certificate, three_methods_of_the_depth)
{
    gt_answer answers[GT_METHOD_COUNT] = {[GT_HULL] = depth((gt_bracket){2, 2.25}, 1),
                                          [GT_EDGES] = depth((gt_bracket){2.125, 2.5}, -1),
                                          [GT_PLACES] = depth((gt_bracket){0, 8}, -1)};
    gt_truth t = certify_all(GT_WANT_DEPTH, answers);
    cr_assert(same_bracket(t.depth_m, (gt_bracket){2.125, 2.25}) && t.depth_certified == 2);
    answers[GT_PLACES] = depth((gt_bracket){2, 2.5}, -1);
    cr_assert_eq(certify_all(GT_WANT_DEPTH, answers).depth_certified, 2, "not 3");
    answers[GT_PLACES] = depth((gt_bracket){0, 1}, -1);
    t = certify_all(GT_WANT_DEPTH, answers);
    cr_assert_eq(t.depth_certified, 0);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DEPTH).text, "hull and places disagree");
    answers[GT_PLACES] = depth((gt_bracket){0, 8}, -1);
    answers[GT_EDGES] = depth((gt_bracket){3, 3.25}, -1);
    t = certify_all(GT_WANT_DEPTH, answers);
    cr_assert_eq(t.depth_certified, 0);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DEPTH).text, "hull and edges disagree");
}

/** Each certificate 0 has a reason, and no other certificate has one. */
Test(certificate, doubts_in_words)
{
    const gt_answer good = distance(0.5, 1e-12), far = distance(0.75, 1e-12);
    gt_answer bad = good;
    bad.sound = false;
    gt_truth t = certify(good, good, none, none);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DISTANCE).text, "");
    cr_assert_eq(t.doubt[GT_DISTANCE].kind, GT_DOUBT_NONE);
    t = certify(good, far, none, none);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DISTANCE).text, "bvh and brute disagree");
    t = certify(good, bad, none, none);
    cr_assert_str_eq(gt_doubt_format(&t, GT_DISTANCE).text,
                     "the check of brute has failed: its bracket is not valid");
    t = certify(good, none, around(0.25, 0.125), none);
    cr_assert_str_eq(gt_doubt_format(&t, GT_VOLUME).text,
                     "bodies that are apart have something in common");
    cr_assert_str_eq(gt_doubt_format(&t, GT_DISTANCE).text, gt_doubt_format(&t, GT_VOLUME).text);
    const gt_answer answers[GT_METHOD_COUNT] = {[GT_BVH] = good};
    gt_certify(BOTH | GT_WANT_FORCE, GT_BY_BVH | GT_BY_FLUX, answers, &t);
    cr_assert_str_eq(gt_doubt_format(&t, GT_VOLUME).text, "flux has not answered");
    cr_assert_eq(t.doubt[GT_FORCE].kind, GT_DOUBT_UNANSWERED);
}

/** A force has no certificate without that of its volume. */
Test(certificate, doubt_of_the_volume_is_one_of_the_force)
{
    gt_truth t;
    const gt_answer flux = {10, true, {0.25, 0.5, 1, 2, 3, 4, 5, 6, 0.25, 0.5}};
    const gt_answer answers[GT_METHOD_COUNT] = {
        [GT_FLUX] = flux, [GT_TETRA] = {2, true, {0.75, 0.875}}};
    gt_certify(GT_WANT_VOLUME | GT_WANT_FORCE, GT_BY_FLUX | GT_BY_TETRA, answers, &t);
    cr_assert(t.volume_certified == 0 && t.force_certified == 0);
    cr_assert_str_eq(gt_doubt_format(&t, GT_VOLUME).text, "flux and tetra disagree");
    cr_assert_str_eq(gt_doubt_format(&t, GT_FORCE).text,
                     "the volume that it comes with is not certified");
}

static gt_answer flux_of(double volume, double slack)
{
    return (gt_answer){10, true, {volume - slack, volume + slack, 1, 2, 3, 4, 5, 6, 0.25, 0.5}};
}

/** The force is by flux alone, and has the certificate of the volume whose gradient it is. */
Test(certificate, force_follows_the_volume)
{
    enum { FORCE = GT_WANT_VOLUME | GT_WANT_FORCE };
    gt_answer answers[GT_METHOD_COUNT] = {[GT_FLUX] = flux_of(4, 0.125)};
    gt_truth t = certify_all(FORCE, answers);
    cr_assert(t.force_certified == 1 && t.volume_certified == 1);
    cr_assert(t.force_m2.x == 1 && t.force_m2.y == 2 && t.force_m2.z == 3);
    cr_assert(t.torque_m3.x == 4 && t.torque_m3.y == 5 && t.torque_m3.z == 6);
    cr_assert(t.force_bound_m2 == 0.25 && t.torque_bound_m3 == 0.5);
    cr_assert(t.volume_m3.lo == 3.875 && t.volume_m3.hi == 4.125);
    answers[GT_TETRA] = around(4, 0.125);
    cr_assert_eq(certify_all(FORCE, answers).force_certified, 2);
    cr_assert_eq(certify_all(GT_WANT_VOLUME, answers).force_certified, 0, "not asked");
    cr_assert(isnan(certify_all(GT_WANT_VOLUME, answers).force_m2.x), "not asked");
    answers[GT_TETRA] = around(5, 0.125);
    cr_assert_eq(certify_all(FORCE, answers).force_certified, 0, "of which volume?");
    answers[GT_TETRA] = around(4, 0.125);
    answers[GT_FLUX].sound = false;
    cr_assert_eq(certify_all(FORCE, answers).force_certified, 0, "flaws");
    answers[GT_FLUX] = none;
    t = certify_all(FORCE, answers);
    cr_assert(t.force_certified == 0 && t.volume_certified == 1, "tetrahedra have no force");
    cr_assert(isnan(t.force_m2.x) && isnan(t.torque_m3.z) && isnan(t.torque_bound_m3));
    const gt_answer apart[GT_METHOD_COUNT] = {
        [GT_BVH] = distance(0.5, 1e-12), [GT_FLUX] = flux_of(4, 0.125)};
    t = certify_all(FORCE | GT_WANT_DISTANCE, apart);
    cr_assert(t.force_certified == 0 && t.volume_certified == 0 && t.distance_certified == 0);
}

/** Surfaces that are apart do not cross, also if one body is inside the other. */
Test(certificate, bodies_apart_have_no_pairs_and_no_depth)
{
    enum { ASKED = GT_WANT_DISTANCE | GT_WANT_PAIRS | GT_WANT_DEPTH };
    const gt_bracket nothing = {0, 0}, some = {0.5, 0.6};
    const struct {
        gt_answer distance, pairs, depth;
        int of_distance, of_pairs, of_depth;
        const char *what;
    } cases[] = {
        {distances(some, some), bracket(0, 0), bracket(0, 0), 1, 1, 1, "apart"},
        {distances(nothing, nothing), bracket(7, 7), bracket(1, 2), 1, 1, 1, "over"},
        {distances(nothing, some), bracket(0, 0), bracket(1, 2), 1, 1, 1, "inside"},
        {distances(nothing, some), bracket(7, 7), bracket(1, 2), 0, 0, 1, "pairs inside"},
        {distances(some, some), bracket(7, 7), bracket(0, 0), 0, 0, 1, "pairs apart"},
        {distances(some, some), bracket(0, 0), bracket(1, 2), 0, 1, 0, "depth apart"},
        {distances(some, some), bracket(0, 0), bracket(0, 2), 1, 1, 1, "no certain depth"},
        {distances(some, some), bracket(7, 7), bracket(1, 2), 0, 0, 0, "both apart"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gt_answer answers[GT_METHOD_COUNT] = {
            [GT_BVH] = cases[i].distance, [GT_TREE] = cases[i].pairs, [GT_HULL] = cases[i].depth};
        const gt_truth t = certify_all(ASKED, answers);
        cr_assert(t.distance_certified == cases[i].of_distance &&
                      t.pairs_certified == cases[i].of_pairs &&
                      t.depth_certified == cases[i].of_depth,
                  "%s: %d, %d, %d", cases[i].what, t.distance_certified, t.pairs_certified,
                  t.depth_certified);
    }
}

/* --- On a trajectory -------------------------------------------------------------------------- */

Test(certificate, all_methods_agree)
{
    SCOPED_FIXTURE f;
    setup(&f);
    f.options.methods = GT_BY_DISTANCE | GT_BY_VOLUME;
    gt_truth truths[FRAMES];
    ask(&f, 0, FRAMES, BOTH, truths);
    for (int i = 0; i < FRAMES; i++) {
        const gt_truth *const t = &truths[i];
        cr_assert(t->distance_certified == 2 && t->volume_certified == 2, "frame %d", i);
        cr_assert(t->methods == f.options.methods && t->expected == t->methods, "frame %d", i);
        cr_assert(t->distance_disagreement_m < 1e-15, "%g", t->distance_disagreement_m);
        cr_assert(t->volume_disagreement_m3 < 1e-14, "%g", t->volume_disagreement_m3);
        cr_assert(t->volume_bound_m3 > 0 && t->volume_bound_m3 < 1e-10);
        cr_assert(within(t->volume_m3, middle(t->by[GT_FLUX])) &&
                  within(t->volume_m3, middle(t->by[GT_TETRA])));
    }
}

Test(certificate, methods_have_records_of_their_own)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth flux[FRAMES], both[FRAMES], default_[FRAMES], again[FRAMES];
    char path[1024];
    f.options.methods = GT_BY_FLUX;
    ask(&f, 0, FRAMES, BOTH, flux);
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(FRAMES * sizeof(gt_record)), "no distance was asked");
    cr_assert(!gt_known(flux[0].distance_m) && flux[0].distance_certified == 0);
    cr_assert(flux[0].volume_certified == 1 && flux[0].expected == GT_BY_FLUX);
    f.options.methods = GT_BY_VOLUME;
    ask(&f, 0, FRAMES, GT_WANT_VOLUME, both);
    cr_assert_eq(size_of(path), (off_t)(2 * FRAMES * sizeof(gt_record)), "tetra alone was lacking");
    for (int i = 0; i < FRAMES; i++) {
        cr_assert(same_bracket(both[i].by[GT_FLUX], flux[i].volume_m3));
        cr_assert_eq(both[i].volume_certified, 2, "frame %d", i);
    }
    f.options.methods = 0;
    ask(&f, 0, FRAMES, BOTH, default_);
    cr_assert_eq(default_[0].methods, GT_BY_BVH | GT_BY_FLUX);
    cr_assert_eq(size_of(path), (off_t)(3 * FRAMES * sizeof(gt_record)));
    f.options.methods = GT_BY_VOLUME;
    ask(&f, 0, FRAMES, GT_WANT_VOLUME, again);
    cr_assert(same(both, again, FRAMES));
}

/** A method that is wrong at one pose: the wrong answer is planted in the cache. */
Test(certificate, a_wrong_method_is_caught_where_it_is_wrong)
{
    SCOPED_FIXTURE f;
    setup(&f);
    for (int m = GT_BVH; m <= GT_TETRA; m++) {
        const int bad = 7 + m;
        gt_truth_cache cache;
        cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
        gt_record wrong = {.answer = distance(0.25, 1e-7)};
        cr_assert_eq(gt_record_key(&cache, &f.poses[bad], (gt_method)m, &wrong.key, NULL), BASE_OK);
        cr_assert_eq(gt_truth_cache_append(&cache, &wrong, 1, NULL), BASE_OK);
        gt_truth_cache_close(&cache);
    }
    f.options.methods = GT_BY_DISTANCE;
    gt_truth truths[FRAMES];
    ask(&f, 0, FRAMES, GT_WANT_DISTANCE, truths);
    for (int i = 0; i < FRAMES; i++) {
        cr_assert_eq(truths[i].distance_certified, i == 7 || i == 8 ? 0 : 2, "frame %d", i);
    }
    f.options.methods = GT_BY_VOLUME;
    ask(&f, 0, FRAMES, GT_WANT_VOLUME, truths);
    for (int i = 0; i < FRAMES; i++) {
        cr_assert_eq(truths[i].volume_certified, i == 9 || i == 10 ? 0 : 2, "frame %d", i);
    }
    cr_assert(truths[9].volume_disagreement_m3 > truths[9].volume_bound_m3);
}

static int lines_of(const char *path)
{
    FILE *const file = fopen(path, "r");
    int lines = 0;
    for (int c = 0; file && (c = fgetc(file)) != EOF;) {
        lines += c == '\n';
    }
    if (file) {
        fclose(file);
    }
    return lines;
}

Test(certificate, a_refused_body_has_its_volume_by_flux)
{
    SCOPED_FIXTURE f;
    setup(&f);
    char asked[512], script[1024];
    scratch_file(&f.dir, "asked", asked);
    snprintf(script, sizeof script,
             "echo x >>%s; echo 'Found two duplicated facets.'; kill -ABRT $$", asked);
    scratch_program(&f.dir, "tetgen", script);
    gt_truth truths[FRAMES], again[FRAMES];
    f.options.methods = GT_BY_BVH | GT_BY_VOLUME;
    ask(&f, 0, FRAMES, BOTH, truths);
    for (int i = 0; i < FRAMES; i++) {
        cr_assert(truths[i].distance_certified == 1 && truths[i].volume_certified == 1, "frame %d",
                  i);
        cr_assert(truths[i].methods == (GT_BY_BVH | GT_BY_FLUX), "frame %d", i);
    }
    cr_assert_not_null(gt_body_refusal(f.a.body));
    cr_assert_not_null(strstr(gt_body_refusal(f.a.body), "duplicated facets"));
    cr_assert_not_null(gt_body_refusal(f.b.body), "asked at the same time");
    const int calls = lines_of(asked);
    cr_assert_gt(calls, 0);
    ask(&f, 0, FRAMES, BOTH, again);
    cr_assert(same(truths, again, FRAMES));
    f.options.methods = GT_BY_TETRA;
    base_error err = {0};
    cr_assert_eq(gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, BOTH, &f.options, again, &err),
                 BASE_ERR_SYSTEM, "tetra alone");
    cr_assert_not_null(strstr(err.text, "duplicated facets"), "%s", err.text);
    cr_assert_eq(lines_of(asked), calls, "asked once");
}
