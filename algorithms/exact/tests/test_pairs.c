#include "algorithms/tests/pair.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

enum { ROOM = 4000 };

/** An answer with room for `pairs` and `contacts`, followed by guard values. */
typedef struct listing {
    alg_face_pair pairs[ROOM + 1];
    alg_contact contacts[ROOM + 1];
    alg_answer answer;
} listing;

static const alg_face_pair untouched = {.face_a = UINT32_MAX, .from = {1, 2, 3}};

static void ask(const pair *p, const geo_pose *pose, uint32_t pairs, uint32_t contacts, listing *l)
{
    for (size_t i = 0; i <= ROOM; i++) {
        l->pairs[i] = untouched;
        l->contacts[i] = (alg_contact){.depth_m = -1};
    }
    l->answer = (alg_answer){
        .size = sizeof l->answer,
        .pairs = pairs > 0 ? l->pairs : NULL,
        .contacts = contacts > 0 ? l->contacts : NULL,
        .pair_capacity = pairs,
        .contact_capacity = contacts,
    };
    p->variant.algorithm->query(p->state, pose, &l->answer);
    cr_assert_eq(l->answer.outcome, ALG_CONVERGED);
    cr_assert_eq(l->answer.colliding, l->answer.pair_count > 0);
    cr_assert_eq(l->answer.answered,
                 ALG_HAS_CONTACT | ALG_HAS_PAIRS | (contacts > 0 ? ALG_HAS_CONTACTS : 0u));
    cr_assert_geq(l->answer.counters[0], l->answer.pair_count);
    cr_assert_eq(l->answer.contact_count, contacts > 0 ? l->answer.pair_count : 0);
}

static uint32_t count(const geo_mesh *a, const geo_mesh *b, geo_pose pose)
{
    static listing l;
    pair p = pair_open("exact-pairs", a, b, ALG_WANT_CONTACT);
    ask(&p, &pose, 0, 0, &l);
    pair_close(&p);
    return l.answer.pair_count;
}

Test(pairs, cubes_by_hand)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    /* A corner of B in a face of A: the corner's three faces cross that face. */
    const geo_pose tilted = geo_pose_make((geo_quat){0.1, 0.2, 0.38, 0.9}, (vec3){2.1, 0.3, 0.2});
    cr_assert_geq(count(&cube, &cube, tilted), 3);
    cr_assert_eq(count(&cube, &cube, shape_shift(2.5, 0, 0)), 0);
    /* Corner to corner: three faces of each cube, with one or two triangles of each face. */
    const uint32_t corners = count(&cube, &cube, shape_shift(2, 2, 2));
    cr_assert(corners >= 9 && corners <= 36, "%u", corners);
    cr_assert_eq(count(&cube, &cube, shape_shift(2, 2, 2 + 0x1p-50)), 0);
}

/** Surfaces have no inside. Far bodies and open ones need no special treatment. */
Test(pairs, only_surfaces_count)
{
    SCOPED_MESH shell = shape_ball((vec3){0, 0, 0}, 1, 12),
                kernel = shape_ball((vec3){0, 0, 0}, 0.5, 6);
    cr_assert_eq(count(&shell, &kernel, geo_pose_identity()), 0);
    cr_assert_eq(count(&kernel, &shell, geo_pose_identity()), 0);
    cr_assert_gt(count(&shell, &kernel, shape_shift(0.7, 0, 0)), 10);
    cr_assert_eq(count(&shell, &kernel, shape_shift(1e12, 0, 0)), 0);
    geo_mesh_builder open = shape_copy(&kernel);
    open.face_count = 1;
    SCOPED_MESH flag = geo_mesh_builder_finish(&open);
    cr_assert_eq(count(&shell, &flag, shape_shift(0.2, 0, 0)), 0);
    uint32_t some = 0;
    for (int i = 0; i < 40; i++) {
        some += count(&shell, &flag, shape_shift(0.05 * i, 0.01, 0.02));
    }
    cr_assert_gt(some, 0);
}

/** Compares with all pairs one by one, including the ends of their common segments. */
static uint32_t expect_all(const pair *p, const geo_mesh *a, const geo_mesh *b,
                           const geo_pose *pose, int number)
{
    static listing l;
    static uint8_t seen[ROOM];
    ask(p, pose, ROOM, ROOM, &l);
    memset(seen, 0, sizeof seen);
    uint32_t want = 0;
    cr_assert_leq(l.answer.pair_count, ROOM);
    for (uint32_t i = 0; i < a->face_count; i++) {
        for (uint32_t j = 0; j < b->face_count; j++) {
            const geo_triangle s = geo_mesh_triangle(a, i);
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
            want += geo_triangle_intersect(s, t);
        }
    }
    cr_assert_eq(l.answer.pair_count, want, "case %d: %u pairs, not %u", number,
                 l.answer.pair_count, want);
    for (uint32_t k = 0; k < want; k++) {
        const alg_face_pair *const f = &l.pairs[k];
        const geo_triangle s = geo_mesh_triangle(a, f->face_a);
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, f->face_b));
        geo_common common;
        cr_assert(geo_triangle_common(s, t, &common), "case %d: pair %u", number, k);
        cr_assert(vec3_equal(common.from, f->from) && vec3_equal(common.to, f->to),
                  "case %d: pair %u", number, k);
        const alg_contact *const c = &l.contacts[k];
        cr_assert(vec3_distance(c->point, vec3_scale(0.5, vec3_add(f->from, f->to))) < 1e-15 &&
                      vec3_norm2(c->normal) == 0 && c->depth_m == 0,
                  "case %d: contact %u", number, k);
        for (uint32_t j = 0; j < k; j++) {
            cr_assert(f->face_a != l.pairs[j].face_a || f->face_b != l.pairs[j].face_b,
                      "case %d: pairs %u and %u are the same", number, j, k);
        }
    }
    ask(p, pose, 0, 0, &l);
    cr_assert_eq(l.answer.pair_count, want, "case %d: %u pairs without a buffer, not %u", number,
                 l.answer.pair_count, want);
    return want;
}

Test(pairs, equal_all_pairs)
{
    const uint64_t seed = 74;
    base_random random = base_random_seed(seed);
    SCOPED_MESH torus = shape_torus(12, 1, 0.4), soup = shape_soup(&random, 100, false);
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 0.7, 7);
    const geo_mesh *const meshes[3] = {&torus, &soup, &ball};
    uint32_t some = 0, none = 0;
    for (int i = 0; i < 45; i++) {
        const geo_mesh *const a = meshes[i % 3], *const b = meshes[i / 3 % 3];
        const geo_pose pose = shape_pose(&random, 0.05 * i);
        SCOPED_PAIR p = pair_open("exact-pairs", a, b, ALG_WANT_CONTACT);
        const uint32_t pairs = expect_all(&p, a, b, &pose, i);
        some += pairs > 0;
        none += pairs == 0;
    }
    cr_assert(some > 10 && none > 3, "%u %u", some, none);
}

/** With a buffer that is too small, all pairs are counted, those that fit are stored, and nothing
 * is written beyond the buffer. */
Test(pairs, buffers_are_not_overrun)
{
    static listing all, some;
    SCOPED_MESH torus = shape_torus(20, 1, 0.4);
    SCOPED_PAIR p = pair_open("exact-pairs", &torus, &torus, ALG_WANT_CONTACT);
    const geo_pose pose = geo_pose_make((geo_quat){0.3, 0.1, 0.2, 0.9}, (vec3){0.3, 0.2, 0.1});
    ask(&p, &pose, ROOM, ROOM, &all);
    const uint32_t total = all.answer.pair_count;
    cr_assert(total > 50 && total < ROOM, "%u", total);
    for (uint32_t room = 0; room < 12; room++) {
        for (uint32_t other = 0; other < 12; other += 5) {
            ask(&p, &pose, room, other, &some);
            cr_assert_eq(some.answer.pair_count, total, "room %u", room);
            cr_assert(memcmp(some.pairs, all.pairs, room * sizeof *all.pairs) == 0 &&
                          memcmp(&some.pairs[room], &untouched, sizeof untouched) == 0,
                      "room %u", room);
            cr_assert(memcmp(some.contacts, all.contacts, other * sizeof *all.contacts) == 0 &&
                          some.contacts[other].depth_m == -1,
                      "room %u", other);
        }
    }
}

Test(pairs, promises_contact_of_surfaces)
{
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    SCOPED_PAIR p = pair_open("exact-pairs", &cube, &cube, ALG_WANT_CONTACT);
    const alg_algorithm *const g = p.variant.algorithm;
    cr_assert_eq(g->flags, ALG_SURFACE | ALG_ALL_PAIRS);
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        cr_assert_eq(g->contract(&p.variant.settings, (alg_quantity)q),
                     q == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED, "%s", alg_quantity_names[q]);
    }
    cr_assert_eq(p.info_a.primitives, 12);
    cr_assert_gt(p.info_a.bytes, 12 * sizeof(geo_triangle));
}
