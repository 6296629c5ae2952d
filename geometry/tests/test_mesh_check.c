#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/tests/mesh_scratch.h"

#include <math.h>

/** Counts in the order of geo_defect_kind. */
typedef struct counts {
    uint64_t n[GEO_DEFECT_KIND_COUNT];
} counts;

static geo_mesh_report check(const soup *s)
{
    geo_mesh_report report;
    assert_ok(geo_mesh_check(&s->mesh, &report, ERR));
    return report;
}

/** Checks that the report has these counts, and that all of its defects are listed in order. */
static void assert_counts(const geo_mesh_report *report, counts expected)
{
    uint64_t listed[GEO_DEFECT_KIND_COUNT] = {0};
    for (size_t i = 0; i < report->defect_count; i++) {
        const geo_defect *const d = &report->defects[i], *const e = d - 1;
        listed[d->kind]++;
        cr_assert(i == 0 || e->kind < d->kind ||
                      (e->kind == d->kind && (e->a < d->a || (e->a == d->a && e->b < d->b))),
                  "defect %zu: kind %d, %u %u", i, (int)d->kind, d->a, d->b);
    }
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        const uint64_t n = report->counts[kind];
        cr_assert_eq(n, expected.n[kind], "%s: %llu, not %llu", geo_defect_name(kind),
                     (unsigned long long)n, (unsigned long long)expected.n[kind]);
        cr_assert_eq(listed[kind], n < GEO_DEFECTS_LISTED_MAX ? n : GEO_DEFECTS_LISTED_MAX, "%s",
                     geo_defect_name(kind));
    }
}

static void assert_reason(const geo_mesh_report *report, const char *expected)
{
    char text[200];
    geo_mesh_report_reason(report, text, sizeof text);
    cr_assert_str_eq(text, expected, "%s, not %s", text, expected);
    cr_assert_eq(report->solid, expected[0] == '\0');
}

static void assert_report(const soup *s, counts expected, const char *reason)
{
    geo_mesh_report report = check(s);
    assert_counts(&report, expected);
    assert_reason(&report, reason);
    geo_mesh_report_release(&report);
    cr_assert(!report.defects && report.defect_count == 0);
    no_leak();
}

static soup make_cube(void)
{
    soup s = {0};
    add_cube(&s, (vec3){0, 0, 0}, 1);
    return s;
}

/* Updates a soup's pointers into itself after it was copied. */
static void settle(soup *s)
{
    s->mesh.vertices = s->v;
    s->mesh.faces = s->f;
}

Test(mesh_check, names)
{
    static const char *const names[GEO_DEFECT_KIND_COUNT] = {
        "open edge",       "non-manifold edge", "inconsistent edge", "non-manifold vertex",
        "degenerate face", "duplicate face",    "self-intersection", "misoriented shell",
    };
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        cr_assert_str_eq(geo_defect_name((geo_defect_kind)kind), names[kind]);
    }
}

Test(mesh_check, cube)
{
    soup s = make_cube();
    settle(&s);
    add_vertex(&s, 7, 7, 7);
    SCOPED_REPORT report = check(&s);
    assert_counts(&report, (counts){{0}});
    assert_reason(&report, "");
    cr_assert(report.solid && report.closed && !report.inside_out);
    cr_assert(report.component_count == 1 && report.unused_vertices == 1);
    cr_assert(report.measure.volume_m3 == 1 && report.measure.area_m2 == 6);
    cr_assert(report.box.lo.x == 0 && report.box.hi.z == 1);
}

Test(mesh_check, empty)
{
    const soup s = {0};
    SCOPED_REPORT report = check(&s);
    cr_assert(!report.closed && !report.solid && report.component_count == 0);
    assert_counts(&report, (counts){{0}});
    assert_reason(&report, "no faces");
}

Test(mesh_check, inside_out)
{
    soup s = make_cube();
    settle(&s);
    turn_faces(&s, 0);
    SCOPED_REPORT report = check(&s);
    cr_assert(report.closed && report.inside_out && !report.solid);
    assert_counts(&report, (counts){{0}});
    assert_reason(&report, "inside out (volume -1 m3)");
}

Test(mesh_check, missing_face)
{
    soup s = make_cube();
    settle(&s);
    s.mesh.face_count--; /* removes 4 7 6 */
    assert_report(&s, (counts){{[GEO_DEFECT_OPEN_EDGE] = 3}},
                  "3 open edges (vertices 4 and 6, 4 and 7, 6 and 7)");
    s.mesh.face_count--; /* removes 4 5 7 */
    assert_report(&s, (counts){{[GEO_DEFECT_OPEN_EDGE] = 4}},
                  "4 open edges (vertices 4 and 5, 4 and 6, 5 and 7, ...)");
}

Test(mesh_check, flipped_face)
{
    soup s = make_cube();
    settle(&s);
    turn_faces(&s, 11);
    assert_report(&s, (counts){{[GEO_DEFECT_INCONSISTENT_EDGE] = 3}},
                  "3 inconsistent edges (vertices 4 and 6, 4 and 7, 6 and 7)");
}

Test(mesh_check, duplicated_face)
{
    soup s = make_cube();
    settle(&s);
    add_face(&s, 7, 6, 4);
    assert_report(&s,
                  (counts){{[GEO_DEFECT_NONMANIFOLD_EDGE] = 3, [GEO_DEFECT_DUPLICATE_FACE] = 1}},
                  "1 duplicate face (faces 11 and 12)");
    add_face(&s, 4, 6, 7); /* in the opposite direction */
    add_face(&s, 6, 7, 5); /* another face */
    SCOPED_REPORT report = check(&s);
    cr_assert_eq(report.counts[GEO_DEFECT_DUPLICATE_FACE], 2);
    assert_reason(&report, "2 duplicate faces (faces 11 and 12, 11 and 13)");
}

Test(mesh_check, pillow_of_two_faces)
{
    soup s = make_cube();
    settle(&s);
    s.mesh.face_count = 1;
    add_face(&s, 0, 6, 4);
    assert_report(&s, (counts){{[GEO_DEFECT_DUPLICATE_FACE] = 1}},
                  "1 duplicate face (faces 0 and 1)");
}

Test(mesh_check, cubes_sharing_an_edge)
{
    soup s = make_cube();
    settle(&s);
    add_cube(&s, (vec3){1, 1, 0}, 1);
    for (size_t c = 36; c < 72; c++) { /* merges the corners at x = y = 1 of both cubes */
        uint32_t *const v = &s.f[c / 3].v[c % 3];
        *v = *v == 8 ? 3 : *v == 12 ? 7 : *v;
    }
    SCOPED_REPORT report = check(&s);
    assert_counts(&report, (counts){{[GEO_DEFECT_NONMANIFOLD_EDGE] = 1}});
    assert_reason(&report, "1 non-manifold edge (vertices 3 and 7)");
    cr_assert(report.component_count == 1 && report.unused_vertices == 2);
}

Test(mesh_check, cubes_sharing_a_vertex)
{
    soup s = make_cube();
    settle(&s);
    add_cube(&s, (vec3){1, 1, 1}, 1);
    /* At first they share only coordinates: they touch, with six faces of each. */
    SCOPED_REPORT report = check(&s);
    cr_assert(report.closed && report.component_count == 2);
    cr_assert_eq(report.counts[GEO_DEFECT_NONMANIFOLD_VERTEX], 0);
    cr_assert_gt(report.counts[GEO_DEFECT_SELF_INTERSECTION], 0);
    geo_mesh_report_release(&report);
    for (size_t c = 36; c < 72; c++) {
        uint32_t *const v = &s.f[c / 3].v[c % 3];
        *v = *v == 8 ? 7 : *v;
    }
    report = check(&s);
    assert_counts(&report, (counts){{[GEO_DEFECT_NONMANIFOLD_VERTEX] = 1}});
    cr_assert(report.defects[0].a == 7 && report.defects[0].b == 7);
    assert_reason(&report, ""); /* two fans at a vertex do not prevent a solid */
    cr_assert(report.component_count == 1);
}

Test(mesh_check, degenerate_faces)
{
    soup s = make_cube();
    settle(&s);
    /* A face without extent is counted, and hides no defect of the others. */
    add_face(&s, 0, 1, 1);
    assert_report(&s, (counts){{[GEO_DEFECT_DEGENERATE_FACE] = 1}}, "1 degenerate face (face 12)");
    add_face(&s, 2, 2, 2);
    assert_report(&s, (counts){{[GEO_DEFECT_DEGENERATE_FACE] = 2}},
                  "2 degenerate faces (faces 12, 13)");
    /* A vertex on the edge 4 7 that only one of its two faces uses. A sliver fills the gap, but
     * the faces on both sides touch along it without sharing it. */
    s.mesh.face_count = 11;
    const uint32_t m = add_vertex(&s, 0.5, 0.5, 1);
    add_face(&s, 4, m, 6);
    add_face(&s, m, 7, 6);
    add_face(&s, 4, 7, m);
    assert_report(&s,
                  (counts){{[GEO_DEFECT_DEGENERATE_FACE] = 1, [GEO_DEFECT_SELF_INTERSECTION] = 2}},
                  "1 degenerate face (face 13)");
    /* One bit off the line it is a valid face: the mesh is a solid again. */
    s.v[m].z = nextafter(1, 2);
    assert_report(&s, (counts){{0}}, "");
    s.v[m].z = 1;
    s.v[m].x = nextafter(0.5, 0); /* the same in the plane of the faces, on this side of the edge */
    assert_report(&s, (counts){{0}}, "");
    s.v[m].x = nextafter(0.5, 1); /* on the other side: the sliver is folded onto a neighbour */
    SCOPED_REPORT report = check(&s);
    cr_assert_eq(report.counts[GEO_DEFECT_DEGENERATE_FACE], 0);
    cr_assert(report.closed && !report.solid);
    cr_assert_gt(report.counts[GEO_DEFECT_SELF_INTERSECTION], 0);
}

Test(mesh_check, crossing_cubes)
{
    soup s = make_cube();
    settle(&s);
    add_cube(&s, (vec3){0.5, 0.5, 0.5}, 1);
    geo_mesh_report report = check(&s);
    cr_assert(report.closed && !report.solid && report.component_count == 2);
    cr_assert_gt(report.counts[GEO_DEFECT_SELF_INTERSECTION], 6);
    for (size_t i = 0; i < report.defect_count; i++) {
        cr_assert(report.defects[i].a < 12 && report.defects[i].b >= 12, "one of each cube");
    }
    geo_mesh_report_release(&report);
    /* One bit apart they do not even touch. */
    geo_mesh_translate(&(geo_mesh){.vertices = s.v + 8, .vertex_count = 8},
                       (vec3){0.5 + 0x1p-51, 0, 0});
    assert_report(&s, (counts){{0}}, "");
}

Test(mesh_check, cavity)
{
    soup s = {0};
    add_cube(&s, (vec3){0, 0, 0}, 4);
    add_cube(&s, (vec3){1, 1, 1}, 2);
    turn_faces(&s, 12);
    geo_mesh_report report = check(&s);
    assert_counts(&report, (counts){{0}});
    assert_reason(&report, "");
    cr_assert(report.component_count == 2 && report.measure.volume_m3 == 56);
    geo_mesh_report_release(&report);
    turn_faces(&s, 0);
    assert_report(&s, (counts){{0}}, "inside out (volume -56 m3)");
}

/** Makes nested cubes; the i-th from outside is oriented inward if bit i of `inward` is set. */
static soup nested(int cubes, unsigned inward)
{
    soup s = {0};
    for (int i = 0; i < cubes; i++) {
        const size_t before = s.mesh.face_count;
        add_cube(&s, (vec3){i, i, i}, 10 - 2 * i);
        if (inward >> i & 1) {
            turn_faces(&s, before);
        }
    }
    return s;
}

Test(mesh_check, nested_shells)
{
    for (unsigned inward = 0; inward < 16; inward++) {
        soup s = nested(4, inward);
        settle(&s);
        SCOPED_REPORT report = check(&s);
        /* The largest shell determines the sign of the total volume: 1000, 512, 216 and 64 m3. */
        const bool flipped = report.measure.volume_m3 < 0;
        const unsigned expected = inward ^ (flipped ? 5 : 10);
        cr_assert_eq(report.counts[GEO_DEFECT_MISORIENTED_SHELL],
                     (uint64_t)__builtin_popcount(expected), "%u", inward);
        for (size_t i = 0; i < report.defect_count; i++) {
            cr_assert(report.defects[i].a % 12 == 0 && expected >> report.defects[i].a / 12 & 1,
                      "%u: face %u", inward, report.defects[i].a);
        }
        cr_assert(report.closed && report.inside_out == flipped);
        cr_assert_eq(report.solid, inward == 10, "%u", inward);
    }
    soup three = nested(3, 2);
    settle(&three);
    assert_report(&three, (counts){{0}}, "");
}

Test(mesh_check, small_inside_out_part)
{
    soup s = {0};
    add_cube(&s, (vec3){0, 0, 0}, 4);
    add_cube(&s, (vec3){5, 0, 0}, 1);
    turn_faces(&s, 12);
    assert_report(&s, (counts){{[GEO_DEFECT_MISORIENTED_SHELL] = 1}},
                  "1 misoriented shell (face 12)");
    /* Joined at a vertex they remain two shells: the small one's vertex 8 becomes the large
     * one's 7. */
    soup joined = {0};
    add_cube(&joined, (vec3){0, 0, 0}, 4);
    add_cube(&joined, (vec3){4, 4, 4}, 1);
    turn_faces(&joined, 12);
    for (size_t c = 36; c < 72; c++) {
        uint32_t *const v = &joined.f[c / 3].v[c % 3];
        *v = *v == 8 ? 7 : *v;
    }
    assert_report(
        &joined,
        (counts){{[GEO_DEFECT_NONMANIFOLD_VERTEX] = 1, [GEO_DEFECT_MISORIENTED_SHELL] = 1}},
        "1 misoriented shell (face 12)");
}

Test(mesh_check, lists_the_first_of_many)
{
    /* Seventy triangles around an axis, which all cross each other: 2415 pairs. */
    enum { BLADES = 70 };
    soup s = {0};
    settle(&s);
    for (uint32_t i = 0; i < BLADES; i++) {
        const double x = (double)i - 35.5, y = 25;
        add_vertex(&s, x, y, 0.01 * i);
        add_vertex(&s, -x, -y, 0.02 * i);
        add_vertex(&s, 0, 0, 100);
        add_face(&s, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    SCOPED_REPORT report = check(&s);
    assert_counts(&report,
                  (counts){{[GEO_DEFECT_OPEN_EDGE] = 210, [GEO_DEFECT_SELF_INTERSECTION] = 2415}});
    cr_assert_eq(report.defect_count, 1210);
    const geo_defect *d = &report.defects[210];
    for (uint32_t a = 0, k = 0; a < BLADES; a++) {
        for (uint32_t b = a + 1; b < BLADES && k < 1000; b++, k++) {
            cr_assert(d[k].a == a && d[k].b == b, "%u: %u %u", k, d[k].a, d[k].b);
        }
    }
    assert_reason(&report, "210 open edges (vertices 0 and 1, 0 and 2, 1 and 2, ...)");
    char text[200];
    for (size_t size = 1; size < 80; size++) {
        memset(text, '@', sizeof text);
        geo_mesh_report_reason(&report, text, size);
        cr_assert(strlen(text) < size && text[size] == '@', "size %zu: %.90s", size, text);
        cr_assert_eq(
            strncmp(text, "210 open edges (vertices 0 and 1, 0 and 2, 1 and 2, ...)", strlen(text)),
            0, "size %zu: %s", size, text);
    }
}

Test(mesh_check, out_of_memory)
{
    soup s = make_cube();
    settle(&s);
    geo_mesh_report report;
    const size_t failures = COUNT_FAILURES(geo_mesh_check(&s.mesh, &report, ERR), {
        cr_assert(!failed || (!report.defects && !report.closed));
        geo_mesh_report_release(&report);
    });
    cr_assert_gt(failures, 4);
    no_leak();
}

Test(mesh_check, reference_models)
{
    static const struct {
        const char *path;
        size_t faces;
        uint64_t crossings;
    } models[] = {
        {"../shared/models/c3d-spot.off", 5856, 0},
        {"../shared/models/c3d-rocker-arm.off", 20088, 0},
        {"../shared/models/oded-bunny_hr.off", 59664, 0},
        {"../shared/models/bad-bunny-two-self-intersections.off", 69666, 2},
    };
    if (access(models[0].path, R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        SCOPED_MESH mesh;
        SCOPED_REPORT report;
        assert_ok(geo_mesh_load(models[i].path, &mesh, ERR));
        cr_assert_eq(mesh.face_count, models[i].faces, "%s", models[i].path);
        assert_ok(geo_mesh_check(&mesh, &report, ERR));
        assert_counts(&report, (counts){{[GEO_DEFECT_SELF_INTERSECTION] = models[i].crossings}});
        assert_reason(&report, models[i].crossings == 0
                                   ? ""
                                   : "2 self-intersecting pairs (faces 22949 and 69661, 69659 and "
                                     "69661)");
        cr_assert(report.component_count == 1 && report.closed, "%s", models[i].path);
    }
}
