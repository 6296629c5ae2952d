#include "groundtruth/force/depth_force.h"

#include "base/containers.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"
#include "groundtruth/force/simplex.h"
#include "groundtruth/volume/clip_kernel.h"

#include <float.h>
#include <string.h>

/**
 * The widths of all tetrahedra add up to at most this share of the volume, unless the work limit is
 * reached or the widths are as small as the rounding errors.
 */
#define WIDTH 4e-3

/** A corner counts as inside a prism if it is outside of it by no more than this share of the
 * tetrahedron's radius. */
#define PRISM_SHARE 1e-5

/** A tetrahedron of the overlap, in the frame of the field. */
typedef struct cell {
    gt_simplex s;
    vec3 gradient;    /* estimate of the gradient of the distance */
    double width;     /* bound of the error of the gradient's integral */
    gt_bracket depth; /* bracket of the integral of the distance */
} cell;

struct gt_cells_space {
    gt_field field;
    cell *cells;
    size_t capacity;
    uint64_t *heap; /* owned; the cells by their widths, the widest first */
    size_t heap_capacity;
};

typedef struct task {
    const gt_body *field, *body;
    geo_pose to_field; /* from the frame of the body to that of the field */
    gt_cells_space *space;
    size_t count;
    double corner_m; /* error of the corners */
    base_status status;
    base_error *err;
} task;

gt_cells_space *gt_cells_space_create(void)
{
    return base_alloc(1, sizeof(gt_cells_space));
}

void gt_cells_space_destroy(gt_cells_space *space)
{
    if (space) {
        gt_field_release(&space->field);
        base_free(space->cells);
        base_free(space->heap);
        base_free(space);
    }
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/** Returns how far the corners are outside of the prism across a triangle, at most. 0 if all are
 * inside. */
static double outside_prism(const geo_triangle *t, vec3 normal, const gt_simplex *s)
{
    double most = 0;
    for (int wall = 0; wall < 3; wall++) {
        double height[GT_SIMPLEX_CORNERS];
        gt_prism_heights(t, normal, wall, s, height);
        for (int k = 0; k < s->corners; k++) {
            most = fmax(most, height[k]);
        }
    }
    return most;
}

static double area_of(const gt_simplex *s)
{
    double area = 0;
    for (int i = 0; i < 4; i++) {
        const vec3 p = s->corner[i], q = s->corner[(i + 1) % 4], r = s->corner[(i + 2) % 4];
        area += 0.5 * vec3_norm(vec3_cross(vec3_sub(q, p), vec3_sub(r, p)));
    }
    return area;
}

/**
 * Computes the gradient at m of the distance to a face. Returns a bound of its difference from the
 * gradients of this distance elsewhere on the tetrahedron. If all corners count as inside the prism
 * across the face, raises *outside_m to their largest distance from the prism.
 */
static double gradient_of(const task *q, uint32_t face, const gt_simplex *s, vec3 m, double radius,
                          vec3 *gradient, double *outside_m)
{
    const double rounding = q->space->field.distance_m;
    const geo_triangle t = gt_face_triangle(&q->space->field, face);
    const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
    const vec3 across = vec3_cross(u, v), normal = vec3_normalize(across);
    const vec3 off = vec3_sub(m, geo_triangle_closest(t, m));
    const double distance = vec3_norm(off), side = vec3_dot(normal, off);
    const double normal_error = 0x1p-49 * vec3_norm(u) * vec3_norm(v) / vec3_norm(across);
    const double outside = fabs(side) > rounding ? outside_prism(&t, normal, s) : (double)INFINITY;
    if (outside <= PRISM_SHARE * radius + 4 * rounding) {
        *outside_m = fmax(*outside_m, outside);
        *gradient = vec3_scale(side < 0 ? -1 : 1, normal);
        return normal_error;
    }
    *gradient = vec3_scale(1 / fmax(distance, rounding), off);
    const double least = 2 * distance - radius - 2 * rounding;
    return least > 0 ? 2 * (radius + rounding) / least : 2;
}

/** Fills gradient, width and depth. Makes the list of the simplex, or shortens it. */
static void bound_cell(const task *q, cell *c)
{
    gt_simplex *const s = &c->s;
    gt_field *const field = &q->space->field;
    gt_simplex_bounds parts[GT_PARTS];
    gt_simplex_bound(field, s, -1, parts);
    const gt_simplex_bounds b = parts[0];
    double upper = -gt_bend_sum(&b.dip, 4) / 20, lower = -gt_bend_sum(&b.sag, 4) / 20, radius = 0;
    vec3 middle = {0, 0, 0}, gradients[GT_LIST_MAX];
    for (int k = 0; k < 4; k++) {
        upper += 0.25 * b.upper.at[k];
        lower += 0.25 * b.lower.at[k];
        middle = vec3_madd(middle, 0.25, s->corner[k]);
    }
    c->depth = (gt_bracket){s->measure * fmax(0, lower), s->measure * upper};
    for (int k = 0; k < 4; k++) {
        radius = fmax(radius, vec3_distance(s->corner[k], middle));
    }
    vec3 lo = {2, 2, 2}, hi = {-2, -2, -2};
    double spread[GT_LIST_MAX], outside_m = 0, rho = s->listed == GT_UNLISTED ? 1 : 0;
    for (uint32_t i = 0; i < s->listed && rho < 1; i++) {
        const uint32_t face = field->lists[s->list + i];
        spread[i] = gradient_of(q, face, s, middle, radius, &gradients[i], &outside_m);
        lo = vec3_min(lo, gradients[i]);
        hi = vec3_max(hi, gradients[i]);
        rho = fmax(rho, spread[i]);
    }
    c->gradient = vec3_scale(0.5, vec3_add(lo, hi));
    for (uint32_t i = 0; i < s->listed && rho < 1; i++) {
        rho = fmax(rho, vec3_distance(gradients[i], c->gradient) + spread[i]);
    }
    if (rho >= 1) {
        rho = 1;
        outside_m = 0;
        c->gradient = (vec3){0, 0, 0};
    }
    c->width = s->measure * rho + outside_m * area_of(s);
}

/* --- The intersection of two tetrahedra ------------------------------------------------------- */

/** A corner, and its sides (gt_sides) against the planes of a cell of the field; positive
 * inside. */
typedef struct corner {
    vec3 p;
    gt_sides sides;
} corner;

static void add_cell(task *q, const corner k[4])
{
    gt_cells_space *const space = q->space;
    if (q->status == BASE_OK) {
        q->status = base_reserve(space->cells, space->capacity, q->count + 1, q->err);
    }
    if (q->status != BASE_OK) {
        return;
    }
    const gt_tetrahedron t = {{k[0].p, k[1].p, k[2].p, k[3].p}};
    cell *const c = &space->cells[q->count++];
    *c = (cell){
        .s = {.corners = 4, .measure = fabs(gt_tetrahedron_volume(&t)), .listed = GT_UNLISTED}};
    for (int i = 0; i < 4; i++) {
        c->s.corner[i] = t.p[i];
        gt_simplex_measure(&space->field, &c->s, i, i > 0 ? c->s.face[i - 1] : GT_NO_FACE);
    }
    bound_cell(q, c);
}

/** Returns the point where an edge from a corner inside to one outside meets a plane. */
static corner meet(const corner *in, const corner *out, int plane)
{
    const double from = in->sides.side[plane], to = out->sides.side[plane];
    const double at = from / (from - to);
    corner c = {.p = vec3_madd(in->p, at, vec3_sub(out->p, in->p))};
    for (int i = 0; i < 4; i++) {
        c.sides.side[i] = (1 - at) * in->sides.side[i] + at * out->sides.side[i];
    }
    return c;
}

/** Adds the part of a tetrahedron that is inside the planes from number `plane` on, as
 * tetrahedra. */
static void add_inside(task *q, const corner given[4], int plane)
{
    corner k[4];
    int inside = 0, outside = 4;
    for (int i = 0; i < 4 && plane < 4; i++) {
        k[given[i].sides.side[plane] > 0 ? inside++ : --outside] = given[i];
    }
    if (plane == 4) {
        add_cell(q, given);
    } else if (inside == 4) {
        add_inside(q, given, plane + 1);
    } else if (inside == 1) {
        add_inside(q,
                   (const corner[4]){k[0], meet(&k[0], &k[1], plane), meet(&k[0], &k[2], plane),
                                     meet(&k[0], &k[3], plane)},
                   plane + 1);
    } else if (inside == 2) {
        const corner ac = meet(&k[0], &k[2], plane), ad = meet(&k[0], &k[3], plane);
        const corner bc = meet(&k[1], &k[2], plane), bd = meet(&k[1], &k[3], plane);
        add_inside(q, (const corner[4]){k[0], k[1], ac, ad}, plane + 1);
        add_inside(q, (const corner[4]){ac, k[1], bc, bd}, plane + 1);
        add_inside(q, (const corner[4]){ac, k[1], ad, bd}, plane + 1);
    } else if (inside == 3) {
        const corner ad = meet(&k[0], &k[3], plane), bd = meet(&k[1], &k[3], plane);
        const corner cd = meet(&k[2], &k[3], plane);
        add_inside(q, (const corner[4]){k[0], k[1], k[2], ad}, plane + 1);
        add_inside(q, (const corner[4]){ad, k[1], k[2], bd}, plane + 1);
        add_inside(q, (const corner[4]){ad, bd, k[2], cd}, plane + 1);
    }
}

static bool boxes_meet(const gt_tetrahedron *x, const gt_tetrahedron *y)
{
    geo_box bx = geo_box_empty(), by = geo_box_empty();
    for (int i = 0; i < 4; i++) {
        bx = geo_box_add(bx, x->p[i]);
        by = geo_box_add(by, y->p[i]);
    }
    return geo_box_overlap(bx, by);
}

/** A visitor of geo_bvh_pairs for a packet of the field and one of the body. */
static bool visit(void *context, uint32_t of_field, uint32_t nf, uint32_t of_body, uint32_t nb)
{
    (void)nf;
    (void)nb;
    task *const q = context;
    const gt_cell *const fields = &q->field->cells.cells[GT_PACKET * (size_t)of_field];
    const gt_cell *const bodies = &q->body->cells.cells[GT_PACKET * (size_t)of_body];
    for (int j = 0; j < GT_PACKET && bodies[j].volume_m3 > 0; j++) {
        gt_tetrahedron moved;
        for (int i = 0; i < 4; i++) {
            moved.p[i] = geo_pose_apply(&q->to_field, bodies[j].corners.p[i]);
        }
        for (int k = 0; k < GT_PACKET && fields[k].volume_m3 > 0; k++) {
            if (!boxes_meet(&fields[k].corners, &moved)) {
                continue;
            }
            corner corners[4];
            gt_sides sides[4];
            unsigned inside[4];
            clip_sides(&fields[k].corners, &fields[k].planes, &moved, sides, inside);
            for (int i = 0; i < 4; i++) {
                corners[i] = (corner){moved.p[i], sides[i]};
            }
            add_inside(q, corners, 0);
        }
    }
    return q->status == BASE_OK;
}

/* --- The query -------------------------------------------------------------------------------- */

static base_status refine(task *q)
{
    gt_cells_space *const space = q->space;
    double width = 0, volume = 0, area = 0;
    base_status status = base_reserve(space->heap, space->heap_capacity, q->count, q->err);
    for (size_t i = 0; i < q->count && status == BASE_OK; i++) {
        const cell *const c = &space->cells[i];
        space->heap[i] = base_heap_key(c->width, i);
        width += c->width;
        volume += c->s.measure;
        area += area_of(&c->s);
    }
    base_heap_make(space->heap, q->count);
    const double rounding = space->field.distance_m * area;
    while (status == BASE_OK && width > WIDTH * volume && width > rounding &&
           q->count < GT_DEPTH_CELLS_MAX) {
        status = base_reserve(space->cells, space->capacity, q->count + 1, q->err);
        if (status == BASE_OK) {
            status = base_reserve(space->heap, space->heap_capacity, q->count + 1, q->err);
        }
        if (status != BASE_OK) {
            break;
        }
        const size_t index = base_heap_index(space->heap[0]);
        const cell whole = space->cells[index];
        cell *const halves[2] = {&space->cells[index], &space->cells[q->count]};
        gt_simplex parts[2];
        gt_simplex_cut(&space->field, &whole.s, parts);
        width -= whole.width;
        for (int i = 0; i < 2; i++) {
            halves[i]->s = parts[i];
            bound_cell(q, halves[i]);
            width += halves[i]->width;
        }
        space->heap[0] = base_heap_key(halves[0]->width, index);
        base_heap_sift_down(space->heap, q->count, 0);
        space->heap[q->count] = base_heap_key(halves[1]->width, q->count);
        base_heap_sift_up(space->heap, q->count++);
    }
    return status;
}

/** Adds up all cells, in the frame of the field. centre: B's centroid in that frame. */
static void sum_up(const task *q, vec3 centre, gt_depth_cells *r)
{
    gt_bracket energy = {0, 0};
    for (size_t i = 0; i < q->count; i++) {
        const cell *const c = &q->space->cells[i];
        const double area = area_of(&c->s);
        const double deepest = fmax(fmax(c->s.distance[0], c->s.distance[1]),
                                    fmax(c->s.distance[2], c->s.distance[3]));
        const double off = c->width + 8 * (q->space->field.distance_m + q->corner_m) * area;
        const double slack = 2 * q->space->field.distance_m * c->s.measure +
                             8 * q->corner_m * area * (deepest + 8 * q->corner_m);
        vec3 middle = {0, 0, 0};
        double lever = 0;
        for (int k = 0; k < 4; k++) {
            const vec3 arm = vec3_sub(c->s.corner[k], centre);
            middle = vec3_madd(middle, 0.25, arm);
            lever = fmax(lever, vec3_norm(arm));
        }
        const vec3 force = vec3_scale(c->s.measure, c->gradient);
        r->force_m3 = vec3_add(r->force_m3, force);
        r->torque_m4 = vec3_add(r->torque_m4, vec3_cross(middle, force));
        r->force_bound_m3 += off + 1e-12 * vec3_norm(force);
        r->torque_bound_m4 += (off + 1e-12 * vec3_norm(force)) * lever;
        energy.lo += (1 - 1e-12) * c->depth.lo - slack;
        energy.hi += (1 + 1e-12) * c->depth.hi + slack;
    }
    r->energy_m4 = (gt_bracket){fmax(0, energy.lo), energy.hi};
    r->cells = q->count;
}

base_status gt_depth_cells_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_cells_space *space, gt_depth_cells *result,
                                 base_error *err)
{
    base_assert(a->cells.cells && b->cells.cells);
    *result = (gt_depth_cells){.energy_m4 = GT_NONE};
    const bool of_a = role == GT_DEPTH_OF_A;
    const vec3 centroid = b->report->measure.centroid;
    const gt_depth_rounding rounding = gt_depth_roundings(a, b, pose, role);
    task q = {
        .field = of_a ? a : b,
        .body = of_a ? b : a,
        .to_field = of_a ? *pose : geo_pose_inverse(pose),
        .space = space,
        .corner_m = rounding.corner_m,
        .err = err,
    };
    base_status status =
        gt_field_begin(&space->field, &q.field->shell.surface, rounding.distance_m, err);
    if (status != BASE_OK) {
        return status;
    }
    const geo_pose origin = gt_origin_pose(q.field, q.body, &q.to_field);
    geo_bvh_pairs(&q.field->cells.bvh, &q.body->cells.bvh, &origin, visit, &q);
    status = q.status == BASE_OK ? refine(&q) : q.status;
    if (status != BASE_OK) {
        return status;
    }
    sum_up(&q, of_a ? geo_pose_apply(pose, centroid) : centroid, result);
    const vec3 force = result->force_m3, torque = result->torque_m4;
    result->force_m3 = of_a ? vec3_scale(-1, force) : geo_pose_rotate(pose, force);
    result->torque_m4 = of_a ? vec3_scale(-1, torque) : geo_pose_rotate(pose, torque);
    result->force_bound_m3 += 8 * rounding.skew * vec3_norm(force);
    result->torque_bound_m4 += 8 * rounding.skew * vec3_norm(torque);
    return BASE_OK;
}
