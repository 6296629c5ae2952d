#include "algorithms/ist/pairs.h"

#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <string.h>

static const uint64_t no_key = UINT64_MAX;

base_status alg_ist_pairs_bind(const alg_ist_body *a, const alg_ist_body *b,
                               const alg_request *request, base_arena *arena, alg_ist_pairs *pairs,
                               base_error *err)
{
    *pairs = (alg_ist_pairs){.a = a, .b = b};
    if (request->pairs_max == 0 || !(request->wanted & ALG_WANT_CONTACT)) {
        return BASE_OK;
    }
    pairs->most =
        request->pairs_max > ALG_IST_PAIRS_COUNTED ? request->pairs_max : ALG_IST_PAIRS_COUNTED;
    pairs->found = base_arena_alloc(arena, 2 * (size_t)pairs->most, sizeof *pairs->found);
    return pairs->found ? BASE_OK
                        : base_fail(err, BASE_ERR_MEMORY, "out of memory for a list of %u pairs",
                                    pairs->most);
}

/**
 * Returns the entry of a pair in the hash table: its own, or the free one where it would be
 * inserted.
 */
static uint64_t *find_place(const alg_ist_pairs *p, uint64_t key)
{
    const size_t size = 2 * (size_t)p->most;
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) % size;
    while (p->found[at] != no_key && p->found[at] != key) {
        at = at + 1 < size ? at + 1 : 0;
    }
    return &p->found[at];
}

/** Adds the pair to the list if it intersects and is not listed yet; tb is in A's frame. */
static void test_pair(alg_ist_pairs *p, uint32_t face_a, uint32_t face_b, geo_triangle tb)
{
    const geo_triangle ta = geo_mesh_triangle(&p->a->mesh, face_a);
    geo_common common;
    if (!geo_box_overlap(geo_box_of_triangle(ta), geo_box_of_triangle(tb))) {
        return;
    }
    uint64_t *const place = find_place(p, (uint64_t)face_a << 32 | face_b);
    if (*place != no_key || !geo_triangle_common(ta, tb, &common)) {
        return;
    }
    *place = (uint64_t)face_a << 32 | face_b;
    alg_answer *const answer = p->answer;
    if (answer->pair_count < answer->pair_capacity) {
        answer->pairs[answer->pair_count] = (alg_face_pair){face_a, face_b, common.from, common.to};
    }
    answer->pair_count++;
}

static alg_ist_faces faces_of(const alg_ist_body *body, uint32_t leaf)
{
    return body->skin ? alg_ist_owned(body->skin, leaf)
                      : (alg_ist_faces){&body->solid.faces[leaf], 1};
}

/** Tests the triangles of two spheres if any of the spheres' balls overlap. */
static void test_leaves(alg_ist_walk *walk, uint32_t a, uint32_t b)
{
    alg_ist_pairs *const p = walk->context;
    const vec3 cb = geo_pose_apply(walk->pose, walk->b->spheres[b].centre);
    const double apart = vec3_distance(walk->a->spheres[a].centre, cb) -
                         alg_ist_sphere_reach(walk->a, a) - alg_ist_sphere_reach(walk->b, b);
    if (apart > walk->rounding) {
        return;
    }
    const alg_ist_faces of_a = faces_of(p->a, a), of_b = faces_of(p->b, b);
    for (uint32_t j = 0; j < of_b.count && walk->seeking; j++) {
        const geo_triangle tb =
            geo_pose_apply_triangle(p->pose, geo_mesh_triangle(&p->b->mesh, of_b.faces[j]));
        for (uint32_t i = 0; i < of_a.count && walk->seeking; i++) {
            test_pair(p, of_a.faces[i], of_b.faces[j], tb);
            walk->seeking = p->answer->pair_count < p->most;
        }
    }
}

void alg_ist_list_pairs(alg_ist_pairs *pairs, alg_ist_node_pair *stack, const geo_pose *pose,
                        alg_answer *answer)
{
    if (!pairs->found || answer->pair_capacity == 0) {
        return;
    }
    memset(pairs->found, 0xff, 2 * (size_t)pairs->most * sizeof *pairs->found);
    pairs->pose = pose;
    pairs->answer = answer;
    alg_ist_walk walk = {.a = &pairs->a->solid,
                         .b = &pairs->b->solid,
                         .pose = pose,
                         .radius = ALG_IST_FAR,
                         .seeking = true,
                         .nearest = 0, /* visits all pairs of leaves whose balls overlap */
                         .tests_most = UINT64_MAX,
                         .decide = test_leaves,
                         .context = pairs,
                         .stack = stack};
    alg_ist_walk_run(&walk);
    answer->answered |= ALG_HAS_PAIRS;
}
