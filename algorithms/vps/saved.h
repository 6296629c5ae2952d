/**
 * Voxmaps, distances and points as bytes, and back.
 *
 * What is read is not trusted: counts must fit the bytes and the grid, layers and points must lie
 * where a build can have put them, so that no query of what was read can leave its arrays.
 */
#ifndef ALGORITHMS_VPS_SAVED_H
#define ALGORITHMS_VPS_SAVED_H

#include "algorithms/vps/body.h"

/** Raised whenever bodies of the same settings, or their bytes, change. */
enum { ALG_VPS_STATE_VERSION = 3 };

/** alg_algorithm.save of an alg_vps_body. */
alg_status alg_vps_body_save(const void *body, const alg_writer *to, alg_message *message);

/**
 * alg_algorithm.load: what alg_vps_body_prepare makes of the same options. The surface that a body
 * keeps is built anew of the mesh.
 */
alg_status alg_vps_body_load(const alg_vps_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message);

#endif
