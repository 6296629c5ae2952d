#include "groundtruth/volume/tetra/tetrahedron.h"

#include "groundtruth/volume/tetra/clip_kernel.h"

double gt_tetrahedron_volume(const gt_tetrahedron *t)
{
    const vec3 a = vec3_sub(t->p[1], t->p[0]);
    const vec3 b = vec3_sub(t->p[2], t->p[0]);
    const vec3 c = vec3_sub(t->p[3], t->p[0]);
    return vec3_dot(vec3_cross(a, b), c) / 6;
}

gt_planes gt_tetrahedron_planes(const gt_tetrahedron *t)
{
    const vec3 a = vec3_sub(t->p[1], t->p[0]);
    const vec3 b = vec3_sub(t->p[2], t->p[0]);
    const vec3 c = vec3_sub(t->p[3], t->p[0]);
    const vec3 d = vec3_sub(t->p[2], t->p[1]);
    const vec3 e = vec3_sub(t->p[3], t->p[1]);
    const vec3 n[4] = {vec3_cross(e, d), vec3_cross(b, c), vec3_cross(c, a), vec3_cross(a, b)};
    return (gt_planes){
        .x = {n[0].x, n[1].x, n[2].x, n[3].x},
        .y = {n[0].y, n[1].y, n[2].y, n[3].y},
        .z = {n[0].z, n[1].z, n[2].z, n[3].z},
    };
}

void gt_tetrahedron_sides(const gt_tetrahedron *at, const gt_planes *planes,
                          const gt_tetrahedron *of, gt_sides corners[4], unsigned inside[4])
{
    clip_sides(at, planes, of, corners, inside);
}

double gt_tetrahedron_part(const gt_sides corners[4], const unsigned inside[4])
{
    return clip_all(corners, inside);
}
