/**
 * A box and a triangle share a point if no axis separates them. An axis that is perpendicular to an
 * edge of the box and to an edge of the triangle is parallel to a coordinate plane. So these axes
 * and the coordinate axes together test if the shadows of the box and the triangle meet. The
 * shadows are the projections across x, across y and across z. The remaining axis is the normal of
 * the triangle. A row along x has one y and one z. The tests give ranges of voxels:
 *
 *   across z: a range of x for each y
 *   across y: a range of x for each z
 *   across x: a range of y for each z
 *   the plane: a range of x for each y and z, with ends that are linear in y and z
 *
 * If a triangle is within one slab of voxels along an axis, only the shadow across that axis is
 * tested.
 *
 * Positions are in voxel edges, so that plane i of the grid is at i: the position of a coordinate c
 * is u = (c - corner) / edge + padding. Let e = 2^-53, n the number of voxels along the longest
 * axis, and r the largest coordinate in edges. Then u is within 5 e n of the exact position, and
 * the planes, which are doubles, are within e (n + r) of their exact positions. So u - i has the
 * sign of c - plane(i) if |u - i| is more than tolerance = e (16 n + 4 r).
 *
 * Each test has two results: the voxels that certainly meet the triangle, and the voxels that
 * possibly meet it. The two differ extremely rarely. Then the voxels in which they differ are
 * tested one by one, exactly.
 */
#include "algorithms/voxel/surface.h"

#include "algorithms/voxel/boxes.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/predicates.h"

/** The voxels lo to hi along an axis, inclusive. */
typedef struct span {
    int32_t lo, hi;
} span;

/** Bounds of the voxels x of a row: lo <= x <= hi. A bound is infinite if there is none. */
typedef struct bounds {
    double sure_lo, sure_hi, possible_lo, possible_hi;
} bounds;

/** One triangle in the grid. */
typedef struct cut {
    const alg_voxel_marking *m;
    double corner[4], size[4]; /* of the grid; one lane per axis, and lane 3 repeats x */
    geo_triangle t;
    double u[3][4]; /* positions: [corner][axis] */
    span range[3];  /* the voxels of the triangle's box */
    bool within[3]; /* true if the whole triangle is in each slab of its range along the axis */
    double *
        rows[4]; /* for each y of the range and for three more: the bounds of the shadow across z */
} cut;

static double coordinate(const cut *c, int axis, int corner)
{
    return vec3_get(c->t.p[corner], axis);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/**
 * Sets bits atomically, since other threads set bits of the same word. Most bits are set already,
 * so the word is read first: writing is slow.
 */
static void set_bits(uint64_t *word, uint64_t mask)
{
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mask) {
        (void)__atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
    }
}

static void set_run(const alg_voxel_marking *m, span x, uint32_t y, uint32_t z)
{
    uint64_t *const row = alg_voxel_bits_row(m->bits, y, z);
    const uint32_t first = (uint32_t)x.lo / 64, last = (uint32_t)x.hi / 64;
    const uint64_t from = ~UINT64_C(0) << x.lo % 64, to = ~UINT64_C(0) >> (63 - x.hi % 64);
    if (first == last) {
        set_bits(row + first, from & to);
        return;
    }
    set_bits(row + first, from);
    for (uint32_t w = first + 1; w < last; w++) {
        set_bits(row + w, ~UINT64_C(0));
    }
    set_bits(row + last, to);
}

/** Implements alg_voxel_visitor. */
static void set_voxel(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const cut *const c = context;
    set_run(c->m, (span){(int32_t)x, (int32_t)x}, y, z);
}

/* --- Positions of corners --------------------------------------------------------------------- */

/**
 * Returns the one or two voxels that contain x, by exact comparison with the planes. The search
 * starts at `guess`.
 */
static span find_exactly(const alg_voxel_marking *m, int axis, double x, int32_t guess)
{
    const int32_t last = (int32_t)m->grid->size[axis] - 1;
    int32_t i = guess < 0 ? 0 : guess > last ? last : guess;
    while (i > 0 && alg_voxel_plane(m->grid, axis, i) > x) {
        i--;
    }
    while (i < last && alg_voxel_plane(m->grid, axis, (int64_t)i + 1) <= x) {
        i++;
    }
    const bool on_plane = i > 0 && alg_voxel_plane(m->grid, axis, i) == x;
    return (span){i - on_plane, i};
}

/** Computes the range of a triangle that may have corners near planes. */
static void place_exactly(cut *c)
{
    const alg_voxel_marking *const m = c->m;
    for (int axis = 0; axis < 3; axis++) {
        span *const range = &c->range[axis];
        *range = (span){INT32_MAX, INT32_MIN};
        for (int k = 0; k < 3; k++) {
            const double u = c->u[k][axis], beyond = u - (int32_t)u;
            const bool clear = beyond > m->tolerance && beyond < 1 - m->tolerance;
            const span s = clear ? (span){(int32_t)u, (int32_t)u}
                                 : find_exactly(m, axis, coordinate(c, axis, k), (int32_t)u);
            range->lo = s.lo < range->lo ? s.lo : range->lo;
            range->hi = s.hi > range->hi ? s.hi : range->hi;
        }
        const double x = coordinate(c, axis, 0);
        const bool flat = x == coordinate(c, axis, 1) && x == coordinate(c, axis, 2);
        c->within[axis] = flat || range->lo == range->hi;
    }
}

/**
 * Computes the range of a triangle that is in the grid and has no corner near a plane. Returns
 * false for other triangles, which are rare.
 */
static bool place_clearly(cut *c)
{
    /* Adding this constant and subtracting it again rounds to the nearest integer. */
    const f64x4 whole = f64x4_set(0x1.8p52), tolerance = f64x4_set(c->m->tolerance);
    const f64x4 corner = f64x4_load(c->corner), per_metre = f64x4_set(c->m->per_metre);
    const f64x4 padding = f64x4_set(c->m->grid->padding);
    f64x4 lo = f64x4_set(INFINITY), hi = f64x4_set(-INFINITY), off = lo;
    for (int k = 0; k < 3; k++) {
        const vec3 p = c->t.p[k];
        const double lanes[4] = {p.x, p.y, p.z, p.x};
        const f64x4 way = f64x4_sub(f64x4_load(lanes), corner);
        const f64x4 u = f64x4_add(f64x4_mul(way, per_metre), padding);
        const f64x4 nearest = f64x4_sub(f64x4_add(u, whole), whole);
        f64x4_store(c->u[k], u);
        off = f64x4_min(off, f64x4_abs(f64x4_sub(u, nearest)));
        lo = f64x4_min(lo, u);
        hi = f64x4_max(hi, u);
    }
    const m64x4 inside = m64x4_and(f64x4_lt(f64x4_set(0), lo), f64x4_lt(hi, f64x4_load(c->size)));
    if (m64x4_bits(m64x4_and(inside, f64x4_lt(tolerance, off))) != 0xF) {
        return false;
    }
    int32_t first[4], last[4];
    f64x4_truncate(first, lo);
    f64x4_truncate(last, hi);
    for (int axis = 0; axis < 3; axis++) {
        c->range[axis] = (span){first[axis], last[axis]};
        c->within[axis] = first[axis] == last[axis];
    }
    return true;
}

/* --- The plane -------------------------------------------------------------------------------- */

/** The triangle's plane. */
typedef struct plane {
    double normal[3]; /* a component within its error bound is set to 0 */
    int sign[3];      /* exact signs of its components */
    double bound;     /* bound on the error of a height above the plane, at corners of voxels of the
                         range */
} plane;

static bool same_shadow(const cut *c, int v, int w, int i, int j)
{
    return coordinate(c, v, i) == coordinate(c, v, j) && coordinate(c, w, i) == coordinate(c, w, j);
}

/** Returns the exact sign of the component of the normal perpendicular to axes v and w. */
static int normal_sign(const cut *c, int v, int w)
{
    if (same_shadow(c, v, w, 0, 1) || same_shadow(c, v, w, 1, 2) || same_shadow(c, v, w, 2, 0)) {
        return 0; /* a common case, and expensive for the predicate */
    }
    double shadow[3][2];
    for (int corner = 0; corner < 3; corner++) {
        shadow[corner][0] = coordinate(c, v, corner);
        shadow[corner][1] = coordinate(c, w, corner);
    }
    return geo_orient2d(shadow[0], shadow[1], shadow[2]);
}

/**
 * Computes the plane. The normal is the cross product of two edges. The height of a point above the
 * plane is the dot product of the normal and the vector from a corner to the point.
 *
 * Let E be the extents of the triangle and t the tolerance. Differences have an error of 2 t. So a
 * component of the normal, for example that of x, has an error of 5 t (E_y + E_z), and twice that
 * if its sign is undecided and it is set to 0. These errors change a height by at most the sum of
 * 10 t (E_y + E_z) (E_x + 2) over the axes. The errors of the vector and of rounding add at most
 * the sum of 12 t E_y E_z. The bound 40 t (E_x E_y + E_y E_z + E_z E_x) exceeds the total if E + 2,
 * which is `extent`, is used instead of E.
 */
static plane find_plane(const cut *c, const double extent[3])
{
    const double t = c->m->tolerance;
    double e[2][3];
    for (int axis = 0; axis < 3; axis++) {
        e[0][axis] = c->u[1][axis] - c->u[0][axis];
        e[1][axis] = c->u[2][axis] - c->u[0][axis];
    }
    plane p;
    for (int axis = 0; axis < 3; axis++) {
        const int v = (axis + 1) % 3, w = (axis + 2) % 3;
        double *const n = &p.normal[axis];
        *n = e[0][v] * e[1][w] - e[0][w] * e[1][v];
        p.sign[axis] = *n > 0 ? 1 : -1;
        if (fabs(*n) <= 5 * t * (extent[v] + extent[w])) {
            *n = 0;
            p.sign[axis] = normal_sign(c, v, w);
        }
    }
    p.bound = 40 * t * (extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0]);
    return p;
}

/**
 * Returns the orientation of the shadow across an axis, in the coordinates (y, z), (x, z) or (x,
 * y): 1 if it is counterclockwise or a line, -1 if it is clockwise.
 */
static int shadow_turn(const plane *p, int axis)
{
    return (axis == 1 ? -p->sign[1] : p->sign[axis]) < 0 ? -1 : 1;
}

/* --- Triangles within 4 x 4 x 4 voxels -------------------------------------------------------- */

/*
 * Most triangles of a fine mesh are small. For these triangles, all voxels of a cube are tested at
 * once. The lanes of a register are four voxels along an axis. Results are 64 bits: bit x + 4 y +
 * 16 z is voxel (x, y, z), relative to the lower end of the range.
 */
enum { CUBE = 4 };

typedef struct hits {
    uint64_t sure, possible;
} hits;

/** Moves bit i of 16 to 4 i, and repeats each bit four times. */
static uint64_t spread_bits(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000FF000000FF);
    bits = (bits | bits << 12) & UINT64_C(0x000F000F000F000F);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return bits * 0xF;
}

/**
 * Moves the four groups of four bits to bits 0, 16, 32 and 48, and repeats each group four times.
 */
static uint64_t spread_groups(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000FF000000FF);
    bits = (bits | bits << 12) & UINT64_C(0x000F000F000F000F);
    return bits * 0x1111;
}

/**
 * Extrudes a square of 4 x 4 in the plane perpendicular to an axis to all four voxels along that
 * axis.
 */
static uint64_t extrude(int across, uint64_t square)
{
    return across == 2   ? square * UINT64_C(0x0001000100010001)
           : across == 1 ? spread_groups(square)
                         : spread_bits(square);
}

/**
 * Returns true if an edge of a shadow is parallel to an axis. Such an edge excludes no voxel of the
 * range.
 */
static bool along_axis(const cut *c, int a, int b, int i, int j)
{
    return coordinate(c, a, i) == coordinate(c, a, j) || coordinate(c, b, i) == coordinate(c, b, j);
}

/**
 * Returns which of 4 x 4 squares along axes a and b meet the shadow: bit a + 4 b. `turn` is 1 if
 * the shadow is counterclockwise and -1 if it is clockwise; for a line both values are correct. A
 * square meets the shadow if, for each edge, it has a corner to the left of the edge. Let d be the
 * vector from one end of the edge to the other. The corner farthest to the left is to the left of
 * the edge if
 *
 *   turn (d_a (b - end_b) - d_b (a - end_a)) + max(turn d_a, 0) + max(-turn d_b, 0) >= 0
 *
 * where (a, b) is the square's lower corner. For a tolerance t, d has an error of 2 t, and the ends
 * have an error of t. The components of the vectors from the end are at most 5, and those of d at
 * most 4. So the error is 20 t + 16 t + 4 t, and less than 20 t for rounding.
 */
static hits meet_shadow(const cut *c, int a, int b, int turn)
{
    static const double lanes[CUBE] = {0, 1, 2, 3};
    const double bound = 64 * c->m->tolerance;
    f64x4 left[3], step[3];
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const double *const end = c->u[k];
        double da = turn * (c->u[next][a] - end[a]), db = turn * (c->u[next][b] - end[b]);
        double at = da * (c->range[b].lo - end[b]) - db * (c->range[a].lo - end[a]) +
                    (da > 0 ? da : 0) + (db < 0 ? -db : 0);
        if ((da == 0 || db == 0) && along_axis(c, a, b, k, next)) {
            da = db = 0;
            at = 1;
        }
        left[k] = f64x4_add(f64x4_set(at), f64x4_mul(f64x4_set(-db), f64x4_load(lanes)));
        step[k] = f64x4_set(da);
    }
    const f64x4 above = f64x4_set(bound), below = f64x4_set(-bound);
    hits found = {0, 0};
    const int rows = c->range[b].hi - c->range[b].lo + 1;
    for (int row = 0; row < rows; row++) {
        const f64x4 least = f64x4_min(left[0], f64x4_min(left[1], left[2]));
        found.sure |= (uint64_t)m64x4_bits(f64x4_lt(above, least)) << CUBE * row;
        found.possible |= (uint64_t)m64x4_bits(f64x4_le(below, least)) << CUBE * row;
        for (int k = 0; k < 3; k++) {
            left[k] = f64x4_add(left[k], step[k]);
        }
    }
    return found;
}

/**
 * Returns the voxels that meet the plane. A voxel meets the plane if the height of its middle is at
 * most that of the middle of a voxel that touches the plane with a corner.
 */
static hits meet_plane(const cut *c, const plane *p)
{
    static const double lanes[CUBE] = {0, 1, 2, 3};
    const double *const n = p->normal;
    double height = 0;
    for (int axis = 0; axis < 3; axis++) {
        height += n[axis] * (c->range[axis].lo + 0.5 - c->u[0][axis]);
    }
    const double reach = 0.5 * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    const f64x4 near = f64x4_set(reach - p->bound), far = f64x4_set(reach + p->bound);
    const f64x4 step_y = f64x4_set(n[1]), step_z = f64x4_set(n[2]);
    f64x4 slice = f64x4_add(f64x4_set(height), f64x4_mul(f64x4_set(n[0]), f64x4_load(lanes)));
    hits found = {0, 0};
    const int slices = c->range[2].hi - c->range[2].lo + 1;
    for (int z = 0; z < slices; z++) {
        f64x4 row = slice;
        for (int y = 0; y < CUBE; y++) {
            const f64x4 distance = f64x4_abs(row);
            const int shift = CUBE * (CUBE * z + y);
            found.sure |= (uint64_t)m64x4_bits(f64x4_lt(distance, near)) << shift;
            found.possible |= (uint64_t)m64x4_bits(f64x4_le(distance, far)) << shift;
            row = f64x4_add(row, step_y);
        }
        slice = f64x4_add(slice, step_z);
    }
    return found;
}

/** Returns all voxels of the range. */
static uint64_t whole_cube(const cut *c)
{
    static const uint64_t x[CUBE] = {1, 3, 7, 15}, y[CUBE] = {1, 0x11, 0x111, 0x1111};
    static const uint64_t z[CUBE] = {1, 0x10001, UINT64_C(0x100010001), UINT64_C(0x1000100010001)};
    return x[c->range[0].hi - c->range[0].lo] * y[c->range[1].hi - c->range[1].lo] *
           z[c->range[2].hi - c->range[2].lo];
}

/**
 * Tests voxels of a cube one by one, and returns those that share a point with the triangle. Adds
 * the number of tests to *tests.
 */
static uint64_t test_voxels(const cut *c, uint64_t voxels, uint64_t *tests)
{
    uint64_t found = 0;
    for (; voxels != 0; voxels &= voxels - 1) {
        const int i = __builtin_ctzll(voxels);
        const geo_box box =
            alg_voxel_box(c->m->grid, c->range[0].lo + i % CUBE, c->range[1].lo + i / CUBE % CUBE,
                          c->range[2].lo + i / (CUBE * CUBE));
        found |= (uint64_t)alg_triangle_box_once(c->t, box) << i;
        *tests += 1;
    }
    return found;
}

static void set_cube(const cut *c, uint64_t voxels)
{
    const uint32_t word = (uint32_t)c->range[0].lo / 64, shift = (uint32_t)c->range[0].lo % 64;
    for (int32_t z = c->range[2].lo; voxels != 0; z++, voxels >>= CUBE * CUBE) {
        uint64_t slice = voxels & 0xFFFF;
        for (int32_t y = c->range[1].lo; slice != 0; y++, slice >>= CUBE) {
            const uint64_t row = slice & 0xF;
            uint64_t *const at = alg_voxel_bits_row(c->m->bits, (uint32_t)y, (uint32_t)z) + word;
            if (row != 0) {
                set_bits(at, row << shift);
            }
            if (shift > 60 && row >> (64 - shift) != 0) {
                set_bits(at + 1, row >> (64 - shift));
            }
        }
    }
}

static uint64_t mark_cube(const cut *c)
{
    const bool *const within = c->within;
    const bool flat = within[0] || within[1] || within[2];
    const plane p = find_plane(c, (const double[]){CUBE + 2, CUBE + 2, CUBE + 2});
    hits all = {whole_cube(c), whole_cube(c)};
    for (int axis = 0; axis < 3; axis++) {
        if (flat && !within[axis]) {
            continue;
        }
        const hits shadow = meet_shadow(c, axis == 0, axis == 2 ? 1 : 2, shadow_turn(&p, axis));
        all.sure &= extrude(axis, shadow.sure);
        all.possible &= extrude(axis, shadow.possible);
    }
    if (!flat) {
        const hits slab = meet_plane(c, &p);
        all.sure &= slab.sure;
        all.possible &= slab.possible;
    }
    uint64_t tests = 0;
    if (all.sure != all.possible) {
        all.sure |= test_voxels(c, all.possible & ~all.sure, &tests);
    }
    set_cube(c, all.sure);
    return tests;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/** A bound that is linear in the number of the row. */
typedef struct line {
    double sure, possible, step;
} line;

/**
 * The condition of an edge that is parallel to the rows: row i is certainly on its inner side if at
 * + step i > bound.
 */
typedef struct level {
    double at, step, bound;
} level;

/**
 * A shadow in the plane of axes a and b, as bounds for rows along a. At most two edges bound it on
 * each side.
 */
typedef struct shadow {
    line lo[2], hi[2];
    level levels[3];
    int level_count;
} shadow;

static const shadow no_shadow = {
    .lo = {{-INFINITY, -INFINITY, 0}, {-INFINITY, -INFINITY, 0}},
    .hi = {{INFINITY, INFINITY, 0}, {INFINITY, INFINITY, 0}},
};

/**
 * Computes the shadow, with `turn` as in meet_shadow. Voxel a of row b has a corner to the left of
 * an edge if
 *
 *   d_b a <= d_a (b - end_b) + d_b end_a + max(d_a, 0) + max(-d_b, 0), with d multiplied by turn.
 *
 * Let E be the extents of the triangle plus 2. The error of the difference of the two sides is less
 * than 12 t (E_a + E_b), as in meet_shadow. An edge that is parallel to a within a few t affects
 * only the rows at the edge.
 */
static shadow cast_shadow(const cut *c, int a, int b, int turn, const double extent[3])
{
    const double t = c->m->tolerance, bound = 12 * t * (extent[a] + extent[b]);
    shadow s = no_shadow;
    int lo = 0, hi = 0;
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const double *const end = c->u[k];
        const double da = turn * (c->u[next][a] - end[a]), db = turn * (c->u[next][b] - end[b]);
        const double left = da * (c->range[b].lo - end[b]) + (da > 0 ? da : 0);
        if ((da == 0 || db == 0) && along_axis(c, a, b, k, next)) {
            continue;
        }
        if (fabs(db) <= 8 * t) {
            s.levels[s.level_count++] = (level){left, da, bound + 8 * t * extent[a]};
            continue;
        }
        const double right = left - db * (c->range[a].lo - end[a]) + (db < 0 ? -db : 0);
        const double at = right / db + c->range[a].lo, off = bound / fabs(db);
        if (db > 0) {
            s.hi[hi++ & 1] = (line){at - off, at + off, da / db};
        } else {
            s.lo[lo++ & 1] = (line){at + off, at - off, da / db};
        }
    }
    return s;
}

/** Returns the bounds of row i, counted from the lower end of the range. */
static bounds find_bounds(const shadow *s, double i)
{
    const line *const lo = s->lo, *const hi = s->hi;
    bounds found = {
        .sure_lo = base_larger(lo[0].sure + lo[0].step * i, lo[1].sure + lo[1].step * i),
        .sure_hi = base_smaller(hi[0].sure + hi[0].step * i, hi[1].sure + hi[1].step * i),
        .possible_lo =
            base_larger(lo[0].possible + lo[0].step * i, lo[1].possible + lo[1].step * i),
        .possible_hi =
            base_smaller(hi[0].possible + hi[0].step * i, hi[1].possible + hi[1].step * i),
    };
    for (int k = 0; k < s->level_count; k++) {
        if (!(s->levels[k].at + s->levels[k].step * i > s->levels[k].bound)) {
            found.sure_lo = INFINITY;
        }
    }
    return found;
}

/**
 * The bounds by the plane for the rows of a slice. They are linear in y, which is counted from the
 * first row.
 */
typedef struct slab {
    double lo, hi, step; /* the bounds, and their step per row, if the plane is not parallel to x */
    double off;          /* bound on the error */
    double middle,
        rise; /* if the plane is parallel to x: height of the middle of the first row, and its step
                 per row */
    double reach, bound; /* the largest height of the middle of a voxel that meets the plane, and
                            its error */
    bool steep;          /* true if the plane is parallel to x */
    bool none;           /* true if the plane gives no bound */
} slab;

/**
 * Computes the bounds of a slice. A voxel meets the plane if the absolute height of its middle is
 * at most reach = (|n_x| + |n_y| + |n_z|) / 2: |n_x (x - x_0) + h| <= reach, where h is the height
 * at the middle of voxel x_0, the first one of the range.
 */
static slab cut_slice(const cut *c, const plane *p, int32_t z)
{
    const double *const n = p->normal;
    const double h = n[0] * (c->range[0].lo + 0.5 - c->u[0][0]) +
                     n[1] * (c->range[1].lo + 0.5 - c->u[0][1]) + n[2] * (z + 0.5 - c->u[0][2]);
    const double reach = 0.5 * (fabs(n[0]) + fabs(n[1]) + fabs(n[2]));
    slab s = {.middle = h, .rise = n[1], .reach = reach, .bound = p->bound, .steep = n[0] == 0};
    if (!s.steep) {
        const double per_height = 1 / n[0], half = fabs(reach * per_height);
        const double middle = c->range[0].lo - h * per_height;
        s.lo = middle - half;
        s.hi = middle + half;
        s.step = -n[1] * per_height;
        s.off = p->bound * fabs(per_height);
    }
    return s;
}

/* The bounds of four rows. */
typedef struct bounds4 {
    f64x4 sure_lo, sure_hi, possible_lo, possible_hi;
} bounds4;

static void bound_by_plane(const slab *s, f64x4 y, bounds4 *b)
{
    if (s->none) {
        return;
    }
    if (!s->steep) {
        const f64x4 move = f64x4_mul(y, f64x4_set(s->step));
        b->sure_lo = f64x4_max(b->sure_lo, f64x4_add(move, f64x4_set(s->lo + s->off)));
        b->sure_hi = f64x4_min(b->sure_hi, f64x4_add(move, f64x4_set(s->hi - s->off)));
        b->possible_lo = f64x4_max(b->possible_lo, f64x4_add(move, f64x4_set(s->lo - s->off)));
        b->possible_hi = f64x4_min(b->possible_hi, f64x4_add(move, f64x4_set(s->hi + s->off)));
        return;
    }
    const f64x4 h = f64x4_add(f64x4_set(s->middle), f64x4_mul(y, f64x4_set(s->rise)));
    const m64x4 sure = f64x4_lt(f64x4_abs(h), f64x4_set(s->reach - s->bound));
    const m64x4 possible = f64x4_le(f64x4_abs(h), f64x4_set(s->reach + s->bound));
    b->sure_lo = f64x4_select(sure, b->sure_lo, f64x4_set(INFINITY));
    b->possible_lo = f64x4_select(possible, b->possible_lo, f64x4_set(INFINITY));
}

/**
 * Computes the integers x of a range with lo < x <= hi. If there are none, first is greater than
 * last, and either may be one beyond the range.
 */
static void round_bounds(span range, f64x4 lo, f64x4 hi, int32_t first[4], int32_t last[4])
{
    const f64x4 least = f64x4_set(range.lo - 0.5), most = f64x4_set(range.hi + 0.5);
    const f64x4 one = f64x4_set(1);
    f64x4_truncate(first, f64x4_add(f64x4_min(f64x4_max(lo, least), most), one));
    f64x4_truncate(last, f64x4_add(f64x4_min(f64x4_max(hi, least), most), one));
    for (int i = 0; i < 4; i++) {
        last[i]--;
    }
}

/**
 * Tests voxels x of a row one by one, and sets those that share a point with the triangle. Returns
 * the number of tests.
 */
static uint64_t test_run(const cut *c, span x, int32_t y, int32_t z)
{
    for (int32_t i = x.lo; i <= x.hi; i++) {
        if (alg_triangle_box_once(c->t, alg_voxel_box(c->m->grid, i, y, z))) {
            set_run(c->m, (span){i, i}, (uint32_t)y, (uint32_t)z);
        }
    }
    return x.hi < x.lo ? 0 : (uint64_t)(x.hi - x.lo) + 1;
}

/**
 * Sets the certain voxels, and tests the voxels that are only possible. Returns the number of
 * tests.
 */
static uint64_t mark_row(const cut *c, span sure, span possible, int32_t y, int32_t z)
{
    if (sure.lo > sure.hi) {
        return test_run(c, possible, y, z);
    }
    set_run(c->m, sure, (uint32_t)y, (uint32_t)z);
    return sure.lo == possible.lo && sure.hi == possible.hi
               ? 0
               : test_run(c, (span){possible.lo, sure.lo - 1}, y, z) +
                     test_run(c, (span){sure.hi + 1, possible.hi}, y, z);
}

/** Marks the rows y of a slice, at most four. Returns the number of tests. */
static uint64_t mark_four(const cut *c, const bounds *across_y, const slab *s, span sure_y, span y,
                          int32_t z)
{
    static const double lanes[4] = {0, 1, 2, 3};
    const int32_t at = y.lo - c->range[1].lo;
    bounds4 b = {
        f64x4_max(f64x4_load(c->rows[0] + at), f64x4_set(across_y->sure_lo)),
        f64x4_min(f64x4_load(c->rows[1] + at), f64x4_set(across_y->sure_hi)),
        f64x4_max(f64x4_load(c->rows[2] + at), f64x4_set(across_y->possible_lo)),
        f64x4_min(f64x4_load(c->rows[3] + at), f64x4_set(across_y->possible_hi)),
    };
    bound_by_plane(s, f64x4_add(f64x4_set(at), f64x4_load(lanes)), &b);
    int32_t sure_lo[4], sure_hi[4], possible_lo[4], possible_hi[4];
    round_bounds(c->range[0], b.sure_lo, b.sure_hi, sure_lo, sure_hi);
    round_bounds(c->range[0], b.possible_lo, b.possible_hi, possible_lo, possible_hi);
    uint64_t tests = 0;
    for (int32_t i = 0; i <= y.hi - y.lo; i++) {
        const bool sure = y.lo + i >= sure_y.lo && y.lo + i <= sure_y.hi;
        tests += mark_row(c, sure ? (span){sure_lo[i], sure_hi[i]} : (span){1, 0},
                          (span){possible_lo[i], possible_hi[i]}, y.lo + i, z);
    }
    return tests;
}

static span round_span(span range, double lo, double hi)
{
    int32_t first[4], last[4];
    round_bounds(range, f64x4_set(lo), f64x4_set(hi), first, last);
    return (span){first[0], last[0]};
}

static uint64_t mark_rows(const cut *c)
{
    double extent[3];
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = 2 + (double)(c->range[axis].hi - c->range[axis].lo + 1);
    }
    const bool *const within = c->within;
    const bool flat = within[0] || within[1] || within[2];
    const plane p = find_plane(c, extent);
    shadow across[3];
    for (int axis = 0; axis < 3; axis++) {
        across[axis] = flat && !within[axis] ? no_shadow
                                             : cast_shadow(c, axis == 0, axis == 2 ? 1 : 2,
                                                           shadow_turn(&p, axis), extent);
    }
    for (int32_t i = 0; i < c->range[1].hi - c->range[1].lo + 4; i++) {
        const bounds b = find_bounds(&across[2], i); /* for all y, and for three more */
        c->rows[0][i] = b.sure_lo;
        c->rows[1][i] = b.sure_hi;
        c->rows[2][i] = b.possible_lo;
        c->rows[3][i] = b.possible_hi;
    }
    uint64_t tests = 0;
    for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
        const bounds y = find_bounds(&across[0], z - c->range[2].lo);
        const bounds x = find_bounds(&across[1], z - c->range[2].lo);
        const span sure = round_span(c->range[1], y.sure_lo, y.sure_hi);
        const span possible = round_span(c->range[1], y.possible_lo, y.possible_hi);
        slab s = {.none = true};
        if (!flat) {
            s = cut_slice(c, &p, z);
        }
        for (int32_t at = possible.lo; at <= possible.hi; at += 4) {
            const int32_t last = at + 3 < possible.hi ? at + 3 : possible.hi;
            tests += mark_four(c, &x, &s, sure, (span){at, last}, z);
        }
    }
    return tests;
}

/* --- Triangles -------------------------------------------------------------------------------- */

/** Marks a triangle. Returns the number of tests. */
static uint64_t mark_triangle(cut *c)
{
    if (!place_clearly(c)) {
        if (!alg_box_within(geo_box_of_triangle(c->t), c->m->box)) {
            return alg_voxel_surface_visit(c->t, c->m->grid, ALG_VOXEL_SECOND, set_voxel, c);
        }
        place_exactly(c);
    }
    const span *const range = c->range;
    if (c->within[0] + c->within[1] + c->within[2] >= 2) {
        for (int32_t z = range[2].lo; z <= range[2].hi; z++) {
            for (int32_t y = range[1].lo; y <= range[1].hi; y++) {
                set_run(c->m, range[0], (uint32_t)y, (uint32_t)z);
            }
        }
        return 0;
    }
    const bool small = range[0].hi - range[0].lo < CUBE && range[1].hi - range[1].lo < CUBE &&
                       range[2].hi - range[2].lo < CUBE;
    return small ? mark_cube(c) : mark_rows(c);
}

void BASE_ISA(alg_voxel_mark_chunk)(void *context, size_t begin, size_t end)
{
    alg_voxel_marking *const m = context;
    const alg_voxel_grid *const g = m->grid;
    const size_t rows = g->size[1] + 4;
    double *const storage = base_alloc(4 * rows, sizeof *storage);
    if (!storage) {
        atomic_store(&m->failed, true);
        return;
    }
    cut c = {
        .m = m,
        .corner = {g->corner.x, g->corner.y, g->corner.z, g->corner.x},
        .size = {g->size[0], g->size[1], g->size[2], g->size[0]},
        .rows = {storage, storage + rows, storage + 2 * rows, storage + 3 * rows},
    };
    uint64_t tests = 0;
    for (size_t f = begin; f < end; f++) {
        c.t = geo_mesh_triangle(m->mesh, f);
        tests += mark_triangle(&c);
    }
    atomic_fetch_add(&m->tests, tests);
    base_free(storage);
}
