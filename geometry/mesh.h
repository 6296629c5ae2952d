/** Triangle meshes: vertices and faces (counter-clockwise as seen from outside), in metres. */
#ifndef GEOMETRY_MESH_H
#define GEOMETRY_MESH_H

#include "base/error.h"
#include "base/hash.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stdio.h>

/**
 * A view of vertices and faces; copying it copies no vertex. The caller of geo_mesh_load,
 * geo_mesh_builder_finish or a model function owns the arrays of the returned mesh until
 * geo_mesh_release. Any other mesh borrows its arrays from an owner that its documentation names.
 */
typedef struct geo_mesh {
    const vec3 *vertices;
    size_t vertex_count;
    const geo_face *faces;
    size_t face_count;
} geo_mesh;

/**
 * Limits of the absolute value of a coordinate that is not 0. From the lower limit on, the exact
 * predicates guarantee their signs. Up to the upper limit, the squares of differences are finite in
 * float, which the hierarchies use.
 */
#define GEO_COORDINATE_LEAST    1e-60
#define GEO_COORDINATE_GREATEST 1e15
bool geo_coordinate_valid(double x);
/** Returns the fault of an invalid coordinate: "is not finite" or "is out of range (...)". */
const char *geo_coordinate_fault(double x);

/** Releases a mesh that owns its arrays, or a zeroed one; zeroes *mesh. */
void geo_mesh_release(geo_mesh *mesh);

/** Owns vertices and faces during construction. Zero-initialised is empty. */
typedef struct geo_mesh_builder {
    vec3 *vertices; /* base_alloc */
    size_t vertex_count, vertex_capacity;
    geo_face *faces; /* base_alloc */
    size_t face_count, face_capacity;
} geo_mesh_builder;

/**
 * Allocates zeroed vertices and faces, to be filled. Errors: BASE_ERR_MEMORY; *builder is then
 * zeroed.
 */
base_status geo_mesh_builder_init(size_t vertex_count, size_t face_count, geo_mesh_builder *builder,
                                  base_error *err) BASE_MUST_CHECK;
/** Reserves room for these total numbers. Errors: BASE_ERR_MEMORY; existing entries are kept. */
base_status geo_mesh_builder_reserve(geo_mesh_builder *builder, size_t vertices, size_t faces,
                                     base_error *err) BASE_MUST_CHECK;
/** Appends one vertex or face. Errors: BASE_ERR_MEMORY. */
base_status geo_mesh_builder_add_vertex(geo_mesh_builder *builder, vec3 p,
                                        base_error *err) BASE_MUST_CHECK;
base_status geo_mesh_builder_add_face(geo_mesh_builder *builder, geo_face face,
                                      base_error *err) BASE_MUST_CHECK;
/** Returns a view of the current vertices and faces, borrowed until the next change. */
geo_mesh geo_mesh_builder_view(const geo_mesh_builder *builder);
/** Returns the mesh, which owns its arrays from now on; zeroes *builder. */
geo_mesh geo_mesh_builder_finish(geo_mesh_builder *builder);
/** Converts a mesh that owns its arrays back to a builder, to change it; zeroes *mesh. */
geo_mesh_builder geo_mesh_builder_resume(geo_mesh *mesh);
void geo_mesh_builder_release(geo_mesh_builder *builder);

/** Returns the corners of face f. */
static inline geo_triangle geo_mesh_triangle(const geo_mesh *mesh, size_t f)
{
    const uint32_t *const v = mesh->faces[f].v;
    return (geo_triangle){{mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]}};
}

/** Moves every vertex by `offset`, in place: fl(v + offset). The mesh must own its arrays. */
void geo_mesh_translate(geo_mesh *mesh, vec3 offset);

/** Returns the box of the vertices that faces use, not of the whole list; empty without faces. */
geo_box geo_mesh_box(const geo_mesh *mesh);

/**
 * Integrals over the surface. They are computed relative to the box centre, so that a mesh far from
 * the origin loses no digits. Volume and centroid are meaningful only for a closed, oriented mesh.
 * The volume is negative if the mesh is inside out. All values are 0 without faces.
 */
typedef struct geo_mesh_measure {
    double volume_m3;
    double area_m2;
    vec3 centroid; /* of the solid, in the frame of the mesh; the box centre if the volume is 0 */
} geo_mesh_measure;
geo_mesh_measure geo_mesh_measures(const geo_mesh *mesh);

/**
 * Labels faces by connected component. Faces that share a vertex index are connected. Components
 * are numbered from 0 in the order of their first faces.
 *
 * Shapes   label: face_count entries, filled.
 * Errors   BASE_ERR_MEMORY.
 */
base_status geo_mesh_components(const geo_mesh *mesh, uint32_t *label, uint32_t *component_count,
                                base_error *err) BASE_MUST_CHECK;

/**
 * Returns the hash of the numbers of vertices and faces and of the bits of all coordinates and
 * indices, in order; 0 if memory is short.
 */
base_hash geo_mesh_hash(const geo_mesh *mesh);

/* --- Files ------------------------------------------------------------------------------------ */

/*
 * Mesh files preserve all digits: coordinates are parsed to the nearest double and written with 17
 * digits.
 */

/**
 * Reads OFF (text or Geomview's binary), OBJ, STL (ascii or binary) or PLY (ascii or binary, both
 * byte orders). STL and PLY are recognised by content or extension, OFF and OBJ by extension.
 * Polygons are cut into fans of triangles. STL has no shared vertices, so vertices of exactly equal
 * coordinates (-0 = 0) are welded; no other format is welded. Texture, normals, colours and other
 * properties are skipped. A count that disagrees with the data is an error. If the file is too
 * short for a count, this is found before memory is allocated for it.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read. BASE_ERR_INPUT with path, line (or byte
 *          offset, for binary) and reason: bad header, count or number, coordinate that is NaN,
 *          infinite or out of range, index out of range, truncated file, data after the end,
 *          polygon of fewer than 3 vertices. BASE_ERR_INPUT with path and reason: no faces, empty
 *          file, unknown format, device, more than 4 GiB. BASE_ERR_MEMORY. *mesh is then zeroed.
 * Memory   geo_mesh_release.
 * Cost     about 15 ns a byte for text with 17 digits.
 */
base_status geo_mesh_load(const char *path, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Writes OFF with 17 digits, which geo_mesh_load reads back to the same bits. Errors:
 * BASE_ERR_SYSTEM if the stream fails, BASE_ERR_MEMORY. */
base_status geo_mesh_write_off(const geo_mesh *mesh, FILE *file, base_error *err) BASE_MUST_CHECK;

#endif
