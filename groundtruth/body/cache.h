/**
 * Tetrahedra and truth on disk.
 *
 * Files are named by the hash of what they were made from, so none is ever out of date. They are
 * binary, of this machine's byte order, and everything in them is under a checksum: what does not
 * fit is made anew. To change what a file holds or how its numbers are found, change its version
 * in cache.c.
 */
#ifndef GROUNDTRUTH_CACHE_H
#define GROUNDTRUTH_CACHE_H

#include "groundtruth/body/body.h"

/**
 * Tetrahedra of a body, by its mesh and TetGen's switches. False when there are none, or when the
 * file is not what it should be. Memory: gt_tetrahedra_release.
 */
bool gt_cache_load(const char *directory, const gt_body *body, gt_tetrahedra *tetrahedra);

/** Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status gt_cache_store(const char *directory, const gt_body *body,
                           const gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/* --- Truth: one append-only file of records a pair -------------------------------------------- */

/** What one method says of one pose, or of a way out reported for it. */
typedef struct gt_record {
    base_hash key; /* of both meshes, the pose, the method and its version */
    gt_answer answer;
    uint64_t check; /* hash of the above */
} gt_record;

typedef struct gt_truth_cache {
    base_hash pair;     /* of both meshes */
    char path[4096];    /* of the file */
    gt_record *records; /* owned; what the file held when it was opened, by key */
    size_t record_count;
} gt_truth_cache;

/**
 * Reads the records of a pair; damaged ones and half ones are left out.
 * Errors   BASE_ERR_SYSTEM if the directory cannot be made or the file not be read;
 *          BASE_ERR_MEMORY.
 */
base_status gt_truth_cache_open(const char *directory, const gt_body *a, const gt_body *b,
                                gt_truth_cache *cache, base_error *err) BASE_MUST_CHECK;
void gt_truth_cache_close(gt_truth_cache *cache);

/** Errors: BASE_ERR_MEMORY. */
base_status gt_record_key(const gt_truth_cache *cache, const geo_pose *pose, gt_method method,
                          base_hash *key, base_error *err) BASE_MUST_CHECK;
/** The same of the escape along a direction. */
base_status gt_escape_key(const gt_truth_cache *cache, const geo_pose *pose, vec3 direction,
                          double depth_m, base_hash *key, base_error *err) BASE_MUST_CHECK;

/** The same of a way out inside a window: all numbers of both. */
enum { GT_WINDOW_NUMBERS = 15 };
base_status gt_window_key(const gt_truth_cache *cache, const geo_pose *pose,
                          const double numbers[GT_WINDOW_NUMBERS], base_hash *key,
                          base_error *err) BASE_MUST_CHECK;

/** The record with this key, or NULL. */
const gt_record *gt_truth_cache_find(const gt_truth_cache *cache, base_hash key);

/**
 * Appends records to the file, under a lock that other processes respect, and syncs it. Fills their
 * checks. A half record that a killed process left at the end is cut off.
 * Errors   BASE_ERR_SYSTEM, the file is then as it was; BASE_ERR_MEMORY.
 */
base_status gt_truth_cache_append(const gt_truth_cache *cache, gt_record *records, size_t count,
                                  base_error *err) BASE_MUST_CHECK;

#endif
