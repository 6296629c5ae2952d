/*
 * A line sweeps over the points in their order by x, then y. It divides the region into intervals,
 * each between two edges. The part of an interval that the line has passed and that has no
 * triangles yet is below or above a concave chain of vertices, a funnel. A vertex that sees
 * the edges of the funnel closes them by triangles.
 */
#include "scenarios/models/triangulate.h"

#include "base/memory.h"
#include "geometry/predicates.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** The lower and the upper edge of an interval, and the chain of vertices along either. */
enum { LOWER, UPPER };

static const uint32_t nothing = UINT32_MAX;

/** A vertex of a funnel, and the node of the vertex before it. */
typedef struct node {
    uint32_t vertex, before;
} node;

/** A stack of vertices. All but the first one are on the same side of the interval. */
typedef struct funnel {
    uint32_t top; /* node */
    int side;
} funnel;

/** An edge from its earlier end to its later one. */
typedef struct edge {
    uint32_t from, to;
} edge;

/**
 * Two edges that the line crosses, with the region between them. After two intervals have met in a
 * vertex, there are two funnels, which share this vertex as their top, until the next vertex.
 */
typedef struct interval {
    edge side[2];
    funnel funnel[2]; /* the second one, on the upper side, only if merged */
    bool merged;
    bool turned; /* the region is to the right of its polygon, so that triangles are clockwise */
} interval;

typedef struct sweep {
    const double *points; /* x, y of each */
    interval *intervals;  /* from the lowest to the highest */
    size_t interval_count;
    node *nodes;
    size_t node_count;
    geo_face *faces;
    size_t face_count, face_limit;
    bool invalid; /* polygons cross or touch */
} sweep;

static const double *point(const sweep *s, uint32_t v)
{
    return s->points + 2 * (size_t)v;
}

/** Returns 1 if v is above the edge, -1 below it, 0 on it. */
static int above(const sweep *s, edge e, uint32_t v)
{
    return geo_orient2d(point(s, e.from), point(s, e.to), point(s, v));
}

static void add_face(sweep *s, uint32_t a, uint32_t b, uint32_t c, bool turned)
{
    if (s->face_count == s->face_limit) {
        s->invalid = true;
        return;
    }
    const bool left = geo_orient2d(point(s, a), point(s, b), point(s, c)) > 0;
    s->faces[s->face_count++] = left != turned ? (geo_face){{a, b, c}} : (geo_face){{a, c, b}};
}

/* --- Funnels ---------------------------------------------------------------------------------- */

static uint32_t add_node(sweep *s, uint32_t vertex, uint32_t before)
{
    s->nodes[s->node_count] = (node){vertex, before};
    return (uint32_t)s->node_count++;
}

/** Closes all edges of a funnel by triangles with the vertex v, which sees them. */
static void close_funnel(sweep *s, const funnel *f, uint32_t v, bool turned)
{
    for (const node *n = &s->nodes[f->top]; n->before != nothing; n = &s->nodes[n->before]) {
        add_face(s, v, n->vertex, s->nodes[n->before].vertex, turned);
    }
}

/** Adds a vertex on a side to a funnel. */
static void push(sweep *s, funnel *f, uint32_t v, int side, bool turned)
{
    const node *top = &s->nodes[f->top];
    if (top->before != nothing && side != f->side) {
        close_funnel(s, f, v, turned);
        f->top = add_node(s, top->vertex, nothing);
    }
    f->side = side;
    for (top = &s->nodes[f->top]; top->before != nothing; top = &s->nodes[f->top]) {
        const uint32_t before = s->nodes[top->before].vertex;
        const int turn = geo_orient2d(point(s, before), point(s, top->vertex), point(s, v));
        if (side == LOWER ? turn <= 0 : turn >= 0) {
            break;
        }
        add_face(s, before, top->vertex, v, turned);
        f->top = top->before;
    }
    f->top = add_node(s, v, f->top);
}

/** Adds a vertex on a side of an interval. If it is merged, the diagonal to the common vertex
 * completes the funnel of that side. */
static void push_to(sweep *s, interval *at, uint32_t v, int side)
{
    if (at->merged) {
        close_funnel(s, &at->funnel[side], v, at->turned);
        at->funnel[LOWER] = at->funnel[side == LOWER ? UPPER : LOWER];
        at->merged = false;
    }
    push(s, &at->funnel[LOWER], v, side, at->turned);
}

/* --- Intervals -------------------------------------------------------------------------------- */

/** Returns the index of the first interval whose upper edge is not below v. */
static size_t find(const sweep *s, uint32_t v)
{
    size_t first = 0, end = s->interval_count;
    while (first < end) {
        const size_t mid = first + (end - first) / 2;
        if (above(s, s->intervals[mid].side[UPPER], v) > 0) {
            first = mid + 1;
        } else {
            end = mid;
        }
    }
    return first;
}

static void insert(sweep *s, size_t at, interval added)
{
    interval *const to = s->intervals + at;
    memmove(to + 1, to, (s->interval_count++ - at) * sizeof *to);
    *to = added;
}

static void erase(sweep *s, size_t at)
{
    interval *const to = s->intervals + at;
    memmove(to, to + 1, (--s->interval_count - at) * sizeof *to);
}

/** Both edges of v begin there: a new interval, or one that v divides into two. */
static void begin(sweep *s, uint32_t v, uint32_t lower, uint32_t upper, bool upper_is_next)
{
    const size_t at = find(s, v);
    interval *const found = s->intervals + at;
    if (at == s->interval_count || above(s, found->side[LOWER], v) < 0) {
        const funnel start = {.top = add_node(s, v, nothing)};
        insert(s, at,
               (interval){
                   .side = {{v, lower}, {v, upper}}, .funnel = {start}, .turned = upper_is_next});
        return;
    }
    /* The diagonal from v to the last vertex divides the interval. That vertex is on one side. The
     * part on the other side gets the funnel. */
    interval low = *found, high = *found;
    low.side[UPPER] = (edge){v, lower};
    high.side[LOWER] = (edge){v, upper};
    low.merged = high.merged = false;
    high.funnel[LOWER] = found->funnel[UPPER];
    if (!found->merged) {
        const uint32_t last = s->nodes[found->funnel[LOWER].top].vertex;
        const funnel start = {.top = add_node(s, last, nothing)};
        const bool upper_side = found->funnel[LOWER].side == UPPER;
        low.funnel[LOWER] = upper_side ? found->funnel[LOWER] : start;
        high.funnel[LOWER] = upper_side ? start : found->funnel[LOWER];
    }
    push(s, &low.funnel[LOWER], v, UPPER, low.turned);
    push(s, &high.funnel[LOWER], v, LOWER, high.turned);
    *found = low;
    insert(s, at + 1, high);
}

/** Both edges of v end there: the end of an interval, or two intervals become one. */
static void finish(sweep *s, uint32_t v)
{
    const size_t at = find(s, v);
    interval *const low = s->intervals + at, *const high = low + 1;
    const bool ends = at < s->interval_count && low->side[UPPER].to == v;
    if (!ends || (low->side[LOWER].to != v && at + 1 == s->interval_count)) {
        s->invalid = true;
        return;
    }
    if (low->side[LOWER].to == v) {
        close_funnel(s, &low->funnel[LOWER], v, low->turned);
        if (low->merged) {
            close_funnel(s, &low->funnel[UPPER], v, low->turned);
        }
        erase(s, at);
        return;
    }
    push_to(s, low, v, UPPER);
    push_to(s, high, v, LOWER);
    low->side[UPPER] = high->side[UPPER];
    low->funnel[UPPER] = high->funnel[LOWER];
    low->merged = true;
    erase(s, at + 1);
}

/** One edge of v ends there and the other, to `to`, begins. */
static void proceed(sweep *s, uint32_t v, uint32_t to)
{
    const size_t found = find(s, v);
    interval *const at = s->intervals + found;
    if (found == s->interval_count || (at->side[LOWER].to != v && at->side[UPPER].to != v)) {
        s->invalid = true;
        return;
    }
    const int side = at->side[LOWER].to == v ? LOWER : UPPER;
    push_to(s, at, v, side);
    at->side[side] = (edge){v, to};
}

/* --- Sweep ------------------------------------------------------------------------------------ */

/** A point in the order of the sweep. */
typedef struct event {
    double x, y;
    uint32_t point;
} event;

static int compare_events(const void *left, const void *right)
{
    const event *const a = left, *const b = right;
    if (a->x < b->x || a->x > b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return a->y < b->y ? -1 : a->y > b->y;
}

base_status scn_triangulate(const double *points, const uint32_t *next, size_t count,
                            geo_face *faces, size_t *face_count, base_error *err)
{
    event *const events = base_alloc(count, sizeof *events);
    uint32_t *const rank = base_alloc(2 * count, sizeof *rank), *const previous = rank + count;
    /* A vertex adds at most one interval, and three nodes where it divides one. */
    interval *const intervals = base_alloc(count + 1, sizeof *intervals);
    node *const nodes = base_alloc(4 * count, sizeof *nodes);
    sweep s = {.points = points,
               .intervals = intervals,
               .nodes = nodes,
               .faces = faces,
               .face_limit = 2 * count};
    base_status status = BASE_OK;
    *face_count = 0;
    if (!events || !rank || !intervals || !nodes) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for a polygon of %zu corners", count);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        events[i] = (event){points[2 * i], points[2 * i + 1], (uint32_t)i};
        previous[next[i]] = (uint32_t)i;
    }
    qsort(events, count, sizeof *events, compare_events);
    for (size_t i = 0; i < count; i++) {
        rank[events[i].point] = (uint32_t)i;
    }
    for (size_t i = 0; i < count && !s.invalid; i++) {
        const uint32_t v = events[i].point, before = previous[v], after = next[v];
        if (rank[before] > i && rank[after] > i) {
            const bool up = geo_orient2d(point(&s, v), point(&s, before), point(&s, after)) > 0;
            begin(&s, v, up ? before : after, up ? after : before, up);
        } else if (rank[before] < i && rank[after] < i) {
            finish(&s, v);
        } else {
            proceed(&s, v, rank[after] > i ? after : before);
        }
    }
    if (s.invalid) {
        status = base_fail(err, BASE_ERR_INPUT, "polygons touch or cross each other");
        goto done;
    }
    *face_count = s.face_count;
done:
    base_free(nodes);
    base_free(intervals);
    base_free(rank);
    base_free(events);
    return status;
}
