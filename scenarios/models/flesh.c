/**
 * Flesh: the skin of bones, and the bodies made of it. A level set of a sum of smooth bumps is
 * contoured on a lattice of tetrahedra, then smoothed.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"

#include <string.h>

/* The contour has at most this many triangles. Finer models subdivide it. */
static const size_t contour_triangles_max = 60000;

/* With fewer triangles, the cells of the lattice are thicker than the thinnest bones, 3.5 mm, and
 * smoothing folds the skin. */
static const size_t contour_triangles_min = 5000;

/* --- Field ------------------------------------------------------------------------------------ */

/** A cone with round ends around a segment. Bones that overlap or nearly touch are blended. */
typedef struct flesh_bone {
    vec3 a, b;
    double radius_a, radius_b;
} flesh_bone;

/**
 * The sum of the bumps of all bones. A bone's bump is (1 - q^2)^3, where q is the distance from its
 * segment in units of its reach, and 0 beyond. The skin is the level set FLESH_LEVEL of the sum. A
 * single bone has it at its radius.
 */
typedef struct flesh_bones {
    const flesh_bone *bones;
    size_t bone_count;
} flesh_bones;

#define FLESH_REACH (1 / 0.6) /* reach in radii */
#define FLESH_LEVEL 0.262144  /* (1 - 0.6^2)^3 */

/** Adds the bone's bump at p to *value and, if gradient is not NULL, its gradient to *gradient. */
static void add_bump(const flesh_bone *bone, vec3 p, double *value, vec3 *gradient)
{
    const vec3 along = vec3_sub(bone->b, bone->a), from_a = vec3_sub(p, bone->a);
    const double length2 = vec3_norm2(along);
    const double unclamped = length2 > 0 ? vec3_dot(from_a, along) / length2 : 0;
    const double t = fmin(1, fmax(0, unclamped));
    const double widening = FLESH_REACH * (bone->radius_b - bone->radius_a);
    const double reach = FLESH_REACH * bone->radius_a + t * widening;
    const vec3 away = vec3_sub(from_a, vec3_scale(t, along));
    const double q2 = vec3_norm2(away) / (reach * reach);
    if (q2 >= 1) {
        return;
    }
    const double rest = 1 - q2;
    *value += rest * rest * rest;
    if (gradient) {
        /* The gradient of q^2. The second term exists because the reach changes along the
         * segment. */
        vec3 slope = vec3_scale(2 / (reach * reach), away);
        if (t == unclamped && length2 > 0) {
            slope = vec3_madd(slope, -2 * q2 * widening / (reach * length2), along);
        }
        *gradient = vec3_madd(*gradient, -3 * rest * rest, slope);
    }
}

/** Returns p after one Newton step along the gradient towards the skin, at most `step_max` long. */
static vec3 towards_skin(const flesh_bones *flesh, vec3 p, double step_max)
{
    double value = 0;
    vec3 gradient = {0, 0, 0};
    for (size_t i = 0; i < flesh->bone_count; i++) {
        add_bump(&flesh->bones[i], p, &value, &gradient);
    }
    const double slope = vec3_norm(gradient);
    if (slope == 0) {
        return p;
    }
    const double step = fmin(step_max, fmax(-step_max, (FLESH_LEVEL - value) / slope));
    return vec3_madd(p, step / slope, gradient);
}

/* --- Lattice ---------------------------------------------------------------------------------- */

/*
 * The lattice is body-centred cubic: even points are on a grid of spacing h, odd points at the
 * centres of its cells. Each grid edge of the even points, together with the odd points around it,
 * makes four congruent tetrahedra. In a tetrahedron the skin is one triangle, or two that share an
 * edge, with vertices strictly inside the tetrahedron's edges. Therefore no two triangles can
 * intersect, whatever the field is.
 */

static geo_box bone_box(const flesh_bone *bone)
{
    const double reach = FLESH_REACH * fmax(bone->radius_a, bone->radius_b);
    const vec3 margin = {reach, reach, reach};
    return (geo_box){vec3_sub(vec3_min(bone->a, bone->b), margin),
                     vec3_add(vec3_max(bone->a, bone->b), margin)};
}

/** Edges stored with a point (x, y, z): from the even point and from the odd point along the axes,
 * and from the even point to the eight odd points around it. */
enum { EDGE_EVEN = 0, EDGE_ODD = 3, EDGE_DIAGONAL = 6, EDGE_COUNT = 14 };

typedef struct node {
    size_t at[3];
    size_t odd; /* 1: shifted by half a cell along each axis */
} node;

typedef struct lattice {
    vec3 lo;
    double h;
    size_t n[3];
    double *values[2];  /* field - level at even and odd points; positive inside */
    uint32_t *vertices; /* EDGE_COUNT per point: 1 + vertex on that edge; 0: no vertex yet */
} lattice;

static size_t node_index(const lattice *l, node p)
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
    return l->values[p.odd][node_index(l, p)];
}

static void lattice_release(lattice *l)
{
    base_free(l->values[0]);
    base_free(l->values[1]);
    base_free(l->vertices);
    *l = (lattice){0};
}

/** Creates a lattice around all bones, with two empty cells on every side. */
static base_status lattice_create(const flesh_bones *flesh, double h, lattice *l, base_error *err)
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

/** Adds the bump of one bone to the points near it. */
static void lattice_add_bone(lattice *l, const flesh_bone *bone)
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
                    const node p = {{x, y, z}, odd};
                    double *const value = &l->values[odd][node_index(l, p)];
                    add_bump(bone, node_position(l, p), value, NULL);
                }
            }
        }
    }
}

static void lattice_fill(lattice *l, const flesh_bones *flesh)
{
    for (size_t i = 0; i < flesh->bone_count; i++) {
        lattice_add_bone(l, &flesh->bones[i]);
    }
    for (size_t i = 0; i < l->n[0] * l->n[1] * l->n[2]; i++) {
        l->values[0][i] -= FLESH_LEVEL;
        l->values[1][i] -= FLESH_LEVEL;
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
        return &l->vertices[node_index(l, even) * EDGE_COUNT + EDGE_DIAGONAL + corner];
    }
    const size_t axis = a.at[0] != b.at[0] ? 0 : a.at[1] != b.at[1] ? 1 : 2;
    const node lower = a.at[axis] < b.at[axis] ? a : b;
    const size_t kind = a.odd ? EDGE_ODD : EDGE_EVEN;
    return &l->vertices[node_index(l, lower) * EDGE_COUNT + kind + axis];
}

/** Returns the skin's vertex between a (inside) and b. */
static uint32_t edge_vertex(skin *s, node a, node b)
{
    uint32_t *const slot = edge_slot(s->l, a, b);
    if (*slot == 0) {
        *slot = (uint32_t)++s->vertex_count;
    }
    if (s->mesh) {
        /* Keeps a distance from the ends, so that vertices near one node do not coincide. */
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
        s->mesh->faces[s->face_count] = (geo_face){{a, b, c}};
    }
    s->face_count++;
}

/** Even permutation of the corners that moves the inside ones (bits of the mask) to the front; with
 * three inside, the outside one. */
static const unsigned char corner_order[16][4] = {
    [1] = {0, 1, 2, 3},  [2] = {1, 0, 3, 2},  [4] = {2, 3, 0, 1},  [8] = {3, 2, 1, 0},
    [14] = {0, 1, 2, 3}, [13] = {1, 0, 3, 2}, [11] = {2, 3, 0, 1}, [7] = {3, 2, 1, 0},
    [3] = {0, 1, 2, 3},  [5] = {0, 2, 3, 1},  [9] = {0, 3, 1, 2},  [6] = {1, 2, 0, 3},
    [10] = {1, 3, 2, 0}, [12] = {2, 3, 0, 1},
};

/** Adds the skin within one tetrahedron of positive volume. */
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
    /* Vertices are numbered in the order of these calls. Separate statements fix that order, since
     * the evaluation order of a call's arguments depends on the compiler. */
    if (inside == 1) {
        const uint32_t ad = edge_vertex(s, a, d), ac = edge_vertex(s, a, c);
        add_face(s, edge_vertex(s, a, b), ac, ad);
    } else if (inside == 3) {
        const uint32_t ca = edge_vertex(s, c, a), da = edge_vertex(s, d, a);
        add_face(s, edge_vertex(s, b, a), da, ca);
    } else {
        const uint32_t ac = edge_vertex(s, a, c), ad = edge_vertex(s, a, d);
        const uint32_t bd = edge_vertex(s, b, d), bc = edge_vertex(s, b, c);
        add_face(s, ac, ad, bd);
        add_face(s, ac, bd, bc);
    }
}

/** Adds the skin in the four tetrahedra around the even edge from p along an axis. */
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
                    const node p = {{x, y, z}, 0};
                    cut_around_edge(s, p, axis);
                }
            }
        }
    }
}

/**
 * Contours the skin on a lattice of spacing h, without smoothing. If mesh is NULL, only the faces
 * are counted.
 *
 * Errors   BASE_ERR_MEMORY.
 */
static base_status contour_flesh(const flesh_bones *flesh, double h, size_t *face_count,
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

/* --- Resolution ------------------------------------------------------------------------------- */

/** Searches the spacing that gives nearly `triangles`. Their number is proportional to 1 / h^2. */
static base_status fit_spacing(const flesh_bones *flesh, size_t triangles, double *h,
                               base_error *err)
{
    double at = 0.004, best_error = INFINITY;
    for (int i = 0; i < 8 && best_error > 0.002; i++) {
        size_t faces;
        const base_status status = contour_flesh(flesh, at, &faces, NULL, err);
        if (status != BASE_OK) {
            return status;
        }
        const double ratio = (double)faces / (double)triangles;
        if (fabs(ratio - 1) < best_error) {
            best_error = fabs(ratio - 1);
            *h = at;
        }
        at *= fmin(2, fmax(0.25, sqrt(ratio)));
    }
    return BASE_OK;
}

/* --- Smoothing -------------------------------------------------------------------------------- */

static void project(const flesh_bones *flesh, geo_mesh_builder *mesh, int rounds, double step_max)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        for (int round = 0; round < rounds; round++) {
            mesh->vertices[i] = towards_skin(flesh, mesh->vertices[i], step_max);
        }
    }
}

/** Moves every vertex half-way to the mean of its neighbours and then back onto the skin, ROUNDS
 * times. The slivers of the lattice become well-shaped triangles. */
static base_status even_out(const flesh_bones *flesh, geo_mesh_builder *mesh, double h,
                            base_error *err)
{
    enum { ROUNDS = 8 };
    vec3 *const sums = base_alloc(mesh->vertex_count, sizeof *sums);
    uint32_t *const counts = base_alloc(mesh->vertex_count, sizeof *counts);
    base_status status = BASE_OK;
    if (!sums || !counts) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu vertices", mesh->vertex_count);
        goto done;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            sums[i] = vec3_make(0, 0, 0);
            counts[i] = 0;
        }
        for (size_t i = 0; i < 3 * mesh->face_count; i++) {
            /* Each edge is a side of two faces, once in each direction. */
            const uint32_t *const v = mesh->faces[i / 3].v;
            const uint32_t from = v[i % 3], to = v[(i + 1) % 3];
            sums[from] = vec3_add(sums[from], mesh->vertices[to]);
            counts[from]++;
        }
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            const vec3 mean = vec3_scale(1 / (double)counts[i], sums[i]);
            const vec3 middle = vec3_scale(0.5, vec3_add(mesh->vertices[i], mean));
            mesh->vertices[i] = towards_skin(flesh, middle, 0.25 * h);
        }
    }
    project(flesh, mesh, 2, 0.25 * h);
done:
    base_free(counts);
    base_free(sums);
    return status;
}

/**
 * Builds the skin of bones: a level set of a sum of smooth bumps, contoured on a lattice of
 * tetrahedra, then smoothed. It has nearly `triangles` triangles, at least 5000.
 *
 * Errors   BASE_ERR_MEMORY.
 */
static base_status build_flesh(const flesh_bone *bones, size_t bone_count, size_t triangles,
                               geo_mesh_builder *mesh, base_error *err)
{
    const flesh_bones flesh = {bones, bone_count};
    *mesh = (geo_mesh_builder){0};
    const size_t wanted = triangles > contour_triangles_min ? triangles : contour_triangles_min;
    size_t frequency = 1;
    while (wanted / (frequency * frequency) > contour_triangles_max) {
        frequency++;
    }
    double h = 0;
    size_t faces;
    geo_mesh_builder coarse = {0};
    base_status status = fit_spacing(&flesh, wanted / (frequency * frequency), &h, err);
    if (status != BASE_OK) {
        return status;
    }
    status = contour_flesh(&flesh, h, &faces, &coarse, err);
    if (status != BASE_OK) {
        return status;
    }
    status = even_out(&flesh, &coarse, h, err);
    if (status != BASE_OK) {
        goto done;
    }
    if (frequency == 1) {
        *mesh = coarse;
        return BASE_OK;
    }
    const geo_mesh view = geo_mesh_builder_view(&coarse);
    status = scn_subdivide(&view, frequency, mesh, err);
    if (status == BASE_OK) {
        project(&flesh, mesh, 3, 0.25 * h);
    }
done:
    geo_mesh_builder_release(&coarse);
    return status;
}

/* --- Quadruped: x towards its head, z up, standing on z = 0 ----------------------------------- */

/** Millimetres. `paired` bones exist on both sides of the plane y = 0. */
typedef struct limb {
    double a[3], b[3], radius_a, radius_b;
    bool paired;
} limb;

static const limb quadruped[] = {
    {{-24, 0, 52}, {20, 0, 54}, 15, 14, false},  /* trunk */
    {{24, 0, 58}, {36, 0, 74}, 9, 7, false},     /* neck */
    {{36, 0, 76}, {50, 0, 71}, 8, 5, false},     /* head */
    {{34, 6, 80}, {30, 14, 85}, 4.2, 3.6, true}, /* ears */
    {{20, 9, 46}, {20, 10, 24}, 7, 5, true},     /* fore legs */
    {{20, 10, 24}, {21, 10, 5}, 4.5, 4, true},
    {{21, 10, 4}, {25, 10, 3.5}, 4, 3.5, true},
    {{-24, 9, 46}, {-21, 10.5, 26}, 8, 5, true}, /* hind legs */
    {{-21, 10.5, 26}, {-27, 10.5, 5}, 4.5, 4, true},
    {{-27, 10.5, 4}, {-23, 10.5, 3.5}, 4, 3.5, true},
    {{-36, 0, 58}, {-45, 0, 50}, 4.5, 3.8, false}, /* tail */
    {{-45, 0, 50}, {-48, 0, 31}, 3.6, 3.6, false},
    {{-48, 0, 30}, {-48, 0, 26}, 3.6, 3.8, false},
};

enum { quadruped_limbs = sizeof quadruped / sizeof *quadruped };

static flesh_bone make_bone(const limb *l, double side)
{
    static const double metre = 1000;
    return (flesh_bone){{l->a[0] / metre, side * l->a[1] / metre, l->a[2] / metre},
                        {l->b[0] / metre, side * l->b[1] / metre, l->b[2] / metre},
                        l->radius_a / metre,
                        l->radius_b / metre};
}

base_status scn_quadruped_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    flesh_bone bones[2 * quadruped_limbs];
    size_t count = 0;
    for (size_t i = 0; i < quadruped_limbs; i++) {
        bones[count++] = make_bone(&quadruped[i], 1);
        if (quadruped[i].paired) {
            bones[count++] = make_bone(&quadruped[i], -1);
        }
    }
    return build_flesh(bones, count, triangles, mesh, err);
}

/** Removes all faces with a corner below z, and vertices that no remaining face uses. */
static base_status cut_below(double z, geo_mesh_builder *mesh, base_error *err)
{
    uint32_t *const number = base_alloc(mesh->vertex_count, sizeof *number);
    if (!number) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memset(number, 0xff, mesh->vertex_count * sizeof *number);
    uint32_t vertices = 0;
    size_t faces = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        geo_face face = mesh->faces[f];
        const vec3 *const v = mesh->vertices;
        if (v[face.v[0]].z < z || v[face.v[1]].z < z || v[face.v[2]].z < z) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint32_t *const as = &number[face.v[k]];
            if (*as == UINT32_MAX) {
                *as = vertices++;
            }
            face.v[k] = *as;
        }
        mesh->faces[faces++] = face;
    }
    geo_mesh_builder cut;
    const base_status status = geo_mesh_builder_init(vertices, faces, &cut, err);
    if (status == BASE_OK) {
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            if (number[i] != UINT32_MAX) {
                cut.vertices[number[i]] = mesh->vertices[i];
            }
        }
        memcpy(cut.faces, mesh->faces, faces * sizeof *cut.faces);
        geo_mesh_builder_release(mesh);
        *mesh = cut;
    }
    base_free(number);
    return status;
}

static const double knees_m = 0.02;

base_status scn_quadruped_open_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    /* The share of the faces above the knees is only known after they are built. */
    size_t whole = triangles;
    for (int attempt = 0;; attempt++) {
        base_status status = scn_quadruped_build(whole, mesh, err);
        const size_t before = mesh->face_count;
        if (status == BASE_OK) {
            status = cut_below(knees_m, mesh, err);
        }
        if (status != BASE_OK) {
            geo_mesh_builder_release(mesh);
            return status;
        }
        if (attempt == 1) {
            return BASE_OK;
        }
        whole = (size_t)((double)triangles * (double)before / (double)mesh->face_count);
        geo_mesh_builder_release(mesh);
    }
}

/* --- Coral: a stem on z = 0 that forks repeatedly --------------------------------------------- */

enum { CORAL_LEVELS = 4, CORAL_FORKS = 3, CORAL_BONES_MAX = 128 };

typedef struct coral {
    flesh_bone bones[CORAL_BONES_MAX];
    size_t count;
    base_random random;
} coral;

/** Returns a unit vector orthogonal to `direction`, turned by `angle` about it. */
static vec3 across(vec3 direction, double angle)
{
    const vec3 axis = fabs(direction.z) < 0.7 ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
    const vec3 u = vec3_normalize(vec3_cross(direction, axis));
    const vec3 v = vec3_cross(direction, u);
    return vec3_add(vec3_scale(base_cos(angle), u), vec3_scale(base_sin(angle), v));
}

static void grow(coral *c, vec3 from, vec3 direction, double length, int levels)
{
    base_assert(c->count < CORAL_BONES_MAX);
    const vec3 to = vec3_madd(from, length, direction);
    const double thick = 0.3 * length, thin = levels > 1 ? 0.24 * length : 0.3 * length;
    c->bones[c->count++] = (flesh_bone){from, to, thick, thin};
    if (levels == 1) {
        return;
    }
    const double turn = base_random_range(&c->random, 0, 2 * BASE_PI);
    for (int i = 0; i < CORAL_FORKS; i++) {
        const double spread = base_random_range(&c->random, 0.65, 1.0);
        const double shorter = base_random_range(&c->random, 0.72, 0.84);
        const vec3 side = across(direction, turn + 2 * BASE_PI * i / CORAL_FORKS);
        const vec3 next =
            vec3_add(vec3_scale(base_cos(spread), direction), vec3_scale(base_sin(spread), side));
        grow(c, to, next, shorter * length, levels - 1);
    }
}

base_status scn_coral_build(size_t triangles, geo_mesh_builder *mesh, base_error *err)
{
    coral c = {.random = base_random_seed(7)};
    grow(&c, vec3_make(0, 0, 0.008), vec3_make(0, 0, 1), 0.028, CORAL_LEVELS);
    return build_flesh(c.bones, c.count, triangles, mesh, err);
}
