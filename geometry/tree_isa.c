/*
 * The traversal of geo_tree_pairs descends both trees at once and skips pairs of pieces whose boxes
 * or slabs are apart. A piece is a leaf or a node. At two leaves, one triangle of B at a time is
 * tested against eight of A, by boxes and planes, in float.
 */
#include "base/simd.h"
#include "geometry/lanes.h"
#include "geometry/tree.h"
#include "geometry/triangle.h"

/* --- Triangles of two leaves ------------------------------------------------------------------ */

/** Eight triangles in the frame of A's tree. */
typedef struct triangles8 {
    f32x8 corner[3][3]; /* [k][axis] */
    f32x8 normal[3], offset;
    f32x8 lo[3], hi[3];
} triangles8;

typedef struct sieve {
    f32x8 r[3][3]; /* from the frame of B's tree to that of A's: R and t */
    float t[3];
    float margin;
    const geo_tree_leaf *loaded[2];
    triangles8 leaf[2];
    /** The triangles of B, stored so that single lanes can be read. Their boxes have the margin. */
    float corner[9][GEO_TREE_WIDTH], normal[3][GEO_TREE_WIDTH], offset[GEO_TREE_WIDTH];
    float lo[3][GEO_TREE_WIDTH], hi[3][GEO_TREE_WIDTH];
} sieve;

static f32x8 min3(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_min(f32x8_min(a, b), c);
}

static f32x8 max3(f32x8 a, f32x8 b, f32x8 c)
{
    return f32x8_max(f32x8_max(a, b), c);
}

static void find_boxes(triangles8 *t)
{
    for (int i = 0; i < 3; i++) {
        t->lo[i] = min3(t->corner[0][i], t->corner[1][i], t->corner[2][i]);
        t->hi[i] = max3(t->corner[0][i], t->corner[1][i], t->corner[2][i]);
    }
}

/** Returns component `row` of R v for eight vectors v of B. */
static f32x8 rotate8(const sieve *s, int row, const f32x8 v[3])
{
    const f32x8 *const r = s->r[row];
    return f32x8_add(f32x8_add(f32x8_mul(r[0], v[0]), f32x8_mul(r[1], v[1])),
                     f32x8_mul(r[2], v[2]));
}

static void sieve_load_a(sieve *s, const geo_tree_leaf *leaf)
{
    if (s->loaded[0] == leaf) {
        return;
    }
    s->loaded[0] = leaf;
    triangles8 *const t = &s->leaf[0];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            t->corner[k][i] = f32x8_load(leaf->corner[k][i]);
        }
        t->normal[i] = f32x8_load(leaf->normal[i]);
    }
    t->offset = f32x8_load(leaf->offset);
    find_boxes(t);
}

static void sieve_load_b(sieve *s, const geo_tree_leaf *leaf)
{
    if (s->loaded[1] == leaf) {
        return;
    }
    s->loaded[1] = leaf;
    triangles8 *const t = &s->leaf[1];
    for (int k = 0; k < 3; k++) {
        f32x8 p[3];
        for (int i = 0; i < 3; i++) {
            p[i] = f32x8_load(leaf->corner[k][i]);
        }
        for (int i = 0; i < 3; i++) {
            t->corner[k][i] = f32x8_add(rotate8(s, i, p), f32x8_set(s->t[i]));
            f32x8_store(s->corner[3 * k + i], t->corner[k][i]);
        }
    }
    f32x8 n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = f32x8_load(leaf->normal[i]);
    }
    f32x8 shift = f32x8_set(0);
    for (int i = 0; i < 3; i++) {
        t->normal[i] = rotate8(s, i, n);
        shift = f32x8_add(shift, f32x8_mul(t->normal[i], f32x8_set(s->t[i])));
        f32x8_store(s->normal[i], t->normal[i]);
    }
    t->offset = f32x8_add(f32x8_load(leaf->offset), shift);
    f32x8_store(s->offset, t->offset);
    find_boxes(t);
    for (int i = 0; i < 3; i++) {
        f32x8_store(s->lo[i], f32x8_sub(t->lo[i], f32x8_set(s->margin)));
        f32x8_store(s->hi[i], f32x8_add(t->hi[i], f32x8_set(s->margin)));
    }
}

/**
 * Returns the lanes whose triangle may have corners on both sides of the plane normal . y = offset.
 * side[k]: normal . y for corner k.
 */
static m32x8 straddles(const f32x8 side[3], f32x8 offset, f32x8 margin)
{
    const f32x8 lo = min3(side[0], side[1], side[2]), hi = max3(side[0], side[1], side[2]);
    return m32x8_and(f32x8_le(lo, f32x8_add(offset, margin)),
                     f32x8_le(f32x8_sub(offset, margin), hi));
}

static unsigned sieve_meets(const sieve *s, int b)
{
    const triangles8 *const t = &s->leaf[0];
    const f32x8 margin = f32x8_set(s->margin);
    m32x8 hit = f32x8_le(t->lo[0], f32x8_set(s->hi[0][b]));
    hit = m32x8_and(hit, f32x8_le(f32x8_set(s->lo[0][b]), t->hi[0]));
    for (int i = 1; i < 3; i++) {
        hit = m32x8_and(hit, f32x8_le(t->lo[i], f32x8_set(s->hi[i][b])));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(s->lo[i][b]), t->hi[i]));
    }
    f32x8 of_b[3], of_a[3];
    for (int k = 0; k < 3; k++) {
        of_b[k] = f32x8_mul(t->normal[0], f32x8_set(s->corner[3 * k][b]));
        of_a[k] = f32x8_mul(t->corner[k][0], f32x8_set(s->normal[0][b]));
        for (int i = 1; i < 3; i++) {
            of_b[k] =
                f32x8_add(of_b[k], f32x8_mul(t->normal[i], f32x8_set(s->corner[3 * k + i][b])));
            of_a[k] = f32x8_add(of_a[k], f32x8_mul(t->corner[k][i], f32x8_set(s->normal[i][b])));
        }
    }
    hit = m32x8_and(hit, straddles(of_b, t->offset, margin));
    hit = m32x8_and(hit, straddles(of_a, f32x8_set(s->offset[b]), margin));
    return m32x8_bits(hit);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

/* If A's piece is more than this many times as large as B's piece, only A's piece is replaced by
 * its children. */
#define ALIKE 2.0F

enum {
    WIDTH = GEO_TREE_WIDTH,
    /* A step replaces a pair by at most 64 pairs, which are one level down in one tree or both. */
    STACK_MAX = WIDTH * WIDTH * 2 * GEO_TREE_LEVELS_MAX,
};

/** Piece `index` of a level of a tree. */
typedef struct piece {
    uint32_t index, level;
} piece;

typedef struct pair {
    piece of[2];
} pair;

typedef struct traversal {
    const geo_tree_pairs_task *task;
    geo_motion to_other[2];
    f32x8 r[2][3][3], size[2][3][3]; /* the rotations and their absolute values, in every lane */
    float margin;
    sieve sieve;
    bool go; /* true until the visitor stops it */
    pair stack[STACK_MAX];
    size_t depth;
} traversal;

/* --- Bounds ----------------------------------------------------------------------------------- */

/** A piece of one body in the other frame: a box along the axes of its own tree, and a slab. */
typedef struct fixed {
    float e[3];          /* half edges of its box in its own frame, plus the margin */
    float there[4];      /* the box's centre in the other frame */
    float around[4];     /* half edges of the enclosing box in the other frame, with the margin */
    float normal[4], at; /* the slab in the other frame */
    float thickness;     /* thickness of the slab, plus the margin */
} fixed;

static fixed transform_piece(const traversal *w, int side, piece p)
{
    const geo_slab_node *const node = &w->task->tree[side]->slabs[p.level + 1][p.index / WIDTH];
    const geo_motion *const m = &w->to_other[side];
    const uint32_t lane = p.index % WIDTH;
    const f32x4 t = f32x4_load(m->t);
    f32x4 there = t, around = f32x4_set(0), normal = f32x4_set(0);
    fixed f;
    for (int k = 0; k < 3; k++) {
        const f32x4 column = f32x4_load(m->column[k]);
        const float lo = node->lo[k][lane], hi = node->hi[k][lane];
        f.e[k] = 0.5F * (hi - lo) + w->margin;
        there = f32x4_add(there, f32x4_mul(column, f32x4_set(0.5F * (lo + hi))));
        around = f32x4_add(around, f32x4_mul(f32x4_abs(column), f32x4_set(f.e[k])));
        normal = f32x4_add(normal, f32x4_mul(column, f32x4_set(node->normal[k][lane])));
    }
    f32x4_store(f.there, there);
    f32x4_store(f.around, around);
    f32x4_store(f.normal, normal);
    f.at = node->at[lane] + f.normal[0] * m->t[0] + f.normal[1] * m->t[1] + f.normal[2] * m->t[2];
    f.thickness = node->thickness[lane] + w->margin;
    return f;
}

/** Returns the size of the box of a piece: the sum of its edges. */
static float size_of(const traversal *w, int side, piece p)
{
    const geo_slab_node *const node = &w->task->tree[side]->slabs[p.level + 1][p.index / WIDTH];
    const uint32_t lane = p.index % WIDTH;
    return (node->hi[0][lane] - node->lo[0][lane]) + (node->hi[1][lane] - node->lo[1][lane]) +
           (node->hi[2][lane] - node->lo[2][lane]);
}

/**
 * Returns the children of a node of `side` that may meet the piece: those whose extents overlap
 * along the axes of both trees and across both slabs.
 */
static unsigned children_that_may_meet(const traversal *w, int side, piece parent, const fixed *f)
{
    const geo_slab_node *const node = &w->task->tree[side]->slabs[parent.level][parent.index];
    const f32x8(*const r)[3] = w->r[1 - side]; /* from the piece's frame */
    const f32x8(*const size)[3] = w->size[1 - side];
    const f32x8 zero = f32x8_set(0), margin = f32x8_set(w->margin);
    f32x8 d[3], e[3], slab[3];
    f32x8 across = f32x8_set(-f->at), wide = f32x8_set(f->thickness);
    f32x8 along = f32x8_sub(zero, f32x8_load(node->at));
    m32x8 hit = f32x8_le(zero, zero);
    for (int i = 0; i < 3; i++) {
        const f32x8 lo = f32x8_load(node->lo[i]), hi = f32x8_load(node->hi[i]);
        const f32x8 c = f32x8_mul(f32x8_set(0.5F), f32x8_add(lo, hi));
        const f32x8 there = f32x8_set(f->there[i]), normal = f32x8_set(f->normal[i]);
        e[i] = f32x8_mul(f32x8_set(0.5F), f32x8_sub(hi, lo));
        d[i] = f32x8_sub(c, there);
        slab[i] = f32x8_load(node->normal[i]);
        hit = m32x8_and(hit, f32x8_le(f32x8_abs(d[i]), f32x8_add(e[i], f32x8_set(f->around[i]))));
        across = f32x8_add(across, f32x8_mul(normal, c));
        wide = f32x8_add(wide, f32x8_mul(f32x8_abs(normal), e[i]));
        along = f32x8_add(along, f32x8_mul(slab[i], there));
    }
    hit = m32x8_and(hit, f32x8_le(f32x8_abs(across), wide));
    if (m32x8_bits(hit) == 0) {
        return 0;
    }
    wide = f32x8_add(f32x8_load(node->thickness), margin);
    for (int k = 0; k < 3; k++) {
        const f32x8 edge = f32x8_set(f->e[k]);
        f32x8 apart = zero, half = edge, turned = zero;
        for (int i = 0; i < 3; i++) {
            apart = f32x8_add(apart, f32x8_mul(r[i][k], d[i]));
            half = f32x8_add(half, f32x8_mul(size[i][k], e[i]));
            turned = f32x8_add(turned, f32x8_mul(r[i][k], slab[i]));
        }
        hit = m32x8_and(hit, f32x8_le(f32x8_abs(apart), half));
        wide = f32x8_add(wide, f32x8_mul(f32x8_abs(turned), edge));
    }
    hit = m32x8_and(hit, f32x8_le(f32x8_abs(along), wide));
    return m32x8_bits(hit);
}

/** Returns the triangles of B's leaf that may meet the box and the slab of A's leaf. */
static unsigned triangles_near_leaf(const traversal *w, uint32_t leaf_a)
{
    const geo_slab_node *const node = &w->task->tree[0]->slabs[1][leaf_a / WIDTH];
    const uint32_t lane = leaf_a % WIDTH;
    const triangles8 *const t = &w->sieve.leaf[1];
    f32x8 side[3] = {f32x8_set(0), f32x8_set(0), f32x8_set(0)};
    m32x8 hit = f32x8_le(side[0], side[0]);
    for (int i = 0; i < 3; i++) {
        const float lo = node->lo[i][lane] - w->margin, hi = node->hi[i][lane] + w->margin;
        hit = m32x8_and(hit, f32x8_le(t->lo[i], f32x8_set(hi)));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(lo), t->hi[i]));
        for (int k = 0; k < 3; k++) {
            side[k] =
                f32x8_add(side[k], f32x8_mul(t->corner[k][i], f32x8_set(node->normal[i][lane])));
        }
    }
    hit = m32x8_and(hit, straddles(side, f32x8_set(node->at[lane]),
                                   f32x8_set(node->thickness[lane] + w->margin)));
    return m32x8_bits(hit);
}

/** Returns the triangles of A's leaf that may meet the box and the slab of a piece of B. */
static unsigned triangles_near_piece(const traversal *w, const fixed *of_b)
{
    const triangles8 *const t = &w->sieve.leaf[0];
    f32x8 side[3] = {f32x8_set(0), f32x8_set(0), f32x8_set(0)};
    m32x8 hit = f32x8_le(side[0], side[0]);
    for (int i = 0; i < 3; i++) {
        const f32x8 normal = f32x8_set(of_b->normal[i]);
        hit = m32x8_and(hit, f32x8_le(t->lo[i], f32x8_set(of_b->there[i] + of_b->around[i])));
        hit = m32x8_and(hit, f32x8_le(f32x8_set(of_b->there[i] - of_b->around[i]), t->hi[i]));
        for (int k = 0; k < 3; k++) {
            side[k] = f32x8_add(side[k], f32x8_mul(t->corner[k][i], normal));
        }
    }
    hit = m32x8_and(hit, straddles(side, f32x8_set(of_b->at), f32x8_set(of_b->thickness)));
    return m32x8_bits(hit);
}

static unsigned used(const geo_tree *tree, uint32_t leaf)
{
    const uint32_t left = tree->count - leaf * WIDTH;
    return left < WIDTH ? (1u << left) - 1 : (1u << WIDTH) - 1;
}

static void test_leaves(traversal *w, uint32_t leaf_a, uint32_t leaf_b, const fixed *of_b)
{
    const geo_tree *const *const tree = w->task->tree;
    sieve_load_a(&w->sieve, &tree[0]->leaves[leaf_a]);
    const unsigned lanes_a = triangles_near_piece(w, of_b) & used(tree[0], leaf_a);
    if (lanes_a == 0) {
        return;
    }
    sieve_load_b(&w->sieve, &tree[1]->leaves[leaf_b]);
    unsigned left = triangles_near_leaf(w, leaf_a) & used(tree[1], leaf_b);
    for (; left != 0 && w->go; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const unsigned hits = sieve_meets(&w->sieve, lane) & lanes_a;
        if (hits != 0) {
            w->go = w->task->visit(w->task->context, leaf_a * WIDTH, hits,
                                   leaf_b * WIDTH + (uint32_t)lane);
        }
    }
}

/* --- Descent ---------------------------------------------------------------------------------- */

static piece child_of(piece parent, unsigned lane)
{
    return (piece){parent.index * WIDTH + lane, parent.level - 1};
}

static void fetch_leaf(const geo_tree *tree, uint32_t index)
{
    const char *const leaf = (const char *)&tree->leaves[index];
    for (size_t at = 0; at < sizeof *tree->leaves; at += 64) {
        __builtin_prefetch(leaf + at);
    }
}

/**
 * Pairs the children of `a` in the mask `near` with a piece of B. Tests pairs of leaves; pushes
 * other pairs on the stack.
 */
static void follow(traversal *w, piece a, unsigned near, piece b, const fixed *of_b)
{
    if (a.level == 1 && b.level == 0) {
        for (unsigned left = near; left != 0; left &= left - 1) {
            fetch_leaf(w->task->tree[0], child_of(a, (unsigned)__builtin_ctz(left)).index);
        }
        for (; near != 0 && w->go; near &= near - 1) {
            test_leaves(w, child_of(a, (unsigned)__builtin_ctz(near)).index, b.index, of_b);
        }
        return;
    }
    for (; near != 0; near &= near - 1) {
        w->stack[w->depth++] = (pair){{child_of(a, (unsigned)__builtin_ctz(near)), b}};
    }
}

/** Pairs the children of `a` with a piece of B. */
static void expand_a(traversal *w, piece a, piece b)
{
    const fixed of_b = transform_piece(w, 1, b);
    follow(w, a, children_that_may_meet(w, 0, a, &of_b), b, &of_b);
}

/** Pairs the piece `a`, or its children if it is a node, with the children of `b`. */
static void expand_b(traversal *w, piece a, piece b)
{
    const fixed of_a = transform_piece(w, 0, a);
    for (unsigned near = children_that_may_meet(w, 1, b, &of_a); near != 0; near &= near - 1) {
        const piece child = child_of(b, (unsigned)__builtin_ctz(near));
        if (child.level == 0) {
            fetch_leaf(w->task->tree[1], child.index);
        }
        if (a.level > 0) {
            expand_a(w, a, child);
        } else if (child.level > 0) {
            w->stack[w->depth++] = (pair){{a, child}};
        } else {
            const fixed of_b = transform_piece(w, 1, child);
            test_leaves(w, a.index, child.index, &of_b);
        }
    }
}

bool BASE_ISA(geo_tree_pairs)(const geo_tree_pairs_task *task)
{
    traversal w;
    w.task = task;
    w.margin = w.sieve.margin = task->margin;
    for (int side = 0; side < 2; side++) {
        w.to_other[side] = task->to_other[side];
        w.sieve.loaded[side] = NULL;
        for (int i = 0; i < 9; i++) {
            const float r = w.to_other[side].column[i % 3][i / 3];
            w.r[side][i / 3][i % 3] = f32x8_set(r);
            w.size[side][i / 3][i % 3] = f32x8_set(fabsf(r));
        }
    }
    for (int i = 0; i < 3; i++) {
        w.sieve.t[i] = w.to_other[1].t[i];
        memcpy(w.sieve.r[i], w.r[1][i], sizeof w.sieve.r[i]);
    }
    w.go = true;
    w.depth = 0;
    const geo_tree *const a = task->tree[0], *const b = task->tree[1];
    const uint32_t top_a = a->level_count - 1, top_b = b->level_count - 1;
    for (uint32_t j = 0; j < b->level_size[top_b - 1]; j++) {
        expand_a(&w, (piece){0, top_a}, (piece){j, top_b - 1});
    }
    while (w.depth > 0 && w.go) {
        /* If B's piece is a leaf or A's is much larger, only A's piece is replaced by its children.
         * Otherwise both pieces are replaced, except for a leaf of A. */
        const pair next = w.stack[--w.depth];
        const piece p = next.of[0], q = next.of[1];
        if (q.level == 0 || (p.level > 0 && size_of(&w, 0, p) > ALIKE * size_of(&w, 1, q))) {
            expand_a(&w, p, q);
        } else {
            expand_b(&w, p, q);
        }
    }
    return w.go;
}

/* --- Pairs that intersect --------------------------------------------------------------------- */

/*
 * In the queue of geo_tree_intersections, pairs of triangles wait until their data have arrived
 * from memory. They are then decided four at a time in double, with the steps and the bits of
 * geo_triangle_common. If double arithmetic is not exact or precise enough for a pair, that
 * function decides it.
 */

enum {
    LANES = GEO_CROSSING_LANES,
    ALL = (1 << LANES) - 1,
};

/* --- Signs ------------------------------------------------------------------------------------ */

/** Returns the sign of a determinant, +1 or -1, or 0 if rounding errors may change the sign. */
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

/** Four triangles that straddle planes, like `straddling` of triangle.c. */
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
 * Compares where the line of both planes crosses the edges s and t, like `compare` of triangle.c.
 * Returns the sign of det (s, w, t) times the orientation, where w is the difference of the start
 * points of the edges.
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
 * Computes the points where edges pierce planes, like `pierce` of triangle.c. Returns a mask of the
 * points that are precise.
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

/** Loads the pairs from `first` on; unused lanes repeat the pair `first`. */
static void load_lanes(geo_crossing_queue *q, uint32_t first)
{
    for (uint32_t i = 0; i < LANES; i++) {
        const uint32_t *const index = q->pairs[first + i < q->count ? first + i : first];
        const geo_triangle corners[2] = {
            q->tree[0]->triangles[index[0]],
            geo_pose_apply_triangle(q->pose, q->tree[1]->triangles[index[1]]),
        };
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++) {
                q->corner[side][k][0][i] = corners[side].p[k].x;
                q->corner[side][k][1][i] = corners[side].p[k].y;
                q->corner[side][k][2][i] = corners[side].p[k].z;
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
            const geo_triangle a = corners_of(q, 0, i), b = corners_of(q, 1, i);
            if (!(q->common ? geo_triangle_common(a, b, &common) : geo_triangle_intersect(a, b))) {
                continue;
            }
        } else if (q->common) {
            common.from = (vec3){answer.from[0][i], answer.from[1][i], answer.from[2][i]};
            common.to = (vec3){answer.to[0][i], answer.to[1][i], answer.to[2][i]};
        }
        const uint32_t *const index = q->pairs[first + i];
        q->go = q->visit(q->context, q->tree[0]->faces[index[0]], q->tree[1]->faces[index[1]],
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
        q->pairs[q->count][0] = a;
        q->pairs[q->count][1] = b;
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
