#include "base/memory.h"
#include "base/random.h"
#include "base/tests/sweep.h"
#include "geometry/mesh.h"
#include "geometry/tests/mesh_bytes.h"

TestSuite(mesh_fuzz, .init = scratch_enter, .fini = scratch_leave);

enum { FORMATS = 7, FLIPS = 2000 };

/** Makes a small valid file of each format. */
static bytes make_file(int format, const char **name)
{
    static const char *const names[FORMATS] = {"x.off", "x.obj", "x.stl", "x.stl",
                                               "x.ply", "x.ply", "x.off"};
    static const char *const texts[FORMATS] = {
        "OFF # a comment\n4 2 5\n0 0 0\n1 0 0\n1 1 0.5\n0 1e0 0\n3 0 1 2 255 0 0\n4 0 2 3 1\n",
        "# made by hand\nv 0 0 0\nv 1 0 0\nv 1 1 0.5\nvn 0 0 1\nf 1 2 3\nv 0 1e0 0\n"
        "f 1//1 -2/1 \\\n 4/1/1 -3\n",
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0.5\n"
        "endloop\nendfacet\nendsolid a\nsolid b\nendsolid b\n",
        NULL,
        "ply\nformat ascii 1.0\ncomment x\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property double z\nproperty list uchar int extra\nelement face 2\nproperty uchar red\n"
        "property list uchar int vertex_indices\nend_header\n0 0 0 0\n1 0 0 1 7\n1 1 0.5 0\n"
        "255 3 0 1 2\n0 4 0 2 1 0\n",
        NULL,
        NULL,
    };
    *name = names[format];
    bytes b = {0};
    if (texts[format]) {
        put_text(&b, texts[format]);
        return b;
    }
    return format == 3   ? make_binary_stl("solid")
           : format == 5 ? make_binary_ply(true)
                         : make_binary_off("COFF BINARY\n", 4);
}

/**
 * Loads a file and, if that succeeds, checks that the mesh is valid. Returns whether it succeeded.
 */
static bool survives(const char *name, const char *at, size_t size, const char *what)
{
    geo_mesh mesh;
    base_error err = {0};
    const base_status status = load_bytes(name, at, size, &mesh, &err);
    if (status != BASE_OK) {
        cr_assert(status == BASE_ERR_INPUT && err.status == status, "%s: %d %s", what, (int)status,
                  err.text);
        cr_assert(strncmp(err.text, "'x.", 3) == 0 && strlen(err.text) < 200, "%s: %s", what,
                  err.text);
        cr_assert(!mesh.vertices && !mesh.faces, "%s", what);
        return false;
    }
    cr_assert(mesh.face_count > 0 && mesh.face_count < 1000, "%s", what);
    for (size_t i = 0; i < 3 * mesh.face_count; i++) {
        cr_assert_lt(mesh.faces[i / 3].v[i % 3], mesh.vertex_count, "%s", what);
    }
    geo_mesh_release(&mesh);
    return true;
}

Test(mesh_fuzz, cut_at_every_byte)
{
    for (int format = 0; format < FORMATS; format++) {
        const char *name;
        const bytes b = make_file(format, &name);
        size_t good = 0;
        for (size_t size = 0; size <= b.size; size++) {
            char what[80];
            snprintf(what, sizeof what, "format %d, the first %zu bytes", format, size);
            good += survives(name, b.at, size, what);
        }
        const bool binary = format == 3 || format == 5 || format == 6;
        cr_assert(binary ? good == 1 : good >= 1, "format %d: %zu are good", format, good);
    }
    no_leak();
}

Test(mesh_fuzz, random_bytes)
{
    /* Changes: flips of a bit, any other byte, and pieces of text with a meaning. */
    const size_t few = FLIPS / 50 / sweep_step(2);
    static const char *const pieces[] = {"-", "9",    "\n", "e99",       "nan",
                                         "#", "\\\n", " ",  "4294967296"};
    for (int format = 0; format < FORMATS; format++) {
        const char *name;
        const bytes original = make_file(format, &name);
        size_t good = 0, bad = 0;
        for (uint64_t seed = 0; seed < FLIPS; seed += sweep_step(2)) {
            base_random random = base_random_seed(seed);
            bytes b = original;
            const uint64_t changes = 1 + base_random_below(&random, 3);
            for (uint64_t i = 0; i < changes; i++) {
                const uint64_t choice = base_random_below(&random, 3);
                char *const at = &b.at[base_random_below(&random, b.size)];
                if (choice == 0) {
                    *at = (char)(*at ^ (1 << base_random_below(&random, 8)));
                } else if (choice == 1) {
                    *at = (char)base_random_below(&random, 256);
                } else {
                    const char *const piece =
                        pieces[base_random_below(&random, sizeof pieces / sizeof *pieces)];
                    const size_t length = strlen(piece);
                    memmove(at + length, at, (size_t)(b.at + b.size - at));
                    memcpy(at, piece, length);
                    b.size += length;
                }
            }
            char what[80];
            snprintf(what, sizeof what, "format %d, seed %llu", format, (unsigned long long)seed);
            const bool survived = survives(name, b.at, b.size, what);
            good += survived;
            bad += !survived;
        }
        cr_assert(good >= few && bad >= few, "format %d: %zu good, %zu bad", format, good, bad);
    }
    no_leak();
}

Test(mesh_fuzz, out_of_memory)
{
    for (int format = 0; format < FORMATS; format++) {
        const char *name;
        const bytes b = make_file(format, &name);
        write_file(name, b.at, b.size);
        base_status status = BASE_ERR_MEMORY;
        size_t n = 0;
        for (; status != BASE_OK && n < 100; n++) {
            geo_mesh mesh;
            base_error err = {0};
            base_memory_fail_after(n);
            status = geo_mesh_load(name, &mesh, &err);
            base_memory_fail_after(SIZE_MAX);
            if (status == BASE_OK) {
                geo_mesh_release(&mesh);
                break;
            }
            char message[40];
            snprintf(message, sizeof message, "'%s': out of memory", name);
            cr_assert_eq(status, BASE_ERR_MEMORY, "format %d after %zu: %s", format, n, err.text);
            cr_assert_str_eq(err.text, message);
            cr_assert(!mesh.vertices && !mesh.faces);
        }
        cr_assert(n >= 3 && n < 100, "format %d: %zu allocations", format, n);
    }
    no_leak();
}
