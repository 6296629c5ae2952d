/**
 * Cached bodies: loaded bodies are equal to built ones, and an invalid file is replaced by a new
 * build.
 */
#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "suite/inputs/prepared.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- An algorithm that counts its calls ------------------------------------------------------- */

enum { NUMBERS = 500 };

typedef struct body {
    double seed, size, role, sum; /* sum: of the mesh's coordinates */
    double numbers[NUMBERS];
} body;

static int prepared_count, saved_count, loaded_count, disposed_count;

/** The fault of `save` and `load`. */
static enum { NOTHING, SAVE_FAILS, LOAD_FAILS, LOAD_LACKS_MEMORY, SAVES_TOO_MUCH } wrong;

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    body *const b = malloc(sizeof *b);
    *prepared = NULL;
    prepared_count++;
    if (settings->values[0] < 0) {
        free(b);
        strcpy(message->text, "negative");
        return ALG_UNSUPPORTED;
    }
    cr_assert_not_null(b);
    *b = (body){(double)settings->seed, settings->values[0], (double)role, 0, {0}};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        b->sum += mesh->vertices[i].x + 2 * mesh->vertices[i].y + 3 * mesh->vertices[i].z;
    }
    for (int i = 0; i < NUMBERS; i++) {
        b->numbers[i] = b->sum * i + b->size;
    }
    info->bytes = sizeof *b;
    info->primitives = NUMBERS;
    info->facts[1] = 0.25;
    *prepared = b;
    usleep(2000);
    return ALG_OK;
}

static void dispose(void *prepared)
{
    disposed_count++;
    free(prepared);
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    const body *const b = prepared;
    saved_count++;
    strcpy(message->text, "as told");
    if (wrong == SAVES_TOO_MUCH) {
        return to->write(to->context, b, BENCH_BODY_BYTES_MAX) ? ALG_OK : ALG_FAILED;
    }
    const bool taken = to->write(to->context, &b->seed, offsetof(body, numbers)) &&
                       to->write(to->context, NULL, 0) &&
                       to->write(to->context, b->numbers, sizeof b->numbers);
    return taken && wrong != SAVE_FAILS ? ALG_OK : ALG_FAILED;
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message)
{
    (void)settings, (void)mesh, (void)role;
    loaded_count++;
    *prepared = NULL;
    cr_assert_eq((uintptr_t)bytes % _Alignof(max_align_t), 0);
    cr_assert_eq(size, sizeof(body), "only whole files come so far");
    cr_assert_eq(info->primitives, NUMBERS);
    strcpy(message->text, "as told");
    if (wrong == LOAD_FAILS || wrong == LOAD_LACKS_MEMORY) {
        return wrong == LOAD_FAILS ? ALG_FAILED : ALG_OUT_OF_MEMORY;
    }
    body *const b = malloc(sizeof *b);
    cr_assert_not_null(b);
    memcpy(b, bytes, sizeof *b);
    *prepared = b;
    return ALG_OK;
}

static const alg_parameter parameters[] = {
    {.name = "size", .type = ALG_REAL, .lowest = -1, .highest = 9, .help = ""}};

static const alg_algorithm fake = {.name = "fake",
                                   .parameters = parameters,
                                   .parameter_count = 1,
                                   .prepare = prepare,
                                   .dispose = dispose,
                                   .save = save,
                                   .load = load};

/* --- A mesh, a variant and a cache ------------------------------------------------------------ */

/** Made by `enter`, and removed by `leave`. */
static struct {
    char folder[64], bodies[80];
    vec3 vertices[4];
    geo_face faces[4];
    alg_mesh mesh; /* consists of the arrays above */
    alg_algorithm algorithm;
    alg_variant variant; /* of the algorithm above */
    alg_role role;
} b;

static void set_inputs(void)
{
    static const vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const geo_face faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    memcpy(b.vertices, vertices, sizeof vertices);
    memcpy(b.faces, faces, sizeof faces);
    b.mesh = (alg_mesh){.size = sizeof b.mesh,
                        .vertices = b.vertices,
                        .vertex_count = 4,
                        .faces = b.faces,
                        .face_count = 4,
                        .solid = true};
    b.algorithm = fake;
    b.variant = (alg_variant){.algorithm = &b.algorithm, .settings = {{2}, 1}, .name = "fake"};
    b.role = ALG_FIXED;
}

static void enter(void)
{
    strcpy(b.folder, "/tmp/proxbench-bodies-XXXXXX");
    cr_assert_not_null(mkdtemp(b.folder));
    snprintf(b.bodies, sizeof b.bodies, "%s/bodies", b.folder);
    set_inputs();
    wrong = NOTHING;
    prepared_count = saved_count = loaded_count = disposed_count = 0;
}

static void leave(void)
{
    base_folder_remove(b.bodies);
    base_folder_remove(b.folder);
}

TestSuite(prepared, .init = enter, .fini = leave);

/** Gets the body, compares it with a newly built one, and releases it. */
static bench_built ask(const char *cache)
{
    void *prepared = NULL, *expected = NULL;
    bench_built built, unkept;
    alg_message message = {""};
    const alg_status status =
        bench_prepare(&b.variant, &b.mesh, b.role, cache, &prepared, &built, &message);
    cr_assert_eq(status, ALG_OK, "%s", message.text);
    const int count = prepared_count;
    cr_assert_eq(bench_prepare(&b.variant, &b.mesh, b.role, NULL, &expected, &unkept, &message),
                 ALG_OK);
    prepared_count = count;
    cr_assert_eq(memcmp(prepared, expected, sizeof(body)), 0);
    cr_assert_eq(memcmp(&built.info, &unkept.info, sizeof built.info), 0, "and what is told of it");
    free(prepared);
    free(expected);
    return built;
}

/** Counts the files in the folder of bodies. *path: one of them. */
static size_t files(char *path, size_t size)
{
    char pattern[96];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*", b.bodies);
    const size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    if (path && count > 0) {
        snprintf(path, size, "%s", found.gl_pathv[0]);
    }
    globfree(&found);
    return count;
}

Test(prepared, a_body_is_built_once_and_then_loaded)
{
    const bench_built first = ask(b.folder);
    cr_assert_eq(prepared_count, 1);
    cr_assert_eq(loaded_count, 1, "the first launch asks a loaded body as well");
    cr_assert_eq(disposed_count, 1, "in place of the one that was built");
    cr_assert_geq(first.build_ns, 2000000);
    cr_assert_neq(first.load_ns, UINT64_MAX);
    for (int i = 2; i < 5; i++) {
        const bench_built later = ask(b.folder);
        cr_assert_eq(prepared_count, 1, "not built");
        cr_assert_eq(saved_count, 1);
        cr_assert_eq(loaded_count, i);
        cr_assert_eq(later.build_ns, first.build_ns, "the time of the build that was");
        cr_assert_neq(later.load_ns, UINT64_MAX);
        cr_assert(isnan(later.info.facts[0]) && later.info.facts[1] == 0.25);
    }
    cr_assert_eq(files(NULL, 0), 1, "and no other file is left");
}

Test(prepared, whatever_a_body_is_made_of_makes_another)
{
    ask(b.folder);
    static const char *const changes[] = {"a coordinate", "an index", "a setting", "the seed",
                                          "the role",     "the name", "solidity"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        set_inputs();
        switch (i) {
        case 0:
            b.vertices[3].z = nextafter(1, 2);
            break;
        case 1:
            b.faces[3] = (geo_face){{2, 3, 1}};
            break;
        case 2:
            b.variant.settings.values[0] = nextafter(2, 3);
            break;
        case 3:
            b.variant.settings.seed = 2;
            break;
        case 4:
            b.role = ALG_MOVING;
            break;
        case 5:
            b.algorithm.name = "fake-other";
            break;
        default:
            b.mesh.solid = false;
            break;
        }
        ask(b.folder);
        cr_assert_eq(prepared_count, (int)i + 2, "%s", changes[i]);
        cr_assert_eq(files(NULL, 0), i + 2, "%s", changes[i]);
        ask(b.folder);
        cr_assert_eq(prepared_count, (int)i + 2, "%s, once more", changes[i]);
    }
}

/* --- Settings that only queries use ----------------------------------------------------------- */

/** A variant of a registered algorithm, one more setting, and true if both have the same body. */
static const struct {
    const char *variant, *setting;
    bool one_body;
} alike[] = {
    {"bounds-budget:cells=4,voxels=8", "budget=100", true},
    {"bounds-budget:cells=4,voxels=8", "deadline-us=7", true},
    {"ist:voxels=16", "start=last", true},
    {"ist:voxels=16", "radius=primary", true},
    {"ist:min-radius=1.5,voxels=16", "radius=centroid", false},
    {"ist:voxels=16", "directions=cones", false},
    {"ist-triangles:voxels=8", "band=1", true},
    {"ist-triangles:voxels=8", "rounds=0", true},
    {"ist-triangles:voxels=8", "start=last", true},
    {"ist-triangles:voxels=8", "spheres=2", false},
    {"ist-exact:voxels=8", "start=last", true},
    {"ist-exact:voxels=8", "branching=2", false},
};

static bool add_to_hash(void *hasher, const void *bytes, size_t size)
{
    base_hasher_add(hasher, bytes, size);
    return true;
}

/** Hashes the saved bytes of a registered algorithm's body, and releases it. */
static base_hash hash_body(const alg_algorithm *a, void *prepared)
{
    base_hasher *const hasher = base_hasher_create();
    const alg_writer to = {.size = sizeof to, .context = hasher, .write = add_to_hash};
    alg_message message;
    cr_assert_eq(a->save(prepared, &to, &message), ALG_OK);
    a->dispose(prepared);
    return base_hasher_finish(hasher);
}

/**
 * Gets a registered algorithm's body as a run does. It must be the body that prepare makes of these
 * settings.
 */
static bench_built take(const alg_variant *variant, base_hash *hash)
{
    const alg_algorithm *const a = variant->algorithm;
    void *expected, *prepared;
    alg_build_info info = {0};
    bench_built built;
    alg_message message = {""};
    cr_assert_eq(a->prepare(&variant->settings, &b.mesh, b.role, &expected, &info, &message),
                 ALG_OK, "%s", message.text);
    cr_assert_eq(bench_prepare(variant, &b.mesh, b.role, b.folder, &prepared, &built, &message),
                 ALG_OK);
    *hash = hash_body(a, prepared);
    const base_hash asked = hash_body(a, expected);
    cr_assert_eq(memcmp(hash, &asked, sizeof asked), 0, "%s: another body", variant->name);
    cr_assert_neq(built.load_ns, UINT64_MAX);
    return built;
}

/** Sets the measures of the mesh. */
static void measure(void)
{
    const geo_mesh mesh = {b.vertices, 4, b.faces, 4};
    b.mesh.volume_m3 = geo_mesh_measures(&mesh).volume_m3;
    b.mesh.centroid = geo_mesh_measures(&mesh).centroid;
    b.mesh.box = geo_mesh_box(&mesh);
}

Test(prepared, variants_that_only_queries_tell_apart_share_a_body)
{
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        char names[2][128];
        snprintf(names[0], sizeof names[0], "%s", alike[i].variant);
        snprintf(names[1], sizeof names[1], "%s,%s", alike[i].variant, alike[i].setting);
        leave();
        enter();
        measure();
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            alg_variant v[2];
            alg_message message = {""};
            b.role = (alg_role)role;
            for (int k = 0; k < 2; k++) {
                cr_assert_eq(alg_variant_parse(names[k], 1, &v[k], &message), ALG_OK, "%s",
                             message.text);
            }
            base_hash hashes[2];
            const bench_built first = take(&v[0], &hashes[0]);
            const bench_built second = take(&v[1], &hashes[1]);
            cr_assert_eq(memcmp(&hashes[0], &hashes[1], sizeof *hashes) == 0, alike[i].one_body,
                         "%s and %s: the bytes", names[0], names[1]);
            cr_assert_eq(files(NULL, 0), (alike[i].one_body ? 1u : 2u) * (unsigned)(role + 1),
                         "%s and %s: the files", names[0], names[1]);
            cr_assert_eq(second.build_ns == first.build_ns, alike[i].one_body,
                         "%s and %s: the builds", names[0], names[1]);
        }
    }
}

static double highest_of(const alg_parameter *parameter)
{
    double highest = parameter->highest;
    if (parameter->type == ALG_CHOICE) {
        for (highest = -1; parameter->choices[(int)highest + 1].word; highest++) {
        }
    }
    return highest;
}

/**
 * body_settings gives valid settings, and a second call does not change them. Algorithms that save
 * no bodies have no body_settings.
 */
Test(prepared, settings_of_a_body_are_settings)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        const alg_algorithm *const a = alg_registry[i];
        if (!a->body_settings) {
            continue;
        }
        cr_assert_not_null(a->save, "%s", a->name);
        for (size_t k = 0; k < a->parameter_count; k++) {
            for (int end = 0; end < 2; end++) {
                alg_settings s = {.seed = 7}, once, twice;
                for (size_t j = 0; j < a->parameter_count; j++) {
                    s.values[j] = a->parameters[j].fallback;
                }
                s.values[k] = end ? highest_of(&a->parameters[k]) : a->parameters[k].lowest;
                once = s;
                a->body_settings(&once);
                twice = once;
                a->body_settings(&twice);
                cr_assert_eq(memcmp(&once, &twice, sizeof once), 0, "%s", a->name);
                cr_assert_eq(once.seed, 7);
                for (size_t j = 0; j < a->parameter_count; j++) {
                    cr_assert(once.values[j] >= a->parameters[j].lowest &&
                                  once.values[j] <= highest_of(&a->parameters[j]),
                              "%s: %s", a->name, a->parameters[j].name);
                }
            }
        }
    }
}

/* --- Invalid files ---------------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t size)
{
    assert_ok(base_file_replace(path, bytes, size, ERR));
}

/** Changes each bit of the header and many bits after it, and truncates the file in all ways. */
Test(prepared, damage_is_found_told_and_repaired)
{
    char path[256], *good;
    size_t size;
    cr_assert_not_null(freopen("/dev/null", "w", stderr)); /* each damage prints a line */
    ask(b.folder);
    cr_assert_eq(files(path, sizeof path), 1);
    assert_ok(base_file_read(path, &good, &size, ERR));
    char *const bad = malloc(size + 1);
    cr_assert_not_null(bad);
    for (size_t at = 0; at < size; at += (at < 256 ? 1 : 97) * sweep_step(5)) {
        memcpy(bad, good, size);
        bad[at] = (char)(bad[at] ^ 1 << at % 8);
        write_file(path, bad, size);
        const int count = prepared_count;
        ask(b.folder);
        cr_assert_eq(prepared_count, count + 1, "byte %zu", at);
        ask(b.folder);
        cr_assert_eq(prepared_count, count + 1, "byte %zu: repaired", at);
    }
    memcpy(bad, good, size);
    bad[size] = 0;
    const size_t sizes[] = {0, 1, 16, 207, 208, 209, size / 2, size - 1, size + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        write_file(path, bad, sizes[i]);
        const int count = prepared_count;
        ask(b.folder);
        cr_assert_eq(prepared_count, count + 1, "%zu bytes", sizes[i]);
    }
    free(bad);
    base_free(good);
}

/** A complete and undamaged file of another body is not loaded. */
Test(prepared, a_foreign_file_is_not_taken)
{
    char path[256], *foreign;
    size_t size;
    b.variant.settings.seed = 7;
    ask(b.folder);
    cr_assert_eq(files(path, sizeof path), 1);
    assert_ok(base_file_read(path, &foreign, &size, ERR));
    unlink(path);
    b.variant.settings.seed = 8;
    ask(b.folder);
    cr_assert_eq(files(path, sizeof path), 1);
    write_file(path, foreign, size);
    ask(b.folder);
    cr_assert_eq(prepared_count, 3);
    base_free(foreign);
}

Test(prepared, what_cannot_be_loaded_is_built)
{
    ask(b.folder);
    wrong = LOAD_FAILS;
    cr_assert_eq(ask(b.folder).load_ns, UINT64_MAX);
    wrong = LOAD_LACKS_MEMORY;
    cr_assert_eq(ask(b.folder).load_ns, UINT64_MAX);
    cr_assert_eq(prepared_count, 3);
}

Test(prepared, what_cannot_be_kept_is_built_each_time)
{
    static const struct {
        int wrong;
        const char *what;
    } cases[] = {
        {SAVE_FAILS, "save fails"},
        {SAVES_TOO_MUCH, "it is too big"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wrong = cases[i].wrong;
        for (int k = 1; k < 3; k++) {
            cr_assert_eq(ask(b.folder).load_ns, UINT64_MAX, "%s", cases[i].what);
        }
        cr_assert_eq(prepared_count, 2 * (int)i + 2, "%s", cases[i].what);
        cr_assert_eq(files(NULL, 0), 0, "%s", cases[i].what);
    }
    wrong = NOTHING;
    write_file(b.bodies, "a file in the folder's place", 28);
    cr_assert_eq(ask(b.folder).load_ns, UINT64_MAX);
    unlink(b.bodies);
}

Test(prepared, nothing_is_kept_unless_asked_and_able)
{
    ask(NULL);
    ask("");
    b.algorithm.save = NULL;
    ask(b.folder);
    cr_assert_eq(prepared_count, 3);
    cr_assert_eq(saved_count + loaded_count, 0);
    cr_assert_neq(access(b.bodies, F_OK), 0);
}

Test(prepared, a_build_that_fails_is_told_as_it_is)
{
    void *prepared = &b;
    bench_built built;
    alg_message message;
    b.variant.settings.values[0] = -1;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(
            bench_prepare(&b.variant, &b.mesh, b.role, b.folder, &prepared, &built, &message),
            ALG_UNSUPPORTED);
        cr_assert_str_eq(message.text, "negative");
        cr_assert_null(prepared);
    }
    cr_assert_eq(saved_count, 0);
}

/** Makes a file of this size that was last used this number of seconds ago. */
static void make_file(const char *name, size_t bytes, time_t age_s)
{
    char path[256];
    static const char zeros[1000];
    snprintf(path, sizeof path, "%s/%s", b.bodies, name);
    cr_assert_eq(mkdir(b.bodies, 0777) == 0 || errno == EEXIST, true);
    write_file(path, zeros, bytes);
    const struct timespec times[2] = {{time(NULL) - age_s, 0}, {time(NULL) - age_s, 0}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", b.bodies, name);
    return access(path, F_OK) == 0;
}

Test(prepared, the_longest_unused_make_room)
{
    make_file("a.body", 400, 20);
    make_file("b.body", 300, 40);
    make_file("c.body", 200, 10);
    make_file("d.body", 100, 30);
    make_file("e.body.Xy7kQz", 500, 60);
    make_file("f.body.Xy7kQz", 500, 7200);
    make_file("foreign-file.txt", 1000, 9000);
    bench_bodies_prune(b.bodies, 1000);
    cr_assert_eq(files(NULL, 0), 6, "nothing but what was abandoned");
    cr_assert_not(is_there("f.body.Xy7kQz"));
    bench_bodies_prune(b.bodies, 999);
    cr_assert(!is_there("b.body") && is_there("d.body"));
    bench_bodies_prune(b.bodies, 599);
    cr_assert(!is_there("d.body") && !is_there("a.body") && is_there("c.body"));
    bench_bodies_prune(b.bodies, 0);
    cr_assert_eq(files(NULL, 0), 2);
    cr_assert(is_there("e.body.Xy7kQz") && is_there("foreign-file.txt"));
    bench_bodies_prune("/nowhere", 0);
}

Test(prepared, a_body_that_is_loaded_is_in_use)
{
    char path[256];
    ask(b.folder);
    cr_assert_eq(files(path, sizeof path), 1);
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    cr_assert_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    make_file("a.body", 10, 50);
    ask(b.folder);
    bench_bodies_prune(b.bodies, 10000);
    bench_bodies_prune(b.bodies, sizeof(body) + 338);
    cr_assert_not(is_there("a.body"));
    ask(b.folder);
    cr_assert_eq(prepared_count, 1);
}

/**
 * Processes that build the same body at the same time write the same file, and no process reads an
 * incomplete one.
 */
Test(prepared, several_processes_at_once)
{
    enum { PROCESSES = 8, TURNS = 25 };
    char path[256];
    pid_t pids[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        cr_assert_geq(pids[i], 0);
        for (int turn = 0; pids[i] == 0 && turn < TURNS; turn++) {
            void *prepared = NULL;
            bench_built built;
            alg_message message;
            b.variant.settings.seed = (uint64_t)(turn % 5);
            const alg_status status =
                bench_prepare(&b.variant, &b.mesh, b.role, b.folder, &prepared, &built, &message);
            const bool good = status == ALG_OK && ((body *)prepared)->seed == turn % 5 &&
                              built.load_ns != UINT64_MAX;
            free(prepared);
            if (!good || (turn == TURNS - 1)) {
                _exit(good ? 0 : 1);
            }
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        cr_assert_eq(waitpid(pids[i], &status, 0), pids[i]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: %d", i, status);
    }
    cr_assert_eq(files(path, sizeof path), 5, "no temporary file is left");
}
