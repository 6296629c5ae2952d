#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/tests/mesh_bytes.h"
#include "geometry/vec.h"

#include <locale.h>
#include <sys/stat.h>

TestSuite(mesh_files, .init = scratch_enter, .fini = scratch_leave);

/* --- OFF -------------------------------------------------------------------------------------- */

#define OFF_BODY "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"

Test(mesh_files, off_headers)
{
    static const char *const headers[] = {
        "OFF\n4 1 0\n",
        "OFF\n4 1\n",
        "OFF 4 1 0\n",
        "OFF4 1 0\n",
        "\n \n  OFF  \n\n\t4 1 0\n",
        "# first\nOFF # here\n#there\n4 1 0 # and here\n\n",
        "OFF#\n4 1 0#\n",
        "\xef\xbb\xbfOFF\n4 1 0\n",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s" OFF_BODY, headers[i]);
        assert_loads("x.off", text, SQUARE);
    }
}

Test(mesh_files, off_bodies)
{
    assert_loads("x.off", "OFF\r\n4 1 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3\r\n",
                 SQUARE);
    assert_loads("x.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2", "0 0 0/1 0 0/0 1 0|0 1 2");
    assert_loads("x.off",
                 "OFF\n3 2 0\n\t0\t0 0 \n\n1 0 0#x\n#\n0 1 0\n3 0 1 2 255 0 0\n3 2 1 0 .5 # c",
                 "0 0 0/1 0 0/0 1 0|0 1 2/2 1 0");
    assert_loads("x.off", "OFF\n5 1 0\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 4 3 2 1 0\n",
                 "0 0 0/1 0 0/2 1 0/1 2 0/0 1 0|4 3 2/4 2 1/4 1 0");
    assert_loads("x.off", "OFF\n3 1 0\n+1 -.5 1.\n1e3 1E-3 -0\n0.1 1e-60 -1e15\n3 0 0 1\n",
                 "1 -0.5 1/1000 0.001 -0/0.10000000000000001 9.9999999999999997e-61 "
                 "-1000000000000000|0 0 1");
}

Test(mesh_files, off_variants)
{
    static const struct {
        const char *keyword, *extra;
    } variants[] = {
        {"COFF", "255 0 0 255"}, {"COFF", "0.5 0.5 0.5"},    {"NOFF", "0 0 1"},
        {"STOFF", "0.25 nan"},   {"CNOFF", "1 0 0 1 0 0 1"}, {"STCNOFF", "1 0 0 1 0 0 1 .5 .5"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const char *const e = variants[i].extra;
        char text[400];
        snprintf(text, sizeof text,
                 "%s\n4 1 0\n0 0 0 %s\n1 0 0 %s\n1 1 0 %s\n0 1 0 %s\n4 0 1 2 3\n",
                 variants[i].keyword, e, e, e, e);
        assert_loads("x.off", text, SQUARE);
    }
}

Test(mesh_files, extension_in_capitals)
{
    geo_mesh mesh = load_good("x.OFF", "OFF\n4 1 0\n" OFF_BODY, strlen("OFF\n4 1 0\n" OFF_BODY));
    geo_mesh_release(&mesh);
    unlink("x.OFF");
}

/* --- OBJ -------------------------------------------------------------------------------------- */

#define OBJ_SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

Test(mesh_files, obj_faces)
{
    static const char *const faces[] = {
        "f 1 2 3 4\n",
        "f 1/1 2/2 3/3 4/4",
        "f 1//1 2//2 3//3 4//4\n",
        "f 1/5/1 2/5/2 3/-5/3 4/5/-4\n",
        "f 1// 2// 3/ 4/\n",
        "f -4 -3 -2 -1\n",
        "f -4/-1/-1 2 -2// 4\n",
        "  f\t1  2 \\\n 3\\\r\n4\n",
        "f 1 2 3\nf 1 3 4\n",
        "f 1 2 3\nv 9 9 9 # later\nf -5 -3 -2\n",
        "f -4 -3 -2 -1\nv 9 9 9\n",
        "# f 9 9 9\nvn 0 0 1\nvt 0 0\ng a\ns off\nusemtl f\no v\nl 1 2\nf 1 2 3 4 # 5\r\n",
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char text[400];
        snprintf(text, sizeof text, "mtllib a.mtl\n" OBJ_SQUARE "%s", faces[i]);
        assert_loads("x.obj", text,
                     i == 9 || i == 10 ? "0 0 0/1 0 0/1 1 0/0 1 0/9 9 9|0 1 2/0 2 3" : SQUARE);
    }
}

Test(mesh_files, obj_vertices)
{
    assert_loads("x.obj", "f 1 2 3 4\n" OBJ_SQUARE, SQUARE); /* the vertices are below the face */
    assert_loads("x.obj", "v 0 0 0 1\nv 1 0 0 .5 .5 .5\nv 1 \\\n1 0\nv 0 1 0\nf 1 2 3 4\n", SQUARE);
    /* A backslash at the end of a comment does not join lines. */
    assert_loads("x.obj", "# C:\\\n" OBJ_SQUARE "f 1 2 3 4\n", SQUARE);
}

/* --- STL -------------------------------------------------------------------------------------- */

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 nan\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c               \
    "\n endloop\nendfacet\n"
#define TWO_FACETS FACET("0 0 0", "1 0 0", "1 1 0") FACET("-0 0 -0.0", "1e0 1. 0", "0 1 0")

Test(mesh_files, stl_ascii)
{
    assert_loads("x.stl", "solid\n" TWO_FACETS "endsolid\n", SQUARE);
    assert_loads("x.stl", "solid of two words\r\n" TWO_FACETS "endsolid of two words", SQUARE);
    assert_loads("x.stl",
                 "\n SOLID a\n" FACET("0 0 0", "1 0 0", "1 1 0") "EndSolid\nsolid b\n" FACET(
                     "0 0 0", "1 1 0", "0 1 0") "endsolid b\n",
                 SQUARE);
    assert_loads("x.txt", "solid told by its content\n" TWO_FACETS "endsolid\n", SQUARE);
}

Test(mesh_files, stl_welds_many)
{
    /* A height field: every inner vertex occurs six times, and the table of vertices must grow. */
    enum { SIDE = 60 };
    FILE *const file = fopen("x.stl", "wb");
    fprintf(file, "solid\n");
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        const int x = i / 2 % SIDE, y = i / 2 / SIDE, upper = i % 2;
        const int corners[3][2] = {{x, y}, {x + 1, y + upper}, {x + 1 - upper, y + 1}};
        fprintf(file, "facet\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const double u = corners[k][0] / 7.0, v = corners[k][1] / 11.0;
            fprintf(file, "vertex %.17g %.17g %.17g\n", u, v, u * v);
        }
        fprintf(file, "endloop\nendfacet\n");
    }
    fprintf(file, "endsolid\n");
    fclose(file);
    SCOPED_MESH mesh;
    assert_ok(geo_mesh_load("x.stl", &mesh, ERR));
    cr_assert_eq(mesh.face_count, 2 * SIDE * SIDE);
    cr_assert_eq(mesh.vertex_count, (SIDE + 1) * (SIDE + 1), "%zu", mesh.vertex_count);
}

Test(mesh_files, from_a_pipe)
{
    cr_assert_eq(mkfifo("x.off", 0600), 0);
    const pid_t child = fork();
    if (child == 0) {
        FILE *const file = fopen("x.off", "w");
        fprintf(file, "OFF\n4 1 0\n" OFF_BODY);
        for (int i = 0; i < 20000; i++) {
            fprintf(file, "# longer than the first chunk\n");
        }
        fclose(file);
        _exit(0);
    }
    SCOPED_MESH mesh;
    assert_ok(geo_mesh_load("x.off", &mesh, ERR));
    cr_assert(mesh.vertex_count == 4 && mesh.face_count == 2);
}

Test(mesh_files, decimal_comma_locale)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        scratch_leave();
        cr_skip_test("skipped: no locale with a decimal comma");
    }
    char comma[20];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    cr_assert_str_eq(comma, "0,5");
    assert_loads("x.obj", "v 0.5 0 0\nv 1e-1 0 0\nv 0 0 0.25\nf 1 2 3\n",
                 "0,5 0 0/0,10000000000000001 0 0/0 0 0,25|0 1 2");
    SCOPED_MESH mesh = load_good("x.obj", "v 0.5 0 0\nf 1 1 1\n", 18);
    char text[100] = "";
    FILE *const file = fmemopen(text, sizeof text, "w");
    assert_ok(geo_mesh_write_off(&mesh, file, ERR));
    fclose(file);
    cr_assert_str_eq(text, "OFF\n1 1 0\n0.5 0 0\n3 0 0 0\n");
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    cr_assert_str_eq(comma, "0,5", "the program's locale is its own again");
}

/* --- Binary files ----------------------------------------------------------------------------- */

Test(mesh_files, stl_binary)
{
    static const char *const titles[] = {"", "solid", "solid made by some exporter", "ply", "OFF"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        const bytes b = make_binary_stl(titles[i]);
        assert_loads_bytes("x.stl", b.at, b.size, SQUARE);
        assert_loads_bytes("x.txt", b.at, b.size, SQUARE);
    }
}

Test(mesh_files, off_binary)
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

Test(mesh_files, ply_ascii)
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

Test(mesh_files, ply_binary)
{
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const bytes b = make_binary_ply(big_endian != 0);
        assert_loads_bytes("x.ply", b.at, b.size,
                           "0 0 -2/0.10000000000000001 0 -2/"
                           "0.10000000000000001 0.10000000149011612 -2/0 0.10000000149011612 -2"
                           "|0 1 2/0 2 3");
    }
}

Test(mesh_files, ply_types)
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
        SCOPED_MESH mesh = load_good("x.ply", b.at, b.size);
        cr_assert_eq(mesh.vertices[0].z, types[i / 2].value, "%s: %g", name, mesh.vertices[0].z);
    }
}

/* --- All formats ------------------------------------------------------------------------------ */

Test(mesh_files, all_formats_agree)
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
    assert_ok(geo_mesh_write_off(&s.mesh, off, ERR));
    fclose(off);
    write_file("x.ply", ply.at, ply.size);
    static const char *const names[] = {"x.off", "x.obj", "x.ply"};
    for (size_t i = 0; i < 3; i++) {
        SCOPED_MESH mesh;
        assert_ok(geo_mesh_load(names[i], &mesh, ERR));
        assert_same_mesh(&s.mesh, &mesh, names[i]);
    }
    welded = load_good("x.stl", stl.at, stl.size);
    cr_assert(welded.vertex_count == 8 && welded.face_count == 12);
    for (int c = 0; c < 36; c++) {
        const vec3 p = welded.vertices[welded.faces[c / 3].v[c % 3]], q = s.v[s.f[c / 3].v[c % 3]];
        cr_assert(vec3_equal(p, (vec3){(float)q.x, (float)q.y, (float)q.z}), "corner %d", c);
    }
    geo_mesh_release(&welded);
}

/* --- Faults ----------------------------------------------------------------------------------- */

static void assert_fails_bytes(const char *name, const char *text, size_t size, base_status status,
                               const char *message)
{
    geo_mesh mesh;
    memset(&mesh, 0xff, sizeof mesh);
    base_error err = {0};
    const base_status got = load_bytes(name, text, size, &mesh, &err);
    cr_assert_eq(got, status, "%s:\n%.400s\nstatus %d, message: %s", name, text, (int)got,
                 err.text);
    cr_assert_str_eq(err.text, message, "%s:\n%.400s\n%s\nnot\n%s", name, text, err.text, message);
    cr_assert_eq(err.status, status);
    cr_assert(!mesh.vertices && !mesh.faces && mesh.vertex_count == 0 && mesh.face_count == 0,
              "zeroed");
    no_leak();
}

/** Asserts that a file is refused, with its line (0: without one) and the reason. */
static void fails(const char *name, int line, const char *text, const char *reason)
{
    char where[20] = "", message[400];
    if (line > 0) {
        snprintf(where, sizeof where, " line %d", line);
    }
    snprintf(message, sizeof message, "'%s'%s: %s", name, where, reason);
    assert_fails_bytes(name, text, strlen(text), BASE_ERR_INPUT, message);
}

static void off_fails(int line, const char *text, const char *reason)
{
    fails("x.off", line, text, reason);
}

static void obj_fails(int line, const char *text, const char *reason)
{
    fails("x.obj", line, text, reason);
}

static void stl_fails(int line, const char *text, const char *reason)
{
    fails("x.stl", line, text, reason);
}

static void ply_fails(int line, const char *text, const char *reason)
{
    fails("x.ply", line, text, reason);
}

Test(mesh_files, faults_of_files)
{
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(geo_mesh_load("none.off", &mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot open 'none.off': No such file or directory");
    cr_assert_eq(geo_mesh_load("", &mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot open '': No such file or directory");
    mkdir("d.off", 0700);
    cr_assert_eq(geo_mesh_load("d.off", &mesh, &err), BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "cannot read 'd.off': Is a directory");
    rmdir("d.off");
    cr_assert_eq(geo_mesh_load("/dev/null", &mesh, &err), BASE_ERR_INPUT);
    cr_assert_str_eq(err.text, "'/dev/null': a device, not a file");
    cr_assert_eq(geo_mesh_load("/dev/zero", &mesh, &err), BASE_ERR_INPUT);
    cr_assert_str_eq(err.text, "'/dev/zero': a device, not a file");
    cr_assert_eq(geo_mesh_load("none.off", &mesh, NULL), BASE_ERR_SYSTEM, "err may be NULL");
    static const char *const names[] = {"x.off", "x.obj", "x.stl", "x.ply", "x.txt"};
    for (size_t i = 0; i < 5; i++) {
        char message[40];
        snprintf(message, sizeof message, "'%s': empty file", names[i]);
        assert_fails_bytes(names[i], "", 0, BASE_ERR_INPUT, message);
    }
    static const char *const unknown[] = {"OFF\n", "plywood\n", "solids\n"};
    for (size_t i = 0; i < 3; i++) {
        assert_fails_bytes("x.txt", unknown[i], strlen(unknown[i]), BASE_ERR_INPUT,
                           "'x.txt': unknown format, not .off, .obj, .stl or .ply");
    }
}

#define FOUR "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

Test(mesh_files, faults_of_off_header)
{
    off_fails(3, "\n\n", "no OFF header");
    off_fails(1, "# OFF", "no OFF header");
    off_fails(1, "OF\n", "bad header, not OFF: 'OF'");
    off_fails(2, "\noff\n", "bad header, not OFF: 'off'");
    off_fails(1, "8 6 0\n", "bad header, not OFF: '8'");
    off_fails(1, "4OFF\n", "OFF of another dimension than 3");
    off_fails(1, "STC4nOFF\n", "OFF of another dimension than 3");
    off_fails(1, "OFF BINARY 8", "bad number of vertices 'BINARY'");
    off_fails(1, "OFF", "missing number of vertices");
    off_fails(1, "OFFX", "bad number of vertices 'X'");
    off_fails(2, "OFF\n8", "missing number of faces");
    off_fails(2, "OFF\n8.0 6 0\n", "bad number of vertices '8.0'");
    off_fails(2, "OFF\n-8 6 0\n", "bad number of vertices '-8'");
    off_fails(2, "OFF\n8 x 0\n", "bad number of faces 'x'");
    off_fails(2, "OFF\n8 6 x\n", "bad number of edges 'x'");
    off_fails(2, "OFF\n8 6 0 7\n", "extra text '7' after the counts");
    off_fails(2, "OFF\n99999999999999999999 6 0\n",
              "bad number of vertices '99999999999999999999'");
    off_fails(2, "OFF\n999999999999999999 999999999999999999 0\n0 0 0\n",
              "999999999999999999 vertices and 999999999999999999 faces do not fit into the 6 "
              "bytes that follow");
    off_fails(2, "OFF\n4 4000000000 0\n" FOUR,
              "4 vertices and 4000000000 faces do not fit into the 24 bytes that follow");
    off_fails(0, "OFF\n4 0 0\n" FOUR, "no faces");
    off_fails(0, "OFF\n0 0 0\n", "no faces");
    assert_fails_bytes("x.off", "OFF\n\n\0", 6, BASE_ERR_INPUT,
                       "'x.off' line 3: NUL byte, not a text file");
}

/** Replaces a number at an offset of the bytes. */
static void off_bytes_fail(const bytes *good, size_t at, uint32_t number, const char *message)
{
    bytes b = *good;
    for (size_t i = 0; i < 4; i++) {
        b.at[at + i] = (char)(number >> (24 - 8 * i));
    }
    assert_fails_bytes("x.off", b.at, b.size, BASE_ERR_INPUT, message);
}

Test(mesh_files, faults_of_off_binary)
{
    enum { COUNTS = 11, VERTICES = COUNTS + 12, FACES = VERTICES + 48, END = FACES + 52 };
    const bytes b = make_binary_off("OFF BINARY\n", 0);
    cr_assert_eq(b.size, END, "the offsets below count from here: %zu", b.size);
    assert_fails_bytes("x.off", "OFF BINARY", 10, BASE_ERR_INPUT,
                       "'x.off' byte 10: file ends inside a number");
    off_fails(1, "4OFF BINARY\n", "OFF of another dimension than 3");
    off_fails(1, "OF BINARY\n", "bad header, not OFF: 'OF'");
    off_bytes_fail(&b, COUNTS, 0xffffffff, "'x.off' byte 11: bad number of vertices -1");
    off_bytes_fail(&b, COUNTS, 9,
                   "'x.off' byte 23: 9 vertices and 2 faces do not fit into the 100 bytes that "
                   "follow");
    off_bytes_fail(&b, COUNTS + 4, 0x7fffffff,
                   "'x.off' byte 23: 4 vertices and 2147483647 faces do not fit into the 100 bytes "
                   "that follow");
    off_bytes_fail(&b, COUNTS + 4, 6,
                   "'x.off' byte 23: 4 vertices and 6 faces do not fit into the 100 bytes that "
                   "follow");
    off_bytes_fail(&b, COUNTS + 4, 1, "'x.off' byte 91: extra bytes after the last face");
    off_bytes_fail(&b, COUNTS + 4, 3, "'x.off' byte 123: file ends inside a number");
    off_bytes_fail(&b, VERTICES + 4, 0x7fc00000, "'x.off' byte 27: coordinate is not finite");
    off_bytes_fail(&b, VERTICES + 4, 0x7f000000,
                   "'x.off' byte 27: coordinate is out of range (0, or 1e-60 to 1e15 in size)");
    off_bytes_fail(&b, FACES, 2, "'x.off' byte 71: polygon of 2 vertices");
    off_bytes_fail(&b, FACES, 0x7fffffff,
                   "'x.off' byte 111: vertex index 1056964608 out of range (4 vertices)");
    off_bytes_fail(&b, FACES + 4, 4, "'x.off' byte 75: vertex index 4 out of range (4 vertices)");
    off_bytes_fail(&b, FACES + 12, 0x80000000, "'x.off' byte 83: bad vertex index -2147483648");
    off_bytes_fail(&b, FACES + 36, 4, "'x.off' byte 111: file ends inside a row of numbers");
    off_bytes_fail(&b, FACES + 36, 0x7fffffff,
                   "'x.off' byte 111: file ends inside a row of numbers");
    assert_fails_bytes("x.off", b.at, b.size - 1, BASE_ERR_INPUT,
                       "'x.off' byte 111: file ends inside a row of numbers");
    bytes longer = b;
    longer.at[longer.size++] = '\n';
    assert_fails_bytes("x.off", longer.at, longer.size, BASE_ERR_INPUT,
                       "'x.off' byte 123: extra bytes after the last face");
    no_leak();
}

Test(mesh_files, faults_of_off_body)
{
    off_fails(3, "OFF\n4 1 0\n0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n", "missing coordinate");
    off_fails(3, "OFF\n4 1 0\n0 0 a\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n", "bad coordinate 'a'");
    off_fails(3, "OFF\n4 1 0\n0 0 0x1\n1 0 0\n1 1 0\n0 1 0\n", "bad coordinate '0x1'");
    off_fails(3, "OFF\n4 1 0\n0 0 1,5\n1 0 0\n1 1 0\n0 1 0\n", "bad coordinate '1,5'");
    off_fails(3, "OFF\n4 1 0\n0 0 1e\n1 0 0\n1 1 0\n0 1 0\n", "bad coordinate '1e'");
    off_fails(3, "OFF\n4 1 0\n0 0 nan\n1 0 0\n1 1 0\n0 1 0\n", "coordinate 'nan' is not finite");
    off_fails(3, "OFF\n4 1 0\n-inf 0 0\n1 0 0\n1 1 0\n0 1 0\n", "coordinate '-inf' is not finite");
    off_fails(3, "OFF\n4 1 0\n0 1e999 0\n1 0 0\n1 1 0\n0 1 0\n",
              "coordinate '1e999' is not finite");
    off_fails(3, "OFF\n4 1 0\n0 1.1e15 0\n1 0 0\n1 1 0\n0 1 0\n",
              "coordinate '1.1e15' is out of range (0, or 1e-60 to 1e15 in size)");
    off_fails(3, "OFF\n4 1 0\n0 0 -1e-61\n1 0 0\n1 1 0\n0 1 0\n",
              "coordinate '-1e-61' is out of range (0, or 1e-60 to 1e15 in size)");
    off_fails(3, "OFF\n4 1 0\n0 0 0 0\n1 0 0\n1 1 0\n0 1 0\n",
              "extra text '0' after three coordinates");
    off_fails(3, "NOFF\n4 1 0\n0 0 0 0 0 z\n1 0 0\n1 1 0\n0 1 0\n", "bad number 'z'");
    off_fails(5, "OFF\n4 1 0\n0 0 0\n# 1 0 0, and a long comment\n",
              "file ends after 1 of 4 vertices");
    off_fails(7, "OFF\n4 2 0\n" FOUR "3 0 1 2   ", "file ends after 1 of 2 faces");
    off_fails(7, "OFF\n4 1 0\n" FOUR "2 0 1\n", "polygon of 2 vertices");
    off_fails(7, "OFF\n4 1 0\n" FOUR "0\n", "polygon of 0 vertices");
    off_fails(7, "OFF\n4 1 0\n" FOUR "-3 0 1 2\n", "bad number of corners '-3'");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1\n", "missing vertex index");
    off_fails(7, "OFF\n4 1 0\n" FOUR "999999999999 0 1 2 3\n", "missing vertex index");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 2.\n", "bad vertex index '2.'");
    off_fails(9, "OFF\n4 1 0\n" FOUR "\n#\n3 0 1 4\n", "vertex index 4 out of range (4 vertices)");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 -1\n", "vertex index -1 out of range (4 vertices)");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 4294967296\n",
              "vertex index 4294967296 out of range (4 vertices)");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 2 red\n", "bad number 'red'");
    off_fails(8, "OFF\n4 1 0\n" FOUR "3 0 1 2\n3 0 2 3\n", "extra text '3' after the last face");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbc\n",
              "bad vertex index 'aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbb...'");
    off_fails(7, "OFF\n4 1 0\n" FOUR "3 0 1 \x1b[31m\n", "bad vertex index '?[31m'");
}

Test(mesh_files, faults_of_obj)
{
    obj_fails(0, "\n", "no faces");
    obj_fails(0, "some text\n", "no faces");
    obj_fails(1, "v 0 0\n", "missing coordinate");
    obj_fails(1, "v 0 0 inf\n", "coordinate 'inf' is not finite");
    obj_fails(2, "v 0 0 \\\n z\n", "bad coordinate 'z'");
    obj_fails(2, "v 0 0 0\nf 1 1\n", "polygon of 2 vertices");
    obj_fails(2, "v 0 0 0\nf\n", "polygon of 0 vertices");
    obj_fails(2, "v 0 0 0\nf 1 1 0\n", "vertex index 0 out of range (1 vertices)");
    obj_fails(2, "v 0 0 0\nf 1 1 2\n", "vertex index 2 out of range (1 vertices)");
    obj_fails(1, "f -1 1 1\nv 0 0 0\n", "vertex index -1 out of range (1 vertices)");
    obj_fails(2, "v 0 0 0\nf 1 1 -2\n", "vertex index -2 out of range (1 vertices)");
    obj_fails(2, "v 0 0 0\nf 1 1 x\n", "bad vertex index 'x'");
    obj_fails(2, "v 0 0 0\nf 1 1 /1\n", "bad vertex index '/1'");
    obj_fails(2, "v 0 0 0\nf 1 1 1/x\n", "bad vertex index '1/x'");
    obj_fails(2, "v 0 0 0\nf 1 1 1/1-\n", "bad vertex index '1/1-'");
    obj_fails(2, "v 0 0 0\nf 1 1 1/1/1/1\n", "bad vertex index '1/1/1/1'");
    assert_fails_bytes("x.obj", "v 0 0 0\nv \0", 11, BASE_ERR_INPUT,
                       "'x.obj' line 2: NUL byte, not a text file");
}

#define LOOP "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

Test(mesh_files, faults_of_stl_ascii)
{
    stl_fails(2, "\n", "file ends where 'solid' is expected");
    stl_fails(1, "cube\n", "'solid' expected, not 'cube'");
    stl_fails(1, "solid", "file ends where 'facet' or 'endsolid' is expected");
    stl_fails(0, "solid\nendsolid\n", "no faces");
    stl_fails(2, "solid\nvertex\n", "'facet' or 'endsolid' expected, not 'vertex'");
    stl_fails(3, "solid\nfacet\nfacet\n", "'outer' expected, not 'facet'");
    stl_fails(5, "solid\nfacet\nouter loop\nvertex 0 0 0\nendloop\n",
              "'vertex' expected, not 'endloop'");
    stl_fails(4, "solid\nfacet\nouter loop\nvertex 0 0\n", "missing coordinate");
    stl_fails(4, "solid\nfacet\nouter loop\nvertex 0 0 nan\n", "coordinate 'nan' is not finite");
    stl_fails(4, "solid\nfacet\nouter loop\nvertex 0 0 0 0\n",
              "extra text '0' after three coordinates");
    stl_fails(7,
              "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
              "'endloop' expected, not 'vertex'");
    stl_fails(9, "solid\nfacet\n" LOOP, "file ends where 'facet' or 'endsolid' is expected");
    stl_fails(10, "solid\nfacet\n" LOOP "endsolid\nfacet\n", "'solid' expected, not 'facet'");
}

Test(mesh_files, faults_of_stl_binary)
{
    bytes b = make_binary_stl("cube");
    assert_fails_bytes("x.stl", b.at, 60, BASE_ERR_INPUT,
                       "'x.stl' byte 60: file ends inside the header of a binary STL");
    assert_fails_bytes("x.stl", b.at, b.size - 1, BASE_ERR_INPUT,
                       "'x.stl' byte 80: 2 triangles need 184 bytes, but the file has 183");
    assert_fails_bytes("x.stl", b.at, b.size + 1, BASE_ERR_INPUT,
                       "'x.stl' byte 80: 2 triangles need 184 bytes, but the file has 185");
    memset(b.at + 80, 0xff, 4);
    assert_fails_bytes(
        "x.stl", b.at, b.size, BASE_ERR_INPUT,
        "'x.stl' byte 80: 4294967295 triangles need 214748364834 bytes, but the file has 184");
    memset(b.at + 80, 0, 4);
    assert_fails_bytes("x.stl", b.at, 84, BASE_ERR_INPUT, "'x.stl': no faces");
    b = make_binary_stl("solid");
    memset(b.at + 84 + 50 + 12 + 16, 0xff, 4);
    assert_fails_bytes("x.stl", b.at, b.size, BASE_ERR_INPUT,
                       "'x.stl' byte 162: coordinate is not finite");
}

#define PLY_START  "ply\nformat ascii 1.0\n"
#define PLY_VERTEX "element vertex 1\nproperty int x\nproperty int y\nproperty int z\n"
#define PLY_FACE   "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_HEADER PLY_START PLY_VERTEX PLY_FACE

Test(mesh_files, faults_of_ply_header)
{
    ply_fails(1, "plyx\n", "bad header, not ply: 'plyx'");
    ply_fails(3, "\n\n", "missing header");
    ply_fails(1, "ply x\n", "extra text 'x' after 'ply'");
    ply_fails(3, "ply\nformat ascii 1.0\n", "file ends inside the header");
    ply_fails(2, "ply\nformat text 1.0\n", "bad format 'text'");
    ply_fails(2, "ply\nformat ascii 2.0\n", "bad version '2.0'");
    ply_fails(2, "ply\nformat ascii\n", "missing version");
    ply_fails(8, "ply\n" PLY_VERTEX PLY_FACE, "no format");
    ply_fails(3, PLY_START "vertex 1\n", "bad keyword 'vertex'");
    ply_fails(3, PLY_START "property int x\n", "property before the first element");
    ply_fails(3, PLY_START "element\n", "missing name of the element");
    ply_fails(3, PLY_START "element vertex\n", "missing number of rows");
    ply_fails(3, PLY_START "element vertex -1\n", "bad number of rows '-1'");
    ply_fails(3, PLY_START "element vertex 1 2\n", "extra text '2' after the number of rows");
    ply_fails(7, PLY_START PLY_VERTEX PLY_VERTEX, "bad element, the second of its name: 'vertex'");
    ply_fails(7, PLY_START PLY_VERTEX "property float y\n",
              "bad property, the second of its kind: 'y'");
    ply_fails(4, PLY_START "element vertex 1\nproperty real x\n", "bad type 'real'");
    ply_fails(4, PLY_START "element vertex 1\nproperty list int\n", "missing type");
    ply_fails(4, PLY_START "element vertex 1\nproperty int\n", "missing name of the property");
    ply_fails(4, PLY_START "element vertex 1\nproperty int x y\n",
              "extra text 'y' after the name of the property");
    ply_fails(5, PLY_START PLY_FACE, "no element 'vertex' with x, y and z");
    ply_fails(
        9,
        PLY_START
        "element vertex 1\nproperty list int int x\nproperty int y\nproperty int z\n" PLY_FACE,
        "no element 'vertex' with x, y and z");
    ply_fails(7, PLY_START PLY_VERTEX "end_header\n",
              "no element 'face' with a list vertex_indices");
    ply_fails(7, PLY_START PLY_VERTEX "end_header x\n", "extra text 'x' after 'end_header'");
}

Test(mesh_files, faults_of_ply_rows)
{
    ply_fails(10, PLY_HEADER "0 0\n3 0 0 0\n", "missing coordinate");
    ply_fails(10, PLY_HEADER "0 0 0 0\n3 0 0 0\n", "extra text '0' after the last property");
    ply_fails(10, PLY_HEADER "0 0 a\n3 0 0 0\n", "bad coordinate 'a'");
    ply_fails(10, PLY_HEADER "0 0 nan\n3 0 0 0\n", "coordinate is not finite");
    ply_fails(10, PLY_HEADER "0 0 1e39\n3 0 0 0\n",
              "coordinate is out of range (0, or 1e-60 to 1e15 in size)");
    ply_fails(11, PLY_HEADER "0 0 0\n3 0 0\n", "missing vertex index");
    ply_fails(11, PLY_HEADER "0 0 0\n3 0 0 1\n", "vertex index 1 out of range (1 vertices)");
    ply_fails(11, PLY_HEADER "0 0 0\n3 0 0 -1\n", "vertex index -1 out of range (1 vertices)");
    ply_fails(11, PLY_HEADER "0 0 0\n3 0 0 .5\n", "vertex index 0.5 out of range (1 vertices)");
    ply_fails(11, PLY_HEADER "0 0 0\n3 0 0 nan\n", "vertex index nan out of range (1 vertices)");
    ply_fails(11, PLY_HEADER "0 0 0\n2 0 0\n", "polygon of 2 vertices");
    ply_fails(11, PLY_HEADER "0 0 0\n-1 0 0\n", "bad length of a list");
    ply_fails(11, PLY_HEADER "0 0 0\n1e30 0 0\n", "bad length of a list");
    ply_fails(10, PLY_HEADER "0 0 0\n", "1 rows of 'face' do not fit into the 0 bytes that follow");
    ply_fails(11, PLY_HEADER "0 0 0\n     ", "file ends before the last row");
    ply_fails(12, PLY_HEADER "0 0 0\n3 0 0 0\n3 0 0 0\n", "extra text '3' after the last row");
    ply_fails(
        10,
        PLY_START PLY_VERTEX
        "element face 9\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 0\n",
        "9 rows of 'face' do not fit into the 8 bytes that follow");
    ply_fails(
        9,
        PLY_START
        "element vertex 1000000000000\nproperty int x\nproperty int y\nproperty int z\n" PLY_FACE
        "0 0 0\n",
        "1000000000000 rows of 'vertex' do not fit into the 6 bytes that follow");
}

Test(mesh_files, faults_of_ply_binary)
{
    static const char header[] = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
                                 "property float x\nproperty float y\nproperty float z\n"
                                 "element face 1\nproperty list int int vertex_indices\n"
                                 "end_header\n";
    enum { BODY = sizeof header - 1 };
    bytes b = {0};
    put_text(&b, header);
    put_integer(&b, 0, 12);
    put_integer(&b, 3, 4);
    put_integer(&b, 0, 12);
    geo_mesh mesh = load_good("x.ply", b.at, b.size);
    geo_mesh_release(&mesh);
    cr_assert_eq(BODY, 167, "the offsets below count from here: %d", (int)BODY);
    assert_fails_bytes("x.ply", b.at, b.size + 2, BASE_ERR_INPUT,
                       "'x.ply' byte 195: extra bytes after the last row");
    assert_fails_bytes("x.ply", b.at, b.size - 1, BASE_ERR_INPUT,
                       "'x.ply' byte 191: file ends inside a row");
    assert_fails_bytes("x.ply", b.at, BODY + 11, BASE_ERR_INPUT,
                       "'x.ply' byte 167: 1 rows of 'vertex' do not fit into the 11 bytes that "
                       "follow");
    b.at[BODY + 7] = (char)0xff; /* y = -infinity, 0xff800000 */
    b.at[BODY + 6] = (char)0x80;
    assert_fails_bytes("x.ply", b.at, b.size, BASE_ERR_INPUT,
                       "'x.ply' byte 171: coordinate is not finite");
    b.at[BODY + 7] = b.at[BODY + 6] = 0;
    b.at[BODY + 20] = 1; /* the second corner */
    assert_fails_bytes("x.ply", b.at, b.size, BASE_ERR_INPUT,
                       "'x.ply' byte 187: vertex index 1 out of range (1 vertices)");
    b.at[BODY + 20] = 0;
    memset(b.at + BODY + 12, 0x7f, 4); /* a list of two thousand million entries */
    assert_fails_bytes("x.ply", b.at, b.size, BASE_ERR_INPUT,
                       "'x.ply' byte 195: file ends inside a row");
    memset(b.at + BODY + 12, 0xff, 4);
    assert_fails_bytes("x.ply", b.at, b.size, BASE_ERR_INPUT,
                       "'x.ply' byte 179: bad length of a list");
    no_leak();
}

/* --- Damaged files ---------------------------------------------------------------------------- */

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

Test(mesh_files, cut_at_every_byte)
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

Test(mesh_files, random_bytes)
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

Test(mesh_files, out_of_memory)
{
    for (int format = 0; format < FORMATS; format++) {
        const char *name;
        const bytes b = make_file(format, &name);
        write_file(name, b.at, b.size);
        char message[40];
        snprintf(message, sizeof message, "'%s': out of memory", name);
        geo_mesh mesh;
        const size_t failures = COUNT_FAILURES(geo_mesh_load(name, &mesh, ERR), {
            cr_assert(!failed || (strcmp(ERR->text, message) == 0 && !mesh.vertices && !mesh.faces),
                      "%s", ERR->text);
            geo_mesh_release(&mesh);
        });
        cr_assert_geq(failures, 3, "format %d", format);
    }
    no_leak();
}
