/*
 * Is a mesh convex, and if so, which facets and edges has it? A connected solid is convex when no
 * edge is a notch, which takes one exact sign an edge. Edges without a sign are inside of a facet.
 */
#include "groundtruth/depth/depth_hull.h"

#include "base/sets.h"
#include "geometry/predicates.h"
#include "groundtruth/depth/wide.h"

#include <float.h>
#include <stdlib.h>

/* A notch no deeper than this many eps of the largest coordinate is rounding. */
#define NOTCH_EPS 32
/* A face's normal is known to some 1e-32 over its width by its length. */
#define NARROWEST 1e-14
/* Rounding of unit normals and of what follows from them. */
#define ARC_MARGIN 0x1p-46

/** An edge of a face: lo < hi are its vertices. */
typedef struct half_edge {
    uint32_t lo, hi, face, opposite;
} half_edge;

typedef struct builder {
    const geo_mesh *mesh;
    gt_hull *hull;
    base_arena *arena;
    base_arena scratch;
    half_edge *edges; /* sorted: the two faces of an edge are neighbours */
    size_t edge_count;
    bool *flat;         /* per pair of half edges */
    uint32_t *group;    /* base_sets over faces */
    uint32_t *point_of; /* vertex -> point, where used */
    uint32_t *facet_of; /* root of a group -> facet */
    double tolerance_m;
    bool rounded; /* a notch was taken for rounding */
} builder;

static int compare_edges(const void *x, const void *y)
{
    const half_edge *const a = x, *const b = y;
    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }
    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

static void list_edges(builder *b)
{
    for (size_t f = 0; f < b->mesh->face_count; f++) {
        const uint32_t *const v = b->mesh->faces[f].v;
        for (int k = 0; k < 3; k++) {
            const uint32_t p = v[k], q = v[(k + 1) % 3];
            b->edges[b->edge_count++] =
                (half_edge){p < q ? p : q, p < q ? q : p, (uint32_t)f, v[(k + 2) % 3]};
        }
    }
    qsort(b->edges, b->edge_count, sizeof *b->edges, compare_edges);
}

/** Twice the area, along the normal. */
static vec3 area_vector(geo_triangle t)
{
    return gt_wide3_round(
        gt_wide3_cross(gt_wide3_between(t.p[1], t.p[0]), gt_wide3_between(t.p[2], t.p[0])));
}

/** Joins faces over edges that are flat, exactly or up to rounding. */
static base_status join_faces(builder *b, base_error *err)
{
    base_sets_init(b->group, b->mesh->face_count);
    for (size_t e = 0; e < b->edge_count; e += 2) {
        const half_edge *const here = &b->edges[e], *const there = &b->edges[e + 1];
        const geo_triangle t = geo_mesh_triangle(b->mesh, here->face);
        const vec3 beyond = b->mesh->vertices[there->opposite];
        const int sign = geo_orient3d(t.p[0], t.p[1], t.p[2], beyond);
        if (sign > 0) {
            continue;
        }
        const vec3 normal = vec3_normalize(area_vector(t));
        if (vec3_dot(normal, vec3_sub(beyond, t.p[0])) > b->tolerance_m) {
            return base_fail(err, BASE_ERR_INPUT, "not convex: faces %u and %u make a notch",
                             here->face, there->face);
        }
        b->flat[e / 2] = true;
        b->rounded |= sign < 0;
        base_sets_join(b->group, here->face, there->face);
    }
    return BASE_OK;
}

/** A facet a group, with the normal of its largest face. */
static base_status make_facets(builder *b, base_error *err)
{
    gt_hull *const hull = b->hull;
    const size_t n = b->mesh->face_count;
    double *const largest = base_arena_alloc(&b->scratch, n, sizeof *largest);
    double *const longest = base_arena_alloc(&b->scratch, n, sizeof *longest);
    hull->facets = base_arena_alloc(b->arena, n, sizeof *hull->facets);
    if (!largest || !longest || !hull->facets) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu facets", n);
    }
    for (size_t f = 0; f < n; f++) {
        const uint32_t root = base_sets_find(b->group, (uint32_t)f);
        if (root == f) {
            b->facet_of[f] = hull->facet_count++;
        }
        const uint32_t facet = b->facet_of[root];
        const geo_triangle t = geo_mesh_triangle(b->mesh, f);
        const vec3 area = area_vector(t);
        const double size = vec3_norm(area);
        if (size > largest[facet]) {
            largest[facet] = size;
            longest[facet] = vec3_distance2(t.p[0], t.p[1]) + vec3_distance2(t.p[1], t.p[2]);
            hull->facets[facet] =
                (gt_facet){vec3_normalize(area), b->point_of[b->mesh->faces[f].v[0]]};
        }
    }
    for (uint32_t i = 0; i < hull->facet_count; i++) {
        if (largest[i] < NARROWEST * longest[i]) {
            return base_fail(err, BASE_ERR_INPUT, "a facet is narrower than %g of its length",
                             NARROWEST);
        }
    }
    return BASE_OK;
}

/** How far the vertices of faces are from the planes of their facets. */
static void measure_error(builder *b)
{
    gt_hull *const hull = b->hull;
    for (size_t f = 0; f < b->mesh->face_count; f++) {
        const gt_facet *const facet =
            &hull->facets[b->facet_of[base_sets_find(b->group, (uint32_t)f)]];
        for (int k = 0; k < 3; k++) {
            const vec3 p = b->mesh->vertices[b->mesh->faces[f].v[k]];
            const vec3 from_plane = vec3_sub(p, hull->points[facet->corner]);
            const double off = fabs(vec3_dot(facet->normal, from_plane));
            hull->error_m = off > hull->error_m ? off : hull->error_m;
        }
    }
}

/** The vertices in use, and who is whose neighbour. */
static base_status make_points(builder *b, base_error *err)
{
    gt_hull *const hull = b->hull;
    const size_t n = b->mesh->vertex_count;
    bool *const used = base_arena_alloc(&b->scratch, n, sizeof *used);
    hull->points = base_arena_alloc(b->arena, n, sizeof *hull->points);
    hull->first = base_arena_alloc(b->arena, n + 2, sizeof *hull->first);
    hull->neighbours = base_arena_alloc(b->arena, b->edge_count, sizeof *hull->neighbours);
    if (!used || !hull->points || !hull->first || !hull->neighbours) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu vertices", n);
    }
    for (size_t e = 0; e < b->edge_count; e++) {
        used[b->edges[e].opposite] = true;
    }
    for (size_t v = 0; v < n; v++) {
        if (used[v]) {
            b->point_of[v] = hull->point_count;
            hull->points[hull->point_count++] = b->mesh->vertices[v];
        }
    }
    /* first[p + 2] counts p's; the sums before p move up to its end as its places are filled. */
    for (size_t e = 0; e < b->edge_count; e += 2) {
        hull->first[b->point_of[b->edges[e].lo] + 2]++;
        hull->first[b->point_of[b->edges[e].hi] + 2]++;
    }
    for (uint32_t p = 0; p < hull->point_count; p++) {
        hull->first[p + 2] += hull->first[p + 1];
    }
    for (size_t e = 0; e < b->edge_count; e += 2) {
        const uint32_t lo = b->point_of[b->edges[e].lo], hi = b->point_of[b->edges[e].hi];
        hull->neighbours[hull->first[lo + 1]++] = hi;
        hull->neighbours[hull->first[hi + 1]++] = lo;
    }
    return BASE_OK;
}

/* --- Arcs ------------------------------------------------------------------------------------- */

/** Is the direction q, in the plane of the arc, on it? */
static bool on_arc(const gt_arc *arc, vec3 q)
{
    return vec3_dot(q, vec3_cross(arc->along, arc->from)) >= 0 &&
           vec3_dot(q, vec3_cross(arc->to, arc->along)) >= 0;
}

/** Its ends, and where it is farthest along an axis. */
static geo_box box_of_arc(const gt_arc *arc)
{
    geo_box box = {vec3_min(arc->from, arc->to), vec3_max(arc->from, arc->to)};
    for (int k = 0; k < 3; k++) {
        const vec3 axis = {k == 0, k == 1, k == 2};
        const vec3 top = vec3_madd(axis, -vec3_get(arc->along, k), arc->along);
        const vec3 q = vec3_normalize(top), opposite = vec3_scale(-1, q);
        box = on_arc(arc, q) ? geo_box_add(box, q) : box;
        box = on_arc(arc, opposite) ? geo_box_add(box, opposite) : box;
    }
    const vec3 margin = {ARC_MARGIN, ARC_MARGIN, ARC_MARGIN};
    return (geo_box){vec3_sub(box.lo, margin), vec3_add(box.hi, margin)};
}

/** The arc of a pair of half edges. `here` runs in its face as it does in the list of vertices. */
static gt_arc make_arc(const builder *b, const half_edge *here, const half_edge *there)
{
    const gt_hull *const hull = b->hull;
    const uint32_t *const v = b->mesh->faces[here->face].v;
    const bool forward = (v[0] == here->lo && v[1] == here->hi) ||
                         (v[1] == here->lo && v[2] == here->hi) ||
                         (v[2] == here->lo && v[0] == here->hi);
    gt_arc arc = {
        .from = hull->facets[b->facet_of[base_sets_find(b->group, here->face)]].normal,
        .to = hull->facets[b->facet_of[base_sets_find(b->group, there->face)]].normal,
        .tail = b->point_of[forward ? here->lo : here->hi],
        .head = b->point_of[forward ? here->hi : here->lo],
    };
    arc.along = vec3_normalize(vec3_sub(hull->points[arc.head], hull->points[arc.tail]));
    return arc;
}

/** An edge with the facets on its sides. */
typedef struct side_edge {
    uint32_t lo, hi; /* facets */
    double length2;
    size_t pair; /* of half edges */
} side_edge;

/** By facets, the longest edge first. */
static int compare_side_edges(const void *x, const void *y)
{
    const side_edge *const a = x, *const b = y;
    if (a->lo != b->lo) {
        return a->lo < b->lo ? -1 : 1;
    }
    if (a->hi != b->hi) {
        return a->hi < b->hi ? -1 : 1;
    }
    if (a->length2 != b->length2) {
        return a->length2 > b->length2 ? -1 : 1;
    }
    return a->pair < b->pair ? -1 : a->pair > b->pair;
}

/** Two facets meet in one line: of the edges along it one is kept. Returns how many there are. */
static size_t list_side_edges(builder *b, side_edge *edges)
{
    size_t n = 0, kept = 0;
    for (size_t e = 0; e < b->edge_count / 2; e++) {
        const half_edge *const here = &b->edges[2 * e], *const there = &b->edges[2 * e + 1];
        const uint32_t f = b->facet_of[base_sets_find(b->group, here->face)];
        const uint32_t g = b->facet_of[base_sets_find(b->group, there->face)];
        if (!b->flat[e] && f != g) {
            const double length2 =
                vec3_distance2(b->mesh->vertices[here->lo], b->mesh->vertices[here->hi]);
            edges[n++] = (side_edge){f < g ? f : g, f < g ? g : f, length2, e};
        }
    }
    qsort(edges, n, sizeof *edges, compare_side_edges);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || edges[i].lo != edges[kept - 1].lo || edges[i].hi != edges[kept - 1].hi) {
            edges[kept++] = edges[i];
        }
    }
    return kept;
}

static base_status make_arcs(builder *b, base_error *err)
{
    gt_hull *const hull = b->hull;
    const size_t n = b->edge_count / 2;
    side_edge *const edges = base_arena_alloc(&b->scratch, n, sizeof *edges);
    gt_arc *const listed = base_arena_alloc(&b->scratch, n, sizeof *listed);
    geo_box *const boxes = base_arena_alloc(&b->scratch, n, sizeof *boxes);
    if (!edges || !listed || !boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu edges", n);
    }
    hull->arc_count = (uint32_t)list_side_edges(b, edges);
    for (uint32_t i = 0; i < hull->arc_count; i++) {
        const half_edge *const pair = &b->edges[2 * edges[i].pair];
        listed[i] = make_arc(b, &pair[0], &pair[1]);
        boxes[i] = box_of_arc(&listed[i]);
    }
    hull->arcs = base_arena_alloc(b->arena, hull->arc_count, sizeof *hull->arcs);
    if (!hull->arcs) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u arcs", hull->arc_count);
    }
    const base_status status =
        geo_bvh_build(boxes, hull->arc_count, GEO_BVH_LEAF_MAX, b->arena, &hull->bvh, err);
    for (uint32_t i = 0; i < hull->arc_count && status == BASE_OK; i++) {
        hull->arcs[i] = listed[hull->bvh.order[i]];
    }
    return status;
}

/* --- The whole -------------------------------------------------------------------------------- */

static base_status start(builder *b, base_error *err)
{
    const size_t faces = b->mesh->face_count, vertices = b->mesh->vertex_count;
    b->edges = base_arena_alloc(&b->scratch, 3 * faces, sizeof *b->edges);
    b->flat = base_arena_alloc(&b->scratch, 3 * faces, sizeof *b->flat);
    b->group = base_arena_alloc(&b->scratch, faces, sizeof *b->group);
    b->facet_of = base_arena_alloc(&b->scratch, faces, sizeof *b->facet_of);
    b->point_of = base_arena_alloc(&b->scratch, vertices, sizeof *b->point_of);
    b->hull = base_arena_alloc(b->arena, 1, sizeof *b->hull);
    if (!b->edges || !b->flat || !b->group || !b->facet_of || !b->point_of || !b->hull) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu faces", faces);
    }
    list_edges(b);
    return BASE_OK;
}

static base_status check_solid(const gt_body *body, base_error *err)
{
    if (!body->report->solid) {
        char reason[512];
        geo_mesh_report_reason(body->report, reason, sizeof reason);
        return base_fail(err, BASE_ERR_INPUT, "not a solid: %s", reason);
    }
    if (body->report->component_count != 1) {
        return base_fail(err, BASE_ERR_INPUT, "not convex: %u components",
                         body->report->component_count);
    }
    if (body->report->counts[GEO_DEFECT_NONMANIFOLD_VERTEX] > 0) {
        return base_fail(err, BASE_ERR_INPUT, "not convex: parts that meet in a vertex");
    }
    return BASE_OK;
}

static base_status build(builder *b, base_error *err)
{
    base_status status = start(b, err);
    if (status != BASE_OK) {
        return status;
    }
    status = join_faces(b, err);
    if (status != BASE_OK) {
        return status;
    }
    status = make_points(b, err);
    if (status != BASE_OK) {
        return status;
    }
    status = make_facets(b, err);
    return status != BASE_OK ? status : make_arcs(b, err);
}

static base_status find_hull(gt_body *body, base_error *err)
{
    base_status status = check_solid(body, err);
    if (status != BASE_OK) {
        return status;
    }
    builder b = {.mesh = body->mesh,
                 .arena = &body->arena,
                 .tolerance_m = NOTCH_EPS * DBL_EPSILON * body->reach};
    status = build(&b, err);
    if (status == BASE_OK) {
        if (b.rounded) {
            measure_error(&b);
        }
        body->hull = b.hull;
    }
    base_arena_release(&b.scratch);
    return status;
}

base_status gt_body_make_hull(gt_body *body, base_error *err)
{
    if (body->hull) {
        return BASE_OK;
    }
    if (body->no_hull) {
        return base_fail(err, BASE_ERR_INPUT, "%s", body->no_hull);
    }
    base_error reason = {0};
    const base_status status = find_hull(body, &reason);
    if (status == BASE_ERR_INPUT) {
        body->no_hull = base_arena_text(&body->arena, reason.text);
    }
    return status == BASE_OK ? BASE_OK : base_fail(err, status, "%s", reason.text);
}

uint32_t gt_hull_climb(const gt_hull *hull, vec3 along, uint32_t start_point)
{
    uint32_t at = start_point;
    double height = vec3_dot(along, hull->points[at]);
    for (bool higher = true; higher;) {
        higher = false;
        const uint32_t *const end = hull->neighbours + hull->first[at + 1];
        for (const uint32_t *p = hull->neighbours + hull->first[at]; p < end; p++) {
            const double h = vec3_dot(along, hull->points[*p]);
            if (h > height) {
                height = h;
                at = *p;
                higher = true;
            }
        }
    }
    return at;
}

uint32_t gt_hull_scan(const gt_hull *hull, vec3 along)
{
    uint32_t at = 0;
    double height = vec3_dot(along, hull->points[0]);
    for (uint32_t p = 1; p < hull->point_count; p++) {
        const double h = vec3_dot(along, hull->points[p]);
        if (h > height) {
            height = h;
            at = p;
        }
    }
    return at;
}
