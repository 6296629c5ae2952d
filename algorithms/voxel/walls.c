#include "algorithms/voxel/walls.h"

#include "algorithms/life.h"
#include "algorithms/voxel/field.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/surface.h"
#include "geometry/vec.h"

#include <math.h>
#include <stdlib.h>

/* --- Thickness -------------------------------------------------------------------------------- */

enum { RAYS = 4096 };

/* A ray starts on the surface. Hits nearer than this share of the largest coordinate are the face
 * itself and its neighbours in the same plane, up to rounding. */
static const double own_face = 1e-9;

/** Returns a random point of the triangle, evenly distributed. */
static vec3 draw_point(base_random *random, const geo_triangle *t)
{
    const double u = sqrt(base_random_unit(random)), v = base_random_unit(random);
    const vec3 a = vec3_sub(t->p[1], t->p[0]), b = vec3_sub(t->p[2], t->p[0]);
    return vec3_madd(vec3_madd(t->p[0], u * (1 - v), a), u * v, b);
}

/** Writes the lengths of the rays that meet a face. Returns their number, at most RAYS. */
static size_t cast_rays(const geo_surface *surface, double lengths[RAYS])
{
    const double skip = own_face * geo_box_reach(surface->bvh.box);
    const double step = geo_mesh_measures(surface->mesh).area_m2 / RAYS;
    base_random random = base_random_seed(1);
    double area = 0;
    size_t drawn = 0, count = 0;
    for (size_t face = 0; face < surface->mesh->face_count; face++) {
        const geo_triangle t = geo_mesh_triangle(surface->mesh, face);
        const vec3 inward = vec3_cross(vec3_sub(t.p[2], t.p[0]), vec3_sub(t.p[1], t.p[0]));
        area += 0.5 * vec3_norm(inward);
        for (; drawn < RAYS && ((double)drawn + 0.5) * step < area; drawn++) {
            const double length =
                geo_surface_ray(surface, draw_point(&random, &t), vec3_normalize(inward), skip);
            if (isfinite(length)) {
                lengths[count++] = length;
            }
        }
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Returns the least length up to which the points stand for ALG_WALLS_SHARE of the volume, or the
 * greatest length. */
static double thinnest_of(const geo_mesh *mesh, double *lengths, size_t count)
{
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    double volume = 0;
    qsort(lengths, count, sizeof *lengths, by_size);
    for (size_t i = 0; i < count; i++) {
        volume += 0.5 * lengths[i] * measure.area_m2 / RAYS;
        if (volume >= ALG_WALLS_SHARE * measure.volume_m3) {
            return lengths[i];
        }
    }
    return count > 0 ? lengths[count - 1] : (double)INFINITY;
}

base_status alg_walls_measure(const geo_mesh *mesh, double *thickness_m, base_error *err)
{
    base_arena arena = {0};
    geo_surface surface;
    base_status status = geo_surface_build(mesh, &arena, &surface, err);
    double *const lengths = base_alloc(RAYS, sizeof *lengths);
    if (status == BASE_OK && !lengths) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the thickness of walls");
    }
    if (status == BASE_OK) {
        *thickness_m = thinnest_of(mesh, lengths, cast_rays(&surface, lengths));
    }
    base_free(lengths);
    base_arena_release(&arena);
    return status;
}

/* --- Resolution ------------------------------------------------------------------------------- */

/** Returns the number of voxels of a grid with this many along the longest edge of the box. */
static double voxels_in_grid(vec3 size, double longest, double voxels)
{
    const double edges = voxels / longest;
    return (edges * size.x + 2) * (edges * size.y + 2) * (edges * size.z + 2);
}

alg_status alg_walls_resolve(const alg_mesh *mesh, uint32_t asked, uint32_t least, uint32_t most,
                             alg_resolution *resolution, alg_message *message)
{
    *resolution = (alg_resolution){asked, NAN};
    if (asked != 0) {
        return ALG_OK;
    }
    if (!mesh->solid) {
        return alg_fail(
            message, ALG_UNSUPPORTED,
            "a resolution of 'auto' needs a solid, whose walls have a thickness; give a "
            "number of voxels");
    }
    const geo_mesh view = alg_mesh_view(mesh);
    const vec3 size = vec3_sub(mesh->box.hi, mesh->box.lo);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    base_error err = {0};
    if (alg_walls_measure(&view, &resolution->wall_m, &err) != BASE_OK) {
        return alg_fail_geo(message, &err);
    }
    /* The factor is for the rounding of the thickness. */
    const double wanted = ceil(ALG_WALLS_VOXELS * longest / resolution->wall_m * (1 - 1e-9));
    double voxels = fmax(wanted, least);
    voxels = fmin(voxels, most);
    while (voxels > 2 && voxels_in_grid(size, longest, voxels) > ALG_WALLS_MOST) {
        voxels--;
    }
    resolution->voxels = (uint32_t)voxels;
    return ALG_OK;
}

/* --- Solids that are thinner than their voxels ------------------------------------------------ */

enum { VOXELS_SAMPLED = 4096, POINTS_SAMPLED = 32 * VOXELS_SAMPLED };

/** Creates the bits of the inner voxels. */
static base_status find_inner(const geo_mesh *mesh, const alg_voxel_grid *grid,
                              const alg_voxel_bits *surface, bool by_centre, alg_voxel_bits *inner,
                              base_error *err)
{
    base_arena arena = {0};
    alg_voxel_runs runs = {
        .origin = {alg_voxel_plane(grid, 0, 0), alg_voxel_plane(grid, 1, 0),
                   alg_voxel_plane(grid, 2, 0)},
        .edge = grid->edge,
        .size = {grid->size[0], grid->size[1], grid->size[2]},
    };
    base_status status = alg_voxel_bits_create(grid->size, inner, err);
    if (status == BASE_OK) {
        status = alg_voxel_runs_fill(mesh, &arena, &runs, err);
    }
    for (uint32_t i = 0; status == BASE_OK && i < runs.run_count; i++) {
        const alg_voxel_run *const run = &runs.runs[i];
        for (uint32_t z = run->z0; z < run->z1; z++) {
            if (by_centre || !alg_voxel_bit(surface, run->x, run->y, z)) {
                alg_voxel_bit_set(inner, run->x, run->y, z);
            }
        }
    }
    base_arena_release(&arena);
    return status;
}

/** Writes the words of a row of surface voxels that have no inner voxel in or beside them. */
static void find_thin(const alg_voxel_bits *surface, const alg_voxel_bits *inner, uint32_t y,
                      uint32_t z, uint64_t *thin)
{
    const size_t n = surface->row_words;
    for (size_t w = 0; w < n; w++) {
        thin[w] = 0; /* first the inner voxels of the rows around */
    }
    for (uint32_t k = z > 0 ? z - 1 : 0; k <= z + 1 && k < inner->size[2]; k++) {
        for (uint32_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < inner->size[1]; j++) {
            const uint64_t *const row = alg_voxel_bits_row(inner, j, k);
            for (size_t w = 0; w < n; w++) {
                thin[w] |= row[w];
            }
        }
    }
    const uint64_t *const row = alg_voxel_bits_row(surface, y, z);
    uint64_t before = 0;
    for (size_t w = 0; w < n; w++) {
        const uint64_t own = thin[w], after = w + 1 < n ? thin[w + 1] : 0;
        thin[w] = row[w] & ~(own | own << 1 | before >> 63 | own >> 1 | after << 63);
        before = own;
    }
}

/** Draws points in a voxel. Returns how many of them are in the solid. */
static uint64_t points_inside(const geo_surface *solid, geo_box voxel, uint64_t points,
                              base_random *random)
{
    uint64_t inside = 0;
    for (uint64_t i = 0; i < points; i++) {
        const double x = base_random_range(random, voxel.lo.x, voxel.hi.x);
        const double y = base_random_range(random, voxel.lo.y, voxel.hi.y);
        const vec3 p = {x, y, base_random_range(random, voxel.lo.z, voxel.hi.z)};
        inside += geo_surface_contains(solid, p);
    }
    return inside;
}

/** The thin voxels of a grid: their number, or points in some of them. */
typedef struct thin_voxels {
    const alg_voxel_grid *grid;
    const alg_voxel_bits *surface, *inner;
    uint64_t *row; /* room for the words of a row */
    uint64_t count;
} thin_voxels;

static void count_thin(thin_voxels *t)
{
    t->count = 0;
    for (uint32_t z = 0; z < t->grid->size[2]; z++) {
        for (uint32_t y = 0; y < t->grid->size[1]; y++) {
            find_thin(t->surface, t->inner, y, z, t->row);
            for (size_t w = 0; w < t->surface->row_words; w++) {
                t->count += (uint64_t)__builtin_popcountll(t->row[w]);
            }
        }
    }
}

/** Returns the volume of the solid in all thin voxels, from points in some of them. */
static double sample_thin(const thin_voxels *t, const geo_surface *solid)
{
    const uint64_t step = 1 + (t->count - 1) / VOXELS_SAMPLED;
    const uint64_t points = POINTS_SAMPLED / (1 + (t->count - 1) / step);
    base_random random = base_random_seed(1);
    uint64_t number = 0, sampled = 0, inside = 0;
    for (uint32_t z = 0; z < t->grid->size[2]; z++) {
        for (uint32_t y = 0; y < t->grid->size[1]; y++) {
            find_thin(t->surface, t->inner, y, z, t->row);
            for (uint32_t w = 0; w < t->surface->row_words; w++) {
                for (uint64_t bits = t->row[w]; bits != 0; bits &= bits - 1, number++) {
                    if (number % step == 0) {
                        const uint32_t x = 64 * w + (uint32_t)__builtin_ctzll(bits);
                        inside +=
                            points_inside(solid, alg_voxel_box(t->grid, x, y, z), points, &random);
                        sampled++;
                    }
                }
            }
        }
    }
    const double edge = t->grid->edge, voxel = edge * edge * edge;
    return voxel * (double)t->count * (double)inside / (double)(points * sampled);
}

base_status alg_thin_share(const geo_mesh *mesh, const alg_voxel_grid *grid,
                           const alg_voxel_bits *surface, bool by_centre, double *share,
                           base_error *err)
{
    *share = NAN;
    if (alg_voxel_grid_count(grid) > ALG_THIN_MEASURED_MOST) {
        return BASE_OK;
    }
    base_arena arena = {0};
    alg_voxel_bits inner = {0};
    thin_voxels thin = {grid, surface, &inner, NULL, 0};
    base_status status = find_inner(mesh, grid, surface, by_centre, &inner, err);
    thin.row = base_arena_alloc(&arena, surface->row_words, sizeof *thin.row);
    if (status == BASE_OK && !thin.row) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a row of voxels");
    }
    if (status == BASE_OK) {
        count_thin(&thin);
        *share = 0;
    }
    geo_surface solid;
    if (status == BASE_OK && thin.count > 0) {
        status = geo_surface_build(mesh, &arena, &solid, err);
        if (status == BASE_OK) {
            *share = fmin(sample_thin(&thin, &solid) / geo_mesh_measures(mesh).volume_m3, 1);
        }
    }
    alg_voxel_bits_release(&inner);
    base_arena_release(&arena);
    return status;
}
