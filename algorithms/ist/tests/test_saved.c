/** Bodies that were saved and loaded: the same to the last bit; and bytes that nobody saved. */
#include "algorithms/ist/saved.h"
#include "algorithms/tests/saved.h"
#include "base/tests/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_VOLUME };

/** The same pair with both bodies loaded from what the first pair's were saved to. */
static pair reopen(const pair *p, unsigned wanted)
{
    const alg_algorithm *const g = p->variant.algorithm;
    pair again = *p;
    bytes a = save(p, p->fixed), b = save(p, p->moving);
    alg_message message;
    cr_assert_eq(load(p, ALG_FIXED, &a, &again.fixed), ALG_OK);
    cr_assert_eq(load(p, ALG_MOVING, &b, &again.moving), ALG_OK);
    cr_assert_eq(g->bind(&p->variant.settings, again.fixed, again.moving, PAIR_REQUEST(wanted),
                         &again.state, &message),
                 ALG_OK);
    base_free(a.items);
    base_free(b.items);
    return again;
}

typedef struct shapes {
    geo_mesh a, b;
} shapes;

/** A ball with a cube beside it, and a cube. */
static shapes make_shapes(void)
{
    return (shapes){shape_join(shape_ball((vec3){0, 0, 0}, 1, 2), shape_cube((vec3){2, 0, 0}, 0.5)),
                    shape_cube((vec3){0.1, 0, 0}, 0.6)};
}

static void release_shapes(shapes *s)
{
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

static const char *const variants[] = {
    "ist:voxels=20",
    "ist:radius=primary,voxels=12",
    "ist:start=last,voxels=16",
    "ist:branching=2,voxels=16",
    "ist:radius=centroid,voxels=16",
    "ist:directions=cones,voxels=16",
    "ist:directions=cones,radius=centroid,voxels=16",
    "ist:hierarchy=layered,voxels=16",
    "ist:branching=8,voxels=16",
    "ist:branching=16,voxels=16",
    "ist:packing=cover,voxels=16",
    "ist:spheres=1,voxels=8",
    "ist:spheres=2,voxels=8",
    "ist-exact:voxels=16",
    "ist-exact:packing=cover,start=last,voxels=16",
    "ist-triangles:voxels=16",
    "ist-triangles:band=1,voxels=16",
};

/** What the variant can be asked. */
static unsigned wanted_of(const char *variant)
{
    return strncmp(variant, "ist:", 4) == 0 ? BOTH : ALG_WANT_DISTANCE;
}

static bool same_answer(const alg_answer *x, const alg_answer *y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

typedef struct drawing {
    geo_ball balls[20000];
    size_t count;
} drawing;

static void draw_ball(void *context, const geo_ball *ball)
{
    drawing *const d = context;
    cr_assert_lt(d->count, sizeof d->balls / sizeof *d->balls);
    d->balls[d->count++] = *ball;
}

Test(saved, answers_are_the_same_to_the_last_bit)
{
    shapes s = make_shapes();
    static drawing drawings[2];
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const unsigned wanted = wanted_of(variants[i]);
        pair built = pair_open(variants[i], &s.a, &s.b, wanted);
        pair loaded = reopen(&built, wanted);
        base_random random = base_random_seed(i);
        size_t apart = 0, overlapping = 0;
        for (int k = 0; k < 100; k++) {
            const geo_pose pose = shape_pose(&random, 2.5);
            const alg_answer x = pair_ask(&built, &pose), y = pair_ask(&loaded, &pose);
            cr_assert(same_answer(&x, &y), "%s, pose %d", variants[i], k);
            apart += x.distance_m > 0;
            overlapping += x.distance_m <= 0;
        }
        cr_assert(apart > 10 && (overlapping > 10 || strstr(variants[i], "spheres=")),
                  "%s: %zu %zu", variants[i], apart, overlapping);
        const void *const bodies[] = {built.fixed, loaded.fixed};
        for (int k = 0; k < 2; k++) {
            drawings[k].count = 0;
            built.variant.algorithm->draw(bodies[k], &(alg_sink){.size = sizeof(alg_sink),
                                                                 .context = &drawings[k],
                                                                 .sphere = draw_ball});
        }
        cr_assert(drawings[0].count == built.info_a.primitives &&
                  memcmp(&drawings[0], &drawings[1], sizeof *drawings) == 0);
        pair_close(&built);
        pair_close(&loaded);
    }
    release_shapes(&s);
}

Test(saved, a_loaded_body_is_saved_as_the_same_bytes)
{
    shapes s = make_shapes();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        pair built = pair_open(variants[i], &s.a, &s.b, wanted_of(variants[i]));
        pair loaded = reopen(&built, wanted_of(variants[i]));
        bytes first = save(&built, built.fixed), second = save(&built, loaded.fixed);
        cr_assert(first.count == second.count &&
                      memcmp(first.items, second.items, first.count) == 0,
                  "%s", variants[i]);
        base_free(first.items);
        base_free(second.items);
        pair_close(&built);
        pair_close(&loaded);
    }
    release_shapes(&s);
}

/** Asks a body that may be another than was saved: whatever it answers, it must come back. */
static void ask_whatever_it_is(const pair *p, void *prepared)
{
    const alg_algorithm *const g = p->variant.algorithm;
    pair q = *p;
    alg_message message;
    q.fixed = prepared;
    cr_assert_eq(g->bind(&p->variant.settings, q.fixed, q.moving,
                         PAIR_REQUEST(wanted_of(p->variant.name)), &q.state, &message),
                 ALG_OK);
    base_random random = base_random_seed(1);
    for (int k = 0; k < 3; k++) {
        const geo_pose pose = shape_pose(&random, 2);
        pair_ask(&q, &pose);
    }
    g->release(q.state);
    g->dispose(prepared);
}

Test(saved, damage_is_refused_or_harmless)
{
    shapes s = make_shapes();
    static const char *const names[] = {"ist:voxels=16",
                                        "ist:branching=2,voxels=10",
                                        "ist:directions=cones,radius=centroid,voxels=10",
                                        "ist:branching=16,packing=cover,voxels=10",
                                        "ist-exact:voxels=10",
                                        "ist-triangles:voxels=10"};
    size_t refused = 0, taken = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pair p = pair_open(names[i], &s.a, &s.b, wanted_of(names[i]));
        bytes b = save(&p, p.fixed);
        base_random random = base_random_seed(i);
        for (size_t k = 0; k < 4000; k += sweep_step(7)) {
            const size_t at = k < 512 ? k / 8 : (size_t)base_random_below(&random, b.count);
            const int bit = 1 << (k < 512 ? k % 8 : base_random_below(&random, 8));
            void *prepared = NULL;
            b.items[at] = (char)(b.items[at] ^ bit);
            if (load(&p, ALG_FIXED, &b, &prepared) == ALG_OK) {
                taken++;
                ask_whatever_it_is(&p, prepared);
            } else {
                refused++;
            }
            b.items[at] = (char)(b.items[at] ^ bit);
        }
        base_free(b.items);
        pair_close(&p);
    }
    cr_assert(refused > 100 && taken > 100, "%zu refused, %zu taken", refused, taken);
    release_shapes(&s);
}

Test(saved, another_length_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:voxels=10", &s.a, &s.b, BOTH);
    bytes b = save(&p, p.fixed);
    void *prepared;
    const size_t whole = b.count;
    for (b.count = 0; b.count < whole; b.count += b.count < 100 ? 1 : 41) {
        /* A copy of that length, so that a sanitizer sees a byte behind it that is read. */
        bytes cut = {.items = malloc(b.count + 1), .count = b.count};
        cr_assert_not_null(cut.items);
        memcpy(cut.items, b.items, b.count);
        cr_assert_eq(load(&p, ALG_FIXED, &cut, &prepared), ALG_FAILED, "%zu bytes", b.count);
        free(cut.items);
    }
    b.count = whole;
    append(&b, "", 1);
    cr_assert_eq(load(&p, ALG_FIXED, &b, &prepared), ALG_FAILED, "one byte more");
    append(&b, "", 1);
    cr_assert_eq(load(&p, ALG_FIXED, &b, &prepared), ALG_FAILED, "two bytes more");
    base_free(b.items);
    pair_close(&p);
    release_shapes(&s);
}

/* --- Trees that are none ---------------------------------------------------------------------- */

/** Holds that the body, as it was changed, is saved and refused. */
static void expect_refusal(const pair *p, const char *what)
{
    void *prepared;
    bytes b = save(p, p->fixed);
    cr_assert_eq(load(p, ALG_FIXED, &b, &prepared), ALG_FAILED, "%s", what);
    base_free(b.items);
}

/** Holds that a tree with `value` in the place of a link is refused, and puts the link back. */
static void expect_link_refused(const pair *p, uint32_t *link, uint32_t value, const char *what)
{
    const uint32_t before = *link;
    *link = value;
    expect_refusal(p, what);
    *link = before;
}

static void expect_lane_refused(const pair *p, float *lane, float value, const char *what)
{
    const float before = *lane;
    *lane = value;
    expect_refusal(p, what);
    *lane = before;
}

/** The first child of one kind: its place in tree->children. */
static size_t find_child(const alg_ist_tree *tree, uint32_t from_node, bool leaf)
{
    size_t i = (size_t)from_node * tree->width;
    const size_t end = (size_t)tree->node_count * tree->width;
    while (i < end && (tree->children[i] == ALG_IST_NOBODY ||
                       ((tree->children[i] & ALG_IST_LEAF) != 0) != leaf)) {
        i++;
    }
    cr_assert_lt(i, end);
    return i;
}

Test(saved, what_is_no_tree_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:voxels=20", &s.a, &s.b, BOTH);
    alg_ist_sphere *const spheres = ((alg_ist_body *)p.fixed)->solid.spheres;
    alg_ist_tree *const tree = &((alg_ist_body *)p.fixed)->solid.tree;
    uint32_t *const links = tree->children;
    const size_t inner = find_child(tree, 0, false), later = find_child(tree, 1, false);
    const size_t leaf = find_child(tree, 0, true);
    cr_assert_neq(links[inner], links[later]);
    expect_link_refused(&p, &links[inner], 0, "the root as a child");
    expect_link_refused(&p, &links[later], 1, "a node as its own child");
    expect_link_refused(&p, &links[inner], links[later], "two parents");
    expect_link_refused(&p, &links[inner], tree->node_count, "a node behind the last");
    expect_link_refused(&p, &links[inner], ALG_IST_LEAF - 1, "a node far behind the last");
    expect_link_refused(&p, &links[inner], ALG_IST_NOBODY, "a node that nobody reaches");
    expect_link_refused(&p, &links[leaf], ALG_IST_LEAF | tree->leaf_count, "a sphere too many");
    expect_link_refused(&p, &links[leaf], ALG_IST_LEAF | ((links[leaf] + 1) & ~ALG_IST_LEAF),
                        "a sphere twice");
    expect_link_refused(&p, &links[leaf], links[inner], "a node twice");
    float *const lanes = tree->lanes;
    expect_lane_refused(&p, &lanes[0], NAN, "a child without a place");
    expect_lane_refused(&p, &lanes[ALG_IST_NEAR * tree->width], INFINITY, "a ball without an end");
    expect_lane_refused(&p, &lanes[0], 1e30f, "a ball at the end of the world");
    expect_link_refused(&p, &tree->depth, tree->depth - 1, "a level less");
    expect_link_refused(&p, &tree->depth, tree->depth + 1, "a level more");
    expect_link_refused(&p, &tree->branching, 8, "fewer lanes than children");
    const alg_ist_sphere before = spheres[0];
    spheres[0].primary = -1;
    expect_refusal(&p, "a radius below zero");
    spheres[0] = before;
    spheres[0].centre.y = NAN;
    expect_refusal(&p, "a sphere nowhere");
    spheres[0] = before;
    /* And as it was it is good again. */
    pair again = reopen(&p, BOTH);
    pair_close(&again);
    pair_close(&p);
    release_shapes(&s);
}

static void expect_number_refused(const pair *p, double *number, double value, const char *what)
{
    const double before = *number;
    *number = value;
    expect_refusal(p, what);
    *number = before;
}

Test(saved, what_belongs_to_no_sphere_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:directions=cones,radius=centroid,voxels=16", &s.a, &s.b, BOTH);
    const alg_ist_solid *const solid = &((alg_ist_body *)p.fixed)->solid;
    expect_number_refused(&p, &solid->middles[1].z, NAN, "a ball nowhere");
    expect_number_refused(&p, &solid->middles[0].x, 1e9, "a ball far off");
    expect_number_refused(&p, &solid->outward[1].x, 2, "no direction");
    pair_close(&p);
    p = pair_open("ist-exact:voxels=16", &s.a, &s.b, ALG_WANT_DISTANCE);
    alg_ist_solid *const with = &((alg_ist_body *)p.fixed)->solid;
    expect_number_refused(&p, &with->outer[0], -1, "an outer radius below zero");
    expect_number_refused(&p, &with->outer[0], INFINITY, "an outer ball without an end");
    double *const outer = with->outer;
    with->outer = NULL;
    expect_refusal(&p, "a skin without outer balls");
    with->outer = outer;
    pair again = reopen(&p, ALG_WANT_DISTANCE);
    pair_close(&again);
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, faces_that_are_not_there_are_refused)
{
    shapes s = make_shapes();
    pair p = pair_open("ist-exact:voxels=16", &s.a, &s.b, ALG_WANT_DISTANCE);
    const alg_ist_body *const body = p.fixed;
    const alg_ist_skin *const skin = body->skin;
    const uint32_t faces = (uint32_t)s.a.face_count, spheres = body->solid.tree.leaf_count;
    uint32_t *const first = skin->owners.first;
    expect_link_refused(&p, &body->solid.faces[0], faces, "a face behind the last is nearest");
    expect_link_refused(&p, &skin->owners.faces[0], faces, "a face behind the last is owned");
    expect_link_refused(&p, &skin->shell.part_vertex[0], (uint32_t)s.a.vertex_count,
                        "a vertex too many");
    expect_link_refused(&p, &first[0], 1, "a face that nobody owns");
    expect_link_refused(&p, &first[spheres / 2], first[spheres] + 1, "a stretch that runs back");
    expect_link_refused(&p, &first[spheres], first[spheres] - 1, "a face less");
    /* The last stretch ends behind the list. */
    bytes b = save(&p, p.fixed);
    char *const end = memmem(b.items, b.count, first, (spheres + 1) * sizeof *first);
    cr_assert_not_null(end);
    const uint32_t more = first[spheres] + 1;
    memcpy(end + spheres * sizeof *first, &more, sizeof more);
    void *prepared;
    cr_assert_eq(load(&p, ALG_FIXED, &b, &prepared), ALG_FAILED, "a stretch beyond the list");
    base_free(b.items);
    pair again = reopen(&p, ALG_WANT_DISTANCE);
    pair_close(&again);
    pair_close(&p);
    release_shapes(&s);
}

/** Exchanges two lanes of the root, with their children. */
static void exchange_lanes(alg_ist_tree *tree, uint32_t i, uint32_t j)
{
    for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
        float *const lanes = tree->lanes + kind * tree->width, x = lanes[i];
        lanes[i] = lanes[j];
        lanes[j] = x;
    }
    const uint32_t child = tree->children[i];
    tree->children[i] = tree->children[j];
    tree->children[j] = child;
}

Test(saved, an_empty_lane_holds_nothing)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:spheres=2,voxels=8", &s.a, &s.b, BOTH);
    alg_ist_tree *const tree = &((alg_ist_body *)p.fixed)->solid.tree;
    cr_assert_eq(tree->children[3], ALG_IST_NOBODY);
    for (uint32_t kind = 0; kind < ALG_IST_LANE_KINDS; kind++) {
        expect_lane_refused(&p, &tree->lanes[kind * tree->width + 3], 0.5f, "half a ball");
    }
    exchange_lanes(tree, 1, 2);
    expect_refusal(&p, "a gap between children");
    exchange_lanes(tree, 1, 2);
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, memory_that_runs_out_is_told)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:directions=cones,voxels=10", &s.a, &s.b, BOTH);
    bytes b = save(&p, p.fixed);
    void *prepared = NULL;
    alg_status status = ALG_OUT_OF_MEMORY;
    size_t n = 0;
    for (; status == ALG_OUT_OF_MEMORY && n < 100; n++) {
        base_memory_fail_after(n);
        status = load(&p, ALG_FIXED, &b, &prepared);
        base_memory_fail_after(SIZE_MAX);
    }
    cr_assert_eq(status, ALG_OK);
    cr_assert_gt(n, 3);
    p.variant.algorithm->dispose(prepared);
    base_free(b.items);
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, a_writer_that_wants_no_more_ends_it)
{
    shapes s = make_shapes();
    pair p = pair_open("ist:directions=cones,voxels=8", &s.a, &s.b, BOTH);
    for (size_t most = 0; most < 5; most++) {
        size_t calls = most;
        const alg_writer to = {.size = sizeof to, .context = &calls, .write = refuse};
        alg_message message = {""};
        cr_assert_eq(p.variant.algorithm->save(p.fixed, &to, &message), ALG_FAILED);
        cr_assert_neq(*message.text, '\0');
    }
    pair_close(&p);
    release_shapes(&s);
}
