#include "geometry/mesh_check.h"

#include "base/containers.h"
#include "base/memory.h"
#include "geometry/predicates.h"
#include "geometry/surface.h"
#include "geometry/triangle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reports ---------------------------------------------------------------------------------- */

void geo_mesh_report_release(geo_mesh_report *report)
{
    base_free(report->defects);
    *report = (geo_mesh_report){0};
}

/* Number of defects that a reason names before "...". */
#define NAMED_MAX 3

static const char *const names[] = {
    [GEO_DEFECT_OPEN_EDGE] = "open edge",
    [GEO_DEFECT_NONMANIFOLD_EDGE] = "non-manifold edge",
    [GEO_DEFECT_INCONSISTENT_EDGE] = "inconsistent edge",
    [GEO_DEFECT_NONMANIFOLD_VERTEX] = "non-manifold vertex",
    [GEO_DEFECT_DEGENERATE_FACE] = "degenerate face",
    [GEO_DEFECT_DUPLICATE_FACE] = "duplicate face",
    [GEO_DEFECT_SELF_INTERSECTION] = "self-intersection",
    [GEO_DEFECT_MISORIENTED_SHELL] = "misoriented shell",
};

const char *geo_defect_name(geo_defect_kind kind)
{
    base_assert((unsigned)kind < GEO_DEFECT_KIND_COUNT);
    return names[kind];
}

/** Appends to the text at *used, truncated to the available size. */
BASE_PRINTF(4, 5)
static void append(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    const size_t wanted = length > 0 ? (size_t)length : 0, room = size - *used - 1;
    *used += wanted < room ? wanted : room;
}

/** Formats "2 self-intersecting pairs (faces 33054 and 33055, 40271 and 40290)". */
static void describe_kind(const geo_mesh_report *report, geo_defect_kind kind, char *text,
                          size_t size)
{
    const uint64_t count = report->counts[kind];
    const bool edge = kind == GEO_DEFECT_OPEN_EDGE || kind == GEO_DEFECT_NONMANIFOLD_EDGE ||
                      kind == GEO_DEFECT_INCONSISTENT_EDGE;
    const bool single = kind == GEO_DEFECT_DEGENERATE_FACE || kind == GEO_DEFECT_MISORIENTED_SHELL;
    const char *const name =
        kind == GEO_DEFECT_SELF_INTERSECTION ? "self-intersecting pair" : names[kind];
    size_t used = 0, named = 0;
    append(text, size, &used, "%llu %s%s (%s", (unsigned long long)count, name,
           count == 1 ? "" : "s",
           edge                   ? "vertices "
           : single && count == 1 ? "face "
                                  : "faces ");
    for (size_t i = 0; i < report->defect_count && named < NAMED_MAX; i++) {
        const geo_defect *const d = &report->defects[i];
        if (d->kind != kind) {
            continue;
        }
        append(text, size, &used, single ? "%s%u" : "%s%u and %u", named == 0 ? "" : ", ", d->a,
               d->b);
        named++;
    }
    append(text, size, &used, count > named ? ", ...)" : ")");
}

void geo_mesh_report_reason(const geo_mesh_report *report, char *text, size_t size)
{
    static const geo_defect_kind order[] = {
        GEO_DEFECT_DEGENERATE_FACE,   GEO_DEFECT_DUPLICATE_FACE,    GEO_DEFECT_OPEN_EDGE,
        GEO_DEFECT_NONMANIFOLD_EDGE,  GEO_DEFECT_INCONSISTENT_EDGE, GEO_DEFECT_SELF_INTERSECTION,
        GEO_DEFECT_MISORIENTED_SHELL,
    };
    text[0] = '\0';
    if (report->solid) {
        return;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (report->counts[order[i]] > 0) {
            describe_kind(report, order[i], text, size);
            return;
        }
    }
    const double volume = report->measure.volume_m3;
    size_t used = 0;
    if (report->inside_out) {
        append(text, size, &used, "inside out (volume %.6g m3)", volume);
    } else {
        append(text, size, &used, report->component_count == 0 ? "no faces" : "no volume");
    }
}

/* --- The list --------------------------------------------------------------------------------- */

/**
 * Counts all defects. Keeps the first ones of each kind in sorted order, which does not depend on
 * the order in which they are found.
 */
typedef struct defect_list {
    geo_defect *kept[GEO_DEFECT_KIND_COUNT]; /* arena; room for 2 GEO_DEFECTS_LISTED_MAX each */
    size_t kept_count[GEO_DEFECT_KIND_COUNT];
    uint64_t counts[GEO_DEFECT_KIND_COUNT];
} defect_list;

static int compare_defects(const void *left, const void *right)
{
    const geo_defect *const l = left, *const r = right;
    return l->a != r->a ? (l->a < r->a ? -1 : 1) : l->b < r->b ? -1 : l->b > r->b;
}

/** Sorts the kept defects of a kind and drops the excess. */
static void sort_kept(defect_list *list, size_t kind)
{
    qsort(list->kept[kind], list->kept_count[kind], sizeof *list->kept[kind], compare_defects);
    if (list->kept_count[kind] > GEO_DEFECTS_LISTED_MAX) {
        list->kept_count[kind] = GEO_DEFECTS_LISTED_MAX;
    }
}

static void list_defect(defect_list *list, geo_defect_kind kind, uint32_t a, uint32_t b)
{
    list->counts[kind]++;
    list->kept[kind][list->kept_count[kind]++] = (geo_defect){kind, a, b};
    if (list->kept_count[kind] == 2 * GEO_DEFECTS_LISTED_MAX) {
        sort_kept(list, kind);
    }
}

/** Copies the counts and the sorted defects into the report. */
static base_status finish_list(defect_list *list, geo_mesh_report *report, base_error *err)
{
    size_t total = 0;
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        sort_kept(list, kind);
        total += list->kept_count[kind];
    }
    report->defects = base_alloc(total, sizeof *report->defects);
    if (!report->defects) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu defects", total);
    }
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        memcpy(report->defects + report->defect_count, list->kept[kind],
               list->kept_count[kind] * sizeof *report->defects);
        report->defect_count += list->kept_count[kind];
        report->counts[kind] = list->counts[kind];
    }
    return BASE_OK;
}

/* --- Single faces ----------------------------------------------------------------------------- */

/** True if a face has the same vertex twice. */
static bool repeats(geo_face f)
{
    return f.v[0] == f.v[1] || f.v[1] == f.v[2] || f.v[2] == f.v[0];
}

/**
 * True if the corners are exactly collinear: their projections along all three axes are collinear.
 */
static bool is_collinear(geo_triangle t)
{
    const vec3 *const p = t.p;
    const double xy[3][2] = {{p[0].x, p[0].y}, {p[1].x, p[1].y}, {p[2].x, p[2].y}};
    const double yz[3][2] = {{p[0].y, p[0].z}, {p[1].y, p[1].z}, {p[2].y, p[2].z}};
    const double zx[3][2] = {{p[0].z, p[0].x}, {p[1].z, p[1].x}, {p[2].z, p[2].x}};
    return geo_orient2d(xy[0], xy[1], xy[2]) == 0 && geo_orient2d(yz[0], yz[1], yz[2]) == 0 &&
           geo_orient2d(zx[0], zx[1], zx[2]) == 0;
}

/* --- Topology --------------------------------------------------------------------------------- */

/**
 * Sorts items, which are half-edges or faces, by their vertices. There is one counting sort per
 * vertex of an item, the least significant first.
 *
 * Corner number 3 f + k is corner k of face f. Half-edge 3 f + k runs from that corner to the next
 * corner of the face.
 */
typedef struct sorter {
    const geo_mesh *mesh;
    uint32_t *order, *spare; /* items; room for all half-edges */
    uint32_t *starts;        /* one entry per vertex */
    size_t count;            /* number of items */
} sorter;

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t vertex_at(const geo_mesh *mesh, uint32_t corner)
{
    return mesh->faces[corner / 3].v[corner % 3];
}

/** Returns the vertex of an item with this rank; rank 0 is the smallest vertex. */
typedef uint32_t item_key(const geo_mesh *mesh, uint32_t item, int rank);

static uint32_t edge_key(const geo_mesh *mesh, uint32_t half_edge, int rank)
{
    const uint32_t from = vertex_at(mesh, half_edge);
    const uint32_t to = vertex_at(mesh, next_corner(half_edge));
    return (from < to) == (rank == 0) ? from : to;
}

static uint32_t face_key(const geo_mesh *mesh, uint32_t face, int rank)
{
    const uint32_t *const v = mesh->faces[face].v;
    const uint32_t lo = v[0] < v[1] ? v[0] : v[1], hi = v[0] < v[1] ? v[1] : v[0];
    const uint32_t least = lo < v[2] ? lo : v[2], most = hi < v[2] ? v[2] : hi;
    return rank == 0 ? least : rank == 2 ? most : v[0] ^ v[1] ^ v[2] ^ least ^ most;
}

/** Does one stable counting sort, by the vertices of this rank. */
static void sort_by(sorter *s, item_key *key, int rank)
{
    const size_t vertices = s->mesh->vertex_count;
    for (size_t v = 0; v < vertices; v++) {
        s->starts[v] = 0;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->starts[key(s->mesh, s->order[i], rank)]++;
    }
    uint32_t sum = 0;
    for (size_t v = 0; v < vertices; v++) {
        const uint32_t count = s->starts[v];
        s->starts[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->spare[s->starts[key(s->mesh, s->order[i], rank)]++] = s->order[i];
    }
    uint32_t *const sorted = s->spare;
    s->spare = s->order;
    s->order = sorted;
}

/* --- Edges and fans --------------------------------------------------------------------------- */

/** Joins the corners of two half-edges of the same edge that are at the same vertex. */
static void join_fans(const geo_mesh *mesh, uint32_t *parent, uint32_t h, uint32_t g)
{
    const bool along = vertex_at(mesh, h) == vertex_at(mesh, g);
    base_sets_join(parent, h, along ? g : next_corner(g));
    base_sets_join(parent, next_corner(h), along ? next_corner(g) : g);
}

/** Lists the edge if it is a defect. half_edges[count]: all half-edges of the edge. */
static void judge_edge(const geo_mesh *mesh, const uint32_t *half_edges, size_t count,
                       defect_list *list)
{
    const uint32_t a = edge_key(mesh, half_edges[0], 0), b = edge_key(mesh, half_edges[0], 1);
    if (count == 1) {
        list_defect(list, GEO_DEFECT_OPEN_EDGE, a, b);
    } else if (count > 2) {
        list_defect(list, GEO_DEFECT_NONMANIFOLD_EDGE, a, b);
    } else if (vertex_at(mesh, half_edges[0]) == vertex_at(mesh, half_edges[1])) {
        list_defect(list, GEO_DEFECT_INCONSISTENT_EDGE, a, b);
    }
}

static void check_edges(sorter *s, uint32_t *parent, defect_list *list)
{
    const geo_mesh *const mesh = s->mesh;
    s->count = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (uint32_t k = 0; k < 3 && !repeats(mesh->faces[f]); k++) {
            s->order[s->count++] = 3 * (uint32_t)f + k;
        }
    }
    sort_by(s, edge_key, 1);
    sort_by(s, edge_key, 0);
    for (size_t i = 0, end; i < s->count; i = end) {
        const uint32_t h = s->order[i];
        for (end = i + 1; end < s->count; end++) {
            const uint32_t g = s->order[end];
            if (edge_key(mesh, g, 0) != edge_key(mesh, h, 0) ||
                edge_key(mesh, g, 1) != edge_key(mesh, h, 1)) {
                break;
            }
            join_fans(mesh, parent, h, g);
        }
        judge_edge(mesh, &s->order[i], end - i, list);
    }
}

/** Lists the vertices of several fans. fans: zeroed, one entry per vertex. */
static void check_fans(const geo_mesh *mesh, const uint32_t *parent, uint32_t *fans,
                       defect_list *list)
{
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        fans[vertex_at(mesh, c)] += parent[c] == c && !repeats(mesh->faces[c / 3]);
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (fans[v] > 1) {
            list_defect(list, GEO_DEFECT_NONMANIFOLD_VERTEX, (uint32_t)v, (uint32_t)v);
        }
    }
}

/* --- Duplicates ------------------------------------------------------------------------------- */

/** If several faces have the same vertices, lists each of them except the first with the first. */
static void check_duplicates(sorter *s, defect_list *list)
{
    s->count = 0;
    for (size_t f = 0; f < s->mesh->face_count; f++) {
        if (!repeats(s->mesh->faces[f])) {
            s->order[s->count++] = (uint32_t)f;
        }
    }
    for (int rank = 2; rank >= 0; rank--) {
        sort_by(s, face_key, rank);
    }
    size_t first = 0;
    for (size_t i = 1; i < s->count; i++) {
        const uint32_t f = s->order[first], g = s->order[i];
        if (face_key(s->mesh, f, 0) == face_key(s->mesh, g, 0) &&
            face_key(s->mesh, f, 1) == face_key(s->mesh, g, 1) &&
            face_key(s->mesh, f, 2) == face_key(s->mesh, g, 2)) {
            list_defect(list, GEO_DEFECT_DUPLICATE_FACE, f, g);
        } else {
            first = i;
        }
    }
}

/**
 * Checks edges, fans and duplicates from the indices alone. Faces with a repeated index are
 * ignored, because the mesh without them may be closed. *fans_of: arena; the disjoint sets of the
 * corners 3 f + k (base_sets). Each set is a fan: the faces around a vertex that are connected
 * across edges.
 */
static base_status check_topology(const geo_mesh *mesh, base_arena *arena, defect_list *list,
                                  uint32_t **fans_of, base_error *err)
{
    const size_t corners = 3 * mesh->face_count;
    sorter s = {.mesh = mesh,
                .order = base_arena_alloc(arena, corners, sizeof *s.order),
                .spare = base_arena_alloc(arena, corners, sizeof *s.spare),
                .starts = base_arena_alloc(arena, mesh->vertex_count, sizeof *s.starts)};
    uint32_t *const parent = base_arena_alloc(arena, corners, sizeof *parent);
    uint32_t *const fans = base_arena_alloc(arena, mesh->vertex_count, sizeof *fans);
    if (!s.order || !s.spare || !s.starts || !parent || !fans) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces",
                         mesh->face_count);
    }
    base_sets_init(parent, corners);
    check_edges(&s, parent, list);
    check_fans(mesh, parent, fans, list);
    check_duplicates(&s, list);
    *fans_of = parent;
    return BASE_OK;
}

/* --- Pairs of faces --------------------------------------------------------------------------- */

/* Larger than the relative error (3 + 16 eps) eps of the filter of orient2d [Shewchuk1997]. */
#define FILTER_BOUND 0x1p-51

typedef struct pair_check {
    const geo_surface *surface;
    const geo_box *boxes;   /* boxes of the faces in leaf order */
    const bool *degenerate; /* by face */
    defect_list *list;
} pair_check;

/** Exchanges corners i and k; the orientation of the face does not matter here. */
static void swap_corners(geo_face *f, geo_triangle *t, int i, int k)
{
    const uint32_t v = f->v[i];
    f->v[i] = f->v[k];
    f->v[k] = v;
    const vec3 p = t->p[i];
    t->p[i] = t->p[k];
    t->p[k] = p;
}

/**
 * Moves the shared vertices to the front of both faces, in the same order. Returns their number.
 */
static int align_shared(geo_face *f, geo_triangle *s, geo_face *g, geo_triangle *t)
{
    int shared = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = shared; k < 3; k++) {
            if (f->v[i] == g->v[k]) {
                swap_corners(f, s, shared, i);
                swap_corners(g, t, shared, k);
                shared++;
                break;
            }
        }
    }
    return shared;
}

/* A corner projected to the plane of two coordinates. */
typedef struct point2 {
    double c[2];
} point2;

static void flatten(const geo_triangle *t, int axis, point2 out[3])
{
    for (int k = 0; k < 3; k++) {
        const vec3 p = t->p[k];
        out[k] = axis == 0   ? (point2){{p.y, p.z}}
                 : axis == 1 ? (point2){{p.z, p.x}}
                             : (point2){{p.x, p.y}};
    }
}

/** Returns the side of c against the line from a to b; 0 if rounding may change it. */
static int clear_side(const point2 *a, const point2 *b, const point2 *c)
{
    const double left = (a->c[0] - c->c[0]) * (b->c[1] - c->c[1]);
    const double right = (a->c[1] - c->c[1]) * (b->c[0] - c->c[0]);
    const double bound = FILTER_BOUND * (fabs(left) + fabs(right));
    return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

/**
 * True if the third corner of s is on one side of the line through its corners i and k, and all
 * unshared corners of t are on the other side.
 */
static bool edge_parts(const point2 s[3], int i, int k, const point2 t[3], int shared)
{
    const int side = clear_side(&s[i], &s[k], &s[3 - i - k]);
    for (int j = shared; j < 3; j++) {
        if (clear_side(&s[i], &s[k], &t[j]) != -side) {
            return false;
        }
    }
    return side != 0;
}

/**
 * True if a line separates the projections of s and t, except for the shared corners, which are on
 * it. The triangles then meet nowhere else. This decides nearly all pairs of neighbours in a
 * surface. The general test would need exact arithmetic for those that are coplanar.
 */
static bool shadows_part(const geo_triangle *s, const geo_triangle *t, int shared)
{
    static const int edges[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const vec3 n = vec3_abs(vec3_cross(vec3_sub(s->p[1], s->p[0]), vec3_sub(s->p[2], s->p[0])));
    const int axis = n.x > n.y ? (n.x > n.z ? 0 : 2) : n.y > n.z ? 1 : 2;
    point2 a[3], b[3];
    flatten(s, axis, a);
    flatten(t, axis, b);
    for (int e = 0; e < 3 - shared; e++) {
        const int i = edges[e][0], k = edges[e][1];
        if (edge_parts(a, i, k, b, shared) || edge_parts(b, i, k, a, shared)) {
            return true;
        }
    }
    return false;
}

static void check_pair(pair_check *check, uint32_t i, uint32_t j)
{
    const geo_surface *const surface = check->surface;
    const uint32_t a = surface->bvh.order[i], b = surface->bvh.order[j];
    if (check->degenerate[a] || check->degenerate[b]) {
        return;
    }
    geo_face f = surface->mesh->faces[a], g = surface->mesh->faces[b];
    geo_triangle s = surface->triangles[i], t = surface->triangles[j];
    const int shared = align_shared(&f, &s, &g, &t);
    if (shared < 3 && !shadows_part(&s, &t, shared) &&
        geo_triangle_intersect_beyond(s, t, shared)) {
        list_defect(check->list, GEO_DEFECT_SELF_INTERSECTION, a < b ? a : b, a < b ? b : a);
    }
}

static bool check_leaves(void *context, uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
    pair_check *const check = context;
    for (uint32_t i = a; i < a + na; i++) {
        for (uint32_t j = a == b ? i + 1 : b; j < b + nb; j++) {
            if (geo_box_overlap(check->boxes[i], check->boxes[j])) {
                check_pair(check, i, j);
            }
        }
    }
    return true;
}

/**
 * Lists the pairs of faces that intersect beyond their shared vertices and edges; skips degenerate
 * faces (by face) and pairs on the same three vertices.
 */
static base_status check_pairs(const geo_surface *surface, const bool *degenerate,
                               base_arena *arena, defect_list *list, base_error *err)
{
    const geo_mesh *const mesh = surface->mesh;
    geo_box *const boxes = base_arena_alloc(arena, mesh->face_count, sizeof *boxes);
    if (!boxes) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the boxes of %zu faces",
                         mesh->face_count);
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        boxes[i] = geo_box_of_triangle(surface->triangles[i]);
    }
    pair_check check = {surface, boxes, degenerate, list};
    geo_bvh_pairs(&surface->bvh, &surface->bvh, NULL, check_leaves, &check);
    return BASE_OK;
}

/* --- Shells ----------------------------------------------------------------------------------- */

/*
 * Tests whether every shell has the right orientation for its nesting depth.
 *
 * Consider the greatest vertex of a shell, by x, then y, then z. Moved by (e, e^2, e^3), it is
 * outside of its shell. The parity of the crossings from there (geo_surface_contains) is therefore
 * that of the number of other shells around it. The edge at the vertex that is extreme in direction
 * is convex, so its two faces show the orientation of the shell. Both tests are exact.
 *
 * If another fan shares the greatest vertex, the nesting test starts from a vertex of a single fan.
 * It then subtracts the crossings of the shell itself from those of all shells.
 */

typedef struct shell {
    uint32_t face;  /* its first face */
    uint32_t count; /* number of faces */
    uint32_t alone; /* a vertex of a single fan; UINT32_MAX: there is no such vertex */
    uint32_t top;   /* its greatest vertex */
    uint32_t end;   /* end of the extreme edge from top */
    uint32_t ahead; /* third vertex of the face with that edge from top to end */
    uint32_t back;  /* third vertex of the other face at that edge */
} shell;

/**
 * Labels faces by the shells that their edges connect, in the order of first faces. Returns the
 * number of shells.
 */
static uint32_t label_shells(const geo_mesh *mesh, const uint32_t *fans, uint32_t *parent,
                             uint32_t *label)
{
    base_sets_init(parent, mesh->face_count);
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        base_sets_join(parent, c / 3, fans[c] / 3);
    }
    uint32_t count = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t root = base_sets_find(parent, f);
        label[f] = root == f ? count++ : label[root];
    }
    return count;
}

static bool is_greater(vec3 a, vec3 b)
{
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/**
 * True if the direction from `top` to a is more extreme than the direction from `top` to b. Both
 * points are smaller than `top` in the order of is_greater.
 */
static bool is_beyond(vec3 top, vec3 a, vec3 b)
{
    if (a.x == top.x && a.y == top.y) {
        return false; /* straight down is the least extreme direction */
    }
    if (b.x == top.x && b.y == top.y) {
        return true;
    }
    const int turn = geo_orient2d((const double[2]){top.x, top.y}, (const double[2]){a.x, a.y},
                                  (const double[2]){b.x, b.y});
    if (turn != 0) {
        return turn > 0;
    }
    /* Both directions are in one vertical plane, and the one that points higher is more extreme.
     * They are compared in z and in the coordinate, x or y, along which the plane extends. */
    const bool wide = a.x != top.x;
    return geo_orient2d((const double[2]){wide ? top.x : top.y, top.z},
                        (const double[2]){wide ? a.x : a.y, a.z},
                        (const double[2]){wide ? b.x : b.y, b.z}) > 0;
}

/**
 * Finds the first face, the size and the vertices `alone` and `top` of each shell. fan_count: one
 * entry per vertex, zeroed; receives the number of fans.
 */
static void find_vertices(const geo_mesh *mesh, const uint32_t *fans, const uint32_t *label,
                          uint32_t *fan_count, shell *shells)
{
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        fan_count[mesh->faces[c / 3].v[c % 3]] += fans[c] == c;
    }
    for (uint32_t f = (uint32_t)mesh->face_count; f-- > 0;) {
        shell *const s = &shells[label[f]];
        const uint32_t first = mesh->faces[f].v[0];
        *s = s->count > 0 ? *s : (shell){.alone = UINT32_MAX, .top = first, .end = first};
        s->face = f;
        s->count++;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = mesh->faces[f].v[k];
            s->alone = fan_count[v] == 1 ? v : s->alone;
            s->top = is_greater(mesh->vertices[v], mesh->vertices[s->top]) ? v : s->top;
        }
        s->end = s->top;
    }
}

/** Finds the extreme edge at the greatest vertex of each shell, and the two faces at that edge. */
static void find_edges(const geo_mesh *mesh, const uint32_t *label, shell *shells)
{
    const vec3 *const p = mesh->vertices;
    for (size_t c = 0; c < 3 * mesh->face_count; c++) {
        const geo_face f = mesh->faces[c / 3];
        shell *const s = &shells[label[c / 3]];
        const uint32_t v = f.v[c % 3], to = f.v[(c + 1) % 3], other = f.v[(c + 2) % 3];
        if (v == s->top && (s->end == s->top || is_beyond(p[v], p[to], p[s->end]))) {
            s->end = to;
            s->ahead = other;
        }
    }
    for (size_t c = 0; c < 3 * mesh->face_count; c++) {
        const geo_face f = mesh->faces[c / 3];
        shell *const s = &shells[label[c / 3]];
        if (f.v[c % 3] == s->end && f.v[(c + 1) % 3] == s->top) {
            s->back = f.v[(c + 2) % 3];
        }
    }
}

/**
 * Sets *inside to true if the vertex `alone` of the shell, moved by (e, e^2, e^3), is inside the
 * shell itself.
 */
static base_status inside_itself(const geo_mesh *mesh, const uint32_t *label, const shell *s,
                                 bool *inside, base_error *err)
{
    base_arena arena = {0};
    geo_surface own;
    geo_face *const faces = base_arena_alloc(&arena, s->count, sizeof *faces);
    if (!faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a shell of %u faces", s->count);
    }
    const geo_mesh part = {mesh->vertices, mesh->vertex_count, faces, s->count};
    uint32_t found = 0;
    for (size_t f = s->face; found < s->count; f++) {
        if (label[f] == label[s->face]) {
            faces[found++] = mesh->faces[f];
        }
    }
    const base_status status = geo_surface_build(&part, &arena, &own, err);
    *inside = status == BASE_OK && geo_surface_contains(&own, mesh->vertices[s->alone]);
    base_arena_release(&arena);
    return status;
}

/**
 * Sets *nested to true if the shell is inside an odd number of others. shared: true if another fan
 * has its greatest vertex.
 */
static base_status find_nesting(const geo_surface *surface, const uint32_t *label, const shell *s,
                                bool shared, bool *nested, base_error *err)
{
    const vec3 *const p = surface->mesh->vertices;
    if (!shared) {
        *nested = geo_surface_contains(surface, p[s->top]);
        return BASE_OK;
    }
    bool itself = false;
    const base_status status = inside_itself(surface->mesh, label, s, &itself, err);
    *nested = geo_surface_contains(surface, p[s->alone]) != itself;
    return status;
}

/**
 * Lists the shells with the wrong orientation for their nesting depth. In a flipped mesh, lists
 * those with the right orientation instead. The mesh must be closed and must not intersect itself.
 * fans: from check_topology.
 */
static base_status check_nesting(const geo_surface *surface, const uint32_t *fans, bool flipped,
                                 base_arena *arena, defect_list *list, base_error *err)
{
    const geo_mesh *const mesh = surface->mesh;
    const vec3 *const p = mesh->vertices;
    const size_t n = mesh->face_count;
    uint32_t *const parent = base_arena_alloc(arena, n, sizeof *parent);
    uint32_t *const label = base_arena_alloc(arena, n, sizeof *label);
    uint32_t *const fan_count = base_arena_alloc(arena, mesh->vertex_count, sizeof *fan_count);
    if (!parent || !label || !fan_count) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces", n);
    }
    const uint32_t count = label_shells(mesh, fans, parent, label);
    shell *const shells = base_arena_alloc(arena, count, sizeof *shells);
    if (!shells) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %u shells", count);
    }
    find_vertices(mesh, fans, label, fan_count, shells);
    find_edges(mesh, label, shells);
    for (uint32_t i = 0; i < count; i++) {
        const shell *const s = &shells[i];
        const bool outward = geo_orient3d(p[s->top], p[s->end], p[s->ahead], p[s->back]) > 0;
        const bool shared = fan_count[s->top] > 1;
        bool inside = false;
        if (shared && s->alone == UINT32_MAX) {
            continue;
        }
        const base_status status =
            count > 1 ? find_nesting(surface, label, s, shared, &inside, err) : BASE_OK;
        if (status != BASE_OK) {
            return status;
        }
        if ((outward == inside) != flipped) {
            list_defect(list, GEO_DEFECT_MISORIENTED_SHELL, s->face, s->face);
        }
    }
    return BASE_OK;
}

/* --- The whole check -------------------------------------------------------------------------- */

/** True if a mesh that has faces and these numbers of defects is closed. */
static bool is_closed(const uint64_t n[GEO_DEFECT_KIND_COUNT])
{
    return n[GEO_DEFECT_OPEN_EDGE] == 0 && n[GEO_DEFECT_NONMANIFOLD_EDGE] == 0 &&
           n[GEO_DEFECT_INCONSISTENT_EDGE] == 0 && n[GEO_DEFECT_DEGENERATE_FACE] == 0 &&
           n[GEO_DEFECT_DUPLICATE_FACE] == 0;
}

static base_status find_defects(const geo_mesh *mesh, base_arena *arena, defect_list *list,
                                base_error *err)
{
    bool *const degenerate = base_arena_alloc(arena, mesh->face_count, sizeof *degenerate);
    if (!degenerate) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        degenerate[f] = repeats(mesh->faces[f]) || is_collinear(geo_mesh_triangle(mesh, f));
        if (degenerate[f]) {
            list_defect(list, GEO_DEFECT_DEGENERATE_FACE, (uint32_t)f, (uint32_t)f);
        }
    }
    uint32_t *fans = NULL;
    base_status status = check_topology(mesh, arena, list, &fans, err);
    if (status != BASE_OK || mesh->face_count == 0) {
        return status;
    }
    geo_surface surface;
    status = geo_surface_build(mesh, arena, &surface, err);
    if (status != BASE_OK) {
        return status;
    }
    status = check_pairs(&surface, degenerate, arena, list, err);
    if (status == BASE_OK && is_closed(list->counts) &&
        list->counts[GEO_DEFECT_SELF_INTERSECTION] == 0) {
        const bool flipped = geo_mesh_measures(mesh).volume_m3 < 0;
        status = check_nesting(&surface, fans, flipped, arena, list, err);
    }
    return status;
}

static base_status count_parts(const geo_mesh *mesh, base_arena *arena, geo_mesh_report *report,
                               base_error *err)
{
    uint32_t *const label = base_arena_alloc(arena, mesh->face_count, sizeof *label);
    bool *const used = base_arena_alloc(arena, mesh->vertex_count, sizeof *used);
    if (!label || !used) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for checking %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            used[mesh->faces[f].v[k]] = true;
        }
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        report->unused_vertices += !used[v];
    }
    return geo_mesh_components(mesh, label, &report->component_count, err);
}

base_status geo_mesh_check(const geo_mesh *mesh, geo_mesh_report *report, base_error *err)
{
    *report = (geo_mesh_report){0};
    if (mesh->face_count > UINT32_MAX / 3) {
        return base_fail(err, BASE_ERR_MEMORY, "%zu faces are too many to check", mesh->face_count);
    }
    base_arena arena = {0};
    defect_list list = {0};
    base_status status = BASE_OK;
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT && status == BASE_OK; kind++) {
        list.kept[kind] =
            base_arena_alloc(&arena, 2 * GEO_DEFECTS_LISTED_MAX, sizeof *list.kept[kind]);
        if (!list.kept[kind]) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a list of defects");
        }
    }
    if (status == BASE_OK) {
        status = find_defects(mesh, &arena, &list, err);
    }
    if (status != BASE_OK) {
        goto done;
    }
    status = count_parts(mesh, &arena, report, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = finish_list(&list, report, err);
    if (status == BASE_OK) {
        const uint64_t *const n = report->counts;
        report->box = geo_mesh_box(mesh);
        report->measure = geo_mesh_measures(mesh);
        report->closed = mesh->face_count > 0 && is_closed(n);
        report->inside_out = report->closed && report->measure.volume_m3 < 0;
        report->solid = report->closed && n[GEO_DEFECT_SELF_INTERSECTION] == 0 &&
                        n[GEO_DEFECT_MISORIENTED_SHELL] == 0 && report->measure.volume_m3 > 0;
    }
done:
    if (status != BASE_OK) {
        geo_mesh_report_release(report);
    }
    base_arena_release(&arena);
    return status;
}
