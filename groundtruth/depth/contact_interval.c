#include "groundtruth/depth/contact_interval.h"

typedef struct cut {
    vec3 a[3], b[3], u;
    double widen;
    gt_interval left;
} cut;

static gt_interval project(const vec3 p[3], vec3 axis)
{
    const double x = vec3_dot(axis, p[0]), y = vec3_dot(axis, p[1]), z = vec3_dot(axis, p[2]);
    const double lo = x < y ? x : y, hi = x < y ? y : x;
    return (gt_interval){lo < z ? lo : z, hi > z ? hi : z};
}

/** Cuts to the translations whose shadows on the axis overlap; returns whether any are left. */
static bool cut_by(cut *c, vec3 axis)
{
    const double length = vec3_norm(axis);
    if (!(length > 0)) {
        return true;
    }
    const vec3 n = vec3_scale(1 / length, axis);
    const gt_interval a = project(c->a, n), b = project(c->b, n);
    const double speed = vec3_dot(n, c->u);
    const double down = a.from - c->widen - b.to, up = a.to + c->widen - b.from;
    if (speed == 0) {
        c->left.to = down <= 0 && up >= 0 ? c->left.to : -(double)INFINITY;
        return c->left.from <= c->left.to;
    }
    const double first = (speed > 0 ? down : up) / speed, last = (speed > 0 ? up : down) / speed;
    c->left.from = first > c->left.from ? first : c->left.from;
    c->left.to = last < c->left.to ? last : c->left.to;
    return c->left.from <= c->left.to;
}

static bool cut_by_all(cut *c)
{
    for (int k = 0; k < 3; k++) {
        if (!cut_by(c, (vec3){k == 0, k == 1, k == 2})) {
            return false;
        }
    }
    vec3 edges_a[3], edges_b[3];
    for (int k = 0; k < 3; k++) {
        edges_a[k] = vec3_sub(c->a[(k + 1) % 3], c->a[k]);
        edges_b[k] = vec3_sub(c->b[(k + 1) % 3], c->b[k]);
    }
    const vec3 normal_a = vec3_cross(edges_a[0], edges_a[1]);
    const vec3 normal_b = vec3_cross(edges_b[0], edges_b[1]);
    if (!cut_by(c, normal_a) || !cut_by(c, normal_b)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        /* Within the planes: the facets of triangles that are parallel. */
        if (!cut_by(c, vec3_cross(normal_a, edges_a[i])) ||
            !cut_by(c, vec3_cross(normal_b, edges_b[i]))) {
            return false;
        }
        for (int j = 0; j < 3; j++) {
            if (!cut_by(c, vec3_cross(edges_a[i], edges_b[j]))) {
                return false;
            }
        }
    }
    return true;
}

gt_interval gt_contact_interval(const geo_triangle *a, const geo_triangle *b, vec3 u, double widen)
{
    const gt_interval none = {1, 0};
    cut c = {
        .u = u, .widen = widen, .left = {-(double)INFINITY, (double)INFINITY}
    };
    for (int k = 0; k < 3; k++) {
        c.a[k] = vec3_sub(a->p[k], a->p[0]);
        c.b[k] = vec3_sub(b->p[k], a->p[0]);
    }
    return cut_by_all(&c) ? c.left : none;
}
