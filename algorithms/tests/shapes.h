/** The solids of geometry/tests/shapes.h as bodies of algorithms. */
#ifndef ALGORITHMS_TESTS_SHAPES_H
#define ALGORITHMS_TESTS_SHAPES_H

#include "algorithms/algorithms.h"
#include "geometry/tests/shapes.h"

/** Returns the body of a mesh, which is borrowed. */
static inline alg_mesh shape_body(const geo_mesh *mesh, bool solid)
{
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = mesh->vertices,
                      .vertex_count = mesh->vertex_count,
                      .faces = mesh->faces,
                      .face_count = mesh->face_count,
                      .solid = solid,
                      .volume_m3 = measure.volume_m3,
                      .centroid = measure.centroid,
                      .box = geo_mesh_box(mesh)};
}

#endif
