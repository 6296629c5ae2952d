/**
 * Edges are halved in rounds. Each round halves all edges that are too long. So the triangles on
 * both sides of an edge are divided at the same point, and the middle of an edge is added once.
 *
 * Proof that halving ends. A triangle with one long edge is cut from the middle of this edge to the
 * opposite corner. The cut is a median, and so it is shorter than the longer one of the two other
 * edges. If two edges a >= b are long and the third edge c is not, the corner between a and b is
 * cut off. The remaining quadrangle is cut along its shorter diagonal. This is at most the median
 * to a, whose square is (2 b^2 + 2 c^2 - a^2) / 4 <= b^2 / 4 + c^2 / 2 <= 3/4 b^2, since c <= b <=
 * a. If three edges are long, all new edges are half as long as old ones.
 */
#include "algorithms/voxel/division.h"

#include "base/memory.h"
#include "geometry/vec.h"

#include <string.h>

/**
 * Edges shorter than this share of the largest coordinate are not halved, since their middles could
 * equal their ends.
 */
#define EDGE_LEAST 0x1p-40

#define EMPTY UINT32_MAX

/* --- Tables ----------------------------------------------------------------------------------- */

/** A hash table of indices: open addressing, linear probing. */
typedef struct table {
    uint32_t *slots; /* owned; EMPTY: unused */
    size_t mask;
} table;

/** Creates a table for `count` indices. */
static base_status create_table(size_t count, table *t, base_error *err)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    t->mask = size - 1;
    t->slots = base_alloc(size, sizeof *t->slots);
    if (!t->slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
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

/* --- Halving ---------------------------------------------------------------------------------- */

typedef struct part_list {
    alg_part *items; /* owned */
    size_t count, capacity;
} part_list;

/** The middle of an edge between vertices lower < upper. */
typedef struct middle {
    uint32_t lower, upper, vertex;
} middle;

typedef struct halving {
    const geo_mesh *mesh;
    double longest2;                  /* edges that are longer are halved */
    vec3 *vertices;                   /* owned */
    size_t vertex_count, vertex_room; /* number of vertices, and of vertices that there is room
                                         for */
    part_list whole;                  /* parts without a long edge */
    part_list left, next;             /* parts of this round and of the next one */
    uint32_t round_count;
    base_error *err;
} halving;

static base_status add_part(halving *h, part_list *list, alg_part p)
{
    const base_status status = base_reserve(list->items, list->capacity, list->count + 1, h->err);
    if (status == BASE_OK) {
        list->items[list->count++] = p;
    }
    return status;
}

static base_status add_vertex(halving *h, vec3 p, uint32_t *vertex)
{
    if (h->vertex_count > INT32_MAX) {
        return base_fail(h->err, BASE_ERR_INPUT, "more than 2^31 vertices of a divided mesh");
    }
    const base_status status =
        base_reserve(h->vertices, h->vertex_room, h->vertex_count + 1, h->err);
    if (status == BASE_OK) {
        *vertex = (uint32_t)h->vertex_count++;
        h->vertices[*vertex] = p;
    }
    return status;
}

/** Finds the vertex at a position, or adds it. */
static base_status weld_vertex(halving *h, table *positions, vec3 p, uint32_t *vertex)
{
    size_t slot = hash_of_point(p) & positions->mask;
    for (; positions->slots[slot] != EMPTY; slot = (slot + 1) & positions->mask) {
        if (vec3_equal(h->vertices[positions->slots[slot]], p)) {
            *vertex = positions->slots[slot];
            return BASE_OK;
        }
    }
    const base_status status = add_vertex(h, p, vertex);
    positions->slots[slot] = *vertex;
    return status;
}

/** Adds the vertices of all faces, and merges those at the same position. */
static base_status weld_corners(halving *h)
{
    const geo_mesh *const mesh = h->mesh;
    table positions = {0};
    uint32_t *const welded = base_alloc(mesh->vertex_count, sizeof *welded);
    base_status status = create_table(mesh->vertex_count, &positions, h->err);
    if (!welded) {
        status = base_fail(h->err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
        goto done;
    }
    memset(welded, 0xff, mesh->vertex_count * sizeof *welded);
    for (size_t f = 0; f < mesh->face_count && status == BASE_OK; f++) {
        alg_part p = {.face = (uint32_t)f};
        for (int k = 0; k < 3 && status == BASE_OK; k++) {
            const uint32_t v = mesh->faces[f].v[k];
            if (welded[v] == EMPTY) {
                status = weld_vertex(h, &positions, mesh->vertices[v], &welded[v]);
            }
            p.corner[k] = welded[v];
        }
        if (status == BASE_OK) {
            status = add_part(h, &h->left, p);
        }
    }
done:
    base_free(welded);
    base_free(positions.slots);
    return status;
}

/** Finds or adds the middle of the edge after corner k. *vertex is EMPTY if the edge is short. */
static base_status halve_edge(halving *h, const alg_part *p, int k, table *edges, middle *middles,
                              size_t *middle_count, uint32_t *vertex)
{
    const uint32_t a = p->corner[k], b = p->corner[(k + 1) % 3];
    const uint32_t lower = a < b ? a : b, upper = a < b ? b : a;
    *vertex = EMPTY;
    if (!(vec3_distance2(h->vertices[a], h->vertices[b]) > h->longest2)) {
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
    const vec3 between = vec3_scale(0.5, vec3_add(h->vertices[lower], h->vertices[upper]));
    const base_status status = add_vertex(h, between, vertex);
    middles[*middle_count] = (middle){lower, upper, *vertex};
    edges->slots[slot] = (uint32_t)(*middle_count)++;
    return status;
}

/** Cuts a part at the middles of its long edges. At least one middle is not EMPTY. */
static base_status cut_part(halving *h, const alg_part *p, const uint32_t middles[3])
{
    const int count = (middles[0] != EMPTY) + (middles[1] != EMPTY) + (middles[2] != EMPTY);
    /* Rotate the corners so that only the first edge is long, or only the last one is short. */
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
    uint32_t cut[4][3] = {{a, ab, c}, {ab, b, c}};
    if (count == 2) {
        /* Cut off ab, b, bc; divide the remaining a, ab, bc, c along its shorter diagonal. */
        const vec3 *const v = h->vertices;
        const bool from_a = vec3_distance2(v[a], v[bc]) < vec3_distance2(v[ab], v[c]);
        memcpy(
            cut,
            (const uint32_t[3][3]){{ab, b, bc}, {a, ab, from_a ? bc : c}, {from_a ? a : ab, bc, c}},
            9 * sizeof(uint32_t));
    } else if (count == 3) {
        memcpy(cut, (const uint32_t[4][3]){{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}},
               sizeof cut);
    }
    base_status status = BASE_OK;
    for (int i = 0; i <= count && status == BASE_OK; i++) {
        const alg_part piece = {{cut[i][0], cut[i][1], cut[i][2]}, p->face};
        status = add_part(h, &h->next, piece);
    }
    return status;
}

/** Runs one round: moves parts of `left` to `whole`, or their pieces to `next`. */
static base_status halve_edges(halving *h)
{
    table edges = {0};
    size_t middle_count = 0;
    middle *const found = base_alloc(3 * h->left.count, sizeof *found);
    base_status status = create_table(3 * h->left.count, &edges, h->err);
    if (!found) {
        status = base_fail(h->err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    for (size_t i = 0; i < h->left.count && status == BASE_OK; i++) {
        const alg_part *const p = &h->left.items[i];
        uint32_t middles[3] = {EMPTY, EMPTY, EMPTY};
        for (int k = 0; k < 3 && status == BASE_OK; k++) {
            status = halve_edge(h, p, k, &edges, found, &middle_count, &middles[k]);
        }
        const bool whole = middles[0] == EMPTY && middles[1] == EMPTY && middles[2] == EMPTY;
        if (status == BASE_OK) {
            status = whole ? add_part(h, &h->whole, *p) : cut_part(h, p, middles);
        }
    }
    base_free(found);
    base_free(edges.slots);
    return status;
}

base_status alg_division_build(const geo_mesh *mesh, double longest, alg_division *division,
                               base_error *err)
{
    const double most = fmax(longest, EDGE_LEAST * geo_box_reach(geo_mesh_box(mesh)));
    halving h = {.mesh = mesh, .longest2 = most * most, .err = err};
    base_status status = weld_corners(&h);
    while (status == BASE_OK && h.left.count > 0) {
        status = halve_edges(&h);
        const part_list finished = h.left;
        h.left = h.next;
        h.next = finished;
        h.next.count = 0;
        h.round_count += h.left.count > 0;
    }
    *division = (alg_division){0};
    if (status == BASE_OK) {
        *division =
            (alg_division){h.vertices, h.vertex_count, h.whole.items, h.whole.count, h.round_count};
        h.vertices = NULL;
        h.whole.items = NULL;
    }
    base_free(h.vertices);
    base_free(h.whole.items);
    base_free(h.left.items);
    base_free(h.next.items);
    return status;
}

void alg_division_release(alg_division *division)
{
    base_free(division->vertices);
    base_free(division->parts);
    *division = (alg_division){0};
}
