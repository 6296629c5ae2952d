#include "groundtruth/body/tetrahedra.h"

#include "base/memory.h"
#include "geometry/box.h"
#include "geometry/predicates.h"

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
        /* The first three counter-clockwise seen from outside have the fourth behind them when
         * geo_orient3d is positive; gt_tetrahedron has it in front. */
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

/** Adds the oriented triangle a, b, c `times` times (1 or -1). */
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
