/**
 * Tetrahedra and truth on disk.
 *
 * Files are named by the hash of their inputs, so no file is ever out of date. They are binary, in
 * this machine's byte order. All data has checksums. Damaged data is not loaded, so that the caller
 * computes it again. If you change the layout of a file, or a method that computes its numbers,
 * increase its version in cache.c.
 */
#ifndef GROUNDTRUTH_CACHE_H
#define GROUNDTRUTH_CACHE_H

#include "groundtruth/body/body.h"

/**
 * Loads the tetrahedra of a body. The key is its mesh and TetGen's switches. Returns false if there
 * is no file or the file is damaged. Memory: gt_tetrahedra_release.
 */
bool gt_cache_load(const char *directory, const gt_body *body, gt_tetrahedra *tetrahedra);

/** Stores the tetrahedra. Errors: BASE_ERR_SYSTEM, BASE_ERR_MEMORY. */
base_status gt_cache_store(const char *directory, const gt_body *body,
                           const gt_tetrahedra *tetrahedra, base_error *err) BASE_MUST_CHECK;

/* --- Truth: one append-only file of records per pair ------------------------------------------ */

/** The answer of one method for one pose, or for one translation (an escape) that a variant
 * reported at this pose. */
typedef struct gt_record {
    base_hash key; /* hash of both meshes, the pose, the method and its version */
    gt_answer answer;
    uint64_t check; /* hash of the fields above */
} gt_record;

typedef struct gt_truth_cache {
    base_hash pair;     /* hash of both meshes */
    char path[4096];    /* path of the file */
    gt_record *records; /* owned; the content of the file when it was opened, sorted by key */
    size_t record_count;
} gt_truth_cache;

/**
 * Reads the records of a pair; leaves out damaged and incomplete ones.
 * Errors   BASE_ERR_SYSTEM if the directory cannot be made or the file cannot be read;
 *          BASE_ERR_MEMORY.
 */
base_status gt_truth_cache_open(const char *directory, const gt_body *a, const gt_body *b,
                                gt_truth_cache *cache, base_error *err) BASE_MUST_CHECK;
void gt_truth_cache_close(gt_truth_cache *cache);

/** Computes the key of a pose and a method. Errors: BASE_ERR_MEMORY. */
base_status gt_record_key(const gt_truth_cache *cache, const geo_pose *pose, gt_method method,
                          base_hash *key, base_error *err) BASE_MUST_CHECK;
/** Computes the key of a pose and a translation of B by depth_m along a direction. Errors:
 * BASE_ERR_MEMORY. */
base_status gt_escape_key(const gt_truth_cache *cache, const geo_pose *pose, vec3 direction,
                          double depth_m, base_hash *key, base_error *err) BASE_MUST_CHECK;

enum { GT_WINDOW_NUMBERS = 15 };
/** Computes the key of a pose and a translation inside a window. numbers: the 14 numbers of the
 * window, and the length of the translation. Errors: BASE_ERR_MEMORY. */
base_status gt_window_key(const gt_truth_cache *cache, const geo_pose *pose,
                          const double numbers[GT_WINDOW_NUMBERS], base_hash *key,
                          base_error *err) BASE_MUST_CHECK;

/** Returns the record with this key, or NULL if there is no such record. */
const gt_record *gt_truth_cache_find(const gt_truth_cache *cache, base_hash key);

/**
 * Appends records to the file under a lock that other processes respect, and syncs the file. Sets
 * the member `check` of each record. Cuts off an incomplete record that a killed process left at
 * the end.
 * Errors   BASE_ERR_SYSTEM; the records that were complete before stay in the file.
 *          BASE_ERR_MEMORY; the file is unchanged.
 */
base_status gt_truth_cache_append(const gt_truth_cache *cache, gt_record *records, size_t count,
                                  base_error *err) BASE_MUST_CHECK;

#endif
