#include "groundtruth/body/tetrahedra.h"

#include "base/memory.h"
#include "geometry/predicates.h"
#include "geometry/vec.h"

#include <float.h>

double gt_tetrahedron_volume(const gt_tetrahedron *t)
{
    const vec3 a = vec3_sub(t->p[1], t->p[0]);
    const vec3 b = vec3_sub(t->p[2], t->p[0]);
    const vec3 c = vec3_sub(t->p[3], t->p[0]);
    return vec3_dot(vec3_cross(a, b), c) / 6;
}

gt_planes gt_tetrahedron_planes(const gt_tetrahedron *t)
{
    const vec3 a = vec3_sub(t->p[1], t->p[0]);
    const vec3 b = vec3_sub(t->p[2], t->p[0]);
    const vec3 c = vec3_sub(t->p[3], t->p[0]);
    const vec3 d = vec3_sub(t->p[2], t->p[1]);
    const vec3 e = vec3_sub(t->p[3], t->p[1]);
    const vec3 n[4] = {vec3_cross(e, d), vec3_cross(b, c), vec3_cross(c, a), vec3_cross(a, b)};
    return (gt_planes){
        .x = {n[0].x, n[1].x, n[2].x, n[3].x},
        .y = {n[0].y, n[1].y, n[2].y, n[3].y},
        .z = {n[0].z, n[1].z, n[2].z, n[3].z},
    };
}

void gt_tetrahedra_release(gt_tetrahedra *tetrahedra)
{
    base_free(tetrahedra->vertices);
    base_free(tetrahedra->corners);
    *tetrahedra = (gt_tetrahedra){0};
}

static void swap(uint32_t *a, uint32_t *b)
{
    const uint32_t keep = *a;
    *a = *b;
    *b = keep;
}

base_status gt_tetrahedra_orient(gt_tetrahedra *tetrahedra, base_error *err)
{
    const vec3 *const p = tetrahedra->vertices;
    for (size_t i = 0; i < tetrahedra->count; i++) {
        uint32_t *const v = tetrahedra->corners[i].v;
        for (int round = 3; round > 0; round--) {
            for (int k = 0; k < round; k++) {
                if (v[k] > v[k + 1]) {
                    swap(&v[k], &v[k + 1]);
                }
            }
        }
        /* If geo_orient3d is positive, the first three corners are counter-clockwise as seen
         * from outside and the fourth is behind them; gt_tetrahedron needs it in front. */
        const int side = geo_orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]);
        if (side == 0) {
            return base_fail(err, BASE_ERR_SYSTEM, "tetgen made a flat tetrahedron");
        }
        if (side > 0) {
            swap(&v[2], &v[3]);
        }
    }
    return BASE_OK;
}

/* --- Boundary faces: an open-addressed table of triangles ------------------------------------- */

/** A triangle by its vertices in ascending order; count: signed number of occurrences. */
typedef struct entry {
    uint32_t v[3];
    int32_t count;
    bool used;
} entry;

typedef struct face_table {
    entry *entries;
    size_t mask;
    size_t unpaired; /* entries with count != 0 */
} face_table;

static bool find_entry(const face_table *table, const uint32_t v[3], size_t *place)
{
    uint64_t h = v[0];
    for (int i = 1; i < 3; i++) {
        h = (h ^ (h >> 29)) * 0x9e3779b97f4a7c15u + v[i];
    }
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
    for (size_t at = (size_t)(h >> 20) & table->mask;; at = (at + 1) & table->mask) {
        const entry *const e = &table->entries[at];
        if (!e->used || (e->v[0] == v[0] && e->v[1] == v[1] && e->v[2] == v[2])) {
            *place = at;
            return e->used;
        }
    }
}

/** Adds the oriented triangle a, b, c with the multiplicity `times` (1 or -1). */
static void add_face(face_table *table, uint32_t a, uint32_t b, uint32_t c, int32_t times)
{
    uint32_t v[3] = {a, b, c};
    int32_t sign = times;
    for (int k = 0; k < 3; k++) { /* compare 0-1, 1-2, 0-1 */
        const int i = k == 1;
        if (v[i] > v[i + 1]) {
            swap(&v[i], &v[i + 1]);
            sign = -sign;
        }
    }
    size_t at;
    if (!find_entry(table, v, &at)) {
        table->entries[at] = (entry){{v[0], v[1], v[2]}, 0, true};
    }
    const int32_t before = table->entries[at].count;
    const int32_t after = before + sign;
    table->entries[at].count = after;
    table->unpaired += (size_t)(after != 0);
    table->unpaired -= (size_t)(before != 0);
}

static base_status check_boundary(const gt_tetrahedra *tetrahedra, const geo_mesh *mesh,
                                  base_error *err)
{
    size_t capacity = 64;
    while (capacity < 3 * (2 * tetrahedra->count + mesh->face_count)) {
        capacity *= 2;
    }
    face_table table = {.mask = capacity - 1};
    table.entries = base_alloc(capacity, sizeof *table.entries);
    if (!table.entries) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra",
                         tetrahedra->count);
    }
    for (size_t i = 0; i < tetrahedra->count; i++) {
        const uint32_t *const v = tetrahedra->corners[i].v;
        add_face(&table, v[0], v[2], v[1], 1);
        add_face(&table, v[0], v[1], v[3], 1);
        add_face(&table, v[1], v[2], v[3], 1);
        add_face(&table, v[2], v[0], v[3], 1);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        add_face(&table, v[0], v[1], v[2], -1);
    }
    const size_t unpaired = table.unpaired;
    base_free(table.entries);
    if (unpaired != 0) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "tetgen did not fill the body: %zu faces of its boundary differ",
                         unpaired);
    }
    return BASE_OK;
}

static base_status check_volume(const gt_tetrahedra *tetrahedra, const geo_mesh *mesh,
                                base_error *err)
{
    long double sum = 0;
    for (size_t i = 0; i < tetrahedra->count; i++) {
        const gt_tetrahedron t = gt_tetrahedra_get(tetrahedra, i);
        sum += (long double)gt_tetrahedron_volume(&t);
    }
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    const double size = 0.5 * geo_box_diagonal(geo_mesh_box(mesh));
    const double slack = 1e-12 * measure.volume_m3 + 64 * DBL_EPSILON * size * measure.area_m2;
    const double difference = (double)(sum - (long double)measure.volume_m3);
    if (!(fabs(difference) <= slack)) {
        return base_fail(err, BASE_ERR_SYSTEM,
                         "tetgen did not fill the body: the tetrahedra have %.17g m3, the mesh "
                         "%.17g m3",
                         (double)sum, measure.volume_m3);
    }
    return BASE_OK;
}

base_status gt_tetrahedra_check(const gt_tetrahedra *tetrahedra, const geo_mesh *mesh,
                                base_error *err)
{
    const base_status status = check_boundary(tetrahedra, mesh, err);
    return status != BASE_OK ? status : check_volume(tetrahedra, mesh, err);
}

enum { BINS = 16 };

/* --- Packets of cells -------------------------------------------------------------------------
 *
 * Ranges are split by the surface area heuristic over bins of centroids, as in a hierarchy, but
 * always behind a multiple of eight cells, so that packets are full.
 */

typedef struct item {
    geo_box box;
    uint32_t index;
} item;

/** Returns lo + hi, twice the centre of the box, in place of the centroid. */
static double place(const item *it, int axis)
{
    return vec3_get(it->box.lo, axis) + vec3_get(it->box.hi, axis);
}

/** True if a comes before b along an axis. This is a total order. */
static bool before(const item *a, const item *b, int axis)
{
    const double x = place(a, axis), y = place(b, axis);
    return x < y || (x == y && a->index < b->index);
}

static double half_area(geo_box box)
{
    const vec3 e = vec3_sub(box.hi, box.lo);
    return e.x * e.y + e.y * e.z + e.z * e.x;
}

static void swap_items(item *a, item *b)
{
    const item keep = *a;
    *a = *b;
    *b = keep;
}

/** Moves the `count` items that come first along an axis to the front (quickselect). */
static void select_first(item *items, size_t n, size_t count, int axis)
{
    while (n > 1 && count > 0 && count < n) {
        swap_items(&items[n / 2], &items[n - 1]);
        const item *const pivot = &items[n - 1];
        size_t low = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            if (before(&items[i], pivot, axis)) {
                swap_items(&items[i], &items[low++]);
            }
        }
        swap_items(&items[low], &items[n - 1]);
        if (count <= low) {
            n = low;
        } else {
            items += low + 1;
            n -= low + 1;
            count -= low + 1;
        }
    }
}

/**
 * Finds the best cut along an axis. *left is the number of items before the cut, a multiple of
 * eight. Returns the cost.
 */
static double best_cut(const item *items, size_t n, int axis, size_t *left)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        const double c = place(&items[i], axis);
        lo = c < lo ? c : lo;
        hi = c > hi ? c : hi;
    }
    geo_box box[BINS];
    size_t count[BINS] = {0};
    for (int i = 0; i < BINS; i++) {
        box[i] = geo_box_empty();
    }
    for (size_t i = 0; i < n; i++) {
        const double at = hi > lo ? (place(&items[i], axis) - lo) / (hi - lo) * BINS : 0;
        const int bin = at < BINS ? (int)at : BINS - 1;
        box[bin] = geo_box_join(box[bin], items[i].box);
        count[bin]++;
    }
    double above[BINS + 1] = {0};
    geo_box all = geo_box_empty();
    for (int i = BINS - 1; i > 0; i--) {
        all = geo_box_join(all, box[i]);
        above[i] = all.lo.x <= all.hi.x ? half_area(all) : 0;
    }
    double best = INFINITY;
    all = geo_box_empty();
    size_t below = 0;
    for (int i = 1; i < BINS; i++) {
        all = geo_box_join(all, box[i - 1]);
        below += count[i - 1];
        const size_t cut = (below + GT_PACKET / 2) / GT_PACKET * GT_PACKET;
        if (cut == 0 || cut >= n) {
            continue;
        }
        const double cost = half_area(all) * (double)cut + above[i] * (double)(n - cut);
        if (cost < best) {
            best = cost;
            *left = cut;
        }
    }
    return best;
}

static void group(item *items, size_t n)
{
    while (n > GT_PACKET) {
        size_t left = (n / 2 + GT_PACKET - 1) / GT_PACKET * GT_PACKET;
        int axis = 0;
        double best = INFINITY;
        for (int k = 0; k < 3; k++) {
            size_t cut = 0;
            const double cost = best_cut(items, n, k, &cut);
            if (cost < best) {
                best = cost;
                axis = k;
                left = cut;
            }
        }
        select_first(items, n, left, axis);
        const bool short_left = left < n - left; /* the loop continues with the longer part, so the
                                                  * depth of the recursion is at most log n */
        group(short_left ? items : items + left, short_left ? left : n - left);
        items = short_left ? items + left : items;
        n = short_left ? n - left : left;
    }
}

/* --- Cells and packets ------------------------------------------------------------------------ */

static geo_box box_of(const gt_tetrahedron *t)
{
    return (geo_box){vec3_min(vec3_min(t->p[0], t->p[1]), vec3_min(t->p[2], t->p[3])),
                     vec3_max(vec3_max(t->p[0], t->p[1]), vec3_max(t->p[2], t->p[3]))};
}

static gt_cell make_cell(const gt_tetrahedron *corners)
{
    const geo_box box = box_of(corners);
    const vec3 edges = vec3_sub(box.hi, box.lo);
    return (gt_cell){.corners = *corners,
                     .planes = gt_tetrahedron_planes(corners),
                     .volume_m3 = gt_tetrahedron_volume(corners),
                     .size = edges.x + edges.y + edges.z};
}

/** Returns the square of the longest edge of the face opposite to corner k. */
static double face_reach2(const gt_tetrahedron *t, int k)
{
    double most = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            const double d = i != k && j != k ? vec3_distance2(t->p[i], t->p[j]) : 0;
            most = d > most ? d : most;
        }
    }
    return most;
}

static void set_lane(gt_packet *packet, int lane, const gt_cell *cell, vec3 origin)
{
    const geo_box box = box_of(&cell->corners);
    for (int k = 0; k < 3; k++) {
        packet->lo[k][lane] = (float)(vec3_get(box.lo, k) - vec3_get(origin, k));
        packet->hi[k][lane] = (float)(vec3_get(box.hi, k) - vec3_get(origin, k));
    }
    for (int i = 0; i < 4; i++) {
        const vec3 p = vec3_sub(cell->corners.p[i], origin);
        const vec3 n = {cell->planes.x[i], cell->planes.y[i], cell->planes.z[i]};
        /* The rounding error of n is below 2^-50 times the square of the longest edge. It must be
         * far below the precision of a float. */
        const bool known = vec3_norm(n) >= 0x1p-20 * face_reach2(&cell->corners, i);
        const vec3 unit = known ? vec3_normalize(n) : (vec3){0, 0, 0};
        const vec3 q = vec3_sub(cell->corners.p[i == 0], origin);
        packet->offset[i][lane] = (float)vec3_dot(unit, q);
        for (int k = 0; k < 3; k++) {
            packet->corner[i][k][lane] = (float)vec3_get(p, k);
            packet->normal[i][k][lane] = (float)vec3_get(unit, k);
        }
    }
}

static void make_packet(const gt_cells *to, size_t at, const gt_tetrahedra *tetrahedra,
                        const item *items, size_t n, vec3 origin)
{
    gt_packet *const packet = &to->packets[at];
    for (int k = 0; k < 3; k++) {
        for (int lane = 0; lane < GT_PACKET; lane++) {
            packet->lo[k][lane] = INFINITY;
            packet->hi[k][lane] = -INFINITY;
        }
    }
    for (size_t i = 0; i < n; i++) {
        gt_cell *const cell = &to->cells[GT_PACKET * at + i];
        const gt_tetrahedron t = gt_tetrahedra_get(tetrahedra, items[i].index);
        *cell = make_cell(&t);
        set_lane(packet, (int)i, cell, origin);
    }
}

static base_status fill(const gt_tetrahedra *tetrahedra, const item *items, vec3 origin,
                        double margin, base_arena *arena, gt_cells *cells, base_error *err)
{
    const size_t n = tetrahedra->count, packets = (n + GT_PACKET - 1) / GT_PACKET;
    const vec3 wide = {margin, margin, margin};
    geo_box *const boxes = base_alloc(packets, sizeof *boxes);
    cells->cells = base_arena_alloc(arena, packets * GT_PACKET, sizeof *cells->cells);
    cells->packets = base_arena_alloc(arena, packets, sizeof *cells->packets);
    base_status status = BASE_OK;
    if (!boxes || !cells->cells || !cells->packets) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra", n);
        goto done;
    }
    for (size_t i = 0; i < packets; i++) {
        geo_box box = geo_box_empty();
        for (size_t k = GT_PACKET * i; k < n && k < GT_PACKET * (i + 1); k++) {
            box = geo_box_join(box, items[k].box);
        }
        boxes[i] = (geo_box){vec3_sub(vec3_sub(box.lo, origin), wide),
                             vec3_add(vec3_sub(box.hi, origin), wide)};
    }
    status = geo_bvh_build(boxes, packets, 1, arena, &cells->bvh, err);
    for (size_t i = 0; i < packets && status == BASE_OK; i++) {
        const size_t first = (size_t)GT_PACKET * cells->bvh.order[i];
        const size_t left = n - first;
        make_packet(cells, i, tetrahedra, &items[first], left < GT_PACKET ? left : GT_PACKET,
                    origin);
    }
done:
    base_free(boxes);
    return status;
}

base_status gt_cells_build(const gt_tetrahedra *tetrahedra, vec3 origin, double margin,
                           base_arena *arena, gt_cells *cells, base_error *err)
{
    const size_t n = tetrahedra->count;
    item *const items = base_alloc(n, sizeof *items);
    *cells = (gt_cells){0};
    if (!items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra", n);
    }
    for (size_t i = 0; i < n; i++) {
        const gt_tetrahedron t = gt_tetrahedra_get(tetrahedra, i);
        items[i] = (item){box_of(&t), (uint32_t)i};
    }
    group(items, n);
    const base_status status = fill(tetrahedra, items, origin, margin, arena, cells, err);
    base_free(items);
    if (status != BASE_OK) {
        *cells = (gt_cells){0};
    }
    return status;
}
