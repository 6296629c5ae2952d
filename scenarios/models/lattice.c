#include "scenarios/models/models.h"

/*
 * Bodies for degenerate contact. Their corners are whole numbers of units, and the unit is a power
 * of two (but for the thickness of the slab), so that bodies that ought to touch, or to have faces
 * in one plane, do so to the last bit; what they have in common is known without rounding.
 */
static const double unit = 1.0 / 1024;

enum { VERTICES_MAX = 48, FACES_MAX = 72 };

/** A mesh in the making; corners in units. */
typedef struct draft {
    vec3 vertices[VERTICES_MAX];
    geo_face faces[FACES_MAX];
    size_t vertex_count, face_count;
} draft;

static void add_face(draft *d, size_t a, size_t b, size_t c)
{
    base_assert(d->face_count < FACES_MAX);
    d->faces[d->face_count++] = (geo_face){
        {(uint32_t)a, (uint32_t)b, (uint32_t)c}
    };
}

/** Corners counter-clockwise seen from outside. */
static void add_quad(draft *d, size_t first, size_t second, size_t third, size_t fourth)
{
    add_face(d, first, second, third);
    add_face(d, first, third, fourth);
}

/** The corners (-x, -y), (x, -y), (x, y), (-x, y) at height z; returns the first one's index. */
static size_t add_square(draft *d, double x, double y, double z)
{
    const size_t first = d->vertex_count;
    base_assert(first + 4 <= VERTICES_MAX);
    for (size_t i = 0; i < 4; i++) {
        d->vertices[first + i] = vec3_make(i == 0 || i == 3 ? -x : x, i < 2 ? -y : y, z);
    }
    d->vertex_count += 4;
    return first;
}

/** The walls between two squares; they look away from the axis when `to` is the higher one. */
static void add_walls(draft *d, size_t from, size_t to)
{
    for (size_t i = 0; i < 4; i++) {
        const size_t next = (i + 1) % 4;
        add_quad(d, from + i, from + next, to + next, to + i);
    }
}

/** A box about the origin; a cavity is one that looks inwards. */
static void add_box(draft *d, vec3 half, bool cavity)
{
    const size_t z0 = add_square(d, half.x, half.y, cavity ? half.z : -half.z);
    const size_t z1 = add_square(d, half.x, half.y, cavity ? -half.z : half.z);
    add_quad(d, z0, z0 + 3, z0 + 2, z0 + 1);
    add_walls(d, z0, z1);
    add_quad(d, z1, z1 + 1, z1 + 2, z1 + 3);
}

/** Cut into n^2 times as many triangles, the n that comes nearest to `triangles`. */
static base_status finish(draft *d, vec3 units, size_t triangles, geo_mesh_builder *mesh,
                          base_error *err)
{
    const size_t c = d->face_count;
    size_t n = 1;
    while (c * (n * n + (n + 1) * (n + 1)) < 2 * triangles) {
        n++;
    }
    const geo_mesh coarse = {d->vertices, d->vertex_count, d->faces, d->face_count};
    const base_status status = scn_subdivide(&coarse, n, mesh, err);
    for (size_t i = 0; status == BASE_OK && i < mesh->vertex_count; i++) {
        double p[3];
        for (int axis = 0; axis < 3; axis++) {
            /* A face in a plane stays there: n x / n is not always x. */
            const double x = vec3_get(mesh->vertices[i], axis), whole = floor(x + 0.5);
            p[axis] = fabs(x - whole) < 1e-9 ? whole : x;
        }
        mesh->vertices[i] = vec3_make(units.x * p[0], units.y * p[1], units.z * p[2]);
    }
    return status;
}

static base_status finish_cubic(draft *d, size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return finish(d, vec3_make(unit, unit, unit), triangles, mesh, err);
}

/* --- Bodies ----------------------------------------------------------------------------------- */

base_status scn_cube_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    add_box(&d, vec3_make(32, 32, 32), false);
    return finish_cubic(&d, triangles, mesh, err);
}

base_status scn_slab_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    static const double half_thickness = 0.5e-9;
    draft d = {.vertex_count = 0};
    add_box(&d, vec3_make(48, 32, 1), false);
    return finish(&d, vec3_make(unit, unit, half_thickness), triangles, mesh, err);
}

/** The cube just fills its cavity. */
base_status scn_shell_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    add_box(&d, vec3_make(48, 48, 48), false);
    add_box(&d, vec3_make(32, 32, 32), true);
    return finish_cubic(&d, triangles, mesh, err);
}

base_status scn_nested_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    bool cavity = false;
    for (double half = 48; half > 0; half -= 8, cavity = !cavity) {
        add_box(&d, vec3_make(half, half, half), cavity);
    }
    return finish_cubic(&d, triangles, mesh, err);
}

base_status scn_frame_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    const size_t outer0 = add_square(&d, 48, 48, -8), outer1 = add_square(&d, 48, 48, 8);
    const size_t inner0 = add_square(&d, 16, 16, -8), inner1 = add_square(&d, 16, 16, 8);
    add_walls(&d, outer0, outer1);
    add_walls(&d, outer1, inner1);
    add_walls(&d, inner1, inner0);
    add_walls(&d, inner0, outer0);
    return finish_cubic(&d, triangles, mesh, err);
}

base_status scn_needle_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    const size_t end = add_square(&d, 0.5, 0.5, -48), neck = add_square(&d, 0.5, 0.5, 32);
    const size_t tip = d.vertex_count++;
    d.vertices[tip] = vec3_make(0, 0, 48);
    add_quad(&d, end, end + 3, end + 2, end + 1);
    add_walls(&d, end, neck);
    for (size_t i = 0; i < 4; i++) {
        add_face(&d, neck + i, neck + (i + 1) % 4, tip);
    }
    return finish_cubic(&d, triangles, mesh, err);
}
