#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/vec.h"
#include "scenarios/models/prisms.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static geo_mesh build(scn_part_design *design, size_t triangles)
{
    geo_mesh_builder mesh;
    assert_ok(scn_part_build(design, triangles, &mesh, ERR));
    return geo_mesh_builder_finish(&mesh);
}

/** Expects a solid without any defect, of one component, with a volume in mm^3 and these numbers.
 * triangles = 0: not compared. */
static void expect_part(const char *name, scn_part_design *design, size_t wanted, size_t triangles,
                        double volume, double slack)
{
    SCOPED_MESH mesh = build(design, wanted);
    SCOPED_REPORT report;
    char reason[512];
    assert_ok(geo_mesh_check(&mesh, &report, ERR));
    geo_mesh_report_reason(&report, reason, sizeof reason);
    cr_assert(report.solid, "%s: %s", name, reason);
    for (int kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        cr_assert_eq(report.counts[kind], 0, "%s: %s", name,
                     geo_defect_name((geo_defect_kind)kind));
    }
    cr_assert_eq(report.unused_vertices, 0, "%s", name);
    cr_assert_eq(report.component_count, 1, "%s", name);
    cr_assert(triangles == 0 || mesh.face_count == triangles, "%s: %zu triangles", name,
              mesh.face_count);
    const double measured = report.measure.volume_m3 * 1e9;
    cr_assert_lt(fabs(measured / volume - 1), slack, "%s: %.15g, not %.15g mm3", name, measured,
                 volume);
}

static void add_box(scn_part *part, scn_mode mode, double x0, double x1, double y0, double y1,
                    double z0, double z1)
{
    scn_part_box(part, mode, vec3_make(x0, y0, z0), vec3_make(x1, y1, z1));
}

/* --- Flat parts: every number is known ------------------------------------------------------- */

static void block(scn_part *part)
{
    add_box(part, SCN_ADD, 0, 20, 0, 30, 0, 40);
}

/** The same block from eight pieces: all inner faces and edges vanish. */
static void pieces(scn_part *part)
{
    for (int k = 0; k < 8; k++) {
        add_box(part, SCN_ADD, k & 1 ? 5 : 0, k & 1 ? 20 : 5, k & 2 ? 11 : 0, k & 2 ? 30 : 11,
                k & 4 ? 33 : 0, k & 4 ? 40 : 33);
    }
}

/** A wall on a floor, with a rib in the corner that touches both in parts of their faces. */
static void corner(scn_part *part)
{
    add_box(part, SCN_ADD, 0, 60, 0, 40, 0, 4);
    add_box(part, SCN_ADD, 0, 4, 0, 40, 4, 30);
    add_box(part, SCN_ADD, 4, 34, 18, 22, 4, 20);
}

/** A block with a box cut out of its middle, of an edge and of a corner. */
static void notches(scn_part *part)
{
    block(part);
    add_box(part, SCN_CUT, 8, 12, 10, 20, 0, 40);
    add_box(part, SCN_CUT, 0, 3, 10, 20, 30, 40);
    add_box(part, SCN_CUT, 15, 20, 25, 30, 0, 9);
}

/** Square holes along all axes, each through one wall of a hollow box. */
static void windows(scn_part *part)
{
    add_box(part, SCN_ADD, -20, 20, -20, 20, -20, 20);
    add_box(part, SCN_CUT, -16, 16, -16, 16, -16, 16);
    add_box(part, SCN_CUT, 16, 20, -3, 3, -5, 5);
    add_box(part, SCN_CUT, -3, 3, -20, -16, -5, 5);
    add_box(part, SCN_CUT, -3, 3, -5, 5, 16, 20);
}

/** A boss on a plate and a hole through both, whose side is not divided between them. */
static void boss(scn_part *part)
{
    add_box(part, SCN_ADD, -20, 20, -20, 20, 0, 5);
    add_box(part, SCN_ADD, -8, 8, -8, 8, 5, 15);
    add_box(part, SCN_CUT, -4, 4, -4, 4, 0, 15);
}

/** A section along each axis; its area is 36. The part lies at (u, v) = (1 to 10, 2 to 8). */
static void wedge(scn_part *part, scn_axis axis)
{
    scn_section_begin(part);
    scn_section_point(part, 1, 2);
    scn_section_point(part, 10, 2);
    scn_section_point(part, 7, 5);
    scn_section_point(part, 7, 8);
    scn_section_point(part, 1, 8);
    scn_part_prism(part, SCN_ADD, axis, -3, 9);
}

static void wedge_x(scn_part *part)
{
    wedge(part, SCN_X);
}

static void wedge_y(scn_part *part)
{
    wedge(part, SCN_Y);
}

static void wedge_z(scn_part *part)
{
    wedge(part, SCN_Z);
}

/** n corners and g holes through the part give 2 n - 4 + 4 g triangles. */
Test(prisms, flat_parts)
{
    expect_part("block", block, 0, 12, 24000, 1e-13);
    expect_part("pieces", pieces, 0, 12, 24000, 1e-13);
    expect_part("corner", corner, 0, 2 * 20 - 4, 9600 + 4160 + 1920, 1e-13);
    expect_part("notches", notches, 0, 2 * (8 + 8 + 8 + 6) - 4 + 4, 24000 - 1600 - 300 - 225,
                1e-13);
    expect_part("windows", windows, 0, 2 * (16 + 24) - 4 + 4 * 2, 64000 - 32768 - 240 - 240 - 240,
                1e-13);
    expect_part("boss", boss, 0, 2 * 24 - 4 + 4, 8000 + 2560 - 960, 1e-13);
    expect_part("wedge along x", wedge_x, 0, 16, 486, 1e-13);
    expect_part("wedge along y", wedge_y, 0, 16, 486, 1e-13);
    expect_part("wedge along z", wedge_z, 0, 16, 486, 1e-13);
}

/** The section's coordinates are (y, z), (z, x) and (x, y). */
Test(prisms, axes)
{
    static scn_part_design *const designs[] = {wedge_x, wedge_y, wedge_z};
    static const geo_box boxes[] = {
        {{-3, 1, 2}, {9, 10, 8}}, {{2, -3, 1}, {8, 9, 10}}, {{1, 2, -3}, {10, 8, 9}}};
    for (size_t i = 0; i < 3; i++) {
        SCOPED_MESH mesh = build(designs[i], 0);
        const geo_box box = geo_mesh_box(&mesh);
        cr_assert_lt(vec3_distance(vec3_scale(1e3, box.lo), boxes[i].lo), 1e-12, "%zu", i);
        cr_assert_lt(vec3_distance(vec3_scale(1e3, box.hi), boxes[i].hi), 1e-12, "%zu", i);
    }
}

/* --- Round parts ------------------------------------------------------------------------------ */

/** Returns the area of a regular polygon. */
static double polygon(double sides, double radius)
{
    return 0.5 * sides * radius * radius * base_sin(2 * BASE_PI / sides);
}

static void stepped(scn_part *part)
{
    scn_part_cylinder(part, SCN_ADD, SCN_Y, 0, 0, 20, -5, 5);
    scn_part_cylinder(part, SCN_ADD, SCN_Y, 0, 0, 10, 5, 30);
    scn_part_cylinder(part, SCN_CUT, SCN_Y, 0, 0, 4, -5, 30);
    scn_part_cone(part, SCN_CUT, SCN_Y, (scn_cone){15, 0, -5, 1, 5, 3});
}

/** Round walls in two parts keep the vertices between them, also those in straight edges of flat
 * walls. */
static void stacked(scn_part *part)
{
    scn_section_rounded(part, -9, -7, 9, 7, 3);
    scn_part_prism(part, SCN_ADD, SCN_Z, -4, 1);
    scn_part_prism(part, SCN_ADD, SCN_Z, 1, 6);
}

Test(prisms, stacked_walls)
{
    const double area = 18 * 14 - 36 + polygon(8, 3);
    expect_part("stacked", stacked, 0, 2 * 36 - 4, 10 * area, 1e-5);
}

/** With eight sides, the volumes are areas of octagons times heights. */
Test(prisms, coarsest)
{
    const double cone = polygon(8, 1) * 10 * (1 + 3 + 9) / 3;
    const double volume = polygon(8, 20) * 10 + polygon(8, 10) * 25 - polygon(8, 4) * 35 - cone;
    expect_part("stepped", stepped, 0, 2 * 64 - 4 + 4 * 2, volume, 1e-5);
}

Test(prisms, volume_converges)
{
    const double cone = BASE_PI * 10 * (1 + 3 + 9) / 3;
    const double volume = BASE_PI * (400 * 10 + 100 * 25 - 16 * 35) - cone;
    expect_part("stepped", stepped, 1000, 0, volume, 2e-3);
    expect_part("stepped", stepped, 10000, 0, volume, 2e-5);
}

static double tolerance_of_plate;
static size_t sides_of_plate[4];

/** A plate with fillets and a hole. Its number of triangles follows from the numbers of sides. */
static void plate(scn_part *part)
{
    tolerance_of_plate = part->tolerance;
    sides_of_plate[0] = scn_part_sides(part, 10, 0.5 * BASE_PI);
    sides_of_plate[1] = scn_part_sides(part, 15, 2 * BASE_PI);
    scn_section_rounded(part, -40, -30, 40, 30, 10);
    scn_part_prism(part, SCN_ADD, SCN_Z, 0, 6);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 0, 0, 15, 0, 6);
}

Test(prisms, sides)
{
    for (size_t wanted = 100; wanted < 3000; wanted += 300) {
        SCOPED_MESH mesh = build(plate, wanted);
        const double corners = 4. * ((double)sides_of_plate[0] + 1) + (double)sides_of_plate[1];
        cr_assert_eq((double)mesh.face_count, 4 * corners, "%zu triangles", mesh.face_count);
        cr_assert_lt(fabs((double)mesh.face_count - (double)wanted), 17, "%zu triangles, not %zu",
                     mesh.face_count, wanted);
        /* No side is farther than the tolerance from its arc, and one side less would be. */
        const double angles[] = {0.5 * BASE_PI, 2 * BASE_PI}, radii[] = {10, 15};
        for (int k = 0; k < 2; k++) {
            const double sides = (double)sides_of_plate[k];
            const double off = radii[k] * (1 - base_cos(0.5 * angles[k] / sides));
            const double more = radii[k] * (1 - base_cos(0.5 * angles[k] / (sides - 1)));
            cr_assert_leq(off, tolerance_of_plate * (1 + 1e-6), "%g mm, not %g", off,
                          tolerance_of_plate);
            cr_assert_gt(more, tolerance_of_plate * (1 - 1e-6), "%g mm, not %g", more,
                         tolerance_of_plate);
        }
    }
}

/** The number of triangles is the nearest one of those that any number gives. */
Test(prisms, nearest_count)
{
    enum { FIRST = 64, COUNT = 300 };
    size_t counts[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        SCOPED_MESH mesh = build(plate, FIRST + i);
        counts[i] = mesh.face_count;
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            const double wanted = (double)(FIRST + i);
            cr_assert_leq(fabs((double)counts[i] - wanted), fabs((double)counts[k] - wanted),
                          "%zu triangles, not %zu", counts[i], counts[k]);
        }
    }
}

/** An arc has as many sides as its angle needs, and a side of 2 um at the least. */
Test(prisms, side_limits)
{
    scn_part part = {.tolerance = 1000};
    cr_assert_eq(scn_part_sides(&part, 5, 2 * BASE_PI), 8);
    cr_assert_eq(scn_part_sides(&part, 5, 0.5 * BASE_PI), 2);
    cr_assert_eq(scn_part_sides(&part, 5, 0.1), 1);
    part.tolerance = 1e-12;
    cr_assert_eq(scn_part_sides(&part, 1, 1), 500);
    cr_assert_eq(scn_part_sides(&part, 1e-4, 2 * BASE_PI), 8);
}

/* --- Coordinates ------------------------------------------------------------------------------ */

Test(prisms, six_digits)
{
    SCOPED_MESH mesh = build(stepped, 5000);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            char text[40];
            const double x = vec3_get(mesh.vertices[i], k);
            snprintf(text, sizeof text, "%.6g", x);
            cr_assert(strtod(text, NULL) == x && !(x == 0 && signbit(x)), "%.17g", x);
        }
    }
}

/** Corners that rounding joins are one vertex, in flat faces and in others. */
static void doubled(scn_part *part)
{
    scn_section_begin(part);
    scn_section_point(part, 20, 20);
    scn_section_point(part, 50, 20);
    scn_section_point(part, 50, 20.00001);
    scn_section_point(part, 40, 40);
    scn_section_point(part, 39.99999, 40.00001);
    scn_part_prism(part, SCN_ADD, SCN_Z, 0, 1);
}

Test(prisms, joined_corners)
{
    expect_part("doubled", doubled, 0, 8, 300, 1e-13);
}

Test(prisms, out_of_memory)
{
    geo_mesh_builder mesh = {.face_count = 1};
    const size_t failures = COUNT_FAILURES(scn_part_build(plate, 300, &mesh, ERR), {
        cr_assert(!failed || (!mesh.vertices && !mesh.faces && mesh.face_count == 0));
        geo_mesh_builder_release(&mesh);
        mesh.face_count = 1;
    });
    cr_assert_gt(failures, 20);
}
