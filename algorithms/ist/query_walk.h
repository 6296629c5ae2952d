/*
 * The traversal of query.h, included once per instruction set: down both trees at once, past pairs
 * of balls that are too far apart to matter.
 *
 * A pair of nodes is one block of ball tests: each child of one against all children of the other.
 * Balls are float and may only err towards each other; leaves are decided in double.
 */
#include "algorithms/ist/query.h"

#include "geometry/elementary.h"
#include "geometry/pose.h"
#include "geometry/simd.h"

#define INLINE static inline __attribute__((always_inline))

enum { WIDTH_MAX = ALG_IST_BRANCHING_MAX };

/* --- Balls ---------------------------------------------------------------------------------- */

/** The balls of a node's children as the walk sees them, in A's frame. */
typedef struct family {
    const float *x, *y, *z, *r; /* `width` lanes each, NaN beyond the children */
    const uint32_t *children;
    uint32_t count;
    float own[4][WIDTH_MAX]; /* where balls had to be moved */
    uint32_t leaf;
} family;

/** A ball in a family of its own, so that a leaf meets the children of an inner node. */
INLINE void open_leaf(const alg_ist_walk *w, const alg_ist_tree *tree, const geo_motion *motion,
                      uint32_t leaf, family *f)
{
    const alg_ist_sphere *const s = &tree->spheres[leaf & ~ALG_IST_LEAF];
    const float c[3] = {(float)s->centre.x, (float)s->centre.y, (float)s->centre.z};
    for (int axis = 0; axis < 3; axis++) {
        f->own[axis][0] = motion == NULL
                              ? c[axis]
                              : (motion->column[0][axis] * c[0] + motion->column[1][axis] * c[1]) +
                                    (motion->column[2][axis] * c[2] + motion->t[axis]);
    }
    const double around = fmax(s->secondary, s->outer);
    f->own[3][0] = (float)(w->radius == ALG_IST_NEAR || s->primary > around ? s->primary : around);
    f->x = f->own[0];
    f->y = f->own[1];
    f->z = f->own[2];
    f->r = f->own[3];
    f->leaf = leaf;
    f->children = &f->leaf;
    f->count = 1;
}

/** The lanes of a node, moved by the motion. */
INLINE void move_lanes(const alg_ist_tree *tree, uint32_t node, const geo_motion *m, int width,
                       family *f)
{
    const float *const x = alg_ist_lanes(tree, node, ALG_IST_X);
    const float *const y = alg_ist_lanes(tree, node, ALG_IST_Y);
    const float *const z = alg_ist_lanes(tree, node, ALG_IST_Z);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < width; i += 4) {
            const f32x4 xy = f32x4_add(f32x4_mul(f32x4_set(m->column[0][axis]), f32x4_load(x + i)),
                                       f32x4_mul(f32x4_set(m->column[1][axis]), f32x4_load(y + i)));
            const f32x4 zt = f32x4_add(f32x4_mul(f32x4_set(m->column[2][axis]), f32x4_load(z + i)),
                                       f32x4_set(m->t[axis]));
            f32x4_store(f->own[axis] + i, f32x4_add(xy, zt));
        }
    }
    f->x = f->own[0];
    f->y = f->own[1];
    f->z = f->own[2];
}

INLINE void open_node(const alg_ist_walk *w, const alg_ist_tree *tree, const geo_motion *motion,
                      uint32_t node, int width, family *f)
{
    if (motion == NULL) {
        f->x = alg_ist_lanes(tree, node, ALG_IST_X);
        f->y = alg_ist_lanes(tree, node, ALG_IST_Y);
        f->z = alg_ist_lanes(tree, node, ALG_IST_Z);
    } else {
        move_lanes(tree, node, motion, width, f);
    }
    f->r = alg_ist_lanes(tree, node, w->radius);
    f->children = alg_ist_children(tree, node);
    f->count = 1;
    while (f->count < tree->branching && f->children[f->count] != ALG_IST_NOBODY) {
        f->count++;
    }
}

/**
 * Gaps of one ball (p, r) to `LANES` others; bits: those that are not above the bound.
 *
 * Far bodies: with D = apart, u = toward and the difference d of the centres without translation,
 * |D u + d| - D = s / (1 + sqrt(1 + s / D)) for s = 2 u d + |d|^2 / D: no digit is lost.
 */
#define DEFINE_GAPS(LANES, V)                                                                      \
    INLINE unsigned gaps_##LANES(const alg_ist_walk *w, const family *lanes, int at, float px,     \
                                 float py, float pz, float r, float bound, float *gaps)            \
    {                                                                                              \
        const V dx = V##_sub(V##_load(lanes->x + at), V##_set(px));                                \
        const V dy = V##_sub(V##_load(lanes->y + at), V##_set(py));                                \
        const V dz = V##_sub(V##_load(lanes->z + at), V##_set(pz));                                \
        const V d2 = V##_add(V##_add(V##_mul(dx, dx), V##_mul(dy, dy)), V##_mul(dz, dz));          \
        V length = V##_sqrt(d2);                                                                   \
        if (w->far) {                                                                              \
            const V along = V##_add(                                                               \
                V##_add(V##_mul(dx, V##_set(w->toward[0])), V##_mul(dy, V##_set(w->toward[1]))),   \
                V##_mul(dz, V##_set(w->toward[2])));                                               \
            const V per = V##_set(w->per_apart), one = V##_set(1);                                 \
            const V s = V##_add(V##_add(along, along), V##_mul(d2, per));                          \
            length = V##_div(s, V##_add(one, V##_sqrt(V##_add(one, V##_mul(s, per)))));            \
        }                                                                                          \
        const V gap = V##_sub(length, V##_add(V##_load(lanes->r + at), V##_set(r)));               \
        V##_store(gaps, gap);                                                                      \
        return MASK_BITS_##LANES(V##_le(gap, V##_set(bound)));                                     \
    }
#define MASK_BITS_4 m32x4_bits
#define MASK_BITS_8 m32x8_bits
DEFINE_GAPS(4, f32x4)
DEFINE_GAPS(8, f32x8)

/** All gaps between the children of two nodes. */
typedef struct block {
    float gap[WIDTH_MAX][WIDTH_MAX]; /* [row][lane] */
    unsigned near[WIDTH_MAX];        /* bits of lanes whose gap is not above the bound */
    family of_a, of_b;
    const family *rows, *lanes; /* a's and b's, or the other way when b is a leaf */
} block;

INLINE void measure(alg_ist_walk *w, uint32_t a, uint32_t b, int width, float bound, block *k)
{
    const bool leaf_a = (a & ALG_IST_LEAF) != 0, leaf_b = (b & ALG_IST_LEAF) != 0;
    if (leaf_a) {
        open_leaf(w, w->a, NULL, a, &k->of_a);
    } else {
        open_node(w, w->a, NULL, a, width, &k->of_a);
    }
    if (leaf_b) {
        open_leaf(w, w->b, &w->motion, b, &k->of_b);
    } else {
        open_node(w, w->b, &w->motion, b, width, &k->of_b);
    }
    k->rows = leaf_b ? &k->of_b : &k->of_a;
    k->lanes = leaf_b ? &k->of_a : &k->of_b;
    const family *const rows = k->rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        const float x = rows->x[i], y = rows->y[i], z = rows->z[i], r = rows->r[i];
        if (width == 4) {
            k->near[i] = gaps_4(w, k->lanes, 0, x, y, z, r, bound, k->gap[i]);
        } else {
            k->near[i] = gaps_8(w, k->lanes, 0, x, y, z, r, bound, k->gap[i]);
        }
        if (width == 16) {
            k->near[i] |= gaps_8(w, k->lanes, 8, x, y, z, r, bound, k->gap[i] + 8) << 8;
        }
    }
    w->counters[ALG_IST_COUNT_NODES]++;
    w->counters[ALG_IST_COUNT_BALLS] += (uint64_t)rows->count * k->lanes->count;
}

/* --- Lenses --------------------------------------------------------------------------------- */

/** Coordinates of the spheres of up to four waiting pairs; a missing one has radius 0. */
typedef struct lens_batch {
    double a[3][ALG_IST_LENSES_AT_ONCE], b[3][ALG_IST_LENSES_AT_ONCE]; /* centres */
    double ra[ALG_IST_LENSES_AT_ONCE], rb[ALG_IST_LENSES_AT_ONCE];
} lens_batch;

INLINE void gather_lenses(const alg_ist_walk *w, uint32_t first, lens_batch *l)
{
    for (uint32_t i = 0; i < ALG_IST_LENSES_AT_ONCE; i++) {
        const bool there = first + i < w->waiting;
        const uint32_t at = there ? first + i : first;
        const alg_ist_sphere *const a = &w->a->spheres[w->waiting_a[at]];
        const alg_ist_sphere *const b = &w->b->spheres[w->waiting_b[at]];
        l->a[0][i] = a->centre.x;
        l->a[1][i] = a->centre.y;
        l->a[2][i] = a->centre.z;
        l->b[0][i] = b->centre.x;
        l->b[1][i] = b->centre.y;
        l->b[2][i] = b->centre.z;
        const double ra = w->secondary ? a->secondary : a->primary;
        const double rb = w->secondary ? b->secondary : b->primary;
        l->ra[i] = there ? ra : 0;
        l->rb[i] = there ? rb : -ra;
    }
}

/** GEO_PI / 3 h^2 (3 r - h) */
INLINE f64x4 cap_volume(f64x4 r, f64x4 h)
{
    const f64x4 third = f64x4_mul(f64x4_mul(f64x4_set(GEO_PI / 3), h), h);
    return f64x4_mul(third, f64x4_sub(f64x4_mul(f64x4_set(3), r), h));
}

/** geo_ball_overlap_volume, lane by lane; depth = small + large - d is above 0 where it counts. */
INLINE f64x4 lens_volume(f64x4 ra, f64x4 rb, f64x4 d, f64x4 depth)
{
    const f64x4 small = f64x4_min(ra, rb), large = f64x4_max(ra, rb);
    const f64x4 twice = f64x4_add(d, d);
    const f64x4 h_small = f64x4_div(f64x4_mul(depth, f64x4_add(large, f64x4_sub(d, small))), twice);
    const f64x4 h_large = f64x4_div(f64x4_mul(depth, f64x4_add(small, f64x4_sub(d, large))), twice);
    const f64x4 lens = f64x4_add(cap_volume(small, h_small), cap_volume(large, h_large));
    const f64x4 cube = f64x4_mul(f64x4_mul(small, small), small);
    const f64x4 whole = f64x4_mul(f64x4_set(4.0 / 3.0 * GEO_PI), cube);
    return f64x4_select(f64x4_le(d, f64x4_sub(large, small)), whole, lens);
}

static void report_contacts(const alg_ist_walk *w, const double depth[], double at[3][4],
                            double between[3][4], const double d[])
{
    alg_answer *const answer = w->answer;
    for (int i = 0; i < ALG_IST_LENSES_AT_ONCE; i++) {
        if (!(depth[i] > 0)) {
            continue;
        }
        if (answer->contact_count < answer->contact_capacity) {
            const double unit = d[i] > 0 ? 1 / d[i] : 0;
            answer->contacts[answer->contact_count] = (alg_contact){
                {at[0][i],             at[1][i],             at[2][i]            },
                {unit * between[0][i], unit * between[1][i], unit * between[2][i]},
                depth[i],
            };
        }
        answer->contact_count++;
    }
}

INLINE f64x4 add_to(double *sum, f64x4 x)
{
    const f64x4 total = f64x4_add(f64x4_load(sum), x);
    f64x4_store(sum, total);
    return total;
}

/** Adds four waiting lenses. */
INLINE void add_lenses(alg_ist_walk *w, uint32_t first)
{
    lens_batch l;
    gather_lenses(w, first, &l);
    const f64x4 zero = f64x4_set(0), half = f64x4_set(0.5);
    const f64x4 ra = f64x4_load(l.ra), rb = f64x4_load(l.rb);
    const f64x4 bx = f64x4_load(l.b[0]), by = f64x4_load(l.b[1]), bz = f64x4_load(l.b[2]);
    const double t[3] = {w->pose->translation.x, w->pose->translation.y, w->pose->translation.z};
    f64x4 a[3], between[3];
    for (int axis = 0; axis < 3; axis++) {
        /* geo_pose_apply */
        const vec3 row = w->pose->rotation.row[axis];
        const f64x4 xy =
            f64x4_add(f64x4_mul(f64x4_set(row.x), bx), f64x4_mul(f64x4_set(row.y), by));
        const f64x4 xyz = f64x4_add(xy, f64x4_mul(f64x4_set(row.z), bz));
        a[axis] = f64x4_load(l.a[axis]);
        between[axis] = f64x4_sub(f64x4_add(xyz, f64x4_set(t[axis])), a[axis]);
    }
    const f64x4 d2 =
        f64x4_add(f64x4_add(f64x4_mul(between[0], between[0]), f64x4_mul(between[1], between[1])),
                  f64x4_mul(between[2], between[2]));
    const f64x4 d = f64x4_sqrt(d2);
    const f64x4 depth = f64x4_sub(f64x4_add(f64x4_min(ra, rb), f64x4_max(ra, rb)), d);
    const m64x4 overlap = f64x4_lt(zero, depth);
    const unsigned hits = m64x4_bits(overlap);
    w->counters[ALG_IST_COUNT_CONTACTS] += (unsigned)__builtin_popcount(hits);
    if (hits == 0) {
        return;
    }
    const f64x4 v = f64x4_select(overlap, lens_volume(ra, rb, d, depth), zero);
    /* The middle of the stretch of the line of centres that is in both balls. */
    const f64x4 from = f64x4_max(f64x4_sub(zero, ra), f64x4_sub(d, rb));
    const f64x4 to = f64x4_min(ra, f64x4_add(d, rb));
    const f64x4 middle = f64x4_mul(half, f64x4_add(from, to));
    const f64x4 part = f64x4_select(f64x4_lt(zero, d), f64x4_div(middle, d), zero);
    const double c[3] = {w->centroid_b.x, w->centroid_b.y, w->centroid_b.z};
    f64x4 at[3], lever[3], push[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = f64x4_add(a[axis], f64x4_mul(part, between[axis]));
        lever[axis] = f64x4_sub(at[axis], f64x4_set(c[axis]));
        push[axis] = f64x4_mul(v, between[axis]);
        add_to(w->push[axis], push[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        add_to(w->twist[axis],
               f64x4_sub(f64x4_mul(lever[y], push[z]), f64x4_mul(lever[z], push[y])));
    }
    add_to(w->volume, v);
    if (w->answer->contact_capacity > 0) {
        double depths[4], ats[3][4], betweens[3][4], ds[4];
        f64x4_store(depths, depth);
        f64x4_store(ds, d);
        for (int axis = 0; axis < 3; axis++) {
            f64x4_store(ats[axis], at[axis]);
            f64x4_store(betweens[axis], between[axis]);
        }
        report_contacts(w, depths, ats, betweens, ds);
    }
}

static void add_waiting(alg_ist_walk *w)
{
    for (uint32_t i = 0; i < w->waiting; i += ALG_IST_LENSES_AT_ONCE) {
        add_lenses(w, i);
    }
    w->waiting = 0;
}

/* --- Leaves --------------------------------------------------------------------------------- */

/** Is the pair nearer than the nearest so far? Equally near: is it of smaller numbers? */
INLINE void seek_leaves(alg_ist_walk *w, uint32_t a, uint32_t b)
{
    const alg_ist_sphere *const sa = &w->a->spheres[a], *const sb = &w->b->spheres[b];
    const double d = vec3_distance(geo_pose_apply(w->pose, sb->centre), sa->centre);
    const double gap = d - sa->primary - sb->primary;
    const bool first = a < w->nearest_a || (a == w->nearest_a && b < w->nearest_b);
    if (gap < w->nearest || (gap == w->nearest && first)) {
        w->nearest = gap > 0 ? gap : 0;
        w->nearest_a = a;
        w->nearest_b = b;
        w->seeking = gap > 0;
    }
}

INLINE void test_leaves(alg_ist_walk *w, uint32_t a, uint32_t b)
{
    w->counters[ALG_IST_COUNT_LEAVES]++;
    if (w->seeking) {
        seek_leaves(w, a, b);
    }
    if (w->adding) {
        w->waiting_a[w->waiting] = a;
        w->waiting_b[w->waiting++] = b;
        if (w->waiting == ALG_IST_LENSES_WAITING) {
            add_waiting(w);
        }
    }
}

/* --- Traversal ------------------------------------------------------------------------------ */

/** Gaps of float balls up to this one may still matter. */
INLINE float widest_gap(const alg_ist_walk *w)
{
    return geo_float_above((w->seeking ? w->nearest : 0) - w->apart + w->margin);
}

/** Puts an entry on the stack; among those above `base` the smallest gap ends up on top. */
INLINE void push_entry(alg_ist_walk *w, size_t base, alg_ist_entry entry)
{
    size_t at = w->top++;
    for (; w->seeking && at > base && w->stack[at - 1].gap < entry.gap; at--) {
        w->stack[at] = w->stack[at - 1];
    }
    w->stack[at] = entry;
}

/** Tests the children of one node against those of the other. */
INLINE void expand(alg_ist_walk *w, uint32_t a, uint32_t b, int width)
{
    block k;
    measure(w, a, b, width, widest_gap(w), &k);
    const bool swapped = k.rows == &k.of_b;
    const size_t base = w->top;
    for (uint32_t i = 0; i < k.rows->count; i++) {
        const uint32_t of_row = k.rows->children[i];
        for (unsigned near = k.near[i]; near != 0; near &= near - 1) {
            const int j = __builtin_ctz(near);
            const uint32_t of_lane = k.lanes->children[j];
            const alg_ist_entry e = {swapped ? of_lane : of_row, swapped ? of_row : of_lane,
                                     k.gap[i][j]};
            if (e.a & e.b & ALG_IST_LEAF) {
                test_leaves(w, e.a & ~ALG_IST_LEAF, e.b & ~ALG_IST_LEAF);
            } else {
                push_entry(w, base, e);
            }
        }
    }
}

/** Goes down to the nearest children all the way: some pair of leaves that is not far. */
INLINE void descend(alg_ist_walk *w, int width)
{
    uint32_t a = 0, b = 0;
    while (!(a & b & ALG_IST_LEAF)) {
        block k;
        measure(w, a, b, width, INFINITY, &k);
        const bool swapped = k.rows == &k.of_b;
        float least = INFINITY;
        for (uint32_t i = 0; i < k.rows->count; i++) {
            for (uint32_t j = 0; j < k.lanes->count; j++) {
                if (k.gap[i][j] < least) {
                    least = k.gap[i][j];
                    a = k.rows->children[i];
                    b = k.lanes->children[j];
                }
            }
        }
        if (swapped) {
            const uint32_t of_row = a;
            a = b;
            b = of_row;
        }
    }
    w->counters[ALG_IST_COUNT_LEAVES]++;
    seek_leaves(w, a & ~ALG_IST_LEAF, b & ~ALG_IST_LEAF);
}

INLINE void traverse(alg_ist_walk *w, int width)
{
    if (w->seeking && isinf(w->nearest)) {
        descend(w, width);
    }
    w->stack[w->top++] = (alg_ist_entry){0, 0, -INFINITY};
    while (w->top > 0 && (w->seeking || w->adding)) {
        const alg_ist_entry e = w->stack[--w->top];
        if (e.gap <= widest_gap(w)) {
            expand(w, e.a, e.b, width);
        }
    }
    add_waiting(w);
}

static void walk_all(alg_ist_walk *w)
{
    if (w->a->width == 4) {
        traverse(w, 4);
    } else if (w->a->width == 8) {
        traverse(w, 8);
    } else {
        traverse(w, 16);
    }
}
