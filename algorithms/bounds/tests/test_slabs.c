#include "algorithms/bounds/cells.h"
#include "algorithms/bounds/slabs.h"
#include "algorithms/tests/shapes.h"
#include "base/tests/support.h"

#include <stdlib.h>

typedef struct fixture {
    base_arena arena;
    geo_mesh mesh;
    geo_surface surface;
    alg_bounds_slabs slabs;
} fixture;

static fixture *set_up(geo_mesh mesh, uint32_t resolution)
{
    fixture *const f = base_alloc(1, sizeof *f);
    f->mesh = mesh;
    assert_ok(geo_surface_build(&f->mesh, &f->arena, &f->surface, ERR));
    assert_ok(alg_bounds_slabs_build(&f->surface, resolution, &f->arena, &f->slabs, ERR));
    return f;
}

static void tear_down(fixture *f)
{
    geo_mesh_release(&f->mesh);
    base_arena_release(&f->arena);
    base_free(f);
}

typedef struct tally {
    size_t inside, outside, below, above, between;
    double thickness;
    size_t slabs;
} tally;

/** A voxel and its state. */
typedef struct drawn {
    vec3 centre;
    uint32_t state;
    const alg_bounds_slab *slab; /* NULL if the region is wholly inside or wholly outside */
} drawn;

static drawn draw_voxel(const fixture *f, const alg_bounds_slabs_level *level, base_random *random)
{
    uint32_t at[3];
    drawn d;
    double *const centre[3] = {&d.centre.x, &d.centre.y, &d.centre.z};
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (uint32_t)base_random_below(random, level->grid.size[axis]);
        *centre[axis] = vec3_get(level->origin, axis) + level->edge * (at[axis] + 0.5);
    }
    d.state = alg_voxel_number(&level->grid, at[0], at[1], at[2]);
    d.slab = d.state >= ALG_BOUNDS_SLABS_FIRST ? &f->slabs.slabs[d.state - ALG_BOUNDS_SLABS_FIRST]
                                               : NULL;
    return d;
}

/** Checks the voxel's statement for a point in its region. */
static void check_point(const fixture *f, const alg_bounds_slabs_level *level, const drawn *at,
                        vec3 p, tally *t)
{
    const bool inside = geo_surface_contains(&f->surface, p);
    const alg_bounds_slab *const slab = at->slab;
    if (!slab) {
        cr_assert_eq(inside, at->state == ALG_BOUNDS_SLABS_INSIDE, "edge %g: (%g %g %g)",
                     level->edge, p.x, p.y, p.z);
        t->inside += inside;
        t->outside += !inside;
        return;
    }
    const double offset =
        vec3_dot(alg_bounds_slab_normal(slab), vec3_sub(p, at->centre)) / level->edge;
    const bool below = offset < alg_bounds_slab_offset(slab->lower);
    const bool above = offset > alg_bounds_slab_offset(slab->upper);
    cr_assert(!below || inside == ((slab->inside & ALG_BOUNDS_BELOW_INSIDE) != 0),
              "edge %g: (%g %g %g) is below the slab", level->edge, p.x, p.y, p.z);
    cr_assert(!above || inside == ((slab->inside & ALG_BOUNDS_ABOVE_INSIDE) != 0),
              "edge %g: (%g %g %g) is above the slab", level->edge, p.x, p.y, p.z);
    t->below += below;
    t->above += above;
    t->between += !below && !above;
}

/** Draws cubes with centres in voxels, and points of the cubes, and checks the voxels'
 * statements. */
static void check_level(const fixture *f, uint32_t l, size_t draws, uint64_t seed, tally *t)
{
    const alg_bounds_slabs_level *const level = &f->slabs.levels[l];
    const double half = 0.5 * ALG_BOUNDS_SLABS_CUBE * level->edge;
    base_random random = base_random_seed(seed);
    for (size_t i = 0; i < draws; i++) {
        const drawn at = draw_voxel(f, level, &random);
        const vec3 centre = vec3_add(at.centre, shape_point(&random, 0.5 * level->edge));
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), centre);
        const alg_bounds_slab *const slab = at.slab;
        if (slab && slab->lower > -30000 && slab->upper < 30000) {
            t->thickness += alg_bounds_slab_offset((int16_t)(slab->upper - slab->lower));
            t->slabs++;
        }
        for (int k = 0; k < 12; k++) {
            vec3 p = shape_point(&random, half);
            if (k < 8) {
                p = (vec3){k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half};
            }
            p = geo_pose_apply(&pose, p);
            check_point(f, level, &at, p, t);
        }
    }
}

static void check(const fixture *f, uint64_t seed, tally *t)
{
    for (uint32_t l = 0; l < f->slabs.level_count; l++) {
        check_level(f, l, 1000, seed + l, t);
    }
}

Test(slabs, speak_for_every_cube)
{
    tally t = {0};
    size_t bodies = 0;
    for (uint64_t seed = 1; seed <= 8; seed += sweep_step(5), bodies++) {
        base_random random = base_random_seed(seed);
        const double scale = seed % 4 == 0 ? 1e-6 : seed % 4 == 1 ? 1 : 100;
        geo_mesh mesh = seed % 2 ? shape_ball((vec3){0.1, 0, 0}, 1, 9)
                                 : shape_join(shape_cube((vec3){0, 0, 0}, 1),
                                              shape_reverse(shape_cube((vec3){0, 0.1, 0}, 0.6)));
        mesh = shape_move(mesh, shape_pose(&random, 0.1), scale);
        fixture *const f = set_up(mesh, seed < 5 ? 32 : 11);
        cr_assert_geq(f->slabs.level_count, seed < 5 ? 2 : 1);
        check(f, 100 * seed, &t);
        tear_down(f);
    }
    const size_t many = 10000 * bodies / 8;
    cr_assert(t.inside > many && t.outside > many, "%zu and %zu", t.inside, t.outside);
    cr_assert(t.below > many && t.above > many && t.between > many / 100, "%zu, %zu and %zu",
              t.below, t.above, t.between);
}

/** Regions reach farthest where a cube at a voxel's corner, edge or face has a corner pointing
 * outwards. */
Test(slabs, speak_for_the_ends_of_their_regions)
{
    tally t = {0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        base_random random = base_random_seed(seed);
        geo_mesh mesh = seed % 2 ? shape_ball((vec3){0.1, 0, 0}, 1, 9)
                                 : shape_join(shape_cube((vec3){0, 0, 0}, 1),
                                              shape_reverse(shape_cube((vec3){0, 0.1, 0}, 0.6)));
        mesh = shape_move(mesh, shape_pose(&random, 0.1), 1);
        fixture *const f = set_up(mesh, 12);
        for (uint32_t l = 0; l < f->slabs.level_count; l++) {
            const alg_bounds_slabs_level *const level = &f->slabs.levels[l];
            const double corner = sqrt(3) / 2 * ALG_BOUNDS_SLABS_CUBE * level->edge;
            for (size_t i = 0; i < 4000; i++) {
                const drawn at = draw_voxel(f, level, &random);
                const vec3 out = {(double)base_random_below(&random, 3) - 1,
                                  (double)base_random_below(&random, 3) - 1,
                                  (double)base_random_below(&random, 3) - 1};
                const vec3 from = vec3_madd(at.centre, 0.5 * level->edge, out);
                check_point(f, level, &at,
                            vec3_madd(from, (1 - 1e-9) * corner, vec3_normalize(out)), &t);
            }
        }
        tear_down(f);
    }
    cr_assert(t.inside > 1000 && t.outside > 1000 && t.below > 1000 && t.above > 1000,
              "%zu, %zu, %zu and %zu", t.inside, t.outside, t.below, t.above);
}

Test(slabs, thin_sheets_and_gaps)
{
    /* Two plates with a gap, all thinner than a voxel: both sides of the plates are outside. For a
     * gap between thick plates, both sides are inside. */
    tally t = {0};
    geo_mesh mesh = shape_join(shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 0.01}),
                               shape_box((vec3){-1, -1, 0.03}, (vec3){1, 1, 0.04}));
    fixture *f = set_up(mesh, 16);
    check(f, 1, &t);
    size_t sheets = 0, gaps = 0;
    for (uint32_t i = 0; i < f->slabs.slab_count; i++) {
        sheets += f->slabs.slabs[i].inside == 0;
    }
    tear_down(f);
    mesh = shape_join(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}),
                      shape_box((vec3){-1, -1, 0.01}, (vec3){1, 1, 1}));
    f = set_up(mesh, 16);
    check(f, 2, &t);
    for (uint32_t i = 0; i < f->slabs.slab_count; i++) {
        gaps += f->slabs.slabs[i].inside == (ALG_BOUNDS_BELOW_INSIDE | ALG_BOUNDS_ABOVE_INSIDE);
    }
    tear_down(f);
    cr_assert(sheets > 100 && gaps > 100, "%zu sheets, %zu gaps", sheets, gaps);
}

Test(slabs, flat_faces_are_thin_and_curved_ones_get_thinner)
{
    /* A slab of a face along the grid has only the thickness of rounding to small integers. */
    fixture *f = set_up(shape_cube((vec3){0, 0, 0}, 1), 16);
    size_t thin = 0;
    for (uint32_t i = 0; i < f->slabs.slab_count; i++) {
        thin += f->slabs.slabs[i].upper - f->slabs.slabs[i].lower <= 2;
    }
    cr_assert_gt(thin, f->slabs.slab_count / 4, "%zu of %u", thin, f->slabs.slab_count);
    tear_down(f);
    /* Relative to voxel edges, a ball's slabs become thinner with the edge. */
    const bool all = sweep_step(2) == 1;
    f = set_up(shape_ball((vec3){0, 0, 0}, 1, all ? 40 : 30), all ? 64 : 32);
    double last = 0;
    for (uint32_t l = 0; l < f->slabs.level_count; l++) {
        tally t = {0};
        check_level(f, l, 5000 / sweep_step(3), l, &t);
        const double mean = t.thickness / (double)t.slabs;
        cr_assert_gt(mean, 1.4 * last, "level %u: %g after %g", l, mean, last);
        last = mean;
    }
    tear_down(f);
}

Test(slabs, out_of_memory_is_an_error)
{
    SCOPED_MESH mesh = shape_ball((vec3){0, 0, 0}, 1, 3);
    SCOPED_ARENA scratch = {0};
    geo_surface surface;
    base_error err = {0};
    assert_ok(geo_surface_build(&mesh, &scratch, &surface, ERR));
    cr_assert_eq(setenv("PROXBENCH_THREADS", "1", 1), 0);
    size_t refused = 0;
    bool built = false;
    for (size_t n = 0; !built; n += 1 + n / 8) {
        SCOPED_ARENA arena = {0};
        alg_bounds_slabs slabs;
        base_memory_fail_after(n);
        const base_status status = alg_bounds_slabs_build(&surface, 4, &arena, &slabs, &err);
        base_memory_fail_after(SIZE_MAX);
        built = status == BASE_OK;
        cr_assert(built || status == BASE_ERR_MEMORY, "%zu: %s", n, err.text);
        refused += !built;
    }
    cr_assert_gt(refused, 10);
}
