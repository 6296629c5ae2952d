/**
 * Sets of voxels, bodies from given voxels, without a mesh, and a brute-force list of all pairs of
 * voxels that meet.
 */
#ifndef ALGORITHMS_IMP_TESTS_BODIES_H
#define ALGORITHMS_IMP_TESTS_BODIES_H

#include "algorithms/imp/body.h"
#include "algorithms/imp/search.h"
#include "algorithms/voxel/grid.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* --- Sets of voxels --------------------------------------------------------------------------- */

typedef struct voxel_set {
    alg_voxel_bits surface, full;
} voxel_set;

static inline voxel_set make_set(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t size[3] = {x, y, z};
    voxel_set s;
    assert_ok(alg_voxel_bits_create(size, &s.surface, ERR));
    assert_ok(alg_voxel_bits_create(size, &s.full, ERR));
    return s;
}

static inline void release_set(voxel_set *s)
{
    alg_voxel_bits_release(&s->surface);
    alg_voxel_bits_release(&s->full);
}

#define SCOPED_SET RELEASED_BY(release_set) voxel_set

static inline void set_voxel(alg_voxel_bits *bits, uint32_t x, uint32_t y, uint32_t z)
{
    alg_voxel_bits_row(bits, y, z)[x / 64] |= (uint64_t)1 << x % 64;
}

/** Returns surface voxels for a share of the grid, and half as many full voxels. */
static inline voxel_set random_set(uint32_t x, uint32_t y, uint32_t z, double share, uint64_t seed)
{
    voxel_set s = make_set(x, y, z);
    base_random random = base_random_seed(seed);
    for (uint32_t i = 0; i < x * y * z; i++) {
        const double drawn = base_random_unit(&random);
        if (drawn < 1.5 * share || i + 1 == x * y * z) {
            set_voxel(drawn < share || i + 1 == x * y * z ? &s.surface : &s.full, i % x, i / x % y,
                      i / x / y);
        }
    }
    return s;
}

/** Returns a ball of full voxels inside a shell of surface voxels; parts of both are missing. */
static inline voxel_set ball_set(uint32_t x, uint32_t y, uint32_t z, double missing, uint64_t seed)
{
    voxel_set s = make_set(x, y, z);
    base_random random = base_random_seed(seed);
    for (uint32_t i = 0; i < x * y * z; i++) {
        const uint32_t at[3] = {i % x, i / x % y, i / x / y};
        double r2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = (2.0 * at[axis] + 1) / s.full.size[axis] - 1;
            r2 += d * d;
        }
        const bool there = base_random_unit(&random) >= missing;
        if (r2 < 0.9 && (there || r2 < 0.3)) {
            set_voxel(r2 < 0.7 ? &s.full : &s.surface, at[0], at[1], at[2]);
        }
    }
    return s;
}

/**
 * Returns a set in which all voxels with x + y + z <= most are full, except one surface voxel in a
 * corner.
 */
static inline voxel_set wedge_set(uint32_t x, uint32_t y, uint32_t z, uint32_t most)
{
    voxel_set s = make_set(x, y, z);
    set_voxel(&s.surface, 0, 0, 0);
    for (uint32_t i = 1; i < x * y * z; i++) {
        if (i % x + i / x % y + i / x / y <= most) {
            set_voxel(&s.full, i % x, i / x % y, i / x / y);
        }
    }
    return s;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** A voxel of a body. */
typedef struct voxel_cell {
    uint32_t number;
    uint16_t at[3];
} voxel_cell;

typedef struct voxel_body {
    alg_imp_body body;
    voxel_cell *cells; /* surface voxels, then full ones; in the body's arena */
    uint32_t count;
} voxel_body;

/** Adds a voxel. Implements alg_imp_visitor. */
static inline void add_voxel(void *context, uint32_t number, alg_imp_cell at)
{
    voxel_body *const s = context;
    s->cells[s->count++] = (voxel_cell){number, {(uint16_t)at.x, (uint16_t)at.y, (uint16_t)at.z}};
}

/** Makes a body. The grid has its corner at (1, -2, 0.5) and no padding. */
static inline void make_body(voxel_body *s, const voxel_set *set, bool full, double edge,
                             alg_imp_children children, alg_imp_spheres spheres)
{
    const alg_imp_tree_options options = {children, spheres, 1};
    const uint32_t *const n = set->surface.size;
    *s = (voxel_body){0};
    base_arena *const arena = &s->body.arena;
    s->body.grid =
        (alg_voxel_grid){.corner = {1, -2, 0.5}, .edge = edge, .size = {n[0], n[1], n[2]}};
    assert_ok(alg_imp_tree_build(&set->surface, full ? &set->full : NULL, &options, arena,
                                 &s->body.tree, ERR));
    const uint64_t all = s->body.tree.voxel_count + s->body.tree.full_count;
    s->cells = base_arena_alloc(arena, all, sizeof *s->cells);
    s->body.voxels = base_arena_alloc(arena, s->body.tree.voxel_count, sizeof *s->body.voxels);
    alg_imp_tree_visit(&s->body.tree, add_voxel, s);
    for (uint32_t i = 0; full && i < n[0] * n[1] * n[2]; i++) {
        const uint32_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
        if (alg_voxel_bit(&set->full, x, y, z)) {
            add_voxel(s, ALG_IMP_FULL, (alg_imp_cell){x, y, z});
        }
    }
    cr_assert_eq(s->count, all);
}

static inline void release_body(voxel_body *s)
{
    base_arena_release(&s->body.arena);
}

#define SCOPED_BODY RELEASED_BY(release_body) voxel_body

/* --- Lists of pairs --------------------------------------------------------------------------- */

typedef struct hit_list {
    alg_imp_hit *items;
    size_t capacity;
    uint32_t count;
    uint32_t level_a, level_b; /* of the last hits */
    uint32_t most;             /* number of hits to take; 0: all */
} hit_list;

static inline void hit_list_release(hit_list *list)
{
    base_free(list->items);
    *list = (hit_list){0};
}

/** Implements alg_imp_taker. */
static inline bool hit_list_take(void *context, const alg_imp_hits *hits)
{
    hit_list *const list = context;
    cr_assert_gt(hits->count, 0);
    assert_ok(base_reserve(list->items, list->capacity, list->count + hits->count, ERR));
    memcpy(list->items + list->count, hits->items, hits->count * sizeof *hits->items);
    list->count += hits->count;
    list->level_a = hits->level_a;
    list->level_b = hits->level_b;
    return list->most == 0 || list->count < list->most;
}

static inline int hit_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(alg_imp_hit));
}

static inline void hit_list_sort(hit_list *list)
{
    if (list->count > 0) {
        qsort(list->items, list->count, sizeof *list->items, hit_compare);
    }
}

/** Returns all pairs that meet at the pose, sorted. */
static inline hit_list all_pairs(const alg_imp_pair *pair, const voxel_body *a, const voxel_body *b)
{
    hit_list list = {0};
    for (uint32_t j = 0; j < b->count; j++) {
        const voxel_cell *const q = &b->cells[j];
        float cb[3];
        alg_imp_centre_b(pair, 2.0F * q->at[0] + 1, 2.0F * q->at[1] + 1, 2.0F * q->at[2] + 1, cb);
        for (uint32_t i = 0; i < a->count; i++) {
            const voxel_cell *const p = &a->cells[i];
            const float ca[3] = {2.0F * p->at[0] + 1, 2.0F * p->at[1] + 1, 2.0F * p->at[2] + 1};
            if (alg_imp_distance2(ca, cb) <= pair->reach * pair->reach) {
                assert_ok(base_reserve(list.items, list.capacity, list.count + 1, ERR));
                alg_imp_hit *const hit = &list.items[list.count++];
                *hit = (alg_imp_hit){.a = p->number, .b = q->number};
                memcpy(hit->cell_a, p->at, sizeof p->at);
                memcpy(hit->cell_b, q->at, sizeof q->at);
            }
        }
    }
    hit_list_sort(&list);
    return list;
}

static inline bool hit_lists_agree(const hit_list *a, const hit_list *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

#endif
