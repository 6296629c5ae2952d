/** Bodies of revolution, and a bolt and a nut. Smooth walls are finer around the axis than along
 * it, because a round wall needs no rows. */
#include "base/elementary.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

/* Spacing around a wall and along it, relative to the grid's. */
static const double around = 0.5, along = 4;

/* --- Pin and bore, about the z axis ----------------------------------------------------------- */

void scn_pin_design(scn_loft *loft, scn_grid grid)
{
    const double half_length = 0.5 * SCN_PIN_LENGTH;
    const scn_outline circle = scn_outline_circle(SCN_PIN_RADIUS, 0);
    const scn_rim rim = {&circle, around * grid.edge};
    scn_loft_begin(loft, rim, -half_length);
    scn_loft_outline(loft, rim, -half_length);
    scn_loft_wall(loft, rim, -half_length, half_length, along * grid.step);
    scn_loft_end(loft, rim, half_length);
}

void scn_bore_design(scn_loft *loft, scn_grid grid)
{
    const double z0 = -0.5 * SCN_BORE_LENGTH, z1 = 0.5 * SCN_BORE_LENGTH;
    const scn_outline outside = scn_outline_circle(SCN_BORE_OUTSIDE, 0);
    const scn_outline hole = scn_outline_circle(SCN_BORE_RADIUS, 0);
    const scn_rim outer = {&outside, 2 * grid.edge}, inner = {&hole, around * grid.edge};
    scn_loft_outline(loft, outer, z0);
    scn_loft_wall(loft, outer, z0, z1, along * grid.step);
    scn_loft_between(loft, outer, inner, z1);
    scn_loft_outline(loft, inner, z1);
    scn_loft_wall(loft, inner, z1, z0, along * grid.step);
    scn_loft_between(loft, inner, outer, z0);
    scn_loft_close(loft);
}

/* --- Cone with its apex in the origin --------------------------------------------------------- */

static vec3 apex(const void *context, size_t i)
{
    (void)context;
    (void)i;
    return vec3_make(0, 0, 0);
}

void scn_cone_design(scn_loft *loft, scn_grid grid)
{
    const double slope =
        sqrt(SCN_CONE_RADIUS * SCN_CONE_RADIUS + SCN_CONE_HEIGHT * SCN_CONE_HEIGHT);
    const scn_outline rim = scn_outline_circle(SCN_CONE_RADIUS, 0);
    const size_t rows = scn_steps(slope, grid.step);
    scn_loft_ring(loft, 1, apex, NULL);
    for (size_t i = 1; i <= rows; i++) {
        const double share = (double)i / (double)rows;
        const scn_outline circle = scn_outline_circle(share * SCN_CONE_RADIUS, 0);
        scn_loft_outline(loft, (scn_rim){&circle, grid.edge}, share * SCN_CONE_HEIGHT);
    }
    scn_loft_end(loft, (scn_rim){&rim, grid.edge}, SCN_CONE_HEIGHT);
}

/* --- Artificial: a block on a spike, a column with a fillet, a disc, a bored hexagon ---------- */

/*
 * From bottom to top along the z axis: a cone, a block with flat sides, a fillet up to a column, a
 * thin disc, a cone up to a hexagon, and in the hexagon a hole with a round bottom.
 */
static const double spike_radius = 0.012, block_x = 0.05, block_y = 0.032, column_radius = 0.016,
                    fillet_radius = 0.009, disc_radius = 0.036, cone_radius = 0.026,
                    neck_radius = 0.013, boss_radius = 0.019, hole_radius = 0.0105;
static const double block_z0 = 0.018, block_z1 = 0.036, disc_z0 = 0.062, disc_z1 = 0.0635,
                    boss_z0 = 0.074, boss_z1 = 0.09, hole_z = 0.042;

static vec3 hole_bottom(const void *context, size_t i)
{
    (void)context;
    (void)i;
    return vec3_make(0, 0, hole_z);
}

/** Adds circles with radius and height interpolated from `from` to `to`, without the first one. */
static void add_cone(scn_loft *loft, double edge, double step, vec3 from, vec3 to)
{
    const size_t rows = scn_steps(vec3_distance(from, to), step);
    for (size_t i = 1; i <= rows; i++) {
        const vec3 at = vec3_madd(from, (double)i / (double)rows, vec3_sub(to, from));
        const scn_outline circle = scn_outline_circle(i < rows ? at.x : to.x, 0);
        scn_loft_outline(loft, (scn_rim){&circle, edge * at.x / to.x}, i < rows ? at.z : to.z);
    }
}

/** Adds circles along an arc in the half-plane of radius and height, without the first one. If
 * at_pole is true, the last circle is left out, because a pole follows. */
static void add_arc(scn_loft *loft, double edge, double step, vec3 centre, double radius,
                    double angle, double sweep, bool at_pole)
{
    const size_t rows = scn_steps(radius * fabs(sweep), step) + 1;
    for (size_t i = 1; i + at_pole <= rows; i++) {
        const double at = angle + sweep * ((double)i / (double)rows);
        const double r = centre.x + radius * base_cos(at);
        const scn_outline circle = scn_outline_circle(r, 0);
        scn_loft_outline(loft, (scn_rim){&circle, edge}, centre.z + radius * base_sin(at));
    }
}

void scn_artificial_design(scn_loft *loft, scn_grid grid)
{
    const double edge = grid.edge, step = grid.step;
    const scn_outline spike = scn_outline_circle(spike_radius, 0);
    const scn_outline block = scn_outline_rectangle(block_x, block_y);
    const scn_outline foot = scn_outline_circle(column_radius + fillet_radius, 0);
    const scn_outline column = scn_outline_circle(column_radius, 0);
    const scn_outline disc = scn_outline_circle(disc_radius, 0);
    const scn_outline neck = scn_outline_circle(neck_radius, 0);
    const scn_outline cone = scn_outline_circle(cone_radius, 0);
    const scn_outline boss = scn_outline_hexagon(boss_radius);
    const scn_outline hole = scn_outline_circle(hole_radius, 0);
    const scn_rim spike_rim = {&spike, edge}, block_rim = {&block, 2 * edge};
    const scn_rim foot_rim = {&foot, edge}, column_rim = {&column, edge}, disc_rim = {&disc, edge};
    const scn_rim cone_rim = {&cone, edge};
    const scn_rim neck_rim = {&neck, edge}, boss_rim = {&boss, edge}, hole_rim = {&hole, edge};
    scn_loft_ring(loft, 1, apex, NULL);
    add_cone(loft, edge, step, vec3_make(0, 0, 0), vec3_make(spike_radius, 0, block_z0));
    scn_loft_between(loft, spike_rim, block_rim, block_z0);
    scn_loft_outline(loft, block_rim, block_z0);
    scn_loft_wall(loft, block_rim, block_z0, block_z1, 2 * step);
    scn_loft_between(loft, block_rim, foot_rim, block_z1);
    scn_loft_outline(loft, foot_rim, block_z1);
    add_arc(loft, edge, step, vec3_make(column_radius + fillet_radius, 0, block_z1 + fillet_radius),
            fillet_radius, 1.5 * BASE_PI, -0.5 * BASE_PI, false);
    scn_loft_wall(loft, column_rim, block_z1 + fillet_radius, disc_z0, along * step);
    scn_loft_between(loft, column_rim, disc_rim, disc_z0);
    scn_loft_outline(loft, disc_rim, disc_z0);
    scn_loft_wall(loft, disc_rim, disc_z0, disc_z1, step);
    scn_loft_between(loft, disc_rim, cone_rim, disc_z1);
    scn_loft_outline(loft, cone_rim, disc_z1);
    add_cone(loft, edge, step, vec3_make(cone_radius, 0, disc_z1),
             vec3_make(neck_radius, 0, boss_z0));
    scn_loft_between(loft, neck_rim, boss_rim, boss_z0);
    scn_loft_outline(loft, boss_rim, boss_z0);
    scn_loft_wall(loft, boss_rim, boss_z0, boss_z1, 2 * step);
    scn_loft_between(loft, boss_rim, hole_rim, boss_z1);
    scn_loft_outline(loft, hole_rim, boss_z1);
    scn_loft_wall(loft, hole_rim, boss_z1, hole_z + hole_radius, along * step);
    add_arc(loft, edge, step, vec3_make(0, 0, hole_z + hole_radius), hole_radius, 0, -0.5 * BASE_PI,
            true);
    scn_loft_ring(loft, 1, hole_bottom, NULL);
}

/* --- Bolt and nut ----------------------------------------------------------------------------- */

/*
 * A bolt and its nut in one frame: the z axis is along the bolt, the origin on the bearing face
 * under its head. The nut's thread is the bolt's thread, enlarged by `clearance`.
 */
static const double hexagon_radius = 0.021, head_height = 0.015;
static const double shaft_radius = 0.012, shaft_length = 0.079;
static const double pitch = 0.004, groove_depth = 0.0016, thread_start = 0.019;
static const double clearance = 0.0003;

enum { bolt_turns = 15, nut_turns = 5, nut_first_turn = 6 };

/* The table of models limits the grid's edges of bolt and nut. With longer edges, the nut's chords
 * would intersect the bolt's crests. */
/* --- Thread ----------------------------------------------------------------------------------- */

/**
 * A thread of whole turns. Its rings are nearly flat. Vertex j of `around` is lifted onto one of
 * the `rows` helices of a turn, which contain the creases of the profile. Where the lift reaches a
 * whole row, it is reduced by one row. So the thread has sharp creases with few rows.
 */
typedef struct thread {
    double z0; /* thread_start plus a multiple of the pitch */
    size_t turns, rows, around;
    double radius;             /* radius of the crests */
    bool run_in_lo, run_in_hi; /* the groove fades out towards that end */
    bool run_out_hi;           /* the crest fades out towards the upper end */
} thread;

static thread make_thread(double z0, size_t turns, scn_grid grid)
{
    /* Crest, flank, groove and flank take a quarter of the pitch each. A flank is 1.9 times as long
     * as that, so rows are denser than steps, by about the mean of both. */
    const size_t rows = 4 * scn_steps(0.25 * 1.4 * pitch, grid.step);
    const size_t count = scn_steps(2 * BASE_PI * shaft_radius, grid.edge);
    return (thread){.z0 = z0, .turns = turns, .rows = rows, .around = count};
}

/** Returns the depth below the crest at row `row` of a turn, relative to the groove's depth. */
static double groove_profile(const thread *t, size_t row)
{
    const double quarter = 4 * (double)row / (double)t->rows;
    if (quarter < 1) {
        return 0;
    }
    return quarter < 2 ? quarter - 1 : quarter < 3 ? 1 : 4 - quarter;
}

/** Returns 0 up to half a turn from the end of a thread, where its rows begin; 1 from one turn
 * further on. */
static double fade(bool fades, double distance)
{
    return fades ? fmin(1, fmax(0, distance / pitch - 0.5)) : 1;
}

typedef struct thread_ring {
    const thread *thread;
    size_t row; /* 0: the flat ring below the thread; turns * rows: the one above */
} thread_ring;

static vec3 thread_point(const void *context, size_t j)
{
    const thread_ring *const ring = context;
    const thread *const t = ring->thread;
    const double length = (double)t->turns * pitch;
    const bool flat = ring->row == 0 || ring->row == t->turns * t->rows;
    const size_t turned = flat ? 0 : t->rows * j;
    const size_t helix = ring->row + t->rows - turned / t->around;
    const double lift = (double)(turned % t->around) / (double)t->around;
    const double height = ((double)ring->row + lift) / (double)t->rows * pitch;
    const double in = fmin(fade(t->run_in_lo, height), fade(t->run_in_hi, length - height));
    const double depth = groove_depth * in * groove_profile(t, helix % t->rows);
    const double out = fade(t->run_out_hi, length - height);
    const double radius = t->radius - groove_depth + out * (groove_depth - depth);
    const double angle = 2 * BASE_PI * ((double)j / (double)t->around);
    return vec3_make(radius * base_cos(angle), radius * base_sin(angle), t->z0 + height);
}

static void add_thread_ring(scn_loft *loft, const thread *t, size_t row)
{
    scn_loft_ring(loft, t->around, thread_point, &(const thread_ring){t, row});
}

/* --- Bodies ----------------------------------------------------------------------------------- */

void scn_bolt_design(scn_loft *loft, scn_grid grid)
{
    const scn_outline hexagon = scn_outline_hexagon(hexagon_radius);
    const scn_outline shaft = scn_outline_circle(shaft_radius, 0);
    const scn_outline tip = scn_outline_circle(shaft_radius - groove_depth, 0);
    const scn_rim head_rim = {&hexagon, 2 * grid.edge}, shaft_rim = {&shaft, grid.edge};
    scn_loft_begin(loft, head_rim, -head_height);
    scn_loft_outline(loft, head_rim, -head_height);
    scn_loft_wall(loft, head_rim, -head_height, 0, 2 * grid.step);
    scn_loft_between(loft, head_rim, shaft_rim, 0);
    scn_loft_outline(loft, shaft_rim, 0);
    scn_loft_wall(loft, shaft_rim, 0, thread_start, grid.step);

    thread t = make_thread(thread_start, bolt_turns, grid);
    t.radius = shaft_radius;
    t.run_in_lo = t.run_out_hi = true;
    /* A ring is lifted by up to one row. Therefore the last lifted ring is two rows below the flat
     * ring above it. */
    for (size_t row = 1; row + 1 < t.turns * t.rows; row++) {
        add_thread_ring(loft, &t, row);
    }
    add_thread_ring(loft, &t, t.turns * t.rows);
    scn_loft_end(loft, (scn_rim){&tip, grid.edge}, shaft_length);
}

void scn_nut_design(scn_loft *loft, scn_grid grid)
{
    const double z0 = thread_start + nut_first_turn * pitch, z1 = z0 + nut_turns * pitch;
    const scn_outline hexagon = scn_outline_hexagon(hexagon_radius);
    const scn_outline bore = scn_outline_circle(shaft_radius + clearance, 0);
    thread t = make_thread(z0, nut_turns, grid);
    t.radius = shaft_radius + clearance;
    const scn_rim outer = {&hexagon, 2 * grid.edge};
    const scn_rim inner = {&bore, bore.length / (double)t.around};
    scn_loft_outline(loft, outer, z0);
    scn_loft_wall(loft, outer, z0, z1, 2 * grid.step);
    scn_loft_between(loft, outer, inner, z1);
    scn_loft_outline(loft, inner, z1);

    t.run_in_lo = t.run_in_hi = true;
    for (size_t row = t.turns * t.rows - 2; row > 0; row--) {
        add_thread_ring(loft, &t, row);
    }
    add_thread_ring(loft, &t, 0);
    scn_loft_between(loft, inner, outer, z0);
    scn_loft_close(loft);
}
