#include "base/tests/support.h"
#include "groundtruth/voxels.h"

#include "base/memory.h"
#include "base/random.h"

#include "rational.h"
#include "shapes.h"

/* --- The oracle: every voxel, by cutting the triangle at six planes in exact integers --------- */

enum { POLYGON_MAX = 9 };

typedef struct polygon {
    rational4 points[POLYGON_MAX];
    int count;
} polygon;

static void polygon_init(polygon *p)
{
    for (int i = 0; i < POLYGON_MAX; i++) {
        rational4_init(&p->points[i]);
    }
    p->count = 0;
}

static void polygon_clear(polygon *p)
{
    for (int i = 0; i < POLYGON_MAX; i++) {
        rational4_clear(&p->points[i]);
    }
}

/** Keeps the part of `from` on the plane or on its positive side. */
static void cut(const polygon *from, const rational4 *plane, polygon *to)
{
    mpz_t side[POLYGON_MAX];
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        mpz_init(side[i]);
        rational4_side(side[i], plane, &from->points[i]);
    }
    for (int i = 0; i < from->count; i++) {
        const int j = (i + 1) % from->count;
        const int si = mpz_sgn(side[i]), sj = mpz_sgn(side[j]);
        if (si >= 0) {
            for (int k = 0; k < 4; k++) {
                mpz_set(to->points[to->count].x[k], from->points[i].x[k]);
            }
            to->count++;
        }
        if (si * sj < 0) {
            const int in = si > 0 ? i : j, out = si > 0 ? j : i;
            rational4_meet(&to->points[to->count++], &from->points[in], side[in],
                           &from->points[out], side[out]);
        }
    }
    for (int i = 0; i < from->count; i++) {
        mpz_clear(side[i]);
    }
}

/** True if the closed triangle and the closed box share a point. */
static bool meets(const geo_triangle *t, const geo_box *box)
{
    const vec3 all[5] = {t->p[0], t->p[1], t->p[2], box->lo, box->hi};
    const unsigned scale = rational_scale(all, 5, 0);
    polygon p[2];
    rational4 corners[2], plane;
    polygon_init(&p[0]);
    polygon_init(&p[1]);
    rational4_init(&corners[0]);
    rational4_init(&corners[1]);
    rational4_init(&plane);
    rational4_set(&corners[0], box->lo, scale);
    rational4_set(&corners[1], box->hi, scale);
    for (int i = 0; i < 3; i++) {
        rational4_set(&p[0].points[i], t->p[i], scale);
    }
    p[0].count = 3;
    for (int i = 0; i < 6; i++) {
        const bool upper = i % 2;
        for (int k = 0; k < 4; k++) {
            mpz_set_si(plane.x[k], k == i / 2 ? (upper ? -1 : 1) : 0);
        }
        mpz_set(plane.x[3], corners[upper].x[i / 2]);
        if (!upper) {
            mpz_neg(plane.x[3], plane.x[3]);
        }
        cut(&p[i % 2], &plane, &p[(i + 1) % 2]);
    }
    const bool met = p[0].count > 0;
    polygon_clear(&p[0]);
    polygon_clear(&p[1]);
    rational4_clear(&corners[0]);
    rational4_clear(&corners[1]);
    rational4_clear(&plane);
    return met;
}

static double plane_of(const gt_voxel_grid *grid, int axis, uint32_t i)
{
    return vec3_get(grid->corner, axis) + grid->edge * ((double)i - (double)grid->padding);
}

static geo_box box_of(const gt_voxel_grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    return (geo_box){{plane_of(g, 0, x), plane_of(g, 1, y), plane_of(g, 2, z)},
                     {plane_of(g, 0, x + 1), plane_of(g, 1, y + 1), plane_of(g, 2, z + 1)}};
}

/* --- Small meshes ----------------------------------------------------------------------------- */

enum { FACES_MAX = 64 };

typedef struct soup {
    vec3 vertices[3 * FACES_MAX];
    geo_face faces[FACES_MAX];
    geo_mesh mesh;
} soup;

static void soup_clear(soup *s)
{
    s->mesh = (geo_mesh){s->vertices, 0, s->faces, 0};
}

static void soup_add(soup *s, vec3 a, vec3 b, vec3 c)
{
    const uint32_t v = (uint32_t)s->mesh.vertex_count;
    const vec3 corners[3] = {a, b, c};
    memcpy(s->vertices + v, corners, sizeof corners);
    s->faces[s->mesh.face_count++] = (geo_face){{v, v + 1, v + 2}};
    s->mesh.vertex_count += 3;
}

static gt_voxels voxels_of(const soup *s, const gt_voxel_grid *grid)
{
    gt_voxels voxels;
    assert_ok(gt_voxels_create(&s->mesh, grid, &voxels, ERR));
    return voxels;
}

/** Compares the voxels of a mesh with the oracle; returns their number. */
static uint64_t check(const soup *s, const gt_voxel_grid *g, const char *what, int number)
{
    gt_voxels voxels = voxels_of(s, g);
    uint64_t count = 0;
    for (uint32_t z = 0; z < g->count[2]; z++) {
        for (uint32_t y = 0; y < g->count[1]; y++) {
            for (uint32_t x = 0; x < g->count[0]; x++) {
                const geo_box box = box_of(g, x, y, z);
                bool expected = false;
                for (size_t f = 0; f < s->mesh.face_count && !expected; f++) {
                    const geo_triangle t = geo_mesh_triangle(&s->mesh, f);
                    expected = meets(&t, &box);
                }
                cr_assert_eq(gt_voxels_has(&voxels, x, y, z), expected,
                             "%s %d: voxel (%u, %u, %u) is%s one of the surface", what, number, x,
                             y, z, expected ? "" : " not");
                count += expected;
            }
        }
    }
    cr_assert_eq(voxels.count, count, "%s %d", what, number);
    gt_voxels_release(&voxels);
    return count;
}

/* --- By hand ---------------------------------------------------------------------------------- */

static const gt_voxel_grid eight = {{0, 0, 0}, 1, 0, {8, 8, 8}};

Test(voxels, by_hand)
{
    static const struct {
        const char *what;
        vec3 p[3];
        uint64_t count;
    } cases[] = {
        {"within a voxel", {{2.2, 2.2, 2.2}, {2.8, 2.3, 2.4}, {2.4, 2.7, 2.9}}, 1},
        {"a point on a corner of eight voxels", {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}}, 8},
        {"a vertex on that corner", {{3, 3, 3}, {3.1, 3.2, 3.3}, {3.2, 3.1, 3.3}}, 8},
        {"a point on an edge of four voxels", {{3, 3, 3.5}, {3, 3, 3.5}, {3, 3, 3.5}}, 4},
        {"a point on a face of two voxels", {{3, 3.5, 3.5}, {3, 3.5, 3.5}, {3, 3.5, 3.5}}, 2},
        {"in a plane of the grid: both sides", {{2.2, 2.2, 3}, {2.8, 2.2, 3}, {2.2, 2.8, 3}}, 2},
        {"a whole half of a face of the grid", {{2, 2, 3}, {3, 2, 3}, {2, 3, 3}}, 8 * 2},
        {"a segment along a line of the grid", {{2, 3, 3}, {4, 3, 3}, {3, 3, 3}}, 4 * 4},
        {"a diagonal through corners of voxels", {{2, 2, 2}, {4, 4, 4}, {3, 3, 3}}, 2 + 7 * 3 - 1},
        {"on the lower border of the grid", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 1},
        {"on the upper border of the grid", {{8, 8, 8}, {8, 8, 8}, {8, 8, 8}}, 1},
        {"just outside of it", {{8, 8, 8 + 0x1p-49}, {8, 8, 9}, {8, 8, 10}}, 0},
        {"from outside to outside through one",
         {{-1, 0.5, 0.5}, {0.5, -1, 0.5}, {0.5, 0.5, -1}},
         1},
        {"around a corner of the grid, outside", {{-1, -1, 2}, {-1, 2, -1}, {2, -1, -1}}, 1},
        {"beside that corner", {{-1, -1, 1.99}, {-1, 1.99, -1}, {1.99, -1, -1}}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        soup s;
        soup_clear(&s);
        soup_add(&s, cases[i].p[0], cases[i].p[1], cases[i].p[2]);
        cr_expect_eq(check(&s, &eight, cases[i].what, 0), cases[i].count, "%s: %lu, not %lu",
                     cases[i].what, (unsigned long)check(&s, &eight, cases[i].what, 0),
                     (unsigned long)cases[i].count);
    }
}

/** A box on planes of the grid: its voxels form a shell of thickness two, with a known count. */
Test(voxels, a_box_on_planes)
{
    SCOPED_SHAPE box = shape_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
    static const uint32_t resolutions[] = {1, 2, 3, 14, 40, 131}; /* rows of up to three words */
    for (size_t i = 0; i < sizeof resolutions / sizeof *resolutions; i++) {
        const uint32_t n = resolutions[i];
        const gt_voxel_grid grid = {{0, 0, 0}, 1.0 / n, 2, {n + 4, n + 4, n + 4}};
        SCOPED_VOXELS voxels;
        assert_ok(gt_voxels_create(&box.mesh, &grid, &voxels, ERR));
        const uint64_t outer = n + 2, inner = n > 2 ? n - 2 : 0;
        cr_expect_eq(voxels.count, outer * outer * outer - inner * inner * inner, "n = %u: %lu", n,
                     (unsigned long)voxels.count);
    }
}

/* --- Sweeps ----------------------------------------------------------------------------------- */

/**
 * Draws a coordinate near the grid: anywhere, at a plane as the formula computes it, or halfway.
 */
static double coordinate(base_random *random, const gt_voxel_grid *g, int axis, int kind)
{
    const uint32_t n = g->count[axis];
    const uint32_t i = (uint32_t)base_random_below(random, n + 1);
    switch (kind) {
    case 0:
        return base_random_range(random, plane_of(g, axis, 0) - 0.5 * g->edge,
                                 plane_of(g, axis, n) + 0.5 * g->edge);
    case 1:
        return plane_of(g, axis, i);
    default:
        return 0.5 * (plane_of(g, axis, i) + plane_of(g, axis, i < n ? i + 1 : i));
    }
}

/**
 * Small triangles, slivers, flat triangles and points, on the planes of a grid and beside them. The
 * planes are rounded.
 */
Test(voxels, any_triangles)
{
    static const gt_voxel_grid grids[] = {
        {{0, 0, 0}, 1, 0, {5, 5, 5}},
        {{-0.7, 0.3, 1e-3}, 1.0 / 3, 2, {6, 5, 4}},
        {{1e3, -1e3 / 7, 0.1}, 0x1.8p-10, 1, {4, 6, 5}},
        {{0.1, 0.2, 0.3}, 1e-7 / 3, 3, {7, 4, 4}},
    };
    base_random random = base_random_seed(15);
    uint64_t touched = 0, all = 0;
    for (int i = 0; i < 400; i++) {
        const gt_voxel_grid *const g = &grids[i % 4];
        soup s;
        soup_clear(&s);
        vec3 p[3];
        for (int c = 0; c < 3; c++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                x[k] =
                    coordinate(&random, g, k, (int)base_random_below(&random, i % 8 < 4 ? 3 : 1));
            }
            p[c] = (vec3){x[0], x[1], x[2]};
        }
        const uint64_t kind = base_random_below(&random, 5);
        if (kind == 0) { /* short: a voxel or two */
            p[1] = vec3_madd(p[0], 0.2, vec3_sub(p[1], p[0]));
            p[2] = vec3_madd(p[0], 0.2, vec3_sub(p[2], p[0]));
        } else if (kind == 1) { /* a sliver, nearly a segment */
            p[2] = vec3_madd(p[0], 0.5, vec3_sub(p[1], p[0]));
        } else if (kind == 2) { /* in a plane parallel to the axes */
            p[1].z = p[2].z = p[0].z;
        }
        soup_add(&s, p[0], p[1], p[2]);
        touched += check(&s, g, "triangle", i);
        all += (uint64_t)g->count[0] * g->count[1] * g->count[2];
    }
    cr_expect(touched > all / 50 && touched < all / 2, "%lu of %lu", (unsigned long)touched,
              (unsigned long)all);
}

Test(voxels, several_triangles_and_a_window)
{
    base_random random = base_random_seed(16);
    const gt_voxel_grid whole = {{-1, -1, -1}, 0.25, 0, {8, 8, 8}};
    const gt_voxel_grid window = {{-0.5, -0.5, -0.5}, 0.25, 1, {5, 3, 2}};
    for (int i = 0; i < 6; i++) {
        soup s;
        soup_clear(&s);
        for (int f = 0; f < 6; f++) {
            vec3 p[3];
            for (int c = 0; c < 3; c++) {
                p[c] = vec3_scale(base_random_unit(&random), geo_random_direction(&random));
            }
            soup_add(&s, p[0], p[1], p[2]);
        }
        check(&s, &whole, "soup", i);
        check(&s, &window, "window", i);
    }
}

/* --- Theoretical properties ------------------------------------------------------------------- */

static void random_soup(base_random *random, int faces, double raster, soup *s)
{
    soup_clear(s);
    for (int f = 0; f < faces; f++) {
        vec3 p[3];
        for (int c = 0; c < 3; c++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                x[k] = raster * floor(base_random_range(random, 0, 8 / raster + 1));
            }
            p[c] = (vec3){x[0], x[1], x[2]};
        }
        soup_add(s, p[0], p[1], p[2]);
    }
}

static void same(const gt_voxels *a, const gt_voxels *b, const int axis[3], bool mirrored,
                 const char *what)
{
    const uint32_t *const n = a->grid.count;
    cr_assert_eq(a->count, b->count, "%s", what);
    for (uint32_t z = 0; z < n[2]; z++) {
        for (uint32_t y = 0; y < n[1]; y++) {
            for (uint32_t x = 0; x < n[0]; x++) {
                const uint32_t v[3] = {mirrored ? n[0] - 1 - x : x, y, z};
                cr_assert_eq(gt_voxels_has(a, x, y, z),
                             gt_voxels_has(b, v[axis[0]], v[axis[1]], v[axis[2]]),
                             "%s: voxel (%u, %u, %u)", what, x, y, z);
            }
        }
    }
}

/** Axes swapped, mirrored, scaled by two, in another order: the voxels are the same. */
Test(voxels, symmetries)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    base_random random = base_random_seed(17);
    for (int i = 0; i < 20; i++) {
        soup s, moved;
        random_soup(&random, 5, i % 2 ? 0.5 : 0.125, &s);
        SCOPED_VOXELS base = voxels_of(&s, &eight);
        for (int o = 0; o < 6; o++) {
            moved = s;
            moved.mesh.vertices = moved.vertices;
            moved.mesh.faces = moved.faces;
            for (size_t v = 0; v < s.mesh.vertex_count; v++) {
                const vec3 p = s.vertices[v];
                moved.vertices[v] = (vec3){vec3_get(p, orders[o][0]), vec3_get(p, orders[o][1]),
                                           vec3_get(p, orders[o][2])};
            }
            SCOPED_VOXELS voxels = voxels_of(&moved, &eight);
            same(&base, &voxels, orders[o], false, "axes swapped");
        }
        for (size_t v = 0; v < s.mesh.vertex_count; v++) {
            moved.vertices[v] = s.vertices[v];
            moved.vertices[v].x = 8 - s.vertices[v].x;
        }
        gt_voxels mirrored = voxels_of(&moved, &eight);
        same(&base, &mirrored, orders[0], true, "mirrored");
        gt_voxels_release(&mirrored);
        for (size_t v = 0; v < s.mesh.vertex_count; v++) {
            moved.vertices[v] = vec3_scale(2, s.vertices[v]);
        }
        const gt_voxel_grid large = {{0, 0, 0}, 2, 0, {8, 8, 8}};
        gt_voxels doubled = voxels_of(&moved, &large);
        same(&base, &doubled, orders[0], false, "twice as large");
        gt_voxels_release(&doubled);
        for (size_t f = 0; f < s.mesh.face_count; f++) {
            const geo_face face = s.faces[s.mesh.face_count - 1 - f];
            moved.faces[f] = (geo_face){{face.v[1], face.v[0], face.v[2]}};
        }
        memcpy(moved.vertices, s.vertices, sizeof s.vertices);
        SCOPED_VOXELS turned = voxels_of(&moved, &eight);
        same(&base, &turned, orders[0], false, "in another order");
    }
}

/** Rows of several words; any number of threads. */
Test(voxels, threads)
{
    SCOPED_SHAPE ball = {0};
    shape_add_ball(&ball, 24, 17, 1);
    shape_finish(&ball);
    const gt_voxel_grid grid = {{-1, -1, -1}, 2.0 / 130, 2, {134, 134, 134}};
    SCOPED_VOXELS one, many;
    setenv("PROXBENCH_THREADS", "1", 1);
    cr_assert_eq(gt_voxels_create(&ball.mesh, &grid, &one, NULL), BASE_OK);
    setenv("PROXBENCH_THREADS", "7", 1);
    cr_assert_eq(gt_voxels_create(&ball.mesh, &grid, &many, NULL), BASE_OK);
    unsetenv("PROXBENCH_THREADS");
    cr_assert_eq(one.row_words, 3);
    cr_assert_eq(memcmp(one.words, many.words, one.row_words * 134 * 134 * sizeof *one.words), 0);
    cr_assert_eq(one.count, many.count);
    cr_assert(one.count > 40000 && one.count < 200000, "%lu", (unsigned long)one.count);
}

/* --- Lists ------------------------------------------------------------------------------------ */

Test(voxels, lists)
{
    soup s;
    soup_clear(&s);
    soup_add(&s, (vec3){1.5, 2.5, 3.5}, (vec3){4.5, 2.5, 3.5}, (vec3){3, 2.5, 3.5});
    SCOPED_VOXELS exact = voxels_of(&s, &eight);
    cr_assert_eq(exact.count, 4);
    static const struct {
        const char *what;
        uint32_t runs[3][4];
        uint64_t missing, excess;
    } cases[] = {
        {"all", {{1, 5, 2, 3}}, 0, 0},
        {"all, in pieces", {{4, 5, 2, 3}, {1, 2, 2, 3}, {2, 4, 2, 3}}, 0, 0},
        {"none", {{0}}, 4, 0},
        {"one is missing", {{1, 4, 2, 3}}, 1, 0},
        {"one too many", {{1, 6, 2, 3}}, 0, 1},
        {"another row", {{1, 5, 3, 3}}, 4, 4},
        {"one twice", {{1, 5, 2, 3}, {2, 3, 2, 3}}, 0, 1},
        {"one twice, one not", {{1, 4, 2, 3}, {2, 3, 2, 3}}, 1, 1},
        {"a wrong one twice", {{1, 5, 2, 3}, {0, 1, 0, 0}, {0, 1, 0, 0}}, 0, 2},
        {"beyond the end of a row", {{1, 11, 2, 3}}, 0, 6},
        {"rows that are not there", {{0, 2, 8, 0}, {0, 2, 0, 1u << 31}, {1, 5, 2, 3}}, 0, 4},
        {"upside down", {{5, 1, 2, 3}}, 4, 0},
        {"beyond the whole", {{UINT32_MAX - 1, UINT32_MAX, UINT32_MAX, 0}, {1, 5, 2, 3}}, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_voxel_list list;
        cr_assert_eq(gt_voxel_list_create(&exact, &list, NULL), BASE_OK);
        for (int r = 0; r < 3; r++) {
            const uint32_t *const v = cases[i].runs[r];
            gt_voxel_list_add(&list, v[0], v[1], v[2], v[3]);
        }
        cr_expect_eq(gt_voxel_list_missing(&list), cases[i].missing, "%s: missing", cases[i].what);
        cr_expect_eq(list.excess, cases[i].excess, "%s: excess", cases[i].what);
        gt_voxel_list_release(&list);
    }
}

/* --- Invalid grids ---------------------------------------------------------------------------- */

Test(voxels, invalid_grids)
{
    static const struct {
        gt_voxel_grid grid;
        const char *text;
    } cases[] = {
        {{{0, 0, 0}, 1, 0, {0, 1, 1}}, "0 voxels along x are none"},
        {{{0, 0, 0}, 1, 0, {1, 1, 65537}}, "65537 voxels along z"},
        {{{0, 0, 0}, 0, 0, {1, 1, 1}}, "along x do not ascend"},
        {{{0, 0, 0}, -1, 0, {1, 1, 1}}, "along x do not ascend"},
        {{{0, 0, 0}, NAN, 0, {1, 1, 1}}, "along x do not ascend"},
        {{{0, NAN, 0}, 1, 0, {1, 1, 1}}, "along y do not ascend"},
        {{{0, INFINITY, 0}, 1, 0, {1, 1, 1}}, "along y do not ascend"},
        {{{0, 0, 1}, 1e-17, 0, {1, 1, 1}}, "along z do not ascend"},
    };
    soup s;
    soup_clear(&s);
    soup_add(&s, (vec3){0, 0, 0}, (vec3){1, 0, 0}, (vec3){0, 1, 0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_voxels voxels;
        base_error err = {0};
        cr_assert_eq(gt_voxels_create(&s.mesh, &cases[i].grid, &voxels, &err), BASE_ERR_INPUT,
                     "case %zu", i);
        cr_assert(strstr(err.text, cases[i].text), "case %zu: '%s'", i, err.text);
        cr_assert_null(voxels.words);
    }
}

Test(voxels, out_of_memory)
{
    soup s;
    soup_clear(&s);
    soup_add(&s, (vec3){0, 0, 0}, (vec3){1, 0, 0}, (vec3){0, 1, 0});
    gt_voxels voxels;
    gt_voxel_list list;
    int failures = 0;
    for (size_t n = 0;; n++) {
        base_memory_fail_after(n);
        base_status status = gt_voxels_create(&s.mesh, &eight, &voxels, NULL);
        if (status == BASE_OK) {
            status = gt_voxel_list_create(&voxels, &list, NULL);
        }
        base_memory_fail_after(SIZE_MAX);
        if (status == BASE_OK) {
            break;
        }
        cr_assert_eq(status, BASE_ERR_MEMORY, "%zu allocations", n);
        failures++;
        gt_voxels_release(&voxels);
    }
    cr_assert_eq(failures, 5);
    gt_voxel_list_release(&list);
    gt_voxels_release(&voxels);
}
