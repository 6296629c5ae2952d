#include "scenarios/trajectories/pair.h"

#include "geometry/box.h"
#include "geometry/eigen.h"
#include "geometry/pose.h"
#include "geometry/sphere.h"

#include <math.h>

/* Points that may carry the ball: a ball needs four, each round finds one of them or a better. */
enum { CARRIERS_MAX = 48 };

/** The vertex of a face that is farthest from p. */
static vec3 farthest(const geo_mesh *mesh, vec3 p)
{
    vec3 best = p;
    double distance2 = -1;
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int i = 0; i < 3; i++) {
            const vec3 v = mesh->vertices[mesh->faces[f].v[i]];
            const double d2 = vec3_distance2(p, v);
            if (d2 > distance2) {
                distance2 = d2;
                best = v;
            }
        }
    }
    return best;
}

/**
 * The smallest ball: that of a few carriers, to which the farthest vertex is added until it sticks
 * out no more. Widened at last, so that it holds every vertex whenever the rounds end.
 */
static geo_ball bounding_ball(const geo_mesh *mesh, vec3 start)
{
    geo_ball carriers[CARRIERS_MAX];
    geo_ball ball = {start, 0};
    for (size_t n = 0; n < CARRIERS_MAX; n++) {
        const vec3 p = farthest(mesh, ball.centre);
        if (vec3_distance(p, ball.centre) <= ball.radius * (1 + 1e-12)) {
            break;
        }
        carriers[n] = (geo_ball){p, 0};
        ball = geo_ball_enclose(carriers, n + 1);
    }
    const double reach = vec3_distance(farthest(mesh, ball.centre), ball.centre);
    return (geo_ball){ball.centre, nextafter(reach, INFINITY)};
}

/* --- Principal axes --------------------------------------------------------------------------- */

/**
 * Second moments of the surface about `centre`: of a triangle, with corners v,
 * area / 12 (sum v v^T + (sum v) (sum v)^T).
 */
static mat3 surface_moments(const geo_mesh *mesh, vec3 centre)
{
    mat3 m = {0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 v[3] = {vec3_sub(t.p[0], centre), vec3_sub(t.p[1], centre),
                           vec3_sub(t.p[2], centre)};
        const vec3 sum = vec3_add(vec3_add(v[0], v[1]), v[2]);
        const double area = vec3_norm(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
        for (int i = 0; i < 3; i++) {
            vec3 row = vec3_scale(vec3_get(v[0], i), v[0]);
            row = vec3_madd(row, vec3_get(v[1], i), v[1]);
            row = vec3_madd(row, vec3_get(v[2], i), v[2]);
            row = vec3_madd(row, vec3_get(sum, i), sum);
            m.row[i] = vec3_madd(m.row[i], area, row);
        }
    }
    return m;
}

/** Eigenvectors of the moments, those of the largest first, as columns of a rotation. */
static geo_quat principal_axes(const geo_mesh *mesh, vec3 centre)
{
    const geo_eigen e = geo_eigen_symmetric(surface_moments(mesh, centre));
    const mat3 transposed = {{e.vector[0], e.vector[1], e.vector[2]}};
    return geo_quat_from_matrix(mat3_transpose(transposed));
}

scn_pair scn_pair_make(const geo_mesh *a, bool solid_a, const geo_mesh *b, bool solid_b)
{
    const geo_box box_a = geo_mesh_box(a), box_b = geo_mesh_box(b);
    const geo_mesh_measure measure_a = geo_mesh_measures(a), measure_b = geo_mesh_measures(b);
    return (scn_pair){
        .box_a = box_a,
        .box_b = box_b,
        .ball_a = bounding_ball(a, geo_box_centre(box_a)),
        .ball_b = bounding_ball(b, geo_box_centre(box_b)),
        .area_a_m2 = measure_a.area_m2,
        .area_b_m2 = measure_b.area_m2,
        .volume_a_m3 = solid_a ? measure_a.volume_m3 : 0,
        .volume_b_m3 = solid_b ? measure_b.volume_m3 : 0,
        .axes_a = principal_axes(a, geo_box_centre(box_a)),
        .axes_b = principal_axes(b, geo_box_centre(box_b)),
    };
}
