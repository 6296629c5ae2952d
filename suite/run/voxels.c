#include "suite/run/voxels.h"

#include "groundtruth/voxels.h"
#include "suite/message.h"

#include <stdio.h>
#include <string.h>

/** A body while it is drawn. */
typedef struct drawing {
    const alg_mesh *mesh;
    const alg_mesh *exact_mesh; /* mesh of `exact`; NULL if there are no exact voxels yet */
    gt_voxels exact;
    gt_voxel_list list;
    bool has_grid;
    base_status status;
    base_error err;
} drawing;

static bool same_mesh(const alg_mesh *a, const alg_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
           memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->faces, b->faces, a->face_count * sizeof *a->faces) == 0;
}

static bool same_grid(const gt_voxel_grid *a, const gt_voxel_grid *b)
{
    return vec3_equal(a->corner, b->corner) && a->edge == b->edge && a->padding == b->padding &&
           memcmp(a->count, b->count, sizeof a->count) == 0;
}

/**
 * Computes the exact voxels of the body on the grid; reuses those of the previous body if mesh and
 * grid are the same.
 */
static base_status find_exact(drawing *d, const gt_voxel_grid *grid)
{
    if (d->exact_mesh && same_grid(&d->exact.grid, grid) && same_mesh(d->exact_mesh, d->mesh)) {
        return BASE_OK;
    }
    const geo_mesh view = {.vertices = d->mesh->vertices,
                           .vertex_count = d->mesh->vertex_count,
                           .faces = d->mesh->faces,
                           .face_count = d->mesh->face_count};
    gt_voxels_release(&d->exact);
    d->exact_mesh = NULL;
    const base_status status = gt_voxels_create(&view, grid, &d->exact, &d->err);
    d->exact_mesh = status == BASE_OK ? d->mesh : NULL;
    return status;
}

static void ignore_sphere(void *context, const geo_ball *ball)
{
    (void)context, (void)ball; /* libraries older than the voxel callbacks require this callback */
}

static void take_grid(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                      const uint32_t count[3])
{
    drawing *const d = context;
    if (d->status != BASE_OK) {
        return;
    }
    if (d->has_grid) {
        d->status = base_fail(&d->err, BASE_ERR_INPUT, "it hands out two grids of one body");
        return;
    }
    const gt_voxel_grid grid = {*corner, edge, padding, {count[0], count[1], count[2]}};
    d->has_grid = true;
    d->status = find_exact(d, &grid);
    if (d->status == BASE_OK) {
        d->status = gt_voxel_list_create(&d->exact, &d->list, &d->err);
    }
}

static void take_voxels(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    drawing *const d = context;
    if (d->status == BASE_OK && !d->has_grid) {
        d->status = base_fail(&d->err, BASE_ERR_INPUT, "it hands out voxels before their grid");
    }
    if (d->status == BASE_OK) {
        gt_voxel_list_add(&d->list, x0, x1, y, z);
    }
}

/** Draws the body and sets its voxel counts. */
static base_status judge(const alg_algorithm *algorithm, const void *prepared, drawing *d,
                         bench_built *built)
{
    const alg_sink sink = {.size = sizeof sink,
                           .context = d,
                           .sphere = ignore_sphere,
                           .grid = take_grid,
                           .surface_voxels = take_voxels};
    d->has_grid = false;
    algorithm->draw(prepared, &sink);
    if (d->status == BASE_OK && d->has_grid) {
        built->missing_voxels = gt_voxel_list_missing(&d->list);
        built->excess_voxels = d->list.excess;
    }
    gt_voxel_list_release(&d->list);
    return d->status;
}

alg_status bench_voxels_judge(const alg_algorithm *algorithm, void *const prepared[2],
                              const alg_mesh *const meshes[2], bench_built built[2],
                              alg_message *message)
{
    drawing d = {.status = BASE_OK};
    for (int i = 0; i < 2 && algorithm->draw && d.status == BASE_OK; i++) {
        d.mesh = meshes[i];
        d.status = judge(algorithm, prepared[i], &d, &built[i]);
    }
    gt_voxels_release(&d.exact);
    if (d.status == BASE_ERR_MEMORY) {
        bench_warn("the surface voxels of '%s' are not counted: %s", algorithm->name, d.err.text);
    } else if (d.status != BASE_OK) {
        snprintf(message->text, sizeof message->text, "its surface voxels: %.400s", d.err.text);
        return ALG_FAILED;
    }
    return ALG_OK;
}
