/**
 * The readers of mesh files, one a format: mesh_off.c, mesh_obj.c, mesh_stl.c, mesh_ply.c. Private
 * to geometry/mesh_*.c. To add one: declare it here, and choose it in mesh_file.c.
 */
#ifndef GEOMETRY_MESH_FORMATS_H
#define GEOMETRY_MESH_FORMATS_H

#include "geometry/mesh_scan.h"

#include <stdbool.h>

/** What it fills is the caller's to release, after an error too. */
typedef base_status geo_mesh_reader(const geo_source *source, geo_mesh_builder *mesh,
                                    base_error *err);

geo_mesh_reader geo_mesh_read_off, geo_mesh_read_obj, geo_mesh_read_stl, geo_mesh_read_ply;

/** By content: binary STL by its length, ascii STL by its first word. */
bool geo_source_is_stl(const geo_source *source);

#endif
