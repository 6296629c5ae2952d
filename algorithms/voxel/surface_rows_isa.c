/**
 * A box and a triangle share a point if no axis separates them. The axes across an edge of each look
 * along x, y or z, so with those of coordinates they ask whether the shadows of the two on the plane
 * across z, across y and across x meet; what is left is the plane of the triangle. For the voxels of
 * a row along x, which has its y and z, each of these answers is a range of x:
 *
 *   across z: a range for each y     |
 *   across y: a range for each z     |- spans of shadows, found once for a triangle
 *   across x: which y belong to a z  |
 *   the plane: a range for each y and z, which ends at one of eight corners of the row
 *
 * A triangle within one slab of voxels along an axis needs the shadow across that axis alone.
 *
 * Numbers are in edges, so that plane i of the grid is at i: the place of a coordinate c is
 * u = (c - corner) / edge + padding. With e = 2^-53, n voxels along the longest axis and coordinates
 * up to r edges, u is within 5 e n of the exact place, and the doubles that planes are lie within
 * e (n + r) of where they should. So u - i has the sign of c - plane(i) if |u - i| is more than
 * tolerance = e (16 n + 4 r). What is nearer than its bound is decided by comparing doubles or by
 * the signs of geometry/predicates.h, so that answers are exact.
 */
#include "algorithms/voxel/surface_rows.h"

#include "algorithms/voxel/surface.h"
#include "algorithms/voxel/triangle_box.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/predicates.h"

/** Voxels lo to hi along an axis, both of them. */
typedef struct span {
    int32_t lo, hi;
} span;

/** One triangle in the grid. */
typedef struct cut {
    const alg_voxel_marking *m;
    double corner[4], size[4]; /* of the grid, a lane for each axis and one more */
    geo_triangle t;
    double u[3][4];  /* places: [corner][axis] */
    span at[3][3];   /* the voxels that a corner is in, [corner][axis]: two if it is on a plane */
    span range[3];   /* those that the triangle's box is in */
    bool within[3];  /* is all of the triangle in each slab of its range along the axis? */
    span *shadow[3]; /* rows of the shadows across x, y and z, from the range's lo on */
} cut;

static double coordinate(const cut *c, int axis, int corner)
{
    return vec3_get(c->t.p[corner], axis);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/** Others set bits of the same word. Most are set already, and to write is slow. */
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

/** An alg_voxel_visitor. */
static void set_voxel(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const cut *const c = context;
    set_run(c->m, (span){(int32_t)x, (int32_t)x}, y, z);
}

/* --- Where corners are ------------------------------------------------------------------------ */

/** The voxels that x is in; `guess` is near. Planes decide. */
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

static void widen(span *s, span by)
{
    s->lo = by.lo < s->lo ? by.lo : s->lo;
    s->hi = by.hi > s->hi ? by.hi : s->hi;
}

/** Where corners are near planes. */
static void place_exactly(cut *c)
{
    const alg_voxel_marking *const m = c->m;
    for (int axis = 0; axis < 3; axis++) {
        c->range[axis] = (span){INT32_MAX, INT32_MIN};
        for (int k = 0; k < 3; k++) {
            const double u = c->u[k][axis], beyond = u - (int32_t)u;
            const bool clear = beyond > m->tolerance && beyond < 1 - m->tolerance;
            c->at[k][axis] = clear ? (span){(int32_t)u, (int32_t)u}
                                   : find_exactly(m, axis, coordinate(c, axis, k), (int32_t)u);
            widen(&c->range[axis], c->at[k][axis]);
        }
        const double x = coordinate(c, axis, 0);
        const bool flat = x == coordinate(c, axis, 1) && x == coordinate(c, axis, 2);
        c->within[axis] = flat || c->range[axis].lo == c->range[axis].hi;
    }
}

/** What most triangles are: in the grid, and without a corner near a plane. Leaves at[] out. */
static bool place_clearly(cut *c)
{
    /* Adding this rounds to the nearest whole number, and leaves it when it is taken off. */
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

/* --- Shadows ---------------------------------------------------------------------------------- */

/** Two corners of a triangle, the first one lower along axis b, in the shadow along axes a and b. */
typedef struct shadow_edge {
    int a, b, lower, upper;
} shadow_edge;

/** The voxels along a in which the edge crosses plane m of axis b, which is strictly between its
 * ends: by exact signs. */
static span cross_exactly(const cut *c, const shadow_edge *e, int32_t m)
{
    const double lower[2] = {coordinate(c, e->a, e->lower), coordinate(c, e->b, e->lower)};
    const double upper[2] = {coordinate(c, e->a, e->upper), coordinate(c, e->b, e->upper)};
    const double height = alg_voxel_plane(c->m->grid, e->b, m);
    span ends = c->at[e->lower][e->a];
    widen(&ends, c->at[e->upper][e->a]);
    /* The last plane of axis a that is not beyond the crossing. */
    int32_t lo = ends.lo, hi = ends.hi + 1;
    int side = 1;
    while (hi - lo > 1) {
        const int32_t middle = lo + (hi - lo) / 2;
        const double corner[2] = {alg_voxel_plane(c->m->grid, e->a, middle), height};
        const int at_middle = geo_orient2d(lower, upper, corner);
        if (at_middle >= 0) {
            lo = middle;
            side = at_middle;
        } else {
            hi = middle;
        }
    }
    return (span){side == 0 ? lo - 1 : lo, lo};
}

/**
 * Adds an edge to the rows of a shadow. Where it crosses the planes between its ends,
 *
 *   u_a = lower_a + (m - lower_b) slope, slope = (upper_a - lower_a) / (upper_b - lower_b),
 *
 * places and planes are off by a tolerance t each. With upper_b - lower_b > 8 t, differences off by
 * 2 t make the slope off by less than 3 t (1 + |slope|) / (upper_b - lower_b), of which the crossing
 * has at most as much as the edge is high; with what else is off, it is 8 t (1 + |slope|) at most.
 */
static void cast_edge(const cut *c, const shadow_edge *e, span *rows)
{
    const double *const lower = c->u[e->lower], *const upper = c->u[e->upper];
    const double t = c->m->tolerance;
    const double height = upper[e->b] - lower[e->b];
    const double slope = (upper[e->a] - lower[e->a]) / height;
    const double bound = height > 8 * t ? 8 * t * (1 + fabs(slope)) : 1;
    const int32_t first = c->at[e->lower][e->b].hi + 1, last = c->at[e->upper][e->b].lo;
    const int32_t base = c->range[e->b].lo;
    for (int32_t m = first; m <= last; m++) {
        const double u = bound < 0.5 ? lower[e->a] + (m - lower[e->b]) * slope : 0;
        const int32_t i = (int32_t)u;
        const bool clear = u - i > bound && u - i < 1 - bound;
        const span crossing = clear ? (span){i, i} : cross_exactly(c, e, m);
        widen(&rows[m - 1 - base], crossing);
        widen(&rows[m - base], crossing);
    }
}

/** The shadow along axes a and b: for each slab of the range along b the voxels along a. */
static void cast_shadow(const cut *c, int a, int b, span *rows)
{
    const span range = c->range[b];
    for (int32_t i = 0; i <= range.hi - range.lo; i++) {
        rows[i] = (span){INT32_MAX, INT32_MIN};
    }
    for (int corner = 0; corner < 3; corner++) {
        const span at = c->at[corner][b];
        for (int32_t i = at.lo; i <= at.hi; i++) {
            widen(&rows[i - range.lo], c->at[corner][a]);
        }
        const int next = corner == 2 ? 0 : corner + 1;
        const bool up = coordinate(c, b, corner) < coordinate(c, b, next);
        const shadow_edge e = {a, b, up ? corner : next, up ? next : corner};
        if (c->at[e.lower][b].hi < c->at[e.upper][b].lo) {
            cast_edge(c, &e, rows);
        }
    }
}

/* --- The plane -------------------------------------------------------------------------------- */

/** The triangle's plane. */
typedef struct plane {
    double normal[3];     /* a component within the bound of its error is 0 */
    int sign[3];          /* of its components, exact */
    double bound;         /* of the error of a height above it, at corners of voxels of the range */
    int facing;           /* once turned: 1, or -1 for a normal that pointed downwards along x */
    int32_t far_y, far_z; /* which corner of a voxel is farther along it: 0 or 1 */
} plane;

static bool same_shadow(const cut *c, int v, int w, int i, int j)
{
    return coordinate(c, v, i) == coordinate(c, v, j) && coordinate(c, w, i) == coordinate(c, w, j);
}

/** Exact sign of the component of the normal across axes v and w. */
static int normal_sign(const cut *c, int v, int w)
{
    if (same_shadow(c, v, w, 0, 1) || same_shadow(c, v, w, 1, 2) || same_shadow(c, v, w, 2, 0)) {
        return 0; /* common, and the predicate would have to work hard for it */
    }
    double shadow[3][2];
    for (int corner = 0; corner < 3; corner++) {
        shadow[corner][0] = coordinate(c, v, corner);
        shadow[corner][1] = coordinate(c, w, corner);
    }
    return geo_orient2d(shadow[0], shadow[1], shadow[2]);
}

/**
 * The normal is the product of two edges; the height of a point above the plane is the product of
 * the normal and the way from a corner. Let E be the extents of the triangle and t the tolerance.
 * Differences are off by 2 t, so a component of the normal, as of x, is off by 5 t (E_y + E_z), and
 * by twice that if one whose sign is open becomes 0. That makes a height off by the sum over the
 * axes of 10 t (E_y + E_z) (E_x + 2), and the way and rounding by that of 12 t E_y E_z. With E + 2,
 * which is what `extent` has, for E, 40 t (E_x E_y + E_y E_z + E_z E_x) is more than all that.
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

/** The normal made to point upwards along x. */
static void turn_plane(plane *p)
{
    p->facing = p->sign[0] < 0 ? -1 : 1;
    for (int axis = 0; axis < 3; axis++) {
        p->normal[axis] *= p->facing;
    }
    p->far_y = p->facing * p->sign[1] > 0;
    p->far_z = p->facing * p->sign[2] > 0;
}

/** Exact side of a corner of voxels: 1 above the plane, -1 below it. */
static int side_exactly(const cut *c, const plane *p, int32_t x, int32_t y, int32_t z)
{
    const alg_voxel_grid *const g = c->m->grid;
    const vec3 corner = {alg_voxel_plane(g, 0, x), alg_voxel_plane(g, 1, y),
                         alg_voxel_plane(g, 2, z)};
    return -p->facing * geo_orient3d(c->t.p[0], c->t.p[1], c->t.p[2], corner);
}

/** A line of corners of voxels along x. */
typedef struct corner_line {
    int32_t y, z;
    double height; /* above the plane where x is that of the triangle's first corner */
} corner_line;

static corner_line find_line(const cut *c, const plane *p, int32_t y, int32_t z)
{
    return (corner_line){y, z, p->normal[1] * (y - c->u[0][1]) + p->normal[2] * (z - c->u[0][2])};
}

/** On which side of the plane is the corner at x? */
static int side_of(const cut *c, const plane *p, const corner_line *line, int32_t x)
{
    const double height = p->normal[0] * (x - c->u[0][0]) + line->height;
    return height > p->bound    ? 1
           : height < -p->bound ? -1
                                : side_exactly(c, p, x, line->y, line->z);
}

/** The first corner from lo to hi that is on the side `least` or a higher one; hi + 1 if none is.
 * Heights do not fall along x. */
static int32_t first_on_side(const cut *c, const plane *p, const corner_line *line, int least,
                             span among)
{
    if (side_of(c, p, line, among.lo) >= least) {
        return among.lo;
    }
    if (side_of(c, p, line, among.hi) < least) {
        return among.hi + 1;
    }
    /* From a guess on in steps that double, so that a bad guess costs little. */
    const double guess = c->u[0][0] - line->height / p->normal[0];
    int32_t lo = among.lo, hi = among.hi, step = 1;
    int32_t x = guess > lo && guess < hi ? (int32_t)guess + 1 : lo;
    while (hi - lo > 1) {
        x = x > lo && x < hi ? x : lo + (hi - lo) / 2;
        if (side_of(c, p, line, x) >= least) {
            hi = x;
            x -= step;
        } else {
            lo = x;
            x += step;
        }
        step = step < INT32_MAX / 4 ? 2 * step : step;
    }
    return hi;
}

/** What of the voxels x of row (y, z) the plane meets; x.lo > x.hi if none. */
static span cut_row(const cut *c, const plane *p, span x, int32_t y, int32_t z)
{
    const corner_line far = find_line(c, p, y + p->far_y, z + p->far_z);
    const int32_t lo = first_on_side(c, p, &far, 0, (span){x.lo + 1, x.hi + 1}) - 1;
    if (lo > x.hi) {
        return (span){lo, x.hi};
    }
    const corner_line near = find_line(c, p, y + 1 - p->far_y, z + 1 - p->far_z);
    return (span){lo, first_on_side(c, p, &near, 1, (span){lo, x.hi}) - 1};
}

/* --- Triangles within 4 x 4 x 4 voxels -------------------------------------------------------- */

/*
 * Most triangles of a fine mesh are small. For those all voxels of a cube are asked at once, four
 * along an axis in the lanes of a register, without a branch: bit x + 4 y + 16 z for voxel (x, y, z)
 * from the range's lower end on. Each answer comes twice, as what it surely is and as what it may
 * be; where the two differ, the voxel is tested by itself.
 */
enum { CUBE = 4 };

typedef struct hits {
    uint64_t sure, possible;
} hits;

/** Bits i of 16 at 4 i, each four times. */
static uint64_t spread_bits(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000FF000000FF);
    bits = (bits | bits << 12) & UINT64_C(0x000F000F000F000F);
    bits = (bits | bits << 6) & UINT64_C(0x0303030303030303);
    bits = (bits | bits << 3) & UINT64_C(0x1111111111111111);
    return bits * 0xF;
}

/** The four groups of four bits at 0, 16, 32 and 48, each four times. */
static uint64_t spread_groups(uint64_t bits)
{
    bits = (bits | bits << 24) & UINT64_C(0x000000FF000000FF);
    bits = (bits | bits << 12) & UINT64_C(0x000F000F000F000F);
    return bits * 0x1111;
}

/** A square of 4 x 4 in the plane across an axis, for all four voxels along that. */
static uint64_t extrude(int across, uint64_t square)
{
    return across == 2   ? square * UINT64_C(0x0001000100010001)
           : across == 1 ? spread_groups(square)
                         : spread_bits(square);
}

/**
 * The squares of 4 x 4 that meet the shadow along axes a and b, which turns to the left if turn is
 * 1, and either way if it is a line: bit a + 4 b. For each edge a square has to have a corner to the
 * left of it. With d from one end to the other, the corner farthest to the left is there if
 *
 *   turn (d_a (b - end_b) - d_b (a - end_a)) + max(turn d_a, 0) + max(-turn d_b, 0) >= 0
 *
 * at the square's lower corner. d is off by 2 t of a tolerance t, and ends by t; the ways are at
 * most 5 long, d at most 4: so it is off by 20 t + 16 t + 4 t, and for rounding by less than 20 t.
 */
static hits meet_shadow(const cut *c, int a, int b, int turn)
{
    static const double lanes[CUBE] = {0, 1, 2, 3};
    const double bound = 64 * c->m->tolerance;
    f64x4 left[3], step[3];
    for (int k = 0; k < 3; k++) {
        const int next = k == 2 ? 0 : k + 1;
        const double *const end = c->u[k];
        const double da = turn * (c->u[next][a] - end[a]), db = turn * (c->u[next][b] - end[b]);
        double at = da * (c->range[b].lo - end[b]) - db * (c->range[a].lo - end[a]) +
                    (da > 0 ? da : 0) + (db < 0 ? -db : 0);
        if (da == 0 && db == 0 && same_shadow(c, a, b, k, next)) {
            at = 1; /* a point, which has no left and right */
        }
        left[k] = f64x4_add(f64x4_set(at), f64x4_mul(f64x4_set(-db), f64x4_load(lanes)));
        step[k] = f64x4_set(da);
    }
    const f64x4 above = f64x4_set(bound), below = f64x4_set(-bound);
    hits found = {0, 0};
    for (int row = 0; row < CUBE; row++) {
        const f64x4 least = f64x4_min(left[0], f64x4_min(left[1], left[2]));
        found.sure |= (uint64_t)m64x4_bits(f64x4_lt(above, least)) << CUBE * row;
        found.possible |= (uint64_t)m64x4_bits(f64x4_le(below, least)) << CUBE * row;
        for (int k = 0; k < 3; k++) {
            left[k] = f64x4_add(left[k], step[k]);
        }
    }
    return found;
}

/** The voxels whose middle is as near to the plane as one with a corner on it can be. */
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
    for (int z = 0; z < CUBE; z++) {
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

/** All voxels of the range. */
static uint64_t whole_cube(const cut *c)
{
    static const uint64_t x[CUBE] = {1, 3, 7, 15}, y[CUBE] = {1, 0x11, 0x111, 0x1111};
    static const uint64_t z[CUBE] = {1, 0x10001, UINT64_C(0x100010001), UINT64_C(0x1000100010001)};
    return x[c->range[0].hi - c->range[0].lo] * y[c->range[1].hi - c->range[1].lo] *
           z[c->range[2].hi - c->range[2].lo];
}

/** Of the voxels of a cube those that share a point with the triangle, one by one; how many were
 * tested is added. */
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
    static const int first[3] = {1, 0, 0}, second[3] = {2, 2, 1}, turned[3] = {1, -1, 1};
    const bool *const within = c->within;
    const bool flat = within[0] || within[1] || within[2];
    const plane p = find_plane(c, (const double[]){CUBE + 2, CUBE + 2, CUBE + 2});
    hits all = {whole_cube(c), whole_cube(c)};
    for (int axis = 0; axis < 3; axis++) {
        if (flat && !within[axis]) {
            continue;
        }
        const int turn = p.sign[axis] * turned[axis] < 0 ? -1 : 1;
        const hits shadow = meet_shadow(c, first[axis], second[axis], turn);
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

/* --- Triangles -------------------------------------------------------------------------------- */

/** Of a triangle within one slab along z: each row is as in its shadow. */
static void mark_across_z(const cut *c)
{
    cast_shadow(c, 0, 1, c->shadow[2]);
    for (int32_t y = c->range[1].lo; y <= c->range[1].hi; y++) {
        for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
            set_run(c->m, c->shadow[2][y - c->range[1].lo], (uint32_t)y, (uint32_t)z);
        }
    }
}

static void mark_across_y(const cut *c)
{
    cast_shadow(c, 0, 2, c->shadow[1]);
    for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
        for (int32_t y = c->range[1].lo; y <= c->range[1].hi; y++) {
            set_run(c->m, c->shadow[1][z - c->range[2].lo], (uint32_t)y, (uint32_t)z);
        }
    }
}

static void mark_across_x(const cut *c)
{
    cast_shadow(c, 1, 2, c->shadow[0]);
    for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
        const span ys = c->shadow[0][z - c->range[2].lo];
        for (int32_t y = ys.lo; y <= ys.hi; y++) {
            set_run(c->m, c->range[0], (uint32_t)y, (uint32_t)z);
        }
    }
}

static void mark_box(const cut *c)
{
    for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
        for (int32_t y = c->range[1].lo; y <= c->range[1].hi; y++) {
            set_run(c->m, c->range[0], (uint32_t)y, (uint32_t)z);
        }
    }
}

/** Three shadows and the plane; returns how many rows were cut. */
static uint64_t mark_any(const cut *c)
{
    cast_shadow(c, 1, 2, c->shadow[0]);
    cast_shadow(c, 0, 2, c->shadow[1]);
    cast_shadow(c, 0, 1, c->shadow[2]);
    double extent[3];
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = 2 + (double)(c->range[axis].hi - c->range[axis].lo + 1);
    }
    plane p = find_plane(c, extent);
    turn_plane(&p);
    uint64_t cuts = 0;
    for (int32_t z = c->range[2].lo; z <= c->range[2].hi; z++) {
        const span ys = c->shadow[0][z - c->range[2].lo];
        const span across_y = c->shadow[1][z - c->range[2].lo];
        for (int32_t y = ys.lo; y <= ys.hi; y++) {
            span x = c->shadow[2][y - c->range[1].lo];
            x.lo = x.lo > across_y.lo ? x.lo : across_y.lo;
            x.hi = x.hi < across_y.hi ? x.hi : across_y.hi;
            if (x.lo <= x.hi) {
                x = cut_row(c, &p, x, y, z);
                cuts++;
            }
            if (x.lo <= x.hi) {
                set_run(c->m, x, (uint32_t)y, (uint32_t)z);
            }
        }
    }
    return cuts;
}

static bool holds(geo_box outer, geo_box inner)
{
    return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
           outer.hi.x >= inner.hi.x && outer.hi.y >= inner.hi.y && outer.hi.z >= inner.hi.z;
}

static uint64_t mark_triangle(cut *c)
{
    const bool clear = place_clearly(c);
    if (!clear) {
        if (!holds(c->m->box, geo_box_of_triangle(c->t))) {
            return alg_voxel_surface_visit(c->t, c->m->grid, ALG_VOXEL_SECOND, set_voxel, c);
        }
        place_exactly(c);
    }
    const bool *const within = c->within;
    if (within[0] + within[1] + within[2] >= 2) {
        mark_box(c);
        return 0;
    }
    if (c->range[0].hi - c->range[0].lo < CUBE && c->range[1].hi - c->range[1].lo < CUBE &&
        c->range[2].hi - c->range[2].lo < CUBE) {
        return mark_cube(c);
    }
    if (clear) {
        place_exactly(c); /* for at[] */
    }
    if (within[2]) {
        mark_across_z(c);
    } else if (within[1]) {
        mark_across_y(c);
    } else if (within[0]) {
        mark_across_x(c);
    } else {
        return mark_any(c);
    }
    return 0;
}

void BASE_ISA(alg_voxel_mark_chunk)(void *context, size_t begin, size_t end)
{
    alg_voxel_marking *const m = context;
    const alg_voxel_grid *const g = m->grid;
    const size_t rows = g->size[1], slices = g->size[2];
    span *const storage = base_alloc(rows + 2 * slices, sizeof *storage);
    if (!storage) {
        atomic_store(&m->failed, true);
        return;
    }
    cut c = {
        .m = m,
        .corner = {g->corner.x, g->corner.y, g->corner.z, g->corner.x},
        .size = {g->size[0],           g->size[1],             g->size[2],    g->size[0]},
        .shadow = {storage, storage + slices,            storage + 2 * slices             },
    };
    uint64_t tests = 0;
    for (size_t f = begin; f < end; f++) {
        c.t = geo_mesh_triangle(m->mesh, f);
        tests += mark_triangle(&c);
    }
    atomic_fetch_add(&m->tests, tests);
    base_free(storage);
}
