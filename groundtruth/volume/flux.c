/*
 * Every pair of triangles that cross gives a segment, which is an edge of the overlap's boundary.
 * The part of a crossed triangle inside the other body is bounded by its segments and by stretches
 * of its own edges. These stretches begin and end at crossings and corners. Segments and stretches
 * are turned into triangles with one apex, the start of the triangle's first segment. So a small
 * part of a large triangle is a sum of small triangles. The stretches of an edge need no order.
 * Each crossing adds the vector from the edge's first crossing to itself, with its sign. An end of
 * the edge that is inside (state 1) adds the vector from the first crossing to this end.
 *
 * The pieces of surface between crossed triangles are summed by prefix sums (flux_body.h). Their
 * states (1 inside, 0 outside) are those of the corners of crossed triangles. If an edge has one
 * more crossing in than out, or one more out than in, its crossings tell the states of its corners.
 * If a triangle has no such edge and no neighbour with known states, a ray determines the state of
 * one corner.
 */
#include "groundtruth/volume/flux.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/tree.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"
#include "groundtruth/volume/flux_pair.h"

#include <float.h>
#include <string.h>

/** Half a unit in the last place of 1, the largest relative rounding error. */
#define UNIT 0x1p-53

/** Factor for products of rounding errors, and for the rounding of the bounds themselves. */
#define MORE 1.01

/** A crossed triangle; points are relative to the task's origin, in A's frame. */
typedef struct crossed_triangle {
    vec3 corner[3];
    vec3 apex;
    vec3 first[3];        /* for each crossed edge: its first crossing */
    vec3 normal2;         /* twice the area vector of its part inside, so far */
    double fan2;          /* upper bound of twice the area of its fan */
    double radius;        /* upper bound of the distance of its points from the apex */
    double along, height; /* greatest values of its segments */
    uint32_t triangles;   /* upper bound of the number of triangles of its fan */
    uint32_t further;     /* number of crossings of its edges, without the first one of each edge */
    uint32_t place;
    int sum[3];      /* for each edge: crossings in minus crossings out */
    bool crossed[3]; /* true for crossed edges */
    int8_t state[3]; /* states of the corners; UNKNOWN at first */
} crossed_triangle;

enum { UNKNOWN = -1 };

/** The crossed triangles of one body. */
typedef struct crossed_side {
    uint32_t *slot; /* for each triangle: 1 + its index in items; 0 if it is not crossed */
    size_t slot_capacity;
    crossed_triangle *items;
    size_t count, capacity;
    uint32_t *least; /* for each shell: 1 + the index of the item with the smallest number; 0 if
                      * none is crossed */
    size_t least_capacity;
} crossed_side;

struct gt_flux_space {
    crossed_side side[2];
};

/** Sums over the crossed triangles of a body that bound its rounding errors; see flux.h. */
typedef struct fan_errors {
    double area_m2;   /* e */
    double moment_m3; /* x e */
    double height_m3; /* (2 h + p) F */
} fan_errors;

typedef struct task {
    const gt_body *body[2];
    const geo_pose *pose;
    crossed_side *side[2];
    gt_fan part[2];      /* sums over crossed triangles */
    vec3 origin;         /* a point of the boundary; this keeps cancellation small */
    double point_m;      /* p: upper bound of the rounding error of a point where an edge crosses a
                          * triangle */
    double moved_m[2];   /* g: upper bound of the distance of a corner from its place in the sums of
                          * its body */
    double rim_m[2];     /* p + g */
    double additions[2]; /* upper bound of 3 + n */
    double skew;         /* d of the rotation (flux.h) */
    fan_errors errors[2];
    double loop_m2, loop_m3;  /* errors of the loops where surfaces meet; see flux.h */
    gt_flux_surface *surface; /* receives the pieces; NULL: they are only summed */
    gt_flux *result;
    base_status status;
    base_error *err;
} task;

/* --- Pieces ----------------------------------------------------------------------------------- */

/** Returns a new piece of side s, or NULL if the task has failed. */
static gt_flux_piece *new_piece(task *q, int s)
{
    gt_flux_surface *const of = q->surface;
    if (q->status == BASE_OK) {
        q->status = base_reserve(of->pieces[s], of->capacity[s], of->count[s] + 1, q->err);
    }
    return q->status == BASE_OK ? &of->pieces[s][of->count[s]++] : NULL;
}

/** Keeps a triangle of a fan; its corners are relative to the task's origin. */
static void keep_triangle(task *q, int s, const crossed_triangle *c, const vec3 corner[3],
                          vec3 normal2)
{
    gt_flux_piece *const piece = new_piece(q, s);
    if (!piece) {
        return;
    }
    const uint32_t *const v = q->body[s]->mesh->faces[q->body[s]->tree.faces[c->place]].v;
    const vec3 outward =
        vec3_cross(vec3_sub(c->corner[1], c->corner[0]), vec3_sub(c->corner[2], c->corner[0]));
    piece->sign = vec3_dot(normal2, outward) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        piece->t.p[i] = vec3_add(corner[i], q->origin);
        piece->vertex[i] = GT_FLUX_CROSSING;
        for (int k = 0; k < 3; k++) {
            if (vec3_equal(corner[i], c->corner[k])) {
                piece->vertex[i] = v[k];
            }
        }
    }
}

/** Keeps the triangles that the stretches of a side add up to. */
static void keep_stretches(task *q, int s)
{
    const gt_body *const body = q->body[s];
    int32_t *const net = q->surface->net;
    int32_t inside = 0;
    for (size_t number = 0; number < body->mesh->face_count; number++) {
        inside += net[number];
        net[number] = 0;
        q->result->flaws += inside != 0 && inside != 1;
        gt_flux_piece *const piece = inside == 1 ? new_piece(q, s) : NULL;
        if (piece) {
            const uint32_t place = body->flux.places[number];
            const geo_triangle *const t = &body->tree.triangles[place];
            piece->t = s == 0 ? *t : geo_pose_apply_triangle(q->pose, *t);
            piece->sign = 1;
            memcpy(piece->vertex, body->mesh->faces[body->tree.faces[place]].v,
                   sizeof piece->vertex);
        }
    }
    net[body->mesh->face_count] = 0;
}

/**
 * Adds the triangles of side s with numbers [begin, end). If begin > end, subtracts those with
 * numbers [end, begin).
 */
static void add_stretch(task *q, gt_stretches *sum, uint32_t begin, uint32_t end)
{
    gt_stretches_add(sum, begin, end);
    if (q->surface) {
        q->surface->net[begin]++;
        q->surface->net[end]--;
    }
}

/** Returns an upper bound of the distance of a point from a triangle. */
static double distance_to(const task *q, const geo_triangle *t, vec3 p)
{
    return vec3_distance(geo_triangle_closest(*t, p), p) + 2 * q->point_m;
}

static bool comes_before(vec3 a, vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/** Returns the point on the edge from..to that is nearest to a triangle. The distance is a convex
 * function along the edge. Both directions of the edge give the same bits. */
static vec3 nearest_on_edge(const task *q, const geo_triangle *t, vec3 from, vec3 to)
{
    if (comes_before(to, from)) {
        const vec3 swap = from;
        from = to;
        to = swap;
    }
    const vec3 along = vec3_sub(to, from);
    double lo = 0, hi = 1;
    for (int i = 0; i < 100; i++) {
        const double third = (hi - lo) / 3, l = lo + third, h = hi - third;
        const double at_l = distance_to(q, t, vec3_madd(from, l, along));
        const double at_h = distance_to(q, t, vec3_madd(from, h, along));
        *(at_l < at_h ? &hi : &lo) = at_l < at_h ? h : l;
    }
    return vec3_madd(from, lo + 0.5 * (hi - lo), along);
}

/** Moves a crossing to a point of its edge near the triangle that it crosses. Returns a bound of
 * its distance from its exact place. */
static double settle_crossing(const task *q, const geo_triangle corners[2], gt_crossing *at,
                              double along)
{
    const geo_triangle *const crossed = &corners[!at->of_b];
    if (distance_to(q, crossed, at->point) <= 8 * q->point_m) {
        return along;
    }
    const vec3 *const p = corners[at->of_b].p;
    const vec3 from = p[at->edge], to = p[(at->edge + 1) % 3];
    at->point = nearest_on_edge(q, crossed, from, to);
    return gt_length1(vec3_sub(to, from));
}

/** Adds the strip between a segment and the exact one. Their ends differ by at most `off`. */
static void add_gap(task *q, const geo_triangle corners[2], const gt_segment *segment, double off)
{
    const vec3 start = segment->start.point, end = segment->end.point;
    const double area = off * (gt_length1(vec3_sub(end, start)) + off);
    for (int s = 0; s < 2; s++) {
        q->surface->gap_m3[s] += area * base_larger(distance_to(q, &corners[s], start),
                                                    distance_to(q, &corners[s], end));
    }
}

/* --- Crossed triangles ------------------------------------------------------------------------ */

/**
 * Adds the triangle apex, from, to to the part inside. The triangle apex, to, from is subtracted in
 * this way. Often from or to is the apex, and the triangle is empty.
 */
static inline void add_triangle(task *q, int s, crossed_triangle *c, vec3 from, vec3 to)
{
    c->radius = base_larger(c->radius, gt_length1(vec3_sub(to, c->apex)));
    c->triangles++;
    if (!vec3_equal(from, c->apex) && !vec3_equal(to, c->apex)) {
        const vec3 normal2 = gt_fan_add(&q->part[s], c->apex, from, to);
        c->normal2 = vec3_add(c->normal2, normal2);
        c->fan2 += gt_length1(normal2);
        if (q->surface) {
            keep_triangle(q, s, c, (const vec3[3]){c->apex, from, to}, normal2);
        }
    }
}

gt_flux_space *gt_flux_space_create(void)
{
    return base_alloc(1, sizeof(gt_flux_space));
}

void gt_flux_space_destroy(gt_flux_space *space)
{
    for (int s = 0; s < 2 && space; s++) {
        base_free(space->side[s].slot);
        base_free(space->side[s].items);
        base_free(space->side[s].least);
    }
    base_free(space);
}

/** Returns the record of a crossed triangle, and makes it if there is none. The array has room for
 * all triangles of a side. */
static crossed_triangle *crossed_at(task *q, int s, uint32_t place, const geo_triangle *corners,
                                    vec3 apex)
{
    crossed_side *const of = q->side[s];
    if (of->slot[place] == 0) {
        crossed_triangle *const c = &of->items[of->count];
        c->apex = apex;
        c->normal2 = (vec3){0, 0, 0};
        c->fan2 = c->radius = c->along = c->height = 0;
        c->triangles = c->further = 0;
        c->place = place;
        for (int k = 0; k < 3; k++) {
            c->corner[k] = vec3_sub(corners->p[k], q->origin);
            c->sum[k] = 0;
            c->crossed[k] = false;
            c->state[k] = UNKNOWN;
        }
        of->slot[place] = (uint32_t)++of->count;
    }
    return &of->items[of->slot[place] - 1];
}

/** Adds a crossing of an edge. in: true if the edge enters the other body there. */
static void add_crossing(task *q, int s, crossed_triangle *c, int edge, vec3 p, bool in)
{
    if (!c->crossed[edge]) {
        c->crossed[edge] = true;
        c->first[edge] = p;
    } else {
        c->further++;
        add_triangle(q, s, c, in ? p : c->first[edge], in ? c->first[edge] : p);
    }
    c->sum[edge] += in ? 1 : -1;
}

/**
 * Adds the error of a segment of a loop where the surfaces meet. Its ends have an error of at most
 * `off`, which also turns the segment.
 */
static void add_to_loop(task *q, vec3 start, vec3 end, double off)
{
    const double area = off * (gt_length1(vec3_sub(end, start)) + off);
    q->loop_m2 += area;
    q->loop_m3 += area * (gt_length1(start) + gt_length1(end) + off);
}

static bool visit(void *context, const uint32_t indices[2], const geo_triangle corners[2],
                  const gt_segment *found)
{
    task *const q = context;
    gt_segment settled;
    const gt_segment *segment = found;
    if (q->surface) {
        settled = *found;
        const double at_start = settle_crossing(q, corners, &settled.start, found->along);
        const double at_end = settle_crossing(q, corners, &settled.end, found->along);
        settled.along = base_larger(at_start, at_end);
        add_gap(q, corners, &settled, settled.along + q->point_m);
        segment = &settled;
    }
    if (q->result->pairs++ == 0) {
        q->origin = segment->start.point;
    }
    const vec3 start = vec3_sub(segment->start.point, q->origin);
    const vec3 end = vec3_sub(segment->end.point, q->origin);
    crossed_triangle *of[2];
    for (int s = 0; s < 2; s++) {
        of[s] = crossed_at(q, s, indices[s], &corners[s], start);
        of[s]->along = base_larger(of[s]->along, segment->along);
        of[s]->height = base_larger(of[s]->height, segment->height);
    }
    add_to_loop(q, start, end, segment->along + q->point_m);
    /* As seen from outside, the part of a that is inside B is on the left of the segment, and
     * that of b inside A on the right. */
    add_triangle(q, 0, of[0], start, end);
    add_triangle(q, 1, of[1], end, start);
    const bool start_of_b = segment->start.of_b, end_of_b = segment->end.of_b;
    add_crossing(q, start_of_b, of[start_of_b], segment->start.edge, start, start_of_b);
    add_crossing(q, end_of_b, of[end_of_b], segment->end.edge, end, !end_of_b);
    return true;
}

static void find_pairs(task *q)
{
    const gt_body *const a = q->body[0], *const b = q->body[1];
    gt_queue queue = {
        .tree = {&a->tree, &b->tree},
        .forward = {a->flux.forward, b->flux.forward},
        .pose = q->pose,
        .visit = visit,
        .context = q,
        .kinks = {.box = geo_box_empty()},
        .go = true,
    };
    if (base_cpu_avx2()) {
        geo_tree_pairs(&a->tree, &b->tree, q->pose, gt_queue_add_avx2, &queue);
        gt_queue_end_avx2(&queue);
    } else {
        geo_tree_pairs(&a->tree, &b->tree, q->pose, gt_queue_add_sse2, &queue);
        gt_queue_end_sse2(&queue);
    }
    q->result->exact = queue.exact;
    q->result->kinks = queue.kinks;
}

/* --- Inside or outside ------------------------------------------------------------------------ */

/** Returns 1 if a point of body s, in its own frame, is inside the other body, else 0. */
static int ask(task *q, int s, vec3 p)
{
    q->result->inside_tests++;
    return s == 0 ? geo_surface_contains_moved(&q->body[1]->shell.surface, q->pose, p)
                  : geo_surface_contains(&q->body[0]->shell.surface, geo_pose_apply(q->pose, p));
}

/** Derives the states of all corners from that of one corner. */
static void spread(task *q, crossed_triangle *c, int corner, int state)
{
    for (int i = 0; i < 3; i++) {
        c->state[corner] = (int8_t)state;
        q->result->flaws += state != 0 && state != 1;
        state += c->sum[corner];
        corner = (corner + 1) % 3;
    }
    q->result->flaws += state != c->state[corner];
}

/** Finds states by edges. An edge that has one more crossing in than out begins outside; one that
 * has one more out than in begins inside. */
static void find_states_by_edges(task *q, int s)
{
    crossed_side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        crossed_triangle *const c = &of->items[i];
        __builtin_prefetch(&q->body[s]->flux.links[c->place]);
        for (int k = 0; k < 3; k++) {
            if (c->sum[k] == 1 || c->sum[k] == -1) {
                spread(q, c, k, c->sum[k] < 0);
                break;
            }
        }
    }
}

/**
 * Prefetches the memory that the sums will read for a crossed triangle. Without this, half of the
 * time would be spent waiting for it.
 */
static void fetch_around(const gt_flux_body *flux, const uint32_t *slot, const gt_link *link)
{
    for (int k = 0; k < 3; k++) {
        __builtin_prefetch(&slot[link->across[k] / 3]);
        __builtin_prefetch(&flux->links[link->across[k] / 3]);
    }
}

/** Finds the remaining states: from a neighbour whose states are known, or else by a ray. */
static void find_other_states(task *q, int s)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    crossed_side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        crossed_triangle *const c = &of->items[i];
        const gt_link *const link = &flux->links[c->place];
        fetch_around(flux, of->slot, link);
        for (int k = 0; k < 3 && c->state[0] == UNKNOWN; k++) {
            const uint32_t across = link->across[k], slot = of->slot[across / 3];
            /* the first corner of this edge is the last corner of the neighbour's edge */
            const int state = slot != 0 ? of->items[slot - 1].state[(across + 1) % 3] : UNKNOWN;
            if (state != UNKNOWN) {
                spread(q, c, k, state);
            }
        }
        if (c->state[0] == UNKNOWN) {
            spread(q, c, 0, ask(q, s, q->body[s]->tree.triangles[c->place].p[0]));
        }
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/** Adds the error bounds of a crossed triangle whose fan is complete. */
static void add_errors(task *q, int s, const crossed_triangle *c)
{
    fan_errors *const sum = &q->errors[s];
    const double r = c->radius, x = gt_length1(c->apex) + r, along = c->along + q->point_m;
    const double fan = 0.5 * c->fan2 + 2 * c->triangles * along * (r + along);
    const double e = (6.0 + 3 * c->further) * r * q->rim_m[s] +
                     UNIT * (2 * c->triangles * r * r + q->additions[s] * fan);
    sum->area_m2 += e;
    sum->moment_m3 += x * e;
    sum->height_m3 += (2 * c->height + q->point_m) * fan;
}

/** Adds those stretches of the triangle's edges that are inside. */
static void add_edges(task *q, int s, crossed_triangle *c)
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const bool from_begin = c->state[k] == 1, to_end = c->state[next] == 1;
        if (!c->crossed[k] && to_end) {
            add_triangle(q, s, c, c->corner[k], c->corner[next]);
        }
        if (c->crossed[k] && from_begin) {
            add_triangle(q, s, c, c->corner[k], c->first[k]);
        }
        if (c->crossed[k] && to_end) {
            add_triangle(q, s, c, c->first[k], c->corner[next]);
        }
    }
    q->part[s].area += 0.5 * vec3_norm(c->normal2);
    add_errors(q, s, c);
}

/**
 * Adds the subtrees of those children of a crossed triangle that are inside and not crossed. If the
 * triangle's parent is not crossed and the edge to it is inside, subtracts the triangle's own
 * subtree.
 */
static void add_stretches(task *q, int s, const crossed_triangle *c, gt_stretches *sum)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    const gt_link *const link = &flux->links[c->place];
    for (int k = 0; k < 3; k++) {
        const uint32_t neighbour = link->across[k] / 3;
        if (q->side[s]->slot[neighbour] != 0) {
            continue;
        }
        q->result->flaws += c->crossed[k];
        if (c->state[k] != 1) {
            continue;
        }
        if (link->parent == k) {
            add_stretch(q, sum, link->end, link->number);
        } else if ((link->children >> k & 1) != 0) {
            add_stretch(q, sum, flux->links[neighbour].number, flux->links[neighbour].end);
        }
    }
}

static uint32_t shell_of(const gt_flux_body *flux, uint32_t number)
{
    uint32_t lo = 0, hi = flux->shell_count;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        *(flux->shells[middle].begin <= number ? &lo : &hi) = middle;
    }
    return lo;
}

/**
 * Adds the whole of each shell whose root is inside. Crossed triangles subtract the parts that are
 * outside.
 */
static void add_shells(task *q, int s, gt_stretches *sum)
{
    const gt_flux_body *const flux = &q->body[s]->flux;
    crossed_side *const of = q->side[s];
    for (size_t i = 0; i < of->count; i++) {
        const uint32_t number = flux->links[of->items[i].place].number;
        uint32_t *const least = &of->least[shell_of(flux, number)];
        if (*least == 0 || number < flux->links[of->items[*least - 1].place].number) {
            *least = (uint32_t)i + 1;
        }
    }
    for (uint32_t i = 0; i < flux->shell_count; i++) {
        int state;
        if (of->least[i] == 0) {
            state = ask(q, s, flux->shells[i].point);
        } else {
            const crossed_triangle *const c = &of->items[of->least[i] - 1];
            const uint8_t parent = flux->links[c->place].parent;
            state = parent == GT_NO_EDGE ? 0 : c->state[parent];
            of->least[i] = 0;
        }
        if (state == 1) {
            add_stretch(q, sum, flux->shells[i].begin, flux->shells[i].end);
        }
    }
}

/** Bounds of the errors of the volume, and of the gradient and the moment of a surface. */
typedef struct errors {
    double volume_m3, gradient_m2, moment_m3;
} errors;

/**
 * Bounds the errors of body s. area: that of its whole stretches. shift: the vector by which their
 * sums were moved.
 */
static errors bound_side(const task *q, int s, const gt_stretches *whole, double area, vec3 shift)
{
    const gt_flux_body *const flux = whole->flux;
    const fan_errors *const fans = &q->errors[s];
    const double shift_m = gt_length1(shift), x = flux->span_m + shift_m;
    const double thin = flux->thinness * area, added = (double)whole->added;
    const double shape = thin < flux->terms_m2 ? thin : flux->terms_m2;
    const double e = 2 * UNIT * shape + (72 * UNIT + 3 * q->skew) * area;
    const double normal = added * flux->quantum[0], tensor = added * flux->quantum[GT_FIXED - 2];
    const double moment = fans->moment_m3 + x * e + 4 * (tensor + normal * shift_m);
    return (errors){
        .volume_m3 = fans->height_m3 + q->moved_m[s] * area + moment / 3,
        .gradient_m2 = fans->area_m2 + e + 2 * normal,
        .moment_m3 = moment,
    };
}

static void add_moments(gt_moments *sum, const gt_moments *other)
{
    sum->normal = vec3_add(sum->normal, other->normal);
    for (int i = 0; i < 3; i++) {
        sum->tensor.row[i] = vec3_add(sum->tensor.row[i], other->tensor.row[i]);
    }
    sum->quadratic = vec3_add(sum->quadratic, other->quadratic);
    sum->area += other->area;
}

/** Returns the moments of a piece of surface that is moved by y -> R y + shift. */
static gt_moments move_moments(const gt_moments *moments, mat3 rotation, vec3 shift)
{
    /* Expands (R y + s) n'^T with n' = R n, and (R y + s) ((R y + s) . n'), term by term. */
    gt_moments moved = {.normal = mat3_mul_vec3(rotation, moments->normal), .area = moments->area};
    const mat3 turned = mat3_mul(mat3_mul(rotation, moments->tensor), mat3_transpose(rotation));
    moved.tensor = gt_outer_add(turned, shift, moved.normal);
    const vec3 *const row = moments->tensor.row;
    const double trace = row[0].x + row[1].y + row[2].z;
    const double along = trace + vec3_dot(shift, moved.normal);
    moved.quadratic = vec3_add(mat3_mul_vec3(rotation, moments->quadratic),
                               vec3_madd(mat3_mul_vec3(turned, shift), along, shift));
    return moved;
}

static gt_moments moments_of(const gt_flux_body *flux, const gt_fixed *sum)
{
    double d[GT_FIXED];
    for (int i = 0; i < GT_FIXED; i++) {
        d[i] = flux->quantum[i] * (double)(int64_t)sum->value[i];
    }
    return (gt_moments){
        .normal = {d[0], d[1], d[2]},
        .quadratic = {d[3], d[4], d[5]},
        .tensor = {{{d[6], d[7], d[8]}, {d[9], d[10], d[11]}, {d[12], d[13], d[14]}}},
        .area = d[GT_FIXED - 1],
    };
}

/**
 * Sums the surface of body s (0: A, 1: B) inside the other body, in A's frame and relative to the
 * task's origin. All crossed triangles of the task must be known.
 */
static gt_moments sum_side(task *q, int s, errors *off)
{
    find_states_by_edges(q, s);
    find_other_states(q, s);
    const gt_flux_body *const flux = &q->body[s]->flux;
    const geo_pose identity = geo_pose_identity();
    const geo_pose *const pose = s == 0 ? &identity : q->pose;
    const vec3 shift = vec3_sub(geo_pose_apply(pose, flux->origin), q->origin);
    q->moved_m[s] += UNIT * (flux->span_m + gt_length1(shift));
    q->rim_m[s] = q->point_m + q->moved_m[s];
    q->additions[s] = 3 + 3 * (double)q->result->pairs + 6 * (double)q->side[s]->count;
    gt_stretches whole = {.flux = flux};
    for (size_t i = 0; i < q->side[s]->count; i++) {
        add_edges(q, s, &q->side[s]->items[i]);
        add_stretches(q, s, &q->side[s]->items[i], &whole);
    }
    add_shells(q, s, &whole);
    if (q->surface) {
        keep_stretches(q, s);
    }
    gt_stretches_finish(&whole);
    const gt_moments there = moments_of(flux, &whole.sum);
    const gt_moments here = move_moments(&there, pose->rotation, shift);
    *off = bound_side(q, s, &whole, base_larger(here.area, 0), shift);
    gt_moments sum = gt_fan_moments(&q->part[s]);
    add_moments(&sum, &here);
    return sum;
}

/* --- The query -------------------------------------------------------------------------------- */

static void conclude(const task *q, gt_moments sum_a, const gt_moments *sum_b, const errors off[2])
{
    gt_flux *const r = q->result;
    const mat3 *const b = &sum_b->tensor;
    r->gradient_m2 = sum_b->normal;
    r->gradient_bound_m2 = MORE * (q->loop_m2 + off[1].gradient_m2);
    r->point = q->origin;
    r->moment_m3 = (vec3){b->row[1].z - b->row[2].y, b->row[2].x - b->row[0].z,
                          b->row[0].y - b->row[1].x}; /* y cross n */
    r->moment_bound_m3 = MORE * (q->loop_m3 + off[1].moment_m3);
    add_moments(&sum_a, sum_b);
    const double volume =
        (sum_a.tensor.row[0].x + sum_a.tensor.row[1].y + sum_a.tensor.row[2].z) / 3;
    const double bound = 1e-11 * fabs(volume) + MORE * (off[0].volume_m3 + off[1].volume_m3);
    r->volume_m3 = gt_bracket_around(volume, bound);
    r->value_m3 = volume > 0 ? volume : 0;
    r->flaws += volume < -bound;
    r->area_m2 = sum_a.area;
    r->centroid = volume > 0 ? vec3_madd(q->origin, 1 / (4 * volume), sum_a.quadratic) : q->origin;
}

static base_status prepare_side(crossed_side *of, const gt_flux_body *flux, size_t triangles,
                                base_error *err)
{
    of->count = 0;
    base_status status = base_reserve(of->slot, of->slot_capacity, triangles, err);
    if (status == BASE_OK) {
        status = base_reserve(of->items, of->capacity, triangles, err);
    }
    return status == BASE_OK ? base_reserve(of->least, of->least_capacity, flux->shell_count, err)
                             : status;
}

/** Resets slot, which must be all 0 between queries. */
static void clear_side(crossed_side *of)
{
    for (size_t i = 0; i < of->count; i++) {
        of->slot[of->items[i].place] = 0;
    }
    of->count = 0;
}

/** Bounds the rounding of a point (p of flux.h): |P| + 4 |edge| + |P - point| in units of rounding,
 * with |x| + |y| + |z| as lengths. Adds twice |P| for corners that geo_pose_settled moves. */
static double point_rounding(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const double half_a = vec3_norm(a->half), half_b = vec3_norm(b->half);
    return UNIT * (9 * gt_pair_reach(a, b, pose) + 18 * base_larger(half_a, half_b)) +
           0x1p-96 * b->reach + 3 * GEO_COORDINATE_LEAST;
}

/**
 * Bounds the rounding of fl(R p + t) for any p in the box of b: three roundings of |R| |p| along
 * each axis, and one of the sum.
 */
static double move_rounding(const gt_body *b, const geo_pose *pose)
{
    const vec3 far = vec3_add(vec3_abs(b->centre), b->half);
    double turned = 0;
    for (int i = 0; i < 3; i++) {
        turned += vec3_dot(vec3_abs(pose->rotation.row[i]), far);
    }
    return UNIT * (4 * turned + gt_length1(pose->translation));
}

/** Bounds |transpose(R) R - 1| by the largest sum of a row. */
static double skew_of(const mat3 *r)
{
    const mat3 square = mat3_mul(mat3_transpose(*r), *r);
    double most = 0;
    for (int i = 0; i < 3; i++) {
        const vec3 one = {i == 0, i == 1, i == 2};
        most = base_larger(most, gt_length1(vec3_sub(square.row[i], one)));
    }
    return most + 12 * UNIT;
}

double gt_flux_jump(const gt_flux *flux)
{
    return MORE * vec3_norm(flux->kinks.jump_m2);
}

/** Returns a bound of the jump of the moment about a point. No lever is longer than the distance
 * from the point to the farthest corner of the box of all kinks. */
static double moment_jump(const gt_kinks *kinks, vec3 about)
{
    if (!(kinks->area_m2 > 0)) {
        return 0;
    }
    const vec3 lo = vec3_abs(vec3_sub(kinks->box.lo, about));
    const vec3 hi = vec3_abs(vec3_sub(kinks->box.hi, about));
    return MORE * kinks->area_m2 * vec3_norm(vec3_max(lo, hi));
}

vec3 gt_flux_torque(const gt_flux *flux, vec3 about, double *bound_m3)
{
    const vec3 arm = vec3_sub(flux->point, about);
    const double length = vec3_norm(arm);
    const vec3 torque = vec3_add(flux->moment_m3, vec3_cross(arm, flux->gradient_m2));
    *bound_m3 = flux->moment_bound_m3 + length * flux->gradient_bound_m2 +
                8 * DBL_EPSILON * length * vec3_norm(flux->gradient_m2) +
                DBL_EPSILON * vec3_norm(torque) + moment_jump(&flux->kinks, about);
    return torque;
}

/** The common part of both queries. surface: receives the pieces, or NULL. */
static base_status find(const gt_body *a, const gt_body *b, const geo_pose *pose,
                        gt_flux_space *space, gt_flux *result, gt_flux_surface *surface,
                        base_error *err)
{
    base_assert(a->report->solid && b->report->solid);
    *result = (gt_flux){.volume_m3 = GT_NONE};
    const geo_pose settled = geo_pose_settled(pose);
    task q = {.body = {a, b},
              .pose = &settled,
              .side = {&space->side[0], &space->side[1]},
              .origin = a->centre,
              .point_m = point_rounding(a, b, pose),
              .moved_m = {0, 2 * move_rounding(b, pose)},
              .skew = skew_of(&pose->rotation),
              .result = result,
              .surface = surface,
              .err = err};
    for (int s = 0; s < 2 && q.status == BASE_OK; s++) {
        q.status = prepare_side(q.side[s], &q.body[s]->flux, q.body[s]->mesh->face_count, err);
    }
    if (q.status == BASE_OK) {
        find_pairs(&q);
    }
    if (q.status == BASE_OK) {
        errors off[2];
        const gt_moments sum_a = sum_side(&q, 0, &off[0]), sum_b = sum_side(&q, 1, &off[1]);
        conclude(&q, sum_a, &sum_b, off);
    }
    clear_side(q.side[0]);
    clear_side(q.side[1]);
    return q.status;
}

base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err)
{
    return find(a, b, pose, space, result, NULL, err);
}

void gt_flux_surface_release(gt_flux_surface *surface)
{
    base_free(surface->pieces[0]);
    base_free(surface->pieces[1]);
    base_free(surface->net);
}

base_status gt_flux_surface_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                  gt_flux_space *space, gt_flux_surface *surface, base_error *err)
{
    const size_t na = a->mesh->face_count, nb = b->mesh->face_count;
    gt_flux flux;
    base_status status =
        base_reserve(surface->net, surface->net_capacity, (na > nb ? na : nb) + 1, err);
    for (int s = 0; s < 2; s++) {
        surface->count[s] = 0;
        surface->gap_m3[s] = 0;
    }
    if (status == BASE_OK) {
        status = find(a, b, pose, space, &flux, surface, err);
        surface->point_m = 2 * point_rounding(a, b, pose);
        surface->flaws = flux.flaws;
    }
    return status;
}
