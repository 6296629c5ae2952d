/** Tests the division of a mesh by known results and by properties. */
#include "algorithms/voxel/division.h"

#include "algorithms/tests/shapes.h"

#include <criterion/criterion.h>

static alg_division divide(const geo_mesh *mesh, double longest)
{
    alg_division d;
    assert_ok(alg_division_build(mesh, longest, &d, ERR));
    return d;
}

Test(division, of_a_cube_by_hand)
{
    geo_mesh cube = shape_cube((vec3){0, 0, 0}, 1); /* edges of length 2, diagonals of length
                                                       sqrt(8) */
    alg_division d = divide(&cube, 2.9);
    cr_assert(d.vertex_count == 8 && d.part_count == 12 && d.round_count == 0);
    alg_division_release(&d);
    d = divide(&cube, 2.5); /* each diagonal is halved once */
    cr_assert(d.vertex_count == 8 + 6 && d.part_count == 24 && d.round_count == 1);
    alg_division_release(&d);
    cr_assert(d.vertices == NULL && d.parts == NULL);
    geo_mesh_release(&cube);
}

/** Tests that no edge is longer than wanted, and that faces keep their areas and directions. */
Test(division, keeps_the_surface)
{
    geo_mesh meshes[] = {shape_torus(12, 1, 0.3), shape_box((vec3){0, 0, 0}, (vec3){1, 1, 1e-3})};
    for (int m = 0; m < 2; m++) {
        const double longest = 0.07;
        alg_division d = divide(&meshes[m], longest);
        vec3 *const sums = calloc(meshes[m].face_count, sizeof *sums);
        for (size_t i = 0; i < d.part_count; i++) {
            const geo_triangle t = alg_division_triangle(&d, i);
            for (int k = 0; k < 3; k++) {
                cr_assert(vec3_distance(t.p[k], t.p[(k + 1) % 3]) <= longest * (1 + 1e-12));
            }
            vec3 *const sum = &sums[d.parts[i].face];
            *sum = vec3_add(*sum, vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        }
        for (size_t f = 0; f < meshes[m].face_count; f++) {
            const geo_triangle t = geo_mesh_triangle(&meshes[m], f);
            const vec3 whole = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
            cr_assert(vec3_distance(sums[f], whole) < 1e-12, "mesh %d, face %zu", m, f);
        }
        free(sums);
        alg_division_release(&d);
        geo_mesh_release(&meshes[m]);
    }
}
