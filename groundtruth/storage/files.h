/** Whole files, written so that a reader never meets half of one. */
#ifndef GROUNDTRUTH_FILES_H
#define GROUNDTRUTH_FILES_H

#include "geometry/geometry.h"

/** The content with a NUL behind it, owned. Errors: GEO_ERR_SYSTEM, GEO_ERR_MEMORY. */
geo_status gt_file_read(const char *path, char **bytes, size_t *size,
                        geo_error *err) GEO_MUST_CHECK;

/** Under a temporary name in the same directory, synced, then renamed. Errors: GEO_ERR_SYSTEM. */
geo_status gt_file_replace(const char *path, const void *bytes, size_t size,
                           geo_error *err) GEO_MUST_CHECK;

/** Writes all of it at the descriptor's place; false with errno set. */
bool gt_write_all(int file, const void *bytes, size_t size);

/** Makes the directory and those above it where they are missing. Errors: GEO_ERR_SYSTEM. */
geo_status gt_directory_make(const char *path, geo_error *err) GEO_MUST_CHECK;

/** Removes a directory of plain files; what cannot be removed stays. */
void gt_directory_remove(const char *path);

/** directory/name with the given ending, GEO_ERR_SYSTEM when it is too long. */
geo_status gt_path_join(const char *directory, const char *name, const char *ending, char *path,
                        size_t size, geo_error *err) GEO_MUST_CHECK;

#endif
