#include "geometry/mesh.h"
#include "geometry/tests/mesh_bytes.h"

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
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(geo_mesh_load("x.stl", &mesh, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(mesh.face_count, 2 * SIDE * SIDE);
    cr_assert_eq(mesh.vertex_count, (SIDE + 1) * (SIDE + 1), "%zu", mesh.vertex_count);
    geo_mesh_release(&mesh);
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
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(geo_mesh_load("x.off", &mesh, &err), BASE_OK, "%s", err.text);
    cr_assert(mesh.vertex_count == 4 && mesh.face_count == 2);
    geo_mesh_release(&mesh);
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
    geo_mesh mesh = load_good("x.obj", "v 0.5 0 0\nf 1 1 1\n", 18);
    char text[100] = "";
    base_error err = {0};
    FILE *const file = fmemopen(text, sizeof text, "w");
    cr_assert_eq(geo_mesh_write_off(&mesh, file, &err), BASE_OK);
    fclose(file);
    cr_assert_str_eq(text, "OFF\n1 1 0\n0.5 0 0\n3 0 0 0\n");
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    cr_assert_str_eq(comma, "0,5", "the program's locale is its own again");
    geo_mesh_release(&mesh);
}
