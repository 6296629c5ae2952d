/** Common code of the tests of the simulated hand: boxes, and comparisons of vectors. */
#ifndef SCENARIOS_TESTS_SIMULATION_H
#define SCENARIOS_TESTS_SIMULATION_H

#include "base/tests/support.h"
#include "scenarios/simulation/simulation.h"
#include "scenarios/tests/support.h"

/** A box with twelve faces. The structure contains the arrays of its mesh, so the mesh is valid as
 * long as the structure. */
typedef struct box_mesh {
    vec3 vertices[8];
    geo_face faces[12];
    geo_mesh mesh;
} box_mesh;

/** Corner i has x, y and z at `hi` where bits 0, 1 and 2 are set. */
static inline void box_mesh_make(vec3 lo, vec3 hi, box_mesh *box)
{
    static const geo_face faces[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}},
                                       {{0, 1, 4}}, {{1, 5, 4}}, {{2, 6, 3}}, {{3, 6, 7}},
                                       {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
    for (int i = 0; i < 8; i++) {
        box->vertices[i] = vec3_make(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
    }
    memcpy(box->faces, faces, sizeof faces);
    box->mesh = (geo_mesh){box->vertices, 8, box->faces, 12};
}

static inline scn_mass mass_of(const geo_mesh *mesh, double density_kg_m3)
{
    scn_mass mass;
    assert_ok(scn_mass_of(mesh, density_kg_m3, &mass, ERR));
    return mass;
}

/** Returns the mass of a box about the origin with 1000 kg/m3. */
static inline scn_mass box_mass(vec3 edges)
{
    box_mesh box;
    box_mesh_make(vec3_scale(-0.5, edges), vec3_scale(0.5, edges), &box);
    return mass_of(&box.mesh, 1000);
}

enum { CONTACTS_MOST = 70000 };

/** Applies impulses at a list of contacts in a step of 1 ms. */
static inline scn_impulse_result push(const scn_contact *contacts, size_t count,
                                      const scn_mass *mass, const scn_impulse_options *options,
                                      scn_state *state)
{
    static uint32_t order[CONTACTS_MOST];
    cr_assert_leq(count, CONTACTS_MOST);
    const scn_contacts list = {contacts, order, count};
    return scn_impulses(&list, mass, options, 0.001, state);
}

static inline void expect_vec3(vec3 value, vec3 wanted, double tolerance, const char *what)
{
    cr_expect(vec3_distance(value, wanted) <= tolerance,
              "%s: (%.17g, %.17g, %.17g), not (%.17g, %.17g, %.17g): off by %g, not %g", what,
              value.x, value.y, value.z, wanted.x, wanted.y, wanted.z, vec3_distance(value, wanted),
              tolerance);
}

static inline void expect_mat3(mat3 value, mat3 wanted, double tolerance, const char *what)
{
    for (int i = 0; i < 3; i++) {
        expect_vec3(value.row[i], wanted.row[i], tolerance, what);
    }
}

static inline geo_quat turn_about(vec3 axis, double angle)
{
    const vec3 v = vec3_scale(base_sin(0.5 * angle), vec3_normalize(axis));
    return (geo_quat){v.x, v.y, v.z, base_cos(0.5 * angle)};
}

#endif
