/*
 * Which triangles of two leaves may cross: by boxes and planes, in float, one triangle of B's
 * against the eight of A's at a time. Included by tree_pairs_walk.h.
 */
#ifndef GEOMETRY_TREE_PAIRS_SIEVE_H
#define GEOMETRY_TREE_PAIRS_SIEVE_H

#include "base/simd.h"
#include "geometry/tree.h"

/** Eight triangles in the frame of A's tree. */
typedef struct triangles8 {
    f32x8 corner[3][3]; /* [k][axis] */
    f32x8 normal[3], offset;
    f32x8 lo[3], hi[3];
} triangles8;

typedef struct sieve {
    f32x8 r[3][3]; /* from the frame of B's tree into that of A's: R and t */
    float t[3];
    float margin;
    const geo_tree_leaf *loaded[2];
    triangles8 leaf[2];
    /** The same of B's lane by lane; boxes with the margin. */
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

/** R v, for eight vectors of B's. */
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

/** Which planes may have corners of a triangle on both sides? side[k]: of corner k. */
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

#endif
