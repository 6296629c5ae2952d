/** An archive that is written by hand. test_contract.c tests the bodies of all entries. */
#include "algorithms/archive.h"
#include "algorithms/life.h"
#include "algorithms/tests/saved_bytes.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <string.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

/** alg_writer.write: accepts *context parts. */
static bool refuse(void *context, const void *items, size_t size)
{
    (void)items, (void)size;
    size_t *const parts = context;
    return (*parts)-- > 0;
}

/* --- An archive by hand ----------------------------------------------------------------------- */

typedef struct leaf {
    uint16_t number;
} leaf;

typedef struct thing {
    base_arena arena;
    double value;
    uint32_t count;
    uint16_t *items;
    float *missing, *empty;
    leaf *part, *no_part;
} thing;

static void serialize_thing(alg_archive *archive, void *object)
{
    thing *const t = object;
    ALG_VALUE(archive, t->value);
    ALG_VALUE(archive, t->count);
    ALG_ARRAY(archive, t->items, t->count);
    ALG_ARRAY(archive, t->missing, t->count);
    ALG_ARRAY(archive, t->empty, 0);
    if (ALG_OBJECT(archive, t->part)) {
        ALG_VALUE(archive, t->part->number);
    }
    if (ALG_OBJECT(archive, t->no_part)) {
        ALG_VALUE(archive, t->no_part->number);
    }
}

/** The members in order. A byte before each pointer tells whether it is not NULL. */
static const char thing_bytes[] = "\0\0\0\0\0\0\xf8\x3f" /* 1.5 */
                                  "\3\0\0\0"
                                  "\1\7\0\10\0\11\0"
                                  "\0"
                                  "\1"
                                  "\1\5\0"
                                  "\0";
enum { THING_BYTES = sizeof thing_bytes - 1 };

Test(archive, a_structure_is_its_members_one_behind_the_other)
{
    uint16_t items[] = {7, 8, 9};
    float empty[1];
    leaf part = {5};
    const thing saved = {.value = 1.5, .count = 3, .items = items, .empty = empty, .part = &part};
    bytes b = {0};
    const alg_writer to = {.size = sizeof to, .context = &b, .write = append};
    alg_message message = {""};
    cr_assert_eq(alg_save(serialize_thing, &saved, &to, &message), ALG_OK);
    cr_assert(b.count == THING_BYTES && memcmp(b.items, thing_bytes, THING_BYTES) == 0);
    void *body;
    cr_assert_eq(alg_load(serialize_thing, sizeof(thing), b.items, b.count, &body, &message),
                 ALG_OK, "%s", message.text);
    memset(b.items, 0xff, b.count);
    base_free(b.items);
    const thing *const t = body;
    cr_assert(t->value == 1.5 && t->count == 3 && memcmp(t->items, items, sizeof items) == 0);
    cr_assert(!t->missing && t->empty && t->part && t->part->number == 5 && !t->no_part);
    alg_destroy(body);
}

Test(archive, errors_have_a_line_and_leave_nothing)
{
    static const struct {
        size_t size;
        const char *line;
    } rows[] = {
        {0, "its bytes end too early"},
        {THING_BYTES - 1, "its bytes end too early"},
        {THING_BYTES + 2, "there are 2 bytes behind its end"},
    };
    char longer[THING_BYTES + 2] = "";
    memcpy(longer, thing_bytes, THING_BYTES);
    alg_message message;
    void *body = longer;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(
            alg_load(serialize_thing, sizeof(thing), longer, rows[i].size, &body, &message),
            ALG_FAILED);
        cr_assert(!body && strcmp(message.text, rows[i].line) == 0, "%s", message.text);
    }
    /* Memory for 8 GiB of items is not allocated. */
    memset(longer + sizeof(double), 0xff, sizeof(uint32_t));
    base_memory_fail_after(1);
    cr_assert_eq(alg_load(serialize_thing, sizeof(thing), longer, sizeof longer, &body, &message),
                 ALG_FAILED, "%s", message.text);
    base_memory_fail_after(SIZE_MAX);
    size_t parts = 3;
    const alg_writer to = {.size = sizeof to, .context = &parts, .write = refuse};
    cr_assert_eq(alg_save(serialize_thing, &(const thing){.empty = NULL}, &to, &message),
                 ALG_FAILED);
    cr_assert_str_eq(message.text, "the writer takes no more");
    cr_assert_eq(parts, SIZE_MAX, "nothing is written after the first refusal");
}
