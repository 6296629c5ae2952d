/** Tests that searches find exactly the pairs of voxels that meet, for any tree, order and pose. */
#include "algorithms/imp/search.h"

#include "algorithms/imp/tests/bodies.h"
#include "base/simd.h"
#include "base/tests/support.h"
#include "geometry/pose.h"

#include <stdio.h>

static const char *const children_names[] = {"8", "64", "512"};
static const char *const sphere_names[] = {"cubes", "patterns", "stored"};
static const char *const order_names[] = {"breadth", "depth", "threads"};
enum { CHILDREN = 3, SPHERES = 3, ORDERS = 3, NAME_ROOM = 128 };

/** The result of a search, in its order. */
typedef struct found {
    hit_list hits;
    bool whole;
    uint64_t counters[ALG_IMP_COUNTERS];
} found;

/** Runs a search. Takes pairs until there are `most` of them; 0 takes all. */
static found run_search(alg_imp_search *search, uint32_t most)
{
    found f = {.hits.most = most};
    f.whole = alg_imp_search_run(search, hit_list_take, &f.hits, f.counters);
    cr_assert_eq(f.counters[ALG_IMP_COUNT_CONTACTS], f.hits.count);
    return f;
}

static found find(const alg_imp_pair *pair, const alg_imp_search_options *options, uint32_t most)
{
    base_arena arena = {0};
    alg_imp_search *search;
    assert_ok(alg_imp_search_create(pair, options, &arena, &search, ERR));
    const found f = run_search(search, most);
    alg_imp_search_end(search);
    base_arena_release(&arena);
    return f;
}

/**
 * A search of each order. The searches are reused for all poses of a pair, since creating one takes
 * megabytes.
 */
typedef struct searches {
    base_arena arena;
    alg_imp_search *of[ORDERS];
} searches;

static void searches_create(searches *s, const alg_imp_pair *pair, bool one_child, uint32_t level)
{
    *s = (searches){0};
    for (int order = 0; order < ORDERS; order++) {
        const alg_imp_search_options options = {
            .order = (alg_imp_order)order, .one_child = one_child, .level = level, .threads = 2};
        assert_ok(alg_imp_search_create(pair, &options, &s->arena, &s->of[order], ERR));
    }
}

static void searches_release(searches *s)
{
    for (int order = 0; order < ORDERS; order++) {
        alg_imp_search_end(s->of[order]);
    }
    base_arena_release(&s->arena);
}

/**
 * Returns a pose: from one body inside the other, unrotated and rotated, to bodies that are apart.
 */
static geo_pose pose_of(int k, const voxel_body *a, const voxel_body *b, base_random *random)
{
    const vec3 size_a = {a->body.tree.size[0], a->body.tree.size[1], a->body.tree.size[2]};
    const vec3 size_b = {b->body.tree.size[0], b->body.tree.size[1], b->body.tree.size[2]};
    const double ea = a->body.grid.edge, eb = b->body.grid.edge;
    const vec3 centre_a = vec3_madd(a->body.grid.corner, 0.5 * ea, size_a);
    const vec3 centre_b = vec3_madd(b->body.grid.corner, 0.5 * eb, size_b);
    const double apart[] = {0, 0, 0.2, 0.4, 0.6, 0.8, 0.95, 3};
    const geo_quat q = k == 0 ? geo_quat_identity() : geo_random_rotation(random);
    geo_pose pose = geo_pose_make(q, (vec3){0, 0, 0});
    const vec3 way = geo_random_direction(random);
    const double far = 0.5 * apart[k] * (ea * size_a.x + eb * size_b.x);
    pose.translation = vec3_madd(vec3_sub(centre_a, geo_pose_rotate(&pose, centre_b)), far, way);
    return pose;
}
enum { POSES = 8 };

/** The bodies of a case: their voxels, and the edge of B's voxels. */
typedef struct scene {
    voxel_set a, b;
    double edge_b;
    bool full;
    const char *name;
} scene;

enum { SCENES = 6 };
static scene scene_of(int k)
{
    switch (k) {
    case 0:
        return (scene){random_set(9, 12, 7, 0.2, 1), random_set(8, 8, 11, 0.2, 2), 0.5, false,
                       "sparse"};
    case 1:
        return (scene){ball_set(12, 11, 10, 0.1, 3), ball_set(9, 9, 9, 0.1, 4), 0.5, true, "solid"};
    case 2:
        return (scene){ball_set(13, 13, 13, 0, 5), ball_set(8, 9, 10, 0, 6), 0.5, false, "shells"};
    case 3:
        return (scene){ball_set(17, 14, 12, 0, 7), ball_set(6, 5, 7, 0, 8), 1.7, true, "B coarse"};
    case 4:
        return (scene){ball_set(5, 6, 7, 0, 9), ball_set(17, 18, 16, 0, 10), 0.13, true, "B fine"};
    default:
        return (scene){random_set(1, 1, 1, 1, 11), random_set(40, 3, 2, 0.3, 12), 0.4, true,
                       "one voxel"};
    }
}

static void scene_release(scene *s)
{
    release_set(&s->a);
    release_set(&s->b);
}

/* --- All pairs -------------------------------------------------------------------------------- */

/**
 * Checks that all orders find exactly the pairs of `all`, with only children tested (by[0]) and not
 * tested (by[1]).
 */
static void check_pose(const char *name, const searches by[2], const hit_list *all)
{
    for (int one_child = 0; one_child < 2; one_child++) {
        found first = {0};
        for (int order = 0; order < ORDERS; order++) {
            found f = run_search(by[one_child].of[order], 0);
            cr_assert(f.whole, "%s, %s, %d", name, order_names[order], one_child);
            if (order == ALG_IMP_THREADS) {
                cr_assert(hit_lists_agree(&f.hits, &first.hits), "%s: threads give another order",
                          name);
            }
            cr_assert(order == 0 ||
                          (f.counters[ALG_IMP_COUNT_TESTS] == first.counters[ALG_IMP_COUNT_TESTS] &&
                           f.counters[ALG_IMP_COUNT_NODES] == first.counters[ALG_IMP_COUNT_NODES]),
                      "%s, %s: other tests", name, order_names[order]);
            if (order == 0) {
                first = f;
                continue;
            }
            hit_list_sort(&f.hits);
            cr_assert(hit_lists_agree(&f.hits, all), "%s, %s, one child %d: %u of %u", name,
                      order_names[order], one_child, f.hits.count, all->count);
            hit_list_release(&f.hits);
        }
        hit_list_sort(&first.hits);
        cr_assert(hit_lists_agree(&first.hits, all), "%s, breadth, one child %d: %u of %u", name,
                  one_child, first.hits.count, all->count);
        hit_list_release(&first.hits);
    }
}

static void check_scene(int k)
{
    scene s = scene_of(k);
    size_t trees = 0, meeting = 0, apart = 0;
    /* A short sweep tries each number of children, with another kind of spheres in each scene. */
    for (int tree = 0; tree < CHILDREN * SPHERES; tree += (int)sweep_step(4)) {
        const int children = tree / SPHERES, spheres = (tree + k) % SPHERES;
        voxel_body a, b;
        make_body(&a, &s.a, s.full, 0.5, (alg_imp_children)children, (alg_imp_spheres)spheres);
        make_body(&b, &s.b, s.full, s.edge_b, (alg_imp_children)children, (alg_imp_spheres)spheres);
        alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
        searches by[2];
        searches_create(&by[0], &pair, false, 0);
        searches_create(&by[1], &pair, true, 0);
        base_random random = base_random_seed((uint64_t)k);
        for (int p = 0; p < POSES; p++) {
            char name[NAME_ROOM];
            snprintf(name, sizeof name, "%s, %s, %s, pose %d", s.name, children_names[children],
                     sphere_names[spheres], p);
            const geo_pose pose = pose_of(p, &a, &b, &random);
            if (!alg_imp_pair_place(&pair, &pose)) {
                apart++;
                continue;
            }
            SCOPED_HITS all = all_pairs(&pair, &a, &b);
            check_pose(name, by, &all);
            meeting += all.count > 0;
            apart += all.count == 0;
        }
        searches_release(&by[0]);
        searches_release(&by[1]);
        release_body(&a);
        release_body(&b);
        trees++;
    }
    cr_assert(meeting >= 2 * trees && apart >= trees, "%s: %zu meet, %zu do not", s.name, meeting,
              apart);
    scene_release(&s);
}

Test(imp_search, all_pairs_of_sparse_voxels)
{
    check_scene(0);
}

Test(imp_search, all_pairs_of_solids)
{
    check_scene(1);
}

Test(imp_search, all_pairs_of_shells)
{
    check_scene(2);
}

Test(imp_search, all_pairs_of_coarse_voxels)
{
    check_scene(3);
}

Test(imp_search, all_pairs_of_fine_voxels)
{
    check_scene(4);
}

Test(imp_search, all_pairs_of_one_voxel)
{
    check_scene(5);
}

/* --- Known values ----------------------------------------------------------------------------- */

/**
 * Makes one voxel for each body, of edge 1 and 0.5: in A's half edges the reach is 1.5 sqrt(3) =
 * 2.598.
 */
static void make_two_voxels(voxel_body *a, voxel_body *b)
{
    SCOPED_SET set = make_set(1, 1, 1);
    set_voxel(&set.surface, 0, 0, 0);
    make_body(a, &set, false, 1, ALG_IMP_8, ALG_IMP_PATTERNS);
    make_body(b, &set, false, 0.5, ALG_IMP_8, ALG_IMP_PATTERNS);
}

/** Returns a pose that puts B's centre at this offset from A's, in metres. */
static geo_pose two_voxels_apart(double x, double y, double z)
{
    /* Centres are half an edge from the corner. */
    geo_pose pose = geo_pose_identity();
    pose.translation = (vec3){0.25 + x, 0.25 + y, 0.25 + z};
    return pose;
}

Test(imp_search, two_voxels_meet_within_their_radii)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    /* r_a + r_b = 0.75 sqrt(3) m; the slack is about 2^-16 of it. */
    const double reach = 0.75 * 1.7320508075688772;
    const struct {
        double x, y, z;
        bool meets;
    } rows[] = {
        {0, 0, 0, true},
        {reach, 0, 0, true},
        {-reach, 0, 0, true},
        {0, 0.999 * reach, 0, true},
        {0, 0, reach, true},
        {1.0001 * reach, 0, 0, false},
        {0, -1.0001 * reach, 0, false},
        {0, 0, 1.0001 * reach, false},
        {0.6 * reach, 0.8 * reach, 0, true},
        {0.60006 * reach, 0.80008 * reach, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const geo_pose pose = two_voxels_apart(rows[i].x, rows[i].y, rows[i].z);
        cr_assert(alg_imp_pair_place(&pair, &pose), "row %zu", i);
        const alg_imp_search_options options = {0};
        found f = find(&pair, &options, 0);
        cr_assert_eq(f.hits.count, rows[i].meets ? 1 : 0, "row %zu", i);
        cr_assert(f.whole);
        hit_list_release(&f.hits);
    }
    cr_assert_float_eq(pair.unit_m, 0.5, 0);
    cr_assert_float_eq(pair.ratio, 0.5, 0);
    cr_assert(pair.slack > 0 && pair.slack < 1e-4F && pair.reach >= 1.5F * 1.7320508F);
}

/** Tests positions after a quarter turn about z against values computed by hand. */
Test(imp_search, positions_of_b_in_units_of_a)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    const geo_pose pose = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0, -3, 0.5}};
    cr_assert(alg_imp_pair_place(&pair, &pose));
    /* B's corner (1, -2, 0.5) goes to (2, -2, 1). This is (1, 0, 0.5) from A's corner, and twice
     * that in half edges. */
    float c[3];
    alg_imp_centre_b(&pair, 0, 0, 0, c);
    cr_assert(c[0] == 2 && c[1] == 0 && c[2] == 1, "%g %g %g", (double)c[0], (double)c[1],
              (double)c[2]);
    /* B's x axis is A's y axis, and B's y axis is minus A's x axis; B's half edges are half as long
     * as A's. */
    alg_imp_centre_b(&pair, 2, 4, 6, c);
    cr_assert(c[0] == 0 && c[1] == 1 && c[2] == 4, "%g %g %g", (double)c[0], (double)c[1],
              (double)c[2]);
}

/**
 * Tests that every pose has an answer: far poses have no pairs, and are rejected before a float
 * overflows.
 */
Test(imp_search, far_poses_meet_nothing)
{
    SCOPED_BODY a, b;
    make_two_voxels(&a, &b);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    static const double far[] = {10, 1e6, 1e30, 1e300, INFINITY, -1e6, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const geo_pose pose = two_voxels_apart(0, far[i], 0);
        cr_assert_not(alg_imp_pair_place(&pair, &pose), "%g", far[i]);
    }
    const geo_pose near = two_voxels_apart(0, 0, 1.4);
    cr_assert(alg_imp_pair_place(&pair, &near), "what may meet is searched");
}

/* --- Many pairs ------------------------------------------------------------------------------- */

/** Makes two blocks of full voxels that have more pairs than a list has room for. */
static void make_blocks(voxel_body *a, voxel_body *b, uint32_t n, alg_imp_children children)
{
    SCOPED_SET set = make_set(n, n, n);
    for (uint32_t i = 0; i < n * n * n; i++) {
        const uint32_t x = i % n, y = i / n % n, z = i / n / n;
        const bool inside = x > 0 && y > 0 && z > 0 && x + 1 < n && y + 1 < n && z + 1 < n;
        set_voxel(inside ? &set.full : &set.surface, x, y, z);
    }
    make_body(a, &set, true, 1, children, ALG_IMP_PATTERNS);
    make_body(b, &set, true, 1, children, ALG_IMP_PATTERNS);
}

/**
 * Sums over pairs: `count` and `any_order` do not depend on the order of the pairs, `order` does.
 */
typedef struct sums {
    uint64_t count, any_order, order;
} sums;

static bool add_up(void *context, const alg_imp_hits *hits)
{
    sums *const s = context;
    for (uint32_t i = 0; i < hits->count; i++) {
        uint64_t words[3] = {0};
        memcpy(words, &hits->items[i], sizeof hits->items[i]);
        const uint64_t mixed =
            (words[0] * 0x9e3779b97f4a7c15u ^ words[1]) * 0xbf58476d1ce4e5b9u + words[2];
        s->any_order += mixed ^ mixed >> 31;
        s->order = s->order * 31 + mixed;
    }
    s->count += hits->count;
    return true;
}

static sums sum_up(const alg_imp_pair *pair, const alg_imp_search_options *options,
                   uint64_t counters[ALG_IMP_COUNTERS])
{
    base_arena arena = {0};
    alg_imp_search *search;
    sums s = {0};
    assert_ok(alg_imp_search_create(pair, options, &arena, &search, ERR));
    cr_assert(alg_imp_search_run(search, add_up, &s, counters));
    sums again = {0};
    cr_assert(alg_imp_search_run(search, add_up, &again, counters));
    cr_assert_eq(memcmp(&s, &again, sizeof s), 0, "a search changes the next one");
    alg_imp_search_end(search);
    base_arena_release(&arena);
    return s;
}

/**
 * Tests overlapping blocks. With 8 children, the last level but one has more pairs than a list has
 * room for.
 */
Test(imp_search, pairs_beyond_the_list_are_found)
{
    for (int children = 0; children < CHILDREN; children += (int)sweep_step(2)) {
        SCOPED_BODY a, b;
        make_blocks(&a, &b, 34, (alg_imp_children)children);
        alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
        const geo_pose pose = geo_pose_make((geo_quat){0.02, 0.01, 0, 1}, (vec3){0.3, 0.2, 0.1});
        cr_assert(alg_imp_pair_place(&pair, &pose));
        uint64_t counters[ALG_IMP_COUNTERS], deep[ALG_IMP_COUNTERS];
        const alg_imp_search_options depth = {.order = ALG_IMP_DEPTH, .one_child = true};
        const sums want = sum_up(&pair, &depth, deep);
        cr_assert(want.count > 500000, "%llu", (unsigned long long)want.count);
        const alg_imp_search_options breadth = {.order = ALG_IMP_BREADTH, .one_child = true};
        const sums wide = sum_up(&pair, &breadth, counters);
        cr_assert(wide.count == want.count && wide.any_order == want.any_order,
                  "%s children: %llu of %llu", children_names[children],
                  (unsigned long long)wide.count, (unsigned long long)want.count);
        cr_assert_eq(memcmp(counters, deep, sizeof deep), 0, "%s children: other tests",
                     children_names[children]);
        static const uint32_t threads[] = {1, 2, 5};
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            const alg_imp_search_options shared = {
                .order = ALG_IMP_THREADS, .one_child = true, .threads = threads[i]};
            const sums s = sum_up(&pair, &shared, counters);
            cr_assert(memcmp(&s, &wide, sizeof s) == 0 && memcmp(counters, deep, sizeof deep) == 0,
                      "%s children, %u threads: %llu of %llu, or in another order",
                      children_names[children], threads[i], (unsigned long long)s.count,
                      (unsigned long long)wide.count);
        }
    }
}

/* --- Stops ------------------------------------------------------------------------------------ */

/** True if a pair of voxels is in one of the pairs of nodes. */
static bool is_covered(const hit_list *nodes, uint32_t bits, const alg_imp_hit *pair)
{
    const uint32_t la = bits * nodes->level_a, lb = bits * nodes->level_b;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const alg_imp_hit *const n = &nodes->items[i];
        bool in = true;
        for (int axis = 0; axis < 3; axis++) {
            in = in && pair->cell_a[axis] >> la == n->cell_a[axis] &&
                 pair->cell_b[axis] >> lb == n->cell_b[axis];
        }
        if (in) {
            return true;
        }
    }
    return false;
}

/** Counts the pairs of nodes whose balls do not meet, up to the margin of the tests. */
static uint32_t count_apart(const alg_imp_pair *pair, const hit_list *nodes)
{
    uint32_t apart = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const alg_imp_hit *const n = &nodes->items[i];
        float own[2][3], cb[3], reach = 0.02F;
        for (int side = 0; side < 2; side++) {
            const alg_imp_tree *const tree = side == 0 ? &pair->a->tree : &pair->b->tree;
            const uint32_t level = side == 0 ? nodes->level_a : nodes->level_b;
            const alg_imp_sphere s = alg_imp_sphere_of(tree, level, side == 0 ? n->a : n->b);
            const uint16_t *const at = side == 0 ? n->cell_a : n->cell_b;
            const float half = (float)(1u << level * alg_imp_bits(tree->children));
            for (int axis = 0; axis < 3; axis++) {
                own[side][axis] = (float)(2 * at[axis] + 1) * half + s.offset[axis];
            }
            reach += s.radius * (side == 0 ? 1 : pair->ratio);
        }
        alg_imp_centre_b(pair, own[1][0], own[1][1], own[1][2], cb);
        apart += alg_imp_distance2(own[0], cb) > reach * reach;
    }
    return apart;
}

/**
 * Tests nodes of a level where both trees are stopped: all pairs of voxels are below them, and
 * their balls meet.
 */
Test(imp_search, a_level_stops_all_orders_at_the_same_pairs)
{
    scene s = scene_of(2);
    for (int k = 0; k < CHILDREN * SPHERES * 4; k += (int)sweep_step(5)) {
        const alg_imp_children children = (alg_imp_children)(k % CHILDREN);
        const alg_imp_spheres spheres = (alg_imp_spheres)(k / CHILDREN % SPHERES);
        const uint32_t level = 1 + (uint32_t)k / (CHILDREN * SPHERES);
        SCOPED_BODY a, b;
        make_body(&a, &s.a, false, 0.5, children, spheres);
        make_body(&b, &s.b, false, s.edge_b, children, spheres);
        alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
        searches by;
        searches_create(&by, &pair, true, level);
        base_random random = base_random_seed(5);
        for (int p = 3; p < 6; p++) {
            const geo_pose pose = pose_of(p, &a, &b, &random);
            cr_assert(alg_imp_pair_place(&pair, &pose));
            SCOPED_HITS all = all_pairs(&pair, &a, &b);
            found first = {0};
            for (int order = 0; order < ORDERS; order++) {
                found f = run_search(by.of[order], 0);
                const uint32_t root_a = a.body.tree.root_level, root_b = b.body.tree.root_level;
                cr_assert(f.hits.count == 0 ||
                              (f.hits.level_a == (level < root_a ? level : root_a) &&
                               f.hits.level_b == (level < root_b ? level : root_b)),
                          "case %d, pose %d", k, p);
                cr_assert_eq(f.whole, f.hits.count == 0, "nothing was cut where nothing meets");
                cr_assert_eq(count_apart(&pair, &f.hits), 0, "case %d, pose %d", k, p);
                for (uint32_t i = 0; i < all.count; i++) {
                    cr_assert(is_covered(&f.hits, alg_imp_bits(children), &all.items[i]),
                              "case %d, pose %d, pair %u", k, p, i);
                }
                hit_list_sort(&f.hits);
                if (order == 0) {
                    first = f;
                } else {
                    cr_assert(hit_lists_agree(&f.hits, &first.hits), "case %d, pose %d", k, p);
                    hit_list_release(&f.hits);
                }
            }
            hit_list_release(&first.hits);
        }
        searches_release(&by);
    }
    scene_release(&s);
}

/**
 * Tests a limit of contacts: breadth first ends with a level that has more contacts, depth first at
 * the limit.
 */
Test(imp_search, contacts_above_the_limit_are_left_out)
{
    scene s = scene_of(1);
    SCOPED_BODY a, b;
    make_body(&a, &s.a, s.full, 0.5, ALG_IMP_8, ALG_IMP_PATTERNS);
    make_body(&b, &s.b, s.full, s.edge_b, ALG_IMP_8, ALG_IMP_PATTERNS);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    base_random random = base_random_seed(9);
    const geo_pose pose = pose_of(4, &a, &b, &random);
    cr_assert(alg_imp_pair_place(&pair, &pose));
    SCOPED_HITS all = all_pairs(&pair, &a, &b);
    const uint32_t total = all.count;
    cr_assert(total > 300, "%u", total);
    const uint32_t limits[] = {1, 2, 10, 50, 200, total - 1, total, total + 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        alg_imp_search_options options = {.order = ALG_IMP_DEPTH, .contacts_max = limits[i]};
        found deep = find(&pair, &options, 0);
        cr_assert_eq(deep.hits.count, limits[i] < total ? limits[i] : total, "limit %u", limits[i]);
        cr_assert_eq(deep.whole, limits[i] >= total, "limit %u", limits[i]);
        hit_list_release(&deep.hits);
        found wide[2];
        for (int k = 0; k < 2; k++) {
            options.order = k == 0 ? ALG_IMP_BREADTH : ALG_IMP_THREADS;
            options.threads = 3;
            found *const f = &wide[k];
            *f = find(&pair, &options, 0);
            const bool cut = f->hits.level_a > 0 || f->hits.level_b > 0;
            cr_assert_eq(f->whole, !cut, "limit %u", limits[i]);
            cr_assert(cut ? f->hits.count > limits[i] : f->hits.count == total, "limit %u: %u",
                      limits[i], f->hits.count);
            for (uint32_t h = 0; h < total; h++) {
                cr_assert(is_covered(&f->hits, 1, &all.items[h]), "limit %u, pair %u", limits[i],
                          h);
            }
        }
        cr_assert(hit_lists_agree(&wide[0].hits, &wide[1].hits), "limit %u", limits[i]);
        cr_assert(limits[i] > 50 || !wide[0].whole, "limit %u", limits[i]);
        cr_assert(limits[i] < total - 1 || wide[0].whole, "limit %u", limits[i]);
        hit_list_release(&wide[0].hits);
        hit_list_release(&wide[1].hits);
    }
    scene_release(&s);
}

/**
 * Tests a limit that a level exceeds by more than a list has room for: the answer is the level
 * before.
 */
Test(imp_search, a_limit_and_a_full_list)
{
    SCOPED_BODY a, b;
    make_blocks(&a, &b, 34, ALG_IMP_8);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    const geo_pose pose = geo_pose_identity();
    cr_assert(alg_imp_pair_place(&pair, &pose));
    for (int k = 0; k < 2; k++) {
        const alg_imp_search_options options = {.order = k == 0 ? ALG_IMP_BREADTH : ALG_IMP_THREADS,
                                                .threads = 2,
                                                .contacts_max = ALG_IMP_CONTACTS_MAX};
        found f = find(&pair, &options, 0);
        cr_assert(!f.whole && f.hits.level_a == 2 && f.hits.level_b == 2, "levels %u and %u",
                  f.hits.level_a, f.hits.level_b);
        cr_assert(f.hits.count > 1000 && f.hits.count < ALG_IMP_CONTACTS_MAX, "%u", f.hits.count);
        hit_list_release(&f.hits);
    }
}

/**
 * Tests that a search for the first pair agrees with the full search on whether bodies meet, with
 * fewer ball tests.
 */
Test(imp_search, the_first_pair_ends_a_search)
{
    scene s = scene_of(1);
    for (int order = 0; order < ORDERS; order++) {
        voxel_body a, b;
        make_body(&a, &s.a, s.full, 0.5, ALG_IMP_64, ALG_IMP_PATTERNS);
        make_body(&b, &s.b, s.full, s.edge_b, ALG_IMP_64, ALG_IMP_PATTERNS);
        alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
        base_random random = base_random_seed(9);
        for (int p = 1; p < POSES; p++) {
            const geo_pose pose = pose_of(p, &a, &b, &random);
            if (!alg_imp_pair_place(&pair, &pose)) {
                continue;
            }
            alg_imp_search_options options = {.order = (alg_imp_order)order, .threads = 2};
            found all = find(&pair, &options, 0);
            options.first = true;
            found one = find(&pair, &options, 1);
            cr_assert_eq(one.hits.count > 0, all.hits.count > 0, "pose %d", p);
            const uint64_t tests = one.counters[ALG_IMP_COUNT_TESTS];
            cr_assert(all.hits.count < 100 || tests < all.counters[ALG_IMP_COUNT_TESTS] / 2,
                      "pose %d: %llu tests", p, (unsigned long long)tests);
            hit_list_release(&all.hits);
            hit_list_release(&one.hits);
        }
        release_body(&a);
        release_body(&b);
    }
    scene_release(&s);
}

/** Tests that a taker that ends the search gets no more hits. */
Test(imp_search, a_callback_may_end_a_search)
{
    SCOPED_BODY a, b;
    make_blocks(&a, &b, 20, ALG_IMP_8);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    const geo_pose pose = geo_pose_identity();
    cr_assert(alg_imp_pair_place(&pair, &pose));
    for (int order = 0; order < ORDERS; order++) {
        const alg_imp_search_options options = {.order = (alg_imp_order)order, .threads = 2};
        found f = find(&pair, &options, 2000);
        cr_assert(f.hits.count >= 2000 && f.hits.count < 20000, "%s: %u", order_names[order],
                  f.hits.count);
        hit_list_release(&f.hits);
    }
}

/* --- One child -------------------------------------------------------------------------------- */

/**
 * Counts tests with one_child on and off, for a body of 64^3 voxels of which one is set, or two
 * neighbours.
 */
static void count_tests(bool two, uint64_t on[ALG_IMP_COUNTERS], uint64_t off[ALG_IMP_COUNTERS])
{
    SCOPED_SET set = make_set(64, 64, 64);
    set_voxel(&set.surface, 2, 2, 3);
    if (two) {
        set_voxel(&set.surface, 3, 2, 3);
    }
    SCOPED_BODY a, b;
    make_body(&a, &set, false, 1, ALG_IMP_8, ALG_IMP_CUBES);
    make_body(&b, &set, false, 1, ALG_IMP_8, ALG_IMP_CUBES);
    alg_imp_pair pair = alg_imp_pair_of(&a.body, &b.body);
    const geo_pose pose = geo_pose_identity();
    cr_assert(alg_imp_pair_place(&pair, &pose));
    for (int order = 0; order < ORDERS; order++) {
        alg_imp_search_options options = {.order = (alg_imp_order)order, .threads = 2};
        found f = find(&pair, &options, 0);
        options.one_child = true;
        found g = find(&pair, &options, 0);
        cr_assert(g.hits.count == (two ? 4 : 1) && f.hits.count == g.hits.count);
        cr_assert(order == 0 || (memcmp(off, f.counters, sizeof f.counters) == 0 &&
                                 memcmp(on, g.counters, sizeof g.counters) == 0));
        memcpy(off, f.counters, sizeof f.counters);
        memcpy(on, g.counters, sizeof g.counters);
        hit_list_release(&f.hits);
        hit_list_release(&g.hits);
    }
}

Test(imp_search, only_children_are_not_tested)
{
    uint64_t on[ALG_IMP_COUNTERS], off[ALG_IMP_COUNTERS];
    /* There are six levels below the root. The roots are tested once; then there are two tests per
     * level: A's child against B's node, and against its child. With one_child, only the voxels are
     * tested. */
    count_tests(false, on, off);
    cr_assert(off[ALG_IMP_COUNT_TESTS] == 1 + 6 * 2 && on[ALG_IMP_COUNT_TESTS] == 1 + 1 &&
              on[ALG_IMP_COUNT_NODES] == 6);
    /* The nodes of the last pair have two children each: two tests against B's node, and four
     * against its children. */
    count_tests(true, on, off);
    cr_assert(off[ALG_IMP_COUNT_TESTS] == 1 + 5 * 2 + 6 && on[ALG_IMP_COUNT_TESTS] == 1 + 6 &&
              on[ALG_IMP_COUNT_NODES] == 6);
}
