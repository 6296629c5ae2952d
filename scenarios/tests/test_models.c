#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/pose.h"
#include "geometry/surface.h"
#include "geometry/tree.h"
#include "scenarios/models/models.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

static geo_mesh build(const char *name, size_t triangles)
{
    const scn_model *const model = scn_model_find(name);
    cr_assert_not_null(model, "%s", name);
    geo_mesh_builder mesh;
    base_error err = {0};
    cr_assert_eq(scn_model_make(model, triangles, &mesh, &err), BASE_OK, "%s: %s", name, err.text);
    return geo_mesh_builder_finish(&mesh);
}

static double volume_of(const char *name, size_t triangles)
{
    geo_mesh mesh = build(name, triangles);
    const double volume = geo_mesh_measures(&mesh).volume_m3;
    geo_mesh_release(&mesh);
    return volume;
}

static double relative(double value, double expected)
{
    return fabs(value / expected - 1);
}

/* --- The table and references ----------------------------------------------------------------- */

Test(models, table)
{
    size_t count = 0;
    for (const scn_model *model = scn_models; model->name; model++, count++) {
        cr_assert_gt(strlen(model->name), 0);
        cr_assert_eq(strspn(model->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                     strlen(model->name), "'%s'", model->name);
        cr_assert_eq(scn_model_find(model->name), model, "'%s' is there twice", model->name);
        cr_assert_null(strchr(model->summary, '\n'), "%s", model->name);
        cr_assert_leq(model->triangles_min, model->triangles, "%s", model->name);
        cr_assert((model->build != NULL) != (model->design != NULL), "%s", model->name);
    }
    cr_assert_eq(count, 36);
    cr_assert_null(scn_model_find("bol"));
    cr_assert_null(scn_model_find(""));
}

Test(models, open_by_name)
{
    static const struct {
        const char *reference, *name;
        size_t triangles;
    } cases[] = {
        {"box", "box", 12},
        {"sphere:triangles=80", "sphere", 80},
        {"sphere:triangles=20", "sphere", 20},
        {"nut:triangles=1200", "nut", 1200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_MESH opened, built = build(cases[i].name, cases[i].triangles);
        assert_ok(scn_mesh_open(cases[i].reference, &opened, ERR));
        const base_hash a = geo_mesh_hash(&opened), b = geo_mesh_hash(&built);
        cr_assert(a.hi == b.hi && a.lo == b.lo, "%s", cases[i].reference);
    }
}

Test(models, open_scaled_and_moved)
{
    SCOPED_MESH plain = build("frame", 32), placed;
    assert_ok(scn_mesh_open("frame:scale=0.5,x=1e6,z=-2", &placed, ERR));
    for (size_t i = 0; i < plain.vertex_count; i++) {
        const vec3 p = plain.vertices[i], q = placed.vertices[i];
        cr_assert(q.x == 0.5 * p.x + 1e6 && q.y == 0.5 * p.y && q.z == 0.5 * p.z - 2, "%zu", i);
    }
    geo_mesh_release(&placed);
    assert_ok(scn_mesh_open("frame:triangles=32", &placed, ERR));
    const base_hash a = geo_mesh_hash(&plain), b = geo_mesh_hash(&placed);
    cr_assert(a.hi == b.hi && a.lo == b.lo);
}

Test(models, open_stretched)
{
    static const struct {
        const char *options;
        vec3 factor, offset;
    } cases[] = {
        {"sx=2", {2, 1, 1}, {0, 0, 0}},
        {"sy=0.001", {1, 0.001, 1}, {0, 0, 0}},
        {"sz=1e-7,z=3", {1, 1, 1e-7}, {0, 0, 3}},
        {"x=-2,scale=0.5,sx=3,sy=2,sz=0.1", {1.5, 1, 0.1 / 2}, {-2, 0, 0}},
        {"sx=1,sy=1,sz=1", {1, 1, 1}, {0, 0, 0}},
        {"sz=0.5,scale=2", {2, 2, 1}, {0, 0, 0}},
    };
    geo_mesh plain = build("frame", 32), placed;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char reference[100];
        snprintf(reference, sizeof reference, "frame:%s", cases[k].options);
        assert_ok(scn_mesh_open(reference, &placed, ERR));
        const vec3 f = cases[k].factor, to = cases[k].offset;
        for (size_t i = 0; i < plain.vertex_count; i++) {
            const vec3 p = plain.vertices[i], q = placed.vertices[i];
            cr_assert(q.x == to.x + f.x * p.x && q.y == to.y + f.y * p.y && q.z == to.z + f.z * p.z,
                      "%s, vertex %zu", reference, i);
        }
        geo_mesh_release(&placed);
    }
    geo_mesh_release(&plain);
}

/** Opens a reference and checks the mesh. */
static geo_mesh_report open_and_check(const char *reference, geo_mesh *mesh)
{
    geo_mesh_report report;
    base_error err = {0};
    cr_assert_eq(scn_mesh_open(reference, mesh, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(geo_mesh_check(mesh, &report, &err), BASE_OK, "%s", err.text);
    return report;
}

/**
 * A simplified solid is a solid at the first of ten targets at which this succeeds. If it never
 * succeeds, the mesh of the first target is opened. The vertices are those of the moved full mesh.
 */
Test(models, open_simplified)
{
    static const struct {
        const char *full, *simplified;
        double most, least; /* share of the triangles */
        bool solid;
    } cases[] = {
        {"torus:triangles=2000,scale=3,x=1", "torus:triangles=2000,scale=3,x=1,simplify=0.1", 0.1,
         0.099, true},
        {"coral:triangles=5000", "coral:triangles=5000,simplify=0.5", 0.5, 0.499, true},
        {"bolt:triangles=3500", "bolt:triangles=3500,simplify=0.6", 0.99 * 0.6, 0.9 * 0.6, true},
        {"bolt:triangles=3500", "bolt:triangles=3500,simplify=0.3", 0.301, 0.299, false},
        {"quadruped-open:triangles=5000", "quadruped-open:triangles=5000,simplify=0.2", 0.201, 0.19,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        geo_mesh full, mesh;
        base_error err = {0};
        cr_assert_eq(scn_mesh_open(cases[i].full, &full, &err), BASE_OK, "%s", err.text);
        geo_mesh_report report = open_and_check(cases[i].simplified, &mesh);
        const double share = (double)mesh.face_count / (double)full.face_count;
        cr_assert_eq(report.solid, cases[i].solid, "%s", cases[i].simplified);
        cr_assert(cases[i].least <= share && share <= cases[i].most, "%s: %g", cases[i].simplified,
                  share);
        for (size_t v = 0, next = 0; v < mesh.vertex_count; v++, next++) {
            while (next < full.vertex_count && !vec3_equal(full.vertices[next], mesh.vertices[v])) {
                next++;
            }
            cr_assert_lt(next, full.vertex_count, "%s vertex %zu", cases[i].simplified, v);
        }
        geo_mesh_report_release(&report);
        geo_mesh_release(&full);
        geo_mesh_release(&mesh);
    }
    geo_mesh once, soup;
    geo_mesh_report report = open_and_check("torus:triangles=2000,simplify=0.1", &once);
    geo_mesh_report_release(&report);
    report = open_and_check("torus:soup=yes,simplify=0.1,triangles=2000", &soup);
    cr_assert_eq(soup.face_count, once.face_count, "a soup is simplified before it becomes one");
    cr_assert_eq(soup.vertex_count, 3 * once.face_count);
    geo_mesh_report_release(&report);
    geo_mesh_release(&once);
    geo_mesh_release(&soup);
}

/** A soup has the same triangles in the same order, and shares no vertex. */
Test(models, open_as_soup)
{
    static const char *const names[] = {"gear", "box:z=2"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const bool options = strchr(names[k], ':') != NULL;
        SCOPED_MESH plain, soup;
        char reference[60];
        base_error err = {0};
        snprintf(reference, sizeof reference, "%s%ssoup=no", names[k], options ? "," : ":");
        cr_assert_eq(scn_mesh_open(reference, &plain, &err), BASE_OK, "%s", err.text);
        cr_assert_lt(plain.vertex_count, plain.face_count);
        snprintf(reference, sizeof reference, "%s%ssoup=yes", names[k], options ? "," : ":");
        cr_assert_eq(scn_mesh_open(reference, &soup, &err), BASE_OK, "%s", err.text);
        cr_assert_eq(soup.face_count, plain.face_count);
        cr_assert_eq(soup.vertex_count, 3 * plain.face_count);
        for (size_t f = 0; f < soup.face_count; f++) {
            const geo_triangle a = geo_mesh_triangle(&plain, f), b = geo_mesh_triangle(&soup, f);
            for (uint32_t c = 0; c < 3; c++) {
                cr_assert(vec3_equal(a.p[c], b.p[c]), "%s face %zu", names[k], f);
                cr_assert_eq(soup.faces[f].v[c], 3 * f + c, "%s face %zu", names[k], f);
            }
        }
    }
    for (size_t failures = 0; failures < 6; failures++) {
        SCOPED_MESH mesh = {.face_count = 1};
        base_error err = {0};
        base_memory_fail_after(failures);
        const base_status status = scn_mesh_open("cube:soup=yes", &mesh, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || (status == BASE_ERR_MEMORY && mesh.face_count == 0));
    }
}

/** Returns the place of the triangle in the soup: its corners are the same in any order. */
static size_t find_triangle(const geo_mesh *mesh, geo_triangle wanted)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        size_t found = 0;
        for (size_t c = 0; c < 9; c++) {
            found += vec3_equal(t.p[c / 3], wanted.p[c % 3]);
        }
        if (found == 3) {
            return f;
        }
    }
    return SIZE_MAX;
}

Test(models, open_as_shuffled_soup)
{
    SCOPED_MESH plain, soup;
    assert_ok(scn_mesh_open("gear", &plain, ERR));
    assert_ok(scn_mesh_open("gear:soup=shuffled", &soup, ERR));
    cr_assert_eq(soup.face_count, plain.face_count);
    cr_assert_eq(soup.vertex_count, 3 * plain.face_count);
    size_t turned = 0, moved = 0;
    for (size_t f = 0; f < plain.face_count; f++) {
        const geo_triangle a = geo_mesh_triangle(&plain, f);
        const size_t at = find_triangle(&soup, a);
        cr_assert_neq(at, SIZE_MAX, "face %zu is missing", f);
        const geo_triangle b = geo_mesh_triangle(&soup, at);
        const vec3 n = vec3_cross(vec3_sub(a.p[1], a.p[0]), vec3_sub(a.p[2], a.p[0]));
        turned += vec3_dot(n, vec3_cross(vec3_sub(b.p[1], b.p[0]), vec3_sub(b.p[2], b.p[0]))) < 0;
        moved += at != f;
    }
    cr_expect_gt(3 * turned, plain.face_count);
    cr_expect_lt(3 * turned, 2 * plain.face_count);
    cr_expect_gt(moved, plain.face_count / 2);
}

/** An equal stretch along all axes gives the same bits as a scale. */
Test(models, stretch_is_scale)
{
    SCOPED_MESH scaled, stretched;
    assert_ok(scn_mesh_open("torus:triangles=500,scale=0.3,y=1", &scaled, ERR));
    assert_ok(scn_mesh_open("torus:triangles=500,y=1,sx=0.3,sy=0.3,sz=0.3", &stretched, ERR));
    const base_hash a = geo_mesh_hash(&scaled), b = geo_mesh_hash(&stretched);
    cr_assert(a.hi == b.hi && a.lo == b.lo);
}

Test(models, references_of_files)
{
    static const char *const files[] = {"a/b",     "b.off",         "b.off:1", "b.off:scale=0.5",
                                        "a:b.off", "./box:scale=2", "blot:0.5"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        cr_assert(scn_mesh_is_file(files[i]), "%s", files[i]);
    }
    static const char *const models[] = {"box", "box:scale=0.5", "box:0.5", "blot:scale=0.5", ""};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        cr_assert(!scn_mesh_is_file(models[i]), "%s", models[i]);
    }
}

Test(models, scaled_references)
{
    static const struct {
        const char *reference;
        double scale;
        const char *scaled; /* NULL: rejected */
        const char *says;
    } cases[] = {
        {"mine.off", 0.001, "mine.off:scale=0.001", NULL},
        {"a:1/mine.off", 0.0254, "a:1/mine.off:scale=0.0254", NULL},
        {"mine.off:x=1", 2, "mine.off:x=1,scale=2", NULL},
        {"bolt", 0.1, "bolt:scale=0.1", NULL},
        {"box:sx=2", 0.5, "box:sx=2,scale=0.5", NULL},
        {"bolt:triangles=5000", 1.0 / 3, "bolt:triangles=5000,scale=0.3333333333333333", NULL},
        {"mine.off", 0.1 + 0.2, "mine.off:scale=0.30000000000000004", NULL},
        {"mine.off", 1, "mine.off", NULL},
        {"mine.off:scale=2", 1, "mine.off:scale=2", NULL},
        {"mine.off:scale=2", 3, NULL, "already has a scale"},
        {"bolt:x=1,scale=2", 3, NULL, "already has a scale"},
        {"mine.off", 0, NULL, "scale 0 of 'mine.off'"},
        {"mine.off", -1, NULL, "scale -1 of 'mine.off'"},
        {"mine.off", (double)NAN, NULL, "nan of 'mine.off'"},
        {"mine.off", 1e-61, NULL, "it must be positive"},
        {"mine.off", 1e61, NULL, "it must be positive"},
    };
    SCOPED_ARENA arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *scaled = NULL;
        base_error err = {0};
        const base_status status =
            scn_mesh_scaled(cases[i].reference, cases[i].scale, &arena, &scaled, &err);
        cr_assert_eq(status == BASE_OK, cases[i].scaled != NULL, "case %zu: %s", i, err.text);
        if (cases[i].scaled) {
            cr_assert_str_eq(scaled, cases[i].scaled);
        } else {
            cr_assert_not_null(strstr(err.text, cases[i].says), "case %zu: %s", i, err.text);
        }
    }
}

Test(models, reduced)
{
    static const struct {
        const char *reference;
        size_t most;
        const char *reduced;
    } cases[] = {
        {"bolt", 9000, "bolt:triangles=9000"},
        {"bolt:triangles=9000", 9000, "bolt:triangles=9000"},
        {"bolt:triangles=9001", 9000, "bolt:triangles=9000"},
        {"bolt", 5, "bolt:triangles=3500"},
        {"box", 5, "box"},
        {"bolt:x=1,triangles=20000,soup=yes", 9000, "bolt:triangles=9000,x=1,soup=yes"},
        {"bolt:x=1", 9000, "bolt:triangles=9000,x=1"},
        {"none/mine.off:scale=2", 9000, "none/mine.off:scale=2"},
    };
    SCOPED_ARENA arena = {0};
    base_error err = {0};
    const char *reduced;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(scn_mesh_reduced(cases[i].reference, cases[i].most, &arena, &reduced, ERR));
        cr_assert_str_eq(reduced, cases[i].reduced);
        assert_ok(scn_mesh_check(reduced, ERR));
    }
    cr_assert_eq(scn_mesh_reduced("blot", 9000, &arena, &reduced, &err), BASE_ERR_ARGUMENT);
}

Test(models, open_refuses)
{
    static const struct {
        const char *reference;
        base_status status;
        const char *says;
    } cases[] = {
        {"blot", BASE_ERR_ARGUMENT, "unknown model 'blot'; did you mean 'bolt'"},
        {"", BASE_ERR_ARGUMENT, "unknown model ''"},
        {"bolt:", BASE_ERR_ARGUMENT, "'triangles=NUMBER'"},
        {"bolt:triangles=", BASE_ERR_ARGUMENT, "'triangles=NUMBER'"},
        {"bolt:triangles=2e4", BASE_ERR_ARGUMENT, "not 'triangles=2e4'"},
        {"bolt:triangles=-5", BASE_ERR_ARGUMENT, "'triangles=NUMBER'"},
        {"bolt:triangles=9000 ", BASE_ERR_ARGUMENT, "'triangles=NUMBER'"},
        {"bolt:faces=9000", BASE_ERR_ARGUMENT, "not 'faces=9000'"},
        {"bolt:scale=0", BASE_ERR_ARGUMENT, "'scale=FACTOR'"},
        {"bolt:scale=-1", BASE_ERR_ARGUMENT, "'scale=FACTOR'"},
        {"bolt:scale", BASE_ERR_ARGUMENT, "not 'scale'"},
        {"bolt:sx=0", BASE_ERR_ARGUMENT, "'sx=', 'sy=', 'sz=FACTOR', 'x='"},
        {"bolt:sy=-1", BASE_ERR_ARGUMENT, "not 'sy=-1'"},
        {"bolt:scale=2,sz=1e61", BASE_ERR_ARGUMENT, "not 'sz=1e61'"},
        {"bolt:sw=1", BASE_ERR_ARGUMENT, "not 'sw=1'"},
        {"bolt:x=far", BASE_ERR_ARGUMENT, "not 'x=far'"},
        {"bolt:x=inf", BASE_ERR_ARGUMENT, "not 'x=inf'"},
        {"bolt:w=1", BASE_ERR_ARGUMENT, "not 'w=1'"},
        {"bolt:soup=1", BASE_ERR_ARGUMENT, "'soup=yes' after the colon"},
        {"bolt:soup=", BASE_ERR_ARGUMENT, "not 'soup='"},
        {"no/such.off:soup=y", BASE_ERR_ARGUMENT, "not 'soup=y'"},
        {"bolt:simplify=0", BASE_ERR_ARGUMENT, "'simplify=SHARE'"},
        {"bolt:simplify=1.01", BASE_ERR_ARGUMENT, "not 'simplify=1.01'"},
        {"bolt:simplify=-0.5", BASE_ERR_ARGUMENT, "not 'simplify=-0.5'"},
        {"bolt:simplify=nan", BASE_ERR_ARGUMENT, "not 'simplify=nan'"},
        {"no/such.off:simplify=half", BASE_ERR_ARGUMENT, "not 'simplify=half'"},
        {"box:simplify=0.1", BASE_ERR_INPUT, "'box:simplify=0.1': it becomes flat"},
        {"bolt:scale=2,", BASE_ERR_ARGUMENT, "not ''"},
        {"bolt:scale=2,triangles=9", BASE_ERR_ARGUMENT, "not '9'"},
        {"bolt:triangles=3499", BASE_ERR_ARGUMENT, "3500 to 20000000 triangles, not '3499'"},
        {"bolt:triangles=20000001", BASE_ERR_ARGUMENT, "not '20000001'"},
        {"box:triangles=0", BASE_ERR_ARGUMENT, "12 to 20000000"},
        {"box:triangles=18446744073709551628", BASE_ERR_ARGUMENT, "12 to 20000000"},
        {"bolt:sx=1e40", BASE_ERR_ARGUMENT, "'bolt:sx=1e40': coordinate "},
        {"bolt:scale=1e-40,sx=1e-40", BASE_ERR_ARGUMENT,
         "out of range (0, or 1e-60 to 1e15 in size)"},
        {"bolt:scale=1e40", BASE_ERR_ARGUMENT, "out of range (0, or 1e-60 to 1e15 in size)"},
        {"bolt:x=-2e15", BASE_ERR_ARGUMENT, "'bolt:x=-2e15': coordinate -2e+15 is out of range"},
        {"no/such/file.off", BASE_ERR_SYSTEM, "no/such/file.off"},
        {"no/such.off:scale=2", BASE_ERR_SYSTEM, "cannot open 'no/such.off'"},
        {"no/such.off:scale=0", BASE_ERR_ARGUMENT, "'no/such.off' takes 'scale=FACTOR'"},
        {"no/such.off:scale=nan", BASE_ERR_ARGUMENT, "not 'scale=nan'"},
        {"no/such.off:scale=1e-400", BASE_ERR_ARGUMENT, "not 'scale=1e-400'"},
        {"no/such.off:sx=0", BASE_ERR_ARGUMENT, "'no/such.off' takes 'scale=FACTOR', 'sx='"},
        {"no/such.off:triangles=20", BASE_ERR_ARGUMENT, "not 'triangles=20'"},
        {"bolt.xyz", BASE_ERR_SYSTEM, "bolt.xyz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        geo_mesh mesh = {.face_count = 1};
        base_error err = {0};
        const base_status status = scn_mesh_open(cases[i].reference, &mesh, &err);
        cr_assert_eq(status, cases[i].status, "'%s': status %d", cases[i].reference, (int)status);
        cr_assert_not_null(strstr(err.text, cases[i].says), "'%s': %s", cases[i].reference,
                           err.text);
        cr_assert(!mesh.vertices && !mesh.faces && mesh.face_count == 0, "%s", cases[i].reference);
    }
    char lengthy[300];
    memset(lengthy, 'a', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = '\0';
    geo_mesh mesh;
    base_error err = {0};
    cr_assert_eq(scn_mesh_open(lengthy, &mesh, &err), BASE_ERR_ARGUMENT);
}

Test(models, open_file)
{
    char path[] = "/tmp/test_models_XXXXXX.off";
    const int descriptor = mkstemps(path, 4);
    cr_assert_geq(descriptor, 0);
    FILE *const file = fdopen(descriptor, "w");
    geo_mesh written = build("nut", 1200), read;
    base_error err = {0};
    assert_ok(geo_mesh_write_off(&written, file, ERR));
    fclose(file);
    assert_ok(scn_mesh_open(path, &read, ERR));
    const base_hash a = geo_mesh_hash(&written), b = geo_mesh_hash(&read);
    cr_assert(a.hi == b.hi && a.lo == b.lo);
    geo_mesh_release(&read);

    char scaled[sizeof path + 40];
    snprintf(scaled, sizeof scaled, "%s:scale=0.001,y=2", path);
    assert_ok(scn_mesh_open(scaled, &read, ERR));
    for (size_t i = 0; i < written.vertex_count; i++) {
        const vec3 p = written.vertices[i], q = read.vertices[i];
        cr_assert(q.x == 0.001 * p.x && q.y == 0.001 * p.y + 2 && q.z == 0.001 * p.z, "%zu", i);
    }
    geo_mesh_release(&read);
    snprintf(scaled, sizeof scaled, "%s:sy=0.25", path);
    assert_ok(scn_mesh_open(scaled, &read, ERR));
    for (size_t i = 0; i < written.vertex_count; i++) {
        const vec3 p = written.vertices[i], q = read.vertices[i];
        cr_assert(q.x == p.x && q.y == 0.25 * p.y && q.z == p.z, "%zu", i);
    }
    geo_mesh_release(&read);
    snprintf(scaled, sizeof scaled, "%s:scale=1", path);
    assert_ok(scn_mesh_open(scaled, &read, ERR));
    const base_hash c = geo_mesh_hash(&read);
    cr_assert(a.hi == c.hi && a.lo == c.lo);
    geo_mesh_release(&read);
    snprintf(scaled, sizeof scaled, "%s:scale=1e50", path);
    cr_assert_eq(scn_mesh_open(scaled, &read, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "is out of range"), "%s", err.text);

    unlink(path);
    geo_mesh_release(&written);
}

/** A file whose name looks like a reference with options is opened as that file. */
Test(models, open_file_with_a_colon)
{
    char folder[] = "/tmp/test_models_XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    static const char *const names[] = {"a:b.off", "c.off:scale=2.off", "d.off:1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        FILE *const file = fopen(path, "w");
        cr_assert_not_null(file);
        SCOPED_MESH written = build("box", 12), read;
        base_error err = {0};
        assert_ok(geo_mesh_write_off(&written, file, ERR));
        fclose(file);
        const bool known = strstr(names[i], ".off:1") == NULL;
        const base_status status = scn_mesh_open(path, &read, &err);
        unlink(path);
        cr_assert_eq(status == BASE_OK, known, "%s: %s", names[i], err.text);
        cr_assert(known || strstr(err.text, "unknown format"), "%s", err.text);
        cr_assert(!known || read.vertices[7].x == written.vertices[7].x, "%s", names[i]);
    }
    rmdir(folder);
}

/* --- Every model is a clean solid ------------------------------------------------------------- */

static void expect_solid(const char *name, size_t triangles)
{
    SCOPED_MESH mesh = build(name, triangles);
    SCOPED_REPORT report;
    char reason[512];
    assert_ok(geo_mesh_check(&mesh, &report, ERR));
    geo_mesh_report_reason(&report, reason, sizeof reason);
    cr_assert(report.solid, "%s:triangles=%zu: %s", name, triangles, reason);
    for (int kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        cr_assert_eq(report.counts[kind], 0, "%s:triangles=%zu: %s", name, triangles,
                     geo_defect_name((geo_defect_kind)kind));
    }
    const uint32_t components = strcmp(name, "shell") == 0    ? 2
                                : strcmp(name, "nested") == 0 ? 6
                                : strcmp(name, "brake") == 0  ? 4
                                : strcmp(name, "hinge") == 0  ? 3
                                                              : 1;
    cr_assert_eq(report.component_count, components, "%s:triangles=%zu: %u components", name,
                 triangles, report.component_count);
    cr_assert_eq(report.unused_vertices, 0, "%s:triangles=%zu", name, triangles);
    cr_assert(!report.inside_out);
    const vec3 size = vec3_sub(report.box.hi, report.box.lo);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    cr_assert(longest > 0.04 && longest < 0.11, "%s: %g m", name, longest);
}

Test(models, solid_when_coarse)
{
    for (const scn_model *model = scn_models; model->name; model++) {
        const size_t counts[] = {0, model->triangles_min + 37, 5000, 12345};
        for (size_t i = 0; !model->open && i < sizeof counts / sizeof *counts; i += sweep_step(2)) {
            expect_solid(model->name, counts[i]);
        }
    }
}

Test(models, solid_when_fine)
{
    static const char *const names[] = {"box",        "sphere",    "torus", "cylinder",
                                        "pump-idler", "quadruped", "coral"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i += sweep_step(3)) {
        expect_solid(names[i], 50000);
    }
}

Test(models, solid_in_the_paper_setting)
{
    static const char *const names[] = {"bolt",       "nut",        "pump-housing",
                                        "pump-rotor", "artificial", "brake"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i += sweep_step(2)) {
        expect_solid(names[i], scn_model_find(names[i])->triangles);
    }
}

/** With more than 60000 triangles flesh is subdivided. */
Test(models, solid_when_subdivided)
{
    expect_solid("quadruped", 61000);
    expect_solid("coral", 100000);
}

/* --- The quadruped without feet --------------------------------------------------------------- */

/** The mesh is open at four legs and nowhere else, and has the requested resolution. */
Test(models, open_quadruped)
{
    static const size_t counts[] = {5000, 20000, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        SCOPED_MESH mesh = build("quadruped-open", counts[i]);
        SCOPED_REPORT report;
        assert_ok(geo_mesh_check(&mesh, &report, ERR));
        cr_assert_lt(relative((double)mesh.face_count, (double)counts[i]), 0.025, "%zu triangles",
                     mesh.face_count);
        cr_assert_eq(report.component_count, 1, "%zu triangles", counts[i]);
        cr_assert_eq(report.unused_vertices, 0, "%zu triangles", counts[i]);
        cr_assert_gt(report.counts[GEO_DEFECT_OPEN_EDGE], 0, "%zu triangles", counts[i]);
        for (int kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
            cr_assert(kind == GEO_DEFECT_OPEN_EDGE || report.counts[kind] == 0, "%zu triangles: %s",
                      counts[i], geo_defect_name((geo_defect_kind)kind));
        }
        const geo_box box = geo_mesh_box(&mesh);
        cr_assert(box.lo.z >= 0.02 && box.lo.z < 0.0202, "%zu triangles: from %g m on", counts[i],
                  box.lo.z);
    }
}

/* --- The car is an assembly ------------------------------------------------------------------- */

/** Computes the least and the greatest of the longest edges of all faces. */
static void edge_range(const geo_mesh *mesh, double *least, double *greatest)
{
    *least = INFINITY;
    *greatest = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            longest = fmax(longest, vec3_distance(t.p[k], t.p[(k + 1) % 3]));
        }
        *least = fmin(*least, longest);
        *greatest = fmax(*greatest, longest);
    }
}

/** Parts are open, intersect each other and have both orientations, but no face has area 0. */
static void expect_assembly(size_t triangles)
{
    SCOPED_MESH mesh = build("car", triangles);
    SCOPED_REPORT report;
    cr_assert_eq(mesh.face_count, triangles);
    assert_ok(geo_mesh_check(&mesh, &report, ERR));
    static const geo_defect_kind none[] = {
        GEO_DEFECT_NONMANIFOLD_EDGE, GEO_DEFECT_INCONSISTENT_EDGE, GEO_DEFECT_NONMANIFOLD_VERTEX,
        GEO_DEFECT_DEGENERATE_FACE, GEO_DEFECT_DUPLICATE_FACE};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_assert_eq(report.counts[none[i]], 0, "%zu: %s", triangles, geo_defect_name(none[i]));
    }
    cr_assert_gt(report.counts[GEO_DEFECT_OPEN_EDGE], triangles / 20, "%zu", triangles);
    cr_assert_gt(report.counts[GEO_DEFECT_SELF_INTERSECTION], triangles / 20, "%zu", triangles);
    cr_assert_eq(report.unused_vertices, 0, "%zu", triangles);
    cr_assert_gt(report.component_count, 400, "%zu: %u", triangles, report.component_count);
    const vec3 size = vec3_sub(report.box.hi, report.box.lo);
    cr_assert(size.x > 0.099 && size.x < 0.102, "%zu: %g", triangles, size.x);
    cr_assert(relative(size.y, size.x * 1.9 / 3.9) < 0.03, "%zu: %g", triangles, size.y);
    cr_assert(relative(size.z, size.x * 1.43 / 3.9) < 0.03, "%zu: %g", triangles, size.z);
}

Test(models, assembly)
{
    const size_t counts[] = {11072, 11073, 12345, 30000, 150001};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i += sweep_step(3)) {
        expect_assembly(counts[i]);
    }
}

/** At the size of the paper, the largest triangles are hundreds of times as long as the
 * smallest. */
Test(models, assembly_in_the_paper_setting)
{
    SCOPED_MESH mesh = build("car", scn_model_find("car")->triangles);
    cr_assert_eq(mesh.face_count, 3024231, "%zu", mesh.face_count);
    const base_hash_text hash = base_hash_format(geo_mesh_hash(&mesh));
    cr_expect_str_eq(hash.hex, "c577e40d21980d2c1dce32967e8c6444", "%s", hash.hex);
    double least, greatest;
    edge_range(&mesh, &least, &greatest);
    cr_assert(least > 0 && greatest / least > 500, "%g to %g", least, greatest);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            cr_assert(geo_coordinate_valid(vec3_get(mesh.vertices[i], k)), "vertex %zu", i);
        }
    }
}

Test(models, triangle_counts)
{
    const double more = sweep_step(3) == 1 ? 1.87 : 6.5;
    for (const scn_model *model = scn_models; model->name; model++) {
        const bool squares = strstr(model->summary, " n^2 ");
        const bool flesh = model->triangles == 60000;
        const double least_wanted = fmax(5000, (double)model->triangles_min);
        for (double wanted = least_wanted; wanted < (flesh ? 50000 : 200000); wanted *= more) {
            SCOPED_MESH mesh = build(model->name, (size_t)wanted);
            const double error = (double)mesh.face_count / wanted - 1;
            cr_assert_lt(fabs(error), squares ? 0.1 : 0.025, "%s:triangles=%.0f: %zu", model->name,
                         wanted, mesh.face_count);
        }
        SCOPED_MESH least = build(model->name, model->triangles_min), none = build(model->name, 0);
        cr_assert_leq(none.face_count, least.face_count, "%s", model->name);
        cr_assert_lt(fabs((double)least.face_count - (double)model->triangles_min),
                     0.05 * (double)model->triangles_min, "%s: %zu", model->name, least.face_count);
    }
}

Test(models, paper_counts)
{
    SCOPED_MESH bolt = build("bolt", scn_model_find("bolt")->triangles);
    SCOPED_MESH nut = build("nut", scn_model_find("nut")->triangles);
    geo_mesh artificial = build("artificial", scn_model_find("artificial")->triangles);
    cr_assert_eq(artificial.face_count, 7088, "%zu", artificial.face_count);
    geo_mesh_release(&artificial);
    geo_mesh brake = build("brake", scn_model_find("brake")->triangles);
    cr_assert_lt(relative((double)brake.face_count, 24251), 0.0003, "%zu", brake.face_count);
    geo_mesh_release(&brake);
    SCOPED_MESH housing = build("pump-housing", scn_model_find("pump-housing")->triangles);
    SCOPED_MESH rotor = build("pump-rotor", scn_model_find("pump-rotor")->triangles);
    const double pair = (double)(bolt.face_count + nut.face_count);
    const double pump = (double)(housing.face_count + rotor.face_count);
    cr_assert_lt(relative(pair, 171000), 0.003, "%.0f", pair);
    cr_assert_lt(relative(pump, 330000), 0.003, "%.0f", pump);
}

/* --- Shapes ----------------------------------------------------------------------------------- */

Test(models, boxes)
{
    static const struct {
        const char *name;
        geo_box box;
        double slack; /* tolerance of each side: chords, and blended skin where bones overlap */
    } cases[] = {
        {"box", {{-0.05, -0.04, -0.03}, {0.05, 0.04, 0.03}}, 0},
        {"sphere", {{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}}, 3e-5},
        {"torus", {{-0.05, -0.05, -0.015}, {0.05, 0.05, 0.015}}, 3e-5},
        {"cylinder", {{-0.03, -0.03, -0.05}, {0.03, 0.03, 0.05}}, 3e-5},
        {"bolt", {{-0.021, -0.0181866, -0.015}, {0.021, 0.0181866, 0.079}}, 1e-7},
        {"nut", {{-0.021, -0.0181866, 0.043}, {0.021, 0.0181866, 0.063}}, 1e-7},
        {"pump-housing", {{-0.05, -0.03, 0}, {0.05, 0.03, 0.03}}, 1e-15},
        {"pump-rotor", {{-0.004, -0.0232, 0.0053}, {0.044, 0.0232, 0.05}}, 4e-5},
        {"pump-idler", {{-0.0432, -0.024, 0.0053}, {0.0032, 0.024, 0.05}}, 4e-5},
        {"quadruped", {{-0.052, -0.018, 0}, {0.055, 0.018, 0.088}}, 1e-3},
        {"cube", {{-0.03125, -0.03125, -0.03125}, {0.03125, 0.03125, 0.03125}}, 0},
        {"slab", {{-0.046875, -0.03125, -5e-10}, {0.046875, 0.03125, 5e-10}}, 0},
        {"shell", {{-0.046875, -0.046875, -0.046875}, {0.046875, 0.046875, 0.046875}}, 0},
        {"nested", {{-0.046875, -0.046875, -0.046875}, {0.046875, 0.046875, 0.046875}}, 0},
        {"frame", {{-0.046875, -0.046875, -0.0078125}, {0.046875, 0.046875, 0.0078125}}, 0},
        {"needle",
         {{-0.00048828125, -0.00048828125, -0.046875}, {0.00048828125, 0.00048828125, 0.046875}},
         0},
        {"coral", {{-0.047, -0.046, 0}, {0.045, 0.046, 0.087}}, 1e-3},
        {"channel", {{-0.046875, -0.046875, -0.03125}, {0.046875, 0.046875, 0.03125}}, 0},
        {"bore", {{-0.05, -0.05, -0.01}, {0.05, 0.05, 0.01}}, 3e-5},
        {"pin", {{-0.02, -0.02, -0.03}, {0.02, 0.02, 0.03}}, 3e-6},
        {"cone", {{-0.04, -0.04, 0}, {0.04, 0.04, 0.06}}, 3e-5},
        {"brake", {{-0.048, -0.048, -0.0085}, {0.0535, 0.048, 0.0215}}, 3e-5},
        {"car", {{-0.0505, -0.0245, 0}, {0.0505, 0.0245, 0.0372}}, 1e-3},
        {"artificial", {{-0.05, -0.036, 0}, {0.05, 0.036, 0.09}}, 3e-5},
        {"enclosure", {{-0.054, -0.047, -0.018}, {0.054, 0.047, 0.018}}, 0},
        {"bracket", {{0, -0.022, 0}, {0.064, 0.022, 0.044}}, 0},
        {"housing", {{-0.052, -0.036, -0.022}, {0.052, 0.036, 0.026}}, 0},
        {"gear", {{-0.026, -0.026, -0.044}, {0.026, 0.026, 0.044}}, 3e-5},
        {"perforated-plate", {{-0.05, -0.032, -0.001}, {0.05, 0.032, 0.009}}, 0},
        {"heat-sink", {{-0.045, -0.032, 0}, {0.045, 0.032, 0.034}}, 1e-6},
        {"hinge", {{-0.0425, -0.036, -0.004}, {0.0425, 0.036, 0.004}}, 3e-5},
        {"gripper", {{-0.03, -0.01, -0.04}, {0.03, 0.01, 0.026}}, 0},
        {"comb", {{-0.046, 0, -0.005}, {0.046, 0.038, 0.005}}, 1e-6},
        {"cavity", {{-0.03, -0.03, -0.02}, {0.03, 0.03, 0.02}}, 0},
        {"key", {{-0.015, -0.0055, -0.009}, {0.015, 0.0055, 0.048}}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_MESH mesh = build(cases[i].name, 20000);
        const geo_box box = geo_mesh_box(&mesh), want = cases[i].box;
        for (int axis = 0; axis < 3; axis++) {
            const double lo = vec3_get(box.lo, axis), hi = vec3_get(box.hi, axis);
            cr_assert_leq(fabs(lo - vec3_get(want.lo, axis)), cases[i].slack, "%s axis %d: %.17g",
                          cases[i].name, axis, lo);
            cr_assert_leq(fabs(hi - vec3_get(want.hi, axis)), cases[i].slack, "%s axis %d: %.17g",
                          cases[i].name, axis, hi);
        }
    }
}

Test(models, box_volume)
{
    const size_t counts[] = {12, 44, 300, 5000, 50000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const double volume = volume_of("box", counts[i]);
        cr_assert_lt(relative(volume, 0.1 * 0.08 * 0.06), 1e-12, "%zu: %.17g", counts[i], volume);
    }
}

/** Flat bodies on a lattice are exact at every resolution. */
Test(models, lattice_volumes)
{
    static const struct {
        const char *name;
        double units; /* volume in cubic units of (1/1024 m)^3 */
    } cases[] = {
        {"cube", 64. * 64 * 64},
        {"slab", 96. * 64 * 1e-9 * 1024},
        {"shell", 96. * 96 * 96 - 64. * 64 * 64},
        {"nested", 884736 - 512000 + 262144 - 110592 + 32768 - 4096.},
        {"frame", (96. * 96 - 32 * 32) * 16},
        {"needle", 80 + 16 / 3.},
        {"channel", (96. * 64 - 68 * 56) * 96},
    };
    const size_t counts[] = {0, 300, 5000, 20000};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            const double volume = volume_of(cases[i].name, counts[k]) * 0x1p30;
            cr_assert_lt(relative(volume, cases[i].units), 1e-12, "%s:triangles=%zu: %.17g",
                         cases[i].name, counts[k], volume);
        }
    }
}

Test(models, lattice_faces_are_flat)
{
    const size_t counts[] = {12, 588, 28812, 30000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        SCOPED_MESH mesh = build("cube", counts[k]);
        for (size_t i = 0; i < mesh.vertex_count; i++) {
            const vec3 p = mesh.vertices[i];
            const double most = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
            cr_assert_eq(most, 0.03125, "%zu, vertex %zu: %.17g", counts[k], i, most);
        }
    }
}

/** Returns the number of vertices in the plane through the model's top at the largest distance from
 * the z axis. */
static size_t corners_at_top(const geo_mesh *mesh, double z, double radius)
{
    size_t corners = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 p = mesh->vertices[i];
        corners += p.z == z && sqrt(p.x * p.x + p.y * p.y) > radius * (1 - 1e-9);
    }
    return corners;
}

static double regular_polygon_area(size_t corners, double radius)
{
    return 0.5 * (double)corners * radius * radius * base_sin(2 * BASE_PI / (double)corners);
}

Test(models, cylinder_volume)
{
    const size_t counts[] = {140, 1000, 5000, 50000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        SCOPED_MESH mesh = build("cylinder", counts[i]);
        const size_t corners = corners_at_top(&mesh, 0.05, 0.03);
        const double volume = geo_mesh_measures(&mesh).volume_m3;
        cr_assert_geq(corners, 10, "%zu", corners);
        cr_assert_lt(relative(volume, regular_polygon_area(corners, 0.03) * 0.1), 1e-12,
                     "%zu: %.17g", counts[i], volume);
    }
}

/** The solid is bounded by regular polygons of radius R + r cos a at z = r sin a. */
Test(models, torus_volume)
{
    const size_t counts[] = {120, 1000, 5000, 50000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        SCOPED_MESH mesh = build("torus", counts[i]);
        size_t around = 0;
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            around += mesh.vertices[v].z == 0 && vec3_norm(mesh.vertices[v]) > 0.04;
        }
        const size_t rings = mesh.vertex_count / around;
        double volume = 0;
        for (size_t k = 0; k < rings; k++) {
            const double a = 2 * BASE_PI * (double)k / (double)rings;
            const double b = 2 * BASE_PI * (double)(k + 1) / (double)rings;
            const double ra = 0.035 + 0.015 * base_cos(a), rb = 0.035 + 0.015 * base_cos(b);
            const double dz = 0.015 * (base_sin(b) - base_sin(a));
            volume += dz * (ra * ra + ra * rb + rb * rb) / 3;
        }
        volume *= regular_polygon_area(around, 1);
        const double measured = geo_mesh_measures(&mesh).volume_m3;
        cr_assert_lt(relative(measured, volume), 1e-12, "%zu: %.17g, not %.17g", counts[i],
                     measured, volume);
    }
}

/** The error must decrease in proportion to 1 / triangles, the square of the edge length. */
static void expect_second_order(const char *name, double exact, double error_at_5000)
{
    const double coarse = relative(volume_of(name, 5000), exact);
    const double fine = relative(volume_of(name, 80000), exact);
    cr_assert_lt(coarse, error_at_5000, "%s: %g", name, coarse);
    cr_assert(fine < coarse / 10 || fine < 1e-6, "%s: %g, then %g", name, coarse, fine);
}

Test(models, volumes_converge)
{
    expect_second_order("sphere", 4 * BASE_PI / 3 * 0.05 * 0.05 * 0.05, 3e-3);
    expect_second_order("cylinder", BASE_PI * 0.03 * 0.03 * 0.1, 2e-3);
    expect_second_order("bore", BASE_PI * (0.05 * 0.05 - 0.021 * 0.021) * 0.02, 2e-3);
    expect_second_order("pin", BASE_PI * 0.02 * 0.02 * 0.06, 2e-3);
    expect_second_order("cone", BASE_PI / 3 * 0.04 * 0.04 * 0.06, 4e-3);
    expect_second_order("torus", 2 * BASE_PI * BASE_PI * 0.035 * 0.015 * 0.015, 1e-2);
}

/**
 * Returns the volume between a cylinder and the thread cut into it, over `length`. The groove
 * begins half a pitch from `ends` of its ends and deepens linearly over a pitch. The profile has
 * mean 1/2 and mean square 5/12.
 */
static double groove_volume(double radius, double depth, double pitch, double length, int ends)
{
    const double faded = length - pitch * ends, squared = length - 7.0 / 6 * pitch * ends;
    return BASE_PI * (radius * depth * faded - 5.0 / 12 * depth * depth * squared);
}

Test(models, thread_volumes)
{
    const double depth = 0.0016, pitch = 0.004, root = 0.0104;
    const double hexagon = 1.5 * sqrt(3) * 0.021 * 0.021;
    const double nut =
        (hexagon - BASE_PI * 0.0123 * 0.0123) * 0.02 + groove_volume(0.0123, depth, pitch, 0.02, 2);
    expect_second_order("nut", nut, 1e-2);
    /* At the tip the crest decreases to the root radius r over a pitch: (r + w d (1 - p))^2. */
    const double sink =
        BASE_PI * pitch * (root * root + root * depth / 2 + 5.0 / 12 * depth * depth / 3);
    const double bolt = hexagon * 0.015 + BASE_PI * 0.012 * 0.012 * 0.073 -
                        groove_volume(0.012, depth, pitch, 0.054, 1) + sink +
                        BASE_PI * root * root * pitch / 2;
    expect_second_order("bolt", bolt, 1e-2);
}

Test(models, housing_volume)
{
    const double r = 0.0243, d = 0.02, half = base_acos(d / r);
    const double pocket = 2 * BASE_PI * r * r - 2 * r * r * (half - base_sin(half) * d / r);
    expect_second_order("pump-housing", 0.1 * 0.06 * 0.03 - pocket * 0.025, 1e-2);
}

/* --- The same bits ---------------------------------------------------------------------------- */

Test(models, same_bits)
{
    static const struct {
        const char *name;
        const char *hash;
    } cases[] = {
        {"box", "99bc6e297c10df676e8d9517a6fd01fc"},
        {"sphere", "5b1c70be25b4f055908d0e92492d4828"},
        {"torus", "6b30e83561cd02dac25b508d8c2fade1"},
        {"cylinder", "2336c20d12409423add527932a38c8e5"},
        {"bolt", "1c9a1c2d65a20284c8aeaedb6a59e79f"},
        {"nut", "8b538a688b518d67937135ff9a377317"},
        {"pump-housing", "cbf6370321edb3c1c14cc8a0584fb339"},
        {"pump-rotor", "5390801857cb6026ed4afda3b1544474"},
        {"pump-idler", "fcf2d29ec0348c07f067d4281a805a49"},
        {"quadruped", "4e42f9e24ae0df638f494facb2dcf50e"},
        {"coral", "c527794ae9506d03f7cf6727cde65edb"},
        {"bore", "a4656e8d35d392ef38e7bb283d1779c6"},
        {"pin", "63de60f3940213a55817cdc0d5026f0a"},
        {"cone", "e6efc357e85658a115a16ca4adeae808"},
        {"brake", "595c2f3f287d889bd8d1e7e246fa2308"},
        {"car", "9890c03b1c7544eacdf43d15a595d7d2"},
        {"artificial", "6d2ceeafa7f725810d122a4aed2a4735"},
        {"enclosure", "a67f50fc0a5429f599eb2718b5d20d39"},
        {"bracket", "28c845f05eaa8093d1a0685ec19ebeef"},
        {"housing", "dd3be62d92a60875211f8937ea2c2bdb"},
        {"gear", "2da5830d68de5266e999875bfffbe38d"},
        {"perforated-plate", "5513cc6086038c4945433d2a6dcf9938"},
        {"heat-sink", "f3998d9a2ae16027d00def6428111d02"},
        {"hinge", "a8539ec0e3aeef48d13a76f48c086a83"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_MESH mesh = build(cases[i].name, 6000), again = build(cases[i].name, 6000);
        const base_hash_text a = base_hash_format(geo_mesh_hash(&mesh));
        const base_hash_text b = base_hash_format(geo_mesh_hash(&again));
        cr_assert_str_eq(a.hex, b.hex, "%s", cases[i].name);
        cr_expect_str_eq(a.hex, cases[i].hash, "%s: %s", cases[i].name, a.hex);
    }
}

/* --- Parts that belong together --------------------------------------------------------------- */

static bool stop_at_pair(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    (void)context;
    (void)face_a;
    (void)face_b;
    (void)common;
    return false;
}

typedef struct part {
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    geo_tree tree;
} part;

static part *make_part(const char *name, size_t triangles)
{
    part *const p = base_alloc(1, sizeof *p);
    p->mesh = build(name, triangles);
    const vec3 origin = {0, 0, 0};
    assert_ok(geo_surface_build(&p->mesh, &p->arena, &p->surface, ERR));
    assert_ok(geo_tree_build(&p->mesh, origin, INFINITY, &p->arena, &p->tree, ERR));
    return p;
}

static void free_part(part *p)
{
    base_arena_release(&p->arena);
    geo_mesh_release(&p->mesh);
    base_free(p);
}

static bool meet(const part *a, const part *b, vec3 offset)
{
    geo_pose pose = geo_pose_identity();
    pose.translation = offset;
    return !geo_tree_intersections(&a->tree, &b->tree, &pose, false, stop_at_pair, NULL, NULL);
}

/** The assembled parts are disjoint and neither contains the other. After a small shift they
 * intersect. */
static void expect_fit(const char *name_a, size_t triangles_a, const char *name_b,
                       size_t triangles_b, vec3 shift)
{
    part *const a = make_part(name_a, triangles_a), *const b = make_part(name_b, triangles_b);
    cr_assert(!meet(a, b, vec3_make(0, 0, 0)), "%s:%zu meets %s:%zu", name_a, triangles_a, name_b,
              triangles_b);
    cr_assert(!geo_surface_contains(&a->surface, b->mesh.vertices[0]), "%s in %s", name_b, name_a);
    cr_assert(!geo_surface_contains(&b->surface, a->mesh.vertices[0]), "%s in %s", name_a, name_b);
    cr_assert(meet(a, b, shift), "%s:%zu passes through %s:%zu", name_a, triangles_a, name_b,
              triangles_b);
    cr_assert(meet(a, b, vec3_scale(-1, shift)), "%s:%zu passes through %s:%zu", name_a,
              triangles_a, name_b, triangles_b);
    free_part(a);
    free_part(b);
}

Test(models, bolt_and_nut_fit)
{
    const size_t bolts[] = {0, 17000, 120000}, nuts[] = {0, 51000};
    for (size_t i = 0; i < sizeof bolts / sizeof *bolts; i += sweep_step(2)) {
        for (size_t j = 0; j < sizeof nuts / sizeof *nuts; j += sweep_step(2)) {
            expect_fit("bolt", bolts[i], "nut", nuts[j], vec3_make(0.0004, 0, 0));
            expect_fit("bolt", bolts[i], "nut", nuts[j], vec3_make(0, 0, 0.0008));
        }
    }
}

Test(models, pump_fits)
{
    const size_t counts[] = {0, 40000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j += sweep_step(2)) {
            const size_t a = counts[i], b = counts[j];
            expect_fit("pump-housing", a, "pump-rotor", b, vec3_make(0, 0.0004, 0));
            expect_fit("pump-housing", a, "pump-idler", b, vec3_make(0, 0.0004, 0));
            expect_fit("pump-rotor", a, "pump-idler", b, vec3_make(0, 0.002, 0));
        }
    }
    expect_fit("pump-housing", 180000, "pump-rotor", 150000, vec3_make(0, 0.0004, 0));
}

/** A bolt that is turned in its nut by half a turn, without advancing, intersects the nut's
 * thread. */
Test(models, thread_is_a_helix)
{
    part *const bolt = make_part("bolt", 12000), *const nut = make_part("nut", 12000);
    for (int turn = 0; turn < 8; turn++) {
        const double angle = 2 * BASE_PI * turn / 8;
        const geo_quat q = {0, 0, base_sin(0.5 * angle), base_cos(0.5 * angle)};
        geo_pose still = geo_pose_make(q, vec3_make(0, 0, 0)), screwed = still;
        screwed.translation.z = 0.004 * turn / 8;
        cr_assert(geo_tree_intersections(&bolt->tree, &nut->tree, &screwed, false, stop_at_pair,
                                         NULL, NULL),
                  "turn %d of 8", turn);
        const bool apart = geo_tree_intersections(&bolt->tree, &nut->tree, &still, false,
                                                  stop_at_pair, NULL, NULL);
        cr_assert_eq(apart, turn == 0, "turn %d of 8", turn);
    }
    free_part(bolt);
    free_part(nut);
}

/* --- Out of memory ---------------------------------------------------------------------------- */

Test(models, out_of_memory)
{
    for (const scn_model *model = scn_models; model->name; model++) {
        size_t failures = 0;
        for (;; failures += sweep_step(3)) {
            geo_mesh_builder mesh = {.face_count = 1};
            base_error err = {0};
            base_memory_fail_after(failures);
            const base_status status = scn_model_make(model, model->triangles_min, &mesh, &err);
            base_memory_fail_after(SIZE_MAX);
            if (status == BASE_OK) {
                geo_mesh_builder_release(&mesh);
                break;
            }
            cr_assert_eq(status, BASE_ERR_MEMORY, "%s after %zu", model->name, failures);
            cr_assert(!mesh.vertices && !mesh.faces && mesh.face_count == 0, "%s after %zu",
                      model->name, failures);
            cr_assert_gt(strlen(err.text), 0);
        }
        cr_assert_geq(failures, 2, "%s", model->name);
    }
}
