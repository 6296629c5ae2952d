#include "algorithms/ist/body.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/ist/tests/spheres.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** A body, its spheres and the surface that they own. */
typedef struct fixture {
    geo_mesh mesh;
    alg_ist_packing packing;
    base_arena arena;
    alg_ist_gap gap;
    alg_ist_owners owners;
} fixture;

static void own(fixture *f)
{
    base_error err = {0};
    cr_assert(alg_ist_measure_gap(&f->packing, &f->mesh, &f->gap, &err) == BASE_OK &&
                  alg_ist_own_surface(&f->packing, &f->mesh, &f->arena, &f->owners, &err) ==
                      BASE_OK,
              "%s", err.text);
}

/** Packs the mesh, which the fixture takes over. */
static fixture set_up(geo_mesh mesh, uint32_t voxels, double least)
{
    fixture f = {.mesh = mesh};
    const alg_mesh body = shape_body(&f.mesh, true);
    const alg_ist_options options = {.voxels = voxels, .limits = {least, 0}};
    alg_message message;
    alg_ist_building building;
    cr_assert_eq(alg_ist_pack_body(&options, &body, &f.packing, &building, &message), ALG_OK, "%s",
                 message.text);
    own(&f);
    return f;
}

static void tear_down(fixture *f)
{
    base_arena_release(&f->arena);
    alg_ist_packing_release(&f->packing);
    geo_mesh_release(&f->mesh);
}

/** Before the name of a fixture that is torn down at the end of its block. */
#define SCOPED_FIXTURE RELEASED_BY(tear_down) fixture

/** Returns the smallest |p - c| - r, by all spheres. */
static double gap_at(const alg_ist_packing *packing, vec3 p)
{
    double gap = INFINITY;
    for (size_t s = 0; s < packing->count; s++) {
        gap = fmin(gap, vec3_distance(p, packing->centres[s]) - packing->radii[s]);
    }
    return gap;
}

static bool is_covered(const fixture *f, uint32_t face, vec3 p)
{
    for (size_t s = 0; s < f->packing.count; s++) {
        if (vec3_distance(p, f->packing.centres[s]) <= f->packing.outer[s]) {
            for (uint32_t i = f->owners.first[s]; i < f->owners.first[s + 1]; i++) {
                if (f->owners.faces[i] == face) {
                    return true;
                }
            }
        }
    }
    return false;
}

/** Returns a point of a triangle; every third one is on an edge or corner of it. */
static vec3 point_of(geo_triangle t, base_random *random)
{
    double w[3] = {base_random_unit(random), base_random_unit(random), base_random_unit(random)};
    const uint64_t kind = base_random_below(random, 6);
    for (uint64_t k = 0; kind < 2 && k <= kind; k++) {
        w[k] = 0;
    }
    const double sum = w[0] + w[1] + w[2];
    const vec3 p = vec3_add(vec3_scale(w[0] / sum, t.p[0]), vec3_scale(w[1] / sum, t.p[1]));
    return vec3_madd(p, w[2] / sum, t.p[2]);
}

typedef struct seen {
    double most, mean; /* largest and mean gap; the mean is weighted by area */
} seen;

/** Checks `count` points of each face against the bound and the outer balls. */
static seen check_surface(const fixture *f, int count, uint64_t seed, const char *what)
{
    base_random random = base_random_seed(seed);
    seen s = {0};
    double area = 0;
    for (uint32_t face = 0; face < f->mesh.face_count; face++) {
        const geo_triangle t = geo_mesh_triangle(&f->mesh, face);
        const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
        for (int i = 0; i < count; i++) {
            const vec3 p = point_of(t, &random);
            const double gap = gap_at(&f->packing, p);
            cr_assert_leq(gap, f->gap.most_m, "%s, face %u: %.17g", what, face, gap);
            cr_assert(is_covered(f, face, p), "%s: face %u at %g %g %g is not covered", what, face,
                      p.x, p.y, p.z);
            s.most = fmax(s.most, gap);
        }
        for (int i = 0; i < count; i++) {
            const double u = sqrt(base_random_unit(&random)), v = base_random_unit(&random);
            const vec3 across = vec3_madd(t.p[1], v, vec3_sub(t.p[2], t.p[1]));
            const vec3 p = vec3_madd(t.p[0], u, vec3_sub(across, t.p[0]));
            s.mean += vec3_norm(normal) * gap_at(&f->packing, p);
            area += vec3_norm(normal);
        }
    }
    s.mean /= area;
    return s;
}

static geo_mesh shape_number(int number)
{
    switch (number) {
    case 0:
        return shape_cube((vec3){0, 0, 0}, 1);
    case 1:
        return shape_ball((vec3){0.3, 0, -2}, 0.7, 6);
    case 2: /* two parts, one with a cavity */
        return shape_join(shape_join(shape_ball((vec3){0, 0, 0}, 1, 6),
                                     shape_reverse(shape_ball((vec3){0.3, 0, 0.2}, 0.4, 4))),
                          shape_box((vec3){1.1, -0.2, -0.8}, (vec3){1.6, 0.4, 0.9}));
    default: /* a needle that is not aligned with the axes */
        return shape_move(shape_box((vec3){-4, -0.02, -0.03}, (vec3){4, 0.02, 0.03}),
                          geo_pose_make((geo_quat){0.3, 0.1, -0.2, 0.9}, (vec3){0, 0, 0}), 1);
    }
}

Test(owners, cover_the_surface)
{
    static const uint32_t voxels[] = {12, 16, 16, 300};
    for (int i = 0; i < 4; i++) {
        char what[32];
        snprintf(what, sizeof what, "shape %d", i);
        SCOPED_FIXTURE f = set_up(shape_number(i), voxels[i], 0);
        const seen s = check_surface(&f, i == 0 || i == 3 ? 4000 : 100, 7, what);
        cr_assert(s.most > 0.8 * f.gap.most_m, "%s: %g is far above %g", what, f.gap.most_m,
                  s.most);
        cr_assert_float_eq(f.gap.mean_m, s.mean, 0.04 * s.mean, "%s: %g for %g", what, f.gap.mean_m,
                           s.mean);
        for (size_t k = 0; k < f.packing.count; k++) {
            /* The margin is twice the gap: the gap of the sphere, and the size of a piece. */
            cr_assert_leq(f.packing.outer[k], f.packing.radii[k] + 2.01 * f.gap.most_m,
                          "%s: sphere %zu", what, k);
            cr_assert_eq(f.packing.outer[k] > 0, f.owners.first[k + 1] > f.owners.first[k]);
        }
    }
}

Test(owners, one_sphere_in_a_cube)
{
    SCOPED_FIXTURE f = {.mesh = shape_cube((vec3){0, 0, 0}, 1), .packing = spheres_new(1)};
    f.packing.radii[0] = 0.9;
    own(&f);
    cr_assert(f.gap.most_m >= sqrt(3) - 0.9 && f.gap.most_m <= 1.02 * (sqrt(3) - 0.9), "%.17g",
              f.gap.most_m);
    cr_assert(f.packing.outer[0] >= sqrt(3) && f.packing.outer[0] <= sqrt(3) * (1 + 1e-12));
    cr_assert(f.owners.first[0] == 0 && f.owners.first[1] == 12);
    for (uint32_t i = 0; i < 12; i++) {
        cr_assert_eq(f.owners.faces[i], i);
    }
}

Test(owners, coincident_spheres_go_by_number)
{
    SCOPED_FIXTURE f = {.mesh = shape_cube((vec3){0, 0, 0}, 1), .packing = spheres_new(3)};
    f.packing.radii[0] = 0.5;
    f.packing.radii[1] = f.packing.radii[2] = 0.75;
    own(&f);
    cr_assert(f.packing.outer[0] == 0 && f.packing.outer[1] > 1.7 && f.packing.outer[2] == 0);
    cr_assert(f.owners.first[1] == 0 && f.owners.first[2] == 12 && f.owners.first[3] == 12);
}

/** Tests that scaling by a power of two changes no digit; a far body loses some digits. */
Test(owners, scale_and_place)
{
    SCOPED_FIXTURE f = set_up(shape_number(2), 16, 0);
    SCOPED_FIXTURE g = set_up(shape_number(2), 16, 0);
    for (size_t i = 0; i < g.packing.count; i++) {
        g.packing.centres[i] = vec3_scale(0x1p-20, g.packing.centres[i]);
        g.packing.radii[i] *= 0x1p-20;
    }
    g.mesh = shape_move(g.mesh, geo_pose_identity(), 0x1p-20);
    own(&g);
    cr_assert_eq(g.gap.most_m, 0x1p-20 * f.gap.most_m);
    cr_assert_eq(g.gap.mean_m, 0x1p-20 * f.gap.mean_m);
    for (size_t i = 0; i < f.packing.count; i++) {
        cr_assert_eq(g.packing.outer[i], 0x1p-20 * f.packing.outer[i]);
    }
    SCOPED_FIXTURE h = set_up(shape_number(2), 16, 0);
    const geo_pose away = shape_shift(1e6, -1e6, 1e6);
    for (size_t i = 0; i < h.packing.count; i++) {
        h.packing.centres[i] = geo_pose_apply(&away, h.packing.centres[i]);
    }
    h.mesh = shape_move(h.mesh, away, 1);
    own(&h);
    cr_assert_float_eq(h.gap.most_m, f.gap.most_m, 1e-7, "%.17g", h.gap.most_m);
    check_surface(&h, 20, 3, "far");
}

Test(owners, out_of_memory)
{
    SCOPED_FIXTURE f = set_up(shape_number(2), 12, 0);
    base_arena arena = {0};
    const size_t failures =
        COUNT_FAILURES(alg_ist_measure_gap(&f.packing, &f.mesh, &f.gap, ERR), (void)0);
    cr_assert_gt(
        failures + COUNT_FAILURES(alg_ist_own_surface(&f.packing, &f.mesh, &arena, &f.owners, ERR),
                                  base_arena_release(&arena)),
        8);
}

Test(owners, real_meshes)
{
    static const char *const paths[] = {"../shared/models/c3d-spot.off",
                                        "../shared/models/c3d-rocker-arm.off"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (access(paths[i], R_OK) != 0) {
            cr_skip_test("%s is not there", paths[i]);
        }
        geo_mesh mesh;
        assert_ok(geo_mesh_load(paths[i], &mesh, ERR));
        SCOPED_FIXTURE f = set_up(mesh, 24, 0.5);
        base_random random = base_random_seed(i);
        double most = 0;
        for (int k = 0; k < 20000; k++) {
            const uint32_t face = (uint32_t)base_random_below(&random, f.mesh.face_count);
            const vec3 p = point_of(geo_mesh_triangle(&f.mesh, face), &random);
            const double gap = gap_at(&f.packing, p);
            most = fmax(most, gap);
            cr_assert_leq(gap, f.gap.most_m, "%s, face %u", paths[i], face);
            cr_assert(is_covered(&f, face, p), "%s, face %u", paths[i], face);
        }
        cr_assert_gt(most, 0.85 * f.gap.most_m, "%s: %g is far above %g", paths[i], f.gap.most_m,
                     most);
    }
}

Test(owners, normal_cones_are_narrow_or_none)
{
    /* One sphere in a cube owns all sides. If there is a sphere near each face, each owns most of
     * that face. */
    SCOPED_FIXTURE f = {.mesh = shape_cube((vec3){0, 0, 0}, 1), .packing = spheres_new(1)};
    SCOPED_ARENA arena = {0};
    alg_ist_owners owners;
    const geo_box box = geo_mesh_box(&f.mesh);
    const vec3 middle = vec3_scale(0.5, vec3_add(box.lo, box.hi));
    f.packing.centres[0] = middle;
    f.packing.radii[0] = 0.4;
    assert_ok(alg_ist_own_surface(&f.packing, &f.mesh, &arena, &owners, ERR));
    assert_ok(alg_ist_normal_cones(&f.mesh, &owners, &f.packing, ERR));
    cr_assert(vec3_equal(f.packing.outward[0], (vec3){0, 0, 0}), "opposite sides");
    alg_ist_packing_release(&f.packing);
    f.packing = spheres_new(2);
    const double quarter = 0.25 * (box.hi.z - box.lo.z);
    for (size_t i = 0; i < 2; i++) {
        f.packing.centres[i] = middle;
        f.packing.centres[i].z += i == 0 ? quarter : -quarter;
        f.packing.radii[i] = 0.9 * quarter;
    }
    assert_ok(alg_ist_own_surface(&f.packing, &f.mesh, &arena, &owners, ERR));
    /* Keep only the horizontal faces. */
    for (size_t i = 0; i < 2; i++) {
        uint32_t kept = owners.first[i];
        for (uint32_t k = owners.first[i]; k < owners.first[i + 1]; k++) {
            const geo_triangle t = geo_mesh_triangle(&f.mesh, owners.faces[k]);
            if (t.p[0].z == t.p[1].z && t.p[1].z == t.p[2].z) {
                owners.faces[kept++] = owners.faces[k];
            }
        }
        cr_assert_gt(kept, owners.first[i]);
        for (uint32_t k = kept; k < owners.first[i + 1]; k++) {
            owners.faces[k] = owners.faces[kept - 1];
        }
    }
    assert_ok(alg_ist_normal_cones(&f.mesh, &owners, &f.packing, ERR));
    cr_assert(vec3_equal(f.packing.outward[0], (vec3){0, 0, 1}));
    cr_assert(vec3_equal(f.packing.outward[1], (vec3){0, 0, -1}));
    alg_ist_packing_release(&f.packing);
    geo_mesh_release(&f.mesh);
}

Test(owners, a_face_is_listed_once)
{
    SCOPED_FIXTURE f = set_up(shape_number(0), 12, 0);
    size_t listed = 0;
    for (size_t s = 0; s < f.packing.count; s++) {
        for (uint32_t i = f.owners.first[s]; i < f.owners.first[s + 1]; i++) {
            cr_assert(i == f.owners.first[s] || f.owners.faces[i - 1] < f.owners.faces[i],
                      "sphere %zu: face %u after %u", s, f.owners.faces[i], f.owners.faces[i - 1]);
            listed++;
        }
    }
    cr_assert_gt(listed, 10 * f.mesh.face_count, "%zu", listed);
}

/* Corners of pieces are points with weights k / PARTS of a face's corners. Long double represents
 * them exactly, and distances from them with 11 bits more than the values under test. */
enum { PARTS = 16 };

typedef struct exact_point {
    long double x[3];
} exact_point;

static exact_point exact_of(geo_triangle t, int i, int j)
{
    const int weights[3] = {i, j, PARTS - i - j};
    exact_point p = {{0, 0, 0}};
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            p.x[axis] += (long double)vec3_get(t.p[corner], axis) * weights[corner] / PARTS;
        }
    }
    return p;
}

static long double distance_from(const exact_point *p, vec3 centre)
{
    long double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const long double d = p->x[axis] - (long double)vec3_get(centre, axis);
        sum += d * d;
    }
    return sqrtl(sum);
}

static void check_exactly(const fixture *f, const char *what)
{
    for (uint32_t face = 0; face < f->mesh.face_count; face++) {
        for (int i = 0; i <= PARTS; i++) {
            for (int j = 0; i + j <= PARTS; j++) {
                const exact_point p = exact_of(geo_mesh_triangle(&f->mesh, face), i, j);
                long double gap = (long double)INFINITY;
                bool covered = false;
                for (size_t s = 0; s < f->packing.count; s++) {
                    const long double d = distance_from(&p, f->packing.centres[s]);
                    gap = fminl(gap, d - (long double)f->packing.radii[s]);
                    for (uint32_t k = f->owners.first[s]; k < f->owners.first[s + 1]; k++) {
                        covered |=
                            f->owners.faces[k] == face && d <= (long double)f->packing.outer[s];
                    }
                }
                cr_assert(gap <= (long double)f->gap.most_m, "%s, face %u at %d, %d: by %Lg", what,
                          face, i, j, gap - (long double)f->gap.most_m);
                cr_assert(covered, "%s, face %u at %d, %d is not covered", what, face, i, j);
            }
        }
    }
}

Test(owners, bounds_hold_before_rounding)
{
    /* One sphere, whose largest gap and outer radius are those of the cube's corners: half of the
     * square roots are rounded down. */
    for (int i = 0; i < 40; i++) {
        SCOPED_FIXTURE f = {.mesh = shape_cube((vec3){0, 0, 0}, 1 + i / 64.0),
                            .packing = spheres_new(1)};
        f.packing.radii[0] = 0.5;
        own(&f);
        char what[32];
        snprintf(what, sizeof what, "cube %d", i);
        check_exactly(&f, what);
    }
    /* Four spheres in a row share the edges of a beam that is so far away that the edges' midpoints
     * are not doubles. */
    base_random random = base_random_seed(9);
    for (int i = 0; i < 40; i++) {
        SCOPED_FIXTURE f = {.packing = spheres_new(4)};
        const geo_pose away = shape_pose(&random, 1e9);
        f.mesh = shape_move(shape_box((vec3){-2, -0.5, -0.5}, (vec3){2, 0.5, 0.5}), away, 1);
        for (size_t s = 0; s < 4; s++) {
            f.packing.centres[s] = geo_pose_apply(&away, (vec3){(double)s - 1.5, 0, 0});
            f.packing.radii[s] = 0.4;
        }
        own(&f);
        check_exactly(&f, "far");
    }
}
