#include "scenarios/models/prisms.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "scenarios/models/triangulate.h"

#include <stdlib.h>

/** A corner of a section, in metres. */
typedef struct scn_corner {
    double u, v;
} scn_corner;

/** An edge of a face in a plane across `axis`, with the face on its left as seen from outside. */
typedef struct scn_flat_edge {
    uint32_t from, to; /* points */
    scn_axis axis;
} scn_flat_edge;

static const double metre = 1e-3; /* of a millimetre */
static const double side_least = 2e-3, angle_greatest = BASE_PI / 4;

/**
 * Returns a length in mm as metres, rounded to six significant digits, but to no finer grid than
 * 1 nm. k / 1e7 is the double that is nearest to the decimal number, so it survives a text.
 */
static double rounded(double mm)
{
    const double x = metre * mm, size = fabs(x);
    const double grid = size < 0.001 ? 1e9 : size < 0.01 ? 1e8 : size < 0.1 ? 1e7 : 1e6;
    return nearbyint(x * grid) / grid + 0.0;
}

/** Returns true if there is room for `count` items; else notes that memory is short. */
#define ROOM(part, items, capacity, count)                                                         \
    (!(part)->out_of_memory &&                                                                     \
     (base_reserve((part)->items, (part)->capacity, count, NULL) == BASE_OK ||                     \
      (((part)->out_of_memory = true), false)))

/* --- Sections --------------------------------------------------------------------------------- */

void scn_section_begin(scn_part *part)
{
    part->section_count = 0;
}

void scn_section_point(scn_part *part, double u, double v)
{
    const size_t count = part->section_count;
    if (ROOM(part, section, section_capacity, count + 1)) {
        part->section[count] = (scn_corner){rounded(u), rounded(v)};
        part->section_count = count + 1;
    }
}

size_t scn_part_sides(const scn_part *part, double radius, double angle)
{
    const double limit = radius * (1 - base_cos(0.5 * angle_greatest));
    const double side =
        part->tolerance < limit ? 2 * base_acos(1 - part->tolerance / radius) : angle_greatest;
    const double longest = fmin(angle_greatest, fmax(side, side_least / radius));
    return (size_t)fmax(1, ceil(angle / longest - 1e-9));
}

void scn_section_arc(scn_part *part, double u, double v, double radius, double angle, double sweep)
{
    const size_t sides = scn_part_sides(part, radius, fabs(sweep));
    for (size_t i = 0; i <= sides; i++) {
        const double at = angle + sweep * ((double)i / (double)sides);
        scn_section_point(part, u + radius * base_cos(at), v + radius * base_sin(at));
    }
}

/** Adds a circle with a number of sides. */
static void add_circle(scn_part *part, double u, double v, double radius, size_t sides)
{
    for (size_t i = 0; i < sides; i++) {
        const double at = 2 * BASE_PI * ((double)i / (double)sides);
        scn_section_point(part, u + radius * base_cos(at), v + radius * base_sin(at));
    }
}

void scn_section_circle(scn_part *part, double u, double v, double radius)
{
    scn_section_begin(part);
    add_circle(part, u, v, radius, scn_part_sides(part, radius, 2 * BASE_PI));
}

void scn_section_rectangle(scn_part *part, double u0, double v0, double u1, double v1)
{
    scn_section_begin(part);
    scn_section_point(part, u0, v0);
    scn_section_point(part, u1, v0);
    scn_section_point(part, u1, v1);
    scn_section_point(part, u0, v1);
}

void scn_section_rounded(scn_part *part, double u0, double v0, double u1, double v1, double radius)
{
    const double quarter = 0.5 * BASE_PI;
    scn_section_begin(part);
    scn_section_arc(part, u1 - radius, v0 + radius, radius, -quarter, quarter);
    scn_section_arc(part, u1 - radius, v1 - radius, radius, 0, quarter);
    scn_section_arc(part, u0 + radius, v1 - radius, radius, quarter, quarter);
    scn_section_arc(part, u0 + radius, v0 + radius, radius, 2 * quarter, quarter);
}

/* --- Prisms ----------------------------------------------------------------------------------- */

/** Returns the coordinate along the axis that is `step` axes after `axis`. */
static double along(vec3 p, scn_axis axis, int step)
{
    return vec3_get(p, ((int)axis + step) % 3);
}

static vec3 make_point(scn_axis axis, scn_corner c, double height)
{
    return axis == SCN_X   ? vec3_make(height, c.u, c.v)
           : axis == SCN_Y ? vec3_make(c.v, height, c.u)
                           : vec3_make(c.u, c.v, height);
}

static void add_edge(scn_part *part, scn_mode mode, scn_axis axis, size_t from, size_t to)
{
    const size_t count = part->edge_count;
    if (ROOM(part, edges, edge_capacity, count + 1)) {
        const bool cut = mode == SCN_CUT;
        part->edges[count] =
            (scn_flat_edge){(uint32_t)(cut ? to : from), (uint32_t)(cut ? from : to), axis};
        part->edge_count = count + 1;
    }
}

static void add_face(scn_part *part, scn_mode mode, size_t a, size_t b, size_t c)
{
    const size_t count = part->face_count;
    if (ROOM(part, faces, face_capacity, count + 1)) {
        const bool cut = mode == SCN_CUT;
        part->faces[count] =
            (geo_face){{(uint32_t)a, (uint32_t)(cut ? c : b), (uint32_t)(cut ? b : c)}};
        part->face_count = count + 1;
    }
}

/** Adds the side of a prism on four points, which are counter-clockwise as seen from outside. */
static void add_side(scn_part *part, scn_mode mode, scn_axis axis, const size_t corner[4])
{
    const vec3 *const p = part->points;
    for (int step = 1; step < 3; step++) {
        const double at = along(p[corner[0]], axis, step);
        if (along(p[corner[1]], axis, step) == at && along(p[corner[2]], axis, step) == at &&
            along(p[corner[3]], axis, step) == at) {
            for (int k = 0; k < 4; k++) {
                add_edge(part, mode, (scn_axis)(((int)axis + step) % 3), corner[k],
                         corner[(k + 1) % 4]);
            }
            return;
        }
    }
    add_face(part, mode, corner[0], corner[1], corner[2]);
    add_face(part, mode, corner[0], corner[2], corner[3]);
}

/** Adds the prism between two sections of n corners each, one after the other in the section. */
static void add_prism(scn_part *part, scn_mode mode, scn_axis axis, double lo, double hi)
{
    const size_t n = part->section_count / 2, first = part->point_count;
    if (!ROOM(part, points, point_capacity, first + 2 * n)) {
        return;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        part->points[first + i] =
            make_point(axis, part->section[i], i < n ? rounded(lo) : rounded(hi));
    }
    part->point_count += 2 * n;
    for (size_t i = 0; i < n; i++) {
        const size_t j = (i + 1) % n, low = first, high = first + n;
        add_edge(part, mode, axis, low + j, low + i);
        add_edge(part, mode, axis, high + i, high + j);
        add_side(part, mode, axis, (const size_t[]){low + i, low + j, high + j, high + i});
    }
}

void scn_part_prism(scn_part *part, scn_mode mode, scn_axis axis, double lo, double hi)
{
    const size_t n = part->section_count;
    if (ROOM(part, section, section_capacity, 2 * n)) {
        for (size_t i = 0; i < n; i++) {
            part->section[n + i] = part->section[i];
        }
        part->section_count = 2 * n;
        add_prism(part, mode, axis, lo, hi);
        part->section_count = n;
    }
}

void scn_part_box(scn_part *part, scn_mode mode, vec3 lo, vec3 hi)
{
    scn_section_rectangle(part, lo.x, lo.y, hi.x, hi.y);
    scn_part_prism(part, mode, SCN_Z, lo.z, hi.z);
}

void scn_part_cylinder(scn_part *part, scn_mode mode, scn_axis axis, double u, double v,
                       double radius, double lo, double hi)
{
    scn_section_circle(part, u, v, radius);
    scn_part_prism(part, mode, axis, lo, hi);
}

void scn_part_cone(scn_part *part, scn_mode mode, scn_axis axis, scn_cone cone)
{
    /* The sides of the larger circle, which fits where a cylinder of either radius goes on only if
     * both have the same number. */
    const double larger = fmax(cone.radius_lo, cone.radius_hi);
    const size_t sides = scn_part_sides(part, larger, 2 * BASE_PI);
    scn_section_begin(part);
    add_circle(part, cone.u, cone.v, cone.radius_lo, sides);
    add_circle(part, cone.u, cone.v, cone.radius_hi, sides);
    add_prism(part, mode, axis, cone.lo, cone.hi);
}

/* --- Vertices --------------------------------------------------------------------------------- */

/** A point with its coordinates in the order in which they are compared. */
typedef struct sort_key {
    double at[3];
    uint32_t index;
} sort_key;

static int compare_keys(const void *left, const void *right)
{
    const sort_key *const a = left, *const b = right;
    for (int k = 0; k < 3; k++) {
        if (a->at[k] < b->at[k] || a->at[k] > b->at[k]) {
            return a->at[k] < b->at[k] ? -1 : 1;
        }
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/** Sorts points by the coordinates along the two axes after `axis`, then by the one along it. */
static void sort_along(const vec3 *points, size_t count, scn_axis axis, sort_key *keys)
{
    for (size_t i = 0; i < count; i++) {
        const vec3 p = points[i];
        keys[i] =
            (sort_key){{along(p, axis, 1), along(p, axis, 2), along(p, axis, 0)}, (uint32_t)i};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
}

/** Numbers the different points. Fills vertex_of, of each point. Returns their number. */
static size_t join_points(const scn_part *part, sort_key *keys, uint32_t *vertex_of)
{
    size_t vertices = 0;
    sort_along(part->points, part->point_count, SCN_Z, keys);
    for (size_t i = 0; i < part->point_count; i++) {
        const bool same =
            i > 0 && vec3_equal(part->points[keys[i].index], part->points[keys[i - 1].index]);
        vertices += !same;
        vertex_of[keys[i].index] = (uint32_t)(vertices - 1);
    }
    return vertices;
}

/* --- Assembly --------------------------------------------------------------------------------- */

/** A piece of a flat edge without vertices inside. */
typedef struct piece {
    double at; /* of the plane, along its axis */
    scn_axis axis;
    uint32_t from, to; /* vertices */
} piece;

typedef struct assembly {
    const scn_part *part;
    sort_key *keys;
    uint32_t *vertex_of; /* point to vertex */
    vec3 *vertices;
    size_t vertex_count;
    uint32_t *order[3], *rank[3]; /* of the vertices, by sort_along: those of a line follow */
    piece *pieces;
    size_t piece_count, piece_capacity;
    bool *corner;       /* vertices that remain */
    uint32_t *index;    /* of a vertex in the mesh */
    uint32_t *next;     /* the vertex that follows in the current plane */
    uint32_t *in_plane; /* number of a vertex in the current plane, below */
    /* The corners in the current plane: their coordinates, vertices and next corners. */
    double *plane;
    uint32_t *plane_vertex, *plane_next;
    geo_face *plane_faces;
} assembly;

static base_status make_assembly(const scn_part *part, base_arena *arena, assembly *a,
                                 base_error *err)
{
    const size_t n = part->point_count;
    *a = (assembly){.part = part};
    a->keys = base_arena_alloc(arena, n, sizeof *a->keys);
    a->vertex_of = base_arena_alloc(arena, n, sizeof *a->vertex_of);
    a->vertices = base_arena_alloc(arena, n, sizeof *a->vertices);
    uint32_t *const numbers = base_arena_alloc(arena, 11 * n, sizeof *numbers);
    a->corner = base_arena_alloc(arena, n, sizeof *a->corner);
    a->plane = base_arena_alloc(arena, 2 * n, sizeof *a->plane);
    a->plane_faces = base_arena_alloc(arena, 2 * n, sizeof *a->plane_faces);
    if (part->out_of_memory || !a->keys || !a->vertex_of || !a->vertices || !numbers ||
        !a->corner || !a->plane || !a->plane_faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a part of %zu points", n);
    }
    for (size_t k = 0; k < 3; k++) {
        a->order[k] = numbers + 2 * k * n;
        a->rank[k] = a->order[k] + n;
    }
    a->index = numbers + 6 * n;
    a->next = numbers + 7 * n;
    a->in_plane = numbers + 8 * n;
    a->plane_vertex = numbers + 9 * n;
    a->plane_next = numbers + 10 * n;
    a->vertex_count = join_points(part, a->keys, a->vertex_of);
    for (size_t i = 0; i < n; i++) {
        a->vertices[a->vertex_of[i]] = part->points[i];
    }
    for (int k = 0; k < 3; k++) {
        sort_along(a->vertices, a->vertex_count, (scn_axis)k, a->keys);
        for (size_t i = 0; i < a->vertex_count; i++) {
            a->order[k][i] = a->keys[i].index;
            a->rank[k][a->keys[i].index] = (uint32_t)i;
        }
    }
    return BASE_OK;
}

/** Returns the axis along which two vertices differ if it is the only one, else 3. */
static int line_axis(const assembly *a, uint32_t from, uint32_t to)
{
    const vec3 p = a->vertices[from], q = a->vertices[to];
    const bool x = p.x == q.x, y = p.y == q.y, z = p.z == q.z;
    return x + y + z != 2 ? 3 : !x ? SCN_X : !y ? SCN_Y : SCN_Z;
}

/** Adds the pieces of an edge. Where it lies along an axis, it is divided at each vertex on it. */
static base_status divide_edge(assembly *a, const scn_flat_edge *edge, base_error *err)
{
    const uint32_t from = a->vertex_of[edge->from], to = a->vertex_of[edge->to];
    const double at = along(a->vertices[from], edge->axis, 0);
    const int axis = line_axis(a, from, to);
    const uint32_t first = axis < 3 ? a->rank[axis][from] : 0,
                   last = axis < 3 ? a->rank[axis][to] : 1;
    const uint32_t count = first < last ? last - first : first - last;
    base_status status = BASE_OK;
    if (from != to) {
        status = base_reserve(a->pieces, a->piece_capacity, a->piece_count + count, err);
    }
    for (uint32_t i = 0; status == BASE_OK && from != to && i < count; i++) {
        const uint32_t k = first < last ? first + i : first - i;
        const uint32_t l = first < last ? k + 1 : k - 1;
        a->pieces[a->piece_count++] =
            axis < 3 ? (piece){at, edge->axis, a->order[axis][k], a->order[axis][l]}
                     : (piece){at, edge->axis, from, to};
    }
    return status;
}

static int compare_pieces(const void *left, const void *right)
{
    const piece *const a = left, *const b = right;
    if (a->axis != b->axis) {
        return a->axis < b->axis ? -1 : 1;
    }
    if (a->at < b->at || a->at > b->at) {
        return a->at < b->at ? -1 : 1;
    }
    const uint32_t a_lo = a->from < a->to ? a->from : a->to, a_hi = a->from ^ a->to ^ a_lo;
    const uint32_t b_lo = b->from < b->to ? b->from : b->to, b_hi = b->from ^ b->to ^ b_lo;
    return a_lo != b_lo ? (a_lo < b_lo ? -1 : 1) : a_hi < b_hi ? -1 : a_hi > b_hi;
}

/** Sorts the pieces by their planes. Removes pairs of opposite pieces, where faces of two prisms
 * touch or continue each other. */
static void cancel_pieces(assembly *a)
{
    size_t kept = 0;
    qsort(a->pieces, a->piece_count, sizeof *a->pieces, compare_pieces);
    for (size_t i = 0, end; i < a->piece_count; i = end) {
        const piece p = a->pieces[i];
        int sum = 0;
        for (end = i; end < a->piece_count && compare_pieces(&p, &a->pieces[end]) == 0; end++) {
            sum += a->pieces[end].from == p.from ? 1 : -1;
        }
        if (sum != 0) {
            a->pieces[kept++] = sum > 0 ? p : (piece){p.at, p.axis, p.to, p.from};
        }
    }
    a->piece_count = kept;
}

/** Returns the end of the plane that begins at piece `begin`, and links its vertices. */
static size_t link_plane(assembly *a, size_t begin)
{
    const piece first = a->pieces[begin];
    size_t end = begin;
    for (;
         end < a->piece_count && a->pieces[end].axis == first.axis && a->pieces[end].at == first.at;
         end++) {
        a->next[a->pieces[end].from] = a->pieces[end].to;
    }
    return end;
}

/** Marks vertices that are not inside a straight line in every face. */
static void mark_corners(assembly *a)
{
    const scn_part *const part = a->part;
    for (size_t i = 0; i < 3 * part->face_count; i++) {
        a->corner[a->vertex_of[part->faces[i / 3].v[i % 3]]] = true;
    }
    for (size_t begin = 0, end; begin < a->piece_count; begin = end) {
        end = link_plane(a, begin);
        for (size_t i = begin; i < end; i++) {
            const uint32_t from = a->pieces[i].from, v = a->pieces[i].to;
            const int axis = line_axis(a, from, v);
            if (axis == 3 || line_axis(a, v, a->next[v]) != axis) {
                a->corner[v] = true;
            }
        }
    }
}

static base_status add_mesh_face(const assembly *a, const geo_face *face, const uint32_t *vertex_of,
                                 geo_mesh_builder *mesh, base_error *err)
{
    geo_face added;
    for (int k = 0; k < 3; k++) {
        added.v[k] = a->index[vertex_of[face->v[k]]];
    }
    /* Rounding can join the ends of a side. */
    return added.v[0] == added.v[1] || added.v[1] == added.v[2] || added.v[2] == added.v[0]
               ? BASE_OK
               : geo_mesh_builder_add_face(mesh, added, err);
}

/** Triangulates the faces of the plane with these pieces. */
static base_status fill_plane(assembly *a, size_t begin, size_t end, geo_mesh_builder *mesh,
                              base_error *err)
{
    size_t count = 0, face_count;
    for (size_t i = begin; i < end; i++) {
        const uint32_t v = a->pieces[i].from;
        if (a->corner[v]) {
            const vec3 p = a->vertices[v];
            a->plane[2 * count] = along(p, a->pieces[i].axis, 1);
            a->plane[2 * count + 1] = along(p, a->pieces[i].axis, 2);
            a->plane_vertex[count] = v;
            a->in_plane[v] = (uint32_t)count++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t to = a->next[a->plane_vertex[i]];
        while (!a->corner[to]) {
            to = a->next[to];
        }
        a->plane_next[i] = a->in_plane[to];
    }
    base_status status =
        scn_triangulate(a->plane, a->plane_next, count, a->plane_faces, &face_count, err);
    for (size_t i = 0; status == BASE_OK && i < face_count; i++) {
        status = add_mesh_face(a, &a->plane_faces[i], a->plane_vertex, mesh, err);
    }
    return status;
}

static base_status assemble(assembly *a, geo_mesh_builder *mesh, base_error *err)
{
    base_status status = BASE_OK;
    for (size_t i = 0; status == BASE_OK && i < a->part->edge_count; i++) {
        status = divide_edge(a, &a->part->edges[i], err);
    }
    if (status != BASE_OK) {
        return status;
    }
    cancel_pieces(a);
    mark_corners(a);
    for (size_t i = 0; status == BASE_OK && i < a->vertex_count; i++) {
        if (a->corner[i]) {
            a->index[i] = (uint32_t)mesh->vertex_count;
            status = geo_mesh_builder_add_vertex(mesh, a->vertices[i], err);
        }
    }
    for (size_t i = 0; status == BASE_OK && i < a->part->face_count; i++) {
        status = add_mesh_face(a, &a->part->faces[i], a->vertex_of, mesh, err);
    }
    for (size_t begin = 0, end; status == BASE_OK && begin < a->piece_count; begin = end) {
        end = link_plane(a, begin);
        status = fill_plane(a, begin, end, mesh, err);
    }
    return status;
}

/* --- Parts ------------------------------------------------------------------------------------ */

/** Makes the prisms anew at a tolerance. */
static void make_prisms(scn_part_design *design, double tolerance, scn_part *part)
{
    part->tolerance = tolerance;
    part->point_count = part->edge_count = part->face_count = 0;
    design(part);
}

static base_status make_mesh(const scn_part *part, geo_mesh_builder *mesh, base_error *err)
{
    base_arena arena = {0};
    assembly a;
    geo_mesh_builder_release(mesh);
    base_status status = make_assembly(part, &arena, &a, err);
    if (status == BASE_OK) {
        status = assemble(&a, mesh, err);
    }
    base_free(a.pieces);
    base_arena_release(&arena);
    return status;
}

/** Counts the vertices before those inside of lines are removed. */
static base_status count_vertices(const scn_part *part, size_t *count, base_error *err)
{
    const size_t n = part->point_count;
    sort_key *const keys = base_alloc(n, sizeof *keys);
    uint32_t *const vertex_of = base_alloc(n, sizeof *vertex_of);
    base_status status = BASE_OK;
    if (part->out_of_memory || !keys || !vertex_of) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a part of %zu points", n);
    } else {
        *count = join_points(part, keys, vertex_of);
    }
    base_free(vertex_of);
    base_free(keys);
    return status;
}

/** The range of tolerances, in mm. */
static const double coarsest = 10, finest = 1e-10;

/**
 * Finds the tolerance. A closed mesh has two more triangles for each further vertex, if its number
 * of holes stays the same. So only the coarsest part is triangulated.
 */
static base_status fit_tolerance(scn_part_design *design, size_t triangles, scn_part *part,
                                 geo_mesh_builder *mesh, double *tolerance, base_error *err)
{
    size_t least = 0;
    double coarse = coarsest, fine = finest;
    make_prisms(design, coarsest, part);
    base_status status = make_mesh(part, mesh, err);
    if (status == BASE_OK) {
        status = count_vertices(part, &least, err);
    }
    *tolerance = coarsest;
    if (status != BASE_OK || mesh->face_count >= triangles) {
        return status;
    }
    const double near = 5e-4 * (double)triangles;
    double below = (double)(triangles - mesh->face_count), above = INFINITY;
    while (status == BASE_OK && below > near && above > near && coarse > fine * (1 + 1e-6)) {
        const double middle = sqrt(coarse * fine);
        size_t vertices = 0;
        make_prisms(design, middle, part);
        status = count_vertices(part, &vertices, err);
        const double more = 2 * ((double)vertices - (double)least);
        const double error = (double)mesh->face_count + more - (double)triangles;
        if (error > 0) {
            fine = middle;
            above = error;
        } else {
            coarse = middle;
            below = -error;
        }
    }
    *tolerance = below <= above ? coarse : fine;
    return status;
}

base_status scn_part_build(scn_part_design *design, size_t triangles, geo_mesh_builder *mesh,
                           base_error *err)
{
    scn_part part = {0};
    double tolerance;
    *mesh = (geo_mesh_builder){0};
    base_status status = fit_tolerance(design, triangles, &part, mesh, &tolerance, err);
    if (status == BASE_OK) {
        make_prisms(design, tolerance, &part);
        status = make_mesh(&part, mesh, err);
    }
    base_free(part.section);
    base_free(part.points);
    base_free(part.edges);
    base_free(part.faces);
    if (status != BASE_OK) {
        geo_mesh_builder_release(mesh);
    }
    return status;
}
