#include "geometry/adjacency.h"

#include "base/memory.h"
#include "geometry/triangle.h"

#include <math.h>
#include <stdlib.h>

/* --- Build ------------------------------------------------------------------------------------ */

/** A half-edge of a face, keyed by its edge: two vertices, the smaller number first. */
typedef struct half_edge {
    uint64_t edge;
    uint32_t number; /* 3 face + k */
    bool turned;     /* true if it begins at the greater vertex */
} half_edge;

static int compare(const void *a, const void *b)
{
    const half_edge *const s = a, *const t = b;
    if (s->edge != t->edge) {
        return s->edge < t->edge ? -1 : 1;
    }
    return s->number < t->number ? -1 : 1;
}

static half_edge make_half_edge(const geo_mesh *mesh, uint32_t face, uint32_t k)
{
    const uint32_t *const v = mesh->faces[face].v;
    const uint32_t from = v[k], to = v[(k + 1) % 3];
    const bool turned = to < from;
    return (half_edge){turned ? (uint64_t)to << 32 | from : (uint64_t)from << 32 | to, 3 * face + k,
                       turned};
}

static void join(const half_edge *sorted, size_t count, geo_adjacent *faces)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].edge == sorted[i].edge; end++) {
        }
        const bool pair = end - i == 2 && sorted[i].turned != sorted[i + 1].turned;
        for (size_t k = i; k < end; k++) {
            const uint32_t number = sorted[k].number;
            faces[number / 3].twins[number % 3] =
                pair ? sorted[k == i ? i + 1 : i].number : GEO_NO_TWIN;
        }
    }
}

base_status geo_adjacency_build(const geo_mesh *mesh, base_arena *arena, geo_adjacency *adjacency,
                                base_error *err)
{
    const size_t count = mesh->face_count;
    half_edge *const sorted = base_alloc(3 * count, sizeof *sorted);
    *adjacency = (geo_adjacency){.faces = base_arena_alloc(arena, count, sizeof *adjacency->faces),
                                 .count = count};
    if (!sorted || !adjacency->faces) {
        base_free(sorted);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the neighbours of %zu faces",
                         count);
    }
    for (uint32_t face = 0; face < count; face++) {
        adjacency->faces[face].corners = geo_mesh_triangle(mesh, face);
        for (uint32_t k = 0; k < 3; k++) {
            sorted[3 * face + k] = make_half_edge(mesh, face, k);
        }
    }
    qsort(sorted, 3 * count, sizeof *sorted, compare);
    join(sorted, 3 * count, adjacency->faces);
    base_free(sorted);
    return BASE_OK;
}

/* --- Descent ---------------------------------------------------------------------------------- */

/** The nearest feature of a triangle. */
typedef enum feature {
    CORNER, /* CORNER + k: corner k */
    EDGE = CORNER + 3,
    INSIDE = EDGE + 3,
} feature;

typedef struct place {
    uint32_t face;
    feature at;
    double distance2; /* NaN for a face without an area */
} place;

static double along(vec3 a, double t, vec3 ab, vec3 p)
{
    return vec3_distance2(vec3_madd(a, t, ab), p);
}

/**
 * Finds the feature of a face nearest to p. It only guides the descent: for slivers it may be
 * wrong.
 *
 * Source   Ericson2005 5.1.5.
 */
static place look_at(const geo_adjacency *a, uint32_t face, vec3 p)
{
    const geo_triangle t = a->faces[face].corners;
    const vec3 ab = vec3_sub(t.p[1], t.p[0]), ac = vec3_sub(t.p[2], t.p[0]);
    const vec3 ap = vec3_sub(p, t.p[0]), bp = vec3_sub(p, t.p[1]), cp = vec3_sub(p, t.p[2]);
    const double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) {
        return (place){face, CORNER, vec3_norm2(ap)};
    }
    const double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) {
        return (place){face, CORNER + 1, vec3_norm2(bp)};
    }
    const double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) {
        return (place){face, CORNER + 2, vec3_norm2(cp)};
    }
    const double in_c = d1 * d4 - d3 * d2, in_b = d5 * d2 - d1 * d6, in_a = d3 * d6 - d5 * d4;
    if (in_c <= 0 && d1 >= 0 && d3 <= 0) {
        return (place){face, EDGE, along(t.p[0], d1 / (d1 - d3), ab, p)};
    }
    if (in_b <= 0 && d2 >= 0 && d6 <= 0) {
        return (place){face, EDGE + 2, along(t.p[0], d2 / (d2 - d6), ac, p)};
    }
    if (in_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double s = (d4 - d3) / (d4 - d3 + (d5 - d6));
        return (place){face, EDGE + 1, along(t.p[1], s, vec3_sub(t.p[2], t.p[1]), p)};
    }
    const double sum = in_a + in_b + in_c;
    const vec3 foot = vec3_madd(vec3_madd(t.p[0], in_b / sum, ab), in_c / sum, ac);
    return (place){face, INSIDE, vec3_distance2(foot, p)};
}

static void take_if_nearer(place *best, place other)
{
    if (other.distance2 < best->distance2) {
        *best = other;
    }
}

/**
 * Tests the faces around a corner, starting across the half-edge, until they end or close the
 * circle; returns false if they end. turn: 1 if the half-edge begins at the corner, 2 if it ends
 * there; the next half-edge is `turn` places behind its twin, in the twin's face. The loop is
 * bounded by the number of all faces.
 */
static bool go_around(const geo_adjacency *a, uint32_t across, uint32_t turn, vec3 p, place *best)
{
    const uint32_t start = across / 3;
    for (size_t i = 0; i < a->count; i++) {
        const uint32_t twin = a->faces[across / 3].twins[across % 3];
        if (twin == GEO_NO_TWIN) {
            return false;
        }
        if (twin / 3 == start) {
            break;
        }
        take_if_nearer(best, look_at(a, twin / 3, p));
        across = 3 * (twin / 3) + (twin + turn) % 3;
    }
    return true;
}

/** Returns the nearest of the faces that share the nearest feature of this face. */
static place best_beside(const geo_adjacency *a, place at, vec3 p)
{
    place best = at;
    if (at.at >= EDGE) {
        const uint32_t twin = a->faces[at.face].twins[at.at - EDGE];
        if (twin != GEO_NO_TWIN) {
            take_if_nearer(&best, look_at(a, twin / 3, p));
        }
        return best;
    }
    const uint32_t k = (uint32_t)at.at;
    if (!go_around(a, 3 * at.face + k, 1, p, &best)) {
        (void)go_around(a, 3 * at.face + (k + 2) % 3, 2, p, &best);
    }
    return best;
}

geo_closest geo_adjacency_descend(const geo_adjacency *adjacency, vec3 p, uint32_t face)
{
    place at = look_at(adjacency, face, p);
    while (at.at != INSIDE) {
        const place next = best_beside(adjacency, at, p);
        if (!(next.distance2 < at.distance2)) {
            break;
        }
        at = next;
    }
    const vec3 point = geo_triangle_closest(adjacency->faces[at.face].corners, p);
    return (geo_closest){vec3_distance2(point, p), point, at.face};
}
