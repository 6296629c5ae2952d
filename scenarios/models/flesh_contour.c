#include "base/memory.h"
#include "geometry/box.h"
#include "scenarios/models/flesh.h"

/*
 * The lattice is body-centred cubic: even points on a grid of spacing h, odd points in the middles
 * of its cells. Each grid edge of the even points with the odd points around it makes four
 * tetrahedra, all alike. In a tetrahedron the skin is one triangle or two that share an edge, on
 * points strictly inside of its edges: so no two triangles can intersect, however the field looks.
 */

/* --- Lattice ---------------------------------------------------------------------------------- */

static geo_box bone_box(const scn_bone *bone)
{
    const double reach = SCN_FLESH_REACH * fmax(bone->radius_a, bone->radius_b);
    const vec3 margin = {reach, reach, reach};
    return (geo_box){vec3_sub(vec3_min(bone->a, bone->b), margin),
                     vec3_add(vec3_max(bone->a, bone->b), margin)};
}

/** Edges kept with a point (x, y, z): from the even point and from the odd point along the axes,
 * and from the even point to the eight odd ones around it. */
enum { EDGE_EVEN = 0, EDGE_ODD = 3, EDGE_DIAGONAL = 6, EDGE_COUNT = 14 };

typedef struct node {
    size_t at[3];
    size_t odd; /* 1: half a cell further along each axis */
} node;

typedef struct lattice {
    vec3 lo;
    double h;
    size_t n[3];
    double *values[2];  /* field - level at even and odd points; inside where > 0 */
    uint32_t *vertices; /* EDGE_COUNT a point: 1 + vertex on that edge; 0: none yet */
} lattice;

static size_t node_place(const lattice *l, node p)
{
    return (p.at[2] * l->n[1] + p.at[1]) * l->n[0] + p.at[0];
}

static vec3 node_position(const lattice *l, node p)
{
    const double half = 0.5 * (double)p.odd;
    const vec3 steps = {(double)p.at[0] + half, (double)p.at[1] + half, (double)p.at[2] + half};
    return vec3_madd(l->lo, l->h, steps);
}

static double node_value(const lattice *l, node p)
{
    return l->values[p.odd][node_place(l, p)];
}

static void lattice_release(lattice *l)
{
    base_free(l->values[0]);
    base_free(l->values[1]);
    base_free(l->vertices);
    *l = (lattice){0};
}

/** A lattice around all bones, with two cells of air on every side. */
static base_status lattice_create(const scn_flesh *flesh, double h, lattice *l, base_error *err)
{
    geo_box box = bone_box(&flesh->bones[0]);
    for (size_t i = 1; i < flesh->bone_count; i++) {
        box = geo_box_join(box, bone_box(&flesh->bones[i]));
    }
    *l = (lattice){.h = h, .lo = vec3_sub(box.lo, vec3_make(2 * h, 2 * h, 2 * h))};
    for (int axis = 0; axis < 3; axis++) {
        l->n[axis] = (size_t)ceil((vec3_get(box.hi, axis) - vec3_get(box.lo, axis)) / h) + 5;
    }
    const size_t count = l->n[0] * l->n[1] * l->n[2];
    l->values[0] = base_alloc(count, sizeof(double));
    l->values[1] = base_alloc(count, sizeof(double));
    l->vertices = base_alloc(count, EDGE_COUNT * sizeof *l->vertices);
    if (!l->values[0] || !l->values[1] || !l->vertices) {
        lattice_release(l);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a lattice of %zu cells", count);
    }
    return BASE_OK;
}

/** Adds one bone to the points near it. */
static void lattice_add_bone(lattice *l, const scn_bone *bone)
{
    const geo_box box = bone_box(bone);
    size_t lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        const double from = vec3_get(l->lo, axis);
        lo[axis] = (size_t)((vec3_get(box.lo, axis) - from) / l->h) - 1;
        hi[axis] = (size_t)((vec3_get(box.hi, axis) - from) / l->h) + 1;
    }
    for (size_t z = lo[2]; z <= hi[2]; z++) {
        for (size_t y = lo[1]; y <= hi[1]; y++) {
            for (size_t x = lo[0]; x <= hi[0]; x++) {
                for (size_t odd = 0; odd < 2; odd++) {
                    const node p = {
                        {x, y, z},
                        odd
                    };
                    double *const value = &l->values[odd][node_place(l, p)];
                    scn_flesh_bump(bone, node_position(l, p), value, NULL);
                }
            }
        }
    }
}

static void lattice_fill(lattice *l, const scn_flesh *flesh)
{
    for (size_t i = 0; i < flesh->bone_count; i++) {
        lattice_add_bone(l, &flesh->bones[i]);
    }
    for (size_t i = 0; i < l->n[0] * l->n[1] * l->n[2]; i++) {
        l->values[0][i] -= SCN_FLESH_LEVEL;
        l->values[1][i] -= SCN_FLESH_LEVEL;
    }
}

/* --- Contour ---------------------------------------------------------------------------------- */

typedef struct skin {
    lattice *l;
    geo_mesh_builder *mesh; /* NULL: only count, and number the vertices */
    size_t vertex_count, face_count;
} skin;

static uint32_t *edge_slot(const lattice *l, node a, node b)
{
    if (a.odd != b.odd) {
        const node even = a.odd ? b : a, odd = a.odd ? a : b;
        size_t corner = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            corner += (size_t)(odd.at[axis] < even.at[axis]) << axis;
        }
        return &l->vertices[node_place(l, even) * EDGE_COUNT + EDGE_DIAGONAL + corner];
    }
    const size_t axis = a.at[0] != b.at[0] ? 0 : a.at[1] != b.at[1] ? 1 : 2;
    const node lower = a.at[axis] < b.at[axis] ? a : b;
    const size_t kind = a.odd ? EDGE_ODD : EDGE_EVEN;
    return &l->vertices[node_place(l, lower) * EDGE_COUNT + kind + axis];
}

/** The skin's vertex between a (inside) and b. */
static uint32_t edge_vertex(skin *s, node a, node b)
{
    uint32_t *const slot = edge_slot(s->l, a, b);
    if (*slot == 0) {
        *slot = (uint32_t)++s->vertex_count;
    }
    if (s->mesh) {
        /* Off the ends, so that vertices near one node stay apart. */
        static const double margin = 0.2;
        const double in = node_value(s->l, a), out = node_value(s->l, b);
        const double t = fmin(1 - margin, fmax(margin, in / (in - out)));
        const vec3 from = node_position(s->l, a), to = node_position(s->l, b);
        s->mesh->vertices[*slot - 1] = vec3_madd(from, t, vec3_sub(to, from));
    }
    return *slot - 1;
}

static void add_face(skin *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->mesh) {
        s->mesh->faces[s->face_count] = (geo_face){
            {a, b, c}
        };
    }
    s->face_count++;
}

/** Even permutation of the corners that brings those inside (bits of the mask) to the front; for
 * three inside, the one outside. */
static const unsigned char corner_order[16][4] = {
    [1] = {0, 1, 2, 3},
      [2] = {1, 0, 3, 2},
      [4] = {2, 3, 0, 1},
      [8] = {3, 2, 1, 0},
    [14] = {0, 1, 2, 3},
      [13] = {1, 0, 3, 2},
      [11] = {2, 3, 0, 1},
      [7] = {3, 2, 1, 0},
    [3] = {0, 1, 2, 3},
      [5] = {0, 2, 3, 1},
      [9] = {0, 3, 1, 2},
      [6] = {1, 2, 0, 3},
    [10] = {1, 3, 2, 0},
      [12] = {2, 3, 0, 1},
};

/** Skin within one tetrahedron of positive volume. */
static void cut_tetrahedron(skin *s, const node corners[4])
{
    unsigned mask = 0, inside = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned in = node_value(s->l, corners[i]) > 0;
        mask |= in << i;
        inside += in;
    }
    if (inside == 0 || inside == 4) {
        return;
    }
    const unsigned char *const order = corner_order[mask];
    const node a = corners[order[0]], b = corners[order[1]];
    const node c = corners[order[2]], d = corners[order[3]];
    if (inside == 1) {
        add_face(s, edge_vertex(s, a, b), edge_vertex(s, a, c), edge_vertex(s, a, d));
    } else if (inside == 3) {
        add_face(s, edge_vertex(s, b, a), edge_vertex(s, d, a), edge_vertex(s, c, a));
    } else {
        const uint32_t ac = edge_vertex(s, a, c), ad = edge_vertex(s, a, d);
        const uint32_t bd = edge_vertex(s, b, d), bc = edge_vertex(s, b, c);
        add_face(s, ac, ad, bd);
        add_face(s, ac, bd, bc);
    }
}

/** The four tetrahedra around the even edge from p along an axis. */
static void cut_around_edge(skin *s, node p, size_t axis)
{
    const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    node q = p, around[4];
    q.at[axis]++;
    for (size_t i = 0; i < 4; i++) {
        around[i] = p;
        around[i].odd = 1;
        around[i].at[u] -= i == 0 || i == 3;
        around[i].at[v] -= i == 0 || i == 1;
    }
    for (size_t i = 0; i < 4; i++) {
        cut_tetrahedron(s, (const node[4]){p, q, around[i], around[(i + 1) % 4]});
    }
}

static void contour(skin *s)
{
    const size_t *const n = s->l->n;
    s->face_count = 0;
    for (size_t z = 1; z + 1 < n[2]; z++) {
        for (size_t y = 1; y + 1 < n[1]; y++) {
            for (size_t x = 1; x + 1 < n[0]; x++) {
                for (size_t axis = 0; axis < 3; axis++) {
                    const node p = {
                        {x, y, z},
                        0
                    };
                    cut_around_edge(s, p, axis);
                }
            }
        }
    }
}

base_status scn_flesh_contour(const scn_flesh *flesh, double h, size_t *face_count,
                              geo_mesh_builder *mesh, base_error *err)
{
    lattice l;
    base_status status = lattice_create(flesh, h, &l, err);
    if (status != BASE_OK) {
        return status;
    }
    lattice_fill(&l, flesh);
    skin s = {.l = &l};
    contour(&s);
    *face_count = s.face_count;
    if (mesh) {
        status = geo_mesh_builder_init(s.vertex_count, s.face_count, mesh, err);
        if (status == BASE_OK) {
            s.mesh = mesh;
            contour(&s);
        }
    }
    lattice_release(&l);
    return status;
}
