#include "groundtruth/depth/depth.h"

#include "base/containers.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "groundtruth/body/body.h"
#include "groundtruth/depth/wide.h"
#include "groundtruth/distance/distance.h"

#include <float.h>
#include <stdlib.h>

/* --- The hull --------------------------------------------------------------------------------- */

/*
 * Tests whether a mesh is convex, and finds the facets and edges of a convex one. A connected solid
 * is convex if no edge is a notch. Deciding this takes one exact sign per edge. Edges with sign 0
 * are inside a facet.
 */

/* A notch no deeper than this many eps of the largest coordinate is attributed to rounding. */
#define NOTCH_EPS 32
/* The least ratio of a face's width to its length. The error of a face's normal is about 1e-32
 * divided by this ratio. */
#define NARROWEST 1e-14
/* Rounding error of unit normals and of numbers computed from them. */
#define ARC_MARGIN 0x1p-46

/** An edge of a face; lo < hi are its vertices. */
typedef struct half_edge {
    uint32_t lo, hi, face, opposite;
} half_edge;

typedef struct builder {
    const geo_mesh *mesh;
    gt_hull *hull;
    base_arena *arena;
    base_arena scratch;
    half_edge *edges; /* sorted, so that the two half edges of an edge are adjacent */
    size_t edge_count;
    bool *flat;         /* for each pair of half edges */
    uint32_t *group;    /* base_sets over faces */
    uint32_t *point_of; /* vertex -> point, for used vertices */
    uint32_t *facet_of; /* root of a group -> facet */
    double tolerance_m;
    bool rounded; /* true if a notch was attributed to rounding */
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

/** Returns the normal with a length of twice the area. */
static vec3 area_vector(geo_triangle t)
{
    return gt_wide3_round(
        gt_wide3_cross(gt_wide3_between(t.p[1], t.p[0]), gt_wide3_between(t.p[2], t.p[0])));
}

/** Joins faces across edges that are flat, exactly or up to rounding. */
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

/** Makes one facet per group, with the normal of its largest face. */
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

/** Measures how far the vertices of faces are from the planes of their facets. */
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

/** Lists the used vertices and the neighbours of each. */
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
    /* At first, first[p + 2] is the number of neighbours of p. After the sums, first[p + 1] is the
     * position where the neighbours of p begin. It moves to their end while they are filled in. */
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

/** True if the direction q, in the plane of the arc, is on the arc. */
static bool on_arc(const gt_arc *arc, vec3 q)
{
    return vec3_dot(q, vec3_cross(arc->along, arc->from)) >= 0 &&
           vec3_dot(q, vec3_cross(arc->to, arc->along)) >= 0;
}

/** Returns the box of the ends of the arc and of its extreme points along each axis. */
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

/**
 * Makes the arc of a pair of half edges. Its edge runs in the direction in which the face of `here`
 * traverses it.
 */
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

/** An edge with the facets on both of its sides. */
typedef struct side_edge {
    uint32_t lo, hi; /* facets */
    double length2;
    size_t pair; /* index of the pair of half edges */
} side_edge;

/** Orders edges by their facets, the longest edge first. */
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

/**
 * Lists the edges between different facets. If two facets have several edges in common, all of them
 * are on one line, and only the longest is kept. Returns the number of edges kept.
 */
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

/* --- The nearest facet of the Minkowski difference -------------------------------------------- */

/*
 * If A and the moved B overlap, their Minkowski difference contains the origin, and its nearest
 * facet gives the shortest translation that separates. Its facets are those of A, those of B
 * reversed, and one for each pair of edges whose arcs cross when the Gauss maps of A and of -B are
 * overlaid. A hierarchy over the arcs finds the pairs.
 *
 * The width along a unit normal is the distance that B has to move along it to be out. It is never
 * less than the depth, for any normal. So a superfluous pair does no harm, and the filters may
 * compute in double as long as they keep too many pairs. The number that a filter computes from the
 * points of a pair is never more than the width. All vertices are scanned only if this number is
 * smaller than the best width so far.
 */

/* A dot product of unit vectors whose absolute value is below this counts as positive and as
 * negative. */
#define SIGN_MARGIN (64 * DBL_EPSILON)
/* Pairs of edges with a smaller sine are left out: their facet is not nearer than a neighbouring
 * one by more than rounding. */
#define PARALLEL (4 * DBL_EPSILON)

typedef struct search {
    const gt_hull *hull[2];
    const geo_pose *pose;
    const gt_goal *goal;
    double rounding; /* rounding error of a width, in m. If two widths differ by less, the first one
                      * is kept */
    double best;
    vec3 normal; /* normal of the best width */
    gt_depth *counts;
} search;

/** An arc of -B, in A's frame. */
typedef struct placed_arc {
    gt_arc arc;
    vec3 tail; /* tail of B's edge */
} placed_arc;

/* --- Values ----------------------------------------------------------------------------------- */

/** Returns the value of the goal for a facet with this normal and width (gt_goal). */
static double value_of(const gt_goal *goal, vec3 normal, double width)
{
    if (!goal->directed) {
        return width;
    }
    const double gain = vec3_dot(normal, goal->along);
    const double positive = width > 0 ? width : 0;
    return gain > SIGN_MARGIN ? (positive + goal->slack) / gain : (double)INFINITY;
}

/** True if a facet with this width, as computed from its own points, may be the best. */
static bool beats(const search *s, vec3 normal, double width)
{
    return value_of(s->goal, normal, width + s->rounding) < s->best;
}

static vec3 moved_point(const search *s, uint32_t p)
{
    return geo_pose_apply(s->pose, s->hull[1]->points[p]);
}

/** Returns the corner of the moved B that is farthest against the normal. */
static vec3 scan_moved(const search *s, vec3 normal)
{
    vec3 nearest = moved_point(s, 0);
    for (uint32_t q = 1; q < s->hull[1]->point_count; q++) {
        const vec3 point = moved_point(s, q);
        nearest = vec3_dot(normal, point) < vec3_dot(normal, nearest) ? point : nearest;
    }
    return nearest;
}

/** Keeps the normal if its true width beats the best. */
static void try_normal(search *s, vec3 normal)
{
    const vec3 on_a = s->hull[0]->points[gt_hull_scan(s->hull[0], normal)];
    const double width = vec3_dot(normal, vec3_sub(on_a, scan_moved(s, normal)));
    const double value = value_of(s->goal, normal, width);
    s->counts->supports++;
    if (value < s->best) {
        s->best = value;
        s->normal = normal;
    }
}

/* --- Facets ----------------------------------------------------------------------------------- */

static void search_facets_of_a(search *s)
{
    const gt_hull *const hull = s->hull[0];
    uint32_t q = 0;
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const vec3 normal = hull->facets[f].normal;
        const vec3 into_b = vec3_scale(-1, mat3_tmul_vec3(s->pose->rotation, normal));
        q = gt_hull_climb(s->hull[1], into_b, q);
        const vec3 gap = vec3_sub(hull->points[hull->facets[f].corner], moved_point(s, q));
        if (beats(s, normal, vec3_dot(normal, gap))) {
            try_normal(s, normal);
        }
    }
    s->counts->facets += hull->facet_count;
}

static void search_facets_of_b(search *s)
{
    const gt_hull *const hull = s->hull[1];
    uint32_t p = 0;
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const vec3 normal = vec3_scale(-1, geo_pose_rotate(s->pose, hull->facets[f].normal));
        p = gt_hull_climb(s->hull[0], normal, p);
        const vec3 gap = vec3_sub(s->hull[0]->points[p], moved_point(s, hull->facets[f].corner));
        if (beats(s, normal, vec3_dot(normal, gap))) {
            try_normal(s, normal);
        }
    }
    s->counts->facets += hull->facet_count;
}

/* --- Pairs of edges --------------------------------------------------------------------------- */

static placed_arc place_arc(const search *s, const gt_arc *arc)
{
    const geo_pose *const pose = s->pose;
    placed_arc placed = {*arc, moved_point(s, arc->tail)};
    placed.arc.from = vec3_scale(-1, geo_pose_rotate(pose, arc->from));
    placed.arc.to = vec3_scale(-1, geo_pose_rotate(pose, arc->to));
    placed.arc.along = geo_pose_rotate(pose, arc->along);
    return placed;
}

/**
 * Returns the cross product of a's edge and b's edge as a unit vector. It is computed from the
 * vertices, so that only its last bits are wrong.
 */
static vec3 precise_normal(const search *s, const gt_arc *a, const gt_arc *b)
{
    const vec3 *const of_a = s->hull[0]->points, *const of_b = s->hull[1]->points;
    const gt_wide3 edge_a = gt_wide3_between(of_a[a->head], of_a[a->tail]);
    const gt_wide3 edge_b = gt_wide3_between(of_b[b->head], of_b[b->tail]);
    const gt_wide3 turned = gt_wide3_turn(s->pose->rotation, edge_b);
    return vec3_normalize(gt_wide3_round(gt_wide3_cross(edge_a, turned)));
}

/** True if a normal in the plane of the arc is on the arc or within SIGN_MARGIN of it. */
static bool near_arc(const gt_arc *arc, vec3 normal)
{
    return vec3_dot(normal, vec3_cross(arc->along, arc->from)) > -SIGN_MARGIN &&
           vec3_dot(normal, vec3_cross(arc->to, arc->along)) > -SIGN_MARGIN;
}

/**
 * Tries sign (a x b) as the normal of a facet. `cross` is a x b for the unit vectors along the
 * edges, and `sine` is its length. Its direction has an error of about eps / sine.
 */
static void try_pair(search *s, const gt_arc *a, const placed_arc *b, vec3 cross, double sine,
                     double sign)
{
    const vec3 gap = vec3_sub(s->hull[0]->points[a->tail], b->tail);
    const vec3 rough = vec3_scale(sign / sine, cross);
    const double off = 32 * s->rounding / sine;
    if (!s->goal->directed && vec3_dot(rough, gap) - off >= s->best) {
        return;
    }
    const vec3 normal = vec3_scale(sign, precise_normal(s, a, &b->arc));
    if (near_arc(a, normal) && near_arc(&b->arc, normal) &&
        beats(s, normal, vec3_dot(normal, gap))) {
        try_normal(s, normal);
    }
}

/**
 * Arcs cross at the direction a x b if each passes through the plane of the other one there,
 * counter-clockwise about its edge, and at -(a x b) if both pass the other way.
 */
static void test_arcs(search *s, const gt_arc *a, const placed_arc *b)
{
    const double m = SIGN_MARGIN;
    const double b_from = vec3_dot(b->arc.from, a->along), b_to = vec3_dot(b->arc.to, a->along);
    const double a_from = vec3_dot(a->from, b->arc.along), a_to = vec3_dot(a->to, b->arc.along);
    const bool plus = b_from < m && b_to > -m && a_from > -m && a_to < m;
    const bool minus = b_from > -m && b_to < m && a_from < m && a_to > -m;
    if (!plus && !minus) {
        return;
    }
    const vec3 cross = vec3_cross(a->along, b->arc.along);
    const double sine = vec3_norm(cross);
    if (sine < PARALLEL) {
        return;
    }
    if (plus) {
        try_pair(s, a, b, cross, sine, 1);
    }
    if (minus) {
        try_pair(s, a, b, cross, sine, -1);
    }
}

static bool visit_arcs(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    search *const s = context;
    for (uint32_t j = b; j < b + nb; j++) {
        const placed_arc placed = place_arc(s, &s->hull[1]->arcs[j]);
        for (uint32_t i = a; i < a + na; i++) {
            test_arcs(s, &s->hull[0]->arcs[i], &placed);
        }
    }
    s->counts->edge_pairs += (uint64_t)na * nb;
    return true;
}

/* --- The query -------------------------------------------------------------------------------- */

double gt_depth_move_slack(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    return 16 * DBL_EPSILON * (gt_pair_reach(a, b, pose) + b->reach);
}

double gt_depth_slack(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const double error = 16 * (a->hull->error_m + b->hull->error_m);
    return 64 * DBL_EPSILON * gt_pair_reach(a, b, pose) + gt_depth_move_slack(a, b, pose) + error;
}

double gt_depth_search(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       const gt_goal *goal, vec3 *normal, gt_depth *counts)
{
    const mat3 r = pose->rotation;
    const geo_pose turn = {
        {{vec3_scale(-1, r.row[0]), vec3_scale(-1, r.row[1]), vec3_scale(-1, r.row[2])}},
        {0, 0, 0}};
    search s = {
        .hull = {a->hull, b->hull},
        .pose = pose,
        .goal = goal,
        .rounding = 8 * DBL_EPSILON * gt_pair_reach(a, b, pose),
        .best = INFINITY,
        .counts = counts,
    };
    search_facets_of_a(&s);
    search_facets_of_b(&s);
    geo_bvh_pairs(&a->hull->bvh, &b->hull->bvh, &turn, visit_arcs, &s);
    *normal = s.normal;
    return s.best;
}

/**
 * Finds the nearest points of the surfaces after B has moved out. The point of B is moved back to
 * its place before the move.
 */
static void find_witnesses(const gt_body *a, const gt_body *b, const geo_pose *pose, double depth,
                           gt_depth *result)
{
    const vec3 move = vec3_scale(depth, result->direction);
    const geo_pose out = {pose->rotation, vec3_add(pose->translation, move)};
    gt_distance touching;
    gt_distance_query(a, b, &out, &touching);
    result->witness_a = touching.witness_a;
    result->witness_b = vec3_sub(touching.witness_b, move);
}

void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result)
{
    base_assert(a->hull && b->hull);
    gt_distance distance;
    gt_distance_query(a, b, pose, &distance);
    *result = (gt_depth){.depth_m = {0, 0}};
    if (distance.distance_m.lo > 0) {
        result->witness_a = distance.witness_a;
        result->witness_b = distance.witness_b;
        result->direction = vec3_normalize(vec3_sub(distance.witness_b, distance.witness_a));
        return;
    }
    const gt_goal shortest = {.directed = false};
    const double width = gt_depth_search(a, b, pose, &shortest, &result->direction, result);
    const double depth = width > 0 ? width : 0;
    result->direction = vec3_add(result->direction, (vec3){0, 0, 0}); /* avoids -0 */
    result->depth_m = gt_bracket_around(depth, 1e-12 * depth + gt_depth_slack(a, b, pose));
    find_witnesses(a, b, pose, depth, result);
}
