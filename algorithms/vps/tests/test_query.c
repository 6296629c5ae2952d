/** Points in hand-made voxmaps: pushes by hand, and random tests against a reference loop. */
#include "algorithms/vps/vps.h"

#include "algorithms/tests/shapes.h"
#include "algorithms/voxel/tests/maps.h"
#include "base/random.h"
#include "base/simd.h"

#include <criterion/criterion.h>

enum { ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

/** Makes a shell of these points. */
static inline alg_vps_points points_of(vec3 *points, vec3 *normals, uint32_t count, double reach,
                                       base_arena *arena)
{
    const alg_pointshell shell = {
        .count = count, .points = points, .normals = normals, .reach = reach};
    alg_vps_points made;
    assert_ok(alg_vps_points_build(&shell, arena, &made, ERR));
    return made;
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** The body is below z = 1: surface voxels begin at 1, and layers above are negative. Edges are
 * 0.5, the corner is (-1, -1, 0) and the padding 2, so that voxel (x, y, z) begins at (x / 2 - 2,
 * y / 2 - 2, z / 2 - 1). */
static const alg_voxel_grid slab_grid = {
    .corner = {-1, -1, 0}, .edge = 0.5, .padding = 2, .size = {10, 10, 10}};

static int slab_layer(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *const n = slab_grid.size;
    (void)context;
    if (x == 0 || y == 0 || z == 0 || x + 1 == n[0] || y + 1 == n[1] || z + 1 == n[2]) {
        return -2;
    }
    const int layer = 4 - (int)z; /* layer 0: z from 1 to 1.5 */
    return layer < -2 ? -2 : layer > 2 ? 2 : layer;
}

typedef struct scene {
    base_arena arena;
    alg_voxel_map map;
    alg_voxel_clearance clearance;
    alg_voxel_distances distances;
    vec3 point, normal;
    alg_vps_points points;
    alg_vps_pair pair;
} scene;

/** Fills all voxels with distances z - 1.25. */
static void fill_distances(scene *s)
{
    const alg_voxel_grid *const grid = &s->map.grid;
    alg_voxel_distances *const d = &s->distances;
    *d = (alg_voxel_distances){
        .map = &s->map, .outward = 1, .open_count = 8, .block_count = {2, 2, 2}};
    d->blocks = base_arena_alloc(&s->arena, 8, sizeof *d->blocks);
    d->values = base_arena_alloc(&s->arena, (size_t)8 * 512, sizeof *d->values);
    for (uint32_t b = 0; b < 8; b++) {
        d->blocks[b] = b;
        for (uint32_t i = 0; i < 512; i++) {
            const uint32_t z = b / 4 * 8 + i / 64;
            d->values[b * 512 + i] = (float)(alg_voxel_middle(grid, 0, 0, z).z - 1.25);
        }
    }
}

/** Builds the clearance of a map from layer `least` on. */
static inline alg_voxel_clearance clear_map(const alg_voxel_map *map, int32_t least,
                                            base_arena *arena)
{
    alg_voxel_clearance clearance;
    assert_ok(alg_voxel_clearance_build(map, least, arena, &clearance, ERR));
    return clearance;
}

/** Opens the scene with one point and its normal. */
static void open_slab(scene *s, vec3 point, vec3 normal)
{
    *s = (scene){.point = point, .normal = normal};
    s->map = map_dense(&slab_grid, 2, slab_layer, NULL, &s->arena);
    s->clearance = clear_map(&s->map, 0, &s->arena);
    fill_distances(s);
    s->points = points_of(&s->point, &s->normal, 1, 0.125, &s->arena);
    s->pair = (alg_vps_pair){.map = &s->map,
                             .clearance = &s->clearance,
                             .points = &s->points,
                             .distances = &s->distances,
                             .layers = 2,
                             .wanted = ALL};
}

static alg_answer ask(const alg_vps_pair *pair, const geo_pose *pose)
{
    alg_answer answer = {.size = sizeof answer};
    alg_vps_query(pair, pose, &answer);
    return answer;
}

static alg_answer ask_here(const alg_vps_pair *pair)
{
    const geo_pose pose = geo_pose_identity();
    return ask(pair, &pose);
}

Test(query, depths_by_hand)
{
    static const struct {
        double z;
        double depth[3]; /* plane, layers, field */
        bool touching;
    } rows[] = {
        {1.75, {0, 0, 0}, false},     /* in the first layer outside */
        {1.5, {0, 0, 0}, false},      /* on its lower plane */
        {1.4375, {0, 0.25, 0}, true}, /* above the centre of a surface voxel */
        {1.25, {0, 0.25, 0}, true},   /* at its centre */
        {1.125, {0.125, 0.25, 0.125}, true},
        {1, {0.25, 0.25, 0.25}, true},
        {0.875, {0.375, 0.5, 0.375}, true}, /* in the first layer inside */
        {0.5, {0.75, 0.5, 0.75}, true},
        {0.25, {1, 1, 1}, true}, /* in the second, last layer: two edges everywhere */
        {0, {1, 1, 1.25}, true},
        {-0.25, {1, 1, 1.5}, true}, /* in the third layer, limited to 2 */
        {-0.75, {0, 0, 0}, false},  /* in the outermost voxels */
        {-1.25, {0, 0, 0}, false},  /* outside of the grid */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int depth = 0; depth < 3; depth++) {
            scene s;
            open_slab(&s, (vec3){0.125, -0.25, rows[i].z}, (vec3){0, 0, 1});
            s.pair.depth = (alg_vps_depth)depth;
            const alg_answer a = ask_here(&s.pair);
            const double want = rows[i].depth[depth];
            cr_assert_float_eq(a.depth_m, want, 1e-15, "z %g, %d: %g", rows[i].z, depth, a.depth_m);
            cr_assert(a.colliding == rows[i].touching, "z %g, %d", rows[i].z, depth);
            cr_assert(vec3_equal(a.force, (vec3){0, 0, a.depth_m}) &&
                          a.direction.z == (want > 0 ? 1 : 0) && a.contact_count == (want > 0),
                      "z %g, %d", rows[i].z, depth);
            cr_assert(a.counters[ALG_VPS_COUNT_POINTS] == 1 &&
                      a.counters[ALG_VPS_COUNT_LOOKUPS] == (rows[i].z > -1) &&
                      a.counters[ALG_VPS_COUNT_CONTACTS] == a.contact_count);
            const bool cut = rows[i].z <= 0.25 && rows[i].z >= -0.25 && depth != ALG_VPS_FIELD;
            cr_assert_eq(a.outcome, cut ? ALG_BUDGET_REACHED : ALG_CONVERGED, "z %g, %d", rows[i].z,
                         depth);
            base_arena_release(&s.arena);
        }
    }
}

/** Quantities that are not wanted must not be answered, since every answer is judged. */
Test(query, answers_only_wanted_quantities)
{
    static const unsigned wanted[] = {ALG_WANT_CONTACT, ALG_WANT_DEPTH, ALG_WANT_FORCE};
    static const uint32_t answered[] = {ALG_HAS_CONTACT, ALG_HAS_CONTACTS | ALG_HAS_DEPTH,
                                        ALG_HAS_CONTACTS | ALG_HAS_FORCE};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        scene s;
        open_slab(&s, (vec3){0.125, -0.25, 0.5}, (vec3){0, 0, 1});
        s.pair.wanted = wanted[i];
        const alg_answer a = ask_here(&s.pair);
        cr_assert_eq(a.answered, answered[i], "wanted %u: %u", wanted[i], (unsigned)a.answered);
        base_arena_release(&s.arena);
    }
}

Test(query, a_plane_is_the_points_own)
{
    /* The centre of the voxel is (0.25, -0.25, 1.25); the vector from p to it is (0.125, 0.125,
       -0.0625). */
    const struct {
        vec3 normal;
        double depth;
    } rows[] = {
        {{1, 0, 0}, 0.125}, {{-1, 0, 0}, 0},      {{0, 1, 0}, 0.125},
        {{0, 0, 1}, 0},     {{0, 0, -1}, 0.0625}, {{0.6, 0, -0.8}, 0.6 * 0.125 + 0.8 * 0.0625},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s;
        open_slab(&s, (vec3){0.125, -0.375, 1.3125}, rows[i].normal);
        const alg_answer a = ask_here(&s.pair);
        cr_assert_float_eq(a.depth_m, rows[i].depth, 1e-15, "%zu: %g", i, a.depth_m);
        base_arena_release(&s.arena);
    }
}

/** A share's length is a weight and its direction the normal; a point without a share keeps its
 * normal. */
Test(query, shares_are_weights_and_normals)
{
    vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    vec3 normals[3] = {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    vec3 shares[3] = {{0, 0, 0.25}, {0.3, 0.4, 0}, {0, 0, 0}};
    const alg_pointshell shell = {
        .count = 3, .points = points, .normals = normals, .shares = shares};
    SCOPED_ARENA arena = {0};
    alg_vps_points made;
    assert_ok(alg_vps_points_build(&shell, &arena, &made, ERR));
    const double weights[3] = {0.75, 1.5, 0};
    const vec3 own[3] = {{0, 0, 1}, {0.6, 0.8, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(made.weights[i], weights[i], 1e-15, "%d: %g", i, made.weights[i]);
        cr_assert(vec3_distance(made.normals[i], own[i]) < 1e-15, "%d", i);
    }
}

Test(query, a_torque_is_about_the_centroid_of_b)
{
    scene s;
    open_slab(&s, (vec3){0.5, 0.25, 1}, (vec3){0, 0, 1});
    s.pair.centroid_b = (vec3){0.25, 0.5, 3};
    const alg_answer a = ask_here(&s.pair);
    /* The torque is (0.25, -0.25, -2) x (0, 0, 0.25). */
    cr_assert(vec3_equal(a.torque, (vec3){-0.0625, -0.0625, 0}), "%g %g %g", a.torque.x, a.torque.y,
              a.torque.z);
    base_arena_release(&s.arena);
}

/** A quarter turn about x maps the z axis of B to -y of A. */
Test(query, the_voxmap_may_be_the_one_that_moves)
{
    const geo_pose pose = {{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {0, 2, 0.5}};
    for (int depth = 0; depth < 3; depth++) {
        scene s;
        /* B's (0.125, 0.25, 1) is (0.125, 1, 0.75) in A's frame, and its z axis is -y. */
        open_slab(&s, (vec3){0.125, 1, 0.75}, (vec3){0, -1, 0});
        s.pair.moving = true;
        s.pair.depth = (alg_vps_depth)depth;
        s.pair.centroid_b = (vec3){0, 0, 1}; /* (0, 1, 0.5) in A's frame */
        const alg_answer a = ask(&s.pair, &pose);
        cr_assert_float_eq(a.depth_m, 0.25, 1e-15, "%d: %g", depth, a.depth_m);
        cr_assert(vec3_norm(vec3_sub(a.direction, (vec3){0, 1, 0})) < 1e-15 &&
                      vec3_norm(vec3_sub(a.force, (vec3){0, 0.25, 0})) < 1e-15,
                  "%d: pushed %g %g %g", depth, a.force.x, a.force.y, a.force.z);
        /* The torque is (0.125, 0, 0.25) x (0, 0.25, 0). */
        cr_assert(vec3_norm(vec3_sub(a.torque, (vec3){-0.0625, 0, 0.03125})) < 1e-15,
                  "%d: turned %g %g %g", depth, a.torque.x, a.torque.y, a.torque.z);
        base_arena_release(&s.arena);
    }
}

/* --- Bounds of contact ------------------------------------------------------------------------ */

/** The map has inner voxels outside of the cube, as a hollow with a narrow mouth has. */
Test(query, sure_follows_the_solid)
{
    const geo_mesh cube = shape_box((vec3){-3, -3, -3}, (vec3){0, 3, 3});
    const alg_mesh body = shape_body(&cube, true);
    base_arena arena = {0};
    geo_shell shell;
    assert_ok(geo_shell_build(alg_mesh_view(&body), body.solid, &arena, &shell, ERR));
    const struct {
        vec3 p;
        bool sure;
    } rows[] = {
        {{-0.25, 0.25, 0.75}, true},         /* an inner voxel in the cube */
        {{0.25, 0.25, 0.75}, false},         /* an inner voxel outside of the cube */
        {{-0.25, 0.25, 1.25}, false},        /* a surface voxel */
        {{-0.25, 0.25, 1 - 0x1p-50}, false}, /* so near to a surface voxel that rounding could move
                                                it there */
        {{-0.25, 0x1p-52, 0.75}, false},     /* the same along another axis */
        {{-0.25, 0.25, 0.5 + 0x1p-50}, false}, {{-0.25, 0.25, 1 - 0x1p-30}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int moving = 0; moving < 2; moving++) {
            scene s;
            open_slab(&s, rows[i].p, (vec3){0, 0, 1});
            s.pair.contact = ALG_VPS_SURE;
            s.pair.moving = moving;
            s.pair.a = moving ? NULL : &shell;
            s.pair.b = moving ? &shell : NULL;
            s.pair.wanted = ALG_WANT_CONTACT;
            const alg_answer a = ask_here(&s.pair);
            cr_assert(a.answered == ALG_HAS_CONTACT && a.colliding == rows[i].sure, "%zu", i);
            base_arena_release(&s.arena);
        }
    }
    base_arena_release(&arena);
    SCOPED_MESH mesh = cube;
}

/** With a pose far away, a point that its rounding could move out of the voxel is not sure. */
Test(query, sure_allows_for_the_rounding_of_far_poses)
{
    const geo_mesh cube = shape_box((vec3){-3, -3, -3}, (vec3){3, 3, 3});
    const alg_mesh body = shape_body(&cube, true);
    base_arena arena = {0};
    geo_shell shell;
    assert_ok(geo_shell_build(alg_mesh_view(&body), body.solid, &arena, &shell, ERR));
    const struct {
        double far, above; /* distance above the lower plane of the voxel */
        bool sure;
    } rows[] = {
        {0, 0x1p-43, false}, /* 1.1e-13 is less than the error of projections */
        {0, 0x1p-40, true},
        {0x1p30, 0x1p-16, false}, /* 1e9 m away, doubles are 1.2e-7 apart */
        {0x1p30, 0x1p-6, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s;
        open_slab(&s, (vec3){0.25 - rows[i].far, 0.25, 0.5 + rows[i].above}, (vec3){0, 0, 1});
        s.pair.contact = ALG_VPS_SURE;
        s.pair.a = &shell;
        s.pair.wanted = ALG_WANT_CONTACT;
        const geo_pose pose = shape_shift(rows[i].far, 0, 0);
        cr_assert_eq(ask(&s.pair, &pose).colliding, rows[i].sure, "%zu", i);
        base_arena_release(&s.arena);
    }
    base_arena_release(&arena);
    SCOPED_MESH mesh = cube;
}

Test(query, reach_in_layers)
{
    cr_assert_eq(alg_vps_reach_in_layers(0, 1), 1, "a surface touches the voxels beside it");
    cr_assert_eq(alg_vps_reach_in_layers(0.99, 1), 1);
    cr_assert_eq(alg_vps_reach_in_layers(1, 1), 2);
    cr_assert_eq(alg_vps_reach_in_layers(0.3, 0.1), 4, "of 0.3 / 0.1, which is rounded below 3");
    cr_assert_eq(alg_vps_reach_in_layers(1e300, 1), UINT32_MAX);
}

static int near_layer(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y;
    const int layers = *(const int *)context, layer = 4 - (int)z;
    return layer < -layers ? -layers : layer > layers ? layers : layer;
}

/** Contact follows from the layers of the point's voxel. The bodies are far apart, so neither is
 * inside the other. */
Test(query, possible_is_within_reach)
{
    const geo_mesh cube = shape_cube((vec3){100, 0, 0}, 1),
                   other = shape_cube((vec3){0, 100, 0}, 1);
    const alg_mesh bodies[2] = {shape_body(&cube, true), shape_body(&other, true)};
    base_arena arena = {0};
    geo_shell shells[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(
            geo_shell_build(alg_mesh_view(&bodies[i]), bodies[i].solid, &arena, &shells[i], ERR));
    }
    const struct {
        double reach, z;
        int layers;
        uint32_t padding;
        bool possible;
    } rows[] = {
        {0.25, 1.75, 4, 2, true}, /* K = 1: layer -1 counts */
        {0.25, 2.25, 4, 2, false},
        {0.75, 2.25, 4, 2, true}, /* K = 2 */
        {0.75, 2.75, 4, 2, false},
        {0.25, 0.25, 4, 2, true}, /* deep inside */
        {1.25, 2.75, 4, 3, true}, /* K = 3: the map has the layers and the padding */
        {1.25, 3.25, 4, 3, false},
        {1.25, 3.25, 3, 3, true}, /* a layer is missing: all voxels count */
        {1.25, 3.25, 4, 2, true}, /* padding is missing: all points count */
        {1.25, 1e6, 4, 2, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s;
        open_slab(&s, (vec3){0, 0, rows[i].z}, (vec3){0, 0, 1});
        s.map =
            map_dense(&slab_grid, (uint32_t)rows[i].layers, near_layer, &rows[i].layers, &s.arena);
        s.map.grid.padding = rows[i].padding;
        s.map.grid.corner =
            alg_voxel_box(&slab_grid, rows[i].padding, rows[i].padding, rows[i].padding).lo;
        s.points.reach = rows[i].reach;
        const int32_t k = (int32_t)alg_vps_reach_in_layers(rows[i].reach, slab_grid.edge);
        s.clearance = clear_map(&s.map, -k, &s.arena);
        s.pair.contact = ALG_VPS_POSSIBLE;
        s.pair.a = &shells[0];
        s.pair.b = &shells[1];
        const alg_answer a = ask_here(&s.pair);
        cr_assert(a.colliding == rows[i].possible, "%zu", i);
        cr_assert_eq(a.depth_m > 0, rows[i].z == 0.25, "%zu: layers outside do not push", i);
        base_arena_release(&s.arena);
    }
    /* The point is far from all voxels, but one body is inside the other. */
    for (int i = 0; i < 2; i++) {
        scene s;
        open_slab(&s, (vec3){0, 0, 50}, (vec3){0, 0, 1});
        const geo_mesh inner = shape_cube(i ? (vec3){0, 100, 0} : (vec3){100, 0, 0}, 0.5);
        const alg_mesh body = shape_body(&inner, true);
        geo_shell shell;
        assert_ok(geo_shell_build(alg_mesh_view(&body), body.solid, &s.arena, &shell, ERR));
        s.pair.contact = ALG_VPS_POSSIBLE;
        s.points.reach = 0.25;
        s.pair.a = i ? &shell : &shells[0];
        s.pair.b = i ? &shells[1] : &shell;
        cr_assert(ask_here(&s.pair).colliding, "%d", i);
        geo_mesh mesh = inner;
        geo_mesh_release(&mesh);
        base_arena_release(&s.arena);
    }
    base_arena_release(&arena);
    geo_mesh used[2] = {cube, other};
    geo_mesh_release(&used[0]);
    geo_mesh_release(&used[1]);
}

/* --- Random tests ----------------------------------------------------------------------------- */

enum { POINTS = 1500, CONTACTS = 40 };

/** Returns random layers, in clumps, so that some blocks are uniform; the outermost voxels are
 * outside. */
static int random_layer(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    const alg_voxel_grid *const grid = context;
    const uint32_t *const n = grid->size;
    if (x == 0 || y == 0 || z == 0 || x + 1 == n[0] || y + 1 == n[1] || z + 1 == n[2]) {
        return -1;
    }
    const uint32_t clump = x / 8 * 7 + y / 8 * 3 + z / 8;
    base_random random = base_random_seed(clump % 3 == 0 ? clump : (z * n[1] + y) * n[0] + x);
    return (int)base_random_below(&random, 7) - 3;
}

typedef struct sweep {
    base_arena arena;
    alg_voxel_map dense, blocked;
    alg_voxel_clearance clearance; /* of both maps */
    vec3 points[POINTS], normals[POINTS];
    alg_vps_points columns;
} sweep;

static void open_sweep(sweep *s, uint64_t seed, uint32_t count)
{
    base_random random = base_random_seed(seed);
    *s = (sweep){0};
    const alg_voxel_grid grid = {.corner = shape_point(&random, 1),
                                 .edge = base_random_range(&random, 0.05, 0.2),
                                 .padding = 1 + (uint32_t)base_random_below(&random, 3),
                                 .size = {9 + (uint32_t)base_random_below(&random, 20), 25, 17}};
    s->dense = map_dense(&grid, 3, random_layer, &grid, &s->arena);
    s->blocked = map_blocked(&s->dense, &s->arena);
    s->clearance = clear_map(&s->dense, 0, &s->arena);
    for (uint32_t i = 0; i < count; i++) {
        s->points[i] = shape_point(&random, 2);
        s->normals[i] = vec3_normalize(shape_point(&random, 1));
        if (i % 5 == 0) { /* on planes between voxels, unless the pose moves */
            s->points[i].x = alg_voxel_plane(&grid, 0, (int64_t)base_random_below(&random, 30));
        }
    }
    s->columns = points_of(s->points, s->normals, count, 0.1, &s->arena);
}

static alg_vps_pair pair_of(const sweep *s, const alg_voxel_map *map)
{
    return (alg_vps_pair){
        .map = map, .clearance = &s->clearance, .points = &s->columns, .layers = 3, .wanted = ALL};
}

/** Finds the voxel by comparison with all planes. Returns false outside of the grid. */
static bool find_voxel(const alg_voxel_grid *grid, vec3 p, uint32_t voxel[3], double *to_plane)
{
    *to_plane = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const double x = vec3_get(p, axis);
        uint32_t i = 0;
        for (uint32_t k = 0; k <= grid->size[axis]; k++) {
            *to_plane = fmin(*to_plane, fabs(alg_voxel_plane(grid, axis, k) - x));
        }
        while (i < grid->size[axis] && alg_voxel_plane(grid, axis, (int64_t)i + 1) <= x) {
            i++;
        }
        voxel[axis] = i;
        if (i == grid->size[axis] || x < alg_voxel_plane(grid, axis, 0)) {
            return false;
        }
    }
    return true;
}

/** Computes the whole answer by a loop over the points. Returns false if a point is too near to a
 * plane between voxels. */
static bool answer_plainly(const sweep *s, const alg_vps_pair *pair, const geo_pose *pose,
                           alg_answer *answer)
{
    const alg_voxel_grid *const grid = &s->dense.grid;
    const geo_pose into = pair->moving ? geo_pose_inverse(pose) : *pose;
    *answer = (alg_answer){.size = sizeof *answer};
    for (uint32_t i = 0; i < pair->points->count; i++) {
        uint32_t v[3];
        double to_plane;
        const vec3 p = geo_pose_apply(&into, s->points[i]);
        const bool within = find_voxel(grid, p, v, &to_plane);
        if (to_plane < 1e-12) {
            return false;
        }
        const int layer = within ? alg_voxel_layer(&s->dense, v[0], v[1], v[2]) : -1;
        if (layer < 0) {
            continue;
        }
        answer->colliding = true;
        const vec3 n = geo_pose_rotate(&into, s->normals[i]);
        const vec3 c = geo_box_centre(alg_voxel_box(grid, v[0], v[1], v[2]));
        const double d =
            pair->depth == ALG_VPS_PLANE
                ? (layer < (int)pair->layers ? vec3_dot(vec3_sub(c, p), n) : 0) + layer * grid->edge
                : (layer > 0 ? layer : 0.5) * grid->edge;
        if (!(d > 0)) {
            continue;
        }
        const vec3 direction = pair->moving ? vec3_scale(-1, s->normals[i]) : n;
        const vec3 at = pair->moving ? s->points[i] : p;
        const vec3 force = vec3_scale(d, direction);
        const vec3 lever = vec3_sub(at, geo_pose_apply(pose, pair->centroid_b));
        answer->force = vec3_add(answer->force, force);
        answer->torque = vec3_add(answer->torque, vec3_cross(lever, force));
        answer->depth_m = fmax(answer->depth_m, d);
        answer->contact_count++;
    }
    return true;
}

static bool near(vec3 a, vec3 b)
{
    return vec3_distance(a, b) < 1e-10;
}

Test(query, equals_a_plain_loop)
{
    static sweep s;
    size_t compared = 0, pushing = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        base_random random = base_random_seed(100 + seed);
        open_sweep(&s, seed, 1 + (uint32_t)base_random_below(&random, POINTS - 1));
        const geo_pose pose = shape_pose(&random, 1);
        for (int k = 0; k < 8; k++) {
            alg_vps_pair pair = {.map = k & 1 ? &s.blocked : &s.dense,
                                 .clearance = &s.clearance,
                                 .points = &s.columns,
                                 .moving = k & 2,
                                 .depth = k & 4 ? ALG_VPS_LAYERS : ALG_VPS_PLANE,
                                 .layers = 3,
                                 .centroid_b = {0.1, 0.2, 0.3},
                                 .wanted = ALL};
            alg_answer want;
            const alg_answer got = ask(&pair, &pose);
            if (!answer_plainly(&s, &pair, &pose, &want)) {
                continue;
            }
            cr_assert(got.contact_count == want.contact_count && got.colliding == want.colliding,
                      "seed %zu, %d: %u contacts, not %u", (size_t)seed, k, got.contact_count,
                      want.contact_count);
            cr_assert(fabs(got.depth_m - want.depth_m) < 1e-12 && near(got.force, want.force) &&
                          near(got.torque, want.torque),
                      "seed %zu, %d", (size_t)seed, k);
            compared++;
            pushing += got.contact_count > 20;
        }
        base_arena_release(&s.arena);
    }
    cr_assert(compared > 400 && pushing > 250, "%zu %zu", compared, pushing);
}

/** Hits of both instruction sets and both storages are equal. They are the points in the grid with
 * the layers of their voxels, found one by one. */
Test(query, instruction_sets_and_storages_agree)
{
    if (!base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    static sweep s;
    static alg_vps_hits narrow, wide, blocked;
    size_t hits = 0, skipped = 0;
    for (uint64_t seed = 0; seed < 80; seed++) {
        base_random random = base_random_seed(200 + seed);
        const uint32_t count = 1 + (uint32_t)base_random_below(&random, ALG_VPS_BATCH_POINTS);
        open_sweep(&s, seed, count);
        const geo_pose pose = seed % 2 ? shape_pose(&random, 1) : geo_pose_identity();
        alg_vps_pair pair = pair_of(&s, &s.dense);
        alg_vps_frame frame = alg_vps_frame_of(&pair, &pose, -1, 0);
        uint32_t packets[ALG_VPS_BATCH], packet_count = 0;
        const uint32_t begin = (uint32_t)base_random_below(&random, alg_vps_packet_count(count));
        for (uint32_t i = begin; i < alg_vps_packet_count(count); i++) {
            packets[packet_count++] = i;
        }
        alg_vps_look_up_sse2(&frame, &s.columns, packets, packet_count, &narrow);
        alg_vps_look_up_avx2(&frame, &s.columns, packets, packet_count, &wide);
        frame.map = &s.blocked;
        alg_vps_look_up_avx2(&frame, &s.columns, packets, packet_count, &blocked);
        cr_assert(narrow.count == wide.count && wide.count == blocked.count &&
                  narrow.lookups == wide.lookups && wide.lookups == blocked.lookups);
        uint32_t at = 0;
        for (uint32_t point = begin * ALG_VPS_WIDTH; point < count; point++) {
            const vec3 p = geo_pose_apply(&pose, s.points[point]);
            uint32_t v[3];
            bool within = true;
            for (int axis = 0; axis < 3; axis++) {
                const double t = alg_voxel_coordinate(&s.dense.grid, axis, vec3_get(p, axis));
                within = within && t >= 0 && t < s.dense.grid.size[axis];
                v[axis] = within ? (uint32_t)t : 0;
            }
            const int layer = within ? alg_voxel_layer(&s.dense, v[0], v[1], v[2]) : -2;
            /* Cells without a voxel of layer 0 are not read. */
            if (layer < 0) {
                skipped++;
                at += layer == -1 && at < wide.count && wide.hits[at].point == point;
                continue;
            }
            cr_assert(at < wide.count, "seed %zu: point %u is not found", (size_t)seed, point);
            const alg_vps_hit *const all[] = {&narrow.hits[at], &wide.hits[at], &blocked.hits[at]};
            for (int i = 0; i < 3; i++) {
                const alg_vps_hit *const h = all[i];
                cr_assert(h->point == point && h->layer == layer && h->voxel[0] == v[0] &&
                              h->voxel[1] == v[1] && h->voxel[2] == v[2] && vec3_equal(h->at, p),
                          "seed %zu, point %u, %d", (size_t)seed, point, i);
            }
            at++;
            hits++;
        }
        cr_assert_eq(at, wide.count);
        base_arena_release(&s.arena);
    }
    cr_assert(hits > 200 && skipped > 200, "%zu %zu", hits, skipped);
}

static int voxel_five(const void *context, uint32_t x, uint32_t y, uint32_t z)
{
    (void)context;
    return x == 5 && y == 1 && z == 6 ? 0 : -1;
}

/** A ball is kept if its radius reaches the voxel, and may be kept from one step (1 / 16 voxel)
 * less. */
Test(query, balls_beside_a_voxel_by_hand)
{
    const alg_voxel_grid grid = {.edge = 1, .padding = 1, .size = {30, 9, 12}};
    SCOPED_ARENA arena = {0};
    const alg_voxel_map map = map_dense(&grid, 1, voxel_five, NULL, &arena);
    const alg_voxel_clearance clearance = clear_map(&map, 0, &arena);
    const alg_vps_points points = {.extent = 1};
    const alg_vps_pair pair = {.map = &map, .clearance = &clearance, .points = &points};
    const geo_pose pose = geo_pose_identity();
    const alg_vps_frame frame = alg_vps_frame_of(&pair, &pose, 0, 0);
    /* The centre is at the end of the cell of voxels 0 to 3; voxel 5 begins at 4. */
    alg_vps_balls balls;
    const float radii[ALG_VPS_WIDTH] = {0, 0.9F, 0.93F, 1.001F, 1.03F, 1.06F, 4, -INFINITY};
    for (int k = 0; k < ALG_VPS_WIDTH; k++) {
        balls.x[k] = 3 - 0x1p-20F;
        balls.y[k] = 0.5F;
        balls.z[k] = 5.5F;
        balls.radius[k] = radii[k];
    }
    uint32_t left[ALG_VPS_BATCH_POINTS + 1];
    const uint32_t node = 0;
    cr_assert_eq(alg_vps_test_balls_sse2(&frame, &balls, &node, 1, left), 4);
    cr_assert(left[0] == 3 && left[1] == 4 && left[2] == 5 && left[3] == 6);
}

/** Both instruction sets keep the same balls. A ball with a point in a voxel that matters is always
 * kept. */
Test(query, balls_that_are_skipped_reach_nothing)
{
    if (!base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    static sweep s;
    size_t kept = 0, skipped = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        base_random random = base_random_seed(300 + seed);
        open_sweep(&s, seed, POINTS);
        const geo_pose pose = shape_pose(&random, seed % 4 == 3 ? 40 : 1);
        const alg_vps_pair pair = pair_of(&s, &s.dense);
        const alg_vps_frame frame = alg_vps_frame_of(&pair, &pose, 0, 0);
        const alg_voxel_grid *const grid = &s.dense.grid;
        for (int n = 0; n < 50; n++) {
            alg_vps_balls balls;
            bool reaches[ALG_VPS_WIDTH] = {false};
            for (int k = 0; k < ALG_VPS_WIDTH; k++) {
                const vec3 c = shape_point(&random, 2);
                balls.x[k] = (float)c.x;
                balls.y[k] = (float)c.y;
                balls.z[k] = (float)c.z;
                balls.radius[k] = (float)base_random_range(&random, 0, 4 * grid->edge);
                for (int i = 0; i < 40; i++) {
                    const vec3 way = vec3_normalize(shape_point(&random, 1));
                    const double r = 0.9999999 * (double)balls.radius[k];
                    const vec3 q = {(double)balls.x[k], (double)balls.y[k], (double)balls.z[k]};
                    uint32_t v[3];
                    double to_plane;
                    reaches[k] |= find_voxel(grid, geo_pose_apply(&pose, vec3_madd(q, r, way)), v,
                                             &to_plane) &&
                                  alg_voxel_layer(&s.dense, v[0], v[1], v[2]) >= 0;
                }
            }
            balls.radius[n % ALG_VPS_WIDTH] = -INFINITY; /* a child that does not exist */
            reaches[n % ALG_VPS_WIDTH] = false;
            uint32_t narrow[ALG_VPS_BATCH_POINTS + 1], wide[ALG_VPS_BATCH_POINTS + 1];
            const uint32_t node = 0;
            const uint32_t count = alg_vps_test_balls_sse2(&frame, &balls, &node, 1, narrow);
            cr_assert_eq(alg_vps_test_balls_avx2(&frame, &balls, &node, 1, wide), count);
            uint32_t at = 0;
            for (uint32_t k = 0; k < ALG_VPS_WIDTH; k++) {
                const bool is_kept = at < count && wide[at] == k;
                cr_assert(is_kept || !reaches[k], "seed %zu, %d: ball %u", (size_t)seed, n, k);
                cr_assert(!is_kept || (narrow[at] == k && k != (uint32_t)n % ALG_VPS_WIDTH));
                at += is_kept;
                kept += is_kept;
                skipped += !is_kept;
            }
            cr_assert_eq(at, count);
        }
        base_arena_release(&s.arena);
    }
    cr_assert(kept > 1000 && skipped > 3000, "%zu %zu", kept, skipped);
}

/** A short buffer gets as many contacts as it can store and does not change the answer; with
 * contact alone the query stops early. */
Test(query, lists_and_early_ends)
{
    static sweep s;
    static alg_contact contacts[POINTS];
    open_sweep(&s, 5, POINTS);
    const alg_vps_pair pair = pair_of(&s, &s.blocked);
    const alg_answer plain = ask_here(&pair);
    cr_assert(plain.contact_count > CONTACTS && plain.colliding);
    cr_assert_eq(plain.answered,
                 (uint32_t)(ALG_HAS_CONTACT | ALG_HAS_DEPTH | ALG_HAS_FORCE | ALG_HAS_CONTACTS));
    const geo_pose pose = geo_pose_identity();
    for (uint32_t room = CONTACTS; room <= POINTS; room += POINTS - CONTACTS) {
        alg_answer listed = {.size = sizeof listed, .contacts = contacts, .contact_capacity = room};
        contacts[CONTACTS] = (alg_contact){.depth_m = -1};
        alg_vps_query(&pair, &pose, &listed);
        cr_assert(room > CONTACTS || contacts[CONTACTS].depth_m == -1, "beyond the buffer");
        listed.contacts = NULL;
        listed.contact_capacity = 0;
        cr_assert_eq(memcmp(&listed, &plain, sizeof plain), 0);
    }
    double deepest = 0;
    vec3 force = {0, 0, 0};
    for (uint32_t i = 0; i < plain.contact_count; i++) {
        deepest = fmax(deepest, contacts[i].depth_m);
        force = vec3_add(force, vec3_scale(contacts[i].depth_m, contacts[i].normal));
        cr_assert_float_eq(vec3_norm(contacts[i].normal), 1, 1e-14);
    }
    cr_assert(deepest == plain.depth_m && vec3_equal(force, plain.force));
    alg_vps_pair alone = pair;
    alone.wanted = ALG_WANT_CONTACT;
    const alg_answer early = ask_here(&alone);
    cr_assert(early.colliding && early.answered == ALG_HAS_CONTACT && early.depth_m == 0);
    cr_assert_eq(early.counters[ALG_VPS_COUNT_POINTS], ALG_VPS_BATCH_POINTS);
    cr_assert_eq(plain.counters[ALG_VPS_COUNT_POINTS], POINTS);
    base_arena_release(&s.arena);
}

Test(query, a_shell_without_points_touches_nothing)
{
    static sweep s;
    open_sweep(&s, 3, 0);
    const alg_vps_pair pair = pair_of(&s, &s.dense);
    const alg_answer a = ask_here(&pair);
    cr_assert(!a.colliding && a.depth_m == 0 && a.outcome == ALG_CONVERGED);
    base_arena_release(&s.arena);
}

/** Poses so far away that coordinates exceed every index type. */
Test(query, poses_out_of_all_bounds)
{
    static sweep s;
    open_sweep(&s, 4, 100);
    const alg_vps_pair pair = pair_of(&s, &s.blocked);
    const double far[] = {1e3, -1e3, 1e12, -1e12, 1e300, -1e300};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const geo_pose pose = shape_shift(far[i], i % 2 ? 0 : far[i], 0);
        const alg_answer a = ask(&pair, &pose);
        cr_assert(!a.colliding && a.contact_count == 0, "%g", far[i]);
    }
    base_arena_release(&s.arena);
}
