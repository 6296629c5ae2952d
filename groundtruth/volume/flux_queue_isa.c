/*
 * The queue of flux_pair.h. It decides four pairs of triangles at a time in double. Each lane
 * computes the same bits as gt_flux_facets_cross if double arithmetic can decide the pair.
 *
 * If a triangle straddles a plane, one of its corners is alone on its side. This corner is the
 * apex. Corners are rotated so that the apex comes first. Both edges that cross the plane then
 * begin at the apex.
 */
#include "geometry/lanes.h"
#include "geometry/pose.h"
#include "groundtruth/volume/flux_pair.h"

#include <float.h>

/* --- Four pairs at a time --------------------------------------------------------------------- */

typedef struct gt_pair_answer {
    unsigned cross;   /* pairs that certainly cross; the members below are valid only for these */
    unsigned unknown; /* pairs that double arithmetic cannot decide; they need
                       * gt_flux_facets_cross */
    double point[2][3][GT_FLUX_BATCH]; /* points of the start and of the end */
    unsigned of_b[2];                  /* masks: set for edges of B */
    uint8_t edge[2][GT_FLUX_BATCH];
    double along[GT_FLUX_BATCH], height[GT_FLUX_BATCH]; /* as in gt_segment */
} gt_pair_answer;

/** Returns the sign of a determinant: +1 or -1, or 0 if double arithmetic cannot tell. */
static inline f64x4 sign4(f64x4 determinant, f64x4 terms)
{
    const f64x4 bound = f64x4_mul(f64x4_set(GEO_DETERMINANT_ERROR), terms);
    const f64x4 zero = f64x4_set(0);
    return f64x4_select(
        f64x4_lt(bound, determinant), f64x4_set(1),
        f64x4_select(f64x4_lt(determinant, f64x4_sub(zero, bound)), f64x4_set(-1), zero));
}

typedef struct triangle4 {
    vec4 p[3], normal, terms;
} triangle4;

static inline triangle4 triangle4_load(const double corner[3][3][GT_FLUX_BATCH])
{
    triangle4 t;
    for (int k = 0; k < 3; k++) {
        t.p[k] = vec4_load(corner[k][0]);
    }
    const vec4 u = vec4_sub(t.p[1], t.p[0]), v = vec4_sub(t.p[2], t.p[0]);
    t.normal = vec4_cross(u, v);
    t.terms = vec4_cross_terms(vec4_abs(u), vec4_abs(v));
    return t;
}

/** Triangles that straddle planes, with the apex first. */
typedef struct straddling4 {
    vec4 p[3];
    f64x4 distance[3]; /* absolute values of the distances from the plane, times the length of its
                        * normal */
    f64x4 error;       /* bound of the error of each distance */
    m64x4 apex[3];     /* apex[k]: true if corner k of the triangle is the apex */
    m64x4 front;       /* true if the apex is in front */
    unsigned straddle, unknown;
} straddling4;

static inline f64x4 select3(const m64x4 first[3], f64x4 a, f64x4 b, f64x4 c)
{
    return f64x4_select(first[0], a, f64x4_select(first[1], b, c));
}

static inline straddling4 look4(const triangle4 *of, const triangle4 *plane)
{
    straddling4 r;
    f64x4 distance[3], sign[3];
    f64x4 known = f64x4_set(1), most = f64x4_set(0);
    for (int k = 0; k < 3; k++) {
        const vec4 d = vec4_sub(of->p[k], plane->p[0]);
        const f64x4 signed_distance = vec4_dot(plane->normal, d);
        const f64x4 terms = vec4_dot(plane->terms, vec4_abs(d));
        sign[k] = sign4(signed_distance, terms);
        most = f64x4_max(most, terms);
        distance[k] = f64x4_abs(signed_distance);
        known = f64x4_mul(known, sign[k]);
    }
    r.error = f64x4_mul(f64x4_set(GEO_DETERMINANT_ERROR), most);
    /* The sum of all signs has the sign of the two other corners. The apex has the opposite one. */
    const f64x4 zero = f64x4_set(0);
    const f64x4 sum = f64x4_add(f64x4_add(sign[0], sign[1]), sign[2]);
    for (int k = 0; k < 3; k++) {
        r.apex[k] = f64x4_lt(f64x4_mul(sign[k], sum), zero);
    }
    r.front = f64x4_lt(sum, zero);
    r.straddle = m64x4_bits(f64x4_lt(f64x4_abs(sum), f64x4_set(2)));
    r.unknown = m64x4_bits(f64x4_lt(f64x4_abs(known), f64x4_set(0.5)));
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        r.distance[k] = select3(r.apex, distance[k], distance[l], distance[m]);
        r.p[k].x = select3(r.apex, of->p[k].x, of->p[l].x, of->p[m].x);
        r.p[k].y = select3(r.apex, of->p[k].y, of->p[l].y, of->p[m].y);
        r.p[k].z = select3(r.apex, of->p[k].z, of->p[l].z, of->p[m].z);
    }
    return r;
}

/** An edge from the apex to corner 1 or 2. */
typedef struct edge4 {
    vec4 to, along;
    f64x4 distance; /* distance of `to` from the plane */
} edge4;

static inline edge4 edge4_make(const straddling4 *s, int k)
{
    return (edge4){s->p[k], vec4_sub(s->p[k], s->p[0]), s->distance[k]};
}

static inline edge4 edge4_select(m64x4 mask, edge4 a, edge4 b)
{
    return (edge4){vec4_select(mask, a.to, b.to), vec4_select(mask, a.along, b.along),
                   f64x4_select(mask, a.distance, b.distance)};
}

/** The two edges of each triangle of a body that cross the plane of the other triangle. */
typedef struct crossing4 {
    edge4 in, out; /* the edge that enters the other body, and the one that leaves it */
    uint8_t in_edge[GT_FLUX_BATCH], out_edge[GT_FLUX_BATCH]; /* their numbers */
    unsigned in_up, out_up; /* masks: edges whose end that is not the apex has the higher vertex
                             * index */
} crossing4;

static inline crossing4 crossing4_make(const straddling4 *s, const unsigned forward[GT_FLUX_BATCH])
{
    const edge4 next = edge4_make(s, 1), previous = edge4_make(s, 2);
    crossing4 c = {.in = edge4_select(s->front, next, previous),
                   .out = edge4_select(s->front, previous, next)};
    const unsigned front = m64x4_bits(s->front);
    const unsigned second = m64x4_bits(s->apex[1]), third = m64x4_bits(s->apex[2]);
    for (unsigned i = 0; i < GT_FLUX_BATCH; i++) {
        const unsigned apex = (second >> i & 1) + 2 * (third >> i & 1);
        const unsigned before = apex == 0 ? 2 : apex - 1;
        const unsigned next_up = forward[i] >> apex & 1, previous_up = ~(forward[i] >> before) & 1;
        const bool in_front = (front >> i & 1) != 0;
        c.in_edge[i] = (uint8_t)(in_front ? apex : before);
        c.out_edge[i] = (uint8_t)(in_front ? before : apex);
        c.in_up |= (in_front ? next_up : previous_up) << i;
        c.out_up |= (in_front ? previous_up : next_up) << i;
    }
    return c;
}

/** Edges v of b, against which edges u of a are tested. w is the difference of their start points.
 * The sign of det (u, w, v) tells on which side u passes v. */
typedef struct passing4 {
    vec4 cross, terms; /* cross product of w and v, and the sums of the absolute values of its
                        * products */
} passing4;

static inline passing4 passing4_make(vec4 w, const edge4 *b)
{
    return (passing4){vec4_cross(w, b->along), vec4_cross_terms(vec4_abs(w), vec4_abs(b->along))};
}

static inline f64x4 passing4_sign(const passing4 *p, const edge4 *a, f64x4 orientation)
{
    const f64x4 det = vec4_dot(a->along, p->cross);
    return f64x4_mul(orientation, sign4(det, vec4_dot(vec4_abs(a->along), p->terms)));
}

static inline m64x4 lanes_of(unsigned bits)
{
    const double lanes[GT_FLUX_BATCH] = {bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1};
    return f64x4_lt(f64x4_set(0.5), f64x4_load(lanes));
}

/**
 * Computes the ends of the segments that are on an edge e from the apex. up: mask of the lanes in
 * which the other end of e has the higher vertex index.
 */
static inline void answer4(gt_pair_answer *answer, int end, vec4 apex, f64x4 distance,
                           const edge4 *e, unsigned up)
{
    const m64x4 upwards = lanes_of(up);
    const vec4 p = vec4_select(upwards, apex, e->to), q = vec4_select(upwards, e->to, apex);
    const f64x4 from = f64x4_select(upwards, distance, e->distance);
    const f64x4 at = f64x4_div(from, f64x4_add(distance, e->distance));
    const vec4 d = vec4_sub(q, p);
    f64x4_store(answer->point[end][0], f64x4_add(p.x, f64x4_mul(at, d.x)));
    f64x4_store(answer->point[end][1], f64x4_add(p.y, f64x4_mul(at, d.y)));
    f64x4_store(answer->point[end][2], f64x4_add(p.z, f64x4_mul(at, d.z)));
}

/** The errors that one plane causes at the ends of segments that cross it. */
typedef struct blur4 {
    f64x4 error, height;
} blur4;

static inline blur4 blur4_make(const straddling4 *s, const triangle4 *plane)
{
    const vec4 n = vec4_abs(plane->normal), t = plane->terms;
    const f64x4 unknown =
        f64x4_mul(f64x4_set(GEO_DETERMINANT_ERROR), f64x4_add(f64x4_add(t.x, t.y), t.z));
    const f64x4 longest = f64x4_sub(f64x4_max(f64x4_max(n.x, n.y), n.z), unknown);
    return (blur4){s->error, f64x4_div(s->error, f64x4_max(longest, f64x4_set(DBL_MIN)))};
}

/** Widens the bounds along and height (gt_segment) to contain the error of the end on the edge e.
 * distance: that of the apex. */
static inline void widen4(const blur4 *b, f64x4 distance, const edge4 *e, f64x4 *along,
                          f64x4 *height)
{
    const vec4 d = vec4_abs(e->along);
    const f64x4 length = f64x4_add(f64x4_add(d.x, d.y), d.z);
    const f64x4 at = f64x4_div(f64x4_mul(f64x4_set(4), b->error), f64x4_add(distance, e->distance));
    const f64x4 here = f64x4_mul(length, f64x4_min(at, f64x4_set(1)));
    *along = f64x4_max(*along, here);
    *height = f64x4_max(*height, f64x4_min(b->height, here));
}

static inline blur4 blur4_select(m64x4 mask, blur4 a, blur4 b)
{
    return (blur4){f64x4_select(mask, a.error, b.error), f64x4_select(mask, a.height, b.height)};
}

static inline unsigned mix(unsigned mask, unsigned a, unsigned b)
{
    return (a & mask) | (b & ~mask);
}

static void cross4(const gt_pair_batch *batch, gt_pair_answer *answer)
{
    const triangle4 ta = triangle4_load(batch->corner[0]), tb = triangle4_load(batch->corner[1]);
    const straddling4 sa = look4(&ta, &tb), sb = look4(&tb, &ta);
    const unsigned apart = (~sa.unknown & ~sa.straddle) | (~sb.unknown & ~sb.straddle);
    answer->cross = answer->of_b[0] = answer->of_b[1] = 0;
    answer->unknown = (sa.unknown | sb.unknown) & ~apart;
    const unsigned maybe = ~apart & ~answer->unknown & ((1u << GT_FLUX_BATCH) - 1);
    if (maybe == 0) {
        return;
    }
    const crossing4 a = crossing4_make(&sa, batch->forward[0]);
    const crossing4 b = crossing4_make(&sb, batch->forward[1]);
    const f64x4 one = f64x4_set(1), zero = f64x4_set(0);
    const f64x4 orientation = f64x4_mul(f64x4_select(sa.front, one, f64x4_set(-1)),
                                        f64x4_select(sb.front, one, f64x4_set(-1)));
    const vec4 w = vec4_sub(sb.p[0], sa.p[0]);
    const passing4 b_in = passing4_make(w, &b.in), b_out = passing4_make(w, &b.out);
    const f64x4 out_out = passing4_sign(&b_out, &a.out, orientation);
    const f64x4 in_in = passing4_sign(&b_in, &a.in, orientation);
    const f64x4 out_in = passing4_sign(&b_in, &a.out, orientation);
    const f64x4 in_out = passing4_sign(&b_out, &a.in, orientation);
    const unsigned past = m64x4_bits(m64x4_or(f64x4_lt(out_out, zero), f64x4_lt(zero, in_in)));
    const f64x4 known = f64x4_mul(f64x4_mul(out_out, in_in), f64x4_mul(out_in, in_out));
    const unsigned unknown = m64x4_bits(f64x4_lt(f64x4_abs(known), f64x4_set(0.5)));
    answer->unknown |= maybe & ~past & unknown;
    answer->cross = maybe & ~past & ~unknown;
    if (answer->cross == 0) {
        return;
    }
    const m64x4 start_of_b = f64x4_lt(zero, out_in), end_of_b = f64x4_lt(in_out, zero);
    const unsigned start_b = m64x4_bits(start_of_b), end_b = m64x4_bits(end_of_b);
    const edge4 start = edge4_select(start_of_b, b.in, a.out);
    const edge4 end = edge4_select(end_of_b, b.out, a.in);
    const f64x4 start_distance = f64x4_select(start_of_b, sb.distance[0], sa.distance[0]);
    const f64x4 end_distance = f64x4_select(end_of_b, sb.distance[0], sa.distance[0]);
    answer4(answer, 0, vec4_select(start_of_b, sb.p[0], sa.p[0]), start_distance, &start,
            mix(start_b, b.in_up, a.out_up));
    answer4(answer, 1, vec4_select(end_of_b, sb.p[0], sa.p[0]), end_distance, &end,
            mix(end_b, b.out_up, a.in_up));
    const blur4 by_a = blur4_make(&sb, &ta), by_b = blur4_make(&sa, &tb);
    const blur4 start_blur = blur4_select(start_of_b, by_a, by_b);
    const blur4 end_blur = blur4_select(end_of_b, by_a, by_b);
    f64x4 along = zero, height = zero;
    widen4(&start_blur, start_distance, &start, &along, &height);
    widen4(&end_blur, end_distance, &end, &along, &height);
    f64x4_store(answer->along, along);
    f64x4_store(answer->height, height);
    answer->of_b[0] = start_b;
    answer->of_b[1] = end_b;
    for (unsigned i = 0; i < GT_FLUX_BATCH; i++) {
        answer->edge[0][i] = (start_b >> i & 1) != 0 ? b.in_edge[i] : a.out_edge[i];
        answer->edge[1][i] = (end_b >> i & 1) != 0 ? b.out_edge[i] : a.in_edge[i];
    }
}

/* --- The queue -------------------------------------------------------------------------------- */

static geo_triangle corners_of(const gt_pair_batch *batch, int side, unsigned i)
{
    geo_triangle t;
    for (int k = 0; k < 3; k++) {
        t.p[k] = (vec3){batch->corner[side][k][0][i], batch->corner[side][k][1][i],
                        batch->corner[side][k][2][i]};
    }
    return t;
}

static bool ask_exactly(gt_queue *q, unsigned i, gt_segment *segment)
{
    const geo_triangle a = corners_of(&q->batch, 0, i), b = corners_of(&q->batch, 1, i);
    const gt_flux_facet facet_a = gt_flux_facet_make(&a, q->batch.forward[0][i]);
    const gt_flux_facet facet_b = gt_flux_facet_make(&b, q->batch.forward[1][i]);
    gt_flux_add_kink(&facet_a, &facet_b, &q->kinks);
    return gt_flux_facets_cross(&facet_a, &facet_b, segment, &q->exact);
}

static gt_crossing crossing_of(const gt_pair_answer *answer, int end, unsigned i)
{
    const bool of_b = (answer->of_b[end] >> i & 1) != 0;
    const int edge = answer->edge[end][i];
    return (gt_crossing){
        .point = {answer->point[end][0][i], answer->point[end][1][i], answer->point[end][2][i]},
        .edge = edge,
        .of_b = of_b};
}

static void set_corners(gt_queue *q, int side, unsigned i, const geo_triangle *t)
{
    for (int k = 0; k < 3; k++) {
        q->batch.corner[side][k][0][i] = t->p[k].x;
        q->batch.corner[side][k][1][i] = t->p[k].y;
        q->batch.corner[side][k][2][i] = t->p[k].z;
    }
}

/** Applies geo_pose_apply to four points, with the same bits. */
static inline void move4(const geo_pose *pose, double corner[3][GT_FLUX_BATCH])
{
    const vec4 p = vec4_load(corner[0]);
    for (int axis = 0; axis < 3; axis++) {
        const vec3 row = pose->rotation.row[axis];
        const vec4 r = {f64x4_set(row.x), f64x4_set(row.y), f64x4_set(row.z)};
        const f64x4 t = f64x4_set(vec3_get(pose->translation, axis));
        f64x4_store(corner[axis], f64x4_add(vec4_dot(r, p), t));
    }
}

/** Loads the pairs from `first` on. Unused lanes get the first pair again. */
static void fill_batch(gt_queue *q, unsigned first)
{
    for (unsigned i = 0; i < GT_FLUX_BATCH; i++) {
        const uint32_t *const indices = q->indices[first + i < q->count ? first + i : first];
        for (int side = 0; side < 2; side++) {
            set_corners(q, side, i, &q->tree[side]->triangles[indices[side]]);
            q->batch.forward[side][i] = q->forward[side][indices[side]];
        }
    }
    for (int k = 0; k < 3; k++) {
        move4(q->pose, q->batch.corner[1][k]);
    }
}

/** Decides the pairs from `first` on, and calls the visitor for those that cross. */
static void decide(gt_queue *q, unsigned first)
{
    fill_batch(q, first);
    gt_pair_answer answer;
    cross4(&q->batch, &answer);
    const unsigned count = q->count - first;
    const unsigned lanes = count < GT_FLUX_BATCH ? (1u << count) - 1 : (1u << GT_FLUX_BATCH) - 1;
    for (unsigned left = (answer.cross | answer.unknown) & lanes; left != 0 && q->go;
         left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        gt_segment segment;
        if ((answer.cross >> i & 1) != 0) {
            segment.start = crossing_of(&answer, 0, i);
            segment.end = crossing_of(&answer, 1, i);
            segment.along = answer.along[i];
            segment.height = answer.height[i];
        } else if (!ask_exactly(q, i, &segment)) {
            continue;
        }
        const geo_triangle corners[2] = {corners_of(&q->batch, 0, i), corners_of(&q->batch, 1, i)};
        q->go = q->visit(q->context, q->indices[first + i], corners, &segment);
    }
}

static void flush(gt_queue *q)
{
    for (unsigned first = 0; first < q->count && q->go; first += GT_FLUX_BATCH) {
        decide(q, first);
    }
    q->count = 0;
}

static void fetch_triangle(const geo_triangle *t)
{
    __builtin_prefetch(&t->p[0]);
    __builtin_prefetch(&t->p[2].z);
}

static void enqueue(gt_queue *q, uint32_t a, uint32_t b)
{
    fetch_triangle(&q->tree[0]->triangles[a]);
    fetch_triangle(&q->tree[1]->triangles[b]);
    q->indices[q->count][0] = a;
    q->indices[q->count][1] = b;
    if (++q->count == GT_QUEUE_MAX) {
        flush(q);
    }
}

bool BASE_ISA(gt_queue_add)(void *queue, uint32_t first, unsigned hits, uint32_t b)
{
    gt_queue *const q = queue;
    for (; hits != 0; hits &= hits - 1) {
        enqueue(q, first + (uint32_t)__builtin_ctz(hits), b);
    }
    return q->go;
}

void BASE_ISA(gt_queue_end)(gt_queue *queue)
{
    flush(queue);
}
