#include "base/elementary.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"
#include "scenarios/models/models.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static geo_mesh build(const char *name, size_t triangles)
{
    geo_mesh_builder mesh;
    base_error err = {0};
    cr_assert_eq(scn_model_make(scn_model_find(name), triangles, &mesh, &err), BASE_OK, "%s: %s",
                 name, err.text);
    return geo_mesh_builder_finish(&mesh);
}

static const char *const names[] = {"enclosure", "bracket", "housing", "gear", "perforated-plate",
                                    "heat-sink", "hinge",   "gripper", "comb", "cavity",
                                    "key"};

enum { NAMES = sizeof names / sizeof *names };

/* --- Volumes: the sum of areas times heights, in mm3 ------------------------------------------ */

static double disc(double radius)
{
    return BASE_PI * radius * radius;
}

/** Returns the area of a rectangle with fillets. half_u, half_v: half of its sides. */
static double rounded(double half_u, double half_v, double radius)
{
    return 4 * half_u * half_v - (4 * radius * radius - disc(radius));
}

static double cone(double radius_a, double radius_b, double height)
{
    return BASE_PI / 3 * height * (radius_a * radius_a + radius_a * radius_b + radius_b * radius_b);
}

/** Returns the area that a fillet takes off a corner. */
static double off_corner(double radius)
{
    return radius * radius - 0.25 * disc(radius);
}

static double enclosure_volume(void)
{
    const double shell =
        rounded(54, 38, 6) * 36 - rounded(51, 35, 3) * 31 - rounded(52.5, 36.5, 4.5) * 2;
    const double posts = 4 * (disc(4) * 29 - disc(1.6) * 26 + disc(3) * 6 - disc(1.25) * 4);
    const double outside = 4 * (14 * 9 - disc(2.2)) * 4 + 4 * 2 * 3 * 25;
    const double vents = 9 * rounded(1, 11, 1) + 5 * rounded(22, 1, 1);
    const double holes = 4 * disc(1.7) + disc(11) + disc(6) + disc(4.5) + 160 + 7 * disc(3.2);
    return shell + posts + outside - 3 * (vents + holes);
}

static double bracket_volume(void)
{
    const double angle = 44 * 4 + 60 * 4, gusset = 0.5 * 30 * 38;
    const double body = (angle + off_corner(5)) * 36 + (angle + gusset) * 8 - 16 * off_corner(6);
    const double screws = 2 * (disc(2) * 2.2 + cone(2.4, 4.2, 1.8));
    const double holes = 2 * 4 * (disc(2.5) + rounded(2.25, 7, 2.25));
    return body - screws - holes + disc(10) * 12 - disc(5) * 10 - disc(7.5) * 6;
}

static double housing_volume(void)
{
    const double shell = rounded(45, 28, 8) * 42 + rounded(52, 36, 8) * 6 - rounded(40, 23, 4) * 43;
    const double groove = rounded(44, 27, 8) - rounded(42.5, 25.5, 6.5);
    const double bearing = disc(16) * 6 - disc(10) * 7 - disc(6) * 4 - 6 * disc(1.1) * 5;
    const double foot = (7 * 38 - 3 * disc(1.8)) * 5;
    const double ribs = 5 * 3 * 6 * 42, flange = 14 * disc(2) * 6;
    const double posts = 4 * (disc(4.5) * 15 - disc(1.6) * 12);
    return shell - groove + 2 * (bearing + foot) + ribs - flange + posts + disc(8) * 5 -
           disc(4) * 10;
}

/** Returns half the angle of an involute tooth at a radius: 24 teeth of module 2 at 20 degrees. */
static double half_tooth(double radius)
{
    const double pressure = BASE_PI / 9;
    const double at = base_acos(fmin(1, 24 * base_cos(pressure) / radius));
    return BASE_PI / 48 + (tan(pressure) - pressure) - (tan(at) - at);
}

static double gear_volume(void)
{
    const double root = 21.5, base = 24 * base_cos(BASE_PI / 9), tip = 26;
    double tooth = half_tooth(base) * (base * base - root * root);
    enum { STEPS = 2000 };
    for (int i = 0; i < STEPS; i++) {
        const double step = (tip - base) / STEPS, radius = base + (i + 0.5) * step;
        tooth += 2 * half_tooth(radius) * radius * step;
    }
    const double keyway = 2 * sqrt(32) + 36 * asin(1. / 3) - 14;
    return (disc(root) + 24 * tooth) * 12 - 2 * disc(18) * 3 + 2 * disc(9) * 7 - 6 * disc(2.8) * 6 +
           disc(6) * 54 - keyway * 20 + disc(5) * 13 + cone(4, 5, 1);
}

static double perforated_plate_volume(void)
{
    double holes = 2 * rounded(2, 9, 2) + 4 * disc(2.2);
    for (int i = 0; i < 9; i++) {
        holes += 4 * disc(2.9 - 0.035 * 8 * abs(i - 4));
    }
    for (int i = 0; i < 10; i++) {
        holes += 3 * disc(2.9 - 0.035 * 4 * abs(2 * i - 9));
    }
    return (rounded(50, 32, 5) - holes) * 2 + 2 * 84 * 2 * 8;
}

static double heat_sink_volume(void)
{
    double fins = 14 * (1.6 * 28.2 + 0.5 * disc(0.8));
    for (int k = 0; k < 14; k++) {
        fins += 2 * off_corner(0.6 + 0.02 * fabs(k - 6.5));
    }
    const double screws = 2 * (disc(1.7) * 2.5 + disc(3.2) * 2.5 + disc(2.2) * 5);
    return 90 * 64 * 5 + fins * 54 - rounded(15, 15, 2) - screws;
}

static double hinge_volume(void)
{
    /* The area of the leaf in the right half of the disc of a knuckle. */
    const double common = 0.5 * (-1.5 * sqrt(13.75) + 16 * (asin(-0.375) + 0.5 * BASE_PI));
    const double with_knuckle = 36 * 2.5 + disc(4) - common - disc(2.2), plain = 31 * 2.5;
    const double screws = 6 * (disc(2) * 1.2 + cone(2.4, 3.9, 1.3));
    const double knuckles = 47.4 + 31.4, between = 32.6 + 48.6;
    return with_knuckle * knuckles + plain * between - screws - 4 * off_corner(6) * 2.5 +
           disc(1.9) * 80.6 + 2 * disc(3.3) * 2.2;
}

static double gripper_volume(void)
{
    /* A finger without its nose, and the nose: below its centre, and up to the inner wall. */
    const double wall = 42 * 9 - off_corner(5);
    const double nose = 0.5 * disc(4) + 4 + 0.5 * sqrt(15) + 8 * asin(0.25);
    return disc(9) * 12 - disc(5) * 10 + (rounded(30, 10, 4) - 2 * disc(1.7)) * 12 +
           2 * (wall + nose) * 14;
}

static double comb_volume(void)
{
    return (92 * 8 + 9 * (4 * 28 + 0.5 * disc(2) + 2 * off_corner(1))) * 10;
}

/** Returns the area of a disc with two bits, which reach to bit_u and are 2 bit_v wide. */
static double key_area(double radius, double bit_u, double bit_v)
{
    /* The part of the disc between the two lines at +-bit_v is also in the rectangle. */
    const double half = sqrt(radius * radius - bit_v * bit_v);
    const double common = 2 * (bit_v * half + radius * radius * asin(bit_v / radius));
    return disc(radius) + 4 * bit_u * bit_v - common;
}

static double cavity_volume(void)
{
    return 60 * 60 * 40 - key_area(6, 16, 2.5) * 16 - disc(18) * 16;
}

static double key_volume(void)
{
    return key_area(5, 15, 2) * 10 + disc(5) * 27 + (rounded(10, 15, 5) - disc(5)) * 11;
}

/** The error decreases as 1 / triangles^2, since circles get more sides in one direction only. */
Test(parts, volumes)
{
    static double (*const volumes[NAMES])(void) = {
        enclosure_volume, bracket_volume, housing_volume, gear_volume, perforated_plate_volume,
        heat_sink_volume, hinge_volume,   gripper_volume, comb_volume, cavity_volume,
        key_volume};
    for (size_t i = 0; i < NAMES; i++) {
        const double expected = 1e-9 * volumes[i]();
        const size_t counts[] = {5000, 50000};
        const double slack[] = {5e-3, 5e-5};
        for (size_t k = 0; k < 2; k++) {
            SCOPED_MESH mesh = build(names[i], counts[k]);
            const double volume = geo_mesh_measures(&mesh).volume_m3;
            cr_assert_lt(fabs(volume / expected - 1), slack[k],
                         "%s:triangles=%zu: %.17g, not %.17g", names[i], counts[k], volume,
                         expected);
        }
    }
}

/* --- Properties of exports of CAD ------------------------------------------------------------- */

/** Returns how many times as long as high a triangle is. */
static double aspect(geo_triangle t)
{
    const vec3 a = vec3_sub(t.p[1], t.p[0]), b = vec3_sub(t.p[2], t.p[0]);
    const double longest = fmax(vec3_norm(a), fmax(vec3_norm(b), vec3_distance(t.p[1], t.p[2])));
    return longest * longest / vec3_norm(vec3_cross(a, b));
}

/** Returns the share of triangles with this aspect ratio or more. */
static double share_of_long(const char *name, double ratio)
{
    geo_mesh mesh = build(name, scn_model_find(name)->triangles);
    size_t count = 0;
    for (size_t f = 0; f < mesh.face_count; f++) {
        count += aspect(geo_mesh_triangle(&mesh, f)) >= ratio;
    }
    const double share = (double)count / (double)mesh.face_count;
    geo_mesh_release(&mesh);
    return share;
}

Test(parts, long_triangles)
{
    for (size_t i = 0; i < NAMES; i++) {
        cr_expect_gt(share_of_long(names[i], 10), 0.2, "%s: %g", names[i],
                     share_of_long(names[i], 10));
        cr_expect_gt(share_of_long(names[i], 100), 0.001, "%s: %g", names[i],
                     share_of_long(names[i], 100));
    }
    cr_expect_lt(share_of_long("torus", 10), 0.001);
}

Test(parts, six_digits)
{
    for (size_t i = 0; i < NAMES; i++) {
        SCOPED_MESH mesh = build(names[i], 5000);
        for (size_t v = 0; v < 3 * mesh.vertex_count; v++) {
            char text[40];
            const double x = vec3_get(mesh.vertices[v / 3], (int)(v % 3));
            snprintf(text, sizeof text, "%.6g", x);
            cr_assert_eq(strtod(text, NULL), x, "%s: %.17g", names[i], x);
        }
    }
}
