#include "geometry/mesh_check_parts.h"

#include "base/sets.h"

/**
 * Half-edge 3 f + k runs from corner k of face f to corner k + 1; corner 3 f + k is that corner.
 * Items (half-edges or faces) are sorted by vertex numbers, least significant first.
 */
typedef struct sorter {
    const geo_mesh *mesh;
    uint32_t *order, *spare; /* items; room for all half-edges */
    uint32_t *starts;        /* one a vertex */
    size_t count;            /* of items */
} sorter;

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t vertex_at(const geo_mesh *mesh, uint32_t corner)
{
    return mesh->faces[corner / 3].v[corner % 3];
}

/** The `rank`-th smallest vertex of an item. */
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

/** One stable counting sort. */
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

/** Joins the corners of two half-edges of the same edge, vertex by vertex. */
static void join_fans(const geo_mesh *mesh, uint32_t *parent, uint32_t h, uint32_t g)
{
    const bool along = vertex_at(mesh, h) == vertex_at(mesh, g);
    base_sets_join(parent, h, along ? g : next_corner(g));
    base_sets_join(parent, next_corner(h), along ? next_corner(g) : g);
}

/** half_edges[count]: all those of one edge. */
static void judge_edge(const geo_mesh *mesh, const uint32_t *half_edges, size_t count,
                       geo_defect_list *list)
{
    const uint32_t a = edge_key(mesh, half_edges[0], 0), b = edge_key(mesh, half_edges[0], 1);
    if (count == 1) {
        geo_defect_list_add(list, GEO_DEFECT_OPEN_EDGE, a, b);
    } else if (count > 2) {
        geo_defect_list_add(list, GEO_DEFECT_NONMANIFOLD_EDGE, a, b);
    } else if (vertex_at(mesh, half_edges[0]) == vertex_at(mesh, half_edges[1])) {
        geo_defect_list_add(list, GEO_DEFECT_INCONSISTENT_EDGE, a, b);
    }
}

static void check_edges(sorter *s, uint32_t *parent, geo_defect_list *list)
{
    const geo_mesh *const mesh = s->mesh;
    s->count = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (uint32_t k = 0; k < 3 && !geo_face_repeats(mesh->faces[f]); k++) {
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

/** fans: zeroed, one a vertex. */
static void check_fans(const geo_mesh *mesh, const uint32_t *parent, uint32_t *fans,
                       geo_defect_list *list)
{
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        fans[vertex_at(mesh, c)] += parent[c] == c && !geo_face_repeats(mesh->faces[c / 3]);
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (fans[v] > 1) {
            geo_defect_list_add(list, GEO_DEFECT_NONMANIFOLD_VERTEX, (uint32_t)v, (uint32_t)v);
        }
    }
}

/* --- Duplicates ------------------------------------------------------------------------------- */

static bool same_face(const geo_mesh *mesh, uint32_t f, uint32_t g)
{
    return face_key(mesh, f, 0) == face_key(mesh, g, 0) &&
           face_key(mesh, f, 1) == face_key(mesh, g, 1) &&
           face_key(mesh, f, 2) == face_key(mesh, g, 2);
}

/** Each further face on the same vertices is one defect, together with the first one. */
static void check_duplicates(sorter *s, geo_defect_list *list)
{
    s->count = 0;
    for (size_t f = 0; f < s->mesh->face_count; f++) {
        if (!geo_face_repeats(s->mesh->faces[f])) {
            s->order[s->count++] = (uint32_t)f;
        }
    }
    for (int rank = 2; rank >= 0; rank--) {
        sort_by(s, face_key, rank);
    }
    size_t first = 0;
    for (size_t i = 1; i < s->count; i++) {
        if (same_face(s->mesh, s->order[first], s->order[i])) {
            geo_defect_list_add(list, GEO_DEFECT_DUPLICATE_FACE, s->order[first], s->order[i]);
        } else {
            first = i;
        }
    }
}

base_status geo_check_topology(const geo_mesh *mesh, base_arena *arena, geo_defect_list *list,
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
