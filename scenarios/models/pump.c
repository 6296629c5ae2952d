#include "base/elementary.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

/*
 * A gear pump in one frame: a block with a pocket of two overlapping bores, open at the top, and
 * two gears in it whose teeth mesh with play. The origin is at the centre of the block's underside.
 * The bores' axes intersect the x axis.
 */
static const double gear_distance = 0.02; /* distance of a bore's axis from the z axis: the pitch
                                             radius */
static const double tip_radius = 0.024, root_radius = 0.015, bore_radius = 0.0243;
static const double block_x = 0.05, block_y = 0.03, block_z = 0.03; /* half, half, whole */
static const double floor_z = 0.005, gear_z0 = 0.0053, gear_z1 = 0.0297;
static const double shaft_radius = 0.008, shaft_z1 = 0.05;

/* Half the angle of a tooth at its tip, in the middle of its flank, and at its root. */
static const double tip_angle = 0.05, flank_radius = 0.0198, flank_angle = 0.12, root_angle = 0.227;

enum { teeth = 10 };

/* With longer edges, the bores' chords would intersect the gears' tips. */
static const double pump_edge_max = 0.0032;

/* --- Housing ---------------------------------------------------------------------------------- */

static scn_outline make_pocket(void)
{
    const double half = base_acos(-gear_distance / bore_radius);
    const vec3 right = {gear_distance, 0, 0}, left = {-gear_distance, 0, 0};
    scn_outline pocket = {0};
    scn_outline_arc(&pocket, right, bore_radius, 0, half);
    scn_outline_arc(&pocket, left, bore_radius, BASE_PI - half, 2 * half);
    scn_outline_arc(&pocket, right, bore_radius, -half, half);
    return pocket;
}

static void housing_design(scn_loft *loft, scn_grid grid)
{
    /* The outer faces are coarser, since no body comes near them. */
    static const double coarser = 2.5;
    const scn_outline block = scn_outline_rectangle(block_x, block_y);
    const scn_outline pocket = make_pocket();
    const scn_rim outer = {&block, coarser * grid.edge}, inner = {&pocket, grid.edge};
    scn_loft_begin(loft, outer, 0);
    scn_loft_outline(loft, outer, 0);
    scn_loft_wall(loft, outer, 0, block_z, coarser * grid.step);
    scn_loft_between(loft, outer, inner, block_z);
    scn_loft_outline(loft, inner, block_z);
    scn_loft_wall(loft, inner, block_z, floor_z, grid.step);
    scn_loft_end(loft, inner, floor_z);
}

base_status scn_pump_housing_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(housing_design, pump_edge_max, triangles, mesh, err);
}

/* --- Gear ------------------------------------------------------------------------------------- */

static vec3 polar(double radius, double angle)
{
    return vec3_make(radius * base_cos(angle), radius * base_sin(angle), 0);
}

/** Adds the convex arc through three points given counter-clockwise. */
static void add_arc_through(scn_outline *outline, vec3 a, vec3 b, vec3 c)
{
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a);
    const double twice = 2 * (ab.x * ac.y - ab.y * ac.x);
    const double ab2 = vec3_norm2(ab), ac2 = vec3_norm2(ac);
    const vec3 to_centre = {(ac.y * ab2 - ab.y * ac2) / twice, (ab.x * ac2 - ac.x * ab2) / twice,
                            0};
    const vec3 centre = vec3_add(a, to_centre), to_c = vec3_sub(c, centre);
    const double angle = base_atan2(-to_centre.y, -to_centre.x);
    const double sweep = base_atan2(to_c.y, to_c.x) - angle;
    scn_outline_arc(outline, centre, vec3_norm(to_centre), angle,
                    sweep > 0 ? sweep : sweep + 2 * BASE_PI);
}

/** Returns the outline of a gear, which starts at the begin of the first tooth's tip. turn: the
 * angle of the first tooth. */
static scn_outline make_gear(double turn)
{
    const double tooth_angle = 2 * BASE_PI / teeth;
    scn_outline gear = {0};
    for (int t = 0; t < teeth; t++) {
        const double at = turn + t * tooth_angle, next = turn + (t + 1) * tooth_angle;
        scn_outline_arc(&gear, vec3_make(0, 0, 0), tip_radius, at - tip_angle, 2 * tip_angle);
        add_arc_through(&gear, polar(tip_radius, at + tip_angle),
                        polar(flank_radius, at + flank_angle), polar(root_radius, at + root_angle));
        scn_outline_arc(&gear, vec3_make(0, 0, 0), root_radius, at + root_angle,
                        tooth_angle - 2 * root_angle);
        add_arc_through(&gear, polar(root_radius, next - root_angle),
                        polar(flank_radius, next - flank_angle),
                        polar(tip_radius, next - tip_angle));
    }
    return gear;
}

/** The flat side of a gear outside its root circle: a patch of quads for each tooth. */
typedef struct gear_side {
    const scn_outline *outline;
    double edge, z, turn;
    size_t tip, flank, root, around; /* number of chords of the pieces and of the whole outline */
    size_t rim, inside;              /* first vertex of the outline, and inside of the patches */
} gear_side;

/** Returns the vertex in row `row` below the tip, in column 0 .. tip across the tooth. */
static size_t tooth_vertex(const gear_side *side, size_t tooth, size_t row, size_t column)
{
    const size_t start = tooth * (side->around / teeth);
    if (column == 0) {
        return side->rim + (start + side->around - row) % side->around;
    }
    if (row == 0 || column == side->tip) {
        return side->rim + start + column + row;
    }
    return side->inside + (tooth * side->flank + row - 1) * (side->tip - 1) + column - 1;
}

static vec3 inside_point(const void *context, size_t i)
{
    const gear_side *const side = context;
    const size_t columns = side->tip - 1, column = i % columns + 1;
    const size_t row = i / columns % side->flank + 1, tooth = i / columns / side->flank;
    /* Rows are arcs between the two flanks of the first tooth, rotated to the current tooth. */
    const vec3 end = scn_outline_point(side->outline, side->edge, side->tip + row);
    const double half = base_atan2(end.y, end.x) - side->turn;
    const double across = 2 * (double)column / (double)side->tip - 1;
    const double at = side->turn + 2 * BASE_PI * (double)tooth / teeth;
    const vec3 p = polar(vec3_norm(end), at + half * across);
    return vec3_make(p.x, p.y, side->z);
}

static void connect_teeth(scn_loft *loft, const gear_side *side, bool outwards)
{
    if (!loft->mesh) {
        loft->face_count += 2 * teeth * side->flank * side->tip;
        return;
    }
    for (size_t tooth = 0; tooth < teeth; tooth++) {
        for (size_t i = 0; i < side->flank * side->tip; i++) {
            const size_t row = i / side->tip, column = i % side->tip;
            const size_t from = outwards ? row + 1 : row, to = outwards ? row : row + 1;
            const size_t a = tooth_vertex(side, tooth, from, column);
            const size_t b = tooth_vertex(side, tooth, from, column + 1);
            const size_t c = tooth_vertex(side, tooth, to, column + 1);
            const size_t d = tooth_vertex(side, tooth, to, column);
            scn_loft_face(loft, a, b, d);
            scn_loft_face(loft, b, c, d);
        }
    }
}

/** Puts the root circle, with the lowest rows of the teeth, into loft->next; returns its vertex
 * count. */
static size_t root_ring(scn_loft *loft, const gear_side *side)
{
    const size_t per_tooth = side->tip + side->root;
    for (size_t i = 0; loft->mesh && i < teeth * per_tooth; i++) {
        const size_t tooth = i / per_tooth, k = i % per_tooth;
        const size_t corner = tooth * (side->around / teeth) + side->tip + side->flank;
        loft->next[i] = (uint32_t)(k < side->tip ? tooth_vertex(side, tooth, side->flank, k)
                                                 : side->rim + corner + k - side->tip);
    }
    return teeth * per_tooth;
}

static gear_side make_side(const scn_outline *gear, double edge, double z, double turn)
{
    return (gear_side){.outline = gear,
                       .edge = edge,
                       .z = z,
                       .turn = turn,
                       .tip = scn_piece_count(&gear->pieces[0], edge),
                       .flank = scn_piece_count(&gear->pieces[1], edge),
                       .root = scn_piece_count(&gear->pieces[2], edge),
                       .around = scn_outline_count(gear, edge)};
}

static vec3 rim_point(const void *context, size_t i)
{
    const gear_side *const side = context;
    const vec3 p = scn_outline_point(side->outline, side->edge, i);
    return vec3_make(p.x, p.y, side->z);
}

static size_t add_inside(scn_loft *loft, const gear_side *side)
{
    return scn_loft_vertices(loft, teeth * side->flank * (side->tip - 1), inside_point, side);
}

/** Builds outwards from the root circle to the gear's outline, which becomes the last ring. */
static void lower_side(scn_loft *loft, gear_side side)
{
    side.rim = scn_loft_vertices(loft, side.around, rim_point, &side);
    side.inside = add_inside(loft, &side);
    scn_loft_join(loft, root_ring(loft, &side));
    connect_teeth(loft, &side, true);
    scn_loft_fill(loft, side.rim, side.around);
    scn_loft_restart(loft, side.around);
}

/** Builds inwards from the gear's outline, which has the newest vertices, to the root circle. */
static void upper_side(scn_loft *loft, gear_side side)
{
    side.rim = loft->vertex_count - side.around;
    side.inside = add_inside(loft, &side);
    connect_teeth(loft, &side, false);
    scn_loft_restart(loft, root_ring(loft, &side));
}

/** Adds a gear with a shaft on top and its axis at x. turn: the angle of its first tooth. */
static void add_gear(scn_loft *loft, scn_grid grid, double x, double turn)
{
    const double start = turn - root_angle;
    const scn_outline gear = make_gear(turn);
    const scn_outline root = scn_outline_circle(root_radius, start);
    const scn_outline shaft = scn_outline_circle(shaft_radius, start);
    const scn_rim gear_rim = {&gear, grid.edge}, root_rim = {&root, grid.edge};
    const scn_rim shaft_rim = {&shaft, grid.edge};
    loft->offset = vec3_make(x, 0, 0);
    scn_loft_begin(loft, root_rim, gear_z0);
    lower_side(loft, make_side(&gear, grid.edge, gear_z0, turn));
    scn_loft_wall(loft, gear_rim, gear_z0, gear_z1, grid.step);
    upper_side(loft, make_side(&gear, grid.edge, gear_z1, turn));
    scn_loft_between(loft, root_rim, shaft_rim, gear_z1);
    scn_loft_outline(loft, shaft_rim, gear_z1);
    scn_loft_wall(loft, shaft_rim, gear_z1, shaft_z1, grid.step);
    scn_loft_end(loft, shaft_rim, shaft_z1);
}

static void rotor_design(scn_loft *loft, scn_grid grid)
{
    add_gear(loft, grid, gear_distance, 0);
}

base_status scn_pump_rotor_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(rotor_design, pump_edge_max, triangles, mesh, err);
}

/** The gear is turned by half a tooth: its gap faces the rotor's tooth. */
static void idler_design(scn_loft *loft, scn_grid grid)
{
    add_gear(loft, grid, -gear_distance, BASE_PI / teeth);
}

base_status scn_pump_idler_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(idler_design, pump_edge_max, triangles, mesh, err);
}
