/** imp-response: the impulses at the contacts of a pose, and what they leave. */
#include "suite/inputs/response_entry.h"

#include "algorithms/registry.h"
#include "geometry/pose.h"
#include "scenarios/tests/simulation.h"

#include <criterion/criterion.h>
#include <string.h>

/** A cube of 0.3 m above a plate of 1 m, whose face is the plane z = 0. */
static box_mesh plate, cube;
static alg_variant variant;
static void *bodies[2], *state;
enum { ROOM = 4 };

static alg_mesh body_of(const box_mesh *box, vec3 lo, vec3 hi)
{
    const vec3 edges = vec3_sub(hi, lo);
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = box->vertices,
                      .vertex_count = 8,
                      .faces = box->faces,
                      .face_count = 12,
                      .solid = true,
                      .volume_m3 = edges.x * edges.y * edges.z,
                      .centroid = vec3_scale(0.5, vec3_add(lo, hi)),
                      .box = {lo, hi}};
}

static void begin(const char *name)
{
    const vec3 lo[2] = {{-0.5, -0.5, -0.2}, {-0.15, -0.15, -0.15}};
    const vec3 hi[2] = {{0.5, 0.5, 0}, {0.15, 0.15, 0.15}};
    box_mesh *const boxes[2] = {&plate, &cube};
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_CONTACT, .contacts_max = ROOM};
    alg_message message;
    cr_assert_eq(alg_variant_parse(name, 1, &variant, &message), ALG_OK, "%s", message.text);
    const alg_algorithm *const a = variant.algorithm;
    for (int i = 0; i < 2; i++) {
        alg_build_info info = {0};
        box_mesh_make(lo[i], hi[i], boxes[i]);
        const alg_mesh mesh = body_of(boxes[i], lo[i], hi[i]);
        cr_assert_eq(a->prepare(&variant.settings, &mesh, (alg_role)i, &bodies[i], &info, &message),
                     ALG_OK);
    }
    cr_assert_eq(a->bind(&variant.settings, bodies[0], bodies[1], &request, &state, &message),
                 ALG_OK);
    if (a->reset) {
        a->reset(state);
    }
}

static void end(void)
{
    variant.algorithm->release(state);
    variant.algorithm->dispose(bodies[0]);
    variant.algorithm->dispose(bodies[1]);
}

/** Values of a counter by its name. */
static uint64_t counted(const alg_answer *answer, const char *name)
{
    for (size_t i = 0; variant.algorithm->counters[i]; i++) {
        if (strcmp(variant.algorithm->counters[i], name) == 0) {
            return answer->counters[i];
        }
    }
    cr_assert_fail("no counter '%s'", name);
    return 0;
}

/** Asks for the cube with its lower face at a height, turned about z. */
static alg_answer ask(double height, double turn)
{
    const geo_pose pose = geo_pose_make((geo_quat){0, 0, sin(turn / 2), cos(turn / 2)},
                                        vec3_make(0, 0, height + 0.15));
    alg_answer answer = {.size = sizeof answer};
    variant.algorithm->query(state, &pose, &answer);
    cr_assert_eq(answer.answered, ALG_HAS_CONTACT | ALG_HAS_CONTACTS);
    return answer;
}

TestSuite(response_entry, .init = bench_response_entry_register);

Test(response_entry, a_body_at_rest_is_pushed_out_of_all_contacts)
{
    begin("imp-response:voxels=32,probe-voxels=16");
    const alg_answer answer = ask(-0.01, 0);
    const uint64_t eligible = counted(&answer, "eligible_count");
    cr_expect(answer.colliding);
    cr_expect_geq(eligible, 200, "a face of 16 x 16 voxels");
    cr_expect_leq(eligible, answer.contact_count);
    cr_expect_geq(counted(&answer, "impulses_count"), 3, "a face needs three impulses or more");
    cr_expect_lt(counted(&answer, "later_count"), eligible);
    cr_expect_gt(counted(&answer, "later_count"), 0);
    cr_expect_eq(counted(&answer, "left_count"), 0);
    cr_expect_eq(counted(&answer, "deep_count"), 0, "10 mm of voxels of 31 mm");
    end();
}

Test(response_entry, bodies_that_are_apart_have_no_impulses)
{
    begin("imp-response:voxels=32,probe-voxels=16");
    const alg_answer answer = ask(0.2, 0);
    cr_expect_not(answer.colliding);
    cr_expect_eq(counted(&answer, "eligible_count"), 0);
    cr_expect_eq(counted(&answer, "impulses_count"), 0);
    end();
}

/** The body rises by more than its depth, so the next step separates it. */
Test(response_entry, inertia_alone_resolves_contacts)
{
    begin("imp-response:voxels=32,probe-voxels=16");
    ask(-0.03, 0);
    const alg_answer rising = ask(-0.01, 0);
    cr_expect_gt(rising.contact_count, 200);
    cr_expect_eq(counted(&rising, "eligible_count"), 0);
    cr_expect_eq(counted(&rising, "impulses_count"), 0);
    const alg_answer stopped = ask(-0.01, 0);
    cr_expect_gt(counted(&stopped, "eligible_count"), 200, "it rises no more");
    /* A reset forgets the motion. */
    ask(-0.03, 0);
    variant.algorithm->reset(state);
    const alg_answer resting = ask(-0.01, 0);
    cr_expect_gt(counted(&resting, "eligible_count"), 200);
    const alg_answer sinking = ask(-0.02, 0);
    cr_expect_gt(counted(&sinking, "eligible_count"), 200);
    end();
}

/** The body turns about a vertical axis through its centroid: no contact separates by that. */
Test(response_entry, the_spin_counts)
{
    begin("imp-response:voxels=32,probe-voxels=16,resolve=0");
    ask(-0.01, 0);
    const alg_answer still = ask(-0.01, 0);
    cr_expect_eq(counted(&still, "eligible_count"), 0, "nothing approaches");
    const geo_pose tilted =
        geo_pose_make((geo_quat){0, sin(0.01), 0, cos(0.01)}, vec3_make(0, 0, 0.14));
    alg_answer tilting = {.size = sizeof tilting};
    variant.algorithm->query(state, &tilted, &tilting);
    const uint64_t eligible = counted(&tilting, "eligible_count");
    cr_expect_gt(eligible, 0);
    cr_expect_lt(eligible, tilting.contact_count, "the other side separates");
    end();
}

Test(response_entry, a_limit_leaves_contacts)
{
    begin("imp-response:voxels=32,probe-voxels=16,impulses=1");
    const alg_answer answer = ask(-0.01, 0);
    cr_expect_eq(counted(&answer, "impulses_count"), 1);
    cr_expect_gt(counted(&answer, "left_count"), 0);
    cr_expect_eq(counted(&answer, "left_count"), counted(&answer, "later_count"));
    end();
}

Test(response_entry, deep_contacts_are_counted)
{
    begin("imp-response:voxels=32,probe-voxels=16");
    const alg_answer answer = ask(-0.04, 0);
    cr_expect_gt(counted(&answer, "deep_count"), 200, "40 mm of voxels of 31 mm");
    end();
}

/** Lists contacts of the sunk cube by an algorithm. */
static uint32_t list(const char *name, alg_contact buffer[ROOM])
{
    const geo_pose pose = geo_pose_make(geo_quat_identity(), vec3_make(0, 0, 0.14));
    alg_answer answer = {.size = sizeof answer, .contacts = buffer, .contact_capacity = ROOM};
    begin(name);
    variant.algorithm->query(state, &pose, &answer);
    end();
    return answer.contact_count;
}

Test(response_entry, contacts_are_those_of_imp)
{
    alg_contact own[ROOM], of_imp[ROOM];
    const uint32_t count = list("imp-response:voxels=32,probe-voxels=16", own);
    cr_assert_gt(count, ROOM);
    cr_expect_eq(count, list("imp:voxels=32,probe-voxels=16", of_imp));
    cr_expect_arr_eq(own, of_imp, sizeof own);
    cr_expect_neq(memcmp(&own[0], &own[1], sizeof *own), 0, "two different contacts");
}
