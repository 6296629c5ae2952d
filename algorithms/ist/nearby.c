#include "algorithms/ist/nearby.h"

#include "algorithms/support.h"
#include "geometry/pose.h"

#include <string.h>

const char *const alg_ist_nearby_counters[] = {
    [ALG_IST_NEARBY_BALLS] = "bv_tests_count",
    [ALG_IST_NEARBY_LEAVES] = "primitive_tests_count",
    [ALG_IST_NEARBY_NODES] = "nodes_count",
    [ALG_IST_NEARBY_TRIANGLES] = "triangle_tests_count",
    [ALG_IST_NEARBY_COUNT] = NULL,
};

alg_status alg_ist_nearby_bind(const alg_ist_body *a, const alg_ist_body *b, bool coherent,
                               unsigned wanted, base_arena *arena, alg_ist_nearby *n,
                               alg_message *message)
{
    alg_ist_entry *const stack =
        base_arena_alloc(arena, alg_ist_stack_size(&a->tree, &b->tree), sizeof *stack);
    if (!stack) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a traversal");
    }
    *n = (alg_ist_nearby){.a = a, .b = b, .wanted = wanted};
    n->spheres = (alg_ist_pair){.a = &a->tree,
                                .b = &b->tree,
                                .centroid_b = b->centroid,
                                .coherent = coherent,
                                .wanted = ALG_WANT_DISTANCE,
                                .stack = stack};
    alg_ist_nearby_reset(n);
    return ALG_OK;
}

void alg_ist_nearby_reset(alg_ist_nearby *n)
{
    n->spheres.last[0] = n->spheres.last[1] = ALG_IST_NOBODY;
}

bool alg_ist_nearby_begin(alg_ist_nearby *n, const geo_pose *pose, alg_answer *answer)
{
    const vec3 t = vec3_abs(pose->translation);
    n->pose = pose;
    n->slack =
        64 * 0x1p-52 *
        (alg_ist_extent(&n->a->tree) + alg_ist_extent(&n->b->tree) + fmax(t.x, fmax(t.y, t.z)));
    n->best = (alg_ist_face_pair){.distance2 = INFINITY};
    n->triangle_tests = 0;
    memset(n->seen, 0xff, sizeof n->seen);
    alg_ist_query(&n->spheres, pose, answer);
    answer->counters[ALG_IST_NEARBY_TRIANGLES] = 0;
    if (n->wanted & ALG_WANT_CONTACT) {
        answer->answered |= ALG_HAS_CONTACT;
    }
    return answer->distance_m > 0;
}

void alg_ist_nearby_measure(alg_ist_nearby *n, uint32_t face_a, uint32_t face_b)
{
    const uint64_t key = (uint64_t)face_a << 32 | face_b;
    uint64_t *const place = &n->seen[(key * 0x9e3779b97f4a7c15u) >> 55];
    _Static_assert(ALG_IST_SEEN == 1 << (64 - 55), "as many places as the shift leaves");
    if (*place == key) {
        return;
    }
    *place = key;
    n->triangle_tests++;
    const alg_ist_face_pair pair =
        alg_ist_measure_faces(n->a->skin, n->b->skin, n->pose, face_a, face_b);
    const bool first = face_a < n->best.a || (face_a == n->best.a && face_b < n->best.b);
    if (pair.distance2 < n->best.distance2 || (pair.distance2 == n->best.distance2 && first)) {
        n->best = pair;
    }
}

void alg_ist_nearby_count(alg_ist_nearby *n, const alg_ist_walk *walk, alg_answer *answer)
{
    answer->counters[ALG_IST_NEARBY_BALLS] += walk->counters[ALG_IST_COUNT_BALLS];
    answer->counters[ALG_IST_NEARBY_LEAVES] += walk->counters[ALG_IST_COUNT_LEAVES];
    answer->counters[ALG_IST_NEARBY_NODES] += walk->counters[ALG_IST_COUNT_NODES];
    answer->counters[ALG_IST_NEARBY_TRIANGLES] = n->triangle_tests;
}

void alg_ist_nearby_answer(const alg_ist_nearby *n, alg_answer *answer)
{
    answer->distance_m = sqrt(n->best.distance2);
    answer->witness_a = n->best.witness_a;
    answer->witness_b = n->best.witness_b;
    answer->colliding = answer->distance_m == 0;
}
