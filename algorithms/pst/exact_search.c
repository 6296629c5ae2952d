#include "algorithms/pst/exact_search.h"

#include "base/simd.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

base_status alg_pst_exact_search_bind(alg_pst_exact_search *search, base_arena *arena,
                                      base_error *err)
{
    search->seen = base_arena_alloc(arena, ALG_PST_SEEN, sizeof *search->seen);
    if (!search->seen) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a search of triangles");
    }
    for (int side = 0; side < 2; side++) {
        search->reach[side] = geo_box_reach(geo_mesh_box(search->mesh[side]));
    }
    search->query = 0;
    return BASE_OK;
}

/** Returns the pose from the parts' frame to the tree's, relative to the tree's origin. */
static geo_pose pose_to_tree(const alg_pst_exact_search *search)
{
    geo_pose pose = search->moving ? geo_pose_inverse(&search->pose) : search->pose;
    pose.translation = vec3_sub(pose.translation, search->tree->origin);
    return pose;
}

/** Transforms a direction from A's frame to the tree's. */
static vec3 to_tree_frame(const alg_pst_exact_search *search, vec3 direction)
{
    return search->moving ? mat3_tmul_vec3(search->pose.rotation, direction) : direction;
}

void alg_pst_exact_search_begin(alg_pst_exact_search *search, const geo_pose *pose, double bound,
                                vec3 axis)
{
    search->pose = geo_pose_settled(pose);
    search->to_tree = pose_to_tree(search);
    search->error =
        128 * DBL_EPSILON * (search->reach[0] + search->reach[1] + vec3_norm(pose->translation));
    search->bound = bound;
    search->axis = to_tree_frame(search, axis);
    search->intersect = false;
    search->face[0] = search->face[1] = UINT32_MAX;
    search->distance2 = INFINITY;
    search->nodes = 0;
    search->triangles = 0;
    search->query++;
}

/** Returns true if a pair is nearer than the best, or equally near with smaller faces, first A's,
 * then B's. */
static bool is_better(const alg_pst_exact_search *search, uint32_t face, uint32_t other,
                      double distance2)
{
    if (distance2 != search->distance2) {
        return distance2 < search->distance2;
    }
    const uint32_t now[2] = {face, other}, *const best = search->face;
    const int a = search->moving;
    return now[a] < best[a] || (now[a] == best[a] && now[!a] < best[!a]);
}

bool alg_pst_exact_search_note(alg_pst_exact_search *search, uint32_t face, uint32_t other,
                               double distance2, bool intersect)
{
    if (search->intersect || (!intersect && !is_better(search, face, other, distance2))) {
        return false;
    }
    search->intersect = intersect;
    search->distance2 = intersect ? 0 : distance2;
    search->face[0] = face;
    search->face[1] = other;
    return true;
}

void alg_pst_exact_search_aim(alg_pst_exact_search *search)
{
    geo_triangle t[2];
    for (int side = 0; side < 2; side++) {
        t[side] = alg_pst_exact_search_moved(
            search, side, geo_mesh_triangle(search->mesh[side], search->face[side]));
    }
    vec3 at[2];
    geo_triangle_distance2(t[0], t[1], &at[0], &at[1]);
    search->axis = to_tree_frame(search, vec3_normalize(vec3_sub(at[1], at[0])));
}

void alg_pst_exact_search_pair(alg_pst_exact_search *search, uint32_t face, uint32_t other)
{
    const geo_triangle t =
        alg_pst_exact_search_moved(search, 0, geo_mesh_triangle(search->mesh[0], face));
    const geo_triangle o =
        alg_pst_exact_search_moved(search, 1, geo_mesh_triangle(search->mesh[1], other));
    search->triangles++;
    const bool intersect = geo_triangle_intersect(t, o);
    const double distance2 = intersect ? 0 : geo_triangle_distance2(t, o, NULL, NULL);
    if (alg_pst_exact_search_note(search, face, other, distance2, intersect) && !intersect) {
        alg_pst_exact_search_aim(search);
    }
}

void alg_pst_exact_search_parts(alg_pst_exact_search *search, const uint32_t *parts, uint32_t count)
{
    if (!search->intersect) {
        (base_cpu_avx2() ? alg_pst_exact_search_avx2 : alg_pst_exact_search_sse2)(search, parts,
                                                                                  count);
    }
}
