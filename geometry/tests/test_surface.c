
#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/surface.h"
#include "geometry/tests/shapes.h"
#include "geometry/triangle.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

static geo_surface build(const geo_mesh *mesh, base_arena *arena)
{
    geo_surface surface;
    assert_ok(geo_surface_build(mesh, arena, &surface, ERR));
    return surface;
}

/* --- Closest point ---------------------------------------------------------------------------- */

static geo_closest oracle_closest(const geo_mesh *mesh, vec3 p, int *ties)
{
    geo_closest best = {INFINITY, {0, 0, 0}, 0};
    *ties = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const vec3 point = geo_triangle_closest(geo_mesh_triangle(mesh, f), p);
        const double distance2 = vec3_distance2(p, point);
        if (distance2 < best.distance2) {
            best = (geo_closest){distance2, point, (uint32_t)f};
            *ties = 0;
        } else if (distance2 == best.distance2) {
            (*ties)++;
        }
    }
    return best;
}

static void check_closest(const geo_surface *surface, vec3 p, uint32_t hint, const char *what,
                          int *ties)
{
    int tied;
    const geo_closest want = oracle_closest(surface->mesh, p, &tied);
    const geo_closest got = geo_surface_closest(surface, p, hint);
    cr_assert(got.distance2 == want.distance2 && got.face == want.face &&
                  vec3_equal(got.point, want.point),
              "%s at %.17g %.17g %.17g, hint %u: face %u at %.17g instead of %u at %.17g", what,
              p.x, p.y, p.z, hint, got.face, got.distance2, want.face, want.distance2);
    *ties += tied > 0;
}

static void sweep_closest(const geo_mesh *mesh, uint64_t seed, double size, const char *what,
                          int *ties)
{
    base_random random = base_random_seed(seed);
    SCOPED_ARENA arena = {0};
    const geo_surface surface = build(mesh, &arena);
    for (int i = 0; i < 1500; i++) {
        vec3 p = shape_point(&random, i % 3 == 0 ? 10 * size : size);
        if (i % 4 == 1) { /* a lattice point */
            p = (vec3){floor(p.x), floor(p.y), floor(p.z)};
        } else if (i % 4 == 2) { /* a vertex, or a point next to one */
            p = mesh->vertices[mesh->faces[base_random_below(&random, mesh->face_count)].v[0]];
            p.x += i % 8 == 2 ? 0x1p-50 : 0;
        }
        const uint32_t hint = (uint32_t)base_random_below(&random, mesh->face_count);
        check_closest(&surface, p, i % 2 == 0 ? UINT32_MAX : hint, what, ties);
    }
}

Test(surface, closest_equals_all_faces)
{
    base_random random = base_random_seed(61);
    int ties = 0, soup_ties = 0;
    SCOPED_MESH torus = shape_torus(24, 1, 0.4);
    sweep_closest(&torus, 62, 1.5, "torus", &ties);
    SCOPED_MESH soup = shape_soup(&random, 700, false);
    sweep_closest(&soup, 63, 1, "soup", &soup_ties);
    SCOPED_MESH lattice = shape_soup(&random, 700, true);
    sweep_closest(&lattice, 64, 5, "lattice", &ties);
    SCOPED_MESH cells = shape_cells(&random, 0x123456789abcdef1);
    sweep_closest(&cells, 65, 5, "cells", &ties);
    SCOPED_MESH one = shape_soup(&random, 1, false);
    sweep_closest(&one, 66, 2, "one face", &soup_ties);
    cr_assert(ties > 1000 && soup_ties == 0, "%d %d", ties, soup_ties);
}

/** Far from the origin float boxes are coarse: the query is slower, but still right. */
Test(surface, closest_far_from_the_origin)
{
    int ties = 0;
    SCOPED_MESH torus = shape_torus(16, 1, 0.4);
    geo_mesh_translate(&torus, (vec3){1e6, -2e6, 1e5});
    SCOPED_ARENA arena = {0};
    const geo_surface surface = build(&torus, &arena);
    base_random random = base_random_seed(67);
    for (int i = 0; i < 500; i++) {
        const vec3 p = vec3_add(shape_point(&random, 2), (vec3){1e6, -2e6, 1e5});
        check_closest(&surface, p, UINT32_MAX, "far torus", &ties);
    }
}

/* --- Containment ------------------------------------------------------------------------------ */

/** True if p, moved by (e, e^2, e^3), is in a cell sheared by z' = z + sx x + sy y. */
static bool oracle_cells(uint64_t cells, vec3 p, int sx, int sy)
{
    /* In the unsheared cells the move is (e, e^2, e^3 - sx e - sy e^2). */
    const double z = p.z - sx * p.x - sy * p.y;
    const bool up = sx < 0 || (sx == 0 && sy <= 0);
    return cell_full(cells, (int)floor(p.x), (int)floor(p.y),
                     up ? (int)floor(z) : (int)ceil(z) - 1);
}

/**
 * True if p is in the cells when these are moved by (e, e^2, e^3): the same with the other
 * neighbour.
 */
static bool oracle_moved_cells(uint64_t cells, vec3 p, int sx, int sy)
{
    const double z = p.z - sx * p.x - sy * p.y;
    const bool up = sx < 0 || (sx == 0 && sy <= 0);
    return cell_full(cells, (int)ceil(p.x) - 1, (int)ceil(p.y) - 1,
                     up ? (int)ceil(z) - 1 : (int)floor(z));
}

/** Lattice and half lattice points: on faces, edges and vertices, and below them. */
Test(surface, contains_equals_cells)
{
    const int shears[][2] = {{0, 0}, {0, 1}, {0, -1}, {1, -2}, {-1, 1}};
    base_random random = base_random_seed(68);
    int inside = 0, outside = 0;
    for (int i = 0; i < 60; i++) {
        const int sx = shears[i % 5][0], sy = shears[i % 5][1];
        const uint64_t mask = i % 2 == 0 ? UINT64_MAX : base_random_u64(&random);
        const uint64_t cells = (base_random_u64(&random) & mask) | 1;
        geo_mesh_builder sheared = shape_edit(shape_cells(&random, cells));
        for (size_t v = 0; v < sheared.vertex_count; v++) {
            vec3 *const p = &sheared.vertices[v];
            p->z += sx * p->x + sy * p->y;
        }
        SCOPED_MESH mesh = geo_mesh_builder_finish(&sheared);
        SCOPED_ARENA arena = {0};
        const geo_surface surface = build(&mesh, &arena);
        for (int k = 0; k < 11 * 11 * 11; k++) {
            vec3 p = {0.5 * (k % 11 - 1), 0.5 * (k / 11 % 11 - 1), 0.5 * (k / 121 - 1)};
            p.z += sx * p.x + sy * p.y;
            const bool want = oracle_cells(cells, p, sx, sy);
            cr_assert_eq(geo_surface_contains(&surface, p), want,
                         "cells %lx, shear %d %d, at %g %g %g: not %d", (unsigned long)cells, sx,
                         sy, p.x, p.y, p.z, want);
            const geo_pose away = geo_pose_make(geo_quat_identity(), (vec3){3, -1, k % 5});
            const bool moved = oracle_moved_cells(cells, p, sx, sy);
            cr_assert_eq(geo_surface_contains_moved(&surface, &away, geo_pose_apply(&away, p)),
                         moved, "cells %lx, shear %d %d, moved, at %g %g %g: not %d",
                         (unsigned long)cells, sx, sy, p.x, p.y, p.z, moved);
            inside += want;
            outside += !want;
        }
    }
    cr_assert(inside > 5000 && outside > 5000, "%d %d", inside, outside);
}

/** Slanted faces: a torus, rotated and stretched, compared with its own equation. */
Test(surface, contains_equals_the_torus)
{
    enum { N = 96 };
    const geo_quat q = {0.1, 0.2, 0.3, 0.9};
    const geo_pose pose = geo_pose_make(q, (vec3){0.1, 0.2, 0.3});
    SCOPED_MESH mesh = shape_move(shape_torus(N, 1, 0.4), pose, 1);
    SCOPED_ARENA arena = {0};
    const geo_surface surface = build(&mesh, &arena);
    base_random random = base_random_seed(69);
    int inside = 0, outside = 0;
    for (int i = 0; i < 50000; i++) {
        vec3 p = shape_point(&random, 1.5);
        const double ring = sqrt(p.x * p.x + p.y * p.y) - 1;
        const double level = sqrt(ring * ring + p.z * p.z) - 0.4;
        p = geo_pose_apply(&pose, p);
        if (i % 10 == 0) { /* exactly below a vertex */
            p.x = mesh.vertices[i % (N * N)].x;
            p.y = mesh.vertices[i % (N * N)].y;
            p.z = -9;
            cr_assert_not(geo_surface_contains(&surface, p), "below vertex %d", i % (N * N));
        } else if (fabs(level) > 4e-3) { /* the facets' sagitta */
            cr_assert_eq(geo_surface_contains(&surface, p), level < 0, "case %d, level %g", i,
                         level);
            const geo_pose there = geo_pose_make(geo_random_rotation(&random), p);
            cr_assert_eq(geo_surface_contains_moved(&surface, &there, geo_pose_apply(&there, p)),
                         level < 0, "case %d, moved, level %g", i, level);
            inside += level < 0;
            outside += level > 0;
        }
    }
    cr_assert(inside > 2000 && outside > 2000, "%d %d", inside, outside);
}

Test(surface, build_reports_lack_of_memory)
{
    SCOPED_MESH torus = shape_torus(14, 1, 0.4);
    base_arena arena = {0};
    geo_shell shell;
    cr_assert_geq(COUNT_FAILURES(geo_shell_build(torus, true, &arena, &shell, ERR),
                                 base_arena_release(&arena)),
                  4);
}

/** A scanned mesh: hints and neighbours in a grid, compared with all faces at a few points. */
Test(surface, closest_on_a_scanned_mesh)
{
    const char *const path = "../shared/models/oded-bunny_hr.off";
    if (access(path, R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_MESH mesh;
    assert_ok(geo_mesh_load(path, &mesh, ERR));
    SCOPED_ARENA arena = {0};
    const geo_surface surface = build(&mesh, &arena);
    const vec3 lo = surface.bvh.box.lo, size = vec3_sub(surface.bvh.box.hi, lo);
    uint32_t hint = UINT32_MAX;
    int ties = 0;
    for (int i = 0; i < 20000; i++) {
        const double x = (i % 20) / 20.0, y = (i / 20 % 20) / 20.0, z = (i / 400) / 50.0;
        const vec3 p = {lo.x + x * size.x, lo.y + y * size.y, lo.z + z * size.z};
        const geo_closest cold = geo_surface_closest(&surface, p, UINT32_MAX);
        const geo_closest warm = geo_surface_closest(&surface, p, hint);
        cr_assert(cold.distance2 == warm.distance2 && cold.face == warm.face &&
                      vec3_equal(cold.point, warm.point),
                  "grid point %d", i);
        hint = warm.face;
        if (i % 1000 == 0) {
            check_closest(&surface, p, hint, "bunny", &ties);
        }
    }
}

/* --- Nested bodies ---------------------------------------------------------------------------- */

static void build_shell(geo_mesh mesh, bool solid, base_arena *arena, geo_shell *shell)
{
    assert_ok(geo_shell_build(mesh, solid, arena, shell, ERR));
}

/** A room of [-5, 5]^3, and two cubes of edge 2 at a distance of 20: one body of two parts. */
Test(surface, nested_shells_by_hand)
{
    SCOPED_MESH room_mesh = shape_box((vec3){-5, -5, -5}, (vec3){5, 5, 5});
    SCOPED_MESH cubes_mesh = shape_join(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1}),
                                        shape_box((vec3){19, -1, -1}, (vec3){21, 1, 1}));
    SCOPED_ARENA arena = {0};
    geo_shell room, open_room, cubes;
    build_shell(room_mesh, true, &arena, &room);
    build_shell(room_mesh, false, &arena, &open_room);
    build_shell(cubes_mesh, true, &arena, &cubes);
    cr_assert(room.part_count == 1 && cubes.part_count == 2);
    const struct {
        double x; /* position of the cubes in the room's frame */
        bool nested;
    } rows[] = {{0, true}, {-20, true}, {3, true}, {-23, true}, {-10, false}, {7, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const geo_pose pose = shape_shift(rows[i].x, 0, 0), back = shape_shift(-rows[i].x, 0, 0);
        vec3 p;
        cr_assert_eq(geo_shells_nested(&room, &cubes, &pose, &p), rows[i].nested, "row %zu", i);
        cr_assert(!rows[i].nested || (fabs(p.x) < 5 && fabs(p.y) == 1 && fabs(p.z) == 1),
                  "row %zu: %g %g %g", i, p.x, p.y, p.z);
        cr_assert_eq(geo_shells_nested(&cubes, &room, &back, &p), rows[i].nested, "row %zu", i);
        cr_assert(!rows[i].nested || (fabs(p.y) == 1 && fabs(p.z) == 1), "row %zu", i);
        cr_assert_eq(geo_shell_holds_part(&room, &cubes, &pose, &p), rows[i].nested, "row %zu", i);
        cr_assert_not(geo_shell_holds_part(&cubes, &room, &back, &p), "row %zu", i);
        cr_assert_not(geo_shells_nested(&open_room, &cubes, &pose, &p), "row %zu", i);
        cr_assert_not(geo_shells_nested(&cubes, &open_room, &back, &p), "row %zu", i);
    }
}
