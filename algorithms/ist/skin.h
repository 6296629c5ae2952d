/**
 * The surface of a body with inner spheres: for entries that go down to its triangles.
 *
 * Frames   a pair of skins is of A and of B, B moved by the pose (geo_pose_apply), as everywhere.
 */
#ifndef ALGORITHMS_IST_SKIN_H
#define ALGORITHMS_IST_SKIN_H

#include "algorithms/algorithms.h"
#include "algorithms/ist/owners.h"
#include "algorithms/ist/tree.h"

#include "geometry/surface.h"

typedef struct alg_ist_skin {
    geo_mesh mesh; /* borrowed; what follows is in an arena */
    geo_surface surface;
    alg_ist_gap gap;
    alg_ist_owners owners; /* by the places in the packing: alg_ist_tree.places */
    uint32_t *nearest;     /* the face nearest to the centre of each sphere of the tree */
    uint32_t *part_vertex; /* a vertex of each connected part of the surface */
    uint32_t part_count;
    uint32_t owned_most; /* faces of any one sphere */
} alg_ist_skin;

/**
 * Borrows the mesh and gives its surface to the spheres, whose outer radii it fills: before the
 * tree is built. `nearest` comes after it, by alg_ist_skin_finish.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: some 200 bytes a triangle, 12 bytes a sphere.
 */
base_status alg_ist_skin_build(const alg_mesh *mesh, alg_ist_packing *packing, base_arena *arena,
                               alg_ist_skin *skin, base_error *err) BASE_MUST_CHECK;
base_status alg_ist_skin_finish(const alg_ist_tree *tree, base_arena *arena, alg_ist_skin *skin,
                                base_error *err) BASE_MUST_CHECK;

/** The faces of which sphere i of the tree owns a piece. */
typedef struct alg_ist_faces {
    const uint32_t *faces;
    uint32_t count;
} alg_ist_faces;

static inline alg_ist_faces alg_ist_owned(const alg_ist_skin *skin, const alg_ist_tree *tree,
                                          uint32_t i)
{
    const uint32_t *const first = skin->owners.first + tree->places[i];
    return (alg_ist_faces){skin->owners.faces + first[0], first[1] - first[0]};
}

/** A triangle of A and one of B, and how far they are apart. */
typedef struct alg_ist_face_pair {
    uint32_t a, b;
    double distance2;          /* 0 if they intersect */
    vec3 witness_a, witness_b; /* A's frame; one point if they intersect */
} alg_ist_face_pair;

/** The pair of faces a and b. */
alg_ist_face_pair alg_ist_measure_faces(const alg_ist_skin *a, const alg_ist_skin *b,
                                        const geo_pose *pose, uint32_t face_a, uint32_t face_b);

/**
 * Comes nearer, `rounds` times or until that ends, from a pair of faces: to the face of A that is
 * nearest to the witness on B, then to the face of B that is nearest to the witness on A.
 */
void alg_ist_approach(const alg_ist_skin *a, const alg_ist_skin *b, const geo_pose *pose,
                      uint32_t rounds, alg_ist_face_pair *pair);

/**
 * Is a part of one body inside the other, for surfaces that do not intersect? *in_both is a point
 * of both solids then.
 */
bool alg_ist_skins_nested(const alg_ist_skin *a, const alg_ist_skin *b, const geo_pose *pose,
                          vec3 *in_both);

#endif
