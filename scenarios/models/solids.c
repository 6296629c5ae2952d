/** Solids of simple form: round ones and a box, then bodies with exact contacts. */
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

#include <stdlib.h>

/* --- Subdivision ------------------------------------------------------------------------------ */

/** One side of a face: its edge, given by the lower and the higher vertex. */
typedef struct side {
    uint32_t lo, hi;
    uint32_t index; /* 3 * face + corner */
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *const a = left, *const b = right;
    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }
    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/** Numbers the edges. Side 3 f + c runs from corner c of face f to the next corner. Returns the
 * number of edges. */
static size_t number_edges(const geo_mesh *mesh, side *sides, uint32_t *edge_of_side)
{
    const size_t side_count = 3 * mesh->face_count;
    for (size_t i = 0; i < side_count; i++) {
        const uint32_t *const v = mesh->faces[i / 3].v;
        const uint32_t from = v[i % 3], to = v[(i + 1) % 3];
        sides[i] = (side){from < to ? from : to, from < to ? to : from, (uint32_t)i};
    }
    qsort(sides, side_count, sizeof *sides, compare_sides);
    size_t edges = 0;
    for (size_t i = 0; i < side_count; i++) {
        if (i > 0 && (sides[i].lo != sides[i - 1].lo || sides[i].hi != sides[i - 1].hi)) {
            edges++;
        }
        edge_of_side[sides[i].index] = (uint32_t)edges;
    }
    return edges + 1;
}

/** Order of the vertices of the fine mesh. The corners of the coarse mesh come first, then the
 * vertices on each edge, beginning at the end with the lower index, then the interior vertices of
 * each face, row by row. */
typedef struct layout {
    const geo_mesh *coarse;
    const uint32_t *edge_of_side;
    size_t frequency, edge_count;
} layout;

static uint32_t on_side(const layout *l, size_t face, size_t corner, size_t step)
{
    const uint32_t *const v = l->coarse->faces[face].v;
    const size_t n = l->frequency, edge = l->edge_of_side[3 * face + corner];
    const size_t from_lower = v[corner] < v[(corner + 1) % 3] ? step : n - step;
    return (uint32_t)(l->coarse->vertex_count + edge * (n - 1) + from_lower - 1);
}

/** Returns the vertex at i / n of the way to corner 1 and j / n of the way to corner 2; i + j <=
 * n. */
static uint32_t fine_vertex(const layout *l, size_t face, size_t i, size_t j)
{
    const size_t n = l->frequency, k = n - i - j;
    const uint32_t *const v = l->coarse->faces[face].v;
    if (i == n || j == n || k == n) {
        return i == n ? v[1] : j == n ? v[2] : v[0];
    }
    if (j == 0) {
        return on_side(l, face, 0, i);
    }
    if (k == 0) {
        return on_side(l, face, 1, j);
    }
    if (i == 0) {
        return on_side(l, face, 2, k);
    }
    /* Row j holds i = 1 .. n - 1 - j. The rows before it hold (n - 2) + (n - 3) + ... */
    const size_t before = (j - 1) * (n - 1) - (j - 1) * j / 2;
    const size_t inside = l->coarse->vertex_count + l->edge_count * (n - 1);
    return (uint32_t)(inside + face * ((n - 1) * (n - 2) / 2) + before + i - 1);
}

static void place_vertices(const layout *l, geo_mesh_builder *fine)
{
    const size_t n = l->frequency;
    for (size_t f = 0; f < l->coarse->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(l->coarse, f);
        const uint32_t *const v = l->coarse->faces[f].v;
        for (size_t j = 0; j <= n; j++) {
            for (size_t i = 0; i + j <= n; i++) {
                const size_t k = n - i - j;
                /* A vertex on an edge is placed only once, for the side that ends at the corner
                 * with the higher index. */
                if ((j == 0 && v[0] > v[1]) || (k == 0 && v[1] > v[2]) || (i == 0 && v[2] > v[0])) {
                    continue;
                }
                const vec3 sum = vec3_add(
                    vec3_scale((double)k, t.p[0]),
                    vec3_add(vec3_scale((double)i, t.p[1]), vec3_scale((double)j, t.p[2])));
                fine->vertices[fine_vertex(l, f, i, j)] = vec3_scale(1 / (double)n, sum);
            }
        }
    }
    for (size_t i = 0; i < l->coarse->vertex_count; i++) {
        fine->vertices[i] = l->coarse->vertices[i];
    }
}

static void connect_faces(const layout *l, geo_mesh_builder *fine)
{
    const size_t n = l->frequency;
    geo_face *out = fine->faces;
    for (size_t f = 0; f < l->coarse->face_count; f++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i + j < n; i++) {
                const uint32_t right = fine_vertex(l, f, i + 1, j),
                               up = fine_vertex(l, f, i, j + 1);
                *out++ = (geo_face){{fine_vertex(l, f, i, j), right, up}};
                if (i + j + 1 < n) {
                    *out++ = (geo_face){{right, fine_vertex(l, f, i + 1, j + 1), up}};
                }
            }
        }
    }
}

base_status scn_subdivide(const geo_mesh *coarse, size_t frequency, geo_mesh_builder *fine,
                          base_error *err)
{
    const size_t side_count = 3 * coarse->face_count, n = frequency;
    side *const sides = base_alloc(side_count, sizeof *sides);
    uint32_t *const edge_of_side = base_alloc(side_count, sizeof *edge_of_side);
    base_status status;
    *fine = (geo_mesh_builder){0};
    if (!sides || !edge_of_side) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for a subdivision into %zu triangles",
                      n * n * coarse->face_count);
        goto done;
    }
    const size_t edge_count = number_edges(coarse, sides, edge_of_side);
    const size_t vertices = coarse->vertex_count + edge_count * (n - 1) +
                            coarse->face_count * ((n - 1) * (n == 1 ? 0 : n - 2) / 2);
    status = geo_mesh_builder_init(vertices, n * n * coarse->face_count, fine, err);
    if (status == BASE_OK) {
        const layout l = {coarse, edge_of_side, n, edge_count};
        place_vertices(&l, fine);
        connect_faces(&l, fine);
    }
done:
    base_free(edge_of_side);
    base_free(sides);
    return status;
}

/* --- Box: 100 x 80 x 60 mm about the origin --------------------------------------------------- */

static const vec3 box_half = {SCN_BOX_X, SCN_BOX_Y, SCN_BOX_Z};

/** Cells along each edge of the box. */
typedef struct box_grid {
    size_t x, y, z;
} box_grid;

static size_t box_faces(box_grid n)
{
    return 4 * (n.x * n.y + n.y * n.z + n.z * n.x);
}

/** Returns the grid of nearly cubic cells whose number of triangles is nearest to `triangles`. If
 * two grids are equally near, returns the one with fewer cells along x. */
static box_grid box_fit(size_t triangles)
{
    box_grid best = {1, 1, 1};
    double best_error = fabs((double)box_faces(best) - (double)triangles);
    for (size_t x = 1; 4 * x * x < 2 * triangles; x++) {
        const size_t y_mid = scn_steps(box_half.y, box_half.x / (double)x);
        const size_t z_mid = scn_steps(box_half.z, box_half.x / (double)x);
        for (size_t y = y_mid - (y_mid > 1); y <= y_mid + 1; y++) {
            for (size_t z = z_mid - (z_mid > 1); z <= z_mid + 1; z++) {
                const box_grid n = {x, y, z};
                const double error = fabs((double)box_faces(n) - (double)triangles);
                if (error < best_error) {
                    best_error = error;
                    best = n;
                }
            }
        }
    }
    return best;
}

/** Returns the index of the surface lattice point (x, y, z). The points of the lowest layer come
 * first, then the perimeters of the layers between, then the points of the highest layer. */
static uint32_t box_vertex(box_grid n, size_t x, size_t y, size_t z)
{
    const size_t layer = (n.x + 1) * (n.y + 1), perimeter = 2 * (n.x + n.y);
    if (z == 0 || z == n.z) {
        const size_t below = z == 0 ? 0 : layer + (n.z - 1) * perimeter;
        return (uint32_t)(below + y * (n.x + 1) + x);
    }
    const size_t around = y == 0     ? x
                          : x == n.x ? n.x + y
                          : y == n.y ? 2 * n.x + n.y - x
                                     : perimeter - y;
    return (uint32_t)(layer + (z - 1) * perimeter + around);
}

static void box_place(geo_mesh_builder *mesh, box_grid n)
{
    for (size_t z = 0; z <= n.z; z++) {
        for (size_t y = 0; y <= n.y; y++) {
            const bool whole_row = y == 0 || y == n.y || z == 0 || z == n.z;
            for (size_t x = 0; x <= n.x; x += whole_row ? 1 : n.x) {
                mesh->vertices[box_vertex(n, x, y, z)] =
                    vec3_make(box_half.x * ((2 * (double)x - (double)n.x) / (double)n.x),
                              box_half.y * ((2 * (double)y - (double)n.y) / (double)n.y),
                              box_half.z * ((2 * (double)z - (double)n.z) / (double)n.z));
            }
        }
    }
}

/** Adds the two triangles of a cell. Its corners are in the order (u, v), (u + 1, v), (u, v + 1),
 * (u + 1, v + 1). If `high`, the normals of the triangles point along the cross product of the axes
 * u and v, otherwise against it. */
static size_t box_quad(geo_mesh_builder *mesh, size_t face, const uint32_t corner[4], bool high)
{
    const size_t second = high ? 1 : 2, third = high ? 2 : 1;
    mesh->faces[face] = (geo_face){{corner[0], corner[second], corner[3]}};
    mesh->faces[face + 1] = (geo_face){{corner[0], corner[3], corner[third]}};
    return face + 2;
}

static void box_connect(geo_mesh_builder *mesh, box_grid n)
{
    const size_t cells[3] = {n.x, n.y, n.z};
    size_t face = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (size_t i = 0; i < 2 * cells[u] * cells[v]; i++) {
            const size_t cell = i / 2;
            const bool high = i % 2 == 1;
            uint32_t corner[4];
            for (size_t c = 0; c < 4; c++) {
                size_t at[3];
                at[axis] = high ? cells[axis] : 0;
                at[u] = cell % cells[u] + c % 2;
                at[v] = cell / cells[u] + c / 2;
                corner[c] = box_vertex(n, at[0], at[1], at[2]);
            }
            face = box_quad(mesh, face, corner, high);
        }
    }
}

base_status scn_box_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    const box_grid n = box_fit(triangles);
    const size_t vertices = 2 * (n.x + 1) * (n.y + 1) + (n.z - 1) * 2 * (n.x + n.y);
    const base_status status = geo_mesh_builder_init(vertices, box_faces(n), mesh, err);
    if (status == BASE_OK) {
        box_place(mesh, n);
        box_connect(mesh, n);
    }
    return status;
}

/* --- Sphere: radius 50 mm about the origin ---------------------------------------------------- */

static base_status make_icosahedron(geo_mesh_builder *mesh, base_error *err)
{
    static const geo_face faces[20] = {{{0, 2, 8}},  {{0, 9, 2}},  {{0, 4, 6}},  {{0, 8, 4}},
                                       {{0, 6, 9}},  {{1, 10, 3}}, {{1, 3, 11}}, {{1, 6, 4}},
                                       {{1, 4, 10}}, {{1, 11, 6}}, {{2, 7, 5}},  {{2, 5, 8}},
                                       {{2, 9, 7}},  {{3, 5, 7}},  {{3, 10, 5}}, {{3, 7, 11}},
                                       {{4, 8, 10}}, {{5, 10, 8}}, {{6, 11, 9}}, {{7, 9, 11}}};
    const base_status status = geo_mesh_builder_init(12, 20, mesh, err);
    if (status != BASE_OK) {
        return status;
    }
    const double golden = 0.5 * (1 + sqrt(5));
    for (uint32_t i = 0; i < 4; i++) {
        const double one = i < 2 ? 1 : -1, phi = (i & 1) == 0 ? golden : -golden;
        mesh->vertices[i] = vec3_make(0, one, phi);
        mesh->vertices[4 + i] = vec3_make(one, phi, 0);
        mesh->vertices[8 + i] = vec3_make(phi, 0, one);
    }
    for (size_t i = 0; i < 20; i++) {
        mesh->faces[i] = faces[i];
    }
    return BASE_OK;
}

base_status scn_sphere_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    size_t frequency = 1;
    while (10 * (frequency * frequency + (frequency + 1) * (frequency + 1)) < triangles) {
        frequency++;
    }
    geo_mesh_builder coarse = {0};
    *mesh = (geo_mesh_builder){0};
    base_status status = make_icosahedron(&coarse, err);
    if (status == BASE_OK) {
        const geo_mesh view = geo_mesh_builder_view(&coarse);
        status = scn_subdivide(&view, frequency, mesh, err);
    }
    if (status == BASE_OK) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            mesh->vertices[i] = vec3_scale(SCN_SPHERE_RADIUS, vec3_normalize(mesh->vertices[i]));
        }
    }
    geo_mesh_builder_release(&coarse);
    return status;
}

/* --- Torus: 100 mm across, tube 30 mm, about the z axis --------------------------------------- */

static const double torus_radius = 0.035, tube_radius = 0.015;

typedef struct torus_ring {
    double radius, z;
    size_t count;
} torus_ring;

static vec3 torus_point(const void *context, size_t i)
{
    const torus_ring *const ring = context;
    const double angle = 2 * BASE_PI * ((double)i / (double)ring->count);
    return vec3_make(ring->radius * base_cos(angle), ring->radius * base_sin(angle), ring->z);
}

void scn_torus_design(scn_loft *loft, scn_grid grid)
{
    const size_t around = scn_steps(2 * BASE_PI * torus_radius, grid.edge);
    const size_t rings = scn_steps(2 * BASE_PI * tube_radius, grid.step);
    for (size_t k = 0; k < rings; k++) {
        const double angle = 2 * BASE_PI * ((double)k / (double)rings);
        const torus_ring ring = {torus_radius + tube_radius * base_cos(angle),
                                 tube_radius * base_sin(angle), around};
        scn_loft_ring(loft, around, torus_point, &ring);
    }
    scn_loft_close(loft);
}

/* --- Cylinder: 60 mm across, 100 mm long, about the z axis ------------------------------------ */

void scn_cylinder_design(scn_loft *loft, scn_grid grid)
{
    static const double radius = 0.03, half_length = 0.05;
    const scn_outline circle = scn_outline_circle(radius, 0);
    const scn_rim rim = {&circle, grid.edge};
    scn_loft_begin(loft, rim, -half_length);
    scn_loft_outline(loft, rim, -half_length);
    scn_loft_wall(loft, rim, -half_length, half_length, grid.step);
    scn_loft_end(loft, rim, half_length);
}

/* --- Bodies for degenerate contact ------------------------------------------------------------ */

/*
 * The corners of these bodies are whole multiples of a unit that is a power of two, except for the
 * thickness of the slab. So coordinates have no rounding errors: bodies that are placed to touch
 * touch exactly, faces that are placed in one plane are exactly in it, and the intersection of the
 * bodies is known exactly.
 */
static const double unit = 1.0 / 1024;

enum { VERTICES_MAX = 48, FACES_MAX = 72 };

/** A mesh under construction; corners in units. */
typedef struct draft {
    vec3 vertices[VERTICES_MAX];
    geo_face faces[FACES_MAX];
    size_t vertex_count, face_count;
} draft;

static void add_face(draft *d, size_t a, size_t b, size_t c)
{
    base_assert(d->face_count < FACES_MAX);
    d->faces[d->face_count++] = (geo_face){{(uint32_t)a, (uint32_t)b, (uint32_t)c}};
}

/** Adds a quad with corners counter-clockwise seen from outside. */
static void add_quad(draft *d, size_t first, size_t second, size_t third, size_t fourth)
{
    add_face(d, first, second, third);
    add_face(d, first, third, fourth);
}

/** Adds the corners (-x, -y), (x, -y), (x, y), (-x, y) at height z; returns the index of the first
 * one. */
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

/** Adds the walls between two squares. They face away from the axis if `to` is higher than
 * `from`. */
static void add_walls(draft *d, size_t from, size_t to)
{
    for (size_t i = 0; i < 4; i++) {
        const size_t next = (i + 1) % 4;
        add_quad(d, from + i, from + next, to + next, to + i);
    }
}

/** Adds a box about the origin. cavity: its faces look inwards. */
static void add_box(draft *d, vec3 half, bool cavity)
{
    const size_t z0 = add_square(d, half.x, half.y, cavity ? half.z : -half.z);
    const size_t z1 = add_square(d, half.x, half.y, cavity ? -half.z : half.z);
    add_quad(d, z0, z0 + 3, z0 + 2, z0 + 1);
    add_walls(d, z0, z1);
    add_quad(d, z1, z1 + 1, z1 + 2, z1 + 3);
}

/** Splits each face into n^2 faces and scales the vertices by `units`. n is chosen so that the
 * number of faces is nearest to `triangles`. */
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
            /* A vertex may be off the plane of its face by rounding, since n x / n is not always
             * x. So coordinates that are nearly whole are made whole. */
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

base_status scn_cube_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    draft d = {.vertex_count = 0};
    const double half = SCN_CUBE_HALF / unit;
    add_box(&d, vec3_make(half, half, half), false);
    return finish_cubic(&d, triangles, mesh, err);
}

base_status scn_slab_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    static const double half_thickness = 0.5e-9;
    draft d = {.vertex_count = 0};
    add_box(&d, vec3_make(48, 32, 1), false);
    return finish(&d, vec3_make(unit, unit, half_thickness), triangles, mesh, err);
}

/** The cavity of the shell has exactly the size of the cube of scn_cube_build. */
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

/** Extrudes a profile in the plane of x and z along y. */
base_status scn_channel_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    const double x = SCN_CHANNEL_X, z = SCN_CHANNEL_Z, width = SCN_CHANNEL_WIDTH,
                 floor_z = SCN_CHANNEL_FLOOR;
    const vec3 profile[] = {{-x, 0, -z},    {x, 0, -z},          {x, 0, z},
                            {width, 0, z},  {width, 0, floor_z}, {-width, 0, floor_z},
                            {-width, 0, z}, {-x, 0, z}};
    enum { CORNERS = sizeof profile / sizeof *profile };
    draft d = {.vertex_count = 2 * CORNERS};
    for (size_t i = 0; i < CORNERS; i++) {
        const size_t next = (i + 1) % CORNERS;
        const vec3 end = {0, SCN_CHANNEL_Y, 0};
        d.vertices[i] = vec3_scale(1 / unit, vec3_sub(profile[i], end));
        d.vertices[CORNERS + i] = vec3_scale(1 / unit, vec3_add(profile[i], end));
        add_quad(&d, i, CORNERS + i, CORNERS + next, next);
    }
    static const size_t ends[][4] = {{0, 1, 4, 5}, {1, 2, 3, 4}, {0, 5, 6, 7}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t *const e = ends[i];
        add_quad(&d, e[0], e[1], e[2], e[3]);
        add_quad(&d, CORNERS + e[3], CORNERS + e[2], CORNERS + e[1], CORNERS + e[0]);
    }
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
