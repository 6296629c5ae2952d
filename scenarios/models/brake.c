/**
 * A disc brake about the z axis: a ventilated disc with a hat, and a calliper with two pads. These
 * are four closed bodies that do not touch. Each consists of cells of a polar grid, so that its
 * faces are flat at every resolution, and cells that share a face share its corners.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

#include <stdlib.h>
#include <string.h>

/* --- Polar grids ------------------------------------------------------------------------------ */

enum { RADIUS, ANGLE, Z, STRETCHES_MAX = 80, WALLS_MAX = 8192 };

/** The range of a coordinate, divided by breaks into intervals, each of which is divided evenly
 * into cells. */
typedef struct polar_axis {
    double breaks[STRETCHES_MAX + 1];
    size_t stretches;
    size_t first[STRETCHES_MAX + 1]; /* index of the grid line at each break */
    bool around;                     /* periodic: the last line is the first one */
} polar_axis;

/** Indices along the axes: of intervals, from 1 on, or of lines. */
typedef struct indices {
    size_t at[3];
} indices;

typedef struct polar {
    polar_axis axes[3];
    /** True if these intervals, which are within the grid, contain material. */
    bool (*solid)(size_t radius, size_t angle, size_t z);
    /** Maps a point (radius, angle, z) of the grid to its final position; NULL: the identity. */
    vec3 (*bend)(vec3 p);
} polar;

static void add_break(polar_axis *a, double at)
{
    base_assert(a->stretches < STRETCHES_MAX);
    a->breaks[++a->stretches] = at;
}

static polar_axis make_axis(const double *breaks, size_t count)
{
    polar_axis a = {.breaks = {breaks[0]}};
    for (size_t i = 1; i < count; i++) {
        add_break(&a, breaks[i]);
    }
    return a;
}

static void cut_axis(polar_axis *a, double spacing)
{
    for (size_t s = 0; s < a->stretches; s++) {
        a->first[s + 1] = a->first[s] + scn_steps(a->breaks[s + 1] - a->breaks[s], spacing);
    }
}

/** The spacing along the angle is that at a radius of 40 mm. Upright walls are straight and need
 * fewer rows. */
static void cut_grid(polar *p, scn_grid grid)
{
    cut_axis(&p->axes[RADIUS], grid.step);
    cut_axis(&p->axes[ANGLE], grid.edge / 0.04);
    cut_axis(&p->axes[Z], 3 * grid.step);
}

static size_t cells(const polar_axis *a, size_t s)
{
    return a->first[s] - a->first[s - 1];
}

static double line_at(const polar_axis *a, size_t line)
{
    size_t s = 1;
    while (line > a->first[s]) {
        s++;
    }
    const double from = a->breaks[s - 1], to = a->breaks[s];
    const double t = (double)(line - a->first[s - 1]) / (double)cells(a, s);
    return line == a->first[s] ? to : from + t * (to - from);
}

/** True if the interval contains material. The indices may be outside of the grid by one. */
static bool matter(const polar *p, indices c)
{
    const size_t turn = p->axes[ANGLE].stretches;
    if (p->axes[ANGLE].around) {
        c.at[ANGLE] = (c.at[ANGLE] + turn - 1) % turn + 1;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (c.at[axis] < 1 || c.at[axis] > p->axes[axis].stretches) {
            return false;
        }
    }
    return p->solid(c.at[RADIUS], c.at[ANGLE], c.at[Z]);
}

/** A flat part of the surface: the side of the intervals `behind` that is towards lower coordinates
 * along the axis. */
typedef struct wall {
    indices behind;
    int axis;
    bool up; /* the outside is towards higher coordinates */
} wall;

typedef void visit_wall(void *context, const polar *p, wall w);

static void each_wall(const polar *p, visit_wall *visit, void *context)
{
    indices c;
    for (c.at[Z] = 1; c.at[Z] <= p->axes[Z].stretches + 1; c.at[Z]++) {
        for (c.at[RADIUS] = 1; c.at[RADIUS] <= p->axes[RADIUS].stretches + 1; c.at[RADIUS]++) {
            const size_t turn = p->axes[ANGLE].stretches + !p->axes[ANGLE].around;
            for (c.at[ANGLE] = 1; c.at[ANGLE] <= turn; c.at[ANGLE]++) {
                const bool behind = matter(p, c);
                for (int axis = 0; axis < 3; axis++) {
                    indices before = c;
                    before.at[axis]--;
                    if (matter(p, before) != behind) {
                        visit(context, p, (wall){c, axis, !behind});
                    }
                }
            }
        }
    }
}

/** The two intervals of each wall across its axis. They do not depend on the grid, and the cells of
 * any grid can be counted from them. */
typedef struct tally {
    struct {
        unsigned char u_axis, v_axis, u, v;
    } walls[WALLS_MAX];
    size_t count;
} tally;

static void tally_wall(void *context, const polar *p, wall w)
{
    (void)p;
    tally *const t = context;
    const int u = (w.axis + 1) % 3, v = (w.axis + 2) % 3;
    base_assert(t->count < WALLS_MAX);
    t->walls[t->count].u_axis = (unsigned char)u;
    t->walls[t->count].v_axis = (unsigned char)v;
    t->walls[t->count].u = (unsigned char)w.behind.at[u];
    t->walls[t->count].v = (unsigned char)w.behind.at[v];
    t->count++;
}

static size_t count_quads(const polar *p, const tally *t)
{
    size_t quads = 0;
    for (size_t i = 0; i < t->count; i++) {
        quads += cells(&p->axes[t->walls[i].u_axis], t->walls[i].u) *
                 cells(&p->axes[t->walls[i].v_axis], t->walls[i].v);
    }
    return quads;
}

/* --- Mesh of the surface ---------------------------------------------------------------------- */

/** The quadrilaterals of the surface. A corner is encoded as a number from its grid lines, which
 * defines an order. */
typedef struct skin {
    uint64_t (*quads)[4]; /* counter-clockwise seen from outside */
    size_t quad_count;
    uint64_t *corners; /* distinct, sorted */
    size_t corner_count;
} skin;

static uint64_t corner_number(const polar *p, indices line)
{
    const polar_axis *const angle = &p->axes[ANGLE];
    const size_t last = angle->first[angle->stretches];
    const size_t at = angle->around && line.at[ANGLE] == last ? 0 : line.at[ANGLE];
    const size_t radii = p->axes[RADIUS].first[p->axes[RADIUS].stretches] + 1;
    return ((uint64_t)line.at[Z] * (last + 1) + at) * radii + line.at[RADIUS];
}

static vec3 corner_point(const polar *p, uint64_t number)
{
    const size_t radii = p->axes[RADIUS].first[p->axes[RADIUS].stretches] + 1;
    const size_t angles = p->axes[ANGLE].first[p->axes[ANGLE].stretches] + 1;
    const vec3 straight = {line_at(&p->axes[RADIUS], number % radii),
                           line_at(&p->axes[ANGLE], number / radii % angles),
                           line_at(&p->axes[Z], number / radii / angles)};
    const vec3 at = p->bend ? p->bend(straight) : straight;
    return vec3_make(at.x * base_cos(at.y), at.x * base_sin(at.y), at.z);
}

static void add_wall(void *context, const polar *p, wall w)
{
    skin *const s = context;
    const int u = (w.axis + 1) % 3, v = (w.axis + 2) % 3;
    const size_t across = cells(&p->axes[u], w.behind.at[u]);
    const size_t count = across * cells(&p->axes[v], w.behind.at[v]);
    indices first;
    for (int axis = 0; axis < 3; axis++) {
        first.at[axis] = p->axes[axis].first[w.behind.at[axis] - 1];
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t *const quad = s->quads[s->quad_count++];
        for (size_t k = 0; k < 4; k++) {
            indices corner = first;
            corner.at[u] += i % across + (k == 1 || k == 2);
            corner.at[v] += i / across + (k >= 2);
            quad[w.up ? k : 3 - k] = corner_number(p, corner);
        }
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void order_corners(skin *s)
{
    const size_t count = 4 * s->quad_count;
    memcpy(s->corners, s->quads, count * sizeof *s->corners);
    qsort(s->corners, count, sizeof *s->corners, compare_numbers);
    s->corner_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || s->corners[i] != s->corners[s->corner_count - 1]) {
            s->corners[s->corner_count++] = s->corners[i];
        }
    }
}

/** Appends the surface. Quadrilaterals are divided along the shorter diagonal. */
static void append_skin(const polar *p, const skin *s, geo_mesh_builder *mesh)
{
    const size_t first = mesh->vertex_count;
    for (size_t i = 0; i < s->corner_count; i++) {
        mesh->vertices[mesh->vertex_count++] = corner_point(p, s->corners[i]);
    }
    for (size_t i = 0; i < s->quad_count; i++) {
        uint32_t v[4];
        for (size_t k = 0; k < 4; k++) {
            const uint64_t *const found = bsearch(&s->quads[i][k], s->corners, s->corner_count,
                                                  sizeof *s->corners, compare_numbers);
            v[k] = (uint32_t)(first + (size_t)(found - s->corners));
        }
        const vec3 *const at = mesh->vertices;
        const bool turned = vec3_distance2(at[v[1]], at[v[3]]) < vec3_distance2(at[v[0]], at[v[2]]);
        for (size_t half = 0; half < 2; half++) {
            const size_t k = 2 * half + turned;
            mesh->faces[mesh->face_count++] = (geo_face){{v[k], v[(k + 1) % 4], v[(k + 2) % 4]}};
        }
    }
}

static base_status append_polar(const polar *p, size_t quads, geo_mesh_builder *mesh,
                                base_error *err)
{
    skin s = {.quads = base_alloc(quads, sizeof *s.quads),
              .corners = base_alloc(4 * quads, sizeof *s.corners)};
    base_status status = BASE_OK;
    if (!s.quads || !s.corners) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", 2 * quads);
        goto done;
    }
    each_wall(p, add_wall, &s);
    order_corners(&s);
    status = geo_mesh_builder_reserve(mesh, mesh->vertex_count + s.corner_count,
                                      mesh->face_count + 2 * quads, err);
    if (status == BASE_OK) {
        append_skin(p, &s, mesh);
    }
done:
    base_free(s.corners);
    base_free(s.quads);
    return status;
}

/* --- Round features --------------------------------------------------------------------------- */

/** A square of the grid that is deformed into a circle, together with its surroundings. */
typedef struct circle {
    double radius, angle; /* polar coordinates of the centre */
    double half_radius;   /* half the side of the square */
    double half_angle;
} circle;

/* The distance from its centre up to which a circle deforms its surroundings, and its radius, both
 * in half sides. */
static const double bend_reach = 1.8, bend_radius = 1.1;

static vec3 bend_circle(circle c, vec3 p)
{
    const double u = (p.x - c.radius) / c.half_radius, v = (p.y - c.angle) / c.half_angle;
    const double square = fmax(fabs(u), fabs(v));
    if (square == 0 || square >= bend_reach) {
        return p;
    }
    const double share = square <= 1 ? 1 : (bend_reach - square) / (bend_reach - 1);
    const double round = bend_radius * square / sqrt(u * u + v * v);
    const double factor = 1 + share * (round - 1);
    return vec3_make(c.radius + c.half_radius * factor * u, c.angle + c.half_angle * factor * v,
                     p.z);
}

/* --- Disc ------------------------------------------------------------------------------------- */

enum { SECTORS = 20, SECTORS_A_BOLT = 4 };

/* Half angles of the parts of a sector: of the hole, and of the hole with its margins. The rest is
 * a vane. */
static const double hole_half = 0.05, gap_half = 0.11;
static const double bolt_circle = 0.016, inner_holes = 0.0345, outer_holes = 0.0415;

/** The intervals of a sector: margin, hole, margin, vane. Holes of alternate sectors are on the
 * inner and on the outer circle. */
static bool disc_solid(size_t radius, size_t angle, size_t z)
{
    enum { BOLT = 2, HAT = 4, WEB = 5, INNER_HOLE = 7, OUTER_HOLE = 9 };
    enum { PLATE = 1, VANES = 2, HUB_PLATE = 3, TOP = 5 };
    const size_t sector = (angle - 1) / 4, part = (angle - 1) % 4;
    if (radius < HAT) {
        return z == TOP && !(radius == BOLT && sector % SECTORS_A_BOLT == 0 && part < 3);
    }
    if (radius <= WEB) {
        return radius == HAT ? z >= HUB_PLATE : z == HUB_PLATE;
    }
    if (z == VANES) {
        return part == 3;
    }
    const size_t hole = sector % 2 == 0 ? INNER_HOLE : OUTER_HOLE;
    return z <= HUB_PLATE && !(radius == hole && part == 1);
}

static vec3 disc_bend(vec3 p)
{
    const double sector = 2 * BASE_PI / SECTORS;
    if (p.x < 0.022) {
        const double turn = sector * SECTORS_A_BOLT, at = turn * floor(p.y / turn + 0.5);
        return bend_circle((circle){bolt_circle, at, bolt_circle * gap_half, gap_half}, p);
    }
    const double number = floor(p.y / sector + 0.5), half = 0.5 * number;
    const double radius = half == floor(half) ? inner_holes : outer_holes;
    return bend_circle((circle){radius, sector * number, radius * hole_half, hole_half}, p);
}

static polar make_disc(void)
{
    static const double bolt_half = bolt_circle * gap_half, inner_half = inner_holes * hole_half,
                        outer_half = outer_holes * hole_half;
    const double radii[] = {0.0095,
                            bolt_circle - bolt_half,
                            bolt_circle + bolt_half,
                            0.0215,
                            0.0245,
                            0.0285,
                            inner_holes - inner_half,
                            inner_holes + inner_half,
                            outer_holes - outer_half,
                            outer_holes + outer_half,
                            0.048};
    static const double heights[] = {0, 0.0026, 0.0056, 0.0082, 0.0165, 0.0195};
    polar_axis angle = {.breaks = {-gap_half}, .around = true};
    for (int i = 0; i < SECTORS; i++) {
        const double middle = 2 * BASE_PI * i / SECTORS;
        add_break(&angle, middle - hole_half);
        add_break(&angle, middle + hole_half);
        add_break(&angle, middle + gap_half);
        add_break(&angle, 2 * BASE_PI * (i + 1) / SECTORS - gap_half);
    }
    return (polar){.axes = {make_axis(radii, 11), angle, make_axis(heights, 6)},
                   .solid = disc_solid,
                   .bend = disc_bend};
}

/* --- Calliper and pads ------------------------------------------------------------------------ */

static const double boss_radius = 0.041, boss_half = 0.134, boss_angle = 0.27;

/** Two arms, a bridge with a window, and a boss on one arm for each of two pistons. */
static bool calliper_solid(size_t radius, size_t angle, size_t z)
{
    enum { BOSS_RADIUS = 3, BRIDGE = 5, LOW_ARM = 1, GAP = 2, HIGH_ARM = 3, BOSS = 4 };
    const bool window = angle == 3, at_boss = angle == 2 || angle == 4;
    return z == LOW_ARM || z == HIGH_ARM || (z == GAP && radius == BRIDGE && !window) ||
           (z == BOSS && radius == BOSS_RADIUS && at_boss);
}

static vec3 calliper_bend(vec3 p)
{
    const double angle = p.y < 0 ? -boss_angle : boss_angle;
    return bend_circle((circle){boss_radius, angle, boss_radius * boss_half, boss_half}, p);
}

static polar make_calliper(void)
{
    static const double half = boss_radius * boss_half;
    const double radii[] = {0.031, 0.0325, boss_radius - half, boss_radius + half, 0.0497, 0.0535};
    const double angles[] = {-0.52,
                             -boss_angle - boss_half,
                             -boss_angle + boss_half,
                             boss_angle - boss_half,
                             boss_angle + boss_half,
                             0.52};
    static const double heights[] = {-0.0085, -0.0035, 0.0117, 0.0167, 0.0215};
    return (polar){.axes = {make_axis(radii, 6), make_axis(angles, 6), make_axis(heights, 5)},
                   .solid = calliper_solid,
                   .bend = calliper_bend};
}

/** A plate with a lining that has a groove in the middle. */
static bool low_pad_solid(size_t radius, size_t angle, size_t z)
{
    (void)radius;
    return z == 1 || angle != 2;
}

static bool high_pad_solid(size_t radius, size_t angle, size_t z)
{
    return low_pad_solid(radius, angle, 3 - z);
}

static polar make_pad(bool high)
{
    static const double radii[] = {0.0325, 0.0475}, angles[] = {-0.42, -0.03, 0.03, 0.42};
    static const double low[] = {-0.0031, -0.0018, -0.0004}, above[] = {0.0086, 0.01, 0.0113};
    return (polar){
        .axes = {make_axis(radii, 2), make_axis(angles, 4), make_axis(high ? above : low, 3)},
        .solid = high ? high_pad_solid : low_pad_solid};
}

/* --- Brake ------------------------------------------------------------------------------------ */

enum { BODIES = 4 };

typedef struct brake {
    polar bodies[BODIES];
    tally tallies[BODIES];
} brake;

static void cut_brake(brake *b, scn_grid grid)
{
    for (size_t i = 0; i < BODIES; i++) {
        cut_grid(&b->bodies[i], grid);
    }
}

static size_t count_brake(void *context, scn_grid grid)
{
    brake *const b = context;
    cut_brake(b, grid);
    size_t quads = 0;
    for (size_t i = 0; i < BODIES; i++) {
        quads += count_quads(&b->bodies[i], &b->tallies[i]);
    }
    return 2 * quads;
}

base_status scn_brake_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    brake b = {.bodies = {make_disc(), make_calliper(), make_pad(false), make_pad(true)}};
    base_status status = BASE_OK;
    *mesh = (geo_mesh_builder){0};
    for (size_t i = 0; i < BODIES; i++) {
        each_wall(&b.bodies[i], tally_wall, &b.tallies[i]);
    }
    cut_brake(&b, scn_grid_fit(count_brake, &b, 0.02, triangles));
    for (size_t i = 0; status == BASE_OK && i < BODIES; i++) {
        const size_t quads = count_quads(&b.bodies[i], &b.tallies[i]);
        status = append_polar(&b.bodies[i], quads, mesh, err);
    }
    if (status != BASE_OK) {
        geo_mesh_builder_release(mesh);
    }
    return status;
}
