/**
 * Mesh files. They preserve all digits: coordinates are parsed to the nearest double and written
 * with 17 digits.
 */
#ifndef GEOMETRY_MESH_FILE_H
#define GEOMETRY_MESH_FILE_H

#include "geometry/mesh.h"

#include <stdio.h>

/**
 * Reads OFF (text or Geomview's binary), OBJ, STL (ascii or binary) or PLY (ascii or binary, both
 * byte orders). STL and PLY are recognised by content, other formats by extension. Polygons are cut
 * into fans. STL has no shared vertices: vertices of equal coordinates are welded (exactly equal,
 * -0 = 0); no other format is welded. Texture, normals, colours and other properties are skipped. A
 * count that disagrees with the data is an error, found before memory is allocated for it.
 *
 * Errors   BASE_ERR_SYSTEM if the file cannot be read; BASE_ERR_INPUT with path, line (or byte
 *          offset, for binary) and reason: bad header, count or number, coordinate that is NaN,
 *          infinite or out of range, index out of range, truncated file, text after the end,
 *          polygon of fewer than 3 vertices, no faces, unknown format, more than 4 GiB. *mesh is
 *          then zeroed.
 * Memory   geo_mesh_release.
 * Cost     about 15 ns a byte for text with 17 digits.
 */
base_status geo_mesh_load(const char *path, geo_mesh *mesh, base_error *err) BASE_MUST_CHECK;

/** Writes OFF with 17 digits, which geo_mesh_load reads back to the same bits. Errors:
 * BASE_ERR_SYSTEM if the stream fails. */
base_status geo_mesh_write_off(const geo_mesh *mesh, FILE *file, base_error *err) BASE_MUST_CHECK;

#endif
