#include "base/elementary.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

/*
 * A bolt and its nut in one frame: the z axis is along the bolt, the origin on the bearing face
 * under its head. The nut's thread is the bolt's thread, enlarged by `clearance`.
 */
static const double hexagon_radius = 0.021, head_height = 0.015;
static const double shaft_radius = 0.012, shaft_length = 0.079;
static const double pitch = 0.004, groove_depth = 0.0016, thread_start = 0.019;
static const double clearance = 0.0003;

enum { bolt_turns = 15, nut_turns = 5, nut_first_turn = 6 };

/* With longer edges, the nut's chords would intersect the bolt's crests. */
static const double fastener_edge_max = 0.0031;

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
    const size_t around = scn_steps(2 * BASE_PI * shaft_radius, grid.edge);
    return (thread){.z0 = z0, .turns = turns, .rows = rows, .around = around};
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

static void bolt_design(scn_loft *loft, scn_grid grid)
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
    /* Row 1 and the last but one may be lifted by a row, so two rows separate them from the flat
     * rings. */
    for (size_t row = 1; row + 1 < t.turns * t.rows; row++) {
        add_thread_ring(loft, &t, row);
    }
    add_thread_ring(loft, &t, t.turns * t.rows);
    scn_loft_end(loft, (scn_rim){&tip, grid.edge}, shaft_length);
}

static void nut_design(scn_loft *loft, scn_grid grid)
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

base_status scn_bolt_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(bolt_design, fastener_edge_max, triangles, mesh, err);
}

base_status scn_nut_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    return scn_loft_build(nut_design, fastener_edge_max, triangles, mesh, err);
}
