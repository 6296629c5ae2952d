#include "algorithms/voxel/walls.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/field.h"
#include "algorithms/voxel/surface.h"
#include "algorithms/voxel/tests/voxels.h"
#include "base/elementary.h"
#include "base/random.h"
#include "geometry/surface.h"

/* --- Bodies of known thickness ---------------------------------------------------------------- */

/** Makes a closed box whose walls have this thickness. */
static geo_mesh hollow_box(vec3 size, double wall)
{
    const vec3 w = {wall, wall, wall};
    return shape_join(shape_box((vec3){0, 0, 0}, size),
                      shape_reverse(shape_box(w, vec3_sub(size, w))));
}

/** Makes an open tube along z: a ring of this inner and outer radius. */
static geo_mesh tube(double inner, double outer, double length, uint32_t sides)
{
    geo_mesh_builder mesh = shape_new(4 * (size_t)sides, 8 * (size_t)sides);
    for (uint32_t i = 0; i < sides; i++) {
        const double sine = base_sin(2 * BASE_PI * i / sides),
                     cosine = base_cos(2 * BASE_PI * i / sides);
        for (uint32_t k = 0; k < 4; k++) { /* inner and outer at the bottom, then at the top */
            const double r = k % 2 ? outer : inner;
            mesh.vertices[4 * i + k] = (vec3){r * cosine, r * sine, k < 2 ? 0 : length};
        }
        const uint32_t a = 4 * i, b = 4 * ((i + 1) % sides);
        const uint32_t quads[4][4] = {{a + 1, b + 1, b + 3, a + 3},
                                      {b, a, a + 2, b + 2},
                                      {a + 3, b + 3, b + 2, a + 2},
                                      {a, b, b + 1, a + 1}};
        for (uint32_t q = 0; q < 4; q++) {
            mesh.faces[8 * i + 2 * q] = (geo_face){{quads[q][0], quads[q][1], quads[q][2]}};
            mesh.faces[8 * i + 2 * q + 1] = (geo_face){{quads[q][0], quads[q][2], quads[q][3]}};
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

static geo_mesh turned(geo_mesh mesh)
{
    const geo_pose pose = geo_pose_make((geo_quat){0.3, 0.5, 0.1, 0.8}, (vec3){7, -2, 3});
    return shape_move(mesh, pose, 1);
}

/** Checks the thickness of a mesh, which is released. */
static void expect_thickness(geo_mesh mesh, double least, double most)
{
    double t = 0;
    base_error err = {0};
    cr_assert_gt(geo_mesh_measures(&mesh).volume_m3, 0);
    cr_assert_eq(alg_walls_measure(&mesh, &t, &err), BASE_OK, "%s", err.text);
    cr_assert(t >= least - 1e-12 && t <= most + 1e-12, "%.17g, not %g to %g", t, least, most);
    geo_mesh_release(&mesh);
}

Test(walls, thickness_of_known_bodies)
{
    const vec3 zero = {0, 0, 0}, plate = {1, 0.7, 0.03}, enclosure = {0.12, 0.08, 0.05};
    expect_thickness(shape_box(zero, plate), 0.03, 0.03);
    expect_thickness(turned(shape_box(zero, plate)), 0.03, 0.03);
    expect_thickness(hollow_box(enclosure, 0.003), 0.003, 0.003);
    expect_thickness(turned(hollow_box(enclosure, 0.003)), 0.003, 0.003);
    expect_thickness(shape_cube(zero, 0.5), 1, 1);
    /* A tube of 400 sides is up to 3e-5 of its radius thinner than a round one. */
    expect_thickness(tube(0.9, 1, 3, 400), 0.0999, 0.1001);
    expect_thickness(turned(tube(0.9, 1, 3, 400)), 0.0999, 0.1001);
    expect_thickness(shape_ball(zero, 2, 20), 3.9, 4);
    expect_thickness(shape_torus(64, 1, 0.2), 0.38, 0.4);
}

/** A wall counts by its share of the volume, not of the surface. */
Test(walls, a_small_part_is_no_wall)
{
    const geo_mesh fin = shape_box((vec3){3, 0, 0}, (vec3){4, 1, 0.004});
    expect_thickness(shape_join(shape_cube((vec3){0, 0, 0}, 0.5), fin), 1, 1);
    const geo_mesh wall = shape_box((vec3){3, 0, 0}, (vec3){4, 1, 0.02});
    expect_thickness(shape_join(shape_cube((vec3){0, 0, 0}, 0.5), wall), 0.02, 0.02);
}

Test(walls, ray_meets_the_next_face)
{
    SCOPED_MESH mesh = hollow_box((vec3){4, 4, 4}, 1);
    SCOPED_ARENA arena = {0};
    geo_surface surface;
    base_error err;
    cr_assert_eq(geo_surface_build(&mesh, &arena, &surface, &err), BASE_OK);
    const vec3 x = {1, 0, 0}, p = {-1, 1.7, 2.1}, on = {0, 1.7, 2.1}, beside = {-1, 5, 2};
    cr_assert_float_eq(geo_surface_ray(&surface, p, x, 0), 1, 1e-15);
    cr_assert_float_eq(geo_surface_ray(&surface, p, x, 1.5), 2, 1e-15);
    cr_assert_float_eq(geo_surface_ray(&surface, p, x, 2.5), 4, 1e-15);
    cr_assert_float_eq(geo_surface_ray(&surface, on, x, 1e-9), 1, 1e-15);
    cr_assert_eq(geo_surface_ray(&surface, p, x, 5.5), INFINITY);
    cr_assert_eq(geo_surface_ray(&surface, p, (vec3){-1, 0, 0}, 0), INFINITY);
    cr_assert_eq(geo_surface_ray(&surface, beside, x, 0), INFINITY);
    const vec3 oblique = vec3_normalize((vec3){3, 0.4, 0});
    cr_assert_float_eq(geo_surface_ray(&surface, p, oblique, 0), 1 / oblique.x, 1e-14);
}

/* --- Resolutions ------------------------------------------------------------------------------ */

/** Checks the resolution of a mesh with walls of this thickness. The mesh is released. */
static void expect_voxels(geo_mesh mesh, double wall, uint32_t asked, uint32_t most,
                          uint32_t voxels)
{
    const alg_mesh body = shape_body(&mesh, true);
    alg_resolution r;
    alg_message message = {""};
    cr_assert_eq(alg_walls_resolve(&body, asked, 64, most, &r, &message), ALG_OK, "%s",
                 message.text);
    cr_assert(asked != 0 ? isnan(r.wall_m) : fabs(r.wall_m - wall) < 1e-12 * wall, "%g", r.wall_m);
    cr_assert_eq(r.voxels, voxels, "%u instead of %u", r.voxels, voxels);
    geo_mesh_release(&mesh);
}

Test(walls, resolution_follows_the_wall_and_the_limits)
{
    const vec3 zero = {0, 0, 0}, enclosure = {0.12, 0.08, 0.05}, one = {1, 1, 1};
    expect_voxels(hollow_box(enclosure, 0.003), 0.003, 0, 2048, 200);
    expect_voxels(hollow_box(enclosure, 0.003), 0.003, 17, 2048, 17);
    expect_voxels(shape_box(zero, one), 1, 0, 2048, 64);
    expect_voxels(shape_box(zero, (vec3){1, 1, 1e-4}), 1e-4, 0, 2048, 2048);
    expect_voxels(shape_box(zero, (vec3){1, 1, 1e-4}), 1e-4, 0, 512, 512);
    /* (n + 2)^3 voxels are at most 2^26: n <= 404. */
    expect_voxels(hollow_box(one, 0.002), 0.002, 0, 2048, 404);
}

Test(walls, a_surface_has_no_walls)
{
    SCOPED_MESH mesh = shape_cube((vec3){0, 0, 0}, 1);
    const alg_mesh body = shape_body(&mesh, false);
    alg_resolution r;
    alg_message message = {""};
    cr_assert_eq(alg_walls_resolve(&body, 5, 64, 99, &r, &message), ALG_OK);
    cr_assert_eq(r.voxels, 5);
    cr_assert_eq(alg_walls_resolve(&body, 0, 64, 99, &r, &message), ALG_UNSUPPORTED);
    cr_assert_not_null(strstr(message.text, "'auto' needs a solid"), "%s", message.text);
}

/* --- Shares without inner voxels -------------------------------------------------------------- */

typedef struct fixture {
    geo_mesh mesh;
    alg_voxel_grid grid;
    alg_voxel_bits surface;
} fixture;

static fixture set_up(geo_mesh mesh, uint32_t resolution)
{
    fixture f = {.mesh = mesh};
    const alg_voxel_surface_options ours = {.generator = ALG_VOXEL_OURS};
    uint64_t tests;
    base_error err = {0};
    cr_assert(alg_voxel_grid_place(geo_mesh_box(&mesh), resolution, 1, &f.grid, &err) == BASE_OK &&
                  alg_voxel_bits_create(f.grid.size, &f.surface, &err) == BASE_OK &&
                  alg_voxel_surface_mark(&mesh, &f.grid, &ours, &f.surface, &tests, &err) ==
                      BASE_OK,
              "%s", err.text);
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    alg_voxel_bits_release(&f->surface);
}

static double share_of(const fixture *f, bool by_centre)
{
    double share = -1;
    base_error err = {0};
    cr_assert_eq(alg_thin_share(&f->mesh, &f->grid, &f->surface, by_centre, &share, &err), BASE_OK,
                 "%s", err.text);
    return share;
}

/** Checks the share of a mesh, which is released. */
static void expect_share(geo_mesh mesh, uint32_t resolution, bool by_centre, double least,
                         double most)
{
    fixture f = set_up(mesh, resolution);
    const double s = share_of(&f, by_centre);
    cr_assert(s >= least && s <= most, "%g, not %g to %g", s, least, most);
    tear_down(&f);
}

Test(thin_share, thick_bodies_have_none)
{
    expect_share(shape_cube((vec3){0, 0, 0}, 1), 12, false, 0, 0);
    expect_share(shape_cube((vec3){0, 0, 0}, 1), 12, true, 0, 0);
    expect_share(shape_ball((vec3){0, 0, 0}, 1, 12), 24, false, 0, 1e-4);
    expect_share(turned(shape_torus(32, 1, 0.4)), 40, false, 0, 1e-4);
    expect_share(turned(shape_cube((vec3){0, 0, 0}, 1)), 48, false, 0, 1e-3);
}

Test(thin_share, plates_without_an_inner_voxel_have_all)
{
    /* 0.8 edges: no voxel lies inside, but the layer of centres may. */
    const vec3 plate = {1, 1, 0.04};
    expect_share(shape_box((vec3){0, 0, 0}, plate), 20, false, 0.98, 1);
    /* 1.6 edges have a whole voxel only if it does not straddle a face. */
    expect_share(hollow_box((vec3){1, 1, 1}, 0.02), 20, false, 0.98, 1);
}

Test(thin_share, a_thin_part_has_its_share_of_the_volume)
{
    /* A cube of 1 and a plate of 0.2 volumes, of less than a voxel. */
    const geo_mesh both = shape_join(shape_cube((vec3){0, 0, 0}, 0.5),
                                     shape_box((vec3){2, -2, 0}, (vec3){7, 2, 0.01}));
    expect_share(both, 100, false, 0.2 / 1.2 - 0.005, 0.2 / 1.2 + 0.005);
}

/** Finds the voxels that count as inner, x fastest, by their centres and all triangles. */
static bool *find_inner(const fixture *f, const geo_surface *solid, bool by_centre)
{
    const uint32_t *const n = f->grid.size;
    const size_t count = (size_t)alg_voxel_grid_count(&f->grid);
    bool *const inner = base_alloc(count, sizeof *inner);
    for (uint32_t i = 0; i < count; i++) {
        const geo_box box = alg_voxel_box(&f->grid, i % n[0], i / n[0] % n[1], i / n[0] / n[1]);
        inner[i] = geo_surface_contains(solid, geo_box_centre(box));
        for (size_t k = 0; k < f->mesh.face_count && inner[i] && !by_centre; k++) {
            inner[i] = !oracle_meets(geo_mesh_triangle(&f->mesh, k), box);
        }
    }
    return inner;
}

/** Counts points of the solid on a fine grid, and those that have no inner voxel. */
static double count_share(const fixture *f, const geo_surface *solid, bool by_centre)
{
    enum { FINE = 96 };
    const uint32_t *const n = f->grid.size;
    const geo_box box = geo_mesh_box(&f->mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    bool *const inner = find_inner(f, solid, by_centre);
    size_t all = 0, thin = 0;
    for (int i = 0; i < FINE * FINE * FINE; i++) {
        const vec3 p = {box.lo.x + size.x * (i % FINE + 0.5) / FINE,
                        box.lo.y + size.y * (i / FINE % FINE + 0.5) / FINE,
                        box.lo.z + size.z * (i / (FINE * FINE) + 0.5) / FINE};
        if (!geo_surface_contains(solid, p)) {
            continue;
        }
        bool found = false;
        for (uint32_t k = 0; k < 27 && !found; k++) {
            /* The padding of one voxel keeps these in the grid. */
            const uint32_t x = (uint32_t)alg_voxel_coordinate(&f->grid, 0, p.x) + k % 3 - 1,
                           y = (uint32_t)alg_voxel_coordinate(&f->grid, 1, p.y) + k / 3 % 3 - 1,
                           z = (uint32_t)alg_voxel_coordinate(&f->grid, 2, p.z) + k / 9 - 1;
            found = inner[((size_t)z * n[1] + y) * n[0] + x];
        }
        all++;
        thin += !found;
    }
    base_free(inner);
    return (double)thin / (double)all;
}

/** Walls around the size of a voxel, in all directions: some parts have an inner voxel. */
Test(thin_share, equals_a_count_on_a_fine_grid)
{
    static const double walls[] = {0.015, 0.02, 0.03, 0.18, 0.2, 0.21, 0.22, 0.24};
    int partly = 0;
    for (int i = 0; i < 8; i++) {
        const double wall = walls[i];
        geo_mesh mesh = i % 2 ? turned(hollow_box((vec3){1, 0.9, 0.8}, wall))
                              : turned(tube(0.5 - wall, 0.5, 1, 12));
        fixture f = set_up(mesh, 11);
        SCOPED_ARENA arena = {0};
        geo_surface solid;
        base_error err;
        cr_assert_eq(geo_surface_build(&f.mesh, &arena, &solid, &err), BASE_OK);
        for (int by_centre = 0; by_centre < 2; by_centre++) {
            const double counted = count_share(&f, &solid, by_centre);
            const double found = share_of(&f, by_centre);
            cr_assert_float_eq(found, counted, 0.03, "body %d, %d: %g, counted %g", i, by_centre,
                               found, counted);
            partly += counted > 0.05 && counted < 0.95;
        }
        tear_down(&f);
    }
    cr_assert_geq(partly, 3, "%d", partly);
}

Test(thin_share, failing_allocations_are_reported)
{
    fixture f = set_up(hollow_box((vec3){1, 1, 1}, 0.02), 12);
    double value;
    cr_assert_geq(
        COUNT_FAILURES(alg_thin_share(&f.mesh, &f.grid, &f.surface, false, &value, ERR), (void)0),
        6);
    cr_assert_geq(COUNT_FAILURES(alg_walls_measure(&f.mesh, &value, ERR), (void)0), 3);
    tear_down(&f);
}
