#include "algorithms/archive.h"

#include "algorithms/life.h"

#include <string.h>

static void fail_short(alg_archive *archive)
{
    archive->status = alg_fail(archive->message, ALG_FAILED, "its bytes end too early");
}

void alg_archive_value(alg_archive *archive, void *value, size_t size)
{
    if (archive->status != ALG_OK) {
        return;
    }
    if (archive->to) {
        if (!archive->to->write(archive->to->context, value, size)) {
            archive->status = alg_fail(archive->message, ALG_FAILED, "the writer takes no more");
        }
    } else if (size > archive->left) {
        fail_short(archive);
    } else {
        memcpy(value, archive->next, size);
        archive->next += size;
        archive->left -= size;
    }
}

/**
 * Saves or loads whether the pointer at `member` is NULL. Returns the items that it points to, or
 * NULL. Loading allocates the items unless the saved pointer was NULL. loaded: the number of bytes
 * of an item that the caller loads immediately; fewer remaining bytes are an error.
 */
static void *pointed(alg_archive *archive, void *member, size_t count, size_t size, size_t loaded)
{
    void *items;
    memcpy(&items, member, sizeof items);
    uint8_t present = items != NULL;
    alg_archive_value(archive, &present, sizeof present);
    if (archive->status != ALG_OK || !present) {
        return NULL;
    }
    if (!archive->to && loaded > 0 && count > archive->left / loaded) {
        fail_short(archive);
        return NULL;
    }
    if (!archive->to) {
        items = base_arena_alloc(archive->arena, count, size);
        memcpy(member, &items, sizeof items);
    }
    if (!items) {
        archive->status = alg_fail(archive->message, ALG_OUT_OF_MEMORY,
                                   "out of memory for %zu items of %zu bytes", count, size);
    }
    return items;
}

void alg_archive_array(alg_archive *archive, void *member, size_t count, size_t size)
{
    void *const items = pointed(archive, member, count, size, size);
    if (items) {
        alg_archive_value(archive, items, count * size);
    }
}

bool alg_archive_object(alg_archive *archive, void *member, size_t size)
{
    return pointed(archive, member, 1, size, 0) != NULL;
}

alg_status alg_save(alg_serializer *serialize, const void *body, const alg_writer *to,
                    alg_message *message)
{
    alg_archive archive = {.to = to, .message = message};
    void *object; /* member without const; saving does not change it */
    memcpy(&object, &body, sizeof object);
    serialize(&archive, object);
    return archive.status;
}

alg_status alg_load(alg_serializer *serialize, size_t body_size, const void *bytes, size_t size,
                    void **body, alg_message *message)
{
    const alg_status status = alg_create(body_size, body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_archive archive = {.next = bytes, .left = size, .arena = *body, .message = message};
    serialize(&archive, *body);
    if (archive.status == ALG_OK && archive.left > 0) {
        archive.status =
            alg_fail(message, ALG_FAILED, "there are %zu bytes behind its end", archive.left);
    }
    return archive.status == ALG_OK ? ALG_OK : alg_abandon(body, archive.status);
}
