#include "algorithms/ist/nearby.h"

#include "geometry/box.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <string.h>

const char *const alg_ist_nearby_counters[] = {
    [ALG_IST_NEARBY_BALLS] = "bv_tests_count",
    [ALG_IST_NEARBY_LEAVES] = "primitive_tests_count",
    [ALG_IST_NEARBY_NODES] = "nodes_count",
    [ALG_IST_NEARBY_TRIANGLES] = "triangle_tests_count",
    [ALG_IST_NEARBY_COUNT] = NULL,
};

base_status alg_ist_nearby_bind(const alg_ist_body *a, const alg_ist_body *b, bool coherent,
                                unsigned wanted, base_arena *arena, alg_ist_nearby *n,
                                base_error *err)
{
    *n = (alg_ist_nearby){.a = a, .b = b, .wanted = wanted};
    n->spheres = (alg_ist_pair){
        .centroid_b = b->centroid, .coherent = coherent, .wanted = ALG_WANT_DISTANCE};
    return alg_ist_pair_bind(&a->solid, &b->solid, arena, &n->spheres, err);
}

void alg_ist_nearby_reset(alg_ist_nearby *n)
{
    alg_ist_pair_reset(&n->spheres);
}

bool alg_ist_nearby_begin(alg_ist_nearby *n, const geo_pose *pose, alg_answer *answer)
{
    const vec3 t = vec3_abs(pose->translation);
    n->pose = pose;
    n->slack = 64 * 0x1p-52 *
               (alg_ist_extent(&n->a->solid.tree) + alg_ist_extent(&n->b->solid.tree) +
                fmax(t.x, fmax(t.y, t.z)));
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

static alg_ist_face_pair measure_faces(const alg_ist_nearby *n, uint32_t face_a, uint32_t face_b)
{
    alg_ist_face_pair pair = {.a = face_a, .b = face_b};
    const geo_mesh *const a = &n->a->skin->shell.mesh, *const b = &n->b->skin->shell.mesh;
    const geo_triangle ta = geo_mesh_triangle(a, face_a);
    const geo_triangle tb = geo_pose_apply_triangle(n->pose, geo_mesh_triangle(b, face_b));
    if (geo_box_overlap(geo_box_of_triangle(ta), geo_box_of_triangle(tb)) &&
        geo_triangle_intersect(ta, tb)) {
        pair.witness_a = pair.witness_b = alg_common_point(ta, tb);
    } else {
        pair.distance2 = geo_triangle_distance2(ta, tb, &pair.witness_a, &pair.witness_b);
    }
    return pair;
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
    const alg_ist_face_pair pair = measure_faces(n, face_a, face_b);
    const bool first = face_a < n->best.a || (face_a == n->best.a && face_b < n->best.b);
    if (pair.distance2 < n->best.distance2 || (pair.distance2 == n->best.distance2 && first)) {
        n->best = pair;
    }
}

void alg_ist_nearby_approach(alg_ist_nearby *n, uint32_t rounds)
{
    const geo_pose inverse = geo_pose_inverse(n->pose);
    const geo_surface *const a = &n->a->skin->shell.surface, *const b = &n->b->skin->shell.surface;
    for (uint32_t i = 0; i < rounds && n->best.distance2 > 0; i++) {
        const geo_closest on_a = geo_surface_closest(a, n->best.witness_b, n->best.a);
        const geo_closest on_b =
            geo_surface_closest(b, geo_pose_apply(&inverse, on_a.point), n->best.b);
        const alg_ist_face_pair next = measure_faces(n, on_a.face, on_b.face);
        if (!(next.distance2 < n->best.distance2)) {
            return;
        }
        n->best = next;
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
