#include "scenarios/models/flesh.h"

#include "base/memory.h"

/* The skin is contoured with at most this many triangles, and subdivided for more. */
static const size_t contour_triangles_max = 60000;

/* Where the cells of the lattice become thicker than the thinnest bones, 3.5 mm, smoothing folds
 * the skin. */
static const size_t contour_triangles_min = 5000;

/* --- Field ------------------------------------------------------------------------------------ */

void scn_flesh_bump(const scn_bone *bone, vec3 p, double *value, vec3 *gradient)
{
    const vec3 along = vec3_sub(bone->b, bone->a), from_a = vec3_sub(p, bone->a);
    const double length2 = vec3_norm2(along);
    const double unclamped = length2 > 0 ? vec3_dot(from_a, along) / length2 : 0;
    const double t = fmin(1, fmax(0, unclamped));
    const double widening = SCN_FLESH_REACH * (bone->radius_b - bone->radius_a);
    const double reach = SCN_FLESH_REACH * bone->radius_a + t * widening;
    const vec3 away = vec3_sub(from_a, vec3_scale(t, along));
    const double q2 = vec3_norm2(away) / (reach * reach);
    if (q2 >= 1) {
        return;
    }
    const double rest = 1 - q2;
    *value += rest * rest * rest;
    if (gradient) {
        /* Of q^2; the second term because the reach changes along the segment. */
        vec3 slope = vec3_scale(2 / (reach * reach), away);
        if (t == unclamped && length2 > 0) {
            slope = vec3_madd(slope, -2 * q2 * widening / (reach * length2), along);
        }
        *gradient = vec3_madd(*gradient, -3 * rest * rest, slope);
    }
}

/** One Newton step along the gradient towards the skin, at most `step_max` long. */
static vec3 towards_skin(const scn_flesh *flesh, vec3 p, double step_max)
{
    double value = 0;
    vec3 gradient = {0, 0, 0};
    for (size_t i = 0; i < flesh->bone_count; i++) {
        scn_flesh_bump(&flesh->bones[i], p, &value, &gradient);
    }
    const double slope = vec3_norm(gradient);
    if (slope == 0) {
        return p;
    }
    const double step = fmin(step_max, fmax(-step_max, (SCN_FLESH_LEVEL - value) / slope));
    return vec3_madd(p, step / slope, gradient);
}

/* --- Resolution ------------------------------------------------------------------------------- */

/** Spacing that gives nearly `triangles`: their number goes with 1 / h^2. */
static base_status fit_spacing(const scn_flesh *flesh, size_t triangles, double *h, base_error *err)
{
    double at = 0.004, best_error = INFINITY;
    for (int i = 0; i < 8 && best_error > 0.002; i++) {
        size_t faces;
        const base_status status = scn_flesh_contour(flesh, at, &faces, NULL, err);
        if (status != BASE_OK) {
            return status;
        }
        const double ratio = (double)faces / (double)triangles;
        if (fabs(ratio - 1) < best_error) {
            best_error = fabs(ratio - 1);
            *h = at;
        }
        at *= fmin(2, fmax(0.25, sqrt(ratio)));
    }
    return BASE_OK;
}

/* --- Evening out ------------------------------------------------------------------------------ */

static void project(const scn_flesh *flesh, geo_mesh_builder *mesh, int rounds, double step_max)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (int round = 0; round < rounds; round++) {
            mesh->vertices[i] = towards_skin(flesh, mesh->vertices[i], step_max);
        }
    }
}

/** Moves every vertex half-way to the mean of its neighbours and back onto the skin, some times:
 * the lattice's slivers become round triangles. */
static base_status even_out(const scn_flesh *flesh, geo_mesh_builder *mesh, double h,
                            base_error *err)
{
    enum { ROUNDS = 8 };
    vec3 *const sums = base_alloc(mesh->vertex_count, sizeof *sums);
    uint32_t *const counts = base_alloc(mesh->vertex_count, sizeof *counts);
    base_status status = BASE_OK;
    if (!sums || !counts) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu vertices", mesh->vertex_count);
        goto done;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            sums[i] = vec3_make(0, 0, 0);
            counts[i] = 0;
        }
        for (size_t i = 0; i < 3 * mesh->face_count; i++) {
            /* Each edge is a side of two faces, once in each direction. */
            const uint32_t *const v = mesh->faces[i / 3].v;
            const uint32_t from = v[i % 3], to = v[(i + 1) % 3];
            sums[from] = vec3_add(sums[from], mesh->vertices[to]);
            counts[from]++;
        }
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            const vec3 mean = vec3_scale(1 / (double)counts[i], sums[i]);
            const vec3 middle = vec3_scale(0.5, vec3_add(mesh->vertices[i], mean));
            mesh->vertices[i] = towards_skin(flesh, middle, 0.25 * h);
        }
    }
    project(flesh, mesh, 2, 0.25 * h);
done:
    base_free(counts);
    base_free(sums);
    return status;
}

base_status scn_flesh_build(const scn_bone *bones, size_t bone_count, size_t triangles,
                            geo_mesh_builder *mesh, base_error *err)
{
    const scn_flesh flesh = {bones, bone_count};
    *mesh = (geo_mesh_builder){0};
    const size_t wanted = triangles > contour_triangles_min ? triangles : contour_triangles_min;
    size_t frequency = 1;
    while (wanted / (frequency * frequency) > contour_triangles_max) {
        frequency++;
    }
    double h = 0;
    size_t faces;
    geo_mesh_builder coarse = {0};
    base_status status = fit_spacing(&flesh, wanted / (frequency * frequency), &h, err);
    if (status == BASE_OK) {
        status = scn_flesh_contour(&flesh, h, &faces, &coarse, err);
    }
    if (status == BASE_OK) {
        status = even_out(&flesh, &coarse, h, err);
    }
    if (status == BASE_OK && frequency == 1) {
        *mesh = coarse;
        return BASE_OK;
    }
    if (status == BASE_OK) {
        const geo_mesh view = geo_mesh_builder_view(&coarse);
        status = scn_subdivide(&view, frequency, mesh, err);
    }
    if (status == BASE_OK) {
        project(&flesh, mesh, 3, 0.25 * h);
    }
    geo_mesh_builder_release(&coarse);
    return status;
}
