/**
 * Tests imp on the catalogue of degenerate contact (scenarios/experiments/degenerate.cfg): in every
 * frame the searches must find the same pairs of voxels as a test of all pairs.
 */
#include "algorithms/imp/search.h"
#include "algorithms/life.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/inputs/experiment.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { VOXELS = 10, PROBE_VOXELS = 7 };

/** All voxels of a body, including the full ones. */
typedef struct voxel_list {
    alg_imp_hit *items; /* owned; only `a` and cell_a are set */
    uint32_t count;
} voxel_list;

static void note_surface(void *context, uint32_t number, alg_imp_cell at)
{
    voxel_list *const list = context;
    list->items[list->count++] =
        (alg_imp_hit){.a = number, .cell_a = {(uint16_t)at.x, (uint16_t)at.y, (uint16_t)at.z}};
}

static voxel_list list_voxels(const alg_imp_body *b)
{
    voxel_list list = {
        .items = base_alloc(b->tree.voxel_count + b->tree.full_count, sizeof *list.items)};
    cr_assert_not_null(list.items);
    alg_imp_tree_visit(&b->tree, note_surface, &list);
    const uint32_t *const n = b->grid.size;
    for (uint32_t z = 0; z < n[2] && b->tree.full_count > 0; z++) {
        for (uint32_t y = 0; y < n[1]; y++) {
            for (uint32_t x = 0; x < n[0]; x++) {
                if (alg_imp_descriptor_at(b, x, y, z) == ALG_IMP_VOXEL_FULL) {
                    note_surface(&list, ALG_IMP_FULL, (alg_imp_cell){x, y, z});
                }
            }
        }
    }
    cr_assert_eq(list.count, b->tree.voxel_count + b->tree.full_count);
    return list;
}

/** Number of pairs and sum of their hashes, which is independent of their order. */
typedef struct tally {
    uint64_t count, sum;
} tally;

static void add_hit(tally *t, const alg_imp_hit *hit)
{
    uint64_t mixed = 0x9e3779b97f4a7c15u;
    const uint64_t parts[] = {
        hit->a, hit->b,
        (uint64_t)hit->cell_a[0] << 32 | (uint64_t)hit->cell_a[1] << 16 | hit->cell_a[2],
        (uint64_t)hit->cell_b[0] << 32 | (uint64_t)hit->cell_b[1] << 16 | hit->cell_b[2]};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        mixed = (mixed ^ parts[i]) * 0xbf58476d1ce4e5b9u;
        mixed ^= mixed >> 29;
    }
    t->count++;
    t->sum += mixed;
}

/** An alg_imp_taker that adds all hits. */
static bool take(void *context, const alg_imp_hits *hits)
{
    for (uint32_t i = 0; i < hits->count; i++) {
        add_hit(context, &hits->items[i]);
    }
    return true;
}

static tally all_pairs(const alg_imp_pair *pair, const voxel_list *a, const voxel_list *b)
{
    tally t = {0};
    for (uint32_t j = 0; j < b->count; j++) {
        const uint16_t *const q = b->items[j].cell_a;
        float cb[3];
        alg_imp_centre_b(pair, 2.0F * q[0] + 1, 2.0F * q[1] + 1, 2.0F * q[2] + 1, cb);
        for (uint32_t i = 0; i < a->count; i++) {
            const uint16_t *const p = a->items[i].cell_a;
            const float ca[3] = {2.0F * p[0] + 1, 2.0F * p[1] + 1, 2.0F * p[2] + 1};
            if (alg_imp_distance2(ca, cb) <= pair->reach * pair->reach) {
                alg_imp_hit hit = {.a = a->items[i].a, .b = b->items[j].a};
                memcpy(hit.cell_a, p, sizeof hit.cell_a);
                memcpy(hit.cell_b, q, sizeof hit.cell_b);
                add_hit(&t, &hit);
            }
        }
    }
    return t;
}

/** The two bodies of a scenario in trees of one kind. */
typedef struct bodies {
    alg_imp_body *a, *b;
    alg_imp_pair pair;
    alg_imp_search *search;
    base_arena arena;
} bodies;

static alg_imp_body *prepare(const alg_mesh *mesh, alg_role role, alg_imp_children children,
                             alg_imp_spheres spheres, alg_imp_fill fill)
{
    const alg_imp_options options = {
        .role = role,
        .resolution = {role == ALG_FIXED ? VOXELS : PROBE_VOXELS, NAN},
        .fill = fill,
        .probe = ALG_IMP_ALL_VOXELS,
        .tree = {.children = children, .spheres = spheres, .threads = 1},
    };
    void *body;
    alg_build_info info = {0};
    alg_message message = {""};
    cr_assert_eq(alg_imp_body_prepare(&options, mesh, &body, &info, &message), ALG_OK, "%s",
                 message.text);
    return body;
}

static void open_bodies(bodies *s, const bench_pair *pair, int kind, alg_imp_fill fill)
{
    const alg_imp_children children = (alg_imp_children)(kind % 3);
    const alg_imp_spheres spheres = (alg_imp_spheres)((kind + kind / 3) % 3);
    const alg_imp_search_options options = {
        .order = kind % 2 == 0 ? ALG_IMP_DEPTH : ALG_IMP_BREADTH,
        .one_child = kind % 4 < 2,
        .threads = 1,
    };
    *s = (bodies){.a = prepare(&pair->a.view, ALG_FIXED, children, spheres, fill),
                  .b = prepare(&pair->b.view, ALG_MOVING, children, spheres, fill)};
    s->pair = alg_imp_pair_of(s->a, s->b);
    assert_ok(alg_imp_search_create(&s->pair, &options, &s->arena, &s->search, ERR));
}

static void close_bodies(bodies *s)
{
    alg_imp_search_end(s->search);
    base_arena_release(&s->arena);
    alg_destroy(s->a);
    alg_destroy(s->b);
}

/** Returns the number of pairs in all frames. */
static uint64_t check_scenario(const scn_scenario *scenario, int kind, alg_imp_fill fill)
{
    bench_pair pair;
    scn_trajectory trajectory;
    bodies s;
    uint64_t pairs = 0;
    assert_ok(bench_pair_open(scenario->a, scenario->b, &pair, ERR));
    assert_ok(bench_pair_trajectory(&pair, &scenario->motion, NULL, true, &trajectory, ERR));
    open_bodies(&s, &pair, kind, fill);
    const voxel_list a = list_voxels(s.a), b = list_voxels(s.b);
    for (size_t f = 0; f < trajectory.frame_count; f++) {
        const scn_frame *const frame = &trajectory.frames[f];
        const geo_pose pose = bench_pair_pose(&pair, frame->position, frame->orientation);
        tally found = {0}, wanted = {0};
        uint64_t counters[ALG_IMP_COUNTERS] = {0};
        if (alg_imp_pair_place(&s.pair, &pose)) {
            cr_assert(alg_imp_search_run(s.search, take, &found, counters));
            wanted = all_pairs(&s.pair, &a, &b);
        }
        cr_assert_eq(found.count, wanted.count, "%s, frame %zu, kind %d: %llu pairs, not %llu",
                     scenario->name, f, kind, (unsigned long long)found.count,
                     (unsigned long long)wanted.count);
        cr_assert_eq(found.sum, wanted.sum, "%s, frame %zu, kind %d", scenario->name, f, kind);
        cr_assert_eq(counters[ALG_IMP_COUNT_CONTACTS], wanted.count);
        pairs += found.count;
    }
    base_free(a.items);
    base_free(b.items);
    close_bodies(&s);
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
    return pairs;
}

/**
 * True for the first of several scenarios with the same bodies and frames. NAME/distance and
 * NAME/volume differ only in the quantity.
 */
static bool is_first(const scn_experiment *e, size_t i)
{
    const char *const name = e->scenarios[i].name, *const slash = strrchr(name, '/');
    const size_t stem = slash ? (size_t)(slash - name) + 1 : strlen(name);
    return i == 0 || strncmp(name, e->scenarios[i - 1].name, stem) != 0;
}

static void check_catalogue(alg_imp_fill fill)
{
    SCOPED_EXPERIMENT e;
    uint64_t pairs = 0;
    int kind = 0;
    const size_t part = sweep_step(3);
    assert_ok(bench_experiment_open("scenarios/experiments/degenerate.cfg", &e, ERR));
    for (size_t i = 0; i < e.scenario_count; i++) {
        if (is_first(&e, i) && (size_t)kind++ % part == 0) {
            pairs += check_scenario(&e.scenarios[i], kind - 1, fill);
        }
    }
    cr_assert(kind > 20 && pairs > 10000 / part, "%d scenarios, %llu pairs", kind,
              (unsigned long long)pairs);
}

Test(imp_pairs, surfaces_of_the_catalogue)
{
    check_catalogue(ALG_IMP_SURFACE);
}

Test(imp_pairs, solids_of_the_catalogue)
{
    check_catalogue(ALG_IMP_SOLID);
}
