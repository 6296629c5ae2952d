#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/predicates.h"
#include "scenarios/models/triangulate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/** Polygons one after the other. Coordinates are whole numbers, so that areas are exact. */
enum { POINTS_MAX = 8000 };

typedef struct region {
    double points[POINTS_MAX][2];
    uint32_t next[POINTS_MAX];
    size_t count, first; /* first point of the last polygon */
} region;

static void add_point(region *r, double x, double y)
{
    cr_assert_lt(r->count, POINTS_MAX);
    r->points[r->count][0] = x;
    r->points[r->count][1] = y;
    r->next[r->count] = (uint32_t)r->first;
    if (r->count > r->first) {
        r->next[r->count - 1] = (uint32_t)r->count;
    }
    r->count++;
}

static void end_polygon(region *r)
{
    r->first = r->count;
}

static void add_polygon(region *r, const double (*points)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_point(r, points[i][0], points[i][1]);
    }
    end_polygon(r);
}

/** Adds a rectangle; if hi < lo along one axis, it is clockwise. */
static void add_rectangle(region *r, double x0, double y0, double x1, double y1)
{
    const double points[][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    add_polygon(r, points, 4);
}

static double twice_area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** A side of a triangle or polygon, from `lo` to `hi` if way > 0. */
typedef struct side {
    uint32_t lo, hi;
    int way;
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *const a = left, *const b = right;
    return a->lo != b->lo ? (a->lo < b->lo ? -1 : 1) : a->hi < b->hi ? -1 : a->hi > b->hi;
}

static side make_side(uint32_t from, uint32_t to, int way)
{
    return from < to ? (side){from, to, way} : (side){to, from, -way};
}

/** The sides of the triangles, without those between two of them, are the sides of the polygons. */
static void expect_boundary(const region *r, const geo_face *faces, size_t face_count)
{
    const size_t side_count = 3 * face_count + r->count;
    SCOPED_FREE side *const sides = base_alloc(side_count, sizeof *sides);
    for (size_t i = 0; i < 3 * face_count; i++) {
        const uint32_t *const v = faces[i / 3].v;
        sides[i] = make_side(v[i % 3], v[(i + 1) % 3], 1);
    }
    for (size_t i = 0; i < r->count; i++) {
        sides[3 * face_count + i] = make_side((uint32_t)i, r->next[i], -1);
    }
    qsort(sides, side_count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < side_count; i += 2) {
        cr_assert(i + 1 < side_count && compare_sides(&sides[i], &sides[i + 1]) == 0 &&
                      (i + 2 == side_count || compare_sides(&sides[i], &sides[i + 2]) != 0),
                  "side %u %u", sides[i].lo, sides[i].hi);
        cr_assert_eq(sides[i].way + sides[i + 1].way, 0, "side %u %u", sides[i].lo, sides[i].hi);
    }
}

/**
 * Expects triangles that are all positive, fill the area of the polygons exactly, and fit together.
 * outer, holes: numbers of polygons. way: -1 if the outer polygons are clockwise.
 */
static void expect_triangles(const region *r, size_t outer, size_t holes, int way)
{
    SCOPED_FREE geo_face *const faces = base_alloc(2 * r->count, sizeof *faces);
    size_t face_count = 0;
    assert_ok(scn_triangulate(r->points[0], r->next, r->count, faces, &face_count, ERR));
    cr_assert_eq(face_count, r->count + 2 * holes - 2 * outer, "%zu triangles of %zu points",
                 face_count, r->count);
    double area = 0, expected = 0;
    for (size_t i = 0; i < face_count; i++) {
        const uint32_t *const v = faces[i].v;
        const double *const a = r->points[v[0]], *const b = r->points[v[1]],
                            *const c = r->points[v[2]];
        cr_assert_eq(geo_orient2d(a, b, c), way, "triangle %u %u %u", v[0], v[1], v[2]);
        area += twice_area(a, b, c);
    }
    for (size_t i = 0; i < r->count; i++) {
        const double *const a = r->points[i], *const b = r->points[r->next[i]];
        expected += a[0] * b[1] - a[1] * b[0];
    }
    cr_assert_eq(area, expected, "area %.17g, not %.17g", area, expected);
    expect_boundary(r, faces, face_count);
}

/** Copies a region with points (x, y) at (xx x + xy y, yx x + yy y). */
static void place(const region *from, double xx, double xy, double yx, double yy, region *to)
{
    *to = *from;
    for (size_t i = 0; i < from->count; i++) {
        const double x = from->points[i][0], y = from->points[i][1];
        to->points[i][0] = xx * x + xy * y;
        to->points[i][1] = yx * x + yy * y;
    }
}

/** Expects triangles of the region, turned and mirrored so that it has no vertical edges or other
 * ones, and of the region with all polygons reversed. */
static void expect_all_ways(const region *r, size_t outer, size_t holes)
{
    static const double turns[][4] = {{1, 0, 0, 1}, {0, -1, 1, 0}, {-1, 0, 0, -1}, {0, 1, -1, 0},
                                      {3, 1, 1, 2}, {1, -2, 2, 1}, {-1, 0, 0, 1},  {0, 1, 1, 0}};
    SCOPED_FREE region *const turned = base_alloc(1, sizeof *turned);
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        const double *const t = turns[k];
        place(r, t[0], t[1], t[2], t[3], turned);
        const int way = t[0] * t[3] - t[1] * t[2] > 0 ? 1 : -1;
        expect_triangles(turned, outer, holes, way);
        for (size_t i = 0; i < r->count; i++) {
            turned->next[r->next[i]] = (uint32_t)i;
        }
        expect_triangles(turned, outer, holes, -way);
    }
}

/* --- Hand cases ------------------------------------------------------------------------------- */

Test(triangulate, without_holes)
{
    static const struct {
        double points[12][2];
        size_t count;
    } cases[] = {
        {{{0, 0}, {1, 0}, {0, 1}}, 3},
        {{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, 4},
        {{{0, 0}, {4, 0}, {1, 1}, {0, 4}}, 4},
        {{{0, 0}, {8, 0}, {8, 4}, {6, 1}, {4, 4}, {2, 1}, {0, 4}}, 7},
        {{{0, 0}, {8, 0}, {8, 6}, {0, 6}, {0, 4}, {6, 4}, {6, 2}, {0, 2}}, 8},
        {{{0, 2}, {3, 3}, {2, 0}, {4, 3}, {7, 1}, {5, 4}, {7, 6}, {4, 5}, {3, 7}, {3, 5}}, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        region r = {.count = 0};
        add_polygon(&r, cases[i].points, cases[i].count);
        expect_all_ways(&r, 1, 0);
    }
}

Test(triangulate, collinear_points)
{
    region r = {.count = 0};
    for (int i = 0; i < 6; i++) {
        add_point(&r, i, 0);
    }
    for (int i = 0; i < 5; i++) {
        add_point(&r, 6, i);
    }
    for (int i = 6; i > 0; i--) {
        add_point(&r, i, 5);
    }
    for (int i = 5; i > 0; i--) {
        add_point(&r, 0, i);
    }
    end_polygon(&r);
    expect_all_ways(&r, 1, 0);

    /* A triangle with points on its sides, none of which is vertical or horizontal. */
    region t = {.count = 0};
    for (int i = 0; i < 4; i++) {
        add_point(&t, 3 * i, i);
    }
    for (int i = 0; i < 4; i++) {
        add_point(&t, 12 - i, 4 + 2 * i);
    }
    for (int i = 0; i < 4; i++) {
        add_point(&t, 8 - 2 * i, 12 - 3 * i);
    }
    end_polygon(&t);
    expect_all_ways(&t, 1, 0);
}

Test(triangulate, holes)
{
    region r = {.count = 0};
    add_rectangle(&r, 0, 0, 30, 30);
    add_rectangle(&r, 20, 10, 10, 20);
    expect_all_ways(&r, 1, 1);
    add_rectangle(&r, 8, 2, 2, 28); /* in line with the corners of the first hole */
    add_rectangle(&r, 20, 2, 10, 8);
    add_rectangle(&r, 20, 22, 10, 28);
    add_rectangle(&r, 28, 10, 22, 20);
    expect_all_ways(&r, 1, 5);
    add_rectangle(&r, 12, 12, 18, 18); /* an island */
    add_rectangle(&r, 16, 13, 14, 15); /* with a hole */
    add_rectangle(&r, 40, 0, 41, 30);  /* a polygon beside */
    expect_all_ways(&r, 3, 6);
}

/** A plate with a row of long slots: triangles a hundred times as long as wide. */
Test(triangulate, slots)
{
    region r = {.count = 0};
    add_rectangle(&r, 0, 0, 1000, 100);
    for (int i = 1; i < 50; i++) {
        add_rectangle(&r, 990, 2 * i, 10, 2 * i + 1);
    }
    expect_all_ways(&r, 1, 49);
}

/* --- Random cases ----------------------------------------------------------------------------- */

/** Circles of up to 40 sides around and beside each other, on a grid of whole numbers. */
Test(triangulate, random_circles)
{
    base_random random = base_random_seed(1);
    SCOPED_FREE region *const r = base_alloc(1, sizeof *r);
    for (int round = 0; round < 60; round++) {
        *r = (region){.count = 0};
        add_rectangle(r, 0, 0, 10000, 10000);
        size_t outer = 1, holes = 0;
        for (int cell = 0; cell < 25; cell++) {
            const double x = 1000 + 2000 * (cell % 5), y = 1000 + 2000 * (double)(cell / 5);
            const int rings = (int)base_random_below(&random, 4);
            for (int ring = 0; ring < rings; ring++) {
                const double radius = 950 - 300 * ring - base_random_range(&random, 0, 150);
                const int sides = 6 + (int)base_random_below(&random, 35);
                const double turn = base_random_range(&random, 0, 1);
                for (int i = 0; i < sides; i++) {
                    const double angle = 2 * BASE_PI * (i + turn) / sides;
                    const double way = ring % 2 == 0 ? -1 : 1;
                    add_point(r, x + nearbyint(radius * base_cos(angle)),
                              y + nearbyint(way * radius * base_sin(angle)));
                }
                end_polygon(r);
                outer += ring % 2 == 1;
                holes += ring % 2 == 0;
            }
        }
        expect_triangles(r, outer, holes, 1);
    }
}

enum { CELLS = 24 };

static bool filled(const bool *cells, int x, int y)
{
    return x >= 0 && y >= 0 && x < CELLS && y < CELLS && cells[y * CELLS + x];
}

/** Fills cells until no two filled cells touch only at a corner. */
static void separate(bool *cells)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int y = 0; y + 1 < CELLS; y++) {
            for (int x = 0; x + 1 < CELLS; x++) {
                const bool a = filled(cells, x, y), b = filled(cells, x + 1, y);
                const bool c = filled(cells, x, y + 1), d = filled(cells, x + 1, y + 1);
                if (a == d && b == c && a != b) {
                    cells[y * CELLS + x] = cells[y * CELLS + x + 1] = changed = true;
                }
            }
        }
    }
}

/** Unions of unit squares with all their corners, so that most corners are collinear. */
Test(triangulate, random_cells)
{
    base_random random = base_random_seed(2);
    SCOPED_FREE region *const r = base_alloc(1, sizeof *r);
    for (int round = 0; round < 100; round++) {
        bool cells[CELLS * CELLS];
        for (int i = 0; i < CELLS * CELLS; i++) {
            cells[i] = base_random_unit(&random) < 0.2 + 0.005 * round;
        }
        separate(cells);
        uint32_t index[(CELLS + 1) * (CELLS + 1)];
        *r = (region){.count = 0};
        for (int i = 0; i < (CELLS + 1) * (CELLS + 1); i++) {
            const int x = i % (CELLS + 1), y = i / (CELLS + 1);
            const int around = filled(cells, x - 1, y - 1) + filled(cells, x, y - 1) +
                               filled(cells, x - 1, y) + filled(cells, x, y);
            index[i] = (uint32_t)r->count;
            if (around % 4 != 0) {
                add_point(r, x, y);
            }
        }
        for (int y = 0; y < CELLS; y++) {
            for (int x = 0; x < CELLS; x++) {
                const uint32_t *const below = &index[y * (CELLS + 1) + x], *const over =
                                                                               below + CELLS + 1;
                const bool in = filled(cells, x, y);
                if (in && !filled(cells, x, y - 1)) {
                    r->next[below[0]] = below[1];
                }
                if (in && !filled(cells, x + 1, y)) {
                    r->next[below[1]] = over[1];
                }
                if (in && !filled(cells, x, y + 1)) {
                    r->next[over[1]] = over[0];
                }
                if (in && !filled(cells, x - 1, y)) {
                    r->next[over[0]] = below[0];
                }
            }
        }
        size_t outer = 0, holes = 0;
        bool seen[POINTS_MAX] = {false};
        for (uint32_t first = 0; first < r->count; first++) {
            double area = 0;
            for (uint32_t i = first; !seen[i]; i = r->next[i]) {
                const double *const a = r->points[i], *const b = r->points[r->next[i]];
                area += a[0] * b[1] - a[1] * b[0];
                seen[i] = true;
            }
            outer += area > 0;
            holes += area < 0;
        }
        expect_all_ways(r, outer, holes);
    }
}

Test(triangulate, out_of_memory)
{
    region r = {.count = 0};
    add_rectangle(&r, 0, 0, 3, 3);
    for (size_t failures = 0; failures < 4; failures++) {
        geo_face faces[8];
        size_t face_count = 1;
        base_error err = {0};
        base_memory_fail_after(failures);
        const base_status status =
            scn_triangulate(r.points[0], r.next, r.count, faces, &face_count, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status, BASE_ERR_MEMORY, "after %zu", failures);
        cr_assert_eq(face_count, 0);
    }
}
