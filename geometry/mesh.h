/**
 * Triangle meshes and their files.
 *
 * A mesh is vertices and faces (counter-clockwise seen from outside), in metres. Files keep their
 * digits: coordinates are parsed to the nearest double and written with 17 digits.
 */
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include "base/error.h"
#include "base/hash.h"
#include "geometry/types.h"

#include <stdio.h>

typedef struct geo_mesh {
    vec3 *vertices; /* owned, base_alloc */
    size_t vertex_count;
    geo_face *faces; /* owned, base_alloc */
    size_t face_count;
} geo_mesh;

/**
 * Reads OFF, OBJ, STL (ascii or binary) or PLY (ascii or binary, both byte orders), told apart by
 * content for STL and PLY, else by extension. Polygons are cut into fans. STL has no shared
 * vertices: vertices of equal coordinates are welded (exactly equal, -0 = 0); no other format is
 * welded. Texture, normals, colours and other properties are skipped. A count that disagrees with
 * what follows is an error, and costs no memory.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read; BASE_ERR_INPUT with path, line (or byte
 *          offset, for binary) and reason: bad header, count or number, coordinate that is NaN,
 *          infinite or beyond what predicates.h takes, index out of range, truncated file, text
 *          behind the end, polygon of fewer than 3 vertices, no faces, unknown format, more than
 *          4 GiB. *mesh is zeroed then.
 * Memory   geo_mesh_release.
 * Cost     about 15 ns a byte for text with 17 digits.
 */
base_status geo_mesh_load(const char *path, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Vertices and faces zeroed, to be filled. Errors: BASE_ERR_MEMORY, *mesh is zeroed then. */
base_status geo_mesh_create(size_t vertex_count, size_t face_count, geo_mesh *mesh,
                            base_error *err) BASE_MUST_CHECK;
void geo_mesh_release(geo_mesh *mesh);

/** OFF with 17 digits, which geo_mesh_load reads back to the same bits. Errors: BASE_ERR_SYSTEM when
 * the stream fails. */
base_status geo_mesh_write_off(const geo_mesh *mesh, FILE *file, base_error *err) BASE_MUST_CHECK;

/** Corners of face f. */
static inline geo_triangle geo_mesh_triangle(const geo_mesh *mesh, size_t f)
{
    const uint32_t *const v = mesh->faces[f].v;
    return (geo_triangle){
        {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]}
    };
}

/** Every vertex moved by `offset`, in place: fl(v + offset). */
void geo_mesh_translate(geo_mesh *mesh, vec3 offset);

/** Box of the vertices that faces use, not of the whole list; empty without faces. */
geo_box geo_mesh_box(const geo_mesh *mesh);

/**
 * Integrals over the surface, relative to the box centre so that a far mesh loses no digits.
 * volume and centroid mean something only for a closed, oriented mesh; volume is negative when
 * it is inside out.
 */
typedef struct geo_mesh_measure {
    double volume_m3;
    double area_m2;
    vec3 centroid; /* of the solid; the box centre when the volume is 0 */
} geo_mesh_measure;
geo_mesh_measure geo_mesh_measures(const geo_mesh *mesh);

/**
 * Labels faces by connected component (faces that share a vertex index), numbered from 0 in the
 * order of their first face.
 *
 * Shapes   label: face_count entries, filled.
 * Errors   BASE_ERR_MEMORY.
 */
base_status geo_mesh_components(const geo_mesh *mesh, uint32_t *label, uint32_t *component_count,
                                base_error *err) BASE_MUST_CHECK;

/** Hash of the coordinates' bits and the indices, in order; 0 when out of memory. */
base_hash geo_mesh_hash(const geo_mesh *mesh);

#endif
