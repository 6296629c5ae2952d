#include "scenarios/models/assembly.h"

#include "base/elementary.h"

size_t scn_assembly_cells(const scn_assembly *a, double cells, size_t least)
{
    static const double golden = 0.618033988749895;
    const double turn = golden * (double)(a->patch_count % 4096);
    const double wanted = floor(cells * a->fineness + (turn - floor(turn)));
    return wanted > (double)least ? (size_t)wanted : least;
}

/* --- Patches ---------------------------------------------------------------------------------- */

static void put_vertex(scn_assembly *a, size_t vertex, vec3 p)
{
    a->mesh->vertices[vertex] = vec3_scale(a->scale, vec3_make(p.x, a->mirror ? -p.y : p.y, p.z));
}

/** Writes a triangle. flipped: with reversed orientation. */
static void put_face(scn_assembly *a, size_t face, size_t v0, size_t v1, size_t v2, bool flipped)
{
    a->mesh->faces[face] =
        (geo_face){{(uint32_t)v0, (uint32_t)(flipped ? v2 : v1), (uint32_t)(flipped ? v1 : v2)}};
}

void scn_assembly_patch(scn_assembly *a, scn_patch_point *point, const void *shape, scn_cut cut)
{
    enum { FLIPPED_EVERY = 9, FLIPPED_FIRST = 4 };
    const size_t nu = scn_assembly_cells(a, cut.u, cut.u_least);
    const size_t nv = scn_assembly_cells(a, cut.v, cut.v_least);
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

void scn_assembly_ribbon(scn_assembly *a, vec3 from, vec3 to, vec3 across, size_t triangles)
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

scn_frame scn_frame_along(vec3 origin, vec3 axis)
{
    const vec3 z = vec3_normalize(axis);
    const vec3 aside = fabs(z.x) < 0.7 ? vec3_make(1, 0, 0) : vec3_make(0, 0, 1);
    const vec3 y = vec3_normalize(vec3_cross(z, aside));
    return (scn_frame){origin, vec3_cross(y, z), y, z};
}

static vec3 in_frame(const scn_frame *f, double x, double y, double z)
{
    return vec3_madd(vec3_madd(vec3_madd(f->origin, x, f->x), y, f->y), z, f->z);
}

vec3 scn_curve_at(const vec3 *points, size_t count, double t)
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
    scn_frame frame;
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
    return turn(t, scn_curve_at(t->profile, t->count, v), u);
}

void scn_assembly_turned(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                         double around, double along)
{
    scn_assembly_patch(
        a, turned_point, &(const turned){frame, profile, count},
        (scn_cut){.u = around, .v = along, .u_least = 3, .v_least = count - 1, .u_closed = true});
}

void scn_assembly_turned_smooth(scn_assembly *a, scn_frame frame, const vec3 *profile, size_t count,
                                double around, double along)
{
    scn_assembly_patch(
        a, turned_smooth_point, &(const turned){frame, profile, count},
        (scn_cut){.u = around, .v = along, .u_least = 5, .v_least = 2, .u_closed = true});
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
        vec3_sub(scn_curve_at(t->points, t->count, to), scn_curve_at(t->points, t->count, from));
    return around_pipe(scn_curve_at(t->points, t->count, v), tangent, t->upright, t->radius, u);
}

void scn_assembly_tube(scn_assembly *a, const vec3 *points, size_t count, vec3 upright,
                       double radius, double along, double around)
{
    scn_assembly_patch(
        a, tube_point, &(const tube){points, count, upright, radius},
        (scn_cut){.u = around, .v = along, .u_least = 3, .v_least = count - 1, .u_closed = true});
}

typedef struct spring {
    scn_frame frame;
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

void scn_assembly_spring(scn_assembly *a, scn_frame frame, double radius, double height,
                         double turns, double wire, double along, double around)
{
    scn_assembly_patch(
        a, spring_point, &(const spring){frame, radius, height, turns, wire},
        (scn_cut){.u = around, .v = along, .u_least = 3, .v_least = 6, .u_closed = true});
}

/* --- Rounded boxes ---------------------------------------------------------------------------- */

typedef struct lump {
    scn_frame frame;
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

void scn_assembly_lump(scn_assembly *a, scn_frame frame, vec3 half, double roundness, double around,
                       double along)
{
    scn_assembly_patch(
        a, lump_point, &(const lump){frame, half, roundness},
        (scn_cut){.u = around, .v = along, .u_least = 4, .v_least = 3, .u_closed = true});
}
