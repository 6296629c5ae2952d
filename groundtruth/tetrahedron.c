#include "groundtruth/tetrahedron.h"

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
        .x = {n[0].x,    n[1].x,            n[2].x, n[3].x},
        .y = {n[0].y,   n[1].y,                    n[2].y, n[3].y},
        .z = {n[0].z, n[1].z,n[2].z, n[3].z},
        .corner_x = {t->p[1].x,         t->p[0].x                    },
        .corner_y = {t->p[1].y,   t->p[0].y                     },
        .corner_z = {t->p[1].z, t->p[0].z},
    };
}

/** The planes in the order in which they cut. */
typedef struct cuts {
    int plane[4];
    int count;
} cuts;

/** Where an edge meets a plane: the point, and the parts of the edge on both sides of it. */
typedef struct meeting {
    gt_sides at;
    double in, out; /* sum 1 */
} meeting;

static double part(const cuts *c, int next, const gt_sides *const corner[4]);

/** From a corner inside of the plane before `next` to one outside. */
static meeting meet(const cuts *c, int next, const gt_sides *inside, const gt_sides *outside)
{
    const int k = c->plane[next - 1];
    const double length = inside->side[k] - outside->side[k];
    meeting m = {.in = inside->side[k] / length, .out = -outside->side[k] / length};
    if (next < c->count) {
        const f64x2 in = f64x2_set(m.in), out = f64x2_set(m.out);
        for (int i = 0; i < 4; i += 2) {
            const f64x2 from = f64x2_mul(out, f64x2_load(inside->side + i));
            const f64x2 to = f64x2_mul(in, f64x2_load(outside->side + i));
            f64x2_store(m.at.side + i, f64x2_add(from, to));
        }
    }
    return m;
}

/** One corner inside: a smaller tetrahedron at that corner. */
static double part_one(const cuts *c, int next, const gt_sides *const q[4])
{
    const meeting ab = meet(c, next, q[0], q[1]);
    const meeting ac = meet(c, next, q[0], q[2]);
    const meeting ad = meet(c, next, q[0], q[3]);
    const gt_sides *const rest[4] = {q[0], &ab.at, &ac.at, &ad.at};
    return ab.in * ac.in * ad.in * part(c, next, rest);
}

/** Corners a, b inside: a wedge over the edge a-b, three tetrahedra. */
static double part_two(const cuts *c, int next, const gt_sides *const q[4])
{
    const meeting ac = meet(c, next, q[0], q[2]);
    const meeting ad = meet(c, next, q[0], q[3]);
    const meeting bc = meet(c, next, q[1], q[2]);
    const meeting bd = meet(c, next, q[1], q[3]);
    const gt_sides *const first[4] = {q[0], q[1], &ac.at, &ad.at};
    const gt_sides *const second[4] = {&ac.at, q[1], &bc.at, &bd.at};
    const gt_sides *const third[4] = {&ad.at, q[1], &ac.at, &bd.at};
    return ac.in * ad.in * part(c, next, first) + ac.out * bc.in * bd.in * part(c, next, second) +
           ac.in * ad.out * bd.in * part(c, next, third);
}

/** Corners a, b, c inside: a prism under the corner d, three tetrahedra. */
static double part_three(const cuts *c, int next, const gt_sides *const q[4])
{
    const meeting ad = meet(c, next, q[0], q[3]);
    const meeting bd = meet(c, next, q[1], q[3]);
    const meeting cd = meet(c, next, q[2], q[3]);
    const gt_sides *const first[4] = {q[0], q[1], q[2], &ad.at};
    const gt_sides *const second[4] = {&ad.at, q[1], q[2], &bd.at};
    const gt_sides *const third[4] = {&ad.at, &bd.at, q[2], &cd.at};
    return ad.in * part(c, next, first) + ad.out * bd.in * part(c, next, second) +
           ad.out * bd.out * cd.in * part(c, next, third);
}

static double part(const cuts *c, int next, const gt_sides *const corner[4])
{
    for (; next < c->count; next++) {
        const gt_sides *sorted[4]; /* inside first */
        int inside = 0, outside = 4;
        for (int i = 0; i < 4; i++) {
            if (corner[i]->side[c->plane[next]] > 0) {
                sorted[inside++] = corner[i];
            } else {
                sorted[--outside] = corner[i];
            }
        }
        switch (inside) {
        case 0:
            return 0;
        case 1:
            return part_one(c, next + 1, sorted);
        case 2:
            return part_two(c, next + 1, sorted);
        case 3:
            return part_three(c, next + 1, sorted);
        default:
            break;
        }
    }
    return 1;
}

double gt_tetrahedron_part(const gt_sides corners[4], unsigned planes)
{
    /* Planes that leave the least go first; those with everything inside never cut. */
    int inside[4];
    for (int k = 0; k < 4; k++) {
        inside[k] = 0;
        for (int i = 0; i < 4; i++) {
            inside[k] += corners[i].side[k] > 0;
        }
    }
    cuts order = {.count = 0};
    for (int wanted = 0; wanted < 4; wanted++) {
        for (int k = 0; k < 4; k++) {
            if (inside[k] == wanted && (planes >> k & 1) != 0) {
                order.plane[order.count++] = k;
            }
        }
    }
    const gt_sides *const all[4] = {&corners[0], &corners[1], &corners[2], &corners[3]};
    return part(&order, 0, all);
}
