/** Parts of machines and devices, as computer-aided design makes them. Lengths in millimetres. */
#include "base/elementary.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/prisms.h"

/** Cuts the corner (u, v) of a plate round. The plate is on the side of smaller u if right, and of
 * smaller v if top. */
static void round_corner(scn_part *part, scn_axis axis, double u, double v, bool right, bool top,
                         double radius, double lo, double hi)
{
    const double centre_u = right ? u - radius : u + radius;
    const double centre_v = top ? v - radius : v + radius;
    const double turn = 0.5 * BASE_PI * (top ? !right : right ? 3 : 2);
    scn_section_begin(part);
    scn_section_point(part, u, v);
    scn_section_arc(part, centre_u, centre_v, radius, turn + 0.5 * BASE_PI, -0.5 * BASE_PI);
    scn_part_prism(part, SCN_CUT, axis, lo, hi);
}

static void add_rounded(scn_part *part, scn_mode mode, scn_axis axis, double half_u, double half_v,
                        double radius, double lo, double hi)
{
    scn_section_rounded(part, -half_u, -half_v, half_u, half_v, radius);
    scn_part_prism(part, mode, axis, lo, hi);
}

/** Adds a post along z with a blind hole from above. */
static void add_post(scn_part *part, double x, double y, double radius, double hole, double lo,
                     double bottom, double hi)
{
    scn_part_cylinder(part, SCN_ADD, SCN_Z, x, y, radius, lo, hi);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, x, y, hole, bottom, hi);
}

static void add_box(scn_part *part, scn_mode mode, double x0, double x1, double y0, double y1,
                    double z0, double z1)
{
    scn_part_box(part, mode, vec3_make(x0, y0, z0), vec3_make(x1, y1, z1));
}

/* --- Enclosure: a box of 3 mm walls, open above, for a circuit board -------------------------- */

static void enclosure(scn_part *part)
{
    const double floor = -15, bottom = -18, rim = 18;
    add_rounded(part, SCN_ADD, SCN_Z, 54, 38, 6, bottom, rim);
    add_rounded(part, SCN_CUT, SCN_Z, 51, 35, 3, floor, 16);
    add_rounded(part, SCN_CUT, SCN_Z, 52.5, 36.5, 4.5, 16, rim); /* seat of the lid */
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 ? 1 : -1, y = k < 2 ? 1 : -1;
        add_post(part, 45 * x, 29 * y, 4, 1.6, floor, -12, 14);  /* screws of the lid */
        add_post(part, 24 * x, 14 * y, 3, 1.25, floor, -13, -9); /* screws of the board */
        scn_part_cylinder(part, SCN_CUT, SCN_X, 12 * x, 12 * y, 1.7, -54, -51); /* fan */
    }
    scn_part_cylinder(part, SCN_CUT, SCN_X, 0, 0, 11, -54, -51);
    for (int k = -4; k <= 4; k++) { /* vents in the floor and in the right wall */
        scn_section_rounded(part, 4 * k - 1, -11, 4 * k + 1, 11, 1);
        scn_part_prism(part, SCN_CUT, SCN_Z, bottom, floor);
        if (k >= -2 && k <= 2) {
            scn_section_rounded(part, -22, 4 * k - 1, 22, 4 * k + 1, 1);
            scn_part_prism(part, SCN_CUT, SCN_X, 51, 54);
        }
    }
    for (int k = 0; k < 4; k++) { /* ribs of the front, and the tabs outside of it */
        const double x = -33 + 22 * k;
        add_box(part, SCN_ADD, x - 1, x + 1, -35, -32, floor, 10);
    }
    for (int k = -1; k <= 1; k += 2) {
        add_box(part, SCN_ADD, 34. * k - 7, 34. * k + 7, -47, -38, bottom, bottom + 4);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 34 * k, -42.5, 2.2, bottom, bottom + 4);
        add_box(part, SCN_ADD, 34. * k - 7, 34. * k + 7, 38, 47, bottom, bottom + 4);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 34 * k, 42.5, 2.2, bottom, bottom + 4);
    }
    /* Sockets in the front and in the back. */
    scn_part_cylinder(part, SCN_CUT, SCN_Y, 0, -22, 6, -38, -35);
    scn_part_cylinder(part, SCN_CUT, SCN_Y, 0, 22, 4.5, -38, -35);
    add_box(part, SCN_CUT, -8, 8, -38, -35, -5, 5);
    for (int k = 0; k < 7; k++) {
        scn_part_cylinder(part, SCN_CUT, SCN_Y, 2, -36 + 12 * k, 3.2, 35, 38);
    }
}

/* --- Bracket: an angle with two gussets, a bearing and slots ---------------------------------- */

/** Starts the section of the angle across y. With a gusset it has no fillet. */
static void bracket_section(scn_part *part, bool gusset)
{
    scn_section_begin(part);
    scn_section_point(part, 0, 0);
    scn_section_point(part, 44, 0);
    scn_section_point(part, 44, 4);
    if (gusset) {
        scn_section_point(part, 34, 4);
        scn_section_point(part, 4, 42);
    } else {
        scn_section_arc(part, 9, 9, 5, -0.5 * BASE_PI, -0.5 * BASE_PI);
    }
    scn_section_point(part, 4, 64);
    scn_section_point(part, 0, 64);
}

static void bracket(scn_part *part)
{
    static const double layers[] = {-22, -18, -14, 14, 18, 22};
    for (int k = 0; k < 5; k++) {
        bracket_section(part, k % 2 == 1);
        scn_part_prism(part, SCN_ADD, SCN_Y, layers[k], layers[k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        const double y = k ? 1 : -1;
        round_corner(part, SCN_Z, 64, 22 * y, true, k, 6, 0, 4);
        round_corner(part, SCN_X, 22 * y, 44, k, true, 6, 0, 4);
        /* Countersunk screws. */
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 57, 15 * y, 2, 0, 2.2);
        scn_part_cone(part, SCN_CUT, SCN_Z, (scn_cone){57, 15 * y, 2.2, 2.4, 4, 4.2});
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 20, 8 * y, 2.5, 0, 4);
        scn_section_rounded(part, 8 * y - 2.25, 22, 8 * y + 2.25, 36, 2.25);
        scn_part_prism(part, SCN_CUT, SCN_X, 0, 4);
    }
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 42, 0, 10, 4, 16);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 42, 0, 5, 0, 10);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 42, 0, 7.5, 10, 16);
}

/* --- Housing: the lower half of a gear box ---------------------------------------------------- */

static void housing(scn_part *part)
{
    const double bottom = -22, floor = -17, flange = 20, rim = 26;
    add_rounded(part, SCN_ADD, SCN_Z, 45, 28, 8, bottom, flange);
    add_rounded(part, SCN_ADD, SCN_Z, 52, 36, 8, flange, rim);
    add_rounded(part, SCN_CUT, SCN_Z, 40, 23, 4, floor, rim);
    add_rounded(part, SCN_CUT, SCN_Z, 44, 27, 8, rim - 1, rim); /* groove of the seal */
    add_rounded(part, SCN_ADD, SCN_Z, 42.5, 25.5, 6.5, rim - 1, rim);
    for (int k = 0; k < 2; k++) {
        const double x = k ? 1 : -1;
        const double wall = k ? 40 : -45, seat = k ? 44 : -51, end = k ? 51 : -44;
        /* Bearings of the shaft: a boss, a seat with a shoulder, screws of the cover. */
        scn_part_cylinder(part, SCN_ADD, SCN_X, 0, 0, 16, k ? 45 : -51, k ? 51 : -45);
        scn_part_cylinder(part, SCN_CUT, SCN_X, 0, 0, 10, seat, end);
        scn_part_cylinder(part, SCN_CUT, SCN_X, 0, 0, 6, k ? wall : end, k ? seat : -40);
        for (int i = 0; i < 6; i++) {
            const double angle = BASE_PI / 3 * i;
            scn_part_cylinder(part, SCN_CUT, SCN_X, 13 * base_cos(angle), 13 * base_sin(angle), 1.1,
                              k ? 46 : -51, k ? 51 : -46);
        }
        /* Feet. */
        add_box(part, SCN_ADD, k ? 45 : -52, k ? 52 : -45, -19, 19, bottom, bottom + 5);
        for (int i = -1; i <= 1; i++) {
            scn_part_cylinder(part, SCN_CUT, SCN_Z, 48.5 * x, 18 * i, 2, flange, rim);
            scn_part_cylinder(part, SCN_CUT, SCN_Z, 48.5 * x, 13 * i, 1.8, bottom, bottom + 5);
        }
        for (int i = 0; i < 4; i++) {
            scn_part_cylinder(part, SCN_CUT, SCN_Z, -36 + 24 * i, 31.5 * x, 2, flange, rim);
        }
        /* Ribs below the flange, and posts inside. */
        for (int i = -1; i <= 1; i += 2) {
            add_box(part, SCN_ADD, 24. * i - 1.5, 24. * i + 1.5, k ? 28 : -34, k ? 34 : -28, bottom,
                    flange);
            add_post(part, 30 * i, 15 * x, 4.5, 1.6, floor, -14, -2);
        }
    }
    add_box(part, SCN_ADD, -1.5, 1.5, 28, 34, bottom, flange);
    /* The drain. */
    scn_part_cylinder(part, SCN_ADD, SCN_Y, -8, 0, 8, -33, -28);
    scn_part_cylinder(part, SCN_CUT, SCN_Y, -8, 0, 4, -33, -23);
}

/* --- Gear: a spur gear of 24 involute teeth, module 2, on a shaft with a keyway --------------- */

enum { teeth = 24 };

static const double tip_radius = 26, root_radius = 21.5, pressure_angle = BASE_PI / 9;

/** Returns half the angle that a tooth fills at a radius from the base circle on. */
static double half_tooth(double base, double radius)
{
    const double angle = base_acos(base_smaller(1, base / radius));
    const double tangent = base_sin(angle) / base_cos(angle);
    const double pressure_tangent = base_sin(pressure_angle) / base_cos(pressure_angle);
    return BASE_PI / (2 * teeth) + (pressure_tangent - pressure_angle) - (tangent - angle);
}

static void gear_section(scn_part *part)
{
    const double base = teeth * base_cos(pressure_angle); /* radius at module 2 */
    const double root = half_tooth(base, base), tip = half_tooth(base, tip_radius);
    /* A flank has the curvature of a circle of about this radius. */
    const size_t steps = scn_part_sides(part, 7, 0.5);
    scn_section_begin(part);
    for (int k = 0; k < teeth; k++) {
        const double middle = 2 * BASE_PI * k / teeth, next = 2 * BASE_PI * (k + 1) / teeth;
        for (int side = -1; side <= 1; side += 2) {
            for (size_t i = 0; i <= steps; i++) {
                const double share = (double)(side < 0 ? i : steps - i) / (double)steps;
                const double radius = base + share * (tip_radius - base);
                const double angle = middle + side * half_tooth(base, radius);
                scn_section_point(part, radius * base_cos(angle), radius * base_sin(angle));
            }
            if (side < 0) {
                scn_section_arc(part, 0, 0, tip_radius, middle - tip, 2 * tip);
            }
        }
        scn_section_arc(part, 0, 0, root_radius, middle + root, next - middle - 2 * root);
    }
}

/** Starts the section of the shaft: round, with the corners of the keyway, or with the keyway. */
static void shaft_section(scn_part *part, bool keyway)
{
    const double radius = 6, half_width = 2, bottom = 3.5;
    const double angle = base_acos(sqrt(1 - half_width * half_width / (radius * radius)));
    scn_section_begin(part);
    scn_section_arc(part, 0, 0, radius, angle, 2 * BASE_PI - 2 * angle);
    if (keyway) {
        scn_section_point(part, bottom, -half_width);
        scn_section_point(part, bottom, half_width);
    } else {
        scn_section_arc(part, 0, 0, radius, -angle, 2 * angle);
    }
}

static void gear(scn_part *part)
{
    gear_section(part);
    scn_part_prism(part, SCN_ADD, SCN_Z, -6, 6);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 0, 0, 18, 3, 6);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 0, 0, 18, -6, -3);
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 0, 0, 9, 3, 10);
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 0, 0, 9, -10, -3);
    for (int k = 0; k < 6; k++) {
        const double angle = BASE_PI / 3 * k;
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 13.4 * base_cos(angle), 13.4 * base_sin(angle), 2.8,
                          -3, 3);
    }
    shaft_section(part, false);
    scn_part_prism(part, SCN_ADD, SCN_Z, 10, 24);
    shaft_section(part, true);
    scn_part_prism(part, SCN_ADD, SCN_Z, 24, 44);
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 0, 0, 6, -30, -10);
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 0, 0, 5, -43, -30);
    scn_part_cone(part, SCN_ADD, SCN_Z, (scn_cone){0, 0, -44, 4, -43, 5});
}

/* --- Perforated plate: sheet metal with two lips ---------------------------------------------- */

static void perforated_plate(scn_part *part)
{
    const double row = 6.9, pitch = 8;
    add_rounded(part, SCN_ADD, SCN_Z, 50, 32, 5, -1, 1);
    for (int side = -1; side <= 1; side += 2) {
        add_box(part, SCN_ADD, -42, 42, side < 0 ? -32 : 30, side < 0 ? -30 : 32, 1, 9);
        scn_section_rounded(part, side < 0 ? -48 : 44, -9, side < 0 ? -44 : 48, 9, 2);
        scn_part_prism(part, SCN_CUT, SCN_Z, -1, 1);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 45 * side, 26, 2.2, -1, 1);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 45 * side, -26, 2.2, -1, 1);
    }
    for (int j = -3; j <= 3; j++) {
        const int count = j % 2 ? 9 : 10;
        for (int i = 0; i < count; i++) {
            const double x = pitch * (i - 0.5 * (count - 1)), y = row * j;
            /* The holes become smaller towards the ends. */
            const double radius = 2.9 - 0.035 * fabs(x);
            scn_part_cylinder(part, SCN_CUT, SCN_Z, x, y, radius, -1, 1);
        }
    }
}

/* --- Heat sink: fourteen fins in two blocks --------------------------------------------------- */

static void heat_sink_section(scn_part *part)
{
    const double quarter = 0.5 * BASE_PI, top = 5, tip = 34, half = 0.8;
    scn_section_begin(part);
    scn_section_point(part, 0, -45);
    scn_section_point(part, top, -45);
    for (int k = 0; k < 14; k++) {
        const double x = -39 + 6 * k;
        /* Fillets are larger towards the ends, so they do not all get a side at one tolerance. */
        const double fillet = 0.6 + 0.02 * fabs(k - 6.5);
        scn_section_arc(part, top + fillet, x - half - fillet, fillet, 2 * quarter, -quarter);
        scn_section_arc(part, tip - half, x, half, -quarter, 2 * quarter);
        scn_section_arc(part, top + fillet, x + half + fillet, fillet, -quarter, -quarter);
    }
    scn_section_point(part, top, 45);
    scn_section_point(part, 0, 45);
}

static void heat_sink(scn_part *part)
{
    heat_sink_section(part);
    scn_part_prism(part, SCN_ADD, SCN_Y, -32, -5);
    scn_part_prism(part, SCN_ADD, SCN_Y, 5, 32);
    add_box(part, SCN_ADD, -45, 45, -5, 5, 0, 5);
    add_rounded(part, SCN_CUT, SCN_Z, 15, 15, 2, 0, 1); /* seat of the chip */
    for (int k = -1; k <= 1; k += 2) {
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 24 * k, 0, 1.7, 0, 2.5);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 24 * k, 0, 3.2, 2.5, 5);
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 39 * k, 0, 2.2, 0, 5);
    }
}

/* --- Hinge: two leaves, open, and their pin --------------------------------------------------- */

static const double knuckle = 4, leaf_top = -1.5, leaf_end = 36;

/** Starts the section of a leaf across x: side = -1 towards -y. */
static void leaf_section(scn_part *part, double side, bool with_knuckle)
{
    const double angle = base_acos(sqrt(1 - leaf_top * leaf_top / (knuckle * knuckle)));
    const double sweep = 1.5 * BASE_PI + angle;
    if (!with_knuckle) {
        const double near = knuckle + 1;
        scn_section_rectangle(part, side < 0 ? -leaf_end : near, -knuckle,
                              side < 0 ? -near : leaf_end, leaf_top);
    } else if (side < 0) {
        scn_section_begin(part);
        scn_section_point(part, -leaf_end, leaf_top);
        scn_section_point(part, -leaf_end, -knuckle);
        scn_section_arc(part, 0, 0, knuckle, -0.5 * BASE_PI, sweep);
    } else {
        scn_section_begin(part);
        scn_section_point(part, leaf_end, -knuckle);
        scn_section_point(part, leaf_end, leaf_top);
        scn_section_arc(part, 0, 0, knuckle, -angle, sweep);
    }
}

static void hinge(scn_part *part)
{
    const double gap = 0.15, bore = 2.2, end = 40;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < 5; k++) {
            const bool with_knuckle = (k % 2 == 0) == (side < 0);
            const double play = with_knuckle ? gap : -gap;
            const double lo = k == 0 ? -end : -end + 16 * k + play;
            const double hi = k == 4 ? end : -end + 16 * (k + 1) - play;
            leaf_section(part, side, with_knuckle);
            scn_part_prism(part, SCN_ADD, SCN_X, lo, hi);
            if (with_knuckle) {
                scn_part_cylinder(part, SCN_CUT, SCN_X, 0, 0, bore, lo, hi);
            }
        }
        for (int k = -1; k <= 1; k++) {
            const double x = 28 * k, y = side * (k == 0 ? 15 : 26);
            scn_part_cylinder(part, SCN_CUT, SCN_Z, x, y, 2, -knuckle, -2.8);
            scn_part_cone(part, SCN_CUT, SCN_Z, (scn_cone){x, y, -2.8, 2.4, leaf_top, 3.9});
        }
        round_corner(part, SCN_Z, end, side * leaf_end, true, side > 0, 6, -knuckle, leaf_top);
        round_corner(part, SCN_Z, -end, side * leaf_end, false, side > 0, 6, -knuckle, leaf_top);
    }
    scn_part_cylinder(part, SCN_ADD, SCN_X, 0, 0, 1.9, -end - 0.3, end + 0.3);
    scn_part_cylinder(part, SCN_ADD, SCN_X, 0, 0, 3.3, -end - 2.5, -end - 0.3);
    scn_part_cylinder(part, SCN_ADD, SCN_X, 0, 0, 3.3, end + 0.3, end + 2.5);
}

/* --- Gripper: a palm with a wrist, and two fingers with round noses --------------------------- */

/** Starts the section of a finger across y: side = 1 towards +x. */
static void finger_section(scn_part *part, double side)
{
    const double palm = -16, inside = 16, outside = 25, quarter = 0.5 * BASE_PI;
    /* The nose is an arc, from the inner wall to the tip. */
    const double nose = 4, sweep = BASE_PI + base_atan2(1, sqrt(nose * nose - 1));
    scn_section_begin(part);
    if (side > 0) {
        scn_section_point(part, palm, inside);
        scn_section_arc(part, 22, inside - 1, nose, 2 * BASE_PI - sweep, sweep);
        scn_section_arc(part, 21, outside - 5, 5, 0, quarter);
        scn_section_point(part, palm, outside);
    } else {
        scn_section_point(part, palm, -outside);
        scn_section_arc(part, 21, 5 - outside, 5, -quarter, quarter);
        scn_section_arc(part, 22, 1 - inside, nose, 0, sweep);
        scn_section_point(part, palm, -inside);
    }
}

static void gripper(scn_part *part)
{
    scn_part_cylinder(part, SCN_ADD, SCN_Z, 0, 0, 9, -40, -28);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 0, 0, 5, -40, -30);
    add_rounded(part, SCN_ADD, SCN_Z, 30, 10, 4, -28, -16);
    for (int side = -1; side <= 1; side += 2) {
        scn_part_cylinder(part, SCN_CUT, SCN_Z, 12.5 * side, 0, 1.7, -28, -16);
        finger_section(part, side);
        scn_part_prism(part, SCN_ADD, SCN_Y, -7, 7);
    }
}

/* --- Comb: nine teeth, which fit between those of a second comb ------------------------------- */

static void comb(scn_part *part)
{
    const double quarter = 0.5 * BASE_PI, half = 2, base = 8, tip = 36, fillet = 1;
    scn_section_begin(part);
    scn_section_point(part, -46, 0);
    scn_section_point(part, 46, 0);
    scn_section_point(part, 46, base);
    for (int k = 4; k >= -4; k--) {
        const double x = 10 * k, out = half + fillet;
        scn_section_arc(part, x + out, base + fillet, fillet, -quarter, -quarter);
        scn_section_arc(part, x, tip, half, 0, 2 * quarter);
        scn_section_arc(part, x - out, base + fillet, fillet, 0, -quarter);
    }
    scn_section_point(part, -46, base);
    scn_part_prism(part, SCN_ADD, SCN_Z, -5, 5);
}

/* --- Cavity and key: a key turns in the chamber behind its hole ------------------------------- */

/** Starts the section of a shaft with two bits, or without them but with their corners. */
static void key_section(scn_part *part, double radius, double bit_u, double bit_v, bool bits)
{
    const double corner = base_atan2(bit_v, sqrt(radius * radius - bit_v * bit_v));
    scn_section_begin(part);
    for (int side = 1; side >= -1; side -= 2) {
        const double begin = side > 0 ? 0 : BASE_PI;
        scn_section_arc(part, 0, 0, radius, begin + corner, BASE_PI - 2 * corner);
        if (bits) {
            scn_section_point(part, -side * bit_u, side * bit_v);
            scn_section_point(part, -side * bit_u, -side * bit_v);
        } else {
            scn_section_arc(part, 0, 0, radius, begin + BASE_PI - corner, 2 * corner);
        }
    }
}

static void cavity(scn_part *part)
{
    add_box(part, SCN_ADD, -30, 30, -30, 30, -20, 20);
    key_section(part, 6, 16, 2.5, true);
    scn_part_prism(part, SCN_CUT, SCN_Z, 4, 20);
    scn_part_cylinder(part, SCN_CUT, SCN_Z, 0, 0, 18, -12, 4);
}

/** In its own frame, the key is in the cavity. */
static void key(scn_part *part)
{
    key_section(part, 5, 15, 2, true);
    scn_part_prism(part, SCN_ADD, SCN_Z, -9, 1);
    key_section(part, 5, 15, 2, false);
    scn_part_prism(part, SCN_ADD, SCN_Z, 1, 28);
    scn_section_rounded(part, 28, -15, 48, 15, 5);
    scn_part_prism(part, SCN_ADD, SCN_Y, -5.5, 5.5);
    scn_part_cylinder(part, SCN_CUT, SCN_Y, 38, 0, 5, -5.5, 5.5);
}

/* --- Builds ----------------------------------------------------------------------------------- */

base_status scn_enclosure_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(enclosure, triangles, mesh, err);
}

base_status scn_bracket_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(bracket, triangles, mesh, err);
}

base_status scn_housing_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(housing, triangles, mesh, err);
}

base_status scn_gear_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(gear, triangles, mesh, err);
}

base_status scn_perforated_plate_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(perforated_plate, triangles, mesh, err);
}

base_status scn_heat_sink_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(heat_sink, triangles, mesh, err);
}

base_status scn_hinge_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(hinge, triangles, mesh, err);
}

base_status scn_gripper_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(gripper, triangles, mesh, err);
}

base_status scn_comb_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(comb, triangles, mesh, err);
}

base_status scn_cavity_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(cavity, triangles, mesh, err);
}

base_status scn_key_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_part_build(key, triangles, mesh, err);
}
