#include "suite/tests/soak_poses.h"

#include "geometry/pose.h"
#include "geometry/vec.h"

#include <math.h>

/** Returns one of the 24 rotations that permute and reverse axes; 12 of them are exact. */
static geo_quat right_angled(base_random *random)
{
    const double h = sqrt(0.5);
    const uint64_t k = base_random_below(random, 12);
    const geo_quat even =
        k < 4 ? (geo_quat){k == 0, k == 1, k == 2, k == 3}
              : (geo_quat){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k >= 8 ? 0.5 : -0.5, 0.5};
    const geo_quat quarter = {0, 0, h, h};
    return base_random_below(random, 2) ? geo_quat_mul(even, quarter) : even;
}

/** Returns the translation that moves B's ball centre to A's, then by `s` along a direction. */
static vec3 place(const scn_pair *view, geo_quat q, vec3 direction, double s)
{
    const vec3 turned = mat3_mul_vec3(geo_quat_matrix(q), view->ball_b.centre);
    return vec3_sub(vec3_madd(view->ball_a.centre, s, direction), turned);
}

/**
 * Returns the first s at which B comes within `near` of A on its way inwards; a random s if B
 * passes A.
 */
static double approach(const bench_pair *pair, geo_quat q, vec3 direction, double near,
                       base_random *random)
{
    const scn_pair *const view = &pair->sampler_view;
    const double far = view->ball_a.radius + view->ball_b.radius;
    double s = far;
    for (int i = 0; i < 200 && s > -far; i++) {
        const geo_pose pose = bench_pair_pose(pair, place(view, q, direction, s), q);
        gt_distance d;
        gt_distance_query(pair->a.truth, pair->b.truth, &pose, &d);
        if (d.distance_m.hi <= near) {
            return s;
        }
        s -= fmax(d.distance_m.lo, 0.1 * near);
    }
    return far * base_random_unit(random);
}

static double extent(geo_box box)
{
    const vec3 edges = vec3_sub(box.hi, box.lo);
    return fmin(edges.x, fmin(edges.y, edges.z));
}

/**
 * A pose from contact inwards, up to half the smaller body's least extent; small steps are more
 * likely.
 */
static soak_spot deep_spot(const bench_pair *pair, base_random *random)
{
    const scn_pair *const view = &pair->sampler_view;
    const geo_quat q = geo_random_rotation(random);
    const vec3 direction = geo_random_direction(random);
    const double s = approach(pair, q, direction, 1e-6 * pair->diagonal_a, random);
    const double u = base_random_unit(random);
    const double depth = 0.5 * u * u * fmin(extent(view->box_a), extent(view->box_b));
    return (soak_spot){place(view, q, direction, s - depth), q, false};
}

/** A pose in contact, with relative deviations from 1e-6 down to the last digits. */
static soak_spot grazing_spot(const bench_pair *pair, base_random *random)
{
    static const double parts[] = {1e-6, 1e-9, 1e-12, 1e-14, 1e-15, 1e-16, 0};
    const geo_quat q =
        base_random_below(random, 2) ? right_angled(random) : geo_random_rotation(random);
    const vec3 direction = geo_random_direction(random);
    const double size = pair->diagonal_a;
    const double s = approach(pair, q, direction, 1e-14 * size, random);
    const double part = parts[base_random_below(random, sizeof parts / sizeof *parts)];
    const double off = part * size * base_random_range(random, -1, 1);
    return (soak_spot){place(&pair->sampler_view, q, direction, s + off), q, true};
}

/** Any pose within reach. */
static soak_spot any_spot(const bench_pair *pair, base_random *random)
{
    const scn_pair *const view = &pair->sampler_view;
    const geo_quat q = geo_random_rotation(random);
    const vec3 direction = geo_random_direction(random);
    const double s = (view->ball_a.radius + view->ball_b.radius) * base_random_unit(random);
    return (soak_spot){place(view, q, direction, s), q, false};
}

/**
 * Sides or centres of the boxes are in planes of a lattice with a quarter of A's box as spacing.
 */
static soak_spot lattice_spot(const bench_pair *pair, base_random *random)
{
    const scn_pair *const view = &pair->sampler_view;
    const geo_quat q = right_angled(random);
    const mat3 rotation = geo_quat_matrix(q);
    const geo_box turned =
        geo_box_add(geo_box_add(geo_box_empty(), mat3_mul_vec3(rotation, view->box_b.lo)),
                    mat3_mul_vec3(rotation, view->box_b.hi));
    double t[3];
    for (int axis = 0; axis < 3; axis++) {
        const double lo = vec3_get(view->box_a.lo, axis), hi = vec3_get(view->box_a.hi, axis);
        const double plane = lo + 0.25 * (double)base_random_below(random, 5) * (hi - lo);
        const double b_lo = vec3_get(turned.lo, axis), b_hi = vec3_get(turned.hi, axis);
        const uint64_t anchor = base_random_below(random, 3);
        t[axis] = plane - (anchor == 0 ? b_lo : anchor == 1 ? b_hi : 0.5 * (b_lo + b_hi));
    }
    return (soak_spot){vec3_make(t[0], t[1], t[2]), q, true};
}

/**
 * A vertex of B is on a vertex of A. In most cases the axes agree; sometimes it is the same vertex.
 */
static soak_spot vertex_spot(const bench_pair *pair, base_random *random)
{
    const geo_mesh *const a = &pair->a.mesh, *const b = &pair->b.mesh;
    const uint64_t way = base_random_below(random, 4);
    const geo_quat q = way == 0   ? geo_random_rotation(random)
                       : way == 1 ? geo_quat_identity()
                                  : right_angled(random);
    const size_t i = (size_t)base_random_below(random, a->vertex_count);
    const bool same = i < b->vertex_count && base_random_below(random, 8) == 0;
    const size_t j = same ? i : (size_t)base_random_below(random, b->vertex_count);
    const vec3 on = vec3_add(a->vertices[i], pair->centre_a);
    return (soak_spot){vec3_sub(on, mat3_mul_vec3(geo_quat_matrix(q), b->vertices[j])), q, true};
}

soak_spot soak_spot_make(const bench_pair *pair, size_t index, base_random *random)
{
    switch (index % 8) {
    case 0:
    case 1:
    case 2:
        return deep_spot(pair, random);
    case 3:
        return any_spot(pair, random);
    case 4:
        return grazing_spot(pair, random);
    case 5:
    case 6:
        return lattice_spot(pair, random);
    default:
        return vertex_spot(pair, random);
    }
}
