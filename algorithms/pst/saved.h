/**
 * Fields and trees as bytes, and back.
 *
 * What is read is not trusted: counts must fit the bytes and the grid, places and numbers must lie
 * where a build can have put them, so that no query of what was read can leave its arrays.
 */
#ifndef ALGORITHMS_PST_SAVED_H
#define ALGORITHMS_PST_SAVED_H

#include "algorithms/pst/body.h"

/** Raised whenever bodies of the same settings, or their bytes, change. */
enum { ALG_PST_STATE_VERSION = 4 };

/** alg_algorithm.save of an alg_pst_body. */
alg_status alg_pst_body_save(const void *body, const alg_writer *to, alg_message *message);

/**
 * alg_algorithm.load: what alg_pst_body_prepare makes of the same options. The surface that a body
 * keeps is built anew of the mesh.
 */
alg_status alg_pst_body_load(const alg_pst_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message);

#endif
