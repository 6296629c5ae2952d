/** Curves drawn by hand, and the groups into which they are merged. */
#ifndef ALGORITHMS_LPD_TESTS_DRAWING_H
#define ALGORITHMS_LPD_TESTS_DRAWING_H

#include "algorithms/lpd/boxes.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>

typedef struct drawing {
    base_arena arena;
    uint32_t room, link_count;
    alg_lpd_segments segments;
    alg_lpd_curves curves;
    alg_lpd_groups groups;
} drawing;

static inline drawing drawing_begin(uint32_t room)
{
    drawing d = {.room = room};
    d.segments.items = base_arena_alloc(&d.arena, room, sizeof *d.segments.items);
    d.curves.links = base_arena_alloc(&d.arena, room, sizeof *d.curves.links);
    d.curves.curves = base_arena_alloc(&d.arena, room, sizeof *d.curves.curves);
    assert_ok(alg_lpd_groups_create(room, &d.arena, &d.groups, ERR));
    return d;
}

static inline void drawing_end(drawing *d)
{
    base_arena_release(&d->arena);
}

#define SCOPED_DRAWING RELEASED_BY(drawing_end) drawing

/** Appends a segment that the current curve passes from p to q. If `against` is true, the segment
 * itself runs from q to p. */
static inline void drawing_link(drawing *d, vec3 p, vec3 q, bool against)
{
    const uint32_t s = d->segments.count++;
    cr_assert_lt(s, d->room);
    d->segments.items[s] = (alg_lpd_segment){{against ? q : p, against ? p : q}, s, s, 1};
    d->curves.links[d->link_count++] = 2 * s + against;
    d->curves.curves[d->curves.count].count++;
}

/** Makes one curve of the links that were appended since the last curve. */
static inline void drawing_finish(drawing *d, bool closed)
{
    alg_lpd_curve *const curve = &d->curves.curves[d->curves.count++];
    curve->first = d->link_count - curve->count;
    curve->closed = closed;
}

/** Draws a curve through points. */
static inline void drawing_curve(drawing *d, const vec3 *points, uint32_t count, bool closed,
                                 bool against)
{
    for (uint32_t i = 0; i + 1 < count + closed; i++) {
        drawing_link(d, points[i], points[(i + 1) % count], against);
    }
    drawing_finish(d, closed);
}

/** Draws a rectangle, counter-clockwise seen from the direction of u x v. */
static inline void drawing_rectangle(drawing *d, vec3 centre, vec3 u, vec3 v, bool against)
{
    const vec3 p[4] = {vec3_sub(vec3_sub(centre, u), v), vec3_sub(vec3_add(centre, u), v),
                       vec3_add(vec3_add(centre, u), v), vec3_add(vec3_sub(centre, u), v)};
    drawing_curve(d, p, 4, true, against);
}

static inline const alg_lpd_groups *drawing_merge(drawing *d, double eps_m)
{
    alg_lpd_groups_merge(&d->segments, &d->curves, eps_m, &d->groups);
    return &d->groups;
}

/** Returns a random point of the cube from -reach to reach. */
static inline vec3 drawing_point(base_random *random, double reach)
{
    const double x = base_random_range(random, -reach, reach);
    const double y = base_random_range(random, -reach, reach);
    return (vec3){x, y, base_random_range(random, -reach, reach)};
}

#endif
