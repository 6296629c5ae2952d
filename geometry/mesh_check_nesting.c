/*
 * Does every shell look the right way for its place?
 *
 * A shell's greatest vertex, by x, then y, then z, moved by (e, e^2, e^3) is outside of the shell,
 * so the parity of crossings from there (geo_surface_contains) counts the other shells around it.
 * Of the edges at that vertex the one that is extreme in direction is convex, and so the two faces
 * at it tell which way the shell looks. Both are exact.
 *
 * Where another shell shares the greatest vertex, a vertex that is the shell's alone is asked for
 * the crossings of all shells less those of its own.
 */
#include "geometry/mesh_check_parts.h"

#include "geometry/predicates.h"
#include "base/sets.h"

typedef struct shell {
    uint32_t face;  /* the first one */
    uint32_t count; /* of faces */
    uint32_t alone; /* a vertex that no other shell has; UINT32_MAX: none */
    uint32_t top;   /* the greatest vertex */
    uint32_t end;   /* of the extreme edge from top */
    uint32_t ahead; /* the face with that edge from top to end: its third vertex */
    uint32_t back;  /* the same of the other face */
} shell;

/** Labels faces by the shells that their edges connect, in the order of first faces. */
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

/** Of two directions from `top` to points below it: is that to a beyond that to b? */
static bool is_beyond(vec3 top, vec3 a, vec3 b)
{
    if (a.x == top.x && a.y == top.y) {
        return false; /* straight down, and never the only one */
    }
    if (b.x == top.x && b.y == top.y) {
        return true;
    }
    const int turn = geo_orient2d((const double[2]){top.x, top.y}, (const double[2]){a.x, a.y},
                                  (const double[2]){b.x, b.y});
    if (turn != 0) {
        return turn > 0;
    }
    /* In one upright plane: the steeper one, where the plane is wide. */
    const bool wide = a.x != top.x;
    return geo_orient2d((const double[2]){wide ? top.x : top.y, top.z},
                        (const double[2]){wide ? a.x : a.y, a.z},
                        (const double[2]){wide ? b.x : b.y, b.z}) > 0;
}

/** fan_count: zeroed, one a vertex; filled. */
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

/** The extreme edge at each top, and the faces at it. */
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

/** Is a vertex that is the shell's alone on the inside of that shell, once moved? */
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

/** Is the shell inside an odd number of others? shared: another fan meets its greatest vertex. */
static base_status place_shell(const geo_surface *surface, const uint32_t *label, const shell *s,
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

base_status geo_check_nesting(const geo_surface *surface, const uint32_t *fans, bool flipped,
                              base_arena *arena, geo_defect_list *list, base_error *err)
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
            count > 1 ? place_shell(surface, label, s, shared, &inside, err) : BASE_OK;
        if (status != BASE_OK) {
            return status;
        }
        if ((outward == inside) != flipped) {
            geo_defect_list_add(list, GEO_DEFECT_MISORIENTED_SHELL, s->face, s->face);
        }
    }
    return BASE_OK;
}
