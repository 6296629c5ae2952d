/** Saved bodies: an archive written by hand, and a test of every entry that saves. */
#include "algorithms/archive.h"
#include "algorithms/life.h"
#include "algorithms/tests/pair.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/sweep.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

/** The bytes that a save has written; owned. */
typedef struct bytes {
    char *items;
    size_t count, capacity;
} bytes;

/** alg_writer.write: accepts all bytes. */
static bool append(void *context, const void *items, size_t size)
{
    bytes *const b = context;
    base_error err;
    cr_assert_eq(base_reserve(b->items, b->capacity, b->count + size, &err), BASE_OK);
    if (size > 0) {
        memcpy(b->items + b->count, items, size);
    }
    b->count += size;
    return true;
}

/** alg_writer.write: accepts *context parts. */
static bool refuse(void *context, const void *items, size_t size)
{
    (void)items, (void)size;
    size_t *const parts = context;
    return (*parts)-- > 0;
}

static bool is_one_line(const alg_message *message)
{
    return message->text[0] != '\0' && !strchr(message->text, '\n');
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

/* --- Every entry that saves ------------------------------------------------------------------- */

static const char *const variants[] = {
    "bounds-budget:cells=16,voxels=12",
    "bounds-budget:cells=6,voxels=8",
    "imp:children=8,probe-voxels=9,voxels=13",
    "imp:children=8,fill=solid,probe=voxels,probe-voxels=9,spheres=stored,voxels=13",
    "imp:children=64,fill=solid,probe-voxels=9,voxels=13",
    "imp:children=64,probe-voxels=9,spheres=cubes,voxels=13",
    "imp:children=512,fill=solid,probe-voxels=9,spheres=stored,voxels=13",
    "imp:children=512,probe=voxels,probe-voxels=9,voxels=13",
    "ist:voxels=16",
    "ist:branching=2,directions=cones,radius=centroid,voxels=12",
    "ist:branching=16,packing=cover,voxels=12",
    "ist:spheres=1,voxels=8",
    "ist-exact:packing=cover,start=last,voxels=12",
    "ist-gradient:branching=8,voxels=12",
    "ist-triangles:voxels=12",
    "pst:shell-voxels=6,voxels=8",
    "pst:clusters=balanced,depth=layers,shell=two-phase,shell-voxels=6,voxels=8",
    "pst:field=moving,shell=blue-noise,shell-voxels=7,voxels=6,weights=area",
    "pst:shell=mesh,shell-voxels=6,voxels=8,weights=area",
    "pst-exact:shell-voxels=8,voxels=8",
    "vps:shell-voxels=8,voxels=12",
    "vps:depth=field,shell-voxels=8,storage=dense,voxels=10",
    "vps:contact=possible,depth=field,layers=2,shell-voxels=6,voxels=12,voxmap=moving",
    "vps:contact=sure,depth=layers,shell=blue-noise,shell-voxels=8,voxels=9,weights=area",
    "vps-volume:layers=9,voxels=16",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bytes save(const pair *p, int role)
{
    bytes b = {0};
    const alg_writer to = {.size = sizeof to, .context = &b, .write = append};
    alg_message message = {""};
    cr_assert_eq(
        p->variant.algorithm->save(role == ALG_FIXED ? p->fixed : p->moving, &to, &message), ALG_OK,
        "%s", message.text);
    return b;
}

/** Loads from a copy of `count` bytes, so that the sanitizer detects reads beyond its end; the copy
 * is freed afterwards. */
static alg_status load(const pair *p, int role, const bytes *b, void **prepared)
{
    alg_build_info info = role == ALG_FIXED ? p->info_a : p->info_b;
    alg_message message = {""};
    char *const copy = malloc(b->count + 1);
    cr_assert_not_null(copy);
    memcpy(copy, b->items, b->count);
    char *const exact = realloc(copy, b->count > 0 ? b->count : 1);
    const alg_status status =
        p->variant.algorithm->load(&p->variant.settings, role == ALG_FIXED ? &p->a : &p->b,
                                   (alg_role)role, exact, b->count, prepared, &info, &message);
    memset(exact, 0xff, b->count);
    free(exact);
    cr_assert_eq(status == ALG_OK, *prepared != NULL);
    cr_assert(status == ALG_OK || is_one_line(&message));
    return status;
}

/** Opens variant i without a state. The first mesh has two parts, so that the second mesh may
 * contain one of them. */
static pair open_variant(int i, geo_mesh meshes[2])
{
    meshes[0] = shape_join(shape_ball((vec3){0.1, 0, 0}, 1, 3), shape_cube((vec3){2, 0, 0}, 0.5));
    meshes[1] = shape_torus(8, 0.7, 0.3);
    pair p = {.variant = pair_variant(variants[i]),
              .a = shape_body(&meshes[0], true),
              .b = shape_body(&meshes[1], true)};
    if (p.variant.algorithm->body_settings) {
        alg_settings settings = p.variant.settings;
        p.variant.algorithm->body_settings(&settings);
        pair_prepare(&p, &settings);
    } else {
        pair_prepare(&p, &p.variant.settings);
    }
    return p;
}

static void close_variant(const pair *p, geo_mesh meshes[2])
{
    p->variant.algorithm->dispose(p->fixed);
    p->variant.algorithm->dispose(p->moving);
    geo_mesh_release(&meshes[0]);
    geo_mesh_release(&meshes[1]);
}

enum { POSES = 40, ROOM = 64 };

/** An answer with its lists. */
typedef struct answer {
    alg_answer values;
    alg_contact contacts[ROOM];
    alg_face_pair pairs[ROOM];
    alg_region regions[ROOM];
} answer;

static void ask(const pair *p, const geo_pose *pose, answer *a)
{
    memset(a, 0, sizeof *a);
    a->values = (alg_answer){.size = sizeof a->values,
                             .contacts = a->contacts,
                             .pairs = a->pairs,
                             .regions = a->regions,
                             .contact_capacity = ROOM,
                             .pair_capacity = ROOM,
                             .region_capacity = ROOM};
    p->variant.algorithm->query(p->state, pose, &a->values);
    a->values.contacts = NULL;
    a->values.pairs = NULL;
    a->values.regions = NULL;
}

static void bind(pair *p, unsigned wanted)
{
    const alg_request request = {sizeof request, wanted, ROOM, ROOM, ROOM, false};
    alg_message message = {""};
    cr_assert_eq(p->variant.algorithm->bind(&p->variant.settings, p->fixed, p->moving, &request,
                                            &p->state, &message),
                 ALG_OK, "%s: %s", p->variant.name, message.text);
}

/** Queries both pairs at the same poses. Returns the number of overlaps. */
static int compare_answers(pair *built, pair *loaded, unsigned wanted, int poses)
{
    static answer x, y;
    int overlaps = 0;
    bind(built, wanted);
    bind(loaded, wanted);
    base_random random = base_random_seed(wanted);
    for (int k = 0; k < poses; k++) {
        const geo_pose pose = shape_pose(&random, 2.5);
        ask(built, &pose, &x);
        ask(loaded, &pose, &y);
        cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, wanted %x, pose %d", built->variant.name,
                     wanted, k);
        overlaps += x.values.colliding ||
                    (x.values.answered & ALG_HAS_DISTANCE && x.values.distance_m <= 0);
    }
    built->variant.algorithm->release(built->state);
    built->variant.algorithm->release(loaded->state);
    return overlaps;
}

static void add_sphere(void *hasher, const geo_ball *ball)
{
    base_hasher_add(hasher, ball, sizeof *ball);
}

static void add_grid(void *hasher, const geo_vec3 *corner, double edge, uint32_t padding,
                     const uint32_t count[3])
{
    base_hasher_add(hasher, corner, sizeof *corner);
    base_hasher_add(hasher, &edge, sizeof edge);
    base_hasher_add(hasher, &padding, sizeof padding);
    base_hasher_add(hasher, count, 3 * sizeof *count);
}

static void add_run(void *hasher, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    const uint32_t run[] = {x0, x1, y, z};
    base_hasher_add(hasher, run, sizeof run);
}

/** Returns the hash of everything that a body draws. */
static base_hash draw(const pair *p, const void *body)
{
    base_hasher *const hasher = base_hasher_create();
    cr_assert_not_null(hasher);
    if (p->variant.algorithm->draw) {
        p->variant.algorithm->draw(body, &(alg_sink){.size = sizeof(alg_sink),
                                                     .context = hasher,
                                                     .sphere = add_sphere,
                                                     .grid = add_grid,
                                                     .surface_voxels = add_run});
    }
    return base_hasher_finish(hasher);
}

Test(archive, every_entry_that_saves_has_a_variant_here)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        const alg_algorithm *const a = alg_registry[i];
        int count = 0;
        for (int k = 0; k < VARIANTS; k++) {
            count += pair_variant(variants[k]).algorithm == a;
        }
        cr_assert_eq(count > 0, a->save != NULL, "%s", a->name);
    }
}

/** Bodies that are built again, and bodies that are saved and loaded, give the bytes of the first
 * ones. */
Test(archive, equal_bodies_give_equal_bytes)
{
    for (int i = 0; i < VARIANTS; i++) {
        geo_mesh meshes[2], same[2];
        pair p = open_variant(i, meshes), again = open_variant(i, same), loaded = p;
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void **const body = role == ALG_FIXED ? &loaded.fixed : &loaded.moving;
            bytes b = save(&p, role), c = save(&again, role);
            cr_assert(b.count == c.count && memcmp(b.items, c.items, b.count) == 0,
                      "%s, role %d: built again", variants[i], role);
            cr_assert_eq(load(&p, role, &b, body), ALG_OK);
            bytes d = save(&loaded, role);
            cr_assert(b.count == d.count && memcmp(b.items, d.items, b.count) == 0,
                      "%s, role %d: loaded", variants[i], role);
            p.variant.algorithm->dispose(*body);
            base_free(b.items);
            base_free(c.items);
            base_free(d.items);
        }
        close_variant(&again, same);
        close_variant(&p, meshes);
    }
}

/** Compares answers to all quantities at once and to each alone, with lists, and pictures. */
Test(archive, loaded_bodies_answer_alike)
{
    for (int i = 0; i < VARIANTS; i++) {
        geo_mesh meshes[2];
        pair built = open_variant(i, meshes), loaded = built;
        unsigned all = 0;
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void **const body = role == ALG_FIXED ? &loaded.fixed : &loaded.moving;
            bytes b = save(&built, role);
            cr_assert_eq(load(&built, role, &b, body), ALG_OK, "%s, role %d", variants[i], role);
            const base_hash x = draw(&built, role == ALG_FIXED ? built.fixed : built.moving),
                            y = draw(&built, *body);
            cr_assert(x.hi == y.hi && x.lo == y.lo, "%s, role %d: pictures", variants[i], role);
            base_free(b.items);
        }
        for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
            const alg_settings *const settings = &built.variant.settings;
            if (built.variant.algorithm->contract(settings, (alg_quantity)q) != ALG_NOT_ANSWERED) {
                all |= 1u << q;
                compare_answers(&built, &loaded, 1u << q, 8);
            }
        }
        const int overlaps = compare_answers(&built, &loaded, all, POSES);
        cr_assert(overlaps > 0 && overlaps < POSES, "%s: %d", variants[i], overlaps);
        built.variant.algorithm->dispose(loaded.fixed);
        built.variant.algorithm->dispose(loaded.moving);
        close_variant(&built, meshes);
    }
}

Test(archive, another_length_is_refused)
{
    for (int i = 0; i < VARIANTS; i++) {
        geo_mesh meshes[2];
        pair p = open_variant(i, meshes);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void *body;
            bytes b = save(&p, role);
            const size_t whole = b.count, step = whole / (400 / sweep_step(10)) | 1;
            for (b.count = 0; b.count < whole; b.count += step) {
                cr_assert_eq(load(&p, role, &b, &body), ALG_FAILED, "%s, role %d: %zu of %zu bytes",
                             variants[i], role, b.count, whole);
            }
            b.count = whole - 1;
            cr_assert_eq(load(&p, role, &b, &body), ALG_FAILED, "%s: a byte less", variants[i]);
            b.count = whole;
            append(&b, "", 1);
            cr_assert_eq(load(&p, role, &b, &body), ALG_FAILED, "%s: a byte more", variants[i]);
            base_free(b.items);
        }
        close_variant(&p, meshes);
    }
}

Test(archive, memory_that_runs_out_is_an_error)
{
    for (int i = 0; i < VARIANTS; i++) {
        geo_mesh meshes[2];
        pair p = open_variant(i, meshes);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void *body = NULL;
            bytes b = save(&p, role);
            alg_status status = ALG_OUT_OF_MEMORY;
            size_t n = 0;
            for (; status == ALG_OUT_OF_MEMORY && n < 200; n++) {
                base_memory_fail_after(n);
                status = load(&p, role, &b, &body);
                base_memory_fail_after(SIZE_MAX);
            }
            cr_assert(status == ALG_OK && n > 1, "%s, role %d: %zu", variants[i], role, n);
            p.variant.algorithm->dispose(body);
            base_free(b.items);
        }
        close_variant(&p, meshes);
    }
}

Test(archive, a_writer_that_refuses_ends_it)
{
    for (int i = 0; i < VARIANTS; i++) {
        geo_mesh meshes[2];
        pair p = open_variant(i, meshes);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            alg_status status = ALG_FAILED;
            size_t most = 0;
            for (; status == ALG_FAILED && most < 1000; most++) {
                size_t parts = most;
                const alg_writer to = {.size = sizeof to, .context = &parts, .write = refuse};
                alg_message message = {""};
                status = p.variant.algorithm->save(role == ALG_FIXED ? p.fixed : p.moving, &to,
                                                   &message);
                cr_assert(status == ALG_OK || (parts == SIZE_MAX && is_one_line(&message)));
            }
            cr_assert(status == ALG_OK && most > 3, "%s, role %d: %zu", variants[i], role, most);
        }
        close_variant(&p, meshes);
    }
}
