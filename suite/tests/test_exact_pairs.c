/**
 * Tests exact-pairs on the catalogue of degenerate contact (scenarios/experiments/degenerate.cfg):
 * its pairs must be those of an exact test of all pairs of triangles, and the ends of each pair
 * must lie on both triangles.
 */
#include "algorithms/registry.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

typedef struct subject {
    bench_pair pair;
    const alg_algorithm *algorithm;
    void *fixed, *moving, *state;
    alg_face_pair *pairs;
} subject;

static void open_subject(const scn_scenario *scenario, subject *s)
{
    base_error err = {0};
    alg_message message = {""};
    alg_build_info info;
    const alg_settings settings = {.seed = 1};
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_CONTACT, .pairs_max = ROOM};
    cr_assert_eq(bench_pair_open(scenario->a, scenario->b, &s->pair, &err), BASE_OK, "%s: %s",
                 scenario->name, err.text);
    const alg_algorithm *const g = s->algorithm = alg_find("exact-pairs");
    cr_assert(g->prepare(&settings, &s->pair.a.view, ALG_FIXED, &s->fixed, &info, &message) ==
                      ALG_OK &&
                  g->prepare(&settings, &s->pair.b.view, ALG_MOVING, &s->moving, &info, &message) ==
                      ALG_OK &&
                  g->bind(&settings, s->fixed, s->moving, &request, &s->state, &message) == ALG_OK,
              "%s: %s", scenario->name, message.text);
    s->pairs = base_alloc(ROOM, sizeof *s->pairs);
    cr_assert_not_null(s->pairs);
}

static void close_subject(subject *s)
{
    base_free(s->pairs);
    s->algorithm->release(s->state);
    s->algorithm->dispose(s->moving);
    s->algorithm->dispose(s->fixed);
    bench_pair_close(&s->pair);
}

static int by_faces(const void *left, const void *right)
{
    const alg_face_pair *const a = left, *const b = right;
    const uint64_t x = (uint64_t)a->face_a << 32 | a->face_b;
    const uint64_t y = (uint64_t)b->face_a << 32 | b->face_b;
    return (x > y) - (x < y);
}

/**
 * True if p is on the triangle, up to 2^-49 of the largest coordinate and the rounding error of the
 * distance.
 */
static bool on(const geo_triangle *t, vec3 p)
{
    const double reach = geo_box_reach(geo_box_of_triangle(*t)) + vec3_norm(p);
    return vec3_distance(geo_triangle_closest(*t, p), p) <= 0x1p-46 * reach;
}

/** Returns the number of pairs. */
static uint32_t check_frame(const subject *s, const geo_pose *pose, const char *name, size_t frame)
{
    alg_answer answer = {.size = sizeof answer, .pairs = s->pairs, .pair_capacity = ROOM};
    s->algorithm->query(s->state, pose, &answer);
    cr_assert_leq(answer.pair_count, ROOM, "%s, frame %zu", name, frame);
    qsort(s->pairs, answer.pair_count, sizeof *s->pairs, by_faces);
    const geo_mesh *const a = &s->pair.a.mesh, *const b = &s->pair.b.mesh;
    geo_triangle *const moved = base_alloc(b->face_count, sizeof *moved);
    cr_assert_not_null(moved);
    for (size_t j = 0; j < b->face_count; j++) {
        moved[j] = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->face_count; i++) {
        const geo_triangle t = geo_mesh_triangle(a, i);
        const geo_box box = geo_box_of_triangle(t);
        for (uint32_t j = 0; j < b->face_count; j++) {
            if (!geo_box_overlap(box, geo_box_of_triangle(moved[j])) ||
                !geo_triangle_intersect(t, moved[j])) {
                continue;
            }
            const alg_face_pair *const f = &s->pairs[count];
            cr_assert(count < answer.pair_count && f->face_a == i && f->face_b == j,
                      "%s, frame %zu: faces %u and %u", name, frame, i, j);
            cr_assert(on(&t, f->from) && on(&moved[j], f->from) && on(&t, f->to) &&
                          on(&moved[j], f->to),
                      "%s, frame %zu: ends of faces %u and %u", name, frame, i, j);
            count++;
        }
    }
    cr_assert_eq(count, answer.pair_count, "%s, frame %zu: %u pairs of %u", name, frame,
                 answer.pair_count, count);
    base_free(moved);
    return count;
}

Test(exact_pairs, the_degenerate_catalogue)
{
    scn_experiment e;
    base_error err = {0};
    assert_ok(scn_experiment_read("scenarios/experiments/degenerate.cfg", &e, ERR));
    const size_t part = sweep_step(4);
    size_t number = 0, frames = 0, touching = 0;
    for (size_t i = 0; i < e.scenario_count; i++) {
        subject s;
        scn_trajectory trajectory;
        if (strcmp(e.scenarios[i].quantity, "unified") != 0 || number++ % part != 0) {
            continue; /* repeats the same poses, or is not in this part */
        }
        open_subject(&e.scenarios[i], &s);
        cr_assert_eq(
            bench_pair_trajectory(&s.pair, &e.scenarios[i].motion, NULL, true, &trajectory, &err),
            BASE_OK, "%s: %s", e.scenarios[i].name, err.text);
        for (size_t f = 0; f < trajectory.frame_count; f++) {
            const scn_frame *const at = &trajectory.frames[f];
            const geo_pose pose = bench_pair_pose(&s.pair, at->position, at->orientation);
            touching += check_frame(&s, &pose, e.scenarios[i].name, f) > 0;
        }
        frames += trajectory.frame_count;
        scn_trajectory_release(&trajectory);
        close_subject(&s);
    }
    cr_assert(frames > 200 / part && touching > 150 / part, "%zu of %zu", touching, frames);
    scn_experiment_release(&e);
}
