/**
 * What of the settings makes a packing: the kind of it, and the resolution for a wanted error.
 */
#include "algorithms/ist/body.h"
#include "algorithms/ist/cover.h"
#include "algorithms/ist/owners.h"
#include "algorithms/support.h"

/* Samples of a cover are so far apart, in gaps: between them the gap grows by a third at most, at
 * sharp edges (measured on the pump; by 4 % on the bunny). */
static const double cover_spacing = 2;

/* The largest gap of a packing in voxel edges, as far as it is known before: a little less than
 * most have, so that the first build is rather too coarse, and cheap, than too fine. */
static const double grid_gap_guess = 1, grid_gap_a_radius = 2, cover_gap_guess = 0.62;
/* The next build aims at this part of the wanted gap. */
static const double aim = 0.95;
/* Twice the voxels shall reach such a part of the gap. */
static const double gain_least = 0.75;
/* The next build has so many times the voxels along an edge. */
static const double growth_least = 1.05, growth_most = 2.5;
enum { BUILDS_MOST = 8 };

typedef struct builder {
    const alg_ist_options *options;
    const geo_surface *surface;
    double volume_m3;
    alg_ist_building *building;
    alg_message *message;
} builder;

/** Disjoint spheres by voxels. */
static alg_status pack_grid(const builder *b, base_arena *scratch, alg_ist_packing *packing)
{
    alg_voxel_grid grid;
    alg_voxel_field field;
    base_error err = {0};
    double last = alg_ist_now_ns();
    if (alg_voxel_grid_build(b->surface->mesh, b->building->voxels, scratch, &grid, &err) !=
            BASE_OK ||
        alg_voxel_field_build(&grid, b->surface, scratch, &field, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_ist_end_stage(&last, &b->building->field_ns);
    const base_status status =
        b->options->packing == ALG_IST_REFINED
            ? alg_ist_pack_refined(&field, &b->options->limits, packing, &err)
            : alg_ist_pack(&field, &b->options->limits, packing, &err);
    if (status != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_ist_end_stage(&last, &b->building->packing_ns);
    if (packing->count == 0) {
        return alg_fail(b->message, ALG_UNSUPPORTED,
                        grid.voxel_count == 0
                            ? "the body is too thin for %u voxels along its box: none has its "
                              "centre inside; ask for more voxels"
                            : "the body is too thin for %u voxels along its box: no sphere reaches "
                              "min-radius; ask for more voxels or smaller spheres",
                        b->building->voxels);
    }
    if (alg_ist_share_rest(&field, packing, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_ist_fill_gaps(&grid, b->volume_m3, b->options->centroid, packing);
    alg_ist_end_stage(&last, &b->building->shares_ns);
    return ALG_OK;
}

/** Overlapping spheres that follow the surface. */
static alg_status pack_cover(const builder *b, base_arena *scratch, alg_ist_packing *packing)
{
    const vec3 size = vec3_sub(b->surface->bvh.box.hi, b->surface->bvh.box.lo);
    const double edge = fmax(size.x, fmax(size.y, size.z)) / b->building->voxels;
    const alg_ist_cover_options wanted = {.gap = ALG_IST_COVER_GAP * edge,
                                          .radius_least = b->options->limits.radius_least * edge,
                                          .count_most = b->options->limits.count_most};
    alg_ist_samples samples;
    base_error err = {0};
    double last = alg_ist_now_ns();
    if (alg_ist_sample(b->surface->mesh, cover_spacing * wanted.gap, scratch, &samples, &err) !=
        BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_ist_end_stage(&last, &b->building->field_ns);
    if (alg_ist_cover(b->surface, &samples, &wanted, packing, NULL, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_ist_end_stage(&last, &b->building->packing_ns);
    if (packing->count == 0) {
        return alg_fail(b->message, ALG_UNSUPPORTED,
                        "no sphere inside the body reaches min-radius; ask for smaller spheres");
    }
    return ALG_OK;
}

/** Packs the solid with the voxels of b->building. */
static alg_status pack_once(const builder *b, alg_ist_packing *packing)
{
    base_arena scratch = {0};
    const alg_status status = b->options->packing == ALG_IST_COVER
                                  ? pack_cover(b, &scratch, packing)
                                  : pack_grid(b, &scratch, packing);
    base_arena_release(&scratch);
    return status;
}

/**
 * Packs until no point of the surface is farther from the spheres than half of the wanted error.
 * Gaps are about proportional to a voxel's edge, so a few builds do.
 */
static alg_status pack_for_error(const builder *b, alg_ist_packing *packing)
{
    const geo_box box = b->surface->bvh.box;
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    const double wanted = 0.5 * b->options->error * geo_box_diagonal(box);
    const double guess = b->options->packing == ALG_IST_COVER
                             ? cover_gap_guess
                             : grid_gap_guess + grid_gap_a_radius * b->options->limits.radius_least;
    double voxels = ceil(guess * longest / wanted);
    double reached = INFINITY;
    uint32_t reached_with = 0;
    for (int build = 0; build < BUILDS_MOST && voxels <= ALG_VOXEL_RESOLUTION_MAX; build++) {
        b->building->voxels = voxels > 2 ? (uint32_t)voxels : 2;
        alg_ist_packing_release(packing);
        const alg_status status = pack_once(b, packing);
        if (status == ALG_UNSUPPORTED) {
            voxels = 2.0 * b->building->voxels; /* too thin for these */
            continue;
        }
        alg_ist_gap gap;
        base_error err = {0};
        if (status != ALG_OK) {
            return status;
        }
        if (alg_ist_measure_gap(packing, b->surface->mesh, &gap, &err) != BASE_OK) {
            return alg_fail_geo(b->message, &err);
        }
        if (gap.most_m <= wanted) {
            return ALG_OK;
        }
        if (gap.most_m < gain_least * reached) {
            reached = gap.most_m;
            reached_with = b->building->voxels;
        } else if (b->building->voxels >= 2 * reached_with) {
            break; /* it is not the resolution that limits it */
        }
        const double growth = fmax(gap.most_m / (aim * wanted), growth_least);
        voxels = ceil(b->building->voxels * fmin(growth, growth_most));
    }
    if (reached_with == 0) {
        return alg_fail(b->message, ALG_UNSUPPORTED,
                        "the error is out of reach: it needs more than %d voxels along the box",
                        ALG_VOXEL_RESOLUTION_MAX);
    }
    return alg_fail(b->message, ALG_UNSUPPORTED,
                    "the error is out of reach: with %u voxels along the box the largest gap "
                    "between spheres and surface is %.2g %% of the size, and may be %.2g %%",
                    reached_with, 100 * reached / geo_box_diagonal(box), 50 * b->options->error);
}

alg_status alg_ist_pack_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building,
                             alg_message *message)
{
    base_arena arena = {0};
    const geo_mesh view = alg_mesh_view(mesh);
    geo_surface surface;
    base_error err = {0};
    double last = alg_ist_now_ns();
    *building = (alg_ist_building){.voxels = options->voxels};
    alg_status status = ALG_OK;
    if (geo_surface_build(&view, &arena, &surface, &err) != BASE_OK) {
        status = alg_fail_geo(message, &err);
    }
    alg_ist_end_stage(&last, &building->field_ns);
    if (status == ALG_OK) {
        const builder b = {options, &surface, mesh->volume_m3, building, message};
        status = options->error > 0 ? pack_for_error(&b, packing) : pack_once(&b, packing);
    }
    base_arena_release(&arena);
    return status;
}
