#include "algorithms/bounds/cells.h"
#include "algorithms/tests/shapes.h"

#include <string.h>

static alg_bounds_cells build(const geo_mesh *mesh, uint32_t resolution, base_arena *arena)
{
    alg_bounds_cells cells;
    assert_ok(alg_bounds_cells_build(mesh, resolution, arena, &cells, ERR));
    return cells;
}

/** Statistics of an octree. */
typedef struct tally {
    size_t cells, leaves, whole;
    double worst; /* largest difference between a cell's volume and the sum of its parts */
} tally;

static double volume_of(const alg_bounds_cell *cell)
{
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += cell->volume[i];
    }
    return sum;
}

static void count_parts(const alg_bounds_cells *cells, uint32_t number, uint32_t level, tally *t)
{
    const alg_bounds_cell *const cell = &cells->cells[number];
    const double edge = ldexp(cells->finest, (int)level - 1);
    const double most = edge * edge * edge;
    t->cells++;
    for (int i = 0; i < 8; i++) {
        const uint32_t child = cell->child[i];
        cr_assert(cell->volume[i] >= 0 && cell->volume[i] <= most * (1 + 1e-12));
        if (child == ALG_BOUNDS_CELL_EMPTY) {
            cr_assert_eq(cell->volume[i], 0);
        } else if (child == ALG_BOUNDS_CELL_WHOLE) {
            t->whole++;
            cr_assert_eq(cell->volume[i], most);
        } else if (child == ALG_BOUNDS_CELL_LEAF) {
            t->leaves++;
            cr_assert_eq(level, 1, "a leaf on level %u", level - 1);
        } else {
            cr_assert(child > number && child < cells->cell_count && level > 1);
            const double rest = fabs(volume_of(&cells->cells[child]) - cell->volume[i]);
            t->worst = fmax(t->worst, rest);
            count_parts(cells, child, level - 1, t);
        }
    }
}

static tally check(const alg_bounds_cells *cells, double volume)
{
    tally t = {0};
    count_parts(cells, 0, cells->levels, &t);
    cr_assert_eq(t.cells, cells->cell_count);
    cr_assert_eq(t.leaves, cells->leaf_count);
    cr_assert_eq(t.worst, 0);
    cr_assert_float_eq(cells->volume, volume, 1e-13 * volume, "%.17g for %.17g", cells->volume,
                       volume);
    return t;
}

/** Finds the smallest cube that contains a point. Returns the share of this cube that the solid
 * fills. *leaf becomes true if the surface crosses the cube. */
static double fraction_at(const alg_bounds_cells *cells, vec3 p, bool *leaf)
{
    vec3 corner = cells->origin;
    double edge = cells->edge;
    uint32_t number = 0;
    for (;;) {
        edge *= 0.5;
        int i = 0;
        for (int axis = 0; axis < 3; axis++) {
            double *const low = axis == 0 ? &corner.x : axis == 1 ? &corner.y : &corner.z;
            if (vec3_get(p, axis) >= *low + edge) {
                *low += edge;
                i |= 1 << axis;
            }
        }
        const alg_bounds_cell *const cell = &cells->cells[number];
        number = cell->child[i];
        if (number == ALG_BOUNDS_CELL_EMPTY || number >= ALG_BOUNDS_CELL_LEAF) {
            *leaf = number == ALG_BOUNDS_CELL_LEAF;
            return cell->volume[i] / (edge * edge * edge);
        }
    }
}

Test(cells, edges_are_powers_of_two)
{
    const geo_box box = {{0, 0, 0}, {3, 0.5, 0.1}};
    cr_assert_eq(alg_bounds_cells_edge(box, 3), 1);
    cr_assert_eq(alg_bounds_cells_edge(box, 4), 0.5);
    for (uint32_t n = 2; n <= 1024; n++) {
        const double edge = alg_bounds_cells_edge(box, n);
        cr_assert(3 / edge >= n && 3 / edge < 2 * n, "%u: %g", n, edge);
    }
}

Test(cells, cube_on_the_grid_is_whole)
{
    /* The faces of the body lie in planes of the grid, so each cube of the grid is either filled by
     * the body or has no volume in common with it. A face in a plane of the grid belongs to the
     * cubes above the plane. So the cubes just above the body's upper faces count as crossed by the
     * surface, although their volume is 0. */
    SCOPED_ARENA arena = {0};
    SCOPED_MESH mesh = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    const alg_bounds_cells cells = build(&mesh, 8, &arena);
    check(&cells, 8);
    cr_assert_eq(cells.finest, 0.25);
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 8; k++) {
                bool leaf;
                const vec3 p = {-0.9 + 0.25 * i, -0.9 + 0.25 * j, -0.9 + 0.25 * k};
                cr_assert_eq(fraction_at(&cells, p, &leaf), 1, "%d %d %d", i, j, k);
            }
        }
    }
}

Test(cells, box_across_the_grid)
{
    /* The grid starts at the body's lower corner, and its cubes have edges of 0.5. The body covers
       0.4 of the last cube along x, all of it along y, and 0.8 along z. */
    SCOPED_ARENA arena = {0};
    SCOPED_MESH mesh = shape_box((vec3){0, 0, 0}, (vec3){1.7, 1.5, 1.9});
    const alg_bounds_cells cells = build(&mesh, 2, &arena);
    cr_assert_eq(cells.finest, 0.5);
    check(&cells, 1.7 * 1.5 * 1.9);
    bool leaf;
    cr_assert_float_eq(fraction_at(&cells, (vec3){1.6, 0.2, 0.7}, &leaf), 0.4, 1e-14);
    cr_assert_float_eq(fraction_at(&cells, (vec3){1.6, 0.2, 1.6}, &leaf), 0.4 * 0.8, 1e-14);
    cr_assert(leaf);
    cr_assert_eq(fraction_at(&cells, (vec3){0.7, 0.7, 0.7}, &leaf), 1);
    cr_assert(!leaf);
}

Test(cells, corner_of_a_tetrahedron)
{
    /* The body is x + y + z <= 1, and cubes have edges of 1/4. If the lower corner of a cube is on
       the plane x + y + z = 3/4, a sixth of the cube is in the body; on x + y + z = 1/2, five
       sixths. */
    SCOPED_ARENA arena = {0};
    const vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const geo_face faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    const geo_mesh mesh = {corners, 4, faces, 4};
    const alg_bounds_cells cells = build(&mesh, 4, &arena);
    check(&cells, 1.0 / 6);
    bool leaf;
    cr_assert_float_eq(fraction_at(&cells, (vec3){0.3, 0.3, 0.3}, &leaf), 1.0 / 6, 1e-14);
    cr_assert_float_eq(fraction_at(&cells, (vec3){0.3, 0.3, 0.1}, &leaf), 5.0 / 6, 1e-14);
    cr_assert_float_eq(fraction_at(&cells, (vec3){0.8, 0.1, 0.1}, &leaf), 1.0 / 6, 1e-14);
}

Test(cells, turned_bodies_keep_their_volume)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        base_random random = base_random_seed(seed);
        SCOPED_ARENA arena = {0};
        const double scale = seed % 3 == 0 ? 1e-6 : seed % 3 == 1 ? 1 : 1000;
        SCOPED_MESH mesh = seed % 2 ? shape_ball((vec3){0.1, 0.2, 0.3}, 1, 7)
                                    : shape_join(shape_cube((vec3){0, 0, 0}, 1),
                                                 shape_reverse(shape_cube((vec3){0, 0.1, 0}, 0.6)));
        mesh = shape_move(mesh, shape_pose(&random, 1), scale);
        const alg_bounds_cells cells = build(&mesh, 5 + (uint32_t)seed, &arena);
        const tally t = check(&cells, geo_mesh_measures(&mesh).volume_m3);
        cr_assert(t.leaves > 0 && (seed < 20 || t.whole > 0), "seed %lu", seed);
    }
}

Test(cells, whole_and_empty_cubes_are_inside_and_outside)
{
    SCOPED_ARENA arena = {0};
    SCOPED_MESH mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 10),
                                  shape_reverse(shape_ball((vec3){0.2, 0, 0}, 0.5, 10)));
    const alg_bounds_cells cells = build(&mesh, 24, &arena);
    check(&cells, geo_mesh_measures(&mesh).volume_m3);
    const geo_box box = geo_mesh_box(&mesh);
    size_t whole = 0, empty = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        base_random random = base_random_seed(seed);
        const vec3 p = shape_point(&random, 1);
        if (!geo_box_overlap(box, (geo_box){p, p})) {
            continue;
        }
        const double outer = vec3_norm(p), inner = vec3_norm(vec3_sub(p, (vec3){0.2, 0, 0}));
        bool leaf;
        const double part = fraction_at(&cells, p, &leaf);
        if (!leaf) {
            cr_assert(part == 0 || part == 1);
            cr_assert_eq(part == 1, outer < 0.99 && inner > 0.5, "seed %lu", seed);
            whole += part == 1;
            empty += part == 0;
        }
    }
    cr_assert(whole > 500 && empty > 500, "%zu whole, %zu empty", whole, empty);
}

Test(cells, out_of_memory_is_an_error)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 4);
    base_arena arena = {0};
    alg_bounds_cells cells;
    COUNT_FAILURES(alg_bounds_cells_build(&mesh, 6, &arena, &cells, ERR),
                   base_arena_release(&arena));
}
