#include "geometry/mesh.h"
#include "geometry/tests/mesh_bytes.h"

#include <sys/stat.h>

TestSuite(mesh_faults, .init = scratch_enter, .fini = scratch_leave);

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

static void off_fails(const char *text, const char *message)
{
    assert_fails_bytes("x.off", text, strlen(text), BASE_ERR_INPUT, message);
}

static void obj_fails(const char *text, const char *message)
{
    assert_fails_bytes("x.obj", text, strlen(text), BASE_ERR_INPUT, message);
}

static void stl_fails(const char *text, const char *message)
{
    assert_fails_bytes("x.stl", text, strlen(text), BASE_ERR_INPUT, message);
}

static void ply_fails(const char *text, const char *message)
{
    assert_fails_bytes("x.ply", text, strlen(text), BASE_ERR_INPUT, message);
}

Test(mesh_faults, files)
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

Test(mesh_faults, off_header)
{
    off_fails("\n\n", "'x.off' line 3: no OFF header");
    off_fails("# OFF", "'x.off' line 1: no OFF header");
    off_fails("OF\n", "'x.off' line 1: bad header, not OFF: 'OF'");
    off_fails("\noff\n", "'x.off' line 2: bad header, not OFF: 'off'");
    off_fails("8 6 0\n", "'x.off' line 1: bad header, not OFF: '8'");
    off_fails("4OFF\n", "'x.off' line 1: OFF of another dimension than 3");
    off_fails("STC4nOFF\n", "'x.off' line 1: OFF of another dimension than 3");
    off_fails("OFF BINARY 8", "'x.off' line 1: bad number of vertices 'BINARY'");
    off_fails("OFF", "'x.off' line 1: missing number of vertices");
    off_fails("OFFX", "'x.off' line 1: bad number of vertices 'X'");
    off_fails("OFF\n8", "'x.off' line 2: missing number of faces");
    off_fails("OFF\n8.0 6 0\n", "'x.off' line 2: bad number of vertices '8.0'");
    off_fails("OFF\n-8 6 0\n", "'x.off' line 2: bad number of vertices '-8'");
    off_fails("OFF\n8 x 0\n", "'x.off' line 2: bad number of faces 'x'");
    off_fails("OFF\n8 6 x\n", "'x.off' line 2: bad number of edges 'x'");
    off_fails("OFF\n8 6 0 7\n", "'x.off' line 2: extra text '7' after the counts");
    off_fails("OFF\n99999999999999999999 6 0\n",
              "'x.off' line 2: bad number of vertices '99999999999999999999'");
    off_fails("OFF\n999999999999999999 999999999999999999 0\n0 0 0\n",
              "'x.off' line 2: 999999999999999999 vertices and 999999999999999999 faces do not fit "
              "into the 6 bytes that follow");
    off_fails(
        "OFF\n4 4000000000 0\n" FOUR,
        "'x.off' line 2: 4 vertices and 4000000000 faces do not fit into the 24 bytes that follow");
    off_fails("OFF\n4 0 0\n" FOUR, "'x.off': no faces");
    off_fails("OFF\n0 0 0\n", "'x.off': no faces");
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

Test(mesh_faults, off_binary)
{
    enum { COUNTS = 11, VERTICES = COUNTS + 12, FACES = VERTICES + 48, END = FACES + 52 };
    const bytes b = make_binary_off("OFF BINARY\n", 0);
    cr_assert_eq(b.size, END, "the offsets below count from here: %zu", b.size);
    off_fails("OFF BINARY", "'x.off' byte 10: file ends inside a number");
    off_fails("4OFF BINARY\n", "'x.off' line 1: OFF of another dimension than 3");
    off_fails("OF BINARY\n", "'x.off' line 1: bad header, not OFF: 'OF'");
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

Test(mesh_faults, off_body)
{
    off_fails("OFF\n4 1 0\n0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n",
              "'x.off' line 3: missing coordinate");
    off_fails("OFF\n4 1 0\n0 0 a\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n",
              "'x.off' line 3: bad coordinate 'a'");
    off_fails("OFF\n4 1 0\n0 0 0x1\n1 0 0\n1 1 0\n0 1 0\n", "'x.off' line 3: bad coordinate '0x1'");
    off_fails("OFF\n4 1 0\n0 0 1,5\n1 0 0\n1 1 0\n0 1 0\n", "'x.off' line 3: bad coordinate '1,5'");
    off_fails("OFF\n4 1 0\n0 0 1e\n1 0 0\n1 1 0\n0 1 0\n", "'x.off' line 3: bad coordinate '1e'");
    off_fails("OFF\n4 1 0\n0 0 nan\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: coordinate 'nan' is not finite");
    off_fails("OFF\n4 1 0\n-inf 0 0\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: coordinate '-inf' is not finite");
    off_fails("OFF\n4 1 0\n0 1e999 0\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: coordinate '1e999' is not finite");
    off_fails("OFF\n4 1 0\n0 1.1e15 0\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: coordinate '1.1e15' is out of range (0, or 1e-60 to 1e15 in size)");
    off_fails("OFF\n4 1 0\n0 0 -1e-61\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: coordinate '-1e-61' is out of range (0, or 1e-60 to 1e15 in size)");
    off_fails("OFF\n4 1 0\n0 0 0 0\n1 0 0\n1 1 0\n0 1 0\n",
              "'x.off' line 3: extra text '0' after three coordinates");
    off_fails("NOFF\n4 1 0\n0 0 0 0 0 z\n1 0 0\n1 1 0\n0 1 0\n", "'x.off' line 3: bad number 'z'");
    off_fails("OFF\n4 1 0\n0 0 0\n# 1 0 0, and a long comment\n",
              "'x.off' line 5: file ends after 1 of 4 vertices");
    off_fails("OFF\n4 2 0\n" FOUR "3 0 1 2   ", "'x.off' line 7: file ends after 1 of 2 faces");
    off_fails("OFF\n4 1 0\n" FOUR "2 0 1\n", "'x.off' line 7: polygon of 2 vertices");
    off_fails("OFF\n4 1 0\n" FOUR "0\n", "'x.off' line 7: polygon of 0 vertices");
    off_fails("OFF\n4 1 0\n" FOUR "-3 0 1 2\n", "'x.off' line 7: bad number of corners '-3'");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1\n", "'x.off' line 7: missing vertex index");
    off_fails("OFF\n4 1 0\n" FOUR "999999999999 0 1 2 3\n", "'x.off' line 7: missing vertex index");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 2.\n", "'x.off' line 7: bad vertex index '2.'");
    off_fails("OFF\n4 1 0\n" FOUR "\n#\n3 0 1 4\n",
              "'x.off' line 9: vertex index 4 out of range (4 vertices)");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 -1\n",
              "'x.off' line 7: vertex index -1 out of range (4 vertices)");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 4294967296\n",
              "'x.off' line 7: vertex index 4294967296 out of range (4 vertices)");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 2 red\n", "'x.off' line 7: bad number 'red'");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 2\n3 0 2 3\n",
              "'x.off' line 8: extra text '3' after the last face");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbc\n",
              "'x.off' line 7: bad vertex index 'aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbb...'");
    off_fails("OFF\n4 1 0\n" FOUR "3 0 1 \x1b[31m\n", "'x.off' line 7: bad vertex index '?[31m'");
}

Test(mesh_faults, obj)
{
    obj_fails("\n", "'x.obj': no faces");
    obj_fails("some text\n", "'x.obj': no faces");
    obj_fails("v 0 0\n", "'x.obj' line 1: missing coordinate");
    obj_fails("v 0 0 inf\n", "'x.obj' line 1: coordinate 'inf' is not finite");
    obj_fails("v 0 0 \\\n z\n", "'x.obj' line 2: bad coordinate 'z'");
    obj_fails("v 0 0 0\nf 1 1\n", "'x.obj' line 2: polygon of 2 vertices");
    obj_fails("v 0 0 0\nf\n", "'x.obj' line 2: polygon of 0 vertices");
    obj_fails("v 0 0 0\nf 1 1 0\n", "'x.obj' line 2: vertex index 0 out of range (1 vertices)");
    obj_fails("v 0 0 0\nf 1 1 2\n", "'x.obj' line 2: vertex index 2 out of range (1 vertices)");
    obj_fails("f -1 1 1\nv 0 0 0\n", "'x.obj' line 1: vertex index -1 out of range (1 vertices)");
    obj_fails("v 0 0 0\nf 1 1 -2\n", "'x.obj' line 2: vertex index -2 out of range (1 vertices)");
    obj_fails("v 0 0 0\nf 1 1 x\n", "'x.obj' line 2: bad vertex index 'x'");
    obj_fails("v 0 0 0\nf 1 1 /1\n", "'x.obj' line 2: bad vertex index '/1'");
    obj_fails("v 0 0 0\nf 1 1 1/x\n", "'x.obj' line 2: bad vertex index '1/x'");
    obj_fails("v 0 0 0\nf 1 1 1/1-\n", "'x.obj' line 2: bad vertex index '1/1-'");
    obj_fails("v 0 0 0\nf 1 1 1/1/1/1\n", "'x.obj' line 2: bad vertex index '1/1/1/1'");
    assert_fails_bytes("x.obj", "v 0 0 0\nv \0", 11, BASE_ERR_INPUT,
                       "'x.obj' line 2: NUL byte, not a text file");
}

#define LOOP "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

Test(mesh_faults, stl_ascii)
{
    stl_fails("\n", "'x.stl' line 2: file ends where 'solid' is expected");
    stl_fails("cube\n", "'x.stl' line 1: 'solid' expected, not 'cube'");
    stl_fails("solid", "'x.stl' line 1: file ends where 'facet' or 'endsolid' is expected");
    stl_fails("solid\nendsolid\n", "'x.stl': no faces");
    stl_fails("solid\nvertex\n", "'x.stl' line 2: 'facet' or 'endsolid' expected, not 'vertex'");
    stl_fails("solid\nfacet\nfacet\n", "'x.stl' line 3: 'outer' expected, not 'facet'");
    stl_fails("solid\nfacet\nouter loop\nvertex 0 0 0\nendloop\n",
              "'x.stl' line 5: 'vertex' expected, not 'endloop'");
    stl_fails("solid\nfacet\nouter loop\nvertex 0 0\n", "'x.stl' line 4: missing coordinate");
    stl_fails("solid\nfacet\nouter loop\nvertex 0 0 nan\n",
              "'x.stl' line 4: coordinate 'nan' is not finite");
    stl_fails("solid\nfacet\nouter loop\nvertex 0 0 0 0\n",
              "'x.stl' line 4: extra text '0' after three coordinates");
    stl_fails("solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
              "'x.stl' line 7: 'endloop' expected, not 'vertex'");
    stl_fails("solid\nfacet\n" LOOP,
              "'x.stl' line 9: file ends where 'facet' or 'endsolid' is expected");
    stl_fails("solid\nfacet\n" LOOP "endsolid\nfacet\n",
              "'x.stl' line 10: 'solid' expected, not 'facet'");
}

Test(mesh_faults, stl_binary)
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

Test(mesh_faults, ply_header)
{
    ply_fails("plyx\n", "'x.ply' line 1: bad header, not ply: 'plyx'");
    ply_fails("\n\n", "'x.ply' line 3: missing header");
    ply_fails("ply x\n", "'x.ply' line 1: extra text 'x' after 'ply'");
    ply_fails("ply\nformat ascii 1.0\n", "'x.ply' line 3: file ends inside the header");
    ply_fails("ply\nformat text 1.0\n", "'x.ply' line 2: bad format 'text'");
    ply_fails("ply\nformat ascii 2.0\n", "'x.ply' line 2: bad version '2.0'");
    ply_fails("ply\nformat ascii\n", "'x.ply' line 2: missing version");
    ply_fails("ply\n" PLY_VERTEX PLY_FACE, "'x.ply' line 8: no format");
    ply_fails(PLY_START "vertex 1\n", "'x.ply' line 3: bad keyword 'vertex'");
    ply_fails(PLY_START "property int x\n", "'x.ply' line 3: property before the first element");
    ply_fails(PLY_START "element\n", "'x.ply' line 3: missing name of the element");
    ply_fails(PLY_START "element vertex\n", "'x.ply' line 3: missing number of rows");
    ply_fails(PLY_START "element vertex -1\n", "'x.ply' line 3: bad number of rows '-1'");
    ply_fails(PLY_START "element vertex 1 2\n",
              "'x.ply' line 3: extra text '2' after the number of rows");
    ply_fails(PLY_START PLY_VERTEX PLY_VERTEX,
              "'x.ply' line 7: bad element, the second of its name: 'vertex'");
    ply_fails(PLY_START PLY_VERTEX "property float y\n",
              "'x.ply' line 7: bad property, the second of its kind: 'y'");
    ply_fails(PLY_START "element vertex 1\nproperty real x\n", "'x.ply' line 4: bad type 'real'");
    ply_fails(PLY_START "element vertex 1\nproperty list int\n", "'x.ply' line 4: missing type");
    ply_fails(PLY_START "element vertex 1\nproperty int\n",
              "'x.ply' line 4: missing name of the property");
    ply_fails(PLY_START "element vertex 1\nproperty int x y\n",
              "'x.ply' line 4: extra text 'y' after the name of the property");
    ply_fails(PLY_START PLY_FACE, "'x.ply' line 5: no element 'vertex' with x, y and z");
    ply_fails(
        PLY_START
        "element vertex 1\nproperty list int int x\nproperty int y\nproperty int z\n" PLY_FACE,
        "'x.ply' line 9: no element 'vertex' with x, y and z");
    ply_fails(PLY_START PLY_VERTEX "end_header\n",
              "'x.ply' line 7: no element 'face' with a list vertex_indices");
    ply_fails(PLY_START PLY_VERTEX "end_header x\n",
              "'x.ply' line 7: extra text 'x' after 'end_header'");
}

Test(mesh_faults, ply_rows)
{
    ply_fails(PLY_HEADER "0 0\n3 0 0 0\n", "'x.ply' line 10: missing coordinate");
    ply_fails(PLY_HEADER "0 0 0 0\n3 0 0 0\n",
              "'x.ply' line 10: extra text '0' after the last property");
    ply_fails(PLY_HEADER "0 0 a\n3 0 0 0\n", "'x.ply' line 10: bad coordinate 'a'");
    ply_fails(PLY_HEADER "0 0 nan\n3 0 0 0\n", "'x.ply' line 10: coordinate is not finite");
    ply_fails(PLY_HEADER "0 0 1e39\n3 0 0 0\n",
              "'x.ply' line 10: coordinate is out of range (0, or 1e-60 to 1e15 in size)");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0\n", "'x.ply' line 11: missing vertex index");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0 1\n",
              "'x.ply' line 11: vertex index 1 out of range (1 vertices)");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0 -1\n",
              "'x.ply' line 11: vertex index -1 out of range (1 vertices)");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0 .5\n",
              "'x.ply' line 11: vertex index 0.5 out of range (1 vertices)");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0 nan\n",
              "'x.ply' line 11: vertex index nan out of range (1 vertices)");
    ply_fails(PLY_HEADER "0 0 0\n2 0 0\n", "'x.ply' line 11: polygon of 2 vertices");
    ply_fails(PLY_HEADER "0 0 0\n-1 0 0\n", "'x.ply' line 11: bad length of a list");
    ply_fails(PLY_HEADER "0 0 0\n1e30 0 0\n", "'x.ply' line 11: bad length of a list");
    ply_fails(PLY_HEADER "0 0 0\n",
              "'x.ply' line 10: 1 rows of 'face' do not fit into the 0 bytes that follow");
    ply_fails(PLY_HEADER "0 0 0\n     ", "'x.ply' line 11: file ends before the last row");
    ply_fails(PLY_HEADER "0 0 0\n3 0 0 0\n3 0 0 0\n",
              "'x.ply' line 12: extra text '3' after the last row");
    ply_fails(
        PLY_START PLY_VERTEX
        "element face 9\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 0\n",
        "'x.ply' line 10: 9 rows of 'face' do not fit into the 8 bytes that follow");
    ply_fails(
        PLY_START
        "element vertex 1000000000000\nproperty int x\nproperty int y\nproperty int z\n" PLY_FACE
        "0 0 0\n",
        "'x.ply' line 9: 1000000000000 rows of 'vertex' do not fit into the 6 bytes that follow");
}

Test(mesh_faults, ply_binary)
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
