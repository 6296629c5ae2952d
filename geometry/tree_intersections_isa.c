/*
 * The queue of tree_pairs.h. Pairs of triangles wait until their data have arrived from memory, and
 * are then decided four at a time in double, with the steps and the bits of triangle_common.c. That
 * file decides the pairs for which double arithmetic is not exact or precise enough.
 */
#include "geometry/tree_pairs.h"
#include "geometry/triangle.h"
#include "geometry/vec4.h"

enum {
    LANES = GEO_CROSSING_LANES,
    ALL = (1 << LANES) - 1,
};

/* --- Signs ------------------------------------------------------------------------------------ */

/** Returns +1, -1 or, if double arithmetic cannot tell, 0. */
static inline f64x4 sign4(f64x4 determinant, f64x4 terms)
{
    const f64x4 bound = f64x4_mul(f64x4_set(GEO_DETERMINANT_ERROR), terms), zero = f64x4_set(0);
    const f64x4 negative =
        f64x4_select(f64x4_lt(determinant, f64x4_sub(zero, bound)), f64x4_set(-1), zero);
    return f64x4_select(f64x4_lt(bound, determinant), f64x4_set(1), negative);
}

static inline unsigned is_zero(f64x4 sign)
{
    return m64x4_bits(f64x4_lt(f64x4_abs(sign), f64x4_set(0.5)));
}

typedef struct triangle4 {
    vec4 p[3], normal, terms; /* terms: sums of absolute products of the normal */
} triangle4;

static inline triangle4 triangle4_load(const double corner[3][3][LANES])
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

/** Triangles against planes, as `straddling`: rotated so that the apex comes first. */
typedef struct straddling4 {
    vec4 apex, low, high;
    f64x4 front;             /* 1: the apex is in front; -1: behind */
    unsigned apart, unknown; /* masks: all corners on one side; a side is unknown */
} straddling4;

static inline vec4 choose(const m64x4 apex[3], int shift, const vec4 p[3])
{
    return vec4_select(apex[0], p[shift],
                       vec4_select(apex[1], p[(1 + shift) % 3], p[(2 + shift) % 3]));
}

static inline straddling4 straddle4(const triangle4 *t, const triangle4 *plane, bool first)
{
    f64x4 sign[3];
    for (int k = 0; k < 3; k++) {
        const vec4 d = vec4_sub(t->p[k], plane->p[0]);
        sign[k] = sign4(vec4_dot(plane->normal, d), vec4_dot(plane->terms, vec4_abs(d)));
    }
    /* The apex is the corner whose sign differs from that of the sum of all signs. */
    const f64x4 zero = f64x4_set(0), one = f64x4_set(1);
    const f64x4 sum = f64x4_add(f64x4_add(sign[0], sign[1]), sign[2]);
    m64x4 apex[3];
    for (int k = 0; k < 3; k++) {
        apex[k] = f64x4_lt(f64x4_mul(sign[k], sum), zero);
    }
    const m64x4 front = f64x4_lt(sum, zero);
    const vec4 next = choose(apex, 1, t->p), previous = choose(apex, 2, t->p);
    return (straddling4){
        .apex = choose(apex, 0, t->p),
        .low = first ? vec4_select(front, previous, next) : vec4_select(front, next, previous),
        .high = first ? vec4_select(front, next, previous) : vec4_select(front, previous, next),
        .front = f64x4_select(front, one, f64x4_set(-1)),
        .apart = m64x4_bits(f64x4_lt(f64x4_set(2.5), f64x4_abs(sum))),
        .unknown = is_zero(sign[0]) | is_zero(sign[1]) | is_zero(sign[2]),
    };
}

/**
 * Returns the sign of det (s, w, t) for edges s and t whose start points differ by w, with the
 * orientation of compare.
 */
static inline f64x4 compare4(vec4 s, vec4 w, vec4 t, f64x4 orientation)
{
    const vec4 cross = vec4_cross(w, t), terms = vec4_cross_terms(vec4_abs(w), vec4_abs(t));
    return f64x4_mul(orientation, sign4(vec4_dot(s, cross), vec4_dot(vec4_abs(s), terms)));
}

/* --- Points ----------------------------------------------------------------------------------- */

static inline f64x4 greatest4(vec4 a)
{
    const vec4 b = vec4_abs(a);
    return f64x4_max(f64x4_max(b.x, b.y), b.z);
}

static inline m64x4 equal4(f64x4 a, f64x4 b)
{
    return m64x4_and(f64x4_le(a, b), f64x4_le(b, a));
}

static inline m64x4 less4(vec4 a, vec4 b)
{
    const m64x4 z = m64x4_and(equal4(a.y, b.y), f64x4_lt(a.z, b.z));
    const m64x4 yz = m64x4_or(f64x4_lt(a.y, b.y), z);
    return m64x4_or(f64x4_lt(a.x, b.x), m64x4_and(equal4(a.x, b.x), yz));
}

/**
 * Computes the points where edges pierce planes, as `pierce`. Returns a mask of those that are
 * precise.
 */
static inline unsigned pierce4(vec4 apex, vec4 end, const vec4 *origin, const vec4 *normal,
                               const vec4 *terms, double out[3][LANES])
{
    const m64x4 swap = less4(end, apex);
    const vec4 p = vec4_select(swap, end, apex), q = vec4_select(swap, apex, end);
    const vec4 to_p = vec4_sub(p, *origin), to_q = vec4_sub(q, *origin), along = vec4_sub(q, p);
    const f64x4 from_p = f64x4_abs(vec4_dot(*normal, to_p));
    const f64x4 sum = f64x4_add(from_p, f64x4_abs(vec4_dot(*normal, to_q)));
    const f64x4 error =
        f64x4_mul(f64x4_set(GEO_DETERMINANT_ERROR),
                  f64x4_max(vec4_dot(*terms, vec4_abs(to_p)), vec4_dot(*terms, vec4_abs(to_q))));
    const f64x4 reach = f64x4_max(greatest4(p), greatest4(q));
    const vec4 at = vec4_madd(p, f64x4_div(from_p, sum), along);
    f64x4_store(out[0], at.x);
    f64x4_store(out[1], at.y);
    f64x4_store(out[2], at.z);
    return m64x4_bits(f64x4_lt(f64x4_mul(error, greatest4(along)),
                               f64x4_mul(f64x4_mul(f64x4_set(GEO_PIERCE_SHARE), reach), sum)));
}

/* --- Four pairs ------------------------------------------------------------------------------- */

typedef struct answer4 {
    unsigned cross;   /* pairs that certainly cross, with their ends if these are requested */
    unsigned unknown; /* pairs that double arithmetic cannot decide, or whose ends are not
                       * precise */
    double from[3][LANES], to[3][LANES];
} answer4;

static inline unsigned find_end(const straddling4 *a, vec4 end_a, const triangle4 *ta,
                                const straddling4 *b, vec4 end_b, const triangle4 *tb, m64x4 of_b,
                                double out[3][LANES])
{
    const vec4 apex = vec4_select(of_b, b->apex, a->apex);
    const vec4 end = vec4_select(of_b, end_b, end_a);
    const vec4 origin = vec4_select(of_b, ta->p[0], tb->p[0]);
    const vec4 normal = vec4_select(of_b, ta->normal, tb->normal);
    const vec4 terms = vec4_select(of_b, ta->terms, tb->terms);
    return pierce4(apex, end, &origin, &normal, &terms, out);
}

static void cross4(const geo_crossing_queue *q, answer4 *answer)
{
    const triangle4 ta = triangle4_load(q->corner[0]), tb = triangle4_load(q->corner[1]);
    const straddling4 a = straddle4(&ta, &tb, true), b = straddle4(&tb, &ta, false);
    const unsigned apart = a.apart | b.apart;
    answer->cross = 0;
    answer->unknown = (a.unknown | b.unknown) & ~apart;
    const unsigned maybe = ALL & ~apart & ~answer->unknown;
    if (maybe == 0) {
        return;
    }
    const f64x4 zero = f64x4_set(0), orientation = f64x4_mul(a.front, b.front);
    const vec4 w = vec4_sub(b.apex, a.apex);
    const vec4 low_a = vec4_sub(a.low, a.apex), high_a = vec4_sub(a.high, a.apex);
    const vec4 low_b = vec4_sub(b.low, b.apex), high_b = vec4_sub(b.high, b.apex);
    const f64x4 low_high = compare4(low_a, w, high_b, orientation);
    const f64x4 high_low = compare4(high_a, w, low_b, orientation);
    const unsigned past = m64x4_bits(m64x4_or(f64x4_lt(low_high, zero), f64x4_lt(zero, high_low)));
    unsigned unknown = is_zero(low_high) | is_zero(high_low);
    if (q->common) {
        const f64x4 low_low = compare4(low_a, w, low_b, orientation);
        const f64x4 high_high = compare4(high_a, w, high_b, orientation);
        const m64x4 from_b = f64x4_lt(zero, low_low), to_b = f64x4_lt(high_high, zero);
        unknown |= is_zero(low_low) | is_zero(high_high) |
                   ~find_end(&a, a.low, &ta, &b, b.low, &tb, from_b, answer->from) |
                   ~find_end(&a, a.high, &ta, &b, b.high, &tb, to_b, answer->to);
    }
    answer->unknown |= maybe & ~past & unknown;
    answer->cross = maybe & ~past & ~unknown;
}

/* --- The queue -------------------------------------------------------------------------------- */

/** Loads the pairs from `first` on; unused lanes repeat it. */
static void load_lanes(geo_crossing_queue *q, uint32_t first)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t *const places = q->places[first + i < q->count ? first + i : first];
        const geo_triangle pair[2] = {
            q->tree[0]->triangles[places[0]],
            geo_pose_apply_triangle(q->pose, q->tree[1]->triangles[places[1]]),
        };
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++) {
                q->corner[side][k][0][i] = pair[side].p[k].x;
                q->corner[side][k][1][i] = pair[side].p[k].y;
                q->corner[side][k][2][i] = pair[side].p[k].z;
            }
        }
    }
}

static geo_triangle corners_of(const geo_crossing_queue *q, int side, unsigned i)
{
    geo_triangle t;
    for (int k = 0; k < 3; k++) {
        t.p[k] =
            (vec3){q->corner[side][k][0][i], q->corner[side][k][1][i], q->corner[side][k][2][i]};
    }
    return t;
}

static bool ask(const geo_crossing_queue *q, unsigned i, geo_common *common)
{
    const geo_triangle a = corners_of(q, 0, i), b = corners_of(q, 1, i);
    return q->common ? geo_triangle_common(a, b, common) : geo_triangle_intersect(a, b);
}

static void decide(geo_crossing_queue *q, uint32_t first)
{
    load_lanes(q, first);
    answer4 answer;
    cross4(q, &answer);
    const unsigned lanes = q->count - first < LANES ? (1u << (q->count - first)) - 1 : ALL;
    unsigned left = (answer.cross | answer.unknown) & lanes;
    for (; left != 0 && q->go; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        geo_common common;
        if ((answer.unknown >> i & 1) != 0) {
            if (!ask(q, i, &common)) {
                continue;
            }
        } else if (q->common) {
            common.from = (vec3){answer.from[0][i], answer.from[1][i], answer.from[2][i]};
            common.to = (vec3){answer.to[0][i], answer.to[1][i], answer.to[2][i]};
        }
        const uint32_t *const places = q->places[first + i];
        q->go = q->visit(q->context, q->tree[0]->faces[places[0]], q->tree[1]->faces[places[1]],
                         q->common ? &common : NULL);
    }
}

static void decide_all(geo_crossing_queue *q)
{
    for (uint32_t first = 0; first < q->count && q->go; first += LANES) {
        decide(q, first);
    }
    q->tests += q->count;
    q->count = 0;
}

static void fetch(const geo_triangle *t)
{
    __builtin_prefetch(&t->p[0]);
    __builtin_prefetch(&t->p[2].z);
}

bool BASE_ISA(geo_crossing_add)(void *queue, uint32_t first, unsigned hits, uint32_t b)
{
    geo_crossing_queue *const q = queue;
    fetch(&q->tree[1]->triangles[b]);
    for (; hits != 0; hits &= hits - 1) {
        const uint32_t a = first + (uint32_t)__builtin_ctz(hits);
        fetch(&q->tree[0]->triangles[a]);
        q->places[q->count][0] = a;
        q->places[q->count][1] = b;
        if (++q->count == GEO_CROSSING_QUEUE) {
            decide_all(q);
        }
    }
    return q->go;
}

void BASE_ISA(geo_crossing_end)(geo_crossing_queue *queue)
{
    decide_all(queue);
}
