/** The points of a mesh are the vertices of its division: algorithms/voxel/division.h. */
#include "algorithms/pst/tree.h"

#include "algorithms/voxel/spacing.h"
#include "base/elementary.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <string.h>

/* Without a number of voxels, a mesh gets at most this many points, unless it has more vertices. */
enum { POINTS_LEAST = 4096, POINTS_PER_FACE = 16 };

/** Layers of the map of a pointshell, which its normals need: algorithms/voxel/pointshell.h. */
enum { SHELL_LAYERS = 2 };

/** Least length of a sum of normals, weighted by angles, that has a direction. */
#define NORMAL_LEAST 1e-9

/* --- Points of a mesh ------------------------------------------------------------------------- */

/** Returns the greatest |x - centre|^2 of the corners. */
static double farthest2(const geo_triangle *t, vec3 centre)
{
    return fmax(fmax(vec3_distance2(t->p[0], centre), vec3_distance2(t->p[1], centre)),
                vec3_distance2(t->p[2], centre));
}

/**
 * Returns the squared radius of the smallest enclosing circle, rounded up. Its centre is rounded,
 * but the distances from the rounded centre are also an upper bound.
 */
static double circle2(const geo_triangle *t)
{
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec3 between = vec3_scale(0.5, vec3_add(t->p[k], t->p[(k + 1) % 3]));
        best = fmin(best, farthest2(t, between));
    }
    /* Circumcentre: a + ((v . v) (u x v) x u + (u . u) v x (u x v)) / (2 |u x v|^2) */
    const vec3 u = vec3_sub(t->p[1], t->p[0]), v = vec3_sub(t->p[2], t->p[0]);
    const vec3 across = vec3_cross(u, v);
    const vec3 sum = vec3_madd(vec3_scale(vec3_norm2(v), vec3_cross(across, u)), vec3_norm2(u),
                               vec3_cross(v, across));
    const vec3 centre = vec3_madd(t->p[0], 0.5 / vec3_norm2(across), sum);
    const double around = farthest2(t, centre);
    return (around < best ? around : best) * (1 + 0x1p-50);
}

/** Returns the unit normal of a triangle, computed from normalized edges; 0 if the triangle has no
 * area. */
static vec3 normal_of(const geo_triangle *t)
{
    const vec3 u = vec3_normalize(vec3_sub(t->p[1], t->p[0]));
    const vec3 v = vec3_normalize(vec3_sub(t->p[2], t->p[0]));
    return vec3_normalize(vec3_cross(u, v));
}

static double angle_at(const geo_triangle *t, int k)
{
    const vec3 u = vec3_normalize(vec3_sub(t->p[(k + 1) % 3], t->p[k]));
    const vec3 v = vec3_normalize(vec3_sub(t->p[(k + 2) % 3], t->p[k]));
    return base_atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
}

/** Sets for each vertex the position, the least face, the greatest patch and the normal. */
static void fill_mesh_points(const geo_mesh *mesh, const alg_division *d, alg_pst_points *points)
{
    memcpy(points->points, d->vertices, d->vertex_count * sizeof *points->points);
    memset(points->faces, 0xff, d->vertex_count * sizeof *points->faces);
    for (size_t i = 0; i < d->part_count; i++) {
        const alg_part *const p = &d->parts[i];
        const geo_triangle t = alg_division_triangle(d, i);
        const geo_triangle face = geo_mesh_triangle(mesh, p->face);
        const vec3 normal = normal_of(&face);
        const float patch2 = base_float_above(circle2(&t));
        for (int k = 0; k < 3; k++) {
            const uint32_t v = p->corner[k];
            points->normals[v] = vec3_madd(points->normals[v], angle_at(&t, k), normal);
            points->patch2[v] = fmaxf(points->patch2[v], patch2);
            points->faces[v] = p->face < points->faces[v] ? p->face : points->faces[v];
        }
    }
    for (size_t v = 0; v < d->vertex_count; v++) {
        const vec3 sum = points->normals[v];
        points->normals[v] = vec3_normalize(vec3_scale(-1, sum));
        if (!(vec3_norm2(sum) > NORMAL_LEAST * NORMAL_LEAST)) {
            /* The sum has no direction. Takes the normal of the face, or if it is 0, any vector. */
            const geo_triangle t = geo_mesh_triangle(mesh, points->faces[v]);
            const vec3 normal = vec3_scale(-1, normal_of(&t));
            points->normals[v] = vec3_norm2(normal) > 0 ? normal : (vec3){0, 0, 1};
        }
    }
}

/* --- Shares ----------------------------------------------------------------------------------- */

/** Distributes each triangle of the division equally to its corners. */
static void share_triangles(const alg_division *d, alg_pst_points *points)
{
    double area = 0;
    for (size_t k = 0; k < d->part_count; k++) {
        const geo_triangle t = alg_division_triangle(d, k);
        const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
        const vec3 inward = vec3_scale(0.5, vec3_cross(v, u));
        for (int i = 0; i < 3; i++) {
            const uint32_t corner = d->parts[k].corner[i];
            points->shares[corner] = vec3_madd(points->shares[corner], 1.0 / 3, inward);
        }
        area += vec3_norm(inward);
    }
    for (size_t i = 0; i < points->count && area > 0; i++) {
        points->shares[i] = vec3_scale(1 / area, points->shares[i]);
    }
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static base_status create_points(size_t count, bool weigh, base_arena *arena,
                                 alg_pst_points *points, base_error *err)
{
    points->count = (uint32_t)count;
    points->shares = weigh ? base_arena_alloc(arena, count, sizeof *points->shares) : NULL;
    points->points = base_arena_alloc(arena, count, sizeof *points->points);
    points->normals = base_arena_alloc(arena, count, sizeof *points->normals);
    points->patch2 = base_arena_alloc(arena, count, sizeof *points->patch2);
    points->faces = base_arena_alloc(arena, count, sizeof *points->faces);
    const bool good = points->points && points->normals && points->patch2 && points->faces &&
                      (points->shares || !weigh);
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
}

base_status alg_pst_points_divide(const geo_mesh *mesh, uint32_t voxels, alg_division *division,
                                  base_error *err)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double whole = fmax(fmax(size.x, size.y), size.z);
    if (voxels > 0) {
        return alg_division_build(mesh, whole / voxels, division, err);
    }
    double longest = whole / ALG_PST_SHELL_VOXELS;
    base_status status = alg_division_build(mesh, longest, division, err);
    while (status == BASE_OK && longest < whole &&
           division->vertex_count > POINTS_LEAST + POINTS_PER_FACE * mesh->face_count) {
        longest *= 1.5;
        alg_division_release(division);
        status = alg_division_build(mesh, longest, division, err);
    }
    return status;
}

static base_status build_mesh_points(const geo_mesh *mesh, const alg_pst_points_options *options,
                                     base_arena *arena, alg_pst_points *points, base_error *err)
{
    alg_division d;
    base_status status = alg_pst_points_divide(mesh, options->voxels, &d, err);
    if (status == BASE_OK) {
        status = create_points(d.vertex_count, options->weigh, arena, points, err);
    }
    alg_spacing spacing = {0};
    if (status == BASE_OK) {
        fill_mesh_points(mesh, &d, points);
        if (options->weigh) {
            share_triangles(&d, points);
        }
        points->slack = d.round_count * 0x1p-52 * geo_box_reach(geo_mesh_box(mesh));
        status = alg_spacing_measure(points->points, points->count, &spacing, err);
    }
    points->spacing_mean = spacing.mean;
    points->spacing_least = spacing.least;
    points->spacing_deviation = spacing.deviation;
    alg_division_release(&d);
    return status;
}

base_status alg_pst_map_build(const geo_mesh *mesh, uint32_t voxels, uint32_t layers,
                              base_arena *arena, alg_voxel_map *map, base_error *err)
{
    const alg_voxel_surface_options options = {.generator = ALG_VOXEL_OURS};
    alg_voxel_grid grid;
    alg_voxel_bits bits = {0};
    uint64_t tests;
    /* The padding has one voxel more: the outer layers begin beyond the surface voxels, which may
       be at the border of the box. */
    base_status status = alg_voxel_grid_place(geo_mesh_box(mesh), voxels, layers + 1, &grid, err);
    if (status == BASE_OK) {
        status = alg_voxel_bits_create(grid.size, &bits, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, &grid, &options, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_map_build(&grid, &bits, &(alg_voxel_map_options){.layers = layers},
                                     arena, map, err);
    }
    alg_voxel_bits_release(&bits);
    return status;
}

static void fill_shell_points(const geo_mesh *mesh, const alg_pointshell *shell,
                              alg_pst_points *points)
{
    const size_t count = points->count;
    memcpy(points->points, shell->points, count * sizeof *points->points);
    memcpy(points->normals, shell->normals, count * sizeof *points->normals);
    memcpy(points->faces, shell->faces, count * sizeof *points->faces);
    if (points->shares) {
        memcpy(points->shares, shell->shares, count * sizeof *points->shares);
    }
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        const vec3 p = points->points[i];
        const vec3 q = geo_triangle_closest(geo_mesh_triangle(mesh, points->faces[i]), p);
        off = fmax(off, vec3_distance(p, q));
    }
    /* The closest point itself has an error of some units in the last place. */
    points->slack = off + 0x1p-48 * geo_box_reach(geo_mesh_box(mesh));
    points->reach = shell->reach;
    points->spacing_mean = shell->spacing_mean;
    points->spacing_least = shell->spacing_least;
    points->spacing_deviation = shell->spacing_deviation;
}

static base_status build_shell_points(const geo_mesh *mesh, const alg_pst_points_options *options,
                                      base_arena *arena, alg_pst_points *points, base_error *err)
{
    const alg_pointshell_options shell_options = {.kind = options->kind == ALG_PST_BLUE_NOISE
                                                              ? ALG_POINTSHELL_BLUE_NOISE
                                                              : ALG_POINTSHELL_TWO_PHASE,
                                                  .seed = options->seed,
                                                  .shares = options->weigh};
    base_arena scratch = {0};
    alg_voxel_map map;
    alg_pointshell shell;
    base_status status =
        alg_pst_map_build(mesh, options->voxels > 0 ? options->voxels : ALG_PST_SHELL_VOXELS,
                          SHELL_LAYERS, &scratch, &map, err);
    if (status == BASE_OK) {
        status = alg_pointshell_build(mesh, &map, &shell_options, &scratch, &shell, err);
    }
    if (status == BASE_OK) {
        status = create_points(shell.count, options->weigh, arena, points, err);
    }
    if (status == BASE_OK) {
        fill_shell_points(mesh, &shell, points);
    }
    base_arena_release(&scratch);
    return status;
}

base_status alg_pst_points_build(const geo_surface *surface, const alg_pst_points_options *options,
                                 base_arena *arena, alg_pst_points *points, base_error *err)
{
    *points = (alg_pst_points){.kind = options->kind};
    return options->kind == ALG_PST_MESH
               ? build_mesh_points(surface->mesh, options, arena, points, err)
               : build_shell_points(surface->mesh, options, arena, points, err);
}
