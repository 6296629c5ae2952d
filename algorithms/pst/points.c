/**
 * Points of a mesh are its vertices, and the middles of edges that are too long. Edges are halved
 * in rounds: in each all that are too long, wherever they occur, so that triangles on both sides of
 * an edge agree, and the middle of an edge comes once.
 *
 * Halving ends. A triangle with one long edge is cut from its middle to the opposite corner: that
 * cut is a median, shorter than the longer one of the two other edges. With two long edges there is
 * a quadrangle left, which is cut by its shorter diagonal: the median of the longer edge a is the
 * root of (2 b^2 + 2 c^2 - a^2) / 4 <= b^2 / 4 + c^2 / 2 <= 3/4 b^2, as c <= b <= a. With three all
 * new edges are halves of old ones.
 */
#include "algorithms/pst/points.h"

#include "algorithms/voxel/spacing.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/box.h"
#include "geometry/nearest.h"
#include "geometry/triangle.h"

#include <string.h>

/** Of a shell's body, for its normals: algorithms/voxel/pointshell.h. */
enum { SHELL_PADDING = 3, SHELL_LAYERS = 2 };

/** A sum of normals, weighted by angles, that is shorter has no direction. */
#define NORMAL_LEAST 1e-9

/** Edges of this share of the coordinates are never halved: their middles would be their ends. */
#define EDGE_LEAST 0x1p-40

#define EMPTY UINT32_MAX

/* --- Tables
 * ------------------------------------------------------------------------------------ */

/** Numbers by the hash of what they stand for: open addressing, linear probing. */
typedef struct table {
    uint32_t *slots; /* owned; EMPTY: none */
    size_t mask;
} table;

/** For `count` numbers. */
static base_status create_table(size_t count, table *t, base_error *err)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    t->mask = size - 1;
    t->slots = base_alloc(size, sizeof *t->slots);
    if (!t->slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the points of a mesh");
    }
    memset(t->slots, 0xff, size * sizeof *t->slots);
    return BASE_OK;
}

/** The finaliser of SplitMix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash_of_point(vec3 p)
{
    uint64_t hash = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double x = vec3_get(p, axis) + 0.0; /* -0 equals 0 */
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = mix(hash + bits);
    }
    return hash;
}

/* --- Halving edges
 * ----------------------------------------------------------------------------- */

/** A triangle of the mesh, or a part of one. */
typedef alg_pst_triangle part;

typedef struct part_list {
    part *items; /* owned */
    size_t count, capacity;
} part_list;

/** The middle of an edge, lower < upper. */
typedef struct middle {
    uint32_t lower, upper, vertex;
} middle;

typedef struct division {
    const geo_mesh *mesh;
    double longest2;                  /* edges that are longer are halved */
    vec3 *vertices;                   /* owned */
    size_t vertex_count, vertex_room; /* of vertices */
    part_list whole;                  /* parts with no long edge */
    part_list left, next;             /* of this round and the next one */
    uint32_t round_count;
    base_error *err;
} division;

static void release_division(division *d)
{
    base_free(d->vertices);
    base_free(d->whole.items);
    base_free(d->left.items);
    base_free(d->next.items);
}

static base_status add_part(division *d, part_list *list, part p)
{
    const base_status status = base_reserve(list->items, list->capacity, list->count + 1, d->err);
    if (status == BASE_OK) {
        list->items[list->count++] = p;
    }
    return status;
}

static base_status add_vertex(division *d, vec3 p, uint32_t *vertex)
{
    if (d->vertex_count > INT32_MAX) {
        return base_fail(d->err, BASE_ERR_INPUT, "more than 2^31 points of a mesh");
    }
    const base_status status =
        base_reserve(d->vertices, d->vertex_room, d->vertex_count + 1, d->err);
    if (status == BASE_OK) {
        *vertex = (uint32_t)d->vertex_count++;
        d->vertices[*vertex] = p;
    }
    return status;
}

/** The vertex at a place, which is a new one if none is there. */
static base_status weld_vertex(division *d, table *places, vec3 p, uint32_t *vertex)
{
    size_t slot = hash_of_point(p) & places->mask;
    for (; places->slots[slot] != EMPTY; slot = (slot + 1) & places->mask) {
        if (vec3_equal(d->vertices[places->slots[slot]], p)) {
            *vertex = places->slots[slot];
            return BASE_OK;
        }
    }
    const base_status status = add_vertex(d, p, vertex);
    places->slots[slot] = *vertex;
    return status;
}

/** The vertices that faces use, those at the same place as one, in the order of the faces. */
static base_status begin_division(division *d)
{
    const geo_mesh *const mesh = d->mesh;
    table places = {0};
    uint32_t *const welded = base_alloc(mesh->vertex_count, sizeof *welded);
    base_status status = create_table(mesh->vertex_count, &places, d->err);
    if (!welded) {
        status = base_fail(d->err, BASE_ERR_MEMORY, "out of memory for the points of a mesh");
        goto done;
    }
    memset(welded, 0xff, mesh->vertex_count * sizeof *welded);
    for (size_t f = 0; f < mesh->face_count && status == BASE_OK; f++) {
        part p = {.face = (uint32_t)f};
        for (int k = 0; k < 3 && status == BASE_OK; k++) {
            const uint32_t v = mesh->faces[f].v[k];
            if (welded[v] == EMPTY) {
                status = weld_vertex(d, &places, mesh->vertices[v], &welded[v]);
            }
            p.corner[k] = welded[v];
        }
        if (status == BASE_OK) {
            status = add_part(d, &d->left, p);
        }
    }
done:
    base_free(welded);
    base_free(places.slots);
    return status;
}

static bool is_long(const division *d, uint32_t a, uint32_t b)
{
    return vec3_distance2(d->vertices[a], d->vertices[b]) > d->longest2;
}

/** The middle of the edge after corner k, or EMPTY where that is short. */
static base_status halve_edge(division *d, const part *p, int k, table *edges, middle *middles,
                              size_t *middle_count, uint32_t *vertex)
{
    const uint32_t a = p->corner[k], b = p->corner[(k + 1) % 3];
    const uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
    *vertex = EMPTY;
    if (!is_long(d, a, b)) {
        return BASE_OK;
    }
    size_t slot = mix((uint64_t)lower << 32 | upper) & edges->mask;
    for (; edges->slots[slot] != EMPTY; slot = (slot + 1) & edges->mask) {
        const middle *const m = &middles[edges->slots[slot]];
        if (m->lower == lower && m->upper == upper) {
            *vertex = m->vertex;
            return BASE_OK;
        }
    }
    const vec3 between = vec3_scale(0.5, vec3_add(d->vertices[lower], d->vertices[upper]));
    const base_status status = add_vertex(d, between, vertex);
    middles[*middle_count] = (middle){lower, upper, *vertex};
    edges->slots[slot] = (uint32_t)(*middle_count)++;
    return status;
}

/** Cuts a part whose edges have these middles, of which one is not EMPTY. */
static base_status cut_part(division *d, const part *p, const uint32_t middles[3])
{
    const int count = (middles[0] != EMPTY) + (middles[1] != EMPTY) + (middles[2] != EMPTY);
    /* Turned so that only the first edge is long, or only the last one short. */
    int turn = 0;
    while (count == 1 && middles[turn] == EMPTY) {
        turn++;
    }
    while (count == 2 && middles[(turn + 2) % 3] != EMPTY) {
        turn++;
    }
    const uint32_t a = p->corner[turn], b = p->corner[(turn + 1) % 3],
                   c = p->corner[(turn + 2) % 3];
    const uint32_t ab = middles[turn], bc = middles[(turn + 1) % 3], ca = middles[(turn + 2) % 3];
    uint32_t cut[4][3] = {
        {a,  ab, c},
        {ab, b,  c}
    };
    if (count == 2) {
        /* ab, b, bc is cut off; of the rest a, ab, bc, c the shorter diagonal. */
        const vec3 *const v = d->vertices;
        const bool from_a = vec3_distance2(v[a], v[bc]) < vec3_distance2(v[ab], v[c]);
        memcpy(cut,
               (const uint32_t[3][3]){
                   {ab,              b,  bc             },
                   {a,               ab, from_a ? bc : c},
                   {from_a ? a : ab, bc, c              }
        },
               9 * sizeof(uint32_t));
    } else if (count == 3) {
        memcpy(cut,
               (const uint32_t[4][3]){
                   {a,  ab, ca},
                   {ab, b,  bc},
                   {ca, bc, c },
                   {ab, bc, ca}
        },
               sizeof cut);
    }
    base_status status = BASE_OK;
    for (int i = 0; i <= count && status == BASE_OK; i++) {
        const part piece = {
            {cut[i][0], cut[i][1], cut[i][2]},
            p->face
        };
        status = add_part(d, &d->next, piece);
    }
    return status;
}

/** One round: parts of `left` go to `whole`, or their pieces to `next`. */
static base_status halve_edges(division *d)
{
    table edges = {0};
    size_t middle_count = 0;
    middle *const found = base_alloc(3 * d->left.count, sizeof *found);
    base_status status = create_table(3 * d->left.count, &edges, d->err);
    if (!found) {
        status = base_fail(d->err, BASE_ERR_MEMORY, "out of memory for the points of a mesh");
    }
    for (size_t i = 0; i < d->left.count && status == BASE_OK; i++) {
        const part *const p = &d->left.items[i];
        uint32_t middles[3] = {EMPTY, EMPTY, EMPTY};
        for (int k = 0; k < 3 && status == BASE_OK; k++) {
            status = halve_edge(d, p, k, &edges, found, &middle_count, &middles[k]);
        }
        const bool whole = middles[0] == EMPTY && middles[1] == EMPTY && middles[2] == EMPTY;
        if (status == BASE_OK) {
            status = whole ? add_part(d, &d->whole, *p) : cut_part(d, p, middles);
        }
    }
    base_free(found);
    base_free(edges.slots);
    return status;
}

/** Until no edge is long. */
static base_status divide(division *d)
{
    base_status status = begin_division(d);
    while (status == BASE_OK && d->left.count > 0) {
        status = halve_edges(d);
        const part_list done = d->left;
        d->left = d->next;
        d->next = done;
        d->next.count = 0;
        d->round_count += d->left.count > 0;
    }
    return status;
}

/* --- What belongs to the points of a mesh
 * ------------------------------------------------------ */

/** |x - centre|^2 of the corner that is farthest from it. */
static double farthest2(const geo_triangle *t, vec3 centre)
{
    return fmax(fmax(vec3_distance2(t->p[0], centre), vec3_distance2(t->p[1], centre)),
                vec3_distance2(t->p[2], centre));
}

/**
 * The squared radius of the smallest enclosing circle, up to rounding above. It is taken from the
 * centre as it was computed, since any one gives a bound.
 */
static double circle2(const geo_triangle *t)
{
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec3 between = vec3_scale(0.5, vec3_add(t->p[k], t->p[(k + 1) % 3]));
        best = fmin(best, farthest2(t, between));
    }
    /* Circumcentre: a + ((v . v) (u x v) x u + (u . u) v x (u x v)) / (2 |u x v|^2) */
    const vec3 u = vec3_sub(t->p[1], t->p[0]), v = vec3_sub(t->p[2], t->p[0]);
    const vec3 across = vec3_cross(u, v);
    const vec3 sum = vec3_madd(vec3_scale(vec3_norm2(v), vec3_cross(across, u)), vec3_norm2(u),
                               vec3_cross(v, across));
    const vec3 centre = vec3_madd(t->p[0], 0.5 / vec3_norm2(across), sum);
    const double around = farthest2(t, centre);
    return (around < best ? around : best) * (1 + 0x1p-50);
}

/** Of a triangle, by its longest edges; 0 where it has no plane. */
static vec3 normal_of(const geo_triangle *t)
{
    const vec3 u = vec3_normalize(vec3_sub(t->p[1], t->p[0]));
    const vec3 v = vec3_normalize(vec3_sub(t->p[2], t->p[0]));
    return vec3_normalize(vec3_cross(u, v));
}

static double angle_at(const geo_triangle *t, int k)
{
    const vec3 u = vec3_normalize(vec3_sub(t->p[(k + 1) % 3], t->p[k]));
    const vec3 v = vec3_normalize(vec3_sub(t->p[(k + 2) % 3], t->p[k]));
    return base_atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
}

/** Into the body, from the sum of what points out of it, or the face's where that has no
 * direction. */
static vec3 inward_normal(const geo_mesh *mesh, vec3 sum, uint32_t face)
{
    if (vec3_norm2(sum) > NORMAL_LEAST * NORMAL_LEAST) {
        return vec3_normalize(vec3_scale(-1, sum));
    }
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    const vec3 normal = vec3_scale(-1, normal_of(&t));
    return vec3_norm2(normal) > 0 ? normal : (vec3){0, 0, 1};
}

/** Of each vertex: the least face, the greatest patch, the normal. */
static void fill_mesh_points(const division *d, alg_pst_points *points)
{
    memcpy(points->points, d->vertices, d->vertex_count * sizeof *points->points);
    memset(points->faces, 0xff, d->vertex_count * sizeof *points->faces);
    for (size_t i = 0; i < d->whole.count; i++) {
        const part *const p = &d->whole.items[i];
        const geo_triangle t = {
            {d->vertices[p->corner[0]], d->vertices[p->corner[1]], d->vertices[p->corner[2]]}
        };
        const geo_triangle face = geo_mesh_triangle(d->mesh, p->face);
        const vec3 normal = normal_of(&face);
        const float patch2 = base_float_above(circle2(&t));
        for (int k = 0; k < 3; k++) {
            const uint32_t v = p->corner[k];
            points->normals[v] = vec3_madd(points->normals[v], angle_at(&t, k), normal);
            points->patch2[v] = fmaxf(points->patch2[v], patch2);
            points->faces[v] = p->face < points->faces[v] ? p->face : points->faces[v];
        }
    }
    for (size_t v = 0; v < d->vertex_count; v++) {
        points->normals[v] = inward_normal(d->mesh, points->normals[v], points->faces[v]);
    }
}

/* --- Shares
 * ------------------------------------------------------------------------------------ */

/** Returns the integral of the inward normal over a triangle. */
static vec3 inward_area(const geo_triangle *t)
{
    return vec3_scale(0.5, vec3_cross(vec3_sub(t->p[2], t->p[0]), vec3_sub(t->p[1], t->p[0])));
}

static geo_triangle triangle_of(const vec3 *vertices, const part *p)
{
    return (geo_triangle){
        {vertices[p->corner[0]], vertices[p->corner[1]], vertices[p->corner[2]]}
    };
}

/** Divides all shares by the area of the surface. */
static void scale_shares(alg_pst_points *points, double area)
{
    for (size_t i = 0; i < points->count && area > 0; i++) {
        points->shares[i] = vec3_scale(1 / area, points->shares[i]);
    }
}

/** Returns a place one voxel above p, which is on the face. */
static vec3 lift(const geo_mesh *mesh, uint32_t face, vec3 p, double voxel)
{
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    return vec3_madd(p, voxel, normal_of(&t));
}

/** Each piece of the surface, half a voxel at most, goes to the nearest point. */
static base_status share_surface(const geo_mesh *mesh, uint32_t voxels, alg_pst_points *points,
                                 base_error *err)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double voxel = fmax(fmax(size.x, size.y), size.z) / voxels;
    base_arena scratch = {0};
    alg_pst_division pieces = {0};
    geo_nearest nearest;
    vec3 *const lifted = base_arena_alloc(&scratch, points->count, sizeof *lifted);
    double *const zeros = base_arena_alloc(&scratch, points->count, sizeof *zeros);
    base_status status = BASE_OK;
    if (!lifted || !zeros) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", points->count);
    }
    for (size_t i = 0; i < points->count && status == BASE_OK; i++) {
        lifted[i] = lift(mesh, points->faces[i], points->points[i], voxel);
    }
    if (status == BASE_OK) {
        status = geo_nearest_build(lifted, zeros, points->count, &scratch, &nearest, err);
    }
    if (status == BASE_OK) {
        status = alg_pst_points_divide(mesh, 2 * voxels, &pieces, err);
    }
    double area = 0;
    uint32_t hint = GEO_NEAREST_NONE;
    for (size_t k = 0; k < pieces.triangle_count && status == BASE_OK; k++) {
        const part *const piece = &pieces.triangles[k];
        const geo_triangle t = triangle_of(pieces.vertices, piece);
        const vec3 sum = vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]), inward = inward_area(&t);
        const vec3 at = lift(mesh, piece->face, vec3_scale(1.0 / 3, sum), voxel);
        double gap;
        hint = geo_nearest_find(&nearest, at, hint, &gap);
        points->shares[hint] = vec3_add(points->shares[hint], inward);
        area += vec3_norm(inward);
    }
    scale_shares(points, area);
    alg_pst_division_release(&pieces);
    base_arena_release(&scratch);
    return status;
}

/** Each triangle of the division is shared by its corners. */
static void share_triangles(const division *d, alg_pst_points *points)
{
    double area = 0;
    for (size_t k = 0; k < d->whole.count; k++) {
        const part *const p = &d->whole.items[k];
        const geo_triangle t = triangle_of(d->vertices, p);
        const vec3 inward = inward_area(&t);
        for (int i = 0; i < 3; i++) {
            const uint32_t v = p->corner[i];
            points->shares[v] = vec3_madd(points->shares[v], 1.0 / 3, inward);
        }
        area += vec3_norm(inward);
    }
    scale_shares(points, area);
}

/* --- Kinds
 * ------------------------------------------------------------------------------------- */

static base_status create_points(size_t count, bool weigh, base_arena *arena,
                                 alg_pst_points *points, base_error *err)
{
    points->count = (uint32_t)count;
    points->shares = weigh ? base_arena_alloc(arena, count, sizeof *points->shares) : NULL;
    points->points = base_arena_alloc(arena, count, sizeof *points->points);
    points->normals = base_arena_alloc(arena, count, sizeof *points->normals);
    points->patch2 = base_arena_alloc(arena, count, sizeof *points->patch2);
    points->faces = base_arena_alloc(arena, count, sizeof *points->faces);
    const bool good = points->points && points->normals && points->patch2 && points->faces &&
                      (points->shares || !weigh);
    return good ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu points", count);
}

/** Edges of one spacing are not halved. */
static division begin_with(const geo_mesh *mesh, uint32_t voxels, base_error *err)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(fmax(size.x, size.y), size.z) / voxels;
    return (division){.mesh = mesh, .longest2 = longest * longest, .err = err};
}

base_status alg_pst_points_divide(const geo_mesh *mesh, uint32_t voxels, alg_pst_division *result,
                                  base_error *err)
{
    division d = begin_with(mesh, voxels, err);
    const base_status status = divide(&d);
    *result = (alg_pst_division){0};
    if (status == BASE_OK) {
        *result = (alg_pst_division){d.vertices, d.vertex_count, d.whole.items, d.whole.count};
        d.vertices = NULL;
        d.whole.items = NULL;
    }
    release_division(&d);
    return status;
}

void alg_pst_division_release(alg_pst_division *d)
{
    base_free(d->vertices);
    base_free(d->triangles);
    *d = (alg_pst_division){0};
}

static base_status build_mesh_points(const geo_mesh *mesh, const alg_pst_points_options *options,
                                     base_arena *arena, alg_pst_points *points, base_error *err)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest =
        fmax(fmax(fmax(size.x, size.y), size.z) / options->voxels, EDGE_LEAST * geo_box_reach(box));
    division d = {.mesh = mesh, .longest2 = longest * longest, .err = err};
    base_status status = divide(&d);
    if (status == BASE_OK) {
        status = create_points(d.vertex_count, options->weigh, arena, points, err);
    }
    alg_spacing spacing = {0};
    if (status == BASE_OK) {
        fill_mesh_points(&d, points);
        if (options->weigh) {
            share_triangles(&d, points);
        }
        /* Each round adds half a unit in the last place of each coordinate. */
        points->slack = d.round_count * 0x1p-52 * geo_box_reach(geo_mesh_box(mesh));
        status = alg_spacing_measure(points->points, points->count, &spacing, err);
    }
    points->spacing_mean = spacing.mean;
    points->spacing_least = spacing.least;
    points->spacing_deviation = spacing.deviation;
    release_division(&d);
    return status;
}

/** The voxmap that a pointshell needs. */
static base_status build_map(const geo_mesh *mesh, uint32_t voxels, base_arena *arena,
                             alg_voxel_map *map, base_error *err)
{
    alg_voxel_grid grid;
    base_status status =
        alg_voxel_grid_place(geo_mesh_box(mesh), voxels, SHELL_PADDING, &grid, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_voxel_bits bits = {0};
    status = alg_voxel_bits_create(grid.size, &bits, err);
    if (status == BASE_OK) {
        const alg_voxel_surface_options options = {.generator = ALG_VOXEL_OURS};
        uint64_t tests;
        status = alg_voxel_surface_mark(mesh, &grid, &options, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status =
            alg_voxel_map_build(&grid, &bits, SHELL_LAYERS, ALG_VOXEL_BLOCKED, arena, map, err);
    }
    alg_voxel_bits_release(&bits);
    return status;
}

static void fill_shell_points(const geo_mesh *mesh, const alg_pointshell *shell,
                              alg_pst_points *points)
{
    const size_t count = points->count;
    memcpy(points->points, shell->points, count * sizeof *points->points);
    memcpy(points->normals, shell->normals, count * sizeof *points->normals);
    memcpy(points->faces, shell->faces, count * sizeof *points->faces);
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        const vec3 p = points->points[i];
        const vec3 q = geo_triangle_closest(geo_mesh_triangle(mesh, points->faces[i]), p);
        off = fmax(off, vec3_distance(p, q));
    }
    /* The closest point is itself off by some units in the last place. */
    points->slack = off + 0x1p-48 * geo_box_reach(geo_mesh_box(mesh));
    points->reach = shell->reach;
    points->spacing_mean = shell->spacing_mean;
    points->spacing_least = shell->spacing_least;
    points->spacing_deviation = shell->spacing_deviation;
}

static base_status build_shell_points(const geo_mesh *mesh, const alg_pst_points_options *options,
                                      base_arena *arena, alg_pst_points *points, base_error *err)
{
    const alg_pointshell_options shell_options = {.kind = options->kind == ALG_PST_BLUE_NOISE
                                                              ? ALG_POINTSHELL_BLUE_NOISE
                                                              : ALG_POINTSHELL_TWO_PHASE,
                                                  .seed = options->seed};
    base_arena scratch = {0};
    alg_voxel_map map;
    alg_pointshell shell;
    base_status status = build_map(mesh, options->voxels, &scratch, &map, err);
    if (status == BASE_OK) {
        status = alg_pointshell_build(mesh, &map, &shell_options, &scratch, &shell, err);
    }
    if (status == BASE_OK) {
        status = create_points(shell.count, options->weigh, arena, points, err);
    }
    if (status == BASE_OK) {
        fill_shell_points(mesh, &shell, points);
        if (options->weigh) {
            status = share_surface(mesh, options->voxels, points, err);
        }
    }
    base_arena_release(&scratch);
    return status;
}

base_status alg_pst_points_build(const geo_surface *surface, const alg_pst_points_options *options,
                                 base_arena *arena, alg_pst_points *points, base_error *err)
{
    *points = (alg_pst_points){.kind = options->kind};
    return options->kind == ALG_PST_MESH
               ? build_mesh_points(surface->mesh, options, arena, points, err)
               : build_shell_points(surface->mesh, options, arena, points, err);
}
