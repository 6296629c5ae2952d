#include "scenarios/trajectories/pair.h"

#include "geometry/box.h"
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

/* Each sweep of Jacobi's method squares what is left off the diagonal, about. */
enum { SWEEPS = 12 };

/** A matrix that is indexed. */
typedef struct square {
    double at[3][3];
} square;

/**
 * Second moments of the surface about `centre`: of a triangle, with corners v,
 * area / 12 (sum v v^T + (sum v) (sum v)^T).
 */
static square surface_moments(const geo_mesh *mesh, vec3 centre)
{
    square m = {0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 v[3] = {vec3_sub(t.p[0], centre), vec3_sub(t.p[1], centre),
                           vec3_sub(t.p[2], centre)};
        const vec3 sum = vec3_add(vec3_add(v[0], v[1]), v[2]);
        const double area = vec3_norm(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                m.at[i][k] +=
                    area *
                    (vec3_get(v[0], i) * vec3_get(v[0], k) + vec3_get(v[1], i) * vec3_get(v[1], k) +
                     vec3_get(v[2], i) * vec3_get(v[2], k) + vec3_get(sum, i) * vec3_get(sum, k));
            }
        }
    }
    return m;
}

/** Turns rows and columns p and q of m, and the columns of `axes`, so that m.at[p][q] is 0. */
static void jacobi_turn(square *m, square *axes, int p, int q)
{
    const double off = m->at[p][q];
    if (off == 0) {
        return;
    }
    const double theta = (m->at[q][q] - m->at[p][p]) / (2 * off);
    const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < 3; i++) {
        const double ip = m->at[i][p], iq = m->at[i][q];
        m->at[i][p] = c * ip - s * iq;
        m->at[i][q] = s * ip + c * iq;
    }
    for (int i = 0; i < 3; i++) {
        const double pi = m->at[p][i], qi = m->at[q][i];
        m->at[p][i] = c * pi - s * qi;
        m->at[q][i] = s * pi + c * qi;
        const double ap = axes->at[i][p], aq = axes->at[i][q];
        axes->at[i][p] = c * ap - s * aq;
        axes->at[i][q] = s * ap + c * aq;
    }
}

/** Eigenvectors of the moments, those of the largest first, as columns of a rotation. */
static geo_quat principal_axes(const geo_mesh *mesh, vec3 centre)
{
    square m = surface_moments(mesh, centre);
    square axes = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
    };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        jacobi_turn(&m, &axes, 0, 1);
        jacobi_turn(&m, &axes, 0, 2);
        jacobi_turn(&m, &axes, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (m.at[order[k]][order[k]] < m.at[order[k + 1]][order[k + 1]]) {
                const int other = order[k];
                order[k] = order[k + 1];
                order[k + 1] = other;
            }
        }
    }
    vec3 column[2];
    for (int k = 0; k < 2; k++) {
        column[k] = vec3_normalize(
            vec3_make(axes.at[0][order[k]], axes.at[1][order[k]], axes.at[2][order[k]]));
    }
    const mat3 transposed = {
        {column[0], column[1], vec3_cross(column[0], column[1])}
    };
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
