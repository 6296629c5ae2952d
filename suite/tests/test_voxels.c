/**
 * Surface voxels of every generator and navigation compared with the exact ones of the truth, which
 * use neither the same test nor the same navigation: the catalogue of models, external meshes, and
 * small meshes whose vertices and faces are in planes of the grid. slow_voxel_sweeps.c tests fine
 * grids.
 */
#include "base/random.h"
#include "base/tests/support.h"
#include "scenarios/models/models.h"

#include "voxels.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/** Returns a model with at most this number of triangles, or its coarsest version. */
static geo_mesh model_of(const scn_model *model, size_t most)
{
    const size_t wanted = model->triangles < most ? model->triangles : most;
    geo_mesh_builder builder = {0};
    base_error err = {0};
    const size_t triangles = wanted > model->triangles_min ? wanted : model->triangles_min;
    cr_assert_eq(scn_model_make(model, triangles, &builder, &err), BASE_OK, "%s: %s", model->name,
                 err.text);
    return geo_mesh_builder_finish(&builder);
}

Test(voxels, catalogue_of_models)
{
    size_t number = 0;
    for (const scn_model *model = scn_models; model->name; model++) {
        if (number++ % sweep_step(3) != 0) {
            continue;
        }
        SCOPED_MESH mesh = model_of(model, 3000);
        cr_expect_gt(voxels_check(&mesh, 16, 2, VOXEL_GENERATORS, model->name), 0);
        cr_expect_gt(voxels_check(&mesh, 40, 3, VOXEL_GENERATORS, model->name), 0);
    }
}

/* --- Degenerate placement --------------------------------------------------------------------- */

enum { TRIANGLES_MAX = 8 };

typedef struct small_mesh {
    vec3 vertices[3 * TRIANGLES_MAX];
    geo_face faces[TRIANGLES_MAX];
    geo_mesh mesh;
    uint32_t resolution;
    vec3 corner; /* of the grid whose planes contain the vertices */
    double edge;
} small_mesh;

/** Choice of coordinates. */
typedef enum placement {
    WHOLE,   /* integers, like the planes */
    HALVES,  /* integers and half-integers */
    ROUNDED, /* planes of a grid with arbitrary edge and corner, as rounded by the formula */
    BESIDE,  /* these, and the neighbouring doubles */
    PLACEMENTS
} placement;

static double coordinate(base_random *random, const small_mesh *m, placement kind, double lo,
                         double edge)
{
    const double i = (double)base_random_below(random, m->resolution + 1);
    const double plane = lo + edge * i;
    switch (kind) {
    case WHOLE:
        return i;
    case HALVES:
        return fmin(i + 0.5 * (double)base_random_below(random, 2), m->resolution);
    case BESIDE: /* neighbours of 0 are not valid coordinates of a mesh */
        return plane == 0 || base_random_below(random, 2)
                   ? plane
                   : nextafter(plane, lo - 1 + 9 * base_random_unit(random));
    default:
        return plane;
    }
}

/**
 * Makes arbitrary triangles, half of them in an axis-aligned plane; some are segments and points.
 */
static void make_small(base_random *random, placement kind, small_mesh *m)
{
    /* With many triangles, one may hide the errors of another. */
    const size_t triangles =
        1 + (base_random_below(random, 3) ? 0 : (size_t)base_random_below(random, TRIANGLES_MAX));
    const bool plain = kind == WHOLE || kind == HALVES;
    m->resolution = 2 + (uint32_t)base_random_below(random, 8);
    const double edge = plain ? 1 : base_random_range(random, 0.01, 2) / m->resolution;
    /* With the corner at the origin, planes round as finely as products, so that signs of
     * doubles are wrong most often; with another corner they are coarser. */
    const bool there = !plain && base_random_below(random, 2);
    const double lo[3] = {there ? base_random_range(random, -1, 1) : 0,
                          there ? base_random_range(random, -100, 100) : 0,
                          there ? base_random_range(random, -1e-3, 1e-3) : 0};
    for (size_t t = 0; t < triangles; t++) {
        double p[3][3];
        const int flat = (int)base_random_below(random, 6);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                p[c][k] = c > 0 && k == flat ? p[0][k] : coordinate(random, m, kind, lo[k], edge);
            }
            m->vertices[3 * t + (size_t)c] = (vec3){p[c][0], p[c][1], p[c][2]};
        }
        const uint32_t v = (uint32_t)(3 * t);
        m->faces[t] = (geo_face){{v, v + 1, v + 2}};
    }
    /* In most cases the first two vertices are the corners of a box on planes. */
    if (base_random_below(random, 4) > 0) {
        const double top = edge * m->resolution;
        m->vertices[0] = (vec3){lo[0], lo[1], lo[2]};
        m->vertices[1] = (vec3){lo[0] + top, lo[1] + top, lo[2] + top};
    }
    m->mesh = (geo_mesh){m->vertices, 3 * triangles, m->faces, triangles};
    m->corner = (vec3){lo[0], lo[1], lo[2]};
    m->edge = edge;
}

Test(voxels, degenerate_placement)
{
    base_random random = base_random_seed(15);
    uint64_t voxels = 0;
    for (int i = 0; i < 1000; i++) {
        small_mesh m;
        char what[64];
        const placement kind = (placement)(i % PLACEMENTS);
        make_small(&random, kind, &m);
        snprintf(what, sizeof what, "mesh %d, placement %d", i, kind);
        const uint32_t padding = 1 + (uint32_t)(i % 3), size = m.resolution + 2 * padding;
        const alg_voxel_grid grid = {m.corner, m.edge, padding, {size, size, size}};
        voxels += voxels_check_in(&m.mesh, &grid, VOXEL_GENERATORS, what);
    }
    cr_expect_gt(voxels, 50000, "%llu", (unsigned long long)voxels);
}

/* --- Meshes from outside ---------------------------------------------------------------------- */

Test(voxels, shared_models)
{
    static const char *const names[] = {"bad-bunny-two-self-intersections", "c3d-rocker-arm",
                                        "c3d-spot", "oded-bunny_hr"};
    if (access("../shared/models", R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i += sweep_step(2)) {
        char path[128];
        SCOPED_MESH mesh;
        snprintf(path, sizeof path, "../shared/models/%s.off", names[i]);
        assert_ok(scn_mesh_open(path, &mesh, ERR));
        cr_expect_gt(voxels_check(&mesh, 64, 2, VOXEL_GENERATORS, names[i]), 0);
        cr_expect_gt(voxels_check(&mesh, 128, 2, VOXEL_QUICK_GENERATORS, names[i]), 0);
    }
}
