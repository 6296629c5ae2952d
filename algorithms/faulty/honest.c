#include "algorithms/faulty/honest.h"

#include "algorithms/life.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <math.h>

/** Returns a coordinate by the number of its axis. */
static double on_axis(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static vec3 along_axis(int axis, double length)
{
    return (vec3){axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}

honest_pair honest_pair_make(const alg_mesh *a, const alg_mesh *b, const geo_pose *pose)
{
    honest_pair pair = {a, b, pose, geo_box_empty()};
    for (size_t i = 0; i < b->vertex_count; i++) {
        pair.moved = geo_box_add(pair.moved, geo_pose_apply(pose, b->vertices[i]));
    }
    return pair;
}

void honest_depth(const honest_pair *pair, alg_answer *answer)
{
    const geo_box a = pair->a->box, b = pair->moved;
    double least = INFINITY;
    for (int way = 0; answer->colliding && way < 6; way++) {
        const int axis = way % 3;
        const double length = way < 3 ? on_axis(a.hi, axis) - on_axis(b.lo, axis)
                                      : on_axis(b.hi, axis) - on_axis(a.lo, axis);
        if (length < least) {
            least = length;
            answer->depth_m = length;
            answer->direction = along_axis(axis, way < 3 ? 1 : -1);
        }
    }
    answer->answered |= ALG_HAS_DEPTH;
}

/**
 * When B moves, the overlap changes where B's surface is inside A. A side of B contributes if its
 * plane is inside A. Its part inside A pushes B inwards, by the area of the part and at its centre.
 */
void honest_force(const honest_pair *pair, alg_answer *answer)
{
    const geo_box a = pair->a->box, b = pair->moved;
    const vec3 lo = vec3_max(a.lo, b.lo), hi = vec3_min(a.hi, b.hi);
    const vec3 centroid = geo_pose_apply(pair->pose, pair->b->centroid);
    for (int side = 0; answer->colliding && side < 6; side++) {
        const int axis = side % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double at = on_axis(side < 3 ? b.hi : b.lo, axis);
        if (at <= on_axis(a.lo, axis) || at >= on_axis(a.hi, axis)) {
            continue;
        }
        const double area =
            (on_axis(hi, next) - on_axis(lo, next)) * (on_axis(hi, last) - on_axis(lo, last));
        const vec3 push = along_axis(axis, side < 3 ? -area : area);
        const vec3 mid = vec3_scale(0.5, vec3_add(lo, hi));
        const vec3 middle = vec3_add(mid, along_axis(axis, at - on_axis(mid, axis)));
        answer->force = vec3_add(answer->force, push);
        answer->torque = vec3_add(answer->torque, vec3_cross(vec3_sub(middle, centroid), push));
    }
    answer->answered |= ALG_HAS_FORCE;
}

void honest_pairs(const honest_pair *pair, alg_answer *answer)
{
    const geo_mesh a = alg_mesh_view(pair->a), b = alg_mesh_view(pair->b);
    for (size_t j = 0; j < b.face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pair->pose, geo_mesh_triangle(&b, j));
        for (size_t i = 0; i < a.face_count; i++) {
            if (!geo_triangle_intersect(geo_mesh_triangle(&a, i), t)) {
                continue;
            }
            if (answer->pair_count < answer->pair_capacity) {
                answer->pairs[answer->pair_count] =
                    (alg_face_pair){.face_a = (uint32_t)i, .face_b = (uint32_t)j};
            }
            answer->pair_count++;
        }
    }
    answer->answered |= ALG_HAS_PAIRS;
}
