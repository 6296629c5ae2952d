/** Fields of distances: values at corners, error bounds at random points, and interpolation between
 * corners. */
#include "algorithms/pst/tests/fields.h"
#include "base/elementary.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const double scales[] = {1, 1e-3, 1e3};

/* --- Corners ---------------------------------------------------------------------------------- */

/** Checks one brick, with the position of its first corner and the edge of its cells. each_brick
 * calls it for one brick in `step`. */
typedef void check_brick(const subject *s, const alg_pst_brick *brick, vec3 first, double edge,
                         uint32_t level);

static void each_brick(const subject *s, check_brick *check, size_t step)
{
    const alg_pst_field *const f = &s->field;
    const uint32_t *const n = f->block_count;
    const double block_edge = f->edge * ALG_PST_BLOCK_CELLS;
    uint32_t bricks = 0;
    for (uint32_t b = 0; b < n[0] * n[1] * n[2]; b++) {
        const vec3 corner = {f->corner.x + block_edge * (b % n[0]),
                             f->corner.y + block_edge * (b / n[0] % n[1]),
                             f->corner.z + block_edge * (b / n[0] / n[1])};
        const uint32_t level = f->blocks[b] & 3, side = 1u << (level - 1);
        cr_assert(level >= ALG_PST_LEVEL_LEAST && level <= ALG_PST_LEVEL_MOST);
        const double edge = block_edge / side;
        for (uint32_t i = 0; i < side * side * side; i++) {
            const vec3 first = {corner.x + edge * (i % side), corner.y + edge * (i / side % side),
                                corner.z + edge * (i / side / side)};
            if (bricks++ % step == 0) {
                check(s, &f->bricks[(f->blocks[b] >> 2) + i], first, edge / 2, level);
            }
        }
    }
    cr_assert_eq(bricks, f->brick_count, "%s", s->name);
}

static vec3 corner_of(vec3 first, double edge, int i)
{
    return vec3_madd(first, edge, (vec3){i % 3, i / 3 % 3, i / 9});
}

static void check_corners(const subject *s, const alg_pst_brick *brick, vec3 first, double edge,
                          uint32_t level)
{
    const double rounding = subject_rounding(s, 0);
    (void)level;
    for (int i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        const vec3 p = corner_of(first, edge, i);
        const double d = subject_distance(s, p), v = (double)brick->values[i];
        cr_assert(fabs(v - d) <= 0x1p-23 * fabs(d) + rounding / 64, "%s: corner %d is %a, not %a",
                  s->name, i, v, d);
    }
    const vec3 middle = corner_of(first, edge, 13);
    const geo_triangle t = geo_mesh_triangle(&s->mesh, brick->face);
    const double d = vec3_distance(middle, geo_triangle_closest(t, middle));
    cr_assert(fabs(d - fabs((double)brick->values[13])) <= rounding, "%s: face %u is not nearest",
              s->name, brick->face);
}

/** Coarse cells are within the tolerance. Errors of fine cells are plausible for their size. */
static void check_tolerance(const subject *s, const alg_pst_brick *brick, vec3 first, double edge,
                            uint32_t level)
{
    const double below = (double)base_half_value(brick->below), slack = 0.01 * below;
    const double above = (double)base_half_value(brick->above);
    double least = INFINITY;
    (void)first;
    for (int i = 0; i < ALG_PST_BRICK_CORNERS; i++) {
        least = fmin(least, (double)brick->values[i]);
    }
    if (level < ALG_PST_LEVEL_MOST) {
        const double most = s->options.tolerance * least;
        cr_assert(below <= most + slack + subject_rounding(s, 0), "%s: %g beyond the tolerance %g",
                  s->name, below, most);
    }
    cr_assert(below <= 2 * edge && above <= 2 * edge, "%s: errors %g, %g in cells of %g", s->name,
              below, above, edge);
    cr_assert(below > 0 && above > 0);
}

/** The blocks reach the margin around the box, and hardly farther. */
static void check_margin(const subject *s)
{
    const geo_box box = s->surface.bvh.box;
    const double margin = s->options.margin * geo_box_diagonal(box);
    const vec3 hi = vec3_add(s->field.corner, subject_extent(s));
    const vec3 before = vec3_sub(box.lo, s->field.corner), behind = vec3_sub(hi, box.hi);
    for (int axis = 0; axis < 3; axis++) {
        const double a = vec3_get(before, axis), b = vec3_get(behind, axis);
        cr_assert(a >= margin * (1 - 1e-12) && b >= margin * (1 - 1e-12), "%s", s->name);
        cr_assert_float_eq(a, b, 1e-9, "%s", s->name);
        cr_assert_leq(a, margin + s->field.edge * ALG_PST_BLOCK_CELLS, "%s", s->name);
    }
}

Test(field, corners_have_distances_and_errors_within_the_tolerance)
{
    for (uint32_t which = 0; which < SUBJECTS; which++) {
        SCOPED_SUBJECT s;
        open_subject(&s, which, 1);
        check_margin(&s);
        each_brick(&s, check_corners, sweep_step(5));
        each_brick(&s, check_tolerance, 1);
    }
}

/* --- Bounds ----------------------------------------------------------------------------------- */

static void check_bounds(const subject *s, double scale, vec3 p)
{
    const double d = subject_distance(s, p);
    const alg_pst_sample at = alg_pst_field_at(&s->field, p);
    const double v = (double)at.value, below = (double)at.below, above = (double)at.above;
    cr_assert(v - below <= d && d <= v + above,
              "%s at %g: %.9g is not in %.9g - %.9g, + %.9g at (%.17g, %.17g, %.17g)", s->name,
              scale, d, v, below, above, p.x, p.y, p.z);
    cr_assert(s->solid || v >= 0 || below > 0);
    cr_assert_lt(at.face, s->mesh.face_count);
}

Test(field, error_bounds_hold_at_random_points)
{
    enum { POINTS = 30000 };
    const size_t step = sweep_step(3);
    for (uint32_t which = 0; which < SUBJECTS; which++) {
        for (size_t k = which % step; k < sizeof scales / sizeof *scales; k += step) {
            base_random random = base_random_seed(which * 3 + k);
            SCOPED_SUBJECT s;
            open_subject(&s, which, scales[k]);
            for (size_t i = 0; i < POINTS; i += step) {
                check_bounds(&s, scales[k], subject_point(&s, &random));
            }
        }
    }
}

/** Checks a regular grid of points in all cells. `used`: greatest share of the error bound that
 * occurred. */
static double used;

static void check_cells(const subject *s, const alg_pst_brick *brick, vec3 first, double edge,
                        uint32_t level)
{
    enum { STEPS = 9 };
    (void)level;
    for (int i = 0; i < STEPS * STEPS * STEPS; i++) {
        const vec3 step = {i % STEPS, i / STEPS % STEPS, i / STEPS / STEPS};
        const vec3 p = vec3_madd(first, 2 * edge / (STEPS - 1) * (1 - 1e-9), step);
        const double d = subject_distance(s, p);
        const alg_pst_sample at = alg_pst_field_at(&s->field, p);
        const double below = (double)at.below, above = (double)at.above, v = (double)at.value;
        cr_assert(v - below <= d && d <= v + above, "%s: %.9g is not in %.9g - %.9g, + %.9g",
                  s->name, d, v, below, above);
        if (v > 4 * edge) {
            used = fmax(used, (v - d) / below);
        }
    }
    (void)brick;
}

/** Builds a field with other options and checks all cells. */
static void check_worst(subject *s, alg_pst_field_options options)
{
    s->options = options;
    assert_ok(alg_pst_field_build(&s->surface, s->solid, &s->options, &s->arena, &s->field, ERR));
    used = 0;
    each_brick(s, check_cells, sweep_step(5));
    cr_assert_gt(used, 0.1, "%s: no more than %g of the error is used", s->name, used);
}

/** With tolerances for which only the bounds by concavity hold, in cells as large as the distance;
 * and around a body that is almost a point, in much larger cells. */
Test(field, error_bounds_hold_at_the_worst_points)
{
    for (uint32_t which = 3; which < SUBJECTS; which++) {
        SCOPED_SUBJECT s;
        open_subject(&s, which, 1);
        check_worst(&s, (alg_pst_field_options){.voxels = 3, .tolerance = 0.2, .margin = 0.7});
        if (s.solid && which != 7) {
            check_worst(&s, (alg_pst_field_options){.voxels = 1, .tolerance = 0.5, .margin = 8});
        }
    }
}

/** In a field of a plate thinner than a cell, only corners within the plate are inside: values far
 * away remain positive. */
Test(field, signs_do_not_leak_through_thin_walls)
{
    SCOPED_SUBJECT s;
    open_subject(&s, 2, 1);
    base_random random = base_random_seed(8);
    const geo_box box = s.surface.bvh.box;
    for (int i = 0; i < 100000; i++) {
        vec3 p =
            vec3_add(s.field.corner, vec3_scale(base_random_unit(&random), subject_extent(&s)));
        p.x = base_random_range(&random, box.lo.x, box.hi.x);
        p.y = base_random_range(&random, box.lo.y, box.hi.y);
        const double off = fmax(box.lo.z - p.z, p.z - box.hi.z);
        if (off > 2 * s.field.edge) {
            const alg_pst_sample at = alg_pst_field_at(&s.field, p);
            cr_assert_float_eq((double)at.value, off, 0.02 * off, "%g at %g", (double)at.value,
                               off);
        }
    }
}

/* --- Between corners -------------------------------------------------------------------------- */

Test(field, gradients_are_those_of_values)
{
    for (uint32_t which = 0; which < SUBJECTS; which++) {
        subject s;
        open_subject(&s, which, 1);
        base_random random = base_random_seed(which);
        const double step = 0.1 * s.field.edge;
        const double rounding = subject_rounding(&s, 0) / step;
        for (int i = 0; i < 20000; i++) {
            const vec3 p = subject_point(&s, &random);
            const double way = subject_way(&s, p);
            if (way > 0 ? way > vec3_norm(subject_extent(&s)) : !subject_inner(&s, p, 0.11)) {
                continue;
            }
            vec3 slope;
            const alg_pst_sample at = alg_pst_field_slope(&s.field, p, &slope);
            const alg_pst_sample same = alg_pst_field_at(&s.field, p);
            cr_assert(memcmp(&at, &same, sizeof at) == 0);
            if (way > 0) {
                const vec3 hi = vec3_add(s.field.corner, subject_extent(&s));
                const vec3 q = vec3_min(vec3_max(p, s.field.corner), hi);
                cr_assert_lt(vec3_distance(slope, vec3_scale(1 / way, vec3_sub(p, q))), 1e-9);
                continue;
            }
            for (int axis = 0; axis < 3; axis++) {
                const vec3 aside = {axis == 0 ? step : 0, axis == 1 ? step : 0,
                                    axis == 2 ? step : 0};
                const alg_pst_sample up = alg_pst_field_at(&s.field, vec3_add(p, aside));
                const alg_pst_sample down = alg_pst_field_at(&s.field, vec3_sub(p, aside));
                const double want = ((double)up.value - (double)down.value) / (2 * step);
                cr_assert_float_eq(vec3_get(slope, axis), want, rounding + 1e-6,
                                   "%s: %g instead of %g along %d", s.name, vec3_get(slope, axis),
                                   want, axis);
            }
        }
        close_subject(&s);
    }
}

/** Tests points on both sides of faces of the finest cells and of blocks, near the surface. */
Test(field, values_are_continuous_near_the_surface)
{
    for (uint32_t which = 0; which < SUBJECTS - 2; which++) {
        subject s;
        open_subject(&s, which, 1);
        base_random random = base_random_seed(which);
        size_t crossed = 0;
        for (size_t i = 0; i < 40000; i += sweep_step(4)) {
            const vec3 p = subject_point(&s, &random);
            if (subject_way(&s, p) > 0 || subject_distance(&s, p) > s.field.edge) {
                continue;
            }
            const int axis = (int)(i % 3);
            const double at = vec3_get(vec3_sub(p, s.field.corner), axis) / s.field.edge;
            const double off = (floor(at) - at) * s.field.edge, little = 1e-9 * s.field.edge;
            const vec3 along = {axis == 0, axis == 1, axis == 2};
            const alg_pst_sample lo = alg_pst_field_at(&s.field, vec3_madd(p, off - little, along));
            const alg_pst_sample hi = alg_pst_field_at(&s.field, vec3_madd(p, off + little, along));
            const double rise = (double)hi.value - (double)lo.value;
            cr_assert(fabs(rise) <= subject_rounding(&s, 0), "%s: a step of %g", s.name, rise);
            crossed++;
        }
        cr_assert_gt(crossed, 1000 / sweep_step(4), "%s", s.name);
        close_subject(&s);
    }
}

/* --- The build -------------------------------------------------------------------------------- */

/** A body that is a point, one whose cells are too small, and one with too many blocks. */
Test(field, boxes_that_no_grid_fits_are_refused)
{
    static const double extents[] = {0, 1e-200, 1};
    for (int i = 0; i < 3; i++) {
        const double x = extents[i];
        const vec3 corners[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
        const vec3 small[3] = {{0, 0, 0}, {x, 0, 0}, {0, x, 0}};
        const geo_face face = {{0, 1, 2}};
        const geo_mesh mesh = {i == 0 ? corners : small, 3, &face, 1};
        const alg_pst_field_options options = {i < 2 ? 64 : 65536, 0.01, 0.5};
        SCOPED_ARENA arena = {0};
        base_error err = {0};
        geo_surface surface;
        alg_pst_field field;
        assert_ok(geo_surface_build(&mesh, &arena, &surface, ERR));
        cr_assert_eq(alg_pst_field_build(&surface, false, &options, &arena, &field, &err),
                     BASE_ERR_INPUT, "%d", i);
    }
}
