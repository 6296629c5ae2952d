#include "algorithms/ist/body.h"

#include "algorithms/ist/query.h"
#include "algorithms/ist/spheres.h"
#include "algorithms/voxel/surface.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <string.h>

/* --- Options ---------------------------------------------------------------------------------- */

alg_ist_options alg_ist_options_of(const alg_settings *settings)
{
    const double *const values = settings->values;
    return (alg_ist_options){
        .packing = (alg_ist_kind)values[ALG_IST_PACKING],
        .voxels = (uint32_t)values[ALG_IST_VOXELS],
        .limits = {values[ALG_IST_MIN_RADIUS], (size_t)values[ALG_IST_SPHERES]},
        .tree = {.branching = 2u << (int)values[ALG_IST_BRANCHING],
                 .clustering = (alg_ist_clustering)values[ALG_IST_CLUSTERING],
                 .criterion = (alg_ist_criterion)values[ALG_IST_CRITERION],
                 .fixed = values[ALG_IST_STOP] == 1,
                 .layered = values[ALG_IST_HIERARCHY] == 1,
                 .seed = settings->seed},
    };
}

/* --- Packing ---------------------------------------------------------------------------------- */

/* Spacing of the samples of a cover, in gaps. Between samples the gap may be larger than at
 * samples. The measured increase is a third on the pump, which has sharp edges, and 4 % on the
 * bunny. */
static const double cover_spacing = 2;

/* Estimates of the largest gap of a packing, in voxel edges. Most actual gaps are a little larger.
 * So the first build is usually too coarse, which is cheap, and rarely too fine. */
static const double grid_gap_guess = 1, grid_gap_a_radius = 2, cover_gap_guess = 0.62;
/* The number of voxels of the next build is chosen for this share of the wanted gap. */
static const double aim = 0.95;
/* If twice as many voxels along an edge do not reduce the gap to this share, finer voxels do not
 * help. */
static const double gain_least = 0.75;
/* Limits of the growth of the resolution from build to build. */
static const double growth_least = 1.05, growth_most = 2.5;
enum { BUILDS_MOST = 8 };

/* Number of voxels of the finer grid of shares along one edge of a packing's voxel. It is smaller
 * if the finer grid would exceed ALG_VOXEL_RESOLUTION_MAX. */
enum { FINER = 4 };

typedef struct builder {
    const alg_ist_options *options;
    const geo_surface *surface;
    double volume_m3;
    alg_ist_building *building;
    alg_message *message;
} builder;

/** Finds the share of the body that is thinner than its voxels. */
static base_status measure_thin(const builder *b, const alg_voxel_runs *runs, base_error *err)
{
    const alg_voxel_grid grid = {.corner = runs->origin,
                                 .edge = runs->edge,
                                 .padding = 1,
                                 .size = {runs->size[0] + 2, runs->size[1] + 2, runs->size[2] + 2}};
    const alg_voxel_surface_options ours = {.generator = ALG_VOXEL_OURS};
    b->building->edge_m = runs->edge;
    const geo_mesh *const mesh = b->surface->mesh;
    alg_voxel_bits bits = {0};
    uint64_t tests;
    base_status status = BASE_OK;
    if (alg_voxel_grid_count(&grid) > ALG_THIN_MEASURED_MOST) {
        return BASE_OK;
    }
    status = alg_voxel_bits_create(grid.size, &bits, err);
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, &grid, &ours, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_thin_share(mesh, &grid, &bits, true, &b->building->thin_share, err);
    }
    alg_voxel_bits_release(&bits);
    return status;
}

/**
 * Computes the shares of the spheres, by the voxels of the packing or by finer ones, and the
 * secondary radii.
 */
static base_status share(const builder *b, const alg_voxel_field *field, base_arena *scratch,
                         alg_ist_packing *packing, base_error *err)
{
    const alg_voxel_runs *grid = field->grid;
    alg_voxel_runs fine;
    base_status status;
    if (b->options->fine) {
        const uint32_t most = ALG_VOXEL_RESOLUTION_MAX / FINER;
        const uint32_t voxels = b->building->voxels < most ? b->building->voxels : most;
        status = alg_voxel_runs_build(b->surface->mesh, FINER * voxels, scratch, &fine, err);
        if (status == BASE_OK) {
            status = alg_ist_share_fine(field, &fine, packing, err);
        }
        grid = &fine;
    } else {
        status = alg_ist_share_rest(field, packing, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    b->building->inside = grid->voxel_count;
    b->building->grid_m3 = grid->voxel_count * grid->edge * grid->edge * grid->edge;
    b->building->owned = 0;
    for (size_t i = 0; i < packing->count; i++) {
        b->building->owned += packing->shares[i].voxels;
    }
    return alg_ist_secondary_radii(grid, b->volume_m3, b->options->centroid, packing, err);
}

/** Packs disjoint spheres that are found by voxels. */
static alg_status pack_grid(const builder *b, base_arena *scratch, alg_ist_packing *packing)
{
    alg_voxel_runs grid;
    alg_voxel_field field;
    base_error err = {0};
    uint64_t last = alg_clock_ns();
    if (alg_voxel_runs_build(b->surface->mesh, b->building->voxels, scratch, &grid, &err) !=
            BASE_OK ||
        alg_voxel_field_build(&grid, b->surface, scratch, &field, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_end_stage(&last, &b->building->field_ns);
    const bool refined = b->options->packing == ALG_IST_REFINED;
    if (alg_ist_pack(&field, &b->options->limits, refined, packing, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_end_stage(&last, &b->building->packing_ns);
    if (packing->count == 0) {
        return alg_fail(b->message, ALG_UNSUPPORTED,
                        grid.voxel_count == 0
                            ? "the body is too thin for %u voxels along its box: none has its "
                              "centre inside; ask for more voxels"
                            : "the body is too thin for %u voxels along its box: no sphere reaches "
                              "min-radius; ask for more voxels or smaller spheres",
                        b->building->voxels);
    }
    if (share(b, &field, scratch, packing, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_end_stage(&last, &b->building->shares_ns);
    if (measure_thin(b, &grid, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    return ALG_OK;
}

/** Packs overlapping spheres that follow the surface. */
static alg_status pack_cover(const builder *b, base_arena *scratch, alg_ist_packing *packing)
{
    const vec3 size = vec3_sub(b->surface->bvh.box.hi, b->surface->bvh.box.lo);
    const double edge = fmax(size.x, fmax(size.y, size.z)) / b->building->voxels;
    const alg_ist_cover_options wanted = {.gap = ALG_IST_COVER_GAP * edge,
                                          .radius_least = b->options->limits.radius_least * edge,
                                          .count_most = b->options->limits.count_most};
    alg_ist_samples samples;
    base_error err = {0};
    uint64_t last = alg_clock_ns();
    if (alg_ist_sample(b->surface->mesh, cover_spacing * wanted.gap, scratch, &samples, &err) !=
        BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_end_stage(&last, &b->building->field_ns);
    if (alg_ist_cover(b->surface, &samples, &wanted, packing, NULL, &err) != BASE_OK) {
        return alg_fail_geo(b->message, &err);
    }
    alg_end_stage(&last, &b->building->packing_ns);
    if (packing->count == 0) {
        return alg_fail(b->message, ALG_UNSUPPORTED,
                        "no sphere inside the body reaches min-radius; ask for smaller spheres");
    }
    return ALG_OK;
}

/** Packs the solid once, with the number of voxels in b->building. */
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
 * Packs with more and more voxels until the largest gap is at most half of the wanted error. Gaps
 * are about proportional to a voxel's edge, so a few builds are enough.
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
            voxels = 2.0 * b->building->voxels; /* the body is too thin for this resolution */
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
            break; /* the resolution does not limit the gap */
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
    uint64_t last = alg_clock_ns();
    *building = (alg_ist_building){.thin_share = NAN, .wall_m = NAN};
    alg_status status = ALG_OK;
    if (options->error == 0) {
        alg_resolution resolution;
        status = alg_walls_resolve(mesh, options->voxels, ALG_IST_VOXELS_USUAL,
                                   ALG_VOXEL_RESOLUTION_MAX, &resolution, message);
        building->voxels = resolution.voxels;
        building->wall_m = resolution.wall_m;
    }
    if (status == ALG_OK && geo_surface_build(&view, &arena, &surface, &err) != BASE_OK) {
        status = alg_fail_geo(message, &err);
    }
    alg_end_stage(&last, &building->field_ns);
    if (status == ALG_OK) {
        const builder b = {options, &surface, mesh->volume_m3, building, message};
        status = options->error > 0 ? pack_for_error(&b, packing) : pack_once(&b, packing);
        building->outside_m = status == ALG_OK ? alg_ist_measure_outside(packing, &surface) : 0;
    }
    base_arena_release(&arena);
    return status;
}

/* --- Facts ------------------------------------------------------------------------------------ */

const char *const alg_ist_facts[] = {
    [ALG_IST_FACT_GAP] = "gap_m",
    [ALG_IST_FACT_GAP_MEAN] = "gap_mean_m",
    [ALG_IST_FACT_VOXELS] = "voxels_count",
    [ALG_IST_FACT_DENSITY] = "packing_density",
    [ALG_IST_FACT_SECONDARY] = "secondary_volume_m3",
    [ALG_IST_FACT_SMALLER] = "secondary_smaller_share",
    [ALG_IST_FACT_GRID] = "voxels_volume",
    [ALG_IST_FACT_OWNED] = "voxels_owned",
    [ALG_IST_FACT_OUTSIDE] = "outside_m",
    [ALG_IST_FACT_OVERLAP] = "overlap_m",
    [ALG_IST_FACT_FIELD_NS] = "stage_field_ns",
    [ALG_IST_FACT_PACKING_NS] = "stage_packing_ns",
    [ALG_IST_FACT_SHARES_NS] = "stage_shares_ns",
    [ALG_IST_FACT_TREE_NS] = "stage_tree_ns",
    [ALG_IST_FACT_LEVELS] = "levels_count",
    [ALG_IST_FACT_CHILDREN_MEAN] = "children_mean",
    [ALG_IST_FACT_LEAF_DEPTH_MEAN] = "leaf_depth_mean",
    [ALG_IST_FACT_LEAF_DEPTH_VOLUME] = "leaf_depth_volume_mean",
    [ALG_IST_FACT_NODE_VOLUME] = "node_volume_level_1",
    [ALG_IST_FACT_NODE_VOLUME + 1] = "node_volume_level_2",
    [ALG_IST_FACT_NODE_VOLUME + 2] = "node_volume_level_3",
    [ALG_IST_FACT_NODE_VOLUME + 3] = "node_volume_level_4",
    [ALG_IST_FACT_THIN] = ALG_FACT_THIN,
    [ALG_IST_FACT_WALL] = "wall_m",
    [ALG_IST_FACT_ERROR] = "volume_error_expected",
    [ALG_IST_FACT_COUNT] = NULL,
};

static double volume_of_balls(const double *radii, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += radii[i] * radii[i] * radii[i];
    }
    return 4.0 / 3 * BASE_PI * sum;
}

/** Sets the facts of disjoint spheres. */
static void set_facts_of_shares(const alg_ist_packing *packing, const alg_ist_building *building,
                                double volume_m3, double *facts)
{
    size_t smaller = 0;
    for (size_t i = 0; i < packing->count; i++) {
        smaller += packing->secondary[i] < packing->radii[i];
    }
    facts[ALG_IST_FACT_DENSITY] = volume_of_balls(packing->radii, packing->count) / volume_m3;
    facts[ALG_IST_FACT_SECONDARY] = volume_of_balls(packing->secondary, packing->count);
    facts[ALG_IST_FACT_SMALLER] = (double)smaller / (double)packing->count;
    facts[ALG_IST_FACT_GRID] = building->grid_m3 / volume_m3;
    facts[ALG_IST_FACT_OWNED] = (double)building->owned / (double)building->inside;
    facts[ALG_IST_FACT_THIN] = building->thin_share;
    facts[ALG_IST_FACT_ERROR] = ALG_IST_ERROR * building->edge_m / building->wall_m;
}

/* --- Solids ----------------------------------------------------------------------------------- */

/**
 * Sets *ordered to a copy of a column whose entry i is entry order[i] of the column. Does nothing
 * if the column is NULL.
 */
static base_status order_column(const void *column, size_t size, const uint32_t *order,
                                size_t count, base_arena *arena, void **ordered, base_error *err)
{
    if (!column) {
        return BASE_OK;
    }
    char *const to = base_arena_alloc(arena, count, size);
    if (!to) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * size, (const char *)column + order[i] * size, size);
    }
    *ordered = to;
    return BASE_OK;
}

base_status alg_ist_solid_build(const alg_ist_packing *packing, const alg_ist_tree_options *options,
                                base_arena *arena, alg_ist_solid *solid, uint32_t *order,
                                base_error *err)
{
    const size_t count = packing->count;
    *solid = (alg_ist_solid){0};
    /* The solid in the packing's order of spheres, and the balls for its tree. */
    alg_ist_solid gathered = {.spheres = base_alloc(count, sizeof *gathered.spheres),
                              .faces = packing->faces,
                              .middles = packing->middles,
                              .outward = packing->outward,
                              .outer = packing->outer};
    alg_ist_ball *const balls = base_alloc(count, sizeof *balls);
    base_status status =
        gathered.spheres && balls
            ? BASE_OK
            : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", count);
    for (uint32_t i = 0; i < count && status == BASE_OK; i++) {
        gathered.spheres[i] =
            (alg_ist_sphere){packing->centres[i], packing->radii[i], packing->secondary[i]};
        balls[i] = (alg_ist_ball){packing->centres[i], packing->radii[i],
                                  alg_ist_sphere_reach(&gathered, i)};
    }
    if (status == BASE_OK) {
        status = alg_ist_tree_build(balls, count, options, arena, &solid->tree, order, err);
    }
    base_free(balls);
    const struct {
        const void *from;
        size_t size;
        void **to;
    } columns[] = {
        {gathered.spheres, sizeof *solid->spheres, (void **)&solid->spheres},
        {gathered.faces, sizeof *solid->faces, (void **)&solid->faces},
        {gathered.middles, sizeof *solid->middles, (void **)&solid->middles},
        {gathered.outward, sizeof *solid->outward, (void **)&solid->outward},
        {gathered.outer, sizeof *solid->outer, (void **)&solid->outer},
    };
    for (size_t k = 0; k < sizeof columns / sizeof *columns && status == BASE_OK; k++) {
        status =
            order_column(columns[k].from, columns[k].size, order, count, arena, columns[k].to, err);
    }
    base_free(gathered.spheres);
    return status;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/**
 * Measures the gap of a packing. If cones or a skin are wanted, finds the owners of the surface and
 * computes the cones. Outer radii are dropped if no skin is wanted, since they would enlarge the
 * balls of the tree.
 */
static base_status measure_packing(const alg_ist_options *options, const alg_mesh *mesh,
                                   alg_ist_packing *packing, base_arena *arena,
                                   alg_ist_owners *owners, alg_ist_gap *gap, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    base_status status = alg_ist_measure_gap(packing, &view, gap, err);
    if (status != BASE_OK || !(options->cones || options->skin)) {
        return status;
    }
    status = alg_ist_own_surface(packing, &view, arena, owners, err);
    if (status == BASE_OK && options->cones) {
        status = alg_ist_normal_cones(&view, owners, packing, err);
    }
    if (!options->skin) {
        base_free(packing->outer);
        packing->outer = NULL;
    }
    return status;
}

/**
 * Builds the surface and the lists of faces that the leaves own. Leaf i of the tree is sphere
 * order[i] of *owners.
 */
static base_status build_skin(const alg_mesh *mesh, const alg_ist_owners *owners,
                              const uint32_t *order, const alg_ist_gap *gap, alg_ist_body *b,
                              base_error *err)
{
    const uint32_t count = b->solid.tree.leaf_count;
    alg_ist_skin *const skin = base_arena_alloc(&b->arena, 1, sizeof *skin);
    if (!skin) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    *skin = (alg_ist_skin){.gap = *gap};
    b->skin = skin;
    base_status status =
        geo_shell_build(alg_mesh_view(mesh), mesh->solid, &b->arena, &skin->shell, err);
    if (status != BASE_OK) {
        return status;
    }
    status = alg_ist_order_owners(owners, order, count, &b->arena, &skin->owners, err);
    if (status != BASE_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t owned = alg_ist_owned(skin, i).count;
        skin->owned_most = owned > skin->owned_most ? owned : skin->owned_most;
    }
    return BASE_OK;
}

/** Fills a body, whose memory is its own arena. */
static base_status fill_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building, alg_ist_body *b,
                             alg_ist_gap *gap, base_error *err)
{
    uint64_t last = alg_clock_ns();
    base_arena scratch = {0};
    alg_ist_owners owners; /* in the packing's order */
    uint32_t *const order = base_arena_alloc(&scratch, packing->count, sizeof *order);
    base_status status = measure_packing(options, mesh, packing, &scratch, &owners, gap, err);
    alg_end_stage(&last, &building->shares_ns);
    if (status == BASE_OK && !order) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
    }
    if (status == BASE_OK) {
        status = alg_ist_solid_build(packing, &options->tree, &b->arena, &b->solid, order, err);
        alg_end_stage(&last, &building->tree_ns);
    }
    if (status == BASE_OK && options->skin) {
        status = build_skin(mesh, &owners, order, gap, b, err);
        alg_end_stage(&last, &building->shares_ns);
    }
    base_arena_release(&scratch);
    return status;
}

static alg_status build_body(const alg_ist_options *options, const alg_mesh *mesh,
                             alg_ist_packing *packing, alg_ist_building *building, void **body,
                             alg_ist_gap *gap, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_ist_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_ist_body *const b = *body;
    base_error err = {0};
    b->mesh = alg_mesh_view(mesh);
    b->centroid = mesh->centroid;
    if (fill_body(options, mesh, packing, building, b, gap, &err) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    const double reach = b->solid.tree.reach;
    if (!(reach >= ALG_IST_REACH_LEAST && reach <= ALG_IST_REACH_MOST)) {
        return alg_abandon(body, alg_fail(message, ALG_UNSUPPORTED,
                                          "ist needs a body that reaches from %g to %g m, not %g m",
                                          ALG_IST_REACH_LEAST, ALG_IST_REACH_MOST, reach));
    }
    return ALG_OK;
}

alg_status alg_ist_body_prepare(const alg_ist_options *options, const alg_mesh *mesh, void **body,
                                alg_build_info *info, alg_message *message)
{
    *body = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "inner spheres need a solid");
    }
    alg_ist_packing packing = {0};
    alg_ist_building building;
    alg_ist_gap gap;
    alg_status status = alg_ist_pack_body(options, mesh, &packing, &building, message);
    if (status != ALG_OK) {
        goto done;
    }
    info->facts[ALG_IST_FACT_VOXELS] = building.voxels;
    info->facts[ALG_IST_FACT_WALL] = building.wall_m;
    if (options->packing != ALG_IST_COVER) {
        set_facts_of_shares(&packing, &building, mesh->volume_m3, info->facts);
    }
    status = build_body(options, mesh, &packing, &building, body, &gap, message);
    info->facts[ALG_IST_FACT_FIELD_NS] = building.field_ns;
    info->facts[ALG_IST_FACT_PACKING_NS] = building.packing_ns;
    info->facts[ALG_IST_FACT_SHARES_NS] = building.shares_ns;
    info->facts[ALG_IST_FACT_TREE_NS] = building.tree_ns;
    if (status != ALG_OK) {
        goto done;
    }
    const alg_ist_body *const b = *body;
    base_error err = {0};
    if (options->packing != ALG_IST_COVER &&
        alg_ist_measure_overlap(&b->solid, &info->facts[ALG_IST_FACT_OVERLAP], &err) != BASE_OK) {
        status = alg_abandon(body, alg_fail_geo(message, &err));
        goto done;
    }
    info->bytes = b->arena.bytes;
    info->primitives = b->solid.tree.leaf_count;
    info->facts[ALG_IST_FACT_GAP] = gap.most_m;
    info->facts[ALG_IST_FACT_GAP_MEAN] = gap.mean_m;
    info->facts[ALG_IST_FACT_OUTSIDE] = building.outside_m;
    const alg_ist_quality quality = alg_ist_tree_quality(&b->solid.tree, mesh->volume_m3);
    info->facts[ALG_IST_FACT_LEVELS] = quality.levels;
    info->facts[ALG_IST_FACT_CHILDREN_MEAN] = quality.children_mean;
    info->facts[ALG_IST_FACT_LEAF_DEPTH_MEAN] = quality.leaf_depth_mean;
    info->facts[ALG_IST_FACT_LEAF_DEPTH_VOLUME] = quality.leaf_depth_volume_mean;
    for (int level = 0; level < ALG_IST_QUALITY_LEVELS; level++) {
        info->facts[ALG_IST_FACT_NODE_VOLUME + level] = quality.node_volume[level];
    }
done:
    alg_ist_packing_release(&packing);
    return status;
}

/* --- Saving and loading ----------------------------------------------------------------------- */

_Static_assert(sizeof(alg_ist_tree) == 72 && sizeof(alg_ist_solid) == 112 &&
                   sizeof(alg_ist_skin) == 192 && sizeof(alg_ist_body) == 192,
               "a member that is added is serialized as well");

void alg_ist_body_serialize(alg_archive *archive, void *body)
{
    alg_ist_body *const b = body;
    alg_ist_solid *const solid = &b->solid;
    alg_ist_tree *const tree = &solid->tree;
    ALG_VALUE(archive, tree->branching);
    ALG_VALUE(archive, tree->width);
    ALG_VALUE(archive, tree->node_count);
    ALG_VALUE(archive, tree->leaf_count);
    ALG_VALUE(archive, tree->depth);
    ALG_VALUE(archive, tree->origin);
    ALG_VALUE(archive, tree->reach);
    const size_t links = (size_t)tree->node_count * tree->width, leaves = tree->leaf_count;
    ALG_ARRAY(archive, tree->lanes, links * ALG_IST_LANE_KINDS);
    ALG_ARRAY(archive, tree->children, links);
    ALG_ARRAY(archive, solid->spheres, leaves);
    ALG_ARRAY(archive, solid->faces, leaves);
    ALG_ARRAY(archive, solid->middles, leaves);
    ALG_ARRAY(archive, solid->outward, leaves);
    ALG_ARRAY(archive, solid->outer, leaves);
    ALG_VALUE(archive, b->centroid);
    if (ALG_OBJECT(archive, b->skin)) {
        /* The shell is not saved: it is built again from the mesh. */
        alg_ist_owners *const owners = &b->skin->owners;
        ALG_VALUE(archive, b->skin->gap);
        ALG_ARRAY(archive, owners->first, leaves + 1);
        ALG_ARRAY(archive, owners->faces, owners->first ? owners->first[leaves] : 0);
        ALG_VALUE(archive, b->skin->owned_most);
    }
}

base_status alg_ist_body_attach(alg_ist_body *body, const alg_mesh *mesh, base_error *err)
{
    body->mesh = alg_mesh_view(mesh);
    if (!body->skin) {
        return BASE_OK;
    }
    return geo_shell_build(body->mesh, mesh->solid, &body->arena, &body->skin->shell, err);
}

alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    return alg_save(alg_ist_body_serialize, body, to, message);
}

alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)role, (void)info;
    const alg_status status =
        alg_load(alg_ist_body_serialize, sizeof(alg_ist_body), bytes, size, body, message);
    base_error err;
    return status != ALG_OK || alg_ist_body_attach(*body, mesh, &err) == BASE_OK
               ? status
               : alg_abandon(body, alg_fail_geo(message, &err));
}

/* --- Pictures --------------------------------------------------------------------------------- */

/**
 * Draws the children of a node, which is on this level. Leaves come first, because parts that
 * follow a node are below it.
 */
static void draw_below(const alg_ist_solid *solid, uint32_t node, uint32_t level,
                       const alg_sink *sink)
{
    const alg_ist_tree *const tree = &solid->tree;
    const uint32_t *const children = alg_ist_children(tree, node);
    for (uint32_t i = 0; ALG_SINK_TAKES(sink, sphere) && i < tree->width; i++) {
        if (children[i] != ALG_IST_NONE && (children[i] & ALG_IST_LEAF)) {
            const alg_ist_sphere *const s = &solid->spheres[children[i] & ~ALG_IST_LEAF];
            sink->sphere(sink->context, &(geo_ball){s->centre, s->primary});
        }
    }
    for (uint32_t i = 0; i < tree->width; i++) {
        if (children[i] & ALG_IST_LEAF) { /* also set in ALG_IST_NONE */
            continue;
        }
        const vec3 centre = {(double)alg_ist_lanes(tree, node, ALG_IST_X)[i],
                             (double)alg_ist_lanes(tree, node, ALG_IST_Y)[i],
                             (double)alg_ist_lanes(tree, node, ALG_IST_Z)[i]};
        const geo_ball ball = {vec3_add(tree->origin, centre),
                               (double)alg_ist_lanes(tree, node, ALG_IST_NEAR)[i]};
        if (ALG_SINK_TAKES(sink, node)) {
            sink->node(sink->context, &ball, level + 1);
        }
        draw_below(solid, children[i], level + 1, sink);
    }
}

void alg_ist_body_draw(const void *body, const alg_sink *sink)
{
    draw_below(&((const alg_ist_body *)body)->solid, 0, 0, sink);
}
