/**
 * Prepared bodies as bytes, and back.
 *
 * What is read is not trusted: counts must fit the bytes, indices must lie in range, and nodes must
 * be a tree, so that no query of what was read can leave its arrays or run in a cycle.
 */
#ifndef ALGORITHMS_IST_SAVED_H
#define ALGORITHMS_IST_SAVED_H

#include "algorithms/ist/body.h"

/** alg_algorithm.state_version of all entries of this folder. */
enum { ALG_IST_STATE_VERSION = 7 };

/** alg_algorithm.save of an alg_ist_body. */
alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message);

/** alg_algorithm.load of one without a skin, and of one with it. */
alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message);
alg_status alg_ist_body_load_skin(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                                  const void *bytes, size_t size, void **body, alg_build_info *info,
                                  alg_message *message);

#endif
