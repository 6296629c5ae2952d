/**
 * Bodies as bytes, and back.
 *
 * Kept are descriptors, which surface voxels are stored, and what is known of them; the tree follows from these, and is made anew: that takes
 * some ms where voxels and points take hundreds. What is read is not trusted: counts must fit the bytes and the grid, and voxels and points must
 * lie where a build can have put them.
 */
#ifndef ALGORITHMS_IMP_SAVED_H
#define ALGORITHMS_IMP_SAVED_H

#include "algorithms/imp/body.h"

/** Raised whenever bodies of the same settings, or their bytes, change. */
enum { ALG_IMP_STATE_VERSION = 2 };

/** alg_algorithm.save of an alg_imp_body. */
alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message);

/** alg_algorithm.load: what alg_imp_body_prepare makes of the same options. */
alg_status alg_imp_body_load(const alg_imp_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message);

#endif
