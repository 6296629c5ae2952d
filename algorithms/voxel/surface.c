#include "algorithms/voxel/surface.h"

#include "algorithms/voxel/boxes.h"
#include "base/simd.h"
#include "base/parallel.h"

#define EPSILON 0x1p-53
#define INLINE  inline __attribute__((always_inline))

/* --- From coordinates to voxels --------------------------------------------------------------- */

/** The voxels lo to hi, inclusive, along one axis; empty if lo > hi. */
typedef struct span {
    int32_t lo, hi;
} span;

/** A grid, and constants for all triangles. */
typedef struct raster {
    const alg_voxel_grid *grid;
    double size;     /* upper bound of a voxel's edge, computed as a difference of doubles */
    double per_edge; /* 1 / edge */
    double slack;    /* bound on the error of a position, in voxels */
    geo_box box;     /* box between the outermost planes */
} raster;

/**
 * Computes the constants. Let e = 2^-53, h the edge of a voxel, and R the largest |corner| + extent
 * of an axis. The plane corner + h i has two roundings, so its error is at most 2 e R, and an edge
 * exceeds h by at most twice that. The position of an x that is not beyond the grid has five
 * roundings of numbers up to R / h, so its error is at most 5 e R / h.
 */
static raster make_raster(const alg_voxel_grid *grid)
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach = fmax(reach, fabs(vec3_get(grid->corner, axis)) + grid->edge * grid->size[axis]);
    }
    const vec3 last = {alg_voxel_plane(grid, 0, grid->size[0]),
                       alg_voxel_plane(grid, 1, grid->size[1]),
                       alg_voxel_plane(grid, 2, grid->size[2])};
    return (raster){
        .grid = grid,
        .size = grid->edge + 8 * EPSILON * reach,
        .per_edge = 1 / grid->edge,
        .slack = 16 * EPSILON * (reach / grid->edge),
        .box = {alg_voxel_box(grid, 0, 0, 0).lo, last},
    };
}

/**
 * Returns the position of x along an axis, in voxels: plane i is at i. Its error is at most the
 * slack.
 */
static INLINE double position_of(const raster *r, int axis, double x)
{
    return (x - vec3_get(r->grid->corner, axis)) * r->per_edge + r->grid->padding;
}

/**
 * Returns the voxel of a position. A position beyond the span gives the voxel next to the span. A
 * position less than one voxel below voxel 0 gives voxel 0.
 */
static INLINE int32_t clamp_position(double position, span within)
{
    const double lo = within.lo - 1, hi = within.hi + 1;
    const double least = position > lo ? position : lo;
    return (int32_t)(least < hi ? least : hi);
}

/**
 * Returns the voxels of `within` between two positions, and those that may be between them because
 * of the slack.
 */
static INLINE span span_between(double lo, double hi, double slack, span within)
{
    const int32_t first = clamp_position(lo - slack, within),
                  last = clamp_position(hi + slack, within);
    return (span){first < within.lo ? within.lo : first, last > within.hi ? within.hi : last};
}

/** Returns true if a position is in the voxel for any error up to the slack. */
static INLINE bool is_sure(const raster *r, double position, int32_t voxel)
{
    const double part = position - voxel;
    return part > r->slack && part < 1 - r->slack;
}

/**
 * Returns the first voxel of the grid whose upper plane is not below x, or a voxel beyond the last
 * one if there is none.
 */
static INLINE int32_t first_voxel(const raster *r, int axis, double x)
{
    const span all = {0, (int32_t)r->grid->size[axis] - 1};
    const double position = position_of(r, axis, x);
    int32_t i = clamp_position(position, all);
    if (is_sure(r, position, i)) {
        return i;
    }
    i = i < 0 ? 0 : i;
    while (i > 0 && alg_voxel_plane(r->grid, axis, i) >= x) {
        i--;
    }
    while (i <= all.hi && alg_voxel_plane(r->grid, axis, (int64_t)i + 1) < x) {
        i++;
    }
    return i;
}

/** Returns the last voxel of the grid whose lower plane is not above x, or -1 if there is none. */
static INLINE int32_t last_voxel(const raster *r, int axis, double x)
{
    const span all = {0, (int32_t)r->grid->size[axis] - 1};
    const double position = position_of(r, axis, x);
    int32_t i = clamp_position(position, all);
    if (i <= all.hi && is_sure(r, position, i)) {
        return i;
    }
    i = i > all.hi ? all.hi : i;
    while (i < all.hi && alg_voxel_plane(r->grid, axis, (int64_t)i + 1) <= x) {
        i++;
    }
    while (i >= 0 && alg_voxel_plane(r->grid, axis, i) > x) {
        i--;
    }
    return i;
}

/* --- Ranges of VPS 3.1 ------------------------------------------------------------------------ */

/** The traversal of the grid by a triangle. */
typedef struct traversal {
    raster raster;
    span range[3]; /* the voxels whose closed boxes meet the triangle's box */
    alg_triangle_box triangle;
    bool upright; /* the triangle's plane gives no bound of z */
    double slope_x, slope_y;
    double y_slack, z_slack; /* bounds on the errors of computed positions along y and z, in
                                voxels */
} traversal;

/** Extends [lo, hi] to contain x. */
static INLINE void extend(double range[2], double x)
{
    range[0] = x < range[0] ? x : range[0];
    range[1] = x > range[1] ? x : range[1];
}

/**
 * Extends the range of y to contain all points at which an edge of the triangle crosses a plane of
 * constant x.
 */
static INLINE void extend_by_crossings(const geo_triangle *t, double x, double range[2])
{
    for (int i = 0; i < 3; i++) {
        const vec3 a = t->p[i], b = t->p[i == 2 ? 0 : i + 1];
        if ((a.x < x && x < b.x) || (b.x < x && x < a.x)) {
            extend(range, a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y));
        }
    }
}

/**
 * Returns the voxels along y that the triangle may meet between two planes of constant x.
 *
 * The y of a crossing has roundings of e = 2^-53 each: three of a ratio below 1, two of its product
 * with the extent of the edge, and one of the sum. The error is at most 5 e extent + e |y|. The
 * slack has 8 e instead of 5 e and e.
 */
static INLINE span range_y(const traversal *w, const double planes[6])
{
    if (w->range[1].lo == w->range[1].hi || w->range[0].lo == w->range[0].hi) {
        return w->range[1];
    }
    const double x0 = planes[0], x1 = planes[3];
    const geo_triangle *const t = &w->triangle.triangle;
    double y[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        if (x0 <= t->p[i].x && t->p[i].x <= x1) {
            extend(y, t->p[i].y);
        }
    }
    extend_by_crossings(t, x0, y);
    extend_by_crossings(t, x1, y);
    return span_between(position_of(&w->raster, 1, y[0]), position_of(&w->raster, 1, y[1]),
                        w->y_slack, w->range[1]);
}

/**
 * Returns the voxels along z between the smallest and the largest z of the triangle's plane in a
 * column of voxels along z.
 */
static INLINE span range_z(const traversal *w, const double planes[6])
{
    if (w->upright || w->range[2].lo == w->range[2].hi) {
        return w->range[2];
    }
    const vec3 from = w->triangle.triangle.p[0];
    const double x0 = w->slope_x * (planes[0] - from.x), x1 = w->slope_x * (planes[3] - from.x);
    const double y0 = w->slope_y * (planes[1] - from.y), y1 = w->slope_y * (planes[4] - from.y);
    const double lo = from.z + ((x0 < x1 ? x0 : x1) + (y0 < y1 ? y0 : y1));
    const double hi = from.z + ((x0 < x1 ? x1 : x0) + (y0 < y1 ? y1 : y0));
    return span_between(position_of(&w->raster, 2, lo), position_of(&w->raster, 2, hi), w->z_slack,
                        w->range[2]);
}

/**
 * Computes the slopes of the plane, and the slacks.
 *
 * Errors: let e = 2^-53, n the computed components of the normal, and s, for each component, the
 * sum of the absolute values of its two products. The error of a component is at most 4 e s. If
 * |n_z| > 16 e s_z, the error of n_z is at most a quarter of |n_z|, and the error of a slope n_x /
 * n_z is at most 6 e (s_x + |slope_x| s_z) / |n_z|. The slope is rounded twice more, which makes 8
 * e of 6 e, since s_z >= |n_z|. The product of a slope with a difference of at most `reach`, and
 * the sums, add 4 e (|z| + |slope| reach). The total is below 16 e (sum of (s + |slope| s_z) reach
 * / |n_z| + |z|).
 */
static void prepare_ranges(traversal *w)
{
    const alg_triangle_box *const t = &w->triangle;
    const vec3 extent = vec3_sub(t->box.hi, t->box.lo);
    const vec3 most = vec3_max(vec3_abs(t->box.lo), vec3_abs(t->box.hi));
    const double size = w->raster.size;
    w->y_slack = w->raster.slack + 8 * EPSILON * (most.y + extent.y) * w->raster.per_edge;
    w->upright = !(fabs(t->component[2]) > 16 * EPSILON * t->size[2]);
    if (w->upright) {
        return;
    }
    const double over = 1 / t->component[2];
    w->slope_x = -(t->component[0] * over);
    w->slope_y = -(t->component[1] * over);
    const double off_x = (t->size[0] + fabs(w->slope_x) * t->size[2]) * (extent.x + size);
    const double off_y = (t->size[1] + fabs(w->slope_y) * t->size[2]) * (extent.y + size);
    const double off = 16 * EPSILON * ((off_x + off_y) * fabs(over) + most.z);
    w->z_slack = w->raster.slack + off * w->raster.per_edge;
}

/* --- Navigation ------------------------------------------------------------------------------- */

/** Sets the two planes of voxel i along an axis. planes: lo x, y, z, hi x, y, z. */
static INLINE void set_planes(const alg_voxel_grid *grid, int axis, int32_t i, double planes[6])
{
    planes[axis] = alg_voxel_plane(grid, axis, i);
    planes[axis + 3] = alg_voxel_plane(grid, axis, (int64_t)i + 1);
}

/** A column of voxels along z, and the visitor for its voxels. */
typedef struct column {
    uint32_t x, y;
    double planes[6];
    alg_voxel_visitor *visit;
    void *context;
} column;

static INLINE bool meets(const traversal *w, column *c, int32_t z)
{
    set_planes(w->raster.grid, 2, z, c->planes);
    return alg_triangle_box_crosses(&w->triangle, c->planes);
}

/** Tests all voxels of a span. Returns the number of tests. */
static INLINE uint64_t test_all(const traversal *w, column *c, span z)
{
    for (int32_t i = z.lo; i <= z.hi; i++) {
        if (meets(w, c, i)) {
            c->visit(c->context, c->x, c->y, (uint32_t)i);
        }
    }
    return z.hi < z.lo ? 0 : (uint64_t)(z.hi - z.lo) + 1;
}

/**
 * Tests a span from both ends to the first voxel that meets the triangle, and visits these two
 * voxels and all voxels between them. The intersection of triangle and column is convex, so the
 * voxels between meet the triangle, too. Returns the number of tests.
 */
static INLINE uint64_t close_in(const traversal *w, column *c, span z)
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

static INLINE uint64_t navigate(const traversal *w, alg_voxel_navigation navigation,
                                alg_voxel_visitor *visit, void *context)
{
    const bool ranges = navigation != ALG_VOXEL_BOX;
    column c = {.visit = visit, .context = context};
    uint64_t tests = 0;
    for (int32_t x = w->range[0].lo; x <= w->range[0].hi; x++) {
        c.x = (uint32_t)x;
        set_planes(w->raster.grid, 0, x, c.planes);
        const span ys = ranges ? range_y(w, c.planes) : w->range[1];
        for (int32_t y = ys.lo; y <= ys.hi; y++) {
            c.y = (uint32_t)y;
            set_planes(w->raster.grid, 1, y, c.planes);
            const span zs = ranges ? range_z(w, c.planes) : w->range[2];
            tests += navigation == ALG_VOXEL_SECOND ? close_in(w, &c, zs) : test_all(w, &c, zs);
        }
    }
    return tests;
}

/** Visits all voxels of the triangle's box. */
static INLINE void visit_all(const traversal *w, alg_voxel_visitor *visit, void *context)
{
    for (int32_t x = w->range[0].lo; x <= w->range[0].hi; x++) {
        for (int32_t y = w->range[1].lo; y <= w->range[1].hi; y++) {
            for (int32_t z = w->range[2].lo; z <= w->range[2].hi; z++) {
                visit(context, (uint32_t)x, (uint32_t)y, (uint32_t)z);
            }
        }
    }
}

static INLINE uint64_t visit_triangle(const raster *r, geo_triangle t,
                                      alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                                      void *context)
{
    traversal w;
    w.raster = *r;
    const geo_box box = geo_box_of_triangle(t);
    int extended = 0;   /* number of axes along which the triangle's box has several voxels */
    uint64_t count = 1; /* voxels of the triangle's box */
    for (int axis = 0; axis < 3; axis++) {
        w.range[axis] = (span){first_voxel(r, axis, vec3_get(box.lo, axis)),
                               last_voxel(r, axis, vec3_get(box.hi, axis))};
        extended += w.range[axis].lo < w.range[axis].hi;
        count *= (uint64_t)(w.range[axis].hi - w.range[axis].lo + 1);
    }
    if (navigation == ALG_VOXEL_AUTO) {
        /* All voxels of the row meet the triangle, unless a part of the triangle is beyond the
         * grid. */
        if (extended <= 1 && alg_box_within(box, r->box)) {
            visit_all(&w, visit, context);
            return 0;
        }
        navigation = count <= ALG_VOXEL_BOX_MOST ? ALG_VOXEL_BOX : ALG_VOXEL_SECOND;
    }
    alg_triangle_box_prepare(t, r->size, &w.triangle);
    if (navigation != ALG_VOXEL_BOX) {
        prepare_ranges(&w);
    }
    return navigate(&w, navigation, visit, context);
}

uint64_t alg_voxel_surface_visit(geo_triangle t, const alg_voxel_grid *grid,
                                 alg_voxel_navigation navigation, alg_voxel_visitor *visit,
                                 void *context)
{
    const raster r = make_raster(grid);
    return visit_triangle(&r, t, navigation, visit, context);
}

/* --- Generators ------------------------------------------------------------------------------- */

static void set_bit(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const alg_voxel_bits *const bits = context;
    alg_voxel_bit_set(bits, x, y, z);
}

/** Marks voxels one by one: VPS 2, the old generator. */
static base_status mark_by_voxels(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                  double tolerance, alg_voxel_bits *bits, uint64_t *tests,
                                  base_error *err)
{
    base_arena arena = {0};
    alg_box_query query;
    const base_status status = alg_box_query_build(mesh, &arena, &query, err);
    const double d = tolerance * grid->edge;
    const vec3 larger = {d, d, d};
    /* The voxels without the padding, and one layer around them, which enlarged voxels may need. */
    const uint32_t from = grid->padding - 1;
    for (uint32_t z = from; z < grid->size[2] - from && status == BASE_OK; z++) {
        for (uint32_t y = from; y < grid->size[1] - from; y++) {
            for (uint32_t x = from; x < grid->size[0] - from; x++) {
                geo_box box = alg_voxel_box(grid, x, y, z);
                box = (geo_box){vec3_sub(box.lo, larger), vec3_add(box.hi, larger)};
                *tests += 1;
                if (alg_box_query_run(&query, box, NULL, NULL)) {
                    set_bit(bits, x, y, z);
                }
            }
        }
    }
    base_arena_release(&arena);
    return status;
}

/** Wanted number of chunks, and largest number of triangles in a chunk. */
enum { CHUNKS = 1024, CHUNK_MOST = 4096 };

/** Marks voxels in rows, on all CPUs. */
static base_status mark_by_rows(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                alg_voxel_bits *bits, uint64_t *tests, base_error *err)
{
    const uint32_t *const size = grid->size;
    alg_voxel_marking m = {
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
    base_parallel_for(mesh->face_count, chunk, 0,
                      base_cpu_avx2() ? alg_voxel_mark_chunk_avx2 : alg_voxel_mark_chunk_sse2, &m);
    *tests = atomic_load(&m.tests);
    return atomic_load(&m.failed)
               ? base_fail(err, BASE_ERR_MEMORY, "out of memory for surface voxels")
               : BASE_OK;
}

base_status alg_voxel_surface_mark(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                   const alg_voxel_surface_options *options, alg_voxel_bits *bits,
                                   uint64_t *tests, base_error *err)
{
    *tests = 0;
    if (options->generator == ALG_VOXEL_OLD) {
        return mark_by_voxels(mesh, grid, options->tolerance, bits, tests, err);
    }
    if (options->generator == ALG_VOXEL_OURS) {
        return mark_by_rows(mesh, grid, bits, tests, err);
    }
    /* VPS 3: triangle by triangle. */
    const raster r = make_raster(grid);
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        *tests += visit_triangle(&r, t, options->navigation, set_bit, bits);
    }
    return BASE_OK;
}
