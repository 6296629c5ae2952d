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
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/predicates.h"

#include <stdatomic.h>

enum { CHUNKS = 1024, CHUNK_MOST = 4096 }; /* of triangles */

/** Voxels lo to hi along an axis, both of them. */
typedef struct span {
    int32_t lo, hi;
} span;

/** What all triangles share. */
typedef struct marking {
    const geo_mesh *mesh;
    const alg_voxel_grid *grid;
    alg_voxel_bits *bits;
    geo_box box; /* of the grid */
    double per_metre;
    double tolerance; /* of places, in edges */
    _Atomic uint64_t tests;
    _Atomic bool failed; /* a chunk got no memory */
} marking;

/** One triangle in the grid. */
typedef struct cut {
    const marking *m;
    geo_triangle t;
    double u[3][3];  /* places: [axis][corner] */
    span at[3][3];   /* the voxels that a corner is in: two if it is on a plane */
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

static void set_run(const marking *m, span x, uint32_t y, uint32_t z)
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
    set_run(context, (span){(int32_t)x, (int32_t)x}, y, z);
}

/* --- Where corners are ------------------------------------------------------------------------ */

/** The voxels that x is in; `guess` is near. Planes decide. */
static span find_exactly(const marking *m, int axis, double x, int32_t guess)
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

static void place_corner(cut *c, int axis, int corner)
{
    const marking *const m = c->m;
    const double x = coordinate(c, axis, corner);
    const double u = (x - vec3_get(m->grid->corner, axis)) * m->per_metre + m->grid->padding;
    const int32_t i = (int32_t)u;
    const double beyond = u - i;
    c->u[axis][corner] = u;
    c->at[axis][corner] = beyond > m->tolerance && beyond < 1 - m->tolerance
                              ? (span){i, i}
                              : find_exactly(m, axis, x, i);
}

static void widen(span *s, span by)
{
    s->lo = by.lo < s->lo ? by.lo : s->lo;
    s->hi = by.hi > s->hi ? by.hi : s->hi;
}

static void place_triangle(cut *c)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            place_corner(c, axis, corner);
        }
        span *const range = &c->range[axis];
        *range = c->at[axis][0];
        widen(range, c->at[axis][1]);
        widen(range, c->at[axis][2]);
        const double x = coordinate(c, axis, 0);
        const bool flat = x == coordinate(c, axis, 1) && x == coordinate(c, axis, 2);
        c->within[axis] = flat || range->lo == range->hi;
    }
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
    span ends = c->at[e->a][e->lower];
    widen(&ends, c->at[e->a][e->upper]);
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
    const double *const a = c->u[e->a], *const b = c->u[e->b];
    const double t = c->m->tolerance;
    const double height = b[e->upper] - b[e->lower];
    const double slope = (a[e->upper] - a[e->lower]) / height;
    const double bound = height > 8 * t ? 8 * t * (1 + fabs(slope)) : 1;
    const int32_t first = c->at[e->b][e->lower].hi + 1, last = c->at[e->b][e->upper].lo;
    const int32_t base = c->range[e->b].lo;
    for (int32_t m = first; m <= last; m++) {
        const double u = bound < 0.5 ? a[e->lower] + (m - b[e->lower]) * slope : 0;
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
        const span at = c->at[b][corner];
        for (int32_t i = at.lo; i <= at.hi; i++) {
            widen(&rows[i - range.lo], c->at[a][corner]);
        }
        const int next = corner == 2 ? 0 : corner + 1;
        const bool up = coordinate(c, b, corner) < coordinate(c, b, next);
        const shadow_edge e = {a, b, up ? corner : next, up ? next : corner};
        if (c->at[b][e.lower].hi < c->at[b][e.upper].lo) {
            cast_edge(c, &e, rows);
        }
    }
}

/* --- The plane -------------------------------------------------------------------------------- */

/** The triangle's plane, with a normal that points upwards along x. */
typedef struct plane {
    double normal[3];
    double bound;         /* of the error of a height above it, at corners of voxels of the range */
    int facing;           /* 1, or -1 for a normal that was turned */
    int32_t far_y, far_z; /* which corner of a voxel is farther along the normal: 0 or 1 */
} plane;

/** Exact sign of a component of the normal. */
static int normal_sign(const cut *c, int axis)
{
    const int v = (axis + 1) % 3, w = (axis + 2) % 3;
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
 * axes of 10 t (E_y + E_z) (E_x + 2), and the way and rounding by that of 12 t E_y E_z. With E + 2
 * for E, 40 t (E_x E_y + E_y E_z + E_z E_x) is more than all that.
 */
static plane find_plane(const cut *c)
{
    const double t = c->m->tolerance;
    double e[2][3], extent[3];
    for (int axis = 0; axis < 3; axis++) {
        e[0][axis] = c->u[axis][1] - c->u[axis][0];
        e[1][axis] = c->u[axis][2] - c->u[axis][0];
        extent[axis] = 2 + (double)(c->range[axis].hi - c->range[axis].lo + 1);
    }
    plane p;
    int sign[3];
    for (int axis = 0; axis < 3; axis++) {
        const int v = (axis + 1) % 3, w = (axis + 2) % 3;
        double *const n = &p.normal[axis];
        *n = e[0][v] * e[1][w] - e[0][w] * e[1][v];
        sign[axis] = *n > 0 ? 1 : -1;
        if (fabs(*n) <= 5 * t * (extent[v] + extent[w])) {
            *n = 0;
            sign[axis] = normal_sign(c, axis);
        }
    }
    p.facing = sign[0] < 0 ? -1 : 1;
    for (int axis = 0; axis < 3; axis++) {
        p.normal[axis] *= p.facing;
    }
    p.bound = 40 * t * (extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0]);
    p.far_y = p.facing * sign[1] > 0;
    p.far_z = p.facing * sign[2] > 0;
    return p;
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
    return (corner_line){y, z, p->normal[1] * (y - c->u[1][0]) + p->normal[2] * (z - c->u[2][0])};
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
    const plane p = find_plane(c);
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

static uint64_t mark_triangle(cut *c)
{
    place_triangle(c);
    const bool *const within = c->within;
    if (within[0] + within[1] + within[2] >= 2) {
        mark_box(c);
    } else if (within[2]) {
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

static bool holds(geo_box outer, geo_box inner)
{
    return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
           outer.hi.x >= inner.hi.x && outer.hi.y >= inner.hi.y && outer.hi.z >= inner.hi.z;
}

static void mark_chunk(void *context, size_t begin, size_t end)
{
    marking *const m = context;
    const size_t rows = m->grid->size[1], slices = m->grid->size[2];
    span *const storage = base_alloc(rows + 2 * slices, sizeof *storage);
    if (!storage) {
        atomic_store(&m->failed, true);
        return;
    }
    cut c = {
        .m = m, .shadow = {storage, storage + slices, storage + 2 * slices}
    };
    uint64_t tests = 0;
    for (size_t f = begin; f < end; f++) {
        c.t = geo_mesh_triangle(m->mesh, f);
        if (holds(m->box, geo_box_of_triangle(c.t))) {
            tests += mark_triangle(&c);
        } else {
            tests += alg_voxel_surface_visit(c.t, m->grid, ALG_VOXEL_SECOND, set_voxel, m);
        }
    }
    atomic_fetch_add(&m->tests, tests);
    base_free(storage);
}

base_status alg_voxel_surface_rows_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                        alg_voxel_bits *bits, uint64_t *tests, base_error *err)
{
    const uint32_t *const size = grid->size;
    marking m = {
        .mesh = mesh,
        .grid = grid,
        .bits = bits,
        .box = {alg_voxel_box(grid, 0, 0, 0).lo, alg_voxel_box(grid, size[0], size[1], size[2]).lo},
        .per_metre = 1 / grid->edge,
    };
    const double longest = fmax(size[0], fmax(size[1], size[2]));
    m.tolerance = 0x1p-53 * (16 * longest + 4 * geo_box_reach(m.box) / grid->edge);
    size_t chunk = mesh->face_count / CHUNKS + 1;
    chunk = chunk < CHUNK_MOST ? chunk : CHUNK_MOST;
    base_parallel_for(mesh->face_count, chunk, 0, mark_chunk, &m);
    *tests = atomic_load(&m.tests);
    return atomic_load(&m.failed)
               ? base_fail(err, BASE_ERR_MEMORY, "out of memory for surface voxels")
               : BASE_OK;
}
