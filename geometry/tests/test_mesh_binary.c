#include "geometry/mesh.h"
#include "geometry/tests/mesh_bytes.h"
#include "geometry/vec.h"

TestSuite(mesh_binary, .init = scratch_enter, .fini = scratch_leave);

Test(mesh_binary, stl_binary)
{
    static const char *const titles[] = {"", "solid", "solid made by some exporter", "ply", "OFF"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        const bytes b = make_binary_stl(titles[i]);
        assert_loads_bytes("x.stl", b.at, b.size, SQUARE);
        assert_loads_bytes("x.txt", b.at, b.size, SQUARE);
    }
}

Test(mesh_binary, off_binary)
{
    static const struct {
        const char *keyword;
        int extras;
    } cases[] = {
        {"OFF BINARY\n", 0},      {"OFF BINARY \r\n", 0}, {"# made by hand\n\nOFF BINARY\n", 0},
        {"COFF BINARY\n", 4},     {"NOFF BINARY\n", 3},   {"STOFF BINARY\n", 2},
        {"STCNOFF\tBINARY\n", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bytes b = make_binary_off(cases[i].keyword, cases[i].extras);
        assert_loads_bytes("x.off", b.at, b.size, SQUARE);
    }
    bytes quad = {.big_endian = true};
    put_text(&quad, "OFF BINARY\n");
    put_integer(&quad, 4, 4);
    put_integer(&quad, 1, 4);
    put_integer(&quad, 4, 4);
    for (int v = 0; v < 4; v++) {
        put_float(&quad, v == 1 || v == 2);
        put_float(&quad, v >= 2);
        put_float(&quad, -0.1F);
    }
    put_integer(&quad, 4, 4);
    for (uint64_t v = 0; v < 4; v++) {
        put_integer(&quad, v, 4);
    }
    put_integer(&quad, 0, 4);
    assert_loads_bytes("x.off", quad.at, quad.size,
                       "0 0 -0.10000000149011612/1 0 -0.10000000149011612/1 1 "
                       "-0.10000000149011612/0 1 -0.10000000149011612|0 1 2/0 2 3");
}

/* --- PLY -------------------------------------------------------------------------------------- */

Test(mesh_binary, ply_ascii)
{
    assert_loads("x.ply",
                 "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\n"
                 "property float y\nproperty float z\nelement face 1\n"
                 "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
                 "4 0 1 2 3\n",
                 SQUARE);
    /* Faces first, other properties between, lists that are skipped, more digits than a float
     * has. */
    assert_loads(
        "x.txt",
        "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement empty 1000000000000000\r\n"
        "element face 2\r\nproperty list uint8 float uv\r\n"
        "property list uint8 uint32 vertex_index\r\nproperty uchar red\r\n"
        "element edge 1\r\nproperty int a\r\nelement vertex 3\r\nproperty double z\r\n"
        "property uchar red\r\nproperty float32 y\r\nproperty float x\r\nend_header\r\n"
        "0 3 0 1 2 255\r\n2 nan .5 3 2 1 0 255\r\n7\r\n0 9 0 0\r\n\r\n0 9 0 0.1\r\n0 9 1 0",
        "0 0 0/0.10000000000000001 0 0/0 1 0|0 1 2/2 1 0");
}

Test(mesh_binary, ply_binary)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const bytes b = make_binary_ply(big_endian != 0);
        assert_loads_bytes("x.ply", b.at, b.size,
                           "0 0 -2/0.10000000000000001 0 -2/"
                           "0.10000000000000001 0.10000000149011612 -2/0 0.10000000149011612 -2"
                           "|0 1 2/0 2 3");
    }
}

Test(mesh_binary, ply_types)
{
    static const struct {
        const char *old_name, *new_name;
        size_t size;
        uint64_t minus_one; /* bits that mean -1, or the largest unsigned number */
        double value;
    } types[] = {
        {"char", "int8", 1, 0xff, -1},           {"uchar", "uint8", 1, 0xff, 255},
        {"short", "int16", 2, 0xffff, -1},       {"ushort", "uint16", 2, 0xffff, 65535},
        {"int", "int32", 4, 0xffffffff, -1},     {"uint", "uint32", 4, 0xffffffff, 4294967295},
        {"float", "float32", 4, 0xbf800000, -1}, {"double", "float64", 8, 0xbff0000000000000u, -1},
    };
    for (size_t i = 0; i < 2 * sizeof types / sizeof *types; i++) {
        const char *const name = i % 2 == 0 ? types[i / 2].old_name : types[i / 2].new_name;
        char text[400];
        snprintf(text, sizeof text,
                 "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty %s x\n"
                 "property %s y\nproperty %s z\nelement face 1\n"
                 "property list uchar %s vertex_indices\nend_header\n",
                 name, name, name, name);
        bytes b = {.big_endian = true};
        put_text(&b, text);
        for (int k = 0; k < 3; k++) {
            put_integer(&b, types[i / 2].minus_one, types[i / 2].size);
        }
        put_integer(&b, 3, 1);
        put_integer(&b, 0, 3 * types[i / 2].size);
        geo_mesh mesh = load_good("x.ply", b.at, b.size);
        cr_assert_eq(mesh.vertices[0].z, types[i / 2].value, "%s: %g", name, mesh.vertices[0].z);
        geo_mesh_release(&mesh);
    }
}

/* --- All formats ------------------------------------------------------------------------------ */

Test(mesh_binary, all_formats_agree)
{
    soup s = {0};
    add_cube(&s, (vec3){-0.125, 0.1F, 3}, 0.75);
    geo_mesh welded; /* STL numbers vertices in the order of their appearance */
    bytes stl = {0}, ply = {0};
    FILE *const off = fopen("x.off", "w"), *const obj = fopen("x.obj", "w");
    stl.size = 80;
    put_integer(&stl, 12, 4);
    put_text(&ply, "ply\nformat binary_little_endian 1.0\nelement vertex 8\nproperty double x\n"
                   "property double y\nproperty double z\nelement face 12\n"
                   "property list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 8; i++) {
        fprintf(obj, "v %.17g %.17g %.17g\n", s.v[i].x, s.v[i].y, s.v[i].z);
        put_bytes(&ply, &s.v[i], sizeof s.v[i]);
    }
    for (int f = 0; f < 12; f++) {
        const uint32_t *const v = s.f[f].v;
        fprintf(obj, "f %u %u %u\n", v[0] + 1, v[1] + 1, v[2] + 1);
        put_integer(&ply, 3, 1);
        put_bytes(&ply, v, 12);
        stl.size += 12;
        for (int k = 0; k < 9; k++) {
            put_float(&stl, (float)vec3_get(s.v[v[k / 3]], k % 3));
        }
        stl.size += 2;
    }
    fclose(obj);
    base_error err = {0};
    cr_assert_eq(geo_mesh_write_off(&s.mesh, off, &err), BASE_OK);
    fclose(off);
    write_file("x.ply", ply.at, ply.size);
    static const char *const names[] = {"x.off", "x.obj", "x.ply"};
    for (size_t i = 0; i < 3; i++) {
        geo_mesh mesh;
        cr_assert_eq(geo_mesh_load(names[i], &mesh, &err), BASE_OK, "%s", err.text);
        assert_same_mesh(&s.mesh, &mesh, names[i]);
        geo_mesh_release(&mesh);
    }
    welded = load_good("x.stl", stl.at, stl.size);
    cr_assert(welded.vertex_count == 8 && welded.face_count == 12);
    for (int c = 0; c < 36; c++) {
        const vec3 p = welded.vertices[welded.faces[c / 3].v[c % 3]], q = s.v[s.f[c / 3].v[c % 3]];
        cr_assert(vec3_equal(p, (vec3){(float)q.x, (float)q.y, (float)q.z}), "corner %d", c);
    }
    geo_mesh_release(&welded);
}
