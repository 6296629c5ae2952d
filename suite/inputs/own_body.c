#include "suite/inputs/own_body.h"

#include "geometry/mesh_check.h"
#include "geometry/simplify.h"
#include "suite/clock.h"

#include <stdio.h>

/** Makes the view of the simplified mesh. */
static base_status check(const alg_mesh *full, bench_own_body *own, base_error *err)
{
    geo_mesh_report report;
    const base_status status = geo_mesh_check(&own->mesh, &report, err);
    own->view = (alg_mesh){.size = sizeof(alg_mesh),
                           .vertices = own->mesh.vertices,
                           .vertex_count = own->mesh.vertex_count,
                           .faces = own->mesh.faces,
                           .face_count = own->mesh.face_count,
                           .solid = report.solid,
                           .volume_m3 = report.solid ? report.measure.volume_m3 : 0,
                           .centroid = full->centroid,
                           .box = report.box};
    geo_mesh_report_release(&report);
    return status;
}

static base_status simplify(const alg_mesh *full, double share, bench_own_body *own,
                            base_error *err)
{
    const geo_mesh mesh = {full->vertices, full->vertex_count, full->faces, full->face_count};
    const uint64_t start = bench_clock_ns();
    geo_mesh_builder simplified;
    base_status status = geo_mesh_simplify(&mesh, share, full->solid, &simplified, err);
    if (status == BASE_OK) {
        own->mesh = geo_mesh_builder_finish(&simplified);
        status = check(full, own, err);
    }
    own->build_ns = bench_clock_ns() - start;
    return status;
}

alg_status bench_own_body_open(const alg_variant *variant, const alg_mesh *full, alg_role role,
                               bench_own_body *own, alg_message *message)
{
    const char name = role == ALG_FIXED ? 'A' : 'B';
    base_error err = {0};
    *own = (bench_own_body){.view = *full};
    const base_status status =
        variant->simplify > 0 ? simplify(full, variant->simplify, own, &err) : BASE_OK;
    if (status != BASE_OK) {
        snprintf(message->text, sizeof message->text, "body %c: %.400s", name, err.text);
        bench_own_body_close(own);
        return status == BASE_ERR_MEMORY ? ALG_OUT_OF_MEMORY : ALG_UNSUPPORTED;
    }
    if ((variant->algorithm->flags & ALG_NEEDS_SOLIDS) && !own->view.solid) {
        snprintf(message->text, sizeof message->text, "%s needs solids, and body %c is not one",
                 variant->algorithm->name, name);
        if (full->solid) {
            snprintf(message->text, sizeof message->text,
                     "%s needs solids, and body %c is not one after it was simplified to %zu "
                     "triangles",
                     variant->algorithm->name, name, own->view.face_count);
        }
        bench_own_body_close(own);
        return ALG_UNSUPPORTED;
    }
    return ALG_OK;
}

void bench_own_body_close(bench_own_body *own)
{
    geo_mesh_release(&own->mesh);
    *own = (bench_own_body){0};
}
