/**
 * The mesh is divided once more, and the corners of the parts are found among the points of the
 * tree by their positions. Points at the same position represent the same parts.
 */
#include "algorithms/pst/parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/** A point of the tree, for sorting by position. */
typedef struct place {
    vec3 at;
    uint32_t point;
} place;

static int compare_at(vec3 a, vec3 b)
{
    for (int k = 0; k < 3; k++) {
        const double x = vec3_get(a, k), y = vec3_get(b, k);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    const place *const p = a, *const q = b;
    const int order = compare_at(p->at, q->at);
    return order != 0 ? order : (p->point > q->point) - (p->point < q->point);
}

static int compare_parts(const void *a, const void *b)
{
    const alg_pst_part *const p = a, *const q = b;
    for (int k = 0; k < 3; k++) {
        if (p->corner[k] != q->corner[k]) {
            return p->corner[k] < q->corner[k] ? -1 : 1;
        }
    }
    return (p->face > q->face) - (p->face < q->face);
}

/** Returns the index of the first sorted point at a position, or where it would be inserted. */
static size_t find_place(const place *places, size_t count, vec3 at)
{
    size_t first = 0, last = count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (compare_at(places[middle].at, at) < 0) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

/** Visits each point at the positions of a part's corners once: counts it, or stores the part as
 * its member. */
static void add_members(const place *places, size_t count, const alg_pst_parts *parts,
                        uint32_t part, bool count_only, uint32_t *next)
{
    const uint32_t *const c = parts->parts[part].corner;
    for (int k = 0; k < 3; k++) {
        if ((k > 0 && c[k] == c[0]) || (k > 1 && c[k] == c[1])) {
            continue; /* two corners at the same position */
        }
        const vec3 at = parts->points[c[k]];
        for (size_t i = find_place(places, count, at);
             i < count && compare_at(places[i].at, at) == 0; i++) {
            if (!count_only) {
                parts->members[next[places[i].point]] = part;
            }
            next[places[i].point]++;
        }
    }
}

/** Builds first and members from the corners of parts. */
static base_status list_members(const place *places, size_t point_count, base_arena *arena,
                                alg_pst_parts *parts, base_error *err)
{
    uint32_t *const next = base_alloc(point_count, sizeof *next);
    parts->first = base_arena_alloc(arena, point_count + 1, sizeof *parts->first);
    if (!next || !parts->first) {
        base_free(next);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    memset(next, 0, point_count * sizeof *next);
    for (uint32_t i = 0; i < parts->count; i++) {
        add_members(places, point_count, parts, i, true, next);
    }
    for (size_t i = 0; i < point_count; i++) {
        parts->most = next[i] > parts->most ? next[i] : parts->most;
        parts->first[i + 1] = parts->first[i] + next[i];
        next[i] = parts->first[i];
    }
    parts->members = base_arena_alloc(arena, parts->first[point_count], sizeof *parts->members);
    for (uint32_t i = 0; parts->members && i < parts->count; i++) {
        add_members(places, point_count, parts, i, false, next);
    }
    base_free(next);
    return parts->members
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
}

/** Fills the parts of a division, with points as corners. Returns false if a corner is not a point
 * of the tree. */
static bool fill_parts(const alg_division *division, const place *places, size_t point_count,
                       alg_pst_parts *parts)
{
    parts->count = (uint32_t)division->part_count;
    for (uint32_t i = 0; i < parts->count; i++) {
        const alg_part *const t = &division->parts[i];
        parts->parts[i].face = t->face;
        for (int k = 0; k < 3; k++) {
            const vec3 at = division->vertices[t->corner[k]];
            const size_t found = find_place(places, point_count, at);
            if (found == point_count || compare_at(places[found].at, at) != 0) {
                return false;
            }
            parts->parts[i].corner[k] = places[found].point;
        }
    }
    qsort(parts->parts, parts->count, sizeof *parts->parts, compare_parts);
    return true;
}

/** Marks the faces that have several parts. */
static void mark_cut(size_t face_count, alg_pst_parts *parts)
{
    enum { NONE, ONE, MORE };
    for (uint32_t i = 0; i < parts->count; i++) {
        uint8_t *const seen = &parts->cut[parts->parts[i].face];
        *seen = *seen == NONE ? ONE : MORE;
    }
    for (size_t f = 0; f < face_count; f++) {
        parts->cut[f] = parts->cut[f] == MORE;
    }
}

base_status alg_pst_parts_build(const geo_mesh *mesh, uint32_t voxels, const alg_pst_tree *tree,
                                base_arena *arena, alg_pst_parts *parts, base_error *err)
{
    const size_t count = tree->points.count;
    *parts = (alg_pst_parts){.points = tree->points.points};
    alg_division division;
    base_status status = alg_pst_points_divide(mesh, voxels, &division, err);
    if (status != BASE_OK) {
        return status;
    }
    place *const places = base_alloc(count, sizeof *places);
    parts->parts = base_arena_alloc(arena, division.part_count, sizeof *parts->parts);
    parts->cut = base_arena_alloc(arena, mesh->face_count, sizeof *parts->cut);
    if (places && parts->parts && parts->cut) {
        for (uint32_t i = 0; i < count; i++) {
            places[i] = (place){tree->points.points[i], i};
        }
        qsort(places, count, sizeof *places, compare_places);
        status = fill_parts(&division, places, count, parts)
                     ? list_members(places, count, arena, parts, err)
                     : base_fail(err, BASE_ERR_INPUT, "points are not those of the mesh");
        mark_cut(mesh->face_count, parts);
    } else {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the parts of a mesh");
    }
    base_free(places);
    alg_division_release(&division);
    return status;
}
