/**
 * Conversion of prepared bodies into bytes and back, for alg_algorithm.save and load.
 *
 * Each structure has one function that lists its members. Saving and loading both call it:
 *
 *     static void serialize_points(alg_archive *archive, points *p)
 *     {
 *         ALG_VALUE(archive, p->count);
 *         ALG_ARRAY(archive, p->x, p->count);
 *     }
 *
 * Saving passes the members to a writer and changes none of them. Loading fills the members of a
 * zeroed structure in the same order, so a count precedes its array. The bytes have the byte order
 * of the machine and contain no addresses. Values and items of arrays must not contain padding, so
 * that equal bodies have equal bytes. Data that can be computed from the mesh alone, such as a
 * surface, are not listed. They are built again after loading.
 *
 * Loading only checks lengths. The caller has already checked, by a hash, that the same code wrote
 * the bytes.
 */
#ifndef ALGORITHMS_ARCHIVE_H
#define ALGORITHMS_ARCHIVE_H

#include "algorithms/algorithms.h"
#include "base/memory.h"

/** A save or a load in progress. Its members are private to archive.c. */
typedef struct alg_archive {
    const alg_writer *to; /* NULL when loading */
    const char *next;     /* first of the `left` bytes that are not loaded yet */
    size_t left;
    base_arena *arena; /* loading: owns arrays and objects */
    alg_status status; /* after the first error all calls do nothing */
    alg_message *message;
} alg_archive;

/** Lists the members of an object. */
typedef void alg_serializer(alg_archive *archive, void *object);

/** Saves or loads a member without pointers: a number, an array of numbers, a plain structure. */
#define ALG_VALUE(archive, member) alg_archive_value(archive, &(member), sizeof(member))

/** Saves or loads a pointer to `count` items without pointers, or NULL. Loaded items are in the
 * arena. */
#define ALG_ARRAY(archive, member, count)                                                          \
    alg_archive_array(archive, &(member), count, sizeof *(member))

/** Saves or loads a pointer to one structure, or NULL. When loading, the structure is allocated in
 * the arena and zeroed. True if the pointer is not NULL; the caller then lists the members of the
 * structure. */
#define ALG_OBJECT(archive, member) alg_archive_object(archive, &(member), sizeof *(member))

/** The functions that the macros call. member: address of a pointer to data of any type. */
void alg_archive_value(alg_archive *archive, void *value, size_t size);
void alg_archive_array(alg_archive *archive, void *member, size_t count, size_t size);
bool alg_archive_object(alg_archive *archive, void *member, size_t size);

/** Implements alg_algorithm.save. Errors: ALG_FAILED if the writer accepts no more bytes. */
alg_status alg_save(alg_serializer *serialize, const void *body, const alg_writer *to,
                    alg_message *message);

/**
 * Implements alg_algorithm.load for a body that alg_create makes, of body_size bytes.
 *
 * Errors   ALG_OUT_OF_MEMORY; ALG_FAILED for missing or extra bytes. *body is NULL then.
 * Memory   owned: *body, to be freed by alg_destroy; it does not refer to bytes.
 */
alg_status alg_load(alg_serializer *serialize, size_t body_size, const void *bytes, size_t size,
                    void **body, alg_message *message);

#endif
