/**
 * Prepared bodies as bytes, and back.
 *
 * What is read is not trusted: counts must fit the bytes, indices must lie in range, and nodes must
 * be a tree, so that no query of what was read can leave its arrays or go round in circles.
 */
#ifndef ALGORITHMS_IST_SAVED_H
#define ALGORITHMS_IST_SAVED_H

#include "algorithms/ist/body.h"

/** Of what bodies are built and of their bytes, for all entries of this folder: see
 * alg.state_version. */
enum { ALG_IST_STATE_VERSION = 5 };

/** Bytes that are still to be read. */
typedef struct alg_ist_saved {
    const char *next;
    size_t left;
} alg_ist_saved;

/** Writes count items of a size; false when the writer wants no more. */
bool alg_ist_give(const alg_writer *to, const void *items, size_t count, size_t size);

/** Reads count items of a size; false, and nothing is read, when there are not so many bytes. */
bool alg_ist_take(alg_ist_saved *from, void *items, size_t count, size_t size);

/** False when the writer wants no more. */
bool alg_ist_tree_save(const alg_ist_tree *tree, const alg_writer *to);

/**
 * Reads what alg_ist_tree_save has written.
 *
 * Errors   BASE_ERR_INPUT for what alg_ist_tree_build does not make; BASE_ERR_MEMORY.
 * Memory   arena: as alg_ist_tree_build.
 * Cost     O(spheres).
 */
base_status alg_ist_tree_load(alg_ist_saved *from, base_arena *arena, alg_ist_tree *tree,
                              base_error *err) BASE_MUST_CHECK;

/** alg.save of an alg_ist_body. */
alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message);

/** alg.load of one without a skin, and of one with it. */
alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);
alg_status alg_ist_body_load_skin(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                                  const void *bytes, size_t size, void **body, alg_build_info *info,
                                  alg_message *message);

#endif
