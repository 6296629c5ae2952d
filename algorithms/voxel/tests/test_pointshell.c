#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/pointshell.h"
#include "algorithms/voxel/projection.h"
#include "algorithms/voxel/tests/voxels.h"
#include "algorithms/voxel/boxes.h"
#include "base/tests/support.h"

#include <stdlib.h>

static const alg_pointshell_kind kinds[4] = {ALG_POINTSHELL_TWO_PHASE, ALG_POINTSHELL_ALL,
                                             ALG_POINTSHELL_BLUE_NOISE, ALG_POINTSHELL_OLD};
static const char *const kind_names[4] = {"two-phase", "all", "blue-noise", "old"};

/** A mesh and its voxmap. */
typedef struct fixture {
    geo_mesh mesh;
    base_arena arena;
    alg_voxel_map map;
} fixture;

/** Builds a fixture, which takes over the mesh. */
static fixture voxelise(geo_mesh mesh, uint32_t resolution)
{
    fixture f = {.mesh = mesh};
    const alg_voxel_grid grid = grid_on_planes(geo_mesh_box(&mesh), resolution, 3);
    alg_voxel_bits surface;
    uint64_t tests;
    const alg_voxel_surface_options options = {ALG_VOXEL_PAPER, ALG_VOXEL_AUTO, 0};
    assert_ok(alg_voxel_bits_create(grid.size, &surface, ERR));
    assert_ok(alg_voxel_surface_mark(&mesh, &grid, &options, &surface, &tests, ERR));
    assert_ok(alg_voxel_map_build(&grid, &surface, &(alg_voxel_map_options){.layers = 4}, &f.arena,
                                  &f.map, ERR));
    alg_voxel_bits_release(&surface);
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
}

#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture

static alg_pointshell build_with(fixture *f, alg_pointshell_options options)
{
    alg_pointshell shell;
    assert_ok(alg_pointshell_build(&f->mesh, &f->map, &options, &f->arena, &shell, ERR));
    return shell;
}

static alg_pointshell build(fixture *f, alg_pointshell_kind kind)
{
    return build_with(f, (alg_pointshell_options){.kind = kind, .seed = 1});
}

static bool near(vec3 a, vec3 b, double distance)
{
    return vec3_distance(a, b) <= distance;
}

/* --- Known values ----------------------------------------------------------------------------- */

Test(pointshell, cube_on_the_grid)
{
    /* Edges of 8 voxels. A triangle of a side meets 64 of the 10 x 10 voxels on each side of its
     * plane: 2 + 3 + ... + 10 + 10 in rows. */
    SCOPED_FIXTURE f = voxelise(shape_box((vec3){0, 0, 0}, (vec3){8, 8, 8}), 8);
    const alg_pointshell all = build(&f, ALG_POINTSHELL_ALL);
    /* The distinct points are 8 x 8 per side, and those of voxels beyond edges and corners. */
    const unsigned distinct = 6 * 64 + 12 * 8 + 8;
    /* A triangle also meets the voxels that touch its diagonal from the other side: this gives 7
     * more points, where these voxels meet. */
    cr_assert_eq(all.count, distinct + 6 * 7, "%u", all.count);
    cr_assert(isnan(all.recovered_share));
    /* In front of a side there are 8 x 8 voxels; those off the diagonal project to the inside of a
     * triangle: 56 on each side of the plane. The second phase recovers these: beyond edges and
     * corners 12 x 8 and 8 voxels; on the diagonals 8 in front of each side, and 6 behind it
     * without the ends. The ends belong to two more sides, and only at two corners do all three
     * diagonals end. */
    const alg_pointshell two = build(&f, ALG_POINTSHELL_TWO_PHASE);
    const unsigned inside = 6 * 2 * 56, recovered = 12 * 8 + 8 + 6 * 8 + 6 * 6 + 2;
    /* 58 of the recovered points are equal to another one. */
    cr_assert_eq(two.count, inside / 2 + recovered - 58, "%u", two.count);
    cr_assert_eq(two.recovered_share, (double)recovered / (12 * 2 * 64 - inside));
    cr_assert_eq(two.spacing_least, 0.5, "a corner and a point of an edge");
    for (uint32_t i = 0; i < two.count; i++) {
        const vec3 p = vec3_abs(vec3_sub(two.points[i], (vec3){4, 4, 4})), n = two.normals[i];
        const double most = fmax(p.x, fmax(p.y, p.z));
        cr_assert_eq(most, 4, "point %u is not on the cube", i);
        cr_assert_lt(vec3_dot(n, vec3_sub(two.points[i], (vec3){4, 4, 4})), 0, "point %u", i);
        if (p.x < 1 && p.y < 1) {
            cr_assert_gt(two.points[i].z > 4 ? -n.z : n.z, 0.95, "point %u: %g", i, n.z);
        }
    }
}

Test(pointshell, triangle_on_the_grid)
{
    geo_mesh_builder one = shape_new(3, 1);
    one.vertices[1] = (vec3){4, 0, 0};
    one.vertices[2] = (vec3){0, 4, 0};
    one.faces[0] = (geo_face){{0, 1, 2}};
    SCOPED_FIXTURE f = voxelise(geo_mesh_builder_finish(&one), 4);
    /* 6 x 6 voxels without those beyond the long side, x + y > 4: 1 + ... + 4. There are as many
     * above as below. */
    const alg_pointshell all = build(&f, ALG_POINTSHELL_ALL);
    /* At each end of the long side, two voxels project to the same point. */
    cr_assert_eq(all.count, 36 - 10 - 2, "%u", all.count);
    /* Middles (i + 1/2, j + 1/2) with i + j + 1 < 4 are inside: 6. Each other point has one
     * voxel. */
    const alg_pointshell two = build(&f, ALG_POINTSHELL_TWO_PHASE);
    cr_assert_eq(two.count, all.count);
    cr_assert_eq(two.recovered_share, 1);
    unsigned inside = 0;
    for (uint32_t i = 0; i < two.count; i++) {
        const vec3 p = two.points[i];
        cr_assert_eq(p.z, 0);
        cr_assert(p.x >= 0 && p.y >= 0 && p.x + p.y <= 4 + 1e-14);
        inside += p.x > 0 && p.y > 0 && p.x + p.y < 3.9;
    }
    cr_assert_eq(inside, 6);
}

/**
 * Returns a plate through the middles of voxels, at z = 2.5, so that the layers on both sides of it
 * are the same. It has a triangle that is a point and one that is a line, and there is a small
 * triangle far away that determines the position of the grid.
 */
static geo_mesh middle_plate(void)
{
    static const vec3 corners[9] = {{8, 0, 2.5}, {16, 0, 2.5}, {16, 8, 2.5}, {8, 8, 2.5}, {0, 0, 0},
                                    {0, 1, 0},   {1, 0, 0},    {12, 4, 2.5}, {12, 5, 2.5}};
    /* The point of the first triangle is kept among equal points. */
    static const geo_face faces[5] = {
        {{7, 7, 7}}, {{7, 8, 7}}, {{0, 1, 2}}, {{0, 2, 3}}, {{4, 5, 6}}};
    geo_mesh_builder plate = shape_copy(&(geo_mesh){corners, 9, faces, 5});
    return geo_mesh_builder_finish(&plate);
}

Test(pointshell, normals_where_layers_have_no_direction)
{
    for (int turned = 0; turned < 2; turned++) {
        SCOPED_FIXTURE f = voxelise(turned ? shape_reverse(middle_plate()) : middle_plate(), 16);
        cr_assert_eq(f.map.grid.edge, 1);
        const alg_pointshell shell = build(&f, ALG_POINTSHELL_ALL);
        unsigned flat = 0, across = 0;
        for (uint32_t i = 0; i < shell.count; i++) {
            const vec3 p = shell.points[i], n = shell.normals[i];
            cr_assert_float_eq(vec3_norm(n), 1, 1e-15, "point %u", i);
            if (p.z == 2.5 && fabs(p.x - 12) < 1.6 && fabs(p.y - 4) < 1.6) {
                const bool back = vec3_equal(n, (vec3){0, 0, turned ? 1 : -1});
                cr_assert(back || (p.x == 12 && n.y == 0), "point %u: %g %g %g", i, n.x, n.y, n.z);
                flat += back;
                across += !back;
            }
        }
        cr_assert(flat >= 9 && across > 0, "%u, %u", flat, across);
    }
}

Test(pointshell, without_a_direction_normals_turn_to_where_voxels_are_inside)
{
    /* Layers that cancel, with the positive ones on one side: 2 x 1 and 1 x -2. */
    for (int side = -1; side <= 1; side += 2) {
        SCOPED_FIXTURE f = voxelise(middle_plate(), 16);
        const uint32_t *const size = f.map.grid.size;
        SCOPED_FREE int8_t *const values =
            base_alloc(alg_voxel_grid_count(&f.map.grid), sizeof *values);
        const size_t slice = (size_t)size[0] * size[1];
        const size_t plate = 2 + f.map.grid.padding;
        memset(values + (plate + (size_t)(2 * side)) * slice, 1, slice);
        memset(values + (plate + (size_t)side) * slice, -2, slice);
        f.map.storage = ALG_VOXEL_DENSE;
        f.map.values = values;
        const alg_pointshell shell = build(&f, ALG_POINTSHELL_TWO_PHASE);
        unsigned flat = 0;
        for (uint32_t i = 0; i < shell.count; i++) {
            if (shell.points[i].z == 2.5 && shell.points[i].x != 12) {
                cr_assert(vec3_equal(shell.normals[i], (vec3){0, 0, side}), "side %d, point %u",
                          side, i);
                flat++;
            }
        }
        cr_assert_gt(flat, 30);
    }
}

/* --- Comparison with plain loops -------------------------------------------------------------- */

static int compare_points(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(vec3));
}

/** Returns a copy sorted by bits, for comparison as a set. */
static vec3 *sorted_copy(const vec3 *points, size_t count)
{
    vec3 *const copy = base_alloc(count, sizeof *copy);
    memcpy(copy, points, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare_points);
    return copy;
}

/** Removes equal points of a sorted array, in place. Returns the number of remaining points. */
static size_t drop_equal(vec3 *points, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_points(&points[kept - 1], &points[i]) != 0) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

/** Shares of an alg_pointshell. */
typedef struct plain_shares {
    double boundary, recovered;
    size_t recovered_count;
} plain_shares;

/** Projects every triangle with every voxel. Writes the points in order; returns their number. */
static size_t plain_points(const fixture *f, bool two_phases, vec3 *points, plain_shares *shares)
{
    const alg_voxel_grid *const grid = &f->map.grid;
    bool *const marked = base_alloc(alg_voxel_grid_count(grid), sizeof *marked);
    size_t count = 0, all = 0, boundary = 0, recovered = 0;
    for (int phase = 0; phase < (two_phases ? 2 : 1); phase++) {
        for (size_t face = 0; face < f->mesh.face_count; face++) {
            const geo_triangle t = geo_mesh_triangle(&f->mesh, face);
            for (uint32_t x = 0; x < grid->size[0]; x++) {
                for (uint32_t y = 0; y < grid->size[1]; y++) {
                    for (uint32_t z = 0; z < grid->size[2]; z++) {
                        if (!alg_triangle_box_once(t, alg_voxel_box(grid, x, y, z))) {
                            continue;
                        }
                        bool *const mark = &marked[(z * grid->size[1] + y) * grid->size[0] + x];
                        const vec3 middle = alg_voxel_middle(grid, x, y, z);
                        const alg_projection p =
                            alg_project_refine(t, middle, alg_project_kkt(t, middle));
                        if (phase == 0 && (p.interior || !two_phases)) {
                            points[count++] = p.point;
                            *mark = true;
                        }
                        all += phase == 0;
                        boundary += phase == 0 && !p.interior;
                        if (phase == 1 && !p.interior && !*mark) {
                            points[count++] = p.point;
                            *mark = true;
                            recovered++;
                        }
                    }
                }
            }
        }
    }
    base_free(marked);
    *shares = (plain_shares){(double)boundary / (double)all, (double)recovered / (double)boundary,
                             recovered};
    return count;
}

static geo_mesh small_mesh(int which)
{
    base_random random = base_random_seed((uint64_t)which + 1);
    switch (which) {
    case 0:
        return shape_ball((vec3){0.1, 0.2, 0.3}, 1, 3);
    case 1:
        return shape_soup(&random, 12, false);
    case 2:
        return shape_soup(&random, 20, true);
    case 3:
        return shape_cells(&random, 0x0123456789abcdef);
    default:
        return shape_move(shape_box((vec3){0, 0, 0}, (vec3){1, 2, 0.1}), shape_pose(&random, 1), 1);
    }
}

Test(pointshell, equals_plain_loops)
{
    SCOPED_FREE vec3 *const points = base_alloc(1 << 16, sizeof *points);
    for (int which = 0; which < 5; which++) {
        SCOPED_FIXTURE f = voxelise(small_mesh(which), 9);
        size_t counts[2];
        for (int two_phases = 0; two_phases < 2; two_phases++) {
            plain_shares shares;
            const size_t all = plain_points(&f, two_phases, points, &shares);
            cr_assert(all > 20 && all <= 1 << 16, "mesh %d: %zu", which, all);
            SCOPED_FREE vec3 *const expected = sorted_copy(points, all);
            const size_t count = counts[two_phases] = drop_equal(expected, all);
            for (int n = 0; n < (two_phases ? 4 : 1); n++) {
                const alg_pointshell shell = build_with(
                    &f, (alg_pointshell_options){.kind = two_phases ? ALG_POINTSHELL_TWO_PHASE
                                                                    : ALG_POINTSHELL_ALL,
                                                 .navigation = (alg_voxel_navigation)n});
                cr_assert_eq(shell.count, count, "mesh %d: %u for %zu", which, shell.count, count);
                SCOPED_FREE vec3 *const found = sorted_copy(shell.points, count);
                cr_assert_eq(memcmp(found, expected, count * sizeof *found), 0,
                             "mesh %d, %d phases", which, 1 + two_phases);
                cr_assert(!two_phases || shell.recovered_share == shares.recovered, "mesh %d",
                          which);
                cr_assert_eq(shell.boundary_share, shares.boundary, "mesh %d", which);
                cr_assert(!two_phases || shell.recovered_count == (double)shares.recovered_count);
                cr_assert(shell.projection_error < 1e-9 && shell.project_ns > 0);
            }
        }
        cr_assert_leq(counts[1], counts[0]);
    }
}

Test(pointshell, the_old_generator_finds_the_points_of_all_pairs)
{
    for (int which = 0; which < 5; which++) {
        SCOPED_FIXTURE f = voxelise(small_mesh(which), 12);
        const alg_pointshell old = build(&f, ALG_POINTSHELL_OLD);
        const alg_pointshell all =
            build_with(&f, (alg_pointshell_options){.kind = ALG_POINTSHELL_ALL,
                                                    .projection = ALG_POINTSHELL_VORONOI});
        cr_assert_eq(old.count, all.count, "mesh %d: %u, %u", which, old.count, all.count);
        SCOPED_FREE vec3 *const a = sorted_copy(old.points, old.count);
        SCOPED_FREE vec3 *const b = sorted_copy(all.points, all.count);
        cr_assert_eq(memcmp(a, b, old.count * sizeof *a), 0, "mesh %d", which);
        cr_assert(old.reach == all.reach && old.boundary_share == all.boundary_share);
    }
}

/* --- Guarantees ------------------------------------------------------------------------------- */

/** Returns a random point of a random face. */
static vec3 surface_point(base_random *random, const geo_mesh *mesh)
{
    const geo_triangle t = geo_mesh_triangle(mesh, base_random_below(random, mesh->face_count));
    double s = base_random_unit(random), u = base_random_unit(random);
    if (s + u > 1) {
        s = 1 - s;
        u = 1 - u;
    }
    if (base_random_below(random, 8) == 0) {
        return t.p[base_random_below(random, 3)];
    }
    return vec3_madd(vec3_madd(t.p[0], s, vec3_sub(t.p[1], t.p[0])), u, vec3_sub(t.p[2], t.p[0]));
}

Test(pointshell, no_point_of_the_surface_is_beyond_reach)
{
    static const double most_edges[4] = {1.733, 0.867, 1.25, 0.867};
    double farthest[4] = {0};
    for (int which = 0; which < 5; which++) {
        SCOPED_FIXTURE f = voxelise(small_mesh(which), 10);
        for (int k = 0; k < 4; k++) {
            const alg_pointshell shell = build(&f, kinds[k]);
            base_random random = base_random_seed(77);
            for (int n = 0; n < 4000; n++) {
                const vec3 p = surface_point(&random, &f.mesh);
                double least2 = INFINITY;
                for (uint32_t i = 0; i < shell.count; i++) {
                    least2 = fmin(least2, vec3_distance2(p, shell.points[i]));
                }
                const double distance = sqrt(least2);
                cr_assert_leq(distance, shell.reach, "mesh %d, %s: %g edges", which, kind_names[k],
                              distance / f.map.grid.edge);
                farthest[k] = fmax(farthest[k], distance / f.map.grid.edge);
            }
            cr_assert_lt(shell.reach, most_edges[k] * f.map.grid.edge, "mesh %d, %s", which,
                         kind_names[k]);
        }
    }
    /* The bounds are tight: the distances exceed the bounds of the other kinds. */
    cr_assert(farthest[0] > 0.9 && farthest[1] > 0.6 && farthest[2] > 0.6, "%g %g %g", farthest[0],
              farthest[1], farthest[2]);
}

/**
 * Tests two triangles in a voxel of edge 1: the point of the first is as far as possible from the
 * second.
 */
Test(pointshell, reach_is_tight)
{
    const double e = 1e-6;
    /* The first triangle faces the middle (0.5, 0.5, 0.5) near the lower corner; the second is a
     * needle from there, or from the middle, to the upper corner. */
    for (int k = 0; k < 2; k++) {
        const vec3 from = k == 0 ? (vec3){1 - 5 * e, 1 - 5 * e, 1 - 5 * e} : (vec3){0.5, 0.5, 0.5};
        const vec3 corners[8] = {
            {6 * e, e, e},
            {e, 6 * e, e},
            {e, e, 6 * e},
            from,
            {1 - e, 1 - e, 1 - e},
            {from.x + e, from.y, from.z},
            {0, 0, 0},
            {8, 8, 8},
        };
        const geo_face faces[4] = {{{0, 1, 2}}, {{3, 4, 5}}, {{6, 6, 6}}, {{7, 7, 7}}};
        geo_mesh_builder both = shape_copy(&(geo_mesh){corners, 8, faces, 4});
        SCOPED_FIXTURE f = voxelise(geo_mesh_builder_finish(&both), 8);
        const alg_pointshell shell =
            build(&f, k == 0 ? ALG_POINTSHELL_TWO_PHASE : ALG_POINTSHELL_ALL);
        double least = INFINITY;
        for (uint32_t i = 0; i < shell.count; i++) {
            /* The two points in corners of the box belong to the last two triangles. */
            if (vec3_norm(shell.points[i]) > 0) {
                least = fmin(least, vec3_distance(corners[4], shell.points[i]));
            }
        }
        cr_assert(least <= shell.reach && least > 0.99 * shell.reach, "%s: %g of %g", kind_names[k],
                  least, shell.reach);
    }
}

/**
 * Returns flat triangles across the middle of a cube's faces: their voxels have points of the cube,
 * and the middles of these voxels project to the ends of the triangles.
 */
static geo_mesh make_needles(void)
{
    geo_mesh_builder needles = shape_new(3 * 50, 50);
    base_random random = base_random_seed(9);
    for (uint32_t i = 0; i < 50; i++) {
        const vec3 from = {base_random_range(&random, -0.9, 0.9),
                           base_random_range(&random, -0.9, 0.9), 0.97};
        needles.vertices[3 * i] = from;
        needles.vertices[3 * i + 1] = vec3_add(from, (vec3){0, 0, 0.02});
        needles.vertices[3 * i + 2] = vec3_add(from, (vec3){0.001, 0, 0.02});
        needles.faces[i] = (geo_face){{3 * i, 3 * i + 1, 3 * i + 2}};
    }
    return geo_mesh_builder_finish(&needles);
}

/**
 * Tests that points are distinct, and that their shares sum to the integral of the normal: 0 for a
 * closed surface.
 */
Test(pointshell, points_are_distinct_and_share_the_surface)
{
    for (int which = 0; which < 8; which++) {
        /* The sixth body is a box. The seventh has triangles without points, and the last one parts
         * without points. */
        geo_mesh body = which < 5    ? small_mesh(which)
                        : which == 5 ? shape_box((vec3){0, 0, 0}, (vec3){1, 0.8, 0.6})
                        : which == 6 ? shape_ball((vec3){0, 0, 0}, 1, 20)
                                     : shape_join(shape_cube((vec3){0, 0, 0}, 1), make_needles());
        SCOPED_FIXTURE f = voxelise(body, 12);
        vec3 whole = {0, 0, 0};
        double area = 0;
        for (size_t i = 0; i < f.mesh.face_count; i++) {
            const geo_triangle t = geo_mesh_triangle(&f.mesh, i);
            const vec3 inward =
                vec3_scale(0.5, vec3_cross(vec3_sub(t.p[2], t.p[0]), vec3_sub(t.p[1], t.p[0])));
            whole = vec3_add(whole, inward);
            area += vec3_norm(inward);
        }
        for (int k = 0; k < 4; k++) {
            const alg_pointshell shell = build_with(
                &f, (alg_pointshell_options){.kind = kinds[k], .seed = 1, .shares = true});
            vec3 *const points = sorted_copy(shell.points, shell.count);
            cr_assert_eq(drop_equal(points, shell.count), shell.count, "mesh %d, %s", which,
                         kind_names[k]);
            base_free(points);
            vec3 sum = {0, 0, 0};
            double all = 0;
            for (uint32_t i = 0; i < shell.count; i++) {
                sum = vec3_add(sum, shell.shares[i]);
                all += vec3_norm(shell.shares[i]);
            }
            const double off = vec3_norm(vec3_sub(sum, vec3_scale(1 / area, whole)));
            cr_assert(off < 1e-12, "mesh %d, %s: off by %g", which, kind_names[k], off);
            cr_assert(all <= 1 + 1e-12 && (which < 5 || all > 0.8), "mesh %d, %s: %g", which,
                      kind_names[k], all);
        }
    }
}

/**
 * Tests that the shares of a face's points have the normal of the face, also for a thin box, and
 * also where the normals of voxels are those of an edge.
 */
Test(pointshell, shares_of_a_face_add_up_to_its_area)
{
    static const vec3 sizes[] = {
        {1, 1, 1},
        {1, 0.7, 0.004},
    };
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        const vec3 d = sizes[n];
        const double whole = 2 * (d.x * d.y + d.y * d.z + d.z * d.x);
        const double expected[] = {d.y * d.z / whole, d.z * d.x / whole, d.x * d.y / whole};
        SCOPED_FIXTURE f = voxelise(shape_box((vec3){0, 0, 0}, d), 24);
        for (int k = 0; k < 4; k++) {
            const alg_pointshell shell = build_with(
                &f, (alg_pointshell_options){.kind = kinds[k], .seed = 1, .shares = true});
            for (int side = 0; side < 6; side++) {
                double sum = 0;
                for (uint32_t i = 0; i < shell.count; i++) {
                    const double share = vec3_get(shell.shares[i], side / 2);
                    sum += side % 2 ? fmax(0, share) : fmax(0, -share);
                }
                cr_assert_float_eq(sum, expected[side / 2], 1e-9, "box %zu, %s, side %d: %g for %g",
                                   n, kind_names[k], side, sum, expected[side / 2]);
            }
        }
    }
}

/**
 * Tests that the shares of points on a face that is diagonal to the grid are as large as on an
 * axis-aligned face.
 */
Test(pointshell, shares_do_not_depend_on_how_a_face_lies_in_the_grid)
{
    double areas[2], counts[2];
    for (int turned = 0; turned < 2; turned++) {
        geo_pose pose = geo_pose_identity();
        if (turned) { /* the diagonal of the cube becomes an axis */
            const vec3 z = vec3_normalize((vec3){1, 1, 1}), x = vec3_normalize((vec3){1, -1, 0});
            pose.rotation = (mat3){{x, vec3_cross(z, x), z}};
        }
        SCOPED_FIXTURE f = voxelise(shape_move(shape_cube((vec3){0, 0, 0}, 1), pose, 1), 40);
        const alg_pointshell shell = build_with(&f, (alg_pointshell_options){.shares = true});
        /* The points in a square of edge 1 in the middle of a face, and their number in squared
         * voxel edges. */
        const geo_pose back = geo_pose_inverse(&pose);
        areas[turned] = counts[turned] = 0;
        for (uint32_t i = 0; i < shell.count; i++) {
            const vec3 p = geo_pose_apply(&back, shell.points[i]);
            if (p.x > 1 - 1e-9 && fabs(p.y) < 0.5 && fabs(p.z) < 0.5) {
                /* the area of the cube: 6 faces of area 4 */
                areas[turned] += 24 * vec3_norm(shell.shares[i]);
                counts[turned] += f.map.grid.edge * f.map.grid.edge;
            }
        }
    }
    cr_assert(fabs(areas[0] - 1) < 0.06 && fabs(areas[1] - 1) < 0.06, "%g %g", areas[0], areas[1]);
    cr_assert(counts[1] > 1.5 * counts[0], "counts are biased: %g %g", counts[0], counts[1]);
}

/**
 * Tests a rotated plate thinner than a voxel: if it is known to be a solid, most points have the
 * normal of their own side.
 */
Test(pointshell, normals_of_a_thin_solid_are_those_of_its_faces)
{
    base_random random = base_random_seed(11);
    for (int k = 0; k < 6; k++) {
        const geo_pose pose = shape_pose(&random, 1), back = geo_pose_inverse(&pose);
        const double thin = 0.002 * (1 + k);
        SCOPED_FIXTURE f =
            voxelise(shape_move(shape_box((vec3){0, 0, 0}, (vec3){1, 1, thin}), pose, 1), 40);
        size_t wrong[2] = {0, 0}, asked = 0;
        for (int solid = 0; solid < 2; solid++) {
            const alg_pointshell shell =
                build_with(&f, (alg_pointshell_options){.solid = solid != 0});
            asked = 0;
            for (uint32_t i = 0; i < shell.count; i++) {
                const vec3 p = geo_pose_apply(&back, shell.points[i]);
                const vec3 n = geo_pose_rotate(&back, shell.normals[i]);
                const bool upper = fabs(p.z - thin) < 1e-9, lower = fabs(p.z) < 1e-9;
                if ((upper || lower) && fabs(p.x - 0.5) < 0.45 && fabs(p.y - 0.5) < 0.45) {
                    wrong[solid] += (upper ? -n.z : n.z) < 0.9;
                    asked++;
                }
            }
        }
        cr_assert(4 * wrong[1] < asked && 2 * wrong[1] < wrong[0], "%g: %zu and %zu of %zu", thin,
                  wrong[1], wrong[0], asked);
    }
}

Test(pointshell, normals_of_a_ball_point_to_its_centre)
{
    const vec3 centre = {0.3, -0.2, 5};
    SCOPED_FIXTURE f = voxelise(shape_ball(centre, 1, 16), 40);
    SCOPED_FIXTURE turned = voxelise(shape_reverse(shape_ball(centre, 1, 16)), 40);
    for (int k = 0; k < 4; k++) {
        const alg_pointshell shell = build(&f, kinds[k]), other = build(&turned, kinds[k]);
        double least = 1, sum = 0;
        for (uint32_t i = 0; i < shell.count; i++) {
            const vec3 inward = vec3_normalize(vec3_sub(centre, shell.points[i]));
            const double cosine = vec3_dot(inward, shell.normals[i]);
            cr_assert_float_eq(vec3_norm(shell.normals[i]), 1, 1e-15);
            least = fmin(least, cosine);
            sum += cosine;
        }
        cr_assert_gt(least, 0.985, "%s: off by %g degrees", kind_names[k], acos(least) * 57.3);
        cr_assert_gt(sum / shell.count, 0.998, "%s", kind_names[k]);
        cr_assert(shell.count == other.count || kinds[k] == ALG_POINTSHELL_BLUE_NOISE);
        for (uint32_t i = 0; i < shell.count && kinds[k] == ALG_POINTSHELL_TWO_PHASE; i++) {
            cr_assert(near(shell.points[i], other.points[i], 1e-12));
            cr_assert(vec3_equal(shell.normals[i], other.normals[i]), "point %u", i);
        }
    }
}

/** Computes the voxel of a point from the planes of the grid. */
static void plain_voxel(const alg_voxel_grid *grid, vec3 p, uint32_t voxel[3])
{
    for (int axis = 0; axis < 3; axis++) {
        voxel[axis] = 0;
        while (alg_voxel_plane(grid, axis, voxel[axis] + 1) <= vec3_get(p, axis)) {
            voxel[axis]++;
        }
    }
}

/** Returns the interleaved bits of x, y and z, from the highest. */
static uint64_t plain_code(const alg_voxel_grid *grid, vec3 p)
{
    uint32_t voxel[3];
    plain_voxel(grid, p, voxel);
    uint64_t code = 0;
    for (int bit = 14; bit >= 0; bit--) {
        for (int axis = 2; axis >= 0; axis--) {
            code = 2 * code + (voxel[axis] >> bit & 1);
        }
    }
    return code;
}

Test(pointshell, points_follow_morton)
{
    /* Planes of the boxes are planes of the grid; the second box has more voxels than fit in 8
     * bits. */
    fixture fixtures[3] = {voxelise(shape_ball((vec3){0, 0, 0}, 1, 6), 20),
                           voxelise(shape_box((vec3){0, 0, 0}, (vec3){6, 5, 4}), 6),
                           voxelise(shape_box((vec3){0, 0, 0}, (vec3){1000, 1, 2}), 1000)};
    for (int which = 0; which < 3; which++) {
        fixture *const f = &fixtures[which];
        for (int k = 0; k < 4; k++) {
            const alg_pointshell shell = build(f, kinds[k]);
            uint64_t last = 0;
            for (uint32_t i = 0; i < shell.count; i++) {
                const uint64_t code = plain_code(&f->map.grid, shell.points[i]);
                cr_assert_geq(code, last, "mesh %d, %s, point %u", which, kind_names[k], i);
                last = code;
            }
        }
        tear_down(f);
    }
}

Test(pointshell, normals_are_sums_over_125_voxels)
{
    for (int which = 0; which < 5; which++) {
        SCOPED_FIXTURE f = voxelise(small_mesh(which), 14);
        const alg_pointshell shell = build(&f, ALG_POINTSHELL_TWO_PHASE);
        size_t compared = 0;
        for (uint32_t n = 0; n < shell.count; n++) {
            uint32_t v[3];
            plain_voxel(&f.map.grid, shell.points[n], v);
            vec3 sum = {0, 0, 0};
            for (uint32_t i = 0; i < 125; i++) {
                const uint32_t x = i % 5, y = i / 5 % 5, z = i / 25;
                const int layer = alg_voxel_layer(&f.map, v[0] + x - 2, v[1] + y - 2, v[2] + z - 2);
                const vec3 direction = {(double)x - 2, (double)y - 2, (double)z - 2};
                sum = vec3_madd(sum, layer, direction);
            }
            if (vec3_norm2(sum) > 0) {
                compared++;
                cr_assert(vec3_equal(shell.normals[n], vec3_normalize(sum)), "mesh %d, point %u",
                          which, n);
            }
        }
        cr_assert_gt(2 * compared, shell.count, "mesh %d", which);
    }
}

Test(pointshell, is_the_same_again_and_scales)
{
    for (int which = 0; which < 5; which++) {
        SCOPED_FIXTURE f = voxelise(small_mesh(which), 10);
        SCOPED_FIXTURE large = voxelise(shape_move(small_mesh(which), geo_pose_identity(), 2), 10);
        for (int k = 0; k < 4; k++) {
            const alg_pointshell one = build(&f, kinds[k]), again = build(&f, kinds[k]);
            const alg_pointshell two = build(&large, kinds[k]);
            cr_assert(one.count == again.count && one.count == two.count, "mesh %d, %s", which,
                      kind_names[k]);
            cr_assert(two.reach == 2 * one.reach && two.spacing_mean == 2 * one.spacing_mean &&
                          two.spacing_deviation == one.spacing_deviation,
                      "mesh %d, %s", which, kind_names[k]);
            for (uint32_t i = 0; i < one.count; i++) {
                cr_assert(vec3_equal(one.points[i], again.points[i]) &&
                              vec3_equal(one.normals[i], again.normals[i]),
                          "mesh %d, %s, point %u", which, kind_names[k], i);
                cr_assert(vec3_equal(vec3_scale(2, one.points[i]), two.points[i]) &&
                              vec3_equal(one.normals[i], two.normals[i]),
                          "mesh %d, %s, point %u", which, kind_names[k], i);
            }
        }
    }
}

/** Five normals at known angles to the inward normal (0, 0, -1) of a face, and one on a needle. */
Test(pointshell, angles_of_normals_by_hand)
{
    vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    geo_face faces[] = {{{0, 1, 2}}, {{0, 1, 3}}};
    const geo_mesh mesh = {
        .vertices = vertices, .vertex_count = 4, .faces = faces, .face_count = 2};
    vec3 normals[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, 0.5, -sqrt(0.75)},
                      {0, 0, 1}, {0, 1, 0}};
    uint32_t owners[] = {0, 0, 0, 0, 1, 0};
    alg_pointshell shell = {.count = 6, .normals = normals, .faces = owners};
    alg_pointshell_angles angles;
    assert_ok(alg_pointshell_angles_measure(&mesh, &shell, &angles, ERR));
    cr_assert_float_eq(angles.median, 90, 1e-12);
    cr_assert(angles.p95 == 180 && angles.largest == 180 && angles.turned_share == 0.2);
    shell.count = 4;
    assert_ok(alg_pointshell_angles_measure(&mesh, &shell, &angles, ERR));
    cr_assert_float_eq(angles.median, 30, 1e-12);
    cr_assert_eq(angles.turned_share, 0.25);
    owners[0] = 1;
    shell.count = 1;
    assert_ok(alg_pointshell_angles_measure(&mesh, &shell, &angles, ERR));
    cr_assert(isnan(angles.median) && isnan(angles.p95) && isnan(angles.largest) &&
              isnan(angles.turned_share));
}

Test(pointshell, blue_noise_is_more_even_with_as_many_points)
{
    for (int which = 0; which < 3; which++) {
        SCOPED_FIXTURE f = voxelise(which == 0   ? shape_ball((vec3){0, 0, 0}, 1, 8)
                                    : which == 1 ? shape_torus(16, 2, 0.7)
                                                 : shape_box((vec3){0, 0, 0}, (vec3){2, 1, 0.3}),
                                    24);
        const alg_pointshell two = build(&f, ALG_POINTSHELL_TWO_PHASE);
        const alg_pointshell blue = build(&f, ALG_POINTSHELL_BLUE_NOISE);
        cr_assert(fabs((double)blue.count - two.count) <= 0.01 * two.count, "%d: %u for %u", which,
                  blue.count, two.count);
        cr_assert_lt(blue.spacing_deviation, 0.5 * two.spacing_deviation, "%d", which);
        cr_assert_gt(blue.spacing_least, 0.7 * blue.spacing_mean, "%d", which);
        const alg_pointshell other =
            build_with(&f, (alg_pointshell_options){.kind = ALG_POINTSHELL_BLUE_NOISE, .seed = 2});
        cr_assert(other.count != blue.count ||
                  memcmp(other.points, blue.points, blue.count * sizeof *blue.points) != 0);
    }
}

Test(pointshell, failing_allocations_are_reported)
{
    SCOPED_FIXTURE f = voxelise(shape_ball((vec3){0, 0, 0}, 1, 3), 10);
    for (int k = 0; k < 4; k++) {
        const alg_pointshell_options options = {.kind = kinds[k]};
        base_arena arena = {0};
        alg_pointshell shell;
        cr_assert_geq(
            COUNT_FAILURES(alg_pointshell_build(&f.mesh, &f.map, &options, &arena, &shell, ERR),
                           base_arena_release(&arena)),
            8, "%s", kind_names[k]);
    }
}
