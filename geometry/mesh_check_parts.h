/** Parts of geo_mesh_check: the list of defects and the topology. Private to mesh_check*.c. */
#ifndef GEOMETRY_MESH_CHECK_PARTS_H
#define GEOMETRY_MESH_CHECK_PARTS_H

#include "geometry/mesh_check.h"
#include "geometry/surface.h"

/** Counts all defects and keeps the first ones of each kind, whatever the order they come in. */
typedef struct geo_defect_list {
    geo_defect *kept[GEO_DEFECT_KIND_COUNT]; /* arena; room for 2 GEO_DEFECTS_LISTED_MAX each */
    size_t kept_count[GEO_DEFECT_KIND_COUNT];
    uint64_t counts[GEO_DEFECT_KIND_COUNT];
} geo_defect_list;

/** Errors: BASE_ERR_MEMORY. Memory: arena. */
base_status geo_defect_list_init(geo_defect_list *list, base_arena *arena,
                                 base_error *err) BASE_MUST_CHECK;
void geo_defect_list_add(geo_defect_list *list, geo_defect_kind kind, uint32_t a, uint32_t b);
/** Moves the counts and the sorted defects into the report. */
base_status geo_defect_list_finish(geo_defect_list *list, geo_mesh_report *report,
                                   base_error *err) BASE_MUST_CHECK;

/** The same vertex twice in a face. */
static inline bool geo_face_repeats(geo_face f)
{
    return f.v[0] == f.v[1] || f.v[1] == f.v[2] || f.v[2] == f.v[0];
}

/**
 * Edges, fans and duplicates, from the indices alone. Faces with a repeated index take no part:
 * what is left without them may be whole. *fans: arena; for each corner 3 f + k of the mesh the
 * corner that stands for its fan: the faces around a vertex that are joined across edges.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(vertices + faces): counting sorts.
 */
base_status geo_check_topology(const geo_mesh *mesh, base_arena *arena, geo_defect_list *list,
                               uint32_t **fans, base_error *err) BASE_MUST_CHECK;

/**
 * Pairs of faces that intersect beyond what they share; degenerate ones (by face) and those on the
 * same three vertices are passed over.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status geo_check_pairs(const geo_surface *surface, const bool *degenerate, base_arena *arena,
                            geo_defect_list *list, base_error *err) BASE_MUST_CHECK;

/**
 * Shells that look the wrong way for their place, or in a flipped mesh the right way. The mesh is
 * closed and does not intersect itself; fans: those of geo_check_topology.
 *
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(faces).
 */
base_status geo_check_nesting(const geo_surface *surface, const uint32_t *fans, bool flipped,
                              base_arena *arena, geo_defect_list *list,
                              base_error *err) BASE_MUST_CHECK;

#endif
