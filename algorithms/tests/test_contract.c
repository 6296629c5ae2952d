/** Theories of the contract on bodies and states, for each entry of the registry without
 * ALG_KNOWN_BAD: builds, memory, saved bodies, shared bodies, drawings, facts. */
#include "algorithms/tests/contract.h"
#include "algorithms/tests/saved_bytes.h"
#include "base/simd.h"
#include "base/hash.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>

static bool is_one_line(const alg_message *message)
{
    return message->text[0] != '\0' && !strchr(message->text, '\n');
}

/** Counts the entries of a sweep over variants, which are in the order of the entries. */
typedef struct tally {
    const alg_algorithm *last;
    int entries;
} tally;

static void count_entry(tally *t, const alg_algorithm *entry)
{
    t->entries += entry != t->last;
    t->last = entry;
}

static const void *body_of(const scene *s, int role)
{
    return role == ALG_FIXED ? s->pair.fixed : s->pair.moving;
}

static const alg_build_info *info_of(const scene *s, int role)
{
    return role == ALG_FIXED ? &s->pair.info_a : &s->pair.info_b;
}

/* --- Saved bytes ------------------------------------------------------------------------------ */

static bytes save(const alg_algorithm *entry, const void *body)
{
    bytes b = {0};
    const alg_writer to = {.size = sizeof to, .context = &b, .write = append};
    alg_message message = {""};
    cr_assert_eq(entry->save(body, &to, &message), ALG_OK, "%s: %s", entry->name, message.text);
    return b;
}

static bool same_bytes(const bytes *a, const bytes *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count) == 0;
}

/** Loads from a copy of the bytes that ends where they end, so that the sanitizer detects reads
 * beyond; the copy is overwritten and freed afterwards. */
static alg_status load(const scene *s, int role, const bytes *b, void **body)
{
    const alg_settings settings = scene_body_settings(&s->pair.variant);
    alg_build_info info = *info_of(s, role);
    alg_message message = {""};
    char *const copy = malloc(b->count > 0 ? b->count : 1);
    cr_assert_not_null(copy);
    memcpy(copy, b->items, b->count);
    *body = copy;
    const alg_status status =
        s->pair.variant.algorithm->load(&settings, role == ALG_FIXED ? &s->pair.a : &s->pair.b,
                                        (alg_role)role, copy, b->count, body, &info, &message);
    memset(copy, 0xff, b->count);
    free(copy);
    cr_assert_eq(status == ALG_OK, *body != NULL, "%s", s->pair.variant.name);
    cr_assert(status == ALG_OK || is_one_line(&message), "%s", s->pair.variant.name);
    return status;
}

/* --- Content of a body ------------------------------------------------------------------------ */

enum { ALL_PARTS = 31 /* see draw */, DRAWN_LEVELS_MAX = 64 };

/** The parts that a body has drawn. */
typedef struct drawing {
    base_hasher *hasher;
    size_t spheres, grids, runs, voxels, nodes, points;
    uint32_t level;                   /* of the last node */
    geo_ball above[DRAWN_LEVELS_MAX]; /* the last node of each level; radius 0: no such node */
    uint32_t count[3];                /* of the grid */
    bool *seen;                       /* for each voxel of the grid; owned */
    bool wrong;
} drawing;

/** True if a point lies inside of all nodes above it. */
static bool is_below_nodes(const drawing *d, vec3 p)
{
    bool inside = true;
    for (uint32_t l = 0; l <= d->level; l++) {
        const geo_ball *const node = &d->above[l];
        inside = inside &&
                 (node->radius == 0 || vec3_distance(p, node->centre) <= node->radius * (1 + 1e-5));
    }
    return inside;
}

static void add_sphere(void *context, const geo_ball *ball)
{
    drawing *const d = context;
    base_hasher_add(d->hasher, ball, sizeof *ball);
    d->wrong |= !vec3_isfinite(ball->centre) || !(ball->radius > 0) || isinf(ball->radius) ||
                !is_below_nodes(d, ball->centre);
    d->spheres++;
}

static void add_grid(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                     const uint32_t size[3])
{
    drawing *const d = context;
    base_hasher_add(d->hasher, corner, sizeof *corner);
    base_hasher_add(d->hasher, &edge, sizeof edge);
    base_hasher_add(d->hasher, &padding, sizeof padding);
    base_hasher_add(d->hasher, size, 3 * sizeof *size);
    memcpy(d->count, size, sizeof d->count);
    d->wrong |= !(edge > 0) || d->grids > 0 || d->runs > 0;
    d->seen = base_alloc((size_t)size[0] * size[1] * size[2], sizeof *d->seen);
    cr_assert_not_null(d->seen);
    d->grids++;
}

static void add_run(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    drawing *const d = context;
    const uint32_t run[] = {x0, x1, y, z};
    base_hasher_add(d->hasher, run, sizeof run);
    d->runs++;
    d->voxels += x1 - x0;
    d->wrong |=
        x0 >= x1 || (d->grids > 0 && (x1 > d->count[0] || y >= d->count[1] || z >= d->count[2]));
    for (uint32_t x = x0; d->seen && !d->wrong && x < x1; x++) {
        bool *const seen = &d->seen[((size_t)z * d->count[1] + y) * d->count[0] + x];
        d->wrong |= *seen;
        *seen = true;
    }
}

static void add_node(void *context, const geo_ball *ball, uint32_t level)
{
    drawing *const d = context;
    base_hasher_add(d->hasher, ball, sizeof *ball);
    base_hasher_add(d->hasher, &level, sizeof level);
    d->wrong |= !vec3_isfinite(ball->centre) || !(ball->radius > 0) || isinf(ball->radius) ||
                level > d->level + 1 || level >= DRAWN_LEVELS_MAX;
    cr_assert(!d->wrong, "node %zu of level %u", d->nodes, level);
    d->level = level;
    d->above[level] = *ball;
    d->nodes++;
}

static void add_surface_point(void *context, const geo_vec3 *point, const geo_vec3 *normal)
{
    drawing *const d = context;
    base_hasher_add(d->hasher, point, sizeof *point);
    base_hasher_add(d->hasher, normal, sizeof *normal);
    const double length = vec3_norm(*normal);
    d->wrong |= !vec3_isfinite(*point) || !(length == 0 || fabs(length - 1) < 1e-6) ||
                !is_below_nodes(d, *point);
    d->points++;
}

/** Draws a body for a caller that knows the first `size` bytes of a sink, and without the functions
 * that are not in the mask `parts`: 1 spheres, 2 grid, 4 voxels, 8 nodes, 16 points. */
static drawing draw(const alg_algorithm *entry, const void *body, size_t size, int parts,
                    base_hash *hash)
{
    drawing d = {.hasher = base_hasher_create()};
    cr_assert_not_null(d.hasher);
    if (entry->draw) {
        entry->draw(body, &(alg_sink){.size = (uint32_t)size,
                                      .context = &d,
                                      .sphere = parts & 1 ? add_sphere : NULL,
                                      .grid = parts & 2 ? add_grid : NULL,
                                      .surface_voxels = parts & 4 ? add_run : NULL,
                                      .node = parts & 8 ? add_node : NULL,
                                      .point = parts & 16 ? add_surface_point : NULL});
    }
    *hash = base_hasher_finish(d.hasher);
    base_free(d.seen);
    return d;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/** Returns the hash of all that can be known of a body: its saved bytes, its drawing, and its info
 * without times. */
static base_hash describe(const alg_algorithm *entry, const void *body, const alg_build_info *info)
{
    base_hash picture;
    draw(entry, body, sizeof(alg_sink), ALL_PARTS, &picture);
    base_hasher *const hasher = base_hasher_create();
    cr_assert_not_null(hasher);
    base_hasher_add(hasher, &picture, sizeof picture);
    base_hasher_add(hasher, &info->primitives, sizeof info->primitives);
    for (size_t i = 0; entry->facts && entry->facts[i]; i++) {
        if (!ends_with(entry->facts[i], "_ns")) {
            base_hasher_add(hasher, &info->facts[i], sizeof *info->facts);
        }
    }
    if (entry->save) {
        bytes b = save(entry, body);
        base_hasher_add(hasher, b.items, b.count);
        base_free(b.items);
    }
    return base_hasher_finish(hasher);
}

static bool same_hash(base_hash x, base_hash y)
{
    return x.hi == y.hi && x.lo == y.lo;
}

/* --- Threads and instruction sets ------------------------------------------------------------- */

/* Static: each is some megabytes large. */
static answers reference, others;

static void expect_same_bodies(const scene *s, const scene *t, const char *what)
{
    const alg_algorithm *const g = s->pair.variant.algorithm;
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        cr_assert(same_hash(describe(g, body_of(s, role), info_of(s, role)),
                            describe(g, body_of(t, role), info_of(t, role))),
                  "%s, role %d: %s", s->pair.variant.name, role, what);
    }
}

/** Builds and queries with each value of an environment variable. Bodies and answers must be those
 * of the first value. */
static void compare_environments(const char *variable, const char *const *values, size_t part)
{
    tally t = {0};
    int compared = 0, meetings = 0;
    for (int v = next_variant(-1, part); v < VARIANTS; v = next_variant(v, part)) {
        for (int k = next_bodies(-1, v, 5); k < BODIES; k = next_bodies(k, v, 5)) {
            cr_assert_eq(setenv(variable, values[0], 1), 0);
            SCOPED_SCENE s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            ask_all(&s, &reference);
            meetings += count_meetings(&reference);
            for (int i = 1; values[i]; i++) {
                char what[64];
                snprintf(what, sizeof what, "%s=%s, bodies %d", variable, values[i], k);
                cr_assert_eq(setenv(variable, values[i], 1), 0);
                scene other = scene_open(variants[v], bodies[k].a, bodies[k].b);
                ask_all(&other, &others);
                expect_same_bodies(&s, &other, what);
                expect_same(&reference, &others, v, what);
                scene_close(&other);
                compared += FRAMES;
            }
        }
        count_entry(&t, entry_of(v));
    }
    cr_assert_eq(t.entries, ENTRIES, "%d entries", t.entries);
    cr_assert(compared > 50 * FRAMES && meetings > compared / 8, "%d, %d", compared, meetings);
}

Test(contract, threads_change_nothing)
{
    static const char *const threads[] = {"1", "2", "5", NULL};
    compare_environments("PROXBENCH_THREADS", threads, 3);
}

/** Tests bodies that are so large that each loop of their builds has several chunks. */
Test(contract, threads_change_no_large_body)
{
    static const char *const large[] = {
        "bounds-budget:cells=24,voxels=24",
        "ist:radius=shares,voxels=40",
        "ist:packing=cover,voxels=24",
        "vps:depth=field,shell-voxels=40,voxels=70",
        "vps:shell=blue-noise,shell-voxels=40,storage=dense,voxels=66,weights=area",
        "vps:shell=all,shell-voxels=24,voxels=24,voxmap=moving",
        "vps-volume:voxels=66",
        "pst:shell=two-phase,shell-voxels=60,voxels=16",
        "pst:clusters=balanced,field=moving,shell=mesh,shell-voxels=24,voxels=24",
        "imp:children=8,fill=solid,probe=voxels,probe-voxels=60,spheres=stored,voxels=90",
        "imp:children=64,fill=solid,probe-voxels=60,voxels=60",
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i += sweep_step(3)) {
        scene s[2];
        for (int many = 0; many < 2; many++) {
            cr_assert_eq(setenv("PROXBENCH_THREADS", many ? "5" : "1", 1), 0);
            s[many] = scene_of(large[i], shape_torus(48, 1, 0.4),
                               shape_ball((vec3){0.1, 0.2, 0.3}, 1, 24), true);
        }
        expect_same_bodies(&s[0], &s[1], "large bodies");
        scene_close(&s[0]);
        scene_close(&s[1]);
    }
}

Test(contract, instruction_sets_change_nothing)
{
    static const char *const sets[] = {"", "sse2", NULL};
    if (!base_cpu_avx2()) {
        cr_skip_test("this CPU, or this build, has no AVX2");
    }
    compare_environments("PROXBENCH_SIMD", sets, 2);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/** Returns the bytes that are allocated now; 0 with a sanitizer. */
static size_t memory_in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

typedef enum operation {
    BUILD_FIXED,
    BUILD_MOVING,
    LOAD_FIXED,
    LOAD_MOVING,
    BIND,
    CALLS
} operation;

/** One call with a limited number of allocations. */
typedef struct attempt {
    const scene *scene;
    operation call;
    const bytes *saved; /* for LOAD_FIXED and LOAD_MOVING */
    size_t allocations;
    alg_status status;
    alg_message message;
    bool is_null; /* the result is */
} attempt;

static void *run_attempt(void *context)
{
    attempt *const t = context;
    const pair *const p = &t->scene->pair;
    const alg_algorithm *const g = p->variant.algorithm;
    const int role = t->call == BUILD_FIXED || t->call == LOAD_FIXED ? ALG_FIXED : ALG_MOVING;
    const alg_mesh *const mesh = role == ALG_FIXED ? &p->a : &p->b;
    const alg_settings settings = scene_body_settings(&p->variant);
    alg_build_info info = *info_of(t->scene, role);
    void *made = t;
    base_memory_fail_after(t->allocations);
    switch (t->call) {
    case BUILD_FIXED:
    case BUILD_MOVING:
        t->status = g->prepare(&settings, mesh, (alg_role)role, &made, &info, &t->message);
        break;
    case LOAD_FIXED:
    case LOAD_MOVING:
        t->status = g->load(&settings, mesh, (alg_role)role, t->saved->items, t->saved->count,
                            &made, &info, &t->message);
        break;
    default:
        t->status = scene_bind(t->scene, false, &made, &t->message);
    }
    base_memory_fail_after(SIZE_MAX);
    t->is_null = !made;
    if (t->status == ALG_OK) {
        (t->call == BIND ? g->release : g->dispose)(made);
    }
    return NULL;
}

/** Runs an attempt in a thread of its own, because a thread keeps freed memory until it ends. */
static void try(attempt *t)
{
    pthread_t thread;
    t->message.text[0] = '\0';
    cr_assert_eq(pthread_create(&thread, NULL, run_attempt, t), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
}

/** Lets the first allocations of a call fail, and a part of the later ones. Returns the number of
 * failures. */
static size_t fail_allocations(const scene *s, operation call, const bytes *saved)
{
    const char *const name = s->pair.variant.name;
    attempt t = {.scene = s, .call = call, .saved = saved, .allocations = SIZE_MAX};
    try(&t);
    cr_assert_eq(t.status, ALG_OK, "%s, call %d: %s", name, call, t.message.text);
    const size_t in_use = memory_in_use();
    size_t failures = 0;
    /* A bind has few allocations; some builds have thousands. */
    const size_t dense = call == BIND ? SIZE_MAX : sweep_step(8) == 1 ? 64 : 5;
    for (t.allocations = 0;; t.allocations += 1 + t.allocations / dense) {
        try(&t);
        cr_assert_eq(memory_in_use(), in_use, "%s, call %d: a leak after %zu allocations", name,
                     call, t.allocations);
        if (t.status == ALG_OK) {
            return failures;
        }
        cr_assert_eq(t.status, ALG_OUT_OF_MEMORY, "%s, call %d, %zu: %s", name, call, t.allocations,
                     t.message.text);
        cr_assert(is_one_line(&t.message) && t.is_null, "%s, call %d, %zu: '%s'", name, call,
                  t.allocations, t.message.text);
        failures++;
    }
}

/** Tests that each failure is reported, leaves nothing allocated, and does not harm bodies. */
Test(contract, memory_that_runs_out_is_an_error)
{
    tally t = {0};
    size_t failures[CALLS] = {0};
    /* With one thread, allocations always have the same order. */
    cr_assert_eq(setenv("PROXBENCH_THREADS", "1", 1), 0);
    for (int v = next_variant(-1, 4); v < VARIANTS; v = next_variant(v, 4)) {
        scene s = scene_open(variants[v], "cube", "crumb");
        const alg_algorithm *const g = entry_of(v);
        ask_all(&s, &reference);
        for (int c = 0; c < CALLS; c++) {
            const bool loads = c == LOAD_FIXED || c == LOAD_MOVING;
            if (loads && !g->save) {
                continue;
            }
            bytes saved =
                loads ? save(g, body_of(&s, c == LOAD_FIXED ? ALG_FIXED : ALG_MOVING)) : (bytes){0};
            const size_t count = fail_allocations(&s, (operation)c, &saved);
            cr_assert_geq(count, 1, "%s, call %d", variants[v], c);
            failures[c] += count;
            base_free(saved.items);
        }
        if (g->reset) {
            g->reset(s.pair.state);
        }
        ask_all(&s, &others);
        expect_same(&reference, &others, v, "after failures");
        scene_close(&s);
        count_entry(&t, g);
    }
    cr_assert_eq(t.entries, ENTRIES, "%d entries", t.entries);
    cr_assert(failures[BUILD_FIXED] > 150 && failures[BUILD_MOVING] > 150 &&
                  failures[LOAD_FIXED] > 60 && failures[LOAD_MOVING] > 60 && failures[BIND] > 100,
              "%zu, %zu, %zu, %zu, %zu", failures[0], failures[1], failures[2], failures[3],
              failures[4]);
}

/* --- Saved bodies ----------------------------------------------------------------------------- */

/** The entries that save. */
enum { SAVERS = 10 };

/** Compares the answers of two scenes to each quantity alone. */
static void compare_quantities(scene *s, scene *t, int variant)
{
    for (unsigned q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (alg_variant_answers(&s->pair.variant) >> q & 1) {
            alg_message message;
            s->pair.variant.algorithm->release(s->pair.state);
            t->pair.variant.algorithm->release(t->pair.state);
            cr_assert_eq(scene_bind_for(s, 1u << q, false, &s->pair.state, &message), ALG_OK);
            cr_assert_eq(scene_bind_for(t, 1u << q, false, &t->pair.state, &message), ALG_OK);
            ask_all(s, &reference);
            ask_all(t, &others);
            expect_same(&reference, &others, variant, alg_quantity_names[q]);
        }
    }
}

/** Bodies that are built again, and bodies that are saved and loaded, are those of the first time,
 * with the same bytes and answers. */
Test(contract, loaded_bodies_are_those_that_were_saved)
{
    tally t = {0};
    int meetings = 0;
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        cr_assert_eq(g->save != NULL, g->load != NULL);
        if (!g->save) {
            continue;
        }
        scene s = scene_open(variants[v], "parts", "torus"),
              again = scene_open(variants[v], "parts", "torus");
        ask_all(&s, &reference);
        meetings += count_meetings(&reference);
        expect_same_bodies(&s, &again, "built again");
        g->release(again.pair.state);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void **const body = role == ALG_FIXED ? &again.pair.fixed : &again.pair.moving;
            bytes b = save(g, *body);
            g->dispose(*body);
            cr_assert_eq(load(&again, role, &b, body), ALG_OK, "%s, role %d", variants[v], role);
            bytes c = save(g, *body);
            cr_assert(same_bytes(&b, &c), "%s, role %d", variants[v], role);
            base_free(b.items);
            base_free(c.items);
        }
        expect_same_bodies(&s, &again, "loaded");
        alg_message message;
        cr_assert_eq(scene_bind(&again, false, &again.pair.state, &message), ALG_OK);
        ask_all(&again, &others);
        expect_same(&reference, &others, v, "loaded");
        if (v % (int)sweep_step(3) == 0) {
            compare_quantities(&s, &again, v);
        }
        scene_close(&again);
        scene_close(&s);
        count_entry(&t, g);
    }
    cr_assert_eq(t.entries, SAVERS, "%d entries", t.entries);
    cr_assert_gt(meetings, 5 * SAVERS, "%d", meetings);
}

Test(contract, another_length_is_refused)
{
    size_t refused = 0;
    for (int v = 0; v < VARIANTS; v++) {
        if (!entry_of(v)->save) {
            continue;
        }
        SCOPED_SCENE s = scene_open(variants[v], "parts", "torus");
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void *body;
            bytes b = save(entry_of(v), body_of(&s, role));
            const size_t whole = b.count, step = whole / (400 / sweep_step(20)) | 1;
            for (b.count = 0; b.count < whole; b.count += step) {
                cr_assert_eq(load(&s, role, &b, &body), ALG_FAILED, "%s, role %d: %zu of %zu bytes",
                             variants[v], role, b.count, whole);
                refused++;
            }
            b.count = whole - 1;
            cr_assert_eq(load(&s, role, &b, &body), ALG_FAILED, "%s: a byte less", variants[v]);
            b.count = whole;
            append(&b, "", 1);
            cr_assert_eq(load(&s, role, &b, &body), ALG_FAILED, "%s: a byte more", variants[v]);
            base_free(b.items);
        }
    }
    cr_assert_gt(refused, 1000, "%zu", refused);
}

/** alg_writer.write: accepts *context parts. */
static bool refuse(void *context, const void *items, size_t size)
{
    (void)items, (void)size;
    size_t *const parts = context;
    return (*parts)-- > 0;
}

Test(contract, a_writer_that_refuses_ends_it)
{
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        if (!g->save) {
            continue;
        }
        SCOPED_SCENE s = scene_open(variants[v], "cube", "crumb");
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            alg_status status = ALG_FAILED;
            size_t most = 0;
            for (; status == ALG_FAILED && most < 1000; most++) {
                size_t parts = most;
                const alg_writer to = {.size = sizeof to, .context = &parts, .write = refuse};
                alg_message message = {""};
                status = g->save(body_of(&s, role), &to, &message);
                cr_assert(status == ALG_OK || (parts == SIZE_MAX && is_one_line(&message)));
            }
            cr_assert(status == ALG_OK && most > 3, "%s, role %d: %zu", variants[v], role, most);
        }
    }
}

/* --- Settings of bodies ----------------------------------------------------------------------- */

/**
 * Variants, and the parameters on which their bodies do not depend. "name=word" is one choice of a
 * parameter, whose other choices make other bodies.
 */
static const struct {
    const char *variant, *of_queries;
} shared[] = {
    {"ist:voxels=8", "radius=primary start"},
    {"ist-gradient:stop=fixed,voxels=8", "radius=primary start"},
    {"ist-triangles:voxels=8", "band rounds start"},
    {"ist-exact:voxels=8", "start"},
    {"bounds-budget:cells=6,voxels=8", "budget deadline-us"},
    {"vps:shell-voxels=4,voxels=6", "depth=layers navigation tolerance"},
    {"vps:depth=field,shell-voxels=4,voxels=6", "navigation tolerance"},
    {"vps:generator=paper,shell-voxels=4,voxels=6", "depth=layers tolerance"},
    {"vps:generator=old,shell-voxels=4,voxels=6", "depth=layers navigation projection shell"},
    {"pst:shell-voxels=4,voxels=4",
     "budget candidates deadline-us layers normals rounds start walk"},
    {"pst:clusters=balanced,depth=layers,shell=mesh,shell-voxels=4,voxels=4",
     "budget candidates deadline-us normals rounds start walk"},
    {"pst-exact:shell-voxels=4,voxels=4", "start"},
    {"imp:probe-voxels=6,voxels=6", "contacts-max depth level one-child order threads tolerance"},
    {"imp:children=64,probe-voxels=6,voxels=6",
     "contacts-max depth level one-child order threads tolerance"},
};

/** True if the text is one of the words. */
static bool is_listed(const char *words, const char *text)
{
    const size_t n = strlen(text);
    for (const char *w = words; *w; w += strcspn(w, " "), w += strspn(w, " ")) {
        if (strcspn(w, " ") == n && strncmp(w, text, n) == 0) {
            return true;
        }
    }
    return false;
}

/** Builds a body with these settings and returns its description. */
static base_hash build(const alg_algorithm *g, const alg_settings *settings, const alg_mesh *mesh,
                       int role)
{
    alg_build_info info = {0};
    alg_message message = {""};
    void *body;
    cr_assert_eq(g->prepare(settings, mesh, (alg_role)role, &body, &info, &message), ALG_OK,
                 "%s: %s", g->name, message.text);
    const base_hash hash = describe(g, body, &info);
    g->dispose(body);
    return hash;
}

/** Changes one parameter and checks whether bodies are shared. If they are, building with both
 * settings must make the same body. Returns whether they are shared. */
static bool check_change(const alg_variant *variant, const char *of_queries, size_t parameter,
                         double value, const alg_mesh *mesh)
{
    const alg_algorithm *const g = variant->algorithm;
    const alg_parameter *const p = &g->parameters[parameter];
    const alg_settings old = scene_body_settings(variant);
    alg_variant changed = *variant;
    char word[128];
    snprintf(word, sizeof word, "%s=%s", p->name,
             p->type == ALG_CHOICE ? p->choices[(size_t)value].word : "");
    changed.settings.values[parameter] = value;
    const alg_settings new = scene_body_settings(&changed);
    const bool same = memcmp(&old, &new, sizeof old) == 0;
    cr_assert_eq(same, is_listed(of_queries, p->name) || is_listed(of_queries, word), "%s: %s%g",
                 variant->name, word, value);
    alg_settings twice = new;
    g->body_settings(&twice);
    cr_assert_eq(memcmp(&new, &twice, sizeof new), 0, "%s: %s%g", variant->name, word, value);
    for (int role = ALG_FIXED; same && role <= ALG_MOVING; role++) {
        cr_assert(same_hash(build(g, &new, mesh, role), build(g, &changed.settings, mesh, role)),
                  "%s: %s%g, role %d", variant->name, word, value, role);
    }
    return same;
}

/** Variants share their bodies if and only if these do not depend on what differs. */
Test(contract, settings_of_bodies)
{
    tally t = {0};
    int alike = 0, different = 0;
    SCOPED_MESH ball = scene_mesh("crumb");
    const alg_mesh mesh = shape_body(&ball, true);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const alg_variant variant = pair_variant(shared[i].variant);
        const alg_algorithm *const g = variant.algorithm;
        alg_variant all = variant;
        for (size_t p = 0; p < g->parameter_count; p++) {
            const alg_parameter *const row = &g->parameters[p];
            const double value = variant.settings.values[p];
            if (row->type != ALG_CHOICE) {
                const double other =
                    value < row->highest ? fmin(value + 1, row->highest) : value - 1;
                const bool same = check_change(&variant, shared[i].of_queries, p, other, &mesh);
                all.settings.values[p] = same ? other : value;
                alike += same;
                different += !same;
            }
            for (int w = 0; row->type == ALG_CHOICE && row->choices[w].word; w++) {
                if (w != (int)value) {
                    const bool same = check_change(&variant, shared[i].of_queries, p, w, &mesh);
                    all.settings.values[p] = same ? w : all.settings.values[p];
                    alike += same;
                    different += !same;
                }
            }
        }
        const alg_settings one = scene_body_settings(&variant), other = scene_body_settings(&all);
        cr_assert_eq(memcmp(&one, &other, sizeof one), 0, "%s: all at once", variant.name);
        count_entry(&t, g);
    }
    int sharing = 0;
    for (size_t i = 0; alg_registry[i]; i++) {
        sharing += alg_registry[i]->body_settings && !(alg_registry[i]->flags & ALG_KNOWN_BAD);
    }
    cr_assert(t.entries == sharing && alike >= 60 && different > 150, "%d of %d, %d, %d", t.entries,
              sharing, alike, different);
}

/* --- Drawings and facts ----------------------------------------------------------------------- */

/** Returns the fact of this name, NaN if there is none. */
static double fact_of(const alg_algorithm *g, const alg_build_info *info, const char *name)
{
    for (size_t i = 0; g->facts && g->facts[i]; i++) {
        if (strcmp(g->facts[i], name) == 0) {
            return info->facts[i];
        }
    }
    return NAN;
}

/** A body draws the same parts each time. Callers that do not know a function, or do not have it,
 * get the other parts. */
Test(contract, drawings)
{
    tally t = {0};
    size_t spheres = 0, voxels = 0, nodes = 0, points = 0;
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        if (!g->draw) {
            continue;
        }
        scene s = scene_open(variants[v], "parts", "torus");
        size_t parts = 0;
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            const void *const body = body_of(&s, role);
            const size_t size = sizeof(alg_sink);
            base_hash hash, again;
            const drawing d = draw(g, body, size, ALL_PARTS, &hash);
            const drawing last = draw(g, body, offsetof(alg_sink, node), ALL_PARTS, &again);
            cr_assert(last.spheres == d.spheres && last.runs == d.runs && last.nodes == 0 &&
                          last.points == 0,
                      "%s, role %d", variants[v], role);
            const drawing old = draw(g, body, offsetof(alg_sink, grid), ALL_PARTS, &again);
            cr_assert(old.spheres == d.spheres && old.grids == 0 && old.runs == 0, "%s, role %d",
                      variants[v], role);
            const drawing older = draw(g, body, offsetof(alg_sink, sphere), ALL_PARTS, &again);
            cr_assert(older.spheres == 0 && older.grids == 0 && older.runs == 0, "%s, role %d",
                      variants[v], role);
            for (int mask = 0; mask <= ALL_PARTS; mask++) {
                const drawing m = draw(g, body, size, mask, &again);
                cr_assert(m.spheres == (mask & 1 ? d.spheres : 0) &&
                              m.grids == (mask & 2 ? d.grids : 0) &&
                              m.runs == (mask & 4 ? d.runs : 0) &&
                              m.nodes == (mask & 8 ? d.nodes : 0) &&
                              m.points == (mask & 16 ? d.points : 0),
                          "%s, role %d, functions %d", variants[v], role, mask);
            }
            cr_assert(same_hash(hash, again), "%s, role %d: another time", variants[v], role);
            cr_assert(!d.wrong && (d.runs == 0 || d.grids == 1), "%s, role %d", variants[v], role);
            const double count = fact_of(g, info_of(&s, role), "surface_voxels_count");
            cr_assert(d.runs == 0 || (double)d.voxels == count, "%s, role %d: %zu of %g",
                      variants[v], role, d.voxels, count);
            parts += d.spheres + d.voxels;
            spheres += d.spheres;
            voxels += d.voxels;
            nodes += d.nodes;
            points += d.points;
        }
        cr_assert_gt(parts, 0, "%s", variants[v]);
        scene_close(&s);
        count_entry(&t, g);
    }
    cr_assert(t.entries == 8 && spheres > 1000 && voxels > 1000 && nodes > 1000 && points > 1000,
              "%d entries, %zu, %zu, %zu, %zu", t.entries, spheres, voxels, nodes, points);
}

/** Facts that only bodies have whose resolution was chosen. */
static const char of_auto[] = "wall_m volume_error_expected depth_error_expected_m";

/** Facts are finite or missing. Each fact is that of some variant. */
Test(contract, facts)
{
    static bool known[VARIANTS][ALG_FACTS_MAX];
    tally t = {0};
    int first = 0, facts = 0;
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        scene s = scene_open(variants[v], "parts", "torus");
        first = v > 0 && entry_of(v - 1) == g ? first : v;
        size_t count = 0;
        while (g->facts && g->facts[count]) {
            count++;
        }
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            const alg_build_info *const info = info_of(&s, role);
            cr_assert((info->bytes > 0 && info->primitives > 0) || g == &alg_floor, "%s, role %d",
                      variants[v], role);
            for (size_t i = 0; i < count; i++) {
                const double fact = info->facts[i];
                cr_assert(isnan(fact) || (isfinite(fact) && fact >= 0), "%s, role %d, %s: %g",
                          variants[v], role, g->facts[i], fact);
                known[first][i] |= !isnan(fact);
            }
        }
        for (size_t i = 0; (v + 1 == VARIANTS || entry_of(v + 1) != g) && i < count; i++) {
            cr_assert(known[first][i] || is_listed(of_auto, g->facts[i]), "%s: no variant has %s",
                      g->name, g->facts[i]);
            facts++;
        }
        scene_close(&s);
        count_entry(&t, g);
    }
    cr_assert(t.entries == ENTRIES && facts > 60, "%d entries, %d", t.entries, facts);
}

/**
 * voxels=auto measures the wall of a plate, and makes the same body as the number of voxels that it
 * chooses. The settings of these two bodies differ, since the saved body also has other facts.
 */
Test(contract, resolutions_that_are_chosen)
{
    static const char *const pairs[][2] = {
        {"ist:voxels=auto", "ist:voxels=160"},
        {"vps:voxels=auto", "vps:voxels=160"},
        {"vps-volume:voxels=auto", "vps-volume:voxels=160"},
        {"imp:probe-voxels=auto,voxels=auto", "imp:probe-voxels=160,voxels=160"},
    };
    geo_mesh plate = shape_box((vec3){0, 0, 0}, (vec3){1, 0.25, 0.03125});
    const alg_mesh mesh = shape_body(&plate, true);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const alg_variant chosen = pair_variant(pairs[i][0]), given = pair_variant(pairs[i][1]);
        const alg_settings as_chosen = scene_body_settings(&chosen),
                           as_given = scene_body_settings(&given);
        const alg_algorithm *const g = chosen.algorithm;
        alg_build_info info[2];
        void *built;
        alg_message message = {""};
        cr_assert_neq(memcmp(&as_chosen, &as_given, sizeof as_given), 0, "%s", g->name);
        for (int k = 0; k < 2; k++) {
            info[k] = (alg_build_info){0};
            cr_assert_eq(g->prepare(k == 0 ? &as_chosen : &as_given, &mesh, ALG_FIXED, &built,
                                    &info[k], &message),
                         ALG_OK, "%s: %s", pairs[i][k], message.text);
            g->dispose(built);
        }
        cr_assert(info[0].bytes == info[1].bytes && info[0].primitives == info[1].primitives);
        cr_assert_float_eq(fact_of(g, &info[0], "wall_m"), 0.03125, 1e-12, "%s", g->name);
        const double error = fact_of(g, &info[0], "volume_error_expected"),
                     depth = fact_of(g, &info[0], "depth_error_expected_m");
        cr_assert(error > 0 || depth > 0, "%s: %g, %g", g->name, error, depth);
        const double thin = fact_of(g, &info[0], ALG_FACT_THIN);
        cr_assert(thin >= 0 && thin < 1e-3, "%s: %g", g->name, thin);
    }
    geo_mesh_release(&plate);
}

/** A variant answers only quantities that it knows. A quantity added later is unsupported. */
Test(contract, unknown_quantities_are_not_answered)
{
    tally t = {0};
    for (int v = 0; v < VARIANTS; v++) {
        const alg_variant variant = pair_variant(variants[v]);
        const alg_algorithm *const g = variant.algorithm;
        cr_assert_eq(g->contract(&variant.settings, (alg_quantity)ALG_QUANTITY_COUNT),
                     ALG_NOT_ANSWERED, "%s", variants[v]);
        count_entry(&t, g);
    }
    cr_assert_eq(t.entries, ENTRIES);
}

/* --- Solids ----------------------------------------------------------------------------------- */

/** Entries that need solids decline a surface. All others build it, and decline at most some
 * quantities. */
Test(contract, a_mesh_that_is_not_solid)
{
    tally t = {0};
    int declined = 0, built = 0;
    SCOPED_MESH cup = scene_mesh("cup");
    const alg_mesh mesh = shape_body(&cup, false);
    for (int v = 0; v < VARIANTS; v++) {
        const alg_variant variant = pair_variant(variants[v]);
        const alg_algorithm *const g = variant.algorithm;
        const alg_settings settings = scene_body_settings(&variant);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            void *body = &cup;
            alg_build_info info = {0};
            alg_message message = {""};
            const alg_status status =
                g->prepare(&settings, &mesh, (alg_role)role, &body, &info, &message);
            cr_assert(status == ALG_OK || status == ALG_UNSUPPORTED, "%s, role %d: %s", variants[v],
                      role, message.text);
            cr_assert(
                (status == ALG_OK) == (body != NULL) &&
                    (status == ALG_OK || (is_one_line(&message) && strstr(message.text, "solid"))),
                "%s, role %d: %s", variants[v], role, message.text);
            cr_assert(!(g->flags & ALG_NEEDS_SOLIDS) || status == ALG_UNSUPPORTED, "%s, role %d",
                      variants[v], role);
            declined += status == ALG_UNSUPPORTED;
            built += status == ALG_OK;
            g->dispose(body);
        }
        count_entry(&t, g);
    }
    cr_assert(t.entries == ENTRIES && declined > 20 && built > 20, "%d entries, %d, %d", t.entries,
              declined, built);
}
