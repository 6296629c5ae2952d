/**
 * The traversal of query.h, compiled once per instruction set. It descends both trees at once, and
 * prunes pairs of balls whose gap exceeds the bound.
 *
 * To expand a pair of nodes, each child of one node is tested against all children of the other
 * one. The balls of nodes are floats that are rounded outwards, and the bound includes a margin for
 * other roundings in float. So a pair may be visited unnecessarily, but no pair is missed. Pairs of
 * leaves are compared in double.
 */
#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "base/elementary.h"
#include "base/simd.h"
#include "geometry/pose.h"

#define INLINE inline __attribute__((always_inline))

enum { WIDTH_MAX = ALG_IST_BRANCHING_MAX };

/* --- Balls ------------------------------------------------------------------------------------ */

/** Lanes as in a tree's node, with room for the widest node. */
typedef struct node_lanes {
    float at[ALG_IST_LANE_KINDS * WIDTH_MAX];
} node_lanes;

/** The tests of all balls of one node against all balls of another: rows times lanes. */
typedef struct ball_tests {
    float *measure;            /* [row * width + lane]: gap, or squared distance of centres */
    unsigned near[WIDTH_MAX];  /* bits of the lanes whose gap does not exceed the bound */
    const float *rows, *lanes; /* lanes of a and of b, or of b and of a if b is a leaf */
    const uint32_t *row_children, *lane_children;
    uint32_t row_count;
    bool swapped; /* rows are b's children */
    node_lanes moved, leaf_a;
    uint32_t nodes[2]; /* the expanded nodes */
} ball_tests;

/**
 * Fills lanes with a leaf as the only child of a node. motion: maps B's frame into A's frame; NULL:
 * the leaf is one of A's. far: also fill the far radius.
 */
static INLINE void load_leaf(const alg_ist_solid *solid, uint32_t leaf, const geo_motion *motion,
                             int width, bool far, node_lanes *l)
{
    const uint32_t i = leaf & ~ALG_IST_LEAF;
    const alg_ist_sphere *const s = &solid->spheres[i];
    const vec3 at = vec3_sub(s->centre, solid->tree.origin);
    const float c[3] = {(float)at.x, (float)at.y, (float)at.z};
    for (int axis = 0; axis < 3; axis++) {
        l->at[axis * width] =
            !motion ? c[axis]
                    : (motion->column[0][axis] * c[0] + motion->column[1][axis] * c[1]) +
                          (motion->column[2][axis] * c[2] + motion->t[axis]);
    }
    l->at[ALG_IST_NEAR * width] = (float)s->primary;
    if (far) {
        l->at[ALG_IST_FAR * width] = (float)alg_ist_sphere_reach(solid, i);
    }
}

/** Transforms the centres into A's frame. */
static INLINE void move_centres(const geo_motion *m, const float *from, int width, node_lanes *to)
{
    for (int axis = 0; axis < 3; axis++) {
        const float c0 = m->column[0][axis], c1 = m->column[1][axis], c2 = m->column[2][axis];
        const float t = m->t[axis];
        for (int i = 0; i < width; i += 4) {
            const f32x4 x = f32x4_load(from + ALG_IST_X * width + i);
            const f32x4 y = f32x4_load(from + ALG_IST_Y * width + i);
            const f32x4 z = f32x4_load(from + ALG_IST_Z * width + i);
            const f32x4 xy = f32x4_add(f32x4_mul(f32x4_set(c0), x), f32x4_mul(f32x4_set(c1), y));
            const f32x4 zt = f32x4_add(f32x4_mul(f32x4_set(c2), z), f32x4_set(t));
            f32x4_store(to->at + axis * width + i, f32x4_add(xy, zt));
        }
    }
}

static INLINE uint32_t count_children(const float *node, int width)
{
    unsigned bits = 0;
    for (int i = 0; i < width; i += 4) {
        const f32x4 x = f32x4_load(node + i);
        bits |= m32x4_bits(f32x4_le(x, x)) << i; /* lanes behind the last child are NaN */
    }
    return (uint32_t)__builtin_popcount(bits);
}

/** Returns the children of a node; a leaf is its own only child. */
static INLINE const uint32_t *children_of(const alg_ist_tree *tree, const uint32_t *node, int width)
{
    return *node & ALG_IST_LEAF ? node : tree->children + (size_t)*node * (size_t)width;
}

/**
 * Loads the lanes of two nodes in A's frame, and selects which node gives the rows. Counts the
 * tests.
 */
static INLINE void load_nodes(alg_ist_traversal *w, uint32_t a, uint32_t b, int width,
                              ball_tests *k)
{
    const float *node_a, *node_b;
    uint32_t count_a = 1, count_b = 1;
    const bool far = w->radius == ALG_IST_FAR || w->lenses;
    k->nodes[0] = a;
    k->nodes[1] = b;
    if (a & ALG_IST_LEAF) {
        load_leaf(w->a, a, NULL, width, far, &k->leaf_a);
        node_a = k->leaf_a.at;
    } else {
        node_a = w->a->tree.lanes + (size_t)a * ALG_IST_LANE_KINDS * (size_t)width;
        count_a = count_children(node_a, width);
    }
    k->swapped = (b & ALG_IST_LEAF) != 0;
    if (k->swapped) {
        load_leaf(w->b, b, &w->motion, width, far, &k->moved);
    } else {
        node_b = w->b->tree.lanes + (size_t)b * ALG_IST_LANE_KINDS * (size_t)width;
        count_b = count_children(node_b, width);
        move_centres(&w->motion, node_b, width, &k->moved);
        for (int i = ALG_IST_NEAR * width; i < ALG_IST_LANE_KINDS * width; i += 4) {
            f32x4_store(k->moved.at + i, f32x4_load(node_b + i));
        }
    }
    k->rows = k->swapped ? k->moved.at : node_a;
    k->lanes = k->swapped ? node_a : k->moved.at;
    const uint32_t *const children_a = children_of(&w->a->tree, &k->nodes[0], width);
    const uint32_t *const children_b = children_of(&w->b->tree, &k->nodes[1], width);
    k->row_children = k->swapped ? children_b : children_a;
    k->lane_children = k->swapped ? children_a : children_b;
    k->row_count = k->swapped ? count_b : count_a;
    if (w->watch) {
        w->watch(w, a, b);
    }
    w->counters[ALG_IST_COUNT_NODES]++;
    w->counters[ALG_IST_COUNT_BALLS] += (uint64_t)count_a * count_b;
}

#define MASK_BITS_4 m32x4_bits
#define MASK_BITS_8 m32x8_bits

/**
 * Compares one row with LANES lanes, from the differences of the centres.
 *
 * near_LANES  Writes squared distances. Returns the bits of the lanes whose squared distance does
 *             not exceed (r + r' + bound)^2. If `lenses` is true, also returns the bits of the
 *             lanes whose far balls overlap.
 * gaps_LANES  Writes gaps. Returns the bits of the lanes whose gap does not exceed the bound. For
 *             far bodies let D = apart, u = toward, and d the difference of the centres without the
 *             translation. Then |D u + d| - D = s / (1 + sqrt(1 + s / D)) with s = 2 u d + |d|^2 /
 *             D. This formula loses no digits.
 *
 * This is a macro because C has no functions that are generic over a vector type. Both types are
 * needed: with four lanes only, wide nodes would take twice as many operations; with eight lanes
 * only, nodes of four children would have four unused lanes.
 */
#define DEFINE_ROW(LANES, V)                                                                       \
    static INLINE unsigned near_##LANES(const alg_ist_traversal *w, const float *row,              \
                                        const float *lanes, int width, int radius, bool lenses,    \
                                        float *d2s)                                                \
    {                                                                                              \
        const V dx =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_X * width), V##_set(row[ALG_IST_X * width]));         \
        const V dy =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_Y * width), V##_set(row[ALG_IST_Y * width]));         \
        const V dz =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_Z * width), V##_set(row[ALG_IST_Z * width]));         \
        const V d2 = V##_add(V##_add(V##_mul(dx, dx), V##_mul(dy, dy)), V##_mul(dz, dz));          \
        V r = V##_add(V##_load(lanes + radius * width), V##_set(row[radius * width] + w->bound));  \
        if (lenses) {                                                                              \
            const V far = V##_load(lanes + ALG_IST_FAR * width);                                   \
            r = V##_max(r, V##_add(far, V##_set(row[ALG_IST_FAR * width] + w->overlap)));          \
        }                                                                                          \
        V##_store(d2s, d2);                                                                        \
        return MASK_BITS_##LANES(V##_le(d2, V##_mul(r, r)));                                       \
    }                                                                                              \
    static INLINE unsigned gaps_##LANES(const alg_ist_traversal *w, const float *toward,           \
                                        const float *row, const float *lanes, int width,           \
                                        int radius, float *gaps)                                   \
    {                                                                                              \
        const V dx =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_X * width), V##_set(row[ALG_IST_X * width]));         \
        const V dy =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_Y * width), V##_set(row[ALG_IST_Y * width]));         \
        const V dz =                                                                               \
            V##_sub(V##_load(lanes + ALG_IST_Z * width), V##_set(row[ALG_IST_Z * width]));         \
        const V d2 = V##_add(V##_add(V##_mul(dx, dx), V##_mul(dy, dy)), V##_mul(dz, dz));          \
        V length = V##_sqrt(d2);                                                                   \
        if (w->far) {                                                                              \
            const V along =                                                                        \
                V##_add(V##_add(V##_mul(dx, V##_set(toward[0])), V##_mul(dy, V##_set(toward[1]))), \
                        V##_mul(dz, V##_set(toward[2])));                                          \
            const V per = V##_set(w->per_apart), one = V##_set(1);                                 \
            const V s = V##_add(V##_add(along, along), V##_mul(d2, per));                          \
            length = V##_div(s, V##_add(one, V##_sqrt(V##_add(one, V##_mul(s, per)))));            \
        }                                                                                          \
        const V r = V##_add(V##_load(lanes + radius * width), V##_set(row[radius * width]));       \
        const V gap = V##_sub(length, r);                                                          \
        V##_store(gaps, gap);                                                                      \
        return MASK_BITS_##LANES(V##_le(gap, V##_set(w->bound)));                                  \
    }
DEFINE_ROW(4, f32x4)
DEFINE_ROW(8, f32x8)

/** Computes the gaps of all rows and lanes. */
static INLINE void measure_gaps(const alg_ist_traversal *w, int width, int radius, ball_tests *k)
{
    const float *const toward = w->toward[k->swapped];
    for (uint32_t i = 0; i < k->row_count; i++) {
        const float *const row = k->rows + i;
        if (width == 4) {
            k->near[i] =
                gaps_4(w, toward, row, k->lanes, width, radius, k->measure + i * (uint32_t)width);
        } else {
            k->near[i] =
                gaps_8(w, toward, row, k->lanes, width, radius, k->measure + i * (uint32_t)width);
        }
        if (width == 16) {
            const unsigned upper = gaps_8(w, toward, row, k->lanes + 8, width, radius,
                                          k->measure + i * (uint32_t)width + 8);
            k->near[i] |= upper << 8;
        }
    }
}

/** Computes the squared distances of all rows and lanes. */
static INLINE void measure_near(const alg_ist_traversal *w, int width, int radius, bool lenses,
                                ball_tests *k)
{
    for (uint32_t i = 0; i < k->row_count; i++) {
        const float *const row = k->rows + i;
        if (width == 4) {
            k->near[i] =
                near_4(w, row, k->lanes, width, radius, lenses, k->measure + i * (uint32_t)width);
        } else {
            k->near[i] =
                near_8(w, row, k->lanes, width, radius, lenses, k->measure + i * (uint32_t)width);
        }
        if (width == 16) {
            const unsigned upper = near_8(w, row, k->lanes + 8, width, radius, lenses,
                                          k->measure + i * (uint32_t)width + 8);
            k->near[i] |= upper << 8;
        }
    }
}

/* --- Lenses ----------------------------------------------------------------------------------- */

/**
 * Coordinates of the spheres of up to four waiting pairs. The lanes of missing pairs have no lens.
 */
typedef struct lens_batch {
    double a[3][ALG_IST_LENSES_AT_ONCE], b[3][ALG_IST_LENSES_AT_ONCE]; /* centres */
    double ra[ALG_IST_LENSES_AT_ONCE], rb[ALG_IST_LENSES_AT_ONCE];
} lens_batch;

static INLINE void gather_lenses(const alg_ist_traversal *w, uint32_t first, lens_batch *l)
{
    for (uint32_t i = 0; i < ALG_IST_LENSES_AT_ONCE; i++) {
        const bool there = first + i < w->waiting;
        const uint32_t at = there ? first + i : first;
        const uint32_t leaf_a = w->waiting_a[at], leaf_b = w->waiting_b[at];
        const alg_ist_sphere *const a = &w->a->spheres[leaf_a], *const b = &w->b->spheres[leaf_b];
        const vec3 ca = w->secondary ? alg_ist_middle(w->a, leaf_a) : a->centre;
        const vec3 cb = w->secondary ? alg_ist_middle(w->b, leaf_b) : b->centre;
        l->a[0][i] = ca.x;
        l->a[1][i] = ca.y;
        l->a[2][i] = ca.z;
        l->b[0][i] = cb.x;
        l->b[1][i] = cb.y;
        l->b[2][i] = cb.z;
        const double ra = w->secondary ? a->secondary : a->primary;
        const double rb = w->secondary ? b->secondary : b->primary;
        l->ra[i] = there ? ra : 0;
        l->rb[i] = there ? rb : -ra;
    }
}

/** Returns the volume of a spherical cap, BASE_PI / 3 h^2 (3 r - h). */
static INLINE f64x4 cap_volume(f64x4 r, f64x4 h)
{
    const f64x4 third = f64x4_mul(f64x4_mul(f64x4_set(BASE_PI / 3), h), h);
    return f64x4_mul(third, f64x4_sub(f64x4_mul(f64x4_set(3), r), h));
}

/**
 * Computes geo_ball_overlap_volume, lane by lane. depth = small + large - d is positive in all
 * lanes whose result is used.
 */
static INLINE f64x4 lens_volume(f64x4 ra, f64x4 rb, f64x4 d, f64x4 depth)
{
    const f64x4 small = f64x4_min(ra, rb), large = f64x4_max(ra, rb);
    const f64x4 twice = f64x4_add(d, d);
    const f64x4 h_small = f64x4_div(f64x4_mul(depth, f64x4_add(large, f64x4_sub(d, small))), twice);
    const f64x4 h_large = f64x4_div(f64x4_mul(depth, f64x4_add(small, f64x4_sub(d, large))), twice);
    const f64x4 lens = f64x4_add(cap_volume(small, h_small), cap_volume(large, h_large));
    const f64x4 cube = f64x4_mul(f64x4_mul(small, small), small);
    const f64x4 whole = f64x4_mul(f64x4_set(4.0 / 3.0 * BASE_PI), cube);
    return f64x4_select(f64x4_le(d, f64x4_sub(large, small)), whole, lens);
}

/**
 * Returns pi a^2 / d, lane by lane, where d is the distance of the centres of two spheres, and a
 * the radius of the circle in which they intersect. By Heron's formula, 4 a^2 d^2 is the product of
 * ra + rb + d, ra + rb - d, d + ra - rb and d - ra + rb. Returns 0 if one sphere contains the
 * other. depth = ra + rb - d is positive in all lanes whose result is used.
 */
static INLINE f64x4 lens_slope(f64x4 ra, f64x4 rb, f64x4 d, f64x4 depth)
{
    const f64x4 small = f64x4_min(ra, rb), large = f64x4_max(ra, rb);
    const f64x4 inner = f64x4_sub(d, f64x4_sub(large, small));
    const f64x4 outer = f64x4_add(d, f64x4_sub(large, small));
    const f64x4 product =
        f64x4_mul(f64x4_mul(depth, f64x4_add(d, f64x4_add(small, large))), f64x4_mul(inner, outer));
    const f64x4 cube = f64x4_mul(f64x4_mul(d, d), d);
    const f64x4 slope = f64x4_div(f64x4_mul(f64x4_set(0.25 * BASE_PI), product), cube);
    return f64x4_select(f64x4_lt(f64x4_set(0), inner), slope, f64x4_set(0));
}

static void report_contacts(const alg_ist_traversal *w, const double depth[], double at[3][4],
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
                {at[0][i], at[1][i], at[2][i]},
                {unit * between[0][i], unit * between[1][i], unit * between[2][i]},
                depth[i],
            };
        }
        answer->contact_count++;
    }
}

static INLINE void add_to(double *sum, f64x4 x)
{
    f64x4_store(sum, f64x4_add(f64x4_load(sum), x));
}

/** Mirrors the directions of lenses that point into the bodies: "Cones" at alg_ist_query. */
static void flip_directions(const alg_ist_traversal *w, uint32_t first, f64x4 direction[3])
{
    double lanes[3][ALG_IST_LENSES_AT_ONCE];
    for (int axis = 0; axis < 3; axis++) {
        f64x4_store(lanes[axis], direction[axis]);
    }
    for (uint32_t i = 0; i < ALG_IST_LENSES_AT_ONCE && first + i < w->waiting; i++) {
        const vec3 out_a = alg_ist_outward(w->a, w->waiting_a[first + i]);
        const vec3 out_b = geo_pose_rotate(w->pose, alg_ist_outward(w->b, w->waiting_b[first + i]));
        const vec3 out = vec3_sub(out_a, out_b);
        const double along = lanes[0][i] * out.x + lanes[1][i] * out.y + lanes[2][i] * out.z;
        if (along < 0) {
            const double twice = 2 * along / vec3_norm2(out);
            lanes[0][i] -= twice * out.x;
            lanes[1][i] -= twice * out.y;
            lanes[2][i] -= twice * out.z;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] = f64x4_load(lanes[axis]);
    }
}

/** Adds the lenses of up to four waiting pairs. */
static INLINE void add_lenses(alg_ist_traversal *w, uint32_t first)
{
    lens_batch l;
    gather_lenses(w, first, &l);
    const f64x4 zero = f64x4_set(0), half = f64x4_set(0.5);
    const f64x4 ra = f64x4_load(l.ra), rb = f64x4_load(l.rb);
    const f64x4 bx = f64x4_load(l.b[0]), by = f64x4_load(l.b[1]), bz = f64x4_load(l.b[2]);
    const double t[3] = {w->pose->translation.x, w->pose->translation.y, w->pose->translation.z};
    f64x4 a[3], between[3];
    for (int axis = 0; axis < 3; axis++) {
        /* Same operations as geo_pose_apply. */
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
    /* The middle of the part of the line of centres that is in both balls. */
    const f64x4 from = f64x4_max(f64x4_sub(zero, ra), f64x4_sub(d, rb));
    const f64x4 to = f64x4_min(ra, f64x4_add(d, rb));
    const f64x4 middle = f64x4_mul(half, f64x4_add(from, to));
    const f64x4 part = f64x4_select(f64x4_lt(zero, d), f64x4_div(middle, d), zero);
    const double c[3] = {w->centroid_b.x, w->centroid_b.y, w->centroid_b.z};
    f64x4 at[3], lever[3], force[3], direction[3] = {between[0], between[1], between[2]};
    if (w->cones) {
        flip_directions(w, first, direction);
    }
    const f64x4 scale = w->gradient ? f64x4_select(overlap, lens_slope(ra, rb, d, depth), zero) : v;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = f64x4_add(a[axis], f64x4_mul(part, between[axis]));
        lever[axis] = f64x4_sub(at[axis], f64x4_set(c[axis]));
        force[axis] = f64x4_mul(scale, direction[axis]);
        add_to(w->force[axis], force[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        add_to(w->torque[axis],
               f64x4_sub(f64x4_mul(lever[y], force[z]), f64x4_mul(lever[z], force[y])));
    }
    add_to(w->volume, v);
    add_to(w->length, f64x4_mul(v, d));
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

static void add_waiting(alg_ist_traversal *w)
{
    for (uint32_t i = 0; i < w->waiting; i += ALG_IST_LENSES_AT_ONCE) {
        add_lenses(w, i);
    }
    w->waiting = 0;
}

/* --- Leaves ----------------------------------------------------------------------------------- */

/** Sets the bound. Pairs whose gap exceeds it are pruned. */
static void set_bound(alg_ist_traversal *w)
{
    w->bound = base_float_above((w->seeking ? w->nearest : 0) - w->apart + w->margin);
}

/**
 * Compares a pair of leaves, or calls `decide`. Keeps the pair if it is nearer than the nearest
 * pair so far, or equally near with smaller numbers.
 */
static void seek_leaves(alg_ist_traversal *w, uint32_t a, uint32_t b)
{
    if (w->decide) {
        w->decide(w, a, b);
        set_bound(w);
        return;
    }
    const alg_ist_sphere *const sa = &w->a->spheres[a], *const sb = &w->b->spheres[b];
    const double d = vec3_distance(geo_pose_apply(w->pose, sb->centre), sa->centre);
    const double gap = d - sa->primary - sb->primary;
    if (w->bounded && alg_ist_outer(w->a, a) > 0 && alg_ist_outer(w->b, b) > 0) {
        const double outer_gap = d - alg_ist_outer(w->a, a) - alg_ist_outer(w->b, b);
        w->lower = fmin(w->lower, outer_gap - w->rounding);
    }
    const bool first = a < w->nearest_a || (a == w->nearest_a && b < w->nearest_b);
    if (gap < w->nearest || (gap == w->nearest && first)) {
        w->nearest = gap > 0 ? gap : 0;
        w->nearest_a = a;
        w->nearest_b = b;
        w->seeking = gap > 0;
        set_bound(w);
    }
}

static INLINE void test_leaves(alg_ist_traversal *w, uint32_t a, uint32_t b)
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

/* --- Traversal -------------------------------------------------------------------------------- */

/** Returns true if the budget is sufficient to expand another pair of nodes. */
static INLINE bool may_go_on(alg_ist_traversal *w)
{
    const uint64_t most = (uint64_t)w->a->tree.branching * w->b->tree.branching;
    bool within = w->counters[ALG_IST_COUNT_BALLS] + most <= w->tests_most;
    if (w->most_ns > 0 && w->counters[ALG_IST_COUNT_NODES] % ALG_IST_CLOCK_INTERVAL == 0) {
        within = within && alg_clock_ns() - w->begin_ns < w->most_ns;
    }
    w->stopped = !within;
    return within;
}

/** Returns the pair of a child of a row and a child of a lane, with the gap of their balls. */
static INLINE alg_ist_node_pair child_pair(bool swapped, uint32_t of_row, uint32_t of_lane,
                                           float gap)
{
    return (alg_ist_node_pair){swapped ? of_lane : of_row, swapped ? of_row : of_lane, gap};
}

/**
 * Returns the gap of the balls in row i and lane j, from the squared distance of their centres. If
 * `lenses` is true and the far balls overlap, returns the gap of the far balls, so that the pair is
 * never pruned.
 */
static INLINE float pair_gap(const alg_ist_traversal *w, const ball_tests *k, uint32_t i, int j,
                             int width, int radius, bool lenses)
{
    const float *const lanes = k->lanes + j, *const row = k->rows + i;
    const float distance = sqrtf(k->measure[(int)i * width + j]);
    if (lenses) {
        const float far_gap = distance - (lanes[ALG_IST_FAR * width] + row[ALG_IST_FAR * width]);
        if (far_gap <= w->overlap) {
            return far_gap;
        }
    }
    return distance - (lanes[radius * width] + row[radius * width]);
}

/**
 * Pushes a pair. While the distance is sought, the pairs above `base` remain sorted, with the
 * smallest gap on top.
 */
static INLINE void push_pair(alg_ist_traversal *w, size_t base, alg_ist_node_pair pair)
{
    size_t at = w->top++;
    for (; w->seeking && at > base && w->stack[at - 1].gap < pair.gap; at--) {
        w->stack[at] = w->stack[at - 1];
    }
    w->stack[at] = pair;
}

/**
 * Tests the children of one node against those of the other one. Compares pairs of leaves, and
 * pushes the other pairs that are not pruned.
 */
static INLINE void expand(alg_ist_traversal *w, uint32_t a, uint32_t b, int width, int radius,
                          bool lenses)
{
    ball_tests k;
    float measure[WIDTH_MAX * WIDTH_MAX];
    k.measure = measure;
    load_nodes(w, a, b, width, &k);
    if (w->far) {
        measure_gaps(w, width, radius, &k);
    } else {
        measure_near(w, width, radius, lenses, &k);
    }
    const size_t base = w->top;
    for (uint32_t i = 0; i < k.row_count; i++) {
        for (unsigned near = k.near[i]; near != 0; near &= near - 1) {
            const int j = __builtin_ctz(near);
            alg_ist_node_pair e = child_pair(k.swapped, k.row_children[i], k.lane_children[j], 0);
            if (e.a & e.b & ALG_IST_LEAF) {
                test_leaves(w, e.a & ~ALG_IST_LEAF, e.b & ~ALG_IST_LEAF);
                continue;
            }
            if (w->seeking) {
                e.gap = w->far ? k.measure[(int)i * width + j]
                               : pair_gap(w, &k, i, j, width, radius, lenses);
            }
            push_pair(w, base, e);
        }
    }
}

/** A pair of children that may be expanded next: lane `lane` of row `row` of
 * traversal->expansions[from]. */
typedef struct candidate {
    alg_ist_node_pair pair;
    uint32_t from;
    int row, lane;
} candidate;

/** The nearest pairs of one level, sorted by gap. */
typedef struct beam {
    candidate pairs[ALG_IST_BEAM];
    uint32_t count;
} beam;

/** Adds a pair. If the beam is full, the pair replaces the farthest one. */
static INLINE void keep_nearest(beam *k, candidate c)
{
    uint32_t at = k->count < ALG_IST_BEAM ? k->count++ : ALG_IST_BEAM - 1;
    for (; at > 0 && k->pairs[at - 1].pair.gap > c.pair.gap; at--) {
        k->pairs[at] = k->pairs[at - 1];
    }
    k->pairs[at] = c;
}

/**
 * If the far balls of a pair of children overlap, sets their gap to that of the far balls, as in
 * pair_gap.
 */
static INLINE void keep_lenses(const alg_ist_traversal *w, const ball_tests *k, int width)
{
    for (int i = 0; i < (int)k->row_count; i++) {
        const float *const row = k->rows + i;
        for (int j = 0; j < width; j += 4) {
            const float *const lanes = k->lanes + j;
            const f32x4 gap = f32x4_load(k->measure + i * width + j);
            const f32x4 near = f32x4_add(f32x4_load(lanes + ALG_IST_NEAR * width),
                                         f32x4_set(row[ALG_IST_NEAR * width]));
            const f32x4 far = f32x4_add(f32x4_load(lanes + ALG_IST_FAR * width),
                                        f32x4_set(row[ALG_IST_FAR * width]));
            const f32x4 far_gap = f32x4_sub(f32x4_add(gap, near), far);
            const m32x4 lens = f32x4_le(far_gap, f32x4_set(w->overlap));
            f32x4_store(k->measure + i * width + j, f32x4_select(lens, far_gap, gap));
        }
    }
}

/**
 * Expands a pair of the descent, and adds its nearest pairs of children to the beam of the next
 * level.
 */
static INLINE void expand_candidate(alg_ist_traversal *w, alg_ist_node_pair pair, int width,
                                    int radius, bool lenses, beam *below)
{
    const uint32_t from = w->expansion_count++;
    alg_ist_expansion *const o = &w->expansions[from];
    ball_tests k;
    load_nodes(w, pair.a, pair.b, width, &k);
    o->a = pair.a;
    o->b = pair.b;
    o->swapped = k.swapped;
    o->row_count = k.row_count;
    k.measure = o->gaps;
    w->bound = below->count < ALG_IST_BEAM ? INFINITY : below->pairs[ALG_IST_BEAM - 1].pair.gap;
    measure_gaps(w, width, radius, &k);
    for (uint32_t i = 0; i < k.row_count; i++) {
        o->taken[i] = 0;
        for (unsigned near = k.near[i]; near != 0; near &= near - 1) {
            const int j = __builtin_ctz(near);
            const candidate c = {child_pair(k.swapped, k.row_children[i], k.lane_children[j],
                                            k.measure[(int)i * width + j]),
                                 from, (int)i, j};
            if (below->count < ALG_IST_BEAM ||
                c.pair.gap < below->pairs[ALG_IST_BEAM - 1].pair.gap) {
                keep_nearest(below, c);
            }
        }
    }
    if (lenses) {
        keep_lenses(w, &k, width);
    }
}

/**
 * Descends level by level to the nearest pairs of children, for a first upper bound of the
 * distance. Ends early if this bound is 0 or the budget is used up.
 */
static INLINE void descend(alg_ist_traversal *w, int width, int radius, bool lenses)
{
    beam level = {.count = 0};
    expand_candidate(w, (alg_ist_node_pair){0, 0, -INFINITY}, width, radius, lenses, &level);
    while (level.count > 0) {
        beam below = {.count = 0};
        for (uint32_t n = 0; n < level.count && w->seeking; n++) {
            const candidate c = level.pairs[n];
            const bool leaves = (c.pair.a & c.pair.b & ALG_IST_LEAF) != 0;
            if (leaves || may_go_on(w)) {
                w->expansions[c.from].taken[c.row] |= (uint16_t)(1u << c.lane);
            }
            if (leaves) {
                test_leaves(w, c.pair.a & ~ALG_IST_LEAF, c.pair.b & ~ALG_IST_LEAF);
            } else if (!w->stopped) {
                expand_candidate(w, c.pair, width, radius, lenses, &below);
            }
        }
        level = below;
    }
    set_bound(w);
}

/**
 * Pushes the pairs of children with which the descent has not continued, unless the bound prunes
 * them. So no pair is expanded twice.
 */
static INLINE void push_left_out(alg_ist_traversal *w, int width)
{
    for (uint32_t n = 0; n < w->expansion_count; n++) {
        const alg_ist_expansion *const o = &w->expansions[n];
        const uint32_t *const children_a = children_of(&w->a->tree, &o->a, width);
        const uint32_t *const children_b = children_of(&w->b->tree, &o->b, width);
        const uint32_t *const rows = o->swapped ? children_b : children_a;
        const uint32_t *const lanes = o->swapped ? children_a : children_b;
        for (uint32_t i = 0; i < o->row_count; i++) {
            unsigned left = 0;
            for (int j = 0; j < width; j += 4) {
                const f32x4 gaps = f32x4_load(o->gaps + (int)i * width + j);
                left |= m32x4_bits(f32x4_le(gaps, f32x4_set(w->bound))) << j;
            }
            for (left &= ~(unsigned)o->taken[i]; left != 0; left &= left - 1) {
                const int j = __builtin_ctz(left);
                push_pair(w, 0,
                          child_pair(o->swapped, rows[i], lanes[j], o->gaps[(int)i * width + j]));
            }
        }
    }
}

/**
 * Expands the pairs on the stack until it is empty or the budget is used up. With `lenses`, it ends
 * as soon as the distance is known.
 */
static INLINE void expand_stack(alg_ist_traversal *w, int width, int radius, bool lenses)
{
    while (w->top > 0 && (w->seeking || (w->adding && !lenses))) {
        const alg_ist_node_pair e = w->stack[w->top - 1];
        if (e.gap > w->bound) {
            w->top--;
            continue;
        }
        if (e.a & e.b & ALG_IST_LEAF) {
            w->top--;
            test_leaves(w, e.a & ~ALG_IST_LEAF, e.b & ~ALG_IST_LEAF);
            continue;
        }
        if (!may_go_on(w)) {
            return;
        }
        w->top--;
        expand(w, e.a, e.b, width, radius, lenses);
    }
}

static INLINE void traverse(alg_ist_traversal *w, int width, int radius, bool lenses)
{
    set_bound(w);
    if (w->seeking && isinf(w->nearest)) {
        if (may_go_on(w)) {
            descend(w, width, radius, lenses);
        }
        if (isinf(w->nearest)) { /* out of budget */
            seek_leaves(w, 0, 0);
        }
    }
    if (!w->seeking && !w->adding) {
        return;
    }
    if (w->expansion_count > 0) {
        push_left_out(w, width);
    } else {
        w->stack[w->top++] = (alg_ist_node_pair){0, 0, -INFINITY};
    }
    expand_stack(w, width, radius, lenses);
    if (lenses) { /* the distance is known, or the stack is empty: the rest is a query for the
                     volume only */
        expand_stack(w, width, ALG_IST_FAR, false);
    }
    add_waiting(w);
}

static INLINE void traverse_width(alg_ist_traversal *w, int radius, bool lenses)
{
    if (w->a->tree.width == 4) {
        traverse(w, 4, radius, lenses);
    } else if (w->a->tree.width == 8) {
        traverse(w, 8, radius, lenses);
    } else {
        traverse(w, 16, radius, lenses);
    }
}

/* The arguments are constants, so that the compiler generates a traversal for each width and
 * radius. */
void BASE_ISA(alg_ist_traverse)(alg_ist_traversal *traversal)
{
    if (traversal->radius == ALG_IST_FAR) {
        traverse_width(traversal, ALG_IST_FAR, false);
    } else if (traversal->lenses && !traversal->far) {
        traverse_width(traversal, ALG_IST_NEAR, true);
    } else {
        traverse_width(traversal, ALG_IST_NEAR, false);
    }
}
