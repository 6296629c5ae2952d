/**
 * Each pair of a triangle and a voxel gives a projection, which is refined; this is done in
 * batches. Chunks of triangles are processed in parallel, and their points are merged in the order
 * of the triangles. Then the points are sorted, and their normals are computed.
 *
 * Bound on the distance of a point x of the surface from the shell: x is on a triangle T and in a
 * voxel v with middle c, |x - c| <= h sqrt(3) / 2, and T and v are a pair, since they share x.
 *
 *     All, old: the point of that pair is P c, where P is the projection onto T. x is on T, so P x
 *     = x. T is convex, and projections onto a convex set do not increase distances: |P c - x| <=
 *     |c - x| <= h sqrt(3) / 2.
 *
 *     Two phases: v has a point after the first phase, or one waits for the second phase. So the
 *     shell has the point p of a pair of v and some triangle T'. v and T' share a point, which is
 *     within h sqrt(3) / 2 of c. p is the point of T' nearest to c, so it is at least as near: |p -
 *     x| <= |p - c| + |c - x| <= h sqrt(3).
 *
 *     Blue noise: x is within h sqrt(3) of a candidate from two phases, where h is the edge of the
 *     finer voxels. Either the candidate is accepted, or an accepted point is nearer to it than the
 *     radius. So x is within h sqrt(3) plus the radius of the shell.
 */
#include "algorithms/voxel/pointshell.h"

#include "algorithms/life.h"
#include "algorithms/voxel/spacing.h"
#include "algorithms/voxel/boxes.h"
#include "algorithms/voxel/division.h"
#include "algorithms/voxel/projection.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/bvh.h"

#include <stdlib.h>

enum {
    BATCH = 256, /* number of pairs; these and their projections fit in the cache */
    FACES_A_PART = 512,
    PARTS = 64, /* largest number of parts that are made at the same time */
    POINTS_A_CHUNK = 1024,
    PIECES_A_CHUNK = 4096,
    NORMAL_REACH = 2,  /* voxels to each side: 5 x 5 x 5 */
    SUBDIVISION = 4,   /* parts of a voxel edge, for the candidates of blue noise */
    RANDOM_SHARE = 8,  /* additional random candidates per wanted point */
    FRACTION_BITS = 6, /* bits of a position in a voxel, for sorting */
    MORTON_BITS = 21,  /* bits of each coordinate: ALG_VOXEL_SIZE_MAX voxels and the fraction */
    DIGIT_BITS = 11,   /* bits of a digit of a Morton code, for sorting; the counts of all digits
                          fit in the cache */
};

/** Largest number of voxels of the finer grid: 1 GiB at one bit each. */
#define FINER_VOXELS_MAX ((uint64_t)1 << 33)
/**
 * Radius, in voxel edges, with which blue noise accepts about as many points as two phases give.
 */
#define RADIUS_GUESS 0.64
/* Limits for normals. The ratio is that of the length of the sum of layers times directions to the
 * sum of the lengths of its terms. It is 0.65 at a flat face of a thick body, 0.5 at an edge, 0.3
 * at a plate in two layers of voxels, 0.1 at the rim of a plate in one layer, and 0 elsewhere on
 * this plate. If the ratio is below NO_SUM, the sum gives no direction. If the ratio is below
 * WEAK_SUM and the sum points out of the point's face, the sum belongs to the other side of a
 * plate. It points out if the cosine of its angle to the outward normal is above OPPOSED. */
#define WEAK_SUM 0.35
#define NO_SUM   0.05
#define OPPOSED  0.3
/* Bound on the error of distances that alg_project_refine guarantees, in longest edges. */
#define PROJECTION_ERROR 1e-12

static base_status out_of_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory for a pointshell");
}

/* --- Points ----------------------------------------------------------------------------------- */

/** The point of a pair, which is a triangle and one of its surface voxels. */
typedef struct shell_point {
    vec3 point;
    uint32_t face;
    uint32_t voxel[3];
} shell_point;

typedef struct point_list {
    shell_point *items; /* owned */
    size_t count, capacity;
} point_list;

static base_status add_point(point_list *list, shell_point point, base_error *err)
{
    const base_status status = base_reserve(list->items, list->capacity, list->count + 1, err);
    if (status == BASE_OK) {
        list->items[list->count++] = point;
    }
    return status;
}

/** The points of some of the triangles. Several parts may be made at the same time. */
typedef struct part {
    const geo_mesh *mesh;
    const alg_voxel_grid *grid;
    alg_pointshell_projection projection;
    bool two_phases;
    shell_point pairs[BATCH]; /* without their points */
    size_t pair_count;
    geo_triangle triangles[BATCH]; /* triangles of the pairs */
    vec3 middles[BATCH];
    alg_projection found[BATCH];
    uint32_t face;         /* face of the next pairs; not for the old generator */
    const uint32_t *voxel; /* voxel of the next pairs; for the old generator */
    point_list kept;
    point_list waiting; /* points on boundaries: candidates of the second phase */
    uint64_t projection_count, boundary_count;
    double project_ns, projection_error;
    base_status status; /* the first failure, after which no points are collected */
    base_error err;
} part;

/** Projects the pairs of the batch, with timing, and stores their points. */
static void flush_pairs(part *c)
{
    const size_t count = c->pair_count;
    c->pair_count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *const v = c->pairs[i].voxel;
        c->triangles[i] = geo_mesh_triangle(c->mesh, c->pairs[i].face);
        c->middles[i] = alg_voxel_middle(c->grid, v[0], v[1], v[2]);
    }
    const uint64_t begin = alg_clock_ns();
    if (c->projection == ALG_POINTSHELL_KKT) {
        for (size_t i = 0; i < count; i++) {
            c->found[i] = alg_project_kkt(c->triangles[i], c->middles[i]);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            c->found[i] = alg_project_voronoi(c->triangles[i], c->middles[i]);
        }
    }
    c->project_ns += (double)(alg_clock_ns() - begin);
    c->projection_count += count;
    for (size_t i = 0; i < count && c->status == BASE_OK; i++) {
        const geo_triangle *const t = &c->triangles[i];
        const alg_projection refined = alg_project_refine(*t, c->middles[i], c->found[i]);
        const double longest =
            sqrt(fmax(fmax(vec3_distance2(t->p[0], t->p[1]), vec3_distance2(t->p[1], t->p[2])),
                      vec3_distance2(t->p[2], t->p[0])));
        if (longest > 0) {
            const double error = vec3_distance(c->found[i].point, refined.point) / longest;
            c->projection_error = fmax(c->projection_error, error);
        }
        /* The first phase of VPS 4 keeps only points inside of their triangles. */
        const bool keep = !c->two_phases || refined.interior;
        c->boundary_count += !refined.interior;
        c->pairs[i].point = refined.point;
        c->status = add_point(keep ? &c->kept : &c->waiting, c->pairs[i], &c->err);
    }
}

static void add_pair(part *c, uint32_t face, const uint32_t voxel[3])
{
    c->pairs[c->pair_count++] =
        (shell_point){.face = face, .voxel = {voxel[0], voxel[1], voxel[2]}};
    if (c->pair_count == BATCH) {
        flush_pairs(c);
    }
}

static void visit_voxel(void *context, uint32_t x, uint32_t y, uint32_t z)
{
    part *const c = context;
    add_pair(c, c->face, (const uint32_t[3]){x, y, z});
}

/* --- Merging of parts ------------------------------------------------------------------------- */

/** The points of all triangles. */
typedef struct collector {
    const geo_mesh *mesh;
    const alg_voxel_grid *grid;
    const alg_pointshell_options *options;
    part *parts[PARTS]; /* NULL, or owned; the parts that are made at the same time */
    size_t first;       /* number of the chunk of the first part */
    point_list kept;
    point_list waiting; /* the first candidate of the second phase for each voxel */
    /* Two phases: voxels with a point, and voxels with a waiting point. Owned. */
    alg_voxel_bits projected, awaited;
    uint64_t projection_count, boundary_count, recovered_count;
    double project_ns, projection_error;
} collector;

static bool get_bit(const alg_voxel_bits *bits, const uint32_t voxel[3])
{
    return alg_voxel_bit(bits, voxel[0], voxel[1], voxel[2]);
}

static void set_bit(alg_voxel_bits *bits, const uint32_t voxel[3])
{
    alg_voxel_bit_set(bits, voxel[0], voxel[1], voxel[2]);
}

static bool has_two_phases(alg_pointshell_kind kind)
{
    return kind == ALG_POINTSHELL_TWO_PHASE || kind == ALG_POINTSHELL_BLUE_NOISE;
}

/** Returns NULL if out of memory. */
static part *create_part(const collector *c)
{
    part *const p = base_alloc(1, sizeof *p);
    if (p) {
        p->mesh = c->mesh;
        p->grid = c->grid;
        p->projection = c->options->projection;
        p->two_phases = has_two_phases(c->options->kind);
    }
    return p;
}

static void release_part(part *p)
{
    if (p) {
        base_free(p->kept.items);
        base_free(p->waiting.items);
        base_free(p);
    }
}

static void release_collector(collector *c)
{
    base_free(c->kept.items);
    base_free(c->waiting.items);
    alg_voxel_bits_release(&c->projected);
    alg_voxel_bits_release(&c->awaited);
}

/**
 * Appends a part. A boundary point waits unless its voxel already has a point or a waiting point.
 */
static base_status merge_part(collector *c, const part *p, base_error *err)
{
    if (p->status != BASE_OK) {
        *err = p->err;
        return p->status;
    }
    c->projection_count += p->projection_count;
    c->boundary_count += p->boundary_count;
    c->project_ns += p->project_ns;
    c->projection_error = fmax(c->projection_error, p->projection_error);
    base_status status = BASE_OK;
    for (size_t i = 0; i < p->kept.count && status == BASE_OK; i++) {
        if (p->two_phases) {
            set_bit(&c->projected, p->kept.items[i].voxel);
        }
        status = add_point(&c->kept, p->kept.items[i], err);
    }
    for (size_t i = 0; i < p->waiting.count && status == BASE_OK; i++) {
        const uint32_t *const voxel = p->waiting.items[i].voxel;
        if (!get_bit(&c->projected, voxel) && !get_bit(&c->awaited, voxel)) {
            set_bit(&c->awaited, voxel);
            status = add_point(&c->waiting, p->waiting.items[i], err);
        }
    }
    return status;
}

/** Makes parts [begin, end). Each part has the points of a chunk of triangles. */
static void make_parts(void *context, size_t begin, size_t end)
{
    collector *const c = context;
    for (size_t i = begin; i < end; i++) {
        part *const p = c->parts[i] = create_part(c);
        const size_t face = (c->first + i) * FACES_A_PART, left = c->mesh->face_count - face;
        const size_t last = face + (left < FACES_A_PART ? left : FACES_A_PART);
        for (size_t f = face; p && f < last && p->status == BASE_OK; f++) {
            p->face = (uint32_t)f;
            alg_voxel_surface_visit(geo_mesh_triangle(c->mesh, f), c->grid, c->options->navigation,
                                    visit_voxel, p);
        }
        if (p && p->status == BASE_OK) {
            flush_pairs(p);
        }
    }
}

/**
 * Collects points triangle by triangle. Parts are merged in the order of the triangles, so that the
 * points do not depend on the number of threads. Only PARTS parts exist at a time, so that they
 * take little memory.
 */
static base_status collect_points(const geo_mesh *mesh, const alg_voxel_grid *grid,
                                  const alg_pointshell_options *options, collector *c,
                                  base_error *err)
{
    *c = (collector){.mesh = mesh, .grid = grid, .options = options};
    base_status status = BASE_OK;
    if (has_two_phases(options->kind)) {
        status = alg_voxel_bits_create(grid->size, &c->projected, err);
        if (status == BASE_OK) {
            status = alg_voxel_bits_create(grid->size, &c->awaited, err);
        }
    }
    const size_t chunks = (mesh->face_count + FACES_A_PART - 1) / FACES_A_PART;
    for (c->first = 0; c->first < chunks && status == BASE_OK; c->first += PARTS) {
        const size_t left = chunks - c->first, count = left < PARTS ? left : PARTS;
        base_parallel_for(count, 1, options->threads, make_parts, c);
        for (size_t i = 0; i < count; i++) {
            if (status == BASE_OK) {
                status = c->parts[i] ? merge_part(c, c->parts[i], err) : out_of_memory(err);
            }
            release_part(c->parts[i]);
        }
    }
    /* The second phase of VPS 4. */
    for (size_t i = 0; i < c->waiting.count && status == BASE_OK; i++) {
        const shell_point *const w = &c->waiting.items[i];
        if (!get_bit(&c->projected, w->voxel)) {
            set_bit(&c->projected, w->voxel);
            c->recovered_count++;
            status = add_point(&c->kept, *w, err);
        }
    }
    return status;
}

static bool visit_face(void *context, uint32_t face)
{
    part *const c = context;
    add_pair(c, face, c->voxel);
    return true;
}

/** Collects points voxel by voxel, as in VPS 2. */
static base_status collect_old(const geo_mesh *mesh, const alg_voxel_map *map,
                               const alg_pointshell_options *options, collector *c, base_error *err)
{
    *c = (collector){.mesh = mesh, .grid = &map->grid, .options = options};
    base_arena scratch = {0};
    alg_box_query query;
    part *const p = create_part(c);
    base_status status = p ? alg_box_query_build(mesh, &scratch, &query, err) : out_of_memory(err);
    if (status == BASE_OK) {
        p->projection = ALG_POINTSHELL_VORONOI;
        const uint32_t *const size = map->grid.size;
        for (uint32_t z = 0; z < size[2]; z++) {
            for (uint32_t y = 0; y < size[1]; y++) {
                for (uint32_t x = 0; x < size[0] && p->status == BASE_OK; x++) {
                    if (alg_voxel_layer(map, x, y, z) != 0) {
                        continue;
                    }
                    const geo_box box = alg_voxel_box(&map->grid, x, y, z);
                    p->voxel = (const uint32_t[3]){x, y, z};
                    alg_box_query_run(&query, box, visit_face, p);
                }
            }
        }
        if (p->status == BASE_OK) {
            flush_pairs(p);
        }
        status = merge_part(c, p, err);
    }
    release_part(p);
    base_arena_release(&scratch);
    return status;
}

/* --- Reach ------------------------------------------------------------------------------------ */

/** Returns `edges` times the grid's edge, plus a bound on the rounding. */
static double reach_of(const alg_voxel_grid *grid, double edges)
{
    double extent = 0, coordinate = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double length = grid->edge * grid->size[axis];
        extent += length;
        coordinate = fmax(coordinate, fabs(vec3_get(grid->corner, axis)) + length);
    }
    /* No edge of the mesh is longer than `extent`, so `error` bounds the error of a projection's
     * distance. If the distance d from a middle has the error e, the point is off along the
     * triangle by up to sqrt((d + e)^2 - d^2) < sqrt(2 d e) + e. */
    const double reach = edges * grid->edge, error = PROJECTION_ERROR * extent;
    return reach + sqrt(2 * reach * error) + error + 0x1p-48 * coordinate;
}

/* --- Order and normals ------------------------------------------------------------------------ */

/**
 * Returns the voxel that contains a coordinate, by comparison with the planes of the grid. On a
 * plane it is the upper one of the two voxels.
 */
static uint32_t voxel_of(const alg_voxel_grid *grid, int axis, double x)
{
    const int64_t last = (int64_t)grid->size[axis] - 1;
    int64_t i = (int64_t)((x - vec3_get(grid->corner, axis)) / grid->edge + grid->padding);
    while (i > 0 && (i > last || x < alg_voxel_plane(grid, axis, i))) {
        i--;
    }
    while (i < last && x >= alg_voxel_plane(grid, axis, i + 1)) {
        i++;
    }
    return (uint32_t)i;
}

/**
 * Returns the Morton code of a point. The code has the point's voxel and, as lower bits, its
 * position in the voxel. So points of one voxel are also sorted by position.
 */
static uint64_t morton_code(const alg_voxel_grid *grid, vec3 p)
{
    const double parts = 1 << FRACTION_BITS;
    uint64_t number[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t voxel = voxel_of(grid, axis, vec3_get(p, axis));
        const double from = alg_voxel_plane(grid, axis, voxel);
        const double at = parts * ((vec3_get(p, axis) - from) / grid->edge);
        const uint64_t inner = at > 0 ? at < parts ? (uint64_t)at : (uint64_t)parts - 1 : 0;
        number[axis] = (uint64_t)voxel << FRACTION_BITS | inner;
    }
    return alg_voxel_morton(number[0], number[1], number[2]);
}

typedef struct sort_key {
    uint64_t code;
    uint32_t item;
} sort_key;

/**
 * Sorts by code, digit by digit. The sort is stable. `other` has room for `count` keys. Returns
 * `keys` or `other`, whichever holds the result.
 */
static sort_key *sort_keys(sort_key *keys, sort_key *other, size_t count)
{
    for (int shift = 0; shift < 3 * MORTON_BITS; shift += DIGIT_BITS) {
        size_t starts[(1 << DIGIT_BITS) + 1] = {0};
        const uint64_t mask = (1 << DIGIT_BITS) - 1;
        for (size_t i = 0; i < count; i++) {
            starts[(keys[i].code >> shift & mask) + 1]++;
        }
        for (size_t digit = 0; digit < mask; digit++) {
            starts[digit + 1] += starts[digit];
        }
        for (size_t i = 0; i < count; i++) {
            other[starts[keys[i].code >> shift & mask]++] = keys[i];
        }
        sort_key *const sorted = other;
        other = keys;
        keys = sorted;
    }
    return keys;
}

/**
 * Sums of layer times direction around a voxel (VPS 4): over all voxels, and over the inner voxels
 * only.
 */
typedef struct gradient {
    uint32_t voxel[3];
    vec3 all, inner;
    double size; /* sum of the lengths of the terms of `all` */
} gradient;

static void sum_layers(const alg_voxel_map *map, gradient *g)
{
    int64_t all[3] = {0}, inner[3] = {0};
    g->size = 0;
    for (int k = -NORMAL_REACH; k <= NORMAL_REACH; k++) {
        for (int j = -NORMAL_REACH; j <= NORMAL_REACH; j++) {
            for (int i = -NORMAL_REACH; i <= NORMAL_REACH; i++) {
                const int layer =
                    alg_voxel_layer(map, g->voxel[0] + (uint32_t)i, g->voxel[1] + (uint32_t)j,
                                    g->voxel[2] + (uint32_t)k);
                const int direction[3] = {i, j, k};
                g->size += abs(layer) * sqrt(i * i + j * j + k * k);
                for (int axis = 0; axis < 3; axis++) {
                    all[axis] += layer * direction[axis];
                    inner[axis] += layer > 0 ? layer * direction[axis] : 0;
                }
            }
        }
    }
    g->all = (vec3){(double)all[0], (double)all[1], (double)all[2]};
    g->inner = (vec3){(double)inner[0], (double)inner[1], (double)inner[2]};
}

/**
 * Returns a unit vector perpendicular to the longest edge, or (0, 0, 1) if the triangle is a point.
 */
static vec3 any_across(const geo_triangle *t)
{
    vec3 edge = vec3_sub(t->p[1], t->p[0]);
    for (int i = 1; i < 3; i++) {
        const vec3 other = vec3_sub(t->p[i == 2 ? 0 : i + 1], t->p[i]);
        edge = vec3_norm2(other) > vec3_norm2(edge) ? other : edge;
    }
    const vec3 size = vec3_abs(edge);
    const vec3 axis = size.x <= size.y && size.x <= size.z ? (vec3){1, 0, 0}
                      : size.y <= size.z                   ? (vec3){0, 1, 0}
                                                           : (vec3){0, 0, 1};
    const vec3 across = vec3_normalize(vec3_cross(vec3_normalize(edge), axis));
    return vec3_norm2(across) > 0 ? across : (vec3){0, 0, 1};
}

/** Returns the unit normal into the back of a triangle; 0 if the triangle has no plane. */
static vec3 back_of_face(const geo_triangle *t)
{
    const vec3 u = vec3_normalize(vec3_sub(t->p[1], t->p[0]));
    const vec3 v = vec3_normalize(vec3_sub(t->p[2], t->p[0]));
    return vec3_normalize(vec3_cross(v, u));
}

/** Returns the normal of a point on a triangle, from the layers around it and the triangle. */
static vec3 normal_of(const gradient *g, const geo_triangle *t, bool solid)
{
    const vec3 back = back_of_face(t);
    const bool has_plane = vec3_norm2(back) > 0;
    /* For a point of a thin solid, the sum may give no direction, or one that points out of the
     * point's face. At the rim of a plate the sum points along the plate, which is correct. */
    const double size = vec3_norm(g->all);
    if (solid && has_plane &&
        (size < NO_SUM * g->size ||
         (size < WEAK_SUM * g->size && vec3_dot(g->all, back) < -OPPOSED * size))) {
        return back;
    }
    if (vec3_norm2(g->all) > 0) {
        return vec3_normalize(g->all);
    }
    const vec3 normal = has_plane ? back : any_across(t);
    return vec3_dot(normal, g->inner) < 0 ? vec3_scale(-1, normal) : normal;
}

/** Arguments of fill_shell. */
typedef struct ordering {
    const geo_mesh *mesh;
    const alg_voxel_map *map;
    const shell_point *items;
    sort_key *keys;
    alg_pointshell *shell;
    bool solid;
} ordering;

static void make_keys(void *context, size_t begin, size_t end)
{
    const ordering *const o = context;
    for (size_t i = begin; i < end; i++) {
        o->keys[i] = (sort_key){morton_code(&o->map->grid, o->items[i].point), (uint32_t)i};
    }
}

/** Fills points, faces and normals in the sorted order. */
static void fill_shell(void *context, size_t begin, size_t end)
{
    const ordering *const o = context;
    alg_pointshell *const shell = o->shell;
    gradient g = {.voxel = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (size_t i = begin; i < end; i++) {
        const shell_point *const item = &o->items[o->keys[i].item];
        shell->points[i] = item->point;
        shell->faces[i] = item->face;
        bool same = true;
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t voxel = voxel_of(&o->map->grid, axis, vec3_get(item->point, axis));
            same = same && g.voxel[axis] == voxel;
            g.voxel[axis] = voxel;
        }
        if (!same) {
            sum_layers(o->map, &g);
        }
        const geo_triangle t = geo_mesh_triangle(o->mesh, item->face);
        shell->normals[i] = normal_of(&g, &t, o->solid);
    }
}

/**
 * Removes repeated points and keeps the first of them. Equal points have equal codes. Returns the
 * number of points that remain.
 */
static size_t drop_equal(const shell_point *items, sort_key *keys, size_t count)
{
    size_t kept = 0, first = 0; /* first: the first kept point with the current code */
    for (size_t i = 0; i < count; i++) {
        first = kept == 0 || keys[i].code != keys[kept - 1].code ? kept : first;
        bool seen = false;
        for (size_t k = first; k < kept && !seen; k++) {
            seen = vec3_equal(items[keys[k].item].point, items[keys[i].item].point);
        }
        if (!seen) {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

/**
 * Sorts the points of a list and removes repeated ones, since each copy would add a force. *keys is
 * in *room, which the caller must free with base_free, also after a failure.
 */
static base_status order_points(const alg_voxel_map *map, const point_list *list, sort_key **room,
                                sort_key **keys, size_t *count, base_error *err)
{
    *room = NULL;
    if (list->count > INT32_MAX) {
        return base_fail(err, BASE_ERR_INPUT, "more than 2^31 points of a pointshell");
    }
    *room = base_alloc(2 * list->count, sizeof **room);
    if (!*room) {
        return out_of_memory(err);
    }
    base_parallel_for(list->count, POINTS_A_CHUNK, 0, make_keys,
                      &(ordering){.map = map, .items = list->items, .keys = *room});
    *keys = sort_keys(*room, *room + list->count, list->count);
    *count = drop_equal(list->items, *keys, list->count);
    return BASE_OK;
}

/** Copies the points in sorted order, with their normals, into the arena. */
static base_status finish_shell(const geo_mesh *mesh, const alg_voxel_map *map,
                                const alg_pointshell_options *options, const point_list *list,
                                base_arena *arena, alg_pointshell *shell, base_error *err)
{
    sort_key *room;
    ordering o = {
        .mesh = mesh, .map = map, .items = list->items, .shell = shell, .solid = options->solid};
    size_t count;
    base_status status = order_points(map, list, &room, &o.keys, &count, err);
    if (status == BASE_OK) {
        shell->count = (uint32_t)count;
        shell->points = base_arena_alloc(arena, count, sizeof *shell->points);
        shell->normals = base_arena_alloc(arena, count, sizeof *shell->normals);
        shell->faces = base_arena_alloc(arena, count, sizeof *shell->faces);
        if (shell->points && shell->normals && shell->faces) {
            base_parallel_for(count, POINTS_A_CHUNK, options->threads, fill_shell, &o);
        } else {
            status = out_of_memory(err);
        }
    }
    base_free(room);
    return status;
}

/* --- Shares ----------------------------------------------------------------------------------- */

/** The search for the nearest point of each piece of the surface. */
typedef struct sharing {
    const geo_mesh *mesh;
    double edge; /* edge of a voxel */
    alg_division pieces;
    geo_nearest nearest; /* over the lifted points */
    uint32_t *owners;    /* [piece]: its point */
} sharing;

/** Moves p, which is on the face, outwards by one voxel. */
static vec3 lift(const sharing *s, uint32_t face, vec3 p)
{
    const geo_triangle t = geo_mesh_triangle(s->mesh, face);
    return vec3_madd(p, -s->edge, back_of_face(&t));
}

static void find_owners(void *context, size_t begin, size_t end)
{
    sharing *const s = context;
    uint32_t hint = GEO_NEAREST_NONE;
    for (size_t k = begin; k < end; k++) {
        const geo_triangle t = alg_division_triangle(&s->pieces, k);
        const vec3 sum = vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]);
        double gap;
        hint = geo_nearest_find(
            &s->nearest, lift(s, s->pieces.parts[k].face, vec3_scale(1.0 / 3, sum)), hint, &gap);
        s->owners[k] = hint;
    }
}

/** Adds up the pieces in their order, so that the sums do not depend on the number of threads. */
static void add_pieces(const sharing *s, alg_pointshell *shell)
{
    double area = 0;
    for (size_t k = 0; k < s->pieces.part_count; k++) {
        const geo_triangle t = alg_division_triangle(&s->pieces, k);
        const vec3 inward =
            vec3_scale(0.5, vec3_cross(vec3_sub(t.p[2], t.p[0]), vec3_sub(t.p[1], t.p[0])));
        vec3 *const share = &shell->shares[s->owners[k]];
        *share = vec3_add(*share, inward);
        area += vec3_norm(inward);
    }
    for (uint32_t i = 0; i < shell->count && area > 0; i++) {
        shell->shares[i] = vec3_scale(1 / area, shell->shares[i]);
    }
}

static base_status share_surface(const geo_mesh *mesh, const alg_voxel_grid *grid, unsigned threads,
                                 base_arena *arena, alg_pointshell *shell, base_error *err)
{
    base_arena scratch = {0};
    sharing s = {.mesh = mesh, .edge = grid->edge};
    vec3 *const lifted = base_arena_alloc(&scratch, shell->count, sizeof *lifted);
    double *const zeros = base_arena_alloc(&scratch, shell->count, sizeof *zeros);
    shell->shares = base_arena_alloc(arena, shell->count, sizeof *shell->shares);
    base_status status = lifted && zeros && shell->shares ? BASE_OK : out_of_memory(err);
    for (uint32_t i = 0; i < shell->count && status == BASE_OK; i++) {
        lifted[i] = lift(&s, shell->faces[i], shell->points[i]);
    }
    if (status == BASE_OK) {
        status = geo_nearest_build(lifted, zeros, shell->count, &scratch, &s.nearest, err);
    }
    if (status == BASE_OK) {
        status = alg_division_build(mesh, 0.5 * grid->edge, &s.pieces, err);
    }
    if (status == BASE_OK) {
        s.owners = base_arena_alloc(&scratch, s.pieces.part_count, sizeof *s.owners);
        status = s.owners ? BASE_OK : out_of_memory(err);
    }
    if (status == BASE_OK) {
        base_parallel_for(s.pieces.part_count, PIECES_A_CHUNK, threads, find_owners, &s);
        add_pieces(&s, shell);
    }
    alg_division_release(&s.pieces);
    base_arena_release(&scratch);
    return status;
}

/* --- Blue noise ------------------------------------------------------------------------------- */

/**
 * Returns a grid with the planes of `grid` and others between them. An edge is divided by
 * SUBDIVISION, or by less if this grid would be too large; if no factor fits, returns `grid`. The
 * factor is a power of 2, so that the division is exact.
 */
static alg_voxel_grid finer_grid(const alg_voxel_grid *grid)
{
    for (uint32_t n = SUBDIVISION; n > 1; n /= 2) {
        alg_voxel_grid finer = {grid->corner, grid->edge / n, 1, {0}};
        bool fits = true;
        for (int axis = 0; axis < 3; axis++) {
            finer.size[axis] = n * (grid->size[axis] - 2 * grid->padding) + 2;
            fits = fits && finer.size[axis] <= ALG_VOXEL_SIZE_MAX;
        }
        if (fits && alg_voxel_grid_count(&finer) <= FINER_VOXELS_MAX) {
            return finer;
        }
    }
    return *grid;
}

static double area_of(const geo_triangle *t)
{
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0])));
}

/** Adds about `count` random points; each face gets a share proportional to its area. */
static base_status sample_surface(const geo_mesh *mesh, size_t count, uint64_t seed,
                                  point_list *list, base_error *err)
{
    double area = 0, passed = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        area += area_of(&t);
    }
    base_random random = base_random_seed(seed);
    base_status status = BASE_OK;
    for (size_t f = 0; f < mesh->face_count && area > 0 && status == BASE_OK; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        passed += area_of(&t);
        while (list->count < (double)count * (passed / area) && status == BASE_OK) {
            /* A uniformly distributed point of the triangle. */
            const double root = sqrt(base_random_unit(&random));
            const double share = base_random_unit(&random);
            const vec3 across = vec3_madd(t.p[1], share, vec3_sub(t.p[2], t.p[1]));
            const vec3 point = vec3_madd(t.p[0], root, vec3_sub(across, t.p[0]));
            status = add_point(list, (shell_point){.point = point, .face = (uint32_t)f}, err);
        }
    }
    return status;
}

/**
 * Chooses about `target` points from random points and the points of `shell`. The random points are
 * tried first. Without them, the candidates on an axis-aligned face would be a regular grid, and
 * the points chosen from a grid would be uneven.
 */
static base_status choose_points(const geo_mesh *mesh, const point_list *shell, size_t target,
                                 const alg_pointshell_options *options, point_list *kept,
                                 double *radius, base_error *err)
{
    size_t count = 0;
    vec3 *points = NULL;
    uint32_t *chosen = NULL;
    point_list all = {0};
    base_status status = sample_surface(mesh, RANDOM_SHARE * target, options->seed, &all, err);
    const size_t first_count = all.count;
    for (size_t i = 0; i < shell->count && status == BASE_OK; i++) {
        status = add_point(&all, shell->items[i], err);
    }
    if (status != BASE_OK) {
        goto done;
    }
    points = base_alloc(all.count, sizeof *points);
    chosen = base_alloc(all.count, sizeof *chosen);
    if (!points || !chosen) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a pointshell");
        goto done;
    }
    for (size_t i = 0; i < all.count; i++) {
        points[i] = all.items[i].point;
    }
    status = alg_blue_noise_choose(points, first_count, all.count, target, *radius, options->seed,
                                   chosen, &count, radius, err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = add_point(kept, all.items[chosen[i]], err);
    }
done:
    base_free(all.items);
    base_free(points);
    base_free(chosen);
    return status;
}

static base_status collect_blue_noise(const geo_mesh *mesh, const alg_voxel_map *map,
                                      const alg_pointshell_options *options, collector *c,
                                      double *reach, base_error *err)
{
    size_t target = 0;
    base_status status = collect_points(mesh, &map->grid, options, c, err);
    if (status == BASE_OK) {
        sort_key *room, *keys;
        status = order_points(map, &c->kept, &room, &keys, &target, err);
        base_free(room);
    }
    if (status != BASE_OK) {
        return status;
    }
    const double project_ns = c->project_ns, error = c->projection_error;
    release_collector(c);
    const alg_voxel_grid finer = finer_grid(&map->grid);
    status = collect_points(mesh, &finer, options, c, err);
    if (status != BASE_OK) {
        return status;
    }
    c->project_ns += project_ns;
    c->projection_error = fmax(c->projection_error, error);
    double radius = RADIUS_GUESS * map->grid.edge;
    point_list kept = {0};
    status = choose_points(mesh, &c->kept, target, options, &kept, &radius, err);
    base_free(c->kept.items);
    c->kept = kept;
    *reach = reach_of(&finer, sqrt(3)) + radius;
    return status;
}

/* --- Whole shell ------------------------------------------------------------------------------ */

/** Collects the points. The caller must release the collector, also after a failure. */
static base_status collect(const geo_mesh *mesh, const alg_voxel_map *map,
                           const alg_pointshell_options *options, collector *c, double *reach,
                           base_error *err)
{
    *reach = reach_of(&map->grid, options->kind == ALG_POINTSHELL_TWO_PHASE ? sqrt(3) : sqrt(0.75));
    switch (options->kind) {
    case ALG_POINTSHELL_OLD:
        return collect_old(mesh, map, options, c, err);
    case ALG_POINTSHELL_BLUE_NOISE:
        return collect_blue_noise(mesh, map, options, c, reach, err);
    default:
        return collect_points(mesh, &map->grid, options, c, err);
    }
}

base_status alg_pointshell_build(const geo_mesh *mesh, const alg_voxel_map *map,
                                 const alg_pointshell_options *options, base_arena *arena,
                                 alg_pointshell *shell, base_error *err)
{
    base_assert(map->layers >= NORMAL_REACH && map->grid.padding > NORMAL_REACH);
    *shell = (alg_pointshell){0};
    collector c;
    const uint64_t start = alg_clock_ns();
    base_status status = collect(mesh, map, options, &c, &shell->reach, err);
    shell->collect_ns = (double)(alg_clock_ns() - start);
    if (status == BASE_OK) {
        shell->project_ns = c.project_ns;
        shell->projection_error = c.projection_error;
        shell->recovered_count = (double)c.recovered_count;
        if (options->kind != ALG_POINTSHELL_TWO_PHASE) {
            shell->recovered_share = shell->recovered_count = (double)NAN;
        } else if (c.boundary_count > 0) {
            shell->recovered_share = (double)c.recovered_count / (double)c.boundary_count;
        }
        if (options->kind == ALG_POINTSHELL_BLUE_NOISE) {
            shell->boundary_share = (double)NAN;
        } else if (c.projection_count > 0) {
            shell->boundary_share = (double)c.boundary_count / (double)c.projection_count;
        }
        status = finish_shell(mesh, map, options, &c.kept, arena, shell, err);
    }
    release_collector(&c);
    if (status == BASE_OK && options->shares) {
        status = share_surface(mesh, &map->grid, options->threads, arena, shell, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const uint64_t begin = alg_clock_ns();
    alg_spacing spacing;
    status = alg_spacing_measure(shell->points, shell->count, &spacing, err);
    shell->spacing_mean = spacing.mean;
    shell->spacing_least = spacing.least;
    shell->spacing_deviation = spacing.deviation;
    shell->spacing_ns = (double)(alg_clock_ns() - begin);
    return status;
}

/* --- Angles of normals ------------------------------------------------------------------------ */

static int compare_angles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/** Returns the smallest of the sorted values that is at least as large as a share of them. */
static double of_rank(const double *sorted, size_t count, double share)
{
    return sorted[(size_t)ceil(share * (double)count) - 1];
}

base_status alg_pointshell_angles_measure(const geo_mesh *mesh, const alg_pointshell *shell,
                                          alg_pointshell_angles *angles, base_error *err)
{
    double *const degrees = base_alloc(shell->count, sizeof *degrees);
    if (!degrees) {
        return out_of_memory(err);
    }
    size_t count = 0, turned = 0;
    for (uint32_t i = 0; i < shell->count; i++) {
        const geo_triangle t = geo_mesh_triangle(mesh, shell->faces[i]);
        const vec3 back = back_of_face(&t);
        if (vec3_norm2(back) > 0) {
            const double cosine = vec3_dot(back, shell->normals[i]);
            turned += cosine < 0;
            degrees[count++] = base_acos(cosine) * (180 / BASE_PI);
        }
    }
    qsort(degrees, count, sizeof *degrees, compare_angles);
    *angles = (alg_pointshell_angles){NAN, NAN, NAN, NAN};
    if (count > 0) {
        *angles =
            (alg_pointshell_angles){of_rank(degrees, count, 0.5), of_rank(degrees, count, 0.95),
                                    degrees[count - 1], (double)turned / (double)count};
    }
    base_free(degrees);
    return BASE_OK;
}
