#include "suite/results/witness.h"

#include "base/elementary.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"

#include <float.h>
#include <math.h>

/** Returns the distance of a point from a surface, both in the frame of the body. */
static double off_surface(const gt_body *body, vec3 p)
{
    return sqrt(geo_surface_closest(&body->shell.surface, p, UINT32_MAX).distance2);
}

bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer)
{
    const uint32_t needed = ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
    if ((answer->answered & needed) != needed || !(answer->distance_m > 0)) {
        return (bench_witness){NAN, NAN, NAN};
    }
    const vec3 on_a = answer->witness_a, on_b = answer->witness_b;
    /* The inverse pose has rounding errors relative to the coordinates that it subtracts. */
    const geo_pose inverse = geo_pose_inverse(pose);
    const double reach = fmax(gt_pair_reach(a, b, pose), vec3_norm(on_b)) + b->reach;
    return (bench_witness){
        .length_m = fabs(vec3_distance(on_a, on_b) - answer->distance_m),
        .off_m = fmax(off_surface(a, on_a), off_surface(b, geo_pose_apply(&inverse, on_b))),
        .slack_m = 64 * DBL_EPSILON * reach,
    };
}

static bool finite3(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/**
 * Returns the angle between a normal and that of a face, in degrees; NaN if either has length 0.
 */
static double angle_to_face_deg(const geo_mesh *mesh, uint32_t face, vec3 normal)
{
    static const double degrees = 180 / 3.14159265358979323846;
    const uint32_t *const v = mesh->faces[face].v;
    const vec3 origin = mesh->vertices[v[0]];
    const vec3 n =
        vec3_cross(vec3_sub(mesh->vertices[v[1]], origin), vec3_sub(mesh->vertices[v[2]], origin));
    const double sine = vec3_norm(vec3_cross(n, normal)), cosine = vec3_dot(n, normal);
    return sine == 0 && cosine == 0 ? (double)NAN : degrees * base_atan2(sine, cosine);
}

bench_contacts bench_contacts_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                      const alg_contact *contacts, size_t count)
{
    const geo_pose inverse = geo_pose_inverse(pose);
    double sum_deg = 0, off_m = NAN;
    size_t normals = 0;
    for (size_t i = 0; i < count; i++) {
        const alg_contact *const c = &contacts[i];
        if (!finite3(c->point) || !finite3(c->normal)) {
            continue;
        }
        const geo_closest on_a = geo_surface_closest(&a->shell.surface, c->point, UINT32_MAX);
        const double off_b = off_surface(b, geo_pose_apply(&inverse, c->point));
        off_m = fmax(off_m, fmax(sqrt(on_a.distance2), off_b)); /* fmax ignores NaN */
        const double angle_deg = angle_to_face_deg(a->shell.surface.mesh, on_a.face, c->normal);
        if (!isnan(angle_deg)) {
            sum_deg += angle_deg;
            normals++;
        }
    }
    return (bench_contacts){off_m, normals > 0 ? sum_deg / (double)normals : (double)NAN};
}
