/* Bounds of eight pieces or eight triangles at a time in float, and pixels in double. */
#include "algorithms/lpd/raster.h"
#include "base/elementary.h"
#include "base/simd.h"

enum {
    WIDTH = GEO_TREE_WIDTH,
    TILE = ALG_LPD_TILE,
    ROW = 4, /* pixels at a time */
    /* A step replaces a node by at most eight children, which are one level lower. */
    STACK_MAX = WIDTH * GEO_TREE_LEVELS_MAX,
};

/**
 * A tile of a view. The third row of `turn` and `shift` is multiplied by the sign of the direction
 * of view, so that the third coordinate is the height.
 */
typedef struct sight {
    f32x8 turn[3][3], size[3][3], shift[3]; /* to window coordinates; size: absolute values of
                                               turn */
    f32x8 lo[2], hi[2];                     /* of the centres of the tile's pixels */
    f32x8 margin;
} sight;

static sight sight_make(const alg_lpd_view *view, const alg_lpd_tile *tile, float sign)
{
    sight s;
    for (int i = 0; i < 3; i++) {
        const float along = i == 2 ? sign : 1;
        for (int k = 0; k < 3; k++) {
            s.turn[i][k] = f32x8_set(along * view->turn[i][k]);
            s.size[i][k] = f32x8_set(fabsf(view->turn[i][k]));
        }
        s.shift[i] = f32x8_set(along * view->shift[i]);
    }
    for (int i = 0; i < 2; i++) {
        s.lo[i] = f32x8_set((float)alg_lpd_pixel(view->window, i, tile->begin[i]));
        s.hi[i] = f32x8_set((float)alg_lpd_pixel(view->window, i, tile->end[i] - 1));
    }
    s.margin = f32x8_set(view->margin);
    return s;
}

/** Returns m[0] v[0] + m[1] v[1] + m[2] v[2]. */
static f32x8 dot8(const f32x8 m[3], const f32x8 v[3])
{
    return f32x8_add(f32x8_add(f32x8_mul(m[0], v[0]), f32x8_mul(m[1], v[1])),
                     f32x8_mul(m[2], v[2]));
}

/* --- Pieces ----------------------------------------------------------------------------------- */

/** Visibility of eight pieces in a tile. */
typedef struct seen {
    unsigned lanes;    /* mask of the visible pieces */
    unsigned large;    /* mask of the pieces that are larger than the tile */
    f32x8 bottom, top; /* bounds of their heights in the tile */
} seen;

/**
 * Returns the visibility of a node's children. The height of a child is bounded by its box, and by
 * its slab over the part of the box that is in the tile. A child without triangles has NaN in its
 * box, so every comparison fails. If a slab is parallel to the view, its bounds are infinity or
 * NaN, which have no effect.
 */
static seen look(const sight *s, const geo_slab_node *node)
{
    const f32x8 half = f32x8_set(0.5F), zero = f32x8_set(0);
    f32x8 c[3], e[3], n[3], at[3], reach[3], normal[3];
    for (int k = 0; k < 3; k++) {
        const f32x8 lo = f32x8_load(node->lo[k]), hi = f32x8_load(node->hi[k]);
        c[k] = f32x8_mul(half, f32x8_add(lo, hi));
        e[k] = f32x8_mul(half, f32x8_sub(hi, lo));
        n[k] = f32x8_load(node->normal[k]);
    }
    for (int i = 0; i < 3; i++) {
        at[i] = f32x8_add(dot8(s->turn[i], c), s->shift[i]);
        reach[i] = f32x8_add(dot8(s->size[i], e), s->margin);
        normal[i] = dot8(s->turn[i], n);
    }
    m32x8 hit = f32x8_le(zero, f32x8_add(at[2], reach[2]));
    m32x8 large = f32x8_lt(zero, zero);
    f32x8 along = f32x8_add(f32x8_load(node->at), dot8(normal, s->shift));
    f32x8 wide = f32x8_add(f32x8_load(node->thickness), s->margin);
    for (int i = 0; i < 2; i++) {
        const f32x8 lo = f32x8_sub(at[i], reach[i]), hi = f32x8_add(at[i], reach[i]);
        hit = m32x8_and(hit, m32x8_and(f32x8_le(lo, s->hi[i]), f32x8_le(s->lo[i], hi)));
        large = m32x8_or(large, f32x8_lt(f32x8_sub(s->hi[i], s->lo[i]), f32x8_sub(hi, lo)));
        const f32x8 from = f32x8_max(lo, s->lo[i]), to = f32x8_min(hi, s->hi[i]);
        const f32x8 mid = f32x8_mul(half, f32x8_add(from, to));
        along = f32x8_sub(along, f32x8_mul(normal[i], mid));
        wide =
            f32x8_add(wide, f32x8_mul(f32x8_abs(normal[i]), f32x8_mul(half, f32x8_sub(to, from))));
    }
    const f32x8 middle = f32x8_div(along, normal[2]);
    const f32x8 thick = f32x8_div(wide, f32x8_abs(normal[2]));
    /* If one operand of min or max is NaN, the result is the second operand. */
    const f32x8 top = f32x8_min(f32x8_add(middle, thick), f32x8_add(at[2], reach[2]));
    const f32x8 bottom = f32x8_max(f32x8_sub(middle, thick), f32x8_sub(at[2], reach[2]));
    hit = m32x8_and(hit, m32x8_and(f32x8_le(zero, top), f32x8_le(bottom, top)));
    return (seen){m32x8_bits(hit), m32x8_bits(large), bottom, top};
}

static void narrow_node(alg_lpd_narrowing *w, const sight *s, alg_lpd_pieces *stack, size_t *depth)
{
    const alg_lpd_pieces from = stack[--*depth];
    const seen in_tile = look(s, &w->view->tree->slabs[from.level][from.node]);
    const unsigned lanes = in_tile.lanes & from.lanes;
    const unsigned cut = from.level > 1 ? lanes & in_tile.large : 0;
    for (unsigned left = cut; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        stack[(*depth)++] = (alg_lpd_pieces){from.node * WIDTH + lane, (uint16_t)(from.level - 1),
                                             (1 << WIDTH) - 1, 0};
    }
    const unsigned kept = lanes & ~cut;
    if (kept == 0) {
        return;
    }
    float tops[WIDTH], bottoms[WIDTH], bottom = INFINITY;
    f32x8_store(tops, in_tile.top);
    f32x8_store(bottoms, in_tile.bottom);
    for (unsigned left = kept; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        w->top = tops[lane] > w->top ? tops[lane] : w->top;
        bottom = bottoms[lane] < bottom ? bottoms[lane] : bottom;
    }
    w->whole = w->whole && from.level == 1;
    w->leaves += (uint32_t)__builtin_popcount(kept);
    w->to[w->count++] = (alg_lpd_pieces){from.node, from.level, (uint16_t)kept, bottom};
}

bool BASE_ISA(alg_lpd_narrow)(alg_lpd_narrowing *w)
{
    const sight s = sight_make(w->view, &w->tile, w->sign);
    alg_lpd_pieces stack[STACK_MAX];
    w->count = w->leaves = 0;
    w->whole = true;
    w->top = 0;
    for (uint32_t i = 0; i < w->from_count; i++) {
        size_t depth = 0;
        stack[depth++] = w->from[i];
        while (depth > 0) {
            if (w->count == w->room) {
                return false;
            }
            narrow_node(w, &s, stack, &depth);
        }
    }
    return true;
}

/* --- Triangles -------------------------------------------------------------------------------- */

/**
 * Returns the mask of a leaf's triangles that may cover a pixel of the tile at a height between 0
 * and `far`.
 */
static unsigned sift(const sight *s, const geo_tree_leaf *leaf, float far)
{
    const f32x8 half = f32x8_set(0.5F);
    f32x8 p[3][3]; /* [k][axis], relative to the middle of the tile */
    f32x8 middle[3] = {f32x8_mul(half, f32x8_add(s->lo[0], s->hi[0])),
                       f32x8_mul(half, f32x8_add(s->lo[1], s->hi[1])), f32x8_set(0)};
    const f32x8 edge[2] = {f32x8_mul(half, f32x8_sub(s->hi[0], s->lo[0])),
                           f32x8_mul(half, f32x8_sub(s->hi[1], s->lo[1]))};
    for (int k = 0; k < 3; k++) {
        const f32x8 corner[3] = {f32x8_load(leaf->corner[k][0]), f32x8_load(leaf->corner[k][1]),
                                 f32x8_load(leaf->corner[k][2])};
        for (int i = 0; i < 3; i++) {
            p[k][i] = f32x8_add(dot8(s->turn[i], corner), f32x8_sub(s->shift[i], middle[i]));
        }
    }
    const f32x8 m = s->margin, zero = f32x8_set(0);
    m32x8 hit = f32x8_le(zero, zero);
    for (int i = 0; i < 3; i++) {
        const f32x8 lo = f32x8_min(f32x8_min(p[0][i], p[1][i]), p[2][i]);
        const f32x8 hi = f32x8_max(f32x8_max(p[0][i], p[1][i]), p[2][i]);
        const f32x8 below = i == 2 ? zero : f32x8_sub(zero, edge[i]);
        const f32x8 above = i == 2 ? f32x8_set(far) : edge[i];
        hit = m32x8_and(hit, f32x8_le(f32x8_sub(below, m), hi));
        hit = m32x8_and(hit, f32x8_le(lo, f32x8_add(above, m)));
    }
    if (m32x8_bits(hit) == 0) {
        return 0;
    }
    m32x8 left = hit, right = hit;
    for (int k = 0; k < 3; k++) {
        const f32x8 *const a = p[k], *const b = p[k == 2 ? 0 : k + 1];
        const f32x8 side = f32x8_sub(f32x8_mul(a[0], b[1]), f32x8_mul(a[1], b[0]));
        f32x8 slack = f32x8_mul(f32x8_set(2), m); /* bound of the product's error that the margins
                                                     cause */
        for (int i = 0; i < 2; i++) {
            slack = f32x8_add(slack, f32x8_add(f32x8_abs(a[i]), f32x8_abs(b[i])));
        }
        slack = f32x8_add(f32x8_mul(slack, m), f32x8_set(FLT_MIN));
        slack = f32x8_add(slack, f32x8_mul(edge[0], f32x8_abs(f32x8_sub(b[1], a[1]))));
        slack = f32x8_add(slack, f32x8_mul(edge[1], f32x8_abs(f32x8_sub(b[0], a[0]))));
        left = m32x8_and(left, f32x8_le(f32x8_sub(zero, slack), side));
        right = m32x8_and(right, f32x8_le(side, slack));
    }
    return m32x8_bits(m32x8_or(left, right));
}

/** A triangle's corners in window coordinates; z is the height. */
typedef struct drawn {
    vec3 p[3], lo, hi;
    bool thin; /* true if products of its corners cancel, so that they are computed with twice
                  the digits */
} drawn;

/**
 * If the area of a projection is smaller than this share of the rectangle around it, doubles have
 * too few digits to compute it.
 */
#define THIN 0x1p-20

static drawn prepare(const alg_lpd_view *view, double sign, uint32_t index)
{
    const geo_triangle *const t = &view->tree->triangles[index];
    drawn d;
    for (int k = 0; k < 3; k++) {
        d.p[k] = alg_lpd_view_corner(view, t->p[k]);
        d.p[k].z *= sign;
    }
    d.lo = vec3_min(vec3_min(d.p[0], d.p[1]), d.p[2]);
    d.hi = vec3_max(vec3_max(d.p[0], d.p[1]), d.p[2]);
    const vec3 u = vec3_sub(d.p[1], d.p[0]), v = vec3_sub(d.p[2], d.p[0]);
    const double area = fabs(u.x * v.y - u.y * v.x);
    d.thin = !(area >= THIN * (d.hi.x - d.lo.x) * (d.hi.y - d.lo.y));
    return d;
}

/**
 * Returns a[0] b[1] - a[1] b[0]. The products are computed with twice the digits of a double, and
 * the result is rounded.
 */
static double cross_of(const double a[2], const double b[2])
{
    const base_two p = base_two_product(a[0], b[1]), q = base_two_product(a[1], b[0]);
    return (p.high - q.high) + (p.low - q.low);
}

/** Returns the height at one pixel; NaN if the triangle does not cover it. */
static double thin_height(const drawn *d, double x, double y)
{
    double p[3][2], e[3];
    for (int k = 0; k < 3; k++) {
        p[k][0] = d->p[k].x - x;
        p[k][1] = d->p[k].y - y;
    }
    bool left = true, right = true;
    for (int k = 0; k < 3; k++) {
        e[k] = cross_of(p[(k + 1) % 3], p[(k + 2) % 3]);
        left = left && e[k] >= 0;
        right = right && e[k] <= 0;
    }
    const double sum = e[0] + e[1] + e[2];
    return (left || right) && sum != 0
               ? (e[0] * d->p[0].z + e[1] * d->p[1].z + e[2] * d->p[2].z) / sum
               : (double)NAN;
}

static f64x4 thin_heights(const drawn *d, const double x[ROW], double y)
{
    double h[ROW];
    for (int i = 0; i < ROW; i++) {
        h[i] = thin_height(d, x[i], y);
    }
    return f64x4_load(h);
}

static f64x4 cross4(const f64x4 a[2], const f64x4 b[2])
{
    return f64x4_sub(f64x4_mul(a[0], b[1]), f64x4_mul(a[1], b[0]));
}

/**
 * Returns the heights at four pixels of a row, as thin_height does for one pixel, but in doubles.
 */
static f64x4 heights_of(const drawn *d, const double x[ROW], double y)
{
    const f64x4 zero = f64x4_set(0);
    f64x4 p[3][2];
    for (int k = 0; k < 3; k++) {
        p[k][0] = f64x4_sub(f64x4_set(d->p[k].x), f64x4_load(x));
        p[k][1] = f64x4_set(d->p[k].y - y);
    }
    const f64x4 e[3] = {cross4(p[1], p[2]), cross4(p[2], p[0]), cross4(p[0], p[1])};
    const m64x4 left =
        m64x4_and(m64x4_and(f64x4_le(zero, e[0]), f64x4_le(zero, e[1])), f64x4_le(zero, e[2]));
    const m64x4 right =
        m64x4_and(m64x4_and(f64x4_le(e[0], zero), f64x4_le(e[1], zero)), f64x4_le(e[2], zero));
    const f64x4 sum = f64x4_add(f64x4_add(e[0], e[1]), e[2]);
    const f64x4 height = f64x4_div(f64x4_add(f64x4_add(f64x4_mul(e[0], f64x4_set(d->p[0].z)),
                                                       f64x4_mul(e[1], f64x4_set(d->p[1].z))),
                                             f64x4_mul(e[2], f64x4_set(d->p[2].z))),
                                   sum);
    const m64x4 covers = m64x4_and(m64x4_or(left, right), f64x4_lt(zero, f64x4_abs(sum)));
    return f64x4_select(covers, height, f64x4_set((double)NAN));
}

/** A tile being drawn. */
typedef struct canvas {
    const alg_lpd_view *view;
    sight sight;
    double sign;
    double x[TILE], y[TILE];
    uint32_t size[2];
    alg_lpd_heights *heights;
    float far; /* largest height over all pixels of the tile */
    uint64_t count;
} canvas;

/** Draws four pixels of a row with these centres into four heights. */
static void draw_pixels(const drawn *d, const double centres[ROW], double y, double *at)
{
    const f64x4 zero = f64x4_set(0), x = f64x4_load(centres);
    const m64x4 within =
        m64x4_and(f64x4_le(f64x4_set(d->lo.x), x), f64x4_le(x, f64x4_set(d->hi.x)));
    if (m64x4_bits(within) == 0) {
        return;
    }
    const f64x4 h = d->thin ? thin_heights(d, centres, y) : heights_of(d, centres, y);
    const f64x4 before = f64x4_load(at);
    const m64x4 nearer = m64x4_and(within, m64x4_and(f64x4_le(zero, h), f64x4_lt(h, before)));
    f64x4_store(at, f64x4_select(nearer, h, before));
}

static void draw_triangle(canvas *c, uint32_t index)
{
    const drawn d = prepare(c->view, c->sign, index);
    c->count++;
    for (uint32_t j = 0; j < c->size[1]; j++) {
        if (d.lo.y <= c->y[j] && c->y[j] <= d.hi.y) {
            for (uint32_t i = 0; i < c->size[0]; i += ROW) {
                draw_pixels(&d, &c->x[i], c->y[j], &c->heights->at[j][i]);
            }
        }
    }
}

static float farthest(const canvas *c)
{
    f64x4 far = f64x4_set(0);
    for (uint32_t j = 0; j < c->size[1]; j++) {
        for (uint32_t i = 0; i < c->size[0]; i += ROW) {
            far = f64x4_max(f64x4_load(&c->heights->at[j][i]), far);
        }
    }
    double lanes[ROW];
    f64x4_store(lanes, far);
    const double a = lanes[0] > lanes[1] ? lanes[0] : lanes[1];
    const double b = lanes[2] > lanes[3] ? lanes[2] : lanes[3];
    return (float)(a > b ? a : b);
}

static void draw_leaf(canvas *c, uint32_t leaf)
{
    const geo_tree *const tree = c->view->tree;
    const uint32_t count = tree->count - leaf * WIDTH;
    const unsigned used = count < WIDTH ? (1u << count) - 1 : (1u << WIDTH) - 1;
    unsigned left = sift(&c->sight, &tree->leaves[leaf], c->far) & used;
    if (left == 0) {
        return;
    }
    for (; left != 0; left &= left - 1) {
        draw_triangle(c, leaf * WIDTH + (uint32_t)__builtin_ctz(left));
    }
    c->far = farthest(c);
}

static void draw_pieces(canvas *c, alg_lpd_pieces pieces)
{
    alg_lpd_pieces stack[STACK_MAX];
    size_t depth = 0;
    stack[depth++] = pieces;
    while (depth > 0) {
        const alg_lpd_pieces from = stack[--depth];
        const seen in_tile = look(&c->sight, &c->view->tree->slabs[from.level][from.node]);
        const f32x8 far = f32x8_add(f32x8_set(c->far), c->sight.margin);
        unsigned left = in_tile.lanes & m32x8_bits(f32x8_le(in_tile.bottom, far)) & from.lanes;
        for (; left != 0; left &= left - 1) {
            const uint32_t child = from.node * WIDTH + (uint32_t)__builtin_ctz(left);
            if (from.level == 1) {
                draw_leaf(c, child);
            } else {
                stack[depth++] =
                    (alg_lpd_pieces){child, (uint16_t)(from.level - 1), (1 << WIDTH) - 1, 0};
            }
        }
    }
}

uint64_t BASE_ISA(alg_lpd_draw)(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                                const alg_lpd_pieces *pieces, uint32_t count,
                                alg_lpd_heights *heights)
{
    canvas c = {.view = view,
                .sight = sight_make(view, &tile, sign),
                .sign = (double)sign,
                .size = {tile.end[0] - tile.begin[0], tile.end[1] - tile.begin[1]},
                .heights = heights,
                .far = INFINITY};
    for (uint32_t i = 0; i < TILE; i++) {
        c.x[i] = alg_lpd_pixel(view->window, 0, tile.begin[0] + i);
        c.y[i] = alg_lpd_pixel(view->window, 1, tile.begin[1] + i);
        for (uint32_t j = 0; j < TILE; j++) {
            /* Columns beyond the width of the tile have height 0, so that no surface is nearer
             * there. */
            heights->at[i][j] = j < c.size[0] ? (double)INFINITY : 0;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        draw_pieces(&c, pieces[i]);
    }
    return c.count;
}

/* --- Without culling -------------------------------------------------------------------------- */

/** Returns the index of the first pixel along an axis whose centre is at x or beyond, or one before
 * it. */
static uint32_t pixel_at(const alg_lpd_window *window, int axis, double x)
{
    const double n = window->size[axis];
    const double at = (x / (window->half[axis] / n) + n - 1) / 2 - 1;
    return !(at > 0) ? 0 : at < n ? (uint32_t)at : window->size[axis];
}

void BASE_ISA(alg_lpd_draw_all)(const alg_lpd_view *view, float sign, double *row_x,
                                double *heights)
{
    const alg_lpd_window *const w = view->window;
    const uint32_t row = (uint32_t)alg_lpd_row(w);
    for (uint32_t i = 0; i < row; i++) {
        row_x[i] = alg_lpd_pixel(w, 0, i);
    }
    for (size_t i = 0; i < (size_t)row * w->size[1]; i++) {
        heights[i] = (double)INFINITY;
    }
    for (uint32_t t = 0; t < view->tree->count; t++) {
        const drawn d = prepare(view, (double)sign, t);
        const uint32_t first = pixel_at(w, 0, d.lo.x) / ROW * ROW;
        for (uint32_t j = pixel_at(w, 1, d.lo.y); j < w->size[1]; j++) {
            const double y = alg_lpd_pixel(w, 1, j);
            if (y > d.hi.y) {
                break;
            }
            for (uint32_t i = first; d.lo.y <= y && i < row && row_x[i] <= d.hi.x; i += ROW) {
                draw_pixels(&d, &row_x[i], y, &heights[(size_t)j * row + i]);
            }
        }
    }
}
