#include "algorithms/ist/saved.h"

#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "base/memory.h"

/* --- The tree --------------------------------------------------------------------------------- */

/** Precedes the arrays of a tree. */
typedef struct tree_header {
    uint32_t branching, width, node_count, leaf_count, depth;
    uint32_t columns; /* those that are there: bits, by place in columns_of */
    vec3 origin;
    double reach;
} tree_header;

/* A new member of a body must be saved as well, and raises ALG_IST_STATE_VERSION. */
_Static_assert(sizeof(alg_ist_tree) == 2 * sizeof(void *) + 4 * sizeof(uint64_t) + sizeof(vec3) &&
                   sizeof(alg_ist_solid) == sizeof(alg_ist_tree) + 5 * sizeof(void *),
               "all of a tree and its spheres is saved");
_Static_assert(sizeof(alg_ist_body) == sizeof(base_arena) + sizeof(geo_mesh) +
                                           sizeof(alg_ist_solid) + sizeof(vec3) + sizeof(void *),
               "all of a body is saved, or the mesh's");

static size_t lane_count(const alg_ist_tree *tree)
{
    return (size_t)tree->node_count * ALG_IST_LANE_KINDS * tree->width;
}

/** A column of the spheres that not every solid has. */
typedef struct column {
    void **items; /* a member of the solid */
    size_t size;
} column;

enum { COLUMNS = 3 };

static void columns_of(alg_ist_solid *solid, column columns[COLUMNS])
{
    columns[0] = (column){(void **)&solid->middles, sizeof *solid->middles};
    columns[1] = (column){(void **)&solid->outward, sizeof *solid->outward};
    columns[2] = (column){(void **)&solid->outer, sizeof *solid->outer};
}

/** Takes a copy of the solid, as columns_of hands out places to write to. */
static bool save_solid(alg_ist_solid solid, const alg_writer *to)
{
    const alg_ist_tree *const tree = &solid.tree;
    column columns[COLUMNS];
    columns_of(&solid, columns);
    uint32_t there = 0;
    for (int k = 0; k < COLUMNS; k++) {
        there |= *columns[k].items ? 1u << k : 0;
    }
    const tree_header header = {.branching = tree->branching,
                                .width = tree->width,
                                .node_count = tree->node_count,
                                .leaf_count = tree->leaf_count,
                                .depth = tree->depth,
                                .columns = there,
                                .origin = tree->origin,
                                .reach = tree->reach};
    const size_t links = (size_t)tree->node_count * tree->width;
    bool good = alg_give(to, &header, 1, sizeof header) &&
                alg_give(to, solid.spheres, tree->leaf_count, sizeof *solid.spheres) &&
                alg_give(to, solid.faces, tree->leaf_count, sizeof *solid.faces) &&
                alg_give(to, tree->lanes, lane_count(tree), sizeof *tree->lanes) &&
                alg_give(to, tree->children, links, sizeof *tree->children);
    for (int k = 0; k < COLUMNS && good; k++) {
        good = !*columns[k].items ||
               alg_give(to, *columns[k].items, tree->leaf_count, columns[k].size);
    }
    return good;
}

/** Do the counts fit each other and the bytes? Products of counts below 2^32 do not overflow. */
static bool is_plausible(const tree_header *h, size_t left)
{
    const bool branches =
        h->branching == 2 || h->branching == 4 || h->branching == 8 || h->branching == 16;
    const size_t node_bytes = h->width * (ALG_IST_LANE_KINDS * sizeof(float) + sizeof(uint32_t));
    const size_t sphere_bytes = sizeof(alg_ist_sphere) + sizeof(uint32_t);
    return branches && h->columns < 1u << COLUMNS &&
           h->width == (h->branching > 4 ? h->branching : 4) && h->node_count > 0 &&
           h->node_count < ALG_IST_LEAF && h->leaf_count > 0 && h->leaf_count < ALG_IST_LEAF &&
           h->depth > 0 && h->depth <= ALG_IST_DEPTH_MAX && h->reach >= ALG_IST_REACH_LEAST &&
           h->reach <= ALG_IST_REACH_MOST && h->node_count <= left / node_bytes &&
           h->leaf_count <= (left - h->node_count * node_bytes) / sphere_bytes;
}

/** Reads the columns whose bits are set. */
static base_status read_columns(alg_reader *from, uint32_t there, base_arena *arena,
                                alg_ist_solid *solid, base_error *err)
{
    const size_t n = solid->tree.leaf_count;
    column columns[COLUMNS];
    columns_of(solid, columns);
    for (int k = 0; k < COLUMNS; k++) {
        if (!(there >> k & 1)) {
            continue;
        }
        *columns[k].items = base_arena_alloc(arena, n, columns[k].size);
        if (!*columns[k].items) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", n);
        }
        if (!alg_take(from, *columns[k].items, n, columns[k].size)) {
            return base_fail(err, BASE_ERR_INPUT, "the bytes end within the spheres");
        }
    }
    return BASE_OK;
}

static base_status read_tree(alg_reader *from, base_arena *arena, alg_ist_solid *solid,
                             base_error *err)
{
    alg_ist_tree *const tree = &solid->tree;
    const size_t n = tree->leaf_count, links = (size_t)tree->node_count * tree->width;
    solid->spheres = base_arena_alloc(arena, n, sizeof *solid->spheres);
    solid->faces = base_arena_alloc(arena, n, sizeof *solid->faces);
    tree->lanes = base_arena_alloc(arena, lane_count(tree), sizeof *tree->lanes);
    tree->children = base_arena_alloc(arena, links, sizeof *tree->children);
    if (!solid->spheres || !solid->faces || !tree->lanes || !tree->children) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree of %zu spheres", n);
    }
    const bool whole = alg_take(from, solid->spheres, n, sizeof *solid->spheres) &&
                       alg_take(from, solid->faces, n, sizeof *solid->faces) &&
                       alg_take(from, tree->lanes, lane_count(tree), sizeof *tree->lanes) &&
                       alg_take(from, tree->children, links, sizeof *tree->children);
    return whole ? BASE_OK : base_fail(err, BASE_ERR_INPUT, "the bytes end within the tree");
}

/** Is a coordinate or radius within the body's reach? Then squares of floats stay finite. */
static bool is_within(double value, double reach)
{
    return fabs(value) <= 2 * reach; /* false for NaN; balls of nodes may stick out */
}

static bool are_below(const uint32_t *numbers, size_t count, size_t end)
{
    bool below = true;
    for (size_t i = 0; i < count; i++) {
        below &= numbers[i] < end;
    }
    return below;
}

static bool are_spheres_good(const alg_ist_solid *solid, size_t face_count)
{
    const alg_ist_tree *const tree = &solid->tree;
    bool good = are_below(solid->faces, tree->leaf_count, face_count);
    for (uint32_t i = 0; i < tree->leaf_count && good; i++) {
        const alg_ist_sphere *const s = &solid->spheres[i];
        const vec3 c = vec3_sub(s->centre, tree->origin);
        const vec3 m = vec3_sub(alg_ist_middle(solid, i), tree->origin);
        const double outer = alg_ist_outer(solid, i);
        const double numbers[] = {c.x, c.y, c.z, m.x, m.y, m.z, s->primary, s->secondary, outer};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            good &= is_within(numbers[k], tree->reach);
        }
        good &= vec3_norm2(alg_ist_outward(solid, i)) <= 2; /* a direction, or 0; false for NaN */
        good &= s->primary >= 0 && s->secondary >= 0 && outer >= 0;
    }
    return good;
}

/** Lanes hold a ball where there is a child, and nothing but NaN where there is none. */
static bool is_lane_good(const alg_ist_tree *tree, uint32_t node, uint32_t lane, bool child)
{
    bool good = true;
    for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
        const double value = (double)alg_ist_lanes(tree, node, kind)[lane];
        good &= child ? is_within(value, 2 * tree->reach) : isnan(value);
    }
    return good;
}

/** Parts of a tree that were reached so far, its nodes being visited in their order. */
typedef struct met {
    uint8_t *level; /* of each node; 0: not reached */
    uint8_t *leaf;  /* of each leaf: reached */
    uint32_t nodes, leaves, depth;
} met;

/** Is this the first reference to the child, and its number above its parent's? */
static bool meet_child(const alg_ist_tree *tree, uint32_t node, uint32_t link, met *m)
{
    if (link & ALG_IST_LEAF) {
        const uint32_t leaf = link & ~ALG_IST_LEAF;
        const bool fresh = leaf < tree->leaf_count && !m->leaf[leaf];
        if (fresh) {
            m->leaf[leaf] = 1;
            m->leaves++;
        }
        return fresh;
    }
    const bool fresh = link > node && link < tree->node_count && m->level[link] == 0;
    if (fresh) {
        m->level[link] = (uint8_t)(m->level[node] + 1);
        m->nodes++;
        m->depth = m->level[link] > m->depth ? m->level[link] : m->depth;
    }
    return fresh && m->level[link] <= ALG_IST_DEPTH_MAX;
}

static bool is_node_good(const alg_ist_tree *tree, uint32_t node, met *m)
{
    const uint32_t *const links = alg_ist_children(tree, node);
    bool good = m->level[node] > 0 && links[0] != ALG_IST_NOBODY;
    bool ended = false;
    for (uint32_t lane = 0; lane < tree->width && good; lane++) {
        const bool child = links[lane] != ALG_IST_NOBODY;
        good = is_lane_good(tree, node, lane, child) && !(child && ended) &&
               (!child || meet_child(tree, node, links[lane], m));
        ended |= !child;
    }
    return good;
}

/**
 * Every child comes behind its only parent, so there are no cycles; every node and every leaf is
 * reached; the number of levels is the one that sizes a traversal's stack.
 */
static bool is_tree(const alg_ist_tree *tree, met *m)
{
    bool good = true;
    *m = (met){m->level, m->leaf, .nodes = 1, .depth = 1};
    m->level[0] = 1;
    for (uint32_t node = 0; node < tree->node_count && good; node++) {
        good = is_node_good(tree, node, m);
    }
    return good && m->nodes == tree->node_count && m->leaves == tree->leaf_count &&
           m->depth == tree->depth;
}

static base_status check_tree(const alg_ist_tree *tree, base_error *err)
{
    met m = {.level = base_alloc(tree->node_count, sizeof *m.level),
             .leaf = base_alloc(tree->leaf_count, sizeof *m.leaf)};
    base_status status = BASE_OK;
    if (!m.level || !m.leaf) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a tree");
    } else if (!is_tree(tree, &m)) {
        status = base_fail(err, BASE_ERR_INPUT, "its nodes are no tree over its spheres");
    }
    base_free(m.level);
    base_free(m.leaf);
    return status;
}

/** Reads what save_solid has written: BASE_ERR_INPUT for what alg_ist_solid_build does not make. */
static base_status load_solid(alg_reader *from, size_t face_count, base_arena *arena,
                              alg_ist_solid *solid, base_error *err)
{
    tree_header h;
    *solid = (alg_ist_solid){0};
    if (!alg_take(from, &h, 1, sizeof h) || !is_plausible(&h, from->left)) {
        return base_fail(err, BASE_ERR_INPUT, "its counts are not those of a tree");
    }
    solid->tree = (alg_ist_tree){.branching = h.branching,
                                 .width = h.width,
                                 .node_count = h.node_count,
                                 .leaf_count = h.leaf_count,
                                 .depth = h.depth,
                                 .origin = h.origin,
                                 .reach = h.reach};
    base_status status = read_tree(from, arena, solid, err);
    if (status == BASE_OK) {
        status = read_columns(from, h.columns, arena, solid, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (!are_spheres_good(solid, face_count)) {
        return base_fail(err, BASE_ERR_INPUT, "its spheres are not those of a body");
    }
    return check_tree(&solid->tree, err);
}

/* --- The skin --------------------------------------------------------------------------------- */

_Static_assert(sizeof(alg_ist_skin) == sizeof(alg_shell) + sizeof(alg_ist_gap) +
                                           sizeof(alg_ist_owners) + sizeof(void *) &&
                   sizeof(alg_shell) == sizeof(geo_mesh) + sizeof(geo_surface) + 2 * sizeof(void *),
               "all of a skin is saved, or made of the mesh");

/** Precedes the arrays of a skin. */
typedef struct skin_header {
    alg_ist_gap gap;
    uint32_t part_count, owned_count; /* owned_count: of owners.faces */
} skin_header;

static bool save_skin(const alg_ist_skin *skin, uint32_t sphere_count, const alg_writer *to)
{
    const skin_header header = {
        .gap = skin->gap,
        .part_count = skin->shell.part_count,
        .owned_count = skin->owners.first[sphere_count],
    };
    const alg_ist_owners *const owners = &skin->owners;
    return alg_give(to, &header, 1, sizeof header) &&
           alg_give(to, skin->shell.part_vertex, header.part_count,
                    sizeof *skin->shell.part_vertex) &&
           alg_give(to, owners->first, (size_t)sphere_count + 1, sizeof *owners->first) &&
           alg_give(to, owners->faces, header.owned_count, sizeof *owners->faces);
}

/** Are the stretches of faces consecutive? Fills the length of the longest. */
static bool are_owners_good(const skin_header *h, uint32_t sphere_count, alg_ist_skin *skin)
{
    const uint32_t *const first = skin->owners.first;
    bool good = first[0] == 0 && first[sphere_count] == h->owned_count;
    for (uint32_t i = 0; i < sphere_count && good; i++) {
        good = first[i] <= first[i + 1];
        const uint32_t owned = good ? first[i + 1] - first[i] : 0;
        skin->owned_most = owned > skin->owned_most ? owned : skin->owned_most;
    }
    return good && are_below(skin->owners.faces, h->owned_count, skin->shell.mesh.face_count) &&
           are_below(skin->shell.part_vertex, h->part_count, skin->shell.mesh.vertex_count);
}

static base_status read_owners(alg_reader *from, uint32_t sphere_count, base_arena *arena,
                               alg_ist_skin *skin, base_error *err)
{
    skin_header h;
    if (!alg_take(from, &h, 1, sizeof h) || h.part_count > from->left / sizeof(uint32_t) ||
        h.owned_count > from->left / sizeof(uint32_t)) {
        return base_fail(err, BASE_ERR_INPUT, "its counts are not those of a surface");
    }
    skin->gap = h.gap;
    skin->shell.part_count = h.part_count;
    const size_t n = sphere_count;
    skin->shell.part_vertex =
        base_arena_alloc(arena, h.part_count, sizeof *skin->shell.part_vertex);
    skin->owners.first = base_arena_alloc(arena, n + 1, sizeof *skin->owners.first);
    skin->owners.faces = base_arena_alloc(arena, h.owned_count, sizeof *skin->owners.faces);
    if (!skin->shell.part_vertex || !skin->owners.first || !skin->owners.faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the faces of %zu spheres", n);
    }
    const bool whole =
        alg_take(from, skin->shell.part_vertex, h.part_count, sizeof *skin->shell.part_vertex) &&
        alg_take(from, skin->owners.first, n + 1, sizeof *skin->owners.first) &&
        alg_take(from, skin->owners.faces, h.owned_count, sizeof *skin->owners.faces);
    return whole && are_owners_good(&h, sphere_count, skin)
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its spheres own faces that are not there");
}

/** The surface itself is made of the mesh again, which is cheap beside finding who owns it. */
static base_status load_skin(alg_reader *from, const alg_mesh *mesh, uint32_t sphere_count,
                             base_arena *arena, alg_ist_skin **loaded, base_error *err)
{
    alg_ist_skin *const skin = base_arena_alloc(arena, 1, sizeof *skin);
    *loaded = skin;
    if (!skin) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a surface");
    }
    skin->shell = (alg_shell){.mesh = alg_mesh_view(mesh), .solid = mesh->solid};
    const base_status status = read_owners(from, sphere_count, arena, skin, err);
    if (status != BASE_OK) {
        return status;
    }
    return geo_surface_build(&skin->shell.mesh, arena, &skin->shell.surface, err);
}

/* --- The body --------------------------------------------------------------------------------- */

alg_status alg_ist_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    const alg_ist_body *const b = body;
    if (!save_solid(b->solid, to) ||
        (b->skin && !save_skin(b->skin, b->solid.tree.leaf_count, to))) {
        return alg_fail(message, ALG_FAILED, "its bytes are not wanted");
    }
    return ALG_OK;
}

static base_status fill_body(alg_reader *from, const alg_mesh *mesh, bool skin, alg_ist_body *b,
                             base_error *err)
{
    base_status status = load_solid(from, mesh->face_count, &b->arena, &b->solid, err);
    if (status != BASE_OK) {
        return status;
    }
    if (skin && !b->solid.outer) {
        return base_fail(err, BASE_ERR_INPUT, "its spheres have no outer radii");
    }
    if (skin) {
        status = load_skin(from, mesh, b->solid.tree.leaf_count, &b->arena, &b->skin, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return from->left == 0 ? BASE_OK
                           : base_fail(err, BASE_ERR_INPUT, "there are bytes behind its end");
}

static alg_status load_body(const alg_mesh *mesh, bool skin, alg_reader from, void **body,
                            alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_ist_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_ist_body *const b = *body;
    base_error err = {0};
    b->mesh = alg_mesh_view(mesh);
    b->centroid = mesh->centroid;
    if (fill_body(&from, mesh, skin, b, &err) != BASE_OK) {
        return alg_abandon(body, alg_fail_geo(message, &err));
    }
    return ALG_OK;
}

alg_status alg_ist_body_load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                             const void *bytes, size_t size, void **body, alg_build_info *info,
                             alg_message *message)
{
    (void)settings, (void)role, (void)info;
    return load_body(mesh, false, (alg_reader){bytes, size}, body, message);
}

alg_status alg_ist_body_load_skin(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                                  const void *bytes, size_t size, void **body, alg_build_info *info,
                                  alg_message *message)
{
    (void)settings, (void)role, (void)info;
    return load_body(mesh, true, (alg_reader){bytes, size}, body, message);
}
