#include "algorithms/voxel/surface.h"

#include "algorithms/voxel/triangle_box.h"

#define EPSILON 0x1p-53
#define INLINE  static inline __attribute__((always_inline))

/* --- From coordinates to voxels --------------------------------------------------------------- */

/** Voxels lo to hi, both of them, of one axis; none where lo > hi. */
typedef struct span {
    int32_t lo, hi;
} span;

/** A number near to that of the voxel in which x is, between the two given ones. */
INLINE int32_t guess_voxel(const alg_voxel_grid *grid, int axis, double x, span within)
{
    const double at = (x - vec3_get(grid->corner, axis)) / grid->edge + grid->padding;
    return at <= within.lo ? within.lo : at >= within.hi ? within.hi : (int32_t)at;
}

/** The voxels of `within` whose closed intervals meet [lo, hi]. Planes decide, exactly. */
INLINE span find_voxels(const alg_voxel_grid *grid, int axis, double lo, double hi, span within)
{
    span found = {guess_voxel(grid, axis, lo, within), guess_voxel(grid, axis, hi, within)};
    while (found.lo > within.lo && alg_voxel_plane(grid, axis, found.lo) >= lo) {
        found.lo--;
    }
    while (found.lo <= within.hi && alg_voxel_plane(grid, axis, (int64_t)found.lo + 1) < lo) {
        found.lo++;
    }
    while (found.hi < within.hi && alg_voxel_plane(grid, axis, (int64_t)found.hi + 1) <= hi) {
        found.hi++;
    }
    while (found.hi >= within.lo && alg_voxel_plane(grid, axis, found.hi) > hi) {
        found.hi--;
    }
    return found;
}

/**
 * The longest edge of a voxel, as a difference of doubles: two planes are each a product and a sum
 * off, and coordinates up to reach are off by half a place.
 */
static double voxel_size(const alg_voxel_grid *grid)
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach = fmax(reach, fabs(vec3_get(grid->corner, axis)) + grid->edge * grid->size[axis]);
    }
    return grid->edge + 8 * EPSILON * reach;
}

/* --- The ranges of VPS 3.1 --------------------------------------------------------------------- */

/** A triangle on its way through the grid. */
typedef struct walk {
    const alg_voxel_grid *grid;
    span range[3]; /* the voxels whose closed boxes meet the triangle's box */
    alg_triangle_box triangle;
    bool upright; /* its plane bounds no z */
    double slope_x, slope_y;
    double y_margin, z_margin; /* what computed y and z may be off */
} walk;

/** Makes [lo, hi] hold x. */
INLINE void hold(double range[2], double x)
{
    range[0] = x < range[0] ? x : range[0];
    range[1] = x > range[1] ? x : range[1];
}

/** Makes the range hold y wherever an edge of the triangle crosses a plane of constant x. */
INLINE void hold_crossings(const geo_triangle *t, double x, double range[2])
{
    for (int i = 0; i < 3; i++) {
        const vec3 a = t->p[i], b = t->p[i == 2 ? 0 : i + 1];
        if ((a.x < x && x < b.x) || (b.x < x && x < a.x)) {
            hold(range, a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y));
        }
    }
}

/**
 * The voxels along y that the triangle may meet between the planes of x.
 *
 * An edge's y has the error of a ratio below 1 (three roundings, e = 2^-53 each), of its product
 * with the edge (two) and of the sum: 5 e extent + e |y|, which 8 e of both holds, and what the
 * margin's own sum is rounded by.
 */
INLINE span range_y(const walk *w, const double planes[6])
{
    if (w->range[1].lo == w->range[1].hi || w->range[0].lo == w->range[0].hi) {
        return w->range[1];
    }
    const double x0 = planes[0], x1 = planes[3];
    const geo_triangle *const t = &w->triangle.triangle;
    double y[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        if (x0 <= t->p[i].x && t->p[i].x <= x1) {
            hold(y, t->p[i].y);
        }
    }
    hold_crossings(t, x0, y);
    hold_crossings(t, x1, y);
    return find_voxels(w->grid, 1, y[0] - w->y_margin, y[1] + w->y_margin, w->range[1]);
}

/** The voxels along z between the least and the greatest z of the plane over a pixel. */
INLINE span range_z(const walk *w, const double planes[6])
{
    if (w->upright || w->range[2].lo == w->range[2].hi) {
        return w->range[2];
    }
    const vec3 from = w->triangle.triangle.p[0];
    const double x0 = w->slope_x * (planes[0] - from.x), x1 = w->slope_x * (planes[3] - from.x);
    const double y0 = w->slope_y * (planes[1] - from.y), y1 = w->slope_y * (planes[4] - from.y);
    const double lo = from.z + ((x0 < x1 ? x0 : x1) + (y0 < y1 ? y0 : y1));
    const double hi = from.z + ((x0 < x1 ? x1 : x0) + (y0 < y1 ? y1 : y0));
    return find_voxels(w->grid, 2, lo - w->z_margin, hi + w->z_margin, w->range[2]);
}

/**
 * Slopes of the plane, and margins.
 *
 * e = 2^-53; n: computed components of the normal; s: the sums of the sizes of both products of each.
 * A component is within 4 e s of the exact one. Where |n_z| > 16 e s_z that is a quarter of it at
 * most, and a slope n_x / n_z is within 6 e (s_x + |slope_x| s_z) / |n_z| of the exact one, and
 * rounded twice more: 8 e with s_z >= |n_z|. A slope's product with a difference that is at most
 * reach, and the sums, add 4 e (|z| + |slope| reach). All of it is below
 * 16 e (sum of (s + |slope| s_z) reach / |n_z| + |z|).
 */
static void prepare_ranges(walk *w, double size)
{
    const alg_triangle_box *const t = &w->triangle;
    const vec3 extent = vec3_sub(t->box.hi, t->box.lo);
    const vec3 most = vec3_max(vec3_abs(t->box.lo), vec3_abs(t->box.hi));
    w->y_margin = 8 * EPSILON * (most.y + extent.y);
    w->upright = !(fabs(t->component[2]) > 16 * EPSILON * t->size[2]);
    if (w->upright) {
        return;
    }
    const double over = 1 / t->component[2];
    w->slope_x = -(t->component[0] * over);
    w->slope_y = -(t->component[1] * over);
    const double off_x = (t->size[0] + fabs(w->slope_x) * t->size[2]) * (extent.x + size);
    const double off_y = (t->size[1] + fabs(w->slope_y) * t->size[2]) * (extent.y + size);
    w->z_margin = 16 * EPSILON * ((off_x + off_y) * fabs(over) + most.z);
}

/* --- Navigation -------------------------------------------------------------------------------- */

/** Sets the two planes of one axis in lo x, y, z, hi x, y, z. */
INLINE void set_planes(const alg_voxel_grid *grid, int axis, int32_t i, double planes[6])
{
    planes[axis] = alg_voxel_plane(grid, axis, i);
    planes[axis + 3] = alg_voxel_plane(grid, axis, (int64_t)i + 1);
}

/** A column of voxels along z, and where they go. */
typedef struct column {
    uint32_t x, y;
    double planes[6];
    alg_voxel_visitor *visit;
    void *context;
} column;

INLINE bool meets(const walk *w, column *c, int32_t z)
{
    set_planes(w->grid, 2, z, c->planes);
    return alg_triangle_box_crosses(&w->triangle, c->planes);
}

/** Tests all voxels of a span. Returns how many. */
INLINE uint64_t test_all(const walk *w, column *c, span z)
{
    for (int32_t i = z.lo; i <= z.hi; i++) {
        if (meets(w, c, i)) {
            c->visit(c->context, c->x, c->y, (uint32_t)i);
        }
    }
    return z.hi < z.lo ? 0 : (uint64_t)(z.hi - z.lo) + 1;
}

/** Tests from both ends: what triangle and column share is convex, so that all between is met. */
INLINE uint64_t close_in(const walk *w, column *c, span z)
{
    uint64_t tests = 0;
    int32_t first = z.lo, last = z.hi;
    while (first <= z.hi && (tests++, !meets(w, c, first))) {
        first++;
    }
    while (last > first && (tests++, !meets(w, c, last))) {
        last--;
    }
    for (int32_t i = first; i <= last; i++) {
        c->visit(c->context, c->x, c->y, (uint32_t)i);
    }
    return tests;
}

INLINE uint64_t navigate(const walk *w, alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                         void *context)
{
    const bool ranges = navigation != ALG_VOXEL_BOX;
    column c = {.visit = visit, .context = context};
    uint64_t tests = 0;
    for (int32_t x = w->range[0].lo; x <= w->range[0].hi; x++) {
        c.x = (uint32_t)x;
        set_planes(w->grid, 0, x, c.planes);
        const span ys = ranges ? range_y(w, c.planes) : w->range[1];
        for (int32_t y = ys.lo; y <= ys.hi; y++) {
            c.y = (uint32_t)y;
            set_planes(w->grid, 1, y, c.planes);
            const span zs = ranges ? range_z(w, c.planes) : w->range[2];
            tests += navigation == ALG_VOXEL_SECOND ? close_in(w, &c, zs) : test_all(w, &c, zs);
        }
    }
    return tests;
}

static int32_t span_length(span s)
{
    return s.hi - s.lo + 1;
}

/** Visits all voxels of the triangle's box. */
INLINE void visit_all(const walk *w, alg_voxel_visitor *visit, void *context)
{
    for (int32_t x = w->range[0].lo; x <= w->range[0].hi; x++) {
        for (int32_t y = w->range[1].lo; y <= w->range[1].hi; y++) {
            for (int32_t z = w->range[2].lo; z <= w->range[2].hi; z++) {
                visit(context, (uint32_t)x, (uint32_t)y, (uint32_t)z);
            }
        }
    }
}

INLINE uint64_t visit_triangle(const alg_voxel_grid *grid, double size, geo_triangle t,
                               alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                               void *context)
{
    walk w;
    w.grid = grid;
    const geo_box box = geo_box_of_triangle(t);
    int rows = 0;
    for (int axis = 0; axis < 3; axis++) {
        const span all = {0, (int32_t)grid->size[axis] - 1};
        w.range[axis] =
            find_voxels(grid, axis, vec3_get(box.lo, axis), vec3_get(box.hi, axis), all);
        rows += w.range[axis].lo < w.range[axis].hi;
    }
    if (navigation == ALG_VOXEL_AUTO) {
        if (rows <= 1) {
            visit_all(&w, visit, context);
            return 0;
        }
        navigation =
            span_length(w.range[2]) > ALG_VOXEL_SECOND_FROM ? ALG_VOXEL_SECOND : ALG_VOXEL_FIRST;
    }
    alg_triangle_box_prepare(t, size, &w.triangle);
    prepare_ranges(&w, size);
    return navigate(&w, navigation, visit, context);
}

uint64_t alg_voxel_surface_visit(geo_triangle t, const alg_voxel_grid *grid,
                                 alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                                 void *context)
{
    return visit_triangle(grid, voxel_size(grid), t, navigation, visit, context);
}

/* --- Generators -------------------------------------------------------------------------------- */

static void set_bit(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const alg_voxel_bits *const bits = context;
    alg_voxel_bits_row(bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
}

/** VPS 3: triangle by triangle. */
static uint64_t mark_by_triangles(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                  alg_voxel_navigation navigation, alg_voxel_bits *bits)
{
    const double size = voxel_size(grid);
    uint64_t tests = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        tests += visit_triangle(grid, size, geo_mesh_triangle(mesh, f), navigation, set_bit, bits);
    }
    return tests;
}

base_status alg_voxel_surface_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                   const alg_voxel_surface_options *options, alg_voxel_bits *bits,
                                   uint64_t *tests, base_error *err)
{
    (void)err;
    *tests = mark_by_triangles(mesh, grid, options->navigation, bits);
    return BASE_OK;
}
