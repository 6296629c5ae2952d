#include "scenarios/models/models.h"

static const double quarter_turn = 0.5 * BASE_PI;

static double cross(vec3 a, vec3 b)
{
    return a.x * b.y - a.y * b.x;
}

static scn_piece *add_piece(scn_outline *outline, double length)
{
    base_assert(outline->piece_count < SCN_PIECES_MAX);
    outline->length += length;
    return &outline->pieces[outline->piece_count++];
}

void scn_outline_line(scn_outline *outline, vec3 from, vec3 to)
{
    *add_piece(outline, vec3_distance(from, to)) = (scn_piece){.from = from, .to = to};
}

void scn_outline_arc(scn_outline *outline, vec3 centre, double radius, double angle, double sweep)
{
    base_assert(radius > 0 && sweep > 0);
    *add_piece(outline, radius * sweep) =
        (scn_piece){.centre = centre, .radius = radius, .angle = angle, .sweep = sweep};
}

scn_outline scn_outline_circle(double radius, double angle)
{
    scn_outline outline = {0};
    scn_outline_arc(&outline, vec3_make(0, 0, 0), radius, angle, 2 * BASE_PI);
    return outline;
}

scn_outline scn_outline_hexagon(double radius)
{
    const double half = 0.5 * radius, high = radius * sqrt(0.75);
    const vec3 corners[] = {
        {radius,  0,     0},
        {half,    high,  0},
        {-half,   high,  0},
        {-radius, 0,     0},
        {-half,   -high, 0},
        {half,    -high, 0}
    };
    scn_outline outline = {0};
    for (size_t i = 0; i < 6; i++) {
        scn_outline_line(&outline, corners[i], corners[(i + 1) % 6]);
    }
    return outline;
}

scn_outline scn_outline_rectangle(double x, double y)
{
    const vec3 corners[] = {
        {x,  0,  0},
        {x,  y,  0},
        {-x, y,  0},
        {-x, -y, 0},
        {x,  -y, 0}
    };
    scn_outline outline = {0};
    for (size_t i = 0; i < 5; i++) {
        scn_outline_line(&outline, corners[i], corners[(i + 1) % 5]);
    }
    return outline;
}

size_t scn_piece_count(const scn_piece *piece, double edge)
{
    if (piece->radius == 0) {
        return scn_steps(vec3_distance(piece->from, piece->to), edge);
    }
    /* At least four chords to a full turn, so that even a coarse circle has an inside. */
    const size_t least = (size_t)ceil(piece->sweep / quarter_turn - 1e-9);
    const size_t count = scn_steps(piece->radius * piece->sweep, edge);
    return count > least ? count : least;
}

size_t scn_outline_count(const scn_outline *outline, double edge)
{
    size_t count = 0;
    for (size_t i = 0; i < outline->piece_count; i++) {
        count += scn_piece_count(&outline->pieces[i], edge);
    }
    return count;
}

vec3 scn_outline_point(const scn_outline *outline, double edge, size_t i)
{
    const scn_piece *piece = outline->pieces;
    size_t count = scn_piece_count(piece, edge);
    while (i >= count) {
        i -= count;
        piece++;
        base_assert(piece < outline->pieces + outline->piece_count);
        count = scn_piece_count(piece, edge);
    }
    const double t = (double)i / (double)count;
    if (piece->radius == 0) {
        return vec3_madd(piece->from, t, vec3_sub(piece->to, piece->from));
    }
    const double angle = piece->angle + t * piece->sweep;
    return vec3_madd(piece->centre, piece->radius, vec3_make(base_cos(angle), base_sin(angle), 0));
}

double scn_outline_exit(const scn_outline *outline, vec3 p)
{
    if (outline->pieces[0].radius > 0) {
        return outline->pieces[0].radius / vec3_norm(p);
    }
    /* A convex polygon is the intersection of half-planes: leave by the first of them. */
    double nearest = INFINITY;
    for (size_t i = 0; i < outline->piece_count; i++) {
        const vec3 from = outline->pieces[i].from;
        const vec3 along = vec3_sub(outline->pieces[i].to, from);
        const double speed = cross(p, along);
        if (speed > 0) {
            nearest = fmin(nearest, cross(from, along) / speed);
        }
    }
    return nearest;
}
