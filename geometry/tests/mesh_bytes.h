/** Shared by the tests of mesh files: expected meshes as text, and construction of binary files. */
#ifndef GEOMETRY_TESTS_MESH_BYTES_H
#define GEOMETRY_TESTS_MESH_BYTES_H

#include "geometry/tests/mesh_scratch.h"

#include <math.h>

/** Writes the mesh as "0 0 0/1 0 0/0 1 0|0 1 2/". */
static inline void describe(const geo_mesh *mesh, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 v = mesh->vertices[i];
        used += (size_t)snprintf(text + used, size - used, "%s%.17g %.17g %.17g", i == 0 ? "" : "/",
                                 v.x, v.y, v.z);
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        const uint32_t *const v = mesh->faces[i].v;
        used += (size_t)snprintf(text + used, size - used, "%s%u %u %u", i == 0 ? "|" : "/", v[0],
                                 v[1], v[2]);
    }
}

static inline void assert_loads_bytes(const char *name, const char *bytes, size_t size,
                                      const char *expected)
{
    geo_mesh mesh = load_good(name, bytes, size);
    char text[2000] = "";
    describe(&mesh, text, sizeof text);
    cr_assert_str_eq(text, expected, "%s:\n%s\ngives %s, not %s", name, bytes, text, expected);
    geo_mesh_release(&mesh);
    no_leak();
}

static inline void assert_loads(const char *name, const char *text, const char *expected)
{
    assert_loads_bytes(name, text, strlen(text), expected);
}

#define SQUARE "0 0 0/1 0 0/1 1 0/0 1 0|0 1 2/0 2 3"

/** A file of bytes under construction. */
typedef struct bytes {
    char at[4000];
    size_t size;
    bool big_endian;
} bytes;

static inline void put_bytes(bytes *b, const void *from, size_t size)
{
    memcpy(b->at + b->size, from, size);
    b->size += size;
}

static inline void put_text(bytes *b, const char *text)
{
    put_bytes(b, text, strlen(text));
}

static inline void put_integer(bytes *b, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const size_t place = b->big_endian ? size - 1 - i : i;
        b->at[b->size++] = (char)(place < sizeof value ? value >> 8 * place : 0);
    }
}

static inline void put_float(bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(b, bits, 4);
}

static inline void put_double(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(b, bits, 8);
}

static const float square[2][3][3] = {
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}},
    {{-0.0F, 0, 0}, {1, 1, 0}, {0, 1, 0}},
};

static inline bytes make_binary_stl(const char *title)
{
    bytes b = {0};
    put_text(&b, title);
    b.size = 80;
    put_integer(&b, 2, 4);
    for (int f = 0; f < 2; f++) {
        for (int k = 0; k < 3; k++) {
            put_float(&b, NAN); /* the normal */
        }
        for (int k = 0; k < 9; k++) {
            put_float(&b, square[f][k / 3][k % 3]);
        }
        put_integer(&b, 0xffff, 2);
    }
    return b;
}

static inline bytes make_binary_ply(bool big_endian)
{
    bytes b = {.big_endian = big_endian};
    put_text(&b, big_endian ? "ply\nformat binary_big_endian 1.0\n"
                            : "ply\nformat binary_little_endian 1.0\n");
    put_text(&b, "element face 2\nproperty list ushort short vertex_indices\nproperty char c\n"
                 "element vertex 4\nproperty double x\nproperty short s\nproperty float y\n"
                 "property list uchar double w\nproperty char z\nend_header\n");
    for (uint64_t f = 0; f < 2; f++) {
        put_integer(&b, 3, 2);
        put_integer(&b, 0, 2);
        put_integer(&b, f + 1, 2);
        put_integer(&b, f + 2, 2);
        put_integer(&b, 0xff, 1);
    }
    for (uint64_t v = 0; v < 4; v++) {
        put_double(&b, v == 1 || v == 2 ? 0.1 : 0);
        put_integer(&b, 0x8000, 2);
        put_float(&b, v >= 2 ? 0.1F : 0);
        put_integer(&b, v, 1);
        for (uint64_t i = 0; i < v; i++) {
            put_double(&b, NAN);
        }
        put_integer(&b, 0xfe, 1);
    }
    return b;
}

/** Makes the square, with `extras` numbers after each vertex and colours after the second face. */
static inline bytes make_binary_off(const char *keyword, int extras)
{
    bytes b = {.big_endian = true};
    put_text(&b, keyword);
    put_integer(&b, 4, 4);
    put_integer(&b, 2, 4);
    put_integer(&b, 0, 4);
    for (int v = 0; v < 4; v++) {
        put_float(&b, v == 1 || v == 2);
        put_float(&b, v >= 2);
        put_float(&b, 0);
        for (int i = 0; i < extras; i++) {
            put_float(&b, NAN);
        }
    }
    for (uint64_t f = 0; f < 2; f++) {
        put_integer(&b, 3, 4);
        put_integer(&b, 0, 4);
        put_integer(&b, f + 1, 4);
        put_integer(&b, f + 2, 4);
        put_integer(&b, 3 * f, 4);
        for (uint64_t i = 0; i < 3 * f; i++) {
            put_float(&b, 0.5F);
        }
    }
    return b;
}

#endif
