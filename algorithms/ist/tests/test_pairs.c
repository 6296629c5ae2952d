/** Tests lists of intersecting triangles against a test of all pairs. */
#include "algorithms/ist/query.h"
#include "algorithms/tests/pair.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <string.h>

enum { ROOM = 4000 };

/** An answer with its list; the entry behind the list is a guard. */
typedef struct listing {
    alg_face_pair pairs[ROOM + 1];
    alg_answer answer;
} listing;

/** Binds the bodies again, for lists of `room` pairs. */
static void bind(pair *p, unsigned wanted, uint32_t room)
{
    const alg_algorithm *const g = p->variant.algorithm;
    const alg_request request = {.size = sizeof request, .wanted = wanted, .pairs_max = room};
    alg_message message = {""};
    g->release(p->state);
    cr_assert_eq(g->bind(&p->variant.settings, p->fixed, p->moving, &request, &p->state, &message),
                 ALG_OK, "%s", message.text);
}

static void ask(const pair *p, const geo_pose *pose, uint32_t room, listing *l)
{
    const alg_face_pair untouched = {.face_a = UINT32_MAX};
    for (size_t i = 0; i <= ROOM; i++) {
        l->pairs[i] = untouched;
    }
    l->answer = (alg_answer){.size = sizeof l->answer, .pairs = l->pairs, .pair_capacity = room};
    p->variant.algorithm->query(p->state, pose, &l->answer);
    cr_assert_eq((l->answer.answered & ALG_HAS_PAIRS) != 0, room > 0);
    for (size_t i = l->answer.pair_count < room ? l->answer.pair_count : room; i <= ROOM; i++) {
        cr_assert_eq(l->pairs[i].face_a, UINT32_MAX, "entry %zu", i);
    }
}

static pair open_pair(const char *name, const geo_mesh *a, const geo_mesh *b)
{
    pair p = pair_open(name, a, b, ALG_WANT_CONTACT);
    bind(&p, ALG_WANT_CONTACT, ROOM);
    return p;
}

/** Returns the number of intersecting pairs among all pairs. */
static uint32_t count_all(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < b->face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
        for (uint32_t i = 0; i < a->face_count; i++) {
            count += geo_triangle_intersect(geo_mesh_triangle(a, i), t);
        }
    }
    return count;
}

/** Checks that every pair of the list intersects, has correct end points, and occurs once. */
static void check_list(const listing *l, const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                       const char *what)
{
    cr_assert_leq(l->answer.pair_count, ROOM);
    for (uint32_t k = 0; k < l->answer.pair_count; k++) {
        const alg_face_pair *const f = &l->pairs[k];
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, f->face_b));
        geo_common common;
        cr_assert(geo_triangle_common(geo_mesh_triangle(a, f->face_a), t, &common),
                  "%s: pair %u is apart", what, k);
        cr_assert(vec3_equal(f->from, common.from) && vec3_equal(f->to, common.to), "%s: pair %u",
                  what, k);
        for (uint32_t i = 0; i < k; i++) {
            cr_assert(f->face_a != l->pairs[i].face_a || f->face_b != l->pairs[i].face_b,
                      "%s: pairs %u and %u are the same", what, i, k);
        }
    }
}

Test(pairs, a_bar_through_a_triangle_by_hand)
{
    static listing l, again;
    static const char *const names[] = {"ist:voxels=16", "ist-exact:voxels=16",
                                        "ist-triangles:packing=cover,voxels=16"};
    /* An upright bar, half of it in the cube, ends in one of the two triangles of the upper face,
     * which is crossed in the middle by all eight triangles of the bar's sides. */
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_MESH bar = shape_box((vec3){-0.1, -0.1, -0.5}, (vec3){0.1, 0.1, 0.5});
    const geo_pose pose = shape_shift(0.6, -0.2, 1), away = shape_shift(0.6, -0.2, 1.6);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pair p = open_pair(names[i], &cube, &bar);
        ask(&p, &pose, ROOM, &l);
        check_list(&l, &cube, &bar, &pose, names[i]);
        cr_assert(i == 0 ? l.answer.pair_count > 0 && l.answer.pair_count <= 8
                         : l.answer.pair_count == 8,
                  "%s: %u", names[i], l.answer.pair_count);
        for (uint32_t k = 0; k < l.answer.pair_count; k++) {
            const geo_triangle upper = geo_mesh_triangle(&cube, l.pairs[k].face_a);
            cr_assert(upper.p[0].z == 1 && upper.p[1].z == 1 && upper.p[2].z == 1 &&
                          l.pairs[k].face_a == l.pairs[0].face_a,
                      "%s: pair %u", names[i], k);
            cr_assert(l.pairs[k].from.z == 1 && l.pairs[k].to.z == 1, "%s: pair %u", names[i], k);
        }
        ask(&p, &pose, ROOM, &again);
        cr_assert_eq(memcmp(l.pairs, again.pairs, sizeof l.pairs), 0, "%s", names[i]);
        ask(&p, &away, ROOM, &again);
        cr_assert_eq(again.answer.pair_count, 0, "%s", names[i]);
        pair_close(&p);
    }
}

Test(pairs, are_true_and_with_skins_all)
{
    static listing l, turned;
    static const struct {
        const char *name;
        bool all;
    } variants[] = {
        {"ist:voxels=20", false},
        {"ist:packing=refined,voxels=20", false},
        {"ist:branching=16,voxels=12", false},
        {"ist:radius=centroid,voxels=24", false},
        {"ist-exact:voxels=12", true},
        {"ist-triangles:branching=2,voxels=16", true},
    };
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    SCOPED_MESH odd =
        shape_join(shape_ball((vec3){0, 0, 0}, 0.7, 2), shape_cube((vec3){2, 0, 0}, 0.5));
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const char *const name = variants[v].name;
        pair p = open_pair(name, &ball, &odd), q = open_pair(name, &odd, &ball);
        base_random random = base_random_seed(v);
        uint32_t listed = 0, all = 0;
        for (int k = 0; k < 20; k++) {
            const geo_pose pose = shape_pose(&random, 1.6), back = geo_pose_inverse(&pose);
            ask(&p, &pose, ROOM, &l);
            check_list(&l, &ball, &odd, &pose, name);
            const uint32_t there = count_all(&ball, &odd, &pose);
            cr_assert(variants[v].all ? l.answer.pair_count == there : l.answer.pair_count <= there,
                      "%s, pose %d: %u of %u", name, k, l.answer.pair_count, there);
            ask(&q, &back, ROOM, &turned);
            cr_assert_eq(turned.answer.pair_count, l.answer.pair_count, "%s, pose %d: %u, not %u",
                         name, k, turned.answer.pair_count, l.answer.pair_count);
            listed += l.answer.pair_count;
            all += there;
        }
        cr_assert(all > 100 && listed > all / 20, "%s: %u of %u", name, listed, all);
        pair_close(&p);
        pair_close(&q);
    }
}

Test(pairs, a_short_buffer_and_none_change_nothing_else)
{
    static listing l, few, none;
    static const char *const names[] = {"ist:voxels=20", "ist-exact:voxels=16"};
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    const geo_pose pose = shape_shift(1.1, 0.3, 0.2);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pair p = open_pair(names[i], &ball, &ball);
        ask(&p, &pose, ROOM, &l);
        bind(&p, ALG_WANT_CONTACT, 3);
        ask(&p, &pose, 3, &few);
        cr_assert_gt(l.answer.pair_count, 3);
        cr_assert_eq(few.answer.pair_count, l.answer.pair_count, "%s", names[i]);
        cr_assert_eq(memcmp(l.pairs, few.pairs, 3 * sizeof *l.pairs), 0, "%s", names[i]);
        ask(&p, &pose, 0, &none);
        l.answer.answered &= ~(uint32_t)ALG_HAS_PAIRS;
        l.answer.pair_count = l.answer.pair_capacity = 0;
        l.answer.pairs = none.pairs;
        cr_assert_eq(memcmp(&l.answer, &none.answer, sizeof l.answer), 0, "%s", names[i]);
        /* Pairs are filled only if contact is wanted. */
        bind(&p, ALG_WANT_DISTANCE, 3);
        none.answer =
            (alg_answer){.size = sizeof none.answer, .pairs = none.pairs, .pair_capacity = 3};
        p.variant.algorithm->query(p.state, &pose, &none.answer);
        cr_assert_eq(none.answer.answered & ALG_HAS_PAIRS, 0, "%s", names[i]);
        pair_close(&p);
    }
}

/** Tests so many pairs that the table is full: the search ends. */
Test(pairs, no_more_than_can_be_told_apart)
{
    static listing l;
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    pair p = open_pair("ist-exact:voxels=8", &cube, &cube);
    const geo_pose pose = shape_shift(0.5, 0.4, 0.3);
    ask(&p, &pose, ROOM, &l);
    const uint32_t all = l.answer.pair_count;
    cr_assert_gt(all, 10);
    pair_close(&p);
    alg_variant variant;
    alg_message message;
    alg_build_info info;
    void *body = NULL;
    const alg_mesh view = shape_body(&cube, true);
    cr_assert_eq(alg_variant_parse("ist-exact:voxels=8", 1, &variant, &message), ALG_OK);
    cr_assert_eq(
        variant.algorithm->prepare(&variant.settings, &view, ALG_FIXED, &body, &info, &message),
        ALG_OK);
    base_arena arena = {0};
    base_error err = {0};
    const alg_ist_body *const b = body;
    alg_ist_pair spheres = {.wanted = ALG_WANT_DISTANCE};
    alg_ist_pairs pairs;
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_CONTACT, .pairs_max = 1};
    cr_assert(alg_ist_pair_bind(&b->solid, &b->solid, &arena, &spheres, &err) == BASE_OK &&
              alg_ist_pairs_bind(b, b, &request, &arena, &pairs, &err) == BASE_OK);
    for (uint32_t most = 1; most <= all + 1; most++) {
        pairs.most = most;
        l.answer = (alg_answer){.size = sizeof l.answer, .pairs = l.pairs, .pair_capacity = ROOM};
        alg_ist_list_pairs(&pairs, spheres.stack, &pose, &l.answer);
        cr_assert_eq(l.answer.pair_count, most < all ? most : all, "%u of %u, not %u",
                     l.answer.pair_count, all, most);
        check_list(&l, &cube, &cube, &pose, "a small table");
    }
    base_arena_release(&arena);
    variant.algorithm->dispose(body);
}
