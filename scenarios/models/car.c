/**
 * A car, as an assembly of several thousand parts: panels and glass, which are sheets without
 * thickness, wheels, seats, engine, pipes, wires, springs and screws. Parts overlap and penetrate
 * each other, and some are inside out, as in CAD data.
 *
 * Dimensions are those of the real car in metres: x forwards, y to its left, z up from the road.
 * The model is scaled down. Parts that occur in pairs are built on the left and mirrored.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "scenarios/models/generators.h"

/* --- Assemblies ------------------------------------------------------------------------------- */

/*
 * Parts as CAD systems export them, in patches that are tessellated separately. Patches share no
 * vertices, and may be open, overlap and penetrate each other. Lengths in metres.
 */

/** An assembly under construction. If mesh is NULL, only the counts are computed. */
typedef struct assembly {
    geo_mesh_builder *mesh;
    size_t vertex_count, face_count; /* current number */
    size_t patch_count;
    double fineness; /* cells along a patch, relative to the design */
    double scale;    /* factor of every vertex */
    bool mirror;     /* parts are made at -y; their orientation is kept */
} assembly;

/** Returns a point of a patch, u and v in [0, 1]. */
typedef vec3 patch_point(const void *shape, double u, double v);

/** Numbers of cells in the design, and the minimum numbers. */
typedef struct patch_cells {
    double u, v;
    size_t u_least, v_least;
    bool u_closed, v_closed; /* the end coincides with the begin */
} patch_cells;

/** A part's frame: origin and axes. */
typedef struct part_frame {
    vec3 origin, x, y, z;
} part_frame;

/**
 * Returns the number of cells along a side that has `cells` in the design, at least `least`. The
 * scaled number is rounded up or down depending on the patch's index, so that the total count grows
 * evenly with fineness.
 */
static size_t cell_count(const assembly *a, double cells, size_t least)
{
    static const double golden = 0.618033988749895;
    const double turn = golden * (double)(a->patch_count % 4096);
    const double wanted = floor(cells * a->fineness + (turn - floor(turn)));
    return wanted > (double)least ? (size_t)wanted : least;
}

/* --- Patches ---------------------------------------------------------------------------------- */

static void put_vertex(assembly *a, size_t vertex, vec3 p)
{
    a->mesh->vertices[vertex] = vec3_scale(a->scale, vec3_make(p.x, a->mirror ? -p.y : p.y, p.z));
}

/** Writes a triangle. flipped: with reversed orientation. */
static void put_face(assembly *a, size_t face, size_t v0, size_t v1, size_t v2, bool flipped)
{
    a->mesh->faces[face] =
        (geo_face){{(uint32_t)v0, (uint32_t)(flipped ? v2 : v1), (uint32_t)(flipped ? v1 : v2)}};
}

/** Adds a patch with two triangles per cell. Their outside is along du x dv. Every ninth patch is
 * flipped, as it happens in CAD data. */
static void add_patch(assembly *a, patch_point *point, const void *shape, patch_cells cut)
{
    enum { FLIPPED_EVERY = 9, FLIPPED_FIRST = 4 };
    const size_t nu = cell_count(a, cut.u, cut.u_least);
    const size_t nv = cell_count(a, cut.v, cut.v_least);
    const size_t columns = nu + !cut.u_closed, rows = nv + !cut.v_closed;
    const size_t vertex = a->vertex_count, face = a->face_count;
    const bool wrong = a->patch_count % FLIPPED_EVERY == FLIPPED_FIRST;
    a->patch_count++;
    a->vertex_count += columns * rows;
    a->face_count += 2 * nu * nv;
    for (size_t i = 0; a->mesh && i < columns * rows; i++) {
        const double u = (double)(i % columns) / (double)nu, v = (double)(i / columns) / (double)nv;
        put_vertex(a, vertex + i, point(shape, u, v));
    }
    for (size_t i = 0; a->mesh && i < nu * nv; i++) {
        const size_t u0 = i % nu, u1 = (u0 + 1) % columns;
        const size_t v0 = vertex + i / nu * columns, v1 = vertex + (i / nu + 1) % rows * columns;
        put_face(a, face + 2 * i, v0 + u0, v0 + u1, v1 + u1, wrong != a->mirror);
        put_face(a, face + 2 * i + 1, v0 + u0, v1 + u1, v1 + u0, wrong != a->mirror);
    }
}

/** Adds a ribbon of exactly `triangles` triangles from one point to another, with the width
 * `across`. */
static void add_ribbon(assembly *a, vec3 from, vec3 to, vec3 across, size_t triangles)
{
    const size_t vertex = a->vertex_count, face = a->face_count;
    a->patch_count++;
    a->vertex_count += triangles + 2;
    a->face_count += triangles;
    for (size_t i = 0; a->mesh && i < triangles + 2; i++) {
        const double t = (double)i / (double)(triangles + 1);
        const vec3 p = vec3_madd(from, t, vec3_sub(to, from));
        put_vertex(a, vertex + i, i % 2 == 0 ? p : vec3_add(p, across));
    }
    for (size_t i = 0; a->mesh && i < triangles; i++) {
        const size_t v = vertex + i;
        put_face(a, face + i, v, v + 1, v + 2, i % 2 == 1);
    }
}

/* --- Frames and curves ------------------------------------------------------------------------ */

/** Returns a frame with its z axis along `axis`, and x and y orthogonal to it. */
static part_frame frame_along(vec3 origin, vec3 axis)
{
    const vec3 z = vec3_normalize(axis);
    const vec3 aside = fabs(z.x) < 0.7 ? vec3_make(1, 0, 0) : vec3_make(0, 0, 1);
    const vec3 y = vec3_normalize(vec3_cross(z, aside));
    return (part_frame){origin, vec3_cross(y, z), y, z};
}

static vec3 in_frame(const part_frame *f, double x, double y, double z)
{
    return vec3_madd(vec3_madd(vec3_madd(f->origin, x, f->x), y, f->y), z, f->z);
}

/** Returns a point of a Catmull-Rom spline through the points, t in [0, 1]. Two points give a
 * line. */
static vec3 curve_at(const vec3 *points, size_t count, double t)
{
    const double at = t * (double)(count - 1);
    const size_t i = at < (double)(count - 2) ? (size_t)at : count - 2;
    const double s = at - (double)i;
    const vec3 p1 = points[i], p2 = points[i + 1];
    const vec3 p0 = i > 0 ? points[i - 1] : vec3_madd(p1, -1, vec3_sub(p2, p1));
    const vec3 p3 = i + 2 < count ? points[i + 2] : vec3_madd(p2, 1, vec3_sub(p2, p1));
    const vec3 m1 = vec3_scale(0.5, vec3_sub(p2, p0)), m2 = vec3_scale(0.5, vec3_sub(p3, p1));
    const double r = 1 - s;
    vec3 p = vec3_scale(r * r * (1 + 2 * s), p1);
    p = vec3_madd(p, s * s * (3 - 2 * s), p2);
    p = vec3_madd(p, s * r * r, m1);
    return vec3_madd(p, -s * s * r, m2);
}

/* --- Turned parts ----------------------------------------------------------------------------- */

typedef struct turned {
    part_frame frame;
    const vec3 *profile;
    size_t count;
} turned;

static vec3 turn(const turned *t, vec3 p, double u)
{
    const double angle = 2 * BASE_PI * u;
    return in_frame(&t->frame, p.x * base_cos(angle), p.x * base_sin(angle), p.z);
}

static vec3 turned_point(const void *shape, double u, double v)
{
    const turned *const t = shape;
    const double at = v * (double)(t->count - 1);
    const size_t i = at < (double)(t->count - 2) ? (size_t)at : t->count - 2;
    const vec3 along = vec3_sub(t->profile[i + 1], t->profile[i]);
    return turn(t, vec3_madd(t->profile[i], at - (double)i, along), u);
}

static vec3 turned_smooth_point(const void *shape, double u, double v)
{
    const turned *const t = shape;
    return turn(t, curve_at(t->profile, t->count, v), u);
}

/** Adds a surface of revolution about the frame's z axis. The profile (x: radius, z: height) is a
 * polygon. */
static void add_turned(assembly *a, part_frame frame, const vec3 *profile, size_t count,
                       double around, double along)
{
    add_patch(a, turned_point, &(const turned){frame, profile, count},
              (patch_cells){
                  .u = around, .v = along, .u_least = 3, .v_least = count - 1, .u_closed = true});
}

/** Adds a surface of revolution with a smooth profile. */
static void add_turned_smooth(assembly *a, part_frame frame, const vec3 *profile, size_t count,
                              double around, double along)
{
    add_patch(a, turned_smooth_point, &(const turned){frame, profile, count},
              (patch_cells){.u = around, .v = along, .u_least = 5, .v_least = 2, .u_closed = true});
}

/* --- Wires and pipes -------------------------------------------------------------------------- */

typedef struct tube {
    const vec3 *points;
    size_t count;
    vec3 upright;
    double radius;
} tube;

/** Returns the point at the fraction u of a turn around a pipe through p along `tangent`. */
static vec3 around_pipe(vec3 p, vec3 tangent, vec3 upright, double radius, double u)
{
    const vec3 side = vec3_normalize(vec3_cross(tangent, upright));
    const vec3 up = vec3_normalize(vec3_cross(tangent, side));
    const double angle = 2 * BASE_PI * u;
    return vec3_madd(vec3_madd(p, radius * base_cos(angle), side), radius * base_sin(angle), up);
}

static vec3 tube_point(const void *shape, double u, double v)
{
    static const double ahead = 1e-3;
    const tube *const t = shape;
    const double from = fmax(0, v - ahead), to = fmin(1, v + ahead);
    const vec3 tangent =
        vec3_sub(curve_at(t->points, t->count, to), curve_at(t->points, t->count, from));
    return around_pipe(curve_at(t->points, t->count, v), tangent, t->upright, t->radius, u);
}

/** Adds a pipe with open ends along a curve, which must never be parallel to `upright`. */
static void add_tube(assembly *a, const vec3 *points, size_t count, vec3 upright, double radius,
                     double along, double around)
{
    add_patch(a, tube_point, &(const tube){points, count, upright, radius},
              (patch_cells){
                  .u = around, .v = along, .u_least = 3, .v_least = count - 1, .u_closed = true});
}

typedef struct spring {
    part_frame frame;
    double radius, height, turns, wire;
} spring;

static vec3 spring_point(const void *shape, double u, double v)
{
    const spring *const s = shape;
    const double angle = 2 * BASE_PI * s->turns * v;
    const double c = base_cos(angle), sine = base_sin(angle);
    const vec3 p = in_frame(&s->frame, s->radius * c, s->radius * sine, s->height * v);
    const vec3 tangent = vec3_madd(vec3_scale(-sine, s->frame.x), c, s->frame.y);
    return around_pipe(p, tangent, s->frame.z, s->wire, u);
}

/** Adds a helical wire about the frame's z axis. */
static void add_spring(assembly *a, part_frame frame, double radius, double height, double turns,
                       double wire, double along, double around)
{
    add_patch(a, spring_point, &(const spring){frame, radius, height, turns, wire},
              (patch_cells){.u = around, .v = along, .u_least = 3, .v_least = 6, .u_closed = true});
}

/* --- Rounded boxes ---------------------------------------------------------------------------- */

typedef struct lump {
    part_frame frame;
    vec3 half;
    double roundness;
} lump;

static double signed_power(double x, double y)
{
    return x < 0 ? -base_pow(-x, y) : base_pow(x, y);
}

static vec3 lump_point(const void *shape, double u, double v)
{
    static const double hole = 0.02; /* radius at the poles, as a share of the size */
    const lump *const l = shape;
    const double around = 2 * BASE_PI * (u + 0.125), along = BASE_PI * (v - 0.5);
    const double e = l->roundness;
    const double ring = fmax(hole, base_pow(fmax(0, base_cos(along)), e));
    return in_frame(&l->frame, l->half.x * ring * signed_power(base_cos(around), e),
                    l->half.y * ring * signed_power(base_sin(around), e),
                    l->half.z * signed_power(base_sin(along), e));
}

/** Adds a rounded box with small openings at its poles on the frame's z axis. roundness: 1 for an
 * ellipsoid, towards 0 for a box. */
static void add_lump(assembly *a, part_frame frame, vec3 half, double roundness, double around,
                     double along)
{
    add_patch(a, lump_point, &(const lump){frame, half, roundness},
              (patch_cells){.u = around, .v = along, .u_least = 4, .v_least = 3, .u_closed = true});
}

/* --- Car -------------------------------------------------------------------------------------- */

/* Scales 3.9 m to 0.1 m. */
static const double car_scale = 1 / 39.0;

static const double axle_x = 1.235, wheel_y = 0.735, wheel_z = 0.3, arch_radius = 0.345;

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const vec3 upwards = {0.13, 0.21, 0.97}; /* parallel to no straight pipe */

/* --- Lines of the body ------------------------------------------------------------------------ */

/** A point of a curve that is given from the side and from above: a smooth y and z over x. */
typedef struct station {
    double x, y, z;
} station;

/* The upper edge of the sides: fenders, doors, tail. */
static const station shoulder[] = {
    {-1.80, 0.66, 0.985}, {-1.50, 0.735, 0.985}, {-1.10, 0.775, 0.965},
    {-0.50, 0.79, 0.945}, {0.20, 0.79, 0.925},   {0.80, 0.775, 0.895},
    {1.25, 0.745, 0.825}, {1.62, 0.68, 0.715},   {1.86, 0.60, 0.655}};

/* The widest part of the sides; z is that of the sill. */
static const station flank[] = {{-1.80, 0.75, 0.26},  {-1.50, 0.80, 0.22}, {-1.10, 0.838, 0.2},
                                {-0.50, 0.843, 0.19}, {0.20, 0.845, 0.19}, {0.80, 0.843, 0.2},
                                {1.25, 0.828, 0.21},  {1.62, 0.775, 0.22}, {1.86, 0.70, 0.24}};

/* The edge of the roof. In front of it and behind it, the points continue along the pillars. */
static const station rail[] = {{-1.80, 0.50, 1.20},   {-1.48, 0.53, 1.315}, {-1.00, 0.555, 1.375},
                               {-0.50, 0.565, 1.395}, {0.00, 0.555, 1.380}, {0.32, 0.53, 1.325},
                               {0.95, 0.49, 1.15}};

static station line_at(const station *line, size_t count, double x)
{
    size_t i = 0;
    while (i + 2 < count && line[i + 1].x < x) {
        i++;
    }
    const station a = line[i], b = line[i + 1];
    const station before = line[i > 0 ? i - 1 : 0], after = line[i + 2 < count ? i + 2 : count - 1];
    const double h = b.x - a.x, s = (x - a.x) / h, r = 1 - s;
    const double from = h / (b.x - before.x), to = h / (after.x - a.x);
    const double ka = r * r * (1 + 2 * s), kb = s * s * (3 - 2 * s);
    const double ma = s * r * r * from, mb = -s * s * r * to;
    return (station){x, ka * a.y + kb * b.y + ma * (b.y - before.y) + mb * (after.y - a.y),
                     ka * a.z + kb * b.z + ma * (b.z - before.z) + mb * (after.z - a.z)};
}

#define LINE_AT(line, x) line_at(line, COUNT(line), x)

static double mix(double t, double from, double to)
{
    return from + t * (to - from);
}

/** Returns a point of the side, v from 0 at the sill to 1 at the shoulder. */
static vec3 side_at(double x, double v)
{
    const station top = LINE_AT(shoulder, x), wide = LINE_AT(flank, x);
    const double tuck = (1 - v) * (1 - v), lean = v * v * v;
    const double crease = v < 0.7 ? 0 : 0.012 * (v - 0.7) / 0.3;
    return vec3_make(x, wide.y - 0.045 * tuck - lean * (wide.y - top.y) + crease * (1 - v) * 4,
                     mix(v, wide.z, top.z));
}

/** Returns a point of the greenhouse's side, v from 0 at the shoulder to 1 at the rail. */
static vec3 glass_at(double x, double v)
{
    const station low = LINE_AT(shoulder, x), high = LINE_AT(rail, x);
    return vec3_make(x, mix(v, low.y - 0.012, high.y) + 0.1 * v * (1 - v), mix(v, low.z, high.z));
}

/* Returns x where the windscreen (screen_x) and the rear window (rear_x) meet the sides. */
static double screen_x(double v)
{
    return mix(v, 0.93, 0.30) + 0.1 * v * (1 - v);
}

static double rear_x(double v)
{
    return mix(v, -1.74, -1.46) - 0.12 * v * (1 - v);
}

/** Returns x of the nose and of the tail (tail_x), t from -1 at the right to 1 at the left. */
static double nose_x(double t, double z)
{
    const double t2 = t * t, t8 = t2 * t2 * t2 * t2, low = 0.5 - z;
    return 1.95 - 0.09 * t2 - 0.22 * t8 - (low > 0 ? 0.5 : 2) * low * low;
}

static double tail_x(double t, double z)
{
    const double t2 = t * t, t8 = t2 * t2 * t2 * t2, low = 0.45 - z;
    return -1.95 + 0.04 * t2 + 0.13 * t8 + (low > 0 ? 0.6 : 0.25) * low * low;
}

/* --- Panels ----------------------------------------------------------------------------------- */

/** A piece of the side or of the greenhouse, offset inwards by `depth`. */
typedef struct piece {
    double x0, x1, v0, v1, depth;
} piece;

/** Returns the least v at x, so that the wheel's arch is left out. */
static double arch_v(double x)
{
    const double dx = fabs(fabs(x) - axle_x), r = arch_radius + 0.01;
    const double top = dx < r ? wheel_z + sqrt(r * r - dx * dx) : 0;
    const double low = LINE_AT(flank, x).z, high = LINE_AT(shoulder, x).z;
    return fmax(0, (top - low) / (high - low));
}

/** u runs from the front to the rear, so that the outside is at the left. */
static vec3 side_point(const void *shape, double u, double v)
{
    const piece *const p = shape;
    const double x = mix(u, p->x1, p->x0), low = fmax(p->v0, arch_v(x));
    const vec3 at = side_at(x, mix(v, low, p->v1));
    return vec3_make(at.x, at.y - p->depth, at.z);
}

static vec3 glass_point(const void *shape, double u, double v)
{
    const piece *const p = shape;
    const double at_v = mix(v, p->v0, p->v1), end = screen_x(at_v), start = rear_x(at_v);
    const double x = mix(u, fmin(p->x1, end), fmax(p->x0, start));
    const vec3 at = glass_at(x, at_v);
    return vec3_make(at.x, at.y - p->depth, at.z);
}

/** A strip of the greenhouse's side between two lines with the slope of the windscreen. Each is at
 * this distance in front of the windscreen; negative: behind it. */
typedef struct pillar {
    double front, rear;
} pillar;

static vec3 pillar_point(const void *shape, double u, double v)
{
    const pillar *const p = shape;
    return glass_at(screen_x(v) + mix(u, p->front, p->rear), v);
}

static vec3 bonnet_point(const void *shape, double u, double v)
{
    const double depth = *(const double *)shape;
    const double t = mix(v, 1, -1), t2 = t * t;
    const double x = mix(u, 1.86 - 0.22 * t2 * t2, 1.02 - 0.09 * t2);
    const station edge = LINE_AT(shoulder, x);
    const double dome =
        0.05 * (1 - t2) + 0.012 * (t2 > 0.16 && t2 < 0.49 ? (t2 - 0.16) * (0.49 - t2) * 36 : 0);
    return vec3_make(x, t * (edge.y - 0.012), edge.z + 0.006 + dome - depth);
}

static vec3 roof_point(const void *shape, double u, double v)
{
    const double depth = *(const double *)shape;
    const double t = mix(v, 1, -1), t2 = t * t;
    const double x = mix(u, 0.30, -1.46);
    const station edge = LINE_AT(rail, x);
    return vec3_make(x + (1 - t2) * mix(u, 0.12, -0.07), t * edge.y,
                     edge.z + 0.055 * (1 - t2 * t2) - depth);
}

static vec3 screen_point(const void *shape, double u, double v)
{
    const double margin = *(const double *)shape;
    const double t = mix(u, -1, 1) * (1 - margin), at = mix(v, margin, 1 - margin), t2 = t * t;
    const vec3 side = glass_at(screen_x(at), at);
    return vec3_make(side.x + 0.12 * (1 - t2), t * side.y, side.z + 0.055 * at * (1 - t2 * t2));
}

static vec3 rear_window_point(const void *shape, double u, double v)
{
    const double margin = *(const double *)shape;
    const double t = mix(u, 1, -1) * (1 - margin), at = mix(v, margin, 1 - margin), t2 = t * t;
    const vec3 side = glass_at(rear_x(at), at);
    return vec3_make(side.x - 0.07 * (1 - t2), t * side.y, side.z + 0.055 * at * (1 - t2 * t2));
}

static vec3 tailgate_point(const void *shape, double u, double v)
{
    const double depth = *(const double *)shape;
    const double t = mix(u, 0.8, -0.8), z = mix(v, 0.5, 0.975), bulge = v * (1 - v);
    const double top = -1.74 - 0.07 * (1 - t * t);
    return vec3_make(mix(v * v, tail_x(t, 0.5) + 0.015, top) - 0.12 * bulge + depth,
                     t * mix(v, 0.75, 0.79), z);
}

/** A band around the nose or the tail. */
typedef struct band {
    double t0, t1, z0, z1, bulge, depth;
    bool rear;
} band;

static vec3 band_point(const void *shape, double u, double v)
{
    const band *const b = shape;
    const double t = mix(u, b->rear ? b->t1 : b->t0, b->rear ? b->t0 : b->t1);
    const double z = mix(v, b->z0, b->z1), out = b->bulge * 4 * v * (1 - v) - b->depth;
    const double high = fmax(0, z - 0.5);
    const double width = b->rear ? 0.75 - 0.13 * high : 0.785 - 0.5 * high;
    return vec3_make(b->rear ? tail_x(t, z) - out : nose_x(t, z) + out, t * width, z);
}

static vec3 floor_point(const void *shape, double u, double v)
{
    const double height = *(const double *)shape;
    const double x = mix(u, -1.65, 1.0), y = mix(v, -0.7, 0.7);
    const double tunnel = fmax(0, 1 - 40 * y * y);
    const double ribs = base_sin(70 * x) * base_sin(40 * y);
    return vec3_make(x, y, height + 0.12 * tunnel * tunnel + 0.006 * ribs);
}

/** A sheet around the wheel, inside the arch. */
static vec3 liner_point(const void *shape, double u, double v)
{
    const double x = *(const double *)shape, angle = BASE_PI * mix(u, -0.06, 1.06);
    const double r = arch_radius - 0.003;
    return vec3_make(x + r * base_cos(angle), mix(v, 0.82, 0.5), wheel_z + r * base_sin(angle));
}

static void add_sheet(assembly *a, patch_point *point, const void *shape, double u, double v)
{
    add_patch(a, point, shape, (patch_cells){.u = u, .v = v, .u_least = 4, .v_least = 3});
}

/** Adds fenders, doors and quarters of one side, each with an inner sheet. */
static void add_side(assembly *a)
{
    static const piece panels[] = {{0.83, 1.66, 0, 1, 0},
                                   {-0.235, 0.82, 0.1, 1, 0},
                                   {-1.03, -0.245, 0.1, 1, 0},
                                   {-1.80, -1.04, 0, 1, 0},
                                   {-0.9, 0.83, 0, 0.095, 0}};
    for (size_t i = 0; i < COUNT(panels); i++) {
        const double cells = 20 + 90 * (panels[i].x1 - panels[i].x0);
        add_sheet(a, side_point, &panels[i], cells, 20 + 60 * (panels[i].v1 - panels[i].v0));
    }
    for (size_t i = 1; i < 3; i++) {
        for (int layer = 0; layer < 2; layer++) {
            piece inner = panels[i];
            inner.x0 += 0.03;
            inner.x1 -= 0.03;
            inner.depth = layer == 0 ? 0.03 : 0.075;
            add_sheet(a, side_point, &inner, 80, 60);
        }
    }
    static const piece glass[] = {
        {-0.27, 0.62, 0.03, 0.93, 0.004}, {-1.14, -0.35, 0.03, 0.93, 0.004},
        {-0.36, -0.27, 0, 1, 0},          {-1.18, 0.9, 0.93, 1, 0},
        {-1.18, 0.9, 0, 0.03, 0},         {-1.8, -1.15, 0, 1, 0}};
    for (size_t i = 0; i < COUNT(glass); i++) {
        add_sheet(a, glass_point, &glass[i], 40, i < 3 ? 24 : 4);
    }
    add_sheet(a, pillar_point, &(const pillar){0, -0.07}, 8, 40);
    add_sheet(a, pillar_point, &(const pillar){-0.08, -0.3}, 8, 24);
    const double front = axle_x, rear = -axle_x;
    add_sheet(a, liner_point, &front, 60, 16);
    add_sheet(a, liner_point, &rear, 60, 16);
}

static void add_middle_panels(assembly *a)
{
    static const double outside = 0, inside = 0.022, below = 0.19, glass_margin = 0.02;
    add_sheet(a, bonnet_point, &outside, 90, 110);
    add_sheet(a, bonnet_point, &inside, 60, 80);
    add_sheet(a, roof_point, &outside, 110, 80);
    add_sheet(a, roof_point, &inside, 60, 60);
    add_sheet(a, screen_point, &glass_margin, 80, 50);
    add_sheet(a, rear_window_point, &glass_margin, 60, 40);
    add_sheet(a, tailgate_point, &outside, 80, 60);
    add_sheet(a, tailgate_point, &inside, 60, 40);
    add_sheet(a, floor_point, &below, 240, 140);
    static const band bands[] = {{-1, 1, 0.20, 0.505, 0.015, 0, false},     /* bumper */
                                 {-0.54, 0.54, 0.51, 0.64, 0, 0.03, false}, /* behind the grille */
                                 {-0.56, 0.56, 0.63, 0.705, 0.006, 0, false}, /* above it */
                                 {-1, -0.56, 0.515, 0.68, 0.012, 0, false},   /* lamps */
                                 {0.56, 1, 0.515, 0.68, 0.012, 0, false},
                                 {-0.98, -0.58, 0.525, 0.67, -0.04, 0.02, false},
                                 {0.58, 0.98, 0.525, 0.67, -0.04, 0.02, false},
                                 {-0.2, 0.2, 0.33, 0.43, 0, -0.02, false},       /* number plate */
                                 {-0.55, 0.55, 0.23, 0.31, -0.03, -0.02, false}, /* lower intake */
                                 {-1, 1, 0.22, 0.495, 0.02, 0, true},
                                 {-1, -0.8, 0.58, 0.88, 0.012, 0, true},
                                 {0.8, 1, 0.58, 0.88, 0.012, 0, true},
                                 {-0.2, 0.2, 0.55, 0.65, 0, -0.01, true},
                                 {-0.9, 0.9, 0.26, 0.44, 0.01, 0.08, true}, /* inner beams */
                                 {-0.9, 0.9, 0.26, 0.44, 0.01, 0.08, false}};
    for (size_t i = 0; i < COUNT(bands); i++) {
        add_sheet(a, band_point, &bands[i], 30 + 60 * (bands[i].t1 - bands[i].t0), 30);
    }
    for (int i = 0; i < 6; i++) {
        const double z = 0.515 + 0.019 * i;
        add_sheet(a, band_point, &(const band){-0.54, 0.54, z, z + 0.012, 0.01, 0, false}, 60, 4);
    }
}

/* --- Wheels and suspension -------------------------------------------------------------------- */

/** A tyre with grooves; the frame's z axis is the wheel's. */
typedef struct tyre {
    part_frame frame;
} tyre;

static const vec3 tyre_profile[] = {{0.195, 0, -0.075}, {0.225, 0, -0.1},   {0.265, 0, -0.103},
                                    {0.291, 0, -0.085}, {0.299, 0, -0.045}, {0.3, 0, 0},
                                    {0.299, 0, 0.045},  {0.291, 0, 0.085},  {0.265, 0, 0.103},
                                    {0.225, 0, 0.1},    {0.195, 0, 0.075}};

static vec3 tyre_point(const void *shape, double u, double v)
{
    enum { BLOCKS = 60 };
    const part_frame *const f = &((const tyre *)shape)->frame;
    const vec3 p = curve_at(tyre_profile, COUNT(tyre_profile), v);
    const double angle = 2 * BASE_PI * u, tread = fmax(0, 1 - p.z * p.z / (0.08 * 0.08));
    const double block = base_sin(BLOCKS * angle + 40 * fabs(p.z));
    const double groove = base_cos(2 * BASE_PI * p.z / 0.04);
    const double r = p.x + 0.0025 * tread * (block * fabs(block) + groove - 2);
    const vec3 out = vec3_madd(vec3_scale(r * base_cos(angle), f->x), r * base_sin(angle), f->y);
    return vec3_madd(vec3_add(f->origin, out), p.z, f->z);
}

static const double bolt_head[][2] = {{0.0002, 0.0065}, {0.0055, 0.0065}, {0.0062, 0.0058},
                                      {0.0062, 0},      {0.0035, 0},      {0.0035, -0.018},
                                      {0.0002, -0.02}};

/** Adds a screw whose head is above the point `at`. */
static void add_screw(assembly *a, vec3 at, vec3 axis, double size)
{
    vec3 profile[COUNT(bolt_head)];
    for (size_t i = 0; i < COUNT(bolt_head); i++) {
        const size_t from_below = COUNT(bolt_head) - 1 - i;
        profile[i] = vec3_make(size * bolt_head[from_below][0], 0, size * bolt_head[from_below][1]);
    }
    add_turned(a, frame_along(at, axis), profile, COUNT(bolt_head), 18, 8);
}

static void add_disc(assembly *a, vec3 at, vec3 axis, double radius, double height)
{
    const vec3 profile[] = {{0.06 * radius, 0, 0},
                            {radius, 0, 0},
                            {radius, 0, height},
                            {0.06 * radius, 0, 1.02 * height}};
    add_turned(a, frame_along(at, axis), profile, COUNT(profile), 60, 12);
}

static void add_spoke(assembly *a, vec3 hub, double angle)
{
    const vec3 out = {base_cos(angle), 0, base_sin(angle)}, side = {-out.z, 0, out.x};
    for (int i = -1; i <= 1; i += 2) {
        const part_frame f = {vec3_add(vec3_madd(hub, 0.122, out), vec3_scale(0.017 * i, side)),
                              side,
                              {0, 1, 0},
                              out};
        add_lump(a, f, vec3_make(0.011, 0.014, 0.078), 0.4, 24, 30);
    }
}

static const vec3 rim_profile[] = {{0.185, 0, -0.09}, {0.196, 0, -0.088}, {0.196, 0, -0.08},
                                   {0.17, 0, -0.06},  {0.165, 0, 0},      {0.185, 0, 0.06},
                                   {0.197, 0, 0.08},  {0.2, 0, 0.092},    {0.19, 0, 0.095}};

static const vec3 hub_profile[] = {
    {0.075, 0, 0.02}, {0.07, 0, 0.045}, {0.05, 0, 0.055}, {0.03, 0, 0.058}, {0.004, 0, 0.07}};

/** Adds the rotating parts of a wheel on the left side at x. */
static void add_wheel(assembly *a, double x)
{
    enum { SPOKES = 5 };
    const vec3 centre = {x, wheel_y, wheel_z}, left = {0, 1, 0};
    const tyre rubber = {frame_along(centre, left)};
    add_patch(a, tyre_point, &rubber,
              (patch_cells){.u = 360, .v = 60, .u_least = 14, .v_least = 6, .u_closed = true});
    add_turned_smooth(a, rubber.frame, rim_profile, COUNT(rim_profile), 120, 40);
    add_turned_smooth(a, rubber.frame, hub_profile, COUNT(hub_profile), 60, 20);
    for (int i = 0; i < SPOKES; i++) {
        const double angle = 2 * BASE_PI * (i + 0.25) / SPOKES;
        add_spoke(a, vec3_make(x, wheel_y + 0.055, wheel_z), angle);
        const vec3 out = {base_cos(angle), 0, base_sin(angle)};
        add_screw(a, vec3_add(vec3_madd(centre, 0.045, out), vec3_make(0, 0.055, 0)), left, 1.6);
    }
    add_disc(a, vec3_make(x, wheel_y - 0.05, wheel_z), left, 0.135, 0.02);
    add_disc(a, vec3_make(x, wheel_y - 0.03, wheel_z), left, 0.07, 0.04);
    const part_frame calliper =
        frame_along(vec3_make(x - 0.115, wheel_y - 0.04, wheel_z + 0.02), vec3_make(0, 0, 1));
    add_lump(a, calliper, vec3_make(0.035, 0.035, 0.07), 0.35, 40, 40);
}

static void add_suspension(assembly *a, double x)
{
    const vec3 foot = {x, 0.58, 0.3}, top = {x - 0.02, 0.52, 0.75};
    const vec3 up = vec3_sub(top, foot);
    const vec3 damper[] = {
        {0.028, 0, 0}, {0.028, 0, 0.24}, {0.012, 0, 0.25}, {0.012, 0, 0.45}, {0.06, 0, 0.46}};
    add_turned(a, frame_along(foot, up), damper, COUNT(damper), 40, 30);
    add_spring(a, frame_along(vec3_madd(foot, 0.3, up), up), 0.06, 0.28, 6.5, 0.007, 400, 16);
    const vec3 arm[] = {{x, 0.66, 0.21}, {x - 0.03, 0.5, 0.2}, {x - 0.15, 0.36, 0.22}};
    const vec3 rod[] = {{x, 0.66, 0.22}, {x + 0.12, 0.36, 0.22}};
    const vec3 shaft[] = {{x, 0.68, 0.3}, {x, 0.05, 0.32}};
    const vec3 hose[] = {
        {x - 0.1, 0.66, 0.33}, {x - 0.16, 0.6, 0.42}, {x - 0.05, 0.5, 0.4}, {x - 0.2, 0.45, 0.5}};
    add_tube(a, arm, COUNT(arm), upwards, 0.022, 40, 20);
    add_tube(a, rod, COUNT(rod), upwards, 0.012, 40, 20);
    add_tube(a, shaft, COUNT(shaft), upwards, 0.015, 60, 20);
    add_tube(a, hose, COUNT(hose), upwards, 0.006, 80, 12);
}

/* --- Engine and underbody --------------------------------------------------------------------- */

static part_frame upright(double x, double y, double z)
{
    return (part_frame){{x, y, z}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

/** Boxes in the engine compartment, under the floor and in the cabin: centre, half sizes. */
typedef struct box_part {
    vec3 centre, half;
    double roundness;
} box_part;

static const box_part boxes[] = {{{1.32, 0.02, 0.43}, {0.16, 0.26, 0.15}, 0.2},   /* block */
                                 {{1.32, 0.02, 0.60}, {0.13, 0.24, 0.05}, 0.2},   /* head */
                                 {{1.32, 0.02, 0.665}, {0.11, 0.23, 0.03}, 0.35}, /* cover */
                                 {{1.32, 0.02, 0.27}, {0.13, 0.2, 0.06}, 0.3},    /* sump */
                                 {{1.32, -0.38, 0.4}, {0.14, 0.16, 0.13}, 0.6},   /* gearbox */
                                 {{1.08, 0.5, 0.62}, {0.1, 0.12, 0.1}, 0.1},      /* battery */
                                 {{1.15, -0.48, 0.63}, {0.13, 0.14, 0.08}, 0.3},  /* air filter */
                                 {{1.05, 0.1, 0.7}, {0.06, 0.1, 0.05}, 0.4},      /* reservoir */
                                 {{1.44, 0.3, 0.4}, {0.06, 0.07, 0.06}, 0.7},     /* alternator */
                                 {{1.46, 0.28, 0.28}, {0.05, 0.07, 0.05}, 0.7},   /* compressor */
                                 {{-0.75, 0, 0.27}, {0.2, 0.5, 0.08}, 0.4},       /* tank */
                                 {{-1.55, -0.25, 0.29}, {0.1, 0.3, 0.08}, 0.5},   /* silencers */
                                 {{0.1, 0, 0.23}, {0.25, 0.08, 0.05}, 0.5},
                                 {{1.72, 0.6, 0.35}, {0.05, 0.05, 0.08}, 0.6}, /* washer's bottle */
                                 {{0.78, 0, 0.6}, {0.12, 0.2, 0.1}, 0.5},      /* heater */
                                 {{0.15, 0, 0.42}, {0.5, 0.1, 0.09}, 0.3},     /* console */
                                 {{0.3, 0, 0.52}, {0.012, 0.012, 0.07}, 0.8},  /* lever */
                                 {{-0.1, 0.0, 0.5}, {0.11, 0.015, 0.015}, 0.6},  /* handbrake */
                                 {{0.42, -0.36, 0.74}, {0.03, 0.16, 0.06}, 0.3}, /* glove box */
                                 {{0.52, 0.36, 0.9}, {0.07, 0.17, 0.05}, 0.7},   /* instruments */
                                 {{0.02, 0, 1.27}, {0.012, 0.11, 0.035}, 0.5},   /* mirror */
                                 {{-1.45, 0, 0.5}, {0.25, 0.5, 0.1}, 0.15},      /* boot */
                                 {{-1.6, 0, 0.98}, {0.13, 0.45, 0.01}, 0.2}};

static void add_engine(assembly *a)
{
    for (int i = 0; i < 4; i++) {
        const double y = -0.14 + 0.105 * i;
        const vec3 intake[] = {{1.2, y, 0.6},
                               {1.08, y, 0.63},
                               {1.05, 0.8 * y + 0.02, 0.52},
                               {1.1, 0.6 * y + 0.02, 0.42}};
        const vec3 exhaust[] = {
            {1.44, y, 0.58}, {1.53, y, 0.55}, {1.54, 0.5 * y + 0.02, 0.42}, {1.5, 0.03, 0.3}};
        add_tube(a, intake, COUNT(intake), upwards, 0.025, 80, 40);
        add_tube(a, exhaust, COUNT(exhaust), upwards, 0.02, 80, 40);
        add_disc(a, vec3_make(1.32, y, 0.69), vec3_make(0, 0, 1), 0.022, 0.03);
        const vec3 wire[] = {{1.32, y, 0.72},
                             {1.25, y + 0.05, 0.76},
                             {1.2, 0.2 + 0.02 * i, 0.73},
                             {1.12, 0.3 + 0.015 * i, 0.7}};
        add_tube(a, wire, COUNT(wire), upwards, 0.004, 120, 10);
    }
    static const double pulleys[][3] = {{1.32, 0.35, 0.07},
                                        {1.38, 0.56, 0.045},
                                        {1.26, 0.58, 0.05},
                                        {1.44, 0.4, 0.035},
                                        {1.46, 0.28, 0.05}};
    for (size_t i = 0; i < COUNT(pulleys); i++) {
        add_disc(a, vec3_make(pulleys[i][0], 0.29, pulleys[i][1]), vec3_make(0, 1, 0),
                 pulleys[i][2], 0.025);
    }
}

/** Thin parallel sheets. */
typedef struct fin {
    vec3 at, u, v;
} fin;

static vec3 fin_point(const void *shape, double u, double v)
{
    const fin *const f = shape;
    const double wave = 0.15 * base_sin(6 * BASE_PI * u);
    return vec3_madd(vec3_madd(f->at, u, f->u), v + wave, f->v);
}

static void add_radiator(assembly *a)
{
    const size_t fins = cell_count(a, 110, 6);
    for (size_t i = 0; i < fins; i++) {
        const double y = mix((double)i / (double)fins, -0.32, 0.32);
        const fin sheet = {{1.70, y, 0.28}, {0, 0, 0.3}, {0.028, 0, 0.001}};
        add_patch(a, fin_point, &sheet, (patch_cells){.u = 60, .v = 3, .u_least = 1, .v_least = 1});
    }
    for (int i = 0; i < 2; i++) {
        const part_frame f = upright(1.715, 0, i == 0 ? 0.27 : 0.59);
        add_lump(a, f, vec3_make(0.025, 0.35, 0.02), 0.3, 60, 20);
    }
    for (int i = 0; i < 7; i++) {
        const double angle = 2 * BASE_PI * i / 7;
        const fin blade = {{1.66, 0.02 * base_cos(angle), 0.43 + 0.02 * base_sin(angle)},
                           {0.01, 0.12 * base_cos(angle), 0.12 * base_sin(angle)},
                           {0.03, 0.03 * base_sin(angle), -0.03 * base_cos(angle)}};
        add_sheet(a, fin_point, &blade, 30, 12);
    }
}

static void add_pipes(assembly *a)
{
    static const vec3 exhaust[] = {{1.5, 0.03, 0.28},  {1.3, 0.05, 0.2},    {0.9, 0, 0.23},
                                   {0.2, 0, 0.23},     {-0.6, 0.12, 0.2},   {-1.1, 0.1, 0.36},
                                   {-1.4, -0.1, 0.32}, {-1.6, -0.45, 0.28}, {-1.97, -0.47, 0.27}};
    static const vec3 hoses[][4] = {
        {{1.68, 0.25, 0.56}, {1.6, 0.2, 0.66}, {1.5, 0.1, 0.66}, {1.42, 0.1, 0.62}},
        {{1.68, -0.2, 0.3}, {1.6, -0.2, 0.24}, {1.5, -0.1, 0.3}, {1.42, -0.1, 0.36}},
        {{1.15, -0.4, 0.68}, {1.2, -0.25, 0.75}, {1.12, -0.1, 0.72}, {1.08, 0, 0.66}},
        {{1.0, 0.12, 0.7}, {0.92, 0.2, 0.75}, {0.85, 0.1, 0.7}, {0.8, 0.05, 0.65}},
        {{1.35, 0.4, 0.5}, {1.25, 0.45, 0.6}, {1.15, 0.5, 0.7}, {1.1, 0.5, 0.73}}};
    add_tube(a, exhaust, COUNT(exhaust), upwards, 0.024, 400, 40);
    for (size_t i = 0; i < COUNT(hoses); i++) {
        add_tube(a, hoses[i], 4, upwards, 0.018, 80, 30);
    }
}

/* --- Cabin ------------------------------------------------------------------------------------ */

static const vec3 dash_profile[] = {{0.86, 0, 0.9},  {0.7, 0, 0.925}, {0.5, 0, 0.91},
                                    {0.41, 0, 0.86}, {0.43, 0, 0.76}, {0.47, 0, 0.68},
                                    {0.5, 0, 0.58}};

static vec3 dash_point(const void *shape, double u, double v)
{
    (void)shape;
    const double y = mix(v, -0.72, 0.72);
    const vec3 p = curve_at(dash_profile, COUNT(dash_profile), u);
    return vec3_make(p.x + 0.1 * y * y, y, p.z + 0.012 * base_cos(9 * y));
}

static part_frame leaning(vec3 at, double lean)
{
    const vec3 up = vec3_normalize(vec3_make(-lean, 0, 1));
    return (part_frame){at, {up.z, 0, -up.x}, {0, 1, 0}, up};
}

/** Adds springs in rows in a cushion or, upright, in a backrest. */
static void add_springs(assembly *a, vec3 at, vec3 row, vec3 column, vec3 axis, double columns)
{
    const size_t n = cell_count(a, columns, 1);
    for (size_t i = 0; i < n * n; i++) {
        const double s = ((double)(i % n) + 0.5) / (double)n - 0.5;
        const double t = ((double)(i / n) + 0.5) / (double)n - 0.5;
        const vec3 p = vec3_madd(vec3_madd(at, s, row), t, column);
        add_spring(a, frame_along(p, axis), 0.016, 0.06, 5, 0.0015, 90, 6);
    }
}

static void add_seat(assembly *a, double x, double y, double width)
{
    const double lean = 0.32;
    const part_frame back = leaning(vec3_make(x - 0.34, y, 0.74), lean);
    add_lump(a, upright(x, y, 0.44), vec3_make(0.26, width, 0.075), 0.35, 60, 40);
    add_lump(a, back, vec3_make(0.07, width, 0.3), 0.4, 60, 50);
    for (int side = -1; side <= 1; side += 2) {
        const double edge = y + side * (width - 0.03);
        add_lump(a, upright(x, edge, 0.49), vec3_make(0.24, 0.05, 0.06), 0.7, 40, 24);
        add_lump(a, leaning(vec3_make(x - 0.29, edge, 0.72), lean), vec3_make(0.07, 0.045, 0.25),
                 0.7, 40, 30);
        const vec3 slide[] = {{x + 0.25, edge, 0.3}, {x - 0.3, edge, 0.3}};
        add_tube(a, slide, 2, upwards, 0.014, 30, 16);
    }
    add_springs(a, vec3_make(x, y, 0.4), vec3_make(0.42, 0, 0), vec3_make(0, 1.8 * width, 0),
                vec3_make(0, 0, 1), 8);
    add_springs(a, vec3_make(x - 0.36, y, 0.72), vec3_make(-0.16, 0, 0.5),
                vec3_make(0, 1.8 * width, 0), vec3_make(1, 0, 0.3), 8);
}

static void add_head_rest(assembly *a, double x, double y)
{
    add_lump(a, leaning(vec3_make(x, y, 1.14), 0.3), vec3_make(0.045, 0.12, 0.075), 0.6, 40, 30);
    for (int side = -1; side <= 1; side += 2) {
        const vec3 post[] = {{x, y + 0.05 * side, 1.12}, {x + 0.05, y + 0.05 * side, 0.98}};
        add_tube(a, post, 2, upwards, 0.006, 20, 16);
    }
}

static void add_steering(assembly *a)
{
    const vec3 centre = {0.28, 0.36, 0.86}, axis = {-0.85, 0, 0.5};
    const part_frame f = frame_along(centre, axis);
    vec3 rim[13];
    for (size_t i = 0; i < COUNT(rim); i++) {
        const double angle = 2 * BASE_PI * (double)i / (double)(COUNT(rim) - 1);
        rim[i] = vec3_madd(vec3_madd(centre, 0.185 * base_cos(angle), f.x), 0.185 * base_sin(angle),
                           f.y);
    }
    add_tube(a, rim, COUNT(rim), axis, 0.014, 160, 24);
    add_lump(a, f, vec3_make(0.07, 0.08, 0.03), 0.6, 40, 30);
    for (size_t i = 0; i < 12; i += 3) {
        const vec3 spoke[] = {centre, rim[i]};
        add_tube(a, spoke, 2, axis, 0.011, 30, 16);
    }
    const vec3 column[] = {centre, {0.75, 0.36, 0.56}, {0.95, 0.34, 0.3}};
    add_tube(a, column, COUNT(column), upwards, 0.02, 60, 24);
    for (int i = 0; i < 3; i++) {
        const double y = 0.24 + 0.1 * i;
        const vec3 pedal[] = {{0.72, y, 0.6}, {0.66, y, 0.42}, {0.6, y, 0.34}};
        add_tube(a, pedal, COUNT(pedal), vec3_make(0, 1, 0), 0.007, 30, 12);
        add_lump(a, upright(0.6, y, 0.34), vec3_make(0.012, 0.035, 0.03), 0.3, 24, 12);
    }
}

static void add_cabin(assembly *a)
{
    add_patch(a, dash_point, NULL, (patch_cells){.u = 80, .v = 160, .u_least = 6, .v_least = 4});
    add_seat(a, -1.0, 0, 0.62);
    for (int i = -1; i <= 1; i++) {
        add_head_rest(a, -1.46, 0.4 * i);
    }
    add_steering(a);
    for (int i = 0; i < 4; i++) {
        const double y = i < 2 ? -0.62 + 1.24 * i : -0.08 + 0.16 * (i - 2);
        add_disc(a, vec3_make(0.42 + 0.1 * y * y, y, 0.82), vec3_make(-1, 0, 0.1), 0.045, 0.02);
    }
}

/* --- Small parts of one side ------------------------------------------------------------------ */

static void add_mirror_and_handles(assembly *a)
{
    add_lump(a, upright(0.62, 0.88, 0.98), vec3_make(0.05, 0.075, 0.06), 0.6, 40, 30);
    const vec3 foot[] = {{0.62, 0.76, 0.93}, {0.62, 0.83, 0.96}};
    add_tube(a, foot, 2, upwards, 0.02, 20, 16);
    static const double handles[] = {-0.12, -0.92};
    for (size_t i = 0; i < COUNT(handles); i++) {
        const vec3 at = side_at(handles[i], 0.84);
        const vec3 handle[] = {{at.x + 0.08, at.y - 0.005, at.z},
                               {at.x + 0.04, at.y + 0.03, at.z},
                               {at.x - 0.06, at.y + 0.03, at.z},
                               {at.x - 0.1, at.y - 0.005, at.z}};
        add_tube(a, handle, COUNT(handle), upwards, 0.01, 40, 20);
        add_disc(a, vec3_make(handles[i] + 0.2, 0.74, 0.42), vec3_make(0, -1, 0), 0.075, 0.03);
    }
    const vec3 lamp = {1.7, 0.58, 0.59};
    const vec3 bowl[] = {{0.06, 0, 0.08}, {0.05, 0, 0.03}, {0.03, 0, 0.005}, {0.008, 0, 0}};
    add_turned_smooth(a, frame_along(lamp, vec3_make(1, 0.3, 0)), bowl, COUNT(bowl), 80, 30);
    const vec3 wiper[] = {{1.02, 0.62, 0.885}, {0.93, 0.4, 0.985}, {0.94, 0.1, 0.995}};
    add_tube(a, wiper, COUNT(wiper), upwards, 0.006, 60, 8);
}

/** Adds parallel wires along the sill and up into the engine compartment. */
static void add_harness(assembly *a)
{
    const size_t wires = cell_count(a, 14, 1);
    for (size_t i = 0; i < wires; i++) {
        const double y = 0.005 * (double)(i % 4), z = 0.006 * (double)(i / 4);
        vec3 path[16];
        for (size_t k = 0; k < COUNT(path); k++) {
            const double t = (double)k / (double)(COUNT(path) - 1);
            const double sway = 0.006 * base_sin(7 * (double)(i + 1) * t + (double)i);
            path[k] = vec3_make(mix(t, -1.5, 1.55), 0.7 + y + sway,
                                0.25 + z + sway + (t > 0.8 ? 1.8 * (t - 0.8) : 0));
        }
        add_tube(a, path, COUNT(path), upwards, 0.0022, 500, 8);
    }
}

/** A row of screws along a curve through four points, with parallel axes. */
typedef struct screw_row {
    vec3 path[4];
    vec3 axis;
    double count, size;
} screw_row;

static const screw_row screw_rows[] = {
    {{{0.8, 0.77, 0.23}, {0.3, 0.78, 0.22}, {-0.4, 0.78, 0.22}, {-0.9, 0.77, 0.23}},
     {0, 0, -1},
     90,
     1},
    {{{0.8, 0.76, 0.88}, {0.3, 0.78, 0.9}, {-0.4, 0.78, 0.92}, {-1.1, 0.76, 0.94}},
     {0, -1, 0},
     90,
     0.8},
    {{{0.3, 0.5, 1.31}, {0, 0.53, 1.36}, {-0.8, 0.54, 1.37}, {-1.4, 0.5, 1.32}},
     {0, 0, -1},
     90,
     0.7},
    {{{0.74, 0.76, 0.3}, {0.75, 0.77, 0.5}, {0.76, 0.77, 0.7}, {0.78, 0.75, 0.85}},
     {-1, 0, 0},
     40,
     0.9},
    {{{-0.26, 0.77, 0.3}, {-0.26, 0.78, 0.5}, {-0.26, 0.78, 0.7}, {-0.26, 0.77, 0.88}},
     {-1, 0, 0},
     40,
     0.9},
    {{{-1.05, 0.76, 0.6}, {-1.04, 0.77, 0.7}, {-1.02, 0.77, 0.8}, {-1.0, 0.75, 0.9}},
     {-1, 0, 0},
     30,
     0.9},
    {{{1.75, 0.62, 0.64}, {1.5, 0.68, 0.73}, {1.25, 0.71, 0.8}, {1.0, 0.74, 0.86}},
     {0, 0.2, 1},
     60,
     1},
    {{{1.6, 0.7, 0.32}, {1.45, 0.72, 0.6}, {1.05, 0.74, 0.62}, {0.88, 0.74, 0.32}},
     {0, -1, 0},
     50,
     0.7},
    {{{-0.88, 0.7, 0.32}, {-1.05, 0.72, 0.62}, {-1.45, 0.72, 0.6}, {-1.6, 0.7, 0.32}},
     {0, -1, 0},
     50,
     0.7},
    {{{0.9, 0.4, 0.19}, {0.3, 0.45, 0.19}, {-0.4, 0.45, 0.19}, {-1.5, 0.4, 0.19}},
     {0, 0, -1},
     90,
     1.2},
    {{{0.9, 0.12, 0.2}, {0.3, 0.14, 0.2}, {-0.4, 0.14, 0.2}, {-1.5, 0.12, 0.2}},
     {0, 0, -1},
     90,
     1.2},
    {{{1.44, 0.2, 0.66}, {1.44, 0.1, 0.66}, {1.44, 0.05, 0.66}, {1.44, 0, 0.66}}, {0, 0, 1}, 16, 1},
    {{{1.2, 0.22, 0.66}, {1.2, 0.1, 0.66}, {1.2, 0.05, 0.66}, {1.2, 0, 0.66}}, {0, 0, 1}, 16, 1},
    {{{1.48, 0.25, 0.3}, {1.48, 0.2, 0.35}, {1.48, 0.1, 0.45}, {1.48, 0, 0.5}}, {1, 0, 0}, 24, 1.2},
    {{{-1.9, 0.7, 0.4}, {-1.92, 0.5, 0.4}, {-1.93, 0.2, 0.4}, {-1.93, 0, 0.4}}, {1, 0, 0}, 40, 1},
    {{{1.86, 0.65, 0.42}, {1.9, 0.5, 0.42}, {1.91, 0.2, 0.42}, {1.91, 0, 0.42}}, {-1, 0, 0}, 40, 1},
    {{{-1.76, 0.6, 0.6}, {-1.8, 0.6, 0.7}, {-1.78, 0.6, 0.8}, {-1.76, 0.58, 0.95}},
     {1, 0, 0},
     30,
     0.9},
    {{{0.95, 0.7, 0.86}, {1.0, 0.5, 0.89}, {1.03, 0.2, 0.91}, {1.04, 0, 0.92}}, {0, 0, 1}, 40, 0.8},
    {{{0.45, 0.65, 0.88}, {0.43, 0.5, 0.9}, {0.42, 0.3, 0.9}, {0.41, 0.1, 0.9}},
     {-1, 0, 0.3},
     40,
     0.5},
    {{{0.25, 0.6, 0.3}, {0.1, 0.6, 0.3}, {-0.1, 0.6, 0.3}, {-0.35, 0.6, 0.3}}, {0, 0, 1}, 24, 1},
    {{{0.25, 0.2, 0.3}, {0.1, 0.2, 0.3}, {-0.1, 0.2, 0.3}, {-0.35, 0.2, 0.3}}, {0, 0, 1}, 24, 1},
    {{{0.7, 0.75, 0.4}, {0.5, 0.76, 0.32}, {0.1, 0.76, 0.32}, {-0.1, 0.75, 0.4}},
     {0, -1, 0},
     40,
     0.6},
    {{{-0.3, 0.75, 0.4}, {-0.5, 0.76, 0.32}, {-0.8, 0.76, 0.4}, {-0.95, 0.75, 0.7}},
     {0, -1, 0},
     40,
     0.6}};

/** Adds screws with washers, and a nut behind every second screw. */
static void add_screws(assembly *a)
{
    const vec3 washer[] = {
        {0.0042, 0, -0.0012}, {0.009, 0, -0.0012}, {0.009, 0, 0}, {0.0042, 0, 0}};
    const vec3 nut[] = {
        {0.0036, 0, -0.016}, {0.0068, 0, -0.016}, {0.0068, 0, -0.01}, {0.0036, 0, -0.01}};
    for (size_t i = 0; i < COUNT(screw_rows); i++) {
        const screw_row *const row = &screw_rows[i];
        const size_t screws = cell_count(a, row->count, 1);
        for (size_t k = 0; k < screws; k++) {
            const double t = ((double)k + 0.5) / (double)screws;
            const vec3 at = curve_at(row->path, 4, t);
            const part_frame f = frame_along(at, row->axis);
            add_screw(a, at, row->axis, row->size);
            add_turned(a, f, washer, k % 3 == 0 ? COUNT(washer) : 2, 24, 4);
            if (k % 2 == 0) {
                add_turned(a, f, nut, COUNT(nut), 12, 6);
            }
        }
    }
}

/* --- Car -------------------------------------------------------------------------------------- */

static void add_left(assembly *a)
{
    add_side(a);
    add_wheel(a, axle_x);
    add_wheel(a, -axle_x);
    add_suspension(a, axle_x);
    add_suspension(a, -axle_x);
    add_seat(a, 0, 0.37, 0.23);
    add_head_rest(a, -0.46, 0.37);
    add_mirror_and_handles(a);
    add_harness(a);
    add_screws(a);
}

static void design_car(assembly *a)
{
    for (int side = 0; side < 2; side++) {
        a->mirror = side == 1;
        add_left(a);
    }
    a->mirror = false;
    add_middle_panels(a);
    for (size_t i = 0; i < COUNT(boxes); i++) {
        const vec3 c = boxes[i].centre;
        add_lump(a, upright(c.x, c.y, c.z), boxes[i].half, boxes[i].roundness, 60, 40);
    }
    add_engine(a);
    add_radiator(a);
    add_pipes(a);
    add_cabin(a);
}

static assembly count_car(double fineness)
{
    assembly a = {.fineness = fineness};
    design_car(&a);
    return a;
}

/** Builds exactly `triangles` triangles: a ribbon along the roof has the triangles that the patches
 * lack. If the coarsest patches already have more triangles, it builds these. */
base_status scn_car_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    double lo = 0, hi = 8;
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (lo + hi);
        if (count_car(middle).face_count <= triangles) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    assembly a = count_car(lo);
    const size_t strip = a.face_count < triangles ? triangles - a.face_count : 0;
    const base_status status = geo_mesh_builder_init(a.vertex_count + (strip > 0 ? strip + 2 : 0),
                                                     a.face_count + strip, mesh, err);
    if (status != BASE_OK) {
        return status;
    }
    a = (assembly){.mesh = mesh, .fineness = lo, .scale = car_scale};
    design_car(&a);
    if (strip > 0) {
        add_ribbon(&a, vec3_make(-1.4, 0.5, 1.33), vec3_make(0.25, 0.5, 1.33),
                   vec3_make(0, 0.01, 0.005), strip);
    }
    base_assert(a.vertex_count == mesh->vertex_count && a.face_count == mesh->face_count);
    return BASE_OK;
}
