/**
 * Tests bodies: their voxels, the voxels that a probe keeps, and the points, normals and
 * descriptors.
 */
#include "algorithms/imp/body.h"

#include "algorithms/imp/tests/bodies.h"
#include "algorithms/imp/tree.h"
#include "algorithms/life.h"
#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/pointshell.h"
#include "algorithms/voxel/surface.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static alg_imp_options options_of(alg_role role, uint32_t voxels, alg_imp_fill fill,
                                  alg_imp_probe probe)
{
    return (alg_imp_options){.role = role,
                             .resolution = {voxels, NAN},
                             .fill = fill,
                             .probe = probe,
                             .tree = {.threads = 1}};
}

static alg_imp_body *prepare(const alg_imp_options *options, const alg_mesh *mesh,
                             alg_build_info *info)
{
    void *body;
    alg_message message = {""};
    cr_assert_eq(alg_imp_body_prepare(options, mesh, &body, info, &message), ALG_OK, "%s",
                 message.text);
    return body;
}

/** The parts that a body is made of, built independently. */
typedef struct parts {
    base_arena arena;
    alg_voxel_bits surface;
    alg_voxel_map map;
    alg_pointshell shell;
} parts;

static parts make_parts(const geo_mesh *mesh, const alg_voxel_grid *grid)
{
    parts p = {0};
    uint64_t tests;
    assert_ok(alg_voxel_bits_create(grid->size, &p.surface, ERR));
    assert_ok(alg_voxel_surface_mark(mesh, grid, &(alg_voxel_surface_options){0}, &p.surface,
                                     &tests, ERR));
    assert_ok(alg_voxel_map_build(grid, &p.surface,
                                  &(alg_voxel_map_options){.layers = 2, .storage = ALG_VOXEL_DENSE},
                                  &p.arena, &p.map, ERR));
    assert_ok(
        alg_pointshell_build(mesh, &p.map, &(alg_pointshell_options){0}, &p.arena, &p.shell, ERR));
    return p;
}

static void release_parts(parts *p)
{
    alg_voxel_bits_release(&p->surface);
    base_arena_release(&p->arena);
}

/* --- Descriptors ------------------------------------------------------------------------------ */

static bool beside_surface(const alg_voxel_bits *surface, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = surface->size;
    bool found = false;
    for (int k = 0; k < 27; k++) {
        const uint32_t i = x + (uint32_t)(k % 3) - 1, j = y + (uint32_t)(k / 3 % 3) - 1;
        const uint32_t l = z + (uint32_t)(k / 9) - 1;
        found |= i < n[0] && j < n[1] && l < n[2] && alg_voxel_bit(surface, i, j, l);
    }
    return found;
}

static void check_descriptors(const alg_imp_body *b, const parts *p)
{
    const uint32_t *const n = b->grid.size;
    uint32_t counts[4] = {0};
    for (uint32_t z = 0; z < n[2]; z++) {
        for (uint32_t y = 0; y < n[1]; y++) {
            for (uint32_t x = 0; x < n[0]; x++) {
                const int layer = alg_voxel_layer(&p->map, x, y, z);
                const alg_imp_descriptor wanted = layer == 0  ? ALG_IMP_VOXEL_SURFACE
                                                  : layer > 0 ? ALG_IMP_VOXEL_FULL
                                                  : beside_surface(&p->surface, x, y, z)
                                                      ? ALG_IMP_VOXEL_PROXIMITY
                                                      : ALG_IMP_VOXEL_EMPTY;
                const alg_imp_descriptor got = alg_imp_descriptor_at(b, x, y, z);
                cr_assert_eq(got, wanted, "%u %u %u: %d, not %d", x, y, z, got, wanted);
                counts[got]++;
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        cr_assert(counts[i] > 100, "kind %d: %u", i, counts[i]);
    }
}

/* --- Points ----------------------------------------------------------------------------------- */

static bool same_cell(alg_imp_cell a, alg_imp_cell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

typedef struct points_check {
    const alg_imp_body *body;
    const parts *parts;
    uint32_t without; /* number of voxels without a point */
} points_check;

/**
 * Checks the point of a voxel. If points lie in the voxel, it is the one of them that is nearest to
 * the voxel's centre. Otherwise it is the nearest one of all points.
 */
static void check_point(void *context, uint32_t number, alg_imp_cell cell)
{
    points_check *const c = context;
    const alg_voxel_grid *const grid = &c->body->grid;
    const alg_pointshell *const shell = &c->parts->shell;
    const vec3 centre = alg_voxel_middle(grid, cell.x, cell.y, cell.z);
    uint32_t best[2] = {UINT32_MAX, UINT32_MAX}; /* nearest of all points, and of those in the
                                                    voxel */
    cr_assert(alg_voxel_bit(&c->parts->surface, cell.x, cell.y, cell.z));
    for (uint32_t i = 0; i < shell->count; i++) {
        const double d2 = vec3_distance2(shell->points[i], centre);
        const bool inside = same_cell(alg_imp_cell_of(grid, shell->points[i]), cell);
        for (int k = 0; k <= inside; k++) {
            if (best[k] == UINT32_MAX || d2 < vec3_distance2(shell->points[best[k]], centre)) {
                best[k] = i;
            }
        }
    }
    const uint32_t wanted = best[1] < UINT32_MAX ? best[1] : best[0];
    c->without += best[1] == UINT32_MAX;
    const alg_imp_voxel *const v = &c->body->voxels[number];
    const vec3 from_corner = vec3_sub(shell->points[wanted], grid->corner);
    for (int axis = 0; axis < 3; axis++) {
        cr_assert_eq(v->point[axis], (float)vec3_get(from_corner, axis), "voxel %u", number);
        cr_assert_eq(v->normal[axis], -(float)vec3_get(shell->normals[wanted], axis), "voxel %u",
                     number);
    }
}

Test(imp_body, voxels_have_descriptors_and_the_nearest_points)
{
    geo_mesh meshes[2] = {shape_ball((vec3){0.2, -0.1, 0.3}, 1, 3), shape_torus(12, 0.7, 0.3)};
    for (int m = 0; m < 2; m++) {
        const alg_mesh mesh = shape_body(&meshes[m], true);
        const alg_imp_options o = options_of(ALG_FIXED, 21, ALG_IMP_SURFACE, ALG_IMP_POINTS);
        alg_build_info info = {0};
        alg_imp_body *const b = prepare(&o, &mesh, &info);
        parts p = make_parts(&meshes[m], &b->grid);
        check_descriptors(b, &p);
        cr_assert_eq(b->tree.voxel_count, alg_voxel_bits_count(&p.surface));
        points_check check = {b, &p, 0};
        alg_imp_tree_visit(&b->tree, check_point, &check);
        cr_assert(check.without > 10, "%u voxels without a point", check.without);
        release_parts(&p);
        alg_destroy(b);
        geo_mesh_release(&meshes[m]);
    }
}

Test(imp_body, normals_point_out_of_the_body)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 16);
    const alg_mesh mesh = shape_body(&ball, true);
    const alg_imp_options o = options_of(ALG_FIXED, 32, ALG_IMP_SURFACE, ALG_IMP_POINTS);
    alg_build_info info = {0};
    alg_imp_body *const b = prepare(&o, &mesh, &info);
    for (uint32_t i = 0; i < b->tree.voxel_count; i++) {
        const vec3 point = alg_imp_point(b, i);
        const float p[3] = {(float)point.x, (float)point.y, (float)point.z};
        const float *const n = b->voxels[i].normal;
        const float r2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        const float cosine = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
        cr_assert(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-6f);
        cr_assert(r2 < 1.0001f && r2 > 0.98f, "voxel %u: %g", i, (double)r2);
        cr_assert(cosine > 0.85f, "voxel %u: %g", i, (double)cosine);
    }
    alg_destroy(b);
}

/* --- Kept voxels ------------------------------------------------------------------------------ */

static void check_kept(void *context, uint32_t number, alg_imp_cell cell)
{
    const points_check *const c = context;
    bool holds = false;
    for (uint32_t i = 0; i < c->parts->shell.count; i++) {
        holds |= same_cell(alg_imp_cell_of(&c->body->grid, c->parts->shell.points[i]), cell);
    }
    cr_assert(holds, "voxel %u has no point", number);
    const vec3 point = alg_imp_point(c->body, number);
    const vec3 off =
        vec3_abs(vec3_sub(point, alg_voxel_middle(&c->body->grid, cell.x, cell.y, cell.z)));
    cr_assert(fmax(off.x, fmax(off.y, off.z)) < c->body->grid.edge * 0.50001, "voxel %u", number);
}

Test(imp_body, a_probe_of_points_keeps_the_voxels_that_hold_them)
{
    SCOPED_MESH torus = shape_torus(12, 0.7, 0.3);
    const alg_mesh mesh = shape_body(&torus, true);
    alg_imp_body *bodies[4];
    alg_build_info info = {0};
    for (int i = 0; i < 4; i++) {
        const alg_imp_options o = options_of(i < 2 ? ALG_FIXED : ALG_MOVING, 24, ALG_IMP_SURFACE,
                                             i % 2 ? ALG_IMP_ALL_VOXELS : ALG_IMP_POINTS);
        bodies[i] = prepare(&o, &mesh, &info);
    }
    parts p = make_parts(&torus, &bodies[0]->grid);
    points_check check = {bodies[2], &p, 0};
    alg_imp_tree_visit(&bodies[2]->tree, check_kept, &check);
    const uint32_t all = (uint32_t)alg_voxel_bits_count(&p.surface);
    uint32_t held = 0;
    for (uint32_t i = 0; i < p.shell.count; i++) {
        /* Points of a voxel are consecutive, because the points are in Morton order. */
        held += i == 0 || !same_cell(alg_imp_cell_of(&check.body->grid, p.shell.points[i - 1]),
                                     alg_imp_cell_of(&check.body->grid, p.shell.points[i]));
    }
    cr_assert_eq(bodies[2]->tree.voxel_count, held);
    cr_assert(held < all, "%u of %u", held, all);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(bodies[i]->tree.voxel_count, i == 2 ? held : all, "body %d", i);
        alg_destroy(bodies[i]);
    }
    release_parts(&p);
}

Test(imp_body, solid_voxels_have_the_volume_of_the_solid)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    for (uint32_t voxels = 6; voxels <= 48; voxels *= 2) {
        const alg_mesh mesh = shape_body(&ball, true);
        alg_build_info info = {0};
        const alg_imp_options o = options_of(ALG_MOVING, voxels, ALG_IMP_SOLID, ALG_IMP_ALL_VOXELS);
        alg_imp_body *const b = prepare(&o, &mesh, &info);
        const double cube = b->grid.edge * b->grid.edge * b->grid.edge;
        const double volume =
            cube * ((double)b->tree.full_count + b->fill_share * b->tree.voxel_count);
        cr_assert(b->fill_share > 0.3 && b->fill_share < 0.7, "%g", b->fill_share);
        cr_assert(fabs(volume / mesh.volume_m3 - 1) < 1e-12, "%u: %g", voxels, volume);
        parts p = make_parts(&ball, &b->grid);
        cr_assert_eq(b->tree.full_count, p.map.inner_count);
        release_parts(&p);
        alg_destroy(b);
    }
    const alg_mesh open = shape_body(&ball, false);
    alg_build_info info = {0};
    const alg_imp_options o = options_of(ALG_FIXED, 12, ALG_IMP_SURFACE, ALG_IMP_POINTS);
    alg_imp_body *const b = prepare(&o, &open, &info);
    cr_assert_eq(b->fill_share, 0.5);
    cr_assert_eq(b->tree.full_count, 0);
    cr_assert(!b->solid);
    alg_destroy(b);
}

typedef struct picture {
    const alg_imp_body *body;
    geo_ball last;
    uint32_t count;
    double sum;
} picture;

static void add_sphere(void *context, const geo_ball *ball)
{
    picture *const p = context;
    const vec3 t = vec3_scale(8, ball->centre);
    cr_assert(p->count == 0 || !vec3_equal(p->last.centre, ball->centre));
    /* Centres of surface voxels lie on the faces. */
    const double r = fmax(fabs(t.x - 4), fmax(fabs(t.y - 4), fabs(t.z - 4)));
    cr_assert_eq(r, 4, "%g %g %g", t.x, t.y, t.z);
    cr_assert(fabs(ball->radius - sqrt(3) / 16) < 1e-15);
    p->last = *ball;
    p->count++;
    p->sum += t.x + 10 * t.y + 100 * t.z;
}

/** Computes the shares of volumes of all balls, by the table. */
static void check_shares(const alg_imp_tree *tree, const double *facts)
{
    double sum = 0, most = 0;
    uint32_t nodes = 0;
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        const double whole = sqrt(3) * (double)(1u << l);
        double of_level = 0;
        for (uint32_t i = 0; i < tree->levels[l].count; i++) {
            const alg_imp_sphere ball = tree->tables[l][tree->levels[l].present[i]];
            of_level += pow((double)ball.radius / whole, 3);
        }
        sum += of_level;
        nodes += tree->levels[l].count;
        most = fmax(most, of_level / tree->levels[l].count);
    }
    cr_assert(most < 1.001 && sum / nodes < 0.9, "some balls are smaller");
    cr_assert(fabs(facts[ALG_IMP_FACT_BALL_SHARE] - sum / nodes) < 1e-5);
    cr_assert(fabs(facts[ALG_IMP_FACT_BALL_SHARE_MAX] - most) < 1e-5);
}

Test(imp_body, facts_and_pictures)
{
    /* The faces lie in the middle of voxels. The surface voxels are a block of 9 x 9 x 9 voxels
     * without its inner 7 x 7 x 7 voxels. */
    SCOPED_MESH box = shape_box((vec3){0, 0, 0}, (vec3){1, 1, 1});
    const alg_mesh mesh = shape_body(&box, true);
    alg_build_info info = {0};
    alg_imp_options o = options_of(ALG_FIXED, 8, ALG_IMP_SOLID, ALG_IMP_POINTS);
    o.tree.spheres = ALG_IMP_PATTERNS;
    alg_imp_body *const b = prepare(&o, &mesh, &info);
    cr_assert_eq(info.facts[ALG_IMP_FACT_VOXELS], 15 * 15 * 15);
    cr_assert_eq(info.facts[ALG_IMP_FACT_FULL_VOXELS], 7 * 7 * 7);
    cr_assert_eq(info.facts[ALG_IMP_FACT_SURFACE_VOXELS], 9 * 9 * 9 - 7 * 7 * 7);
    cr_assert_eq(info.facts[ALG_IMP_FACT_EDGE], 0.125);
    cr_assert_eq(info.facts[ALG_IMP_FACT_SMALLER_PATTERNS], 78);
    check_shares(&b->tree, info.facts);
    cr_assert_eq(info.facts[ALG_IMP_FACT_NODE_BYTES], (double)alg_imp_tree_bytes(&b->tree));
    cr_assert_eq(info.primitives, 9 * 9 * 9);
    cr_assert_eq(info.bytes, b->arena.bytes);
    picture p = {.body = b};
    const alg_sink sink = {.size = sizeof sink, .context = &p, .sphere = add_sphere};
    alg_imp_body_draw(b, &sink);
    cr_assert_eq(p.count, 386);
    cr_assert_eq(p.sum, 386 * 4 * 111);
    const alg_sink older = {.size = offsetof(alg_sink, sphere)};
    alg_imp_body_draw(b, &older);
    alg_destroy(b);
}

Test(imp_body, bodies_without_a_grid_fail)
{
    const vec3 vertices[3] = {{1e30, 0, 0}, {1e30, 0, 0}, {1e30, 0, 0}};
    const geo_face face = {{0, 1, 2}};
    const geo_mesh point = {
        .vertices = vertices, .vertex_count = 3, .faces = &face, .face_count = 1};
    const alg_mesh mesh = {.size = sizeof mesh,
                           .vertices = vertices,
                           .vertex_count = 3,
                           .faces = &face,
                           .face_count = 1,
                           .box = geo_mesh_box(&point)};
    const alg_imp_options o = options_of(ALG_FIXED, 8, ALG_IMP_SURFACE, ALG_IMP_POINTS);
    void *body = &body;
    alg_build_info info = {0};
    alg_message message = {""};
    cr_assert_eq(alg_imp_body_prepare(&o, &mesh, &body, &info, &message), ALG_FAILED);
    cr_assert_null(body);
    cr_assert(*message.text);
}

/* --- Hollows ---------------------------------------------------------------------------------- */

static uint64_t full_count(const geo_mesh *mesh, bool solid)
{
    const alg_imp_options options = options_of(ALG_FIXED, 20, ALG_IMP_SOLID, ALG_IMP_POINTS);
    const alg_mesh body = shape_body(mesh, solid);
    alg_build_info info = {0};
    alg_imp_body *const b = prepare(&options, &body, &info);
    const uint64_t count = b->tree.full_count;
    alg_destroy(b);
    return count;
}

/**
 * Tests a cube whose side is 20 voxels long, with 19 full voxels along each axis. Then tests the
 * same cube with a cubic hollow whose side is 10 voxels long.
 */
Test(imp_body, hollows_and_open_meshes_have_no_full_voxels)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1);
    cr_assert_eq(full_count(&cube, true), 19 * 19 * 19);
    cr_assert_eq(full_count(&cube, false), 0, "a mesh that is not a solid has full voxels");
    SCOPED_MESH hollow = shape_join(cube, shape_reverse(shape_cube((vec3){0, 0, 0}, 0.5)));
    /* The inner faces lie in the middle of voxels 5 and 15. */
    cr_assert_eq(full_count(&hollow, true), 19 * 19 * 19 - 11 * 11 * 11);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

enum { BLOCKS_SIZE = 70 };

/** Returns the distance from a point to the nearest voxel's cube, in half edges. */
static double gap_of(const alg_imp_cell *cells, size_t count, const float at[3])
{
    double best = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const uint32_t cell[3] = {cells[i].x, cells[i].y, cells[i].z};
        double d2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double beside = fabs((double)at[axis] - (2.0 * cell[axis] + 1)) - 1;
            d2 += beside > 0 ? beside * beside : 0;
        }
        best = fmin(best, d2);
    }
    return sqrt(best);
}

/**
 * Tests that a ball meets no voxel if a miss is reported, and that a miss is reported for each ball
 * far away.
 */
Test(imp_body, a_ball_that_misses_meets_no_voxel)
{
    base_random random = base_random_seed(2);
    int misses = 0, far = 0, told = 0;
    for (int k = 0; k < 20; k++) {
        SCOPED_SET set = make_set(BLOCKS_SIZE, BLOCKS_SIZE - 13, BLOCKS_SIZE / 2);
        alg_imp_cell cells[12];
        const size_t count = k % 2 ? 12 : 2;
        for (size_t i = 0; i < count; i++) {
            cells[i] = (alg_imp_cell){(uint32_t)base_random_range(&random, 0, BLOCKS_SIZE),
                                      (uint32_t)base_random_range(&random, 0, BLOCKS_SIZE - 13),
                                      (uint32_t)base_random_range(&random, 0, BLOCKS_SIZE / 2)};
            set_voxel(i % 2 ? &set.full : &set.surface, cells[i].x, cells[i].y, cells[i].z);
        }
        SCOPED_ARENA arena = {0};
        alg_voxel_map map;
        assert_ok(alg_imp_coarse_build(&set.surface, &set.full, &arena, &map, ERR));
        for (int i = 0; i < 2000; i++) {
            const float at[3] = {(float)base_random_range(&random, -60, 2 * BLOCKS_SIZE + 60),
                                 (float)base_random_range(&random, -60, 2 * BLOCKS_SIZE + 60),
                                 (float)base_random_range(&random, -60, BLOCKS_SIZE + 60)};
            const float radius = (float)base_random_range(&random, 0, 60);
            const double gap = gap_of(cells, count, at);
            const bool miss = alg_imp_coarse_misses(&map, at, radius);
            cr_assert(!miss || gap > (double)radius, "%d, %d: %g within %g", k, i, gap,
                      (double)radius);
            /* A layer counts blocks along the axis on which the distance is largest, so the true
             * distance is up to sqrt(3) times as long. Whole blocks of 16 half edges are counted,
             * which loses up to two blocks. */
            const bool within = at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < 2 * BLOCKS_SIZE &&
                                at[1] < 2 * (BLOCKS_SIZE - 13) && at[2] < BLOCKS_SIZE;
            const bool clear = within && gap > sqrt(3) * ((double)radius + 32);
            cr_assert(!clear || miss, "%d, %d: %g is not within %g", k, i, gap, (double)radius);
            misses += miss;
            far += clear;
            told += miss && gap < (double)radius + 40;
        }
    }
    cr_assert(misses > 1000 && far > 100 && told > 100, "%d, %d, %d", misses, far, told);
}
